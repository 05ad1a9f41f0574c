/* proximal.c - semismooth Newton on the Alart-Curnier form of one proximal step.
 *
 * R(p) = P(y) - p, y = p_k - r (W p + q); the direction comes from newton_system.h. */
#include "blocks/proximal.h"

#include "blocks/newton_system.h"
#include "contact/friction_cone.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct proximal {
    size_t n; /* 3nc */
    double alpha;
    double *centre, *trial; /* (n) p_k, and p before a step */
    newton_system system;
    int steps;
};

void imp_proximal_free(proximal *s) {
    if (!s) return;
    imp_newton_system_clear(&s->system);
    free(s->centre);
    free(s);
}

proximal *imp_proximal_new(blockwise *b) {
    const size_t n = 3 * (size_t)b->nc;
    proximal *s = calloc(1, sizeof *s);
    double *memory = malloc(2 * n * sizeof *memory);
    if (!s || !memory) b->no_memory = true;
    if (!s || !memory || !imp_newton_system_new(&s->system, b)) {
        free(s);
        free(memory);
        return NULL;
    }
    s->n = n;
    s->centre = memory;
    s->trial = memory + n;
    return s;
}

double imp_proximal_cost(proximal *s) {
    return imp_newton_expected(&s->system);
}

/* R and D at the present p, u; returns |R| in velocities, sqrt(sum (weight_c R_c)^2). */
static double residual(proximal *s, const blockwise *b) {
    double square = 0;
    for (int c = 0; c < b->nc; c++) {
        const double w = b->contact[c].weight, mu = b->contact[c].mu, r = 1 / (s->alpha * w);
        const double *p = b->p + 3 * (size_t)c, *u = b->u + 3 * (size_t)c,
                     *centre = s->centre + 3 * (size_t)c;
        double *R = s->system.R + 3 * (size_t)c, *D = s->system.D + 9 * (size_t)c, y[3];
        for (int i = 0; i < 3; i++)
            y[i] = centre[i] - r * u[i];
        memset(D, 0, 9 * sizeof *D);
        s->system.index[c] = -1;
        double P[3] = {0, 0, 0};
        if (y[0] > 0) {
            double DT[4], towards[2]; /* derivatives of P_T by y_T and by its bound */
            s->system.index[c] = 0;
            D[0] = r;
            P[0] = y[0];
            imp_disc_project(mu * y[0], y + 1, P + 1, DT, towards);
            for (int i = 0; i < 2; i++) {
                D[3 + 3 * i] = r * mu * towards[i];
                for (int j = 0; j < 2; j++)
                    D[4 + 3 * i + j] = r * DT[2 * i + j];
            }
        }
        for (int i = 0; i < 3; i++) {
            R[i] = P[i] - p[i];
            square += w * R[i] * w * R[i];
        }
    }
    return sqrt(square);
}

/* p <- trial + step dp with u anew; |R| there. */
static double try_step(proximal *s, blockwise *b, double step) {
    for (size_t i = 0; i < s->n; i++)
        b->p[i] = s->trial[i] + step * s->system.dp[i];
    imp_blockwise_refresh(b);
    return residual(s, b);
}

/* One step from s->trial with up to 6 halvings until |R| is below `limit`; |R| where it ended,
 * INFINITY where there was no direction. */
static double newton_step(proximal *s, blockwise *b, double limit) {
    if (!imp_newton_factorise(&s->system, b)) return INFINITY;
    imp_newton_direction(&s->system, b);
    double step = 1, next = try_step(s, b, step);
    for (int halved = 0; halved < 6 && !(next < limit); halved++)
        next = try_step(s, b, step *= 0.5);
    s->system.work += 1;
    return next;
}

bool imp_proximal_step(proximal *s, blockwise *b, double alpha, double tolerance,
                       double allowance) {
    enum { MOST_STEPS = 40 };
    const double most = s->system.work + allowance;
    s->alpha = alpha;
    memcpy(s->centre, b->p, s->n * sizeof *s->centre);
    /* R holds the rounding of u for 1/alpha times itself */
    tolerance = fmax(tolerance, imp_blockwise_rounding(b) / alpha);
    double size = residual(s, b);
    for (s->steps = 0; s->steps == 0 || size > tolerance; s->steps++) {
        if (s->steps == MOST_STEPS || s->system.work > most || !isfinite(size) ||
            imp_blockwise_cancelled(b))
            return false;
        memcpy(s->trial, b->p, s->n * sizeof *s->trial);
        const double next = newton_step(s, b, size);
        if (!(next < size)) return size <= tolerance;
        size = next;
    }
    return true;
}

int imp_proximal_steps(const proximal *s) {
    return s->steps;
}

double imp_proximal_work(const proximal *s) {
    return s->system.work;
}
