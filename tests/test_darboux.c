/* test_darboux.c - the Darboux-Keller impact against reference rows, on random impacts, at every
 * scale. */
#include "benchmarks/harness/impact_rows.h"
#include "generators/gen_impacts.h"
#include "impact.h"
#include "one_impact.h"
#include "tap.h"

static const char *const table = "reference/data/mirtich_darboux.tsv";
static const imp_law *const laws[] = {&imp_law_darboux_stronge, &imp_law_darboux_poisson,
                                      &imp_law_darboux_newton};

/* "sC,dC" of a path, with the letter d written s: whether slip is on the diverging ray is a matter
 * of how one got there. */
static void phases_of(const imp_darboux_path *path, char text[64]) {
    int n = 0;
    for (int i = 0; i < path->segments; i++)
        n += snprintf(text + n, (size_t)(64 - n), "%s%c%c", i ? "," : "",
                      path->segment[i].kind == 'd' ? 's' : path->segment[i].kind,
                      path->segment[i].phase);
}

/* The slip ends where u_n turns: no slip is left for a decompression of its own, and the contact
 * sticks. */
static void test_together(void) {
    const double W[6] = {2, -1, 0, 2, 0, 2}, q[3] = {-3, 3, 0}, want[3] = {3, 0, 0};
    double p[3];
    imp_darboux_path path = {.capacity = 0};
    char phases[64];
    const imp_status status = imp_darboux(W, q, 1, 1, IMP_NEWTON, p, &path, NULL);
    phases_of(&path, phases);
    ok(status == IMP_OK && memcmp(p, want, sizeof p) == 0 && path.work_c == -1.5 &&
           path.work_d == 3,
       "slip and compression end together: p and works to the bit");
    ok(strcmp(phases, "sC,kD") == 0 && path.segment[0].p_n == 1 && path.segment[1].p_n == 3,
       "and there is no segment between: %s", phases);
}

/* ---- the reference rows ---- */

static void check_row(const impact_row *row) {
    const gen_problem *g = &row->problem;
    const double tolerance = 1e-13 * fmax(1, row->condition);
    double p[3], u[3], bare[3];
    imp_darboux_path path = {.capacity = 0};
    const imp_status status = imp_darboux(g->W, g->q, g->mu, g->e, row->law, p, &path, NULL);
    const imp_status again = imp_darboux(g->W, g->q, g->mu, g->e, row->law, bare, NULL, NULL);
    velocity(g, p, u);
    const impact_answer answer = {
        {p[0], p[1], p[2]}, {path.u[0], path.u[1], path.u[2]}, {path.work_c, path.work_d}};
    const double off[3] = {u[0] - path.u[0], u[1] - path.u[1], u[2] - path.u[2]};
    char got[64], want[64];
    phases_of(&path, got);
    (void)snprintf(want, sizeof want, "%s", row->phases);
    for (char *c = want; *c; c++)
        *c = *c == 'd' ? 's' : *c;
    bool events = path.segments == row->events;
    for (int i = 0; events && i < row->events; i++)
        events = fabs(path.segment[i].p_n - row->p_n[i]) <= tolerance * row->answer.p[0];
    const double distance = impact_distance(g->q, &answer, &row->answer);
    const bool good = status == IMP_OK && again == IMP_OK && distance <= tolerance;
    ok(good && memcmp(p, bare, sizeof p) == 0 && strcmp(got, want) == 0 && events &&
           length(off) <= tolerance * (length(g->q) + length(u)) &&
           fabs(energy(g, p) - row->energy) <=
               4 * tolerance * (fabs(row->energy) + length(p) * length(g->q)),
       "%s: %s, u, p and works to %.1e of %.1e", row->id, want, distance, tolerance);
    if (strcmp(got, want) != 0) diag("phases %s", got);
}

static void test_rows(impact_row *rows) {
    const int count = impact_rows_read(table, rows, IMPACT_ROWS);
    ok(count == 212, "%s holds %d impacts", table, count);
    for (int i = 0; i < count; i++)
        check_row(&rows[i]);
}

