/* m_2d.c - Mirtich reworked, its planar algorithm: equal to the process in space on planar
 * problems. */
#include "benchmarks/experiments/one.h"
#include "benchmarks/harness/report.h"
#include "base/worse.h"
#include "generators/gen.h"

#include <math.h>

enum { COUNT = 20000 };

/* A random planar problem: W of a positive definite 2 x 2 (n, t), uncoupled in o. */
static one_contact planar(uint64_t index) {
    gen_stream s = gen_seed(611, index);
    const double condition = gen_power10(&s, 0, 4),
                 turn = gen_uniform(&s, 0, 3.14159265358979323846);
    const double c = cos(turn), d = sin(turn), small = 1 / condition;
    one_contact p = {
        .W = {c * c + small * d * d, (1 - small) * c * d, 0, d * d + small * c * c, 0, 1}};
    p.q[0] = -fabs(gen_normal(&s));
    p.q[1] = gen_normal(&s);
    p.mu = gen_power10(&s, -2, 1);
    return p;
}

/* The largest relative change of the impulse per relative change of a datum: what rounding of the
 * data alone does. */
static double condition(const one_contact *c, double e, imp_darboux_law law, const double p[3]) {
    double worst = 0;
    for (int k = 0; k < 6; k++) {
        static const int entry[3] = {0, 1, 3};
        one_contact moved = *c;
        double *datum = k < 3 ? &moved.W[entry[k]] : k < 5 ? &moved.q[k - 3] : &moved.mu, other[3];
        *datum *= 1 + 0x1p-30;
        if (imp_darboux(moved.W, moved.q, moved.mu, e, law, other, NULL, NULL) != IMP_OK)
            return INFINITY;
        worst += hypot(other[0] - p[0], other[1] - p[1]) / hypot(p[0], p[1]) * 0x1p30;
    }
    return worst;
}

static void run(report *r) {
    static const char *const laws[3] = {"Stronge", "Poisson", "Newton"};
    for (int law = 0; law < 3; law++) {
        double worst = 0;
        int unsolved = 0;
        for (uint64_t k = 0; k < COUNT; k++) {
            const one_contact c = planar(k);
            const double W[3] = {c.W[0], c.W[1], c.W[3]}, e = (double)(k % 11) / 10;
            double flat[2], p[3];
            const imp_status a = imp_planar(W, c.q, c.mu, e, (imp_darboux_law)law, flat);
            const imp_status b =
                imp_darboux(c.W, c.q, c.mu, e, (imp_darboux_law)law, p, NULL, NULL);
            unsolved += a != IMP_OK || b != IMP_OK;
            const double size = hypot(p[0], p[1]);
            const double off = imp_worse(fabs(p[2]), hypot(flat[0] - p[0], flat[1] - p[1])) / size;
            worst = imp_worse(worst, off / fmax(1, condition(&c, e, (imp_darboux_law)law, p)));
        }
        report_count(r, OWN_BOUND,
                     report_text(r, "%s: problems of %d without an answer", laws[law], COUNT), 0,
                     unsolved, NULL);
        report_at_most(
            r, INDEPENDENT,
            report_text(
                r, "%s: planar against spatial impulse, worst relative difference per condition",
                laws[law]),
            1e-13, worst,
            report_text(r,
                        "%d random problems, e = 0 to 1; the condition of a problem is what a "
                        "change of its data "
                        "does to the impulse, at least 1",
                        COUNT));
    }
}

const experiment experiment_m_2d = {"M-2D", "The planar algorithm is the spatial one in the plane",
                                    "The note gives a closed planar algorithm and no comparison.",
                                    run};
