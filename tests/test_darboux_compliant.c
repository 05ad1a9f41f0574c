/* test_darboux_compliant.c - the stop of the compliant law, int u_n / (1 - a u_n) dp_n = 0: its
 * limits and equivalents, and where its integral is easily lost: a slip on which the normal
 * velocity hardly changes, and one whose normal velocity bends towards the pole 1/a. */
#include "generators/gen_impacts.h"
#include "impact.h"
#include "one_impact.h"
#include "tap.h"

/* u/(1 - a u) over p_n, from points of the path: u_n is nearly linear between them, so that the
 * integral of a straight line, by the midpoint rule on 64 parts, is enough. */
static double strain(const imp_darboux_path *path, double a) {
    double sum = 0;
    for (int k = 1; k < path->count; k++) {
        const imp_darboux_point *x = &path->points[k - 1], *y = &path->points[k];
        enum { PARTS = 64 };
        for (int i = 0; i < PARTS; i++) {
            const double u = x->u[0] + (y->u[0] - x->u[0]) * (i + 0.5) / PARTS;
            sum += (y->p[0] - x->p[0]) / PARTS * u / (1 - a * u);
        }
    }
    return sum;
}

/* The restitution that the other laws would need for the same impact, by bisection. */
static double equivalent(const gen_problem *g, imp_darboux_law law, double p_n) {
    double low = 0, high = 1, p[3];
    for (int i = 0; i < 60; i++) {
        const double e = 0.5 * (low + high);
        (void)imp_darboux(g->W, g->q, g->mu, e, law, p, NULL, NULL);
        if (p[0] < p_n)
            low = e;
        else
            high = e;
    }
    return 0.5 * (low + high);
}

static void test_known(void) {
    /* a frictionless contact of W_nn = 1 and unit approach: a (1 + e) = log((1 + a)/(1 - a e)) */
    static const double plain[4][2] = {{0.01, 0.9901}, {0.5, 0.663}, {1, 0.488}, {1.4924, 0.381}};
    for (int i = 0; i < 4; i++) {
        const double W[6] = {1, 0, 0, 1, 0, 1}, q[3] = {-1, 0, 0}, a = 1.5 * plain[i][0];
        double p[3];
        (void)imp_darboux_compliant(W, q, 0, a, p, NULL, NULL);
        const double e = p[0] - 1;
        is_near(e, plain[i][1], 6e-4, 0, "e(cv = %g)", plain[i][0]);
        is_near(a * (1 + e), log((1 + a) / (1 - a * e)), 0, 1e-12, "its equation");
    }
    /* the brick of Uchida, Sherman, Delp (2015), example 1, c = 0.26 s/m */
    static const double brick[3][4] = {{0.125, 0.39080, 0.38689, 0.37722},
                                       {0.225, 0.38368, 0.38482, 0.38073},
                                       {0.325, 0.37274, 0.37825, 0.38360}};
    gen_problem g = {.W = {0.57596067963268027, -0.052775827394221819, 0.44696632682260573,
                           3.9051692011333969, 0.56128991619303437, 3.3556772367445689},
                     .q = {-5.74, -5, 0}};
    for (int i = 0; i < 3; i++) {
        static imp_darboux_point points[2000];
        imp_darboux_path path = {.points = points, .capacity = 2000};
        double p[3], bare[3];
        g.mu = brick[i][0];
        ok(imp_darboux_compliant(g.W, g.q, g.mu, 0.39, p, &path, NULL) == IMP_OK,
           "the brick, mu %g", g.mu);
        is_near(equivalent(&g, IMP_POISSON, p[0]), brick[i][1], 6e-6, 0,
                "its equivalent e, Poisson");
        is_near(equivalent(&g, IMP_STRONGE, p[0]), brick[i][2], 6e-6, 0, "Stronge");
        is_near(equivalent(&g, IMP_NEWTON, p[0]), brick[i][3], 6e-6, 0, "Newton");
        is_near(strain(&path, 0.39), 0, 2e-3 * fabs(path.work_c), 0, "int u/(1 - a u) dp = 0");
        (void)imp_darboux_compliant(g.W, g.q, g.mu, 0.39, bare, NULL, NULL);
        is_vec(bare, p, 3, 0, 1e-15, "the same without its path");
    }
    double worst = 0;
    for (uint64_t i = 0; i < 150; i++) { /* a = 0 is Stronge's law with e = 1 */
        const gen_problem random = gen_impact((gen_impact_class)(i % GEN_IMPACT_SPD), i);
        double p[3], stronge[3];
        const bool solved =
            imp_darboux_compliant(random.W, random.q, random.mu, 0, p, NULL, NULL) == IMP_OK;
        (void)imp_darboux(random.W, random.q, random.mu, 1, IMP_STRONGE, stronge, NULL, NULL);
        for (int k = 0; k < 3; k++)
            worst = tap_worst(worst, solved ? fabs(p[k] - stronge[k]) / length(stronge) : INFINITY);
    }
    ok(worst < 1e-11, "a = 0 is Stronge with e = 1 to %.1e", worst);
    double p[3];
    ok(imp_darboux_compliant(g.W, g.q, 0.3, 1e6, p, NULL, NULL) == IMP_OK && isfinite(length(p)),
       "a = 1e6 s/m, nearly plastic, has an answer");
}

