/* The contacts of a granular step against the library: certificates of the assembled problem, the
 * general one-contact solvers, both laws, and the same bits whatever the threads and the
 * instructions. */
#include "base/machine.h"
#include "granular/relax.h"
#include "granular_box.h"
#include "base/vec3.h"
#include "tap.h"

/* One contact in closed form and by the general solvers, from random states. */
static void test_one_contact(void) {
    gen_stream s = gen_seed(851, 0);
    double worst_maxdiss = 0, worst_coulomb = 0;
    int slips = 0, sticks = 0, opens = 0;
    for (int k = 0; k < 20000; k++) {
        body a = {.inv_mass = k % 3 ? gen_power10(&s, -1, 1) : 0,
                  .friction = gen_uniform(&s, 0, 1.5)};
        body b = {.inv_mass = gen_power10(&s, -1, 1)};
        double n[3], frame[9], p[3], u[3], q[3], closed[3], local[3], general[3];
        const double an = a.inv_mass + b.inv_mass, W[6] = {an, 0, 0, 3.5 * an, 0, 3.5 * an},
                     bias = gen_uniform(&s, -0.5, 0.5);
        for (int x = 0; x < 3; x++) {
            a.v[x] = gen_normal(&s), b.v[x] = gen_normal(&s), a.q[x] = gen_normal(&s),
            b.q[x] = gen_normal(&s);
            n[x] = gen_normal(&s), p[x] = gen_normal(&s);
        }
        imp_frame_from_normal(n, frame);
        memcpy(n, frame, sizeof n);
        memcpy(closed, p, sizeof p);
        imp_relax_closed(&a, &b, n, bias, closed);
        /* The local problem from its definition: velocity of the contact points, own impulse taken
         * out. */
        /* levers, in radii */
        const double to_a[3] = {n[0], n[1], n[2]}, to_b[3] = {-n[0], -n[1], -n[2]};
        sub3(b.v, a.v, u);
        add_cross3(b.q, to_b, u);
        double other[3];
        cross3(a.q, to_a, other);
        add3(-1, other, u);
        apply3(frame, u, q);
        apply3(frame, p, local);
        q[0] += bias - an * local[0];
        q[1] -= 3.5 * an * local[1];
        q[2] -= 3.5 * an * local[2];
        apply3(frame, closed, local);
        const double size = (fabs(q[0]) + hypot(q[1], q[2])) / an;
        imp_coulomb_set set;
        if (imp_maxdiss(W, q, a.friction, 0, general, NULL) != IMP_OK ||
            imp_coulomb_enumerate(W, q, a.friction, &set) != IMP_OK || set.count != 1) {
            worst_maxdiss = INFINITY;
            continue;
        }
        for (int x = 0; x < 3; x++) {
            worst_maxdiss = tap_worst(worst_maxdiss, fabs(general[x] - local[x]) / size);
            worst_coulomb = tap_worst(worst_coulomb, fabs(set.solution[0].p[x] - local[x]) / size);
        }
        opens += local[0] == 0;
        slips += set.solution[0].kind == IMP_SLIP;
        sticks += set.solution[0].kind == IMP_STICK;
    }
    note("%d slip, %d stick, %d open", slips, sticks, opens);
    ok(slips > 1000 && sticks > 1000 && worst_maxdiss < 4e-15,
       "closed form = maximum dissipation (%.2g)", worst_maxdiss);
    ok(worst_coulomb < 4e-15, "closed form = the only Coulomb solution (%.2g)", worst_coulomb);
}

enum { MOST = 200, MOST_CONTACTS = 400 };

/* How a contact's velocity, in its frame, depends on one body: sign times (v + w x lever), lever =
 * -sign R n. */
typedef struct side {
    int body; /* -1: none that moves */
    double sign, J[18];
} side;

static side make_side(int64_t number, double sign, double radius, const double frame[9]) {
    side one = {.body = (int)number, .sign = sign};
    for (int row = 0; row < 3; row++) {
        double lever[3], turn[3];
        for (int x = 0; x < 3; x++) {
            lever[x] = -sign * radius * frame[x];
            one.J[6 * row + x] = sign * frame[3 * row + x];
        }
        cross3(lever, frame + 3 * row, turn); /* row . (w x lever) = w . (lever x row) */
        for (int x = 0; x < 3; x++)
            one.J[6 * row + 3 + x] = sign * turn[x];
    }
    return one;
}

