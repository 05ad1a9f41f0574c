/* singles.h - single contacts by the chunk, in the columns of a batch. */
#ifndef CAMPAIGN_SINGLES_H
#define CAMPAIGN_SINGLES_H

#include "campaign/campaign.h"
#include "generators/gen.h"
#include "generators/gen_edges.h"
#include "single/batch.h"

/* Classes of gen.h, then those of gen_edges.h: rows of an inquiry. */
enum { SINGLES = GEN_CLASSES + GEN_EDGES, SINGLES_CHUNK = 64 };

const char *single_name(int class); /* NULL after the last */
gen_problem single_make(int class, uint64_t index);

/* A chunk of problems and what a batch makes of them. Points into itself: never copied. */
typedef struct singles {
    int count;
    gen_problem g[SINGLES_CHUNK];
    double W[6][SINGLES_CHUNK], q[3][SINGLES_CHUNK], mu[SINGLES_CHUNK], e[SINGLES_CHUNK];
    double p[3][SINGLES_CHUNK], residual[SINGLES_CHUNK];
    imp_status status[SINGLES_CHUNK];
} singles;

/* Appends a problem. */
void singles_add(singles *s, const gen_problem *g);
/* For imp_*_batch, of s->count problems. */
imp_batch_columns singles_columns(singles *s);
/* p (3, N s) <- answer i. */
void singles_answer(const singles *s, int i, double p[3]);
bool is_finite(const double p[3]);
/* Is one of its numbers, or the bound of its friction, subnormal? Residuals, which are relative,
 * have no digits then. */
bool is_subnormal(double mu, const double p[3]);

#endif
