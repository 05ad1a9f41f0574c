/* report_folder.h - the report program in a folder of its own: what it writes, says and ends
 * with. */
#ifndef REPORT_FOLDER_H
#define REPORT_FOLDER_H

#include "benchmarks/harness/report.h"
#include "tests/tap.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Of the test, ended by {NULL, NULL}: an experiment `name` runs run_name. */
extern const report_entry reported[];

#define REPORTED(name)                                                                             \
    static const experiment name = {#name, "title of " #name, "what the paper shows", run_##name}
#define ENTRY(name)                                                                                \
    { &name, "from " #name ".c" }

/* report_main in a child, its words kept in the files out and err; its exit status. */
static inline int report_with(const char *directory, const char *first, const char *second) {
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        dup2(open("out", O_WRONLY | O_CREAT | O_TRUNC, 0666), STDOUT_FILENO);
        dup2(open("err", O_WRONLY | O_CREAT | O_TRUNC, 0666), STDERR_FILENO);
        char *arguments[] = {(char[]){"report"}, strdup(directory), first ? strdup(first) : NULL,
                             second ? strdup(second) : NULL, NULL};
        const int count = first ? second ? 4 : 3 : 2,
                  status = report_main(count, arguments, reported);
        for (int i = 1; i < 4; i++)
            free(arguments[i]);
        exit(status);
    }
    int status;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The text of a small file, "" when there is none; good until the next but one call. */
static inline const char *text_of(const char *path) {
    static char texts[2][200000];
    static int turn;
    char *text = texts[turn ^= 1];
    FILE *file = fopen(path, "r");
    const size_t n = file ? fread(text, 1, sizeof texts[0] - 1, file) : 0;
    if (file) fclose(file);
    text[n] = '\0';
    return text;
}

static inline bool says(const char *path, const char *word) {
    return strstr(text_of(path), word) != NULL;
}

static inline int lines_of(const char *path) {
    int n = 0;
    for (const char *at = text_of(path); (at = strchr(at, '\n')) != NULL; at++)
        n++;
    return n;
}

static inline void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    if (!file) return;
    fputs(text, file);
    fclose(file);
}

/* Of rows.tsv: how many lines hold both words. */
static inline int rows_with(const char *path, const char *a, const char *b) {
    char text[20000], *rest = text;
    int n = 0;
    snprintf(text, sizeof text, "%s", text_of(path));
    for (char *line; (line = strsep(&rest, "\n")) != NULL;)
        n += strstr(line, a) && strstr(line, b);
    return n;
}

static char report_folder[4096], report_home[4096];

/* Goes into a new folder that has the templates of the page, how figures look, and a figure `line`
 * of the table `good`. False: there is none. */
static inline bool report_folder_begin(void) {
    char link[5000];
    snprintf(report_folder, sizeof report_folder, "%s/impact-report-XXXXXX",
             getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    if (!getcwd(report_home, sizeof report_home) || !mkdtemp(report_folder) ||
        chdir(report_folder) != 0 || mkdir("plots", 0777) != 0 || mkdir("reference", 0777) != 0 ||
        mkdir("reference/data", 0777) != 0)
        return false;
    snprintf(link, sizeof link, "%s/plots/style.gp", report_home);
    ok(symlink(link, "plots/style.gp") == 0, "a folder of its own");
    snprintf(link, sizeof link, "%s/plots/page", report_home);
    ok(symlink(link, "plots/page") == 0, "with the templates of the page");
    write_file("plots/line.gp", "width = 300; height = 200\nload 'plots/style.gp'\n"
                                "plot data.'good.tsv' using 'x':'y' with linespoints\n");
    unsetenv("SCALE");
    setenv("IMPACT_BENCH_COMMIT", "c0ffee", 1);
    return true;
}

static inline void report_folder_end(void) {
    char command[5000];
    snprintf(command, sizeof command, "rm -rf '%s'", report_folder);
    ok(chdir(report_home) == 0 && system(command) == 0, "cleaned up");
}

#endif
