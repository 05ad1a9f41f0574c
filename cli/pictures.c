/* pictures.c - pictures of a scene: records of numbers in the draft, fields of points in the
 * files. */
#include "cli/pictures.h"
#include "base/vec3.h"
#include "cli/cli.h"
#include "io/vtk.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A record: what it is, then its numbers. */
enum { PICTURE, BODY, CONTACT, KINDS, WIDTH = 15, MOST_FIELDS = 7 };

/* Of bodies and contacts: names and components, in the order of the record. */
static const struct {
    const char *name;
    int components;
} known[KINDS][MOST_FIELDS] = {
    [BODY] = {{"position", 3}, {"orientation", 4}, {"velocity", 3}, {"spin", 3}, {"number", 1}},
    [CONTACT] = {{"position", 3}, {"normal", 3}, {"gap", 1}, {"impulse", 3}, {"velocity", 3}}};
static const char *const file_of[KINDS] = {[BODY] = "bodies", [CONTACT] = "contacts"};

static void put(FILE *draft, int kind, const double *x, size_t count) {
    double record[WIDTH] = {kind};
    memcpy(record + 1, x, count * sizeof *x);
    if (draft) fwrite(record, sizeof record, 1, draft);
}

void picture_begin(FILE *draft, double t) {
    put(draft, PICTURE, &t, 1);
}

void picture_body(FILE *draft, int number, const imp_link_state *state) {
    double x[14];
    memcpy(x, state->origin, sizeof state->origin);
    quaternion3(state->rotation, x + 3);
    memcpy(x + 7, state->velocity, sizeof state->velocity);
    memcpy(x + 10, state->spin, sizeof state->spin);
    x[13] = number;
    put(draft, BODY, x, 14);
}

void picture_contact(FILE *draft, const imp_contact *c, double gap, const double p[3],
                     const double u[3]) {
    double x[13];
    memcpy(x, c->point, sizeof c->point);
    memcpy(x + 3, c->frame, 3 * sizeof *x);
    x[6] = gap;
    apply3_transposed(c->frame, p, x + 7);
    apply3_transposed(c->frame, u, x + 10);
    put(draft, CONTACT, x, 13);
}

/* The files so far, and the points of the picture that is being read. */
typedef struct album {
    const options *asked;
    int pictures, room;
    double *time;
    char **name[KINDS];
    double *point[KINDS]; /* records without their kind */
    int count[KINDS], points[KINDS];
} album;

static bool add_point(album *a, int kind, const double *x) {
    if (a->count[kind] == a->points[kind]) {
        const int room = a->points[kind] ? 2 * a->points[kind] : 16;
        double *more = realloc(a->point[kind], (size_t)room * (WIDTH - 1) * sizeof *more);
        if (!more) return false;
        a->point[kind] = more;
        a->points[kind] = room;
    }
    memcpy(a->point[kind] + (size_t)a->count[kind]++ * (WIDTH - 1), x, (WIDTH - 1) * sizeof *x);
    return true;
}

static char *path_of(const album *a, const char *name) {
    char *path = NULL;
    return asprintf(&path, "%s/%s", a->asked->vtk, name) < 0 ? NULL : path;
}

/* One kind of points of the picture into the file of that name. */
static imp_status write_points(const album *a, int kind, const char *name, imp_error *error) {
    imp_vtk_field fields[MOST_FIELDS];
    const size_t n = (size_t)a->count[kind];
    double *all = malloc((n * (WIDTH - 1) + 1) * sizeof *all), *next = all;
    char *path = path_of(a, name);
    int count = 0, from = 0;
    for (; all && count < MOST_FIELDS && known[kind][count].name; count++) {
        const int size = known[kind][count].components;
        fields[count] = (imp_vtk_field){known[kind][count].name, size, next};
        for (size_t i = 0; i < n; i++, next += size)
            memcpy(next, a->point[kind] + i * (WIDTH - 1) + from, (size_t)size * sizeof *next);
        from += size;
    }
    imp_status status = all && path ? options_apart(a->asked, path, error)
                                    : imp_error_set(error, IMP_NO_MEMORY, "no memory");
    if (status == IMP_OK) status = imp_vtk_points(path, (int)n, fields, count, error);
    free(path);
    free(all);
    return status;
}

