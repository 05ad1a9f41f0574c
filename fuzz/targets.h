/* targets.h - what is done with the bytes: they go to a reader, and what it took is used. */
#ifndef FUZZ_TARGETS_H
#define FUZZ_TARGETS_H

#include "fuzz/fuzz.h"

struct imp_granular;

void fuzz_problem(const uint8_t *data, size_t size);
void fuzz_fclib(const uint8_t *data, size_t size);
void fuzz_solution(const uint8_t *data, size_t size);
void fuzz_scene(const uint8_t *data, size_t size);
void fuzz_flow(const uint8_t *data, size_t size);
void fuzz_checkpoint(const uint8_t *data, size_t size);
void fuzz_course(const uint8_t *data, size_t size);
void fuzz_settings(const uint8_t *data, size_t size);
void fuzz_protocol(const uint8_t *data, size_t size);
void fuzz_replay(const uint8_t *data, size_t size);
void fuzz_kept(const uint8_t *data, size_t size);

/* So many steps of a flow, fewer where one fails. */
void fuzz_steps(struct imp_granular *g, int count);

#endif
