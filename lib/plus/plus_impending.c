/* plus_impending.c - impending slip among several contacts: directions of friction that oppose the
 * end slip.
 *
 * Uchida, Sherman, Delp (2015), eq. (2.9) and section 2e (Newton's method from one start, which
 * misses roots). Departures: one impending contact, the others' equations being regular, is the
 * quartic of plus_point.c on the effective 3 x 3 operator that is left when the others are
 * eliminated. Otherwise Newton's method acts on the angles from friction to end slip, whose zeros
 * are true ones only, with derivatives of least-norm solutions. One contact for
 * which it fails is scanned all around for changes of sign. Restarts are capped. */
#include "linear/cof.h"
#include "linear/dense.h"
#include "plus/plus_internal.h"

#include <string.h>

enum { NEWTON_STEPS = 30, HALVINGS = 8, DIRECTIONS = 128, ILLINOIS_STEPS = 80 };

static bool is_impending(const plus *s, int i) {
    return s->motion[i] == 'i' && (s->phase[i] == 'X' || (s->phase[i] == 'C' && s->active[i]));
}

/* Angle, rad, from the direction s of contact i to its end slip; 0 where the end slip is
 * rounding. */
static double angle(const plus *s, int i, double size) {
    const double *d = s->slip + 2 * i;
    const double x = s->v[3 * i + 1] + s->Wpi[3 * i + 1], y = s->v[3 * i + 2] + s->Wpi[3 * i + 2];
    if (fabs(x) + fabs(y) <= 1e-14 * size) return 0;
    return atan2(d[0] * y - d[1] * x, d[0] * x + d[1] * y);
}

static void rotate(double d[2], double by) {
    const double c = cos(by), t = sin(by), x = d[0], y = d[1], length = sqrt(x * x + y * y);
    d[0] = (c * x - t * y) / length;
    d[1] = (t * x + c * y) / length;
}

/* Solves, and fills F (k) with the angles of the k contacts of `list`; returns the largest. */
static double angles(plus *s, int k, const int *list, double *F) {
    imp_plus_solve(s);
    const double size = plus_speed(s);
    for (int j = 0; j < k; j++)
        F[j] = angle(s, list[j], size);
    return plus_largest(F, k);
}

/* Entry r of what turns with the direction of contact i, per radian: the image of its unknown, or
 * what its given friction does. */
static double turning(const plus *s, int i, int r) {
    const double *W = s->W + (size_t)(3 * i) * s->n + r, *d = s->slip + 2 * i,
                 push = s->phase[i] == 'X' ? s->pushed[i] : s->ray[i];
    return s->mu[i] * push * (W[s->n] * d[1] - W[2 * s->n] * d[0]);
}

/* dx (m) <- the change of the unknowns x per radian that contact i turns. Of the least norm x =
 * M^+ b of independent rows, as column a of M changes by g, it is -x_a h + (x.h) (e_a - M^+ M e_a),
 * h = M^+ g; as b does by -g, -h (Golub, Pereyra 1973). Of a regular M the second term is 0, but
 * its rounding, where unknowns differ widely, is more than the first. */
static void turn_unknowns(plus *s, int i, double *dx) {
    const int m = s->m, rows = s->equations;
    double *h = s->work, *own = h + m, *scratch = h + 4 * (size_t)s->n;
    int a = 0;
    while (a < m && s->unknown[a] != 3 * i)
        a++;
    const bool given = a == m;
    for (int k = 0; k < rows; k++)
        h[k] = s->row_scale[s->row[k]] * turning(s, i, s->row[k]);
    if (!given) memcpy(own, s->M + (size_t)a * rows, (size_t)rows * sizeof *own);
    const bool regular = imp_cof_solve(rows, m, s->M, given ? 1 : 2, h, scratch) == m;
    const double by = given ? 1 : s->x[a];
    for (int j = 0; j < m; j++)
        dx[j] = -by * h[j];
    if (given || regular) return;
    const double along = imp_dense_dot(s->x, h, m);
    for (int j = 0; j < m; j++)
        dx[j] -= along * own[j];
    dx[a] += along;
}

