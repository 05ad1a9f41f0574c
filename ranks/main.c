/* main.c - the program `impact-mpi`: `impact flow` on the ranks of MPI, mpirun -n 4 impact-mpi flow
 * PARAMETERS. */
#include "cli/cli.h"
#include "ranks/transport.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One rank speaks for all, but for what another alone has to complain of. */
static void be_silent(void) {
    if (!freopen("/dev/null", "w", stdout)) _exit(EXIT_BAD);
    complain_unheard = true;
}

/* For want of memory: the others would wait for this one. */
static void give_up(void) {
    if (flow_transport) flow_transport->give_up(flow_transport->context, "no memory");
}

int main(int argc, char **argv) {
    mpi_context context = {0};
    wait_passively(argv);
    signal(SIGPIPE, SIG_IGN); /* a reader that goes away is a write error */
    signal(SIGXFSZ, SIG_IGN); /* and so is a file that may not grow */
    memory_watch(give_up);
    if (MPI_Init(&argc, &argv) != MPI_SUCCESS) return EXIT_BAD;
    const imp_transport transport = mpi_transport(&context);
    flow_transport = &transport;
    output_unseen = true;
    if (transport.rank > 0) be_silent();
    const int outcome = argc > 1 && strcmp(argv[1], "flow") == 0
                            ? command_flow.run(&command_flow, argc - 1, argv + 1)
                            : complain_of("impact-mpi has one command, expected impact-mpi flow");
    MPI_Finalize();
    free(context.request);
    return outcome;
}
