/* anderson.c - type-II Anderson mixing by normal equations with a relative ridge.
 *
 * Walker, Ni (2011), "Anderson acceleration for fixed-point iterations". Norms are weighted by each contact's
 * trace(W_cc)/3, so that units of impulse drop out. */
#include "multi/anderson.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct anderson {
    size_t n, states;                       /* 3nc, and numbers in the state */
    int count;                              /* differences held */
    int slot;                               /* where the next goes */
    double *weight;                         /* (n) */
    double *x;                              /* (n) argument of the map */
    double *residual, *image, *state;       /* of the last application: g - x (n), g (n), its state (states) */
    double *d_residual, *d_image, *d_state; /* (memory times as many) differences of successive ones */
    double product[ANDERSON_MEMORY][ANDERSON_MEMORY]; /* of the d_residual with each other */
    double size;                                      /* weighted norm of the last residual; 0: none yet */
    double *memory;                                   /* what all of these point into */
};

anderson *imp_anderson_new(const blockwise *b) {
    const size_t n = 3 * (size_t)b->nc, states = (size_t)b->states;
    anderson *a = calloc(1, sizeof *a);
    double *memory = malloc((2 * n + (ANDERSON_MEMORY + 1) * (2 * n + states)) * sizeof *memory);
    if (!a || !memory) {
        free(a);
        free(memory);
        return NULL;
    }
    *a = (anderson){.n = n, .states = states, .memory = memory, .weight = memory, .x = memory + n};
    a->residual = a->x + n;
    a->image = a->residual + n;
    a->state = a->image + n;
    a->d_residual = a->state + states;
    a->d_image = a->d_residual + ANDERSON_MEMORY * n;
    a->d_state = a->d_image + ANDERSON_MEMORY * n;
    for (size_t i = 0; i < n; i++)
        a->weight[i] = b->contact[i / 3].weight * b->contact[i / 3].weight;
    return a;
}

void imp_anderson_free(anderson *a) {
    if (a) free(a->memory);
    free(a);
}

void imp_anderson_forget(anderson *a) {
    a->count = a->slot = 0;
    a->size = 0;
}

static double product(const anderson *a, const double *x, const double *y) {
    double sum = 0;
    for (size_t i = 0; i < a->n; i++)
        sum += a->weight[i] * x[i] * y[i];
    return sum;
}

void imp_anderson_before(anderson *a, const blockwise *b) {
    memcpy(a->x, b->p, a->n * sizeof *a->x);
}

/* The products of the newest difference with all others. */
static void extend_products(anderson *a, int newest) {
    const double *d = a->d_residual + (size_t)newest * a->n;
    for (int k = 0; k < a->count; k++)
        a->product[newest][k] = a->product[k][newest] = product(a, d, a->d_residual + (size_t)k * a->n);
}

/* gamma <- argmin |residual - sum gamma_k d_residual_k|; false when the normal equations are singular. */
static bool coefficients(const anderson *a, double gamma[ANDERSON_MEMORY]) {
    double G[ANDERSON_MEMORY][ANDERSON_MEMORY + 1] = {{0}}, trace = 0;
    const int m = a->count;
    for (int i = 0; i < m; i++) {
        memcpy(G[i], a->product[i], (size_t)m * sizeof *G[i]);
        G[i][m] = product(a, a->d_residual + (size_t)i * a->n, a->residual);
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

/* Takes the new application into the history; returns the weighted norm of its residual. */
static double record(anderson *a, const blockwise *b) {
    const size_t at = (size_t)a->slot * a->n;
    const bool first = a->size == 0;
    double square = 0;
    for (size_t i = 0; i < a->n; i++) {
        const double f = b->p[i] - a->x[i];
        a->d_residual[at + i] = f - a->residual[i];
        a->d_image[at + i] = b->p[i] - a->image[i];
        a->residual[i] = f;
        a->image[i] = b->p[i];
        square += a->weight[i] * f * f;
    }
    const size_t state_at = (size_t)a->slot * a->states;
    for (size_t i = 0; i < a->states; i++) {
        a->d_state[state_at + i] = b->state[i] - a->state[i];
        a->state[i] = b->state[i];
    }
    if (!first) {
        if (a->count < ANDERSON_MEMORY) a->count++;
        extend_products(a, a->slot);
        a->slot = (a->slot + 1) % ANDERSON_MEMORY;
    }
    return sqrt(square);
}

double imp_anderson_after(anderson *a, blockwise *b, double enough) {
    if (a->size == 0) { /* nothing to take differences with yet */
        memset(a->residual, 0, a->n * sizeof *a->residual);
        memset(a->image, 0, a->n * sizeof *a->image);
        memset(a->state, 0, a->states * sizeof *a->state);
    }
    const double before = a->size, size = record(a, b);
    a->size = size;
    double gamma[ANDERSON_MEMORY];
    if (before > 0 && size > 2 * before) {
        imp_anderson_forget(a);
        a->size = size;
        return size;
    }
    if (size <= enough || a->count == 0 || !coefficients(a, gamma)) return size;
    for (int k = 0; k < a->count; k++) {
        const double *d_image = a->d_image + (size_t)k * a->n, *d_state = a->d_state + (size_t)k * a->states;
        for (size_t i = 0; i < a->n; i++)
            b->p[i] -= gamma[k] * d_image[i];
        for (size_t i = 0; i < a->states; i++)
            b->state[i] -= gamma[k] * d_state[i];
    }
    return size;
}
