/* test_coulomb_complete.c - no Coulomb solution is missed and none invented: the count against a
 * dense scan of the defining equation in extended precision, and on both sides of places where it
 * changes. */
#include "generators/gen.h"
#include "impact.h"
#include "tap.h"

typedef long double real;

/* The slip condition at kappa by its definition: z = (H + kappa I)^-1 g, then the sign of mu x_n -
 * |z| with the x_n of the plane u_n = 0; 0 where rounding leaves it open. */
static int cone_sign(const gen_problem *g, real kappa) {
    const real A = g->W[0], a[2] = {g->W[1], g->W[2]}, b = -g->q[0];
    const real h11 = g->W[3] - a[0] * a[0] / A + kappa, h12 = g->W[4] - a[0] * a[1] / A;
    const real h22 = g->W[5] - a[1] * a[1] / A + kappa, det = h11 * h22 - h12 * h12;
    const real g1 = -g->q[1] - a[0] * b / A, g2 = -g->q[2] - a[1] * b / A;
    const real z1 = (h22 * g1 - h12 * g2) / det, z2 = (h11 * g2 - h12 * g1) / det,
               z = hypotl(z1, z2);
    const real room = g->mu * (b - a[0] * z1 - a[1] * z2) / A;
    /* what rounding does to z, by the condition of H + kappa I, and to the rest */
    const real loss = 1e-18L * (h11 + h22) * (h11 + h22) / det;
    const real doubt = loss * (z + g->mu * (fabsl(b) + (fabsl(a[0]) + fabsl(a[1])) * z) / A);
    return (room - z > doubt) - (room - z < -doubt);
}

enum { CELLS = 1500 };

/* The ends of the cells: 30 decades about the size of W. */
static real cell_end(const gen_problem *g, int i) {
    return (real)(g->W[3] + g->W[5]) * powl(10, -15 + 30 * (real)i / CELLS);
}

static bool agrees_with_scan(const gen_problem *g, const imp_coulomb_set *set) {
    const int at_rest = cone_sign(g, 0);
    bool good = at_rest == 0 || (at_rest > 0) == (set->solution[0].kind == IMP_STICK);
    real from = cell_end(g, 0);
    int last = cone_sign(g, from);
    for (int i = 1; i <= CELLS && good; i++) {
        const real to = cell_end(g, i);
        const int sign = cone_sign(g, to);
        if (sign == 0) continue; /* joined to the next cell */
        int found = 0;
        for (int k = 0; k < set->count; k++)
            found += set->solution[k].kind == IMP_SLIP && set->solution[k].kappa > from &&
                     set->solution[k].kappa <= to;
        good = last == 0 || (found % 2 == 1) == (sign != last);
        from = to;
        last = sign;
    }
    return good;
}

static void scan(void) {
    for (gen_class c = 0; c < GEN_CLASSES; c++) {
        int compared = 0, several = 0, wrong = 0;
        for (uint64_t k = 0; k < 3000; k++) {
            const gen_problem g = gen_make(c, 20000 + k);
            imp_coulomb_set set = {0};
            if (imp_coulomb_enumerate(g.W, g.q, g.mu, &set) != IMP_OK) continue;
            if (k >= 60 && (set.count == 1 || several >= 60)) continue;
            const bool good = agrees_with_scan(&g, &set);
            compared++;
            several += set.count > 1;
            wrong += !good;
            if (!good) gen_print_row(stderr, gen_name(c), &g);
        }
        ok(wrong == 0 && compared >= 60,
           "%s: %d compared, %d of them with several solutions, %d wrong", gen_name(c), compared,
           several, wrong);
    }
}

static imp_coulomb_set at_mu(gen_problem g, double mu, imp_status *status) {
    imp_coulomb_set set = {0};
    *status = imp_coulomb_enumerate(g.W, g.q, mu, &set);
    return set;
}

static double residual(gen_problem g, double mu, const imp_coulomb_set *set) {
    double worst = 0;
    gen_dense d;
    g.mu = mu;
    gen_dense_of(&g, &d);
    for (int i = 0; i < set->count; i++) {
        imp_certificate c = {.worst = INFINITY};
        imp_certify(&d.problem, &imp_law_coulomb, NULL, set->solution[i].p, NULL, &c);
        worst = fmax(worst, c.worst);
    }
    return worst;
}

/* Of neighbours that slip or stick, the least relative change of z, which (H + kappa I)^-1
 * scales. */
static double closest_pair(const gen_problem *g, const imp_coulomb_set *set) {
    const real A = g->W[0], h11 = g->W[3] - g->W[1] * (real)g->W[1] / A,
               h22 = g->W[5] - g->W[2] * (real)g->W[2] / A;
    const real h12 = g->W[4] - g->W[1] * (real)g->W[2] / A,
               soft = (h11 * h22 - h12 * h12) / (h11 + h22);
    double gap = INFINITY;
    for (int i = 1; i < set->count; i++) {
        const double low = set->solution[i - 1].kappa, high = set->solution[i].kappa;
        if (set->solution[i].kind == IMP_SLIP)
            gap = fmin(gap, (high - low) / (high + (double)soft));
    }
    return gap;
}

