/* u_load.c - Uchida, Sherman, Delp (2015), section 3a: loads on redundant points, of least norm and
 * of a subset that pivoting picks, beside compliant contact. */
#include "benchmarks/experiments/course.h"
#include "base/worse.h"
#include "generators/gen.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

enum { POINTS = 4, CENTRES = 4, NUDGES = 100 };

static const double RANK = 1e-7;   /* relative, of A: nudged points leave it smaller eigenvalues */
static const double NUDGE = 1e-12; /* m, of the points' places; relative, of velocities */

/* Normal impulses that change normal velocities by w: A p = w, of which A leaves one free. */
typedef struct loads {
    double A[POINTS * POINTS], w[POINTS]; /* 1/kg, m/s */
} loads;

/* p <- the solution of least norm, by a complete orthogonal factorisation, as in the paper. */
static void least_norm(const loads *l, double p[POINTS]) {
    double copy[POINTS * POINTS], w[POINTS], Q[POINTS], Z[POINTS], left[POINTS];
    size_t rank;
    memcpy(copy, l->A, sizeof copy);
    memcpy(w, l->w, sizeof w);
    gsl_matrix_view A = gsl_matrix_view_array(copy, POINTS, POINTS);
    gsl_vector_view tau_q = gsl_vector_view_array(Q, POINTS),
                    tau_z = gsl_vector_view_array(Z, POINTS), b = gsl_vector_view_array(w, POINTS),
                    x = gsl_vector_view_array(p, POINTS),
                    rest = gsl_vector_view_array(left, POINTS);
    gsl_permutation *order = gsl_permutation_alloc(POINTS);
    gsl_vector *work = gsl_vector_alloc(POINTS);
    gsl_linalg_COD_decomp_e(&A.matrix, &tau_q.vector, &tau_z.vector, order,
                            RANK * gsl_matrix_max(&A.matrix), &rank, work);
    gsl_linalg_COD_lssolve(&A.matrix, &tau_q.vector, &tau_z.vector, order, rank, &b.vector,
                           &x.vector, &rest.vector);
    gsl_vector_free(work);
    gsl_permutation_free(order);
}

static void column(const void *data, int j, double *m) { /* symmetric */
    const loads *l = data;
    memcpy(m, l->A + (size_t)j * POINTS, POINTS * sizeof *m);
}

/* p <- the solution on the points that Lemke's pivots pick, zero on the others; NaN: none. */
static void pivoted(const loads *l, double p[POINTS]) {
    double q[POINTS], work[3 * POINTS * POINTS + 8 * POINTS];
    int pivots;
    for (int i = 0; i < POINTS; i++)
        q[i] = -l->w[i];
    const imp_lcp lcp = {POINTS, q, column, l};
    if (imp_lemke(&lcp, 1000, NULL, p, work, &pivots) == IMP_OK) return;
    for (int i = 0; i < POINTS; i++)
        p[i] = NAN;
}

/* |a - b| / |b|. */
static double apart(const double a[POINTS], const double b[POINTS]) {
    double off = 0, size = 0;
    for (int i = 0; i < POINTS; i++) {
        off += (a[i] - b[i]) * (a[i] - b[i]);
        size += b[i] * b[i];
    }
    return sqrt(off / size);
}

static void multiply(const double A[POINTS * POINTS], const double p[POINTS], double w[POINTS]) {
    for (int i = 0; i < POINTS; i++) {
        w[i] = 0;
        for (int j = 0; j < POINTS; j++)
            w[i] += A[i * POINTS + j] * p[j];
    }
}

/* The brick lands flat and without friction, its centre of mass `aside` (m) of the middle. */
static bool open_brick(report *r, double aside, bool linear, course *c) {
    const char *const assign[] = {"material.friction=0",
                                  "material.dissipation=0",
                                  "bodies.brick.velocity=[0, 0, -8.84]",
                                  report_text(r, "bodies.brick.com=[%g, %g, 0]", aside, aside / 2),
                                  "impact.restitution=1",
                                  linear ? "material.linear_stiffness=1e11" : NULL,
                                  NULL};
    return course_open_with(r, "brick-face", "flat", assign, c) && course_touches(r, c, POINTS);
}

