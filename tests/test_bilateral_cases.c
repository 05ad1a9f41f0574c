/* Bilateral constraints in closed form: a four-bar linkage, rows that depend on each other,
 * contacts that cannot move; and what is refused. */
#include "base/vec3.h"
#include "contact/frame.h"
#include "bilateral.h"
#include "linear/null_space.h"

static void test_four_bar(void) {
    double worst_W = 0, worst_q = 0, worst_v = 0, worst_rows = 0;
    int good = 0, across = 0;
    for (int k = 0; k < 40; k++) {
        const gen_linkage f = gen_linkage_of(0.1 + 0.15 * k);
        const rows joints = joints_of(&f);
        reduced it = reduce(3, f.body, 1, &f.stop, &joints);
        if (it.status != IMP_OK || it.rank != GEN_LINKAGE_RANK) continue;
        double W[9], want_W[9], want_q[3], velocity[18], lambda[20];
        const double p[3] = {0.3, -0.2, 0.1};
        imp_bilateral_errors errors;
        for (int r = 0; r < 9; r++)
            want_W[r] = f.jacobian[r / 3] * f.jacobian[r % 3] / f.inertia;
        for (int r = 0; r < 3; r++)
            want_q[r] = f.jacobian[r] * f.rate;
        dense_of(&it, W);
        imp_bilateral_recover(it.made, p, NULL, velocity, lambda, &errors);
        const double after = f.rate + dot3(f.jacobian, p) / f.inertia;
        worst_W = tap_worst(worst_W, off(W, want_W, 9));
        worst_q = tap_worst(worst_q, off(it.q, want_q, 3));
        for (int i = 0; i < 3; i++)
            worst_v = tap_worst(
                worst_v, fabs(dot3(velocity + 6 * i + 3, f.stop.frame + 3) - after * f.turns[i]));
        across += W[4] == 0;
        worst_rows = tap_worst(worst_rows, fmax(errors.velocity, errors.momentum));
        imp_bilateral_free(it.made);
        good++;
    }
    note("off by %.1e %.1e %.1e %.1e", worst_W, worst_q, worst_v, worst_rows);
    ok(across == 40, "no impulse moves it out of its plane, to the last bit");
    ok(good == 40, "a four-bar linkage: 17 of its 20 rows count");
    ok(worst_W < 1e-12 && worst_q < 1e-12, "W and q are those of the crank's angle");
    ok(worst_v < 1e-12 && worst_rows < 1e-12, "and so are the bodies' velocities after an impulse");
}

/* One motion is left, which many impulses stop: the solvers' are no larger than it takes, and one
 * that cancels itself out is no answer. */
static void test_one_motion(void) {
    static const char *const models[] = {"auto", "gauss-seidel-coulomb", "moreau"};
    double largest = 0, rate = 0, hidden = INFINITY;
    int solved = 0;
    for (int k = 0; k < 120; k++) {
        const gen_linkage f = gen_linkage_of(0.1 + 0.05 * k);
        const rows joints = joints_of(&f);
        reduced it = reduce(3, f.body, 1, &f.stop, &joints);
        const double mu = k % 2 ? 1e3 : 0.5, e = 0, *j = f.jacobian,
                     enough = fabs(f.rate) * f.inertia / fmax(fabs(j[0]), fabs(j[2]));
        const imp_operator W = imp_operator_factored(imp_bilateral_factored(it.made));
        const imp_problem problem = {.nc = 1, .W = &W, .q = it.q, .mu = &mu, .e = &e};
        imp_certificate c = {0};
        double p[3];
        for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
            if (imp_solve(imp_model_find(models[m]), &problem, NULL, p, NULL) != IMP_OK) continue;
            solved++;
            largest = tap_worst(largest, fmax(fabs(p[0]), fmax(fabs(p[1]), fabs(p[2]))) / enough);
            rate = tap_worst(rate, fabs(f.rate + dot3(j, p) / f.inertia) / fabs(f.rate));
        }
        /* 1e14 times what it takes, along what moves nothing: nothing is left of q */
        const double sign = j[0] * j[2] > 0 ? -1 : 1, far = 1e14 * enough;
        const double none[3] = {far * fabs(j[2]), 0, sign * far * fabs(j[0])};
        if (imp_certify(&problem, &imp_law_coulomb, NULL, none, NULL, &c) == IMP_OK)
            hidden = fmin(hidden, c.worst);
        imp_bilateral_free(it.made);
    }
    ok(solved == 360 && largest < 1e3 && rate < 1e-8,
       "one motion is stopped by impulses of its size (%.1e, %.1e)", largest, rate);
    ok(hidden > 1e-8 && hidden < INFINITY, "and not by what cancels itself out (%.1e)", hidden);
}

