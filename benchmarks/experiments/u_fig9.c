/* u_fig9.c - Uchida, Sherman, Delp (2015), Fig. 9: impulses accumulated during the impact of a
 * brick's vertex. */
#include "benchmarks/experiments/course.h"
#include "base/worse.h"

#include <math.h>
#include <stdlib.h>

static const char *const variant[] = {"mu 0.125", "mu 0.225", "mu 0.325"};
static const char *const panel[] = {"a", "b", "c"};
/* Totals (x, y, z), N s, of independent programs of both models. */
static const char *const compliant_total[] = {
    "1.28281 -1.14942 14.71978", "1.83356 -2.41397 15.79049", "1.83337 -2.41754 15.82242"};
static const char *const plus_total[] = {"1.28738 -1.14802 14.74318", "1.84309 -2.41733 15.83482",
                                         "1.84314 -2.41754 15.83634"};

enum { POINTS = 4000 };

static void put(report_rows *table, const char *model, const char *panel_name, const char *what,
                const double p[3]) {
    char series[64];
    snprintf(series, sizeof series, "%s %s %s", panel_name, model, what);
    report_row(table, series, p[0], p[1], p[2]);
}

static void draw(report_rows *table, const char *name, const course *c, const course_plus *plus) {
    const int sticks = course_sticking(c, 0), rolls = course_plus_rolling(plus, 0);
    for (int row = 0; row < c->run.history.rows; row++)
        put(table, "compliant", name, "path", course_look(c, 0, row).p);
    put(table, "compliant", name, "total", course_last(c, 0).p);
    put(table, "compliant", name, "compressed", course_look(c, 0, course_compressed(c, 0)).p);
    if (sticks >= 0) put(table, "compliant", name, "sticks", course_look(c, 0, sticks).p);
    for (int k = 0; k <= plus->count; k++)
        put(table, "plus", name, "path", course_plus_look(plus, 0, k).p);
    put(table, "plus", name, "total", plus->p);
    put(table, "plus", name, "compressed",
        course_plus_look(plus, 0, course_plus_expansion(plus, 0)).p);
    if (rolls >= 0) put(table, "plus", name, "sticks", course_plus_look(plus, 0, rolls).p);
}

/* What is drawn of a model in a panel, "path" or "total": pi_z, pi_x, pi_y. Returns how many
 * points. */
static int drawn(report *r, const report_rows *table, int i, const char *model, const char *what,
                 double p[3][POINTS]) {
    const char *series = report_text(r, "%s %s %s", panel[i], model, what);
    report_drawn(table, series, "pi_x", POINTS, p[1]);
    report_drawn(table, series, "pi_y", POINTS, p[2]);
    const int n = report_drawn(table, series, "pi_z", POINTS, p[0]);
    return n < POINTS ? n : POINTS;
}

/* Coulomb's law along what is drawn until a contact sticks: friction's impulse, which turns with
 * the slip, has run a length of mu times the normal one. PLUS's intervals are straight, and drawn
 * to nine digits; compliant ones turn within a row, the most in the last, where friction falls. */
static void judge_sliding(report *r, const report_rows *table, int i, const char *model,
                          double allowed) {
    static double p[3][POINTS], end[3][POINTS];
    const int sticks = drawn(r, table, i, model, "sticks", end),
              n = drawn(r, table, i, model, "path", p);
    const double mu = strtod(variant[i] + 3, NULL);
    double length = 0;
    int k = 1;
    for (; k < n && !(sticks == 1 && p[0][k] > end[0][0]); k++)
        length += hypot(p[1][k] - p[1][k - 1], p[2][k] - p[2][k - 1]);
    report_near(r, INDEPENDENT,
                report_text(r, "drawn, %s: sliding, path of friction over normal impulse, %s",
                            variant[i] + 3, model),
                mu, k > 1 ? length / p[0][k - 1] : NAN, allowed, NULL);
}

