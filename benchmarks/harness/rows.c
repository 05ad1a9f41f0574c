/* rows.c - the rows that judge: each compares, and says what it is held against. */
#include "benchmarks/harness/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void add_row(report *r, report_reference reference, verdict v, const char *quantity,
                    const char *published, const char *ours, const char *tolerance,
                    const char *remark) {
    section *s = report_running(r);
    if (reference <= REPORT_UNSAID || reference >= REPORT_REFERENCES)
        report_die("%s, %s: a row without a reference", s->experiment->id, quantity);
    if (reference == KEPT_RUN && s->kept_count == 0)
        v = VERDICT_FAIL, remark = "of which kept run, is not said";
    s->rows = report_grow(s->rows, s->row_count, sizeof *s->rows);
    s->rows[s->row_count++] = (row){
        .quantity = report_text(r, "%s", quantity),
        .published = report_text(r, "%s", published),
        .ours = report_text(r, "%s", ours),
        .tolerance = report_text(r, "%s", tolerance),
        .remark = remark ? report_text(r, "%s", remark) : NULL,
        .reference = reference,
        .verdict = v,
    };
    if (v == VERDICT_FAIL)
        report_complain(r, "FAIL %s, %s: published %s, ours %s, tolerance %s", s->experiment->id,
                        quantity, published, ours, *tolerance ? tolerance : "none");
}

void report_judge(report *r, report_reference reference, const char *quantity,
                  const char *published, const char *ours, const char *tolerance, bool passed,
                  const char *remark) {
    if (reference == NO_REFERENCE || reference == REPORT_CONTRADICTS)
        report_die("%s: a judged row has a reference of its own", quantity);
    add_row(r, reference, passed ? VERDICT_PASS : VERDICT_FAIL, quantity, published, ours,
            tolerance, remark);
}

void report_shown(report *r, report_reference reference, const char *quantity,
                  const char *published, const char *ours, const char *remark) {
    add_row(r, reference, VERDICT_SHOWN, quantity, published, ours, "", remark);
}

/* n numbers, `digits` significant ones each, separated by spaces. */
static const char *numbers(report *r, const double *x, int n, int digits) {
    const char *text = "";
    for (int i = 0; i < n; i++)
        text = report_text(r, "%s%s%.*g", text, i ? "  " : "", digits, x[i]);
    return text;
}

/* As many significant digits as a relative tolerance can see, and one more. */
static int digits_for(double tolerance) {
    const double digits = ceil(-log10(tolerance)) + 1;
    return digits > 4 ? (digits < 17 ? (int)digits : 17) : 4;
}

void report_vector(report *r, report_reference reference, const char *quantity,
                   const double *published, const double *ours, int n, double tolerance,
                   const char *remark) {
    double size = 0;
    for (int i = 0; i < n; i++)
        size = fmax(size, fabs(published[i]));
    const double allowed = size > 0 ? tolerance * size : tolerance;
    bool passed = true;
    for (int i = 0; i < n; i++)
        passed = passed && fabs(ours[i] - published[i]) <= allowed;
    const int digits = digits_for(tolerance);
    report_judge(
        r, reference, quantity, numbers(r, published, n, digits), numbers(r, ours, n, digits),
        report_text(r, "%.2g %s", tolerance, size > 0 ? "relative" : "absolute"), passed, remark);
}

void report_near(report *r, report_reference reference, const char *quantity, double published,
                 double ours, double tolerance, const char *remark) {
    report_vector(r, reference, quantity, &published, &ours, 1, tolerance, remark);
}

/* Half a unit of the last digit of a number printed as 5.7 or 3.3e-6. */
static double half_unit(const char *printed, size_t length) {
    const char *e = memchr(printed, 'e', length);
    const size_t mantissa = e ? (size_t)(e - printed) : length;
    const char *point = memchr(printed, '.', mantissa);
    const double decimals = point ? (double)(printed + mantissa - point - 1) : 0;
    return 0.5 * pow(10, (e ? strtod(e + 1, NULL) : 0) - decimals);
}