/* Rows in other units, and rows that stand twice, change nothing but lambda. */
static void test_redundancy(void) {
    double worst_W = 0, worst_lambda = 0, worst_twice = 0;
    for (int k = 0; k < 20; k++) {
        gen_stream s = gen_seed(903, (uint64_t)k);
        const gen_linkage f = gen_linkage_of(0.2 + 0.3 * k);
        const rows joints = joints_of(&f);
        const double p[3] = {0.3, -0.2, 0.1};
        rows scaled = joints, twice = joints;
        double factor[ROWS] = {0}, W[9], want[9], velocity[18], lambda[ROWS], wanted[ROWS];
        for (int r = 0; r < scaled.count; r++)
            factor[r] = gen_power10(&s, -6, 6);
        for (int t = 0; t < scaled.terms; t++)
            for (int i = 0; i < 6; i++)
                scaled.term[t].axis[i] *= factor[scaled.term[t].row];
        for (int t = 0; t < joints.terms; t++) {
            twice.term[twice.terms] = joints.term[t];
            twice.term[twice.terms++].row += joints.count;
        }
        twice.count *= 2;
        reduced plain = reduce(3, f.body, 1, &f.stop, &joints),
                other = reduce(3, f.body, 1, &f.stop, &scaled),
                both = reduce(3, f.body, 1, &f.stop, &twice);
        dense_of(&plain, want);
        dense_of(&other, W);
        worst_W = tap_worst(worst_W, off(W, want, 9));
        dense_of(&both, W);
        worst_W = tap_worst(worst_W, off(W, want, 9));
        imp_bilateral_recover(plain.made, p, NULL, velocity, wanted, NULL);
        imp_bilateral_recover(other.made, p, NULL, velocity, lambda, NULL);
        for (int r = 0; r < scaled.count; r++)
            lambda[r] *= factor[r];
        worst_lambda = tap_worst(worst_lambda, off(lambda, wanted, scaled.count));
        imp_bilateral_recover(both.made, p, NULL, velocity, lambda, NULL);
        for (int r = 0; r < joints.count; r++)
            worst_twice = tap_worst(worst_twice, fabs(2 * lambda[r] - wanted[r]) +
                                                     fabs(2 * lambda[r + 20] - wanted[r]));
        imp_bilateral_free(plain.made);
        imp_bilateral_free(other.made);
        imp_bilateral_free(both.made);
    }
    note("off by %.1e %.1e %.1e", worst_W, worst_lambda, worst_twice);
    ok(worst_W < 1e-12, "rows in other units, and rows that stand twice, leave W alone");
    ok(worst_lambda < 1e-12, "lambda in other units is the same impulse");
    ok(worst_twice < 1e-12, "rows that stand twice share it");
}

