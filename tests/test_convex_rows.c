/* test_convex_rows.c - drumwright where most contacts are at rest before, during and after the
 * impact: balls in a row on the floor at a wall, a box in a corner. What rounding leaves there is
 * no impulse; what little is needed there is. */
#include "cone/convex_interior.h"
#include "generators/gen.h"
#include "impact.h"
#include "tap.h"

enum { BALLS = 5, CONTACTS = 2 * BALLS, ROWS = 3 * CONTACTS };

/* nb balls of radius 1 m and 1 kg at the wall x = -1, on the floor z = 0. */
typedef struct row {
    int nb, nc;
    imp_body body[BALLS];
    imp_contact contact[CONTACTS];
} row;

static void touch(row *r, int a, int b, double x, double z, const double normal[3]) {
    imp_contact *c = &r->contact[r->nc++];
    *c = (imp_contact){.a = a, .b = b, .point = {x, 0, z}};
    imp_frame_from_normal(normal, c->frame);
}

static row row_of(int nb) {
    static const double aside[3] = {1, 0, 0}, up[3] = {0, 0, 1};
    row r = {.nb = nb};
    for (int i = 0; i < nb; i++) {
        r.body[i] = (imp_body){.inv_mass = 1,
                               .inv_inertia = {2, 0, 0, 0, 2, 0, 0, 0, 2},
                               .position = {2 * i, 0, 1},
                               .orientation = {1}};
        touch(&r, i == 0 ? IMP_GROUND : i - 1, i, 2 * i - 1, 1, aside);
    }
    for (int i = 0; i < nb; i++)
        touch(&r, IMP_GROUND, i, 2 * i, 0, up);
    return r;
}

/* p (ROWS) <- the answer; W (ROWS x ROWS) and q (ROWS): room. */
static imp_status solve(const row *r, double friction, double bounce, double *W, double *q,
                        double *p) {
    double mu[CONTACTS], e[CONTACTS];
    for (int i = 0; i < r->nc; i++) {
        mu[i] = friction;
        e[i] = bounce;
    }
    if (imp_delassus_dense(r->nb, r->body, r->nc, r->contact, W, q) != IMP_OK) abort();
    const imp_operator op = imp_operator_dense(r->nc, W);
    const imp_problem problem = {.nc = r->nc, .W = &op, .q = q, .mu = mu, .e = e};
    return imp_solve_certified(&imp_model_drumwright, &problem, NULL, p, NULL, NULL, NULL);
}

/* One ball falls at 1 m/s, or is pushed at the wall. */
static void test_one_moves(void) {
    static const double mu[] = {0.25, 0.3, 0.5, 1}, e[] = {0, 0.5, 1};
    double W[ROWS * ROWS], q[ROWS], p[ROWS];
    int tried = 0, solved = 0, right = 0;
    for (int k = 0; k < BALLS * BALLS * 4 * 3 * 2; k++) {
        const int nb = 1 + k % BALLS, moves = k / BALLS % BALLS, pushed = k / 300;
        const double friction = mu[k / 25 % 4], bounce = e[k / 100 % 3];
        row r = row_of(nb);
        if (moves >= nb) continue;
        r.body[moves].velocity[pushed ? 0 : 2] = -1;
        tried++;
        solved += solve(&r, friction, bounce, W, q, p) == IMP_OK;
        double off = 0; /* of one that falls */
        for (int i = 0; i < 3 * r.nc && !pushed; i++)
            off = tap_worst(off, fabs(p[i] - (i == 3 * (nb + moves) ? 1 + bounce : 0)));
        right += off < 1e-12;
    }
    ok(solved == tried, "a ball of a row falls or is pushed: %d of %d", solved, tried);
    ok(right == tried, "what falls is stopped by its floor alone: %d of %d", right, tried);
}

/* Whole-number velocities of all. */
static void test_drawn(void) {
    double W[ROWS * ROWS], q[ROWS], p[ROWS];
    const int n = tap_many(2000, 20000);
    int solved = 0;
    gen_stream s = gen_seed(917, 0);
    for (int k = 0; k < n; k++) {
        row r = row_of(2 + k % 3);
        for (int i = 0; i < r.nb; i++) {
            r.body[i].velocity[0] = round(gen_uniform(&s, -2.5, 1.5));
            r.body[i].velocity[2] = -round(gen_uniform(&s, 0, 0.9));
        }
        solved += solve(&r, k % 2 ? 0.25 : 0.5, k % 4 / 2, W, q, p) == IMP_OK;
    }
    ok(1000 * (n - solved) < n, "rows that move by whole numbers: %d of %d", solved, n);
}

