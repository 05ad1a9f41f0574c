/* workers.c - items of work spread over processes: the simulations behind them keep state that
 * threads would share. A counter in shared memory says which item is next; what comes of it goes to
 * the parent through a pipe. */
#include "cli/workers.h"
#include "cli/cli.h"

#include "io/stream.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { HALF_SECOND = 500 /* ms */ };

/* Stands before the bytes of an item in a pipe. */
typedef struct message {
    long item;
    size_t length;
    imp_status status;
} message;

typedef struct crew {
    const workers *w;
    atomic_long *next;
    int running;
    pid_t *pid;         /* (w->jobs) 0: ended */
    struct pollfd *end; /* (w->jobs) of its pipe, to read */
    char *bytes;        /* room */
    size_t room;
} crew;

static pid_t parent;

bool workers_orphaned(void) {
    return getppid() != parent;
}

static bool put(int fd, const void *bytes, size_t length) {
    for (const char *from = bytes; length > 0;) {
        const ssize_t n = write(fd, from, length);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        from += n;
        length -= (size_t)n;
    }
    return true;
}

static bool get(int fd, void *bytes, size_t length) {
    for (char *to = bytes; length > 0;) {
        const ssize_t n = read(fd, to, length);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        to += n;
        length -= (size_t)n;
    }
    return true;
}

/* One item, in the child; false: nobody listens. */
static bool do_item(const workers *w, long item, int fd) {
    imp_error error = {.status = IMP_NO_MEMORY, .text = "no memory"};
    message m = {.item = item, .status = IMP_NO_MEMORY};
    char *bytes = NULL;
    FILE *out = open_memstream(&bytes, &m.length);
    if (out) {
        m.status = w->work(w->context, item, out, &error);
        if (m.status < 0) rewind(out);
        if (m.status < 0) fputs(error.text, out);
        const bool failed = ferror(out) != 0;
        if (fclose(out) != 0 || failed || !bytes) m.status = IMP_NO_MEMORY;
    }
    if (!bytes) m.length = 0;
    const bool sent = put(fd, &m, sizeof m) && put(fd, bytes, m.length);
    free(bytes);
    return sent;
}

/* The life of a child; what it has inherited of the output is not flushed. */
static _Noreturn void labour(const crew *c, int fd) {
    const workers *w = c->w;
    for (;;) {
        const long item = atomic_fetch_add(c->next, 1);
        if (item >= w->items) _exit(0);
        if (!w->skip(w->context, item) && !do_item(w, item, fd)) _exit(1);
    }
}

static imp_status start(crew *c, int job, imp_error *error) {
    int fd[2];
    if (pipe(fd) != 0) return imp_error_system(error, "--jobs", "no process can be made");
    const pid_t child = fork();
    if (child == 0) {
        for (int k = 0; k < job; k++)
            close(c->end[k].fd);
        close(fd[0]);
        labour(c, fd[1]);
    }
    close(fd[1]);
    c->end[job] = (struct pollfd){.fd = fd[0], .events = POLLIN};
    if (child < 0) {
        imp_error_system(error, "--jobs", "no process can be made");
        close(fd[0]);
        c->end[job].fd = -1;
        return IMP_IO;
    }
    c->pid[job] = child;
    c->running++;
    return IMP_OK;
}

/* The child has closed its pipe. */
static imp_status finish(crew *c, int job, imp_error *error) {
    int how = 0;
    close(c->end[job].fd);
    c->end[job].fd = -1;
    while (waitpid(c->pid[job], &how, 0) < 0 && errno == EINTR)
        continue;
    c->pid[job] = 0;
    c->running--;
    if (WIFEXITED(how) && WEXITSTATUS(how) == 0) return IMP_OK;
    if (WIFEXITED(how) && WEXITSTATUS(how) == EXIT_BAD)
        return imp_error_set(error, IMP_NO_MEMORY, "no memory");
    return imp_error_set(error, IMP_IO, "--jobs: a process ended by %s %d before its work",
                         WIFSIGNALED(how) ? "signal" : "status",
                         WIFSIGNALED(how) ? WTERMSIG(how) : WEXITSTATUS(how));
}

/* What a child has to say. */
static imp_status listen_to(crew *c, int job, imp_error *error) {
    message m;
    if (!get(c->end[job].fd, &m, sizeof m)) return finish(c, job, error);
    if (!c->bytes || m.length >= c->room) {
        char *more = realloc(c->bytes, m.length + 1);
        if (!more) return imp_error_set(error, IMP_NO_MEMORY, "no memory");
        c->bytes = more;
        c->room = m.length + 1;
    }
    if (!get(c->end[job].fd, c->bytes, m.length)) return finish(c, job, error);
    c->bytes[m.length] = '\0';
    if (m.status < 0)
        return imp_error_set(error, m.status, "%s", m.length > 0 ? c->bytes : "no memory");
    return c->w->take(c->w->context, m.item, m.status, c->bytes, m.length, error);
}

static imp_status listen_to_all(crew *c, imp_error *error) {
    imp_status status = IMP_OK;
    while (status == IMP_OK && c->running > 0) {
        if (poll(c->end, (nfds_t)c->w->jobs, HALF_SECOND) < 0 && errno != EINTR)
            return imp_error_system(error, "--jobs", "cannot wait");
        for (int k = 0; k < c->w->jobs && status == IMP_OK; k++)
            if (c->end[k].fd >= 0 && c->end[k].revents) status = listen_to(c, k, error);
        if (c->w->wait) c->w->wait(c->w->context);
    }
    return status;
}

/* All children from their start to their end. */
static imp_status work(crew *c, imp_error *error) {
    const int jobs = c->w->jobs;
    imp_status status = IMP_OK;
    parent = getpid();
    for (int k = 0; k < jobs; k++)
        c->end[k].fd = -1;
    for (int k = 0; k < jobs && status == IMP_OK; k++)
        status = start(c, k, error);
    if (status == IMP_OK) status = listen_to_all(c, error);
    for (int k = 0; k < jobs && c->running > 0; k++) { /* where it was ended early */
        if (c->pid[k] == 0) continue;
        imp_error ignored;
        kill(c->pid[k], SIGKILL);
        finish(c, k, &ignored);
    }
    return status;
}

imp_status workers_run(const workers *w, imp_error *error) {
    crew c = {.w = w};
    c.next = mmap(NULL, sizeof *c.next, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    c.pid = calloc((size_t)w->jobs, sizeof *c.pid);
    c.end = calloc((size_t)w->jobs, sizeof *c.end);
    const imp_status status = c.next != MAP_FAILED && c.pid && c.end
                                  ? work(&c, error)
                                  : imp_error_set(error, IMP_NO_MEMORY, "no memory");
    if (c.next != MAP_FAILED) munmap(c.next, sizeof *c.next);
    free(c.bytes);
    free(c.pid);
    free(c.end);
    return status;
}
