/* test_io_refusals.c - faults in files of problems are refused by place, in one line; damaged files
 * end in a status, never in anything else. */
#include "generators/gen.h"
#include "io/io.h"
#include "scratch.h"
#include "tap.h"

static const char *const own_choices[] = {"most", "least", NULL};
static const imp_key own_keys[] = {{"choice", "-", 0, 0, 0, 0, own_choices, "which"}, {0}};
static const imp_model own_model = {.name = "own", .keys = own_keys, .law = &imp_law_coulomb};

/* Reads all of a file; the first fault, or IMP_OK. */
static imp_status read_all(const char *path, size_t *count, imp_error *error) {
    imp_problem_file *file;
    const imp_case *c;
    imp_settings settings;
    *count = 0;
    imp_status status = imp_problem_file_open(path, &file, error);
    while (status == IMP_OK && (status = imp_problem_file_next(file, &c, error)) == IMP_OK && c) {
        ++*count;
        status = imp_problem_file_settings(file, &own_model, &settings, error);
    }
    imp_problem_file_close(file);
    return status;
}

/* The content is refused with exactly this line, behind the file's name. */
static void refuses(const char *content, size_t size, const char *says) {
    imp_error error = {0};
    size_t count;
    const char *path = scratch_write("bad", content, size);
    const imp_status status = read_all(path, &count, &error);
    const char *got = error.text + strlen(path);
    ok(status == IMP_BAD_ARGUMENT && error.status == status &&
           strncmp(error.text, path, strlen(path)) == 0 && strcmp(got, says) == 0,
       "refused%s", says);
    if (strcmp(got, says) != 0) diag("got%s", got);
}

static void refuses_text(const char *content, const char *says) {
    refuses(content, strlen(content), says);
}

#define HEADER "id\tmu\tW11\tW12\tW13\tW22\tW23\tW33\tq1\tq2\tq3\n"
#define ROW    "a\t0.5\t2\t0\t0\t3\t0\t4\t-1\t0.5\t0\n"
#define TURNED                                                                                     \
    "note\tq3\tq2\tq1\tmu\te\tW33\tW23\tW22\tW13\tW12\tW11\tid\n"                                  \
    "x y\t0\t.5\t-1\t0.5\t1\t4\t0\t3\t0\t0\t2\ta b\n"

static void accepts_table(const char *content, size_t want, const char *name) {
    imp_error error = {0};
    size_t count;
    const imp_status status = read_all(scratch_text("good", content), &count, &error);
    ok(status == IMP_OK && count == want, "%s: %zu rows %s", name, count, error.text);
}

/* The table of one row is read as the numbers of ROW. */
static bool reads_as(const char *content) {
    static const double W[9] = {2, 0, 0, 0, 3, 0, 0, 0, 4}, q[3] = {-1, 0.5, 0};
    double own[9];
    imp_problem_file *file;
    const imp_case *c = NULL;
    imp_error error;
    if (imp_problem_file_open(scratch_text("row", content), &file, &error) == IMP_OK)
        (void)imp_problem_file_next(file, &c, &error);
    if (c) imp_problem_dense(&c->problem, own);
    const bool same = c && memcmp(own, W, sizeof W) == 0 &&
                      memcmp(c->problem.q, q, sizeof q) == 0 && c->problem.mu[0] == 0.5;
    imp_problem_file_close(file);
    return same;
}

