/* test_apart.c - block solvers on problems that W does not couple: each is answered as if it were
 * alone, bit for bit, however much heavier or faster another is, and found or not by itself; and
 * each answer is judged so. */
#include "generators/gen.h"
#include "impact.h"
#include "tap.h"

enum { NC = 2 * GEN_MOST_CONTACTS, FORMS = 6 };

/* W in every form that a solver may be given. */
typedef struct forms {
    imp_factored *factored;
    imp_blocks *blocks;
    double *dense;
    imp_sparse unit, G;
    imp_reduced reduced;
    imp_assembled assembled, bare;
    imp_operator W[FORMS];
} forms;

static const char *const form_name[FORMS] = {"dense",   "blocks",    "factored",
                                             "reduced", "assembled", "without G"};

/* G of f by columns, all three of a contact with its rows. */
static imp_sparse by_columns(const imp_factored *f) {
    const size_t count = (size_t)f->start[f->nc];
    imp_sparse G = {f->rows, 3 * f->nc, calloc(3 * (size_t)f->nc + 1, sizeof(int)),
                    malloc((3 * count + 1) * sizeof(int)),
                    malloc((3 * count + 1) * sizeof(double))};
    for (int c = 0, at = 0; c < f->nc; c++)
        for (int r = 0; r < 3; r++) {
            for (int k = f->start[c]; k < f->start[c + 1]; k++, at++) {
                G.row[at] = f->row[k];
                G.value[at] = f->G[3 * k + r];
            }
            G.start[3 * c + r + 1] = at;
        }
    return G;
}

static void forms_open(forms *f, int nb, const imp_body *body, int nc, const imp_contact *contact,
                       double *q) {
    if (imp_delassus_factored(nb, body, nc, contact, &f->factored, q) != IMP_OK) exit(1);
    f->W[2] = imp_operator_factored(f->factored);
    f->blocks = imp_blocks_of(&f->W[2]);
    f->dense = malloc(9 * (size_t)nc * (size_t)nc * sizeof *f->dense);
    imp_operator_write(&f->W[2], f->dense);
    f->W[0] = imp_operator_dense(nc, f->dense);
    f->W[1] = imp_operator_blocks(f->blocks);
    f->reduced = (imp_reduced){*f->blocks, f->factored};
    f->W[3] = imp_operator_reduced(&f->reduced);
    if (imp_sparse_unit(f->factored->rows, &f->unit) != IMP_OK) exit(1);
    f->G = by_columns(f->factored);
    f->assembled = (imp_assembled){*f->blocks, &f->unit, &f->G, &f->G};
    f->W[4] = imp_operator_assembled(&f->assembled);
    f->bare = (imp_assembled){*f->blocks, &f->unit, &f->G, NULL};
    f->W[5] = imp_operator_assembled(&f->bare);
}

static void forms_close(forms *f) {
    imp_factored_free(f->factored);
    imp_blocks_free(f->blocks);
    free(f->dense);
    imp_sparse_clear(&f->unit);
    imp_sparse_clear(&f->G);
}

/* Bodies and contacts side by side, those of both in turn as far as they go. */
typedef struct pair {
    gen_many part[2];
    int nb, nc;
    imp_body body[NC];
    imp_contact contact[NC];
    double mu[NC], e[NC];
    int from[NC], number[NC]; /* whose contact it is, and which of its own */
} pair;

static void scale(gen_many *g, double mass, double speed) {
    for (int i = 0; i < g->nb; i++) {
        imp_body *b = &g->body[i];
        b->inv_mass /= mass;
        for (int k = 0; k < 9; k++)
            b->inv_inertia[k] /= mass;
        for (int k = 0; k < 3; k++) {
            b->velocity[k] *= speed;
            b->spin[k] *= speed;
        }
    }
}

