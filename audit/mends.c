/* mends.c - mistakes that are put right, one at a time, and what is held against the law then. */
#include "audit/mends.h"
#include "audit/frictions.h"
#include "audit/operators.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES = 48 }; /* where a search looks first */

static const double pi = 3.14159265358979324;

/* What a mistake changes, relative; less is what rounding and iterations leave of any answer. */
static const double clearly = 1e-4;

/* An answer, and room for what is made of it. */
typedef struct mending {
    const audit_solver *solver;
    const imp_problem *problem;
    const double *p;
    double *other; /* (3nc) N s */
    double *q;     /* (3nc) m/s */
    double *mu;    /* (nc) */
    int most;      /* the contact that is pushed most */
    audit_mends *mends;
} mending;

static void note(const mending *m, audit_fault fault, double by) {
    m->mends->fits[fault] = true;
    m->mends->by[fault] = by;
}

static bool is_right(const mending *m, const imp_problem *problem, const double *p) {
    return audit_residual(m->solver, problem, p) <= m->solver->tolerance;
}

/* Is the other answer clearly another? */
static bool differs(const mending *m) {
    double most = 0, apart = 0;
    for (int i = 0; i < 3 * m->problem->nc; i++) {
        most = fmax(most, fabs(m->p[i]));
        apart = fmax(apart, fabs(m->other[i] - m->p[i]));
    }
    return apart > clearly * most;
}

static bool is_mended(const mending *m) {
    return differs(m) && is_right(m, m->problem, m->other);
}

/* The residual where the mistake is put right by x. */
typedef double residual_at(const mending *m, double x);

/* The x of the least residual, which grows on either side of the one that is right: the best of
 * PLACES from low on, a step apart, and between its neighbours a golden section. */
static double search(const mending *m, residual_at *at, double low, double step) {
    enum { SECTIONS = 70 };
    static const double golden = 0.61803398874989485;
    double best = low, least = INFINITY;
    for (int k = 0; k < PLACES; k++) {
        const double residual = at(m, low + k * step);
        if (residual < least) least = residual, best = low + k * step;
    }
    double from = best - step, to = best + step, a = to - golden * (to - from),
           b = from + golden * (to - from), at_a = at(m, a), at_b = at(m, b);
    for (int k = 0; k < SECTIONS; k++)
        if (at_a < at_b) {
            to = b, b = a, at_b = at_a;
            a = to - golden * (to - from), at_a = at(m, a);
        } else {
            from = a, a = b, at_a = at_b;
            b = from + golden * (to - from), at_b = at(m, b);
        }
    return at_a < at_b ? a : b;
}

static void try_nothing(const mending *m) {
    bool closes = false, any = false;
    for (int i = 0; i < 3 * m->problem->nc; i++) {
        any = any || m->p[i] != 0;
        closes = closes || (i % 3 == 0 && m->problem->q[i] < 0);
        m->other[i] = 0;
    }
    if (!any && closes) note(m, AUDIT_NOTHING, 0);
    if (m->problem->nc == 1 && m->problem->q[0] == 0 && is_mended(m)) note(m, AUDIT_TOUCHING, 0);
}

static void try_dropped(const mending *m) {
    imp_problem another = *m->problem;
    bool any = false;
    for (int i = 0; another.e && i < another.nc; i++)
        any = any || another.e[i] > clearly;
    another.e = NULL;
    if (any && is_right(m, &another, m->p)) note(m, AUDIT_RESTITUTION, 0);
}

/* m/s, what the answer adds to the normal velocity of the contact that is pushed most. */
static double push_of(const mending *m) {
    double push[3];
    m->problem->W->kind->row(m->problem->W, m->most, -1, m->p, push, NULL);
    return push[0];
}

/* With another restitution of a single contact; beyond 1 as much below it. */
static double residual_bounced(const mending *m, double e) {
    imp_problem another = *m->problem;
    const double within = e > 1 ? 2 - e : e;
    another.e = &within;
    return audit_residual(m->solver, &another, m->p);
}

static bool is_right_bounced(const mending *m, double e) {
    const double own = m->problem->e ? *m->problem->e : 0;
    return e > clearly && fabs(e - own) > clearly && residual_bounced(m, e) <= m->solver->tolerance;
}

