/* W and q from bodies and contacts: against an independent J M^-1 J' and J v. */
#include "generators/gen.h"
#include "impact.h"
#include "tap.h"

enum { MOST = 3 * GEN_MOST_CONTACTS, COORDINATES = 6 * GEN_MOST_CONTACTS };

static const double eps = 0x1p-52;

/* v turned by the unit quaternion q: v + 2 w (x x v) + 2 x x (x x v), another formula than the
 * library's matrix. */
static void turn(const double q[4], const long double v[3], long double result[3]) {
    const long double w = q[0], x[3] = {q[1], q[2], q[3]};
    long double c[3], d[3];
    for (int i = 0; i < 3; i++)
        c[i] = x[(i + 1) % 3] * v[(i + 2) % 3] - x[(i + 2) % 3] * v[(i + 1) % 3];
    for (int i = 0; i < 3; i++)
        d[i] = x[(i + 1) % 3] * c[(i + 2) % 3] - x[(i + 2) % 3] * c[(i + 1) % 3];
    for (int i = 0; i < 3; i++)
        result[i] = v[i] + 2 * (w * c[i] + d[i]);
}

/* The contact Jacobian J (3nc x 6nb): u = J v with v = (velocity, spin) of every body. */
static void jacobian(const gen_many *p, long double J[MOST][COORDINATES]) {
    memset(J, 0, sizeof(long double[MOST][COORDINATES]));
    for (int i = 0; i < p->nc; i++)
        for (int side = 0; side < 2; side++) {
            const imp_contact *c = &p->contact[i];
            const int body = side ? c->b : c->a;
            if (body == IMP_GROUND) continue;
            for (int r = 0; r < 3; r++)
                for (int k = 0; k < 3; k++) {
                    const int k1 = (k + 1) % 3, k2 = (k + 2) % 3;
                    const double *x = p->body[body].position, *axis = c->frame + 3 * r;
                    const long double moment = ((long double)c->point[k1] - x[k1]) * axis[k2] -
                                               ((long double)c->point[k2] - x[k2]) * axis[k1];
                    J[3 * i + r][6 * body + k] += side ? axis[k] : -axis[k];
                    J[3 * i + r][6 * body + 3 + k] += side ? moment : -moment;
                }
        }
}

/* y <- M^-1 x for one body: the moment is turned into the body frame, divided, turned back. */
static void accelerate(const imp_body *b, const long double x[6], long double y[6]) {
    const double back[4] = {b->orientation[0], -b->orientation[1], -b->orientation[2],
                            -b->orientation[3]};
    long double local[3], spin[3] = {0};
    turn(back, x + 3, local);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            spin[i] += b->inv_inertia[3 * i + j] * local[j];
    for (int i = 0; i < 3; i++)
        y[i] = b->inv_mass * x[i];
    turn(b->orientation, spin, y + 3);
}

/* W = J M^-1 J' (rows MOST apart) and q = J v. */
static void assemble(const gen_many *p, double W[MOST][MOST], double q[MOST]) {
    static long double J[MOST][COORDINATES], column[COORDINATES];
    jacobian(p, J);
    for (int j = 0; j < 3 * p->nc; j++) {
        for (int b = 0; b < p->nb; b++)
            accelerate(&p->body[b], J[j] + (size_t)6 * b, column + (size_t)6 * b);
        for (int i = 0; i < 3 * p->nc; i++) {
            long double sum = 0;
            for (int k = 0; k < 6 * p->nb; k++)
                sum += J[i][k] * column[k];
            W[i][j] = (double)sum;
        }
        long double sum = 0;
        for (int k = 0; k < 6 * p->nb; k++)
            sum +=
                J[j][k] * (k % 6 < 3 ? p->body[k / 6].velocity[k % 3] : p->body[k / 6].spin[k % 3]);
        q[j] = (double)sum;
    }
}

/* Largest error of p->W and p->q against the independent assembly, each relative to its largest
 * entry. */
