/* single.h - one contact: maximum dissipation and all Coulomb solutions, on bare arrays.
 *
 * These are the hot paths: no allocation, no operator, data checked in passing. W is packed (nn,
 * nt, no, tt, to, oo) in 1/kg, q (n, t, o) in m/s with u = W p + q, p in N s. All functions are
 * thread-safe. */
#ifndef IMP_SINGLE_H
#define IMP_SINGLE_H

#include "contact/model.h"
#include "base/public.h"

IMP_PUBLIC_BEGIN

/* The leaves of the structogram (Preclik 2017, Fig. 3): how imp_maxdiss came to its answer, in
 * imp_info.leaf. */
typedef enum imp_maxdiss_leaf {
    IMP_LEAF_SEPARATING = 1, /* q_n > 0: no impulse */
    IMP_LEAF_MU0,            /* no friction */
    IMP_LEAF_STICK,          /* no slip at maximum compression */
    IMP_LEAF_APEX,           /* q_n = 0, eccentricity < 1: no impulse is feasible */
    /* q_n = 0, eccentricity >= 1: along one of the two rays of the degenerate conic */
    IMP_LEAF_RAY,
    IMP_LEAF_RAY_APEX, /* the same, neither ray loses energy: no impulse */
    IMP_LEAF_ELLIPSE,  /* sliding, eccentricity mu |W_n,to|/W_nn < 1 */
    IMP_LEAF_PARABOLA, /* sliding, 1 */
    IMP_LEAF_HYPERBOLA /* sliding, > 1 */
} imp_maxdiss_leaf;

/* "separating", "mu0", "stick", "apex", "ray", "ray-apex", "slide-ellipse", "slide-parabola",
 * "slide-hyperbola". */
const char *imp_maxdiss_leaf_text(imp_maxdiss_leaf leaf);

/* p <- the impulse of maximum dissipation (Preclik, Eibl, Ruede 2017, eq. 3): least energy over the
 * friction cone on the plane u_n = -e q_n; p = 0 where q_n > 0. Unique. Scales of W and q from
 * 1e-150 to 1e150. info (may be NULL): iterations = steps of the root finder, leaf =
 * imp_maxdiss_leaf.
 * IMP_OK: p satisfies imp_law_maxdiss to rounding (residuals below 1e-12, below 1e-10 for data
 * built to be adverse; where the axes of W are 1e22 and more apart they may be larger, where W is
 * singular but for rounding, condition 1e14 and more, up to 2e-5 by what cancels in any answer, and
 * where slip and W_nt are below 1e-308 of q_n and W_nn, so that their sum has no digits).
 * IMP_NOT_CERTIFIED: a slide with mu above 1e30; or the eccentricity is within some roundings of 1
 * and the answer so far out on the conic that rounding decides where it ends, or the tangents'
 * masses so far apart that it decides the slip (4 in 1e4 of those up to 1e24 apart), or both
 * friction and slip are below 1e-200 of the push; p is the best found, finite and in the cone.
 * IMP_OVERFLOW: the answer is beyond the range of double; p = 0 when too large, rounded when too
 * small; or q_n is less than 1e-361 of the slip, beside which it is lost, p = 0. IMP_NOT_FINITE,
 * IMP_NOT_POSITIVE, IMP_BAD_FRICTION, IMP_BAD_RESTITUTION: p untouched. */
imp_status imp_maxdiss(const double W[6], const double q[3], double mu, double e, double p[3],
                       imp_info *info);

/* How a slide of maximum dissipation is found: as imp_maxdiss does, or by the published searches
 * over its direction (docs/models/maxdiss.md), which may miss it. */
typedef enum imp_maxdiss_solver {
    IMP_ANALYTIC,
    IMP_GOLDEN_SECTION, /* Preclik 2017, section 3.2 */
    IMP_BISECTION       /* Hwangbo, Lee, Hutter 2018 */
} imp_maxdiss_solver;

/* Settings of the model `maxdiss`. */
typedef struct imp_maxdiss_settings {
    double steps; /* of a search: sections or halvings */
    int solver;   /* an imp_maxdiss_solver */
} imp_maxdiss_settings;

/* imp_maxdiss with that solver (settings NULL: its own). A search ends after its steps and does not
 * judge: IMP_OK says that it ended. info->iterations: how often it evaluated the energy or its
 * slope. IMP_BAD_ARGUMENT: no such solver, or steps of a search outside 0 to INT_MAX / 2; p
 * untouched. */
imp_status imp_maxdiss_by(const double W[6], const double q[3], double mu, double e,
                          const imp_maxdiss_settings *settings, double p[3], imp_info *info);

