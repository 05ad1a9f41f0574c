/* readers.c - problems, solutions, scenes and flows, and what is done with what was taken. */
#include "fuzz/targets.h"

#include "granular/granular.h"
#include "granular/setup.h"
#include "impact.h"
#include "io/flow_file.h"
#include "io/problem_file.h"
#include "io/solution_file.h"
#include "scene/scene.h"
#include "scene/steps.h"

#include <math.h>

/* Small enough that every model is asked too. */
enum { MOST_SOLVED = 6, MOST_VARIANTS = 8 };

/* Every model's settings beside the problem, and its answer: numbers, whatever it says. */
static void ask(const imp_problem_file *file, const imp_problem *problem) {
    for (const imp_model *const *m = imp_models; *m; m++) {
        imp_settings settings;
        imp_error error = {IMP_OK, ""};
        double p[3 * MOST_SOLVED] = {0};
        if (!fuzz_ok(imp_problem_file_settings(file, *m, &settings, &error), &error)) continue;
        if (problem->nc > MOST_SOLVED || imp_model_takes(*m, problem) != IMP_OK) continue;
        const imp_status status = imp_solve(*m, problem, NULL, p, NULL);
        for (int i = 0; status >= 0 && i < 3 * problem->nc; i++)
            fuzz_promise(isfinite(p[i]));
    }
}

/* Reads to the end; returns how many problems there are, -1: a fault came. */
static int count_problems(imp_problem_file *file, bool asks) {
    const imp_case *next;
    imp_error error = {IMP_OK, ""};
    for (int n = 0;; n++) {
        if (!fuzz_ok(imp_problem_file_next(file, &next, &error), &error)) return -1;
        if (!next) return n;
        fuzz_promise(imp_problem_check(&next->problem, NULL) == IMP_OK);
        if (asks && n < 4) ask(file, &next->problem);
    }
}

void fuzz_problem(const uint8_t *data, size_t size) {
    imp_problem_file *file = NULL;
    imp_error error = {IMP_OK, ""};
    if (!fuzz_ok(imp_problem_file_open(fuzz_file(data, size), &file, &error), &error)) {
        fuzz_promise(!file);
        return;
    }
    const int count = count_problems(file, true);
    if (count >= 0 && fuzz_ok(imp_problem_file_rewind(file, &error), &error))
        fuzz_promise(count_problems(file, false) == count);
    imp_problem_file_close(file);
}

void fuzz_solution(const uint8_t *data, size_t size) {
    static const char *const ids[] = {"0", "1", "a", "stick"};
    imp_solutions *solutions = NULL;
    imp_error error = {IMP_OK, ""};
    if (!fuzz_ok(imp_solutions_read(fuzz_file(data, size), &solutions, &error), &error)) return;
    for (size_t k = 0; k < sizeof ids / sizeof *ids; k++) {
        const double *p = NULL;
        size_t count;
        const int nc = 1 + (int)(k % 2);
        (void)imp_solutions_path(solutions, ids[k], k);
        (void)imp_solutions_lambda(solutions, ids[k], k, &count);
        (void)imp_solutions_velocities(solutions, ids[k], k, &count);
        if (!fuzz_ok(imp_solutions_take(solutions, ids[k], k, nc, &p, &error), &error)) continue;
        for (int i = 0; p && i < 3 * nc; i++)
            fuzz_promise(isfinite(p[i]));
    }
    (void)fuzz_ok(imp_solutions_all_taken(solutions, &error), &error);
    imp_solutions_free(solutions);
}

void fuzz_scene(const uint8_t *data, size_t size) {
    scene_file file;
    imp_error error = {IMP_OK, ""};
    if (!fuzz_ok(scene_open(fuzz_file(data, size), &file, &error), &error)) return;
    for (int v = 0; v < file.variants && v < MOST_VARIANTS; v++) {
        scene s;
        scene_steps steps;
        if (fuzz_ok(scene_build_rubbing(&file, v, &s, &error), &error)) scene_clear(&s);
        if (fuzz_ok(scene_steps_build(&file, v, &steps, &error), &error)) scene_steps_clear(&steps);
    }
    scene_close(&file);
}

static const double MOST_SPHERES = 2000;

/* Does it hold few spheres, so that three steps take milliseconds? */
static bool is_small(const imp_flow *flow) {
    double filled = flow->fill ? 1 : 0, cells = 1;
    const double layer = (double)flow->inflow.ny * flow->inflow.nz;
    for (int x = 0; x < 3; x++) {
        const double room = flow->settings.high[x] - flow->settings.low[x];
        filled *= (flow->fill_high[x] - flow->fill_low[x]) / flow->inflow.spacing + 1;
        cells *= room / (2 * flow->inflow.radius) + 1;
    }
    return filled <= MOST_SPHERES && cells <= 1e6 &&
           (flow->inflow.plane < 0 || layer <= MOST_SPHERES);
}

void fuzz_steps(imp_granular *g, int count) {
    imp_granular_report report;
    for (int i = 0; i < count; i++)
        if (imp_granular_step(g, &report) != IMP_OK) return;
}

void fuzz_flow(const uint8_t *data, size_t size) {
    imp_flow flow;
    imp_error error = {IMP_OK, ""};
    imp_status status = IMP_OK;
    if (!fuzz_ok(imp_flow_read(fuzz_file(data, size), NULL, &flow, &error), &error)) return;
    if (!is_small(&flow)) return;
    flow.settings.threads = 1;
    flow.settings.sweeps = flow.settings.sweeps < 20 ? flow.settings.sweeps : 20;
    flow.settings.most_sweeps = flow.settings.most_sweeps < 20 ? flow.settings.most_sweeps : 20;
    imp_granular *g = imp_flow_start(&flow, false, &status);
    fuzz_promise(g || status != IMP_OK);
    if (g) fuzz_steps(g, 3);
    imp_granular_free(g);
}