/* W += J M^-1 J' of two contacts that share the body s. */
static void couple(const side *a, const side *b, const imp_sphere *s, double *W, int stride) {
    const double m = box_mass(s), inertia = 0.4 * m * s->radius * s->radius;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            for (int x = 0; x < 6; x++)
                W[r * stride + c] += a->J[6 * r + x] * b->J[6 * c + x] / (x < 3 ? m : inertia);
}

/* What a law's certificate says of the contacts of a step, on the problem written out from the
 * bodies before it. gap/dt is part of the free velocity. */
static double certify(const imp_granular *g, const imp_granular_settings *set,
                      const imp_sphere *before, const imp_law *law, const imp_granular_contact *c,
                      int nc) {
    static side sides[MOST_CONTACTS][2];
    static double W[9 * MOST_CONTACTS * MOST_CONTACTS], q[3 * MOST_CONTACTS], p[3 * MOST_CONTACTS],
        mu[MOST_CONTACTS];
    for (int k = 0; k < nc; k++) {
        const imp_sphere *b = &before[imp_granular_sphere(g, c[k].b).id], *a = NULL;
        double n[3], frame[9], gap;
        if (c[k].a < 0) {
            const imp_shape shape = imp_granular_shape(g, -1 - c[k].a);
            gap = imp_shape_gap(&shape, b->position, b->radius, n);
        } else {
            a = &before[imp_granular_sphere(g, c[k].a).id];
            sub3(b->position, a->position, n);
            gap = norm3(n) - a->radius - b->radius;
        }
        imp_frame_from_normal(n, frame);
        sides[k][0] = make_side(a ? a->id : -1, -1, a ? a->radius : 0, frame);
        sides[k][1] = make_side(b->id, 1, b->radius, frame);
        mu[k] = set->friction;
        apply3(frame, c[k].impulse, p + 3 * k);
        for (int r = 0; r < 3; r++) {
            q[3 * k + r] = r == 0 ? gap / set->step * (gap < 0 ? set->erp : 1) : 0;
            for (int h = a ? 0 : 1; h < 2; h++)
                q[3 * k + r] += dot3(sides[k][h].J + 6 * r, before[sides[k][h].body].velocity) +
                                dot3(sides[k][h].J + 6 * r + 3, before[sides[k][h].body].spin);
        }
    }
    memset(W, 0, 9 * (size_t)nc * (size_t)nc * sizeof *W);
    for (int k = 0; k < nc; k++)
        for (int l = 0; l < nc; l++)
            for (int h = 0; h < 4; h++) {
                const side *a = &sides[k][h / 2], *b = &sides[l][h % 2];
                if (a->body >= 0 && a->body == b->body)
                    couple(a, b, &before[a->body], W + 9 * (size_t)k * nc + 3 * l, 3 * nc);
            }
    const imp_operator op = imp_operator_dense(nc, W);
    const imp_problem problem = {.nc = nc, .W = &op, .q = q, .mu = mu};
    imp_certificate certificate;
    return imp_certify(&problem, law, NULL, p, NULL, &certificate) == IMP_OK ? certificate.worst
                                                                             : INFINITY;
}

/* One converged step held against both laws: the worst residual. Where nothing acts both laws ask
 * that the contact does not close; maximum dissipation asks it of the free velocity, which at a
 * contact about to open is rounding. So there only Coulomb's certificate judges, with a velocity to
 * compare with. */
static double certify_step(imp_granular *g, const imp_granular_settings *set) {
    static imp_granular_contact c[MOST_CONTACTS];
    imp_sphere before[MOST];
    for (int i = 0; i < imp_granular_count(g); i++) {
        const imp_sphere s = imp_granular_sphere(g, i);
        before[s.id] = s;
        for (int x = 0; x < 3; x++)
            before[s.id].velocity[x] += set->step * set->gravity[x];
    }
    if (imp_granular_step(g, NULL) != IMP_OK) return INFINITY;
    const int nc = imp_granular_contacts(g, c, MOST_CONTACTS);
    if (nc == 0 || nc > MOST_CONTACTS) return INFINITY;
    const double coulomb = certify(g, set, before, &imp_law_coulomb, c, nc);
    int loaded = 0;
    for (int k = 0; k < nc; k++)
        if (norm3(c[k].impulse) > 0) c[loaded++] = c[k];
    note("%d contacts, %d loaded", nc, loaded);
    const double maxdiss = certify(g, set, before, &imp_law_maxdiss, c, loaded);
    return fmax(coulomb, loaded > 0 ? maxdiss : INFINITY);
}

