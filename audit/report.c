/* report.c - rows of an audit as table, JSON, TAP and JUnit. */
#include "audit/report.h"
#include "audit/html.h"
#include "audit/words.h"
#include "io/columns.h"
#include "io/json_write.h"

#include <stdlib.h>

enum { CLASS, COUNTED, RESIDUALS = COUNTED + AUDIT_COUNTS, FAULTS, REASON, VERDICT, COLUMNS };

#define COUNT_COLUMN(name, column, meaning) IMP_COUNTS(column),
static const imp_column columns[COLUMNS + 1] = {
    IMP_WORDS("class"),   AUDIT_COUNT_LIST(COUNT_COLUMN) IMP_WORDS("residuals"),
    IMP_WORDS("faults"),  IMP_WORDS("reason"),
    IMP_WORDS("verdict"), IMP_COLUMNS_END};

static bool write_row(const audit_row *row, FILE *out) {
    char *residuals = audit_text(audit_write_residuals, row),
         *faults = audit_text(audit_write_faults, row);
    imp_cell cells[COLUMNS];
    cells[CLASS] = IMP_TEXT(row->class);
    for (int k = 0; k < AUDIT_COUNTS; k++)
        cells[COUNTED + k] = IMP_NUMBER((double)row->count[k]);
    cells[RESIDUALS] = IMP_TEXT(residuals);
    cells[FAULTS] = IMP_TEXT(faults);
    cells[REASON] = IMP_TEXT(row->reason);
    cells[VERDICT] = IMP_TEXT(audit_verdict_text(audit_verdict_of(row)));
    const bool good = residuals && faults;
    if (good) imp_write_cells(columns, out, COLUMNS, cells);
    free(residuals);
    free(faults);
    return good;
}

static bool write_table(const audit_page *page, FILE *out) {
    bool good = true;
    fprintf(out, "# %s\n", page->command);
    imp_write_header(columns, out);
    for (int i = 0; good && i < page->report->rows; i++)
        good = write_row(&page->report->row[i], out);
    return good;
}

static json_t *row_json(const audit_row *row) {
    json_t *object = json_object(), *residuals = json_object(), *faults = json_object();
    imp_json_put(&object, "class", json_string(row->class));
    for (int k = 0; k < AUDIT_COUNTS; k++)
        imp_json_put(&object, audit_count_name((audit_counted)k), json_integer(row->count[k]));
    for (int k = 0; row->residual[k].name; k++)
        imp_json_put(&residuals, row->residual[k].name, json_integer(row->residual[k].count));
    for (audit_fault k = 0; k < AUDIT_FAULTS; k++)
        if (row->fault[k] > 0)
            imp_json_put(&faults, audit_fault_text(k), json_integer(row->fault[k]));
    imp_json_put(&object, "residuals", residuals);
    imp_json_put(&object, "faults", faults);
    imp_json_put(&object, "cone_excess", imp_json_of(row->by[AUDIT_WIDE]));
    imp_json_put(&object, "cone_shortfall", imp_json_of(row->by[AUDIT_NARROW]));
    imp_json_put(&object, "scale", imp_json_of(row->fault[AUDIT_SCALE] ? row->by[AUDIT_SCALE] : 1));
    imp_json_put(&object, "softness", imp_json_of(row->by[AUDIT_SOFT]));
    imp_json_put(&object, "softness_of_entry", imp_json_of(row->by[AUDIT_SOFT_ENTRY]));
    imp_json_put(&object, "softness_of_mean", imp_json_of(row->by[AUDIT_SOFT_MEAN]));
    imp_json_put(&object, "inexact", imp_json_of(row->by[AUDIT_ROUGH]));
    if (*row->reason) imp_json_put(&object, "reason", imp_json_of_text(row->reason));
    imp_json_put(&object, "verdict", json_string(audit_verdict_text(audit_verdict_of(row))));
    return object;
}

static json_t *problem_json(const audit_problem *problem) {
    json_t *object = json_object();
    imp_json_put(&object, "class", json_string(problem->class->name));
    imp_json_put(&object, "number", json_integer((json_int_t)problem->number));
    imp_json_put(&object, "outcome", json_string(audit_outcome_text(problem->outcome)));
    imp_json_put(&object, "residual", imp_json_of(problem->residual));
    return object;
}

