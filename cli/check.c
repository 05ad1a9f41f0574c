/* check.c - `impact check`: anybody's impulses held against a model's law. */
#include "cli/checking.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* One solution for each problem and none left. */
static imp_status match(void *context, const imp_problem_file *file, const imp_case *c,
                        imp_error *error) {
    (void)file;
    checking *k = context;
    given_answer given = {0};
    if (c) return checking_find(k, c, &given, error);
    const imp_status status = imp_solutions_all_taken(k->solutions, error);
    imp_solutions_rewind(k->solutions);
    return status;
}

/* The answers of the file that was given, or those that stand beside the problems; none where a
 * solver is asked. */
static imp_status begin(void *context, imp_problem_file *file, imp_error *error) {
    checking *k = context;
    const char *given = k->o.files[1];
    const imp_status fits = checking_facts(k, imp_problem_file_is_table(file), error);
    if (fits != IMP_OK) return fits;
    k->problems = imp_problem_file_name(file);
    k->given = !given ? k->problems : strcmp(given, "-") == 0 ? "standard input" : given;
    if (k->asks) return IMP_OK;
    return given ? imp_solutions_read(given, &k->solutions, error)
                 : imp_solutions_read_beside(file, &k->solutions, error);
}

static int run_one(checking *k) {
    const char *file = k->o.files[0], *given = k->o.files[1];
    const pass p = {.o = &k->o,
                    .columns = k->by.column,
                    .rubs = !k->asks,
                    .some = true,
                    .begin = begin,
                    .check = k->asks ? NULL : match,
                    .answer = checking_answer,
                    .context = k};
    if (given && strcmp(file, "-") == 0 && strcmp(given, "-") == 0)
        return complain_of("check: - stands for both files, expected it once");
    if (!judging_begin(&k->by, k->o.model, false)) return EXIT_BAD;
    return checking_finish(k, run_passes(&p));
}

static int run(const command *self, int argc, char **argv) {
    checking k = {.self = self};
    int outcome;
    if (options_read(self, argc, argv, &k.o, &outcome)) {
        struct stat about;
        k.asks = k.o.outside[0] != NULL;
        outcome = stat(k.o.files[0], &about) == 0 && S_ISDIR(about.st_mode) ? check_folder(&k)
                                                                            : run_one(&k);
    }
    imp_solutions_free(k.solutions);
    free(k.asked);
    options_free(&k.o);
    return outcome;
}

static const char *const option_names[] = {"model",  "exec",       "plugin",       "law",
                                           "tol",    "time-limit", "memory-limit", "set",
                                           "choice", "output",     "facts",        NULL};

const command command_check = {
    .name = "check",
    .arguments = "--model NAME [OPTION]... FILE|FOLDER [SOLUTION], or --exec COMMAND|--plugin FILE "
                 "[OPTION]... FILE|FOLDER",
    .summary = "hold impulses, whoever computed them, against the law a model promises",
    .options = option_names,
    .text =
        "SOLUTION is a table with the columns id p1 p2 p3, matched by id, or JSON answers with "
        "\"p\", matched by\n"
        "position, or an FCLIB file with a solution; without it the answers stand beside the "
        "problems of FILE, as\n"
        "impact_dump.h writes them. FCLIB problems are judged in JSON, with both natural-map "
        "errors.\n"
        "One row per problem: id status residual worst contact reason, of Coulomb's law solution "
        "(1 of "
        "3: rank by energy, "
        "1 the most\n"
        "dissipative) and kind, then each residual by its name. status is ok, rejected (a "
        "residual above the "
        "tolerance),\n"
        "not-judged (reason says why) or unsolved (SOLUTION has no impulse there); all but ok: "
        "exit status 1. "
        "JSON answers\n"
        "of solve --path are judged along their path, others of a law that is a process by "
        "their distance from "
        "the\n"
        "library's own answer (residual from-model). Totals go to standard error. See "
        "impact-laws(7).\n"
        "Of a FOLDER all files .json, .jsonl, .tsv, .hdf5 and .h5 in one table, with the column "
        "file first; SOLUTION\n"
        "is then a folder with files of the same names. What else is in it, folders too, is left "
        "out and counted\n"
        "behind the totals, as are files of SOLUTION whose names no file of problems has.\n"
        "With --exec or --plugin there is no SOLUTION: a solver of yours is asked, and judged "
        "by --law.\n",
    .files = 1,
    .optional = 1,
    .answers = 1,
    .run = run,
};
