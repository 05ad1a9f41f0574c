/* flow.c - `impact flow`: a granular flow from a parameter file, with rows, pictures and
 * checkpoints. */
#include "cli/cli.h"
#include "base/clock.h"
#include "cli/flow_files.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A run: the flow, what it has counted since the last row, and what a terminal is told. */
typedef struct flow_run {
    const imp_flow *flow;
    imp_granular *g; /* on ranks: this one's part */
    /* what pictures and checkpoints show: g, or on ranks what the first has gathered */
    imp_granular *whole;
    FILE *out, *traffic;   /* of --traffic; NULL: not asked for */
    long long step, steps; /* done, and wanted */
    double penetration;    /* m, since the last row */
    long long inserted, deleted, lost, unsolved, rows;
    bool warned_lost, warned_step, told_bricks;
    bool terminal, shown;
    double shown_at, began; /* s, of the clock */
    long long began_work;   /* particle-steps */
    flow_pictures pictures;
    const char *name, *output; /* of the parameters, and of `out`, for messages */
    const options *asked;
    bool ended; /* before its time: a step has no answer */
} flow_run;

const imp_transport *flow_transport;

static bool is_first(void) {
    return !flow_transport || flow_transport->rank == 0;
}

/* Does any rank have a failure? The first tells of it. */
static imp_status agree(imp_status status, imp_error *error) {
    double failed = status != IMP_OK;
    if (!flow_transport) return status;
    flow_transport->reduce(flow_transport->context, 1, &failed, 0, NULL);
    if (failed > 0 && status == IMP_OK)
        status = imp_error_set(error, IMP_IO, "another rank has failed");
    return status;
}

static void clear_line(flow_run *r) {
    if (r->shown) fputs("\r\033[K", stderr);
    r->shown = false;
}

