/* hdf5_image.c - HDF5 in memory, on the C interface (1.10): opened, read and saved. */
#include "io/hdf5_image.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The core driver asks for a name even for what lives in memory, and refuses one that a file
 * has. */
static const char no_file[] = "/dev/null/in-memory";

/* HDF5 1.10 crashes where it lacks memory while it sets itself up, which takes 250 kB in small
 * blocks: more than that is asked for first, at once. */
static bool can_set_up(void) {
    void *volatile room = malloc((size_t)1 << 20); /* volatile: it is asked for, though not used */
    free(room);
    return room != NULL;
}

/* Nothing is printed, and no filter of a file's own choice is loaded from wherever HDF5 looks for
 * such. */
static bool set_handler_aside(hdf5_image *image) {
    if (!can_set_up()) return false;
    H5dont_atexit(); /* only the first call counts; after damage HDF5 would complain on standard
                        error at exit */
    H5Eget_auto2(H5E_DEFAULT, &image->handler, &image->handler_data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    image->plugins = 0;
    if (H5PLget_loading_state(&image->plugins) >= 0) H5PLset_loading_state(0);
    return image->aside = true;
}

imp_status imp_hdf5_no_memory(hdf5_image *image) {
    return image->status = imp_error_set(image->error, IMP_NO_MEMORY, "%s: no memory", image->name);
}

imp_status imp_hdf5_refuse(hdf5_image *image, imp_status status, const char *path,
                           const char *format, ...) {
    char why[IMP_ERROR_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    return image->status =
               imp_error_set(image->error, status, "%s: %s: %s", image->name, path, why);
}

static herr_t note_memory(unsigned n, const H5E_error2_t *fault, void *context) {
    (void)n;
    if (fault->min_num == H5E_NOSPACE) *(bool *)context = true;
    return 0;
}

/* Did HDF5 fail because it got no memory? It says so itself in the errors of its last call, or
 * malloc has since the image was opened. To be asked before the next call. */
static bool lacked_memory(void) {
    bool lacked = errno == ENOMEM;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, note_memory, &lacked);
    return lacked;
}

/* After something that was not found or could not be read: IMP_NO_MEMORY where that was for want of
 * memory, otherwise IMP_BAD_ARGUMENT with the path and the reason. */
static imp_status failed(hdf5_image *image, const char *path, const char *why) {
    return lacked_memory() ? imp_hdf5_no_memory(image)
                           : imp_hdf5_refuse(image, IMP_BAD_ARGUMENT, path, "%s", why);
}

const char *imp_hdf5_join(char at[HDF5_PATH], const char *group, const char *name) {
    snprintf(at, HDF5_PATH, "%s/%s", group, name);
    return at;
}

/* The file's bytes; HDF5 works on this memory, so that a pipe reads like a file. */
static imp_status slurp(hdf5_image *image, imp_input *input) {
    imp_status status = imp_input_rewind(input, image->error);
    size_t room = 1 << 16;
    while (status == IMP_OK) {
        void *grown = realloc(image->bytes, room);
        if (!grown) return imp_hdf5_no_memory(image);
        image->bytes = grown;
        const size_t got =
            fread((char *)image->bytes + image->size, 1, room - image->size, input->file);
        image->size += got;
        if (image->size < room) break;
        room *= 2;
    }
    if (status == IMP_OK && ferror(input->file))
        status = imp_error_system(image->error, image->name, "cannot be read");
    return status;
}

imp_status imp_hdf5_image_open(hdf5_image *image, imp_input *input, imp_error *error) {
    *image = (hdf5_image){.file = H5I_INVALID_HID, .name = input->name, .error = error};
    if (!set_handler_aside(image)) return imp_hdf5_no_memory(image);
    const imp_status status = slurp(image, input);
    if (status != IMP_OK) return status;
    errno = 0;
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (access < 0 || H5Pset_fapl_core(access, 1 << 16, 0) < 0 ||
        H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) < 0 ||
        (image->size > 0 && H5Pset_file_image(access, image->bytes, image->size) < 0)) {
        H5Pclose(access);
        return imp_hdf5_no_memory(image);
    }
    if (image->size > 0) image->file = H5Fopen(no_file, H5F_ACC_RDONLY, access);
    const bool lacked = image->file < 0 && lacked_memory();
    H5Pclose(access);
    if (image->file >= 0) return IMP_OK;
    if (lacked) return imp_hdf5_no_memory(image);
    return imp_error_set(error, IMP_BAD_ARGUMENT, "%s: damaged, expected an HDF5 file",
                         image->name);
}

