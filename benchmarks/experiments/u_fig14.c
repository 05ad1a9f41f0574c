/* u_fig14.c - Uchida, Sherman, Delp (2015), Fig. 14 and Table 2: a ball hits a row of four. */
#include "benchmarks/experiments/course.h"
#include "benchmarks/experiments/motion.h"
#include "base/worse.h"

#include <math.h>
#include <string.h>

enum { BALLS = 5, PAIRS = 4, ROUNDS = 5 };

/* Velocity of ball k along x in a tree's state. */
static double along(const double *v, int k) {
    return v[6 * k];
}

static const struct {
    const char *variant, *row, *velocity;
} published[] = {
    {"touching", "A: compliant, touching", "0.14217 0.06055 0.02893 -0.25409 -1.97755"},
    {"gap 10 um", "compliant, gaps of 10 μm", "0.1223 0.0455 0.0192 -0.2016 -1.9854"},
    {"gap 0.1 mm", "compliant, gaps of 0.1 mm", "-1.9995"},
    {"gap 1 mm", "compliant, gaps of 1 mm", "-2"}};

/* Outcomes as the figure draws them: a line of the table per ball. */
static void put(report_rows *table, const char *row, double height, const double *v) {
    for (int k = 0; k < BALLS; k++)
        report_row(table, row, height, -0.5 * k, v[k]);
}

/* touching[] receives the velocities after of the touching balls, m/s. */
static void compliant(report *r, report_rows *table, report_rows *times, double touching[BALLS]) {
    for (int i = 0; i < 4; i++) {
        course c;
        double v[BALLS];
        if (!course_open(r, "cradle", published[i].variant, &c)) continue;
        compliant_settings settings = c.scene.run;
        settings.max_step = 5e-6; /* s: smooth lines */
        if (course_run(r, &c, &settings)) {
            for (int k = 0; k < BALLS; k++)
                v[k] = along(c.run.y + c.run.layout.v, k);
            const bool whole = i < 2; /* of the wide gaps the last ball decides */
            course_printed(
                r,
                report_text(r, "%s: final v%s, m/s", published[i].row, whole ? "" : " of ball 5"),
                published[i].velocity, whole ? v : v + 4, whole ? BALLS : 1, NULL);
            if (i < 3) put(table, published[i].row, 4 - i, v);
            if (i == 0) {
                memcpy(touching, v, sizeof v);
                report_shown(r, NO_REFERENCE, "A: deepest penetration, of the first pair, mm", "",
                             report_text(r, "%.3f", 1e3 * c.run.deepest[c.touch.pair[0]]), NULL);
            }
            for (int row = 0; i % 2 == 0 && row < c.run.history.rows; row++) {
                const double *y = compliant_history_row(&c.run.history, row);
                double numbers[1 + BALLS] = {1e3 * y[c.run.layout.time]};
                for (int k = 0; k < BALLS; k++)
                    numbers[1 + k] = along(y + c.run.layout.v, k);
                report_numbers(times, published[i].variant, 1 + BALLS, numbers);
            }
        }
        course_close(&c);
    }
}

static const char *const words[] = {"compressing", "expanding", "observing"};

static const char *word(char phase) {
    return phase == 'C' ? words[0] : phase == 'X' ? words[1] : phase == 'O' ? words[2] : "?";
}

/* Table 2 of the paper: the wave passes from pair to pair, one round each. */
static void rounds(report *r, const course_plus *plus) {
    report_rows *table =
        report_table(r, "u_tab2", "balls\tround 1\tround 2\tround 3\tround 4\tround 5");
    report_count(r, PRINTED_IN_SOURCE, "B: rounds of PLUS", ROUNDS, plus->info.rounds, NULL);
    for (int i = 0; i < PAIRS; i++) {
        const char *want = "", *ours = "";
        imp_cell cells[1 + ROUNDS] = {IMP_TEXT(report_text(r, "%d and %d", i + 1, i + 2))};
        for (int k = 0; k < ROUNDS; k++) {
            int interval = 0;
            while (interval < plus->count && plus->interval[interval].round != k + 1)
                interval++;
            const char *seen =
                interval < plus->count ? word(plus->phase[interval * PAIRS + i]) : "none";
            want = report_text(r, "%s%s%s", want, k ? ", " : "",
                               words[k == i       ? 0
                                     : k == i + 1 ? 1
                                                  : 2]);
            ours = report_text(r, "%s%s%s", ours, k ? ", " : "", seen);
            cells[1 + k] = IMP_TEXT(seen);
        }
        report_fields(table, 1 + ROUNDS, cells);
        report_judge(r, PRINTED_IN_SOURCE,
                     report_text(r, "Table 2: balls %d and %d in rounds 1 to 5", i + 1, i + 2),
                     want, ours, "words", strcmp(want, ours) == 0, NULL);
    }
}

