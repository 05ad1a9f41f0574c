/* d_impulse.c - Drumwright, Shell (2010), section 2.2: A by test impulses, from the Jacobians of
 * reduced coordinates, and by eq. 5 from those of maximal ones. */
#include "base/vec3.h"
#include "base/worse.h"
#include "benchmarks/experiments/arm.h"
#include "benchmarks/experiments/course.h"
#include "generators/gen.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

enum {
    CONTACTS = 4,
    ROWS = 3 * CONTACTS,
    JOINT_ROWS = 5 * ARM_JOINTS,
    TWISTS = 6 * ARM_JOINTS,
    PLACES = 50,
    MOST_STATES = 64
};

/* What is pushed: a tree, with joints besides its own or without. */
typedef struct mechanism {
    imp_tree *tree;
    imp_loops *loops; /* NULL: none */
    int nc;
    const imp_contact *contact;
} mechanism;

/* u (3nc) <- relative velocities of the contacts, as the tree is placed. */
static void look(const mechanism *m, double *u) {
    for (int i = 0; i < m->nc; i++)
        scene_contact_velocity(m->tree, &m->contact[i], u + 3 * i);
}

/* A (3nc x 3nc, 1/kg) <- what the bodies at rest at q answer to a unit impulse along each axis of
 * each contact. Nothing but the answer to a push is asked of the mechanism, which stays at rest. */
static bool test_impulses(const mechanism *m, const double *q, double *A) {
    const int n = 3 * m->nc;
    double column[3 * CONTACTS] = {0};
    imp_tree_place(m->tree, q, NULL);
    bool good = imp_tree_factor(m->tree) == IMP_OK;
    good = good && (!m->loops || imp_loops_factor(m->loops) == IMP_OK);
    for (int j = 0; good && j < n; j++) {
        const imp_contact *c = &m->contact[j / 3];
        double v[MOST_STATES] = {0}, push[3], back[3];
        for (int k = 0; k < 3; k++)
            back[k] = -(push[k] = c->frame[3 * (j % 3) + k]);
        imp_tree_push(m->tree, c->b, c->point, push, v);
        imp_tree_push(m->tree, c->a, c->point, back, v);
        imp_tree_solve(m->tree, v);
        good = !m->loops || imp_loops_velocity(m->loops, v) == IMP_OK;
        imp_tree_place(m->tree, q, v);
        look(m, column);
        for (int i = 0; i < n; i++)
            A[i * n + j] = column[i];
    }
    imp_tree_place(m->tree, q, NULL);
    return good;
}

static double largest(int count, const double *A, const double *B) {
    double off = 0, size = 0;
    for (int i = 0; i < count; i++) {
        off = imp_worse(off, fabs(A[i] - B[i]));
        size = fmax(size, fabs(B[i]));
    }
    return off / size;
}

/* ---- maximal coordinates ---- */

/* Adds the row that takes a body's twist (of its centre of mass, and spin) to `sign` times its
 * velocity along d at the point x. */
static void row_of_point(gsl_matrix *G, size_t row, const imp_tree *tree, int link,
                         const double x[3], const double d[3], double sign) {
    double arm[3], moment[3];
    if (link == IMP_GROUND) return;
    sub3(x, imp_tree_state(tree, link)->com, arm);
    cross3(arm, d, moment);
    for (size_t k = 0; k < 3; k++) {
        *gsl_matrix_ptr(G, row, 6 * (size_t)link + k) += sign * d[k];
        *gsl_matrix_ptr(G, row, 6 * (size_t)link + 3 + k) += sign * moment[k];
    }
}

/* The five rows of each revolute joint. */
static void joint_rows(const imp_tree *tree, gsl_matrix *J) {
    gsl_matrix_set_zero(J);
    for (int i = 0; i < ARM_JOINTS; i++) {
        const imp_link_state *at = imp_tree_state(tree, i);
        const int parent = imp_tree_link(tree, i)->parent;
        double across[9];
        (void)imp_frame_from_normal(at->axis, across);
        for (size_t k = 0; k < 5; k++) {
            const size_t row = 5 * (size_t)i + k;
            const double unit[3] = {k == 0, k == 1, k == 2};
            if (k < 3) {
                row_of_point(J, row, tree, i, at->origin, unit, 1);
                row_of_point(J, row, tree, parent, at->origin, unit, -1);
                continue;
            }
            for (size_t c = 0; c < 3; c++) {
                const double d = across[3 * (k - 2) + c];
                *gsl_matrix_ptr(J, row, 6 * (size_t)i + 3 + c) += d;
                if (parent != IMP_GROUND) *gsl_matrix_ptr(J, row, 6 * (size_t)parent + 3 + c) -= d;
            }
        }
    }
}

