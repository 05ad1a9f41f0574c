/* siconos.c - problems of one contact by the one-contact solvers of siconos/numerics (Debian:
 * libsiconos-numerics-dev) and by ours, class by class.
 *
 * Each row comes from a process of its own: siconos prints, and may abort or not end. */
#include "benchmarks/harness/usage.h"
#include "impact.h"
#include "base/clock.h"
#include "generators/gen.h"

#include <Friction_cst.h>
#include <FrictionContactProblem.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <fc3d_Solvers.h>
#include <fc3d_onecontact_nonsmooth_Newton_solvers.h>
#include <fc3d_unitary_enumerative.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROBLEMS = 1000, ROOM = PROBLEMS + 8 * 9, REPEATS = 15, LIMIT = 60 /* s of a row */ };
static const double failed = 1e-4;

typedef struct class_of {
    const char *name;
    gen_class class; /* GEN_CLASSES: spd-6 with mu U(0,5) */
} class_of;

static const class_of classes[] = {{"speed-box", GEN_SPEED_BOX},
                                   {"sphere", GEN_SPHERE},
                                   {"free-box-1", GEN_FREE_BOX_1},
                                   {"free-box-5", GEN_FREE_BOX_5},
                                   {"spd-6", GEN_CLASSES},
                                   {"painleve", GEN_PAINLEVE},
                                   {"units", GEN_UNITS}};
enum { CLASSES = sizeof classes / sizeof *classes };

static gen_problem g[PROBLEMS];
static double full[PROBLEMS][9], p[PROBLEMS][3];
static double W[6][ROOM], q[3][ROOM], mu[ROOM], columns_p[3][ROOM], residual[ROOM];
static imp_status status[PROBLEMS];

