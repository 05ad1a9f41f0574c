/* impact_rows.c - the reader of the reference impacts: columns by position, normal last in the
 * file. */
#include "benchmarks/harness/impact_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 25, LINE = 8192 };

static bool read_law(const char *word, imp_darboux_law *law) {
    static const char *const words[] = {"stronge", "poisson", "newton"};
    for (int i = 0; i < 3; i++)
        if (strcmp(word, words[i]) == 0) {
            *law = (imp_darboux_law)i;
            return true;
        }
    return false;
}

static bool read_row(char *line, impact_row *row) {
    char *cell[COLUMNS] = {0};
    int count = 0;
    for (char *s = strtok(line, "\t\r\n"); s && count < COLUMNS; s = strtok(NULL, "\t\r\n"))
        cell[count++] = s;
    memset(row, 0, sizeof *row);
    if (count != COLUMNS || !read_law(cell[1], &row->law)) return false;
    double x[COLUMNS];
    for (int i = 2; i < COLUMNS; i++)
        x[i] = strtod(cell[i], NULL);
    const double W[6] = {x[9], x[6], x[8], x[4], x[5], x[7]}; /* K33 K13 K23 K11 K12 K22 */
    memcpy(row->problem.W, W, sizeof W);
    row->problem.mu = x[2];
    row->problem.e = x[3];
    for (int i = 0; i < 3; i++) { /* (n, t, o) = (z, x, y) */
        const int k = (i + 2) % 3;
        row->problem.q[i] = x[10 + k];
        row->answer.u[i] = x[13 + k];
        row->answer.p[i] = x[16 + k];
    }
    row->answer.work[0] = x[19];
    row->answer.work[1] = x[20];
    (void)snprintf(row->id, sizeof row->id, "%s", cell[0]);
    (void)snprintf(row->phases, sizeof row->phases, "%s", cell[21]);
    for (char *s = cell[22]; s && *s && row->events < IMPACT_EVENTS; s = *s == ',' ? s + 1 : s)
        row->p_n[row->events++] = strtod(s, &s);
    row->condition = x[23];
    row->energy = x[24];
    return true;
}

int impact_rows_read(const char *file, impact_row *rows, int most) {
    FILE *stream = fopen(file, "r");
    if (!stream) return -1;
    static char line[LINE];
    int count = 0;
    bool header = true, good = true;
    while (good && count < most && fgets(line, sizeof line, stream)) {
        if (line[0] == '#') continue;
        if (!header) good = read_row(line, &rows[count++]);
        header = false;
    }
    (void)fclose(stream);
    return good ? count : -1;
}

void impact_row_class(const impact_row *row, char name[40]) {
    const char *start = strncmp(row->id, "pub-", 4) == 0 ? row->id + 4 : row->id;
    (void)snprintf(name, 40, "%s", start);
    name[strcspn(name, "-")] = 0;
}