static bool make_room(album *a) {
    if (a->pictures < a->room) return true;
    const int room = a->room ? 2 * a->room : 64;
    double *time = realloc(a->time, (size_t)room * sizeof *time);
    if (time) a->time = time;
    bool good = time != NULL;
    for (int k = BODY; k < KINDS; k++) {
        char **name = realloc(a->name[k], (size_t)room * sizeof *name);
        if (name) a->name[k] = name;
        good = good && name;
    }
    if (good) a->room = room;
    return good;
}

/* The picture that has been read; none before the first. */
static imp_status finish(album *a, double time, bool any, imp_error *error) {
    imp_status status = IMP_OK;
    if (!any) return IMP_OK;
    if (!make_room(a)) return imp_error_set(error, IMP_NO_MEMORY, "no memory");
    const int at = a->pictures++;
    a->time[at] = time;
    for (int k = BODY; k < KINDS; k++)
        if (asprintf(&a->name[k][at], "%s-%09d.vtu", file_of[k], at) < 0) a->name[k][at] = NULL;
    for (int k = BODY; k < KINDS; k++) {
        if (status == IMP_OK)
            status = a->name[k][at] ? write_points(a, k, a->name[k][at], error)
                                    : imp_error_set(error, IMP_NO_MEMORY, "no memory");
        if (status == IMP_OK) continue;
        free(a->name[k][at]); /* what is not written is not taken away */
        a->name[k][at] = NULL;
    }
    for (int k = BODY; k < KINDS; k++)
        a->count[k] = 0;
    return status;
}

static imp_status read_draft(album *a, FILE *draft, imp_error *error) {
    double record[WIDTH], time = 0;
    bool any = false;
    imp_status status = IMP_OK;
    if (fflush(draft) != 0 || ferror(draft)) /* rewind would forget it */
        return imp_error_system(error, "pictures", "no temporary file holds them");
    rewind(draft);
    while (status == IMP_OK && fread(record, sizeof record, 1, draft) == 1) {
        const int kind = (int)record[0];
        if (output_interrupted()) {
            status = imp_error_set(error, IMP_IO, "interrupted");
        } else if (kind == PICTURE) {
            status = finish(a, time, any, error);
            time = record[1];
            any = true;
        } else if (!add_point(a, kind, record + 1)) {
            status = imp_error_set(error, IMP_NO_MEMORY, "no memory");
        }
    }
    if (status == IMP_OK && ferror(draft)) status = imp_error_system(error, "pictures", "lost");
    return status == IMP_OK ? finish(a, time, any, error) : status;
}

static char *index_of(const album *a, int kind) {
    char name[40];
    snprintf(name, sizeof name, "%s.pvd", file_of[kind]);
    return path_of(a, name);
}

static imp_status write_index(const album *a, int kind, imp_error *error) {
    char *path = index_of(a, kind);
    const imp_status status = path ? imp_vtk_index(path, a->pictures, a->time, a->name[kind], error)
                                   : imp_error_set(error, IMP_NO_MEMORY, "no memory");
    free(path);
    return status;
}

static void take_away(char *path) {
    if (path) unlink(path);
    free(path);
}

/* Gives the memory back; `failed`: and takes the files away. */
static void close_album(album *a, bool failed) {
    for (int k = BODY; k < KINDS; k++) {
        if (failed) take_away(index_of(a, k));
        for (int i = 0; i < a->pictures; i++) {
            if (failed && a->name[k][i]) take_away(path_of(a, a->name[k][i]));
            free(a->name[k][i]);
        }
        free(a->name[k]);
        free(a->point[k]);
    }
    free(a->time);
}

imp_status pictures_apart(const options *o, imp_error *error) {
    const album a = {.asked = o};
    imp_status status = options_apart(o, o->vtk, error);
    for (int k = BODY; k < KINDS && status == IMP_OK; k++) {
        char *path = index_of(&a, k);
        status =
            path ? options_apart(o, path, error) : imp_error_set(error, IMP_NO_MEMORY, "no memory");
        free(path);
    }
    return status;
}

imp_status pictures_write(const options *o, FILE *draft, imp_error *error) {
    album a = {.asked = o};
    const bool there = access(o->vtk, F_OK) == 0;
    imp_status status = output_folder(o->vtk, error);
    if (status == IMP_OK) status = read_draft(&a, draft, error);
    for (int k = BODY; k < KINDS && status == IMP_OK; k++)
        status = write_index(&a, k, error);
    close_album(&a, status != IMP_OK);
    if (status != IMP_OK && !there) (void)rmdir(o->vtk);
    return status;
}
