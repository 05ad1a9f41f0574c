/* page.c - index.html: the headline; what failed; where sources and we differ; the kept runs; what
 * each experiment comes to; and a section per experiment with its rows. Self-contained: style and
 * pictures are inside, nothing is fetched. Pictures are images with the SVG as their data, because
 * gnuplot gives the parts of every SVG the same names.
 */
#include "benchmarks/harness/html.h"
#include "benchmarks/harness/state.h"

#include <stdlib.h>
#include <string.h>

static void write_link(FILE *out, const section *s) {
    fprintf(out, "<a href=\"#%s\">%s</a>", s->experiment->id, s->experiment->id);
}

static void write_quantity(FILE *out, const row *w) {
    fputs("<td>", out);
    html_escaped(out, w->quantity);
    if (w->remark) {
        fputs("<div class=\"remark\">", out);
        html_escaped(out, w->remark);
        fputs("</div>", out);
    }
    fputs("</td>", out);
}

static void write_verdict(FILE *out, verdict v) {
    const char *word = report_verdict_word(v);
    fprintf(out, "<td class=\"v %s\">%s</td></tr>\n", word, word);
}

/* The rows of one experiment. */
static void write_rows(FILE *out, const section *s) {
    fputs("<table class=\"rows\">\n<thead><tr><th>quantity</th><th style=\"width: 9%\">held "
          "against</th>"
          "<th style=\"width: 18%\">published</th><th style=\"width: 20%\">ours</th>"
          "<th style=\"width: 13%\">tolerance</th><th style=\"width: "
          "7%\">verdict</th></tr></thead>\n<tbody>\n",
          out);
    for (int k = 0; k < s->row_count; k++) {
        const row *w = &s->rows[k];
        fputs("<tr>", out);
        write_quantity(out, w);
        html_cell(out, "r", report_reference_word(w->reference));
        html_cell(out, "n", w->published);
        html_cell(out, "n", w->ours);
        html_cell(out, "n", w->tolerance);
        write_verdict(out, w->verdict);
    }
    fputs("</tbody>\n</table>\n", out);
}

/* All rows of up to two verdicts, over all experiments: source beside ours, and why. */
static void write_across(FILE *out, const report *r, verdict first, verdict second,
                         const char *title, const char *words) {
    const tally t = report_tally(r);
    if (t.verdict[first] + t.verdict[second] == 0) return;
    fprintf(out, "<h2>%s</h2>\n<p>%s</p>\n", title, words);
    fputs(
        "<table class=\"rows\">\n<thead><tr><th style=\"width: 9%\">experiment</th><th>what, and "
        "why</th>"
        "<th style=\"width: 22%\">source</th><th style=\"width: 20%\">here</th><th style=\"width: "
        "7%\">verdict</th></tr>"
        "</thead>\n<tbody>\n",
        out);
    for (int i = 0; i < r->section_count; i++)
        for (int k = 0; k < r->sections[i].row_count; k++) {
            const row *w = &r->sections[i].rows[k];
            if (w->verdict != first && w->verdict != second) continue;
            fputs("<tr><td class=\"id\">", out);
            write_link(out, &r->sections[i]);
            fputs("</td>", out);
            write_quantity(out, w);
            html_cell(out, "n", w->published);
            html_cell(out, "n", w->ours);
            write_verdict(out, w->verdict);
        }
    fputs("</tbody>\n</table>\n", out);
}

static bool named_before(const report *r, int i, const kept_run *kept) {
    for (int k = 0; k < i; k++)
        for (int n = 0; n < r->sections[k].kept_count; n++)
            if (strcmp(r->sections[k].kept[n].name, kept->name) == 0) return true;
    return false;
}

static void write_kept_run(FILE *out, const kept_run *kept) {
    fprintf(out, "<tr><td>reference/data/%s.tsv<div class=\"remark\">", kept->name);
    html_escaped(out, kept->note);
    fputs("</div></td>", out);
    html_cell(out, "n", kept->commit);
    html_cell(out, "n", kept->command);
    fputs("</tr>\n", out);
}

