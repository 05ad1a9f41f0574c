/* page.h - the parts of the page: what several of its files write. */
#ifndef PAGE_H
#define PAGE_H

#include "benchmarks/harness/state.h"

#include <stdio.h>

/* <a href="#ID">ID</a> */
void page_link(FILE *out, const section *s);

/* The cell of a row's quantity, its remark below. */
void page_quantity(FILE *out, const row *w);

/* The cell of its verdict, and the row's end. */
void page_verdict(FILE *out, verdict v);

/* A section: one experiment with its claim, figures, rows and how it is made. */
void page_section(FILE *out, const report *r, const section *s);

/* The experiments by paper: links, for the side of the page. */
void page_contents(FILE *out, const report *r);

/* The experiments by question: links in words. */
void page_questions(FILE *out, const report *r);

/* All figures, small, by "paper" or by "question" (plots/page/groups.tsv). */
void page_gallery(FILE *out, const report *r, const char *kind);

#endif