/* ---- random impacts: the certificate, the energy, the phases ---- */

/* W nearly singular or a graze: the certificate sees the problem's own sensitivity there. */
static bool is_delicate(gen_impact_class c) {
    return c == GEN_IMPACT_SPD || c == GEN_IMPACT_GRAZE;
}

static void test_class(gen_impact_class c) {
    enum { EACH = 240 };
    int failed = 0, above = 0, gained = 0, compressions = 0, cut = 0;
    double worst = 0;
    for (uint64_t i = 0; i < EACH; i++) {
        const gen_problem g = gen_impact(c, i);
        const imp_darboux_law law = (imp_darboux_law)(i % 3);
        double p[3] = {0};
        imp_darboux_path path = {.capacity = 0};
        failed += imp_darboux(g.W, g.q, g.mu, g.e, law, p, &path, NULL) != IMP_OK;
        const double r = gen_residual(&g, laws[law], p);
        worst = tap_worst(worst, r);
        above += !(r <= (is_delicate(c) ? 1e-6 : 1e-11));
        int phases = 0;
        for (int k = 0; k < path.segments; k++)
            phases += path.segment[k].phase == 'C' && (k == 0 || path.segment[k - 1].phase == 'D');
        compressions = phases > compressions ? phases : compressions;
        cut += path.segments > 5;
        if (law != IMP_NEWTON) gained += !(energy(&g, p) <= 1e-11 * impact_energy_at_stake(&g));
    }
    ok(failed == 0, "%s: %d impacts solved", gen_impact_name(c), (int)EACH);
    ok(above == 0, "%s: on the path, in the cone, stopped by the law to %.1e", gen_impact_name(c),
       worst);
    ok(gained == 0, "%s: Stronge's and Poisson's laws never gain energy", gen_impact_name(c));
    ok(compressions <= 2 && cut == 0, "%s: at most %d compressions in at most five segments",
       gen_impact_name(c), compressions);
}

/* Impacts at the edge of a method: rays so near to each other that a^2 passes e^1143 between them;
 * a slender body beside a stationary ray, whose slip lasts a thousand times its usual p_n. */
static void test_hard(void) {
    static const struct {
        gen_impact_class class;
        uint64_t index;
    } hard[] = {
        {GEN_IMPACT_DOUBLE_RAY, 17089}, {GEN_IMPACT_BOUNDARY, 40858}, {GEN_IMPACT_BOUNDARY, 68218}};
    for (int i = 0; i < 3; i++) {
        const gen_problem g = gen_impact(hard[i].class, hard[i].index);
        const imp_darboux_law law = (imp_darboux_law)(hard[i].index % 3);
        double p[3] = {NAN, NAN, NAN};
        imp_info info = {0};
        const imp_status status = imp_darboux(g.W, g.q, g.mu, g.e, law, p, NULL, &info);
        const double r = status == IMP_OK ? gen_residual(&g, laws[law], p) : INFINITY;
        ok(r <= 1e-11 && info.iterations < 60, "%s %d: %.1e in %d Taylor steps",
           gen_impact_name(hard[i].class), (int)hard[i].index, r, info.iterations);
    }
}

/* ---- scales ---- */

/* Powers of two in W and q change nothing but the exponents of p. */
static void test_scales(void) {
    int different = 0, count = 0;
    for (uint64_t i = 0; i < 60; i++)
        for (int s = 0; s < 4; s++) {
            gen_problem g = gen_impact((gen_impact_class)(i % GEN_IMPACT_CLASSES), i), t = g;
            const int w = s % 2 ? 498 : -498, v = s / 2 ? 498 : -498; /* 1e150, 1e-150 */
            for (int k = 0; k < 6; k++)
                t.W[k] = ldexp(g.W[k], w);
            for (int k = 0; k < 3; k++)
                t.q[k] = ldexp(g.q[k], v);
            double p[3], r[3];
            const imp_darboux_law law = (imp_darboux_law)(i % 3);
            const bool solved = imp_darboux(g.W, g.q, g.mu, g.e, law, p, NULL, NULL) == IMP_OK &&
                                imp_darboux(t.W, t.q, t.mu, t.e, law, r, NULL, NULL) == IMP_OK;
            for (int k = 0; k < 3; k++)
                different += !(solved && r[k] == ldexp(p[k], v - w));
            count++;
        }
    ok(different == 0, "%d impacts in units of 1e150 and 1e-150 are the same, bit for bit", count);
}

