/* cli.h - the parts of the program `impact`: its commands, their options, and how they end. */
#ifndef CLI_H
#define CLI_H

#include "audit/answer.h"
#include "impact.h"
#include "io/suggest.h"
#include "outside/list.h"

enum { EXIT_SOLVED = 0, EXIT_UNSOLVED = 1, EXIT_BAD = 2 };

/* A command of the program. To add one: its file, a line in the table of main.c, its section in
 * impact.1. */
typedef struct command {
    const char *name;
    const char *arguments; /* "[OPTION]... FILE" */
    const char *summary;   /* one line */
    /* names of the options it takes, ended by NULL; --help goes without saying */
    const char *const *options;
    const char *text;    /* more for --help; NULL: none */
    int files;           /* how many file arguments it needs */
    bool models;         /* --model may name several; none: all */
    bool one_model;      /* but of these one alone */
    bool several;        /* --exec and --plugin may be repeated */
    int optional;        /* how many more it may have */
    bool judges;         /* --tol and --time-limit are of any solver, not of one outside alone */
    int answers;         /* of these hold answers, which an outside solver gives instead */
    bool tables;         /* its output is a table, whatever it reads */
    const char *formats; /* the words of --to, with blanks between them; NULL: it has none */
    int (*run)(const struct command *self, int argc, char **argv);
} command;

extern const command command_models, command_solve, command_enumerate, command_check,
    command_convert, command_compare, command_simulate, command_sweep, command_flow, command_ranks,
    command_problems, command_replay, command_audit, command_race, command_completion;

/* Those that `completion` knows, ended by NULL: set by a program that has them. */
extern const command *const *completed_commands;

/* How `flow` runs on ranks, set by a program that has them (ranks/main.c). NULL: one process. */
extern const imp_transport *flow_transport;

/* What the command line asked for. */
typedef struct options {
    const imp_model *model; /* --model, or the one solver that --exec or --plugin names */
    const imp_model *outside[OUTSIDE_MOST + 1]; /* all that they name, ended by NULL */
    const imp_model **models; /* of a command whose --model takes several: those and all outside,
                                 ended by NULL */
    const char *output;       /* -o, --output; NULL: standard output */
    const char *output_word, *count_word; /* "-o" or "--output", "-n" or "--count": as typed */
    const char *dump_folder;              /* --dump-failed */
    const char *variant;                  /* --variant */
    const char *impulses, *history, *problems, *bodies, *contacts; /* of the same names */
    const char *vtk;                                               /* --vtk */
    double every;                                                  /* --every; 0: not given */
    const char *keep, *plot;                                       /* of the same names */
    const char **over;                                             /* --over, ended by NULL */
    double jobs;                                                   /* --jobs; 0: as many as cores */
    const char *to;                                                /* --to */
    bool facts, path, forces, explain;                             /* of the same names */
    const char *each, *pairs;                                      /* of the same names */
    const char *resume;                                            /* --resume */
    const char *traffic;                                           /* --traffic */
    double tolerance;                                              /* --tol */
    bool tolerated;                                                /* it was given */
    outside_list asked;       /* --exec and --plugin with --law; --time-limit, --memory-limit */
    double least;             /* --least, percent */
    double count, seed;       /* -n, --count, 0: none was given; --seed, NAN: none was given */
    const char *worst, *rows; /* --worst, --rows */
    char **assign;            /* --set and --choice: key=value, ended by NULL */
    imp_settings settings;    /* the model's presets, and what the command line makes of them */
    char **files;             /* what is left of argv, command->files of them or more, and NULL */
    int inputs;               /* how many of these are read */
} options;

/* Reads the options and file names behind the command's name. false: the program is to end with
 * *status, after --help or a complaint. Either way options_free. */
bool options_read(const command *self, int argc, char **argv, options *o, int *status);
void options_free(options *o);

/* Those named, ended by NULL; without any all models. */
const imp_model *const *asked_models(const options *o);

/* The solver that was asked for, as an audit takes it: right up to --tol, or up to the bound of its
 * model where that is larger. */
audit_solver asked_solver(const options *o);

/* Settings of c, the file's current problem: presets, then the file's, then the command line's. A
 * problem's own mu_v goes before any setting, so that the command line may not give both. */
