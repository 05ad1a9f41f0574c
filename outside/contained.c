/* contained.c - starting, asking and ending a contained process. */
#include "outside/contained.h"
#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SAYS = 3, LOOK = 20 }; /* the descriptor for an errno; ms between looks at its life */

volatile pid_t contained_group[CONTAINED_GROUPS];

/* In the place of `there`. */
static void note_group(pid_t there, pid_t now) {
    int k = 0;
    while (k < CONTAINED_GROUPS && contained_group[k] != there)
        k++;
    if (k < CONTAINED_GROUPS) contained_group[k] = now;
}

static void close_pair(const int pair[2]) {
    if (pair[0] >= 0) (void)close(pair[0]);
    if (pair[1] >= 0) (void)close(pair[1]);
}

static void default_signals(void) {
    static const int caught[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ};
    for (size_t i = 0; i < sizeof caught / sizeof *caught; i++)
        if (signal(caught[i], SIG_DFL) == SIG_IGN) (void)signal(caught[i], SIG_IGN);
}

/* All descriptors behind SAYS, also where the kernel cannot do it at once. */
static void close_others(void) {
    if (close_range(SAYS + 1, ~0U, 0) == 0) return;
    const long most = sysconf(_SC_OPEN_MAX);
    for (int fd = SAYS + 1; fd < most; fd++)
        (void)close(fd);
}

/* As much, or what is inherited where that is less. */
static bool limit(int resource, rlim_t most) {
    struct rlimit now;
    if (getrlimit(resource, &now) != 0) return false;
    if (now.rlim_max > most) now.rlim_max = most;
    if (now.rlim_cur > most) now.rlim_cur = most;
    return setrlimit(resource, &now) == 0;
}

/* A folder is no standard error, only what holds the place of one that was closed: programs refuse
 * it, as Python does. */
static bool silence_folder(void) {
    struct stat about;
    if (fstat(2, &about) != 0 || !S_ISDIR(about.st_mode)) return true;
    const int nowhere = open("/dev/null", O_WRONLY); /* closed with all behind SAYS */
    return nowhere >= 0 && dup2(nowhere, 2) == 2;
}

/* In the new process: its descriptors are 0, 1, 2 and SAYS, and no others. */
static void become(const int in[2], const int out[2], const int says[2], double bytes,
                   pid_t parent) {
    const int from = fcntl(in[0], F_DUPFD, 10), to = fcntl(out[1], F_DUPFD, 10),
              told = fcntl(says[1], F_DUPFD, 10);
    bool good = from >= 0 && to >= 0 && told >= 0 && silence_folder() && setpgid(0, 0) == 0 &&
                dup2(from, 0) == 0 && dup2(to, 1) == 1 && dup2(told, SAYS) == SAYS &&
                fcntl(SAYS, F_SETFD, FD_CLOEXEC) == 0;
    good = good && prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent;
    good = good && limit(RLIMIT_CORE, 0) && limit(RLIMIT_FSIZE, CONTAINED_FILE) &&
           limit(RLIMIT_NOFILE, CONTAINED_OPEN) && limit(RLIMIT_NPROC, CONTAINED_PROCESSES);
    if (good && bytes > 0) good = limit(RLIMIT_AS, (rlim_t)bytes);
    default_signals();
    close_others();
    if (good) return;
    const int why = errno ? errno : EIO;
    (void)!write(SAYS, &why, sizeof why);
    _exit(127);
}