/* q_n and the slip far apart, and any friction. */
static void test_ratios(void) {
    static const double slips[] = {1e-300, 1e-150, 1e-30, 1, 1e30, 1e150},
                        friction[] = {1e-300, 1e-8, 1, 1e8, 1e300};
    int wrong = 0, count = 0;
    for (uint64_t i = 0; i < 24; i++)
        for (int s = 0; s < 6; s++)
            for (int m = 0; m < 5; m++) {
                gen_problem g = gen_impact(GEN_IMPACT_BODY, i);
                const double slip = hypot(g.q[1], g.q[2]);
                for (int k = 1; k < 3; k++)
                    g.q[k] *= slips[s] / slip;
                g.mu = friction[m];
                double p[3] = {NAN, NAN, NAN};
                const imp_darboux_law law = (imp_darboux_law)(i % 3);
                const imp_status status = imp_darboux(g.W, g.q, g.mu, g.e, law, p, NULL, NULL);
                /* as far as the certificate's own arithmetic goes */
                const bool judged = g.mu <= 1e8 && slips[s] <= 1e30;
                const double r = judged ? gen_residual(&g, laws[law], p) : 0;
                const bool good = status == IMP_OK && isfinite(length(p)) && r <= 1e-9;
                if (!good && wrong++ < 5)
                    diag("slip %g, mu %g, problem %d: %s, residual %.2g", slips[s], g.mu, (int)i,
                         imp_status_text(status), r);
                count++;
            }
    ok(wrong == 0,
       "%d impacts with slip 1e-300 to 1e150 of the approach and friction 1e-300 to 1e300", count);
}

/* ---- what is no impact, and what is no problem ---- */

static void test_no_impact(void) {
    const double W[6] = {1, 0.2, 0.1, 3, 0.3, 4}, jammed[6] = {1, 2.5, 0, 8, 0, 3};
    const double parting[3] = {1e-3, 1, 2}, resting[3] = {0, 1, 2}, wedged[3] = {0, 1, 0};
    double p[3] = {1, 1, 1};
    imp_darboux_path path = {.capacity = 0};
    ok(imp_darboux(W, parting, 0.5, 0.5, IMP_STRONGE, p, &path, NULL) == IMP_OK && length(p) == 0 &&
           path.segments == 0,
       "a parting contact has no impact");
    ok(memcmp(path.u, parting, sizeof parting) == 0, "and keeps its velocity");
    ok(imp_darboux(W, resting, 0.5, 0.5, IMP_STRONGE, p, NULL, NULL) == IMP_OK && length(p) == 0,
       "nor has one that does not approach");
    ok(imp_darboux(jammed, wedged, 1, 0.5, IMP_STRONGE, p, NULL, NULL) == IMP_OK && length(p) == 0,
       "even where slip would press it in");
}

