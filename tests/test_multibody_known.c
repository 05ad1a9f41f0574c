/* test_multibody_known.c - what a tree knows of its links and does not work out again: where they
 * stood, and which are bodies that turn about their centre. To the bit what those make who do not
 * know it. */
#include "generators/gen_tree.h"
#include "impact.h"
#include "multibody/tree.h"
#include "tap.h"

static bool same_place(const imp_tree *a, const imp_tree *b) {
    bool same = true;
    for (int i = 0; i < imp_tree_links(a); i++)
        same =
            same && memcmp(imp_tree_state(a, i), imp_tree_state(b, i), sizeof(imp_link_state)) == 0;
    return same;
}

/* A tree that is placed again, some of its coordinates as they were, stands where one stands that
 * was never elsewhere, to the bit. */
static void test_placed_again(void) {
    int same = 0, trials = 0;
    for (uint64_t k = 0; k < 50; k++) {
        gen_stream s = gen_seed(504, k), again = s;
        imp_tree *tree = gen_tree(&s, 1), *fresh;
        const int nq = imp_tree_nq(tree);
        double q[64] = {0}, v[64] = {0};
        gen_tree_state(&s, tree, q, v);
        for (int change = -1; change < nq; change++, trials++) {
            if (change >= 0) q[change] += 0.1;
            v[0] += 0.1;
            imp_tree_place(tree, q, v);
            gen_stream from = again;
            fresh = gen_tree(&from, 1);
            imp_tree_place(fresh, q, v);
            same += same_place(tree, fresh);
            imp_tree_free(fresh);
        }
        imp_tree_free(tree);
    }
    ok(same == trials, "placed again stands as placed at once: %d of %d", same, trials);
}

/* A body that turns about its centre, whose motions decouple, against the same with a link without
 * mass welded to it, of which that is not known: to the bit. */
static void test_centred(void) {
    bool same = true;
    for (uint64_t k = 0; k < 50; k++) {
        gen_stream s = gen_seed(505, k);
        imp_link links[2] = {{.parent = IMP_GROUND, .joint = IMP_FREE, .mass = 0.7},
                             {.parent = 0, .joint = IMP_WELD, .turn = {1, 0, 0, 0}}};
        double q[7], v[6], H[2][36], x[2][6], point[3], force[3];
        const double moments[9] = {0.3, 0.01, -0.02, 0.01, 0.2, 0.03, -0.02, 0.03, 0.25};
        memcpy(links[0].inertia, moments, sizeof moments);
        gen_unit(&s, q + 3, 4);
        gen_unit(&s, q, 3), gen_unit(&s, v, 3), gen_unit(&s, v + 3, 3);
        gen_unit(&s, point, 3), gen_unit(&s, force, 3);
        for (int both = 0; both < 2; both++) {
            imp_tree *tree = imp_tree_new(1 + both, links, NULL);
            memcpy(x[both], v, sizeof v);
            imp_tree_place(tree, q, v);
            imp_tree_mass_matrix(tree, H[both]);
            same = same && imp_tree_factor(tree) == IMP_OK;
            imp_tree_push(tree, both, point, force, x[both]);
            imp_tree_solve(tree, x[both]);
            imp_tree_free(tree);
        }
        for (int i = 0; i < 36; i++)
            same = same && H[0][i] == H[1][i];
        for (int i = 0; i < 6; i++)
            same = same && x[0][i] == x[1][i];
    }
    ok(same, "a centred body moves as one of which that is not known");
}

int main(void) {
    test_placed_again();
    test_centred();
    return tap_done();
}
