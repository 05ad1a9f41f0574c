/* commands.c - commands in folders of their own, and the judges of what they leave there. */
#include "campaign/commands.h"

#include "generators/piles.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Of this program's folder ../NAME. */
static bool beside(char path[400], const char *name) {
    const ssize_t n = readlink("/proc/self/exe", path, 300);
    if (n <= 0) return false;
    path[n] = 0;
    for (int up = 0; up < 2; up++)
        *strrchr(path, '/') = 0;
    const size_t length = strlen(path);
    snprintf(path + length, 400 - length, "%s", name);
    return access(path, R_OK) == 0;
}

__attribute__((format(printf, 1, 2))) static bool shell(const char *format, ...) {
    char text[1600];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return system(text) == 0;
}

/* A global problem: `impact convert` makes none. */
static bool make_global(const char *path) {
    imp_fclib pile;
    if (pile_make(PILE_SPHERES, 1, 6, &pile) != IMP_OK) return false;
    FILE *out = fopen(path, "wb");
    bool good = out && imp_fclib_write(out, path, &pile, NULL) == IMP_OK;
    if (out && fclose(out) != 0) good = false;
    imp_fclib_clear(&pile);
    return good;
}

/* The script of the inputs, in ./inputs of the home; what it says is kept beside it. */
static bool make_inputs(const command_home *home) {
    char path[220];
    snprintf(path, sizeof path, "%s/prepare", home->path);
    FILE *script = fopen(path, "w");
    if (!script) return false;
    bool written = true;
    for (const char *const *part = command_inputs; *part; part++)
        written = fputs(*part, script) >= 0 && written;
    if (fclose(script) != 0 || !written) return false;
    snprintf(path, sizeof path, "%s/inputs", home->path);
    if (mkdir(path, 0777) != 0) return false;
    snprintf(path, sizeof path, "%s/inputs/global.hdf5", home->path);
    return make_global(path) &&
           shell("cd '%s/inputs' && OMP_NUM_THREADS=1 sh ../prepare '%s' 2> ../said", home->path,
                 home->program);
}

static bool make_folder(const command_run *run) {
    return shell("rm -rf '%s' && cp -a '%s/inputs' '%s'", run->folder, run->home->path,
                 run->folder);
}

bool command_do(command_run *run, bool again, traced *with) {
    char line[300], *rest = line, model[40], program[400], *word[32] = {program};
    if (!again && !make_folder(run)) return false;
    memcpy(program, run->home->program, sizeof program);
    snprintf(line, sizeof line, "%s", run->command->line);
    for (int n = 1; rest && n < 31; n++) {
        word[n] = strsep(&rest, " ");
        if (strcmp(word[n], "$M") != 0) continue;
        snprintf(model, sizeof model, "%s", run->model);
        word[n] = model;
    }
    with->folder = run->folder;
    return traced_run(with, word);
}

/* LeakSanitizer behind the allocator that fails, where there is one that works: not in containers
 * that forbid to trace. */
static void add_leak_finder(command_home *home) {
#ifdef LEAK_FINDER
    const size_t length = strlen(home->preload);
    snprintf(home->preload + length, sizeof home->preload - length, " %s", LEAK_FINDER);
    home->finds_leaks = shell("LD_PRELOAD='%s' exec '%s' --version >'%s/version' 2>&1",
                              home->preload, home->program, home->path);
    if (!home->finds_leaks) home->preload[length] = 0;
#else
    (void)home;
#endif
}

bool command_home_make(command_home *home, const char **why) {
    const char *scratch = getenv("TMPDIR");
    setenv("IMPACT_DATA", ".", 1); /* for `impact replay` */
    snprintf(home->path, sizeof home->path, "%.100s/campaign-XXXXXX", scratch ? scratch : "/tmp");
    *why = "no folder";
    if (!mkdtemp(home->path)) return false;
    *why = "no build/campaign/impact, or no failing.so beside it: make build/campaign/campaign";
    bool good =
        beside(home->program, "/campaign/impact") && beside(home->preload, "/campaign/failing.so");
    if (good) add_leak_finder(home);
    if (good) *why = "its inputs cannot be made";
    good = good && make_inputs(home);
    if (!good) command_home_clear(home);
    return good;
}

