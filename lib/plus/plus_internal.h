/* plus_internal.h - what the files of PLUS share; not for callers.
 *
 * plus.c rounds and phases; plus_take.c what they start from; plus_single.c the same for one
 * contact; plus_step.h interval lengths. Of one interval: plus_apart.c the islands of contacts that
 * W couples, one by one; plus_active.c who of one pushes, rolls or slips, from the motions of
 * plus_motion.c; plus_dust.c what of its impulse is none; plus_solve.c the linear system;
 * plus_point.c and plus_impending.c impending slip of one and of several contacts; plus_spread.c
 * rolling inside the cones; plus_sweep.c where the former fail, plus_natural.c where sweeps do.
 */
#ifndef IMP_PLUS_INTERNAL_H
#define IMP_PLUS_INTERNAL_H

#include "plus/plus.h"
#include "base/exact.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>

typedef enum plus_variant { PLUS, SINGLE_PHASE, POISSON, NEWTON } plus_variant;

enum {
    PLUS_MOST_CONTACTS = 10000, /* dense W of 7 GB; keeps (3 nc)^2 in an int */
    PLUS_EXHAUSTIVE_CONTACTS = 6,
    PLUS_FACE = 12, /* entries of four contacts, a face's corners: loops of that size unroll */
    PLUS_MOST_STATIC = 1000, /* static_ratio */
    PLUS_POINT_EFFORT = 500, /* multiplications of imp_plus_impending_point, about */
    /* of a wave of approaches, per contact and one more, before it is stopped */
    PLUS_WAVE_ROUNDS = 10
};

/* Of the fastest component: less is rounding. */
static const double PLUS_SEPARATES = 1e-12;

/* What limits an interval, in the units of the scaled problem. */
typedef struct plus_limits {
    double cos_theta, sin_theta; /* of theta_max */
    double v_transition2;        /* its square */
    double alpha_min;
    long intervals, rounds; /* caps of an impact */
    /* cap of an impact, multiplications: nearly a nanosecond each, see plus_step.c */
    double effort;
} plus_limits;

/* The limits for nc contacts whose velocities are in units of `unit` m/s. */
plus_limits imp_plus_limits_of(const imp_plus_settings *settings, int nc, double unit);

/* Is every setting in its range? */
bool imp_plus_settings_good(const imp_plus_settings *settings);

/* Restitution at an approach speed (m/s): 0 below v_capture, e from v_plastic on, between them the
 * line from 1 at rest (Uchida 2015, Fig. 2, and the e = 1 - d v of Hunt and Crossley that it
 * bends). */
double imp_plus_restitution(const imp_plus_settings *settings, double e, double approach);

/* Impending slip of one contact, u = A p + v: p_to = -mu p_n s, s along u_to, and u_n = 0, or p_n =
 * push where push is given (>= 0; negative: not given). Of several solutions the one of least norm.
 * False when there is none. A is row-major and need not be symmetric. */
bool imp_plus_impending_point(const double A[9], const double v[3], double mu, double push,
                              double p[3]);

/* Where contacts are redundant: rows of W that imply the others of a system. */
typedef struct plus_basis {
    bool wanted;      /* some system of this impact was nearly singular */
    bool contradicts; /* some rows were implied by W, but not by what they are to bring: all stay */
    int m, rank;      /* of the system it was last found for */
    int *of, *row;    /* (m) its rows, and the same with the independent ones first */
} plus_basis;

/* Contacts that W couples. */
typedef struct plus_island {
    int contacts;
    double unit;      /* its fastest component at the start, to a power of 2 */
    int alternations; /* intervals of single-phase in which only what approaches may push */
    plus_basis basis;
} plus_island;

/* An impact under way, in scaled units: W by 2^-a, velocities by 2^-b. Vectors have a normal-first
 * triple per contact.
 */
