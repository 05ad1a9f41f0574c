/* html.c - what the page is written with: its style, escaped text, pictures as data. */
#include "benchmarks/harness/html.h"

#include <string.h>

const char html_head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Impact: "
    "report</title>\n<style>\n"
    "body { font: 15px/1.5 'DejaVu Sans', 'Helvetica Neue', Arial, sans-serif; color: #1b1f24; "
    "background: #fff;\n"
    "  max-width: 1180px; margin: 0 auto; padding: 24px 28px 80px; }\n"
    "h1 { font-size: 26px; margin: 0 0 4px; } h2 { font-size: 20px; margin: 48px 0 4px; "
    "padding-top: 14px;\n"
    "  border-top: 2px solid #d5dae0; } h2 .id { color: #5a6673; font-weight: normal; "
    "margin-right: 10px; }\n"
    "p { margin: 8px 0; max-width: 900px; } a { color: #1f5fa8; text-decoration: none; }\n"
    ".summary { font-size: 17px; padding: 10px 14px; margin: 14px 0 22px; max-width: none; "
    "border-left: 6px solid; }\n"
    ".summary.good { background: #eaf6ec; border-color: #2b8a3e; }\n"
    ".summary.bad { background: #fdecea; border-color: #c92a2a; }\n"
    ".paper { color: #495460; font-style: italic; }\n"
    "table { border-collapse: collapse; font-size: 13px; line-height: 1.4; margin: 10px 0; }\n"
    "table.rows { width: 100%; table-layout: fixed; }\n"
    "th, td { padding: 4px 9px; text-align: left; vertical-align: top; border-bottom: 1px solid "
    "#e3e7ec; }\n"
    "th { border-bottom: 2px solid #aab4bf; background: #f4f6f8; }\n"
    "td.n { font-family: 'DejaVu Sans Mono', Menlo, Consolas, monospace; font-size: 12px; "
    "overflow-wrap: anywhere; }\n"
    "td.id { white-space: nowrap; font-weight: bold; } tr.first td { border-top: 2px solid "
    "#aab4bf; }\n"
    ".remark { color: #5a6673; font-size: 12px; } td.v { font-weight: bold; white-space: nowrap; "
    "}\n"
    ".pass { color: #2b8a3e; } .fail { color: #fff; background: #c92a2a; } .shown { color: "
    "#868e96; }\n"
    ".refuted { color: #fff; background: #862e9c; } .differs { color: #862e9c; background: "
    "#f3e6f7; }\n"
    ".links a { display: inline-block; border: 1px solid #cfd6dd; border-radius: 4px; padding: 1px "
    "8px; margin: 2px "
    "3px; }\n"
    "figure { margin: 18px 0; } figure img { display: block; max-width: 100%; height: auto; }\n"
    "figcaption { max-width: 900px; color: #343c45; font-size: 14px; margin-top: 4px; }\n"
    ".missing { background: #fdecea; border: 1px solid #c92a2a; padding: 10px 14px; }\n"
    ".files { font-size: 12px; color: #5a6673; }\n"
    "</style>\n</head>\n<body>\n";

void html_escaped(FILE *out, const char *text) {
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
void html_base64(FILE *out, const char *path) {
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

void html_cell(FILE *out, const char *class, const char *text) {
    fprintf(out, "<td class=\"%s\">", class);
    html_escaped(out, text);
    fputs("</td>", out);
}