/* Stretches of every kind: a stop in stick, after a second of slip, along a ray on which u_n is the
 * same throughout; and a so large that the pole is within rounding of u_n = 0. */
static void test_kinds(void) {
    static const struct {
        const char *name;
        double W[6], q[3], mu, a;
    } row[] = {
        {"slip, slip, stick", {5, 7, -6, 22, 0, 13}, {-1, -1, 1.5}, 1.25, 1},
        {"elastic", {5, 7, -6, 22, 0, 13}, {-1, -1, 1.5}, 1.25, 0},
        {"much friction",
         {1.4692283668314132, -0.54558806557624617, 0.05657030656520233, 0.85860893097853597,
          -0.030089856649120703, 0.6721627021900507},
         {-0.52989501763343871, 0.7305395869655501, -0.43072402088049516},
         16.892879719209706,
         1},
        {"stick before u_n turns", {6, 3, 4, 6, 2, 3}, {-2, 1, 0}, 2, 1},
        {"u_n stays after a curve", {2, 2, 0, 6, 0, 169}, {-0.01, 0, 1}, 1, 400},
        {"u_n stays on a ray",
         {3, -3, 1, 5, -1, 3},
         {-3, 0.4336198918209565, 0.14453996394031884},
         1,
         1},
    };
    static imp_darboux_point points[2000];
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        imp_darboux_path path = {.points = points, .capacity = 2000};
        double p[3], bare[3];
        const imp_status status =
            imp_darboux_compliant(row[i].W, row[i].q, row[i].mu, row[i].a, p, &path, NULL);
        (void)imp_darboux_compliant(row[i].W, row[i].q, row[i].mu, row[i].a, bare, NULL, NULL);
        ok(status == IMP_OK && fabs(strain(&path, row[i].a)) <= 1e-3 * fabs(path.work_c) &&
               path.u[0] > 0,
           "%s: int u/(1 - a u) dp = 0", row[i].name);
        is_vec(bare, p, 3, 0, 1e-15, "%s without its path", row[i].name);
    }
    const double W[6] = {1.7, 0.5, -0.25, 3, 0.5, 4};
    double worst = 0;
    for (int decades = 16; decades <= 308; decades++)
        for (int k = 0; k < 20; k++) {
            const double q[3] = {-1 - k / 7.0, 0.5, 2}, mu = k % 2 ? 0.5 : 0;
            double p[3] = {NAN, NAN, NAN}, plastic[3];
            (void)imp_darboux(W, q, mu, 0, IMP_NEWTON, plastic, NULL, NULL);
            const imp_status status =
                imp_darboux_compliant(W, q, mu, pow(10, decades), p, NULL, NULL);
            for (int i = 0; i < 3; i++)
                worst = tap_worst(worst, status == IMP_OK ? fabs(p[i] - plastic[i]) : INFINITY);
        }
    ok(worst <= 1e-14, "a from 1e16 to 1e308 s/m: plastic to %.1e", worst);
}

/* The more is lost, the nearer the contact leaves with u_n = 1/a, where the strain has its pole:
 * Newton's law with e = 1/(a |q_n|). Nothing is left to halve there. */
static void test_pole(void) {
    const double W[6] = {0.90606429840660241, 0.31565484079000805, -0.60905837538877272,
                         0.79745598775118343, 0.22340317195854109, 1.2964797138422142},
                 q[3] = {-0.96905641012037591, 0.24477797503582663, 0.031834210245740846},
                 mu = 0.0018630278278393205;
    double worst = 0;
    for (int i = 0; i < 700; i++) {
        double p[3], plain[3];
        const double a = pow(10, 3 + 0.01 * i);
        const double e = 1 / (a * -q[0]);
        const bool solved = imp_darboux_compliant(W, q, mu, a, p, NULL, NULL) == IMP_OK &&
                            imp_darboux(W, q, mu, e, IMP_NEWTON, plain, NULL, NULL) == IMP_OK;
        for (int k = 0; k < 3; k++)
            worst = tap_worst(worst, solved ? fabs(p[k] - plain[k]) / length(plain) : INFINITY);
    }
    ok(worst < 1e-14, "a from 1e3 to 1e10 s/m: leaves with u_n = 1/a, to %.1e", worst);
}

