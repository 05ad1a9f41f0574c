/* bilateral_apart.c - velocities of contacts, which W and q give, held against those of the bodies
 * that constraints hold. */
#include "contact/bilateral_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The velocity at contact i along row r, of bodies that move with `velocity`. */
static double slip_of(const imp_bilateral *b, int i, int r, const double *velocity) {
    const imp_contact *c = &b->contact[i];
    double sum = 0;
    for (int side = 0; side < 2; side++) {
        const int body = side ? c->b : c->a;
        if (body == IMP_GROUND) continue;
        const imp_arm arm = imp_arm_of(c, body, b->body);
        for (int k = 0; k < 6; k++) {
            const double axis = k < 3 ? c->frame[3 * r + k] : arm.angular[3 * r + k - 3];
            sum += arm.sign * axis * velocity[6 * body + k];
        }
    }
    return sum;
}

/* most (roots.rows) <- how much the rows and these impulses, each alone, may change; alone
 * (roots.rows) is scratch. */
static void find_changes(const imp_bilateral *b, const double *p, const double *x, double *most,
                         double *alone) {
    const size_t n = (size_t)b->roots.rows;
    memset(alone, 0, n * sizeof *alone);
    for (int r = 0; r < b->H.columns; r++)
        for (int k = b->H.start[r]; k < b->H.start[r + 1]; k++)
            alone[b->H.row[k]] += fabs(b->H.value[k] * p[r]);
    for (size_t i = 0; x && i < (size_t)b->rubs; i++)
        for (size_t k = 0; k < n; k++)
            alone[k] += fabs(b->root[i * n + k] * x[i]);
    imp_null_space_largest(b->space, alone, most);
    for (size_t k = 0; k < n; k++)
        most[k] = b->most[k] + fmax(most[k], alone[k]);
}

/* imp_bilateral_apart of contact i. */
static double apart_at(const imp_bilateral *b, int i, const double *p, const double *u,
                       const double *velocity, const double *most) {
    const imp_operator W = imp_operator_factored(b->factored);
    const double rounded = IMP_CANCELLED * imp_bilateral_speed(b, i, most);
    double sum[3], size[3], terms = 0, worst = 0;
    W.kind->row(&W, i, -1, p, sum, size);
    for (int r = 0; r < 3; r++)
        terms = fmax(terms, size[r] + fabs(u[3 * i + r] - sum[r]));
    for (int r = 0; r < 3; r++) {
        const double off = fabs(slip_of(b, i, r, velocity) - u[3 * i + r]);
        /* what the rows alone say is judged as theirs */
        if (imp_bilateral_can_change(b, i, r) && !(isfinite(rounded) && off <= rounded))
            worst = fmax(worst, imp_bilateral_relative(off, terms));
    }
    return worst;
}

imp_status imp_bilateral_apart(const imp_bilateral *b, const double *p, const double *x,
                               const double *u, const double *velocity, double *worst) {
    const size_t n = (size_t)b->roots.rows;
    double *most = malloc((2 * n + 1) * sizeof *most);
    *worst = 0;
    if (!most) return IMP_NO_MEMORY;
    find_changes(b, p, x, most, most + n);
    for (int i = 0; i < b->nc; i++)
        *worst = fmax(*worst, apart_at(b, i, p, u, velocity, most));
    free(most);
    return IMP_OK;
}
