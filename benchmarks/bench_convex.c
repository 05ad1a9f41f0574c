/* bench_convex.c - nanoseconds per solve of the convex models and of Lemke's method on the same
 * piles of spheres. */
#include "benchmarks/harness/usage.h"
#include "benchmarks/experiments/engine_contest.h"
#include "benchmarks/harness/bench.h"
#include "base/worse.h"
#include "impact.h"
#include "generators/gen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PYRAMID = 120, MOST_NORMAL_LEMKE = 200 };

/* Spheres of unit diameter in staggered layers, each resting on up to four below; some contacts
 * left out at random. */
typedef struct pile {
    int nb, nc;
    imp_body *body;
    imp_contact *contact;
    int *start, *column;
    double *block, *q, *mu;
    imp_blocks blocks;
    imp_operator W;
    imp_problem problem;
    imp_sparse M, H;
} pile;

static void *get(size_t count, size_t size) {
    void *p = calloc(count > 0 ? count : 1, size);
    if (!p) {
        fputs("bench_convex: no memory\n", stderr);
        exit(2);
    }
    return p;
}

static void join(pile *p, int a, int b, int most) {
    double normal[3] = {0, 0, 1};
    if (p->nc == most) return;
    imp_contact *c = &p->contact[p->nc++];
    *c = (imp_contact){.a = a, .b = b};
    for (int k = 0; k < 3; k++) {
        if (a != IMP_GROUND) normal[k] = p->body[b].position[k] - p->body[a].position[k];
        c->point[k] = p->body[b].position[k];
    }
    (void)imp_frame_from_normal(normal, c->frame);
    for (int k = 0; k < 3; k++)
        c->point[k] -= 0.5 * c->frame[k];
}

/* Spheres are added until there are `most` contacts. */
static void stack(pile *p, int most) {
    gen_stream s = gen_seed(77, (uint64_t)most);
    const int side = most < 64 ? 2 : (int)cbrt(0.5 * most), size = side * side; /* of a layer */
    while (p->nc < most) {
        const int i = p->nb++, layer = i / size, x = i % side, y = i / side % side;
        imp_body *body = &p->body[i];
        *body = (imp_body){.inv_mass = 1,
                           .inv_inertia = {10, 0, 0, 0, 10, 0, 0, 0, 10},
                           .orientation = {1, 0, 0, 0}};
        body->position[0] = 1.1 * x + 0.55 * (layer % 2) + gen_uniform(&s, -0.02, 0.02);
        body->position[1] = 1.1 * y + 0.55 * (layer % 2) + gen_uniform(&s, -0.02, 0.02);
        body->position[2] = 0.62 * layer;
        for (int k = 0; k < 3; k++)
            body->velocity[k] = gen_uniform(&s, -0.5, 0.5) - (k == 2);
        if (layer == 0) join(p, IMP_GROUND, i, most);
        for (int j = layer > 0 ? (layer - 1) * size : 0; j < layer * size; j++) {
            const double dx = body->position[0] - p->body[j].position[0],
                         dy = body->position[1] - p->body[j].position[1];
            if (hypot(dx, dy) < 0.9 && gen_uniform(&s, 0, 1) < 0.7) join(p, j, i, most);
        }
    }
}

