/* step_judge.c - a step against what step.h promises: momenta, energy, the contact problem and its
 * answer, friction of the joints, places. */
#include "campaign/step_judge.h"

#include "base/finite.h"
#include "base/vec3.h"
#include "impact.h"

#include <math.h>
#include <string.h>

/* Of what iterations leave of approaches, cones and energy, as campaign/blocks.c has it: natural
 * errors of 1e-10, of restitution and of interior points more. */
static const double SOLVED = 1e-8;

static void put(imp_world *w, const double *q, const double *v) {
    memcpy(w->q, q, (size_t)w->nq * sizeof *q);
    memcpy(w->v, v, (size_t)w->nv * sizeof *v);
    imp_world_place(w);
}

/* Is that tree's next step beyond what step.h gives momenta for, or near it? Its links swing by a
 * quarter of a radian, or what the root carries has a quarter of its own inertia over h. */
static bool swings_far(const imp_world *w, int t, const moved_tree *m, double h) {
    const imp_tree *tree = w->tree[t];
    const imp_link_state *root = imp_tree_state(tree, 0);
    const double *I = root->inertia, trace = I[0] + I[4] + I[8];
    double minor[3], carried[3] = {0};
    cross3(I + 3, I + 6, minor);
    for (int i = 1; i < imp_tree_links(tree); i++) {
        const imp_link_state *s = imp_tree_state(tree, i);
        double arm[3], velocity[3], own[3];
        imp_tree_point_velocity(tree, i, s->com, velocity);
        if (m->floats) add3(-1 / m->mass, m->linear, velocity);
        sub3(s->com, root->origin, arm);
        cross3(arm, velocity, own);
        add3(imp_tree_link(tree, i)->mass, own, carried);
        apply3(s->inertia, s->spin, own);
        add3(1, own, carried);
        if (h * norm3(s->spin) > 0.25) return true;
    }
    const double least = 4 * dot3(I, minor) / (trace * trace); /* at most its least moment */
    return imp_tree_links(tree) > 1 &&
           (h * norm3(root->spin) > 0.25 || h * norm3(carried) > 0.25 * least);
}

/* The free motion: v* with and without friction of the joints, from the state before. */
static imp_status free_motion(judged *d) {
    imp_step_settings bare = d->run->settings;
    const size_t size = (size_t)d->twin->nv * sizeof *d->v;
    bare.detect = NULL, bare.late = NULL, bare.mu_c = bare.mu_v = NULL;
    put(d->twin, d->q, d->v);
    imp_status status = imp_step_prepare(d->free, &bare);
    if (status < 0) return status;
    memcpy(d->free_v, d->twin->v, size);
    bare.mu_c = d->run->g.mu_c, bare.mu_v = d->run->g.mu_v;
    put(d->twin, d->q, d->v);
    status = imp_step_prepare(d->free, &bare);
    memcpy(d->star, d->twin->v, size);
    return status;
}

/* QP4 from its definition: what joints add is in bounds, against the motion that is left, and takes
 * energy. */
static const char *judge_friction(judged *d) {
    const int n = d->basis.nv;
    for (int i = 0; i < n; i++) {
        const gen_world *g = &d->run->g;
        const double bound = g->h * (g->mu_c[i] + g->mu_v[i] * fabs(d->v[i]));
        double x = 0, size = bound, speed = 0;
        for (int k = 0; k < n; k++) {
            const double term = d->basis.H[i * n + k];
            x += term * (d->star[k] - d->free_v[k]);
            size += fabs(term) * (fabs(d->star[k]) + fabs(d->free_v[k]));
            speed = fmax(speed, fabs(d->free_v[k]));
        }
        d->rub[i] = x;
        const double little = STEP_ROUND * d->basis.condition;
        if (!(fabs(x) <= bound + little * size)) return "friction of a joint beyond its bound";
        if (!(x * d->star[i] <= little * size * speed)) return "friction of a joint drives it";
        if (fabs(x) < bound - little * size && fabs(d->star[i]) > little * speed)
            return "a joint moves, and rubs too little";
    }
    return NULL;
}

