/* test_rounding.c - solved and certified where the caller has left the processor in another mode:
 * rounding up, down, towards zero; subnormal numbers flushed to zero.
 *
 * Every answer called `ok` is held against its law again with rounding to nearest. Directed
 * rounding doubles the unit of rounding, and n errors of one sign add up to n of them where those
 * of nearest leave sqrt(n): 2 sqrt(n) in all, for chains of 25 operations 10 times what nearest
 * leaves.
 * So WIDENED, 10 times the model's bound, is what may be found. */
#include "benchmarks/harness/natural_error.h"
#include "families.h"
#include "generators/gen_bifurcation.h"
#include "generators/piles.h"
#include "impact.h"
#include "reference/oracle/oracle.h"
#include "tap.h"

#include <fenv.h>
#ifdef __SSE2__
#include <immintrin.h>
#endif

#define COUNT ((uint64_t)tap_many(24, 64))
static const double WIDENED = 10;

static void flush(bool on) {
    (void)on;
#ifdef __SSE2__
    enum { BOTH = _MM_FLUSH_ZERO_MASK | 0x40 }; /* denormals are zero */
    _mm_setcsr((_mm_getcsr() & ~(unsigned)BOTH) | (on ? (unsigned)BOTH : 0));
#endif
}

static const struct mode {
    const char *name;
    int round;
    bool flushed;
} modes[] = {
#ifdef FE_UPWARD
    {"up", FE_UPWARD, false},
#endif
#ifdef FE_DOWNWARD
    {"down", FE_DOWNWARD, false},
#endif
#ifdef FE_TOWARDZERO
    {"towards zero", FE_TOWARDZERO, false},
#endif
#ifdef __SSE2__
    {"flushed", FE_TONEAREST, true},
#endif
};

enum { MODES = sizeof modes / sizeof *modes };

static void enter(const struct mode *m) {
    (void)fesetround(m->round);
    flush(m->flushed);
}

static void leave(void) {
    (void)fesetround(FE_TONEAREST);
    flush(false);
}

/* The modes are what they say: else the rest would show nothing. */
static void test_modes(void) {
    /* volatile: compilers move what they compute across a change of mode, but no call */
    volatile double one = 1, minus = -1, three = 3, tiny = 0x1p-1050, above, below, small;
    for (int i = 0; i < MODES; i++) {
        enter(&modes[i]);
        above = one / three;
        below = minus / three;
        small = tiny * one;
        leave();
        const bool up = above > 1.0 / 3, down = below < -1.0 / 3;
        ok(modes[i].flushed ? small == 0
                            : small == tiny && up == (modes[i].round == FE_UPWARD) &&
                                  down == (modes[i].round == FE_DOWNWARD),
           "%s: the processor does", modes[i].name);
    }
}

typedef struct answer {
    imp_status status;
    double p[SITUATION_MOST];
    imp_path path;
    imp_certificate certificate;
} answer;

static void solve(const imp_model *model, const imp_problem *problem, answer *a) {
    *a = (answer){0};
    a->status = imp_solve_certified(model, problem, NULL, a->p, &a->path, &a->certificate, NULL);
}

/* Is the answer one to rounding to nearest too? */
static bool holds(const imp_model *model, const imp_problem *problem, const answer *a) {
    imp_certificate c;
    return imp_certify_along(problem, model->law, NULL, a->p, &a->path, &c) == IMP_OK &&
           c.worst <= WIDENED * imp_model_bound(model, NULL);
}

/* With a thousandth more of its largest impulse: does the certificate of this mode find it, where
 * nearest does? */
static bool refuses(const imp_model *model, const imp_problem *problem, const answer *a,
                    const struct mode *m) {
    imp_certificate nearest, here;
    double p[SITUATION_MOST];
    int most = 0;
    memcpy(p, a->p, sizeof p);
    for (int i = 0; i < 3 * problem->nc; i++)
        if (fabs(p[i]) > fabs(p[most])) most = i;
    p[most] *= 1.001;
    (void)imp_certify_along(problem, model->law, NULL, p, &a->path, &nearest);
    enter(m);
    (void)imp_certify_along(problem, model->law, NULL, p, &a->path, &here);
    leave();
    const double bound = imp_model_bound(model, NULL);
    return !(nearest.worst > WIDENED * bound) || here.worst > bound;
}

