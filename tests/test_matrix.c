/* test_matrix.c - the matrix of models and scenes: right answers lie in their committed bands,
 * wrong ones do not, and every blank has its reason. */
#include "benchmarks/harness/matrix.h"
#include "lib/impact.h"
#include "scratch.h"
#include "tap.h"

/* ---- models that are wrong ---- */

static const imp_model *real;                      /* the model that a wrong one spoils */
static void (*spoil)(double *p, int nc, double e); /* how */

static imp_status solve_wrong(const imp_problem *problem, const void *settings, double *p,
                              void *work, imp_info *info) {
    const imp_status status = real->solve(problem, settings, p, work, info);
    if (status == IMP_OK) spoil(p, problem->nc, problem->e ? problem->e[0] : 0);
    return status;
}

/* Its certificate refuses it, and so may the bands: here they must by themselves. */
static double any_residual(const void *settings) {
    (void)settings;
    return INFINITY;
}

static void one_per_cent(double *p, int nc, double e) {
    (void)e;
    for (int i = 0; i < 3 * nc; i++)
        p[i] *= 1.01;
}

static void no_restitution(double *p, int nc, double e) {
    for (int i = 0; i < 3 * nc; i++)
        p[i] /= 1 + e;
}

static void less_friction(double *p, int nc, double e) {
    (void)e;
    for (int i = 0; i < 3 * nc; i++)
        if (i % 3) p[i] *= 0.98;
}

/* ---- verdicts ---- */

static int verdicts(const matrix *m, matrix_bands *bands, int quantity,
                    int count[MATRIX_VERDICTS]) {
    int asked = 0;
    memset(count, 0, MATRIX_VERDICTS * sizeof *count);
    for (int i = 0; i < m->count; i++)
        for (int k = 0; k < MATRIX_QUANTITIES; k++) {
            const matrix_cell *c = &m->cell[i];
            const char *reason;
            if ((quantity >= 0 && k != quantity) || !matrix_asks(c, (matrix_quantity)k)) continue;
            const matrix_verdict v = matrix_judge(c, (matrix_quantity)k, bands, &reason, NULL);
            if (v != MATRIX_HOLDS && v != MATRIX_EXCUSED && quantity < 0)
                diag("%s, %s, %s: %s (%g)", c->scene, c->model, matrix_quantity_names[k],
                     matrix_verdict_names[v], c->error[k]);
            count[v]++;
            asked++;
        }
    return asked;
}

static void add(matrix *m, const char *name, const imp_model *const models[]) {
    imp_error error;
    if (!matrix_add_file(m, name, models, NULL, &error)) ok(false, "%s", error.text);
}

static void test_right(matrix_bands *bands) {
    static const char *const names[] = {"brick-point", "ball", "wedge",
                                        "academic",    "ramp", "painleve"};
    matrix m = {0};
    int count[MATRIX_VERDICTS];
    for (int i = 0; i < 6; i++)
        add(&m, names[i], matrix_models());
    const int asked = verdicts(&m, bands, -1, count);
    ok(count[MATRIX_HOLDS] > 400 && count[MATRIX_HOLDS] + count[MATRIX_EXCUSED] == asked,
       "%d scenes: %d errors in their bands, %d blanks with a reason, of %d", m.scenes,
       count[MATRIX_HOLDS], count[MATRIX_EXCUSED], asked);
    bool in_place = true;
    for (int i = 1; i < m.count; i++)
        in_place = in_place && (m.cell[i].place == m.cell[i - 1].place ||
                                m.cell[i].place == m.cell[i - 1].place + 1);
    ok(in_place && m.scenes == 4 + 3 + 1 + 2 + 5 + 1, "scene by scene");
    matrix_clear(&m);
}

/* Do all numbers of the cell lie in their bands? */
static bool holds(const matrix_cell *c, matrix_bands *bands) {
    bool good = true;
    int numbers = 0;
    for (int k = 0; k < MATRIX_QUANTITIES; k++) {
        const char *reason;
        if (!matrix_asks(c, (matrix_quantity)k)) continue;
        const matrix_verdict v = matrix_judge(c, (matrix_quantity)k, bands, &reason, NULL);
        numbers += v == MATRIX_HOLDS;
        good = good && (v == MATRIX_HOLDS || v == MATRIX_EXCUSED);
    }
    return good && numbers > 0;
}

