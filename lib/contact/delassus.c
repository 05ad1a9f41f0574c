/* delassus.c - W and q from rigid bodies and contacts (Preclik, Eibl, Ruede 2017, eq. 2 and section 2). */
#include "contact/delassus.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

static void cross(const double a[3], const double b[3], double c[3]) {
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* c <- a b for 3 x 3 row-major matrices. */
static void multiply(const double a[9], const double b[9], double c[9]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            c[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
}

void imp_body_inv_inertia_world(const imp_body *body, double inverse[9]) {
    const double w = body->orientation[0], x = body->orientation[1], y = body->orientation[2], z = body->orientation[3];
    const double R[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                         2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                         2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    double Rt[9], half[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            Rt[3 * i + j] = R[3 * j + i];
    multiply(R, body->inv_inertia, half);
    multiply(half, Rt, inverse);
    for (int i = 0; i < 3; i++) /* symmetric to the last bit */
        for (int j = 0; j < i; j++)
            inverse[3 * i + j] = inverse[3 * j + i] = 0.5 * (inverse[3 * i + j] + inverse[3 * j + i]);
}

/* How contact c moves with one of its bodies: the sign of the impulse on it, and the angular rows lever x axis. */
typedef struct arm {
    double sign;
    double angular[9]; /* rows (n, t, o), m */
} arm;

static arm arm_of(const imp_contact *c, int body, const imp_body *bodies) {
    arm result = {c->b == body ? 1 : -1, {0}};
    double lever[3];
    for (int i = 0; i < 3; i++)
        lever[i] = c->point[i] - bodies[body].position[i];
    for (int i = 0; i < 3; i++)
        cross(lever, c->frame + 3 * i, result.angular + 3 * i);
    return result;
}

static bool can_move(int body, const imp_body *bodies) {
    if (body == IMP_GROUND) return false;
    const imp_body *b = &bodies[body];
    if (b->inv_mass != 0) return true;
    for (int i = 0; i < 9; i++)
        if (b->inv_inertia[i] != 0) return true;
    return false;
}

static bool coupled(const imp_contact *c, const imp_contact *d, const imp_body *bodies) {
    return ((c->a == d->a || c->a == d->b) && can_move(c->a, bodies)) ||
           ((c->b == d->a || c->b == d->b) && can_move(c->b, bodies));
}

/* block += what one shared body contributes: s_c s_d (D_c D_d' / m + A_c R A_d'). */
static void add_body(const imp_contact *c, const imp_contact *d, int body, const imp_body *bodies, double block[9]) {
    if (!can_move(body, bodies)) return;
    const arm ac = arm_of(c, body, bodies), ad = arm_of(d, body, bodies);
    double inertia[9], spin[3];
    imp_body_inv_inertia_world(&bodies[body], inertia);
    for (int j = 0; j < 3; j++) {
        for (int k = 0; k < 3; k++)
            spin[k] = dot(inertia + 3 * k, ad.angular + 3 * j);
        for (int i = 0; i < 3; i++)
            block[3 * i + j] +=
                ac.sign * ad.sign *
                (bodies[body].inv_mass * dot(c->frame + 3 * i, d->frame + 3 * j) + dot(ac.angular + 3 * i, spin));
    }
}

/* W_ij; callers pass i <= j and mirror, so that W is symmetric to the last bit. */
static void pair_block(const imp_contact *contacts, int i, int j, const imp_body *bodies, double block[9]) {
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

static void free_velocity(const imp_contact *c, const imp_body *bodies, double q[3]) {
    double v[3] = {0};
    for (int side = 0; side < 2; side++) {
        const int body = side ? c->b : c->a;
        if (body == IMP_GROUND) continue;
        const imp_body *b = &bodies[body];
        double lever[3], turn[3];
        for (int i = 0; i < 3; i++)
            lever[i] = c->point[i] - b->position[i];
        cross(b->spin, lever, turn);
        for (int i = 0; i < 3; i++)
            v[i] += (side ? 1 : -1) * (b->velocity[i] + turn[i]);
    }
    for (int i = 0; i < 3; i++)
        q[i] = dot(c->frame + 3 * i, v);
}

static bool finite_all(const double *x, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

static imp_status check(int nb, const imp_body *bodies, int nc, const imp_contact *contacts) {
    if (nb < 0 || nc < 1 || (nb > 0 && !bodies) || !contacts) return IMP_BAD_ARGUMENT;
    for (int i = 0; i < nb; i++) {
        const imp_body *b = &bodies[i];
        const double *q = b->orientation;
        if (!isfinite(b->inv_mass) || !finite_all(b->inv_inertia, 9) || !finite_all(b->position, 3) ||
            !finite_all(q, 4) || !finite_all(b->velocity, 3) || !finite_all(b->spin, 3))
            return IMP_NOT_FINITE;
        if (b->inv_mass < 0 || fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1) > 2e-6)
            return IMP_BAD_ARGUMENT;
    }
    for (int i = 0; i < nc; i++) {
        const imp_contact *c = &contacts[i];
        if (c->a < IMP_GROUND || c->a >= nb || c->b < IMP_GROUND || c->b >= nb || c->a == c->b) return IMP_BAD_ARGUMENT;
        if (!finite_all(c->point, 3) || !finite_all(c->frame, 9)) return IMP_NOT_FINITE;
    }
    return IMP_OK;
}

imp_status imp_delassus_dense(int nb, const imp_body *bodies, int nc, const imp_contact *contacts, double *W,
                              double *q) {
    const imp_status status = check(nb, bodies, nc, contacts);
    if (status != IMP_OK) return status;
    const size_t rows = 3 * (size_t)nc;
    for (int i = 0; i < nc; i++) {
        free_velocity(&contacts[i], bodies, q + 3 * (size_t)i);
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

int imp_delassus_count(int nb, const imp_body *bodies, int nc, const imp_contact *contacts, int *start) {
    if (check(nb, bodies, nc, contacts) != IMP_OK) return -1;
    start[0] = 0;
    for (int i = 0; i < nc; i++) {
        int count = 0;
        for (int j = 0; j < nc; j++)
            count += i == j || coupled(&contacts[i], &contacts[j], bodies);
        if (start[i] > INT_MAX - count) return -1;
        start[i + 1] = start[i] + count;
    }
    return start[nc];
}

imp_status imp_delassus_blocks(int nb, const imp_body *bodies, int nc, const imp_contact *contacts, const int *start,
                               int *column, double *block, double *q) {
    const imp_status status = check(nb, bodies, nc, contacts);
    if (status != IMP_OK) return status;
    for (int i = 0; i < nc; i++) {
        int k = start[i];
        free_velocity(&contacts[i], bodies, q + 3 * (size_t)i);
        for (int j = 0; j < nc; j++) {
            if (i != j && !coupled(&contacts[i], &contacts[j], bodies)) continue;
            double upper[9];
            pair_block(contacts, i < j ? i : j, i < j ? j : i, bodies, upper);
            if (i <= j)
                memcpy(block + 9 * (size_t)k, upper, sizeof upper);
            else
                transpose(upper, block + 9 * (size_t)k);
            column[k++] = j;
        }
    }
    return IMP_OK;
}
