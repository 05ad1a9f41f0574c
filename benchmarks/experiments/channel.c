/* channel.c - the channel's run and what is measured on it. */
#include "benchmarks/experiments/channel.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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
static void find_region(channel_result *c, double *from, double *to) {
    const double *low = c->flow.settings.low, *high = c->flow.settings.high,
                 length = high[0] - low[0];
    *from = low[0] + 0.8 * length, *to = low[0] + 14.0 / 15 * length;
    c->side[0] = *to - *from;
    c->side[1] = high[1] - low[1];
    c->side[2] = high[2] - low[2];
}

/* What is added up over the samples, of one of them. */
typedef struct channel_sample {
    channel_moment moment;
    double inside, pair_density, pairs[CHANNEL_BINS];
    channel_cell *cell;
} channel_sample;

static int compare_x(const void *a, const void *b) {
    const double *x = a, *y = b;
    return (x[0] > y[0]) - (x[0] < y[0]);
}

static void sample_pairs(channel_result *c, const imp_granular *g, channel_sample *s) {
    const int n = imp_granular_count(g);
    const double reach = CHANNEL_BINS * c->bin;
    double(*x)[3] = malloc(((size_t)n + 1) * sizeof *x), from, to;
    int inside = 0;
    find_region(c, &from, &to);
    for (int i = 0; x && i < n; i++) {
        const imp_sphere ball = imp_granular_sphere(g, i);
        if (ball.position[0] >= from && ball.position[0] < to)
            memcpy(x[inside++], ball.position, sizeof *x);
    }
    if (x) qsort(x, (size_t)inside, sizeof *x, compare_x);
    for (int i = 0; i < inside; i++)
        for (int j = i + 1; j < inside && x[j][0] - x[i][0] < reach; j++) {
            const double d = sqrt((x[i][0] - x[j][0]) * (x[i][0] - x[j][0]) +
                                  (x[i][1] - x[j][1]) * (x[i][1] - x[j][1]) +
                                  (x[i][2] - x[j][2]) * (x[i][2] - x[j][2]));
            if (d < reach) s->pairs[(int)(d / c->bin)]++;
        }
    free(x);
    const double density = inside / (c->side[0] * c->side[1] * c->side[2]);
    s->inside = inside;
    s->pair_density = density * density / 2;
}

static void sample_cells(const channel_result *c, const imp_granular *g, channel_sample *s) {
    const double *low = c->flow.settings.low;
    for (int i = 0; i < imp_granular_count(g); i++) {
        const imp_sphere ball = imp_granular_sphere(g, i);
        const int x = (int)((ball.position[0] - low[0]) * 1e3),
                  y = (int)((ball.position[1] - low[1]) * 1e3);
        if (x < 0 || y < 0 || x >= c->nx || y >= c->ny) continue;
        channel_cell *cell = &s->cell[x * c->ny + y];
        cell->count++;
        cell->spin += sqrt(ball.spin[0] * ball.spin[0] + ball.spin[1] * ball.spin[1] +
                           ball.spin[2] * ball.spin[2]);
        for (int k = 0; k < 3; k++)
            cell->velocity[k] += ball.velocity[k];
    }
}

static void take_sample(channel_result *c, const imp_granular *g, const imp_granular_report *step,
                        double penetration, channel_sample *s) {
    const double n = step->particles;
    channel_cell *cell = s->cell;
    memset(cell, 0, (size_t)c->nx * (size_t)c->ny * sizeof *cell);
    *s = (channel_sample){.cell = cell,
                          .moment = {imp_granular_time(g), n, 2 * step->contacts / n,
                                     2 * step->close / n, 2 * step->touching / n,
                                     2 * step->loaded / n, penetration, step->residual}};
    sample_cells(c, g, s);
    sample_pairs(c, g, s);
}

