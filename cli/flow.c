/* flow.c - `impact flow`: a granular flow from a parameter file, with rows, pictures and
 * checkpoints. */
#include "cli/cli.h"
#include "base/clock.h"
#include "cli/flow_files.h"
#include "cli/flow_ranks.h"

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
    warn_of("%s", text);
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

/* The row and the files of this step, by the first rank; false after a complaint. */
static bool write_step(flow_run *r, const imp_granular_report *report) {
    const bool row = is_due(r, r->flow->rows_every), pictures = is_due(r, r->flow->vtk_every),
               checkpoint = is_due(r, r->flow->checkpoint_every);
    imp_error error;
    imp_status status = IMP_OK;
    if (!row && !pictures && !checkpoint) return true;
    if (row) write_row(r, report);
    if (ferror(r->out)) status = imp_error_system(&error, r->output, "cannot be written");
    if (flow_transport && (pictures || checkpoint)) {
        const imp_status gathered = imp_granular_gather(r->g, r->whole);
        if (gathered != IMP_OK)
            status = imp_error_set(&error, gathered, "gathering: %s", imp_status_text(gathered));
    }
    output_hold();
    if (status == IMP_OK && pictures && flow_on_first())
        status = flow_write_pictures(r->asked, r->flow, r->whole, r->step, &r->pictures, &error);
    if (status == IMP_OK && checkpoint && flow_on_first())
        status = flow_write_checkpoint(r->flow, r->whole, &r->pictures, &error);
    output_release();
    if (status != IMP_OK) {
        clear_line(r);
        complain(&error);
    }
    return flow_agree(status == IMP_OK);
}

/* false after a complaint. */
static bool run_steps(flow_run *r) {
    bool good = true;
    while (good && r->step < r->steps) {
        imp_granular_report report;
        const imp_status step = imp_granular_step(r->g, &report);
        if (step == IMP_NO_MEMORY && flow_transport)
            flow_transport->give_up(flow_transport->context, "no memory");
        r->ended = step < 0 && step != IMP_NO_MEMORY;
        if (step < 0) {
            clear_line(r);
            return !complain_of("%s: at %.9g s: %s%s", r->name, imp_granular_time(r->g),
                                imp_status_text(step),
                                step == IMP_NOT_FINITE ? ", expected a smaller step" : "");
        }
        r->step++;
        if (!r->told_bricks && report.particles > 0) {
            clear_line(r);
            flow_tell_bricks(r->name, r->flow, r->g);
            r->told_bricks = true;
        }
        r->unsolved += step > 0;
        r->inserted += report.inserted;
        r->deleted += report.deleted;
        r->lost += report.lost;
        r->penetration = fmax(r->penetration, report.penetration);
        check_step(r, &report);
        good = write_step(r, &report);
        show_progress(r);
    }
    return good;
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

/* A flow that is already beyond its end would look like one that came to it. */
static bool comes_to_its_end(const flow_run *r) {
    const imp_flow *flow = r->flow;
    const double time = imp_granular_time(r->whole);
    return llround(time / flow->settings.step) <= r->steps ||
           !complain_of("%s: $.until: %.9g, expected at least the %.9g s of the checkpoint",
                        r->name, flow->until, time);
}

/* By the first rank; the others have an output that nobody sees. */
static bool open_outputs(flow_run *r) {
    const options *o = r->asked;
    r->out = output_open(flow_on_first() ? o->output : NULL);
    return r->out &&
           output_beside("--traffic", flow_on_first() ? o->traffic : NULL, "a table", &r->traffic);
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

/* The folder, where the output may lie, too, and which pictures in it the flow goes on with: by the
 * first rank, as the files. */
static imp_status begin_files(flow_run *r, imp_error *error) {
    if (!flow_on_first()) return IMP_OK;
    const imp_status status = flow_make_folder(r->asked, r->flow, error);
    if (status != IMP_OK || !r->asked->resume) return status;
    return flow_pictures_before(r->flow, r->step, &r->pictures, error);
}

/* What is needed before the first step. false after a complaint. */
static bool begin(flow_run *r) {
    imp_error error;
    r->g = flow_transport ? flow_part(r->flow, r->whole) : r->whole;
    if (!flow_on_first()) {
        imp_granular_free(r->whole);
        r->whole = NULL;
    }
    if (!r->g) return false;
    r->step = llround(imp_granular_time(r->g) / r->flow->settings.step);
    if (begin_files(r, &error) != IMP_OK) return !complain(&error);
    return open_outputs(r);
}

/* From the first step to the last. Returns how the program ends. */
static int go_on(flow_run *r) {
    const long long begin = r->step;
    imp_write_header(columns, r->out);
    const bool good = run_steps(r);
    show_costs(r);
    if (flow_transport && (good || r->ended)) flow_write_traffic(r->traffic, r->g);
    if (good && r->unsolved > 0) warn(r, "%lld steps ended above the tolerance", r->unsolved);
    if (good && r->flow->rows_every > 0 && r->rows == 0) warn_of_no_row(r, begin);
    return good || r->ended
               ? output_commit(r->ended || r->unsolved > 0 ? EXIT_UNSOLVED : EXIT_SOLVED)
               : output_abandon();
}

static int run_flow(const options *o, const imp_flow *flow) {
    flow_run r = {.flow = flow,
                  .terminal = isatty(STDERR_FILENO) && flow_on_first(),
                  .began = imp_seconds(CLOCK_MONOTONIC),
                  .shown_at = imp_seconds(CLOCK_MONOTONIC),
                  .name = strcmp(o->files[0], "-") == 0 ? "standard input" : o->files[0],
                  .output = o->output ? o->output : "standard output",
                  .asked = o};
    r.steps = llround(flow->until / flow->settings.step);
    r.whole = flow_start(flow, r.name, o->resume);
    const bool reaches = r.whole && comes_to_its_end(&r),
               alike = flow_begin_alike(flow, r.name, o->resume, reaches ? r.whole : NULL),
               begun = alike && flow_agree(begin(&r));
    const int outcome = begun ? go_on(&r) : output_abandon();
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

/* false after a complaint. */
static bool read_flow(const options *o, imp_flow *flow) {
    imp_error error;
    if (flow_transport && reads_once(o->files[0]))
        return !complain_of("parameters from standard input or a pipe, expected a file on ranks");
    if (o->traffic && !flow_transport)
        return !complain_of("--traffic in one process, expected impact-mpi on ranks");
    return imp_flow_read(o->files[0], o->assign, flow, &error) == IMP_OK || !complain(&error);
}

static int run(const command *self, int argc, char **argv) {
    options o;
    int outcome;
    imp_flow flow = {0};
    const bool asked = options_read(self, argc, argv, &o, &outcome);
    if (flow_agree(asked && read_flow(&o, &flow))) {
        /* the program's name stands before argv */
        if (!reads_once(o.files[0]) && flow.settings.threads > 1) wait_passively(argv - 1);
        outcome = run_flow(&o, &flow);
    } else if (asked) {
        outcome = EXIT_BAD;
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
