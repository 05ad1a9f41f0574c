/* html.h - an audit as one page of HTML: no script, no picture, nothing from elsewhere. */
#ifndef AUDIT_HTML_H
#define AUDIT_HTML_H

#include "audit/page.h"

#include <stdbool.h>
#include <stdio.h>

/* false: no memory. */
bool audit_write_html(const audit_page *page, FILE *out);

#endif
