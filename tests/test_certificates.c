/* Certificates decide, for every model of the table: its own answers are accepted, with their path
 * and without; wrong answers are rejected, however they come: alone, or beside the path of the
 * right one. */
#include "blocks/springs.h"
#include "generators/gen_situation.h"
#include "impact.h"
#include "replay.h"
#include "tap.h"

enum { MOST = SITUATION_MOST };
#define SINGLE  tap_many(80, 160)
#define SEVERAL tap_many(36, 120)

/* Far above what any bound accepts at the presets, far below the changes that are planted. */
static const double tolerance = 1e-6;

/* 1 to 6 contacts, restitution anywhere in [0, 1]; every third of several contacts has one of them
 * twice. */
static situation problem_number(const imp_model *model, int k) {
    const uint64_t seed = (uint64_t)k;
    situation s =
        k < SINGLE ? situation_one(model, seed) : situation_many(model, 7 * (seed / 5) + seed % 5);
    gen_stream g = gen_seed(811, seed);
    if (k >= SINGLE && k % 3 == 0) { /* the last contact is the first once more */
        const int n = 3 * s.nc, last = n - 3;
        for (int r = 0; r < n; r++)
            for (int c = 0; c < 3; c++)
                s.W[r * n + last + c] = s.W[r * n + c];
        for (int c = 0; c < n; c++)
            for (int r = 0; r < 3; r++)
                s.W[(last + r) * n + c] = s.W[r * n + c];
        memcpy(s.q + last, s.q, 3 * sizeof *s.q);
        s.mu[s.nc - 1] = s.mu[0];
    }
    const double e = k % 4 == 0 ? 0 : k % 4 == 1 ? 1 : gen_uniform(&g, 0, 1);
    for (int i = 0; i < s.nc; i++)
        s.e[i] = k % 8 < 6 ? e : gen_uniform(&g, 0, 1);
    situation_restrict(&s, model);
    return s;
}

/* The share of velocity, in the mass norm, by which two impulses differ: of what both and the
 * contacts' own free velocities come to. */
static double difference(const situation *s, const double *p, const double *r) {
    const int n = 3 * s->nc;
    double apart = 0, p2 = 0, r2 = 0, free2 = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const double W = s->W[i * n + j];
            apart += (p[i] - r[i]) * W * (p[j] - r[j]);
            p2 += p[i] * W * p[j];
            r2 += r[i] * W * r[j];
        }
    for (int i = 0; i < s->nc; i++) {
        const double trace =
            s->W[3 * i * (n + 1)] + s->W[(3 * i + 1) * (n + 1)] + s->W[(3 * i + 2) * (n + 1)];
        for (int k = 0; k < 3; k++)
            free2 += 3 * s->q[3 * i + k] * s->q[3 * i + k] / trace;
    }
    return sqrt(fmax(0, apart)) / (sqrt(fmax(0, p2)) + sqrt(fmax(0, r2)) + sqrt(free2));
}

/* Coulomb's law from its definition, the largest violation of any contact relative to its
 * velocities: of a law with several solutions another answer may be right. */
static bool obeys_coulomb(const situation *s, const double *p) {
    const int n = 3 * s->nc;
    for (int i = 0; i < s->nc; i++) {
        double u[3], size = 0;
        const double *own = p + (size_t)3 * i, limit = s->mu[i] * own[0],
                     friction = hypot(own[1], own[2]);
        for (int r = 0; r < 3; r++) {
            u[r] = s->q[3 * i + r];
            size += fabs(u[r]);
            for (int j = 0; j < n; j++) {
                u[r] += s->W[(3 * i + r) * n + j] * p[j];
                size += fabs(s->W[(3 * i + r) * n + j] * p[j]);
            }
        }
        const double slip = hypot(u[1], u[2]), push = fmax(fabs(own[0]), friction),
                     some = 10 * tolerance;
        const bool open = push * s->W[3 * i * (n + 1)] <= some * size;
        const bool closed =
            fabs(u[0]) <= some * size && own[0] >= 0 && friction <= limit + some * push;
        const bool against = slip <= some * size ||
                             hypot(slip * own[1] + limit * u[1], slip * own[2] + limit * u[2]) <=
                                 some * size * fmax(push, limit);
        if (!(u[0] >= -some * size && (open || (closed && against)))) return false;
    }
    return true;
}

