/* simulate_steps.c - `impact simulate` of a scene with a step. */
#include "cli/simulate.h"
#include "base/finite.h"
#include "base/vec3.h"

#include <math.h>

/* Of a scene that is kept. */
enum { PARTS = 100 };

static void write_world(simulation *r, double t, const imp_world *world) {
    simulation_begin(r, t);
    for (int i = 0; i < world->nl; i++)
        simulation_body(r, t, i, imp_world_state(world, i));
}

/* u = W p + q, which the model was asked for: the bodies have gone on from where the contacts
 * were. */
static void write_nearby(simulation *r, double t, const imp_stepper *s) {
    const imp_problem *problem = &s->problem;
    for (int i = 0; i < problem->nc; i++) {
        const imp_nearby *near = &s->near.item[i];
        double u[3];
        problem->W->kind->row(problem->W, i, -1, s->p, u, NULL);
        add3(1, problem->q + 3 * (size_t)i, u);
        simulation_contact(r, t, &near->contact, near->gap, s->p + 3 * (size_t)i, u);
    }
}

static double energy_of(const scene_steps *s, double *kinetic) {
    *kinetic = imp_world_kinetic(s->world);
    return *kinetic + imp_world_potential(s->world, s->settings.gravity);
}

/* A scene that is being stepped. */
typedef struct stepping {
    simulation *r;
    scene_steps *s;
    long k;    /* steps made */
    long best; /* the first that has no certified answer, 0: none; and its status */
    imp_status fault;
    int pushed;    /* contacts that overlapped there, and step.push_out was to part */
    double energy; /* J */
} stepping;

static imp_status save_steps(void *context, FILE *file) {
    const stepping *g = context;
    fwrite(&g->k, sizeof g->k, 1, file);
    fwrite(&g->best, sizeof g->best, 1, file);
    fwrite(&g->fault, sizeof g->fault, 1, file);
    fwrite(&g->pushed, sizeof g->pushed, 1, file);
    return imp_stepper_save(g->s->stepper, file);
}

static long steps_in_all(const scene_steps *s) {
    return lround(s->until / s->settings.h);
}

/* A part of the run that is kept, but for the last. */
static long steps_of_part(const scene_steps *s) {
    return steps_in_all(s) / PARTS + 1;
}

/* Each part has its steps, and one of them in all is said to be unsolved where a step is. */
static imp_status load_steps(void *context, FILE *file) {
    stepping *g = context;
    const long steps = steps_in_all(g->s), each = steps_of_part(g->s), parts = g->r->parts;
    if (fread(&g->k, sizeof g->k, 1, file) != 1 || (parts - 1) * each >= steps ||
        g->k != (parts * each < steps ? parts * each : steps))
        return IMP_IO;
    if (fread(&g->best, sizeof g->best, 1, file) != 1 || g->best < 0 || g->best > g->k ||
        fread(&g->fault, sizeof g->fault, 1, file) != 1 || g->fault < 0 ||
        g->fault > IMP_OVERFLOW || (g->best > 0) != (g->fault > 0) ||
        (g->best > 0) != g->r->unsolved || fread(&g->pushed, sizeof g->pushed, 1, file) != 1 ||
        g->pushed < 0)
        return IMP_IO;
    const imp_status status = imp_stepper_load(g->s->stepper, file);
    const imp_world *w = g->s->world;
    if (status != IMP_OK) return status;
    return imp_all_finite(w->q, (size_t)w->nq) && imp_all_finite(w->v, (size_t)w->nv) ? IMP_OK
                                                                                      : IMP_IO;
}

/* Contacts of the last step that it was to push out of each other. */
static int count_pushed(const scene_steps *s) {
    int count = 0;
    for (int i = 0; s->settings.least_gap < 0 && i < s->stepper->near.count; i++)
        count += s->stepper->near.item[i].gap < 0;
    return count;
}

/* Of the first step without a certified answer. Overlaps that all are to part may be what has none,
 * as those of a body that is jammed. */
static void tell_best(const stepping *g) {
    char why[80] = "";
    if (g->pushed > 1)
        snprintf(why, sizeof why, ", where %d overlaps are to part by $.step.push_out at once",
                 g->pushed);
    complain_of("%s: at %.9g s: %s%s; such steps are made with the best that %s has", g->r->name,
                (double)g->best * g->s->settings.h, imp_status_text(g->fault), why,
                g->s->settings.model->name);
}

