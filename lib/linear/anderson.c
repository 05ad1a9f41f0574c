/* anderson.c - type-II Anderson mixing by normal equations with a relative ridge.
 *
 * Walker, Ni (2011), "Anderson acceleration for fixed-point iterations". */
#include "linear/anderson.h"
#include "base/two_lanes.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { PAIRS = (ANDERSON_MEMORY + 1) / 2, SLOTS = 2 * PAIRS };

struct anderson {
    size_t n, states; /* numbers of the argument and of the state */
    int slot;         /* where the next difference goes; there are zeros until it does */
    double *weight;   /* (n) */
    double *x;        /* (n) argument of the map */
    /* of the last application: g - x (n), g (n), its state (states) */
    double *residual, *image, *state;
    two_lanes *d_residual, *d_image, *d_state; /* (PAIRS times as many) differences of successive
                                                  ones, all of them of one number together */
    double product[ANDERSON_MEMORY][ANDERSON_MEMORY]; /* of the d_residual with each other */
    double with_residual[ANDERSON_MEMORY];            /* of the d_residual with the last residual */
    /* weighted norm of the last residual; 0: none yet */
    double size;
    double *memory; /* what all of these point into */
};

anderson *imp_anderson_new(int numbers, int beside, double **weight) {
    const size_t n = (size_t)numbers, states = (size_t)beside;
    anderson *a = calloc(1, sizeof *a);
    const size_t differences = SLOTS * (2 * n + states),
                 size = (differences + 4 * n + states + 2) / 2 * 16;
    double *memory = aligned_alloc(16, size);
    if (!a || !memory) {
        free(a);
        free(memory);
        return NULL;
    }
    memset(memory, 0, size);
    *a = (anderson){.n = n, .states = states, .memory = memory};
    a->d_residual = (two_lanes *)(void *)memory;
    a->d_image = a->d_residual + PAIRS * n;
    a->d_state = a->d_image + PAIRS * n;
    a->weight = memory + differences;
    a->x = a->weight + n;
    a->residual = a->x + n;
    a->image = a->residual + n;
    a->state = a->image + n;
    for (size_t i = 0; i < n; i++)
        a->weight[i] = 1;
    *weight = a->weight;
    return a;
}

void imp_anderson_free(anderson *a) {
    if (a) free(a->memory);
    free(a);
}

void imp_anderson_forget(anderson *a) {
    memset(a->d_residual, 0, SLOTS * (2 * a->n + a->states) * sizeof *a->memory);
    memset(a->product, 0, sizeof a->product);
    a->size = 0;
}

void imp_anderson_before(anderson *a, const double *x) {
    memcpy(a->x, x, a->n * sizeof *a->x);
}

/* gamma (memory) <- argmin |residual - sum gamma_k d_residual_k|, 0 for differences that are 0;
 * false where all are. */
static bool coefficients(const anderson *a, double *gamma) {
    double G[ANDERSON_MEMORY][ANDERSON_MEMORY + 1] = {{0}}, trace = 0;
    const int m = ANDERSON_MEMORY;
    for (int i = 0; i < m; i++) {
        memcpy(G[i], a->product[i], sizeof a->product[i]);
        G[i][m] = a->with_residual[i];
        trace += G[i][i];
    }
    for (int i = 0; i < m; i++)
        G[i][i] += 1e-10 * G[i][i] + 1e-14 * trace;
    for (int k = 0; k < m; k++) { /* positive definite: no pivoting */
        if (!(G[k][k] > 0)) return false;
        for (int i = k + 1; i < m; i++) {
            const double f = G[i][k] / G[k][k];
            for (int j = k; j <= m; j++)
                G[i][j] -= f * G[k][j];
        }
    }
    for (int k = m - 1; k >= 0; k--) {
        gamma[k] = G[k][m];
        for (int j = k + 1; j < m; j++)
            gamma[k] -= G[k][j] * gamma[j];
        gamma[k] /= G[k][k];
    }
    return true;
}

/* Takes the new application into the history, with the products of the newest difference; returns
 * the weighted norm of its residual. */
static double record(anderson *a, const double *image, const double *state) {
    const size_t slot = (size_t)a->slot;
    double square = 0, newest_square = 0, newest_with_residual = 0;
    two_lanes with_newest[PAIRS] = {{0}}, with_residual[PAIRS] = {{0}};
    for (size_t i = 0; i < a->n; i++) {
        const double f = image[i] - a->x[i], d = f - a->residual[i], wf = a->weight[i] * f,
                     wd = a->weight[i] * d;
        two_lanes *D = a->d_residual + PAIRS * i;
        for (int k = 0; k < PAIRS; k++) { /* its own slot still holds an old one: summed apart */
            with_newest[k] += wd * D[k];
            with_residual[k] += wf * D[k];
        }
        square += wf * f;
        newest_square += wd * d;
        newest_with_residual += wf * d;
        D[slot / 2][slot % 2] = d;
        a->d_image[PAIRS * i + slot / 2][slot % 2] = image[i] - a->image[i];
        a->residual[i] = f;
        a->image[i] = image[i];
    }
    for (size_t i = 0; i < a->states; i++) {
        a->d_state[PAIRS * i + slot / 2][slot % 2] = state[i] - a->state[i];
        a->state[i] = state[i];
    }
    for (int k = 0; k < ANDERSON_MEMORY; k++) {
        a->product[slot][k] = a->product[k][slot] = with_newest[k / 2][k % 2];
        a->with_residual[k] = with_residual[k / 2][k % 2];
    }
    a->product[slot][slot] = newest_square;
    a->with_residual[slot] = newest_with_residual;
    return sqrt(square);
}

/* x (n) -= sum gamma_k d_k. */
static void mix(const two_lanes gamma[PAIRS], const two_lanes *d, double *x, size_t n) {
    for (size_t i = 0; i < n; i++, d += PAIRS) {
        two_lanes sum = gamma[0] * d[0];
        for (int k = 1; k < PAIRS; k++)
            sum += gamma[k] * d[k];
        x[i] -= sum[0] + sum[1];
    }
}

double imp_anderson_after(anderson *a, double *x, double *state) {
    const double before = a->size;
    for (size_t i = 0; before == 0 && i < a->n; i++)
        a->residual[i] = x[i] - a->x[i]; /* nothing to take a difference with yet: it is 0 */
    const double size = a->size = record(a, x, state);
    if (before > 0 && size > 2 * before) {
        imp_anderson_forget(a);
        a->size = size;
        return size;
    }
    a->slot = (a->slot + 1) % ANDERSON_MEMORY;
    double gamma[SLOTS] = {0};
    if (!coefficients(a, gamma)) return size;
    two_lanes paired[PAIRS];
    memcpy(paired, gamma, sizeof paired);
    mix(paired, a->d_image, x, a->n);
    mix(paired, a->d_state, state, a->states);
    return size;
}
