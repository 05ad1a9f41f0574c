/* metric_models.c - every model of the library's table on problems of its own: what its law leaves,
 * what it does not solve, and the work. */
#include "benchmarks/metrics/metric_parts.h"
#include "base/worse.h"

#include "generators/gen_situation.h"

#include <math.h>
#include <string.h>

enum {
    ONE = 300,
    MANY = 100,
    FIRST = 5000
}; /* problems; of other numbers than those the tests
                                                 look at */

/* Problem k of a model: one contact, then several where it takes them. */
static bool problem_of(const imp_model *model, int k, situation *s, imp_operator *W,
                       imp_problem *problem) {
    if (k >= ONE && (k >= ONE + MANY || !(model->takes & IMP_TAKES_MANY))) return false;
    *s = k < ONE ? situation_one(model, FIRST + (uint64_t)k)
                 : situation_many(model, FIRST + (uint64_t)k);
    *problem = situation_problem(s, W);
    return true;
}

double metric_model_residual(const imp_model *model, bool worse) {
    situation s;
    imp_operator W;
    imp_problem problem;
    double worst = 0;
    for (int k = 0; problem_of(model, k, &s, &W, &problem); k++) {
        double p[SITUATION_MOST];
        imp_certificate c;
        if (imp_solve_certified(model, &problem, NULL, p, NULL, &c, NULL) != IMP_OK) continue;
        worst = imp_worse(worst, c.worst);
    }
    return worse ? worst + 1e-6 : worst;
}

/* How many it does not solve. */
double metric_model_unsolved(const imp_model *model, bool worse) {
    situation s;
    imp_operator W;
    imp_problem problem;
    int unsolved = 0;
    for (int k = 0; problem_of(model, k, &s, &W, &problem); k++) {
        double p[SITUATION_MOST];
        unsolved += imp_solve(model, &problem, NULL, p, NULL) != IMP_OK;
    }
    return worse ? 2 * unsolved + 1 : unsolved;
}

/* One for each solve, and its iterations and intervals. */
double metric_model_work(const imp_model *model, bool worse) {
    situation s;
    imp_operator W;
    imp_problem problem;
    double work = 0;
    for (int k = 0; problem_of(model, k, &s, &W, &problem); k++) {
        double p[SITUATION_MOST];
        imp_info info = {0};
        (void)imp_solve(model, &problem, NULL, p, &info);
        work += 1 + info.iterations + info.intervals;
    }
    return worse ? 2 * work : work;
}

/* Every tenth problem, five times, so that what is counted is not the making of problems; springs,
 * of which one takes tens of millions of instructions, once. */
double metric_run_model(const imp_model *model, bool worse) {
    situation s;
    imp_operator W;
    imp_problem problem;
    double sum = 0;
    const int times = strcmp(model->name, "springs") == 0 ? 1 : 5;
    for (int k = 0; problem_of(model, k, &s, &W, &problem); k += 10)
        for (int n = 0; n < (worse ? 2 * times : times); n++) {
            double p[SITUATION_MOST] = {0};
            (void)imp_solve(model, &problem, NULL, p, NULL);
            sum += p[0];
        }
    return sum;
}
