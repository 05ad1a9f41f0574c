/* output.c - what the program writes, whole or not at all: its output, and files beside it. */
#include "cli/cli.h"
#include "cli/terminal.h"
#include "io/target.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST = 4 };
static imp_output output[MOST]; /* the first is the output */
static FILE *terminal;          /* in front of a terminal on standard output; NULL: there is none */
static volatile sig_atomic_t outputs;
/* other files are being written; the signal that waits */
static volatile sig_atomic_t holding, held_back;

/* Interrupted, or without a reader: leaves no half-written file, then ends as the signal asks. */
static void interrupted(int signal_number) {
    if (holding) {
        held_back = signal_number;
        return;
    }
    for (int i = 0; i < outputs; i++)
        if (output[i].temporary) unlink(output[i].temporary);
    for (int k = 0; k < CONTAINED_GROUPS; k++)
        if (contained_group[k] > 0) kill(-contained_group[k], SIGKILL);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

/* Signals that whoever started the program has ignored (nohup) stay so; a lost reader is then a
 * write error. */
static void on_signal(int signal_number) {
    if (signal(signal_number, interrupted) == SIG_IGN) signal(signal_number, SIG_IGN);
}

bool output_unseen;

/* On a file, or on standard output by one of two ways. */
static FILE *open_by(const char *path,
                     imp_status standard(imp_output *, FILE *, const char *, imp_error *)) {
    imp_error error;
    outputs = 1;
    const bool seen = !path && !output_unseen && isatty(STDOUT_FILENO);
    terminal = seen ? terminal_open(stdout) : NULL;
    const imp_status status =
        path ? imp_output_open(output, path, &error)
             : standard(output, terminal ? terminal : stdout, "standard output", &error);
    if (status != IMP_OK) {
        complain(&error);
        return NULL;
    }
    on_signal(SIGINT);
    on_signal(SIGQUIT);
    on_signal(SIGTERM);
    on_signal(SIGHUP);
    on_signal(SIGPIPE);
    return output[0].file;
}

FILE *output_open(const char *path) {
    return open_by(path, imp_output_borrow);
}

FILE *output_open_whole(const char *path) {
    return open_by(path, imp_output_spool);
}

bool output_is_input(const char *written, const char *input) {
    struct stat out, in;
    const bool there =
        strcmp(input, "-") == 0 ? fstat(STDIN_FILENO, &in) == 0 : stat(input, &in) == 0;
    return written && there && stat(written, &out) == 0 && S_ISREG(out.st_mode) &&
           out.st_dev == in.st_dev && out.st_ino == in.st_ino;
}

bool output_is_standard(const char *path) {
    struct stat out, of;
    return stat(path, &of) == 0 && fstat(STDOUT_FILENO, &out) == 0 &&
           (S_ISREG(out.st_mode) || S_ISFIFO(out.st_mode)) && out.st_dev == of.st_dev &&
           out.st_ino == of.st_ino;
}

bool output_spares(const command *self, const char *written, const char *input) {
    if (!output_is_input(written, input)) return true;
    complain_of("%s: \"%.200s\" is also the input, expected another file for the output",
                self->name, written);
    return false;
}

/* Of the folder that a path leads into; no longer path leads anywhere. */
static bool stat_folder(const char *path, struct stat *about) {
    const char *name = strrchr(path, '/');
    char folder[PATH_MAX] = ".";
    if (name) snprintf(folder, sizeof folder, "%.*s", (int)(name - path) + 1, path);
    return stat(folder, about) == 0;
}

/* The same name in the same folder? */
static bool same_place(const char *one, const char *other) {
    const char *a = strrchr(one, '/'), *b = strrchr(other, '/');
    struct stat first, second;
    return strcmp(a ? a + 1 : one, b ? b + 1 : other) == 0 && stat_folder(one, &first) &&
           stat_folder(other, &second) && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

/* Where a file or a folder of that name would stand; NULL: nowhere, or no memory. */
static char *place_of(const char *path) {
    char *place = imp_output_target(path);
    for (size_t n = place ? strlen(place) : 0; n > 1 && place[n - 1] == '/'; n--)
        place[n - 1] = '\0';
    return place;
}

bool output_same(const char *one, const char *other) {
    if (output_is_input(one, other)) return true;
    char *const a = place_of(one), *const b = place_of(other);
    const bool same = a && b && same_place(a, b);
    free(a);
    free(b);
    return same;
}

bool has_suffix(const char *path, const char *suffix) {
    const char *dot = path ? strrchr(path, '.') : NULL;
    return dot && strcasecmp(dot, suffix) == 0;
}

bool output_fits(const char *option, const char *path, const char *what, const char *kind) {
    static const struct {
        const char *suffix, *kind;
    } known[] = {{".json", "JSON"},     {".jsonl", "JSON"},   {".hdf5", "HDF5"},
                 {".h5", "HDF5"},       {".tsv", "a table"},  {".svg", "a picture"},
                 {".png", "a picture"}, {".pdf", "a picture"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (has_suffix(path, known[i].suffix) && strcmp(kind, known[i].kind) != 0) {
            complain_of("%s is \"%.200s\" but %.240s is %s, expected another suffix than %s",
                        option, path, what, kind, known[i].suffix);
            return false;
        }
    return true;
}

bool output_beside(const char *option, const char *path, const char *kind, FILE **file) {
    imp_error error;
    imp_output *const own = &output[outputs];
    *file = NULL;
    if (!path) return true;
    if (!output_fits(option, path, "it", kind)) return false;
    outputs++;
    if (imp_output_open(own, path, &error) != IMP_OK) return complain(&error), false;
    *file = own->file;
    for (const imp_output *other = output; own->replaces && other < own; other++)
        if (output_same(own->path, other->path)) {
            complain_of("\"%.200s\" is written twice, expected another file", path);
            return false;
        }
    return true;
}

imp_status output_folder(const char *path, imp_error *error) {
    struct stat about;
    if (!*path) return imp_error_set(error, IMP_IO, "an empty name, expected a folder");
    if (mkdir(path, 0777) == 0 ||
        (errno == EEXIST && stat(path, &about) == 0 && S_ISDIR(about.st_mode)))
        return IMP_OK;
    return imp_error_system(error, path, "cannot be made a folder");
}

imp_status output_folder_try(const char *path, imp_error *error) {
    struct stat about;
    const bool there = stat(path, &about) == 0;
    const imp_status status = output_folder(path, error);
    if (status == IMP_OK && !there) (void)rmdir(path);
    return status;
}

void output_hold(void) {
    holding = 1;
}

bool output_interrupted(void) {
    return held_back != 0;
}

void output_release(void) {
    holding = 0;
    if (held_back) interrupted(held_back);
}

/* Ends what stands in front of a terminal; false where that could not be written. */
static bool end_terminal(void) {
    FILE *const file = terminal;
    terminal = NULL;
    return !file || fclose(file) == 0;
}

/* A complaint, unless a signal waits, as that of a lost reader, which ends the program quietly. */
static void told(const imp_error *error) {
    if (!held_back) complain(error);
}

bool output_written(void) {
    imp_error error;
    for (int i = 0; i < outputs; i++) {
        const bool failed_before = ferror(output[i].file);
        errno = 0;
        if (failed_before) fputc('\n', output[i].file); /* the reason is that of one more byte */
        if (fflush(output[i].file) == 0 && !failed_before) continue;
        if (errno != 0)
            imp_error_system(&error, output[i].path, "cannot be written");
        else
            imp_error_set(&error, IMP_IO, "%s: cannot be written", output[i].path);
        return told(&error), false;
    }
    return true;
}

int output_commit(int status) {
    imp_error error;
    if (memory_failed()) {
        complain_of("no memory");
        return output_abandon();
    }
    if (!output_written()) return output_abandon(); /* before any is put in place */
    for (int i = outputs - 1; i >= 0; i--) /* the output last: where it is, the others are */
        if (imp_output_commit(&output[i], &error) != IMP_OK) {
            told(&error);
            return output_abandon();
        }
    outputs = 0;
    return end_terminal() ? status : complain_of("standard output: cannot be written");
}

int output_abandon(void) {
    for (int i = 0; i < outputs; i++)
        imp_output_abandon(&output[i]);
    outputs = 0;
    (void)end_terminal();
    return EXIT_BAD;
}

void output_end(void) {
    if (holding) return;
    complain_of("no memory");
    output_abandon();
    outside_close();
    exit(EXIT_BAD);
}
