/* test_plus_certificate.c - the laws of PLUS and its relatives: every answer of theirs accepted,
 * wrong ones rejected.
 *
 * Each wrong answer and each forged path is planted into every problem that the model answers; none
 * may be accepted. */
#include "generators/gen_situation.h"
#include "impact.h"
#include "tap.h"

#include <stdlib.h>

enum { ROWS = SITUATION_MOST, MOST_CONTACTS = 6 };
#define PROBLEMS tap_many(200, 400)
static const double TOLERANCE = 1e-9;
static const double DIFFERS = 1e-6; /* of two answers, relative: they are not the same */

static const imp_model *const models[] = {&imp_model_plus, &imp_model_single_phase,
                                          &imp_model_newton, &imp_model_poisson};

typedef struct subject {
    const imp_model *model;
    situation s;
    imp_operator W;
    imp_problem problem;
    double p[ROWS]; /* the model's answer */
    imp_path path;  /* and how it came about */
} subject;

typedef struct tally {
    int planted, accepted;
} tally;

/* Contacts of up to three bodies, of which some are there twice: W singular. */
static situation duplicated(uint64_t k) {
    gen_stream stream = gen_seed(61, k);
    double e[GEN_MOST_CONTACTS];
    const gen_many many = gen_loose(3, k, MOST_CONTACTS / 2, 1.5, k % 2 ? 2 : 0, e);
    const int nc = many.nc, n = 3 * nc;
    situation s = {.nc = 2 * nc};
    for (int r = 0; r < 2 * n; r++) {
        for (int c = 0; c < 2 * n; c++)
            s.W[r * 2 * n + c] = many.W[r % n * n + c % n];
        s.q[r] = many.q[r % n];
    }
    for (int i = 0; i < s.nc; i++) {
        s.mu[i] = many.mu[i % nc];
        s.e[i] = k % 3 ? gen_uniform(&stream, 0, 1) : 0.5;
    }
    return s;
}

static situation draw(const imp_model *model, uint64_t k) {
    if (k % 4 == 0) return situation_one(model, k / 4);
    if (k % 4 == 1) return duplicated(k / 4);
    situation s = {0};
    gen_stream stream = gen_seed(62, k);
    if (k % 4 == 2) {
        const gen_many many = gen_bodies(k / 4, 2 + (int)(k / 4 % (MOST_CONTACTS - 1)));
        s.nc = many.nc;
        memcpy(s.W, many.W, sizeof s.W);
        memcpy(s.q, many.q, sizeof s.q);
        memcpy(s.mu, many.mu, sizeof s.mu);
        for (int i = 0; i < s.nc; i++)
            s.e[i] = gen_uniform(&stream, 0, 1);
    } else {
        const gen_many many = gen_loose(4, k / 4, MOST_CONTACTS, 1.5, 1, s.e);
        s.nc = many.nc;
        memcpy(s.W, many.W, sizeof s.W);
        memcpy(s.q, many.q, sizeof s.q);
        memcpy(s.mu, many.mu, sizeof s.mu);
    }
    return s;
}

static bool accepted(const subject *t, const double *p, const imp_path *path) {
    imp_certificate c;
    return imp_certify(&t->problem, t->model->law, NULL, p, path, &c) == IMP_OK && !c.unjudged &&
           c.worst <= TOLERANCE;
}

/* Is the velocity that d (3nc, N s) causes a share DIFFERS of what p causes? What redundant
 * contacts pass on from one to another moves nothing. */
static bool moves(const subject *t, const double *d) {
    double u[ROWS], whole[ROWS], least = 0, most = 0;
    imp_operator_apply(&t->W, d, NULL, u);
    imp_operator_apply(&t->W, t->p, NULL, whole);
    for (int k = 0; k < 3 * t->s.nc; k++) {
        least = fmax(least, fabs(u[k]));
        most = fmax(most, fabs(whole[k]));
    }
    return least > DIFFERS * most;
}

