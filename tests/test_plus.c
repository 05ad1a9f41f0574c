/* test_plus.c - PLUS: interval by interval against the reference, and the paper's examples. */
#include "generators/gen_uchida.h"
#include "generators/gen_situation.h"
#include "impact.h"
#include "tap.h"

enum { INTERVALS = 512, CONTACTS = UCHIDA_CONTACTS, ROWS = UCHIDA_ROWS };

/* An impact with its whole course. */
typedef struct run {
    imp_status status;
    imp_info info;
    double p[ROWS], u[ROWS];
    imp_plus_history history;
    imp_plus_interval interval[INTERVALS];
    char phase[INTERVALS * CONTACTS], motion[INTERVALS * CONTACTS];
    double e[INTERVALS * CONTACTS], pi[INTERVALS * ROWS], v[INTERVALS * ROWS];
} run;

static void solve(const uchida_scene *s, const imp_plus_settings *settings, run *r) {
    const imp_operator W = imp_operator_dense(s->nc, s->W);
    const imp_problem problem = {.nc = s->nc, .W = &W, .q = s->q, .mu = s->mu, .e = s->e};
    void *work = malloc(imp_plus_workspace(s->nc));
    memset(r, 0, sizeof *r);
    r->history =
        (imp_plus_history){INTERVALS, 0, r->interval, r->phase, r->motion, r->e, r->pi, r->v};
    r->status = imp_plus(&problem, settings, r->p, work, &r->history, &r->info);
    imp_operator_apply(&W, r->p, s->q, r->u);
    free(work);
}

static double distance(const double *a, const double *b, int n) {
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fabs(a[i] - b[i]) <= most ? most : isnan(a[i] - b[i]) ? INFINITY : fabs(a[i] - b[i]);
    return most;
}

static double cone_excess(const uchida_scene *s, const double *p) {
    double most = 0;
    for (int i = 0; i < s->nc; i++)
        most = tap_worst(most, hypot(p[3 * i + 1], p[3 * i + 2]) - s->mu[i] * p[3 * i]);
    return most;
}

static uchida_scene scene_of(const char *name, imp_plus_settings *settings) {
    double mu = 0, h[3] = {0};
    const double v[3] = {-5, 0, -5.74};
    *settings = imp_plus_settings_default();
    if (sscanf(name, "ex1_mu%lf_th%lf", &mu, &settings->theta_max) == 2)
        return uchida_vertex(mu, mu == 0.125 ? 0.392 : mu == 0.225 ? 0.387 : 0.373, v);
    if (sscanf(name, "ex2_h%lf_%lf_%lf", h, h + 1, h + 2) == 3) return uchida_flat(h);
    settings->v_capture = settings->v_plastic = 0; /* e = 1 at every speed */
    return uchida_cradle();
}

static bool same_end(const imp_plus_interval *ours, const char *end, bool which) {
    if (strcmp(end, "full") == 0) return ours->end == IMP_END_PHASE;
    const bool kind = end[0] == 'd' ? ours->end == IMP_END_DIRECTION : ours->end == IMP_END_STICK;
    return kind && (!which || ours->contact == end[2] - '0');
}

/* The case's worst deviations so far. */
typedef struct tally {
    int rows, unsolved;
    double alpha, e, path;
    bool labels;
} tally;

/* Row k of a case. Rows in which the reference itself solved nothing (iiii) are counted and left
 * out. Frictionless and observing contacts have no motion to compare; which of equal contacts ended
 * an interval is rounding's choice. */
static void compare(tally *t, const uchida_interval *row, const uchida_scene *s, const run *r) {
    const int k = t->rows++, nc = s->nc, n = 3 * nc;
    if (strstr(row->state, "iiii")) {
        t->unsolved++;
        return;
    }
    t->alpha = tap_worst(t->alpha, fabs(row->alpha - r->interval[k].alpha));
    t->path = tap_worst(
        t->path, tap_worst(distance(row->pi, r->pi + k * n, n), distance(row->v, r->v + k * n, n)));
    bool same = row->round == r->interval[k].round && same_end(&r->interval[k], row->end, nc == 1);
    for (int i = 0; i < nc; i++) {
        const char phase = row->state[i], motion = row->state[nc + 1 + i];
        same = same && phase == r->phase[k * nc + i];
        same = same && (phase == 'O' || s->mu[i] == 0 || motion == r->motion[k * nc + i]);
        if (phase == 'C') t->e = tap_worst(t->e, fabs(row->e[i] - r->e[k * nc + i]));
    }
    t->labels = t->labels && same;
}

