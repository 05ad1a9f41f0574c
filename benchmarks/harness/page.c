/* page.c - index.html, by plots/page/page.html: the question and the headline; what failed; where
 * sources and we differ; figures; what each experiment comes to; and a section per experiment.
 * Self-contained: style, script and pictures are inside, nothing is fetched.
 */
#include "benchmarks/harness/html.h"
#include "benchmarks/harness/machine.h"
#include "benchmarks/harness/page.h"

#include <stdlib.h>
#include <string.h>

typedef struct page { /* what the template's places are written from */
    const report *r;
    const char *summary;
} page;

static const report *report_of(const void *context) {
    return ((const page *)context)->r;
}

static void write_file(FILE *out, const char *path) {
    static const html_place none[] = {{NULL, NULL}};
    html_fill(out, path, none, NULL);
}

static void write_style(FILE *out, const void *context) {
    (void)context;
    write_file(out, "plots/page/page.css");
}

static void write_script(FILE *out, const void *context) {
    (void)context;
    write_file(out, "plots/page/page.js");
}

static void write_summary(FILE *out, const void *context) {
    html_escaped(out, ((const page *)context)->summary);
}

static void write_state(FILE *out, const void *context) {
    const tally t = report_tally(report_of(context));
    fputs(t.verdict[VERDICT_FAIL] || t.missing ? "bad" : "good", out);
}

/* ---- rows of the whole report ---- */

/* All rows of a verdict, over all experiments: source beside ours, and why. */
static void write_across(FILE *out, const report *r, verdict which) {
    for (int i = 0; i < r->section_count; i++)
        for (int k = 0; k < r->sections[i].row_count; k++) {
            const row *w = &r->sections[i].rows[k];
            if (w->verdict != which) continue;
            fputs("<tr><td class=\"id\">", out);
            page_link(out, &r->sections[i]);
            fputs("</td>", out);
            page_quantity(out, w);
            html_number_cell(out, w->published);
            html_number_cell(out, w->ours);
            page_verdict(out, w->verdict);
        }
}

static void write_failed_rows(FILE *out, const void *context) {
    write_across(out, report_of(context), VERDICT_FAIL);
}

static void write_differing_rows(FILE *out, const void *context) {
    write_across(out, report_of(context), VERDICT_REFUTED);
    write_across(out, report_of(context), VERDICT_DIFFERS);
}

static void write_failures(FILE *out, const void *context) {
    static const html_place places[] = {{"rows", write_failed_rows}, {NULL, NULL}};
    if (report_tally(report_of(context)).verdict[VERDICT_FAIL] > 0)
        html_fill(out, "plots/page/failures.html", places, context);
}

static void write_differences(FILE *out, const void *context) {
    static const html_place places[] = {{"rows", write_differing_rows}, {NULL, NULL}};
    const tally t = report_tally(report_of(context));
    if (t.verdict[VERDICT_REFUTED] + t.verdict[VERDICT_DIFFERS] > 0)
        html_fill(out, "plots/page/differences.html", places, context);
}

/* ---- kept runs ---- */

static bool named_before(const report *r, int i, const kept_run *kept) {
    for (int k = 0; k < i; k++)
        for (int n = 0; n < r->sections[k].kept_count; n++)
            if (strcmp(r->sections[k].kept[n].name, kept->name) == 0) return true;
    return false;
}

static void write_kept_run(FILE *out, const kept_run *kept) {
    fprintf(out, "<tr><td class=\"q\">reference/data/%s.tsv<div class=\"remark\">", kept->name);
    html_escaped(out, kept->note);
    fputs("</div></td>", out);
    html_cell(out, "n", kept->commit);
    html_cell(out, "n", kept->command);
    fputs("</tr>\n", out);
}

static void write_kept_runs(FILE *out, const void *context) {
    const report *r = report_of(context);
    for (int i = 0; i < r->section_count; i++)
        for (int k = 0; k < r->sections[i].kept_count; k++)
            if (!named_before(r, i, &r->sections[i].kept[k]))
                write_kept_run(out, &r->sections[i].kept[k]);
}

