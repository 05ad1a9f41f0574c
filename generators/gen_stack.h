/* gen_stack.h - unit cubes on one another, of any masses, four contacts between each and the
 * next. */
#ifndef GEN_STACK_H
#define GEN_STACK_H

#include "gen.h"

enum { GEN_STACK_BOXES = 5, GEN_STACK_CONTACTS = 4 * GEN_STACK_BOXES };

/* The contact problem of a stack that has fallen on the ground; W is singular. */
typedef struct gen_stack {
    int nc;
    double W[9 * GEN_STACK_CONTACTS * GEN_STACK_CONTACTS]; /* (3nc x 3nc) 1/kg */
    double q[3 * GEN_STACK_CONTACTS];                      /* m/s */
    double mu[GEN_STACK_CONTACTS];                         /* one of all contacts */
} gen_stack;

/* mass (boxes) kg, from the ground up, boxes <= GEN_STACK_BOXES: falling at 1 m/s, and each box at
 * some .3 m/s and .2 rad/s of its own, drawn from *s. */
void gen_stack_of(gen_stream *s, int boxes, const double *mass, double mu, gen_stack *stack);

#endif
