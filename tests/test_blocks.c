/* test_blocks.c - block solvers: small random problems, invariances, warm starts, limits, the
 * collection. */
#include "benchmarks/harness/natural_error.h"
#include "generators/piles.h"
#include "collection.h"
#include "generators/gen.h"
#include "impact.h"

static const imp_blocks_settings fine = {
    .tolerance = 1e-10, .max_sweeps = 20000, .relaxation = 1, .parts = 1, .blend = 0.75};

static void test_random(void) {
    enum { COUNT = 3000 };
    int wrong = 0, unsolved = 0, sweeps_unsolved = 0;
    double worst = 0;
    for (uint64_t k = 0; k < COUNT; k++) {
        const gen_many g = gen_bodies(k, 2 + (int)(k % 7));
        const imp_operator W = imp_operator_dense(g.nc, g.W);
        const imp_problem problem = {.nc = g.nc, .W = &W, .q = g.q, .mu = g.mu};
        double p[3 * GEN_MOST_CONTACTS];
        imp_status status = imp_solve(&imp_model_auto, &problem, &fine, p, NULL);
        double error = natural_error_apart(&problem, p);
        unsolved += status != IMP_OK;
        wrong += status == IMP_OK && !(error <= 1.001e-10);
        if (status == IMP_OK) worst = fmax(worst, error);
        status = imp_solve(&imp_model_gauss_seidel_coulomb, &problem, &fine, p, NULL);
        error = natural_error_apart(&problem, p);
        sweeps_unsolved += status != IMP_OK;
        wrong += status == IMP_OK && !(error <= 1.001e-10);
    }
    ok(wrong == 0, "%d problems of 2 to 8 contacts: no wrong ok (worst error %.1e)", COUNT, worst);
    ok(unsolved <= COUNT / 500, "the automatic choice leaves %d unsolved, plain sweeps %d",
       unsolved, sweeps_unsolved);
}

/* The same physical problem with contacts shifted in order, frames turned about n, and other units:
 * new = T old. */
typedef struct changed {
    int n;
    double T[9 * GEN_MOST_CONTACTS * GEN_MOST_CONTACTS],
        W[9 * GEN_MOST_CONTACTS * GEN_MOST_CONTACTS];
    double q[3 * GEN_MOST_CONTACTS], mu[GEN_MOST_CONTACTS];
} changed;

static const double W_unit = 0x1p7, q_unit = 0x1p-9;

static void change(const gen_many *g, int shift, changed *c) {
    const int n = 3 * g->nc;
    memset(c, 0, sizeof *c);
    c->n = n;
    for (int i = 0; i < g->nc; i++) {
        const int j = (i + shift) % g->nc;
        double *block = c->T + (3 * j * n + 3 * i);
        block[0] = 1;
        block[n + 1] = block[2 * n + 2] = cos(0.3 + i);
        block[2 * n + 1] = sin(0.3 + i);
        block[n + 2] = -sin(0.3 + i);
        c->mu[j] = g->mu[i];
    }
    for (int a = 0; a < n; a++)
        for (int i = 0; i < n; i++) {
            c->q[a] += q_unit * c->T[a * n + i] * g->q[i];
            for (int b = 0; b <= a && c->T[a * n + i] != 0; b++)
                for (int j = 0; j < n; j++)
                    c->W[a * n + b] += W_unit * c->T[a * n + i] * g->W[i * n + j] * c->T[b * n + j];
        }
    for (int a = 0; a < n; a++)
        for (int b = 0; b < a; b++)
            c->W[b * n + a] = c->W[a * n + b];
}

/* x (n) <- scale T' y: back to the old coordinates. */
static void change_back(const changed *c, double scale, const double *y, double *x) {
    for (int i = 0; i < c->n; i++) {
        x[i] = 0;
        for (int a = 0; a < c->n; a++)
            x[i] += scale * c->T[a * c->n + i] * y[a];
    }
}

/* Frames and units leave the velocities alone. Another order may lead to another of several
 * answers: what it gives must be one of the problem in the old order. */
