/* test_plus_spread.c - rolling inside the cones where one unknown is redundant: the impulse found
 * along the line of those there are, beside what Newton's method on the dual finds of the same
 * equations, one of them twice. */
#include "generators/gen.h"
#include "linear/cof.h"
#include "plus/plus_internal.h"
#include "tap.h"

enum { MOST = 4, ROWS = 3 * MOST, WORK = 1000 };

/* A system of contacts that roll in compression (R) or expansion (X), or slide (S). */
typedef struct subject {
    plus s;
    double W[ROWS * ROWS], M[ROWS * ROWS], rhs[ROWS], x[ROWS], pi[ROWS], Wpi[ROWS];
    double mu[MOST], ray[MOST], slip[2 * MOST], pushed[MOST];
    double given[ROWS], spread[6 * ROWS], jacobian[ROWS * ROWS], hessian[ROWS * ROWS], work[WORK];
    const double *image[ROWS]; /* the velocity does not matter: W is 0 */
    int unknown[ROWS];
    char phase[MOST], motion[MOST], active[MOST];
} subject;

static void point(subject *t) {
    plus *s = &t->s;
    s->W = t->W;
    s->M = t->M;
    s->rhs = t->rhs;
    s->x = t->x;
    s->pi = t->pi;
    s->Wpi = t->Wpi;
    s->mu = s->hold = t->mu;
    s->ray = t->ray;
    s->slip = t->slip;
    s->pushed = t->pushed;
    s->spread = t->spread;
    s->jacobian = t->jacobian;
    s->hessian = t->hessian;
    s->work = t->work;
    s->given = t->given;
    s->image = t->image;
    s->unknown = t->unknown;
    s->phase = t->phase;
    s->motion = t->motion;
    s->active = t->active;
}

/* The contacts of `kinds`, and m - 1 random equations of their m unknowns, which a random impulse
 * in the cones solves, or about so. */
static void make(subject *t, const char *kinds, gen_stream *g) {
    double inside[ROWS];
    int m = 0;
    memset(t, 0, sizeof *t);
    point(t);
    for (int i = 0; kinds[i]; i++) {
        const int first = kinds[i] == 'X' ? 1 : 0, last = kinds[i] == 'S' ? 0 : 2;
        t->phase[i] = kinds[i] == 'X' ? 'X' : 'C';
        t->active[i] = 1;
        t->motion[i] = kinds[i] == 'S' ? 's' : 'r';
        t->mu[i] = gen_uniform(g, 0.1, 1);
        t->ray[i] = 1 / sqrt(1 + t->mu[i] * t->mu[i]);
        t->slip[2 * i] = 1;
        t->pushed[i] = gen_uniform(g, 0.5, 2);
        t->s.n = 3 * (t->s.nc = i + 1);
        const double push = kinds[i] == 'X' ? t->pushed[i] : gen_uniform(g, 0, 2),
                     most = 1.2 * t->mu[i] * push, turn = gen_uniform(g, 0, 2 * M_PI);
        for (int k = first; k <= last; k++) {
            inside[m] = k == 0 ? push : most * (k == 1 ? cos(turn) : sin(turn));
            t->image[m] = t->W;
            t->unknown[m++] = 3 * i + k;
        }
    }
    t->s.m = m;
    t->s.equations = m - 1;
    for (int j = 0; j < m; j++)
        for (int k = 0; k < m - 1; k++) {
            t->M[j * (m - 1) + k] = gen_normal(g);
            t->rhs[k] += t->M[j * (m - 1) + k] * inside[j];
        }
    memcpy(t->x, t->rhs, sizeof t->x);
    imp_cof_solve(m - 1, m, t->M, 1, t->x, t->work);
}

/* The same with its first equation once more at the end: not a line to the eye. */
static void repeat_equation(const subject *t, subject *twice) {
    const int m = t->s.m;
    *twice = *t;
    point(twice);
    twice->s.equations = m;
    for (int j = 0; j < m; j++)
        for (int k = 0; k < m; k++)
            twice->M[j * m + k] = t->M[j * (m - 1) + k % (m - 1)];
    twice->rhs[m - 1] = t->rhs[0];
}

/* How far the impulse is outside the cones, of its largest entry. */
static double outside(const subject *t) {
    double worst = 0, most = 0;
    for (int i = 0; i < t->s.nc; i++) {
        const double *pi = t->pi + 3 * i, push = t->phase[i] == 'X' ? t->pushed[i] : pi[0],
                     rim = t->motion[i] == 'r' ? hypot(pi[1], pi[2]) - t->mu[i] * push : -push;
        worst = fmax(worst, rim);
        for (int k = 0; k < 3; k++)
            most = fmax(most, fabs(pi[k]));
    }
    return worst / most;
}

static void test(const char *kinds) {
    static subject line, dual;
    int found = 0, none = 0, differ = 0;
    double off = 0, rim = 0;
    for (uint64_t k = 0; k < 1000; k++) {
        gen_stream g = gen_seed(1907, k);
        make(&line, kinds, &g);
        repeat_equation(&line, &dual);
        const bool on_line = imp_plus_spread(&line.s), in_dual = imp_plus_spread(&dual.s);
        differ += on_line != in_dual;
        found += on_line && in_dual;
        none += !on_line && !in_dual;
        if (!on_line || !in_dual) continue;
        double most = 0, most_off = 0;
        for (int i = 0; i < line.s.n; i++) {
            most = fmax(most, fabs(dual.pi[i]));
            most_off = tap_worst(most_off, fabs(line.pi[i] - dual.pi[i]));
        }
        off = tap_worst(off, most_off / most);
        rim = tap_worst(rim, outside(&line));
    }
    ok(found > 100 && none > 300 && differ <= 1,
       "%s: %d impulses in the cones, %d times none, and %d times one way alone", kinds, found,
       none, differ);
    ok(off < 1e-11 && rim < 1e-13, "the same both ways (%.1e), and in the cones (%.1e)", off, rim);
}

/* What nobody waits for any more is not begun. */
static void test_cancelled(void) {
    static subject line, dual;
    const volatile int now = 1;
    int found = 0;
    double effort = 0;
    for (uint64_t k = 0; k < 100; k++) {
        gen_stream g = gen_seed(1907, k);
        make(&line, "RR", &g);
        repeat_equation(&line, &dual);
        dual.s.cancel = &now;
        found += imp_plus_spread(&dual.s);
        effort += dual.s.effort;
    }
    ok(found == 0 && effort == 0, "ended by the caller: %d impulses, %g multiplications", found,
       effort);
}

int main(void) {
    test("RR");  /* an edge at rest */
    test("XX");  /* and its expansion */
    test("RSS"); /* a face's corners, one of which no longer slides */
    test("RSSS");
    test("RX");
    test("XXS");
    test_cancelled();
    return tap_done();
}
