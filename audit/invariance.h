/* invariance.h - the same problem written in another way: is the answer the same? */
#ifndef AUDIT_INVARIANCE_H
#define AUDIT_INVARIANCE_H

#include "audit/answer.h"
#include "generators/fresh.h"

typedef enum audit_way {
    AUDIT_UNITS,  /* length and time: q times a power of two */
    AUDIT_MASS,   /* W times one */
    AUDIT_FRAMES, /* the tangents of each contact turned */
    AUDIT_MIRROR, /* its third axis reversed */
    AUDIT_ORDER,  /* contacts shuffled */
    AUDIT_WAYS
} audit_way;

typedef enum audit_sameness {
    AUDIT_NOT_ASKED, /* a single contact has one order; the law does not take or decide it */
    AUDIT_SAME,      /* the same answer, or as far as rounding of W moves the only one */
    /* both right, and another: of a law with several solutions, or of several contacts, of which
     * nobody knows that it is the only one */
    AUDIT_ANOTHER,
    AUDIT_LOST,       /* right here, and said to have failed there */
    AUDIT_UNANSWERED, /* no answer there */
    AUDIT_BROKEN      /* claimed there and not right; another answer where there is but one */
} audit_sameness;

/* Asks anew, and reads the answer back. p (3nc, N s): said to be right here, and right; what is
 * said to have failed stands for no answer, and is held against none. IMP_OK, IMP_NO_MEMORY. */
imp_status audit_invariance(const audit_solver *solver, const imp_problem *problem, const double *p,
                            audit_way way, gen_stream *s, audit_sameness *same);

#endif
