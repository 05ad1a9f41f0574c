/* u_order.c - Uchida, Sherman, Delp (2015), section 3a: simultaneous impacts as consecutive
 * pairwise ones, in every order. */
#include "base/worse.h"
#include "benchmarks/experiments/course.h"

#include <math.h>
#include <string.h>

enum { CONTACTS = 4, ROWS = 3 * CONTACTS, NUMBERINGS = 24, MOST_STATES = 64 };

/* What the answers to all numberings of the contacts have in common. */
typedef struct spread {
    int solved;
    double velocity;       /* largest distance of two answers, over the speed before */
    double lost[2];        /* least and most, of the energy before */
    double steps[2];       /* fewest and most blows */
    double v[MOST_STATES]; /* of the contacts as they are */
} spread;

/* order (CONTACTS) <- numbering k of 24. */
static void numbering(int k, int order[CONTACTS]) {
    int left[CONTACTS] = {0, 1, 2, 3};
    for (int i = 0, ways = NUMBERINGS; i < CONTACTS; i++) {
        ways /= CONTACTS - i;
        const int at = k / ways;
        k %= ways;
        order[i] = left[at];
        memmove(left + at, left + at + 1, (size_t)(CONTACTS - 1 - at) * sizeof *left);
    }
}

/* p (N s, as the scene numbers its contacts) <- the answer to the contacts in another order. */
static imp_status solve(const scene_moment *touch, const imp_model *model, const imp_settings *s,
                        const int order[CONTACTS], double *p, imp_info *info) {
    double W[ROWS * ROWS], q[ROWS], mu[CONTACTS], e[CONTACTS], answer[ROWS] = {0};
    for (int i = 0; i < ROWS; i++) {
        const int a = 3 * order[i / 3] + i % 3;
        q[i] = touch->problem.q[a];
        mu[i / 3] = touch->problem.mu[order[i / 3]];
        e[i / 3] = touch->problem.e[order[i / 3]];
        for (int j = 0; j < ROWS; j++)
            W[i * ROWS + j] = touch->W[a * ROWS + 3 * order[j / 3] + j % 3];
    }
    const imp_operator dense = imp_operator_dense(CONTACTS, W);
    const imp_problem problem = {.nc = CONTACTS, .W = &dense, .q = q, .mu = mu, .e = e};
    const imp_status status = imp_solve(model, &problem, s, answer, info);
    for (int i = 0; i < ROWS; i++)
        p[3 * order[i / 3] + i % 3] = answer[i];
    return status;
}

static void widen(double range[2], double x, bool first) {
    range[0] = first ? x : fmin(range[0], x);
    range[1] = first ? x : fmax(range[1], x);
}

static spread all_orders(const course *c, const char *name, int order_setting) {
    const scene_moment *touch = &c->touch;
    const imp_model *model = imp_model_find(name);
    const double before = scene_velocity_distance(touch, touch->v, NULL);
    double v[NUMBERINGS][MOST_STATES];
    spread all = {0};
    imp_settings settings;
    scene_outcome outcome;
    imp_model_presets(model, &settings);
    if (order_setting > 0) (void)imp_settings_assign(model, &settings, "order=listed", NULL);
    if (touch->nc != CONTACTS || touch->nv > MOST_STATES ||
        scene_outcome_init(&outcome, touch) != IMP_OK)
        return all;
    for (int k = 0; k < NUMBERINGS; k++) {
        int order[CONTACTS];
        imp_info info = {0};
        numbering(k, order);
        if (solve(touch, model, &settings, order, outcome.p, &info) != IMP_OK ||
            scene_outcome_from_impulse(&c->scene, touch, &outcome) != IMP_OK)
            continue;
        memcpy(v[all.solved], outcome.v, (size_t)touch->nv * sizeof(double));
        const double after = scene_velocity_distance(touch, outcome.v, NULL);
        widen(all.lost, 1 - after * after / (before * before), all.solved == 0);
        widen(all.steps, info.iterations, all.solved == 0);
        for (int j = 0; j < all.solved; j++)
            all.velocity = imp_worse(all.velocity,
                                     scene_velocity_distance(touch, v[j], v[all.solved]) / before);
        if (all.solved++ == 0) memcpy(all.v, outcome.v, (size_t)touch->nv * sizeof(double));
    }
    scene_outcome_clear(&outcome);
    if (all.solved < NUMBERINGS) all.velocity = NAN;
    return all;
}

