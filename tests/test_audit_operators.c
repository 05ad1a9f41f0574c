/* Mistakes of W by name: a solver that takes only its diagonal, or softens it, is named by that, at
 * every strength, and by how much. */
#include "audit/operators.h"
#include "audit_toy.h"

static const char *const singles[] = {"sphere", "free-box-5", "six-point"}, *const several[] = {
                                                                                "bodies", "loose",
                                                                                "redundant"};

/* Is nearly all that is wrong, but for what is inexact, named by this fault, and by no other? */
static void is_read(const char *what, audit_fault fault, const audit_row *row, double by) {
    const long all = row->fault[AUDIT_FALSELY], named = row->fault[fault],
               rough = row->fault[AUDIT_ROUGH];
    char *words = words_of(row);
    ok(all >= 5 && 2 * named > all && 20 * (named + rough) >= 19 * all &&
           named + rough + row->fault[AUDIT_OTHER] == all,
       "%s, %g: %s", what, softness, words);
    is_near(row->by[fault], by, 1e-5 * by, 0, "and by how much");
    free(words);
}

static void test_parts(void) {
    reading.W = DIAGONAL;
    solving = imp_model_find("moreau");
    for (int k = 0; k < 3; k++) {
        const audit_row row = run(singles[1 + k % 2], several[k]);
        is_read("the diagonal", AUDIT_DIAGONAL, &row, 0);
    }
    reading.W = BLOCKS;
    const audit_row heaps = run("bodies", "loose"), points = run("redundant", "drawn");
    is_read("diagonal blocks", AUDIT_BLOCKS, &heaps, 0);
    is_read("diagonal blocks", AUDIT_BLOCKS, &points, 0);
    solving = imp_model_find("darboux-stronge");
    reading.W = DIAGONAL;
    const audit_row process = run("impact-body", "impact-thin");
    is_read("the diagonal, of a process", AUDIT_DIAGONAL, &process, 0);
}

static void test_softness(void) {
    static const double strengths[] = {0.0003, 0.01, 0.1, 1, 10};
    solving = imp_model_find("moreau");
    for (int k = 0; k < 15; k++) {
        softness = strengths[k % 5];
        reading.W = MORE_BY_ENTRY;
        const audit_row entry = run("free-box-5", several[k % 3]);
        is_read("a share of each entry", AUDIT_SOFT_ENTRY, &entry, softness);
        reading.W = MORE_BY_MEAN;
        const audit_row mean = run(singles[k % 3], several[k / 5]);
        is_read("a share of the mean", AUDIT_SOFT_MEAN, &mean, softness);
        softness *= 100;
        reading.W = k % 2 == 0 ? MORE : MORE_ALONG_NORMALS;
        const audit_row number = run(singles[k % 3], several[k / 5]);
        is_read(k % 2 == 0 ? "a number" : "a number along normals", AUDIT_SOFT, &number, softness);
    }
    solving = &imp_model_maxdiss;
    reading.W = MORE_BY_ENTRY;
    const audit_row bounced = run("impact-body", "impact-thin");
    is_read("a share of each entry, with restitution", AUDIT_SOFT_ENTRY, &bounced, softness);
    softness = 0;
}

/* One contact of a sphere with W = 2 (1, 3.5, 3.5) and q_n = -1, without friction. */
static void test_one(void) {
    static const double block[9] = {2, 0, 0, 0, 7, 0, 0, 0, 7}, q[3] = {-1, 0, 0}, mu = 0,
                        half = 0.5, overlap = -0.1;
    const imp_operator W = imp_operator_dense(1, block);
    const imp_problem plain = {.nc = 1, .W = &W, .q = q, .mu = &mu};
    imp_problem bouncing = plain, reaching = plain;
    bouncing.e = &half;
    reaching.gap = &overlap;
    const struct {
        const char *what, *law;
        const imp_problem *problem;
        double p_n, c; /* c 1/kg */
    } tries[] = {{"softer by 0.5", "moreau", &plain, 1 / 2.5, 0.5},
                 {"softer, and bounces", "moreau", &bouncing, 1.5 / 2.5, 0.5},
                 {"softer, and is pushed out", "drumwright", &reaching, 1.1 / 2.5, 0.5},
                 {"stiffer", "moreau", &plain, 1 / 1.5, 0},
                 {"softer by less than a share of 1e-4", "moreau", &plain, 1 / 2.0001, 0},
                 {"right", "moreau", &plain, 1 / 2.0, 0},
                 {"no impulse", "moreau", &plain, 0, 0},
                 {"a pull", "moreau", &plain, -1, 0}};
    for (size_t k = 0; k < sizeof tries / sizeof *tries; k++) {
        const audit_solver solver = solver_of(imp_model_find(tries[k].law));
        const double p[3] = {tries[k].p_n, 0, 0};
        const audit_operators by = audit_other_operators(&solver, tries[k].problem, p, 0, 1e-4);
        is_near(by.soft[AUDIT_BY_NUMBER], tries[k].c, 1e-12, 0, "%s", tries[k].what);
        is_near(by.soft[AUDIT_BY_ENTRY], tries[k].c / 2, 1e-12, 0, "as a share of the entry");
        is_near(by.soft[AUDIT_BY_MEAN], tries[k].c * 3 / 16, 1e-12, 0, "and of the mean");
    }
    /* a stick where the normal alone is softer, or q_n is another */
    const double rough = 1, slip[3] = {-1, 0.7, 0}, p[3] = {1 / 2.5, -0.1, 0};
    const imp_problem sticking = {.nc = 1, .W = &W, .q = slip, .mu = &rough};
    const audit_solver solver = solver_of(imp_model_find("moreau"));
    const audit_operators by = audit_other_operators(&solver, &sticking, p, 0, 1e-4);
    is_near(by.soft[AUDIT_BY_NUMBER], 0.5, 1e-12, 0, "softer along its normal, by a number");
    ok(by.soft[AUDIT_BY_ENTRY] == 0 && by.soft[AUDIT_BY_MEAN] == 0, "and by no share");
}

int main(void) {
    reading = as_is;
    test_parts();
    test_softness();
    test_one();
    return tap_done();
}
