/* test_report.c - the report's harness: every comparison can fail, exit statuses, the page,
 * figures, whole files only.
 */
#include "benchmarks/harness/report.h"
#include "tests/tap.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- experiments ---- */

static void run_good(report *r) {
    report_rows *t = report_table(r, "good", "x:17\ty:17");
    report_row(t, NULL, 1, 2);
    report_row(t, NULL, 2, 4);
    report_near(r, INDEPENDENT, "one < \"two\" & three", 2, 2, 1e-12, "a <remark>");
    report_shown(r, NO_REFERENCE, "a time", "3 s", "2 s", NULL);
    report_figure(r, "line", "A line.");
    report_show_table(r, "good", "The table.");
}

static void run_bad(report *r) {
    report_count(r, OWN_BOUND, "how many", 3, 4, NULL);
}

static void run_nothing(report *r) {
    report_say(r, "no row");
}

static void run_no_picture(report *r) {
    report_count(r, OWN_BOUND, "how many", 3, 3, NULL);
    report_figure(r, "no_such_script", "A figure that cannot be drawn.");
}

static void run_skipped(report *r) {
    report_skip(r, "data/absent is absent");
}

static void run_crash(report *r) {
    fputs("half a ro", report_stream(report_table(r, "good", "x:17\ty:17")));
    fflush(NULL);
    _exit(9);
}

static void run_table(report *r) {
    report_rows *t = report_table(r, "table", "name\tx_m:3\ty:17");
    report_row(t, "a", 1.2345, 0.1);
    report_gap(t);
    report_row(t, "b", NAN, INFINITY);
    report_cells(
        report_table_of(r, "likewise", (const imp_column[]){IMP_WORDS("why"), IMP_COLUMNS_END}),
        IMP_TEXT("no"));
    report_count(r, OWN_BOUND, "rows", 2, 2, NULL);
}

static void run_few(report *r) {
    report_row(report_table(r, "few", "x:17\ty:17"), NULL, 1);
}

static void run_many(report *r) {
    report_row(report_table(r, "many", "x:17\ty:17"), NULL, 1, 2, 3);
}

static void run_a_word(report *r) {
    report_cells(report_table(r, "words", "x:17\ty:17"), IMP_NUMBER(1), IMP_TEXT("two"));
}

static void run_number(report *r) {
    report_row(report_table(r, "number", "name\ty:17"), NULL, 1, 2);
}

static void run_scale(report *r) {
    report_count(r, OWN_BOUND, "full", 1, report_full(r), NULL);
}

