/* lasting.h - contacts that last: bodies that slide, roll and rest on each other, held by forces
 * that follow from accelerations.
 *
 * Joints that rub are held as contacts are: stuck, a torque within its bound keeps the rate at 0,
 * or sliding, the bound opposes it.
 *
 * Between two of its changes each contact is in one mode, and its force f (N, on B, in its frame)
 * is linear in what the others do: sticking (or rolling), u = 0 and a = W f + b = 0; sliding, a_n =
 * 0 and f_to = -mu f_n s against the slip s; or open, f = 0. Which mode, Signorini's and Coulomb's
 * law decides on velocities and accelerations (lib/single/forces.h). */
#ifndef SCENE_LASTING_H
#define SCENE_LASTING_H

#include "scene/impact.h"
#include "scene/scene.h"

#include <math.h>

typedef enum scene_mode { SCENE_OPEN, SCENE_SLIDES, SCENE_STICKS } scene_mode;

typedef struct scene_lasting {
    const scene *s;
    int nc, nv;  /* contacts: pairs no further apart than the scene's proximity; of the tree */
    int *pair;   /* (nc) of the compliant system */
    double *gap; /* (nc) m, as it was found; it is kept */
    /* (links) m/s, beside each body: a slower separation is none; a slower slip is none, and has
       no direction but that of its errors */
    double *still, *slow;
    scene_mode *mode; /* (nc) which contacts press, and how */
    int *dead;        /* (nc) as decided: of its tangents, those along which forces move nothing */
    double *slip;     /* (3nc, world) of those that slide: a direction on whose side the slip is; 0
                         without friction, where any is, and where both tangents are dead */
    /* as last looked at; b (m/s^2): accelerations without contact forces */
    imp_contact *contact; /* (nc) */
    double *W, *u, *b;    /* (n x n) 1/kg, n = 3nc + joints; (n) each */
    double *f;            /* (n) N */
    double *own;         /* (nc + joints) 1/kg or 1/(kg m^2), what W has of each without loops: of a
                             contact the mean of its directions */
    double *moves;       /* (2nc) what its tangents move, see scene_fill_immobile */
    double *free, *rate; /* (nv) accelerations of the tree without contact forces, and with f */
    /* Joints that rub come behind the contacts in W, u, b and f, a row each: rates, and torques or
     * forces; the viscous part of their friction is in b. */
    int joints;
    int *joint;          /* (joints) a degree of freedom, or nv + a loop's number */
    scene_mode *held;    /* (joints) SCENE_STICKS or SCENE_SLIDES */
    double *side;        /* (joints) of those that slide: 1 or -1, the sign of their rate; 0: that
                            which it has just now, at a dead centre */
    double *still_joint; /* (joints) rad/s or m/s, a slower rate is none */
    double *row, *gives; /* (joints x nv) their rates of v; what a unit torque does to v' */
    double *H;           /* (nv x nv) mass matrix, of scene_lasting_sizes */
    /* rows of the modes that others imply: several forces make the same accelerations, f is the
       least of them, each counted by the root of `own`; as last looked at, and as decided */
    int loose, as_loose;
    double *work;
} scene_lasting;

/* 3nc + joints. */
static inline int scene_lasting_rows(const scene_lasting *l) {
    return 3 * l->nc + l->joints;
}

/* Of W, 1/kg or 1/(kg m^2). */
static inline double scene_lasting_diagonal(const scene_lasting *l, int row) {
    const size_t rows = (size_t)scene_lasting_rows(l);
    return l->W[(size_t)row * (rows + 1)];
}

/* Of what W has of a joint without loops: what they leave of it at a dead centre, at most, which
 * imp_loops_velocity may take for rounding. */
#define SCENE_LASTING_DEAD 4e-12

/* Does a torque of joint j move anything? Not at a dead centre: there the joint can neither hold
 * the bodies nor take energy from them, and its rate is 0 and changes as they move, whatever its
 * torque. The side that it goes to shows when they have moved; until then what rounding makes of it
 * is as good. */
static inline bool scene_lasting_moves(const scene_lasting *l, int j) {
    return scene_lasting_diagonal(l, 3 * l->nc + j) > SCENE_LASTING_DEAD * l->own[l->nc + j];
}

