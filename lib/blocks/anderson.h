/* anderson.h - Anderson acceleration (type II) of a map on impulses, with the state beside them
 * mixed alike.
 *
 * Private to lib/blocks. The state is affine in p, so the mixture of impulses has the mixture of
 * states. */
#ifndef IMP_ANDERSON_H
#define IMP_ANDERSON_H

#include "blocks/blockwise.h"

enum { ANDERSON_MEMORY = 5 };

typedef struct anderson anderson;

anderson *imp_anderson_new(const blockwise *b); /* NULL without memory */
void imp_anderson_free(anderson *a);

/* Drops the history. */
void imp_anderson_forget(anderson *a);

/* Call before the map is applied to b->p, and after. Returns the map's residual: the weighted norm
 * of what it changed, a velocity. p and the state of b become the mixture of the history's images;
 * they stay the plain image where that residual grew by more than 2 (the history is dropped
 * then). */
void imp_anderson_before(anderson *a, const blockwise *b);
double imp_anderson_after(anderson *a, blockwise *b);

#endif