/* Between two mu with 1 and 3 solutions lies one where two appear at once. On the neighbouring
 * doubles about it the count is still certain, and the two are nearly one. */
static void folds(void) {
    static const gen_class classes[] = {GEN_SPD_4, GEN_SPD_8, GEN_SIX_POINT, GEN_OPENING,
                                        GEN_TINY_CLOSING};
    for (size_t c = 0; c < sizeof classes / sizeof *classes; c++) {
        int found = 0, odd = 0;
        double worst = 0, apart = 0;
        for (uint64_t k = 0; k < 100000 && found < 40; k++) {
            const gen_problem g = gen_make(classes[c], k);
            imp_status status;
            double one = g.mu, three = g.mu * (k % 2 ? 3 : 0.3);
            if (at_mu(g, one, &status).count != 1 || at_mu(g, three, &status).count != 3) continue;
            for (;;) {
                const double mu = 0.5 * (one + three);
                if (mu == one || mu == three) break;
                if (at_mu(g, mu, &status).count == 1)
                    one = mu;
                else
                    three = mu;
            }
            imp_status below, above;
            const imp_coulomb_set few = at_mu(g, one, &below), many = at_mu(g, three, &above);
            found++;
            odd += below != IMP_OK || above != IMP_OK || few.count != 1 || many.count != 3;
            worst = fmax(worst, fmax(residual(g, one, &few), residual(g, three, &many)));
            apart = fmax(apart, closest_pair(&g, &many));
        }
        ok(found >= 20 && odd == 0, "%s: %d places where the count changes, %d not certain",
           gen_name(classes[c]), found, odd);
        ok(worst <= 1e-12, "%s: residual there %.1e", gen_name(classes[c]), worst);
        /* beside a q_n of 1e-16 one rounding of mu is much */
        ok(apart <= (classes[c] == GEN_TINY_CLOSING ? 1e-2 : 1e-5), "%s: two are nearly one (%.1e)",
           gen_name(classes[c]), apart);
    }
}

/* A contact that sticks on the rim of its cone, where 1 / mu is less than the rounding of what p_n
 * is the rest of: its stick is in the cone. */
static void sticks_at_the_rim(void) {
    static const int exact[6] = {6, 2, 3, 4, 4, 6};
    int sticks = 0, outside = 0;
    for (int decade = 20; decade <= 300; decade++)
        for (int scale = -20; scale <= 20; scale += 10) {
            double W[6];
            for (int i = 0; i < 6; i++)
                W[i] = ldexp(exact[i], scale);
            const double q[3] = {-1, 0, -2}, mu = pow(10, decade);
            imp_coulomb_set set;
            if (imp_coulomb_enumerate(W, q, mu, &set) != IMP_OK) outside++;
            for (int i = 0; i < set.count; i++) {
                const double *p = set.solution[i].p;
                sticks += set.solution[i].kind == IMP_STICK;
                outside += !(hypot(p[1], p[2]) <= (1 + 1e-15) * mu * p[0]);
            }
        }
    ok(sticks > 500 && outside == 0, "friction of 1e20 to 1e300: %d sticks, %d outside their cone",
       sticks, outside);
}

/* Axes of which each has a mass of its own, to 1e100 apart: what is certain obeys the law. */
static void axes_apart(void) {
    enum { COUNT = 20000 };
    int certain = 0, wrong = 0;
    for (uint64_t k = 0; k < COUNT; k++) {
        gen_stream s = gen_seed(903, k);
        double axis[3], W[9], q[3]; /* W_ij is a number times the axes i and j */
        for (int i = 0; i < 3; i++)
            axis[i] = pow(10, floor(gen_uniform(&s, -50, 50)));
        for (int i = 0; i < 3; i++) {
            W[4 * i] = axis[i] * axis[i];
            for (int j = 0; j < i; j++)
                W[3 * i + j] = W[3 * j + i] = gen_uniform(&s, -0.45, 0.45) * axis[i] * axis[j];
            q[i] = gen_uniform(&s, i == 0 ? -1 : -0.5, i == 0 ? 0 : 0.5) * axis[0] * axis[i];
        }
        const double upper[6] = {W[0], W[1], W[2], W[4], W[5], W[8]}, mu = gen_uniform(&s, 0, 2);
        const imp_operator op = imp_operator_dense(1, W);
        const imp_problem problem = {.nc = 1, .W = &op, .q = q, .mu = &mu};
        imp_coulomb_set set;
        if (imp_coulomb_enumerate(upper, q, mu, &set) != IMP_OK) continue;
        certain++;
        for (int i = 0; i < set.count; i++) {
            imp_certificate c;
            wrong += imp_certify(&problem, &imp_law_coulomb, NULL, set.solution[i].p, NULL, &c) !=
                         IMP_OK ||
                     !(c.worst <= 1e-9);
        }
    }
    ok(certain > COUNT / 4 && wrong == 0, "axes to 1e100 apart: %d of %d certain, %d wrong",
       certain, COUNT, wrong);
}

int main(void) {
    axes_apart();
    scan();
    folds();
    sticks_at_the_rim();
    return tap_done();
}