static void test_faults(void) {
    const double W[6] = {1, 0.2, 0.1, 3, 0.3, 4}, q[3] = {-1, 1, 2};
    int wrong = 0;
    for (int i = 0; i < 11; i++)
        for (int bad = 0; bad < 2; bad++) {
            double V[6], v[3], mu = 0.5, e = 0.5, p[3] = {7, 8, 9};
            memcpy(V, W, sizeof V);
            memcpy(v, q, sizeof v);
            *(i < 6 ? &V[i] : i < 9 ? &v[i - 6] : i == 9 ? &mu : &e) = bad ? INFINITY : NAN;
            const imp_status status = imp_darboux(V, v, mu, e, IMP_STRONGE, p, NULL, NULL);
            wrong += !(status == IMP_NOT_FINITE && p[0] == 7 && p[1] == 8 && p[2] == 9);
        }
    ok(wrong == 0, "NaN or infinity anywhere: not finite, p untouched");
    const double flat[6] = {1, 1, 0, 1, 0, 1}, negative[6] = {-1, 0, 0, 1, 0, 1}, zero[6] = {0};
    double p[3] = {7, 8, 9};
    ok(imp_darboux(flat, q, 0.5, 0.5, IMP_STRONGE, p, NULL, NULL) == IMP_NOT_POSITIVE &&
           imp_darboux(negative, q, 0.5, 0.5, IMP_STRONGE, p, NULL, NULL) == IMP_NOT_POSITIVE &&
           imp_darboux(zero, q, 0.5, 0.5, IMP_STRONGE, p, NULL, NULL) == IMP_NOT_POSITIVE,
       "W singular, indefinite, zero: not positive definite");
    ok(imp_darboux(W, q, -0.1, 0.5, IMP_STRONGE, p, NULL, NULL) == IMP_BAD_FRICTION,
       "negative friction");
    ok(imp_darboux(W, q, 0.5, -0.1, IMP_STRONGE, p, NULL, NULL) == IMP_BAD_RESTITUTION &&
           imp_darboux(W, q, 0.5, 1.1, IMP_STRONGE, p, NULL, NULL) == IMP_BAD_RESTITUTION,
       "restitution outside [0, 1]");
    ok(imp_darboux(W, q, 0.5, 0.5, IMP_COMPLIANT, p, NULL, NULL) == IMP_BAD_ARGUMENT &&
           imp_darboux_compliant(W, q, 0.5, -1, p, NULL, NULL) == IMP_BAD_ARGUMENT &&
           imp_darboux_compliant(W, q, 0.5, NAN, p, NULL, NULL) == IMP_NOT_FINITE,
       "a law that takes another parameter");
    ok(p[0] == 7 && p[1] == 8 && p[2] == 9, "p untouched by all of them");
    const double light[6] = {1e-200, 0, 0, 1e-200, 0, 1e-200}, fast[3] = {-1e200, 0, 0};
    ok(imp_darboux(light, fast, 0.5, 0.5, IMP_STRONGE, p, NULL, NULL) == IMP_OVERFLOW &&
           length(p) == 0,
       "an impulse of 1e400 is an overflow, not an infinity");
    const double quick[6] = {1e-150, 0, 0, 1e-150, 0, 1e-150}, speed[3] = {-1e150, 0, 0};
    imp_darboux_path path = {.capacity = 0};
    ok(imp_darboux(quick, speed, 0.5, 0.5, IMP_STRONGE, p, NULL, NULL) == IMP_OK &&
           fabs(p[0] / 1.5e300 - 1) < 1e-15 &&
           imp_darboux(quick, speed, 0.5, 0.5, IMP_STRONGE, p, &path, NULL) == IMP_OVERFLOW,
       "a work of 1e450 too, but only where works are wanted");
    const double held[6] = {1e-300, 0, 0, 1e-300, 0, 1e-300}, slid[3] = {-1, 1e9, 0};
    p[0] = 7;
    ok(imp_darboux(held, slid, 1e10, 0, IMP_STRONGE, p, &path, NULL) == IMP_OVERFLOW &&
           length(p) == 0 && isfinite(path.work_c) && isfinite(path.work_d),
       "friction beyond double, of works that are not");
    /* the contact of test_together, works of -1.5 and 3 times 2^1023 */
    double soft[6] = {2, -1, 0, 2, 0, 2}, hard[3] = {-3, 3, 0};
    for (int k = 0; k < 6; k++)
        soft[k] *= 0x1p-501;
    for (int k = 0; k < 3; k++)
        hard[k] *= 0x1p261;
    ok(imp_darboux(soft, hard, 1, 1, IMP_NEWTON, p, NULL, NULL) == IMP_OK && p[0] == 3 * 0x1p762 &&
           imp_darboux(soft, hard, 1, 1, IMP_NEWTON, p, &path, NULL) == IMP_OVERFLOW &&
           path.work_c == -1.5 * 0x1p1023 && isinf(path.work_d) && length(p) == 0,
       "works of which that of decompression alone is beyond double");
}

