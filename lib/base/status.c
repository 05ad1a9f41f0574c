/* status.c - status texts, from the one list in status.h. */
#include "base/status.h"

const char *imp_status_text(imp_status status) {
    switch (status) {
#define IMP_STATUS_CASE(name, value, text)                                                         \
    case name: return text;
        IMP_STATUS_LIST(IMP_STATUS_CASE)
#undef IMP_STATUS_CASE
    case IMP_STATUS_END: break;
    }
    return "unknown";
}
