/* stress_problems.h - hard little contact problems: redundant, duplicated and wedged contacts,
 * singular blocks, masses and units far apart, ties (small integers, equal contacts, q_n = 0),
 * friction from 0 to 1e6, restitution 0 to 1.
 *
 * A generator of its own, apart from gen.h. */
#ifndef STRESS_PROBLEMS_H
#define STRESS_PROBLEMS_H

#include "contact/model.h"

#include <stdint.h>

enum { STRESS_CONTACTS = 8, STRESS_ROWS = 3 * STRESS_CONTACTS };

/* A problem that points into itself: never copied. */
typedef struct stress_case {
    double W[STRESS_ROWS * STRESS_ROWS], q[STRESS_ROWS], mu[STRESS_CONTACTS], e[STRESS_CONTACTS];
    imp_operator op;
    imp_problem problem;
} stress_case;

typedef enum stress_shape {
    STRESS_GENERIC,
    STRESS_BODIES,
    STRESS_LOW_RANK,
    STRESS_TWINS,  /* contacts that are the same one */
    STRESS_WEDGED, /* contacts whose normals oppose each other */
    STRESS_MASSES, /* masses 1e24 apart */
    STRESS_INTEGERS,
    STRESS_EQUAL,
    STRESS_SINGULAR, /* diagonal blocks of rank 1 and 2, or nearly */
    STRESS_FACE,     /* a box on points of one face */
    STRESS_SHAPES
} stress_shape;

/* Problem `index` of those this model takes: the same on every machine but for what libm rounds. */
void stress_make(const imp_model *model, uint64_t index, stress_case *c);

/* The same of one shape, and with q = G'v in the range of W: motions that bodies can have. */
void stress_make_shape(const imp_model *model, stress_shape shape, uint64_t index, stress_case *c);

#endif
