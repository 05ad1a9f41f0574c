/* u_fig9.c - Uchida, Sherman, Delp (2015), Fig. 9: impulses accumulated during the impact of a brick's vertex. */
#include "benchmarks/experiments/course.h"

#include <math.h>

static const char *const variant[] = {"mu 0.125", "mu 0.225", "mu 0.325"};
static const char *const panel[] = {"a", "b", "c"};

static void put(FILE *table, const char *model, const char *panel_name, const char *what, const double p[3]) {
    fprintf(table, "%s %s %s\t%.9g\t%.9g\t%.9g\n", panel_name, model, what, p[0], p[1], p[2]);
}

static void draw(FILE *table, const char *name, const course *c, const course_plus *plus) {
    const int sticks = course_sticking(c, 0), rolls = course_plus_rolling(plus, 0);
    for (int row = 0; row < c->run.history.rows; row++)
        put(table, "compliant", name, "path", course_look(c, 0, row).p);
    put(table, "compliant", name, "total", course_last(c, 0).p);
    put(table, "compliant", name, "compressed", course_look(c, 0, course_compressed(c, 0)).p);
    if (sticks >= 0) put(table, "compliant", name, "sticks", course_look(c, 0, sticks).p);
    for (int k = 0; k <= plus->count; k++)
        put(table, "plus", name, "path", course_plus_look(plus, 0, k).p);
    put(table, "plus", name, "total", plus->p);
    put(table, "plus", name, "compressed", course_plus_look(plus, 0, course_plus_expansion(plus, 0)).p);
    if (rolls >= 0) put(table, "plus", name, "sticks", course_plus_look(plus, 0, rolls).p);
}

/* PLUS expands by e times the impulse that it compressed with: Poisson's hypothesis, recomputed from the course. */
static void rows(report *r, int i, const course *c, const course_plus *plus) {
    const double compression = course_plus_look(plus, 0, course_plus_expansion(plus, 0)).p[0], e = c->touch.e[0];
    report_near(r, report_text(r, "%s: e from PLUS's normal impulses of expansion and compression", variant[i] + 3), e,
                plus->p[0] / compression - 1, 1e-14, "the paper's e_min of this coefficient of friction");
    const course_point end = course_last(c, 0);
    const double resolved = course_look(c, 0, course_compressed(c, 0)).p[0];
    report_shown(r, report_text(r, "%s: impulse ratio of the compliant phases", variant[i] + 3), "",
                 report_text(r, "%.4f", end.p[0] / resolved - 1),
                 "the paper chose e so that the two agree in the rebound");
    double off = 0, size = 0;
    for (int k = 0; k < 3; k++) {
        off = hypot(off, plus->p[k] - end.p[k]);
        size = hypot(size, end.p[k]);
    }
    report_shown(r, report_text(r, "%s: total impulse, PLUS from compliant, relative", variant[i] + 3),
                 "“very close approximations”", report_text(r, "%.2g", off / size), NULL);
}

static void run(report *r) {
    FILE *table = report_table(r, "u_fig9", "series\tpi_z\tpi_x\tpi_y");
    for (int i = 0; i < 3; i++) {
        course c;
        course_plus plus;
        if (!course_open(r, "brick-point", variant[i], &c)) continue;
        compliant_settings settings = c.scene.run;
        settings.max_step = 1e-6; /* s: smooth lines, and phases that end between rows close to each other */
        if (course_run(r, &c, &settings) && course_plus_run(r, &c, imp_plus_settings_default().theta_max, &plus)) {
            rows(r, i, &c, &plus);
            draw(table, panel[i], &c, &plus);
        }
        course_close(&c);
    }
    report_figure(r, "u_fig9",
                  "Tangential impulses π_x (blue) and π_y (red) over the normal impulse: compliant contact (solid), "
                  "PLUS (black, dashed). Circles and squares: the totals, compliant and PLUS; stars: compression "
                  "ends; triangles: sliding ends (compliant: slip falls below 0.01 m/s). (a) slides "
                  "throughout, (b) rolls in expansion, (c) rolls in compression.");
}

const experiment experiment_u_fig9 = {"U-Fig9", "Impulses accumulated during the impact of a brick's vertex",
                                      "Example 1, three coefficients of friction: the impulses that PLUS accumulates "
                                      "are very close to those of compliant "
                                      "contact, and evolve over curves, not lines. The paper's text does not name the "
                                      "axes; here the tangential components "
                                      "are drawn over the normal one, which PLUS has in the place of time.",
                                      run};
