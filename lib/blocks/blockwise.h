/* blockwise.h - the parts block solvers are made of: W coupled by columns or over bodies,
 * one-contact solves, sweeps and errors.
 *
 * Private to lib/blocks. Everything is in units of the problem's own: W and q divided by powers of
 * two that bring the mean diagonal and the largest velocity near 1. Beside the impulses p goes a
 * state linear in them, kept up to date by every change of one contact's impulse:
 *   by columns    the velocities u = W p + q themselves: a change is added to those of the
 *                 neighbours;
 *   over bodies   z = G p where W = G'G is known (linear/factored.h, linear/sparse.h): u_c = G_c'z
 *                 + q_c is computed where it is read, and a change costs the coordinates of two
 *                 bodies however many contacts these have.
 * The cheaper one is taken. */
#ifndef IMP_BLOCKWISE_H
#define IMP_BLOCKWISE_H

#include "base/two_lanes.h"
#include "linear/anderson.h"
#include "linear/gram.h"
#include "contact/friction_cone.h"
#include "contact/problem.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* Of velocities: what joints leave of them beside what the contacts of their bodies can move. */
#define IMP_UNSURE_VELOCITY 1e-12

/* One contact's own block, prepared for its solves. */
typedef struct contact_block {
    double A[9];                /* 1/kg, W_cc as given */
    double S[4];                /* tangential Schur complement */
    double trace, det;          /* of S */
    double of_det;              /* 1 / det; 0: S is singular */
    double of_normal;           /* 1 / A_nn; 0: there is nothing to push */
    double lifts[2], pushes[2]; /* A_tn / A_nn, A_nt / A_nn */
    double weight;              /* 1/kg, trace(A)/3: what makes p comparable with u */
    double mu;
    double still;    /* m/s, what is left of a free velocity beside |q| is rounding below it */
    double faint;    /* N s: a smaller impulse changes u by no more than rounding of its q */
    double slowness; /* 1/kg, the last slip's l in u_t = -l p_t: where its next search begins */
} contact_block;

typedef struct blockwise {
    int nc;
    imp_gram gram;
    bool over_bodies; /* the state is z = one G p, else it is u */
    /* by columns: the block rows of W', in the problem's own unit; those of W where it is known to
     * be symmetric */
    imp_blocks columns;
    /* over bodies: start[c] .. start[c+1]-1 of contact c, each what it has of G in the rows row[k]
     * and row[k] + 1, for its directions n, t, o */
    int *start, *row;
    two_lanes *pair;        /* (3 each) */
    contact_block *contact; /* (nc) */
    /* (nc) the same with alpha weight on the diagonal of A: the proximal term */
    contact_block *stiff;
    double alpha; /* of `stiff`; 0: none yet */
    double *q;    /* (3nc) */
    double q_norm;
    double mean_diagonal; /* of W */
    double most_friction; /* the largest mu */
    /* 1/kg in the problem's own unit: the field's a = 1, and W = one G'G */
    double one;
    /* (3nc) the iterate, u = W p + q; over bodies u is that of the last look */
    double *p, *u;
    int states;           /* numbers in the state */
    double *state;        /* (states) what changes together with p: u, or z */
    int impulse_exponent; /* p in N s = p times 2 to this */
    /* an answer must keep the field's error as well as the scale-free one */
    bool field_too;
    /* the contact that refuted the last certificate: the next one asks it first; -1: none */
    int suspect;
    bool no_memory;             /* for something that was left out */
    const volatile int *cancel; /* see imp_info */
} blockwise;

/* LOCAL_MAXDISS + an imp_maxdiss_solver: maximum dissipation by that one; LOCAL_CHOSEN + an
 * imp_coulomb_choice: Coulomb's law with that one of its solutions. */
typedef enum local_law { LOCAL_COULOMB, LOCAL_MAXDISS, LOCAL_CHOSEN = 4 } local_law;

static inline bool local_is_maxdiss(local_law law) {
    return law >= LOCAL_MAXDISS && law < LOCAL_CHOSEN;
}

/* Is no impulse the answer at this free normal velocity? Of maximum dissipation not of a contact
 * that rests: friction that drives it in may dissipate. */
static inline bool local_opens(local_law law, double v) {
    return local_is_maxdiss(law) ? v > 0 : law < LOCAL_CHOSEN && !(v < 0);
}

/* What is made from A and mu: still and slowness are left as they are. S counts as singular within
 * the rounding of the whole block, as joints and stiff bodies may leave it. */
void imp_contact_block(contact_block *contact);
/* The same of a definite block: within the rounding of each axis, however unlike these are. */
void imp_contact_block_definite(contact_block *contact);

/* NULL without memory. */
blockwise *imp_blockwise_new(const imp_problem *problem, bool field_too);
void imp_blockwise_free(blockwise *b);

/* Has somebody asked for the end of the solve? */
bool imp_blockwise_cancelled(const blockwise *b);

/* p <- an impulse in N s (3nc), u with it; and an impulse in N s (3nc) <- p. */
void imp_blockwise_set(blockwise *b, const double *impulse);
/* The same for a first guess: left out where one number of it is not finite, and where q = 0. */
void imp_blockwise_start(blockwise *b, const double *guess);
void imp_blockwise_get(const blockwise *b, const double *p, double *impulse);

