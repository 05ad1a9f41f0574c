/* traced.c - ptrace: of each call that counts, its entry and its return. */
#include "campaign/traced.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/ptrace.h>

enum { MOST = 64, DESCRIPTORS = 1024 };

/* A process or thread of the program. */
typedef struct tracee {
    pid_t id;
    unsigned kind; /* of the call that it is in; 0: none that counts */
    int descriptor;
    bool struck;  /* the call that fails */
    bool foreign; /* another program, that the first one runs */
} tracee;

typedef struct watch {
    traced *run;
    pid_t first;
    tracee of[MOST];
    int n;
    bool ours[DESCRIPTORS]; /* descriptors of files that count */
} watch;

bool traced_possible(void) {
#ifdef __x86_64__ /* whose registers are written below */
    int status = 1;
    const pid_t child = fork();
    if (child == 0) _exit(ptrace(PTRACE_TRACEME, 0, 0, 0) != 0);
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
#else
    return false;
#endif
}

static void become(const traced *run, char *const *arguments) {
    const struct rlimit seconds = {20, 20};
    for (const char *const *set = run->set; set && *set; set++)
        putenv(strdup(*set));
    if (chdir(run->folder) != 0) _exit(126);
    const int out = open("out", O_WRONLY | O_CREAT | O_TRUNC, 0600),
              err = open("err", O_WRONLY | O_CREAT | O_TRUNC, 0600),
              none = open("/dev/null", O_RDONLY);
    if (dup2(none, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0) _exit(126);
    close(out), close(err), close(none);
    setrlimit(RLIMIT_CPU, &seconds);
    if (run->kinds && ptrace(PTRACE_TRACEME, 0, 0, 0) != 0) _exit(126);
    if (run->kinds) raise(SIGSTOP);
    execv(arguments[0], arguments);
    _exit(126);
}

/* The bytes of a name in the process. */
static void read_name(pid_t id, uint64_t from, char name[256]) {
    for (size_t k = 0; k < 256; k += sizeof(long)) {
        const long word = ptrace(PTRACE_PEEKDATA, id, from + k, NULL);
        memcpy(name + k, &word, sizeof word);
        if (memchr(&word, 0, sizeof word)) return;
    }
    name[255] = 0;
}

/* What a build that counts its lines (`make coverage`) writes is none of the command's. */
static bool is_coverage(const char *name) {
    const char *end = strrchr(name, '.');
    return end && strcmp(end, ".gcda") == 0;
}

static bool name_counts(const watch *w, pid_t id, uint64_t from) {
    char name[256];
    read_name(id, from, name);
    if (is_coverage(name)) return false;
    return name[0] != '/' || strncmp(name, w->run->folder, strlen(w->run->folder)) == 0 ||
           strcmp(name, "/tmp") == 0 || strncmp(name, "/tmp/", 5) == 0;
}

static unsigned of_descriptor(const watch *w, uint64_t descriptor, unsigned kind) {
    return descriptor < DESCRIPTORS && w->ours[descriptor] ? kind : 0;
}

/* The kind of a call; 0: it does not count. */
static unsigned kind_of(const watch *w, pid_t id, const struct __ptrace_syscall_info *info) {
    const uint64_t *argument = (const uint64_t *)info->entry.args;
    switch (info->entry.nr) {
#ifdef SYS_open
    case SYS_open: return name_counts(w, id, argument[0]) ? TRACED_OPEN : 0;
    case SYS_rename: return TRACED_RENAME;
#endif
    case SYS_openat: return name_counts(w, id, argument[1]) ? TRACED_OPEN : 0;
    case SYS_renameat:
    case SYS_renameat2:
    case SYS_linkat: return TRACED_RENAME;
    case SYS_read:
    case SYS_pread64: return of_descriptor(w, argument[0], TRACED_READ);
    case SYS_write:
    case SYS_pwrite64: return of_descriptor(w, argument[0], TRACED_WRITE);
    case SYS_fsync:
    case SYS_fdatasync: return of_descriptor(w, argument[0], TRACED_SYNC);
    case SYS_close: return of_descriptor(w, argument[0], TRACED_CLOSE);
    default: return 0;
    }
}

#ifdef __x86_64__
/* At its entry: the call is not made. */
static void skip(pid_t id) {
    struct user_regs_struct registers;
    ptrace(PTRACE_GETREGS, id, 0, &registers);
    registers.orig_rax = (unsigned long long)-1;
    ptrace(PTRACE_SETREGS, id, 0, &registers);
}

static void halve(pid_t id) {
    struct user_regs_struct registers;
    ptrace(PTRACE_GETREGS, id, 0, &registers);
    registers.rdx = (registers.rdx + 1) / 2;
    ptrace(PTRACE_SETREGS, id, 0, &registers);
}

/* At its return. */
static void give(pid_t id, int error) {
    struct user_regs_struct registers;
    ptrace(PTRACE_GETREGS, id, 0, &registers);
    registers.rax = (unsigned long long)-(long long)error;
    ptrace(PTRACE_SETREGS, id, 0, &registers);
}

static const bool here = true;
#else
static const bool here = false;
static void skip(pid_t id) {
    (void)id;
}
static void halve(pid_t id) {
    (void)id;
}
static void give(pid_t id, int error) {
    (void)id, (void)error;
}
#endif

static void enter(watch *w, tracee *t, const struct __ptrace_syscall_info *info) {
    traced *run = w->run;
    t->kind = t->foreign ? 0 : kind_of(w, t->id, info);
    t->descriptor = (int)info->entry.args[0];
    t->struck = (t->kind & run->kinds) && run->calls++ == run->at;
    if (!t->struck) return;
    if (run->act == TRACED_FAIL && t->kind != TRACED_CLOSE) skip(t->id);
    if (run->act == TRACED_SHORT && t->kind & (TRACED_READ | TRACED_WRITE)) halve(t->id);
    if (run->act == TRACED_KILL_BEFORE) {
        skip(t->id);
        kill(w->first, SIGKILL);
    }
}

static void leave(watch *w, tracee *t, const struct __ptrace_syscall_info *info) {
    const bool good = !info->exit.is_error && !(t->struck && w->run->act == TRACED_FAIL);
    const bool opened =
        t->kind == TRACED_OPEN && good && info->exit.rval >= 0 && info->exit.rval < DESCRIPTORS;
    if (opened) w->ours[info->exit.rval] = true;
    if (t->kind == TRACED_CLOSE && t->descriptor > 1) w->ours[t->descriptor] = false;
    if (t->struck && w->run->act == TRACED_FAIL) give(t->id, w->run->error);
    if (t->struck && w->run->act == TRACED_KILL_AFTER) kill(w->first, SIGKILL);
    t->kind = 0;
    t->struck = false;
}

static tracee *find(watch *w, pid_t id) {
    for (int k = 0; k < w->n; k++)
        if (w->of[k].id == id) return &w->of[k];
    if (w->n == MOST) return NULL;
    w->of[w->n] = (tracee){.id = id};
    return &w->of[w->n++];
}

/* A process has stopped: what it is at, and which signal it is to have as it goes on. */
static int look(watch *w, pid_t id, int status) {
    struct __ptrace_syscall_info info;
    const bool fresh = id != w->first && w->n > 0 && w->of[w->n - 1].id != id;
    tracee *t = find(w, id);
    const int by = WSTOPSIG(status);
    if (t && id != w->first && status >> 16 == PTRACE_EVENT_EXEC) t->foreign = true;
    if (by != (SIGTRAP | 0x80))
        return status >> 16 || by == SIGTRAP || fresh || by == SIGSTOP ? 0 : by;
    if (!t || ptrace(PTRACE_GET_SYSCALL_INFO, id, sizeof info, &info) <= 0) return 0;
    if (info.op == PTRACE_SYSCALL_INFO_ENTRY) enter(w, t, &info);
    if (info.op == PTRACE_SYSCALL_INFO_EXIT) leave(w, t, &info);
    return 0;
}

static bool follow(watch *w) {
    const long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL | PTRACE_O_TRACEEXEC |
                         PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE;
    int status;
    if (waitpid(w->first, &status, 0) != w->first || !WIFSTOPPED(status)) return false;
    if (ptrace(PTRACE_SETOPTIONS, w->first, 0, options) != 0) return false;
    find(w, w->first);
    ptrace(PTRACE_SYSCALL, w->first, 0, 0);
    for (pid_t id; (id = waitpid(-1, &status, __WALL)) > 0 || errno == EINTR;) {
        if (id > 0 && WIFSTOPPED(status))
            ptrace(PTRACE_SYSCALL, id, 0, (long)look(w, id, status));
        else if (id == w->first)
            w->run->status = status;
    }
    return true; /* all of its processes have ended */
}

bool traced_run(traced *run, char *const *arguments) {
    watch w = {.run = run, .ours = {[1] = true}};
    run->calls = 0;
    if (run->kinds && !here) return false;
    w.first = fork();
    if (w.first == 0) become(run, arguments);
    if (w.first < 0) return false;
    const bool good = run->kinds ? follow(&w) : waitpid(w.first, &run->status, 0) == w.first;
    return good && !(WIFEXITED(run->status) && WEXITSTATUS(run->status) == 126);
}
