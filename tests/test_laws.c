/* Every model through the laws every model obeys, whatever it is: the table decides who is
 * tested; or solvers outside the library (docs/own-solver.md). */
#include "benchmarks/harness/outsiders.h"
#include "replay.h"
#include "situation_answer.h"

#include <ctype.h>

/* Problems of one contact, and of several. */
#define ONE  tap_many(80, 240)
#define MANY tap_many(30, 90)

/* Every so manieth of them: springs take ten milliseconds each. */
static int every(const imp_model *model) {
    return strcmp(model->law->name, "springs") == 0 ? 4 : 1;
}

static int count_of(const imp_model *model) {
    return (ONE + (model->takes & IMP_TAKES_MANY ? MANY : 0)) / every(model);
}

static situation problem_number(const imp_model *model, int k) {
    k *= every(model);
    return k < ONE ? situation_one(model, (uint64_t)k) : situation_many(model, (uint64_t)(k - ONE));
}

/* Counts a failure; the first of its kind is kept, of models of the table. Returns whether it was
 * good. */
static bool tally(bool good, int *failures, const imp_model *model, const situation *s, int k) {
    if (good || (*failures)++ > 0 || imp_model_find(model->name) != model) return good;
    imp_operator W;
    const imp_problem problem = situation_problem(s, &W);
    keep_for_replay(&problem, model, "laws", k);
    return false;
}

/* Did a solver outside say itself that it has no answer? That is counted apart: it breaks no law. A
 * model of the table solves every single contact. */
static bool unsolved(const imp_model *model, const answer *a, int *open) {
    const bool said = a->status == IMP_NOT_CONVERGED || a->status == IMP_NO_SOLUTION;
    if (!said || imp_model_find(model->name) == model) return false;
    ++*open;
    return true;
}

/* " (3 unsolved)", or nothing. Returns text. */
static const char *counted(int open, char text[32]) {
    *text = '\0';
    if (open > 0) snprintf(text, 32, " (%d unsolved)", open);
    return text;
}

/* What each answer must be by itself. */
static void test_answers(const imp_model *model) {
    int errors = 0, open = 0, several = 0, infeasible = 0, unlawful = 0, gained = 0, unequal = 0,
        undefined = 0, single = 0;
    char text[32];
    for (int k = 0; k < count_of(model); k++) {
        const situation s = problem_number(model, k);
        const answer a = solve(model, &s), again = solve(model, &s);
        tally(memcmp(&a, &again, sizeof a) == 0, &unequal, model, &s, k);
        for (int i = 0; i < MOST; i++)
            undefined += !isfinite(a.p[i]);
        several += s.nc > 1;
        if (a.status != IMP_OK) {
            /* with several contacts, some models have no solution or do not find it */
            tally(s.nc > 1 && a.status > 0, &errors, model, &s, k);
            if (s.nc == 1) (void)unsolved(model, &a, &single);
            open += s.nc > 1;
            continue;
        }
        tally(feasible(model, &s, &a), &infeasible, model, &s, k);
        tally(lawful(model, &s, a.p), &unlawful, model, &s, k);
        if (model->takes & IMP_NEVER_GAINS_ENERGY)
            tally(a.energy <= (s.nc > 1 ? iterated : 1e-12) * a.stake, &gained, model, &s, k);
    }
    ok(errors == 0, "%s: takes what its descriptor says, and solves every single contact%s",
       model->name, counted(single, text));
    ok(open <= several / 20, "%s: solves several contacts but for %d of %d", model->name, open,
       several);
    ok(undefined == 0, "%s: every impulse is finite", model->name);
    ok(unequal == 0, "%s: the same problem has the same answer, bit for bit", model->name);
    ok(infeasible == 0, "%s: impulses in the cone, no penetration", model->name);
    ok(unlawful == 0, "%s: answers satisfy the law %s", model->name, model->law->name);
    if (model->takes & IMP_NEVER_GAINS_ENERGY)
        ok(gained == 0, "%s: never gains energy", model->name);
}

/* Settings in the changed units; false when one has a unit this test does not know. */
static bool changed_settings(const imp_model *model, const change *c, imp_settings *settings) {
    imp_model_presets(model, settings);
    for (const imp_key *key = model->keys; key && key->name; key++) {
        double value;
        if (key->choices || strcmp(key->unit, "-") == 0 || strcmp(key->unit, "rad") == 0 ||
            strcmp(key->unit, IMP_COUNT) == 0 || strcmp(key->unit, IMP_PAIRS) == 0)
            continue;
        memcpy(&value, settings->bytes + key->offset, sizeof value);
        if (value <= 0) continue; /* nothing, or a word such as "choose" */
        if (strcmp(key->unit, "m/s") != 0) return false;
        value *= c->v;
        memcpy(settings->bytes + key->offset, &value, sizeof value);
    }
    return true;
}

