/* motions.c - bodies with corners, recorded in flight and as they hit the ground, sample by sample:
 * the first impact of each that begins in flight, where it is clearly one of one corner.
 *
 * Velocities of single samples are rough, and those about an impact are blends of before and after.
 * Hence both velocities are means over some samples of free flight, brought to the instant of the
 * impact by gravity. */
#include "replay/replay.h"

#include "base/vec3.h"
#include "io/table.h"

#include <stdlib.h>
#include <string.h>

enum {
    WINDOW = 4,  /* samples of flight that a velocity is the mean of */
    LONGEST = 4, /* intervals between samples that an impact may take */
    MOST_CORNERS = 8
};
static const double gravity = 9.81; /* m/s^2 */
/* Of the speed: what differs by more from flight is none, some times the noise of a sample. */
static const double quiet = 0.05;
typedef struct sample {
    double x[3], orientation[4], v[3], w[3]; /* m, unit quaternion, m/s and rad/s, world */
} sample;

typedef struct motion {
    const replay_set *set;
    double id;
    int count, room;
    sample *at; /* (count) */
} motion;

/* Corner number c as seen from the centre, world. */
static void corner_of(const motion *m, const sample *s, int c, double arm[3]) {
    const double half = m->set->half;
    double R[9];
    rotation3(s->orientation, R);
    apply3(R,
           (const double[]){c & 1 ? half : -half, c & 2 ? half : -half,
                            m->set->corners < MOST_CORNERS ? 0
                            : c & 4                        ? half
                                                           : -half},
           arm);
}

/* The lowest corner of a sample. */
static int lowest(const motion *m, const sample *s) {
    int found = 0;
    double arm[3], least = INFINITY;
    for (int c = 0; c < m->set->corners; c++) {
        corner_of(m, s, c, arm);
        if (arm[m->set->up] < least) {
            least = arm[m->set->up];
            found = c;
        }
    }
    return found;
}

/* Does this corner come down to a height, m, and none of the others, from one sample to another?
 * Not where one face was taken for another on the way, so that the corner leaps. */
static bool alone(const motion *m, int corner, int from, int to, double height) {
    double arm[3], last[3], least = INFINITY;
    corner_of(m, &m->at[from], corner, last);
    for (int k = from; k <= to; k++)
        for (int c = 0; c < m->set->corners; c++) {
            corner_of(m, &m->at[k], c, arm);
            const double above = m->at[k].x[m->set->up] + arm[m->set->up];
            if (c != corner && above <= height) return false;
            if (c != corner) continue;
            least = fmin(least, above);
            sub3(arm, last, last);
            if (norm3(last) > m->set->half) return false;
            memcpy(last, arm, sizeof last);
        }
    return least <= height;
}

/* Size of a velocity and spin, m/s: the mass norm over sqrt(mass). */
static double size(const motion *m, const double v[3], const double w[3]) {
    return sqrt(dot3(v, v) + m->set->gyration * m->set->gyration * dot3(w, w));
}

/* How much the velocity changes from sample a to b, but for gravity. */
static double change(const motion *m, int a, int b) {
    double v[3], w[3];
    sub3(m->at[b].v, m->at[a].v, v);
    sub3(m->at[b].w, m->at[a].w, w);
    v[m->set->up] += gravity * (b - a) * m->set->period;
    return size(m, v, w);
}

static bool flies(const motion *m, int from, double speed) {
    bool free = from + WINDOW <= m->count && change(m, from, from + WINDOW - 1) <= quiet * speed;
    for (int k = from; free && k + 1 < from + WINDOW; k++)
        free = change(m, k, k + 1) <= quiet * speed;
    return free;
}

/* v, w <- mean over WINDOW samples of flight, brought to the time `at`, in samples. */
static void mean(const motion *m, int from, double at, double v[3], double w[3]) {
    for (int i = 0; i < 3; i++)
        v[i] = w[i] = 0;
    for (int k = from; k < from + WINDOW; k++) {
        add3(1.0 / WINDOW, m->at[k].v, v);
        add3(1.0 / WINDOW, m->at[k].w, w);
        v[m->set->up] -= gravity * (at - k) * m->set->period / WINDOW;
    }
}

/* n along `up`, then the first axis that is not, then what completes them. */
static void set_frame(int up, double frame[9]) {
    memset(frame, 0, 9 * sizeof *frame);
    frame[up] = 1;
    frame[3 + (up == 0)] = 1;
    cross3(frame, frame + 3, frame + 6);
}

