/* plus_solve.c - the linear system of an interval, and its least-norm solution.
 *
 * Uchida, Sherman, Delp (2015), eqs. (2.3), (2.7), (2.8), (2.10), (2.11) and Table 1: B pi = w of
 * size 3nc. Departure: only what is not given outright is an unknown: the normal impulse of a
 * compressing contact that slides, all three of one that rolls, the two tangential ones of an
 * expanding contact that rolls. A sliding contact's column is scaled by 1/sqrt(1 + mu^2), so that
 * the least norm of the unknowns is the least norm of pi. */
#include "linear/cof.h"
#include "plus/plus_internal.h"

#include <string.h>

static bool rolls(const plus *s, int i) {
    return s->motion[i] == 'r' && s->phase[i] != 'O' && (s->phase[i] == 'X' || s->active[i]);
}

/* A compressing contact whose impulse has a given direction. */
static bool is_ray(const plus *s, int i) {
    return s->phase[i] == 'C' && s->active[i] && s->motion[i] != 'r';
}

/* Lists the unknowns and equations, in the order of the contacts. */
static void list(plus *s) {
    s->m = 0;
    for (int i = 0; i < s->nc; i++) {
        const int first = is_ray(s, i) || (rolls(s, i) && s->phase[i] == 'C') ? 0 : 1,
                  last = rolls(s, i) ? 2 : 0;
        for (int k = first; k <= last; k++) {
            s->row[s->m] = s->unknown[s->m] = 3 * i + k;
            s->m++;
        }
    }
}

void imp_plus_multiply(plus *s) {
    const int n = s->n;
    double *restrict sum = s->Wpi;
    memset(sum, 0, (size_t)n * sizeof *sum);
    for (int c = 0; c < n; c += 3) {
        const double *x = s->pi + c, *W = s->W + (size_t)c * n;
        if (x[0] == 0 && x[1] == 0 && x[2] == 0) continue;
        for (int r = 0; r < n; r++)
            sum[r] += W[r] * x[0] + W[n + r] * x[1] + W[2 * n + r] * x[2];
    }
}

/* The impulses that are given: expanding contacts' normal ones, and their friction where it has a
 * direction. */
static void give(plus *s) {
    bool given = false;
    memset(s->pi, 0, (size_t)s->n * sizeof *s->pi);
    memset(s->Wpi, 0, (size_t)s->n * sizeof *s->Wpi);
    for (int i = 0; i < s->nc; i++)
        if (s->phase[i] == 'X') {
            given = true;
            double *pi = s->pi + 3 * i;
            pi[0] = s->pushed[i];
            if (s->motion[i] == 'r') continue;
            pi[1] = -s->mu[i] * pi[0] * s->slip[2 * i];
            pi[2] = -s->mu[i] * pi[0] * s->slip[2 * i + 1];
        }
    if (given) imp_plus_multiply(s);
}

void imp_plus_image(const plus *s, int j, int count, const int *rows, double *image) {
    const int n = s->n, c = s->unknown[j], i = c / 3;
    const double *W = s->W + (size_t)c * n;
    if (!is_ray(s, i)) {
        for (int k = 0; k < count; k++)
            image[k] = W[rows[k]];
        return;
    }
    const double mu = s->mu[i], t = mu * s->slip[2 * i], o = mu * s->slip[2 * i + 1],
                 scale = s->ray[i];
    for (int k = 0; k < count; k++) {
        const int r = rows[k];
        image[k] = scale * (W[r] - t * W[n + r] - o * W[2 * n + r]);
    }
}

void imp_plus_assemble(plus *s) {
    list(s);
    give(s);
    for (int j = 0; j < s->m; j++) {
        const int r = s->row[j];
        double *column = s->M + (size_t)j * s->m;
        imp_plus_image(s, j, s->m, s->row, column);
        for (int k = 0; k < s->m; k++)
            column[k] *= s->row_scale[s->row[k]];
        s->rhs[j] = s->row_scale[r] * ((r % 3 == 0 ? s->aim[r / 3] : 0) - s->v[r] - s->Wpi[r]);
    }
}

void imp_plus_expand(plus *s, const double *x) {
    for (int j = 0; j < s->m; j++) {
        const int c = s->unknown[j], i = c / 3;
        if (!is_ray(s, i)) {
            s->pi[c] = x[j];
            continue;
        }
        const double mu = s->mu[i], p_n = x[j] * s->ray[i];
        s->pi[c] = p_n;
        s->pi[c + 1] = -mu * p_n * s->slip[2 * i];
        s->pi[c + 2] = -mu * p_n * s->slip[2 * i + 1];
    }
    imp_plus_multiply(s);
}

void imp_plus_solve(plus *s) {
    imp_plus_assemble(s);
    const int m = s->m;
    s->redundant = false;
    /* 10: passes over the contacts that judge it */
    s->effort += (double)m * m * m + (double)(m + 10) * s->n;
    if (m == 1) {
        s->x[0] = s->M[0] != 0 ? s->rhs[0] / s->M[0] : 0;
    } else if (m > 1) {
        memcpy(s->x, s->rhs, (size_t)m * sizeof *s->x);
        s->redundant = imp_cof_solve(m, s->M, 1, s->x, s->work) < m;
    }
    if (m > 0) imp_plus_expand(s, s->x);
}
