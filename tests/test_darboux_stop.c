/* test_darboux_stop.c - where a Darboux-Keller impact stops: data at the edges of the method, whose
 * answers are followed again by the certificate, and processes that have no end. */
#include "generators/gen_impacts.h"
#include "impact.h"
#include "one_impact.h"
#include "tap.h"

static const imp_law *const laws[] = {&imp_law_darboux_stronge, &imp_law_darboux_poisson,
                                      &imp_law_darboux_newton};

/* Solved by each law, the same with and without a path, finite, and on the path of the certificate
 * to `limit`. */
static void solves(const char *name, const gen_problem *g, double limit) {
    double worst = 0;
    for (int law = 0; law < 3; law++) {
        double p[3], bare[3];
        imp_darboux_path path = {.capacity = 0};
        const imp_status status =
            imp_darboux(g->W, g->q, g->mu, g->e, (imp_darboux_law)law, p, &path, NULL);
        const bool same =
            imp_darboux(g->W, g->q, g->mu, g->e, (imp_darboux_law)law, bare, NULL, NULL) == status;
        for (int k = 0; k < 3; k++)
            worst = tap_worst(worst, same ? fabs(p[k] - bare[k]) / length(p) : INFINITY);
        worst =
            tap_worst(worst, status == IMP_OK ? gen_residual(g, laws[law], p) : (double)INFINITY);
    }
    ok(worst <= limit, "%s: residual %.1e", name, worst);
}

