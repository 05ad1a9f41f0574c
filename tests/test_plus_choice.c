/* Steps that the equations of PLUS allow where its Algorithm 1 finds others: their paths do not
 * pass for answers. */
#include "plus_subject.h"

#include <math.h>

static const imp_model *const models[] = {&imp_model_plus, &imp_model_single_phase,
                                          &imp_model_newton, &imp_model_poisson};
static const double DIFFERS = 1e-3; /* of two answers, relative: they are not the same */

typedef struct tally {
    int own, other, accepted; /* the model's own answer, held to; another; another, held to */
} tally;

/* One step with all contacts compressing from p, which holds along it: is it an answer? */
static void judge(tally *count, const subject *s, const imp_model *model, const double *p,
                  const char *motion) {
    double own[ROWS];
    imp_certificate c;
    imp_path path = {0};
    if (imp_solve(model, &s->problem, NULL, own, NULL) != IMP_OK) return;
    imp_path_add(&path, s->nc, 1, 1, p, "CC", motion);
    const bool held =
        imp_certify(&s->problem, model->law, NULL, p, &path, &c) == IMP_OK && c.worst <= 1e-9;
    const double apart = distance(p, own, 3 * s->nc);
    if (held && !c.unjudged && apart < 1e-9) count->own++;
    if (apart > DIFFERS) count->other++;
    if (apart > DIFFERS && held && !c.unjudged) count->accepted++;
    imp_path_clear(&path);
}

/* A contact that slips from the end of the step on, or in another direction, where it can roll. */
static void test_slips(const imp_model *model) {
    tally count = {0};
    for (uint64_t k = 0; k < 2000; k++) {
        subject s;
        imp_coulomb_set set;
        make_single(&s, GEN_SEVERAL, k);
        const double W[6] = {s.W[0], s.W[1], s.W[2], s.W[4], s.W[5], s.W[8]},
                     fastest = largest(s.q, 3);
        s.e[0] = 0;
        for (int i = 0; i < 3; i++)
            s.q[i] *= 0.05 / fastest; /* m/s: slower than v_transition */
        if (imp_coulomb_enumerate(W, s.q, s.mu[0], &set) != IMP_OK || set.count < 2 || s.q[0] >= 0)
            continue;
        for (int i = 0; i < set.count; i++)
            judge(&count, &s, model, set.solution[i].p,
                  set.solution[i].kind == IMP_STICK ? "r" : "i");
    }
    ok(count.own > 10 && count.other > 20 && count.accepted == 0,
       "%s: %d paths of its own, %d of another slip, %d accepted", model->name, count.own,
       count.other, count.accepted);
}

/* The share of ray j (1, -mu slip) that reaches contact i along its normal, and the rays. */
static void sliding_rays(const subject *s, double ray[2][6], double B[2][2]) {
    memset(ray, 0, 2 * sizeof *ray);
    for (int i = 0; i < 2; i++) {
        const double *q = s->q + 3 * i, slip = hypot(q[1], q[2]);
        ray[i][3 * i] = 1;
        for (int k = 1; k < 3; k++)
            ray[i][3 * i + k] = -s->mu[i] * q[k] / slip;
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            B[i][j] = 0;
            for (int k = 0; k < 6; k++)
                B[i][j] += s->W[18 * i + k] * ray[j][k];
        }
}

