/* step_judge.c - a step against what step.h promises: the contact problem, its answer and energy,
 * friction of the joints. */
#include "campaign/step_judge.h"

#include "base/finite.h"
#include "base/vec3.h"
#include "impact.h"

#include <math.h>
#include <string.h>

/* What `ok` leaves of approaches, cones and energy: 1e-6 by the convex model, as campaign/convex.c
 * has it; as campaign/blocks.c does, of natural errors of 1e-10, of restitution more. */
static double left_of(const judged *d) {
    return d->run->settings.model == &imp_model_drumwright ? 1e-6 : 1e-8;
}

/* The free motion: v* with and without friction of the joints, from the state before. */
static imp_status free_motion(judged *d) {
    imp_step_settings bare = d->run->settings;
    const size_t size = (size_t)d->twin->nv * sizeof *d->v;
    bare.detect = NULL, bare.late = NULL, bare.mu_c = bare.mu_v = NULL;
    judged_put(d->twin, d->q, d->v);
    imp_status status = imp_step_prepare(d->free, &bare);
    if (status < 0) return status;
    memcpy(d->free_v, d->twin->v, size);
    bare.mu_c = d->run->g.mu_c, bare.mu_v = d->run->g.mu_v;
    judged_put(d->twin, d->q, d->v);
    status = imp_step_prepare(d->free, &bare);
    memcpy(d->star, d->twin->v, size);
    return status;
}

/* QP4 from its definition: what joints add is in bounds, against the motion that is left, and takes
 * energy. */
static const char *judge_friction(judged *d) {
    const int n = d->basis.nv;
    double rubbed = 0, stake = 0;
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
        rubbed -= x * (d->v[i] + d->star[i]) / 2;
        stake += little * size * (fabs(d->v[i]) + speed);
    }
    return fabs(d->run->s->rubbed - rubbed) <= stake ? NULL
                                                     : "friction of joints took another energy";
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
        double q = 0, size = 0, given = 0, square = 0, squares = 0;
        moved_row(d->twin, &d->basis, &s->near.item[r / 3].contact, r % 3, d->J[r], terms[r]);
        memcpy(half[r], d->J[r], sizeof half[r]);
        moved_solve(&d->basis, half[r]);
        for (int k = 0; k < n; k++) {
            q += d->J[r][k] * d->star[k];
            size += terms[r][k] * fabs(d->star[k]);
            d->push[k] += d->J[r][k] * s->p[r];
            d->plus[k] += half[r][k] * s->p[r];
            given += fabs(half[r][k] * s->p[r]);
            square += d->J[r][k] * d->J[r][k];
            squares += terms[r][k] * terms[r][k];
        }
        if (given > 0) d->given += given * sqrt(squares / square); /* J has its terms' rounding */
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

/* u_n of one contact whose friction does not couple with it, of any law: the approach before the
 * step springs back, where that is faster than its gap asks. */
static double springs_to(const judged *d, double gap) {
    const imp_stepper *s = d->run->s;
    const double q = s->problem.q[0];
    double before = 0;
    for (int k = 0; k < d->basis.nv; k++)
        before += d->J[0][k] * d->v[k];
    const double back = -s->near.item[0].e * fmin(0, fmax(q, before));
    if (q + gap >= 0) return q;
    return back > 0 ? fmax(-gap, back) : -gap;
}

