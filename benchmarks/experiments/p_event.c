/* p_event.c - Preclik, Eibl, Ruede (2017), section 5: the analytic solution resolves collisions of
 * two particles in an event-driven integration. */
#include "base/worse.h"
#include "base/vec3.h"
#include "benchmarks/experiments/course.h"
#include "benchmarks/harness/stats.h"
#include "generators/gen.h"
#include "scene/course.h"

#include <math.h>
#include <string.h>

enum { PAIRS = 200, TERMS = 7 };

static const char *const laws[] = {"maxdiss", "coulomb"};
enum { LAWS = sizeof laws / sizeof *laws };

/* Two particles, solid balls or pairs of balls that are welded together. */
static bool open_pair(report *r, const char *shape, double mu, double e, const double place[3],
                      const double velocity[3], const double spin[6], course *c) {
    const char *const assign[] = {
        report_text(
            r,
            "bodies={\"a\": {%s, \"spin\": [%.17g, %.17g, %.17g]}, \"b\": {%s, \"position\": "
            "[%.17g, %.17g, %.17g], \"velocity\": [%.17g, %.17g, %.17g], \"spin\": [%.17g, "
            "%.17g, %.17g]}}",
            shape, spin[0], spin[1], spin[2], shape, place[0], place[1], place[2], velocity[0],
            velocity[1], velocity[2], spin[3], spin[4], spin[5]),
        report_text(r, "material.friction=%.17g", mu),
        report_text(r, "impact.restitution=%g", e),
        "run.until=1",
        "run.accuracy=1e-12",
        "impact.proximity=1e-9",
        NULL};
    return course_open_with(r, "cradle", NULL, assign, c);
}

static const char ball[] =
    "\"mass\": 1, \"ball\": 0.1, \"spheres\": [{\"radius\": 0.1, \"at\": [[0, 0, 0]]}]";
static const char bell[] = "\"mass\": 1, \"inertia\": [0.008, 0.03, 0.03], \"spheres\": "
                           "[{\"radius\": 0.16, \"at\": [[0.1, 0, 0], [-0.1, 0, 0]]}]";

/* Momentum, angular momentum about the origin, kinetic energy. */
static void totals(const imp_tree *tree, double total[TERMS]) {
    memset(total, 0, TERMS * sizeof *total);
    for (int i = 0; i < 2; i++) {
        const imp_link_state *at = imp_tree_state(tree, i);
        double turn[3];
        apply3(at->inertia, at->spin, turn);
        add3(imp_tree_link(tree, i)->mass, at->velocity, total);
        add3(1, turn, total + 3);
        for (int k = 0; k < 3; k++)
            turn[k] = imp_tree_link(tree, i)->mass * at->velocity[k];
        add_cross3(at->com, turn, total + 3);
    }
    total[6] = imp_tree_kinetic(tree);
}

typedef struct watched {
    const imp_tree *tree;
    int impacts;
    double time;    /* s, of the first */
    double left[3]; /* m/s, m/s, rad/s: v_x, v_y and spin about z of b after it */
    double rise;    /* J, the most that an impact adds */
} watched;

static void strikes(void *context, const scene_struck *what) {
    watched *w = context;
    if (w->impacts++ == 0) {
        w->time = what->time;
        const imp_link_state *b = imp_tree_state(w->tree, 1);
        w->left[0] = b->velocity[0];
        w->left[1] = b->velocity[1];
        w->left[2] = b->spin[2];
    }
    w->rise = imp_worse(w->rise, what->after - what->before);
}

static bool go(const course *c, const char *law, watched *w) {
    const imp_model *model = imp_model_find(law);
    const scene_observer watch = {.strikes = strikes, .context = w};
    imp_settings settings;
    scene_course_end end = SCENE_COURSE_STOPPED;
    double time;
    *w = (watched){.tree = c->scene.tree};
    scene_model_settings(&c->scene, model, &settings);
    return scene_course(&c->scene, model, &settings, &watch, &end, &time) == IMP_OK &&
           end == SCENE_COURSE_TIME;
}

/* Two balls that meet off their line of centres: normal impulse (1 + e) m v_n / 2, along the
 * surface what stops the slip of two solid balls, m v_t / 7, or mu times the normal one. */
