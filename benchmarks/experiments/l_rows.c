/* l_rows.c - Liu, Zhao, Brogliato (2008): rows of balls that touch, hit at one end, by their
 * distributing law and by laws that know one moment, against Hertz contacts integrated in time. */
#include "benchmarks/experiments/experiments.h"
#include "benchmarks/harness/cradle.h"
#include "benchmarks/harness/report.h"
#include "lib/impact.h"

#include <math.h>
#include <string.h>

enum { MOST = 10, ALL = 3 * (MOST - 1) };

typedef struct row {
    const char *name, *words;
    int balls;
    double radius;          /* of a ball over that of the one before it */
    double before[MOST];    /* m/s */
    double compliant[MOST]; /* m/s, after */
    double mass[MOST];      /* kg */
} row;

/* row->compliant and mass <- Hertz contacts without loss, integrated. */
static bool run_compliant(row *b) {
    cradle c;
    bool good = cradle_make(&c, b->balls, 0, b->radius);
    for (int i = 0; good && i < b->balls; i++)
        c.v[6 * i] = b->before[i];
    c.settings.accuracy = 1e-10;
    good = good && cradle_run(&c) == IMP_OK;
    for (int i = 0; good && i < b->balls; i++) {
        b->compliant[i] = c.after[i];
        b->mass[i] = imp_tree_link(c.tree, i)->mass;
    }
    cradle_clear(&c);
    return good;
}

/* after (balls) <- a model's velocities, all pairs touching, e = 1; false where it has no
 * answer. */
static bool run_model(const row *b, const imp_model *model, const imp_settings *settings,
                      double after[MOST]) {
    const int nc = b->balls - 1, n = 3 * nc;
    double W[ALL * ALL] = {0}, q[ALL] = {0}, mu[MOST] = {0}, e[MOST], p[ALL + 3] = {0};
    for (int i = 0; i < nc; i++) {
        q[3 * i] = b->before[i + 1] - b->before[i];
        e[i] = 1;
        for (int a = 3 * i; a < 3 * i + 3; a++) {
            W[a * n + a] = 1 / b->mass[i] + 1 / b->mass[i + 1];
            if (i + 1 < nc) W[a * n + a + 3] = W[(a + 3) * n + a] = -1 / b->mass[i + 1];
        }
    }
    const imp_operator dense = imp_operator_dense(nc, W);
    const imp_problem problem = {.nc = nc, .W = &dense, .q = q, .mu = mu, .e = e};
    if (imp_solve(model, &problem, settings, p, NULL) != IMP_OK) return false;
    for (int i = 0; i < b->balls; i++)
        after[i] = b->before[i] + ((i > 0 ? p[3 * i - 3] : 0) - p[3 * i]) / b->mass[i];
    return true;
}

/* |a - b| in the mass norm over the speed before. */
static double distance(const row *b, const double *v) {
    double off = 0, size = 0;
    for (int i = 0; i < b->balls; i++) {
        off += b->mass[i] * (v[i] - b->compliant[i]) * (v[i] - b->compliant[i]);
        size += b->mass[i] * b->before[i] * b->before[i];
    }
    return sqrt(off / size);
}

static double energy(const row *b, const double *v) {
    double after = 0, before = 0;
    for (int i = 0; i < b->balls; i++) {
        after += b->mass[i] * v[i] * v[i];
        before += b->mass[i] * b->before[i] * b->before[i];
    }
    return after / before - 1;
}

static const struct {
    const char *series, *model;
    bool graded; /* with the ratio of stiffness that the radii make */
} laws[] = {{"lzb", "lzb", true},
            {"lzb, one stiffness", "lzb", false},
            {"sequential", "sequential", false},
            {"moreau", "moreau", false},
            {"frictionless", "frictionless", false},
            {"plus", "plus", false}};
enum { LAWS = sizeof laws / sizeof *laws };

/* after (MOST) <- the law's velocities; false where it has none. */
static bool run_law(const row *b, int law, double after[MOST]) {
    const imp_model *model = imp_model_find(laws[law].model);
    imp_settings settings;
    imp_model_presets(model, &settings);
    if (laws[law].graded) (void)imp_model_set(model, &settings, "grade", sqrt(b->radius));
    return run_model(b, model, &settings, after);
}

/* v <- where one pair after another collides, from the left, until none approaches. */
static void by_pairs(const row *b, double v[MOST]) {
    memcpy(v, b->before, MOST * sizeof *v);
    for (int i = 0; i + 1 < b->balls;) {
        const double close = v[i] - v[i + 1], sum = b->mass[i] + b->mass[i + 1];
        if (close > 1e-12 * fabs(b->before[0])) {
            v[i] -= 2 * b->mass[i + 1] / sum * close;
            v[i + 1] += 2 * b->mass[i] / sum * close;
            i = 0;
        } else
            i++;
    }
}

/* v <- where those that fly at the speed of the first, and the others, collide as two bodies. */
static void as_two(const row *b, double v[MOST]) {
    double mass[2] = {0}, speed[2] = {b->before[0], b->before[b->balls - 1]};
    for (int i = 0; i < b->balls; i++)
        mass[b->before[i] != speed[0]] += b->mass[i];
    const double close = 2 * (speed[0] - speed[1]) / (mass[0] + mass[1]);
    for (int i = 0; i < b->balls; i++)
        v[i] = b->before[i] != speed[0] ? speed[1] + mass[0] * close : speed[0] - mass[1] * close;
}

