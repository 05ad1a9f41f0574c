/* maxdiss_batch.c - maximum dissipation for columns of problems.
 *
 * The kernels and imp_maxdiss are the same source (maxdiss_lanes.h), so that an answer does not
 * show who gave it. */
#include "single/maxdiss_batch.h"

#include "contact/law.h"
#include "single/single.h"

static imp_status solve_one(const double W[6], const double q[3], double mu, double e, int variant,
                            imp_batch_answer *answer) {
    (void)variant;
    answer->brief.count = 1;
    return imp_maxdiss(W, q, mu, e, answer->p[0], NULL);
}

static const imp_law *const laws[] = {&imp_law_maxdiss};
static const imp_batch_method method = {.plain = &imp_maxdiss_kernel_plain,
                                        .avx2 = &imp_maxdiss_kernel_avx2,
                                        .avx512 = &imp_maxdiss_kernel_avx512,
                                        .chunk = IMP_MAXDISS_CHUNK,
                                        .solve_one = solve_one,
                                        .laws = laws};

int imp_batch_lanes(int most) {
    return imp_batch_kernel_of(&method, most)->lanes;
}

imp_status imp_maxdiss_batch(const imp_batch_columns *columns, size_t n,
                             const imp_batch_settings *settings) {
    return imp_batch_run(&method, 0, columns, n, settings);
}
