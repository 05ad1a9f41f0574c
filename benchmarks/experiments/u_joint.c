/* u_joint.c - mechanisms whose joints close loops, from their scenes: one linkage in two forms, by
 * every model, compliant contact and the time stepper; a wheel, a ratchet, a slider-crank. */
#include "base/worse.h"
#include "benchmarks/experiments/experiments.h"
#include "generators/gen_linkage.h"
#include "impact.h"
#include "scene/compare.h"
#include "scene/course.h"
#include "scene/steps.h"

#include <math.h>
#include <string.h>

/* Variant number `variant` of benchmarks/scenes/NAME.json. On false a failing row says why. */
static bool open_scene(report *r, const char *name, int variant, scene *s, const char **called) {
    const char *path = report_text(r, "benchmarks/scenes/%s.json", name);
    scene_file file;
    imp_error error;
    imp_status status = scene_open(path, &file, &error);
    const bool there = status == IMP_OK && variant < file.variants;
    if (there) status = scene_build(&file, variant, s, &error);
    if (there && called) {
        const char *text = scene_variant_name(&file, variant);
        *called = report_text(r, "%s%s%s", name, text ? ", " : "", text ? text : "");
    }
    scene_close(&file);
    if (status != IMP_OK) report_judge(r, OWN_BOUND, path, "a scene", error.text, "", false, NULL);
    return there && status == IMP_OK;
}

static double apart(const double *a, const double *b, int n) {
    double worst = 0;
    for (int i = 0; i < n; i++)
        worst = imp_worse(worst, isnan(a[i]) ? INFINITY : fabs(a[i] - b[i]));
    return worst;
}

/* The linkage's crank: its spin about -y, of either form, at a velocity of a moment's place. */
static double crank_rate(const scene *s, const scene_moment *m, const double *v) {
    imp_tree_place(s->tree, m->q, v);
    return -imp_tree_state(s->tree, 0)->spin[1];
}

/* drumwright on both forms: the crank's rates apart, rad/s, and the worst residual of each form's
 * answer as one of the other's problem. */
static void convex_forms(const scene s[2], const scene_comparison c[2], bool restitution,
                         double *off, double *swapped) {
    const imp_model *model = imp_model_find("drumwright");
    double p[2][3], rate[2] = {0};
    imp_path path[2] = {{0}};
    imp_problem problem[2];
    *off = *swapped = 0;
    for (int f = 0; f < 2; f++) {
        const scene_moment *m = &c[f].moment;
        scene_outcome after;
        problem[f] = m->problem;
        if (!restitution) problem[f].e = NULL;
        imp_status status =
            imp_solve_certified(model, &problem[f], NULL, p[f], &path[f], NULL, NULL);
        if (status == IMP_OK) status = scene_outcome_init(&after, m);
        if (status == IMP_OK) {
            memcpy(after.p, p[f], sizeof p[f]);
            status = scene_outcome_from_impulse(&s[f], m, &after);
            rate[f] = crank_rate(&s[f], m, after.v);
            scene_outcome_clear(&after);
        }
        if (status != IMP_OK) *off = *swapped = INFINITY;
    }
    for (int f = 0; f < 2; f++) {
        imp_certificate certificate;
        if (isfinite(*off) && imp_certify_along(&problem[!f], model->law, NULL, p[f], &path[f],
                                                &certificate) == IMP_OK)
            *swapped = imp_worse(*swapped, certificate.worst);
        else
            *swapped = INFINITY;
        imp_path_clear(&path[f]);
    }
    *off = imp_worse(*off, fabs(rate[0] - rate[1]));
}

