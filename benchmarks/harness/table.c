/* table.c - the table of a contest. */
#include "benchmarks/harness/table.h"

#include "benchmarks/harness/stats.h"

#include "base/hash.h"
#include "impact.h"

#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char header[] = "problem\tcontacts\tsolver\ttol\tlimit\tbuild\tstatus\tsolved\terror_"
                             "field\terror_scale_free\tresidual\tms\t"
                             "iterations\n";

static contest_row *append(contest_table *t) {
    contest_row *rows = realloc(t->rows, ((size_t)t->count + 1) * sizeof *rows);
    if (!rows) exit(2);
    t->rows = rows;
    return &rows[t->count++];
}

static void read_rows(contest_table *t, FILE *file) {
    char line[1024];
    while (fgets(line, sizeof line, file)) {
        contest_row row = {0};
        char build[TABLE_BUILD];
        double limit;
        int solved;
        contest_result *r = &row.result;
        if (sscanf(line, "%95s %d %95s %lf %lf %31s %23s %d %lf %lf %lf %lf %d", row.problem,
                   &row.contacts, row.solver, &row.tolerance, &limit, build, r->status, &solved,
                   &r->field, &r->scale_free, &r->residual, &r->milliseconds, &r->iterations) != 13)
            continue; /* a line cut short */
        if (limit != t->limit || strcmp(build, t->build) != 0) continue;
        r->solved = solved != 0;
        *append(t) = row;
    }
}

void contest_build(char build[TABLE_BUILD]) {
    unsigned char block[1 << 14];
    uint64_t hash = IMP_HASH_SEED;
    FILE *self = fopen("/proc/self/exe", "rb");
    for (size_t n; self && (n = fread(block, 1, sizeof block, self)) > 0;)
        hash = imp_hash(hash, block, n);
    if (self) fclose(self);
    snprintf(build, TABLE_BUILD, "%.12s-%016llx", IMP_VERSION, (unsigned long long)hash);
}

const char *contest_table_open(contest_table *table, const char *folder, double limit,
                               const char *build) {
    char path[4096], first[sizeof header + 1] = "";
    *table = (contest_table){.folder = folder, .limit = limit};
    snprintf(table->build, sizeof table->build, "%s", build);
    snprintf(path, sizeof path, "%s/fclib.tsv", folder);
    FILE *old = fopen(path, "r");
    const bool begun = old && fgets(first, sizeof first, old);
    const bool ours = !begun || strcmp(first, header) == 0;
    if (begun && ours) read_rows(table, old);
    if (old) fclose(old);
    if (!ours) return "has other columns than this program writes, expected another -o OUT";
    table->file = fopen(path, "a");
    if (table->file && !begun) fputs(header, table->file);
    return table->file ? NULL : "cannot be written";
}

bool contest_table_has(const contest_table *table, const char *problem, const char *solver,
                       double tolerance) {
    for (int i = 0; i < table->count; i++) {
        const contest_row *r = &table->rows[i];
        if (r->tolerance == tolerance && strcmp(r->problem, problem) == 0 &&
            strcmp(r->solver, solver) == 0)
            return true;
    }
    return false;
}

void contest_table_add(contest_table *table, const char *problem, int contacts, const char *solver,
                       double tolerance, const contest_result *r) {
    contest_row *row = append(table);
    *row = (contest_row){.contacts = contacts, .tolerance = tolerance, .result = *r};
    snprintf(row->problem, sizeof row->problem, "%s", problem);
    snprintf(row->solver, sizeof row->solver, "%s", solver);
    if (!table->file) return;
    fprintf(table->file, "%s\t%d\t%s\t%.17g\t%.17g\t%s\t%s\t%d\t%.3e\t%.3e\t%.3e\t%.4g\t%d\n",
            problem, contacts, solver, tolerance, table->limit,
            r->outside ? "outside" : table->build, r->status, r->solved, r->field, r->scale_free,
            r->residual, r->milliseconds, r->iterations);
    fflush(table->file);
}

/* Time of a row that solved its problem, INFINITY otherwise. */
static double time_of(const contest_row *r) {
    return r->result.solved ? fmax(1e-4, r->result.milliseconds) : INFINITY;
}

static double best_time(const contest_table *t, const char *problem, double tolerance,
                        const char *prefix) {
    double best = INFINITY;
    for (int i = 0; i < t->count; i++) {
        const contest_row *r = &t->rows[i];
        if (r->tolerance == tolerance && strcmp(r->problem, problem) == 0 &&
            strncmp(r->solver, prefix, strlen(prefix)) == 0)
            best = fmin(best, time_of(r));
    }
    return best;
}

/* Is row i the first with its solver and tolerance? */
static bool first_of_solver(const contest_table *t, int i) {
    for (int k = 0; k < i; k++)
        if (t->rows[k].tolerance == t->rows[i].tolerance &&
            strcmp(t->rows[k].solver, t->rows[i].solver) == 0)
            return false;
    return true;
}