/* Of two models that go by one name, both beside the same compliant runs: how many cells hold of
 * each. Returns the number of cells of one. */
static int beside(matrix_bands *bands, const char *scene_name, const imp_model *one,
                  const imp_model *other, int hold[2]) {
    const imp_model *const models[] = {one, other, NULL};
    matrix m = {0};
    int cells = 0;
    hold[0] = hold[1] = 0;
    add(&m, scene_name, models);
    for (int i = 0; i < m.count; i++)
        if (strcmp(m.cell[i].model, "compliant") != 0)
            hold[cells++ % 2] += holds(&m.cell[i], bands);
    matrix_clear(&m);
    return cells / 2;
}

/* A spoilt model under its own name: none of its cells holds. */
static void test_wrong(matrix_bands *bands, const char *model, const char *scene_name,
                       const char *what, void (*how)(double *, int, double)) {
    real = matrix_model_find(model);
    imp_model wrong = *real;
    wrong.solve = solve_wrong;
    wrong.bound = any_residual;
    spoil = how;
    int hold[2];
    beside(bands, scene_name, real, &wrong, hold);
    ok(hold[0] > 0 && hold[1] == 0, "%s on %s, %s: %d cells hold, %d of the spoilt", model,
       scene_name, what, hold[0], hold[1]);
}

static void test_all_wrong(matrix_bands *bands) {
    static const char *const models[] = {"darboux-stronge", "plus",  "drumwright", "auto",
                                         "maxdiss",         "moreau"};
    for (int i = 0; i < 6; i++) {
        if (i < tap_many(2, 6))
            test_wrong(bands, models[i], "brick-point", "1 % more impulse", one_per_cent);
        test_wrong(bands, models[i], "ball", "1 % more impulse", one_per_cent);
        test_wrong(bands, models[i], "ball", "no restitution", no_restitution);
    }
    test_wrong(bands, "darboux-newton", "rod", "2 % less friction", less_friction);
    test_wrong(bands, "coulomb", "academic", "1 % more impulse", one_per_cent);
    test_wrong(bands, "newton", "wedge", "2 % less friction", less_friction);
    test_wrong(bands, "drumwright", "ten-boxes", "1 % more impulse", one_per_cent);
    test_wrong(bands, "auto", "ramp", "2 % less friction", less_friction);
    test_wrong(bands, "moreau tangential=1", "brick-point", "2 % less friction", less_friction);
    test_wrong(bands, "sequential order=listed", "wedge", "1 % more impulse", one_per_cent);
}

/* A row of a setting holds its bands, and the model without the setting does not. */
static void test_setting(matrix_bands *bands, const char *name, const char *model,
                         const char *scene_name) {
    const imp_model *row = matrix_model_find(name);
    imp_model plain = *imp_model_find(model);
    plain.name = name;
    if (!ok(row != NULL, "%s is a row", name)) return;
    int hold[2];
    const int cells = beside(bands, scene_name, row, &plain, hold);
    ok(hold[0] == cells && hold[1] < cells, "on %s %d of %d cells hold, %d of %s's own", scene_name,
       hold[0], cells, hold[1], model);
}

/* ---- the judge by itself ---- */

static matrix_verdict judge(const char *model, double error, imp_status status, const char *why,
                            bool several, bool restitution, matrix_quantity quantity,
                            matrix_bands *bands) {
    matrix_cell c = {.status = status,
                     .why = why,
                     .several = several,
                     .restitution = restitution,
                     .scene = "here"};
    const char *reason;
    snprintf(c.model, sizeof c.model, "%s", model);
    c.error[quantity] = error;
    return matrix_judge(&c, quantity, bands, &reason, NULL);
}

