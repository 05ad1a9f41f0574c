/* bench_single.c - nanoseconds per solve of the one-contact solvers, by class of problems, with the
 * worst certificate residual beside them. A new solver is one function and one row in `solvers`. */
#include "benchmarks/harness/usage.h"
#include "benchmarks/harness/bench.h"
#include "base/worse.h"
#include "impact.h"
#include "generators/gen.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { PROBLEMS = 4096, FEW = 512, MOST_DRAWN = 1 << 22 };

typedef struct solver {
    const char *name;
    int most;                                            /* problems of a class: certificates of
                                                            processes take long */
    double e;                                            /* restitution */
    bool leaves;                                         /* also run on the selections by leaf */
    const imp_law *law;                                  /* what its answers are held against */
    void (*run)(const gen_problem *g, int n, double *p); /* p (3n) N s; NAN first where unsolved */
} solver;

static void run_maxdiss(const gen_problem *g, int n, double *p) {
    for (int i = 0; i < n; i++)
        if (imp_maxdiss(g[i].W, g[i].q, g[i].mu, g[i].e, p + 3 * i, NULL) != IMP_OK) p[3 * i] = NAN;
}

static void run_search(const gen_problem *g, int n, double *p, imp_maxdiss_solver by) {
    const imp_maxdiss_settings settings = {.steps = 40, .solver = (int)by};
    for (int i = 0; i < n; i++)
        if (imp_maxdiss_by(g[i].W, g[i].q, g[i].mu, g[i].e, &settings, p + 3 * i, NULL) != IMP_OK)
            p[3 * i] = NAN;
}

static void run_golden_section(const gen_problem *g, int n, double *p) {
    run_search(g, n, p, IMP_GOLDEN_SECTION);
}

static void run_bisection(const gen_problem *g, int n, double *p) {
    run_search(g, n, p, IMP_BISECTION);
}

static void run_coulomb(const gen_problem *g, int n, double *p) {
    for (int i = 0; i < n; i++) {
        imp_coulomb_set set;
        p[3 * i] = NAN;
        if (imp_coulomb_enumerate(g[i].W, g[i].q, g[i].mu, &set) == IMP_OK)
            memcpy(p + 3 * i, set.solution[0].p, sizeof set.solution[0].p);
    }
}

static void run_process(const gen_problem *g, int n, double *p, imp_darboux_law law) {
    for (int i = 0; i < n; i++)
        if (imp_darboux(g[i].W, g[i].q, g[i].mu, g[i].e, law, p + 3 * i, NULL, NULL) != IMP_OK)
            p[3 * i] = NAN;
}

static void run_stronge(const gen_problem *g, int n, double *p) {
    run_process(g, n, p, IMP_STRONGE);
}

static void run_poisson(const gen_problem *g, int n, double *p) {
    run_process(g, n, p, IMP_POISSON);
}

static void run_newton(const gen_problem *g, int n, double *p) {
    run_process(g, n, p, IMP_NEWTON);
}

static void run_plus(const gen_problem *g, int n, double *p) {
    const imp_plus_settings settings = imp_plus_settings_default();
    for (int i = 0; i < n; i++)
        if (imp_plus_single(g[i].W, g[i].q, g[i].mu, g[i].e, &settings, p + 3 * i, NULL, NULL) !=
            IMP_OK)
            p[3 * i] = NAN;
}

static const solver solvers[] = {
    {"maxdiss", PROBLEMS, 0, true, &imp_law_maxdiss, run_maxdiss},
    {"golden-section", PROBLEMS, 0, false, &imp_law_maxdiss, run_golden_section},
    {"bisection", PROBLEMS, 0, false, &imp_law_maxdiss, run_bisection},
    {"coulomb", PROBLEMS, 0, true, &imp_law_coulomb, run_coulomb},
    {"darboux-stronge", FEW, 0.5, false, &imp_law_darboux_stronge, run_stronge},
    {"darboux-poisson", FEW, 0.5, false, &imp_law_darboux_poisson, run_poisson},
    {"darboux-newton", FEW, 0.5, false, &imp_law_darboux_newton, run_newton},
    {"plus", FEW, 0.5, false, &imp_law_plus, run_plus},
};

/* The problems of a class, all or those that end in some leaves of imp_maxdiss. */
typedef struct selection {
    const char *name;
    gen_class class;
    imp_maxdiss_leaf first, last;
} selection;