static void check_tables(void) {
    accepts_table(HEADER, 0, "header only");
    accepts_table(HEADER ROW ROW, 2, "two rows");
    accepts_table(HEADER "a\t0.5\t2\t0\t0\t3\t0\t4\t-1\t0.5\t0", 1, "no newline at the end");
    accepts_table("# c\n\n" HEADER "#\t\n" ROW "\n", 1, "comments and empty lines");
    accepts_table("id\tmu\tW11\tW12\tW13\tW22\tW23\tW33\tq1\tq2\tq3\r\na\t0.5\t2\t0\t0\t3\t0\t4\t-"
                  "1\t0.5\t0\r\n",
                  1, "CRLF");
    accepts_table(TURNED, 1, "columns in any order, extra ones ignored");
    ok(reads_as(HEADER ROW) && reads_as(TURNED), "with the same numbers");
    refuses_text("", ":1:1: the file is empty, expected a table, a JSON problem or an FCLIB file");
    refuses_text(" \n\n",
                 ":1:1: the file is empty, expected a table, a JSON problem or an FCLIB file");
    refuses_text("# only\n#comments\n", ":3:1: the file ends, expected a header row");
    refuses_text("id\tmu\n" ROW, ":1:1: no column W11, expected a tab-separated header with it");
    refuses_text("id mu W11 W12 W13 W22 W23 W33 q1 q2 q3\n" ROW,
                 ":1:1: no column id, expected a tab-separated header with it");
    refuses_text("# c\nid\tmu\tW11\tW12\tW13\tW22\tW23\tW33\tq1\tq2\tq3\tmu\n",
                 ":2:40: column mu stands here again, expected it once");
    refuses_text(HEADER "a\t0.5\t2\t0\t0\t3\t0\t4\t-1\t0.5\n",
                 ":2:22: fewer than 11 fields, expected as many as the header");
    refuses_text(HEADER "a\t0.5\t2\t0\t0\t3\t0\t4\t-1\t0.5\t0\t\n",
                 ":2:28: more than 11 fields, expected as many as the header");
    refuses_text(HEADER ROW "a\t0.5\t2x\t0\t0\t3\t0\t4\t-1\t0.5\t0\n",
                 ":3:7: W11 is \"2x\", expected a decimal number");
    refuses_text(HEADER "a\t0.5\t2 \t0\t0\t3\t0\t4\t-1\t0.5\t0\n",
                 ":2:7: W11 is \"2 \", expected a decimal number");
    refuses_text(HEADER "a\tnan\t2\t0\t0\t3\t0\t4\t-1\t0.5\t0\n",
                 ":2:3: mu is \"nan\", expected a decimal number");
    refuses_text(HEADER "a\t1\tinf\t0\t0\t3\t0\t4\t-1\t0.5\t0\n",
                 ":2:5: W11 is \"inf\", expected a decimal number");
    refuses_text(HEADER "a\t1\t0x2\t0\t0\t3\t0\t4\t-1\t0.5\t0\n",
                 ":2:5: W11 is \"0x2\", expected a decimal number");
    refuses_text(HEADER "a\t1\t1e999\t0\t0\t3\t0\t4\t-1\t0.5\t0\n",
                 ":2:5: W11 is \"1e999\", expected a number below 1.8e308");
    refuses_text(HEADER "a\t\t2\t0\t0\t3\t0\t4\t-1\t0.5\t0\n",
                 ":2:3: mu is \"\", expected a decimal number");
    refuses_text(HEADER "\t1\t2\t0\t0\t3\t0\t4\t-1\t0.5\t0\n",
                 ":2:1: id is \"\", expected a text that names the problem");
    refuses_text("e\t" HEADER "0\t#" ROW,
                 ":2:3: id is \"#a\", expected one without a # at its start");
    refuses_text(HEADER "a\t-0.5\t2\t0\t0\t3\t0\t4\t-1\t0.5\t0\n",
                 ":2:3: mu is \"-0.5\", expected a number >= 0");
    refuses_text(HEADER "a\t1\t2\t3\t0\t3\t0\t4\t-1\t0.5\t0\n",
                 ":2:5: W is not positive definite, expected it to be");
    refuses_text(HEADER "a\t1\t0\t0\t0\t0\t0\t0\t-1\t0.5\t0\n",
                 ":2:5: W is not positive definite, expected it to be");
    refuses_text("E\t" HEADER "0.5\t" ROW,
                 ":1:1: unknown column \"E\" (did you mean \"e\"?), expected that or another name");
    refuses_text(
        " e\t" HEADER "0.5\t" ROW,
        ":1:1: unknown column \" e\" (did you mean \"e\"?), expected that or another name");
    refuses_text(
        "id\tMu\tW11\n",
        ":1:4: unknown column \"Mu\" (did you mean \"mu\"?), expected that or another name");
    for (int k = 0; k < 3; k++) {
        static const char *const name[] = {"mu_v", "gap", "kappa"};
        char text[200], words[100];
        snprintf(text, sizeof text, "%s\t" HEADER "0\t" ROW, name[k]);
        snprintf(words, sizeof words, ":1:1: column %s, expected none: JSON problems alone hold it",
                 name[k]);
        refuses_text(text, words);
    }
    refuses_text("Gap\t" HEADER "0\t" ROW,
                 ":1:1: column Gap, expected none: JSON problems alone hold it");
    refuses_text("id\tMU_V\tW11\n",
                 ":1:4: column MU_V, expected none: JSON problems alone hold it");
    accepts_table("E\te\tID\tt\tx\ty\tb\tu1\tp1\t\tname\t" HEADER
                  "7\t0.5\t7\t0\t0\t0\t0\t0\t0\t\tball\t" ROW,
                  1, "columns of the user's own, E beside e");
    accepts_table("W21\tW31\tW32\t" HEADER "0\t0\t0\t" ROW, 1, "both triangles of W");
    refuses_text("W21\t" HEADER "0.5\t" ROW, ":2:11: W is not symmetric, expected it to be");
    refuses_text("W31\t" HEADER "0.5\t" ROW, ":2:11: W is not symmetric, expected it to be");
    refuses_text("W32\t" HEADER "0.5\t" ROW, ":2:11: W is not symmetric, expected it to be");
    refuses_text("W32\t" HEADER "x\t" ROW, ":2:1: W32 is \"x\", expected a decimal number");
    refuses_text("e\t" HEADER "1.5\t" ROW, ":2:1: e is \"1.5\", expected a number from 0 to 1");
    refuses_text("e\t" HEADER "-1\t" ROW, ":2:1: e is \"-1\", expected a number from 0 to 1");
    refuses(HEADER "a\0b\t1\n", sizeof HEADER "a\0b\t1\n" - 1, ":2:2: byte 0x00, expected text");
    refuses("\x89HDF\r\n\x1a\n", 8, ": damaged, expected an HDF5 file");
    refuses("\x7f"
            "ELF\2\1\1\0",
            8, ":1:1: not text, expected a table, a JSON problem or an FCLIB file");
    char *longer = malloc(3 << 20);
    memset(longer, 'x', 3 << 20);
    refuses(longer, 3 << 20, ":1:1: a line of more than 1048576 bytes, expected a table");
    free(longer);
}

