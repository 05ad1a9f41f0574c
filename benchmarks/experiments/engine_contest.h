/* engine_contest.h - the contact problems of a moving engine, put to QP3 and to Lemke's method in
 * two forms. */
#ifndef ENGINE_CONTEST_H
#define ENGINE_CONTEST_H

#include "benchmarks/experiments/engine.h"

/* QP3, the convex model where mu = 0; Lemke on the n normal impulses; Lemke on the pyramid LCP, six
 * unknowns each. */
typedef enum engine_rival { ENGINE_QP3, ENGINE_NORMAL, ENGINE_PYRAMID, ENGINE_RIVALS } engine_rival;

/* What the solves of one rival have come to. */
typedef struct engine_tally {
    double total; /* s, processor time, the faster of two solves of each problem below 1 ms */
    int solves;
    int failures; /* not solved by the solver's own word, or wrong */
    int wrong;    /* max |min(y, A y + b)| > 1e-6, of the normal impulses y */
    double worst; /* the largest of it, of what was solved */
    double first; /* s: where it failed first; NAN: nowhere */
} engine_tally;

/* Steps the engine to the scene's end by QP3; every `each`-th problem goes to the pyramid, too.
 * watch (may be NULL) receives the time, each rival's time (s, NAN: not asked) and whether the
 * pyramid has failed, after each step. Returns the steps that QP3 did not solve. */
int engine_contest(engine *e, int each, engine_tally tally[ENGINE_RIVALS],
                   void (*watch)(void *data, double t, const double seconds[ENGINE_RIVALS],
                                 bool failed),
                   void *data);

/* ms, mean time of a solve. */
double engine_tally_ms(const engine_tally *t);

#endif
