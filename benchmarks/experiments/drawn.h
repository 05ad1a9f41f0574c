/* drawn.h - scenes with an impact that are drawn, of one kind each: nobody has chosen them. */
#ifndef DRAWN_H
#define DRAWN_H

#include "scene/scene.h"

#include <stdint.h>

typedef enum drawn_kind {
    DRAWN_CORNER,  /* a cuboid on one of its corners */
    DRAWN_ARM,     /* a free body with an arm, whose end touches the ground first */
    DRAWN_EDGE,    /* a cuboid on two corners */
    DRAWN_FACE,    /* on four */
    DRAWN_SMOOTH,  /* the same without friction */
    DRAWN_ELASTIC, /* and without dissipation */
    DRAWN_GROOVE,  /* a ball between two planes */
    DRAWN_RACK,    /* a ball that meets two others, which touch, at once */
    DRAWN_STRUCK,  /* a ball that meets a cuboid at rest on four corners */
    DRAWN_ROW,     /* a ball that meets a row of two to four, without friction */
    DRAWN_CHAIN,   /* and without dissipation */
    DRAWN_KINDS
} drawn_kind;

/* What it is called, in a word, and described as, in a few; how many contacts it has at its first
 * touch, unless what was to touch parts first (0: any number). */
extern const char *const drawn_names[DRAWN_KINDS], *const drawn_words[DRAWN_KINDS];
extern const int drawn_contacts[DRAWN_KINDS];

/* Number `index` of a kind and sample, the same on every machine to rounding of sines. Sides of
 * 0.2 to 1 m, bodies of 1 kg or of 0.3 to 3 kg, speeds of 0.5 to 3 m/s in every direction that
 * approaches, spins of that speed over the size; mu 0 to 1 (three balls: to 0.5), and a
 * dissipation that leaves of the normal speed between all and a third. s is the caller's to
 * clear. Statuses of scene_build. */
imp_status drawn_make(drawn_kind kind, uint64_t sample, uint64_t index, scene *s, imp_error *error);

#endif
