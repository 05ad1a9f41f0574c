#include "multi/convex_newton_sparse.h"
convex_sparse *convex_sparse_new(const convex_island *island, const imp_sparse *M, const imp_sparse *H) {
    (void)island;
    (void)M;
    (void)H;
    return NULL;
}
void convex_sparse_free(convex_sparse *sparse) {
    (void)sparse;
}
bool convex_sparse_factor(convex_sparse *sparse, const double *B, const double *D, double shift) {
    (void)sparse;
    (void)B;
    (void)D;
    (void)shift;
    return false;
}
void convex_sparse_solve(convex_sparse *sparse, double *r) {
    (void)sparse;
    (void)r;
}
