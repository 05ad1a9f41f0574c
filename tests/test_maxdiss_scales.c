/* test_maxdiss_scales.c - maximum dissipation at one contact at every scale and beyond: W, q and
 * friction to the ends of the range, tangents of masses far apart, conics within rounding of a
 * parabola. */
#include "generators/gen.h"
#include "impact.h"
#include "maxdiss_subject.h"
#include "tap.h"

#include <float.h>

/* W and q over 1e+-150, each on its own, mu up to 1e8: the same answer to the last bit,
 * certified. */
static void every_scale(void) {
    static const int shifts[] = {-498, -301, -1, 0, 299, 498};
    int different = 0, solved = 0;
    double worst = 0;
    for (uint64_t i = 0; i < 3000; i++) {
        gen_stream s = gen_seed(77, i);
        gen_problem g = gen_make(i % 2 ? GEN_SPD_8 : GEN_PAINLEVE, i);
        g.mu = gen_uniform(&s, 0, 1) < 0.5 ? g.mu : gen_power10(&s, -8, 8);
        g.e = gen_uniform(&s, 0, 1);
        double p[3], scaled[3];
        if (solve(&g, p, NULL) != IMP_OK) continue;
        solved++;
        for (int k = 0; k < 6; k++)
            for (int l = 0; l < 6; l++) {
                gen_problem h = g;
                for (int j = 0; j < 6; j++)
                    h.W[j] = ldexp(g.W[j], shifts[k]);
                for (int j = 0; j < 3; j++)
                    h.q[j] = ldexp(g.q[j], shifts[l]);
                const imp_status status = solve(&h, scaled, NULL);
                for (int j = 0; j < 3; j++)
                    different +=
                        status != IMP_OK || scaled[j] != ldexp(p[j], shifts[l] - shifts[k]);
                worst = fmax(worst, i % 16 ? 0 : gen_residual(&h, &imp_law_maxdiss, scaled));
            }
    }
    ok(solved == 3000 && different == 0,
       "powers of two in W and q change no bit (%d of %d problems, %d differ)", solved, 3000,
       different);
    ok(worst <= 1e-12, "certified at 1e+-150, mu 1e-8 .. 1e8: worst residual %.2g", worst);
}

/* Beyond the scales that are promised, where the impulse itself is a number of ordinary size: the
 * same bits still. */
static void beyond_every_scale(void) {
    static const int shifts[][2] = {{600, 900},   {800, 900},   {700, 850},
                                    {-600, -800}, {-800, -900}, {450, 810}};
    enum { SHIFTS = sizeof shifts / sizeof *shifts };
    int different = 0, solved = 0;
    for (uint64_t i = 0; i < 1000; i++) {
        const gen_problem g = gen_make(i % 2 ? GEN_SPD_4 : GEN_SPEED_BOX, i);
        double p[3], scaled[3];
        if (solve(&g, p, NULL) != IMP_OK) continue;
        for (int k = 0; k < SHIFTS; k++, solved++) {
            gen_problem h = g;
            for (int j = 0; j < 6; j++)
                h.W[j] = ldexp(g.W[j], shifts[k][0]);
            for (int j = 0; j < 3; j++)
                h.q[j] = ldexp(g.q[j], shifts[k][1]);
            bool same = solve(&h, scaled, NULL) == IMP_OK;
            for (int j = 0; j < 3; j++)
                same = same && scaled[j] == ldexp(p[j], shifts[k][1] - shifts[k][0]);
            different += !same;
        }
    }
    ok(solved == 1000 * SHIFTS && different == 0,
       "W and q near the ends of the range, %d of %d differ", different, solved);
}

