/* check_folder.c - `impact check FOLDER`: the problems of all its files in one table, with the
 * answers that stand beside them or in the files of the same names in another folder. */
#include "cli/checking.h"
#include "io/target.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>

/* What is in a folder: first the files that hold problems, or answers, by their names. */
typedef struct listing {
    struct dirent **entry;
    int count, all; /* of these files; with what else is in it */
} listing;

/* A file of problems, by its name? */
static bool is_problem_name(const char *name) {
    static const char *const suffixes[] = {".json", ".jsonl", ".tsv", ".hdf5", ".h5"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (strlen(name) > strlen(suffixes[i]) && has_suffix(name, suffixes[i])) return true;
    return false;
}

static bool is_folder(const char *path) {
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

/* Refuses what may keep its reader waiting: nobody need be at the other end of a pipe. What is not
 * there is left to whoever opens it. */
static imp_status expect_file(const char *path, imp_error *error) {
    struct stat about;
    if (stat(path, &about) != 0 || S_ISREG(about.st_mode)) return IMP_OK;
    return imp_error_set(error, IMP_IO, "%s: is no regular file, expected one in a folder", path);
}

/* Refuses a name that would break its rows, or make comments of them, which readers skip. */
static imp_status expect_name(const char *path, const char *name, imp_error *error) {
    if (!strpbrk(name, "\t\n\r") && *name != '#') return IMP_OK;
    return imp_error_set(error, IMP_BAD_ARGUMENT,
                         "%s: a name with a tab or the end of a line, or # in front, expected one "
                         "that can begin a row of a table",
                         path);
}

/* All but the folder itself and the one that it is in. */
static int is_own(const struct dirent *entry) {
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

/* false after a complaint. */
static bool list(const char *folder, listing *l) {
    char path[PATH_MAX];
    *l = (listing){.count = 0};
    l->all = scandir(folder, &l->entry, is_own, alphasort);
    if (l->all < 0) return complain_of("%.200s: %s", folder, strerror(errno)), false;
    for (int i = 0; i < l->all; i++) {
        struct dirent *const entry = l->entry[i];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (!is_problem_name(entry->d_name) || is_folder(path)) continue;
        l->entry[i] = l->entry[l->count];
        l->entry[l->count++] = entry;
    }
    return true;
}

static void unlist(listing *l) {
    for (int i = 0; i < l->all; i++)
        free(l->entry[i]);
    free(l->entry);
}

/* What is read for one file of a folder: its problems, and the impulses of the file of its name in
 * the other folder, or that stand beside them. */
static void find_pair(const checking *k, const char *name, char path[PATH_MAX],
                      char beside[PATH_MAX]) {
    snprintf(path, PATH_MAX, "%s/%s", k->o.files[0], name);
    snprintf(beside, PATH_MAX, "%s/%s", k->o.files[k->o.files[1] ? 1 : 0], name);
}

/* The answers to one file, or why there are none, which is the reason of each of its rows. What is
 * there and cannot be read is no such reason. */
static imp_status read_answers(checking *k, imp_problem_file *file, const char *beside,
                               imp_error *error) {
    imp_status read;
    if (k->asks) return IMP_OK;
    if (!k->o.files[1])
        read = imp_solutions_read_beside(file, &k->solutions, &k->missing);
    else if (is_folder(beside))
        read = imp_error_set(&k->missing, IMP_BAD_ARGUMENT,
                             "%s: is a directory, expected a file with the answers", beside);
    else if ((read = expect_file(beside, &k->missing)) == IMP_OK)
        read = imp_solutions_read(beside, &k->solutions, &k->missing);
    if (read == IMP_NO_MEMORY || (read == IMP_IO && access(beside, F_OK) == 0))
        return imp_error_set(error, read, "%s", k->missing.text);
    return IMP_OK;
}

/* All problems of one file of a folder. */
static imp_status check_file(checking *k, FILE *out, bool *unsolved, imp_error *error) {
    char path[PATH_MAX], beside[PATH_MAX];
    imp_problem_file *file;
    const imp_case *c;
    answers a = {.out = out, .table = true};
    size_t problems = 0;
    find_pair(k, k->file, path, beside);
    imp_status status = expect_name(path, k->file, error);
    if (status == IMP_OK) status = expect_file(path, error);
    if (status == IMP_OK) status = imp_problem_file_open(path, &file, error);
    if (status != IMP_OK) return status;
    k->problems = path;
    k->given = beside;
    status = read_answers(k, file, beside, error);
    do {
        if (status == IMP_OK) status = imp_problem_file_next(file, &c, error);
        problems += status == IMP_OK && c;
        if (status == IMP_OK && c) status = checking_answer(k, file, c, &a, error);
    } while (status == IMP_OK && c);
    if (status == IMP_OK) status = expect_some(file, problems, error);
    if (status == IMP_OK && k->solutions) status = imp_solutions_all_taken(k->solutions, error);
    imp_solutions_free(k->solutions);
    k->solutions = NULL;
    k->problems = k->given = NULL;
    imp_problem_file_close(file);
    *unsolved = *unsolved || a.unsolved;
    return status;
}

/* Would the file be one of the folder's problems, behind links too? */
static bool joins(const char *path, const char *folder) {
    char at[PATH_MAX];
    struct stat in, of;
    char *place = imp_output_target(path);
    if (!place) return false;
    const char *slash = strrchr(place, '/');
    snprintf(at, sizeof at, "%.*s/", slash ? (int)(slash - place) : 1, slash ? place : ".");
    const bool is_problem = is_problem_name(slash ? slash + 1 : place);
    free(place);
    return is_problem && stat(at, &in) == 0 && stat(folder, &of) == 0 && in.st_dev == of.st_dev &&
           in.st_ino == of.st_ino;
}

/* Does the output leave what is read of both folders in its place, and no file there that would be
 * read the next time? false after a complaint. */
static bool keeps_folders(const checking *k, const listing *l) {
    char path[PATH_MAX], beside[PATH_MAX];
    for (int i = 0; i < l->count; i++) {
        find_pair(k, l->entry[i]->d_name, path, beside);
        if (!output_spares(k->self, k->o.output, path) ||
            !output_spares(k->self, k->o.output, beside))
            return false;
    }
    if (!k->o.output || !joins(k->o.output, k->o.files[0])) return true;
    complain_of("check: \"%.200s\" would be one of the problems, expected the output in another "
                "folder",
                k->o.output);
    return false;
}

/* Does `one` stand before `other` in the order of both lists? */
static bool is_before(const struct dirent *one, const struct dirent *other) {
    return alphasort(&one, &other) < 0;
}

/* Counts the files of the other folder whose names no file of problems has, and which the output
 * leaves in their places, too. false after a complaint. */
static bool find_alone(checking *k, const listing *problems) {
    char path[PATH_MAX];
    listing given;
    bool spared = true;
    if (!k->o.files[1]) return true;
    if (!list(k->o.files[1], &given)) return false;
    for (int i = 0, j = 0; i < given.count && spared; i++) {
        const struct dirent *own = given.entry[i];
        while (j < problems->count && is_before(problems->entry[j], own))
            j++;
        if (j < problems->count && strcmp(problems->entry[j]->d_name, own->d_name) == 0) continue;
        if (k->alone++ == 0) imp_error_set(&k->first, IMP_OK, "%s", own->d_name);
        snprintf(path, sizeof path, "%s/%s", k->o.files[1], own->d_name);
        spared = output_spares(k->self, k->o.output, path);
    }
    unlist(&given);
    return spared;
}

/* All files of a folder in one table, by their names. */
static int check_all(checking *k, const listing *l) {
    imp_error error;
    imp_status status = IMP_OK;
    bool unsolved = false;
    FILE *out = output_open_whole(k->o.output);
    if (!out) return EXIT_BAD;
    imp_write_header(k->by.column, out);
    for (int i = 0; i < l->count && status == IMP_OK; i++) {
        k->file = l->entry[i]->d_name;
        status = check_file(k, out, &unsolved, &error);
    }
    if (status == IMP_OK)
        return checking_finish(k, output_commit(unsolved ? EXIT_UNSOLVED : EXIT_SOLVED));
    complain(&error);
    return output_abandon();
}

int check_folder(checking *k) {
    listing l;
    imp_error error;
    const char *folder = k->o.files[0], *other = k->o.files[1];
    if (!output_fits(k->o.output_word, k->o.output, "the output", "a table")) return EXIT_BAD;
    if (checking_facts(k, true, &error) != IMP_OK) return complain(&error);
    if (other && !is_folder(other))
        return complain_of("%.200s: is no folder, expected one with the answers to %.200s", other,
                           folder);
    if (!list(folder, &l)) return EXIT_BAD;
    int outcome = EXIT_BAD;
    k->left_out = l.all - l.count;
    if (l.count == 0)
        complain_of("%.200s: holds no problems, expected files .json, .jsonl, .tsv, .hdf5 or .h5",
                    folder);
    else if (keeps_folders(k, &l) && find_alone(k, &l) && judging_begin(&k->by, k->o.model, true))
        outcome = check_all(k, &l);
    unlist(&l);
    return outcome;
}
