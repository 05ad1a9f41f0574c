/* simulation.h - what `simulate` says on the way: its tables, pictures and progress. */
#ifndef SIMULATION_H
#define SIMULATION_H

#include "cli/cli.h"
#include "cli/kept.h"

/* A run: where its rows go (NULL: not asked for), and what a terminal is told. */
typedef struct simulation {
    FILE *table, *bodies, *contacts, *draft; /* the last: of pictures */
    const options *asked;
    const char *name;   /* of the scene's file */
    char *const *names; /* of the first `named` bodies */
    int named;
    double until, began, shown_at; /* s */
    bool terminal, shown;
    long every, steps;
    double lost, rubbed; /* J, since the last row: taken by steps or an impact, by friction */
    /* With --keep rows go to temporary files, and from there with the state behind them into the
     * file of parts; into the files above when all are known. */
    kept *kept;
    long parts;
    FILE *whole[4];
    char *bytes[4];
    bool unsolved;
} simulation;

/* A run with what the options ask for; the rest is the caller's to fill in. */
simulation simulation_of(const options *o);

/* Opens the files, with their headers, for a variant of the file. false after a complaint. */
bool simulation_open(const options *o, const struct scene_file *file, int variant, simulation *r);
/* Is a part of the run to be kept, after this many of its steps or events? */
bool simulation_keeps(const simulation *r);
/* The state of what runs, to a file or from it: IMP_OK, IMP_IO, IMP_NO_MEMORY. */
typedef imp_status (*simulation_state)(void *context, FILE *file);
/* Keeps what has been written since the last part, and what `save` writes. false after a
 * complaint. */
bool simulation_keep(simulation *r, bool unsolved, simulation_state save, void *context);
/* Goes on where the kept parts end: `load` reads what `save` wrote there. *resumed: false where
 * there are none. IMP_OK, IMP_IO, IMP_NO_MEMORY with an error. */
imp_status simulation_resume(simulation *r, simulation_state load, void *context, bool *resumed,
                             imp_error *error);
/* Ends them: `outcome` when all is written, EXIT_BAD after a complaint, or where it is that. */
int simulation_close(simulation *r, int outcome);

/* A step was made up to the time t: tells the terminal. */
void simulation_show(simulation *r, double t);

/* A row of the table; lost and rubbed are what has come together since the last one, which begins
 * anew. */
typedef struct simulation_row {
    double time;       /* s */
    const char *event; /* the word of the column */
    int contacts;      /* in it */
    imp_status status;
    double iterations;                /* this and what follows: NAN, there is none */
    double residual, kinetic, energy; /* 1; J */
    double drift;                     /* m, or a sine */
} simulation_row;
void simulation_write(simulation *r, const simulation_row *row);

/* Of a body, or "ground"; one of a lattice goes by its number, which is written to `room`. */
const char *simulation_name(const simulation *r, int link, char room[24]);

/* From here on bodies and contacts are those of the time t. */
void simulation_begin(simulation *r, double t);
void simulation_body(simulation *r, double t, int link, const imp_link_state *s);
void simulation_contact(simulation *r, double t, const imp_contact *c, double gap,
                        const double p[3], const double u[3]);

#endif