static void out_of_range(void) {
    gen_problem g = {{1e-200, 0, 0, 1e-200, 0, 1e-200}, {-1e200, 1e200, 0}, 0.5, 0, 0};
    double p[3];
    ok(solve(&g, p, NULL) == IMP_OVERFLOW && p[0] == 0 && p[1] == 0 && p[2] == 0,
       "too large an impulse is a status");
    for (int t = 1; t < 3; t++) {
        /* sticking: p_t = -q_t / W_tt, half the largest double times ten */
        gen_problem one = {.W = {1, 0, 0, 1e-2, 0, 1e-2}, .q = {-1e304, 0, 0}, .mu = 1e5};
        one.q[t] = 1e307;
        ok(solve(&one, p, NULL) == IMP_OVERFLOW && p[0] == 0, "one of its tangential parts alone");
    }
    g = (gen_problem){{1e200, 0, 0, 1e200, 0, 1e200}, {-1e-200, 1e-200, 0}, 0.5, 0, 0};
    ok(solve(&g, p, NULL) == IMP_OVERFLOW && isfinite(p[0] + p[1]), "so is too small a one");
    static const double lost[] = {-1e-165, -1e-200}; /* half of its digits, all */
    for (int k = 0; k < 2; k++) {
        g = (gen_problem){{1, 0, 0, 1, 0, 1}, {lost[k], 1e200, 0}, 1, 0, 0};
        ok(solve(&g, p, NULL) == IMP_OVERFLOW, "and an approach of %g beside a slip of 1e200",
           -lost[k]);
    }
    for (int t = 1; t < 3; t++) { /* at q_n = 0 friction that stops the slip presses too */
        gen_problem wedged = {.W = {1, t == 1 ? 0.8 : 0, t == 2 ? 0.8 : 0, 2, 0, 2}, .mu = 2};
        wedged.q[t] = 3;
        const bool pressed = solve(&wedged, p, NULL) == IMP_OK && p[0] > 0 && p[3 - t] == 0;
        wedged.q[t] = 1e-320;
        ok(pressed && solve(&wedged, p, NULL) == IMP_OVERFLOW,
           "so is one at q_n = 0, friction along %d", t);
    }
    static const double extreme[] = {0, 5e-324, 1e-310, 1e-200, 1e-100, 1, 1e100, 1e200, 1e300};
    enum { N = sizeof extreme / sizeof *extreme };
    int wild = 0, wrong = 0, solved = 0;
    for (uint64_t n = 0; n < 20000; n++) { /* any finite input: a finite answer or an error */
        gen_stream s = gen_seed(78, n);
        const double scale = extreme[1 + (int)gen_uniform(&s, 0, N - 1)];
        g = gen_spd(n, 3, n % 8 ? 1 : extreme[(int)gen_uniform(&s, 0, N)]);
        for (int j = 0; j < 6; j++)
            g.W[j] *= n % 2 ? scale : extreme[(int)gen_uniform(&s, 0, N)];
        for (int j = 0; j < 3; j++)
            g.q[j] = extreme[(int)gen_uniform(&s, 0, N)] * (gen_uniform(&s, 0, 1) < 0.5 ? -1 : 1);
        double x[3] = {0, 0, 0};
        const imp_status status = solve(&g, x, NULL);
        wild += !(isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]));
        if (status == IMP_OK && n % 2 && n % 8) {
            solved++;
            wrong += gen_residual(&g, &imp_law_maxdiss, x) > 1e-12;
        }
    }
    ok(wild == 0, "no NaN and no Inf from data at the ends of the range");
    ok(wrong == 0 && solved > 1000, "what is called solved there is certified (%d of %d not)",
       wrong, solved);
}

/* Tangents whose masses are 1e13 to 1e24 apart, hyperbolas of eccentricity 1e8 to 1e12: a step
 * small beside |z| says nothing of the stiff tangent's share. */
static void tangents_apart(void) {
    static const double hard[4][11] = {
        /* mu, W (nn nt no tt to oo), q, e */
        {10.035710205699127, 2.8528638128617771e-09, -1.8074919793783788, 1.029622259479427e-10,
         13986954885198.818, -26.944549050375187, 6.6248407160168115e-11, -0.001701003095392177,
         76773.831738870314, -6.9329108536269155, 0},
        {1.551388294857091, 8.0339757966543312e-07, -5.6699509389038666e-07, 146.61035710291983,
         1.3845935481651106e-06, -268.6276182517156, 54697466936.563766, -2.3848351682047148e-06,
         6.4419433093120948e-06, -62899.244237202001, 1},
        {0.21741710271956616, 1.5668856751220044e-09, -6781.0092235402481, -2.3275881907113243e-09,
         52428464561986856, -3509.7933860923886, 1.1555323833162184e-08, -21669.968961601429,
         -0.045182515812595365, -9.058540463212168, 0.86394724817707391},
        {44.05368909364919, 0.046007746821522102, -831457.08829553728, -8.6146938987670647e-07,
         23533655010462.418, 47.526793843468674, 2.2292600777790963e-10, -1.3312743388698772e-05,
         493.14189033929756, -5.277614806594074e-06, 0}};
    for (int i = 0; i < 4; i++) {
        const double *d = hard[i], *w = d + 1;
        const double W[9] = {w[0], w[1], w[2], w[1], w[3], w[4], w[2], w[4], w[5]};
        const imp_operator op = imp_operator_dense(1, W);
        const imp_problem problem = {.nc = 1, .W = &op, .q = d + 7, .mu = d, .e = d + 10};
        imp_certificate c = {.worst = INFINITY};
        double p[3];
        const imp_status status = imp_maxdiss(w, d + 7, d[0], d[10], p, NULL);
        ok(status == IMP_OK &&
               imp_certify(&problem, &imp_law_maxdiss, NULL, p, NULL, &c) == IMP_OK &&
               c.worst < 1e-12,
           "tangents of masses far apart, %d: residual %.1e", i, c.worst);
    }
}

