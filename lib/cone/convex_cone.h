/* convex_cone.h - the second-order cone s_0 >= |(s_1, s_2)| and Nesterov-Todd's scaling of a pair
 * in it. */
#ifndef IMP_CONVEX_CONE_H
#define IMP_CONVEX_CONE_H

/* W = eta [[w_0, w'], [w, E + w w' / (1 + w_0)]], with W z = W^-1 s. */
typedef struct cone_scaling {
    double eta, w[3];
} cone_scaling;

/* s_0^2 - |(s_1, s_2)|^2 without cancellation. */
double imp_cone_det(const double s[3]);

cone_scaling imp_cone_scale(const double s[3], const double z[3]);
void imp_cone_multiply(const cone_scaling *c, const double x[3], double y[3]); /* y <- W x */
void imp_cone_divide(const cone_scaling *c, const double x[3], double y[3]);   /* y <- W^-1 x */
void imp_cone_inverse_square(const cone_scaling *c, double B[9]);              /* B <- W^-2 */

/* The Jordan product and its inverse: x o y, and the y with l o y = x. */
void imp_cone_product(const double x[3], const double y[3], double xy[3]);
void imp_cone_quotient(const double l[3], const double x[3], double y[3]);

/* a'Q(x)^-1 b with Q(x) = 2 x x' - det x diag(1, -1, -1): the inner product in which every x inside
 * is as far from the boundary as (1, 0, 0) (Alizadeh, Goldfarb 2003, "Second-order cone
 * programming", section 4). */
double imp_cone_inner(const double x[3], const double a[3], const double b[3]);

/* The largest a with x + a d in the cone, x inside; INFINITY where there is none. */
double imp_cone_reach(const double x[3], const double d[3]);

#endif