#define BLOCKS                                                                                     \
    "{\"n\":2,\"blocks\":[[0,0,[1,0,0,0,1,0,0,0,1]],[1,1,[1,0,0,0,1,0,0,0,1]],[0,1,[0.1,0,0,0,0,"  \
    "0,0,0,0]]],"                                                                                  \
    "\"q\":[-1,0,0.5,-1,0,0],\"mu\":[0.5,0]}"
#define BRICK                                                                                      \
    "{\"name\":\"brick\",\"mass\":2,\"inertia\":[0.1,0.2,0.25],"                                   \
    "\"position\":[0,0,1]}"
#define TOUCH                "\"point\":[0.1,0,0],\"normal\":[0,0,1],\"mu\":0.5}"
#define SCENE(body, contact) "{\"bodies\":[" body "],\"contacts\":[" contact "]}"

static void check_json(void) {
    refuses_text("{\"W\":[[2,0,0],[0,2,0],[0,0,2]],\"q\":[1,0],\"mu\":0}",
                 ": $.q: an array of 2, expected 3 numbers for each contact");
    refuses_text("{\"W\":[[2,0,0],[0,2,0],[0,0,2]],\"mu\":0}", ": $.q: missing, expected an array");
    refuses_text("[{\"W\":[[2,0,0],[0,\"x\",0],[0,0,2]],\"q\":[1,0,0],\"mu\":0}]",
                 ": $[0].W[1][1]: \"x\", expected a number");
    refuses_text("{\"W\":[[2,0,0],[0,2,0]],\"q\":[1,0,0],\"mu\":0}",
                 ": $.W: an array of 2, expected 3 rows of 3 numbers");
    refuses_text("{\"W\":[[2,0,0],[0,2,0],[0,0,2]],\"q\":[1,0,0]}",
                 ": $.mu: missing, expected one number or an array of 1");
    refuses_text("{\"W\":[[2,0,0],[0,2,0],[0,0,2]],\"q\":[1,0,0],\"mu\":[0.1,0.2]}",
                 ": $.mu: an array of 2, expected one number or an array of 1");
    refuses_text("{\"W\":[[2,0,0],[0,2,0],[0,0,2]],\"q\":[1,0,0],\"mu\":[-1]}",
                 ": $.mu[0]: -1, expected a number >= 0");
    refuses_text("{\"W\":[[2,0,0],[0,2,0],[0,0,2]],\"q\":[1,0,0],\"mu\":1,\"e\":1.5}",
                 ": $.e: 1.5, expected a number from 0 to 1");
    refuses_text("{\"W\":[[2,0,0],[0,2,0],[0,0,2]],\"q\":[1,0,0],\"mu\":1,\"n\":2}",
                 ": $.n: 2, expected 1, the number of contacts");
    refuses_text("{\"W\":[[2,0,0],[0,2,0],[0,0,2]],\"q\":[1,0,0],\"mu\":1,\"nu\":2}",
                 ": $.nu: unknown key (did you mean \"mu\"?), expected kind, id, n, W, G, blocks, "
                 "q, mu, e, bodies, "
                 "contacts, constraints, settings, guess, "
                 "mu_v, gap, kappa, p, b, lambda, velocities or joint_friction");
    refuses_text("{\"W\":[[2,1,0],[0,2,0],[0,0,2]],\"q\":[1,0,0],\"mu\":1}",
                 ": $.W[1][0]: 0, expected 1 as in W[0][1]");
    refuses_text("{\"W\":[[2,3,0],[3,2,0],[0,0,2]],\"q\":[1,0,0],\"mu\":1}",
                 ": $: W is not positive semidefinite, expected it to be");
    refuses_text("{\"W\":[[2,0,0],[0,2,0],[0,0,2]],\"q\":[1,0,0],\"mu\":1,\"kind\":\"scene\"}",
                 ": $.kind: \"scene\", expected problem");
    refuses_text("{\"W\":[[2,0,0],[0,2,0],[0,0,2]],\"q\":[1,0,0],\"mu\":1,\"id\":3}",
                 ": $.id: 3, expected a text");
    refuses_text(
        "{\"W\":[[2,0,0],[0,2,0],[0,0,2]],\"q\":[1,0,0],\"mu\":1,\"settings\":{\"speed\":1}}",
        ": $.settings.speed: unknown setting of own, expected choice");
    refuses_text("{\"W\":[[2,0,0],[0,2,0],[0,0,2]],\"q\":[1,0,0],\"mu\":1,\"settings\":[]}",
                 ": $.settings: an array of 0, expected an object");
    refuses_text("{\"q\":[1,0,0],\"mu\":1}",
                 ": $: an object, expected W, blocks, G or bodies in it");
    refuses_text("{\"W\":1,\"blocks\":1,\"q\":[1,0,0],\"mu\":1}",
                 ": $.blocks: stands beside \"W\", expected one of W, blocks, G and bodies");
    refuses_text("[1]", ": $[0]: 1, expected an object");
    refuses_text("{\"blocks\":[[0,0,[1,0,0,0,1,0,0,0]]],\"q\":[1,0,0],\"mu\":1}",
                 ": $.blocks[0][2]: an array of 8, expected an array of 9");
    refuses_text("{\"blocks\":[[0,1,[1,0,0,0,1,0,0,0,1]]],\"q\":[1,0,0],\"mu\":1}",
                 ": $.blocks[0][1]: 1, expected a whole number from 0 to 0");
    refuses_text("{\"blocks\":[[0,0]],\"q\":[1,0,0],\"mu\":1}",
                 ": $.blocks[0]: an array of 2, expected [i, j, [9 numbers]]");
    refuses_text("{\"blocks\":[],\"q\":[1,0,0],\"mu\":1}",
                 ": $.blocks: no block [0, 0], expected every diagonal block");
    refuses_text(
        "{\"blocks\":[[0,0,[1,0,0,0,1,0,0,0,1]],[0,0,[1,0,0,0,1,0,0,0,1]]],\"q\":[1,0,0],\"mu\":1}",
        ": $.blocks[1]: block [0, 0] stands here again, expected it once");
    refuses_text("{\"blocks\":[[0,0,[1,0,0,0,1,0,0,0,1]],[1,0,[0,0.1,0,0,0,0,0,0,0]],[1,1,[1,0,0,0,"
                 "1,0,0,0,1]],"
                 "[1,0,[0,0.1,0,0,0,0,0,0,0]]],\"q\":[1,0,0,1,0,0],\"mu\":1}",
                 ": $.blocks[3]: block [1, 0] stands here again, expected it once");
    refuses_text("{\"blocks\":[[0,0,[1,0,0,0,1,0,0,0,1]],[1,0,[0,0.1,0,0,0,0,0,0,0]],[1,1,[1,0,0,0,"
                 "1,0,0,0,1]],"
                 "[0,1,[0,0.1,0,0,0,0,0,0,0]]],\"q\":[1,0,0,1,0,0],\"mu\":1}",
                 ": $.blocks[1][2][1]: 0.10000000000000001, expected 0 as in block [0, 1]");
    refuses_text("{\"blocks\":[[0,0,[1,0.5,0,0,1,0,0,0,1]]],\"q\":[1,0,0],\"mu\":1}",
                 ": $: W is not symmetric at contact 0, expected it to be");
}

