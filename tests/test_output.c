/* test_output.c - what is written appears whole or not at all, and nothing is left of what is not,
 * by files that have no name until then, and by named ones where the system has no others. */
#include "io/stream.h"
#include "scratch.h"
#include "tap.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the system is made to refuse, each with the error it gives then. */
static int unnamed_error, link_error;
static int links; /* files named so far */

int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    if ((flags & O_TMPFILE) == O_TMPFILE && unnamed_error) return errno = unnamed_error, -1;
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

/* Of several errors each is given once: EEXIST, then none. */
int linkat(int from, const char *old, int to, const char *new, int flags) {
    links++;
    if (link_error) {
        errno = link_error;
        if (link_error == EEXIST) link_error = 0;
        return -1;
    }
    return (int)syscall(SYS_linkat, from, old, to, new, flags);
}

static bool holds(const char *path, const char *want) {
    char got[100] = "";
    FILE *in = fopen(path, "rb");
    if (!in) return false;
    const size_t n = fread(got, 1, sizeof got - 1, in);
    fclose(in);
    return n == strlen(want) && memcmp(got, want, n) == 0;
}

/* How many names the folder has. */
static int names(void) {
    int n = 0;
    DIR *folder = opendir(scratch_folder);
    if (!folder) return -1;
    while (readdir(folder))
        n++;
    closedir(folder);
    return n - 2;
}

static bool opens(imp_output *out, const char *path) {
    imp_error error;
    const bool good =
        imp_output_open(out, path, &error) == IMP_OK && fputs("after", out->file) >= 0;
    if (!good) diag("%s", error.text);
    return good && fflush(out->file) == 0;
}

static bool commits(imp_output *out) {
    imp_error error;
    const bool good = imp_output_commit(out, &error) == IMP_OK;
    if (!good) diag("%s", error.text);
    return good;
}

/* Dies, by a signal that nobody can hold, while it writes. */
static void die_writing(const char *path) {
    const pid_t child = fork();
    if (child == 0) {
        imp_output out;
        if (opens(&out, path)) raise(SIGKILL);
        _exit(1);
    }
    int how = 0;
    ok(child > 0 && waitpid(child, &how, 0) == child && WIFSIGNALED(how), "killed while it writes");
}

static void check_links(void) {
    imp_output out;
    imp_error error;
    struct stat about;
    const char *new = scratch_path("new"), *nowhere = scratch_path("nowhere"),
               *through = scratch_path("through");
    ok(symlink("new", nowhere) == 0 && symlink("nowhere", through) == 0 && opens(&out, through) &&
           access(new, F_OK) != 0 && commits(&out) && holds(new, "after") &&
           lstat(nowhere, &about) == 0 && S_ISLNK(about.st_mode),
       "through links that lead nowhere yet, which stay");
    ok(unlink(new) == 0 && unlink(nowhere) == 0 && symlink("through", nowhere) == 0 &&
           imp_output_open(&out, nowhere, &error) == IMP_IO && strstr(error.text, "symbolic links"),
       "links in a circle are refused: %s", error.text);
    unlink(nowhere);
    unlink(through);
}

/* As long as a name may be, where no other fits beside it that is longer. */
static void check_long_name(void) {
    imp_output out;
    char path[sizeof scratch_folder + NAME_MAX + 2];
    const int folder = snprintf(path, sizeof path, "%s/", scratch_folder);
    memset(path + folder, 'n', NAME_MAX);
    path[folder + NAME_MAX] = '\0';
    ok(opens(&out, path) && commits(&out) && holds(path, "after") && unlink(path) == 0,
       "a name of %d bytes", NAME_MAX);
}

