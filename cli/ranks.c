/* ranks.c - `impact ranks`: what each rank of a grid would hold and send, counted in one
 * process. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

const imp_column traffic_columns[] = {
    IMP_COUNTS("rank"),   IMP_COUNTS("own"),        IMP_COUNTS("copies"),
    IMP_COUNTS("bricks"), IMP_COUNTS("neighbours"), IMP_COUNTS("messages"),
    IMP_COUNTS("bodies"), IMP_COUNTS("bytes"),      IMP_COUNTS("most_messages"),
    IMP_COUNTS("lists"),  IMP_COUNTS("moved"),      IMP_COUNTS("moved_bytes"),
    IMP_COLUMNS_END};

void traffic_row(FILE *out, int rank, const imp_granular_traffic *t) {
    imp_write_row(traffic_columns, out, IMP_NUMBER(rank), IMP_NUMBER(t->own), IMP_NUMBER(t->copies),
                  IMP_NUMBER(t->bricks), IMP_NUMBER(t->neighbours), IMP_NUMBER(t->messages),
                  IMP_NUMBER(t->bodies), IMP_NUMBER((double)t->bytes), IMP_NUMBER(t->most_messages),
                  IMP_NUMBER((double)t->lists), IMP_NUMBER((double)t->moved),
                  IMP_NUMBER((double)t->moved_bytes));
}

/* One row for each rank of the grid. */
static imp_status write_rows(FILE *out, const imp_granular *whole, const int grid[3]) {
    imp_transport none = {.ranks = grid[0] * grid[1] * grid[2]};
    imp_status status = IMP_OK;
    imp_write_header(traffic_columns, out);
    for (none.rank = 0; status == IMP_OK && none.rank < none.ranks; none.rank++) {
        imp_granular *part = imp_granular_part(whole, &none, grid, &status);
        if (!part) break;
        const imp_granular_traffic t = imp_granular_traffic_of(part);
        traffic_row(out, none.rank, &t);
        imp_granular_free(part);
    }
    return status;
}

static int count(const options *o, const imp_flow *flow) {
    const int *grid = flow->ranks;
    for (int c = 0; c < 3; c++)
        if (grid[c] < 1 || grid[c] > 10000)
            return complain_of("no grid of ranks, expected --set ranks=[16,10,4]");
    if ((double)grid[0] * grid[1] * grid[2] > 1e6)
        return complain_of("more than 1e6 ranks, expected fewer");
    imp_granular *whole = flow_start(flow, o->files[0], o->resume);
    if (!whole) return EXIT_BAD;
    int outcome = EXIT_BAD;
    /* a checkpoint has its list */
    imp_status status = o->resume ? IMP_OK : imp_granular_step(whole, NULL);
    FILE *out = status < 0 ? NULL : output_open(o->output);
    if (out && imp_granular_count(whole) > 0) flow_tell_bricks(o->files[0], flow, whole);
    if (status < 0) complain_of("%s: %s", o->files[0], imp_status_text(status));
    if (out && (status = write_rows(out, whole, grid)) == IMP_OK) {
        outcome = output_commit(EXIT_SOLVED);
    } else if (out) {
        complain_of("%s", imp_status_text(status));
        outcome = output_abandon();
    }
    imp_granular_free(whole);
    return outcome;
}

static int run(const command *self, int argc, char **argv) {
    options o;
    int outcome;
    imp_flow flow;
    imp_error error;
    if (options_read(self, argc, argv, &o, &outcome))
        outcome = imp_flow_read(o.files[0], o.assign, &flow, &error) == IMP_OK ? count(&o, &flow)
                                                                               : complain(&error);
    options_free(&o);
    return outcome;
}

static const char *const option_names[] = {"set", "resume", "output", NULL};

const command command_ranks = {
    .name = "ranks",
    .arguments = "[--set KEY=VALUE]... [--resume CHECKPOINT] [-o FILE] PARAMETERS",
    .summary = "what each rank of a granular flow would hold and send",
    .options = option_names,
    .text = "No ranks are needed: the flow is cut in this process into the grid `ranks` of the "
            "parameters, with `bricks`\n"
            "at least as fine, a grid cell each at least: --set ranks=[16,10,4] --set "
            "bricks=[32,20,8]. One row per rank: its "
            "particles, copies of\n"
            "others', bricks; ranks it sends to; messages, bodies and bytes it sends in one sweep "
            "over all parities of\n"
            "bricks, and messages after one parity at most. impact-mpi flow --traffic counts the "
            "same in a run, there\n"
            "also neighbour lists made and what was sent for them.\n",
    .files = 1,
    .tables = true,
    .run = run,
};
