/* What the report makes of several seeds: means, Welch's t, the energy account of a run, and the
 * look at contacts. */
#include "benchmarks/experiments/seeds.h"
#include "granular_offcentre.h"
#include "tap.h"

static void test_spread(void) {
    /* 1 2 3 4 and 2 4 6 8: means 2.5 and 5, variances 5/3 and 20/3; t = -2.5 / sqrt(25/12) =
     * -sqrt(3), freedom (25/12)^2 3 / ((5/12)^2 + (20/12)^2) = 1875/425. */
    seeds_run runs[8] = {{0}};
    for (int k = 0; k < 4; k++) {
        runs[k].value[SEEDS_SPEED] = k + 1;
        runs[4 + k].value[SEEDS_SPEED] = 2 * (k + 1);
    }
    const seeds_spread a = seeds_spread_of(runs, 4, SEEDS_SPEED),
                       b = seeds_spread_of(runs + 4, 4, SEEDS_SPEED);
    double freedom, none;
    const double got[] = {a.mean,
                          a.deviation,
                          a.least,
                          a.largest,
                          seeds_t(&a, &b, 4, &freedom),
                          seeds_t(&a, &a, 4, &none)};
    const double want[] = {2.5, sqrt(5.0 / 3), 1, 4, -sqrt(3), 0};
    is_vec(got, want, 6, 1e-14, 0, "mean, deviation, range, and t of two means");
    is_near(freedom, 1875.0 / 425, 0, 1e-14, "its freedom (Welch)");
    is_near(seeds_t_limit(5, 0.05), 2.570581836, 0, 1e-9,
            "|t| beyond 2.5706 in 5 %% of cases, 5 degrees of freedom");
    const seeds_spread flat = {.mean = 1}, other = {.mean = 2};
    ok(seeds_t(&flat, &flat, 4, &none) == 0 && isinf(seeds_t(&flat, &other, 4, &none)),
       "without scatter: 0 or beyond all");
}

/* Off-centre spheres fly about in a closed box without gravity: what contacts take is what is
 * missing at the end. */
static void test_power(double offset) {
    imp_flow f = {.settings = imp_granular_settings_default(), .fill = true, .until = 0.01};
    f.settings.high[0] = f.settings.high[1] = f.settings.high[2] = 5e-3;
    f.settings.gravity[2] = 0;
    f.inflow = (imp_inflow){.plane = -1,
                            .spacing = 1e-3,
                            .radius = 0.47e-3,
                            .density = 2650,
                            .speed = 0.5,
                            .disturbance = 0.5,
                            .offset = offset};
    f.shapes = 6;
    for (int k = 0; k < 6; k++) {
        f.shape[k] = (imp_shape){.kind = IMP_SHAPE_PLANE, .friction = 0.4};
        f.shape[k].normal[k / 2] = k % 2 ? -1 : 1;
        f.shape[k].point[k / 2] = k % 2 ? 5e-3 : 0;
        f.fill_high[k / 2] = 5e-3;
    }
    seeds_run run = {.law = IMP_GRANULAR_COULOMB, .seed = 3};
    imp_status status;
    report *silent = NULL;
    seeds_measure(silent, &f, 0, 1, &run, 1);
    f.settings.law = run.law;
    f.inflow.seed = run.seed;
    imp_granular *g = imp_flow_start(&f, false, &status);
    double start = energy_of(g), speed = 0;
    for (int i = 0; i < 1000; i++) {
        box_run(g, 1, &status);
        for (int k = 0; k < imp_granular_count(g); k++) {
            const imp_sphere s = imp_granular_sphere(g, k);
            speed += norm3(s.velocity) / imp_granular_count(g) / 1000;
        }
    }
    const double lost = start - energy_of(g);
    ok(run.good && lost > 0.1 * start, "offset %g m: contacts take %.0f %% of the energy", offset,
       100 * lost / start);
    is_near(run.value[SEEDS_POWER] * 0.01, lost, 0, 1e-9, "  and that is the power dissipated");
    is_near(run.value[SEEDS_SPEED], speed, 0, 1e-12, "  the mean speed is that of the run");
    note("%g loaded, %g sliding, %g differ, %g coupled", run.loaded, run.sliding, run.differing,
         run.coupled);
    ok(run.loaded > 100 &&
           (offset > 0 ? run.differing > 0.1 * run.loaded && run.coupled > 0.1 * run.loaded
                       : run.differing == 0 && run.coupled == 0),
       "  the laws answer %s",
       offset > 0 ? "differently in many contacts" : "alike in every contact");
    imp_granular_free(g);
}

int main(void) {
    test_spread();
    test_power(0);
    test_power(0.141e-3);
    return tap_done();
}
