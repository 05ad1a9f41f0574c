/* fclib.c - FCLIB files that HDF5 can read: entries, lengths and types of their data sets replaced.
 * (Bytes of the file itself are for the target `problem`.) */
#include "fuzz/targets.h"

#include "impact.h"
#include "io/fclib.h"
#include "io/problem_file.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SETS = 64, MOST_EDITS = 16, EDIT = 11 };
static const char pair[] =
    "{\"n\": 2, \"blocks\": [[0, 0, [2,0,0, 0,3,0, 0,0,3]], [1, 1, [2,0,0, 0,3,0, 0,0,3]]],"
    "\"q\": [-1, 0.5, 0, -1, 0, 0.5], \"mu\": [0.3, 0.7]}";

/* The bytes of a good file, made once. */
static const char *good_file(size_t *size) {
    static char *bytes;
    static size_t length;
    imp_problem_file *file;
    const imp_case *next;
    imp_fclib made;
    imp_error error = {IMP_OK, ""};
    *size = length;
    if (bytes) return bytes;
    fuzz_promise(imp_problem_file_open(fuzz_file((const uint8_t *)pair, strlen(pair)), &file,
                                       &error) == IMP_OK &&
                 imp_problem_file_next(file, &next, &error) == IMP_OK &&
                 imp_fclib_of(&next->problem, NULL, &made) == IMP_OK);
    FILE *out = open_memstream(&bytes, &length);
    fuzz_promise(out && imp_fclib_write(out, "fuzz", &made, &error) == IMP_OK && fclose(out) == 0);
    imp_fclib_clear(&made);
    imp_problem_file_close(file);
    *size = length;
    return bytes;
}

typedef struct sets {
    int count;
    char path[MOST_SETS][96];
} sets;

static herr_t note_set(hid_t file, const char *name, const H5O_info_t *about, void *context) {
    sets *all = context;
    (void)file;
    if (about->type == H5O_TYPE_DATASET && all->count < MOST_SETS)
        snprintf(all->path[all->count++], sizeof all->path[0], "%s", name);
    return 0;
}

/* In place of the data set one of `count` entries of that type, all alike but the one at `at`. */
static void replace(hid_t file, const char *path, hid_t type, hsize_t count, unsigned at,
                    const uint8_t value[8]) {
    const hid_t space = H5Screate_simple(1, &count, NULL);
    const size_t width = H5Tget_size(type);
    uint8_t *entries = calloc((size_t)count + 1, width);
    fuzz_promise(entries);
    if (count > 0) memcpy(entries + at % count * width, value, width);
    H5Ldelete(file, path, H5P_DEFAULT);
    const hid_t data = H5Dcreate2(file, path, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, entries);
    H5Dclose(data);
    H5Sclose(space);
    free(entries);
}

/* One entry of a data set: of what it holds, all but that stays. */
static void change(hid_t file, const char *path, unsigned at, const uint8_t value[8]) {
    const hid_t data = H5Dopen2(file, path, H5P_DEFAULT), type = H5Dget_type(data),
                space = H5Dget_space(data);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    const size_t width = H5Tget_size(type);
    uint8_t *entries = calloc((size_t)count + 1, width);
    fuzz_promise(entries);
    H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, entries);
    if (count > 0) memcpy(entries + at % (size_t)count * width, value, width < 8 ? width : 8);
    H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, entries);
    H5Tclose(type);
    H5Sclose(space);
    H5Dclose(data);
    free(entries);
}

/* EDIT bytes: what, which data set, which entry, its 8 bytes. */
static void edit(hid_t file, const sets *all, const uint8_t *bytes) {
    const char *path = all->path[bytes[1] % all->count];
    switch (bytes[0] % 5) {
    case 0: replace(file, path, H5T_NATIVE_INT, bytes[0] / 5, bytes[2], bytes + 3); break;
    case 1: replace(file, path, H5T_NATIVE_DOUBLE, bytes[0] / 5, bytes[2], bytes + 3); break;
    case 2: H5Ldelete(file, path, H5P_DEFAULT); break;
    default: change(file, path, bytes[2], bytes + 3);
    }
}

void fuzz_fclib(const uint8_t *data, size_t size) {
    size_t length;
    const char *bytes = good_file(&length);
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    H5Pset_fapl_core(access, 1 << 16, 0);
    char *copy = fuzz_copy(bytes, length);
    H5Pset_file_image(access, copy, length);
    const hid_t file = H5Fopen("/dev/null/fuzz", H5F_ACC_RDWR, access);
    fuzz_promise(file >= 0);
    for (size_t k = 0; k < MOST_EDITS && (k + 1) * EDIT <= size; k++) {
        sets all = {0};
        H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, note_set, &all, H5O_INFO_BASIC);
        if (all.count > 0) edit(file, &all, data + k * EDIT);
    }
    H5Fflush(file, H5F_SCOPE_GLOBAL);
    const ssize_t most = H5Fget_file_image(file, NULL, 0);
    uint8_t *image = malloc((size_t)most);
    fuzz_promise(image && H5Fget_file_image(file, image, (size_t)most) == most);
    H5Fclose(file);
    H5Pclose(access);
    free(copy);
    fuzz_problem(image, (size_t)most);
    free(image);
}
