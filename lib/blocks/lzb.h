/* lzb.h - the distributing law of Liu, Zhao and Brogliato: simultaneous impacts without friction as
 * a process in which the contacts' potential energies share out the impulse.
 *
 * Liu, Zhao, Brogliato, Frictionless multiple impacts in multibody systems (2008): each contact is
 * a spring F = K x^eta that compresses while u_n < 0, x' = -u_n, and expands along another spring
 * of the same force at the start, which gives back e^2 of the work (bi-stiffness). Positions do not
 * change during the impact. With E the work stored, counted along the first spring,
 *     dP_i / dP_j = F_i / F_j,     F = (1 + eta)^(eta/(1+eta)) K^(1/(1+eta)) E^(eta/(1+eta)),
 *     dE = -u_n dP while compressing,     e^2 dE = -u_n dP while expanding,     u = W P + q.
 * Only ratios of stiffness matter. The impact ends when all E are used up and none approaches. Per
 * contact the work of expansion is e^2 that of compression, so that no energy is created; e = 1 is
 * the limit of stiff springs, eta = 3/2 Hertz. e = 0 lets go at once when the approach ends; below
 * 1e-9 e is taken for it. Where other contacts press, that is not the limit of small e, which lets
 * go of as much as it held too much.
 *
 * Departures: the paper integrates in the impulse of the contact with the most energy, by fixed
 * steps; here time of the springs is the variable, which E = 0 at the start does not trouble, by
 * steps of adaptive size, island by island (the contacts that W couples). Stiffness is one for all
 * contacts, or in geometric progression down the list, which is that of a chain of spheres whose
 * radii are: K_i / K_(i-1) = sqrt(r_i / r_(i-1)).
 *
 * A body between two walls that bounces is never done, as with sequential.h. */
#ifndef IMP_LZB_H
#define IMP_LZB_H

#include "contact/model.h"

typedef struct imp_lzb_settings {
    double exponent;  /* eta */
    double grade;     /* stiffness of a contact over that of the one before it in the list */
    double tolerance; /* error of velocities, relative to the fastest approach of the island */
    double max_steps; /* of each island */
} imp_lzb_settings;

/* Those of the model. */
extern const imp_lzb_settings imp_lzb_presets;

/* IMP_UNSUPPORTED: `grade` makes a contact 1e200 times as stiff, or as soft, as the first, or more.
 * IMP_NOT_CONVERGED: an island's process goes on after max_steps; p is the impulse so far.
 * IMP_NO_SOLUTION: an approaching contact that no impulse moves. info->iterations: steps of all
 * islands. */
extern const imp_model imp_model_lzb;

/* The process is followed again, by another method (lzb_law.c). Residuals: signorini, cone,
 * distribution. */
extern const imp_law imp_law_lzb;

/* The normals of an island in units of powers of two, in which its masses and its fastest approach
 * are near 1. */
typedef struct imp_lzb_system {
    int n;
    int *contact; /* (n) which of the problem they are */
    double *N;    /* (n x n) normal rows and columns of W */
    double *q;    /* (n) */
    double *K;    /* (n) */
    double *e;    /* (n) */
    /* (n) the speed that matters at a contact: its own, or that which blows on others bring it to,
     * however many pass it on; most where none does */
    double *own;
    double eta;
    double most; /* the fastest approach */
} imp_lzb_system;

/* P (n, zero) <- the impulses at the end of an island's process. IMP_OK, IMP_NOT_CONVERGED,
 * IMP_NO_MEMORY. */
typedef imp_status imp_lzb_follow(const imp_lzb_system *s, void *data, double *P);

/* P (nc) <- the impulses of all islands, in N s; the first of their statuses that is not IMP_OK:
 * those of the model, of `follow`, IMP_OVERFLOW. */
imp_status imp_lzb_all(const imp_problem *problem, const imp_lzb_settings *settings,
                       imp_lzb_follow *follow, void *data, double *P);

/* x^eta, x >= 0; by roots where they do, for the same bits everywhere. */
double imp_lzb_power(double x, double eta);

/* Takes back what an integration of P (n) gained: scales it to P'WP / 2 + P'q = 0, W (n x n). */
void imp_lzb_give_back(size_t n, const double *W, const double *q, double *P);

/* change (n) <- N F: how forces F (n) change the velocities. */
void imp_lzb_push(const imp_lzb_system *s, const double *F, double *change);

/* The indentation to which an approach of `speed` presses contact i, to a power of two. */
double imp_lzb_reach(const imp_lzb_system *s, int i, double speed);

/* The h in (0, high] where `value`, at_start < 0 and at_end > 0, turns, to rounding; returns the
 * value there, of which it is the last that was asked. The regula falsi of Illinois, and bisection
 * in between. */
double imp_lzb_turn(double (*value)(void *data, double h), void *data, double high, double at_start,
                    double at_end);

/* May a quantity that is below 0 at both ends of a step of h have been above it in between? at (2)
 * are its values there, slope (2) its rates. By the cubic through them: true too where it comes to
 * a tenth of the nearer of the two, which a shorter step will tell. */
bool imp_lzb_touches(const double at[2], const double slope[2], double h);

/* e below which a contact lets go at once: its rebound is rounding. */
#define IMP_LZB_PLASTIC 1e-9

#endif
