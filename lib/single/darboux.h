/* darboux.h - one contact resolved by the Darboux-Keller impact process, and its closed form in the
 * plane.
 *
 * During an impact the normal impulse grows while friction opposes the slip of the moment: du/dp_n
 * = W (1, -mu w), w the slip direction, (1, p_to') with the sticking impulse when slip ends and
 * stick holds. A law of restitution says when the process stops. Keller (1986); in space "Mirtich
 * reworked", a note on Mirtich (1996), chapter 3, sections 3 and 4.
 *
 * W is packed (nn, nt, no, tt, to, oo) in 1/kg, q (n, t, o) in m/s, p in N s; nothing is allocated
 * and every function is thread-safe. */
#ifndef IMP_DARBOUX_H
#define IMP_DARBOUX_H

#include "contact/model.h"
#include "base/public.h"

IMP_PUBLIC_BEGIN

/* What ends the impact. Sums run over all compression (c, u_n < 0) and decompression (d) phases. */
typedef enum imp_darboux_law {
    IMP_STRONGE,  /* energetic: W_d = -e^2 W_c, the work of the normal impulse */
    IMP_POISSON,  /* kinetic: P_d = e P_c, the normal impulse itself */
    IMP_NEWTON,   /* kinematic: the first u_n = -e q_n */
    IMP_COMPLIANT /* rigid limit of a Hunt-Crossley contact: int u_n / (1 - a u_n) dp_n = 0, a
                     instead of e */
} imp_darboux_law;

/* A stretch of the path with one kind of motion in one phase; the letters are those of the
 * tables. */
typedef struct imp_darboux_segment {
    /* 's' slip, 'd' slip leaving the origin along the diverging ray, 'k' stick, 'f' no friction */
    char kind;
    char phase; /* 'C' compression, 'D' decompression */
    double p_n; /* N s, normal impulse at its end */
} imp_darboux_segment;

/* A point of the path. */
typedef struct imp_darboux_point {
    double p[3], u[3]; /* N s, m/s */
} imp_darboux_point;

/* Room for stretches; five at most: C, D, C, D and one change from slip to stick or diverging
 * slip. */
enum { IMP_DARBOUX_SEGMENTS = 8 };

/* The path for those who want to see it. The caller sets `points` and `capacity` (NULL and 0: no
 * points). */
typedef struct imp_darboux_path {
    imp_darboux_segment segment[IMP_DARBOUX_SEGMENTS]; /* in their order */
    int segments;                                      /* how many */
    /* J, of the normal impulse in compression (<= 0) and decompression */
    double work_c, work_d;
    double u[3];               /* m/s, at the end; exactly 0 in the tangent plane when sticking */
    imp_darboux_point *points; /* points along the path from the start, dense enough to draw;
                                  straight in between */
    /* room for points, points written: the path is cut when the room is too small */
    int capacity, count;
} imp_darboux_path;

/* p <- the impulse of the process stopped by law (not IMP_COMPLIANT) with restitution e in [0, 1];
 * p = 0 where q_n >= 0. Scales of W and of q from 1e-150 to 1e150, any friction: mu times the
 * tangents' share of W beyond 1e30 counts as that, which shows where the slip is 1e30 times the
 * approach; and where it is 1e240 times that, the works, which Stronge and imp_darboux_compliant
 * ask for, lose their digits, and from 1e250 on their restitution is lost. path and info may be
 * NULL; a path costs time and may change the last bits of p, because the works are then computed
 * for every law. IMP_OK: p lies on the path and obeys the law to 1e-13 max(1, c), c the relative
 * condition of the answer in the norm of W and q; most often to a few 1e-16; of W singular
 * to rounding one answer in 1e5 is beside the path. IMP_NOT_CONVERGED: such a W left no stop (four
 * in 1e4 of them), p is where the process stood; no problem has reached the cap of 400 Taylor steps
 * (52 at most in tests/test_darboux_stop.c). IMP_OVERFLOW: p or, with a path, a work is beyond
 * double, p holds 0.
 * IMP_NOT_FINITE, IMP_NOT_POSITIVE, IMP_BAD_FRICTION, IMP_BAD_RESTITUTION, IMP_BAD_ARGUMENT: p and
 * path untouched. info: iterations = Taylor steps. */
imp_status imp_darboux(const double W[6], const double q[3], double mu, double e,
                       imp_darboux_law law, double p[3], imp_darboux_path *path, imp_info *info);

/* The same stopped by the compliant law: a = 1.5 c (s/m, >= 0), c the Hunt-Crossley dissipation.
 * The limit of a stiff Hertz contact whose configuration stays put; a = 0 is Stronge's law with e =
 * 1. IMP_BAD_ARGUMENT for a < 0. */
imp_status imp_darboux_compliant(const double W[6], const double q[3], double mu, double a,
                                 double p[3], imp_darboux_path *path, imp_info *info);

/* The planar process in closed form, W (nn, nt, tt), q and p (n, t). Statuses and meaning as
 * imp_darboux. */
imp_status imp_planar(const double W[3], const double q[2], double mu, double e,
                      imp_darboux_law law, double p[2]);

/* Residuals: signorini (no penetration, no adhesion), cone, path (distance of p from the process at
 * the same p_n, integrated by another method), stopping (how far the law's quantity is from its
 * value at the end). */
extern const imp_law imp_law_darboux_stronge, imp_law_darboux_poisson, imp_law_darboux_newton;

/* The processes in space and in the plane, stopped by each of the laws above. */
extern const imp_model imp_model_darboux_stronge, imp_model_darboux_poisson,
    imp_model_darboux_newton;
extern const imp_model imp_model_planar_stronge, imp_model_planar_poisson, imp_model_planar_newton;

IMP_PUBLIC_END

#endif
