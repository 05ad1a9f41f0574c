/* u_fig9.c - Uchida, Sherman, Delp (2015), Fig. 9: impulses accumulated during the impact of a
 * brick's vertex. */
#include "benchmarks/experiments/course.h"

#include <math.h>

static const char *const variant[] = {"mu 0.125", "mu 0.225", "mu 0.325"};
static const char *const panel[] = {"a", "b", "c"};

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

/* How far PLUS's total and its whole course, normal impulse by normal impulse, lie from the
 * compliant ones. */
static void rows(report *r, int i, const course *c, const course_plus *plus) {
    const course_point end = course_last(c, 0);
    const double size = hypot(hypot(end.p[0], end.p[1]), end.p[2]);
    const double off =
        hypot(hypot(plus->p[0] - end.p[0], plus->p[1] - end.p[1]), plus->p[2] - end.p[2]);
    report_at_most(
        r, STATED_IN_SOURCE,
        report_text(r, "%s: total impulse, PLUS from compliant, relative", variant[i] + 3), 0.005,
        off / size, "“very close approximations”; the bound is ours");
    double apart = 0;
    for (int k = 1, row = 1; k <= plus->count; k++) {
        const course_point at = course_plus_look(plus, 0, k);
        while (row + 1 < c->run.history.rows && course_look(c, 0, row).p[0] < at.p[0])
            row++;
        const course_point b = course_look(c, 0, row), a = course_look(c, 0, row - 1);
        const double s = b.p[0] > a.p[0] ? fmin(1, (at.p[0] - a.p[0]) / (b.p[0] - a.p[0])) : 1;
        apart = fmax(apart, hypot(at.p[1] - a.p[1] - s * (b.p[1] - a.p[1]),
                                  at.p[2] - a.p[2] - s * (b.p[2] - a.p[2])));
    }
    report_at_most(
        r, STATED_IN_SOURCE,
        report_text(
            r,
            "%s: largest distance of tangential impulses at equal normal impulse, over the total",
            variant[i] + 3),
        0.01, apart / size, "along the whole course");
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
            rows(r, i, &c, &plus);
            draw(table, panel[i], &c, &plus);
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
