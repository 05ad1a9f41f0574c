/* test_sequential_law.c - the law of sequential impulses from its definition, and paths that were
 * tampered with. */
#include "sequential_subject.h"

/* The largest violation of the law by p and a path in that order, relative to the terms of
 * velocities. */
static double violation(const situation *s, imp_sequential_order order, const double *p,
                        const imp_path *path) {
    const int nc = s->nc, n = 3 * nc;
    double u[ROWS], terms[ROWS], sum[ROWS] = {0}, size = 0, push = 0, most = 0;
    memcpy(u, s->q, sizeof u);
    for (int i = 0; i < n; i++)
        size = fmax(size, terms[i] = fabs(u[i]));
    for (int k = 0, last = nc - 1; k < path->steps; k++) {
        const double *step = path->impulse + k * n;
        int struck = -1;
        for (int j = 0; j < nc; j++)
            if (path->phase[k * nc + j] == 'C') struck = struck < 0 ? j : nc;
        if (struck < 0 || struck >= nc) return INFINITY;
        const double *x = step + (size_t)3 * struck, before = u[3 * struck];
        most = tap_worst(most, before / size);
        for (int j = 0; j < nc; j++) {
            const int i = order == IMP_LISTED ? (last + 1 + j) % nc : j;
            if (order == IMP_LISTED && i == struck) break;
            /* what the order puts first: any that approaches, or that does so faster */
            most = tap_worst(most, ((order == IMP_LISTED ? 0 : before) - u[3 * i]) / size);
        }
        for (int i = 0; i < n; i++) {
            if (i / 3 != struck && step[i] != 0) return INFINITY;
            sum[i] += step[i];
            push = fmax(push, fabs(sum[i]));
            for (int c = 0; c < 3; c++) {
                const double more = s->W[i * n + 3 * struck + c] * x[c];
                u[i] += more;
                terms[i] += fabs(more);
            }
            size = fmax(size, terms[i]);
        }
        const double *v = u + (size_t)3 * struck, slip = hypot(v[1], v[2]),
                     limit = s->mu[struck] * x[0], friction = hypot(x[1], x[2]);
        most = tap_worst(most, fabs(v[0] + s->e[struck] * before) / size);
        most = tap_worst(most, (friction - limit) / fmax(fabs(x[0]), friction));
        if (limit > 0)
            most = tap_worst(most, hypot(slip * x[1] + limit * v[1], slip * x[2] + limit * v[2]) /
                                       (fmax(friction, limit) * size));
        last = struck;
    }
    for (int i = 0; i < n; i++) {
        most = tap_worst(most, fabs(sum[i] - p[i]) / push);
        if (i % 3 == 0) most = tap_worst(most, -u[i] / size);
    }
    return most;
}

static const char *const plants[] = {"friction the other way",
                                     "restitution dropped",
                                     "two steps exchanged",
                                     "a step left out",
                                     "a step twice",
                                     "a hundredth more of one step",
                                     "steps that do not add",
                                     "another contact named",
                                     "two contacts in a step",
                                     "friction turned",
                                     "all contacts named in a step",
                                     "an early end"};
enum {
    OTHER_WAY,
    PLASTIC,
    EXCHANGED,
    LEFT_OUT,
    TWICE,
    MORE,
    NOT_SUM,
    NAMED,
    TWO,
    TURNED,
    ALL_NAMED,
    EARLY,
    PLANTS
};

/* wrong (3nc) and tampered <- the plant at step k of the path. */
static void tamper(const situation *s, int plant, int k, const imp_path *path, double *wrong,
                   imp_path *tampered) {
    const int nc = s->nc, n = 3 * nc;
    memset(wrong, 0, ROWS * sizeof *wrong);
    for (int j = 0; j < path->steps; j++) {
        const int from = plant == EXCHANGED && j == k       ? k + 1
                         : plant == EXCHANGED && j == k + 1 ? k
                                                            : j;
        double step[ROWS] = {0};
        char phase[GEN_MOST_CONTACTS];
        memcpy(step, path->impulse + from * n, (size_t)n * sizeof *step);
        memcpy(phase, path->phase + from * nc, (size_t)nc);
        for (int i = 0; j == k && i < n; i++) {
            const bool own = phase[i / 3] == 'C';
            if (plant == OTHER_WAY && i % 3) step[i] = -step[i];
            if (plant == PLASTIC) step[i] /= 1 + s->e[i / 3];
            if (plant == MORE) step[i] *= 1.01;
            if (plant == TWO && !own && i % 3 == 0) step[i] = 0.01;
            if (plant == TURNED && own && i % 3 == 1) {
                const double t = step[i], o = step[i + 1];
                step[i] = cos(0.1) * t - sin(0.1) * o;
                step[i + 1] = sin(0.1) * t + cos(0.1) * o;
            }
        }
        for (int i = 0; plant == NAMED && j == k && i < nc; i++)
            phase[i] = path->phase[k * nc + (i + 1) % nc];
        if (plant == ALL_NAMED && j == k) memset(phase, 'C', sizeof phase);
        if ((plant == LEFT_OUT && j == k) || (plant == EARLY && j > k)) continue;
        for (int again = plant == TWICE && j == k ? 2 : 1; again > 0; again--) {
            for (int i = 0; i < n; i++)
                wrong[i] += step[i];
            (void)imp_path_add(tampered, nc, j + 1, 1, step, phase, path->motion + from * nc);
        }
    }
    for (int i = 0; plant == NOT_SUM && i < n; i++)
        wrong[i] *= 1.01;
}

