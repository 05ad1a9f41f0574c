/* folder.h - what a folder holds: files with their bytes and modes. */
#ifndef CAMPAIGN_FOLDER_H
#define CAMPAIGN_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { FOLDER_FILES = 128 };

typedef struct folder_file {
    char name[160]; /* from the folder */
    char *bytes;    /* (size), and a 0 */
    size_t size;
    mode_t mode;
} folder_file;

typedef struct folder {
    folder_file file[FOLDER_FILES];
    int files;
} folder;

/* Regular files of a folder and of those in it; free with folder_clear. false: too many of them,
 * unreadable, no memory. */
bool folder_read(const char *path, folder *to);
void folder_clear(folder *of);
const folder_file *folder_find(const folder *in, const char *name); /* NULL: none */
bool folder_same(const folder_file *a, const folder_file *b);       /* bytes and mode; no NULL is */

#endif
