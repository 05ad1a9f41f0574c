/* test_io_forms.c - a problem as bodies, as blocks and as a matrix: all are read as what mechanics
 * says. */
#include "contact/frame.h"
#include "generators/gen.h"
#include "impact.h"
#include "io/io.h"
#include "scratch.h"
#include "tap.h"

enum { NC = 3, ROWS = 3 * NC };

/* The scene: a rotated brick that flies, a sphere, the ground; contacts ground-brick, brick-sphere,
 * ground-sphere. */
static const double mass[2] = {2, 0.5}, moment[2][3] = {{0.1, 0.2, 0.25}, {0.02, 0.02, 0.02}};
static const double centre[2][3] = {{0.1, -0.2, 0.5}, {0.9, 0.1, 0.4}};
static double speed[2][3] = {{1, 0.5, -2}, {-1, 0, -0.5}}, turn[2][3] = {{0.3, -1, 2}, {0, 4, 0}};
static const int side[NC][2] = {{-1, 0}, {0, 1}, {-1, 1}};
static const double place[NC][3] = {{0, -0.1, 0.1}, {0.6, 0, 0.45}, {0.9, 0.1, 0}},
                    normal[NC][3] = {{0, 0, 1}, {0.96, 0.28, 0}, {0, 0, 1}};
static double R[9]; /* of the brick */

static void cross(const double a[3], const double b[3], double c[3]) {
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

/* w <- I^-1 h for body k, from its principal axes. */
static void spin_from(int k, const double h[3], double w[3]) {
    for (int i = 0; i < 3; i++)
        w[i] = 0;
    for (int a = 0; a < 3; a++) {
        double axis[3], along = 0;
        for (int i = 0; i < 3; i++)
            axis[i] = k == 0 ? R[3 * i + a] : (i == a);
        for (int i = 0; i < 3; i++)
            along += axis[i] * h[i];
        for (int i = 0; i < 3; i++)
            w[i] += along / moment[k][a] * axis[i];
    }
}

/* Relative velocity (world) of contact c when the bodies move with v, w. */
static void relative(int c, double v[2][3], double w[2][3], double u[3]) {
    for (int i = 0; i < 3; i++)
        u[i] = 0;
    for (int s = 0; s < 2; s++) {
        const int k = side[c][s];
        if (k < 0) continue;
        double lever[3], rotation[3];
        for (int i = 0; i < 3; i++)
            lever[i] = place[c][i] - centre[k][i];
        cross(w[k], lever, rotation);
        for (int i = 0; i < 3; i++)
            u[i] += (s ? 1 : -1) * (v[k][i] + rotation[i]);
    }
}

/* W and q by hitting contact d along each axis of its frame and looking at every contact. */
static void mechanics(double frames[NC][9], double W[ROWS * ROWS], double q[ROWS]) {
    for (int row = 0; row < ROWS; row++) {
        double u[3];
        relative(row / 3, speed, turn, u);
        q[row] = 0;
        for (int i = 0; i < 3; i++)
            q[row] += frames[row / 3][3 * (row % 3) + i] * u[i];
    }
    for (int column = 0; column < ROWS; column++) {
        const int d = column / 3;
        const double *hit = frames[d] + 3 * (column % 3);
        double v[2][3] = {{0}}, w[2][3] = {{0}};
        for (int s = 0; s < 2; s++) {
            const int k = side[d][s];
            if (k < 0) continue;
            double lever[3], push[3], h[3];
            for (int i = 0; i < 3; i++) {
                lever[i] = place[d][i] - centre[k][i];
                push[i] = (s ? 1 : -1) * hit[i];
                v[k][i] = push[i] / mass[k];
            }
            cross(lever, push, h);
            spin_from(k, h, w[k]);
        }
        for (int row = 0; row < ROWS; row++) {
            double u[3];
            relative(row / 3, v, w, u);
            W[row * ROWS + column] = 0;
            for (int i = 0; i < 3; i++)
                W[row * ROWS + column] += frames[row / 3][3 * (row % 3) + i] * u[i];
        }
    }
}

static char text[60000];
static size_t length;

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    length += (size_t)vsnprintf(text + length, sizeof text - length, format, arguments);
    va_end(arguments);
}

static void say_vector(const char *key, const double *x, int n) {
    say("%s%s%s[", *key ? "\"" : "", key, *key ? "\":" : "");
    for (int i = 0; i < n; i++)
        say("%s%.17g", i ? "," : "", x[i]);
    say("]");
}

static void say_matrix(const char *key, const double *x, int n) {
    say("\"%s\":[", key);
    for (int i = 0; i < n; i++) {
        say(i ? "," : "");
        say_vector("", x + i * n, n);
    }
    say("]");
}

/* The scene as bodies: form 0 quaternion, 1 rotation matrix, 2 upright with the full inertia in
 * world axes. */
