/* test_fclib_failing.c - each call of HDF5 fails in turn, and each allocation beside them, while an
 * FCLIB file is read, solved or written: an error in one line that names the file, or all that is
 * there; never a part of it. */
#include "impact.h"
#include "io/fclib.h"
#include "scratch.h"
#include "tap.h"
#include "two_masses.h"

#include <dlfcn.h>
#include <hdf5.h>

/* The allocator, as shared libraries see it too. */
#include "failing.h"
#if FAILING_HERE
#define FAILING_PRELOADED
#pragma GCC visibility push(default)
#include "failing.c" // NOLINT(bugprone-suspicious-include): not the object that others link
#pragma GCC visibility pop
#else
volatile long failing_at = -1;
#endif

/* Call `failing` of HDF5 from here on does nothing and says that it failed; -1: none does. */
static long called, failing_call = -1;

#define NAME(function)  #function
#define TITLE(function) NAME(function)
/* Before the function of the library, whose name it has. What that allocates does not fail: without
 * memory HDF5 crashes. */
#define REFUSES(type, function, parameters, arguments)                                             \
    __attribute__((visibility("default"))) type function parameters {                              \
        static type(*library) parameters;                                                          \
        if (!library) *(void **)&library = dlsym(RTLD_NEXT, TITLE(function));                      \
        if (called++ == failing_call) return -1;                                                   \
        const long at = failing_at;                                                                \
        failing_at = -1;                                                                           \
        const type result = library arguments;                                                     \
        failing_at = at;                                                                           \
        return result;                                                                             \
    }

REFUSES(hid_t, H5Pcreate, (hid_t kind), (kind))
REFUSES(herr_t, H5Pset_fapl_core, (hid_t list, size_t step, hbool_t store), (list, step, store))
REFUSES(herr_t, H5Pset_fclose_degree, (hid_t list, H5F_close_degree_t degree), (list, degree))
REFUSES(herr_t, H5Pset_file_image, (hid_t list, void *bytes, size_t size), (list, bytes, size))
REFUSES(hid_t, H5Fopen, (const char *name, unsigned flags, hid_t list), (name, flags, list))
REFUSES(hid_t, H5Fcreate, (const char *name, unsigned flags, hid_t made, hid_t list),
        (name, flags, made, list))
REFUSES(herr_t, H5Fflush, (hid_t file, H5F_scope_t scope), (file, scope))
REFUSES(ssize_t, H5Fget_file_image, (hid_t file, void *bytes, size_t size), (file, bytes, size))
REFUSES(htri_t, H5Lexists, (hid_t file, const char *name, hid_t list), (file, name, list))
REFUSES(herr_t, H5Lget_info, (hid_t file, const char *name, H5L_info_t *info, hid_t list),
        (file, name, info, list))
REFUSES(hid_t, H5Dopen2, (hid_t file, const char *name, hid_t list), (file, name, list))
REFUSES(hid_t, H5Dget_create_plist, (hid_t data), (data))
REFUSES(int, H5Pget_external_count, (hid_t list), (list))
REFUSES(H5D_layout_t, H5Pget_layout, (hid_t list), (list))
REFUSES(hid_t, H5Dget_space, (hid_t data), (data))
REFUSES(hid_t, H5Dget_type, (hid_t data), (data))
REFUSES(hssize_t, H5Sget_simple_extent_npoints, (hid_t space), (space))
REFUSES(int, H5Sget_simple_extent_ndims, (hid_t space), (space))
REFUSES(herr_t, H5Dread,
        (hid_t data, hid_t type, hid_t memory, hid_t space, hid_t list, void *values),
        (data, type, memory, space, list, values))
REFUSES(hid_t, H5Gcreate2, (hid_t file, const char *name, hid_t link, hid_t made, hid_t list),
        (file, name, link, made, list))
REFUSES(hid_t, H5Dcreate2,
        (hid_t file, const char *name, hid_t type, hid_t space, hid_t link, hid_t made, hid_t list),
        (file, name, type, space, link, made, list))
REFUSES(herr_t, H5Dwrite,
        (hid_t data, hid_t type, hid_t memory, hid_t space, hid_t list, const void *values),
        (data, type, memory, space, list, values))
REFUSES(hid_t, H5Screate, (H5S_class_t kind), (kind))
REFUSES(hid_t, H5Screate_simple, (int rank, const hsize_t *size, const hsize_t *most),
        (rank, size, most))
