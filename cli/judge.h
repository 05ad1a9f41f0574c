/* judge.h - one answer held against a law: the verdict, its reason, and how they are written. */
#ifndef JUDGE_H
#define JUDGE_H

#include "cli/cli.h"

struct json_t;

/* How the judging of one answer ended. */
typedef enum verdict { ACCEPTED, REJECTED, NOT_JUDGED, UNSOLVED, VERDICTS } verdict;

/* What somebody answered to a problem. */
typedef struct given_answer {
    const double *p;                   /* (3nc) N s; NULL: nothing */
    const char *missing;               /* why */
    const imp_path *path;              /* how it came about; NULL: not said */
    const double *lambda, *velocities; /* (rows), (6 bodies) of constraints; NULL: not said */
    const double *rubbed;              /* (rubs) of joints that rub; NULL: not said */
} given_answer;

/* One answer judged. */
typedef struct judgement {
    verdict verdict;
    /* why it was not judged, or what was wrong beside residuals; NULL: nothing */
    const char *reason;
    bool judged; /* there is a certificate */
    imp_certificate certificate;
    bool constrained; /* there are errors of the constraints */
    imp_bilateral_errors errors;
    /* of a law with several solutions, the one this is; NULL: not known */
    const imp_coulomb_solution *given;
    int rank, count; /* its rank by energy, 1 the most dissipative, of how many */
} judgement;

/* Of files of a folder, of every law, then of one with several solutions. */
enum { FIXED_COLUMNS = 9 };

/* What answers are judged by, and the columns of their table. */
typedef struct judging {
    const imp_model *model;
    double tolerance; /* of the problem at hand */
    imp_coulomb_set set;
    char untaken[80];     /* why the last problem that was not taken was not */
    bool folder;          /* the file of each problem stands first */
    int fixed, residuals; /* columns of every law; how many residuals this one names */
    imp_column column[FIXED_COLUMNS + IMP_RESIDUALS + 1];
} judging;

/* Makes the columns; false after a complaint. */
bool judging_begin(judging *j, const imp_model *model, bool folder);

/* IMP_OK with *found, or IMP_NO_MEMORY. */
imp_status judge(judging *j, const imp_case *c, const imp_settings *settings,
                 const given_answer *given, judgement *found, imp_error *error);

/* A row of the table; file: of a folder. */
void judgement_write_row(const judging *j, const char *file, const char *id, const judgement *found,
                         FILE *out);

/* The same in JSON; a new reference, NULL without memory. */
struct json_t *judgement_json(const judging *j, const imp_case *c, const given_answer *given,
                              const judgement *found, bool facts);

#endif
