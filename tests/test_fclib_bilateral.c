/* test_fclib_bilateral.c - FCLIB files with bilateral constraints, global (G, b) and local (V, R,
 * s): read, solved, written with l, held against the file's own equations. */
#include "generators/gen.h"
#include "impact.h"
#include "io/fclib.h"
#include "io/fclib_bilateral.h"
#include "io/hdf5_image.h"
#include "linear/dense.h"
#include "scratch.h"
#include "tap.h"

enum { BODIES = 5, DOF = 3 * BODIES, NC = BODIES - 1, ROWS = 3 * NC, MOST = 6 };

/* What the file at this path holds, and the contact problem it states. */
static imp_status read_posed(const char *path, imp_fclib *problem, imp_fclib_posed *posed) {
    imp_input input;
    imp_error error;
    imp_status status = imp_input_open(&input, path, &error);
    if (status != IMP_OK) return status;
    status = imp_fclib_read(&input, problem, &error);
    imp_input_close(&input);
    return status == IMP_OK ? imp_fclib_pose(problem, posed) : status;
}

static void write_file(const char *path, const imp_fclib *problem) {
    imp_error error;
    FILE *out = fopen(path, "wb");
    if (!out || imp_fclib_write(out, path, problem, &error) != IMP_OK || fclose(out) != 0) abort();
}

/* Point masses in a row, each touching the next; m of their velocities' combinations are given, of
 * which the last is the sum of the first two where `redundant`. */
static imp_fclib made(uint64_t index, int m, bool redundant) {
    gen_stream s = gen_seed(905, index);
    int row[DOF * MOST], column[DOF * MOST], count = 0;
    double value[DOF * MOST], dense[DOF * MOST] = {0};
    imp_fclib p = {.nc = NC, .dof = DOF, .bilateral = m, .title = strdup("made")};
    for (int i = 0; i < DOF; i++) {
        row[i] = column[i] = i;
        value[i] = gen_uniform(&s, 0.5, 2);
    }
    imp_sparse_from_triplets(DOF, DOF, DOF, row, column, value, &p.M);
    for (int k = 0; k < 2 * ROWS; k++) {
        row[k] = k % ROWS + (k < ROWS ? 0 : 3);
        column[k] = k % ROWS;
        value[k] = k < ROWS ? -1 : 1;
    }
    imp_sparse_from_triplets(DOF, ROWS, 2 * ROWS, row, column, value, &p.H);
    p.f = calloc(DOF, sizeof *p.f);
    p.w = calloc(ROWS, sizeof *p.w);
    p.b = calloc((size_t)m, sizeof *p.b);
    p.mu = calloc(NC, sizeof *p.mu);
    for (int i = 0; i < DOF; i++)
        p.f[i] = gen_normal(&s);
    for (int j = 0; j < m; j++) {
        p.b[j] = redundant && j == m - 1 ? p.b[0] + p.b[1] : gen_normal(&s);
        for (int i = 0; i < DOF; i++)
            dense[DOF * j + i] =
                redundant && j == m - 1 ? dense[i] + dense[DOF + i] : gen_normal(&s);
    }
    for (int k = 0; k < DOF * m; k++, count++) {
        row[count] = k % DOF;
        column[count] = k / DOF;
        value[count] = dense[k];
    }
    imp_sparse_from_triplets(DOF, m, count, row, column, value, &p.G);
    for (int i = 0; i < NC; i++)
        p.mu[i] = gen_uniform(&s, 0, 1);
    return p;
}

