/* audit_stress.c - hard little problems (harness/stress.h) through every model: no wrong ok, no
 * NaN, no gain, no hang. */
#include "benchmarks/harness/usage.h"
#include "benchmarks/harness/stress.h"
#include "impact.h"

#include <stdio.h>

enum { SHOWN = 5, KINDS = STRESS_SLOW + 1 };

static int shown[KINDS];

static void dump(const imp_model *model, uint64_t index, const stress_case *c,
                 const stress_verdict *v) {
    char path[120];
    if (shown[v->fault]++ >= SHOWN) return;
    snprintf(path, sizeof path, "audit-stress-%s-%s-%llu.json", model->name,
             stress_fault_text(v->fault), (unsigned long long)index);
    (void)imp_problem_dump(path, NULL, &c->problem, model, NULL, NULL);
    fprintf(stderr, "%s: %s, residual %.1e, gain %.1e, %.2g s: %s\n", imp_status_text(v->status),
            stress_fault_text(v->fault), v->residual, v->gain, v->seconds, path);
}

static const usage about = {
    .program = "audit_stress",
    .arguments = "[COUNT [MODEL [FIRST]]]",
    .most = 3,
    .text =
        "Puts COUNT (100000) hard little problems to each model, or to one, from number FIRST (0) "
        "on: no wrong ok, no NaN,\n"
        "no gain of energy, no hang. A table on standard output; faults on standard error, the "
        "first "
        "few of a model and a\n"
        "kind dumped as audit-stress-MODEL-KIND-NUMBER.json for impact solve.\n"
        "Exit 0: no fault; 1: some; 2: bad use.\n",
    .name = usage_model,
};

int main(int argc, char **argv) {
    usage_answer(&about, argc, argv);
    const double count = argc > 1 ? usage_whole(&about, "COUNT", argv[1], 1, 1e9) : 100000,
                 first = argc > 3 ? usage_whole(&about, "FIRST", argv[3], 0, 0x1p53) : 0;
    const imp_model *only = argc > 2 ? imp_models[usage_find(&about, "model", argv[2])] : NULL;
    int faults = 0;
    printf("model\tproblems\tok\tnot-certified\tnot-converged\tno-"
           "solution\tother\tresidual\tgain\tslowest, s\tfaults\n");
    for (const imp_model *const *m = imp_models; *m; m++) {
        if (only && *m != only) continue;
        for (int k = 0; k < KINDS; k++)
            shown[k] = 0;
        const stress_tally t = stress_run(*m, (uint64_t)first, (uint64_t)count, dump);
        printf("%s\t%d\t%d\t%d\t%d\t%d\t%d\t%.1e\t%.1e\t%.2g\t%d\n", (*m)->name, t.problems, t.ok,
               t.not_certified, t.not_converged, t.no_solution, t.other, t.residual, t.gain,
               t.seconds, t.faults);
        fflush(stdout);
        faults += t.faults;
    }
    return faults > 0;
}
