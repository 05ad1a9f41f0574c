/* test_exceptions.c - no answer comes by way of a number that is none: what solves and certifies
 * raises neither `invalid` (0/0, inf - inf, the root of a negative number, NaN compared) nor
 * `divide by zero`, but where that is stated.
 *
 * With -fno-trapping-math, which the build has, compilers may compute what the source would not
 * have, and raise what it does not. So the flags are read in a build without it: make check FPE=1
 * TESTS=exceptions. */
#include "blocks/blocks.h"
#include "families.h"
#include "impact.h"
#include "tap.h"

#include <fenv.h>

enum { WATCHED = FE_INVALID | FE_DIVBYZERO, COUNT = 240 };

/* Where they are raised by design: kernels that do without branches compute both sides of a choice
 * and take one. Each has to be seen, or it is not needed. */
static const struct {
    const char *model, *what; /* NULL: any problem */
    const char *place;
} stated[] = {
    {"darboux-stronge", NULL, "find_turns without friction, parabola at rest (darboux_slip.h)"},
    {"darboux-poisson", NULL, "the same"},
    {"darboux-newton", NULL, "the same"},
    {"coulomb", "edges", "without slip: decide (coulomb_lanes.h) and dd_sqrt of 0 (dd.h)"},
    {"sequential", "edges", "the same"},
    {"moreau", "edges", "the same"},
    {"auto", "edges", "the same"},
};

enum { STATED = sizeof stated / sizeof *stated };

static int seen[STATED];

/* Which statement holds of the model and these problems, -1: none. */
static int statement(const imp_model *model, const char *what) {
    for (int i = 0; i < STATED; i++)
        if (strcmp(stated[i].model, model->name) == 0 &&
            (!stated[i].what || strcmp(stated[i].what, what) == 0))
            return i;
    return -1;
}

/* Solves and certifies; what it raised. An overflow makes infinities, and differences of them:
 * *beyond <- was there one? */
static int raised(const imp_model *model, const situation *s, bool *beyond) {
    imp_operator W;
    const imp_problem problem = situation_problem(s, &W);
    double p[SITUATION_MOST];
    (void)feclearexcept(FE_ALL_EXCEPT);
    (void)imp_solve(model, &problem, NULL, p, NULL);
    *beyond = fetestexcept(FE_OVERFLOW) != 0;
    return fetestexcept(WATCHED);
}

static void watch(const imp_model *model, const family *f) {
    const char *what = f->name;
    int found = 0, after_overflow = 0;
    const int by_design = statement(model, what);
    for (uint64_t k = 0; k < COUNT; k++) {
        const situation s = f->make(model, k);
        bool beyond = false;
        const int flags = raised(model, &s, &beyond);
        if (flags && beyond)
            after_overflow++;
        else if (flags && by_design >= 0)
            seen[by_design]++;
        else if (flags && found++ == 0)
            diag("%s, %s, problem %d: %s%s", model->name, what, (int)k,
                 flags & FE_INVALID ? "invalid " : "", flags & FE_DIVBYZERO ? "by zero" : "");
    }
    ok(found == 0, "%s, %s: %d raise what is not stated", model->name, what, found);
    if (f->make != family_scales)
        ok(after_overflow <= 1, "%s, %s: %d after an overflow", model->name, what, after_overflow);
}

/* The natural errors of an answer whose squares are beyond double. */
static void watch_natural_error(void) {
    const double W[6] = {1e-150, 0, 0, 1e-150, 0, 1e-150}, q[3] = {-1e150, 2e150, 0};
    const double p[3] = {1e300, -0.5e300, 0};
    const situation s = situation_of(W, q, 0.5, 0);
    imp_operator as_operator;
    const imp_problem problem = situation_problem(&s, &as_operator);
    double field, scale_free;
    (void)feclearexcept(FE_ALL_EXCEPT);
    imp_natural_error(&problem, p, &field, &scale_free);
    ok(!fetestexcept(WATCHED | FE_OVERFLOW) && field < 1e-12 && scale_free < 1e-12,
       "natural errors of impulses of 1e300: %.1e, %.1e", field, scale_free);
}

/* All solutions of every class. */
static void watch_enumeration(void) {
    int found = 0;
    for (uint64_t k = 0; k < (uint64_t)COUNT * GEN_CLASSES; k++) {
        const gen_problem g = family_class(k);
        imp_coulomb_set set;
        (void)feclearexcept(FE_ALL_EXCEPT);
        (void)imp_coulomb_enumerate(g.W, g.q, g.mu, &set);
        found += fetestexcept(WATCHED) != 0;
    }
    ok(found == 0, "all Coulomb solutions: %d raise", found);
}

int main(void) {
#ifndef IMP_EXCEPTIONS_KEPT
    return skip_all("only a build of FPE=1 raises exceptions where the source has them");
#endif
    for (const imp_model *const *m = imp_models; *m; m++)
        for (int i = 0; i < FAMILIES; i++)
            if (family_takes(&families[i], *m)) watch(*m, &families[i]);
    for (int i = 0; i < STATED; i++)
        ok(seen[i] > 0, "%s: %s: seen", stated[i].model, stated[i].place);
    watch_enumeration();
    watch_natural_error();
    return tap_done();
}
