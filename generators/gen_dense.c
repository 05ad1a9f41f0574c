/* gen_dense.c - a generated one-contact problem in the library's form, and as a row of the
 * program's table format. */
#include "gen.h"

#include <math.h>
#include <string.h>

void gen_dense_of(const gen_problem *p, gen_dense *dense) {
    const double *w = p->W, full[9] = {w[0], w[1], w[2], w[1], w[3], w[4], w[2], w[4], w[5]};
    memcpy(dense->W, full, sizeof full);
    dense->op = imp_operator_dense(1, dense->W);
    dense->problem = (imp_problem){.nc = 1, .W = &dense->op, .q = p->q, .mu = &p->mu, .e = &p->e};
}

gen_problem gen_single(const imp_problem *problem) {
    gen_problem g = {.mu = problem->mu[0], .e = problem->e ? problem->e[0] : 0};
    imp_operator_packed(problem->W, 0, g.W);
    memcpy(g.q, problem->q, sizeof g.q);
    return g;
}

double gen_residual(const gen_problem *g, const imp_law *law, const double p[3]) {
    gen_dense dense;
    imp_certificate c;
    gen_dense_of(g, &dense);
    return imp_certify(&dense.problem, law, NULL, p, NULL, &c) == IMP_OK ? c.worst : INFINITY;
}

double gen_residual_of_terms(const gen_problem *g, const imp_law *law, const double p[3]) {
    gen_dense dense;
    imp_certificate c;
    double worst = 0;
    gen_dense_of(g, &dense);
    if (imp_certify(&dense.problem, law, NULL, p, NULL, &c) != IMP_OK) return INFINITY;
    for (int k = 0; k < c.count; k++)
        if (strcmp(c.residual[k].name, "cancellation") != 0)
            worst = fmax(worst, c.residual[k].value);
    return worst;
}

void gen_print_row(FILE *to, const char *id, const gen_problem *p) {
    fprintf(to, "%s\t%.17g", id, p->mu);
    for (int i = 0; i < 6; i++)
        fprintf(to, "\t%.17g", p->W[i]);
    fprintf(to, "\t%.17g\t%.17g\t%.17g\t%.17g\n", p->q[0], p->q[1], p->q[2], p->e);
}
