/* audit_blocks.c - is "ok" true? Random small problems through the block solvers, errors from the
 * definition. */
#include "benchmarks/harness/usage.h"
#include "benchmarks/harness/natural_error.h"
#include "generators/gen.h"
#include "impact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 3 * GEN_MOST_CONTACTS };

static const double tolerance = 1e-10;

/* With restitution: approach relative to |q|, as the tolerance is; cone to the largest impulse;
 * energy to the sum of its terms. */
static double bounce_error(const gen_many *g, const double *p) {
    const int n = 3 * g->nc;
    double worst = 0, energy = 0, stake = 0, push = 0, speed = 0;
    for (int i = 0; i < n; i++) {
        push = fmax(push, fabs(p[i]));
        speed = hypot(speed, g->q[i]);
    }
    for (int i = 0; i < n; i++) {
        double Wp = 0, size = fabs(g->q[i]);
        for (int j = 0; j < n; j++) {
            Wp += g->W[i * n + j] * p[j];
            size += fabs(g->W[i * n + j] * p[j]);
        }
        energy += p[i] * (0.5 * Wp + g->q[i]);
        stake += fabs(p[i]) * size;
        if (i % 3 == 0) worst = fmax(worst, -(Wp + g->q[i]) / speed);
        if (i % 3 == 0 && push > 0)
            worst = fmax(worst, (hypot(p[i + 1], p[i + 2]) - g->mu[i / 3] * p[i]) /
                                    (push * fmax(1, g->mu[i / 3])));
    }
    return stake > 0 ? fmax(worst, energy / stake) : worst;
}

static const usage about = {
    .program = "audit_blocks",
    .arguments = "[COUNT]",
    .most = 1,
    .text =
        "Solves COUNT (100000) random problems of 2 to 8 contacts, e = 0 and a random e for "
        "each contact in turn, by auto\n"
        "and gauss-seidel-coulomb. An ok is wrong when the natural-map error recomputed here is "
        "above the tolerance\n"
        "(e = 0), or when a contact approaches, leaves its cone or energy is gained (e > 0). "
        "One line of totals.\n"
        "Exit 0: no wrong ok; 1: some, the first dumped as audit-blocks-*.json; 2: bad use.\n",
};

int main(int argc, char **argv) {
    static const imp_model *const models[] = {&imp_model_auto, &imp_model_gauss_seidel_coulomb};
    usage_answer(&about, argc, argv);
    const double count = argc > 1 ? usage_whole(&about, "COUNT", argv[1], 1, 1e15) : 100000;
    int wrong = 0, unsolved[2] = {0}, tried = 0;
    double worst[2] = {0};
    for (uint64_t k = 0; k < (uint64_t)count; k++) {
        const gen_many g = gen_bodies(1000000 + k, 2 + (int)(k % 7));
        gen_stream s = gen_seed(911, k);
        double e[GEN_MOST_CONTACTS], p[ROWS];
        for (int i = 0; i < g.nc; i++)
            e[i] = k % 2 ? gen_uniform(&s, 0, 1) : 0;
        const imp_operator W = imp_operator_dense(g.nc, g.W);
        const imp_problem problem = {.nc = g.nc, .W = &W, .q = g.q, .mu = g.mu, .e = e};
        imp_blocks_settings settings = imp_blocks_presets;
        settings.tolerance = tolerance;
        settings.max_sweeps = 20000;
        for (int m = 0; m < 2; m++, tried++) {
            const imp_status status = imp_solve(models[m], &problem, &settings, p, NULL);
            if (status != IMP_OK) {
                unsolved[m]++;
                continue;
            }
            const double error = k % 2 ? bounce_error(&g, p) : natural_error(&problem, p);
            worst[k % 2] = fmax(worst[k % 2], error);
            if (error <= (k % 2 ? 1e-8 : 1.001 * tolerance)) continue;
            if (wrong++ == 0) {
                char path[80];
                snprintf(path, sizeof path, "audit-blocks-%s-%d.json", models[m]->name, (int)k);
                (void)imp_problem_dump(path, NULL, &problem, models[m], &settings, NULL);
                fprintf(stderr, "wrong ok, error %.1e: %s\n", error, path);
            }
        }
    }
    printf("%d solves: %d wrong ok; worst error %.1e (e = 0), %.1e (e > 0); unsolved: auto %d, "
           "gauss-seidel-coulomb %d\n",
           tried, wrong, worst[0], worst[1], unsolved[0], unsolved[1]);
    return wrong > 0;
}