/* p, which is wrong where it moves other than the answer, with a path and without. */
static void plant(tally *count, const subject *t, const double *p, const imp_path *path) {
    double d[ROWS] = {0};
    for (int k = 0; k < 3 * t->s.nc; k++)
        d[k] = p[k] - t->p[k];
    if (!moves(t, d)) return;
    count->planted++;
    count->accepted +=
        accepted(t, p, NULL) || accepted(t, p, &t->path) || (path && accepted(t, p, path));
}

static void copy(const imp_path *from, imp_path *to) {
    const size_t n = 3 * (size_t)from->nc;
    imp_path_clear(to);
    for (int k = 0; k < from->steps; k++) {
        const size_t at = (size_t)k;
        imp_path_add(to, from->nc, from->round[k], from->share[k], from->impulse + at * n,
                     from->phase + at * (size_t)from->nc, from->motion + at * (size_t)from->nc);
    }
}

/* The answer of another model, or of the same to other restitution, with its own path. */
static void plant_answer(tally *count, const subject *t, const imp_model *model, bool plastic) {
    situation other = t->s;
    imp_operator W;
    double p[ROWS] = {0};
    imp_path path = {0};
    if (plastic) memset(other.e, 0, sizeof other.e);
    const imp_problem problem = situation_problem(&other, &W);
    if (imp_solve_certified(model, &problem, NULL, p, &path, NULL, NULL) == IMP_OK)
        plant(count, t, p, &path);
    imp_path_clear(&path);
}

/* Everything times a factor, path and all. */
static void plant_scaled(tally *count, const subject *t, double factor, bool normal) {
    double p[ROWS] = {0};
    imp_path path = {0};
    copy(&t->path, &path);
    for (int k = 0; k < 3 * t->s.nc; k++)
        p[k] = !normal || k % 3 == 0 ? factor * t->p[k] : t->p[k];
    for (int k = 0; k < 3 * t->s.nc * path.steps; k++)
        if (!normal || k % 3 == 0) path.impulse[k] *= factor;
    plant(count, t, p, &path);
    imp_path_clear(&path);
}

static void plant_across(tally *count, const subject *t) {
    double p[ROWS] = {0};
    memcpy(p, t->p, sizeof p);
    for (int i = 0; i < t->s.nc; i++) {
        p[3 * i + 1] -= 0.01 * t->p[3 * i + 2];
        p[3 * i + 2] += 0.01 * t->p[3 * i + 1];
    }
    plant(count, t, p, NULL);
}

enum { TIMES, ACROSS, PLASTIC, ZERO, THOUSAND, OTHER, WRONGS };
static const char *const wrong_name[WRONGS] = {
    "times 1.01",        "1 % of friction across", "the plastic answer",
    "no impulse at all", "1000 times the normal",  "another model's"};

static void test_wrongs(const subject *t, tally wrong[WRONGS]) {
    const double none[ROWS] = {0};
    plant_scaled(&wrong[TIMES], t, 1.01, false);
    plant_across(&wrong[ACROSS], t);
    plant_answer(&wrong[PLASTIC], t, t->model, true);
    plant(&wrong[ZERO], t, none, NULL);
    plant_scaled(&wrong[THOUSAND], t, 1000, true);
    for (int m = 0; m < 4; m++)
        if (models[m] != t->model) plant_answer(&wrong[OTHER], t, models[m], false);
}

/* Ways to forge a path; each returns whether there was something to forge. */
enum { MOVED, SWAPPED, SHARE, DROPPED, RENUMBERED, MOTION, HALVED, LONGER, FORGERIES };
static const char *const forgery_name[FORGERIES] = {"a step's impulse moved to another",
                                                    "a phase swapped",
                                                    "a share changed",
                                                    "a step dropped",
                                                    "rounds renumbered",
                                                    "a motion changed",
                                                    "a step cut in two",
                                                    "a step made longer"};

static double size_of(const imp_path *path, int step) {
    double most = 0;
    for (int k = 0; k < 3 * path->nc; k++)
        most = fmax(most, fabs(path->impulse[3 * path->nc * step + k]));
    return most;
}

