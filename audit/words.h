/* words.h - what a row of an audit counts, in words. */
#ifndef AUDIT_WORDS_H
#define AUDIT_WORDS_H

#include "audit/audit.h"

#include <stdio.h>

/* The column of a count, and what it says. */
const char *audit_count_name(audit_counted count);
const char *audit_count_meaning(audit_counted count);

typedef void audit_writer(const audit_row *row, FILE *out);

/* "cone: 3; slip: 1": the residuals, or the faults, of false answers. */
audit_writer audit_write_residuals, audit_write_faults;

/* "6 of 10 right, 2 false (cone: 2; cone too wide by up to 1 %: 2), 2 crashed; first reason:
 * crashed: exit status 3". */
audit_writer audit_write_sentence;

/* What it writes, as a text to be freed; NULL without memory. */
char *audit_text(audit_writer *write, const audit_row *row);

/* Text with & < > " as entities, and ? for what is not printable ASCII. */
void audit_write_escaped(const char *text, FILE *out);

/* The sentence, escaped; false: no memory. */
bool audit_write_escaped_sentence(const audit_row *row, FILE *out);

#endif
