/* page.c - index.html: the summary, the table of rows, and a section per experiment. Self-contained: style and pictures
 * are inside, nothing is fetched. Pictures are images with the SVG as their data, because gnuplot gives the parts of
 * every SVG the same names. */
#include "benchmarks/harness/state.h"

#include <stdlib.h>
#include <string.h>

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Impact: report</title>\n<style>\n"
    "body { font: 15px/1.5 'DejaVu Sans', 'Helvetica Neue', Arial, sans-serif; color: #1b1f24; background: #fff;\n"
    "  max-width: 1180px; margin: 0 auto; padding: 24px 28px 80px; }\n"
    "h1 { font-size: 26px; margin: 0 0 4px; } h2 { font-size: 20px; margin: 48px 0 4px; padding-top: 14px;\n"
    "  border-top: 2px solid #d5dae0; } h2 .id { color: #5a6673; font-weight: normal; margin-right: 10px; }\n"
    "p { margin: 8px 0; max-width: 900px; } a { color: #1f5fa8; text-decoration: none; }\n"
    ".summary { font-size: 17px; padding: 10px 14px; margin: 14px 0 22px; max-width: none; border-left: 6px solid; }\n"
    ".summary.good { background: #eaf6ec; border-color: #2b8a3e; }\n"
    ".summary.bad { background: #fdecea; border-color: #c92a2a; }\n"
    ".paper { color: #495460; font-style: italic; }\n"
    "table { border-collapse: collapse; font-size: 13px; line-height: 1.4; margin: 10px 0; }\n"
    "table.rows { width: 100%; table-layout: fixed; }\n"
    "th, td { padding: 4px 9px; text-align: left; vertical-align: top; border-bottom: 1px solid #e3e7ec; }\n"
    "th { border-bottom: 2px solid #aab4bf; background: #f4f6f8; }\n"
    "td.n { font-family: 'DejaVu Sans Mono', Menlo, Consolas, monospace; font-size: 12px; overflow-wrap: anywhere; }\n"
    "td.id { white-space: nowrap; font-weight: bold; } tr.first td { border-top: 2px solid #aab4bf; }\n"
    ".remark { color: #5a6673; font-size: 12px; } td.v { font-weight: bold; white-space: nowrap; }\n"
    ".pass { color: #2b8a3e; } .fail { color: #fff; background: #c92a2a; } .shown { color: #868e96; }\n"
    ".links a { display: inline-block; border: 1px solid #cfd6dd; border-radius: 4px; padding: 1px 8px; margin: 2px "
    "3px; }\n"
    "figure { margin: 18px 0; } figure img { display: block; max-width: 100%; height: auto; }\n"
    "figcaption { max-width: 900px; color: #343c45; font-size: 14px; margin-top: 4px; }\n"
    ".missing { background: #fdecea; border: 1px solid #c92a2a; padding: 10px 14px; }\n"
    ".files { font-size: 12px; color: #5a6673; }\n"
    "</style>\n</head>\n<body>\n";

static void escaped(FILE *out, const char *text) {
    for (; *text; text++)
        switch (*text) {
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '&': fputs("&amp;", out); break;
        case '"': fputs("&quot;", out); break;
        default: putc(*text, out);
        }
}

/* The file's bytes in base 64; nothing when it cannot be read. */
static void base64_file(FILE *out, const char *path) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    FILE *in = fopen(path, "rb");
    if (!in) return;
    unsigned char b[3] = {0};
    size_t n;
    while ((n = fread(b, 1, 3, in)) > 0) {
        putc(digits[b[0] >> 2], out);
        putc(digits[(b[0] & 3) << 4 | b[1] >> 4], out);
        putc(n > 1 ? digits[(b[1] & 15) << 2 | b[2] >> 6] : '=', out);
        putc(n > 2 ? digits[b[2] & 63] : '=', out);
        memset(b, 0, sizeof b);
    }
    fclose(in);
}

static void write_cell(FILE *out, const char *class, const char *text) {
    fprintf(out, "<td class=\"%s\">", class);
    escaped(out, text);
    fputs("</td>", out);
}

static void write_row(FILE *out, const section *s, int k) {
    static const char *const words[] = {"fail", "pass", "shown"};
    const row *w = &s->rows[k];
    fprintf(out, "<tr%s><td class=\"id\">", k ? "" : " class=\"first\"");
    if (k == 0) fprintf(out, "<a href=\"#%s\">%s</a>", s->experiment->id, s->experiment->id);
    fputs("</td><td>", out);
    escaped(out, w->quantity);
    if (w->remark) {
        fputs("<div class=\"remark\">", out);
        escaped(out, w->remark);
        fputs("</div>", out);
    }
    fputs("</td>", out);
    write_cell(out, "n", w->published);
    write_cell(out, "n", w->ours);
    write_cell(out, "n", w->tolerance);
    fprintf(out, "<td class=\"v %s\">%s</td></tr>\n", words[w->verdict], words[w->verdict]);
}

/* One link per experiment, red where something failed. */
static void write_links(FILE *out, const report *r) {
    fputs("<p class=\"links\">", out);
    for (int i = 0; i < r->section_count; i++) {
        const section *s = &r->sections[i];
        bool failed = false;
        for (int k = 0; k < s->row_count; k++)
            failed = failed || s->rows[k].verdict == VERDICT_FAIL;
        for (int k = 0; k < s->item_count; k++)
            failed = failed || s->items[k].fault;
        fprintf(out, "<a class=\"%s\" href=\"#%s\">%s</a>\n",
                failed       ? "fail"
                : s->skipped ? "shown"
                             : "pass",
                s->experiment->id, s->experiment->id);
    }
    fputs("</p>\n", out);
}