static void add_sample(channel_result *c, const channel_sample *s) {
    c->moment[c->moments++] = s->moment;
    if (!channel_is_sample(c, s->moment.time)) return;
    c->samples++;
    for (int i = 0; i < c->nx * c->ny; i++) {
        c->cell[i].count += s->cell[i].count;
        c->cell[i].spin += s->cell[i].spin;
        for (int k = 0; k < 3; k++)
            c->cell[i].velocity[k] += s->cell[i].velocity[k];
    }
    for (int i = 0; i < CHANNEL_BINS; i++)
        c->pairs[i] += s->pairs[i];
    c->pair_density += s->pair_density;
}

static void finish(channel_result *c) {
    c->mean = (channel_moment){0};
    for (int i = 0; i < c->moments; i++)
        c->mean.penetration = fmax(c->mean.penetration, c->moment[i].penetration);
    for (int i = c->moments - c->samples; i < c->moments; i++) {
        const channel_moment *m = &c->moment[i];
        c->mean.particles += m->particles / c->samples;
        c->mean.contacts += m->contacts / c->samples;
        c->mean.close += m->close / c->samples;
        c->mean.touching += m->touching / c->samples;
        c->mean.loaded += m->loaded / c->samples;
        c->mean.residual += m->residual / c->samples;
    }
    c->fraction = c->mean.particles * channel_sphere_volume(&c->flow) / channel_room(&c->flow);
}

/* A full run keeps in KEPT one file per sample and the last checkpoint, each written whole before
 * it has its name. A run that goes on from the checkpoint makes later samples again, bit for
 * bit. */
#define KEPT "build/channel"

static bool keep_sample(const channel_result *c, const channel_sample *s, long long step) {
    char path[64], part[80];
    snprintf(path, sizeof path, KEPT "/sample-%07lld", step);
    snprintf(part, sizeof part, "%s.part", path);
    FILE *out = fopen(part, "wb");
    if (!out) return false;
    const size_t cells = (size_t)c->nx * (size_t)c->ny;
    const bool whole =
        fwrite(s, sizeof *s, 1, out) == 1 && fwrite(s->cell, sizeof *s->cell, cells, out) == cells;
    return (fclose(out) == 0) & whole && rename(part, path) == 0;
}

static bool recall_sample(const channel_result *c, channel_sample *s, long long step) {
    char path[64];
    channel_cell *cell = s->cell;
    snprintf(path, sizeof path, KEPT "/sample-%07lld", step);
    FILE *in = fopen(path, "rb");
    if (!in) return false;
    const size_t cells = (size_t)c->nx * (size_t)c->ny;
    const bool whole =
        fread(s, sizeof *s, 1, in) == 1 && fread(cell, sizeof *cell, cells, in) == cells;
    s->cell = cell;
    fclose(in);
    return whole;
}

static bool keep_flow(const imp_granular *g) {
    FILE *out = fopen(KEPT "/flow.part", "wb");
    if (!out) return false;
    const bool whole = imp_granular_save(g, out) == IMP_OK;
    return (fclose(out) == 0) & whole && rename(KEPT "/flow.part", KEPT "/flow.check") == 0;
}

/* The step at which the kept flow stands, its samples added; 0: from the start. */
static long long recall(report *r, channel_result *c, imp_granular *g, channel_sample *s,
                        long long every) {
    const char *why = "";
    if (mkdir("build", 0777) != 0 && errno != EEXIST) return 0;
    if (mkdir(KEPT, 0777) != 0 && errno != EEXIST) return 0;
    FILE *in = fopen(KEPT "/flow.check", "rb");
    if (!in) return 0;
    const imp_status status = imp_granular_load(g, in, &why);
    fclose(in);
    long long step = status == IMP_OK ? llround(imp_granular_time(g) / c->flow.settings.step) : 0;
    for (long long k = every; k <= step; k += every) {
        if (recall_sample(c, s, k)) {
            add_sample(c, s);
            continue;
        }
        why = "a sample is missing", step = -1;
        break;
    }
    if (step > 0) return step;
    report_say(r, report_text(r, "what " KEPT " keeps cannot be used: %s", why));
    return -1;
}

