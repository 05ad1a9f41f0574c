/* bilateral_internal.h - what elimination and judge of bilateral constraints share. */
#ifndef IMP_BILATERAL_INTERNAL_H
#define IMP_BILATERAL_INTERNAL_H

#include "contact/bilateral.h"
#include "contact/delassus_internal.h"
#include "linear/null_space.h"

#include <math.h>
#include <stdbool.h>

struct imp_bilateral {
    int nb, nc, rows, terms;
    imp_body *body;       /* (nb) */
    imp_contact *contact; /* (nc) */
    imp_term *term;       /* (terms) */
    double *rate;         /* (rows) */
    imp_roots roots;      /* v = v before + B x */
    imp_sparse H;         /* (roots.rows x 3nc) B'H */
    imp_null_space *space;
    double *caught; /* (roots.rows) x of p = 0 */
    double *moved; /* (2 roots.rows) of what the same rows hold: by how much they change a velocity,
                       m/s, and a spin, rad/s, at most */
    imp_factored *factored;
    int rubs, rub_terms;
    imp_term *rub; /* (rub_terms) */
    double *bound; /* (rubs) */
    double *root;  /* (rubs x roots.rows) B'F', a row for each */
    double *A;     /* (rubs x rubs) what the rows leave of them, times themselves */
    double *K;     /* (3nc x rubs) ... times those of contacts */
    double *slide; /* (rubs) the rates of p = x = 0 */
    double *size;  /* (rubs) of the numbers in them */
};

/* Does any impulse change the velocity along row r of contact i? */
static inline bool imp_bilateral_can_change(const imp_bilateral *b, int i, int r) {
    const imp_factored *G = b->factored;
    bool can = false;
    for (int k = G->start[i]; k < G->start[i + 1]; k++)
        can = can || G->G[3 * (size_t)k + (size_t)r] != 0;
    return can;
}

/* error / size; 0 / 0 is none. What is not finite is no answer. */
static inline double imp_bilateral_relative(double error, double size) {
    if (!isfinite(error) || !isfinite(size)) return INFINITY;
    return error > 0 ? error / size : 0;
}

/* How fast what touches at contact i may be, in any direction: before, and by what rows change. A
 * direction in which nothing moves has but the rounding of these. */
double imp_bilateral_speed(const imp_bilateral *b, int i);

/* By how much velocities of contacts may be off, relative: as much as laws let pass. */
#define IMP_BILATERAL_SAME 1e-9

/* How far the velocities u (3nc) that W and q give contacts under impulses p (3nc), and x (rubs;
 * may be NULL) of joints, are from those of bodies that move with `velocity` (6nb), relative to the
 * largest sum of terms of u of each contact. Rows through bodies of masses very far apart may leave
 * few digits of W, q or both. */
double imp_bilateral_apart(const imp_bilateral *b, const double *p, const double *x,
                           const double *u, const double *velocity);

/* What joints that rub need, of a problem without them. IMP_OK, IMP_NO_MEMORY. */
imp_status imp_bilateral_root_rubs(imp_bilateral *b);

/* imp_bilateral_judge; follows (rows): the impulses of the rows that follow from p and x, of which
 * sizes are. IMP_OK, IMP_NO_MEMORY. */
imp_status imp_bilateral_judge_by(const imp_bilateral *b, const double *p, const double *x,
                                  const double *velocity, const double *lambda,
                                  const double *follows, imp_bilateral_errors *errors);

#endif
