/* test_anitescu.c - the pyramid LCP: closed forms, its certificate, many edges against Coulomb,
 * Poisson restitution. */
#include "generators/gen.h"
#include "generators/gen_stack.h"
#include "generators/piles.h"
#include "impact.h"
#include "tap.h"

enum { CORNERS = 4, ROWS = 3 * CORNERS };

typedef struct box_case {
    double W[ROWS * ROWS], q[ROWS], mu[CORNERS], e[CORNERS];
    imp_operator op;
    imp_problem problem;
} box_case;

/* A unit cube on a plane, four corners, tangents turned by `turn`; velocity and spin as given. */
static void make_box(box_case *c, double mu, double e, double turn, const double velocity[3],
                     const double spin[3]) {
    const imp_body box = {1,
                          {6, 0, 0, 0, 6, 0, 0, 0, 6},
                          {0, 0, 0},
                          {1, 0, 0, 0},
                          {velocity[0], velocity[1], velocity[2]},
                          {spin[0], spin[1], spin[2]}};
    imp_contact contacts[CORNERS];
    for (int i = 0; i < CORNERS; i++) {
        contacts[i] =
            (imp_contact){IMP_GROUND, 0, {i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, -0.5}, {0}};
        const double tangent[3] = {cos(turn), sin(turn), 0}, up[3] = {0, 0, 1};
        imp_frame_from_tangent(up, tangent, contacts[i].frame);
        c->mu[i] = mu;
        c->e[i] = e;
    }
    imp_delassus_dense(1, &box, CORNERS, contacts, c->W, c->q);
    c->op = imp_operator_dense(CORNERS, c->W);
    c->problem = (imp_problem){.nc = CORNERS, .W = &c->op, .q = c->q, .mu = c->mu, .e = c->e};
}

static double friction_sum(const double *p) {
    double sum = 0;
    for (int i = 0; i < CORNERS; i++)
        sum += p[3 * i + 1];
    return sum;
}

/* A contact that parts takes no friction, however large its mu, under a push that is next to none;
 * after an expansion friction may lean on that. */
static void test_parting(void) {
    static const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {1, 1, 0}, mu = 1e10,
                        p[3] = {1e-10, -1, 0};
    const imp_operator operator= imp_operator_dense(1, W);
    const imp_problem problem = {.nc = 1, .W = &operator, .q = q, .mu = &mu};
    imp_certificate certificate = {.worst = 0};
    imp_certify(&problem, &imp_law_pyramid, NULL, p, NULL, &certificate);
    ok(certificate.worst >= 0.5, "what parts takes no friction (%.1e)", certificate.worst);
}

/* A push on what parts gains energy, though it moves a body of any mass by nothing. */
static void test_gain(void) {
    static const double W[36] = {[0] = 1, [7] = 1, [14] = 1}, q[6] = {-1, 0, 0, 1, 0, 0},
                        mu[2] = {0.5, 0.5}, p[6] = {1, 0, 0, 5, 0, 0}, right[6] = {1};
    const imp_operator operator= imp_operator_dense(2, W);
    const imp_problem problem = {.nc = 2, .W = &operator, .q = q, .mu = mu};
    imp_certificate certificate;
    imp_certify(&problem, &imp_law_pyramid, NULL, right, NULL, &certificate);
    ok(certificate.worst == 0, "what parts and is not pushed");
    imp_certify(&problem, &imp_law_pyramid, NULL, p, NULL, &certificate);
    ok(certificate.worst == 1, "a push on it gains all of its work");
}

/* Where something bounces friction that leans on the expansion may gain, by the law. */
static void test_bounce_gains(void) {
    static const double W[36] = {7.15,  1.66,  -0.32, -0.02, 4.85,  4.64, 1.66, 4.97,  -3.68,
                                 -3.48, -0.98, -1.44, -0.32, -3.68, 5.63, 1.06, -1.04, 0.76,
                                 -0.02, -3.48, 1.06,  4.36,  3.79,  2.71, 4.85, -0.98, -1.04,
                                 3.79,  7.45,  5.49,  4.64,  -1.44, 0.76, 2.71, 5.49,  5.04},
                        q[6] = {-0.2, 0.2, -1.7, -0.3, 2.4, -0.7}, mu[2] = {1, 1}, e[2] = {1, 0};
    const imp_operator operator= imp_operator_dense(2, W);
    const imp_problem problem = {.nc = 2, .W = &operator, .q = q, .mu = mu, .e = e};
    double p[6] = {0};
    const imp_status status = imp_solve(&imp_model_anitescu, &problem, NULL, p, NULL);
    ok(status == IMP_OK && imp_problem_energy(&problem, p) > 1, "a gain of %.3g J is no fault: %s",
       imp_problem_energy(&problem, p), imp_status_text(status));
}

/* Sliding box: the pyramid along the slip gives mu of the normal impulse; across its diagonal
 * 1/sqrt(2) of it. */