const imp_column contest_profile_columns[] = {IMP_WORDS("solver"), IMP_NUMBERS("tau", NULL, 4),
                                              IMP_NUMBERS("share", NULL, 4), IMP_COLUMNS_END};

void contest_profile(const contest_table *table, double tolerance, FILE *out) {
    enum { STEPS = 61 };
    double *ratio = malloc(((size_t)table->count + 1) * sizeof *ratio);
    if (!ratio) exit(2);
    for (int i = 0; i < table->count; i++) {
        if (table->rows[i].tolerance != tolerance || !first_of_solver(table, i)) continue;
        int tried = 0;
        for (int k = 0; k < table->count; k++) {
            const contest_row *r = &table->rows[k];
            if (r->tolerance != tolerance || strcmp(r->solver, table->rows[i].solver) != 0)
                continue;
            const double best = best_time(table, r->problem, tolerance, "");
            if (isfinite(best)) ratio[tried++] = time_of(r) / best;
        }
        for (int s = 0; s < STEPS; s++) {
            const double tau = pow(10, 3.0 * s / (STEPS - 1));
            int within = 0;
            for (int k = 0; k < tried; k++)
                within += ratio[k] <= tau * (1 + 1e-12);
            imp_write_row(contest_profile_columns, out, IMP_TEXT(table->rows[i].solver),
                          IMP_NUMBER(tau), IMP_NUMBER(tried ? (double)within / tried : 0));
        }
    }
    free(ratio);
}

contest_duel contest_against_siconos(const contest_table *table, double tolerance, FILE *losses) {
    contest_duel duel = {0};
    double logarithms = 0;
    for (int i = 0; i < table->count; i++) {
        const contest_row *r = &table->rows[i];
        if (r->tolerance != tolerance || r->contacts < 20 || strcmp(r->solver, "auto") != 0)
            continue;
        const double ours = time_of(r),
                     theirs = best_time(table, r->problem, tolerance, "siconos-");
        duel.either++;
        duel.ours += isfinite(ours);
        duel.theirs += isfinite(theirs);
        if (!isfinite(ours) || !isfinite(theirs)) continue;
        duel.problems++;
        logarithms += log(theirs / ours);
        if (theirs >= ours) continue;
        duel.losses++;
        if (losses)
            fprintf(losses, "  slower: %s, %.3g ms against %.3g ms\n", r->problem, ours, theirs);
    }
    duel.factor = duel.problems ? exp(logarithms / duel.problems) : NAN;
    return duel;
}

static int kind_length(const contest_row *r) {
    return (int)strcspn(r->problem, "-");
}

static bool same_kind(const contest_row *a, const contest_row *b) {
    const int length = kind_length(a);
    return a->tolerance == b->tolerance && strcmp(a->solver, b->solver) == 0 &&
           length == kind_length(b) && strncmp(a->problem, b->problem, (size_t)length) == 0;
}

const imp_column contest_growth_columns[] = {IMP_WORDS("solver"),
                                             IMP_WORDS("kind"),
                                             IMP_NUMBERS("tolerance", NULL, 4),
                                             IMP_COUNTS("tried"),
                                             IMP_COUNTS("solved"),
                                             IMP_COUNTS("largest"),
                                             IMP_NUMBERS("exponent", NULL, 3),
                                             IMP_COLUMNS_END};

void contest_growth(const contest_table *table, double tolerance, FILE *out) {
    double *contacts = malloc(2 * ((size_t)table->count + 1) * sizeof *contacts);
    if (!contacts) exit(2);
    double *ms = contacts + table->count;
    for (int i = 0; i < table->count; i++) {
        const contest_row *first = &table->rows[i];
        bool seen = first->tolerance != tolerance;
        for (int k = 0; k < i && !seen; k++)
            seen = same_kind(first, &table->rows[k]);
        if (seen) continue;
        int tried = 0, solved = 0, largest = 0, used;
        for (int k = i; k < table->count; k++) {
            const contest_row *r = &table->rows[k];
            if (!same_kind(first, r)) continue;
            tried++;
            if (!r->result.solved) continue;
            contacts[solved] = r->contacts;
            ms[solved++] = time_of(r);
            largest = r->contacts > largest ? r->contacts : largest;
        }
        char kind[TABLE_NAME];
        snprintf(kind, sizeof kind, "%.*s", kind_length(first), first->problem);
        const double exponent = stats_exponent(solved, contacts, ms, &used);
        imp_write_row(contest_growth_columns, out, IMP_TEXT(first->solver), IMP_TEXT(kind),
                      IMP_NUMBER(tolerance), IMP_NUMBER(tried), IMP_NUMBER(solved),
                      IMP_NUMBER(largest), IMP_NUMBER(exponent));
    }
    free(contacts);
}

