/* channel_kept.c - the tables of the full-size channel: written by a full run, read back from
 * reference/data. */
#include "benchmarks/experiments/channel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOMENTS "preclik2017_channel_moments"
#define CELLS   "preclik2017_channel_cells"
#define PAIRS   "preclik2017_channel_pairs"

bool channel_is_sample(const channel_result *c, double time) {
    return time > c->from + 0.5 * c->flow.settings.step;
}

void channel_write(report *r, const channel_result *c) {
    report_rows *t = report_table(r, MOMENTS,
                                  "time_s:6\tparticles:17\tcontacts:6\tclose:6\ttouching:6\tloaded:"
                                  "6\tpenetration_m:4\tresidual:4");
    for (int i = 0; i < c->moments; i++) {
        const channel_moment *m = &c->moment[i];
        report_row(t, NULL, m->time, m->particles, m->contacts, m->close, m->touching, m->loaded,
                   m->penetration, m->residual);
    }
    t = report_table(r, CELLS,
                     "count:17\tvx_m_per_s:4\tvy_m_per_s:4\tvz_m_per_s:4\tspin_rad_per_s:4");
    for (int i = 0; i < c->nx * c->ny; i++) {
        const channel_cell *cell = &c->cell[i];
        const double n = fmax(cell->count, 1);
        report_row(t, NULL, cell->count, cell->velocity[0] / n, cell->velocity[1] / n,
                   cell->velocity[2] / n, cell->spin / n);
    }
    t = report_table(r, PAIRS, "distance_m:6\tpairs_m6:8");
    for (int i = 0; i < CHANNEL_BINS; i++)
        report_row(t, NULL, (i + 0.5) * c->bin, c->pairs[i] / c->pair_density);
}

/* Rows of `columns` numbers below comments and a header, at most `most`; returns how many there
 * are. */
static int read_table(const char *name, int columns, double *row, int most) {
    char path[96], line[512];
    snprintf(path, sizeof path, "reference/data/%s.tsv", name);
    FILE *in = fopen(path, "r");
    int rows = 0;
    while (in && rows < most && fgets(line, sizeof line, in)) {
        char *at = line, *end = line;
        int k = 0;
        for (; k < columns; k++, at = end) {
            row[rows * columns + k] = strtod(at, &end);
            if (end == at) break;
        }
        rows += k == columns;
    }
    if (in) fclose(in);
    return rows;
}

static bool read_moments(channel_result *c, double *row) {
    c->moments = read_table(MOMENTS, 8, row, 1000);
    c->moment = calloc((size_t)c->moments + 1, sizeof *c->moment);
    if (!c->moment || c->moments == 0) return false;
    for (int i = 0; i < c->moments; i++) {
        const double *x = row + 8 * i;
        c->moment[i] = (channel_moment){x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]};
    }
    c->until = c->moment[c->moments - 1].time;
    c->from = c->until - 0.2;
    for (int i = 0; i < c->moments; i++)
        c->samples += channel_is_sample(c, c->moment[i].time);
    return c->samples > 0;
}

bool channel_read(channel_result *c) {
    const int cells = c->nx * c->ny, room = cells * 5 > 8000 ? cells * 5 : 8000;
    double *row = malloc((size_t)room * sizeof *row);
    c->cell = calloc((size_t)cells, sizeof *c->cell);
    bool good = row && c->cell && read_moments(c, row) && read_table(CELLS, 5, row, cells) == cells;
    for (int i = 0; good && i < cells; i++) {
        const double *x = row + 5 * i;
        c->cell[i] = (channel_cell){x[0], {x[0] * x[1], x[0] * x[2], x[0] * x[3]}, x[0] * x[4]};
    }
    good = good && read_table(PAIRS, 2, row, CHANNEL_BINS) == CHANNEL_BINS;
    for (int i = 0; good && i < CHANNEL_BINS; i++)
        c->pairs[i] = row[2 * i + 1];
    c->pair_density = 1;
    free(row);
    return good;
}

void channel_kept(report *r) {
    if (!report_full(r)) report_kept(r, MOMENTS); /* cells and pairs are of the same run */
}
