/* machine.h - what the CPU has for kernels of several lanes (base/lanes.h). Internal. */
#ifndef IMP_MACHINE_H
#define IMP_MACHINE_H

#include <stdbool.h>

/* Has this machine what a kernel of so many lanes is made of, 4 or 8? */
static inline bool imp_machine_has(int width) {
    switch (width) {
#if defined(__x86_64__) || defined(__i386__)
    case 8: return __builtin_cpu_supports("avx512f");
    case 4: return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
    default: return false;
    }
}

#endif
