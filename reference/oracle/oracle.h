/* oracle.h - slow, obvious solvers of one contact, by other ways than the library's and in higher
 * precision.
 *
 * They share nothing with it. W is packed (nn, nt, no, tt, to, oo) in 1/kg, q (n, t, o) in m/s, p
 * in N s, u = W p + q; Preclik, Eibl, Ruede (2017) write A = W, b = -q, x = p. `plane` is the
 * demanded (W p)_n, m/s: -q_n for inelastic impacts, -(1 + e) q_n with restitution. Data are taken
 * as good: finite, W positive definite, mu >= 0. */
#ifndef ORACLE_H
#define ORACLE_H

enum {
    ORACLE_MOST = 6
}; /* zero, stick and the roots of a quartic; that theory allows but three is
                             not used */

typedef struct oracle_solution {
    /* Coulomb: zero, stick, slip. Maximum dissipation, the leaf of the paper's Fig. 3: separating,
     * mu0, stick, apex, ray, ray-apex, slide-ellipse, slide-parabola, slide-hyperbola. */
    const char *kind;
    long double p[3], u[3]; /* N s, m/s */
    long double energy;     /* J, 1/2 p'Wp + p'q */
    long double multiplier; /* 1/kg: kappa of a slip, u_to = -kappa p_to; lambda of a slide, g - Hz
                               = lambda N */
} oracle_solution;

/* Maximum dissipation in quadruple precision: all stationary points of the energy on the conic,
 * found as all the roots of a quartic, and the best of them. */
oracle_solution oracle_maxdiss(const double W[6], const double q[3], double mu, double plane);

/* Of the data, which an answer may be off by. */
enum { ORACLE_ROUNDINGS = 20 };

/* How many times a relative change of the data (W, q, mu) the impulse changes, at most: the sum
 * over the data, each moved up or down by its last bit, or by ORACLE_ROUNDINGS of it. best:
 * oracle_maxdiss of plane -(1 + e) q_n. */
double oracle_maxdiss_condition(const double W[6], const double q[3], double mu, double e,
                                const oracle_solution *best);

/* Every solution of the Coulomb-like model in quadruple precision, by rising energy; mu > 0.
 * Returns how many; -1 for a continuum (every kappa solves). */
int oracle_coulomb(const double W[6], const double q[3], double mu,
                   oracle_solution solution[ORACLE_MOST]);

/* The paper's own way in double precision: the printed quartic of appendix A by GSL's companion
 * matrix, of the roots near the unit circle the one of least energy. Purely inelastic, q_n < 0, mu
 * > 0, where sticking is impossible. Returns the number of candidates, 0 when the method finds
 * none. */
int oracle_quartic(const double W[6], const double q[3], double mu, double p[3]);

/* Brute force in long double: the least energy met on a dense set of feasible points, boundary and
 * inside, with golden section from the best. Never below the true minimum but by rounding; plane >
 * 0. Returns that energy, J. */
long double oracle_brute(const double W[6], const double q[3], double mu, double plane,
                         double p[3]);

#endif
