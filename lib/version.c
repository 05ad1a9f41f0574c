/* version.c - which version the library is. */
#include "impact.h"

const char *imp_version(void) {
    return IMP_VERSION;
}
