/* test_lasting_drawn.c - drawn bodies that slide on their feet: whether forces obey the law, and
 * move the body in one way, as all choices of the feet that press say here, from the shapes alone.
 */
#include "base/vec3.h"
#include "generators/gen.h"
#include "impact.h"
#include "scene/course.h"
#include "tests/scratch.h"
#include "tests/tap.h"

enum { MOST = 8 };

/* A ball on a hinge at the body's centre, turning against its friction, or at rest. */
typedef struct rotor {
    int axis; /* of the world */
    double mass, inertia, rate, friction;
} rotor;

/* What its hinge does: it turns to one side or the other, against its friction, or is stuck. */
typedef enum hinge { BACK = -1, STUCK, FORTH } hinge;

/* A body whose axes of inertia are the world's. */
typedef struct drawn {
    double mass, inertia[3], velocity[3], spin, gravity[3], radius, foot[4][3];
    double height, beside, mu[2]; /* m, of the body over its feet, beside the wall; floor, wall */
    int feet;
    bool wall, turns; /* x = 0; the rotor is there */
    rotor rotor;
} drawn;

typedef struct touch {
    double n[3], centre[3], force[3]; /* of a unit normal force, with its friction */
    double at[3];                     /* where it acts */
} touch;

static drawn draw(gen_stream *s, int i) {
    drawn d = {.mass = gen_uniform(s, 0.5, 3), .wall = i % 2, .feet = i % 4 == 0 ? 3 : 4};
    for (int k = 0; k < 3; k++)
        d.inertia[k] = gen_uniform(s, 0.1, 0.19);
    d.radius = gen_uniform(s, 0.02, 0.06);
    d.height = gen_uniform(s, 0.1, 0.5);
    d.beside = gen_uniform(s, 0.2, 0.5);
    d.mu[0] = gen_uniform(s, 0.2, 2);
    d.mu[1] = gen_uniform(s, 0.2, 1.2);
    for (int k = 0; k < 4; k++) {
        double *foot = d.foot[k];
        foot[0] = d.wall && k < 3 ? -d.beside : (k < 2 ? -1 : 1) * gen_uniform(s, 0.05, 0.5);
        foot[1] = (k % 2 ? -1 : 1) * gen_uniform(s, 0.05, 0.4);
        foot[2] = d.wall && k == 2 ? gen_uniform(s, -0.2, 0.5) * d.height : -d.height;
    }
    d.velocity[0] = d.wall ? 0 : gen_uniform(s, -1, 1);
    d.velocity[1] = gen_uniform(s, 0.1, 1);
    d.spin = d.wall ? 0 : gen_uniform(s, -2, 2);
    d.gravity[0] = d.wall ? gen_uniform(s, -5, 1) : gen_uniform(s, -4, 4);
    d.gravity[1] = gen_uniform(s, -3, 3);
    d.gravity[2] = gen_uniform(s, -9.8, -3);
    if (i % 3 == 0) {
        d.turns = true;
        d.rotor = (rotor){.axis = i / 3 % 3,
                          .mass = gen_uniform(s, 0.1, 1),
                          .inertia = gen_uniform(s, 0.01, 0.2),
                          .rate = i % 5 < 2 ? 0 : (i % 2 ? -1 : 1) * gen_uniform(s, 0.5, 20),
                          .friction = gen_uniform(s, 0, 10)};
    }
    return d;
}

static void write_scene(const drawn *d, char *text, size_t size) {
    FILE *f = fmemopen(text, size, "w");
    if (!f) abort();
    fprintf(
        f,
        "{\"kind\": \"scene\", \"gravity\": [%.17g, %.17g, %.17g], \"material\": {\"friction\": "
        "%.17g}, \"ground\": [{}",
        d->gravity[0], d->gravity[1], d->gravity[2], d->mu[0]);
    if (d->wall)
        fprintf(f, ", {\"normal\": [1, 0, 0], \"material\": {\"friction\": %.17g}}", d->mu[1]);
    fprintf(
        f,
        "], \"impact\": {\"restitution\": 0}, \"run\": {\"until\": 1e-9}, \"bodies\": {\"body\": "
        "{\"mass\": %.17g, \"inertia\": [%.17g, %.17g, %.17g], \"position\": [%.17g, 0, %.17g], "
        "\"velocity\": [%.17g, %.17g, 0], \"spin\": [0, 0, %.17g], \"spheres\": [{\"radius\": "
        "%.17g, \"at\": [",
        d->mass, d->inertia[0], d->inertia[1], d->inertia[2], d->beside + d->radius,
        d->height + d->radius, d->velocity[0], d->velocity[1], d->spin, d->radius);
    for (int k = 0; k < d->feet; k++)
        fprintf(f, "%s[%.17g, %.17g, %.17g]", k ? ", " : "", d->foot[k][0], d->foot[k][1],
                d->foot[k][2]);
    fprintf(f, "]}]}");
    if (d->turns)
        fprintf(
            f,
            ", \"rotor\": {\"joint\": \"revolute\", \"parent\": \"body\", \"axis\": [%d, %d, %d], "
            "\"mass\": %.17g, \"inertia\": [%.17g, %.17g, %.17g], \"rate\": %.17g, "
            "\"friction\": %.17g}",
            d->rotor.axis == 0, d->rotor.axis == 1, d->rotor.axis == 2, d->rotor.mass,
            d->rotor.inertia, d->rotor.inertia, d->rotor.inertia, d->rotor.rate, d->rotor.friction);
    fprintf(f, "}}");
    fclose(f);
}

