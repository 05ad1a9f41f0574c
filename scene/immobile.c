/* immobile.c - tangents of contacts along which joints let nothing move. */
#include "scene/impact.h"

#include <math.h>

/* Of contact i: rows and columns of W along the tangent d (t, o) <- 0, but for the mobility. */
static void fill_along(size_t rows, int i, const double d[2], double mobility, double *W, double *u,
                       double *b) {
    const size_t t = 3 * (size_t)i + 1;
    double *const vector[] = {u, b};
    for (size_t k = 0; k < rows; k++) {
        const double along = d[0] * W[t * rows + k] + d[1] * W[(t + 1) * rows + k];
        for (size_t j = 0; j < 2; j++)
            W[(t + j) * rows + k] -= d[j] * along;
    }
    for (size_t k = 0; k < rows; k++) {
        const double along = d[0] * W[k * rows + t] + d[1] * W[k * rows + t + 1];
        for (size_t j = 0; j < 2; j++)
            W[k * rows + t + j] -= d[j] * along;
    }
    for (size_t j = 0; j < 2; j++)
        for (size_t k = 0; k < 2; k++)
            W[(t + j) * rows + t + k] += mobility * d[j] * d[k];
    for (int k = 0; k < 2 && vector[k]; k++) {
        const double along = d[0] * vector[k][t] + d[1] * vector[k][t + 1];
        for (size_t j = 0; j < 2; j++)
            vector[k][t + j] -= d[j] * along;
    }
}

void scene_fill_immobile(int nc, int count, double *W, double *u, double *b, double *moves) {
    const size_t rows = (size_t)count;
    for (int i = 0; i < nc; i++) {
        const double *w = W + 3 * (size_t)i * (rows + 1), *t = w + rows + 1, *o = t + rows + 1;
        const double normal = *w, cross = t[1], both = *t + *o,
                     least = both > 0 ? (*t * *o - cross * cross) / both : 0,
                     most = fmax(normal, both), none = SCENE_IMMOBILE * most;
        for (int k = 0; k < 2 && moves; k++)
            moves[2 * i + k] = most > 0 ? (k == 0 ? least : both) / most : 0;
        if (both <= none) {
            fill_along(rows, i, (double[]){1, 0}, normal, W, u, b);
            fill_along(rows, i, (double[]){0, 1}, normal, W, u, b);
        } else if (least <= none) {
            const double larger = fmax(*t, *o), length = hypot(larger, cross),
                         along = larger / length, across = -cross / length;
            const double d[2] = {*t < *o ? along : across, *t < *o ? across : along};
            fill_along(rows, i, d, normal, W, u, b);
        }
    }
}
