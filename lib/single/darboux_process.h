/* darboux_process.h - what the parts of the Darboux-Keller process share: the scaled problem, the
 * state on the path, and the stretches the path is made of.
 *
 * Private to darboux*.c. The letters are those of darboux_slip.h; units are powers of two that
 * bring trace(K) and |u_z| at the start near 1. */
#ifndef IMP_DARBOUX_PROCESS_H
#define IMP_DARBOUX_PROCESS_H

enum { ORDER = 22 }; /* of the Taylor series: 2 more than a multiple of 4 */

#define IMP_ONE_LANE
#include "single/darboux_slip.h"

#include <stdbool.h>

typedef struct imp_process {
    /* the problem */
    double M[3], A[3]; /* xx, xy, yy of M and of mu M */
    double b[2], K33, mu;
    double v[2], uz_start; /* velocity at the start */
    double scale;          /* mu trace(M) + |b|, the size of f and g */
    double steepest;       /* K33 + mu |b|, the largest |h| */
    bool turns;            /* mu |b| > K33: h changes sign at the two directions below */
    double turn[2][2];
    imp_darboux_law law;
    double e, a;
    bool works; /* the works are wanted: for Stronge's law or for the path */
    /* the state */
    double r, w[2], uz;     /* slip speed and direction, normal velocity */
    double pz, pt[2];       /* impulse */
    bool opening;           /* decompression */
    double work[2];         /* of the normal impulse in compression and decompression */
    double squeeze, closed; /* p_z of all finished compressions; p_z where the phase began */
    double strain;          /* int u_z / (1 - a u_z) dp_z, compliant law only */
    int steps;              /* Taylor steps so far */
    bool endless;           /* no end was found: rounding of a nearly singular K, or the cap */
    imp_darboux_path *path; /* segments and points in scaled units; NULL: not wanted */
} imp_process;

static inline rates imp_process_rates(const imp_process *p, const double w[2]) {
    return rates_at(p->A, p->b, p->K33, p->mu, w);
}

/* The value at which the law's own quantity stops the impact: W_d, p_z, u_z or the strain. */
double imp_process_goal(const imp_process *p);

/* p_z from here to the end of a decompression in which u_z changes by `slope` per p_z; INFINITY: it
 * does not end, or is none. */
double imp_process_to_stop(const imp_process *p, double slope);

/* Ends the phase at u_z = 0 in motion of this kind; true when the impact ends there (no
 * restitution). */
bool imp_process_cross(imp_process *p, char kind);

/* Writes the end of a segment, and a point of the path, when they are wanted. */
void imp_process_mark(imp_process *p, char kind);
void imp_process_point(const imp_process *p);

/* ---- constant du/dp_z (darboux_straight.c) ---- */

/* r grows by rate[0] and u_z by rate[1] per p_z, p_xy by friction, until the law stops it (true) or
 * slip ends (false: r = 0). */
bool imp_process_straight(imp_process *p, const double rate[2], const double friction[2],
                          char kind);

/* From the origin to the end: stick when it is stable, else along the diverging ray. */
void imp_process_leave_origin(imp_process *p);

/* ---- curved slip: stretches on which everything is an analytic function of a parameter s ---- */

typedef struct imp_instant {
    double s;
    double r, c, n; /* slip speed; direction in the frame of the stretch */
    /* impulse gained since s = 0: p_z, and p_xy / -mu in the frame of the stretch */
    double pz, X, Y;
    double uz, work;           /* u_z; int u_z dp_z since s = 0 (rays only) */
    double pz1, pz2, uz1, uz2; /* first and second derivatives by s */
} imp_instant;

enum { IMP_RAY_TERMS = 48 };

typedef struct imp_series { /* Taylor series, darboux_series.c */
    rates k;                /* in the unit of s */
    double r, uz, push, K33, mub2;
    double sum[ORDER + 1][4]; /* coefficients of X, Y, D, and 0; no constant terms */
    double speed[ORDER + 1];  /* of x + d */
} imp_series;

typedef struct imp_ray {     /* series along a ray, darboux_ray.c */
    double tau, a2;          /* at s = 0 */
    double q[5], k[4], b[2]; /* in the frame of the ray */
    double K33, mu, uz_end;  /* u_z where r would be 0 */
    int terms;
    double sum[IMP_RAY_TERMS][4]; /* terms of phi, chi_x, chi_y, ln a^2 at tau */
    double psi[IMP_RAY_TERMS];
    double start[5]; /* their sums */
} imp_ray;

typedef struct imp_stretch {
    double w[2], pz, pt[2];    /* the frame; the impulse at s = 0 */
    int ends;                  /* how many pieces with monotone u_z */
    imp_instant start, end[3]; /* s = 0; the ends of the pieces */
    bool along_ray;            /* which of the two: */
    union {
        imp_series series;
        imp_ray ray;
    };
} imp_stretch;

/* Gauss-Legendre on [0, 1]. */
enum { IMP_GAUSS_NODES = 8 };
extern const double imp_gauss_node[IMP_GAUSS_NODES], imp_gauss_weight[IMP_GAUSS_NODES];

/* One step of the Taylor series. */
void imp_series_begin(const imp_process *p, const rates *k, imp_stretch *S);
imp_instant imp_series_at(const imp_stretch *S, double s);
/* int of u_z, or for a > 0 of u_z/(1 - a u_z), by p_z. */
double imp_series_integral(const imp_stretch *S, double a, double from, double to);

/* All of the path to the end or to the origin, if the slip is close enough to an attracting ray;
 * else false. The last end of a converging ray is the origin; a diverging one has no last end. */
bool imp_ray_begin(const imp_process *p, const rates *k, imp_stretch *S);
imp_instant imp_ray_at(const imp_stretch *S, double s);
/* int of u_z by p_z. */
double imp_ray_work(const imp_stretch *S, const imp_instant *from, const imp_instant *to);

/* Follows a stretch through all its events; true when the law stopped the impact in it
 * (darboux_stretch.c). */
bool imp_process_follow(imp_process *p, const imp_stretch *S);

#endif
