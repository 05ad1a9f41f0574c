/* test_convex_large.c - the sparse forms of the convex models: bodies against W, large islands,
 * phase I beyond pivoting. */
#include "generators/gen.h"
#include "generators/piles.h"
#include "impact.h"
#include "cone/convex_active.h"
#include "cone/convex_phase1.h"
#include "tap.h"

enum { SIDE = 5, LAYERS = 5, SPHERES = SIDE * SIDE * LAYERS, CONTACTS = 5 * SPHERES };

typedef struct mechanism {
    int nb, nc;
    const imp_body *body;
    const imp_contact *contact;
    imp_sparse M, H;
} mechanism;

/* M and H of bodies and contacts, written out from u = v_B - v_A at the point, so that W = H' M^-1
 * H. */
static void coordinates(mechanism *s) {
    const int most = 9 * s->nb + 36 * s->nc;
    int *row = malloc(2 * (size_t)most * sizeof *row), *column = row + most, count = 0;
    double *value = malloc((size_t)most * sizeof *value);
    for (int i = 0; i < s->nb; i++) {
        double R[9], J[9];
        imp_body_inv_inertia_world(&s->body[i], R);
        const double minor = R[4] * R[8] - R[5] * R[7];
        const double det =
            R[0] * minor - R[1] * (R[3] * R[8] - R[5] * R[6]) + R[2] * (R[3] * R[7] - R[4] * R[6]);
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) { /* inverse of a symmetric matrix by cofactors */
                const int a1 = (a + 1) % 3, a2 = (a + 2) % 3, b1 = (b + 1) % 3, b2 = (b + 2) % 3;
                J[3 * a + b] =
                    (R[3 * a1 + b1] * R[3 * a2 + b2] - R[3 * a1 + b2] * R[3 * a2 + b1]) / det;
            }
        for (int a = 0; a < 3; a++) {
            row[count] = column[count] = 6 * i + a;
            value[count++] = 1 / s->body[i].inv_mass;
            for (int b = 0; b < 3; b++) {
                row[count] = 6 * i + 3 + a;
                column[count] = 6 * i + 3 + b;
                value[count++] = (J[3 * a + b] + J[3 * b + a]) / 2;
            }
        }
    }
    ok(imp_sparse_from_triplets(6 * s->nb, 6 * s->nb, count, row, column, value, &s->M) == IMP_OK,
       "M");
    count = 0;
    for (int i = 0; i < 6 * s->nc; i++) {
        const imp_contact *c = &s->contact[i / 6];
        const int side = i % 2, d = i / 2 % 3, body = side ? c->b : c->a;
        const double *f = c->frame + 3 * d, sign = side ? 1 : -1;
        double r[3];
        if (body == IMP_GROUND) continue;
        for (int k = 0; k < 3; k++)
            r[k] = c->point[k] - s->body[body].position[k];
        for (int k = 0; k < 6; k++) {
            const int a = (k + 1) % 3, b = (k + 2) % 3;
            row[count] = 6 * body + k;
            column[count] = 3 * (i / 6) + d;
            value[count++] = sign * (k < 3 ? f[k] : r[a] * f[b] - r[b] * f[a]);
        }
    }
    ok(imp_sparse_from_triplets(6 * s->nb, 3 * s->nc, count, row, column, value, &s->H) == IMP_OK,
       "H");
    free(row);
    free(value);
}

static void release(mechanism *s) {
    imp_sparse_clear(&s->M);
    imp_sparse_clear(&s->H);
}

static imp_convex_settings presets(double polish) {
    imp_convex_settings own;
    imp_model_presets(&imp_model_drumwright, &own);
    own.polish = polish;
    return own;
}

/* Small problems through the sparse systems: the velocities of the dense ones. */
/* Other units of the bodies' coordinates, powers of two: W is the same. */
static void rescale(mechanism *s) {
    for (int column = 0; column < s->M.columns; column++)
        for (int k = s->M.start[column]; k < s->M.start[column + 1]; k++)
            s->M.value[k] = ldexp(s->M.value[k], -(column % 6) * 7 - (s->M.row[k] % 6) * 7);
    for (int k = 0; k < s->H.start[s->H.columns]; k++)
        s->H.value[k] = ldexp(s->H.value[k], -(s->H.row[k] % 6) * 7);
}

