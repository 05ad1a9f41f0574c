/* tables.c - what a log holds, for people. */
#include "campaign/log.h"

#include <stdlib.h>
#include <string.h>

long campaign_faults(const campaign_sums *sums) {
    double faults = (double)(sums->crashed + sums->hung);
    for (int r = 0; r < CAMPAIGN_ROWS; r++)
        faults += sums->cell[r][CAMPAIGN_FAULTS];
    return (long)faults;
}

void campaign_print(FILE *to, const campaign_inquiry *inquiry, const campaign_sums *sums) {
    const int n = campaign_columns(inquiry);
    fprintf(to, "%-22s", inquiry->name);
    for (int c = 0; c < n; c++)
        fprintf(to, " %12s", inquiry->columns[c].name);
    putc('\n', to);
    for (int r = 0; inquiry->row(r); r++) {
        if (campaign_is_empty(sums->cell[r], n)) continue;
        fprintf(to, "%-22s", inquiry->row(r));
        for (int c = 0; c < n; c++)
            fprintf(to, inquiry->columns[c].worst ? " %12.2g" : " %12.0f", sums->cell[r][c]);
        putc('\n', to);
    }
    if (sums->crashed + sums->hung > 0)
        fprintf(to, "%ld lots crashed, %ld hung\n", sums->crashed, sums->hung);
}

const char campaign_head[] =
    "| inquiry | what is asked | problems | seeds | faults | core-hours |\n"
    "|---|---|---|---|---|---|\n";

void campaign_line(FILE *to, const campaign_inquiry *inquiry, const campaign_sums *sums) {
    double problems = 0;
    for (int r = 0; r < CAMPAIGN_ROWS; r++)
        problems += sums->cell[r][CAMPAIGN_PROBLEMS];
    fprintf(to, "| `%s` | %s | %.4g |", inquiry->name, inquiry->about, problems);
    for (long k = 0; k < sums->seeds; k++)
        fprintf(to, " %llu", (unsigned long long)sums->seed[k]);
    fprintf(to, " | %ld | %.2f |\n", campaign_faults(sums), sums->processor / 3600);
}

/* What a log holds of one inquiry by other code than that of now. */
typedef struct code_sums {
    char inquiry[32], code[32];
    double problems, faults, seconds, processor;
} code_sums;

typedef struct other_code {
    code_sums *sums;
    size_t codes;
} other_code;

/* A line added to the sums of its code; one that is no line of a log is passed over. */
static imp_status add_to_code(char *text, void *data) {
    other_code *all = data;
    campaign_entry e;
    size_t k = 0;
    if (!campaign_cut(text, &e) || campaign_is_of_now(&e)) return IMP_OK;
    while (k < all->codes &&
           (strcmp(all->sums[k].inquiry, e.inquiry) != 0 || strcmp(all->sums[k].code, e.code) != 0))
        k++;
    if (k == all->codes) {
        code_sums *more = realloc(all->sums, (k + 1) * sizeof *more);
        if (!more) return IMP_NO_MEMORY;
        all->sums = more;
    }
    code_sums *sums = &all->sums[k];
    if (k == all->codes) {
        *sums = (code_sums){0};
        snprintf(sums->inquiry, sizeof sums->inquiry, "%s", e.inquiry);
        snprintf(sums->code, sizeof sums->code, "%s", e.code);
        all->codes++;
    }
    sums->seconds += e.seconds;
    sums->processor += e.processor;
    sums->faults += !campaign_is_whole(&e);
    for (const char *row; (row = strsep(&e.rows, "\t"));) {
        double problems = 0, faults = 0;
        const char *numbers = strrchr(row, '=');
        if (!numbers || sscanf(numbers, "=%lf,%lf", &problems, &faults) != 2) continue;
        sums->problems += problems;
        sums->faults += faults;
    }
    return IMP_OK;
}

bool campaign_other_code(FILE *to, const char *path, bool table) {
    other_code all = {NULL, 0};
    long line;
    const bool good = campaign_each_line(path, add_to_code, &all, &line) == IMP_OK;
    for (size_t k = 0; good && k < all.codes; k++) {
        const code_sums *s = &all.sums[k];
        if (table)
            fprintf(to, "| `%s` | `%s` | %.4g | %.0f | %.2f |\n", s->inquiry, s->code, s->problems,
                    s->faults, s->processor / 3600);
        else
            /* marked, as it has no lots: that code may come back */
            fprintf(to, "%s\t-\t-\t%s%s\t%.3f\t%.3f\twhole\t0\tall=%.0f,%.0f\n", s->inquiry,
                    s->code[0] == '~' ? "" : "~", s->code, s->seconds, s->processor, s->problems,
                    s->faults);
    }
    free(all.sums);
    return good;
}