static double assembly_error(const gen_many *p) {
    double W[MOST][MOST], q[MOST], big_W = 0, big_q = 0, worst_W = 0, worst_q = 0;
    const int n = 3 * p->nc;
    assemble(p, W, q);
    for (int i = 0; i < n; i++) {
        big_q = fmax(big_q, fabs(q[i]));
        worst_q = tap_worst(worst_q, fabs(p->q[i] - q[i]));
        for (int j = 0; j < n; j++) {
            big_W = fmax(big_W, fabs(W[i][j]));
            worst_W = tap_worst(worst_W, fabs(p->W[i * n + j] - W[i][j]));
        }
    }
    return tap_worst(worst_W / big_W, worst_q / big_q);
}

static bool symmetric(const gen_many *p) {
    const int n = 3 * p->nc;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (memcmp(&p->W[i * n + j], &p->W[j * n + i], sizeof *p->W) != 0) return false;
    return true;
}

static bool share(const gen_many *p, int i, int j) {
    const imp_contact *c = &p->contact[i], *d = &p->contact[j];
    const int bodies[2] = {c->a, c->b};
    for (int side = 0; side < 2; side++)
        if (bodies[side] != IMP_GROUND && (bodies[side] == d->a || bodies[side] == d->b))
            return true;
    return i == j;
}

/* Is the block-sparse assembly the dense one with the blocks of contacts without a shared body left
 * out? */
static bool same_blocks(const gen_many *p) {
    int start[GEN_MOST_CONTACTS + 1], column[GEN_MOST_CONTACTS * GEN_MOST_CONTACTS], k = 0;
    double block[9 * GEN_MOST_CONTACTS * GEN_MOST_CONTACTS], q[MOST];
    const int n = 3 * p->nc, count = imp_delassus_count(p->nb, p->body, p->nc, p->contact, start);
    if (imp_delassus_blocks(p->nb, p->body, p->nc, p->contact, start, column, block, q) != IMP_OK)
        return false;
    bool good = memcmp(q, p->q, (size_t)n * sizeof *q) == 0;
    for (int i = 0; i < p->nc; i++) {
        good = good && start[i] == k;
        for (int j = 0; j < p->nc; j++) {
            const bool there = share(p, i, j);
            good = good && (!there || column[k] == j);
            for (int e = 0; e < 9; e++)
                good = good &&
                       p->W[(3 * i + e / 3) * n + 3 * j + e % 3] == (there ? block[9 * k + e] : 0);
            k += there;
        }
    }
    return good && count == k && start[p->nc] == k;
}

static void test_random(void) {
    double worst = 0;
    bool symmetry = true, blocks = true;
    for (uint64_t k = 0; k < 600; k++) {
        const gen_many p = gen_bodies(k, 1 + (int)(k % GEN_MOST_CONTACTS));
        worst = tap_worst(worst, assembly_error(&p));
        symmetry = symmetry && symmetric(&p);
        blocks = blocks && same_blocks(&p);
    }
    note("worst %.2g", worst);
    ok(worst <= 10 * eps, "600 random sets of bodies: W = J M^-1 J' and q = J v");
    ok(symmetry, "W is symmetric to the last bit");
    ok(blocks,
       "the block-sparse W is the dense one, to the last bit, without the structural zeros");
}

static void test_inertia(void) {
    gen_many p = gen_bodies(4, 6);
    gen_stream s = gen_seed(703, 0);
    for (int b = 0; b < p.nb; b++) {
        /* a full inverse inertia, and a quaternion that has drifted a little */
        double R[9];
        gen_rotation(&s, R);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                p.body[b].inv_inertia[3 * i + j] =
                    R[i] * R[j] + 0.1 * R[3 + i] * R[3 + j] + 3 * R[6 + i] * R[6 + j];
    }
    ok(imp_delassus_dense(p.nb, p.body, p.nc, p.contact, p.W, p.q) == IMP_OK,
       "full inertias are taken");
    ok(assembly_error(&p) <= 10 * eps && symmetric(&p), "and give W = J M^-1 J'");
    gen_many drifted = p;
    for (int i = 0; i < 4; i++)
        drifted.body[0].orientation[i] *= 1 + 9e-7;
    ok(imp_delassus_dense(p.nb, drifted.body, p.nc, p.contact, drifted.W, drifted.q) == IMP_OK,
       "a length of 1 + 9e-7");
    is_vec(drifted.W, p.W, 9 * p.nc * p.nc, 0, 10 * eps, "is taken as the rotation it means");
}