static void report(const char *name, const tally *t, const run *r) {
    ok(t->rows == r->history.count && t->rows == r->info.intervals && r->status == IMP_OK,
       "%s: %d intervals (%d)", name, t->rows, r->history.count);
    ok(t->labels && t->alpha < 1e-9 && t->e < 1e-15, "%s: states, ends, alpha (%.1e) and e agree",
       name, t->alpha);
    ok(t->path < 1e-9, "%s: impulses and velocities agree (%.1e)%s", name, t->path,
       t->unsolved ? ", but for the one the reference did not solve" : "");
}

static void test_trajectories(const char *path, run *r) {
    FILE *file = fopen(path, "r");
    uchida_interval row;
    uchida_scene s = {0};
    char name[sizeof row.name] = "";
    tally t = {0};
    if (!file) return;
    while (uchida_read_interval(file, &row)) {
        if (strcmp(row.name, name) != 0) {
            if (*name) report(name, &t, r);
            imp_plus_settings settings;
            s = scene_of(row.name, &settings);
            solve(&s, &settings, r);
            memcpy(name, row.name, sizeof name);
            t = (tally){.labels = true};
        }
        compare(&t, &row, &s, r);
    }
    if (*name) report(name, &t, r);
    fclose(file);
}

/* Cases in which the reference has an interval of impending slip without a root: it keeps the least
 * bad of failed solves there, so its answer is none. */
static bool reference_fails(const char *name) {
    const char *const failed[] = {"rnd003", "rnd004", "rnd015", "rnd016", "rnd017", "rnd022"};
    for (int i = 0; i < 6; i++)
        if (strcmp(name, failed[i]) == 0) return true;
    return false;
}

static void test_random(const char *path, run *r) {
    FILE *file = fopen(path, "r");
    uchida_random row;
    if (!file) return;
    while (uchida_read_random(file, &row)) {
        if (reference_fails(row.name)) continue;
        imp_plus_settings settings = imp_plus_settings_default();
        settings.theta_max = row.theta_max;
        solve(&row.scene, &settings, r);
        const int n = 3 * row.scene.nc;
        const double off = tap_worst(distance(r->p, row.p, n), distance(r->u, row.u, n));
        ok(r->status == IMP_OK && r->info.intervals == row.intervals &&
               r->info.rounds == row.rounds && off < 1e-9 && cone_excess(&row.scene, r->p) <= 1e-12,
           "%s: %d intervals, %d rounds, answer (%.1e) inside the cones", row.name, row.intervals,
           row.rounds, off);
    }
    fclose(file);
}

/* How far contacts 0 and 1, 2 and 3 are from being mirror images. */
static double asymmetry(const run *r) {
    double most = 0;
    for (int i = 0; i < 12; i += 6) {
        const double *p = r->p + i, *u = r->u + i;
        most = tap_worst(
            most, tap_worst(fabs(p[0] - p[3]), tap_worst(fabs(p[1] - p[4]), fabs(p[2] + p[5]))));
        most = tap_worst(
            most, tap_worst(fabs(u[0] - u[3]), tap_worst(fabs(u[1] - u[4]), fabs(u[2] + u[5]))));
    }
    return most;
}

/* Section 4b: mirror images push alike, whatever the orientation, and the loads are those of a
 * checked computation. */
static void test_flat(run *r) {
    const struct {
        double h[3], leading, trailing;
    } cases[] = {{{0.2, 0.3, 0.4}, 9.375, 3.125}, {{0.3, 0.2, 0.4}, 8.333, 4.167},
                 {{0.4, 0.3, 0.2}, 7.187, 5.312}, {{0.3, 0.4, 0.2}, 7.500, 5.000},
                 {{0.2, 0.4, 0.3}, 8.750, 3.750}, {{0.4, 0.2, 0.3}, 7.500, 5.000}};
    for (int k = 0; k < 6; k++) {
        const uchida_scene s = uchida_flat(cases[k].h);
        const imp_plus_settings settings = imp_plus_settings_default();
        solve(&s, &settings, r);
        const double *p = r->p;
        ok(r->status == IMP_OK && r->info.intervals == 3 && asymmetry(r) < 1e-12,
           "flat %d: mirror symmetric (%.1e)", k, asymmetry(r));
        ok(fabs(p[0] - cases[k].leading) < 6e-4 && fabs(p[6] - cases[k].trailing) < 6e-4,
           "flat %d: leading %.3f, trailing %.3f N s", k, p[0], p[6]);
        ok(cone_excess(&s, p) <= 1e-12, "flat %d: impulses inside the cones", k);
    }
}

