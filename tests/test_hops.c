/* test_hops.c - a ball and a pendulum that bounce, in closed form, against their equations of
 * motion, their energy and what a bounce does. */
#include "benchmarks/experiments/hops.h"
#include "tests/tap.h"

/* x'' = -g, or -g sin x, by differences of x'. */
static void test_motion(const hops *h, const char *name) {
    double worst = 0, energy = 0, rate, past, ahead;
    const double d = 1e-5;
    for (int k = 0; k < 400; k++) {
        const double t = h->zeno * (k + 0.5) / 400, x = hops_at(h, t, &rate);
        bool impact = false;
        for (int i = 0; i < HOPS_IMPACTS; i++)
            impact = impact || fabs(h->time[i] - t) <= d;
        if (impact) continue;
        const double before = hops_at(h, t - d, &past), after = hops_at(h, t + d, &ahead);
        const double force = h->swings ? -h->g * sin(x) : -h->g;
        worst = tap_worst(worst, fabs((ahead - past) / (2 * d) - force));
        worst = tap_worst(worst, fabs((after - before) / (2 * d) - rate));
        const double potential = h->swings ? h->g * (cos(h->rest) - cos(x)) : h->g * (x - h->rest);
        for (int i = 0; i + 1 < HOPS_IMPACTS; i++)
            if (h->time[i] < t && t < h->time[i + 1])
                energy = tap_worst(
                    energy, fabs(0.5 * rate * rate + potential - 0.5 * h->speed[i] * h->speed[i]));
    }
    ok(worst <= 1e-8, "%s: its equation of motion (%.1e)", name, worst);
    ok(energy <= 1e-13 * h->g, "%s: its energy between impacts (%.1e)", name, energy);
}

static void test_impacts(const hops *h, double e, const char *name) {
    double off = 0, turned = 0, before, after;
    for (int i = 0; i < 12; i++) {
        const double d = 1e-9 * (h->time[i + 1] - h->time[i]);
        off = tap_worst(off, fabs(hops_at(h, h->time[i] - d, &before) - h->rest));
        off = tap_worst(off, fabs(hops_at(h, h->time[i] + d, &after) - h->rest));
        turned = tap_worst(turned, fabs(after / before + e));
        (void)hops_at(h, hops_apex(h, i), &after);
        turned = tap_worst(turned, fabs(after) / h->speed[i]);
    }
    ok(off <= 1e-8, "%s: impacts are touches (%.1e)", name, off);
    ok(turned <= 1e-6, "%s: each leaves e of the velocity, which is 0 halfway (%.1e)", name,
       turned);
    ok(hops_at(h, h->zeno + 1, &after) == h->rest && after == 0, "%s: it rests", name);
    is_near(hops_at(h, 0, &after), h->start, 1e-15, 1e-15, "%s: its start", name);
}

int main(void) {
    const hops ball = hops_ball(9.81, 0.1, 1.1, 0.5), pendulum = hops_pendulum(9.77, 2.0, 2.8, 0.4);
    is_near(ball.time[0], sqrt(2 / 9.81), 0, 1e-15, "ball: sqrt(2 h / g)");
    is_near(ball.zeno, 3 * sqrt(2 / 9.81), 0, 1e-14, "ball: (1 + e) / (1 - e) of that");
    is_near(pendulum.speed[0], 0.4 * sqrt(2 * 9.77 * (cos(2.0) - cos(2.8))), 0, 1e-14,
            "pendulum: the speed after its first impact");
    test_motion(&ball, "ball");
    test_motion(&pendulum, "pendulum");
    test_impacts(&ball, 0.5, "ball");
    test_impacts(&pendulum, 0.4, "pendulum");
    return tap_done();
}
