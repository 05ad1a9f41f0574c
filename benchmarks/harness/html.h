/* html.h - what the page is written with: templates with named places, and escaped text.
 *
 * A template is a file of plots/page whose places are written {{name}}:
 *
 *     static const html_place places[] = {{"title", write_title}, {NULL, NULL}};
 *     html_fill(out, "plots/page/section.html", places, &section);
 */
#ifndef HTML_H
#define HTML_H

#include <stdio.h>

typedef struct html_place {
    const char *name;
    void (*write)(FILE *out, const void *context);
} html_place;

/* The template with every place written by its function. Ends the program where the file cannot be
 * read, or names a place that is not there. */
void html_fill(FILE *out, const char *path, const html_place *places, const void *context);

void html_escaped(FILE *out, const char *text);

/* <td class="CLASS">text</td> */
void html_cell(FILE *out, const char *class, const char *text);

/* The same for numbers or what stands in their place: minus signs for hyphens before digits; a
 * number, with its unit or not, that is never broken over lines. */
void html_number_cell(FILE *out, const char *text);

/* Both, into a cell or elsewhere. */
void html_number(FILE *out, const char *text);

#endif
