/* test_drawn.c - what one draws first (generators/gen_drawn.h), by bodies, through every model:
 * cubes, bricks and balls in whole numbers are solved, but for 1 in 50 and for what
 * docs/accuracy.md says. */
#include "contact/delassus.h"
#include "generators/gen_drawn.h"
#include "impact.h"
#include "io/answer.h"
#include "tap.h"

#include <string.h>

static const char *const kinds[] = {"trains", "stacks",           "pyramids",          "cradles",
                                    "racks",  "rows on a ground", "cubes side by side"};

static bool is(const imp_model *model, const char *name) {
    return strcmp(model->name, name) == 0;
}

/* What docs/accuracy.md says of each. */
static bool left_often(const imp_model *model, gen_drawn_kind kind, const gen_drawn *d) {
    const bool racked = kind == DRAWN_RACK && d->mu[0] > 1;
    if (is(model, "lzb")) return kind != DRAWN_RACK && kind != DRAWN_SIDE;
    if (is(model, "springs")) return kind == DRAWN_RACK;
    if (is(model, "plus")) return racked || kind == DRAWN_PYRAMID;
    if (is(model, "single-phase")) return racked;
    /* an edge between the ground and another cube can be wedged from mu = 1 on, as both cones then
     * hold pushes that cancel: the nearer to that mu, on either side, the more sweeps */
    const bool wedged = kind == DRAWN_SIDE && d->mu[0] == 1;
    if (is(model, "auto")) return wedged && d->e[0] > 0;
    return strncmp(model->name, "gauss-seidel", 12) == 0 && (wedged || racked);
}

/* How many of `count` the model leaves, of those it should solve, *asked. */
static int unsolved(const imp_model *model, gen_drawn_kind kind, int count, int *asked) {
    enum { ROWS = 3 * DRAWN_CONTACTS };
    static double W[ROWS * ROWS], q[ROWS], p[ROWS], u[ROWS];
    gen_stream s = gen_seed(931, (uint64_t)kind);
    int left = 0;
    *asked = 0;
    for (int k = 0; k < count; k++) {
        gen_drawn d;
        imp_answer answer;
        gen_drawn_of(kind, &s, &d);
        for (int i = 0; i < d.nc; i++) {
            if (model->takes & IMP_ONLY_FRICTIONLESS) d.mu[i] = 0;
            if (!(model->takes & IMP_TAKES_RESTITUTION)) d.e[i] = 0;
        }
        if (left_often(model, kind, &d)) continue;
        ++*asked;
        if (imp_delassus_dense(d.nb, d.body, d.nc, d.contact, W, q) != IMP_OK) abort();
        const imp_operator dense = imp_operator_dense(d.nc, W);
        const imp_problem problem = {.nc = d.nc, .W = &dense, .q = q, .mu = d.mu, .e = d.e};
        if (imp_answer_solve(NULL, model, &problem, NULL, NULL, p, u, NULL, &answer) == IMP_OK)
            continue;
        left++;
        note("%d: %d bodies, %d contacts, mu %g, e %g: %s, %g", k, d.nb, d.nc, d.mu[0], d.e[0],
             imp_status_text(answer.status), answer.certificate.worst);
    }
    return left;
}

/* Six balls in a row, of which the third meets the fourth: a blow goes on into two that rest. */
static void test_row(void) {
    enum { BALLS = 6, TOUCHES = BALLS - 1 };
    static const double mass[BALLS] = {1, 2, 1, 2, 2, 1}, speed[BALLS] = {0, 0, 2, 1, 0, 0},
                        mu[TOUCHES] = {0}, e[TOUCHES] = {0.5, 0.5, 0.5, 0.5, 0.5};
    imp_body body[BALLS];
    imp_contact contact[TOUCHES];
    double W[9 * TOUCHES * TOUCHES], q[3 * TOUCHES], p[3 * TOUCHES], u[3 * TOUCHES];
    imp_answer answer;
    for (int i = 0; i < BALLS; i++)
        body[i] = (imp_body){.inv_mass = 1 / mass[i],
                             .inv_inertia = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                             .position = {i, 0, 0},
                             .orientation = {1, 0, 0, 0},
                             .velocity = {speed[i], 0, 0}};
    for (int i = 0; i < TOUCHES; i++)
        contact[i] = (imp_contact){
            .a = i, .b = i + 1, .point = {i + 0.5, 0, 0}, .frame = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    if (imp_delassus_dense(BALLS, body, TOUCHES, contact, W, q) != IMP_OK) abort();
    const imp_operator dense = imp_operator_dense(TOUCHES, W);
    const imp_problem problem = {.nc = TOUCHES, .W = &dense, .q = q, .mu = mu, .e = e};
    const imp_status status = imp_answer_solve(NULL, imp_model_find("anitescu"), &problem, NULL,
                                               NULL, p, u, NULL, &answer);
    ok(status == IMP_OK, "anitescu: six balls in a row, %s, %g", imp_status_text(status),
       answer.certificate.worst);
}

int main(void) {
    test_row();
    for (const imp_model *const *m = imp_models; *m; m++) {
        if (!((*m)->takes & IMP_TAKES_MANY)) continue;
        const int count = is(*m, "springs") || is(*m, "lzb") ? tap_many(1, 6) : tap_many(6, 100);
        for (int kind = 0; kind < DRAWN_KINDS; kind++) {
            int asked;
            const int left = unsolved(*m, (gen_drawn_kind)kind, count, &asked),
                      most = is(*m, "frictionless") ? 0 : asked / 50;
            if (asked > 0)
                ok(left <= most, "%s: of %d %s, %d left", (*m)->name, asked, kinds[kind], left);
        }
    }
    return tap_done();
}
