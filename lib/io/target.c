/* target.c - the file that a name leads to, be it there or not. */
#include "io/target.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *imp_output_target(const char *path) {
    enum { MOST_LINKS = 40 }; /* as many as Linux follows */
    char to[PATH_MAX], *at = strdup(path), *next;
    ssize_t length;
    for (int links = 0; at && (length = readlink(at, to, sizeof to)) >= 0; links++, at = next) {
        const char *slash = *to == '/' ? NULL : strrchr(at, '/');
        const int folder = slash ? (int)(slash - at) + 1 : 0;
        next = NULL;
        if (links == MOST_LINKS)
            errno = ELOOP;
        else if (asprintf(&next, "%.*s%.*s", folder, at, (int)length, to) < 0)
            next = NULL;
        free(at);
    }
    return at;
}
