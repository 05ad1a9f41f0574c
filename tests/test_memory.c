/* Every allocation of every model fails once, alone and with all after it: the status says no
 * memory or is that of the whole solve, p is untouched where the status is an error, and nothing
 * stays allocated; the same of scenes and of a flow. */
#include "generators/piles.h"
#include "generators/gen_situation.h"
#include "failing.h"
#include "impact.h"
#include "scene/course.h"
#include "scene/sweep.h"
#include "tap.h"

#include <stdlib.h>

typedef struct tally {
    long failed, silent, touched, kept;
} tally;

/* One solve in which allocation k fails, which ends as `clean` where none does; false: there is
 * none so late. */
static bool try_one(const imp_model *model, const imp_problem *problem, const double *whole,
                    imp_status clean, long k, bool on, tally *t) {
    const int n = 3 * problem->nc;
    double *p = malloc((size_t)n * sizeof *p);
    for (int i = 0; i < n; i++)
        p[i] = 0.125;
    const long before = failing_living;
    imp_info info = {0};
    failing_from(k, on);
    const imp_status status = imp_solve(model, problem, NULL, p, &info);
    const bool reached = failing_end();
    bool same = true, untouched = true;
    for (int i = 0; i < n; i++) {
        same = same && p[i] == whole[i];
        untouched = untouched && p[i] == 0.125;
    }
    t->failed += reached;
    t->silent += reached && status != IMP_NO_MEMORY && status != clean;
    t->touched += status < 0 ? !untouched : status == IMP_OK && !reached && !same;
    t->kept += failing_living != before;
    free(p);
    return reached;
}

static void try_all(const imp_model *model, const imp_problem *problem, tally *t) {
    double *whole = calloc(3 * (size_t)problem->nc, sizeof *whole);
    /* what is set up once, is */
    const imp_status clean = imp_solve(model, problem, NULL, whole, NULL);
    const long first = tap_many(8, 60), share = tap_many(2, 20);
    for (int on = 0; on < 2; on++)
        for (long k = 0; try_one(model, problem, whole, clean, k, on == 1, t);
             k += k < first ? 1 : k / share)
            ;
    free(whole);
}

static void report(const char *what, const tally *t) {
    ok(t->silent == 0 && t->touched == 0 && t->kept == 0,
       "%s: %ld allocations failed, %ld with another error, %ld touched p, %ld left something "
       "allocated",
       what, t->failed, t->silent, t->touched, t->kept);
}

/* From bodies, as many contacts come, and from W alone. */
static void try_pile(const imp_model *model, pile_kind kind, uint64_t seed, int contacts) {
    imp_fclib pile, local = {0};
    imp_fclib_posed posed;
    tally t = {0};
    if (pile_make(kind, seed, contacts, &pile) != IMP_OK) {
        ok(false, "%s: made", pile_name(kind));
        return;
    }
    if (imp_fclib_pose(&pile, &posed) == IMP_OK) {
        try_all(model, &posed.problem, &t);
        imp_fclib_posed_clear(&posed);
    }
    if (imp_fclib_local(&pile, &local) == IMP_OK && imp_fclib_pose(&local, &posed) == IMP_OK) {
        try_all(model, &posed.problem, &t);
        imp_fclib_posed_clear(&posed);
    }
    imp_fclib_clear(&local);
    imp_fclib_clear(&pile);
    char what[80];
    snprintf(what, sizeof what, "%s, %s", model->name, pile_name(kind));
    report(what, &t);
    ok(t.failed > 0, "%s: %ld allocations", what, t.failed);
}

