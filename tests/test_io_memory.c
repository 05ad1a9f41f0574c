/* test_io_memory.c - every allocation of every reader and writer fails once, alone and with all
 * after it, those of jansson among them: no memory, in words too, or all that would have been read
 * or written; and nothing stays allocated. */
#include "impact.h"
#include "io/fclib.h"
#include "io/fclib_bilateral.h"
#include "io/json_load.h"
#include "scratch.h"
#include "tap.h"

/* The allocator, as shared libraries see it too. */
#include "failing.h"
#if FAILING_HERE
#define FAILING_PRELOADED
#pragma GCC visibility push(default)
#include "failing.c" // NOLINT(bugprone-suspicious-include): not the object that others link
#pragma GCC visibility pop
#endif

/* What was read or written, as text; what does not fit is counted only. */
static char said[1 << 17];
static size_t length;

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const size_t room = length < sizeof said ? sizeof said - length : 0;
    const int n = vsnprintf(room ? said + length : NULL, room, format, arguments);
    va_end(arguments);
    length += (size_t)n;
}

static void say_numbers(const char *name, const double *x, int n) {
    say(" %s", name);
    for (int i = 0; x && i < n; i++)
        say(" %.17g", x[i]);
}

/* Whose own memory does not fail. */
static void say_file(const char *from) {
    const long at = failing_at;
    failing_at = -1;
    FILE *in = fopen(from, "rb");
    const size_t room = length < sizeof said ? sizeof said - length - 1 : 0;
    if (in) length += fread(said + length, 1, room, in);
    if (in) fclose(in);
    failing_at = at;
}

/* The document, given up; no memory where there is none. */
static imp_status say_json(json_t *object) {
    const size_t room = length < sizeof said ? sizeof said - length - 1 : 0;
    const size_t n = object ? json_dumpb(object, said + length, room, JSON_COMPACT) : 0;
    length += n;
    json_decref(object);
    return n > 0 ? IMP_OK : IMP_NO_MEMORY;
}

static void say_problem(const imp_problem *p) {
    double block[9];
    say_numbers("q", p->q, 3 * p->nc);
    say_numbers("mu", p->mu, p->nc);
    say_numbers("e", p->e, p->e ? p->nc : 0);
    for (int k = 0; k < p->nc * p->nc; k++) {
        p->W->kind->block(p->W, k / p->nc, k % p->nc, block);
        say_numbers("W", block, 9);
    }
}

#define UNIT    "[1,0,0, 0,1,0, 0,0,1]"
#define NUMBERS "\"q\": [-1,0,0.5, -1,0.25,0], \"mu\": [0.5,0.25], \"e\": 0.5"
#define BODIES                                                                                     \
    "\"bodies\": [{\"name\": \"a\", \"mass\": 1, \"inertia\": [1,1,1], \"position\": [0,0,0], "    \
    "\"velocity\": [1,0,-1]}, {\"name\": \"b\", \"mass\": 2, \"inertia\": [1,2,2], \"position\": " \
    "[1,0,0], \"velocity\": [0,1,-1]}], \"contacts\": [{\"a\": \"ground\", \"b\": \"a\", "         \
    "\"point\": [0,0,-0.5], \"normal\": [0,0,1], \"mu\": 0.5}, {\"a\": \"ground\", \"b\": \"b\", " \
    "\"point\": [1,0.25,-0.5], \"normal\": [0,0,1], \"mu\": 0.25}]"
#define JOINTS                                                                                     \
    "\"constraints\": [{\"joint\": \"revolute\", \"a\": \"a\", \"b\": \"b\", \"point\": "          \
    "[0.5,0,0], \"axis\": [0,1,0], \"friction\": 0.01}, {\"terms\": [{\"body\": \"a\", "           \
    "\"velocity\": [0,1,0]}, {\"body\": \"b\", \"spin\": [0,0,0.5]}], \"rate\": 0.125}]"

