/* test_fclib_hostile.c - FCLIB files that point at other files, declare what they do not hold, or
 * meet no memory; and the same bytes from run to run. */
#include "generators/gen.h"
#include "impact.h"
#include "io/fclib.h"
#include "read_path.h"
#include "scratch.h"
#include "tap.h"

#include <hdf5.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/stat.h>

enum { ENTRIES = 6 }; /* of q: two contacts */

static const double q[ENTRIES] = {-1, 0.5, 0, -1, 0, 0.5};

/* A file of two contacts, as the library writes it. */
static const char *base(const char *name) {
    const char *text =
        "{\"n\": 2, \"blocks\": [[0, 0, [2,0,0, 0,3,0, 0,0,3]], [1, 1, [2,0,0, 0,3,0, 0,0,3]]],"
        "\"q\": [-1, 0.5, 0, -1, 0, 0.5], \"mu\": [0.3, 0.7]}";
    const char *path = scratch_path(name);
    imp_problem_file *file;
    const imp_case *c;
    imp_fclib made;
    imp_error error;
    FILE *out = fopen(path, "wb");
    if (imp_problem_file_open(scratch_text("pair.json", text), &file, &error) != IMP_OK ||
        imp_problem_file_next(file, &c, &error) != IMP_OK ||
        imp_fclib_of(&c->problem, NULL, &made) != IMP_OK)
        abort();
    made.title = strdup("pair");
    if (!out || imp_fclib_write(out, path, &made, &error) != IMP_OK || fclose(out) != 0) abort();
    imp_fclib_clear(&made);
    imp_problem_file_close(file);
    return path;
}

/* Where an object is taken from its place and another is put there. */
typedef void put_object(hid_t file, const char *path, const char *other);

static void put_external_link(hid_t file, const char *path, const char *other) {
    H5Lcreate_external(other, path, file, path, H5P_DEFAULT, H5P_DEFAULT);
}

static void put_soft_link(hid_t file, const char *path, const char *other) {
    (void)other;
    H5Lmove(file, "/aside", file, "/elsewhere", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/elsewhere", file, path, H5P_DEFAULT, H5P_DEFAULT);
}

static void put_loop(hid_t file, const char *path, const char *other) {
    (void)other;
    H5Lcreate_soft(path, file, path, H5P_DEFAULT, H5P_DEFAULT);
}

/* The type and the number of entries of what was there, its data elsewhere. */
static void put_elsewhere(hid_t file, const char *path, hid_t how) {
    const hid_t old = H5Dopen2(file, "/aside", H5P_DEFAULT), type = H5Dget_type(old),
                space = H5Dget_space(old);
    H5Dclose(H5Dcreate2(file, path, type, space, H5P_DEFAULT, how, H5P_DEFAULT));
    H5Pclose(how);
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(old);
}

static void put_external_storage(hid_t file, const char *path, const char *other) {
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_external(how, other, 0, H5F_UNLIMITED);
    put_elsewhere(file, path, how);
}

static void put_virtual(hid_t file, const char *path, const char *other) {
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE), old = H5Dopen2(file, "/aside", H5P_DEFAULT),
                space = H5Dget_space(old);
    H5Pset_virtual(how, space, other, path, space);
    H5Sclose(space);
    H5Dclose(old);
    put_elsewhere(file, path, how);
}

/* Bytes as they are, by a filter that HDF5 does not have: one of a number for tests. */
static size_t keep_bytes(unsigned flags, size_t count, const unsigned *values, size_t bytes,
                         size_t *room, void **buffer) {
    (void)flags, (void)count, (void)values, (void)room, (void)buffer;
    return bytes;
}

enum { OWN_FILTER = 300 };
static const H5Z_class2_t own_filter = {H5Z_CLASS_T_VERS, OWN_FILTER, 1, 1, "own", NULL, NULL,
                                        keep_bytes};

