/* Bilateral constraints: what is left of W and q against the definition and against trees. */
#include "base/vec3.h"
#include "contact/frame.h"
#include "generators/gen_tree.h"
#include "bilateral.h"

enum { BODIES = GEN_MOST_CONTACTS };

/* u (3nc) <- relative velocities at the contacts of bodies that move with `velocity` (6nb). */
static void slips(const imp_body *bodies, int nc, const imp_contact *contacts,
                  const double *velocity, double *u) {
    for (int i = 0; i < nc; i++) {
        double relative[3] = {0};
        for (int side = 0; side < 2; side++) {
            const int body = side ? contacts[i].b : contacts[i].a;
            if (body == IMP_GROUND) continue;
            const double *v = velocity + 6 * body, *w = v + 3, *x = bodies[body].position;
            for (int k = 0; k < 3; k++) {
                const int k1 = (k + 1) % 3, k2 = (k + 2) % 3;
                relative[k] += (side ? 1 : -1) * (v[k] + w[k1] * (contacts[i].point[k2] - x[k2]) -
                                                  w[k2] * (contacts[i].point[k1] - x[k1]));
            }
        }
        for (int r = 0; r < 3; r++)
            u[3 * i + r] = contacts[i].frame[3 * r] * relative[0] +
                           contacts[i].frame[3 * r + 1] * relative[1] +
                           contacts[i].frame[3 * r + 2] * relative[2];
    }
}

/* Joints of all kinds between bodies, and between bodies and the ground; sometimes a row of its
 * own, which nothing holonomic gives: no slip along one direction, or rolling at a rate. */
static void draw_rows(gen_stream *s, const gen_many *p, rows *r) {
    const int joints = 1 + (int)gen_uniform(s, 0, 3);
    *r = (rows){0};
    for (int j = 0; j < joints; j++) {
        const int b = (int)gen_uniform(s, 0, p->nb), other = (int)gen_uniform(s, 0, p->nb + 1) - 1,
                  a = other == b ? IMP_GROUND : other;
        double point[3], axis[3];
        for (int k = 0; k < 3; k++) {
            point[k] = p->body[b].position[k] + gen_uniform(s, -1, 1);
            axis[k] = gen_normal(s);
        }
        join(r, p->body, (imp_pair_kind)gen_uniform(s, 0, 4), a, b, point, axis);
    }
    if (gen_uniform(s, 0, 1) < 0.5) {
        const int free_row = r->count++;
        r->rate[free_row] = gen_uniform(s, -1, 1);
        imp_term *t = &r->term[r->terms++];
        *t = (imp_term){.row = free_row, .body = (int)gen_uniform(s, 0, p->nb)};
        for (int k = 0; k < 6; k++)
            t->axis[k] = gen_normal(s);
    }
}

/* For random impulses the velocities keep the rows and the balance of momentum, which decides them,
 * and the contacts move as W p + q says. */
static void test_definition(void) {
    double rows_off = 0, momentum_off = 0, slip_off = 0;
    int solved = 0, redundant = 0, contradicted = 0, other = 0;
    for (uint64_t k = 0; k < 400; k++) {
        gen_stream s = gen_seed(901, k);
        const gen_many p = gen_bodies(k, 1 + (int)(k % CONTACTS));
        rows r;
        draw_rows(&s, &p, &r);
        reduced it = reduce(p.nb, p.body, p.nc, p.contact, &r);
        contradicted += it.status == IMP_NO_SOLUTION;
        other += it.status != IMP_OK && it.status != IMP_NO_SOLUTION;
        if (it.status != IMP_OK) continue;
        double impulse[3 * CONTACTS] = {0}, u[3 * CONTACTS] = {0}, want[3 * CONTACTS] = {0},
                           velocity[6 * BODIES] = {0}, lambda[ROWS];
        imp_bilateral_errors errors;
        for (int i = 0; i < 3 * p.nc; i++)
            impulse[i] = gen_normal(&s);
        imp_bilateral_recover(it.made, impulse, NULL, velocity, lambda, &errors);
        imp_operator_apply(&it.W, impulse, it.q, u);
        slips(p.body, p.nc, p.contact, velocity, want);
        double size = 1;
        for (int i = 0; i < 6 * p.nb; i++)
            size = fmax(size, fabs(velocity[i]));
        for (int i = 0; i < 3 * p.nc; i++)
            slip_off = tap_worst(slip_off, fabs(u[i] - want[i]) / size);
        rows_off = tap_worst(rows_off, errors.velocity);
        momentum_off = tap_worst(momentum_off, errors.momentum);
        redundant += it.rank < r.count;
        solved++;
        imp_bilateral_free(it.made);
    }
    note("%d solved, %d of them redundant; %d contradict; off by %.1e %.1e %.1e", solved, redundant,
         contradicted, rows_off, momentum_off, slip_off);
    ok(solved > 300 && redundant > 20 && contradicted > 0 && other == 0,
       "random joints: most have velocities, some redundantly, a few contradict");
    ok(rows_off < 1e-12, "G v+ = g");
    ok(momentum_off < 1e-12, "M (v+ - v) = H p + G' lambda");
    ok(slip_off < 1e-12, "the contacts move as W p + q");
}

