/* way.h - the way of bodies joined in loops, step by step: the error of a step as the closing of
 * loops leaves it, and change points, where the rows of the joints depend on each other and more
 * than one way goes on (a parallelogram laid flat).
 *
 * Motion through such a point is smooth, but beside it rounding of what the rows do not leave free
 * is magnified by the inverse of the distance, that of velocities by its square. A step is to carry
 * from one side to the other. */
#ifndef COMPLIANT_WAY_H
#define COMPLIANT_WAY_H

#include "multibody/loop.h"

/* How near to a change point: imp_loops_doubt is as the inverse of the distance. */
typedef struct compliant_way {
    imp_tree *tree;
    imp_loops *loops;     /* NULL: none, and nothing below does anything */
    double doubt, before; /* where it is, and a step earlier */
    double step;          /* s, that step */
    double clearest;      /* the least so far */
} compliant_way;

/* Before the first step. */
compliant_way compliant_way_new(imp_tree *tree, imp_loops *loops);

/* A step has ended, or the run: rows that others imply, which are left out on the way from there,
 * count again. Before imp_loops_factor where the loops are closed. */
void compliant_way_stop(compliant_way *way);

/* It goes on from there, h (s) after the last. IMP_NOT_CERTIFIED: rounding decides how; places are
 * closed to 1e-14, and two ways part by the product of the distances. Else as imp_loops_imply. */
imp_status compliant_way_go(compliant_way *way, double h);

/* s, h or less: of a step that does not end beside the change point ahead, but half way to it or
 * as far beyond as its stages leave room for. */
double compliant_way_step(const compliant_way *way, double h);

/* v (nv) <- what changes coordinates q (nq) by d (nq) in 1 s; imp_tree_rate is the way back. */
void compliant_way_velocity(const imp_tree *tree, const double *q, const double *d, double *v);

/* A step tried has ended at (q, v), where this places the tree: errors dq (nq), dv (nv) <- what of
 * them the closing of the loops leaves. x (nv) is scratch. IMP_OK, IMP_NO_MEMORY,
 * IMP_NOT_CERTIFIED: the rows cannot be told, or it is beside a change point. */
imp_status compliant_way_error(const compliant_way *way, const double *q, const double *v,
                               double *dq, double *dv, double *x);

#endif
