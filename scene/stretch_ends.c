/* stretch_ends.c - what a step of a stretch may not step over: pairs that close, forces that cease
 * to obey the law, slips that come to their end.
 *
 * What ends a step is looked for all through it: the modes' inequalities have margins, which are
 * known at both ends and, on the quintic through them, between; where one comes near 0 the step is
 * taken again up to there, and asked. Steps are so short that bodies hardly turn in them, and that
 * parabolas follow the margins, so that these have no more turns than those places show. */
#include "scene/stretch_run.h"

#include "base/vec3.h"
#include "scene/speeds.h"

#include <float.h>
#include <string.h>

enum { HALVINGS = 60, PARTS = SCENE_STRETCH_PARTS };

/* rad, by which no body turns further in a step: parabolas through three of the five places of a
 * margin miss what turns with it by 2e-5 of its amplitude. */
static const double TURN = 0.25;

/* Of what a margin spans in the step: nearer to 0 than that it may be beyond it. */
static const double NEAR = 1e-3;

/* Of what a margin spans: one that is no more where a step begins has just come from there, or is
 * about to go beyond. */
static const double BEGINS = 1e-9;

/* Of a step: what is looked at again is this far apart. */
static const double APART = 1.0 / 64;

/* Of what a margin spans: a fourth difference beyond that, and parabolas do not follow it. Of that
 * in a step twice as long: where more of it is left the margin has a kink, or is rounding, and
 * shorter steps follow it no better. */
static const double ROUGH = 1e-3, SMOOTHER = 0.5;

/* m, how far a point is from the axis through the origin. */
static double off_axis(const double point[3], const double axis[3]) {
    double across[3];
    cross3(point, axis, across);
    return norm3(across);
}

/* Is a body the same after any turn about the axis through its link's origin: its inertia, its
 * centre of mass and its balls? */
static bool same_about(const scene *s, int link, const double axis[3]) {
    const imp_link *l = imp_tree_link(s->tree, link);
    const double *I = l->inertia, all = I[0] + I[4] + I[8];
    double along[3], off = off_axis(l->com, axis), size = norm3(l->com);
    apply3(I, axis, along);
    const double about = dot3(axis, along), across = 0.5 * (all - about);
    for (int i = 0; i < 9; i++) {
        const double even = (i % 4 ? 0 : across) + (about - across) * axis[i / 3] * axis[i % 3];
        if (fabs(I[i] - even) > 4 * DBL_EPSILON * all) return false;
    }
    for (int i = 0; i < s->system.nspheres; i++) {
        const compliant_sphere *ball = &s->system.spheres[i];
        if (ball->link != link) continue;
        off += off_axis(ball->centre, axis) + norm3(ball->half);
        size += norm3(ball->centre) + ball->radius;
    }
    return off <= 4 * DBL_EPSILON * size;
}

/* Does it show that a body turns against what it is joined to? Not of one that is the same after
 * every such turn, and that nothing hangs on. */
static bool shows_turns(const scene *s, int link) {
    static const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0};
    const imp_link *l = imp_tree_link(s->tree, link);
    for (int i = link + 1; i < imp_tree_links(s->tree); i++)
        if (imp_tree_link(s->tree, i)->parent == link) return true;
    for (int i = 0; s->loops && i < imp_loops_count(s->loops); i++)
        if (imp_loops_at(s->loops, i)->a == link || imp_loops_at(s->loops, i)->b == link)
            return true;
    if (l->joint == IMP_REVOLUTE) return !same_about(s, link, l->axis);
    return l->joint == IMP_FREE && !(same_about(s, link, x) && same_about(s, link, y));
}

