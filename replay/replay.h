/* replay.h - recorded impacts of one body on a flat ground as contact problems: how near every
 * model comes to what was measured, with mu and e fitted to other impacts than those that judge
 * them.
 *
 * Errors are |v_model - v_measured|_M / |v_before|_M, M the mass matrix: the mass itself has no
 * part in them. The floor is the least such error that any impulse at the contact point could have:
 * what neither friction nor restitution is to blame for. */
#ifndef REPLAY_H
#define REPLAY_H

#include "impact.h"

enum { REPLAY_FOLDS = 10 };

typedef struct replay_impact {
    double id;                    /* of the row, or of the recorded motion, in the file */
    imp_body body;                /* before the impact; its inertia is the same about all axes */
    imp_contact contact;          /* of the ground with the body; `point` from the centre of mass */
    double after[6];              /* measured: velocity (m/s), then spin (rad/s), world */
    double W[9], q[3];            /* 1/kg, m/s */
    double floor, floor_mirrored; /* as read; were x turned about */
} replay_impact;

typedef struct replay_data {
    const struct replay_set *set;
    int count;
    /* recordings without an impact that is clearly of one point, from flight to flight */
    int left_out;
    replay_impact *impact;        /* (count) */
    int *fold;                    /* (count) of cross-validation, 0 .. REPLAY_FOLDS - 1 */
    double floor, floor_mirrored; /* means */
} replay_data;

/* A set of recordings, and the body that was thrown. */
typedef struct replay_set {
    const char *name, *file;
    const char *tag; /* with which a file of recorded motions begins */
    /* x grows to the left of the frame in which angles and normals are recorded: read as -x */
    bool mirrored;
    double mass;     /* kg */
    double gyration; /* m, radius of gyration, about every axis that the body spins about */
    double half;     /* m, half an edge of a cube or square */
    int corners;     /* of those, 8 or 4 */
    int up;          /* axis of the ground's normal */
    double period;   /* s, between samples of a recorded motion */
    /* Appends the impacts of the file. */
    imp_status (*read)(const imp_input *input, replay_data *data, imp_error *error);
} replay_set;

/* All of them, ended by one without a name. */
extern const replay_set replay_sets[];

/* path <- where the file of the set is: folder real/ of $IMPACT_DATA, or of ../shared/data. */
enum { REPLAY_PATH = 4096 };
void replay_path(const replay_set *set, char path[REPLAY_PATH]);

/* Is that file there? */
bool replay_there(const replay_set *set);

/* Reads the impacts of a set. IMP_OK, IMP_IO, IMP_BAD_ARGUMENT (also where no impact is left),
 * IMP_NO_MEMORY. replay_clear either way. */
imp_status replay_read(const replay_set *set, replay_data *data, imp_error *error);
void replay_clear(replay_data *data);

/* Do the impacts speak against the hand of x with which they were read? Then an impulse at the
 * contact point explains what was measured worse than it would with x turned about: in 97.5 % of
 * 1000 resamplings of the impacts, and by more than rounding. */
bool replay_mirror_doubtful(const replay_data *data);

/* A model on a set of impacts. Where it has no answer, the impact counts with the error of none. */
typedef struct replay_answer {
    const imp_model *model;
    /* IMP_OK; IMP_UNSUPPORTED: not of such impacts; of a solver outside the library that has no
     * answer to any impact that of its first failure, and IMP_TIMED_OUT where it kept a fit waiting
     * again and again. But for `first` and `why` all else is empty then. */
    imp_status status;
    double mu, e;                 /* fitted to all impacts, or as given */
    double mu_fold[2], e_fold[2]; /* least and largest of the folds */
    int unsolved;                 /* answers that are not certified */
    double first;                 /* the first impact of these, */
    imp_error why;                /* and why */
    double *error;                /* (count) each with mu and e of its fold */
    double fold_mu[REPLAY_FOLDS], fold_e[REPLAY_FOLDS];
    double mean, median, low, high; /* of the errors; 95 % of resampled means lie between */
} replay_answer;

/* The mean difference of two models' errors on the same impacts. */
typedef struct replay_pair {
    int a, b;                     /* answers */
    double difference, low, high; /* a's less b's, and its interval: 95 % for all pairs at once */
    bool apart;                   /* 0 lies outside */
} replay_pair;

typedef struct replay_result {
    int answers, pairs;
    replay_answer *answer; /* (answers) */
    replay_pair *pair;     /* (pairs) of answers that are not empty */
    double floor_median;
} replay_result;

/* mu and e where they are given, NAN where they are to be fitted. */
typedef struct replay_terms {
    double mu, e;
    void (*progress)(void *context, const imp_model *model); /* before each; NULL: none */
    void *context;
    /* what was wrong with the last answer of a model, NULL: its status says it; may be NULL */
    const char *(*fault)(const imp_model *model);
} replay_terms;

/* error (count) <- of the model with mu and e, *unsolved <- how many are not certified. IMP_OK,
 * IMP_UNSUPPORTED, IMP_NO_MEMORY, IMP_BAD_ARGUMENT. */
imp_status replay_errors(const replay_data *data, const imp_model *model, double mu, double e,
                         double *error, int *unsolved);

/* Cross-validation: the impacts are dealt into REPLAY_FOLDS folds by a fixed draw; mu and e are
 * those with the least mean error over the other folds, to 0.01 in [0, 1]. A model that takes no
 * restitution is given e = 0, one without friction mu = 0. Where nothing is left to fit, each
 * impact is asked about once. Statuses as above, and those of an answer; free with
 * replay_answer_clear. */
imp_status replay_fit(const replay_data *data, const imp_model *model, const replay_terms *terms,
                      replay_answer *answer);
void replay_answer_clear(replay_answer *answer);

/* Fits all models of a list ended by NULL, one at least, and says how sure their means and
 * differences are: by the same 1000 resamplings of the impacts (Efron 1979), drawn by a fixed seed;
 * all pairs at once by the largest deviation of any (Romano, Wolf 2005). */
imp_status replay_run(const replay_data *data, const imp_model *const *models,
                      const replay_terms *terms, replay_result *result);
void replay_result_clear(replay_result *result);

/* The error of the velocity after the impulse p (n, t, o; N s). */
double replay_error(const replay_impact *impact, const double p[3]);

/* For readers of files: takes an impact whose body, contact and `after` are filled in, in the hand
 * of the file; where the contact is not closing it is left out. IMP_OK, IMP_NO_MEMORY,
 * IMP_BAD_ARGUMENT (imp_delassus_dense refuses it). */
imp_status replay_add(replay_data *data, const replay_impact *impact, imp_error *error);

/* A body of the set at rest at the origin. */
imp_body replay_body(const replay_set *set);

imp_status replay_read_rows(const imp_input *input, replay_data *data, imp_error *error);
imp_status replay_read_motions(const imp_input *input, replay_data *data, imp_error *error);

/* x (n) is sorted; the value that a share of them lies below. */
double replay_quantile(double *x, size_t n, double share);

/* Tables: a row a model, a row an impact and model, a row a pair. */
extern const imp_column replay_columns[], replay_each_columns[], replay_pair_columns[];
void replay_write(FILE *out, const replay_data *data, const replay_result *result);
void replay_each_write(FILE *out, const replay_data *data, const replay_result *result);
void replay_pairs_write(FILE *out, const replay_data *data, const replay_result *result);

#endif