static void write_kept(FILE *out, const report *r) {
    bool any = false;
    for (int i = 0; i < r->section_count; i++)
        any = any || r->sections[i].kept_count > 0;
    if (!any) return;
    fputs("<h2>Kept runs</h2>\n<p>Too long to be made with every report: their rows judge what the "
          "file holds.</p>\n"
          "<table class=\"rows\">\n<thead><tr><th>file</th><th style=\"width: "
          "24%\">commit</th>"
          "<th style=\"width: 34%\">command</th></tr></thead>\n<tbody>\n",
          out);
    for (int i = 0; i < r->section_count; i++)
        for (int k = 0; k < r->sections[i].kept_count; k++)
            if (!named_before(r, i, &r->sections[i].kept[k]))
                write_kept_run(out, &r->sections[i].kept[k]);
    fputs("</tbody>\n</table>\n", out);
}

static void write_number(FILE *out, int n, const char *class) {
    if (n > 0)
        fprintf(out, "<td class=\"n %s\">%d</td>", class, n);
    else
        fputs("<td></td>", out);
}

/* A line per experiment: rows that pass by what they are held against, and the other verdicts. */
static void write_index(FILE *out, const report *r) {
    static const report_reference columns[] = {PRINTED_IN_SOURCE, STATED_IN_SOURCE, INDEPENDENT,
                                               OWN_BOUND, KEPT_RUN};
    fputs("<h2>All experiments</h2>\n<table>\n<thead><tr><th>experiment</th><th></th>", out);
    for (int k = 0; k < 5; k++)
        fprintf(out, "<th>%s</th>", report_reference_word(columns[k]));
    fputs("<th>refuted</th><th>differs</th><th>shown</th><th>FAIL</th></tr></thead>\n<tbody>\n",
          out);
    for (int i = 0; i < r->section_count; i++) {
        const section *s = &r->sections[i];
        const tally t = report_tally_section(s);
        fputs("<tr><td class=\"id\">", out);
        write_link(out, s);
        fputs("</td>", out);
        html_cell(out, "", s->skipped ? s->skipped : s->experiment->title);
        for (int k = 0; k < 5; k++)
            write_number(out, t.passed[columns[k]], "pass");
        write_number(out, t.verdict[VERDICT_REFUTED], "refuted");
        write_number(out, t.verdict[VERDICT_DIFFERS], "differs");
        write_number(out, t.verdict[VERDICT_SHOWN], "shown");
        write_number(out, t.verdict[VERDICT_FAIL] + t.missing, "fail");
        fputs("</tr>\n", out);
    }
    fputs("</tbody>\n</table>\n", out);
}

static void write_figure(FILE *out, const report *r, const item *figure) {
    fputs("<figure>\n", out);
    if (figure->fault) {
        fputs("<div class=\"missing\">Figure missing: ", out);
        html_escaped(out, figure->fault);
        fputs("</div>\n", out);
    } else {
        char *path;
        if (asprintf(&path, "%s/figures/%s.svg", r->directory, figure->name) < 0)
            report_die("out of memory");
        fputs("<img alt=\"", out);
        html_escaped(out, figure->text);
        fputs("\" src=\"data:image/svg+xml;base64,", out);
        html_base64(out, path);
        fputs("\">\n", out);
        free(path);
    }
    fputs("<figcaption>", out);
    html_escaped(out, figure->text);
    fprintf(out,
            " <span class=\"files\">(<a href=\"figures/%s.svg\">SVG</a>, <a "
            "href=\"figures/%s.png\">PNG</a>)</span>",
            figure->name, figure->name);
    fputs("</figcaption>\n</figure>\n", out);
}

/* One line of a table file as a row of cells, tag "th" or "td". The file has 17 digits; the page
 * shows six. */
static void write_table_line(FILE *out, char *line, const char *tag) {
    fputs("<tr>", out);
    for (char *rest = line, *cell; (cell = strsep(&rest, "\t")) != NULL;) {
        char *end, rounded[32];
        snprintf(rounded, sizeof rounded, "%.6g", strtod(cell, &end));
        fprintf(out, "<%s>", tag);
        html_escaped(out, *end == '\0' && end - cell > 9 ? rounded : cell);
        fprintf(out, "</%s>", tag);
    }
    fputs("</tr>\n", out);
}

