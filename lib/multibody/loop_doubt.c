/* loop_doubt.c - how nearly rows of loops depend on each other: the least singular value of rows
 * as long as the sides of their joints without each other, by inverse iteration, which unlike the
 * least pivot does not jump where the order of the pivots changes. */
#include "multibody/loop_internal.h"

#include <float.h>
#include <math.h>

double imp_loops_doubt(imp_loops *s) {
    const int nv = imp_tree_nv(s->tree), rows = s->rows;
    double *x = s->work, *c = x + nv, *lambda = c + rows, *work = lambda + rows, square = 0;
    if (imp_loops_rank(s) == 0) return 0;
    for (int row = 0; row < rows; row++) /* any, with a part along the one sought */
        c[row] = s->whole[row] * cos((double)row * row);
    imp_null_space_solve(s->space, NULL, c, x, lambda, work);
    for (int row = 0; row < rows; row++) {
        c[row] = s->whole[row] * lambda[row];
        square += c[row] * c[row];
    }
    for (int row = 0; row < rows; row++)
        c[row] *= s->whole[row] / sqrt(square);
    imp_null_space_solve(s->space, NULL, c, x, NULL, work);
    square = 0;
    for (int k = 0; k < nv; k++)
        square += x[k] * x[k];
    return DBL_EPSILON * sqrt(square);
}