/* Step k cut in halves of the same impulse, the second's share being that of what is left. */
static void halve(imp_path *path, const imp_path *from, int k) {
    const int n = 3 * from->nc;
    imp_path_clear(path);
    for (int step = 0; step < from->steps; step++)
        for (int half = 0; half < (step == k ? 2 : 1); half++) {
            const double share = from->share[step] / 2;
            double pi[ROWS];
            for (int i = 0; i < n; i++)
                pi[i] = (step == k ? 0.5 : 1) * from->impulse[n * step + i];
            imp_path_add(path, from->nc, from->round[step],
                         step != k ? from->share[step]
                         : half    ? share / (1 - share)
                                   : share,
                         pi, from->phase + from->nc * step, from->motion + from->nc * step);
        }
}

/* p <- the forged path's sum. False: nothing to forge in this one. */
static bool forge(int kind, const imp_path *from, imp_path *path, double *p) {
    const int nc = from->nc, n = 3 * nc;
    int k = 0, second = -1, pusher = 0;
    copy(from, path);
    for (int step = 1; step < path->steps; step++)
        if (size_of(path, step) > size_of(path, k)) k = step;
    for (int step = 0; step < path->steps; step++)
        if (step != k && (second < 0 || size_of(path, step) > size_of(path, second))) second = step;
    for (int i = 1; i < nc; i++)
        if (path->impulse[n * k + 3 * i] > path->impulse[n * k + 3 * pusher]) pusher = i;
    char *phase = path->phase + nc * k + pusher, *motion = path->motion + nc * k + pusher;
    double *pi = path->impulse + n * k + 3 * pusher;
    if (pi[0] == 0) return false;
    if (kind == MOVED) {
        if (second < 0) return false;
        for (int r = 0; r < 3; r++) {
            path->impulse[n * second + 3 * pusher + r] += 0.01 * pi[r];
            pi[r] *= 0.99;
        }
    } else if (kind == SWAPPED)
        *phase = *phase == 'C' ? 'X' : 'C';
    else if (kind == SHARE)
        path->share[k] *= 0.9;
    else if (kind == DROPPED) {
        const int after = path->steps - k - 1;
        if (path->steps == 1) return false;
        memmove(path->round + k, path->round + k + 1, (size_t)after * sizeof *path->round);
        memmove(path->share + k, path->share + k + 1, (size_t)after * sizeof *path->share);
        memmove(path->impulse + n * k, path->impulse + n * (k + 1),
                (size_t)after * n * sizeof *path->impulse);
        memmove(path->phase + nc * k, path->phase + nc * (k + 1), (size_t)after * nc);
        memmove(path->motion + nc * k, path->motion + nc * (k + 1), (size_t)after * nc);
        path->steps--;
    } else if (kind == RENUMBERED)
        for (int step = k; step < path->steps; step++)
            path->round[step]++;
    else if (kind == MOTION) {
        if (*motion == '-') return false;
        *motion = *motion == 's' ? 'r' : 's';
    } else if (kind == HALVED)
        halve(path, from, k);
    else {
        const double longer = fmin(1.01, 1 / path->share[k]);
        if (longer < 1.001) return false;
        path->share[k] *= longer;
        for (int i = 0; i < n; i++)
            path->impulse[n * k + i] *= longer;
    }
    memset(p, 0, (size_t)n * sizeof *p);
    for (int i = 0; i < n * path->steps; i++)
        p[i % n] += path->impulse[i];
    return true;
}

static void test_forgeries(const subject *t, tally forged[FORGERIES]) {
    for (int kind = 0; kind < FORGERIES; kind++) {
        imp_path path = {0};
        double p[ROWS] = {0};
        if (t->path.steps > 0 && forge(kind, &t->path, &path, p)) {
            forged[kind].planted++;
            forged[kind].accepted +=
                accepted(t, p, &path) || (kind != MOVED && accepted(t, t->p, &path));
        }
        imp_path_clear(&path);
    }
}

/* newton has one step, newton and poisson no step that could be longer. */
static bool possible(const imp_model *model, const char *name) {
    const bool one = model == &imp_model_newton, full = one || model == &imp_model_poisson;
    return !(one && (name == forgery_name[MOVED] || name == forgery_name[DROPPED])) &&
           !(full && name == forgery_name[LONGER]);
}

