/* friction_cone.h - the nearest points of the friction cone |x_T| <= mu x_n and of the friction
 * disc |x_T| <= radius. Internal; inline, since block solvers ask for them of every contact in
 * every sweep. */
#ifndef IMP_FRICTION_CONE_H
#define IMP_FRICTION_CONE_H

#include <math.h>
#include <stddef.h>

/* y (2) <- radius along x (2) of that length > 0, y may be x; D (2 x 2) <- dy/dx and towards (2) <-
 * x / |x|, which is dy/dradius, unless NULL. */
static inline void imp_disc_rim(double radius, double length, const double x[2], double y[2],
                                double *D, double *towards) {
    const double fit = radius / length;
    if (D) {
        const double t[2] = {x[0] / length, x[1] / length};
        for (int r = 0; r < 2; r++) {
            towards[r] = t[r];
            for (int c = 0; c < 2; c++)
                D[2 * r + c] = (r == c ? fit : 0) - fit * t[r] * t[c];
        }
    }
    y[0] = fit * x[0];
    y[1] = fit * x[1];
}

/* y (2) <- the point next to x (2) with |y| <= radius, for a radius >= 0; y may be x. Both or
 * neither NULL: D (2 x 2) <- dy/dx, towards (2) <- dy/dradius. */
static inline void imp_disc_project(double radius, const double x[2], double y[2], double *D,
                                    double *towards) {
    const double length = sqrt(x[0] * x[0] + x[1] * x[1]);
    if (!(length <= radius)) {
        imp_disc_rim(radius, length, x, y, D, towards);
        return;
    }
    /* |x| is 0 too where its square is too small for a double */
    const double keep = radius > 0 ? 1 : 0;
    y[0] = keep * x[0];
    y[1] = keep * x[1];
    if (!D) return;
    D[0] = D[3] = keep;
    D[1] = D[2] = towards[0] = towards[1] = 0;
}

/* y (3) <- the point next to x (3) with |y_T| <= mu y_n; y may be x. D (3 x 3, unless NULL) <-
 * dy/dx, one of them where there are several. Beside the cone y = (n, mu n x_T / |x_T|), n = (x_n +
 * mu |x_T|) / (1 + mu^2). */
static inline void imp_cone_project(double mu, const double x[3], double y[3], double *D) {
    const double off = x[1] * x[1] + x[2] * x[2], limit = mu * x[0];
    /* x_n: without friction mu x_n is 0 on either side of the contact */
    const int inside = x[0] >= 0 && off <= limit * limit;
    const double length = inside ? 0 : sqrt(off);
    if (inside || mu * length <= -x[0]) {
        /* or in the polar cone, whose nearest point is the apex */
        for (int i = 0; i < 3; i++)
            y[i] = inside ? x[i] : 0;
        for (int i = 0; D && i < 9; i++)
            D[i] = inside && i % 4 == 0 ? 1 : 0;
        return;
    }
    const double square = 1 + mu * mu, n = (x[0] + mu * length) / square;
    double at_rim[4], t[2];
    imp_disc_rim(mu * n, length, x + 1, y + 1, D ? at_rim : NULL, t);
    y[0] = n;
    if (!D) return;
    D[0] = 1 / square; /* dn = (dx_n + mu t'dx_T) / (1 + mu^2), and dy_T = at_rim dx_T + mu t dn */
    for (int r = 0; r < 2; r++) {
        D[1 + r] = D[3 + 3 * r] = mu * t[r] / square;
        for (int c = 0; c < 2; c++)
            D[4 + 3 * r + c] = at_rim[2 * r + c] + mu * mu * t[r] * t[c] / square;
    }
}

#endif