static void check_bodies(void) {
    imp_error error;
    size_t count;
    ok(read_all(scratch_text("good", SCENE(BRICK, "{\"a\":\"ground\",\"b\":\"brick\"," TOUCH)),
                &count, &error) == IMP_OK,
       "the scene that is spoilt below");
    refuses_text(SCENE(BRICK, ""), ": $.contacts: an array of 0, expected at least one contact");
    refuses_text("{\"bodies\":[" BRICK "]}", ": $.contacts: missing, expected an array");
    refuses_text("{\"contacts\":[],\"W\":[],\"q\":[0,0,0]}",
                 ": $.contacts: stands without \"bodies\", expected both");
    refuses_text("{\"bodies\":[],\"contacts\":[],\"q\":[0,0,0]}",
                 ": $.q: stands beside \"bodies\", which give it, expected one of them");
    refuses_text(
        SCENE(BRICK, "{\"a\":\"ground\",\"b\":\"brock\"," TOUCH),
        ": $.contacts[0].b: \"brock\", expected the name or the number of a body, or \"ground\"");
    refuses_text(SCENE(BRICK, "{\"a\":\"ground\",\"b\":1," TOUCH),
                 ": $.contacts[0].b: 1, expected a whole number from 0 to 0");
    refuses_text(SCENE(BRICK, "{\"a\":0,\"b\":\"brick\"," TOUCH),
                 ": $.contacts[0].b: \"brick\", expected another body than \"a\"");
    refuses_text(
        SCENE(BRICK, "{\"a\":\"ground\",\"b\":0,\"point\":[0,0,0],\"normal\":[0,0,0],\"mu\":1}"),
        ": $.contacts[0].normal: [0, 0, 0], of length 0, expected a unit normal");
    refuses_text(
        SCENE(BRICK, "{\"a\":\"ground\",\"b\":0,\"point\":[0,0,0],\"normal\":[0,0,1],\"tangent\":["
                     "0,0,2],\"mu\":1}"),
        ": $.contacts[0].tangent: [0, 0, 2], zero or along the normal, expected a direction across "
        "it");
    refuses_text(SCENE(BRICK, "{\"a\":\"ground\",\"b\":0,\"point\":[0,0,0],\"normal\":[0,0,1]}"),
                 ": $.contacts[0].mu: missing, expected a number >= 0");
    refuses_text(SCENE(BRICK "," BRICK, "{\"a\":0,\"b\":1," TOUCH),
                 ": $.bodies[1].name: \"brick\", expected a name of its own");
    refuses_text(SCENE("{\"fixed\":true,\"position\":[0,0,0]}", "{\"a\":\"ground\",\"b\":0," TOUCH),
                 ": $.contacts[0]: neither body can move, expected one that can");
    refuses_text(SCENE("{\"fixed\":true,\"mass\":1,\"position\":[0,0,0]}",
                       "{\"a\":\"ground\",\"b\":0," TOUCH),
                 ": $.bodies[0].mass: stands beside \"fixed\": true, expected one of them");
    refuses_text(SCENE("{\"mass\":-1,\"inertia\":[1,1,1],\"position\":[0,0,0]}", "{}"),
                 ": $.bodies[0].mass: -1, expected a number > 0");
    refuses_text(
        SCENE("{\"mass\":1,\"inertia\":[1,1],\"position\":[0,0,0]}", "{}"),
        ": $.bodies[0].inertia: an array of 2, expected 3 principal moments or a 3 x 3 matrix");
    refuses_text(
        SCENE("{\"mass\":1,\"inertia\":[1,1,3],\"position\":[0,0,0]}", "{}"),
        ": $.bodies[0].inertia: moments 1, 1, 3, expected none above the sum of the others");
    refuses_text(
        SCENE("{\"mass\":1,\"inertia\":[[1,0,0],[0.1,1,0],[0,0,1]],\"position\":[0,0,0]}", "{}"),
        ": $.bodies[0].inertia: entries [0][1] and [1][0] differ, expected a symmetric matrix");
    refuses_text(
        SCENE("{\"mass\":1,\"inertia\":[[1,2,0],[2,1,0],[0,0,1]],\"position\":[0,0,0]}", "{}"),
        ": $.bodies[0].inertia: not positive definite, expected an inertia");
    refuses_text(
        SCENE("{\"mass\":1,\"inertia\":[1,1,1],\"position\":[0,0,0],\"orientation\":[1,1,0,0]}",
              "{}"),
        ": $.bodies[0].orientation: [1, 1, 0, 0], of length 1.41421356, expected a unit "
        "quaternion");
    refuses_text(
        SCENE("{\"mass\":1,\"inertia\":[1,1,1],\"position\":[0,0,0],\"orientation\":[[-1,0,0],[0,1,"
              "0],[0,0,1]]}",
              "{}"),
        ": $.bodies[0].orientation: not orthonormal and right-handed, expected a rotation matrix");
    refuses_text(SCENE("{\"mass\":1,\"inertia\":[1,1,1],\"position\":[0,0,0],\"orientation\":[[1,0,"
                       "0],[0,1,0],[0,0,\"x\"]]}",
                       "{}"),
                 ": $.bodies[0].orientation[2][2]: \"x\", expected a number");
    refuses_text(SCENE("{\"mass\":1,\"inertia\":[1,1,1],\"position\":[0,0]}", "{}"),
                 ": $.bodies[0].position: an array of 2, expected an array of 3 numbers");
    refuses_text(
        SCENE("{\"mass\":1e-300,\"inertia\":[1e-300,1e-300,1e-300],\"position\":[1e10,1e10,0]}",
              "{\"a\":\"ground\",\"b\":0," TOUCH),
        ": $: W or q is beyond 1.8e308, expected numbers below");
    ok(read_all(
           scratch_text("rod", SCENE("{\"mass\":1,\"inertia\":[null,1,1],\"position\":[0,0,1]}",
                                     "{\"a\":\"ground\",\"b\":0," TOUCH)),
           &count, &error) == IMP_OK,
       "null is an infinite moment: the rod that cannot spin about itself");
}