static void report(const imp_model *model, const char *const *name, int count,
                   const tally *tallies) {
    for (int k = 0; k < count; k++)
        ok((tallies[k].planted > PROBLEMS / 2) == possible(model, name[k]) &&
               tallies[k].accepted == 0,
           "%s, %s: %d of %d accepted", model->name, name[k], tallies[k].accepted,
           tallies[k].planted);
}

/* The model's own answers with their path and without; then all that is wrong. */
static void test_model(const imp_model *model) {
    static subject t;
    tally wrong[WRONGS] = {{0}}, forged[FORGERIES] = {{0}};
    int solved = 0, uncertified = 0, with = 0, without = 0;
    for (uint64_t k = 0; k < (uint64_t)PROBLEMS; k++) {
        t = (subject){.model = model, .s = draw(model, k)};
        t.problem = situation_problem(&t.s, &t.W);
        const imp_status status =
            imp_solve_certified(model, &t.problem, NULL, t.p, &t.path, NULL, NULL);
        uncertified += status == IMP_NOT_CERTIFIED;
        if (status == IMP_OK) {
            solved++;
            with += accepted(&t, t.p, &t.path);
            without += accepted(&t, t.p, NULL);
            test_wrongs(&t, wrong);
            test_forgeries(&t, forged);
        }
        imp_path_clear(&t.path);
    }
    ok(solved > (model == &imp_model_newton ? 0.9 : 0.97) * PROBLEMS &&
           uncertified <= PROBLEMS / 200,
       "%s: %d of %d solved, %d not certified", model->name, solved, PROBLEMS, uncertified);
    ok(with == solved && without == solved, "each accepted with its path (%d) and without (%d)",
       with, without);
    report(model, wrong_name, WRONGS, wrong);
    report(model, forgery_name, FORGERIES, forged);
}

/* Settings under which the shortest interval, not the turning slip, ends most steps. */
static void test_settings(void) {
    static subject t;
    imp_plus_settings own = imp_plus_settings_default();
    imp_settings settings;
    own.theta_max = 0.02;
    own.alpha_min = 0.2;
    int solved = 0, uncertified = 0, steps = 0;
    imp_model_presets(&imp_model_plus, &settings);
    memcpy(&settings, &own, sizeof own);
    for (uint64_t k = 0; k < (uint64_t)PROBLEMS; k++) {
        t = (subject){.model = &imp_model_plus, .s = draw(&imp_model_plus, k)};
        t.problem = situation_problem(&t.s, &t.W);
        const imp_status status =
            imp_solve_certified(t.model, &t.problem, &settings, t.p, &t.path, NULL, NULL);
        solved += status == IMP_OK;
        uncertified += status == IMP_NOT_CERTIFIED;
        steps += t.path.steps;
        imp_path_clear(&t.path);
    }
    ok(solved > 0.97 * PROBLEMS && uncertified == 0,
       "long steps: %d solved in %d, %d not certified", solved, steps, uncertified);
}

/* What p alone shows needs no path: a push of 1000 N s on a resting brick. */
static void test_gift(void) {
    const double W[9] = {3.9, 0.56, -0.05, 0.56, 3.36, 0.45, -0.05, 0.45, 0.58}, mu = 0.225,
                 q[3] = {-5.74, -5, 0};
    const imp_operator op = imp_operator_dense(1, W);
    const double p[3] = {1000, 0, 0};
    for (int m = 0; m < 4; m++)
        for (int k = 0; k < 2; k++) {
            const double e = 0.387 * k;
            const imp_problem problem = {.nc = 1, .W = &op, .q = q, .mu = &mu, .e = &e};
            imp_certificate c = {0};
            const imp_status status = imp_certify(&problem, models[m]->law, NULL, p, NULL, &c);
            ok(status == IMP_OK && c.worst > 0.1, "%s, e = %g: a gain of %.0f kJ is refused (%.2f)",
               models[m]->name, e, 1e-3 * c.energy, c.worst);
        }
}

/* Where friction moves nothing but the slip, only its own rule can tell: 1 % of it turned, or a
 * tenth of it gone. */
