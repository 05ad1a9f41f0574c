/* test_coulomb.c - all Coulomb solutions of one contact: the reference rows, every class of problems, and symmetries.
 */
#include "gen.h"
#include "impact.h"
#include "tap.h"

enum { MOST_COLUMNS = 32 };

typedef struct table {
    FILE *file;
    char header[2048], line[4096], *name[MOST_COLUMNS], *cell[MOST_COLUMNS];
    int columns;
} table;

static int split(char *line, char *cell[MOST_COLUMNS]) {
    int n = 0;
    line[strcspn(line, "\n")] = 0;
    for (char *s = line; s && n < MOST_COLUMNS; n++) {
        cell[n] = s;
        s = strchr(s, '\t');
        if (s) *s++ = 0;
    }
    return n;
}

static bool table_open(table *t, const char *path) {
    t->file = fopen(path, "r");
    while (t->file && fgets(t->header, sizeof t->header, t->file) && *t->header == '#')
        ;
    t->columns = t->file ? split(t->header, t->name) : 0;
    return t->file;
}

static bool table_next(table *t) {
    if (fgets(t->line, sizeof t->line, t->file)) return split(t->line, t->cell) == t->columns;
    fclose(t->file);
    return false;
}

static const char *text(const table *t, const char *column) {
    for (int i = 0; i < t->columns; i++)
        if (strcmp(t->name[i], column) == 0) return t->cell[i];
    return "nan";
}

static double number(const table *t, const char *column) {
    return strtod(text(t, column), NULL);
}

static double largest(const double p[3]) {
    return fmax(fabs(p[0]), fmax(fabs(p[1]), fabs(p[2])));
}

/* One row: the solution of that index, against the largest impulse and the largest energy of its problem. */
static bool row_matches(const table *t, const imp_coulomb_set *set) {
    const int k = (int)number(t, "index");
    if (number(t, "count") != set->count || k >= set->count) return false;
    const imp_coulomb_solution *x = &set->solution[k];
    const double want[3] = {number(t, "p1"), number(t, "p2"), number(t, "p3")};
    double push = 0, energy = 0, off = 0;
    for (int i = 0; i < set->count; i++) {
        push = fmax(push, largest(set->solution[i].p));
        energy = fmax(energy, fabs(set->solution[i].energy));
    }
    for (int i = 0; i < 3; i++)
        off = fmax(off, fabs(x->p[i] - want[i]));
    const bool values = tap_near(x->kappa, number(t, "kappa"), 0, 1e-12) && off <= 1e-12 * push &&
                        tap_near(x->energy, number(t, "energy"), 1e-12 * energy, 0) && x->u[0] == number(t, "u1") &&
                        tap_near(x->u[1], number(t, "u2"), 0, 1e-12) && tap_near(x->u[2], number(t, "u3"), 0, 1e-12);
    return values && strcmp(imp_coulomb_kind_text(x->kind), text(t, "kind")) == 0;
}

static void reference_rows(void) {
    static const char *const W[] = {"W11", "W12", "W13", "W22", "W23", "W33"};
    static table t;
    int rows = 0;
    if (!ok(table_open(&t, "reference/data/preclik2017_coulomb.tsv"), "the reference rows are there")) return;
    while (table_next(&t)) {
        gen_problem g = {.q = {number(&t, "q1"), number(&t, "q2"), number(&t, "q3")}, .mu = number(&t, "mu")};
        for (int i = 0; i < 6; i++)
            g.W[i] = number(&t, W[i]);
        imp_coulomb_set set = {0};
        const imp_status status = imp_coulomb_enumerate(g.W, g.q, g.mu, &set);
        const double best = number(&t, "least_energy"), at = set.maxdiss < 0 ? NAN : set.solution[set.maxdiss].energy;
        bool known = set.maxdiss < 0 ? set.solution[0].energy > best : tap_near(at, best, 0, 1e-12);
        known = known && tap_near(set.eccentricity, number(&t, "eccentricity"), 0, 1e-14) &&
                tap_near(set.unique_below, number(&t, "unique_below"), 0, 1e-12);
        ok(status == IMP_OK && set.proven && known && row_matches(&t, &set), "row %s.%s, %s", text(&t, "id"),
           text(&t, "index"), text(&t, "tag"));
        rows++;
    }
    ok(rows > 100, "%d rows", rows);
}

typedef struct dense {
    double W[9];
    imp_operator op;
    imp_problem problem;
} dense;

