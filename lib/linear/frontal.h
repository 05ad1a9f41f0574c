/* frontal.h - sparse LU factors of matrices with a symmetric pattern, ordered by AMD. */
#ifndef IMP_FRONTAL_H
#define IMP_FRONTAL_H

#include <stdbool.h>

/* Factors P A = L U. The order is chosen once for a pattern, the factors are made anew for each set
 * of values. Rows are exchanged within a front's own columns alone: for matrices of a positive
 * definite kind, not symmetric ones. No BLAS: the same bits on every machine. */
typedef struct frontal frontal;

/* The pattern, symmetric: column j holds rows row[start[j]] .. row[start[j+1] - 1], ascending, the
 * diagonal among them. Both arrays must outlive the object. NULL without memory. */
frontal *imp_frontal_new(int n, const int *start, const int *row);
void imp_frontal_free(frontal *f);

/* Of a factorisation: multiply-adds, and numbers that fronts hold and hand on. */
double imp_frontal_work(const frontal *f);
double imp_frontal_entries(const frontal *f);

/* value (start[n]): false where a pivot is 0 or not finite. */
bool imp_frontal_factor(frontal *f, const double *value);

/* The sign of the determinant. */
int imp_frontal_sign(const frontal *f);

/* b (n) <- the solution. */
void imp_frontal_solve(frontal *f, double *b);

#endif