/* original <- the path of the changed situation, changed back. Multipliers are of the convex law:
 * two of impulses around one of masses. */
static void path_undo(const change *c, int nc, const imp_path *changed, imp_path *original) {
    double impulse[MOST];
    char phase[GEN_MOST_CONTACTS], motion[GEN_MOST_CONTACTS];
    for (int k = 0; k < changed->steps; k++) {
        const size_t at = (size_t)k * (size_t)nc;
        change_undo(c, nc, changed->impulse + 3 * at, impulse);
        for (int i = 0; i < nc; i++) {
            phase[c->order[i]] = changed->phase[at + (size_t)i];
            motion[c->order[i]] = changed->motion[at + (size_t)i];
        }
        (void)imp_path_add(original, nc, changed->round[k], changed->share[k], impulse, phase,
                           motion);
    }
    double *multiplier =
        changed->multipliers ? imp_path_multipliers(original, changed->multipliers, nc) : NULL;
    for (int k = 0; multiplier && k < changed->multipliers; k++)
        for (int i = 0; i < nc; i++)
            multiplier[k * nc + c->order[i]] =
                changed->multiplier[k * nc + i] * c->w / (k == 1 ? 1 : c->v);
}

/* The answer to the changed situation, changed back together with its path, must be an answer to
 * the original; where there is but one (one contact) the same. */
static void test_change(const imp_model *model,
                        change (*draw)(const imp_model *, const situation *, uint64_t),
                        const char *what) {
    int failed = 0, different = 0, open = 0;
    double worst = 0;
    char text[32];
    for (int k = 0; k < count_of(model); k++) {
        const situation s = problem_number(model, k);
        const change c = draw(model, &s, (uint64_t)k);
        const situation t = situation_changed(&s, &c);
        imp_settings settings;
        if (!changed_settings(model, &c, &settings)) {
            skip("a setting has a unit of its own");
            return;
        }
        imp_path path = {0}, original = {0};
        const answer a = solve(model, &s), b = solve_along(model, &t, &settings, &path);
        double p[MOST] = {0}, size = 0, off = 0;
        change_undo(&c, s.nc, b.p, p);
        path_undo(&c, s.nc, &path, &original);
        const bool none = s.nc == 1 && (unsolved(model, &a, &open) || unsolved(model, &b, &open));
        if (a.status == IMP_OK && !none && (s.nc == 1 || b.status == IMP_OK))
            tally(b.status >= 0 && lawful_along(model, &s, p, &original), &failed, model, &t, k);
        imp_path_clear(&path);
        imp_path_clear(&original);
        if (s.nc > 1 || none) continue;
        for (int i = 0; i < 3; i++) {
            size = fmax(size, fabs(a.p[i]));
            off = tap_worst(off, fabs(a.p[i] - p[i]));
        }
        worst = tap_worst(worst, size > 0 ? off / size : off);
        tally(off <= 1e-7 * size, &different, model, &t, k);
    }
    note("%s, %s: one contact to %.1e", model->name, what, worst);
    counted(open, text);
    ok(failed == 0, "%s: %s: still an answer%s", model->name, what, text);
    ok(different == 0, "%s: %s: the same one%s", model->name, what, text);
}

/* A sphere moving along t: every law there is gives the same, but for what friction may lean on. */
static void test_sphere(const imp_model *model) {
    double worst = 0;
    int open = 0;
    char text[32];
    for (uint64_t k = 0; k < 60; k++) {
        gen_stream g = gen_seed(709, k);
        const double W[6] = {1, 0, 0, 3.5, 0, 3.5}, closing = gen_uniform(&g, 0.1, 1),
                     along = gen_uniform(&g, -3, 3);
        const double q[3] = {-closing, along, 0};
        situation s = situation_of(W, q, gen_uniform(&g, 0, 1), k % 2 ? 0.5 : 0);
        situation_restrict(&s, model);
        const answer a = solve_sharp(model, &s);
        if (unsolved(model, &a, &open)) continue;
        const double normal = (1 + s.e[0]) * closing,
                     push = model->takes & IMP_COMPRESSION_FRICTION ? closing : normal;
        const double limit = s.mu[0] * push;
        const double want[3] = {normal, fmax(-limit, fmin(limit, -along / 3.5)), 0};
        for (int i = 0; i < 3; i++)
            worst = tap_worst(worst, a.status == IMP_OK ? fabs(a.p[i] - want[i]) : INFINITY);
    }
    ok(worst < exact, "%s: a sphere slips or sticks as in closed form%s", model->name,
       counted(open, text));
}

/* Without friction all laws of restitution are one: u_n = -e q_n, and at e = 1 no energy is
 * lost. */
