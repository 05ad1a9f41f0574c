/* collection.h - the FCLIB problems of $IMPACT_DATA/fclib or ../shared/data/fclib, one after the
 * other. */
#ifndef COLLECTION_H
#define COLLECTION_H

#include "io/fclib.h"
#include "tap.h"

#include <dirent.h>

/* Visits every file whose name holds none of the words in `without` (ended by NULL). A visit that
 * returns false, and a file that cannot be read, count as bad. Returns how many files there were,
 * -1 where the folder is missing. */
static int collection_each(const char *const *without,
                           bool (*visit)(const char *name, const imp_fclib *problem), int *bad) {
    const char *data = getenv("IMPACT_DATA");
    char path[1024], name[1600];
    snprintf(path, sizeof path, "%s/fclib", data ? data : "../shared/data");
    DIR *all = opendir(path);
    int files = 0;
    *bad = 0;
    if (!all) return -1;
    for (struct dirent *entry; (entry = readdir(all));) {
        bool wanted = strstr(entry->d_name, ".hdf5") != NULL;
        for (const char *const *word = without; *word; word++)
            wanted = wanted && !strstr(entry->d_name, *word);
        if (!wanted) continue;
        imp_input input;
        imp_fclib problem = {0};
        imp_error error = {0};
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        files++;
        bool good = imp_input_open(&input, name, &error) == IMP_OK;
        if (good) {
            good = imp_fclib_read(&input, &problem, &error) == IMP_OK;
            imp_input_close(&input);
        }
        if (!good) note("%s", error.text);
        *bad += !(good && visit(entry->d_name, &problem));
        imp_fclib_clear(&problem);
    }
    closedir(all);
    return files;
}

#endif
