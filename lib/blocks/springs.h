/* springs.h - the rigid limit of compliant contact as a law: every contact a stiff spring that
 * dissipates, with Coulomb's friction, followed through an impact in which no position changes.
 *
 * With x the indentation of a contact, of which those below 0 are gaps, F its normal force:
 *     F = K x^eta max(0, 1 - a u_n),  x > 0 (Hunt, Crossley 1975),     x' = -u_n,  x = 0 before,
 *     u = W P + q,  P_n' = F,  P_t' in the disc of mu F: against u_t at its edge, or u_t = 0.
 * Time is that of the springs, which are as stiff as one likes: only ratios of stiffness matter.
 * eta = 3/2 is Hertz. The impact ends when nothing presses and nothing approaches. `a` is such that
 * a contact by itself gives back e of the fastest approach in its island (the contacts that W
 * couples with it), and more of slower ones, as compliant contact does:
 *     a v (1 + e) = ln((1 + a v) / (1 - a v e)).
 * e below 1e-9 is taken for it. The law is its own: neither Stronge's restitution, nor the springs
 * of Liu, Zhao and Brogliato (lzb.h), which have no friction and no gaps.
 *
 * Friction is followed as mu F u_t / (u_t^4 + d^4)^(1/4), with d = 10 tolerance of the fastest
 * approach, by a method for stiff equations: contacts that stick creep by less, redundant ones
 * share what holds them as they do, and where friction presses a contact (Painleve) the spring ends
 * that.
 *
 * A body that is wedged comes to rest between its springs, which hold it for ever: there the
 * process ends, too, and p is what it was when the velocities were known. One that bounces between
 * two walls is never done. */
#ifndef IMP_SPRINGS_H
#define IMP_SPRINGS_H

#include "contact/model.h"

typedef struct imp_springs_settings {
    double exponent;  /* eta */
    double grade;     /* stiffness of a contact over that of the one before it in the list */
    double tolerance; /* error of velocities in a step, relative to the fastest approach */
    double max_steps; /* of each island */
} imp_springs_settings;

/* Those of the model. */
extern const imp_springs_settings imp_springs_presets;

/* IMP_UNSUPPORTED: `grade` makes a contact 1e200 times as stiff, or as soft, as the first, or more.
 * IMP_NOT_CONVERGED: an island's process goes on after max_steps; p is the impulse so far.
 * IMP_NO_SOLUTION: an approaching contact that no impulse moves. info->iterations: steps
 * of all islands. */
extern const imp_model imp_model_springs;

/* The process is followed again, by another method (springs_law.c). Residuals: signorini, cone,
 * from-model, distribution. */
extern const imp_law imp_law_springs;

/* An island in units of powers of two, in which its masses and its fastest approach are near 1. */
typedef struct imp_springs {
    int n;           /* contacts */
    int *contact;    /* (n) which of the problem they are */
    double *W;       /* (3n x 3n) */
    double *q;       /* (3n) */
    double *K, *mu;  /* (n) */
    double *damping; /* (n) a */
    double *depth;   /* (n) to which the fastest approach would press it */
    double eta;
    double approach; /* the fastest */
    double time;     /* the longest that the fastest approach takes to that depth */
} imp_springs;

/* P (3n, zero) <- the impulses at the end of an island's process. IMP_OK, IMP_NOT_CONVERGED,
 * IMP_NO_MEMORY. */
typedef imp_status imp_springs_follow(const imp_springs *s, void *data, double *P);

/* p (3nc) <- the impulses of all islands, in N s; the worst of the statuses: those of the model, of
 * `follow`, IMP_OVERFLOW. */
imp_status imp_springs_all(const imp_problem *problem, const imp_springs_settings *settings,
                           imp_springs_follow *follow, void *data, double *p);

/* The derivative of imp_lzb_power (lzb.h). */
double imp_springs_slope(double x, double eta);

/* u (3n) <- W P + q. */
void imp_springs_velocity(const imp_springs *s, const double *P, double *u);

/* With u (3n) and x (n): nothing approaches, and no spring holds what would move it. */
bool imp_springs_apart(const imp_springs *s, double tolerance, const double *x, const double *u);

/* What presses does not move, and nothing else approaches: if so for as long as `time`, springs and
 * friction hold it between them. */
bool imp_springs_rests(const imp_springs *s, double tolerance, const double *x, const double *u);

#endif
