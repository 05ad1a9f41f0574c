/* flow_files.h - the folder of a granular flow (output.folder): pictures for ParaView and the
 * checkpoint. */
#ifndef FLOW_FILES_H
#define FLOW_FILES_H

#include "cli/cli.h"

/* The folder, where pictures or checkpoints are asked for, apart from what is read and else
 * written; one that is new goes again where it is refused. IMP_OK, IMP_IO, IMP_BAD_ARGUMENT,
 * IMP_NO_MEMORY. */
imp_status flow_make_folder(const options *o, const imp_flow *flow, imp_error *error);

/* The pictures of a step, particles-STEP.vtu, contacts-STEP.vtu and fields-STEP.vtu, and their
 * indices. Statuses as above. */
imp_status flow_write_pictures(const options *o, const imp_flow *flow, const imp_granular *g,
                               long long step, imp_error *error);

/* flow.check, whole or not at all. Statuses as above. */
imp_status flow_write_checkpoint(const imp_flow *flow, const imp_granular *g, imp_error *error);

#endif
