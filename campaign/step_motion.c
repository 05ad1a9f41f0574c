/* step_motion.c - where a step takes a tree: momenta, centres of mass, attitudes, joints. */
#include "campaign/step_judge.h"

#include "base/vec3.h"
#include "impact.h"

#include <math.h>
#include <string.h>

void judged_put(imp_world *w, const double *q, const double *v) {
    memcpy(w->q, q, (size_t)w->nq * sizeof *q);
    memcpy(w->v, v, (size_t)w->nv * sizeof *v);
    imp_world_place(w);
}

/* Does link i hang on link `root` of its tree? */
static bool hangs_on(const imp_tree *tree, int i, int root) {
    while (i > root)
        i = imp_tree_link(tree, i)->parent;
    return i == root;
}

/* The angular momentum about link i's origin of what hangs on it, as the centre of mass sees it,
 * over the link's own least moment of inertia. */
static double carried_over_own(const imp_tree *tree, const moved_tree *m, int i) {
    const imp_link_state *link = imp_tree_state(tree, i);
    const double *I = link->inertia, trace = I[0] + I[4] + I[8];
    double minor[3], carried[3] = {0};
    cross3(I + 3, I + 6, minor);
    for (int k = i + 1; k < imp_tree_links(tree); k++) {
        const imp_link_state *s = imp_tree_state(tree, k);
        double arm[3], velocity[3], own[3];
        if (!hangs_on(tree, k, i)) continue;
        imp_tree_point_velocity(tree, k, s->com, velocity);
        if (m->floats) add3(-1 / m->mass, m->linear, velocity);
        sub3(s->com, link->origin, arm);
        cross3(arm, velocity, own);
        add3(imp_tree_link(tree, k)->mass, own, carried);
        apply3(s->inertia, s->spin, own);
        add3(1, own, carried);
    }
    return norm3(carried) * trace * trace / (4 * dot3(I, minor)); /* its least is at most that */
}

double judged_swing(const imp_world *w, int t, const moved_tree *m, double h) {
    const imp_tree *tree = w->tree[t];
    double swing = 0;
    for (int i = 0; i < imp_tree_links(tree) && imp_tree_links(tree) > 1; i++) {
        swing = fmax(swing, 4 * h * norm3(imp_tree_state(tree, i)->spin));
        swing = fmax(swing, h * carried_over_own(tree, m, i));
    }
    return swing;
}

/* Momenta change by gravity and by what contacts push with, centres of mass go straight. */
static const char *judge_momenta(judged *d, int t) {
    const run *r = d->run;
    const imp_stepper *s = r->s;
    const moved_tree *a = &d->before[t], *b = &d->after[t];
    const double h = r->g.h, linear_size = a->linear_size + b->linear_size + d->pushed,
                 angular_size = a->angular_size + b->angular_size +
                                d->pushed * (1 + norm3(a->com) + a->angular_size / a->linear_size);
    double linear[3], angular[3], way[3];
    sub3(b->linear, a->linear, linear);
    sub3(b->angular, a->angular, angular);
    sub3(b->com, a->com, way);
    const double fall[3] = {0, 0, h * a->mass * r->g.gravity[2]};
    double moment[3];
    cross3(a->com, fall, moment);
    add3(-1, fall, linear);
    add3(-1, moment, angular);
    for (int c = 0; c < s->problem.nc; c++) {
        const imp_contact *k = &s->near.item[c].contact;
        double impulse[3];
        apply3_transposed(k->frame, s->p + 3 * (size_t)c, impulse);
        cross3(k->point, impulse, moment);
        for (int side = 0; side < 2; side++) {
            const int link = side ? k->b : k->a;
            if (link == IMP_GROUND || s->world->tree_of[link] != t) continue;
            add3(side ? -1 : 1, impulse, linear);
            add3(side ? -1 : 1, moment, angular);
        }
    }
    const double off = fmax(norm3(linear) / linear_size, norm3(angular) / angular_size);
    campaign_worst(d->lot, d->row, STEP_MOMENTUM, off);
    if (!(off <= STEP_ROUND)) return "a momentum changes by more than is pushed";
    add3(-h / b->mass, b->linear, way);
    if (!(norm3(way) <= STEP_ROUND * (norm3(b->com) + a->angular_size / a->linear_size +
                                      h * linear_size / b->mass)))
        return "a centre of mass does not go straight";
    return NULL;
}

