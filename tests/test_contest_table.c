/* test_contest_table.c - what a race sums up, on rows made by hand: profiles and the duel. */
#include "benchmarks/harness/table.h"
#include "scratch.h"
#include "tap.h"

static contest_row row(const char *problem, const char *solver, double tolerance, double ms) {
    contest_row r = {.contacts = 40,
                     .tolerance = tolerance,
                     .result = {.solved = isfinite(ms), .milliseconds = ms}};
    snprintf(r.problem, sizeof r.problem, "%s", problem);
    snprintf(r.solver, sizeof r.solver, "%s", solver);
    return r;
}

/* The share that the profile gives a solver at tau = 10^(step / 20). */
static double share_at(const contest_table *table, double tolerance, const char *solver, int step) {
    char name[40] = "";
    double tau = 0, share = 0;
    int rows = 0;
    FILE *out = tmpfile();
    contest_profile(table, tolerance, out);
    rewind(out);
    while (fscanf(out, "%39s %lf %lf", name, &tau, &share) == 3)
        if (strcmp(name, solver) == 0 && rows++ == step) break;
    fclose(out);
    return fabs(tau / pow(10, step / 20.0) - 1) < 1e-3 ? share : NAN;
}

/* Times that grow like the square of the contacts, in one kind of two, and one that is not
 * solved. */
static void test_growth(void) {
    contest_row rows[8];
    for (int i = 0; i < 8; i++) {
        char name[32];
        const double contacts = 10 << i % 4;
        snprintf(name, sizeof name, "%s-%g-1", i < 4 ? "wall" : "chain", contacts);
        rows[i] = row(name, "auto", 1e-4, 0.01 * pow(contacts, i < 4 ? 2 : 1));
        rows[i].contacts = (int)contacts;
    }
    rows[3].result.solved = false;
    const contest_table table = {.rows = rows, .count = 8};
    char line[200],
        want[2][40] = {"auto\twall\t0.0001\t4\t3\t40\t2", "auto\tchain\t0.0001\t4\t4\t80\t1"};
    FILE *out = tmpfile();
    contest_growth(&table, 1e-8, out);
    contest_growth(&table, 1e-4, out);
    rewind(out);
    for (int i = 0; i < 2; i++) {
        const bool read = fgets(line, sizeof line, out);
        line[strcspn(line, "\n")] = '\0';
        ok(read && strcmp(line, want[i]) == 0, "growth: %s", line);
    }
    ok(!fgets(line, sizeof line, out), "and of no other tolerance");
    fclose(out);
}

int main(void) {
    test_growth();
    contest_row rows[] = {
        row("pile", "auto", 1e-4, 1),        row("pile", "siconos-nsgs", 1e-4, 2.5),
        row("wall", "auto", 1e-4, 50),       row("wall", "siconos-nsgs", 1e-4, 5),
        row("box", "auto", 1e-4, 3),         row("box", "siconos-nsgs", 1e-4, INFINITY),
        row("none", "auto", 1e-4, INFINITY), row("none", "siconos-nsgs", 1e-4, INFINITY),
        row("pile", "auto", 1e-8, INFINITY), row("pile", "siconos-nsgs", 1e-8, 7),
        row("few", "auto", 1e-3, 1),         row("few", "siconos-nsgs", 1e-3, 7)};
    rows[10].contacts = rows[11].contacts = 19;
    const contest_table table = {.rows = rows, .count = sizeof rows / sizeof *rows};
    is_near(share_at(&table, 1e-4, "auto", 0), 2.0 / 3, 1e-3, 0, "fastest on two of three");
    is_near(share_at(&table, 1e-4, "auto", 19), 2.0 / 3, 1e-3, 0, "behind by 10: not within 8.9");
    is_near(share_at(&table, 1e-4, "auto", 20), 1, 1e-3, 0, "but within 10");
    is_near(share_at(&table, 1e-4, "siconos-nsgs", 0), 1.0 / 3, 1e-3, 0, "the other: one of three");
    is_near(share_at(&table, 1e-4, "siconos-nsgs", 8), 2.0 / 3, 1e-3, 0, "two within 2.51");
    is_near(share_at(&table, 1e-4, "siconos-nsgs", 60), 2.0 / 3, 1e-3, 0, "and no more at 1000");
    is_near(share_at(&table, 1e-8, "siconos-nsgs", 0), 1, 1e-3, 0, "another tolerance, alone");
    is_near(share_at(&table, 1e-8, "auto", 60), 0, 0, 0, "who solved nothing there");

    FILE *losses = tmpfile();
    const contest_duel duel = contest_against_siconos(&table, 1e-4, losses);
    fclose(losses);
    ok(duel.problems == 2 && duel.losses == 1, "a duel of two problems, one of them lost");
    is_near(duel.factor, sqrt(2.5 * 0.1), 1e-12, 0, "by the geometric mean of the factors");
    ok(contest_against_siconos(&table, 1e-3, NULL).either == 0, "fewer than 20 contacts: none");
    ok(duel.ours == 3 && duel.theirs == 2 && duel.either == 4, "3 and 2 of 4 solved");
    return tap_done();
}