/* held (links) <- 1 of those that contacts or joints that rub are coupled with, else 0. */
static void find_held(scene_stretch_run *r) {
    const scene_lasting *l = r->l;
    memset(r->held, 0, (size_t)imp_tree_links(r->s->tree) * sizeof *r->held);
    for (int j = 0; j < l->joints; j++) {
        const bool closes_loop = l->joint[j] >= l->nv;
        const imp_loop *loop = closes_loop ? imp_loops_at(r->s->loops, l->joint[j] - l->nv) : NULL;
        for (int i = 0; i < imp_tree_links(r->s->tree); i++)
            if (loop ? i == loop->a || i == loop->b
                     : imp_tree_link(r->s->tree, i)->v_at == l->joint[j])
                r->held[i] = 1;
    }
    for (int i = 0; i < l->nc; i++) {
        if (l->contact[i].a != IMP_GROUND) r->held[l->contact[i].a] = 1;
        if (l->contact[i].b != IMP_GROUND) r->held[l->contact[i].b] = 1;
    }
    scene_couple(r->s, l->nc, l->contact, r->held);
}

/* from: pairs that touch at the start close once they come nearer than they are, where they are
 * still by more than the accuracy. */
void scene_stretch_watch(scene_stretch_run *r) {
    const scene_lasting *l = r->l;
    for (int i = 0; i < imp_tree_links(r->s->tree); i++)
        r->shows[i] = shows_turns(r->s, i);
    find_held(r);
    for (int i = 0, k = 0; i < r->s->system.npairs; i++) {
        const bool known = k < l->nc && l->pair[k] == i;
        r->from[i] = 0;
        if (!known) continue;
        const double stays =
            fabs(l->u[3 * k]) > scene_lasting_still(l, k) ? 0 : r->s->run.accuracy * r->length;
        r->from[i] = l->mode[k] == SCENE_OPEN ? fmax(0, -l->gap[k]) + stays : INFINITY;
        k++;
    }
}

/* Does a pair close that did not press? *fast: one faster than what counts as still. */
static bool closes(const scene_stretch_run *r, bool *fast) {
    bool any = false;
    *fast = false;
    for (int i = 0; i < r->s->system.npairs; i++) {
        if (isinf(r->from[i])) continue;
        const compliant_touch touch = compliant_look(&r->s->system, i);
        if (!(touch.depth > r->from[i]) || !(touch.rate > 0)) continue;
        any = true;
        const compliant_pair *pair = &r->s->system.pairs[i];
        const int a = pair->plane < 0 ? r->s->system.spheres[pair->a].link : IMP_GROUND,
                  b = r->s->system.spheres[pair->b].link;
        *fast = *fast || touch.rate > scene_larger(r->l->still, a, b);
    }
    return any;
}

/* Of a pair that comes nearer at `a` and goes at `b`, h later: the deepest it may be between, where
 * both tangents meet, m. *part <- where the cubic through both turns. */
static double turning(const compliant_touch *a, const compliant_touch *b, double h, double *part) {
    const double mean = (b->depth - a->depth) / h, c = 3 * mean - 2 * a->rate - b->rate,
                 d = a->rate + b->rate - 2 * mean, meet = (mean - b->rate) / (a->rate - b->rate);
    *part = a->rate / (sqrt(fmax(0, c * c - 3 * d * a->rate)) - c);
    return a->depth + a->rate * h * fmin(1, fmax(0, meet));
}

double scene_stretch_seen(const scene_stretch_run *r, double h) {
    const double rounding = compliant_rounding(&r->s->system, r->y);
    double least = 1;
    imp_tree_place(r->s->tree, r->y1, r->y1 + r->nq);
    for (int i = 0; i < r->s->system.npairs; i++) {
        if (isinf(r->from[i]) || !(r->now[i].rate > 0)) continue;
        const compliant_touch then = compliant_look(&r->s->system, i);
        double part;
        if (then.rate < 0 && turning(&r->now[i], &then, h, &part) > r->from[i] + rounding)
            least = fmin(least, part);
    }
    return least;
}