/* Attitudes turn with v+, or, of a body that nothing is joined to, with the mean of the spins that
 * its momentum has at both ends, which is the midpoint's to third order in the angle. */
static const char *judge_attitude(judged *d, int t) {
    const imp_world *w = d->run->s->world;
    const int at = w->q_at[t], first = w->v_at[t], links = imp_tree_links(w->tree[t]);
    const double h = d->run->g.h, *plus = d->plus + first + 3, *next = w->v + first + 3,
                 back[4] = {d->q[at + 3], -d->q[at + 4], -d->q[at + 5], -d->q[at + 6]};
    double turn[4], angle[3], off = 0, size = 0, speed = d->given;
    for (int i = 0; i < d->basis.nv; i++)
        speed = fmax(speed, fabs(d->star[i]) + fabs(d->plus[i]) + fabs(d->free_v[i]));
    multiply4(w->q + at + 3, back, turn);
    const double half = hypot(hypot(turn[1], turn[2]), turn[3]),
                 full = 2 * atan2(half, fabs(turn[0])), sign = turn[0] < 0 ? -1 : 1;
    for (int k = 0; k < 3; k++) {
        angle[k] = half > 0 ? sign * turn[k + 1] / half * full : 0;
        const double mean =
            links > 1 ? plus[k]
                      : 0.5 * (d->v[first + 3 + k] + plus[k] - d->star[first + 3 + k] + next[k]);
        off = hypot(off, angle[k] - h * mean);
        size = hypot(size, h * mean);
    }
    const double third = links > 1 ? 0 : size * size * size;
    /* beyond 3 rad it has turned by more than it shows */
    return size >= 3 || off <= 3 * third + STEP_ROUND * (1 + d->basis.condition * h * speed)
               ? NULL
               : "an attitude does not turn with its spin";
}

/* J, of tree t of the twin at q with one coordinate moved. */
static double kinetic_at(judged *d, int t, const double *v, int coordinate, double by) {
    double q[7 * GEN_WORLD_LINKS];
    memcpy(q, d->q, sizeof q);
    q[coordinate] += by;
    judged_put(d->twin, q, v);
    return moved_of(d->twin, t).kinetic;
}

/* relative (nv) <- v, of what floats as seen by the centre of mass before the step, against which
 * a step has its momenta: it is the same however fast the whole goes. */
static void against_centre(const judged *d, int t, const double *v, double *relative) {
    const moved_tree *m = &d->before[t];
    memcpy(relative, v, (size_t)d->basis.nv * sizeof *v);
    if (m->floats) add3(-1 / m->mass, m->linear, relative + d->twin->v_at[t]);
}

/* v* of a root that floats, from swing.c's dexp^-1(x)' L + h v x P = the momentum before, x = h w,
 * by its inverse: dexp(x)' is the sum of (-x x)^k / (k + 1)!. */
static const char *judge_root(const judged *d, int t) {
    enum { TERMS = 14 };
    const double h = d->run->g.h;
    const int n = d->basis.nv, first = d->twin->v_at[t];
    double v[GEN_WORLD_NV], star[GEN_WORLD_NV], before[6] = {0}, p[6] = {0}, size = 0;
    against_centre(d, t, d->v, v);
    against_centre(d, t, d->free_v, star);
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < n; k++) {
            const double term = d->basis.H[(first + i) * n + k];
            before[i] += term * v[k];
            p[i] += term * star[k];
            size += fabs(term) * (fabs(d->v[k]) + fabs(d->free_v[k]));
        }
    double term[3], sum[3], turned[3];
    cross3(star + first, p, turned);
    memcpy(sum, before + 3, sizeof sum);
    add3(-h, turned, sum);
    memcpy(term, sum, sizeof term);
    for (int k = 1; k < TERMS; k++) {
        cross3(star + first + 3, term, turned);
        for (int i = 0; i < 3; i++)
            term[i] = -h * turned[i] / (k + 1);
        add3(1, term, sum);
    }
    sub3(sum, p + 3, sum);
    return norm3(sum) <= STEP_ROUND * (1 + h * norm3(star + first)) * size
               ? NULL
               : "a root does not turn by the variational step";
}