void report_printed(report *r, report_reference reference, const char *quantity,
                    const char *printed, const double *ours, int n, const char *remark) {
    const char *at = printed;
    bool passed = true;
    for (int i = 0; i < n; i++) {
        char *end;
        const double value = strtod(at, &end);
        const size_t blanks = strspn(at, " ");
        passed = passed && end != at &&
                 fabs(ours[i] - value) <=
                     half_unit(at + blanks, (size_t)(end - at) - blanks) * (1 + 1e-12);
        at = end;
    }
    passed = passed && *at == '\0';
    report_judge(r, reference, quantity, printed, numbers(r, ours, n, 6), "printed digits", passed,
                 remark);
}

void report_count(report *r, report_reference reference, const char *quantity, long long published,
                  long long ours, const char *remark) {
    report_judge(r, reference, quantity, report_text(r, "%lld", published),
                 report_text(r, "%lld", ours), "exact", published == ours, remark);
}

void report_at_most(report *r, report_reference reference, const char *quantity, double limit,
                    double ours, const char *remark) {
    report_judge(r, reference, quantity, report_text(r, "≤ %.3g", limit),
                 report_text(r, "%.3g", ours), "", ours <= limit, remark);
}

void report_within(report *r, report_reference reference, const char *quantity, const char *printed,
                   double ours, double low, double high, const char *remark) {
    const double published = strtod(printed, NULL),
                 half = published != 0 ? half_unit(printed, strlen(printed)) : 0;
    report_judge(r, reference, quantity, printed, report_text(r, "%.3g", ours),
                 report_text(r, "[%.3g, %.3g]", low, high),
                 low <= published + half && published - half <= high, remark);
}

/* ---- where we differ ---- */

void report_refuted(report *r, const char *quantity, const char *claim, const char *ours,
                    const char *decided, bool contradicted, const char *reason) {
    add_row(r, REPORT_CONTRADICTS, contradicted ? VERDICT_REFUTED : VERDICT_FAIL, quantity, claim,
            ours, decided, reason);
}

/* Does one of the numbers, separated by spaces, lie in [low, high]? Also where what stands there is
 * no number. */
static bool one_within(const char *printed, double low, double high) {
    const char *at = printed;
    do {
        char *end;
        const double value = strtod(at, &end);
        if (end == at || !(value < low || value > high)) return true;
        at = end + strspn(end, " ");
    } while (*at);
    return false;
}

void report_differs(report *r, const char *quantity, const char *printed, double ours, double low,
                    double high, const char *reason) {
    const bool differs = low <= ours && ours <= high && !one_within(printed, low, high);
    add_row(r, REPORT_CONTRADICTS, differs ? VERDICT_DIFFERS : VERDICT_FAIL, quantity, printed,
            report_text(r, "%.4g", ours), report_text(r, "ours in [%.5g, %.5g]", low, high),
            reason);
}

/* ---- kept runs ---- */

/* What follows `key` at the start of a comment line, without its line end; NULL where it is another
 * line. */
static const char *said(report *r, const char *line, const char *key) {
    if (strncmp(line, key, strlen(key)) != 0) return NULL;
    const char *value = line + strlen(key);
    return report_text(r, "%.*s", (int)strcspn(value, "\n"), value);
}

void report_kept(report *r, const char *name) {
    section *s = report_running(r);
    kept_run kept = {.name = report_text(r, "%s", name), .note = ""};
    const char *path = report_text(r, "reference/data/%s.tsv", name), *value;
    char line[1024];
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file) && line[0] == '#') {
        if ((value = said(r, line, "# commit: "))) kept.commit = value;
        if ((value = said(r, line, "# command: "))) kept.command = value;
        if ((value = said(r, line, "# note: "))) kept.note = value;
    }
    if (file) fclose(file);
    if (!kept.commit || !kept.command) {
        report_judge(r, OWN_BOUND, report_text(r, "%s says its commit and command", path), "both",
                     "not so", "", false, NULL);
        return;
    }
    s->kept = report_grow(s->kept, s->kept_count, sizeof *s->kept);
    s->kept[s->kept_count++] = kept;
}