static void test_bodies(void) {
    double worst = 0;
    int unsolved = 0, same = 0;
    for (uint64_t k = 0; k < 40; k++) {
        const gen_many g = gen_bodies(k, 1 + (int)(k % 8));
        mechanism s = {.nb = g.nb, .nc = g.nc, .body = g.body, .contact = g.contact};
        double p[24], u[24], v[24];
        coordinates(&s);
        const imp_operator op = imp_operator_dense(g.nc, g.W);
        const imp_problem problem = {.nc = g.nc, .W = &op, .q = g.q, .mu = g.mu};
        imp_blocks *blocks = imp_blocks_of(&op);
        const imp_assembled assembled = {*blocks, &s.M, &s.H, NULL};
        const imp_operator known = imp_operator_assembled(&assembled);
        imp_problem over_bodies = problem;
        over_bodies.W = &known;
        const imp_convex_settings settings = presets(32);
        unsolved += imp_convex(&problem, &settings, p, NULL) != IMP_OK;
        imp_operator_apply(&op, p, g.q, u);
        unsolved += imp_convex(&over_bodies, &settings, p, NULL) != IMP_OK;
        imp_operator_apply(&op, p, g.q, v);
        for (int i = 0; i < 3 * g.nc; i++)
            worst = tap_worst(worst, fabs(u[i] - v[i]));
        rescale(&s);
        unsolved += imp_convex(&over_bodies, &settings, v, NULL) != IMP_OK;
        same += memcmp(p, v, 3 * (size_t)g.nc * sizeof *p) == 0;
        release(&s);
        imp_blocks_free(blocks);
    }
    ok(unsolved == 0 && worst < 1e-8, "bodies' coordinates give the velocities of W (%.1e)", worst);
    ok(same == 40, "and the same bits in any units, of %d problems", same);
}

/* Spheres of diameter 1 in staggered layers, falling on the ground. */
typedef struct pile {
    imp_body body[SPHERES];
    imp_contact contact[CONTACTS];
    int nc, start[CONTACTS + 1], *column;
    double *block, q[3 * CONTACTS], mu[CONTACTS];
    imp_blocks blocks;
    imp_operator op;
    imp_problem problem;
} pile;

static void join(pile *p, int a, int b, const double normal[3]) {
    imp_contact *c = &p->contact[p->nc++];
    *c = (imp_contact){.a = a, .b = b};
    (void)imp_frame_from_normal(normal, c->frame);
    for (int k = 0; k < 3; k++)
        c->point[k] = p->body[b].position[k] - 0.5 * c->frame[k];
}

/* A fifth of them are up to `heaviest` times as heavy as the others, drawn by `number`. */
static void make_pile(pile *p, double heaviest, uint64_t number) {
    const double up[3] = {0, 0, 1};
    gen_stream s = gen_seed(4711, 0), masses = gen_seed(4712, number);
    memset(p, 0, sizeof *p);
    for (int i = 0; i < SPHERES; i++) {
        const int layer = i / (SIDE * SIDE), x = i % SIDE, y = i / SIDE % SIDE;
        imp_body *body = &p->body[i];
        const bool heavy = gen_uniform(&masses, 0, 1) < 0.2;
        const double light = heavy ? pow(heaviest, -gen_uniform(&masses, 0, 1)) : 1;
        *body = (imp_body){.inv_mass = light,
                           .inv_inertia = {10 * light, 0, 0, 0, 10 * light, 0, 0, 0, 10 * light},
                           .orientation = {1, 0, 0, 0}};
        body->position[0] = 1.1 * x + 0.55 * (layer % 2) + gen_uniform(&s, -0.05, 0.05);
        body->position[1] = 1.1 * y + 0.55 * (layer % 2) + gen_uniform(&s, -0.05, 0.05);
        body->position[2] = 0.62 * layer;
        for (int k = 0; k < 3; k++)
            body->velocity[k] = gen_uniform(&s, -0.5, 0.5) - (k == 2);
        if (layer == 0) join(p, IMP_GROUND, i, up);
        for (int j = 0; j < i; j++) {
            double d[3];
            for (int k = 0; k < 3; k++)
                d[k] = body->position[k] - p->body[j].position[k];
            if (d[2] > 0.5 && d[2] < 0.7 && hypot(d[0], d[1]) < 0.95) join(p, j, i, d);
        }
    }
    const int count = imp_delassus_count(SPHERES, p->body, p->nc, p->contact, p->start);
    p->column = malloc((size_t)count * sizeof *p->column);
    p->block = malloc(9 * (size_t)count * sizeof *p->block);
    (void)imp_delassus_blocks(SPHERES, p->body, p->nc, p->contact, p->start, p->column, p->block,
                              p->q);
    for (int i = 0; i < p->nc; i++)
        p->mu[i] = 0.1 * (i % 5); /* some without friction */
    p->blocks = (imp_blocks){p->nc, p->start, p->column, p->block};
    p->op = imp_operator_blocks(&p->blocks);
    p->problem = (imp_problem){.nc = p->nc, .W = &p->op, .q = p->q, .mu = p->mu};
}

