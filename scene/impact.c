/* impact.c - from a scene to the contact problem of its first touch. */
#include "scene/impact.h"

#include "base/vec3.h"
#include "linear/lapack.h"
#include "scene/speeds.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* Of the fastest, and of the mobilities of two directions: what rounding may leave of a velocity,
 * and of a coupling, where there is none. */
static const double NOISE = 64 * DBL_EPSILON;
/* Of a spin times the distance to the world's origin, where places round: what that may leave. */
static const double PLACED = 8 * DBL_EPSILON;
/* Of the scene's proximity: a smaller gap is none. What closes has the gap that places round by,
 * 1e-9 m beside places of 1e6 m. */
static const double CLOSED = 1e-3;

int scene_pairs(const scene *s, int *pair, imp_contact *contact) {
    int count = 0;
    for (int i = 0; i < s->system.npairs; i++) {
        const compliant_touch touch = compliant_look(&s->system, i);
        if (touch.depth < -s->impact.proximity) continue;
        if (pair) {
            pair[count] = i;
            contact[count] = compliant_contact(&s->system, i, &touch);
        }
        count++;
    }
    return count;
}

bool scene_apart(const scene *s, int pair) {
    return compliant_look(&s->system, pair).depth < -CLOSED * s->impact.proximity;
}

static bool closes(const scene *s, const imp_contact *c) {
    double u[3];
    scene_contact_velocity(s->tree, c, u);
    return u[0] < 0;
}

/* *depth <- m: a pair that is as deep has no gap, but for the rounding that finds when it closes,
 * which may be large beside the proximity: of what closes the deepest has none. False: none
 * closes. */
static bool find_touching(const scene *s, const scene_moment *m, double *depth) {
    double deepest = -INFINITY;
    for (int i = 0; i < m->nc; i++)
        if (closes(s, &m->contact[i]))
            deepest = fmax(deepest, compliant_look(&s->system, m->pair[i]).depth);
    *depth = fmin(deepest, -CLOSED * s->impact.proximity);
    return isfinite(deepest);
}

/* Leaves out pairs that are near but apart, of bodies that nothing which closes is coupled with: an
 * impact elsewhere does not make them meet. IMP_BAD_ARGUMENT: nothing closes. */
static imp_status leave_apart(const scene *s, scene_moment *m) {
    double least;
    if (!find_touching(s, m, &least)) return IMP_BAD_ARGUMENT;
    double *struck = calloc((size_t)imp_tree_links(s->tree) + 1, sizeof *struck);
    int kept = 0;
    if (!struck) return IMP_NO_MEMORY;
    for (int i = 0; i < m->nc; i++) {
        const int side[2] = {m->contact[i].a, m->contact[i].b};
        if (!closes(s, &m->contact[i]) || compliant_look(&s->system, m->pair[i]).depth < least)
            continue;
        for (int k = 0; k < 2; k++)
            if (side[k] != IMP_GROUND) struck[side[k]] = 1;
    }
    scene_couple(s, m->nc, m->contact, struck);
    for (int i = 0; i < m->nc; i++) {
        const imp_contact c = m->contact[i];
        const bool apart = compliant_look(&s->system, m->pair[i]).depth < least;
        if (!(scene_larger(struck, c.a, c.b) > 0) && apart) continue;
        m->pair[kept] = m->pair[i];
        m->contact[kept++] = c;
    }
    m->nc = kept;
    free(struck);
    return IMP_OK;
}

double scene_length(const scene *s) {
    double least = INFINITY, arm = 0;
    for (int i = 0; i < s->system.nspheres; i++)
        least = fmin(least, s->system.spheres[i].radius);
    if (isfinite(least)) return least;
    for (int i = 0; i < imp_tree_links(s->tree); i++) {
        const imp_link *link = imp_tree_link(s->tree, i);
        arm = fmax(arm, fmax(norm3(link->offset), norm3(link->com)));
    }
    return arm > 0 ? arm : 1;
}

/* m/s: what rounding may leave of a contact's velocity. It is that of the fastest body that the
 * contact is coupled to, now or so far, and of spins times the rounding of arms, as of differences
 * of places far from the origin: what moves elsewhere, or lies farther off, moves nothing here.
 * most (3 links): speed, spin and distance of what each body is coupled with. */
static double velocity_noise(const imp_contact *c, size_t links, const double *most) {
    const double speed = scene_larger(most, c->a, c->b),
                 spin = scene_larger(most + links, c->a, c->b),
                 far = scene_larger(most + 2 * links, c->a, c->b);
    return NOISE * speed + PLACED * spin * far;
}

