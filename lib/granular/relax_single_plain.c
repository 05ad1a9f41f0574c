/* relax_single_plain.c - the closed one-contact solution in single precision, a contact at a time,
 * for any CPU. */
#define IMP_ONE_LANE
#define IMP_SINGLE_PRECISION
#include "granular/relax_lanes.h"

imp_relax_kernel *const imp_relax_single_plain = kernel;
