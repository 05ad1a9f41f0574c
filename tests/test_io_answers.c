/* test_io_answers.c - answers that a batch gives, whatever it says of them, and answers that
 * overflow: each has a status, and none has numbers that are none. */
#include "impact.h"
#include "tap.h"

/* A batch that gives p = (says, 0, 0) with a residual of 0 and the status that is asked of it; 0.5
 * is right. */
static double says;
static imp_status says_status, says_all;
static int solved_alone;

static imp_status batch(const imp_batch_columns *c, size_t n, const void *settings) {
    (void)settings;
    if (says_all != IMP_OK) return says_all;
    for (size_t i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++)
            c->p[k][i] = k == 0 ? says : 0;
        c->residual[i] = 0;
        c->status[i] = says_status;
    }
    return IMP_OK;
}

static imp_status solve(const imp_problem *problem, const void *settings, double *p, void *work,
                        imp_info *info) {
    (void)problem, (void)settings, (void)work, (void)info;
    solved_alone++;
    p[0] = 0.5;
    p[1] = p[2] = 0;
    return IMP_OK;
}

static imp_model model;
static double W[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2}, q[3] = {-1, 0, 0}, mu = 0.5, e;
enum { MANY = 300 }; /* more than are asked at once */
static imp_problem problem[MANY];
static double p[3 * MANY], u[3 * MANY];
static imp_answer answer[MANY];

static imp_status asks(int n, imp_status status, double p_n) {
    says_status = status;
    says = p_n;
    imp_answer_solve_batch(&model, n, problem, NULL, p, u, answer);
    return answer[n - 1].status;
}

/* How many of all are answered by that p, and certified. */
static int certified(double p_n) {
    int count = 0;
    for (int i = 0; i < MANY; i++) {
        const imp_answer *one = &answer[i];
        count += one->status == IMP_OK && one->p == p + 3 * i && one->p[0] == p_n &&
                 one->u[0] == 0 && one->certificate.energy == -0.25 && one->certificate.count > 0;
    }
    return count;
}

/* The batches of the library themselves, under presets. */
static void test_presets(void) {
    for (int m = 0; imp_models[m]; m++) {
        if (!imp_models[m]->batch) continue;
        double alone[3], v[3];
        imp_answer one;
        const imp_status status =
            imp_answer_solve(NULL, imp_models[m], problem, NULL, NULL, alone, v, NULL, &one);
        imp_answer_solve_batch(imp_models[m], 1, problem, NULL, p, u, answer);
        ok(status == IMP_OK && answer->status == IMP_OK && fabs(p[0] - alone[0]) < 1e-12,
           "%s: presets where there are no settings", imp_models[m]->name);
    }
    const double wrong = -1, *kept = problem->mu;
    problem->mu = &wrong;
    p[0] = 17;
    imp_answer_solve_batch(imp_model_find("coulomb"), 1, problem, NULL, p, u, answer);
    ok(answer->status == IMP_BAD_FRICTION && p[0] == 17, "no answer leaves p as it was");
    problem->mu = kept;
    const imp_coulomb_settings none = {.choice = 99};
    imp_answer_solve_batch(imp_model_find("coulomb"), 2, problem, &none, p, u, answer);
    ok(answer[0].status == IMP_BAD_ARGUMENT && answer[1].status == IMP_BAD_ARGUMENT,
       "settings out of range, for all of them");
}

int main(void) {
    const imp_operator op = imp_operator_dense(1, W);
    for (int i = 0; i < MANY; i++)
        problem[i] = (imp_problem){.nc = 1, .W = &op, .q = q, .mu = &mu};
    test_presets();
    model = imp_model_coulomb;
    model.batch = batch;
    model.solve = solve;
    ok(asks(MANY, IMP_OK, 0.5) == IMP_OK && certified(0.5) == MANY && solved_alone == 0,
       "all are answered, and certified");
    ok(asks(1, IMP_NOT_CONVERGED, 1) == IMP_OK && solved_alone == 1 && answer->p[0] == 0.5,
       "not converged: solved alone");
    ok(asks(1, IMP_OK, 1) == IMP_OK && solved_alone == 2 && answer->p[0] == 0.5,
       "a wrong answer, whatever its residual says: solved alone");
    ok(asks(1, IMP_OK, INFINITY) == IMP_OK && solved_alone == 3 && answer->p[0] == 0.5,
       "one that is no number, too");
    ok(asks(1, IMP_BAD_ARGUMENT, 0) == IMP_BAD_ARGUMENT && !answer->p, "refused one by one");
    says_all = IMP_UNSUPPORTED;
    ok(asks(2, IMP_OK, 0) == IMP_UNSUPPORTED && answer[0].status == IMP_UNSUPPORTED, "all at once");
    says_all = IMP_OK;
    e = 0.5;
    problem[0].e = &e;
    ok(asks(1, IMP_OK, 0) == IMP_UNSUPPORTED && !answer->p, "restitution, which it does not take");
    problem[0].e = NULL;
    W[0] = 1e308;
    q[0] = 1.7e308;
    ok(asks(1, IMP_OK, 1) == IMP_OVERFLOW && !answer->p, "velocities that overflow");
    W[0] = 2;
    q[0] = -1;
    /* the same of one problem, from a guess that the model does not take */
    static const double guess[3] = {9, 9, 9};
    ok(imp_answer_solve(NULL, &model, &problem[0], NULL, guess, p, u, NULL, answer) == IMP_OK &&
           p[0] == 0.5,
       "solved alone, from a guess");
    return tap_done();
}