/* most <- that, as the tree is placed; fastest (links; NULL: none), m/s, so far. */
static void find_most(const scene *s, const double *fastest, const scene_moment *m, double *most) {
    const size_t links = (size_t)imp_tree_links(s->tree);
    double *spin = most + links, *far = spin + links;
    scene_speeds(s, most);
    for (size_t i = 0; i < links; i++) {
        if (fastest) most[i] = fmax(most[i], fastest[i]);
        spin[i] = norm3(imp_tree_state(s->tree, (int)i)->spin);
    }
    for (int i = 0; i < m->nc; i++) {
        const int side[2] = {m->contact[i].a, m->contact[i].b};
        for (int k = 0; k < 2; k++)
            if (side[k] != IMP_GROUND)
                far[side[k]] = fmax(far[side[k]], norm3(m->contact[i].point));
    }
    for (int k = 0; k < 3; k++)
        scene_couple(s, m->nc, m->contact, most + (size_t)k * links);
}

/* A contact that rests or rolls beside an impact has no velocity: of what rounding leaves there a
 * model would make an impact of its own. Nor are a ball's directions coupled: where W is singular,
 * rounding would choose among the answers (the wedge's by drumwright). */
static imp_status quiet(const scene *s, const double *fastest, scene_moment *m) {
    const int rows = 3 * m->nc;
    const size_t links = (size_t)imp_tree_links(s->tree);
    double *most = calloc(3 * links + 1, sizeof *most);
    if (!most) return IMP_NO_MEMORY;
    find_most(s, fastest, m, most);
    for (int i = 0; i < rows; i++) {
        if (fabs(m->u[i]) <= velocity_noise(&m->contact[i / 3], links, most)) m->u[i] = 0;
        for (int k = 0; k < rows; k++) {
            double *w = &m->W[i * rows + k];
            if (i != k && fabs(*w) <= NOISE * sqrt(m->W[i * (rows + 1)] * m->W[k * (rows + 1)]))
                *w = 0;
        }
    }
    free(most);
    return IMP_OK;
}

/* The same restitution at every contact: the scene's, or what the compliant law does to the fastest
 * closing one. */
static void choose_restitution(const scene *s, scene_moment *m) {
    double e = s->impact.restitution, fastest = 0;
    for (int i = 0; i < m->nc; i++)
        if (-m->u[3 * i] > fastest) {
            fastest = -m->u[3 * i];
            if (isnan(s->impact.restitution))
                e = compliant_restitution(s->system.pairs[m->pair[i]].law.dissipation, fastest);
        }
    for (int i = 0; i < m->nc; i++)
        m->e[i] = isnan(e) ? 0 : e;
}

/* The operator of the problem: W as it is, or where joints leave several contacts, or a lone one
 * along other directions than a tangent, what no impulse moves apart, which would be rounding in
 * it, as what it is a product of: rows (3nc x nv) of J L^-1. */
static imp_status choose_operator(const scene *s, scene_moment *m, const double *rows) {
    m->operator= imp_operator_dense(m->nc, m->W);
    if (m->nc == 1 ? !imp_block_singular(m->W, 3) : !s->loops) return IMP_OK;
    imp_loops *loops = s->loops ? s->loops : imp_loops_new(s->tree, 0, NULL);
    imp_status status = loops ? IMP_OK : IMP_NO_MEMORY;
    if (status == IMP_OK && !s->loops) status = imp_loops_factor(loops);
    if (status == IMP_OK) status = imp_loops_left(loops, 3 * m->nc, rows, &m->factored);
    if (status == IMP_OK) m->operator= imp_operator_factored(m->factored);
    if (!s->loops) imp_loops_free(loops);
    return status;
}

imp_status scene_factor(const scene *s) {
    const imp_status status = imp_tree_factor(s->tree);
    return status == IMP_OK && s->loops ? imp_loops_factor(s->loops) : status;
}

/* The contacts, where the tree is placed; `all` that are near, or those of what closes. */
static imp_status find_contacts(const scene *s, bool all, scene_moment *m) {
    m->nc = scene_pairs(s, NULL, NULL);
    m->pair = calloc((size_t)m->nc + 1, sizeof *m->pair);
    m->contact = calloc((size_t)m->nc + 1, sizeof *m->contact);
    if (!m->pair || !m->contact) return IMP_NO_MEMORY;
    scene_pairs(s, m->pair, m->contact);
    return all ? IMP_OK : leave_apart(s, m);
}

