/* html.c - the page: its style is in it, and shares are drawn by widths alone. */
#include "audit/html.h"
#include "audit/words.h"

#include <math.h>

static const char style[] =
    "<style>\n"
    ":root { color-scheme: light dark; }\n"
    "body { font: 15px/1.5 system-ui, sans-serif; max-width: 110em; margin: 2em auto; "
    "padding: 0 1em; }\n"
    "code { overflow-wrap: anywhere; }\n"
    ".wide { overflow-x: auto; }\n"
    "table { border-collapse: collapse; }\n"
    "th, td { padding: .15em .5em; text-align: right; white-space: nowrap; border-bottom: 1px "
    "solid #8885; }\n"
    "th:first-child, td:first-child, td.text { text-align: left; }\n"
    ".bar { display: inline-block; width: 4em; height: .8em; background: #8883; }\n"
    ".bar span { display: block; height: 100%; background: #0072b2; }\n"
    ".failed { color: #d1362f; font-weight: bold; }\n"
    ".ok { color: #009e73; }\n"
    "</style>\n";

/* Counts that are 0 everywhere have no column. */
static bool is_shown(const audit_report *report, audit_counted k) {
    return k == AUDIT_COUNT_PROBLEMS || report->row[report->rows - 1].count[k] > 0;
}

static bool write_row(const audit_report *report, const audit_row *row, FILE *out) {
    const long *count = row->count;
    const long taken = audit_taken(row);
    const char *verdict = audit_verdict_text(audit_verdict_of(row));
    fprintf(out, "<tr><td>%s</td><td class=\"%s\">%s</td><td><span class=\"bar\">", row->class,
            verdict, verdict);
    fprintf(out, "<span style=\"width: %.0f%%\"></span></span></td>",
            taken > 0 ? 100.0 * (double)count[AUDIT_COUNT_SOLVED_8] / (double)taken : 0.0);
    for (audit_counted k = 0; k < AUDIT_COUNTS; k++)
        if (is_shown(report, k)) fprintf(out, "<td>%ld</td>", count[k]);
    fputs("<td class=\"text\">", out);
    const bool good = audit_write_escaped_sentence(row, out);
    fputs("</td></tr>\n", out);
    return good;
}

static bool write_rows(const audit_report *report, FILE *out) {
    bool good = true;
    fputs("<div class=\"wide\"><table>\n<tr><th>class</th><th>verdict</th><th>1e-8</th>", out);
    for (audit_counted k = 0; k < AUDIT_COUNTS; k++)
        if (is_shown(report, k))
            fprintf(out, "<th title=\"%s\">%s</th>", audit_count_meaning(k), audit_count_name(k));
    fputs("<th>in words</th></tr>\n", out);
    for (int i = 0; good && i < report->rows; i++)
        good = write_row(report, &report->row[i], out);
    fputs("</table></div>\n<dl>\n", out);
    for (audit_counted k = 0; k < AUDIT_COUNTS; k++)
        if (is_shown(report, k))
            fprintf(out, "<dt>%s</dt><dd>%s</dd>\n", audit_count_name(k), audit_count_meaning(k));
    fputs("</dl>\n", out);
    return good;
}

static void write_worst(const audit_page *page, FILE *out) {
    fputs("<h2>Its worst problems</h2>\n<table>\n<tr><th>problem</th><th>outcome</th>"
          "<th>residual</th></tr>\n",
          out);
    for (int k = 0; k < AUDIT_WORST && page->report->worst[k].class; k++) {
        const audit_problem *w = &page->report->worst[k];
        fprintf(out, "<tr><td>%s-%llu-%llu</td><td>%s</td><td>", w->class->name,
                (unsigned long long)page->terms->seed, (unsigned long long)w->number,
                audit_outcome_text(w->outcome));
        if (isfinite(w->residual)) fprintf(out, "%.2g", w->residual);
        fputs("</td></tr>\n", out);
    }
    fputs("</table>\n", out);
}

bool audit_write_html(const audit_page *page, FILE *out) {
    const audit_report *report = page->report;
    const audit_solver *solver = &page->terms->solver;
    const char *verdict = audit_verdict_text(audit_verdict_of(&report->row[report->rows - 1]));
    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Audit "
          "of ",
          out);
    audit_write_escaped(solver->model->name, out);
    fprintf(out, "</title>\n%s</head><body>\n<h1>Audit of ", style);
    audit_write_escaped(solver->model->name, out);
    fprintf(out,
            ": <span class=\"%s\">%s</span></h1>\n<p>By the law %s, right where no residual is "
            "above %g. Made by</p>\n<pre><code>",
            verdict, verdict, solver->model->law->name, solver->tolerance);
    audit_write_escaped(page->command, out);
    fputs("</code></pre>\n", out);
    const bool good = write_rows(report, out);
    write_worst(page, out);
    fputs("</body></html>\n", out);
    return good;
}
