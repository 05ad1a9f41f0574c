/* report.h - experiments, the rows that judge them, their figures, and the page that shows all of
 * it.
 *
 * An experiment is one const descriptor in a file of its own, one line in
 * benchmarks/experiments/experiments.c, and one plots/NAME.gp per figure. While it runs it opens
 * tables (data/NAME.tsv), adds rows - a published value beside ours, the verdict reached here by
 * comparing - and names figures and remarks in the order in which the page shows them.
 *
 *     static void run(report *r) {
 *         report_rows *t = report_table(r, "m_box", "series\tp_n_Ns:17\tu_n_mps:17");
 *         report_row(t, "path", p_n, u_n);
 *         report_at_most(r, OWN_BOUND, "Stronge's law at e = 1", 1e-12, residual, NULL);
 *         report_figure(r, "m_box", "What is drawn, in words.");
 *     }
 *     const experiment experiment_m_box = {"M-box", "title", "what the paper shows", run};
 *
 * All text is UTF-8 and escaped for the page here. Nothing is thread-safe: an experiment with
 * threads adds its rows from one. Running out of memory or disk ends the program with a line on
 * standard error, status 2. */
#ifndef REPORT_H
#define REPORT_H

#include "io/columns.h"

typedef struct report report;
typedef struct report_rows report_rows; /* a table that is being written */

typedef struct experiment {
    /* "P-Fig2": source and figure, as the page, the rows and the command line call it */
    const char *id;
    const char *title; /* one line */
    const char *paper; /* what the source shows, and where it is wrong or silent */
    void (*run)(report *r);
} experiment;

typedef struct report_entry { /* of a table of experiments; the last one is {NULL, NULL} */
    const experiment *experiment;
    const char *source; /* the file that it is written in, as the page says it */
} report_entry;

/* The program: `report DIR [ID ...] [SCALE=full]`. Runs the experiments of the table that are
 * named, all when none is, and writes DIR/index.html, DIR/rows.tsv, DIR/data and DIR/figures;
 * SCALE also from the environment, as IMPACT_BENCH_COMMIT, which the page says. Ends on standard
 * output with one line. 0: no row failed and every figure was drawn; 1: not so; 2: bad use, or the
 * files could not be written, one line on standard error. Every file is written under another name
 * and renamed. */
int report_main(int argc, char **argv, const report_entry *table);

/* Is this a SCALE=full run, in which minutes and hours are in order? */
bool report_full(const report *r);

/* For runs of some seconds: where the experiment stands, 0 .. 1. Shown on a terminal only. */
void report_progress(const report *r, double fraction);

/* A formatted text that lives as long as the report. */
__attribute__((format(printf, 2, 3))) const char *report_text(report *r, const char *format, ...);

/* data/NAME.tsv, with a comment saying whence it comes and the header row already written. Columns
 * are separated by tabs: NAME of texts, NAME:DIGITS of numbers. The caller writes rows and never
 * closes: the next figure, shown table, or the end of the experiment does. */
report_rows *report_table(report *r, const char *name, const char *columns);

/* The same with the columns of another table; and the stream below its header, for functions that
 * write its rows. */
report_rows *report_table_of(report *r, const char *name, const imp_column *columns);
FILE *report_stream(report_rows *rows);

/* A row: the text of the first column (NULL: it has numbers, too), then numbers. Fields of any
 * kind: IMP_TEXT(x), IMP_NUMBER(x). One for each column, and of its kind, or the program ends. A
 * number that is not finite is an empty field. */
#define report_row(rows, text, ...)                                                                \
    report_numbers(rows, text, (int)(sizeof((const double[]){__VA_ARGS__}) / sizeof(double)),      \
                   (const double[]){__VA_ARGS__})
#define report_cells(rows, ...) report_fields(rows, IMP_CELLS(__VA_ARGS__))
void report_numbers(report_rows *rows, const char *text, int count, const double *x);
void report_fields(report_rows *rows, int count, const imp_cell *cells);

/* The empty line at which gnuplot lifts its pen. */
void report_gap(report_rows *rows);

/* x <- a column as the file has it so far, in the rows whose first field is `series` (NULL: in
 * all), `most` of them at most, NAN where a field is empty; returns how many there are. With it
 * rows judge what is drawn, to the digits of its column, and not a computation beside it. */
int report_drawn(const report_rows *rows, const char *series, const char *column, int most,
                 double *x);

