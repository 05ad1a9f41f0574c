/* coulomb_only.c - the only Coulomb solution of one problem, on any CPU; by coulomb_only_avx2.c
 * where it has fused multiply-add, with the same bits. */
#include "single/coulomb_only.h"

#include "base/machine.h"

bool imp_coulomb_only(const double W[6], const double q[3], double mu, imp_coulomb_set *set) {
    const bool fused = imp_coulomb_only_fused && imp_machine_has(4);
    return (fused ? imp_coulomb_only_fused : only_solution)(W, q, mu, set);
}