static void put_filtered(hid_t file, const char *path, const char *other) {
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE), old = H5Dopen2(file, "/aside", H5P_DEFAULT),
                type = H5Dget_type(old), space = H5Dget_space(old);
    hsize_t count = (hsize_t)H5Sget_simple_extent_npoints(space);
    char values[1024] = {0};
    (void)other;
    H5Pset_chunk(how, 1, &count);
    H5Pset_filter(how, OWN_FILTER, H5Z_FLAG_MANDATORY, 0, NULL);
    H5Dread(old, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    const hid_t data = H5Dcreate2(file, path, type, space, H5P_DEFAULT, how, H5P_DEFAULT);
    if (H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0) abort();
    H5Dclose(data);
    H5Pclose(how);
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(old);
}

static void replace(const char *in, const char *path, put_object *put, const char *other) {
    const hid_t file = H5Fopen(in, H5F_ACC_RDWR, H5P_DEFAULT);
    H5Lmove(file, path, file, "/aside", H5P_DEFAULT, H5P_DEFAULT);
    put(file, path, other);
    if (H5Fclose(file) < 0) abort();
}

/* One file with one object replaced must be refused, whatever the other file is: one that would do,
 * or a pipe to which nobody writes, which would hold the reader for ever. */
static void abroad(const char *what, put_object *put, const char *words) {
    static const char *const places[] = {"/fclib_local/vectors/q", "/fclib_local/vectors/mu",
                                         "/fclib_local/W/i",       "/fclib_local/W/x",
                                         "/fclib_local/W/m",       "/fclib_local/spacedim",
                                         "/fclib_local/info/title"};
    const char *same = base("same.hdf5"), *raw = scratch_write("raw", (const char *)q, sizeof q);
    char pipe[300];
    snprintf(pipe, sizeof pipe, "%s", scratch_path("pipe"));
    if (access(pipe, F_OK) != 0 && mkfifo(pipe, 0600) != 0) abort();
    for (size_t k = 0; k < sizeof places / sizeof *places; k++)
        for (int other = 0; other < 2; other++) {
            const char *path = base("abroad.hdf5");
            imp_error error;
            replace(path, places[k], put, other ? pipe : put == put_external_storage ? raw : same);
            const imp_status status = read_path(path, &error);
            ok(status == IMP_BAD_ARGUMENT && strstr(error.text, words),
               "%s for %s, %s: refused (%s)", what, places[k],
               other ? "to a pipe" : "to a file that would do", error.text);
        }
}

/* Links in the place of groups, on every part of the way. */
static void test_groups(void) {
    static const char *const groups[] = {"/fclib_local", "/fclib_local/vectors", "/fclib_local/W",
                                         "/fclib_local/info"};
    for (size_t k = 0; k < sizeof groups / sizeof *groups; k++)
        for (int soft = 0; soft < 2; soft++) {
            char same[300];
            snprintf(same, sizeof same, "%s", base("same.hdf5"));
            const char *path = base("abroad.hdf5");
            imp_error error;
            replace(path, groups[k], soft ? put_soft_link : put_external_link, same);
            ok(read_path(path, &error) == IMP_BAD_ARGUMENT && strstr(error.text, "link"),
               "a%s link for the group %s: refused (%s)", soft ? " soft" : "n external", groups[k],
               error.text);
        }
}

static void set_number(hid_t file, const char *path, int value) {
    const hid_t data = H5Dopen2(file, path, H5P_DEFAULT);
    if (H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value) < 0) abort();
    H5Dclose(data);
}

/* In the place of a data set one of 10^7 entries in chunks, none of them stored, or of zeros packed
 * a thousandfold. */
static void put_hollow(hid_t file, const char *path, const char *packed) {
    const hsize_t many = packed ? 200000 : 10000000, chunk = packed ? many : 1000;
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &many, NULL);
    H5Pset_chunk(how, 1, &chunk);
    if (packed) H5Pset_deflate(how, 9);
    const hid_t data =
        H5Dcreate2(file, path, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, how, H5P_DEFAULT);
    double *zeros = calloc(many, sizeof *zeros);
    if (packed && H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, zeros) < 0)
        abort();
    free(zeros);
    H5Dclose(data);
    H5Sclose(space);
    H5Pclose(how);
}

