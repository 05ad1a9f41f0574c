/* problem_file.c - the way into any problem file: its format is told by its first bytes. */
#include "io/format.h"

#include <stdlib.h>
#include <string.h>

static const imp_format *const formats[] = {&imp_format_json, &imp_format_fclib, &imp_format_table,
                                            NULL};

static imp_status recognise(imp_problem_file *file, imp_error *error) {
    unsigned char head[IMP_STREAM_HEAD];
    size_t n;
    const imp_status status = imp_input_peek(&file->input, head, &n, error);
    if (status != IMP_OK) return status;
    for (const imp_format *const *format = formats; *format && !file->format; format++)
        if ((*format)->claims(head, n)) file->format = *format;
    if (file->format) return IMP_OK;
    return imp_error_set(error, IMP_BAD_ARGUMENT,
                         "%s:1:1: %s, expected a table, a JSON problem or an FCLIB file",
                         file->input.name, n == 0 ? "the file is empty" : "not text");
}

imp_status imp_problem_file_open(const char *path, imp_problem_file **file, imp_error *error) {
    *file = calloc(1, sizeof **file);
    if (!*file) return imp_error_set(error, IMP_NO_MEMORY, "%s: no memory", path);
    imp_status status = imp_input_open(&(*file)->input, path, error);
    if (status == IMP_OK) status = recognise(*file, error);
    if (status == IMP_OK) status = (*file)->format->open(*file, error);
    if (status != IMP_OK) {
        imp_problem_file_close(*file);
        *file = NULL;
    }
    return status;
}

imp_status imp_problem_file_next(imp_problem_file *file, const imp_case **next, imp_error *error) {
    imp_slot *slot = &file->slot;
    bool more = false;
    *next = NULL;
    slot->now.id = NULL;
    slot->now.guess = NULL;
    slot->now.b = NULL;
    slot->now.kappa = -1;
    slot->now.position = file->position;
    const imp_status status = file->format->next(file, &more, error);
    if (status != IMP_OK || !more) return status;
    slot->now.named = slot->now.id != NULL;
    if (!slot->now.named) {
        snprintf(slot->number, sizeof slot->number, "%zu", file->position);
        slot->now.id = slot->number;
    }
    file->position++;
    *next = &slot->now;
    return IMP_OK;
}

imp_status imp_problem_file_rewind(imp_problem_file *file, imp_error *error) {
    file->position = 0;
    return file->format->rewind ? file->format->rewind(file, error) : IMP_OK;
}

imp_status imp_problem_file_settings(const imp_problem_file *file, const imp_model *model,
                                     imp_settings *settings, imp_error *error) {
    imp_model_presets(model, settings);
    return file->format->settings ? file->format->settings(file, model, settings, error) : IMP_OK;
}

bool imp_problem_file_is_table(const imp_problem_file *file) {
    return file->format == &imp_format_table;
}

bool imp_problem_file_is_list(const imp_problem_file *file) {
    return json_is_array(file->root);
}

bool imp_problem_file_is_fclib(const imp_problem_file *file) {
    return file->format == &imp_format_fclib;
}

const char *imp_problem_file_name(const imp_problem_file *file) {
    return file->input.name;
}

const json_t *imp_problem_file_bodies(const imp_problem_file *file) {
    const json_t *it = json_is_array(file->root)
                           ? json_array_get(file->root, file->slot.now.position)
                           : file->root;
    return json_object_get(it, "bodies") ? it : NULL;
}

void imp_problem_file_close(imp_problem_file *file) {
    if (!file) return;
    if (file->format) file->format->close(file);
    imp_input_close(&file->input);
    imp_slot_release(&file->slot);
    free(file->slot.numbers);
    free(file->slot.structure);
    free(file);
}
