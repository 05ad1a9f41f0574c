/* The obstacle's distance, the moving plane, insertion and deletion of a small channel. */
#include "benchmarks/experiments/momentum.h"
#include "granular_box.h"
#include "tap.h"

static const imp_shape obstacle = {.kind = IMP_SHAPE_OBSTACLE,
                                   .point = {0.04, 0.04, 0},
                                   .radius = 0.01,
                                   .length = 0.01,
                                   .friction = 0.4};

/* A point of the obstacle's outline, s in [0, 1): half circle, side, front, side. */
static void outline(double s, double x[2], double normal[2]) {
    const double pi = 3.14159265358979323846;
    if (s < 0.5) {
        const double angle = pi * (0.5 + 2 * s);
        normal[0] = cos(angle), normal[1] = sin(angle);
        x[0] = 0.04 + 0.01 * normal[0], x[1] = 0.04 + 0.01 * normal[1];
    } else {
        const double t = 4 * (2 * s - 1); /* side 0 .. 1, front 1 .. 3, side 3 .. 4, in radii */
        x[0] = 0.04 + 0.01 * (t < 1 ? t : t < 3 ? 1 : 4 - t);
        x[1] = 0.04 + 0.01 * (t < 1 ? -1 : t < 3 ? t - 2 : 1);
        normal[0] = t >= 1 && t < 3;
        normal[1] = t < 1 ? -1 : t < 3 ? 0 : 1;
    }
}

static void test_obstacle(void) {
    enum { POINTS = 20000 };
    static double at[POINTS][2];
    double worst_gap = 0, worst_normal = 0, worst_inside = 0, n[2];
    gen_stream s = gen_seed(891, 0);
    for (int i = 0; i < POINTS; i++)
        outline((double)i / POINTS, at[i], n);
    for (int k = 0; k < 300; k++) {
        const double p[3] = {gen_uniform(&s, 0.02, 0.06), gen_uniform(&s, 0.02, 0.06),
                             gen_uniform(&s, 0, 0.02)};
        double normal[3], nearest = INFINITY, foot[2] = {0};
        const double gap = imp_shape_gap(&obstacle, p, 0.001, normal);
        for (int i = 0; i < POINTS; i++) {
            const double d = hypot(p[0] - at[i][0], p[1] - at[i][1]);
            if (d < nearest) nearest = d, foot[0] = at[i][0], foot[1] = at[i][1];
        }
        const bool box = p[0] > 0.04 && p[0] < 0.05 && fabs(p[1] - 0.04) < 0.01;
        const bool inside = box || (p[0] <= 0.04 && hypot(p[0] - 0.04, p[1] - 0.04) < 0.01);
        const double want = (inside ? -nearest : nearest) - 0.001;
        if (!inside && nearest > 1e-3) { /* the points of the outline are 4 um apart */
            worst_gap = tap_worst(worst_gap, fabs(gap - want));
            for (int x = 0; x < 2; x++)
                worst_normal =
                    tap_worst(worst_normal, fabs(normal[x] - (p[x] - foot[x]) / nearest));
        } else if (inside) { /* the nearest way out of its half, which may be longer across the
                                seam, never shorter */
            const bool across = gap < want - 1e-6 && gap > -0.022;
            worst_inside = tap_worst(worst_inside, across ? 0 : fabs(gap - want));
        }
        worst_normal =
            tap_worst(worst_normal, fabs(hypot(normal[0], normal[1]) - 1) + fabs(normal[2]));
    }
    ok(worst_gap < 3e-9, "outside the obstacle: the distance to its outline (%.2g m)", worst_gap);
    ok(worst_normal < 2.5e-3, "  and its direction (%.2g)", worst_normal);
    ok(worst_inside < 1e-6, "inside: negative, by the way out at least (%.2g m)", worst_inside);
    double before[3], after[3];
    const double left[3] = {0.04 - 1e-12, 0.0295, 0}, right[3] = {0.04 + 1e-12, 0.0295, 0};
    const double step = imp_shape_gap(&obstacle, left, 0, before) -
                        imp_shape_gap(&obstacle, right, 0, after) + before[0] - after[0];
    is_near(step, 0, 1e-8, 0, "no seam where circle and box meet");
}

