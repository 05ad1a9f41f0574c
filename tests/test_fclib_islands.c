/* test_fclib_islands.c - FCLIB files of mechanisms and bodies that no constraint joins: what one's
 * constraints leave of it does not depend on the others. */
#include "generators/gen.h"
#include "impact.h"
#include "io/fclib_bilateral.h"
#include "tap.h"

/* *to <- a dense matrix, a column after another. */
static void from_dense(int rows, int columns, const double *dense, imp_sparse *to) {
    int row[12 * 12], column[12 * 12];
    for (int k = 0; k < rows * columns; k++) {
        row[k] = k % rows;
        column[k] = k / rows;
    }
    imp_sparse_from_triplets(rows, columns, rows * columns, row, column, dense, to);
}

/* Two contacts of unit masses without friction: M = 1; f, G (dof x bilateral) and H (dof x 6). */
static imp_fclib of_two(int dof, const double *f, int bilateral, const double *G, const double *H) {
    imp_fclib p = {.nc = 2,
                   .dof = dof,
                   .bilateral = bilateral,
                   .f = malloc((size_t)dof * sizeof(double)),
                   .w = calloc(6, sizeof(double)),
                   .b = calloc((size_t)bilateral, sizeof(double)),
                   .mu = calloc(2, sizeof(double))};
    double M[12 * 12] = {0};
    for (int i = 0; i < dof; i++)
        M[(dof + 1) * i] = 1;
    memcpy(p.f, f, (size_t)dof * sizeof *f);
    from_dense(dof, dof, M, &p.M);
    from_dense(dof, bilateral, G, &p.G);
    from_dense(dof, 6, H, &p.H);
    return p;
}

/* A mechanism twice, its rows in turn, the second `scale` times as fast: what moves its contacts is
 * the first's in that scale. */
static void test_islands(void) {
    enum { N = 6, ALL = 2 * N };
    static const double scales[] = {1, 0, 1e-6, 1e-12};
    double worst = 0;
    int moving = 0;
    for (uint64_t k = 0; k < 8; k++) {
        gen_stream s = gen_seed(907, k);
        const double scale = scales[k % 4];
        double G[6 * ALL] = {0}, H[6 * ALL] = {0}, f[ALL];
        for (int i = 0; i < N; i++) {
            f[i] = gen_normal(&s);
            f[N + i] = scale * f[i];
            for (int j = 0; j < 3; j++) {
                G[ALL * 2 * j + i] = G[ALL * (2 * j + 1) + N + i] = gen_normal(&s);
                H[ALL * j + i] = H[ALL * (3 + j) + N + i] = gen_normal(&s);
            }
        }
        imp_fclib p = of_two(ALL, f, 6, G, H);
        imp_fclib_posed posed;
        if (imp_fclib_pose(&p, &posed) != IMP_OK) abort();
        for (int i = 0; i < 3; i++) {
            const double want = scale * posed.q[i], off = fabs(posed.q[3 + i] - want);
            if (off != 0) worst = tap_worst(worst, off / fabs(scale * posed.q[0]));
        }
        moving += fabs(posed.q[0]) > 1e-3;
        imp_fclib_posed_clear(&posed);
        imp_fclib_clear(&p);
    }
    note("off by %.1e", worst);
    ok(moving == 8 && worst < 1e-12, "islands do not see what others do");
}

/* A contact on a body that constraints hold, along turned axes, and one on a free body. */
static void test_held(void) {
    enum { N = 6 };
    int solved = 0, still = 0;
    for (uint64_t k = 0; k < 8; k++) {
        gen_stream s = gen_seed(908, k);
        double G[3 * N] = {0}, H[6 * N] = {0}, f[N], p[N];
        const double to[2] = {gen_uniform(&s, 0, 6), gen_uniform(&s, 0, 6)},
                     axes[9] = {cos(to[0]),
                                -sin(to[0]) * cos(to[1]),
                                sin(to[0]) * sin(to[1]),
                                sin(to[0]),
                                cos(to[0]) * cos(to[1]),
                                -cos(to[0]) * sin(to[1]),
                                0,
                                sin(to[1]),
                                cos(to[1])};
        for (int i = 0; i < 3; i++) {
            f[i] = gen_normal(&s);
            f[3 + i] = -(double)(i == 0);
            for (int j = 0; j < 3; j++) {
                G[N * j + i] = axes[3 * i + j];
                H[N * j + i] = gen_normal(&s);
                H[N * (3 + j) + 3 + i] = i == j;
            }
        }
        imp_fclib problem = of_two(N, f, 3, G, H);
        imp_fclib_posed posed;
        if (imp_fclib_pose(&problem, &posed) != IMP_OK) abort();
        still += posed.q[0] == 0 && posed.q[1] == 0 && posed.q[2] == 0;
        solved += imp_solve(&imp_model_auto, &posed.problem, NULL, p, NULL) == IMP_OK &&
                  p[0] == 0 && fabs(p[3] - 1) < 1e-12;
        imp_fclib_posed_clear(&posed);
        imp_fclib_clear(&problem);
    }
    ok(still == 8 && solved == 8, "what constraints hold does not move by rounding (%d, %d)", still,
       solved);
}

int main(void) {
    test_islands();
    test_held();
    return tap_done();
}