static const struct {
    const char *title, *model;
    int order;
} ways[] = {{"sequential, listed", "sequential", 1},
            {"sequential, fastest", "sequential", 0},
            {"moreau", "moreau", 0}};
enum { WAYS = sizeof ways / sizeof *ways };

static void run_scene(report *r, report_rows *t, const char *name, const char *variant,
                      spread all[WAYS]) {
    course c;
    for (int k = 0; k < WAYS; k++)
        all[k] = (spread){.velocity = NAN};
    if (!course_open(r, name, variant, &c)) return;
    for (int k = 0; k < WAYS; k++) {
        all[k] = all_orders(&c, ways[k].model, ways[k].order);
        report_cells(t, IMP_TEXT(report_text(r, "%s, %s", name, variant)), IMP_TEXT(ways[k].title),
                     IMP_NUMBER(all[k].velocity), IMP_NUMBER(all[k].lost[0]),
                     IMP_NUMBER(all[k].lost[1]), IMP_NUMBER(all[k].steps[0]),
                     IMP_NUMBER(all[k].steps[1]));
    }
    course_close(&c);
}

static void run(report *r) {
    static const char *const faces[] = {"upright", "flat", "edge"};
    report_rows *t = report_table(
        r, "u_order",
        "scene\tmodel\tspread:3\tlost_least:4\tlost_most:4\tsteps_least:6\tsteps_most:6");
    spread all[WAYS];
    for (int k = 0; k < 3; k++) {
        run_scene(r, t, "brick-face", faces[k], all);
        report_judge(
            r, STATED_IN_SOURCE,
            report_text(
                r, "brick %s on four points: velocities of two orders apart, of the speed before",
                faces[k]),
            "“dependent on the arbitrary order in which the impacts were processed”",
            report_text(r, "%.3f", all[0].velocity), "at least 0.01, finite",
            all[0].velocity >= 0.01 && isfinite(all[0].velocity), NULL);
        report_at_most(r, OWN_BOUND, report_text(r, "brick %s, all at once (moreau)", faces[k]),
                       1e-7, all[2].velocity, NULL);
        report_vector(
            r, INDEPENDENT,
            report_text(r, "brick %s, all at once (moreau): velocity and spin after", faces[k]),
            (const double[]){0, 0, 0.414 * 8.84, 0, 0, 0}, all[2].v, 6, 1e-7,
            "all points press, rebound with e and stop to slide: 2 m/s are less than mu (1 + e) "
            "8.84");
    }
    run_scene(r, t, "cradle", "touching", all);
    report_vector(
        r, INDEPENDENT, "a ball hits a row of four: final v, listed order, m/s",
        (const double[]){0, 0, 0, 0, -2},
        (const double[]){all[0].v[0], all[0].v[6], all[0].v[12], all[0].v[18], all[0].v[24]}, 5,
        1e-14, "binary collisions down the row, e = 1");
    report_at_most(r, INDEPENDENT, "and of any order", 1e-14,
                   imp_worse(all[0].velocity, all[1].velocity),
                   "one contact at a time approaches: there is nothing to order");
    report_show_table(
        r, "u_order",
        "All 24 orders of four contacts: largest distance of two answers in the mass norm, over "
        "the "
        "speed before; energy lost, of that before; blows, or the solver's sweeps. A brick that "
        "lands flat "
        "meets the ground with all four points at one speed: which of them is struck first is its "
        "number's choice, also where the fastest comes next.");
}

const experiment experiment_u_order = {
    "U-Order", "Pairwise impacts in every order (section 3a)",
    "“Treating these collisions as consecutive pairwise impacts would produce a solution that is "
    "dependent on the arbitrary order in which the impacts were processed”: how much, on the "
    "paper's brick and its row of balls.",
    run};