static void test_inflow(void) {
    imp_granular_settings set = imp_granular_settings_default();
    imp_inflow inflow;
    set.high[0] = 0.02, set.high[1] = 0.008, set.high[2] = 0.005;
    imp_granular *g = box_channel(&set, 0.4, 8, 5, &inflow);
    int inserted = 0, deleted = 0, lost = 0, layers = 0, bad_time = 0, last = -1;
    double plane_worst = 0, worst = 0;
    imp_status status = IMP_OK;
    enum { STEPS = 4000 };
    for (int i = 0; i < STEPS && status == IMP_OK; i++) {
        imp_granular_report r;
        status = imp_granular_step(g, &r);
        if (r.inserted > 0) {
            layers++;
            bad_time += r.inserted != 40 || (last >= 0 && i - last != 94) || (last < 0 && i != 94);
            last = i;
        }
        const double travel = ((i - (last < 0 ? 0 : last)) + 1) * set.step;
        plane_worst = tap_worst(plane_worst, fabs(imp_granular_shape(g, 0).point[0] - travel));
        inserted += r.inserted, deleted += r.deleted, lost += r.lost;
        if (i > 0) worst = tap_worst(worst, r.penetration);
    }
    ok(status == IMP_OK && layers == (STEPS - 1) / 94 && bad_time == 0,
       "a layer of 40 every 94 steps (%d)", layers);
    ok(plane_worst < 1e-15, "the plane moves at 1 m/s and starts again (%.2g m)", plane_worst);
    ok(inserted - deleted == imp_granular_count(g) && lost == 0 && deleted > 100,
       "%d entered, %d left, %d are in the channel", inserted, deleted, imp_granular_count(g));
    ok(worst < 2e-5, "spheres and walls hold (deepest penetration %.2g um)", 1e6 * worst);
    double low = INFINITY, high = -INFINITY, sum[2] = {0};
    for (int64_t id = 0; id < 20000; id++) {
        double v[3];
        imp_inflow_disturb(&inflow, id, v);
        for (int x = 1; x < 3; x++)
            low = fmin(low, v[x]), high = fmax(high, v[x]), sum[x - 1] += v[x];
    }
    note("%g .. %g, sums %g %g", low, high, sum[0], sum[1]);
    ok(low >= -0.5 && low < -0.4995 && high <= 0.5 && high > 0.4995 && fabs(sum[0]) < 200 &&
           fabs(sum[1]) < 200,
       "the disturbance is uniform in its range");
    imp_granular_free(g);
}

/* What enters with layers, leaves at the outlet, weighs and is pushed by plane, walls and
 * obstacle. */
static void test_momentum(void) {
    imp_flow flow;
    const bool read =
        imp_flow_read("benchmarks/flows/channel-small.json", NULL, &flow, NULL) == IMP_OK;
    const momentum_balance b = read ? momentum_of(&flow, 400) : (momentum_balance){.error = NAN};
    ok(b.error < 1e-13 && b.inserted > 0 && b.deleted > 0,
       "momentum balance of the channel: off by %.1e of all, %d entered, %d left", b.error,
       b.inserted, b.deleted);
}

/* Settings from outside replace members of the file, at any depth; others of the same object
 * stay. */
static void test_assignments(void) {
    static const char file[] = "benchmarks/flows/channel-small.json";
    char step[] = "step=2.5e-6", output[] = "output.rows_every=17",
         wrong[] = "output.rows.every=17";
    char *const good[] = {step, output, NULL}, *const bad[] = {wrong, NULL};
    imp_flow plain, flow;
    const bool read = imp_flow_read(file, NULL, &plain, NULL) == IMP_OK &&
                      imp_flow_read(file, good, &flow, NULL) == IMP_OK;
    ok(read && flow.settings.step == 2.5e-6 && flow.rows_every == 17, "settings at two depths");
    ok(read && flow.until == plain.until && flow.shapes == plain.shapes &&
           flow.checkpoint_every == plain.checkpoint_every &&
           strcmp(flow.folder, plain.folder) == 0,
       "what is beside them stays");
    ok(imp_flow_read(file, bad, &flow, NULL) != IMP_OK, "a key that no member has is refused");
    ok(read && flow.settings.step == 2.5e-6 && flow.rows_every == 17,
       "and what was read before is as it was");
}

int main(void) {
    test_assignments();
    test_obstacle();
    test_inflow();
    test_momentum();
    return tap_done();
}
