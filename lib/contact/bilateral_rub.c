/* bilateral_rub.c - joints that rub: their impulses within bounds, beside rows and contacts. */
#include "contact/bilateral_internal.h"
#include "linear/bounded.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* root, and the rates before with their sizes. */
static void fill_roots(imp_bilateral *b) {
    const size_t n = (size_t)b->roots.rows;
    for (const imp_term *t = b->rub; t < b->rub + b->rub_terms; t++) {
        const imp_body *body = &b->body[t->body];
        double own[6];
        for (int k = 0; k < 6; k++) {
            const double part = t->axis[k] * (k < 3 ? body->velocity[k] : body->spin[k - 3]);
            b->slide[t->row] += part;
            b->size[t->row] += fabs(part);
        }
        if (b->roots.first[t->body] < 0) continue;
        imp_roots_row(&b->roots, b->body, t->body, t->axis, own);
        for (int k = 0; k < 6; k++)
            b->root[(size_t)t->row * n + (size_t)(b->roots.first[t->body] + k)] += own[k];
    }
    for (int i = 0; i < b->rubs; i++)
        for (size_t k = 0; k < n; k++) {
            const double part = b->root[(size_t)i * n + k] * b->caught[k];
            b->slide[i] += part;
            b->size[i] += fabs(part);
        }
}

/* W of row r of the contacts. */
static double mobility(const imp_bilateral *b, int r) {
    const imp_factored *G = b->factored;
    double sum = 0;
    for (int k = G->start[r / 3]; k < G->start[r / 3 + 1]; k++) {
        const double part = G->G[3 * (size_t)k + (size_t)(r % 3)];
        sum += part * part;
    }
    return sum;
}

/* A and K, by Y (n): what the rows leave of each root. */
static void fill_products(imp_bilateral *b, double *Y, double *work) {
    const size_t n = (size_t)b->roots.rows, rubs = (size_t)b->rubs;
    for (size_t i = 0; i < rubs; i++) {
        memcpy(Y, b->root + i * n, n * sizeof *Y);
        imp_null_space_keep(b->space, Y, work);
        for (size_t j = 0; j <= i; j++) {
            double sum = 0;
            for (size_t k = 0; k < n; k++)
                sum += Y[k] * b->root[j * n + k];
            b->A[i * rubs + j] = b->A[j * rubs + i] = sum;
        }
        for (int r = 0; r < b->H.columns; r++)
            for (int k = b->H.start[r]; k < b->H.start[r + 1]; k++)
                b->K[(size_t)r * rubs + i] += b->H.value[k] * Y[b->H.row[k]];
    }
    for (size_t i = 0; i < rubs; i++) { /* a joint that the rows drive, or lock, no impulse moves */
        double own = 0;
        for (size_t k = 0; k < n; k++)
            own += b->root[i * n + k] * b->root[i * n + k];
        if (!(b->A[i * rubs + i] <= IMP_DEPENDENT * IMP_DEPENDENT * own)) continue;
        b->A[i * rubs + i] = 0;
        for (size_t r = 0; r < (size_t)b->H.columns; r++)
            b->K[r * rubs + i] = 0;
    }
    for (int r = 0; r < b->H.columns; r++) { /* nor what the rows hold, or do not couple with it */
        const bool held = !imp_bilateral_can_change(b, r / 3, r % 3);
        const double moves = sqrt(mobility(b, r));
        for (size_t i = 0; i < rubs; i++) {
            double *K = &b->K[(size_t)r * rubs + i];
            if (held || fabs(*K) <= IMP_CANCELLED * moves * sqrt(b->A[i * rubs + i])) *K = 0;
        }
    }
}

imp_status imp_bilateral_root_rubs(imp_bilateral *b) {
    const size_t n = (size_t)b->roots.rows, rubs = (size_t)b->rubs, contacts = 3 * (size_t)b->nc;
    double *work = malloc((5 * n + 4 * (size_t)b->rows + 1) * sizeof *work);
    b->root = calloc(rubs * (n + rubs + contacts + 2) + 1, sizeof *b->root);
    if (!work || !b->root) {
        free(work);
        return IMP_NO_MEMORY;
    }
    b->A = b->root + rubs * n;
    b->K = b->A + rubs * rubs;
    b->slide = b->K + contacts * rubs;
    b->size = b->slide + rubs;
    fill_roots(b);
    fill_products(b, work, work + n);
    free(work);
    return IMP_OK;
}

int imp_bilateral_rubs(const imp_bilateral *b) {
    return b->rubs;
}

imp_status imp_bilateral_rub(const imp_bilateral *b, const double *p, double *x) {
    const size_t rubs = (size_t)b->rubs;
    double *rate = malloc((4 * rubs + 1) * sizeof *rate), *size = rate + rubs, *slope = size + rubs,
           *least = slope + rubs;
    void *work = malloc(imp_bounded_workspace(b->rubs) + 1);
    imp_status status = rate && work ? IMP_OK : IMP_NO_MEMORY;
    for (size_t i = 0; i < rubs && status == IMP_OK; i++) {
        rate[i] = b->slide[i];
        size[i] = b->size[i];
        for (size_t r = 0; r < 3 * (size_t)b->nc; r++) {
            rate[i] += b->K[r * rubs + i] * p[r];
            size[i] += fabs(b->K[r * rubs + i] * p[r]);
        }
    }
    if (status == IMP_OK)
        status = imp_bounded_least(b->rubs, b->A, rate, size, b->bound, least, slope, work, NULL);
    if (status >= 0) memcpy(x, least, rubs * sizeof *x);
    for (size_t i = 0; i < rubs && status >= 0; i++) /* driven: it opposes what it cannot change */
        if (b->A[i * rubs + i] == 0)
            x[i] = fabs(rate[i]) > IMP_DEPENDENT * size[i] ? -copysign(b->bound[i], rate[i]) : 0;
    free(rate);
    free(work);
    return status;
}

void imp_bilateral_rubbed(const imp_bilateral *b, const double *x, double *q) {
    for (int r = 0; r < 3 * b->nc; r++) {
        double size = fabs(q[r]);
        for (int i = 0; i < b->rubs; i++) {
            const double part = b->K[(size_t)r * (size_t)b->rubs + (size_t)i] * x[i];
            q[r] += part;
            size += fabs(part);
        }
        if (fabs(q[r]) <= IMP_DEPENDENT * size) q[r] = 0;
    }
}