static const char *const problems[][2] = {
    {"a table", "id\tmu\tW11\tW12\tW13\tW22\tW23\tW33\tq1\tq2\tq3\te\tb1\tb2\tb3\n"
                "a\t0.5\t2\t0\t0\t3\t0\t4\t-1\t0.5\t0\t1\t1\t2\t3\n"},
    {"a dense W", "{\"id\": \"dense\", \"W\": [[2,0,0],[0,3,0],[0,0,3]], \"q\": "
                  "[-0.12345678901234567,0,0], \"mu\": 1, "
                  "\"guess\": [1,0,0], \"b\": [1,2,3], \"mu_v\": 0, \"gap\": 0, \"settings\": "
                  "{\"choice\": \"zero-first\"}}"},
    {"dense ones, one a line", "{\"W\": [[2,0,0,0,0,0],[0,3,0,0,0,0],[0,0,3,0,0,0],[0,0,0,1,0,0],"
                               "[0,0,0,0,1,0],[0,0,0,0,0,1]], " NUMBERS "}\n"
                               "{\"G\": [[1,0,0],[0,2,0]], \"q\": [-1,0,0], \"mu\": 1}\n"},
    {"blocks", "{\"n\": 2, \"blocks\": [[0,0," UNIT "],[1,1," UNIT
               "],[0,1,[0.1,0,0,0,0,0,0,0,0]]], " NUMBERS "}"},
    {"a list of bodies", "[{" BODIES "}, {" BODIES "}]"},
    {"bodies and joints", "{" BODIES ", " JOINTS "}"},
};

/* What a part works on: a file that is there, and one that it may write. */
static const char *path, *target;
static imp_error error;

static imp_status read_problems(void) {
    imp_problem_file *file;
    const imp_case *c = NULL;
    imp_settings settings;
    imp_status status = imp_problem_file_open(path, &file, &error);
    while (status == IMP_OK && (status = imp_problem_file_next(file, &c, &error)) == IMP_OK && c) {
        say(" id %s", c->id);
        say_problem(&c->problem);
        say_numbers("guess", c->guess, 3 * c->problem.nc);
        say_numbers("b", c->b, 3 * c->problem.nc);
        say("%s", c->bilateral ? " joints" : "");
        status = imp_problem_file_settings(file, &imp_model_coulomb, &settings, &error);
    }
    if (status == IMP_OK) status = imp_problem_file_rewind(file, &error);
    if (status == IMP_OK) status = imp_problem_file_next(file, &c, &error);
    imp_problem_file_close(file);
    return status;
}

/* Answers of the file's first problem, with what its joints do, in all their forms. */
static imp_status answer_problem(void) {
    static double p[12], u[12];
    imp_problem_file *file;
    imp_answer answer;
    imp_path way = {0};
    const imp_case *c = NULL;
    imp_status status = imp_problem_file_open(path, &file, &error);
    if (status != IMP_OK) return status;
    status = imp_problem_file_next(file, &c, &error);
    if (status == IMP_OK)
        status = imp_answer_solve(c->bilateral, &imp_model_newton, &c->problem, NULL, NULL, p, u,
                                  &way, &answer);
    if (status == IMP_OK && c->bilateral)
        status = say_json(imp_answer_constraints(c->bilateral, &answer));
    if (status == IMP_OK) status = say_json(imp_answer_json("caf\xe9", &imp_model_newton, &answer));
    if (status == IMP_OK) status = say_json(imp_operator_json(c->problem.W));
    if (status == IMP_NO_MEMORY) imp_error_set(&error, status, "no memory");
    imp_path_clear(&way);
    imp_problem_file_close(file);
    return status;
}

static imp_status dump_problem(void) {
    imp_problem_file *file;
    imp_settings settings;
    const imp_case *c = NULL;
    char id[400];
    memset(id, 'x', sizeof id);
    memcpy(id + 390, "\xc3\xa9", 3);
    imp_model_presets(&imp_model_coulomb, &settings);
    imp_status status =
        imp_settings_assign(&imp_model_coulomb, &settings, "choice=zero-first", &error);
    if (status == IMP_OK) status = imp_problem_file_open(path, &file, &error);
    if (status != IMP_OK) return status;
    status = imp_problem_file_next(file, &c, &error);
    const json_t *bodies = status == IMP_OK ? imp_problem_file_bodies(file) : NULL;
    if (status == IMP_OK)
        status =
            bodies
                ? imp_problem_dump_source(target, bodies, &imp_model_coulomb, &settings, &error)
                : imp_problem_dump(target, id, &c->problem, &imp_model_coulomb, &settings, &error);
    if (status == IMP_OK) say_file(target);
    imp_problem_file_close(file);
    return status;
}

