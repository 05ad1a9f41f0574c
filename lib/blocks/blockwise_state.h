/* blockwise_state.h - what a visit to one contact reads and changes of the state: the loop inside
 * all loops.
 *
 * Private to the files blockwise*.c. */
#ifndef IMP_BLOCKWISE_STATE_H
#define IMP_BLOCKWISE_STATE_H

#include "blocks/blockwise.h"

#include <string.h>

/* y += B x, B column-major: two rows at a time where the machine can */
static inline void add_block(const double *B, const double x[3], double *y) {
    const double x0 = x[0], x1 = x[1], x2 = x[2];
    const double y0 = y[0] + (B[0] * x0 + B[3] * x1 + B[6] * x2),
                 y1 = y[1] + (B[1] * x0 + B[4] * x1 + B[7] * x2);
    const double y2 = y[2] + (B[2] * x0 + B[5] * x1 + B[8] * x2);
    y[0] = y0;
    y[1] = y1;
    y[2] = y2;
}

/* z += one G_c d, or u += W_{.,c} d */
static inline void add_change(blockwise *b, int c, const double d[3]) {
    const int first = b->start[c], count = b->start[c + 1] - first;
    if (b->over_bodies) {
        const double n = b->one * d[0], t = b->one * d[1], o = b->one * d[2];
        const two_lanes *G = b->pair + 3 * (size_t)first;
        for (int k = 0; k < count; k++) {
            double *at = b->state + b->row[first + k];
            const two_lanes z = two_of(at) + (G[k] * n + G[count + k] * t + G[2 * count + k] * o);
            memcpy(at, &z, sizeof z);
        }
        return;
    }
    const double *A = b->contact[c].A;
    for (int r = 0; r < 3; r++)
        b->u[3 * (size_t)c + (size_t)r] +=
            A[3 * r] * d[0] + A[3 * r + 1] * d[1] + A[3 * r + 2] * d[2];
    for (int k = first; k < first + count; k++)
        add_block(b->block + 9 * (size_t)k, d, b->u + 3 * (size_t)b->row[k]);
}

/* The velocity of contact c along its normal. */
static inline double normal_velocity(const blockwise *b, int c) {
    const size_t at = 3 * (size_t)c;
    if (!b->over_bodies) return b->u[at];
    const int first = b->start[c], count = b->start[c + 1] - first;
    const two_lanes *G = b->pair + 3 * (size_t)first;
    two_lanes n = {b->q[at], 0};
    for (int k = 0; k < count; k++)
        n += G[k] * two_of(b->state + b->row[first + k]);
    return n[0] + n[1];
}

/* t (2) <- the other two of its velocities. */
static inline void tangential_velocity(const blockwise *b, int c, double t[2]) {
    const size_t at = 3 * (size_t)c;
    if (!b->over_bodies) {
        t[0] = b->u[at + 1];
        t[1] = b->u[at + 2];
        return;
    }
    const int first = b->start[c], count = b->start[c + 1] - first;
    const two_lanes *G = b->pair + 3 * (size_t)first + count;
    two_lanes x = {b->q[at + 1], 0}, y = {b->q[at + 2], 0};
    for (int k = 0; k < count; k++) {
        const two_lanes z = two_of(b->state + b->row[first + k]);
        x += G[k] * z;
        y += G[count + k] * z;
    }
    t[0] = x[0] + x[1];
    t[1] = y[0] + y[1];
}

/* Impulse `next` (3) of contact c in place of the present one, the state brought up to date. */
static inline void change_impulse(blockwise *b, int c, const double next[3]) {
    double *p = b->p + 3 * (size_t)c;
    const double d[3] = {next[0] - p[0], next[1] - p[1], next[2] - p[2]};
    if (d[0] == 0 && d[1] == 0 && d[2] == 0) return;
    memcpy(p, next, 3 * sizeof *p);
    add_change(b, c, d);
}

#endif
