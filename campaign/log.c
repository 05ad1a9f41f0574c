/* log.c - the log of a campaign: a line a lot, tab-separated:
 *
 *     inquiry  seed  lot  build  seconds  processor  ended  at  row=number,number,...  row=...
 *
 * seconds by the clock and of processors; the numbers of a row in the order of the inquiry's
 * columns; a row of which all are 0 is left out. */
#include "campaign/campaign.h"

#include "impact.h"
#include "io/number.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *campaign_build(void) {
    static char build[64];
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
    if (build[0]) return build;
    FILE *program = fopen("/proc/self/exe", "r");
    for (int c; program && (c = getc_unlocked(program)) != EOF;)
        hash = (hash ^ (unsigned char)c) * 0x100000001b3u;
    snprintf(build, sizeof build, program ? "%s-%016llx" : "?", imp_version(),
             (unsigned long long)hash);
    if (program) fclose(program);
    return build;
}

static int columns_of(const campaign_inquiry *inquiry) {
    int n = 0;
    while (inquiry->columns[n].name)
        n++;
    return n;
}

static bool is_empty(const double *cell, int n) {
    for (int c = 0; c < n; c++)
        if (cell[c] != 0) return false;
    return true;
}

bool campaign_log(FILE *log, const campaign_done *done, const campaign_lot *lot) {
    const int n = columns_of(done->inquiry);
    char number[IMP_NUMBER_TEXT];
    fprintf(log, "%s\t%llu\t%ld\t%s\t%.3f\t%.3f\t%s\t%llu", done->inquiry->name,
            (unsigned long long)done->seed, done->lot, campaign_build(), done->seconds,
            done->processor, done->ended, (unsigned long long)done->at);
    for (int r = 0; done->inquiry->row(r); r++) {
        if (is_empty(lot->cell[r], n)) continue;
        fprintf(log, "\t%s=", done->inquiry->row(r));
        for (int c = 0; c < n; c++) {
            imp_number_print(fmin(lot->cell[r][c], 1e300), number);
            fprintf(log, "%s%s", c ? "," : "", number);
        }
    }
    putc('\n', log);
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
    const int n = columns_of(inquiry);
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
    sums->is_done[lot] = true;
    return IMP_OK;
}

static void note_seed(campaign_sums *sums, uint64_t seed) {
    enum { MOST = sizeof sums->seed / sizeof *sums->seed };
    for (long k = 0; k < sums->seeds; k++)
        if (sums->seed[k] == seed) return;
    if (sums->seeds < MOST) sums->seed[sums->seeds++] = seed;
}

enum { INQUIRY, SEED, LOT, BUILD, SECONDS, PROCESSOR, ENDED, AT, FIXED };

/* Cuts a line: its fixed fields, and the rest of it, its rows. false: it has not all of them. */
static bool cut(char *text, char *field[FIXED], char **rows) {
    for (int k = 0; k < FIXED; k++)
        if (!(field[k] = strsep(&text, "\t"))) return false;
    *rows = text;
    return true;
}

/* IMP_BAD_ARGUMENT: no campaign of this version wrote the line. */
static imp_status add_line(char *text, const campaign_inquiry *inquiry, uint64_t seed,
                           campaign_sums *sums) {
    char *rest, *field[FIXED];
    if (!cut(text, field, &rest)) return IMP_BAD_ARGUMENT;
    if (strcmp(field[INQUIRY], inquiry->name) != 0) return IMP_OK;
    const uint64_t of = strtoull(field[SEED], NULL, 10);
    const long lot = strtol(field[LOT], NULL, 10);
    if (lot < 0 || lot > 1000000000) return IMP_BAD_ARGUMENT;
    if (strcmp(field[BUILD], campaign_build()) != 0) {
        sums->others++;
        return IMP_OK;
    }
    sums->lots++;
    sums->seconds += strtod(field[SECONDS], NULL);
    sums->processor += strtod(field[PROCESSOR], NULL);
    sums->crashed += strcmp(field[ENDED], "crashed") == 0;
    sums->hung += strcmp(field[ENDED], "hung") == 0;
    note_seed(sums, of);
    for (const char *row; (row = strsep(&rest, "\t"));)
        if (!add_row(row, sums, inquiry)) return IMP_BAD_ARGUMENT;
    return of == seed ? mark(sums, lot) : IMP_OK;
}

