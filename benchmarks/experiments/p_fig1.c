/* p_fig1.c - Preclik, Eibl, Ruede (2017), Fig. 1, impact half, and eq. (3): every constraint is a
 * named residual of the certificate, and answers that break one constraint are caught by that
 * one. */
#include "benchmarks/experiments/academic.h"
#include "benchmarks/harness/report.h"
#include "base/worse.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *constraint, *formula, *law, *residual;
} constraints[] = {
    {"Signorini condition", "ξ̇+ ≥ 0, Λ_n ≥ 0", "coulomb, maxdiss", "signorini"},
    {"restitution hypothesis", "ξ̇+ Λ_n = 0; colliding: ξ̇+ = 0, separating: Λ = 0",
     "coulomb, maxdiss", "restitution"},
    {"friction cone condition", "|Λ_to| ≤ μ Λ_n", "coulomb, maxdiss", "cone"},
    {"frictional reaction opposes slip", "|δv+_to| Λ_to = -μ Λ_n δv+_to", "coulomb", "slip"},
    {"pressure condition (3d)", "n'AΛ ≥ 0", "maxdiss", "pressure"},
    {"least energy (3)", "no feasible direction descends", "maxdiss", "stationarity"},
};

/* An answer, the law it is held against, and the residuals that must catch it: NULL when it is
 * right. */
typedef struct trial {
    const char *name;
    one_contact contact;
    double p[3];
    const imp_law *law;
    const char *broken;
} trial;

/* The certificate of a trial, also written as a row of the table. */
static imp_certificate certify(const trial *t, report_rows *table) {
    static const char *const order[] = {"signorini", "restitution", "cone",
                                        "slip",      "pressure",    "stationarity"};
    const imp_certificate c = one_certify(&t->contact, 0, t->law, t->p);
    imp_cell cells[8] = {IMP_TEXT(t->name), IMP_TEXT(t->law->name)};
    for (int i = 0; i < 6; i++)
        cells[2 + i] = IMP_NUMBER(imp_certificate_residual(&c, order[i]));
    report_fields(table, 8, cells);
    return c;
}

/* A right answer passes every residual; a wrong one is caught by the constraint it breaks, and by
 * no other. */
static void judge(report *r, const trial *t, report_rows *table) {
    const imp_certificate c = certify(t, table);
    const char *quantity = report_text(r, "%s, law %s", t->name, t->law->name);
    if (!t->broken) {
        report_judge(r, OWN_BOUND, quantity, "no constraint broken",
                     report_text(r, "worst residual %.2g", c.worst), "1e-13",
                     c.count > 0 && c.worst <= 1e-13, NULL);
        return;
    }
    double others = 0;
    for (int i = 0; i < c.count; i++)
        if (strcmp(c.residual[i].name, t->broken) != 0)
            others = imp_worse(others, c.residual[i].value);
    const double caught = imp_certificate_residual(&c, t->broken);
    report_judge(r, OWN_BOUND, quantity, report_text(r, "breaks %s alone", t->broken),
                 report_text(r, "%s %.2g, others %.2g", t->broken, caught, others),
                 "> 1e-3, others 1e-13", caught > 1e-3 && others <= 1e-13, NULL);
}

/* Coulomb solution of a contact, most dissipative first; NaN where there is none. */
static void coulomb(const one_contact *c, int index, double p[3]) {
    imp_coulomb_set set;
    const imp_status status = imp_coulomb_enumerate(c->W, c->q, c->mu, &set);
    for (int i = 0; i < 3; i++)
        p[i] = status == IMP_OK && index < set.count ? set.solution[index].p[i] : NAN;
}

static void maxdiss(const one_contact *c, double p[3]) {
    if (imp_maxdiss(c->W, c->q, c->mu, 0, p, NULL) != IMP_OK) p[0] = p[1] = p[2] = NAN;
}

static trial make(const char *name, const one_contact *c, const imp_law *law, const char *broken) {
    return (trial){.name = name, .contact = *c, .law = law, .broken = broken};
}