static void test_friction(void) {
    const double W[9] = {1, 0, 0, 0, 3, 0, 0, 0, 3}, e = 0;
    const struct {
        char motion;
        double mu, q[3], across, along;
    } cases[] = {{'s', 0.1, {-1, 3, 1}, 0.01, 1},
                 {'i', 0.01, {-1, 0.05, 0}, 0.01, 1},
                 {'r', 0.3, {-1, 0.05, 0}, 0, 0.9}};
    const imp_operator op = imp_operator_dense(1, W);
    for (int k = 0; k < 3; k++) {
        const imp_problem problem = {
            .nc = 1, .W = &op, .q = cases[k].q, .mu = &cases[k].mu, .e = &e};
        double p[3];
        imp_path path = {0};
        imp_certificate c;
        const imp_status status =
            imp_solve_certified(&imp_model_plus, &problem, NULL, p, &path, &c, NULL);
        ok(status == IMP_OK && path.steps == 1 && path.motion[0] == cases[k].motion,
           "one step of motion %c", cases[k].motion);
        const double t = p[1], o = p[2], c1 = cases[k].along * cos(cases[k].across),
                     s1 = sin(cases[k].across);
        path.impulse[1] = p[1] = c1 * t - s1 * o;
        path.impulse[2] = p[2] = s1 * t + c1 * o;
        const imp_status judged = imp_certify(&problem, &imp_law_plus, NULL, p, &path, &c);
        ok(judged == IMP_OK && c.worst > 1e-4, "its friction changed: refused (%.1e)", c.worst);
        imp_path_clear(&path);
    }
}

/* Two contacts of one body that approach together, taken up one after the other: every step is one
 * that PLUS might make, but it releases nothing here. */
static void test_release(void) {
    double W[36] = {0};
    for (int k = 0; k < 6; k++)
        W[7 * k] = 2;
    W[3] = W[18] = 1;
    const double q[6] = {-1, 0, 0, -1, 0, 0}, mu[2] = {0, 0}, e[2] = {0, 0};
    const imp_operator op = imp_operator_dense(2, W);
    const imp_problem problem = {.nc = 2, .W = &op, .q = q, .mu = mu, .e = e};
    const double first[6] = {0.5}, second[6] = {[3] = 0.25}, p[6] = {[0] = 0.5, [3] = 0.25};
    for (int m = 0; m < 2; m++) {
        imp_path path = {0};
        imp_path_add(&path, 2, 1, 1, first, "CC", "--");
        imp_path_add(&path, 2, m ? 1 : 2, 1, second, m ? "CC" : "OC", "--");
        imp_certificate c;
        const imp_status judged = imp_certify(&problem, models[m]->law, NULL, p, &path, &c);
        ok(judged == IMP_OK && c.worst < 1e-12 && c.unjudged,
           "%s, a contact let go without need: not judged", models[m]->name);
        imp_path_clear(&path);
    }
}

/* Paths that no reader should trust. */
static void test_damage(void) {
    const double W[9] = {3.9, 0.56, -0.05, 0.56, 3.36, 0.45, -0.05, 0.45, 0.58}, mu = 0.225,
                 q[3] = {-5.74, -5, 0};
    const double e = 0.387;
    const imp_operator op = imp_operator_dense(1, W);
    const imp_problem problem = {.nc = 1, .W = &op, .q = q, .mu = &mu, .e = &e};
    const double bad[] = {0, -1, 1.5, NAN, 1e-320};
    double p[3];
    imp_path path = {0};
    imp_certificate c;
    ok(imp_solve_certified(&imp_model_plus, &problem, NULL, p, &path, &c, NULL) == IMP_OK &&
           path.steps > 2,
       "a path");
    const double share = path.share[1], push = path.impulse[3];
    for (int k = 0; k < 5; k++) {
        path.share[1] = bad[k];
        ok(imp_certify(&problem, &imp_law_plus, NULL, p, &path, &c) != IMP_OK || c.worst > 1e-3,
           "share %g: refused", bad[k]);
    }
    path.share[1] = share;
    path.impulse[3] = INFINITY;
    ok(imp_certify(&problem, &imp_law_plus, NULL, p, &path, &c) == IMP_NOT_FINITE,
       "an infinite push: refused");
    path.impulse[3] = push;
    ok(imp_certify(&problem, &imp_law_plus, NULL, p, &path, &c) == IMP_OK && c.worst < 1e-12,
       "as it was: accepted");
    imp_path_clear(&path);
}