static void write_table(FILE *out, const report *r, const item *table) {
    char *path, *line = NULL;
    size_t room = 0;
    ssize_t length;
    if (asprintf(&path, "%s/data/%s.tsv", r->directory, table->name) < 0)
        report_die("out of memory");
    FILE *in = fopen(path, "r");
    if (!in) report_die("%s cannot be read back", path);
    fputs("<figure>\n<table>\n", out);
    const char *tag = "th";
    while ((length = getline(&line, &room, in)) > 0) {
        if (line[0] == '#' || line[0] == '\n') continue;
        if (line[length - 1] == '\n') line[length - 1] = '\0';
        write_table_line(out, line, tag);
        tag = "td";
    }
    fputs("</table>\n<figcaption>", out);
    html_escaped(out, table->text);
    fputs("</figcaption>\n</figure>\n", out);
    free(line);
    fclose(in);
    free(path);
}

static void write_section(FILE *out, const report *r, const section *s) {
    fprintf(out, "<h2 id=\"%s\"><span class=\"id\">%s</span>", s->experiment->id,
            s->experiment->id);
    html_escaped(out, s->experiment->title);
    fputs("</h2>\n<p class=\"paper\">", out);
    html_escaped(out, s->experiment->paper);
    fputs("</p>\n", out);
    if (s->skipped) {
        fputs("<p>Skipped: ", out);
        html_escaped(out, s->skipped);
        fputs("</p>\n", out);
    }
    if (s->row_count > 0) write_rows(out, s);
    for (int k = 0; k < s->item_count; k++) {
        const item *it = &s->items[k];
        if (it->kind == ITEM_FIGURE) {
            write_figure(out, r, it);
        } else if (it->kind == ITEM_TABLE) {
            write_table(out, r, it);
        } else {
            fputs("<p>", out);
            html_escaped(out, it->text);
            fputs("</p>\n", out);
        }
    }
    if (s->table_count == 0) return;
    fputs("<p class=\"files\">Data:", out);
    for (int k = 0; k < s->table_count; k++)
        fprintf(out, " <a href=\"data/%s.tsv\">%s.tsv</a>", s->tables[k], s->tables[k]);
    fputs("</p>\n", out);
}

static void write_legend(FILE *out, const report *r) {
    fputs("<p>", out);
    html_escaped(out, r->partial ? "Only the experiments asked for are shown. " : "");
    html_escaped(out, r->full
                          ? "Scale: full. "
                          : "Scale: the short runs; make report SCALE=full makes the long ones. ");
    fputs("Every verdict is reached by comparing the two numbers beside it. What a row is held "
          "against: <b>printed</b>, "
          "numbers or words of a table that the source prints; <b>stated</b>, a claim of the "
          "source in words, with a "
          "bound "
          "of ours that makes it one of numbers; <b>independent</b>, computed for this project by "
          "other means (an "
          "oracle, a "
          "closed form, a second program); <b>own bound</b>, what we ask of ourselves; <b>kept "
          "run</b>, a run too long "
          "for "
          "every report; <b>contradiction</b>, a claim that does not hold here (refuted) or a "
          "number that is not ours "
          "(differs): such a row fails when the contradiction is gone. All rows are in "
          "<a href=\"rows.tsv\">rows.tsv</a>.</p>\n",
          out);
}

void report_write_page(report *r) {
    const tally t = report_tally(r);
    const char *path = report_text(r, "%s/index.html", r->directory);
    FILE *out = report_create(path);
    fputs(html_head, out);
    fputs("<h1>Impact: the source papers, recomputed</h1>\n", out);
    fprintf(out, "<p class=\"summary %s\">", t.verdict[VERDICT_FAIL] || t.missing ? "bad" : "good");
    html_escaped(out, report_summary(r));
    fputs("</p>\n", out);
    write_across(out, r, VERDICT_FAIL, VERDICT_FAIL, "Failures",
                 "Rows whose comparison does not hold.");
    write_across(out, r, VERDICT_REFUTED, VERDICT_DIFFERS,
                 "Where a source and we differ, or a source and itself",
                 "Claims that what is computed here excludes, and numbers that come out otherwise, "
                 "each with its reason.");
    write_kept(out, r);
    write_index(out, r);
    write_legend(out, r);
    for (int i = 0; i < r->section_count; i++)
        write_section(out, r, &r->sections[i]);
    fputs("</body>\n</html>\n", out);
    report_commit(out, path);
}
