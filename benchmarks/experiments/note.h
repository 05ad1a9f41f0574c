/* note.h - the problems of the note "Mirtich reworked", normal first: its (x, y, z) is (t, o,
 * n). */
#ifndef NOTE_H
#define NOTE_H

#include "benchmarks/experiments/one.h"
#include "benchmarks/harness/report.h"

/* The counter-example of its section 1.2; mu = 0.5. */
one_contact note_counter_example(void);

/* K of its Fig. 4, mu = 0.7, q of unit slip in the direction `angle` (rad, from t towards o) and
 * the given q_n. */
one_contact note_figure_4(double angle, double closing);

/* "sC, sD, ...": kinds and phases of a path. */
const char *note_phases(report *r, const imp_darboux_path *path);

#endif
