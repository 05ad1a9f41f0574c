/* msan.c - what libraries without MemorySanitizer's marks wrote, marked as written: linked into the
 * tests of `make check MSAN=1` alone, whose calls of these functions come here first (ld
 * --wrap). */
#include <cblas.h>
#include <gsl/gsl_poly.h>
#include <hdf5.h>
#include <jansson.h>
#include <lapacke.h>
#include <sanitizer/msan_interface.h>
#include <suitesparse/amd.h>
#include <suitesparse/klu.h>
#include <suitesparse/ldl.h>

#include <stdlib.h>

#define PASSES(result, name, arguments)                                                            \
    result __real_##name arguments;                                                                \
    result __wrap_##name arguments;                                                                \
    result __wrap_##name arguments

#define WROTE(pointer, count) __msan_unpoison((pointer), (size_t)(count) * sizeof *(pointer))

/* jansson: all its memory, and the errors it fills; its own stack is written unseen, and so not
 * looked at. */
static void *allocate(size_t size) {
    void *memory = malloc(size);
    if (memory) __msan_unpoison(memory, size);
    return memory;
}

__attribute__((constructor)) static void watch_jansson(void) {
    json_set_alloc_funcs(allocate, free);
}

PASSES(json_t *, json_loads, (const char *text, size_t flags, json_error_t *error)) {
    __msan_scoped_disable_interceptor_checks();
    json_t *json = __real_json_loads(text, flags, error);
    __msan_scoped_enable_interceptor_checks();
    if (error) WROTE(error, 1);
    return json;
}

/* The reader that it calls back, whose arguments jansson wrote. */
typedef struct reader {
    json_load_callback_t read;
    void *from;
} reader;

__attribute__((no_sanitize("memory"))) static size_t read_on(void *bytes, size_t room, void *of) {
    const reader *r = of;
    return r->read(bytes, room, r->from);
}

PASSES(json_t *, json_load_callback,
       (json_load_callback_t read, void *from, size_t flags, json_error_t *error)) {
    reader r = {read, from};
    __msan_scoped_disable_interceptor_checks();
    json_t *json = __real_json_load_callback(read_on, &r, flags, error);
    __msan_scoped_enable_interceptor_checks();
    if (error) WROTE(error, 1);
    return json;
}

PASSES(json_t *, json_load_file, (const char *path, size_t flags, json_error_t *error)) {
    __msan_scoped_disable_interceptor_checks();
    json_t *json = __real_json_load_file(path, flags, error);
    __msan_scoped_enable_interceptor_checks();
    if (error) WROTE(error, 1);
    return json;
}

PASSES(int, json_dumpf, (const json_t *json, FILE *to, size_t flags)) {
    __msan_scoped_disable_interceptor_checks();
    const int status = __real_json_dumpf(json, to, flags);
    __msan_scoped_enable_interceptor_checks();
    return status;
}

PASSES(char *, json_dumps, (const json_t *json, size_t flags)) {
    __msan_scoped_disable_interceptor_checks();
    char *text = __real_json_dumps(json, flags);
    __msan_scoped_enable_interceptor_checks();
    if (text) __msan_unpoison_string(text);
    return text;
}

/* HDF5: a file in memory, and what is read from a dataset. */
PASSES(ssize_t, H5Fget_file_image, (hid_t file, void *image, size_t size)) {
    const ssize_t length = __real_H5Fget_file_image(file, image, size);
    if (image) __msan_unpoison(image, size);
    return length;
}

PASSES(herr_t, H5Dread,
       (hid_t set, hid_t type, hid_t memory, hid_t space, hid_t list, void *values)) {
    const herr_t status = __real_H5Dread(set, type, memory, space, list, values);
    const hid_t extent = H5Dget_space(set);
    __msan_unpoison(values, (size_t)H5Sget_simple_extent_npoints(extent) * H5Tget_size(type));
    H5Sclose(extent);
    return status;
}

/* BLAS and LAPACK: results that were not initialised before. The others work in place. */
PASSES(void, cblas_dgemv,
       (enum CBLAS_ORDER order, enum CBLAS_TRANSPOSE transpose, blasint m, blasint n, double alpha,
        const double *A, blasint rows, const double *x, blasint x_step, double beta, double *y,
        blasint y_step)) {
    __real_cblas_dgemv(order, transpose, m, n, alpha, A, rows, x, x_step, beta, y, y_step);
    WROTE(y, (transpose == CblasNoTrans ? m : n) * y_step);
}

PASSES(lapack_int, LAPACKE_dgeqp3_work,
       (int layout, lapack_int m, lapack_int n, double *A, lapack_int rows, lapack_int *pivot,
        double *tau, double *work, lapack_int size)) {
    const lapack_int status =
        __real_LAPACKE_dgeqp3_work(layout, m, n, A, rows, pivot, tau, work, size);
    WROTE(work, 1);
    if (size > 0) WROTE(tau, m < n ? m : n);
    return status;
}

PASSES(lapack_int, LAPACKE_dsyev,
       (int layout, char jobs, char triangle, lapack_int n, double *A, lapack_int rows,
        double *w)) {
    const lapack_int status = __real_LAPACKE_dsyev(layout, jobs, triangle, n, A, rows, w);
    WROTE(w, n);
    return status;
}

/* SuiteSparse. */
PASSES(int, amd_order,
       (int n, const int *start, const int *row, int *order, double *control, double *info)) {
    const int status = __real_amd_order(n, start, row, order, control, info);
    WROTE(order, n);
    return status;
}

PASSES(void, ldl_symbolic,
       (int n, int *start, int *row, int *L, int *parent, int *count, int *flag, int *order,
        int *place)) {
    __real_ldl_symbolic(n, start, row, L, parent, count, flag, order, place);
    WROTE(L, n + 1);
    WROTE(parent, n);
    WROTE(count, n);
    if (place) WROTE(place, n);
}

PASSES(int, klu_defaults, (klu_common * common)) {
    const int good = __real_klu_defaults(common);
    WROTE(common, 1);
    return good;
}

PASSES(klu_symbolic *, klu_analyze, (int n, int *start, int *row, klu_common *common)) {
    klu_symbolic *symbolic = __real_klu_analyze(n, start, row, common);
    WROTE(common, 1);
    if (symbolic) WROTE(symbolic, 1);
    return symbolic;
}

PASSES(klu_numeric *, klu_factor,
       (int *start, int *row, double *value, klu_symbolic *symbolic, klu_common *common)) {
    klu_numeric *numeric = __real_klu_factor(start, row, value, symbolic, common);
    WROTE(common, 1);
    if (numeric) WROTE(numeric, 1);
    return numeric;
}

PASSES(int, klu_refactor,
       (int *start, int *row, double *value, klu_symbolic *symbolic, klu_numeric *numeric,
        klu_common *common)) {
    const int good = __real_klu_refactor(start, row, value, symbolic, numeric, common);
    WROTE(common, 1);
    return good;
}

PASSES(int, klu_flops, (klu_symbolic * symbolic, klu_numeric *numeric, klu_common *common)) {
    const int good = __real_klu_flops(symbolic, numeric, common);
    WROTE(common, 1);
    return good;
}

/* GSL. */
PASSES(int, gsl_poly_complex_solve,
       (const double *a, size_t n, gsl_poly_complex_workspace *room, gsl_complex_packed_ptr z)) {
    const int status = __real_gsl_poly_complex_solve(a, n, room, z);
    WROTE(z, 2 * (n - 1));
    return status;
}