static void touches_on(const drawn *d, const double *foot, bool wall, touch *t) {
    const double spin[3] = {0, 0, d->spin};
    const double mu = wall ? 2 * d->mu[0] * d->mu[1] / (d->mu[0] + d->mu[1]) : d->mu[0];
    double slip[3];
    *t = (touch){.n = {wall, 0, !wall}};
    memcpy(t->centre, foot, sizeof t->centre);
    memcpy(t->at, foot, sizeof t->at);
    add3(-d->radius, t->n, t->at);
    cross3(spin, t->at, slip);
    add3(1, d->velocity, slip);
    add3(-dot3(slip, t->n), t->n, slip);
    memcpy(t->force, t->n, sizeof t->force);
    add3(-mu / norm3(slip), slip, t->force);
}

/* What a torque about axis k turns: the body, and the rotor across its axis, or where it is stuck.
 */
static double turned_inertia(const drawn *d, hinge h, int k) {
    const bool along = d->turns && (h == STUCK || k != d->rotor.axis);
    return d->inertia[k] + (along ? d->rotor.inertia : 0);
}

/* a (6) <- what a force there does to the body: of its centre, and about it. */
static void moves(const drawn *d, hinge h, const double at[3], const double force[3], double a[6]) {
    cross3(at, force, a + 3);
    for (int k = 0; k < 3; k++) {
        a[k] = force[k] / (d->mass + d->rotor.mass);
        a[3 + k] /= turned_inertia(d, h, k);
    }
}

/* a (6) <- the body's acceleration where no foot presses: the hinge rubs, and a rotor that the spin
 * turns round resists. The spin's axis is one of inertia. */
static void falls(const drawn *d, hinge h, double a[6]) {
    const double spin[3] = {0, 0, d->spin};
    double axis[3] = {0}, resists[3];
    memcpy(a, d->gravity, sizeof d->gravity);
    a[3] = a[4] = a[5] = 0;
    if (!d->turns) return;
    axis[d->rotor.axis] = 1;
    cross3(spin, axis, resists);
    for (int k = 0; k < 3; k++)
        a[3 + k] =
            ((int)h * d->rotor.friction * axis[k] - d->rotor.inertia * d->rotor.rate * resists[k]) /
            turned_inertia(d, h, k);
}

/* Does the hinge do that, under this acceleration of the body? At rest it begins to turn to that
 * side, or is held by no more than its friction. */
static bool hinge_does(const drawn *d, hinge h, const double a[6]) {
    const double turns = a[3 + d->rotor.axis], friction = d->rotor.friction;
    if (!d->turns || d->rotor.rate != 0) return true;
    if (h == STUCK) return fabs(d->rotor.inertia * turns) <= friction + 1e-9;
    const int side = (int)h;
    return side * (-side * friction / d->rotor.inertia - turns) >= -1e-9;
}

/* How the centre of the foot moves along its normal, a (6) of the body. */
static double lifts(const touch *t, const double a[6]) {
    double turned[3];
    cross3(a + 3, t->centre, turned);
    return dot3(t->n, a) + dot3(t->n, turned);
}

/* x <- A^-1 x, by elimination; false: A is singular, but for rounding. */
static bool eliminate(int n, double A[MOST][MOST], double x[MOST]) {
    for (int c = 0; c < n; c++) {
        int p = c;
        for (int r = c; r < n; r++)
            if (fabs(A[r][c]) > fabs(A[p][c])) p = r;
        if (fabs(A[p][c]) < 1e-9) return false;
        for (int k = 0; k < n; k++) {
            const double kept = A[p][k];
            A[p][k] = A[c][k];
            A[c][k] = kept;
        }
        const double kept = x[p];
        x[p] = x[c];
        x[c] = kept;
        for (int r = c + 1; r < n; r++) {
            const double by = A[r][c] / A[c][c];
            for (int k = c; k < n; k++)
                A[r][k] -= by * A[c][k];
            x[r] -= by * x[c];
        }
    }
    for (int r = n - 1; r >= 0; r--) {
        for (int k = r + 1; k < n; k++)
            x[r] -= A[r][k] * x[k];
        x[r] /= A[r][r];
    }
    return true;
}

