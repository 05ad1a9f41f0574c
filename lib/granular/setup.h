/* setup.h - what makes a flow's set-up, for checkpoints: those of another one are refused, by the
 * key that differs. */
#ifndef IMP_GRANULAR_SETUP_H
#define IMP_GRANULAR_SETUP_H

#include "base/hash.h"
#include "granular/flow.h"

#include <stdint.h>

enum { IMP_SETUP_PARTS = 22 };

/* hash (IMP_SETUP_PARTS): each differs where its part of the set-up does. Threads, SIMD and where a
 * plane stands now do not count. */
void imp_setup(const imp_granular *g, uint64_t hash[IMP_SETUP_PARTS]);

/* "a checkpoint of another $.KEY, expected that it was written with", for the key of a part. */
const char *imp_setup_other(int part);

#endif