void command_home_clear(const command_home *home) {
    if (!shell("rm -rf '%s'", home->path)) perror("campaign");
}

bool command_open(command_run *run, const command_home *home, const command *asked,
                  const char *model, const char **why) {
    traced nothing = {.set = (const char *const[]){"OMP_NUM_THREADS=1", NULL}};
    *run = (command_run){.command = asked, .model = model, .home = home};
    snprintf(run->folder, sizeof run->folder, "%s/work", home->path);
    *why = "its folder cannot be read";
    bool good = make_folder(run) && folder_read(run->folder, &run->inputs);
    if (good) *why = "the command fails with nothing wrong";
    good = good && command_do(run, false, &nothing) && WIFEXITED(nothing.status) &&
           WEXITSTATUS(nothing.status) < 2 && folder_read(run->folder, &run->whole);
    run->status = nothing.status;
    if (!good) command_close(run);
    return good;
}

void command_close(command_run *run) {
    folder_clear(&run->inputs);
    folder_clear(&run->whole);
}

/* Has the name one of the words in it? */
static bool named(const char *name, const char *words) {
    char list[100], *rest = list;
    snprintf(list, sizeof list, "%s", words ? words : "");
    for (const char *word; (word = rest ? strsep(&rest, " ") : NULL);)
        if (*word && strstr(name, word)) return true;
    return false;
}

static bool is_said(const char *name) {
    return strcmp(name, "out") == 0 || strcmp(name, "err") == 0;
}

static bool is_part(const char *name) {
    const size_t n = strlen(name);
    return n > 5 && strcmp(name + n - 5, ".part") == 0;
}

static int lines(const folder_file *file) {
    int n = 0;
    for (const char *at = file->bytes; (at = strchr(at, '\n')); at++)
        n++;
    return n;
}

/* Is the file as the whole run has it? */
static bool is_whole(const command_run *run, const folder_file *file, const folder_file *whole) {
    if (!file || !whole || !named(file->name, run->command->timed)) return folder_same(file, whole);
    return file->mode == whole->mode && lines(file) == lines(whole);
}

/* One line, of the program. */
static bool one_line(const folder_file *err) {
    const char *end = err ? strchr(err->bytes, '\n') : NULL;
    return end && end[1] == 0 && strncmp(err->bytes, "impact: ", 8) == 0;
}

/* Does an answer say, of a problem, that there was no memory? */
static bool says_no_memory(const folder_file *file) {
    return memmem(file->bytes, file->size, "no-memory", 9) != NULL;
}

static bool any_says_no_memory(const folder *left) {
    for (int k = 0; k < left->files; k++)
        if (says_no_memory(&left->file[k])) return true;
    return false;
}

static const char LINKED[] = "old.linked";

/* A file of several names is written over in place: where that is cut short, all of it stands
 * beside it, as FILE.*.part, and stays. Is `file` such a one, or such a part? */
static bool stands_beside(const command_run *run, const folder *left, const folder_file *file) {
    for (int k = 0; k < left->files; k++) {
        const folder_file *part = &left->file[k], *whole = folder_find(&run->whole, LINKED);
        if (!is_part(part->name) || (is_part(file->name) && file != part)) continue;
        if (whole && part->size == whole->size &&
            memcmp(part->bytes, whole->bytes, whole->size) == 0)
            return true;
    }
    return false;
}

/* Of standard output a run that is refused leaves a beginning at most, its list closed. */
static bool out_begins(const command_run *run, const folder *left) {
    const folder_file *out = folder_find(left, "out"), *whole = folder_find(&run->whole, "out");
    size_t size = out ? out->size : 0;
    while (size > 0 && strchr("]\n", out->bytes[size - 1]))
        size--;
    return named("out", run->command->timed) ||
           (out && whole && size <= whole->size && memcmp(out->bytes, whole->bytes, size) == 0);
}

static bool calls_it_memory(const char *said) {
    return strstr(said, "no memory") || strstr(said, "no-memory") ||
           strstr(said, "Cannot allocate memory");
}

