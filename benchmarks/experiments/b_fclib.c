/* b_fclib.c - block solvers on the field's own problems (FCLIB), and on problems of our own where
 * these are absent. */
#include "benchmarks/harness/contest.h"
#include "generators/piles.h"
#include "benchmarks/harness/report.h"
#include "benchmarks/harness/table.h"
#include "impact.h"
#include "io/fclib.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double tolerances[2] = {1e-4, 1e-8};

/* Solvers of the page; the program benchmarks/fclib runs all. */
static bool shown(const char *name) {
    static const char *const names[] = {
        "auto",          "gauss-seidel-coulomb", "siconos-nsgs-nsn", "siconos-nsgs-quartic",
        "siconos-vi-eg", "siconos-prox"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0) return true;
    return false;
}

static void race(const report *r, contest_table *table, const char *name, const imp_fclib *fclib) {
    contestant list[CONTEST_MOST];
    const int count = contest_all(list);
    imp_fclib_posed posed;
    if (imp_fclib_pose(fclib, &posed) != IMP_OK) return;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < count; i++) {
            if (!shown(list[i].name) || (list[i].peer && posed.problem.nc < 20)) continue;
            const double limit = report_full(r) ? 60 : strcmp(list[i].name, "auto") == 0 ? 4 : 0.1;
            const contest_result result =
                contest_run(&posed.problem, &list[i], tolerances[k], limit);
            contest_table_add(table, name, posed.problem.nc, list[i].name, tolerances[k], &result);
        }
    imp_fclib_posed_clear(&posed);
}

/* Files of the collection; the largest and those that take long are for SCALE=full. */
static bool in_time(const report *r, const char *name) {
    return report_full(r) ||
           (!strstr(name, "pack") && !strstr(name, "12x16") && !strstr(name, "RockPile"));
}

/* How many files there are, also those that cannot be read. */
static int race_folder(report *r, contest_table *table, const char *path, DIR *folder) {
    int files = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        char name[4096];
        imp_input input;
        imp_error error;
        imp_fclib problem;
        if (!strstr(entry->d_name, ".hdf5") || !in_time(r, entry->d_name)) continue;
        report_progress(r, ++files / 45.0);
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (imp_input_open(&input, name, &error) != IMP_OK) continue;
        if (imp_fclib_read(&input, &problem, &error) == IMP_OK) {
            race(r, table, entry->d_name, &problem);
            imp_fclib_clear(&problem);
        }
        imp_input_close(&input);
    }
    return files;
}

static void rows(report *r, const contest_table *table, const char *what, int problems) {
    for (int k = 0; k < 2; k++) {
        int solved = 0;
        const char *left = "";
        for (int i = 0; i < table->count; i++) {
            const contest_row *row = &table->rows[i];
            if (row->tolerance != tolerances[k] || strcmp(row->solver, "auto") != 0) continue;
            solved += row->result.solved;
            if (!row->result.solved)
                left = report_text(r, "%s %s (%.1e)", left, row->problem, row->result.field);
        }
        report_count(
            r, OWN_BOUND, report_text(r, "%s: problems auto solves to %g", what, tolerances[k]),
            problems, solved,
            *left ? report_text(r, "open:%s", left) : "errors recomputed from the impulses");
        const contest_duel duel = contest_against_siconos(table, tolerances[k], NULL);
        if (duel.problems)
            report_shown(r, OWN_BOUND,
                         report_text(r,
                                     "%s: time of the fastest siconos solver shown over auto's, %g",
                                     what, tolerances[k]),
                         "4 and more, slower on 2 at most",
                         report_text(r, "%.1f, slower on %d", duel.factor, duel.losses),
                         report_text(r,
                                     "geometric mean over the %d problems of 20 contacts and more "
                                     "that both solve, side by side",
                                     duel.problems));
    }
}

static void draw(report *r, const contest_table *table, int k, const char *name) {
    contest_profile(table, tolerances[k],
                    report_stream(report_table_of(r, name, contest_profile_columns)));
    report_figure(
        r, name,
        report_text(r,
                    "FCLIB problems to %g. The share each solves within τ times the time of the "
                    "fastest (Dolan, Moré "
                    "2002). siconos' solvers where it is installed.%s",
                    tolerances[k],
                    report_full(r)
                        ? ""
                        : " Here auto has 4 s a problem and the others 0.1 s, and the large "
                          "piles are left out: SCALE=full gives everybody 60 s."));
}

static void run(report *r) {
    const char *data = getenv("IMPACT_DATA"),
               *path = report_text(r, "%s/fclib", data ? data : "../shared/data");
    contest_table collection = {0}, made = {0};
    DIR *folder = opendir(path);
    if (folder) {
        const int files = race_folder(r, &collection, path, folder);
        closedir(folder);
        rows(r, &collection, "FCLIB", files);
        draw(r, &collection, 0, "fclib_profile_coarse");
        draw(r, &collection, 1, "fclib_profile");
    } else
        report_shown(r, NO_REFERENCE, "FCLIB problems", "", "missing",
                     "no folder of FCLIB files (IMPACT_DATA/fclib or ../shared/data/fclib)");
    int problems = 0;
    /* auto's choices were made on other seeds, up to 45 */
    for (int kind = 0; kind < PILE_KINDS; kind++)
        for (uint64_t seed = 51; seed <= 52; seed++) {
            imp_fclib problem;
            problems++;
            if (pile_make((pile_kind)kind, seed, 120, &problem) != IMP_OK) continue;
            race(r, &made, problem.title, &problem);
            imp_fclib_clear(&problem);
        }
    rows(r, &made, "own problems", problems);
    free(collection.rows);
    free(made.rows);
}

const experiment experiment_b_fclib = {
    "B-FCLIB", "Block solvers on the field's own problems",
    "FCLIB files: stacks, capsules, kapla towers, rock piles of siconos and LMGC90, "
    "some with asymmetric or rank-deficient W. "
    "Solved means: both natural-map errors, recomputed from the impulses, at most "
    "the tolerance. build/benchmarks/fclib "
    "runs every model, every file, and siconos beside ours. Open with a minute each: "
    "piles of many hundred spheres and RockPile at 1e-8, the largest pile at 1e-4 "
    "too. Steps that come near a solution there are driven off along a mode that "
    "grows, come near again, and Newton started there ends on kinks of the cones.",
    run};