imp_status campaign_read(const char *path, const campaign_inquiry *inquiry, uint64_t seed,
                         campaign_sums *sums, long *line) {
    *sums = (campaign_sums){0};
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
        status = add_line(text, inquiry, seed, sums);
    }
    if (status == IMP_OK && ferror(log)) status = IMP_IO;
    free(text);
    fclose(log);
    if (status != IMP_OK) campaign_sums_clear(sums);
    return status;
}

void campaign_sums_clear(campaign_sums *sums) {
    free(sums->is_done);
    *sums = (campaign_sums){0};
}

long campaign_faults(const campaign_sums *sums) {
    double faults = (double)(sums->crashed + sums->hung);
    for (int r = 0; r < CAMPAIGN_ROWS; r++)
        faults += sums->cell[r][CAMPAIGN_FAULTS];
    return (long)faults;
}

void campaign_print(FILE *to, const campaign_inquiry *inquiry, const campaign_sums *sums) {
    const int n = columns_of(inquiry);
    fprintf(to, "%-22s", inquiry->name);
    for (int c = 0; c < n; c++)
        fprintf(to, " %12s", inquiry->columns[c].name);
    putc('\n', to);
    for (int r = 0; inquiry->row(r); r++) {
        if (is_empty(sums->cell[r], n)) continue;
        fprintf(to, "%-22s", inquiry->row(r));
        for (int c = 0; c < n; c++)
            fprintf(to, inquiry->columns[c].worst ? " %12.2g" : " %12.0f", sums->cell[r][c]);
        putc('\n', to);
    }
    if (sums->crashed + sums->hung > 0)
        fprintf(to, "%ld lots crashed, %ld hung\n", sums->crashed, sums->hung);
}

const char campaign_head[] =
    "| inquiry | what is asked | problems | seeds | faults | core-hours |\n"
    "|---|---|---|---|---|---|\n";

void campaign_line(FILE *to, const campaign_inquiry *inquiry, const campaign_sums *sums) {
    double problems = 0;
    for (int r = 0; r < CAMPAIGN_ROWS; r++)
        problems += sums->cell[r][CAMPAIGN_PROBLEMS];
    fprintf(to, "| `%s` | %s | %.4g |", inquiry->name, inquiry->about, problems);
    for (long k = 0; k < sums->seeds; k++)
        fprintf(to, " %llu", (unsigned long long)sums->seed[k]);
    fprintf(to, " | %ld | %.2f |\n", campaign_faults(sums), sums->processor / 3600);
}

/* What a log holds of one build of the program. */
typedef struct build_sums {
    char name[64];
    double problems, faults, processor;
} build_sums;

enum { BUILDS = 64 };

/* A line added to its build's sums; one that is no line of a log is passed over. */
static void add_to_build(char *text, build_sums *sums, int *builds) {
    char *rest, *field[FIXED];
    int b = 0;
    if (!cut(text, field, &rest)) return;
    while (b < *builds && strcmp(sums[b].name, field[BUILD]) != 0)
        b++;
    if (b == BUILDS) return;
    if (b == *builds) {
        sums[(*builds)++] = (build_sums){0};
        snprintf(sums[b].name, sizeof sums[b].name, "%s", field[BUILD]);
    }
    sums[b].processor += strtod(field[PROCESSOR], NULL);
    sums[b].faults += strcmp(field[ENDED], "whole") != 0;
    for (const char *row; (row = strsep(&rest, "\t"));) {
        double problems = 0, faults = 0;
        const char *numbers = strrchr(row, '=');
        if (!numbers || sscanf(numbers, "=%lf,%lf", &problems, &faults) != 2) continue;
        sums[b].problems += problems;
        sums[b].faults += faults;
    }
}

bool campaign_other_builds(FILE *to, const char *path) {
    build_sums sums[BUILDS];
    int builds = 0;
    char *text = NULL;
    size_t room = 0;
    FILE *log = fopen(path, "r");
    if (!log) return false;
    for (ssize_t n; (n = getline(&text, &room, log)) > 0 && text[n - 1] == '\n';) {
        text[n - 1] = 0;
        add_to_build(text, sums, &builds);
    }
    const bool good = !ferror(log);
    free(text);
    fclose(log);
    for (int b = 0; b < builds && good; b++)
        if (strcmp(sums[b].name, campaign_build()) != 0)
            fprintf(to, "| `%s` | %.4g | %.0f | %.2f |\n", sums[b].name, sums[b].problems,
                    sums[b].faults, sums[b].processor / 3600);
    return good;
}
