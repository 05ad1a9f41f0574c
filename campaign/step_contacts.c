/* step_contacts.c - the contacts that a step looked at, from where the shapes are: distances of
 * balls to planes, to balls and to cores of cuboids. */
#include "campaign/step_judge.h"

#include "base/vec3.h"
#include "impact.h"

#include <math.h>
#include <string.h>

/* Where a pair of shapes is nearest. */
typedef struct nearest {
    int a, b;
    double gap, normal[3], point[3];
    double size; /* m, of the places that these are differences of */
    double mu, e;
    bool undecided; /* several normals, to rounding */
} nearest;

static void place_of(const imp_world *w, int link, const double local[3], double place[3]) {
    const imp_link_state *s = imp_world_state(w, link);
    apply3(s->rotation, local, place);
    add3(1, s->origin, place);
}

static nearest ball_on_plane(const imp_world *w, const imp_guard *g) {
    nearest n = {.a = IMP_GROUND, .b = g->link, .mu = g->mu, .e = g->e};
    double arm[3];
    place_of(w, g->link, g->centre, n.point);
    memcpy(n.normal, g->normal, sizeof n.normal);
    sub3(n.point, g->point, arm);
    n.gap = dot3(arm, n.normal) - g->radius;
    n.size = norm3(n.point) + norm3(g->point) + g->radius;
    add3(-g->radius, n.normal, n.point);
    return n;
}

/* Of the core of `a`, a cuboid or its centre, and the centre of the ball b. */
static nearest ball_at_core(const imp_world *w, const imp_ball *a, const imp_ball *b) {
    nearest n = {.a = a->link, .b = b->link};
    if (a->mu > 0 && b->mu > 0) n.mu = 2 * a->mu * b->mu / (a->mu + b->mu);
    const imp_link_state *s = imp_world_state(w, a->link);
    double core[3], ball[3], arm[3], local[3], out[3], deepest = -INFINITY, next = -INFINITY;
    int side = 0;
    place_of(w, a->link, a->centre, core);
    place_of(w, b->link, b->centre, ball);
    sub3(ball, core, arm);
    apply3_transposed(s->rotation, arm, local);
    for (int k = 0; k < 3; k++) {
        const double beyond = fabs(local[k]) - a->half[k];
        out[k] = copysign(fmax(0, beyond), local[k]);
        next = fmax(next, fmin(beyond, deepest));
        if (beyond > deepest) side = k, deepest = beyond;
    }
    n.size = norm3(core) + norm3(ball) + a->radius + b->radius;
    double distance = norm3(out);
    if (!(distance > 0)) { /* inside: out through the nearest side */
        distance = deepest;
        out[side] = copysign(1, local[side]);
        n.undecided = deepest - next <= STEP_ROUND * n.size;
    }
    n.undecided = n.undecided || fabs(distance) <= STEP_ROUND * n.size;
    apply3(s->rotation, out, n.normal);
    const double length = norm3(n.normal);
    for (int k = 0; k < 3; k++)
        n.normal[k] /= length;
    n.gap = distance - a->radius - b->radius;
    memcpy(n.point, ball, sizeof ball);
    add3(-(b->radius + n.gap / 2), n.normal, n.point);
    return n;
}

static bool is_box(const imp_ball *b) {
    return b->half[0] > 0;
}

/* What the stepper says of it; NULL, or what is wrong. */
static const char *compare(const nearest *n, const imp_nearby *said) {
    /* the point of two balls is sought from the first of them */
    const double side = said->contact.a == n->a ? 1 : -1, round = STEP_ROUND * n->size;
    const double *frame = said->contact.frame;
    double off[3], shift[3], across[3];
    if (side > 0 ? said->contact.b != n->b : said->contact.a != n->b || said->contact.b != n->a)
        return "a contact of other bodies";
    if (!(fabs(said->gap - n->gap) <= round)) return "a gap is not that of the shapes";
    for (int k = 0; k < 3; k++)
        off[k] = side * frame[k] - n->normal[k];
    /* an angle is a length over the distance */
    if (!n->undecided && !(norm3(off) * fmax(fabs(n->gap), 0.01) <= 10 * round))
        return "a normal is not that of the shapes";
    sub3(said->contact.point, n->point, shift);
    if (!n->undecided && !(norm3(shift) <= 100 * round)) return "a contact point off the shapes";
    cross3(frame, frame + 3, across);
    sub3(across, frame + 6, across);
    if (!(norm3(across) <= STEP_ROUND && fabs(dot3(frame, frame + 3)) <= STEP_ROUND &&
          fabs(norm3(frame + 3) - 1) <= STEP_ROUND))
        return "a contact frame that is none";
    if (!(fabs(said->mu - n->mu) <= STEP_ROUND * n->mu)) return "another coefficient of friction";
    return said->e == n->e ? NULL : "another restitution";
}

/* Does it close within the step, with v*? */
static bool closes(const judged *d, const nearest *n) {
    double a[3] = {0}, b[3];
    if (n->a != IMP_GROUND) imp_world_point_velocity(d->twin, n->a, n->point, a);
    imp_world_point_velocity(d->twin, n->b, n->point, b);
    const double h = d->run->g.h, little = h * STEP_ROUND * (norm3(a) + norm3(b));
    sub3(b, a, b);
    return n->gap + h * dot3(n->normal, b) < -STEP_ROUND * n->size - little;
}

const char *judged_contacts(judged *d) {
    const gen_world *g = &d->run->g;
    const imp_nearby_list *list = &d->run->s->near;
    int found = 0;
    for (long long pair = 0; pair < g->guards + (long long)g->balls * g->balls; pair++) {
        const long long k = pair - g->guards;
        nearest n;
        if (k < 0)
            n = ball_on_plane(d->twin, &g->guard[pair]);
        else {
            const imp_ball *a = &g->ball[k / g->balls], *b = &g->ball[k % g->balls];
            if (a >= b || a->link == b->link || (is_box(a) && is_box(b))) continue;
            if (imp_world_rigid(d->twin, a->link, b->link)) continue;
            n = is_box(b) ? ball_at_core(d->twin, b, a) : ball_at_core(d->twin, a, b);
            n.e = g->e;
        }
        int i = 0;
        while (i < list->count && list->item[i].pair != pair)
            i++;
        if (i == list->count && (n.gap < g->reach - STEP_ROUND * n.size || closes(d, &n)))
            return "what touches is not looked at";
        if (i == list->count) continue;
        found++;
        const char *wrong = compare(&n, &list->item[i]);
        if (wrong) return wrong;
    }
    return found == list->count ? NULL : "a contact of no pair of shapes";
}