/* Slow slip and little friction: all four are in impending slip, mirror images released
 * together. */
static void test_ties(run *r) {
    const double h[3] = {0.2, 0.3, 0.4};
    for (int k = 0; k < 4; k++) {
        uchida_scene s = uchida_flat(h);
        const imp_plus_settings settings = imp_plus_settings_default();
        for (int i = 0; i < 4; i++) {
            s.q[3 * i + 1] = -0.02 * (k + 1);
            s.mu[i] = 0.0005 * (k + 1);
        }
        solve(&s, &settings, r);
        ok(r->status == IMP_OK && asymmetry(r) < 1e-12,
           "slow slip %d (%.4s): mirror symmetric (%.1e)", k, r->motion, asymmetry(r));
    }
}

/* Impending slip: no slip before, too little friction to roll. Friction must oppose the slip that
 * follows, which the compliant contact model gives as (-0.74, 5.36) m/s at its restitution of about
 * 0.387. */
static void test_impending(run *r) {
    const double v[3] = {0, 0, -5.74};
    const uchida_scene s = uchida_vertex(0.02, 0.387, v);
    const imp_plus_settings settings = imp_plus_settings_default();
    solve(&s, &settings, r);
    ok(r->status == IMP_OK && r->info.intervals == 2 && r->motion[0] == 'i' && r->phase[1] == 'X',
       "a vertex without slip slips from the start");
    is_near(hypot(r->p[1], r->p[2]), 0.02 * r->p[0], 1e-12, 0, "friction lies on the cone");
    const double *pi = r->pi, *end = r->v;
    const double aside = pi[1] * end[2] - pi[2] * end[1], against = pi[1] * end[1] + pi[2] * end[2];
    ok(fabs(aside) < 1e-14 && against < 0, "and opposes the end slip (%.1e)", aside);
    const double compliant[2] = {-0.74, 5.36};
    is_vec(r->u + 1, compliant, 2, 0.01, 0, "end slip (%.3f, %.3f) m/s as in the compliant model",
           r->u[1], r->u[2]);
}

/* Table 2 and row C of Fig. 14. */
static void test_cradle(run *r) {
    const uchida_scene s = uchida_cradle();
    const imp_plus_settings settings = imp_plus_settings_default();
    const char *const printed[] = {"COOO", "XCOO", "OXCO", "OOXC", "OOOX"};
    solve(&s, &settings, r);
    bool same = r->info.rounds == 5 && r->history.count == 5;
    for (int k = 0; k < 5 && same; k++)
        same = memcmp(r->phase + 4 * k, printed[k], 4) == 0;
    ok(same, "the cradle's five rounds are those of Table 2");
    const double passed[5] = {0, 0, 0, 0, -2}, carried[5] = {1.2, -0.8, -0.8, -0.8, -0.8};
    const imp_operator W = imp_operator_dense(4, s.W);
    const imp_problem problem = {.nc = 4, .W = &W, .q = s.q, .mu = s.mu, .e = s.e};
    double p[ROWS], u[5], w[5];
    imp_plus_settings constant = settings;
    constant.v_capture = constant.v_plastic = 0;
    const imp_status status = imp_solve(&imp_model_single_phase, &problem, &constant, p, NULL);
    for (int i = 0; i < 5; i++) { /* of ball i, kg = 1 */
        u[i] = (i == 0 ? -2 : 0) + (i < 4 ? r->p[3 * i] : 0) - (i > 0 ? r->p[3 * (i - 1)] : 0);
        w[i] = (i == 0 ? -2 : 0) + (i < 4 ? p[3 * i] : 0) - (i > 0 ? p[3 * (i - 1)] : 0);
    }
    is_vec(u, passed, 5, 1e-14, 0, "the last ball leaves with all of the speed");
    ok(status == IMP_OK, "single-phase solves it");
    is_vec(w, carried, 5, 1e-14, 0, "single-phase: the four balls leave together");
}

/* Balls of 0.5, 1, 2 and 1 kg and a wall: after 50 rounds rounding leaves an approach of 1e-16 at a
 * contact that bounces. */