/* Every kind of row, right and wrong by its quantity's first letter. */
static void run_comparisons(report *r) {
    const double v[3] = {1, -2, 3}, close[3] = {1, -2, 3 + 2e-12}, far[3] = {1 + 4e-12, -2, 3};
    report_near(r, INDEPENDENT, "+ within", 2, 2 + 1e-12, 1e-12, NULL);
    report_near(r, INDEPENDENT, "- beyond", 2, 2 + 3e-12, 1e-12, NULL);
    report_near(r, INDEPENDENT, "- other sign", 2, -2, 1e-12, NULL);
    report_near(r, INDEPENDENT, "+ absolute at zero", 0, 1e-13, 1e-12, NULL);
    report_near(r, INDEPENDENT, "- absolute at zero", 0, 1e-11, 1e-12, NULL);
    report_near(r, INDEPENDENT, "- not a number", 2, NAN, 1e-12, NULL);
    report_near(r, INDEPENDENT, "- infinite", 2, INFINITY, 1e-12, NULL);
    report_vector(r, INDEPENDENT, "+ vector", v, close, 3, 1e-12, NULL);
    report_vector(r, INDEPENDENT, "- vector", v, far, 3, 1e-12, NULL);
    report_printed(r, PRINTED_IN_SOURCE, "+ printed", "0.12 -0.44 -5.7",
                   (const double[]){0.1249, -0.4351, -5.749}, 3, NULL);
    report_printed(r, PRINTED_IN_SOURCE, "- printed, first", "0.12 -0.44 -5.7",
                   (const double[]){0.1251, -0.44, -5.7}, 3, NULL);
    report_printed(r, PRINTED_IN_SOURCE, "- printed, last", "0.12 -0.44 -5.7",
                   (const double[]){0.12, -0.44, -5.76}, 3, NULL);
    report_printed(r, PRINTED_IN_SOURCE, "- printed, sign", "0.12", (const double[]){-0.12}, 1,
                   NULL);
    report_printed(r, PRINTED_IN_SOURCE, "- printed, too few", "0.12", (const double[]){0.12, 0}, 2,
                   NULL);
    report_printed(r, PRINTED_IN_SOURCE, "- printed, too many", "0.12 0", (const double[]){0.12}, 1,
                   NULL);
    report_printed(r, PRINTED_IN_SOURCE, "- printed, nan", "0.12", (const double[]){NAN}, 1, NULL);
    report_count(r, OWN_BOUND, "+ count", 7, 7, NULL);
    report_count(r, OWN_BOUND, "- count", 7, 8, NULL);
    report_at_most(r, OWN_BOUND, "+ at most", 1e-12, 1e-12, NULL);
    report_at_most(r, OWN_BOUND, "- at most", 1e-12, 2e-12, NULL);
    report_at_most(r, OWN_BOUND, "- at most, nan", 1e-12, NAN, NULL);
    report_printed(r, PRINTED_IN_SOURCE, "+ printed, exponent", "3.3e-6",
                   (const double[]){3.349e-6}, 1, NULL);
    report_printed(r, PRINTED_IN_SOURCE, "- printed, exponent", "3.3e-6",
                   (const double[]){3.351e-6}, 1, NULL);
    report_within(r, INDEPENDENT, "+ within", "0.50", 0.4, 0.3, 0.6, NULL);
    report_within(r, INDEPENDENT, "- within, low", "0.50", 0.4, 0.51, 0.6, NULL);
    report_within(r, INDEPENDENT, "- within, high", "5.0e-1", 0.4, 0.3, 0.49, NULL);
    report_within(r, INDEPENDENT, "+ within, as printed", "5.0e-1", 0.4, 0.504, 0.6, NULL);
    report_within(r, INDEPENDENT, "+ within, none", "0", 0, 0, 1e-5, NULL);
    report_within(r, INDEPENDENT, "- within, none", "0", 0.1, 1e-9, 0.2, NULL);
    report_within(r, INDEPENDENT, "- within, nan", "0.50", 0.4, NAN, NAN, NULL);
    report_judge(r, STATED_IN_SOURCE, "+ judged", "a", "a", "", true, NULL);
    report_judge(r, STATED_IN_SOURCE, "- judged", "a", "b", "", false, NULL);
}

/* Rows where a source is contradicted; those whose quantity begins with - must fail. */
static void run_differences(report *r) {
    report_refuted(r, "+ refuted", "many", "one", "one is not many", true, "because");
    report_refuted(r, "- refuted no more", "many", "many", "one is not many", false, "because");
    report_differs(r, "+ differs", "39.1 46.5", 25.2, 20, 30, "because");
    report_differs(r, "- differs no more", "39.1 25", 25.2, 20, 30, "because");
    report_differs(r, "- differs no more, the first", "25 39.1", 25.2, 20, 30, "because");
    report_differs(r, "- differs, ours elsewhere", "39.1", 31, 20, 30, "because");
    report_differs(r, "- differs, nan", "39.1", NAN, 20, 30, "because");
    report_differs(r, "- differs, from nothing", "", 25, 20, 30, "because");
    report_differs(r, "- differs, from words", "39.1 or so", 25, 20, 30, "because");
}

/* A row of every kind that the headline counts: so many printed, stated, independent, own, kept as
 * their place says. */
static void run_headline(report *r) {
    static const report_reference all[] = {PRINTED_IN_SOURCE, STATED_IN_SOURCE, INDEPENDENT,
                                           OWN_BOUND, KEPT_RUN};
    report_kept(r, "kept");
    for (int i = 0; i < 5; i++)
        for (int k = 0; k <= i; k++)
            report_count(r, all[i], "a count", 7, 7, NULL);
    for (int k = 0; k < 6; k++)
        report_refuted(r, "a claim", "so", "not so", "", true, "because");
    for (int k = 0; k < 7; k++)
        report_differs(r, "a number", "1", 2, 2, 2, "because");
    report_shown(r, INDEPENDENT, "a time", "3 s", "2 s", NULL);
}

