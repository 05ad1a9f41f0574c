/* test_ended.c - solves without an answer for reasons of their own: ended by the caller, before
 * they begin or within a search, and impulses beyond double. */
#include "base/clock.h"
#include "generators/gen.h"
#include "generators/piles.h"
#include "impact.h"
#include "tap.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

/* Ended before it begins; and one that nobody ends is what it is. */
static void test_cancel(void) {
    const gen_many g = gen_bodies(77, 6);
    const imp_operator W = imp_operator_dense(g.nc, g.W);
    const imp_problem problem = {.nc = g.nc, .W = &W, .q = g.q, .mu = g.mu};
    volatile int now = 1, never = 0;
    int met = 0;
    for (const imp_model *const *m = imp_models; *m; m++) {
        double plain[18] = {0}, asked[18] = {0}, cut[18] = {0};
        if (imp_model_takes(*m, &problem) != IMP_OK) continue;
        imp_info info, cut_info;
        imp_certificate unread;
        const imp_status first = imp_solve(*m, &problem, NULL, plain, &info);
        const imp_status second =
            imp_solve_until(&never, *m, &problem, NULL, asked, NULL, NULL, NULL);
        const imp_status third =
            imp_solve_until(&now, *m, &problem, NULL, cut, NULL, &unread, &cut_info);
        ok(first == IMP_OK && second == IMP_OK && memcmp(plain, asked, sizeof plain) == 0,
           "%s: a solve that may be ended and is not", (*m)->name);
        ok(third == IMP_NOT_CONVERGED && cut_info.iterations <= 8 && !cut_info.cancel &&
               unread.count == 0,
           "%s: one that is, after %d of %d", (*m)->name, cut_info.iterations, info.iterations);
        met++;
    }
    ok(met == 12, "every model of several contacts with friction (%d)", met);
    imp_blocks_settings settings = imp_blocks_presets;
    imp_certificate read = {0};
    double p[18] = {0};
    settings.max_sweeps = 1;
    ok(imp_solve_until(&never, &imp_model_gauss_seidel_coulomb, &problem, &settings, p, NULL, &read,
                       NULL) == IMP_NOT_CONVERGED &&
           read.count > 0 && read.worst > 1e-6,
       "one that ends by itself without an answer is judged");
}

/* An impulse beyond double, of bodies that hardly anything stops, is said to be that. */
static void test_overflow(bool apart) {
    enum { HALF = 6, ALL = 2 * HALF };
    const gen_many g = gen_bodies(77, HALF);
    static double A[9 * ALL * ALL], q[3 * ALL], mu[ALL], p[3 * ALL];
    const int nc = apart ? ALL : HALF, n = 3 * nc;
    memset(A, 0, sizeof A);
    for (int i = 0; i < n; i++) {
        q[i] = 1e10 * g.q[i % (3 * HALF)];
        mu[i / 3] = g.mu[i / 3 % HALF];
        for (int j = 0; j < n; j++)
            if (i / (3 * HALF) == j / (3 * HALF))
                A[n * i + j] = 1e-300 * g.W[3 * HALF * (i % (3 * HALF)) + j % (3 * HALF)];
    }
    const imp_operator W = imp_operator_dense(nc, A);
    const imp_problem problem = {.nc = nc, .W = &W, .q = q, .mu = mu};
    int met = 0;
    for (const imp_model *const *m = imp_models; *m; m++) {
        if (imp_model_takes(*m, &problem) != IMP_OK) continue;
        const imp_status status = imp_solve(*m, &problem, NULL, p, NULL);
        ok(status == IMP_OVERFLOW, "%s, %d contacts: %s", (*m)->name, nc, imp_status_text(status));
        met++;
    }
    ok(met == 12, "every model of several contacts with friction (%d)", met);
}

static volatile int late;

static void on_alarm(int number) {
    (void)number;
    late = 1;
}

static void alarm_in(int ms) {
    const struct itimerval timer = {.it_value = {0, 1000 * ms}};
    late = 0;
    (void)setitimer(ITIMER_REAL, &timer, NULL);
}

/* The processor time of a solve that is ended after a millisecond, of one that is not. */
static double ended_share(const imp_problem *problem, double *p) {
    double began = imp_seconds(CLOCK_PROCESS_CPUTIME_ID);
    (void)imp_solve(&imp_model_newton, problem, NULL, p, NULL);
    const double whole = imp_seconds(CLOCK_PROCESS_CPUTIME_ID) - began;
    began = imp_seconds(CLOCK_PROCESS_CPUTIME_ID);
    alarm_in(1);
    (void)imp_solve_until(&late, &imp_model_newton, problem, NULL, p, NULL, NULL, NULL);
    return (imp_seconds(CLOCK_PROCESS_CPUTIME_ID) - began) / whole;
}

/* Ended within a search a solve has no answer; that there is none it does not say. */
static void test_within(void) {
    static const imp_model *const models[] = {&imp_model_newton, &imp_model_poisson,
                                              &imp_model_plus, &imp_model_single_phase};
    imp_fclib file;
    imp_fclib_posed posed;
    const bool made =
        pile_make(PILE_BOX, 1, 60, &file) == IMP_OK && imp_fclib_pose(&file, &posed) == IMP_OK;
    double *p = made ? calloc(3 * (size_t)posed.problem.nc, sizeof *p) : NULL;
    ok(p != NULL, "a box of spheres");
    (void)signal(SIGALRM, on_alarm);
    for (int m = 0; p && m < 4; m++) {
        int ended = 0, denied = 0;
        for (int ms = 1; ms <= 32; ms *= 2) {
            alarm_in(ms);
            const imp_status status =
                imp_solve_until(&late, models[m], &posed.problem, NULL, p, NULL, NULL, NULL);
            ended += late;
            denied += late && status != IMP_OK && status != IMP_NOT_CONVERGED;
        }
        ok(ended > 0 && denied == 0, "%s: ended %d times of 6, never no-solution", models[m]->name,
           ended);
    }
    (void)setitimer(ITIMER_REAL, &(const struct itimerval){{0, 0}, {0, 0}}, NULL);
    free(p);
    imp_fclib_posed_clear(&posed);
    imp_fclib_clear(&file);
}

/* It hears of its end wherever it is: between searches, and of spheres while it spreads impulses,
 * which takes most of its time. */
static void test_soon(pile_kind kind, int contacts) {
    imp_fclib file;
    imp_fclib_posed posed;
    const bool made =
        pile_make(kind, 1, contacts, &file) == IMP_OK && imp_fclib_pose(&file, &posed) == IMP_OK;
    double *p = made ? calloc(3 * (size_t)posed.problem.nc, sizeof *p) : NULL;
    const double share = p ? ended_share(&posed.problem, p) : 1;
    ok(share < 0.05, "newton, %s: ended after a millisecond it takes %.3f of its time",
       pile_name(kind), share);
    (void)setitimer(ITIMER_REAL, &(const struct itimerval){{0, 0}, {0, 0}}, NULL);
    free(p);
    imp_fclib_posed_clear(&posed);
    imp_fclib_clear(&file);
}

int main(void) {
    test_cancel();
    test_within();
    test_soon(PILE_BOX, 60);
    test_soon(PILE_SPHERES, 120);
    test_overflow(false);
    test_overflow(true);
    return tap_done();
}
