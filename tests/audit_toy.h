/* audit_toy.h - a solver that is right but for what is planted, audited. */
#ifndef AUDIT_TOY_H
#define AUDIT_TOY_H

#include "audit/audit.h"
#include "audit/words.h"
#include "class_of.h"
#include "impact.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct answered {
    const imp_problem *problem;
    double *p; /* (3nc) N s */
} answered;

static void (*planted)(const answered *a);

/* What is done to the problem before it is solved. */
typedef struct misread {
    double mu, power, e, twice; /* mu <- mu_ mu^power, e <- e_ e + twice e^2, 1 at most */
    enum { WHOLE, BLOCKS, DIAGONAL, MORE, MORE_BY_ENTRY, MORE_BY_MEAN, MORE_ALONG_NORMALS } W;
} misread;

static const misread as_is = {1, 1, 1, 0, WHOLE};
static misread reading;
static double softness;          /* what W has more on its diagonal: 1/kg, or a share */
static const imp_model *solving; /* also whose law it is */

/* The diagonal blocks, the diagonal, or W (n x n) with more on that. */
static void misread_operator(int n, double *W) {
    double mean = 0;
    for (int i = 0; i < n; i++)
        mean += W[i * n + i] / n;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            if ((reading.W == BLOCKS && i / 3 != j / 3) || (reading.W == DIAGONAL && i != j))
                W[i * n + j] = 0;
        if (reading.W == MORE || (reading.W == MORE_ALONG_NORMALS && i % 3 == 0))
            W[i * n + i] += softness;
        if (reading.W == MORE_BY_ENTRY) W[i * n + i] *= 1 + softness;
        if (reading.W == MORE_BY_MEAN) W[i * n + i] += softness * mean;
    }
}

static imp_status toy(const imp_problem *problem, const void *settings, double *p, void *work,
                      imp_info *info) {
    double mu[8], e[8], W[24 * 24];
    imp_problem read = *problem;
    (void)settings, (void)work, (void)info;
    if (problem->nc > 8) return IMP_UNSUPPORTED;
    for (int i = 0; i < problem->nc; i++) {
        const double own = problem->e ? problem->e[i] : 0;
        mu[i] = reading.mu * pow(problem->mu[i], reading.power);
        e[i] = fmin(reading.e * own + reading.twice * own * own, 1);
    }
    imp_problem_dense(problem, W);
    misread_operator(3 * problem->nc, W);
    const imp_operator misread_W = imp_operator_dense(problem->nc, W);
    if (reading.W != WHOLE) read.W = &misread_W;
    read.mu = mu;
    read.e = e;
    const imp_status status = imp_solve(solving, &read, NULL, p, NULL);
    const answered a = {problem, p};
    if (status == IMP_OK && planted) planted(&a);
    return status;
}

static imp_model model;

static audit_solver solver_of(const imp_model *of) {
    model = (imp_model){.name = "toy",
                        .law = of->law,
                        .takes = IMP_TAKES_MANY | IMP_TAKES_RESTITUTION,
                        .solve = toy};
    audit_solver solver = {.model = &model, .outside = true, .tolerance = 1e-8};
    imp_model_presets(of, &solver.settings);
    return solver;
}

static long problems = 20; /* of a class */

static audit_row run(const char *first, const char *second) {
    const fresh_class *classes[] = {class_of(first), class_of(second), NULL};
    const audit_terms terms = {
        .solver = solver_of(solving), .classes = classes, .seed = 3, .count = problems};
    audit_report report;
    if (audit_run(&terms, &report) != IMP_OK) exit(1);
    const audit_row row = report.row[report.rows - 1];
    audit_clear(&report);
    return row;
}

static char *words_of(const audit_row *row) {
    char *text = audit_text(audit_write_faults, row);
    if (!text) exit(1);
    return text;
}

#endif