/* Joints move for h with v+, and their momenta at the next place are those before with h dL/dq (q,
 * v+) and all impulses (swing.c). Differences over 1e-4 rad or m leave 1e-8 of the derivative, or a
 * few times that. */
static const char *judge_joints(judged *d, int t) {
    const imp_world *w = d->run->s->world;
    const double h = d->run->g.h, moved = 1e-4;
    const int n = d->basis.nv, root = d->before[t].floats ? 6 : 0; /* with a quaternion */
    double v[GEN_WORLD_NV], plus[GEN_WORLD_NV], after[GEN_WORLD_NV];
    against_centre(d, t, d->v, v);
    against_centre(d, t, d->plus, plus);
    against_centre(d, t, w->v, after);
    for (int i = w->v_at[t] + root; i < w->v_at[t + 1]; i++) {
        const int at = w->q_at[t] + i - w->v_at[t] + (root > 0);
        double speed = d->given, fall = 0, before = 0, next = 0, size = 0;
        for (int k = 0; k < n; k++) {
            speed = fmax(speed, fabs(d->star[k]) + fabs(d->plus[k]) + fabs(d->free_v[k]));
            before += d->basis.H[i * n + k] * v[k];
            next += d->next.H[i * n + k] * after[k];
            size += fabs(d->basis.H[i * n + k]) * (fabs(d->v[k]) + fabs(d->plus[k])) +
                    fabs(d->next.H[i * n + k] * w->v[k]);
        }
        if (!(fabs(w->q[at] - d->q[at] - h * d->plus[i]) <=
              STEP_ROUND * (fabs(d->q[at]) + h * d->basis.condition * speed)))
            return "a joint does not move with v+";
        if (d->beyond[t]) continue;
        for (int k = 0; k < w->nl; k++)
            fall += imp_tree_link(w->tree[w->tree_of[k]], w->link_of[k])->mass *
                    d->basis.rate[i][k][2] * d->run->g.gravity[2];
        const double up = kinetic_at(d, t, plus, at, moved),
                     down = kinetic_at(d, t, plus, at, -moved), turning = (up - down) / (2 * moved),
                     forces = turning + fall + d->run->g.force[i],
                     rest = next - before - h * forces - d->rub[i] - d->push[i];
        if (!(fabs(rest) <= 1e-7 * h * (up + down) + STEP_ROUND * (size + d->pushed)))
            return "momenta are not those of the variational step";
    }
    return NULL;
}

/* The largest swing of any tree, before the step, after it, and of v* at the place before. */
static double fastest(judged *d) {
    const imp_world *worlds[2] = {d->run->s->world, d->twin};
    double swing = 0;
    judged_put(d->twin, d->q, d->free_v);
    for (int t = 0; t < d->twin->nt; t++) {
        swing = fmax(swing, d->swing[t]);
        for (int k = 0; k < 2; k++) {
            const moved_tree moved = moved_of(worlds[k], t);
            swing = fmax(swing, judged_swing(worlds[k], t, &moved, d->run->g.h));
        }
    }
    return swing;
}

const char *judged_motion(judged *d, int t) {
    const bool floats = d->before[t].floats, by_rates = d->run->s->by_rates > 0;
    d->after[t] = moved_of(d->run->s->world, t);
    if (by_rates && fastest(d) < 0.2) return "no v* of links that swing slowly";
    /* or v+ does */
    d->beyond[t] = by_rates || d->swing[t] > 1 ||
                   judged_swing(d->run->s->world, t, &d->after[t], d->run->g.h) > 1;
    campaign_count(d->lot, d->row, STEP_BEYOND, d->beyond[t]);
    const char *wrong = judge_joints(d, t);
    if (floats && !wrong) wrong = judge_attitude(d, t);
    if (!floats || d->beyond[t]) return wrong;
    if (imp_tree_links(d->twin->tree[t]) > 1 && !wrong) wrong = judge_root(d, t);
    return wrong ? wrong : judge_momenta(d, t);
}
