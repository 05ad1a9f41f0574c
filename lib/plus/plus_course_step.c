/* plus_course_step.c - what contacts do in one step of a course, held against the law of
 * plus_law.c. */
#include "plus/plus_course_internal.h"

static const double ROUNDING = 1e-9; /* of the speed or the push: tells a jam from a push, and a
                                        push from none */

/* Does sliding friction drive contact i into the ground? *stops: does its push stop its slip? */
static bool driven(const course *c, int i, bool *stops) {
    const double *v = c->v + 3 * (size_t)i, mu = c->problem->mu[i], slip = length(v[1], v[2]);
    if (c->phase[i] != 'C' || c->motion[i] != 's' || !(v[0] < 0) || !(slip > 0)) return false;
    double A[9];
    c->problem->W->kind->block(c->problem->W, i, i, A);
    const double t = v[1] / slip, o = v[2] / slip, w_n = A[0] - mu * (A[1] * t + A[2] * o);
    const double braking =
        t * (mu * (A[4] * t + A[5] * o) - A[3]) + o * (mu * (A[7] * t + A[8] * o) - A[6]);
    const double slack = ROUNDING * (A[0] + mu * (fabs(A[1]) + fabs(A[2])));
    /* one contact: also where the shortest interval would carry the slip beyond its end */
    const double most = c->nc == 1 ? -v[0] * c->settings->alpha_min * (braking / slip) : 0;
    *stops = fabs(c->pi[3 * (size_t)i] * braking - slip) <= ROUNDING * c->reach[c->island[i]];
    return braking > 0 && w_n <= most + slack;
}

bool imp_plus_step_jams(course *c) {
    bool any = false, jams = true;
    for (int i = 0; i < c->nc; i++) {
        const double *pi = c->pi + 3 * (size_t)i;
        bool stops;
        if (pi[0] == 0 && pi[1] == 0 && pi[2] == 0) continue;
        if (!driven(c, i, &stops)) return false;
        jams = jams && stops;
        any = true;
    }
    if (any) c->chose = true; /* pushes that stop the approaches may be possible too, or a jam */
    return any && jams;
}

void imp_plus_note_moved(course *c, residual kind, const double d[3], double size, int i) {
    const double most = 3 * c->heft[i] * imp_largest(d, 3, 1);
    if (most == 0 || most <= c->worst[kind] * size) return; /* no more than what is noted already */
    double A[9];
    c->problem->W->kind->block(c->problem->W, i, i, A);
    for (int r = 0; r < 9; r += 3)
        note(c, kind, fabs(A[r] * d[0] + A[r + 1] * d[1] + A[r + 2] * d[2]), size, i);
}

/* What the velocity that contact i ends with is relative to, m/s: its own terms, or 1e-6 of the
 * island's, of which a tolerance of 1e-9 then asks for 1e-15, a few roundings of the fastest. */
static double reach_of(const course *c, int i) {
    return imp_larger(c->own[i], 1e-6 * c->reach[c->island[i]]);
}

/* Along the normal: of one contact the terms of that axis alone, as nothing else leaves dust
 * there. */
static double normal_reach_of(const course *c, int i) {
    return c->nc == 1 ? c->normal : reach_of(c, i);
}

/* The same of friction that is wrong by so much (N s) along (x, y). */
static void note_friction(course *c, residual kind, double amount, double x, double y, int i) {
    const double size = reach_of(c, i);
    if (3 * c->heft[i] * fabs(amount) <= c->worst[kind] * size)
        return; /* as above, before the direction is found */
    const double whole = length(x, y);
    if (!(whole > 0)) return;
    const double d[3] = {0, amount * (x / whole), amount * (y / whole)};
    imp_plus_note_moved(c, kind, d, size, i);
}

/* The longest share of the full step that a slip v may be held for: end where it is closest to rest
 * if that is slower than the transition, else where it has turned by theta_max, but not shorter
 * than alpha_min. */
static double longest(const course *c, const double v[2], const double d[2]) {
    const double way = length(d[0], d[1]), speed = length(v[0], v[1]);
    if (length(v[0] + d[0], v[1] + d[1]) < c->transition || way == 0 || speed == 0) return 1;
    const double x = d[0] / way, y = d[1] / way, along = v[0] * x + v[1] * y,
                 across = fabs(v[0] * y - v[1] * x);
    double share;
    if (along < 0 && -along <= way && across < c->transition)
        share = -along / way;
    else {
        const double turning = across / speed * c->cosine - along / speed * c->sine;
        if (!(way * turning > speed * c->sine)) return 1;
        share = speed / way * c->sine / turning;
    }
    if (share >= c->settings->alpha_min) return share;
    /* here the slip has turned by a right angle */
    const double square = along < 0 ? speed / -along * (speed / way) : 1;
    return square < c->settings->alpha_min ? share : c->settings->alpha_min;
}

void imp_plus_judge_share(course *c) {
    const double share = c->path->share[c->step];
    double allowed = 1, way = 0; /* of the contact that allows least */
    int by = -1;
    for (int i = 0; i < c->nc; i++) {
        const double *v = c->v + 3 * (size_t)i, *w = c->w + 3 * (size_t)i;
        /* whatever the path calls it, what does not push or has no friction holds no direction */
        const bool holds = c->pi[3 * (size_t)i] != 0 && c->problem->mu[i] > 0;
        if (c->motion[i] != 's' || !holds) continue;
        const double most = longest(c, v + 1, w + 1),
                     own = length(w[1], w[2]) / c->reach[c->island[i]];
        note(c, SHARE, imp_larger(0, share - most) * own, 1, i);
        if (by < 0 || most < allowed || (most == allowed && own > way)) {
            by = i;
            allowed = most;
            way = own;
        }
    }
    const double lacks = imp_larger(0, allowed - share);
    note(c, SHARE, by < 0 ? lacks : lacks * way, 1, by < 0 ? 0 : by);
}

