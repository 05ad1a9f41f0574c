/* simulation.c - the tables of `simulate`, its pictures and progress. */
#include "cli/simulation.h"
#include "base/clock.h"
#include "base/vec3.h"
#include "cli/pictures.h"
#include "scene/scene.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Table, bodies, contacts, pictures; and the most parts that a run is kept in. */
enum { SHEETS = 4, MOST_PARTS = 100000 };

static const imp_column columns[] = {
    IMP_NUMBERS("time", "s", 15),    IMP_WORDS("event"),
    IMP_COUNTS("contacts"),          IMP_WORDS("status"),
    IMP_COUNTS("iterations"),        IMP_NUMBERS("residual", NULL, 3),
    IMP_NUMBERS("lost", "J", 12),    IMP_NUMBERS("rubbed", "J", 12),
    IMP_NUMBERS("kinetic", "J", 12), IMP_NUMBERS("energy", "J", 12),
    IMP_NUMBERS("drift", NULL, 3),   IMP_COLUMNS_END};

static const imp_column body_columns[] = {IMP_NUMBERS("time", "s", 15),
                                          IMP_WORDS("body"),
                                          IMP_COUNTS("x"),
                                          IMP_COUNTS("y"),
                                          IMP_COUNTS("z"),
                                          IMP_COUNTS("qw"),
                                          IMP_COUNTS("qx"),
                                          IMP_COUNTS("qy"),
                                          IMP_COUNTS("qz"),
                                          IMP_COUNTS("vx"),
                                          IMP_COUNTS("vy"),
                                          IMP_COUNTS("vz"),
                                          IMP_COUNTS("wx"),
                                          IMP_COUNTS("wy"),
                                          IMP_COUNTS("wz"),
                                          IMP_COLUMNS_END};

static const imp_column contact_columns[] = {
    IMP_NUMBERS("time", "s", 15), IMP_WORDS("a"),       IMP_WORDS("b"), IMP_COUNTS("gap"),
    IMP_AXES("p", "N s"),         IMP_AXES("u", "m/s"), IMP_COLUMNS_END};

simulation simulation_of(const options *o) {
    return (simulation){.began = imp_seconds(CLOCK_MONOTONIC),
                        .terminal = isatty(STDERR_FILENO),
                        .asked = o,
                        .every = o->every > 0 ? (long)o->every : 1};
}

/* Of this run, which writes what it writes. false without memory. */
static bool title_of(const options *o, const scene_file *file, int variant, char title[80]) {
    char numbers[80];
    snprintf(numbers, sizeof numbers, "%d %.17g %d %d %d", variant, o->every, o->bodies != NULL,
             o->contacts != NULL, o->vtk != NULL);
    return kept_title("simulate", file->root, numbers, o, o->models, title);
}

static FILE **sheet(simulation *r, int k) {
    FILE **const all[SHEETS] = {&r->table, &r->bodies, &r->contacts, &r->draft};
    return all[k];
}

/* Rows go to temporary files from here on: a stream in memory does not remember what it lost. */
static bool begin_part(simulation *r) {
    bool good = true;
    for (int k = 0; k < SHEETS; k++) {
        if (!r->whole[k]) continue;
        *sheet(r, k) = good ? tmpfile() : NULL;
        good = good && *sheet(r, k);
    }
    return good || (complain_of("no memory, or no temporary file, for a part"), false);
}

static void drop_part(simulation *r) {
    for (int k = 0; k < SHEETS; k++) {
        if (r->whole[k] && *sheet(r, k)) fclose(*sheet(r, k));
        *sheet(r, k) = NULL;
        free(r->bytes[k]);
        r->bytes[k] = NULL;
    }
}

bool simulation_open(const options *o, const scene_file *file, int variant, simulation *r) {
    imp_error error;
    char title[80];
    r->name = file->name;
    /* rows as they come, but for files beside them that may not be writable to their end */
    const bool beside = o->bodies || o->contacts || o->vtk;
    r->table = beside ? output_open_whole(o->output) : output_open(o->output);
    if (!r->table || !output_beside("--bodies", o->bodies, "a table", &r->bodies) ||
        !output_beside("--contacts", o->contacts, "a table", &r->contacts))
        return false;
    if (o->vtk &&
        (output_folder_try(o->vtk, &error) != IMP_OK || pictures_apart(o, &error) != IMP_OK))
        return complain(&error), false;
    if (o->vtk && !(r->draft = tmpfile())) {
        imp_error_system(&error, "temporary file", "cannot be written");
        return complain(&error), false;
    }
    if (o->keep && !title_of(o, file, variant, title)) return complain_of("no memory"), false;
    r->kept = o->keep ? kept_open(o->keep, title, MOST_PARTS, &error) : NULL;
    if (o->keep && !r->kept) return complain(&error), false;
    imp_write_header(columns, r->table);
    if (r->bodies) imp_write_header(body_columns, r->bodies);
    if (r->contacts) imp_write_header(contact_columns, r->contacts);
    if (!r->kept) return true;
    r->unsolved = kept_unsolved(r->kept);
    for (int k = 0; k < SHEETS; k++)
        r->whole[k] = *sheet(r, k);
    return begin_part(r);
}