static void test_sizes(void) {
    static const char *const numbers[] = {"m", "n", "nz", "nzmax"};
    static const int values[] = {1 << 28, 3, 0, -1, 2147483647, 7};
    imp_error error;
    for (int k = 0; k < 4; k++)
        for (int v = 0; v < 6; v++) {
            if (k == 3 && values[v] > 6) continue;  /* room for more than there is */
            if (k == 2 && values[v] == 3) continue; /* the first entries alone */
            if (k == 2 && values[v] == 0) continue; /* none: a W of zeros, told by its contacts */
            const char *path = base("sizes.hdf5");
            const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
            char at[60];
            snprintf(at, sizeof at, "/fclib_local/W/%s", numbers[k]);
            set_number(file, at, values[v]);
            if (k == 0) set_number(file, "/fclib_local/W/n", values[v]); /* square all the same */
            H5Fclose(file);
            ok(read_path(path, &error) == IMP_BAD_ARGUMENT && strstr(error.text, "/fclib_local/W"),
               "%s of W is %d: refused (%s)", numbers[k], values[v], error.text);
        }
    replace(base("hollow.hdf5"), "/fclib_local/vectors/q", put_hollow, NULL);
    ok(read_path(scratch_path("hollow.hdf5"), &error) == IMP_BAD_ARGUMENT &&
           strstr(error.text, "than the file"),
       "ten million entries of which none is stored: refused (%s)", error.text);
    replace(base("packed.hdf5"), "/fclib_local/vectors/q", put_hollow, "packed");
    ok(read_path(scratch_path("packed.hdf5"), &error) == IMP_BAD_ARGUMENT,
       "zeros packed a thousandfold: refused (%s)", error.text);
}

enum { ROOM = 0x01020304 };                    /* for entries of W: more than there are */
static const char name_of[] = "in the header"; /* a title */

/* A value of this type, which is closed, in the header of its object. */
static void write_in_header(hid_t file, const char *path, hid_t type, const void *value) {
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate(H5S_SCALAR);
    H5Pset_layout(how, H5D_COMPACT);
    const hid_t data = H5Dcreate2(file, path, type, space, H5P_DEFAULT, how, H5P_DEFAULT);
    if (H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) < 0) abort();
    H5Dclose(data);
    H5Tclose(type);
    H5Sclose(space);
    H5Pclose(how);
}

static void put_number(hid_t file, const char *path, const char *other) {
    const int room = ROOM;
    (void)other;
    write_in_header(file, path, H5Tcopy(H5T_NATIVE_INT), &room);
}

static void put_text(hid_t file, const char *path, const char *text) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, strlen(text) + 1);
    write_in_header(file, path, type, text);
}

/* Of varying length: the header keeps where it is. */
static void put_place(hid_t file, const char *path, const char *text) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    write_in_header(file, path, type, &text);
}

/* What a header says that it keeps: version 3, compact, so many bytes, which follow; the first are
 * these. */
static void say_kept(const char *path, const void *bytes, uint8_t size, uint8_t said) {
    static uint8_t content[1 << 16];
    FILE *file = fopen(path, "r+b");
    const size_t length = file ? fread(content, 1, sizeof content, file) : 0;
    int places = 0;
    for (size_t k = 4; k + size <= length; k++) {
        const uint8_t layout[4] = {3, 0, size, 0};
        if (memcmp(content + k - 4, layout, 4) != 0 || memcmp(content + k, bytes, sizeof(int)) != 0)
            continue;
        content[k - 2] = said;
        places++;
    }
    if (!file || places != 1 || fseek(file, 0, SEEK_SET) != 0 ||
        fwrite(content, 1, length, file) != length || fclose(file) != 0)
        abort();
}

static bool has_title(const char *path, const char *title) {
    imp_input input;
    imp_fclib file;
    imp_error error;
    if (imp_input_open(&input, path, &error) != IMP_OK ||
        imp_fclib_read(&input, &file, &error) != IMP_OK)
        abort();
    const bool has = title ? file.title && strcmp(file.title, title) == 0 : !file.title;
    imp_fclib_clear(&file);
    imp_input_close(&input);
    return has;
}

