/* data.c - the sets of recordings, and an impact of one of them as a contact problem. */
#include "replay/replay.h"

#include "base/vec3.h"
#include "generators/gen.h"
#include "io/stream.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const replay_set replay_sets[] = {
    {.name = "ellipse",
     .file = "ellipse_impacts.csv",
     .about = "planar impacts of an ellipse, semi-axes 35 and 25 mm",
     .mirrored = true,
     .mass = 0.0364,
     .gyration = 0.0192,
     .up = 1,
     .read = replay_read_rows},
    {.name = "cube",
     .file = "cube_toss_selection.csv",
     .about = "tosses of an acrylic cube, edge 104.8 mm",
     .mass = 0.37,
     .gyration = 0.0467886, /* of 0.00081 kg m^2 */
     .half = 0.0524,
     .corners = 8,
     .up = 2,
     .period = 1.0 / 148,
     .read = replay_read_motions},
    {.name = "square",
     .file = "square_drop_selection.csv",
     .about = "planar drops of a square, edge 60 mm",
     .mass = 1,             /* not recorded, and of no part in the errors */
     .gyration = 0.0244949, /* of a uniform square, edge / sqrt(6) */
     .half = 0.03,
     .corners = 4,
     .up = 1,
     .period = 1.0 / 250,
     .read = replay_read_motions},
    {.name = NULL},
};

void replay_path(const replay_set *set, char path[REPLAY_PATH]) {
    const char *data = getenv("IMPACT_DATA");
    snprintf(path, REPLAY_PATH, "%s/real/%s", data ? data : "../shared/data", set->file);
}

bool replay_there(const replay_set *set) {
    char path[REPLAY_PATH];
    replay_path(set, path);
    return access(path, F_OK) == 0;
}

imp_body replay_body(const replay_set *set) {
    const double inverse = 1 / (set->mass * set->gyration * set->gyration);
    return (imp_body){.inv_mass = 1 / set->mass,
                      .inv_inertia = {inverse, 0, 0, 0, inverse, 0, 0, 0, inverse},
                      .orientation = {1, 0, 0, 0}};
}

/* x with A x = b, A symmetric and not singular, by Cramer's rule */
static void solve(const double A[9], const double b[3], double x[3]) {
    double cross[3];
    for (int i = 0; i < 3; i++) {
        cross3(A + 3 * ((i + 1) % 3), A + 3 * ((i + 2) % 3), cross);
        x[i] = dot3(b, cross) / dot3(A + 3 * i, cross);
    }
}

double replay_error(const replay_impact *impact, const double p[3]) {
    const imp_body *body = &impact->body;
    double v[3], w[3], push[3], moment[3];
    apply3_transposed(impact->contact.frame, p, push);
    cross3(impact->contact.point, push, moment);
    sub3(body->velocity, impact->after, v);
    sub3(body->spin, impact->after + 3, w);
    add3(body->inv_mass, push, v);
    add3(body->inv_inertia[0], moment, w);
    const double square = body->inv_mass / body->inv_inertia[0]; /* of the radius of gyration */
    return sqrt((dot3(v, v) + square * dot3(w, w)) /
                (dot3(body->velocity, body->velocity) + square * dot3(body->spin, body->spin)));
}

/* W, q and the floor of an impact: that of the impulse whose velocity at the contact is as
 * measured, since what is left moves no contact and is orthogonal, in M, to all that moves it. */
static imp_status pose(replay_impact *impact) {
    imp_body after = impact->body;
    double W[9], u[3], p[3];
    memcpy(after.velocity, impact->after, sizeof after.velocity);
    memcpy(after.spin, impact->after + 3, sizeof after.spin);
    imp_status status =
        imp_delassus_dense(1, &impact->body, 1, &impact->contact, impact->W, impact->q);
    if (status == IMP_OK) status = imp_delassus_dense(1, &after, 1, &impact->contact, W, u);
    if (status != IMP_OK) return status;
    sub3(u, impact->q, u);
    solve(W, u, p);
    impact->floor = replay_error(impact, p);
    return IMP_OK;
}

/* x of what was measured turned about. */
static void mirror(replay_impact *impact) {
    impact->body.velocity[0] *= -1;
    impact->after[0] *= -1;
}

imp_status replay_add(replay_data *data, const replay_impact *impact, imp_error *error) {
    replay_impact read = *impact, turned;
    if (data->set->mirrored) mirror(&read);
    turned = read;
    mirror(&turned);
    imp_status status = pose(&read);
    if (status == IMP_OK) status = pose(&turned);
    if (status == IMP_OK && !(read.q[0] < 0)) return data->left_out++, IMP_OK;
    if (status == IMP_OK && !isfinite(read.floor + turned.floor)) status = IMP_NOT_FINITE;
    if (status != IMP_OK)
        return imp_error_set(error, IMP_BAD_ARGUMENT, "%s: impact %.17g: %s, expected velocities",
                             data->set->file, read.id, imp_status_text(status));
    replay_impact *more = realloc(data->impact, (size_t)(data->count + 1) * sizeof *data->impact);
    if (!more) return imp_error_set(error, IMP_NO_MEMORY, "no memory");
    data->impact = more;
    data->impact[data->count++] = read;
    data->floor += read.floor;
    data->floor_mirrored += turned.floor;
    return IMP_OK;
}

/* Deals the impacts out by a draw, as many to each fold (but one). */
static bool deal(replay_data *data) {
    const int count = data->count;
    int *order = malloc((size_t)count * sizeof *order);
    gen_stream draw = gen_seed(1, (uint64_t)count);
    data->fold = malloc((size_t)count * sizeof *data->fold);
    for (int i = 0; order && i < count; i++) {
        const int j = (int)gen_uniform(&draw, 0, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    for (int i = 0; order && data->fold && i < count; i++)
        data->fold[order[i]] = i % REPLAY_FOLDS;
    const bool dealt = order && data->fold;
    free(order);
    return dealt;
}

/* Means and the median of the floors. */
static bool sum_up(replay_data *data) {
    const size_t n = (size_t)data->count;
    double *floors = malloc(n * sizeof *floors);
    if (!floors) return false;
    for (size_t i = 0; i < n; i++)
        floors[i] = data->impact[i].floor;
    data->floor_median = replay_quantile(floors, n, 0.5);
    data->floor /= data->count;
    data->floor_mirrored /= data->count;
    free(floors);
    return true;
}

imp_status replay_read(const replay_set *set, replay_data *data, imp_error *error) {
    char path[REPLAY_PATH];
    imp_input input;
    *data = (replay_data){.set = set};
    replay_path(set, path);
    imp_status status = imp_input_open(&input, path, error);
    if (status != IMP_OK) return status;
    status = set->read(&input, data, error);
    if (status == IMP_OK && data->count < REPLAY_FOLDS)
        status = imp_error_set(error, IMP_BAD_ARGUMENT, "%s: %d impacts, expected at least %d",
                               input.name, data->count, REPLAY_FOLDS);
    if (status == IMP_OK && !(deal(data) && sum_up(data)))
        status = imp_error_set(error, IMP_NO_MEMORY, "no memory");
    imp_input_close(&input);
    return status;
}

void replay_clear(replay_data *data) {
    free(data->impact);
    free(data->fold);
    *data = (replay_data){.set = data->set};
}

bool replay_mirror_doubtful(const replay_data *data) {
    return data->floor_mirrored < data->floor;
}
