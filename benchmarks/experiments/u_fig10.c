/* u_fig10.c - Uchida, Sherman, Delp (2015), Fig. 10: PLUS with coarser intervals. */
#include "benchmarks/experiments/course.h"

#include <math.h>
#include <string.h>

static const double theta[] = {0.01, 0.15, 0.25}; /* rad */
static const char *const theta_text[] = {"0.01", "0.15", "0.25"};

/* Intervals of compression and of expansion. */
static const struct {
    const char *variant, *intervals[3];
} published[] = {{"mu 0.125", {"104 + 16", "8 + 2", "5 + 1"}},
                 {"mu 0.225", {"129 + 2", "10 + 2", "6 + 4"}},
                 {"mu 0.325", {"115 + 1", "10 + 1", "7 + 1"}}};

static const int drawn = 2; /* the paper's figure is mu = 0.325 */
static const int paper_counts[] = {116, 11, 8};

static void count_rows(report *r, int i, const course *c) {
    for (int k = 0; k < 3; k++) {
        course_plus plus;
        if (!course_plus_run(r, c, theta[k], &plus)) continue;
        const int compression = course_plus_expansion(&plus, 0);
        const char *ours = report_text(r, "%d + %d", compression, plus.count - compression);
        const char *what =
            report_text(r, "μ = %s, θmax = %s rad: intervals of compression + expansion",
                        published[i].variant + 3, theta_text[k]);
        report_judge(r, INDEPENDENT, what, published[i].intervals[k], ours, "exact",
                     strcmp(ours, published[i].intervals[k]) == 0, NULL);
        if (i == drawn)
            report_count(
                r, PRINTED_IN_SOURCE,
                report_text(r, "θmax = %s rad: intervals, as the paper prints", theta_text[k]),
                paper_counts[k], plus.count, "the paper does not say which μ: 0.325");
    }
}

static void draw(report *r, const course *c) {
    report_rows *table = report_table(r, "u_fig10", "series\tv_x:9\tv_y:9");
    for (int row = 0; row < c->run.history.rows; row++) {
        const course_point at = course_look(c, 0, row);
        report_row(table, "compliant", at.u[1], at.u[2]);
    }
    report_row(table, "v_transition", imp_plus_settings_default().v_transition, 0);
    const course_point end = course_last(c, 0);
    for (int k = 0; k < 3; k++) {
        course_plus plus;
        if (!course_plus_run(r, c, theta[k], &plus)) continue;
        for (int i = 0; i <= plus.count; i++) {
            const course_point at = course_plus_look(&plus, 0, i);
            report_row(table, report_text(r, "plus %s", theta_text[k]), at.u[1], at.u[2]);
        }
        double off = 0, size = 0;
        for (int i = 0; i < 3; i++) {
            off = hypot(off, plus.p[i] - end.p[i]);
            size = hypot(size, end.p[i]);
        }
        report_shown(
            r, NO_REFERENCE,
            report_text(r, "θmax = %s rad: total impulse from compliant, relative", theta_text[k]),
            "", report_text(r, "%.3g", off / size),
            k == 0
                ? "the point rolls in the end, at whatever θmax: the total then depends on e alone"
                : NULL);
    }
}

static void run(report *r) {
    for (int i = 0; i < 3; i++) {
        course c;
        if (!course_open(r, "brick-point", published[i].variant, &c)) continue;
        count_rows(r, i, &c);
        compliant_settings settings = c.scene.run;
        settings.max_step = 1e-6; /* s: smooth lines */
        if (i == drawn && course_run(r, &c, &settings)) {
            draw(r, &c);
            report_figure(
                r, "u_fig10",
                "The coarser the intervals, the farther lies the path from that of compliant "
                "contact. Tangential velocity of the vertex at μ = 0.325: compliant contact "
                "(solid), and PLUS with "
                "θmax = 0.01, 0.15 and 0.25 rad; every point is the end of an interval. The "
                "circle about the origin is PLUS's transition speed from sliding to rolling.");
        }
        course_close(&c);
    }
}

const experiment experiment_u_fig10 = {
    "U-Fig10", "PLUS with coarser intervals",
    "Example 1: θmax = 0.01 rad needs 116 intervals, 0.15 rad 11, 0.25 rad eight; coarser ones "
    "degrade the path "
    "predictably. The paper does not say for which coefficient of friction; all three counts are "
    "those of 0.325. The "
    "counts of the other two are from an independent implementation.",
    run};