static void join(pair *s) {
    s->nb = s->nc = 0;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < s->part[k].nb; i++)
            s->body[s->nb++] = s->part[k].body[i];
    for (int i = 0; i < GEN_MOST_CONTACTS; i++)
        for (int k = 0; k < 2; k++) {
            if (i >= s->part[k].nc) continue;
            imp_contact c = s->part[k].contact[i];
            if (k == 1 && c.a >= 0) c.a += s->part[0].nb;
            if (k == 1 && c.b >= 0) c.b += s->part[0].nb;
            s->from[s->nc] = k;
            s->number[s->nc] = i;
            s->mu[s->nc] = s->part[k].mu[i];
            s->contact[s->nc++] = c;
        }
}

typedef struct tally {
    int tried, different, statuses, wrong, bounced, shortened;
} tally;

/* Both parts and the pair by the model, W in that form. */
static void compare(const pair *s, forms *whole, forms parts[2], int form, const imp_model *model,
                    double e, const double *q, double (*own_q)[3 * GEN_MOST_CONTACTS], tally *t) {
    double p[3 * NC], own_e[2][GEN_MOST_CONTACTS], all_e[NC], alone[2][3 * GEN_MOST_CONTACTS];
    imp_status status[2], worst = IMP_OK;
    for (int i = 0; i < s->nc; i++)
        all_e[i] = own_e[s->from[i]][s->number[i]] = e * (s->number[i] % 3) / 2;
    for (int k = 0; k < 2; k++) {
        const imp_problem problem = {.nc = s->part[k].nc,
                                     .W = &parts[k].W[form],
                                     .q = own_q[k],
                                     .mu = s->part[k].mu,
                                     .e = own_e[k]};
        status[k] = imp_solve(model, &problem, NULL, alone[k], NULL);
        if (worst == IMP_OK) worst = status[k];
    }
    const imp_problem problem = {
        .nc = s->nc, .W = &whole->W[form], .q = q, .mu = s->mu, .e = all_e};
    imp_path path = {0};
    imp_certificate certificate;
    const imp_status together =
        imp_solve_certified(model, &problem, NULL, p, &path, &certificate, NULL);
    t->tried++;
    t->statuses += together != worst;
    t->wrong += together == IMP_OK && !(certificate.worst <= 1e-8);
    t->bounced += path.steps == 3;
    t->shortened += path.steps == 3 && path.share[1] < 1;
    imp_path_clear(&path);
    for (int i = 0; i < s->nc; i++)
        for (int r = 0; r < 3; r++)
            if (p[3 * i + r] != alone[s->from[i]][3 * s->number[i] + r]) {
                t->different++;
                return;
            }
}

static void test_joined(const imp_model *model, double mass, double speed) {
    const int count = tap_many(20, 60);
    static pair s;
    const bool moreau = strcmp(model->name, "moreau") == 0; /* its law has no phases */
    for (int form = 0; form < FORMS; form++) {
        tally t = {0};
        for (uint64_t k = 0; k < (uint64_t)count; k++) {
            forms whole, parts[2];
            double q[3 * NC], own_q[2][3 * GEN_MOST_CONTACTS];
            for (int j = 0; j < 2; j++)
                s.part[j] = gen_bodies(2 * k + (uint64_t)j, 1 + (int)((k + 3 * (uint64_t)j) % 5));
            scale(&s.part[1], mass, speed);
            join(&s);
            forms_open(&whole, s.nb, s.body, s.nc, s.contact, q);
            for (int j = 0; j < 2; j++)
                forms_open(&parts[j], s.part[j].nb, s.part[j].body, s.part[j].nc, s.part[j].contact,
                           own_q[j]);
            for (int bounce = 0; bounce < 2; bounce++)
                compare(&s, &whole, parts, form, model, bounce, q, own_q, &t);
            forms_close(&whole);
            forms_close(&parts[0]);
            forms_close(&parts[1]);
        }
        ok(t.different == 0 && t.statuses == 0 && t.wrong == 0 && (t.bounced == 0) == moreau &&
               (t.shortened > 0 || moreau),
           "%s, %s, masses %g and speeds %g apart: %d pairs as their parts (%d other, %d statuses, "
           "%d wrong; %d with phases, %d shortened)",
           model->name, form_name[form], mass, speed, t.tried, t.different, t.statuses, t.wrong,
           t.bounced, t.shortened);
    }
}

