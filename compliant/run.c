/* run.c - the driver of a compliant simulation: steps, contact events, when to stop.
 *
 * A step that carries a pair's margin across zero is taken again up to the crossing that the cubic
 * through its ends proposes, until the margin there is zero to a hundredth of the accuracy. */
#include "compliant/run.h"

#include "compliant/event.h"
#include "base/vec3.h"

#include <gsl/gsl_errno.h>

#include <float.h>
#include <stdlib.h>
#include <string.h>

compliant_settings compliant_settings_default(void) {
    return (compliant_settings){
        .stepper = gsl_odeiv2_step_rk8pd,
        .accuracy = 1e-10,
        .max_steps = 1000000,
        .until = 1,
        .apart = 1e-3,
        .history = true,
    };
}

const char *compliant_end_text(compliant_end end) {
    static const char *const text[] = {
        "apart", "touch", "time", "step limit", "tolerance not met", "interrupted"};
    return text[end];
}

/* Touching at the start: within this of the depth scale. */
static const double TOUCHING = 1e-9;
/* m/s, the speed scale of a scene where nothing moves or falls. */
static const double LEAST_SPEED = 1e-6;

typedef struct simulation {
    const compliant_settings *set;
    compliant_result *result;
    compliant_ode ode;
    gsl_odeiv2_system system;
    gsl_odeiv2_step *step;
    double last_error; /* of the last step accepted, 1 = the accuracy */
    double t, h;       /* s: reached, and the next step to try */
    /* (dim) now, at the end of the step tried, its error estimate */
    double *y, *slope, *y1, *slope1, *error;
    double *scratch;             /* (dim) */
    compliant_touch *now, *then; /* (npairs) at y, at y1 */
    bool *turns;                 /* (npairs) changes within the step tried */
    double zero;                 /* a margin this small is zero */
    double stride;               /* s, longest step while nothing presses */
    long before_touch;           /* force evaluations up to the first touch */
} simulation;

static void look_all(const simulation *r, const double *y, compliant_touch *touch) {
    compliant_ode_place(&r->ode, y);
    for (int i = 0; i < r->ode.system->npairs; i++)
        touch[i] = compliant_look(r->ode.system, i);
}

/* Begins or ends the pressing of a pair at the present time. */
static imp_status press(simulation *r, int pair, bool begins) {
    compliant_result *result = r->result;
    r->ode.pressing[pair] = begins;
    if (!begins) {
        for (int i = result->nspells - 1; i >= 0; i--)
            if (result->spells[i].pair == pair && isnan(result->spells[i].end)) {
                result->spells[i].end = result->last_end = r->t;
                break;
            }
        return IMP_OK;
    }
    if ((result->nspells & (result->nspells - 1)) == 0) { /* full at every power of two */
        const size_t room = result->nspells ? 2 * (size_t)result->nspells : 1;
        compliant_spell *spells = realloc(result->spells, room * sizeof *spells);
        if (!spells) return IMP_NO_MEMORY;
        result->spells = spells;
    }
    if (result->nspells == 0) {
        result->first_touch = r->t;
        r->before_touch = r->ode.evaluations;
    }
    result->spells[result->nspells++] = (compliant_spell){pair, r->t, NAN};
    return IMP_OK;
}

/* Has the pair, looking like this, left the state it is marked with? */
static bool changed(const simulation *r, int pair, const compliant_touch *touch) {
    const double margin = compliant_margin(&r->ode, touch, pair);
    return r->ode.pressing[pair] ? margin < -r->zero : margin > r->zero;
}

/* s, after a touch: the force grows like the 3/2 power of time, so the error of the first step like
 * the 5/2 power. */
static double first_step(const simulation *r) {
    return 3 * r->ode.depth / r->ode.speed * pow(r->set->accuracy, 0.4);
}

/* Pairs that the trial step would change and that stand at their margin now begin or cease to
 * press; symmetric pairs do so together. Returns how many. */
static int switch_pairs(simulation *r, imp_status *status) {
    int switched = 0;
    bool any = false;
    for (int i = 0; i < r->ode.system->npairs && *status == IMP_OK; i++) {
        const double margin = compliant_margin(&r->ode, &r->now[i], i);
        const bool begins = !r->ode.pressing[i];
        if (!r->turns[i] || (begins ? margin < -r->zero : margin > r->zero)) continue;
        *status = press(r, i, begins);
        any = any || begins;
        switched++;
    }
    if (any) r->h = fmin(r->h, first_step(r));
    return switched;
}

/* The part of the trial step after which the first pair changes, 1 when none does; marks all that
 * turn in it. */
