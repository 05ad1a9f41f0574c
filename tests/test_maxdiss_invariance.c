/* test_maxdiss_invariance.c - maximum dissipation does not depend on the observer, and never
 * creates energy. */
#include "generators/gen.h"
#include "impact.h"
#include "tap.h"

#include <float.h>

static const gen_class classes[] = {GEN_SPHERE,  GEN_FREE_BOX_5, GEN_TWO_BODY,     GEN_SPD_8,
                                    GEN_SEVERAL, GEN_PAINLEVE,   GEN_TINY_CLOSING, GEN_ZERO_CLOSING,
                                    GEN_OPENING, GEN_ADVERSARIAL};
enum { CLASSES = sizeof classes / sizeof *classes, EACH = 2000 };

static gen_problem make(int k, uint64_t i) {
    gen_problem g = gen_make(classes[k], i);
    gen_stream s = gen_seed(90, i);
    if (i % 2) g.e = gen_uniform(&s, 0, 1);
    return g;
}

static bool solve(const gen_problem *g, double p[3]) {
    return imp_maxdiss(g->W, g->q, g->mu, g->e, p, NULL) == IMP_OK;
}

/* The answer found in a turned frame, turned back, satisfies the law in the first frame. */
static void rotation(int k) {
    const double limit = classes[k] == GEN_ADVERSARIAL ? 1e-10 : 1e-12;
    int wrong = 0, solved = 0;
    for (uint64_t i = 0; i < EACH; i++) {
        gen_stream s = gen_seed(91, i);
        const double angle = gen_uniform(&s, 0, 6.283185307179586), c = cos(angle), sn = sin(angle);
        const gen_problem g = make(k, i), r = gen_turned(&g, c, sn);
        double p[3], back[3];
        if (g.excluded || !solve(&g, back) || !solve(&r, p)) continue;
        back[0] = p[0];
        back[1] = c * p[1] - sn * p[2];
        back[2] = sn * p[1] + c * p[2];
        solved++;
        if (gen_residual(&g, &imp_law_maxdiss, back) <= limit) continue;
        if (!wrong++) gen_print_row(stderr, gen_name(classes[k]), &g);
    }
    ok(wrong == 0 && solved > 0.9 * EACH, "%s: turning the tangents changes nothing (%d of %d)",
       gen_name(classes[k]), wrong, solved);
}

/* Units, a mass of 2^k, and the mirror o -> -o change no bit; a mass of 3.7 kg changes roundings
 * only. */
static void exact(int k) {
    const double limit = classes[k] == GEN_ADVERSARIAL ? 1e-10 : 1e-12;
    int units = 0, mass = 0, mirror = 0, heavy = 0, solved = 0;
    for (uint64_t i = 0; i < EACH; i++) {
        const gen_problem g = make(k, i);
        gen_problem u = g, m = g, r = g, h = g;
        double p[3], pu[3], pm[3], pr[3], ph[3];
        if (g.excluded || !solve(&g, p)) continue;
        solved++;
        for (int j = 0; j < 6; j++) {
            u.W[j] = ldexp(g.W[j], 37);
            m.W[j] = g.W[j] / 1024;
            h.W[j] = g.W[j] / 3.7;
        }
        for (int j = 0; j < 3; j++)
            u.q[j] = ldexp(g.q[j], -91);
        r.W[2] = -g.W[2];
        r.W[4] = -g.W[4];
        r.q[2] = -g.q[2];
        solve(&u, pu);
        solve(&m, pm);
        solve(&r, pr);
        if (solve(&h, ph)) {
            for (int j = 0; j < 3; j++)
                ph[j] /= 3.7;
            heavy += !(gen_residual(&g, &imp_law_maxdiss, ph) <= limit);
        }
        for (int j = 0; j < 3; j++) {
            units += pu[j] != ldexp(p[j], -128);
            mass += pm[j] != p[j] * 1024;
            mirror += pr[j] != (j == 2 ? -p[j] : p[j]);
        }
    }
    ok(solved > 0.9 * EACH && units == 0, "%s: units do not matter, to the last bit",
       gen_name(classes[k]));
    ok(solved > 0.9 * EACH && mass == 0 && heavy == 0, "%s: impulse goes with mass",
       gen_name(classes[k]));
    ok(solved > 0.9 * EACH && mirror == 0,
       "%s: the mirror image has the mirrored impulse, to the last bit", gen_name(classes[k]));
}

/* 1/2 p'Wp + p'q <= -(1 - e^2) q_n^2/(2 W_nn) for 0 <= e <= 1, in extended precision. */
static void energy(void) {
    enum { PROBLEMS = 100000 };
    int gained = 0, above = 0, solved = 0;
    long double most = -INFINITY;
    for (uint64_t i = 0; i < PROBLEMS; i++) {
        gen_problem g = gen_make(classes[i % CLASSES], i);
        gen_stream s = gen_seed(92, i);
        const double *W = g.W, which = gen_uniform(&s, 0, 1);
        g.e = which < 0.1 ? 0 : which < 0.2 ? 1 : gen_uniform(&s, 0, 1);
        double x[3];
        if (!solve(&g, x)) continue;
        solved++;
        const long double n = x[0], t = x[1], o = x[2];
        const long double un = W[0] * n + W[1] * t + W[2] * o, ut = W[1] * n + W[3] * t + W[4] * o;
        const long double uo = W[2] * n + W[4] * t + W[5] * o;
        const long double change =
            0.5L * (n * un + t * ut + o * uo) + n * g.q[0] + t * g.q[1] + o * g.q[2];
        const long double size =
            fabsl(n) * (fabsl(W[0] * n) + fabsl(W[1] * t) + fabsl(W[2] * o) + fabsl(g.q[0])) +
            fabsl(t) * (fabsl(W[1] * n) + fabsl(W[3] * t) + fabsl(W[4] * o) + fabsl(g.q[1])) +
            fabsl(o) * (fabsl(W[2] * n) + fabsl(W[4] * t) + fabsl(W[5] * o) + fabsl(g.q[2]));
        const long double closing = fmaxl(0, -g.q[0]),
                          bound = -(1 - (long double)g.e * g.e) * closing * closing / (2 * W[0]);
        gained += change > 4 * DBL_EPSILON * size;
        above += change > bound + 4 * DBL_EPSILON * size;
        if (size > 0) most = fmaxl(most, change / size);
    }
    ok(gained == 0 && solved > 0.9 * PROBLEMS,
       "energy never rises, e 0 .. 1 (%d problems; the largest change %.2Lg of its terms)", solved,
       most);
    ok(above == 0, "and falls by (1 - e^2) q_n^2/(2 W_nn) at least");
}

int main(void) {
    for (int k = 0; k < CLASSES; k++) {
        rotation(k);
        exact(k);
    }
    energy();
    return tap_done();
}