static void say_bodies(int form, const double quaternion[4]) {
    length = 0;
    say("{\"bodies\":[{\"name\":\"brick\",\"mass\":2,");
    if (form == 2) {
        double world[9] = {0};
        for (int i = 0; i < 9; i++)
            for (int a = 0; a < 3; a++)
                world[i] += R[3 * (i / 3) + a] * moment[0][a] * R[3 * (i % 3) + a];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < i; j++)
                world[3 * i + j] = world[3 * j + i];
        say_matrix("inertia", world, 3);
    } else {
        say_vector("inertia", moment[0], 3);
        say(",");
        if (form == 0) say_vector("orientation", quaternion, 4);
        if (form == 1) say_matrix("orientation", R, 3);
    }
    for (int k = 0; k < 2; k++) {
        say(",");
        say_vector("position", centre[k], 3);
        say(",");
        say_vector("velocity", speed[k], 3);
        say(",");
        say_vector("spin", turn[k], 3);
        say("}");
        if (k == 0) say(",{\"mass\":0.5,\"inertia\":[0.02,0.02,0.02]");
    }
    say("],\"contacts\":[");
    for (int c = 0; c < NC; c++) {
        say("%s{\"a\":%s,\"b\":%s,\"mu\":0.%d,", c ? "," : "",
            side[c][0] < 0 ? "\"ground\"" : "\"brick\"", side[c][1] ? "1" : "0", c + 2);
        say_vector("point", place[c], 3);
        say(",");
        say_vector("normal", normal[c], 3);
        say(c == 1 ? ",\"tangent\":[0,0,-3],\"e\":0.5}" : "}");
    }
    say("]}");
}

/* Reads the text as a problem and holds W, q, mu, e against the expected. */
static void agrees(const char *name, const double W[ROWS * ROWS], const double q[ROWS]) {
    imp_problem_file *file = NULL;
    const imp_case *c = NULL;
    imp_error error = {0};
    double got[ROWS * ROWS];
    if (imp_problem_file_open(scratch_write("p.json", text, length), &file, &error) == IMP_OK)
        (void)imp_problem_file_next(file, &c, &error);
    if (ok(c && c->problem.nc == NC, "%s is read %s", name, error.text) && c) {
        const double mu[NC] = {0.2, 0.3, 0.4}, e[NC] = {0, 0.5, 0};
        imp_problem_dense(&c->problem, got);
        is_vec(got, W, ROWS * ROWS, 0, 4e-15, "%s: W", name);
        is_vec(c->problem.q, q, ROWS, 0, 4e-15, "%s: q", name);
        is_vec(c->problem.mu, mu, NC, 0, 0, "%s: mu", name);
        is_vec(c->problem.e, e, NC, 0, 0, "%s: e", name);
    }
    imp_problem_file_close(file);
}

static void say_blocks(const double W[ROWS * ROWS], int triangles, const double q[ROWS]) {
    const char *comma = "";
    length = 0;
    say("{\"kind\":\"problem\",\"n\":3,\"mu\":[0.2,0.3,0.4],\"e\":[0,0.5,0],");
    say_vector("q", q, ROWS);
    say(",\"blocks\":[");
    for (int i = NC - 1; i >= 0; i--) /* any order will do */
        for (int j = 0; j < NC; j++) {
            double block[9];
            if ((triangles == 1 && i > j) || (triangles == 2 && i < j)) continue;
            for (int k = 0; k < 9; k++)
                block[k] = W[(3 * i + k / 3) * ROWS + 3 * j + k % 3];
            say("%s[%d,%d,", comma, i, j);
            say_vector("", block, 9);
            say("]");
            comma = ",";
        }
    say("]}");
}

/* The brick turned by R, written in every way. */
static void check_bodies(const double quaternion[4], double frames[NC][9], double W[ROWS * ROWS],
                         double q[ROWS]) {
    static const char *const names[] = {"bodies, quaternion", "bodies, matrix",
                                        "bodies, full inertia"};
    mechanics(frames, W, q);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < i; j++)
            W[i * ROWS + j] = W[j * ROWS + i];
    for (int form = 0; form < 3; form++) {
        say_bodies(form, quaternion);
        agrees(names[form], W, q);
    }
}

static void check_forms(void) {
    gen_stream s = gen_seed(2026, 7);
    double frames[NC][9], W[ROWS * ROWS], q[ROWS], upright[9];
    const double down[3] = {0, 0, -3};
    gen_rotation(&s, upright);
    memcpy(R, upright, sizeof R);
    const double w = sqrt(1 + R[0] + R[4] + R[8]) / 2, x = (R[7] - R[5]) / (4 * w),
                 y = (R[2] - R[6]) / (4 * w), z = (R[3] - R[1]) / (4 * w);
    /* as it is, and after half a turn about each of its axes: each component of the quaternion is
     * largest once */
    const double quaternion[4][4] = {{w, x, y, z}, {-x, w, z, -y}, {-y, -z, w, x}, {-z, y, -x, w}};
    for (int c = 0; c < NC; c++)
        (void)(c == 1 ? imp_frame_from_tangent(normal[c], down, frames[c])
                      : imp_frame_from_normal(normal[c], frames[c]));
    for (int half = 0; half < 4; half++) {
        for (int i = 0; i < 9; i++)
            R[i] = half == 0 || i % 3 == half - 1 ? upright[i] : -upright[i];
        check_bodies(quaternion[half], frames, W, q);
    }
    static const char *const parts[] = {"all blocks", "upper blocks", "lower blocks"};
    for (int triangles = 0; triangles < 3; triangles++) {
        say_blocks(W, triangles, q);
        agrees(parts[triangles], W, q);
    }
    length = 0;
    say("\n\t {\"mu\":[0.2,0.3,0.4],\"e\":[0,0.5,0],");
    say_matrix("W", W, ROWS);
    say(",");
    say_vector("q", q, ROWS);
    say("}\n");
    agrees("dense W", W, q);
}

