/* test_io_files.c - dumps replay bit for bit; answers are judged; solutions are matched. */
#include "generators/gen.h"
#include "io/io.h"
#include "scratch.h"
#include "tap.h"

#include <jansson.h>
#include <limits.h>
#include <unistd.h>

/* Reads the one problem of a dump; the caller closes. */
static const imp_case *reread(const char *path, imp_problem_file **file) {
    const imp_case *c = NULL;
    imp_error error = {0};
    if (imp_problem_file_open(path, file, &error) == IMP_OK)
        (void)imp_problem_file_next(*file, &c, &error);
    if (!c) diag("%s", error.text);
    return c;
}

static bool same(const double *a, const double *b, size_t n) {
    return memcmp(a, b, n * sizeof *a) == 0;
}

/* Dumps and reads again; W by every block, q, mu and e to the bit. */
static bool survives(const imp_problem *problem, const char *id) {
    const char *path = scratch_path("dump.json");
    imp_problem_file *file = NULL;
    imp_error error = {0};
    if (imp_problem_dump(path, id, problem, NULL, NULL, &error) != IMP_OK) return false;
    const imp_case *c = reread(path, &file);
    const size_t n = (size_t)problem->nc;
    bool good = c && c->problem.nc == problem->nc && same(c->problem.q, problem->q, 3 * n) &&
                same(c->problem.mu, problem->mu, n) && c->named == (id != NULL) &&
                (!id || strcmp(c->id, id) == 0);
    for (int i = 0; good && i < problem->nc; i++) {
        good = c->problem.e[i] == (problem->e ? problem->e[i] : 0);
        for (int j = 0; good && j < problem->nc; j++) {
            double got[9], want[9];
            c->problem.W->kind->block(c->problem.W, i, j, got);
            problem->W->kind->block(problem->W, i, j, want);
            good = same(got, want, 9);
        }
    }
    imp_problem_file_close(file);
    return good;
}

static void check_dumps(void) {
    int lost = 0;
    for (uint64_t k = 0; k < 400; k++) {
        const gen_problem g = gen_make((gen_class)(k % GEN_CLASSES), k);
        const double W[9] = {g.W[0], g.W[1], g.W[2], g.W[1], g.W[3],
                             g.W[4], g.W[2], g.W[4], g.W[5]};
        const imp_operator dense = imp_operator_dense(1, W);
        const double e = 0.1 * (double)(k % 11);
        const imp_problem problem = {
            .nc = 1, .W = &dense, .q = g.q, .mu = &g.mu, .e = k % 2 ? &e : NULL};
        lost += !survives(&problem, k % 3 ? "a \"name\"\n\t/\\ \xc3\xa9" : NULL);
    }
    ok(lost == 0, "one contact: %d of 400 dumps lost a bit", lost);
    lost = 0;
    for (uint64_t k = 0; k < 200; k++) {
        const gen_many g = gen_bodies(k, 1 + (int)(k % GEN_MOST_CONTACTS));
        const imp_operator dense = imp_operator_dense(g.nc, g.W);
        const imp_problem problem = {.nc = g.nc, .W = &dense, .q = g.q, .mu = g.mu};
        lost += !survives(&problem, "x");
    }
    ok(lost == 0, "several contacts: %d of 200 dumps lost a bit", lost);
}

/* A chain of 40 contacts as blocks, its two triangles different in the last bit. */
static void check_block_dump(void) {
    enum { N = 40 };
    int start[N + 1], column[3 * N];
    double block[27 * N] = {0}, q[3 * N], mu[N], e[N];
    int k = 0;
    for (int i = 0; i < N; i++) {
        start[i] = k;
        mu[i] = 0.01 * i;
        e[i] = 1.0 / (1 + i);
        for (int r = 0; r < 3; r++)
            q[3 * i + r] = 0.3 * i - r / 7.0;
        for (int j = i > 0 ? i - 1 : 0; j < N && j <= i + 1; j++, k++) {
            column[k] = j;
            for (int r = 0; r < 3; r++)
                block[9 * k + 4 * r] = i == j ? 3 + r : 0.1 * (1 + r) * (i < j ? 1 : 1 - 0x1p-52);
        }
    }
    start[N] = k;
    const imp_blocks blocks = {N, start, column, block};
    const imp_operator sparse = imp_operator_blocks(&blocks);
    const imp_problem problem = {.nc = N, .W = &sparse, .q = q, .mu = mu, .e = e};
    ok(survives(&problem, NULL), "blocks: no bit lost, nor the difference of the triangles");
}