/* The linkage as a loop of trees and as free bodies: problems, and all that compare says. */
static void forms(report *r) {
    scene s[2];
    scene_comparison c[2];
    double models = 0, springs = 0, kept = 0, compliant = 0, convex, swapped;
    for (int f = 0; f < 2; f++) {
        if (!open_scene(r, "four-bar", f, &s[f], NULL)) return;
        if (scene_compare_briefly(&s[f], imp_models, &c[f], NULL) != IMP_OK) {
            report_count(r, OWN_BOUND, "linkage in two forms: those that are compared", 2, f, NULL);
            return;
        }
        for (int k = 0; k < c[f].count; k++) {
            imp_loops_errors errors;
            if (!c[f].row[k].outcome.v) continue;
            imp_tree_place(s[f].tree, c[f].moment.q, c[f].row[k].outcome.v);
            imp_loops_judge(s[f].loops, &errors);
            if (k > 1)
                kept = imp_worse(kept, errors.velocity); /* the compliant run ends elsewhere */
        }
    }
    int answered = 0;
    for (int k = 0; k < c[0].count; k++) {
        const scene_row *a = &c[0].row[k], *b = &c[1].row[k];
        if (!a->outcome.v || !b->outcome.v || a->status != IMP_OK || b->status != IMP_OK) continue;
        /* of the compliant run and its limit the motion's size, which is that of all */
        const double off = k < 2 ? fabs(a->energy - b->energy)
                                 : fabs(crank_rate(&s[0], &c[0].moment, a->outcome.v) -
                                        crank_rate(&s[1], &c[1].moment, b->outcome.v));
        if (strcmp(a->name, "drumwright") == 0) continue;
        double *to = k < 2 ? &compliant : strcmp(a->name, "springs") == 0 ? &springs : &models;
        *to = imp_worse(*to, off);
        answered += k > 1;
    }
    const scene_moment *one = &c[0].moment, *other = &c[1].moment;
    report_at_most(r, INDEPENDENT, "linkage in two forms: W and q at the stop, and its time", 1e-10,
                   imp_worse(fabs(one->time - other->time),
                             imp_worse(apart(one->W, other->W, 9), apart(one->u, other->u, 3))),
                   "trees and one loop, 3 degrees of freedom and 5 rows; free bodies, 18 and 20");
    report_count(r, OWN_BOUND, "models but drumwright that answer both forms", 11, answered, NULL);
    report_at_most(r, INDEPENDENT, "the crank's rate after it, of these but springs, rad/s", 1e-12,
                   models, "the rate is of order 1");
    report_at_most(r, INDEPENDENT, "and springs', rad/s", 1e-7, springs,
                   "integrated, in steps chosen by what BLAS and libm round: its own bound");
    convex_forms(s, c, false, &convex, &swapped);
    report_at_most(r, INDEPENDENT, "and drumwright's without restitution, rad/s", 1e-10, convex,
                   NULL);
    convex_forms(s, c, true, &convex, &swapped);
    report_at_most(
        r, INDEPENDENT, "drumwright's with restitution: residual of either answer in both forms",
        1e-9, swapped,
        report_text(r,
                    "the rates are %.2g apart, and both are the law's: restitution multiplies the "
                    "normal impulse of compression, and a loop of one motion is stopped by many of "
                    "the cone",
                    convex));
    report_at_most(r, INDEPENDENT, "energy that compliant contact takes, and its limit, J", 1e-9,
                   compliant, "integrated to 1e-10");
    report_at_most(r, OWN_BOUND, "loops' velocities after the impact, all models", 1e-12, kept,
                   "over the speeds that they are differences of");
    for (int f = 0; f < 2; f++) {
        scene_comparison_clear(&c[f]);
        scene_clear(&s[f]);
    }
}

