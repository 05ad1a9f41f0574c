/* tree.h - rigid bodies joined in trees that grow from the ground; a free body is a tree of one
 * link.
 *
 * Coordinates (q, v): a free link has q = position of its origin (m, world) and unit quaternion
 * (link to world), v = velocity of its origin and spin (m/s, rad/s, world); a revolute link has one
 * angle and its rate, a prismatic link one displacement and its rate, a welded link none. Equations
 * of motion H(q) v' + bias(q, v) = tau.
 *
 * Source: Featherstone (2008), "Rigid Body Dynamics Algorithms": composite rigid bodies (section
 * 6.2), recursive Newton-Euler (5.3), the factorisation H = L'L that keeps the zeros of branches
 * (6.5). Departure: world axes and moments about centres of mass throughout, so that nothing is
 * lost far from the origin. */
#ifndef IMP_TREE_H
#define IMP_TREE_H

#include "contact/delassus.h"
#include "base/public.h"

IMP_PUBLIC_BEGIN

/* How a link may move against its parent: not at all, about an axis, along one, freely. */
typedef enum imp_joint { IMP_WELD, IMP_REVOLUTE, IMP_PRISMATIC, IMP_FREE } imp_joint;

/* A rigid body and the joint that holds it to its parent. */
typedef struct imp_link {
    int parent;       /* an earlier link, or IMP_GROUND; a free link hangs on the ground */
    imp_joint joint;  /* how it moves against the parent */
    double offset[3]; /* m, the link's origin in the parent's frame; of a free link not used */
    /* unit quaternion, link to parent frame at coordinate zero; of a free link not used, but finite
     * as all numbers here */
    double turn[4];
    double axis[3]; /* revolute, prismatic: unit axis through the origin, in the link's frame */
    double mass;    /* kg, >= 0 */
    double com[3];  /* m, centre of mass in the link's frame */
    /* kg m^2 about the centre of mass, link's frame, symmetric positive semidefinite */
    double inertia[9];
    int q_at, v_at; /* where the link's coordinates begin in q and v; set by imp_tree_new */
} imp_link;

/* Where a link is and how it moves, all in world axes; set by imp_tree_place. */
typedef struct imp_link_state {
    double rotation[9]; /* link to world */
    double origin[3];   /* m */
    double com[3];      /* m */
    double axis[3];     /* of a revolute or prismatic joint */
    double inertia[9];  /* kg m^2 about com */
    double velocity[3]; /* m/s, of the origin */
    double spin[3];     /* rad/s */
} imp_link_state;

/* Links, and where they were placed last; made by imp_tree_new. */
typedef struct imp_tree imp_tree;

/* A tree of nl links, copied. *status (may be NULL): IMP_OK, IMP_BAD_ARGUMENT (nl not from 1 to
 * 2^20, parent not earlier, a free link not on the ground, axis or turn not of unit length within
 * 1e-6, negative mass), IMP_NOT_SYMMETRIC (an inertia, beyond 1e-12), IMP_NOT_POSITIVE (an
 * inertia, beyond 1e-10), IMP_NOT_FINITE, IMP_NO_MEMORY; NULL unless IMP_OK. Calls on different
 * trees may run in parallel, calls on one tree may not. */
imp_tree *imp_tree_new(int nl, const imp_link *links, imp_status *status);
void imp_tree_free(imp_tree *tree);

int imp_tree_links(const imp_tree *tree); /* number of links */
int imp_tree_nq(const imp_tree *tree);    /* length of q */
int imp_tree_nv(const imp_tree *tree);    /* length of v, the degrees of freedom */
/* Link i, 0 <= i < imp_tree_links; it belongs to the tree. */
const imp_link *imp_tree_link(const imp_tree *tree, int i);

/* A part of a tree: a link on the ground and all that hang on it, with those numbered in between. H
 * couples no two parts. Links, coordinates and degrees of freedom from the first up to the end. */
typedef struct imp_tree_part {
    int link, link_end, q, q_end, v, v_end; /* from, up to but not with */
} imp_tree_part;

/* How many, one of them, and which one a link belongs to. */
int imp_tree_parts(const imp_tree *tree);
imp_tree_part imp_tree_part_at(const imp_tree *tree, int part);
int imp_tree_part_of(const imp_tree *tree, int link);

