/* commands.c - commands in folders of their own, and the judges of what they leave there. */
#include "campaign/commands.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Some write over a file that is there, of mode 0640. */
const command commands[] = {
    {"solve one", "solve --model $M -o old one.tsv", NULL, NULL, NULL, false},
    {"solve several", "solve --model $M -o old many.json", NULL, NULL, NULL, true},
    {"solve FCLIB", "solve --model auto -o answer.hdf5 many.hdf5", NULL, NULL, NULL, false},
    {"solve to stdout", "solve --model plus --explain many.json", NULL, NULL, NULL, false},
    {"check", "check --model auto -o old many.json many.answer", NULL, NULL, NULL, false},
    {"check FCLIB", "check --model auto many.hdf5 many.hdf5.answer", NULL, NULL, NULL, false},
    {"convert", "convert many.json old.hdf5", NULL, NULL, NULL, false},
    {"convert", "convert many.hdf5 old.json", NULL, NULL, NULL, false},
    {"convert", "convert one.tsv new.jsonl", NULL, NULL, NULL, false},
    {"compare",
     "compare --model plus,auto --set run.until=0.001 --impulses old --problems p.json -o rows "
     "wedge.json",
     NULL, NULL, "rows", false},
    {"simulate", "simulate --vtk there --keep kept -o old steps.json", NULL, "there kept", NULL,
     false},
    {"simulate", "simulate --model newton -o old bounce.json", NULL, NULL, NULL, false},
    {"flow", "flow -o old flow.json", NULL, "here", NULL, false},
    {"flow goes on", "flow --resume start.check -o old flow.json", NULL, "here", NULL, false},
    {"sweep",
     "sweep --jobs 1 --model plus,auto --over theta_max=0.1,0.2 --set run.until=0.001 --keep kept "
     "-o old wedge.json",
     NULL, "kept", NULL, false},
    {"audit", "audit --exec /bin/false --law coulomb -n 1 --seed 3 --worst worst -o old.tsv loose",
     NULL, "worst", NULL, false},
    {NULL}};

/* $1: the program. */
static const char prepare[] =
    "set -e\n"
    "impact=$1\n"
    "$impact problems --seed 1 -n 2 -o one.tsv impact-planar\n"
    "$impact problems --seed 1 -n 1 bodies | sed 's/,\"e\":\\[[^]]*\\]//' > many.json\n"
    "$impact solve --model auto -o many.answer many.json >&2\n"
    "$impact convert many.json many.hdf5\n"
    "$impact solve --model auto -o many.hdf5.answer many.hdf5\n"
    "cat > bounce.json << 'END'\n"
    "{\"kind\": \"scene\", \"gravity\": [0, 0, -9.81], \"material\": {\"friction\": 0.3},\n"
    " \"ground\": [{}], \"bodies\": {\"ball\": {\"mass\": 1, \"ball\": 0.1, \"clearance\": 0.1,\n"
    " \"velocity\": [0.5, 0, 0], \"spheres\": [{\"radius\": 0.1, \"at\": [[0, 0, 0]]}]}},\n"
    " \"impact\": {\"restitution\": 0.5}, \"run\": {\"until\": 0.5}}\n"
    "END\n"
    "sed 's/\"impact.*/\"step\": {\"h\": 0.05, \"until\": 0.3, \"model\": \"auto\"}}/' bounce.json "
    "> "
    "steps.json\n"
    "cat > wedge.json << 'END'\n"
    "{\"kind\": \"scene\", \"material\": {\"stiffness\": 1e8, \"dissipation\": 0.1, \"friction\": "
    "0.3},\n"
    " \"transition\": 0.001, \"ground\": [{\"point\": [0, 0, 0], \"normal\": [0.6, 0, 0.8]},\n"
    " {\"point\": [0, 0, 0], \"normal\": [-0.6, 0, 0.8]}],\n"
    " \"bodies\": {\"ball\": {\"mass\": 1, \"ball\": 0.1, \"position\": [0, 0, 0.125], \n"
    " \"velocity\": [0.2, 0.5, -1], \"spheres\": [{\"radius\": 0.1, \"at\": [[0, 0, 0]]}]}},\n"
    " \"run\": {\"until\": 0.1, \"apart\": 0.001}, \"impact\": {\"proximity\": 1e-6}}\n"
    "END\n"
    "cat > flow.json << 'END'\n"
    "{\"kind\": \"flow\", \"friction\": 0.4, \"step\": 2e-5, \"until\": 0.0004, \"threads\": 1,\n"
    " \"box\": {\"low\": [0, 0, 0], \"high\": [0.01, 0.004, 0.004]},\n"
    " \"shapes\": [{\"plane\": {\"point\": [0, 0, 0], \"normal\": [1, 0, 0]}},\n"
    " {\"plane\": {\"point\": [0, 0, 0], \"normal\": [0, 0, 1]}}],\n"
    " \"spheres\": {\"radius\": 0.00047, \"density\": 2650, \"spacing\": 0.001, \"speed\": 1,\n"
    " \"disturbance\": 0.5, \"seed\": 1},\n"
    " \"fill\": {\"low\": [0, 0, 0], \"high\": [0.003, 0.004, 0.004]},\n"
    " \"output\": {\"folder\": \"here\", \"rows_every\": 5, \"checkpoint_every\": 5, "
    "\"vtk_every\": 10}}\n"
    "END\n"
    "$impact flow --set until=0.0002 flow.json > rows\n"
    "mv here/flow.check start.check\n"
    "rm -r here rows\n"
    "mkdir worst\n"
    "for old in old old.hdf5 old.json old.tsv; do echo kept > $old; chmod 640 $old; done\n";

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
    char text[900];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return system(text) == 0;
}

