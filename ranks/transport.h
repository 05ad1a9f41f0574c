/* transport.h - the messages of a granular flow on ranks, by MPI. */
#ifndef RANKS_TRANSPORT_H
#define RANKS_TRANSPORT_H

#include "impact.h"

#include <mpi.h>

typedef struct mpi_context {
    MPI_Request *request;
    int room;
    unsigned deliveries;
} mpi_context;

/* Between all processes of MPI_COMM_WORLD; the context, zero at first, outlives it, and its owner
 * frees `request`. A failure ends them all. Only for the thread that started MPI. */
imp_transport mpi_transport(mpi_context *context);

#endif
