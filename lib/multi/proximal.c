/* proximal.c - semismooth Newton on the Alart-Curnier form of one proximal step, sparse LU by KLU.
 *
 * R(p) = P(y) - p, y = p_k - r (W p + q), D = r dP/dy: (E + D W) dp = R. Open contacts (y_n <= 0) have D = 0: their dp
 * is known and the system is solved on the closed ones. With W = H' M^-1 H the same step is (M + H D H') x = H R, dp =
 * R - D H'x, of the size of the bodies instead of the contacts: that is the hyperstatic case. */
#include "multi/proximal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/klu.h>

struct proximal {
    size_t n; /* 3nc */
    const imp_sparse *M, *H;
    double alpha;
    double *centre;     /* (n) p_k */
    double *R, *dp;     /* (n) */
    double *D;          /* (9nc) r dP/dy */
    double *trial;      /* (n) p before a step */
    int *index;         /* (nc) position of a closed contact among the closed ones, -1: open */
    imp_sparse system;  /* assembled matrix */
    int room;           /* entries it has room for */
    double *rhs;        /* (rows of the system) */
    int *pattern_index; /* (nc) index at the last analysis */
    klu_symbolic *order;
    klu_numeric *factor;
    klu_common common;
    int steps;
    double work;
    double sweep_flops;
};

void imp_proximal_free(proximal *s) {
    if (!s) return;
    if (s->factor) klu_free_numeric(&s->factor, &s->common);
    if (s->order) klu_free_symbolic(&s->order, &s->common);
    imp_sparse_clear(&s->system);
    free(s->centre);
    free(s->index);
    free(s->pattern_index);
    free(s->rhs);
    free(s);
}

/* The pattern of M + H D H', from the contacts' cliques. False without memory. */
static bool body_pattern(proximal *s) {
    const imp_sparse *M = s->M, *H = s->H;
    size_t count = (size_t)M->start[M->columns];
    for (int c = 0; c < H->columns / 3; c++) {
        const size_t m = (size_t)(H->start[3 * c + 3] - H->start[3 * c]);
        count += m * m;
    }
    if (count > 1u << 28) return false;
    int *row = malloc(count * sizeof *row), *column = malloc(count * sizeof *column);
    double *zero = calloc(count, sizeof *zero);
    bool good = row && column && zero;
    size_t k = 0;
    for (int j = 0; good && j < M->columns; j++)
        for (int e = M->start[j]; e < M->start[j + 1]; e++, k++) {
            row[k] = M->row[e];
            column[k] = j;
        }
    for (int c = 0; good && c < H->columns / 3; c++)
        for (int a = H->start[3 * c]; a < H->start[3 * c + 3]; a++)
            for (int b = H->start[3 * c]; b < H->start[3 * c + 3]; b++, k++) {
                row[k] = H->row[a];
                column[k] = H->row[b];
            }
    good = good && imp_sparse_from_triplets(M->rows, M->columns, (int)k, row, column, zero, &s->system) == IMP_OK;
    free(row);
    free(column);
    free(zero);
    return good;
}

proximal *imp_proximal_new(const blockwise *b, const imp_sparse *M, const imp_sparse *H) {
    const size_t nc = (size_t)b->nc, n = 3 * nc, rows = H ? (size_t)H->rows : n;
    proximal *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->n = n;
    s->M = M;
    s->H = H;
    klu_defaults(&s->common);
    s->centre = malloc((4 * n + 9 * nc) * sizeof *s->centre);
    s->index = malloc(nc * sizeof *s->index);
    s->pattern_index = malloc(nc * sizeof *s->pattern_index);
    s->rhs = malloc((rows + 1) * sizeof *s->rhs);
    s->sweep_flops = 18.0 * (double)(b->start[nc] + b->nc) + 1;
    if (!s->centre || !s->index || !s->pattern_index || !s->rhs || (H && !body_pattern(s))) {
        imp_proximal_free(s);
        return NULL;
    }
    s->R = s->centre + n;
    s->dp = s->R + n;
    s->trial = s->dp + n;
    s->D = s->trial + n;
    memset(s->pattern_index, 0xff, nc * sizeof *s->pattern_index);
    return s;
}