static const selection selections[] = {
    {"speed-box", GEN_SPEED_BOX, IMP_LEAF_SEPARATING, IMP_LEAF_HYPERBOLA},
    {"speed-box/stick", GEN_SPEED_BOX, IMP_LEAF_STICK, IMP_LEAF_STICK},
    {"speed-box/slide", GEN_SPEED_BOX, IMP_LEAF_ELLIPSE, IMP_LEAF_HYPERBOLA},
    {"opening", GEN_OPENING, IMP_LEAF_SEPARATING, IMP_LEAF_SEPARATING},
    {"sphere", GEN_SPHERE, IMP_LEAF_SEPARATING, IMP_LEAF_HYPERBOLA},
    {"free-box-1", GEN_FREE_BOX_1, IMP_LEAF_SEPARATING, IMP_LEAF_HYPERBOLA},
    {"free-box-5", GEN_FREE_BOX_5, IMP_LEAF_SEPARATING, IMP_LEAF_HYPERBOLA},
    {"six-point", GEN_SIX_POINT, IMP_LEAF_SEPARATING, IMP_LEAF_HYPERBOLA},
    {"spd-8", GEN_SPD_8, IMP_LEAF_SEPARATING, IMP_LEAF_HYPERBOLA},
    {"painleve", GEN_PAINLEVE, IMP_LEAF_SEPARATING, IMP_LEAF_HYPERBOLA},
    {"painleve/hyperbola", GEN_PAINLEVE, IMP_LEAF_HYPERBOLA, IMP_LEAF_HYPERBOLA},
    {"units", GEN_UNITS, IMP_LEAF_SEPARATING, IMP_LEAF_HYPERBOLA},
    {"tiny-closing", GEN_TINY_CLOSING, IMP_LEAF_SEPARATING, IMP_LEAF_HYPERBOLA},
    {"zero-closing", GEN_ZERO_CLOSING, IMP_LEAF_SEPARATING, IMP_LEAF_HYPERBOLA},
    {"zero-closing/ray", GEN_ZERO_CLOSING, IMP_LEAF_RAY, IMP_LEAF_RAY},
    {"several", GEN_SEVERAL, IMP_LEAF_SEPARATING, IMP_LEAF_HYPERBOLA},
    {"adversarial", GEN_ADVERSARIAL, IMP_LEAF_SEPARATING, IMP_LEAF_HYPERBOLA},
};

static int choose(const selection *s, const solver *by, gen_problem *g) {
    int n = 0;
    for (uint64_t i = 0; i < MOST_DRAWN && n < by->most; i++) {
        double p[3];
        imp_info info = {0};
        g[n] = gen_make(s->class, i);
        if (imp_maxdiss(g[n].W, g[n].q, g[n].mu, g[n].e, p, &info) != IMP_OK) continue;
        g[n].e = by->e;
        n += (int)s->first <= info.leaf && info.leaf <= (int)s->last;
    }
    return n;
}

/* Of what is solved; *solved <- the share. */
static double worst_residual(const solver *s, const gen_problem *g, int n, const double *p,
                             double *solved) {
    double worst = 0;
    int count = 0;
    for (int i = 0; i < n; i++) {
        gen_dense dense;
        imp_certificate c;
        if (isnan(p[3 * i])) continue;
        count++;
        gen_dense_of(&g[i], &dense);
        const bool known = imp_certify(&dense.problem, s->law, NULL, p + 3 * i, NULL, &c) == IMP_OK;
        worst = imp_worse(worst, known ? c.worst : INFINITY);
    }
    *solved = (double)count / n;
    return worst;
}

/* A run over all problems of a row. */
typedef struct running {
    const solver *s;
    const gen_problem *g;
    int n;
    double *p;
} running;

static void run_all(void *context) {
    const running *r = context;
    r->s->run(r->g, r->n, r->p);
}

static void print_row(bench *b, const solver *s, const selection *select, double copy) {
    static gen_problem g[PROBLEMS];
    static double p[3 * PROBLEMS];
    char name[64];
    double solved;
    running r = {s, g, choose(select, s, g), p};
    const bench_timing t = bench_time(run_all, &r, r.n);
    snprintf(name, sizeof name, "%s/%s", s->name, select->name);
    const double error = worst_residual(s, g, r.n, p, &solved);
    bench_row(b, name, &t, error, (const double[]){r.n, solved, t.cpu / copy});
}

static bool wanted(const solver *s, int count, char **names) {
    for (int i = 0; i < count; i++)
        if (strcmp(s->name, names[i]) == 0) return true;
    return count == 0;
}

enum { SOLVERS = sizeof solvers / sizeof *solvers };

static const char *solver_at(int k) {
    return k < SOLVERS ? solvers[k].name : NULL;
}

static const usage about = {
    .program = "bench_single",
    .arguments = "[SOLVER]...",
    .most = SOLVERS,
    .text =
        "CPU time per solve of the one-contact solvers over 4096 different problems in memory, by "
        "class of problems, with the\n"
        "worst certificate residual beside it. coulomb is the enumeration of all solutions; its "
        "residual is that of the most\n"
        "dissipative; golden-section and bisection are maximum dissipation by those searches. The "
        "processes (darboux-...,\n"
        "plus) take the classes that are not selections of maximum dissipation's own leaves. Exit "
        "2: "
        "bad use.\n",
    .environment = BENCH_ENVIRONMENT,
    .name = solver_at,
};

int main(int argc, char **argv) {
    enum { SELECTIONS = sizeof selections / sizeof *selections };
    usage_answer(&about, argc, argv);
    for (int i = 1; i < argc; i++)
        (void)usage_find(&about, "solver", argv[i]);
    bench b = bench_begin("single");
    const double copy = bench_copy(sizeof(gen_problem) + 3 * sizeof(double), PROBLEMS);
    bench_table(&b,
                "one contact: ns a solve by class; error: the worst certificate residual; copies: "
                "of the problem",
                (const char *const[]){"problems", "solved", "copies", NULL});
    for (int k = 0; k < SOLVERS; k++)
        for (int i = 0; i < SELECTIONS && wanted(&solvers[k], argc - 1, argv + 1); i++)
            if (solvers[k].leaves || (selections[i].first == IMP_LEAF_SEPARATING &&
                                      selections[i].last == IMP_LEAF_HYPERBOLA))
                print_row(&b, &solvers[k], &selections[i], copy);
    return bench_end(&b);
}