static void test_pile(void) {
    static pile p;
    static double y[3 * CONTACTS], x[3 * CONTACTS], u[3 * CONTACTS], v[3 * CONTACTS],
        lambda[CONTACTS];
    make_pile(&p, 1, 0);
    mechanism s = {.nb = SPHERES, .nc = p.nc, .body = p.body, .contact = p.contact};
    const int n = p.nc;
    coordinates(&s);
    ok(n > 300, "a pile of %d spheres with %d contacts", SPHERES, n);
    ok(imp_frictionless(&p.problem, y, NULL) == IMP_OK, "phase I is solved");
    imp_operator_apply(&p.op, y, p.q, u);
    double worst = 0, kappa = 0, sum = 0, cone = 0, gap = 0;
    for (int i = 0; i < n; i++) {
        worst = tap_worst(worst, fabs(fmin(y[3 * i], u[3 * i])));
        kappa += y[3 * i];
    }
    ok(worst < 1e-11, "complementary to %.1e", worst);
    const imp_convex_settings settings = presets(32);
    const imp_assembled assembled = {p.blocks, &s.M, &s.H, NULL};
    const imp_operator known = imp_operator_assembled(&assembled);
    imp_path path = {0};
    imp_convex_report report = {.multiplier = lambda, .path = &path};
    ok(imp_convex(&p.problem, &settings, x, &report) == IMP_OK && report.fallbacks == 0,
       "QP1 on W is solved");
    imp_operator_apply(&p.op, x, p.q, u);
    for (int i = 0; i < n; i++) {
        sum += x[3 * i];
        gap = tap_worst(gap, -u[3 * i]);
        cone = tap_worst(cone, hypot(x[3 * i + 1], x[3 * i + 2]) - p.mu[i] * x[3 * i]);
    }
    ok(gap < 1e-7 && cone < 1e-14 && sum < kappa * (1 + 1e-7), "gaps %.1e, cones %.1e, sum kept",
       gap, cone);
    imp_certificate c;
    const imp_status judged = imp_certify(&p.problem, &imp_law_convex, NULL, x, &path, &c);
    ok(judged == IMP_OK && !c.unjudged && c.worst < 1e-6, "certified (%.1e)", c.worst);
    imp_path_clear(&path);
    report.path = NULL;
    const double energy = imp_problem_energy(&p.problem, x);
    ok(energy < imp_problem_energy(&p.problem, y), "friction takes energy");
    imp_problem problem = p.problem; /* in bodies' coordinates */
    problem.W = &known;
    ok(imp_convex(&problem, &settings, x, &report) == IMP_OK && report.fallbacks == 0,
       "QP1 in bodies' coordinates is solved");
    imp_operator_apply(&p.op, x, p.q, v);
    worst = 0;
    for (int i = 0; i < 3 * n; i++)
        worst = tap_worst(worst, fabs(u[i] - v[i]));
    ok(worst < 1e-3 && fabs(imp_problem_energy(&problem, x) - energy) < 1e-6,
       "and agrees (%.1e m/s, %.1e J)", worst, fabs(imp_problem_energy(&problem, x) - energy));
    p.mu[0] = 0.1;
    double *e = malloc((size_t)n * sizeof *e);
    for (int i = 0; i < n; i++)
        e[i] = 0.9;
    problem.e = e;
    ok(imp_convex(&problem, &settings, x, NULL) == IMP_OK && imp_problem_energy(&problem, x) <= 0,
       "with restitution no energy is gained");
    free(e);
    free(p.column);
    free(p.block);
    release(&s);
}

