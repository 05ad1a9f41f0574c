/* vtk.h - points with data as VTK files (.vtu, binary appended) and their index over time (.pvd). */
#ifndef IMP_VTK_H
#define IMP_VTK_H

#include "granular/granular.h"
#include "io/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Each file appears whole or not at all. IMP_OK, IMP_IO, IMP_NO_MEMORY. */

/* Spheres: points with radius (m), id, velocity (m/s), spin (rad/s). */
imp_status imp_vtk_spheres(const char *path, const imp_granular *flow, imp_error *error);

/* Contacts of the last step: points with normal, gap (m), impulse (N s). */
imp_status imp_vtk_contacts(const char *path, const imp_granular *flow, imp_error *error);

/* The index: times (n, s) and the files' names, relative to the index. */
imp_status imp_vtk_index(const char *path, int n, const double *times, char *const *names, imp_error *error);

#ifdef __cplusplus
}
#endif

#endif
