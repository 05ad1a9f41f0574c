/* gate.c - is anything worse than the committed baseline? */
#include "benchmarks/harness/usage.h"
#include "benchmarks/metrics/metric.h"
#include "io/stream.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Instructions of this program running one kernel, by callgrind; NAN where valgrind is missing. A
 * CPU without AVX-512 is what valgrind shows. */
static double count(const char *self, const char *kernel, bool worse) {
    char command[2048], line[512];
    double collected = NAN;
    snprintf(command, sizeof command,
             "valgrind --tool=callgrind --callgrind-out-file=/dev/null '%s' --kernel '%s' %s 2>&1",
             self, kernel, worse ? "--worse" : "");
    FILE *run = popen(command, "r"); /* NOLINT(cert-env33-c): the program's own name and a
                                        metric's */
    if (!run) return NAN;
    while (fgets(line, sizeof line, run)) {
        const char *found = strstr(line, "Collected : ");
        if (found) collected = strtod(found + strlen("Collected : "), NULL);
    }
    return pclose(run) == 0 ? collected : NAN;
}

/* Is there a valgrind? One that fails is no reason to leave rows out. */
static bool has_valgrind(void) {
    return system("command -v valgrind > /dev/null 2>&1") == 0; /* NOLINT(cert-env33-c) */
}

/* starting: what a run of no kernel takes. */
static double measure(const char *self, const metric *m, bool worse, double starting) {
    if (m->kind != METRIC_INSTRUCTIONS) return metric_measure(m, worse);
    return count(self, m->name, worse) - starting;
}

enum { MOST = 320 };

typedef struct baseline {
    char compiler[128];
    int count;
    char name[MOST][96];
    double value[MOST];
} baseline;

static const double *recorded(const baseline *b, const char *name) {
    for (int i = 0; i < b->count; i++)
        if (strcmp(b->name[i], name) == 0) return &b->value[i];
    return NULL;
}

static const metric *find_metric(const char *name) {
    const metric *m = metric_table();
    while (m->name && strcmp(m->name, name) != 0)
        m++;
    return m->name ? m : NULL;
}

/* A row of the baseline; what was expected of it instead, or NULL. */
static const char *read_row(const char *line, baseline *b) {
    char kind[32], number[64], *end;
    const metric *m;
    if (b->count == MOST) return "fewer rows";
    if (sscanf(line, "%95[^\t]\t%31[^\t]\t%63[^\t\r\n]", b->name[b->count], kind, number) != 3)
        return "name, kind and value between tabs";
    if (strcmp(b->name[b->count], "name") == 0 && strcmp(kind, "kind") == 0)
        return NULL; /* the header */
    b->value[b->count] = strtod(number, &end);
    if (strspn(number, "0123456789.eE+-") != (size_t)(end - number) || *end ||
        !isfinite(b->value[b->count]))
        return "a finite number for its value";
    if (recorded(b, b->name[b->count])) return "each name once";
    m = find_metric(b->name[b->count]);
    if (m && strcmp(kind, metric_allowances[m->kind].name) != 0) return "the metric's own kind";
    b->count++;
    return NULL;
}

/* One line of standard error says what is wrong with it. */
static bool read_baseline(const char *path, baseline *b) {
    char line[512];
    FILE *file = fopen(path, "r");
    const char *wanted = NULL;
    *b = (baseline){0};
    if (!file) {
        fprintf(stderr,
                "gate: %s: cannot be read, expected the baseline that `make baseline` writes\n",
                path);
        return false;
    }
    for (int at = 1; !wanted && fgets(line, sizeof line, file); at++) {
        if (sscanf(line, "# compiler: %127[^\n]", b->compiler) == 1 || line[0] == '#') continue;
        wanted = read_row(line, b);
        line[strcspn(line, "\n")] = '\0';
        if (wanted)
            fprintf(stderr, "gate: %s:%d: \"%.99s\", expected %s\n", path, at, line, wanted);
    }
    const bool none = !wanted && (ferror(file) || b->count == 0); /* a folder, for one */
    if (none)
        fprintf(stderr,
                "gate: %s: has no rows, expected the baseline that `make baseline` writes\n", path);
    fclose(file);
    return !wanted && !none;
}