static void test_frictionless(const imp_model *model) {
    int pulled = 0, off = 0, lost = 0, open = 0;
    char text[32];
    for (int k = 0; k < count_of(model); k++) {
        situation s = problem_number(model, k);
        memset(s.mu, 0, sizeof s.mu);
        const answer a = solve_sharp(model, &s);
        bool normal = true;
        for (int i = 0; i < 3 * s.nc; i++)
            normal = normal && (i % 3 == 0 || a.p[i] == 0);
        if (a.status == IMP_OK) tally(normal, &pulled, model, &s, k);
        if (s.nc > 1 || unsolved(model, &a, &open)) continue;
        tally(a.status == IMP_OK && fabs(a.u[0] + s.e[0] * s.q[0]) < exact, &off, model, &s, k);
        if (s.e[0] == 1) tally(fabs(a.energy) < exact * a.stake, &lost, model, &s, k);
    }
    ok(pulled == 0, "%s: without friction, no tangential impulse", model->name);
    counted(open, text);
    ok(off == 0, "%s: without friction, u_n = -e q_n%s", model->name, text);
    ok(lost == 0, "%s: without friction, e = 1 loses nothing%s", model->name, text);
}

static void test_limits(const imp_model *model) {
    int approaching = 0, out_of_plane = 0, pushed = 0, open[3] = {0};
    char text[32];
    for (int k = 0; k < ONE; k++) {
        situation s = situation_one(model, (uint64_t)k);
        s.e[0] = 0;
        const answer a = solve_sharp(model, &s);
        const double left = a.u[0] / s.q[0];
        if (!unsolved(model, &a, &open[0]))
            tally(a.status == IMP_OK && left < 1e-6 &&
                      (left > -1e-6 || model->takes & IMP_MAY_TAKE_OFF),
                  &approaching, model, &s, k);
        situation parting = s;
        parting.q[0] = -s.q[0];
        const answer nothing = solve_sharp(model, &parting);
        const bool none = nothing.p[0] == 0 && nothing.p[1] == 0 && nothing.p[2] == 0;
        /* Coulomb's law has such answers */
        const bool may_jam = s.mu[0] * hypot(s.W[1], s.W[2]) >= s.W[0];
        if (!unsolved(model, &nothing, &open[1]))
            tally(nothing.status == IMP_OK && (none || may_jam), &pushed, model, &parting, k);
        s.W[2] = s.W[5] = s.W[6] = s.W[7] = s.q[2] = 0;
        const answer flat = solve_sharp(model, &s);
        if (!unsolved(model, &flat, &open[2]))
            tally(flat.status == IMP_OK && fabs(flat.p[2]) <= exact * hypot(flat.p[0], flat.p[1]),
                  &out_of_plane, model, &s, k);
    }
    ok(approaching == 0, "%s: e = 0 ends the approach%s", model->name, counted(open[0], text));
    ok(pushed == 0, "%s: a parting contact that cannot jam takes no impulse%s", model->name,
       counted(open[1], text));
    ok(out_of_plane == 0, "%s: a planar problem has a planar answer%s", model->name,
       counted(open[2], text));
}

static void test_statuses(const imp_model *model) {
    static const struct {
        const char *what;
        int at; /* of W (0 .. 8), q (9 .. 11), mu (12), e (13) */
        double value;
        imp_status status;
    } faults[] = {
        {"NaN in W", 4, NAN, IMP_NOT_FINITE},        {"Inf in q", 10, INFINITY, IMP_NOT_FINITE},
        {"NaN in mu", 12, NAN, IMP_NOT_FINITE},      {"asymmetric W", 1, 0.5, IMP_NOT_SYMMETRIC},
        {"indefinite W", 0, -1, IMP_NOT_POSITIVE},   {"singular W", 4, 0, IMP_NOT_POSITIVE},
        {"negative mu", 12, -0.1, IMP_BAD_FRICTION}, {"e above 1", 13, 1.5, IMP_BAD_RESTITUTION}};
    bool good = true;
    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++) {
        const double W[6] = {1, 0, 0, 3.5, 0, 3.5}, q[3] = {-1, 0.5, 0};
        situation s = situation_of(W, q, model->takes & IMP_ONLY_FRICTIONLESS ? 0 : 0.3, 0);
        double *const place = faults[k].at < 9    ? &s.W[faults[k].at]
                              : faults[k].at < 12 ? &s.q[faults[k].at - 9]
                              : faults[k].at < 13 ? s.mu
                                                  : s.e;
        *place = faults[k].value;
        imp_operator as_operator;
        const imp_problem problem = situation_problem(&s, &as_operator);
        double p[3] = {41, 42, 43};
        const imp_status status = imp_solve(model, &problem, NULL, p, NULL);
        if (status == faults[k].status && p[0] == 41 && p[1] == 42 && p[2] == 43) continue;
        diag("%s: %s gives %s", model->name, faults[k].what, imp_status_text(status));
        good = false;
    }
    ok(good, "%s: bad data have their status and leave the impulse alone", model->name);
}