/* J (k x k, column-major) <- dF/d(angles) of the k contacts of `list`, which were just solved. */
static void differentiate(plus *s, int k, const int *list, double *J) {
    const int n = s->n;
    const double size = plus_speed(s);
    double *dx = s->work + 2 * (size_t)n;
    for (int j = 0; j < k; j++, J += k) {
        const int i = list[j];
        turn_unknowns(s, i, dx);
        double by = 1; /* its given friction, or the unknown whose image turns */
        for (int u = 0; u < s->m; u++)
            by = s->unknown[u] == 3 * i ? s->x[u] : by;
        for (int l = 0; l < k; l++) {
            const int t = 3 * list[l] + 1, o = t + 1;
            const double x = s->v[t] + s->Wpi[t], y = s->v[o] + s->Wpi[o];
            double dt = by * turning(s, i, t), dy = by * turning(s, i, o);
            for (int u = 0; u < s->m; u++) {
                dt += dx[u] * s->image[u][t];
                dy += dx[u] * s->image[u][o];
            }
            J[l] = fabs(x) + fabs(y) <= 1e-14 * size
                       ? 0
                       : (x * dy - y * dt) / (x * x + y * y) - (l == j);
        }
    }
}

/* Damped Newton from the directions as they are. */
static bool newton(plus *s, int k, const int *list) {
    double *F = s->angle, *J = s->jacobian, *step = s->angle + s->nc, *kept = s->try_slip;
    double misfit = angles(s, k, list, F);
    for (int iteration = 0; iteration < NEWTON_STEPS && misfit > 1e-14 && !plus_cancelled(s);
         iteration++) {
        differentiate(s, k, list, J);
        memcpy(step, F, (size_t)k * sizeof *step);
        imp_cof_solve(k, k, J, 1, step, s->work);
        const double longest = plus_largest(step, k), cut = longest > 0.5 ? 0.5 / longest : 1;
        memcpy(kept, s->slip, 2 * (size_t)s->nc * sizeof *kept);
        double share = cut, tried = INFINITY;
        for (int halving = 0; halving < HALVINGS; halving++, share *= 0.5) {
            memcpy(s->slip, kept, 2 * (size_t)s->nc * sizeof *kept);
            for (int j = 0; j < k; j++)
                rotate(s->slip + 2 * list[j], -share * step[j]);
            tried = angles(s, k, list, F);
            if (tried < (1 - 0.1 * share) * misfit) break;
        }
        if (!(tried < misfit)) { /* rounding, or stuck */
            memcpy(s->slip, kept, 2 * (size_t)s->nc * sizeof *kept);
            angles(s, k, list, F);
            break;
        }
        misfit = tried;
    }
    bool good = true;
    for (int j = 0; j < k; j++)
        good = good && imp_plus_opposes(s, list[j], 1e-11);
    return good;
}

/* One impending contact i: the whole circle, in steps, for verified changes of sign. */
static bool scan(plus *s, int i) {
    double *d = s->slip + 2 * i, F;
    const double start[2] = {d[0], d[1]}, width = 2 * M_PI / DIRECTIONS;
    angles(s, 1, &i, &F);
    double low = 0, at_low = F;
    for (int k = 1; k <= DIRECTIONS && !plus_cancelled(s); k++) {
        const double turned = k * width;
        memcpy(d, start, sizeof start);
        rotate(d, turned);
        angles(s, 1, &i, &F);
        const double at_high = F;
        if ((at_low > 0) != (at_high > 0) && fabs(at_low - at_high) < M_PI) {
            double a = low, b = turned, fa = at_low, fb = at_high;
            for (int step = 0; step < ILLINOIS_STEPS && fabs(b - a) > 1e-15; step++) {
                const double c = fa == fb ? 0.5 * (a + b) : b - fb * (b - a) / (fb - fa);
                memcpy(d, start, sizeof start);
                rotate(d, c);
                if (angles(s, 1, &i, &F) <= 1e-14) return true;
                if ((F > 0) != (fb > 0)) {
                    a = b;
                    fa = fb;
                } else
                    fa *= 0.5;
                b = c;
                fb = F;
            }
            if (imp_plus_opposes(s, i, 1e-11)) return true;
        }
        low = turned;
        at_low = at_high;
    }
    memcpy(d, start, sizeof start);
    imp_plus_solve(s);
    return false;
}

