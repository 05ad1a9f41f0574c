/* plus_course.h - the certificate of a course: an answer of PLUS or of a relative, followed step by
 * step. */
#ifndef IMP_PLUS_COURSE_H
#define IMP_PLUS_COURSE_H

#include "plus/plus_internal.h"

/* Notes the residuals sum, phases, motion, cone, restitution, aim, slide, roll, impending, share
 * and end of a path (of problem->nc contacts, one step or more) that is said to lead to p;
 * plus_law.c defines them. `chose`: whether a step has a compressing contact that neither separates
 * nor pushes, or both, for plus also one that compresses from rest, one that pushes or is owed
 * rounding, or one in impending slip, or friction drives all that push into the ground, where these
 * residuals may allow another step too. IMP_OK or IMP_NO_MEMORY. Thread-safe. */
imp_status imp_plus_follow(plus_variant variant, const imp_problem *problem,
                           const imp_plus_settings *settings, const double *p, const imp_path *path,
                           imp_certificate *result, bool *chose);

#endif
