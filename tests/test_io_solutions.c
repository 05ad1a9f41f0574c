/* test_io_solutions.c - answers in a file, and what stands beside them: what is wrong is refused at
 * its place in one line, what is right is given out once; settings by their names. */
#include "impact.h"
#include "io/suggest.h"
#include "scratch.h"
#include "tap.h"

static const char *path;

static void refuses(const char *text, const char *says) {
    imp_solutions *s = NULL;
    imp_error error = {0};
    path = scratch_text("solutions", text);
    const imp_status status = imp_solutions_read(path, &s, &error);
    const size_t name = strlen(path);
    ok(status == IMP_BAD_ARGUMENT && error.status == status && !s && strlen(error.text) > name &&
           strcmp(error.text + name, says) == 0,
       "refused%s", error.text + (*error.text ? name : 0));
    ok(imp_solutions_read(path, &s, NULL) == status && !s, "and without words");
}

#define STEP                                                                                       \
    "{\"round\": 1, \"share\": 1, \"impulse\": [1,2,3], \"phase\": \"C\", \"motion\": \"s\"}"
#define WITH(path) "{\"p\": [1,2,3], \"path\": " path "}"

static void check_tables(void) {
    refuses("p3\tid\tp1\tp2\n3\ta\t1\t2\n\n3\ta\t1\t2\n",
            ":4:3: id \"a\" stands here again, expected it once");
    refuses("id\tp1\tp2\tp3\na\t1\t2\tx\n", ":2:7: p3 is \"x\", expected a decimal number");
    refuses("id\tp1\tp2\tp3\na\t\t2\t\n", ":2:3: p1 is \"\", expected a decimal number");
    refuses("id\tp1\tp2\tp3\na\t\t\t3\n", ":2:3: p1 is \"\", expected a decimal number");
    refuses("id\tp1\tp2\tp3\na\t1\t2\n",
            ":2:5: fewer than 4 fields, expected as many as the header");
    refuses("id\tp1\tp2\tp3\na\t1\t2\t3\n#\nb\x01\t1\t2\t3\n", ":4:2: byte 0x01, expected text");
}

static void check_json(void) {
    refuses("[1]", ": $[0]: 1, expected an answer with \"p\"");
    refuses("{\"p\": 1}", ": $.p: 1, expected an array");
    refuses("{}", ": $.p: missing, expected an array");
    refuses("[{\"p\": [1,\"x\",3]}]", ": $[0].p[1]: \"x\", expected a number");
    refuses("{\"p\": [1,2,3]}\n{\"p\": [1,2,3], \"lambda\": 1}",
            ": $[1].lambda: 1, expected an array");
    refuses("{\"p\": [1,2,3], \"lambda\": [null]}", ": $.lambda[0]: null, expected a number");
    refuses("{\"p\": [1,2,3], \"joint_friction\": [[]]}",
            ": $.joint_friction[0]: an array of 0, expected a number");
    refuses("{\"p\": [1,2,3], \"velocities\": 1}", ": $.velocities: 1, expected an array");
    refuses("{\"p\": [1,2,3], \"velocities\": [[1,2,3,4,5]]}",
            ": $.velocities[0]: an array of 5, expected an array of 6 numbers");
    refuses("{\"p\": [1,2,3], \"id\": 1}", ": $.id: 1, expected a text");
    refuses("[{\"p\": [1,2,3]}, {\"p\": [1,2,3], \"pth\": {}}]",
            ": $[1].pth: unknown key (did you mean \"path\"?), expected p, path, lambda, "
            "velocities, joint_friction or another key of an answer");
    refuses("{\"foo\": 1}", ": $.foo: unknown key, expected p, path, lambda, velocities, "
                            "joint_friction or another key of an answer");
    refuses("{\"p\": [], \"path\": {}}",
            ": $.p: an array of 0, expected three numbers for each contact of the path");
    refuses("{\"p\": [1,2], \"path\": {}}",
            ": $.p: an array of 2, expected three numbers for each contact of the path");
}