/* The integral of u/(1 - a u) by u, from 0. */
static double over_u(double u, double a) {
    return a == 0 ? 0.5 * u * u : -(log1p(-a * u) + a * u) / (a * a);
}

/* In the plane, with friction so near to W_nn / W_nt that u_n grows by h, nearly 0, per p_n while
 * the contact slips; then it sticks. On either stretch u_n is a straight line. */
static void test_level_slip(void) {
    const double W[6] = {0.9, 0.35, 0, 1.1, 0, 1}, q[3] = {-1.1, 0.013, 0};
    for (int k = 0; k < 2; k++) {
        const double a = k * 0.3;
        double worst = 0;
        for (int decades = 3; decades <= 17; decades++) {
            const double mu = W[0] / W[1] * (1 - 1.7 * pow(10, -decades));
            double p[3];
            const bool solved = imp_darboux_compliant(W, q, mu, a, p, NULL, NULL) == IMP_OK;
            const double h = W[0] - mu * W[1], slipped = q[1] / (mu * W[3] - W[1]);
            const double u = q[0] + h * slipped, middle = 0.5 * (q[0] + u);
            const double slip = slipped / 6 *
                                (q[0] / (1 - a * q[0]) + 4 * middle / (1 - a * middle) +
                                 u / (1 - a * u)),
                         rise = W[0] - W[1] * W[1] / W[3];
            const double end = u + rise * (p[0] - slipped),
                         off = slip + (over_u(end, a) - over_u(u, a)) / rise;
            worst = tap_worst(worst, solved ? fabs(off / over_u(end, a)) : INFINITY);
        }
        ok(worst < 1e-13, "a %g, u_n all but level in slip: the integral is 0 to %.1e", a, worst);
    }
}

/* In the plane, a slip that ends before the stop, in a stick on which u_n is all but level. */
static void test_level_stick(void) {
    const double W[6] = {1, 0.99999, 0, 1, 0, 1}, q[3] = {-1, -1.5, 0}, mu = 1;
    const double rate = W[0] + mu * W[1], slipped = -q[1] / (W[1] + mu * W[3]),
                 u = q[0] + rate * slipped, rise = W[0] - W[1] * W[1] / W[3];
    for (int k = 0; k < 2; k++) {
        const double a = k * 0.3;
        double p[3];
        ok(imp_darboux_compliant(W, q, mu, a, p, NULL, NULL) == IMP_OK, "a slip, then a stick");
        const double rest = p[0] - slipped, middle = u + 0.5 * rise * rest, end = u + rise * rest,
                     stick =
                         rest / 6 *
                         (u / (1 - a * u) + 4 * middle / (1 - a * middle) + end / (1 - a * end)),
                     off = (over_u(u, a) - over_u(q[0], a)) / rate + stick;
        ok(fabs(off) < 1e-13, "a %g, u_n all but level in the stick: the integral is 0 to %.1e", a,
           fabs(off));
    }
}

/* Slips that grow from nearly nothing through the end of the compression: u_n bends as an
 * exponential does. p by an integration in another variable, of order 8, in extended precision. */
static void test_bent_slip(void) {
    static const struct {
        double W[6], q[3], mu, a, p[3];
    } row[] = {
        {{3.5087184854783766, -1.0338323586863325, -2.1075584065966644, 3.5481543839471987, 0,
          2.7271239525400892},
         {-0.063291169973725303, -1.2981339932970206e-06, -9.7348985829005471e-07},
         0.010914270998152554,
         15.799992327762942,
         {0.028957655832854615, 0.00013879305792930504, 0.00028394480645402404}},
        {{13.086538803009793, -2.5736947932232166, 0.13584219943795461, 1.4208878588550506,
          -0.68181877936690294, 1.1810070788541029},
         {-0.63121644717247261, 4.8811269731500227e-07, 2.2637546191904237e-06},
         0.50203764475827883,
         1.5842426230803861,
         {0.085215270193814101, 0.04263526252683841, 0.0035246126806306458}},
        {{6.3582419719102123, 0.24544293804141332, -1.9824445302441678, 4.410185631441756, 0,
          2.0287071858315171},
         {-1.3886671598008906, -1.9373259197808659e-05, 0.00048363573679404906},
         0.024301366279106375,
         0.72011496271243403,
         {0.35072722949788175, -0.0010217818200478142, 0.008450146065268133}},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        double p[3];
        ok(imp_darboux_compliant(row[i].W, row[i].q, row[i].mu, row[i].a, p, NULL, NULL) == IMP_OK,
           "a slip that bends, a %.3g", row[i].a);
        is_vec(p, row[i].p, 3, 0, 2e-13, "its impulse");
    }
}

int main(void) {
    test_known();
    test_kinds();
    test_pole();
    test_level_slip();
    test_level_stick();
    test_bent_slip();
    return tap_done();
}