/* All of the moment but where it is. */
static imp_status fill(const scene *s, const double *fastest, scene_moment *m) {
    const size_t nc = (size_t)m->nc, nv = (size_t)m->nv;
    m->W = calloc(9 * nc * nc + 1, sizeof *m->W);
    m->u = calloc(3 * nc + 1, sizeof *m->u);
    m->mu = calloc(nc + 1, sizeof *m->mu);
    m->e = calloc(nc + 1, sizeof *m->e);
    m->H = calloc(nv * nv + 1, sizeof *m->H);
    double *work = calloc(3 * nc * nv + 1, sizeof *work);
    imp_status status = IMP_NO_MEMORY;
    if (m->W && m->u && m->mu && m->e && m->H && work) {
        imp_tree_mass_matrix(s->tree, m->H);
        status = s->loops ? scene_factor(s) : IMP_OK;
        if (status == IMP_OK)
            status = s->loops ? imp_loops_delassus(s->loops, m->nc, m->contact, m->W, m->u, work)
                              : imp_tree_delassus(s->tree, m->nc, m->contact, m->W, m->u, work);
    }
    if (status == IMP_OK) {
        scene_fill_immobile(m->nc, 3 * m->nc, m->W, m->u, NULL, NULL);
        status = quiet(s, fastest, m);
    }
    if (status == IMP_OK) status = choose_operator(s, m, work);
    free(work);
    if (status != IMP_OK) return status;
    for (int i = 0; i < m->nc; i++)
        m->mu[i] = s->system.pairs[m->pair[i]].law.mu_dynamic;
    choose_restitution(s, m);
    m->problem = (imp_problem){.nc = m->nc, .W = &m->operator, .q = m->u, .mu = m->mu, .e = m->e};
    return IMP_OK;
}

static imp_status moment_at(const scene *s, double time, const double *q, const double *v,
                            const double *fastest, bool all, scene_moment *m) {
    const size_t nq = (size_t)imp_tree_nq(s->tree), nv = (size_t)imp_tree_nv(s->tree);
    *m = (scene_moment){.nv = (int)nv, .time = time};
    m->q = calloc(nq + 1, sizeof *m->q);
    m->v = calloc(nv + 1, sizeof *m->v);
    imp_status status = IMP_NO_MEMORY;
    if (m->q && m->v) {
        memcpy(m->q, q, nq * sizeof *m->q);
        memcpy(m->v, v, nv * sizeof *m->v);
        imp_tree_place(s->tree, m->q, m->v);
        status = find_contacts(s, all, m);
        if (status == IMP_OK) status = fill(s, fastest, m);
    }
    if (status != IMP_OK) scene_moment_clear(m);
    return status;
}

imp_status scene_moment_at(const scene *s, double time, const double *q, const double *v,
                           const double *fastest, scene_moment *m) {
    return moment_at(s, time, q, v, fastest, false, m);
}

/* settings: to_touch and apart are set here; what presses without an approach ends nothing. */
static imp_status touch(const scene *s, const double *q, const double *v, const double *fastest,
                        bool all, compliant_settings settings, scene_moment *moment,
                        compliant_result *result) {
    *moment = (scene_moment){.nv = imp_tree_nv(s->tree)};
    settings.to_touch = true;
    settings.apart = -1;
    imp_status status = compliant_run(&s->system, &settings, q, v, result);
    if (status == IMP_OK && result->end != COMPLIANT_TOUCH) status = IMP_NO_SOLUTION;
    if (status == IMP_OK)
        status = moment_at(s, result->time, result->y, result->y + result->layout.v, fastest, all,
                           moment);
    return status;
}

/* Does a contact begin where the run ended? Otherwise one that began without an approach has since
 * been pressed together, as by a weight: no impact. */
static bool begins(const compliant_result *result) {
    bool any = false;
    for (int i = 0; i < result->nspells; i++)
        any = any || result->spells[i].start == result->time;
    return any;
}

imp_status scene_touch_or_why(const scene *s, scene_moment *moment, compliant_end *end) {
    compliant_settings settings = s->run;
    compliant_result result;
    settings.history = false;
    imp_status status = touch(s, s->q, s->v, NULL, true, settings, moment, &result);
    if (status == IMP_OK && !begins(&result)) {
        scene_moment_clear(moment);
        status = IMP_NO_SOLUTION;
    }
    *end = result.end;
    compliant_result_clear(&result);
    return status;
}

imp_status scene_touch(const scene *s, scene_moment *moment) {
    compliant_end end;
    return scene_touch_or_why(s, moment, &end);
}