/* Every mechanism by every model; how many models that take a problem have no answer. */
static void mechanisms(report *r) {
    static const char *const names[] = {"four-bar", "wheel", "ratchet", "slider-crank"};
    report_rows *t = report_table(r, "u_joint", "scene\tmodel\tcontacts:3\tv_error_limit:3");
    int asked = 0, answered = 0;
    double nearest = 0;
    for (int n = 0; n < 4; n++)
        for (int variant = 0; variant < 3; variant++) {
            scene s;
            scene_comparison c;
            const char *called;
            double least = INFINITY;
            if (!open_scene(r, names[n], variant, &s, &called)) break;
            const imp_status status = scene_compare_briefly(&s, imp_models, &c, NULL);
            asked += status != IMP_OK;
            for (int k = 2; status == IMP_OK && k < c.count; k++) {
                const scene_row *row = &c.row[k];
                if (row->status == IMP_UNSUPPORTED) continue;
                asked++;
                answered += row->status == IMP_OK;
                if (row->status != IMP_OK) continue;
                report_cells(t, IMP_TEXT(called), IMP_TEXT(row->name), IMP_NUMBER(c.moment.nc),
                             IMP_NUMBER(row->v_limit));
                least = fmin(least, row->v_limit);
            }
            nearest = imp_worse(nearest, least);
            scene_comparison_clear(&c);
            scene_clear(&s);
        }
    report_count(r, OWN_BOUND, "mechanisms by models that take them: answers", asked, answered,
                 "four-bar, wheel, ratchet and slider-crank, in all variants");
    report_at_most(r, OWN_BOUND, "distance of the nearest model from the rigid limit", 1e-4,
                   nearest,
                   "of the velocity before, in the metric of the mass matrix; the farthest scene");
}

/* Newton's rebound on turned linkages: where friction mu |j_t| of the slip that it asks for is not
 * less than what the normal gives along the one motion, j_n, there is no answer. */
static void newton(report *r) {
    const double mu = 0.5, e = 0.5;
    int without = 0, expected = 0;
    for (int k = 0; k < 100; k++) {
        const gen_linkage g = gen_linkage_of(0.1 + 0.06 * k);
        const imp_constraints joints = gen_linkage_joints(&g);
        imp_bilateral *b;
        double p[3], q[3];
        if (imp_bilateral_new(GEN_LINKAGE_BODIES, g.body, 1, &g.stop, &joints, &b, q, NULL) !=
            IMP_OK)
            continue;
        const imp_operator W = imp_operator_factored(imp_bilateral_factored(b));
        const imp_problem problem = {.nc = 1, .W = &W, .q = q, .mu = &mu, .e = &e};
        without += imp_solve(imp_model_find("newton"), &problem, NULL, p, NULL) == IMP_NO_SOLUTION;
        expected += mu * hypot(g.jacobian[1], g.jacobian[2]) >= fabs(g.jacobian[0]);
        imp_bilateral_free(b);
    }
    report_count(r, INDEPENDENT, "Newton's restitution, e = mu = .5: places without an answer",
                 expected, without,
                 "of 100 of a linkage; those where friction holds the rebound, mu |j_t| >= j_n: a "
                 "property of the law, which asks for a rebound and for friction against its slip");
}

/* A course of the linkage's crank, to be drawn and to hold steps against. */
typedef struct swing {
    report_rows *t;
    const scene *s;
    int count;
    double time[4000], angle[4000]; /* s, rad */
    double drift;
} swing;

static void moves(void *context, double t) {
    swing *w = context;
    imp_loops_errors errors;
    const double *R = imp_tree_state(w->s->tree, 0)->rotation;
    imp_loops_judge(w->s->loops, &errors);
    w->drift = imp_worse(w->drift, errors.position);
    if (w->count == 4000) return;
    w->time[w->count] = t;
    w->angle[w->count++] = atan2(R[6], R[0]);
    report_row(w->t, "impact to impact", t, w->angle[w->count - 1]);
}

static double angle_at(const swing *w, double t) {
    int k = 1;
    while (k < w->count - 1 && w->time[k] < t)
        k++;
    const double part = (t - w->time[k - 1]) / (w->time[k] - w->time[k - 1]);
    return w->angle[k - 1] + part * (w->angle[k] - w->angle[k - 1]);
}

