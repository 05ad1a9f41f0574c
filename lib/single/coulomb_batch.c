/* coulomb_batch.c - all Coulomb solutions for columns of problems. */
#include "single/coulomb_batch.h"

#include "contact/law.h"

#include <math.h>
#include <string.h>

static imp_status solve_one(const double W[6], const double q[3], double mu, double e, int variant,
                            imp_batch_answer *answer) {
    imp_coulomb_set set = {0};
    (void)variant;
    /* not by imp_coulomb_only, as the kernels know */
    const imp_status status = imp_coulomb_search(W, q, mu, &set);
    if (status < 0) return status;
    if (!isfinite(e)) return IMP_NOT_FINITE;
    if (!(e >= 0 && e <= 1)) return IMP_BAD_RESTITUTION;
    if (e > 0) return IMP_UNSUPPORTED;
    answer->brief = (imp_coulomb_brief){.count = (unsigned char)set.count,
                                        .proven = (unsigned char)set.proven,
                                        .unique = (unsigned char)set.unique,
                                        .maxdiss = (signed char)set.maxdiss};
    for (int k = 0; k < set.count; k++) {
        answer->brief.kind[k] = (unsigned char)set.solution[k].kind;
        memcpy(answer->p[k], set.solution[k].p, sizeof answer->p[k]);
    }
    return status;
}

static const imp_law *const laws[] = {&imp_law_coulomb};
static const imp_batch_method method = {.plain = &imp_coulomb_kernel_plain,
                                        .avx2 = &imp_coulomb_kernel_avx2,
                                        .avx512 = &imp_coulomb_kernel_avx512,
                                        .chunk = IMP_COULOMB_CHUNK,
                                        .solve_one = solve_one,
                                        .laws = laws,
                                        .enumerates = true};

imp_status imp_coulomb_batch(const imp_batch_columns *columns, size_t n,
                             const imp_batch_settings *settings) {
    return imp_batch_run(&method, 0, columns, n, settings);
}
