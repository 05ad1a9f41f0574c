/* test_fclib_lambda.c - impulses of bilateral constraints in FCLIB files: written beside the
 * answer, and judged, by the equations of the file. */
#include "fclib_body.h"
#include "fclib_constraints.h"

/* The answers of a model to global files, by the numbers in the file that it is written to. */
static void test_answers(void) {
    double worst_u = 0, worst_rows = 0, worst_momentum = 0;
    int solved = 0;
    for (uint64_t k = 0; k < 10; k++) {
        imp_fclib global = made(k, 4, k % 2);
        imp_fclib_posed posed;
        imp_answer answer;
        imp_error error;
        double p[ROWS], u[ROWS], v[DOF], l[4], own[ROWS];
        if (imp_fclib_pose(&global, &posed) != IMP_OK) abort();
        solved += imp_answer_solve(NULL, &imp_model_auto, &posed.problem, NULL, NULL, p, u, NULL,
                                   &answer) == IMP_OK;
        FILE *out = fopen(scratch_path("answer.hdf5"), "wb");
        if (!out || imp_answer_write_fclib(&global, &imp_model_auto, &posed.problem, &answer, false,
                                           out, "answer", &error) != IMP_OK)
            abort();
        fclose(out);
        read_solution(scratch_path("answer.hdf5"), "v", DOF, v);
        read_solution(scratch_path("answer.hdf5"), "u", ROWS, own);
        read_solution(scratch_path("answer.hdf5"), "l", 4, l);
        double momentum[DOF], rows[4];
        memcpy(momentum, global.f, sizeof momentum);
        memcpy(rows, global.b, sizeof rows);
        imp_sparse_multiply(&global.H, p, momentum);
        imp_sparse_multiply(&global.G, l, momentum);
        imp_sparse_multiply_transposed(&global.G, v, rows);
        for (int i = 0; i < DOF; i++)
            worst_momentum =
                tap_worst(worst_momentum, fabs(momentum[i] - global.M.value[i] * v[i]));
        for (int i = 0; i < 4; i++)
            worst_rows = tap_worst(worst_rows, fabs(rows[i]));
        for (int i = 0; i < ROWS; i++)
            worst_u = tap_worst(worst_u, fabs(u[i] - own[i]));
        imp_fclib_posed_clear(&posed);
        imp_fclib_clear(&global);
    }
    note("off by %.1e %.1e %.1e", worst_u, worst_rows, worst_momentum);
    ok(solved == 10, "auto solves what the constraints leave");
    ok(worst_u < 1e-11, "u = W r + V l + q is that of the answer");
    ok(worst_rows < 1e-11 && worst_momentum < 1e-12, "G'v + b = 0 and M v = H r + G l + f");
}

/* The same of local ones. */
static void test_local_answers(void) {
    double worst_u = 0, worst_rows = 0;
    int solved = 0;
    for (uint64_t k = 0; k < 10; k++) {
        imp_fclib global = made(k, 4, k % 2), local;
        imp_fclib_posed posed;
        imp_answer answer;
        imp_error error;
        double p[ROWS], u[ROWS], l[4], own[ROWS];
        if (imp_fclib_local(&global, &local) != IMP_OK || imp_fclib_pose(&local, &posed) != IMP_OK)
            abort();
        solved += imp_answer_solve(NULL, &imp_model_auto, &posed.problem, NULL, NULL, p, u, NULL,
                                   &answer) == IMP_OK;
        FILE *out = fopen(scratch_path("local.hdf5"), "wb");
        if (!out || imp_answer_write_fclib(&local, &imp_model_auto, &posed.problem, &answer, false,
                                           out, "local", &error) != IMP_OK)
            abort();
        fclose(out);
        read_solution(scratch_path("local.hdf5"), "u", ROWS, own);
        read_solution(scratch_path("local.hdf5"), "l", 4, l);
        double w[ROWS], rows[4];
        memcpy(w, local.q, sizeof w);
        memcpy(rows, local.s, sizeof rows);
        imp_sparse_multiply(&local.W, p, w);
        imp_sparse_multiply(&local.V, l, w);
        imp_sparse_multiply_transposed(&local.V, p, rows);
        imp_sparse_multiply(&local.R, l, rows);
        for (int i = 0; i < ROWS; i++)
            worst_u = tap_worst(worst_u, fabs(w[i] - own[i]));
        for (int i = 0; i < 4; i++)
            worst_rows = tap_worst(worst_rows, fabs(rows[i]));
        imp_fclib_posed_clear(&posed);
        imp_fclib_clear(&local);
        imp_fclib_clear(&global);
    }
    ok(solved == 10 && worst_u < 1e-11 && worst_rows < 1e-11,
       "locally: u = W r + V l + q to %.1e, V'r + R l + s = 0 to %.1e", worst_u, worst_rows);
}

/* The status of the answer p to the problem, as it is after it was written; *left: an impulse
 * is. */
