/* list.c - which law judges which of several solvers outside. */
#include "outside/list.h"

bool outside_list_solver(outside_list *list, outside_terms own, imp_error *error) {
    if (list->count == OUTSIDE_MOST) {
        imp_error_set(error, IMP_BAD_ARGUMENT, "more than %d solvers by --exec and --plugin",
                      OUTSIDE_MOST);
        return false;
    }
    list->terms[list->count++] = own;
    return true;
}

bool outside_list_law(outside_list *list, const char *law, imp_error *error) {
    const char **own = list->count > 0 ? &list->terms[list->count - 1].law : &list->limits.law;
    if (*own || (list->laws > 0 && list->limits.law)) {
        imp_error_set(
            error, IMP_BAD_ARGUMENT,
            "--law %.60s is one too many, expected one for all, or one behind each --exec "
            "or --plugin",
            law);
        return false;
    }
    *own = law;
    list->laws++;
    return true;
}

bool outside_list_open(const outside_list *list, const imp_model *models[OUTSIDE_MOST + 1],
                       imp_error *error) {
    const char *all = list->limits.law;
    for (int k = 0; k < list->count && list->laws == 1 && !all; k++)
        all = list->terms[k].law;
    for (int k = 0; k < list->count; k++) {
        outside_terms terms = list->limits;
        terms.command = list->terms[k].command;
        terms.plugin = list->terms[k].plugin;
        terms.law = all ? all : list->terms[k].law;
        models[k] = outside_open(&terms, error);
        if (!models[k]) return false;
    }
    models[list->count] = NULL;
    return true;
}
