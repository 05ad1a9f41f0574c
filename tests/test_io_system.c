/* test_io_system.c - a file that cannot be read to its end is an I/O error, whichever bytes were
 * read before: neither a shorter file nor wrong content; and what a full disk does not take is one
 * too.
 *
 * The bytes stand at the end of a page of this process behind which nothing is mapped, and are read
 * through /proc/self/mem: after the last of them the system says EIO. */
#include "impact.h"
#include "io/fclib.h"
#include "scratch.h"
#include "tap.h"

#include <fcntl.h>
#include <stdio_ext.h>
#include <sys/mman.h>

static char *page_end; /* of the last page that is mapped */
enum { PAGES = 64 };

/* Standard input <- the first `length` bytes of the text, then EIO. */
static void put_on_input(const char *text, size_t length) {
    char *at = page_end - length;
    __fpurge(stdin);
    clearerr(stdin);
    memcpy(at, text, length);
    if (fseeko(stdin, (off_t)(intptr_t)at, SEEK_SET) != 0) abort();
}

static bool can_fail(void) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *pages =
        mmap(NULL, (PAGES + 1) * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const int memory = open("/proc/self/mem", O_RDONLY);
    if (pages == MAP_FAILED || memory < 0 || dup2(memory, STDIN_FILENO) < 0) return false;
    close(memory);
    page_end = pages + PAGES * page;
    munmap(page_end, page);
    char two[2];
    put_on_input("x", 1);
    const bool one = fread(two, 1, 2, stdin) == 1 && ferror(stdin);
    clearerr(stdin);
    return one;
}

/* Readers of standard input. */
static imp_status read_problems(imp_error *error) {
    imp_problem_file *file;
    const imp_case *c = NULL;
    imp_status status = imp_problem_file_open("-", &file, error);
    while (status == IMP_OK && (status = imp_problem_file_next(file, &c, error)) == IMP_OK && c)
        continue;
    imp_problem_file_close(file);
    return status;
}

static imp_status read_solutions(imp_error *error) {
    imp_solutions *solutions = NULL;
    const imp_status status = imp_solutions_read("-", &solutions, error);
    imp_solutions_free(solutions);
    return status;
}

static imp_status read_flow(imp_error *error) {
    imp_flow flow;
    return imp_flow_read("-", NULL, &flow, error);
}

/* After each so many bytes of the text, and after all of them. */
static void cannot_be_read(const char *what, imp_status (*read)(imp_error *), const char *text,
                           size_t length) {
    int wrong = 0;
    const size_t step = length > 400 ? length / 67 : 1;
    for (size_t n = 0; n <= length; n = n < length && n + step > length ? length : n + step) {
        imp_error error = {0};
        put_on_input(text, n);
        const imp_status status = read(&error);
        const bool good = status == IMP_IO && error.status == IMP_IO &&
                          strncmp(error.text, "standard input: cannot be read", 30) == 0;
        if (!good && !wrong++) diag("%s, %zu bytes: %d %s", what, n, status, error.text);
    }
    ok(wrong == 0, "%s of %zu bytes, wherever reading fails: an I/O error", what, length);
}

#define HEADER "id\tmu\tW11\tW12\tW13\tW22\tW23\tW33\tq1\tq2\tq3\n"
#define ROW    "a\t0.5\t2\t0\t0\t3\t0\t4\t-1\t0.5\t0\n"
#define ONE    "{\"W\": [[2,0,0],[0,2,0],[0,0,2]], \"q\": [1,0,0], \"mu\": 1e0}"

static void of_text(const char *what, imp_status (*read)(imp_error *), const char *text) {
    cannot_be_read(what, read, text, strlen(text));
}

/* An FCLIB file of one contact. */
static void of_fclib(void) {
    double W[9] = {2, 0, 0, 0, 3, 0, 0, 0, 3}, q[3] = {-1, 0, 0}, mu = 0.5;
    static char bytes[1 << 16];
    const imp_operator op = imp_operator_dense(1, W);
    const imp_problem problem = {.nc = 1, .W = &op, .q = q, .mu = &mu};
    imp_fclib made;
    imp_error error;
    FILE *out = fmemopen(bytes, sizeof bytes, "wb");
    if (!out || imp_fclib_of(&problem, q, &made) != IMP_OK) abort();
    const imp_status status = imp_fclib_write(out, "bytes", &made, &error);
    const long length = ftell(out);
    imp_fclib_clear(&made);
    fclose(out);
    ok(status == IMP_OK && length > 1000, "an FCLIB file is made: %ld bytes", length);
    cannot_be_read("an FCLIB file", read_problems, bytes, (size_t)length);
    cannot_be_read("its solution", read_solutions, bytes, (size_t)length);
}

/* A disk without room takes none of it, whatever writes. */
static void of_a_full_disk(void) {
    imp_error error = {0};
    double W[9] = {2, 0, 0, 0, 3, 0, 0, 0, 3}, q[3] = {-1, 0, 0}, mu = 0.5, times = 0;
    char name[] = "a.vtu", *names[] = {name};
    const imp_operator op = imp_operator_dense(1, W);
    const imp_problem problem = {.nc = 1, .W = &op, .q = q, .mu = &mu};
    const imp_vtk_field field = {"position", 3, q};
    if (access("/dev/full", W_OK) != 0) {
        skip("a system without /dev/full");
        return;
    }
    ok(imp_problem_dump("/dev/full", NULL, &problem, NULL, NULL, &error) == IMP_IO &&
           strstr(error.text, "/dev/full: cannot be written: No space"),
       "a dump: %s", error.text);
    ok(imp_vtk_points("/dev/full", 1, &field, 1, &error) == IMP_IO &&
           strstr(error.text, "/dev/full: cannot be written: No space"),
       "a picture: %s", error.text);
    ok(imp_vtk_index("/dev/full", 1, &times, names, &error) == IMP_IO, "its index: %s", error.text);
    const char *nowhere = scratch_path("no/such");
    ok(imp_problem_dump(nowhere, NULL, &problem, NULL, NULL, &error) == IMP_IO &&
           imp_vtk_points(nowhere, 1, &field, 1, &error) == IMP_IO &&
           imp_vtk_index(nowhere, 1, &times, names, &error) == IMP_IO,
       "in a folder that is not there: %s", error.text);
    imp_fclib made;
    FILE *full = fopen("/dev/full", "wb");
    if (!full || imp_fclib_of(&problem, NULL, &made) != IMP_OK) abort();
    setbuf(full, NULL);
    ok(imp_fclib_write(full, "full", &made, &error) == IMP_IO &&
           strcmp(error.text, "full: cannot be written: No space left on device") == 0,
       "an FCLIB file: %s", error.text);
    fclose(full);
    imp_fclib_clear(&made);
}

int main(void) {
    if (!can_fail()) return skip_all("a system without /proc/self/mem");
    of_text("a problem", read_problems, ONE);
    of_text("problems a line", read_problems, ONE "\n" ONE "\n\n" ONE "\n");
    of_text("a list of problems", read_problems, "[" ONE ", " ONE "]\n");
    of_text("a table", read_problems, "# c\n" HEADER ROW ROW);
    of_text("a table of solutions", read_solutions, "id\tp1\tp2\tp3\na\t1\t2\t3\n");
    of_text("solutions", read_solutions, "{\"p\": [1,2,3]}\n{\"p\": null}\n");
    of_fclib();
    of_a_full_disk();
    of_text("a flow", read_flow, "{\"kind\": \"flow\", \"until\": 1}\n");
    return tap_done();
}
