/* model.h - what an impact model is: one const descriptor with its name, source, law, settings and
 * solve function.
 *
 * Tests, benchmarks, the program and the report loop over the one table of models
 * (lib/models.c). */
#ifndef IMP_MODEL_H
#define IMP_MODEL_H

#include "contact/law.h"
#include "base/public.h"

#include <stdbool.h>
#include <stddef.h>

IMP_PUBLIC_BEGIN

/* What a model takes besides one purely inelastic contact, and what it promises. */
enum {
    IMP_TAKES_MANY = 1,        /* several contacts */
    IMP_TAKES_RESTITUTION = 2, /* e > 0 */
    IMP_ONLY_PLANAR = 4,       /* only problems that stay in the plane (n, t) */
    IMP_ONLY_FRICTIONLESS = 8, /* mu = 0 */
    /* 1/2 p'Wp + p'q <= 0 to rounding; of contacts that jam, to the residual */
    IMP_NEVER_GAINS_ENERGY = 16,
    IMP_PREFERS_AXES = 32, /* friction depends on where t and o point (a pyramid): only quarter
                              turns change nothing */
    IMP_COMPRESSION_FRICTION = 64, /* friction leans on the impulse of compression alone, not on
                                      that of restitution */
    IMP_MAY_TAKE_OFF = 128,        /* friction may leave u_n > 0 at e = 0 */
    /* W as recorded (imp_operator.as_given), neither symmetric nor positive */
    IMP_TAKES_ASYMMETRIC = 256,
    /* with its setting `start` = guess, p holds the first guess (all finite, else none) */
    IMP_TAKES_GUESS = 512,
};

#define IMP_COUNT "count" /* the unit of a setting that takes whole numbers only */
#define IMP_PAIRS "even"  /* and of one that takes even ones only */

/* One of a model's own settings, for the JSON reader and `--help`. Exactly one of the two kinds: a
 * number (double at `offset`), or, when `choices` is given, one word of that NULL-terminated list
 * (its index as an int at `offset`). */
typedef struct imp_key {
    /* unit "-" when dimensionless, IMP_COUNT when whole, IMP_PAIRS when even */
    const char *name, *unit;
    size_t offset; /* in the model's settings struct */
    /* preset value (or index of the choice) and the closed range of a number */
    double preset, low, high;
    const char *const *choices; /* the words, ended by NULL; NULL: it is a number */
    const char *meaning;        /* one line, for --help */
} imp_key;

enum { IMP_SETTINGS_BYTES = 256 };

/* Room for any model's settings, on the stack. */
typedef union imp_settings {
    double align;                            /* as any of them is aligned */
    unsigned char bytes[IMP_SETTINGS_BYTES]; /* a model's own struct */
} imp_settings;

/* What a solve did. Models fill what applies and leave the rest 0. */
typedef struct imp_info {
    /* of the model's main loop: Newton steps, sweeps, pivots, Taylor steps */
    int iterations;
    int intervals; /* PLUS: sliding intervals */
    int rounds;    /* PLUS: compression-expansion rounds */
    int solutions; /* solutions known to exist, 0 when the model does not count them */
    int leaf;      /* maxdiss: how the answer came about, an imp_maxdiss_leaf */
    /* the solver's own stopping measure; the certificate is the independent one */
    double residual;
    /* given to a model's own solve: where to record how the answer came about, NULL: nowhere.
     * Callers get it from imp_solve_certified */
    imp_path *path;
    /* given to it, too: NULL, or where a signal or a thread puts what is not 0 to end an iteration
     * with its best answer so far, IMP_NOT_CONVERGED. Callers give it to imp_solve_until */
    const volatile int *cancel;
} imp_info;

struct imp_batch_columns; /* single/batch.h */

