/* run.c - the driver of a compliant simulation: its scales, how it begins, when to stop. */
#include "compliant/run_internal.h"

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
        "apart",
        "touch",
        "time",
        "step limit",
        "tolerance not met",
        "interrupted",
        "loops came open",
        "the joints come to a change point, from which they may go on in more than one way",
        "too stiff: it yields by less than rounding leaves of positions"};
    return text[end];
}

/* m/s, the speed scale of a scene where nothing moves or falls. */
static const double LEAST_SPEED = 1e-6;

/* Of the depth scale: where rounding hides more of a penetration, it cannot be followed. */
static const double BLUR = 1e-4;

/* Of what rounding hides: steps that are to have less error become so short that rounding of what
 * they move adds up. */
static const double HIDDEN = 0.01;

/* m, how far from the origin of its tree a sphere may be, along the joints; *turned (m) <- the
 * largest way on which an angle's rounding carries it, at least. */
static double far_of(const compliant_system *system, const double *q, const compliant_sphere *s,
                     double *turned) {
    double arm = norm3(s->centre) + norm3(s->half) + s->radius;
    for (int i = s->link; i != IMP_GROUND; i = imp_tree_link(system->tree, i)->parent) {
        const imp_link *l = imp_tree_link(system->tree, i);
        if (l->joint == IMP_FREE) break; /* its place counts by itself, its quaternion is 1 */
        if (l->joint == IMP_REVOLUTE) *turned = fmax(*turned, fabs(q[l->q_at]) * arm);
        if (l->joint == IMP_PRISMATIC) arm += fabs(q[l->q_at]);
        arm += norm3(l->offset);
    }
    return arm;
}

double compliant_rounding(const compliant_system *system, const double *q) {
    double nearest = INFINITY, far = 0;
    for (int i = 0; i < system->nspheres; i++) {
        const compliant_sphere *s = &system->spheres[i];
        nearest = fmin(nearest, s->radius);
        if (s->link == IMP_GROUND) continue;
        const double reach = far_of(system, q, s, &far);
        far = fmax(far, reach);
    }
    for (int i = 0; i < imp_tree_links(system->tree); i++) {
        const imp_link *l = imp_tree_link(system->tree, i);
        for (int k = 0; k < 3 && l->joint == IMP_FREE; k++)
            far = fmax(far, fabs(q[l->q_at + k]));
    }
    return 8 * DBL_EPSILON * (far + (isfinite(nearest) ? nearest : 0));
}

static bool pushes(const compliant_simulation *r, int k) {
    return compliant_margin(&r->ode, &r->now[k], r->near.active[k]) > r->zero[COMPLIANT_PRESSES];
}

static bool presses(const compliant_simulation *r) {
    for (int k = 0; k < r->near.actives; k++) {
        const bool closing = r->now[k].rate > compliant_touching * r->ode.speed;
        if (r->ode.pressing[r->near.active[k]] && (closing || pushes(r, k))) return true;
    }
    return false;
}

/* Was any pair let go as it eased faster than surfaces follow, so that the force may come back? How
 * long it overlaps from there on is no part of the collision: no event ends that, but a step. */
static bool overlaps(const compliant_simulation *r) {
    for (int k = 0; k < r->near.actives; k++)
        if (r->now[k].depth > r->zero[COMPLIANT_PRESSES] * r->ode.depth && !pushes(r, k))
            return true;
    return false;
}

/* Is anything closing that is so near as to be waited for? */
static bool closes(const compliant_simulation *r) {
    for (int k = 0; k < r->near.actives; k++)
        if (r->now[k].rate > compliant_touching * r->ode.speed && -r->now[k].depth < r->set->apart)
            return true;
    return false;
}

/* Keeps the state of the instant from which on nothing presses: the collision is over there, should
 * nothing follow. */
static void note_over(compliant_simulation *r) {
    if (r->result->nspells == 0) return;
    if (presses(r)) {
        r->over = NAN;
    } else if (isnan(r->over)) {
        r->over = r->t;
        compliant_ode_unite(&r->ode, r->t, r->y, r->result->y);
        memcpy(r->parted, r->result->y, (size_t)r->ode.at.dim * sizeof *r->parted);
    }
}

