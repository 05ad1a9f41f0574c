/* proximal_system.h - the linear system of a Newton step on a proximal step, and its sparse LU.
 *
 * Private to the files proximal*.c. R = P(y) - p and D = r dP/dy (r_c times the derivative of P) give the direction:
 * (E + D W) dp = R. */
#ifndef IMP_PROXIMAL_SYSTEM_H
#define IMP_PROXIMAL_SYSTEM_H

#include "blocks/blockwise.h"

#include <suitesparse/klu.h>

typedef struct newton_system {
    double *R, *dp;     /* (3nc) */
    double *D;          /* (9nc) */
    int *index;         /* (nc) position of a closed contact (y_n > 0) among the closed ones, -1: open */
    bool over_bodies;   /* unknowns: coordinates of the bodies, not impulses of the closed contacts */
    imp_sparse matrix;  /* assembled */
    int room;           /* entries it has room for */
    double *rhs;        /* (rows of the matrix) */
    int *pattern_index; /* (nc) closed contacts: index at the last analysis */
    int *place;         /* bodies: positions in the matrix, of its diagonal, then of every contact's products */
    klu_symbolic *order;
    klu_numeric *factor;
    klu_common common;
    bool reused;       /* the last factorisation took over its predecessor's pivots */
    bool pivot_anew;   /* the next one must not */
    double sweep_work; /* operations of a sweep */
    double work;       /* of all factorisations so far, in sweeps */
} newton_system;

/* Room for the system, and which unknowns it has; over bodies it wants their pattern next. False without memory. */
bool imp_newton_system_new(newton_system *s, const blockwise *b);
void imp_newton_system_clear(newton_system *s);

/* dp from R, D and index, of either form. False where the matrix is singular or memory is short. */
bool imp_newton_over_contacts(newton_system *s, const blockwise *b);
bool imp_newton_over_bodies(newton_system *s, const blockwise *b);

/* The pattern of the matrix over bodies and where each contribution goes. False without memory, or when the matrix is
 * beyond reach. */
bool imp_newton_bodies_pattern(newton_system *s, const blockwise *b);

/* rhs <- the solution, the matrix factorised: anew, or with the last one's pivots where the pattern is the same. */
bool imp_newton_solve(newton_system *s, bool new_pattern);

/* The work of one factorisation to come, in sweeps; INFINITY: impossible. The pattern must stand. */
double imp_newton_expected(newton_system *s);

/* y (3) += sign B x. */
void imp_newton_add(const double B[9], const double x[3], double sign, double y[3]);

#endif