/* state and u from p, from scratch; and u alone from the state. */
void imp_blockwise_refresh(blockwise *b);
void imp_blockwise_look(blockwise *b);

/* The velocity of contact c at present: a row of b->u, or `room` (3) filled. */
const double *imp_blockwise_velocity(const blockwise *b, int c, double room[3]);

/* Impulse `next` (3) of contact c in place of the present one, the state brought up to date. */
void imp_blockwise_change(blockwise *b, int c, const double next[3]);

/* Anderson mixing of p and the state, of residuals that are velocities, so that units of impulse
 * drop out; NULL without memory. */
anderson *imp_blockwise_mixing(const blockwise *b);

/* impulse (3nc), of p, <- 0 where that changes its own contact by no more than this share of |q|.
 * Returns whether there was any. */
bool imp_blockwise_without_dust(const blockwise *b, double share, double *impulse);

/* next (3) <- the contact's own law solved with all other impulses fixed, from its free velocity v
 * (3) = u - A p. */
void imp_blockwise_local(contact_block *c, local_law law, const double v[3], double next[3]);

/* t (2) <- the friction of least energy with |t| <= radius, from its free tangential velocity v
 * (2): A_tt t + v = 0 inside the disc, or against the slip on its rim. */
void imp_blockwise_disc(const double A[9], const double v[2], double radius, double t[2]);

/* The natural-map residuals of p and u (as of the last look), both divided by |q| (by 1 where q =
 * 0): |a p - P(a p - u - mu |u_t| n)| with a = 1 in SI units, the field's convention, and a = mean
 * diagonal of W; the field's is 0 where nobody asks for it. */
typedef struct natural_error {
    double field, scale_free;
    /* of the normals, |min(0, u_n)| over |q|: the map shrinks it by 1/sqrt(1 + mu^2) */
    double approach;
} natural_error;
natural_error imp_blockwise_error(const blockwise *b);

/* The one that decides: the larger of the scale-free one and the approach, and the field's where it
 * is asked for. */
double imp_blockwise_judged(const blockwise *b, natural_error e);

/* About what rounding leaves of u where weight p is `push` (norms): a velocity is a sum of some 16
 * terms as large. */
static inline double imp_velocity_rounding(double push) {
    enum { TERMS = 16 };
    return TERMS * DBL_EPSILON * push;
}

/* The same of the present iterate. */
double imp_blockwise_rounding(const blockwise *b);

/* Scalar operations of one sweep. */
double imp_blockwise_work(const blockwise *b);

/* How contacts are visited and solved in a sweep. */
typedef struct sweep_rule {
    local_law law;
    double relaxation; /* p <- p + relaxation (local - p) */
    bool backwards;    /* last contact first */
    const double
        /* (3nc) proximal term b->alpha weight_c (p - centre) in every contact's own solve; NULL:
         * none */
        *centre;
} sweep_rule;

/* Makes b->stiff for sweeps with a proximal term. False without memory. */
bool imp_blockwise_stiffen(blockwise *b, double alpha);

/* One Gauss-Seidel sweep over all contacts. */
void imp_blockwise_sweep(blockwise *b, const sweep_rule *rule);

/* Contacts shared out among parts, for the blend of Gauss-Seidel and Jacobi. */
typedef struct sweep_parts {
    int count;
    /* (count + 1) part k holds order[start[k]] .. order[start[k+1]-1], ascending */
    int *start;
    int *order;        /* (nc) */
    double *p, *state; /* (3nc), (states) before a sweep */
} sweep_parts;

/* `count` parts of equally many bodies, a contact belonging to the first body it touches; of
 * equally many contacts where no bodies are known. As many parts as contacts, or more: each contact
 * is a part. False without memory. */
bool imp_sweep_parts_new(const blockwise *b, double count, sweep_parts *parts);
void imp_sweep_parts_clear(sweep_parts *parts);

/* A Gauss-Seidel sweep inside each part, none of which sees what the others change; then every
 * change is damped: p <- p + blend (swept - p) (Preclik 2017, section 3.1: omega). As many parts as
 * contacts: weighted block Jacobi. */
void imp_blockwise_sweep_parts(blockwise *b, const sweep_rule *rule, const sweep_parts *parts,
                               double blend);

/* |a p - P(a p - u - mu |u_T| n)|^2 of one contact, P the nearest point of its cone; lift: mu
 * |u_T|. 0 where p and u keep Coulomb's law, whatever a > 0. */
static inline double imp_natural_square(const double p[3], const double u[3], double mu,
                                        double lift, double a) {
    const double w[3] = {u[0] + lift, u[1], u[2]},
                 x[3] = {a * p[0] - w[0], a * p[1] - w[1], a * p[2] - w[2]};
    double y[3], square = 0;
    imp_cone_project(mu, x, y, NULL);
    /* Within the cone, and not to rounding on its rim, the difference is w, which a p may be too
     * large to show. */
    const double slip = x[1] * x[1] + x[2] * x[2], limit = mu * x[0];
    const bool inside = x[0] > 0 && slip < (1 - 0x1p-48) * limit * limit;
    for (int r = 0; r < 3; r++) {
        const double off = inside ? w[r] : a * p[r] - y[r];
        square += off * off;
    }
    return square;
}

#endif
