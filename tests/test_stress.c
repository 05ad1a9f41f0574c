/* test_stress.c - a share of the hard little problems through every model, and planted models that
 * must be caught. */
#include "benchmarks/harness/stress.h"
#include "impact.h"
#include "replay.h"

#include <time.h>
#include <unistd.h>

static void keep(const imp_model *model, uint64_t index, const stress_case *c,
                 const stress_verdict *v) {
    diag("%s, %s: residual %.1e, gain %.1e, %.2g s", stress_fault_text(v->fault),
         imp_status_text(v->status), v->residual, v->gain, v->seconds);
    keep_for_replay(&c->problem, model, "stress", (int)index);
}

static void test_models(void) {
    const int each = tap_many(30, 300);
    for (const imp_model *const *m = imp_models; *m; m++) {
        const stress_tally t = stress_run(*m, 0, each, keep);
        ok(t.faults == 0 && t.problems > 9 * each / 10,
           "%s: %d ok, %d not-certified, %d not-converged, %d no-solution; none wrong", (*m)->name,
           t.ok, t.not_certified, t.not_converged, t.no_solution);
        ok(t.ok > 4 * each / 5, "%s: most are solved (worst residual %.1e, slowest %.2g s)",
           (*m)->name, t.residual, t.seconds);
    }
}

/* Models made to be caught. Their bound takes anything for an answer. */
static double anything(const void *settings) {
    (void)settings;
    return INFINITY;
}

static imp_status accept(const imp_problem *problem, const void *settings, const double *p,
                         const imp_path *path, imp_certificate *result) {
    (void)problem, (void)settings, (void)p, (void)path;
    imp_certificate_note(result, "nothing", 0, 0);
    return IMP_OK;
}

static imp_status answer_zero(const imp_problem *problem, const void *settings, double *p,
                              void *work, imp_info *info) {
    (void)settings, (void)work, (void)info;
    memset(p, 0, 3 * (size_t)problem->nc * sizeof *p);
    return IMP_OK;
}

static imp_status answer_tenfold(const imp_problem *problem, const void *settings, double *p,
                                 void *work, imp_info *info) {
    (void)settings, (void)work;
    const imp_status status = imp_solve(&imp_model_auto, problem, NULL, p, info);
    for (int i = 0; status >= 0 && i < 3 * problem->nc; i++)
        p[i] *= 10;
    return status;
}

static imp_status answer_late(const imp_problem *problem, const void *settings, double *p,
                              void *work, imp_info *info) {
    const double most = stress_seconds * (double)CLOCKS_PER_SEC;
    for (const clock_t begun = clock(); (double)(clock() - begun) < 1.1 * most;)
        continue;
    return imp_model_auto.solve(problem, settings, p, work, info);
}

static imp_status touch_and_refuse(const imp_problem *problem, const void *settings, double *p,
                                   void *work, imp_info *info) {
    (void)problem, (void)settings, (void)work, (void)info;
    p[0] = 1;
    return IMP_NO_MEMORY;
}

static int caught[STRESS_SLOW + 1];

static void count(const imp_model *model, uint64_t index, const stress_case *c,
                  const stress_verdict *v) {
    (void)model, (void)index, (void)c;
    caught[v->fault]++;
}

static stress_tally run_planted(const imp_model *model, uint64_t problems) {
    memset(caught, 0, sizeof caught);
    return stress_run(model, 0, problems, count);
}

static void test_planted(void) {
    const imp_law blind = {.name = "blind",
                           .statement = "nothing",
                           .certify = accept,
                           .may_gain = 1,
                           .reads = IMP_READS_FRICTION | IMP_READS_RESTITUTION};
    imp_model model = imp_model_auto;
    model.name = "planted";
    model.solve = answer_zero;
    stress_tally t = run_planted(&model, 50);
    ok(t.ok < 25 && t.faults == 0,
       "p = 0 is not ok where the bound is auto's: %d of 50, contacts that part", t.ok);
    model.bound = anything;
    t = run_planted(&model, 50);
    ok(t.ok == t.problems && caught[STRESS_RESIDUAL] > 25,
       "p = 0 with any bound is caught by its residual: %d of 50", caught[STRESS_RESIDUAL]);
    model.solve = answer_tenfold;
    model.law = &blind;
    (void)run_planted(&model, 50);
    ok(caught[STRESS_ENERGY] > 25,
       "ten times the answer, under a law that demands nothing: %d of 50 gain energy",
       caught[STRESS_ENERGY]);
    model.solve = touch_and_refuse;
    (void)run_planted(&model, 10);
    ok(caught[STRESS_REFUSED] == 10, "good problems refused: %d of 10", caught[STRESS_REFUSED]);
    model = imp_model_auto;
    model.solve = answer_late;
    const double kept = stress_seconds;
    stress_seconds = kept / 10;
    (void)run_planted(&model, 1);
    stress_seconds = kept;
    ok(caught[STRESS_SLOW] == 1, "an answer that takes too long is caught");
}

