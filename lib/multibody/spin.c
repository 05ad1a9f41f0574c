/* spin.c - a time step of free bodies: Euler's equations, and the straight way of the centre of
 * mass.
 *
 * Forces and contacts change the angular momentum L at the attitude of the step's beginning, then
 * the body turns freely by the implicit midpoint: in its axes I w + h/2 w x I w = L at the
 * beginning, 2 I w - L at the end, and the attitude goes on by Cayley's map of h w. That keeps L in
 * space, and the energy, to rounding (Simo, Wong 1991), wherever the centre is in the body. */
#include "base/vec3.h"
#include "multibody/tree_internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Newton's method comes to rounding in 2 to 5 steps where the body turns by at most a radian; more
 * are for slender bodies, whose rounding is larger. */
enum { NEWTON = 8, MOST_PARTS = 1 << 20 };

/* How a body turns that no couple acts on. */
typedef struct flow {
    double momentum[3]; /* rad/s, over the trace of the inertia, in the body's axes */
    double turn[4];     /* from these to what they were at the beginning */
} flow;

/* J <- d rest / d w = I + h/2 ([w] I - [I w]), [a] b = a x b. */
static void derivative(const double I[9], const double w[3], double h, double J[9]) {
    double momentum[3], turned[3];
    apply3(I, w, momentum);
    const double across[9] = {
        0, -momentum[2], momentum[1], momentum[2], 0, -momentum[0], -momentum[1], momentum[0], 0};
    for (int j = 0; j < 3; j++) {
        cross3(w, I + 3 * j, turned);
        for (int i = 0; i < 3; i++)
            J[3 * i + j] = I[3 * i + j] + h / 2 * (turned[i] - across[3 * i + j]);
    }
}

/* rest <- I w + h/2 w x I w - momentum. */
static void rest_of(const double I[9], const flow *f, const double w[3], double h, double rest[3]) {
    double momentum[3], turned[3];
    apply3(I, w, momentum);
    cross3(w, momentum, turned);
    for (int k = 0; k < 3; k++)
        rest[k] = momentum[k] + h / 2 * turned[k] - f->momentum[k];
}

/* w, on entry a guess, <- the spin over h, a part of a step. false: a millionth of the energy is
 * missing, where rounding of the most slender bodies leaves 1e-8; so it is with moments that no
 * body has. */
static bool midpoint(const double I[9], const flow *f, double h, double w[3]) {
    double rest[3], step[3], momentum[3];
    imp_solver3 J;
    for (int k = 0; k < NEWTON; k++) {
        rest_of(I, f, w, h, rest);
        derivative(I, w, h, J.A);
        imp_solver3_prepare(&J);
        imp_solver3_solve(&J, rest, step);
        add3(-1, step, w);
        if (dot3(step, step) <= DBL_EPSILON * dot3(w, w)) return true; /* the next is its square */
    }
    apply3(I, w, momentum);
    return fabs(dot3(rest, w)) <= 1e-6 * dot3(w, momentum);
}

static double sum_of(const double x[3]) {
    return fabs(x[0]) + fabs(x[1]) + fabs(x[2]);
}

/* Into how many the step is cut; 0: the spin stays as it is, to rounding. */
static double parts_of(const flow *f, const double w[3], double h) {
    double couple[3];
    cross3(w, f->momentum, couple);
    const double all = sum_of(couple), rounding = DBL_EPSILON * sum_of(w);
    /* too slow to tell, or about a principal axis */
    if (h * all <= rounding || all <= 64 * rounding * sum_of(w)) return 0;
    return ceil(h * norm3(w));
}

/* f <- how a body of attitude R (to the world) and angular momentum L (world, kg m^2/s) turns in
 * h. */
static imp_status turn_free(const imp_free_body *body, const double R[9], const double L[3],
                            double h, flow *f) {
    const double *I = body->shape.A;
    double w[3];
    *f = (flow){.turn = {1}};
    apply3_transposed(R, L, f->momentum);
    for (int k = 0; k < 3; k++)
        f->momentum[k] /= body->trace;
    imp_solver3_solve(&body->shape, f->momentum, w);
    const double parts = parts_of(f, w, h), part = h / parts;
    if (parts == 0) {
        const double angle[3] = {h * w[0], h * w[1], h * w[2]};
        exponential4(angle, f->turn);
        return IMP_OK;
    }
    if (parts > MOST_PARTS) return IMP_UNSUPPORTED;
    for (int k = 0; k < parts; k++) {
        double momentum[3];
        if (!midpoint(I, f, part, w)) return IMP_UNSUPPORTED;
        const double cayley[4] = {1, part / 2 * w[0], part / 2 * w[1], part / 2 * w[2]};
        multiply4(f->turn, cayley, f->turn);
        normalise4(f->turn);
        apply3(I, w, momentum);
        for (int i = 0; i < 3; i++)
            f->momentum[i] = 2 * momentum[i] - f->momentum[i];
    }
    return IMP_OK;
}

/* J <- the inertia in the world's axes, kg m^2. */
static void inertia_of(const imp_free_body *body, const imp_link_state *s, double J[9]) {
    if (body->own)
        memcpy(J, s->inertia, sizeof s->inertia);
    else
        congruent3(s->rotation, body->inertia, J);
}

/* after <- the spin v*, that at the end as seen from the attitude at the beginning, of
 * body->momentum, the angular momentum about the centre with what the forces add. */
