/* hdf5_write.c - what goes into an HDF5 file in memory: groups, data sets and attributes. */
#include "io/hdf5_image.h"

#include <string.h>

/* How an object is made: without the time of day, so that the same content has the same bytes. */
static hid_t timeless(hid_t kind) {
    const hid_t made = H5Pcreate(kind);
    H5Pset_obj_track_times(made, false);
    return made;
}

imp_status imp_hdf5_write_group(hdf5_image *image, const char *path) {
    if (image->status != IMP_OK) return image->status;
    const hid_t made = timeless(H5P_GROUP_CREATE),
                group = H5Gcreate2(image->file, path, H5P_DEFAULT, made, H5P_DEFAULT);
    H5Pclose(made);
    if (group < 0) return imp_hdf5_no_memory(image);
    H5Gclose(group);
    return IMP_OK;
}

/* Gives the space back. */
static imp_status write_values(hdf5_image *image, const char *group, const char *name, hid_t space,
                               hid_t type, const void *values) {
    char at[HDF5_PATH];
    const hid_t made = timeless(H5P_DATASET_CREATE);
    const hid_t data = image->status != IMP_OK
                           ? H5I_INVALID_HID
                           : H5Dcreate2(image->file, imp_hdf5_join(at, group, name), type, space,
                                        H5P_DEFAULT, made, H5P_DEFAULT);
    const bool good = data >= 0 && H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
    if (data >= 0) H5Dclose(data);
    H5Pclose(made);
    H5Sclose(space);
    return good || image->status != IMP_OK ? image->status : imp_hdf5_no_memory(image);
}

static imp_status write_vector(hdf5_image *image, const char *group, const char *name, int count,
                               hid_t type, const void *values) {
    const hsize_t size = (hsize_t)count;
    return write_values(image, group, name, H5Screate_simple(1, &size, NULL), type, values);
}

imp_status imp_hdf5_write_ints(hdf5_image *image, const char *group, const char *name, int count,
                               const int *values) {
    return write_vector(image, group, name, count, H5T_NATIVE_INT, values);
}

imp_status imp_hdf5_write_doubles(hdf5_image *image, const char *group, const char *name, int count,
                                  const double *values) {
    return write_vector(image, group, name, count, H5T_NATIVE_DOUBLE, values);
}

/* The type of this text. */
static hid_t text_type(const char *text) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, strlen(text) + 1);
    return type;
}

imp_status imp_hdf5_write_text(hdf5_image *image, const char *group, const char *name,
                               const char *text) {
    const hid_t type = text_type(text);
    write_values(image, group, name, H5Screate(H5S_SCALAR), type, text);
    H5Tclose(type);
    return image->status;
}

static imp_status mark(hdf5_image *image, const char *path, const char *name, hid_t type,
                       const void *value) {
    if (image->status != IMP_OK) return image->status;
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t held = H5Acreate_by_name(image->file, path, name, type, space, H5P_DEFAULT,
                                         H5P_DEFAULT, H5P_DEFAULT);
    const bool good = held >= 0 && H5Awrite(held, type, value) >= 0;
    if (held >= 0) H5Aclose(held);
    H5Sclose(space);
    return good ? IMP_OK : imp_hdf5_no_memory(image);
}

imp_status imp_hdf5_mark_text(hdf5_image *image, const char *path, const char *name,
                              const char *text) {
    const hid_t type = text_type(text);
    mark(image, path, name, type, text);
    H5Tclose(type);
    return image->status;
}

imp_status imp_hdf5_mark_double(hdf5_image *image, const char *path, const char *name,
                                double value) {
    return mark(image, path, name, H5T_NATIVE_DOUBLE, &value);
}
