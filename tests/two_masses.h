/* two_masses.h - a problem in the global form of FCLIB, with joints or without. */
#ifndef TWO_MASSES_H
#define TWO_MASSES_H

#include "io/fclib.h"

#include <stdlib.h>
#include <string.h>

enum { NC = 2, ROWS = 3 * NC, DOF = 6, JOINTS = 2 };

/* Two point masses that touch the ground, whose velocities along y are given. */
static inline imp_fclib masses(int joints) {
    int row[DOF], column[DOF];
    double value[DOF];
    imp_fclib p = {.nc = NC, .dof = DOF, .bilateral = joints, .title = strdup("two masses")};
    for (int i = 0; i < DOF; i++) {
        row[i] = column[i] = i;
        value[i] = 2;
    }
    imp_sparse_from_triplets(DOF, DOF, DOF, row, column, value, &p.M);
    imp_sparse_from_triplets(DOF, ROWS, DOF, row, column, value, &p.H);
    p.f = calloc(DOF, sizeof *p.f);
    p.w = calloc(ROWS, sizeof *p.w);
    p.mu = calloc(NC, sizeof *p.mu);
    for (int i = 0; i < ROWS; i++)
        p.w[i] = i % 3 ? 0.25 : -1;
    for (int j = 0; j < joints; j++)
        row[j] = 3 * j + 1;
    if (joints > 0) imp_sparse_from_triplets(DOF, joints, joints, row, column, value, &p.G);
    if (joints > 0) p.b = calloc((size_t)joints, sizeof *p.b);
    return p;
}

#endif