/* A (9), v (3) <- the effective operator and velocity of contact i when the others obey their
 * equations.
 * False where these are not regular, or hold contact i so fast that its own equations are
 * redundant. */
static bool eliminate_others(plus *s, int i, double A[9], double v[3]) {
    const char phase = s->phase[i];
    const int rows[3] = {3 * i, 3 * i + 1, 3 * i + 2};
    s->phase[i] = 'O';
    imp_plus_assemble(s);
    const int m = s->m;
    if (s->equations < m) {
        s->phase[i] = phase;
        return false;
    }
    double *B = s->work, *scratch = B + 4 * (size_t)s->n;
    for (int k = 0; k < m; k++) {
        const int r = s->row[k];
        B[k] = s->rhs[k];
        for (int c = 0; c < 3; c++)
            B[(c + 1) * m + k] = -s->row_scale[r] * s->W[(size_t)rows[c] * s->n + r];
    }
    const bool regular = imp_cof_solve(m, m, s->M, 4, B, scratch) == m;
    double own[3]; /* the diagonal before: what is left of it by rounding is nothing */
    for (int r = 0; r < 3; r++) {
        own[r] = s->W[(size_t)rows[r] * s->n + rows[r]];
        v[r] = s->v[rows[r]] + s->given[rows[r]];
        for (int c = 0; c < 3; c++)
            A[3 * r + c] = s->W[(size_t)rows[c] * s->n + rows[r]];
    }
    for (int j = 0; j < m; j++) {
        const double *image = s->image[j] + 3 * i;
        for (int r = 0; r < 3; r++) {
            v[r] += image[r] * B[j];
            for (int c = 0; c < 3; c++)
                A[3 * r + c] += image[r] * B[(c + 1) * m + j];
        }
    }
    s->phase[i] = phase;
    if (phase == 'C') return regular && fabs(A[0]) > 1e-10 * own[0];
    return regular && fabs(A[4] * A[8] - A[5] * A[7]) > 1e-10 * own[1] * own[2];
}

/* One impending contact and a regular rest: all roots are known. regular: false where the system is
 * not, after all. */
static bool solve_one(plus *s, int i, bool *regular) {
    double A[9], v[3], p[3] = {0};
    const bool expanding = s->phase[i] == 'X';
    *regular = eliminate_others(s, i, A, v);
    if (!*regular) return false;
    v[0] -= expanding ? 0 : s->aim[3 * i];
    const bool separates = !expanding && v[0] >= 0;
    s->effort += (double)s->m * s->m * s->m + PLUS_POINT_EFFORT;
    if (!separates && !imp_plus_impending_point(A, v, s->mu[i], expanding ? s->pushed[i] : -1, p)) {
        imp_plus_solve(s);
        *regular = !s->redundant;
        return false;
    }
    const double friction = s->mu[i] * p[0];
    if (separates) s->active[i] = 0;
    for (int k = 0; k < 2 && friction > 0; k++) /* without friction any direction is right */
        s->slip[2 * i + k] = -p[k + 1] / friction;
    imp_plus_solve(s);
    *regular = separates || imp_plus_opposes(s, i, 1e-10);
    return *regular;
}

bool imp_plus_impend(plus *s, bool search) {
    int *list = s->impending, k = 0;
    for (int i = 0; i < s->nc; i++)
        if (is_impending(s, i)) list[k++] = i;
    bool regular = false;
    if (k == 0) {
        imp_plus_solve(s);
        return true;
    }
    if (k == 1 && solve_one(s, list[0], &regular)) return true;
    if (regular) return false;
    return newton(s, k, list) || (search && k == 1 && scan(s, list[0]));
}
