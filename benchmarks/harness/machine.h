/* machine.h - on what, from what and when a table or a page was made. */
#ifndef MACHINE_H
#define MACHINE_H

typedef struct machine {
    char date[64]; /* 2015-06-01T12:00:00+0200 */
    char cpu[256]; /* "unknown" where the system does not say */
    const char *compiler;
    const char *commit; /* IMPACT_BENCH_COMMIT of the environment, else "unknown" */
} machine;

machine machine_this(void);

#endif
