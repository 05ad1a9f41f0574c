/* darboux_check.h - the impact process followed to a given p_n by a second, independent method: the
 * certificate's eyes. Private to the Darboux-Keller laws and their tests. */
#ifndef IMP_DARBOUX_CHECK_H
#define IMP_DARBOUX_CHECK_H

#include <stdbool.h>

enum { IMP_TRAIL_PHASES = 8 };

/* What happened on the way to p_n. Phase 0, 2, .. are compressions, 1, 3, .. decompressions; the
 * last may be unfinished. */
typedef struct imp_trail {
    int phases;
    double impulse[IMP_TRAIL_PHASES]; /* p_n gained in each phase */
    double work[IMP_TRAIL_PHASES];    /* of the normal impulse in each phase */
    double peak[IMP_TRAIL_PHASES];    /* largest u_n in each phase */
    double p[2];                      /* tangential impulse at p_n */
} imp_trail;

/* Follows du/dp_n = W (1, -mu w) from q with q_n < 0 until the normal impulse is p_n >= 0. W is
 * packed (nn, nt, no, tt, to, oo); the data must be scaled so that W and q_n are near 1. false: not
 * followed to the end. Thread-safe. */
bool imp_darboux_trail(const double W[6], const double q[3], double mu, double p_n,
                       imp_trail *trail);

#endif
