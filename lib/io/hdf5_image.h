/* hdf5_image.h - HDF5 files in memory, read with every size checked and every fault named by its
 * path.
 *
 * Only the given bytes are read: what stands behind a soft, external or user-defined link, in
 * external or virtual storage, or needs a filter that HDF5 would load, is refused. Private to
 * lib/io. Errors of the HDF5 library are not printed: its handler, and its loading of filters, are
 * set aside for the time of each call. */
#ifndef IMP_HDF5_IMAGE_H
#define IMP_HDF5_IMAGE_H

#include "io/stream.h"

#include <hdf5.h>
#include <stdbool.h>

typedef struct hdf5_image {
    hid_t file;       /* < 0: none */
    void *bytes;      /* what is read; NULL when written */
    size_t size;      /* bytes of it */
    const char *name; /* for messages */
    imp_error *error;
    bool aside;          /* is HDF5 set up, and its printing of errors aside? */
    imp_status status;   /* of the first fault */
    H5E_auto2_t handler; /* the library's error printing, put back at the end */
    void *handler_data;
    unsigned plugins; /* which filters the library may load, put back at the end */
} hdf5_image;

/* Reads the whole input; IMP_OK, IMP_IO, IMP_BAD_ARGUMENT (not HDF5), IMP_NO_MEMORY. Close in every
 * case. */
imp_status imp_hdf5_image_open(hdf5_image *image, imp_input *input, imp_error *error);

/* A new, empty file in memory; imp_hdf5_image_save writes it to a stream. */
imp_status imp_hdf5_image_create(hdf5_image *image, const char *name, imp_error *error);
imp_status imp_hdf5_image_save(hdf5_image *image, FILE *out);
void imp_hdf5_image_close(hdf5_image *image);

/* "NAME: PATH: what...", which becomes the image's status. After a fault every function below does
 * nothing and returns that status, so that one look at the end of many calls will do. */
__attribute__((format(printf, 4, 5))) imp_status imp_hdf5_refuse(hdf5_image *image,
                                                                 imp_status status,
                                                                 const char *path,
                                                                 const char *format, ...);

imp_status imp_hdf5_no_memory(hdf5_image *image);

enum { HDF5_PATH = 128 }; /* room for a path within a file */

/* at <- GROUP/NAME; returns it. */
const char *imp_hdf5_join(char at[HDF5_PATH], const char *group, const char *name);

/* Does something stand there? Also what reading will refuse. What cannot be looked up is a fault,
 * and false. */
bool imp_hdf5_has(hdf5_image *image, const char *path);

/* Reads the data set GROUP/NAME of one dimension (or a scalar: one entry) into new memory; *count
 * receives its length when it is negative, else the data set must have at least that many entries
 * and the first ones are read. */
imp_status imp_hdf5_read_ints(hdf5_image *image, const char *group, const char *name, int *count,
                              int **values);
imp_status imp_hdf5_read_doubles(hdf5_image *image, const char *group, const char *name, int *count,
                                 double **values);
imp_status imp_hdf5_read_int(hdf5_image *image, const char *group, const char *name, int *value);

/* *text <- a string data set in new memory, NULL where there is none or it holds no string. IMP_OK,
 * IMP_BAD_ARGUMENT (not of this file, or it cannot be read), IMP_NO_MEMORY. */
imp_status imp_hdf5_read_text(hdf5_image *image, const char *group, const char *name, char **text);

imp_status imp_hdf5_write_group(hdf5_image *image, const char *path);
imp_status imp_hdf5_write_ints(hdf5_image *image, const char *group, const char *name, int count,
                               const int *values);
imp_status imp_hdf5_write_doubles(hdf5_image *image, const char *group, const char *name, int count,
                                  const double *values);
imp_status imp_hdf5_write_text(hdf5_image *image, const char *group, const char *name,
                               const char *text);

/* Attributes of a group or data set. */
imp_status imp_hdf5_mark_text(hdf5_image *image, const char *path, const char *name,
                              const char *text);
imp_status imp_hdf5_mark_double(hdf5_image *image, const char *path, const char *name,
                                double value);

#endif
