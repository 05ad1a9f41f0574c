/* The audit of solvers: toys that are right but for one dependence each are caught by its count and
 * no other; another solution is none; a race says who loses to whom, and by what. */
#include "audit/audit.h"
#include "audit/race.h"
#include "base/clock.h"
#include "class_of.h"
#include "impact.h"
#include "tap.h"

#include <time.h>

/* What the toy depends on. */
static enum plant {
    RIGHT,
    ON_UNITS,
    ON_MASS,
    ON_FRAMES,
    ON_MIRROR,
    ON_ORDER,
    ON_FRAMES_SAYING_SO,
    ON_FRAMES_CRASHING,
    ON_FRAMES_LATE,
    ON_FRAMES_ANOTHER
} plant;

static bool depends(const imp_problem *problem) {
    double W[9];
    problem->W->kind->block(problem->W, 0, 0, W);
    switch (plant) {
    case ON_UNITS: return fabs(problem->q[0]) > 1;
    case ON_MASS: return W[0] > 1;
    case ON_FRAMES:
    case ON_FRAMES_SAYING_SO:
    case ON_FRAMES_CRASHING:
    case ON_FRAMES_LATE:
    case ON_FRAMES_ANOTHER: return problem->q[1] > 0;
    case ON_MIRROR: return problem->q[2] > 0;
    case ON_ORDER: return problem->mu[0] < problem->mu[problem->nc - 1];
    default: return false;
    }
}

static imp_status toy(const imp_problem *problem, const void *settings, double *p, void *work,
                      imp_info *info) {
    const bool planted = depends(problem);
    imp_coulomb_settings choice = {planted && plant == ON_FRAMES_ANOTHER ? IMP_LEAST_DISSIPATIVE
                                                                         : IMP_MOST_DISSIPATIVE};
    (void)settings, (void)work, (void)info;
    const imp_status status = plant == ON_FRAMES_ANOTHER
                                  ? imp_solve(&imp_model_coulomb, problem, &choice, p, NULL)
                                  : imp_solve(imp_model_find("auto"), problem, NULL, p, NULL);
    if (!planted || plant == ON_FRAMES_ANOTHER) return status;
    for (int i = 0; i < 3 * problem->nc; i++)
        p[i] *= 1.01;
    switch (plant) {
    case ON_FRAMES_SAYING_SO: return IMP_NOT_CONVERGED;
    case ON_FRAMES_CRASHING: return IMP_CRASHED;
    case ON_FRAMES_LATE: return IMP_TIMED_OUT;
    default: return status;
    }
}

static imp_model model;

static audit_solver solver_of(const char *name, const imp_law *law) {
    model = (imp_model){
        .name = name, .law = law, .takes = IMP_TAKES_MANY | IMP_TAKES_RESTITUTION, .solve = toy};
    audit_solver solver = {.model = &model, .outside = true, .tolerance = 1e-8};
    imp_model_presets(imp_model_find("auto"), &solver.settings); /* which its law reads */
    return solver;
}

/* row <- that of all. */
static audit_row run(audit_solver solver, const char *class, long count) {
    const fresh_class *classes[] = {class_of(class), NULL};
    const audit_terms terms = {.solver = solver, .classes = classes, .seed = 3, .count = count};
    audit_report report;
    if (audit_run(&terms, &report) != IMP_OK) exit(1);
    const audit_row row = report.row[report.rows - 1];
    audit_clear(&report);
    return row;
}

static void test_ways(void) {
    static const struct {
        enum plant plant;
        const char *name;
        bool broken[AUDIT_WAYS];
    } tries[] = {{RIGHT, "nothing", {false}},
                 {ON_UNITS, "units", {[AUDIT_UNITS] = true}},
                 {ON_MASS, "mass", {[AUDIT_MASS] = true}},
                 {ON_FRAMES, "frames", {[AUDIT_FRAMES] = true}},
                 {ON_MIRROR, "mirror", {[AUDIT_MIRROR] = true, [AUDIT_FRAMES] = true}},
                 {ON_ORDER, "order", {[AUDIT_ORDER] = true}}};
    const imp_law *law = imp_model_find("auto")->law;
    for (size_t k = 0; k < sizeof tries / sizeof *tries; k++) {
        plant = tries[k].plant;
        const char *class = plant == ON_ORDER || plant == RIGHT ? "loose" : "sphere";
        const audit_row row = run(solver_of("toy", law), class, 30);
        bool as_said = true;
        for (audit_way way = 0; way < AUDIT_WAYS; way++)
            as_said = as_said && (row.count[AUDIT_COUNT_UNITS + way] > 0) == tries[k].broken[way];
        ok(as_said, "depends on %s: found, and nothing else", tries[k].name);
        ok((audit_verdict_of(&row) == AUDIT_OK) == (plant == RIGHT), "judged so");
    }
}