/* What no reader needs is held to its type all the same. */
static void check_fields(void) {
    refuses("{\"p\": [1,2,3], \"u\": \"x\"}", ": $.u: \"x\", expected an array");
    refuses("{\"p\": null, \"u\": [1,true]}", ": $.u[1]: true, expected a number");
    refuses("{\"p\": [1,2,3], \"status\": 1}", ": $.status: 1, expected a text");
    refuses("{\"p\": [1,2,3], \"energy\": \"x\"}", ": $.energy: \"x\", expected a number");
    refuses("{\"p\": [1,2,3], \"residuals\": []}",
            ": $.residuals: an array of 0, expected an object");
    refuses("{\"p\": [1,2,3], \"unique\": 1}", ": $.unique: 1, expected true or false");
    refuses("{\"p\": [1,2,3], \"solutions\": \"x\"}",
            ": $.solutions: \"x\", expected a number or an array");
    refuses("{\"p\": [1,2,3], \"forces\": 1}", ": $.forces: 1, expected an array");
    refuses("{\"p\": null, \"lambda\": \"x\"}", ": $.lambda: \"x\", expected an array");
    refuses("{\"p\": null, \"velocities\": [[1]]}",
            ": $.velocities[0]: an array of 1, expected an array of 6 numbers");
}

static void check_paths(void) {
    refuses(WITH("1"), ": $.path: 1, expected an object");
    refuses(WITH("{\"stops\": []}"),
            ": $.path.stops: unknown key (did you mean \"steps\"?), expected steps or multipliers");
    refuses(WITH("{\"steps\": 1}"), ": $.path.steps: 1, expected an array");
    refuses(WITH("{\"steps\": [1]}"), ": $.path.steps[0]: 1, expected an object");
    refuses(WITH("{\"steps\": [{\"turn\": 1}]}"),
            ": $.path.steps[0].turn: unknown key, expected round, share, impulse, phase or motion");
    refuses(WITH("{\"steps\": [" STEP ", {\"round\": 0}]}"),
            ": $.path.steps[1].round: 0, expected a whole number from 1 to 2147483647");
    refuses(WITH("{\"steps\": [{\"round\": 1, \"share\": 2}]}"),
            ": $.path.steps[0].share: 2, expected a number from 0 to 1");
    refuses(WITH("{\"steps\": [{\"round\": 1, \"share\": 1, \"impulse\": [1]}]}"),
            ": $.path.steps[0].impulse: an array of 1, expected an array of 3 numbers");
    refuses(WITH("{\"steps\": [{\"round\": 1, \"share\": 1, \"impulse\": [1,2,3]}]}"),
            ": $.path.steps[0].phase: missing, expected a text");
    refuses(WITH("{\"steps\": [{\"round\": 1, \"share\": 1, \"impulse\": [1,2,3], \"phase\": "
                 "\"CC\"}]}"),
            ": $.path.steps[0].phase: \"CC\", expected 1 of the letters CXO");
    refuses(WITH("{\"steps\": [{\"round\": 1, \"share\": 1, \"impulse\": [1,2,3], \"phase\": "
                 "\"X\", \"motion\": \"x\"}]}"),
            ": $.path.steps[0].motion: \"x\", expected 1 of the letters sri-");
    refuses(WITH("{\"multipliers\": 1}"), ": $.path.multipliers: 1, expected an array");
    refuses(WITH("{\"multipliers\": [[1,2]]}"),
            ": $.path.multipliers[0]: an array of 2, expected an array of 1 numbers");
}