/* *impact <- the first of the motion; false where there is none, or none that is clear. */
static bool find(const motion *m, replay_impact *impact) {
    int hit = WINDOW, after; /* the samples between which it begins, the one where it has ended */
    double v[3], w[3], arm[3];
    if (m->count <= WINDOW) return false;
    const double speed = size(m, m->at[WINDOW].v, m->at[WINDOW].w);
    while (hit + 1 < m->count && change(m, hit, hit + 1) <= quiet * speed)
        hit++;
    if (hit + 1 >= m->count || !flies(m, hit - WINDOW, speed)) return false;
    for (after = hit + 2; !flies(m, after, speed); after++)
        if (after > hit + LONGEST) return false;
    /* as far as the body comes from one sample to the next, others may have hit in between */
    const int corner = lowest(m, &m->at[hit]);
    const double way = size(m, m->at[hit].v, m->at[hit].w) * m->set->period;
    if (!alone(m, corner, hit, after, way)) return false;
    *impact = (replay_impact){
        .id = m->id, .body = replay_body(m->set), .contact = {.a = IMP_GROUND, .b = 0}};
    mean(m, hit - WINDOW, hit + 0.5, impact->body.velocity, impact->body.spin);
    mean(m, after, hit + 0.5, v, w);
    memcpy(impact->after, v, sizeof v);
    memcpy(impact->after + 3, w, sizeof w);
    corner_of(m, &m->at[hit], corner, arm);
    memcpy(impact->contact.point, arm, sizeof arm);
    cross3(impact->body.spin, arm, w);
    add3(0.5 * m->set->period, w, impact->contact.point);
    set_frame(m->set->up, impact->contact.frame);
    return true;
}

/* Takes the motion that is complete and begins the next. */
static imp_status finish(motion *m, replay_data *data, imp_error *error) {
    replay_impact impact;
    const bool found = m->count > 0 && find(m, &impact);
    if (m->count > 0 && !found) data->left_out++;
    m->count = 0;
    return found ? replay_add(data, &impact, error) : IMP_OK;
}

static imp_status append(motion *m, double id, const sample *s, replay_data *data,
                         imp_error *error) {
    if (id != m->id) {
        const imp_status status = finish(m, data, error);
        if (status != IMP_OK) return status;
    }
    m->id = id;
    if (m->count == m->room) {
        const int room = m->room ? 2 * m->room : 256;
        sample *more = realloc(m->at, (size_t)room * sizeof *more);
        if (!more) return imp_error_set(error, IMP_NO_MEMORY, "no memory");
        m->at = more;
        m->room = room;
    }
    m->at[m->count++] = *s;
    return IMP_OK;
}

/* In space: spins are of the body's frame. */
static const imp_column solid[] = {
    IMP_WORDS("toss"), IMP_WORDS("x"),   IMP_WORDS("y"),   IMP_WORDS("z"),   IMP_WORDS("qw"),
    IMP_WORDS("qx"),   IMP_WORDS("qy"),  IMP_WORDS("qz"),  IMP_WORDS("vx"),  IMP_WORDS("vy"),
    IMP_WORDS("vz"),   IMP_WORDS("wbx"), IMP_WORDS("wby"), IMP_WORDS("wbz"), IMP_COLUMNS_END};

static bool solid_sample(const double x[], sample *s) {
    double R[9];
    memcpy(s->x, x + 1, sizeof s->x);
    memcpy(s->orientation, x + 4, sizeof s->orientation);
    memcpy(s->v, x + 8, sizeof s->v);
    rotation3(s->orientation, R);
    apply3(R, x + 11, s->w);
    const double square = x[4] * x[4] + x[5] * x[5] + x[6] * x[6] + x[7] * x[7];
    return fabs(square - 1) < 1e-3; /* of digits that the file keeps, and single precision */
}

/* In a vertical plane: its z is our second axis. */
static const imp_column plane[] = {IMP_WORDS("traj"), IMP_WORDS("x"),  IMP_WORDS("z"),
                                   IMP_WORDS("th"),   IMP_WORDS("vx"), IMP_WORDS("vz"),
                                   IMP_WORDS("om"),   IMP_COLUMNS_END};

static bool plane_sample(const double x[], sample *s) {
    *s = (sample){.x = {x[1], x[2], 0}, .v = {x[4], x[5], 0}, .w = {0, 0, x[6]}};
    exponential4((const double[]){0, 0, x[3]}, s->orientation);
    return true;
}

imp_status replay_read_motions(const imp_input *input, replay_data *data, imp_error *error) {
    const bool space = data->set->corners == MOST_CORNERS;
    const imp_column *columns = space ? solid : plane;
    motion m = {.set = data->set};
    imp_table table;
    bool more = true;
    imp_status status = imp_table_open(&table, input, columns, ',', error);
    while (status == IMP_OK) {
        double x[IMP_TABLE_COLUMNS];
        sample s;
        status = imp_table_next(&table, &more, error);
        if (status != IMP_OK || !more) break;
        for (int k = 0; columns[k].name && status == IMP_OK; k++)
            status = imp_table_number(&table, k, &x[k], error);
        if (status == IMP_OK && !(space ? solid_sample(x, &s) : plane_sample(x, &s)))
            status = imp_table_expected(&table, 4, "a quaternion of unit length", error);
        if (status == IMP_OK) status = append(&m, x[0], &s, data, error);
    }
    if (status == IMP_OK) status = finish(&m, data, error);
    imp_table_close(&table);
    free(m.at);
    return status;
}