static void run_kept_unsaid(report *r) {
    report_count(r, KEPT_RUN, "a count", 7, 7, NULL);
}

static void run_kept_anonymous(report *r) {
    report_kept(r, "anonymous");
}

static void run_unsaid(report *r) {
    report_count(r, (report_reference)0, "a count", 7, 7, NULL);
}

static void run_judged_without(report *r) {
    report_count(r, NO_REFERENCE, "a count", 7, 7, NULL);
}

#define EXPERIMENT(name)                                                                           \
    static const experiment name = {#name, "title of " #name, "what the paper shows", run_##name}
EXPERIMENT(good);
EXPERIMENT(bad);
EXPERIMENT(nothing);
EXPERIMENT(no_picture);
EXPERIMENT(skipped);
EXPERIMENT(crash);
EXPERIMENT(table);
EXPERIMENT(few);
EXPERIMENT(many);
EXPERIMENT(a_word);
EXPERIMENT(number);
EXPERIMENT(scale);
EXPERIMENT(comparisons);
EXPERIMENT(differences);
EXPERIMENT(headline);
EXPERIMENT(kept_unsaid);
EXPERIMENT(kept_anonymous);
EXPERIMENT(unsaid);
EXPERIMENT(judged_without);
#define ENTRY(name)                                                                                \
    { &name, "from " #name ".c" }
static const report_entry experiments[] = {ENTRY(good),        ENTRY(bad),
                                           ENTRY(nothing),     ENTRY(no_picture),
                                           ENTRY(skipped),     ENTRY(crash),
                                           ENTRY(scale),       ENTRY(comparisons),
                                           ENTRY(differences), ENTRY(headline),
                                           ENTRY(kept_unsaid), ENTRY(kept_anonymous),
                                           ENTRY(unsaid),      ENTRY(judged_without),
                                           ENTRY(table),       ENTRY(few),
                                           ENTRY(many),        ENTRY(a_word),
                                           ENTRY(number),      {NULL, NULL}};

/* ---- running them ---- */

/* report_main in a child, its words kept in the files out and err; its exit status. */
static int report_with(const char *directory, const char *first, const char *second) {
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        dup2(open("out", O_WRONLY | O_CREAT | O_TRUNC, 0666), STDOUT_FILENO);
        dup2(open("err", O_WRONLY | O_CREAT | O_TRUNC, 0666), STDERR_FILENO);
        char *arguments[] = {(char[]){"report"}, strdup(directory), first ? strdup(first) : NULL,
                             second ? strdup(second) : NULL, NULL};
        const int count = first ? second ? 4 : 3 : 2,
                  status = report_main(count, arguments, experiments);
        for (int i = 1; i < 4; i++)
            free(arguments[i]);
        exit(status);
    }
    int status;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The text of a small file, "" when there is none; good until the next but one call. */
static const char *text_of(const char *path) {
    static char texts[2][200000];
    static int turn;
    char *text = texts[turn ^= 1];
    FILE *file = fopen(path, "r");
    const size_t n = file ? fread(text, 1, sizeof texts[0] - 1, file) : 0;
    if (file) fclose(file);
    text[n] = '\0';
    return text;
}

static bool says(const char *path, const char *word) {
    return strstr(text_of(path), word) != NULL;
}

static int lines_of(const char *path) {
    int n = 0;
    for (const char *at = text_of(path); (at = strchr(at, '\n')) != NULL; at++)
        n++;
    return n;
}

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    if (!file) return;
    fputs(text, file);
    fclose(file);
}

static void test_page(void) {
    ok(report_with("r", "good", NULL) == 0, "all rows pass: exit 0");
    ok(lines_of("out") == 1 && says("out", "0 of kept runs") && says("out", "r/index.html"),
       "one line at the end");
    ok(lines_of("err") == 0, "nothing on standard error");
    ok(says("r/index.html", "1 experiment: 0 rows meet numbers printed in a source, 0 its "
                            "statements, 1 an independent"),
       "the page opens with the summary");
    ok(says("r/index.html", "one &lt; &quot;two&quot; &amp; three") &&
           says("r/index.html", "a &lt;remark&gt;"),
       "text is escaped");
    ok(says("r/index.html", "<svg id=\"svg-line\" class=\"plot\" role=\"img\" "
                            "aria-label=\"A line.\" viewBox=\"0 0 300 200\"") &&
           says("r/index.html", "<use href=\"#svg-line\"") && says("r/index.html", "var(--frame)"),
       "the SVG is inside, with the page's colours, and small in the gallery");
    ok(!says("r/index.html", "<script src") && !says("r/index.html", "<link") &&
           !says("r/index.html", "src=\"http"),
       "and nothing is fetched");
    ok(says("r/index.html", "build/benchmarks/report build/report good") &&
           says("r/index.html", "from good.c") && says("r/index.html", "commit c0ffee; "),
       "the section says its command and its source, the page its commit");
    ok(says("r/index.html", "<h3>Others</h3>"), "what no heading names stands under Others");
    ok(says("r/rows.tsv", "good\tone < \"two\" & three\tindependent\t2\t2\t") &&
           says("r/rows.tsv", "\tpass\ta <remark>"),
       "rows.tsv");
    ok(says("r/data/good.tsv", "# good: title of good\nx\ty\n1\t2\n2\t4\n"),
       "the data, with header");
    ok(access("r/figures/line.svg", R_OK) == 0 && access("r/figures/line.png", R_OK) == 0,
       "SVG and PNG");
    ok(access("r/index.html.part", F_OK) != 0 && access("r/data/good.tsv.part", F_OK) != 0 &&
           access("r/figures/line.svg.part", F_OK) != 0 && access("r/figures/line.log", F_OK) != 0,
       "no temporary files remain");
}

static void test_endings(void) {
    ok(report_with("e", "bad", NULL) == 1, "a failing row: exit 1");
    ok(says("e/index.html", "1 FAIL") && says("e/rows.tsv", "\tfail\t") &&
           says("err", "FAIL bad, how many"),
       "said on the page, in the rows and on standard error");
    ok(report_with("e", "good", "bad") == 1, "one good, one bad: exit 1");
    ok(says("e/index.html", "1 an independent computation, 0 our own") &&
           says("e/index.html", "1 FAIL"),
       "both counted");
    ok(report_with("e", "nothing", NULL) == 1, "an experiment without rows fails");
    ok(report_with("e", "skipped", NULL) == 0 && says("e/index.html", "absent is absent") &&
           says("out", "1 skipped"),
       "a skipped one does not, and says why");
    ok(report_with("e", "scale", NULL) == 1, "short by default");
    ok(report_with("e", "scale", "SCALE=full") == 0, "SCALE=full reaches the experiment");
    setenv("SCALE", "full", 1);
    ok(report_with("e", "scale", NULL) == 0, "also from the environment");
    unsetenv("SCALE");
    static const char *const misuse[][2] = {
        {"good", "nonsense"}, {"good", "SCALE=half"}, {"", NULL}};
    for (int i = 0; i < 3; i++) {
        ok(report_with("m", misuse[i][0], misuse[i][1]) == 2, "misuse %d: exit 2", i);
        ok(lines_of("out") == 0 && lines_of("err") == 1,
           "one line on standard error, nothing on standard output");
    }
    ok(access("m", F_OK) != 0, "and no folder made");
    write_file("plain", "a file");
    ok(report_with("plain/r", "good", NULL) == 2 && lines_of("err") == 1,
       "a folder that cannot be made: exit 2");
    ok(report_with("it's", "good", NULL) == 2,
       "a folder whose name gnuplot could not take: exit 2");
}

static void test_figures(void) {
    ok(report_with("f", "no_picture", NULL) == 1, "a figure without a script: exit 1");
    ok(says("f/index.html", "Figure missing: plots/no_such_script.gp") && says("out", "1 MISSING"),
       "said on the page");
    write_file("plots/no_such_script.gp", "plot 'no_such_table'\n");
    ok(report_with("f", "no_picture", NULL) == 1 && says("f/index.html", "Figure missing: gnuplot"),
       "a script that fails: exit 1");
    unlink("plots/no_such_script.gp");
    char path[8000];
    snprintf(path, sizeof path, "%s", getenv("PATH") ? getenv("PATH") : "");
    setenv("PATH", "/nonexistent", 1);
    ok(report_with("f", "good", NULL) == 1, "no gnuplot: exit 1");
    ok(says("f/index.html", "gnuplot was not found") && says("f/index.html", "1 an independent"),
       "the page says so, and has the rows");
    setenv("PATH", path, 1);
}

/* Rows fit their columns, or the program ends; what is no number is an empty field. */
static void test_tables(void) {
    ok(report_with("t", "table", NULL) == 0, "a table");
    ok(says("t/data/table.tsv", "\nname\tx_m\ty\na\t1.23\t0.10000000000000001\n\nb\t\t\n"),
       "its header and rows");
    ok(says("t/data/likewise.tsv", "\nwhy\nno\n"), "one with the columns of another");
    static const char *const wrong[][2] = {{"few", "a row of 1, expected 2"},
                                           {"many", "a row of 3, expected 2"},
                                           {"a_word", "y of the other kind"},
                                           {"number", "name of the other kind"}};
    for (int i = 0; i < 4; i++)
        ok(report_with("t", wrong[i][0], NULL) == 2 && lines_of("err") == 1 &&
               says("err", wrong[i][1]),
           "%s: exit 2", wrong[i][0]);
}

static void test_atomic(void) {
    report_with("a", "good", NULL);
    char page[200000];
    snprintf(page, sizeof page, "%s", text_of("a/index.html"));
    ok(report_with("a", "crash", NULL) == 9, "an experiment dies in the middle of a table");
    ok(strcmp(page, text_of("a/index.html")) == 0, "the old page stands");
    ok(says("a/data/good.tsv", "2\t4\n"), "the old table stands");
    ok(report_with("a", "good", NULL) == 0 && access("a/data/good.tsv.part", F_OK) != 0,
       "the next run recovers");
}

static void test_comparisons(void) {
    ok(report_with("c", "comparisons", NULL) == 1, "every kind of row");
    int rows = 0, wrong = 0;
    char text[20000], *rest = text;
    snprintf(text, sizeof text, "%s", text_of("c/rows.tsv"));
    for (char *line; (line = strsep(&rest, "\n")) != NULL;) {
        if (strncmp(line, "comparisons\t", 12) != 0) continue;
        const bool expected = line[12] == '+', passed = strstr(line, "\tpass\t") != NULL;
        rows++;
        if (expected == passed) continue;
        wrong++;
        note("%s", line);
    }
    ok(rows == 32 && wrong == 0, "each verdict is the one its numbers deserve");
}

/* Of rows.tsv: how many lines hold both words. */
static int rows_with(const char *path, const char *a, const char *b) {
    char text[20000], *rest = text;
    int n = 0;
    snprintf(text, sizeof text, "%s", text_of(path));
    for (char *line; (line = strsep(&rest, "\n")) != NULL;)
        n += strstr(line, a) && strstr(line, b);
    return n;
}

static void test_differences(void) {
    ok(report_with("d", "differences", NULL) == 1, "rows that contradict no longer: exit 1");
    ok(rows_with("d/rows.tsv", "\t+ ", "\trefuted\t") == 1 &&
           rows_with("d/rows.tsv", "\t+ ", "\tdiffers\t") == 1 &&
           rows_with("d/rows.tsv", "\t- ", "\tfail\t") == 7 &&
           rows_with("d/rows.tsv", "\t", "\tpass\t") == 0,
       "refuted and differs are verdicts of their own, and no pass");
    ok(says("d/index.html", "1 claim of sources refuted, 1 of their numbers not met; 7 FAIL"),
       "counted apart");
}

static int occurrences(const char *text, const char *word) {
    int n = 0;
    for (const char *at = text; (at = strstr(at, word)) != NULL; at += strlen(word))
        n++;
    return n;
}

static void test_headline(void) {
    write_file("reference/data/kept.tsv",
               "# a run\n# commit: c0ffee\n# command: make it\n# note: of old\nx\n1\n");
    ok(report_with("h", "headline", NULL) == 0,
       "refuted and different rows do not fail the report");
    static const char *const words_of_it =
        "1 experiment: 1 row meets numbers printed in a source, 2 its statements, 3 an independent "
        "computation, 4 our "
        "own "
        "bounds, 5 of kept runs their bounds; 6 claims of sources refuted, 7 of their numbers not "
        "met; 0 FAIL; 1 shown";
    ok(says("h/index.html", words_of_it) && says("out", words_of_it), "the headline");
    static const char *const words[] = {"printed", "stated", "independent", "own bound",
                                        "kept run"};
    for (int i = 0; i < 5; i++)
        ok(rows_with("h/rows.tsv", words[i], "\tpass\t") == i + 1, "is what rows.tsv holds: %s",
           words[i]);
    ok(rows_with("h/rows.tsv", "\tcontradiction\t", "\trefuted\t") == 6 &&
           rows_with("h/rows.tsv", "\tcontradiction\t", "\tdiffers\t") == 7,
       "and so are contradictions");
    ok(occurrences(text_of("h/index.html"), "<td class=\"v pass\">pass</td></tr>") == 15 &&
           occurrences(text_of("h/index.html"), "<td class=\"v refuted\">refuted</td></tr>") ==
               2 * 6 &&
           occurrences(text_of("h/index.html"), "<td class=\"v differs\">differs</td></tr>") ==
               2 * 7,
       "the page shows each verdict beside its row, differences in their section, too");
    const char *page = text_of("h/index.html"), *first = strstr(page, "<h2"),
               *kept = strstr(page, "id=\"kept\""), *section = strstr(page, "<section id=");
    ok(first && strncmp(first, "<h2 id=\"differences\">Where a source and we differ", 49) == 0,
       "the page opens with the differences");
    ok(kept && section && kept < section && strstr(kept, "c0ffee") && strstr(kept, "make it") &&
           strstr(kept, "of old"),
       "and says commit, command and note of the kept run");
}

/* Over several experiments, too. */
static void test_refuted_first(void) {
    report_with("o", "headline", "differences");
    const char *rows = strstr(text_of("o/index.html"), "id=\"differences\""),
               *end = rows ? strstr(rows, "</table>") : NULL, *refuted = NULL;
    for (const char *at = rows; at && (at = strstr(at + 1, "<td class=\"v refuted\"")) && at < end;)
        refuted = at;
    ok(refuted && refuted < strstr(rows, "<td class=\"v differs\""),
       "claims refuted stand before numbers that differ");
}

static void test_references(void) {
    ok(report_with("k", "kept_unsaid", NULL) == 1 &&
           says("k/index.html", "of which kept run, is not said"),
       "a kept row without its run fails");
    write_file("reference/data/anonymous.tsv",
               "# a run\n# command: make it\nx\n1\n# commit: too late\n");
    ok(report_with("k", "kept_anonymous", NULL) == 1 &&
           says("k/rows.tsv", "anonymous.tsv says its commit and command"),
       "a kept run without commit fails");
    ok(report_with("u", "unsaid", NULL) == 2 && says("err", "without a reference"),
       "a row without reference: exit 2");
    ok(report_with("u", "judged_without", NULL) == 2,
       "a judged row with none to hold it against: exit 2");
}

int main(void) {
    char here[4096], root[4096], link[5000];
    snprintf(root, sizeof root, "%s/impact-report-XXXXXX",
             getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    if (!getcwd(here, sizeof here) || !mkdtemp(root) || chdir(root) != 0 ||
        mkdir("plots", 0777) != 0 || mkdir("reference", 0777) != 0 ||
        mkdir("reference/data", 0777) != 0)
        return skip_all("no folder for temporary files");
    snprintf(link, sizeof link, "%s/plots/style.gp", here);
    ok(symlink(link, "plots/style.gp") == 0, "a folder of its own");
    snprintf(link, sizeof link, "%s/plots/page", here);
    ok(symlink(link, "plots/page") == 0, "with the templates of the page");
    write_file("plots/line.gp", "width = 300; height = 200\nload 'plots/style.gp'\n"
                                "plot data.'good.tsv' using 'x':'y' with linespoints\n");
    unsetenv("SCALE");
    setenv("IMPACT_BENCH_COMMIT", "c0ffee", 1);
    test_page();
    test_endings();
    test_figures();
    test_tables();
    test_atomic();
    test_comparisons();
    test_differences();
    test_headline();
    test_refuted_first();
    test_references();
    char command[5000];
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    ok(chdir(here) == 0 && system(command) == 0, "cleaned up");
    return tap_done();
}
