/* note.c - the note's problems as contacts. */
#include "benchmarks/experiments/note.h"

#include <math.h>

one_contact note_counter_example(void) {
    return (one_contact){.W = {4, 4, -7, 20, -23, 31}, .q = {-0.22, 630, -780}, .mu = 0.5};
}

one_contact note_figure_4(double angle, double closing) {
    return (one_contact){
        .W = {10, 1, 6, 20, 0, 4}, .q = {closing, cos(angle), sin(angle)}, .mu = 0.7};
}

const char *note_phases(report *r, const imp_darboux_path *path) {
    const char *text = "";
    for (int i = 0; i < path->segments; i++)
        text = report_text(r, "%s%s%c%c", text, i ? ", " : "", path->segment[i].kind,
                           path->segment[i].phase);
    return text;
}
