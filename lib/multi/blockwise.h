/* blockwise.h - the parts block solvers are made of: block columns of W, one-contact solves, sweeps and errors.
 *
 * Private to lib/multi. Everything is in units of the problem's own: W and q divided by powers of two that bring the
 * mean diagonal and the largest velocity near 1. A solve keeps the impulses p and the velocities u = W p + q side by
 * side: a change of one contact's impulse is added to the velocities of its neighbours, so that both errors cost
 * O(contacts) at any time. */
#ifndef IMP_BLOCKWISE_H
#define IMP_BLOCKWISE_H

#include "contact/problem.h"
#include "contact/sparse.h"

#include <stdbool.h>

/* One contact's own block, prepared for its solves. */
typedef struct contact_block {
    double A[9];       /* 1/kg, W_cc as given */
    double S[4], c[2]; /* tangential Schur complement, and A_tn / A_nn */
    double trace, det; /* of S */
    double weight;     /* 1/kg, trace(A)/3: what makes p comparable with u */
    double mu;
    double slowness; /* 1/kg, the last slip's l in u_t = -l p_t: where its next search begins */
} contact_block;

typedef struct blockwise {
    int nc;
    int *start, *row;       /* block columns: column c holds blocks start[c] .. start[c+1]-1, off-diagonal ones */
    double *block;          /* (9 each) W_jc, row-major */
    contact_block *contact; /* (nc) */
    double *q;              /* (3nc) */
    double q_norm;
    double mean_diagonal; /* of W */
    double one;           /* the field's a = 1 in SI units, in the problem's own */
    double *p, *u;        /* (3nc) the iterate, u = W p + q */
    int impulse_exponent; /* p in N s = p times 2 to this */
} blockwise;

/* LOCAL_CHOSEN + an imp_coulomb_choice: Coulomb's law with that one of its solutions. */
typedef enum local_law { LOCAL_COULOMB, LOCAL_MAXDISS, LOCAL_CHOSEN } local_law;

/* NULL without memory. */
blockwise *imp_blockwise_new(const imp_problem *problem);
void imp_blockwise_free(blockwise *b);

/* p <- an impulse in N s (3nc), u with it; and an impulse in N s (3nc) <- p. */
void imp_blockwise_set(blockwise *b, const double *impulse);
/* The same for a first guess: left out where one number of it is not finite. */
void imp_blockwise_start(blockwise *b, const double *guess);
void imp_blockwise_get(const blockwise *b, const double *p, double *impulse);

/* 1/kg of W in one of the problem's own units: a mass matrix times this goes with them. */
double imp_blockwise_matrix_unit(const blockwise *b);

/* u <- W p + q from scratch. */
void imp_blockwise_refresh(blockwise *b);

/* Impulse `next` (3) of contact c in place of the present one, with all velocities brought up to date. */
void imp_blockwise_change(blockwise *b, int c, const double next[3]);

/* next (3) <- the contact's own law solved with all other impulses fixed, from its free velocity v (3) = u - A p.
 * `extra` >= 0 is added to the diagonal of A (the proximal term), 1/kg. */
void imp_blockwise_local(contact_block *c, local_law law, const double v[3], double extra, double next[3]);

/* t (2) <- the friction of least energy with |t| <= radius, from its free tangential velocity v (2): A_tt t + v = 0
 * inside the disc, or against the slip on its rim. */
void imp_blockwise_disc(const contact_block *c, const double v[2], double radius, double t[2]);

/* The natural-map residuals of p and u, both divided by |q| (by 1 where q = 0):
 * |a p - P(a p - u - mu |u_t| n)| with a = 1 in SI units, the field's convention, and a = mean diagonal of W. */
typedef struct natural_error {
    double field, scale_free;
} natural_error;
natural_error imp_blockwise_error(const blockwise *b);
double imp_natural_error_worst(natural_error e);

/* How contacts are visited and solved in a sweep. */
typedef struct sweep_rule {
    local_law law;
    double relaxation;    /* p <- p + relaxation (local - p) */
    bool backwards;       /* last contact first */
    double alpha;         /* proximal term alpha weight_c (p - centre) in every contact's own solve; 0: none */
    const double *centre; /* (3nc) N s, read where alpha > 0 */
} sweep_rule;

/* One Gauss-Seidel sweep over all contacts. */
void imp_blockwise_sweep(blockwise *b, const sweep_rule *rule);

/* The same inside each of `parts` equal runs of contacts, none of which sees what the others change; then every change
 * is damped: p <- p + blend (swept - p). As many parts as contacts: weighted block Jacobi. before (3nc) is work. */
void imp_blockwise_sweep_parts(blockwise *b, const sweep_rule *rule, int parts, double blend, double *before);

/* x <- projection of x (3) on the friction cone |x_t| <= mu x_n. */
void imp_project_cone(double mu, double x[3]);

#endif