/* X (rows x TWISTS) <- X M^-1. */
static void divide_by_mass(const imp_tree *tree, gsl_matrix *X) {
    for (int i = 0; i < ARM_JOINTS; i++) {
        const double mass = imp_tree_link(tree, i)->mass;
        double inertia[9];
        memcpy(inertia, imp_tree_state(tree, i)->inertia, sizeof inertia);
        gsl_matrix_view I = gsl_matrix_view_array(inertia, 3, 3);
        gsl_linalg_cholesky_decomp1(&I.matrix);
        for (size_t r = 0; r < X->size1; r++) {
            gsl_vector_view row = gsl_matrix_row(X, r),
                            place = gsl_vector_subvector(&row.vector, 6 * (size_t)i, 3),
                            spin = gsl_vector_subvector(&row.vector, 6 * (size_t)i + 3, 3);
            gsl_vector_scale(&place.vector, 1 / mass);
            gsl_linalg_cholesky_svx(&I.matrix, &spin.vector);
        }
    }
}

/* A (ROWS x ROWS) <- eq. 5: [N; S; T] C [N; S; T]', C = M^-1 - M^-1 J' (J M^-1 J')^-1 J M^-1. */
static void by_equation_5(const imp_tree *tree, const imp_contact *contact, double *A) {
    gsl_matrix *J = gsl_matrix_calloc(JOINT_ROWS, TWISTS),
               *JM = gsl_matrix_alloc(JOINT_ROWS, TWISTS), *G = gsl_matrix_calloc(ROWS, TWISTS),
               *GM = gsl_matrix_alloc(ROWS, TWISTS), *K = gsl_matrix_alloc(JOINT_ROWS, JOINT_ROWS),
               *B = gsl_matrix_alloc(ROWS, JOINT_ROWS);
    gsl_matrix_view out = gsl_matrix_view_array(A, ROWS, ROWS);
    joint_rows(tree, J);
    for (size_t i = 0; i < ROWS; i++) {
        const imp_contact *c = &contact[i / 3];
        row_of_point(G, i, tree, c->b, c->point, c->frame + 3 * (i % 3), 1);
        row_of_point(G, i, tree, c->a, c->point, c->frame + 3 * (i % 3), -1);
    }
    gsl_matrix_memcpy(JM, J);
    gsl_matrix_memcpy(GM, G);
    divide_by_mass(tree, JM);
    divide_by_mass(tree, GM);
    gsl_blas_dgemm(CblasNoTrans, CblasTrans, 1, JM, J, 0, K);
    gsl_blas_dgemm(CblasNoTrans, CblasTrans, 1, GM, J, 0, B);
    gsl_blas_dgemm(CblasNoTrans, CblasTrans, 1, GM, G, 0, &out.matrix);
    gsl_linalg_cholesky_decomp1(K);
    /* B L'^-1, whose product with itself is what the joints take */
    gsl_blas_dtrsm(CblasRight, CblasLower, CblasTrans, CblasNonUnit, 1, K, B);
    gsl_blas_dgemm(CblasNoTrans, CblasTrans, -1, B, B, 1, &out.matrix);
    gsl_matrix *const all[] = {J, JM, G, GM, K, B};
    for (int k = 0; k < 6; k++)
        gsl_matrix_free(all[k]);
}

/* ---- what is judged ---- */

typedef struct worst {
    double tests, equation; /* against the assembled A, of its largest entry */
    double asymmetry, eigenvalue;
} worst;

/* The smallest eigenvalue over the largest. */
static double least_eigenvalue(const double *A) {
    double copy[ROWS * ROWS], least, most;
    memcpy(copy, A, sizeof copy);
    gsl_matrix_view view = gsl_matrix_view_array(copy, ROWS, ROWS);
    gsl_vector *values = gsl_vector_alloc(ROWS);
    gsl_eigen_symm_workspace *work = gsl_eigen_symm_alloc(ROWS);
    gsl_eigen_symm(&view.matrix, values, work);
    gsl_vector_minmax(values, &least, &most);
    gsl_eigen_symm_free(work);
    gsl_vector_free(values);
    return least / most;
}

static double asymmetry(const double *A) {
    double turned[ROWS * ROWS];
    for (int i = 0; i < ROWS * ROWS; i++)
        turned[i] = A[i % ROWS * ROWS + i / ROWS];
    return largest(ROWS * ROWS, turned, A);
}

/* Both claws on the ground, one claw on the other, and the forearm on the ground. */
static void touch(const imp_tree *tree, gen_stream *s, imp_contact contact[CONTACTS]) {
    static const int pair[CONTACTS][2] = {
        {IMP_GROUND, 6}, {IMP_GROUND, 7}, {6, 7}, {IMP_GROUND, 4}};
    static const double tip[3] = {0.06, 0, 0};
    for (int i = 0; i < CONTACTS; i++) {
        const double normal[3] = {gen_uniform(s, -1, 1), gen_uniform(s, -1, 1),
                                  gen_uniform(s, 1, 2)};
        contact[i] = (imp_contact){.a = pair[i][0], .b = pair[i][1]};
        imp_tree_point(tree, contact[i].b, tip, contact[i].point);
        (void)imp_frame_from_normal(normal, contact[i].frame);
    }
}