/* What a run that did not succeed left: each file as before or as it is to be. */
static const char *judge_files(const command_run *run, const folder *left, bool killed,
                               bool memory) {
    static char why[240];
    for (int k = 0; k < left->files; k++) {
        const folder_file *file = &left->file[k];
        const folder_file *old = folder_find(&run->inputs, file->name),
                          *new = folder_find(&run->whole, file->name);
        if (is_said(file->name) || (killed && is_part(file->name))) continue;
        if (memory && new &&says_no_memory(file)) continue;
        if (strstr(file->name, ".linked") && stands_beside(run, left, file)) continue;
        if (folder_same(file, old) || is_whole(run, file, new)) continue;
        if (new && !is_part(file->name) && named(file->name, run->command->grown)) continue;
        const bool stray = !old && !new;
        const bool mode = !stray && (old ? old : new)->size == file->size;
        snprintf(why, sizeof why, "%s: %s", file->name,
                 stray  ? "left behind"
                 : mode ? "another mode, or other bytes"
                        : "half written");
        return why;
    }
    for (int k = 0; k < run->inputs.files; k++)
        if (!folder_find(left, run->inputs.file[k].name)) return "a file that was there is gone";
    return NULL;
}

/* Succeeded: all as it is to be. `parts`: but what a kill left. */
static const char *judge_whole(const command_run *run, const folder *left, bool parts) {
    static char why[240];
    for (int k = 0; k < run->whole.files; k++) {
        const char *name = run->whole.file[k].name;
        if (is_whole(run, folder_find(left, name), &run->whole.file[k])) continue;
        if (strcmp(name, "err") == 0 && parts) continue; /* may say that it goes on */
        snprintf(why, sizeof why, "%s: other bytes, though it says all is well", name);
        return why;
    }
    for (int k = 0; k < left->files; k++)
        if (!folder_find(&run->whole, left->file[k].name) &&
            !(parts && is_part(left->file[k].name)))
            return "a file too many";
    return NULL;
}

const char *command_judge(const command_run *run, const traced *with, bool memory) {
    static char why[400];
    static folder left;
    const char *wrong = NULL;
    const bool killed = WIFSIGNALED(with->status) && WTERMSIG(with->status) == SIGKILL &&
                        (with->act == TRACED_KILL_BEFORE || with->act == TRACED_KILL_AFTER);
    if (!folder_read(run->folder, &left)) return "its folder cannot be read";
    const folder_file *err = folder_find(&left, "err");
    const char *said = err ? err->bytes : "";
    if (memory && WIFEXITED(with->status) && WEXITSTATUS(with->status) == COMMAND_LEAKED)
        wrong = "it leaks";
    else if (WIFSIGNALED(with->status) && !killed)
        wrong = WTERMSIG(with->status) == SIGXCPU ? "hung" : "crashed";
    else if (!killed && with->status == run->status)
        wrong = judge_whole(run, &left, false);
    else if (memory && WEXITSTATUS(with->status) == 1 && any_says_no_memory(&left))
        wrong = judge_files(run, &left, false, true);
    else if (!killed && WEXITSTATUS(with->status) != 2)
        wrong = "another exit status";
    else if (!killed && !one_line(err))
        wrong = "not one line on standard error";
    else if (memory && !calls_it_memory(said))
        wrong = "no memory is called something else";
    else if (memory && !out_begins(run, &left))
        wrong = "another standard output";
    else
        wrong = judge_files(run, &left, killed, false);
    if (wrong)
        snprintf(why, sizeof why, "%s (status %x; it said: %.*s)", wrong, with->status,
                 (int)strcspn(said, "\n") < 200 ? (int)strcspn(said, "\n") : 200, said);
    folder_clear(&left);
    return wrong ? why : NULL;
}

const char *command_judge_again(const command_run *run, const traced *with) {
    static folder left;
    if (with->status != run->status) return "it does not go on";
    if (!folder_read(run->folder, &left)) return "its folder cannot be read";
    const char *why = judge_whole(run, &left, true);
    folder_clear(&left);
    return why;
}

void command_spoil(const command_run *run) {
    char path[400];
    for (int k = 0; k < run->whole.files; k++) {
        const folder_file *file = &run->whole.file[k];
        if (folder_same(file, folder_find(&run->inputs, file->name)) || is_said(file->name) ||
            named(file->name, run->command->grown))
            continue;
        snprintf(path, sizeof path, "%s/%s", run->folder, file->name);
        FILE *half = fopen(path, "w");
        if (!half) return;
        fwrite(file->bytes, 1, file->size / 2, half);
        fclose(half);
    }
}