static void test_box(void) {
    const double velocity[3] = {2, 0, -1}, still[3] = {0, 0, 0};
    box_case c;
    double p[ROWS];
    imp_certificate certificate;
    make_box(&c, 0.3, 0, 0, velocity, still);
    ok(imp_solve(&imp_model_anitescu, &c.problem, NULL, p, NULL) == IMP_OK,
       "a sliding box is solved");
    is_near(friction_sum(p), -0.3, 0, 1e-12, "friction is mu times the momentum along the slip");
    imp_certify(&c.problem, &imp_law_pyramid, NULL, p, NULL, &certificate);
    ok(certificate.count == 5 && certificate.worst < 1e-12, "its certificate holds (%.1e)",
       certificate.worst);
    for (int i = 0; i < CORNERS; i++)
        p[3 * i + 1] = -p[3 * i + 1];
    imp_certify(&c.problem, &imp_law_pyramid, NULL, p, NULL, &certificate);
    ok(certificate.worst > 0.01, "turned friction is refused (%.1e)", certificate.worst);
    make_box(&c, 0.3, 0, atan(1), velocity, still);
    imp_solve(&imp_model_anitescu, &c.problem, NULL, p, NULL);
    double along = 0;
    for (int i = 0; i < CORNERS; i++)
        along += (p[3 * i + 1] - p[3 * i + 2]) * sqrt(0.5);
    is_near(along, -0.3 * sqrt(0.5), 0, 1e-12,
            "turned by 45 degrees the pyramid is weaker by sqrt(2)");
}

static void test_restitution(void) {
    const double velocity[3] = {0.1, 0, -2}, still[3] = {0, 0, 0};
    box_case c;
    double p[ROWS], u[ROWS];
    make_box(&c, 0, 0.5, 0, velocity, still);
    ok(imp_solve(&imp_model_anitescu, &c.problem, NULL, p, NULL) == IMP_OK, "restitution is taken");
    imp_operator_apply(&c.op, p, c.q, u);
    is_near(u[0], 1, 0, 1e-12, "a flat box without friction leaves at e times its approach");
}

/* With many edges the pyramid tends to the cone: where Coulomb has one solution, the LCP tends to
 * it. */
static void test_many_edges(void) {
    double worst[2] = {0, 0};
    int failed = 0;
    for (uint64_t k = 0; k < 300; k++) {
        const gen_problem g = gen_make(GEN_FREE_BOX_1, k);
        const double W[9] = {g.W[0], g.W[1], g.W[2], g.W[1], g.W[3],
                             g.W[4], g.W[2], g.W[4], g.W[5]};
        const imp_operator op = imp_operator_dense(1, W);
        const imp_problem problem = {.nc = 1, .W = &op, .q = g.q, .mu = &g.mu};
        for (int refined = 0; refined < 2; refined++) {
            const imp_anitescu_settings settings = {refined ? 64 : 4, 1000};
            double p[3];
            imp_certificate own, coulomb;
            failed += imp_solve(&imp_model_anitescu, &problem, &settings, p, NULL) != IMP_OK;
            imp_certify(&problem, &imp_law_pyramid, &settings, p, NULL, &own);
            failed += !(own.worst < 1e-11) || imp_problem_energy(&problem, p) > 1e-12;
            imp_certify(&problem, &imp_law_coulomb, NULL, p, NULL, &coulomb);
            worst[refined] = fmax(worst[refined], coulomb.worst);
        }
    }
    ok(failed == 0, "300 boxes, 4 and 64 edges: solved, certified, no energy gained");
    ok(worst[1] < 0.15 && worst[1] < worst[0] / 4,
       "64 edges come close to Coulomb's law (%.3f, 4 edges %.3f)", worst[1], worst[0]);
}

/* Pull is measured by the largest impulse there is, friction in any direction included. */
static void test_pull(void) {
    const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {2, 0, 0}, mu = 0.5;
    const imp_operator op = imp_operator_dense(1, W);
    const imp_problem problem = {.nc = 1, .W = &op, .q = q, .mu = &mu};
    for (int k = 1; k <= 2; k++) {
        double p[3] = {-1, 0, 0};
        imp_certificate c;
        p[k] = 4;
        imp_certify(&problem, &imp_law_pyramid, NULL, p, NULL, &c);
        is_near(imp_certificate_residual(&c, "signorini"), 0.25, 0, 1e-15,
                "a pull of 1 beside friction of 4 along axis %d", k);
    }
}

static void test_refusals(void) {
    const double velocity[3] = {2, 0, -1}, still[3] = {0, 0, 0};
    const imp_anitescu_settings odd = {5, 1000}, hasty = {4, 1};
    box_case c;
    double p[ROWS];
    make_box(&c, 0.3, 0, 0, velocity, still);
    for (int i = 0; i < ROWS; i++)
        p[i] = 7;
    ok(imp_solve(&imp_model_anitescu, &c.problem, &odd, p, NULL) == IMP_BAD_ARGUMENT && p[0] == 7,
       "an odd number of edges is refused");
    ok(imp_solve(&imp_model_anitescu, &c.problem, &hasty, p, NULL) == IMP_NOT_CONVERGED,
       "too few pivots is a status");
}

