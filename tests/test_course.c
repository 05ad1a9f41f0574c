/* test_course.c - what the experiments read of a scene's impact: its ends, its sums, and the
 * comparison of printed numbers, which can fail. */
#include "benchmarks/experiments/course.h"
#include "tests/scratch.h"
#include "tests/tap.h"

#include <fcntl.h>
#include <sys/wait.h>

/* Rows that must pass begin with +, those that must fail with -. */
static void printed(report *r) {
    static const char *const number = "-1.39731 0 2.20";
    course_printed(r, "+ printed", number, (const double[]){-1.39731, 0.2, 2.2}, 3, NULL);
    course_printed(r, "+ last digit off by one", number, (const double[]){-1.39732, 0, 2.21}, 3,
                   NULL);
    course_printed(r, "- off by two", number, (const double[]){-1.39733, 0, 2.2}, 3, NULL);
    course_printed(r, "- off by two at the end", number, (const double[]){-1.39731, 0, 2.22}, 3,
                   NULL);
    course_printed(r, "- sign", number, (const double[]){1.39731, 0, 2.2}, 3, NULL);
    course_printed(r, "- not a number", number, (const double[]){-1.39731, NAN, 2.2}, 3, NULL);
    course_printed(r, "- too few", "1.5", (const double[]){1.5, 0}, 2, NULL);
    course_printed(r, "- too many", "1.5 0", (const double[]){1.5}, 1, NULL);
}

static double apart(const double *a, const double *b, int n) {
    double worst = 0;
    for (int i = 0; i < n; i++)
        worst = tap_worst(worst, fabs(a[i] - b[i]));
    return worst;
}

/* u = W p + q of the touch. */
static void velocity(const course *c, const double *p, double *u) {
    const int rows = 3 * c->touch.nc;
    for (int i = 0; i < rows; i++) {
        u[i] = c->touch.u[i];
        for (int j = 0; j < rows; j++)
            u[i] += c->touch.W[i * rows + j] * p[j];
    }
}

static void ends(report *r, const char *name, const char *variant) {
    course c;
    course_plus plus;
    double u[3 * COURSE_CONTACTS] = {0};
    if (!course_open(r, name, variant, &c)) return;
    if (course_run(r, &c, &c.scene.run) && course_plus_run(r, &c, 0.01, &plus)) {
        velocity(&c, plus.p, u);
        for (int i = 0; i < c.touch.nc; i++) {
            const course_point first = course_look(&c, i, 0), last = course_last(&c, i),
                               start = course_plus_look(&plus, i, 0),
                               end = course_plus_look(&plus, i, plus.count);
            report_at_most(r, OWN_BOUND, "+ both start at the touch", 1e-12,
                           tap_worst(apart(first.u, c.touch.u + 3 * i, 3),
                                     apart(start.u, c.touch.u + 3 * i, 3)),
                           NULL);
            report_at_most(r, OWN_BOUND, "+ PLUS's intervals add up", 1e-12,
                           apart(end.p, plus.p + 3 * i, 3), NULL);
            report_at_most(r, OWN_BOUND, "+ and end at W p + q", 1e-12, apart(end.u, u + 3 * i, 3),
                           NULL);
            report_judge(r, OWN_BOUND, "+ the compliant run ends apart", "", "", "",
                         last.u[0] >= 0 && last.depth <= 1e-12 && last.p[0] > 0, NULL);
            const course_point deepest = course_look(&c, i, course_compressed(&c, i));
            report_at_most(r, OWN_BOUND, "+ compression ends where it is deepest", 0.05,
                           fabs(1 - deepest.depth / c.run.deepest[c.touch.pair[i]]), NULL);
        }
    }
    course_close(&c);
}

static void run(report *r) {
    static const double x[] = {1, 10, 100, 1000},
                        y[] = {3, 3 * 0.3981071705534972, 3 * 0.158489319246111349,
                               3 * 0.0630957344480193};
    course none;
    printed(r);
    report_near(r, OWN_BOUND, "+ exponent", -0.4, course_exponent(x, y, 4), 1e-14, NULL);
    ends(r, "brick-point", "mu 0.225");
    ends(r, "brick-face", "flat");
    report_judge(r, OWN_BOUND, "+ a scene that is not there", "", "", "",
                 !course_open(r, "no-such-scene", NULL, &none), NULL);
    report_judge(r, OWN_BOUND, "+ a variant that is not there", "", "", "",
                 !course_open(r, "cradle", "none", &none), NULL);
}

static const experiment only = {"course", "title", "paper", run};
static const report_entry table[] = {{&only, __FILE__}, {NULL, NULL}};

int main(void) {
    const char *folder = scratch_path("report"), *rows = scratch_path("report/rows.tsv");
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        char *arguments[] = {(char[]){"report"}, strdup(folder), NULL};
        dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
        dup2(STDOUT_FILENO, STDERR_FILENO);
        const int status = report_main(2, arguments, table);
        free(arguments[1]);
        _exit(status);
    }
    int status = 0, right = 0, absent = 0;
    waitpid(child, &status, 0);
    ok(WIFEXITED(status) && WEXITSTATUS(status) == 1,
       "the report ran, and some of its rows failed");
    char line[2000];
    FILE *in = fopen(rows, "r");
    while (in && fgets(line, sizeof line, in)) {
        if (strncmp(line, "course\t", 7) != 0) continue;
        const bool passed = strstr(line, "\tpass\t") != NULL;
        if (line[7] == '+' || line[7] == '-') {
            ok(passed == (line[7] == '+'), "%.*s", (int)strcspn(line + 7, "\t"), line + 7);
            right++;
        } else {
            ok(!passed && strncmp(line + 7, "benchmarks/scenes/", 18) == 0,
               "a scene that cannot be had fails");
            absent++;
        }
    }
    if (in) fclose(in);
    ok(right == 8 + 1 + 5 + 20 + 2 && absent == 2, "all rows are there: %d and %d", right, absent);
    return tap_done();
}
