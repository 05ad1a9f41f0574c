/* relax.h - Gauss-Seidel over the octets of contacts: sweeps of one-contact solutions, and their
 * residual. */
#ifndef IMP_GRANULAR_RELAX_H
#define IMP_GRANULAR_RELAX_H

#include "granular/contacts.h"
#include "granular/halo.h"

/* What a pass does with a contact: puts the first guess on the velocities; solves it; looks how far
 * it is from solved.
 */
typedef enum work { WARM, RELAX, LOOK } work;

/* What sweeps go over. */
typedef struct relaxation {
    const imp_granular_settings *set;
    const bodies *bodies;
    const list *list;
    brick_contacts *contacts; /* of each brick */
    body *before;             /* (bodies->count) of a damped sweep */
    const halo *halo;
    int walls;           /* shapes, whose bodies stand behind the particles */
    double mass_unit;    /* contacts.h */
    single_body *single; /* instead of bodies->body, in single precision */
} relaxation;

/* A pass over n > 0 octets of one colour, from `first` on; of LOOK the largest residual in m/s is
 * returned. The friction of an octet's contacts is that of their bodies a. */
typedef double imp_relax_kernel(const relaxation *of, work what, brick_contacts *c, int first,
                                int n);

/* avx2, avx512, avx512vl NULL: not compiled in */
extern imp_relax_kernel *const imp_relax_plain, *const imp_relax_avx2, *const imp_relax_avx512;
extern imp_relax_kernel *const imp_relax_single_plain, *const imp_relax_single_avx2,
                                                           *const imp_relax_single_avx512vl;
bool imp_relax_has_avx512vl(void); /* the machine, for the last of them */
/* where there are tops; for all laws */
imp_relax_kernel imp_relax_offcentre;

/* The one-contact solution p <- P(p - W^-1 (u + bias n)) in closed form; returns W_nn in 1/kg. */
double imp_relax_closed(const body *a, const body *b, const double n[3], double bias, double p[3]);

/* Sweeps until the residual is at most set->tolerance * scale; returns how many, *residual in
 * m/s. */
int imp_relax_solve(relaxation *r, double scale, double *residual);
/* More sweeps, without push-out. */
void imp_relax_release(relaxation *r);

#endif
