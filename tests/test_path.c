/* The path of an answer: steps and multipliers as they were given, however many. */
#include "impact.h"
#include "tap.h"

int main(void) {
    enum { NC = 2, STEPS = 100 };
    imp_path path = {0};
    bool added = true, same = true;
    for (int k = 0; k < STEPS; k++) {
        const double impulse[3 * NC] = {k, 1, 2, 3, 4, -k};
        const char phase[NC] = {'C', k % 2 ? 'X' : 'O'}, motion[NC] = {'s', '-'};
        added = added &&
                imp_path_add(&path, NC, k + 1, 1.0 / (k + 1), impulse, phase, motion) == IMP_OK;
    }
    ok(added && path.steps == STEPS && path.nc == NC, "%d steps are taken", STEPS);
    for (int k = 0; k < STEPS; k++)
        same = same && path.round[k] == k + 1 && path.share[k] == 1.0 / (k + 1) &&
               path.impulse[6 * k] == k && path.impulse[6 * k + 5] == -k &&
               path.phase[2 * k] == 'C' && path.phase[2 * k + 1] == (k % 2 ? 'X' : 'O') &&
               path.motion[2 * k] == 's' && path.motion[2 * k + 1] == '-';
    ok(same, "and kept as they were");
    const double one[3] = {0};
    ok(imp_path_add(&path, 1, 1, 1, one, "C", "r") == IMP_BAD_ARGUMENT && path.steps == STEPS,
       "a step of another number of contacts is refused");
    double *multiplier = imp_path_multipliers(&path, 3, NC);
    ok(multiplier && multiplier == path.multiplier && path.multipliers == 3 && multiplier[5] == 0,
       "multipliers start from zero");
    ok(!imp_path_multipliers(&path, 1, NC + 1) && path.nc == NC && path.multipliers == 3 &&
           imp_path_finite(&path),
       "those of another number of contacts are refused");
    imp_path_clear(&path);
    ok(path.steps == 0 && !path.impulse && !path.multiplier && path.nc == 0,
       "cleared, it is an empty one");
    ok(imp_path_add(&path, 1, 1, 1, one, "C", "r") == IMP_OK && path.nc == 1,
       "and can be used again");
    imp_path_clear(&path);
    imp_path_clear(NULL);
    return tap_done();
}