/* The largest difference of the crank's angle from the course, rad. */
static double step_through(report *r, swing *w, const char *called, double h, double *drift) {
    scene_steps s;
    imp_error error;
    double off = 0;
    *drift = 0;
    if (scene_steps_open("benchmarks/scenes/four-bar-steps.json", NULL, &s, &error) != IMP_OK) {
        report_judge(r, OWN_BOUND, "four-bar-steps", "a scene", error.text, "", false, NULL);
        return INFINITY;
    }
    s.settings.h = h;
    report_gap(w->t);
    for (int k = 1; k <= lround(s.until / h); k++) {
        if (imp_step(s.stepper, &s.settings) != IMP_OK) off = INFINITY;
        const double *R = imp_world_state(s.world, 0)->rotation, angle = atan2(R[6], R[0]);
        *drift = imp_worse(*drift, s.stepper->drift);
        off = imp_worse(off, fabs(angle - angle_at(w, k * h)));
        if (called) report_row(w->t, called, k * h, angle);
    }
    scene_steps_clear(&s);
    return off;
}

static void motion(report *r) {
    static swing w;
    scene s;
    scene_course_end end = SCENE_COURSE_STOPPED;
    const imp_model *model = imp_model_find("poisson");
    imp_settings settings;
    double time = 0, drift[3];
    if (!open_scene(r, "four-bar", 0, &s, NULL)) return;
    s.impact.restitution = 0.7; /* as the steps have it */
    s.run.max_step = 1e-3;
    w = (swing){.t = report_table(r, "u_joint_swing", "run\tt_s:7\tcrank_rad:7"), .s = &s};
    const scene_observer observer = {.moves = moves, .context = &w};
    scene_model_settings(&s, model, &settings);
    const imp_status status = scene_course(&s, model, &settings, &observer, &end, &time);
    report_judge(r, OWN_BOUND, "from impact to impact", "end", scene_course_end_text(end), "equal",
                 status == IMP_OK && end == SCENE_COURSE_TIME, "0.5 s, two impacts");
    report_at_most(r, OWN_BOUND, "the loop on the way, m", 1e-12, w.drift,
                   "rows in accelerations, places projected after each step");
    const double coarse = step_through(r, &w, "steps of 5 ms", 5e-3, &drift[0]),
                 middle = step_through(r, &w, "steps of 1 ms", 1e-3, &drift[1]),
                 fine = step_through(r, &w, NULL, 1e-4, &drift[2]);
    report_at_most(
        r, INDEPENDENT, "crank's angle by steps of 0.1 ms, rad", 1e-2, fine,
        report_text(r, "largest over the course; %.2g at 5 ms, %.2g at 1 ms", coarse, middle));
    report_near(r, INDEPENDENT, "order in h of what the loop drifts in a step", 2,
                log10(drift[1] / drift[2]), 0.1, "1 ms against 0.1 ms, before it is closed again");
    report_figure(r, "u_joint",
                  "The time stepper comes to the course from impact to impact as its "
                  "steps shrink. The crank of a four-bar linkage whose rocker meets a "
                  "stop twice.");
    scene_clear(&s);
}

static void run(report *r) {
    forms(r);
    mechanisms(r);
    newton(r);
    motion(r);
    report_show_table(r, "u_joint",
                      "Mechanisms by every model that takes them: distance of the velocity after "
                      "the impact from the rigid limit of compliant contact, over the velocity "
                      "before, in the metric of the mass matrix.");
}

const experiment experiment_u_joint = {
    "U-Joint", "Loops, joint stops, ratchets and rolling in scenes",
    "PLUS “can be used to simulate a variety of unilateral constraints, such as joint stops and "
    "ratchets” (section 2), beside bilateral ones of any kind (2(b), 3(b)); no example is shown. "
    "Here mechanisms are scenes, with compliant contact beside the models.",
    run};
