/* darboux.c - the Darboux-Keller process at one contact by the batch kernels: what they say of
 * themselves, and energy; beside the solver for one contact and the closed form in the plane; and
 * that beside quadrature along the hodograph. Answers may be as far apart as the problem's
 * condition allows. */
#include "campaign/singles.h"

#include "benchmarks/harness/impact_compare.h"
#include "generators/gen_impacts.h"
#include "impact.h"

#include <math.h>

/* Every so manieth is solved by the solver for one contact, by quadrature. Grazes take milliseconds
 * to make: there is one in a chunk. */
enum { SHARE = 7, SAMPLE = 641 };
enum { STATED = CAMPAIGN_OWN, BATCH, PLANE, SAMPLED, SINGLE, RESIDUAL, DOUBLE, GAINS, NEWTON };

static const campaign_column columns[] = {
    {"problems", false}, {"faults", false}, {"stated", true}, /* residual, as the batch says it */
    {"batch", true},    /* distance from the solver for one contact over max(1, condition) */
    {"plane", true},    /* the same from the closed form */
    {"sampled", false}, /* of them: */
    {"single", true},   /* the same, of the solver for one contact from the quadrature */
    {"residual", true}, /* its certificate, by a second integration */
    {"double", false},  /* compressions */
    {"gains", false},   /* energy gained by Newton's law, which may */
    {"gain", true},     /* the most it gained, of the energy at stake */
    {NULL, false}};

static const imp_model *const models[] = {&imp_model_darboux_stronge, &imp_model_darboux_poisson,
                                          &imp_model_darboux_newton};

static const char *row(int k) {
    return k < GEN_IMPACT_CLASSES ? gen_impact_name((gen_impact_class)k) : NULL;
}

static const double most = 4e-13; /* of distances over max(1, condition) */

/* A problem in work. */
typedef struct trial {
    campaign_lot *lot;
    int row;
    imp_darboux_law law;
    const gen_problem *g;
    const char *what; /* the first fault; NULL: none */
} trial;

static void expect(trial *t, bool good, const char *what) {
    if (!good && !t->what) t->what = what;
}

/* A distance over max(1, condition). */
static double scaled(const trial *t, double distance) {
    if (!(distance > 1e-13)) return distance;
    return distance / fmax(1, impact_condition(t->g, t->law, 1.1e13 * distance));
}

/* Of the batch, from another solver's impulse. */
static void compare_impulses(trial *t, int column, const double p[3], const double other[3],
                             const char *what) {
    const double off = scaled(t, impact_impulse_distance(t->g, p, other));
    campaign_worst(t->lot, t->row, column, off);
    expect(t, off <= most, what);
}

static void compare_quadrature(trial *t, const impact_answer *single) {
    impact_answer quadrature;
    int compressions = 0;
    const bool good = impact_by_hodograph(t->g, t->law, &quadrature, &compressions);
    campaign_count(t->lot, t->row, SAMPLED, true);
    expect(t, good, "the quadrature fails");
    if (!good) return;
    const double off = scaled(t, impact_distance(t->g->q, single, &quadrature));
    campaign_worst(t->lot, t->row, SINGLE, off);
    expect(t, off <= most, "another answer than the quadrature");
    campaign_worst(t->lot, t->row, RESIDUAL, gen_residual(t->g, models[t->law]->law, single->p));
    campaign_count(t->lot, t->row, DOUBLE, compressions > 1);
    expect(t, compressions <= 2, "more than two compressions");
}

/* Of a problem in the plane (n, t). */
static void compare_plane(trial *t, const double batch[3]) {
    const gen_problem *g = t->g;
    const double W[3] = {g->W[0], g->W[1], g->W[3]};
    double p[3] = {0, 0, 0};
    const imp_status status = imp_planar(W, g->q, g->mu, g->e, t->law, p);
    expect(t, status == IMP_OK, "the closed form in the plane fails");
    compare_impulses(t, PLANE, batch, p, "another answer than in closed form");
}