/* A part is this head, its state and its sheets behind each other. */
typedef struct part {
    long steps;
    double lost, rubbed; /* J */
    size_t length[1 + SHEETS];
} part;

/* The k-th part; what is behind its head is returned. NULL with an error: IMP_IO, IMP_NO_MEMORY. */
static const char *read_part(const simulation *r, long k, part *p, imp_error *error) {
    size_t length;
    const char *bytes = kept_read(r->kept, k, &length, error);
    if (!bytes) return NULL;
    bool whole = length >= sizeof *p;
    if (whole) memcpy(p, bytes, sizeof *p);
    size_t left = whole ? length - sizeof *p : 0;
    for (int i = 0; whole && i < 1 + SHEETS; left -= p->length[i++])
        whole = p->length[i] <= left;
    whole = whole && left == 0 && p->steps >= 0 && p->steps <= LONG_MAX / 2 && isfinite(p->lost) &&
            isfinite(p->rubbed);
    if (whole) return bytes + sizeof *p;
    imp_error_set(error, IMP_IO, "%s: what is kept cannot be read: part %ld is none of this build",
                  r->asked->keep, k);
    return NULL;
}

/* A temporary file of these bytes, at its beginning. */
static FILE *file_of(const char *bytes, size_t length, imp_error *error) {
    FILE *file = tmpfile();
    if (file && fwrite(bytes, 1, length, file) == length && fseeko(file, 0, SEEK_SET) == 0)
        return file;
    imp_error_system(error, "temporary file", "cannot be written");
    if (file) fclose(file);
    return NULL;
}

imp_status simulation_resume(simulation *r, simulation_state load, void *context, bool *resumed,
                             imp_error *error) {
    part p;
    *resumed = false;
    while (r->kept && r->parts < MOST_PARTS && kept_has(r->kept, r->parts))
        r->parts++;
    if (r->parts == 0) return IMP_OK;
    const char *bytes = read_part(r, r->parts - 1, &p, error);
    FILE *state = bytes ? file_of(bytes, p.length[0], error) : NULL;
    if (!state) return error->status;
    const imp_status status = load(context, state);
    fclose(state);
    r->steps = p.steps;
    r->lost = p.lost;
    r->rubbed = p.rubbed;
    *resumed = status == IMP_OK;
    return status == IMP_NO_MEMORY ? imp_error_set(error, status, "no memory")
           : status != IMP_OK
               ? imp_error_set(error, status,
                               "%s: what is kept cannot be read: part %ld ends in no state of this "
                               "run, expected a new file or one that it wrote",
                               r->asked->keep, r->parts - 1)
               : IMP_OK;
}

bool simulation_keeps(const simulation *r) {
    return r->kept && r->parts < MOST_PARTS;
}

/* The bytes of a temporary file, which is closed; NULL: some are lost, or there is no memory. */
static char *take_all(FILE *from, size_t *length) {
    const bool whole = fflush(from) == 0 && !ferror(from);
    const off_t end = ftello(from);
    char *bytes = whole && end >= 0 ? malloc((size_t)end + 1) : NULL;
    *length = (size_t)end;
    rewind(from);
    if (bytes && fread(bytes, 1, *length, from) != *length) {
        free(bytes);
        bytes = NULL;
    }
    fclose(from);
    return bytes;
}

/* Its head, its state and its sheets behind each other; NULL: no memory. */
static char *join_part(const simulation *r, const part *p, const char *state, size_t *length) {
    *length = sizeof *p + p->length[0];
    for (int k = 0; k < SHEETS; k++)
        *length += p->length[1 + k];
    char *all = malloc(*length), *next = all;
    if (!all) return NULL;
    next = (char *)mempcpy(next, p, sizeof *p);
    next = (char *)mempcpy(next, state, p->length[0]);
    for (int k = 0; k < SHEETS; k++)
        if (r->whole[k]) next = (char *)mempcpy(next, r->bytes[k], p->length[1 + k]);
    return all;
}

bool simulation_keep(simulation *r, bool unsolved, simulation_state save, void *context) {
    part p = {.steps = r->steps, .lost = r->lost, .rubbed = r->rubbed};
    imp_error error = {.status = IMP_OK};
    char *state = NULL, *all = NULL;
    size_t length = 0;
    FILE *out = tmpfile();
    bool good = out != NULL;
    if (out) {
        good = save(context, out) == IMP_OK;
        state = take_all(out, &p.length[0]);
        good = good && state;
    }
    for (int k = 0; k < SHEETS; k++)
        if (r->whole[k]) {
            r->bytes[k] = take_all(*sheet(r, k), &p.length[1 + k]);
            good = good && r->bytes[k];
            *sheet(r, k) = NULL;
        }
    if (good) all = join_part(r, &p, state, &length);
    if (!all) imp_error_set(&error, IMP_NO_MEMORY, "no memory, or no temporary file, for a part");
    r->unsolved = r->unsolved || unsolved;
    if (error.status == IMP_OK)
        kept_add(r->kept, r->parts++, unsolved ? IMP_NOT_CONVERGED : IMP_OK, all, length, &error);
    free(state);
    free(all);
    drop_part(r);
    if (error.status != IMP_OK) return complain(&error), false;
    return begin_part(r);
}