/* Friction without bound: what is ok is an answer, and what rounding decides is not ok. */
static void friction_without_bound(void) {
    int wrong = 0, solved = 0;
    for (uint64_t i = 0; i < 2000; i++) {
        gen_stream s = gen_seed(613, i);
        gen_problem g = gen_make(GEN_SPD_1, i);
        g.mu = gen_power10(&s, 6, 300);
        gen_dense dense;
        gen_dense_of(&g, &dense);
        imp_certificate c = {.worst = INFINITY};
        double p[3];
        if (imp_maxdiss(g.W, g.q, g.mu, 0, p, NULL) != IMP_OK) continue;
        solved++;
        wrong += imp_certify(&dense.problem, &imp_law_maxdiss, NULL, p, NULL, &c) != IMP_OK ||
                 !(c.worst <= 1e-12);
    }
    ok(wrong == 0 && solved > 1000, "mu from 1e6 to 1e300: %d ok, %d of them wrong", solved, wrong);
}

/* Is what is ok an answer, and what is not certified inside the cone, without an approach and
 * without a gain? */
static bool harmless(const gen_problem *g, int *solved) {
    gen_dense dense;
    gen_dense_of(g, &dense);
    imp_certificate c = {.worst = INFINITY};
    double p[3], u[3];
    const imp_status status = imp_maxdiss(g->W, g->q, g->mu, g->e, p, NULL);
    if (imp_certify(&dense.problem, &imp_law_maxdiss, NULL, p, NULL, &c) != IMP_OK) return false;
    if (status == IMP_OK) ++*solved;
    if (status != IMP_NOT_CERTIFIED) return status == IMP_OK && c.worst <= 1e-12;
    imp_operator_apply(dense.problem.W, p, g->q, u);
    const double push = hypot(p[1], p[2]), speed = hypot(g->q[1], g->q[2]);
    return push <= (1 + 1e-12) * g->mu * p[0] && u[0] >= -1e-12 * (speed + g->W[0] * p[0]) &&
           c.energy <= 1e-12 * push * speed;
}

/* Friction and slip that are both next to nothing beside the push, down to 1e-300 of it: what fits
 * inside the cone sticks, and what does not is no stick. By the batch too, with the same bits. */
static void friction_next_to_none(void) {
    int sticks = 0, slides = 0, solved = 0, wrong = 0, other = 0;
    double faintest = 0;
    for (uint64_t i = 0; i < 3000; i++) {
        gen_stream s = gen_seed(617, i);
        gen_problem g = gen_make(i % 2 ? GEN_SPHERE : GEN_SPD_4, i);
        const double tiny = gen_power10(&s, -300, -1);
        for (int k = 1; k < 6; k++) /* what couples the normal to tangents is as small */
            g.W[k] *= k < 3 ? tiny : 1;
        g.q[1] *= tiny, g.q[2] *= tiny, g.mu *= tiny, g.q[0] = -fabs(g.q[0]);
        double p[3], many[3] = {0}, residual;
        imp_status each = IMP_OK;
        imp_batch_columns columns = {
            .mu = &g.mu, .e = &g.e, .residual = &residual, .status = &each};
        for (int k = 0; k < 6; k++)
            columns.W[k] = &g.W[k];
        for (int k = 0; k < 3; k++)
            columns.q[k] = &g.q[k], columns.p[k] = &many[k];
        imp_info info;
        const imp_status status = solve(&g, p, &info);
        (void)imp_maxdiss_batch(&columns, 1, NULL);
        other += each != status || memcmp(p, many, sizeof p) != 0;
        sticks += status == IMP_OK && info.leaf == IMP_LEAF_STICK;
        slides += status == IMP_OK && info.leaf != IMP_LEAF_STICK;
        wrong += !harmless(&g, &solved) || (status != IMP_OK && tiny > 1e-200);
        if (status != IMP_OK) faintest = fmax(faintest, tiny);
    }
    ok(wrong == 0 && sticks > 300 && slides > 300,
       "friction next to none: %d stick, %d slide (all above %.0e), %d wrong", sticks, slides,
       faintest, wrong);
    ok(other == 0, "and the same by the batch");
}

