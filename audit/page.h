/* page.h - what is written of an audit. */
#ifndef AUDIT_PAGE_H
#define AUDIT_PAGE_H

#include "audit/audit.h"

typedef struct audit_page {
    const audit_terms *terms;
    const audit_report *report;
    const char *command; /* which makes the same again */
} audit_page;

#endif
