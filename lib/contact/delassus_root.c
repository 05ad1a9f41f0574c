/* delassus_root.c - W = G'G over the bodies: G is H in coordinates in which the mass matrix is the
 * unit matrix. */
#include "contact/delassus_internal.h"
#include "base/vec3.h"
#include "linear/triplets.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* B (9) with B B' the inverse inertia in the world frame: a Cholesky factor by pivots in the body
 * frame, where the directions without spin are plain zeros, turned. */
static void inertia_root(const imp_body *body, double B[9]) {
    double A[9], L[9] = {0}, R[9];
    bool used[3] = {false};
    memcpy(A, body->inv_inertia, sizeof A);
    const double size = fmax(A[0], fmax(A[4], A[8]));
    for (int k = 0; k < 3; k++) {
        int p = -1;
        for (int i = 0; i < 3; i++)
            if (!used[i] && (p < 0 || A[4 * i] > A[4 * p])) p = i;
        if (!(A[4 * p] > 1e-15 * size)) break; /* rounding of a direction without spin */
        used[p] = true;
        const double root = sqrt(A[4 * p]);
        for (int i = 0; i < 3; i++)
            if (!used[i] || i == p) L[3 * i + k] = A[3 * i + p] / root;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                A[3 * i + j] -= L[3 * i + k] * L[3 * j + k];
    }
    rotation3(body->orientation, R);
    multiply3(R, L, B);
}

void imp_roots_clear(imp_roots *roots) {
    free(roots->first);
    free(roots->B);
    *roots = (imp_roots){0};
}

imp_status imp_roots_new(int nb, const imp_body *bodies, imp_roots *roots) {
    *roots = (imp_roots){.first = malloc(((size_t)nb + 1) * sizeof *roots->first),
                         .B = malloc((9 * (size_t)nb + 1) * sizeof *roots->B)};
    if (!roots->first || !roots->B || nb > INT_MAX / 6) {
        imp_roots_clear(roots);
        return IMP_NO_MEMORY;
    }
    for (int b = 0; b < nb; b++) {
        const bool moves = imp_body_moves(b, bodies);
        roots->first[b] = moves ? roots->rows : -1;
        if (moves) roots->rows += 6;
        inertia_root(&bodies[b], roots->B + 9 * (size_t)b);
    }
    return IMP_OK;
}

void imp_roots_row(const imp_roots *roots, const imp_body *bodies, int body, const double axis[6],
                   double x[6]) {
    const double light = sqrt(bodies[body].inv_mass), *B = roots->B + 9 * (size_t)body;
    for (int k = 0; k < 3; k++) {
        x[k] = light * axis[k];
        x[3 + k] = B[k] * axis[3] + B[3 + k] * axis[4] + B[6 + k] * axis[5];
    }
}

/* The entries of contact i on one of its bodies. */
static void add_contact(const imp_roots *roots, const imp_body *bodies, int body,
                        const imp_contact *c, int i, imp_triplets *entries) {
    const imp_arm a = imp_arm_of(c, body, bodies);
    for (int r = 0; r < 3; r++) {
        double axis[6], x[6];
        memcpy(axis, c->frame + 3 * r, 3 * sizeof *axis);
        memcpy(axis + 3, a.angular + 3 * r, 3 * sizeof *axis);
        imp_roots_row(roots, bodies, body, axis, x);
        for (int k = 0; k < 6; k++)
            imp_triplets_add(entries, roots->first[body] + k, 3 * i + r, a.sign * x[k]);
    }
}

imp_status imp_roots_contacts(const imp_roots *roots, const imp_body *bodies, int nc,
                              const imp_contact *contacts, imp_sparse *H) {
    imp_triplets entries = {0};
    for (int i = 0; i < nc; i++)
        for (int side = 0; side < 2; side++) {
            const int body = side ? contacts[i].b : contacts[i].a;
            if (imp_body_moves(body, bodies))
                add_contact(roots, bodies, body, &contacts[i], i, &entries);
        }
    return imp_triplets_end(&entries, roots->rows, 3 * nc, H);
}

imp_status imp_delassus_factored(int nb, const imp_body *bodies, int nc,
                                 const imp_contact *contacts, imp_factored **made, double *q) {
    imp_roots roots = {0};
    imp_sparse H = {0};
    *made = NULL;
    imp_status status = imp_delassus_check(nb, bodies, nc, contacts);
    if (status == IMP_OK) status = imp_roots_new(nb, bodies, &roots);
    if (status == IMP_OK) status = imp_roots_contacts(&roots, bodies, nc, contacts, &H);
    if (status == IMP_OK) status = imp_factored_of(&H, made);
    for (int i = 0; i < nc && status == IMP_OK; i++)
        imp_contact_velocity(&contacts[i], bodies, q + 3 * (size_t)i);
    imp_sparse_clear(&H);
    imp_roots_clear(&roots);
    return status;
}