/* A light contact beside an unrelated one whose impulse is 1e12 times larger, along poisson's path
 * by hand: friction of the light one at mu p_n, and as if it rolled there, at 1.0 p_n. */
static void test_beside(void) {
    double W[36] = {0};
    for (int k = 0; k < 6; k++)
        W[7 * k] = k < 3 ? 1e-3 : 1e6;
    W[22] = W[27] = 5e5;
    const double q[6] = {-10, 3, 0, -0.01, 0.01, 0}, mu[2] = {0.8, 0.8}, e[2] = {1, 1};
    const imp_operator op = imp_operator_dense(2, W);
    const imp_problem problem = {.nc = 2, .W = &op, .q = q, .mu = mu, .e = e};
    const double step[2][2][6] = {
        {{1e4, -3e3, 0, 0.01 / 6e5, -0.008 / 6e5, 0}, {1e4, 0, 0, 0.01 / 6e5, -0.008 / 6e5, 0}},
        {{1e4, -3e3, 0, 2e-8, -2e-8, 0}, {1e4, 0, 0, 2e-8, -1e-8, 0}}};
    double worst[2];
    for (int wrong = 0; wrong < 2; wrong++) {
        imp_path path = {0};
        imp_certificate c = {.worst = NAN};
        double p[6];
        for (int k = 0; k < 6; k++)
            p[k] = step[wrong][0][k] + step[wrong][1][k];
        const char *motion = wrong ? "rr" : "ri";
        if (imp_path_add(&path, 2, 1, 1, step[wrong][0], "CC", motion) == IMP_OK &&
            imp_path_add(&path, 2, 2, 1, step[wrong][1], "XX", motion) == IMP_OK)
            (void)imp_certify_along(&problem, &imp_law_poisson, NULL, p, &path, &c);
        worst[wrong] = c.worst;
        imp_path_clear(&path);
    }
    ok(worst[0] <= 1e-15, "a light contact beside a heavy one: its own law (%.1e)", worst[0]);
    ok(worst[1] > 0.1, "and not another that the heavy one would hide (%.1e)", worst[1]);
}

/* Tangents a million times as light as the normal: friction of 5e-10 of the push slows the slip by
 * 5e-4 of the approach. Left out of p and path it is missed all the same. */
static void test_light_tangents(void) {
    static const double W[9] = {1, 0, 0, 0, 1e6, 0, 0, 0, 1e6}, q[3] = {-1, 1, 0}, mu = 5e-10;
    const imp_operator op = imp_operator_dense(1, W);
    const imp_problem problem = {.nc = 1, .W = &op, .q = q, .mu = &mu};
    for (int m = 0; m < 4; m++) {
        double p[3];
        imp_path path = {0};
        imp_certificate c;
        const bool solved =
            imp_solve_certified(models[m], &problem, NULL, p, &path, &c, NULL) == IMP_OK &&
            path.steps == 1 && c.worst < 1e-12;
        p[1] = path.impulse[1] = 0;
        const imp_status judged = imp_certify(&problem, models[m]->law, NULL, p, &path, &c);
        ok(solved && judged == IMP_OK && c.worst > 1e-5,
           "%s: no friction, which is 5e-10 of the push, is missed (%.1e)", models[m]->name,
           c.worst);
        imp_path_clear(&path);
    }
}

/* A ball hits a truck 1e7 times its mass that hits a wall: what the ball is owed is next to none of
 * the truck's push, and all of the ball's restitution. A tenth of it is left out, and all. */
