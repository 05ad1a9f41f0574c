/* stream.c - any input from its start again, all or nothing on any output. */
#include "io/stream.h"
#include "io/target.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

imp_status imp_error_system(imp_error *error, const char *name, const char *what) {
    char reason[128];
    return imp_error_set(error, IMP_IO, "%s: %s: %s", name, what,
                         strerror_r(errno, reason, sizeof reason));
}

/* The rest of a stream behind what another has. */
static bool append(FILE *from, FILE *to) {
    char block[1 << 16];
    size_t n;
    while ((n = fread(block, 1, sizeof block, from)) > 0)
        if (fwrite(block, 1, n, to) != n) return false;
    return !ferror(from) && fflush(to) == 0;
}

/* Copies a stream to an unnamed temporary file. */
static imp_status spool(imp_input *input, imp_error *error) {
    FILE *copy = tmpfile();
    if (!copy) return imp_error_system(error, input->name, "no temporary file to copy it to");
    if (!append(input->file, copy)) {
        imp_error_system(error, input->name,
                         ferror(input->file) ? "cannot be read"
                                             : "cannot be copied to a temporary file");
        fclose(copy);
        return IMP_IO;
    }
    imp_input_close(input);
    input->file = copy;
    input->start = 0;
    return imp_input_rewind(input, error);
}

/* UTF-8's byte order mark, with which some editors begin a text, is none of it. */
static imp_status skip_mark(imp_input *input, imp_error *error) {
    unsigned char head[3];
    if (fread(head, 1, 3, input->file) == 3 && memcmp(head, "\xEF\xBB\xBF", 3) == 0)
        input->start += 3;
    if (ferror(input->file)) return imp_error_system(error, input->name, "cannot be read");
    return imp_input_rewind(input, error);
}

imp_status imp_input_open(imp_input *input, const char *path, imp_error *error) {
    *input = (imp_input){0};
    if (!path) return imp_error_set(error, IMP_BAD_ARGUMENT, "no name, expected a file to read");
    const bool standard = strcmp(path, "-") == 0;
    *input = (imp_input){.file = standard ? stdin : fopen(path, "rb")};
    snprintf(input->name, sizeof input->name, "%s", standard ? "standard input" : path);
    if (!*path) return imp_error_set(error, IMP_IO, "an empty name, expected a file to read");
    if (!input->file) return imp_error_system(error, input->name, "cannot be opened");
    struct stat about;
    imp_status status = IMP_OK;
    if (fstat(fileno(input->file), &about) != 0)
        status = imp_error_system(error, input->name, "cannot be read");
    else if (S_ISDIR(about.st_mode))
        status = imp_error_set(error, IMP_IO, "%s: is a directory, expected a file", input->name);
    else if (S_ISCHR(about.st_mode) && !isatty(fileno(input->file)) && fgetc(input->file) != EOF)
        status = imp_error_set(error, IMP_IO, "%s: is a device, expected a file", input->name);
    else if (!S_ISREG(about.st_mode) || (input->start = ftello(input->file)) < 0)
        status = spool(input, error);
    if (status == IMP_OK) status = skip_mark(input, error);
    if (status != IMP_OK) imp_input_close(input);
    return status;
}

imp_status imp_input_rewind(imp_input *input, imp_error *error) {
    if (fseeko(input->file, input->start, SEEK_SET) != 0)
        return imp_error_system(error, input->name, "cannot be read again");
    clearerr(input->file);
    return IMP_OK;
}

imp_status imp_input_peek(imp_input *input, unsigned char head[IMP_STREAM_HEAD], size_t *n,
                          imp_error *error) {
    do {
        size_t blank = 0;
        *n = fread(head, 1, IMP_STREAM_HEAD, input->file);
        while (blank < *n && head[blank] != 0 && strchr(" \t\r\n", head[blank]))
            blank++;
        *n -= blank;
        memmove(head, head + blank, *n);
    } while (*n == 0 && !feof(input->file) && !ferror(input->file));
    if (ferror(input->file)) return imp_error_system(error, input->name, "cannot be read");
    return imp_input_rewind(input, error);
}

void imp_input_close(imp_input *input) {
    if (input->file && input->file != stdin) fclose(input->file);
    input->file = NULL;
}

/* Owner and permissions of the file that is replaced; another's stays another's only where the
 * system allows it. */
static bool take_after(int fd, const struct stat *old) {
    if (fchown(fd, old->st_uid, old->st_gid) != 0 && errno != EPERM) return false;
    return fchmod(fd, old->st_mode & 07777) == 0;
}

/* An unnamed file in the target's folder, which the system drops with the process: -1 where there
 * is none, or no way to name it later. */
static int open_unnamed(const imp_output *output, mode_t mode, char way[32]) {
    char *copy = strdup(output->path);
    const int fd = copy ? open(dirname(copy), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode) : -1;
    free(copy);
    snprintf(way, 32, "/proc/self/fd/%d", fd);
    if (fd < 0 || access(way, F_OK) == 0) return fd;
    close(fd);
    return -1;
}

/* Of a temporary name: what of the target's own name fits in front of the process, as 255 bytes are
 * the most that a name may have nearly everywhere. */
static int length_of_name(const char *path) {
    enum { MOST = 200 };
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const size_t length = strlen(name);
    return (int)(name - path) + (length < MOST ? (int)length : MOST);
}

/* Gives a file a name beside the target that nobody else uses: the unnamed one that `way` leads to,
 * or, NULL, a new one. Its descriptor, or 0 for the unnamed one; -1: fails. */