/* The residual of that name, 0 where there is none. */
static double value_of(const imp_certificate *c, const char *name) {
    for (int k = 0; k < c->count; k++)
        if (strcmp(c->residual[k].name, name) == 0) return c->residual[k].value;
    return 0;
}

/* Both parts' answers times `factor` held against the law, alone and as a pair. */
static void judge(const pair *s, const forms *whole, const forms parts[2], const imp_law *law,
                  const double *q, double (*own_q)[3 * GEN_MOST_CONTACTS], double factor,
                  int counts[3]) {
    static const double dust = 1e-15; /* of energy: islands of which none gains are judged as one */
    double p[3 * NC], alone[2][3 * GEN_MOST_CONTACTS];
    imp_certificate own[2], both;
    for (int k = 0; k < 2; k++) {
        const imp_problem problem = {
            .nc = s->part[k].nc, .W = &parts[k].W[0], .q = own_q[k], .mu = s->part[k].mu};
        if (imp_solve(imp_model_find("auto"), &problem, NULL, alone[k], NULL) != IMP_OK) return;
        for (int i = 0; i < 3 * problem.nc; i++)
            alone[k][i] *= k == 1 ? factor : 1;
        if (imp_certify(&problem, law, NULL, alone[k], NULL, &own[k]) != IMP_OK) return;
    }
    for (int i = 0; i < s->nc; i++)
        memcpy(p + 3 * i, alone[s->from[i]] + 3 * s->number[i], 3 * sizeof *p);
    const imp_problem problem = {.nc = s->nc, .W = &whole->W[0], .q = q, .mu = s->mu};
    const int worse = own[1].worst > own[0].worst;
    bool same = imp_certify(&problem, law, NULL, p, NULL, &both) == IMP_OK &&
                fabs(both.worst - fmax(own[0].worst, own[1].worst)) <= dust && both.at == NULL &&
                (own[0].worst == own[1].worst || s->from[both.contact] == worse);
    for (int k = 0; same && k < both.count; k++) {
        const char *name = both.residual[k].name;
        const double larger = fmax(value_of(&own[0], name), value_of(&own[1], name));
        same = fabs(both.residual[k].value - larger) <= dust || both.residual[k].value == larger;
    }
    counts[0]++;
    counts[1] += !same;
    counts[2] += value_of(&both, "energy") > 0;
}

/* Right answers, ones that gain energy, and ones whose terms are beyond all measure. */
static void test_judged(const imp_model *model, double mass, double speed) {
    const int count = tap_many(20, 60);
    static const double factors[] = {1, 3, -1e5};
    static pair s;
    int counts[3] = {0};
    for (uint64_t k = 0; k < (uint64_t)count; k++) {
        forms whole, parts[2];
        double q[3 * NC], own_q[2][3 * GEN_MOST_CONTACTS];
        for (int j = 0; j < 2; j++)
            s.part[j] = gen_bodies(2 * k + (uint64_t)j, 2 + (int)((k + 3 * (uint64_t)j) % 5));
        scale(&s.part[1], mass, speed);
        join(&s);
        forms_open(&whole, s.nb, s.body, s.nc, s.contact, q);
        for (int j = 0; j < 2; j++)
            forms_open(&parts[j], s.part[j].nb, s.part[j].body, s.part[j].nc, s.part[j].contact,
                       own_q[j]);
        for (int f = 0; f < 3; f++)
            judge(&s, &whole, parts, model->law, q, own_q, factors[f], counts);
        forms_close(&whole);
        forms_close(&parts[0]);
        forms_close(&parts[1]);
    }
    const bool may_gain = model->law->may_gain == 1; /* nothing bounces */
    ok(counts[0] >= 2 * count && counts[1] == 0 && (counts[2] < count) == may_gain,
       "law of %s, masses %g and speeds %g apart: %d pairs judged as their parts (%d other; %d "
       "gain "
       "energy)",
       model->name, mass, speed, counts[0], counts[1], counts[2]);
}

