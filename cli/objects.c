/* objects.c - JSON objects behind each other in an output. */
#include "cli/cli.h"
#include "io/json_write.h"

bool objects_listed(const char *path) {
    return !has_suffix(path, ".jsonl");
}

objects objects_begin(FILE *out, bool list) {
    if (list) fputc('[', out);
    return (objects){.out = out, .list = list};
}

bool objects_add(objects *o, json_t *object) {
    if (o->list && o->count++ > 0) fputs(",\n", o->out);
    const bool good = imp_json_write(object, o->out);
    if (!o->list) fputc('\n', o->out);
    json_decref(object);
    return good;
}

void objects_end(const objects *o) {
    if (o->list) fputs("]\n", o->out);
}
