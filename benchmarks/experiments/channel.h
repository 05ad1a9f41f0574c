/* channel.h - the granular channel of Preclik, Eibl, Ruede (2017), section 4.3, run once for all
 * experiments on it. */
#ifndef CHANNEL_H
#define CHANNEL_H

#include "benchmarks/harness/report.h"
#include "impact.h"

enum { CHANNEL_BINS = 240, CHANNEL_VIEWS = 20 };

typedef struct channel_cell {
    double count, velocity[3], spin; /* sums over particles and samples: m/s, rad/s (of |spin|) */
} channel_cell;

/* The flow at one moment. Contacts are per particle at both its ends: 2 nc / N. */
typedef struct channel_moment {
    double time; /* s */
    double particles;
    double contacts, close, touching, loaded; /* solved; gap < 0.5 um; gap < 0; with an impulse */
    double penetration;                       /* m, the deepest since the last moment */
    double residual;                          /* over |g| dt */
} channel_moment;

/* All spheres at one moment, where each is (m) and how fast (m/s). */
typedef struct channel_view {
    double time; /* s */
    int count;
    double (*sphere)[4]; /* (count) x, y, z, speed */
} channel_view;

typedef struct channel_result {
    imp_flow flow;
    bool good;              /* the run came to its end */
    bool whole;             /* the paper's channel, not a fifth of it */
    double from, until;     /* s, what is averaged over */
    channel_moment *moment; /* of the whole run */
    int moments, samples;   /* samples: the last of them, averaged over */
    /* of the samples; the penetration is the deepest of the whole run */
    channel_moment mean;
    double fraction;            /* mean, of the room without the obstacle */
    int nx, ny;                 /* cells of 1 mm */
    channel_cell *cell;         /* (nx ny), x slowest: sums over the samples */
    double bin;                 /* m, width of a bin of pairs */
    double pairs[CHANNEL_BINS]; /* unordered pairs near the exit, summed over the samples */
    double pair_density;        /* sum over the samples of density^2 / 2 there, 1/m^6; 1 where pairs
                                   are over it */
    double side[3];             /* m, of the region near the exit */
    channel_view view[CHANNEL_VIEWS]; /* of the small channel, the last samples */
    int views;
} channel_result;

/* The channel at a fifth of its size, run now. Like all results here it lives until the program
 * ends. */
const channel_result *channel_small(report *r);

/* The paper's channel: run now in a full report (hours; build/channel keeps what is needed to go on
 * after an interruption, and the report's data folder gets the tables), else what reference/data
 * keeps of such a run. */
const channel_result *channel_whole(report *r);

/* Is this moment one of those averaged over? */
bool channel_is_sample(const channel_result *c, double time);

/* The tables of a run, and their return: moments, cells and pairs. False: reference/data lacks
 * them. */
void channel_write(report *r, const channel_result *c);
bool channel_read(channel_result *c);

/* Says on the page whence a whole channel comes that was not run now. */
void channel_kept(report *r);

/* m^3, of a sphere and of the room that spheres have. */
double channel_sphere_volume(const imp_flow *flow);
double channel_room(const imp_flow *flow);

/* Mean speed (m/s) and mean |spin| (rad/s) of cell i, NaN where it is empty. */
double channel_speed(const channel_result *c, int i);
double channel_spin(const channel_result *c, int i);

#endif
