/* u_fig12.c - Uchida, Sherman, Delp (2015), Fig. 12: a brick lands on four points at once. */
#include "base/worse.h"
#include "benchmarks/experiments/course.h"

#include <math.h>

/* The checked numbers: normal impulses of one leading and one trailing point, N s; depths, mm; the
 * e with which the mean normal velocity afterwards is the compliant one. */
static const struct {
    const char *variant, *compliant, *plus, *depth, *e;
} published[] = {
    {"upright", "7.576 5.044", "9.375 3.125", "0.795 0.683", "0.427"},
    {"upright, turned", "7.652 4.922", "8.333 4.167", "0.808 0.670", "0.422"},
    {"flat", "7.071 5.400", "7.187 5.312", "0.798 0.678", "0.410"},
    {"flat, turned", "7.346 5.134", "7.500 5.000", "0.810 0.665", "0.411"},
    {"edge", "7.679 4.925", "8.750 3.750", "0.805 0.673", "0.425"},
    {"edge, turned", "7.341 5.143", "7.500 5.000", "0.808 0.667", "0.412"},
};
enum { FACES = sizeof published / sizeof *published, FIGURE = 2 };

/* One contact in front and one behind: the brick moves along -x. */
static void ends(const course *c, int contact[2]) {
    contact[0] = contact[1] = 0;
    for (int i = 1; i < c->touch.nc; i++) {
        if (c->touch.contact[i].point[0] < c->touch.contact[contact[0]].point[0]) contact[0] = i;
        if (c->touch.contact[i].point[0] > c->touch.contact[contact[1]].point[0]) contact[1] = i;
    }
}

/* The largest difference between the impulses of points that mirror each other, N s. */
static double asymmetry(const course *c, const double *p) {
    double worst = 0;
    for (int i = 0; i < c->touch.nc; i++)
        for (int j = 0; j < i; j++) {
            if (fabs(c->touch.contact[i].point[0] - c->touch.contact[j].point[0]) > 1e-9) continue;
            worst = imp_worse(worst, fabs(p[3 * i] - p[3 * j]));
            worst = imp_worse(worst, fabs(p[3 * i + 1] - p[3 * j + 1]));
            worst = imp_worse(worst, fabs(p[3 * i + 2] + p[3 * j + 2]));
        }
    return worst;
}

static void face(report *r, report_rows *table, int k, const course *c, const course_plus *plus) {
    const char *name = published[k].variant;
    int at[2];
    double p[2], q[2], depth[2], mean = 0;
    ends(c, at);
    for (int i = 0; i < 2; i++) {
        p[i] = course_last(c, at[i]).p[0];
        q[i] = plus->p[3 * at[i]];
        depth[i] = 1e3 * c->run.deepest[c->touch.pair[at[i]]];
    }
    for (int i = 0; i < c->touch.nc; i++)
        mean += course_last(c, i).u[0] / c->touch.nc;
    const double e = -mean / c->touch.u[0];
    course_printed(r, report_text(r, "%s: compliant π_z leading, trailing, N s", name),
                   published[k].compliant, p, 2, NULL);
    course_printed(r, report_text(r, "%s: PLUS π_z leading, trailing, N s", name),
                   published[k].plus, q, 2, NULL);
    course_printed(r, report_text(r, "%s: depth leading, trailing, mm", name), published[k].depth,
                   depth, 2, NULL);
    course_printed(r, report_text(r, "%s: e of the compliant mean v_z", name), published[k].e, &e,
                   1, k == FIGURE ? "the paper takes e_min = 0.414" : NULL);
    const double total = 4 * (q[0] + q[1]) / 2, mass = 2, speed = -c->touch.u[0];
    report_near(r, INDEPENDENT, report_text(r, "%s: PLUS total normal impulse, N s", name),
                mass * speed * (1 + c->touch.e[0]), total, 1e-14,
                "m v (1 + e): all four points compress and expand together");
    report_at_most(r, OWN_BOUND, report_text(r, "%s: PLUS, mirror points apart, N s", name),
                   1e-14 * total, asymmetry(c, plus->p), NULL);
    report_row(table, name, p[0], p[1], q[0], q[1], depth[0], depth[1], e);
}