imp_status scene_touch_from(const scene *s, const double *q, const double *v, double until,
                            long most, const double *fastest, scene_moment *moment,
                            compliant_result *result) {
    compliant_settings settings = s->run;
    settings.until = until;
    settings.max_steps = most;
    settings.history = true;
    return touch(s, q, v, fastest, false, settings, moment, result);
}

void scene_moment_clear(scene_moment *moment) {
    free(moment->q), free(moment->v), free(moment->pair), free(moment->contact);
    free(moment->W), free(moment->u), free(moment->mu), free(moment->e), free(moment->H);
    imp_factored_free(moment->factored);
    *moment = (scene_moment){0};
}

imp_status scene_outcome_init(scene_outcome *outcome, const scene_moment *moment) {
    outcome->p = calloc(3 * (size_t)moment->nc + 1, sizeof *outcome->p);
    outcome->v = calloc((size_t)moment->nv + 1, sizeof *outcome->v);
    if (outcome->p && outcome->v) return IMP_OK;
    scene_outcome_clear(outcome);
    return IMP_NO_MEMORY;
}

void scene_outcome_clear(scene_outcome *outcome) {
    free(outcome->p);
    free(outcome->v);
    *outcome = (scene_outcome){0};
}

imp_status scene_outcome_from_impulse(const scene *s, const scene_moment *moment,
                                      scene_outcome *outcome) {
    double *work = calloc((size_t)moment->nv + 1, sizeof *work);
    if (!work) return IMP_NO_MEMORY;
    memcpy(outcome->v, moment->v, (size_t)moment->nv * sizeof *outcome->v);
    imp_tree_place(s->tree, moment->q, moment->v);
    imp_status status = scene_factor(s);
    if (status == IMP_OK)
        imp_tree_impulse(s->tree, moment->nc, moment->contact, outcome->p, outcome->v, work);
    if (status == IMP_OK && s->loops) status = imp_loops_velocity(s->loops, outcome->v);
    free(work);
    return status;
}

double scene_velocity_distance(const scene_moment *moment, const double *a, const double *b) {
    const int nv = moment->nv;
    double square = 0;
    for (int i = 0; i < nv; i++)
        for (int j = 0; j < nv; j++)
            square += (a[i] - (b ? b[i] : 0)) * moment->H[(size_t)i * (size_t)nv + (size_t)j] *
                      (a[j] - (b ? b[j] : 0));
    return square < 0 ? 0 : sqrt(square); /* rounding of 0; no number stays none */
}

imp_status scene_impulses_unique(const scene_moment *moment, bool *unique) {
    const size_t rows = 3 * (size_t)moment->nc;
    int n = 0;
    double *A = calloc(rows * rows + rows, sizeof *A), *eigenvalue = A ? A + rows * rows : NULL;
    size_t *kept = calloc(rows, sizeof *kept);
    imp_status status = A && kept ? IMP_OK : IMP_NO_MEMORY;
    *unique = false;
    if (status == IMP_OK) {
        for (size_t i = 0; i < rows; i++)
            if (i % 3 == 0 || moment->mu[i / 3] > 0) kept[n++] = i;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                A[i * n + j] = moment->W[kept[i] * rows + kept[j]];
        status = imp_lapack_eigen(false, n, A, eigenvalue);
        *unique = status == IMP_OK && eigenvalue[0] > 1e-10 * eigenvalue[n - 1];
    }
    free(A);
    free(kept);
    return status;
}

void scene_contact_velocity(const imp_tree *tree, const imp_contact *contact, double u[3]) {
    double a[3], b[3];
    imp_tree_point_velocity(tree, contact->a, contact->point, a);
    imp_tree_point_velocity(tree, contact->b, contact->point, b);
    sub3(b, a, b);
    apply3(contact->frame, b, u);
}

const char *scene_refusal(const imp_model *model, const imp_problem *problem) {
    bool rubs = false;
    for (int i = 0; i < problem->nc; i++)
        rubs = rubs || problem->mu[i] > 0;
    if (problem->nc > 1 && !(model->takes & IMP_TAKES_MANY)) return "several contacts";
    if (rubs && model->takes & IMP_ONLY_FRICTIONLESS) return "friction";
    if (!(model->takes & IMP_TAKES_MANY) &&
        imp_operator_singular(problem->W, model->takes & IMP_ONLY_PLANAR ? 2 : 3))
        return "directions that do not move (W has no full rank)";
    return model->takes & IMP_ONLY_PLANAR ? "not planar" : NULL;
}
