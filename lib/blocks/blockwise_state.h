/* blockwise_state.h - what a visit to one contact reads and changes of the state: the loop inside
 * all loops.
 *
 * Private to the files blockwise*.c. */
#ifndef IMP_BLOCKWISE_STATE_H
#define IMP_BLOCKWISE_STATE_H

#include "blocks/blockwise.h"

#include <string.h>

/* y += B x, B column-major: two rows at a time where the machine can */
static inline void add_block(const double *B, double x0, double x1, double x2, double *y) {
    const double y0 = y[0] + (B[0] * x0 + B[3] * x1 + B[6] * x2),
                 y1 = y[1] + (B[1] * x0 + B[4] * x1 + B[7] * x2);
    const double y2 = y[2] + (B[2] * x0 + B[5] * x1 + B[8] * x2);
    y[0] = y0;
    y[1] = y1;
    y[2] = y2;
}

/* z += one G_c d, or u += one W_{.,c} d */
static inline void add_change(blockwise *b, int c, const double d[3]) {
    const double n = b->one * d[0], t = b->one * d[1], o = b->one * d[2];
    if (b->over_bodies) {
        const int first = b->start[c], count = b->start[c + 1] - first;
        const two_lanes *G = b->pair + 3 * (size_t)first;
        const int *row = b->row + first;
        double *state = b->state;
        for (int k = 0; k < count; k++, G += 3) {
            double *at = state + row[k];
            const two_lanes z = two_of(at) + (G[0] * n + G[1] * t + G[2] * o);
            memcpy(at, &z, sizeof z);
        }
        return;
    }
    const imp_blocks *W = &b->columns;
    for (int k = W->start[c]; k < W->start[c + 1]; k++)
        add_block(W->block + 9 * (size_t)k, n, t, o, b->u + 3 * (size_t)W->column[k]);
}

/* The velocity of contact c along its normal. */
static inline double normal_velocity(const blockwise *b, int c) {
    const size_t at = 3 * (size_t)c;
    if (!b->over_bodies) return b->u[at];
    const int first = b->start[c], count = b->start[c + 1] - first;
    const two_lanes *G = b->pair + 3 * (size_t)first;
    two_lanes n = {b->q[at], 0};
    for (int k = 0; k < count; k++)
        n += G[3 * k] * two_of(b->state + b->row[first + k]);
    return n[0] + n[1];
}

/* u (3) <- the velocity of contact c. */
static inline void whole_velocity(const blockwise *b, int c, double u[3]) {
    const double *known = (b->over_bodies ? b->q : b->u) + 3 * (size_t)c;
    memcpy(u, known, 3 * sizeof *u);
    if (!b->over_bodies) return;
    const int first = b->start[c], count = b->start[c + 1] - first;
    const two_lanes *G = b->pair + 3 * (size_t)first;
    two_lanes n = {u[0], 0}, t = {u[1], 0}, o = {u[2], 0};
    for (int k = 0; k < count; k++, G += 3) {
        const two_lanes z = two_of(b->state + b->row[first + k]);
        n += G[0] * z;
        t += G[1] * z;
        o += G[2] * z;
    }
    u[0] = n[0] + n[1];
    u[1] = t[0] + t[1];
    u[2] = o[0] + o[1];
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
