/* quasi_definite.h - sparse LDL' factors of symmetric quasi-definite matrices, ordered by AMD. */
#ifndef IMP_QUASI_DEFINITE_H
#define IMP_QUASI_DEFINITE_H

#include <stdbool.h>

/* A symmetric matrix [[E, A'], [A, -F]] with E, F positive definite has factors L D L' without
 * pivoting in any order (Vanderbei 1995). The order is chosen once for a pattern, the factors are
 * made anew for each set of values. */
typedef struct quasi_definite quasi_definite;

/* Both triangles of the pattern: column j holds rows row[start[j]] .. row[start[j+1] - 1], none
 * twice, the diagonal among them. Both arrays must outlive the object. NULL without memory. */
quasi_definite *imp_quasi_definite_new(int n, const int *start, const int *row);
void imp_quasi_definite_free(quasi_definite *q);

/* value (start[n]): false where a pivot is 0 or not finite. */
bool imp_quasi_definite_factor(quasi_definite *q, const double *value);

/* Was what was factored last positive definite? Its pivots are positive. */
bool imp_quasi_definite_positive(const quasi_definite *q);

/* b (n) <- the solution. */
void imp_quasi_definite_solve(quasi_definite *q, double *b);

#endif
