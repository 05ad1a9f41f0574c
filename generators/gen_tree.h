/* gen_tree.h - random trees of rigid bodies. */
#ifndef GEN_TREE_H
#define GEN_TREE_H

#include "gen.h"
#include "multibody/tree.h"

/* x (n) <- a random direction. */
void gen_unit(gen_stream *s, double *x, int n);

/* A link with the inertia of a random solid box, turned and off centre. */
imp_link gen_link(gen_stream *s, int parent, imp_joint joint);

/* A random forest: revolute chains with branches, a slider and welds; with_free: half of it on a
 * free body. */
imp_tree *gen_tree(gen_stream *s, int with_free);

/* A random place and motion of a tree. */
void gen_tree_state(gen_stream *s, const imp_tree *tree, double *q, double *v);

#endif
