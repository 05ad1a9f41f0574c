/* The sweeps of a granular step, in which order and how many; the neighbour list, how long it lasts
 * and what a new one keeps; and the numbers that a step reports. */
#include "granular/relax.h"
#include "granular_box.h"
#include "base/vec3.h"
#include "tap.h"

enum { SMALL = 120, MOST = SMALL + 1, MOST_CONTACTS = 2 * MOST };

/* m, near a corner of bricks where there are two along each axis */
static const double CENTRE = 0.0445;

/* A sphere of ten radii, resting on a floor, among small ones that come in from all sides: more
 * neighbours than there are colours. */
static imp_granular *crowd(const imp_granular_settings *set) {
    const imp_shape floor = {.kind = IMP_SHAPE_PLANE,
                             .normal = {0, 0, 1},
                             .point = {0, 0, CENTRE - 5e-3},
                             .friction = 0.1};
    imp_status status;
    imp_granular *g = imp_granular_new(set, 1, &floor, NULL, &status);
    imp_sphere s = {.position = {CENTRE, CENTRE, CENTRE},
                    .spin = {30, -20, 10},
                    .radius = 5e-3,
                    .density = 2650};
    bool good = g && imp_granular_add(g, 1, &s) == IMP_OK;
    s.radius = 5e-4;
    for (int i = 0; i < SMALL && good; i++) { /* points of a spiral on a sphere */
        const double z = (2 * i + 1) / (double)SMALL - 1, angle = 2.399963 * i,
                     across = sqrt(1 - z * z);
        const double to[3] = {across * cos(angle), across * sin(angle), z};
        for (int x = 0; x < 3; x++) {
            s.position[x] = CENTRE + 5.502e-3 * to[x];
            s.velocity[x] = -0.5 * to[x] + (x == 2 ? 0.1 : 0);
        }
        good = imp_granular_add(g, 1, &s) == IMP_OK;
    }
    if (good) return g;
    imp_granular_free(g);
    return NULL;
}

/* One contact by hand: bodies, normal, impulse. */
typedef struct touch {
    body *a, *b;
    double n[3], bias, p[3];
} touch;

static void relax(touch *t) {
    double change[3], turn[3];
    memcpy(change, t->p, sizeof change);
    imp_relax_closed(t->a, t->b, t->n, t->bias, t->p);
    for (int x = 0; x < 3; x++)
        change[x] = t->p[x] - change[x];
    cross3(change, t->n, turn);
    add3(-t->a->inv_mass, change, t->a->v);
    add3(t->b->inv_mass, change, t->b->v);
    add3(2.5 * t->a->inv_mass, turn, t->a->q);
    add3(2.5 * t->b->inv_mass, turn, t->b->q);
}

/* Sweeps over the contacts in the order in which they are told; every second one backwards where
 * `symmetric`. */
static void test_order(bool symmetric, int bricks) {
    imp_granular_settings set = imp_granular_settings_default();
    static imp_granular_contact c[MOST_CONTACTS];
    touch touches[MOST_CONTACTS];
    imp_sphere before[MOST];
    body hand[MOST], floor = {.friction = 0.1};
    memset(set.gravity, 0, sizeof set.gravity);
    set.bricks[0] = set.bricks[1] = set.bricks[2] = bricks;
    set.symmetric = symmetric;
    set.sweeps = 3;
    imp_granular *g = crowd(&set);
    for (int i = 0; g && i < MOST; i++) {
        const imp_sphere s = before[i] = imp_granular_sphere(g, i);
        hand[i] = (body){.inv_mass = 1 / box_mass(&s), .friction = set.friction};
        memcpy(hand[i].v, s.velocity, sizeof s.velocity);
        add3(s.radius, s.spin, hand[i].q);
    }
    const bool good = g && imp_granular_step(g, NULL) == IMP_OK;
    const int n = good ? imp_granular_contacts(g, c, MOST_CONTACTS) : 0;
    for (int k = 0; k < n; k++) {
        touch *t = &touches[k];
        const imp_sphere *b = &before[imp_granular_sphere(g, c[k].b).id], *a = NULL;
        *t = (touch){.a = &floor, .b = &hand[b->id], .n = {0, 0, 1}};
        double gap = b->position[2] - (CENTRE - 5e-3) - b->radius;
        if (c[k].a >= 0) {
            a = &before[imp_granular_sphere(g, c[k].a).id];
            t->a = &hand[a->id];
            sub3(b->position, a->position, t->n);
            const double distance = norm3(t->n);
            gap = distance - a->radius - b->radius;
            for (int x = 0; x < 3; x++)
                t->n[x] /= distance;
        }
        t->bias = gap / set.step * (gap < 0 ? set.erp : 1);
    }
    for (int i = 0; i < set.sweeps; i++)
        for (int k = 0; k < n; k++)
            relax(&touches[symmetric && i % 2 ? n - 1 - k : k]);
    double off = n > SMALL ? 0 : INFINITY;
    for (int i = 0; i < MOST && good; i++) {
        const imp_sphere s = imp_granular_sphere(g, i);
        for (int x = 0; x < 3; x++)
            off = tap_worst(off, fabs(s.velocity[x] - hand[s.id].v[x]) +
                                     fabs(s.radius * s.spin[x] - hand[s.id].q[x])); /* of 0.5 m/s */
    }
    ok(off < 1e-12, "%d bricks along each axis%s: three sweeps over %d contacts by hand (%.1g m/s)",
       bricks, symmetric ? ", the second backwards" : "", n, off);
    imp_granular_free(g);
}

