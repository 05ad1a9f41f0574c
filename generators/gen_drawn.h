/* gen_drawn.h - what one draws first: equal cubes, bricks and balls that touch, in whole numbers,
 * of which one is struck or which fall together. Full of ties, and of contacts that need no
 * impulse.
 */
#ifndef GEN_DRAWN_H
#define GEN_DRAWN_H

#include "gen.h"

typedef enum gen_drawn_kind {
    DRAWN_TRAIN,   /* cubes, face to face, that fly as one, and a ball that strikes the last */
    DRAWN_STACK,   /* cubes on one another fall flat on the ground */
    DRAWN_PYRAMID, /* bricks at rest, each row of one less than below; a ball falls on top */
    DRAWN_CRADLE,  /* balls in a row, some of which strike the others, from one end or both */
    DRAWN_RACK,    /* balls in a triangle, and one that strikes it */
    DRAWN_FLOOR,   /* balls in a row on the ground, perhaps at a wall, of which one falls */
    DRAWN_SIDE,    /* cubes side by side on the ground, of which one falls flat */
    DRAWN_KINDS
} gen_drawn_kind;

enum { DRAWN_BODIES = 12, DRAWN_CONTACTS = 37 };

typedef struct gen_drawn {
    int nb, nc;
    imp_body body[DRAWN_BODIES]; /* m, kg, m/s */
    imp_contact contact[DRAWN_CONTACTS];
    double mu[DRAWN_CONTACTS], e[DRAWN_CONTACTS]; /* one of all contacts */
} gen_drawn;

/* *made <- drawn from *s; of every other one all is turned, and of every third masses are 1 or 2
 * kg. mu of 0, 0.3, 1, 1000; e of 0, 0.5, 1. */
void gen_drawn_of(gen_drawn_kind kind, gen_stream *s, gen_drawn *made);

#endif
