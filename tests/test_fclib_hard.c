/* test_fclib_hard.c - `auto` on ten hard problems of the FCLIB collection (reference/data/fclib):
 * solved, by the error recomputed here from the definition on W written out, within some times the
 * work they need; and a crippled `auto`, which may do next to nothing, fails this test's measure on
 * every one of them. */
#include "benchmarks/harness/natural_error.h"
#include "io/fclib.h"
#include "tap.h"

#include <string.h>

static const struct {
    const char *file;
    double sweeps; /* it may take: some times what it takes here */
} hard[] = {
    {"RockPile_tob1_local", 60000},        {"spheres-in-a-box-98-i10000-256-10_global", 20000},
    {"KaplasTower-i1061-4_local", 1000},   {"Capsules-i100-1090_local", 2000},
    {"Capsules-i101-404_local", 1000},     {"Capsules-i103-990_local", 2000},
    {"Capsules-i100-889_local", 1000},     {"BoxesStack-fclib-test_local", 2000},
    {"Spheres-i099-356-679_global", 1000}, {"LMGC_100_PR_PerioBox-i00361-60-03000_local", 2000}};
static const double tolerance = 1e-8;

static void read_problem(const char *name, imp_fclib *problem) {
    char path[200];
    imp_input input;
    imp_error error = {.text = ""};
    snprintf(path, sizeof path, "reference/data/fclib/%s.hdf5", name);
    bool good = imp_input_open(&input, path, &error) == IMP_OK;
    if (good) {
        good = imp_fclib_read(&input, problem, &error) == IMP_OK;
        imp_input_close(&input);
    }
    if (!good) {
        diag("%s", error.text);
        exit(1);
    }
}

/* `auto` within so many sweeps; p (3nc) <- what it leaves, from zero. */
static imp_status solve(const imp_problem *problem, double sweeps, double *p, imp_info *info) {
    imp_settings settings;
    imp_blocks_settings own;
    imp_model_presets(&imp_model_auto, &settings);
    memcpy(&own, &settings, sizeof own);
    own.tolerance = tolerance;
    own.max_sweeps = sweeps;
    memcpy(&settings, &own, sizeof own);
    memset(p, 0, 3 * (size_t)problem->nc * sizeof *p);
    return imp_solve(&imp_model_auto, problem, &settings, p, info);
}

static void test_problem(const char *name, double sweeps) {
    imp_fclib file, local;
    imp_fclib_posed posed, plain;
    imp_info info = {0};
    read_problem(name, &file);
    if (imp_fclib_pose(&file, &posed) != IMP_OK || imp_fclib_local(&file, &local) != IMP_OK ||
        imp_fclib_pose(&local, &plain) != IMP_OK)
        exit(1);
    double *p = malloc(3 * (size_t)file.nc * sizeof *p);
    const imp_status status = solve(&posed.problem, sweeps, p, &info);
    const double error = natural_error_apart(&plain.problem, p);
    ok(status == IMP_OK && error <= 1.001 * tolerance, "%s: %s, error %.2e within %g, %d sweeps",
       name, imp_status_text(status), error, tolerance, info.iterations);
    const imp_status crippled = solve(&posed.problem, 1, p, NULL);
    const double left = natural_error(&plain.problem, p);
    ok(crippled == IMP_NOT_CONVERGED && left > 10 * tolerance, "  with one sweep %s, error %.2e",
       imp_status_text(crippled), left);
    free(p);
    imp_fclib_posed_clear(&plain);
    imp_fclib_posed_clear(&posed);
    imp_fclib_clear(&local);
    imp_fclib_clear(&file);
}

int main(void) {
    for (size_t k = 0; k < sizeof hard / sizeof *hard; k++)
        test_problem(hard[k].file, hard[k].sweeps);
    return tap_done();
}