static void test_dust(void) {
    static const double of[4][4] = {
        {3, -1, 0, 0}, {-1, 1.5, -0.5, 0}, {0, -0.5, 1.5, -1}, {0, 0, -1, 1}};
    situation s = {.nc = 4, .q = {-1}, .e = {0.8, 1}};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 3; k++)
                s.W[12 * (3 * i + k) + 3 * j + k] = of[i][j];
    imp_operator W;
    const imp_problem problem = situation_problem(&s, &W);
    imp_plus_settings constant = imp_plus_settings_default();
    constant.v_capture = constant.v_plastic = 0;
    double p[12];
    const imp_status status = imp_solve(&imp_model_plus, &problem, &constant, p, NULL);
    ok(status == IMP_OK, "plus: four balls and a wall, after a wave that fades: %s",
       imp_status_text(status));
    /* (1 + e) / 3; what turns 1 kg at 0.6 m/s back from 2 kg; and all of that goes to the wall */
    const double passed[] = {0.6, 0.8, 0.8, 0.8}, found[] = {p[0], p[3], p[6], p[9]};
    is_vec(found, passed, 4, 1e-9, 0, "their impulses");
}

/* theta_max to 0: first order towards Darboux-Keller with Poisson's restitution, sliding throughout
 * (mu 0.125), rolling from some point of expansion on (0.225), of compression (0.325). */
static void test_limit(run *r) {
    const double v[3] = {-5, 0, -5.74}, mu[3] = {0.125, 0.225, 0.325};
    const imp_model *darboux = imp_model_find("darboux-poisson");
    for (int c = 0; c < 3; c++) {
        const uchida_scene s = uchida_vertex(mu[c], 0.39, v);
        const imp_operator W = imp_operator_dense(1, s.W);
        const imp_problem problem = {.nc = 1, .W = &W, .q = s.q, .mu = s.mu, .e = s.e};
        double p[3] = {0}, u[3], error[4];
        ok(darboux && imp_solve(darboux, &problem, NULL, p, NULL) == IMP_OK,
           "Darboux-Keller at mu %g", mu[c]);
        imp_operator_apply(&W, p, s.q, u);
        for (int k = 0; k < 4; k++) {
            imp_plus_settings settings = imp_plus_settings_default();
            settings.theta_max = ldexp(0.02, -k);
            settings.v_transition = 1e-6;
            solve(&s, &settings, r);
            error[k] = tap_worst(distance(r->u, u, 3), distance(r->p, p, 3));
        }
        bool halves = true;
        for (int k = 1; k < 4; k++)
            halves = halves && fabs(error[k - 1] / error[k] - 2) < 0.15;
        if (mu[c] < 0.3)
            ok(halves && error[3] < 0.01, "halving theta_max halves the distance: %.2e %.2e %.2e",
               error[1], error[2], error[3]);
        else
            ok(error[0] < 1e-12,
               "a contact that rolls when compression ends forgets its path (%.1e)", error[0]);
    }
}

/* An impulse beyond all doubles: W_nn of 1e-310 /kg beside tangents of 1 /kg. */
static void test_overflow(void) {
    const double W[6] = {1e-310, 0, 0, 1, 0, 1}, q[3] = {-1, 0.5, 0};
    const imp_plus_settings settings = imp_plus_settings_default();
    double p[3] = {7, 7, 7};
    const imp_status status = imp_plus_single(W, q, 0, 0, &settings, p, NULL, NULL);
    ok(status == IMP_OVERFLOW && p[0] == 0 && p[1] == 0 && p[2] == 0,
       "overflow: p is that before it");
}

int main(void) {
    test_overflow();
    static run r;
    const char *const tables[] = {"ex1", "ex2", "ex3"};
    char path[128];
    for (int k = 0; k < 3; k++) {
        snprintf(path, sizeof path, "reference/data/uchida2015_plus_%s.tsv", tables[k]);
        test_trajectories(path, &r);
        snprintf(path, sizeof path, "../shared/oracle/plus-cases-%s.tsv", tables[k]);
        test_trajectories(path, &r);
    }
    ok(tap_tests >= 3 * 16, "the tables of the examples were read");
    const int before = tap_tests;
    test_random("reference/data/uchida2015_plus_random.tsv", &r);
    ok(tap_tests >= before + 19, "the table of random bricks was read");
    test_random("../shared/oracle/plus-cases-random.tsv", &r);
    test_flat(&r);
    test_ties(&r);
    test_impending(&r);
    test_cradle(&r);
    test_dust();
    test_limit(&r);
    return tap_done();
}
