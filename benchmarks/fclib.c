/* fclib.c - every multi-contact model, and siconos where it is linked, on a folder of FCLIB
 * problems. */
#include "benchmarks/harness/usage.h"
#include "benchmarks/harness/contest.h"
#include "benchmarks/harness/outsiders.h"
#include "generators/piles.h"
#include "benchmarks/harness/table.h"
#include "impact.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_TOLERANCES = 8, MOST_SIZES = 8, MOST_FILES = 5000 };

typedef struct task {
    const char *folder, *out, *match;
    const char *only[CONTEST_MOST];
    double tolerance[MOST_TOLERANCES], limit;
    double first, seeds, contacts[MOST_SIZES]; /* of --made, whole */
    int tolerances, onlys, sizes;
    bool made;
    int problems; /* run */
    contestant list[CONTEST_MOST];
    int contestants;
    outsiders outside;
    contest_table table;
} task;

static bool wanted(const task *t, const contestant *who) {
    for (int i = 0; i < t->onlys; i++)
        if (strcmp(t->only[i], who->name) == 0) return true;
    return t->onlys == 0 || who->outside;
}

/* All solvers and tolerances on one problem. */
static void run_problem(task *t, const char *name, const imp_fclib *fclib) {
    imp_fclib_posed posed;
    if (imp_fclib_pose(fclib, &posed) != IMP_OK) {
        fprintf(stderr, "%s: states no contact problem\n", name);
        return;
    }
    const imp_problem *problem = &posed.problem;
    t->problems++;
    for (int k = 0; k < t->tolerances; k++)
        for (int i = 0; i < t->contestants; i++) {
            const contestant *who = &t->list[i];
            if (!wanted(t, who) || contest_table_has(&t->table, name, who->name, t->tolerance[k]))
                continue;
            const contest_result result = contest_run(problem, who, t->tolerance[k], t->limit);
            contest_table_add(&t->table, name, problem->nc, who->name, t->tolerance[k], &result);
        }
    imp_fclib_posed_clear(&posed);
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void run_folder(task *t, DIR *folder) {
    char **names = calloc(MOST_FILES, sizeof *names);
    int count = 0;
    for (struct dirent *entry; names && count < MOST_FILES && (entry = readdir(folder));)
        if (strstr(entry->d_name, ".hdf5") && (!t->match || strstr(entry->d_name, t->match)))
            names[count++] = strdup(entry->d_name);
    if (names) qsort(names, (size_t)count, sizeof *names, by_name);
    for (int i = 0; i < count; i++) {
        char path[4096];
        imp_input input;
        imp_error error;
        imp_fclib problem;
        snprintf(path, sizeof path, "%s/%s", t->folder, names[i]);
        if (imp_input_open(&input, path, &error) != IMP_OK ||
            imp_fclib_read(&input, &problem, &error) != IMP_OK) {
            fprintf(stderr, "fclib: %s\n", error.text);
        } else {
            *strstr(names[i], ".hdf5") = '\0';
            run_problem(t, names[i], &problem);
            imp_fclib_clear(&problem);
        }
        imp_input_close(&input);
        free(names[i]);
    }
    free(names);
}

/* Problems of our own, several seeds and sizes; a title holds kind, size and seed. */
static void run_made(task *t) {
    for (int kind = 0; kind < PILE_KINDS; kind++)
        for (int size = 0; size < t->sizes; size++)
            for (int k = 0; k < t->seeds; k++) {
                imp_fclib problem;
                if (pile_make((pile_kind)kind, (uint64_t)t->first + (uint64_t)k,
                              (int)t->contacts[size], &problem) != IMP_OK)
                    exit(2);
                if (!t->match || strstr(problem.title, t->match))
                    run_problem(t, problem.title, &problem);
                imp_fclib_clear(&problem);
            }
}

static contestant everybody[CONTEST_MOST + 1];

static const char *solver_at(int k) {
    return everybody[k].name;
}

static const usage about = {
    .program = "fclib",
    .arguments =
        "[FOLDER] [--tol TOL]... [--limit SECONDS] [--only SOLVER]... [--match TEXT] "
        "[--made [--first SEED] [--seeds COUNT] [--contacts COUNT]...] [-o OUT] " OUTSIDERS_USAGE,
    .most = USAGE_OWN,
    .text =
        "Every model of several contacts, and siconos where it is linked, on a folder of FCLIB "
        "problems, to TOL (1e-4 and\n"
        "1e-8). FOLDER: $IMPACT_DATA/fclib or ../shared/data/fclib unless given; with --made the "
        "problems are piles and walls\n"
        "of about so many contacts (40, 150, 600) and so many seeds (3) from SEED (1) on. The "
        "choices of auto were made on\n"
        "seeds 1 to 6, 11 to 20 and 31 to 45; others judge it.\n"
        "Every problem, tolerance and solver runs in a process of its own with a limit on its CPU "
        "time (60 s); errors are\n"
        "recomputed from the impulses. Solvers outside the library (docs/own-solver.md) have the "
        "limit by the clock, --only or\n"
        "not, and their rows are made anew in every run. Rows go to OUT/fclib.tsv (build/fclib) as "
        "they come: a run that was\n"
        "interrupted goes on where it stopped, with the rows of the same limit and the same "
        "program. At the end\n"
        "OUT/fclib.json holds the same rows, OUT/profile-TOL.tsv and .svg Dolan-More profiles (the "
        "share of problems solved\n"
        "within a factor of the best time), OUT/growth.tsv how many of each kind were solved and "
        "the exponent of the time over\n"
        "the contacts, and standard output the summary. Times are milliseconds of CPU, of "
        "solvers outside by the clock, the\n"
        "least of some repeats where one takes no tenth of the limit.\n"
        "Exit 2: bad use (an option, a solver, a folder that is not there, no problem that "
        "matches), or nothing could be\n"
        "written.\n",
    .environment = "  IMPACT_DATA  the folder that holds fclib, a folder of FCLIB files\n",
    .name = solver_at,
};

static bool positive(const char *text, double *value) {
    return text && !imp_number_parse(text, value) && *value > 0;
}

static bool whole(const char *text, double most, double *value) {
    return positive(text, value) && *value == floor(*value) && *value <= most;
}

static void read_arguments(task *t, int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i], *next = i + 1 < argc ? argv[i + 1] : NULL;
        bool good = true;
        if (strcmp(a, "--made") == 0) {
            t->made = true;
            continue;
        }
        if (a[0] != '-' && !t->folder) {
            t->folder = a;
            continue;
        }
        if (strcmp(a, "--tol") == 0 && t->tolerances < MOST_TOLERANCES)
            good = positive(next, &t->tolerance[t->tolerances++]);
        else if (strcmp(a, "--limit") == 0)
            good = positive(next, &t->limit);
        else if (strcmp(a, "--first") == 0)
            good = whole(next, 1e9, &t->first); /* a title holds the seed as an int */
        else if (strcmp(a, "--seeds") == 0)
            good = whole(next, 1e6, &t->seeds);
        else if (strcmp(a, "--contacts") == 0 && t->sizes < MOST_SIZES)
            good = whole(next, 1e6, &t->contacts[t->sizes++]);
        else if (strcmp(a, "--only") == 0 && t->onlys < CONTEST_MOST)
            t->only[t->onlys++] = next;
        else if (strcmp(a, "--match") == 0)
            t->match = next;
        else if (strcmp(a, "-o") == 0)
            t->out = next;
        else
            outsiders_take(&t->outside, &about, a, next);
        if (!good || !next) usage_refuse(&about, "%s %s", a, next ? next : "without its value");
        i++;
    }
}