static void test_edges(void) {
    static const struct {
        const char *name;
        gen_problem g;
        double limit;
    } row[] = {
        {"two turns of u_n in a step, the later first",
         {{22027949.89917602, -543.38754371236064, 525.70435480312483, 0.68247814415228225,
           -0.1820880446512893, 1.6700091805771187},
          {-996.45479966599794, -0.11149658289079145, 0.38989508236190196},
          29134.974305727148,
          0.3,
          0},
         1e-11},
        {"two turns of u_n in a step",
         {{1.4947959227469543, 0.56637702959641911, 0.07738114832159082, 0.8971169061421761,
           0.092454785904631548, 0.60808717111086952},
          {-6.3108229378597317e-15, 0.98595832215955637, 0.16150592343285708},
          2.6149313755918158,
          0.5,
          0},
         1e-11},
        {"two turns of u_n along a ray",
         {{17, -11, -3, 11, -5, 19}, {-1, 0, 1}, 1.5, 0.19428026832695433, 0},
         1e-11},
        {"a ray on which the slip neither grows nor falls",
         {{5, 7, 3, 14, 6, 3}, {-1, 1, -1.5}, 0.5, 0.25, 0},
         1e-11},
        {"friction 50",
         {{1.2893201724966414, 1.9326388533597685, -0.63576528952312095, 3.2311030132533189,
           -1.3242073795886395, 0.725894354352972},
          {-0.07305714485865214, 0.99205228327832395, -0.10244472083697764},
          51.666957593592663,
          0.80754716732376075,
          0},
         1e-11},
        {"two compressions",
         {{0.64575679167050881, -0.53345782504799155, -0.1215401978330593, 1.2512965722414937,
           -0.20528295011985323, 1.1029466360879976},
          {-0.0006852288746312218, -0.30138262986688752, 0.95350328285461017},
          2.6237329107622194,
          1,
          0},
         1e-11},
        {"a ray that ends where it began", {{4, -4, 4, 12, -4, 12}, {-1, 1, 2}, 2, 1, 0}, 1e-14},
        {"and one of another", {{12, -2, -6, 3, 1, 5}, {-2, -3, 0}, 2, 1, 0}, 1e-14},
        {"a small work along a ray that turns on a thousandth of it",
         {{0.072707144930937245, -0.30472701843820271, 0.014546730798940657, 2.9200975442046326,
           -0.14483926849135911, 0.0071953108644300604},
          {-0.80135428099444383, -0.5981205192721033, -0.0091192520278562672},
          0.59374925880427376,
          0.0018097275557670267,
          0},
         1e-14},
        {"friction 3e30 of a contact whose normal is 1e57 times as light as its tangents",
         {{7.1802411416054858e+57, 2.211052645827708e+27, -6.0757549835777588e+26,
           1.1385720931568624, -0.31252408978269997, 0.58273105823856475},
          {-6.8517243141564217e+28, 0.39838462408686343, -0.072437891153142114},
          2.8012222240744668e+30,
          0.27573857045157768,
          0},
         1e-11},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        solves(row[i].name, &row[i].g, row[i].limit);
}

/* Friction so small that what it does to the slip has no reciprocal, of a body whose W has no
 * coupling: p_n is that without friction. */
static void test_faint_friction(void) {
    double off = 0, worst = 0;
    for (int decades = 2; decades <= 312; decades++)
        for (int fast = 0; fast < 2; fast++)
            for (int law = 0; law < 3; law++) {
                const double slip = fast ? 1e13 : 1;
                const gen_problem g = {.W = {1, 0, 0, 3.5, 0.75, 2.5},
                                       .q = {-2, 3 * slip, 4 * slip},
                                       .mu = pow(10, -decades),
                                       .e = 0.5};
                double p[3] = {NAN, NAN, NAN};
                const imp_status status =
                    imp_darboux(g.W, g.q, g.mu, g.e, (imp_darboux_law)law, p, NULL, NULL);
                off = tap_worst(off, status == IMP_OK ? fabs(p[0] / 3 - 1) : INFINITY);
                worst = tap_worst(worst, gen_residual(&g, laws[law], p));
            }
    ok(off <= 1e-14, "friction down to 1e-312: p_n to %.1e", off);
    ok(worst <= 1e-11, "its residual %.1e", worst);
}

/* W singular to rounding: along the ray on which friction drives the slip u_n falls for ever, which
 * it does for no body. */
static void test_no_stop(void) {
    const double W[6] = {0.028462571570561663, 0.12252877093060326,  -0.10119228754360843,
                         0.52747516746845868,  -0.43562355529389807, 0.35976647552463875},
                 q[3] = {-0.24086199075937001, 0.75269757310792029, -0.65836643553377405};
    double p[3] = {NAN, NAN, NAN};
    imp_info info = {0};
    ok(imp_darboux(W, q, 3.557435773888336, 0.5, IMP_STRONGE, p, NULL, &info) ==
               IMP_NOT_CONVERGED &&
           isfinite(length(p)) && info.iterations < 100,
       "no stop: p is where the process stood, after %d steps", info.iterations);
    const double curved[6] = {0.85308918541278167, 0.76102030323317227, 0.73591646302528646,
                              0.67888787226024949, 0.65649334140228421, 0.63483754080131816},
                 slow[3] = {-0.041799337512594986, -8.5676701242899e-09, -2.7552220115484694e-10};
    p[0] = NAN;
    ok(imp_darboux(curved, slow, 213.41606941708758, 0.25116624383888031, IMP_POISSON, p, NULL,
                   &info) == IMP_NOT_CONVERGED &&
           isfinite(length(p)) && info.iterations < 100,
       "nor beside such a ray, after %d steps", info.iterations);
}

/* Of rank two, or one and rounding: statuses and finite answers; u = W p + q still approaches
 * for one in 1e5, which a certificate sees. */
static void test_singular(void) {
    const uint64_t many = (uint64_t)tap_many(40000, 1000000);
    int wrong = 0, solved = 0, endless = 0, off = 0, steps = 0;
    for (uint64_t k = 0; k < many; k++) {
        gen_stream s = gen_seed(921, k);
        gen_problem g = {.mu = gen_power10(&s, -2, 1), .e = k % 3 ? gen_uniform(&s, 0, 1) : 0};
        const double small = k % 2 ? 1 : gen_power10(&s, -16, 0);
        double a[2][3], p[3] = {0}, u[3];
        for (int j = 0; j < 6; j++)
            a[j / 3][j % 3] = gen_normal(&s);
        for (int i = 0, n = 0; i < 3; i++) {
            g.q[i] = gen_normal(&s);
            for (int j = i; j < 3; j++)
                g.W[n++] = a[0][i] * a[0][j] + small * a[1][i] * a[1][j];
        }
        imp_info info = {0};
        const imp_status status =
            imp_darboux(g.W, g.q, g.mu, g.e, (imp_darboux_law)(k % 3), p, NULL, &info);
        velocity(&g, p, u);
        const double size = fabs(g.q[0]) + length(p) * length(g.W);
        solved += status == IMP_OK;
        endless += status == IMP_NOT_CONVERGED;
        steps = info.iterations > steps ? info.iterations : steps;
        wrong += !(status == IMP_OK || status == IMP_NOT_CONVERGED || status == IMP_NOT_POSITIVE) ||
                 !isfinite(length(p)) || p[0] < 0;
        off += status == IMP_OK && !(u[0] >= -1e-12 * size);
    }
    ok(wrong == 0 && solved > 10000 && endless < 1e-3 * solved && off < 1e-4 * solved &&
           steps < 100,
       "W singular to rounding: %d solved, %d of them wrong, %d without an end, in %d steps at "
       "most",
       solved, off, endless, steps);
}

/* A residual by its name; NaN where there is none. */
static double named(const gen_problem *g, const imp_law *law, const double p[3], const char *name) {
    gen_dense dense;
    imp_certificate c = {0};
    gen_dense_of(g, &dense);
    (void)imp_certify(&dense.problem, law, NULL, p, NULL, &c);
    return imp_certificate_residual(&c, name);
}

/* What the certificate does not follow, and what it need not. */
static void test_unfollowed(void) {
    const double W[9] = {2, 0, 0, 0, 3.6, 0, 0, 0, 2.6}, q[3] = {-0x1p-1060, 0, 1}, mu = 1.4, e = 0,
                 p[3] = {0x1p-1060, 0, 0};
    const imp_operator op = imp_operator_dense(1, W);
    const imp_problem problem = {.nc = 1, .W = &op, .q = q, .mu = &mu, .e = &e};
    imp_certificate c = {0};
    ok(imp_certify(&problem, laws[0], NULL, p, NULL, &c) == IMP_OK && isinf(c.worst),
       "an approach of 1e-319 of the slip is not followed");
    const double fast[3] = {-1, 0, 1}, endless[3] = {INFINITY, 0, 0};
    const imp_problem plain = {.nc = 1, .W = &op, .q = fast, .mu = &mu, .e = &e};
    c = (imp_certificate){0};
    const imp_status status = imp_certify(&plain, laws[0], NULL, endless, NULL, &c);
    ok(status == IMP_NOT_FINITE || isinf(c.worst), "nor an impulse that is none");
    /* in units of the approach it is 1e320 */
    const gen_problem slow = {.W = {2, 0, 0, 3.6, 0, 2.6}, .q = {-1e-300, 0, 1e-300}},
                      away = {.W = {2, 0, 0, 3.6, 0, 2.6}, .q = {1, 0, 1}, .mu = 1};
    const double pulls[3] = {-1e20, 0, 0}, pushes[3] = {1e-3, 0, 0}, nothing[3] = {0};
    for (int law = 0; law < 3; law++) {
        ok(isinf(named(&slow, laws[law], pulls, "path")) &&
               isinf(named(&slow, laws[law], pulls, "stopping")),
           "%s: nor one beyond double beside the approach", laws[law]->name);
        ok(named(&away, laws[law], pushes, "stopping") == 1 &&
               named(&away, laws[law], nothing, "stopping") == 0,
           "%s: where nothing approaches, any impulse is wrong", laws[law]->name);
    }
}

/* Tangents that move as one: at rest it sticks, by friction along the second of them. */
static void test_one_tangent(void) {
    const gen_problem g = {.W = {2, 0.5, 0.5, 1, 1, 1}, .q = {-1, 0, 0}, .mu = 1};
    const double rise = 2 - 0.25, p[3] = {1 / rise, 0, -0.5 / rise},
                 other[3] = {1.01 / rise, 0, -0.5 / rise};
    for (int law = 0; law < 3; law++)
        ok(gen_residual(&g, laws[law], p) < 1e-14 && gen_residual(&g, laws[law], other) > 1e-3,
           "%s: tangents that move as one stick", laws[law]->name);
}

int main(void) {
    test_edges();
    test_one_tangent();
    test_faint_friction();
    test_no_stop();
    test_singular();
    test_unfollowed();
    return tap_done();
}
