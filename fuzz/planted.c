/* planted.c - readers with a mistake each, in place of those of targets.c: what is to be found. */
#include "fuzz/fuzz.h"

#include "io/json_load.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The document, NULL: none. */
static json_t *load(const uint8_t *data, size_t size) {
    json_t *root = NULL;
    char *text = fuzz_copy(data, size);
    FILE *in = size > 0 ? fmemopen(text, size, "r") : NULL;
    const imp_status status = in ? imp_json_load(in, "planted", &root, NULL) : IMP_IO;
    if (in) fclose(in);
    free(text);
    return status == IMP_OK ? root : NULL;
}

/* The whole number of this key; 0: none. */
static int number(const json_t *root, const char *key) {
    const double value = json_number_value(json_object_get(root, key));
    return fabs(value) < 1e9 ? (int)value : 0;
}

/* Reads beyond the end where "most_sweeps" is above 3. */
static void overread(const uint8_t *data, size_t size) {
    json_t *root = load(data, size);
    const int n = number(root, "most_sweeps");
    char *room = calloc(4, 1);
    if (room && n > 3 && n < 64) (void)((volatile char *)room)[n];
    free(room);
    json_decref(root);
}

/* Keeps what has a "step" above 5. */
static void leak(const uint8_t *data, size_t size) {
    json_t *root = load(data, size);
    if (number(root, "step") <= 5) json_decref(root);
}

/* Shifts by "split", however many. */
static void undefined(const uint8_t *data, size_t size) {
    json_t *root = load(data, size);
    volatile int bits = 1 << number(root, "split");
    (void)bits;
    json_decref(root);
}

/* Ends never where "until" is above 5. */
static void hang(const uint8_t *data, size_t size) {
    json_t *root = load(data, size);
    for (volatile int n = number(root, "until"); n > 5;)
        ;
    json_decref(root);
}

/* Promises that "sweeps" is not 7. */
static void broken(const uint8_t *data, size_t size) {
    json_t *root = load(data, size);
    fuzz_promise(number(root, "sweeps") != 7);
    json_decref(root);
}

/* Without a mistake. */
static void sound(const uint8_t *data, size_t size) {
    json_decref(load(data, size));
}

const fuzz_target fuzz_targets[] = {{"overread", overread},
                                    {"leak", leak},
                                    {"undefined", undefined},
                                    {"hang", hang},
                                    {"broken", broken},
                                    {"sound", sound},
                                    {NULL, NULL}};
