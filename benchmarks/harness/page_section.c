/* page_section.c - a section of the page, by plots/page/section.html: one experiment with its
 * claim, figures, rows and how it is made. Figures are SVG within the page, by figure.pl. */
#include "benchmarks/harness/html.h"
#include "benchmarks/harness/page.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

typedef struct place { /* what the template's places are written from */
    const report *r;
    const section *s;
} place;

void page_link(FILE *out, const section *s) {
    fprintf(out, "<a href=\"#%s\">%s</a>", s->experiment->id, s->experiment->id);
}

void page_quantity(FILE *out, const row *w) {
    fputs("<td class=\"q\">", out);
    html_number(out, w->quantity);
    if (w->remark) {
        fputs("<div class=\"remark\">", out);
        html_number(out, w->remark);
        fputs("</div>", out);
    }
    fputs("</td>", out);
}

void page_verdict(FILE *out, verdict v) {
    const char *word = report_verdict_word(v);
    fprintf(out, "<td class=\"v %s\">%s</td></tr>\n", word, word);
}

/* ---- figures and tables ---- */

/* What a command says on its standard output. */
__attribute__((format(printf, 2, 3))) static void write_said(FILE *out, const char *format, ...) {
    char *command, text[4096];
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&command, format, arguments) < 0) report_die("out of memory");
    va_end(arguments);
    FILE *in = popen(command, "r");
    if (!in) report_die("%s: cannot be run", command);
    for (size_t n; (n = fread(text, 1, sizeof text, in)) > 0;)
        fwrite(text, 1, n, out);
    if (pclose(in) != 0) report_die("%s: failed", command);
    free(command);
}

/* A moving picture plays while its lid is open; closed it is not even looked at. */
static void write_motion(FILE *out, const report *r, const item *figure) {
    if (!figure->moves || figure->fault) return;
    if (figure->still) {
        fputs("<p class=\"remark\">It does not move here: ", out);
        html_escaped(out, figure->still);
        fputs("</p>\n", out);
        return;
    }
    fputs("<details class=\"motion\"><summary>Play</summary>\n<img alt=\"", out);
    html_escaped(out, figure->text);
    fputs("\" src=\"data:image/webp;base64,", out);
    write_said(out, "base64 -w0 '%s/figures/%s.webp'", r->directory, figure->name);
    fputs("\"></details>\n", out);
}

static void write_figure(FILE *out, const report *r, const item *figure) {
    const char *name = figure->name;
    fprintf(out, "<figure id=\"fig-%s\">\n", name);
    if (figure->fault) {
        fputs("<div class=\"missing\">Figure missing: ", out);
        html_escaped(out, figure->fault);
        fputs("</div>\n", out);
    } else {
        fprintf(out,
                "<a class=\"zoom\" href=\"figures/%s.svg\"><svg id=\"svg-%s\" class=\"plot\" "
                "role=\"img\" aria-label=\"",
                name, name);
        html_escaped(out, figure->text);
        putc('"', out);
        write_said(out, "perl plots/page/figure.pl '%s/figures/%s.svg'", r->directory, name);
        fputs("</a>\n", out);
    }
    write_motion(out, r, figure);
    fputs("<figcaption>", out);
    html_number(out, figure->text);
    fprintf(out,
            " <span class=\"files\"><a href=\"figures/%s.svg\">SVG</a> <a "
            "href=\"figures/%s.png\">PNG</a> plots/%s.gp</span>",
            name, name, name);
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
        html_number(out, *end == '\0' && end - cell > 9 ? rounded : cell);
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
    fputs("<figure>\n<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"table\">"
          "<table class=\"data\">\n",
          out);
    const char *tag = "th";
    while ((length = getline(&line, &room, in)) > 0) {
        if (line[0] == '#' || line[0] == '\n') continue;
        if (line[length - 1] == '\n') line[length - 1] = '\0';
        fputs(*tag == 't' && tag[1] == 'h' ? "<thead>" : "", out);
        write_table_line(out, line, tag);
        fputs(tag[1] == 'h' ? "</thead><tbody>\n" : "", out);
        tag = "td";
    }
    fputs("</tbody></table></div>\n<figcaption>", out);
    html_number(out, table->text);
    fputs("</figcaption>\n</figure>\n", out);
    free(line);
    fclose(in);
    free(path);
}

