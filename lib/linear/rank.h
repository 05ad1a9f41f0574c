/* rank.h - what a Delassus operator is like: rank, condition, redundancy, asymmetry. */
#ifndef IMP_RANK_H
#define IMP_RANK_H

#include "linear/operator.h"
#include "base/status.h"
#include "base/public.h"

IMP_PUBLIC_BEGIN

/* Contacts up to which the rank is computed: it takes (3nc)^3 operations. */
enum { IMP_RANK_MOST = 1000 };

/* What imp_operator_facts_of finds. */
typedef struct imp_operator_facts {
    int rows;          /* 3nc */
    int rank;          /* of W, -1 above IMP_RANK_MOST contacts */
    double redundancy; /* 1 - rank/rows: the share of impulses that no velocity determines; NaN
                          where rank is -1 */
    /* an estimate of the condition number from below, of rows and columns that are independent:
     * |R_11 / R_rr| at rank r; NaN where there is none */
    double condition;
    double asymmetry; /* imp_operator_asymmetry */
} imp_operator_facts;

/* The rank is that of a QR factorisation with column pivoting (LAPACK dgeqp3): diagonal entries of
 * R above 3nc DBL_EPSILON times the first count. IMP_OK, IMP_BAD_ARGUMENT (nc < 1), IMP_NO_MEMORY,
 * IMP_NOT_FINITE (looked for where the rank is computed); *facts untouched then. Thread-safe. */
imp_status imp_operator_facts_of(const imp_operator *W, imp_operator_facts *facts);

IMP_PUBLIC_END

#endif