/* Two contacts that slide fast, with so much friction that both can push, or one of them alone. */
static void test_pushes(const imp_model *model) {
    static const char *const motion[4] = {"", "s-", "-s", "ss"};
    static const char *const hidden[4] = {"", "ss", "ss", "ss"};
    tally count = {0};
    for (uint64_t k = 0; k < (uint64_t)tap_many(500, 2000); k++) {
        subject s;
        double ray[2][6], B[2][2];
        gen_stream stream = gen_seed(81, k);
        make_bodies(&s, k, 2);
        for (int i = 0; i < 2; i++) {
            s.mu[i] = gen_uniform(&stream, 0, 4);
            s.e[i] = 0;
            s.q[3 * i] = -gen_uniform(&stream, 0, 0.01);
            s.q[3 * i + 1] = gen_uniform(&stream, -10, 10);
            s.q[3 * i + 2] = gen_uniform(&stream, -10, 10);
        }
        sliding_rays(&s, ray, B);
        const double det = B[0][0] * B[1][1] - B[0][1] * B[1][0], both = det != 0 ? 1 / det : 0;
        for (int who = 1; who < 4; who++) {
            const double push[2] = {who == 3   ? both * (B[0][1] * s.q[3] - B[1][1] * s.q[0])
                                    : who == 1 ? -s.q[0] / B[0][0]
                                               : 0,
                                    who == 3   ? both * (B[1][0] * s.q[0] - B[0][0] * s.q[3])
                                    : who == 2 ? -s.q[3] / B[1][1]
                                               : 0};
            double p[6];
            if (!(push[0] >= 0 && push[1] >= 0)) continue;
            for (int i = 0; i < 6; i++)
                p[i] = push[0] * ray[0][i] + push[1] * ray[1][i];
            judge(&count, &s, model, p, motion[who]);
            judge(&count, &s, model, p, hidden[who]);
        }
    }
    ok(count.own > 100 && count.other > 20 && count.accepted == 0,
       "%s: %d paths of its own, %d of other pushes, %d accepted", model->name, count.own,
       count.other, count.accepted);
}

/* Friction along a slip beside which its impulse is nothing: no distance tells, but energy does. */
static void test_reversed(const imp_model *model) {
    const double W[9] = {1, 0, 0, 0, 3, 0, 0, 0, 3}, q[3] = {-1e-10, 1, 0}, mu = 0.5, e = 0;
    const imp_operator op = imp_operator_dense(1, W);
    const imp_problem problem = {.nc = 1, .W = &op, .q = q, .mu = &mu, .e = &e};
    double p[3];
    imp_certificate c;
    ok(imp_solve(model, &problem, NULL, p, NULL) == IMP_OK && p[1] < 0,
       "%s: friction against the slip", model->name);
    p[1] = -p[1];
    const imp_status judged = imp_certify(&problem, model->law, NULL, p, NULL, &c);
    ok(judged == IMP_OK && c.worst > 0.01, "reversed: refused (%.1e)", c.worst);
}

/* Impending slip without friction, which has no direction to be wrong. */
static void test_smooth(const imp_model *model) {
    const double W[9] = {1, 0, 0, 0, 3.5, 0, 0, 0, 3.5}, q[3] = {-1, 0.05, 0}, mu = 0.3;
    static const double p[3] = {1, 0, 0};
    const imp_operator op = imp_operator_dense(1, W);
    const imp_problem problem = {.nc = 1, .W = &op, .q = q, .mu = &mu};
    imp_certificate c;
    imp_path path = {0};
    imp_path_add(&path, 1, 1, 1, p, "C", "i");
    const imp_status judged = imp_certify(&problem, model->law, NULL, p, &path, &c);
    ok(judged == IMP_OK && c.worst > 0.1, "%s: slip without friction: refused (%.1e)", model->name,
       c.worst);
    imp_path_clear(&path);
}

/* A contact that parts at the start of a step and is left alone while the other drives it together:
 * single-phase takes 0.11 N s there, and the path of this answer 0.037 in a later step. */