static double first_change(simulation *r, double h) {
    const compliant_span span = {h, r->y, r->slope, r->y1, r->slope1};
    double part = 1;
    for (int i = 0; i < r->ode.system->npairs; i++) {
        const compliant_touch *a = &r->now[i], *b = &r->then[i];
        r->turns[i] = changed(r, i, b);
        if (r->turns[i]) {
            part = fmin(part, compliant_crossing(&r->ode, &span, i, r->scratch));
            /* a graze? */
        } else if (!r->ode.pressing[i] && a->rate > 0 && b->rate < 0 &&
                   a->depth + h * a->rate > 0) {
            const double closest = compliant_closest(&r->ode, &span, i, r->scratch);
            const compliant_touch touch = compliant_look(r->ode.system, i); /* there */
            if (changed(r, i, &touch)) part = fmin(part, closest);
        }
    }
    return part;
}

/* y1, slope1, error and `then` <- a step of length h from y. False when the forces cannot be
 * evaluated. */
static bool try_step(simulation *r, double h) {
    memcpy(r->y1, r->y, (size_t)r->ode.dim * sizeof *r->y);
    if (gsl_odeiv2_step_apply(r->step, r->t, h, r->y1, r->error, r->slope, r->slope1, &r->system) !=
        GSL_SUCCESS)
        return false;
    look_all(r, r->y1, r->then);
    return true;
}

/* m, the depth of a pair that stops closing within the step just taken: the cubic through depths
 * and rates says when, a step up to there says how deep, to the accuracy of the method. */
static double turning_depth(simulation *r, int pair, double h) {
    const compliant_touch *a = &r->now[pair], *b = &r->then[pair];
    const double mean = (b->depth - a->depth) / h;
    /* rate: a + 2 c s + 3 d s^2 */
    const double c = 3 * mean - 2 * a->rate - b->rate, d = a->rate + b->rate - 2 * mean;
    const double part = a->rate / (sqrt(fmax(0, c * c - 3 * d * a->rate)) - c);
    if (!(part > 0 && part < 1)) return b->depth;
    memcpy(r->scratch, r->y, (size_t)r->ode.dim * sizeof *r->y);
    if (gsl_odeiv2_step_apply(r->step, r->t, part * h, r->scratch, r->error, r->slope, NULL,
                              &r->system) != GSL_SUCCESS)
        return b->depth;
    compliant_ode_place(&r->ode, r->scratch);
    const compliant_touch near = compliant_look(r->ode.system, pair);
    /* and the little that is left */
    return near.depth - 0.5 * near.rate * near.rate * h / (2 * c + 6 * d * part);
}

static void note_depths(simulation *r, double h) {
    for (int i = 0; i < r->ode.system->npairs; i++) {
        if (!r->ode.pressing[i]) continue;
        double *deepest = &r->result->deepest[i];
        *deepest = fmax(*deepest, r->then[i].depth);
        if (r->now[i].rate > 0 && r->then[i].rate < 0)
            *deepest = fmax(*deepest, turning_depth(r, i, h));
    }
}

static imp_status accept(simulation *r, double h) {
    note_depths(r, h);
    double *swap = r->y;
    r->y = r->y1, r->y1 = swap;
    swap = r->slope, r->slope = r->slope1, r->slope1 = swap;
    compliant_touch *other = r->now;
    r->now = r->then, r->then = other;
    r->t += h;
    r->result->steps++;
    return r->set->history ? compliant_history_add(&r->result->history, &r->ode, r->t, r->y)
                           : IMP_OK;
}

static bool pressing_any(const simulation *r) {
    for (int i = 0; i < r->ode.system->npairs; i++)
        if (r->ode.pressing[i]) return true;
    return false;
}

/* Nothing presses any more, and nothing near is closing. */
static bool apart(const simulation *r) {
    if (r->set->apart < 0 || r->result->nspells == 0) return false;
    for (int i = 0; i < r->ode.system->npairs; i++) {
        const bool closing = r->now[i].rate > TOUCHING * r->ode.speed;
        if (r->ode.pressing[i] && (closing || compliant_margin(&r->ode, &r->now[i], i) > r->zero))
            return false;
        if (closing && -r->now[i].depth < r->set->apart) return false;
    }
    return true;
}

/* The estimated error of the trial step, 1 = the accuracy. */
static double error_of(const simulation *r) {
    double worst = 0;
    for (int i = 0; i < r->ode.dim; i++) {
        const double part = fabs(r->error[i]) / (r->set->accuracy * r->ode.scale[i]);
        if (!(part <= worst)) worst = part; /* NaN wins */
    }
    return worst;
}

