/* d_rub.c - joints that rub, beside loops and from impact to impact: stops in closed form, one
 * mechanism in two forms, and what steps converge to. */
#include "base/worse.h"
#include "benchmarks/harness/report.h"
#include "lib/impact.h"
#include "scene/course.h"
#include "scene/steps.h"

#include <math.h>
#include <string.h>

enum { STEPS = 4 }; /* lengths of a step, each half of the one before */

/* How a course ended. */
typedef struct course_end {
    double first, last; /* s, the first and the last time that a joint stopped */
    double place[3];    /* m, of the last body */
    double gap;         /* J, by which energy is not what friction took */
    double rubbed;      /* J */
    bool good;
} course_end;

static bool lasts(void *context, const scene_stride *stride) {
    ((course_end *)context)->rubbed += stride->rubbed;
    return false;
}

static void turns(void *context, double t, scene_turn turn, int lasting) {
    course_end *c = context;
    (void)lasting;
    if (turn != SCENE_TURN_STICKS) return;
    if (isnan(c->first)) c->first = t;
    c->last = t;
}

static double energy_of(const scene *s) {
    return imp_tree_kinetic(s->tree) + imp_tree_potential(s->tree, s->system.gravity);
}

/* A variant of rubbing.json, until its end or `until` (s) where that is > 0. */
static course_end follow(const char *variant, double until) {
    const imp_model *model = imp_model_find("poisson");
    course_end c = {.first = NAN, .last = NAN};
    const scene_observer observer = {.lasts = lasts, .turns = turns, .context = &c};
    scene_file file;
    scene s;
    imp_settings settings;
    scene_course_end end;
    double time;
    if (scene_open("benchmarks/scenes/rubbing.json", &file, NULL) != IMP_OK) return c;
    const imp_status built =
        scene_build_rubbing(&file, scene_variant_find(&file, variant), &s, NULL);
    scene_close(&file);
    if (built != IMP_OK) return c;
    if (until > 0) s.run.until = until;
    imp_model_presets(model, &settings);
    imp_tree_place(s.tree, s.q, s.v);
    const double before = energy_of(&s);
    c.good = scene_course(&s, model, &settings, &observer, &end, &time) == IMP_OK &&
             end == SCENE_COURSE_TIME;
    c.gap = fabs(before - energy_of(&s) - c.rubbed);
    memcpy(c.place, imp_tree_state(s.tree, imp_tree_links(s.tree) - 1)->com, sizeof c.place);
    scene_clear(&s);
    return c;
}

/* What two forms of a mechanism differ by, s or m. */
static double apart(const char *one, const char *other) {
    const course_end a = follow(one, 0), b = follow(other, 0);
    double most = imp_worse(fabs(a.first - b.first), fabs(a.last - b.last));
    for (int k = 0; k < 3; k++)
        most = imp_worse(most, fabs(a.place[k] - b.place[k]));
    return a.good && b.good ? most : INFINITY;
}

/* The rocker of the parallelogram after `until` s of steps of length h. */
static bool step_through(double h, double until, double place[3]) {
    scene_steps s;
    bool good = true;
    if (scene_steps_open("benchmarks/scenes/rubbing-steps.json", NULL, &s, NULL) != IMP_OK)
        return false;
    s.settings.h = h;
    for (long k = lround(until / h); k > 0 && good; k--)
        good = imp_step(s.stepper, &s.settings) == IMP_OK;
    memcpy(place, imp_world_state(s.world, s.bodies - 1)->com, 3 * sizeof *place);
    scene_steps_clear(&s);
    return good;
}

static void stops(report *r) {
    static const struct {
        const char *variant, *what;
        double time; /* s */
    } row[] = {
        {"without gravity", "a rod: 0.24 kg m^2 at 3 rad/s against 0.75 N m, s", 0.96},
        {"viscous", "the same with 0.2 N m s besides: I / c ln(1 + c w / bound), s",
         0.70534399788254266},
        {"slider", "a slider at 2 m/s up 20 degrees, 2 kg against 8 N, s", 0.27191581638070894},
        {"bead", "a rod on which a bead slides out: 3.625 N m s against 1 N m, s", 3.625}};
    double gap = 0;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const course_end c = follow(row[i].variant, 0);
        gap = c.good ? imp_worse(gap, c.gap) : INFINITY;
        report_near(r, INDEPENDENT, row[i].what, row[i].time, c.last, 1e-11, "closed form");
    }
    report_at_most(r, OWN_BOUND, "energy against what friction took, J", 1e-9, gap,
                   "the largest of the four");
}

static void run(report *r) {
    const double until = 0.2;
    report_rows *t = report_table(r, "d_rub", "h:6\toff:3");
    double off[STEPS] = {0}, order = 0;
    stops(r);
    report_at_most(r, INDEPENDENT, "two rods as free bodies against the tree, s and m", 1e-10,
                   apart("two rods, free bodies", "two rods"),
                   "when either joint stops, and where; both rub");
    report_at_most(r, INDEPENDENT, "a bead on a rod as free bodies against the tree, s and m",
                   1e-10, apart("bead, free bodies", "bead"), "a slider and a revolute joint");
    const course_end loop = follow("parallelogram", 0),
                     pendulum = follow("parallelogram as a pendulum", 0);
    report_at_most(r, INDEPENDENT,
                   "a parallelogram with four pins that rub against its pendulum, s", 1e-10,
                   loop.good && pendulum.good ? fabs(loop.last - pendulum.last) : INFINITY,
                   "when it stops after four swings, at the sum of the bounds");
    const course_end exact = follow("parallelogram", until);
    for (int k = 0; k < STEPS; k++) {
        const double h = ldexp(4e-3, -k);
        double place[3] = {0};
        off[k] = step_through(h, until, place) && exact.good ? 0 : INFINITY;
        for (int a = 0; a < 3; a++)
            off[k] = imp_worse(off[k], fabs(place[a] - exact.place[a]));
        report_row(t, NULL, h, off[k]);
    }
    order = log2(off[STEPS - 2] / off[STEPS - 1]);
    report_near(r, INDEPENDENT, "order at which steps with QP4 in the loop converge to that", 1,
                order, 0.05, "the parallelogram under way, 0.2 s; lengths of a step by halves");
    report_show_table(r, "d_rub",
                      "The rocker of a parallelogram whose four pins rub, by steps of several "
                      "lengths, against the motion between the events.");
}

const experiment experiment_d_rub = {
    "D-Rub", "Joint friction beside loops (section 5.1, QP4)",
    "Drumwright and Shell bound the friction of joints by mu_c + mu_v |rate| and have it dissipate "
    "the most that the bounds allow (QP4, Eq. 6), in trees. Here it stands beside the rows of "
    "closed loops and joined bodies, in steps and from event to event, where joints stick and "
    "slide as contacts do.",
    run};
