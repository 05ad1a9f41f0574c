/* draw.c - runs gnuplot on plots/NAME.gp: one SVG, and a PNG of the same picture; of a picture that
 * moves its frames, too, which img2webp joins.
 *
 * The script is given `format` ("svg", "png" or "frames"), `target` (the file to write; of frames
 * with a place for the number) and `data` (the folder of the tables); it sets its size, loads
 * plots/style.gp and plots. The picture is given its name only when it is whole. */
#include "benchmarks/harness/state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* The last line of a text file, without its line end: gnuplot says there what was wrong, after a
 * blank. */
static const char *last_line(report *r, const char *path) {
    char line[512], last[512] = "";
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (line[strspn(line, " ^")] != '\0') memcpy(last, line, sizeof last);
    }
    if (file) fclose(file);
    return report_text(r, "%s", last);
}

/* Runs gnuplot with its messages in `log`; NULL, or what went wrong. */
static const char *run_gnuplot(report *r, const char *name, const char *format, const char *target,
                               const char *log) {
    const char *script = report_text(r, "plots/%s.gp", name);
    const char *settings =
        report_text(r, "format='%s'; target='%s'; data='%s/data/'", format, target, r->directory);
    if (access(script, R_OK) != 0) return report_text(r, "%s: %s", script, strerror(errno));
    fflush(NULL);
    const pid_t child = fork();
    if (child < 0) return report_text(r, "fork: %s", strerror(errno));
    if (child == 0) {
        const int messages = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        if (messages >= 0) {
            dup2(messages, STDOUT_FILENO);
            dup2(messages, STDERR_FILENO);
        }
        /* scripts are UTF-8, whatever the user's locale: Debian's bare one is not */
        (void)setenv("LC_ALL", "C.UTF-8", 1);
        execlp("gnuplot", "gnuplot", "-e", settings, script, (char *)NULL);
        _exit(127);
    }
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return report_text(r, "waitpid: %s", strerror(errno));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        return "gnuplot was not found (make deps installs it)";
    /* a warning counts: the picture would lack something */
    const char *message = last_line(r, log);
    if (*message) return report_text(r, "gnuplot: %s", message);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? NULL : "gnuplot failed";
}

/* `part` is given its name where it was made; else what an earlier run left goes away, which is not
 * the picture of these data. */
static const char *name_picture(report *r, const char *part, const char *target,
                                const char *fault) {
    struct stat made;
    if (!fault && (stat(part, &made) != 0 || made.st_size == 0)) fault = "nothing was drawn";
    if (!fault && rename(part, target) != 0)
        fault = report_text(r, "%s: %s", target, strerror(errno));
    if (fault) unlink(part);
    if (fault) unlink(target);
    return fault;
}

const char *report_draw(report *r, const char *name) {
    static const char *const formats[] = {"svg", "png"};
    const char *log = report_text(r, "%s/figures/%s.log", r->directory, name);
    const char *fault = NULL;
    for (int i = 0; i < 2 && !fault; i++) {
        const char *target = report_text(r, "%s/figures/%s.%s", r->directory, name, formats[i]);
        const char *part = report_text(r, "%s.part", target);
        fault = name_picture(r, part, target, run_gnuplot(r, name, formats[i], part, log));
    }
    unlink(log);
    return fault;
}

const char *report_draw_frames(report *r, const char *name, bool *missing) {
    const char *base = report_text(r, "%s/figures/%s", r->directory, name),
               *log = report_text(r, "%s.log", base), *target = report_text(r, "%s.webp", base),
               *part = report_text(r, "%s.part", target);
    const char *fault = run_gnuplot(r, name, "frames", report_text(r, "%s-%%03d.png", base), log);
    if (!fault) {
        const int status = system(report_text(
            r, "img2webp -loop 0 -min_size -mixed -d 60 '%s-'???.png -o '%s' > '%s' 2>&1", base,
            part, log));
        *missing = WIFEXITED(status) && WEXITSTATUS(status) == 127;
        if (*missing)
            fault = "img2webp was not found (Debian: webp)";
        else if (status != 0)
            fault = report_text(r, "img2webp: %s", last_line(r, log));
    }
    (void)system(report_text(r, "rm -f '%s-'???.png '%s'", base, log));
    return name_picture(r, part, target, fault);
}
