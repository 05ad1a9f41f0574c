/* steps.c - random worlds step by step against what step.h promises: momenta, energy, the contact
 * problem and its answer, places, other views of the same world, runs that go on from a file. */
#include "campaign/step_judge.h"

#include "base/exact.h"
#include "base/vec3.h"
#include "impact.h"

#include <math.h>
#include <string.h>

enum { STEPS = 24, REFUSED_AT = 3, MIDDLE = STEPS / 2, VIEWED = 2 };
static const campaign_column columns[] = {
    {"problems", false}, {"faults", false},  {"unsolved", false}, /* steps whose model says so */
    {"refused", false},                      /* worlds that end with an error, as they were */
    {"steps", false},    {"touched", false}, /* steps with a contact that presses */
    {"beyond", false},  /* trees in a step that swing too fast for their momenta to be promised */
    {"another", false}, /* views that end elsewhere, where friction or bounces leave the choice */
    {"wedged", false},  /* steps whose impulses cancel until nothing is left of their digits */
    {"large", false},   /* steps of more contacts than are judged */
    {"momentum", true}, /* off, over the sum of the sizes of its terms */
    {"gain", true},     /* of energy above that of gaps, over what is at stake: of uneven bodies */
    {NULL, false}};

/* Without friction and restitution velocities are the only ones, and natural errors of 1e-10 leave
 * their root in the norm of the energy; the lighter parts have ten times the speed of it. So much
 * for each step of each view. */
static const double SEEN = 1e-4;

static const char *row(int k) {
    static const char *const names[] = {"balls", "boxes", "heaps", "afloat", "rooted"};
    return k < GEN_WORLD_CLASSES ? names[k] : NULL;
}

static void end_run(run *r) {
    imp_world *w = r->s ? r->s->world : NULL;
    imp_shapes_clear(&r->shapes);
    imp_stepper_free(r->s);
    if (w) imp_world_free(w);
    r->s = NULL;
}

/* r <- g, by this model, which goes on from its last answers where it can. */
static bool begin_run(run *r, const gen_world *g, const imp_model *model) {
    r->g = *g;
    r->s = gen_world_open(&r->g, &r->shapes, &r->settings);
    r->settings.model = model;
    imp_model_presets(model, &r->own);
    if (model != &imp_model_drumwright) {
        imp_blocks_settings blocks;
        memcpy(&blocks, &r->own, sizeof blocks);
        blocks.tolerance = 1e-10, blocks.max_sweeps = 20000, blocks.start = 1;
        memcpy(&r->own, &blocks, sizeof blocks);
    }
    r->settings.own = &r->own;
    return r->s != NULL;
}

/* A step of the run; NULL, or what is wrong with it. */
static const char *step(judged *d, bool *ended) {
    run *r = d->run;
    imp_world *w = r->s->world;
    const imp_status free = judged_begin(d), status = imp_step(r->s, &r->settings);
    *ended = status != IMP_OK; /* what an answer that is none does to a world is no promise */
    campaign_count(d->lot, d->row, STEP_REFUSED, status < 0);
    if (status < 0)
        return memcmp(d->q, w->q, (size_t)w->nq * sizeof *w->q) != 0 ||
                       memcmp(d->v, w->v, (size_t)w->nv * sizeof *w->v) != 0
                   ? "refused, and another world"
                   : NULL;
    if (free < 0) return "a step without its free motion";
    campaign_count(d->lot, d->row, STEP_STEPS, true);
    campaign_count(d->lot, d->row, STEP_UNSOLVED, status > 0);
    campaign_count(d->lot, d->row, STEP_TOUCHED, imp_stepper_normal(r->s) > 0);
    campaign_answer(d->lot, w->v, w->nv, 1);
    imp_world_place(w);
    return judged_end(d, status == IMP_OK);
}

/* Is a tree farther off than steps and views are judged? */
static bool strayed(imp_world *w) {
    bool far = false;
    imp_world_place(w);
    for (int t = 0; t < w->nt; t++)
        far = far || !(norm3(moved_of(w, t).com) <= STEP_FAR);
    return far;
}