static void test_certificates(void) {
    imp_granular_settings set = imp_granular_settings_default();
    imp_status status, worst_status = IMP_OK;
    set.tolerance = 1e-9;
    set.most_sweeps = 50000;
    set.step = 1e-4;
    imp_granular *g = box_flow(&set, 4, 4, 4, 0.3, 868);
    double worst = 0;
    for (int i = 0; i < 6; i++) { /* tumbling still: at rest every scale is rounding */
        box_run(g, 30, &status);
        if (status != IMP_OK) worst_status = status;
        worst = tap_worst(worst, certify_step(g, &set));
    }
    ok(worst_status == IMP_OK && worst < 1e-7,
       "6 converged steps pass both laws' certificates (%.2g)", worst);
    imp_granular_free(g);
}

static uint64_t bits_after(imp_granular_settings set, double share, int steps) {
    return box_bits_after(set, (const int[3]){9, 8, 6}, share, 871, steps);
}

static void test_same_bits(void) {
    static const int bricks[][3] = {{0, 0, 0}, {0, 0, 0}, {3, 2, 4}, {2, 2, 1}};
    for (int kind = 0; kind < 4; kind++) {
        const double share = kind == 1 ? 0.7 : 0;
        const int steps = kind >= 2 ? 40 : 300;
        imp_granular_settings set = imp_granular_settings_default();
        memcpy(set.bricks, bricks[kind], sizeof set.bricks);
        set.symmetric = kind == 3;
        set.split = kind == 3 ? 2 : 0;
        const uint64_t one = bits_after(set, share, steps);
        note("%016llx", (unsigned long long)one);
        ok(one != 0 && one != bits_after(set, share, steps - 1),
           "bits of %s spheres tell steps apart",
           kind == 0   ? "equal"
           : kind == 1 ? "unequal"
           : kind == 2 ? "bricks of"
                       : "split and symmetrically swept");
        set.threads = 2;
        ok(bits_after(set, share, steps) == one, "two threads: the same bits");
        set.threads = 4;
        ok(bits_after(set, share, steps) == one, "four threads: the same bits");
        set.simd = false;
        ok(bits_after(set, share, steps) == one, "without SIMD: the same bits%s",
           imp_machine_has(8)   ? ""
           : imp_machine_has(4) ? " (this CPU has no AVX-512)"
                                : " (this CPU has neither AVX-512 nor AVX2)");
        set.law = IMP_GRANULAR_COULOMB;
        ok(bits_after(set, share, steps) == one,
           "Coulomb's law: the same bits as maximum dissipation");
    }
}

static uint64_t bits_of_row(int threads, int across) {
    imp_granular_settings set = imp_granular_settings_default();
    imp_status status;
    set.threads = threads;
    set.bricks[0] = 30;
    set.bricks[1] = set.bricks[2] = across;
    set.gravity[0] = -5; /* more of them at one end */
    imp_granular *g = box_flow(&set, 31, 3, 3, 0.1, 873);
    if (!g) return 0;
    box_run(g, 60, &status);
    const uint64_t bits = status == IMP_OK ? box_bits(g) : 0;
    imp_granular_free(g);
    return bits;
}

/* Many layers: each thread has some of them and waits for its neighbours', with more threads than
 * processors in every order. */
static void test_shares(void) {
    static const int threads[] = {2, 3, 7};
    for (int across = 1; across <= 2; across++) {
        const uint64_t one = bits_of_row(1, across);
        for (int k = 0; k < 3; k++)
            ok(one != 0 && bits_of_row(threads[k], across) == one,
               "30 layers of %d bricks on %d threads: the same bits", across * across, threads[k]);
    }
}

/* The general solvers inside the sweeps: the same flow to rounding, as long as rounding has not
 * grown. */
