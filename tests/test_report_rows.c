/* test_report_rows.c - the rows of the report: every comparison can fail, what is counted how, and
 * the headline. */
#include "tests/report_folder.h"

/* ---- experiments ---- */

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
        report_refuted(r, "a claim", report_text(r, "so %d", k), "not so", "", true, "because");
    report_refuted(r, "a claim of before", "so 5", "nor so", "", true, "because");
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

REPORTED(comparisons);
REPORTED(differences);
REPORTED(headline);
REPORTED(kept_unsaid);
REPORTED(kept_anonymous);
REPORTED(unsaid);
REPORTED(judged_without);
const report_entry reported[] = {ENTRY(comparisons),    ENTRY(differences),    ENTRY(headline),
                                 ENTRY(kept_unsaid),    ENTRY(kept_anonymous), ENTRY(unsaid),
                                 ENTRY(judged_without), {NULL, NULL}};

/* ---- running them ---- */

static int occurrences(const char *text, const char *word) {
    int n = 0;
    for (const char *at = text; (at = strstr(at, word)) != NULL; at += strlen(word))
        n++;
    return n;
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
    ok(rows_with("h/rows.tsv", "\tcontradiction\t", "\trefuted\t") == 7 &&
           rows_with("h/rows.tsv", "\tcontradiction\t", "\tdiffers\t") == 7,
       "and so are contradictions");
    ok(occurrences(text_of("h/index.html"), "<td class=\"v pass\">pass</td></tr>") == 15 &&
           occurrences(text_of("h/index.html"), "<td class=\"v refuted\">refuted</td></tr>") ==
               2 * 7 &&
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
    if (!report_folder_begin()) return skip_all("no folder for temporary files");
    test_comparisons();
    test_differences();
    test_headline();
    test_refuted_first();
    test_references();
    report_folder_end();
    return tap_done();
}
