/* test_coulomb.c - all Coulomb solutions of one contact: the reference rows, every class of
 * problems, and symmetries.
 */
#include "generators/gen.h"
#include "impact.h"
#include "reference/oracle/sheet.h"
#include "tap.h"

static double number(const sheet *t, int row, const char *column) {
    return (double)sheet_number(t, row, column);
}

static double largest(const double p[3]) {
    return fmax(fabs(p[0]), fmax(fabs(p[1]), fabs(p[2])));
}

/* One row: the solution of that index, against the largest impulse and the largest energy of its
 * problem. */
static bool row_matches(const sheet *t, int row, const imp_coulomb_set *set) {
    const int k = (int)number(t, row, "index");
    if (number(t, row, "count") != set->count || k >= set->count) return false;
    const imp_coulomb_solution *x = &set->solution[k];
    const double p[3] = {number(t, row, "p1"), number(t, row, "p2"), number(t, row, "p3")};
    const double u[3] = {number(t, row, "u1"), number(t, row, "u2"), number(t, row, "u3")};
    double push = 0, energy = 0;
    for (int i = 0; i < set->count; i++) {
        push = fmax(push, largest(set->solution[i].p));
        energy = fmax(energy, fabs(set->solution[i].energy));
    }
    bool good = strcmp(imp_coulomb_kind_text(x->kind), sheet_text(t, row, "kind")) == 0;
    for (int i = 0; i < 3; i++)
        good = good && fabs(x->p[i] - p[i]) <= 1e-12 * push && tap_near(x->u[i], u[i], 0, 1e-12);
    return good && tap_near(x->kappa, number(t, row, "kappa"), 0, 1e-12) &&
           tap_near(x->energy, number(t, row, "energy"), 1e-12 * energy, 0);
}

static void reference_rows(void) {
    static const char *const W[] = {"W11", "W12", "W13", "W22", "W23", "W33"};
    sheet *t = sheet_read("reference/data/preclik2017_coulomb.tsv");
    ok(t != NULL, "the reference opens");
    if (!t) return;
    ok(t->rows > 100, "it has %d rows", t->rows);
    for (int row = 0; row < t->rows; row++) {
        gen_problem g = {.q = {number(t, row, "q1"), number(t, row, "q2"), number(t, row, "q3")}};
        for (int i = 0; i < 6; i++)
            g.W[i] = number(t, row, W[i]);
        g.mu = number(t, row, "mu");
        imp_coulomb_set set = {0};
        const imp_status status = imp_coulomb_enumerate(g.W, g.q, g.mu, &set);
        const double best = number(t, row, "least_energy"),
                     own = set.solution[set.maxdiss < 0 ? 0 : set.maxdiss].energy;
        const bool known = (set.maxdiss < 0 ? own > best : tap_near(own, best, 0, 1e-12)) &&
                           tap_near(set.eccentricity, number(t, row, "eccentricity"), 0, 1e-14) &&
                           tap_near(set.unique_below, number(t, row, "unique_below"), 0, 1e-12);
        ok(status == IMP_OK && set.proven && known && row_matches(t, row, &set), "row %s.%s, %s",
           sheet_text(t, row, "id"), sheet_text(t, row, "index"), sheet_text(t, row, "tag"));
    }
    sheet_free(t);
}

/* From the definitions in extended precision: u = W p + q, the sum of the absolute values that make
 * it up, the energy 1/2 p.(u + q), and the sum of absolute values that makes that up. */
typedef struct truth {
    long double u[3], size[3], energy, stake;
} truth;

static truth truth_of(const gen_problem *g, const double p[3]) {
    const double *w = g->W, W[9] = {w[0], w[1], w[2], w[1], w[3], w[4], w[2], w[4], w[5]};
    truth t = {.energy = 0};
    for (int i = 0; i < 3; i++) {
        t.u[i] = g->q[i];
        t.size[i] = fabsl(t.u[i]);
        for (int j = 0; j < 3; j++) {
            t.u[i] += (long double)W[3 * i + j] * p[j];
            t.size[i] += fabsl((long double)W[3 * i + j] * p[j]);
        }
        t.energy += 0.5L * p[i] * (t.u[i] + g->q[i]);
        t.stake += fabsl((long double)p[i]) * t.size[i];
    }
    return t;
}

/* How far the solution is from what it says of itself, relative to what enters. */
static double claims(const gen_problem *g, const imp_coulomb_solution *x) {
    const truth t = truth_of(g, x->p);
    long double worst = t.stake > 0 ? fabsl(t.energy - x->energy) / t.stake : 0;
    for (int i = 0; i < 3; i++)
        if (t.size[i] > 0) worst = fmaxl(worst, fabsl(t.u[i] - x->u[i]) / t.size[i]);
    if (x->kind == IMP_SLIP && g->mu > 0) {
        const long double z = hypotl(x->p[1], x->p[2]), limit = (long double)g->mu * x->p[0];
        worst = fmaxl(worst, fabsl(z - limit) / limit);
        for (int i = 1; i < 3; i++)
            worst = fmaxl(worst, fabsl(x->u[i] + (long double)x->kappa * x->p[i]) / (x->kappa * z));
    }
    return (double)worst;
}

