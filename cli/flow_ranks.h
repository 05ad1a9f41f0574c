/* flow_ranks.h - a granular flow on its ranks: on what they agree, the part of each, and what they
 * tell the first. In one process, the first of one, there is nothing to agree on. */
#ifndef FLOW_RANKS_H
#define FLOW_RANKS_H

#include "cli/cli.h"

bool flow_on_first(void);

/* Is it well with all ranks? Where it is not, it has complained; the lowest of those is heard.
 * Collective, as is what follows but for flow_part. */
bool flow_agree(bool good);

/* Has every rank read the same parameters, of the file `name`, and begins with the same flow, of
 * `checkpoint` where it is not NULL? whole NULL: one has complained and has none. false after a
 * complaint. */
bool flow_begin_alike(const imp_flow *flow, const char *name, const char *checkpoint,
                      const imp_granular *whole);

/* This rank's part of the whole flow. NULL after a complaint. */
imp_granular *flow_part(const imp_flow *flow, const imp_granular *whole);

/* A row a rank, by the first; out NULL: not asked for. */
void flow_write_traffic(FILE *out, const imp_granular *part);

#endif