/* The first touch, where a run is to stop there. */
static bool touched(const compliant_simulation *r) {
    for (int k = 0; r->set->to_touch && k < r->near.actives; k++)
        if (r->ode.pressing[r->near.active[k]] &&
            r->now[k].rate > compliant_touching * r->ode.speed)
            return true;
    return false;
}

/* Marks the pairs that touch at the start and do not fly apart; where nothing falls only those that
 * approach: what rests there beside another is touched when that moves. */
static imp_status first_pairs(compliant_simulation *r) {
    const compliant_system *s = r->ode.system;
    imp_status status = IMP_OK;
    const double zero = fmax(compliant_touching, r->blur),
                 least = (norm3(s->gravity) > 0 ? -compliant_touching : compliant_touching) *
                         r->ode.speed;
    compliant_run_unite(r);
    compliant_ode_place(&r->ode, 0, r->y);
    for (int i = 0; i < s->npairs && status == IMP_OK; i++) {
        const compliant_touch touch = compliant_look(s, i);
        const double margin = compliant_margin(&r->ode, &touch, i);
        if (margin > zero || (margin >= -zero && touch.rate >= least))
            status = compliant_run_press(r, i, &touch, true);
    }
    compliant_near_list(&r->near, r->ode.pressing, 0);
    return status == IMP_OK ? compliant_run_divide(r) : status;
}

static imp_status integrate(compliant_simulation *r) {
    compliant_result *result = r->result;
    imp_status status = first_pairs(r);
    if (status == IMP_OK) status = compliant_run_keep(r);
    if (status != IMP_OK) return status;
    result->end = COMPLIANT_STIFF;
    if (r->hidden && !r->set->to_touch) return IMP_NOT_CONVERGED;
    compliant_ode_place(&r->ode, 0, r->y);
    result->energy0 = imp_tree_kinetic(r->ode.system->tree) +
                      imp_tree_potential(r->ode.system->tree, r->ode.system->gravity) +
                      compliant_ode_stored(&r->ode);
    r->h = compliant_run_first_step(r);
    for (;;) {
        note_over(r);
        result->end = COMPLIANT_TIME;
        if (!(r->t < r->set->until)) return IMP_OK;
        result->end = COMPLIANT_APART;
        if (isfinite(r->over) && r->set->apart >= 0 && !overlaps(r) && !closes(r)) return IMP_OK;
        result->end = COMPLIANT_TOUCH;
        if (touched(r)) return IMP_OK;
        if (!compliant_run_advance(r, &result->end, &status))
            return status == IMP_OK ? IMP_NOT_CONVERGED : status;
        result->end = COMPLIANT_INTERRUPTED;
        if (r->set->proceed && !r->set->proceed(r->t, r->set->context)) return IMP_NOT_CONVERGED;
    }
}

/* Velocities may be far above the scale of those that contacts meet: no error below their rounding
 * is asked for, and in flight, where nothing meets, none below the accuracy of their own size. */
static void widen_scales(compliant_simulation *r, const double *v) {
    const imp_tree *tree = r->ode.system->tree;
    const double share = r->set->to_touch ? 1 : fmin(1, 64 * DBL_EPSILON / r->set->accuracy);
    for (int i = 0; i < imp_tree_links(tree); i++) {
        const imp_link *l = imp_tree_link(tree, i);
        const bool is_free = l->joint == IMP_FREE;
        const double *own = v + l->v_at;
        double *scale = r->ode.scale + r->ode.at.v + l->v_at;
        for (int k = 0; k < (is_free ? 6 : l->joint == IMP_WELD ? 0 : 1); k++)
            scale[k] = fmax(scale[k], share * (is_free ? norm3(own + k / 3 * 3) : fabs(*own)));
    }
}