/* u = H'v + w of M v = H r + G l + f, G'v + b = 0, the first m rows of G by elimination. */
static void by_elimination(const imp_fclib *p, int m, const double *r, double *u) {
    enum { SIZE = DOF + MOST };
    double A[SIZE * SIZE] = {0}, x[SIZE];
    const int n = DOF + m;
    memcpy(x, p->f, DOF * sizeof *x);
    imp_sparse_multiply(&p->H, r, x);
    for (int i = 0; i < DOF; i++)
        A[i * n + i] = p->M.value[i];
    for (int j = 0; j < m; j++) {
        x[DOF + j] = -p->b[j];
        for (int k = p->G.start[j]; k < p->G.start[j + 1]; k++) {
            A[(DOF + j) * n + p->G.row[k]] = -p->G.value[k];
            A[p->G.row[k] * n + DOF + j] = p->G.value[k];
        }
    }
    if (!imp_eliminate(n, A, NULL, x)) abort();
    memcpy(u, p->w, ROWS * sizeof *u);
    imp_sparse_multiply_transposed(&p->H, x, u);
}

static void test_elimination(void) {
    double worst = 0;
    int good = 0;
    for (uint64_t k = 0; k < 30; k++) {
        const bool redundant = k % 2;
        const int m = 3 + (int)(k % 4);
        imp_fclib written = made(k, m, redundant), global, local;
        imp_fclib_posed posed, again;
        write_file(scratch_path("global.hdf5"), &written);
        if (read_posed(scratch_path("global.hdf5"), &global, &posed) != IMP_OK) continue;
        imp_fclib_local(&global, &local);
        write_file(scratch_path("local.hdf5"), &local);
        imp_fclib_clear(&local);
        if (read_posed(scratch_path("local.hdf5"), &local, &again) != IMP_OK) continue;
        gen_stream s = gen_seed(906, k);
        double r[ROWS], u[ROWS], want[ROWS];
        for (int i = 0; i < ROWS; i++)
            r[i] = gen_normal(&s);
        by_elimination(&written, redundant ? m - 1 : m, r, want);
        for (int form = 0; form < 2; form++) {
            const imp_problem *it = form ? &again.problem : &posed.problem;
            imp_operator_apply(it->W, r, it->q, u);
            for (int i = 0; i < ROWS; i++)
                worst = tap_worst(worst, fabs(u[i] - want[i]) / (1 + fabs(want[i])));
        }
        good += global.bilateral == m && local.bilateral == m;
        imp_fclib_posed_clear(&posed);
        imp_fclib_posed_clear(&again);
        imp_fclib_clear(&global);
        imp_fclib_clear(&local);
        imp_fclib_clear(&written);
    }
    note("off by %.1e", worst);
    ok(good == 30, "both forms are written, read and posed");
    ok(worst < 1e-11, "u = W r + q of what the constraints leave, redundant ones too");
}

/* A light mass held between heavy ones: what its contact sees of W is theirs, against the closed
 * form, where the three are one mass. */
static void test_spread(void) {
    double worst = 0, kept = 0;
    for (int decade = 0; decade <= 8; decade++) {
        const double heavy = pow(10, decade), total = 2 * heavy + 1;
        int row[12], column[12];
        double value[12], r[3] = {heavy, 0.3 * heavy, -0.2 * heavy}, u[3], l[6], error = INFINITY;
        imp_fclib p = {.nc = 1, .dof = 9, .bilateral = 6}, local;
        imp_fclib_posed posed;
        for (int i = 0; i < 9; i++) {
            row[i] = column[i] = i;
            value[i] = i / 3 == 1 ? 1 : heavy;
        }
        imp_sparse_from_triplets(9, 9, 9, row, column, value, &p.M);
        for (int k = 0; k < 12; k++) { /* v_1 - v_0, v_2 - v_1 */
            column[k] = k % 6;
            row[k] = k % 6 + (k < 6 ? 0 : 3);
            value[k] = k < 6 ? -1 : 1;
        }
        imp_sparse_from_triplets(9, 6, 12, row, column, value, &p.G);
        for (int k = 0; k < 3; k++) {
            row[k] = 3 + k;
            column[k] = k;
            value[k] = 1;
        }
        imp_sparse_from_triplets(9, 3, 3, row, column, value, &p.H);
        p.f = calloc(9, sizeof *p.f);
        p.w = calloc(3, sizeof *p.w);
        p.b = calloc(6, sizeof *p.b);
        p.mu = calloc(1, sizeof *p.mu);
        p.f[0] = -heavy;
        p.f[7] = heavy / 3;
        if (imp_fclib_pose(&p, &posed) == IMP_OK && imp_fclib_local(&p, &local) == IMP_OK) {
            imp_operator_apply(posed.problem.W, r, posed.problem.q, u);
            for (int k = 0; k < 3; k++)
                worst = tap_worst(worst, fabs(u[k] - (r[k] + p.f[k] + p.f[6 + k]) / total));
            (void)imp_fclib_constrain(&p, &local, r, l, &error);
            imp_fclib_clear(&local);
            imp_fclib_posed_clear(&posed);
        } else {
            worst = INFINITY;
        }
        kept = tap_worst(kept, error);
        imp_fclib_clear(&p);
    }
    note("off by %.1e, kept to %.1e", worst, kept);
    ok(worst < 1e-14 && kept < 1e-14, "masses up to 1e8 apart that move as one");
}

