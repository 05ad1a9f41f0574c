/* compact.c - a log in fewer lines, which says the same. */
#include "campaign/log.h"

#include <stdlib.h>
#include <string.h>

/* The lots of a seed that are done, as "0-17,19". */
static void print_lots(FILE *to, const campaign_sums *sums) {
    const char *comma = "";
    for (long lot = 0; lot < sums->room; lot++) {
        const long first = lot;
        if (!sums->is_done[lot]) continue;
        while (lot + 1 < sums->room && sums->is_done[lot + 1])
            lot++;
        fprintf(to, lot > first ? "%s%ld-%ld" : "%s%ld", comma, first, lot);
        comma = ",";
    }
}

/* The whole lots of an inquiry, in a line for each seed of `sums`. */
static imp_status print_whole(FILE *to, const char *path, const campaign_inquiry *inquiry,
                              const campaign_sums *sums, long *line) {
    for (long k = 0; k < sums->seeds; k++) {
        campaign_sums one;
        const imp_status status =
            campaign_read_seed(path, inquiry, sums->seed[k], true, &one, line);
        if (status != IMP_OK) return status;
        const campaign_done done = {.inquiry = inquiry,
                                    .seed = sums->seed[k],
                                    .seconds = one.seconds,
                                    .processor = one.processor,
                                    .ended = "whole"};
        if (one.lots > 0) {
            fprintf(to, "%s\t%llu\t", inquiry->name, (unsigned long long)done.seed);
            print_lots(to, &one);
            campaign_print_counts(to, &done, one.cell[0]);
        }
        campaign_sums_clear(&one);
    }
    return IMP_OK;
}

/* A log on its way to another file, which has the whole lots of the seeds of `sums`, and the sums
 * of other code. */
typedef struct copier {
    FILE *to;
    const campaign_sums *sums; /* by inquiry */
} copier;

static imp_status copy_line(char *text, void *data) {
    const copier *c = data;
    char *copy = strdup(text);
    campaign_entry e;
    if (!copy) return IMP_NO_MEMORY;
    bool printed = false;
    if (campaign_cut(copy, &e)) {
        printed = !campaign_is_of_now(&e);
        for (int i = 0; campaign_inquiries[i] && campaign_is_whole(&e); i++)
            printed |= strcmp(e.inquiry, campaign_inquiries[i]->name) == 0 &&
                       campaign_has_seed(&c->sums[i], e.seed);
    }
    if (!printed) fprintf(c->to, "%s\n", text);
    free(copy);
    return IMP_OK;
}

imp_status campaign_compact(FILE *to, const char *path, long *line) {
    int inquiries = 0;
    while (campaign_inquiries[inquiries])
        inquiries++;
    campaign_sums *sums = calloc((size_t)inquiries + 1, sizeof *sums);
    imp_status status = sums ? IMP_OK : IMP_NO_MEMORY;
    for (int i = 0; i < inquiries && status == IMP_OK; i++) {
        status = campaign_read(path, campaign_inquiries[i], 0, &sums[i], line);
        if (status == IMP_OK) status = print_whole(to, path, campaign_inquiries[i], &sums[i], line);
    }
    if (status == IMP_OK && !campaign_other_code(to, path, false)) status = IMP_NO_MEMORY;
    if (status == IMP_OK) status = campaign_each_line(path, copy_line, &(copier){to, sums}, line);
    for (int i = 0; i < inquiries && sums; i++)
        campaign_sums_clear(&sums[i]);
    free(sums);
    return status;
}
