/* darboux_batch.c - the Darboux-Keller process for columns of problems. */
#include "single/darboux_batch.h"

static imp_status solve_one(const double W[6], const double q[3], double mu, double e, int variant,
                            imp_batch_answer *answer) {
    answer->brief.count = 1;
    return imp_darboux(W, q, mu, e, (imp_darboux_law)variant, answer->p[0], NULL, NULL);
}

static const imp_law *const laws[] = {[IMP_STRONGE] = &imp_law_darboux_stronge,
                                      [IMP_POISSON] = &imp_law_darboux_poisson,
                                      [IMP_NEWTON] = &imp_law_darboux_newton};
static const imp_batch_method method = {.plain = &imp_darboux_kernel_plain,
                                        .avx2 = &imp_darboux_kernel_avx2,
                                        .avx512 = &imp_darboux_kernel_avx512,
                                        .chunk = IMP_DARBOUX_CHUNK,
                                        .solve_one = solve_one,
                                        .laws = laws};

imp_status imp_darboux_batch(const imp_batch_columns *columns, imp_darboux_law law, size_t n,
                             const imp_batch_settings *settings) {
    if (law != IMP_STRONGE && law != IMP_POISSON && law != IMP_NEWTON) return IMP_BAD_ARGUMENT;
    return imp_batch_run(&method, (int)law, columns, n, settings);
}
