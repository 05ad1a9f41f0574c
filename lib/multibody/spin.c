/* spin.c - a time step of free bodies alone: Euler's equations I w' = tau - w x I w, and the
 * straight way of the centre of mass. */
#include "base/vec3.h"
#include "multibody/tree_internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Newton's method comes to rounding in 2 to 5 steps where the body turns by at most a radian; more
 * are for slender bodies, whose rounding is larger. */
enum { NEWTON = 8, MOST_PARTS = 1024 };

/* x <- A^-1 b */
static void solve3(const double A[9], const double b[3], double x[3]) {
    double minor[3][3];
    for (int i = 0; i < 3; i++)
        cross3(A + (i + 1) % 3 * 3, A + (i + 2) % 3 * 3, minor[i]);
    const double determinant = dot3(A, minor[0]);
    for (int k = 0; k < 3; k++)
        x[k] = (b[0] * minor[0][k] + b[1] * minor[1][k] + b[2] * minor[2][k]) / determinant;
}

/* J <- I + h/2 ([w] I - [I w]), with [a] b = a x b: of what `rest` is, by its change. */
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

/* rest <- I change + h w x I w - push, w = spin + change / 2: of the implicit midpoint. */
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
 * midpoint, which without push keeps w'I w and |I w|; `change` on entry a guess. */
static void turn(const double I[9], double h, const double push[3], double spin[3],
                 double change[3]) {
    for (int k = 0; k < NEWTON; k++) {
        double w[3], rest[3], J[9], step[3];
        memcpy(w, spin, sizeof w);
        add3(0.5, change, w);
        rest_of(I, w, change, h, push, rest);
        derivative(I, w, h, J);
        solve3(J, rest, step);
        add3(-1, step, change);
        if (dot3(step, step) <= DBL_EPSILON * dot3(w, w)) break; /* the next would be its square */
    }
    add3(1, change, spin);
}

/* after <- the spin of a body of inertia I (world axes) after h, from `before`; on entry by the
 * rates at `before`, where the couple `turning` is w x I w. */
static imp_status spin_body(const double inertia[9], const double turning[3], double h,
                            const double before[3], double after[3]) {
    const double couple = dot3(turning, turning), speed = dot3(before, before),
                 trace = inertia[0] + inertia[4] + inertia[8],
                 eps = DBL_EPSILON * DBL_EPSILON * trace * trace * speed;
    /* about a principal axis, or too slow to tell */
    if (couple <= 64 * eps * speed || h * h * couple <= eps) return IMP_OK;
    double I[9], change[3], push[3], pushed[3], spin[3];
    for (int k = 0; k < 9; k++)
        I[k] = inertia[k] / trace;
    sub3(after, before, change);
    apply3(I, change, push);
    add3(h / trace, turning, push); /* h tau */
    solve3(I, push, pushed);
    const double parts = ceil(h * (sqrt(speed) + norm3(pushed)));
    if (isnan(parts)) return IMP_OK; /* not finite: so is `after` */
    if (parts > MOST_PARTS) return IMP_UNSUPPORTED;
    memcpy(spin, before, sizeof spin);
    for (int k = 0; k < 3; k++) {
        push[k] /= parts;
        change[k] /= parts;
    }
    for (int k = 0; k < parts; k++)
        turn(I, h / parts, push, spin, change);
    memcpy(after, spin, sizeof spin);
    return IMP_OK;
}

/* The free link of a part that has no other, NULL: none. */
static const imp_link *alone(const imp_tree *tree, int part) {
    const imp_link *l = &tree->link[tree->part[part].link];
    return l->joint == IMP_FREE && tree->part[part].link_end == tree->part[part].link + 1 ? l
                                                                                          : NULL;
}

/* The same of a body whose centre is at c from its origin: before and after (6) are of the origin.
 * The centre's own rate is v' + w' x c + w x (w x c). */
static imp_status spin_offset(const imp_link *l, const imp_link_state *s, double h,
                              const double before[6], double after[6]) {
    const double *spin = before + 3;
    double c[3], momentum[3], turning[3], turned[3], change[3], centre[3];
    apply3(s->rotation, l->com, c);
    apply3(s->inertia, spin, momentum);
    cross3(spin, momentum, turning);
    memcpy(centre, after, sizeof centre); /* its velocity after h */
    sub3(after + 3, spin, change);
    add_cross3(change, c, centre);
    cross3(spin, c, turned);
    add3(1, turned, centre);
    for (int k = 0; k < 3; k++)
        turned[k] *= h;
    add_cross3(spin, turned, centre);
    const imp_status status = spin_body(s->inertia, turning, h, spin, after + 3);
    cross3(after + 3, c, turned);
    sub3(centre, turned, after);
    return status;
}

imp_status imp_tree_spin(const imp_tree *tree, double h, bool straight, const double *before,
                         double *after) {
    imp_status status = IMP_OK;
    for (int k = 0; k < tree->parts && status == IMP_OK; k++) {
        const int at = tree->part[k].v, link = tree->part[k].link;
        if (tree->centred[k])
            status = spin_body(tree->state[link].inertia, tree->carried[link].torque, h,
                               before + at + 3, after + at + 3);
        else if (straight && alone(tree, k))
            status = spin_offset(&tree->link[link], &tree->state[link], h, before + at, after + at);
    }
    return status;
}

void imp_tree_move(const imp_tree *tree, double h, double *v, double *q) {
    imp_tree_advance(tree, h, v, q);
    for (int k = 0; k < tree->parts; k++) {
        const imp_link *l = tree->centred[k] ? NULL : alone(tree, k);
        if (!l) continue;
        const imp_link_state *s = &tree->state[tree->part[k].link];
        double *velocity = v + l->v_at, *origin = q + l->q_at;
        double attitude[9], c[3], turned[3], after[3];
        apply3(s->rotation, l->com, c);
        rotation3(origin + 3, attitude);
        apply3(attitude, l->com, after);
        cross3(velocity + 3, c, turned);
        add3(1, turned, velocity); /* of the centre */
        sub3(c, after, c);
        memcpy(origin, s->origin, sizeof c);
        add3(h, velocity, origin);
        add3(1, c, origin);
        cross3(velocity + 3, after, turned);
        add3(-1, turned, velocity);
    }
}