REFUSES(hid_t, H5Tcopy, (hid_t type), (type))
REFUSES(hid_t, H5Acreate_by_name,
        (hid_t file, const char *path, const char *name, hid_t type, hid_t space, hid_t made,
         hid_t access, hid_t list),
        (file, path, name, type, space, made, access, list))
REFUSES(herr_t, H5Awrite, (hid_t held, hid_t type, const void *value), (held, type, value))

/* With a guess and a solution. */
static imp_fclib solved_masses(int joints) {
    imp_fclib p = masses(joints);
    p.guess = calloc(ROWS, sizeof *p.guess);
    p.solution = calloc(ROWS, sizeof *p.solution);
    for (int i = 0; i < ROWS; i++)
        p.guess[i] = p.solution[i] = i % 3 ? -0.125 : 0.5;
    p.mu[0] = p.mu[1] = 0.5;
    return p;
}

static imp_fclib global, local, joined, joined_local;

/* What came of a part, so that a part of it is seen to be one. */
static char said[1 << 16];
static size_t length;
static imp_error error;
static const char *path;

static void say(const double *x, int n) {
    for (int i = 0; x && i < n && length + sizeof *x <= sizeof said; i++, length += sizeof *x)
        memcpy(said + length, &x[i], sizeof *x);
    if (!x && length < sizeof said) said[length++] = '0';
}

static imp_status read_file(void) {
    imp_problem_file *file;
    const imp_case *c = NULL;
    imp_status status = imp_problem_file_open(path, &file, &error);
    if (status == IMP_OK) status = imp_problem_file_next(file, &c, &error);
    if (status == IMP_OK) {
        const imp_fclib *f = imp_problem_file_fclib(file);
        say(c->problem.q, ROWS);
        say(c->problem.mu, NC);
        say(f->guess, ROWS);
        say(f->solution, ROWS);
        say(f->multipliers, f->bilateral);
        memcpy(said + length, f->title, strlen(f->title));
        length += strlen(f->title);
    }
    imp_problem_file_close(file);
    return status;
}

static imp_status read_solution(void) {
    imp_solutions *s;
    const double *p = NULL;
    size_t n = 0;
    const imp_status status = imp_solutions_read(path, &s, &error);
    if (status != IMP_OK) return status;
    if (imp_solutions_take(s, "", 0, NC, &p, &error) != IMP_OK) abort();
    say(p, ROWS);
    p = imp_solutions_lambda(s, "", 0, &n);
    say(p, (int)n);
    imp_solutions_free(s);
    return IMP_OK;
}

static const imp_fclib *written;

static imp_status write_file(void) {
    FILE *out = fmemopen(said, sizeof said, "wb");
    if (!out) return imp_error_set(&error, IMP_NO_MEMORY, "written: no memory");
    setbuf(out, NULL);
    const imp_status status = imp_fclib_write(out, "written", written, &error);
    length = (size_t)ftell(out);
    fclose(out);
    return status;
}

/* Solved, judged and written with facts of W. */
static imp_status answer(void) {
    static double p[ROWS], u[ROWS];
    imp_fclib_posed posed;
    imp_answer found;
    imp_status status = imp_fclib_pose(written, &posed);
    if (status != IMP_OK) return imp_error_set(&error, status, "written: no memory");
    status =
        imp_answer_solve(NULL, &imp_model_auto, &posed.problem, NULL, NULL, p, u, NULL, &found);
    FILE *out = status == IMP_OK ? fmemopen(said, sizeof said, "wb") : NULL;
    if (out) {
        setbuf(out, NULL);
        status = imp_answer_write_fclib(written, &imp_model_auto, &posed.problem, &found, true, out,
                                        "written", &error);
        length = (size_t)ftell(out);
        fclose(out);
    } else {
        if (status == IMP_OK) status = IMP_NO_MEMORY;
        imp_error_set(&error, status, "written: no memory");
    }
    imp_fclib_posed_clear(&posed);
    return status;
}

/* Of a contact problem, judged by somebody's r and l. */
static imp_status judge(void) {
    static const double l[JOINTS];
    double missed = -1;
    imp_fclib made, own;
    imp_fclib_posed posed;
    imp_status status = imp_fclib_judge(written, written->guess, l, &missed);
    if (status == IMP_OK) status = imp_fclib_pose(written, &posed);
    if (status == IMP_OK) {
        status = imp_fclib_of(&posed.problem, written->guess, &made);
        if (status == IMP_OK) status = imp_fclib_local(&made, &own);
        if (status == IMP_OK) {
            say(&missed, 1);
            say(own.W.value, own.W.start[ROWS]);
            say(own.q, ROWS);
            imp_fclib_clear(&own);
        }
        imp_fclib_clear(&made);
        imp_fclib_posed_clear(&posed);
    }
    return status == IMP_OK ? status : imp_error_set(&error, status, "written: no memory");
}