static void test_refusals(void) {
    static const double z[3] = {0, 0, 1}, point[3] = {0.3, 0.2, 0.1}, none[3] = {0};
    const gen_linkage f = gen_linkage_of(0.7);
    const rows joints = joints_of(&f);
    rows r = joints;
    join(&r, f.body, IMP_PAIR_BALL, 0, 1, f.body[2].position, NULL);
    r.rate[20] = 0.1;
    reduced it = reduce(3, f.body, 1, &f.stop, &r);
    ok(it.status == IMP_NO_SOLUTION && it.row >= 0 && !it.made, "rows that contradict: refused");
    const double places[3] = {0, 1e-10, 1e-7};
    const imp_status want[3] = {IMP_OK, IMP_NOT_CERTIFIED, IMP_OK};
    const int rank[3] = {3, 0, 5};
    for (int k = 0; k < 3; k++) {
        const double near[3] = {point[0] + places[k], point[1], point[2]};
        r = (rows){0};
        join(&r, f.body, IMP_PAIR_BALL, 0, 2, point, NULL);
        join(&r, f.body, IMP_PAIR_BALL, 0, 2, near, NULL);
        it = reduce(3, f.body, 1, &f.stop, &r);
        ok(it.status == want[k] && it.rank == rank[k], "two balls %g apart: %s", places[k],
           imp_status_text(want[k]));
        imp_bilateral_free(it.made);
    }
    r = joints;
    r.term[3].body = 3;
    ok(reduce(3, f.body, 1, &f.stop, &r).status == IMP_BAD_ARGUMENT, "a body that is none");
    r = joints;
    r.term[3].row = r.count;
    ok(reduce(3, f.body, 1, &f.stop, &r).status == IMP_BAD_ARGUMENT, "a row that is none");
    r = joints;
    r.term[3].axis[1] = NAN;
    ok(reduce(3, f.body, 1, &f.stop, &r).status == IMP_NOT_FINITE, "an axis that is none");
    r = joints;
    r.rate[3] = INFINITY;
    ok(reduce(3, f.body, 1, &f.stop, &r).status == IMP_NOT_FINITE, "a rate that is none");
    r = joints;
    for (int k = 0; k < 3; k++)
        r.term[3].axis[k] = 1.7e308;
    ok(reduce(3, f.body, 1, &f.stop, &r).status == IMP_NOT_FINITE, "a row of no finite length");
    r = joints;
    join(&r, f.body, IMP_PAIR_REVOLUTE, 0, 1, point, none);
    join(&r, f.body, IMP_PAIR_SLIDER, 0, 1, point, none);
    ok(r.count == joints.count && r.terms == joints.terms, "no axis, no rows");
    imp_body held = f.body[0];
    held.inv_mass = 0;
    memset(held.inv_inertia, 0, sizeof held.inv_inertia);
    const imp_body pair[2] = {held, f.body[1]};
    const imp_contact stop = {.a = IMP_GROUND, .b = 1, .frame = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    r = (rows){0};
    join(&r, pair, IMP_PAIR_REVOLUTE, IMP_GROUND, 0, point, z);
    ok(reduce(2, pair, 1, &stop, &r).status == IMP_NO_SOLUTION,
       "a joint of a body that nothing moves and that moves away");
}

/* What bodies welded to each other are: one body (inertia: moments of each about world axes). */
static imp_body welded(int nb, const imp_body *bodies, const double *mass, const double *inertia) {
    imp_body whole = {.orientation = {1, 0, 0, 0}};
    double total = 0, I[9] = {0}, turn[3] = {0}, minor[9];
    for (int i = 0; i < nb; i++)
        total += mass[i];
    for (int i = 0; i < nb; i++)
        for (int k = 0; k < 3; k++) {
            whole.position[k] += mass[i] / total * bodies[i].position[k];
            whole.velocity[k] += mass[i] / total * bodies[i].velocity[k];
        }
    for (int i = 0; i < nb; i++) {
        double arm[3], orbit[3];
        sub3(bodies[i].position, whole.position, arm);
        cross3(arm, bodies[i].velocity, orbit);
        for (int k = 0; k < 3; k++) {
            I[4 * k] += inertia[i] + mass[i] * dot3(arm, arm);
            turn[k] += inertia[i] * bodies[i].spin[k] + mass[i] * orbit[k];
            for (int l = 0; l < 3; l++)
                I[3 * k + l] -= mass[i] * arm[k] * arm[l];
        }
    }
    for (int k = 0; k < 3; k++)
        cross3(I + 3 * ((k + 1) % 3), I + 3 * ((k + 2) % 3), minor + 3 * k);
    for (int k = 0; k < 3; k++)
        for (int l = 0; l <= k; l++)
            whole.inv_inertia[3 * k + l] = whole.inv_inertia[3 * l + k] =
                minor[3 * k + l] / dot3(I, minor);
    for (int k = 0; k < 3; k++)
        whole.spin[k] = dot3(whole.inv_inertia + 3 * k, turn);
    whole.inv_mass = 1 / total;
    return whole;
}

/* Light bodies between heavy ones, all rigidly joined: what a light one's contact sees is the
 * whole, next to nothing of what it would be alone. */
static void test_spread(void) {
    enum { LINKS = 4 };
    double worst_W = 0, worst_q = 0, worst_kept = 0;
    for (uint64_t k = 0; k < 100; k++) {
        gen_stream s = gen_seed(907, k);
        imp_body bodies[LINKS];
        double mass[LINKS], inertia[LINKS], normal[3], want[9], slip[3], W[9];
        const double apart = pow(10, (double)(k % 9));
        rows r = {0};
        for (int i = 0; i < LINKS; i++) {
            mass[i] = gen_uniform(&s, 1, 2) * (i % 2 ? 1 : apart);
            inertia[i] = mass[i] * gen_uniform(&s, 0.1, 0.2);
            bodies[i] = (imp_body){.inv_mass = 1 / mass[i], .orientation = {1, 0, 0, 0}};
            for (int a = 0; a < 3; a++) {
                bodies[i].inv_inertia[4 * a] = 1 / inertia[i];
                bodies[i].position[a] = gen_normal(&s);
                bodies[i].velocity[a] = gen_normal(&s);
                bodies[i].spin[a] = gen_normal(&s);
                normal[a] = gen_normal(&s);
            }
            if (i > 0) join(&r, bodies, IMP_PAIR_WELD, i - 1, i, bodies[i].position, NULL);
        }
        imp_contact light = {.a = IMP_GROUND, .b = LINKS - 1}, one = {.a = IMP_GROUND, .b = 0};
        memcpy(light.point, bodies[1].position, sizeof light.point);
        imp_frame_from_normal(normal, light.frame);
        memcpy(one.point, light.point, sizeof one.point);
        memcpy(one.frame, light.frame, sizeof one.frame);
        const imp_body whole = welded(LINKS, bodies, mass, inertia);
        reduced it = reduce(LINKS, bodies, 1, &light, &r);
        double velocity[6 * LINKS], lambda[6 * LINKS];
        const double p[3] = {apart, -0.3 * apart, 0.2 * apart};
        imp_bilateral_errors errors = {.momentum = INFINITY};
        if (it.status == IMP_OK && imp_delassus_dense(1, &whole, 1, &one, want, slip) == IMP_OK) {
            dense_of(&it, W);
            worst_W = tap_worst(worst_W, off(W, want, 9));
            worst_q = tap_worst(worst_q, off(it.q, slip, 3));
            imp_bilateral_recover(it.made, p, NULL, velocity, lambda, &errors);
        }
        worst_kept = tap_worst(worst_kept, imp_bilateral_worst(&errors));
        imp_bilateral_free(it.made);
    }
    note("off by %.1e %.1e, kept to %.1e", worst_W, worst_q, worst_kept);
    ok(worst_W < 1e-12 && worst_q < 1e-12, "masses up to 1e8 apart: W and q are those of one body");
    ok(worst_kept < 1e-12, "and rows and momentum are kept");
}

/* A chain of joints that turn about z, swung out of its plane: the contact across cannot move. */
static void test_blocked(void) {
    enum { LINKS = 12 };
    int still = 0, along = 0;
    for (int n = 2; n <= LINKS; n++) {
        imp_body body[LINKS];
        imp_term term[LINKS * IMP_PAIR_TERMS];
        imp_constraints chain = {.term = term};
        imp_bilateral *made;
        double q[3];
        for (int i = 0; i < n; i++) {
            const imp_pair pair = {.kind = IMP_PAIR_REVOLUTE,
                                   .a = i > 0 ? i - 1 : IMP_GROUND,
                                   .b = i,
                                   .point = {i},
                                   .axis = {0, 0, 1}};
            int count;
            body[i] = (imp_body){.inv_mass = 1,
                                 .inv_inertia = {9, 0, 0, 0, 7, 0, 0, 0, 8},
                                 .orientation = {1},
                                 .position = {i + 0.5, 0.3 * (i % 2)},
                                 .velocity = {0, -1, -0.7 * i},
                                 .spin = {0, 0, -1}};
            chain.terms += imp_pair_terms(&pair, body, chain.rows, term + chain.terms, &count);
            chain.rows += count;
        }
        imp_contact across = {.a = IMP_GROUND,
                              .b = n - 1,
                              .point = {n, 0.1, 0.07},
                              .frame = {0, 0, 1, 1, 0, 0, 0, 1, 0}};
        if (imp_bilateral_new(n, body, 1, &across, &chain, &made, q, NULL) != IMP_OK) continue;
        still += q[0] == 0;
        along += q[2] < -0.1;
        imp_bilateral_free(made);
    }
    ok(still == LINKS - 1, "what no impulse can stop does not approach, to the last bit");
    ok(along == LINKS - 1, "and moves along");
}

/* Two balls close to each other let a body turn about their line alone: along it nothing moves,
 * however much their closeness magnifies. */
static void test_close(void) {
    static const double apart[] = {1e-8, 1e-7, 1e-5, 1e-3};
    int still = 0;
    for (int k = 0; k < 40; k++) {
        gen_stream s = gen_seed(907, (uint64_t)k);
        const double place[3] = {gen_normal(&s), gen_normal(&s), gen_normal(&s)},
                     line[3] = {gen_normal(&s), gen_normal(&s), gen_normal(&s)};
        const imp_body body = {.inv_mass = 1,
                               .inv_inertia = {9, 0, 0, 0, 5, 0, 0, 0, 3},
                               .orientation = {1},
                               .position = {0.1, 0.2, 0.3},
                               .velocity = {1, 2, -3},
                               .spin = {0.4, -2, 1}};
        imp_contact along = {.a = IMP_GROUND, .b = 0, .point = {0.5, 0.4, 0.3}};
        double other[3], W[9];
        rows r = {0};
        imp_frame_from_normal(line, along.frame);
        for (int i = 0; i < 3; i++)
            other[i] = place[i] + apart[k % 4] * along.frame[i];
        join(&r, &body, IMP_PAIR_BALL, IMP_GROUND, 0, place, NULL);
        join(&r, &body, IMP_PAIR_BALL, IMP_GROUND, 0, other, NULL);
        reduced it = reduce(1, &body, 1, &along, &r);
        if (it.status != IMP_OK || it.rank != 5) continue;
        dense_of(&it, W);
        still += W[0] == 0 && it.q[0] == 0 && W[4] + W[8] > 0.01;
        imp_bilateral_free(it.made);
    }
    ok(still == 40, "rows that almost depend leave no rounding to push against: %d of 40", still);
}

/* What an equation leaves of its own basis: of each vector itself, and of the others nothing. */
static void test_basis(void) {
    enum { N = 7 };
    const int row[N] = {0, 1, 2, 3, 4, 5, 6}, column[N] = {0};
    const double equation[N] = {1, 0.3, -0.7, 0.1, 2.3, -1.1, 0.9};
    imp_sparse Ct, unit, basis, vectors, left = {0};
    imp_null_space *space = NULL;
    int at;
    const bool made = imp_sparse_from_triplets(N, 1, N, row, column, equation, &Ct) == IMP_OK &&
                      imp_sparse_unit(N, &unit) == IMP_OK &&
                      imp_null_space_new(&Ct, &space, &at) == IMP_OK &&
                      imp_null_space_project(space, &unit, &basis) == IMP_OK &&
                      imp_sparse_transpose(&basis, &vectors) == IMP_OK &&
                      imp_null_space_project(space, &vectors, &left) == IMP_OK;
    const bool whole = made && left.start && left.rows == N - 1 && left.columns == N - 1;
    ok(whole, "one equation of seven");
    if (!whole) return;
    bool one_each = true;
    for (int j = 0; j < N - 1; j++)
        one_each = one_each && left.start[j + 1] == j + 1 && left.row[j] == j &&
                   fabs(left.value[j] - 1) < 1e-14;
    ok(one_each, "leaves its basis as it is, without dust");
    imp_sparse_clear(&left);
    imp_sparse_clear(&vectors);
    imp_sparse_clear(&basis);
    imp_sparse_clear(&unit);
    imp_sparse_clear(&Ct);
    imp_null_space_free(space);
}

int main(void) {
    test_four_bar();
    test_one_motion();
    test_redundancy();
    test_refusals();
    test_spread();
    test_blocked();
    test_close();
    test_basis();
    return tap_done();
}
