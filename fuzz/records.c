/* records.c - recordings of impacts, and the file that a long run keeps what it has in. */
#include "fuzz/targets.h"

#include "cli/kept.h"
#include "io/stream.h"
#include "replay/replay.h"

#include <string.h>

/* The first byte says of which set; what is taken is put to a model. */
void fuzz_replay(const uint8_t *data, size_t size) {
    enum { SETS = 3, MOST_ASKED = 16 };
    if (size == 0) return;
    replay_data recorded = {.set = &replay_sets[data[0] % SETS]};
    imp_input input;
    imp_error error = {IMP_OK, ""};
    double mean[MOST_ASKED];
    int unsolved = 0;
    fuzz_promise(imp_input_open(&input, fuzz_file(data + 1, size - 1), &error) == IMP_OK);
    const bool read = fuzz_ok(recorded.set->read(&input, &recorded, &error), &error);
    for (int i = 0; read && i < recorded.count; i++)
        fuzz_promise(recorded.impact[i].floor >= 0 && isfinite(recorded.impact[i].floor));
    if (read && recorded.count <= MOST_ASKED)
        (void)replay_errors(&recorded, imp_model_find("maxdiss"), 0.3, 0.5, mean, &unsolved);
    imp_input_close(&input);
    replay_clear(&recorded);
}

/* How many items the file has, each read as it was told. */
static long read_kept(kept *k, long items) {
    imp_error error = {IMP_OK, ""};
    long found = 0;
    for (long item = 0; item < items; item++) {
        size_t length = 0;
        if (!kept_has(k, item)) continue;
        const char *bytes = kept_read(k, item, &length, &error);
        fuzz_promise(bytes && bytes[length] == '\0');
        found++;
    }
    fuzz_promise(found == kept_count(k));
    return found;
}

/* What is behind the title. One item is added, and all are there when it is opened again. */
void fuzz_kept(const uint8_t *data, size_t size) {
    static const char title[] = "a run";
    enum { ITEMS = 8, HEAD = sizeof title };
    imp_error error = {IMP_OK, ""};
    char *bytes = calloc(HEAD + size, 1);
    fuzz_promise(bytes);
    memcpy(bytes, title, HEAD - 1);
    bytes[HEAD - 1] = '\n';
    if (size > 0) memcpy(bytes + HEAD, data, size);
    const char *path = fuzz_file((const uint8_t *)bytes, HEAD + size);
    free(bytes);
    kept *k = kept_open(path, title, ITEMS, &error);
    fuzz_promise(k);
    const long before = read_kept(k, ITEMS);
    long missing = 0;
    while (missing < ITEMS && kept_has(k, missing))
        missing++;
    if (missing < ITEMS) {
        kept_close(k); /* what it read moved the place where it would write */
        fuzz_promise((k = kept_open(path, title, ITEMS, &error)) &&
                     kept_add(k, missing, IMP_OK, "it", 2, &error) == IMP_OK);
        kept_close(k);
        fuzz_promise((k = kept_open(path, title, ITEMS, &error)));
        fuzz_promise(read_kept(k, ITEMS) == before + 1 && kept_has(k, missing));
    }
    kept_close(k);
}
