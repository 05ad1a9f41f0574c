/* test_darboux_compliant.c - the stop of the compliant law, int u_n / (1 - a u_n) dp_n = 0, where
 * its integral is easily lost: a slip on which the normal velocity hardly changes, and one whose
 * normal velocity bends towards the pole 1/a. */
#include "impact.h"
#include "tap.h"

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
    test_level_slip();
    test_level_stick();
    test_bent_slip();
    return tap_done();
}
