/* flow_files.h - the folder of a granular flow (output.folder): pictures for ParaView and the
 * checkpoint. */
#ifndef FLOW_FILES_H
#define FLOW_FILES_H

#include "cli/cli.h"

/* The folder, where pictures or checkpoints are asked for, apart from what is read and else
 * written; one that is new goes again where it is refused. IMP_OK, IMP_IO, IMP_BAD_ARGUMENT,
 * IMP_NO_MEMORY. */
imp_status flow_make_folder(const options *o, const imp_flow *flow, imp_error *error);

/* The steps of the flow's pictures in the folder, in their order, which the indices list. */
typedef struct flow_pictures {
    long long *step;
    int n;
} flow_pictures;

/* p <- those up to the step of a checkpoint from which the flow goes on, of which the index in the
 * folder tells; p->step is the caller's to free. Statuses as above. */
imp_status flow_pictures_before(const imp_flow *flow, long long step, flow_pictures *p,
                                imp_error *error);

/* The pictures of a step, particles-STEP.vtu, contacts-STEP.vtu and fields-STEP.vtu, which is one
 * more of p, and their indices. Statuses as above. */
imp_status flow_write_pictures(const options *o, const imp_flow *flow, const imp_granular *g,
                               long long step, flow_pictures *p, imp_error *error);

/* flow.check, whole or not at all; of a flow without pictures no index stays beside it, which would
 * be of others. Statuses as above. */
imp_status flow_write_checkpoint(const imp_flow *flow, const imp_granular *g,
                                 const flow_pictures *p, imp_error *error);

#endif