/* What the run owns, apart from the result. */
static imp_status acquire(compliant_simulation *r, const compliant_system *system, const double *q,
                          const double *v) {
    imp_status status = compliant_ode_init(&r->ode, system);
    if (status != IMP_OK) return status;
    const size_t dim = (size_t)r->ode.dim, pairs = (size_t)system->npairs + 1;
    const double rounding = compliant_rounding(system, q);
    double nearest = INFINITY;
    double **const vector[] = {&r->y, &r->slope, &r->y1, &r->slope1, &r->error, &r->result->y};
    bool missing = !(r->scratch = calloc(3 * dim, sizeof(double)));
    missing = !(r->parted = calloc(dim, sizeof(double))) || missing;
    for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
        missing = !(*vector[i] = calloc(dim, sizeof(double))) || missing;
    r->now = calloc(pairs, sizeof *r->now);
    r->then = calloc(pairs, sizeof *r->then);
    r->turns = calloc(pairs, sizeof *r->turns);
    r->result->deepest = calloc(pairs, sizeof *r->result->deepest);
    if (missing || !r->now || !r->then || !r->turns || !r->result->deepest) return IMP_NO_MEMORY;
    memcpy(r->y, q, (size_t)r->ode.at.nq * sizeof *q);
    memcpy(r->y + r->ode.v, v, (size_t)r->ode.at.nv * sizeof *v);
    for (int i = 0; i < system->nspheres; i++)
        nearest = fmin(nearest, system->spheres[i].radius);
    /* to a touch nothing yields: its accuracy is not to ask for less than the last bit */
    const bool flies = r->set->to_touch;
    const double most = flies ? fmin(BLUR, 8 * r->set->accuracy) : BLUR;
    status = compliant_ode_scale(&r->ode, q, v, LEAST_SPEED, rounding / most);
    if (status != IMP_OK) return status;
    widen_scales(r, v);
    r->way = compliant_way_new(system->tree, system->loops);
    r->blur = rounding / r->ode.depth;
    r->hidden = !(r->ode.depth > rounding / most);
    r->accuracy = fmax(r->set->accuracy, HIDDEN * r->blur);
    r->stride = 0.25 * nearest / r->ode.speed;
    r->zero[COMPLIANT_PRESSES] = fmax(flies ? 0 : 0.01 * r->set->accuracy, r->blur);
    r->zero[COMPLIANT_STICKS] = r->zero[COMPLIANT_LOADS] = sqrt(r->zero[COMPLIANT_PRESSES]);
    return compliant_near_init(&r->near, system, fmax(0, r->set->apart),
                               isfinite(nearest) ? 0.25 * nearest : 0);
}

static void release(compliant_simulation *r) {
    compliant_way_stop(&r->way);
    free(r->y), free(r->slope), free(r->y1), free(r->slope1), free(r->error), free(r->scratch);
    free(r->parted);
    compliant_near_clear(&r->near);
    free(r->now), free(r->then), free(r->turns);
    if (r->driver) gsl_odeiv2_driver_free(r->driver);
    compliant_ode_clear(&r->ode);
}

/* The collision was over when nothing pressed any more: how long it took to see that nothing
 * follows is no part of it. */
static void look_back(compliant_simulation *r) {
    compliant_result *result = r->result;
    compliant_history *h = &result->history;
    while (h->rows > 0 && compliant_history_row(h, h->rows - 1)[r->ode.at.time] > r->over)
        h->rows--;
    result->time = r->over;
    memcpy(result->y, r->parted, (size_t)r->ode.at.dim * sizeof *r->parted);
}

static void conclude(compliant_simulation *r) {
    compliant_result *result = r->result;
    const compliant_system *s = r->ode.system;
    result->time = r->t;
    result->layout = r->ode.at;
    compliant_ode_unite(&r->ode, r->t, r->y, result->y);
    const bool waits = r->set->apart >= 0 && !r->set->to_touch,
               ends = result->end == COMPLIANT_APART || result->end == COMPLIANT_TIME;
    if (waits && ends && isfinite(r->over)) look_back(r);
    imp_tree_place(s->tree, result->y, result->y + r->ode.at.v);
    result->kinetic = imp_tree_kinetic(s->tree);
    result->potential = imp_tree_potential(s->tree, s->gravity);
    const double strained = compliant_ode_strained(&r->ode, result->y);
    result->elastic = compliant_ode_stored(&r->ode) + strained;
    result->y[r->ode.at.rubbed] -= strained;
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
    compliant_simulation r = {.set = settings, .result = result, .last_error = 1, .over = NAN};
    imp_status status = acquire(&r, system, q, v);
    if (status == IMP_OK) status = integrate(&r);
    if (r.ode.lacked) status = IMP_NO_MEMORY;
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