/* What theory says of the whole set: kinds in their places, by rising kappa and energy, 1 or 3
 * unless q_n = 0. */
static bool plausible(const gen_problem *g, const imp_coulomb_set *set) {
    const int last = set->count - 1;
    int zeros = 0;
    bool good = set->count >= 1 && set->count <= 3 && (g->q[0] == 0 || set->count != 2);
    for (int i = 0; i <= last && good; i++) {
        const imp_coulomb_solution *x = &set->solution[i];
        zeros += x->kind == IMP_ZERO;
        good =
            (x->kind == IMP_ZERO ? i == last && largest(x->p) == 0 : x->p[0] > 0 && x->energy < 0);
        good = good && (x->kind != IMP_STICK || (i == 0 && x->kappa == 0)) &&
               (x->kind != IMP_SLIP || x->kappa > 0);
        if (i > 0 && x->kind == IMP_SLIP) good = good && x->kappa > set->solution[i - 1].kappa;
        if (i > 0) good = good && x->energy >= set->solution[i - 1].energy;
    }
    return good && zeros == (g->q[0] >= 0) && (!set->unique || set->count == 1);
}

/* No solution dissipates more than maximum dissipation does, and the set knows which one is that,
 * to the rounding of the energy. For q_n > 0 maximum dissipation means p = 0, and jams that lose
 * more are left out. */
static bool agrees_with_maxdiss(gen_class c, const gen_problem *g, const imp_coulomb_set *set) {
    double p[3];
    /* its own test judges that */
    if (imp_maxdiss(g->W, g->q, g->mu, 0, p, NULL) != IMP_OK) return true;
    const truth best = truth_of(g, p);
    /* what rounding off the conic may gain by */
    const double multiplier = 1 + 1 / fabs(1 - set->eccentricity);
    for (int i = 0; i < set->count; i++) {
        const truth t = truth_of(g, set->solution[i].p);
        const double noise = 1e-15 * multiplier * (double)(t.stake + best.stake),
                     more = (double)(t.energy - best.energy);
        if (g->q[0] <= 0 && more < -noise) return false;
        if (i == set->maxdiss && fabs(more) > noise) return false;
        /* built with ties */
        if (i != set->maxdiss && g->q[0] <= 0 && more == 0 && c != GEN_ADVERSARIAL) return false;
    }
    return true;
}

static void every_class(void) {
    enum { EACH = 1300 };
    for (gen_class c = 0; c < GEN_CLASSES; c++) {
        double residual = 0, claimed = 0;
        int odd = 0, several = 0, unproven = 0, disagree = 0;
        for (uint64_t k = 0; k < EACH; k++) {
            const gen_problem g = gen_make(c, k);
            imp_coulomb_set set = {0};
            const imp_status status = imp_coulomb_enumerate(g.W, g.q, g.mu, &set);
            const bool proven = (status == IMP_OK && set.proven) || g.excluded;
            const bool fits = status != IMP_OK || plausible(&g, &set),
                       known = agrees_with_maxdiss(c, &g, &set);
            unproven += !proven;
            odd += !fits;
            several += set.count > 1;
            disagree += !known;
            double worst = 0;
            for (int i = 0; i < set.count; i++) {
                residual = fmax(residual, worst = fmax(worst, gen_residual(&g, &imp_law_coulomb,
                                                                           set.solution[i].p)));
                claimed = fmax(claimed, worst = fmax(worst, claims(&g, &set.solution[i])));
            }
            if (!proven || !fits || !known || !(worst <= 1e-12))
                gen_print_row(stderr, gen_name(c), &g);
        }
        note("%s: %d of %d with several, residual %.1e, claims %.1e", gen_name(c), several, EACH,
             residual, claimed);
        ok(unproven == 0, "%s: proven complete (%d not)", gen_name(c), unproven);
        ok(odd == 0, "%s: counts, kinds, order, uniqueness as theory has them (%d not)",
           gen_name(c), odd);
        ok(disagree == 0, "%s: maximum dissipation is best and known (%d not)", gen_name(c),
           disagree);
        ok(residual <= 1e-12 && claimed <= 1e-12, "%s: each is a solution: %.1e, %.1e", gen_name(c),
           residual, claimed);
    }
}

/* How often there are several, against the frequencies of 3e5 problems found elsewhere: within four
 * deviations. */
static void frequencies(void) {
    enum { MANY = 40000 };
    const double want[] = {1.2e-2, 4.1e-3, 1.8e-3};
    static const char *const name[] = {"spd-4, mu 10", "spd-4, mu 1", "six-point, mu 10"};
    for (int f = 0; f < 3; f++) {
        int several = 0;
        for (uint64_t k = 0; k < MANY; k++) {
            const gen_problem g = f < 2 ? gen_spd(k, 4, f ? 1 : 10) : gen_six_point(k, 10);
            imp_coulomb_set set = {0};
            imp_coulomb_enumerate(g.W, g.q, g.mu, &set);
            several += set.count == 3;
        }
        const double rate = (double)several / MANY;
        ok(fabs(rate - want[f]) <= 4 * sqrt(want[f] / MANY),
           "%s: three solutions in %.2e, wanted %.2e", name[f], rate, want[f]);
    }
}