static void compare(trial *t, const double batch[3]) {
    impact_answer single;
    const bool solved = impact_by_library(t->g, t->law, &single, NULL) == IMP_OK;
    expect(t, solved, "the solver for one contact fails");
    if (solved)
        compare_impulses(t, BATCH, batch, single.p,
                         "another answer than the solver for one contact");
    if (solved && t->lot->at % SAMPLE == 0) compare_quadrature(t, &single);
    if (t->row == GEN_IMPACT_PLANAR) compare_plane(t, batch);
}

/* A residual, beside what the problem's condition allows. */
static bool is_small(const trial *t, double residual, double limit) {
    return residual <= limit ||
           residual <= limit * impact_condition(t->g, t->law, 1.1 * residual / limit);
}

/* Answer i of a batch of this law. */
static void judge(campaign_lot *lot, int row, imp_darboux_law law, const singles *s, int i) {
    trial t = {.lot = lot, .row = row, .law = law, .g = &s->g[i]};
    const gen_problem *g = t.g;
    double p[3];
    singles_answer(s, i, p);
    campaign_answer(lot, p, 3, 1);
    const double gained = impact_gain(g, p);
    const bool may = law == IMP_NEWTON;
    campaign_worst(lot, row, STATED, s->residual[i]);
    expect(&t, s->status[i] == IMP_OK, imp_status_text(s->status[i]));
    expect(&t, is_small(&t, s->residual[i], 1e-11), "breaks the law by its own word");
    campaign_count(lot, row, GAINS, gained > 1e-12 && may);
    campaign_worst(lot, row, NEWTON, may ? gained : 0);
    expect(&t, may || is_small(&t, gained, 1e-12), "gains energy");
    if (!t.what && (lot->at % SHARE == 0 || lot->at % SAMPLE == 0)) compare(&t, p);
    gen_dense dense;
    gen_dense_of(g, &dense);
    if (t.what) campaign_fault(lot, row, &dense.problem, models[law], t.what);
}

static void solve_batch(singles *s, imp_darboux_law law) {
    const imp_batch_columns batch = singles_columns(s);
    (void)imp_darboux_batch(&batch, law, (size_t)s->count, NULL);
}

/* first and count: multiples of the chunk, each of one class and law. */
static void pose(campaign_lot *lot, uint64_t first, long count) {
    static singles s;
    for (uint64_t at = first; at < first + (uint64_t)count; at += SINGLES_CHUNK) {
        const uint64_t chunk = at / SINGLES_CHUNK, round = chunk / GEN_IMPACT_CLASSES;
        const int class = (int)(chunk % GEN_IMPACT_CLASSES);
        const imp_darboux_law law = (imp_darboux_law)(round % 3);
        s.count = 0;
        for (uint64_t k = 0; k < (class == GEN_IMPACT_GRAZE ? 1 : SINGLES_CHUNK); k++) {
            const gen_problem g = gen_impact((gen_impact_class) class, round * SINGLES_CHUNK + k);
            singles_add(&s, &g);
        }
        solve_batch(&s, law);
        for (int i = 0; i < s.count; i++) {
            campaign_begin(lot, class, at + (uint64_t)i);
            judge(lot, class, law, &s, i);
        }
    }
}

static void again(campaign_lot *lot, int row, const imp_problem *problem, const imp_model *model) {
    singles s = {.count = 0};
    const gen_problem g = gen_single(problem);
    int law = IMP_NEWTON; /* the last of them */
    while (law > 0 && models[law] != model)
        law--;
    singles_add(&s, &g);
    solve_batch(&s, (imp_darboux_law)law);
    judge(lot, row, (imp_darboux_law)law, &s, 0);
}

const campaign_inquiry campaign_darboux = {
    .name = "darboux",
    .about =
        "the Darboux-Keller process by the batch; solver for one, closed form in the plane, of a "
        "sample quadrature and certificate",
    .row = row,
    .columns = columns,
    .lot = 48 * GEN_IMPACT_CLASSES * SINGLES_CHUNK,
    .goal = 1e8,
    .pose = pose,
    .again = again};