static void check_what_stands_beside(void) {
    imp_solutions *s = NULL;
    imp_error error = {0};
    const double *p = NULL;
    size_t n = 7;
    path = scratch_text("solutions",
                        "[" WITH("{\"steps\": [" STEP
                                 "], \"multipliers\": []}") ", {\"p\": [1,2,3], "
                                                            "\"lambda\": [4], \"joint_friction\": "
                                                            "[5,6], \"velocities\": "
                                                            "[[1,2,3,4,5,7]]}, {\"p\": null, "
                                                            "\"lambda\": null, \"path\": null}, "
                                                            "{\"p\": [1,2,3], \"lambda\": null, "
                                                            "\"velocities\": null, \"id\": null, "
                                                            "\"path\": null}]");
    if (!ok(imp_solutions_read(path, &s, &error) == IMP_OK, "answers: %s", error.text)) return;
    const imp_path *way = imp_solutions_path(s, "", 0);
    ok(way && way->nc == 1 && way->steps == 1 && way->multipliers == 0 && way->impulse[2] == 3 &&
           way->phase[0] == 'C' && way->motion[0] == 's',
       "a path");
    ok(!imp_solutions_path(s, "", 1) && !imp_solutions_path(s, "", 3), "and none");
    p = imp_solutions_lambda(s, "", 1, &n);
    ok(p && n == 1 && p[0] == 4, "impulses of constraints");
    p = imp_solutions_joint_friction(s, "", 1, &n);
    ok(p && n == 2 && p[1] == 6, "of joints that rub");
    p = imp_solutions_velocities(s, "", 1, &n);
    ok(p && n == 6 && p[5] == 7, "velocities");
    ok(!imp_solutions_lambda(s, "", 0, &n) && n == 0 && !imp_solutions_lambda(s, "", 3, &n) &&
           n == 0 && !imp_solutions_joint_friction(s, "", 3, &n) && n == 0 &&
           !imp_solutions_velocities(s, "", 3, &n) && n == 0,
       "nothing of what is not there, or null");
    ok(!imp_solutions_taken(s, "", 0) && !imp_solutions_taken(s, "", 3), "none is taken");
    ok(imp_solutions_take(s, "", 0, 1, &p, &error) == IMP_OK && p[0] == 1 &&
           imp_solutions_taken(s, "", 0) && !imp_solutions_taken(s, "", 1) &&
           imp_solutions_all_taken(s, &error) == IMP_BAD_ARGUMENT &&
           strcmp(error.text + strlen(path), ": $[1]: belongs to no problem, expected 1 answers") ==
               0,
       "two are left: %s", error.text);
    ok(imp_solutions_take(s, "", 0, 1, &p, &error) == IMP_BAD_ARGUMENT &&
           imp_solutions_take(s, "", 1, 2, &p, &error) == IMP_BAD_ARGUMENT &&
           strstr(error.text, ": 3 impulses for problem \"\", expected 6"),
       "another size: %s", error.text);
    imp_solutions_free(s);
    imp_solutions_free(NULL);
    ok(imp_solutions_read(scratch_path("absent"), &s, &error) == IMP_IO && !s, "no file: %s",
       error.text);
}

/* One takes the first answer of a text, for a problem of that id (NULL: none). */
static void takes(const char *text, const char *id, const char *says) {
    imp_solutions *s = NULL;
    imp_error error = {0};
    const double *p = NULL;
    path = scratch_text("solutions", text);
    if (!ok(imp_solutions_read(path, &s, &error) == IMP_OK, "answers: %s", error.text)) return;
    const imp_status status = imp_solutions_take(s, id, 0, 1, &p, &error);
    if (says)
        ok(status == IMP_BAD_ARGUMENT && !p && strcmp(error.text + strlen(path), says) == 0,
           "of another problem: %s", error.text);
    else
        ok(status == IMP_OK && p && p[0] == 1, "of problem %s: %.40s", id ? id : "-", text);
    imp_solutions_free(s);
}

static void check_ids(void) {
    static const char answer[] = "{\"id\": \"b\", \"p\": [1,2,3]}",
                      list[] = "[{\"id\": \"b\", \"p\": [1,2,3]}]",
                      table[] = "id\tp1\tp2\tp3\n0\t1\t2\t3\n";
    takes(answer, "b", NULL);
    takes(answer, NULL, NULL);
    takes("{\"p\": [1,2,3]}", "a", NULL);
    takes(answer, "a", ": $.id: \"b\", expected \"a\", the problem's");
    takes(list, "0", ": $[0].id: \"b\", expected \"0\", the problem's");
    takes(table, "0", NULL);
    takes(table, NULL, NULL);
    takes(table, "1", ": no solution of problem \"1\", expected one");
}