/* The same for the law of the pyramid with edges along t and o: Signorini, |p_t| + |p_o| <= mu p_n,
 * and the most power against the slip. */
static bool obeys_pyramid(const situation *s, const double *p) {
    const int n = 3 * s->nc;
    for (int i = 0; i < s->nc; i++) {
        double u[3], size = 0;
        const double *own = p + (size_t)3 * i, limit = s->mu[i] * own[0],
                     used = fabs(own[1]) + fabs(own[2]);
        for (int r = 0; r < 3; r++) {
            u[r] = s->q[3 * i + r];
            for (int j = 0; j < n; j++)
                u[r] += s->W[(3 * i + r) * n + j] * p[j];
            size += fabs(s->q[3 * i + r]) + fabs(u[r]);
        }
        const double idle = own[1] * u[1] + own[2] * u[2] + limit * fmax(fabs(u[1]), fabs(u[2]));
        const double some = tolerance * size;
        if (!(u[0] >= -some && own[0] >= 0 && fmin(u[0], own[0] * s->W[3 * i * (n + 1)]) <= some &&
              used <= limit * (1 + tolerance) && fabs(idle) <= some * fmax(own[0], limit)))
            return false;
    }
    return true;
}

typedef struct planted {
    const char *what;
    int tried, accepted;
} planted;

enum { LARGER, ACROSS, PLASTIC, NOTHING, THOUSANDFOLD, OTHER_LAW, PLANTED };

typedef struct trial {
    const imp_model *model;
    situation s;
    imp_operator W;
    imp_problem problem;
    double p[MOST];
    imp_path path;
    int number;
    planted *plants;
} trial;

static bool accepts(const trial *t, const double *p, const imp_path *path) {
    imp_certificate c;
    const double bound = fmax(tolerance, imp_model_bound(t->model, NULL));
    return imp_certify(&t->problem, t->model->law, NULL, p, path, &c) == IMP_OK && c.count > 0 &&
           !c.unjudged && c.worst <= bound;
}

static void plant(trial *t, int kind, const double *wrong) {
    planted *at = &t->plants[kind];
    if (!(difference(&t->s, t->p, wrong) > 20 * tolerance)) return;
    double bounce = 0;
    for (int i = 0; i < t->s.nc; i++)
        bounce = fmax(bounce, t->s.e[i]);
    /* another right answer */
    if (t->model->law->several && bounce == 0 && obeys_coulomb(&t->s, wrong)) return;
    if (t->model->law == &imp_law_pyramid && bounce == 0 && obeys_pyramid(&t->s, wrong)) return;
    at->tried++;
    if (!accepts(t, wrong, NULL) && !accepts(t, wrong, &t->path)) return;
    if (at->accepted++ == 0) keep_for_replay(&t->problem, t->model, at->what, t->number);
}

/* 1 % of the most friction the contact may have, across what there is. */
static void plant_across(trial *t) {
    double wrong[MOST];
    int most = 0;
    memcpy(wrong, t->p, sizeof wrong);
    for (int i = 1; i < t->s.nc; i++)
        if (t->p[3 * i] > t->p[3 * most]) most = i;
    double *own = wrong + (size_t)3 * most;
    const double friction = hypot(own[1], own[2]),
                 little = 0.01 * fmax(t->s.mu[most], 0.1) * own[0];
    const double side[2] = {friction > 0 ? -own[2] / friction : 0,
                            friction > 0 ? own[1] / friction : 1};
    own[1] += little * side[0];
    own[2] += little * side[1];
    plant(t, ACROSS, wrong);
}

static void plant_others(trial *t) {
    for (const imp_model *const *m = imp_models; *m; m++) {
        double other[MOST] = {0};
        if ((*m)->law == t->model->law || imp_model_takes(*m, &t->problem) != IMP_OK) continue;
        if (imp_solve(*m, &t->problem, NULL, other, NULL) == IMP_OK) plant(t, OTHER_LAW, other);
    }
}