/* The first pile with two bodies or more. */
static gen_many pile_of_two(int nc) {
    uint64_t index = 1;
    gen_many p = gen_bodies(index, nc);
    while (p.nb < 2)
        p = gen_bodies(index += 3, nc);
    return p;
}

static void test_fixed(void) {
    gen_many p = pile_of_two(6), grounded = p;
    p.body[1] = (imp_body){.position = {1, 2, 3}, .orientation = {1}}; /* cannot move, at rest */
    int kept = 0;
    for (int i = 0; i < p.nc; i++) {
        imp_contact c = p.contact[i];
        if (c.a == 1) c.a = IMP_GROUND;
        if (c.b == 1) c.b = IMP_GROUND;
        if (c.a == IMP_GROUND && c.b == IMP_GROUND) continue;
        p.contact[kept] = p.contact[i];
        grounded.contact[kept++] = c;
    }
    p.nc = grounded.nc = kept;
    ok(kept > 1 && imp_delassus_dense(p.nb, p.body, p.nc, p.contact, p.W, p.q) == IMP_OK &&
           imp_delassus_dense(grounded.nb, grounded.body, kept, grounded.contact, grounded.W,
                              grounded.q) == IMP_OK,
       "a body without inverse mass and inertia is taken");
    ok(memcmp(p.W, grounded.W, sizeof(double) * 9 * (size_t)(kept * kept)) == 0 &&
           memcmp(p.q, grounded.q, sizeof(double) * 3 * (size_t)kept) == 0,
       "and is the ground, to the last bit");
    p.body[1].velocity[0] = 2; /* a conveyor: it moves but takes no impulse */
    ok(imp_delassus_dense(p.nb, p.body, p.nc, p.contact, p.W, p.q) == IMP_OK &&
           memcmp(p.W, grounded.W, sizeof(double) * 9 * (size_t)(kept * kept)) == 0 &&
           assembly_error(&p) <= 10 * eps,
       "a driven body changes q, not W");
    int start[GEN_MOST_CONTACTS + 1], coupled = 0;
    for (int i = 0; i < kept; i++)
        for (int j = 0; j < kept; j++)
            coupled += share(&grounded, i, j);
    ok(imp_delassus_count(p.nb, p.body, kept, p.contact, start) == coupled,
       "contacts do not couple through it");
}

static void test_turned_contact(void) {
    gen_many p = gen_bodies(2, 5), turned = p;
    for (int i = 0; i < p.nc; i++) {
        /* name the bodies the other way round and turn every axis: nothing changes */
        imp_contact *c = &turned.contact[i];
        c->a = p.contact[i].b;
        c->b = p.contact[i].a;
        for (int k = 0; k < 9; k++)
            c->frame[k] = -c->frame[k];
    }
    (void)imp_delassus_dense(p.nb, turned.body, p.nc, turned.contact, turned.W, turned.q);
    is_vec(turned.W, p.W, 9 * p.nc * p.nc, 0, 4 * eps,
           "a contact seen from the other body has the same W");
    is_vec(turned.q, p.q, 3 * p.nc, 0, 4 * eps, "and the same q");
    for (int b = 0; b < p.nb; b++) {
        turned.body[b].inv_mass *= 0x1p400;
        for (int k = 0; k < 9; k++)
            turned.body[b].inv_inertia[k] *= 0x1p400;
    }
    (void)imp_delassus_dense(p.nb, turned.body, p.nc, p.contact, turned.W, turned.q);
    bool exact = true;
    for (int k = 0; k < 9 * p.nc * p.nc; k++)
        exact = exact && turned.W[k] == p.W[k] * 0x1p400;
    ok(exact, "masses scaled by a power of two scale W exactly");
}