static void test_invariance(void) {
    double worst = 0, worst_error = 0;
    int bad = 0;
    for (uint64_t k = 0; k < 120; k++) {
        const gen_many g = gen_bodies(5000 + k, 2 + (int)(k % 5));
        const int shift = (int)(k % 2);
        const imp_operator W = imp_operator_dense(g.nc, g.W);
        const imp_problem problem = {.nc = g.nc, .W = &W, .q = g.q, .mu = g.mu};
        changed c;
        change(&g, shift, &c);
        const imp_operator V = imp_operator_dense(g.nc, c.W);
        const imp_problem other = {.nc = g.nc, .W = &V, .q = c.q, .mu = c.mu};
        double p[3 * GEN_MOST_CONTACTS], u[3 * GEN_MOST_CONTACTS], v[3 * GEN_MOST_CONTACTS],
            size = 0, off = 0;
        bad += imp_solve(&imp_model_auto, &problem, &fine, p, NULL) != IMP_OK;
        imp_operator_apply(&W, p, g.q, u);
        bad += imp_solve(&imp_model_auto, &other, &fine, v, NULL) != IMP_OK;
        change_back(&c, W_unit / q_unit, v, p);
        worst_error = fmax(worst_error, natural_error(&problem, p));
        imp_operator_apply(&W, p, g.q, v);
        for (int i = 0; i < c.n; i++) {
            size = fmax(size, fabs(g.q[i]));
            off = fmax(off, fabs(v[i] - u[i]));
        }
        if (shift == 0) worst = fmax(worst, off / size);
    }
    ok(bad == 0 && worst < 1e-7, "frames and units change the velocities by %.1e", worst);
    ok(worst_error < 1.1e-10, "an answer in another order is an answer (error %.1e)", worst_error);
}

static void test_bits(void) {
    const gen_many g = gen_bodies(77, 8);
    const imp_operator W = imp_operator_dense(g.nc, g.W);
    const imp_problem problem = {.nc = g.nc, .W = &W, .q = g.q, .mu = g.mu};
    double p[24], again[24];
    imp_solve(&imp_model_auto, &problem, NULL, p, NULL);
    imp_solve(&imp_model_auto, &problem, NULL, again, NULL);
    ok(memcmp(p, again, sizeof p) == 0, "the same bits from run to run");
    imp_blocks_report cold, warm;
    imp_info info = {0};
    memset(again, 0, sizeof again);
    imp_blocks_auto(&problem, &fine, again, &cold, &info);
    imp_blocks_settings from_guess = fine;
    from_guess.start = 1;
    imp_blocks_auto(&problem, &from_guess, again, &warm, &info);
    ok(warm.sweeps <= cold.sweeps && warm.sweeps <= 1,
       "a warm start from the answer is done at once");
}

static void test_limits(void) {
    const gen_many g = gen_bodies(78, 8);
    const imp_operator W = imp_operator_dense(g.nc, g.W);
    const imp_problem problem = {.nc = g.nc, .W = &W, .q = g.q, .mu = g.mu};
    const imp_blocks_settings hasty = {
        .tolerance = 1e-14, .max_sweeps = 1, .relaxation = 1, .parts = 1, .blend = 0.75};
    double p[24];
    imp_info info = {0};
    const imp_status status = imp_solve(&imp_model_auto, &problem, &hasty, p, &info);
    ok(status == IMP_NOT_CONVERGED && info.residual > 1e-14 &&
           natural_error(&problem, p) <= 1.001 * info.residual,
       "out of work: a status, the best iterate and its error");
    for (int k = 0; k < 2; k++) { /* in units in which one error, then the other is the larger */
        imp_blocks_settings both = hasty;
        double scaled[24 * 24], field, scale_free;
        both.stop = 2;
        for (int i = 0; i < 9 * g.nc * g.nc; i++)
            scaled[i] = ldexp(g.W[i], k == 0 ? 20 : -20);
        const imp_operator V = imp_operator_dense(g.nc, scaled);
        const imp_problem turned = {.nc = g.nc, .W = &V, .q = g.q, .mu = g.mu};
        imp_solve(&imp_model_auto, &turned, &both, p, &info);
        imp_natural_error(&turned, p, &field, &scale_free);
        ok((field < scale_free) == (k == 0) && fmax(field, scale_free) <= 1.001 * info.residual,
           "both errors count: %.1e, the field's %.1e and the scale-free %.1e", info.residual,
           field, scale_free);
    }
    imp_certificate certificate;
    imp_solve(&imp_model_gauss_seidel_maxdiss, &problem, NULL, p, NULL);
    imp_certify(&problem, &imp_law_maxdiss, NULL, p, NULL, &certificate);
    ok(certificate.residual[2].value < 1e-12, "maximum dissipation by sweeps keeps the cone");
}

