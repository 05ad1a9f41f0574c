/* plus.h - the impact model PLUS for any number of contacts, and its simpler relatives.
 *
 * Uchida, Sherman, Delp (2015), "Making a meaningful impact: modelling simultaneous frictional
 * collisions in spatial multibody systems", Proc. R. Soc. A 471: 20140859. What is decided where
 * the paper is silent stands in plus.c. */
#ifndef IMP_PLUS_H
#define IMP_PLUS_H

#include "contact/model.h"
#include "base/public.h"

IMP_PUBLIC_BEGIN

/* How the constraints that act in an interval are found. */
typedef enum imp_active_set {
    IMP_HEURISTIC, /* the paper's: release the constraint violated most, until none is */
    IMP_EXHAUSTIVE /* all combinations, least norm of the impulse; 6 contacts at most */
} imp_active_set;

/* The speeds are absolute, in m/s: they are properties of the materials and of the solver's view of
 * them, and do not scale with the data. A slip below 1e-12 of the fastest velocity component counts
 * as none, whatever v_transition. */
typedef struct imp_plus_settings {
    double theta_max;    /* rad, largest change of a slip direction in one interval, 1e-5 to 1.5 */
    double v_transition; /* m/s, a slower contact rolls, or slips only from the interval's end */
    double v_capture;    /* m/s, slower approaches have no restitution */
    double v_plastic;    /* m/s, faster approaches have the least restitution, the problem's e */
    double alpha_min;    /* -, shortest interval, as a share of what is left of the phase */
    int active_set;      /* imp_active_set */
    /* -, >= 1: static coefficient over the problem's mu, of contacts that roll from the start on */
    double static_ratio;
} imp_plus_settings;

/* The paper's Table A1, and static_ratio 1, as the paper has it ("it is possible that the higher
 * static coefficient would be more realistic for contacts that are already rolling at the beginning
 * of an impact", section 2(d)). */
imp_plus_settings imp_plus_settings_default(void);

/* What ended an interval. */
typedef enum imp_interval_end {
    IMP_END_PHASE,     /* the phase is complete */
    IMP_END_DIRECTION, /* a slip direction had turned by theta_max */
    IMP_END_STICK      /* a slip speed had fallen below v_transition */
} imp_interval_end;

/* One interval of sliding. */
typedef struct imp_plus_interval {
    int round;            /* from 1 */
    double alpha;         /* share of the computed impulse that was applied */
    imp_interval_end end; /* what ended it */
    int contact;          /* the contact that ended it, -1 for the phase */
} imp_plus_interval;

/* The course of an impact, for plots: the caller gives the arrays it wants, NULL for the others. */
typedef struct imp_plus_history {
    int capacity; /* intervals the arrays hold */
    /* out: intervals of the impact; those beyond capacity were not stored */
    int count;
    imp_plus_interval *interval; /* (capacity) */
    char *phase;                 /* (capacity x nc) C compressing, X expanding, O observing */
    /* (capacity x nc) s sliding, r rolling, i impending slip, - no friction or no push */
    char *motion;
    double *e;  /* (capacity x nc) restitution of the round, - */
    double *pi; /* (capacity x 3nc) impulse of the interval, N s */
    double *v;  /* (capacity x 3nc) velocity at its end, m/s */
} imp_plus_history;

/* Bytes of workspace of imp_plus; IMP_EXHAUSTIVE needs no more. 0 of more contacts than it
 * takes. */
size_t imp_plus_workspace(int nc);

/* p (3nc, N s) <- the PLUS impulse of a problem that imp_problem_check accepts. history and info
 * may be NULL; info (out alone): intervals, rounds. W is read once, dense.
 * IMP_OK: p satisfies imp_law_plus to 1e-9 along its path: every interval Table 1 of the paper, but
 * that contacts which sliding friction drives into the ground are pushed without being stopped (see
 * imp_plus_single). IMP_NO_SOLUTION: some interval has none that was found (then its least bad
 * impulse in the cones was used; one that moves nothing, or the 51st, ends the impact), or the
 * active set leaves a contact approaching without an impulse; p is the impulse reached.
 * IMP_NOT_CONVERGED: 1000 + 100 nc rounds, 10000 + 100 nc / theta_max intervals, or the work of
 * 10000 + 300 / theta_max linear systems in which all contacts roll, of (3 nc)^3 multiplications
 * each, did not end the impact; p as above. Slip directions chatter then about a ray within
 * theta_max, as W is conditioned worse than about 1e6 or mu is large. IMP_OVERFLOW: p is not
 * representable, infinite there; or an interval's impulse is not, p is that before it.
 * IMP_BAD_ARGUMENT: a setting out of range; IMP_UNSUPPORTED: more than 6 contacts with
 * IMP_EXHAUSTIVE, more than 10000; IMP_NO_MEMORY: of more than 16. Thread-safe. */
imp_status imp_plus(const imp_problem *problem, const imp_plus_settings *settings, double *p,
                    void *work, imp_plus_history *history, imp_info *info);

/* The same for one contact on bare arrays, the hot path: W packed (nn, nt, no, tt, to, oo), q
 * (n, t, o), no workspace. Checks its data: also IMP_NOT_FINITE, IMP_NOT_POSITIVE,
 * IMP_BAD_FRICTION, IMP_BAD_RESTITUTION; p untouched then. A contact that sliding friction
 * drives into the ground (W_nn <= mu W_n,to . slip) slides on, as in the Darboux-Keller process,
 * until it no longer does. IMP_UNSUPPORTED: a static_ratio above 1, which imp_plus takes.
 * Thread-safe. */
imp_status imp_plus_single(const double W[6], const double q[3], double mu, double e,
                           const imp_plus_settings *settings, double p[3],
                           imp_plus_history *history, imp_info *info);

/* The four models and what they promise, each a process that is checked along its path; plus_law.c
 * states them. */
extern const imp_law imp_law_plus, imp_law_single_phase, imp_law_newton, imp_law_poisson;
extern const imp_model imp_model_plus, imp_model_single_phase, imp_model_newton, imp_model_poisson;

IMP_PUBLIC_END

#endif