static void test_many(void) {
    enum { COUNT = 200000 };
    imp_body *body = calloc(COUNT, sizeof *body);
    imp_contact *contact = calloc(COUNT, sizeof *contact);
    int *start = malloc((COUNT + 1) * sizeof *start);
    if (!body || !contact || !start) {
        skip("no memory for a long chain");
    } else {
        for (int i = 0; i < COUNT; i++) {
            body[i] = (imp_body){.inv_mass = 1, .orientation = {1}};
            contact[i] = (imp_contact){.a = i - 1, .b = i, .frame = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
        }
        ok(imp_delassus_count(COUNT, body, COUNT, contact, start) == 3 * COUNT - 2 &&
               start[1] == 2 && start[2] == 5,
           "a chain of %d bodies is counted without looking at every pair", COUNT);
    }
    free(body);
    free(contact);
    free(start);
}

/* W = H' M^-1 H of two bodies that nothing joins: entries only where columns of H share a body,
 * none that is zero by the pattern, and each what the formula says. */
static void test_pattern(void) {
    int M_start[] = {0, 1, 2}, M_row[] = {0, 1}, H_start[] = {0, 1, 2, 3}, H_row[] = {0, 1, 0};
    double M_value[] = {2, 4}, H_value[] = {1, 3, -5};
    const imp_sparse M = {2, 2, M_start, M_row, M_value}, H = {2, 3, H_start, H_row, H_value};
    imp_sparse W;
    double q[3];
    const double f[2] = {2, 8}, w[3] = {0, 0, 1},
                 want[9] = {0.5, 0, -2.5, 0, 2.25, 0, -2.5, 0, 12.5};
    const double velocity[3] = {1, 6, -4};
    if (!ok(imp_sparse_delassus(&M, &H, f, w, &W, q) == IMP_OK, "W of two bodies apart")) return;
    double dense[9] = {0};
    for (int j = 0; j < 3; j++)
        for (int k = W.start[j]; k < W.start[j + 1]; k++)
            dense[3 * W.row[k] + j] += W.value[k];
    is_vec(dense, want, 9, 1e-15, 0, "is H' M^-1 H");
    is_vec(q, velocity, 3, 1e-15, 0, "q is H' M^-1 f + w");
    ok(W.start[3] == 5, "and holds %d entries, those of columns that share a body", W.start[3]);
    imp_sparse_clear(&W);
}

static imp_status refused(const gen_many *p, bool *untouched) {
    double W[9 * GEN_MOST_CONTACTS * GEN_MOST_CONTACTS] = {42}, q[MOST] = {43};
    int start[GEN_MOST_CONTACTS + 1], column[GEN_MOST_CONTACTS * GEN_MOST_CONTACTS] = {44};
    const imp_status status = imp_delassus_dense(p->nb, p->body, p->nc, p->contact, W, q);
    const int count = imp_delassus_count(p->nb, p->body, p->nc, p->contact, start);
    const imp_status sparse =
        imp_delassus_blocks(p->nb, p->body, p->nc, p->contact, start, column, W, q);
    *untouched = count == -1 && sparse == status && W[0] == 42 && q[0] == 43 && column[0] == 44;
    return status;
}

static void expect(imp_status want, const gen_many *p, const char *what) {
    bool untouched = false;
    const imp_status got = refused(p, &untouched);
    ok(got == want && untouched, "%s: %s, nothing written", what, imp_status_text(want));
}

/* How far G'G is from the dense W, relative to sqrt(W_ii W_jj); q has the same bits. */
static double factored_error(const gen_many *p) {
    double W[MOST * MOST], q[MOST], again[MOST], worst = 0;
    imp_factored *factored;
    if (imp_delassus_dense(p->nb, p->body, p->nc, p->contact, W, q) != IMP_OK ||
        imp_delassus_factored(p->nb, p->body, p->nc, p->contact, &factored, again) != IMP_OK)
        return INFINITY;
    const imp_operator over_bodies = imp_operator_factored(factored);
    const int n = 3 * p->nc;
    for (int i = 0; i < p->nc; i++)
        for (int j = 0; j < p->nc; j++) {
            double block[9];
            over_bodies.kind->block(&over_bodies, i, j, block);
            for (int k = 0; k < 9; k++) {
                const int row = 3 * i + k / 3, column = 3 * j + k % 3;
                const double size = sqrt(W[row * n + row] * W[column * n + column]);
                worst =
                    tap_worst(worst, fabs(block[k] - W[row * n + column]) / (size > 0 ? size : 1));
            }
        }
    imp_factored_free(factored);
    return memcmp(q, again, (size_t)n * sizeof *q) == 0 ? worst : INFINITY;
}

/* Bodies with a full, a flat (two spins), a thin (one) and no inverse inertia, some of them without
 * a mass. */
static void test_factored(void) {
    double worst[4] = {0};
    for (uint64_t k = 0; k < 600; k++) {
        gen_many p = gen_bodies(k, 1 + (int)(k % GEN_MOST_CONTACTS));
        gen_stream s = gen_seed(704, k);
        const int spins = (int)(k % 4);
        for (int b = 0; b < p.nb; b++) {
            double R[9];
            gen_rotation(&s, R);
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++) {
                    double sum = 0;
                    for (int a = 0; a < spins; a++)
                        sum += (a + 0.3) * R[3 * a + i] * R[3 * a + j];
                    p.body[b].inv_inertia[3 * i + j] = sum;
                }
            if (spins == 3 && k % 3 == 0) p.body[b].inv_mass = 0;
        }
        worst[spins] = tap_worst(worst[spins], factored_error(&p));
    }
    for (int spins = 0; spins < 4; spins++)
        ok(worst[spins] <= 20 * eps, "bodies with %d spins: W = G'G (off by %.1e)", spins,
           worst[spins]);
}