static imp_status accept(const imp_problem *problem, const void *settings, const double *p,
                         const imp_path *path, imp_certificate *result) {
    (void)problem, (void)settings, (void)p, (void)path;
    imp_certificate_note(result, "nothing", 0, 0);
    return IMP_OK;
}

static imp_status decline(const imp_problem *problem, const void *settings, const double *p,
                          const imp_path *path, imp_certificate *result) {
    accept(problem, settings, p, path, result);
    result->unjudged = "nobody knows";
    return IMP_OK;
}

/* At the edge of a wedge, mu |W_nt| = (1 - 4e-13) W_nn, rounding of W moves the only answer by a
 * thousandth: no fault of a solver whose frames are turned. Found by the campaign. */
static void test_edge(void) {
    static const double W[9] = {51.172103723424243,  259.61926458802998,  -126.71952214045919,
                                259.61926458802998,  1366.4822996876301,  -652.46252808575184,
                                -126.71952214045919, -652.46252808575184, 315.7601520870229},
                        q[3] = {-9.3425701522257972e-6, 4867972.0018981285, -948096.47201123193},
                        mu = 0.17713079904087869;
    const imp_operator operator= imp_operator_dense(1, W);
    const imp_problem problem = {.nc = 1, .W = &operator, .q = q, .mu = &mu};
    audit_solver solver = {.model = &imp_model_maxdiss, .tolerance = 1e-9};
    imp_model_presets(solver.model, &solver.settings);
    gen_stream s = gen_seed(3, 1);
    double p[3];
    int broken = 0;
    bool good = imp_solve(solver.model, &problem, NULL, p, NULL) == IMP_OK;
    for (int k = 0; k < 40 && good; k++) {
        audit_sameness same;
        good = audit_invariance(&solver, &problem, p, AUDIT_FRAMES, &s, &same) == IMP_OK;
        broken += same != AUDIT_SAME;
    }
    ok(good && broken == 0, "rounding at the edge of a wedge breaks nothing: %d of 40", broken);
}

static void test_fairness(void) {
    static const imp_law anything = {.name = "anything",
                                     .certify = accept,
                                     .may_gain = 1,
                                     .reads = IMP_READS_FRICTION | IMP_READS_RESTITUTION},
                         unknown = {.name = "unknown",
                                    .certify = decline,
                                    .may_gain = 1,
                                    .reads = IMP_READS_FRICTION | IMP_READS_RESTITUTION};
    plant = ON_FRAMES_ANOTHER;
    audit_row row = run(solver_of("toy", &imp_law_coulomb), "several", 30);
    ok(row.count[AUDIT_COUNT_ANOTHER] > 0 && audit_verdict_of(&row) == AUDIT_OK,
       "another solution is as right");
    ok(row.count[AUDIT_COUNT_SEVERAL] == 30 && row.count[AUDIT_COUNT_MOST] > 0 &&
           row.count[AUDIT_COUNT_MOST] < 30,
       "and counted by dissipation: %ld of 30 most", row.count[AUDIT_COUNT_MOST]);
    row = run(solver_of("toy", &anything), "several", 30);
    ok(row.count[AUDIT_COUNT_ANOTHER] == 0 && row.count[AUDIT_COUNT_FRAMES] > 0,
       "of a law with one solution it is not");
    plant = ON_FRAMES_SAYING_SO;
    row = run(solver_of("toy", &imp_law_coulomb), "sphere", 30);
    ok(row.count[AUDIT_COUNT_LOST] > 0 && audit_verdict_of(&row) == AUDIT_OK,
       "what says that it failed breaks nothing");
    plant = ON_FRAMES_LATE;
    row = run(solver_of("toy", &imp_law_coulomb), "sphere", 30);
    ok(row.count[AUDIT_COUNT_UNANSWERED] > 0 && row.count[AUDIT_COUNT_LOST] == 0 &&
           row.count[AUDIT_COUNT_FRAMES] == 0 && audit_verdict_of(&row) == AUDIT_FAILED,
       "what is late when written anew fails, unanswered");
    plant = ON_FRAMES_CRASHING;
    row = run(solver_of("toy", &imp_law_coulomb), "sphere", 30);
    ok(row.count[AUDIT_COUNT_UNANSWERED] > 0 && row.count[AUDIT_COUNT_LOST] == 0 &&
           row.count[AUDIT_COUNT_FRAMES] == 0 && audit_verdict_of(&row) == AUDIT_FAILED,
       "what crashes when written anew fails too, and no frame is broken");
    plant = RIGHT;
    row = run(solver_of("toy", &unknown), "sphere", 3);
    ok(row.count[AUDIT_COUNT_UNDECIDED] == 3 && audit_verdict_of(&row) == AUDIT_NOTHING_TAKEN,
       "what nobody can judge is not judged");
}

