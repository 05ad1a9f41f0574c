/* commands.h - commands of the program `impact` as campaigns run them, with what goes wrong, and
 * what must then be true of their files. */
#ifndef CAMPAIGN_COMMANDS_H
#define CAMPAIGN_COMMANDS_H

#include "campaign/folder.h"
#include "campaign/traced.h"

typedef enum command_models { COMMAND_ITS_OWN, COMMAND_EVERY, COMMAND_SEVERAL } command_models;

typedef struct command {
    const char *group; /* the row of an inquiry: "solve" */
    const char *line;  /* arguments, apart by blanks; $M is a model */
    const char *grown; /* names, or parts of them, of files that grow or are replaced as it runs:
                           they are what the line asked for once it has gone on. NULL: none */
    const char *timed; /* such a file holds seconds: its lines are counted. NULL: none */
    command_models models; /* what $M stands for: every model, or those of several contacts */
} command;

/* All of them, ended by one without a line. */
extern const command commands[];

/* The shell's script of what they read, in parts, ended by NULL; $1: the program. */
extern const char *const command_inputs[];

/* A folder with what commands read, in $TMPDIR or /tmp, of which they are given copies. false: *why
 * says what failed. command_home_clear takes it away. */
typedef struct command_home {
    char path[160], program[400], preload[700]; /* absolute; the last of one library, or of two */
    bool finds_leaks;                           /* the second is LeakSanitizer's */
} command_home;

/* The status by which LeakSanitizer ends a program that forgot memory, as it is told to. Whole
 * stacks, so that what libhdf5 forgets is known by its name. */
enum { COMMAND_LEAKED = 99 };
#define COMMAND_LEAKS "LSAN_OPTIONS=exitcode=99:print_suppressions=0:fast_unwind_on_malloc=0"

bool command_home_make(command_home *home, const char **why);
void command_home_clear(const command_home *home);

/* A command at work in a folder of its own. */
typedef struct command_run {
    const command *command;
    const char *model;
    const command_home *home;
    char folder[200];
    struct folder inputs, whole; /* before, and after the command with nothing wrong */
    int status;                  /* of that */
} command_run;

/* Runs the command once, with nothing wrong. false: *why says what failed. End with
 * command_close. */
bool command_open(command_run *run, const command_home *home, const command *asked,
                  const char *model, const char **why);
void command_close(command_run *run);

/* Runs the command, in a fresh folder or `again` in what is there. `with` says what goes wrong. */
bool command_do(command_run *run, bool again, traced *with);

/* What is wrong after command_do failed or was killed: as a line, NULL: nothing. `memory`: what
 * failed was an allocation, and the program must say so. */
const char *command_judge(const command_run *run, const traced *with, bool memory);
/* What is wrong after it has gone on. */
const char *command_judge_again(const command_run *run, const traced *with);

/* Half of each file that the command makes, in its place: for tests of the judges. */
void command_spoil(const command_run *run);

#endif