static void test_general(void) {
    static const imp_granular_law laws[] = {IMP_GRANULAR_MAXDISS, IMP_GRANULAR_MAXDISS_GENERAL,
                                            IMP_GRANULAR_COULOMB_GENERAL};
    enum { N = 7 * 5 * 5 };
    static imp_sphere end[3][N];
    for (int k = 0; k < 3; k++) {
        imp_granular_settings set = imp_granular_settings_default();
        imp_status status;
        set.law = laws[k];
        imp_granular *g = box_flow(&set, 7, 5, 5, 0.1, 881);
        const imp_granular_report r = box_run(g, 60, &status);
        ok(status == IMP_OK && r.loaded > 5, "law %d runs (%d loaded contacts)", k, r.loaded);
        for (int i = 0; i < N; i++) {
            const imp_sphere s = imp_granular_sphere(g, i);
            end[k][s.id] = s;
        }
        imp_granular_free(g);
    }
    for (int k = 1; k < 3; k++) {
        /* to rounding; the same bits would say that no other solver was asked */
        double worst = 0;
        for (int i = 0; i < N; i++)
            for (int x = 0; x < 3; x++)
                worst = tap_worst(worst, fabs(end[k][i].velocity[x] - end[0][i].velocity[x]) +
                                             end[0][i].radius *
                                                 fabs(end[k][i].spin[x] - end[0][i].spin[x]));
        ok(worst > 0 && worst < 1e-11,
           "%s in every contact: the closed form's flow (%.2g m/s after 60 steps)",
           k == 1 ? "imp_maxdiss" : "the Coulomb enumeration", worst);
    }
}

/* An impulse below the smallest double is none; of the contact solved before it nothing is left. */
static void test_overflow(void) {
    imp_granular_settings set = imp_granular_settings_default();
    const imp_shape floor = {.kind = IMP_SHAPE_PLANE, .normal = {0, 0, 1}, .friction = 0.3};
    imp_status status;
    set.law = IMP_GRANULAR_COULOMB_GENERAL;
    set.gravity[2] = 0;
    set.erp = 0;
    imp_granular *g = imp_granular_new(&set, 1, &floor, NULL, &status);
    imp_sphere s = {.position = {0.02, 0.05, 0.01}, .radius = 0.01, .density = 1000};
    s.velocity[2] = -1;
    imp_granular_add(g, 1, &s);
    s.position[0] = 0.07;
    s.velocity[2] = -1e-310;
    imp_granular_add(g, 1, &s);
    box_run(g, 1, &status);
    const imp_sphere hits = imp_granular_sphere(g, 0), creeps = imp_granular_sphere(g, 1);
    ok(status == IMP_OK && fabs(hits.velocity[2]) < 1e-15 && creeps.velocity[2] == -1e-310,
       "beside a sphere that hits one of 1e-310 m/s goes on (%g and %g m/s)", hits.velocity[2],
       creeps.velocity[2]);
    imp_granular_free(g);
}

/* A sphere of ten radii among small ones has more neighbours than there are colours. */
static void test_crowd(void) {
    uint64_t bits[3] = {0};
    for (int k = 0; k < 3; k++) {
        imp_granular_settings set = imp_granular_settings_default();
        imp_status status;
        set.threads = k == 1 ? 3 : 1;
        set.simd = k < 2;
        set.gravity[2] = 0;
        imp_granular *g = imp_granular_new(&set, 0, NULL, NULL, &status);
        imp_sphere s = {.position = {0.05, 0.05, 0.05}, .radius = 5e-3, .density = 2650};
        imp_granular_add(g, 1, &s);
        s.radius = 5e-4;
        for (int i = 0; i < 120; i++) { /* points of a spiral on a sphere */
            const double z = (2 * i + 1) / 120.0 - 1, angle = 2.399963 * i,
                         across = sqrt(1 - z * z), far = 5.51e-3;
            const double to[3] = {across * cos(angle), across * sin(angle), z};
            for (int x = 0; x < 3; x++) {
                s.position[x] = 0.05 + far * to[x];
                s.velocity[x] = -0.5 * to[x] + (x == 2 ? 0.1 : 0);
            }
            imp_granular_add(g, 1, &s);
        }
        const imp_granular_report r = box_run(g, 5, &status);
        double momentum = 0, mass = 0;
        for (int i = 0; i < imp_granular_count(g); i++) {
            const imp_sphere one = imp_granular_sphere(g, i);
            momentum += box_mass(&one) * one.velocity[2];
            mass += i && one.radius < 1e-3 ? box_mass(&one) : 0;
        }
        ok(status == IMP_OK && r.contacts == 120, "120 small spheres on a large one (%d contacts)",
           r.contacts);
        mass = 120 * 2650 * 4.0 / 3 * 3.14159265358979323846 * 1.25e-10;
        is_near(momentum, 0.1 * mass, 0, 1e-12, "  momentum is kept");
        bits[k] = box_bits(g);
        imp_granular_free(g);
    }
    ok(bits[0] == bits[1] && bits[0] == bits[2], "  and the bits, with threads, without SIMD");
}

int main(void) {
    test_one_contact();
    test_certificates();
    test_same_bits();
    test_shares();
    test_general();
    test_overflow();
    test_crowd();
    return tap_done();
}