/* The outcome of a model of the table, with the scene's settings; NaN where there is none. */
static void solve(const course *c, const char *name, double v[BALLS]) {
    const imp_model *model = imp_model_find(name);
    imp_settings settings;
    scene_outcome outcome;
    scene_model_settings(&c->scene, model, &settings);
    imp_status status = scene_outcome_init(&outcome, &c->touch);
    if (status == IMP_OK) status = imp_solve(model, &c->touch.problem, &settings, outcome.p, NULL);
    if (status == IMP_OK) status = scene_outcome_from_impulse(&c->scene, &c->touch, &outcome);
    for (int k = 0; k < BALLS; k++)
        v[k] = status == IMP_OK ? along(outcome.v, k) : NAN;
    scene_outcome_clear(&outcome);
}

static double energy(const double v[BALLS]) {
    double twice = 0;
    for (int k = 0; k < BALLS; k++)
        twice += v[k] * v[k];
    return 0.5 * twice;
}

static double distance(const double a[BALLS], const double b[BALLS]) {
    double square = 0;
    for (int k = 0; k < BALLS; k++)
        square += (a[k] - b[k]) * (a[k] - b[k]);
    return sqrt(square);
}

static void rigid(report *r, report_rows *table, const double touching[BALLS]) {
    course c;
    course_plus plus;
    double v[BALLS], apart[2];
    if (!course_open(r, "cradle", "touching", &c)) return;
    solve(&c, "plus", v);
    report_vector(r, INDEPENDENT, "B: PLUS, final v, m/s", (const double[]){0, 0, 0, 0, -2}, v,
                  BALLS, 1e-14, NULL);
    const double plus_energy = energy(v);
    apart[0] = distance(v, touching);
    put(table, "B: PLUS", 1, v);
    solve(&c, "single-phase", v);
    report_vector(r, STATED_IN_SOURCE, "C: single phase, final v, m/s",
                  (const double[]){1.2, -0.8, -0.8, -0.8, -0.8}, v, BALLS, 1e-14,
                  "“the four stationary balls behave as a single ball of equivalent mass”");
    apart[1] = distance(v, touching);
    report_judge(r, STATED_IN_SOURCE, "A, touching: distance of B, of C, over all balls, m/s",
                 "“Only the PLUS model approximates the behaviour of the compliant model”",
                 report_text(r, "%.3f, %.3f", apart[0], apart[1]),
                 "B at most a fifth of the 2 m/s and of C's",
                 apart[0] <= 0.4 && apart[0] <= 0.2 * apart[1],
                 "in kind, that is: PLUS is the limit of wide gaps, touching Hertz balls are not, "
                 "at any stiffness");
    const double energies[] = {plus_energy, energy(v)};
    report_vector(r, INDEPENDENT, "B and C: energy afterwards, J", (const double[]){2, 2}, energies,
                  2, 1e-14, "what it was; e = 1 at every speed");
    put(table, "C: single phase", 0, v);
    if (course_plus_run(r, &c, imp_plus_settings_default().theta_max, &plus)) rounds(r, &plus);
    course_close(&c);
}

/* The balls on strings of 1.5 m. */
static void draw_cradle(report_rows *table, const imp_tree *tree) {
    static const double top[3] = {0, 0, 0}, centre[3] = {0, 0, -1.5};
    for (int k = 0; k < BALLS; k++) {
        double a[3], b[3];
        imp_tree_point(tree, k, top, a);
        imp_tree_point(tree, k, centre, b);
        report_row(table, NULL, a[0], a[2], b[0], b[2]);
    }
}

/* The drawn courses: momentum at every moment, velocities at their end, and, with gaps, the way of
 * ball 2 until ball 3 moves. The balls weigh 1 kg. */