static bool see(channel_result *c, const imp_granular *g) {
    channel_view *view = &c->view[c->views];
    *view = (channel_view){.time = imp_granular_time(g), .count = imp_granular_count(g)};
    view->sphere = malloc(((size_t)view->count + 1) * sizeof *view->sphere);
    if (!view->sphere) return false;
    for (int i = 0; i < view->count; i++) {
        const imp_sphere ball = imp_granular_sphere(g, i);
        const double *v = ball.velocity;
        memcpy(view->sphere[i], ball.position, sizeof ball.position);
        view->sphere[i][3] = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    }
    c->views++;
    return true;
}

static bool go(report *r, channel_result *c, imp_granular *g, channel_sample *s, bool keep) {
    const long long steps = llround(c->until / c->flow.settings.step), every = keep ? 1000 : 50;
    const long long first = keep ? recall(r, c, g, s, every) : 0;
    imp_status status = first < 0 ? IMP_IO : IMP_OK;
    double penetration = 0;
    for (long long k = first + 1; status == IMP_OK && k <= steps; k++) {
        imp_granular_report step;
        status = imp_granular_step(g, &step);
        penetration = fmax(penetration, step.penetration);
        if (k % 100 == 0) report_progress(r, (double)k / (double)steps);
        if (status != IMP_OK || k % every != 0) continue;
        take_sample(c, g, &step, penetration, s);
        add_sample(c, s);
        penetration = 0;
        if (keep && (!keep_sample(c, s, k) || !keep_flow(g))) status = IMP_IO;
        if (!keep && (steps - k) / every < CHANNEL_VIEWS && !see(c, g)) status = IMP_NO_MEMORY;
    }
    return status == IMP_OK && c->samples > 0;
}

static void run_flow(report *r, channel_result *c, bool keep) {
    imp_status status;
    const size_t moments = (size_t)(c->until / c->flow.settings.step / 50) + 2;
    imp_granular *g = imp_flow_start(&c->flow, false, &status);
    c->cell = calloc((size_t)c->nx * (size_t)c->ny, sizeof *c->cell);
    c->moment = calloc(moments, sizeof *c->moment);
    channel_sample sample = {.cell = calloc((size_t)c->nx * (size_t)c->ny, sizeof *sample.cell)};
    c->good = g && c->cell && c->moment && sample.cell && go(r, c, g, &sample, keep);
    free(sample.cell);
    imp_granular_free(g);
}

static bool start(channel_result *c, const char *path) {
    double from, to;
    if (imp_flow_read(path, NULL, &c->flow, NULL) != IMP_OK) return false;
    c->until = c->flow.until;
    c->nx = (int)lround((c->flow.settings.high[0] - c->flow.settings.low[0]) * 1e3);
    c->ny = (int)lround((c->flow.settings.high[1] - c->flow.settings.low[1]) * 1e3);
    c->bin = 2 * c->flow.inflow.radius / 40;
    find_region(c, &from, &to);
    return true;
}

const channel_result *channel_small(report *r) {
    static channel_result result;
    static bool made;
    if (!made && start(&result, "benchmarks/flows/channel-small.json")) {
        result.from = result.until / 2;
        run_flow(r, &result, false);
        if (result.good) finish(&result);
    }
    made = true;
    return &result;
}

const channel_result *channel_whole(report *r) {
    static channel_result result;
    static bool made;
    if (!made && start(&result, "benchmarks/flows/channel.json")) {
        result.whole = true;
        result.from = result.until - 0.2;
        if (report_full(r)) {
            run_flow(r, &result, true);
            if (result.good) channel_write(r, &result);
        } else
            result.good = channel_read(&result);
        if (result.good) finish(&result);
    }
    made = true;
    return &result;
}
