/* test_box.c - balls on boxes, boxes on planes: the geometry against brute force, how it moves
 * against differences, and impacts on a face, an edge and a vertex. */
#include "base/vec3.h"
#include "compliant/run.h"
#include "generators/gen.h"
#include "multibody/box.h"
#include "multibody/nearby.h"
#include "tap.h"

static const compliant_material steel = {.stiffness = 1e9, .mu_static = 0.3, .mu_dynamic = 0.3};
static const double radius = 0.1; /* m, of every ball */

/* m, from outside: the least over all points whose coordinates are each at a side or, between the
 * sides, the point's own; from inside, the nearest face. */
static double brute_distance(const double half[3], const double at[3]) {
    double least = INFINITY;
    bool inside = true;
    for (int k = 0; k < 3; k++)
        inside = inside && fabs(at[k]) < half[k];
    for (int k = 0; k < 3 && inside; k++)
        least = fmin(least, fmin(half[k] - at[k], half[k] + at[k]));
    for (int c = 0; c < 27 && !inside; c++) {
        const int choice[3] = {c % 3, c / 3 % 3, c / 9};
        double square = 0;
        for (int k = 0; k < 3; k++) {
            const double to = choice[k] == 2 ? at[k] : choice[k] ? half[k] : -half[k];
            square += fabs(to) <= half[k] ? (at[k] - to) * (at[k] - to) : INFINITY;
        }
        least = fmin(least, sqrt(square));
    }
    return inside ? -least : least;
}

static void test_distance(void) {
    enum { N = 20000 };
    gen_stream stream = gen_seed(71, 1);
    double off = 0, foot_off = 0, unit_off = 0, jump = 0, slope_off = 0;
    int zones[4] = {0}, inside = 0;
    for (int i = 0; i < N; i++) {
        double half[3], at[3], near[3], n[3], m[3];
        int beyond = 0;
        for (int k = 0; k < 3; k++) {
            half[k] = gen_uniform(&stream, 0.1, 1);
            at[k] = gen_uniform(&stream, -1.5, 1.5);
            near[k] = at[k] + gen_uniform(&stream, -1e-3, 1e-3);
            beyond += fabs(at[k]) > half[k];
        }
        zones[beyond]++;
        const double d = imp_box_distance(half, NULL, at, n),
                     d2 = imp_box_distance(half, NULL, near, m);
        off = tap_worst(off, fabs(d - brute_distance(half, at)));
        unit_off = tap_worst(unit_off, fabs(norm3(n) - 1));
        double foot[3] = {at[0], at[1], at[2]}, way[3], turn[3], over = -1;
        add3(-d, n, foot);
        for (int k = 0; k < 3; k++)
            over = fmax(over, fabs(foot[k]) - half[k]);
        foot_off = tap_worst(foot_off, fabs(over));
        sub3(near, at, way);
        sub3(m, n, turn);
        if (d > 0 && d2 > 0) {
            /* the projection on a convex body moves no farther than the point does */
            jump = tap_worst(jump, norm3(turn) * fmin(d, d2) / (2 * norm3(way)));
            slope_off =
                tap_worst(slope_off, fabs(d2 - d - 0.5 * dot3(n, way) - 0.5 * dot3(m, way)) /
                                         (norm3(way) * norm3(way) / fmin(d, d2)));
        }
        inside += d < 0;
    }
    ok(zones[0] > 100 && zones[1] > 100 && zones[2] > 100 && zones[3] > 100 && inside == zones[0],
       "inside %d, over faces %d, edges %d, vertices %d", zones[0], zones[1], zones[2], zones[3]);
    is_near(off, 0, 1e-15, 0, "the distance, against the least over all features");
    is_near(unit_off, 0, 1e-15, 0, "a unit normal");
    is_near(foot_off, 0, 1e-15, 0, "that leads back to the surface");
    ok(jump <= 1, "and turns no faster than a point's: %.3f", jump);
    ok(slope_off <= 1, "in which the distance grows: %.3f", slope_off);
    const double half[3] = {1, 2, 3}, middle[3] = {0}, face[3] = {1, 0.5, 0};
    double n[3];
    is_near(imp_box_distance(half, NULL, middle, n), -1, 0, 0,
            "from the middle to the nearest face");
    is_vec(n, (double[3]){1, 0, 0}, 3, 0, 0, "the first axis");
    is_near(imp_box_distance(half, NULL, face, n), 0, 0, 0, "on the surface");
    is_vec(n, (double[3]){1, 0, 0}, 3, 0, 0, "the face's normal");
}

/* A box of 2 kg, its core 0.4 x 0.6 x 0.8 m, rounded by 0.05 m, and a ball of 1 kg, in a system or
 * in shapes of the stepper. */
