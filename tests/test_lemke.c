/* test_lemke.c - Lemke's method against enumeration of all bases, on rays, degenerate and contact
 * problems. */
#include "generators/gen.h"
#include "impact.h"
#include "tap.h"

#include <stdint.h>

enum { MOST = 8 };

typedef struct dense_lcp {
    int n;
    double M[MOST * MOST], q[MOST];
} dense_lcp;

static void dense_column(const void *data, int j, double *m) {
    const dense_lcp *lcp = data;
    for (int i = 0; i < lcp->n; i++)
        m[i] = lcp->M[lcp->n * i + j];
}

static imp_status lemke(const dense_lcp *lcp, double *z, double *residual) {
    const imp_lcp problem = {lcp->n, lcp->q, dense_column, lcp};
    int pivots;
    void *work = malloc(imp_lemke_workspace(lcp->n));
    double check[2 * MOST];
    const imp_status status = imp_lemke(&problem, 1000, NULL, z, work, &pivots);
    *residual = imp_lcp_residual(&problem, z, check);
    free(work);
    return status;
}

/* M = G G' + d (S - S') + d E: positive definite, not symmetric, so the solution is unique. */
static dense_lcp positive(uint64_t index, int n) {
    gen_stream s = gen_seed(901, index);
    dense_lcp lcp = {.n = n};
    double G[MOST * MOST] = {0};
    for (int i = 0; i < n * n; i++)
        G[i] = gen_normal(&s);
    for (int i = 0; i < n; i++) {
        lcp.q[i] = gen_normal(&s);
        for (int j = 0; j < n; j++) {
            double sum = i == j ? 0.1 : 0.5 * (G[n * i + j] - G[n * j + i]);
            for (int k = 0; k < n; k++)
                sum += G[n * i + k] * G[n * j + k];
            lcp.M[n * i + j] = sum;
        }
    }
    return lcp;
}

/* Solves M_SS z_S = -q_S by elimination with pivoting; false when singular. */
static bool solve_basis(const dense_lcp *lcp, unsigned set, double *z) {
    double a[MOST][MOST + 1];
    int index[MOST], m = 0;
    for (int i = 0; i < lcp->n; i++)
        if (set >> i & 1) index[m++] = i;
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < m; j++)
            a[i][j] = lcp->M[lcp->n * index[i] + index[j]];
        a[i][m] = -lcp->q[index[i]];
    }
    for (int k = 0; k < m; k++) {
        int best = k;
        for (int i = k + 1; i < m; i++)
            if (fabs(a[i][k]) > fabs(a[best][k])) best = i;
        if (!(fabs(a[best][k]) > 1e-12)) return false; /* 0 but for rounding */
        for (int j = 0; j <= m; j++) {
            const double swap = a[k][j];
            a[k][j] = a[best][j];
            a[best][j] = swap;
        }
        for (int i = 0; i < m; i++) {
            const double f = i == k ? 0 : a[i][k] / a[k][k];
            for (int j = k; i != k && j <= m; j++)
                a[i][j] -= f * a[k][j];
        }
    }
    for (int i = 0; i < lcp->n; i++)
        z[i] = 0;
    for (int i = 0; i < m; i++)
        z[index[i]] = a[i][m] / a[i][i];
    return true;
}

static bool enumerate(const dense_lcp *lcp, double *best) {
    double least = INFINITY;
    for (unsigned set = 0; set < 1u << lcp->n; set++) {
        double z[MOST], check[2 * MOST];
        const imp_lcp problem = {lcp->n, lcp->q, dense_column, lcp};
        if (!solve_basis(lcp, set, z)) continue;
        const double residual = imp_lcp_residual(&problem, z, check);
        if (residual < least) {
            least = residual;
            memcpy(best, z, (size_t)lcp->n * sizeof *best);
        }
    }
    return least < 1e-9;
}

static void test_unique(void) {
    int bad = 0;
    for (uint64_t k = 0; k < 500; k++) {
        const dense_lcp lcp = positive(k, 1 + (int)(k % MOST));
        double z[MOST] = {0}, want[MOST] = {0}, residual, off = 0;
        const imp_status status = lemke(&lcp, z, &residual);
        const bool found = enumerate(&lcp, want);
        for (int i = 0; i < lcp.n; i++)
            off = fmax(off, fabs(z[i] - want[i]));
        bad += !(status == IMP_OK && found && residual < 1e-10 && off < 1e-8);
    }
    ok(bad == 0, "500 positive definite problems: the only solution, as enumeration finds it");
}

/* The method in whole numbers: rows of w, z, z0 and q over one positive denominator, the pivot
 * before (Bareiss 1968), so that ties are ties. */
typedef struct exact {
    int n, basis[MOST];
    int64_t row[MOST][2 * MOST + 2], over;
} exact;