/* Draws plots/NAME.gp to figures/NAME.svg and .png, and puts it on the page over its caption. */
void report_figure(report *r, const char *name, const char *caption);

/* The same, and where img2webp is found (Debian: webp) a moving picture, figures/NAME.webp, which
 * plays on demand. With format "frames" the script draws a PNG per frame, counted from 0, to
 * sprintf(target, number); each is shown for 60 ms. */
void report_motion(report *r, const char *name, const char *caption);

/* Puts the table data/NAME.tsv itself on the page: short ones only. */
void report_show_table(report *r, const char *name, const char *caption);

/* A paragraph on the page. */
void report_say(report *r, const char *text);

/* Rows. Each compares as its line says, NaN failing every comparison; remark may be NULL. Every row
 * says what it is held against: */
typedef enum report_reference {
    REPORT_UNSAID,     /* no reference at all: such a row ends the program */
    PRINTED_IN_SOURCE, /* numbers, or words of a table, that the source prints */
    STATED_IN_SOURCE,  /* a claim of the source in words, which the comparison puts into numbers */
    /* computed for this project by other means: an oracle, a closed form, a second method */
    INDEPENDENT,
    OWN_BOUND, /* what we ask of ourselves; the source says nothing of it */
    /* ours is of a run kept in reference/data, not of this one: after report_kept */
    KEPT_RUN,
    NO_REFERENCE,       /* of report_shown alone */
    REPORT_CONTRADICTS, /* of report_refuted and report_differs alone */
    REPORT_REFERENCES
} report_reference;

/* |ours - published| <= tolerance |published|, or <= tolerance where published is 0. */
void report_near(report *r, report_reference reference, const char *quantity, double published,
                 double ours, double tolerance, const char *remark);

/* max |ours - published| <= tolerance max |published| over n components. */
void report_vector(report *r, report_reference reference, const char *quantity,
                   const double *published, const double *ours, int n, double tolerance,
                   const char *remark);

/* Numbers as a paper prints them, separated by spaces: each of ours rounds to them, within half a
 * unit of the last printed digit ("-5.7", "3.3e-6"). */
void report_printed(report *r, report_reference reference, const char *quantity,
                    const char *printed, const double *ours, int n, const char *remark);

/* Equal whole numbers. */
void report_count(report *r, report_reference reference, const char *quantity, long long published,
                  long long ours, const char *remark);

/* ours <= limit. */
void report_at_most(report *r, report_reference reference, const char *quantity, double limit,
                    double ours, const char *remark);

/* A frequency as printed, "1.3e-2": to its printed digits it lies in [low, high], the interval that
 * our sample and its size leave open. "0" is none at all. */
void report_within(report *r, report_reference reference, const char *quantity, const char *printed,
                   double ours, double low, double high, const char *remark);

/* The general row, for what is not a number: the caller compares, and says in words how. */
void report_judge(report *r, report_reference reference, const char *quantity,
                  const char *published, const char *ours, const char *tolerance, bool passed,
                  const char *remark);

/* A row that is shown and not judged: a time on another machine, a number the paper does not
 * give. */
void report_shown(report *r, report_reference reference, const char *quantity,
                  const char *published, const char *ours, const char *remark);

/* Where we differ from a source, or a source from itself: these rows open the page. Their reason is
 * never NULL. */

/* A claim of the source that what is found here excludes: `contradicted` says so, by the comparison
 * in words. Its verdict is then refuted, which is what is expected; where the contradiction is gone
 * the row fails. Rows of one experiment whose `claim` is the same count as one claim. */
void report_refuted(report *r, const char *quantity, const char *claim, const char *ours,
                    const char *decided, bool contradicted, const char *reason);

/* Numbers that the source prints, separated by spaces, and ours, which is another: in [low, high],
 * where none of the printed ones lies. Verdict differs; where ours leaves its interval, or a
 * printed one is in it, the row fails. */
void report_differs(report *r, const char *quantity, const char *printed, double ours, double low,
                    double high, const char *reason);

/* The rows of reference/data/NAME.tsv are those of a kept run: the page shows the lines "# commit:
 * ", "# command: " and "# note: " of its head. A failing row where the first two are not there. */
void report_kept(report *r, const char *name);

/* The experiment cannot run here (data that are not part of the project are absent): counted, said,
 * not a failure. */
void report_skip(report *r, const char *why);

#endif
