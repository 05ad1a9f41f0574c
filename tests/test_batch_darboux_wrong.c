/* test_batch_darboux_wrong.c - the certificate of the batch Darboux-Keller process on wrong
 * answers, one lane as compiled here. */
#include "batch_columns.h"
#include "generators/gen_impacts.h"
#include "single/darboux_chunk.h"
#include "tap.h"

static const char *const law_names[] = {"Stronge", "Poisson", "Newton"};

/* The end of collision i. */
static collision followed(const imp_batch_columns *columns, size_t i, imp_darboux_law law) {
    collision c;
    reduce(columns, i, law, &c);
    while (c.place == SLIDES || c.place == NEAR_RAY)
        if (c.place == SLIDES)
            step(&c, law);
        else
            jump(&c, law);
    follow_ray(&c, law);
    leave_origin(&c, law);
    return c;
}

/* The slip at the end that does not go with the impulse has one residual, whichever tangent comes
 * first. */
static void wrong_slip(batch *b) {
    enum { EACH = 300 };
    const imp_batch_columns columns = columns_of(b, 0);
    double apart = 0, least = INFINITY;
    for (int i = 0; i < EACH; i++) {
        const gen_problem g = gen_impact(GEN_IMPACT_BODY, 7000 + (uint64_t)i);
        const gen_problem swapped = {.W = {g.W[0], g.W[2], g.W[1], g.W[5], g.W[4], g.W[3]},
                                     .q = {g.q[0], g.q[2], g.q[1]},
                                     .mu = g.mu,
                                     .e = g.e};
        put(b, 0, &g);
        put(b, 1, &swapped);
        double residual[2] = {0, 0};
        for (int k = 0; k < 2; k++) {
            collision c = followed(&columns, (size_t)k, IMP_STRONGE);
            if (c.place != ENDED || c.q[2] >= 0) continue;
            c.r += 1e-3 * (fabs(c.q[0]) + fabs(c.q[1]));
            residual[k] = certify(&c, IMP_STRONGE);
        }
        if (residual[0] == 0 || residual[1] == 0) continue;
        least = fmin(least, fmin(residual[0], residual[1]));
        apart = tap_worst(apart, fabs(residual[0] / residual[1] - 1));
    }
    ok(apart < 1e-6 && least > 1e-5 && least < 1,
       "slip off by a thousandth: at least %.1e, tangents exchanged %.1e", least, apart);
}

static void wrong_ends(batch *b) {
    enum { EACH = 300 };
    const imp_batch_columns columns = columns_of(b, 0);
    const double part = 1e-7;
    double right = 0, wrong = INFINITY;
    int looked = 0;
    for (int i = 0; i < EACH; i++) {
        gen_problem g = gen_impact(i % 2 ? GEN_IMPACT_BODY : GEN_IMPACT_STEEP, 40 + (uint64_t)i);
        g.e = 0.1 + 0.003 * i;
        put(b, i, &g);
        for (int law = 0; law < 3; law++) {
            const collision end = followed(&columns, (size_t)i, (imp_darboux_law)law);
            if (end.place != ENDED || end.q[2] >= 0) continue;
            right = tap_worst(right, certify(&end, (imp_darboux_law)law));
            for (int what = 0; what < 6; what++, looked++) {
                collision c = end;
                if (what == 0) c.impulse[1] += part * c.impulse[0]; /* too late, by another p_n */
                if (what == 1) c.impulse[0] *= 1 - part;
                if (what == 2) c.pt[0] += part * c.impulse[0];
                if (what == 3) c.pt[1] -= part * c.impulse[0];
                if (what == 4) c.uz += part * (c.K33 * c.impulse[0] - c.q[2]);
                if (what == 5) c.path_off = part * c.impulse[0];
                const double residual = certify(&c, (imp_darboux_law)law);
                if (residual < 1e-10)
                    diag("%s, wrong in way %d: %.2g", law_names[law], what, residual);
                wrong = fmin(wrong, residual);
            }
        }
    }
    ok(right <= 1e-13, "answers have residuals of at most %.1e", right);
    ok(looked > 5000 && wrong > 1e-10, "%d wrong by a part of %.0e at least %.1e", looked, part,
       wrong);
}

/* A step whose series has a wrong coefficient. */
static void wrong_steps(batch *b) {
    const imp_batch_columns columns = columns_of(b, 0);
    double right = 0, wrong = INFINITY;
    int looked = 0;
    for (int i = 0; i < 300; i++) {
        const gen_problem g = gen_impact(GEN_IMPACT_BODY, 600 + (uint64_t)i);
        put(b, i, &g);
        collision start;
        reduce(&columns, (size_t)i, IMP_STRONGE, &start);
        if (start.place != SLIDES) continue;
        for (int what = 0; what < 7; what++) {
            series S;
            const double s = begin(&start, IMP_STRONGE, &S);
            if (what == 1) S.x[3] *= 1 + 1e-6;
            if (what == 2) S.y[2] *= 1 + 1e-6;
            if (what == 3) S.d[2] *= 1 + 1e-6;
            if (what == 5) S.power[2] *= 1 + 1e-6;
            if (what == 6) S.k.b1 *= 1 + 1e-6;
            const double X = integral_at(S.x, s), Y = integral_at(S.y, s),
                         D = integral_at(S.d, s) * (what == 4 ? 1 + 1e-6 : 1);
            const double x = 1 + (S.k.g * X - S.k.A12 * Y + S.k.b1 * D),
                         y = S.k.f * X - S.k.A22 * Y + S.k.b2 * D;
            const double uz = start.uz + S.r * (S.k.h * X - S.mub2 * Y + S.K33 * D),
                         speed = sqrt(x * x + y * y);
            const double gain = S.push * (X + D);
            collision c = start;
            c.e = 1;
            certify_step(&c, IMP_STRONGE, &S, s, x, y, speed, uz, true);
            const double off = c.path_off / gain + c.work_off / (gain * (fabs(uz) - start.uz));
            /* a wrong part of nearly nothing */
            if (fabs(S.y[2]) < 1e-3 || fabs(S.x[3]) < 1e-3 || s < 0.3) continue;
            looked += what > 0;
            if (what == 0)
                right = tap_worst(right, off);
            else
                wrong = fmin(wrong, off);
        }
    }
    ok(right < 1e-14, "steps miss the differential equation by %.1e of their impulse and work",
       right);
    ok(looked > 300 && wrong > 1e-12, "%d with one coefficient wrong by 1e-6 by %.1e at least",
       looked, wrong);
}

int main(void) {
    batch *b = batch_new();
    wrong_slip(b);
    wrong_ends(b);
    wrong_steps(b);
    free(b);
    return tap_done();
}