static char whole[sizeof said];

static bool is_set_up(const char *what, imp_status (*run)(void)) {
    for (int k = 0; k < 2; k++) { /* what is set up once, is */
        length = 0;
        error = (imp_error){0};
        if (run() != IMP_OK || length == 0) return ok(false, "%s: %s", what, error.text);
    }
    memcpy(whole, said, length);
    return true;
}

static void calls(const char *what, imp_status (*run)(void), const char *file) {
    int failed = 0, silent = 0, wrong = 0;
    if (!is_set_up(what, run)) return;
    const size_t bytes = length;
    for (long k = 0;; k++) {
        length = 0;
        error = (imp_error){0};
        called = 0;
        failing_call = k;
        const imp_status status = run();
        failing_call = -1;
        if (called <= k) break;
        failed += status != IMP_OK;
        if (status == IMP_OK && (length != bytes || memcmp(said, whole, bytes) != 0)) silent++;
        if (status != IMP_OK &&
            (status != error.status || strchr(error.text, '\n') ||
             strncmp(error.text, file, strlen(file)) != 0) &&
            !wrong++)
            diag("%s, call %ld: %d %s", what, k, status, error.text);
    }
    ok(failed > 20 && silent == 0 && wrong == 0,
       "%s: %d calls of HDF5 failed, %d with other content, %d without a line", what, failed,
       silent, wrong);
}

static void allocations(const char *what, imp_status (*run)(void), bool kept_whole) {
#if FAILING_HERE
    long failed = 0, silent = 0, other = 0, kept = 0;
    if (!is_set_up(what, run)) return;
    const size_t bytes = length;
    bool reached = true;
    for (int on = 0; on < 2; on++, reached = true)
        for (long k = 0; reached; k++) {
            const long before = failing_living;
            length = 0;
            error = (imp_error){0};
            failing_from(k, on == 1);
            const imp_status status = run();
            reached = failing_end();
            failed += reached;
            kept += kept_whole && failing_living != before;
            silent += status == IMP_OK && (length != bytes || memcmp(said, whole, bytes) != 0);
            const bool lacked = (status == IMP_NO_MEMORY && strstr(error.text, "no memory")) ||
                                (status == IMP_IO && strstr(error.text, "Cannot allocate memory"));
            if (status != IMP_OK && !lacked && !other++)
                diag("%s, allocation %ld: %d %s", what, k, status, error.text);
        }
    ok(failed > 0 && silent == 0 && other == 0 && kept == 0,
       "%s: %ld allocations failed, %ld with other content, %ld with another error, %ld left "
       "something allocated",
       what, failed, silent, other, kept);
#else
    (void)run, (void)kept_whole;
    note("%s: an allocator of its own", what);
#endif
}

static void put_file(const imp_fclib *problem) {
    static char kept[300];
    snprintf(kept, sizeof kept, "%s", scratch_path("file.hdf5"));
    FILE *out = fopen(kept, "wb");
    if (!out || imp_fclib_write(out, kept, problem, &error) != IMP_OK || fclose(out) != 0) abort();
    path = kept;
}

int main(void) {
#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
    return skip_all("takes minutes under MemorySanitizer");
#endif
#endif
    global = solved_masses(0);
    joined = solved_masses(JOINTS);
    if (imp_fclib_local(&global, &local) != IMP_OK ||
        imp_fclib_local(&joined, &joined_local) != IMP_OK)
        abort();
    const struct {
        const char *name;
        imp_fclib *problem;
    } forms[] = {{"global with joints", &joined},
                 {"global", &global},
                 {"local with joints", &joined_local},
                 {"local", &local}};
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k += (size_t)tap_many(2, 1)) {
        note("%s", forms[k].name);
        written = forms[k].problem;
        put_file(written);
        calls("reading", read_file, path);
        calls("reading its solution", read_solution, path);
        calls("writing", write_file, "written");
        calls("answering", answer, "written");
        allocations("reading", read_file, false);
        allocations("reading its solution", read_solution, false);
        allocations("writing", write_file, false);
        allocations("answering", answer, false);
        if (written->bilateral > 0) allocations("judging", judge, true);
    }
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++)
        imp_fclib_clear(forms[k].problem);
    return tap_done();
}