/* Do the modes hold at y1? */
static bool holds(scene_stretch_run *r, scene_stretch_end *end) {
    bool obeys = false, fast;
    *end = SCENE_STRETCH_CHANGES;
    imp_status status = scene_stretch_look(r, r->y1);
    if (status == IMP_OK) status = scene_stretch_noted(r, scene_lasting_obeys(r->l, &obeys));
    if (status != IMP_OK || !obeys) return false;
    if (!scene_lasting_stands(r->l) || !scene_lasting_slides(r->l)) return false;
    if (!closes(r, &fast)) return true;
    if (fast) *end = SCENE_STRETCH_TOUCH;
    return false;
}

/* y1 <- the step up to the first instant, within h, at which the modes do not hold; *end says what
 * does not. Returns its length. */
static double locate(scene_stretch_run *r, double h, scene_stretch_end *end) {
    double low = 0, high = h;
    scene_stretch_end why = SCENE_STRETCH_CHANGES;
    for (int k = 0; k < HALVINGS && r->t + low < r->t + high; k++) {
        const double middle = 0.5 * (low + high);
        if (!(middle > low && middle < high)) break;
        if (scene_stretch_try(r, middle) && holds(r, &why))
            low = middle;
        else
            high = middle;
    }
    if (scene_stretch_try(r, high) && holds(r, &why)) return high; /* by rounding: decided anew */
    *end = why;
    return high;
}

/* margin (2nc + joints) <- those of the modes, as last looked at. Where these leave several forces,
 * of the least of them, which may be beyond what the law allows to some. */
static void find_margins(const scene_lasting *l, double *margin) {
    for (int i = 0; i < l->nc; i++) {
        const double *f = l->f + 3 * i, mu = scene_lasting_friction(l, i);
        double slip[3], *of = margin + 2 * i;
        of[0] = of[1] = INFINITY;
        if (l->mode[i] == SCENE_OPEN) continue;
        apply3(l->contact[i].frame, l->slip + 3 * i, slip);
        of[0] = f[0];
        if (l->mode[i] == SCENE_STICKS) of[1] = mu * f[0] - hypot(f[1], f[2]);
        if (l->mode[i] == SCENE_SLIDES && mu > 0 && norm3(slip) > 0)
            of[1] = dot3(l->u + 3 * i, slip);
    }
    for (int j = 0; j < l->joints; j++) {
        const int row = 3 * l->nc + j;
        const double bound = l->s->mu_c[l->joint[j]];
        double *of = margin + 2 * l->nc + j;
        *of = INFINITY;
        if (l->held[j] == SCENE_STICKS) *of = bound - fabs(l->f[row]);
        if (l->held[j] == SCENE_SLIDES && bound > 0 && l->side[j] != 0)
            *of = l->side[j] * l->u[row];
    }
}

/* bend (nq) <- the second derivative of the coordinates at y, whose own is `slope`. The rates of a
 * tree are linear in velocities, and in attitudes; its other coordinates do not enter. */
static void find_bend(scene_stretch_run *r, const double *y, const double *slope, double *bend) {
    double *part = r->within;
    imp_tree_rate(r->s->tree, y, slope + r->nq, bend);
    imp_tree_rate(r->s->tree, slope, y + r->nq, part);
    for (int k = 0; k < r->nq; k++)
        bend[k] += part[k];
    memset(r->kept, 0, (size_t)r->nq * sizeof *r->kept);
    imp_tree_rate(r->s->tree, r->kept, y + r->nq, part);
    for (int k = 0; k < r->nq; k++)
        bend[k] -= part[k];
}

/* within <- the place and velocities after part s of the step of length h: the quintic of the
 * coordinates through both ends, with two derivatives, and its own. */