static void test_refusals(void) {
    const gen_many good = pile_of_two(4);
    gen_many p;
#define REFUSED(status, change)                                                                    \
    do {                                                                                           \
        p = good;                                                                                  \
        change;                                                                                    \
        expect(status, &p, #change);                                                               \
    } while (0)
    double W[144], q[12];
    ok(imp_delassus_dense(good.nb, good.body, 4, NULL, W, q) == IMP_BAD_ARGUMENT &&
           imp_delassus_dense(good.nb, NULL, 4, good.contact, W, q) == IMP_BAD_ARGUMENT &&
           imp_delassus_dense(0, NULL, 4, good.contact, W, q) == IMP_BAD_ARGUMENT,
       "no contacts, or no bodies");
    REFUSED(IMP_BAD_ARGUMENT, p.nc = 0);
    REFUSED(IMP_BAD_ARGUMENT, p.nb = -1);
    REFUSED(IMP_BAD_ARGUMENT, p.contact[2].a = p.nb);
    REFUSED(IMP_BAD_ARGUMENT, p.contact[2].b = -2);
    REFUSED(IMP_BAD_ARGUMENT, p.contact[3].a = p.contact[3].b);
    REFUSED(IMP_BAD_ARGUMENT, p.contact[3].a = p.contact[3].b = IMP_GROUND);
    REFUSED(IMP_BAD_ARGUMENT, p.body[1].inv_mass = -1);
    REFUSED(IMP_BAD_ARGUMENT, p.body[1].orientation[0] += 1e-3);
    REFUSED(IMP_BAD_ARGUMENT, memset(p.body[1].orientation, 0, sizeof p.body[1].orientation));
    REFUSED(IMP_NOT_FINITE, p.body[0].inv_mass = NAN);
    REFUSED(IMP_NOT_FINITE, p.body[0].inv_inertia[4] = INFINITY);
    REFUSED(IMP_NOT_FINITE, p.body[1].position[2] = NAN);
    REFUSED(IMP_NOT_FINITE, p.body[1].orientation[3] = NAN);
    REFUSED(IMP_NOT_FINITE, p.body[1].velocity[1] = -INFINITY);
    REFUSED(IMP_NOT_FINITE, p.body[1].spin[1] = NAN);
    REFUSED(IMP_NOT_FINITE, p.contact[3].point[0] = NAN);
    REFUSED(IMP_NOT_FINITE, p.contact[3].frame[8] = NAN);
    REFUSED(IMP_NOT_SYMMETRIC, p.body[0].inv_inertia[1] = 1e-3);
    REFUSED(IMP_NOT_POSITIVE, p.body[0].inv_inertia[4] = -1e-3);
    REFUSED(IMP_NOT_POSITIVE, (p.body[0].inv_inertia[0] = 0, p.body[0].inv_inertia[2] = 1e-9,
                               p.body[0].inv_inertia[6] = 1e-9));
    REFUSED(IMP_NOT_POSITIVE,
            for (int k = 0; k < 9; k++) p.body[0].inv_inertia[k] = k % 4 ? -0.6 : 1);
#undef REFUSED
}

int main(void) {
    test_random();
    test_inertia();
    test_fixed();
    test_turned_contact();
    test_many();
    test_pattern();
    test_factored();
    test_refusals();
    return tap_done();
}