/* Rows that together hold a contact leave it nothing, not rounding, in both forms. */
static void test_held(void) {
    int nothing = 0, taken = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        gen_stream s = gen_seed(908, seed);
        imp_fclib p = made(seed, 4, false), local;
        imp_fclib_posed posed[2];
        int contact;
        for (int j = 0; j < 4; j++) { /* a mixture of u_n, u_t, u_o of contact 0, and of row 3 */
            const double of_row = gen_normal(&s);
            double *G = p.G.value + p.G.start[j], *last = p.G.value + p.G.start[3];
            p.b[j] = 0;
            for (int i = 0; i < DOF; i++)
                G[i] = j < 3 ? of_row * last[i] : last[i];
            for (int k = 0; k < 3; k++) {
                const double of = gen_normal(&s);
                G[k] -= of;
                G[3 + k] += of;
            }
        }
        if (imp_fclib_local(&p, &local) != IMP_OK || imp_fclib_pose(&p, &posed[0]) != IMP_OK ||
            imp_fclib_pose(&local, &posed[1]) != IMP_OK)
            abort();
        for (int form = 0; form < 2; form++) {
            double W[ROWS * ROWS], most = 0;
            imp_operator_write(posed[form].problem.W, W);
            for (int k = 0; k < 3 * ROWS; k++)
                most = fmax(most, fabs(W[k]));
            nothing += most == 0;
            taken += imp_problem_check(&posed[form].problem, &contact) == IMP_OK;
            imp_fclib_posed_clear(&posed[form]);
        }
        imp_fclib_clear(&local);
        imp_fclib_clear(&p);
    }
    ok(taken == 400, "%d of 400 with a contact that is held are problems", taken);
    ok(nothing == 400, "which moves it in none: %d", nothing);
}