/* p <- p + relaxation (local - p), of a contact that sticks. */
static void test_relaxation(double relaxation) {
    const imp_operator W = imp_operator_dense(1, (const double[]){2, 0, 0, 0, 2, 0, 0, 0, 2});
    const imp_problem problem = {
        .nc = 1, .W = &W, .q = (const double[]){-2, 1, 0}, .mu = (const double[]){5}};
    imp_blocks_settings s = fine;
    double p[3];
    s.relaxation = relaxation;
    s.max_sweeps = 1;
    (void)imp_solve(&imp_model_gauss_seidel_coulomb, &problem, &s, p, NULL);
    is_vec(p, (const double[]){relaxation, -relaxation / 2, 0}, 3, 1e-15, 0,
           "one sweep from rest goes %g of the way", relaxation);
    s.max_sweeps = 100;
    ok(imp_solve(&imp_model_gauss_seidel_coulomb, &problem, &s, p, NULL) == IMP_OK &&
           natural_error(&problem, p) <= 1.001e-10,
       "and more of them arrive");
}

/* A collection's file or a made one: both errors recomputed. */
static bool solves_to(double tolerance, double sweeps, const char *name, const imp_fclib *problem) {
    imp_fclib_posed posed;
    if (imp_fclib_pose(problem, &posed) != IMP_OK) return false;
    imp_blocks_settings settings = imp_blocks_presets;
    settings.tolerance = tolerance;
    settings.max_sweeps = sweeps;
    double *p = calloc(3 * (size_t)problem->nc + 1, sizeof *p), field, scale_free;
    imp_blocks_report report;
    imp_info info = {0};
    const imp_status status = imp_blocks_auto(&posed.problem, &settings, p, &report, &info);
    imp_natural_error(&posed.problem, p, &field, &scale_free);
    const double error = natural_error(&posed.problem, p);
    const bool good = status == IMP_OK && fmax(error, field) <= 1.001 * tolerance &&
                      fabs(scale_free - error) < 1e-6 * error + 1e-12;
    if (!good) note("%s: %s, %.1e", name, imp_status_text(status), error);
    free(p);
    imp_fclib_posed_clear(&posed);
    return good;
}

static bool solves(const char *name, const imp_fclib *problem) {
    return solves_to(1e-4, 20000, name, problem);
}

/* Cancelled before it begins: what the first sweeps gave, said to be unfinished. Not cancelled: as
 * without. */
static void test_cancel(void) {
    enum { MODELS = 3 };
    const imp_model *const models[MODELS] = {&imp_model_auto, &imp_model_gauss_seidel_coulomb,
                                             &imp_model_gauss_seidel_maxdiss};
    const gen_many g = gen_bodies(77, 6);
    const imp_operator W = imp_operator_dense(g.nc, g.W);
    const imp_problem problem = {.nc = g.nc, .W = &W, .q = g.q, .mu = g.mu};
    double plain[3 * GEN_MOST_CONTACTS], asked[3 * GEN_MOST_CONTACTS], cut[3 * GEN_MOST_CONTACTS];
    for (int m = 0; m < MODELS; m++) {
        volatile int now = 1, never = 0;
        imp_info cut_info = {0};
        const imp_status first = imp_solve(models[m], &problem, &fine, plain, NULL);
        const imp_status second =
            imp_solve_until(&never, models[m], &problem, &fine, asked, NULL, NULL, NULL);
        const imp_status third =
            imp_solve_until(&now, models[m], &problem, &fine, cut, NULL, NULL, &cut_info);
        bool finite = true;
        for (int i = 0; i < 3 * g.nc; i++)
            finite = finite && isfinite(cut[i]);
        ok(first == IMP_OK && second == IMP_OK &&
               memcmp(plain, asked, 3 * (size_t)g.nc * sizeof *plain) == 0,
           "%s: a solve that may be cancelled and is not", models[m]->name);
        ok(third == IMP_NOT_CONVERGED && finite && cut_info.iterations <= 8,
           "%s: cancelled after %d sweeps", models[m]->name, cut_info.iterations);
    }
}

