/* simulate.h - the two ways in which `impact simulate` goes through time. */
#ifndef SIMULATE_H
#define SIMULATE_H

#include "cli/simulation.h"
#include "scene/course.h"
#include "scene/steps.h"

/* By the time stepper. EXIT_SOLVED, EXIT_UNSOLVED where a step was made with less than an answer,
 * EXIT_BAD after a complaint. */
int simulate_steps(simulation *r, scene_steps *s);

/* From impact to impact. EXIT_SOLVED, EXIT_UNSOLVED where it ended before its time without an
 * answer, EXIT_BAD after a complaint. */
int simulate_course(simulation *r, const scene *s, const imp_model *model,
                    const imp_settings *settings);

#endif