/* p is held against the problem, u against p. */
static void check_lengths(void) {
    takes("{\"p\": [1,2], \"u\": [1,2,3]}", "a", ": 2 impulses for problem \"a\", expected 3");
    takes("{\"p\": [1,2,3], \"u\": [1]}", "a",
          ": $.u: an array of 1, expected an array of 3, as long as \"p\"");
    takes("[{\"p\": [1,2,3], \"u\": []}]", "a",
          ": $[0].u: an array of 0, expected an array of 3, as long as \"p\"");
    takes("{\"p\": [1,2,3], \"u\": null}", "a", NULL);
    takes("{\"p\": [1,2,3], \"u\": [1,2,3]}", "a", NULL);
}

#define HEADER "id\tmu\tW11\tW12\tW13\tW22\tW23\tW33\tq1\tq2\tq3"
#define ROW    "a\t0.5\t2\t0\t0\t3\t0\t4\t-1\t0.5\t0"

/* Answers beside problems, after which the first problem is the next, whatever was found. */
static void stand_beside(const char *text, imp_status found) {
    imp_problem_file *file;
    imp_solutions *s = NULL;
    imp_error error = {0};
    const imp_case *c = NULL;
    const double *p = NULL;
    path = scratch_text("problems", text);
    if (!ok(imp_problem_file_open(path, &file, &error) == IMP_OK, "problems: %s", error.text))
        return;
    for (int again = 0; again < 2; again++) {
        ok(imp_solutions_read_beside(file, &s, &error) == found && !s == (found != IMP_OK),
           "beside problems: %.40s", text);
        ok(imp_problem_file_next(file, &c, &error) == IMP_OK && c && strcmp(c->id, "a") == 0,
           "the first problem is behind it");
        ok(!s || (imp_solutions_take(s, "a", 0, 1, &p, &error) == IMP_OK && p[2] == 3),
           "and its impulse there");
        imp_solutions_free(s);
    }
    ok(imp_solutions_read_beside(file, &s, NULL) == found, "and without words");
    imp_solutions_free(s);
    imp_problem_file_close(file);
}

static void check_beside(void) {
    stand_beside(HEADER "\tp1\tp2\tp3\n" ROW "\t1\t2\t3\n", IMP_OK);
    stand_beside(HEADER "\n" ROW "\n", IMP_BAD_ARGUMENT);
    stand_beside("{\"id\": \"a\", \"W\": [[2,0,0],[0,2,0],[0,0,2]], \"q\": [1,0,0], \"mu\": 1, "
                 "\"p\": [1,2,3]}",
                 IMP_OK);
    stand_beside("{\"id\": \"a\", \"W\": [[2,0,0],[0,2,0],[0,0,2]], \"q\": [1,0,0], \"mu\": 1}",
                 IMP_BAD_ARGUMENT);
}

/* A model with settings of every kind. */
typedef struct own {
    int choice;
    double part, whole, pairs;
} own;

static const char *const words[] = {"most", "least", NULL};
static const imp_key keys[] = {
    {"choice", "-", offsetof(own, choice), 0, 0, 0, words, "which"},
    {"part", "m", offsetof(own, part), 0.5, 0, 1, NULL, "a part"},
    {"whole", IMP_COUNT, offsetof(own, whole), 3, 1, 9, NULL, "how many"},
    {"pairs", IMP_PAIRS, offsetof(own, pairs), 4, 2, 8, NULL, "how many, in pairs"},
    {0}};
static const imp_model model = {.name = "own", .keys = keys};
static const imp_model plain = {.name = "plain"};

static void assigns(const imp_model *of, const char *assignment, const char *says) {
    own set = {0, 0.5, 3, 4};
    imp_error error = {0};
    const imp_status status = imp_settings_assign(of, &set, assignment, &error);
    ok(says ? status == IMP_BAD_ARGUMENT && strcmp(error.text, says) == 0 : status == IMP_OK,
       "%.40s: %s", assignment, error.text);
    ok(imp_settings_assign(of, &set, assignment, NULL) == status, "and without words");
}

