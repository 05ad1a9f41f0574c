/* lot.c - what inquiries count, and the problems they keep. */
#include "campaign/campaign.h"

#include "io/dump.h"

#include <math.h>
#include <string.h>

enum { KEPT = 3, SPOILED = 101 };

void campaign_begin(campaign_lot *lot, int row, uint64_t number) {
    lot->at = number;
    lot->cell[row][CAMPAIGN_PROBLEMS]++;
}

void campaign_count(campaign_lot *lot, int row, int column, bool happened) {
    lot->cell[row][column] += happened;
}

void campaign_worst(campaign_lot *lot, int row, int column, double value) {
    double *cell = &lot->cell[row][column];
    *cell = isnan(value) ? INFINITY : fmax(*cell, value);
}

void campaign_answer(campaign_lot *lot, double *p, int n, double size) {
    int largest = 0;
    if (!lot->planted || lot->at % SPOILED != 0) return;
    for (int i = 0; i < n; i++)
        if (fabs(p[i]) > fabs(p[largest])) largest = i;
    p[largest] += 1e-3 * (p[largest] != 0 ? p[largest] : size);
}

void campaign_fault(campaign_lot *lot, int row, const imp_problem *problem, const imp_model *model,
                    const char *what) {
    const campaign_inquiry *inquiry = lot->inquiry;
    if (lot->again) {
        lot->found = lot->found || strcmp(what, lot->again) == 0;
        return;
    }
    lot->cell[row][CAMPAIGN_FAULTS]++;
    const bool same = lot->kept > 0 && lot->kept_at == lot->at;
    if (!lot->folder || lot->kept >= KEPT || same) return;
    lot->kept++;
    lot->kept_at = lot->at;
    char path[400], small[400];
    snprintf(path, sizeof path, "%s/%s-%s-%llu.json", lot->folder, inquiry->name, inquiry->row(row),
             (unsigned long long)lot->at);
    snprintf(small, sizeof small, "%.*s-small.json", (int)strlen(path) - 5, path);
    const bool written = problem && imp_problem_dump(path, NULL, problem, model, NULL, NULL) == 0;
    fprintf(stderr, "%s: %s, number %llu: %s%s%s\n", inquiry->name, inquiry->row(row),
            (unsigned long long)lot->at, what, written ? ": " : "", written ? path : "");
    if (written && inquiry->again && lot->kept == 1)
        (void)campaign_shrink(lot, row, problem, model, what, small);
}