typedef struct scene {
    imp_link links[2];
    compliant_sphere spheres[10]; /* the ball, the box, its corners */
    imp_tree *tree;
    compliant_system system;
    double q[14], v[12];
} scene;

static const double half[3] = {0.2, 0.3, 0.4}, rounding = 0.05;

static void build(scene *s, bool fixed, double friction, double give, const double gravity[3],
                  int planes) {
    compliant_material m = steel;
    const compliant_plane ground = {.normal = {0, 0, 1}, .material = steel};
    m.mu_static = m.mu_dynamic = friction;
    m.give = give;
    *s = (scene){.links = {{.parent = IMP_GROUND,
                            .joint = IMP_FREE,
                            .mass = 1,
                            .inertia = {4e-3, 0, 0, 0, 4e-3, 0, 0, 0, 4e-3}},
                           {.parent = IMP_GROUND,
                            .joint = fixed ? IMP_WELD : IMP_FREE,
                            .turn = {1},
                            .mass = 2,
                            .inertia = {0.2, 0, 0, 0, 0.15, 0, 0, 0, 0.1}}},
                 .q = {[3] = 1, [10] = 1}};
    s->spheres[0] = (compliant_sphere){.link = 0, .radius = radius, .material = m};
    s->spheres[1] = (compliant_sphere){.link = 1, .radius = rounding, .material = m};
    memcpy(s->spheres[1].half, half, sizeof half);
    for (int i = 0; i < 8; i++) {
        s->spheres[2 + i] =
            (compliant_sphere){.link = 1, .radius = rounding, .material = m, .corner = true};
        for (int k = 0; k < 3; k++)
            s->spheres[2 + i].centre[k] = i >> k & 1 ? half[k] : -half[k];
    }
    s->tree = imp_tree_new(2, s->links, NULL);
    compliant_system_init(&s->system, s->tree, gravity, 10, s->spheres, planes, &ground, 0.01);
}

static void clear(scene *s) {
    compliant_system_clear(&s->system);
    imp_tree_free(s->tree);
}

static const double still[3] = {0, 0, 0};

/* A tumbling box and a ball that spins beside it: rate and turning of the touch against
 * differences, in the three zones; the stepper's contact is the same. */
static void test_motion(void) {
    enum { N = 300 };
    gen_stream stream = gen_seed(72, 1);
    double rate_off = 0, turn_off = 0, slip_off = 0, gap_off = 0, frame_off = 0, point_off = 0;
    scene s;
    build(&s, false, 0.3, 1.2, still, 0);
    ok(s.system.npairs == 1 && s.system.pairs[0].a == 1 && s.system.pairs[0].b == 0,
       "one pair, of the box and the ball: corners meet neither");
    const imp_ball shapes_of[2] = {{.link = 0, .radius = radius},
                                   {.link = 1, .radius = rounding, .half = {0.2, 0.3, 0.4}}};
    const double origin[6] = {0};
    imp_world *world = imp_world_of_bodies(2, s.links, origin, NULL);
    imp_shapes shapes = {.balls = 2, .ball = shapes_of, .reach = 10};
    imp_nearby_list list = {0};
    for (int i = 0; i < N; i++) {
        const int zone = i % 3; /* sides beyond which the ball's centre is */
        double at[3], R[9], later[2][14], n[2][3], depth[2];
        for (int k = 0; k < 3; k++) {
            const double out = half[k] + gen_uniform(&stream, 0.06, 0.14);
            at[k] = k <= zone ? (i & 8 ? -out : out) : gen_uniform(&stream, -0.9, 0.9) * half[k];
        }
        for (int k = 0; k < 12; k++)
            s.v[k] = gen_uniform(&stream, -2, 2);
        for (int k = 0; k < 4; k++)
            s.q[10 + k] = gen_uniform(&stream, -1, 1);
        normalise4(s.q + 10);
        rotation3(s.q + 10, R);
        apply3(R, at, s.q);
        for (int side = 0; side < 2; side++) {
            memcpy(later[side], s.q, sizeof s.q);
            imp_tree_advance(s.tree, side ? 1e-6 : -1e-6, s.v, later[side]);
            imp_tree_place(s.tree, later[side], s.v);
            const compliant_touch t = compliant_look(&s.system, 0);
            memcpy(n[side], t.normal, sizeof n[side]);
            depth[side] = t.depth;
        }
        imp_tree_place(s.tree, s.q, s.v);
        const compliant_touch t = compliant_look(&s.system, 0);
        double turning[3], change[3], spin, local[3];
        cross3(t.turn, t.normal, turning);
        sub3(n[1], n[0], change);
        add3(-2e-6, turning, change);
        spin = dot3(t.turn, t.normal) - 0.5 * (dot3(s.v + 3, t.normal) + dot3(s.v + 9, t.normal));
        rate_off = tap_worst(rate_off, fabs((depth[1] - depth[0]) / 2e-6 - t.rate));
        turn_off = tap_worst(turn_off, norm3(change) / 2e-6 + fabs(spin));
        slip_off = tap_worst(slip_off, fabs(dot3(t.slip, t.normal)));
        /* the point is halfway in the overlap of two alike surfaces */
        apply3_transposed(R, t.point, local);
        double away[3];
        point_off = tap_worst(
            point_off, fabs(imp_box_distance(half, NULL, local, away) - rounding + 0.5 * t.depth));
        memcpy(world->q, s.q, sizeof s.q);
        memcpy(world->v, s.v, sizeof s.v);
        imp_world_place(world);
        list.count = 0;
        imp_shapes_nearby(&shapes, world, 0.01, &list);
        if (list.count != 1 || list.item[0].contact.a != 1 || list.item[0].contact.b != 0)
            gap_off = NAN;
        else {
            gap_off = tap_worst(gap_off, fabs(list.item[0].gap + t.depth));
            for (int k = 0; k < 3; k++) {
                frame_off = tap_worst(frame_off, fabs(list.item[0].contact.frame[k] - t.normal[k]));
                point_off = tap_worst(point_off, fabs(list.item[0].contact.point[k] - t.point[k]));
            }
        }
    }
    is_near(rate_off, 0, 1e-8, 0, "the rate of the depth");
    is_near(turn_off, 0, 1e-7, 0, "the turning of the normal, and the mean spin about it");
    is_near(slip_off, 0, 1e-14, 0, "the slip is along the surface");
    is_near(gap_off, 0, 1e-14, 0, "the stepper's gap");
    is_near(frame_off, 0, 1e-14, 0, "normal");
    is_near(point_off, 0, 1e-14, 0, "and point: halfway between the surfaces");
    imp_nearby_clear(&list);
    imp_world_free(world);
    clear(&s);
}