static imp_status endless(const imp_problem *problem, const void *settings, double *p, void *work,
                          imp_info *info) {
    (void)settings, (void)work;
    memset(p, 0, 3 * (size_t)problem->nc * sizeof *p);
    while (info->cancel && !*info->cancel)
        (void)nanosleep(&(struct timespec){0, 1000000}, NULL);
    return IMP_NOT_CONVERGED;
}

/* Right, but late: it does not look at the clock. */
static imp_status deaf(const imp_problem *problem, const void *settings, double *p, void *work,
                       imp_info *info) {
    (void)settings, (void)work, (void)info;
    const double end = imp_seconds(CLOCK_MONOTONIC) + 0.05;
    while (imp_seconds(CLOCK_MONOTONIC) < end)
        (void)nanosleep(&(struct timespec){0, 1000000}, NULL);
    return imp_solve(imp_model_find("auto"), problem, NULL, p, NULL);
}

static void test_limit(void) {
    audit_solver solver = solver_of("endless", &imp_law_coulomb);
    model.solve = endless;
    solver.outside = false;
    solver.seconds = 0.02;
    const audit_row row = run(solver, "sphere", 3);
    ok(row.count[AUDIT_COUNT_TIMED_OUT] == 3 && audit_verdict_of(&row) == AUDIT_FAILED,
       "a model that does not end is ended");
    model.solve = deaf;
    const audit_row late = run(solver, "sphere", 3);
    ok(late.count[AUDIT_COUNT_TIMED_OUT] == 3 && audit_verdict_of(&late) == AUDIT_FAILED,
       "and one that answers behind its time has not answered");
}

static imp_status slow(const imp_problem *problem, const void *settings, double *p, void *work,
                       imp_info *info) {
    if (problem->q[1] > 0) return memset(p, 0, 3 * sizeof *p), IMP_NO_SOLUTION; /* at once */
    (void)nanosleep(&(struct timespec){0, 3000000}, NULL);
    return toy(problem, settings, p, work, info);
}

static int losses; /* of the slow one by what `each` is told */

static void count_losses(void *context, const fresh_class *class, uint64_t number, int contacts,
                         const audit_answer *answers, double best) {
    (void)context, (void)class, (void)number;
    losses += contacts == 1 && best == answers[0].seconds &&
              (!audit_is_right(&answers[1]) || answers[1].seconds > best);
}

static void test_race(void) {
    const fresh_class *classes[] = {class_of("sphere"), class_of("loose"), NULL};
    plant = RIGHT;
    audit_solver solver[2] = {solver_of("toy", &imp_law_coulomb)};
    static imp_model other;
    other = model;
    other.solve = slow;
    other.takes = IMP_TAKES_RESTITUTION;
    solver[1] = solver[0];
    solver[1].model = &other;
    solver[0].seconds = solver[1].seconds = 10;
    static race_report report;
    const race_terms terms = {.solvers = 2,
                              .solver = solver,
                              .classes = classes,
                              .seed = 3,
                              .count = 10,
                              .each = count_losses};
    if (race_run(&terms, &report) != IMP_OK) exit(1);
    const race_row *fast = &report.row[0], *late = &report.row[1];
    ok(report.problems == 10 && report.left_out == 10 && losses == 10,
       "problems that one does not take are left out");
    ok(fast->solved == 10 && late->solved < 10 && late->solved > 0 &&
           late->failed == 10 - late->solved && late->wrong == 0,
       "solved 10 and %ld", late->solved);
    ok(fast->within[0] == 10 && late->within[0] == 0, "the fastest is within 1 of itself");
    ok(late->to[0].unsolved == late->failed && late->to[0].slower == late->solved &&
           fast->to[1].unsolved == 0 && fast->to[1].slower == 0,
       "the other loses on all ten");
    ok(late->to[0].log_factor > 0 && race_mean(&report, late) > 3e-3 &&
           race_mean(&report, fast) < race_mean(&report, late),
       "by its time, a failure costing the limit");
    double least = 0, most = 0; /* those solved within a second, far below the limit of 10 */
    for (int k = 0; k < 10; k++) {
        least += log(k < late->failed ? 10 + 1e-6 : 3e-3);
        most += log(k < late->failed ? 10 + 1e-6 : 1);
    }
    ok(race_mean(&report, late) > exp(least / 10) - 2e-6 &&
           race_mean(&report, late) < exp(most / 10),
       "in the shifted geometric mean");
}

int main(void) {
    test_ways();
    test_edge();
    test_fairness();
    test_limit();
    test_race();
    return tap_done();
}
