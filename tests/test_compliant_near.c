/* test_compliant_near.c - the list of near pairs: none is missing against every pair looked at, and
 * its work grows with the spheres, not with the pairs. */
#include "compliant/near.h"
#include "base/vec3.h"
#include "generators/gen.h"
#include "tap.h"

enum { MOST = 1000 };

static const compliant_material soft = {.stiffness = 1e7};
static const compliant_plane planes[2] = {
    {.normal = {0, 0, 1}, .material = {.stiffness = 1e7}},
    {.point = {-1, 0, 0}, .normal = {1, 0, 0}, .material = {.stiffness = 1e7}}};

/* n balls of up to `largest` m at random in a room of a side, the first with a box around it where
 * `boxed`; some hang on ground or are joined, so that pairs are missing. */
typedef struct heap {
    imp_tree *tree;
    compliant_system system;
    double q[7 * MOST];
} heap;

static void build(heap *h, gen_stream *stream, int n, double side, double largest, bool boxed) {
    static imp_link links[MOST];
    static compliant_sphere spheres[MOST];
    static const double still[3] = {0};
    for (int i = 0; i < n; i++) {
        links[i] = (imp_link){.parent = IMP_GROUND,
                              .joint = IMP_FREE,
                              .turn = {1},
                              .mass = 1,
                              .inertia = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
        spheres[i] = (compliant_sphere){.link = i % 7 == 3 ? i - 1 : i,
                                        .centre = {0.1 * (i % 7 == 3), 0, 0},
                                        .radius = gen_uniform(stream, 0.5, 1) * largest,
                                        .material = soft};
        for (int k = 0; k < 3; k++)
            h->q[7 * i + k] = gen_uniform(stream, -side, side);
        for (int k = 3; k < 7; k++)
            h->q[7 * i + k] = k == 3;
    }
    if (boxed)
        for (int k = 0; k < 3; k++)
            spheres[n / 2].half[k] = 0.3 * side * (k + 1) / 3;
    h->tree = imp_tree_new(n, links, NULL);
    compliant_system_init(&h->system, h->tree, still, n, spheres, 2, planes, 0.01);
    imp_tree_place(h->tree, h->q, NULL);
}

static void clear(heap *h) {
    compliant_system_clear(&h->system);
    imp_tree_free(h->tree);
}

/* Every pair whose surfaces are within reach is listed, once, ascending; far away, at the rim of
 * the grid, too. */
static void test_complete(void) {
    gen_stream stream = gen_seed(73, 1);
    int missing = 0, listed = 0, near_ones = 0, disorder = 0;
    static heap h;
    static bool pressing[MOST * MOST];
    for (int k = 0; k < 60; k++) {
        const int n = 1 + 2 * k;
        build(&h, &stream, n, 1, 0.3 * gen_uniform(&stream, 0.1, 1), k % 3 == 0);
        if (k % 5 == 0) /* far from the origin */
            for (int i = 0; i < n; i++)
                h.q[7 * i + 1] += k % 10 == 0 ? 1e6 : 1e18;
        imp_tree_place(h.tree, h.q, NULL);
        compliant_near near;
        compliant_near_init(&near, &h.system, 0.01, 0.02);
        for (int again = 0; again < 2; again++)
            compliant_near_list(&near, pressing, again * 0.03);
        for (int i = 0, at = 0; i < h.system.npairs; i++) {
            while (at < near.count && near.pair[at] < i)
                at++;
            const bool found = at < near.count && near.pair[at] == i;
            const bool close = -compliant_look(&h.system, i).depth <= near.reach;
            missing += close && !found;
            near_ones += close;
            listed += found;
        }
        for (int i = 1; i < near.count; i++)
            disorder += near.pair[i] <= near.pair[i - 1];
        compliant_near_clear(&near);
        clear(&h);
    }
    ok(missing == 0 && near_ones > 1000, "%d near pairs, none missing among %d listed", near_ones,
       listed);
    ok(disorder == 0, "ascending, none twice");
    ok(listed < 2 * near_ones, "and few that are far");
}

/* Eight times as many balls in eight times the room: as many gaps a ball. */
static void test_work(void) {
    static heap h;
    static bool pressing[MOST * MOST];
    double of_ball[2];
    for (int k = 0; k < 2; k++) {
        const int n = k ? MOST : MOST / 8;
        gen_stream stream = gen_seed(74, 1);
        compliant_near near;
        build(&h, &stream, n, k ? 2 : 1, 0.1, false);
        compliant_near_init(&near, &h.system, 0.01, 0.02);
        compliant_near_list(&near, pressing, 0);
        of_ball[k] = (double)near.looked / n;
        note("%d balls, %d pairs: %g gaps a ball", n, h.system.npairs, of_ball[k]);
        compliant_near_clear(&near);
        clear(&h);
    }
    ok(of_ball[1] < 1.5 * of_ball[0], "the work of a ball does not grow with their number");
}

int main(void) {
    test_complete();
    test_work();
    return tap_done();
}