typedef struct plus {
    int nc, n;                         /* contacts; 3 nc */
    const imp_plus_settings *settings; /* in m/s */
    plus_variant variant;
    plus_limits limits;
    double velocity_unit, impulse_unit; /* powers of 2: m/s and N s per scaled unit */
    int impulse_exponent;               /* impulse_unit is 2 to it, where representable */
    const double *mu, *e;               /* (nc) of the problem; e may be NULL */
    double *hold;                       /* (nc) friction over push that rolling may need: mu, or the
                                               static coefficient of what has rolled so far */
    double *ray;                        /* (nc) 1/sqrt(1 + mu^2), normal part of a unit impulse
                                               on the cone */
    /* (n x n) column-major; (n) 1 / largest entry of a row */
    double *W, *row_scale;
    double *q;        /* (n) velocity at the start */
    double *p, *v;    /* (n) impulse so far and velocity now, which follows it in memory */
    double *next;     /* (2 n) where the next p and v are written */
    double fastest;   /* the largest |v|, while an island is searched its own */
    double *pi, *Wpi; /* (n) impulse of the interval, and W pi */
    /* (nc) expansion impulse still due, earned for the next round, e_k */
    double *pushed, *pushing, *restitution;
    /* (n) velocity that the rows of a system are brought to: 0, or newton's normal one */
    double *aim;
    /* (2 nc) unit slip directions of sliding and impending contacts */
    double *slip;
    /* (nc) C X O; s r i -; does a compressing contact push? */
    char *phase, *motion, *active;
    /* the linear system of plus_solve.c */
    int m;                /* unknowns */
    int equations;        /* m, or as many as are independent and imply the others */
    const int *row;       /* (m) entry of v that equation i brings to its aim, then those implied */
    int *unknown;         /* (m) entry of pi that unknown i stands for */
    const double **image; /* (m) what a unit of an unknown does to the velocity, (n) each */
    double *along;        /* (n x nc) column-major: images of pushes along the edges of the cones */
    double *given;        /* (n) what the impulses that are given outright do to the velocity */
    double *M;            /* (equations x m) column-major */
    double *rhs, *x;      /* (equations), (m) */
    bool redundant;       /* the last solve was rank deficient */
    bool in_units;        /* systems whose rows are independent are solved in W's own units */
    bool unlike;          /* such a system is too badly scaled for elimination as it is */
    int islands, *label;  /* (nc) the island of each contact */
    plus_island *island, *own; /* (islands); the one that is searched */
    int *basis_of, *basis_row; /* (n) each, island by island */
    bool unsolved;             /* the interval has no solution that was found */
    double effort; /* multiplications so far, those of solves, points, sweeps and spreads */
    const volatile int *cancel; /* as in imp_info, or NULL */
    /* scratch */
    double *jacobian, *hessian;          /* (n x n) each */
    double *spread, *settled;            /* (6 n), (n) */
    double *try_slip, *angle;            /* (2 nc) each */
    double *marked_slip;                 /* (2 nc) */
    char *marked_motion, *marked_active; /* (nc) each */
    double *work;                        /* (4 n + imp_cof_work(n, 4)) */
    int *impending;                      /* (nc) */
    /* of the islands searched so far: pi, Wpi, slip; phases are those of all */
    double *chosen;
    char *phases, *chosen_motion, *chosen_active; /* (nc) each */
} plus;

/* Has somebody ended the solve? Searches leave off then. */
static inline bool plus_cancelled(const plus *s) {
    return s->cancel && *s->cancel;
}

/* Solves for pi and Wpi with the phases, motions, active flags and slip directions as they are. */
void imp_plus_solve(plus *s);

/* Its parts. The system M x = rhs of the contacts as they are, rows scaled so that contacts of
 * light and heavy bodies are judged alike, without rows that others imply; pi holds what is given
 * outright. */
void imp_plus_assemble(plus *s);
/* pi and Wpi from the unknowns x (m) of the assembled system. */
void imp_plus_expand(plus *s, const double *x);
/* sum (n) <- W pi, by the columns that have an impulse. */
void imp_plus_multiply(const plus *s, double *sum);

/* Finds directions for the contacts in impending slip that oppose the end slip, from the directions
 * in s->slip on, and solves; false when none were found (pi is then that of some directions).
 * `search`: also from elsewhere. A contact that separates without an impulse is made inactive. */
bool imp_plus_impend(plus *s, bool search);

/* Replaces pi by the impulse of least norm that meets the same equations inside the cones; false
 * when none was found (pi untouched). */
bool imp_plus_spread(plus *s);

/* A sweep search for motions, directions and active contacts that solve the interval; false when
 * none was found (pi is then in the cones, and as near to a solution as the sweeps came). */
bool imp_plus_sweep(plus *s);

/* The same, with the impulses that sweeps settle at in place of exact ones: of newton and poisson,
 * the last resort but one; false, too, where they do not settle. */
bool imp_plus_sweep_out(plus *s);

/* Motions and active contacts read off pi, which nearly solves the interval, and pi made exact: the
 * least norm that they have. False, with pi as it was, where that solves nothing. */
bool imp_plus_exact(plus *s);

/* The same, with pi as it is but for rounding; does it solve the interval? */
bool imp_plus_as_it_is(plus *s);

/* Newton's method on the natural map of the interval, from pi on, with the motions at its start.
 * Where that finds nothing pi stays: false, unless it solves the interval. */
bool imp_plus_natural(plus *s);

/* Does pi solve the interval: cones, pushes, impending slip along the end slip, and, if `ends`, no
 * approach? */
bool imp_plus_solves(const plus *s, bool ends);

/* Its part about the velocities at the interval's end: all but cones and pushes. */
bool imp_plus_arrives(const plus *s, bool ends);

/* Does it, to the end, if need be after redundant impulses are spread inside the cones? */
bool imp_plus_accept(plus *s);

/* Is a velocity of row r at the end of the interval, which should be 0, more than 1e-10 of the
 * fastest, and than the rounding of W pi? */
bool imp_plus_misses(const plus *s, int r, double miss);