/* Impulses are as far apart as the masses: the first steps through the interior are short. */
static void test_heavy_among_light(void) {
    enum { CASES = 8 };
    static pile p;
    static double y[3 * CONTACTS], u[3 * CONTACTS];
    int solved = 0;
    double worst = 0;
    for (uint64_t k = 0; k < CASES; k++) {
        make_pile(&p, 1e6, k);
        solved += imp_frictionless(&p.problem, y, NULL) == IMP_OK;
        imp_operator_apply(&p.op, y, p.q, u);
        for (int i = 0; i < p.nc; i++) {
            double B[9];
            p.op.kind->block(&p.op, i, i, B);
            worst = tap_worst(worst, fabs(fmin(B[0] * y[3 * i], u[3 * i])));
            worst = tap_worst(worst, -y[3 * i]);
        }
        free(p.column);
        free(p.block);
    }
    ok(solved == CASES, "piles of masses 1e6 apart: %d of %d", solved, CASES);
    ok(worst < 1e-9, "  complementary to %.1e m/s", worst);
}

/* A hundred contacts on one body: W has rank 6, phase I a large set of solutions. */
static void test_singular(void) {
    enum { N = 100 };
    const imp_body box = {
        1, {6, 0, 0, 0, 6, 0, 0, 0, 6}, {0, 0, 0}, {1, 0, 0, 0}, {0.5, 0, -1}, {0.2, 0.1, 0.3}};
    static imp_contact contacts[N];
    static double W[9 * N * N], q[3 * N], mu[N], p[3 * N], u[3 * N];
    const double up[3] = {0, 0, 1};
    for (int i = 0; i < N; i++) {
        const int row = i / 10;
        contacts[i] =
            (imp_contact){IMP_GROUND, 0, {0.1 * (i % 10) - 0.45, 0.1 * row - 0.45, -0.5}, {0}};
        (void)imp_frame_from_normal(up, contacts[i].frame);
        mu[i] = 0.3;
    }
    (void)imp_delassus_dense(1, &box, N, contacts, W, q);
    const imp_operator op = imp_operator_dense(N, W);
    const imp_problem problem = {.nc = N, .W = &op, .q = q, .mu = mu};
    ok(imp_frictionless(&problem, p, NULL) == IMP_OK, "a box on a hundred points");
    imp_operator_apply(&op, p, q, u);
    double worst = 0;
    for (int i = 0; i < N; i++)
        worst = tap_worst(worst, fabs(fmin(p[3 * i], u[3 * i])));
    ok(worst < 1e-11, "phase I is complementary (%.1e)", worst);
    imp_certificate c;
    ok(imp_solve_certified(&imp_model_drumwright, &problem, NULL, p, NULL, &c, NULL) == IMP_OK,
       "QP1 is solved");
    ok(c.worst < 1e-6 && c.energy < 0, "and certified (%.1e)", c.worst);
    for (int i = 0; i < N; i++) { /* ends that close on the box from above and below, at once */
        q[3 * i] = -1;
        for (int j = 0; j < N; j++)
            W[3 * i * 3 * N + 3 * j] = (i < N / 2) == (j < N / 2) ? 1 : -1;
    }
    ok(imp_frictionless(&problem, p, NULL) == IMP_NO_SOLUTION,
       "contradictory data end with a status");
}

/* What phase I leaves of problem k of random bodies: by pivoting (both) and by the interior
 * point. */
typedef struct phase1 {
    bool solved;
    double residual; /* |min(y, w)| of the interior point, relative to what w is made of */
    double more;     /* its sum less that of pivoting, relative */
} phase1;

static phase1 judge_phase1(gen_many g) {
    const imp_operator op = imp_operator_dense(g.nc, g.W);
    const imp_problem problem = {.nc = g.nc, .W = &op, .q = g.q, .mu = g.mu};
    const int together[GEN_MOST_CONTACTS] = {0};
    double b[GEN_MOST_CONTACTS], y[GEN_MOST_CONTACTS] = {0}, z[GEN_MOST_CONTACTS] = {0};
    double v[GEN_MOST_CONTACTS], more = 0, size = 1;
    imp_parts parts;
    convex_island *island = imp_parts_open(&parts, &op, together, 1)
                                ? imp_convex_island_new(&problem, &parts, 0, 0)
                                : NULL;
    if (!island) exit(1);
    for (int i = 0; i < g.nc; i++)
        b[i] = island->q[3 * i];
    phase1 of = {.solved = imp_convex_phase1(island, b, y, v) == IMP_OK &&
                           imp_convex_phase1_large(island, b, z, v) == IMP_OK};
    for (int i = 0; i < g.nc; i++) {
        double w = b[i], made_of = 1 + fabs(b[i]);
        for (int at = island->start[i]; at < island->start[i + 1]; at++) {
            const double term = island->block[9 * (size_t)at] * z[island->column[at]];
            w += term;
            made_of += fabs(term);
        }
        of.residual = tap_worst(of.residual, fabs(fmin(z[i], w)) / made_of);
        more += z[i] - y[i];
        size += y[i];
    }
    of.more = more / size;
    imp_convex_island_free(island);
    imp_parts_close(&parts);
    return of;
}