/* A conic within rounding of a parabola, b_n down to rounding. */
static void near_a_parabola(void) {
    static const gen_problem hard[] = {
        {{1, 0.75, 0.5, 4, 0, 2},
         {-0x1.17101f81cc362p-60, 0x1.2b975f2dee86ap-1, -0x1.e1e5caba333cbp-2},
         0x1.1c01aa03be896p+0,
         0x1.a9ba2a2e908fp-5,
         0},
        {{0x1.f2bff12d7889p-1, 0x1.4e9226c7ab77ap+0, -0x1.eb76218316559p-2, 0x1.c4ad6540c9044p+0,
          -0x1.527696f7223f1p-1, 0x1.07ca88a1eadc9p-2},
         {-0x1.4ac23331e9479p-53, 0x1.e149a871abce4p-1, 0x1.53fe3daac15efp-2},
         0x1.663b2f498fcfcp-1,
         0,
         0}};
    int wrong = 0, solved = 0, ignored = 0;
    for (size_t i = 0; i < sizeof hard / sizeof *hard; i++)
        ok(harmless(&hard[i], &ignored), "a conic that rounding calls now a parabola, now none, %d",
           (int)i);
    for (uint64_t i = 0; i < 40000; i++) {
        gen_stream s = gen_seed(614, i);
        gen_problem g = gen_make(i % 2 ? GEN_PAINLEVE : GEN_SPD_8, i);
        if (i % 4 < 2)
            g = (gen_problem){
                {1, 0.75, i % 8 < 4 ? 0.5 : 0, 4, 0, 2}, {g.q[0], g.q[1], g.q[2]}, 0, 0, 0};
        g.mu = g.W[0] / hypot(g.W[1], g.W[2]) * (1 + gen_normal(&s) * gen_power10(&s, -18, -13));
        g.q[0] = -fabs(g.q[0]) * gen_power10(&s, -20, 0);
        wrong += !harmless(&g, &solved);
    }
    ok(wrong == 0 && solved > 39000, "near a parabola: %d ok, %d wrong", solved, wrong);
}

/* Tangents of masses up to 1e24 apart, friction up to 1e30, a plane that is nothing beside the
 * slip: all are solved. */
static void far_apart(void) {
    int wrong = 0, solved = 0;
    for (uint64_t i = 0; i < 20000; i++) {
        gen_stream s = gen_seed(615, i);
        gen_problem g = gen_make(i % 2 ? GEN_PAINLEVE : GEN_SPD_8, i);
        const double t = gen_power10(&s, -6, 6), o = gen_power10(&s, -6, 6);
        const double by[6] = {1, t, o, t * t, t * o, o * o};
        for (int k = 0; k < 6; k++)
            g.W[k] *= by[k];
        g.mu = i % 4 < 2 ? g.mu : gen_power10(&s, -3, 30);
        g.q[0] = -fabs(g.q[0]);
        wrong += !harmless(&g, &solved);
    }
    ok(wrong == 0 && solved == 20000,
       "tangents of masses far apart, and much friction: %d of 20000 solved, %d wrong", solved,
       wrong);
    const gen_problem faint = {{2, 0.5, 0, 2, 0, 2}, {-1e-300, 1, 0}, 1e-300, 0, 0};
    const double want[3] = {5e-301, 0, 0};
    double p[3] = {NAN, NAN, NAN};
    ok(imp_maxdiss(faint.W, faint.q, faint.mu, 0, p, NULL) == IMP_OK,
       "friction below the least number is none");
    is_vec(p, want, 3, 0, 1e-15, "and the push is that without it");
}

/* Slip and coupling that are subnormal beside the push and cancel: their sum has no digits, and the
 * answer is right to the least number, which imp_solve, whose certificate is relative, does not
 * call ok. */
static void subnormal_slip(void) {
    const double least = 0x1p-1074;
    const gen_problem g = {{0.5703125, -22 * least, -18 * least, 0.5, 0, 0.5},
                           {-0.3125, 12 * least, 10 * least},
                           2,
                           0,
                           0};
    gen_dense dense;
    double p[3] = {NAN, NAN, NAN};
    gen_dense_of(&g, &dense);
    ok(imp_solve(&imp_model_maxdiss, &dense.problem, NULL, p, NULL) == IMP_NOT_CERTIFIED,
       "a slip without digits is not ok");
    ok(fabs(p[0] - 0.3125 / 0.5703125) < 1e-15 && fabs(p[1]) <= least && fabs(p[2]) <= least,
       "and right to the least number");
}