/* How many of the answers to a family went otherwise. */
typedef struct tally {
    int infinite, wrong, missed, lost, ok;
} tally;

static void compare(const imp_model *model, const situation *s, const struct mode *m, tally *t) {
    imp_operator W;
    const imp_problem problem = situation_problem(s, &W);
    answer nearest, here;
    solve(model, &problem, &nearest);
    enter(m);
    solve(model, &problem, &here);
    leave();
    for (int i = 0; i < 3 * problem.nc; i++)
        t->infinite += !isfinite(here.p[i]);
    t->ok += nearest.status == IMP_OK;
    t->lost += nearest.status == IMP_OK && here.status != IMP_OK;
    if (here.status == IMP_OK) {
        t->wrong += !holds(model, &problem, &here);
        t->missed += !refuses(model, &problem, &here, m);
    }
    imp_path_clear(&nearest.path);
    imp_path_clear(&here.path);
}

static void test_model(const imp_model *model, const struct mode *m) {
    tally all = {0};
    /* springs take ten milliseconds a problem */
    const uint64_t every = strcmp(model->name, "springs") == 0 ? 4 : 1;
    for (int f = 0; f < FAMILIES; f++) {
        tally t = {0};
        if (!family_takes(&families[f], model)) continue;
        for (uint64_t k = 0; k < COUNT; k += every) {
            const situation s = families[f].make(model, k);
            compare(model, &s, m, &t);
        }
        if (t.wrong || t.missed)
            diag("%s, %s, %s: %d wrong, %d missed", model->name, families[f].name, m->name, t.wrong,
                 t.missed);
        all.infinite += t.infinite;
        all.wrong += t.wrong;
        all.missed += t.missed;
        all.ok += t.ok;
        all.lost += t.lost;
    }
    ok(all.infinite == 0 && all.ok > 0, "%s, %s: every impulse is finite", model->name, m->name);
    ok(all.wrong == 0, "%s, %s: what is ok is ok to nearest", model->name, m->name);
    ok(all.missed == 0, "%s, %s: the certificate finds what is off by 1e-3", model->name, m->name);
    ok(all.ok > 0 && all.lost <= (m->flushed ? 0 : all.ok / 20),
       "%s, %s: of %d solved to nearest %d are not", model->name, m->name, all.ok, all.lost);
}

/* As many solutions, where both modes prove how many: of every class, and next to where the number
 * changes. */
static void test_counts(const struct mode *m) {
    const int each = tap_many(100, 400);
    int other = 0, unproven = 0, total = 0;
    for (int k = 0; k < (GEN_CLASSES + GEN_BIFURCATION_DATA) * each; k++) {
        const int class = k / each;
        const gen_problem g =
            class < GEN_CLASSES
                ? gen_make((gen_class) class, (uint64_t)k)
                : gen_bifurcation((gen_bifurcation_datum)(class - GEN_CLASSES), (uint64_t)k);
        imp_coulomb_set nearest = {0}, here = {0};
        const imp_status status = imp_coulomb_enumerate(g.W, g.q, g.mu, &nearest);
        enter(m);
        (void)imp_coulomb_enumerate(g.W, g.q, g.mu, &here);
        leave();
        if (status != IMP_OK) continue;
        total++;
        unproven += !here.proven;
        other += here.proven && here.count != nearest.count;
    }
    ok(total > each && other == 0 && unproven <= total / 1000,
       "%s: of %d sets of Coulomb solutions %d have another number, %d lose their proof", m->name,
       total, other, unproven);
}

