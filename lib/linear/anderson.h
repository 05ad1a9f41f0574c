/* anderson.h - Anderson acceleration (type II) of a map x <- g(x), and of a state beside x.
 *
 * The state is affine in x, so the mixture of arguments has the mixture of states. */
#ifndef IMP_ANDERSON_H
#define IMP_ANDERSON_H

enum { ANDERSON_MEMORY = 5 };

typedef struct anderson anderson;

/* Of n numbers and a state of as many as it has. *weight (n): what the squares of a residual count,
 * at first 1, the caller's to set before the first application. NULL without memory. */
anderson *imp_anderson_new(int n, int states, double **weight);
void imp_anderson_free(anderson *a);

/* Drops the history. */
void imp_anderson_forget(anderson *a);

/* Call before the map is applied to x (n), and after. Returns the map's residual: the weighted norm
 * of what it changed. x and the state (NULL: none) become the mixture of the history's images; they
 * stay the plain image where that residual grew by more than 2 (the history is dropped then). */
void imp_anderson_before(anderson *a, const double *x);
double imp_anderson_after(anderson *a, double *x, double *state);

#endif