/* The script of the inputs, in ./inputs of the home. */
static bool make_inputs(const command_home *home) {
    char path[220];
    snprintf(path, sizeof path, "%s/prepare", home->path);
    FILE *script = fopen(path, "w");
    if (!script) return false;
    const bool written = fputs(prepare, script) >= 0;
    if (fclose(script) != 0 || !written) return false;
    snprintf(path, sizeof path, "%s/inputs", home->path);
    return mkdir(path, 0777) == 0 && shell("cd '%s/inputs' && OMP_NUM_THREADS=1 sh ../prepare '%s'",
                                           home->path, home->program);
}

static bool make_folder(const command_run *run) {
    return shell("rm -rf '%s' && cp -a '%s/inputs' '%s'", run->folder, run->home->path,
                 run->folder);
}

bool command_do(command_run *run, bool again, traced *with) {
    char line[300], *rest = line, model[40], program[400], *word[32] = {program};
    const char *const asked =
        again && run->command->again ? run->command->again : run->command->line;
    if (!again && !make_folder(run)) return false;
    memcpy(program, run->home->program, sizeof program);
    snprintf(line, sizeof line, "%s", asked);
    for (int n = 1; rest && n < 31; n++) {
        word[n] = strsep(&rest, " ");
        if (strcmp(word[n], "$M") != 0) continue;
        snprintf(model, sizeof model, "%s", run->model);
        word[n] = model;
    }
    with->folder = run->folder;
    return traced_run(with, word);
}

bool command_home_make(command_home *home, const char **why) {
    const char *scratch = getenv("TMPDIR");
    snprintf(home->path, sizeof home->path, "%.100s/campaign-XXXXXX", scratch ? scratch : "/tmp");
    *why = "no folder";
    if (!mkdtemp(home->path)) return false;
    *why = "no build/impact, or no build/campaign/failing.so: make";
    bool good = beside(home->program, "/impact") && beside(home->preload, "/campaign/failing.so");
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
    if (WIFSIGNALED(with->status) && !killed)
        wrong = WTERMSIG(with->status) == SIGXCPU ? "hung" : "crashed";
    else if (!killed && with->status == run->status)
        wrong = judge_whole(run, &left, false);
    else if (memory && WEXITSTATUS(with->status) == 1 && any_says_no_memory(&left))
        wrong = judge_files(run, &left, false, true);
    else if (!killed && WEXITSTATUS(with->status) != 2)
        wrong = "another exit status";
    else if (!killed && !one_line(err))
        wrong = "not one line on standard error";
    else if (memory && !strstr(said, "no memory") && !strstr(said, "no-memory") &&
             !strstr(said, "Cannot allocate memory"))
        wrong = "no memory is called something else";
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