/* Does b hold a's solutions, each p mapped by the 3 x 3 matrix M and scaled, to `tolerance` of its
 * size? */
static bool same(const imp_coulomb_set *a, const imp_coulomb_set *b, const double M[9],
                 double scale, double tolerance) {
    bool good = a->count == b->count && a->proven == b->proven && a->maxdiss == b->maxdiss;
    for (int k = 0; k < a->count && good; k++) {
        const double *p = a->solution[k].p, *got = b->solution[k].p;
        double off = 0;
        for (int i = 0; i < 3; i++)
            off = fmax(off,
                       fabs(scale * (M[3 * i] * p[0] + M[3 * i + 1] * p[1] + M[3 * i + 2] * p[2]) -
                            got[i]));
        good = a->solution[k].kind == b->solution[k].kind && off <= tolerance * largest(got);
    }
    return good;
}

/* The problem seen in the frame with the rows of M as axes. */
static gen_problem turned(const gen_problem *g, const double M[9]) {
    const double *w = g->W, W[9] = {w[0], w[1], w[2], w[1], w[3], w[4], w[2], w[4], w[5]};
    double full[9] = {0};
    gen_problem r = *g;
    for (int i = 0; i < 3; i++) {
        r.q[i] = M[3 * i] * g->q[0] + M[3 * i + 1] * g->q[1] + M[3 * i + 2] * g->q[2];
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 9; k++)
                full[3 * i + j] += M[3 * i + k / 3] * W[k] * M[3 * j + k % 3];
    }
    const double packed[6] = {full[0], full[1], full[2], full[4], full[5], full[8]};
    memcpy(r.W, packed, sizeof packed);
    return r;
}

static gen_problem scaled(const gen_problem *g, double W, double q) {
    gen_problem r = *g;
    for (int i = 0; i < 6; i++)
        r.W[i] *= W;
    for (int i = 0; i < 3; i++)
        r.q[i] *= q;
    return r;
}

static void symmetries(void) {
    static const double mirror[9] = {1, 0, 0, 0, -1, 0, 0, 0, 1},
                        swap[9] = {1, 0, 0, 0, 0, 1, 0, 1, 0};
    static const double quarter[9] = {1, 0, 0, 0, 0, 1, 0, -1, 0},
                        turn[9] = {1, 0, 0, 0, 0.6, 0.8, 0, -0.8, 0.6};
    static const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const double powers[][2] = {
        {2, 8}, {0x1p-501, 0x1p-301}, {0x1p-500, 0x1p498}, {0x1p500, 0x1p-498}};
    for (gen_class c = 0; c < GEN_CLASSES; c++) {
        /* where rounding the data anew may change the answer, only what leaves the data exact is
         * asked */
        const bool steady = c <= GEN_SPD_1 || c == GEN_PAINLEVE || c == GEN_SPEED_BOX;
        int wrong[6] = {0};
        for (uint64_t k = 0; k < 200; k++) {
            const gen_problem g = gen_make(c, 5000 + k);
            imp_coulomb_set set = {0}, other = {0};
            if (imp_coulomb_enumerate(g.W, g.q, g.mu, &set) != IMP_OK) continue;
            const double *const frames[] = {mirror, quarter, swap, turn};
            for (int i = 0; i < (steady ? 4 : 3); i++) {
                const gen_problem r = turned(&g, frames[i]);
                imp_coulomb_enumerate(r.W, r.q, r.mu, &other);
                wrong[i] += !same(&set, &other, frames[i], 1, i == 0 ? 0 : i < 3 ? 1e-14 : 1e-10);
            }
            for (int i = 0; i < (steady ? 4 : 2); i++) { /* the last two fill the range of double */
                const gen_problem r = scaled(&g, powers[i][0], powers[i][1]);
                imp_coulomb_enumerate(r.W, r.q, r.mu, &other);
                wrong[4] += !same(&set, &other, one, powers[i][1] / powers[i][0], 0);
            }
            const gen_problem r = scaled(&g, 1e140, 1e-145);
            imp_coulomb_enumerate(r.W, r.q, r.mu, &other);
            if (steady) wrong[5] += !same(&set, &other, one, 1e-285, 1e-10);
        }
        ok(wrong[0] == 0, "%s: mirrored, bit for bit (%d not)", gen_name(c), wrong[0]);
        ok(wrong[1] + wrong[2] == 0, "%s: tangents turned by 90 degrees and swapped (%d not)",
           gen_name(c), wrong[1] + wrong[2]);
        ok(wrong[4] == 0, "%s: units by powers of two, bit for bit (%d not)", gen_name(c),
           wrong[4]);
        if (steady)
            ok(wrong[3] + wrong[5] == 0, "%s: any frame, any unit (%d, %d not)", gen_name(c),
               wrong[3], wrong[5]);
    }
}

int main(void) {
    reference_rows();
    every_class();
    frequencies();
    symmetries();
    return tap_done();
}