static int write_baseline(const char *self, const char *path) {
    imp_output out;
    imp_error error;
    const double starting = count(self, "none", false);
    if (!isfinite(starting)) {
        fprintf(stderr, "gate: %s: not written: no instructions, expected valgrind to count them\n",
                path);
        return 2;
    }
    if (imp_output_open(&out, path, &error) != IMP_OK) {
        fprintf(stderr, "gate: %s\n", error.text);
        return 2;
    }
    fprintf(out.file,
            "# What the gate holds every change against; rewritten by `make baseline`. Lower is "
            "better.\n"
            "# compiler: %s\nname\tkind\tvalue\n",
            __VERSION__);
    for (const metric *m = metric_table(); m->name; m++) {
        const double value = measure(self, m, false, starting);
        if (!isfinite(value)) {
            fprintf(stderr, "gate: %s: not written: %s is %g, expected a finite number\n", path,
                    m->name, value);
            imp_output_abandon(&out);
            return 2;
        }
        fprintf(out.file, "%s\t%s\t%.17g\n", m->name, metric_allowances[m->kind].name, value);
    }
    if (imp_output_commit(&out, &error) == IMP_OK) return 0;
    fprintf(stderr, "gate: %s\n", error.text);
    return 2;
}

typedef struct verdicts {
    int tests, violations;
    json_t *list;
} verdicts;

static void judge(verdicts *v, const metric *m, const double *was, double is, const char *skipped) {
    const metric_allowance *allowance = &metric_allowances[m->kind];
    const double allowed = was ? allowance->factor * *was + allowance->floor : NAN;
    const bool good = was && (skipped || is <= allowed);
    printf("%s %d - %s %s\n", good ? "ok" : "not ok", ++v->tests, m->name, skipped ? skipped : "");
    if (!good) {
        v->violations++;
        fprintf(stderr,
                was ? "gate: %s: was %.6g, is %.6g, allowed %.6g (%s)\n"
                    : "gate: %s: not in the baseline\n",
                m->name, was ? *was : 0, is, allowed, allowance->why);
    }
    if (good && !skipped && m->kind == METRIC_ACCURACY && is < *was / 10)
        printf("# %s: %.2g of the baseline, which lets it grow back\n", m->name, is / *was);
    if (v->list)
        json_array_append_new(v->list,
                              json_pack("{s:s, s:s, s:o, s:o, s:o, s:b}", "name", m->name, "kind",
                                        allowance->name, "was", was ? json_real(*was) : json_null(),
                                        "is", isfinite(is) ? json_real(is) : json_null(), "allowed",
                                        was ? json_real(allowed) : json_null(), "ok", good));
}

/* How many metrics have this text in their names (NULL: all); *counted: are instructions among
 * them? */
static int chosen(const char *only, bool *counted) {
    int metrics = 0;
    *counted = false;
    for (const metric *m = metric_table(); m->name; m++) {
        if (only && !strstr(m->name, only)) continue;
        metrics++;
        *counted = *counted || m->kind == METRIC_INSTRUCTIONS;
    }
    return metrics;
}

/* Rows that no metric has any more: what they held is measured no longer. */
static void judge_rest(verdicts *v, const baseline *b) {
    for (int i = 0; i < b->count; i++) {
        if (find_metric(b->name[i])) continue;
        printf("not ok %d - %s\n", ++v->tests, b->name[i]);
        fprintf(stderr, "gate: %s: in the baseline, but no metric\n", b->name[i]);
        v->violations++;
    }
}

static bool write_json(const json_t *list, const char *path) {
    imp_output out;
    imp_error error;
    if (imp_output_open(&out, path, &error) == IMP_OK) {
        if (json_dumpf(list, out.file, JSON_INDENT(1)) == 0) {
            if (imp_output_commit(&out, &error) == IMP_OK) return true;
        } else {
            (void)imp_error_system(&error, path, "cannot be written");
            imp_output_abandon(&out);
        }
    }
    fprintf(stderr, "gate: %s\n", error.text);
    return false;
}

static int run_gate(const char *self, const char *path, const char *json, const char *only,
                    bool worse) {
    baseline b;
    bool counted;
    if (chosen(only, &counted) == 0) {
        fprintf(stderr, "gate: --only \"%.60s\": in no metric's name\n", only);
        return 2;
    }
    if (!read_baseline(path, &b)) return 2;
    verdicts v = {.list = json ? json_array() : NULL};
    const double starting = counted ? count(self, "none", false) : NAN;
    const bool same = strcmp(b.compiler, __VERSION__) == 0,
               tool = isfinite(starting) || (counted && has_valgrind());
    for (const metric *m = metric_table(); m->name; m++) {
        const char *skipped = NULL;
        if (only && !strstr(m->name, only)) continue;
        if (m->kind == METRIC_INSTRUCTIONS && !tool)
            skipped = "# SKIP no valgrind";
        else if (m->kind == METRIC_INSTRUCTIONS && !same)
            skipped = "# SKIP built by another compiler than the baseline";
        judge(&v, m, recorded(&b, m->name), skipped ? NAN : measure(self, m, worse, starting),
              skipped);
    }
    if (!only) judge_rest(&v, &b);
    printf("1..%d\n", v.tests);
    const bool written = !json || write_json(v.list, json);
    json_decref(v.list);
    return !written ? 2 : v.violations ? 1 : 0;
}

