/* counts.c - how many Coulomb solutions a contact has, by rational arithmetic: the number that the
 * library calls proven, next to where it changes.
 *
 * In the notation of lib/single/slip_curve.h a slip is a k > 0 with P(k) = L^2 - A_nn^2 |y|^2 = 0
 * and L > 0, where nothing has to be divided and all coefficients are polynomials in the data,
 * which are fractions. Sturm's theorem counts the distinct roots of P, Tarski's query (Basu,
 * Pollack, Roy 2006, "Algorithms in real algebraic geometry", 2.2) those with L > 0 less those
 * with L < 0. Nothing is rounded. */
#include "campaign/campaign.h"

#include "generators/gen_bifurcation.h"
#include "generators/gen_impacts.h"
#include "impact.h"

#include <gmp.h>
#include <math.h>

enum { SEVERAL = CAMPAIGN_OWN, UNPROVEN, RIGHT, LEFT };

static const campaign_column columns[] = {
    {"problems", false}, {"faults", false}, {"several", false}, /* solutions */
    {"unproven", false}, /* the library says that it does not know the number */
    {"right", false},    /* and has it nevertheless */
    {"left", false},     /* q_n = 0, or W that rounding has made singular */
    {NULL, false}};

/* Beside the edges the class that is built to be hard, and small integers, with ties. */
enum { ADVERSARIAL = GEN_BIFURCATION_DATA, DYADIC, ROWS };

static const char *row(int k) {
    if (k == ADVERSARIAL) return gen_name(GEN_ADVERSARIAL);
    if (k == DYADIC) return gen_impact_name(GEN_IMPACT_DYADIC);
    return k < ROWS ? gen_bifurcation_name((gen_bifurcation_datum)k) : NULL;
}

static gen_problem make(int k, uint64_t index) {
    if (k == ADVERSARIAL) return gen_make(GEN_ADVERSARIAL, index);
    if (k == DYADIC) return gen_impact(GEN_IMPACT_DYADIC, index);
    return gen_bifurcation((gen_bifurcation_datum)k, index);
}

/* ---- polynomials with fractions ---- */

enum { MOST = 6 }; /* the degree of P' L is 5 */

typedef struct polynomial {
    int degree; /* -1: 0 */
    mpq_t c[MOST];
} polynomial;

static void clear(polynomial *p) {
    for (int i = 0; i < MOST; i++)
        mpq_clear(p->c[i]);
}

static void begin(polynomial *p) {
    p->degree = -1;
    for (int i = 0; i < MOST; i++)
        mpq_init(p->c[i]);
}

static void trim(polynomial *p) {
    p->degree = MOST - 1;
    while (p->degree >= 0 && mpq_sgn(p->c[p->degree]) == 0)
        p->degree--;
}

/* sum += sign a b */
static void add_product(mpq_t sum, const mpq_t a, const mpq_t b, int sign) {
    mpq_t ab;
    mpq_init(ab);
    mpq_mul(ab, a, b);
    (sign > 0 ? mpq_add : mpq_sub)(sum, sum, ab);
    mpq_clear(ab);
}

static void multiply(const polynomial *a, const polynomial *b, int sign, polynomial *sum) {
    for (int i = 0; i <= a->degree; i++)
        for (int j = 0; j <= b->degree; j++)
            add_product(sum->c[i + j], a->c[i], b->c[j], sign);
    trim(sum);
}

/* a <- - (a mod b) */
static void remainder_of(polynomial *a, const polynomial *b) {
    mpq_t factor;
    mpq_init(factor);
    while (a->degree >= b->degree) {
        const int shift = a->degree - b->degree;
        mpq_div(factor, a->c[a->degree], b->c[b->degree]);
        for (int i = 0; i <= b->degree; i++)
            add_product(a->c[i + shift], factor, b->c[i], -1);
        trim(a);
    }
    for (int i = 0; i <= a->degree; i++)
        mpq_neg(a->c[i], a->c[i]);
    mpq_clear(factor);
}

/* The sum of the signs of Q over the distinct roots k > 0 of P, P(0) not 0: changes of sign along
 * P, P' Q, and what Euclid makes of them, at 0 less those at infinity. */
static int query(const polynomial *P, const polynomial *Q) {
    polynomial chain[2], slope;
    int changes = 0, sign[2] = {0, 0}; /* at 0, at infinity */
    begin(&chain[0]), begin(&chain[1]), begin(&slope);
    for (int i = 0; i <= P->degree; i++)
        mpq_set(chain[0].c[i], P->c[i]);
    for (int i = 1; i <= P->degree; i++) {
        mpq_set_ui(slope.c[i - 1], (unsigned)i, 1);
        mpq_mul(slope.c[i - 1], slope.c[i - 1], P->c[i]);
    }
    trim(&chain[0]), trim(&slope);
    multiply(&slope, Q, 1, &chain[1]);
    for (int k = 0; chain[k % 2].degree >= 0; k++) {
        polynomial *p = &chain[k % 2];
        const int now[2] = {mpq_sgn(p->c[0]), mpq_sgn(p->c[p->degree])};
        for (int e = 0; e < 2; e++) {
            if (now[e] == 0) continue;
            if (sign[e] * now[e] < 0) changes += e == 0 ? 1 : -1;
            sign[e] = now[e];
        }
        if (chain[(k + 1) % 2].degree >= 0)
            remainder_of(p, &chain[(k + 1) % 2]);
        else
            p->degree = -1;
    }
    clear(&chain[0]), clear(&chain[1]), clear(&slope);
    return changes;
}