static void plant_all(trial *t) {
    const int n = 3 * t->s.nc;
    const double none[MOST] = {0};
    double wrong[MOST] = {0};
    for (int i = 0; i < n; i++)
        wrong[i] = 1.01 * t->p[i];
    plant(t, LARGER, wrong);
    plant_across(t);
    plant(t, NOTHING, none);
    memcpy(wrong, t->p, sizeof wrong);
    for (int i = 0; i < n; i += 3)
        wrong[i] *= 1000;
    plant(t, THOUSANDFOLD, wrong);
    imp_problem plastic = t->problem;
    plastic.e = NULL;
    memset(wrong, 0, sizeof wrong);
    if (imp_solve(t->model, &plastic, NULL, wrong, NULL) == IMP_OK) plant(t, PLASTIC, wrong);
    if (t->number % (t->s.nc == 1 ? 3 : 8) == 0) plant_others(t);
}

static void test_model(const imp_model *model) {
    planted plants[PLANTED] = {{"a-hundredth-more", 0, 0},    {"friction-across", 0, 0},
                               {"the-plastic-answer", 0, 0},  {"nothing", 0, 0},
                               {"a-thousandfold-push", 0, 0}, {"another-laws-answer", 0, 0}};
    const bool dear = model == &imp_model_springs; /* it is integrated anew for each answer */
    const int several = dear ? SEVERAL / 3 : SEVERAL, first = dear ? SINGLE / 2 : 0,
              end = SINGLE + (model->takes & IMP_TAKES_MANY ? several : 0), count = end - first;
    int solved = 0, refused = 0, refused_alone = 0;
    for (int k = first; k < end; k++) {
        trial t = {.model = model, .s = problem_number(model, k), .number = k, .plants = plants};
        t.problem = situation_problem(&t.s, &t.W);
        if (imp_solve_certified(model, &t.problem, NULL, t.p, &t.path, NULL, NULL) == IMP_OK) {
            solved++;
            if (!accepts(&t, t.p, &t.path))
                keep_for_replay(&t.problem, model, "refused", refused++);
            if (!accepts(&t, t.p, NULL))
                keep_for_replay(&t.problem, model, "refused-alone", refused_alone++);
            plant_all(&t);
        }
        imp_path_clear(&t.path);
    }
    ok(solved >= count - count / 25, "%s: %d of %d problems solved", model->name, solved, count);
    ok(refused == 0, "%s: its answers are accepted by their path", model->name);
    ok(refused_alone == 0, "%s: and without it", model->name);
    for (int k = 0; k < PLANTED; k++) {
        const planted *at = &plants[k];
        const bool can = k != PLASTIC || model->takes & IMP_TAKES_RESTITUTION;
        if (!can) continue;
        ok(at->accepted == 0 && at->tried > 0, "%s: %s is rejected, %d of %d", model->name,
           at->what, at->tried - at->accepted, at->tried);
    }
}

/* Tangents a million times as light as the normal: friction that stops a slip is 3e-10 of the push,
 * and a path that has it is none of an answer that has not. */
static void test_light_tangents(void) {
    static const double W[9] = {1, 0, 0, 0, 1e6, 0, 0, 0, 1e6}, q[3] = {-1, 5e-4, 0}, mu = 0.5,
                        e = 0.5;
    const imp_operator operator= imp_operator_dense(1, W);
    for (const imp_model *const *m = imp_models; *m; m++) {
        imp_problem problem = {.nc = 1, .W = &operator, .q = q, .mu = &mu, .e = &e};
        if (imp_model_takes(*m, &problem) != IMP_OK) problem.e = NULL;
        if (imp_model_takes(*m, &problem) != IMP_OK) continue;
        imp_path path = {0};
        imp_certificate c = {.worst = NAN};
        double p[3] = {0};
        const bool solved =
            imp_solve_certified(*m, &problem, NULL, p, &path, &c, NULL) == IMP_OK && p[1] < 0;
        p[1] = p[2] = 0;
        ok(solved && c.worst < 1e-9 &&
               imp_certify(&problem, (*m)->law, NULL, p, &path, &c) == IMP_OK && c.worst > 1e-5,
           "%s: friction of 3e-10 of the push, left out, is missed", (*m)->name);
        imp_path_clear(&path);
    }
}

int main(void) {
    test_light_tangents();
    for (const imp_model *const *m = imp_models; *m; m++)
        test_model(*m);
    return tap_done();
}
