/* All Coulomb solutions of a contact that has three, and how far from each the answer of maximum
 * dissipation x* is: Preclik, Eibl, Ruede (2017), section 4.1. Prints:
 *
 *     3 solutions, proven
 *     slip, p = (2.6780, -9.8612, -0.9672) N s, -0.7453 J, x* 0.3873 N s away
 *     slip, p = (0.2607, -0.4827, -0.8352) N s, -0.3836 J, x* 10.0655 N s away
 *     slip, p = (0.1245, -0.0712, -0.4551) N s, -0.2643 J, x* 10.5125 N s away
 */
#include <impact.h>
#include <math.h>
#include <stdio.h>

int main(void) {
    /* six mass points, 0.03, 65 and 50 kg at 10, 1 and 1 m, one of them against a plane */
    const double W[6] = {0.861990700792433, 0.221195130857186, 0.069485543076977,
                         0.061395170816764, 0.017921029750132, 0.768344548954738};
    const double q[3] = {-0.059937099051674686, 0.046505016622541251, 0.73535353918112534};
    const double mu = 3.7;
    imp_coulomb_set set;
    double p[3];
    if (imp_coulomb_enumerate(W, q, mu, &set) != IMP_OK ||
        imp_maxdiss(W, q, mu, 0, p, NULL) != IMP_OK)
        return 1;
    printf("%d solutions%s\n", set.count, set.proven ? ", proven" : "");
    for (int k = 0; k < set.count; k++) {
        const imp_coulomb_solution *s = &set.solution[k];
        const double apart = hypot(p[0] - s->p[0], hypot(p[1] - s->p[1], p[2] - s->p[2]));
        printf("%s, p = (%.4f, %.4f, %.4f) N s, %.4f J, x* %.4f N s away\n",
               imp_coulomb_kind_text(s->kind), s->p[0], s->p[1], s->p[2], s->energy, apart);
    }
    return 0;
}