/* Steps that cannot be: refused by their statuses, and the world is as it was. */
static const char *refuse(const judged *d) {
    imp_stepper *s = d->run->s;
    double force[GEN_WORLD_NV] = {NAN}, rub[GEN_WORLD_NV] = {-1};
    imp_step_settings bad[] = {d->run->settings, d->run->settings, d->run->settings,
                               d->run->settings};
    static const imp_status expected[] = {IMP_BAD_ARGUMENT, IMP_BAD_ARGUMENT, IMP_NOT_FINITE,
                                          IMP_BAD_FRICTION};
    double q[7 * GEN_WORLD_LINKS], v[GEN_WORLD_NV];
    bad[0].h = NAN, bad[1].least_gap = 1, bad[2].force = force, bad[3].mu_c = rub;
    for (int k = 0; k < 4; k++) {
        memcpy(q, s->world->q, (size_t)s->world->nq * sizeof *q);
        memcpy(v, s->world->v, (size_t)s->world->nv * sizeof *v);
        if (imp_step(s, &bad[k]) != expected[k]) return "a bad step is not refused";
        if (memcmp(q, s->world->q, (size_t)s->world->nq * sizeof *q) != 0 ||
            memcmp(v, s->world->v, (size_t)s->world->nv * sizeof *v) != 0)
            return "a bad step leaves another world";
    }
    return NULL;
}

static bool same_bits(const imp_world *a, const imp_world *b) {
    return memcmp(a->q, b->q, (size_t)a->nq * sizeof *a->q) == 0 &&
           memcmp(a->v, b->v, (size_t)a->nv * sizeof *a->v) == 0;
}

/* `copy` goes on from what the run has saved. */
static const char *save(const run *r, run *copy) {
    FILE *file = tmpfile();
    const bool good = file && imp_stepper_save(r->s, file) == IMP_OK && fseek(file, 0, 0) == 0 &&
                      imp_stepper_load(copy->s, file) == IMP_OK;
    if (file) fclose(file);
    return !good ? "cannot be saved" : same_bits(r->s->world, copy->s->world) ? NULL : "saved bits";
}

/* The largest difference of speeds, over the largest, of links as seen by `view`. */
static double apart(const run *a, const run *b, const gen_world_view *view) {
    double worst = 0, fastest = 0;
    const double unit = view->length / view->time;
    for (int i = 0; i < a->s->world->nl; i++) {
        const imp_link_state *x = imp_world_state(a->s->world, i),
                             *y = imp_world_state(b->s->world, gen_world_link(&a->g, view, i));
        const double arm = 0.3; /* m, of these bodies, so that spins count as speeds */
        double velocity[2][3], spin[3];
        imp_world_point_velocity(a->s->world, i, x->com, spin);
        gen_world_vector(view, false, spin, velocity[0]);
        imp_world_point_velocity(b->s->world, gen_world_link(&a->g, view, i), y->com, velocity[1]);
        gen_world_vector(view, true, x->spin, spin);
        double square = 0, turned = 0;
        for (int k = 0; k < 3; k++) {
            square = hypot(square, velocity[1][k] / unit - velocity[0][k]);
            turned = hypot(turned, y->spin[k] * view->time - spin[k]);
        }
        fastest = fmax(fastest, norm3(velocity[0]) + arm * norm3(spin));
        worst = fmax(worst, square + arm * turned);
    }
    return worst / fastest;
}

/* Would contacts open without an impulse, as far as an answer is held to (step_judge.c)? Friction
 * may wedge one shut all the same. */
static bool opens(const imp_problem *problem) {
    const double little = 1e-8 * imp_largest(problem->q, 3 * (size_t)problem->nc, 1);
    bool all = true;
    for (int i = 0; i < problem->nc; i++)
        all = all && problem->q[3 * i] >= -little;
    return all;
}

/* The world where it is now, seen otherwise, goes the same way for a few steps. Units are powers of
 * two, of masses and of lengths squared those of four: all roundings are the same. */
