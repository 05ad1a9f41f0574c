/* convex_cone.c - algebra of the second-order cone of dimension 3.
 *
 * Nesterov, Todd (1997); formulas in the form of Vandenberghe (2010), "The CVXOPT linear and
 * quadratic cone program solvers", section 4. */
#include "cone/convex_cone.h"

#include "base/length.h"

#include <math.h>

double imp_cone_det(const double s[3]) {
    const double r = imp_length(s[1], s[2]);
    return (s[0] - r) * (s[0] + r);
}

cone_scaling imp_cone_scale(const double s[3], const double z[3]) {
    cone_scaling c;
    const double ds = sqrt(imp_cone_det(s)), dz = sqrt(imp_cone_det(z));
    const double a[3] = {s[0] / ds, s[1] / ds, s[2] / ds}, b[3] = {z[0] / dz, z[1] / dz, z[2] / dz};
    const double gamma = sqrt((1 + a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) / 2);
    c.eta = sqrt(ds / dz);
    c.w[1] = (a[1] - b[1]) / (2 * gamma);
    c.w[2] = (a[2] - b[2]) / (2 * gamma);
    /* (a_0 + b_0) / (2 gamma) with w'Jw = 1 kept */
    c.w[0] = sqrt(1 + c.w[1] * c.w[1] + c.w[2] * c.w[2]);
    return c;
}

static void transform(double eta, double w0, double w1, double w2, const double x[3], double y[3]) {
    const double along = w1 * x[1] + w2 * x[2], k = x[0] + along / (1 + w0);
    const double y0 = w0 * x[0] + along;
    y[1] = eta * (x[1] + k * w1);
    y[2] = eta * (x[2] + k * w2);
    y[0] = eta * y0;
}

void imp_cone_multiply(const cone_scaling *c, const double x[3], double y[3]) {
    transform(c->eta, c->w[0], c->w[1], c->w[2], x, y);
}

void imp_cone_divide(const cone_scaling *c, const double x[3], double y[3]) {
    transform(1 / c->eta, c->w[0], -c->w[1], -c->w[2], x, y);
}

void imp_cone_inverse_square(const cone_scaling *c, double B[9]) {
    const double v[3] = {c->w[0], -c->w[1], -c->w[2]}, scale = 1 / (c->eta * c->eta);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            B[3 * i + j] = scale * (2 * v[i] * v[j] + (i != j ? 0 : i == 0 ? -1 : 1));
}

void imp_cone_product(const double x[3], const double y[3], double xy[3]) {
    const double first = x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
    xy[1] = x[0] * y[1] + y[0] * x[1];
    xy[2] = x[0] * y[2] + y[0] * x[2];
    xy[0] = first;
}

void imp_cone_quotient(const double l[3], const double x[3], double y[3]) {
    const double det = imp_cone_det(l), along = l[1] * x[1] + l[2] * x[2];
    const double first = (l[0] * x[0] - along) / det;
    y[1] = (x[1] - first * l[1]) / l[0];
    y[2] = (x[2] - first * l[2]) / l[0];
    y[0] = first;
}

double imp_cone_inner(const double x[3], const double a[3], const double b[3]) {
    const double det = imp_cone_det(x);
    const double xa = x[0] * a[0] - x[1] * a[1] - x[2] * a[2],
                 xb = x[0] * b[0] - x[1] * b[1] - x[2] * b[2];
    return (2 * xa * xb / det - (a[0] * b[0] - a[1] * b[1] - a[2] * b[2])) / det;
}

double imp_cone_reach(const double x[3], const double d[3]) {
    const double a = d[0] * d[0] - d[1] * d[1] - d[2] * d[2],
                 b = x[0] * d[0] - x[1] * d[1] - x[2] * d[2];
    const double c = imp_cone_det(x), root = b * b - a * c;
    double reach = d[0] < 0 ? -x[0] / d[0] : INFINITY;
    /* never on the boundary: d points inside */
    if (root < 0) return reach;
    /* roots of a t^2 + 2 b t + c: h / a and c / h */
    const double h = b < 0 ? -b + sqrt(root) : -b - sqrt(root);
    if (h != 0 && c / h > 0) reach = fmin(reach, c / h);
    if (a != 0 && h / a > 0) reach = fmin(reach, h / a);
    return reach;
}