/* BLAS picks its kernels by the CPU, when it is loaded: what the gate counts must not depend on
 * that. */
static void pin_blas(char **argv) {
    if (getenv("OPENBLAS_CORETYPE") || setenv("OPENBLAS_CORETYPE", "Haswell", 1) != 0) return;
    execv("/proc/self/exe", argv);
}

static const char *metric_at(int k) {
    return metric_table()[k].name;
}

static const char *kind_at(int k) {
    return metric_allowances[metric_table()[k].kind].name;
}

static const usage about = {
    .program = "gate",
    .arguments =
        "[--write] [--json FILE] [--only TEXT] [--worse] BASELINE, or --kernel NAME [--worse]",
    .most = USAGE_OWN,
    .text =
        "Measures accuracy, work and instructions of every solver on fixed inputs, and holds them "
        "against those of BASELINE\n"
        "(benchmarks/baseline.tsv). TAP on standard output, one test a metric; a violation says "
        "what, was, is, allowed in one\n"
        "line of standard error. --write measures and rewrites the baseline instead (its "
        "difference "
        "is reviewed like code).\n"
        "--json writes the measurements, --only measures what has TEXT in its name. --worse makes "
        "every solver worse, for the\n"
        "gate's own test. --kernel runs one kernel (none: nothing), for valgrind to count. Exit 0: "
        "nothing is worse; 1:\n"
        "something is; 2: bad use, no baseline, a bad one, an output that cannot be written. "
        "Instructions are "
        "skipped, "
        "and said so, where valgrind\n"
        "is missing or another compiler than the baseline's built the program.\n",
    .environment = "  OPENBLAS_CORETYPE  the CPU that OpenBLAS picks its kernels for (Haswell: "
                   "counts must not depend on it)\n",
    .name = metric_at,
    .title = kind_at,
};

/* What the command line asks for. */
typedef struct request {
    const char *path, *json, *kernel, *only;
    bool write, worse;
} request;

static request read_request(int argc, char **argv) {
    request r = {0};
    const struct {
        const char *option, **value;
    } valued[] = {{"--json", &r.json}, {"--only", &r.only}, {"--kernel", &r.kernel}};
    for (int i = 1; i < argc; i++) {
        const char **value = argv[i][0] == '-' || r.path ? NULL : &r.path;
        for (size_t k = 0; k < sizeof valued / sizeof *valued; k++)
            if (strcmp(argv[i], valued[k].option) == 0) value = valued[k].value;
        if (strcmp(argv[i], "--write") == 0)
            r.write = true;
        else if (strcmp(argv[i], "--worse") == 0)
            r.worse = true;
        else if (!value)
            usage_refuse(&about, "unknown argument \"%.60s\"", argv[i]);
        else if (value == &r.path)
            r.path = argv[i];
        else if (i + 1 == argc)
            usage_refuse(&about, "%s without its value", argv[i]);
        else
            *value = argv[++i];
    }
    if (!r.path && !r.kernel) usage_refuse(&about, "no baseline");
    if (r.json && strcmp(r.json, "-") == 0)
        usage_refuse(&about, "--json -, expected a file: standard output has the tests");
    if (r.write && (r.only || r.json || r.worse))
        usage_refuse(&about, "--write beside %s, expected all metrics, as they are",
                     r.only   ? "--only"
                     : r.json ? "--json"
                              : "--worse");
    return r;
}

/* Its instructions are counted: nothing stands between it and the start but what `none` has too. */
static int run_kernel(const char *name, bool worse) {
    const metric *m = find_metric(name);
    if (strcmp(name, "none") == 0) return 0;
    if (!m) m = metric_table() + usage_find(&about, "kernel", name); /* does not return */
    return !isfinite(metric_measure(m, worse));
}

int main(int argc, char **argv) {
    pin_blas(argv);
    usage_answer(&about, argc, argv);
    const request r = read_request(argc, argv);
    if (r.kernel) return run_kernel(r.kernel, r.worse);
    return r.write ? write_baseline(argv[0], r.path)
                   : run_gate(argv[0], r.path, r.json, r.only, r.worse);
}
