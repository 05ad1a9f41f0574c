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

/* What is made smaller. */
static gen_many whole;
static double bounce[GEN_MOST_CONTACTS];
static int first_drops, misplaced;

/* Does every contact still have what it had, when the first is gone? It is known by its mu. */
static bool in_place(const imp_problem *problem) {
    for (int i = 0; i < problem->nc; i++) {
        double block[9];
        int k = 0;
        while (k < whole.nc - 1 && whole.mu[k] != problem->mu[i])
            k++;
        problem->W->kind->block(problem->W, i, i, block);
        for (int r = 0; r < 3; r++)
            if (problem->q[3 * i + r] != whole.q[3 * k + r] ||
                block[3 * r] != whole.W[(3 * k + r) * 3 * whole.nc + 3 * k])
                return false;
        if ((problem->e ? problem->e[i] : 0) != bounce[k]) return false;
    }
    return true;
}

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
    if (problem->nc == whole.nc - 1 && first_drops++ == 0) misplaced = !in_place(problem);
    if (closes) campaign_fault(lot, at, problem, model, much ? wanted : other);
    if (!much) return;
    last.nc = problem->nc;
    problem->W->kind->block(problem->W, 0, 0, last.W);
    memcpy(last.q, problem->q, sizeof last.q);
    last.mu = problem->mu[0];
    last.e = problem->e ? problem->e[0] : 0;
}

static const campaign_column columns[] = {{"problems", false}, {"faults", false}, {NULL, false}};
static const campaign_inquiry toy = {.name = "toy",
                                     .about = "a toy",
                                     .row = row,
                                     .columns = columns,
                                     .lot = 1,
                                     .goal = 1,
                                     .pose = pose,
                                     .again = again};

/* Eight contacts; those of which a bit is set in `much` have the fault. */
static bool shrink(unsigned much, const char *what, const char *path) {
    whole = gen_bodies(4, GEN_MOST_CONTACTS);
    const imp_operator W = imp_operator_dense(whole.nc, whole.W);
    const imp_problem problem = {
        .nc = whole.nc, .W = &W, .q = whole.q, .mu = whole.mu, .e = bounce};
    const campaign_lot lot = {.inquiry = &toy};
    first_drops = 0;
    for (int i = 0; i < whole.nc; i++) {
        whole.q[3 * i] = -0.7 - 0.01 * i;
        whole.mu[i] = (much >> i & 1 ? 0.61 : 0.3) + 0.013 * i;
        bounce[i] = 0.1 * i;
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
    ok(first_drops > 0 && !misplaced, "without a contact the others keep their W, q, mu and e");
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