/* W and q of the problem from the velocities of the links; v+. */
static const char *judge_problem(judged *d) {
    const imp_stepper *s = d->run->s;
    const int n = d->basis.nv, rows = 3 * s->problem.nc;
    static double half[MOVED_ROWS][GEN_WORLD_NV], terms[MOVED_ROWS][GEN_WORLD_NV];
    memcpy(d->plus, d->star, sizeof d->plus);
    memset(d->push, 0, sizeof d->push);
    d->given = 0;
    if (rows > 0) imp_problem_dense(&s->problem, d->W);
    for (int r = 0; r < rows; r++) {
        double q = 0, size = 0;
        moved_row(d->twin, &d->basis, &s->near.item[r / 3].contact, r % 3, d->J[r], terms[r]);
        memcpy(half[r], d->J[r], sizeof half[r]);
        moved_solve(&d->basis, half[r]);
        for (int k = 0; k < n; k++) {
            q += d->J[r][k] * d->star[k];
            size += terms[r][k] * fabs(d->star[k]);
            d->push[k] += d->J[r][k] * s->p[r];
            d->plus[k] += half[r][k] * s->p[r];
            d->given += fabs(half[r][k] * s->p[r]);
        }
        if (!(fabs(q - s->problem.q[r]) <= STEP_ROUND * size)) return "q is not J v*";
    }
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < rows; c++) {
            double w = 0, size = 0;
            for (int k = 0; k < n; k++) {
                w += d->J[r][k] * half[c][k];
                size += fabs(terms[r][k] * half[c][k]) + fabs(terms[c][k] * half[r][k]);
            }
            if (!(fabs(w - d->W[r * rows + c]) <= STEP_ROUND * d->basis.condition * size))
                return "W is not J' H^-1 J";
        }
    return NULL;
}

/* Gaps, cones, and the energy that contacts take. solved: the model says ok. */
static const char *judge_answer(judged *d, bool solved) {
    const imp_stepper *s = d->run->s;
    const int nc = s->problem.nc, rows = 3 * nc;
    double speed = 0, largest = 0, energy = 0, terms = 0;
    d->bound = d->stake = d->pushed = 0;
    for (int r = 0; r < rows; r++) {
        speed = hypot(speed, fabs(s->problem.q[r]) + (r % 3 ? 0 : fabs(s->gap[r / 3])));
        largest = fmax(largest, fabs(s->p[r]));
        d->pushed += fabs(s->p[r]);
    }
    for (int r = 0; r < rows; r++) {
        const double p = s->p[r], q = s->problem.q[r],
                     gap = fmax(s->near.item[r / 3].gap, d->run->g.least_gap) / d->run->g.h;
        const bool bounces = s->problem.e && s->problem.e[r / 3] > 0;
        double Wp = 0, size = fabs(q);
        for (int c = 0; c < rows; c++) {
            Wp += d->W[r * rows + c] * s->p[c];
            size += fabs(d->W[r * rows + c] * s->p[c]);
        }
        energy += p * (0.5 * Wp + q);
        d->stake += fabs(p) * (size + (r % 3 ? 0 : fabs(gap)));
        if (r % 3) continue;
        /* a bounce may be that of the gap as of the approach, whichever is faster */
        d->bound += bounces ? fmax(0, -p * gap) : -p * gap;
        terms = fmax(terms, size);
        if (solved &&
            !(Wp + q >= -(bounces ? fmax(gap, 0) : gap) - SOLVED * speed - STEP_ROUND * size))
            return "a gap closes beyond its contact";
        const double mu = s->problem.mu[r / 3], rub = hypot(s->p[r + 1], s->p[r + 2]);
        if (solved && !(rub <= mu * p + SOLVED * largest * fmax(1, mu)))
            return "an impulse leaves its cone";
    }
    campaign_count(d->lot, d->row, STEP_WEDGED, STEP_ROUND * terms > SOLVED * speed);
    const bool never = d->run->settings.model->takes & IMP_NEVER_GAINS_ENERGY;
    if (solved && never && !(energy <= d->bound + SOLVED * d->stake))
        return "contacts give more energy than gaps";
    return NULL;
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

/* Attitudes turn, and joints of what floats move: with v+, or, of a body that nothing is joined to,
 * with the mean of the spins that its momentum has at both ends, which is the midpoint's to third
 * order in the angle. */
static const char *judge_places(judged *d, int t) {
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
        size = fmax(size, h * fabs(mean));
    }
    const double third = links > 1 ? 0 : size * size * size;
    if (size < 3 && /* further it has turned by more than it shows */
        !(off <= 3 * third + STEP_ROUND * (1 + d->basis.condition * h * speed)))
        return "an attitude does not turn with its spin";
    for (int i = 6; i < w->v_at[t + 1] - first; i++)
        if (!(fabs(w->q[at + 1 + i] - d->q[at + 1 + i] - h * d->plus[first + i]) <=
              STEP_ROUND * (fabs(d->q[at + 1 + i]) + d->basis.condition * h * speed)))
            return "a joint of what floats does not move with v+";
    return NULL;
}

/* J, of the twin at q with one coordinate moved and the velocities v+. */
static double kinetic_at(judged *d, int t, int coordinate, double by) {
    double q[7 * GEN_WORLD_LINKS];
    memcpy(q, d->q, sizeof q);
    q[coordinate] += by;
    put(d->twin, q, d->plus);
    return moved_of(d->twin, t).kinetic;
}

/* A mechanism on the ground: joints move for h with v+, and the momenta at the next place are those
 * before with h dL/dq (q, v+) and all impulses (swing.c). Differences over 1e-4 rad or m leave
 * 1e-8 of the derivative, or a few times that. */
