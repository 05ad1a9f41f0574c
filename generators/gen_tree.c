/* gen_tree.c - random trees of rigid bodies. */
#include "gen_tree.h"

#include "base/vec3.h"

void gen_unit(gen_stream *s, double *x, int n) {
    double square = 0;
    for (int i = 0; i < n; i++) {
        x[i] = gen_normal(s);
        square += x[i] * x[i];
    }
    for (int i = 0; i < n; i++)
        x[i] /= sqrt(square);
}

imp_link gen_link(gen_stream *s, int parent, imp_joint joint) {
    imp_link l = {.parent = parent, .joint = joint, .mass = gen_uniform(s, 0.2, 3)};
    gen_unit(s, l.turn, 4);
    gen_unit(s, l.axis, 3);
    double turn[9], side[3];
    gen_rotation(s, turn);
    for (int i = 0; i < 3; i++) {
        l.offset[i] = gen_uniform(s, -1, 1);
        l.com[i] = gen_uniform(s, -0.5, 0.5);
        side[i] = gen_uniform(s, 0.1, 1);
    }
    const double x = side[0] * side[0], y = side[1] * side[1], z = side[2] * side[2],
                 m = l.mass / 12;
    const double box[9] = {m * (y + z), 0, 0, 0, m * (x + z), 0, 0, 0, m * (x + y)};
    congruent3(turn, box, l.inertia);
    return l;
}

void gen_tree_state(gen_stream *s, const imp_tree *tree, double *q, double *v) {
    for (int i = 0; i < imp_tree_nq(tree); i++)
        q[i] = gen_uniform(s, -2, 2);
    for (int i = 0; i < imp_tree_nv(tree); i++)
        v[i] = gen_uniform(s, -3, 3);
    for (int i = 0; i < imp_tree_links(tree); i++)
        if (imp_tree_link(tree, i)->joint == IMP_FREE)
            gen_unit(s, q + imp_tree_link(tree, i)->q_at + 3, 4);
}

imp_tree *gen_tree(gen_stream *s, int with_free) {
    const imp_joint second = with_free ? IMP_FREE : IMP_REVOLUTE;
    const imp_link links[] = {gen_link(s, IMP_GROUND, IMP_REVOLUTE),
                              gen_link(s, IMP_GROUND, second),
                              gen_link(s, 0, IMP_REVOLUTE),
                              gen_link(s, 1, IMP_REVOLUTE),
                              gen_link(s, 2, IMP_WELD),
                              gen_link(s, 4, IMP_REVOLUTE),
                              gen_link(s, 0, IMP_PRISMATIC),
                              gen_link(s, 3, IMP_WELD)};
    return imp_tree_new(8, links, NULL);
}
