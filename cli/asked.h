/* asked.h - what commands that make fresh problems are asked alike: classes, a seed, how to make
 * the same again, and how far they are. */
#ifndef ASKED_H
#define ASKED_H

#include "generators/fresh.h"

#include <stdbool.h>

/* USUAL_COUNT: problems of a class where none is given, of those that judge. */
enum { MOST_CLASSES = 99, USUAL_COUNT = 10 };

/* The class of that name; NULL after a complaint. */
const fresh_class *find_class(const char *name);

/* classes <- those named, ended by NULL; without any all. false after a complaint. */
bool find_classes(char *const *names, const fresh_class *classes[MOST_CLASSES + 1]);

/* A seed that nobody knew before, where none was given (NAN). false after a complaint. */
bool draw_seed(const char *asker, double *seed);

/* The command line, quoted as for a shell, with the seed unless it was given: to be
 * freed, NULL without memory. */
char *command_again(int argc, char *const *argv, bool seeded, double seed);

/* What stands on a terminal meanwhile. */
typedef struct asked_progress {
    double shown_at; /* s, of the clock */
    bool shown;
} asked_progress;

/* "D of ALL problems", once a second. context: an asked_progress. */
void show_asked(void *context, long done, long all);
void hide_asked(asked_progress *progress);

#endif