imp_status options_settings(const options *o, const imp_problem_file *file, const imp_case *c,
                            imp_settings *settings, imp_error *error);

/* A file or folder that the program names, before it is written: IMP_BAD_ARGUMENT where it is what
 * is read, or what an option names to be written. */
imp_status options_apart(const options *o, const char *path, imp_error *error);

/* Is what --keep names none of the files that other options name to be written? false after a
 * complaint. */
bool options_keep_apart(const options *o);

struct scene_file; /* scene/scene.h */

/* Runs a command on the scene file it is given. */
int run_scene(const command *self, int argc, char **argv,
              int (*run_file)(const options *o, struct scene_file *file));

/* The variants asked for, from *first to *last; false after a complaint. */
bool asked_variants(const options *o, const struct scene_file *file, int *first, int *last);

/* The flow of a parameter file, or that of a checkpoint, NULL for none, which has to be of such
 * spheres. NULL after a complaint. A line says where the file brings no sphere. */
imp_granular *flow_start(const imp_flow *flow, const char *file, const char *checkpoint);

/* A brick is a grid cell at least: where more were asked for than there are cells, one line says
 * so. g has its list: of a step, or of a checkpoint. */
void flow_tell_bricks(const char *file, const imp_flow *flow, const imp_granular *g);

/* What the ranks of a flow hold and send: its columns, and the row of one. */
extern const imp_column traffic_columns[];
void traffic_row(FILE *out, int rank, const imp_granular_traffic *t);

/* From now on want of memory in jansson ends the program by `end`, and with EXIT_BAD alone a
 * process that it has forked: the reader drops bytes of a long number then, and goes on or aborts.
 * Where `end` returns it is kept in mind: an output is not committed after it, and a complaint says
 * so instead of what came of it. */
void memory_watch(void (*end)(void));
bool memory_failed(void);

/* Threads that wait sleep from now on instead of spinning, which on a busy machine takes the time
 * of those that work, unless OMP_WAIT_POLICY says what they do. The OpenMP library reads it once,
 * before main: the program starts itself again, by its whole argv. */
void wait_passively(char **argv);

/* From now on a complaint about a key that one of these "key=value" gives (ended by NULL; NULL:
 * none) says that it came from the command line. */
void complain_of_assigned(char *const *assign);

/* "impact: <text>" on standard error, in one line. Returns EXIT_BAD. */
int complain(const imp_error *error);
__attribute__((format(printf, 1, 2))) int complain_of(const char *format, ...);
/* "impact: warning: <text>", likewise. */
__attribute__((format(printf, 1, 2))) void warn_of(const char *format, ...);

/* Set on every rank but the first: one speaks for all. The last complaint is kept, and where no
 * other rank has it, complain_as says it, with the rank. */
extern bool complain_unheard;
void complain_as(int rank);

/* text <- "12 s", minutes or hours: how long something still takes. Returns text. */
const char *time_text(double seconds, char text[32]);

/* The terminal before standard output is nobody's: mpirun has one of its own before each rank,
 * wherever their output goes. */
extern bool output_unseen;
/* The output of the program, removed again when it is interrupted. NULL after a complaint. */
FILE *output_open(const char *path);
/* The same, but nothing of it is seen before it is committed, on standard output neither. */
FILE *output_open_whole(const char *path);
/* Another file beside it, of the kind that output_fits knows, which is committed and abandoned with
 * it; path NULL: *file <- NULL. false after a complaint. */
bool output_beside(const char *option, const char *path, const char *kind, FILE **file);
/* A folder for files, made where it is missing. IMP_OK, IMP_IO. */
imp_status output_folder(const char *path, imp_error *error);
/* Can it be made? It is not, yet. */
imp_status output_folder_try(const char *path, imp_error *error);
/* Between the two an interrupt waits: other files, also to be whole or not there at all, are being
 * written. */
void output_hold(void);
void output_release(void);
/* Does one wait? What takes longer than a few files then stops, and takes them away. */
bool output_interrupted(void);
/* Ends the program with EXIT_BAD for want of memory, unless other files are being written. */
void output_end(void);
/* Has what was written to them so far arrived? false after a complaint. Asked before other files
 * are put in place beside them. */
