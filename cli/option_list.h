/* option_list.h - every option of the program: what its commands share of them. */
#ifndef OPTION_LIST_H
#define OPTION_LIST_H

#include "cli/cli.h"

/* Options, in the order of their table. */
enum {
    MODEL,
    SET,
    CHOICE,
    TOL,
    OUTPUT,
    DUMP_FAILED,
    VARIANT,
    IMPULSES,
    HISTORY,
    PROBLEMS,
    BODIES,
    CONTACTS,
    VTK,
    EVERY,
    OVER,
    JOBS,
    KEEP,
    PLOT,
    TO,
    FACTS,
    PATH,
    EXPLAIN,
    FORCES,
    RESUME,
    EACH,
    PAIRS,
    TRAFFIC,
    EXEC,
    PLUGIN,
    LAW,
    TIME_LIMIT,
    MEMORY_LIMIT,
    COUNT,
    SEED,
    LEAST,
    WORST,
    ROWS,
    HELP,
    KNOWN
};

/* A command names those it takes. */
typedef struct known_option {
    const char *name, *argument, *meaning;
} known_option;
extern const known_option known_options[];

/* For getopt: the options that have a letter, too; and the option of what it found, a letter or the
 * option itself. */
const char *option_letters(const command *self);
int option_of(int letter);

bool option_taken(const command *self, const char *name);

/* Does it judge models of the library by --tol too, not solvers outside alone? */
bool tolerates(const command *self);

/* The command's options one after another: the one behind `last`, or the first of all (NULL). NULL
 * behind the last. */
const known_option *next_option(const command *self, const known_option *last);

/* --help of a command, with the settings of the models that are named. Returns how it ends. */
int print_command_help(const command *self, const options *o);

/* Complaints, with the word that is nearest. */
int unknown_model(const char *name);
void unknown_option(const command *self, const char *given);

#endif