/* ---- the law ---- */

/* x <- a b - c d */
static void minor(mpq_t x, const mpq_t a, const mpq_t b, const mpq_t c, const mpq_t d) {
    mpq_set_ui(x, 0, 1);
    add_product(x, a, b, 1);
    add_product(x, c, d, -1);
}

typedef struct exact {
    mpq_t W[6], b[3], mu, H[3], g[2], w[2], det, trace, ag, aw;
} exact;

enum { FRACTIONS = sizeof(exact) / sizeof(mpq_t) };

static void set(exact *x, const gen_problem *g) {
    for (int i = 0; i < 6; i++)
        mpq_set_d(x->W[i], g->W[i]);
    for (int i = 0; i < 3; i++)
        mpq_set_d(x->b[i], -g->q[i]);
    mpq_set_d(x->mu, g->mu);
    minor(x->H[0], x->W[0], x->W[3], x->W[1], x->W[1]);
    minor(x->H[1], x->W[0], x->W[4], x->W[1], x->W[2]);
    minor(x->H[2], x->W[0], x->W[5], x->W[2], x->W[2]);
    minor(x->g[0], x->W[0], x->b[1], x->W[1], x->b[0]);
    minor(x->g[1], x->W[0], x->b[2], x->W[2], x->b[0]);
    minor(x->w[0], x->H[2], x->g[0], x->H[1], x->g[1]);
    minor(x->w[1], x->H[0], x->g[1], x->H[1], x->g[0]);
    minor(x->det, x->H[0], x->H[2], x->H[1], x->H[1]);
    mpq_add(x->trace, x->H[0], x->H[2]);
    for (int i = 0; i < 2; i++) {
        add_product(x->ag, x->W[1 + i], x->g[i], 1);
        add_product(x->aw, x->W[1 + i], x->w[i], 1);
    }
}

/* L = mu (b_n D - a.y) and P. */
static void curve(const exact *x, polynomial *L, polynomial *P) {
    polynomial y[2];
    add_product(L->c[0], x->b[0], x->det, 1);
    add_product(L->c[1], x->b[0], x->trace, 1);
    mpq_sub(L->c[0], L->c[0], x->aw);
    mpq_sub(L->c[1], L->c[1], x->ag);
    mpq_set(L->c[2], x->b[0]);
    for (int i = 0; i < 3; i++)
        mpq_mul(L->c[i], L->c[i], x->mu);
    trim(L);
    multiply(L, L, 1, P);
    for (int i = 0; i < 2; i++) {
        begin(&y[i]);
        mpq_mul(y[i].c[0], x->W[0], x->w[i]);
        mpq_mul(y[i].c[1], x->W[0], x->g[i]);
        trim(&y[i]);
        multiply(&y[i], &y[i], -1, P);
        clear(&y[i]);
    }
}

/* How many sticks and slips; q_n != 0, mu > 0. */
static void count(const gen_problem *g, int *sticks, int *slips) {
    exact x;
    mpq_t *all = (mpq_t *)&x;
    polynomial L, P, one;
    for (int i = 0; i < FRACTIONS; i++)
        mpq_init(all[i]);
    begin(&L), begin(&P), begin(&one);
    mpq_set_ui(one.c[0], 1, 1);
    trim(&one);
    set(&x, g);
    curve(&x, &L, &P);
    *sticks = mpq_sgn(L.c[0]) >= 0 && mpq_sgn(P.c[0]) >= 0;
    while (P.degree > 0 && mpq_sgn(P.c[0]) == 0) { /* the root 0 is the stick */
        for (int i = 0; i < P.degree; i++)
            mpq_set(P.c[i], P.c[i + 1]);
        mpq_set_ui(P.c[P.degree], 0, 1);
        trim(&P);
    }
    *slips = (query(&P, &one) + query(&P, &L)) / 2;
    clear(&L), clear(&P), clear(&one);
    for (int i = 0; i < FRACTIONS; i++)
        mpq_clear(all[i]);
}

static void one(campaign_lot *lot, uint64_t number) {
    const int class = (int)(number % ROWS);
    const gen_problem g = make(class, number / ROWS);
    imp_coulomb_set found = {0};
    int sticks, slips, seen[2] = {0, 0};
    campaign_begin(lot, class, number);
    if (imp_coulomb_enumerate(g.W, g.q, g.mu, &found) < 0 || g.q[0] == 0 || g.mu == 0) {
        campaign_count(lot, class, LEFT, true);
        return;
    }
    count(&g, &sticks, &slips);
    for (int i = 0; i < found.count; i++)
        if (found.solution[i].kind != IMP_ZERO) seen[found.solution[i].kind == IMP_SLIP]++;
    double said = seen[1];
    campaign_answer(lot, &said, 1, 1);
    const bool same = said == slips && seen[0] == sticks;
    campaign_count(lot, class, SEVERAL, sticks + slips + (g.q[0] > 0) > 1);
    campaign_count(lot, class, UNPROVEN, !found.proven);
    campaign_count(lot, class, RIGHT, !found.proven && same);
    if (same || !found.proven) return;
    gen_dense dense;
    gen_dense_of(&g, &dense);
    campaign_fault(lot, class, &dense.problem, &imp_model_coulomb, "another number is proven");
}

const campaign_inquiry campaign_counts = {
    .name = "counts",
    .about = "the number of Coulomb solutions next to where it changes, in rational arithmetic",
    .row = row,
    .columns = columns,
    .lot = 400L * ROWS,
    .goal = 1e4 * ROWS,
    .one = one};