/* Ends the program where a solver of --only is none of those there are. */
static void know_solvers(const task *t) {
    for (int k = 0; k < t->onlys; k++) {
        bool outside = false;
        for (int i = 0; i < t->contestants; i++)
            outside = outside || (t->list[i].outside && strcmp(t->only[k], t->list[i].name) == 0);
        if (!outside) (void)usage_find(&about, "solver", t->only[k]);
    }
}

/* Ours, the peers, and those outside. */
static bool gather(task *t) {
    t->contestants = contest_all(t->list);
    t->outside.list.limits.seconds = fmin(t->outside.list.limits.seconds, t->limit);
    if (!outsiders_open(&t->outside, "fclib")) return false;
    for (int k = 0; k < t->outside.list.count && t->contestants < CONTEST_MOST; k++)
        t->list[t->contestants++] = (contestant){
            .name = t->outside.model[k]->name, .model = t->outside.model[k], .outside = true};
    know_solvers(t);
    return true;
}

/* The race of all problems, of `files` or made ones; the exit status. */
static int race(task *t, DIR *files) {
    static char build[TABLE_BUILD];
    if (mkdir(t->out, 0777) != 0 && errno != EEXIST)
        usage_refuse(&about, "-o %s: %s", t->out, strerror(errno));
    contest_build(build);
    const char *fault = contest_table_open(&t->table, t->out, t->limit, build);
    if (fault) {
        fprintf(stderr, "fclib: %s/fclib.tsv: %s\n", t->out, fault);
        return 2;
    }
    if (!siconos_solvers[0].name) fprintf(stderr, "fclib: built without siconos: ours alone\n");
    if (files)
        run_folder(t, files);
    else
        run_made(t);
    outside_close();
    const bool written = contest_table_end(&t->table, t->tolerance, t->tolerances);
    if (t->problems == 0)
        fprintf(stderr, "fclib: no problem%s%s\n", t->match ? " matches " : " there",
                t->match ? t->match : "");
    return written && t->problems > 0 ? 0 : 2;
}

int main(int argc, char **argv) {
    static task t = {.limit = 60, .first = 1, .seeds = 3, .out = "build/fclib"};
    const char *data = getenv("IMPACT_DATA");
    static char folder[4000];
    t.outside = outsiders_init();
    t.outside.list.limits.seconds = INFINITY; /* but for --limit */
    (void)contest_all(everybody);
    usage_answer(&about, argc, argv);
    read_arguments(&t, argc, argv);
    if (t.tolerances == 0) {
        t.tolerance[t.tolerances++] = 1e-4;
        t.tolerance[t.tolerances++] = 1e-8;
    }
    if (t.sizes == 0) {
        static const double usual[] = {40, 150, 600};
        memcpy(t.contacts, usual, sizeof usual);
        t.sizes = 3;
    }
    if (!gather(&t)) return 2;
    snprintf(folder, sizeof folder, "%s/fclib", data ? data : "../shared/data");
    if (!t.folder) t.folder = folder;
    DIR *files = t.made ? NULL : opendir(t.folder);
    if (!files && !t.made) {
        fprintf(stderr, "fclib: %s: %s, expected a folder of FCLIB files, or --made\n", t.folder,
                strerror(errno));
        return 2;
    }
    const int status = race(&t, files);
    if (files) closedir(files);
    return status;
}
