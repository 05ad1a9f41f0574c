/* flow_ranks.c - a granular flow on its ranks. */
#include "cli/flow_ranks.h"

#include <stdlib.h>
#include <string.h>

const imp_transport *flow_transport;

bool flow_on_first(void) {
    return !flow_transport || flow_transport->rank == 0;
}

bool flow_agree(bool good) {
    const imp_transport *by = flow_transport;
    if (!by) return good;
    const double own = good ? 0 : by->ranks - by->rank;
    double most = own;
    by->reduce(by->context, 1, &most, 0, NULL);
    if (!good && own == most && by->rank > 0) complain_as(by->rank);
    return most == 0;
}

/* What a double holds of a sum. */
static double rounded(uint64_t sum) {
    return (double)(sum >> 11);
}

bool flow_begin_alike(const imp_flow *flow, const char *name, const char *checkpoint,
                      const imp_granular *whole) {
    const imp_transport *by = flow_transport;
    bool good = whole != NULL;
    if (!by) return good;
    enum { PARAMETERS, STATE, SUMS };
    const double own[SUMS] = {rounded(flow->sum), good ? rounded(imp_granular_sum(whole)) : 0};
    double first[SUMS] = {0};
    if (by->rank == 0) memcpy(first, own, sizeof first);
    by->reduce(by->context, SUMS, first, 0, NULL);
    if (good && own[PARAMETERS] != first[PARAMETERS])
        good = !complain_of("%s: other parameters than on rank 0, expected the same on all ranks",
                            name);
    else if (good && own[STATE] != first[STATE])
        good = !complain_of("%s%s: another flow than rank 0 begins with, expected the same "
                            "checkpoint on all ranks",
                            checkpoint ? "--resume " : "", checkpoint ? checkpoint : name);
    return flow_agree(good);
}

imp_granular *flow_part(const imp_flow *flow, const imp_granular *whole) {
    imp_status status;
    const int *bricks = flow->settings.bricks, ranks = flow_transport->ranks;
    int grid[3] = {flow->ranks[0], flow->ranks[1], flow->ranks[2]};
    const bool chosen = grid[0] + grid[1] + grid[2] > 0;
    if (!chosen && !imp_granular_grid(&flow->settings, ranks, grid)) {
        complain_of("%d ranks make no grid with at most %d x %d x %d bricks, expected more "
                    "bricks or other ranks",
                    ranks, bricks[0], bricks[1], bricks[2]);
        return NULL;
    }
    imp_granular *part = imp_granular_part(whole, flow_transport, grid, &status);
    if (!part && status == IMP_BAD_ARGUMENT)
        complain_of("ranks: %d x %d x %d, expected a grid of %d", grid[0], grid[1], grid[2], ranks);
    else if (!part)
        complain_of("no flow can be made: %s", imp_status_text(status));
    return part;
}

/* What a rank tells the first. */
typedef struct told_traffic {
    int rank;
    imp_granular_traffic traffic;
} told_traffic;

static bool take_traffic(void *all, const void *data, size_t size) {
    told_traffic one;
    memcpy(&one, data, size);
    ((imp_granular_traffic *)all)[one.rank] = one.traffic;
    return true;
}

void flow_write_traffic(FILE *out, const imp_granular *part) {
    const imp_transport *by = flow_transport;
    told_traffic own = {by->rank, imp_granular_traffic_of(part)};
    const imp_message one = {0, sizeof own, &own};
    imp_granular_traffic *all = by->rank == 0 ? malloc((size_t)by->ranks * sizeof *all) : NULL;
    if (by->rank == 0 && !all) by->give_up(by->context, "no memory");
    by->deliver(by->context, 1, &one, all, take_traffic);
    if (out) imp_write_header(traffic_columns, out);
    for (int k = 0; out && k < by->ranks; k++)
        traffic_row(out, k, &all[k]);
    free(all);
}
