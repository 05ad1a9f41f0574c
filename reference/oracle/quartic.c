/* quartic.c - the paper's own way to a slide: the printed quartic and GSL's companion matrix, in
 * double precision.
 *
 * Preclik, Eibl, Ruede (2017), eq. (8) and appendix A, with the paper's names: c2 e^(i phi2) y^4 +
 * c1 e^(i phi1) y^3 + 2 c0 y^2 + c1 e^(-i phi1) y + c2 e^(-i phi2) = 0, y = e^(i alpha). GSL wants
 * real coefficients: y = (1 + it)/(1 - it), t = tan(alpha/2), maps the unit circle to the real line
 * and this self-reciprocal quartic to a real one. The direction t = infinity is a candidate of its
 * own. Roots are accepted within 1e-6 of the unit circle and polished by Newton's method in long
 * double, then the least energy decides. Known to fail for b_n small beside |b| and far from unit
 * scales. */
#include "oracle.h"

#include <gsl/gsl_poly.h>
#include <math.h>
#include <stdbool.h>

typedef struct trigonometric {
    long double c0, c1, phi1, c2, phi2;
} trigonometric;

/* Appendix A as printed, with A = W, b = -q. */
static trigonometric appendix(const double W[6], const double q[3], double mu) {
    const long double Ann = W[0], Ant = W[1], Ano = W[2], Att = W[3], Ato = W[4], Aoo = W[5];
    const long double bn = -(long double)q[0], bt = -(long double)q[1], bo = -(long double)q[2],
                      mu2 = mu * (long double)mu;
    const long double X1 = mu2 * ((Ant * Ato - Ano * Att) * bn + Ant * Ano * bt - Ant * Ant * bo) -
                           Ann * Ann * bo + Ann * Ano * bn;
    const long double Y1 = mu2 * ((Ano * Ato - Ant * Aoo) * bn - Ano * Ano * bt + Ant * Ano * bo) -
                           Ann * Ann * bt + Ann * Ant * bn;
    const long double X2 = 2 * Ato * bn - Ano * bt - Ant * bo,
                      Y2 = (Att - Aoo) * bn - Ant * bt + Ano * bo;
    return (trigonometric){1.5L * mu * Ann * (Ano * bt - Ant * bo), sqrtl(X1 * X1 + Y1 * Y1),
                           atan2l(Y1, X1), 0.5L * mu * Ann * sqrtl(X2 * X2 + Y2 * Y2),
                           atan2l(Y2, X2)};
}

/* Newton on c0 + c1 cos(alpha + phi1) + c2 cos(2 alpha + phi2), kept only where it goes nowhere
 * far. */
static long double polished(const trigonometric *c, long double alpha) {
    long double x = alpha;
    for (int i = 0; i < 5; i++) {
        const long double f = c->c0 + c->c1 * cosl(x + c->phi1) + c->c2 * cosl(2 * x + c->phi2);
        const long double slope = -c->c1 * sinl(x + c->phi1) - 2 * c->c2 * sinl(2 * x + c->phi2);
        if (slope == 0) break;
        x -= f / slope;
    }
    return fabsl(x - alpha) < 1e-4L ? x : alpha;
}

/* p <- the point of the conic in direction alpha; false beyond its poles. */
static bool point(const double W[6], const double q[3], double mu, long double alpha, double p[3],
                  long double *energy) {
    const long double bn = -(long double)q[0], c = cosl(alpha), s = sinl(alpha);
    const long double f = W[0] + mu * (W[1] * c + W[2] * s);
    if (!(f > 0)) return false;
    const long double r = mu * bn / f,
                      x[3] = {(bn - (W[1] * c + W[2] * s) * r) / W[0], r * c, r * s};
    const long double Wx[3] = {W[0] * x[0] + W[1] * x[1] + W[2] * x[2],
                               W[1] * x[0] + W[3] * x[1] + W[4] * x[2],
                               W[2] * x[0] + W[4] * x[1] + W[5] * x[2]};
    *energy = 0;
    for (int i = 0; i < 3; i++) {
        *energy += x[i] * (Wx[i] / 2 + q[i]);
        p[i] = (double)x[i];
    }
    return true;
}

int oracle_quartic(const double W[6], const double q[3], double mu, double p[3]) {
    const trigonometric c = appendix(W, q, mu);
    const double A1 = (double)(c.c1 * cosl(c.phi1)), B1 = (double)(c.c1 * sinl(c.phi1));
    const double A2 = (double)(c.c2 * cosl(c.phi2)), B2 = (double)(c.c2 * sinl(c.phi2)),
                 c0 = (double)c.c0;
    const double t[5] = {A2 + A1 + c0, -4 * B2 - 2 * B1, 2 * c0 - 6 * A2, 4 * B2 - 2 * B1,
                         A2 - A1 + c0};
    double root[8], big = 0;
    size_t degree = 4;
    for (int i = 0; i < 5; i++)
        big = fmax(big, fabs(t[i]));
    while (degree > 0 && fabs(t[degree]) < 1e-16 * big)
        degree--;
    if (degree > 0) {
        gsl_poly_complex_workspace *work = gsl_poly_complex_workspace_alloc(degree + 1);
        if (gsl_poly_complex_solve(t, degree + 1, work, root) != 0) degree = 0;
        gsl_poly_complex_workspace_free(work);
    }
    int candidates = 0;
    long double best = INFINITY;
    for (size_t k = 0; k <= degree; k++) { /* the last one: t = infinity */
        const double re = k < degree ? root[2 * k] : 0, im = k < degree ? root[2 * k + 1] : 0;
        /* |y|^2 = ((1 - im)^2 + re^2) / ((1 + im)^2 + re^2) */
        const double modulus =
            sqrt(((1 - im) * (1 - im) + re * re) / ((1 + im) * (1 + im) + re * re));
        if (k < degree && !(fabs(modulus - 1) < 1e-6)) continue;
        const long double alpha = k < degree ? polished(&c, 2 * atanl(re)) : acosl(-1);
        double x[3];
        long double energy;
        if (!point(W, q, mu, alpha, x, &energy)) continue;
        candidates++;
        if (!(energy < best)) continue;
        best = energy;
        for (int i = 0; i < 3; i++)
            p[i] = x[i];
    }
    return candidates;
}