static void write_number(FILE *out, const char *name, double x, const char *end) {
    if (isfinite(x))
        fprintf(out, "\"%s\": %.6g%s", name, x, end);
    else
        fprintf(out, "\"%s\": null%s", name, end);
}

/* Quoted; what is no UTF-8 is null. */
static void write_word(FILE *out, const char *name, const char *word) {
    json_t *text = json_string(word);
    fprintf(out, "\"%s\": ", name);
    if (!text || json_dumpf(text, out, JSON_ENCODE_ANY) != 0) fputs("null", out);
    fputs(", ", out);
    json_decref(text);
}

static bool write_json(const contest_table *t) {
    char path[4096];
    snprintf(path, sizeof path, "%s/fclib.json", t->folder);
    FILE *out = fopen(path, "w");
    if (!out) return false;
    fputs("[", out);
    for (int i = 0; i < t->count; i++) {
        const contest_row *r = &t->rows[i];
        fputs(i ? ",\n {" : "{", out);
        write_word(out, "problem", r->problem);
        fprintf(out, "\"contacts\": %d, ", r->contacts);
        write_word(out, "solver", r->solver);
        fprintf(out, "\"tol\": %g, ", r->tolerance);
        write_word(out, "status", r->result.status);
        fprintf(out, "\"solved\": %s, ", r->result.solved ? "true" : "false");
        write_number(out, "error_field", r->result.field, ", ");
        write_number(out, "error_scale_free", r->result.scale_free, ", ");
        write_number(out, "residual", r->result.residual, ", ");
        write_number(out, "ms", r->result.milliseconds, ", ");
        fprintf(out, "\"iterations\": %d}", r->result.iterations);
    }
    fputs("]\n", out);
    return fclose(out) == 0;
}

static bool write_profile(const contest_table *t, double tolerance) {
    char path[4096], command[9000];
    snprintf(path, sizeof path, "%s/profile-%g.tsv", t->folder, tolerance);
    FILE *out = fopen(path, "w");
    if (!out) return false;
    imp_write_header(contest_profile_columns, out);
    contest_profile(t, tolerance, out);
    if (fclose(out) != 0) return false;
    snprintf(command, sizeof command,
             "gnuplot -e \"format='svg'; table='%s'; data=''; target='%s/profile-%g.svg'\" "
             "plots/fclib_profile.gp > "
             "/dev/null 2>&1",
             path, t->folder, tolerance);
    if (system(command) != 0) fprintf(stderr, "fclib: no picture of %s (gnuplot)\n", path);
    return true;
}

static void write_summary(const contest_table *t, double tolerance) {
    printf("tolerance %g\n", tolerance);
    for (int i = 0; i < t->count; i++) {
        if (t->rows[i].tolerance != tolerance || !first_of_solver(t, i)) continue;
        int tried = 0, solved = 0;
        for (int k = 0; k < t->count; k++) {
            const contest_row *r = &t->rows[k];
            if (r->tolerance != tolerance || strcmp(r->solver, t->rows[i].solver) != 0) continue;
            tried++;
            solved += r->result.solved;
        }
        printf("  %-24s solved %d of %d\n", t->rows[i].solver, solved, tried);
    }
    for (int k = 0; k < t->count; k++) {
        const contest_row *r = &t->rows[k];
        if (r->tolerance == tolerance && strcmp(r->solver, "auto") == 0 && !r->result.solved)
            printf("  auto leaves %s: %s, error %.1e (a = 1), %.1e (scale-free)\n", r->problem,
                   r->result.status, r->result.field, r->result.scale_free);
    }
    const contest_duel duel = contest_against_siconos(t, tolerance, stdout);
    if (duel.problems)
        printf("  20 contacts and more: auto solves %d of %d, some siconos solver %d; siconos' "
               "best time over ours "
               "%.2f in "
               "the geometric mean of %d, slower on %d\n",
               duel.ours, duel.either, duel.theirs, duel.factor, duel.problems, duel.losses);
}

static bool write_growth(const contest_table *t, const double *tolerance, int tolerances) {
    char path[4096];
    snprintf(path, sizeof path, "%s/growth.tsv", t->folder);
    FILE *out = fopen(path, "w");
    if (!out) return false;
    imp_write_header(contest_growth_columns, out);
    for (int k = 0; k < tolerances; k++)
        contest_growth(t, tolerance[k], out);
    return fclose(out) == 0;
}

bool contest_table_end(contest_table *table, const double *tolerance, int tolerances) {
    bool good = fclose(table->file) == 0 && write_json(table);
    for (int k = 0; k < tolerances; k++) {
        good = write_profile(table, tolerance[k]) && good;
        write_summary(table, tolerance[k]);
    }
    good = write_growth(table, tolerance, tolerances) && good;
    free(table->rows);
    return good;
}