/* All spheres at once are those one by one, and no more than there is room for. */
static void test_all_at_once(void) {
    const imp_granular_settings set = imp_granular_settings_default();
    imp_sphere all[MOST + 1], few[3] = {{.id = -1}, {.id = -1}, {.id = -1}};
    memset(all, 0, sizeof all);
    all[MOST].id = -1;
    imp_granular *g = crowd(&set);
    bool same = g && imp_granular_spheres(g, all, MOST + 1) == MOST && all[MOST].id == -1;
    for (int i = 0; same && i < MOST; i++) {
        const imp_sphere s = imp_granular_sphere(g, i);
        same = all[i].id == s.id && memcmp(all[i].position, s.position, sizeof s.position) == 0 &&
               memcmp(all[i].velocity, s.velocity, sizeof s.velocity) == 0;
    }
    ok(same, "all spheres at once are those one by one");
    ok(g && imp_granular_spheres(g, few, 2) == MOST && few[1].id == all[1].id && few[2].id == -1,
       "and no more than there is room for");
    imp_granular_free(g);
}

/* No more sweeps than asked for, and the report says how many. */
static void test_limit(void) {
    imp_granular_settings set = imp_granular_settings_default();
    imp_granular_report r = {0};
    set.tolerance = 1e-30;
    set.sweeps = 2;
    set.most_sweeps = 7;
    imp_granular *g = crowd(&set);
    const imp_status status = g ? imp_granular_step(g, &r) : IMP_NO_MEMORY;
    ok(status == IMP_NOT_CONVERGED && r.sweeps == 7,
       "a tolerance out of reach: the most sweeps, %d", r.sweeps);
    if (g)
        ok(imp_granular_cost(g).relaxations == 7LL * r.contacts,
           "  of every contact: %lld relaxations", imp_granular_cost(g).relaxations);
    imp_granular_free(g);
}

/* Three spheres, one on the other, carried along a floor without friction: every new list finds the
 * impulses of the old one, in the cell behind and in the next one, where a pair is named the other
 * way round. Few sweeps are enough. */
static void test_kept(void) {
    imp_granular_settings set = imp_granular_settings_default();
    const imp_shape floor = {.kind = IMP_SHAPE_PLANE, .normal = {0, 0, 1}};
    const double r = 1e-3, aside = 1e-4, above = sqrt(4 * r * r - aside * aside);
    imp_status status;
    imp_granular_contact c[4];
    set.high[1] = set.high[2] = 0.01; /* cells as narrow as may be */
    set.friction = 0;
    set.warm = 1;
    set.sweeps = 4;
    set.skin = 1e-9; /* a list lasts for a few steps */
    imp_granular *g = imp_granular_new(&set, 1, &floor, NULL, &status);
    for (int i = 0; g && i < 3; i++) {
        const imp_sphere s = {.position = {0.05 - i * aside, 0.005, r + i * above},
                              .velocity = {1},
                              .radius = r,
                              .density = 2650};
        if (imp_granular_add(g, 1, &s) != IMP_OK) abort();
    }
    double worst = g ? 0 : INFINITY;
    int turns = 0;
    int64_t first = 0;
    for (int i = 0; i < 500 && worst < INFINITY; i++) {
        imp_granular_report report;
        if (imp_granular_step(g, &report) != IMP_OK || imp_granular_contacts(g, c, 4) != 3)
            worst = INFINITY;
        if (i < 250) continue; /* the impulses grow out of nothing */
        worst = tap_worst(worst, report.residual);
        turns += imp_granular_sphere(g, 0).id != first;
        first = imp_granular_sphere(g, 0).id;
    }
    const long long lists = g ? imp_granular_cost(g).rebuilds : 0;
    ok(turns > 1 && lists > 100, "spheres change their order %d times in %lld lists", turns, lists);
    ok(worst < 1e-3, "  and keep their impulses: four sweeps are enough (residual %.2g)", worst);
    imp_granular_free(g);
}