static void test_truck(void) {
    double W[36] = {0};
    for (int k = 0; k < 6; k++)
        W[7 * k] = k < 3 ? 1e-7 : 1 + 1e-7;
    for (int k = 0; k < 3; k++)
        W[6 * k + k + 3] = W[6 * (k + 3) + k] = -1e-7;
    const double q[6] = {-1, 0, 0, -1, 0, 0}, mu[2] = {0, 0}, e[2][2] = {{0.5, 0.01}, {0, 1e-3}};
    const imp_operator op = imp_operator_dense(2, W);
    for (int m = 0; m < 4; m++)
        for (int all = 0; all < 2; all++) {
            if (models[m] == &imp_model_newton) continue; /* owes nothing */
            const imp_problem problem = {.nc = 2, .W = &op, .q = q, .mu = mu, .e = e[all]};
            double p[6];
            imp_path path = {0};
            imp_certificate c;
            const bool solved =
                imp_solve_certified(models[m], &problem, NULL, p, &path, &c, NULL) == IMP_OK &&
                path.steps > 1 && path.round[1] == 2 && path.phase[3] == 'X' && c.worst < 1e-12;
            if (all)
                memcpy(p, path.impulse, sizeof p);
            else {
                p[3] -= 0.1 * path.impulse[9];
                path.impulse[9] *= 0.9;
            }
            if (all) path.steps = 1;
            const imp_status judged = imp_certify(&problem, models[m]->law, NULL, p, &path, &c);
            ok(solved && judged == IMP_OK && c.worst > 1e-4,
               "%s: what a light ball is owed is missed, %s (%.1e)", models[m]->name,
               all ? "all of it" : "a tenth", c.worst);
            imp_path_clear(&path);
        }
}

/* A ball hits a truck 1e12 times its mass that creeps against a wall at 1e-10 of the ball's speed,
 * and pushes a hundred times as much there: half of that, and twice that. */
static void test_slow(void) {
    double W[36] = {0};
    for (int k = 0; k < 6; k++)
        W[7 * k] = k < 3 ? 1e-12 : 1 + 1e-12;
    for (int k = 0; k < 3; k++)
        W[6 * k + k + 3] = W[6 * (k + 3) + k] = -1e-12;
    const double q[6] = {-1e-10, 0, 0, -1, 0, 0}, mu[2] = {0, 0};
    const imp_operator op = imp_operator_dense(2, W);
    const imp_problem problem = {.nc = 2, .W = &op, .q = q, .mu = mu};
    for (int m = 0; m < 4; m++)
        for (int twice = 0; twice < 2; twice++) {
            double p[6];
            imp_path path = {0};
            imp_certificate c;
            const bool solved =
                imp_solve_certified(models[m], &problem, NULL, p, &path, &c, NULL) == IMP_OK &&
                path.steps == 1 && p[0] > 100 && c.worst < 1e-12;
            p[0] = path.impulse[0] = twice ? 2 * p[0] : 0.5 * p[0];
            const imp_status judged = imp_certify(&problem, models[m]->law, NULL, p, &path, &c);
            ok(solved && judged == IMP_OK && c.worst > 1e-5,
               "%s: a slow truck's push times %g is missed (%.1e)", models[m]->name,
               twice ? 2 : 0.5, c.worst);
            imp_path_clear(&path);
        }
}

/* A row of five balls, of which the second's approach of 0.1 m/s comes back to the first as one of
 * v_capture, 0.01 m/s, but for rounding. */
static void test_capture(void) {
    double W[12 * 12] = {0}, q[12] = {-0.01, 0, 0, -0.1}, p[12];
    static const double mu[4] = {0}, e[4] = {1, 1, 1, 1};
    int held = 0;
    for (int k = 0; k < 300; k++) {
        const double mass = 1 + k / 100.0;
        for (int i = 0; i < 12; i++) {
            W[13 * i] = 2 / mass;
            if (i % 3 == 0 && i > 0) W[12 * i + i - 3] = W[12 * (i - 3) + i] = -1 / mass;
        }
        const imp_operator op = imp_operator_dense(4, W);
        const imp_problem problem = {.nc = 4, .W = &op, .q = q, .mu = mu, .e = e};
        imp_certificate c;
        held += imp_solve_certified(&imp_model_plus, &problem, NULL, p, NULL, &c, NULL) == IMP_OK;
    }
    ok(held == 300, "approaches at v_capture: %d of 300 are held to", held);
}

int main(void) {
    test_capture();
    for (int m = 0; m < 4; m++)
        test_model(models[m]);
    test_settings();
    test_gift();
    test_friction();
    test_release();
    test_damage();
    test_beside();
    test_light_tangents();
    test_truck();
    test_slow();
    return tap_done();
}