/* Printed rotations hold six digits: R R' within 2e-6 of the unit matrix is one. */
static void check_rotations(void) {
    imp_error error;
    size_t count;
    for (int k = 0; k < 2; k++) {
        char text[600];
        snprintf(text, sizeof text,
                 SCENE("{\"mass\":1,\"inertia\":[1,1,1],\"position\":[0,0,1],"
                       "\"orientation\":[[1,%s,0],[0,1,0],[0,0,1]]}",
                       "{\"a\":\"ground\",\"b\":0," TOUCH),
                 k ? "2.5e-6" : "1.5e-6");
        const bool taken = read_all(scratch_text("turned", text), &count, &error) == IMP_OK;
        ok(taken == !k, "a rotation %s orthogonal to six digits is %s", k ? "not" : "that is",
           taken ? "taken" : "refused");
    }
}

/* Flips, cuts, repeats and overwrites bytes of a good file. Whatever comes of it is read or refused
 * in one line. */
static void check_damage(const char *name, const char *good, int rounds) {
    gen_stream s = gen_seed(2026, strlen(good));
    static const char noise[] = "\0\t\n\r\"{}[],:.-+eE0919nul#\x7f\xff";
    char bytes[20100];
    int wrong = 0, read = 0;
    for (int round = 0; round < rounds; round++) {
        size_t n = strlen(good);
        memcpy(bytes, good, n + 1);
        const int changes = 1 + (int)gen_uniform(&s, 0, 3);
        for (int k = 0; k < changes && n > 1; k++) {
            const size_t at = (size_t)gen_uniform(&s, 0, (double)n),
                         run = (size_t)gen_uniform(&s, 0, (double)(n - at));
            switch ((int)gen_uniform(&s, 0, 4)) {
            case 0: bytes[at] = noise[(size_t)gen_uniform(&s, 0, sizeof noise - 1)]; break;
            case 1: n = at; break;
            case 2:
                memmove(bytes + at, bytes + at + run, n - at - run);
                n -= run;
                break;
            default: memmove(bytes, bytes + at, run); break;
            }
        }
        imp_error error = {0};
        size_t count;
        const imp_status status = read_all(scratch_write("damaged", bytes, n), &count, &error);
        const bool told = status == IMP_OK ||
                          (status == error.status && *error.text && !strchr(error.text, '\n'));
        wrong += !told || (status != IMP_OK && status != IMP_BAD_ARGUMENT);
        read += status == IMP_OK;
    }
    ok(wrong == 0 && read < rounds, "%s: %d damaged files, %d still good, %d without a proper end",
       name, rounds, read, wrong);
}

