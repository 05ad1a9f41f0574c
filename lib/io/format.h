/* format.h - what a format of problem files is. For the readers inside io; others use
 * problem_file.h. */
#ifndef IMP_FORMAT_H
#define IMP_FORMAT_H

#include "linear/factored.h"
#include "io/json_path.h"
#include "io/problem_file.h"
#include "io/stream.h"
#include "io/table.h"

/* One problem and the memory under it, reused from one to the next. */
typedef struct imp_slot {
    imp_case now;
    char number[24]; /* the position as text, where there is no id */
    imp_operator W;
    imp_blocks blocks;
    imp_factored *factored;   /* W over bodies; NULL: the problem has none */
    imp_bilateral *bilateral; /* the constraints of such a one, which hold W; NULL: it has none */
    imp_reduced reduced;
    double *numbers; /* W or the blocks, then q (3nc), mu, e, mu_v, gap (nc each), b, guess (3nc) */
    int *structure;  /* start (nc + 1), column (count); unused when dense */
    size_t numbers_room, structure_room;
    double *q, *mu, *e; /* into numbers */
    double *more;       /* (2nc) into numbers: mu_v and gap of a problem that has them */
    double *b, *guess;  /* (3nc) into numbers, of a problem that has them */
} imp_slot;

/* Makes room for nc contacts with a dense W (count < 0) or `count` blocks, and points
 * slot->now.problem there.
 * Returns where W or the blocks are to be written; NULL without memory. */
double *imp_slot_reserve(imp_slot *slot, int nc, int count);

/* W is `factored`, which the slot owns from now on: alone, or beside the blocks that were
 * reserved. */
void imp_slot_take_factor(imp_slot *slot, imp_factored *factored, bool alone);

/* The same of what constraints leave. */
void imp_slot_take_bilateral(imp_slot *slot, imp_bilateral *bilateral, bool alone);

/* Frees both. */
void imp_slot_release(imp_slot *slot);

typedef struct imp_format {
    const char *name;
    bool (*claims)(const unsigned char *head, size_t n); /* the first bytes of the file */
    imp_status (*open)(imp_problem_file *file, imp_error *error);
    imp_status (*next)(imp_problem_file *file, bool *more, imp_error *error); /* into file->slot */
    /* NULL: nothing to do */
    imp_status (*rewind)(imp_problem_file *file, imp_error *error);
    imp_status (*settings)(const imp_problem_file *file, const imp_model *model,
                           imp_settings *settings,
                           imp_error *error); /* NULL: this format holds none */
    void (*close)(imp_problem_file *file);
} imp_format;

extern const imp_format imp_format_table, imp_format_json, imp_format_fclib;

struct imp_problem_file {
    const imp_format *format;
    imp_input input;
    imp_slot slot;
    size_t position;             /* of the next problem */
    imp_table table;             /* of imp_format_table */
    json_t *root;                /* of imp_format_json, as the two below */
    bool checked;                /* every problem has been seen and found good */
    struct fclib_problem *fclib; /* of imp_format_fclib */
};

/* What a problem in JSON may have. */
#define IMP_PROBLEM_KEYS                                                                           \
    "kind", "id", "n", "W", "G", "blocks", "q", "mu", "e", "bodies", "contacts", "constraints",    \
        "settings", "guess", "mu_v", "gap", "kappa", "p", "b", "lambda", "velocities",             \
        "joint_friction", NULL

/* Readers of two of the JSON forms, into the slot: "blocks" for nc contacts, and {"bodies": ...,
 * "contacts": ..., "constraints": ...}. */
bool imp_read_blocks(const imp_json *blocks, int nc, imp_slot *slot);
bool imp_read_bodies(const imp_json *at, imp_slot *slot);

#endif
