/* words.c - what a row of an audit counts, in words. */
#include "audit/words.h"

#include <stdlib.h>

const char *audit_count_name(audit_counted count) {
#define COUNT_NAME(name, column, meaning) column,
    static const char *const names[] = {AUDIT_COUNT_LIST(COUNT_NAME)};
    return names[count];
}

const char *audit_count_meaning(audit_counted count) {
#define COUNT_MEANING(name, column, meaning) meaning,
    static const char *const meanings[] = {AUDIT_COUNT_LIST(COUNT_MEANING)};
    return meanings[count];
}

/* What stands before the next item of a list. */
static const char *before(bool *any) {
    const char *text = *any ? "; " : "";
    *any = true;
    return text;
}

void audit_write_residuals(const audit_row *row, FILE *out) {
    bool any = false;
    for (int k = 0; row->residual[k].name; k++)
        fprintf(out, "%s%s: %ld", before(&any), row->residual[k].name, row->residual[k].count);
}

void audit_write_faults(const audit_row *row, FILE *out) {
    bool any = false;
    for (audit_fault k = 0; k < AUDIT_FAULTS; k++) {
        if (row->fault[k] == 0) continue;
        fprintf(out, "%s%s", before(&any), audit_fault_text(k));
        if (k == AUDIT_WIDE || k == AUDIT_NARROW)
            fprintf(out, " by up to %.3g %%", 100 * row->by[k]);
        if (k == AUDIT_SCALE) fprintf(out, ", %.6g times what is right", row->by[k]);
        if (k == AUDIT_SOFT) fprintf(out, ", %.6g/kg on the diagonal of W", row->by[k]);
        if (k == AUDIT_SOFT_ENTRY || k == AUDIT_SOFT_MEAN)
            fprintf(out, ", %.6g of the diagonal of W", row->by[k]);
        if (k == AUDIT_ROUGH) fprintf(out, ", right to %.2g", row->by[k]);
        fprintf(out, ": %ld", row->fault[k]);
    }
}

void audit_write_sentence(const audit_row *row, FILE *out) {
    const long *count = row->count;
    fprintf(out, "%ld of %ld right", audit_right(row), audit_taken(row));
    for (int k = AUDIT_COUNT_HONEST; k <= AUDIT_COUNT_SEQUENCE; k++) {
        if (count[k] == 0) continue;
        fprintf(out, ", %ld %s", count[k], audit_count_name((audit_counted)k));
        if (k != AUDIT_COUNT_FALSE) continue;
        fputs(" (", out);
        audit_write_residuals(row, out);
        fputs("; ", out);
        audit_write_faults(row, out);
        fputc(')', out);
    }
    if (*row->reason) fprintf(out, "; first reason: %s", row->reason);
}

char *audit_text(audit_writer *write, const audit_row *row) {
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (!out) return NULL;
    write(row, out);
    if (fclose(out) == 0) return text;
    free(text);
    return NULL;
}

bool audit_write_escaped_sentence(const audit_row *row, FILE *out) {
    char *text = audit_text(audit_write_sentence, row);
    if (text) audit_write_escaped(text, out);
    free(text);
    return text != NULL;
}

void audit_write_escaped(const char *text, FILE *out) {
    for (; *text; text++) {
        const char *entity = *text == '&'   ? "&amp;"
                             : *text == '<' ? "&lt;"
                             : *text == '>' ? "&gt;"
                             : *text == '"' ? "&quot;"
                                            : NULL;
        const unsigned char c = (unsigned char)*text;
        if (entity)
            fputs(entity, out);
        else
            fputc(c < ' ' || c >= 127 ? '?' : c, out);
    }
}