/* A scene in which allocation k of building it fails: no memory, or the same scene. */
static void try_scene(const char *path, bool on) {
    scene_file file;
    scene whole = {0};
    tally t = {0};
    if (scene_open(path, &file, NULL) != IMP_OK ||
        scene_assign(&file, imp_models, "run.until=0.5", NULL) != IMP_OK ||
        scene_build(&file, 0, &whole, NULL) != IMP_OK) {
        ok(false, "%s: built", path);
        return;
    }
    bool reached = true;
    for (long k = 0; reached; k++) {
        scene s;
        imp_error error;
        failing_from(k, on);
        const imp_status status = scene_build(&file, 0, &s, &error);
        reached = failing_end();
        t.failed += reached;
        t.silent += status == IMP_OK
                        ? s.bodies != whole.bodies || s.system.npairs != whole.system.npairs ||
                              s.run.until != 0.5
                        : status != IMP_NO_MEMORY;
        if (status == IMP_OK) scene_clear(&s);
    }
    scene_clear(&whole);
    scene_close(&file);
    ok(t.silent == 0 && t.failed > 10,
       "%s: %ld allocations failed, %ld with another error or another scene", path, t.failed,
       t.silent);
}

/* A sweep in which allocation k fails: no memory, or the same rows. */
static imp_status sweep_rows(scene_file *file, char text[4096], imp_error *error) {
    static const imp_model *list[3];
    scene_sweep sweep;
    list[0] = imp_model_find("plus");
    list[1] = imp_model_find("auto");
    memset(text, 0, 4096);
    FILE *out = fmemopen(text, 4096, "w"); /* allocates, too */
    if (!out) return IMP_NO_MEMORY;
    setbuf(out, NULL);
    scene_sweep_init(&sweep, file, list, 0, 0);
    imp_status status = scene_sweep_add(&sweep, "theta_max=lin:0.1:0.2:2", error);
    for (long point = 0; point < 2 && status == IMP_OK; point++)
        status = scene_sweep_point(&sweep, point, NULL, NULL, out, error);
    fclose(out);
    scene_sweep_clear(&sweep);
    return status;
}

static void try_sweep(const char *path, bool on) {
    scene_file file;
    char whole[4096], text[4096];
    tally t = {0};
    if (scene_open(path, &file, NULL) != IMP_OK || sweep_rows(&file, whole, NULL) != IMP_OK) {
        ok(false, "%s: swept", path);
        return;
    }
    bool reached = true;
    for (long k = 0; reached; k += k < 60 ? 1 : tap_many(7, 1)) {
        imp_error error;
        failing_from(k, on);
        const imp_status status = sweep_rows(&file, text, &error);
        reached = failing_end();
        t.failed += reached;
        t.silent += status == IMP_OK ? strcmp(text, whole) != 0 : status != IMP_NO_MEMORY;
    }
    scene_close(&file);
    ok(t.silent == 0 && t.failed > 10,
       "%s: %ld allocations of a sweep failed, %ld with another error or other rows", path,
       t.failed, t.silent);
}

/* A course of some impacts, or some contact that lasts, in which allocation k fails: no memory, or
 * the same end; and nothing of it stays. */
static void try_course(const char *path, const char *until, bool on) {
    const imp_model *model = imp_model_find("newton");
    const scene_observer nobody = {0};
    scene_file file;
    scene s;
    imp_settings settings;
    scene_course_end end;
    double time, whole;
    tally t = {0};
    if (scene_open(path, &file, NULL) != IMP_OK ||
        scene_assign(&file, imp_models, until, NULL) != IMP_OK ||
        scene_build(&file, 0, &s, NULL) != IMP_OK) {
        ok(false, "%s: built", path);
        return;
    }
    scene_model_settings(&s, model, &settings);
    ok(scene_course(&s, model, &settings, &nobody, &end, &whole) == IMP_OK && whole == s.run.until,
       "%s: a course", path);
    bool reached = true;
    for (long k = 0; reached; k++) {
        const long before = failing_living;
        failing_from(k, on);
        const imp_status status = scene_course(&s, model, &settings, &nobody, &end, &time);
        reached = failing_end();
        t.failed += reached;
        t.kept += failing_living != before;
        t.silent +=
            status == IMP_OK ? end != SCENE_COURSE_TIME || time != whole : status != IMP_NO_MEMORY;
    }
    scene_clear(&s);
    scene_close(&file);
    char what[80];
    snprintf(what, sizeof what, "%s, from impact to impact", path);
    ok(t.failed > 10, "%s: %ld allocations", what, t.failed);
    report(what, &t);
}

