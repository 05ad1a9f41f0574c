/* log.c - the log of a campaign: a line a lot, tab-separated:
 *
 *     inquiry  seed  lots  code  seconds  processor  ended  at  row=number,number,...  row=...
 *
 * lots: its number, or in a line of several "0-17,19"; seconds by the clock and of processors; the
 * numbers of a row in the order of the inquiry's columns; a row of which all are 0 is left out. */
#include "campaign/log.h"

#include "io/number.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *campaign_code_of(const campaign_inquiry *inquiry) {
    const campaign_code *c = campaign_codes;
    while (c->inquiry && strcmp(c->inquiry, inquiry->name) != 0)
        c++;
    return c->inquiry ? c->code : "?";
}

int campaign_columns(const campaign_inquiry *inquiry) {
    int n = 0;
    while (inquiry->columns[n].name)
        n++;
    return n;
}

bool campaign_is_empty(const double *cell, int n) {
    for (int c = 0; c < n; c++)
        if (cell[c] != 0) return false;
    return true;
}

void campaign_print_counts(FILE *log, const campaign_done *done, const double *cell) {
    const campaign_inquiry *inquiry = done->inquiry;
    const int n = campaign_columns(inquiry);
    char number[IMP_NUMBER_TEXT];
    fprintf(log, "\t%s\t%.3f\t%.3f\t%s\t%llu", campaign_code_of(inquiry), done->seconds,
            done->processor, done->ended, (unsigned long long)done->at);
    for (int r = 0; inquiry->row(r); r++, cell += CAMPAIGN_COLUMNS) {
        if (campaign_is_empty(cell, n)) continue;
        fprintf(log, "\t%s=", inquiry->row(r));
        for (int c = 0; c < n; c++) {
            imp_number_print(fmin(cell[c], 1e300), number);
            fprintf(log, "%s%s", c ? "," : "", number);
        }
    }
    putc('\n', log);
}

bool campaign_log(FILE *log, const campaign_done *done, const campaign_lot *lot) {
    fprintf(log, "%s\t%llu\t%ld", done->inquiry->name, (unsigned long long)done->seed, done->lot);
    campaign_print_counts(log, done, lot->cell[0]);
    return fflush(log) == 0 && fsync(fileno(log)) == 0;
}

static int find_row(const campaign_inquiry *inquiry, const char *name, size_t length) {
    for (int r = 0; inquiry->row(r); r++)
        if (strncmp(inquiry->row(r), name, length) == 0 && !inquiry->row(r)[length]) return r;
    return -1;
}

/* "row=number,..." added to the sums. */
static bool add_row(const char *text, campaign_sums *sums, const campaign_inquiry *inquiry) {
    const char *equals = strrchr(text, '=');
    const int r = equals ? find_row(inquiry, text, (size_t)(equals - text)) : -1;
    const int n = campaign_columns(inquiry);
    if (r < 0) return false;
    const char *from = equals + 1;
    for (int c = 0; c < n; c++) {
        char *end;
        const double x = strtod(from, &end);
        double *cell = &sums->cell[r][c];
        if (end == from || *end != (c + 1 < n ? ',' : 0)) return false;
        *cell = inquiry->columns[c].worst ? fmax(*cell, x) : *cell + x;
        from = end + 1;
    }
    return true;
}

static imp_status mark(campaign_sums *sums, long lot) {
    if (lot >= sums->room) {
        const long room = 2 * lot + 64;
        bool *larger = realloc(sums->is_done, (size_t)room * sizeof *larger);
        if (!larger) return IMP_NO_MEMORY;
        memset(larger + sums->room, 0, (size_t)(room - sums->room) * sizeof *larger);
        sums->is_done = larger;
        sums->room = room;
    }
    if (sums->is_done[lot]) return IMP_BAD_ARGUMENT;
    sums->is_done[lot] = true;
    return IMP_OK;
}

/* *lot <- the number of a lot at `text`; where it ends, NULL: none is there. */
static const char *take_lot(const char *text, long *lot) {
    enum { MOST = 10000000 };
    char *end;
    if (!isdigit((unsigned char)*text)) return NULL;
    *lot = strtol(text, &end, 10);
    return *lot <= MOST ? end : NULL;
}

/* Counts the lots "0-17,19", and marks them where they are of the seed asked for. */
static imp_status add_lots(campaign_sums *sums, const char *text, bool asked) {
    imp_status status = IMP_OK;
    do {
        long first, last;
        if (!(text = take_lot(text, &first))) return IMP_BAD_ARGUMENT;
        last = first;
        if (*text == '-' && !(text = take_lot(text + 1, &last))) return IMP_BAD_ARGUMENT;
        if (last < first || (*text && *text != ',')) return IMP_BAD_ARGUMENT;
        sums->lots += last - first + 1;
        for (long lot = first; asked && lot <= last && status == IMP_OK; lot++)
            status = mark(sums, lot);
    } while (status == IMP_OK && *text++);
    return status;
}