typedef struct own_settings {
    double reach;
} own_settings;
static const imp_key own_keys[] = {{"reach", "m", 0, 0.5, 0, 1, NULL, "how far"}, {0}};

/* A model that does what the reach says. */
static imp_status own_solve(const imp_problem *problem, const void *settings, double *p, void *work,
                            imp_info *info) {
    const own_settings *s = settings;
    (void)work;
    if (s->reach == 0.25) return IMP_NO_SOLUTION;
    for (int k = 0; k < 3 * problem->nc; k++)
        p[k] = s->reach == 0.75 ? 1e200 : 0;
    if (s->reach == 0.375) p[1] = NAN;
    info->rounds = 7;
    return s->reach == 1 ? IMP_NOT_CONVERGED : s->reach == 0.375 ? IMP_NOT_CONVERGED : IMP_OK;
}
static const imp_model own_model = {
    .name = "own", .keys = own_keys, .law = &imp_law_coulomb, .solve = own_solve};

static const double W1[9] = {1e200, 0, 0, 0, 1e200, 0, 0, 0, 1e200}, q1[3] = {1, 0.5, 0.25},
                    mu1 = 0.5;

static void check_settings_dump(void) {
    const imp_operator dense = imp_operator_dense(1, W1);
    const imp_problem problem = {.nc = 1, .W = &dense, .q = q1, .mu = &mu1};
    own_settings s = {0.125};
    imp_settings back;
    imp_error error = {0};
    imp_problem_file *file = NULL;
    const char *path = scratch_path("settings.json");
    ok(imp_problem_dump(path, NULL, &problem, &own_model, &s, &error) == IMP_OK &&
           reread(path, &file) &&
           imp_problem_file_settings(file, &own_model, &back, &error) == IMP_OK &&
           back.align == s.reach,
       "settings come back");
    imp_problem_file_close(file);
    const double bad[3] = {1, NAN, 0};
    const imp_problem broken = {.nc = 1, .W = &dense, .q = bad, .mu = &mu1};
    ok(imp_problem_dump(path, NULL, &broken, NULL, NULL, &error) == IMP_OK &&
           imp_problem_file_open(path, &file, &error) == IMP_OK,
       "a problem with a NaN can be dumped");
    const imp_case *c;
    ok(imp_problem_file_next(file, &c, &error) == IMP_BAD_ARGUMENT &&
           strstr(error.text, "$.q[1]: null, expected a number"),
       "and the reader names it: %s", error.text);
    imp_problem_file_close(file);
    ok(imp_problem_dump(path, NULL, NULL, NULL, NULL, &error) == IMP_BAD_ARGUMENT &&
           imp_problem_dump(scratch_path("no/where"), NULL, &problem, NULL, NULL, &error) == IMP_IO,
       "no problem, no folder: %s", error.text);
}

/* W used as given or not: written where a reader takes it, and refused with no file where it would
 * not. */
static void check_operator_dump(void) {
    double W[36] = {0}, lone[9] = {1, 1, 0, 1, 1, 0, 0, 0, 1};
    const double q[6] = {-1, 0, 0, -1, 0, 0}, mu[2] = {0.5, 0.5};
    imp_operator two = imp_operator_dense(2, W), one = imp_operator_dense(1, lone);
    const imp_problem problem = {.nc = 2, .W = &two, .q = q, .mu = mu},
                      single = {.nc = 1, .W = &one, .q = q, .mu = mu};
    const char *path = scratch_path("operator.json");
    for (int given = 0; given < 2; given++) {
        imp_error error = {0};
        two.as_given = one.as_given = given;
        memset(W, 0, sizeof W);
        for (int i = 0; i < 6; i++)
            W[7 * i] = 1;
        ok(survives(&problem, NULL), "a symmetric one survives");
        for (int k = 0; k < 2; k++) {
            W[3] = k ? 2 : 0.5;
            W[18] = k ? 2 : 0.25;
            ok(imp_problem_dump(path, NULL, &problem, NULL, NULL, &error) ==
                       (k ? IMP_NOT_POSITIVE : IMP_NOT_SYMMETRIC) &&
                   access(path, F_OK) != 0,
               "%s, %s: %s", k ? "indefinite" : "not symmetric", given ? "as given" : "plain",
               error.text);
        }
        imp_problem_file *file = NULL;
        lone[4] = 1;
        ok(imp_problem_dump(path, NULL, &single, NULL, NULL, &error) == IMP_OK &&
               reread(path, &file),
           "a lone singular one is read");
        imp_problem_file_close(file);
        (void)remove(path);
        lone[4] = 0.5;
        ok(imp_problem_dump(path, NULL, &single, NULL, NULL, &error) == IMP_NOT_POSITIVE &&
               access(path, F_OK) != 0,
           "a lone indefinite one is not written");
    }
}

