/* test_report.c - the report's harness: exit statuses, the page, figures, tables, whole files
 * only. */
#include "tests/report_folder.h"

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
    double y[2] = {7, 7};
    report_count(r, OWN_BOUND, "rows", 2, report_drawn(t, NULL, "y", 2, y), NULL);
    report_count(r, OWN_BOUND, "written, and empty", 1, y[0] == 0.1 && isnan(y[1]), NULL);
    report_count(r, OWN_BOUND, "of a series", 1, report_drawn(t, "a", "x_m", 0, NULL), NULL);
}

static void run_no_column(report *r) {
    report_drawn(report_table(r, "narrow", "x:17"), NULL, "y", 0, NULL);
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

REPORTED(good);
REPORTED(bad);
REPORTED(nothing);
REPORTED(no_picture);
REPORTED(skipped);
REPORTED(crash);
REPORTED(table);
REPORTED(few);
REPORTED(many);
REPORTED(a_word);
REPORTED(no_column);
REPORTED(number);
REPORTED(scale);
const report_entry reported[] = {ENTRY(good),    ENTRY(bad),    ENTRY(nothing),   ENTRY(no_picture),
                                 ENTRY(skipped), ENTRY(crash),  ENTRY(table),     ENTRY(few),
                                 ENTRY(many),    ENTRY(a_word), ENTRY(no_column), ENTRY(number),
                                 ENTRY(scale),   {NULL, NULL}};

/* ---- running them ---- */

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
    ok(says("r/index.html", "build/benchmarks/report build/mine good") &&
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
                                           {"no_column", "no column \"y\""},
                                           {"number", "name of the other kind"}};
    for (int i = 0; i < 5; i++)
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

int main(void) {
    if (!report_folder_begin()) return skip_all("no folder for temporary files");
    test_page();
    test_endings();
    test_figures();
    test_tables();
    test_atomic();
    report_folder_end();
    return tap_done();
}