/* Gaps, cones, and the energy that contacts take. solved: the model says ok. */
static const char *judge_answer(judged *d, bool solved) {
    const imp_stepper *s = d->run->s;
    const int nc = s->problem.nc, rows = 3 * nc;
    const double left = left_of(d);
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
        /* gaps are those of places, which are some metres */
        const double rounds =
            STEP_ROUND * (size + (1 + norm3(s->near.item[r / 3].contact.point)) / d->run->g.h);
        if (solved && !(Wp + q >= -(bounces ? fmax(gap, 0) : gap) - left * speed - rounds))
            return "a gap closes beyond its contact";
        const bool alone = nc == 1 && hypot(d->W[1], d->W[2]) <= STEP_ROUND * d->W[0];
        if (solved && alone &&
            !(fabs(Wp + q - springs_to(d, gap)) <= left * speed + STEP_ROUND * size))
            return "a contact springs back otherwise";
        const double mu = s->problem.mu[r / 3], rub = hypot(s->p[r + 1], s->p[r + 2]);
        const double little = STEP_ROUND * speed / d->W[r * rows + r]; /* moves nothing */
        if (solved && !(rub <= mu * p + (left * largest + little) * fmax(1, mu)))
            return "an impulse leaves its cone";
    }
    campaign_count(d->lot, d->row, STEP_WEDGED, STEP_ROUND * terms > left * speed);
    const bool never = d->run->settings.model->takes & IMP_NEVER_GAINS_ENERGY;
    if (solved && never && !(energy <= d->bound + left * d->stake))
        return "contacts give more energy than gaps";
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
        for (int r = 0; r < 3 * d->run->s->problem.nc; r++) /* of answers that are none, 1e12 N s */
            stake += fabs(d->J[r][k] * d->run->s->p[r] * mean);
    }
    if (!(fabs(change - taken) <= STEP_ROUND * (size + d->basis.condition * stake)))
        return "energy is not what contacts give";
    const double above = change - d->bound;
    if (d->stake > 0) campaign_worst(d->lot, d->row, STEP_GAIN, above / d->stake);
    return !solved || d->row != GEN_WORLD_BALLS ||
                   above <= STEP_ROUND * size + left_of(d) * d->stake
               ? NULL
               : "a world gains energy";
}

/* Is a link that far off, or might the rounding of impulses alone have thrown it there? */
static bool far_off(const judged *d) {
    const imp_world *w = d->run->s->world;
    double most = STEP_ROUND * d->basis.condition * d->given * d->run->g.h;
    for (int i = 0; i < w->nl; i++)
        most = fmax(most, norm3(imp_world_state(w, i)->com));
    return !(most <= STEP_FAR);
}

const char *judged_end(judged *d, bool solved) {
    imp_world *w = d->run->s->world;
    judged_put(d->twin, d->q, d->star);
    if (!imp_all_finite(w->v, (size_t)w->nv) || !imp_all_finite(w->q, (size_t)w->nq))
        return "no number";
    const bool large = d->run->s->problem.nc > MOVED_CONTACTS;
    campaign_count(d->lot, d->row, STEP_LARGE, large);
    if (large) return NULL;
    if (!moved_basis_of(d->twin, &d->basis)) return "a mass matrix that is not positive";
    const char *wrong = judged_contacts(d);
    if (!wrong) wrong = judge_friction(d);
    if (!wrong) wrong = judge_problem(d);
    if (!wrong) wrong = judge_answer(d, solved);
    if (!solved && far_off(d)) return wrong; /* what an answer that is none does is no promise */
    judged_put(d->twin, w->q, w->v);
    if (!moved_basis_of(d->twin, &d->next)) return "a mass matrix that is not positive";
    for (int t = 0; t < w->nt && !wrong; t++)
        wrong = judged_motion(d, t);
    const bool free = d->row == GEN_WORLD_BALLS || d->row == GEN_WORLD_BOXES;
    return wrong || !free ? wrong : judge_energy(d, solved);
}

imp_status judged_begin(judged *d) {
    const imp_world *w = d->run->s->world;
    memcpy(d->q, w->q, (size_t)w->nq * sizeof *w->q);
    memcpy(d->v, w->v, (size_t)w->nv * sizeof *w->v);
    for (int t = 0; t < w->nt; t++) {
        d->before[t] = moved_of(w, t);
        d->swing[t] = judged_swing(w, t, &d->before[t], d->run->g.h);
    }
    return free_motion(d);
}