/* u_n = -e q_n, which rounding takes beyond 1; a law that ends elsewhere takes a search. */
static void try_bounce(const mending *m) {
    const double q_n = *m->problem->q, e = fmin(-(push_of(m) + q_n) / q_n, 1);
    if (q_n < 0 && (is_right_bounced(m, e) ||
                    is_right_bounced(m, search(m, residual_bounced, 1.0 / PLACES, 1.0 / PLACES))))
        note(m, AUDIT_BOUNCE, 0);
}

/* Is it right with component k of a contact where from[k] has it, axes reversed or not? */
static bool is_permuted(const mending *m, const int from[3], double n, double t, double o) {
    for (int i = 0; i < 3 * m->problem->nc; i += 3) {
        m->other[i] = n * m->p[i + from[0]];
        m->other[i + 1] = t * m->p[i + from[1]];
        m->other[i + 2] = o * m->p[i + from[2]];
    }
    return is_mended(m);
}

/* Friction that is merely reversed is another mistake, and so is all of p; the normal may point the
 * other way. */
static void try_frames(const mending *m) {
    static const int from[6][3] = {{0, 1, 2}, {0, 2, 1}, {2, 0, 1},
                                   {2, 1, 0}, {1, 2, 0}, {1, 0, 2}};
    for (int k = 0; k < 6 && !m->mends->fits[AUDIT_FRAME]; k++)
        for (int signs = 0; signs < (k == 0 ? 8 : 4); signs++)
            if ((k > 0 || signs == 4 || signs % 4 % 3 > 0) &&
                is_permuted(m, from[k], signs & 4 ? -1 : 1, signs & 1 ? -1 : 1, signs & 2 ? -1 : 1))
                note(m, AUDIT_FRAME, 0);
}

/* With tangents turned by an angle, and before that mirrored (-1: o points the other way). */
static double residual_rotated(const mending *m, double mirror, double angle) {
    const double c = cos(angle), s = sin(angle), o = mirror * m->p[2];
    m->other[0] = m->p[0];
    m->other[1] = c * m->p[1] - s * o;
    m->other[2] = s * m->p[1] + c * o;
    return audit_residual(m->solver, m->problem, m->other);
}

static double residual_turned(const mending *m, double angle) {
    return residual_rotated(m, 1, angle);
}

static double residual_mirrored(const mending *m, double angle) {
    return residual_rotated(m, -1, angle);
}

/* Quarters are frames of their own. */
static void try_angle(const mending *m, residual_at *at, audit_fault fault) {
    const double angle = search(m, at, 0, 2 * pi / PLACES);
    (void)at(m, angle);
    if (fabs(remainder(angle, pi / 2)) > clearly && is_mended(m)) note(m, fault, angle);
}

/* All normals first, then pairs of tangents, or all of one tangent; or the last contact first. */
static void try_layouts(const mending *m) {
    const int nc = m->problem->nc;
    for (int k = 0; nc > 1 && k < 3; k++) {
        for (int i = 0; i < 3 * nc; i++) {
            const int contact = i / 3, axis = i % 3;
            const int pairs = axis == 0 ? contact : nc + 2 * contact + axis - 1;
            const int from[] = {pairs, axis * nc + contact, 3 * (nc - 1 - contact) + axis};
            m->other[i] = m->p[from[k]];
        }
        if (is_mended(m)) note(m, AUDIT_LAYOUT, 0);
    }
}

/* other <- the impulse of one contact with W other = v, by elimination; false: W is singular. */
static bool make_velocity(const mending *m, const double v[3]) {
    double W[9], x[3] = {v[0], v[1], v[2]};
    m->problem->W->kind->block(m->problem->W, 0, 0, W);
    for (int k = 0; k < 3; k++) {
        if (!(W[4 * k] > 0)) return false;
        for (int i = k + 1; i < 3; i++) {
            const double by = W[3 * i + k] / W[4 * k];
            for (int j = k; j < 3; j++)
                W[3 * i + j] -= by * W[3 * k + j];
            x[i] -= by * x[k];
        }
    }
    for (int k = 2; k >= 0; k--) {
        for (int j = k + 1; j < 3; j++)
            x[k] -= W[3 * k + j] * x[j];
        x[k] /= W[4 * k];
    }
    memcpy(m->other, x, sizeof x);
    return true;
}