static void balls(report *r, const char *law, double mu, double e, const char *what) {
    static const double along = -2, aside = 0.12, far = 0.5;
    static const double still[6] = {0};
    const double place[3] = {far, aside, 0}, velocity[3] = {along, 0, 0},
                 reach = sqrt(0.04 - aside * aside), n[2] = {reach / 0.2, aside / 0.2},
                 v_n = along * n[0], v_t = along * n[1], p_n = -(1 + e) * v_n / 2,
                 p_t = -copysign(fmin(fabs(v_t) / 7, mu * p_n), v_t),
                 known[3] = {along + p_n * n[0] + p_t * n[1], p_n * n[1] - p_t * n[0],
                             p_t * 0.1 / 0.004};
    course c;
    watched w;
    if (!open_pair(r, ball, mu, e, place, velocity, still, &c)) return;
    const bool good = go(&c, law, &w);
    report_vector(r, INDEPENDENT,
                  report_text(r, "two balls that %s, %s: v_x, v_y, spin after", what, law), known,
                  w.left, 3, 1e-12, report_text(r, "e = %g", e));
    report_near(r, INDEPENDENT, report_text(r, "two balls that %s, %s: when, s", what, law),
                (far - reach) / -along, good ? w.time : (double)NAN, 1e-12, NULL);
    course_close(&c);
}

/* What all pairs of bells come to. */
typedef struct tally {
    int ended, several;      /* runs; of them those with more than one impact */
    int solved, apart, less; /* first impacts without restitution, by both laws: how many; answered
                                differently; of which Coulomb's dissipates more */
    double drift, rise;      /* of momenta, of their size; J of J before */
} tally;

/* The first touch, by both laws and without restitution. */
static void compare(const course *c, tally *t) {
    const imp_problem *touch = &c->touch.problem;
    imp_problem plastic = *touch;
    double p[LAWS][3], energy[LAWS];
    plastic.e = NULL;
    for (int k = 0; k < LAWS; k++) {
        if (touch->nc != 1 ||
            imp_solve(imp_model_find(laws[k]), &plastic, NULL, p[k], NULL) != IMP_OK)
            return;
        energy[k] = imp_problem_energy(&plastic, p[k]);
    }
    t->solved++;
    t->apart += fabs(energy[0] - energy[1]) > 1e-9 * fabs(energy[0]);
    t->less += energy[1] < energy[0] * (1 + 1e-9);
}

static void bells(report *r, uint64_t k, tally *t) {
    gen_stream s = gen_seed(7300, k);
    double place[3] = {0.8}, velocity[3] = {-3}, spin[6];
    for (int i = 0; i < 6; i++)
        spin[i] = gen_uniform(&s, -10, 10);
    for (int i = 1; i < 3; i++) {
        place[i] = gen_uniform(&s, -0.15, 0.15);
        velocity[i] = gen_uniform(&s, -0.2, 0.2);
    }
    course c;
    watched w;
    double before[TERMS], after[TERMS], off = 0, size = 0;
    if (!open_pair(r, bell, gen_uniform(&s, 0.1, 1), 0.5, place, velocity, spin, &c)) return;
    compare(&c, t);
    imp_tree_place(c.scene.tree, c.scene.q, c.scene.v);
    totals(c.scene.tree, before);
    t->ended += go(&c, "maxdiss", &w);
    totals(c.scene.tree, after);
    for (int i = 0; i < 6; i++) {
        off = imp_worse(off, fabs(after[i] - before[i]));
        size = imp_worse(size, fabs(before[i]));
    }
    t->several += w.impacts > 1;
    t->drift = imp_worse(t->drift, off / size);
    t->rise = imp_worse(t->rise, w.rise / before[6]);
    course_close(&c);
}

static void run(report *r) {
    tally t = {0};
    balls(r, "maxdiss", 0.5, 0, "stick");
    balls(r, "coulomb", 0.5, 0, "stick");
    balls(r, "maxdiss", 0.05, 0, "slide");
    balls(r, "coulomb", 0.05, 0, "slide");
    balls(r, "maxdiss", 0.5, 0.5, "stick and leave");
    for (uint64_t k = 0; k < PAIRS; k++) {
        bells(r, k, &t);
        report_progress(r, (double)k / PAIRS);
    }
    report_count(r, OWN_BOUND, "pairs of balls welded together, at random: runs to their end",
                 PAIRS, t.ended,
                 report_text(r, "maxdiss, e = 0.5; %d have more than one impact", t.several));
    report_at_most(r, INDEPENDENT, "momentum and angular momentum after, off those before", 1e-10,
                   t.drift, "of their size");
    report_at_most(r, STATED_IN_SOURCE, "energy that an impact adds, of that before", 1e-14, t.rise,
                   "restitution that cannot create any: P-open");
    report_judge(r, STATED_IN_SOURCE,
                 "first impacts without restitution that dissipate more by Coulomb's law", "0",
                 report_text(r, "%d of %d, %d of which the laws answer differently", t.less,
                             t.solved, t.apart),
                 "0 of all; some differ", t.less == 0 && t.solved == PAIRS && t.apart > 0, NULL);
}

const experiment experiment_p_event = {
    "P-Event", "Two particles that collide, event-driven (section 5)",
    "“The analytic solution can be used to resolve two-particle collisions in event-driven "
    "integrations of rigid-body dynamics.” For balls both laws are one, in closed form; pairs of "
    "balls welded together are bodies for which they are two. The paper shows no such run.",
    run};
