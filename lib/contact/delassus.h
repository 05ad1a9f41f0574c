/* delassus.h - from rigid bodies and contacts to a contact problem: W = sum of W_c' M^-1 W_c, q =
 * relative velocity.
 *
 * Source: Preclik, Eibl, Ruede (2017), eq. (2) and the wrench matrix of section 2. Departure: the
 * diagonal blocks AND the coupling blocks of contacts that share a body are assembled here. */
#ifndef IMP_DELASSUS_H
#define IMP_DELASSUS_H

#include "linear/factored.h"
#include "linear/operator.h"
#include "base/status.h"
#include "base/public.h"

IMP_PUBLIC_BEGIN

/* A rigid body. A fixed body has inv_mass = 0 and inv_inertia = 0; a zero in one direction of
 * inv_inertia only is a body that cannot spin about that axis (the slender rod of Preclik section
 * 4.2). */
typedef struct imp_body {
    double inv_mass;       /* 1/kg, >= 0 */
    double inv_inertia[9]; /* 1/(kg m^2), body frame, symmetric positive semidefinite */
    double position[3];    /* m, centre of mass, world */
    double orientation[4]; /* unit quaternion (w, x, y, z), body to world */
    double velocity[3];    /* m/s, centre of mass, world */
    double spin[3];        /* rad/s, world */
} imp_body;

enum { IMP_GROUND = -1 }; /* the body index of what never moves */

/* A contact between bodies a and b; the impulse acts on b, its reaction on a. */
typedef struct imp_contact {
    int a, b;        /* bodies, or IMP_GROUND */
    double point[3]; /* m, world */
    double frame[9]; /* rows n, t, o, world; n from a to b */
} imp_contact;

/* inverse (9) <- the inverse inertia in the world frame, 1/(kg m^2). Thread-safe. */
void imp_body_inv_inertia_world(const imp_body *body, double inverse[9]);

/* W (3nc x 3nc row-major, 1/kg) and q (3nc, m/s) of nc contacts between nb bodies. q is 0 where it
 * is rounding, 1e-13, of how fast the contact's bodies are: what moves as one approaches nothing.
 * IMP_OK, IMP_BAD_ARGUMENT (nc < 1, NULL for what is counted, body index out of range, a contact of
 * a body with itself, of the ground with the ground, negative mass, a quaternion that is not of
 * unit length within 1e-6), IMP_NOT_SYMMETRIC (an inertia, beyond 1e-12), IMP_NOT_POSITIVE (an
 * inertia, beyond 1e-10), IMP_NOT_FINITE (the data; W and q of finite data may overflow, which
 * imp_problem_check says); W and q untouched then. W is symmetric to the last bit. Frames are taken
 * as given, orthonormal or not. Thread-safe. */
imp_status imp_delassus_dense(int nb, const imp_body *bodies, int nc, const imp_contact *contacts,
                              double *W, double *q);

/* How many 3 x 3 blocks of W are not structurally zero: contacts couple when they share a body that
 * can move. start (nc + 1) receives the row starts of imp_blocks; returns start[nc], or -1 when
 * that does not fit an int, memory is short, or the dense one would refuse the data. Takes time
 * proportional to the answer. Thread-safe. */
int imp_delassus_count(int nb, const imp_body *bodies, int nc, const imp_contact *contacts,
                       int *start);

/* column (start[nc]) and block (9 start[nc]) of the block-sparse W, and q (3nc); statuses as for
 * the dense one, and IMP_NO_MEMORY. Thread-safe. */
imp_status imp_delassus_blocks(int nb, const imp_body *bodies, int nc, const imp_contact *contacts,
                               const int *start, int *column, double *block, double *q);

/* *made <- W = G'G over the bodies, six coordinates for each that can move, and q (3nc); statuses
 * as for the blocks, *made NULL then. A body may be immovable in some directions: no mass matrix is
 * needed. Free with imp_factored_free. Thread-safe. */
imp_status imp_delassus_factored(int nb, const imp_body *bodies, int nc,
                                 const imp_contact *contacts, imp_factored **made, double *q);

IMP_PUBLIC_END

#endif
