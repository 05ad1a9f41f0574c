/* report.h - an audit written: as a table, JSON, TAP, JUnit's XML, or one page of HTML that needs
 * nothing beside it. */
#ifndef AUDIT_REPORT_H
#define AUDIT_REPORT_H

#include "audit/page.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct audit_format {
    const char *name, *suffix;                        /* "json", ".json" */
    bool (*write)(const audit_page *page, FILE *out); /* false: no memory */
} audit_format;

/* All formats, ended by one without a name; the table first. */
extern const audit_format audit_formats[];

#endif