static const char *see(const judged *d) {
    const double angle = 0.1 * (double)(d->lot->at % 60);
    const gen_world_view views[] = {
        {.turn = {1}, .length = 0x1p-5, .mass = 0x1p6, .time = 0x1p3},
        {.turn = {cos(angle), 0.6 * sin(angle), 0, 0.8 * sin(angle)}, 0},
        {.mirror = true, .turn = {1}},
        {.backwards = true, .turn = {1}}};
    const int k = (int)(d->lot->at / 12 % 4);
    gen_world_view view = views[k];
    if (k > 0) view.length = view.mass = view.time = 1;
    static run a, b;
    gen_world now = d->run->g;
    memcpy(now.q, d->run->s->world->q, (size_t)d->twin->nq * sizeof *now.q);
    memcpy(now.v, d->run->s->world->v, (size_t)d->twin->nv * sizeof *now.v);
    const gen_world seen = gen_world_seen(&now, &view);
    const bool same =
        begin_run(&a, &now, d->run->settings.model) && begin_run(&b, &seen, d->run->settings.model);
    bool presses = false, solved = true;
    for (int n = 0; n < VIEWED && same; n++) {
        const imp_status one = imp_step(a.s, &a.settings), other = imp_step(b.s, &b.settings);
        solved = solved && one == IMP_OK && other == IMP_OK;
        presses = presses || imp_stepper_normal(a.s) > 0 ||
                  (imp_stepper_normal(b.s) > 0 && opens(&b.s->problem));
    }
    const double off = same && solved ? apart(&a, &b, &view) : 0;
    const bool only = k == 0 || !presses || (now.ball[0].mu == 0 && now.e == 0);
    const double limit = k == 0    ? 0
                         : presses ? 2 * VIEWED * SEEN
                                   : VIEWED * STEP_ROUND * d->basis.condition;
    campaign_count(d->lot, d->row, STEP_ANOTHER, !only && !(off <= limit));
    end_run(&a);
    end_run(&b);
    return only && !(off <= limit) ? "seen otherwise, another motion" : NULL;
}

static const char *ask(judged *d, run *copy) {
    const char *wrong = NULL;
    bool ended = false, copied = false;
    for (int n = 0; n < STEPS && !wrong && !ended && !strayed(d->run->s->world); n++) {
        if (n == REFUSED_AT) wrong = refuse(d);
        if (n == MIDDLE && !wrong) wrong = see(d);
        if (n == MIDDLE && !wrong) wrong = save(d->run, copy), copied = true;
        if (!wrong) wrong = step(d, &ended);
        if (!copied || wrong) continue;
        (void)imp_step(copy->s, &copy->settings);
        if (!same_bits(d->run->s->world, copy->s->world)) wrong = "gone on from a file, other bits";
    }
    return wrong;
}

/* A world of each class. */
static void one(campaign_lot *lot, uint64_t number) {
    static const imp_model *const models[] = {&imp_model_auto, &imp_model_gauss_seidel_coulomb,
                                              &imp_model_auto, &imp_model_drumwright};
    static run posed, copy, twin;
    static judged d;
    const imp_model *model = models[number / 2 % 4];
    for (int k = 0; k < GEN_WORLD_CLASSES; k++) {
        const gen_world g = gen_world_make((gen_world_class)k, number);
        campaign_begin(lot, k, number);
        const bool begun = begin_run(&posed, &g, model) && begin_run(&copy, &g, model) &&
                           begin_run(&twin, &g, model);
        if (begun) {
            d = (judged){.lot = lot, .row = k, .run = &posed};
            d.free = twin.s, d.twin = twin.s->world;
            const char *wrong = ask(&d, &copy);
            const imp_problem *problem = &posed.s->problem;
            if (wrong) campaign_fault(lot, k, problem->nc > 0 ? problem : NULL, model, wrong);
        }
        end_run(&posed);
        end_run(&copy);
        end_run(&twin);
    }
}

const campaign_inquiry campaign_steps = {
    .name = "steps",
    .about = "worlds step by step: momenta, energy, contact problems, places, other views, files",
    .row = row,
    .columns = columns,
    .lot = 101, /* one of them is spoiled where `planted` says so */
    .goal = 1e6,
    .one = one};