static void check_one_way(const char *way, int extra) {
    imp_output out;
    struct stat about;
    const char *path = scratch_text("out", "before"), *link = scratch_path("link");
    const int before = names();
    ok(opens(&out, path) && holds(path, "before") && names() == before + extra,
       "%s: nothing is seen before the end", way);
    imp_output_abandon(&out);
    ok(holds(path, "before") && names() == before, "abandoned without a trace");
    die_writing(path);
    ok(holds(path, "before") && names() == before + extra,
       extra ? "what it wrote stays beside the target" : "nothing is left of it");

    ok(chmod(path, 0640) == 0 && opens(&out, path) && commits(&out) && holds(path, "after") &&
           stat(path, &about) == 0 && (about.st_mode & 07777) == 0640,
       "complete at the end, with the permissions of what was there");
    ok(symlink("out", link) == 0 && scratch_text("out", "before") && opens(&out, link) &&
           commits(&out) && holds(path, "after") && lstat(link, &about) == 0 &&
           S_ISLNK(about.st_mode),
       "through a link, which stays");
    const char *second = scratch_path("second");
    ok(scratch_text("out", "before") && linkat(AT_FDCWD, path, AT_FDCWD, second, 0) == 0 &&
           opens(&out, path) && commits(&out) && holds(path, "after") && holds(second, "after"),
       "into a file of two names");
    const char *new = scratch_path("new");
    ok(opens(&out, new) && access(new, F_OK) != 0 && commits(&out) && holds(new, "after"),
       "and where there was none");
    ok(unlink(link) == 0 && unlink(second) == 0 && unlink(new) == 0 && names() == before + extra,
       "nothing else is left");
}

static void check_naming(void) {
    imp_output out;
    imp_error error;
    const char *path = scratch_text("out", "before");
    const int before = names(), made = links;
    link_error = EEXIST;
    ok(opens(&out, path) && commits(&out) && holds(path, "after") && links == made + 2,
       "a name that somebody has is not taken: another");
    link_error = ENOSPC;
    scratch_text("out", "before");
    ok(opens(&out, path) && imp_output_commit(&out, &error) == IMP_IO &&
           strstr(error.text, "No space left") && holds(path, "before") && names() == before,
       "no room for a name: %s", error.text);
    link_error = 0;
}

static void check_streams(void) {
    imp_output out;
    imp_error error;
    FILE *stream = tmpfile();
    ok(imp_output_spool(&out, stream, "it", &error) == IMP_OK && fputs("gone", out.file) >= 0,
       "an output that waits");
    imp_output_abandon(&out);
    ok(ftell(stream) == 0, "abandoned: nothing of it in the stream");
    ok(imp_output_spool(&out, stream, "it", &error) == IMP_OK && fputs("after", out.file) >= 0 &&
           fflush(out.file) == 0 && ftell(stream) == 0 &&
           imp_output_commit(&out, &error) == IMP_OK && ftell(stream) == 5,
       "committed: all of it, and not before");
    fclose(stream);
}

/* A device that is always full: one of our own where root may make and open it, so that no mistake
 * replaces the system's. */
static const char *full_disk(void) {
    const char *own = scratch_path("full");
    if (mknod(own, S_IFCHR | 0666, makedev(1, 7)) != 0) return "/dev/full";
    FILE *file = fopen(own, "w");
    if (!file) return "/dev/full";
    fclose(file);
    return own;
}

static void check_refusals(void) {
    imp_output out;
    imp_error error;
    struct stat about;
    ok(imp_output_open(&out, NULL, &error) == IMP_BAD_ARGUMENT, "no name: %s", error.text);
    ok(imp_output_open(&out, scratch_path("none/out"), &error) == IMP_IO, "no such folder: %s",
       error.text);
    ok(imp_output_open(&out, scratch_folder, &error) == IMP_IO, "a folder: %s", error.text);
    const char *full = full_disk();
    if (access(full, W_OK) == 0) {
        ok(imp_output_open(&out, full, &error) == IMP_OK && fputs("x", out.file) >= 0 &&
               imp_output_commit(&out, &error) == IMP_IO && strstr(error.text, "No space left"),
           "a full disk: %s", error.text);
        ok(stat(full, &about) == 0 && S_ISCHR(about.st_mode), "which stays a device");
    } else {
        skip("no /dev/full");
    }
}

int main(void) {
    scratch_path("out");
    const int fd = open(scratch_folder, O_TMPFILE | O_WRONLY, 0600);
    if (fd >= 0) {
        close(fd);
        check_one_way("a file without a name", 0);
        check_links();
        check_long_name();
        check_naming();
    } else {
        skip("this file system names all its files");
    }
    unnamed_error = EOPNOTSUPP;
    check_one_way("a file system that names all its files", 1);
    check_links();
    check_long_name();
    check_streams();
    check_refusals();
    return tap_done();
}
