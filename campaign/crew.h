/* crew.h - the lots of a campaign, each in a process of its own. */
#ifndef CAMPAIGN_CREW_H
#define CAMPAIGN_CREW_H

#include "campaign/campaign.h"

typedef struct campaign_terms {
    const campaign_inquiry *const *inquiries; /* ended by NULL */
    uint64_t seed;
    double problems; /* of each inquiry; 0: its goal */
    double hours;    /* none begins a lot after them; 0: no limit */
    int jobs;        /* processes */
    bool planted;
    const char *log, *folder;
} campaign_terms;

/* Does the lots that the log does not hold, the same time of each inquiry that is short of its end,
 * until all are done, the time is over or `*stop` is set; logs each. false after a line on
 * standard error: no process, no memory, a log that cannot be read or written. */
bool campaign_run(const campaign_terms *terms, const volatile int *stop);

#endif
