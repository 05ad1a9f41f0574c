/* usage.h - what a program says of itself, and of a command line that it does not take.
 *
 *     static const usage about = {"count", "[N]", 1, "Counts to N (10).\n", NULL, NULL, NULL};
 *     usage_answer(&about, argc, argv);
 *     const double n = argc > 1 ? usage_whole(&about, "N", argv[1], 1, 1e6) : 10;
 *
 * The functions end the program where there is nothing more to do: after an answer with 0, after
 * one line on standard error with 2. */
#ifndef USAGE_H
#define USAGE_H

#ifdef __cplusplus
extern "C" {
#endif

enum { USAGE_OWN = -1 };

typedef struct usage {
    const char *program, *arguments;
    int most;                   /* arguments, none of them an option; USAGE_OWN: the program sees to
                                that itself */
    const char *text;           /* what it does, its arguments, what comes out, lines */
    const char *environment;    /* the variables it reads, lines; NULL: none */
    const char *(*name)(int k); /* what it knows by name, from 0 on, NULL behind the last; NULL:
                                    nothing */
    const char *(*title)(int k); /* in words; NULL: the names say it */
} usage;

/* Answers --help (-h) and --list, and refuses what `most` says. */
void usage_answer(const usage *u, int argc, char **argv);

/* "PROGRAM: FAULT, expected PROGRAM ARGUMENTS". */
__attribute__((format(printf, 2, 3), noreturn)) void usage_refuse(const usage *u,
                                                                  const char *format, ...);

/* The argument that the usage calls `what`, a whole number from low to high. */
double usage_whole(const usage *u, const char *what, const char *text, double low, double high);

/* Which of the names the word is. */
int usage_find(const usage *u, const char *what, const char *word);

/* Names of the library's models, for `name`. */
const char *usage_model(int k);

#ifdef __cplusplus
}
#endif

#endif