/* The sheets of all parts into their files. */
static imp_status write_parts(simulation *r, imp_error *error) {
    for (long i = 0; i < r->parts; i++) {
        part p;
        const char *bytes = read_part(r, i, &p, error);
        if (!bytes) return error->status;
        bytes += p.length[0];
        for (int k = 0; k < SHEETS; k++) {
            if (r->whole[k]) fwrite(bytes, 1, p.length[1 + k], r->whole[k]);
            bytes += p.length[1 + k];
        }
    }
    return IMP_OK;
}

/* What came behind the last part, where the run ended before its time. */
static imp_status write_rest(simulation *r, imp_error *error) {
    for (int k = 0; k < SHEETS; k++) {
        size_t length;
        if (!r->whole[k] || !*sheet(r, k)) continue;
        char *bytes = take_all(*sheet(r, k), &length);
        *sheet(r, k) = NULL;
        if (!bytes)
            return imp_error_set(error, IMP_NO_MEMORY, "no memory, or no temporary file, for rows");
        fwrite(bytes, 1, length, r->whole[k]);
        free(bytes);
    }
    return IMP_OK;
}

/* Back from memory to the files. */
static int gather(simulation *r, int outcome) {
    imp_error error;
    if (outcome != EXIT_BAD &&
        (write_parts(r, &error) != IMP_OK || write_rest(r, &error) != IMP_OK))
        outcome = complain(&error);
    drop_part(r);
    for (int k = 0; k < SHEETS; k++)
        *sheet(r, k) = r->whole[k];
    kept_close(r->kept);
    return outcome == EXIT_SOLVED && r->unsolved ? EXIT_UNSOLVED : outcome;
}

int simulation_close(simulation *r, int outcome) {
    imp_error error;
    if (r->shown) fputs("\r\033[K", stderr);
    output_hold();
    if (r->kept) outcome = gather(r, outcome);
    if (outcome != EXIT_BAD && !output_written()) outcome = EXIT_BAD;
    if (outcome != EXIT_BAD && r->draft && pictures_write(r->asked, r->draft, &error) != IMP_OK)
        outcome = output_interrupted() ? EXIT_BAD : complain(&error);
    if (r->draft) fclose(r->draft);
    outcome = outcome == EXIT_BAD ? output_abandon() : output_commit(outcome);
    output_release();
    return outcome;
}

void simulation_write(simulation *r, const simulation_row *row) {
    imp_write_row(columns, r->table, IMP_NUMBER(row->time), IMP_TEXT(row->event),
                  IMP_NUMBER(row->contacts), IMP_TEXT(imp_status_text(row->status)),
                  IMP_NUMBER(row->iterations), IMP_NUMBER(row->residual), IMP_NUMBER(r->lost),
                  IMP_NUMBER(r->rubbed), IMP_NUMBER(row->kinetic), IMP_NUMBER(row->energy),
                  IMP_NUMBER(row->drift));
    r->lost = r->rubbed = 0;
}

void simulation_show(simulation *r, double t) {
    const double now = imp_seconds(CLOCK_MONOTONIC);
    r->steps++;
    if (!r->terminal || now - r->shown_at < 1) return;
    const double spent = now - r->began;
    r->shown_at = now;
    r->shown = true;
    char text[32];
    fprintf(stderr, "\r\033[K%.6g of %g s, %ld steps, %.3g steps/s, %s left", t, r->until, r->steps,
            (double)r->steps / spent, time_text(t > 0 ? spent * (r->until - t) / t : 0, text));
}

const char *simulation_name(const simulation *r, int link, char room[24]) {
    if (link == IMP_GROUND) return "ground";
    if (link < r->named) return r->names[link];
    snprintf(room, 24, "%d", link);
    return room;
}

void simulation_begin(simulation *r, double t) {
    picture_begin(r->draft, t);
}

void simulation_body(simulation *r, double t, int link, const imp_link_state *s) {
    double q[4];
    char room[24];
    picture_body(r->draft, link, s);
    if (!r->bodies) return;
    quaternion3(s->rotation, q);
    imp_write_row(body_columns, r->bodies, IMP_NUMBER(t), IMP_TEXT(simulation_name(r, link, room)),
                  IMP_VECTOR(s->origin), IMP_NUMBER(q[0]), IMP_VECTOR(q + 1),
                  IMP_VECTOR(s->velocity), IMP_VECTOR(s->spin));
}

void simulation_contact(simulation *r, double t, const imp_contact *c, double gap,
                        const double p[3], const double u[3]) {
    char a[24], b[24];
    picture_contact(r->draft, c, gap, p, u);
    if (!r->contacts) return;
    imp_write_row(contact_columns, r->contacts, IMP_NUMBER(t),
                  IMP_TEXT(simulation_name(r, c->a, a)), IMP_TEXT(simulation_name(r, c->b, b)),
                  IMP_NUMBER(gap), IMP_VECTOR(p), IMP_VECTOR(u));
}