static void between(scene_stretch_run *r, double h, double s) {
    const double t = s * s, rest = 1 - s, in = s * rest, far = t * s * (10 - 15 * s + 6 * t),
                 leave = in * rest * rest * (1 + 3 * s), arrive = -in * t * (4 - 3 * s),
                 bend = 0.5 * in * in * rest, bend1 = 0.5 * in * in * s;
    const double d_far = 30 * in * in, d_leave = rest * rest * (1 + 2 * s - 15 * t),
                 d_arrive = t * (-12 + 28 * s - 15 * t), d_bend = 0.5 * in * rest * (2 - 5 * s),
                 d_bend1 = 0.5 * in * s * (3 - 5 * s);
    double *rate = r->kept;
    for (int k = 0; k < r->nq; k++) {
        const double way = r->y1[k] - r->y[k], a = h * r->slope[k], b = h * r->slope1[k],
                     c = h * h * r->bend[k], d = h * h * r->bend1[k];
        r->within[k] = r->y[k] + far * way + leave * a + arrive * b + bend * c + bend1 * d;
        rate[k] = (d_far * way + d_leave * a + d_arrive * b + d_bend * c + d_bend1 * d) / h;
    }
    compliant_way_velocity(r->s->tree, r->within, rate, r->within + r->nq);
}

/* margin <- those within the step of length h to y1, and there. False: the forces within it are not
 * known everywhere. */
static bool look_between(scene_stretch_run *r, double h) {
    const int rows = scene_stretch_margins(r->l);
    find_bend(r, r->y, r->slope, r->bend);
    find_bend(r, r->y1, r->slope1, r->bend1);
    for (int k = 1; k <= PARTS; k++) {
        if (k < PARTS) between(r, h, (double)k / PARTS);
        if (scene_stretch_look(r, k < PARTS ? r->within : r->y1) != IMP_OK) return false;
        find_margins(r->l, r->margin + (size_t)k * (size_t)rows);
    }
    return true;
}

typedef struct span {
    double least, most;
} span;

static span span_of(const double *value, int rows) {
    span s = {INFINITY, -INFINITY};
    for (int k = 0; k <= PARTS; k++) {
        s.least = fmin(s.least, value[k * rows]);
        s.most = fmax(s.most, value[k * rows]);
    }
    return s;
}

/* Of what it spans, the fourth difference of a margin that may turn beyond 0; else 0. Where a
 * margin turns, parabolas miss it by about a hundredth of that. One that begins beyond 0 does so by
 * rounding, or is of the least of several forces: it says nothing. */
static double roughness(const double *value, int rows) {
    const span s = span_of(value, rows);
    const double all = s.most - s.least, fourth = value[0] - 4 * value[rows] + 6 * value[2 * rows] -
                                                  4 * value[3 * rows] + value[4 * rows];
    return value[0] >= 0 && s.least < all ? fabs(fourth) / all : 0;
}

/* The first part of a step, beyond `after`, at which one of its margins, value[k * rows], turns
 * beyond 0, or so near to it that it may be beyond; 1: none. One that begins there is left to go.
 */
static double first_near(const double *value, int rows, double after) {
    const span s = span_of(value, rows);
    const double near = NEAR * (s.most - s.least);
    const bool begins = value[0] <= BEGINS * (s.most - s.least);
    const double from = begins ? fmax(after, APART) : after;
    double first = 1;
    for (int k = 1; k < PARTS; k++) {
        const double here = value[k * rows], before = value[(k - 1) * rows] - here,
                     next = value[(k + 1) * rows] - here, bend = before + next,
                     vertex = 0.5 * (before - next) / bend;
        const double low = here - 0.25 * (before - next) * vertex;
        if (!(bend > 0) || !(fabs(vertex) < 1) || low > near) continue;
        if (k + vertex > from * PARTS) first = fmin(first, (k + vertex) / PARTS);
    }
    return first;
}

/* Do the modes hold in all of the step of length h to y1, as far as the margins show? *part <-
 * after which they do not. */
