/* laws.c - what two forms of a problem (forms.h) must have to do with each other, for every model
 * for which it holds: a right answer to one is a right answer to the other, and where there is but
 * one the same. */
#include "campaign/campaign.h"
#include "campaign/forms.h"

#include "audit/solutions.h"
#include "impact.h"

#include <math.h>

enum { UNASKED = CAMPAIGN_OWN, LOST, ANOTHER, APART, RESIDUAL };

static const campaign_column columns[] = {
    {"problems", false}, {"faults", false},
    {"unasked", false}, /* the law does not hold, or the problem has no such form or no answer */
    {"lost", false},    /* said failed in the other form */
    {"another", false}, /* another answer, as right; of one contact there is no other */
    {"apart", true},    /* velocities, in the norm of the masses, of answers that are the same */
    {"residual", true}, /* of the answer to the other form, here */
    {NULL, false}};

/* Residuals of several contacts are those of iterations; they are energies, of which the distance
 * in the norm of the masses is the root. */
static const double residual = 1e-6, distance = 1e-4;

static const char *row(int k) {
    return k == 0 ? "bodies" : form_laws[k - 1].name;
}

static int rows(void) {
    int n = 1;
    while (row(n))
        n++;
    return n;
}

/* p: the model's answer to the problem; other: what the other form says that it is. */
static const char *compare(campaign_lot *lot, int row, const imp_model *model,
                           const imp_problem *problem, const double *p, const double *other,
                           bool lawful) {
    imp_certificate c = {.worst = INFINITY};
    double apart;
    if (imp_certify(problem, model->law, NULL, other, NULL, &c) != IMP_OK)
        return "cannot be judged";
    campaign_worst(lot, row, RESIDUAL, c.worst);
    if (lawful && !(c.worst <= residual)) return "in another form, a wrong answer";
    if (audit_apart(problem, p, other, &apart) != IMP_OK) return "no memory for the distance";
    if (apart <= distance) {
        campaign_worst(lot, row, APART, apart);
        return NULL;
    }
    campaign_count(lot, row, ANOTHER, true);
    return audit_is_only(model->law, problem, p) ? "in another form, another answer" : NULL;
}

static bool equal(const double *p, const double *other, int n) {
    for (int k = 0; k < n; k++)
        if (p[k] != other[k]) return false;
    return true;
}

static bool answers(const imp_model *model, const imp_problem *problem, double *p) {
    return imp_solve(model, problem, NULL, p, NULL) == IMP_OK;
}

/* Both forms put to the model (or b to the second one). */
static void put_forms(campaign_lot *lot, int row, const imp_model *model, const imp_model *second,
                      const form *a, const form *b, const form_law *law) {
    double p[FORM_ROWS], of_b[FORM_ROWS] = {0}, other[FORM_ROWS];
    const bool asked = answers(model, &a->problem, p);
    campaign_count(lot, row, UNASKED, !asked);
    if (!asked) return;
    if (second && !answers(second, &b->problem, of_b)) {
        campaign_count(lot, row, LOST, true);
        return;
    }
    law->read(a, b, of_b, other);
    /* several contacts are held to the fastest of three axes, a lone one to each of its own */
    const bool lawful = law->lawful && (a->nc > 1 || b->nc == 1);
    campaign_answer(lot, other, 3 * a->nc, 1);
    const char *wrong = law->exact && law->exact(model)
                            ? equal(p, other, 3 * a->nc) ? NULL : "beside another, other bits"
                            : compare(lot, row, model, &a->problem, p, other, lawful);
    if (wrong) campaign_fault(lot, row, &a->problem, model, wrong);
}

/* The law of this row on a problem. */
static void put(campaign_lot *lot, int row, const imp_model *model, const imp_problem *problem) {
    static form a, b;
    const form_law *law = &form_laws[row - 1];
    const imp_model *second = model;
    if (law->holds(model, problem->nc) && law->make(problem, lot->at, &a, &b, &second))
        put_forms(lot, row, model, second, &a, &b, law);
    else
        campaign_count(lot, row, UNASKED, true);
}

static void put_bodies(campaign_lot *lot, const imp_model *model, uint64_t number, uint64_t index) {
    static form a, b;
    static const form_law *const one_form = &form_laws[2]; /* read as they are */
    if (!(model->takes & IMP_TAKES_MANY) || model->takes & IMP_ONLY_FRICTIONLESS) {
        campaign_count(lot, 0, UNASKED, true);
        return;
    }
    if (form_bodies(index, 1 + (int)(number % GEN_MOST_CONTACTS), &a, &b))
        put_forms(lot, 0, model, model, &a, &b, one_form);
    else
        campaign_fault(lot, 0, &a.problem, model, "with other bodies, another W or q");
}

/* Problem n: row n modulo their number, then the model, then one contact or several. */
static void one(campaign_lot *lot, uint64_t number) {
    const uint64_t models = campaign_models();
    const int row = (int)(number % (uint64_t)rows());
    const uint64_t rest = number / (uint64_t)rows(), index = rest / models;
    const imp_model *model = imp_models[rest % models];
    campaign_begin(lot, row, number);
    if (row == 0) {
        put_bodies(lot, model, number, index);
        return;
    }
    const bool many = (model->takes & IMP_TAKES_MANY) && index % 2;
    const situation s = (many ? situation_many : situation_one)(model, index / 2);
    imp_operator W;
    const imp_problem problem = situation_problem(&s, &W);
    put(lot, row, model, &problem);
}

static void again(campaign_lot *lot, int row, const imp_problem *problem, const imp_model *model) {
    if (row > 0) put(lot, row, model, problem);
}

const campaign_inquiry campaign_laws = {
    .name = "laws",
    .about = "every model, forms of a problem: other bodies, a contact twice, problems joined, mu "
             "and e at their limits",
    .row = row,
    .columns = columns,
    .lot = 2000,
    .goal = 1e7,
    .one = one,
    .again = again};