/* Fewer bytes in the header than the data set has, which HDF5 would read all the same. */
static void test_headers(void) {
    const int room = ROOM;
    imp_error error;
    for (int said = 0; said <= 4; said++) {
        const char *path = base("header.hdf5");
        replace(path, "/fclib_local/W/nzmax", put_number, NULL);
        say_kept(path, &room, sizeof room, (uint8_t)said);
        const imp_status status = read_path(path, &error);
        ok(said == 4 ? status == IMP_OK
                     : status == IMP_BAD_ARGUMENT && strstr(error.text, "nzmax: declares more"),
           "a number of 4 bytes of which the header keeps %d: %s (%s)", said,
           said == 4 ? "read" : "refused", error.text);
    }
    for (int said = 0; said <= (int)sizeof name_of; said += (int)sizeof name_of) {
        const char *path = base("header.hdf5");
        replace(path, "/fclib_local/info/title", put_text, name_of);
        say_kept(path, name_of, sizeof name_of, (uint8_t)said);
        ok(has_title(path, said ? name_of : NULL), "a title of which it keeps %d bytes: %s", said,
           said ? "read" : "none");
    }
    for (int said = 0; said <= 16; said += 16) { /* its length, place and number are 16 */
        const char *path = base("header.hdf5");
        const uint32_t length = sizeof name_of - 1;
        replace(path, "/fclib_local/info/title", put_place, name_of);
        say_kept(path, &length, 16, (uint8_t)said);
        ok(has_title(path, NULL), "a title of varying length whose place is in the header: none");
    }
}

/* The same values, which would do, by a filter of somebody's own. */
static void test_filter(void) {
    imp_error error;
    if (H5Zregister(&own_filter) < 0) abort();
    replace(base("filtered.hdf5"), "/fclib_local/vectors/q", put_filtered, NULL);
    ok(read_path(scratch_path("filtered.hdf5"), &error) == IMP_OK,
       "a filter that the process has registered itself: read");
    if (H5Zunregister(OWN_FILTER) < 0) abort();
    ok(read_path(scratch_path("filtered.hdf5"), &error) == IMP_BAD_ARGUMENT &&
           strstr(error.text, "/fclib_local/vectors/q: damaged data set"),
       "one that would have to be loaded: refused (%s)", error.text);
}

/* The most memory that was ever used: sizes that a file only declares are never made. */
static void test_memory(void) {
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    ok(use.ru_maxrss < 400000, "never more than 400 MB (%ld kB)", use.ru_maxrss);
}

static herr_t latest(hid_t object, const char *name, const H5O_info_t *info, void *context) {
    time_t *most = context;
    H5O_info_t own = {0}; /* for MemorySanitizer, which does not see what HDF5 writes */
    (void)info;
    const herr_t status = H5Oget_info_by_name(object, name, &own, H5P_DEFAULT);
    if (own.ctime > *most) *most = own.ctime;
    if (own.mtime > *most) *most = own.mtime;
    return status;
}

static void test_same_bytes(void) {
    static char bytes[2][1 << 16];
    size_t size[2];
    time_t most = 0;
    for (int k = 0; k < 2; k++) {
        mallopt(M_PERTURB, k ? 0xa5 : 0x5a); /* whatever stands in memory */
        FILE *in = fopen(base("bytes.hdf5"), "rb");
        size[k] = in ? fread(bytes[k], 1, sizeof bytes[k], in) : 0;
        if (in) fclose(in);
    }
    mallopt(M_PERTURB, 0);
    ok(size[0] > 1000 && size[0] == size[1] && memcmp(bytes[0], bytes[1], size[0]) == 0,
       "written twice: the same bytes");
    const hid_t file = H5Fopen(scratch_path("bytes.hdf5"), H5F_ACC_RDONLY, H5P_DEFAULT);
    H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, latest, &most);
    H5Fclose(file);
    ok(most == 0, "and no time of day in it");
}

int main(void) {
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    alarm(60); /* what waits for a pipe ends here */
    imp_error error;
    ok(read_path(base("good.hdf5"), &error) == IMP_OK, "the file as it is: read");
    abroad("an external link", put_external_link, "link");
    abroad("a soft link", put_soft_link, "link");
    abroad("a soft link to itself", put_loop, "link");
    abroad("external storage", put_external_storage, "kept in other files");
    abroad("a virtual data set", put_virtual, "kept in other files");
    test_groups();
    test_filter();
    test_sizes();
    test_headers();
    test_memory();
    test_same_bytes();
    return tap_done();
}
