/* targets.c - the readers by name. */
#include "fuzz/targets.h"

const fuzz_target fuzz_targets[] = {
    {"problem", fuzz_problem}, {"fclib", fuzz_fclib},       {"solution", fuzz_solution},
    {"scene", fuzz_scene},     {"flow", fuzz_flow},         {"checkpoint", fuzz_checkpoint},
    {"course", fuzz_course},   {"settings", fuzz_settings}, {"protocol", fuzz_protocol},
    {"replay", fuzz_replay},   {"kept", fuzz_kept},         {NULL, NULL}};