/* Coulomb's law of a point up to there, as a difference of 0. */
static double off_coulomb(const course *c, const course_point *at) {
    const double most = c->touch.mu[0] * at->p[0];
    return most > 0 ? fabs(hypot(at->p[1], at->p[2]) / most - 1) : INFINITY;
}

/* While a point slides its friction impulse is mu times its normal one: by compliant contact too,
 * whose spheres keep their normal, down to thrice the transition speed. At PLUS's end it rolls. */
static void friction(report *r, const course *c, const course_plus *plus, const int at[2]) {
    double compliant = 0, instant = 0, slip = 0;
    for (int i = 0; i < 2; i++) {
        const compliant_law *law = &c->scene.system.pairs[c->touch.pair[at[i]]].law;
        const course_point end = course_plus_look(plus, at[i], plus->count),
                           rolls = course_plus_look(plus, at[i], course_plus_rolling(plus, at[i]));
        course_point slides = course_look(c, at[i], 0);
        for (int row = 1; row < c->run.history.rows; row++) {
            const course_point next = course_look(c, at[i], row);
            if (hypot(next.u[1], next.u[2]) < 3 * law->transition) break;
            slides = next;
        }
        compliant = imp_worse(compliant, off_coulomb(c, &slides));
        instant = imp_worse(instant, off_coulomb(c, &rolls));
        slip = imp_worse(slip, hypot(end.u[1], end.u[2]));
    }
    report_at_most(r, INDEPENDENT, "flat: sliding, friction over μ times the normal impulse, - 1",
                   1e-13, compliant, "compliant, to 0.03 m/s");
    report_at_most(r, INDEPENDENT, "flat: the same by PLUS", 1e-13, instant, NULL);
    report_at_most(r, INDEPENDENT, "flat: slip that PLUS leaves of points that roll, m/s",
                   1e-13 * fabs(c->touch.u[0]), slip, NULL);
}