/* BLAS and LAPACK (frictionless beyond 256 contacts), KLU (auto), the companion matrix of GSL. */
static void test_libraries(const struct mode *m) {
    imp_fclib pile;
    imp_fclib_posed posed;
    if (pile_make(PILE_WALL, 3, 300, &pile) != IMP_OK || imp_fclib_pose(&pile, &posed) != IMP_OK)
        exit(1);
    const size_t rows = 3 * (size_t)pile.nc;
    double *p = calloc(rows, sizeof *p);
    enter(m);
    const imp_status solved = imp_solve(&imp_model_auto, &posed.problem, NULL, p, NULL);
    leave();
    const double error = natural_error(&posed.problem, p);
    ok(solved == IMP_OK && error <= WIDENED * 1e-8, "%s: auto on a wall of %d contacts: %.1e",
       m->name, pile.nc, error);
    double *none = calloc((size_t)pile.nc, sizeof *none);
    imp_problem smooth = posed.problem;
    smooth.mu = none;
    enter(m);
    const imp_status pushed = imp_solve(&imp_model_frictionless, &smooth, NULL, p, NULL);
    leave();
    imp_certificate c = {.worst = INFINITY};
    (void)imp_certify(&smooth, &imp_law_frictionless, NULL, p, NULL, &c);
    ok(pushed == IMP_OK && c.worst <= WIDENED * 1e-9, "%s: frictionless on it: %.1e", m->name,
       c.worst);
    free(none);
    free(p);
    imp_fclib_posed_clear(&posed);
    imp_fclib_clear(&pile);
    double worst = 0;
    int both = 0;
    for (uint64_t k = 0; k < 200; k++) {
        const gen_problem g = gen_make(GEN_SPEED_BOX, k);
        double nearest[3] = {0}, here[3] = {0}, size = 0, off = 0;
        const int known = oracle_quartic(g.W, g.q, g.mu, nearest);
        enter(m);
        const int found = oracle_quartic(g.W, g.q, g.mu, here);
        leave();
        for (int i = 0; i < 3; i++) {
            size = fmax(size, fabs(nearest[i]));
            off = tap_worst(off, fabs(here[i] - nearest[i]));
        }
        worst = tap_worst(worst, size > 0 ? off / size : off);
        both += known > 0 && found > 0;
    }
    ok(both == 200 && worst < 1e-9, "%s: the companion matrix of GSL: %.1e", m->name, worst);
}

/* Subnormal data are 0 to such a processor: the answer is that of the problem with zeros. */
static void test_subnormal(const struct mode *m) {
    const double W[6] = {1, 0.1, 0, 3, 0, 3}, none[6] = {0x1p-1040, 0, 0, 0x1p-1040, 0, 0x1p-1040};
    const double slow[3] = {-0x1p-1040, 1, 0x1p-1050}, zero[3] = {0, 1, 0};
    imp_operator A, B, C;
    const situation s = situation_of(W, slow, 0.5, 0), t = situation_of(W, zero, 0.5, 0),
                    n = situation_of(none, zero, 0.5, 0);
    const imp_problem given = situation_problem(&s, &A), with_zeros = situation_problem(&t, &B),
                      massless = situation_problem(&n, &C);
    double p[3] = {1, 1, 1}, q[3] = {2, 2, 2};
    enter(m);
    const imp_status status = imp_solve(&imp_model_maxdiss, &given, NULL, p, NULL);
    const imp_status refused = imp_solve(&imp_model_maxdiss, &massless, NULL, q, NULL);
    leave();
    double want[3];
    const imp_status wanted = imp_solve(&imp_model_maxdiss, &with_zeros, NULL, want, NULL);
    ok(status == wanted && memcmp(p, want, sizeof p) == 0, "%s: a subnormal approach is none",
       m->name);
    ok(refused == IMP_NOT_POSITIVE, "%s: a subnormal W is not positive", m->name);
}

int main(void) {
    test_modes();
    for (int i = 0; i < MODES; i++) {
        for (const imp_model *const *m = imp_models; *m; m++)
            test_model(*m, &modes[i]);
        test_counts(&modes[i]);
        test_libraries(&modes[i]);
        if (modes[i].flushed) test_subnormal(&modes[i]);
    }
    return tap_done();
}