static void judge_times(report *r, const report_rows *times) {
    enum { ROWS = 4000 };
    static double t[ROWS], v[BALLS][ROWS];
    for (int i = 0; i <= 2; i += 2) {
        const char *variant = published[i].variant;
        const int n = report_drawn(times, variant, "t_ms", ROWS, t);
        for (int k = 0; k < BALLS; k++)
            report_drawn(times, variant, report_text(r, "v%d", k + 1), ROWS, v[k]);
        double worst = n > 0 && n <= ROWS ? 0 : INFINITY, end[BALLS], way = 0;
        for (int row = 0; row < n && row < ROWS; row++) {
            double sum = 0;
            for (int k = 0; k < BALLS; k++)
                sum += end[k] = v[k][row];
            worst = imp_worse(worst, fabs(sum + 2));
            if (row > 0 && v[2][row] == 0)
                way += 0.5 * (v[1][row] + v[1][row - 1]) * (t[row] - t[row - 1]);
        }
        report_at_most(r, INDEPENDENT,
                       report_text(r, "drawn, %s: momentum from -2 kg m/s", variant), 1e-7, worst,
                       "at every moment");
        course_printed(r, report_text(r, "drawn, %s: v at the end, m/s", variant),
                       published[i].velocity, i ? end + 4 : end, i ? 1 : BALLS, NULL);
        if (i == 2)
            report_near(r, INDEPENDENT, "drawn, gap 0.1 mm: way of ball 2 until ball 3 moves, mm",
                        -0.1, way, 5e-4,
                        "the area under its velocity: rows 5 μs apart, whose slope changes by 10 "
                        "m/s in a ms, leave the trapezoidal rule 2e-4");
    }
}

/* Momentum of what the arrows show: a row of the figure has its height. */
static void judge_outcomes(report *r, const report_rows *table) {
    enum { OUTCOMES = 5 };
    double height[OUTCOMES * BALLS], v[OUTCOMES * BALLS], worst = 0;
    const int n = report_drawn(table, NULL, "height", OUTCOMES * BALLS, height);
    report_drawn(table, NULL, "v", OUTCOMES * BALLS, v);
    for (int i = 0; i + BALLS <= n && i < OUTCOMES * BALLS; i += BALLS) {
        double sum = 0;
        for (int k = 0; k < BALLS; k++)
            sum += height[i + k] == height[i] ? v[i + k] : NAN;
        worst = isnan(sum) ? INFINITY : fmax(worst, fabs(sum + 2));
    }
    report_count(r, INDEPENDENT, "drawn: velocities after", OUTCOMES * BALLS, n, NULL);
    report_at_most(r, INDEPENDENT, "drawn: momentum of each row from -2 kg m/s", 1e-8, worst, NULL);
}

static void swing(report *r) {
    const scene_motion cradle = {.scene = "cradle-swing",
                                 .model = &imp_model_plus,
                                 .until = 2.53,
                                 .every = 0.06325,
                                 .draw = draw_cradle};
    report_rows *table = report_table(r, "u_fig14_swing", "top_x:6\ttop_z:6\tx:6\tz:6");
    if (!motion_write(r, table, &cradle)) return;
    report_motion(r, "u_fig14_swing",
                  "The ball at one end swings in, the ball at the other end swings out, and those "
                  "between stay. The balls on strings of 1.5 m, 0.1 mm apart, by PLUS, pair after "
                  "pair, at six "
                  "moments of a period of 2.53 s; at its own speed where it moves.");
}

static void run(report *r) {
    report_rows *table = report_table(r, "u_fig14", "row\theight:9\tx:9\tv:9"),
                *times = report_table(r, "u_fig14_times",
                                      "variant\tt_ms:9\tv1:9\tv2:9\tv3:9\tv4:9\tv5:9");
    double touching[BALLS] = {NAN, NAN, NAN, NAN, NAN};
    compliant(r, table, times, touching);
    rigid(r, table, touching);
    judge_outcomes(r, table);
    judge_times(r, times);
    report_figure(r, "u_fig14",
                  "Touching Hertz balls do not answer as PLUS does: the first three come "
                  "back, the fourth moves on. With gaps of some share of the penetration "
                  "the pairs collide one after the other, and PLUS's answer is that of "
                  "compliant contact. Velocities after the ball from the right has hit "
                  "the row at 2 m/s; the numbers are in m/s, the arrows to scale. Rows A, "
                  "B, C are the paper's.");
    report_figure(r, "u_fig14_times",
                  "Touching balls move several at a time; 0.1 mm apart they collide "
                  "nearly pair by pair. Compliant: velocities of balls 1 (right) to 5 "
                  "(left) in time.");
    report_show_table(r, "u_tab2", "Table 2: rounds of PLUS, as computed.");
    swing(r);
}

const experiment experiment_u_fig14 = {
    "U-Fig14", "A ball hits a row of four (Fig. 14, Table 2)",
    "Example 3: (A) compliant contact, (B) PLUS, (C) a single compression and expansion of all "
    "contacts. “Only the PLUS model approximates the behaviour of the compliant model.” It does so "
    "in kind: touching Hertz balls differ from "
    "its 0, 0, 0, 0, -2 "
    "m/s by up to 0.25 m/s, whatever the stiffness; PLUS is the limit of wide gaps.",
    run};