/* A model: what it is called, what it takes and promises, and how it solves. */
typedef struct imp_model {
    const char *name;     /* "maxdiss" */
    const char *title;    /* one line */
    const char *citation; /* authors year, equations */
    const imp_law *law;   /* what its answers promise */
    unsigned takes;       /* the flags above */
    const imp_key *keys;  /* ended by a key without a name; NULL: no settings of its own */
    size_t settings_size; /* bytes of its settings struct, where that holds more than the keys:
                             presets clear it */
    /* Bytes of workspace for this problem and these settings; NULL: none needed. */
    size_t (*workspace)(const imp_problem *problem, const void *settings);
    /* p (3nc, N s) <- the model's impulse. settings: the model's own struct, never NULL. On a
     * status < 0 p is untouched; on one > 0 it holds the best answer found. Assumes a problem that
     * imp_problem_check accepts. info: never NULL. */
    imp_status (*solve)(const imp_problem *problem, const void *settings, double *p, void *work,
                        imp_info *info);
    /* Many problems of one contact at once, in columns (single/batch.h), none of those for one
     * solution missing: p, residual and status of the first n, whose answers are those of solve to
     * rounding; takes e > 0 where solve does. NULL: none. */
    imp_status (*batch)(const struct imp_batch_columns *columns, size_t n, const void *settings);
    /* The largest residual of its certificate with which an answer under these settings is IMP_OK;
     * NULL: 1e-9. */
    double (*bound)(const void *settings);
} imp_model;

/* All models, ended by NULL. */
extern const imp_model *const imp_models[];

/* The model of that name, any of imp_models, its law within; NULL when unknown. Thread-safe. */
const imp_model *imp_model_find(const char *name);

/* Fills the model's settings struct with the presets of its keys. */
void imp_model_presets(const imp_model *model, void *settings);

/* Does the number lie in the key's range, whole or even where the key is? Thread-safe. */
bool imp_key_takes(const imp_key *key, double value);

/* settings <- the value, where the model has a number of that name; false where it has none. Out of
 * range or not is for imp_solve to say. Thread-safe. */
bool imp_model_set(const imp_model *model, void *settings, const char *name, double value);

/* Is every number of the model's settings one that its key takes, every choice one of its list?
 * What solves says IMP_BAD_ARGUMENT of others; what certifies is to be given none, as a law does
 * not know the keys. Thread-safe. */
bool imp_model_settings_valid(const imp_model *model, const void *settings);

/* Can the model take the problem (number of contacts, restitution, friction, plane, viscous
 * friction, gaps, recorded W, of one contact a singular W)? IMP_OK, IMP_UNSUPPORTED; of a recorded
 * W, which is looked at, IMP_NO_MEMORY, too. Assumes a problem that imp_problem_check accepts.
 * Thread-safe. */
imp_status imp_model_takes(const imp_model *model, const imp_problem *problem);

/* The safe way in: checks the problem and whether the model takes it, allocates the workspace,
 * solves, and holds the answer against the model's law.
 * settings NULL: presets; info may be NULL. IMP_OK guarantees finite p (3nc, N s) whose
 * certificate, checked along the path that the solver recorded, has no residual above the model's
 * bound. Statuses: those of imp_problem_check, IMP_UNSUPPORTED, IMP_NO_MEMORY, IMP_BAD_ARGUMENT
 * also for settings out of their range, IMP_OVERFLOW, IMP_NOT_CERTIFIED for an answer that the
 * solver takes for one and the certificate does not, and the model's own; but IMP_OK for
 * IMP_NO_SOLUTION where the path that the solver left obeys the law. p is untouched when the status
 * is negative, finite when it is not (zero where a model left a number that is none).
 * Thread-safe. */
imp_status imp_solve(const imp_model *model, const imp_problem *problem, const void *settings,
                     double *p, imp_info *info);

/* The same, handing out what imp_solve decides by: path (may be NULL; cleared first, the caller's
 * to clear) and certificate (may be NULL; count is 0 where there is no finite answer); both are
 * untouched where model or p is NULL.
 * Thread-safe. */
imp_status imp_solve_certified(const imp_model *model, const imp_problem *problem,
                               const void *settings, double *p, imp_path *path,
                               imp_certificate *certificate, imp_info *info);

/* The same of a problem that imp_problem_check has accepted and is not asked about again, and that
 * *cancel ends early (imp_info.cancel; NULL: nobody): what it leaves unsolved is not certified
 * either (count 0). Thread-safe. */
imp_status imp_solve_until(const volatile int *cancel, const imp_model *model,
                           const imp_problem *problem, const void *settings, double *p,
                           imp_path *path, imp_certificate *certificate, imp_info *info);

/* The bound above of the model under these settings, NULL: presets. Thread-safe. */
double imp_model_bound(const imp_model *model, const void *settings);

IMP_PUBLIC_END

#endif
