/* b_friction.c - how much friction a packing bears: the pivots of Lemke's method on Coulomb's law
 * with pyramids, in piles of spheres, by the contacts and by mu.
 *
 * The method ends with a solution of every such problem whose forces can hold the bodies apart
 * (Stewart, Trinkle 1996; Anitescu, Potra 1997), along a path that may turn back: the artificial
 * variable need not fall from pivot to pivot. Each basis on that path is a guess at which contacts
 * open, stick and slide. */
#include "benchmarks/harness/report.h"
#include "benchmarks/harness/stats.h"
#include "generators/piles.h"
#include "lib/impact.h"

#include <gsl/gsl_sort_double.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FRICTIONS = 9, SEEDS = 3, MOST_SIZES = 9, MOST = SEEDS * MOST_SIZES };

static const int FIRST_SEED = 31; /* the bounds of the rows were formed on seeds 1 to 3 */

/* Of one coefficient of friction, a point for each pile. */
typedef struct series {
    int count, capped, unsolved, left;
    double contacts[MOST], pivots[MOST]; /* pivots: the most where they were capped */
    double hundreds[MOST], each[MOST];   /* e^(contacts / 100); pivots for each contact */
} series;

/* Room for a pile of that size. */
typedef struct pile {
    imp_fclib file;
    imp_fclib_posed posed;
    imp_problem problem; /* with the same friction at each contact */
    double *mu, *p;
} pile;

static void clear_pile(pile *x) {
    free(x->mu);
    free(x->p);
    imp_fclib_posed_clear(&x->posed);
    imp_fclib_clear(&x->file);
}

static bool make_pile(pile *x, int seed, int contacts, double mu) {
    *x = (pile){.mu = NULL};
    if (pile_make(PILE_SPHERES, (uint64_t)seed, contacts, &x->file) != IMP_OK) return false;
    bool good = imp_fclib_pose(&x->file, &x->posed) == IMP_OK;
    const size_t nc = good ? (size_t)x->posed.problem.nc : 0;
    x->mu = malloc((nc + 1) * sizeof *x->mu);
    x->p = calloc(3 * nc + 1, sizeof *x->p);
    good = good && x->mu && x->p;
    x->problem = x->posed.problem;
    for (size_t i = 0; good && i < nc; i++)
        x->mu[i] = mu;
    x->problem.mu = x->mu;
    if (!good) clear_pile(x);
    return good;
}

/* A point of the series; false without memory. */
static bool add(series *s, int seed, int contacts, double mu, double most) {
    pile x;
    imp_settings settings, fine;
    imp_info info = {0};
    if (!make_pile(&x, seed, contacts, mu)) return false;
    imp_model_presets(&imp_model_anitescu, &settings);
    (void)imp_model_set(&imp_model_anitescu, &settings, "max_pivots", most);
    const imp_status status = imp_solve(&imp_model_anitescu, &x.problem, &settings, x.p, &info);
    const int k = s->count++;
    s->capped += info.iterations >= most;
    s->unsolved += status != IMP_OK && info.iterations < most;
    s->contacts[k] = x.problem.nc;
    s->pivots[k] = info.iterations;
    s->hundreds[k] = exp(x.problem.nc / 100.0);
    s->each[k] = s->pivots[k] / x.problem.nc;
    imp_model_presets(&imp_model_auto, &fine);
    (void)imp_model_set(&imp_model_auto, &fine, "tolerance", 1e-8);
    s->left += imp_solve(&imp_model_auto, &x.problem, &fine, x.p, &info) != IMP_OK;
    clear_pile(&x);
    return true;
}

/* Of the piles of one size, whose points begin at `first`. */
static double middle(const double *x, int first) {
    double sorted[SEEDS];
    memcpy(sorted, x + first, sizeof sorted);
    gsl_sort(sorted, 1, SEEDS);
    return gsl_stats_median_from_sorted_data(sorted, 1, SEEDS);
}

/* How many times e the pivots of a contact grow with 100 contacts. */
static stats_interval growth(const series *s) {
    return stats_exponent_range(s->count, s->hundreds, s->each, 0.95);
}