/* The first touch, where a run is to stop there. */
static bool touched(const simulation *r) {
    for (int i = 0; r->set->to_touch && i < r->ode.system->npairs; i++)
        if (r->ode.pressing[i] && r->now[i].rate > TOUCHING * r->ode.speed) return true;
    return false;
}

/* A step from y that meets the accuracy, of the returned length; 0 when there is none, and *end
 * says why. The next length follows from this error and the one before (Gustafsson's PI control,
 * exponents between his 0.7, 0.4 and the plain 1, 0), which settles at the edge of stability while
 * friction creeps, where a plain rule would be refused every other step. */
static double meet_accuracy(simulation *r, compliant_end *end) {
    const double order = gsl_odeiv2_step_order(r->step) + 1;
    double limit = r->set->until - r->t, most = 5;
    if (!pressing_any(r)) limit = fmin(limit, r->stride);
    if (r->set->max_step > 0) limit = fmin(limit, r->set->max_step);
    for (double h = fmin(r->h, limit);; most = 1) {
        *end = COMPLIANT_TOLERANCE;
        if (!(r->t + h > r->t) || h < DBL_EPSILON * r->ode.depth / r->ode.speed) return 0;
        *end = COMPLIANT_STEPS;
        if (r->result->steps + r->result->rejected >= r->set->max_steps) return 0;
        const double error = try_step(r, h) ? error_of(r) : INFINITY;
        if (error <= 1) {
            const double floor = fmax(error, 1e-10);
            const double factor = 0.9 * pow(floor, -0.85 / order) * pow(r->last_error, 0.2 / order);
            const double next = h * fmin(most, fmax(0.2, factor));
            r->h = h < r->h ? fmax(next, r->h) : next; /* a step cut short by a limit does not
                                                          shorten the next */
            r->last_error = floor;
            return h;
        }
        r->result->rejected++;
        r->h = h = h * fmax(0.1, 0.9 * pow(error, -1 / order));
    }
}

/* One accepted step, which ends at the first contact event in it. False when it fails; *end or
 * *status says why. */
static bool advance(simulation *r, compliant_end *end, imp_status *status) {
    double h = meet_accuracy(r, end), part;
    if (h == 0) return false;
    while ((part = first_change(r, h)) < 1) {
        if (!(r->t + part * h > r->t)) { /* at the start already; a pair that cannot turn there is
                                            left to the end */
            if (switch_pairs(r, status) > 0 || *status != IMP_OK) return *status == IMP_OK;
            break;
        }
        *end = COMPLIANT_TOLERANCE;
        if (!try_step(r, part * h)) return false;
        r->h = fmax(h - part * h, part * h);
        h *= part;
        bool beyond = false;
        for (int i = 0; i < r->ode.system->npairs; i++)
            beyond = beyond || changed(r, i, &r->then[i]);
        if (beyond) continue;
        if ((*status = accept(r, h)) == IMP_OK) switch_pairs(r, status);
        return *status == IMP_OK;
    }
    return (*status = accept(r, h)) == IMP_OK;
}

/* Marks the pairs that touch at the start and do not fly apart. */
static imp_status first_pairs(simulation *r) {
    imp_status status = IMP_OK;
    look_all(r, r->y, r->now);
    for (int i = 0; i < r->ode.system->npairs && status == IMP_OK; i++) {
        const compliant_touch *touch = &r->now[i];
        const double margin = compliant_margin(&r->ode, touch, i);
        if (margin > TOUCHING || (margin >= -TOUCHING && touch->rate >= -TOUCHING * r->ode.speed))
            status = press(r, i, true);
    }
    return status;
}

static imp_status integrate(simulation *r) {
    compliant_result *result = r->result;
    imp_status status = first_pairs(r);
    if (status == IMP_OK && compliant_ode_slope(0, r->y, r->slope, &r->ode) != GSL_SUCCESS)
        status = IMP_NOT_POSITIVE;
    if (status == IMP_OK && r->set->history)
        status = compliant_history_add(&result->history, &r->ode, 0, r->y);
    if (status != IMP_OK) return status;
    result->energy0 = imp_tree_kinetic(r->ode.system->tree) +
                      imp_tree_potential(r->ode.system->tree, r->ode.system->gravity) +
                      compliant_ode_stored(&r->ode);
    r->h = first_step(r);
    for (;;) {
        result->end = COMPLIANT_TIME;
        if (!(r->t < r->set->until)) return IMP_OK;
        result->end = COMPLIANT_APART;
        if (apart(r)) return IMP_OK;
        result->end = COMPLIANT_TOUCH;
        if (touched(r)) return IMP_OK;
        if (!advance(r, &result->end, &status))
            return status == IMP_OK ? IMP_NOT_CONVERGED : status;
        result->end = COMPLIANT_INTERRUPTED;
        if (r->set->proceed && !r->set->proceed(r->t, r->set->context)) return IMP_NOT_CONVERGED;
    }
}