static bool holds_between(scene_stretch_run *r, double h, double *part) {
    const int rows = scene_stretch_margins(r->l);
    scene_stretch_end why;
    bool holds_so_far = true;
    for (double after = 0; holds_so_far;) {
        *part = 1;
        for (int i = 0; i < rows; i++)
            *part = fmin(*part, first_near(r->margin + i, rows, after));
        if (!(*part < 1)) break;
        memcpy(r->kept, r->y1, (size_t)r->dim * sizeof *r->y);
        holds_so_far = scene_stretch_try(r, *part * h) && holds(r, &why);
        memcpy(r->y1, r->kept, (size_t)r->dim * sizeof *r->y);
        after = *part + APART;
    }
    return holds_so_far;
}

double scene_stretch_lasts(scene_stretch_run *r, double h, scene_stretch_end *end) {
    const int rows = scene_stretch_margins(r->l);
    const bool holds_there = holds(r, end);
    double part, rough = 0;
    const bool known = look_between(r, h);
    for (int i = 0; i < rows && known; i++)
        rough = fmax(rough, roughness(r->margin + i, rows));
    if (!known || (rough > ROUGH && rough < SMOOTHER * r->rough)) {
        r->rough = known ? rough : INFINITY;
        r->pace = 0.5 * h;
        return 0;
    }
    r->rough = INFINITY;
    /* where a margin turns, it goes like the square of the length; a kink sets no pace */
    r->pace = rough > ROUGH ? INFINITY : 0.9 * h * sqrt(ROUGH / rough);
    if (!holds_between(r, h, &part)) return locate(r, part * h, end);
    if (!holds_there) return locate(r, h, end);
    *end = SCENE_STRETCH_TIME;
    (void)scene_stretch_look(r, r->y1); /* whether several forces do the same there */
    return h;
}

/* s, in which a pair of balls, or of a ball and a box, which moves as fast as it does now or as it
 * falls, does not come, be through and go: over a quarter of the gap, or of the smaller. */
static double longest_flight(const compliant_system *system, int i, double gap) {
    const compliant_pair *pair = &system->pairs[i];
    const double radius = fmin(system->spheres[pair->a].radius, system->spheres[pair->b].radius),
                 falls = sqrt(norm3(system->gravity) * fmax(0, gap));
    return 0.25 * fmax(gap, radius) / fmax(compliant_passing(system, i), falls);
}

/* s, in which a body turns by no more than TURN so that it shows. */
static double longest_turn(const scene_stretch_run *r, int link) {
    return r->shows[link] ? TURN / norm3(imp_tree_state(r->s->tree, link)->spin) : INFINITY;
}

/* s, in which a ball comes to a half space, or its body turns by no more. */
static double longest_fall(const scene_stretch_run *r, int i, double gap) {
    const compliant_system *system = &r->s->system;
    const double falls = sqrt(norm3(system->gravity) * fmax(0, gap));
    return fmax(longest_turn(r, system->spheres[system->pairs[i].b].link),
                gap / fmax(compliant_passing(system, i), falls));
}

void scene_stretch_look_ahead(scene_stretch_run *r) {
    const compliant_system *system = &r->s->system;
    r->stride = r->s->run.max_step > 0 ? r->s->run.max_step : INFINITY;
    for (int i = 0; i < imp_tree_links(r->s->tree); i++) /* of what enters no margin, pairs alone */
        if (r->held[i] > 0) r->stride = fmin(r->stride, longest_turn(r, i));
    find_margins(r->l, r->margin);
    for (int i = 0; i < system->npairs; i++) {
        r->now[i] = compliant_look(system, i);
        const compliant_pair *pair = &system->pairs[i];
        if (pair->plane < 0)
            r->stride = fmin(r->stride, longest_flight(system, i, -r->now[i].depth));
        else if (!(r->held[system->spheres[pair->b].link] > 0))
            r->stride = fmin(r->stride, longest_fall(r, i, -r->now[i].depth));
    }
}