/* R and D at the present p, u; returns |R| in velocities, sqrt(sum (weight_c R_c)^2). */
static double residual(proximal *s, const blockwise *b) {
    double square = 0;
    for (int c = 0; c < b->nc; c++) {
        const double w = b->contact[c].weight, mu = b->contact[c].mu, r = 1 / (s->alpha * w);
        const double *p = b->p + 3 * (size_t)c, *u = b->u + 3 * (size_t)c, *centre = s->centre + 3 * (size_t)c;
        double *R = s->R + 3 * (size_t)c, *D = s->D + 9 * (size_t)c, y[3];
        for (int i = 0; i < 3; i++)
            y[i] = centre[i] - r * u[i];
        memset(D, 0, 9 * sizeof *D);
        s->index[c] = -1;
        double P[3] = {0, 0, 0};
        if (y[0] > 0) {
            const double length = sqrt(y[1] * y[1] + y[2] * y[2]), limit = mu * y[0];
            s->index[c] = 0;
            D[0] = r;
            P[0] = y[0];
            if (length <= limit) {
                P[1] = y[1];
                P[2] = y[2];
                D[4] = D[8] = r;
            } else {
                const double d[2] = {y[1] / length, y[2] / length}, f = r * limit / length;
                P[1] = limit * d[0];
                P[2] = limit * d[1];
                D[3] = r * mu * d[0];
                D[6] = r * mu * d[1];
                D[4] = f * (1 - d[0] * d[0]);
                D[5] = D[7] = -f * d[0] * d[1];
                D[8] = f * (1 - d[1] * d[1]);
            }
        }
        for (int i = 0; i < 3; i++) {
            R[i] = P[i] - p[i];
            square += w * R[i] * w * R[i];
        }
    }
    return sqrt(square);
}

/* Factorises the assembled system, anew or on the same pattern. */
static bool factorise(proximal *s, bool new_pattern) {
    if (new_pattern || !s->order) {
        if (s->factor) klu_free_numeric(&s->factor, &s->common);
        if (s->order) klu_free_symbolic(&s->order, &s->common);
        s->order = klu_analyze(s->system.rows, s->system.start, s->system.row, &s->common);
        if (!s->order) return false;
    }
    if (s->factor) klu_free_numeric(&s->factor, &s->common);
    s->factor = klu_factor(s->system.start, s->system.row, s->system.value, s->order, &s->common);
    if (!s->factor) return false;
    klu_flops(s->order, s->factor, &s->common);
    s->work += s->common.flops / s->sweep_flops;
    return true;
}

static bool solve_system(proximal *s) {
    return klu_solve(s->order, s->factor, s->system.rows, 1, s->rhs, &s->common) != 0;
}

/* y (3) += B x or -= by sign. */
static void add_product(const double B[9], const double x[3], double sign, double y[3]) {
    for (int i = 0; i < 3; i++)
        y[i] += sign * (B[3 * i] * x[0] + B[3 * i + 1] * x[1] + B[3 * i + 2] * x[2]);
}