static exact exact_of(const dense_lcp *lcp) {
    const int n = lcp->n;
    exact e = {.n = n, .over = 1};
    for (int i = 0; i < n; i++) {
        e.basis[i] = i;
        e.row[i][i] = 1;
        for (int j = 0; j < n; j++)
            e.row[i][n + j] = -(int64_t)lcp->M[n * i + j];
        e.row[i][2 * n] = -1;
        e.row[i][2 * n + 1] = (int64_t)lcp->q[i];
    }
    return e;
}

/* Returns the variable that left. */
static int exact_exchange(exact *e, int row, int enters) {
    const int width = 2 * e->n + 2, left = e->basis[row];
    const int64_t pivot = e->row[row][enters];
    for (int i = 0; i < e->n; i++) {
        const int64_t factor = e->row[i][enters];
        for (int j = 0; j < width && i != row; j++)
            e->row[i][j] = (e->row[i][j] * pivot - factor * e->row[row][j]) / e->over;
    }
    e->over = pivot;
    e->basis[row] = enters;
    return left;
}

/* Which of two rows has the lexicographically smaller (q, inverse) / column, z0 before all with
 * the same q. */
static int exact_smaller(const exact *e, int a, int b, int column) {
    const int n = e->n;
    for (int j = -1; j < n; j++) {
        const int at = j < 0 ? 2 * n + 1 : j;
        const int64_t difference =
            e->row[a][at] * e->row[b][column] - e->row[b][at] * e->row[a][column];
        if (difference != 0) return difference < 0 ? a : b;
        if (e->basis[a] == 2 * n || e->basis[b] == 2 * n) return e->basis[a] == 2 * n ? a : b;
    }
    return a;
}

static imp_status exact_lemke(const dense_lcp *lcp, int *pivots) {
    exact e = exact_of(lcp);
    const int n = e.n, artificial = 2 * n;
    int row = 0;
    for (int i = 1; i < n; i++)
        if (lcp->q[i] <= lcp->q[row]) row = i;
    *pivots = 0;
    if (lcp->q[row] >= 0) return IMP_OK;
    for (int j = 0; j < 2 * n + 2; j++)
        e.row[row][j] = -e.row[row][j];
    for (int left = exact_exchange(&e, row, artificial); left != artificial; (void)0) {
        const int enters = left < n ? left + n : left - n;
        ++*pivots;
        row = -1;
        for (int i = 0; i < n; i++)
            if (e.row[i][enters] > 0) row = row < 0 ? i : exact_smaller(&e, row, i, enters);
        if (row < 0) return IMP_NO_SOLUTION;
        left = exact_exchange(&e, row, enters);
    }
    return IMP_OK;
}

/* Small whole numbers, so that ties abound: G G', where rows of G are the same, opposite or sums;
 * with a skew part; none negative; any. */
static dense_lcp whole(uint64_t index) {
    gen_stream s = gen_seed(902, index);
    dense_lcp lcp = {.n = 2 + (int)(index / 4 % 5)};
    const int n = lcp.n, kind = (int)(index % 4), rank = 1 + (int)floor(gen_uniform(&s, 0, n));
    double G[MOST][MOST] = {{0}};
    for (int i = 0; i < n; i++) {
        const double how = gen_uniform(&s, 0, 1);
        for (int k = 0; k < rank; k++)
            G[i][k] = i > 0 && how < 0.2   ? G[i - 1][k]
                      : i > 0 && how < 0.4 ? -G[0][k]
                      : i > 1 && how < 0.6 ? G[i - 1][k] + G[0][k]
                                           : floor(gen_uniform(&s, -1, 2));
        lcp.q[i] = floor(gen_uniform(&s, -1, 1));
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double *M = &lcp.M[n * i + j];
            for (int k = 0; k < rank && kind < 2; k++)
                *M += G[i][k] * G[j][k];
            if (kind >= 2) *M = floor(gen_uniform(&s, kind == 2 ? 0 : -2, 3));
            if (kind == 1 && j < i) {
                const double skew = floor(gen_uniform(&s, -2, 3));
                *M += skew;
                lcp.M[n * j + i] -= skew;
            }
        }
    return lcp;
}

static void test_ties(void) {
    const int count = tap_many(40000, 400000);
    int other = 0, unsolved = 0, rays = 0, longest = 0;
    for (int k = 0; k < count; k++) {
        const dense_lcp lcp = whole((uint64_t)k);
        const imp_lcp problem = {lcp.n, lcp.q, dense_column, &lcp};
        double z[MOST], best[MOST], check[2 * MOST], work[400];
        int pivots, wanted;
        const imp_status should = exact_lemke(&lcp, &wanted),
                         status = imp_lemke(&problem, 1000, NULL, z, work, &pivots);
        other += status != should || pivots != wanted;
        unsolved += status == IMP_OK && !(imp_lcp_residual(&problem, z, check) < 1e-10);
        /* semidefinite, with a skew part or without: a ray where there is no solution alone */
        unsolved += k % 4 < 2 && status != IMP_OK && enumerate(&lcp, best);
        rays += status == IMP_NO_SOLUTION;
        longest = pivots > longest ? pivots : longest;
    }
    ok(imp_lemke_workspace(MOST) <= 400 * sizeof(double), "room");
    ok(other == 0 && longest < 50,
       "%d of small whole numbers: the pivots of exact arithmetic, %d at most", count, longest);
    ok(unsolved == 0 && rays > count / 20, "solved where enumeration finds a solution, %d rays",
       rays);
}

