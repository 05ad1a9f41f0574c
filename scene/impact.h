/* impact.h - the contact problem of a scene at its first touch, its compliant answer, and the rigid
 * limit of that. */
#ifndef SCENE_IMPACT_H
#define SCENE_IMPACT_H

#include "scene/scene.h"

#include "contact/model.h"

/* The instant of the first touch. The problem points into the rest: do not copy. */
typedef struct scene_moment {
    double time;            /* s */
    double *q, *v;          /* state of the tree */
    int nv;                 /* degrees of freedom */
    int nc;                 /* contacts: pairs no further apart than the scene's proximity */
    int *pair;              /* (nc) of the compliant system */
    imp_contact *contact;   /* (nc) */
    double *W, *u;          /* (3nc x 3nc) 1/kg; (3nc) m/s, relative velocities */
    double *mu, *e;         /* (nc) */
    double *H;              /* (nv x nv) mass matrix: the metric of velocities */
    imp_factored *factored; /* W as a product, where joints leave it singular; NULL: W is enough */
    imp_operator operator;  /* of W */
    imp_problem problem;    /* of W, u, mu and e */
} scene_moment;

/* m, the smallest ball; without one, the longest arm of a joint or a centre of mass. */
double scene_length(const scene *s);

/* Factorises the tree's mass matrix and its loops where it is placed. Statuses of imp_tree_factor
 * and imp_loops_factor. */
imp_status scene_factor(const scene *s);

/* Advances the scene to its first touch, with all pairs that are near then. IMP_OK;
 * IMP_NO_SOLUTION when nothing touches before run.until, or when bodies that touch without an
 * approach press on each other before; other statuses of compliant_run. moment is empty unless
 * IMP_OK. */
imp_status scene_touch(const scene *s, scene_moment *moment);
/* The same; *end <- how the run ended where the status is IMP_NOT_CONVERGED; COMPLIANT_TOUCH with
 * IMP_NO_SOLUTION: by bodies that press on each other without an impact. */
imp_status scene_touch_or_why(const scene *s, scene_moment *moment, compliant_end *end);
/* The same from the state q, v on, for at most `until` s and `most` steps, with the pairs that
 * scene_moment_at has; result is the caller's to clear: the free motion up to there, its history
 * kept. */
imp_status scene_touch_from(const scene *s, const double *q, const double *v, double until,
                            long most, const double *fastest, scene_moment *moment,
                            compliant_result *result);
/* The moment of the state q, v: what touches there, and pairs that are near of bodies that are
 * coupled with what closes. Velocities of contacts are 0 within rounding of the speed there, or of
 * `fastest` (links, m/s; NULL: none), from which bodies may have come to it. IMP_OK,
 * IMP_BAD_ARGUMENT (nothing that is as near as the scene's proximity closes), IMP_NO_MEMORY,
 * IMP_NOT_POSITIVE; empty unless IMP_OK. */
imp_status scene_moment_at(const scene *s, double time, const double *q, const double *v,
                           const double *fastest, scene_moment *moment);
void scene_moment_clear(scene_moment *moment);

/* The pairs that touch at the tree's present place, no further apart than the scene's proximity,
 * and their contacts; NULL: not asked for. Returns how many. */
int scene_pairs(const scene *s, int *pair, imp_contact *contact);

/* Has a pair a gap, beyond the rounding that finds when it closes? */
bool scene_apart(const scene *s, int pair);

/* u (3, m/s; n, t, o) <- the relative velocity at a contact, as the tree is placed. */
void scene_contact_velocity(const imp_tree *tree, const imp_contact *contact, double u[3]);

/* Of the largest mobility of a contact: what rounding leaves of none. */
#define SCENE_IMMOBILE 1e-14

/* A tangent along which the bodies cannot move at all (across a planar mechanism, however that is
 * turned) makes W singular, and the models ask for a positive definite block. Nothing moves there
 * and nothing pushes there, so that any mobility gives the same answer: W (rows x rows, those of nc
 * contacts first) there <- the contact's normal one, uncoupled, and u and b (3nc; b may be NULL) <-
 * 0. moves (2nc, NULL: not asked for) <- before that, of its largest mobility, and however its
 * frame is turned about the normal: the least that a contact's tangents have, between half of it
 * and all; and what both have together. */
