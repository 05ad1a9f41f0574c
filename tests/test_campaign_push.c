/* The campaign's judge of maximum dissipation where slip and coupling, of opposite signs, are a
 * dozen least numbers, which one problem in a thousand million is: only the push may pass, with
 * friction of at most what energy allows. */
#include "campaign/singles.c" // NOLINT(bugprone-suspicious-include): what the judge stands on

#include "campaign/maxdiss.c" // NOLINT(bugprone-suspicious-include): the judge itself
#include "tap.h"

static int faults;
void campaign_begin(campaign_lot *lot, int row, uint64_t number) {
    (void)lot, (void)row, (void)number;
}
void campaign_count(campaign_lot *lot, int row, int column, bool happened) {
    (void)lot, (void)row, (void)column, (void)happened;
}
void campaign_worst(campaign_lot *lot, int row, int column, double value) {
    (void)lot, (void)row, (void)column, (void)value;
}
void campaign_answer(campaign_lot *lot, double *p, int n, double size) {
    (void)lot, (void)p, (void)n, (void)size;
}
void campaign_fault(campaign_lot *lot, int row, const imp_problem *problem, const imp_model *model,
                    const char *what) {
    (void)lot, (void)row, (void)problem, (void)model, (void)what;
    faults++;
}

int main(void) {
    static const double least = 0x1p-1074;
    const gen_problem g = {{0.5703125, -22 * least, -18 * least, 0.5, 0, 0.5},
                           {-0.3125, 12 * least, 10 * least},
                           2,
                           0,
                           0};
    const double push = 0.3125 / 0.5703125;
    const struct {
        double p[3];
        bool passes;
    } answers[] = {
        {{push, 0, 0}, true},
        {{push, least, 0}, true},
        {{push, -2 * least, least}, true},
        {{push, 0, 1e-306}, false},
        {{push, -1e-300, 0}, false},
        {{push, 0, 1e-170}, false}, /* its square is no number */
        {{push, 0.4 * push, 0}, false},
        {{push, 0, -0.4 * push}, false},
        {{push, 0, 3 * push}, false},
        {{push * (1 + 1e-12), 0, 0}, false},
        {{0, 0, 0}, false},
    };
    static campaign_lot lot;
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        const double *p = answers[i].p;
        faults = 0;
        check(&lot, GEN_CLASSES + GEN_EDGE_SUBNORMAL, &g, p, 0);
        ok(faults == !answers[i].passes, "%g %g %g N s: %s", p[0], p[1], p[2],
           answers[i].passes ? "may be" : "is a fault");
    }
    return tap_done();
}
