/* folder.c - a folder read whole. */
#include "campaign/folder.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool read_file(const char *path, const struct stat *about, folder_file *to) {
    FILE *from = fopen(path, "rb");
    to->size = (size_t)about->st_size;
    to->mode = about->st_mode;
    to->bytes = malloc(to->size + 1);
    const bool good = from && to->bytes && fread(to->bytes, 1, to->size, from) == to->size;
    if (to->bytes) to->bytes[to->size] = 0;
    if (from) fclose(from);
    return good;
}

/* Those below `root`/`below`, which is empty or ends in a stroke. */
static bool add(const char *root, const char *below, int depth, folder *to) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", root, below);
    DIR *at = opendir(path);
    bool good = at != NULL;
    for (const struct dirent *entry; good && (entry = readdir(at));) {
        struct stat about;
        char name[160];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        const int length = snprintf(name, sizeof name - 1, "%s%.60s", below, entry->d_name);
        snprintf(path, sizeof path, "%s/%s", root, name);
        good = lstat(path, &about) == 0;
        if (good && S_ISDIR(about.st_mode) && depth < 2) {
            memcpy(name + length, "/", 2);
            good = add(root, name, depth + 1, to);
        } else if (good && S_ISREG(about.st_mode)) {
            good = to->files < FOLDER_FILES;
            if (!good) break;
            folder_file *file = &to->file[to->files++];
            memcpy(file->name, name, sizeof name);
            good = read_file(path, &about, file);
        }
    }
    if (at) closedir(at);
    return good;
}

bool folder_read(const char *path, folder *to) {
    to->files = 0;
    return add(path, "", 0, to);
}

void folder_clear(folder *of) {
    for (int k = 0; k < of->files; k++)
        free(of->file[k].bytes);
    of->files = 0;
}

const folder_file *folder_find(const folder *in, const char *name) {
    for (int k = 0; k < in->files; k++)
        if (strcmp(in->file[k].name, name) == 0) return &in->file[k];
    return NULL;
}

bool folder_same(const folder_file *a, const folder_file *b) {
    return a && b && a->mode == b->mode && a->size == b->size &&
           memcmp(a->bytes, b->bytes, a->size) == 0;
}