/* Towers and a jammed box: impulses a thousand times q / W, whose rounding Newton's steps must see
 * for what it is. */
static void test_large_impulses(void) {
    static const struct {
        pile_kind kind;
        int seed, contacts;
    } cases[] = {{PILE_TABLES, 4, 300}, {PILE_TABLES, 3, 600}, {PILE_BOX, 2, 150}};
    for (int k = 0; k < 3; k++) {
        imp_fclib problem;
        const bool made = pile_make(cases[k].kind, (uint64_t)cases[k].seed, cases[k].contacts,
                                    &problem) == IMP_OK;
        ok(made && solves_to(1e-8, 60000, problem.title, &problem), "%s to 1e-8",
           made ? problem.title : "no memory");
        if (made) imp_fclib_clear(&problem);
    }
}

static void test_collection(void) {
    static const char *const without[] = {"pack", "12x16", NULL};
    int bad;
    const int files = collection_each(without, solves, &bad);
    if (files < 0)
        skip("no collection of FCLIB problems here (IMPACT_DATA)");
    else
        ok(files > 30 && bad == 0, "%d files of the collection solved to 1e-4, both errors", files);
}

/* Units of mass, length and time 1e-6 to 1e6 times as large: the same status and velocities. */
static void test_units(void) {
    int differing = 0, most_differing = 0, asked = 0;
    double worst = 0;
    for (uint64_t k = 0; k < 60; k++) {
        const gen_many g = gen_bodies(7000 + k, 2 + (int)(k % 5));
        imp_blocks_settings s = fine;
        s.tolerance = 1e-9;
        s.max_sweeps = k % 3 ? 20000 : 4; /* some run out of work */
        imp_status first = IMP_OK;
        double u0[3 * GEN_MOST_CONTACTS];
        for (int unit = 0; unit < 5; unit++) {
            static const double of_W[5] = {1, 1e-6, 1e6, 1, 1}, of_q[5] = {1, 1, 1, 1e-6, 1e6};
            double W[9 * GEN_MOST_CONTACTS * GEN_MOST_CONTACTS], q[3 * GEN_MOST_CONTACTS],
                p[3 * GEN_MOST_CONTACTS], u[3 * GEN_MOST_CONTACTS], size = 0;
            for (int i = 0; i < 9 * g.nc * g.nc; i++)
                W[i] = of_W[unit] * g.W[i];
            for (int i = 0; i < 3 * g.nc; i++) {
                q[i] = of_q[unit] * g.q[i];
                size = fmax(size, fabs(g.q[i]));
            }
            imp_operator dense = imp_operator_dense(g.nc, W);
            const imp_problem problem = {.nc = g.nc, .W = &dense, .q = q, .mu = g.mu};
            const imp_status status = imp_solve(&imp_model_auto, &problem, &s, p, NULL);
            imp_operator_apply(&dense, p, q, u);
            if (unit == 0) {
                first = status;
                memcpy(u0, u, sizeof u);
            }
            differing += status != first;
            for (int i = 0; i < 3 * g.nc && status == IMP_OK; i++)
                worst = fmax(worst, fabs(u[i] / of_q[unit] - u0[i]) / size);
            imp_blocks_settings both = s;
            both.stop = IMP_STOP_BOTH;
            double field, scale_free;
            if (imp_solve(&imp_model_auto, &problem, &both, p, NULL) == IMP_OK) {
                imp_natural_error(&problem, p, &field, &scale_free);
                most_differing += !(fmax(field, scale_free) <= 1.001e-9);
                asked++;
            }
        }
    }
    ok(differing == 0 && worst < 1e-7,
       "units from 1e-6 to 1e6: the same status, velocities within %.1e", worst);
    ok(asked > 150 && most_differing == 0,
       "where both errors are asked for, both are kept (%d problems)", asked);
}

/* Tangents that one direction moves together, the steeper either of the two: the least friction
 * that stops the slip, along that direction. */
