/* failing.c - malloc and its kin, which fail where they are told to. */
#include "failing.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

volatile long failing_made, failing_living, failing_at = -1;
volatile bool failing_on;

#if FAILING_HERE
#ifdef FAILING_PRELOADED
/* The next in line: the C library's, or LeakSanitizer's where that is preloaded behind. */
static struct {
    void *(*malloc)(size_t), *(*calloc)(size_t, size_t), *(*realloc)(void *, size_t);
    void *(*memalign)(size_t, size_t);
    void (*free)(void *);
} next;

static void find(void *function, const char *name) {
    *(void **)function = dlsym(RTLD_NEXT, name);
}

static void find_next(void) {
    if (next.free) return;
    find(&next.malloc, "malloc");
    find(&next.calloc, "calloc");
    find(&next.realloc, "realloc");
    find(&next.memalign, "memalign");
    find(&next.free, "free");
}
#define NEXT(function) (find_next(), next.function)
#else
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *old, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);
void __libc_free(void *old);
#define NEXT(function) __libc_##function
#endif

enum { SPARED = 5 };
static uintptr_t spared_from[SPARED], spared_to[SPARED];

/* Called from `from`: those of libraries that are spared do not fail, and are not counted. */
static bool fails(const void *from) {
    const uintptr_t at = (uintptr_t)from;
    for (int k = 0; k < SPARED; k++)
        if (at >= spared_from[k] && at < spared_to[k]) return false;
    const long k = failing_made++;
    const bool now = failing_at >= 0 && (k == failing_at || (failing_on && k > failing_at));
    if (now) errno = ENOMEM;
    return now;
}

#define FAILS fails(__builtin_return_address(0))

void *malloc(size_t bytes) {
    void *memory = FAILS ? NULL : NEXT(malloc)(bytes);
    failing_living += memory != NULL;
    return memory;
}

void *calloc(size_t count, size_t bytes) {
    void *memory = FAILS ? NULL : NEXT(calloc)(count, bytes);
    failing_living += memory != NULL;
    return memory;
}

void *realloc(void *old, size_t bytes) {
    void *memory = FAILS ? NULL : NEXT(realloc)(old, bytes);
    failing_living += memory != NULL && old == NULL;
    return memory;
}

void *aligned_alloc(size_t alignment, size_t bytes) {
    void *memory = FAILS ? NULL : NEXT(memalign)(alignment, bytes);
    failing_living += memory != NULL;
    return memory;
}

int posix_memalign(void **memory, size_t alignment, size_t bytes) {
    *memory = FAILS ? NULL : NEXT(memalign)(alignment, bytes);
    failing_living += *memory != NULL;
    return *memory ? 0 : ENOMEM;
}

void free(void *old) {
    failing_living -= old != NULL;
    NEXT(free)(old);
}

/* The C library's own would ask malloc in its own name, whoever asked for the copy. */
char *strdup(const char *text) {
    const size_t bytes = strlen(text) + 1;
    char *copy = FAILS ? NULL : NEXT(malloc)(bytes);
    failing_living += copy != NULL;
    return copy ? memcpy(copy, text, bytes) : NULL;
}
#endif

#ifdef FAILING_PRELOADED
static const char *const spared[SPARED] = {"libgomp", "libomp", "libgsl.", "libhdf5", "libz."};

/* Where they lie. */
static int find_spared(struct dl_phdr_info *of, size_t size, void *none) {
    (void)size, (void)none;
    for (int s = 0; s < SPARED; s++)
        for (int k = 0; strstr(of->dlpi_name, spared[s]) && k < of->dlpi_phnum; k++) {
            const ElfW(Phdr) *part = &of->dlpi_phdr[k];
            if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
            spared_from[s] = of->dlpi_addr + part->p_vaddr;
            spared_to[s] = spared_from[s] + part->p_memsz;
        }
    return 0;
}

/* Which takes memory through the C library, too: so do its plugins, set up at their first call. */
static void set_hdf5_up(void) {
    int (*unfinished)(void), (*open)(void), (*plugins)(unsigned *);
    unsigned state;
    *(void **)&unfinished = dlsym(RTLD_DEFAULT, "H5dont_atexit");
    *(void **)&open = dlsym(RTLD_DEFAULT, "H5open");
    *(void **)&plugins = dlsym(RTLD_DEFAULT, "H5PLget_loading_state");
    if (!unfinished || !open || !plugins) return;
    if (unfinished() < 0 || open() < 0 || plugins(&state) < 0) _exit(125);
}

/* What LeakSanitizer asks a program: what HDF5 forgets when it refuses a file is its own, and so is
 * the word that wordexp of glibc 2.36 forgets without memory for the list of words. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:libhdf5\nleak:wordexp\n";
}

/* After the constructors of the libraries that were loaded behind this one. */
__attribute__((constructor)) static void begin(void) {
    const char *at = getenv("FAILING");
    char *end = NULL;
    dl_iterate_phdr(find_spared, NULL);
    set_hdf5_up();
    failing_made = 0;
    if (!at) return;
    failing_at = strtol(at, &end, 10);
    failing_on = *end == '+';
    unsetenv("FAILING");
}

__attribute__((destructor)) static void end(void) {
    const char *path = getenv("FAILING_COUNT");
    char text[32];
    const int length = snprintf(text, sizeof text, "%ld\n", failing_made);
    const int file = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
    if (file < 0) return;
    if (write(file, text, (size_t)length) != length) _exit(125);
    close(file);
}
#endif
