/* report.c - what experiments call: tables, rows and what the page shows. */
#include "benchmarks/harness/state.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void report_die(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("report: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(2);
}

void *report_grow(void *array, int count, size_t size) {
    if (count & (count - 1)) return array; /* the room is the next power of two */
    void *grown = realloc(array, (count ? 2 * (size_t)count : 1) * size);
    if (!grown) report_die("out of memory");
    return grown;
}

void report_complain(const report *r, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs(r->terminal ? "\r\033[Kreport: " : "report: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

bool report_full(const report *r) {
    return r->full;
}

const char *report_text(report *r, const char *format, ...) {
    char *text;
    va_list arguments;
    va_start(arguments, format);
    const int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0) report_die("out of memory");
    r->texts = report_grow(r->texts, r->text_count, sizeof *r->texts);
    return r->texts[r->text_count++] = text;
}

static section *running(report *r) {
    return &r->sections[r->section_count - 1];
}

/* ---- files ---- */

FILE *report_create(const char *path) {
    char *part;
    if (asprintf(&part, "%s.part", path) < 0) report_die("out of memory");
    FILE *file = fopen(part, "w");
    if (!file) report_die("%s: %s", part, strerror(errno));
    free(part);
    return file;
}

void report_commit(FILE *file, const char *path) {
    char *part;
    if (asprintf(&part, "%s.part", path) < 0) report_die("out of memory");
    const bool written = !ferror(file);
    if (fclose(file) != 0 || !written || rename(part, path) != 0) report_die("%s: %s", path, strerror(errno));
    free(part);
}

FILE *report_table(report *r, const char *name, const char *columns) {
    if (r->open_count == OPEN_TABLES) report_die("more than %d tables open at once", OPEN_TABLES);
    section *s = running(r);
    s->tables = report_grow(s->tables, s->table_count, sizeof *s->tables);
    s->tables[s->table_count++] = report_text(r, "%s", name);
    const char *path = report_text(r, "%s/data/%s.tsv", r->directory, name);
    FILE *file = report_create(path);
    fprintf(file, "# %s: %s\n%s\n", s->experiment->id, s->experiment->title, columns);
    r->open[r->open_count].file = file;
    r->open[r->open_count++].path = path;
    return file;
}

void report_commit_tables(report *r) {
    while (r->open_count > 0) {
        r->open_count--;
        report_commit(r->open[r->open_count].file, r->open[r->open_count].path);
    }
}

/* ---- what the page shows ---- */

static item *add_item(report *r, item_kind kind, const char *name, const char *text) {
    section *s = running(r);
    s->items = report_grow(s->items, s->item_count, sizeof *s->items);
    item *added = &s->items[s->item_count++];
    *added = (item){kind, name ? report_text(r, "%s", name) : NULL, report_text(r, "%s", text), NULL};
    return added;
}

void report_figure(report *r, const char *name, const char *caption) {
    report_commit_tables(r);
    const char *fault = report_draw(r, name);
    add_item(r, ITEM_FIGURE, name, caption)->fault = fault;
    if (fault) report_complain(r, "figure %s is missing: %s", name, fault);
}

void report_show_table(report *r, const char *name, const char *caption) {
    report_commit_tables(r);
    add_item(r, ITEM_TABLE, name, caption);
}

void report_say(report *r, const char *text) {
    add_item(r, ITEM_TEXT, NULL, text);
}

void report_skip(report *r, const char *why) {
    running(r)->skipped = report_text(r, "%s", why);
}

/* ---- rows ---- */

static void add_row(report *r, verdict v, const char *quantity, const char *published, const char *ours,
                    const char *tolerance, const char *remark) {
    section *s = running(r);
    s->rows = report_grow(s->rows, s->row_count, sizeof *s->rows);
    s->rows[s->row_count++] = (row){
        .quantity = report_text(r, "%s", quantity),
        .published = report_text(r, "%s", published),
        .ours = report_text(r, "%s", ours),
        .tolerance = report_text(r, "%s", tolerance),
        .remark = remark ? report_text(r, "%s", remark) : NULL,
        .verdict = v,
    };
    if (v == VERDICT_FAIL)
        report_complain(r, "FAIL %s, %s: published %s, ours %s, tolerance %s", s->experiment->id, quantity, published,
                        ours, *tolerance ? tolerance : "none");
}

void report_judge(report *r, const char *quantity, const char *published, const char *ours, const char *tolerance,
                  bool passed, const char *remark) {
    add_row(r, passed ? VERDICT_PASS : VERDICT_FAIL, quantity, published, ours, tolerance, remark);
}

void report_shown(report *r, const char *quantity, const char *published, const char *ours, const char *remark) {
    add_row(r, VERDICT_SHOWN, quantity, published, ours, "", remark);
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

void report_vector(report *r, const char *quantity, const double *published, const double *ours, int n,
                   double tolerance, const char *remark) {
    double size = 0;
    for (int i = 0; i < n; i++)
        size = fmax(size, fabs(published[i]));
    const double allowed = size > 0 ? tolerance * size : tolerance;
    bool passed = true;
    for (int i = 0; i < n; i++)
        passed = passed && fabs(ours[i] - published[i]) <= allowed;
    const int digits = digits_for(tolerance);
    report_judge(r, quantity, numbers(r, published, n, digits), numbers(r, ours, n, digits),
                 report_text(r, "%.2g %s", tolerance, size > 0 ? "relative" : "absolute"), passed, remark);
}

void report_near(report *r, const char *quantity, double published, double ours, double tolerance, const char *remark) {
    report_vector(r, quantity, &published, &ours, 1, tolerance, remark);
}

/* Half a unit of the last digit of a number printed as 5.7 or 3.3e-6. */
static double half_unit(const char *printed, size_t length) {
    const char *e = memchr(printed, 'e', length);
    const size_t mantissa = e ? (size_t)(e - printed) : length;
    const char *point = memchr(printed, '.', mantissa);
    const double decimals = point ? (double)(printed + mantissa - point - 1) : 0;
    return 0.5 * pow(10, (e ? strtod(e + 1, NULL) : 0) - decimals);
}

void report_printed(report *r, const char *quantity, const char *printed, const double *ours, int n,
                    const char *remark) {
    const char *at = printed;
    bool passed = true;
    for (int i = 0; i < n; i++) {
        char *end;
        const double value = strtod(at, &end);
        const size_t blanks = strspn(at, " ");
        passed = passed && end != at &&
                 fabs(ours[i] - value) <= half_unit(at + blanks, (size_t)(end - at) - blanks) * (1 + 1e-12);
        at = end;
    }
    passed = passed && *at == '\0';
    report_judge(r, quantity, printed, numbers(r, ours, n, 6), "printed digits", passed, remark);
}

void report_count(report *r, const char *quantity, long long published, long long ours, const char *remark) {
    report_judge(r, quantity, report_text(r, "%lld", published), report_text(r, "%lld", ours), "exact",
                 published == ours, remark);
}

void report_at_most(report *r, const char *quantity, double limit, double ours, const char *remark) {
    report_judge(r, quantity, report_text(r, "≤ %.3g", limit), report_text(r, "%.3g", ours), "", ours <= limit, remark);
}

void report_within(report *r, const char *quantity, const char *printed, double ours, double low, double high,
                   const char *remark) {
    const double published = strtod(printed, NULL), half = published != 0 ? half_unit(printed, strlen(printed)) : 0;
    report_judge(r, quantity, printed, report_text(r, "%.3g", ours), report_text(r, "[%.3g, %.3g]", low, high),
                 low <= published + half && published - half <= high, remark);
}
