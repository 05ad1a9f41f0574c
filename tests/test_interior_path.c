/* test_interior_path.c - the central path of packed spheres, from bodies and from W alone: it goes
 * around folds to an impulse whose error is recomputed here; and as a stage of `auto`: what no
 * other stage solves, out of work, cancelled.
 */
#include "blocks/interior_path.h"

#include "generators/piles.h"
#include "impact.h"
#include "tap.h"

#include <signal.h>
#include <string.h>
#include <sys/time.h>

/* The scale-free error of p, from W, q and p alone. */
static double error_of(const imp_problem *problem, const double *p) {
    double field, scale_free;
    imp_natural_error(problem, p, &field, &scale_free);
    return scale_free;
}

/* Follows the path of a problem until its error is at most `enough`: p (3nc, N s) <- where it
 * ended. Returns how often mu grew on the way. */
static int follow(const imp_problem *problem, double enough, int most, double *p) {
    blockwise *b = imp_blockwise_new(problem, false);
    interior_path *path = imp_interior_path_new(b);
    double mu = 1;
    int turns = 0;
    if (!b || !path) exit(1);
    for (int k = 0; k < most && imp_interior_path_step(path, b); k++) {
        turns += imp_interior_path_mu(path) > mu;
        mu = imp_interior_path_mu(path);
        imp_blockwise_get(b, b->p, p);
        if (error_of(problem, p) <= enough) break;
    }
    imp_interior_path_free(path);
    imp_blockwise_free(b);
    return turns;
}

/* Both forms of the linear system lead to the same velocities; without friction on every third
 * contact too. */
static void test_forms(int contacts, bool some_smooth, int least_turns) {
    imp_fclib pile;
    imp_fclib_posed posed;
    if (pile_make(PILE_SPHERES, 1, contacts, &pile) != IMP_OK) exit(1);
    for (int c = 0; some_smooth && c < pile.nc; c += 3)
        pile.mu[c] = 0;
    if (imp_fclib_pose(&pile, &posed) != IMP_OK) exit(1);
    const imp_operator W = imp_operator_blocks(posed.blocks);
    const imp_problem alone = {
        .nc = pile.nc, .W = &W, .q = posed.problem.q, .mu = posed.problem.mu};
    const size_t n = 3 * (size_t)pile.nc;
    double *p = calloc(4 * n, sizeof *p), *other = p + n, *u = p + 2 * n, *v = p + 3 * n, apart = 0,
           size = 0;
    const int turns = follow(&posed.problem, 1e-6, 2000, p);
    (void)follow(&alone, 1e-6, 2000, other);
    imp_operator_apply(&W, p, alone.q, u);
    imp_operator_apply(&W, other, alone.q, v);
    for (size_t i = 0; i < n; i++) {
        apart = tap_worst(apart, fabs(u[i] - v[i]));
        size = fmax(size, fabs(alone.q[i]));
    }
    const double error = error_of(&alone, p), error_alone = error_of(&alone, other);
    ok(error <= 1e-6 && error_alone <= 1e-6 && turns >= least_turns,
       "%d contacts%s: errors %.1e over bodies, %.1e by W (%d steps upwards)", pile.nc,
       some_smooth ? ", a third without friction" : "", error, error_alone, turns);
    if (least_turns == 0) /* folds tell rounding apart */
        ok(apart < 1e-4 * size, "  velocities %.1e apart", apart / size);
    free(p);
    imp_fclib_posed_clear(&posed);
    imp_fclib_clear(&pile);
}

static volatile int time_is_up;

static void end_of_time(int number) {
    (void)number;
    time_is_up = 1;
}

/* A packing that takes `auto` many times what it gets here, as work and as time: the best iterate
 * and its error. */
static void test_ends(void) {
    imp_fclib pile;
    imp_fclib_posed posed;
    if (pile_make(PILE_SPHERES, 3, 300, &pile) != IMP_OK || imp_fclib_pose(&pile, &posed) != IMP_OK)
        exit(1);
    double *p = calloc(3 * (size_t)pile.nc, sizeof *p), rest = error_of(&posed.problem, p);
    for (int timed = 0; timed < 2; timed++) {
        imp_blocks_settings settings = imp_blocks_presets;
        imp_blocks_report report = {0};
        imp_info info = {.cancel = timed ? &time_is_up : NULL};
        const struct itimerval timer = {{0, 0}, {0, 300000}};
        settings.max_sweeps = timed ? 1e9 : 40000;
        if (timed) {
            signal(SIGALRM, end_of_time);
            setitimer(ITIMER_REAL, &timer, NULL);
        }
        const imp_status status = imp_blocks_auto(&posed.problem, &settings, p, &report, &info);
        const double error = error_of(&posed.problem, p);
        ok(status == IMP_NOT_CONVERGED && (timed || report.factorisations > 100),
           "%s: %s after %d factorisations", timed ? "cancelled" : "out of work",
           imp_status_text(status), report.factorisations);
        ok(error < (timed ? 1 : 1e-2) * rest && error <= 1.001 * info.residual &&
               error >= 0.99 * info.residual,
           "  the best iterate, error %.1e as told %.1e", error, info.residual);
    }
    free(p);
    imp_fclib_posed_clear(&posed);
    imp_fclib_clear(&pile);
}

/* A packing at which sweeps and Newton by themselves stall. */
static void test_packing(int contacts) {
    imp_fclib pile;
    imp_fclib_posed posed;
    if (pile_make(PILE_SPHERES, 3, contacts, &pile) != IMP_OK ||
        imp_fclib_pose(&pile, &posed) != IMP_OK)
        exit(1);
    double *p = calloc(3 * (size_t)pile.nc, sizeof *p);
    imp_blocks_settings settings = imp_blocks_presets;
    imp_blocks_report report = {0};
    imp_info info = {0};
    settings.tolerance = 1e-8;
    settings.max_sweeps = 4e5;
    const imp_status status = imp_blocks_auto(&posed.problem, &settings, p, &report, &info);
    const double error = error_of(&posed.problem, p);
    ok(status == IMP_OK && error <= 1.001e-8, "%d contacts: %s, error %.1e, %d factorisations",
       pile.nc, imp_status_text(status), error, report.factorisations);
    free(p);
    imp_fclib_posed_clear(&posed);
    imp_fclib_clear(&pile);
}

int main(void) {
    test_forms(60, true, 0);
    test_forms(tap_many(120, 256), false, 1);
    test_packing(tap_many(150, 300));
    test_ends();
    return tap_done();
}
