/* batch.h - maximum dissipation and the Darboux-Keller process for very many contacts at once, several of them per
 * instruction.
 *
 * An answer has the same bits whatever the width of the vector unit, the number of threads and the problems beside it.
 * Problem i is element i of every column: u = W p + q, W in 1/kg, q in m/s, p in N s. */
#ifndef IMP_BATCH_H
#define IMP_BATCH_H

#include "single/darboux.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Columns of n elements each; no output may overlap another column. */
typedef struct imp_batch_columns {
    const double *W[6]; /* nn nt no tt to oo, 1/kg */
    const double *q[3]; /* n t o, m/s */
    const double *mu;   /* friction */
    const double *e;    /* restitution; NULL: 0 everywhere */
    double *p[3];       /* out: impulse, N s */
    double *residual;   /* out: the largest residual of the certificate */
    imp_status *status; /* out: the status of the solver for one contact */
} imp_batch_columns;

typedef struct imp_batch_settings {
    int lanes;   /* problems per instruction: 1, 4 (AVX2) or 8 (AVX-512); 0: the most this machine has */
    int threads; /* >= 1; without OpenMP 1 is what it is */
} imp_batch_settings;

imp_batch_settings imp_batch_settings_default(void); /* the most lanes, one thread */

/* Lanes this machine and this build have, 1 among them: the largest number of them up to `most`. Thread-safe. */
int imp_batch_lanes(int most);

/* Both fill p, residual and status of n problems. Where a problem's status is negative its p and residual are
 * untouched; an answer whose velocities overflow has the residual INFINITY. settings may be NULL. IMP_OK, whatever the
 * statuses of the problems; IMP_BAD_ARGUMENT (a column is missing, settings or law out of range) and IMP_UNSUPPORTED
 * (lanes this machine does not have) leave everything untouched. They do not allocate; thread-safe. */

/* The answers of imp_maxdiss, bit for bit; residual is that of imp_certify with imp_law_maxdiss, to rounding. */
imp_status imp_maxdiss_batch(const imp_batch_columns *columns, size_t n, const imp_batch_settings *settings);

/* The answers of imp_darboux within its accuracy, 1e-13 max(1, c), most often to a few 1e-16, but not its bits.
 *
 * residual is found on the way, without a second integration: the largest of signorini and cone, as in the law of that
 * imp_law_darboux_*; path, the sum over the steps of how far each is from the differential equation of the process at
 * its end (an impulse, relative to |p|) and the distance of the velocity the process ended with from W p + q; stopping,
 * how far the law's own quantity is from its goal (a work relative to e times all work). Where it exceeds 1e-13, and
 * for what the kernels do not take (extreme scales, a normal velocity a tiny part of the slip), the problem is left to
 * imp_darboux and residual is that of imp_certify. */
imp_status imp_darboux_batch(const imp_batch_columns *columns, imp_darboux_law law, size_t n,
                             const imp_batch_settings *settings);

#ifdef __cplusplus
}
#endif

#endif
