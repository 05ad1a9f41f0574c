/* Damped sweeps (imp_granular_settings.blend = omega): the bodies get the share omega of what the
 * one-contact solutions ask for, and the impulses that are kept, told and guessed with are those
 * that the bodies got. */
#include "granular/relax.h"
#include "granular_balance.h"
#include "tap.h"

/* One ball on a plane that gives way: its velocity v and kept impulse over four steps, by hand. A
 * sweep's solution is p <- max(0, p - m v), and v <- v + omega (change of p)/m; the next step's
 * guess is warm * kept, in the sweeps' measure warm * kept / omega. */
static void test_one_ball(double omega, int sweeps, imp_granular_law law) {
    imp_granular_settings set = imp_granular_settings_default();
    const imp_shape floor = {.kind = IMP_SHAPE_PLANE, .normal = {0, 0, 1}, .friction = 0.4};
    const imp_sphere ball = {.position = {5e-3, 5e-3, 1e-3}, .radius = 1e-3, .density = 2650};
    const double m = box_mass(&ball);
    imp_status status;
    set.law = law;
    set.blend = omega;
    set.sweeps = sweeps;
    set.erp = 0;
    set.warm = 0.8;
    imp_granular *g = imp_granular_new(&set, 1, &floor, NULL, &status);
    double v = 0, kept = 0, off = g && imp_granular_add(g, 1, &ball) == IMP_OK ? 0 : INFINITY;
    for (int step = 0; step < 4 && off < 1; step++) {
        const double before = v;
        imp_granular_report r;
        imp_granular_contact c = {0};
        v += set.step * set.gravity[2];
        double p = set.warm * kept / omega;
        v += omega * p / m;
        for (int k = 0; k < sweeps; k++) {
            const double next = fmax(0, p - m * v);
            v += omega * (next - p) / m;
            p = next;
        }
        kept = m * (v - before - set.step * set.gravity[2]);
        if (imp_granular_step(g, &r) != IMP_OK || imp_granular_contacts(g, &c, 1) != 1)
            off = INFINITY;
        const double fall = -set.step * set.gravity[2];
        off = tap_worst(off, fabs(imp_granular_sphere(g, 0).velocity[2] - v) / fall);
        off = tap_worst(off, fabs(c.impulse[2] - kept) / (m * fall));
        off = tap_worst(off, fabs(r.shape_impulse[0][2] - kept) / (m * fall));
        const double change = fmax(0, kept - m * v) - kept;
        off = tap_worst(off, fabs(r.residual - fabs(change) / m / fall));
    }
    ok(off < 1e-12,
       "omega %g, %d sweeps: a ball's velocity, impulse and residual over four steps, by hand "
       "(%.1g)",
       omega, sweeps, off);
    imp_granular_free(g);
}

static body body_of(const imp_sphere *s, double friction) {
    body b = {.inv_mass = 1 / box_mass(s), .friction = friction};
    memcpy(b.v, s->velocity, sizeof b.v);
    add3(s->radius, s->spin, b.q);
    return b;
}

/* The largest change, m/s, that the one-contact solution makes of an impulse that is told; no
 * contact is pushed apart, and normals are those before the motion. */
static double change_left(const imp_granular *g, const imp_granular_settings *set,
                          const imp_sphere before[BALANCE_MOST]) {
    static imp_granular_contact c[BALANCE_CONTACTS];
    const int n = imp_granular_contacts(g, c, BALANCE_CONTACTS);
    double worst = n > BALANCE_CONTACTS ? INFINITY : 0;
    for (int k = 0; k < n && worst < INFINITY; k++) {
        const imp_sphere sb = imp_granular_sphere(g, c[k].b);
        const body b = body_of(&sb, set->friction);
        body a = {.friction = imp_granular_shape(g, 0).friction};
        double normal[3], p[3];
        memcpy(normal, c[k].normal, sizeof normal);
        if (c[k].a >= 0) {
            const imp_sphere sa = imp_granular_sphere(g, c[k].a);
            a = body_of(&sa, set->friction);
            sub3(before[sb.id].position, before[sa.id].position, normal);
            const double distance = norm3(normal);
            for (int x = 0; x < 3; x++)
                normal[x] /= distance;
        }
        memcpy(p, c[k].impulse, sizeof p);
        const double W = imp_relax_closed(&a, &b, normal, 0, p);
        sub3(p, c[k].impulse, p);
        worst = fmax(worst, W * norm3(p));
    }
    return worst;
}