static double dust; /* N s */

static imp_status answer_dust(const imp_problem *problem, const void *settings, double *p,
                              void *work, imp_info *info) {
    const imp_status status = answer_zero(problem, settings, p, work, info);
    p[0] = dust;
    return status;
}

/* A contact at rest along its normal, which slides, is pushed by what sweeps leave: the velocity is
 * nothing beside the slip, though it is all that this push makes. */
static void test_energy_of_dust(void) {
    stress_case c = {.q = {0, 1, 0, 1, 0, 0}};
    for (int r = 0; r < 6; r++)
        c.W[7 * r] = 1;
    c.op = imp_operator_dense(2, c.W);
    c.problem = (imp_problem){.nc = 2, .W = &c.op, .q = c.q, .mu = c.mu};
    imp_model model = imp_model_gauss_seidel_maxdiss;
    model.solve = answer_dust;
    dust = 1e-12;
    stress_verdict v = stress_judge(&model, &c);
    ok(v.status == IMP_OK && v.fault == STRESS_SOUND && v.gain > 0 && v.gain <= v.residual,
       "a push of 1e-12 of the slip: energy %.1e, residual %.1e", v.gain, v.residual);
    const imp_law blind = {.name = "blind",
                           .certify = accept,
                           .may_gain = 1,
                           .reads = IMP_READS_FRICTION | IMP_READS_RESTITUTION};
    model.law = &blind;
    v = stress_judge(&model, &c);
    ok(v.fault == STRESS_ENERGY, "and a gain of energy under a law that sees nothing");
}

/* A contact whose block has rank 1, beside one of rank 1 and one of rank 2: nothing may be NaN, or
 * pass for an answer.
 */
static void test_singular_blocks(void) {
    static const imp_model *const models[] = {&imp_model_auto, &imp_model_gauss_seidel_coulomb,
                                              &imp_model_gauss_seidel_maxdiss};
    const double mu[2] = {0.3, 0.3};
    double bare[36] = {0}, held[36] = {0};
    bare[0] = bare[21] = 1; /* no tangential motion at all */
    const double bare_q[6] = {-1, 0, 0, -1, 0, 0}, held_q[6] = {-1, -0.5, 0, -1, 0.1, 0};
    held[0] = held[21] = held[28] = 1; /* t moves with n; o does not move */
    held[1] = held[6] = 0.5, held[7] = 0.25;
    for (int m = 0; m < 3; m++) {
        double p[6] = {7, 7, 7, 7, 7, 7};
        const imp_operator one = imp_operator_dense(2, bare), other = imp_operator_dense(2, held);
        const imp_problem first = {.nc = 2, .W = &one, .q = bare_q, .mu = mu};
        const imp_problem second = {.nc = 2, .W = &other, .q = held_q, .mu = mu};
        const double want[6] = {1, 0, 0, 1, 0, 0}, stuck[6] = {1, 0, 0, 1, -0.1, 0};
        ok(imp_solve(models[m], &first, NULL, p, NULL) == IMP_OK,
           "%s: two contacts without tangents", models[m]->name);
        is_vec(p, want, 6, 1e-12, 0, "%s: are stopped", models[m]->name);
        ok(imp_solve(models[m], &second, NULL, p, NULL) == IMP_OK, "%s: tangents of rank 0 and 1",
           models[m]->name);
        is_vec(p, stuck, 6, 1e-9, 0, "%s: are stopped and stick", models[m]->name);
    }
}

/* What is drawn for a contact does not depend on its number: of problems with several, later
 * contacts have singular blocks about as often as the first; and units other than 1 are an
 * eighth. */