static bool write_json(const audit_page *page, FILE *out) {
    const audit_terms *terms = page->terms;
    const audit_report *report = page->report;
    const audit_row *all = &report->row[report->rows - 1];
    json_t *object = json_object(), *rows = json_array(), *worst = json_array();
    imp_json_put(&object, "kind", json_string("audit"));
    imp_json_put(&object, "command", imp_json_of_text(page->command));
    imp_json_put(&object, "solver", imp_json_of_text(terms->solver.model->name));
    imp_json_put(&object, "law", json_string(terms->solver.model->law->name));
    imp_json_put(&object, "tolerance", imp_json_of(terms->solver.tolerance));
    imp_json_put(&object, "seed", json_integer((json_int_t)terms->seed));
    imp_json_put(&object, "verdict", json_string(audit_verdict_text(audit_verdict_of(all))));
    for (int i = 0; i < report->rows; i++)
        imp_json_push(&rows, row_json(&report->row[i]));
    for (int k = 0; k < AUDIT_WORST && report->worst[k].class; k++)
        imp_json_push(&worst, problem_json(&report->worst[k]));
    imp_json_put(&object, "classes", rows);
    imp_json_put(&object, "worst", worst);
    const bool good = imp_json_write(object, out);
    fputc('\n', out);
    json_decref(object);
    return good;
}

/* A class fails where something is wrong; all of them together also where nothing is right. */
static bool is_bad(const audit_report *report, int i) {
    const audit_verdict verdict = audit_verdict_of(&report->row[i]);
    return verdict == AUDIT_FAILED || (i == report->rows - 1 && verdict != AUDIT_OK);
}

static bool write_tap(const audit_page *page, FILE *out) {
    const audit_report *report = page->report;
    fprintf(out, "# %s\n1..%d\n", page->command, report->rows);
    for (int i = 0; i < report->rows; i++) {
        const audit_row *row = &report->row[i];
        fprintf(out, "%s %d - %s: ", is_bad(report, i) ? "not ok" : "ok", i + 1, row->class);
        audit_write_sentence(row, out);
        fputs(audit_verdict_of(row) == AUDIT_NOTHING_TAKEN && !is_bad(report, i)
                  ? " # SKIP unsupported\n"
                  : "\n",
              out);
    }
    return true;
}

static bool write_case(const audit_page *page, int i, FILE *out) {
    const audit_report *report = page->report;
    const audit_row *row = &report->row[i];
    bool good = true;
    fprintf(out, "  <testcase classname=\"impact.audit.%s\" name=\"%s\"",
            page->terms->solver.model->law->name, row->class);
    if (is_bad(report, i)) {
        fputs("><failure message=\"", out);
        good = audit_write_escaped_sentence(row, out);
        fputs("\"/></testcase>\n", out);
    } else {
        fputs(audit_verdict_of(row) == AUDIT_NOTHING_TAKEN ? "><skipped/></testcase>\n" : "/>\n",
              out);
    }
    return good;
}

static bool write_junit(const audit_page *page, FILE *out) {
    const audit_report *report = page->report;
    int bad = 0, skipped = 0;
    bool good = true;
    for (int i = 0; i < report->rows; i++) {
        if (is_bad(report, i))
            bad++;
        else if (audit_verdict_of(&report->row[i]) == AUDIT_NOTHING_TAKEN)
            skipped++;
    }
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"", out);
    audit_write_escaped(page->command, out);
    fprintf(out, "\" tests=\"%d\" failures=\"%d\" errors=\"0\" skipped=\"%d\">\n", report->rows,
            bad, skipped);
    for (int i = 0; good && i < report->rows; i++)
        good = write_case(page, i, out);
    fputs("</testsuite>\n", out);
    return good;
}

const audit_format audit_formats[] = {
    {"table", ".tsv", write_table}, {"json", ".json", write_json},       {"tap", ".tap", write_tap},
    {"junit", ".xml", write_junit}, {"html", ".html", audit_write_html}, {NULL, NULL, NULL}};
