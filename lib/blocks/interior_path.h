/* interior_path.h - the central path of Coulomb's law, followed around its folds towards a
 * solution.
 *
 * Private to lib/blocks. Per contact with friction coefficient f, the impulse r = (f p_n, p_T) and
 * the velocity z = (u_n/f + s, u_T) both lie in the second-order cone and are orthogonal, s = |u_T|
 * (De Saxce, Feng 1998). The central path r o z = mu e leads from mu = 1 to a solution at mu = 0.
 * Because of s the law is not that of a minimum, and the path has folds, where it turns back to a
 * larger mu before it goes on: Newton's steps for a given mu end there. Steps along the length of
 * the path (Allgower, Georg 1990, chapter 6) go around them.
 *
 * Inside the cone s = |z_T|^4 / z_0^3 stands for |z_T|: on the cone's boundary, where sliding
 * contacts end, it is the same, at its apex, where sticking ones end, both vanish, and where r = 0
 * leaves z inside, u_n >= 0 follows from z_0 >= |z_T| as before. It has a derivative everywhere
 * inside, and little of one where a contact sticks. */
#ifndef IMP_INTERIOR_PATH_H
#define IMP_INTERIOR_PATH_H

#include "blocks/blockwise.h"

typedef struct interior_path interior_path;

/* At mu = 1. NULL without memory, which b is told, or where its system is beyond reach. */
interior_path *imp_interior_path_new(blockwise *b);
void imp_interior_path_free(interior_path *path);

/* One step, of one factorisation; p and u of b hold the point it leads to. False: the path has
 * ended, at the last point shown, for rounding, because no step leads on, or without memory. */
bool imp_interior_path_step(interior_path *path, blockwise *b);

/* The path's parameter, 1 at the start; and the work of all steps so far, in sweeps. */
double imp_interior_path_mu(const interior_path *path);
double imp_interior_path_work(const interior_path *path);

#endif
