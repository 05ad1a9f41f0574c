/* gradient_projection.c - the Cauchy point of the projected path, conjugate gradients in its
 * subspace, and a search along the projected way there. */
#include "benchmarks/experiments/gradient_projection.h"
#include "base/worse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct program {
    int n;
    const double *A, *b;
    double *y, *g;           /* the point, and A y + b */
    double *d, *Ad, *r, *at; /* (n) a direction, its product, a residual, a trial point */
    projection_course *course;
} program;

static double dot(int n, const double *x, const double *y) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

static void multiply(program *s, const double *x, double *product) {
    for (int i = 0; i < s->n; i++)
        product[i] = dot(s->n, s->A + (size_t)i * (size_t)s->n, x);
    s->course->products++;
}

/* y <- y + t d, and g with it. */
static void move(program *s, double t) {
    for (int i = 0; i < s->n; i++) {
        s->y[i] = fmax(0, s->y[i] + t * s->d[i]);
        s->g[i] += t * s->Ad[i];
    }
}

static double residual(const program *s, double size) {
    double worst = 0;
    for (int i = 0; i < s->n; i++)
        worst = imp_worse(worst, fabs(fmin(s->y[i], s->g[i])));
    return worst / size;
}

/* y <- the first least point of the path P(y - t g): its pieces end where a component reaches 0. */
static void cauchy_point(program *s) {
    for (int i = 0; i < s->n; i++)
        s->d[i] = s->y[i] > 0 || s->g[i] < 0 ? -s->g[i] : 0;
    for (int pieces = 0; pieces <= s->n; pieces++) {
        double end = INFINITY;
        multiply(s, s->d, s->Ad);
        const double slope = dot(s->n, s->g, s->d), bend = dot(s->n, s->d, s->Ad),
                     least = bend > 0 ? -slope / bend : INFINITY;
        for (int i = 0; i < s->n; i++)
            if (s->d[i] < 0) end = fmin(end, -s->y[i] / s->d[i]);
        if (!(slope < 0) || !isfinite(fmin(least, end))) return;
        move(s, fmin(least, end));
        if (least <= end) return;
        for (int i = 0; i < s->n; i++)
            if (s->d[i] < 0 && s->y[i] <= 1e-15 * -s->d[i] * end) s->y[i] = s->d[i] = 0;
    }
}

/* at <- the step from y to the least point of the subspace of the components above 0, by
 * conjugate gradients. */
static void subspace_step(program *s) {
    double old = 0;
    for (int i = 0; i < s->n; i++) {
        s->at[i] = 0;
        s->r[i] = s->y[i] > 0 ? -s->g[i] : 0;
        s->d[i] = s->r[i];
        old += s->r[i] * s->r[i];
    }
    const double first = old;
    for (int k = 0; k < s->n && old > 1e-24 * first; k++) {
        multiply(s, s->d, s->Ad);
        const double bend = dot(s->n, s->d, s->Ad);
        double now = 0;
        if (!(bend > 0)) return;
        for (int i = 0; i < s->n; i++) {
            s->at[i] += old / bend * s->d[i];
            s->r[i] -= s->y[i] > 0 ? old / bend * s->Ad[i] : 0;
            now += s->r[i] * s->r[i];
        }
        for (int i = 0; i < s->n; i++)
            s->d[i] = s->r[i] + now / old * s->d[i];
        old = now;
    }
}

/* y <- P(y + t at), the first t of 1, 1/2, ... that lowers the value; false: none did. */
static bool search(program *s) {
    double t = 1;
    for (int halvings = 0; halvings < 20; halvings++, t /= 2) {
        for (int i = 0; i < s->n; i++)
            s->d[i] = fmax(0, s->y[i] + t * s->at[i]) - s->y[i];
        multiply(s, s->d, s->Ad);
        if (dot(s->n, s->d, s->g) + dot(s->n, s->d, s->Ad) / 2 < 0) {
            move(s, 1);
            return true;
        }
    }
    return false;
}

/* 1/2 y'Ay + y'b. */
static double value(const program *s) {
    return (dot(s->n, s->y, s->g) + dot(s->n, s->y, s->b)) / 2;
}

bool gradient_projection(int n, const double *A, const double *b, double tolerance, int most_rounds,
                         double *y, projection_course *course) {
    double *room = malloc((5 * (size_t)n + 1) * sizeof *room), size = 0, before = 0;
    *course = (projection_course){0};
    if (!room) return false;
    program s = {n, A, b, y, room, room + n, room + 2 * n, room + 3 * n, room + 4 * n, course};
    memset(y, 0, (size_t)n * sizeof *y);
    memcpy(s.g, b, (size_t)n * sizeof *b);
    for (int i = 0; i < n; i++)
        size = fmax(size, fabs(b[i]));
    while ((course->residual = residual(&s, size)) > tolerance && course->rounds < most_rounds) {
        cauchy_point(&s);
        subspace_step(&s);
        (void)search(&s);
        multiply(&s, y, s.g);
        for (int i = 0; i < n; i++)
            s.g[i] += b[i];
        const double now = value(&s);
        course->rose = course->rose || now > before + 1e-12 * fabs(before);
        before = now;
        course->rounds++;
    }
    free(room);
    return true;
}