static void dense_of(const gen_problem *g, dense *d) {
    const double *w = g->W, W[9] = {w[0], w[1], w[2], w[1], w[3], w[4], w[2], w[4], w[5]};
    memcpy(d->W, W, sizeof W);
    d->op = imp_operator_dense(1, d->W);
    d->problem = (imp_problem){1, &d->op, g->q, &g->mu, NULL};
}

static double certificate(const gen_problem *g, const double p[3]) {
    dense d;
    imp_certificate c;
    dense_of(g, &d);
    return imp_certify(&d.problem, &imp_law_coulomb, NULL, p, &c) == IMP_OK ? c.worst : INFINITY;
}

/* What the solution says of itself, from the definitions in extended precision: u = W p + q, the kind's equations and
 * 1/2 p.(u + q). Relative to the absolute values that enter. */
static double claims(const gen_problem *g, const imp_coulomb_solution *x) {
    const double *w = g->W, W[9] = {w[0], w[1], w[2], w[1], w[3], w[4], w[2], w[4], w[5]};
    long double energy = 0, stake = 0, worst = 0, size[3], u[3];
    for (int i = 0; i < 3; i++) {
        u[i] = g->q[i];
        size[i] = fabsl(u[i]);
        for (int j = 0; j < 3; j++) {
            u[i] += (long double)W[3 * i + j] * x->p[j];
            size[i] += fabsl((long double)W[3 * i + j] * x->p[j]);
        }
        if (size[i] > 0) worst = fmaxl(worst, fabsl(u[i] - x->u[i]) / size[i]);
        energy += 0.5L * x->p[i] * (u[i] + g->q[i]);
        stake += fabsl((long double)x->p[i]) * size[i];
    }
    if (stake > 0) worst = fmaxl(worst, fabsl(energy - x->energy) / stake);
    if (x->kind == IMP_SLIP && g->mu > 0) {
        const long double z = hypotl(x->p[1], x->p[2]), limit = (long double)g->mu * x->p[0];
        worst = fmaxl(worst, fabsl(z - limit) / limit);
        for (int i = 1; i < 3; i++) /* u_to = -kappa p_to to the last bits */
            worst = fmaxl(worst, fabsl(x->u[i] + (long double)x->kappa * x->p[i]) / (x->kappa * z));
    }
    return (double)worst;
}

/* What theory says of the whole set: kinds in their places, by rising kappa and energy, 1 or 3 unless q_n = 0. */
static bool plausible(const gen_problem *g, const imp_coulomb_set *set) {
    const int last = set->count - 1;
    int zeros = 0;
    bool good = set->count >= 1 && set->count <= 3 && (g->q[0] == 0 || set->count != 2);
    for (int i = 0; i <= last && good; i++) {
        const imp_coulomb_solution *x = &set->solution[i];
        zeros += x->kind == IMP_ZERO;
        good = (x->kind == IMP_ZERO ? i == last && largest(x->p) == 0 : x->p[0] > 0 && x->energy < 0);
        good = good && (x->kind != IMP_STICK || (i == 0 && x->kappa == 0)) && (x->kind != IMP_SLIP || x->kappa > 0);
        if (i > 0 && x->kind == IMP_SLIP) good = good && x->kappa > set->solution[i - 1].kappa;
        if (i > 0) good = good && x->energy >= set->solution[i - 1].energy;
    }
    return good && zeros == (g->q[0] >= 0) && (!set->unique || set->count == 1);
}

