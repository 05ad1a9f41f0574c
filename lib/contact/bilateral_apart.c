/* bilateral_apart.c - velocities of contacts, which W and q give, held against those of the bodies
 * that constraints hold. */
#include "contact/bilateral_internal.h"

#include <math.h>

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

/* imp_bilateral_apart of contact i. */
static double apart_at(const imp_bilateral *b, int i, const double *p, const double *x,
                       const double *u, const double *velocity) {
    const imp_operator W = imp_operator_factored(b->factored);
    double sum[3], size[3], terms = 0, worst = 0, parts = imp_bilateral_speed(b, i);
    W.kind->row(&W, i, -1, p, sum, size);
    for (int r = 0; r < 3; r++) {
        terms = fmax(terms, size[r] + fabs(u[3 * i + r] - sum[r]));
        for (int j = 0; x && j < b->rubs; j++)
            parts += fabs(b->K[(size_t)(3 * i + r) * (size_t)b->rubs + (size_t)j] * x[j]);
    }
    for (int r = 0; r < 3; r++) {
        const double off = fabs(slip_of(b, i, r, velocity) - u[3 * i + r]);
        /* what the rows alone say is judged as theirs, and rounding is none */
        if (imp_bilateral_can_change(b, i, r) && !(isfinite(parts) && off <= IMP_CANCELLED * parts))
            worst = fmax(worst, imp_bilateral_relative(off, terms));
    }
    return worst;
}

double imp_bilateral_apart(const imp_bilateral *b, const double *p, const double *x,
                           const double *u, const double *velocity) {
    double worst = 0;
    for (int i = 0; i < b->nc; i++)
        worst = fmax(worst, apart_at(b, i, p, x, u, velocity));
    return worst;
}