/* A ball comes along the normal onto a face, an edge, a vertex of a box that stands fast: as onto a
 * plane. */
static void test_impacts(void) {
    for (int zone = 0; zone < 3; zone++) {
        scene s;
        compliant_result r;
        double n[3];
        build(&s, true, 0.3, 0, still, 0);
        const double length = sqrt(zone + 1.0);
        for (int k = 0; k < 3; k++) {
            n[k] = k <= zone ? 1 / length : 0;
            s.q[k] = (k <= zone ? half[k] : 0) + (rounding + radius + 0.01) * n[k];
            s.v[k] = -2 * n[k];
        }
        compliant_settings set = compliant_settings_default();
        const imp_status status = compliant_run(&s.system, &set, s.q, s.v, &r);
        const double depth = pow(1.25 * 4 / s.system.pairs[0].law.stiffness, 0.4);
        is_near(s.system.pairs[0].law.stiffness,
                compliant_law_of(&steel, &steel, radius, 0.01).stiffness, 0, 0,
                "%d of 3 sides: a plane's law", zone + 1);
        double back[3] = {2 * n[0], 2 * n[1], 2 * n[2]};
        ok(status == IMP_OK && r.nspells == 1, "one contact");
        is_near(r.first_touch, 0.005, 1e-13, 0, "that begins when the gap is gone");
        is_near(r.deepest[0], depth, 0, 1e-8, "as deep as on a plane");
        is_vec(r.y + r.layout.v, back, 3, 1e-9, 0, "and throws back along the normal");
        compliant_result_clear(&r);
        clear(&s);
    }
}

/* A ball hits a free box off its middle, on a face, an edge, a vertex: momentum, angular momentum
 * and, without friction, energy. */