static void product(const double A[9], const double B[9], double C[9]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            C[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
}

/* Room for `count` entries in `columns` columns of the contact-space system. */
static bool make_room(proximal *s, int columns, int count) {
    if (s->system.start && s->room >= count && s->system.columns >= 0) {
        s->system.rows = s->system.columns = columns;
        return true;
    }
    imp_sparse_clear(&s->system);
    s->room = count;
    s->system = (imp_sparse){columns, columns, malloc((s->n + 1) * sizeof(int)), malloc((size_t)count * sizeof(int)),
                             malloc((size_t)count * sizeof(double))};
    return s->system.start && s->system.row && s->system.value;
}

/* Scalar columns 3j .. 3j+2 of block column c: rows D_i W_ic of the closed neighbours, identity on the diagonal. */
static void put_block(proximal *s, const double B[9], int i, const int at[3], bool diagonal) {
    for (int k = 0; k < 3; k++)
        for (int r = 0; r < 3; r++) {
            s->system.row[at[k] + r] = 3 * i + r;
            s->system.value[at[k] + r] = B[3 * r + k] + (diagonal && r == k);
        }
}

static bool contact_system(proximal *s, const blockwise *b) {
    int closed = 0, blocks = 0;
    for (int c = 0; c < b->nc; c++)
        if (s->index[c] >= 0) s->index[c] = closed++;
    for (int c = 0; c < b->nc; c++) {
        if (s->index[c] < 0) continue;
        blocks++;
        for (int k = b->start[c]; k < b->start[c + 1]; k++)
            blocks += s->index[b->row[k]] >= 0;
    }
    if (closed == 0) return true;
    if (!make_room(s, 3 * closed, 9 * blocks)) return false;
    int at = 0;
    for (int c = 0; c < b->nc; c++) {
        if (s->index[c] < 0) continue;
        int height = 3;
        for (int k = b->start[c]; k < b->start[c + 1]; k++)
            height += s->index[b->row[k]] >= 0 ? 3 : 0;
        int place[3];
        for (int k = 0; k < 3; k++) {
            s->system.start[3 * s->index[c] + k] = at + k * height;
            place[k] = at + k * height;
        }
        double B[9];
        product(s->D + 9 * (size_t)c, b->contact[c].A, B);
        put_block(s, B, s->index[c], place, true);
        for (int k = b->start[c]; k < b->start[c + 1]; k++) {
            const int i = b->row[k];
            if (s->index[i] < 0) continue;
            for (int l = 0; l < 3; l++)
                place[l] += 3;
            product(s->D + 9 * (size_t)i, b->block + 9 * (size_t)k, B);
            put_block(s, B, s->index[i], place, false);
        }
        at += 3 * height;
    }
    s->system.start[3 * closed] = at;
    return true;
}

/* dp on the closed contacts; open ones have dp = R. */
static bool contact_direction(proximal *s, const blockwise *b) {
    if (!contact_system(s, b)) return false;
    memcpy(s->dp, s->R, s->n * sizeof *s->dp);
    bool any = false;
    for (int c = 0; c < b->nc; c++)
        any = any || s->index[c] >= 0;
    if (!any) return true;
    for (int c = 0; c < b->nc; c++)
        if (s->index[c] >= 0) memcpy(s->rhs + 3 * (size_t)s->index[c], s->R + 3 * (size_t)c, 3 * sizeof *s->rhs);
    for (int c = 0; c < b->nc; c++) { /* what the open contacts' known dp does to the closed ones */
        if (s->index[c] >= 0) continue;
        for (int k = b->start[c]; k < b->start[c + 1]; k++) {
            const int i = b->row[k];
            if (s->index[i] < 0) continue;
            double v[3] = {0, 0, 0};
            add_product(b->block + 9 * (size_t)k, s->R + 3 * (size_t)c, 1, v);
            add_product(s->D + 9 * (size_t)i, v, -1, s->rhs + 3 * (size_t)s->index[i]);
        }
    }
    const size_t bytes = (size_t)b->nc * sizeof *s->index;
    const bool same = memcmp(s->index, s->pattern_index, bytes) == 0;
    if (!same) memcpy(s->pattern_index, s->index, bytes);
    if (!factorise(s, !same) || !solve_system(s)) return false;
    for (int c = 0; c < b->nc; c++)
        if (s->index[c] >= 0) memcpy(s->dp + 3 * (size_t)c, s->rhs + 3 * (size_t)s->index[c], 3 * sizeof *s->rhs);
    return true;
}

static int find(const imp_sparse *A, int row, int column) {
    int low = A->start[column], high = A->start[column + 1] - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (A->row[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* In body coordinates; M and H in the units of the blockwise problem: W = H' M^-1 H. */
static bool body_direction(proximal *s, const blockwise *b) {
    imp_sparse *system = &s->system;
    const imp_sparse *M = s->M, *H = s->H;
    memset(system->value, 0, (size_t)system->start[system->columns] * sizeof *system->value);
    for (int j = 0; j < M->columns; j++)
        for (int e = M->start[j]; e < M->start[j + 1]; e++)
            system->value[find(system, M->row[e], j)] += M->value[e];
    memset(s->rhs, 0, (size_t)H->rows * sizeof *s->rhs);
    for (int c = 0; c < b->nc; c++) {
        const double *D = s->D + 9 * (size_t)c;
        for (int k = 0; k < 3; k++)
            for (int e = H->start[3 * c + k]; e < H->start[3 * c + k + 1]; e++) {
                s->rhs[H->row[e]] += H->value[e] * s->R[3 * (size_t)c + (size_t)k];
                for (int l = 0; l < 3 && s->index[c] >= 0; l++)
                    for (int f = H->start[3 * c + l]; f < H->start[3 * c + l + 1]; f++)
                        system->value[find(system, H->row[e], H->row[f])] += H->value[e] * D[3 * k + l] * H->value[f];
            }
    }
    if (!factorise(s, false) || !solve_system(s)) return false;
    memcpy(s->dp, s->R, s->n * sizeof *s->dp);
    for (int c = 0; c < b->nc; c++) {
        double v[3] = {0, 0, 0};
        for (int k = 0; k < 3; k++)
            for (int e = H->start[3 * c + k]; e < H->start[3 * c + k + 1]; e++)
                v[k] += H->value[e] * s->rhs[H->row[e]];
        add_product(s->D + 9 * (size_t)c, v, -1, s->dp + 3 * (size_t)c);
    }
    return true;
}

/* p <- trial + step dp with u anew; |R| there. */
static double try_step(proximal *s, blockwise *b, double step) {
    for (size_t i = 0; i < s->n; i++)
        b->p[i] = s->trial[i] + step * s->dp[i];
    imp_blockwise_refresh(b);
    return residual(s, b);
}

bool imp_proximal_step(proximal *s, blockwise *b, double alpha, double tolerance) {
    enum { MOST_STEPS = 40 };
    s->alpha = alpha;
    memcpy(s->centre, b->p, s->n * sizeof *s->centre);
    double size = residual(s, b);
    for (s->steps = 0; s->steps == 0 || size > tolerance; s->steps++) {
        if (s->steps == MOST_STEPS || !isfinite(size)) return false;
        if (!(s->H ? body_direction(s, b) : contact_direction(s, b))) return false;
        memcpy(s->trial, b->p, s->n * sizeof *s->trial);
        double step = 1, next = try_step(s, b, step);
        for (int halved = 0; halved < 6 && !(next < size); halved++)
            next = try_step(s, b, step *= 0.5);
        s->work += 1;
        if (!(next < size)) return size <= tolerance;
        size = next;
    }
    return true;
}

int imp_proximal_steps(const proximal *s) {
    return s->steps;
}

double imp_proximal_work(const proximal *s) {
    return s->work;
}
