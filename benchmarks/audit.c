/* audit.c - solves random one-contact problems by the million and holds every answer against the
 * certificate. */
#include "benchmarks/harness/usage.h"
#include "impact.h"
#include "generators/gen.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SHARE = 8, MOST_DUMPED = 10 };

typedef struct tally {
    gen_class class;
    double limit;
    long count, ok, corner, refused, wild, units, failures;
    int residuals;
    const char *name[IMP_RESIDUALS];
    double residual[IMP_RESIDUALS], turned;
} tally;

static imp_status solve(const gen_problem *g, double p[3]) {
    return imp_maxdiss(g->W, g->q, g->mu, g->e, p, NULL);
}

/* Half of the problems bounce. */
static gen_problem make(gen_class class, uint64_t index) {
    gen_problem g = gen_make(class, index);
    gen_stream s = gen_seed(1000, index);
    if (index % 2) g.e = gen_uniform(&s, 0, 1);
    return g;
}

static void fail(tally *t, const gen_problem *g, uint64_t index, const char *why) {
    char id[64];
    if (t->failures++ >= MOST_DUMPED) return;
    snprintf(id, sizeof id, "%s-%llu", gen_name(t->class), (unsigned long long)index);
    fprintf(stderr, "# %s: %s\n%s", id, why, t->failures == 1 ? GEN_TABLE_HEADER : "");
    gen_print_row(stderr, id, g);
}

static double worst_residual(const gen_problem *g, const double p[3], imp_certificate *c) {
    gen_dense dense;
    gen_dense_of(g, &dense);
    return imp_certify(&dense.problem, &imp_law_maxdiss, NULL, p, NULL, c) == IMP_OK ? c->worst
                                                                                     : INFINITY;
}

/* Solves in tangents turned by a random angle; the answer, turned back, must satisfy the law
 * here. */
static void check_turned(tally *t, const gen_problem *g, uint64_t index) {
    gen_stream stream = gen_seed(1001, index);
    const double half = gen_normal(&stream), length = 1 + half * half;
    const double c = (1 - half * half) / length, s = 2 * half / length;
    const gen_problem r = gen_turned(g, c, s);
    double p[3], back[3];
    imp_certificate certificate;
    if (solve(&r, p) != IMP_OK) return;
    back[0] = p[0];
    back[1] = c * p[1] - s * p[2];
    back[2] = s * p[1] + c * p[2];
    const double worst = worst_residual(g, back, &certificate);
    t->turned = fmax(t->turned, worst);
    if (!(worst <= t->limit)) fail(t, g, index, "depends on the direction of the tangents");
}

/* W and q in other units, powers of two up to 2^+-400: the same bits. */
static void check_units(tally *t, const gen_problem *g, uint64_t index, const double p[3]) {
    gen_stream stream = gen_seed(1002, index);
    const int W_shift = (int)gen_uniform(&stream, -400, 400),
              q_shift = (int)gen_uniform(&stream, -400, 400);
    gen_problem u = *g;
    double scaled[3] = {NAN, NAN, NAN};
    for (int i = 0; i < 6; i++)
        u.W[i] = ldexp(u.W[i], W_shift);
    for (int i = 0; i < 3; i++)
        u.q[i] = ldexp(u.q[i], q_shift);
    bool same = solve(&u, scaled) == IMP_OK;
    for (int i = 0; i < 3; i++)
        same = same && scaled[i] == ldexp(p[i], q_shift - W_shift);
    t->units += !same;
    if (!same) fail(t, g, index, "depends on the units");
}

