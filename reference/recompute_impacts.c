/* recompute_impacts.c - recomputes reference/data/mirtich_darboux.tsv by quadrature along the
 * hodograph in long double.
 *
 *     recompute_impacts        run in the root of the repository
 *
 * Prints the worst distance of the table from the quadrature, relative to |u0| + |u|, |p|, |Wc| +
 * |Wd| and to max(1, cond); fails when it is above 1e-15. */
#include "benchmarks/harness/impact_rows.h"

#include <math.h>
#include <stdio.h>

int main(void) {
    static impact_row rows[IMPACT_ROWS];
    const char *const file = "reference/data/mirtich_darboux.tsv";
    const int count = impact_rows_read(file, rows, IMPACT_ROWS);
    if (count <= 0) {
        fprintf(stderr, "recompute_impacts: %s is not a table of impacts\n", file);
        return 2;
    }
    double worst = 0;
    int where = 0;
    for (int i = 0; i < count; i++) {
        impact_answer answer;
        const bool solved = impact_by_hodograph(&rows[i].problem, rows[i].law, &answer, NULL);
        const double off =
            solved ? impact_distance(rows[i].problem.q, &answer, &rows[i].answer) : INFINITY;
        if (off / fmax(1, rows[i].condition) > worst) {
            worst = off / fmax(1, rows[i].condition);
            where = i;
        }
    }
    printf("%s: %d impacts, off by %.1e max(1, cond) at most (%s)\n", file, count, worst,
           rows[where].id);
    return worst <= 1e-15 ? 0 : 1;
}
