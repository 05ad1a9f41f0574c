/* fuzz.h - what a reader is put to by libFuzzer. */
#ifndef FUZZ_H
#define FUZZ_H

#include "io/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct fuzz_target {
    const char *name;
    void (*read)(const uint8_t *data, size_t size);
} fuzz_target;

/* Ended by one without a name. */
extern const fuzz_target fuzz_targets[];

/* The path of a file that holds the bytes, until the next call. */
const char *fuzz_file(const uint8_t *data, size_t size);

/* The bytes at a place of their own, for free(): beyond them is nothing of the process. */
char *fuzz_copy(const void *data, size_t size);

/* Ends the process where something promised does not hold. */
static inline void fuzz_promise(bool holds) {
    if (!holds) abort();
}

/* Is the status IMP_OK? What is not has one line of text. */
bool fuzz_ok(imp_status status, const imp_error *error);

#endif
