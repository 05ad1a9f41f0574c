/* delassus.c - W and q from rigid bodies and contacts (Preclik, Eibl, Ruede 2017, eq. 2 and section
 * 2). */
#include "contact/delassus_internal.h"
#include "base/finite.h"
#include "base/length.h"
#include "base/vec3.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void imp_body_inv_inertia_world(const imp_body *body, double inverse[9]) {
    double R[9], Rt[9], half[9];
    rotation3(body->orientation, R);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            Rt[3 * i + j] = R[3 * j + i];
    multiply3(R, body->inv_inertia, half);
    multiply3(half, Rt, inverse);
    for (int i = 0; i < 3; i++) /* symmetric to the last bit */
        for (int j = 0; j < i; j++)
            inverse[3 * i + j] = inverse[3 * j + i] =
                0.5 * (inverse[3 * i + j] + inverse[3 * j + i]);
}

imp_arm imp_arm_of(const imp_contact *c, int body, const imp_body *bodies) {
    imp_arm result = {c->b == body ? 1 : -1, {0}};
    double lever[3];
    sub3(c->point, bodies[body].position, lever);
    for (int i = 0; i < 3; i++)
        cross3(lever, c->frame + 3 * i, result.angular + 3 * i);
    return result;
}

bool imp_body_moves(int body, const imp_body *bodies) {
    if (body == IMP_GROUND) return false;
    const imp_body *b = &bodies[body];
    return b->inv_mass != 0 || !imp_all_zero(b->inv_inertia, 9);
}

/* block += what one shared body contributes: s_c s_d (D_c D_d' / m + A_c R A_d'). */
static void add_body(const imp_contact *c, const imp_contact *d, int body, const imp_body *bodies,
                     double block[9]) {
    if (!imp_body_moves(body, bodies)) return;
    const imp_arm ac = imp_arm_of(c, body, bodies), ad = imp_arm_of(d, body, bodies);
    double inertia[9], spin[3];
    imp_body_inv_inertia_world(&bodies[body], inertia);
    for (int j = 0; j < 3; j++) {
        apply3(inertia, ad.angular + 3 * j, spin);
        for (int i = 0; i < 3; i++)
            block[3 * i + j] += ac.sign * ad.sign *
                                (bodies[body].inv_mass * dot3(c->frame + 3 * i, d->frame + 3 * j) +
                                 dot3(ac.angular + 3 * i, spin));
    }
}

/* W_ij; callers pass i <= j and mirror, so that W is symmetric to the last bit. */
static void pair_block(const imp_contact *contacts, int i, int j, const imp_body *bodies,
                       double block[9]) {
    const imp_contact *c = &contacts[i], *d = &contacts[j];
    memset(block, 0, 9 * sizeof *block);
    if (c->a == d->a || c->a == d->b) add_body(c, d, c->a, bodies, block);
    if (c->b == d->a || c->b == d->b) add_body(c, d, c->b, bodies, block);
    if (i == j) {
        block[3] = block[1];
        block[6] = block[2];
        block[7] = block[5];
    }
}

static void transpose(const double block[9], double result[9]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            result[3 * j + i] = block[3 * i + j];
}

void imp_contact_velocity(const imp_contact *c, const imp_body *bodies, double q[3]) {
    double v[3] = {0}, speed = 0;
    for (int side = 0; side < 2; side++) {
        const int body = side ? c->b : c->a;
        if (body == IMP_GROUND) continue;
        const imp_body *b = &bodies[body];
        double lever[3], turn[3];
        sub3(c->point, b->position, lever);
        cross3(b->spin, lever, turn);
        speed += imp_length3(b->velocity) + imp_length3(b->spin) * imp_length3(lever);
        for (int i = 0; i < 3; i++)
            v[i] += (side ? 1 : -1) * (b->velocity[i] + turn[i]);
    }
    apply3(c->frame, v, q);
    for (int r = 0; r < 3; r++)
        if (isfinite(speed) && fabs(q[r]) <= IMP_CANCELLED * speed) q[r] = 0;
}

/* Asked of its correlations r_ij = I_ij / sqrt(I_ii I_jj), which have no scale; a zero on the
 * diagonal asks for a zero row. */
imp_status imp_inertia_check(const double I[9]) {
    double r[3];
    for (int k = 0; k < 3; k++) {
        const int i = k, j = (k + 1) % 3;
        const double size = sqrt(fmax(0, I[4 * i])) * sqrt(fmax(0, I[4 * j]));
        if (fabs(I[3 * i + j] - I[3 * j + i]) > 1e-12 * size) return IMP_NOT_SYMMETRIC;
        if (I[4 * i] < 0 || fabs(I[3 * i + j]) > (1 + 1e-10) * size) return IMP_NOT_POSITIVE;
        r[k] = size > 0 ? I[3 * i + j] / size : 0;
    }
    const double determinant = 1 + 2 * r[0] * r[1] * r[2] - r[0] * r[0] - r[1] * r[1] - r[2] * r[2];
    return determinant < -1e-10 ? IMP_NOT_POSITIVE : IMP_OK;
}