/* A plate that comes down on n points of the ground, aslant. */
static void say_plate(int n) {
    gen_stream s = gen_seed(2026, 8);
    length = 0;
    say("{\"bodies\":[{\"mass\":2,\"inertia\":[1,1,2],\"position\":[0,0,0.1],\"velocity\":[0.5,0,-"
        "1],"
        "\"spin\":[0.3,0.2,0.1]}],\"mu\":0.4,\"contacts\":[");
    for (int i = 0; i < n; i++)
        say("%s{\"a\":\"ground\",\"b\":0,\"point\":[%.17g,%.17g,0],\"normal\":[0,0,1]}",
            i ? "," : "", gen_uniform(&s, -1, 1), gen_uniform(&s, -1, 1));
    say("]}");
}

/* A body of infinite moments (null) about x, or about all axes, on the ground at a lever. */
static void check_infinite(bool all) {
    /* 1/m, and what the finite moments add along the normal and to the trace */
    const double nn = 0.5 + (all ? 0 : 0.01), trace = 1.5 + (all ? 0 : 0.15);
    imp_problem_file *file = NULL;
    const imp_case *c = NULL;
    imp_error error = {0};
    length = 0;
    say("{\"bodies\":[{\"mass\":2,\"inertia\":%s,\"position\":[0,0,0],\"velocity\":[0.5,0,-1]}],"
        "\"contacts\":[{\"a\":\"ground\",\"b\":0,\"point\":[0.1,0.2,-0.3],\"normal\":[0,0,1],"
        "\"mu\":0.4}]}",
        all ? "[null,null,null]" : "[null,1,1]");
    if (imp_problem_file_open(scratch_write("p.json", text, length), &file, &error) == IMP_OK)
        (void)imp_problem_file_next(file, &c, &error);
    double W[9] = {0};
    if (c) imp_problem_dense(&c->problem, W);
    ok(c && fabs(W[0] - nn) < 1e-15 && fabs(W[0] + W[4] + W[8] - trace) < 1e-15 &&
           c->problem.q[0] == -1 && fabs(hypot(c->problem.q[1], c->problem.q[2]) - 0.5) < 1e-15,
       "%s infinite moments, on the ground %s", all ? "three" : "one of three", error.text);
    imp_problem_file_close(file);
}

/* Bodies stay behind W, and what `auto` answers is what it answers to W alone. */
static void check_kept(int n, bool alone) {
    imp_problem_file *file = NULL;
    const imp_case *c = NULL;
    imp_error error = {0};
    say_plate(n);
    if (imp_problem_file_open(scratch_write("p.json", text, length), &file, &error) == IMP_OK)
        (void)imp_problem_file_next(file, &c, &error);
    if (ok(c && c->problem.nc == n, "a plate on %d points is read %s", n, error.text) && c) {
        const size_t rows = 3 * (size_t)n;
        double *W = malloc(rows * rows * sizeof *W), *p = calloc(2 * rows, sizeof *p),
               *other = p + rows;
        if (!W || !p) abort();
        ok(imp_operator_factor(c->problem.W) && !imp_operator_stored(c->problem.W) == alone,
           "its body stays behind W, %s blocks", alone ? "without" : "with");
        imp_problem_dense(&c->problem, W);
        const imp_operator dense = imp_operator_dense(n, W);
        const imp_problem same = {.nc = n, .W = &dense, .q = c->problem.q, .mu = c->problem.mu};
        const bool solved = imp_solve(&imp_model_auto, &c->problem, NULL, p, NULL) == IMP_OK &&
                            imp_solve(&imp_model_auto, &same, NULL, other, NULL) == IMP_OK;
        double *u = calloc(2 * rows, sizeof *u);
        if (!u) abort();
        imp_operator_apply(&dense, p, same.q, u);
        imp_operator_apply(&dense, other, same.q, u + rows);
        ok(solved, "solved over bodies and from W");
        is_vec(u, u + rows, (int)rows, 1e-8, 0, "to the same velocities");
        is_near(imp_problem_energy(&same, p), imp_problem_energy(&same, other), 0, 1e-9,
                "and energy");
        free(u);
        free(W);
        free(p);
    }
    imp_problem_file_close(file);
}

int main(void) {
    check_forms();
    check_infinite(false);
    check_infinite(true);
    check_kept(20, false);
    check_kept(300, true);
    return tap_done();
}
