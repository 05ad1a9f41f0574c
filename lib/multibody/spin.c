/* spin.c - a time step of free bodies: Euler's equations I w' = tau - w x I w, and the straight way
 * of the centre of mass. */
#include "base/vec3.h"
#include "multibody/tree_internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Newton's method comes to rounding in 2 to 5 steps where the body turns by at most a radian; more
 * are for slender bodies, whose rounding is larger. */
enum { NEWTON = 8, MOST_PARTS = 1 << 20 };

/* x <- A^-1 b, of any A that has it. */
static void solve3(const double A[9], const double b[3], double x[3]) {
    double minor[3][3];
    for (int i = 0; i < 3; i++)
        cross3(A + (i + 1) % 3 * 3, A + (i + 2) % 3 * 3, minor[i]);
    const double determinant = dot3(A, minor[0]);
    for (int k = 0; k < 3; k++)
        x[k] = (b[0] * minor[0][k] + b[1] * minor[1][k] + b[2] * minor[2][k]) / determinant;
}

/* J <- d rest / d change = I + h/2 ([w] I - [I w]), [a] b = a x b. */
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

/* rest <- I change + h w x I w - push, 0 at the implicit midpoint w = spin + change / 2. */
static void rest_of(const double I[9], const double w[3], const double change[3], double h,
                    const double push[3], double rest[3]) {
    double momentum[3], turned[3];
    apply3(I, w, momentum);
    cross3(w, momentum, turned);
    apply3(I, change, rest);
    for (int k = 0; k < 3; k++)
        rest[k] += h * turned[k] - push[k];
}

/* spin <- spin + change, that after h, a part of a step, with `push`, tau h, by the implicit
 * midpoint, which without push keeps w'I w and |I w|; `change` on entry a guess. false: a millionth
 * of the energy is missing, where rounding of the most slender bodies leaves 1e-8; so it is with
 * moments that no body has. */
static bool turn(const double I[9], double h, const double push[3], double spin[3],
                 double change[3]) {
    double w[3], rest[3], J[9], step[3], momentum[3];
    for (int k = 0; k < NEWTON; k++) {
        memcpy(w, spin, sizeof w);
        add3(0.5, change, w);
        rest_of(I, w, change, h, push, rest);
        derivative(I, w, h, J);
        solve3(J, rest, step);
        add3(-1, step, change);
        if (dot3(step, step) <= DBL_EPSILON * dot3(w, w)) { /* the next would be its square */
            add3(1, change, spin);
            return true;
        }
    }
    apply3(I, w, momentum);
    add3(1, change, spin);
    return fabs(dot3(rest, w)) <= 1e-6 * dot3(w, momentum);
}

static double sum_of(const double x[3]) {
    return fabs(x[0]) + fabs(x[1]) + fabs(x[2]);
}

/* after <- the spin of a body of inertia I (world axes) after h, from `before`; on entry by the
 * rates at `before`. */
static imp_status spin_body(const double inertia[9], double h, const double before[3],
                            double after[3]) {
    double momentum[3], turning[3];
    apply3(inertia, before, momentum);
    cross3(before, momentum, turning);
    const double couple = sum_of(turning), trace = inertia[0] + inertia[4] + inertia[8],
                 rounding = DBL_EPSILON * trace * sum_of(before);
    if (h * couple <= rounding) return IMP_OK; /* too slow to tell */
    double I[9], change[3], push[3], pushed[3], spin[3];
    for (int k = 0; k < 9; k++)
        I[k] = inertia[k] / trace;
    sub3(after, before, change);
    apply3(I, change, push);
    add3(h / trace, turning, push); /* h tau */
    solve3(I, push, pushed);
    memcpy(spin, before, sizeof spin);
    /* about a principal axis, as a ball always; not parts, which would be many */
    if (couple <= 8 * rounding * sum_of(before)) {
        add3(1, pushed, spin);
        memcpy(after, spin, sizeof spin);
        return IMP_OK;
    }
    const double parts = ceil(h * (norm3(before) + norm3(pushed)));
    if (isnan(parts)) return IMP_OK; /* not finite: so is `after` */
    if (parts > MOST_PARTS) return IMP_UNSUPPORTED;
    for (int k = 0; k < 3; k++) {
        push[k] /= parts;
        change[k] /= parts;
    }
    for (int k = 0; k < parts; k++)
        if (!turn(I, h / parts, push, spin, change)) return IMP_UNSUPPORTED;
    memcpy(after, spin, sizeof spin);
    return IMP_OK;
}

/* The same of a body whose centre is at c (world axes) from its origin: before and after (6) are of
 * the origin. The centre's own rate is v' + w' x c + w x (w x c). */
static imp_status spin_offset(const double inertia[9], const double c[3], double h,
                              const double before[6], double after[6]) {
    const double *spin = before + 3;
    double turned[3], change[3], centre[3];
    memcpy(centre, after, sizeof centre); /* its velocity after h */
    sub3(after + 3, spin, change);
    add_cross3(change, c, centre);
    cross3(spin, c, turned);
    add3(1, turned, centre);
    for (int k = 0; k < 3; k++)
        turned[k] *= h;
    add_cross3(spin, turned, centre);
    const imp_status status = spin_body(inertia, h, spin, after + 3);
    cross3(after + 3, c, turned);
    sub3(centre, turned, after);
    return status;
}

imp_status imp_tree_spin(const imp_tree *tree, double h, bool straight, const double *before,
                         double *after) {
    imp_status status = IMP_OK;
    for (int i = 0; i < tree->bodies && status == IMP_OK; i++) {
        const imp_free_body *body = &tree->body[i];
        const imp_link_state *s = &tree->state[body->link];
        const int at = tree->link[body->link].v_at;
        const double *inertia = s->inertia;
        double whole[9], c[3];
        if (!body->centred && !straight) continue;
        if (!body->own) {
            congruent3(s->rotation, body->inertia, whole);
            inertia = whole;
        }
        if (body->centred) {
            status = spin_body(inertia, h, before + at + 3, after + at + 3);
            continue;
        }
        apply3(s->rotation, body->com, c);
        status = spin_offset(inertia, c, h, before + at, after + at);
    }
    return status;
}

imp_status imp_tree_move(imp_tree *tree, double h, double *v, double *q) {
    imp_tree_swing_leave(tree, h, v);
    imp_tree_advance(tree, h, v, q);
    for (int i = 0; i < tree->bodies; i++) {
        const imp_free_body *body = &tree->body[i];
        const imp_link *l = &tree->link[body->link];
        const imp_link_state *s = &tree->state[body->link];
        if (body->centred) continue;
        double *velocity = v + l->v_at, *origin = q + l->q_at;
        double attitude[9], c[3], turned[3], after[3];
        apply3(s->rotation, body->com, c);
        rotation3(origin + 3, attitude);
        apply3(attitude, body->com, after);
        cross3(velocity + 3, c, turned);
        add3(1, turned, velocity); /* of the centre */
        sub3(c, after, c);
        memcpy(origin, s->origin, sizeof c);
        add3(h, velocity, origin);
        add3(1, c, origin);
        cross3(velocity + 3, after, turned);
        add3(-1, turned, velocity);
    }
    return imp_tree_swing_arrive(tree, q, v);
}