static void draw(report *r, const course *c, const course_plus *plus) {
    static const char *const panel[] = {"b", "a"};
    report_rows *table = report_table(r, "u_fig12", "series\tpi_z:9\tpi_x:9");
    int at[2];
    ends(c, at);
    for (int i = 0; i < 2; i++) {
        const int sticks = course_sticking(c, at[i]), rolls = course_plus_rolling(plus, at[i]);
        for (int row = 0; row < c->run.history.rows; row++) {
            const course_point point = course_look(c, at[i], row);
            report_row(table, report_text(r, "%s compliant path", panel[i]), point.p[0],
                       point.p[1]);
        }
        for (int k = 0; k <= plus->count; k++) {
            const course_point point = course_plus_look(plus, at[i], k);
            report_row(table, report_text(r, "%s plus path", panel[i]), point.p[0], point.p[1]);
        }
        const course_point mark[] = {
            course_last(c, at[i]),
            course_look(c, at[i], course_compressed(c, at[i])),
            course_look(c, at[i], sticks < 0 ? 0 : sticks),
            course_plus_look(plus, at[i], plus->count),
            course_plus_look(plus, at[i], course_plus_expansion(plus, at[i])),
            course_plus_look(plus, at[i], rolls < 0 ? 0 : rolls)};
        static const char *const name[] = {"compliant total",  "compliant compressed",
                                           "compliant sticks", "plus total",
                                           "plus compressed",  "plus sticks"};
        for (int k = 0; k < 6; k++)
            report_row(table, report_text(r, "%s %s", panel[i], name[k]), mark[k].p[0],
                       mark[k].p[1]);
    }
    for (int i = 0; i < 2; i++) {
        const course_point end = course_last(c, at[i]);
        const double *p = end.p, *q = plus->p + 3 * at[i];
        const double off = hypot(hypot(q[0] - p[0], q[1] - p[1]), q[2] - p[2]);
        report_at_most(
            r, STATED_IN_SOURCE,
            report_text(r, "flat: impulse of a %s point, PLUS from compliant, relative",
                        i ? "trailing" : "leading"),
            0.05, off / hypot(hypot(p[0], p[1]), p[2]),
            report_text(
                r,
                "“closely approximate”; the bound is ours. Friction alone: %.3f against %.3f N s, "
                "as "
                "compliant points stop sliding before PLUS's do, when the brick begins to turn",
                q[1], p[1]));
    }
    friction(r, c, plus, at);
    const double expansion = plus->interval[1].alpha;
    report_judge(r, INDEPENDENT, "flat: PLUS's intervals",
                 "1 + 2: slide; slide, and roll from 31.7 % of expansion on",
                 report_text(r, "%d + %d: %c; %c, and %c from %.1f %%",
                             course_plus_expansion(plus, at[0]),
                             plus->count - course_plus_expansion(plus, at[0]), plus->motion[at[0]],
                             plus->motion[plus->nc + at[0]], plus->motion[2 * plus->nc + at[0]],
                             100 * expansion),
                 "printed digits",
                 plus->count == 3 && course_plus_expansion(plus, at[0]) == 1 &&
                     course_plus_rolling(plus, at[0]) == 2 && fabs(expansion - 0.317) <= 5e-4,
                 "the paper: initially sliding, rolling from within the common expansion phase");
    report_figure(r, "u_fig12",
                  "PLUS (dashed) follows compliant contact (solid) while points slide, "
                  "and ends with somewhat more friction. The flat brick: friction impulse "
                  "over normal impulse of a point (a) behind and (b) in front. Circle and "
                  "square: totals; star: compression ends; triangle: sliding ends "
                  "(compliant: slip falls below 0.01 m/s).");
}

static void run(report *r) {
    course_plus plus;
    for (int k = 0; k < FACES; k++) {
        course c;
        if (!course_open(r, "brick-face", published[k].variant, &c)) continue;
        compliant_settings settings = c.scene.run;
        settings.max_step = 2e-6; /* s: smooth lines */
        if (k == FIGURE && course_run(r, &c, &settings) &&
            course_plus_run(r, &c, imp_plus_settings_default().theta_max, &plus))
            draw(r, &c, &plus);
        course_close(&c);
    }
    report_rows *table =
        report_table(r, "u_fig12_faces",
                     "face down\tcompliant π_z leading, N s:4\ttrailing:4\tPLUS "
                     "leading:4\ttrailing:4\tdepth leading, mm:4\ttrailing:4\te of the mean v_z:4");
    for (int k = 0; k < FACES; k++) {
        course c;
        if (!course_open(r, "brick-face", published[k].variant, &c)) continue;
        if (course_run(r, &c, &c.scene.run) &&
            course_plus_run(r, &c, imp_plus_settings_default().theta_max, &plus))
            face(r, table, k, &c, &plus);
        course_close(&c);
    }
    report_show_table(
        r, "u_fig12_faces",
        "All six ways to lay the brick: impulses of one leading and one trailing point, deepest "
        "penetration, and the restitution with which PLUS would leave with the compliant mean "
        "velocity. "
        "Where the brick stands high, PLUS shares the load less evenly than compliant contact.");
}

const experiment experiment_u_fig12 = {
    "U-Fig12", "Four points at once: impulses",
    "Example 2: a brick lands flat at (-2, 0, -8.84) m/s, μ = 0.2; the impulses of "
    "PLUS are close to the compliant ones, "
    "leading points carry more. The text does not say which face is down: the flat "
    "one fits best. Published numbers: the "
    "paper prints none; those here are independent computations.",
    run};