static const char *const solutions[][2] = {
    {"a table", "id\tp1\tp2\tp3\nb\t1\t2\t3\na\t\t\t\n"},
    {"answers with all they have",
     "[{\"reason\": \"a word that jansson does not forget the end of\", \"p\": [1,2,3], "
     "\"lambda\": [1,2], "
     "\"joint_friction\": [3], \"velocities\": "
     "[[1,2,3,4,5,6]], \"path\": {\"steps\": [{\"round\": 1, \"share\": 1, \"impulse\": [1,2,3], "
     "\"phase\": \"C\", \"motion\": \"s\"}], \"multipliers\": [[1],[2]]}}, {\"p\": null}]"},
};

static imp_status read_solutions(void) {
    imp_solutions *s;
    size_t n;
    const double *p = NULL;
    const imp_status status = imp_solutions_read(path, &s, &error);
    if (status != IMP_OK) return status;
    if (imp_solutions_take(s, "b", 0, 1, &p, NULL) == IMP_OK) say_numbers("p", p, 3);
    p = imp_solutions_lambda(s, "b", 0, &n);
    say_numbers("lambda", p, (int)n);
    p = imp_solutions_joint_friction(s, "b", 0, &n);
    say_numbers("x", p, (int)n);
    p = imp_solutions_velocities(s, "b", 0, &n);
    say_numbers("v", p, (int)n);
    const imp_path *way = imp_solutions_path(s, "b", 0);
    if (way) say(" %d steps %d multipliers", way->steps, way->multipliers);
    imp_solutions_free(s);
    return status;
}

static imp_status read_flow(void) {
    static char high[] = "box.high=[0.1, 0.1, 0.1]", folder[] = "output.folder=here",
                threads[] = "threads=1", friction[] = "shapes.0.friction=0.25";
    static char *const values[] = {high, folder, threads, friction, NULL};
    imp_flow read;
    imp_status status = imp_flow_read(path, values, &read, &error);
    if (status != IMP_OK) return status;
    say("%s %g %g", read.folder, read.settings.high[0], read.shape[0].friction);
    imp_granular *g = imp_flow_start(&read, false, &status);
    if (g) say(" %d spheres", imp_granular_count(g));
    imp_granular_free(g);
    if (status == IMP_NO_MEMORY) imp_error_set(&error, status, "no memory");
    return status;
}

static imp_granular *flow;

static imp_status draw_flow(void) {
    static const double low[3] = {0, 0, 0}, high[3] = {0.1, 0.1, 0.1};
    imp_status status = imp_vtk_spheres(target, flow, &error);
    if (status == IMP_OK) say_file(target);
    if (status == IMP_OK) status = imp_vtk_contacts(target, flow, &error);
    if (status == IMP_OK) say_file(target);
    if (status == IMP_OK) status = imp_vtk_fields(target, flow, low, high, 0.02, &error);
    if (status == IMP_OK) say_file(target);
    return status;
}

/* A document in which values are put at all depths. */
static imp_status assign(void) {
    static const char *const list[] = {"number=1.5", "deep.er.word=it's", "list.1=[1, 2e0]",
                                       "new=true"};
    json_t *root = json_pack("{s:[i,i], s:s}", "list", 1, 2, "number", "none");
    if (!root) return imp_error_set(&error, IMP_NO_MEMORY, "no memory");
    imp_status status = IMP_OK;
    for (size_t k = 0; k < sizeof list / sizeof *list && status == IMP_OK; k++)
        status = imp_json_assign(root, list[k], &error);
    const imp_status shown = status == IMP_OK ? say_json(json_incref(root)) : IMP_OK;
    json_decref(root);
    return shown == IMP_OK ? status : imp_error_set(&error, shown, "no memory");
}

/* One setting by a word, one by a number. */
static imp_status assign_settings(void) {
    imp_settings settings;
    imp_model_presets(&imp_model_auto, &settings);
    imp_status status = imp_settings_assign(&imp_model_auto, &settings, "tolerance=1e-6", &error);
    if (status == IMP_OK)
        status = imp_settings_assign(&imp_model_auto, &settings, "start=guess", &error);
    if (status != IMP_OK) return status;
    status = say_json(imp_json_of_settings(&imp_model_auto, &settings));
    if (status != IMP_OK) imp_error_set(&error, status, "no memory");
    return status;
}

