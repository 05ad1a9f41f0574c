/* counted.c - of programs built to count what is reached (COV=1): ways out of a process on which
 * gcov writes no counts, those that skip atexit, write them too. */
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

void __gcov_dump(void);

void _exit(int status) {
    __gcov_dump();
    for (;;)
        syscall(SYS_exit_group, status);
}

int raise(int signal_number) {
    __gcov_dump();
    return pthread_kill(pthread_self(), signal_number);
}
