/* main.c - the report program: which experiments, in which folder, and how it ends. */
#include "benchmarks/harness/state.h"
#include "benchmarks/harness/usage.h"

#include "base/clock.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* On a terminal the line of progress is drawn over and over. */
static void progress_line(const report *r, const char *detail) {
    if (!r->terminal) return;
    if (detail)
        fprintf(stderr, "\r\033[K[%d/%d] %s%s", r->section_count, r->planned,
                r->sections[r->section_count - 1].experiment->id, detail);
    else
        fputs("\r\033[K", stderr);
    fflush(stderr);
}

void report_progress(const report *r, double fraction) {
    char detail[32];
    snprintf(detail, sizeof detail, " %.0f %%", 100 * fraction);
    progress_line(r, detail);
}

static void run_experiment(report *r, const report_entry *entry) {
    const double start = imp_seconds(CLOCK_MONOTONIC);
    r->sections = report_grow(r->sections, r->section_count, sizeof *r->sections);
    r->sections[r->section_count++] =
        (section){.experiment = entry->experiment, .source = entry->source};
    progress_line(r, "");
    entry->experiment->run(r);
    report_commit_tables(r);
    section *s = report_running(r);
    s->seconds = imp_seconds(CLOCK_MONOTONIC) - start;
    if (s->row_count == 0 && !s->skipped)
        report_judge(r, OWN_BOUND, "rows", "at least one", "none", "", false,
                     "an experiment without a row decides nothing");
}

static void write_rows(report *r) {
    const char *path = report_text(r, "%s/rows.tsv", r->directory);
    FILE *file = report_create(path);
    fputs("experiment\tquantity\treference\tpublished\tours\ttolerance\tverdict\tremark\n", file);
    for (int i = 0; i < r->section_count; i++) {
        const section *s = &r->sections[i];
        for (int k = 0; k < s->row_count; k++) {
            const row *w = &s->rows[k];
            fprintf(file, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", s->experiment->id, w->quantity,
                    report_reference_word(w->reference), w->published, w->ours, w->tolerance,
                    report_verdict_word(w->verdict), w->remark ? w->remark : "");
        }
    }
    report_commit(file, path);
}

static void make_directory(const char *path) {
    char *copy = strdup(path);
    if (!copy) report_die("out of memory");
    for (char *slash = copy + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        (void)mkdir(copy, 0777); /* the last one tells */
        *slash = '/';
    }
    if (mkdir(copy, 0777) != 0 && errno != EEXIST) report_die("%s: %s", path, strerror(errno));
    free(copy);
}

static void discard(report *r) {
    for (int i = 0; i < r->section_count; i++) {
        free(r->sections[i].rows);
        free(r->sections[i].items);
        free(r->sections[i].tables);
        free(r->sections[i].kept);
    }
    free(r->sections);
    for (int i = 0; i < r->text_count; i++)
        free(r->texts[i]);
    free(r->texts);
}

static const report_entry *known; /* the table of report_main */

static const char *id_at(int k) {
    return known[k].experiment ? known[k].experiment->id : NULL;
}

static const char *title_at(int k) {
    return known[k].experiment->title;
}

static const usage about = {
    .program = "report",
    .arguments = "DIR [ID]... [SCALE=full]",
    .most = USAGE_OWN,
    .text =
        "Runs the experiments, all or those of the IDs, in the root of the repository: "
        "DIR/index.html is the page of their\n"
        "figures and rows, DIR/rows.tsv the rows, DIR/data the tables, DIR/figures the figures. "
        "SCALE=full runs what takes\n"
        "longer than seconds too. Exit 0: every row passes; 1: one fails, or is missing; 2: bad "
        "use, or DIR cannot be written.\n",
    .environment =
        "  SCALE                full, as the argument\n"
        "  IMPACT_DATA          the folder of recorded impacts and of fclib, where there "
        "is one\n"
        "  IMPACT_BENCH_COMMIT  what the page says it was made from\n",
    .name = id_at,
    .title = title_at,
};

static bool scale_is_full(const char *scale) {
    if (strcmp(scale, "full") != 0 && strcmp(scale, "") != 0)
        usage_refuse(&about, "SCALE=%.60s", scale);
    return strcmp(scale, "full") == 0;
}

/* Ends the program where that is what stands behind the folder. */
static void check_folder(const char *word) {
    if (word[0] == '-' || word[0] == '\0') usage_refuse(&about, "the folder is \"%.60s\"", word);
    bool behind = strncmp(word, "SCALE=", 6) == 0;
    for (int k = 0; id_at(k); k++)
        behind = behind || strcmp(word, id_at(k)) == 0;
    if (behind) usage_refuse(&about, "no folder before \"%.60s\"", word);
}

/* Which of the experiments argv names; ends the program when one is unknown. */
static void select_experiments(report *r, int argc, char **argv, const report_entry *table,
                               bool *wanted) {
    for (int i = 2; i < argc; i++) {
        if (strncmp(argv[i], "SCALE=", 6) == 0) {
            r->full = scale_is_full(argv[i] + 6);
            continue;
        }
        wanted[usage_find(&about, "experiment", argv[i])] = true;
        r->partial = true;
    }
    for (int k = 0; table[k].experiment; k++) {
        wanted[k] = wanted[k] || !r->partial;
        r->planned += wanted[k];
    }
}

int report_main(int argc, char **argv, const report_entry *table) {
    known = table;
    usage_answer(&about, argc, argv);
    if (argc < 2) usage_refuse(&about, "no folder");
    check_folder(argv[1]);
    const char *scale = getenv("SCALE");
    report r = {.directory = argv[1],
                .full = scale && scale_is_full(scale),
                .terminal = isatty(STDERR_FILENO)};
    if (strpbrk(r.directory, "'\"\\"))
        report_die("%s: no quotes or backslashes, please", r.directory);
    int count = 0;
    while (table[count].experiment)
        count++;
    bool *wanted = calloc((size_t)count + 1, sizeof *wanted);
    if (!wanted) report_die("out of memory");
    select_experiments(&r, argc, argv, table, wanted);
    make_directory(report_text(&r, "%s/data", r.directory));
    make_directory(report_text(&r, "%s/figures", r.directory));
    for (int k = 0; k < count; k++)
        if (wanted[k]) run_experiment(&r, &table[k]);
    free(wanted);
    progress_line(&r, NULL);
    write_rows(&r);
    report_write_page(&r);
    printf("report: %s; %s/index.html\n", report_summary(&r), r.directory);
    const tally t = report_tally(&r);
    discard(&r);
    if (fflush(stdout) != 0) report_die("standard output: %s", strerror(errno));
    return t.verdict[VERDICT_FAIL] || t.missing ? 1 : 0;
}