static void write_rows(FILE *out, const report *r) {
    fputs("<table class=\"rows\">\n<thead><tr><th style=\"width: 8%\">experiment</th><th>quantity</th>"
          "<th style=\"width: 19%\">published</th><th style=\"width: 19%\">ours</th>"
          "<th style=\"width: 13%\">tolerance</th><th style=\"width: 6%\">verdict</th></tr></thead>\n<tbody>\n",
          out);
    for (int i = 0; i < r->section_count; i++) {
        const section *s = &r->sections[i];
        for (int k = 0; k < s->row_count; k++)
            write_row(out, s, k);
        if (s->skipped) {
            fprintf(out, "<tr class=\"first\"><td class=\"id\"><a href=\"#%s\">%s</a></td><td colspan=\"4\">",
                    s->experiment->id, s->experiment->id);
            escaped(out, s->skipped);
            fputs("</td><td class=\"v shown\">skipped</td></tr>\n", out);
        }
    }
    fputs("</tbody>\n</table>\n", out);
}

static void write_figure(FILE *out, const report *r, const item *figure) {
    fputs("<figure>\n", out);
    if (figure->fault) {
        fputs("<div class=\"missing\">Figure missing: ", out);
        escaped(out, figure->fault);
        fputs("</div>\n", out);
    } else {
        char *path;
        if (asprintf(&path, "%s/figures/%s.svg", r->directory, figure->name) < 0) report_die("out of memory");
        fputs("<img alt=\"", out);
        escaped(out, figure->text);
        fputs("\" src=\"data:image/svg+xml;base64,", out);
        base64_file(out, path);
        fputs("\">\n", out);
        free(path);
    }
    fputs("<figcaption>", out);
    escaped(out, figure->text);
    fprintf(out,
            " <span class=\"files\">(<a href=\"figures/%s.svg\">SVG</a>, <a href=\"figures/%s.png\">PNG</a>)</span>",
            figure->name, figure->name);
    fputs("</figcaption>\n</figure>\n", out);
}

/* One line of a table file as a row of cells, tag "th" or "td". The file has 17 digits; the page shows six. */
static void write_table_line(FILE *out, char *line, const char *tag) {
    fputs("<tr>", out);
    for (char *rest = line, *cell; (cell = strsep(&rest, "\t")) != NULL;) {
        char *end, rounded[32];
        snprintf(rounded, sizeof rounded, "%.6g", strtod(cell, &end));
        fprintf(out, "<%s>", tag);
        escaped(out, *end == '\0' && end - cell > 9 ? rounded : cell);
        fprintf(out, "</%s>", tag);
    }
    fputs("</tr>\n", out);
}

static void write_table(FILE *out, const report *r, const item *table) {
    char *path, *line = NULL;
    size_t room = 0;
    ssize_t length;
    if (asprintf(&path, "%s/data/%s.tsv", r->directory, table->name) < 0) report_die("out of memory");
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
    escaped(out, table->text);
    fputs("</figcaption>\n</figure>\n", out);
    free(line);
    fclose(in);
    free(path);
}

static void write_section(FILE *out, const report *r, const section *s) {
    fprintf(out, "<h2 id=\"%s\"><span class=\"id\">%s</span>", s->experiment->id, s->experiment->id);
    escaped(out, s->experiment->title);
    fputs("</h2>\n<p class=\"paper\">", out);
    escaped(out, s->experiment->paper);
    fputs("</p>\n", out);
    if (s->skipped) {
        fputs("<p>Skipped: ", out);
        escaped(out, s->skipped);
        fputs("</p>\n", out);
    }
    for (int k = 0; k < s->item_count; k++) {
        const item *it = &s->items[k];
        if (it->kind == ITEM_FIGURE) {
            write_figure(out, r, it);
        } else if (it->kind == ITEM_TABLE) {
            write_table(out, r, it);
        } else {
            fputs("<p>", out);
            escaped(out, it->text);
            fputs("</p>\n", out);
        }
    }
    if (s->table_count == 0) return;
    fputs("<p class=\"files\">Data:", out);
    for (int k = 0; k < s->table_count; k++)
        fprintf(out, " <a href=\"data/%s.tsv\">%s.tsv</a>", s->tables[k], s->tables[k]);
    fputs("</p>\n", out);
}

void report_write_page(report *r) {
    const tally t = report_tally(r);
    const char *path = report_text(r, "%s/index.html", r->directory);
    FILE *out = report_create(path);
    fputs(head, out);
    fputs("<h1>Impact: the source papers, recomputed</h1>\n", out);
    fprintf(out, "<p class=\"summary %s\">", t.failed || t.missing ? "bad" : "good");
    escaped(out, report_summary(r));
    fputs("</p>\n<p>", out);
    escaped(out, r->partial ? "Only the experiments asked for are shown. " : "");
    escaped(out, r->full ? "Scale: full. " : "Scale: the short runs; make report SCALE=full makes the long ones. ");
    fputs("Every verdict is reached by comparing the two numbers beside it. A published number is the source's own "
          "where it prints one, else an independent computation in high precision; the remark says where the source "
          "is wrong or silent. The table is also in <a href=\"rows.tsv\">rows.tsv</a>.</p>\n",
          out);
    write_links(out, r);
    write_rows(out, r);
    for (int i = 0; i < r->section_count; i++)
        write_section(out, r, &r->sections[i]);
    fputs("</body>\n</html>\n", out);
    report_commit(out, path);
}