static void audit_problem(tally *t, uint64_t index) {
    const gen_problem g = make(t->class, index);
    const double eccentricity = g.mu * hypot(g.W[1], g.W[2]) / g.W[0];
    double p[3] = {0, 0, 0};
    imp_certificate c;
    const imp_status status = solve(&g, p);
    t->count++;
    if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2])) {
        t->wild++;
        fail(t, &g, index, "not finite");
    } else if (status == IMP_NOT_POSITIVE && t->class == GEN_ADVERSARIAL) {
        t->refused++; /* W = H + a a' loses an H that is 1e16 times smaller */
    } else if (status == IMP_NOT_CERTIFIED &&
               (g.excluded || fabs(1 - eccentricity) < 100 * DBL_EPSILON)) {
        t->corner++; /* rounding changes the length of the conic by more than a hundredth */
    } else if (status != IMP_OK) {
        t->refused++;
        fail(t, &g, index, imp_status_text(status));
    } else {
        t->ok++;
        const double worst = worst_residual(&g, p, &c);
        for (int k = 0; k < c.count; k++) {
            t->name[k] = c.residual[k].name;
            t->residual[k] = fmax(t->residual[k], c.residual[k].value);
        }
        t->residuals = c.count;
        if (!(worst <= t->limit)) fail(t, &g, index, "breaks the law");
        if (index % SHARE == 0 && !g.excluded) {
            check_turned(t, &g, index);
            check_units(t, &g, index, p);
        }
    }
}

static tally audit_class(gen_class class, long count) {
    tally t = {.class = class, .limit = class == GEN_ADVERSARIAL ? 1e-10 : 1e-12};
    const bool terminal = isatty(STDERR_FILENO);
    for (long i = 0; i < count; i++) {
        if (terminal && i % 65536 == 0)
            fprintf(stderr, "\r%-14s %3ld %%", gen_name(class), 100 * i / count);
        audit_problem(&t, (uint64_t)i);
    }
    if (terminal) fputs("\r                   \r", stderr);
    return t;
}

static void print_row(const tally *t, bool first) {
    if (first) {
        printf("%-14s%10s", "class", "problems");
        for (int k = 0; k < t->residuals; k++)
            printf("%14s", t->name[k]);
        printf("%10s%10s%10s%8s%8s%6s%10s\n", "turned", "units", "ok", "corner", "refused", "NaN",
               "failures");
    }
    printf("%-14s%10ld", gen_name(t->class), t->count);
    for (int k = 0; k < t->residuals; k++)
        printf("%14.2g", t->residual[k]);
    printf("%10.2g%10ld%10ld%8ld%8ld%6ld%10ld\n", t->turned, t->units, t->ok, t->corner, t->refused,
           t->wild, t->failures);
    fflush(stdout);
}

static const char *class_at(int k) {
    return k < GEN_CLASSES ? gen_name((gen_class)k) : NULL;
}

static const usage about = {
    .program = "audit",
    .arguments = "[COUNT] [CLASS]...",
    .most = 1 + GEN_CLASSES,
    .text =
        "Solves COUNT random problems (10 million) of one contact, shared by the classes (all), by "
        "maximum dissipation.\n"
        "One row per class: the worst of each residual among the answers called ok, the worst "
        "after "
        "solving in turned\n"
        "tangents and turning back, answers that changed a bit with the units (both on every "
        "eighth "
        "problem), and how\n"
        "the solves ended. Exit 0: pass; 1: a residual exceeds 1e-12 (1e-10 in class adversarial), "
        "an answer is not\n"
        "finite, units matter, or a problem is refused without reason: such problems go to "
        "standard "
        "error as rows that\n"
        "impact solve reads; 2: bad use.\n",
    .name = class_at,
};

int main(int argc, char **argv) {
    long count = 10000000, failures = 0;
    gen_class chosen[GEN_CLASSES];
    int classes = 0, next = 1;
    usage_answer(&about, argc, argv);
    if (argc > 1 && strchr("0123456789.+", argv[1][0])) {
        count = (long)usage_whole(&about, "COUNT", argv[1], 1, 1e15);
        next = 2;
    }
    for (; next < argc; next++) {
        if (classes == GEN_CLASSES)
            usage_refuse(&about, "\"%.60s\" is one argument too many", argv[next]);
        chosen[classes++] = (gen_class)usage_find(&about, "class", argv[next]);
    }
    if (classes == 0)
        for (; classes < GEN_CLASSES; classes++)
            chosen[classes] = (gen_class)classes;
    for (int k = 0; k < classes; k++) {
        const tally t = audit_class(chosen[k], count / classes + (k < count % classes));
        print_row(&t, k == 0);
        failures += t.failures;
    }
    printf("%s: %ld problems, %ld failures\n", failures ? "FAIL" : "pass", count, failures);
    return failures != 0;
}
