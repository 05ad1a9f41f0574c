/* kept.c - a file of items: the title, then of each "item status length sum\n" and its bytes; the
 * sum is of the words before it and of the bytes. A record that is not whole, by its length or its
 * sum, and what is behind it count as not written. */
#include "cli/kept.h"

#include "base/hash.h"
#include "io/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct slot {
    off_t at; /* where its bytes begin; 0: there is none */
    size_t length;
} slot;

struct kept {
    FILE *file;
    char *name;
    long items, count;
    bool unsolved;
    slot *slot;  /* (items) */
    char *bytes; /* room */
    size_t room;
};

static uint64_t add_text(uint64_t sum, const char *text) {
    return imp_hash(sum, text, strlen(text));
}

static uint64_t add_words(uint64_t sum, const char *before, const char *word) {
    return add_text(add_text(sum, before), word);
}

bool kept_title(const char *name, const json_t *scene, const char *numbers, const options *o,
                const imp_model *const *models, char title[80]) {
    char *text = json_dumps(scene, JSON_COMPACT | JSON_REAL_PRECISION(17));
    if (!text) return false;
    uint64_t sum = add_words(add_text(IMP_HASH_SEED, text), "\n", numbers);
    free(text);
    for (char **a = o->assign; *a; a++)
        sum = add_words(sum, "\nset ", *a);
    for (const char **a = o->over; *a; a++)
        sum = add_words(sum, "\nover ", *a);
    for (; *models; models++)
        sum = add_words(sum, "\nmodel ", (*models)->name);
    snprintf(title, 80, "# impact %s " IMP_VERSION " %016" PRIx64, name, sum);
    return true;
}

/* head <- the words before the sum of a record, which is returned. */
static uint64_t make_head(long item, int status, const char *bytes, size_t length, char head[80]) {
    snprintf(head, 80, "%ld %d %zu ", item, status, length);
    return imp_hash(add_text(IMP_HASH_SEED, head), bytes, length);
}

static bool make_room(kept *k, size_t length) {
    if (length < k->room) return true;
    char *more = realloc(k->bytes, length + 1);
    if (!more) return false;
    k->bytes = more;
    k->room = length + 1;
    return true;
}

static void take(kept *k, long item, int status, off_t at, size_t length) {
    k->slot[item] = (slot){at, length};
    k->count++;
    k->unsolved = k->unsolved || status != IMP_OK;
}

/* The next record; false: it is not whole. */
static bool read_record(kept *k, off_t size, bool *no_memory) {
    char line[128], head[80], same[128];
    long item;
    int status;
    size_t length;
    if (!fgets(line, sizeof line, k->file) ||
        sscanf(line, "%ld %d %zu", &item, &status, &length) != 3)
        return false;
    const off_t at = ftello(k->file);
    if (item < 0 || item >= k->items || kept_has(k, item) ||
        (uintmax_t)length > (uintmax_t)(size - at))
        return false;
    *no_memory = !make_room(k, length);
    if (*no_memory || fread(k->bytes, 1, length, k->file) != length) return false;
    const uint64_t sum = make_head(item, status, k->bytes, length, head);
    snprintf(same, sizeof same, "%s%" PRIu64 "\n", head, sum);
    if (strcmp(line, same) != 0) return false;
    take(k, item, status, at, length);
    return true;
}

static imp_status read_all(kept *k, const char *title, imp_error *error) {
    fseeko(k->file, 0, SEEK_END);
    const off_t size = ftello(k->file);
    const size_t length = strlen(title);
    bool no_memory = !make_room(k, length + 1);
    rewind(k->file);
    if (no_memory) return imp_error_set(error, IMP_NO_MEMORY, "no memory");
    if (size == 0) {
        fprintf(k->file, "%s\n", title);
        return fflush(k->file) == 0 ? IMP_OK
                                    : imp_error_system(error, k->name, "cannot be written");
    }
    if (fread(k->bytes, 1, length + 1, k->file) != length + 1 ||
        memcmp(k->bytes, title, length) != 0 || k->bytes[length] != '\n')
        return imp_error_set(error, IMP_BAD_ARGUMENT,
                             "%s: is not of this run, expected a new file or that of the same "
                             "scene, options and version",
                             k->name);
    off_t whole;
    do
        whole = ftello(k->file);
    while (read_record(k, size, &no_memory));
    if (no_memory) return imp_error_set(error, IMP_NO_MEMORY, "no memory");
    /* what is behind goes: behind the next record a piece of it might look whole */
    if (fseeko(k->file, whole, SEEK_SET) != 0 || ftruncate(fileno(k->file), whole) != 0)
        return imp_error_system(error, k->name, "cannot be written");
    return IMP_OK;
}

