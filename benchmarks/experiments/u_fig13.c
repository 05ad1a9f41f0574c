/* u_fig13.c - Uchida, Sherman, Delp (2015), Fig. 13: penetration of the points of a brick that
 * lands flat. */
#include "benchmarks/experiments/course.h"

#include <math.h>

static const char *const place[] = {"leading", "trailing"};

/* A drawn curve's largest depth, mm, and its slope where it begins, mm/ms. */
static void measure(const report_rows *table, const char *series, double *deepest, double *slope) {
    enum { ROWS = 4000 };
    static double t[ROWS], depth[ROWS];
    const int n = report_drawn(table, series, "t_ms", ROWS, t);
    report_drawn(table, series, "depth_mm", ROWS, depth);
    *deepest = *slope = NAN;
    if (n < 2 || n > ROWS) return;
    for (int i = 0; i < n; i++)
        *deepest = fmax(*deepest, depth[i]);
    *slope = (depth[1] - depth[0]) / (t[1] - t[0]);
}

static void run(report *r) {
    course c;
    if (!course_open(r, "brick-face", "flat", &c)) return;
    compliant_settings settings = c.scene.run;
    settings.max_step = 2e-6; /* s: smooth lines */
    if (course_run(r, &c, &settings)) {
        report_rows *table = report_table(r, "u_fig13", "series\tt_ms:9\tdepth_mm:9");
        double depth[2], first[2], end[2] = {NAN, NAN};
        for (int i = 0; i < 2; i++) {
            int contact = 0;
            for (int k = 1; k < c.touch.nc; k++) {
                const double ahead =
                    c.touch.contact[contact].point[0] - c.touch.contact[k].point[0];
                if (i == 0 ? ahead > 0 : ahead < 0) contact = k;
            }
            const int pair = c.touch.pair[contact];
            for (int row = 0; row < c.run.history.rows; row++) {
                const course_point at = course_look(&c, contact, row);
                report_row(table, place[i], 1e3 * at.t, 1e3 * fmax(0, at.depth));
            }
            measure(table, place[i], &depth[i], &first[i]);
            for (int k = 0; k < c.run.nspells; k++)
                if (c.run.spells[k].pair == pair) end[i] = 1e3 * c.run.spells[k].end;
        }
        course_printed(r, "drawn: deepest, leading and trailing, mm", "0.798 0.678", depth, 2,
                       NULL);
        report_vector(r, PRINTED_IN_SOURCE, "drawn: speed of the points at the touch, m/s",
                      (const double[]){8.84, 8.84}, first, 2, 1e-4,
                      "the slope of the curves where they begin");
        report_judge(r, STATED_IN_SOURCE, "friction turns the brick",
                     "the points it turns into the ground are deeper",
                     report_text(r, "by %.3f mm", depth[0] - depth[1]), "", depth[0] > depth[1],
                     "those in front; the right side in the paper's view");
        report_shown(r, NO_REFERENCE, "contact ends after, leading and trailing, ms", "",
                     report_text(r, "%.4f  %.4f", end[0], end[1]),
                     "PLUS, which has no time and no depth, takes all points together");
        report_figure(r, "u_fig13",
                      "The points in front go deeper. Penetration of the points behind (solid) and "
                      "in front (dashed) of the brick "
                      "that lands flat, "
                      "compliant contact at 10 GPa.");
    }
    course_close(&c);
}

const experiment experiment_u_fig13 = {"U-Fig13", "Four points at once: penetration",
                                       "Example 2 with compliant contact: the moment of friction "
                                       "drives the points on one side further into the ground. "
                                       "The paper draws curves without numbers.",
                                       run};