static bool write_bands(const char *path, const char *text) {
    FILE *out = fopen(path, "w");
    if (!out) return false;
    fputs(text, out);
    return fclose(out) == 0;
}

static void test_judge(void) {
    const char *path = scratch_path("bands.tsv");
    matrix_bands b;
    write_bands(
        path, "# x\nscene\tmodel\tquantity\tlow\thigh\treason\nhere\tm\town\t0.1\t0.2\tso it is\n");
    ok(matrix_bands_open(path, &b) && b.count == 1 && strcmp(b.band[0].reason, "so it is") == 0,
       "a band is read");
    ok(judge("m", 0.1, IMP_OK, NULL, false, true, MATRIX_OWN, &b) == MATRIX_HOLDS && b.band[0].met,
       "in it");
    ok(judge("m", 0.0999, IMP_OK, NULL, false, true, MATRIX_OWN, &b) == MATRIX_OUTSIDE, "below");
    ok(judge("m", 0.2001, IMP_OK, NULL, false, true, MATRIX_OWN, &b) == MATRIX_OUTSIDE, "above");
    ok(judge("m", INFINITY, IMP_OK, NULL, false, true, MATRIX_OWN, &b) == MATRIX_OUTSIDE,
       "infinite");
    ok(judge("m", 0.15, IMP_OK, NULL, false, true, MATRIX_COMMON, &b) == MATRIX_UNJUDGED,
       "another quantity: no band");
    ok(judge("n", 0.15, IMP_OK, NULL, false, true, MATRIX_OWN, &b) == MATRIX_UNJUDGED,
       "another model: no band");
    ok(judge("m", NAN, IMP_UNSUPPORTED, "friction", false, true, MATRIX_OWN, &b) == MATRIX_MISSING,
       "a band, but no number");
    ok(judge("n", NAN, IMP_UNSUPPORTED, "friction", false, true, MATRIX_OWN, &b) == MATRIX_EXCUSED,
       "unsupported");
    ok(judge("n", NAN, IMP_UNSUPPORTED, NULL, false, true, MATRIX_OWN, &b) == MATRIX_MISSING,
       "without a reason");
    ok(judge("n", NAN, IMP_OK, NULL, false, false, MATRIX_OWN, &b) == MATRIX_EXCUSED,
       "no restitution");
    ok(judge("n", NAN, IMP_OK, NULL, false, false, MATRIX_COMMON, &b) == MATRIX_MISSING,
       "is none for the common e");
    ok(judge("n", NAN, IMP_OK, NULL, true, true, MATRIX_PLASTIC, &b) == MATRIX_EXCUSED,
       "several compressions");
    ok(judge("n", NAN, IMP_NOT_CONVERGED, NULL, false, true, MATRIX_PLASTIC, &b) == MATRIX_MISSING,
       "not solved");
    matrix_bands_clear(&b);
    static const char *const bad[] = {
        "here\tm\town\t0.1\t0.2\n", "here\tm\tmine\t0.1\t0.2\tso\n", "here\tm\town\t0.2\t0.1\tso\n",
        "here\tm\town\t0.1x\t0.2\tso\n", "here\tm\town\tnan\t0.2\tso\n"};
    for (int i = 0; i < 5; i++) {
        char text[200];
        snprintf(text, sizeof text, "scene\tmodel\tquantity\tlow\thigh\treason\n%s", bad[i]);
        write_bands(path, text);
        ok(!matrix_bands_open(path, &b) && b.count == 0, "refused: %.20s", bad[i]);
    }
    ok(!matrix_bands_open(scratch_path("none"), &b), "no file");
}

int main(void) {
    matrix_bands bands;
    if (!ok(matrix_bands_open("benchmarks/matrix_bands.tsv", &bands) && bands.count > 1000,
            "the committed bands"))
        return tap_done();
    test_right(&bands);
    test_all_wrong(&bands);
    test_setting(&bands, "moreau tangential=1", "moreau", "brick-point");
    test_setting(&bands, "sequential order=listed", "sequential", "brick-face");
    matrix_bands_clear(&bands);
    test_judge();
    return tap_done();
}
