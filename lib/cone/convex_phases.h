/* convex_phases.h - the phases of the convex models, island by island, as both models use them. */
#ifndef IMP_CONVEX_PHASES_H
#define IMP_CONVEX_PHASES_H

#include "cone/convex_island.h"

/* As imp_convex; without friction phases I and III only. */
imp_status imp_convex_phases(const imp_problem *problem, const imp_convex_settings *settings, bool friction, double *p,
                             imp_convex_report *report);

#endif