static void test_endings(void) {
    double z[MOST], residual;
    const dense_lcp ray = {2, {0, 0, 0, 0}, {1, -1}};
    ok(lemke(&ray, z, &residual) == IMP_NO_SOLUTION && z[0] == 0 && z[1] == 0,
       "an infeasible problem ends on a ray");
    const dense_lcp nothing = {2, {1, 0, 0, 1}, {0, 3}};
    ok(lemke(&nothing, z, &residual) == IMP_OK && residual == 0, "q >= 0 needs no pivot");
    const dense_lcp far = {
        3, {2, 2, 1e300, -1.7e308, -1.7e308, -1e300, 1e300, 1e300, 1e300}, {-2, 0, -1}};
    ok(lemke(&far, z, &residual) == IMP_NOT_CONVERGED && z[0] == 0 && z[1] == 0 && z[2] == 0,
       "a basis beyond what double tells apart gives no answer");
    dense_lcp degenerate = {.n = 6, .q = {-1, -1, -1, -1, 0, 0}};
    for (int i = 0; i < 36; i++)
        degenerate.M[i] = 1; /* rank one, all rows alike */
    ok(lemke(&degenerate, z, &residual) == IMP_OK && residual < 1e-14,
       "a rank-one degenerate problem ends, solved");
    const imp_lcp problem = {6, degenerate.q, dense_column, &degenerate};
    int pivots;
    void *work = malloc(imp_lemke_workspace(6));
    const dense_lcp hard = positive(3, 6);
    const imp_lcp long_way = {6, hard.q, dense_column, &hard};
    ok(imp_lemke(&long_way, 0, NULL, z, work, &pivots) == IMP_NOT_CONVERGED && pivots == 0 &&
           imp_lemke(&long_way, 2, NULL, z, work, &pivots) == IMP_NOT_CONVERGED && pivots == 2,
       "as many pivots as are allowed");
    double holed[6];
    memcpy(holed, hard.q, sizeof holed);
    holed[3] = NAN;
    const imp_lcp no_number = {6, holed, dense_column, &hard};
    ok(imp_lemke(&no_number, 1000, NULL, z, work, &pivots) == IMP_NOT_FINITE, "q is no number");
    ok(imp_lemke(&long_way, 1, NULL, z, work, &pivots) == IMP_NOT_CONVERGED,
       "the pivot limit is kept");
    free(work);
    double wrong[6] = {1, 1, 1, 1, 1, 1}, check[12];
    ok(imp_lcp_residual(&problem, wrong, check) > 0.5, "the residual tells a wrong answer");
    const dense_lcp apart = {3, {1, 0, 0, 0, 1, 0, 1e300, -1e300, 1}, {-1e10, -1e10, -1}},
                    holes = {2, {1, 0, NAN, 1}, {-1, -1}};
    const imp_lcp beyond = {3, apart.q, dense_column, &apart},
                  hole = {2, holes.q, dense_column, &holes};
    const double missed[3] = {1e10, 1e10, 0}, half[2] = {1, 0}, none[2] = {NAN, 0};
    ok(imp_lcp_residual(&beyond, missed, check) == INFINITY &&
           imp_lcp_residual(&hole, half, check) == INFINITY &&
           imp_lcp_residual(&hole, none, check) == INFINITY,
       "and one of which it knows no number");
}

/* M z goes in steps of 2^-12, q in steps of 2^-13: half of them no z in double solves, and more
 * digits in between find no better one. */
static void test_rounded(void) {
    const double step = 0x1p-13, scale = 0x1p40;
    const volatile int no = 0;
    int bad = 0, left = 0;
    for (int k = 0; k < 60; k++) {
        const dense_lcp lcp = {1, {1.9 * scale}, {-0.97 * scale - k * step}};
        const imp_lcp problem = {1, lcp.q, dense_column, &lcp};
        double z, again, residual, work[32];
        int pivots;
        bad += lemke(&lcp, &z, &residual) != IMP_OK;
        bad += imp_lemke(&problem, 1000, &no, &again, work, &pivots) != IMP_OK || again != z;
        bad += !(residual <= step);
        left += residual > 0;
    }
    ok(imp_lemke_workspace(1) <= 32 * sizeof(double), "room for one unknown");
    ok(bad == 0 && left > 10, "60 problems as well as double holds z (%d to within one step of q)",
       left);
}

int main(void) {
    test_unique();
    test_rounded();
    test_ties();
    test_endings();
    return tap_done();
}