static void test_drawn(void) {
    const int count = tap_many(4000, 8000);
    double first = 0, later = 0, several = 0;
    int plain = 0;
    for (uint64_t k = 0; k < (uint64_t)count; k++) {
        stress_case c;
        stress_make(&imp_model_auto, k, &c);
        const int nc = c.problem.nc, n = 3 * nc;
        double largest = 0;
        for (int i = 0; i < n; i++)
            largest = fmax(largest, c.W[i * n + i]);
        plain += largest > 1e-3 && largest < 1e9;
        for (int i = 0; i < nc && nc > 1; i++) {
            double A[9];
            for (int r = 0; r < 9; r++)
                A[r] = c.W[(3 * i + r / 3) * n + 3 * i + r % 3] / largest;
            const double det = A[0] * (A[4] * A[8] - A[5] * A[7]) -
                               A[1] * (A[3] * A[8] - A[5] * A[6]) +
                               A[2] * (A[3] * A[7] - A[4] * A[6]);
            const double part = fabs(det) <= 1e-14 * A[0] * A[4] * A[8] ? 1 : 0;
            if (i == 0)
                first += part;
            else
                later += part / (nc - 1);
        }
        several += nc > 1;
    }
    ok(first > 0.03 * several && later > 0.8 * first && later < 1.25 * first,
       "singular blocks: %.1f %% of first contacts, %.1f %% of later ones", 100 * first / several,
       100 * later / several);
    ok(plain > 0.85 * count && plain < 0.95 * count, "W has units other than 1 in %d of %d",
       count - plain, count);
}

/* The natural map shrinks an approach by 1/sqrt(1 + mu^2): p = 0 has the error 1e-6 here, a tenth
 * of the tolerance. */
static void test_large_friction(void) {
    static const imp_model *const models[] = {&imp_model_auto, &imp_model_gauss_seidel_coulomb};
    const double W[9] = {1, 0, 0, 0, 3.5, 0, 0, 0, 3.5}, q[3] = {-1, -1, 0}, mu = 1e6;
    const imp_operator op = imp_operator_dense(1, W);
    const imp_problem problem = {.nc = 1, .W = &op, .q = q, .mu = &mu};
    imp_blocks_settings rough = imp_blocks_presets;
    rough.tolerance = 1e-5;
    for (int m = 0; m < 2; m++) {
        double p[3] = {7, 7, 7};
        const imp_status status = imp_solve(models[m], &problem, &rough, p, NULL);
        ok(status == IMP_OK && fabs(p[0] - 1) < 1e-4,
           "%s: mu = 1e6 at a rough tolerance stops the approach", models[m]->name);
    }
}

/* Pivots in double that end on a ray, at a point that is none: those in double-double are asked. */
static void test_rays(void) {
    static const uint64_t number[] = {5297, 7954, 14642, 20592, 21269, 31117, 32092};
    for (int k = 0; k < 7; k++) {
        stress_case c;
        double p[STRESS_ROWS];
        imp_certificate certificate;
        stress_make(&imp_model_anitescu, number[k], &c);
        const imp_status status =
            imp_solve_certified(&imp_model_anitescu, &c.problem, NULL, p, NULL, &certificate, NULL);
        ok(status == IMP_OK && certificate.worst < 1e-9, "anitescu, number %d: %s, %.1e",
           (int)number[k], imp_status_text(status), certificate.worst);
    }
}

/* Errors beyond double are no reason to sweep no more: the work that is allowed is spent. */
static void test_ends(void) {
    stress_case c;
    double p[STRESS_ROWS];
    stress_make(&imp_model_auto, 10353, &c);
    alarm(100); /* s, for a second's work */
    const imp_status status = imp_solve(&imp_model_auto, &c.problem, NULL, p, NULL);
    alarm(0);
    ok(status == IMP_OK || status == IMP_NOT_CONVERGED, "an error beyond double ends: %s",
       imp_status_text(status));
}

/* Elastic, frictionless, six contacts of one body: the energy that comes back is all there was,
 * never more. */
static void test_elastic_energy(void) {
    static const imp_model *const models[] = {&imp_model_auto, &imp_model_gauss_seidel_coulomb,
                                              &imp_model_gauss_seidel_maxdiss};
    for (int m = 0; m < 3; m++) {
        double worst = -1;
        int solved = 0;
        for (uint64_t k = 0; k < 200; k++) {
            stress_case c;
            stress_make(models[m], k, &c);
            for (int i = 0; i < c.problem.nc; i++) {
                c.mu[i] = 0;
                c.e[i] = 1;
            }
            if (imp_problem_check(&c.problem, NULL) != IMP_OK) continue;
            const stress_verdict v = stress_judge(models[m], &c);
            if (v.status != IMP_OK) continue;
            solved++;
            worst = tap_worst(worst, v.gain);
        }
        ok(solved > 150 && worst < 1e-15,
           "%s: e = 1 without friction, energy gained %.1e of its terms in %d problems",
           models[m]->name, worst, solved);
    }
}

int main(void) {
    test_singular_blocks();
    test_drawn();
    test_large_friction();
    test_rays();
    test_ends();
    test_elastic_energy();
    test_planted();
    test_energy_of_dust();
    test_models();
    return tap_done();
}
