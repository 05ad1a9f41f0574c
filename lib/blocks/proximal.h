/* proximal.h - the proximal-point step with a semismooth Newton solve inside, for stiff and
 * redundant problems.
 *
 * Private to lib/blocks. Outer step: find p with p = P(p_k - r (W p + q)), r_c = 1/(alpha
 * weight_c), where P keeps the normal part positive and cuts the tangential one to mu times it
 * (Alart, Curnier 1991). Its fixed points are the exact Coulomb solutions for every alpha; a small
 * alpha moves far, a large one is easy to solve. */
#ifndef IMP_PROXIMAL_H
#define IMP_PROXIMAL_H

#include "blocks/blockwise.h"

typedef struct proximal proximal;

/* NULL without memory, which b is told, or where its system is beyond reach. */
proximal *imp_proximal_new(blockwise *b);
void imp_proximal_free(proximal *s);

/* One outer step from b->p with this alpha: true when the inner Newton reached `tolerance` (norm of
 * its residual in velocities), or what rounding leaves of it; p and u of b hold its result. False:
 * p and u of b are unspecified, `allowance` of work may be spent. Every Newton step has to bring
 * the residual down. */
bool imp_proximal_step(proximal *s, blockwise *b, double alpha, double tolerance, double allowance);

/* The work of one factorisation to come, in sweeps, from its symbolic analysis; 0 where the
 * unknowns are those of the closed contacts: they decide it. INFINITY: impossible. */
double imp_proximal_cost(proximal *s);

/* Newton steps of the last outer step; and the work of all factorisations so far, in sweeps. */
int imp_proximal_steps(const proximal *s);
double imp_proximal_work(const proximal *s);

#endif