static int take_name(imp_output *output, const char *way, mode_t mode) {
    const int length = length_of_name(output->path);
    for (int attempt = 0; attempt < 100; attempt++) {
        if (asprintf(&output->temporary, "%.*s.%ld-%d.part", length, output->path, (long)getpid(),
                     attempt) < 0) {
            output->temporary = NULL;
            return -1;
        }
        const int taken =
            way ? linkat(AT_FDCWD, way, AT_FDCWD, output->temporary, AT_SYMLINK_FOLLOW)
                : open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (taken >= 0) return taken;
        free(output->temporary);
        output->temporary = NULL;
        if (errno != EEXIST) return -1;
    }
    return -1;
}

/* A new file in the target's folder, without a name where the system has such; `old` is what it
 * will replace, NULL: nothing. */
static FILE *open_beside(imp_output *output, const struct stat *old) {
    const mode_t mode = old ? old->st_mode & 0777 : 0666; /* never wider than it ends */
    int fd = open_unnamed(output, mode, output->way);
    if (fd < 0) fd = take_name(output, NULL, mode);
    FILE *file = fd >= 0 && (!old || take_after(fd, old)) ? fdopen(fd, "wb") : NULL;
    if (!file && fd >= 0) close(fd);
    output->replaces = file != NULL;
    return file;
}

imp_status imp_output_open(imp_output *output, const char *path, imp_error *error) {
    struct stat about;
    *output = (imp_output){0};
    if (!path) return imp_error_set(error, IMP_BAD_ARGUMENT, "no name, expected a file to write");
    const bool exists = stat(path, &about) == 0;
    const bool regular = exists && S_ISREG(about.st_mode);
    if (!*path) return imp_error_set(error, IMP_IO, "an empty name, expected a file to write");
    output->path = regular  ? realpath(path, NULL)
                   : exists ? strdup(path) /* a pipe has no other name */
                            : imp_output_target(path);
    output->shared = regular && about.st_nlink > 1;
    if (!output->path) return imp_error_system(error, path, "cannot be written");
    output->file =
        exists && !regular ? fopen(path, "wb") : open_beside(output, exists ? &about : NULL);
    if (output->file) return IMP_OK;
    imp_error_system(error, path, "cannot be written");
    imp_output_abandon(output);
    return IMP_IO;
}

imp_status imp_output_borrow(imp_output *output, FILE *stream, const char *name, imp_error *error) {
    *output = (imp_output){.file = stream, .path = strdup(name), .borrowed = stream};
    return output->path ? IMP_OK : imp_error_set(error, IMP_NO_MEMORY, "no memory");
}

imp_status imp_output_spool(imp_output *output, FILE *stream, const char *name, imp_error *error) {
    const imp_status status = imp_output_borrow(output, stream, name, error);
    if (status != IMP_OK || (output->file = tmpfile())) return status;
    imp_error_system(error, name, "no temporary file to write to");
    imp_output_abandon(output);
    return IMP_IO;
}

/* The complete temporary file into the target itself, so that every name of the target has it. The
 * temporary stays when that fails, or is interrupted: nothing else has the content then. */
static bool copy_over(imp_output *output) {
    char *name = output->temporary;
    FILE *from = fopen(name, "rb"), *to = from ? fopen(output->path, "r+b") : NULL;
    bool good = to != NULL;
    if (good) output->temporary = NULL;
    good = good && ftruncate(fileno(to), 0) == 0;
    good = good && append(from, to) && fsync(fileno(to)) == 0;
    if (to && fclose(to) != 0) good = false;
    if (from) fclose(from);
    if (good) unlink(name);
    if (!output->temporary) free(name);
    return good;
}

/* The temporary file, all of it on the disk, under the target's name. */
static bool put_in_place(imp_output *output) {
    const bool good = fsync(fileno(output->file)) == 0 &&
                      (output->temporary || take_name(output, output->way, 0) >= 0);
    const bool closed = fclose(output->file) == 0;
    output->file = NULL;
    if (!good || !closed) return false;
    return output->shared ? copy_over(output) : rename(output->temporary, output->path) == 0;
}

imp_status imp_output_commit(imp_output *output, imp_error *error) {
    const bool failed_before = ferror(output->file);
    errno = 0;
    bool good = fflush(output->file) == 0 && !failed_before;
    imp_status status = IMP_OK;
    if (good && output->replaces) {
        good = put_in_place(output);
    } else if (good && !output->borrowed) {
        good = fclose(output->file) == 0;
        output->file = NULL;
    } else if (good && output->file != output->borrowed) {
        rewind(output->file);
        good = append(output->file, output->borrowed);
    }
    if (!good && errno != 0)
        status = imp_error_system(error, output->path, "cannot be written");
    else if (!good) /* an earlier write failed; its reason is gone */
        status = imp_error_set(error, IMP_IO, "%s: cannot be written", output->path);
    char *renamed = good ? output->temporary : NULL;
    if (good) output->temporary = NULL;
    free(renamed);
    imp_output_abandon(output);
    return status;
}

void imp_output_abandon(imp_output *output) {
    const imp_output ended = *output;
    if (ended.file && ended.file != ended.borrowed) fclose(ended.file);
    if (ended.temporary) unlink(ended.temporary);
    /* before the names are freed: a signal handler may be about to read them */
    *output = (imp_output){0};
    free(ended.temporary);
    free(ended.path);
}