/* From the beginning, or from where the kept parts end; false after a complaint. */
static bool begin_steps(stepping *g) {
    imp_error error;
    double kinetic;
    bool resumed;
    if (simulation_resume(g->r, load_steps, g, &resumed, &error) != IMP_OK)
        return complain(&error), false;
    g->energy = energy_of(g->s, &kinetic);
    if (g->best > 0) tell_best(g);
    if (resumed) return true;
    simulation_write(g->r,
                     &(simulation_row){.event = "start", .kinetic = kinetic, .energy = g->energy});
    write_world(g->r, 0, g->s->world);
    return true;
}

/* A step that has no answer ends the run: a row with its status, and a line that says why. */
static void tell_failed(const stepping *g, double t, imp_status status) {
    const imp_stepper *s = g->s->stepper;
    const bool tumbles = status == IMP_UNSUPPORTED && s->tumbles != IMP_GROUND;
    const char *why =
        status == IMP_UNSUPPORTED && !tumbles ? not_taken(g->s->settings.model, &s->problem) : NULL;
    char room[24], expected[120];
    /* steps without an answer may have set off what outgrows the step */
    if (g->best > 0)
        snprintf(
            expected, sizeof expected,
            "contacts that have an answer (from %.9g s on they had none) or a smaller $.step.h",
            (double)g->best * g->s->settings.h);
    else
        snprintf(expected, sizeof expected, "a smaller $.step.h");
    if (tumbles)
        complain_of("%s: at %.9g s: %.200s turns by more than 2^20 rad in a step, expected %s",
                    g->r->name, t, simulation_name(g->r, s->tumbles, room), expected);
    else if (status == IMP_NOT_FINITE)
        complain_of("%s: at %.9g s: not-finite, expected %s", g->r->name, t, expected);
    else
        complain_of("%s: at %.9g s: %s%s", g->r->name, t,
                    why ? "the model does not take the contacts: " : imp_status_text(status),
                    why ? why : "");
    g->r->lost = NAN;
    simulation_write(g->r, &(simulation_row){.time = t,
                                             .event = "step",
                                             .contacts = s->near.count,
                                             .status = status,
                                             .iterations = NAN,
                                             .residual = NAN,
                                             .kinetic = NAN,
                                             .energy = NAN,
                                             .drift = NAN});
}

/* Its status; the rows where they are asked for. */
static imp_status make_step(stepping *g, long steps) {
    simulation *r = g->r;
    const scene_steps *s = g->s;
    const double t = (double)++g->k * s->settings.h, before = g->energy;
    imp_status status = imp_step(s->stepper, &s->settings);
    double kinetic;
    g->energy = energy_of(s, &kinetic);
    if (status >= 0 && !isfinite(g->energy)) status = IMP_NOT_FINITE;
    if (status < 0) {
        tell_failed(g, t, status);
        return status;
    }
    r->lost += before - g->energy;
    r->rubbed += s->stepper->rubbed;
    simulation_show(r, t);
    if (g->k % r->every != 0 && g->k != steps) return status;
    simulation_write(r, &(simulation_row){.time = t,
                                          .event = "step",
                                          .contacts = s->stepper->near.count,
                                          .status = status,
                                          .iterations = s->stepper->info.iterations,
                                          .residual = s->stepper->info.residual,
                                          .kinetic = kinetic,
                                          .energy = g->energy,
                                          .drift = s->stepper->drift});
    write_world(r, t, s->world);
    write_nearby(r, t, s->stepper);
    return status;
}

int simulate_steps(simulation *r, scene_steps *s) {
    const long steps = steps_in_all(s), each = steps_of_part(s);
    stepping g = {.r = r, .s = s};
    bool part = false;
    if (!begin_steps(&g)) return EXIT_BAD;
    while (g.k < steps && !ferror(r->table)) {
        const imp_status status = make_step(&g, steps);
        if (status < 0) return status == IMP_NO_MEMORY ? EXIT_BAD : EXIT_UNSOLVED;
        if (status > 0 && g.best == 0) {
            g.best = g.k;
            g.fault = status;
            g.pushed = count_pushed(s);
            tell_best(&g);
        }
        part = part || status > 0;
        if (!simulation_keeps(r) || (g.k % each != 0 && g.k != steps)) continue;
        if (!simulation_keep(r, part, save_steps, &g)) return EXIT_BAD;
        part = false;
    }
    return g.best > 0 ? EXIT_UNSOLVED : EXIT_SOLVED;
}