/* The answers of a model in both forms, by the numbers in the file that it is written to. */
static void test_answers(void) {
    double worst_u = 0, worst_rows = 0, worst_momentum = 0;
    int solved = 0;
    for (uint64_t k = 0; k < 10; k++) {
        imp_fclib global = made(k, 4, k % 2);
        imp_fclib_posed posed;
        imp_answer answer;
        imp_error error;
        double p[ROWS], u[ROWS], *v = NULL, *l = NULL, *own = NULL;
        if (imp_fclib_pose(&global, &posed) != IMP_OK) abort();
        solved += imp_answer_solve(NULL, &imp_model_auto, &posed.problem, NULL, NULL, p, u, NULL,
                                   &answer) == IMP_OK;
        FILE *out = fopen(scratch_path("answer.hdf5"), "wb");
        if (!out || imp_answer_write_fclib(&global, &imp_model_auto, &posed.problem, &answer, false,
                                           out, "answer", &error) != IMP_OK)
            abort();
        fclose(out);
        imp_input input;
        hdf5_image image;
        int counts[3] = {DOF, 4, ROWS};
        if (imp_input_open(&input, scratch_path("answer.hdf5"), &error) != IMP_OK ||
            imp_hdf5_image_open(&image, &input, &error) != IMP_OK ||
            imp_hdf5_read_doubles(&image, "/solution", "v", &counts[0], &v) != IMP_OK ||
            imp_hdf5_read_doubles(&image, "/solution", "l", &counts[1], &l) != IMP_OK ||
            imp_hdf5_read_doubles(&image, "/solution", "u", &counts[2], &own) != IMP_OK)
            abort();
        imp_hdf5_image_close(&image);
        imp_input_close(&input);
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
        free(v);
        free(l);
        free(own);
        imp_fclib_posed_clear(&posed);
        imp_fclib_clear(&global);
    }
    note("off by %.1e %.1e %.1e", worst_u, worst_rows, worst_momentum);
    ok(solved == 10, "auto solves what the constraints leave");
    ok(worst_u < 1e-11, "u = W r + V l + q is that of the answer");
    ok(worst_rows < 1e-11 && worst_momentum < 1e-12, "G'v + b = 0 and M v = H r + G l + f");
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

static void test_refusals(void) {
    imp_fclib_posed posed;
    imp_fclib contradict = made(1, 4, true), near = made(1, 4, true), crooked;
    contradict.b[3] += 1e-3;
    ok(imp_fclib_pose(&contradict, &posed) == IMP_NO_SOLUTION, "rows that contradict");
    imp_fclib_local(&near, &crooked);
    near.G.value[near.G.start[3]] += 1e-10;
    ok(imp_fclib_pose(&near, &posed) == IMP_NOT_CERTIFIED, "rows that almost depend");
    for (int k = crooked.R.start[3]; k < crooked.R.start[4]; k++)
        if (crooked.R.row[k] == 3) crooked.R.value[k] *= 1 + 1e-10;
    ok(imp_fclib_pose(&crooked, &posed) == IMP_NOT_CERTIFIED, "and in R, by their squares");
    imp_fclib_clear(&crooked);
    imp_fclib_clear(&near);
    near = made(1, 4, false);
    imp_fclib_local(&near, &crooked);
    crooked.R.value[1] *= 1.001;
    ok(imp_fclib_pose(&crooked, &posed) == IMP_UNSUPPORTED, "an asymmetric R");
    for (int k = 0; k < crooked.R.start[4]; k++)
        crooked.R.value[k] *= -1;
    ok(imp_fclib_pose(&crooked, &posed) == IMP_NOT_POSITIVE, "a negative R");
    imp_fclib_clear(&crooked);
    imp_fclib_local(&near, &crooked);
    for (int k = crooked.R.start[1]; k < crooked.R.start[2]; k++)
        if (crooked.R.row[k] == 1) crooked.R.value[k] = 0;
    ok(imp_fclib_pose(&crooked, &posed) == IMP_NOT_POSITIVE, "a row of R without its diagonal");
    for (int k = 0; k < crooked.R.start[4]; k++)
        crooked.R.value[k] = 0;
    memset(crooked.s, 0, 4 * sizeof *crooked.s);
    ok(imp_fclib_pose(&crooked, &posed) == IMP_NOT_POSITIVE, "a V that R knows nothing of");
    imp_fclib_clear(&crooked);
    imp_fclib_clear(&near);
    near = made(1, 1, false);
    int row[DOF + 1] = {0}, column[DOF + 1] = {1};
    double value[DOF + 1] = {0};
    for (int i = 0; i < DOF; i++) {
        row[i + 1] = column[i + 1] = i;
        value[i + 1] = near.M.value[i];
    }
    imp_sparse_clear(&near.M);
    imp_sparse_from_triplets(DOF, DOF, DOF + 1, row, column, value, &near.M);
    near.M.value[near.M.start[1]] = 0.25;
    ok(imp_fclib_pose(&near, &posed) == IMP_UNSUPPORTED,
       "an asymmetric M, though one row's R is symmetric");
    near.M.value[near.M.start[1]] = 1e-6 * near.M.value[0];
    ok(imp_fclib_pose(&near, &posed) == IMP_UNSUPPORTED, "by a millionth, too");
    near.M.value[near.M.start[1]] = 0;
    ok(imp_fclib_pose(&near, &posed) == IMP_OK, "and without what makes it so it is taken");
    imp_fclib_posed_clear(&posed);
    imp_fclib_clear(&near);
    imp_fclib_clear(&contradict);
}

/* What `impact check` makes of an answer beside a problem, in scratch files: its exit status, and
 * whether it says the word. */
static int checked(const char *arguments, const char *word, bool *said) {
    char command[1000], line[4000];
    snprintf(command, sizeof command, "cd '%s' && ../impact check --model auto %s 2>&1",
             scratch_path(""), arguments); /* it stands in the build folder */
    FILE *out = popen(command, "r");       /* NOLINT(cert-env33-c): the program under test */
    *said = false;
    while (out && fgets(line, sizeof line, out))
        *said = *said || strstr(line, word) != NULL;
    return out ? WEXITSTATUS(pclose(out)) : -1;
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
    double p[ROWS], u[ROWS], right, wrong, none[4] = {0}, far;
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
    (void)imp_fclib_judge(&again, p, l, &right);
    (void)imp_fclib_judge(&again, p, none, &far);
    write_text(scratch_path("right.json"), p, l, 4, 1);
    write_text(scratch_path("wrong.json"), p, l, 4, 1.001);
    write_text(scratch_path("short.json"), p, l, 3, 1);
    l[0] *= 1.001;
    (void)imp_fclib_judge(&local, p, l, &wrong);
    note("%.1e, a thousandth off %.1e, none %.1e", right, wrong, far);
    ok(right < 1e-13 && wrong > 1e-6 && far > 1e-2, "it is judged by the equations, of both forms");
    ok(checked("said.hdf5", "\"constraints\":{\"velocity\":", &said) == 0 && said,
       "the program judges that of the file");
    ok(checked("said.hdf5 right.json", "\"constraints\"", &said) == 0 && said, "and lambda");
    rejected = checked("said.hdf5 wrong.json", "impulses of its constraints do not keep", &said);
    ok(rejected == 1 && said, "it rejects one that is a thousandth off");
    ok(checked("said.hdf5 short.json", "3 in lambda", &said) == 2 && said, "and refuses too few");
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
            imp_fclib_constrain(&p, &local, r, l, &error) != IMP_OK)
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

/* Rows that are a thousandth apart are kept to rounding in the local form, too, whose R has the
 * square of it. */
static void test_near(void) {
    double worst = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        gen_stream s = gen_seed(907, seed);
        imp_fclib p = made(seed, 4, false), local;
        double r[ROWS], l[MOST], error = INFINITY, *G = p.G.value;
        for (int i = 0; i < DOF; i++)
            G[DOF + i] = G[i] + 1e-3 * G[DOF + i];
        for (int i = 0; i < ROWS; i++)
            r[i] = gen_normal(&s);
        if (imp_fclib_local(&p, &local) != IMP_OK ||
            imp_fclib_constrain(&local, &local, r, l, &error) != IMP_OK)
            abort();
        worst = tap_worst(worst, error);
        imp_fclib_clear(&local);
        imp_fclib_clear(&p);
    }
    ok(worst < 2e-15, "rows a thousandth apart: %.1e", worst);
}

int main(void) {
    test_near();
    test_elimination();
    test_spread();
    test_held();
    test_redundant();
    test_said();
    test_answers();
    test_status();
    test_refusals();
    return tap_done();
}