/* The drawn total against the checked one. */
static void judge_total(report *r, const report_rows *table, int i, const char *model,
                        const char *printed, double total[3]) {
    static double p[3][POINTS];
    const int n = drawn(r, table, i, model, "total", p);
    for (int k = 0; k < 3; k++)
        total[k] = n == 1 ? p[k][0] : NAN;
    course_printed(
        r, report_text(r, "drawn, %s: total impulse (x, y, z), %s, N s", variant[i] + 3, model),
        printed, (const double[]){total[1], total[2], total[0]}, 3, NULL);
}

/* How far PLUS's total and its whole course, normal impulse by normal impulse, are drawn from the
 * compliant ones. */
static void judge(report *r, const report_rows *table, int i) {
    static double of[3][POINTS], by[3][POINTS];
    double end[3], plus[3], apart = 0;
    judge_total(r, table, i, "compliant", compliant_total[i], end);
    judge_total(r, table, i, "plus", plus_total[i], plus);
    judge_sliding(r, table, i, "compliant", 2e-5);
    judge_sliding(r, table, i, "plus", 1e-8);
    const double size = hypot(hypot(end[0], end[1]), end[2]),
                 off = hypot(hypot(plus[0] - end[0], plus[1] - end[1]), plus[2] - end[2]);
    report_at_most(
        r, STATED_IN_SOURCE,
        report_text(r, "drawn, %s: total impulse, PLUS from compliant, relative", variant[i] + 3),
        0.005, off / size, "“very close approximations”; the bound is ours");
    const int rows = drawn(r, table, i, "compliant", "path", by),
              count = drawn(r, table, i, "plus", "path", of);
    for (int k = 1, row = 1; k < count; k++) {
        while (row + 1 < rows && by[0][row] < of[0][k])
            row++;
        const double step = by[0][row] - by[0][row - 1],
                     s = step > 0 ? fmin(1, (of[0][k] - by[0][row - 1]) / step) : 1;
        double tangential[2];
        for (int j = 0; j < 2; j++)
            tangential[j] =
                of[1 + j][k] - by[1 + j][row - 1] - s * (by[1 + j][row] - by[1 + j][row - 1]);
        apart = imp_worse(apart, hypot(tangential[0], tangential[1]));
    }
    report_at_most(r, STATED_IN_SOURCE,
                   report_text(r,
                               "drawn, %s: largest distance of tangential impulses at equal normal "
                               "impulse, over the total",
                               variant[i] + 3),
                   3e-3, count > 1 && rows > 1 ? apart / size : NAN, "along the whole course");
}

static void run(report *r) {
    report_rows *table = report_table(r, "u_fig9", "series\tpi_z:9\tpi_x:9\tpi_y:9");
    for (int i = 0; i < 3; i++) {
        course c;
        course_plus plus;
        if (!course_open(r, "brick-point", variant[i], &c)) continue;
        compliant_settings settings = c.scene.run;
        /* s: smooth lines, and phases that end between rows close to each other */
        settings.max_step = 1e-6;
        if (course_run(r, &c, &settings) &&
            course_plus_run(r, &c, imp_plus_settings_default().theta_max, &plus)) {
            draw(table, panel[i], &c, &plus);
            judge(r, table, i);
        }
        course_close(&c);
    }
    report_figure(r, "u_fig9",
                  "The impulses of PLUS (black, dashed) lie on those of compliant contact "
                  "(solid) at every friction. Tangential impulses π_x (blue) and π_y "
                  "(red) over the normal impulse. Circles and squares: the totals, "
                  "compliant and PLUS; stars: compression ends; triangles: sliding ends "
                  "(compliant: slip falls below 0.01 m/s). (a) slides throughout, (b) "
                  "rolls in expansion, (c) rolls in compression.");
}

const experiment experiment_u_fig9 = {
    "U-Fig9", "Impulses accumulated during the impact of a brick's vertex",
    "Example 1, three coefficients of friction: the impulses that PLUS accumulates "
    "are very close to those of compliant "
    "contact, and evolve over curves, not lines. The paper's text does not name the "
    "axes; here the tangential components "
    "are drawn over the normal one, which PLUS has in the place of time.",
    run};
