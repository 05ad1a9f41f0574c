/* output.c - the program's one output, whole or not at all. */
#include "cli/cli.h"

#include <signal.h>
#include <unistd.h>

static imp_output output;
static volatile sig_atomic_t holding, held_back; /* files beside the output are being written; the signal that waits */

/* Interrupted: leaves no half-written file, then ends as the signal asks. */
static void interrupted(int signal_number) {
    if (holding) {
        held_back = signal_number;
        return;
    }
    if (output.temporary) unlink(output.temporary);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

FILE *output_open(const char *path) {
    imp_error error;
    const imp_status status =
        path ? imp_output_open(&output, path, &error) : imp_output_borrow(&output, stdout, "standard output", &error);
    if (status != IMP_OK) {
        complain(&error);
        return NULL;
    }
    signal(SIGINT, interrupted);
    signal(SIGTERM, interrupted);
    signal(SIGHUP, interrupted);
    return output.file;
}

void output_hold(void) {
    holding = 1;
}

void output_release(void) {
    holding = 0;
    if (held_back) interrupted(held_back);
}

int output_commit(int status) {
    imp_error error;
    return imp_output_commit(&output, &error) == IMP_OK ? status : complain(&error);
}

int output_abandon(void) {
    imp_output_abandon(&output);
    return EXIT_BAD;
}