static imp_status leave(imp_free_body *body, const imp_link_state *s, double h, double after[3]) {
    double spin[3];
    flow f;
    const imp_status status = turn_free(body, s->rotation, body->momentum, h, &f);
    imp_solver3_solve(&body->shape, f.momentum, spin);
    apply3(s->rotation, spin, after);
    memcpy(body->spin, after, sizeof body->spin);
    return status;
}

/* after <- v*; on entry by the rates at `before`, where the couple w x I w is among them. */
static imp_status spin_body(imp_free_body *body, const imp_link_state *s, double h,
                            const double before[3], double after[3]) {
    double J[9], momentum[3], turning[3];
    if (body->round && h * sum_of(before) < 1) return IMP_OK;
    inertia_of(body, s, J);
    apply3(J, before, momentum);
    cross3(before, momentum, turning);
    if (body->round) { /* what rounding makes of nothing grows with the square of the spin */
        add3(h / body->inertia[0], turning, after);
        return IMP_OK;
    }
    apply3(J, after, body->momentum);
    add3(h, turning, body->momentum);
    return leave(body, s, h, after);
}

/* after (6) <- v* of a body whose centre is at c (world axes) from its origin, which before and
 * after are of: the forces (6; N, N m about the origin) and gravity act on the centre. The rates of
 * the origin are of no use here: they go with the square of the spin, and far from the world's
 * origin c is known to rounding of places in them. */
static imp_status spin_offset(imp_free_body *body, const imp_link_state *s, double h,
                              const double gravity[3], const double force[6],
                              const double before[6], double after[6]) {
    imp_status status = IMP_OK;
    double J[9], c[3], turned[3], torque[3], centre[3];
    apply3(s->rotation, body->com, c);
    cross3(before + 3, c, turned);
    for (int k = 0; k < 3; k++)
        centre[k] = before[k] + turned[k] + h * (force[k] / body->mass + gravity[k]);
    cross3(c, force, turned);
    sub3(force + 3, turned, torque);
    if (body->round) {
        memcpy(after + 3, before + 3, sizeof torque);
        add3(h / body->inertia[0], torque, after + 3);
    } else {
        inertia_of(body, s, J);
        apply3(J, before + 3, body->momentum);
        add3(h, torque, body->momentum);
        status = leave(body, s, h, after + 3);
    }
    cross3(after + 3, c, turned);
    sub3(centre, turned, after);
    return status;
}

imp_status imp_tree_spin(imp_tree *tree, double h, const double gravity[3], const double *force,
                         const double *before, double *after) {
    imp_status status = IMP_OK;
    tree->tumbles = IMP_GROUND;
    for (int i = 0; i < tree->bodies && status == IMP_OK; i++) {
        imp_free_body *body = &tree->body[i];
        const imp_link_state *s = &tree->state[body->link];
        const int at = tree->link[body->link].v_at;
        if (body->centred)
            status = spin_body(body, s, h, before + at + 3, after + at + 3);
        else if (!body->held)
            status = spin_offset(body, s, h, gravity, force + at, before + at, after + at);
        if (status != IMP_OK) tree->tumbles = body->link;
    }
    return status;
}

/* attitude (4) <- that of a body after h with the spin v+, which <- that at the end. The tree has
 * stayed at the beginning. */
static imp_status turn_body(const imp_free_body *body, const imp_link_state *s, const double old[4],
                            double h, double spin[3], double attitude[4]) {
    double J[9], L[3], change[3], R[9], own[3], turned[3];
    flow f;
    inertia_of(body, s, J);
    sub3(spin, body->spin, change);
    apply3(J, change, L);
    add3(1, body->momentum, L);
    const imp_status status = turn_free(body, s->rotation, L, h, &f);
    multiply4(old, f.turn, attitude);
    normalise4(attitude);
    imp_solver3_solve(&body->shape, f.momentum, own);
    rotation3(f.turn, R);
    apply3(R, own, turned);
    apply3(s->rotation, turned, spin);
    return status;
}

imp_status imp_tree_move(imp_tree *tree, double h, double *v, double *q) {
    imp_status status = IMP_OK;
    if (tree->jointed) imp_tree_swing_leave(tree, h, v);
    if (tree->bodies < tree->nl) imp_tree_advance_jointed(tree, h, v, q);
    for (int i = 0; i < tree->bodies && status == IMP_OK; i++) {
        const imp_free_body *body = &tree->body[i];
        const imp_link *l = &tree->link[body->link];
        const imp_link_state *s = &tree->state[body->link];
        double *velocity = v + l->v_at, *origin = q + l->q_at;
        double attitude[9], c[3], turned[3], after[3];
        if (body->held) {
            imp_attitude_advance(h, velocity + 3, origin + 3);
            add3(h, velocity, origin);
            continue;
        }
        if (!body->centred) {
            apply3(s->rotation, body->com, c);
            add_cross3(velocity + 3, c, velocity); /* of the centre */
        }
        if (body->round)
            imp_attitude_advance(h, velocity + 3, origin + 3);
        else
            status = turn_body(body, s, tree->q + l->q_at + 3, h, velocity + 3, origin + 3);
        if (status != IMP_OK) tree->tumbles = body->link;
        if (body->centred) {
            add3(h, velocity, origin);
            continue;
        }
        rotation3(origin + 3, attitude);
        apply3(attitude, body->com, after);
        sub3(c, after, c);
        memcpy(origin, s->origin, sizeof c);
        add3(h, velocity, origin);
        add3(1, c, origin);
        cross3(velocity + 3, after, turned);
        add3(-1, turned, velocity);
    }
    if (status != IMP_OK || !tree->jointed) return status;
    return imp_tree_swing_arrive(tree, q, v);
}
