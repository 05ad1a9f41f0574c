/* test_plus_by_hand.c - the laws of PLUS and its relatives, on answers and paths made by hand:
 * gains, friction, what is let go, damage, and contacts whose pushes, masses and speeds differ by
 * many orders, where the lesser must not go unseen beside the greater. */
#include "impact.h"
#include "tap.h"

#include <string.h>

static const imp_model *const models[] = {&imp_model_plus, &imp_model_single_phase,
                                          &imp_model_newton, &imp_model_poisson};

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

static const double light[9] = {1, 0, 0, 0, 1e6, 0, 0, 0, 1e6}; /* W: tangents a million times */

/* Friction of 5e-10 of the push slows the slip by 5e-4 of the approach. Left out of p and path it
 * is missed all the same, of a slow slip, too, and so it is where it pushes with the slip. */
static void test_light_tangents(void) {
    static const struct {
        double slip, friction;
        const char *what;
    } cases[] = {{1, 0, "no friction"},
                 {5e-3, 0, "no friction, of a slow slip"},
                 {1, -1, "friction with the slip"}};
    const double mu = 5e-10;
    const imp_operator op = imp_operator_dense(1, light);
    for (int m = 0; m < 4; m++)
        for (int k = 0; k < 3; k++) {
            const double q[3] = {-100, 100 * cases[k].slip, 0}; /* not below v_transition */
            const imp_problem problem = {.nc = 1, .W = &op, .q = q, .mu = &mu};
            double p[3];
            imp_path path = {0};
            imp_certificate c;
            const bool solved =
                imp_solve_certified(models[m], &problem, NULL, p, &path, &c, NULL) == IMP_OK &&
                path.steps == 1 && c.worst < 1e-12;
            path.impulse[1] = p[1] *= cases[k].friction;
            const imp_status judged = imp_certify(&problem, models[m]->law, NULL, p, &path, &c);
            ok(solved && judged == IMP_OK && c.worst > 1e-5, "%s: %s is missed (%.1e)",
               models[m]->name, cases[k].what, c.worst);
            imp_path_clear(&path);
        }
}

/* A slip of 8e-4 that friction of 5e-10 of the push cannot stop while it compresses, and 8e-10 of
 * it would: inside the cone of both rounds, beyond that of the first. */
static void test_beyond(void) {
    static const double q[3] = {-1, 8e-4, 0}, mu = 5e-10, e = 1, p[3] = {2, -8e-10, 0},
                        step[2][3] = {{1, -8e-10, 0}, {1, 0, 0}};
    const imp_operator op = imp_operator_dense(1, light);
    const imp_problem problem = {.nc = 1, .W = &op, .q = q, .mu = &mu, .e = &e};
    imp_path path = {0};
    imp_certificate c;
    imp_path_add(&path, 1, 1, 1, step[0], "C", "r");
    imp_path_add(&path, 1, 2, 1, step[1], "X", "r");
    const imp_status judged = imp_certify_along(&problem, &imp_law_poisson, NULL, p, &path, &c);
    ok(judged == IMP_OK && c.worst > 1e-5, "a round's stick beyond its cone is missed (%.1e)",
       c.worst);
    imp_path_clear(&path);
}

/* W of a truck, `mass` times a ball, against a wall, and of the ball against the truck. */
static void hits_truck(double mass, double W[36]) {
    memset(W, 0, 36 * sizeof *W);
    for (int k = 0; k < 3; k++) {
        W[7 * k] = 1 / mass;
        W[7 * (k + 3)] = 1 + 1 / mass;
        W[6 * k + k + 3] = W[6 * (k + 3) + k] = -1 / mass;
    }
}

/* A ball hits a truck 1e7 times its mass that hits a wall: what the ball is owed is next to none of
 * the truck's push, and all of the ball's restitution. A tenth of it is left out, and all. */
static void test_truck(void) {
    double W[36];
    hits_truck(1e7, W);
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

/* The same by poisson, whose round of expansion leaves out the ball, as if nothing were owed. */
static void test_unpaid(void) {
    double W[36], p[6];
    hits_truck(1e7, W);
    const double q[6] = {-1, 0, 0, -1, 0, 0}, mu[2] = {0, 0}, e[2] = {0.5, 1e-3};
    const imp_operator op = imp_operator_dense(2, W);
    const imp_problem problem = {.nc = 2, .W = &op, .q = q, .mu = mu, .e = e};
    imp_path path = {0};
    imp_certificate c;
    const bool solved =
        imp_solve_certified(&imp_model_poisson, &problem, NULL, p, &path, &c, NULL) == IMP_OK &&
        path.steps == 2 && path.phase[3] == 'X' && c.worst < 1e-12;
    p[3] -= path.impulse[9];
    path.impulse[9] = 0;
    path.phase[3] = 'O';
    const imp_status judged = imp_certify(&problem, &imp_law_poisson, NULL, p, &path, &c);
    ok(solved && judged == IMP_OK && c.worst > 1e-4,
       "poisson: a light ball that is owed and observes is seen (%.1e)", c.worst);
    imp_path_clear(&path);
}

/* A ball hits a truck 1e12 times its mass that creeps against a wall at 1e-10 of the ball's speed,
 * and pushes a hundred times as much there: half of that, and twice that. */
static void test_slow(void) {
    double W[36];
    hits_truck(1e12, W);
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
    test_gift();
    test_friction();
    test_release();
    test_damage();
    test_beside();
    test_light_tangents();
    test_beyond();
    test_truck();
    test_unpaid();
    test_slow();
    test_capture();
    return tap_done();
}