typedef struct part {
    const char *name;
    imp_status (*run)(void);
    bool hdf5; /* which keeps memory of its own */
} part;

typedef struct tally {
    long failed, other, silent, kept;
} tally;

/* One run in which allocation k fails; false: there is none so late. What stdio asks for its
 * buffers it can do without. */
static bool try_one(const part *of, const char *whole, size_t bytes, long k, bool on, tally *t) {
    const long before = failing_living;
    length = 0;
    error = (imp_error){0};
    failing_from(k, on);
    const imp_status status = of->run();
    const bool reached = failing_end();
    /* where opening a file fails, the system says it */
    const bool lacked = (status == IMP_NO_MEMORY && strstr(error.text, "no memory")) ||
                        (status == IMP_IO && strstr(error.text, "Cannot allocate memory"));
    t->failed += reached;
    t->silent += status == IMP_OK && (length != bytes || memcmp(said, whole, bytes) != 0);
    if (status != IMP_OK && !(reached && lacked) && !t->other++)
        diag("%s, allocation %ld%s: %d %s", of->name, k, on ? " on" : "", status, error.text);
    t->kept += !of->hdf5 && failing_living != before;
    return reached;
}

static void try_part(const char *what, const char *name, imp_status (*run)(void), bool hdf5) {
    static char whole[sizeof said];
    char full[120];
    snprintf(full, sizeof full, "%s: %s", what, name);
    const part of = {full, run, hdf5};
    tally t = {0};
    for (int k = 0; k < 2; k++) { /* what is set up once, is */
        length = 0;
        error = (imp_error){0};
        if (!ok(run() == IMP_OK && length > 0 && length < sizeof said, "%s %s", full, error.text))
            return;
    }
    const size_t bytes = length;
    memcpy(whole, said, bytes);
    for (int on = 0; on < 2; on++)
        for (long k = 0; try_one(&of, whole, bytes, k, on == 1, &t); k++)
            continue;
    ok(t.failed > 0 && t.other == 0 && t.silent == 0 && t.kept == 0,
       "%s: %ld allocations failed, %ld with another error, %ld with other content, %ld left "
       "something allocated",
       full, t.failed, t.other, t.silent, t.kept);
}

static void try_text(const char *what, const char *const text[2], imp_status (*run)(void)) {
    static char kept[300];
    snprintf(kept, sizeof kept, "%s", scratch_text("file", text[1]));
    path = kept;
    try_part(what, text[0], run, false);
}

#define FLOW                                                                                       \
    "{\"kind\": \"flow\", \"title\": \"t\", \"until\": 1, \"step\": 1e-3, \"box\": {\"low\": "     \
    "[0,0,0], \"high\": [1,1,1]}, \"shapes\": [{\"plane\": {\"point\": [0,0,0.01], \"normal\": "   \
    "[0,0,1]}}], \"spheres\": {\"radius\": 0.01, \"density\": 1000, \"spacing\": 0.025}, "         \
    "\"fill\": {\"low\": [0,0,0.01], \"high\": [0.1,0.1,0.07]}}"

int main(void) {
#if !FAILING_HERE
    return skip_all("an allocator of its own");
#endif
    static const char *const flow_file[2] = {"with assignments", FLOW};
    static char written[300];
    snprintf(written, sizeof written, "%s", scratch_path("written"));
    target = written;
    for (size_t k = 0; k < sizeof problems / sizeof *problems; k++) {
        try_text("problems", problems[k], read_problems);
        try_text("dump", problems[k], dump_problem);
    }
    try_text("answer", problems[5], answer_problem);
    try_text("answer", problems[1], answer_problem);
    for (size_t k = 0; k < sizeof solutions / sizeof *solutions; k++)
        try_text("solutions", solutions[k], read_solutions);
    try_text("flow", flow_file, read_flow);
    imp_flow parameters;
    imp_status status;
    if (imp_flow_read(path, NULL, &parameters, &error) != IMP_OK ||
        !(flow = imp_flow_start(&parameters, false, &status)) ||
        imp_granular_step(flow, NULL) != IMP_OK)
        abort();
    try_part("flow", "pictures", draw_flow, false);
    imp_granular_free(flow);
    try_part("JSON", "assignments", assign, false);
    try_part("settings", "assignments", assign_settings, false);
    return tap_done();
}
