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

int main(void) {
    for (int m = 0; m < 4; m++)
        test_model(models[m]);
    test_settings();
    return tap_done();
}