static const char *judge_rooted(judged *d, int t) {
    const imp_world *w = d->run->s->world;
    const double h = d->run->g.h, moved = 1e-4;
    const int n = d->basis.nv;
    for (int i = w->v_at[t]; i < w->v_at[t + 1]; i++) {
        const int at = w->q_at[t] + i - w->v_at[t];
        double speed = d->given, fall = 0, before = 0, next = 0, size = 0;
        for (int k = 0; k < n; k++) {
            speed = fmax(speed, fabs(d->star[k]) + fabs(d->plus[k]) + fabs(d->free_v[k]));
            before += d->basis.H[i * n + k] * d->v[k];
            next += d->next.H[i * n + k] * w->v[k];
            size += fabs(d->basis.H[i * n + k]) * (fabs(d->v[k]) + fabs(d->plus[k])) +
                    fabs(d->next.H[i * n + k] * w->v[k]);
        }
        if (!(fabs(w->q[at] - d->q[at] - h * d->plus[i]) <=
              STEP_ROUND * (fabs(d->q[at]) + h * d->basis.condition * speed)))
            return "a joint does not move with v+";
        for (int k = 0; k < w->nl; k++)
            fall += imp_tree_link(w->tree[w->tree_of[k]], w->link_of[k])->mass *
                    d->basis.rate[i][k][2] * d->run->g.gravity[2];
        const double up = kinetic_at(d, t, at, moved), down = kinetic_at(d, t, at, -moved),
                     turning = (up - down) / (2 * moved),
                     rest = next - before - h * (turning + fall) - d->rub[i] - d->push[i];
        if (!(fabs(rest) <= 1e-7 * h * (up + down) + STEP_ROUND * (size + d->pushed)))
            return "momenta are not those of the variational step";
    }
    return NULL;
}

/* Free bodies without gravity: contacts change the momenta before the step, and nothing else their
 * energy. Of balls that is what they do to v*. */
static const char *judge_energy(const judged *d, bool solved) {
    double change = 0, size = 0, taken = 0, stake = 0;
    for (int t = 0; t < d->run->g.trees; t++) {
        change += d->after[t].kinetic - d->before[t].kinetic;
        size += d->after[t].kinetic + d->before[t].kinetic;
    }
    for (int k = 0; k < d->basis.nv; k++) {
        const double mean = d->v[k] + 0.5 * (d->plus[k] - d->star[k]);
        taken += d->push[k] * mean;
        stake += fabs(d->push[k] * mean);
    }
    if (!(fabs(change - taken) <= STEP_ROUND * (size + d->basis.condition * stake)))
        return "energy is not what contacts give";
    const double above = change - d->bound;
    if (d->stake > 0) campaign_worst(d->lot, d->row, STEP_GAIN, above / d->stake);
    return !solved || d->row != GEN_WORLD_BALLS || above <= STEP_ROUND * size + SOLVED * d->stake
               ? NULL
               : "a world gains energy";
}

const char *judged_end(judged *d, bool solved) {
    imp_world *w = d->run->s->world;
    put(d->twin, d->q, d->star);
    if (!imp_all_finite(w->v, (size_t)w->nv) || !imp_all_finite(w->q, (size_t)w->nq))
        return "no number";
    if (d->run->s->problem.nc > MOVED_CONTACTS) return NULL; /* what became larger is left out */
    if (!moved_basis_of(d->twin, &d->basis)) return "a mass matrix that is not positive";
    const char *wrong = judge_friction(d);
    if (!wrong) wrong = judge_problem(d);
    if (!wrong) wrong = judge_answer(d, solved);
    put(d->twin, w->q, w->v);
    if (!moved_basis_of(d->twin, &d->next)) return "a mass matrix that is not positive";
    for (int t = 0; t < w->nt && !wrong; t++) {
        d->after[t] = moved_of(w, t);
        d->beyond[t] = d->beyond[t] || swings_far(w, t, &d->after[t], d->run->g.h); /* or v+ does */
        campaign_count(d->lot, d->row, STEP_BEYOND, d->beyond[t]);
        if (d->before[t].floats) wrong = judge_places(d, t);
        if (!d->beyond[t] && !wrong)
            wrong = (d->before[t].floats ? judge_momenta : judge_rooted)(d, t);
    }
    const bool free = d->row == GEN_WORLD_BALLS || d->row == GEN_WORLD_BOXES;
    return wrong || !free ? wrong : judge_energy(d, solved);
}

imp_status judged_begin(judged *d) {
    const imp_world *w = d->run->s->world;
    memcpy(d->q, w->q, (size_t)w->nq * sizeof *w->q);
    memcpy(d->v, w->v, (size_t)w->nv * sizeof *w->v);
    for (int t = 0; t < w->nt; t++) {
        d->before[t] = moved_of(w, t);
        d->beyond[t] = swings_far(w, t, &d->before[t], d->run->g.h);
    }
    return free_motion(d);
}