static imp_status written_status(const imp_fclib *problem, const double *given, bool *left) {
    imp_fclib_posed posed;
    imp_answer answer;
    imp_error error;
    imp_fclib again;
    imp_input input;
    double p[ROWS], u[ROWS];
    if (imp_fclib_pose(problem, &posed) != IMP_OK) abort();
    const imp_status solved =
        imp_answer_solve(NULL, &imp_model_auto, &posed.problem, NULL, NULL, p, u, NULL, &answer);
    if (given) memcpy(p, given, sizeof p);
    FILE *out = fopen(scratch_path("status.hdf5"), "wb");
    if (solved != IMP_OK || !out ||
        imp_answer_write_fclib(problem, &imp_model_auto, &posed.problem, &answer, false, out,
                               "answer", &error) != IMP_OK)
        abort();
    fclose(out);
    if (imp_input_open(&input, scratch_path("status.hdf5"), &error) != IMP_OK ||
        imp_fclib_read(&input, &again, &error) != IMP_OK)
        abort();
    imp_input_close(&input);
    *left = again.solution != NULL;
    imp_fclib_clear(&again);
    imp_fclib_posed_clear(&posed);
    return answer.status;
}

/* Constraints that no impulse keeps to 1e-12, though the elimination lets them pass. */
static void test_status(void) {
    imp_fclib good = made(1, 4, true), off = made(1, 4, true);
    bool left;
    ok(written_status(&good, NULL, &left) == IMP_OK && left, "kept constraints are ok");
    off.b[3] += 1e-10;
    ok(written_status(&off, NULL, &left) == IMP_NOT_CERTIFIED && left,
       "those that are missed by more than 1e-12 are not");
    double huge[ROWS];
    for (int i = 0; i < ROWS; i++)
        huge[i] = i % 2 ? 1e308 : -1e308;
    ok(written_status(&good, huge, &left) == IMP_OVERFLOW && !left,
       "impulses of constraints that overflow are no answer");
    imp_fclib_clear(&good);
    imp_fclib_clear(&off);
}

static void write_text(const char *path, const double *p, const double *l, int rows, double scale) {
    FILE *out = fopen(path, "w");
    if (!out) abort();
    for (int i = 0; i < ROWS; i++)
        fprintf(out, "%s%.17g", i ? "," : "{\"p\": [", p[i]);
    for (int i = 0; i < rows; i++)
        fprintf(out, "%s%.17g", i ? "," : "], \"lambda\": [", l[i] * (i ? 1 : scale));
    fprintf(out, "]}\n");
    fclose(out);
}

/* l of a solution: read, held against the file's equations, and by the program. */
static void test_said(void) {
    imp_fclib global = made(1, 4, true), local, again;
    imp_fclib_posed posed;
    imp_answer answer;
    imp_input input;
    imp_error error;
    double p[ROWS], u[ROWS], right, right_there, wrong, none[4] = {0}, far;
    bool said, rejected;
    if (imp_fclib_pose(&global, &posed) != IMP_OK ||
        imp_answer_solve(NULL, &imp_model_auto, &posed.problem, NULL, NULL, p, u, NULL, &answer) !=
            IMP_OK)
        abort();
    global.solution = malloc(sizeof p);
    memcpy(global.solution, p, sizeof p);
    write_file(scratch_path("said.hdf5"), &global);
    if (imp_input_open(&input, scratch_path("said.hdf5"), &error) != IMP_OK ||
        imp_fclib_read(&input, &again, &error) != IMP_OK || !again.multipliers)
        abort(); /* l stands in the file */
    imp_input_close(&input);
    imp_fclib_local(&again, &local);
    double *l = again.multipliers;
    bool judged = imp_fclib_judge(&again, p, l, &right) == IMP_OK;
    judged = imp_fclib_judge(&local, p, l, &right_there) == IMP_OK && judged;
    judged = imp_fclib_judge(&again, p, none, &far) == IMP_OK && judged;
    write_text(scratch_path("right.json"), p, l, 4, 1);
    write_text(scratch_path("wrong.json"), p, l, 4, 1.001);
    write_text(scratch_path("short.json"), p, l, 3, 1);
    l[0] *= 1.001;
    judged = imp_fclib_judge(&local, p, l, &wrong) == IMP_OK && judged;
    note("%.1e and %.1e, a thousandth off %.1e, none %.1e", right, right_there, wrong, far);
    ok(judged && right < 1e-13 && right_there < 1e-12 && wrong > 1e-6 && far > 1e-2,
       "it is judged by the equations, of both forms");
    ok(said_by("check --model auto said.hdf5", "\"constraints\":{\"velocity\":", &said) == 0 &&
           said,
       "the program judges that of the file");
    ok(said_by("check --model auto said.hdf5 right.json", "\"constraints\"", &said) == 0 && said,
       "and lambda");
    rejected = said_by("check --model auto said.hdf5 wrong.json",
                       "impulses of its constraints do not keep", &said);
    ok(rejected == 1 && said, "it rejects one that is a thousandth off");
    ok(said_by("check --model auto said.hdf5 short.json", "3 in lambda", &said) == 2 && said,
       "and refuses too few");
    imp_fclib_clear(&local);
    imp_fclib_clear(&again);
    imp_fclib_posed_clear(&posed);
    imp_fclib_clear(&global);
}