static phase1 try_phase1(uint64_t k) {
    return judge_phase1(gen_bodies(k, 1 + (int)(k % GEN_MOST_CONTACTS)));
}

/* Phase I by the interior point against pivoting and the simplex method: complementary, and of the
 * least sum. */
static void test_phase1(void) {
    double residual = 0, sum = 0;
    int unsolved = 0;
    for (uint64_t k = 0; k < 20000; k++) {
        const phase1 of = try_phase1(k);
        unsolved += !of.solved;
        residual = tap_worst(residual, of.residual);
        sum = tap_worst(sum, fabs(of.more));
    }
    ok(unsolved == 0 && residual < 2e-14,
       "phase I by the interior point is complementary, relative to the sums of w (%.1e)",
       residual);
    ok(sum < 1e-10, "and of the least sum, relative (%.1e)", sum);
}

/* Found among a million: impulses of some thousand from nearly contradictory contacts are no
 * contradiction; epsilon too large for its P is followed by a smaller one. Of loose bodies those
 * that one epsilon alone leaves unsolved; the first and the proximal term too small or too large,
 * or Newton steps that end at 1e-12. */
static void test_phase1_hard(void) {
    static const uint64_t wedged[] = {172087, 280039, 519223, 634039},
                          biased[] = {57775, 105751, 144127, 208807, 239455, 247903};
    static const struct {
        uint64_t class, index;
        double decades;
    } loose[] = {{11, 4635, 0}, {12, 7851, 6}, {12, 11707, 6}, {12, 27496, 6}};
    int solved = 0;
    double sum = 0;
    for (int i = 0; i < 4; i++)
        solved += try_phase1(wedged[i]).solved;
    ok(solved == 4, "nearly contradictory contacts are solved");
    for (int i = 0; i < 6; i++) {
        const phase1 of = try_phase1(biased[i]);
        sum = tap_worst(sum, of.solved ? fabs(of.more) : INFINITY);
    }
    ok(sum < 1e-10, "the least sum is proven with a smaller epsilon (%.1e)", sum);
    for (int i = 0; i < 4; i++) {
        double e[GEN_MOST_CONTACTS];
        const phase1 of =
            judge_phase1(gen_loose(loose[i].class, loose[i].index, 8, 3, loose[i].decades, e));
        ok(of.solved && fabs(of.more) < 1e-9, "loose bodies, problem %d: the least sum (%.1e)",
           (int)loose[i].index, of.more);
    }
}

/* Bins without friction: velocities of bodies have an answer; the way there is long. */
static void test_bins(void) {
    static const double none[1000];
    for (int seed = 1; seed <= 6; seed += 5) {
        imp_fclib bin;
        imp_fclib_posed posed;
        if (pile_make(PILE_BOX, seed, 600, &bin) != IMP_OK ||
            imp_fclib_pose(&bin, &posed) != IMP_OK)
            exit(1);
        imp_problem plain = posed.problem;
        plain.mu = none;
        double *p = calloc(3 * (size_t)plain.nc, sizeof *p);
        const imp_status status = imp_solve(&imp_model_frictionless, &plain, NULL, p, NULL);
        ok(status == IMP_OK, "a bin of %d contacts: %s", plain.nc, imp_status_text(status));
        free(p);
        imp_fclib_posed_clear(&posed);
        imp_fclib_clear(&bin);
    }
}

int main(void) {
    test_bins();
    test_phase1();
    test_phase1_hard();
    test_bodies();
    test_pile();
    test_heavy_among_light();
    test_singular();
    return tap_done();
}
