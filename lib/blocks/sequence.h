/* sequence.h - the velocities between the blows of sequential impulses (sequential.h). */
#ifndef IMP_SEQUENCE_H
#define IMP_SEQUENCE_H

#include "contact/problem.h"

#include <stdbool.h>

typedef struct imp_sequence {
    const imp_problem *problem;
    double *u;    /* (3nc) m/s */
    double *size; /* (3nc) m/s, sum of the absolute terms that u is the sum of */
    int *columns; /* (nc) */
} imp_sequence;

/* Before the first blow. False without memory; imp_sequence_close is due all the same. */
bool imp_sequence_open(imp_sequence *s, const imp_problem *problem);
void imp_sequence_close(imp_sequence *s);

/* The blow x (3, N s) on contact i. */
void imp_sequence_strike(imp_sequence *s, int i, const double x[3]);

/* The terms of contact i's normal velocity, m/s; with several contacts the largest of its three. */
double imp_sequence_size(const imp_sequence *s, int i);

#endif