/* A box of 2 m that slides along a wall onto the floor, all corners of two faces touching. */
static void test_corner(void) {
    static const double aside[3] = {1, 0, 0}, up[3] = {0, 0, 1};
    row r = {.nb = 1, .nc = 8};
    r.body[0] = (imp_body){.inv_mass = 0.25,
                           .inv_inertia = {2, 0, 0, 0, 4, 0, 0, 0, 2},
                           .orientation = {1},
                           .velocity = {0, -2, -2}};
    for (int i = 0; i < 8; i++) {
        const double one = i % 2 ? -1 : 1, other = i % 4 / 2 ? -1 : 1;
        imp_contact *c = &r.contact[i];
        *c = (imp_contact){.a = IMP_GROUND, .point = {i < 4 ? one : -1, other, i < 4 ? -1 : one}};
        imp_frame_from_normal(i < 4 ? up : aside, c->frame);
    }
    double W[ROWS * ROWS], q[ROWS], p[ROWS];
    ok(solve(&r, 1, 0.5, W, q, p) == IMP_OK, "a box slides along a wall onto the floor");
}

/* Dust beside what moves at 1 m/s, at two contacts of which the first is struck. Its friction
 * pushes the second by half of itself, its push by `share` of itself. */
static void test_dust(double share, double given, double left, const char *what) {
    const double q[6] = {-1}, mu[2] = {0.5, 0.5};
    double W[36] = {0}, x[6] = {1, 1e-15, 0, given, 0, 0}, lambda[2] = {0.5, 0}, room[6];
    const double want[6] = {1, 0, 0, left, 0, 0};
    int label[2];
    for (int i = 0; i < 6; i++)
        W[7 * i] = 1;
    W[9] = W[19] = -0.5;
    W[3] = W[18] = -share;
    const imp_operator op = imp_operator_dense(2, W);
    const imp_problem problem = {.nc = 2, .W = &op, .q = q, .mu = mu};
    imp_parts parts;
    if (!imp_parts_open(&parts, &op, label, imp_convex_islands(&problem, false, label))) abort();
    convex_island *island = imp_convex_island_new(&problem, &parts, 0, 0);
    island->kappa = 1;
    imp_convex_tidy(island, 1e-7, x, lambda, room);
    ok(memcmp(x, want, sizeof x) == 0 && lambda[0] == 0.5, "%s", what);
    imp_convex_island_free(island);
    imp_parts_close(&parts);
}

/* An answer without what a slow contact needs, or with dust where nothing moves, is none. */
static void test_planted(double slow) {
    row r = row_of(3);
    double W[ROWS * ROWS], q[ROWS], p[ROWS];
    double mu[CONTACTS] = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5};
    r.body[0].velocity[2] = -1;
    r.body[2].velocity[2] = -slow;
    imp_delassus_dense(r.nb, r.body, r.nc, r.contact, W, q);
    const imp_operator op = imp_operator_dense(r.nc, W);
    const imp_problem problem = {.nc = r.nc, .W = &op, .q = q, .mu = mu};
    imp_path path = {0};
    ok(imp_solve_certified(&imp_model_drumwright, &problem, NULL, p, &path, NULL, NULL) == IMP_OK &&
           fabs(p[15] - slow) < 1e-6 * slow,
       "one ball falls at 1 m/s, another at %g", slow);
    const struct {
        int at;
        double push;
        const char *what;
    } plant[] = {{15, 0, "without the push that stops the slow one"},
                 {15, 2 * slow, "with twice as much"},
                 {12, 1e-9, "with a push at the one at rest"},
                 {9, 1.001, "with more at the fast one"}};
    for (size_t k = 0; k < sizeof plant / sizeof *plant; k++) {
        const double kept = p[plant[k].at];
        imp_certificate c;
        p[plant[k].at] = plant[k].push;
        ok(imp_certify(&problem, &imp_law_convex, NULL, p, &path, &c) == IMP_OK && c.worst > 1e-4,
           "refused %s", plant[k].what);
        p[plant[k].at] = kept;
    }
    imp_path_clear(&path);
}

int main(void) {
    test_one_moves();
    test_drawn();
    for (int k = 3; k <= 9; k++)
        test_planted(pow(10, -k));
    test_corner();
    test_dust(0, 1e-15, 0, "what rounding leaves of impulses, and by them, is none");
    test_dust(1e-13, 1e-13, 1e-13, "what a slow contact needs stays");
    test_dust(1e-15, 1e-15, 0, "but not of what is no faster than rounding");
    return tap_done();
}