/* ---- the certificate can fail ---- */

static void test_certificate(void) {
    int blind = 0, count = 0;
    for (uint64_t i = 0; i < 60; i++) {
        const gen_problem g = gen_impact(GEN_IMPACT_BODY, i);
        const imp_darboux_law law = (imp_darboux_law)(i % 3);
        double p[3];
        (void)imp_darboux(g.W, g.q, g.mu, g.e, law, p, NULL, NULL);
        for (int k = 0; k < 3; k++)
            for (int side = -1; side <= 1; side += 2) {
                double off[3] = {p[0], p[1], p[2]};
                off[k] += side * 1e-6 * length(p);
                blind += !(gen_residual(&g, laws[law], off) > 1e-8);
                count++;
            }
        const double none[3] = {0, 0, 0};
        blind += !(gen_residual(&g, laws[law], none) > 0.1);
    }
    ok(blind == 0, "the certificate refuses %d answers that are off by 1e-6", count);
}

/* A normal velocity orders of magnitude below the slip: accepted, and half a percent beside it is
 * not. */
static void test_grazing(void) {
    const double W[9] = {2, 0.7, -0.3, 0.7, 3, 0.2, -0.3, 0.2, 2.5}, mu = 0.4, e = 0.5;
    const imp_model *const models[] = {&imp_model_darboux_stronge, &imp_model_darboux_poisson,
                                       &imp_model_darboux_newton};
    const imp_operator op = imp_operator_dense(1, W);
    for (int m = 0; m < 3; m++) {
        double worst = 0, least = INFINITY;
        for (int decades = 0; decades <= 140; decades += 5) {
            const double q[3] = {-pow(10, -decades), 0.5, 0.3};
            const imp_problem problem = {.nc = 1, .W = &op, .q = q, .mu = &mu, .e = &e};
            imp_certificate c;
            double p[3];
            const imp_status status =
                imp_solve_certified(models[m], &problem, NULL, p, NULL, &c, NULL);
            worst = tap_worst(worst, status == IMP_OK ? c.worst : INFINITY);
            for (int i = 0; i < 3; i++)
                p[i] *= 1.01;
            if (imp_certify(&problem, models[m]->law, NULL, p, NULL, &c) == IMP_OK)
                least = fmin(least, c.worst);
        }
        ok(worst < 1e-14, "%s: q_n down to 1e-140 of the slip, residual %.1e", models[m]->name,
           worst);
        ok(least > 4e-3 && least < 1, "%s: a hundredth more has residual %.1e", models[m]->name,
           least);
    }
}

/* Of W to a condition of 1e8, whose small pivots are what is left of larger ones. */
static void test_slender(void) {
    enum { COUNT = 4000 };
    int refused = 0;
    for (uint64_t k = 0; k < COUNT; k++) {
        const gen_problem g = gen_impact(GEN_IMPACT_SPD, k);
        gen_dense dense;
        double p[3];
        gen_dense_of(&g, &dense);
        refused += imp_solve(&imp_model_darboux_stronge, &dense.problem, NULL, p, NULL) != IMP_OK;
    }
    ok(refused <= COUNT / 400, "of %d impacts of condition to 1e8 %d are not certified", COUNT,
       refused);
}

/* What the answer leaves of Stronge's law; INFINITY: there is none. */
static double left_by_stronge(const double W[6], const double q[3], double mu, double e) {
    const double dense[9] = {W[0], W[1], W[2], W[1], W[3], W[4], W[2], W[4], W[5]};
    const imp_operator op = imp_operator_dense(1, dense);
    const imp_problem problem = {.nc = 1, .W = &op, .q = q, .mu = &mu, .e = &e};
    imp_certificate c = {0};
    double p[3];
    const bool good = imp_darboux(W, q, mu, e, IMP_STRONGE, p, NULL, NULL) == IMP_OK &&
                      imp_certify(&problem, &imp_law_darboux_stronge, NULL, p, NULL, &c) == IMP_OK;
    return good ? c.worst : INFINITY;
}