static void test_descriptor(const imp_model *model) {
    bool word = model->name && islower((unsigned char)model->name[0]), keys = true;
    for (const char *c = model->name; word && *c; c++)
        word = islower((unsigned char)*c) || isdigit((unsigned char)*c) || *c == '-';
    ok(word && imp_model_find(model->name) == model, "%s: one word, and no other model has it",
       model->name);
    ok(model->title && *model->title && model->citation && *model->citation && model->law &&
           model->solve,
       "%s: a title, a citation, a law and a solver", model->name);
    for (const imp_key *key = model->keys; key && key->name; key++) {
        int choices = 0;
        while (key->choices && key->choices[choices])
            choices++;
        const bool in_range = key->choices ? key->preset >= 0 && key->preset < choices
                                           : key->low <= key->preset && key->preset <= key->high;
        keys = keys && in_range && key->unit && key->meaning &&
               key->offset + sizeof(double) <= IMP_SETTINGS_BYTES;
    }
    ok(keys, "%s: settings have a unit, a meaning and a preset in their range", model->name);
}

/* Head on, or nearly: what moves along the plane is nothing, or far less than what comes along the
 * normal, and is solved all the same. */
static void test_head_on(const imp_model *model) {
    static const double along[] = {0, 1e-17, 1e-14, 1e-12, 1e-10, 1e-9, 1e-8, 1e-4};
    const double friction[] = {0, 0.1, 0.3, 1};
    int unsolved = 0;
    for (int k = 0; k < 8 * 4 * 2; k++) {
        situation s = {.nc = 1,
                       .W = {2, k % 2 ? 0.3 : 0, 0, k % 2 ? 0.3 : 0, 3, 0, 0, 0, 3},
                       .q = {-1, along[k / 8], -along[7 - k / 8]},
                       .mu = {friction[k / 2 % 4]}};
        const bool planar = model->takes & IMP_ONLY_PLANAR;
        if (planar || k / 8 == 0) s.q[2] = 0;
        if (model->takes & IMP_ONLY_FRICTIONLESS) s.mu[0] = 0;
        unsolved += solve(model, &s).status != IMP_OK;
    }
    ok(unsolved == 0, "%s: head on, or nearly (%d unsolved)", model->name, unsolved);
}

static void test_model(const imp_model *model) {
    test_answers(model);
    test_change(model, change_turned, "turned about the normal");
    test_change(model, change_mirrored, "mirrored");
    test_change(model, change_mass_unit, "masses in another unit");
    test_change(model, change_velocity_unit, "velocities in another unit");
    if (model->takes & IMP_TAKES_MANY)
        test_change(model, change_order, "contacts in another order");
    test_sphere(model);
    test_frictionless(model);
    test_head_on(model);
    test_limits(model);
    test_statuses(model);
}

/* What a solver outside takes, by what it says of a problem that asks for more. */
static imp_model as_it_takes(const imp_model *outside) {
    static const unsigned more[] = {IMP_TAKES_MANY, IMP_TAKES_RESTITUTION};
    imp_model model = *outside;
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        situation s =
            more[i] == IMP_TAKES_MANY ? situation_many(&model, 0) : situation_one(&model, 0);
        if (!(model.takes & more[i])) continue;
        if (more[i] == IMP_TAKES_RESTITUTION) s.e[0] = 0.5;
        if (solve(&model, &s).status == IMP_UNSUPPORTED) model.takes &= ~more[i];
    }
    return model;
}

static const usage about = {
    .program = "test_laws",
    .arguments = OUTSIDERS_USAGE " [--tol TOL]",
    .most = USAGE_OWN,
    .text =
        "Puts every model to the laws every model obeys, as TAP; or solvers outside the library "
        "instead (docs/own-solver.md),\n"
        "on what they do not call unsupported. Exit 0: all hold; 1: some do not; 2: bad use.\n",
};

/* Those that the command line names; the exit status of the program. */
static int test_outside(int argc, char **argv) {
    outsiders o = outsiders_init();
    usage_answer(&about, argc, argv);
    for (int i = 1; i < argc; i += 2)
        outsiders_take(&o, &about, argv[i], argv[i + 1]);
    if (!outsiders_open(&o, "test_laws")) return 2;
    for (int k = 0; k < o.list.count; k++) {
        const imp_model model = as_it_takes(o.model[k]);
        test_model(&model);
    }
    outside_close();
    return tap_done();
}

int main(int argc, char **argv) {
    if (argc > 1) return test_outside(argc, argv);
    for (const imp_model *const *m = imp_models; *m; m++) {
        test_descriptor(*m);
        if ((*m)->solve) test_model(*m);
    }
    return tap_done();
}