static bool at_random(imp_tree *tree, uint64_t k, worst *w) {
    gen_stream s = gen_seed(7100, k);
    double q[ARM_JOINTS], A[ROWS * ROWS], tested[ROWS * ROWS] = {0}, maximal[ROWS * ROWS], u[ROWS],
                                                        work[ROWS * ARM_JOINTS];
    imp_contact contact[CONTACTS];
    const mechanism m = {.tree = tree, .nc = CONTACTS, .contact = contact};
    for (int i = 0; i < ARM_JOINTS; i++)
        q[i] = gen_uniform(&s, -2, 2);
    imp_tree_place(tree, q, NULL);
    touch(tree, &s, contact);
    if (imp_tree_delassus(tree, CONTACTS, contact, A, u, work) != IMP_OK ||
        !test_impulses(&m, q, tested))
        return false;
    by_equation_5(tree, contact, maximal);
    w->tests = imp_worse(w->tests, largest(ROWS * ROWS, tested, A));
    w->equation = imp_worse(w->equation, largest(ROWS * ROWS, maximal, A));
    w->asymmetry = imp_worse(w->asymmetry, asymmetry(tested));
    w->eigenvalue = -imp_worse(-w->eigenvalue, -least_eigenvalue(A));
    return true;
}

static void arm(report *r) {
    imp_world *world = arm_new();
    worst w = {0};
    int places = 0;
    for (uint64_t k = 0; world && k < PLACES; k++)
        places += at_random(world->tree[0], k, &w);
    report_count(r, OWN_BOUND, "arm of eight joints, places at random with four contacts", PLACES,
                 places, "claws on the ground and on each other, forearm on the ground");
    report_at_most(r, INDEPENDENT, "its A by test impulses, of its largest entry", 1e-12, w.tests,
                   "against J H^-1 J' of reduced coordinates");
    report_at_most(r, INDEPENDENT, "its A by eq. 5 from maximal coordinates", 1e-10, w.equation,
                   "eight free bodies, 48 velocities and 40 rows of joints");
    report_judge(r, STATED_IN_SOURCE, "A by test impulses: off symmetric; least eigenvalue",
                 "“symmetric, and positive-semi definite”",
                 report_text(r, "%.1e; %.1e", w.asymmetry, w.eigenvalue), "1e-12 of the largest",
                 w.asymmetry <= 1e-12 && w.eigenvalue >= -1e-12,
                 "twelve rows of eight joints: four eigenvalues are 0");
    imp_world_free(world);
}

/* A scene's first touch: its A by test impulses against that which the models are given. */
static void scene_by_tests(report *r, const char *name, const char *variant, const char *what) {
    course c;
    double A[ROWS * ROWS] = {0};
    if (!course_open(r, name, variant, &c)) return;
    const mechanism m = {
        .tree = c.scene.tree, .loops = c.scene.loops, .nc = c.touch.nc, .contact = c.touch.contact};
    const bool good =
        m.nc <= CONTACTS && c.touch.nv <= MOST_STATES && test_impulses(&m, c.touch.q, A);
    /* across a planar mechanism nothing moves, which models are given as if it did */
    for (int i = 0; good && i < 3 * m.nc; i++)
        if (A[i * 3 * m.nc + i] < 1e-12) A[i * 3 * m.nc + i] = c.touch.W[i * 3 * m.nc + i];
    report_at_most(r, INDEPENDENT, report_text(r, "%s: A by test impulses", what), 1e-10,
                   good ? largest(9 * m.nc * m.nc, A, c.touch.W) : (double)NAN,
                   "of its largest entry");
    course_close(&c);
}

static void run(report *r) {
    arm(r);
    scene_by_tests(r, "brick-face", "flat", "brick on four vertices, no joints");
    scene_by_tests(r, "pendulum", "relative angles", "triple pendulum, reduced coordinates");
    scene_by_tests(r, "four-bar", "tree and loop", "four-bar linkage, trees and a loop");
    scene_by_tests(r, "four-bar", "free bodies", "four-bar linkage, free bodies and four joints");
    report_say(r,
               "A mechanism is asked for nothing but the velocities that a unit impulse at a "
               "contact gives it. Whether it is one body, a tree in reduced coordinates, a loop, "
               "or free bodies held by joints, the same few lines read its A.");
}

const experiment experiment_d_impulse = {
    "D-Impulse", "A by test impulses, and by eq. 5",
    "“A and b can be determined … via application of test impulses”, and “the contact model can "
    "remain ignorant of whether the bodies are articulated and, if articulated, of whether the "
    "bodies are formulated using maximal or reduced coordinates” (section 2.2); eq. 5 gives A from "
    "the Jacobians of maximal coordinates. Neither is how A is assembled here.",
    run};