/* Slip along a ray on which u_n is the same for long, and the law stops soon; and one that leads
 * far, beside whose work that of a little restitution is nothing. */
static void test_rays(void) {
    const double steady =
                     left_by_stronge((const double[6]){0.43205505351012802, 0.014399145326832374,
                                                       -1.0532221400503179, 0.0004825222495191151,
                                                       -0.035101042487046749, 2.5674624242403525},
                                     (const double[3]){-0.3341366319492447, 0.36411972097460149,
                                                       0.86935006757174249},
                                     9.9458283279444224, 0.94461377961028725),
                 far = left_by_stronge((const double[6]){12, -6, 4, 9, 2, 12},
                                       (const double[3]){-3, 0, 3}, 1, 0.0020093253285978774);
    ok(steady <= 1e-14, "a ray along which u_n is steady: residual %.1e", steady);
    ok(far <= 1e-14, "the first steps of a long ray: residual %.1e", far);
}

/* Friction beyond all measure stops the slip within hardly any p_n, by the impulse p_f = -M^-1 q_f
 * all the same; a slip that costs none of it is none. */
static void test_huge_friction(void) {
    double worst = 0, residual = 0, least = INFINITY;
    for (int decades = 4; decades <= 300; decades += 4)
        for (int size = -8; size <= 2; size += 2)
            for (int law = 0; law < 3; law++) {
                const double slip = pow(10, size);
                const gen_problem g = {.W = {2, 0, 0, 3, 0, 3},
                                       .q = {-1, 0.6 * slip, 0.8 * slip},
                                       .mu = pow(10, decades),
                                       .e = 0.5};
                const double want[3] = {0.75, -0.2 * slip, -0.8 / 3 * slip};
                double p[3];
                if (g.mu < 10 * slip) continue; /* slips to the end */
                const imp_status status =
                    imp_darboux(g.W, g.q, g.mu, g.e, (imp_darboux_law)law, p, NULL, NULL);
                const double off[3] = {p[0] - want[0], p[1] - want[1], p[2] - want[2]};
                worst = tap_worst(worst, status == IMP_OK ? length(off) / length(want) : INFINITY);
                residual = tap_worst(residual, gen_residual(&g, laws[law], p));
                const double without[3] = {p[0], 0, 0};
                least = fmin(least, gen_residual(&g, laws[law], without) / slip);
            }
    ok(worst < 1e-14 && residual < 1e-14, "mu to 1e300: %.1e, residual %.1e", worst, residual);
    ok(least > 1e-3, "the certificate misses the friction that stops a slip: %.1e of it", least);
}

/* Where nothing closes the path ends with the velocity that it began with, whatever its units. */
static void test_separating(void) {
    static const double cases[3][3] = {{0.5, 0, 0}, {1e140, 0, 1e-100}, {1e-140, -1e140, 0}};
    const double W[6] = {2, 0.5, -0.25, 3, 0.75, 4};
    for (int k = 0; k < 3; k++) {
        imp_darboux_point point = {0};
        imp_darboux_path path = {.points = &point, .capacity = 1};
        double p[3];
        int off = 0;
        const imp_status status = imp_darboux(W, cases[k], 0.5, 0.5, IMP_POISSON, p, &path, NULL);
        for (int i = 0; i < 3; i++) {
            off += !tap_near(path.u[i], cases[k][i], 0, 1e-15);
            off += !tap_near(point.u[i], cases[k][i], 0, 1e-15);
        }
        ok(status == IMP_OK && path.count == 1 && off == 0, "separating at %g: %d off", cases[k][0],
           off);
    }
}

int main(void) {
    static impact_row rows[IMPACT_ROWS];
    test_rows(rows);
    for (int c = 0; c < GEN_IMPACT_CLASSES; c++)
        test_class((gen_impact_class)c);
    test_hard();
    test_scales();
    test_ratios();
    test_no_impact();
    test_together();
    test_faults();
    test_certificate();
    test_grazing();
    test_slender();
    test_huge_friction();
    test_rays();
    test_separating();
    return tap_done();
}