/* Impulses of redundant rows, which together do nothing, do not hide what others miss. */
static void test_redundant(void) {
    for (int decade = 0; decade <= 10; decade += 5) {
        imp_fclib p = made(1, 4, true), local;
        const double size = decade ? pow(10, decade) : 0;
        double r[ROWS] = {0}, l[MOST], error;
        r[0] = 1;
        if (imp_fclib_local(&p, &local) != IMP_OK ||
            imp_fclib_constrain(&p, &local, r, l, NULL, &error) != IMP_OK)
            abort();
        l[0] += size, l[1] += size, l[3] -= size;
        const imp_status right = imp_fclib_judge(&p, r, l, &error);
        ok(right == IMP_OK && error < 1e-15 * (1 + size) + 1e-14, "rows that cancel, 1e%d: %.1e",
           decade, error);
        l[2] += 0.01;
        const imp_status wrong = imp_fclib_judge(&p, r, l, &error);
        ok(wrong == IMP_OK && error > 1e-4, "and one that is 0.01 off beside them: %.1e", error);
        imp_fclib_clear(&local);
        imp_fclib_clear(&p);
    }
}

/* y (DOF) less its share along x. */
static void take_along(const double *x, double *y) {
    double xx = 0, xy = 0;
    for (int i = 0; i < DOF; i++)
        xx += x[i] * x[i], xy += x[i] * y[i];
    for (int i = 0; i < DOF; i++)
        y[i] -= xy / xx * x[i];
}

/* f (DOF) <- M v of velocities v that keep the constraints, G'v = 0, but for rounding. */
static void keep_rows(imp_fclib *p, uint64_t index) {
    gen_stream s = gen_seed(906, index);
    double v[DOF], G[MOST][DOF] = {{0}};
    for (int i = 0; i < DOF; i++)
        v[i] = gen_normal(&s);
    for (int j = 0; j < p->bilateral; j++) {
        p->b[j] = 0;
        for (int k = p->G.start[j]; k < p->G.start[j + 1]; k++)
            G[j][p->G.row[k]] = p->G.value[k];
        for (int twice = 0; twice < 2; twice++) /* orthogonal to those before it */
            for (int i = 0; i < j; i++)
                take_along(G[i], G[j]);
    }
    for (int j = 0; j < p->bilateral; j++)
        take_along(G[j], v);
    memset(p->f, 0, DOF * sizeof *p->f);
    imp_sparse_multiply(&p->M, v, p->f);
}

/* Where velocities keep the constraints and nothing pushes no impulse is right, though all that is
 * left of the rows is rounding; one that is small beside the momenta is wrong. */
static void test_nothing(void) {
    int right = 0, refused = 0;
    double worst = 0;
    for (uint64_t index = 0; index < 100; index++) {
        imp_fclib p = made(index, 3, false);
        const double r[ROWS] = {0}, none[MOST] = {0}, little[MOST] = {1e-9};
        double error;
        keep_rows(&p, index);
        right += imp_fclib_judge(&p, r, none, &error) == IMP_OK && error == 0;
        worst = fmax(worst, error);
        refused += imp_fclib_judge(&p, r, little, &error) == IMP_OK && error > 1e-6;
        imp_fclib_clear(&p);
    }
    ok(right == 100, "no impulse where none is needed: %d of 100 are right (%.1e)", right, worst);
    ok(refused == 100, "1e-9 beside it: %d of 100 are not", refused);
}

/* Rows that nothing moves along, but for the rounding of their directions: beside a push at right
 * angles to them, and beside a row that is driven. */
static void test_idle(void) {
    enum { DRAWS = 100 };
    gen_stream s = gen_seed(917, 0);
    int right[2] = {0};
    for (int k = 0; k < DRAWS; k++) {
        const imp_body body = {
            .inv_mass = 1, .inv_inertia = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .orientation = {1}};
        imp_contact contact = {.a = IMP_GROUND};
        imp_term term[2] = {{.row = 0}, {.row = 1}};
        double R[9], error;
        gen_rotation(&s, R);
        memcpy(contact.frame, R, sizeof R);
        for (int i = 0; i < 2; i++)
            memcpy(term[i].axis, R + 3 * (i + 1), 3 * sizeof *R);
        for (int driven = 0; driven < 2; driven++) {
            imp_fclib file = fclib_of_body(&body, 1, &contact, 2, 2, term);
            const double r[3] = {!driven, 0, 0}, l[2] = {driven ? -1 : 0, 0};
            file.b[0] = driven;
            right[driven] += imp_fclib_judge(&file, r, l, &error) == IMP_OK && error < 1e-12;
            imp_fclib_clear(&file);
        }
    }
    ok(right[0] == DRAWS, "rows at right angles to a push: none of %d is missed (%d)", DRAWS,
       DRAWS - right[0]);
    ok(right[1] == DRAWS, "rows at right angles to one that is driven: of %d (%d)", DRAWS,
       DRAWS - right[1]);
}

int main(void) {
    test_answers();
    test_local_answers();
    test_status();
    test_said();
    test_redundant();
    test_nothing();
    test_idle();
    return tap_done();
}