static void test_driven(void) {
    static const double W[36] = {1,     0,     0,     -0.31, 0.25,  0.08,  /* n t o of the first */
                                 0,     2.73,  0,     -0.67, -0.16, -0.21, /**/
                                 0,     0,     2,     -0.45, 0.29,  -0.45, /**/
                                 -0.31, -0.67, -0.45, 1,     0,     0,     /* of the second */
                                 0.25,  -0.16, 0.29,  0,     3.6,   0,     /**/
                                 0.08,  -0.21, -0.45, 0,     0,     1.69},
                        q[6] = {-0.64, -0.32, -0.14, 0.28, -1.64, 0.99}, mu[2] = {0.8, 0.8};
    static const double steps[2][6] = {
        {0.16536706161448475, 0.12120179715946595, 0.053025786257266366, 0, 0, 0},
        {0.48101150953994604, 0.005504833380045839, 0.018215695476036693, 0.0373294662993328,
         0.02566195459624578, -0.015274065633738624}};
    const imp_operator op = imp_operator_dense(2, W);
    const imp_problem problem = {.nc = 2, .W = &op, .q = q, .mu = mu};
    imp_plus_settings set = imp_plus_settings_default();
    imp_settings settings;
    imp_certificate c;
    imp_path path = {0};
    double p[6], own[6];
    set.theta_max = 0.5;
    memcpy(&settings, &set, sizeof set);
    imp_path_add(&path, 2, 1, 0.2583860337726324, steps[0], "CC", "s-");
    imp_path_add(&path, 2, 1, 1, steps[1], "CC", "rs");
    for (int k = 0; k < 6; k++)
        p[k] = steps[0][k] + steps[1][k];
    const bool other =
        imp_certify(&problem, imp_model_single_phase.law, &settings, p, &path, &c) == IMP_OK;
    ok(other && c.worst < 1e-12 && c.unjudged,
       "a contact that is driven together, and left alone: %.1e, not judged", c.worst);
    imp_path_clear(&path);
    const bool solved = imp_solve_certified(&imp_model_single_phase, &problem, &settings, own,
                                            &path, &c, NULL) == IMP_OK;
    ok(solved && !c.unjudged && own[3] > 0.11, "where it pushes with %.3f N s: judged", own[3]);
    imp_path_clear(&path);
}

/* The first contact pushes, and its slip turns by less than theta_max, 0.5; it turns that of the
 * second, which slides beside it, by more. */
static const double beside[36] = {1,   0.7,  0, 0, 0,    0.7, /* n t o of the first */
                                  0.7, 3,    0, 0, -0.2, 0,   /**/
                                  0,   0,    3, 0, 0,    0,   /**/
                                  0,   0,    0, 1, 0,    0,   /* of the second */
                                  0,   -0.2, 0, 0, 3,    0,   /**/
                                  0.7, 0,    0, 0, 0,    3};

/* A step ends by a slip that turns where friction works along it, whatever a path calls the others:
 * the second contact separates, pushes without friction, or neither pushes nor approaches. What
 * pushes by rounding alone is the path's word. */
static void test_turned(const imp_model *model) {
    static const double start[4] = {2, -1, 0, 2}, rub[4] = {0.5, 0, 0.5, 0.5};
    static const double whole[2] = {0.7720926580319124, 0.2279073419680876}; /* of a push */
    static const double steps[2][3] = {
        {1.129299352842538, -0.5102952783008935, 0.2417188160372654},
        {0.34852918842420827, -0.172316923508744, 0.025981275341887697}};
    const bool all = model == &imp_model_single_phase;
    const imp_operator op = imp_operator_dense(2, beside);
    imp_plus_settings set = imp_plus_settings_default();
    imp_settings settings;
    set.theta_max = 0.5;
    memcpy(&settings, &set, sizeof set);
    for (int k = 0; k < 4; k++) {
        const bool dust = k == 3;
        const double q[6] = {-1, 1.9, -0.9, start[k], -1.6, -0.4}, mu[2] = {0.5, rub[k]};
        const imp_problem problem = {.nc = 2, .W = &op, .q = q, .mu = mu};
        imp_certificate held, cut;
        imp_path path = {0};
        double own[6], p[6] = {0};
        const bool solved =
            imp_solve_certified(model, &problem, &settings, own, &path, &held, NULL) == IMP_OK;
        const int taken = path.steps;
        imp_path_clear(&path);
        for (int j = 0; j < 2; j++) {
            double step[6] = {steps[j][0], steps[j][1], steps[j][2]};
            if (start[k] < 0 || dust) step[3] = dust ? 1e-18 : whole[j];
            for (int i = 0; i < 6; i++)
                p[i] += step[i];
            imp_path_add(&path, 2, 1, j == 0 ? whole[0] : 1, step,
                         all || start[k] < 0 ? "CC"
                         : dust              ? "CX"
                                             : "CO",
                         "ss");
        }
        const bool judged = imp_certify(&problem, model->law, &settings, p, &path, &cut) == IMP_OK;
        ok(solved && taken == 1 && judged && (dust ? cut.unjudged != NULL : cut.worst > 0.01) &&
               distance(p, own, 6) > 0.01,
           "%s: one step, and two are %s (%.1e)", model->name, dust ? "not judged" : "refused",
           cut.worst);
        imp_path_clear(&path);
    }
}