__attribute__((format(printf, 2, 3))) static void warn(flow_run *r, const char *format, ...) {
    char text[IMP_ERROR_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    clear_line(r);
    fprintf(stderr, "impact: warning: %s\n", text);
}

/* Once a second, on a terminal only. */
static void show_progress(flow_run *r) {
    if (!r->terminal || imp_seconds(CLOCK_MONOTONIC) - r->shown_at < 1) return;
    r->shown_at = imp_seconds(CLOCK_MONOTONIC);
    const double spent = imp_seconds(CLOCK_MONOTONIC) - r->began;
    const long long work = imp_granular_cost(r->g).particle_steps - r->began_work;
    const double rate = (double)work / spent,
                 left = (double)(r->steps - r->step) * imp_granular_count(r->g) / rate;
    char text[32];
    fprintf(stderr, "\r\033[K%.5f of %g s, %d particles, %.2g particle-steps/s, %s left",
            imp_granular_time(r->g), r->flow->until, imp_granular_count(r->g), rate,
            time_text(left, text));
    fflush(stderr);
    r->shown = true;
}

/* Steps too long and margins too small for the speeds, once each. */
static void check_step(flow_run *r, const imp_granular_report *report) {
    const imp_granular_settings *s = &r->flow->settings;
    const double way = report->fastest * s->step, radius = r->flow->inflow.radius;
    if (!r->warned_step && way > 0.2 * radius) {
        warn(r, "at %g s a particle moves %.2g of its radius in a step: shorten step",
             imp_granular_time(r->g), way / radius);
        r->warned_step = true;
    } else if (!r->warned_step && !s->look_ahead && s->margin < way) {
        warn(r,
             "margin %g m is less than a particle moves in a step (%.2g m): contacts are seen late",
             s->margin, way);
        r->warned_step = true;
    }
    if (!r->warned_lost && report->lost > 0) {
        warn(r, "at %g s %d particles are far outside the box and deleted", imp_granular_time(r->g),
             report->lost);
        r->warned_lost = true;
    }
}

static const imp_column columns[] = {IMP_NUMBERS("time", "s", 9),
                                     IMP_COUNTS("particles"),
                                     IMP_COUNTS("inserted"),
                                     IMP_COUNTS("deleted"),
                                     IMP_COUNTS("lost"),
                                     IMP_COUNTS("contacts"),
                                     IMP_COUNTS("touching"),
                                     IMP_COUNTS("close"),
                                     IMP_COUNTS("loaded"),
                                     IMP_NUMBERS("penetration", "m", 6),
                                     IMP_COUNTS("sweeps"),
                                     IMP_NUMBERS("residual", NULL, 6),
                                     IMP_NUMBERS("fastest", "m/s", 9),
                                     IMP_COLUMNS_END};

static void write_row(flow_run *r, const imp_granular_report *report) {
    imp_write_row(
        columns, r->out, IMP_NUMBER(imp_granular_time(r->g)), IMP_NUMBER(report->particles),
        IMP_NUMBER((double)r->inserted), IMP_NUMBER((double)r->deleted),
        IMP_NUMBER((double)r->lost), IMP_NUMBER(report->contacts), IMP_NUMBER(report->touching),
        IMP_NUMBER(report->close), IMP_NUMBER(report->loaded), IMP_NUMBER(r->penetration),
        IMP_NUMBER(report->sweeps), IMP_NUMBER(report->residual), IMP_NUMBER(report->fastest));
    fflush(r->out);
    r->rows++;
    r->inserted = r->deleted = r->lost = 0;
    r->penetration = 0;
}

static bool is_due(const flow_run *r, int every) {
    return every > 0 && r->step % every == 0;
}

/* The files of this step, by the first rank. */
static imp_status write_files(flow_run *r, imp_error *error) {
    const bool pictures = is_due(r, r->flow->vtk_every),
               checkpoint = is_due(r, r->flow->checkpoint_every);
    imp_status status = IMP_OK;
    if (!pictures && !checkpoint) return IMP_OK;
    if (flow_transport) status = imp_granular_gather(r->g, r->whole);
    if (status != IMP_OK) imp_error_set(error, status, "gathering: %s", imp_status_text(status));
    output_hold();
    if (status == IMP_OK && pictures && is_first())
        status = flow_write_pictures(r->asked, r->flow, r->whole, r->step, &r->pictures, error);
    if (status == IMP_OK && checkpoint && is_first())
        status = flow_write_checkpoint(r->flow, r->whole, &r->pictures, error);
    output_release();
    return agree(status, error);
}

static imp_status run_steps(flow_run *r, imp_error *error) {
    imp_status status = IMP_OK;
    while (status == IMP_OK && r->step < r->steps) {
        imp_granular_report report;
        const imp_status step = imp_granular_step(r->g, &report);
        if (step == IMP_NO_MEMORY && flow_transport)
            flow_transport->give_up(flow_transport->context, "no memory");
        r->ended = step < 0 && step != IMP_NO_MEMORY;
        if (step < 0)
            return imp_error_set(error, step, "%s: at %.9g s: %s%s", r->name,
                                 imp_granular_time(r->g), imp_status_text(step),
                                 step == IMP_NOT_FINITE ? ", expected a smaller step" : "");
        r->step++;
        if (!r->told_bricks && is_first()) {
            clear_line(r);
            flow_tell_bricks(r->name, r->flow, r->g);
        }
        r->told_bricks = true;
        r->unsolved += step > 0;
        r->inserted += report.inserted;
        r->deleted += report.deleted;
        r->lost += report.lost;
        r->penetration = fmax(r->penetration, report.penetration);
        check_step(r, &report);
        if (is_due(r, r->flow->rows_every)) {
            write_row(r, &report);
            if (ferror(r->out)) status = imp_error_system(error, r->output, "cannot be written");
            status = agree(status, error);
        }
        if (status == IMP_OK) status = write_files(r, error);
        show_progress(r);
    }
    return status;
}

/* Where the time went, for people. */
static void show_costs(flow_run *r) {
    const imp_granular_costs c = imp_granular_cost(r->g);
    clear_line(r);
    if (!r->terminal || c.steps == 0) return;
    fprintf(stderr,
            "%.1f s: lists %.1f, contacts %.1f, sweeps %.1f, motion %.1f; %.3g particle-steps/s, "
            "%.3g contact "
            "relaxations/s\n",
            imp_seconds(CLOCK_MONOTONIC) - r->began, c.list, c.detect, c.sweep, c.move,
            (double)c.particle_steps / (imp_seconds(CLOCK_MONOTONIC) - r->began),
            (double)c.relaxations / c.sweep);
}

/* The part of this rank of r->whole, in r->g. */
static bool take_part(flow_run *r) {
    imp_status status = IMP_OK;
    const imp_flow *flow = r->flow;
    const int *bricks = flow->settings.bricks;
    int grid[3] = {flow->ranks[0], flow->ranks[1], flow->ranks[2]};
    const bool chosen = grid[0] + grid[1] + grid[2] > 0;
    if (!chosen && !imp_granular_grid(&flow->settings, flow_transport->ranks, grid))
        return !complain_of("%d ranks make no grid with at most %d x %d x %d bricks, expected more "
                            "bricks or other ranks",
                            flow_transport->ranks, bricks[0], bricks[1], bricks[2]);
    r->g = imp_granular_part(r->whole, flow_transport, grid, &status);
    if (!r->g && status == IMP_BAD_ARGUMENT)
        complain_of("ranks: %d x %d x %d, expected a grid of %d", grid[0], grid[1], grid[2],
                    flow_transport->ranks);
    else if (!r->g)
        complain_of("no flow can be made: %s", imp_status_text(status));
    if (is_first()) return r->g;
    imp_granular_free(r->whole);
    r->whole = NULL;
    return r->g;
}

/* A flow that is already beyond its end would look like one that came to it. */
static bool comes_to_its_end(const flow_run *r) {
    const imp_flow *flow = r->flow;
    const double time = imp_granular_time(r->whole);
    return llround(time / flow->settings.step) <= r->steps ||
           !complain_of("%s: $.until: %.9g, expected at least the %.9g s of the checkpoint",
                        r->name, flow->until, time);
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

/* A row a rank, by the first. */
static void write_traffic(const flow_run *r) {
    const imp_transport *by = flow_transport;
    told_traffic own = {by->rank, imp_granular_traffic_of(r->g)};
    const imp_message one = {0, sizeof own, &own};
    imp_granular_traffic *all = is_first() ? malloc((size_t)by->ranks * sizeof *all) : NULL;
    if (is_first() && !all) by->give_up(by->context, "no memory");
    by->deliver(by->context, 1, &one, all, take_traffic);
    if (is_first()) imp_write_header(traffic_columns, r->traffic);
    for (int k = 0; all && k < by->ranks; k++)
        traffic_row(r->traffic, k, &all[k]);
    free(all);
}

/* By the first rank; the others have an output that nobody sees. */
static bool open_outputs(flow_run *r) {
    const options *o = r->asked;
    r->out = output_open(is_first() ? o->output : NULL);
    return r->out &&
           output_beside("--traffic", is_first() ? o->traffic : NULL, "a table", &r->traffic);
}

/* Rows are counted from the beginning of the flow, also where a checkpoint begins at `begin`. */
static void warn_of_no_row(flow_run *r, long long begin) {
    const int every = r->flow->rows_every;
    if (begin == 0)
        warn(r, "no row: the flow ends at step %lld, expected %d steps or more for each", r->steps,
             every);
    else
        warn(r,
             "no row: the flow goes on from step %lld and ends at step %lld, expected step %lld or "
             "later, one of every %d has a row",
             begin, r->steps, (begin / every + 1) * every, every);
}

/* The folder, where the output may lie, too, and which pictures in it the flow goes on with. */
static imp_status begin_files(flow_run *r, imp_error *error) {
    const imp_status status = flow_make_folder(r->asked, r->flow, error);
    if (status != IMP_OK || !r->asked->resume || !is_first()) return status;
    return flow_pictures_before(r->flow, r->step, &r->pictures, error);
}

static int run_flow(const options *o, const imp_flow *flow) {
    imp_error error;
    imp_status status;
    flow_run r = {.flow = flow,
                  .terminal = isatty(STDERR_FILENO) && is_first(),
                  .began = imp_seconds(CLOCK_MONOTONIC),
                  .shown_at = imp_seconds(CLOCK_MONOTONIC),
                  .name = strcmp(o->files[0], "-") == 0 ? "standard input" : o->files[0],
                  .output = o->output ? o->output : "standard output",
                  .asked = o};
    r.steps = llround(flow->until / flow->settings.step);
    int outcome;
    r.whole = flow_start(flow, r.name, o->resume);
    bool good = r.whole && comes_to_its_end(&r);
    if (good && flow_transport)
        good = take_part(&r);
    else
        r.g = r.whole;
    if (good) r.step = llround(imp_granular_time(r.g) / flow->settings.step);
    status = good ? begin_files(&r, &error) : IMP_OK;
    if (agree(status, &error) != IMP_OK) {
        complain(&error);
        good = false;
    }
    good = good && open_outputs(&r);
    if (agree(good ? IMP_OK : IMP_BAD_ARGUMENT, &error) == IMP_OK) {
        const long long begin = r.step;
        imp_write_header(columns, r.out);
        status = run_steps(&r, &error);
        show_costs(&r);
        if (o->traffic && (status == IMP_OK || r.ended)) write_traffic(&r);
        if (status == IMP_OK && r.unsolved > 0)
            warn(&r, "%lld steps ended above the tolerance", r.unsolved);
        if (status == IMP_OK && is_first() && flow->rows_every > 0 && r.rows == 0)
            warn_of_no_row(&r, begin);
        if (status != IMP_OK) complain(&error);
        outcome = status != IMP_OK && !r.ended
                      ? output_abandon()
                      : output_commit(r.ended || r.unsolved > 0 ? EXIT_UNSOLVED : EXIT_SOLVED);
    } else {
        outcome = output_abandon();
    }
    if (r.whole != r.g) imp_granular_free(r.whole);
    imp_granular_free(r.g);
    free(r.pictures.step);
    return outcome;
}

void wait_passively(char **argv) {
    /* by its name, which top and valgrind want to know */
    char program[PATH_MAX];
    if (getenv("OMP_WAIT_POLICY") || setenv("OMP_WAIT_POLICY", "passive", 1) != 0) return;
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length < 0) return;
    program[length] = '\0';
    execv(program, argv); /* returns where it cannot */
}

/* Is it empty once it has been read? */
static bool reads_once(const char *path) {
    struct stat about;
    if (strcmp(path, "-") == 0) return true;
    return stat(path, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode);
}

static int run(const command *self, int argc, char **argv) {
    options o;
    int outcome;
    imp_flow flow;
    imp_error error;
    if (options_read(self, argc, argv, &o, &outcome)) {
        const bool piped = reads_once(o.files[0]);
        const char *refusal = piped && flow_transport
                                  ? "parameters from standard input or a pipe, expected a file "
                                    "on ranks"
                              : o.traffic && !flow_transport
                                  ? "--traffic in one process, expected impact-mpi on ranks"
                                  : NULL;
        if (refusal) {
            outcome = complain_of("%s", refusal);
        } else if (agree(imp_flow_read(o.files[0], o.assign, &flow, &error), &error) == IMP_OK) {
            /* the program's name stands before argv */
            if (!piped && flow.settings.threads > 1) wait_passively(argv - 1);
            outcome = run_flow(&o, &flow);
        } else {
            outcome = complain(&error);
        }
    }
    options_free(&o);
    return outcome;
}

static const char *const option_names[] = {"set", "resume", "traffic", "output", NULL};

const command command_flow = {
    .name = "flow",
    .arguments = "[--set KEY=VALUE]... [--resume CHECKPOINT] [-o FILE] PARAMETERS",
    .summary = "run a granular flow of very many spheres",
    .options = option_names,
    .text =
        "KEY is a key of the parameter file, with points into objects: --set until=0.5 --set "
        "spheres.seed=2.\n"
        "One row per interval (output.rows_every steps), none for fewer at the end: counts of "
        "contacts at its end, each "
        "contact once, the\n"
        "deepest penetration (m) within it, the residual over |g| dt. In output.folder: pictures "
        "for ParaView\n"
        "(output.vtk_every) in particles.pvd, contacts.pvd and fields.pvd (means over squares of "
        "output.cell), and\n"
        "the checkpoint flow.check (output.checkpoint_every), from which --resume goes on bit for "
        "bit. Results do\n"
        "not depend on threads, nor on ranks (impact-mpi, docs/ranks.md; --traffic is for these).\n"
        "docs/formats-flow.md lists the keys, among them spheres.offset for an off-centre "
        "mass.\n",
    .files = 1,
    .tables = true,
    .run = run,
};