/* The last row of the run in which all points press. */
static int last_together(const course *c) {
    int last = 0;
    for (int row = 0; row < c->run.history.rows; row++) {
        bool all = true;
        for (int i = 0; i < POINTS; i++)
            all = all && course_look(c, i, row).depth > 0;
        if (all) last = row;
    }
    return last;
}

/* compliant <- the impulses of a run for as long as all points press; l <- the change of velocity
 * that they make. */
static bool run_compliant(report *r, course *c, double compliant[POINTS], loads *l) {
    compliant_settings settings = c->scene.run;
    settings.accuracy = 1e-10;
    settings.history = true;
    if (!course_run(r, c, &settings)) return false;
    const int row = last_together(c);
    for (int i = 0; i < POINTS; i++) {
        compliant[i] = course_look(c, i, row).p[0];
        for (int j = 0; j < POINTS; j++)
            l->A[i * POINTS + j] = c->touch.W[3 * i * 3 * POINTS + 3 * j];
    }
    multiply(l->A, compliant, l->w);
    return true;
}

/* Largest change of the loads, of the loads, when points and velocities move a little; and how many
 * points the answer ever leaves without a load. */
typedef struct stability {
    double change;
    int idle;
} stability;

static stability nudge(const course *c, const double w[POINTS],
                       void (*solve)(const loads *, double[POINTS])) {
    double first[POINTS] = {0};
    bool idle[POINTS] = {false};
    stability found = {0};
    for (uint64_t k = 0; k < NUDGES; k++) {
        gen_stream s = gen_seed(7200, k);
        imp_contact contact[POINTS];
        double W[9 * POINTS * POINTS], q[3 * POINTS], work[3 * POINTS * 6], p[POINTS];
        loads l;
        for (int i = 0; i < POINTS; i++)
            l.w[i] = w[i] * (1 + (k > 0 ? gen_uniform(&s, -NUDGE, NUDGE) : 0));
        memcpy(contact, c->touch.contact, sizeof contact);
        for (int i = 0; i < POINTS; i++)
            for (int a = 0; k > 0 && a < 2; a++)
                contact[i].point[a] += gen_uniform(&s, -NUDGE, NUDGE);
        imp_tree_place(c->scene.tree, c->touch.q, c->touch.v);
        if (imp_tree_delassus(c->scene.tree, POINTS, contact, W, q, work) != IMP_OK) {
            found.change = INFINITY;
            continue;
        }
        for (int i = 0; i < POINTS * POINTS; i++)
            l.A[i] = W[3 * (i / POINTS) * 3 * POINTS + 3 * (i % POINTS)];
        solve(&l, p);
        if (k == 0) memcpy(first, p, sizeof first);
        found.change = imp_worse(found.change, apart(p, first));
        for (int i = 0; i < POINTS; i++)
            idle[i] = idle[i] || fabs(p[i]) <= 1e-6 * fabs(first[0] + first[1]);
    }
    for (int i = 0; i < POINTS; i++)
        found.idle += idle[i];
    return found;
}

typedef struct offs {
    double linear, hertz, pivoted, plus;
} offs;

static void put(report *r, report_rows *t, double aside, const char *way, const double p[POINTS]) {
    report_cells(t, IMP_TEXT(report_text(r, "%s, %g", way, aside)), IMP_NUMBER(p[0]),
                 IMP_NUMBER(p[1]), IMP_NUMBER(p[2]), IMP_NUMBER(p[3]));
}

/* What each way is off the compliant loads that make the same change of velocity. False after a
 * failing row. */