/* A step that is too long for a fast slip, and for a slow one that allows still less. */
static void test_slow(void) {
    double W[36] = {0}, q[6], p[6];
    static const double mu[2] = {0.5, 0.5}, slow = 1e-10;
    for (int i = 0; i < 2; i++) {
        const double own[9] = {1, 0.7, 0, 0.7, 3, 0, 0, 0, 3};
        for (int k = 0; k < 9; k++)
            W[21 * i + 6 * (k / 3) + k % 3] = own[k];
    }
    W[17] = W[32] = 1e-14; /* one island */
    for (int i = 0; i < 2; i++) {
        const double size = i == 0 ? 1 : slow, along = i == 0 ? 1.9 : 1.7, slip = hypot(along, 0.9),
                     push = 1 / (1 - 0.35 * along / slip);
        const double v[3] = {-1, along, -0.9},
                     ray[3] = {push, -0.5 * push * along / slip, 0.5 * push * 0.9 / slip};
        for (int k = 0; k < 3; k++) {
            q[3 * i + k] = size * v[k];
            p[3 * i + k] = size * ray[k];
        }
    }
    const imp_operator op = imp_operator_dense(2, W);
    const imp_problem problem = {.nc = 2, .W = &op, .q = q, .mu = mu};
    imp_plus_settings set = imp_plus_settings_default();
    imp_settings settings;
    imp_certificate c;
    imp_path path = {0};
    double own[6];
    set.v_transition = 0;
    memcpy(&settings, &set, sizeof set);
    imp_path_add(&path, 2, 1, 1, p, "CC", "ss");
    const bool judged =
        imp_certify(&problem, imp_model_plus.law, &settings, p, &path, &c) == IMP_OK;
    ok(judged && c.worst > 0.01, "one step of a slip that turns beside a slow one: refused (%.1e)",
       c.worst);
    imp_path_clear(&path);
    const bool solved =
        imp_solve_certified(&imp_model_plus, &problem, &settings, own, &path, &c, NULL) == IMP_OK;
    ok(solved && path.steps > 5 && distance(p, own, 6) > 0.01, "%d steps: held to (%.1e)",
       path.steps, c.worst);
    imp_path_clear(&path);
}

/* A contact that parts is pulled back to the surface by its own friction, though nothing
 * approaches. */
static void test_parting(void) {
    const double W[9] = {1, 2, 0, 2, 5, 0, 0, 0, 1}, q[3] = {0.1, 1, 0}, mu = 1;
    static const double p[3] = {0.1, -0.1, 0};
    const imp_operator op = imp_operator_dense(1, W);
    const imp_problem problem = {.nc = 1, .W = &op, .q = q, .mu = &mu};
    imp_certificate c;
    imp_path path = {0};
    imp_path_add(&path, 1, 1, 1, p, "C", "s");
    const imp_status judged = imp_certify(&problem, imp_model_single_phase.law, NULL, p, &path, &c);
    ok(judged == IMP_OK && c.unjudged, "a contact that parts and pushes: %.1e, not judged",
       c.worst);
    imp_path_clear(&path);
}

