/* Heaps of generators/piles.h: rows of H are wrenches of unit impulses at one point each,
 * and the free motion is M^-1 f. */
#include "generators/piles.h"
#include "tap.h"

/* The wrench (6) of axis r of contact c on body b: what stands in rows 6b to 6b + 5 of that column;
 * false: nothing. */
static bool wrench(const imp_sparse *H, int column, int body, double w[6]) {
    bool any = false;
    memset(w, 0, 6 * sizeof *w);
    for (int at = H->start[column]; at < H->start[column + 1]; at++)
        if (H->row[at] / 6 == body) {
            w[H->row[at] % 6] += H->value[at];
            any = true;
        }
    return any;
}

static double dot(const double *a, const double *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* A wall's bricks are as high as they lie apart: mass and moments of a box of 1000 kg/m^3 that
 * measures 2 m x 1 m and twice the longest arm of a contact upwards; its M is diagonal. */
static void test_bricks(void) {
    imp_fclib wall;
    if (!ok(pile_make(PILE_WALL, 5, 60, &wall) == IMP_OK, "a wall")) return;
    const int bodies = wall.dof / 6;
    double worst = 0;
    for (int body = 0; body < bodies; body++) {
        double high = 0, diagonal[6] = {0};
        for (int c = 0; c < wall.nc; c++) {
            double w[3][6];
            for (int r = 0; r < 3; r++)
                if (wrench(&wall.H, 3 * c + r, body, w[r])) { /* moment = arm x force; force along
                                                                 y: m_x = -a_z */
                    high = fmax(high, fabs(w[r][3]) * (fabs(w[r][1]) > 0.9));
                }
        }
        const double m = 1000 * 2 * 1 * 2 * high, x = 2, y = 1, z = 2 * high;
        const double want[6] = {
            m, m, m, m * (y * y + z * z) / 12, m * (x * x + z * z) / 12, m * (x * x + y * y) / 12};
        for (int j = 0; j < 6; j++)
            for (int at = wall.M.start[6 * body + j]; at < wall.M.start[6 * body + j + 1]; at++)
                if (wall.M.row[at] == 6 * body + j) diagonal[j] += wall.M.value[at];
        for (int j = 0; j < 6; j++)
            worst = tap_worst(worst, fabs(diagonal[j] / want[j] - 1));
    }
    ok(worst < 1e-12, "%d bricks have the masses and moments of their size (%.1e)", bodies, worst);
    imp_fclib_clear(&wall);
}

int main(void) {
    test_bricks();
    for (int kind = 0; kind < PILE_KINDS; kind++) {
        imp_fclib pile;
        double linear = 0, moment = 0, opposed = 0, asymmetry = 0;
        int sides = 0, pairs = 0;
        if (!ok(pile_make((pile_kind)kind, 5, 60, &pile) == IMP_OK, "%s: made",
                pile_name((pile_kind)kind)))
            continue;
        for (int c = 0; c < pile.nc; c++) {
            double total[3] = {0};
            int bodies = 0;
            for (int body = 0; body < pile.dof / 6; body++) {
                double w[3][6];
                bool here = false;
                for (int r = 0; r < 3; r++)
                    here = wrench(&pile.H, 3 * c + r, body, w[r]) || here;
                if (!here) continue;
                bodies++;
                sides++;
                /* impulses d_r along orthonormal axes; moments a x d_r with one arm: (a x d_r) .
                 * d_s is antisymmetric
                 */
                for (int r = 0; r < 3; r++)
                    for (int s = 0; s < 3; s++) {
                        linear = tap_worst(linear, fabs(dot(w[r], w[s]) - (r == s)));
                        moment = tap_worst(moment, fabs(dot(w[r] + 3, w[s]) + dot(w[s] + 3, w[r])));
                    }
                for (int i = 0; i < 3; i++)
                    total[i] += w[0][i];
            }
            if (bodies == 2) { /* equal and opposite */
                pairs++;
                opposed = tap_worst(opposed, sqrt(dot(total, total)));
            }
        }
        for (int j = 0; j < pile.dof; j++)
            for (int at = pile.M.start[j]; at < pile.M.start[j + 1]; at++) {
                const int i = pile.M.row[at];
                double mirrored = 0;
                for (int k = pile.M.start[i]; k < pile.M.start[i + 1]; k++)
                    if (pile.M.row[k] == j) mirrored += pile.M.value[k];
                asymmetry = tap_worst(asymmetry,
                                      fabs(pile.M.value[at] - mirrored) / fabs(pile.M.value[at]));
            }
        ok(pairs > 0 && sides > pairs && linear < 1e-14,
           "%s: impulses along orthonormal axes (%.1e)", pile_name((pile_kind)kind), linear);
        ok(moment < 1e-13, "their moments have one arm (%.1e)", moment);
        ok(opposed < 1e-15, "two bodies get opposite impulses (%.1e)", opposed);
        ok(asymmetry < 1e-15, "M is symmetric (%.1e)", asymmetry);
        imp_fclib_clear(&pile);
    }
    return tap_done();
}
