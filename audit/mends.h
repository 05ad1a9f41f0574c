/* mends.h - single mistakes that, put right, make a right answer of a wrong one. */
#ifndef AUDIT_MENDS_H
#define AUDIT_MENDS_H

#include "audit/answer.h"

typedef enum audit_fault {
    AUDIT_FALSELY,     /* of every one: it was claimed */
    AUDIT_TOUCHING,    /* at a single contact with q_n = 0, where p = 0 is right */
    AUDIT_NOTHING,     /* p = 0 while a contact closes */
    AUDIT_SIGN,        /* -p is right: it pulls */
    AUDIT_RESTITUTION, /* right for e = 0 */
    AUDIT_BOUNCE,      /* of a single contact: right for another e */
    AUDIT_ALONG,       /* right with friction against it, at its velocities or as it is */
    AUDIT_BEFORE,      /* right with friction against the slip before the impact */
    AUDIT_PYRAMID,     /* right with each tangent's friction bounded by itself */
    AUDIT_FRAME,       /* right with axes exchanged, or normal or tangent reversed */
    AUDIT_TURNED,      /* of a single contact: right in tangents turned by an angle, by: rad */
    AUDIT_MIRRORED,    /* the same mirrored before */
    AUDIT_LAYOUT,      /* of several: right with its numbers, or contacts, in another order */
    AUDIT_VELOCITY,    /* of a single contact: W p or W p + q in place of p */
    AUDIT_SCALE,       /* p / by is right */
    AUDIT_BLOCKS,      /* of several: right for the diagonal blocks of W alone */
    AUDIT_DIAGONAL,    /* right for the diagonal of W alone */
    AUDIT_SOFT,        /* right with more on the diagonal of W: by, 1/kg, */
    AUDIT_SOFT_ENTRY,  /* by times the entry, */
    AUDIT_SOFT_MEAN,   /* by times the mean of the diagonal */
    AUDIT_WIDE,        /* right where all friction may be (1 + by) as large, or is as much less */
    AUDIT_NARROW,      /* right where all friction may be (1 - by) as large */
    AUDIT_ROUGH,       /* no residual above 1e-4; by: the largest */
    AUDIT_OTHER,
    AUDIT_FAULTS
} audit_fault;

/* What explains one answer, each by itself. */
typedef struct audit_mends {
    bool fits[AUDIT_FAULTS];
    double by[AUDIT_FAULTS];
} audit_mends;

/* *mends <- of an answer p (3nc, N s) that was claimed and is wrong, every mistake but
 * AUDIT_FALSELY and AUDIT_OTHER with which the certificate accepts what is mended. IMP_OK or
 * IMP_NO_MEMORY. */
imp_status audit_mend(const audit_solver *solver, const imp_problem *problem, const double *p,
                      const audit_answer *answer, audit_mends *mends);

#endif