/* Tangents of contact i, 0 to 2, along which no force moves anything: neither its own nor, as W has
 * no negative eigenvalue, that of another. Across a planar mechanism one always is. At a dead
 * centre one is for an instant, at which the slip turns about as the bodies go on; friction along
 * it can neither hold them nor take energy from them. */
static inline int scene_lasting_dead(const scene_lasting *l, int i) {
    return (l->moves[2 * i] <= SCENE_IMMOBILE) + (l->moves[2 * i + 1] <= SCENE_IMMOBILE);
}

/* What forces f (n) do there, m/s^2 or rad/s^2: of W f. */
static inline double scene_lasting_felt(const scene_lasting *l, const double *f, int row) {
    const int rows = scene_lasting_rows(l);
    const double *W = l->W + (size_t)row * (size_t)rows;
    double felt = 0;
    for (int k = 0; k < rows; k++)
        felt += W[k] * f[k];
    return felt;
}

/* a (3) <- the acceleration of contact i under f. */
static inline void scene_lasting_acceleration(const scene_lasting *l, const double *f, int i,
                                              double a[3]) {
    for (int k = 0; k < 3; k++)
        a[k] = l->b[3 * i + k] + scene_lasting_felt(l, f, 3 * i + k);
}

/* rad/s^2 or m/s^2, of joint j under f; and what such are measured by. */
static inline double scene_lasting_joint_acceleration(const scene_lasting *l, const double *f,
                                                      int j) {
    return l->b[3 * l->nc + j] + scene_lasting_felt(l, f, 3 * l->nc + j);
}

static inline double scene_lasting_joint_scale(const scene_lasting *l, int j) {
    const int row = 3 * l->nc + j;
    return fabs(l->b[row]) + scene_lasting_diagonal(l, row) * l->s->mu_c[l->joint[j]];
}

/* Of a force: what breaks the law does so by more than rounding, which then decides otherwise. */
#define SCENE_LASTING_SLACK 1e-12

/* N m or N: of joint j against its rate, as last looked at. */
static inline double scene_lasting_against(const scene_lasting *l, int j) {
    const double rate = l->u[3 * l->nc + j], bound = l->s->mu_c[l->joint[j]];
    return rate > 0 ? -bound : rate < 0 ? bound : 0;
}

/* Does what joint j sticks by stay within its bound, by half of what may be rounding? */
static inline bool scene_lasting_holds(const scene_lasting *l, int j) {
    return fabs(l->f[3 * l->nc + j]) <= l->s->mu_c[l->joint[j]] * (1 + 0.5 * SCENE_LASTING_SLACK);
}

/* Of contact i. */
static inline double scene_lasting_friction(const scene_lasting *l, int i) {
    return l->s->system.pairs[l->pair[i]].law.mu_dynamic;
}

/* Parts of scene_lasting_look: `row` and `gives` of the joints that rub, and `own`, of a factorised
 * tree; force (nv) += viscous torques; the joints' rows behind those (3nc) that W, u and b hold. */
imp_status scene_lasting_joints(scene_lasting *l);
void scene_lasting_measure(scene_lasting *l);
void scene_lasting_viscous(const scene_lasting *l, double *force);
void scene_lasting_join(scene_lasting *l);

/* size (joints) <- no less than before, and, rad/s or m/s, what their rates are a sum of, as last
 * looked at: of each momentum, in the motion that a torque of the joint makes, and of what contacts
 * may give it, beside bodies of this speed (links, m/s). */
void scene_lasting_sizes(scene_lasting *l, const double *speed, double *size);

/* The pairs that touch at the tree's present place, none of them pressing, and no velocity so slow
 * that it is none. IMP_OK, IMP_NO_MEMORY. */
imp_status scene_lasting_init(scene_lasting *l, const scene *s);
/* The same with room for nc pairs, which are the caller's to fill in. */
imp_status scene_lasting_make(scene_lasting *l, const scene *s, int nc);
void scene_lasting_clear(scene_lasting *l);

/* Contacts that press. */
int scene_lasting_count(const scene_lasting *l);

/* Contacts, W, u and b at the tree's present place; then f and rate by the modes. IMP_OK,
 * IMP_NOT_POSITIVE, IMP_NOT_FINITE. */