/* What the run owns, apart from the result. */
static imp_status acquire(simulation *r, const compliant_system *system, const double *q,
                          const double *v) {
    imp_status status = compliant_ode_init(&r->ode, system);
    if (status != IMP_OK) return status;
    const size_t dim = (size_t)r->ode.dim, pairs = (size_t)system->npairs + 1;
    double **const vector[] = {&r->y,     &r->slope,   &r->y1,       &r->slope1,
                               &r->error, &r->scratch, &r->result->y};
    bool missing = false;
    for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
        missing = !(*vector[i] = calloc(dim, sizeof(double))) || missing;
    r->now = calloc(pairs, sizeof *r->now);
    r->then = calloc(pairs, sizeof *r->then);
    r->turns = calloc(pairs, sizeof *r->turns);
    r->result->deepest = calloc(pairs, sizeof *r->result->deepest);
    if (missing || !r->now || !r->then || !r->turns || !r->result->deepest) return IMP_NO_MEMORY;
    memcpy(r->y, q, (size_t)r->ode.nq * sizeof *q);
    memcpy(r->y + r->ode.v, v, (size_t)r->ode.nv * sizeof *v);
    status = compliant_ode_scale(&r->ode, q, v, LEAST_SPEED);
    if (status != IMP_OK) return status;
    r->step = gsl_odeiv2_step_alloc(r->set->stepper, dim);
    r->system = (gsl_odeiv2_system){compliant_ode_slope, NULL, dim, &r->ode};
    double nearest = INFINITY, far = 0;
    for (int i = 0; i < system->nspheres; i++)
        nearest = fmin(nearest, system->spheres[i].radius);
    for (int i = 0; i < r->ode.nq; i++)
        far = fmax(far, fabs(q[i]));
    r->stride = 0.25 * nearest / r->ode.speed;
    r->zero = fmax(0.01 * r->set->accuracy, 8 * DBL_EPSILON * (far + nearest) / r->ode.depth);
    return r->step ? IMP_OK : IMP_NO_MEMORY;
}

static void release(simulation *r) {
    free(r->y), free(r->slope), free(r->y1), free(r->slope1), free(r->error), free(r->scratch);
    free(r->now), free(r->then), free(r->turns);
    if (r->step) gsl_odeiv2_step_free(r->step);
    compliant_ode_clear(&r->ode);
}

static void conclude(simulation *r) {
    compliant_result *result = r->result;
    const compliant_system *s = r->ode.system;
    result->time = r->t;
    result->layout = compliant_layout_of(&r->ode);
    memcpy(result->y, r->y, (size_t)r->ode.dim * sizeof *r->y);
    compliant_ode_place(&r->ode, r->y);
    result->kinetic = imp_tree_kinetic(s->tree);
    result->potential = imp_tree_potential(s->tree, s->gravity);
    result->elastic = compliant_ode_stored(&r->ode);
    result->evaluations = r->ode.evaluations;
    result->contact_evaluations = result->nspells ? r->ode.evaluations - r->before_touch : 0;
}

imp_status compliant_run(const compliant_system *system, const compliant_settings *settings,
                         const double *q, const double *v, compliant_result *result) {
    *result = (compliant_result){.first_touch = NAN, .last_end = NAN};
    if (!(settings->accuracy > 0) || !(settings->until > 0) || !settings->stepper)
        return IMP_BAD_ARGUMENT;
    for (int i = 0; i < imp_tree_nq(system->tree); i++)
        if (!isfinite(q[i])) return IMP_NOT_FINITE;
    for (int i = 0; i < imp_tree_nv(system->tree); i++)
        if (!isfinite(v[i])) return IMP_NOT_FINITE;
    gsl_error_handler_t *const handler = gsl_set_error_handler_off();
    simulation r = {.set = settings, .result = result, .last_error = 1};
    imp_status status = acquire(&r, system, q, v);
    if (status == IMP_OK) status = integrate(&r);
    if (status >= 0)
        conclude(&r);
    else
        compliant_result_clear(result);
    release(&r);
    gsl_set_error_handler(handler);
    return status;
}

void compliant_result_clear(compliant_result *result) {
    free(result->y);
    free(result->deepest);
    free(result->spells);
    compliant_history_clear(&result->history);
    *result = (compliant_result){.first_touch = NAN, .last_end = NAN};
}