void scene_fill_immobile(int nc, int rows, double *W, double *u, double *b, double *moves);

/* An outcome of the impact: what every model, the compliant run and its limit are compared by. */
typedef struct scene_outcome {
    double *p; /* (3nc) N s, in the contacts' frames at the touch */
    double *v; /* (nv) velocity of the tree afterwards */
} scene_outcome;

imp_status scene_outcome_init(scene_outcome *outcome, const scene_moment *moment);
void scene_outcome_clear(scene_outcome *outcome);

/* v of an outcome from its p: v + H^-1 J' p at the touch, under the scene's joints. */
imp_status scene_outcome_from_impulse(const scene *s, const scene_moment *moment,
                                      scene_outcome *outcome);

/* Runs the compliant scene on from the touch with these settings. outcome receives impulses and
 * velocity, that of where the bodies stood at the touch: of a free body the centre of mass and the
 * spin keep theirs, though it has turned meanwhile and its origin about that; where joints leave no
 * such motion, the nearest in the metric of the masses; result (may be NULL) is the caller's to
 * clear. Statuses of compliant_run. */
imp_status scene_compliant(const scene *s, const scene_moment *moment,
                           const compliant_settings *settings, scene_outcome *outcome,
                           compliant_result *result);

/* The limit of the compliant outcome as the stiffness goes to infinity and the transition speed of
 * friction to zero. One contact with Coulomb's friction (no tangential compliance, no viscous
 * friction), whose bodies move in every direction but a tangent, and no other pair nearer than
 * run.apart that closes then, whose impact would be part of the collision: the Darboux-Keller
 * process stopped by the compliant law; static friction holds where slip is zero from the start.
 * Otherwise, and where slip may come to zero later under static friction: Richardson extrapolation
 * of runs with stiffness E s^-5/2 (of a linear spring: k s^-2) and transition speed v s. *doubt (kg
 * m^2/s^2)^1/2 receives an estimate of how far off that is in the mass norm of velocities (1 of 160
 * drawn impacts was further off, X-drawn of the report), 0 for the process: what the last three
 * extrapolations leave, in a row d apart at most, of the lowest power of s that is not whole: d /
 * (2^0.6 - 1) where contacts break away from static friction, d otherwise. Runs also hold what
 * slips by more slowly than their transition speed, however small; where static friction is above
 * dynamic the doubt is twice the way to the limit without it, too. IMP_OK: below 1e-6 of the speed
 * before; IMP_NOT_CONVERGED: above it, outcome is the last extrapolation (untouched and *doubt
 * infinite where not even the first run ended), with *doubt infinite where contacts still yield by
 * more than a gap between others that counts as touching: stiffer ones would meet one after
 * another. */
imp_status scene_limit(const scene *s, const scene_moment *moment, scene_outcome *outcome,
                       double *doubt);

/* The extrapolation, for one contact as for several. */
imp_status scene_limit_extrapolated(const scene *s, const scene_moment *moment,
                                    scene_outcome *outcome, double *doubt);

/* The end of the compression: the Darboux-Keller process up to its first u_n = 0, which no
 * restitution decides and where every inelastic answer to one contact should stop. IMP_UNSUPPORTED
 * for several, which end their compressions at different instants, and where the limit of one is
 * not that process. */
imp_status scene_plastic(const scene *s, const scene_moment *moment, scene_outcome *outcome);

/* sqrt(d' H d) of the difference d of two velocities, (J)^1/2; b NULL: at rest. */
double scene_velocity_distance(const scene_moment *moment, const double *a, const double *b);

/* Do velocities determine the impulses? The rank of W over the directions a contact can push in
 * (normals, and tangents where mu > 0) is full: no eigenvalue below 1e-10 of the largest.
 * IMP_OK, IMP_NO_MEMORY, IMP_NOT_FINITE. */
imp_status scene_impulses_unique(const scene_moment *moment, bool *unique);

/* Why a model does not take a problem, after IMP_UNSUPPORTED and leaving restitution aside:
 * "several contacts", "friction", "directions that do not move (W has no full rank)", and, of a
 * planar model that none of these keeps from it, "not planar"; NULL where it should. */
const char *scene_refusal(const imp_model *model, const imp_problem *problem);

#endif
