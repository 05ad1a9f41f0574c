/* stress.c - the judge of what models make of hard little problems. */
#include "benchmarks/harness/instrumented.h"
#include "base/clock.h"
#include "benchmarks/harness/stress.h"
#include "base/worse.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

double stress_seconds = INSTRUMENTED ? 20 : 4;

const char *stress_fault_text(stress_fault fault) {
    static const char *const text[] = {"sound",    "refused", "nan", "residual",
                                       "approach", "energy",  "slow"};
    return text[fault];
}

/* Must no contact approach after the impact? By their law (lib/plus/plus_law.c, aim and end)
 * nothing approaches when the one compression of single-phase and poisson ends; what expands then
 * may make contacts approach again, and no further round takes them up. */
static bool forbids_approach(const imp_model *model) {
    return strcmp(model->name, "single-phase") != 0 && strcmp(model->name, "poisson") != 0;
}

/* The worst approach (where `closed`) and pull: relative to what the contact's velocities are made
 * of, the largest of the three, and to the impulse that would make up such a velocity, as in
 * imp_local; and the energy gained relative to the stake (docs/laws.md), impulses times what the
 * velocities there are made of. By plain sums over W, q and p. */
static double plain_sums(const stress_case *c, const double *p, bool closed, double *gain) {
    const int nc = c->problem.nc, n = 3 * nc;
    long double energy = 0, stake = 0;
    double worst = 0, push = 0;
    for (int i = 0; i < n; i++)
        push = fmax(push, fabs(p[i]));
    for (int i = 0; i < nc; i++) {
        double u_n = 0, size_n = 0, trace = 0, pushes = 0;
        long double own = 0; /* the stake of a lone contact */
        for (int r = 3 * i; r < 3 * i + 3; r++) {
            long double Wp = 0, size = fabs(c->q[r]);
            for (int j = 0; j < n; j++) {
                Wp += (long double)c->W[r * n + j] * p[j];
                size += fabsl((long double)c->W[r * n + j] * p[j]);
            }
            energy += p[r] * (0.5L * Wp + c->q[r]);
            pushes += fabs(p[r]);
            own += fabs(p[r]) * size;
            trace += c->W[r * n + r];
            if (r == 3 * i) u_n = (double)(Wp + c->q[r]);
            if (r == 3 * i || nc > 1) size_n = fmax(size_n, (double)size);
        }
        stake += nc > 1 ? (long double)pushes * size_n : own;
        const double idle = nc > 1 && trace > 0 ? 3 * size_n / trace : 0, lean = fmax(push, idle);
        if (closed && size_n > 0) worst = imp_worse(worst, -u_n / size_n);
        if (lean > 0) worst = imp_worse(worst, -p[3 * (size_t)i] / lean);
    }
    *gain = stake > 0 ? (double)(energy / stake) : 0;
    return worst;
}

/* Sums of up to 24 terms each in W p and in p'W p, in double: 48 roundings, with room for those of
 * p itself. */
static const double rounding = 1e-13;

stress_verdict stress_judge(const imp_model *model, const stress_case *c) {
    const double most = 1e-6;
    const int n = 3 * c->problem.nc;
    double p[STRESS_ROWS] = {0};
    imp_path path = {0};
    stress_verdict v = {STRESS_SOUND, IMP_OK, 0, 0, imp_seconds(CLOCK_PROCESS_CPUTIME_ID)};
    bool finite = true;
    v.status = imp_solve_certified(model, &c->problem, NULL, p, &path, NULL, NULL);
    v.seconds = imp_seconds(CLOCK_PROCESS_CPUTIME_ID) - v.seconds;
    for (int i = 0; i < n; i++)
        finite = finite && isfinite(p[i]);
    /* one contact's W as positive as rounding lets it be may well seem not to be */
    const bool refused = v.status < 0 && !(v.status == IMP_NOT_POSITIVE && c->problem.nc == 1);
    if (refused) v.fault = STRESS_REFUSED;
    if (v.status >= 0 && !finite) v.fault = STRESS_NAN;
    if (v.status == IMP_OK && finite) {
        imp_certificate certificate = {.worst = INFINITY};
        const imp_status judged =
            imp_certify(&c->problem, model->law, NULL, p, &path, &certificate);
        const double approach = plain_sums(c, p, forbids_approach(model), &v.gain);
        v.residual = judged == IMP_OK && !certificate.unjudged ? certificate.worst : INFINITY;
        if (!(approach <= most)) v.fault = STRESS_APPROACH;
        /* impulses may be many times what the velocities need: the energy is no more exact than the
         * velocities */
        const double allowed = fmax(rounding, v.residual);
        if ((model->takes & IMP_NEVER_GAINS_ENERGY) && !(v.gain <= allowed))
            v.fault = STRESS_ENERGY;
        if (!(v.residual <= most)) v.fault = STRESS_RESIDUAL;
    }
    if (v.fault == STRESS_SOUND && v.seconds > stress_seconds) v.fault = STRESS_SLOW;
    imp_path_clear(&path);
    return v;
}

stress_tally stress_run(const imp_model *model, uint64_t first, uint64_t count,
                        void (*found)(const imp_model *model, uint64_t index, const stress_case *c,
                                      const stress_verdict *verdict)) {
    stress_tally t = {0};
    for (uint64_t k = first; k < first + count; k++) {
        stress_case c;
        stress_make(model, k, &c);
        const imp_status good = imp_problem_check(&c.problem, NULL);
        /* W just not positive */
        if (good != IMP_OK || imp_model_takes(model, &c.problem) != IMP_OK) continue;
        const stress_verdict v = stress_judge(model, &c);
        t.problems++;
        t.ok += v.status == IMP_OK;
        t.not_certified += v.status == IMP_NOT_CERTIFIED;
        t.not_converged += v.status == IMP_NOT_CONVERGED;
        t.no_solution += v.status == IMP_NO_SOLUTION;
        t.other += v.status < 0 || v.status == IMP_OVERFLOW;
        t.residual = imp_worse(t.residual, v.residual);
        if (model->takes & IMP_NEVER_GAINS_ENERGY) t.gain = imp_worse(t.gain, v.gain);
        t.seconds = fmax(t.seconds, v.seconds);
        t.faults += v.fault != STRESS_SOUND;
        if (v.fault != STRESS_SOUND && found) found(model, k, &c, &v);
    }
    return t;
}