/* Friction that is nothing in the solver's own units, and a number in N s; and friction whose
 * square is beyond double. By the batch as by the solver for one, and certified. */
static void extreme_friction(void) {
    const gen_problem straight = {{1e-300, 0, 0, 1e-300, 0, 1e-300}, {-1e-300, 0, 0}, 1e-290, 0, 0};
    const double push[3] = {1, 0, 0};
    double without[3] = {NAN, NAN, NAN};
    ok(solve(&straight, without, NULL) == IMP_OK, "without slip there is none of it");
    is_vec(without, push, 3, 0, 1e-15, "and the push is that without it");
    static const struct {
        gen_problem g;
        double want[3];
    } cases[] = {
        {{{1, 0, 0, 1, 0, 1}, {-1, 1e100, 0}, 1e-285, 0, 0}, {1, -1e-285, 0}},
        {{{1, 0.5, 0, 1, 0, 1}, {-1, 3e100, -4e100}, 1e-285, 0, 0}, {1, -0.6e-285, 0.8e-285}},
        {{{2, 1.5, -0.5, 8, 1.5, 2}, {-1e-9, 1, -1}, 1e300, 0, 0},
         {0.53333333406666661, -0.40000000019999998, 0.93333333366666671}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gen_problem g = cases[i].g;
        const double W[9] = {g.W[0], g.W[1], g.W[2], g.W[1], g.W[3],
                             g.W[4], g.W[2], g.W[4], g.W[5]};
        const imp_operator op = imp_operator_dense(1, W);
        const imp_problem problem = {.nc = 1, .W = &op, .q = g.q, .mu = &g.mu};
        double p[3], many[3] = {0}, residual = NAN;
        imp_status each = IMP_OK;
        imp_certificate certificate;
        imp_batch_columns columns = {.mu = &g.mu, .residual = &residual, .status = &each};
        for (int k = 0; k < 6; k++)
            columns.W[k] = &g.W[k];
        for (int k = 0; k < 3; k++)
            columns.q[k] = &g.q[k], columns.p[k] = &many[k];
        ok(solve(&g, p, NULL) == IMP_OK && imp_maxdiss_batch(&columns, 1, NULL) == IMP_OK &&
               each == IMP_OK && memcmp(p, many, sizeof p) == 0 && residual < 1e-14,
           "friction of %g: solved, by the batch, too", g.mu);
        for (int k = 0; k < 3; k++)
            ok(fabs(p[k] - cases[i].want[k]) <= 1e-15 * fabs(cases[i].want[k]), "  entry %d", k);
        p[1] *= i < 2 ? 2 : 0.5;
        ok(imp_certify(&problem, &imp_law_maxdiss, NULL, p, NULL, &certificate) == IMP_OK &&
               certificate.worst > 0.1,
           "  other friction is refused (%.1e)", certificate.worst);
    }
}

/* Friction too small for double to hold its digits is an overflow: of a contact whose slip is like
 * its push, and of one whose slip is 1e200 times as fast, where units of the push hold none. */
static void friction_without_digits(void) {
    static const struct {
        double mu, unit;
        imp_status status;
    } cases[] = {
        {1e-310, 1, IMP_OK},      {1e-312, 1, IMP_OVERFLOW},      {1e-322, 1, IMP_OVERFLOW},
        {1e-310, 1e-200, IMP_OK}, {1e-312, 1e-200, IMP_OVERFLOW}, {1e-322, 1e-200, IMP_OVERFLOW}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double unit = cases[i].unit;
        const gen_problem g = {
            .W = {unit, 0, 0, unit, 0, unit}, .q = {-unit, 0.4, 0.3}, .mu = cases[i].mu};
        double p[3];
        ok(solve(&g, p, NULL) == cases[i].status && fabs(p[0] - 1) < 1e-15 && p[1] < 0 && p[2] < 0,
           "friction of %g of the push, masses of %g kg: %s", g.mu, 1 / unit,
           imp_status_text(cases[i].status));
    }
}

int main(void) {
    friction_without_digits();
    near_a_parabola();
    far_apart();
    extreme_friction();
    subnormal_slip();
    tangents_apart();
    friction_without_bound();
    friction_next_to_none();
    every_scale();
    beyond_every_scale();
    out_of_range();
    return tap_done();
}
