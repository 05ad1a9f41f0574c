/* test_springs_law.c - the certificate of springs: wrong answers that it sees, and right ones. */
#include "springs_situations.h"

/* Contacts that share a push share it as their springs do, whatever moves alike. */
static void test_shares(void) {
    situation s = {.nc = 2};
    for (int a = 0; a < 6; a++) {
        for (int b = a % 3; b < 6; b += 3)
            s.W[6 * a + b] = 2;
        s.q[a] = a % 3 == 0 ? -1 : 0;
        s.e[a / 3] = 0.5;
    }
    double p[ROWS];
    const imp_status status = solve(&s, NULL, p);
    ok(status == IMP_OK && fabs(p[0] - p[3]) + fabs(p[0] - 0.375) < 1e-9,
       "a contact that is there twice: half of the push each");
    p[0] += 1e-3;
    p[3] -= 1e-3;
    ok(worst(&s, NULL, p) > 1e-4, "not a thousandth more on one of them, which moves nothing else");
}

/* The last contact rests, coupled with one that flies off alone: what it moves by within the
 * process's tolerance is no error. */
static void test_rest(void) {
    situation s = row_of(3, equal, 0.5);
    s.q[3] = 5;
    double p[ROWS];
    const imp_status status = solve(&s, NULL, p);
    p[6] += 1e-13;
    ok(status == IMP_OK && p[3] == 0 && worst(&s, NULL, p) < 1e-7, "a contact that rests");
    p[6] += 1e-4;
    ok(worst(&s, NULL, p) > 1e-5, "not one that is pushed");
}

/* One contact that grazes: neither its normal nor its friction hides behind the slip. */
static void test_graze(void) {
    const double W[6] = {2, 0, 0, 7, 0, 7};
    const situation s = situation_of(W, (double[3]){-1e-3, 1e5, 0}, 0.5, 0.5);
    double p[ROWS];
    ok(solve(&s, NULL, p) == IMP_OK && fabs(p[0] - 7.5e-4) < 1e-11 && fabs(p[1] + p[0] / 2) < 1e-11,
       "a contact that grazes");
    p[0] *= 0.9;
    p[1] *= 0.9;
    ok(worst(&s, NULL, p) > 1e-3, "not another restitution");
    const double smooth[ROWS] = {7.5e-4};
    ok(worst(&s, NULL, smooth) > 0.1, "not one without friction");
}

/* A slip that turns within an early part of a step: the certificate does not step over it. */
static void test_turn(void) {
    const double W[6] = {0.81760464606789052, 0.65426984723880832, 0, 0.88147863042591312, 0,
                         1.3009167235061965};
    const situation s =
        situation_of(W, (double[3]){-0.80024302598282282, -0.36106104536381589, 0}, 0.12, 0);
    double p[ROWS];
    const imp_status status = solve(&s, NULL, p);
    ok(status == IMP_OK && worst(&s, NULL, p) < 1e-9, "a slip that turns: %.1e",
       worst(&s, NULL, p));
}

static void test_certificate(void) {
    imp_settings presets;
    imp_model_presets(&imp_model_springs, &presets);
    ok(memcmp(&presets, &imp_springs_presets, sizeof imp_springs_presets) == 0,
       "without settings the law has the model's presets");
    situation s = closing(2), other;
    for (int i = 0; i < s.nc; i++) {
        s.mu[i] = 0.1;
        s.e[i] = 0.5;
    }
    const imp_springs_settings own = with(1.5, 1), linear = with(1, 1), graded = with(1.5, 0.99);
    double p[ROWS], r[ROWS];
    const imp_status status = solve(&s, &own, p);
    ok(status == IMP_OK && worst(&s, &own, p) < 1e-7, "the answer is accepted");
    ok(solve(&s, &linear, r) == IMP_OK && worst(&s, &own, r) > 1e-5, "not that of linear springs");
    ok(worst(&s, &linear, r) < 1e-7, "which is that of its own settings");
    ok(solve(&s, &graded, r) == IMP_OK && worst(&s, &own, r) > 1e-5, "not other stiffness");
    other = s;
    other.e[1] = 0.51;
    ok(solve(&other, &own, r) == IMP_OK && worst(&s, &own, r) > 1e-5, "not another e");
    other = s;
    for (int i = 0; i < s.nc; i++)
        other.mu[i] = 0.11;
    ok(solve(&other, &own, r) == IMP_OK && worst(&s, &own, r) > 1e-5, "not another mu");
    static const char *const laws[] = {"plus", "auto", "sequential", "poisson"};
    imp_operator W;
    const imp_problem problem = situation_problem(&s, &W);
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++)
        ok(imp_solve(imp_model_find(laws[k]), &problem, NULL, r, NULL) == IMP_OK &&
               worst(&s, &own, r) > 1e-4,
           "not that of %s", laws[k]);
    for (int k = 0; k < 3; k++) {
        memcpy(r, p, sizeof r);
        r[4 * k] += 1e-5 * p[0];
        ok(worst(&s, &own, r) > 1e-7, "not 1e-5 more at row %d", 4 * k);
    }
    memset(r, 0, sizeof r);
    ok(worst(&s, &own, r) > 0.1, "not nothing");
}

int main(void) {
    test_shares();
    test_rest();
    test_graze();
    test_turn();
    test_certificate();
    return tap_done();
}