static void check_reading_again(void) {
    imp_problem_file *file;
    imp_error error;
    const imp_case *c;
    const char *path = scratch_text("twice", HEADER ROW "b\t0.25\t2\t0\t0\t3\t0\t4\t-1\t0.5\t0\n");
    double mu[4] = {0};
    char ids[5] = "";
    ok(imp_problem_file_open(path, &file, &error) == IMP_OK && imp_problem_file_is_table(file),
       "a table is one");
    for (int k = 0; k < 4; k++) {
        if (imp_problem_file_next(file, &c, &error) != IMP_OK || !c) break;
        ids[k] = *c->id;
        mu[k] = c->problem.mu[0];
        if (k == 1) (void)imp_problem_file_rewind(file, &error);
    }
    ok(strcmp(ids, "abab") == 0 && mu[0] == 0.5 && mu[1] == 0.25 && mu[2] == 0.5 && mu[3] == 0.25,
       "read twice");
    ok(imp_problem_file_next(file, &c, &error) == IMP_OK && !c, "and then it ends");
    imp_problem_file_close(file);
    file = NULL;
    ok(imp_problem_file_open(scratch_path("absent"), &file, &error) == IMP_IO && !file &&
           strstr(error.text, "cannot be opened: No such file"),
       "no file: %s", error.text);
    ok(imp_problem_file_open(scratch_folder, &file, &error) == IMP_IO && !file &&
           strstr(error.text, "is a directory"),
       "a directory: %s", error.text);
    imp_problem_file_close(NULL);
}

int main(void) {
    check_tables();
    check_json();
    check_bodies();
    check_rotations();
    check_reading_again();
    check_damage("bodies", "[" SCENE(BRICK, "{\"a\":\"ground\",\"b\":\"brick\"," TOUCH) "]", 2000);
    check_damage("blocks", BLOCKS, 2000);
    check_damage("matrix",
                 "{\"W\":[[2,0,0],[0,2,0],[0,0,2]],\"q\":[1,0,0],\"mu\":1,\"settings\":{}}", 2000);
    check_damage("table", "# c\n" HEADER ROW ROW, 2000);
    return tap_done();
}
