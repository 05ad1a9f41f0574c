/* loop_internal.h - what the files of loops share. */
#ifndef IMP_LOOP_INTERNAL_H
#define IMP_LOOP_INTERNAL_H

#include "linear/null_space.h"
#include "multibody/loop.h"

struct imp_loops {
    imp_tree *tree;
    int count, rows;
    imp_loop *loop;        /* (count) */
    double *G;             /* (rows x nv) */
    double *whole;         /* (rows) lengths of rows of C without the other side of the joint */
    bool *implied;         /* (rows) left out: others imply them, see imp_loops_imply */
    imp_null_space *space; /* of C; NULL: not factorised */
    double *work;          /* (5 nv + 6 rows): a vector, what rows want, what one solve needs */
};

#endif