imp_status scene_lasting_look(scene_lasting *l);
imp_status scene_lasting_forces(scene_lasting *l);

/* After scene_lasting_forces: do all forces that the modes allow move the bodies alike? */
imp_status scene_lasting_unique(scene_lasting *l, bool *unique);

/* Are the accelerations of all contacts and joints under f (n) those under `other`, but for
 * `within` of `scale` (nc, m/s^2), and of a joint of the numbers in its own? */
bool scene_lasting_alike(const scene_lasting *l, const double *f, const double *other,
                         const double *scale, double within);

/* What a decision comes to. */
typedef enum scene_verdict {
    SCENE_DECIDED,
    SCENE_NO_FORCE,     /* no force obeys the law although nothing collides (Painleve): proven */
    SCENE_UNDETERMINED, /* forces obey the law under which the bodies move differently */
    SCENE_UNDECIDED     /* none was found */
} scene_verdict;

/* The modes by the law at the tree's present place, after scene_lasting_look; then f and rate. One
 * contact: by all its forces, with their proof. Several: each by all its forces under those of the
 * others, in turn, until they agree; where all slide, by every choice of those that press, and of
 * joints at rest that stick or begin to slide. */
imp_status scene_lasting_decide(scene_lasting *l, scene_verdict *verdict);

/* Choices that are looked at: no more than 2^8, of two for a contact, three for a joint at rest. */
enum { SCENE_LASTING_EVERY = 8 };
/* Parts of that; v (n) m/s: velocities, 0 those that are none. Do all contacts slide, and are there
 * no more choices than that? */
bool scene_lasting_all_slide(const scene_lasting *l, const double *v);
/* Then, with the slips and what joints do, and where *verdict is SCENE_DECIDED the modes and f:
 * *verdict by all choices, accelerations measured by `scale` (nc, m/s^2). Of SCENE_DECIDED the
 * modes, f and rate, those that were there if there were any. IMP_OK, IMP_NO_MEMORY. */
imp_status scene_lasting_every(scene_lasting *l, const double *v, const double *scale,
                               scene_verdict *verdict);

/* Do the forces of the modes keep what sticks at rest, after scene_lasting_forces? Not where the
 * bodies go on in spite of them, as from rest at a dead centre that other contacts make: rows that
 * depend on each other there, and contradict each other as soon as the bodies have moved. */
bool scene_lasting_stands(const scene_lasting *l);

/* Do the modes still obey the law, after scene_lasting_forces? IMP_OK: *obeys. Where several forces
 * do the same and f does not obey it but others do, f <- such ones. */
imp_status scene_lasting_obeys(scene_lasting *l, bool *obeys);

/* After scene_lasting_forces: does what slides against friction do so on the side of its slip, but
 * for rounding, and do the rows of the modes hold no more than when those were decided? */
bool scene_lasting_slides(const scene_lasting *l);

/* Of contact i, m/s. */
double scene_lasting_still(const scene_lasting *l, int i);
double scene_lasting_slow(const scene_lasting *l, int i);

/* slip (2) <- that of contact i, the mean with the contacts between the same links whose slip is
 * the same but for less than `slow`: a body that slides without a turn gives all its contacts one
 * direction, whatever rounding leaves of a turn, which would part them at the end of the slide. */
void scene_lasting_slip(const scene_lasting *l, int i, double slip[2]);

/* d (2) <- the direction of that, on the side of the contact's `slip`: friction goes on in a step
 * that reverses the slip as if it did not, until the reversal is located. What goes across `slip`
 * more slowly than half of `slow` is none, and counts in full from `slow` on: friction ends it at
 * the rate mu g / |u|, which steps would have to follow, though it has no direction but that of
 * its errors. 0 without friction. */
void scene_lasting_direction(const scene_lasting *l, int i, double d[2]);

/* slip <- the directions at the tree's present place. */
void scene_lasting_aim(scene_lasting *l);

/* Takes out of (q, v) what has come in by rounding and the integration against the contacts that
 * press: gaps that have changed, velocities that are not 0. Places the tree. */
imp_status scene_lasting_correct(scene_lasting *l, double *q, double *v);

#endif