static bool land(report *r, report_rows *t, double aside, offs *worst) {
    course c;
    course_plus plus;
    loads l;
    double compliant[POINTS], least[POINTS], picked[POINTS], spread[POINTS];
    const bool linear = open_brick(r, aside, true, &c) && run_compliant(r, &c, compliant, &l);
    if (linear) {
        least_norm(&l, least);
        worst->linear = imp_worse(worst->linear, apart(least, compliant));
    }
    course_close(&c);
    if (!linear || !open_brick(r, aside, false, &c)) return false;
    if (!run_compliant(r, &c, compliant, &l) || !course_plus_run(r, &c, 0.1, &plus)) {
        course_close(&c);
        return false;
    }
    least_norm(&l, least);
    pivoted(&l, picked);
    worst->hertz = imp_worse(worst->hertz, apart(least, compliant));
    worst->pivoted = -imp_worse(-worst->pivoted, -apart(picked, compliant));
    put(r, t, aside, "compliant", compliant);
    put(r, t, aside, "least norm", least);
    put(r, t, aside, "pivoted", picked);
    for (int i = 0; i < POINTS; i++)
        spread[i] = plus.p[3 * i];
    multiply(l.A, spread, l.w);
    least_norm(&l, least);
    worst->plus = imp_worse(worst->plus, apart(spread, least));
    put(r, t, aside, "plus", spread);
    course_close(&c);
    return true;
}

static void stable(report *r) {
    course c;
    loads l;
    double compliant[POINTS];
    if (!open_brick(r, 0, false, &c) || !run_compliant(r, &c, compliant, &l)) return;
    const stability least = nudge(&c, l.w, least_norm), picked = nudge(&c, l.w, pivoted);
    report_at_most(r, STATED_IN_SOURCE,
                   "least norm, points moved by 1e-12 m, velocities by 1e-12: change of the loads",
                   1e-9, least.change, "“solution stability from one step to the next”");
    report_judge(r, STATED_IN_SOURCE,
                 "pivoted, the same: change of the loads; points left without at times",
                 "“a different, seemingly arbitrary, subset … whereas other constraints show zero "
                 "load”",
                 report_text(r, "%.2f; %d of %d", picked.change, picked.idle, POINTS),
                 "at least 0.5, finite; 2",
                 picked.change >= 0.5 && isfinite(picked.change) && picked.idle >= 2, NULL);
    course_close(&c);
}

static void run(report *r) {
    offs worst = {.pivoted = INFINITY};
    report_rows *t = report_table(r, "u_load",
                                  "loads\tpoint_1_Ns:6\tpoint_2_Ns:6\tpoint_3_Ns:6\t"
                                  "point_4_Ns:6");
    for (int k = 0; k < CENTRES; k++)
        if (!land(r, t, 0.04 * k, &worst)) return;
    report_at_most(
        r, INDEPENDENT, "linear springs: loads off least norm, of their size", 1e-12, worst.linear,
        "while all points press: they push in proportion to how bodies moved, and so have "
        "no part that moves nothing");
    report_at_most(r, STATED_IN_SOURCE, "Hertz contacts: loads off least norm", 0.1, worst.hertz,
                   "“consistent with the principles of contact mechanics”; linear elasticity is "
                   "what the principle is for");
    report_judge(r, STATED_IN_SOURCE, "Hertz contacts: loads off those that pivoting picks",
                 "least norm “a much better choice”", report_text(r, "%.2f", worst.pivoted),
                 "at least 5 times as far", worst.pivoted >= 5 * worst.hertz, NULL);
    report_at_most(r, INDEPENDENT, "PLUS: its loads off least norm, without friction", 1e-12,
                   worst.plus, "of the same change of velocity, by another factorisation");
    stable(r);
    report_show_table(
        r, "u_load",
        "Impulses on the four points of a brick that lands flat without friction, "
        "its centre of mass 0, 4, 8 and 12 cm aside (and half as far the other way), while all "
        "press: "
        "compliant contact, and two rigid ways to make the same change of velocity; "
        "PLUS with its own.");
}

const experiment experiment_u_load = {
    "U-Load", "Loads on redundant points: least norm, and a subset (section 3a)",
    "“The least-squares solution is a much better choice for a rigid approximation than is the "
    "commonly used numerical selection of an inconstant, non-redundant subset of the available "
    "constraints”: load spreading that minimises potential energy, and stability from one step to "
    "the next. The paper shows neither in numbers.",
    run};