imp_status imp_delassus_check(int nb, const imp_body *bodies, int nc, const imp_contact *contacts) {
    if (nb < 0 || nc < 1 || (nb > 0 && !bodies) || !contacts) return IMP_BAD_ARGUMENT;
    for (int i = 0; i < nb; i++) {
        const imp_body *b = &bodies[i];
        const double *q = b->orientation;
        if (!isfinite(b->inv_mass) || !imp_finite(b->inv_inertia) || !imp_finite(b->position) ||
            !imp_all_finite(q, 4) || !imp_finite(b->velocity) || !imp_finite(b->spin))
            return IMP_NOT_FINITE;
        if (b->inv_mass < 0 ||
            fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1) > 2e-6)
            return IMP_BAD_ARGUMENT;
        const imp_status status = imp_inertia_check(b->inv_inertia);
        if (status != IMP_OK) return status;
    }
    for (int i = 0; i < nc; i++) {
        const imp_contact *c = &contacts[i];
        if (c->a < IMP_GROUND || c->a >= nb || c->b < IMP_GROUND || c->b >= nb || c->a == c->b)
            return IMP_BAD_ARGUMENT;
        if (!imp_finite(c->point) || !imp_finite(c->frame)) return IMP_NOT_FINITE;
    }
    return IMP_OK;
}

imp_status imp_delassus_dense(int nb, const imp_body *bodies, int nc, const imp_contact *contacts,
                              double *W, double *q) {
    const imp_status status = imp_delassus_check(nb, bodies, nc, contacts);
    if (status != IMP_OK) return status;
    const size_t rows = 3 * (size_t)nc;
    for (int i = 0; i < nc; i++) {
        imp_contact_velocity(&contacts[i], bodies, q + 3 * (size_t)i);
        for (int j = i; j < nc; j++) {
            double block[9];
            pair_block(contacts, i, j, bodies, block);
            for (size_t r = 0; r < 3; r++)
                for (size_t c = 0; c < 3; c++)
                    W[(3 * (size_t)i + r) * rows + 3 * (size_t)j + c] =
                        W[(3 * (size_t)j + c) * rows + 3 * (size_t)i + r] = block[3 * r + c];
        }
    }
    return IMP_OK;
}

/* The contacts of each body that can move, as ascending lists: the first one of body b is list[b],
 * and the one after contact i on its side s (0: a, 1: b) is list[nb + 2 i + s]; nc ends a list.
 * NULL: no memory. */
static int *contact_lists(int nb, const imp_body *bodies, int nc, const imp_contact *contacts) {
    int *list = malloc(((size_t)nb + 2 * (size_t)nc) * sizeof *list);
    if (!list) return NULL;
    for (int i = 0; i < nb; i++)
        list[i] = nc;
    for (int i = nc - 1; i >= 0; i--)
        for (int side = 0; side < 2; side++) {
            const int body = side ? contacts[i].b : contacts[i].a;
            if (!imp_body_moves(body, bodies)) continue;
            list[(size_t)nb + 2 * (size_t)i + (size_t)side] = list[body];
            list[body] = i;
        }
    return list;
}

/* column (NULL: only count) <- i and the contacts that share a moving body with it, ascending: its
 * two bodies' lists merged. */
static int coupled(int nb, int nc, const imp_contact *contacts, const int *list, int i,
                   int *column) {
    const int body[2] = {contacts[i].a, contacts[i].b};
    int own = i, at[2], count = 0;
    for (int side = 0; side < 2; side++)
        at[side] = body[side] == IMP_GROUND ? nc : list[body[side]];
    for (;;) {
        int j = own;
        for (int side = 0; side < 2; side++)
            if (at[side] < j) j = at[side];
        if (j == nc) return count;
        if (column) column[count] = j;
        count++;
        if (own == j) own = nc;
        for (int side = 0; side < 2; side++)
            if (at[side] == j)
                at[side] = list[(size_t)nb + 2 * (size_t)j + (contacts[j].b == body[side])];
    }
}

int imp_delassus_count(int nb, const imp_body *bodies, int nc, const imp_contact *contacts,
                       int *start) {
    if (imp_delassus_check(nb, bodies, nc, contacts) != IMP_OK) return -1;
    int *list = contact_lists(nb, bodies, nc, contacts);
    if (!list) return -1;
    int total = 0;
    for (int i = 0; i < nc && total >= 0; i++) {
        start[i] = total;
        const int count = coupled(nb, nc, contacts, list, i, NULL);
        total = total > INT_MAX - count ? -1 : total + count;
    }
    start[nc] = total;
    free(list);
    return total;
}

imp_status imp_delassus_blocks(int nb, const imp_body *bodies, int nc, const imp_contact *contacts,
                               const int *start, int *column, double *block, double *q) {
    const imp_status status = imp_delassus_check(nb, bodies, nc, contacts);
    if (status != IMP_OK) return status;
    int *list = contact_lists(nb, bodies, nc, contacts);
    if (!list) return IMP_NO_MEMORY;
    for (int i = 0; i < nc; i++) {
        imp_contact_velocity(&contacts[i], bodies, q + 3 * (size_t)i);
        coupled(nb, nc, contacts, list, i, column + start[i]);
        for (int k = start[i]; k < start[i + 1]; k++) {
            const int j = column[k];
            double upper[9];
            pair_block(contacts, i < j ? i : j, i < j ? j : i, bodies, upper);
            if (i <= j)
                memcpy(block + 9 * (size_t)k, upper, sizeof upper);
            else
                transpose(upper, block + 9 * (size_t)k);
        }
    }
    free(list);
    return IMP_OK;
}
