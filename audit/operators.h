/* operators.h - is an answer right for another Delassus operator than that of its problem? */
#ifndef AUDIT_OPERATORS_H
#define AUDIT_OPERATORS_H

#include "audit/answer.h"

/* By what W is softened: what is added to its diagonal, as constraint force mixing does. */
typedef enum audit_softening {
    AUDIT_BY_NUMBER, /* c, 1/kg */
    AUDIT_BY_ENTRY,  /* c times the entry */
    AUDIT_BY_MEAN,   /* c times the mean of all entries of the diagonal */
    AUDIT_SOFTENINGS
} audit_softening;

/* Of which other operators does the certificate accept an answer? */
typedef struct audit_operators {
    bool blocks, diagonal;         /* of the diagonal blocks of W alone, of its diagonal alone */
    double soft[AUDIT_SOFTENINGS]; /* of W softened by c, a number perhaps along normals alone; 0:
                                      of none */
} audit_operators;

/* Of p (3nc, N s), which pushes contact `most` the most: there the softer W is to end with u_n =
 * -e q_n, and more on its diagonal is W_nn times `clearly` at least. */
audit_operators audit_other_operators(const audit_solver *solver, const imp_problem *problem,
                                      const double *p, int most, double clearly);

#endif