/* What all do together does not make a list old, but for what a shape would see: it has four
 * skins. */
static void test_common_motion(void) {
    imp_granular_settings set = imp_granular_settings_default();
    imp_status status;
    memset(set.gravity, 0, sizeof set.gravity);
    imp_granular *g = imp_granular_new(&set, 0, NULL, NULL, &status);
    for (int i = 0; g && i < 27; i++) {
        const int at[3] = {i / 9, i / 3 % 3, i % 3};
        const imp_sphere s = {
            .position = {0.03 + 3e-3 * at[0], 0.03 + 3e-3 * at[1], 0.03 + 3e-3 * at[2]},
            .velocity = {1, -2, 0.5},
            .radius = 1e-3,
            .density = 2650};
        imp_granular_add(g, 1, &s);
    }
    if (g) box_run(g, 300, &status); /* 6.9 mm; 4 skins are 0.7 */
    ok(g && status == IMP_OK && imp_granular_cost(g).rebuilds <= 11,
       "spheres that fly together need %lld lists", g ? imp_granular_cost(g).rebuilds : 0);
    imp_granular_free(g);
}

/* A plane that comes from afar meets spheres that rest: nothing moves but the plane, and the list
 * gets old. */
static void test_piston(void) {
    imp_granular_settings set = imp_granular_settings_default();
    const imp_shape piston = {.kind = IMP_SHAPE_PLANE, .normal = {1, 0, 0}, .velocity = {5, 0, 0}};
    const imp_sphere s = {.position = {5e-3, 0.05, 0.05}, .radius = 1e-3, .density = 2650};
    imp_status status;
    double deepest = 0;
    memset(set.gravity, 0, sizeof set.gravity);
    imp_granular *g = imp_granular_new(&set, 1, &piston, NULL, &status);
    if (g) imp_granular_add(g, 1, &s);
    for (int i = 0; g && i < 200; i++) {
        imp_granular_report r = {0};
        imp_granular_step(g, &r);
        deepest = fmax(deepest, r.penetration);
    }
    const double speed = g ? imp_granular_sphere(g, 0).velocity[0] : NAN;
    ok(fabs(speed - 5) < 1e-9 && deepest < 1e-12,
       "a plane takes a resting sphere along (%.6g m/s, %.1g m deep)", speed, deepest);
    imp_granular_free(g);
}

/* Without gravity the residual is over the largest speed: of two that meet, each at `speed` besides
 * a common velocity, with no sweep that would do anything about it, their approach over it. */
static void test_report(void) {
    for (int k = 1; k <= 3; k += 2) {
        imp_granular_settings set = imp_granular_settings_default();
        imp_status status;
        imp_granular_report r = {0};
        memset(set.gravity, 0, sizeof set.gravity);
        set.sweeps = 0;
        set.warm = 0;
        imp_granular *g = imp_granular_new(&set, 0, NULL, NULL, &status);
        imp_sphere s = {
            .position = {0.05, 0.05, 0.05}, .velocity = {k, 4, 0}, .radius = 1e-3, .density = 2650};
        const double fastest = hypot(k, 4);
        if (g) imp_granular_add(g, 1, &s);
        s.position[0] += 2e-3;
        s.velocity[0] = -k;
        if (g && imp_granular_add(g, 1, &s) == IMP_OK) imp_granular_step(g, &r);
        is_near(r.fastest, fastest, 0, 1e-15, "the largest speed, not that beside the mean");
        is_near(r.residual, 2 * k / fastest, 0, 1e-12,
                "residual of two spheres that meet at %d m/s", k);
        imp_granular_free(g);
    }
}

