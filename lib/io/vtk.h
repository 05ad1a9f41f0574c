/* vtk.h - particles, contacts and fields of a flow, and points of any kind, as VTK files (.vtu,
 * binary appended), their index over time (.pvd). */
#ifndef IMP_VTK_H
#define IMP_VTK_H

#include "granular/granular.h"
#include "io/error.h"
#include "base/public.h"

IMP_PUBLIC_BEGIN

/* Each file, at `path`, appears whole or not at all. IMP_OK, IMP_IO, IMP_NO_MEMORY. */

/* What is known at each point, or what the points are. */
typedef struct imp_vtk_field {
    const char *name; /* as ParaView shows it */
    int components;   /* numbers at each point */
    double *value;    /* (n components) */
} imp_vtk_field;

/* n points with `count` fields: the first, of 3 components, is where they are (m), the others
 * are their data. */
imp_status imp_vtk_points(const char *path, int n, const imp_vtk_field *fields, int count,
                          imp_error *error);

/* Spheres: points with radius (m), id, velocity (m/s), spin (rad/s); in flows with off-centre
 * masses also offset (m) and orientation (quaternion w, x, y, z). */
imp_status imp_vtk_spheres(const char *path, const imp_granular *flow, imp_error *error);

/* Contacts of the last step: points with normal, gap (m), impulse (N s). */
imp_status imp_vtk_contacts(const char *path, const imp_granular *flow, imp_error *error);

/* Means over the particles now in each cell of a sheet of squares of about `cell` (m) in x and y,
 * over all heights: count, velocity (m/s), spin (rad/s), spin_magnitude (rad/s, mean of |spin|);
 * NaN where there are none. low, high: the box, m. Also IMP_BAD_ARGUMENT: more than 2^24 cells, or
 * a cell that is not > 0. */
imp_status imp_vtk_fields(const char *path, const imp_granular *flow, const double low[3],
                          const double high[3], double cell, imp_error *error);

/* The index: times (n, s) and the files' names, relative to the index. */
imp_status imp_vtk_index(const char *path, int n, const double *times, char *const *names,
                         imp_error *error);

IMP_PUBLIC_END

/* Between the files of lib: the cells of imp_vtk_fields along x and y, whole numbers; are they as
 * many as it takes? */
bool imp_vtk_cells(const double low[3], const double high[3], double cell, double n[2]);
enum { IMP_VTK_CELLS = 1 << 24 }; /* the most */

#endif