static void answers_with(double reach, imp_status status, bool has_p, const char *row) {
    const imp_operator dense = imp_operator_dense(1, W1);
    const imp_problem problem = {.nc = 1, .W = &dense, .q = q1, .mu = &mu1};
    const own_settings s = {reach};
    double p[3], u[3];
    imp_answer answer;
    char line[400] = "";
    ok(imp_answer_solve(NULL, &own_model, &problem, &s, NULL, p, u, NULL, &answer) == status &&
           (answer.p == p) == has_p,
       "reach %g: %s", reach, imp_status_text(answer.status));
    FILE *out = fopen(scratch_path("row"), "w+b");
    imp_answer_write_row("i d", &answer, out);
    rewind(out);
    ok(fgets(line, sizeof line, out) && strcmp(line, row) == 0, "as a row");
    if (strcmp(line, row) != 0) diag("got %swant %s", line, row);
    fclose(out);
    json_t *object = imp_answer_json(NULL, &own_model, &answer);
    char *text = json_dumps(object, JSON_COMPACT);
    ok(text && !strstr(text, "nan") && !strstr(text, "inf") &&
           json_is_null(json_object_get(object, "p")) == !has_p && !json_object_get(object, "id") &&
           json_integer_value(json_object_get(object, "rounds")) == answer.info.rounds,
       "as JSON: %s", text);
    free(text);
    json_decref(object);
}

static void check_answers(void) {
    answers_with(0.5, IMP_OK, true, "i d\tok\t0\t0\t0\t1\t0.5\t0.25\t0\t0\n");
    answers_with(1, IMP_NOT_CONVERGED, true, "i d\tnot-converged\t0\t0\t0\t1\t0.5\t0.25\t0\t0\n");
    answers_with(0.25, IMP_NO_SOLUTION, false, "i d\tno-solution\t\t\t\t\t\t\t\t\n");
    answers_with(0.375, IMP_NOT_CONVERGED, false, "i d\tnot-converged\t\t\t\t\t\t\t\t\n");
    answers_with(0.75, IMP_OVERFLOW, false, "i d\toverflow\t\t\t\t\t\t\t\t\n");
    const imp_operator dense = imp_operator_dense(1, W1);
    const double e = 0.5;
    const imp_problem bouncing = {.nc = 1, .W = &dense, .q = q1, .mu = &mu1, .e = &e};
    double p[3], u[3];
    imp_answer answer;
    ok(imp_answer_solve(NULL, &own_model, &bouncing, NULL, NULL, p, u, NULL, &answer) ==
               IMP_UNSUPPORTED &&
           !answer.p,
       "unsupported");
}

static void refuses_solutions(const char *text, const char *says) {
    imp_solutions *s = NULL;
    imp_error error = {0};
    const char *path = scratch_text("solutions", text);
    ok(imp_solutions_read(path, &s, &error) == IMP_BAD_ARGUMENT && !s &&
           strcmp(error.text + strlen(path), says) == 0,
       "refused%s", error.text + strlen(path));
}