/* A compliant run of bodies in a loop in which allocation k fails: no memory, or the same end. */
static void try_loop(const char *path, bool on) {
    scene_file file;
    scene s;
    compliant_result whole, result;
    tally t = {0};
    if (scene_open(path, &file, NULL) != IMP_OK || scene_build(&file, 0, &s, NULL) != IMP_OK) {
        ok(false, "%s: built", path);
        return;
    }
    compliant_settings set = compliant_settings_default();
    set.until = 0.005;
    bool reached = compliant_run(&s.system, &set, s.q, s.v, &whole) == IMP_OK;
    const long most = failing_living; /* with the factors that the loops keep */
    for (long k = 0; reached; k += k < 60 ? 1 : 1 + k / 20) {
        failing_from(k, on);
        const imp_status status = compliant_run(&s.system, &set, s.q, s.v, &result);
        reached = failing_end();
        t.failed += reached;
        t.silent += status == IMP_OK ? result.steps != whole.steps : status != IMP_NO_MEMORY;
        compliant_result_clear(&result);
        t.kept += failing_living > most;
    }
    compliant_result_clear(&whole);
    scene_clear(&s);
    scene_close(&file);
    ok(t.failed > 60, "%s: %ld allocations of a compliant run", path, t.failed);
    report(path, &t);
}

/* A flow that layers of spheres enter, in whose steps allocation k fails: it then has no memory for
 * ever. */
static void try_flow(bool on) {
    enum { STEPS = 12 };
    const imp_shape plane = {.kind = IMP_SHAPE_PLANE, .normal = {1, 0, 0}, .velocity = {1, 0, 0}};
    const imp_inflow inflow = {.advance = 2e-3,
                               .ny = 3,
                               .nz = 3,
                               .first = {2e-3, 2e-3},
                               .spacing = 2e-3,
                               .radius = 5e-4,
                               .density = 2650,
                               .speed = 1};
    imp_granular_settings set = imp_granular_settings_default();
    tally t = {0};
    set.step = 1e-3;
    bool reached = true;
    for (long k = 0; reached; k++) {
        const long before = failing_living;
        imp_status status;
        imp_granular *g = imp_granular_new(&set, 1, &plane, &inflow, &status);
        failing_from(k, on);
        for (int step = 0; g && status == IMP_OK && step < STEPS; step++)
            status = imp_granular_step(g, NULL);
        reached = failing_end();
        t.failed += reached;
        t.silent += reached ? status != IMP_NO_MEMORY || imp_granular_step(g, NULL) != IMP_NO_MEMORY
                            : imp_granular_count(g) != 9 * ((STEPS - 1) / 2);
        imp_granular_free(g);
        t.kept += failing_living != before;
    }
    ok(t.silent == 0 && t.kept == 0 && t.failed > 30,
       "a granular flow: %ld allocations failed, %ld without ending it, %ld left something "
       "allocated",
       t.failed, t.silent, t.kept);
}

/* Bodies under constraints, and what an impulse does to them. */
static void try_bilateral(bool on) {
    const gen_many g = gen_bodies(4, 5);
    imp_term term[2 * IMP_PAIR_TERMS];
    imp_pair pair = {.kind = IMP_PAIR_WELD, .a = IMP_GROUND, .b = 0};
    imp_constraints given = {.term = term};
    tally t = {0};
    for (int k = 0, rows; k < 2; k++) { /* the second is redundant */
        given.terms += imp_pair_terms(&pair, g.body, given.rows, term + given.terms, &rows);
        given.rows += rows;
    }
    bool reached = true;
    for (long k = -1; reached; k++) {
        const long before = failing_living;
        imp_bilateral *made_of = NULL;
        imp_bilateral_errors errors;
        double q[3 * GEN_MOST_CONTACTS], velocity[6 * GEN_MOST_CONTACTS], lambda[12];
        failing_from(k, on);
        imp_status status =
            imp_bilateral_new(g.nb, g.body, g.nc, g.contact, &given, &made_of, q, NULL);
        if (status == IMP_OK)
            status = imp_bilateral_recover(made_of, g.q, NULL, velocity, lambda, NULL);
        if (status == IMP_OK)
            status = imp_bilateral_judge(made_of, g.q, NULL, velocity, lambda, &errors);
        reached = failing_end() || k < 0;
        t.failed += reached && k >= 0;
        t.silent += status != (reached && k >= 0 ? IMP_NO_MEMORY : IMP_OK);
        imp_bilateral_free(made_of);
        t.kept += k >= 0 && failing_living != before; /* what LAPACK sets up once, is */
    }
    report("constraints", &t);
    ok(t.failed > 30, "constraints: %ld allocations", t.failed);
}