/* ---- the template's places ---- */

static void write_id(FILE *out, const void *context) {
    html_escaped(out, ((const place *)context)->s->experiment->id);
}

static void write_title(FILE *out, const void *context) {
    html_escaped(out, ((const place *)context)->s->experiment->title);
}

static void write_claim(FILE *out, const void *context) {
    html_number(out, ((const place *)context)->s->experiment->paper);
}

/* Its verdicts in numbers. */
static void write_tally(FILE *out, const void *context) {
    const tally t = report_tally_section(((const place *)context)->s);
    static const verdict order[] = {VERDICT_FAIL, VERDICT_REFUTED, VERDICT_DIFFERS, VERDICT_PASS,
                                    VERDICT_SHOWN};
    for (int k = 0; k < VERDICTS; k++)
        if (t.verdict[order[k]] > 0)
            fprintf(out, "<span class=\"v %s\">%d %s</span> ", report_verdict_word(order[k]),
                    t.verdict[order[k]], report_verdict_word(order[k]));
}

static void write_skipped(FILE *out, const void *context) {
    const char *skipped = ((const place *)context)->s->skipped;
    if (!skipped) return;
    fputs("<p>Skipped: ", out);
    html_escaped(out, skipped);
    fputs("</p>\n", out);
}

static void write_items(FILE *out, const void *context) {
    const place *p = context;
    for (int k = 0; k < p->s->item_count; k++) {
        const item *it = &p->s->items[k];
        if (it->kind == ITEM_FIGURE) {
            write_figure(out, p->r, it);
        } else if (it->kind == ITEM_TABLE) {
            write_table(out, p->r, it);
        } else {
            fputs("<p>", out);
            html_number(out, it->text);
            fputs("</p>\n", out);
        }
    }
}

/* Many rows are folded: what fails or differs among them opens the page, too. */
static void write_rows(FILE *out, const void *context) {
    const section *s = ((const place *)context)->s;
    if (s->row_count == 0) return;
    fprintf(out, "<details%s><summary>%d row%s</summary>\n", s->row_count > 12 ? "" : " open",
            s->row_count, s->row_count == 1 ? "" : "s");
    fputs("<table class=\"rows\">\n<thead><tr><th class=\"q\">quantity</th><th>held against</th>"
          "<th>published</th><th>ours</th><th>tolerance</th><th>verdict</th></tr></thead>\n"
          "<tbody>\n",
          out);
    for (int k = 0; k < s->row_count; k++) {
        const row *w = &s->rows[k];
        fputs("<tr>", out);
        page_quantity(out, w);
        html_cell(out, "r", report_reference_word(w->reference));
        html_number_cell(out, w->published);
        html_number_cell(out, w->ours);
        html_number_cell(out, w->tolerance);
        page_verdict(out, w->verdict);
    }
    fputs("</tbody>\n</table>\n</details>\n", out);
}

static void write_source(FILE *out, const void *context) {
    html_escaped(out, ((const place *)context)->s->source);
}

static void write_data(FILE *out, const void *context) {
    const section *s = ((const place *)context)->s;
    for (int k = 0; k < s->table_count; k++)
        fprintf(out, "<a href=\"data/%s.tsv\">%s.tsv</a> ", s->tables[k], s->tables[k]);
    fputs(s->table_count == 0 ? "none" : "", out);
}

static void write_seconds(FILE *out, const void *context) {
    fprintf(out, "%.1f s", ((const place *)context)->s->seconds);
}

void page_section(FILE *out, const report *r, const section *s) {
    static const html_place places[] = {{"id", write_id},
                                        {"title", write_title},
                                        {"claim", write_claim},
                                        {"tally", write_tally},
                                        {"skipped", write_skipped},
                                        {"items", write_items},
                                        {"rows", write_rows},
                                        {"source", write_source},
                                        {"data", write_data},
                                        {"seconds", write_seconds},
                                        {NULL, NULL}};
    html_fill(out, "plots/page/section.html", places, &(place){r, s});
}
