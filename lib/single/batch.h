/* batch.h - maximum dissipation, all Coulomb solutions and the Darboux-Keller process for very many
 * contacts at once, several of them per instruction.
 *
 * An answer has the same bits whatever the width of the vector unit, the number of threads and the
 * problems beside it. Problem i is element i of every column: u = W p + q, W in 1/kg, q in m/s, p
 * in N s. */
#ifndef IMP_BATCH_H
#define IMP_BATCH_H

#include "single/darboux.h"
#include "single/single.h"
#include "base/public.h"
#include "base/threads.h"

IMP_PUBLIC_BEGIN

/* What imp_coulomb_set says of a whole problem, in a few bytes. */
typedef struct imp_coulomb_brief {
    unsigned char count, proven, unique;  /* count: solutions */
    signed char maxdiss;                  /* which of them it chooses, -1: none */
    unsigned char kind[IMP_COULOMB_MOST]; /* an imp_coulomb_kind of each solution */
} imp_coulomb_brief;

/* Columns of n elements each, for imp_coulomb_batch; no output may overlap another column. */
typedef struct imp_coulomb_columns {
    imp_coulomb_brief *brief;               /* what there is */
    double *p[IMP_COULOMB_MOST - 1][3];     /* impulses of the second and the third solution, N s,
                                               where they exist */
    double *residual[IMP_COULOMB_MOST - 1]; /* and the largest residuals of their certificates */
} imp_coulomb_columns;

/* Columns of n elements each; no output may overlap another column. */
typedef struct imp_batch_columns {
    const double *W[6];             /* nn nt no tt to oo, 1/kg */
    const double *q[3];             /* n t o, m/s */
    const double *mu;               /* friction */
    const double *e;                /* restitution; NULL: 0 everywhere */
    double *p[3];                   /* out: impulse, N s */
    double *residual;               /* out: the largest residual of the certificate */
    imp_status *status;             /* out: the status of the solver for one contact */
    const imp_coulomb_columns *all; /* out, imp_coulomb_batch: all solutions; NULL: one */
} imp_batch_columns;

/* How a batch is run. */
typedef struct imp_batch_settings {
    /* problems per instruction: 1, 4 (AVX2) or 8 (AVX-512); 0: the most this machine has */
    int lanes;
    int threads; /* 1 to IMP_THREADS_MOST; without OpenMP 1 is what it is */
} imp_batch_settings;

imp_batch_settings imp_batch_settings_default(void); /* the most lanes, one thread */

/* Lanes this machine and this build have, 1 among them: the largest number of them up to `most`.
 * Thread-safe. */
int imp_batch_lanes(int most);

/* All fill p, residual and status of n problems. Where a problem's status is negative its p and
 * residual are untouched; an answer whose velocities overflow has the residual INFINITY. settings
 * may be NULL. IMP_OK, whatever the statuses of the problems; IMP_BAD_ARGUMENT (a column is
 * missing, `all` for another than imp_coulomb_batch, settings or law out of range) and
 * IMP_UNSUPPORTED (lanes this machine does not have) leave everything untouched. They do not
 * allocate; thread-safe. */

/* The answers of imp_maxdiss, bit for bit; residual is that of imp_certify with imp_law_maxdiss, to
 * rounding, but for cancellation. */
imp_status imp_maxdiss_batch(const imp_batch_columns *columns, size_t n,
                             const imp_batch_settings *settings);

/* The sets of imp_coulomb_enumerate, bit for bit. p and residual are of the first solution, the
 * most dissipative; residuals are those of imp_certify with imp_law_coulomb, to rounding, but for
 * cancellation. A problem with e > 0 has the status IMP_UNSUPPORTED. What is in `all` is written
 * where the status is not negative. */
imp_status imp_coulomb_batch(const imp_batch_columns *columns, size_t n,
                             const imp_batch_settings *settings);

/* The answers of imp_darboux within its accuracy, 1e-13 max(1, c), most often to a few 1e-16, but
 * not its bits.
 *
 * residual is found on the way, without a second integration: the largest of signorini and cone, as
 * in the law of that imp_law_darboux_*; path, the sum over the steps of how far each is from the
 * differential equation of the process at its end (an impulse, relative to |p|) and the distance of
 * the velocity the process ended with from W p + q; stopping, how far the law's own quantity is
 * from its goal (a work relative to e times all work). Where it exceeds 1e-13, and for what the
 * kernels do not take (extreme scales, a normal velocity a tiny part of the slip), the problem is
 * left to imp_darboux and residual is that of imp_certify. */
imp_status imp_darboux_batch(const imp_batch_columns *columns, imp_darboux_law law, size_t n,
                             const imp_batch_settings *settings);

IMP_PUBLIC_END

#endif