/* Normal direction of contact i: what a step must bring about. */
static void judge_normal(course *c, int i) {
    const int k = c->island[i];
    const double push = c->pi[3 * (size_t)i], reach = normal_reach_of(c, i),
                 gap = c->v[3 * (size_t)i] + c->w[3 * (size_t)i] - c->aim[i];
    if (c->phase[i] == 'X') {
        const double d[3] = {push - c->due[i]};
        note(c, RESTITUTION, fabs(d[0]), imp_larger(c->push[k], c->owed[k]), i);
        imp_plus_note_moved(c, RESTITUTION, d, reach_of(c, i), i);
    }
    /* whether it limits the step is the path's word */
    const bool dust = push <= ROUNDING * c->push[k];
    if (dust && (push != 0 || c->due[i] > 0)) c->chose = true;
    if (c->phase[i] != 'C') return;
    /* it might have pushed, where it approaches or the others drive it together, and not, where it
       separates */
    const bool parts = c->v[3 * (size_t)i] > ROUNDING * c->speed[k],
               met = !parts || gap < -ROUNDING * c->reach[k];
    if (dust ? met : parts) c->chose = true;
    if (c->jams) return;
    const bool later = c->variant == SINGLE_PHASE || c->variant == PLUS;
    if (c->motion[i] == '-' && push == 0) /* a later step takes up what still approaches */
        note(c, AIM, later ? 0 : imp_larger(0, -gap), reach, i);
    else if (gap < 0)
        note(c, AIM, -gap, reach, i);
    else if (push > 0 && gap > c->worst[AIM] * reach) {
        double A[9];
        c->problem->W->kind->block(c->problem->W, i, i, A);
        /* what is little beside the island's push may be all of a light body's */
        const double pushed =
            imp_larger(imp_relative(push, c->push[k]), imp_relative(A[0] * push, reach));
        keep(c, AIM, fmin(imp_relative(gap, reach), pushed), i);
    }
}

/* Of the reach, of which long impacts leave a slip some 1e-14: the direction of a slower one has
 * too few digits for a tolerance of 1e-9 and friction many times the push. */
static const double SLOW = 1e-3;

static void judge_slide(course *c, int i) {
    const int k = c->island[i];
    const double *pi = c->pi + 3 * (size_t)i, *v = c->v + 3 * (size_t)i, slip = length(v[1], v[2]);
    const double limit = c->problem->mu[i] * pi[0], friction = length(pi[1], pi[2]);
    note(c, MOTION, imp_larger(0, c->transition - slip), c->speed[k], i);
    note(c, SLIDE, fabs(friction - limit), c->push[k], i);
    note_friction(c, SLIDE, friction - limit, v[1], v[2], i);
    /* the direction of a slip counts in full, however slow beside the approach, as long as it is
     * more than rounding */
    const double heed = imp_larger(slip, SLOW * reach_of(c, i));
    const double t = pi[1] * (slip / heed) + limit * (v[1] / heed);
    const double o = pi[2] * (slip / heed) + limit * (v[2] / heed);
    note(c, SLIDE, length(t, o), c->push[k], i);
    note_friction(c, SLIDE, length(t, o), t, o, i);
}

/* Friction of contact i in a step, by its motion. */
static void judge_friction(course *c, int i) {
    const int k = c->island[i];
    const double *pi = c->pi + 3 * (size_t)i, *v = c->v + 3 * (size_t)i, *w = c->w + 3 * (size_t)i;
    const double friction = length(pi[1], pi[2]), limit = c->problem->mu[i] * pi[0];
    const double end[2] = {v[1] + w[1], v[2] + w[2]};
    const bool pushes = pi[0] != 0 || friction != 0;
    const double beyond = imp_larger(0, friction - c->hold[i] * pi[0]);
    note(c, CONE, imp_larger(beyond, -pi[0]), c->push[k], i);
    note_friction(c, CONE, beyond, pi[1], pi[2], i);
    if (c->phase[i] == 'O') note(c, MOTION, pushes ? INFINITY : 0, 1, i);
    if (c->phase[i] == 'O' || !pushes) return;
    switch (c->motion[i]) {
    case 's': judge_slide(c, i); break;
    case 'r':
    case 'i':
        note(c, MOTION, imp_larger(0, length(v[1], v[2]) - c->transition), c->speed[k], i);
        if (c->motion[i] == 'r') {
            note(c, ROLL, length(end[0], end[1]), reach_of(c, i), i);
            break;
        }
        note(c, IMPENDING, fabs(friction - limit), c->push[k], i); /* friction may be 0 */
        note_friction(c, IMPENDING, friction - limit, friction > 0 ? pi[1] : end[0],
                      friction > 0 ? pi[2] : end[1], i);
        if (friction > 0) {
            const double s[2] = {-pi[1] / friction, -pi[2] / friction};
            c->chose = true; /* rolling, or another direction, may be possible too */
            note(c, IMPENDING,
                 imp_larger(fabs(s[0] * end[1] - s[1] * end[0]), -(s[0] * end[0] + s[1] * end[1])),
                 reach_of(c, i), i);
        }
        break;
    default: /* frictionless, or released: the cone says the rest */
        note(c, MOTION, c->motion[i] == '-' && c->problem->mu[i] == 0 ? 0 : INFINITY, 1, i);
    }
}

void imp_plus_judge_contact(course *c, int i) {
    judge_normal(c, i);
    judge_friction(c, i);
}