static void test_conserves(void) {
    for (int k = 0; k < 6; k++) {
        const int zone = k % 3;
        const double give = k < 3 ? 0 : 1.2;
        scene s;
        compliant_result r;
        double p[2][3] = {{0}}, L[2][3] = {{0}};
        build(&s, false, give > 0 ? 0.3 : 0, give, still, 0);
        for (int x = 0; x < 3; x++) {
            s.q[x] = x <= zone ? half[x] + 0.12 : 0.5 * half[x];
            s.v[x] = x <= zone ? -2 : 0.3;
        }
        s.v[4] = 5, s.v[9] = 0.5;
        compliant_settings set = compliant_settings_default();
        const imp_status status = compliant_run(&s.system, &set, s.q, s.v, &r);
        for (int side = 0; side < 2; side++) {
            imp_tree_place(s.tree, side ? r.y : s.q, side ? r.y + r.layout.v : s.v);
            for (int i = 0; i < 2; i++) {
                const imp_link_state *b = imp_tree_state(s.tree, i);
                double own[3], about[3];
                add3(s.links[i].mass, b->velocity, p[side]);
                apply3(b->inertia, b->spin, own);
                cross3(b->com, b->velocity, about);
                add3(1, own, L[side]);
                add3(s.links[i].mass, about, L[side]);
            }
        }
        ok(status == IMP_OK && r.nspells == 1 && r.end == COMPLIANT_APART,
           "%d of 3 sides, free, %s", zone + 1, give > 0 ? "gripping" : "smooth");
        is_vec(p[1], p[0], 3, 1e-11, 0, "momentum");
        is_vec(L[1], L[0], 3, 1e-9, 0, "angular momentum");
        const double lost = give > 0 ? r.y[r.layout.rubbed] : 0;
        is_near(r.kinetic + lost, r.energy0, 0, 1e-8, "energy");
        ok((lost > 0) == (give > 0), "of which friction takes some, where there is any");
        compliant_result_clear(&r);
        clear(&s);
    }
}

/* A box set down as deep as its weight presses its four lower corners, 4 k x^1.5 = m g, with the
 * ball on its upper face in the middle, k' y^1.5 = m g: both stay. */
static void test_rest(void) {
    static const double down[3] = {0, 0, -9.81};
    scene s;
    compliant_result r;
    build(&s, false, 0.3, 0, down, 1);
    double k = 0, on_box = 0;
    int landing = 0;
    for (int i = 0; i < s.system.npairs; i++) {
        const compliant_pair *p = &s.system.pairs[i];
        if (p->plane >= 0 && p->b >= 2) k = p->law.stiffness, landing++;
        if (p->plane < 0) on_box = p->law.stiffness;
        if (p->plane >= 0 && p->b == 1) landing = -100;
    }
    ok(landing == 8 && s.system.npairs == 10,
       "eight corners meet the plane, the box itself does not");
    const double sag = pow(3 * 9.81 / (4 * k), 2.0 / 3), dent = pow(9.81 / on_box, 2.0 / 3);
    s.q[9] = half[2] + rounding - sag;
    s.q[2] = s.q[9] + half[2] + rounding + radius - dent;
    compliant_settings set = compliant_settings_default();
    set.until = 0.1, set.apart = -1;
    const imp_status status = compliant_run(&s.system, &set, s.q, s.v, &r);
    ok(status == IMP_OK && r.nspells == 5, "five contacts");
    is_near(r.y[9], s.q[9], 1e-9 * sag, 0, "the box stays");
    is_near(r.y[2], s.q[2], 1e-9 * sag, 0, "and the ball on it");
    double lift = 0;
    for (int i = 0; i < s.system.npairs; i++)
        if (s.system.pairs[i].plane >= 0) lift += r.y[r.layout.impulse + 3 * i + 2];
    is_near(lift, 3 * 9.81 * 0.1, 0, 1e-8, "the plane bears both");
    compliant_result_clear(&r);
    clear(&s);
}

/* Two balls and a ball in a box: where a place is no number no overlap is little. */
static void test_overlap(void) {
    const imp_link body = {.parent = IMP_GROUND,
                           .joint = IMP_FREE,
                           .turn = {1},
                           .mass = 1,
                           .inertia = {1, 0, 0, 0, 1, 0, 0, 0, 1}},
                   bodies[2] = {body, body};
    const double places[6] = {0, 0, 0, 0.5, 0, 0};
    for (int box = 0; box < 2; box++) {
        imp_ball ball[2] = {{.link = 0, .radius = 0.1}, {.link = 1, .radius = 1}};
        for (int k = 0; k < 3 && box; k++)
            ball[0].half[k] = 0.2;
        const imp_shapes shapes = {.balls = 2, .ball = ball, .reach = 1};
        imp_world *world = imp_world_of_bodies(2, bodies, places, NULL);
        imp_world_place(world);
        const double overlap = imp_shapes_overlap(&shapes, world);
        int infinite = 0;
        for (int k = 0; k < 14; k++) {
            const double kept = world->q[k];
            world->q[k] = NAN;
            imp_world_place(world);
            infinite += imp_shapes_overlap(&shapes, world) == INFINITY;
            world->q[k] = kept;
        }
        is_near(overlap, box ? 0.8 : 0.6, 1e-15, 0, "an overlap");
        ok(infinite == 14, "and with one of 14 places no number: %d infinite", infinite);
        imp_world_free(world);
    }
}

int main(void) {
    test_distance();
    test_motion();
    test_impacts();
    test_conserves();
    test_rest();
    test_overlap();
    return tap_done();
}
