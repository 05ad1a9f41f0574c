/* motions.c - bodies with corners, recorded in flight and as they hit the ground, sample by sample:
 * the first impact of each that begins in flight, where it is clearly one of one corner.
 *
 * Velocities of single samples are rough, and those about an impact are blends of before and after.
 * Hence both velocities are means over some samples of free flight, brought to the instant of the
 * impact by gravity.
 *
 * A file is a tag of 8 bytes; then, little endian, of 32 bits each, the numbers of motions and of
 * columns, how many samples each motion has, and the rows of all in single precision. */
#include "replay/replay.h"

#include "base/vec3.h"
#include "io/stream.h"

#include <endian.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    WINDOW = 4,  /* samples of flight that a velocity is the mean of */
    LONGEST = 4, /* intervals between samples that an impact may take */
    MOST_CORNERS = 8,
    SOLID = 13, /* columns: x y z, qw qx qy qz, vx vy vz, wx wy wz */
    PLANE = 6,  /* x z th, vx vz om */
    MOST_MOTIONS = 1000000,
    MOST_SAMPLES = 1000000
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
    int count;
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

/* x <- a row in space; spins are of the body's frame there. */
static bool solid_sample(const double x[], sample *s) {
    double R[9];
    memcpy(s->x, x, sizeof s->x);
    memcpy(s->orientation, x + 3, sizeof s->orientation);
    memcpy(s->v, x + 7, sizeof s->v);
    rotation3(s->orientation, R);
    apply3(R, x + 10, s->w);
    const double square = x[3] * x[3] + x[4] * x[4] + x[5] * x[5] + x[6] * x[6];
    return fabs(square - 1) < 1e-3; /* recorded ones are so to single precision */
}

/* In a vertical plane: its z is our second axis. */
static bool plane_sample(const double x[], sample *s) {
    *s = (sample){.x = {x[0], x[1], 0}, .v = {x[3], x[4], 0}, .w = {0, 0, x[5]}};
    exponential4((const double[]){0, 0, x[2]}, s->orientation);
    return true;
}

/* words (n) <- the next of the file, which is little endian. */
static imp_status read_words(const imp_input *input, size_t n, uint32_t *words, imp_error *error) {
    if (fread(words, sizeof *words, n, input->file) == n) {
        for (size_t i = 0; i < n; i++)
            words[i] = le32toh(words[i]);
        return IMP_OK;
    }
    if (ferror(input->file)) return imp_error_system(error, input->name, "cannot be read");
    return imp_error_set(error, IMP_BAD_ARGUMENT,
                         "%s: the file ends, expected all that it announces", input->name);
}

/* *count <- how many motions follow. */
static imp_status read_head(const imp_input *input, const replay_set *set, uint32_t *count,
                            imp_error *error) {
    char tag[8];
    uint32_t head[2];
    if (fread(tag, 1, sizeof tag, input->file) != sizeof tag ||
        memcmp(tag, set->tag, sizeof tag) != 0)
        return imp_error_set(error, IMP_BAD_ARGUMENT, "%s: another beginning, expected \"%s\"",
                             input->name, set->tag);
    const imp_status status = read_words(input, 2, head, error);
    if (status != IMP_OK) return status;
    *count = head[0];
    if (head[0] <= MOST_MOTIONS && head[1] == (set->corners == MOST_CORNERS ? SOLID : PLANE))
        return IMP_OK;
    return imp_error_set(
        error, IMP_BAD_ARGUMENT, "%s: %u motions of %u columns, expected at most %d of %d",
        input->name, head[0], head[1], MOST_MOTIONS, set->corners == MOST_CORNERS ? SOLID : PLANE);
}

/* The next sample of the motion. */
static imp_status read_sample(const imp_input *input, motion *m, imp_error *error) {
    const bool solid = m->set->corners == MOST_CORNERS;
    const size_t columns = solid ? SOLID : PLANE;
    uint32_t words[SOLID];
    double x[SOLID];
    bool good = true;
    const imp_status status = read_words(input, columns, words, error);
    if (status != IMP_OK) return status;
    for (size_t k = 0; k < columns; k++) {
        float number;
        memcpy(&number, &words[k], sizeof number);
        x[k] = number;
        good = good && isfinite(x[k]);
    }
    if (good && (solid ? solid_sample : plane_sample)(x, &m->at[m->count]))
        return m->count++, IMP_OK;
    return imp_error_set(error, IMP_BAD_ARGUMENT, "%s: motion %.0f, sample %d: %s", input->name,
                         m->id, m->count,
                         good ? "a quaternion of another length, expected 1"
                              : "a number that is not finite, expected one that is");
}

/* The impact of a motion of `length` samples. */
static imp_status read_motion(const imp_input *input, motion *m, uint32_t length, replay_data *data,
                              imp_error *error) {
    replay_impact impact;
    imp_status status = IMP_OK;
    if (length > MOST_SAMPLES)
        return imp_error_set(error, IMP_BAD_ARGUMENT,
                             "%s: motion %.0f has %u samples, expected at most %d", input->name,
                             m->id, length, MOST_SAMPLES);
    m->count = 0;
    m->at = malloc((length + 1) * sizeof *m->at);
    if (!m->at) return imp_error_set(error, IMP_NO_MEMORY, "no memory");
    while (status == IMP_OK && (uint32_t)m->count < length)
        status = read_sample(input, m, error);
    if (status == IMP_OK && find(m, &impact))
        status = replay_add(data, &impact, error);
    else
        data->left_out++;
    free(m->at);
    return status;
}

imp_status replay_read_motions(const imp_input *input, replay_data *data, imp_error *error) {
    motion m = {.set = data->set};
    uint32_t count = 0;
    imp_status status = read_head(input, data->set, &count, error);
    if (status != IMP_OK) return status;
    uint32_t *length = malloc((count + 1) * sizeof *length);
    if (!length) return imp_error_set(error, IMP_NO_MEMORY, "no memory");
    status = read_words(input, count, length, error);
    for (uint32_t k = 0; k < count && status == IMP_OK; k++) {
        m.id = k;
        status = read_motion(input, &m, length[k], data, error);
    }
    free(length);
    if (status == IMP_OK && getc(input->file) != EOF)
        status =
            imp_error_set(error, IMP_BAD_ARGUMENT,
                          "%s: the file goes on, expected no more than it announces", input->name);
    return status;
}