bool output_written(void);
/* Ends all of them: `status` when all is written, EXIT_BAD after a complaint. */
int output_commit(int status);
/* Are what would be written (NULL: standard output) and what is read (- for standard input) the
 * same regular file? */
bool output_is_input(const char *written, const char *input);
/* Are they not? false after a complaint of that command. */
bool output_spares(const command *self, const char *written, const char *input);
/* Do two names stand for one file, be it there or not? */
bool output_same(const char *one, const char *other);
/* Is it the file, or the pipe, that standard output leads to? */
bool output_is_standard(const char *path);
/* Does the name end in that suffix, ".json", in whatever case? NULL: no. */
bool has_suffix(const char *path, const char *suffix);
/* Does the suffix of what an option names (NULL: standard output) promise nothing but `kind`: "a
 * table", "JSON", "HDF5", "text" or "a gnuplot script"? false after a complaint; `what` is its
 * subject. */
bool output_fits(const char *option, const char *path, const char *what, const char *kind);
/* Ends them without a trace. Returns EXIT_BAD. */
int output_abandon(void);

/* JSON objects behind each other: a list, or each a line. */
typedef struct objects {
    FILE *out; /* NULL: they are not asked for */
    bool list;
    size_t count; /* of a list, written */
} objects;

/* Are several objects in the output of that name (NULL: standard output) a list? In .jsonl each is
 * a line. */
bool objects_listed(const char *path);
objects objects_begin(FILE *out, bool list);
/* Writes an object and drops its reference. False without memory, or where it is NULL for want of
 * it. */
bool objects_add(objects *o, struct json_t *object);
void objects_end(const objects *o);

/* Answers in the kind of the problem file: rows under a header, one JSON object, or several. */
typedef struct answers {
    FILE *out;
    bool table, fclib;
    objects objects; /* of JSON */
    bool unsolved;   /* set by a command for EXIT_UNSOLVED */
} answers;

/* Writes a JSON answer and drops its reference; NULL, or memory running out, is IMP_NO_MEMORY. */
imp_status answers_add(answers *a, struct json_t *answer, imp_error *error);

/* What a command does with a file of problems: nothing is written before all of it is known to be
 * good. A file is read through before its first problem is answered. A table, which may be long,
 * is read once, and its answers wait for its end; but for one that is judged, or whose failures are
 * dumped on the way. */
typedef struct pass {
    const options *o;
    const imp_column *columns; /* of a table */
    bool fclib;                /* an FCLIB file is answered by one; otherwise by JSON */
    bool rubs;                 /* joints of a problem may rub */
    bool some;                 /* a file without problems is refused */
    /* Once the file is open, at its first problem, may be NULL. */
    imp_status (*begin)(void *context, imp_problem_file *file, imp_error *error);
    /* Before anything is answered, may be NULL; called once more with c NULL behind the last
     * problem. */
    imp_status (*check)(void *context, const imp_problem_file *file, const imp_case *c,
                        imp_error *error);
    /* Answers one problem. */
    imp_status (*answer)(void *context, imp_problem_file *file, const imp_case *c, answers *a,
                         imp_error *error);
    void (*finish)(void *context, answers *a); /* behind the last problem, may be NULL */
    void *context;
} pass;

/* Answers o->files[0]; returns how the program ends. */
int run_passes(const pass *p);

/* IMP_BAD_ARGUMENT where the file held no problems: judging it would say that all is well. */
imp_status expect_some(const imp_problem_file *file, size_t problems, imp_error *error);

/* The first problem whose solutions, or forces, are not certified complete. */
typedef struct doubt {
    imp_status status;
    const char *why; /* what is not taken of it; NULL: nothing */
    char id[61];
} doubt;

/* Notes what was found of a problem, which is not all, unless another was before. */
void doubt_note(doubt *first, imp_status found, const imp_problem *problem, const char *id);

/* `enumerate --forces`. */
int enumerate_forces(const options *o, doubt *first);

/* What the model does not take of a problem: "restitution", "several contacts"; NULL where it
 * should take it. */
const char *not_taken(const imp_model *model, const imp_problem *problem);

/* `solve --explain`. */
int explain(const options *o);

#endif