/* Single contacts whose bodies have one to three coordinates, two in a problem: singular blocks too
 * are answered as if alone, but for one in 200: sparse factors of two may round otherwise. */
static void test_singular(const imp_model *model) {
    const int pairs = tap_many(60, 600);
    gen_stream draw = gen_seed(871, 2);
    int different = 0, singular = 0, solved = 0;
    for (int n = 0; n < pairs; n++) {
        double p[2][6] = {{0}}, q[6], mu[2], e[2];
        int rows[2];
        imp_factored *f[3];
        imp_sparse G[3];
        imp_blocks *blocks[3];
        for (int c = 0; c < 2; c++) {
            rows[c] = 1 + (int)gen_uniform(&draw, 0, 3);
            singular += rows[c] < 3;
            mu[c] = gen_uniform(&draw, 0, 3);
            e[c] = fmax(0, gen_uniform(&draw, -1, 1));
        }
        double value[18];
        for (int k = 0; k < 18; k++)
            value[k] = gen_uniform(&draw, -1, 1);
        for (int k = 0; k < 6; k++)
            q[k] = gen_uniform(&draw, -1, 1);
        for (int g = 0; g < 3; g++) { /* the first, the second, both */
            const int first = g == 1, last = g == 0 ? 0 : 1;
            int row[18], column[18], count = 0, base = 0;
            double entry[18];
            for (int c = first; c <= last; base += rows[c++])
                for (int k = 0; k < 3 * rows[c]; k++, count++) {
                    row[count] = base + k / 3;
                    column[count] = 3 * (c - first) + k % 3;
                    entry[count] = value[9 * c + k];
                }
            if (imp_sparse_from_triplets(base, 3 * (last - first + 1), count, row, column, entry,
                                         &G[g]) != IMP_OK ||
                imp_factored_of(&G[g], &f[g]) != IMP_OK)
                exit(1);
            const imp_operator over_bodies = imp_operator_factored(f[g]);
            blocks[g] = imp_blocks_of(&over_bodies);
            const imp_reduced reduced = {*blocks[g], f[g]};
            const imp_operator W = imp_operator_reduced(&reduced);
            const imp_problem problem = {.nc = last - first + 1,
                                         .W = &W,
                                         .q = q + 3 * first,
                                         .mu = mu + first,
                                         .e = e + first};
            solved += imp_solve(model, &problem, NULL, p[g == 2] + 3 * first, NULL) == IMP_OK;
        }
        different += memcmp(p[0], p[1], sizeof p[0]) != 0;
        for (int g = 0; g < 3; g++) {
            imp_blocks_free(blocks[g]);
            imp_factored_free(f[g]);
            imp_sparse_clear(&G[g]);
        }
    }
    /* a fifth of the problems has no answer */
    ok(solved > 2 * pairs && singular > pairs && different <= pairs / 200,
       "%s: %d pairs with %d singular blocks as their parts, %d other", model->name, pairs,
       singular, different);
}

/* A block that one sweep does not bring to rest, beside a body between walls that close, in both
 * orders: none has an answer to the whole. */
static void test_no_solution(const imp_model *model) {
    enum { BOTH = 4, ROWS = 3 * BOTH };
    static const double wedged[6] = {-1, 0, 0, -1, 0, 0}, falls[6] = {-1, 1, 0, -2, 0, 1},
                        mu[BOTH] = {0.5, 0.5, 0.5, 0.5};
    imp_blocks_settings settings;
    imp_model_presets(model, &settings);
    settings.max_sweeps = 1;
    for (int first = 0; first < 2; first++) {
        double W[ROWS * ROWS] = {0}, q[ROWS], p[ROWS] = {0};
        const int wall = first * 6, block = 6 - wall;
        for (int i = 0; i < 6; i++) {
            W[(wall + i) * ROWS + wall + i] = 1;
            W[(wall + i) * ROWS + wall + (i + 3) % 6] = i % 3 == 0 ? -1 : 0;
            W[(block + i) * ROWS + block + i] = 2;
            W[(block + i) * ROWS + block + (i + 3) % 6] = 1;
            q[wall + i] = wedged[i];
            q[block + i] = falls[i];
        }
        const imp_operator op = imp_operator_dense(BOTH, W);
        const imp_problem problem = {.nc = BOTH, .W = &op, .q = q, .mu = mu};
        const imp_status status = imp_solve(model, &problem, &settings, p, NULL);
        ok(status == IMP_NO_SOLUTION, "%s: walls that close, %s what is not done: %s", model->name,
           first ? "behind" : "before", imp_status_text(status));
    }
}

