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

/* The rows of H that contact c touches, H_c as a dense block on them, and the positions of their products in the
 * system's values: offsets into row, wrench and place. */
typedef struct clique {
    int size, row, place;
} clique;

struct proximal {
    size_t n; /* 3nc */
    const imp_sparse *M, *H;
    double alpha;
    double *centre;     /* (n) p_k */
    double *R, *dp;     /* (n) */
    double *D;          /* (9nc) r dP/dy */
    double *trial;      /* (n) p before a step */
    int *index;         /* (nc) position of a closed contact among the closed ones, -1: open */
    clique *cliques;    /* (nc) where each contact stands in the system of the bodies */
    int *row, *place;   /* of all cliques: rows of H, and positions in the system; place of M's entries first */
    double *wrench;     /* of all cliques: H_c (size x 3) */
    imp_sparse system;  /* assembled matrix */
    int room;           /* entries it has room for */
    double *rhs;        /* (rows of the system) */
    int *pattern_index; /* (nc) index at the last analysis */
    klu_symbolic *order;
    klu_numeric *factor;
    klu_common common;
    bool reused;     /* the last factorisation took over its predecessor's pivots */
    bool pivot_anew; /* the next one must not */
    int steps;
    double work;
    double sweep_flops;
};

void imp_proximal_free(proximal *s) {
    if (!s) return;
    if (s->factor) klu_free_numeric(&s->factor, &s->common);
    if (s->order) klu_free_symbolic(&s->order, &s->common);
    imp_sparse_clear(&s->system);
    free(s->cliques);
    free(s->row);
    free(s->place);
    free(s->wrench);
    free(s->centre);
    free(s->index);
    free(s->pattern_index);
    free(s->rhs);
    free(s);
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

/* Rows and wrenches of every contact; returns the sum of the squares of their sizes, -1 without memory. */
static double gather_cliques(proximal *s, int nc) {
    const imp_sparse *H = s->H;
    int *last = malloc(((size_t)H->rows + 1) * sizeof *last), *slot = malloc(((size_t)H->rows + 1) * sizeof *slot);
    const size_t most = (size_t)H->start[H->columns] + 1;
    s->cliques = malloc((size_t)nc * sizeof *s->cliques);
    s->row = malloc(most * sizeof *s->row);
    s->wrench = calloc(3 * most, sizeof *s->wrench);
    double squares = last && slot && s->cliques && s->row && s->wrench ? 0 : -1;
    if (squares == 0) memset(last, 0xff, (size_t)H->rows * sizeof *last);
    for (int c = 0, at = 0; squares >= 0 && c < nc; c++) {
        const int first = at;
        for (int k = 0; k < 3; k++)
            for (int e = H->start[3 * c + k]; e < H->start[3 * c + k + 1]; e++) {
                const int row = H->row[e];
                if (last[row] != c) {
                    last[row] = c;
                    slot[row] = at;
                    s->row[at++] = row;
                }
                s->wrench[3 * (size_t)slot[row] + (size_t)k] = H->value[e];
            }
        s->cliques[c] = (clique){at - first, first, 0};
        squares += (double)(at - first) * (at - first);
    }
    free(last);
    free(slot);
    return squares;
}

/* The pattern of M + H D H' and where each contribution goes. False without memory. */
static bool body_pattern(proximal *s, int nc) {
    const imp_sparse *M = s->M;
    const double squares = gather_cliques(s, nc), all = squares + M->start[M->columns];
    if (squares < 0 || all > 1 << 28) return false;
    const size_t count = (size_t)all;
    int *row = malloc((count + 1) * sizeof *row), *column = malloc((count + 1) * sizeof *column), k = 0;
    double *zero = calloc(count + 1, sizeof *zero);
    s->place = malloc((count + 1) * sizeof *s->place);
    bool good = row && column && zero && s->place;
    for (int j = 0; good && j < M->columns; j++)
        for (int e = M->start[j]; e < M->start[j + 1]; e++, k++) {
            row[k] = M->row[e];
            column[k] = j;
        }
    for (int c = 0; good && c < nc; c++) {
        clique *q = &s->cliques[c];
        q->place = k;
        for (int a = 0; a < q->size; a++)
            for (int b = 0; b < q->size; b++, k++) {
                row[k] = s->row[q->row + a];
                column[k] = s->row[q->row + b];
            }
    }
    good = good && imp_sparse_from_triplets(M->rows, M->columns, k, row, column, zero, &s->system) == IMP_OK;
    for (int i = 0; good && i < k; i++)
        s->place[i] = find(&s->system, row[i], column[i]);
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
    s->sweep_flops = 18.0 * (double)(b->start[nc] + b->nc) + 250.0 * b->nc; /* a contact's own solve: some 250 */
    if (!s->centre || !s->index || !s->pattern_index || !s->rhs || (H && !body_pattern(s, b->nc))) {
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

/* What a factorisation costs, in sweeps: scattered operations take several times as long as those on blocks, and every
 * entry has its share of searching and moving. */
static double lu_cost(const proximal *s, double flops, double entries) {
    return (6 * flops + 20 * (entries + s->system.start[s->system.columns])) / s->sweep_flops;
}

double imp_proximal_cost(proximal *s) {
    if (!s->H) return 0;
    if (!s->order) s->order = klu_analyze(s->system.rows, s->system.start, s->system.row, &s->common);
    if (!s->order) return INFINITY;
    return lu_cost(s, fmax(0, s->order->est_flops), fmax(0, s->order->lnz) + fmax(0, s->order->unz));
}

/* Factorises the assembled system: anew, or with the pivots of the last one where the pattern is the same. */
static bool factorise(proximal *s, bool new_pattern) {
    if (new_pattern || !s->order) {
        if (s->factor) klu_free_numeric(&s->factor, &s->common);
        if (s->order) klu_free_symbolic(&s->order, &s->common);
        s->order = klu_analyze(s->system.rows, s->system.start, s->system.row, &s->common);
        if (!s->order) return false;
    }
    s->reused = s->factor && !s->pivot_anew;
    s->pivot_anew = false;
    if (s->reused && !klu_refactor(s->system.start, s->system.row, s->system.value, s->order, s->factor, &s->common))
        klu_free_numeric(&s->factor, &s->common);
    if (!s->reused || !s->factor) {
        if (s->factor) klu_free_numeric(&s->factor, &s->common);
        s->factor = klu_factor(s->system.start, s->system.row, s->system.value, s->order, &s->common);
        s->reused = false;
    }
    if (!s->factor) return false;
    klu_flops(s->order, s->factor, &s->common);
    s->work += lu_cost(s, s->common.flops, s->factor->lnz + s->factor->unz);
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

/* T (size x 3) <- H_c D, for one contact; the clique's products go to the system. */
static void add_clique(proximal *s, const clique *q, const double D[9]) {
    const double *H = s->wrench + 3 * (size_t)q->row;
    const int *place = s->place + q->place;
    for (int a = 0; a < q->size; a++) {
        double T[3];
        for (int l = 0; l < 3; l++)
            T[l] = H[3 * a] * D[l] + H[3 * a + 1] * D[3 + l] + H[3 * a + 2] * D[6 + l];
        for (int b = 0; b < q->size; b++)
            s->system.value[*place++] += T[0] * H[3 * b] + T[1] * H[3 * b + 1] + T[2] * H[3 * b + 2];
    }
}

/* In body coordinates; M and H in the units of the blockwise problem: W = H' M^-1 H. */
static bool body_direction(proximal *s, const blockwise *b) {
    imp_sparse *system = &s->system;
    memset(system->value, 0, (size_t)system->start[system->columns] * sizeof *system->value);
    for (int e = 0; e < s->M->start[s->M->columns]; e++)
        system->value[s->place[e]] += s->M->value[e];
    memset(s->rhs, 0, (size_t)s->H->rows * sizeof *s->rhs);
    for (int c = 0; c < b->nc; c++) {
        const clique *q = &s->cliques[c];
        const double *R = s->R + 3 * (size_t)c, *H = s->wrench + 3 * (size_t)q->row;
        for (int a = 0; a < q->size; a++)
            s->rhs[s->row[q->row + a]] += H[3 * a] * R[0] + H[3 * a + 1] * R[1] + H[3 * a + 2] * R[2];
        if (s->index[c] >= 0) add_clique(s, q, s->D + 9 * (size_t)c);
    }
    if (!factorise(s, false) || !solve_system(s)) return false;
    memcpy(s->dp, s->R, s->n * sizeof *s->dp);
    for (int c = 0; c < b->nc; c++) {
        const clique *q = &s->cliques[c];
        if (s->index[c] < 0) continue;
        const double *H = s->wrench + 3 * (size_t)q->row;
        double v[3] = {0, 0, 0};
        for (int a = 0; a < q->size; a++)
            for (int k = 0; k < 3; k++)
                v[k] += H[3 * a + k] * s->rhs[s->row[q->row + a]];
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

/* One step from s->trial with up to 6 halvings; |R| where it ended, INFINITY where there was no direction. */
static double newton_step(proximal *s, blockwise *b, double size) {
    if (!(s->H ? body_direction(s, b) : contact_direction(s, b))) return INFINITY;
    double step = 1, next = try_step(s, b, step);
    for (int halved = 0; halved < 6 && !(next < size); halved++)
        next = try_step(s, b, step *= 0.5);
    s->work += 1;
    return next;
}

bool imp_proximal_step(proximal *s, blockwise *b, double alpha, double tolerance) {
    enum { MOST_STEPS = 40 };
    s->alpha = alpha;
    memcpy(s->centre, b->p, s->n * sizeof *s->centre);
    double size = residual(s, b);
    for (s->steps = 0; s->steps == 0 || size > tolerance; s->steps++) {
        if (s->steps == MOST_STEPS || !isfinite(size)) return false;
        memcpy(s->trial, b->p, s->n * sizeof *s->trial);
        double next = newton_step(s, b, size);
        if (!(next < size) && s->reused) { /* the old pivots may be to blame */
            s->pivot_anew = true;
            (void)try_step(s, b, 0);
            next = newton_step(s, b, size);
        }
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