/* M (diagonal) and H = rows of the contacts in the bodies' coordinates, so that W = H' M^-1 H. */
static void coordinates(pile *p) {
    const size_t most = 36 * (size_t)p->nc + 6 * (size_t)p->nb;
    int *row = get(most, sizeof *row), *column = get(most, sizeof *column), count = 0;
    double *value = get(most, sizeof *value);
    for (int i = 0; i < 6 * p->nb; i++) {
        row[i] = column[i] = i;
        value[i] = i % 6 < 3 ? 1 / p->body[i / 6].inv_mass : 1 / p->body[i / 6].inv_inertia[0];
    }
    (void)imp_sparse_from_triplets(6 * p->nb, 6 * p->nb, 6 * p->nb, row, column, value, &p->M);
    for (int i = 0; i < p->nc; i++)
        for (int side = 0; side < 2; side++) {
            const imp_contact *c = &p->contact[i];
            const int body = side ? c->b : c->a;
            if (body == IMP_GROUND) continue;
            double r[3];
            for (int k = 0; k < 3; k++)
                r[k] = c->point[k] - p->body[body].position[k];
            for (int d = 0; d < 3; d++) {
                const double *f = c->frame + 3 * d, sign = side ? 1 : -1;
                const double wrench[6] = {f[0],
                                          f[1],
                                          f[2],
                                          r[1] * f[2] - r[2] * f[1],
                                          r[2] * f[0] - r[0] * f[2],
                                          r[0] * f[1] - r[1] * f[0]};
                for (int k = 0; k < 6; k++, count++) {
                    row[count] = 6 * body + k;
                    column[count] = 3 * i + d;
                    value[count] = sign * wrench[k];
                }
            }
        }
    (void)imp_sparse_from_triplets(6 * p->nb, 3 * p->nc, count, row, column, value, &p->H);
    free(row);
    free(column);
    free(value);
}

static void make(pile *p, int contacts) {
    const size_t nc = (size_t)contacts;
    *p = (pile){.body = get(4 * nc + 64, sizeof *p->body), .contact = get(nc, sizeof *p->contact)};
    stack(p, contacts);
    p->start = get(nc + 1, sizeof *p->start);
    const int blocks = imp_delassus_count(p->nb, p->body, p->nc, p->contact, p->start);
    p->column = get((size_t)blocks, sizeof *p->column);
    p->block = get(9 * (size_t)blocks, sizeof *p->block);
    p->q = get(3 * nc, sizeof *p->q);
    p->mu = get(nc, sizeof *p->mu);
    (void)imp_delassus_blocks(p->nb, p->body, p->nc, p->contact, p->start, p->column, p->block,
                              p->q);
    for (size_t i = 0; i < nc; i++)
        p->mu[i] = 0.2;
    p->blocks = (imp_blocks){p->nc, p->start, p->column, p->block};
    p->W = imp_operator_blocks(&p->blocks);
    p->problem = (imp_problem){.nc = p->nc, .W = &p->W, .q = p->q, .mu = p->mu};
    coordinates(p);
}

static void release(pile *p) {
    free(p->body);
    free(p->contact);
    free(p->start);
    free(p->column);
    free(p->block);
    free(p->q);
    free(p->mu);
    imp_sparse_clear(&p->M);
    imp_sparse_clear(&p->H);
}

/* What a solve left, beside its time; residual NAN: it says none. */
typedef struct outcome {
    imp_status status;
    int iterations;
    double residual;
} outcome;

static double normal_residual(const pile *p, const double *impulse) {
    double worst = 0, *u = get(3 * (size_t)p->nc, sizeof *u);
    imp_operator_apply(&p->W, impulse, p->q, u);
    for (int i = 0; i < p->nc; i++)
        worst = imp_worse(worst, fabs(fmin(impulse[3 * i], u[3 * i])));
    free(u);
    return worst;
}

static outcome conic(const pile *p, double *impulse, bool bodies, imp_path *path) {
    imp_convex_settings settings;
    imp_convex_report said = {.path = path};
    const imp_assembled assembled = {p->blocks, &p->M, &p->H, NULL};
    const imp_operator W = imp_operator_assembled(&assembled);
    imp_problem problem = p->problem;
    if (bodies) problem.W = &W;
    imp_model_presets(&imp_model_drumwright, &settings);
    const imp_status status = imp_convex(&problem, &settings, impulse, &said);
    return (outcome){status, said.iterations, said.residual};
}

static outcome run_conic_raw(const pile *p, double *impulse, imp_path *path) {
    return conic(p, impulse, false, path);
}

static outcome run_conic_bodies(const pile *p, double *impulse, imp_path *path) {
    return conic(p, impulse, true, path);
}

static outcome run_frictionless(const pile *p, double *impulse, imp_path *path) {
    (void)path; /* p alone decides */
    const imp_status status = imp_frictionless(&p->problem, impulse, NULL);
    return (outcome){status, 0, NAN};
}

/* Lemke on the normals alone. */
typedef struct normals {
    const imp_operator *W;
} normals;

