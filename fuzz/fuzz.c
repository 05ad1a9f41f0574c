/* fuzz.c - libFuzzer's entry to every reader: whatever the bytes, a status and one line of text, or
 * what was promised of the content; no crash, no leak, no hang, no undefined behaviour (make fuzz).
 *
 * fuzz --target=NAME [libFuzzer's options] [CORPUS], or fuzz --list
 *
 * A promise that does not hold ends by abort(). */
#include "fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const fuzz_target *target;

/* The entries that libFuzzer calls. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    for (int i = 1; i < *argc; i++)
        for (const fuzz_target *t = fuzz_targets; t->name; t++)
            if (strncmp((*argv)[i], "--target=", 9) == 0 && strcmp((*argv)[i] + 9, t->name) == 0)
                target = t;
    if (target) return 0;
    const bool listed = *argc == 2 && strcmp((*argv)[1], "--list") == 0;
    if (!listed) fputs("fuzz: expected --list, or --target=NAME, NAME one of\n", stderr);
    for (const fuzz_target *t = fuzz_targets; t->name; t++)
        fprintf(listed ? stdout : stderr, "%s\n", t->name);
    exit(listed ? 0 : 2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    target->read(data, size);
    return 0;
}

/* One unnamed file in memory, used again and again. */
const char *fuzz_file(const uint8_t *data, size_t size) {
    static int file = -1;
    static char path[40];
    if (file < 0) {
        file = memfd_create("fuzz", 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    }
    fuzz_promise(ftruncate(file, 0) == 0 && pwrite(file, data, size, 0) == (ssize_t)size);
    return path;
}

char *fuzz_copy(const void *data, size_t size) {
    char *copy = malloc(size > 0 ? size : 1);
    if (!copy) abort();
    return memcpy(copy, data, size);
}

bool fuzz_ok(imp_status status, const imp_error *error) {
    if (status == IMP_OK) return true;
    fuzz_promise(memchr(error->text, 0, sizeof error->text) && error->text[0] &&
                 !strchr(error->text, '\n'));
    return false;
}
