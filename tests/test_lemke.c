/* test_lemke.c - Lemke's method against enumeration of all bases, on rays, degenerate and contact
 * problems. */
#include "generators/gen.h"
#include "impact.h"
#include "tap.h"

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
        if (a[best][k] == 0) return false;
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

static void test_endings(void) {
    double z[MOST], residual;
    const dense_lcp ray = {2, {0, 0, 0, 0}, {1, -1}};
    ok(lemke(&ray, z, &residual) == IMP_NO_SOLUTION && z[0] == 0 && z[1] == 0,
       "an infeasible problem ends on a ray");
    const dense_lcp nothing = {2, {1, 0, 0, 1}, {0, 3}};
    ok(lemke(&nothing, z, &residual) == IMP_OK && residual == 0, "q >= 0 needs no pivot");
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
    ok(imp_lemke(&long_way, 1, NULL, z, work, &pivots) == IMP_NOT_CONVERGED,
       "the pivot limit is kept");
    free(work);
    double wrong[6] = {1, 1, 1, 1, 1, 1}, check[12];
    ok(imp_lcp_residual(&problem, wrong, check) > 0.5, "the residual tells a wrong answer");
}

int main(void) {
    test_unique();
    test_endings();
    return tap_done();
}
