/* list.h - the solvers outside that a command line names, and the laws it gives them. */
#ifndef OUTSIDE_LIST_H
#define OUTSIDE_LIST_H

#include "outside/outside.h"

/* In the order of the command line. One law is that of all; of several each is that of the solver
 * before it. */
typedef struct outside_list {
    outside_terms limits;              /* of them all */
    outside_terms terms[OUTSIDE_MOST]; /* command or plugin, and perhaps a law, of each */
    int count, laws;                   /* solvers, and laws that were given */
} outside_list;

/* One more solver, a command or a plugin; false with one line in *error. */
bool outside_list_solver(outside_list *list, outside_terms own, imp_error *error);

/* One more law; false with one line in *error. */
bool outside_list_law(outside_list *list, const char *law, imp_error *error);

/* Starts all of them: models, ended by NULL; false with one line in *error. */
bool outside_list_open(const outside_list *list, const imp_model *models[OUTSIDE_MOST + 1],
                       imp_error *error);

#endif