/* The worst of a step, and what the report says of the shapes against what the contacts say. */
static double imbalance(imp_granular *g, const imp_granular_settings *set) {
    static imp_sphere before[BALANCE_MOST];
    double told[3];
    imp_granular_report r;
    balance_look(g, before);
    if (imp_granular_step(g, &r) < 0 || r.loaded < 5) return INFINITY;
    double worst = balance_left(g, set, before, told);
    for (int x = 0; x < 3; x++) {
        double sum = 0;
        for (int i = 0; i < IMP_SHAPES; i++)
            sum += r.shape_impulse[i][x];
        worst = tap_worst(worst, fabs(sum - told[x]) / (box_mass(&before[0]) * set->step * 9.81));
    }
    return worst;
}

static void test_balance(double omega) {
    imp_granular_settings set = imp_granular_settings_default();
    set.blend = omega;
    set.step = 1e-4;
    set.sweeps = 4;
    double worst = 0;
    imp_status status;
    imp_granular *g = box_flow(&set, 4, 4, 4, 0, 877);
    for (int i = 0; g && i < 5; i++) {
        box_run(g, 30, &status);
        worst = tap_worst(worst, status < 0 ? INFINITY : imbalance(g, &set));
    }
    /* velocities of 1 m/s and spins of 1000 rad/s round at 1e-16 of theirs, thousands of |g| dt */
    ok(g && worst < 1e-9, "omega %g: momentum and spin change by the impulses that are told (%.1g)",
       omega, worst);
    imp_granular_free(g);
}

/* By the closed form, and as a general law has it, sphere by sphere. */
static void test_residual(double omega, imp_granular_law law) {
    imp_granular_settings set = imp_granular_settings_default();
    set.blend = omega;
    set.law = law;
    set.step = 1e-4;
    set.sweeps = 4;
    set.erp = set.margin = 0;
    set.look_ahead = false;
    double worst = 0, told = 0;
    imp_status status;
    imp_granular *g = box_flow(&set, 4, 4, 4, 0, 877);
    for (int i = 0; g && i < 5; i++) {
        static imp_sphere before[BALANCE_MOST];
        imp_granular_report r = {0};
        box_run(g, 30, &status);
        balance_look(g, before);
        if (status < 0 || imp_granular_step(g, &r) < 0) worst = INFINITY;
        const double left = change_left(g, &set, before) / (set.step * 9.81);
        worst = tap_worst(worst, fabs(r.residual - left));
        told = fmax(told, r.residual);
    }
    ok(g && told > 0.1 && worst < 1e-9,
       "omega %g: residuals of up to %.2g are of the impulses that are told (%.1g)", omega, told,
       worst);
    imp_granular_free(g);
}

int main(void) {
    for (int k = 0; k < 2; k++) {
        const imp_granular_law law = k ? IMP_GRANULAR_MAXDISS_GENERAL : IMP_GRANULAR_MAXDISS;
        test_one_ball(0.75, 3, law);
        test_one_ball(0.4, 1, law);
        test_one_ball(1, 10, law);
    }
    test_balance(0.75);
    test_balance(0.3);
    test_balance(0);
    test_residual(0.3, IMP_GRANULAR_MAXDISS);
    test_residual(0.3, IMP_GRANULAR_MAXDISS_GENERAL);
    return tap_done();
}
