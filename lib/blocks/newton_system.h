/* newton_system.h - the linear system of a Newton step on all contacts, and its sparse LU.
 *
 * Private to lib/blocks. A Newton step on Coulomb's law, written contact by contact as dp + D du =
 * R with 3 x 3 blocks D, has the direction (E + D W) dp = R. Two forms of it: by the contacts whose
 * D is not 0, or, with W = G'G, in the coordinates of the bodies. D is unsymmetric and so is the
 * system. */
#ifndef IMP_NEWTON_SYSTEM_H
#define IMP_NEWTON_SYSTEM_H

#include "blocks/blockwise.h"
#include "linear/frontal.h"

#include <suitesparse/klu.h>

typedef struct newton_system {
    double *R, *dp; /* (3nc) */
    double *du;     /* (3nc) W dp, where it is asked for */
    double *D;      /* (9nc) row-major blocks */
    int *index;     /* (nc) position of a closed contact among the closed ones, -1: open, where
                           D = 0 */
    /* unknowns: coordinates of the bodies, not impulses of the closed contacts */
    bool over_bodies;
    const imp_factored *bodies; /* then: G */
    imp_factored *own;          /* it, where nobody else keeps it */
    imp_sparse matrix;          /* assembled */
    int room;                   /* entries it has room for */
    double *rhs;                /* (rows of the matrix) */
    bool *seen;                 /* (rows of the matrix) for the sign of a permutation */
    int *pattern_index;         /* (nc) closed contacts: index at the last analysis */
    /* bodies: positions in the matrix, of its diagonal, then of every contact's products */
    int *place;
    frontal *fronts; /* bodies: the factors */
    /* contacts: the factors */
    klu_symbolic *order;
    klu_numeric *factor;
    klu_common common;
    double sweep_work; /* operations of a sweep */
    double work;       /* of all factorisations so far, in sweeps */
} newton_system;

/* Room for the system, and which unknowns it has. False without memory, which b is told, or where
 * the matrix is beyond reach. */
bool imp_newton_system_new(newton_system *s, blockwise *b);
void imp_newton_system_clear(newton_system *s);

/* Assembles and factorises E + D W from D and index. False where it is singular, or without memory,
 * which b is told. */
bool imp_newton_factorise(newton_system *s, blockwise *b);

/* dp from R, by the factors of the last factorisation, which must have succeeded; and du = W dp of
 * the last such dp. */
void imp_newton_direction(newton_system *s, const blockwise *b);
void imp_newton_velocities(newton_system *s, const blockwise *b);

/* The sign of det(E + D W), from the factors. */
int imp_newton_sign(const newton_system *s);

/* The work of one factorisation to come, in sweeps, from its symbolic analysis; 0 where the
 * unknowns are those of the closed contacts: they decide it; and where G came by columns: in steps
 * of time Newton comes before whatever would spend as much (ten-boxes.json). INFINITY:
 * impossible. */
double imp_newton_expected(newton_system *s);

/* The two forms. Entries: contributions to the matrix over bodies. Pattern: of this matrix, and
 * where each contribution goes. Contacts: `anew` <- the pattern is not the last one's; nothing to
 * factorise where no contact is closed. Pattern, contacts: false without memory. */
double imp_newton_bodies_entries(const imp_factored *f);
bool imp_newton_bodies_pattern(newton_system *s);
void imp_newton_bodies_assemble(newton_system *s, const blockwise *b);
void imp_newton_bodies_pose(newton_system *s, const blockwise *b);
void imp_newton_bodies_take(newton_system *s, const blockwise *b);
bool imp_newton_contacts_assemble(newton_system *s, const blockwise *b, bool *anew);
void imp_newton_contacts_pose(newton_system *s, const blockwise *b);
void imp_newton_contacts_take(newton_system *s, const blockwise *b);
void imp_newton_bodies_velocities(newton_system *s, const blockwise *b);
void imp_newton_contacts_velocities(newton_system *s, const blockwise *b);

/* y (3) += sign B x. */
static inline void imp_newton_add(const double B[9], const double x[3], double sign, double y[3]) {
    for (int i = 0; i < 3; i++)
        y[i] += sign * (B[3 * i] * x[0] + B[3 * i + 1] * x[1] + B[3 * i + 2] * x[2]);
}

#endif