/* What judges without a solve: the check of a W too large for its eigenvalues, and the distance of
 * an answer from the model's own. */
static void try_judges(bool on) {
    enum { MANY = 1001 };
    static double block[9 * MANY], q[3 * MANY], mu[MANY], p[3 * MANY];
    static int start[MANY + 1], column[MANY];
    for (int i = 0; i < MANY; i++) {
        start[i + 1] = i + 1;
        column[i] = i;
        block[9 * i] = block[9 * i + 4] = block[9 * i + 8] = 1;
        q[3 * i] = -1;
    }
    const imp_blocks blocks = {MANY, start, column, block};
    const imp_operator W = imp_operator_blocks(&blocks);
    const imp_problem problem = {.nc = MANY, .W = &W, .q = q, .mu = mu};
    for (int what = 0; what < 2; what++) {
        tally t = {0};
        bool reached = true;
        for (long k = 0; reached; k++) {
            const long before = failing_living;
            imp_certificate c = {0};
            failing_from(k, on);
            const imp_status status = what ? imp_certificate_note_distance(&c, &problem, p, q)
                                           : imp_problem_check(&problem, NULL);
            reached = failing_end();
            t.failed += reached;
            t.silent += status != (reached ? IMP_NO_MEMORY : IMP_OK);
            t.kept += failing_living != before;
        }
        const char *name = what ? "a distance" : "a check of many contacts";
        report(name, &t);
        ok(t.failed > 1, "%s: %ld allocations", name, t.failed);
    }
}

int main(void) {
#if !FAILING_HERE
    return skip_all("an allocator of its own");
#endif
    for (const imp_model *const *m = imp_models; *m; m++) {
        tally t = {0};
        for (uint64_t k = 0; k < 12; k++) {
            const bool many = (*m)->takes & IMP_TAKES_MANY && k % 3 > 0;
            const situation s = many ? situation_many(*m, k) : situation_one(*m, k);
            imp_operator W;
            const imp_problem problem = situation_problem(&s, &W);
            try_all(*m, &problem, &t);
        }
        report((*m)->name, &t);
        ok(t.failed > 0 || !((*m)->takes & IMP_TAKES_MANY), "%s: %ld allocations", (*m)->name,
           t.failed);
    }
    for (int kind = 0; kind < PILE_KINDS; kind++) {
        /* the box: Newton steps; the chain: the interior path */
        try_pile(&imp_model_auto, (pile_kind)kind, kind == PILE_BOX ? 2 : 1,
                 kind == PILE_BOX     ? 16
                 : kind == PILE_CHAIN ? 64
                                      : 24);
        /* 80: sparse factors */
        try_pile(&imp_model_drumwright, (pile_kind)kind, 1, kind == PILE_SPHERES ? 80 : 24);
    }
    try_pile(&imp_model_auto, PILE_WALL, 1, 16); /* two islands, of W = G'G */
    for (int on = 0; on < 2; on++) {
        try_flow(on == 1);
        try_bilateral(on == 1);
        try_judges(on == 1);
        try_scene("benchmarks/scenes/cradle.json", on == 1);
        try_scene("benchmarks/scenes/arm.json", on == 1);
        try_scene("benchmarks/scenes/four-bar.json", on == 1);
        try_course("benchmarks/scenes/bounce.json", "run.until=1", on == 1);
        try_course("benchmarks/scenes/lasting.json", "run.until=0.0001", on == 1);
        try_sweep("benchmarks/scenes/wedge.json", on == 1);
        try_sweep("benchmarks/scenes/ball.json", on == 1);
        try_loop("benchmarks/scenes/four-bar.json", on == 1);
    }
    return tap_done();
}