static void judge_row(report *r, report_rows *t, row *b) {
    const bool good = run_compliant(b);
    report_judge(r, OWN_BOUND, report_text(r, "%s: the compliant run", b->words), "ends",
                 good ? "ends" : "does not", "ends", good, NULL);
    for (int k = 0; good && k < LAWS; k++) {
        double v[MOST] = {0};
        const double off = run_law(b, k, v) ? distance(b, v) : (double)NAN;
        report_cells(t, IMP_TEXT(b->words), IMP_TEXT(laws[k].series), IMP_NUMBER(off),
                     IMP_NUMBER(energy(b, v)));
        if (k == 0)
            report_at_most(r, INDEPENDENT,
                           report_text(r, "%s: lzb against Hertz contacts in time", b->words), 1e-8,
                           off, "velocities, mass norm, over the speed before");
        else if (k > 1)
            report_judge(r, OWN_BOUND, report_text(r, "%s: %s", b->words, laws[k].series),
                         "another impact", report_text(r, "%.3f", off), "at least 0.01",
                         off >= 0.01, NULL);
        if (k > 1) {
            double known[MOST];
            const bool pairs =
                strcmp(laws[k].series, "sequential") == 0 || strcmp(laws[k].series, "plus") == 0;
            (pairs ? by_pairs : as_two)(b, known);
            report_vector(r, INDEPENDENT,
                          report_text(r, "%s, %s: velocities after, m/s", b->words, laws[k].series),
                          known, v, b->balls, 1e-8,
                          pairs ? "pairs, one after another"
                                : "what touches and flies is one body");
        }
    }
}

/* A ball, a line; series "NAME, LAW". */
static void write_velocities(report *r, report_rows *t, const row *b, const char *law,
                             const double *v) {
    for (int i = 0; i < b->balls; i++)
        report_cells(t, IMP_TEXT(report_text(r, "%s, %s", b->name, law)), IMP_NUMBER(i + 1),
                     IMP_NUMBER(v[i] / b->before[0]));
}

static void write_row(report *r, report_rows *t, const row *b) {
    write_velocities(r, t, b, "compliant", b->compliant);
    for (int k = 0; k < LAWS; k++) {
        double v[MOST];
        if (run_law(b, k, v)) write_velocities(r, t, b, laws[k].series, v);
    }
}

/* By other means: Runge and Kutta's classical steps in time of Hertz contacts, over the speed
 * before. */
static void last_balls(report *r, const row *b, const char *known, int count) {
    double v[MOST] = {0};
    (void)run_law(b, 0, v);
    for (int i = 0; i < b->balls; i++)
        v[i] /= b->before[0];
    report_printed(r, INDEPENDENT,
                   report_text(r, "%s: velocities of the last, of the speed before", b->words),
                   known, v + b->balls - count, count, NULL);
}

static void run(report *r) {
    static row rows[] = {
        {.name = "equal", .words = "ten equal balls", .balls = 10, .radius = 1, .before = {2}},
        {.name = "tapered",
         .words = "ten balls, each radius 0.95 of the last",
         .balls = 10,
         .radius = 0.95,
         .before = {2}},
        {.name = "two",
         .words = "five equal balls, two of them fly",
         .balls = 5,
         .radius = 1,
         .before = {2, 2}},
        {.name = "columns",
         .words = "two columns of five beads meet",
         .balls = 10,
         .radius = 1,
         .before = {2, 2, 2, 2, 2, -2, -2, -2, -2, -2}},
    };
    enum { ROWS = sizeof rows / sizeof *rows };
    report_rows *t = report_table(r, "l_rows_laws", "row\tlaw\terror:3\tenergy:2");
    for (int k = 0; k < ROWS; k++)
        judge_row(r, t, &rows[k]);
    last_balls(r, &rows[0], "0.147390 0.985866", 2);
    last_balls(r, &rows[1], "1.8521", 1);
    report_show_table(r, "l_rows_laws",
                      "Velocities after against Hertz contacts without loss, integrated in time: "
                      "mass norm, over the speed before; and the change of energy, of that before. "
                      "lzb takes the ratio of stiffness from the radii (its setting grade).");
    t = report_table(r, "l_rows", "series\tball:3\tv:7");
    for (int k = 0; k < ROWS; k++)
        write_row(r, t, &rows[k]);
    report_figure(r, "l_rows",
                  "The distributing law (lzb) moves balls that touch as Hertz contacts "
                  "do; laws of one moment or one pair do not. Velocities after one or "
                  "more balls flew at the others without friction or loss, over the speed "
                  "before: Hertz contacts in time, and the laws. Where two columns meet, "
                  "those of one moment and of one pair are one law.");
}

const experiment experiment_l_rows = {
    "L-Rows", "Rows of balls that touch: the distributing law of Liu, Zhao and Brogliato (2008)",
    "Simultaneous impacts without friction, whose outcome depends on the ratio of the contacts' "
    "stiffness and on how force grows with indentation, not on stiffness itself. The impulse is "
    "shared out by the work that contacts hold, each with energetic restitution.",
    run};