static void unblocked(int fd) {
    (void)fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

/* The errno that was written before the end was closed; 0: it was let go of, or will be seen to
 * end. */
static int told(int fd) {
    int why = 0;
    ssize_t got;
    do
        got = read(fd, &why, sizeof why);
    while (got < 0 && errno == EINTR);
    return got == (ssize_t)sizeof why ? why : 0;
}

imp_status contained_start(contained *c, const char *name, double bytes,
                           void (*inside)(void *context), void *context, imp_error *error) {
    int in[2] = {-1, -1}, out[2] = {-1, -1}, says[2] = {-1, -1}, why;
    const pid_t parent = getpid();
    *c = (contained){0};
    bool good =
        pipe2(in, O_CLOEXEC) == 0 && pipe2(out, O_CLOEXEC) == 0 && pipe2(says, O_CLOEXEC) == 0;
    (void)fflush(NULL); /* what waits to be written is written once */
    const pid_t pid = good ? fork() : -1;
    if (pid == 0) {
        become(in, out, says, bytes, parent);
        inside(context);
        _exit(127);
    }
    why = errno;
    if (pid > 0) {
        (void)setpgid(pid, pid); /* whoever of the two is first */
        *c = (contained){.pid = pid, .to = in[1], .from = out[0]};
        unblocked(c->to);
        unblocked(c->from);
        note_group(0, pid);
        close_pair((const int[2]){in[0], out[1]});
        (void)close(says[1]);
        why = told(says[0]);
        (void)close(says[0]);
        if (why == 0) return IMP_OK;
        contained_stop(c, 0);
    } else {
        close_pair(in);
        close_pair(out);
        close_pair(says);
    }
    return imp_error_set(error, IMP_IO, "%s: cannot be started: %s", name, strerror(why));
}

static bool has_ended(const contained *c, siginfo_t *how) {
    memset(how, 0, sizeof *how);
    return waitid(P_PID, (id_t)c->pid, how, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           how->si_pid == c->pid;
}

/* Writes what it takes now; false when it takes no more. A reader that has gone is no signal. */
static bool give(contained *c, const char **request, size_t *length) {
    void (*before)(int) = signal(SIGPIPE, SIG_IGN);
    const ssize_t put = write(c->to, *request, *length);
    const bool gone = put < 0 && errno != EAGAIN && errno != EINTR;
    (void)signal(SIGPIPE, before);
    if (put > 0) {
        *request += put;
        *length -= (size_t)put;
        c->put += (size_t)put;
    }
    return !gone;
}

typedef enum taken { SOME, NOTHING, CLOSED, NO_ROOM } taken;

/* Reads what has come. */
static taken take(int from, size_t most, contained_text *t) {
    enum { CHUNK = 65536 };
    if (t->room < t->came + CHUNK) {
        const size_t room = 2 * t->room + 2 * CHUNK;
        char *data = realloc(t->data, room);
        if (!data) return NO_ROOM;
        t->data = data;
        t->room = room;
    }
    const size_t left = most + 1 - t->came; /* one more than may come */
    const ssize_t got = read(from, t->data + t->came, left < CHUNK ? left : CHUNK);
    if (got < 0) return errno == EAGAIN || errno == EINTR ? NOTHING : CLOSED;
    if (got == 0) return CLOSED;
    t->came += (size_t)got;
    return SOME;
}

/* The next answer begins behind the last. */
static void pass_over(contained_text *t) {
    t->came -= t->taken;
    if (t->taken > 0) memmove(t->data, t->data + t->taken, t->came);
    t->taken = t->length = 0;
}

/* Has all of the answer come? */
static bool complete(contained_text *t, size_t exact, size_t most) {
    const size_t seen = t->came <= most ? t->came : most + 1;
    char *end = exact == 0 && seen > 0 ? memchr(t->data, '\n', seen) : NULL;
    if (exact > 0 ? t->came < exact : !end) return false;
    t->length = end ? (size_t)(end - t->data) : exact;
    t->taken = end ? t->length + 1 : exact;
    if (end) *end = '\0';
    return true;
}

contained_end contained_ask(contained *c, const char *request, size_t length, double seconds,
                            size_t exact, size_t most) {
    const double until = seconds > 0 ? imp_seconds(CLOCK_MONOTONIC) + seconds : INFINITY;
    bool reads = true, ended = false;
    siginfo_t how;
    pass_over(&c->said);
    c->put = 0;
    for (;;) {
        const bool answered = complete(&c->said, exact, most);
        c->fresh = answered && length == 0;
        if (answered) return CONTAINED_ANSWERED;
        if (c->said.came > most) return CONTAINED_ENDLESS;
        struct pollfd on[2] = {{.fd = c->from, .events = POLLIN},
                               {.fd = reads && length > 0 ? c->to : -1, .events = POLLOUT}};
        const double left = until - imp_seconds(CLOCK_MONOTONIC);
        if (!(left > 0)) return CONTAINED_LATE;
        (void)poll(on, 2, ended ? 0 : left * 1000 < LOOK ? (int)(left * 1000) + 1 : LOOK);
        if (on[1].revents) reads = give(c, &request, &length);
        const taken came = take(c->from, most, &c->said);
        if (came == NO_ROOM) return CONTAINED_NO_MEMORY;
        if (came == CLOSED || (ended && came == NOTHING)) return CONTAINED_ENDED;
        ended = ended || has_ended(c, &how); /* what it wrote before is still read */
    }
}

/* The same once its output has ended, which is a moment before it has. */
static bool has_just_ended(const contained *c, siginfo_t *how) {
    const double until = imp_seconds(CLOCK_MONOTONIC) + 0.5;
    while (!has_ended(c, how)) {
        if (imp_seconds(CLOCK_MONOTONIC) > until) return false;
        (void)poll(NULL, 0, 1);
    }
    return true;
}

bool contained_left(const contained *c) {
    siginfo_t how;
    int unread; /* bytes that wait in the pipe */
    if (c->pid == 0 || !has_just_ended(c, &how)) return false;
    return (how.si_code == CLD_EXITED && how.si_status == 0) ||
           (ioctl(c->to, FIONREAD, &unread) == 0 && (size_t)unread >= c->put);
}

static void cause_of(const contained *c, char *text, size_t size) {
    siginfo_t how;
    if (c->pid == 0 || !has_just_ended(c, &how))
        snprintf(text, size, "closed its output");
    else if (how.si_code == CLD_EXITED)
        snprintf(text, size, "exit status %d", how.si_status);
    else
        snprintf(text, size, "signal %d (%s)", how.si_status, strsignal(how.si_status));
}

imp_status contained_fault(contained_end end, const contained *c, double seconds,
                           imp_error *fault) {
    char cause[80];
    switch (end) {
    case CONTAINED_LATE:
        return imp_error_set(fault, IMP_TIMED_OUT, "timed out: no answer within %g s", seconds);
    case CONTAINED_ENDLESS:
        return imp_error_set(fault, IMP_BAD_ANSWER, "bad answer: longer than any can be");
    case CONTAINED_NO_MEMORY: return imp_error_set(fault, IMP_NO_MEMORY, "no memory");
    default:
        cause_of(c, cause, sizeof cause);
        return imp_error_set(fault, IMP_CRASHED, "crashed: %s", cause);
    }
}

void contained_stop(contained *c, double patience) {
    siginfo_t how;
    const double until = imp_seconds(CLOCK_MONOTONIC) + patience;
    if (c->pid == 0) return;
    (void)close(c->to);
    while (!has_ended(c, &how) && imp_seconds(CLOCK_MONOTONIC) < until)
        (void)poll(NULL, 0, 1);
    (void)kill(c->pid, SIGKILL);
    (void)kill(-c->pid, SIGKILL); /* the group's number is not given anew before it is reaped */
    note_group(c->pid, 0);
    while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    (void)close(c->from);
    free(c->said.data);
    *c = (contained){0};
}