/* What a solution of Coulomb's law is. */
typedef enum imp_coulomb_kind {
    IMP_ZERO,    /* p = 0; only where q_n >= 0 */
    IMP_STICK,   /* u = 0 */
    IMP_SLIP,    /* u_n = 0, |p_to| = mu p_n, u_to = -kappa p_to */
    IMP_SEGMENT, /* one end of a continuum: every impulse between its two ends is a solution */
    IMP_RAY,     /* of forces alone (forces.h): with the zero, any multiple >= 0 is a solution */
} imp_coulomb_kind;

/* The word tables carry: "zero", "stick", "slip", "segment", "ray". */
const char *imp_coulomb_kind_text(imp_coulomb_kind kind);

/* One solution of Coulomb's law. */
typedef struct imp_coulomb_solution {
    imp_coulomb_kind kind; /* what it is */
    double p[3];           /* N s */
    double u[3];           /* m/s; exactly 0 where the law says so */
    double kappa;          /* 1/kg, slip: u_to = -kappa p_to, INFINITY when mu = 0; otherwise 0 */
    double energy;         /* J, 1/2 p'Wp + p'q <= 0; overflows to -INFINITY, underflows to 0 */
} imp_coulomb_solution;

enum { IMP_COULOMB_MOST = 3 }; /* a theorem; a continuum stands alone, with its two ends */

/* All solutions of one contact. */
typedef struct imp_coulomb_set {
    /* rows in `solution`: by rising energy, which is by rising kappa with the zero last */
    int count;
    imp_coulomb_solution solution[IMP_COULOMB_MOST]; /* (count) */
    /* 1: the count is certain for the given doubles, by signs that rounding cannot change */
    int proven;
    /* 1: the sufficient test ecc <= 2 sqrt(c)/(1+c), c = cond(H), q_n < 0, guarantees one */
    int unique;
    double eccentricity; /* mu |W_n,to| / W_nn: < 1 ellipse, 1 parabola, > 1 hyperbola */
    double unique_below; /* the threshold 2 sqrt(c)/(1+c) of the test */
    /* index of the solution maximum dissipation coincides with, -1: none of them */
    int maxdiss;
} imp_coulomb_set;

/* All solutions of the Coulomb-like purely inelastic contact (Preclik 2017, Fig. 1 lower half):
 * zero, stick, slips; 1e-12 of its size each, and better, but for a slip of nearly no impulse where
 * q_n is below 1e-60 of the slip and integer data cancel. Scales of W and q from 1e-150 to 1e150,
 * mu from 0 on. IMP_OK: complete, and proven to be. IMP_NOT_CERTIFIED: complete to rounding, but
 * proven = 0: a double root is closer than some 28 digits can tell (it is given once), the data are
 * a continuum to their own rounding, not exactly, q_n is 0 and a slip comes to nothing just where
 * impulses have no end, or q_n is below 1e-307 of the slip; beyond those scales the set may be
 * empty. IMP_OVERFLOW: an impulse is not representable, or but as a denormal; the set is untouched.
 * IMP_NOT_FINITE, IMP_BAD_FRICTION, IMP_NOT_POSITIVE (also where a condition number exceeds 1e120):
 * the set is untouched. Thread-safe. */
imp_status imp_coulomb_enumerate(const double W[6], const double q[3], double mu,
                                 imp_coulomb_set *set);

/* How the model `coulomb` picks one of them. Where the wanted kind does not exist: the most
 * dissipative. */
typedef enum imp_coulomb_choice {
    IMP_MOST_DISSIPATIVE,  /* the stick, if there is one */
    IMP_MIDDLE,            /* the second of three */
    IMP_LEAST_DISSIPATIVE, /* p = 0, if that is one */
    IMP_ZERO_FIRST,        /* p = 0, if that is one */
    IMP_SLIP_SLOWEST,      /* of the slips; also the most dissipative of them */
    IMP_SLIP_FASTEST,
} imp_coulomb_choice;

/* The row of a set that is not empty. Thread-safe. */
int imp_coulomb_choose(const imp_coulomb_set *set, imp_coulomb_choice choice);

/* Settings of the model `coulomb`. */
typedef struct imp_coulomb_settings {
    int choice; /* an imp_coulomb_choice */
} imp_coulomb_settings;

/* The models `maxdiss` and `coulomb`. */
extern const imp_model imp_model_maxdiss, imp_model_coulomb;

IMP_PUBLIC_END

/* Between the files of lib: the words of imp_maxdiss_solver in settings, ended by NULL. */
extern const char *const imp_maxdiss_solvers[];

#endif