/* Friction would drive the contact into the ground in the shortest step: its slip is stopped, which
 * other steps than those to u_n = 0 do. */
static void test_jam(void) {
    static const double W[9] = {5.7, 3.3, 4, 3.3, 4.8, 2.6, 4, 2.6, 3.1}, q[3] = {-5.6, 2.3, 2.8};
    static const double mu = 1, share = 0.09297737107914039;
    static const double steps[2][3] = {
        {1.0120873441301912, -0.6424117372031655, -0.7820664626821144},
        {4.399405675903685, -0.8208039295022427, -4.322158165834198}};
    const imp_operator op = imp_operator_dense(1, W);
    const imp_problem problem = {.nc = 1, .W = &op, .q = q, .mu = &mu};
    imp_plus_settings set = imp_plus_settings_default();
    imp_settings settings;
    imp_certificate c;
    imp_path path = {0};
    double p[3], own[3];
    set.theta_max = set.alpha_min = 0.5;
    memcpy(&settings, &set, sizeof set);
    for (int k = 0; k < 3; k++)
        p[k] = steps[0][k] + steps[1][k];
    for (int j = 0; j < 2; j++)
        imp_path_add(&path, 1, 1, j == 0 ? share : 1, steps[j], "C", "s");
    const bool judged =
        imp_certify(&problem, imp_model_plus.law, &settings, p, &path, &c) == IMP_OK;
    ok(judged && c.unjudged, "steps past a jam: %.1e, not judged", c.worst);
    imp_path_clear(&path);
    const bool solved =
        imp_solve_certified(&imp_model_plus, &problem, &settings, own, &path, &c, NULL) == IMP_OK;
    ok(solved && !c.unjudged && distance(p, own, 3) > 0.1, "its own: judged");
    imp_path_clear(&path);
}

/* A ball hits two at rest: plus stops it first, then what this makes approach, which bounces; a
 * path in which both contacts compress at once has no bounce. */
static void test_rests(void) {
    static const double q[6] = {-1, 0, 0, 0, 0, 0}, mu[2] = {0, 0}, e[2] = {0, 1};
    static const double p[6] = {2 / 3.0, 0, 0, 1 / 3.0, 0, 0};
    double W[36] = {0}, own[6];
    for (int r = 0; r < 6; r++) {
        W[7 * r] = 2;
        W[6 * r + (r + 3) % 6] = -1;
    }
    const imp_operator op = imp_operator_dense(2, W);
    const imp_problem problem = {.nc = 2, .W = &op, .q = q, .mu = mu, .e = e};
    imp_certificate c;
    imp_path path = {0};
    imp_path_add(&path, 2, 1, 1, p, "CC", "--");
    const bool other = imp_certify(&problem, imp_model_plus.law, NULL, p, &path, &c) == IMP_OK;
    ok(other && c.worst < 1e-12 && c.unjudged,
       "a contact at rest that compresses: %.1e, not judged", c.worst);
    imp_path_clear(&path);
    const bool solved =
        imp_solve_certified(&imp_model_plus, &problem, NULL, own, &path, &c, NULL) == IMP_OK;
    ok(solved && !c.unjudged && fabs(own[3] - 0.5) < 1e-12, "where it observes: judged");
    imp_path_clear(&path);
}

int main(void) {
    test_driven();
    test_rests();
    test_parting();
    test_jam();
    for (int m = 0; m < 2; m++)
        test_turned(models[m]);
    test_slow();
    for (int m = 0; m < 4; m++)
        test_reversed(models[m]);
    for (int m = 0; m < 4; m++)
        test_smooth(models[m]);
    for (int m = 0; m < 4; m++)
        test_slips(models[m]);
    for (int m = 0; m < 2; m++)
        test_pushes(models[m]);
    return tap_done();
}
