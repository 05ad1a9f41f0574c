/* coulomb_plain.c - the batch kernel one problem at a time, for any CPU. */
#define IMP_ONE_LANE
#include "single/coulomb_lanes.h"

const imp_batch_kernel imp_coulomb_kernel_plain = IMP_BATCH_KERNEL(1);
