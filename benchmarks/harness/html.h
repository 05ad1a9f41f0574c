/* html.h - what the page is written with: its style, escaped text, pictures as data. */
#ifndef HTML_H
#define HTML_H

#include <stdio.h>

/* From the document's first line to the opened body. */
extern const char html_head[];

void html_escaped(FILE *out, const char *text);

/* <td class="CLASS">text</td> */
void html_cell(FILE *out, const char *class, const char *text);

/* The file's bytes in base 64; nothing when it cannot be read. */
void html_base64(FILE *out, const char *path);

#endif