static void judge(report *r, const series *all, double most) {
    const stats_interval little = growth(&all[0]), much = growth(&all[FRICTIONS - 1]);
    int unsolved = 0, capped = 0, left = 0, problems = 0;
    report_judge(r, OWN_BOUND, "mu 0.1: growth of the pivots of a contact with 100 contacts, e to",
                 "0: as long as the pile", report_text(r, "%.2f to %.2f", little.low, little.high),
                 "certain at 95 %: within 0.3 of 0", little.low >= -0.3 && little.high <= 0.3,
                 "the path is proportional to the contacts");
    report_judge(r, OWN_BOUND, "mu 0.9: the same", "exponential",
                 report_text(r, "%.2f to %.2f", much.low, much.high), "certain at 95 %: ≥ 0.7",
                 much.low >= 0.7,
                 report_text(r,
                             "the path doubles with every %.0f to %.0f contacts, faster where it "
                             "was followed to the cap alone",
                             100 * log(2) / much.high, 100 * log(2) / much.low));
    for (int m = 0; m < FRICTIONS; m++) {
        unsolved += all[m].unsolved;
        capped += all[m].capped;
        left += all[m].left;
        problems += all[m].count;
    }
    report_at_most(r, OWN_BOUND, "share of paths that rounding ends elsewhere", 0.02,
                   (double)unsolved / problems,
                   report_text(r, "%d of %d; in exact arithmetic none", unsolved, problems));
    report_shown(r, NO_REFERENCE, "paths longer than they were followed", "",
                 report_text(r, "%d of %d", capped, problems), report_text(r, "%.0f pivots", most));
    report_shown(r, NO_REFERENCE, "the same piles by auto to 1e-8, with round cones: left", "",
                 report_text(r, "%d of %d", left, problems),
                 "sweeps, proximal steps and Newton's need no path");
}

static void run(report *r) {
    static const int sizes[MOST_SIZES] = {40, 60, 80, 100, 120, 140, 160, 180, 200};
    static series all[FRICTIONS];
    const int count = report_full(r) ? MOST_SIZES : 5;
    const double most = report_full(r) ? 20000 : 4000;
    report_rows *t = report_table(r, "b_friction", "mu:2\tcontacts:6\tpivots:6\teach:6");
    for (int m = 0; m < FRICTIONS; m++) {
        const double mu = 0.1 * (m + 1);
        all[m] = (series){0};
        for (int k = 0; k < count; k++) {
            report_progress(r, (m + (double)k / count) / FRICTIONS);
            for (int seed = 0; seed < SEEDS; seed++)
                if (!add(&all[m], FIRST_SEED + seed, sizes[k], mu, most)) {
                    report_judge(r, OWN_BOUND, "a pile", "made", "no memory", "", false, NULL);
                    return;
                }
            report_row(t, NULL, mu, middle(all[m].contacts, SEEDS * k),
                       middle(all[m].pivots, SEEDS * k), middle(all[m].each, SEEDS * k));
        }
        report_gap(t);
    }
    judge(r, all, most);
    report_figure(r, "b_friction",
                  "With little friction the path to a solution is as long as the pile; with much "
                  "it grows exponentially. Pivots of Lemke's method on Coulomb's law with four "
                  "edges, for each contact, in piles of equal spheres with the same mu at every "
                  "contact; the middle one of three piles each.");
    report_say(r, "It may be why dense packings with much friction are left by the solvers here: "
                  "the method that is sure to arrive follows a path that no time suffices for, and "
                  "those that need no path are sure of nothing. Where rounding ends a path it is "
                  "counted, as paths are that were cut.");
}

const experiment experiment_b_friction = {
    "B-Friction", "how much friction a packing bears",
    "Lemke's method ends with a solution of Coulomb's law with pyramids, whatever the friction "
    "(Stewart, Trinkle 1996; Anitescu, Potra 1997). How many pivots it takes these sources do not "
    "say; of the convex program they grow like the contacts (D-Size).",
    run};
