/* gen_jam.h - balls in close rows between two walls and on the ground, at rest but for one, which
 * hits them. */
#ifndef GEN_JAM_H
#define GEN_JAM_H

#include "gen.h"

enum { GEN_JAM_ROWS = 6, GEN_JAM_WIDTH = 4, GEN_JAM_CONTACTS = 55 };

/* The contact problem. Many impulses along the normals keep the balls that rest where they are. */
typedef struct gen_jam {
    int nc;
    double W[9 * GEN_JAM_CONTACTS * GEN_JAM_CONTACTS]; /* (3nc x 3nc) 1/kg */
    double q[3 * GEN_JAM_CONTACTS];                    /* m/s */
    double mu[GEN_JAM_CONTACTS];                       /* one of all contacts */
} gen_jam;

/* Rows of `width` and width - 1 balls of 1 m in turn, 1 <= rows <= GEN_JAM_ROWS, 2 <= width <=
 * GEN_JAM_WIDTH, of 1 kg times 10^U(-decades, decades). The last of the topmost falls at 5 m/s and
 * some of its own. */
void gen_jam_of(gen_stream *s, int rows, int width, double decades, double mu, gen_jam *jam);

#endif
