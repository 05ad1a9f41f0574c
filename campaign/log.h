/* log.h - a line of a campaign's log, for those who read logs. */
#ifndef CAMPAIGN_LOG_H
#define CAMPAIGN_LOG_H

#include "campaign/campaign.h"

/* A line, cut where it stands. */
typedef struct campaign_entry {
    const char *inquiry, *lots, *code, *ended;
    uint64_t seed;
    double seconds, processor;
    char *rows; /* NULL: none */
} campaign_entry;

/* false: no campaign of this version wrote the line. */
bool campaign_cut(char *text, campaign_entry *entry);
bool campaign_is_whole(const campaign_entry *entry);
bool campaign_is_of_now(const campaign_entry *entry); /* by the code of now */

/* take(line, data) of each whole line of the log (path; none: nothing) until it is not IMP_OK;
 * *line: the number of the last. */
imp_status campaign_each_line(const char *path, imp_status (*take)(char *, void *), void *data,
                              long *line);

/* campaign_read, with `alone` of the lots of that seed which are whole. */
imp_status campaign_read_seed(const char *path, const campaign_inquiry *inquiry, uint64_t seed,
                              bool alone, campaign_sums *sums, long *line);
bool campaign_has_seed(const campaign_sums *sums, uint64_t seed);

int campaign_columns(const campaign_inquiry *inquiry);
bool campaign_is_empty(const double *cell, int n);

/* From the code of a line on to its end; of row r from cell + r CAMPAIGN_COLUMNS on. */
void campaign_print_counts(FILE *log, const campaign_done *done, const double *cell);

#endif