static void test_without_rows(void) {
    bool same = true;
    for (uint64_t k = 0; k < 60; k++) {
        const gen_many p = gen_bodies(k, 1 + (int)(k % CONTACTS));
        const rows none = {0};
        reduced it = reduce(p.nb, p.body, p.nc, p.contact, &none);
        imp_factored *free_one;
        double q[3 * CONTACTS], W[9 * CONTACTS * CONTACTS], want[9 * CONTACTS * CONTACTS];
        imp_delassus_factored(p.nb, p.body, p.nc, p.contact, &free_one, q);
        const imp_operator plain = imp_operator_factored(free_one);
        imp_operator_write(&plain, want);
        dense_of(&it, W);
        same = same && it.status == IMP_OK && it.rank == 0 &&
               memcmp(W, want, 9 * (size_t)(p.nc * p.nc) * sizeof *W) == 0 &&
               memcmp(q, it.q, 3 * (size_t)p.nc * sizeof *q) == 0;
        imp_factored_free(free_one);
        imp_bilateral_free(it.made);
    }
    ok(same, "without rows W and q are those of free bodies, bit for bit");
}

/* The bodies of a tree where it stands, and its joints as rows. */
static void untie(const imp_tree *tree, int nl, imp_body *bodies, rows *r) {
    for (int i = 0; i < nl; i++) {
        const imp_link *link = imp_tree_link(tree, i);
        const imp_link_state *at = imp_tree_state(tree, i);
        bodies[i] = (imp_body){.inv_mass = 1 / link->mass, .orientation = {1, 0, 0, 0}};
        const double *I = at->inertia;
        double cofactor[9];
        for (int k = 0; k < 3; k++)
            cross3(I + 3 * ((k + 1) % 3), I + 3 * ((k + 2) % 3), cofactor + 3 * k);
        const double det = dot3(I, cofactor);
        for (int k = 0; k < 9; k++)
            bodies[i].inv_inertia[k] = cofactor[k] / det;
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < a; b++)
                bodies[i].inv_inertia[3 * a + b] = bodies[i].inv_inertia[3 * b + a];
        memcpy(bodies[i].position, at->com, sizeof bodies[i].position);
        imp_tree_point_velocity(tree, i, at->com, bodies[i].velocity);
        memcpy(bodies[i].spin, at->spin, sizeof bodies[i].spin);
    }
    *r = (rows){0};
    for (int i = 0; i < nl; i++) {
        static const imp_pair_kind kinds[] = {[IMP_WELD] = IMP_PAIR_WELD,
                                              [IMP_REVOLUTE] = IMP_PAIR_REVOLUTE,
                                              [IMP_PRISMATIC] = IMP_PAIR_SLIDER};
        const imp_link *link = imp_tree_link(tree, i);
        const imp_link_state *at = imp_tree_state(tree, i);
        if (link->joint != IMP_FREE)
            join(r, bodies, kinds[link->joint], link->parent, i, at->origin, at->axis);
    }
}

static void draw_contacts(gen_stream *s, int nl, int nc, imp_contact *contacts) {
    for (int i = 0; i < nc; i++) {
        double normal[3];
        contacts[i].b = (int)gen_uniform(s, 0, nl);
        contacts[i].a = (int)gen_uniform(s, 0, contacts[i].b + 1) - 1;
        for (int k = 0; k < 3; k++)
            contacts[i].point[k] = gen_uniform(s, -1, 1);
        gen_unit(s, normal, 3);
        imp_frame_from_normal(normal, contacts[i].frame);
    }
}

/* Open chains and trees: both forms are the same problem. */
static void test_trees(void) {
    enum { LINKS = 6, NC = 4 };
    static const imp_joint joints[] = {IMP_REVOLUTE, IMP_PRISMATIC, IMP_WELD, IMP_REVOLUTE};
    double worst = 0;
    bool good = true;
    for (uint64_t k = 0; k < 200; k++) {
        gen_stream s = gen_seed(902, k);
        imp_link links[LINKS];
        imp_body bodies[LINKS];
        imp_contact contacts[NC];
        double q[7 * LINKS], v[6 * LINKS], W[9 * NC * NC], want[9 * NC * NC], slip[3 * NC],
            work[18 * NC * LINKS];
        rows r;
        for (int i = 0; i < LINKS; i++) {
            const bool loose = i == 0 ? k % 2 : gen_uniform(&s, 0, 1) < 0.1;
            const int parent = loose ? IMP_GROUND : i ? (int)gen_uniform(&s, 0, i) : IMP_GROUND;
            links[i] = gen_link(&s, parent, loose ? IMP_FREE : joints[(int)gen_uniform(&s, 0, 4)]);
        }
        imp_tree *tree = imp_tree_new(LINKS, links, NULL);
        gen_tree_state(&s, tree, q, v);
        imp_tree_place(tree, q, v);
        untie(tree, LINKS, bodies, &r);
        draw_contacts(&s, LINKS, NC, contacts);
        reduced it = reduce(LINKS, bodies, NC, contacts, &r);
        good = good && it.status == IMP_OK && it.rank == r.count &&
               it.rank == 6 * LINKS - imp_tree_nv(tree) &&
               imp_tree_delassus(tree, NC, contacts, want, slip, work) == IMP_OK;
        if (good) {
            dense_of(&it, W);
            worst = tap_worst(worst, off(W, want, 9 * NC * NC));
            worst = tap_worst(worst, off(it.q, slip, 3 * NC));
        }
        imp_bilateral_free(it.made);
        imp_tree_free(tree);
    }
    note("off by %.1e", worst);
    ok(good, "trees as free bodies and joints: every row counts");
    ok(worst < 1e-10, "and W and q are those of the tree's coordinates");
}

int main(void) {
    test_definition();
    test_without_rows();
    test_trees();
    return tap_done();
}
