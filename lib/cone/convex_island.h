/* convex_island.h - contacts coupled through W, in units of their own: what the convex solvers work
 * on. */
#ifndef IMP_CONVEX_ISLAND_H
#define IMP_CONVEX_ISLAND_H

#include "cone/convex.h"
#include "linear/parts.h"

#include <stdbool.h>

/* An opening velocity below it, relative to what it is the sum of, does not show that a contact may
 * not push: a thousand times what phase I's answers are held to (convex_active.h). */
#define IMP_CONVEX_OPENING 1e-9

/* Scaled by powers of two so that the mean diagonal of W and the largest velocity are near 1. */
typedef struct convex_island {
    int n;                /* contacts */
    const int *contact;   /* (n) their numbers in the problem, ascending; of the parts */
    int *start, *column;  /* (n + 1), (start[n]) block rows of W; columns count within the island */
    double *block;        /* (9 start[n]) */
    double *q;            /* (3n) free velocity */
    double *lean;         /* (3n) of a part: -W E lambda of the others; else NULL */
    double *mu, *viscous; /* (n) the cone is |x_to| <= mu x_n + viscous */
    double *gap;          /* (n) u_n >= -gap */
    double *e;            /* (n) restitution */
    double kappa;         /* sum of the normal impulses */
    int impulse_exponent; /* N s = scaled impulse times 2 to this */
    int W_exponent;       /* 1/kg = scaled W times 2 to this */
} convex_island;

/* As imp_islands; `together`: all contacts in one, whatever W says. */
int imp_convex_islands(const imp_problem *problem, bool together, int *label);

/* kg, viscous friction of contact i: the problem's, else the settings'. */
static inline double imp_convex_viscous(const imp_problem *problem, double standard, int i) {
    return problem->mu_v ? problem->mu_v[i] : standard;
}

/* Island number k of the parts of the problem's W, which must outlive it; kappa is left to the
 * caller. mu_v (kg) where the problem has none. NULL without memory. */
convex_island *imp_convex_island_new(const imp_problem *problem, const imp_parts *parts, int k,
                                     double mu_v);
/* The unit of impulses times 2^exponent, with velocities as they are. */
void imp_convex_island_rescale(convex_island *island, int exponent);

/* Contacts chosen (n, ascending) of it, in its units, the others without impulses; `lean` is left
 * to the caller. NULL without memory. */
convex_island *imp_convex_island_part(const convex_island *island, const int *chosen, int n);

void imp_convex_island_free(convex_island *island);

/* As imp_convex; without friction phases I and III only. */
imp_status imp_convex_phases(const imp_problem *problem, const imp_convex_settings *settings,
                             bool friction, double *p, imp_convex_report *report);

/* W_ii (9), row-major; it is among the blocks even where it is 0. */
static inline const double *imp_convex_own_block(const convex_island *island, int i) {
    int k = island->start[i];
    while (k + 1 < island->start[i + 1] && island->column[k] != i)
        k++;
    return island->block + 9 * (size_t)k;
}

/* y (3n) <- W x. */
void imp_convex_apply(const convex_island *island, const double *x, double *y);

/* Wx (n) <- the normal components of W (x_n, 0, 0). */
void imp_convex_apply_normal(const convex_island *island, const double *x, double *y);

/* max |min(y, A_N y + b)|; w (n) <- A_N y + b. */
double imp_convex_phase1_residual(const convex_island *island, const double *b, const double *y,
                                  double *w);

/* A (n x n) <- the normal rows and columns of W. */
void imp_convex_normal_matrix(const convex_island *island, double *A);

/* value (entries of A) <- A_SS + diag(D_S), D (n), on the set S that `within` (n) marks; the unit
 * matrix elsewhere. */
void imp_convex_normal_part(const convex_island *island, const bool *within, const double *D,
                            double *value);

/* W (3n x 3n) <- written out. */
void imp_convex_dense(const convex_island *island, double *W);

#endif