/* Where every sphere rests, the speed of a shape counts, or that of a push-out: two sweeps leave a
 * row of touching spheres a part of it. */
static void test_rest(void) {
    for (int k = 0; k < 2; k++) {
        imp_granular_settings set = imp_granular_settings_default();
        const imp_shape piston = {
            .kind = IMP_SHAPE_PLANE, .normal = {1, 0, 0}, .velocity = {k ? 0 : 0.1, 0, 0}};
        const double gap = k ? -1e-6 : 0, speed = k ? 0.8 * 1e-6 / 1e-5 : 0.1;
        imp_status status;
        imp_granular_report r = {0};
        memset(set.gravity, 0, sizeof set.gravity);
        set.sweeps = 2;
        set.tolerance = 1e-6;
        imp_granular *g = imp_granular_new(&set, 1, &piston, NULL, &status);
        for (int i = 0; g && i < 4; i++) {
            const imp_sphere s = {
                .position = {1e-3 + i * (2e-3 + gap), 0.05, 0.05}, .radius = 1e-3, .density = 2650};
            imp_granular_add(g, 1, &s);
        }
        status = g ? imp_granular_step(g, &r) : IMP_NO_MEMORY;
        ok(status == IMP_OK && r.residual > 0 && r.residual <= 1e-6 && r.fastest >= speed &&
               r.sweeps < 200,
           "%s spheres that rest: solved to %.2g of %g m/s in %d sweeps",
           k ? "apart:" : "along:", r.residual, speed, r.sweeps);
        imp_granular_free(g);
    }
}

/* A row runs into a wall; a sphere that this step deletes is faster than all by 1e6: the residual
 * is one of the others. */
static void test_deleted(void) {
    imp_granular_settings set = imp_granular_settings_default();
    const imp_shape wall = {.kind = IMP_SHAPE_PLANE, .normal = {1, 0, 0}};
    imp_status status;
    imp_granular_report r = {0};
    imp_sphere s = {
        .position = {0.09, 0.05, 0.05}, .velocity = {1e6, 0, 0}, .radius = 1e-3, .density = 2650};
    memset(set.gravity, 0, sizeof set.gravity);
    set.tolerance = 1e-6;
    set.outlet = 0.08;
    imp_granular *g = imp_granular_new(&set, 1, &wall, NULL, &status);
    int added = g && imp_granular_add(g, 1, &s) == IMP_OK;
    s.velocity[0] = -1;
    for (int i = 0; g && i < 11; i++) {
        s.position[0] = (1 + 2 * i) * 1e-3;
        added += imp_granular_add(g, 1, &s) == IMP_OK;
    }
    status = g ? imp_granular_step(g, &r) : IMP_NO_MEMORY;
    ok(added == 12 && status == IMP_OK && r.deleted == 1 && r.residual <= 1e-6 && r.fastest < 1e-4,
       "beside a sphere that leaves at 1e6 m/s the others are solved: %.2g m/s left in %d sweeps",
       r.fastest, r.sweeps);
    imp_granular_free(g);
}

/* What is close, and what touches, by the gap. */
static void test_close(void) {
    static const double gaps[] = {-1e-7, 0.4e-6, 0.6e-6, 4.9e-6};
    for (int k = 0; k < 4; k++) {
        imp_granular_settings set = imp_granular_settings_default();
        const imp_shape floor = {.kind = IMP_SHAPE_PLANE, .normal = {0, 0, 1}};
        const imp_sphere s = {
            .position = {0.05, 0.05, 1e-3 + gaps[k]}, .radius = 1e-3, .density = 2650};
        imp_status status;
        imp_granular_report r = {0};
        imp_granular *g = imp_granular_new(&set, 1, &floor, NULL, &status);
        if (g && imp_granular_add(g, 1, &s) == IMP_OK) imp_granular_step(g, &r);
        ok(r.contacts == 1 && r.touching == (k < 1) && r.close == (k < 2) && r.loaded == (k < 1),
           "a gap of %g m: %d contact, %d touching, %d close, %d loaded", gaps[k], r.contacts,
           r.touching, r.close, r.loaded);
        imp_granular_free(g);
    }
}

int main(void) {
    for (int k = 0; k < 4; k++)
        test_order(k & 1, 1 + k / 2);
    test_all_at_once();
    test_limit();
    test_kept();
    test_common_motion();
    test_piston();
    test_report();
    test_rest();
    test_deleted();
    test_close();
    return tap_done();
}