/* Is the slip of contact i against its friction at the end of the interval, to a share of the
 * largest velocity? */
bool imp_plus_opposes(const plus *s, int i, double tolerance);

/* Where nothing pushes although contacts approach: an impulse for those that sliding friction
 * drives into the ground, as in plus_single.c. False when there is no such contact. */
bool imp_plus_jam(plus *s);

/* Where the course of an impact is recorded; each may be NULL. */
typedef struct plus_record {
    imp_plus_history *history;
    imp_path *path;
    const volatile int *cancel; /* as in imp_info, or NULL */
} plus_record;

/* The model, or one of its relatives; contract as imp_plus, and IMP_NO_MEMORY for the path. */
imp_status imp_plus_run(plus_variant variant, const imp_problem *problem,
                        const imp_plus_settings *settings, double *p, void *work,
                        plus_record record, imp_info *info);

/* imp_plus_single with a path, too. */
imp_status imp_plus_run_single(const double W[6], const double q[3], double mu, double e,
                               const imp_plus_settings *settings, double p[3], plus_record record,
                               imp_info *info);

/* Which of the two solves a problem of PLUS. */
imp_status imp_plus_run_any(const imp_problem *problem, const imp_plus_settings *settings,
                            double *p, void *work, plus_record record, imp_info *info);

/* Takes a problem over, its settings and variant being set; false without memory. */
bool imp_plus_take(plus *s, const imp_problem *problem, void *work);

/* Does contact i still approach, or of newton separate more slowly than it is to, beyond the
 * rounding of its u = W p + q? `pushed`: is p not 0? */
bool imp_plus_approaches(const plus *s, int i, bool pushed);

/* Does a compressing contact? */
bool imp_plus_approaching(const plus *s);

/* Motions and directions at the start of the interval. Compressing contacts push, but for those
 * that take part although they separate: these push only where a sweep finds that they must. */
void imp_plus_classify(plus *s);

/* Keeps motions, active contacts and directions in s->marked_*. */
void imp_plus_mark(plus *s);

/* Where nothing approaches compression is over, as of an island that another outlasts: pi is 0, as
 * what could push is rounding. Is it? */
bool imp_plus_over(plus *s);

/* In compression: impulses that move nothing beyond rounding, least of all what approaches, are
 * none. True when there is none. */
bool imp_plus_drop_idle(plus *s);

/* Takes out of pi what is rounding beside the rest, and pushes at rest that nothing needs. */
void imp_plus_tidy(plus *s);

/* Chooses the active set and computes pi: the impulse of this interval. */
void imp_plus_choose(plus *s);

/* The same for the island s->own, whose contacts alone take part; s->fastest is its own. */
void imp_plus_choose_island(plus *s);

/* Impulses back in N s: p (n) times 2^exponent, IMP_OVERFLOW where that is not finite. */
imp_status imp_plus_unscale(double *p, int n, int exponent);

/* The largest |x| of n; NaN are passed over. In line, for n that are known. */
static inline __attribute__((always_inline)) double plus_largest(const double *x, int n) {
    double even = 0, odd = 0;
    int k = 0;
    for (; k + 1 < n; k += 2) {
        even = fabs(x[k]) > even ? fabs(x[k]) : even;
        odd = fabs(x[k + 1]) > odd ? fabs(x[k + 1]) : odd;
    }
    if (k < n) even = fabs(x[k]) > even ? fabs(x[k]) : even;
    return even > odd ? even : odd;
}

/* How far contact i is outside its constraints, N s scaled; 0 inside. */
static inline double plus_violation(const plus *s, int i) {
    const double *pi = s->pi + 3 * i;
    if (s->phase[i] == 'O' || (s->phase[i] == 'C' && !s->active[i])) return 0;
    const double pull = s->phase[i] == 'C' ? -pi[0] : 0;
    const double outside =
        s->motion[i] == 'r' ? sqrt(pi[1] * pi[1] + pi[2] * pi[2]) - s->hold[i] * pi[0] : 0;
    const double most = pull > outside ? pull : outside;
    return most > 0 ? most : 0;
}

/* Does contact i not approach, but for rounding? */
static inline bool plus_rests(const plus *s, int i) {
    return s->v[3 * i] >= -PLUS_SEPARATES * s->own->unit;
}

/* What velocities of an interval are judged by: the fastest component before it, or of what it
 * adds. */
static inline double plus_speed(const plus *s) {
    const double added = plus_largest(s->Wpi, s->n);
    return added > s->fastest ? added : s->fastest;
}

/* Is x more than a share of the largest impulse, or of that speed? Mostly it is not, to be seen
 * without them. */
static inline bool plus_beyond_push(const plus *s, double x, double share) {
    return x > 0 && x > share * plus_largest(s->pi, s->n);
}

static inline bool plus_beyond_speed(const plus *s, double x, double share) {
    return x > share * s->fastest && x > share * plus_speed(s);
}

#endif