/* What the functions below do, for one part alone; q, v, rate, gravity, tau and x are those of the
 * tree. */
void imp_tree_part_place(imp_tree *tree, int part, const double *q, const double *v);
void imp_tree_part_rate(const imp_tree *tree, int part, const double *q, const double *v,
                        double *rate);
void imp_tree_part_inverse_dynamics(imp_tree *tree, int part, const double gravity[3],
                                    const double *rate, double *tau);
imp_status imp_tree_part_factor(imp_tree *tree, int part);
void imp_tree_part_solve(const imp_tree *tree, int part, double *x);

/* Puts the links where q and v say: everything below refers to the last call. v NULL: at rest.
 * Quaternions need not be of unit length, only not zero. */
void imp_tree_place(imp_tree *tree, const double *q, const double *v);
const imp_link_state *imp_tree_state(const imp_tree *tree, int i);
/* (nv) the velocities it was placed with; it belongs to the tree. */
const double *imp_tree_velocity(const imp_tree *tree);

/* q' (nq) of q and v. */
void imp_tree_rate(const imp_tree *tree, const double *q, const double *v, double *rate);

/* q <- q moved for the time h (s) with constant v: free attitudes by the exponential of h spin, of
 * unit length. */
void imp_tree_advance(const imp_tree *tree, double h, const double *v, double *q);

/* world (3, m) <- the point `local` (3, m) of a link; a link IMP_GROUND leaves it as it is.
 * It may be `local`. */
void imp_tree_point(const imp_tree *tree, int link, const double local[3], double world[3]);

/* velocity (3, m/s) of the material point of a link that is at `world`; zero for IMP_GROUND. */
void imp_tree_point_velocity(const imp_tree *tree, int link, const double world[3],
                             double velocity[3]);

/* J, kinetic energy, and potential energy in the uniform field `gravity` (m/s^2, world). */
double imp_tree_kinetic(const imp_tree *tree);
double imp_tree_potential(const imp_tree *tree, const double gravity[3]);

/* H (nv x nv, row-major; kg, kg m, kg m^2) by composite rigid bodies. */
void imp_tree_mass_matrix(imp_tree *tree, double *H);

/* tau (nv; N, N m) <- H v' + bias; rate = v' (nv), NULL: zero, which leaves the bias: Coriolis,
 * centrifugal and gravity terms. */
void imp_tree_inverse_dynamics(imp_tree *tree, const double gravity[3], const double *rate,
                               double *tau);

/* acceleration (3, m/s^2) of the material point of a link that is at `world`, with the rates of the
 * last imp_tree_inverse_dynamics, less the gravity of that call; minus gravity for a link that does
 * not move, zero for IMP_GROUND. */
void imp_tree_point_acceleration(const imp_tree *tree, int link, const double world[3],
                                 double acceleration[3]);

/* tau (nv) += J' force, of a force (N, or an impulse in N s) that acts on a link at the point
 * `world`. */
void imp_tree_push(const imp_tree *tree, int link, const double world[3], const double force[3],
                   double *tau);

/* Factorises H at the present place. IMP_NOT_POSITIVE when a joint moves no mass; IMP_NOT_FINITE
 * when the place is none, or what a joint moves is beyond double. */
imp_status imp_tree_factor(imp_tree *tree);

/* x (nv) <- H^-1 x; after imp_tree_factor. */
void imp_tree_solve(const imp_tree *tree, double *x);

/* The problem of nc contacts at the present place: W = J H^-1 J' (3nc x 3nc row-major, 1/kg,
 * symmetric to the last bit) and q = J v (3nc, m/s), of contacts between links. Factorises H.
 * work (3nc nv). IMP_OK, IMP_BAD_ARGUMENT (nc < 1, link out of range, a contact of a link with
 * itself), statuses of imp_tree_factor; W and q untouched then. */
imp_status imp_tree_delassus(imp_tree *tree, int nc, const imp_contact *contacts, double *W,
                             double *q, double *work);

/* v (nv) += H^-1 J' p for impulses p (3nc, N s); after imp_tree_factor. work (nv). */
void imp_tree_impulse(const imp_tree *tree, int nc, const imp_contact *contacts, const double *p,
                      double *v, double *work);

IMP_PUBLIC_END

#endif
