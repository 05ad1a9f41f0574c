/* flow_files.c - the folder of a granular flow: its pictures and its checkpoint. */
#include "cli/flow_files.h"

#include <dirent.h>
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
    for (int k = 0; k < KINDS && status == IMP_OK && flow->vtk_every; k++) {
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

imp_status flow_write_checkpoint(const imp_flow *flow, const imp_granular *g, imp_error *error) {
    char path[IMP_FLOW_TEXT + 32];
    imp_output output;
    snprintf(path, sizeof path, "%s/flow.check", flow->folder);
    imp_status status = imp_output_open(&output, path, error);
    if (status != IMP_OK) return status;
    if (imp_granular_save(g, output.file) != IMP_OK) {
        status = imp_error_system(error, path, "cannot be written");
        imp_output_abandon(&output);
        return status;
    }
    return imp_output_commit(&output, error);
}

/* The step of a picture KIND-NNNNNNNNN.vtu; -1: of no picture of the kind. */
static long long step_of(const char *name, const char *kind) {
    char own[64];
    const size_t length = strlen(kind);
    if (strncmp(name, kind, length) != 0 || name[length] != '-') return -1;
    const long long step = strtoll(name + length + 1, NULL, 10);
    snprintf(own, sizeof own, "%s-%09lld.vtu", kind, step);
    return strcmp(name, own) == 0 ? step : -1;
}

typedef struct picture {
    long long step;
    char *name;
} picture;

static int by_step(const void *a, const void *b) {
    const long long x = ((const picture *)a)->step, y = ((const picture *)b)->step;
    return (x > y) - (x < y);
}

/* The n pictures of a kind in the folder up to a step, by step. *of is the caller's, with its
 * names. */
static imp_status find_pictures(const char *folder, const char *kind, long long most, picture **of,
                                int *n, imp_error *error) {
    DIR *in = opendir(folder);
    imp_status status = IMP_OK;
    *of = NULL;
    *n = 0;
    if (!in) return imp_error_system(error, folder, "cannot be listed");
    while (status == IMP_OK) {
        errno = 0;
        const struct dirent *entry = readdir(in);
        if (!entry) {
            if (errno) status = imp_error_system(error, folder, "cannot be listed");
            break;
        }
        const long long step = step_of(entry->d_name, kind);
        if (step < 0 || step > most) continue;
        picture *more = realloc(*of, ((size_t)*n + 1) * sizeof *more);
        if (more) {
            *of = more;
            more[*n] = (picture){step, strdup(entry->d_name)};
        }
        if (!more || !more[(*n)++].name) status = imp_error_set(error, IMP_NO_MEMORY, "no memory");
    }
    closedir(in);
    if (*n > 0) qsort(*of, (size_t)*n, sizeof **of, by_step);
    return status;
}

/* The index names every picture of the kind that is there, also those of the runs before this
 * one, however often they were taken. */
static imp_status write_index(const imp_flow *flow, long long step, const char *kind,
                              imp_error *error) {
    char path[IMP_FLOW_TEXT + 64];
    picture *of;
    int n;
    imp_status status = find_pictures(flow->folder, kind, step, &of, &n, error);
    double *times = malloc(((size_t)n + 1) * sizeof *times);
    char **names = malloc(((size_t)n + 1) * sizeof *names);
    const bool room = times && names;
    if (status == IMP_OK && !room) status = imp_error_set(error, IMP_NO_MEMORY, "no memory");
    for (int i = 0; i < n && room; i++) {
        times[i] = (double)of[i].step * flow->settings.step;
        names[i] = of[i].name;
    }
    snprintf(path, sizeof path, "%s/%s.pvd", flow->folder, kind);
    if (status == IMP_OK) status = imp_vtk_index(path, n, times, names, error);
    for (int i = 0; i < n; i++)
        free(of[i].name);
    free(of);
    free(names);
    free(times);
    return status;
}

imp_status flow_write_pictures(const options *o, const imp_flow *flow, const imp_granular *g,
                               long long step, imp_error *error) {
    char path[KINDS][IMP_FLOW_TEXT + 64];
    const imp_granular_settings *s = &flow->settings;
    imp_status status = IMP_OK;
    for (int k = 0; k < KINDS && status == IMP_OK; k++) {
        snprintf(path[k], sizeof path[k], "%s/%s-%09lld.vtu", flow->folder, kinds[k], step);
        status = options_apart(o, path[k], error);
    }
    if (status == IMP_OK) status = imp_vtk_spheres(path[0], g, error);
    if (status == IMP_OK) status = imp_vtk_contacts(path[1], g, error);
    if (status == IMP_OK) status = imp_vtk_fields(path[2], g, s->low, s->high, flow->cell, error);
    for (int k = 0; k < KINDS && status == IMP_OK; k++)
        status = write_index(flow, step, kinds[k], error);
    return status;
}
