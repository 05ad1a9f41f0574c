/* audit_stress.c - hard little problems (harness/stress.h) through every model: no wrong ok, no
 * NaN, no gain, no hang.
 *
 *     audit_stress [COUNT [MODEL [FIRST]]]
 *
 * COUNT (100000) problems a model, from number FIRST (0) on. A table on standard output; faults on
 * standard error, the first few of a model and a kind dumped as audit-stress-MODEL-KIND-NUMBER.json
 * for `impact solve`. Exit 0: no fault; 1: some; 2: bad use. */
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

int main(int argc, char **argv) {
    double count = 100000, first = 0;
    const imp_model *only = argc > 2 ? imp_model_find(argv[2]) : NULL;
    if (argc > 4 || (argc > 1 && (imp_number_parse(argv[1], &count) || !(count >= 1))) ||
        (argc > 2 && !only) || (argc > 3 && (imp_number_parse(argv[3], &first) || !(first >= 0)))) {
        fprintf(stderr, "audit_stress: expected audit_stress [COUNT [MODEL [FIRST]]]\n");
        return 2;
    }
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
