/* replay.h - a random problem that failed is kept in the program's own format: `impact solve
 * --model NAME FILE`. */
#ifndef REPLAY_H
#define REPLAY_H

#include "io/dump.h"
#include "tap.h"

/* Writes the problem to failed-TEST-MODEL-NUMBER.json in the build folder and says so. */
static inline void keep_for_replay(const imp_problem *problem, const imp_model *model,
                                   const char *test, int number) {
    const char *build = getenv("BUILD");
    char path[256];
    imp_error error;
    (void)snprintf(path, sizeof path, "%s/failed-%s-%s-%d.json", build ? build : "build", test,
                   model->name, number);
    if (imp_problem_dump(path, NULL, problem, model, NULL, &error) == IMP_OK)
        diag("problem %d: impact solve --model %s %s", number, model->name, path);
    else
        diag("problem %d of %s: %s", number, test, error.text);
}

#endif