/* Redundant contacts, whose solutions meet rays: z0 ends as rounding. */
static void test_packings(void) {
    for (int kind = 0; kind < PILE_KINDS; kind++) {
        int solved = 0;
        for (uint64_t seed = 301; seed <= 312; seed++) {
            imp_fclib pile;
            imp_fclib_posed posed;
            if (pile_make((pile_kind)kind, seed, 30, &pile) != IMP_OK ||
                imp_fclib_pose(&pile, &posed) != IMP_OK)
                exit(1);
            double *p = calloc(3 * (size_t)pile.nc, sizeof *p);
            imp_certificate c = {.worst = INFINITY};
            solved += imp_solve_certified(&imp_model_anitescu, &posed.problem, NULL, p, NULL, &c,
                                          NULL) == IMP_OK &&
                      c.worst < 1e-8;
            free(p);
            imp_fclib_posed_clear(&posed);
            imp_fclib_clear(&pile);
        }
        ok(solved == 12, "%s: %d of 12 solved", pile_name((pile_kind)kind), solved);
    }
}

/* Boxes on one another, the upmost much heavier, which the lower ones hold up by impulses as much
 * larger: rounding of the pivots in double loses the way from 1e4 on. */
static void test_heavy(void) {
    enum { STACKS = 12 };
    for (int k = 0; k <= 8; k += 2) {
        int solved = 0;
        for (uint64_t seed = 0; seed < STACKS; seed++) {
            static gen_stack g;
            const int boxes = 2 + (int)(seed % (GEN_STACK_BOXES - 1));
            double p[3 * GEN_STACK_CONTACTS] = {0}, mass[GEN_STACK_BOXES];
            gen_stream s = gen_seed(902, seed);
            for (int i = 0; i < boxes; i++)
                mass[i] = i == boxes - 1 ? pow(10, k) : 1;
            gen_stack_of(&s, boxes, mass, 0.3 + 0.7 * (double)(seed & 1), &g);
            const imp_operator op = imp_operator_dense(g.nc, g.W);
            const imp_problem problem = {.nc = g.nc, .W = &op, .q = g.q, .mu = g.mu};
            solved += imp_solve(&imp_model_anitescu, &problem, NULL, p, NULL) == IMP_OK;
        }
        ok(solved == STACKS, "1e%d times heavier on top: %d of %d stacks solved", k, solved,
           STACKS);
    }
}

/* The same without spin, where all four corners of a box are tied: in double some pivots end on a
 * basis that is none, and some go round in circles. */
static void test_tied(uint64_t stream, double top, int stacks, int most_unsolved) {
    int unsolved = 0, refused = 0;
    for (uint64_t seed = 0; seed < (uint64_t)stacks; seed++) {
        static gen_stack g;
        const int boxes = 2 + (int)(seed % 2);
        double p[3 * GEN_STACK_CONTACTS] = {0}, mass[3] = {1, 1, 1}, below[2] = {0}, across[2];
        gen_stream s = gen_seed(stream, seed);
        mass[boxes - 1] = top;
        gen_stack_of(&s, boxes, mass, gen_uniform(&s, 0, 1), &g);
        for (int i = 0; i < g.nc; i++) { /* contact by contact, from the ground up */
            if (i % 4 == 0)
                for (int r = 0; r < 2; r++)
                    across[r] = gen_uniform(&s, -0.5, 0.5);
            g.q[3 * i] = i < 4 ? -1 : 0;
            for (int r = 0; r < 2; r++)
                g.q[3 * i + 1 + r] = across[r] - below[r];
            if (i % 4 == 3) memcpy(below, across, sizeof below);
        }
        const imp_operator op = imp_operator_dense(g.nc, g.W);
        const imp_problem problem = {.nc = g.nc, .W = &op, .q = g.q, .mu = g.mu};
        imp_certificate c = {0};
        const imp_status status =
            imp_solve_certified(&imp_model_anitescu, &problem, NULL, p, NULL, &c, NULL);
        unsolved += status != IMP_OK;
        refused += status == IMP_NOT_CERTIFIED;
    }
    ok(unsolved <= most_unsolved && refused <= 1,
       "%g times heavier on top, no spin: of %d stacks %d unsolved, %d refused", top, stacks,
       unsolved, refused);
}

int main(void) {
    test_heavy();
    test_tied(903, 1e6, 40, 2);
    test_tied(5158, 1e7, 300, 3); /* 5, 4 refused, where 1e-9 is enough for lemke.c */
    test_box();
    test_parting();
    test_gain();
    test_bounce_gains();
    test_packings();
    test_restitution();
    test_many_edges();
    test_pull();
    test_refusals();
    return tap_done();
}
