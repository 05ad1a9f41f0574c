/* gen.h - the classes of problems that "random" means in tests, audits and benchmarks.
 *
 * Problem k of a class is the same on every machine and can be made alone: every draw comes from a
 * 64-bit counter generator seeded by class and index, and the elementary functions behind it are
 * written out in plain arithmetic. */
#ifndef GEN_H
#define GEN_H

#include "contact/delassus.h"
#include "contact/law.h"
#include "contact/problem.h"

#include <stdint.h>
#include <stdio.h>

typedef enum gen_class {
    GEN_SPHERE,       /* W = diag(1, 3.5, 3.5), mu U(0,1) */
    GEN_FREE_BOX_1,   /* box, contact on a random face, mu U(0,1) */
    GEN_FREE_BOX_5,   /* the same, mu U(0,5) */
    GEN_SIX_POINT,    /* six mass points, contact on the octahedron hull, mu 10^U(-3,2) */
    GEN_TWO_BODY,     /* sum of two of them */
    GEN_SPD_1,        /* condition number 1 .. 10 */
    GEN_SPD_4,        /* condition number 1 .. 1e4 */
    GEN_SPD_8,        /* condition number 1 .. 1e8 */
    GEN_PAINLEVE,     /* free-box-5 kept when W_nn <= mu |W_n,to| */
    GEN_TINY_CLOSING, /* spd-8 with q_n = -10^U(-16,-1) */
    GEN_ZERO_CLOSING, /* spd-8 with q_n = 0 */
    GEN_OPENING,      /* spd-8 with q_n > 0 */
    GEN_UNITS,        /* free-box-5 with W and q in scaled units */
    /* spd-6, mu U(0,5), a candidate: keep those with two or more Coulomb solutions */
    GEN_SEVERAL,
    GEN_ADVERSARIAL, /* built backwards from the reduced form to be hard */
    GEN_SPEED_BOX,   /* the benchmark's: about 97 % sliding */
    GEN_CLASSES
} gen_class;

typedef struct gen_problem {
    double W[6];  /* nn nt no tt to oo, 1/kg */
    double q[3];  /* m/s */
    double mu, e; /* e = 0 */
    int excluded; /* adversarial only: in the corner no double method can certify */
} gen_problem;

/* The generator, for draws of one's own: seed, then draw. */
typedef struct gen_stream {
    uint64_t state;
} gen_stream;

gen_stream gen_seed(uint64_t family, uint64_t index);
double gen_uniform(gen_stream *s, double low, double high);
double gen_sign(gen_stream *s); /* -1 or 1 */
double gen_normal(gen_stream *s);
double gen_power10(gen_stream *s, double low, double high); /* 10^U(low, high) */
void gen_rotation(gen_stream *s, double R[9]);              /* uniform */
/* e^x, and the natural logarithm of x > 0, in plain arithmetic: the same bits everywhere */
double gen_exp(double x);
double gen_log(double x);

const char *gen_name(gen_class c);
gen_problem gen_make(gen_class c, uint64_t index);
/* In tangents turned by an angle of cosine c and sine s. */
gen_problem gen_turned(const gen_problem *g, double c, double s);

/* six-point and spd classes with mu fixed, as the counting tables need them. */
gen_problem gen_six_point(uint64_t index, double mu);
gen_problem gen_spd(uint64_t index, double most_decades, double mu);

/* One of them as the library's models and certificates take it. Points into itself and into the
 * gen_problem. */
typedef struct gen_dense {
    double W[9]; /* row-major */
    imp_operator op;
    imp_problem problem;
} gen_dense;

void gen_dense_of(const gen_problem *p, gen_dense *dense);

/* A problem of one contact as one of them. */
gen_problem gen_single(const imp_problem *problem);

/* The largest residual of p by the law, with the presets of its models; INFINITY where it cannot be
 * judged. */
double gen_residual(const gen_problem *g, const imp_law *law, const double p[3]);
/* The same without cancellation: relative to the terms of a velocity, which may be far above the
 * data, as kernels measure it, and as what turning rounds is. */
double gen_residual_of_terms(const gen_problem *g, const imp_law *law, const double p[3]);

/* One of them as a row of the program's table format, 17 significant digits, for `impact solve` to
 * replay. */
#define GEN_TABLE_HEADER "id\tmu\tW11\tW12\tW13\tW22\tW23\tW33\tq1\tq2\tq3\te\n"
void gen_print_row(FILE *to, const char *id, const gen_problem *p);

enum { GEN_MOST_CONTACTS = 8 };

/* Rigid bodies in contact with each other and the ground, and the contact problem they make. */
typedef struct gen_many {
    int nb, nc;
    imp_body body[GEN_MOST_CONTACTS];
    imp_contact contact[GEN_MOST_CONTACTS];
    double W[9 * GEN_MOST_CONTACTS * GEN_MOST_CONTACTS]; /* (3nc x 3nc) 1/kg */
    double q[3 * GEN_MOST_CONTACTS];                     /* m/s */
    double mu[GEN_MOST_CONTACTS];
} gen_many;

/* Problem `index` of 1 <= nc <= GEN_MOST_CONTACTS contacts, in turn: a box on corners and points of
 * one face (W singular from four contacts on), a random pile of boxes, a row of spheres. mu
 * U(0,1.5). */
gen_many gen_bodies(uint64_t index, int nc);

/* All bodies but this one at rest: q anew. */
void gen_strike(gen_many *p, int striker);

/* One or two bodies of any inertia with 1 to `most` contacts at random places, as the random
 * problems of Drumwright and Shell; their masses up to 10^decades apart, mu U(0, most_mu), e (nc)
 * U(0, 1). `class` picks the stream. */
gen_many gen_loose(uint64_t class, uint64_t index, int most, double most_mu, double decades,
                   double e[GEN_MOST_CONTACTS]);

#endif
