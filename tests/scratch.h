/* scratch.h - a folder of its own for a test program, in the build folder, removed at its end. */
#ifndef SCRATCH_H
#define SCRATCH_H

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char scratch_folder[200];

static inline int scratch_remove(const char *path, const struct stat *about, int type,
                                 struct FTW *level) {
    (void)about;
    (void)type;
    (void)level;
    return remove(path);
}

static inline void scratch_end(void) {
    nftw(scratch_folder, scratch_remove, 8, FTW_DEPTH | FTW_PHYS);
}

/* The path of a file in the folder, valid until the eighth call after this one. */
static inline const char *scratch_path(const char *name) {
    static char paths[8][300];
    static int turn;
    if (!*scratch_folder) {
        const char *build = getenv("BUILD");
        snprintf(scratch_folder, sizeof scratch_folder, "%.150s/scratch-XXXXXX",
                 build ? build : "build");
        if (!mkdtemp(scratch_folder)) abort();
        atexit(scratch_end);
    }
    turn = (turn + 1) % 8;
    snprintf(paths[turn], sizeof paths[turn], "%s/%s", scratch_folder, name);
    return paths[turn];
}

/* Writes bytes to a file in the folder; returns its path. */
static inline const char *scratch_write(const char *name, const char *bytes, size_t length) {
    const char *path = scratch_path(name);
    FILE *out = fopen(path, "wb");
    if (!out || fwrite(bytes, 1, length, out) != length || fclose(out) != 0) abort();
    return path;
}

static inline const char *scratch_text(const char *name, const char *text) {
    return scratch_write(name, text, strlen(text));
}

#endif
