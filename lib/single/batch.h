/* batch.h - maximum dissipation for very many contacts at once, several of them per instruction.
 *
 * The answers are those of imp_maxdiss, bit for bit, whatever the width of the vector unit and the number of threads.
 * Problem i is element i of every column: u = W p + q, W in 1/kg, q in m/s, p in N s. */
#ifndef IMP_BATCH_H
#define IMP_BATCH_H

#include "contact/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Columns of n elements each; no output may overlap another column. */
typedef struct imp_maxdiss_columns {
    const double *W[6]; /* nn nt no tt to oo, 1/kg */
    const double *q[3]; /* n t o, m/s */
    const double *mu;   /* friction */
    const double *e;    /* restitution; NULL: 0 everywhere */
    double *p[3];       /* out: impulse, N s */
    double *residual;   /* out: the largest residual of imp_law_maxdiss, to rounding that of imp_certify */
    imp_status *status; /* out: the status of imp_maxdiss */
} imp_maxdiss_columns;

typedef struct imp_batch_settings {
    int lanes;   /* problems per instruction: 1, 4 (AVX2) or 8 (AVX-512); 0: the most this machine has */
    int threads; /* >= 1; without OpenMP 1 is what it is */
} imp_batch_settings;

imp_batch_settings imp_batch_settings_default(void); /* the most lanes, one thread */

/* Lanes this machine and this build have, 1 among them: the largest number of them up to `most`. Thread-safe. */
int imp_batch_lanes(int most);

/* Fills p, residual and status of n problems. Where a problem's status is negative its p and residual are untouched;
 * an answer whose velocities overflow has the residual INFINITY. settings may be NULL. IMP_OK, whatever the statuses
 * of the problems; IMP_BAD_ARGUMENT (a column is missing, settings out of range) and IMP_UNSUPPORTED (lanes this
 * machine does not have) leave everything untouched. Does not allocate; thread-safe. */
imp_status imp_maxdiss_batch(const imp_maxdiss_columns *columns, size_t n, const imp_batch_settings *settings);

#ifdef __cplusplus
}
#endif

#endif