static void check_solutions(void) {
    imp_solutions *s = NULL;
    imp_error error = {0};
    const double *p = NULL;
    ok(imp_solutions_read(
           scratch_text("s", "p3\tid\tp1\tp2\tstatus\n3\tb\t1\t2\tok\n\ta\t\t\tno-solution\n"), &s,
           &error) == IMP_OK,
       "a table is read");
    ok(imp_solutions_take(s, "a", 7, 1, &p, &error) == IMP_OK && !p, "by id: no answer");
    ok(imp_solutions_all_taken(s, &error) == IMP_BAD_ARGUMENT &&
           strstr(error.text, ":2:3: no problem has the id \"b\""),
       "one is left: %s", error.text);
    ok(imp_solutions_take(s, "b", 7, 2, &p, &error) == IMP_BAD_ARGUMENT, "of another size: %s",
       error.text);
    ok(imp_solutions_take(s, "b", 7, 1, &p, &error) == IMP_OK && p && p[0] == 1 && p[1] == 2 &&
           p[2] == 3,
       "by id");
    ok(imp_solutions_all_taken(s, &error) == IMP_OK, "all are taken");
    ok(imp_solutions_take(s, "b", 7, 1, &p, &error) == IMP_BAD_ARGUMENT, "not twice: %s",
       error.text);
    ok(imp_solutions_take(s, "c", 0, 1, &p, &error) == IMP_BAD_ARGUMENT, "nor another: %s",
       error.text);
    imp_solutions_rewind(s);
    ok(imp_solutions_take(s, "b", 7, 1, &p, &error) == IMP_OK, "again after rewinding");
    imp_solutions_free(s);
    ok(imp_solutions_read(scratch_text("s", "[{\"p\":[1,2,3,4,5,6],\"W\":{}},{\"p\":null}]"), &s,
                          &error) == IMP_OK,
       "JSON is read");
    ok(imp_solutions_take(s, "c", 0, 2, &p, &error) == IMP_OK && p && p[5] == 6 &&
           imp_solutions_take(s, "c", 1, 1, &p, &error) == IMP_OK && !p &&
           imp_solutions_take(s, "c", 2, 1, &p, &error) == IMP_BAD_ARGUMENT,
       "by position");
    imp_solutions_free(s);
    refuses_solutions("id\tp1\tp2\tp3\na\t1\t2\t3\nb\t1\t2\t3\na\t1\t2\t3\n",
                      ":4:1: id \"a\" stands here again, expected it once");
    refuses_solutions("id\tp1\tp2\na\t1\t2\n",
                      ":1:1: no column p3, expected a tab-separated header with it");
    refuses_solutions("id\tp1\tp2\tp3\na\t1\t\t3\n", ":2:5: p2 is \"\", expected a decimal number");
    refuses_solutions("id\tp1\tp2\tp3\na\t1\tnan\t3\n",
                      ":2:5: p2 is \"nan\", expected a decimal number");
    refuses_solutions("{\"q\":[1]}", ": $.p: missing, expected an array");
    refuses_solutions("[{\"p\":[1,2,3]},7]", ": $[1]: 7, expected an answer with \"p\"");
    refuses_solutions("",
                      ":1:1: the file is empty, expected a table, JSON answers or an FCLIB file");
    imp_solutions_free(NULL);
}

/* Memory that lasts for so many more allocations of jansson's. */
static long allowance;

static void *scarce(size_t size) {
    return allowance-- > 0 ? malloc(size) : NULL;
}

/* Reads, dumps and answers with memory failing at every place in turn: a status, never half a file
 * or a crash. */
static void check_memory(void) {
    const char
        *path = scratch_text(
            "m.json",
            "[{\"id\":\"x\",\"bodies\":[{\"name\":\"b\",\"mass\":1,\"inertia\":[1,1,1],"
            "\"position\":[0,0,1]}],\"contacts\":[{\"a\":\"ground\",\"b\":\"b\",\"point\":[0,0,0],"
            "\"normal\":[0,0,1],\"mu\":0.5}]}]"),
        *dump = scratch_path("m.dump");
    long n = -1; /* the first time with enough memory: an answer with all its fields */
    size_t fields = 0;
    int done = 0, wrong = 0;
    for (; n < 2000 && done < 1; n++) {
        imp_problem_file *file = NULL;
        imp_error error = {0};
        const imp_case *c = NULL;
        double p[3], u[3];
        imp_answer answer;
        remove(dump);
        json_set_alloc_funcs(scarce, free);
        allowance = n < 0 ? LONG_MAX : n;
        imp_status status = imp_problem_file_open(path, &file, &error);
        if (status == IMP_OK) status = imp_problem_file_next(file, &c, &error);
        if (c) {
            imp_answer_solve(NULL, &own_model, &c->problem, NULL, NULL, p, u, NULL, &answer);
            json_t *object = imp_answer_json(c->id, &own_model, &answer);
            if (object) status = imp_problem_dump(dump, c->id, &c->problem, NULL, NULL, &error);
            if (n < 0) fields = json_object_size(object);
            wrong += object && json_object_size(object) != fields;
            done += n >= 0 && object && status == IMP_OK;
            json_decref(object);
        }
        imp_problem_file_close(file);
        json_set_alloc_funcs(malloc, free);
        wrong += status != IMP_OK && (*error.text == 0 || access(dump, F_OK) == 0);
    }
    ok(wrong == 0 && done == 1 && fields > 0 && n > 50,
       "memory failing at each of %ld places: %d wrong ends", n, wrong);
}

int main(void) {
    check_dumps();
    check_block_dump();
    check_settings_dump();
    check_operator_dump();
    check_answers();
    check_solutions();
    check_memory();
    return tap_done();
}