bool campaign_has_seed(const campaign_sums *sums, uint64_t seed) {
    for (long k = 0; k < sums->seeds; k++)
        if (sums->seed[k] == seed) return true;
    return false;
}

static void note_seed(campaign_sums *sums, uint64_t seed) {
    enum { MOST = sizeof sums->seed / sizeof *sums->seed };
    if (sums->seeds < MOST && !campaign_has_seed(sums, seed)) sums->seed[sums->seeds++] = seed;
}

bool campaign_cut(char *text, campaign_entry *e) {
    enum { INQUIRY, SEED, LOTS, CODE, SECONDS, PROCESSOR, ENDED, AT, FIXED };
    char *field[FIXED];
    for (int k = 0; k < FIXED; k++)
        if (!(field[k] = strsep(&text, "\t"))) return false;
    *e = (campaign_entry){.inquiry = field[INQUIRY],
                          .seed = strtoull(field[SEED], NULL, 10),
                          .lots = field[LOTS],
                          .code = field[CODE],
                          .seconds = strtod(field[SECONDS], NULL),
                          .processor = strtod(field[PROCESSOR], NULL),
                          .ended = field[ENDED],
                          .rows = text};
    return true;
}

bool campaign_is_whole(const campaign_entry *e) {
    return strcmp(e->ended, "whole") == 0;
}

bool campaign_is_of_now(const campaign_entry *e) {
    for (const campaign_code *c = campaign_codes; c->inquiry; c++)
        if (strcmp(c->inquiry, e->inquiry) == 0 && strcmp(c->code, e->code) == 0) return true;
    return false;
}

/* What a line is added to: `sums` of an inquiry, `seed` the one whose lots are marked; `alone`: of
 * that seed alone, and of whole lots. */
typedef struct reader {
    const campaign_inquiry *inquiry;
    uint64_t seed;
    bool alone;
    campaign_sums *sums;
} reader;

static imp_status add_line(char *text, void *data) {
    const reader *to = data;
    campaign_sums *sums = to->sums;
    campaign_entry e;
    if (!campaign_cut(text, &e)) return IMP_BAD_ARGUMENT;
    if (strcmp(e.inquiry, to->inquiry->name) != 0) return IMP_OK;
    if (!campaign_is_of_now(&e)) {
        sums->others++;
        return IMP_OK;
    }
    if (to->alone && (e.seed != to->seed || !campaign_is_whole(&e))) return IMP_OK;
    sums->seconds += e.seconds;
    sums->processor += e.processor;
    sums->crashed += strcmp(e.ended, "crashed") == 0;
    sums->hung += strcmp(e.ended, "hung") == 0;
    note_seed(sums, e.seed);
    for (const char *row; (row = strsep(&e.rows, "\t"));)
        if (!add_row(row, sums, to->inquiry)) return IMP_BAD_ARGUMENT;
    return add_lots(sums, e.lots, e.seed == to->seed);
}

imp_status campaign_each_line(const char *path, imp_status (*take)(char *, void *), void *data,
                              long *line) {
    *line = 0;
    FILE *log = fopen(path, "r");
    if (!log) return errno == ENOENT ? IMP_OK : IMP_IO;
    char *text = NULL;
    size_t room = 0;
    imp_status status = IMP_OK;
    for (ssize_t n; status == IMP_OK && (n = getline(&text, &room, log)) > 0;) {
        ++*line;
        if (text[n - 1] != '\n') break; /* the writer was killed */
        text[n - 1] = 0;
        status = take(text, data);
    }
    if (status == IMP_OK && ferror(log)) status = IMP_IO;
    free(text);
    fclose(log);
    return status;
}

imp_status campaign_read_seed(const char *path, const campaign_inquiry *inquiry, uint64_t seed,
                              bool alone, campaign_sums *sums, long *line) {
    *sums = (campaign_sums){0};
    reader to = {inquiry, seed, alone, sums};
    const imp_status status = campaign_each_line(path, add_line, &to, line);
    if (status != IMP_OK) campaign_sums_clear(sums);
    return status;
}

imp_status campaign_read(const char *path, const campaign_inquiry *inquiry, uint64_t seed,
                         campaign_sums *sums, long *line) {
    return campaign_read_seed(path, inquiry, seed, false, sums, line);
}

void campaign_refuse_log(const char *path, long line, imp_status status) {
    fprintf(stderr, "campaign: %s, line %ld: %s\n", path, line,
            status == IMP_BAD_ARGUMENT
                ? "expected a line of a campaign of this version, of lots that no line before has"
                : imp_status_text(status));
}

void campaign_sums_clear(campaign_sums *sums) {
    free(sums->is_done);
    *sums = (campaign_sums){0};
}