static void normal_column(const void *data, int j, double *m) {
    const imp_operator *W = ((const normals *)data)->W;
    const imp_blocks *b = W->data;
    memset(m, 0, (size_t)W->nc * sizeof *m);
    for (int k = b->start[j]; k < b->start[j + 1]; k++)
        m[b->column[k]] = b->block[9 * (size_t)k];
}

static outcome run_lemke_normals(const pile *p, double *impulse, imp_path *path) {
    (void)path;
    const size_t n = (size_t)p->nc;
    double *q = get(2 * n, sizeof *q), *y = q + n;
    void *work = get(imp_lemke_workspace(p->nc), 1);
    int pivots;
    const normals data = {&p->W};
    for (size_t i = 0; i < n; i++)
        q[i] = p->q[3 * i];
    const imp_lcp lcp = {p->nc, q, normal_column, &data};
    const imp_status status = imp_lemke(&lcp, 100000, NULL, y, work, &pivots);
    memset(impulse, 0, 3 * n * sizeof *impulse);
    for (size_t i = 0; i < n; i++)
        impulse[3 * i] = y[i];
    free(q);
    free(work);
    return (outcome){status, pivots, NAN};
}

static outcome run_lemke_pyramid(const pile *p, double *impulse, imp_path *path) {
    (void)path;
    imp_settings settings;
    imp_info info = {0};
    imp_model_presets(&imp_model_anitescu, &settings);
    void *work = get(imp_model_anitescu.workspace(&p->problem, &settings), 1);
    const imp_status status =
        imp_model_anitescu.solve(&p->problem, &settings, impulse, work, &info);
    free(work);
    return (outcome){status, info.iterations, info.residual};
}

typedef struct solver {
    const char *name;
    int most; /* contacts it is run with */
    const imp_law *law;
    /* path: where to record, or NULL */
    outcome (*run)(const pile *, double *impulse, imp_path *path);
} solver;

static const solver solvers[] = {
    {"drumwright/raw-W", 1 << 20, &imp_law_convex, run_conic_raw},
    {"drumwright/bodies", 1 << 20, &imp_law_convex, run_conic_bodies},
    {"frictionless", 1 << 20, &imp_law_frictionless, run_frictionless},
    {"lemke/n", MOST_NORMAL_LEMKE, &imp_law_frictionless, run_lemke_normals},
    {"lemke/6n", MOST_PYRAMID, &imp_law_pyramid, run_lemke_pyramid},
};

typedef struct running {
    const solver *s;
    const pile *p;
    double *impulse;
    outcome o;
} running;

static void run(void *context) {
    running *r = context;
    r->o = r->s->run(r->p, r->impulse, NULL);
}

/* Returns the median time, ns. */
static double print_row(bench *b, const solver *s, const pile *p) {
    running r = {.s = s, .p = p, .impulse = get(3 * (size_t)p->nc, sizeof *r.impulse)};
    char name[64];
    imp_certificate c;
    imp_path path = {0};
    const bench_timing t = bench_time(run, &r, 1);
    (void)s->run(p, r.impulse, &path); /* once more, for the certificate */
    double *smooth = get((size_t)p->nc, sizeof *smooth);
    imp_problem problem = p->problem;
    if (s->law == &imp_law_frictionless) problem.mu = smooth;
    const double certificate =
        imp_certify(&problem, s->law, NULL, r.impulse, &path, &c) == IMP_OK ? c.worst : INFINITY;
    const double residual = isnan(r.o.residual) ? normal_residual(p, r.impulse) : r.o.residual;
    imp_path_clear(&path);
    snprintf(name, sizeof name, "%s/contacts:%d", s->name, p->nc);
    bench_row(b, name, &t, certificate,
              (const double[]){p->nc, p->nb, r.o.status == IMP_OK, r.o.iterations, residual});
    free(smooth);
    free(r.impulse);
    return t.cpu;
}