/* A contact without restitution that would be hit again by maximum dissipation, where its first
 * impact has left it: beside a ball that bounces it is right by the one, as alone. */
static void test_one_impact(const imp_model *model) {
    enum { ROWS = 6 };
    static const double W[ROWS * ROWS] = {0.34, -0.39, 0.15, 0, 0, 0, -0.39, 1.85, -0.76, 0, 0, 0,
                                          0.15, -0.76, 1.02, 0, 0, 0, 0,     0,    0,     1, 0, 0,
                                          0,    0,     0,    0, 1, 0, 0,     0,    0,     0, 0, 1},
                                 q[ROWS] = {-0.04, 0.21, 2.47, -1, 0, 0}, mu[2] = {1.34, 0};
    const imp_operator op = imp_operator_dense(2, W);
    for (int bounces = 0; bounces < 2; bounces++) {
        const double e[2] = {0, bounces};
        const imp_problem problem = {.nc = 2, .W = &op, .q = q, .mu = mu, .e = e};
        double p[ROWS];
        const imp_status status = imp_solve(model, &problem, NULL, p, NULL);
        ok(status == IMP_OK && p[0] > 1, "%s: one impact, beside a ball with e = %d: %s",
           model->name, bounces, imp_status_text(status));
    }
}

/* A contact whose impulse is beyond double takes none from another. */
static void test_overflow(const imp_model *model) {
    enum { ROWS = 6 };
    static const double q[ROWS] = {-1e200, 0, 0, -1, 0.5, 0}, mu[2] = {0.5, 0.5};
    double W[ROWS * ROWS] = {0}, p[ROWS] = {0};
    for (int i = 0; i < ROWS; i++)
        W[i * ROWS + i] = i < 3 ? 1e-200 : 1;
    const imp_operator op = imp_operator_dense(2, W);
    const imp_problem problem = {.nc = 2, .W = &op, .q = q, .mu = mu};
    const imp_status status = imp_solve(model, &problem, NULL, p, NULL);
    ok(status > IMP_OK && p[0] == 0 && p[3] == 1 && p[4] == -0.5,
       "%s: beside what is beyond double: %s, (%g, %g)", model->name, imp_status_text(status), p[3],
       p[4]);
}

int main(void) {
    test_singular(imp_model_find("auto"));
    test_singular(imp_model_find("moreau"));
    static const char *const models[] = {"auto", "moreau", "gauss-seidel-coulomb",
                                         "gauss-seidel-maxdiss"};
    for (int m = 0; m < 4; m++) {
        test_joined(imp_model_find(models[m]), 1, 1);
        test_joined(imp_model_find(models[m]), 1e12, 1);
        test_joined(imp_model_find(models[m]), 1, 1e-9);
        test_overflow(imp_model_find(models[m]));
    }
    static const char *const judged[] = {"auto", "gauss-seidel-maxdiss", "moreau", "anitescu"};
    for (int m = 0; m < 4; m++) {
        test_judged(imp_model_find(judged[m]), 1, 1);
        test_judged(imp_model_find(judged[m]), 1e12, 1);
        test_judged(imp_model_find(judged[m]), 1, 1e-9);
    }
    test_no_solution(imp_model_find("auto"));
    test_no_solution(imp_model_find("moreau"));
    test_one_impact(imp_model_find("gauss-seidel-maxdiss"));
    return tap_done();
}
