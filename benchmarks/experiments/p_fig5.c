/* p_fig5.c - Preclik, Eibl, Ruede (2017), Fig. 5: the academic contact in the plane of maximum
 * compression, in the paper's frame, which is not orthonormal. */
#include "benchmarks/experiments/academic.h"
#include "benchmarks/harness/report.h"
#include "base/worse.h"

#include <math.h>

/* Table 1: x1, x2, x3, x*, with half a unit of the last digit, N s. */
static void printed_table(report *r) {
    static const double printed[4][4] = {{-0.44, 0.005, -0.065, 0.0005},
                                         {-0.89, 0.005, -0.62, 0.005},
                                         {-0.99, 0.005, -5.7, 0.05},
                                         {-1.1, 0.05, -5.8, 0.05}};
    report_rows *t = report_table(r, "p_fig5_printed", "x_t:6\thalf_t:6\tx_o:6\thalf_o:6");
    for (int i = 0; i < 4; i++)
        report_numbers(t, NULL, 4, printed[i]);
}

/* How far p is from the ellipse, relative: off the cone |p_to| = mu p_n, or off the plane of
 * maximum compression, on which mu p_n = size + e.p_to. */
static double off_ellipse(const one_contact *c, const one_plane *s, const double p[3]) {
    const double length = hypot(p[1], p[2]), plane = s->size + s->e[0] * p[1] + s->e[1] * p[2];
    return imp_worse(fabs(length - c->mu * p[0]), fabs(length - plane)) / length;
}

static void run(report *r) {
    const one_contact c = academic_contact(false, 3.7);
    const one_plane s = one_reduce(&c);
    double best[3], z[2];
    if (imp_maxdiss(c.W, c.q, c.mu, 0, best, NULL) != IMP_OK) best[0] = best[1] = best[2] = NAN;
    imp_coulomb_set set;
    if (imp_coulomb_enumerate(c.W, c.q, c.mu, &set) != IMP_OK) set.count = 0;
    report_judge(r, STATED_IN_SOURCE, "the conic is an ellipse: eccentricity", "< 1",
                 report_text(r, "%.6g", s.eccentricity), "", s.eccentricity < 1, NULL);
    report_count(r, PRINTED_IN_SOURCE, "Coulomb solutions (circles)", 3, set.count, NULL);
    /* On the curve, and its tangent a tangent of the contour: both only x* does. */
    double off = 0, least = INFINITY;
    for (int i = 0; i < set.count; i++) {
        const double *p = set.solution[i].p;
        off = imp_worse(off, off_ellipse(&c, &s, p));
        least = fmin(least, one_plane_energy(&s, p + 1));
    }
    off = imp_worse(off, off_ellipse(&c, &s, best));
    report_at_most(r, STATED_IN_SOURCE, "distance of the four solutions from the ellipse, relative",
                   1e-14, off, NULL);
    const double gain = one_plane_energy(&s, best + 1) - least;
    report_judge(r, STATED_IN_SOURCE, "objective at x* below the lowest circle, J", "< 0",
                 report_text(r, "%.6g", gain), "", gain < 0, "Table 1: -0.634 against -0.631");
    const double levels[] = {-0.62, -0.55, -0.45, -0.3, -0.15, 0.15, 0.3, 0.5, 0.75, 1};
    report_rows *table = report_table(r, "p_fig5", "series\tx_t:17\tx_o:17");
    one_plane_draw(table, &s, levels, sizeof levels / sizeof *levels, 100);
    one_plane_minimum(&s, z);
    report_row(table, "unconstrained", z[0], z[1]);
    for (int i = 0; i < set.count; i++)
        report_row(table, "coulomb", set.solution[i].p[1], set.solution[i].p[2]);
    report_row(table, "best", best[1], best[2]);
    printed_table(r);
    report_figure(r, "p_fig5",
                  "Three impulses obey Coulomb's law (red circles); maximum dissipation "
                  "(red cross) is none of them, though near one. Contours of the "
                  "objective (grey; zero contour black) and the boundary of the "
                  "constraint set (blue), in the paper's frame. Right: the two solutions "
                  "that nearly coincide in energy, enlarged. Boxes: what rounds to the "
                  "digits of Table 1.");
}

const experiment experiment_p_fig5 = {
    "P-Fig5", "Three Coulomb solutions and x* on one ellipse",
    "Contours of the objective in the plane of maximum compression with the constraint set, the "
    "Coulomb solutions and "
    "x*, for the data of Table 1. The points sit at the numbers of P-Tab1.",
    run};