static void right_answers(report *r, report_rows *table, const one_contact *c) {
    static const char *const names[] = {"x3", "x2", "x1"};
    for (int i = 0; i < 3; i++) {
        trial t = make(names[i], c, &imp_law_coulomb, NULL);
        coulomb(c, i, t.p);
        judge(r, &t, table);
    }
    trial t = make("x*", c, &imp_law_maxdiss, NULL);
    maxdiss(c, t.p);
    judge(r, &t, table);
}

static void wrong_answers(report *r, report_rows *table, const one_contact *c) {
    trial t = make("no impulse at all", c, &imp_law_coulomb, "signorini");
    judge(r, &t, table);

    one_contact faster = *c; /* an answer to a harder blow leaves with u_n > 0 here */
    faster.q[0] *= 1.5;
    t = make("an impulse that bounces", c, &imp_law_coulomb, "restitution");
    coulomb(&faster, 0, t.p);
    judge(r, &t, table);

    t = make("the sticking impulse, outside the cone", c, &imp_law_coulomb, "cone");
    one_stick(c->W, c->q, t.p);
    judge(r, &t, table);

    t = make("x*", c, &imp_law_coulomb, "slip");
    maxdiss(c, t.p);
    judge(r, &t, table);

    t = make("x3", c, &imp_law_maxdiss, "stationarity");
    coulomb(c, 0, t.p);
    judge(r, &t, table);

    t = make("the sticking impulse, outside the cone", c, &imp_law_maxdiss, "cone");
    one_stick(c->W, c->q, t.p);
    judge(r, &t, table);
}

/* A separating contact jammed by friction: Coulomb's law admits it, the pressure condition (3d)
 * does not. */
static void jam(report *r, report_rows *table) {
    one_contact c = {.W = {1, 0.9, 0, 1, 0, 1}, .q = {0.1, 1, 0}, .mu = 5};
    trial t = make("jam of a separating contact", &c, &imp_law_coulomb, NULL);
    one_stick(c.W, c.q, t.p);
    judge(r, &t, table);
    t.law = &imp_law_maxdiss;
    const imp_certificate certificate = certify(&t, table);
    const double pressure = imp_certificate_residual(&certificate, "pressure"),
                 rest = imp_certificate_residual(&certificate, "restitution");
    report_judge(r, STATED_IN_SOURCE, "jam of a separating contact, law maxdiss", "breaks pressure",
                 report_text(r, "pressure %.2g, restitution %.2g", pressure, rest), "> 1e-3",
                 pressure > 1e-3 && rest > 1e-3,
                 "the paper: (3d) excludes non-zero solutions where the contact opens by itself");
}

static void run(report *r) {
    report_rows *list = report_table(r, "p_fig1_constraints", "constraint\tformula\tlaw\tresidual");
    for (size_t i = 0; i < sizeof constraints / sizeof *constraints; i++)
        report_cells(list, IMP_TEXT(constraints[i].constraint), IMP_TEXT(constraints[i].formula),
                     IMP_TEXT(constraints[i].law), IMP_TEXT(constraints[i].residual));
    report_show_table(
        r, "p_fig1_constraints",
        "The constraints of the impact half of Fig. 1 and of eq. (3), and the residual that "
        "measures each. "
        "The acceleration-level half belongs to resting contact and has no impulse to certify.");
    report_rows *table = report_table(
        r, "p_fig1",
        "answer\tlaw\tsignorini:2\trestitution:2\tcone:2\tslip:2\tpressure:2\tstationarity:2");
    const one_contact c = academic_contact(true, 3.7);
    right_answers(r, table, &c);
    wrong_answers(r, table, &c);
    jam(r, table);
    report_show_table(r, "p_fig1",
                      "Residuals (dimensionless, relative to the data) of right and deliberately "
                      "wrong answers to the "
                      "academic contact, in the orthonormal frame. An empty cell: the law has no "
                      "such constraint. "
                      "Rounding leaves about 1e-16.");
}

const experiment experiment_p_fig1 = {
    "P-Fig1", "The constraints, each a named residual",
    "A table of the constraints of contact and impact; no numbers. Here each impact constraint is "
    "a residual, and an "
    "answer built to break one constraint is caught by that one and no other.",
    run};
