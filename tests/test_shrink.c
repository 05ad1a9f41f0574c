/* test_shrink.c - what campaigns make of a problem with a fault: smaller, with the same fault. */
#include "campaign/campaign.h"
#include "generators/gen.h"
#include "impact.h"
#include "scratch.h"
#include "tap.h"

#include <jansson.h>

static const char wanted[] = "closes with much friction", other[] = "closes";

/* The last problem posed that had the fault. */
static struct {
    int nc;
    double W[9], q[3], mu, e;
    long posed;
} last;

static const char *row(int k) {
    return k == 0 ? "row" : NULL;
}

static void pose(campaign_lot *lot, uint64_t first, long count) {
    (void)lot, (void)first, (void)count;
}

/* A fault of any contact that closes, another one where its mu is above 1/2. */
static void again(campaign_lot *lot, int at, const imp_problem *problem, const imp_model *model) {
    bool much = false, closes = false;
    for (int i = 0; i < problem->nc; i++) {
        const bool closing = problem->q[3 * i] < 0;
        closes = closes || closing;
        much = much || (closing && problem->mu[i] > 0.5);
    }
    last.posed++;
    if (closes) campaign_fault(lot, at, problem, model, much ? wanted : other);
    if (!much) return;
    last.nc = problem->nc;
    problem->W->kind->block(problem->W, 0, 0, last.W);
    memcpy(last.q, problem->q, sizeof last.q);
    last.mu = problem->mu[0];
    last.e = problem->e ? problem->e[0] : 0;
}

static const campaign_column columns[] = {{"problems", false}, {"faults", false}, {NULL, false}};
static const campaign_inquiry toy = {"toy", "a toy", row, columns, 1, 1, pose, again};

/* Eight contacts; those of which a bit is set in `much` have the fault. */
static bool shrink(unsigned much, const char *what, const char *path) {
    gen_many g = gen_bodies(4, GEN_MOST_CONTACTS);
    double e[GEN_MOST_CONTACTS];
    const imp_operator W = imp_operator_dense(g.nc, g.W);
    const imp_problem problem = {.nc = g.nc, .W = &W, .q = g.q, .mu = g.mu, .e = e};
    const campaign_lot lot = {.inquiry = &toy};
    for (int i = 0; i < g.nc; i++) {
        g.q[3 * i] = -0.7 - 0.01 * i;
        g.mu[i] = much >> i & 1 ? 0.61 + 0.013 * i : 0.3;
        e[i] = 0.1 * i;
    }
    return campaign_shrink(&lot, 0, &problem, NULL, what, path);
}

/* Has the number but one binary digit? */
static bool is_power(double x) {
    int exponent;
    return fabs(frexp(x, &exponent)) == 0.5;
}

static void test_smaller(void) {
    const char *path = scratch_path("small.json");
    ok(shrink(1u << 5, wanted, path), "a problem of eight contacts is made smaller");
    ok(last.nc == 1 && last.q[0] < 0 && last.mu > 0.5, "one contact is left, with the fault");
    ok(is_power(last.q[0]) && last.q[1] == 0 && last.q[2] == 0 && last.e == 0 &&
           last.mu == 0.625 + 0.125 * (last.mu > 0.7),
       "what the fault does not need is 0, the rest has few digits");
    ok(is_power(last.W[0]) && is_power(last.W[4]) && is_power(last.W[8]) && last.W[1] == 0 &&
           last.W[5] == 0 && last.W[0] <= 1 && last.W[0] > 1e-3,
       "W is of ordinary size, and diagonal");
    json_t *root = json_load_file(path, 0, NULL);
    const json_t *q = json_object_get(root, "q"), *mu = json_object_get(root, "mu");
    ok(json_integer_value(json_object_get(root, "n")) == 1 &&
           json_number_value(json_array_get(q, 0)) == last.q[0] &&
           json_number_value(json_array_get(mu, 0)) == last.mu,
       "the file holds the smallest that had it");
    json_decref(root);
    ok(last.posed < 4000, "after %ld tries", last.posed);
}

static void test_not_smaller(void) {
    const char *path = scratch_path("none.json");
    ok(!shrink(0, wanted, path) && access(path, F_OK) != 0,
       "without the fault, or with another one, nothing is written");
}

int main(void) {
    test_smaller();
    test_not_smaller();
    return tap_done();
}
