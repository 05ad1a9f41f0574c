/* coulomb_only.c - the only Coulomb solution of one problem, on any CPU; by coulomb_only_avx2.c
 * where it has fused multiply-add, with the same bits. */
#include "single/coulomb_only.h"

bool imp_coulomb_only(const double W[6], const double q[3], double mu, imp_coulomb_set *set) {
    imp_coulomb_solver *solve = only_solution;
#if defined(__x86_64__) || defined(__i386__)
    if (imp_coulomb_only_fused && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        solve = imp_coulomb_only_fused;
#endif
    return solve(W, q, mu, set);
}