static void make(const class_of *c) {
    for (int i = 0; i < PROBLEMS; i++) {
        gen_stream s = gen_seed(606, (uint64_t)i);
        g[i] = c->class == GEN_CLASSES ? gen_spd((uint64_t)i, 6, gen_uniform(&s, 0, 5))
                                       : gen_make(c->class, (uint64_t)i);
        static const int at[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
        for (int k = 0; k < 9; k++)
            full[i][k] = g[i].W[at[k]];
        for (int k = 0; k < 6; k++)
            W[k][i] = g[i].W[k];
        for (int k = 0; k < 3; k++)
            q[k][i] = g[i].q[k];
        mu[i] = g[i].mu;
    }
}

static void run_siconos(int id) {
    static SolverOptions *options;
    static FrictionContactProblem *problem;
    static double R[3];
    const bool newton = id == SICONOS_FRICTION_3D_ONECONTACT_NSN ||
                        id == SICONOS_FRICTION_3D_ONECONTACT_NSN_GP_HYBRID;
    if (!options) { /* once in a process, as at the begin of a Gauss-Seidel */
        options = solver_options_create(id);
        problem = frictionContactProblem_new_with_data(
            3, 1, NM_create_from_data(NM_DENSE, 3, 3, full[0]), g[0].q, mu);
        if (newton) fc3d_onecontact_nonsmooth_Newton_solvers_initialize(problem, problem, options);
    }
    for (int i = 0; i < PROBLEMS; i++) {
        problem->M->matrix0 = full[i];
        problem->q = g[i].q;
        problem->mu = &mu[i];
        memset(R, 0, sizeof R);
        if (newton)
            (void)fc3d_onecontact_nonsmooth_Newton_solvers_solve(problem, R, options);
        else
            (void)fc3d_unitary_enumerative_solve(problem, R, options);
        memcpy(p[i], R, sizeof R);
    }
}

static void run_coulomb(int id) {
    (void)id;
    for (int i = 0; i < PROBLEMS; i++) {
        imp_coulomb_set set;
        if (imp_coulomb_enumerate(g[i].W, g[i].q, g[i].mu, &set) == IMP_OK)
            memcpy(p[i], set.solution[0].p, sizeof p[i]);
        else
            p[i][0] = NAN;
    }
}

static void run_maxdiss(int id) {
    (void)id;
    for (int i = 0; i < PROBLEMS; i++)
        if (imp_maxdiss(g[i].W, g[i].q, g[i].mu, 0, p[i], NULL) != IMP_OK) p[i][0] = NAN;
}

static imp_batch_columns columns(void) {
    imp_batch_columns c = {.mu = mu, .residual = residual, .status = status};
    for (int k = 0; k < 6; k++)
        c.W[k] = W[k];
    for (int k = 0; k < 3; k++) {
        c.q[k] = q[k];
        c.p[k] = columns_p[k];
    }
    return c;
}

static void read_columns(void) {
    for (int i = 0; i < PROBLEMS; i++)
        for (int k = 0; k < 3; k++)
            p[i][k] = status[i] == IMP_OK ? columns_p[k][i] : NAN;
}

static void run_maxdiss_batch(int id) {
    const imp_batch_columns c = columns();
    (void)id;
    (void)imp_maxdiss_batch(&c, PROBLEMS, NULL);
    read_columns();
}

static void run_coulomb_batch(int id) {
    static double others[2][4][ROOM];
    static imp_coulomb_brief brief[PROBLEMS];
    static const imp_coulomb_columns all = {
        brief,
        {{others[0][0], others[0][1], others[0][2]}, {others[1][0], others[1][1], others[1][2]}},
        {others[0][3], others[1][3]}};
    imp_batch_columns c = columns();
    (void)id;
    c.all = &all;
    (void)imp_coulomb_batch(&c, PROBLEMS, NULL);
    read_columns();
}

typedef struct solver {
    const char *name;
    void (*run)(int id);
    int id;
    bool maxdiss; /* judged by its own law */
} solver;

static const solver solvers[] = {
    {"impact, maxdiss batch *", run_maxdiss_batch, 0, true},
    {"impact, maxdiss *", run_maxdiss, 0, true},
    {"impact, all Coulomb solutions, batch", run_coulomb_batch, 0, false},
    {"impact, all Coulomb solutions", run_coulomb, 0, false},
    {"siconos QUARTIC", run_siconos, SICONOS_FRICTION_3D_ONECONTACT_QUARTIC, false},
    {"siconos QUARTIC_NU", run_siconos, SICONOS_FRICTION_3D_ONECONTACT_QUARTIC_NU, false},
    {"siconos NSN", run_siconos, SICONOS_FRICTION_3D_ONECONTACT_NSN, false},
    {"siconos hybrid", run_siconos, SICONOS_FRICTION_3D_ONECONTACT_NSN_GP_HYBRID, false},
};
enum { SOLVERS = sizeof solvers / sizeof *solvers };

static double error_of(const solver *s, int i) {
    gen_dense dense;
    imp_certificate c;
    double field, scale_free = NAN;
    gen_dense_of(&g[i], &dense);
    for (int k = 0; k < 3; k++)
        if (!isfinite(p[i][k])) return INFINITY;
    if (s->maxdiss)
        return imp_certify(&dense.problem, &imp_law_maxdiss, NULL, p[i], NULL, &c) == IMP_OK
                   ? c.worst
                   : INFINITY;
    imp_natural_error(&dense.problem, p[i], &field, &scale_free);
    return scale_free;
}

static void print_row(FILE *rows, const class_of *c, const solver *s) {
    double least = INFINITY, worst = 0;
    int failures = 0;
    make(c);
    for (int r = 0; r < REPEATS; r++) {
        const double from = imp_nanoseconds(CLOCK_THREAD_CPUTIME_ID);
        s->run(s->id);
        least = fmin(least, (imp_nanoseconds(CLOCK_THREAD_CPUTIME_ID) - from) / PROBLEMS);
    }
    for (int i = 0; i < PROBLEMS; i++) {
        const double error = error_of(s, i);
        if (error <= failed)
            worst = fmax(worst, error);
        else
            failures++;
    }
    fprintf(rows, "one contact\t%s\t%s\t%.4g\t%.2g\t%.3g\t%s\n", c->name, s->name, least, worst,
            100. * failures / PROBLEMS, s->maxdiss ? "another law" : "");
}

static const char *solver_at(int k) {
    return k < SOLVERS ? solvers[k].name : NULL;
}

static const usage about = {
    .program = "siconos",
    .arguments = "",
    .text =
        "Problems of one contact by the one-contact solvers of siconos and by ours, class by "
        "class. Both get W, q and mu as\n"
        "they lie in memory and start from zero; siconos' solvers are the functions that its own "
        "Gauss-Seidel calls, with\n"
        "their presets. The impulses are judged here: for Coulomb's law by the scale-free error "
        "of the natural map, for\n"
        "maximum dissipation, which is another law, by its certificate. Above 1e-4, or no "
        "number, is a failure. Rows:\n"
        "question, case, solver, ns, the worst error of the others, percent failed, and a "
        "remark. Exit 2: bad use.\n",
    .name = solver_at,
};

int main(int argc, char **argv) {
    usage_answer(&about, argc, argv);
    puts("# * another law, judged by its own certificate; siconos: presets");
    fflush(stdout);
    for (int c = 0; c < CLASSES; c++)
        for (int s = 0; s < SOLVERS; s++) {
            int state = 0;
            const pid_t child = fork();
            if (child == 0) {
                alarm(LIMIT);
                FILE *rows = fdopen(dup(STDOUT_FILENO), "w");
                if (!rows || !freopen("/dev/null", "w", stdout) ||
                    !freopen("/dev/null", "w", stderr))
                    _exit(1);
                print_row(rows, &classes[c], &solvers[s]);
                fclose(rows);
                _exit(0);
            }
            if (child < 0 || waitpid(child, &state, 0) != child || state != 0)
                printf("one contact\t%s\t%s\t\t\t100\t%s\n", classes[c].name, solvers[s].name,
                       WIFSIGNALED(state) && WTERMSIG(state) == SIGALRM ? "timed out" : "crashed");
            fflush(stdout);
        }
    return 0;
}