/* A lock that ends with this process: those it forks do not have it. */
static imp_status claim(const kept *k, imp_error *error) {
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    struct stat about;
    const int fd = fileno(k->file);
    if (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode))
        return imp_error_set(error, IMP_BAD_ARGUMENT, "%s: is no regular file, expected one",
                             k->name);
    if (fcntl(fd, F_SETLK, &whole) == 0) return IMP_OK;
    return imp_error_set(error, IMP_BAD_ARGUMENT,
                         "%s: another run is writing it, expected a file of this one", k->name);
}

kept *kept_open(const char *path, const char *title, long items, imp_error *error) {
    kept *k = calloc(1, sizeof *k);
    if (k) k->slot = calloc((size_t)items + 1, sizeof *k->slot);
    if (k) k->name = strdup(path ? path : "temporary file");
    if (!k || !k->slot || !k->name) {
        imp_error_set(error, IMP_NO_MEMORY, "no memory");
        kept_close(k);
        return NULL;
    }
    imp_status status = IMP_OK;
    k->items = items;
    const int fd = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
    k->file = fd >= 0 ? fdopen(fd, "r+b") : path ? NULL : tmpfile();
    if (!k->file) status = imp_error_system(error, k->name, "cannot be written");
    if (fd >= 0 && !k->file) close(fd);
    if (status == IMP_OK && path) status = claim(k, error);
    if (status == IMP_OK) status = read_all(k, title, error);
    if (status == IMP_OK) return k;
    kept_close(k);
    return NULL;
}

void kept_close(kept *k) {
    if (!k) return;
    if (k->file) fclose(k->file);
    free(k->name);
    free(k->slot);
    free(k->bytes);
    free(k);
}

bool kept_has(const kept *k, long item) {
    return k->slot[item].at > 0;
}

long kept_count(const kept *k) {
    return k->count;
}

bool kept_unsolved(const kept *k) {
    return k->unsolved;
}

imp_status kept_add(kept *k, long item, imp_status status, const char *bytes, size_t length,
                    imp_error *error) {
    char head[80];
    const uint64_t sum = make_head(item, (int)status, bytes, length, head);
    fprintf(k->file, "%s%" PRIu64 "\n", head, sum);
    const off_t at = ftello(k->file);
    fwrite(bytes, 1, length, k->file);
    if (fflush(k->file) != 0) return imp_error_system(error, k->name, "cannot be written");
    take(k, item, status, at, length);
    return IMP_OK;
}

const char *kept_read(kept *k, long item, size_t *length, imp_error *error) {
    const slot s = k->slot[item];
    *length = s.length;
    if (!make_room(k, s.length)) return imp_error_set(error, IMP_NO_MEMORY, "no memory"), NULL;
    if (fseeko(k->file, s.at, SEEK_SET) != 0 || fread(k->bytes, 1, s.length, k->file) != s.length)
        return imp_error_system(error, k->name, "cannot be read"), NULL;
    k->bytes[s.length] = '\0';
    return k->bytes;
}

imp_status kept_write(kept *k, FILE *out, imp_error *error) {
    for (long item = 0; item < k->items; item++) {
        size_t length;
        const char *bytes = kept_read(k, item, &length, error);
        if (!bytes) return error->status;
        fwrite(bytes, 1, length, out);
    }
    return IMP_OK;
}