static void try_velocity(const mending *m) {
    const double *p = m->p, *q = m->problem->q;
    const double after[3] = {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
    if (m->problem->nc > 1) return;
    if ((make_velocity(m, p) && is_mended(m)) || (make_velocity(m, after) && is_mended(m)))
        note(m, AUDIT_VELOCITY, 0);
}

static bool is_scaled(const mending *m, double factor) {
    for (int i = 0; i < 3 * m->problem->nc; i++)
        m->other[i] = factor * m->p[i];
    return is_mended(m);
}

/* The factor with which the contact that is pushed most ends with u_n = -e q_n. */
static double factor_to(const mending *m, double e) {
    const double gap = m->problem->gap ? m->problem->gap[m->most] : 0;
    return (-(1 + e) * m->problem->q[3 * m->most] - gap) / push_of(m);
}

/* With exp(x) times the impulse that stops that contact. */
static double residual_scaled(const mending *m, double x) {
    const double factor = factor_to(m, expm1(x));
    for (int i = 0; i < 3 * m->problem->nc; i++)
        m->other[i] = factor * m->p[i];
    return audit_residual(m->solver, m->problem, m->other);
}

static void try_factor(const mending *m, double factor) {
    if (isfinite(factor) && factor != 0 && is_scaled(m, factor)) note(m, AUDIT_SCALE, 1 / factor);
}

/* By what brings a contact to the velocity of its e; for laws that end with another by powers of
 * ten, and of a single contact by a search, from u_n = 0 to 1e4 times as much. */
static void try_scales(const mending *m) {
    const imp_problem *problem = m->problem;
    const bool costs = !m->solver->model->law->note && problem->nc > 1; /* a solution each */
    const bool *found = &m->mends->fits[AUDIT_SCALE];
    if (is_scaled(m, -1))
        note(m, AUDIT_SIGN, 0);
    else
        try_factor(m, factor_to(m, problem->e ? problem->e[m->most] : 0));
    double ten = 1e-6;
    for (int k = -6; k <= 6 && !costs && !*found; k++, ten *= 10)
        for (int sign = -1; sign <= 1 && k != 0; sign += 2)
            try_factor(m, sign * ten);
    if (!*found && problem->nc == 1 && *problem->q < 0 && push_of(m) != 0)
        try_factor(m, factor_to(m, expm1(search(m, residual_scaled, 0, 0.2))));
}

/* m->mu <- so many times the friction. */
static imp_problem with_friction(const mending *m, double times) {
    imp_problem another = *m->problem;
    for (int i = 0; i < another.nc; i++)
        m->mu[i] = times * m->problem->mu[i];
    another.mu = m->mu;
    return another;
}

/* Does the cone, or pyramid, of the law hold p, were all friction so many times as large? */
static bool is_held(const mending *m, double times) {
    imp_certificate c = {0};
    const imp_problem another = with_friction(m, times);
    /* what is right by other residuals, too, has some room left */
    const double most = m->solver->tolerance / 4;
    (void)imp_certificate_note_law(&c, m->solver->model->law, &another, &m->solver->settings, m->p);
    return imp_certificate_residual(&c, "cone") <= most;
}

/* The least times as much friction whose cones hold p; INFINITY: none do. */
static double least_friction(const mending *m) {
    static const double widest = 1e9;
    if (is_held(m, 0)) return 0;
    const bool narrow = is_held(m, 1);
    double low = narrow ? 0 : 1, high = narrow ? 1 : widest;
    if (!is_held(m, high)) return INFINITY;
    while (high - low > 1e-14 * high) {
        const double middle = !narrow && high > 2 * low ? sqrt(low * high) : (low + high) / 2;
        if (is_held(m, middle))
            high = middle;
        else
            low = middle;
    }
    return high;
}

/* With friction exp(x) times as large. */
static double residual_rubbed(const mending *m, double x) {
    const imp_problem another = with_friction(m, exp(x));
    return audit_residual(m->solver, &another, m->p);
}

static bool is_right_rubbed(const mending *m, double x) {
    return residual_rubbed(m, x) <= m->solver->tolerance;
}

/* From x on towards its own friction, x = 0, which is not right: what sticks does so with more. */
static double nearest_rubbed(const mending *m, double x) {
    enum { HALVINGS = 50 };
    double wrong = 0;
    for (int k = 0; k < HALVINGS; k++) {
        const double middle = (wrong + x) / 2;
        if (is_right_rubbed(m, middle))
            x = middle;
        else
            wrong = middle;
    }
    return x;
}

static void note_friction(const mending *m, double times) {
    if (fabs(times - 1) > clearly) note(m, times > 1 ? AUDIT_WIDE : AUDIT_NARROW, fabs(times - 1));
}

/* At the cone's edge, or friction brought back to it; where it has turned on the way, within: of a
 * single contact a search, to a thousand times as much. */
static void try_cones(const mending *m) {
    bool any = false;
    for (int i = 0; i < m->problem->nc; i++)
        any = any || m->p[3 * i] > 0;
    const double times = any ? least_friction(m) : INFINITY;
    if (!isfinite(times)) return;
    for (int i = 0; i < 3 * m->problem->nc; i++)
        m->other[i] = times > 1 && i % 3 > 0 ? m->p[i] / times : m->p[i];
    const imp_problem another = with_friction(m, times);
    if (is_right(m, &another, m->p) || is_mended(m))
        note_friction(m, times);
    else if (m->problem->nc == 1 && times > 0) {
        const double x = search(m, residual_rubbed, log(times), log(1e3) / PLACES);
        if (is_right_rubbed(m, x)) note_friction(m, exp(nearest_rubbed(m, x)));
    }
}

/* Would friction be right against it, at the velocities that there are? Those are of friction
 * reversed and another q. */
static bool is_right_against(const mending *m) {
    const imp_problem *problem = m->problem;
    imp_problem another = *problem;
    for (int i = 0; i < problem->nc; i++) {
        double as_it_is[3], reversed[3];
        problem->W->kind->row(problem->W, i, -1, m->p, as_it_is, NULL);
        problem->W->kind->row(problem->W, i, -1, m->other, reversed, NULL);
        for (int k = 0; k < 3; k++)
            m->q[3 * i + k] = problem->q[3 * i + k] + as_it_is[k] - reversed[k];
        if (problem->e && problem->e[i] > 0) return false; /* of which q says the bounce */
    }
    another.q = m->q;
    return is_right(m, &another, m->other);
}

static void try_reversed(const mending *m) {
    if (is_permuted(m, (const int[3]){0, 1, 2}, 1, -1, -1) || (differs(m) && is_right_against(m)))
        note(m, AUDIT_ALONG, 0);
}

imp_status audit_mend(const audit_solver *solver, const imp_problem *problem, const double *p,
                      const audit_answer *answer, audit_mends *mends) {
    const size_t nc = (size_t)problem->nc;
    double *room = malloc(7 * nc * sizeof *room);
    *mends = (audit_mends){{false}, {0}};
    if (!room) return IMP_NO_MEMORY;
    mending m = {solver, problem, p, room, room + 3 * nc, room + 6 * nc, 0, mends};
    for (int i = 1; i < problem->nc; i++)
        if (fabs(p[3 * i]) > fabs(p[3 * m.most])) m.most = i;
    try_nothing(&m);
    try_dropped(&m);
    if (nc == 1) try_bounce(&m);
    try_frames(&m);
    if (nc == 1) {
        /* a program that turns its tangents does so here, too */
        try_angle(&m, residual_turned, AUDIT_TURNED);
        try_angle(&m, residual_mirrored, AUDIT_MIRRORED);
    }
    try_layouts(&m);
    try_velocity(&m);
    try_scales(&m);
    try_cones(&m);
    try_reversed(&m);
    const audit_frictions other = audit_other_frictions(problem, p, solver->tolerance);
    if (other.before) note(&m, AUDIT_BEFORE, 0);
    if (other.by_tangents) note(&m, AUDIT_PYRAMID, 0);
    const audit_operators by = audit_other_operators(solver, problem, p, m.most, clearly);
    if (by.blocks) note(&m, AUDIT_BLOCKS, 0);
    if (by.diagonal) note(&m, AUDIT_DIAGONAL, 0);
    for (int k = 0; k < AUDIT_SOFTENINGS; k++)
        if (by.soft[k] > 0) note(&m, AUDIT_SOFT + (audit_fault)k, by.soft[k]);
    if (answer->residual <= clearly) note(&m, AUDIT_ROUGH, answer->residual);
    free(room);
    return IMP_OK;
}