imp_status imp_hdf5_image_create(hdf5_image *image, const char *name, imp_error *error) {
    *image = (hdf5_image){.file = H5I_INVALID_HID, .name = name, .error = error};
    if (!set_handler_aside(image)) return imp_hdf5_no_memory(image);
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(access, 1 << 16, 0);
    image->file = H5Fcreate(no_file, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    return image->file >= 0 ? IMP_OK : imp_hdf5_no_memory(image);
}

imp_status imp_hdf5_image_save(hdf5_image *image, FILE *out) {
    if (H5Fflush(image->file, H5F_SCOPE_GLOBAL) < 0) return imp_hdf5_no_memory(image);
    const ssize_t size = H5Fget_file_image(image->file, NULL, 0);
    void *bytes = size > 0 ? malloc((size_t)size) : NULL;
    if (!bytes || H5Fget_file_image(image->file, bytes, (size_t)size) != size) {
        free(bytes);
        return imp_hdf5_no_memory(image);
    }
    const size_t written = fwrite(bytes, 1, (size_t)size, out);
    free(bytes);
    return written == (size_t)size
               ? IMP_OK
               : imp_error_system(image->error, image->name, "cannot be written");
}

void imp_hdf5_image_close(hdf5_image *image) {
    if (image->file >= 0) H5Fclose(image->file);
    free(image->bytes);
    image->bytes = NULL;
    if (!image->aside) return;
    H5Eset_auto2(H5E_DEFAULT, image->handler, image->handler_data);
    if (image->plugins) H5PLset_loading_state(image->plugins);
    *image = (hdf5_image){.file = H5I_INVALID_HID};
}

/* Is there something under the path, and is every part of it in this very file? A link that is not
 * hard, whatever it points to, is none of the file's own: ABROAD. */
typedef enum found { ABSENT, HERE, ABROAD, UNREADABLE } found;

static found find(const hdf5_image *image, const char *path) {
    char part[HDF5_PATH];
    for (const char *end = path; *end;) {
        end += 1 + strcspn(end + 1, "/"); /* every group above it, then the path itself */
        snprintf(part, sizeof part, "%.*s", (int)(end - path), path);
        H5L_info_t link = {.type = H5L_TYPE_ERROR};
        const htri_t exists = H5Lexists(image->file, part, H5P_DEFAULT);
        if (exists == 0) return ABSENT;
        if (exists < 0 || H5Lget_info(image->file, part, &link, H5P_DEFAULT) < 0) return UNREADABLE;
        if (link.type != H5L_TYPE_HARD) return ABROAD;
    }
    return HERE;
}

bool imp_hdf5_has(hdf5_image *image, const char *path) {
    if (image->status != IMP_OK) return false;
    const found place = find(image, path);
    if (place == UNREADABLE) (void)failed(image, path, "damaged");
    return place == HERE || place == ABROAD; /* which reading refuses */
}

/* A data set, its data in this file: in its header, or anywhere. */
typedef struct own_set {
    hid_t data;
    bool in_header;
} own_set;

/* The one at a path. */
static imp_status open_own(hdf5_image *image, const char *path, own_set *set) {
    const found place = find(image, path);
    *set = (own_set){.data = H5I_INVALID_HID};
    if (place == ABROAD)
        return imp_hdf5_refuse(image, IMP_BAD_ARGUMENT, path,
                               "behind a soft or external link, expected a data set of the file");
    if (place == UNREADABLE) return failed(image, path, "damaged");
    if (place == ABSENT) return imp_hdf5_refuse(image, IMP_BAD_ARGUMENT, path, "missing data set");
    set->data = H5Dopen2(image->file, path, H5P_DEFAULT);
    if (set->data < 0) return failed(image, path, "missing data set");
    const hid_t made = H5Dget_create_plist(set->data);
    const int external = H5Pget_external_count(made);
    const H5D_layout_t layout = H5Pget_layout(made);
    H5Pclose(made);
    set->in_header = layout == H5D_COMPACT;
    if (external == 0 && layout >= 0 && layout != H5D_VIRTUAL) return IMP_OK;
    H5Dclose(set->data);
    return made < 0 ? imp_hdf5_no_memory(image)
                    : imp_hdf5_refuse(image, IMP_BAD_ARGUMENT, path,
                                      "kept in other files, expected its data in this one");
}

/* Can the file hold so many bytes of the data set? Those of a header HDF5 1.10 takes from there
 * however few it keeps. */
static bool can_hold(const hdf5_image *image, const own_set *set, double bytes) {
    const double size = (double)image->size, stored = (double)H5Dget_storage_size(set->data);
    if (set->in_header) return bytes <= stored;
    /* deflate shrinks by 1032 at most; never written: zeros */
    return stored <= size && bytes <= (stored > 0 ? 1100 * stored : size);
}

/* Opens a data set of at most one dimension whose class is `wanted` and whose size the file can
 * hold. */
static imp_status open_data(hdf5_image *image, const char *path, H5T_class_t wanted, hid_t *data,
                            int *count) {
    own_set set;
    const imp_status status = open_own(image, path, &set);
    *data = set.data;
    if (status != IMP_OK) return status;
    const hid_t space = H5Dget_space(*data), type = H5Dget_type(*data);
    const hssize_t points = H5Sget_simple_extent_npoints(space);
    const int rank = H5Sget_simple_extent_ndims(space);
    const size_t width = H5Tget_size(type);
    const bool right = H5Tget_class(type) == wanted && width <= sizeof(long double);
    H5Sclose(space);
    H5Tclose(type);
    const char *fault = NULL;
    if (!right)
        fault = wanted == H5T_FLOAT ? "wrong type, expected floating point"
                                    : "wrong type, expected integers";
    else if (rank > 1 || rank < 0)
        fault = "a table, expected one dimension";
    else if (points < 0 || points > INT_MAX ||
             !can_hold(image, &set, (double)points * (double)width))
        fault = "declares more entries than the file can hold";
    if (!fault) {
        *count = (int)points;
        return IMP_OK;
    }
    H5Dclose(*data);
    return space < 0 || type < 0 ? imp_hdf5_no_memory(image)
                                 : imp_hdf5_refuse(image, IMP_BAD_ARGUMENT, path, "%s", fault);
}

static imp_status read_values(hdf5_image *image, const char *path, H5T_class_t class, hid_t type,
                              size_t width, int *count, void **values) {
    hid_t data;
    int held = 0;
    if (image->status != IMP_OK) return image->status;
    imp_status status = open_data(image, path, class, &data, &held);
    if (status != IMP_OK) return status;
    if (*count >= 0 && held < *count)
        status =
            imp_hdf5_refuse(image, IMP_BAD_ARGUMENT, path, "%d entries, expected %d", held, *count);
    if (status == IMP_OK && !(*values = malloc(width * (size_t)held + 1)))
        status = imp_hdf5_no_memory(image);
    if (status == IMP_OK && H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *values) < 0) {
        status = failed(image, path, "damaged data set");
        free(*values);
        *values = NULL;
    }
    if (*count < 0) *count = held;
    H5Dclose(data);
    return status;
}