/* a (6) <- the body's acceleration where those of `set` press and the others do not; false: that
 * breaks the law. */
static bool obeys(const drawn *d, hinge h, int count, const touch *t, unsigned set, double a[6]) {
    double A[MOST][MOST], f[MOST];
    const touch *pressing[MOST];
    int n = 0;
    for (int i = 0; i < count; i++)
        if (set >> i & 1) pressing[n++] = &t[i];
    falls(d, h, a);
    for (int r = 0; r < n; r++) {
        f[r] = -lifts(pressing[r], a); /* what spins is upright, and beside no wall */
        for (int c = 0; c < n; c++) {
            double by[6];
            moves(d, h, pressing[c]->at, pressing[c]->force, by);
            A[r][c] = lifts(pressing[r], by);
        }
    }
    if (!eliminate(n, A, f)) return false;
    for (int c = 0; c < n; c++) {
        double by[6];
        moves(d, h, pressing[c]->at, pressing[c]->force, by);
        for (int k = 0; k < 6; k++)
            a[k] += f[c] * by[k];
        if (f[c] < -1e-9) return false;
    }
    for (int i = 0; i < count; i++)
        if (lifts(&t[i], a) < -1e-9) return false;
    return hinge_does(d, h, a);
}

/* How many motions obey the law, 2 for more. */
static int motions(const drawn *d) {
    touch t[MOST];
    int count = 0, found = 0;
    double kept[6], a[6];
    for (int k = 0; k < d->feet; k++) {
        if (d->foot[k][2] == -d->height) touches_on(d, d->foot[k], false, &t[count++]);
        if (d->wall && d->foot[k][0] == -d->beside) touches_on(d, d->foot[k], true, &t[count++]);
    }
    const bool choose = d->turns && d->rotor.rate == 0;
    for (unsigned choice = 0; choice < (choose ? 3u : 1u) << count; choice++) {
        const hinge h = choose ? (hinge)(choice >> count) - 1 : d->rotor.rate < 0 ? BACK : FORTH;
        double apart = 0;
        if (!obeys(d, h, count, t, choice, a)) continue;
        for (int k = 0; k < 6 && found > 0; k++)
            apart = fmax(apart, fabs(a[k] - kept[k]) / (1 + fabs(kept[k])));
        if (found == 0) memcpy(kept, a, sizeof kept);
        if (found == 0 || apart > 1e-6) found++;
    }
    return found < 2 ? found : 2;
}

static scene_course_end ended(const drawn *d) {
    static char text[4000];
    static const scene_observer nobody;
    const imp_model *model = imp_model_find("auto");
    imp_settings settings;
    scene_file file;
    scene s = {0};
    imp_error error;
    scene_course_end end = SCENE_COURSE_STOPPED;
    double time;
    imp_model_presets(model, &settings);
    write_scene(d, text, sizeof text);
    if (scene_open(scratch_text("drawn.json", text), &file, &error) != IMP_OK ||
        scene_build_rubbing(&file, 0, &s, &error) != IMP_OK) {
        ok(false, "%s", error.text);
        exit(tap_done());
    }
    if (scene_course(&s, model, &settings, &nobody, &end, &time) != IMP_OK) abort();
    scene_clear(&s);
    scene_close(&file);
    return end;
}

int main(void) {
    static const scene_course_end ends[] = {SCENE_COURSE_NO_FORCE, SCENE_COURSE_TIME,
                                            SCENE_COURSE_UNDETERMINED};
    gen_stream s = gen_seed(17, 2026);
    const int n = tap_many(200, 4000);
    int of[3] = {0}, right[3] = {0}, unsolved[2] = {0}, wrong = 0; /* of joints at rest */
    for (int i = 0; i < n; i++) {
        const drawn d = draw(&s, i);
        const int many = motions(&d);
        const scene_course_end end = ended(&d);
        of[many]++;
        right[many] += end == ends[many];
        unsolved[d.turns && d.rotor.rate == 0] += end == SCENE_COURSE_UNSOLVED;
        wrong += end != ends[many] && end != SCENE_COURSE_UNSOLVED;
        if (end != ends[many])
            printf("# %d: %d motions, %s\n", i, many, scene_course_end_text(end));
    }
    for (int k = 0; k < 3; k++)
        ok(of[k] > 0, "of %d bodies %d have %s, found of %d", n, of[k],
           k == 0   ? "no motion"
           : k == 1 ? "one"
                    : "several",
           right[k]);
    ok(wrong == 0, "none is called something else (%d)", wrong);
    /* what is hardly told from singular is not proven: 1 of 1900 drawn with other inertias; nor is
     * that no forces obey where all press, in many ways, and a joint begins to turn: 16 of 533 */
    ok(unsolved[0] <= n / 500 && unsolved[1] <= n / 133, "hardly any is unsolved (%d, %d)",
       unsolved[0], unsolved[1]);
    return tap_done();
}
