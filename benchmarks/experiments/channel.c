/* channel.c - the channel's run and what is measured on it. */
#include "benchmarks/experiments/channel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

double channel_sphere_volume(const imp_flow *f) {
    return 4 * pi / 3 * f->inflow.radius * f->inflow.radius * f->inflow.radius;
}

double channel_room(const imp_flow *f) {
    const double *low = f->settings.low, *high = f->settings.high, height = high[2] - low[2];
    double room = (high[0] - low[0]) * (high[1] - low[1]) * height;
    for (int i = 0; i < f->shapes; i++)
        if (f->shape[i].kind == IMP_SHAPE_OBSTACLE) {
            const double R = f->shape[i].radius;
            room -= (pi / 2 * R * R + 2 * R * f->shape[i].length) * height;
        }
    return room;
}

double channel_speed(const channel_result *c, int i) {
    const double *v = c->cell[i].velocity;
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / c->cell[i].count;
}

double channel_spin(const channel_result *c, int i) {
    return c->cell[i].spin / c->cell[i].count;
}

/* Near the exit: the paper's [12 cm, 14 cm] of 15 cm, over the whole width and height. */
static void sample_pairs(channel_result *c, const imp_granular *g) {
    const double *low = c->flow.settings.low, *high = c->flow.settings.high, length = high[0] - low[0];
    const double from = low[0] + 0.8 * length, to = low[0] + 14.0 / 15 * length;
    const int n = imp_granular_count(g);
    double(*x)[3] = malloc(((size_t)n + 1) * sizeof *x);
    int inside = 0;
    for (int i = 0; x && i < n; i++) {
        const imp_sphere s = imp_granular_sphere(g, i);
        if (s.position[0] >= from && s.position[0] < to) memcpy(x[inside++], s.position, sizeof *x);
    }
    for (int i = 0; i < inside; i++)
        for (int j = i + 1; j < inside; j++) {
            const double d =
                sqrt((x[i][0] - x[j][0]) * (x[i][0] - x[j][0]) + (x[i][1] - x[j][1]) * (x[i][1] - x[j][1]) +
                     (x[i][2] - x[j][2]) * (x[i][2] - x[j][2]));
            if (d < CHANNEL_BINS * c->bin) c->pairs[(int)(d / c->bin)]++;
        }
    free(x);
    c->side[0] = to - from;
    c->side[1] = high[1] - low[1];
    c->side[2] = high[2] - low[2];
    const double density = inside / (c->side[0] * c->side[1] * c->side[2]);
    c->inside += inside;
    c->pair_density += density * density / 2;
}

static void sample(channel_result *c, const imp_granular *g, const imp_granular_report *step) {
    const double *low = c->flow.settings.low, n = step->particles;
    for (int i = 0; i < step->particles; i++) {
        const imp_sphere s = imp_granular_sphere(g, i);
        const int x = (int)((s.position[0] - low[0]) * 1e3), y = (int)((s.position[1] - low[1]) * 1e3);
        if (x < 0 || y < 0 || x >= c->nx || y >= c->ny) continue;
        channel_cell *cell = &c->cell[x * c->ny + y];
        cell->count++;
        cell->spin += sqrt(s.spin[0] * s.spin[0] + s.spin[1] * s.spin[1] + s.spin[2] * s.spin[2]);
        for (int k = 0; k < 3; k++)
            cell->velocity[k] += s.velocity[k];
    }
    sample_pairs(c, g);
    c->samples++;
    c->particles += n;
    c->contacts += 2 * step->contacts / n;
    c->close += 2 * step->close / n;
    c->touching += 2 * step->touching / n;
    c->loaded += 2 * step->loaded / n;
    c->residual += step->residual;
}

static void finish(channel_result *c) {
    double *const means[] = {&c->particles, &c->contacts, &c->close, &c->touching, &c->loaded, &c->residual};
    for (size_t i = 0; i < sizeof means / sizeof *means; i++)
        *means[i] /= c->samples;
    c->fraction = c->particles * channel_sphere_volume(&c->flow) / channel_room(&c->flow);
}

static void run_flow(report *r, channel_result *c) {
    imp_status status;
    const long long steps = llround(c->until / c->flow.settings.step), first = llround(c->from / c->flow.settings.step);
    const long long every = report_full(r) ? 1000 : 50;
    imp_granular *g = imp_flow_start(&c->flow, false, &status);
    c->nx = (int)lround((c->flow.settings.high[0] - c->flow.settings.low[0]) * 1e3);
    c->ny = (int)lround((c->flow.settings.high[1] - c->flow.settings.low[1]) * 1e3);
    c->cell = calloc((size_t)c->nx * (size_t)c->ny, sizeof *c->cell);
    c->bin = 2 * c->flow.inflow.radius / 40;
    for (long long k = 1; g && c->cell && status == IMP_OK && k <= steps; k++) {
        imp_granular_report step;
        status = imp_granular_step(g, &step);
        c->penetration = fmax(c->penetration, step.penetration);
        if (status == IMP_OK && k > first && k % every == 0) sample(c, g, &step);
        if (k % 100 == 0) report_progress(r, (double)k / (double)steps);
    }
    c->good = g && c->cell && status == IMP_OK && c->samples > 0;
    if (c->good) finish(c);
    imp_granular_free(g);
}

const channel_result *channel_run(report *r) {
    static channel_result result;
    static bool made;
    if (made) return &result;
    made = true;
    const char *path = report_full(r) ? "benchmarks/flows/channel.json" : "benchmarks/flows/channel-small.json";
    if (imp_flow_read(path, NULL, &result.flow, NULL) != IMP_OK) return &result;
    result.until = result.flow.until;
    result.from = result.until / 2;
    run_flow(r, &result);
    return &result;
}
