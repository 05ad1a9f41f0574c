/* flow_files.c - the folder of a granular flow: its pictures and its checkpoint. */
#include "cli/flow_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const kinds[] = {"particles", "contacts", "fields"};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Are the folder, and the files in it that every run writes, apart from what is read and else
 * written? */
static imp_status folder_apart(const options *o, const imp_flow *flow, imp_error *error) {
    char path[IMP_FLOW_TEXT + 64];
    imp_status status = options_apart(o, flow->folder, error);
    snprintf(path, sizeof path, "%s/flow.check", flow->folder);
    if (status == IMP_OK && flow->checkpoint_every) status = options_apart(o, path, error);
    for (int k = 0; k < KINDS && status == IMP_OK; k++) {
        snprintf(path, sizeof path, "%s/%s.pvd", flow->folder, kinds[k]);
        status = options_apart(o, path, error);
    }
    return status;
}

imp_status flow_make_folder(const options *o, const imp_flow *flow, imp_error *error) {
    const bool there = access(flow->folder, F_OK) == 0;
    if (!flow->vtk_every && !flow->checkpoint_every) return IMP_OK;
    imp_status status = output_folder(flow->folder, error);
    if (status != IMP_OK) return status;
    status = folder_apart(o, flow, error);
    if (status != IMP_OK && !there) (void)rmdir(flow->folder);
    return status;
}

static void name_picture(char *name, size_t size, const char *kind, long long step) {
    snprintf(name, size, "%s-%09lld.vtu", kind, step);
}

/* The step of the picture that a line of an index lists; -1: none of the kind. */
static long long step_of(const char *line, const char *kind) {
    char name[64] = "", own[64];
    long long step = -1;
    (void)sscanf(line, "<DataSet timestep=\"%*[^\"]\" file=\"%63[^\"]\"/>", name);
    if (strncmp(name, kind, strlen(kind)) == 0 && name[strlen(kind)] == '-')
        step = strtoll(name + strlen(kind) + 1, NULL, 10);
    name_picture(own, sizeof own, kind, step);
    return strcmp(name, own) == 0 ? step : -1;
}

static bool note(flow_pictures *p, long long step) {
    long long *more = realloc(p->step, ((size_t)p->n + 1) * sizeof *more);
    if (!more) return false;
    p->step = more;
    more[p->n++] = step;
    return true;
}

/* The three kinds are of the same steps. */
imp_status flow_pictures_before(const imp_flow *flow, long long step, flow_pictures *p,
                                imp_error *error) {
    char path[IMP_FLOW_TEXT + 64], line[256];
    bool room = true;
    if (!flow->vtk_every && !flow->checkpoint_every) return IMP_OK;
    snprintf(path, sizeof path, "%s/%s.pvd", flow->folder, kinds[0]);
    FILE *in = fopen(path, "r");
    if (!in) return errno == ENOENT ? IMP_OK : imp_error_system(error, path, "cannot be opened");
    while (room && fgets(line, sizeof line, in)) {
        const long long one = step_of(line, kinds[0]);
        if (one > (p->n > 0 ? p->step[p->n - 1] : -1) && one <= step) room = note(p, one);
    }
    imp_status status = IMP_OK;
    if (!room)
        status = imp_error_set(error, IMP_NO_MEMORY, "no memory");
    else if (ferror(in))
        status = imp_error_system(error, path, "cannot be read");
    fclose(in);
    return status;
}

/* Indices beside a checkpoint whose flow has no picture are of another flow. */
static imp_status drop_indices(const imp_flow *flow, imp_error *error) {
    for (int k = 0; k < KINDS; k++) {
        char path[IMP_FLOW_TEXT + 64];
        snprintf(path, sizeof path, "%s/%s.pvd", flow->folder, kinds[k]);
        if (unlink(path) != 0 && errno != ENOENT)
            return imp_error_system(error, path, "cannot be removed");
    }
    return IMP_OK;
}

imp_status flow_write_checkpoint(const imp_flow *flow, const imp_granular *g,
                                 const flow_pictures *p, imp_error *error) {
    char path[IMP_FLOW_TEXT + 32];
    imp_output output;
    snprintf(path, sizeof path, "%s/flow.check", flow->folder);
    imp_status status = imp_output_open(&output, path, error);
    if (status != IMP_OK) return status;
    if (imp_granular_save(g, output.file) != IMP_OK)
        status = imp_error_system(error, path, "cannot be written");
    if (status == IMP_OK && p->n == 0) status = drop_indices(flow, error);
    if (status == IMP_OK) return imp_output_commit(&output, error);
    imp_output_abandon(&output);
    return status;
}

static imp_status write_index(const imp_flow *flow, const flow_pictures *p, const char *kind,
                              imp_error *error) {
    enum { LONGEST = 64 };
    char path[IMP_FLOW_TEXT + 64];
    const size_t n = (size_t)p->n;
    double *times = malloc(n * sizeof *times);
    char **names = malloc(n * sizeof *names), *text = malloc(n * LONGEST);
    const bool room = times && names && text;
    for (size_t i = 0; i < n && room; i++) {
        times[i] = (double)p->step[i] * flow->settings.step;
        names[i] = text + i * LONGEST;
        name_picture(names[i], LONGEST, kind, p->step[i]);
    }
    snprintf(path, sizeof path, "%s/%s.pvd", flow->folder, kind);
    const imp_status status = room ? imp_vtk_index(path, p->n, times, names, error)
                                   : imp_error_set(error, IMP_NO_MEMORY, "no memory");
    free(text);
    free(names);
    free(times);
    return status;
}

imp_status flow_write_pictures(const options *o, const imp_flow *flow, const imp_granular *g,
                               long long step, flow_pictures *p, imp_error *error) {
    char path[KINDS][IMP_FLOW_TEXT + 64];
    const imp_granular_settings *s = &flow->settings;
    imp_status status = IMP_OK;
    for (int k = 0; k < KINDS && status == IMP_OK; k++) {
        char name[64];
        name_picture(name, sizeof name, kinds[k], step);
        snprintf(path[k], sizeof path[k], "%s/%s", flow->folder, name);
        status = options_apart(o, path[k], error);
    }
    if (status == IMP_OK) status = imp_vtk_spheres(path[0], g, error);
    if (status == IMP_OK) status = imp_vtk_contacts(path[1], g, error);
    if (status == IMP_OK) status = imp_vtk_fields(path[2], g, s->low, s->high, flow->cell, error);
    if (status == IMP_OK && !note(p, step))
        status = imp_error_set(error, IMP_NO_MEMORY, "no memory");
    for (int k = 0; k < KINDS && status == IMP_OK; k++)
        status = write_index(flow, p, kinds[k], error);
    return status;
}
