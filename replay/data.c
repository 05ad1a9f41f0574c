/* data.c - the sets of recordings: where they are, and what is read of them. */
#include "replay/replay.h"

#include "generators/gen.h"
#include "io/stream.h"

#include <stdlib.h>
#include <unistd.h>

const replay_set replay_sets[] = {
    {.name = "ellipse",
     .file = "ellipse_impacts.csv",
     .mirrored = true,
     .mass = 0.0364,
     .gyration = 0.0192,
     .up = 1,
     .read = replay_read_rows},
    {.name = "cube",
     .file = "cube_toss_all.f32",
     .tag = "CUBE0001",
     .mass = 0.37,
     .gyration = 0.0467886, /* of 0.00081 kg m^2 */
     .half = 0.0524,
     .corners = 8,
     .up = 2,
     .period = 1.0 / 148,
     .read = replay_read_motions},
    {.name = "square",
     .file = "square_drop_all.f32",
     .tag = "SQRD0001",
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
    snprintf(path, REPLAY_PATH, "%s/real/%s", data && *data ? data : "../shared/data", set->file);
}

bool replay_there(const replay_set *set) {
    char path[REPLAY_PATH];
    replay_path(set, path);
    return access(path, F_OK) == 0;
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
    data->floor /= data->count;
    data->floor_mirrored /= data->count;
    if (status == IMP_OK && !deal(data)) status = imp_error_set(error, IMP_NO_MEMORY, "no memory");
    imp_input_close(&input);
    return status;
}

void replay_clear(replay_data *data) {
    free(data->impact);
    free(data->fold);
    *data = (replay_data){.set = data->set};
}
