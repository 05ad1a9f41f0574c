/* lasting.h - contacts that last: bodies that slide, roll and rest on each other, held by forces
 * that follow from accelerations.
 *
 * Between two of its changes each contact is in one mode, and its force f (N, on B, in its frame)
 * is linear in what the others do: sticking (or rolling), u = 0 and a = W f + b = 0; sliding, a_n =
 * 0 and f_to = -mu f_n s against the slip s; or open, f = 0. Which mode, Signorini's and Coulomb's
 * law decides on velocities and accelerations (lib/single/forces.h). */
#ifndef SCENE_LASTING_H
#define SCENE_LASTING_H

#include "scene/scene.h"

typedef enum scene_mode { SCENE_OPEN, SCENE_SLIDES, SCENE_STICKS } scene_mode;

typedef struct scene_lasting {
    const scene *s;
    int nc, nv;       /* contacts: pairs no further apart than the scene's proximity; of the tree */
    int *pair;        /* (nc) of the compliant system */
    double *gap;      /* (nc) m, as it was found; it is kept */
    double still;     /* m/s, a slower velocity of a contact is none */
    scene_mode *mode; /* (nc) which contacts press, and how */
    double *slip;     /* (3nc, world) of those that slide: a direction on whose side the slip is */
    /* as last looked at; b (m/s^2): accelerations without contact forces */
    imp_contact *contact; /* (nc) */
    double *W, *u, *b;    /* (3nc x 3nc) 1/kg; (3nc) each */
    double *f;            /* (3nc) N */
    double *free, *rate;  /* (nv) accelerations of the tree without contact forces, and with f */
    bool loose;           /* several forces make the same accelerations: f is the least of them */
    double *work;
} scene_lasting;

/* The pairs that touch at the tree's present place, none of them pressing. IMP_OK,
 * IMP_NO_MEMORY. */
imp_status scene_lasting_init(scene_lasting *l, const scene *s, double still);
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

/* What a decision comes to. */
typedef enum scene_verdict {
    SCENE_DECIDED,
    SCENE_NO_FORCE,     /* no force obeys the law although nothing collides (Painleve) */
    SCENE_UNDETERMINED, /* forces obey the law under which the bodies move differently */
    SCENE_UNDECIDED     /* none was found */
} scene_verdict;

/* The modes by the law at the tree's present place, after scene_lasting_look; then f and rate. One
 * contact: by all its forces, with their proof. Several: each by all its forces under those of the
 * others, in turn, until they agree. */
imp_status scene_lasting_decide(scene_lasting *l, scene_verdict *verdict);

/* Do the modes still obey the law, after scene_lasting_forces? IMP_OK: *obeys. */
imp_status scene_lasting_obeys(scene_lasting *l, bool *obeys);

/* slip <- the directions at the tree's present place. */
void scene_lasting_aim(scene_lasting *l);

/* Takes out of (q, v) what has come in by rounding and the integration against the contacts that
 * press: gaps that have changed, velocities that are not 0. Places the tree. */
imp_status scene_lasting_correct(scene_lasting *l, double *q, double *v);

#endif
