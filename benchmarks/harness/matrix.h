/* matrix.h - the matrix of every model on every scene: its cells, and the bands that judge them.
 *
 * A scene with an impact gives up to four velocity errors per model against the rigid limit of its
 * compliant run (scene/compare.h); a scene for the time stepper gives the contact problem of its
 * first step, and one error against the certified Coulomb answer to it. Every number has a band in
 * benchmarks/matrix_bands.tsv, every blank a reason. */
#ifndef MATRIX_H
#define MATRIX_H

#include "scene/compare.h"

#include <stdbool.h>
#include <stdio.h>

typedef enum matrix_quantity {
    MATRIX_COMMON,  /* the scene's restitution, the same for all laws */
    MATRIX_OWN,     /* the law's own, from the normal impact without friction */
    MATRIX_BEST,    /* the one fitted to this very scene */
    MATRIX_PLASTIC, /* e = 0, against the end of the compression */
    MATRIX_RIGID,   /* e = 0, against the certified Coulomb answer to one step */
    MATRIX_ENERGY,  /* no velocity error: the change of kinetic energy with the scene's e, relative
                       to that before */
    MATRIX_QUANTITIES
} matrix_quantity;

/* "common", "own", "best", "plastic", "rigid", "energy". */
extern const char *const matrix_quantity_names[MATRIX_QUANTITIES];

enum { MATRIX_NAME = 64 };

typedef struct matrix_cell {
    /* "brick-point, mu 0.125"; "compliant" or the name of one of the models */
    char scene[MATRIX_NAME], model[MATRIX_NAME];
    int place;         /* of the scene, from 0 */
    imp_status status; /* of the solve with the scene's restitution */
    const char *why;   /* of `unsupported`; NULL */
    /* the scene is a step of the stepper; it has several contacts */
    bool steps, several;
    bool restitution; /* the model knows some */
    /* relative to the speed before, in the mass norm; NAN: none */
    double error[MATRIX_QUANTITIES];
    double doubt; /* of what they are measured against, relative */
    /* against the compliant run itself, with the scene's restitution */
    double v_compliant;
    double seconds;    /* of the solve */
    bool keeps_energy; /* the model promises never to gain any */
} matrix_cell;

typedef struct matrix {
    int count, room, scenes;
    matrix_cell *cell; /* scene by scene; in each the compliant run (if any) and then the models */
} matrix;

/* The scenes of the matrix, files of benchmarks/scenes without ".json", ended by NULL. */
extern const char *const matrix_scenes[];      /* with an impact */
extern const char *const matrix_step_scenes[]; /* for the stepper */

/* The models of the library, then those that one of their settings makes another law of, with that
 * preset and called "moreau tangential=1"; ended by NULL. */
const imp_model *const *matrix_models(void);

/* The one of that name, NULL when unknown. */
const imp_model *matrix_model_find(const char *name);

/* What is found on the way; either may be NULL. */
typedef struct matrix_visitor {
    void *context;
    void (*impact)(void *context, const char *name, const scene *s, const scene_comparison *c);
    void (*step)(void *context, const char *name, const imp_problem *problem, const double *p,
                 double residual);
} matrix_visitor;

/* Adds every variant of a file of either list, for these models (NULL-ended). false: *error says
 * why not. */
bool matrix_add_file(matrix *m, const char *name, const imp_model *const models[],
                     const matrix_visitor *visitor, imp_error *error);
void matrix_clear(matrix *m);

/* The bands. */
typedef struct matrix_band {
    char scene[MATRIX_NAME], model[MATRIX_NAME];
    matrix_quantity quantity;
    double low, high;
    char reason[256];
    bool met; /* by a cell */
} matrix_band;

typedef struct matrix_bands {
    int count;
    matrix_band *band;
} matrix_bands;

/* Reads "scene model quantity low high reason", tab-separated, after comments and a header. false:
 * not readable. */
bool matrix_bands_open(const char *path, matrix_bands *bands);
void matrix_bands_clear(matrix_bands *bands);

typedef enum matrix_verdict {
    MATRIX_HOLDS,    /* inside its band */
    MATRIX_OUTSIDE,  /* not so */
    MATRIX_EXCUSED,  /* no number, for a reason of the law's or the scene's */
    MATRIX_UNJUDGED, /* a number without a band */
    MATRIX_MISSING,  /* no number, and no reason */
    MATRIX_VERDICTS
} matrix_verdict;

/* "holds", "outside", "no number", "no band", "missing". */
extern const char *const matrix_verdict_names[MATRIX_VERDICTS];

/* *reason <- the band's, or why there is no number. *band (may be NULL) <- the band or NULL; it is
 * marked as met. */
matrix_verdict matrix_judge(const matrix_cell *cell, matrix_quantity quantity, matrix_bands *bands,
                            const char **reason, const matrix_band **band);

/* Does the quantity mean anything for this kind of row and scene at all? */
bool matrix_asks(const matrix_cell *cell, matrix_quantity quantity);

#endif