imp_status imp_hdf5_read_ints(hdf5_image *image, const char *group, const char *name, int *count,
                              int **values) {
    char at[HDF5_PATH];
    void *memory = NULL;
    const imp_status status = read_values(image, imp_hdf5_join(at, group, name), H5T_INTEGER,
                                          H5T_NATIVE_INT, sizeof(int), count, &memory);
    *values = memory;
    return status;
}

imp_status imp_hdf5_read_doubles(hdf5_image *image, const char *group, const char *name, int *count,
                                 double **values) {
    char at[HDF5_PATH];
    void *memory = NULL;
    const imp_status status = read_values(image, imp_hdf5_join(at, group, name), H5T_FLOAT,
                                          H5T_NATIVE_DOUBLE, sizeof(double), count, &memory);
    *values = memory;
    for (int i = 0; memory && i < *count; i++) {
        if (isfinite((*values)[i])) continue;
        free(*values);
        *values = NULL;
        return image->status =
                   imp_error_set(image->error, IMP_BAD_ARGUMENT,
                                 "%s: %s[%d]: not finite, expected a number", image->name, at, i);
    }
    return status;
}

imp_status imp_hdf5_read_int(hdf5_image *image, const char *group, const char *name, int *value) {
    int count = 1, *values;
    if (imp_hdf5_read_ints(image, group, name, &count, &values) == IMP_OK && values)
        *value = values[0];
    free(values);
    return image->status;
}

imp_status imp_hdf5_read_text(hdf5_image *image, const char *group, const char *name, char **text) {
    char path[HDF5_PATH];
    own_set set;
    *text = NULL;
    if (image->status != IMP_OK || find(image, imp_hdf5_join(path, group, name)) == ABSENT)
        return image->status;
    imp_status status = open_own(image, path, &set);
    if (status != IMP_OK) return status;
    const hid_t type = H5Dget_type(set.data), space = H5Dget_space(set.data);
    const hssize_t points = H5Sget_simple_extent_npoints(space);
    const bool one = H5Tget_class(type) == H5T_STRING && points == 1,
               variable = one && H5Tis_variable_str(type) > 0, varies = variable && !set.in_header,
               fits = one && !variable && can_hold(image, &set, (double)H5Tget_size(type));
    /* of a text of varying length HDF5 makes the memory; how much of one a header keeps is not
     * known here, and such a text is passed over, like what is none */
    char *held = fits ? calloc(H5Tget_size(type) + 1, 1) : NULL;
    void *to = varies ? (void *)&held : held;
    const bool room = type >= 0 && points >= 0 && (!fits || held);
    if (room && to && H5Dread(set.data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, to) < 0)
        status = failed(image, path, "damaged data set");
    else if (!room || (held && !(*text = strdup(held))))
        status = imp_hdf5_no_memory(image);
    if (varies)
        H5free_memory(held);
    else
        free(held);
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(set.data);
    return status;
}