static void engine_table(bench *b) {
    static const struct {
        const char *name, *file, *variant;
        int each; /* steps between solves of the pyramid */
    } engines[] = {{"54", "engine", "coast, K = 6", 1},
                   {"102", "engine", "coast, K = 12", 3},
                   {"174", "engine-4", NULL, 4}};
    static const char *const rivals[] = {"qp3", "lemke/n", "lemke/6n"};
    bench_table(b,
                "engines of contacts without friction: ns a solve; error: largest |min(y, A y + "
                "b)| of what is solved",
                (const char *const[]){"solves", "wrong", "share_failed", NULL});
    for (size_t k = 0; k < sizeof engines / sizeof *engines; k++) {
        engine e;
        engine_tally tally[ENGINE_RIVALS];
        char path[64], name[64];
        imp_error error;
        snprintf(path, sizeof path, "benchmarks/scenes/%s.json", engines[k].file);
        e = (engine){0};
        if (scene_steps_open(path, engines[k].variant, &e.scene, &error) != IMP_OK) {
            fprintf(stderr, "bench_convex: %s\n", error.text);
            exit(2);
        }
        engine_contest(&e, engines[k].each, tally, NULL, NULL);
        engine_close(&e);
        for (int i = 0; i < ENGINE_RIVALS; i++) {
            const engine_tally *t = &tally[i];
            const double ns = 1e6 * engine_tally_ms(t);
            const bench_timing timing = {ns, ns, ns, ns, t->solves};
            snprintf(name, sizeof name, "engine/%s/rows:%s", rivals[i], engines[k].name);
            bench_row(b, name, &timing, t->worst,
                      (const double[]){t->solves, t->wrong, (double)t->failures / t->solves});
        }
    }
}

enum { MOST = 16, SOLVERS = sizeof solvers / sizeof *solvers };

static const char *solver_at(int k) {
    return k < SOLVERS ? solvers[k].name : NULL;
}

static const usage about = {
    .program = "bench_convex",
    .arguments = "[CONTACTS]...",
    .most = MOST,
    .text =
        "ns per solve of the convex models and of Lemke's method on piles of spheres of CONTACTS "
        "contacts (10, 54, 100 and\n"
        "1000). One row per solver and pile: its time, and what the answer leaves, residual: the "
        "KKT residual\n"
        "(drumwright), max |min(y, A y + b)| (frictionless impacts), max |min(z, M z + q)| "
        "(pyramid), each recomputed here\n"
        "from the data except the first, whose certificate stands beside it. solved is the "
        "solver's "
        "own word. Without\n"
        "arguments a second table puts the problems of a moving engine without friction to QP3 and "
        "to Lemke's method on n\n"
        "and on 6n unknowns, and counts how often each fails. Exit 2: bad use.\n",
    .environment = BENCH_ENVIRONMENT,
    .name = solver_at,
};

int main(int argc, char **argv) {
    static const int presets[] = {10, 54, 100, 1000};
    double contacts[MOST], ns[SOLVERS][MOST];
    int size[MOST], rows[SOLVERS] = {0},
                    count = argc > 1 ? argc - 1 : (int)(sizeof presets / sizeof *presets);
    usage_answer(&about, argc, argv);
    for (int i = 0; i < count; i++)
        size[i] = argc > 1 ? (int)usage_whole(&about, "CONTACTS", argv[i + 1], 1, 1e5) : presets[i];
    bench b = bench_begin("convex");
    bench_table(&b,
                "convex models and Lemke on piles of spheres: ns a solve; error: the worst "
                "certificate residual",
                (const char *const[]){"contacts", "bodies", "solved", "steps", "residual", NULL});
    for (int i = 0; i < count; i++) {
        const int nc = size[i];
        pile p;
        make(&p, nc);
        contacts[i] = nc;
        for (int k = 0; k < SOLVERS; k++)
            if (nc <= solvers[k].most) ns[k][rows[k]++] = print_row(&b, &solvers[k], &p);
        release(&p);
    }
    for (int k = 0; k < SOLVERS && argc == 1; k++) { /* the presets rise, so that a solver has run
                                                        the first of them */
        char name[64];
        snprintf(name, sizeof name, "%s: cost against contacts", solvers[k].name);
        bench_exponent(&b, name, rows[k], contacts, ns[k]);
    }
    if (argc == 1) engine_table(&b);
    return bench_end(&b);
}