static void test_one_tangent(void) {
    for (int swap = 0; swap < 2; swap++) {
        const double a = swap ? 2 : 1, b = swap ? 1 : 2, q[6] = {-1, 0.1 * a, 0.1 * b, -1, 0, 0};
        double W[36] = {0}, p[6] = {0};
        for (int k = 0; k < 6; k++)
            W[7 * k] = k == 1 ? a * a : k == 2 ? b * b : 1;
        W[8] = W[13] = a * b;
        /* slip 0.1 (a, b) */
        const double mu[2] = {1, 1}, want[6] = {1, -0.1 * a / 5, -0.1 * b / 5, 1, 0, 0};
        const imp_operator op = imp_operator_dense(2, W);
        const imp_problem problem = {.nc = 2, .W = &op, .q = q, .mu = mu};
        const imp_status status =
            imp_solve(&imp_model_gauss_seidel_coulomb, &problem, NULL, p, NULL);
        ok(status == IMP_OK, "solved");
        is_vec(p, want, 6, 1e-12, 0, "both tangents stick");
    }
}

/* A guess whose friction is next to nothing beside its slip takes no more sweeps than without. */
static void test_faint_friction(void) {
    double W[36] = {0};
    for (int i = 0; i < 6; i++)
        W[7 * i] = 1;
    W[3] = W[18] = 0.3;
    W[10] = W[25] = 0.2;
    const double q[6] = {-1, 1, 0.5, -1, 0.8, -0.3}, mu[2] = {0.3, 0.4};
    const double faint[] = {0, -1e-3, -1e-140, -1e-155, -1e-160, -3e-162, -1e-170};
    const imp_operator op = imp_operator_dense(2, W);
    const imp_problem problem = {.nc = 2, .W = &op, .q = q, .mu = mu};
    imp_blocks_settings settings = imp_blocks_presets;
    settings.start = 1;
    for (size_t k = 0; k < sizeof faint / sizeof *faint; k++) {
        double p[6] = {1, faint[k], 0, 1, faint[k], 0};
        imp_info info = {0};
        const imp_status status =
            imp_solve(&imp_model_gauss_seidel_coulomb, &problem, &settings, p, &info);
        ok(status == IMP_OK && info.iterations < 20, "a guess with friction of %g N s: %d sweeps",
           faint[k], info.iterations);
    }
}

/* A lone contact whose axes are scaled by `decades` up or down, and its velocities with them: as
 * good as before. Where velocities are not, they are sums of terms far beyond them. */
static void test_unlike_axes(double decades, bool velocities_too, int most) {
    enum { COUNT = 2000, MODELS = 3 };
    static const imp_model *const models[MODELS] = {
        &imp_model_auto, &imp_model_gauss_seidel_coulomb, &imp_model_gauss_seidel_maxdiss};
    int unsolved[MODELS] = {0};
    for (uint64_t k = 0; k < COUNT; k++) {
        gen_stream s = gen_seed(2119, k);
        const gen_problem g = gen_spd(k, 2, gen_uniform(&s, 0.05, 1));
        double W[9], q[3], p[3], scale[3];
        gen_dense dense;
        gen_dense_of(&g, &dense);
        for (int r = 0; r < 3; r++) {
            scale[r] = pow(10, decades * (floor(gen_uniform(&s, 0, 3)) - 1));
            q[r] = (velocities_too ? scale[r] : 1) * g.q[r];
        }
        for (int i = 0; i < 9; i++)
            W[i] = scale[i / 3] * dense.W[i] * scale[i % 3];
        const imp_operator op = imp_operator_dense(1, W);
        const imp_problem problem = {.nc = 1, .W = &op, .q = q, .mu = &g.mu};
        for (int m = 0; m < MODELS; m++)
            unsolved[m] += imp_solve(models[m], &problem, NULL, p, NULL) != IMP_OK;
    }
    ok(unsolved[0] + unsolved[1] + unsolved[2] <= most,
       "axes scaled by 1e+-%g, velocities %s: auto leaves %d of %d, Gauss-Seidel %d, its maxdiss "
       "%d",
       decades, velocities_too ? "too" : "not", unsolved[0], COUNT, unsolved[1], unsolved[2]);
}

int main(void) {
    test_one_tangent();
    test_unlike_axes(3, true, 5);
    test_unlike_axes(5, true, 150);
    test_unlike_axes(3, false, 150);
    test_faint_friction();
    test_random();
    test_invariance();
    test_bits();
    test_limits();
    test_relaxation(0.5);
    test_relaxation(1.5);
    test_units();
    test_cancel();
    test_large_impulses();
    test_collection();
    return tap_done();
}
