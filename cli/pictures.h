/* pictures.h - a simulated scene as VTK files: pictures are drawn into an unnamed file on the way,
 * and written when all of them are known. */
#ifndef PICTURES_H
#define PICTURES_H

#include "impact.h"

#include <stdio.h>

struct options; /* cli/cli.h */

/* The next picture, of the time t (s), and what is on it. `draft` NULL: nothing is drawn. Errors
 * are ferror's. */
void picture_begin(FILE *draft, double t);
void picture_body(FILE *draft, int number, const imp_link_state *state);
/* The gap, m; the impulse, N s, and the relative velocity, m/s, in the contact's frame. */
void picture_contact(FILE *draft, const imp_contact *c, double gap, const double p[3],
                     const double u[3]);

/* Are the folder of --vtk and its bodies.pvd and contacts.pvd apart from what is read and else
 * written? IMP_OK, IMP_BAD_ARGUMENT, IMP_NO_MEMORY. */
imp_status pictures_apart(const struct options *o, imp_error *error);

/* FOLDER/bodies-NUMBER.vtu and contacts-NUMBER.vtu of each, then bodies.pvd and contacts.pvd, which
 * list them; the folder of --vtk is made where it is missing. All of them, or after an error none,
 * and an interrupt that waits is one. IMP_OK, IMP_IO, IMP_BAD_ARGUMENT, IMP_NO_MEMORY. */
imp_status pictures_write(const struct options *o, FILE *draft, imp_error *error);

#endif