static void check_settings(void) {
    char text[80];
    static const char *const known[] = {"tolerance", "start", NULL};
    assigns(&model, "choice=least", NULL);
    assigns(&model, "choice=\"least\"", NULL);
    assigns(&model, "part=.25", NULL);
    assigns(&model, "whole=7", NULL);
    assigns(&model, "pairs=6", NULL);
    assigns(&model, "part", "setting: \"part\", expected key=value");
    assigns(&model, "choice=worst", "setting: $.choice: \"worst\", expected most or least");
    assigns(&model, "part=2", "setting: $.part: 2, expected a number from 0 to 1");
    assigns(&model, "part=x", "setting: $.part: \"x\", expected a number from 0 to 1");
    assigns(&model, "whole=1.5", "setting: $.whole: 1.5, expected a whole number from 1 to 9");
    assigns(&model, "pairs=3", "setting: $.pairs: 3, expected an even number from 2 to 8");
    assigns(&model, "other=3",
            "setting: $.other: unknown setting of own, expected choice, part, whole, pairs");
    assigns(&plain, "other=3", "setting: $.other: unknown setting of plain, expected none");
    assigns(&model, "choice=\xff", "setting: \"choice=\xff\", expected UTF-8");
    assigns(&model, "\xff=3", "setting: \"\xff=3\", expected UTF-8");
    ok(strcmp(imp_suggest("tolerence", known, text), " (did you mean \"tolerance\"?)") == 0,
       "a name that is near:%s", text);
    ok(strcmp(imp_suggest("START", known, text), " (did you mean \"start\"?)") == 0,
       "in capitals:%s", text);
    static const char *const letters[] = {"n", "t", "mu", NULL};
    ok(!*imp_suggest("q", letters, text), "one letter is near to none");
    ok(strcmp(imp_suggest("nu", letters, text), " (did you mean \"mu\"?)") == 0,
       "of two as near the one as long:%s", text);
    ok(!*imp_suggest("a name of more letters than a setting can have", known, text),
       "too long a one");
}

/* No file, or nothing to set. */
static void check_nothing(void) {
    static const char *const text = "no name, expected a file to read";
    imp_error error = {0};
    imp_solutions *s = NULL;
    imp_problem_file *file = NULL;
    imp_settings settings;
    imp_flow flow;
    ok(imp_solutions_read(NULL, &s, &error) == IMP_BAD_ARGUMENT && !s &&
           strcmp(error.text, text) == 0,
       "no file of answers");
    error = (imp_error){0};
    ok(imp_problem_file_open(NULL, &file, &error) == IMP_BAD_ARGUMENT && !file &&
           strcmp(error.text, text) == 0,
       "no file of problems");
    ok(imp_problem_file_open(NULL, &file, NULL) == IMP_BAD_ARGUMENT, "and without words");
    error = (imp_error){0};
    ok(imp_flow_read(NULL, NULL, &flow, &error) == IMP_BAD_ARGUMENT &&
           strcmp(error.text, text) == 0,
       "no file of a flow");
    imp_model_presets(&imp_model_plus, &settings);
    for (int k = 0; k < 3; k++) {
        error = (imp_error){0};
        ok(imp_settings_assign(k == 0 ? NULL : &imp_model_plus, k == 1 ? NULL : &settings,
                               k == 2 ? NULL : "theta_max=0.1", &error) == IMP_BAD_ARGUMENT &&
               strcmp(error.text, "setting: none, expected key=value") == 0,
           "no %s",
           k == 0   ? "model"
           : k == 1 ? "settings"
                    : "assignment");
    }
}

int main(void) {
    check_nothing();
    check_tables();
    check_json();
    check_fields();
    check_paths();
    check_what_stands_beside();
    check_ids();
    check_lengths();
    check_beside();
    check_settings();
    return tap_done();
}