static void write_kept(FILE *out, const void *context) {
    static const html_place places[] = {{"rows", write_kept_runs}, {NULL, NULL}};
    const report *r = report_of(context);
    bool any = false;
    for (int i = 0; i < r->section_count; i++)
        any = any || r->sections[i].kept_count > 0;
    if (any) html_fill(out, "plots/page/kept.html", places, context);
}

/* ---- all experiments ---- */

static void write_number(FILE *out, int n, const char *class) {
    if (n > 0)
        fprintf(out, "<td class=\"n %s\">%d</td>", class, n);
    else
        fputs("<td></td>", out);
}

static void write_index_row(FILE *out, const section *s) {
    static const report_reference columns[] = {PRINTED_IN_SOURCE, STATED_IN_SOURCE, INDEPENDENT,
                                               OWN_BOUND, KEPT_RUN};
    const tally t = report_tally_section(s);
    fputs("<tr><td class=\"id\">", out);
    page_link(out, s);
    fputs("</td>", out);
    html_cell(out, "q", s->skipped ? s->skipped : s->experiment->title);
    for (int k = 0; k < 5; k++)
        write_number(out, t.passed[columns[k]], "pass");
    write_number(out, t.verdict[VERDICT_REFUTED], "refuted");
    write_number(out, t.verdict[VERDICT_DIFFERS], "differs");
    write_number(out, t.verdict[VERDICT_SHOWN], "shown");
    write_number(out, t.verdict[VERDICT_FAIL] + t.missing, "fail");
    fputs("</tr>\n", out);
}

/* A line per experiment: rows that pass by what they are held against, and the other verdicts. */
static void write_index(FILE *out, const void *context) {
    const report *r = report_of(context);
    for (int i = 0; i < r->section_count; i++)
        write_index_row(out, &r->sections[i]);
}

/* ---- the page ---- */

/* What the page shows of how it was made; the line's words differ from run to run. */
static void write_made(FILE *out, const void *context) {
    const report *r = report_of(context);
    const machine m = machine_this();
    double seconds = 0;
    for (int i = 0; i < r->section_count; i++)
        seconds += r->sections[i].seconds;
    fprintf(out, "commit %s; %s; ", m.commit, m.date);
    html_escaped(out, m.compiler);
    fputs("; ", out);
    html_escaped(out, m.cpu);
    fprintf(out, "; %.0f s", seconds);
}

static void write_scale(FILE *out, const void *context) {
    const report *r = report_of(context);
    fputs(r->partial ? "Only the experiments asked for are shown. " : "", out);
    fputs(r->full
              ? "Scale: full."
              : "Scale: the short runs; <code>make report SCALE=full</code> makes the long ones.",
          out);
}

static void write_contents(FILE *out, const void *context) {
    page_contents(out, report_of(context));
}

static void write_questions(FILE *out, const void *context) {
    page_questions(out, report_of(context));
}

static void write_figures_by_paper(FILE *out, const void *context) {
    page_gallery(out, report_of(context), "paper");
}

static void write_figures_by_question(FILE *out, const void *context) {
    page_gallery(out, report_of(context), "question");
}

static void write_sections(FILE *out, const void *context) {
    const report *r = report_of(context);
    for (int i = 0; i < r->section_count; i++)
        page_section(out, r, &r->sections[i]);
}

void report_write_page(report *r) {
    static const html_place places[] = {{"style", write_style},
                                        {"script", write_script},
                                        {"state", write_state},
                                        {"summary", write_summary},
                                        {"made", write_made},
                                        {"scale", write_scale},
                                        {"contents", write_contents},
                                        {"failures", write_failures},
                                        {"differences", write_differences},
                                        {"questions", write_questions},
                                        {"figures-by-paper", write_figures_by_paper},
                                        {"figures-by-question", write_figures_by_question},
                                        {"index", write_index},
                                        {"kept", write_kept},
                                        {"sections", write_sections},
                                        {NULL, NULL}};
    const char *path = report_text(r, "%s/index.html", r->directory);
    FILE *out = report_create(path);
    html_fill(out, "plots/page/page.html", places, &(page){r, report_summary(r)});
    report_commit(out, path);
}