static void test_paths(void) {
    int tried[PLANTS] = {0}, accepted[PLANTS] = {0}, open = 0, refused = 0, other_order = 0,
        other_accepted = 0;
    double most = 0;
    for (uint64_t k = 0; k < 600; k++) {
        situation s = situation_many(&imp_model_sequential, 40000 + k);
        gen_stream g = gen_seed(613, k);
        const imp_sequential_order order = k % 2 ? IMP_LISTED : IMP_FASTEST;
        imp_path path = {0};
        double p[ROWS], wrong[ROWS];
        for (int i = 0; i < s.nc; i++)
            s.e[i] = k % 3 ? gen_uniform(&g, 0, 1) : s.e[0];
        const bool solved = solve(&s, order, p, &path) == IMP_OK;
        open += !solved;
        if (solved && path.steps > 0) {
            most = tap_worst(most, violation(&s, order, p, &path));
            refused += !(worst(&s, order, p, &path) <= 1e-9);
            const imp_sequential_order other = order == IMP_LISTED ? IMP_FASTEST : IMP_LISTED;
            if (violation(&s, other, p, &path) > 1e-5) {
                other_order++;
                other_accepted += worst(&s, other, p, &path) <= 1e-8;
            }
        }
        for (int plant = 0; solved && path.steps > 1 && plant < PLANTS; plant++) {
            imp_path tampered = {0};
            const int at = (int)gen_uniform(&g, 0, fmin(path.steps - 1, 6));
            tamper(&s, plant, at, &path, wrong, &tampered);
            if (violation(&s, order, wrong, &tampered) > 1e-4) {
                tried[plant]++;
                accepted[plant] += worst(&s, order, wrong, &tampered) <= 1e-8;
            }
            imp_path_clear(&tampered);
        }
        imp_path_clear(&path);
    }
    ok(open <= 12 && most < 1e-8, "600 problems: the law from its definition to %.1e, %d unsolved",
       most, open);
    ok(refused == 0, "all answers are certified");
    ok(other_order > 100 && other_accepted == 0, "%d paths of the other order: refused",
       other_order);
    for (int plant = 0; plant < PLANTS; plant++)
        ok(tried[plant] > 100 && accepted[plant] == 0, "%s: %d of %d refused", plants[plant],
           tried[plant] - accepted[plant], tried[plant]);
}

/* Two contacts that approach equally fast: the first is struck first. */
static void test_tie(void) {
    static const double q[6] = {-1, 0, 0, -1, 0, 0}, mu[2] = {0, 0};
    static const double blow[2][6] = {{1, 0, 0, 0, 0, 0}, {0, 0, 0, 0.75, 0, 0}};
    double W[36] = {0};
    for (int r = 0; r < 6; r++)
        W[7 * r] = 1;
    W[3] = W[18] = 0.25;
    const imp_operator op = imp_operator_dense(2, W);
    const imp_problem problem = {.nc = 2, .W = &op, .q = q, .mu = mu};
    for (int first = 0; first < 2; first++) {
        const double p[6] = {first ? 0.75 : 1, 0, 0, first ? 1 : 0.75, 0, 0};
        imp_certificate c;
        imp_path path = {0};
        for (int k = 0; k < 2; k++) {
            double step[6] = {0};
            step[first ? 3 - 3 * k : 3 * k] = blow[k][3 * k];
            (void)imp_path_add(&path, 2, k + 1, 1, step, (k == 0) == (first == 0) ? "CO" : "OC",
                               "--");
        }
        const bool judged =
            imp_certify(&problem, imp_model_sequential.law, NULL, p, &path, &c) == IMP_OK;
        ok(judged && c.worst < 1e-12 && (c.unjudged != NULL) == (first == 1),
           "contact %d first of two equally fast: %.1e, %s", first, c.worst,
           c.unjudged ? "not judged" : "judged");
        imp_path_clear(&path);
    }
}

int main(void) {
    test_tie();
    test_paths();
    return tap_done();
}