/* No solution dissipates more than maximum dissipation does, and the set knows which one is that. */
static bool agrees_with_maxdiss(const gen_problem *g, const imp_coulomb_set *set) {
    double p[3];
    if (imp_maxdiss(g->W, g->q, g->mu, 0, p, NULL) != IMP_OK) return true; /* its own test judges that */
    dense d;
    dense_of(g, &d);
    const double best = imp_problem_energy(&d.problem, p);
    double near = INFINITY, push = largest(p), stake = 0;
    for (int i = 0; i < 3; i++)
        stake += fabs(p[i] * g->q[i]);
    for (int i = 0; i < set->count; i++) {
        const imp_coulomb_solution *x = &set->solution[i];
        /* q_n > 0: there maximum dissipation means p = 0, and jams that lose more are left out */
        if (g->q[0] <= 0 && x->energy < best - 1e-12 * stake) return false;
        push = fmax(push, largest(x->p));
    }
    for (int i = 0; i < set->count; i++) {
        const double *x = set->solution[i].p, off[3] = {x[0] - p[0], x[1] - p[1], x[2] - p[2]};
        if (i == set->maxdiss) near = largest(off);
    }
    return set->maxdiss < 0 || near <= 1e-9 * push;
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
            unproven += (status != IMP_OK || !set.proven) && !g.excluded;
            odd += !plausible(&g, &set) && status == IMP_OK;
            several += set.count > 1;
            disagree += !agrees_with_maxdiss(&g, &set);
            for (int i = 0; i < set.count; i++) {
                residual = fmax(residual, certificate(&g, set.solution[i].p));
                claimed = fmax(claimed, claims(&g, &set.solution[i]));
            }
        }
        note("%s: %d of %d with several, residual %.1e, claims %.1e", gen_name(c), several, EACH, residual, claimed);
        ok(unproven == 0, "%s: proven complete (%d not)", gen_name(c), unproven);
        ok(odd == 0, "%s: counts, kinds, order, uniqueness as theory has them (%d not)", gen_name(c), odd);
        ok(disagree == 0, "%s: maximum dissipation is best and known (%d not)", gen_name(c), disagree);
        ok(residual <= 1e-12 && claimed <= 1e-12, "%s: each is a solution: %.1e, %.1e", gen_name(c), residual, claimed);
    }
}

/* How often there are several, against the frequencies of 3e5 problems found elsewhere: within four deviations. */
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
        ok(fabs(rate - want[f]) <= 4 * sqrt(want[f] / MANY), "%s: three solutions in %.2e, wanted %.2e", name[f], rate,
           want[f]);
    }
}

/* Does b hold a's solutions, each p mapped by the 3 x 3 matrix M and scaled, to `tolerance` of its size? */
static bool same(const imp_coulomb_set *a, const imp_coulomb_set *b, const double M[9], double scale,
                 double tolerance) {
    bool good = a->count == b->count && a->proven == b->proven && a->maxdiss == b->maxdiss;
    for (int k = 0; k < a->count && good; k++) {
        const double *p = a->solution[k].p, *got = b->solution[k].p;
        double off = 0;
        for (int i = 0; i < 3; i++)
            off = fmax(off, fabs(scale * (M[3 * i] * p[0] + M[3 * i + 1] * p[1] + M[3 * i + 2] * p[2]) - got[i]));
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
    static const double mirror[9] = {1, 0, 0, 0, -1, 0, 0, 0, 1}, swap[9] = {1, 0, 0, 0, 0, 1, 0, 1, 0};
    static const double quarter[9] = {1, 0, 0, 0, 0, 1, 0, -1, 0}, turn[9] = {1, 0, 0, 0, 0.6, 0.8, 0, -0.8, 0.6};
    static const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const double powers[][2] = {{0x1p500, 0x1p-498}, {0x1p-500, 0x1p498}, {0x1p-501, 0x1p-301}, {2, 8}};
    for (gen_class c = 0; c < GEN_CLASSES; c++) {
        /* where rounding the data anew may change the answer, only what leaves the data exact is asked */
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
            for (int i = 0; i < 4; i++) {
                const gen_problem r = scaled(&g, powers[i][0], powers[i][1]);
                imp_coulomb_enumerate(r.W, r.q, r.mu, &other);
                wrong[4] += !same(&set, &other, one, powers[i][1] / powers[i][0], 0);
            }
            const gen_problem r = scaled(&g, 1e140, 1e-145);
            imp_coulomb_enumerate(r.W, r.q, r.mu, &other);
            if (steady) wrong[5] += !same(&set, &other, one, 1e-285, 1e-10);
        }
        ok(wrong[0] == 0, "%s: mirrored, bit for bit (%d not)", gen_name(c), wrong[0]);
        ok(wrong[1] + wrong[2] == 0, "%s: tangents turned by 90 degrees and swapped (%d not)", gen_name(c),
           wrong[1] + wrong[2]);
        ok(wrong[4] == 0, "%s: units by powers of two, bit for bit (%d not)", gen_name(c), wrong[4]);
        if (steady)
            ok(wrong[3] + wrong[5] == 0, "%s: any frame, any unit (%d, %d not)", gen_name(c), wrong[3], wrong[5]);
    }
}

int main(void) {
    reference_rows();
    every_class();
    frequencies();
    symmetries();
    return tap_done();
}
