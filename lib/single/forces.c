/* forces.c - the forces of one contact that touches without colliding.
 *
 * Preclik, Eibl, Ruede (2017), Fig. 1, upper half, and section 4.2. At rest the law on
 * accelerations is the law on impulses, and so is its search. Where the contact slides, friction is
 * given, and the sign of one number, A, decides how many forces there are: A = gap / |v|, gap =
 * W_nn |v| - S, S = mu (W_nt v_t + W_no v_o), or (W_nn^2 |v|^2 - S^2) / (W_nn |v| + S) where S > 0,
 * whose numerator is a polynomial in the data and known without rounding. The paper asks whether
 * there is a force; that there may be two, or a ray, is known of Painleve's rod (Stewart 2000). */
#include "single/forces.h"
#include "base/exact.h"
#include "base/expansion.h"
#include "base/finite.h"
#include "contact/local.h"

static const double unsaid = 0x1p-450; /* a gap above it is not of underflow */

const char *imp_motion_text(imp_motion motion) {
    static const char *const text[] = {"separates",   "slides-on", "starts-to-slide",
                                       "sticks",      "collides",  "impact-without-collision",
                                       "undetermined"};
    return (unsigned)motion <= IMP_UNDETERMINED ? text[motion] : "unknown";
}

/* Under a force with this acceleration, of a contact that does not approach. */
static imp_motion motion_of(const double v[3], const double a[3]) {
    if (v[0] > 0 || a[0] > 0) return IMP_SEPARATES;
    if (v[1] != 0 || v[2] != 0) return IMP_SLIDES_ON;
    return a[1] != 0 || a[2] != 0 ? IMP_STARTS_TO_SLIDE : IMP_STICKS;
}

static void append(imp_force_set *set, imp_coulomb_kind kind, const double v[3], const double f[3],
                   const double a[3]) {
    set->force[set->count++] = (imp_force){
        .kind = kind,
        .motion = motion_of(v, a),
        .f = {f[0], f[1], f[2]},
        .a = {a[0], a[1], a[2]},
        .power = 0 + f[1] * v[1] + f[2] * v[2],
    };
}

static void append_zero(imp_force_set *set, const double v[3], const double b[3]) {
    append(set, IMP_ZERO, v, (const double[3]){0}, b);
}

static imp_status at_rest(const imp_coulomb_set *found, const double v[3], imp_force_set *set) {
    for (int i = 0; i < found->count; i++) {
        const imp_coulomb_solution *x = &found->solution[i];
        append(set, x->kind, v, x->p, x->u);
    }
    set->proven = found->proven;
    return found->proven ? IMP_OK : IMP_NOT_CERTIFIED;
}

/* A contact that slides, in units that are powers of two: no number is above 1. */
typedef struct slide {
    double w, mu, r[2], v[2]; /* W_nn, mu, (W_nt, W_no), v_to */
    double speed;             /* |v| */
    int unit;                 /* A in 1/kg = 2^unit times the scaled one */
    bool in_range;            /* no product of six of these numbers, nor its rest, underflows */
} slide;

static slide slide_of(const double W[6], const double v[3], double mu) {
    const double coupling = imp_largest(W + 1, 2, 1);
    const int w = imp_exponent(W[0]), r = imp_exponent(coupling), m = imp_exponent(mu),
              s = imp_exponent(imp_largest(v + 1, 2, 1)),
              /* W_nn is 2^apart units of mu W_nt */
        apart = coupling > 0 && mu > 0 ? w - (r + m) : 0;
    slide c = {.w = imp_ldexp(W[0], apart < 0 ? apart - w : -w),
               .mu = imp_ldexp(mu, apart > 0 ? -apart - m : -m),
               .r = {imp_ldexp(W[1], -r), imp_ldexp(W[2], -r)},
               .v = {imp_ldexp(v[1], -s), imp_ldexp(v[2], -s)},
               .unit = apart < 0 ? w - apart : w,
               .in_range = true};
    const double data[6] = {W[0], mu, W[1], W[2], v[1], v[2]},
                 scaled[6] = {c.w, c.mu, c.r[0], c.r[1], c.v[0], c.v[1]};
    for (int i = 0; i < 6; i++)
        c.in_range = c.in_range && (data[i] == 0 || fabs(scaled[i]) >= 0x1p-110);
    c.speed = sqrt(c.v[0] * c.v[0] + c.v[1] * c.v[1]);
    return c;
}

/* A in units of the slide, to a few ulp; *certain <- its sign is that of the data. */
static double stiffness(const slide *c, bool *certain) {
    const expansion w = expansion_of(c->w), mu = expansion_of(c->mu),
                    r[2] = {expansion_of(c->r[0]), expansion_of(c->r[1])},
                    v[2] = {expansion_of(c->v[0]), expansion_of(c->v[1])};
    expansion drag = {0}, S = {0}, square = {0};
    for (int i = 0; i < 2; i++)
        expansion_add_product(&drag, &r[i], &v[i], 1);
    expansion_add_product(&S, &mu, &drag, 1);
    const double s = expansion_value(&S), sum = c->w * c->speed + fabs(s);
    double gap = sum;
    if (s > 0) {
        for (int i = 0; i < 2; i++) {
            expansion wv = {0};
            expansion_add_product(&wv, &w, &v[i], 1);
            expansion_add_product(&square, &wv, &wv, 1);
        }
        expansion_add_product(&square, &S, &S, -1);
        gap = expansion_value(&square) / sum;
    }
    *certain = c->in_range || fabs(gap) > unsaid;
    return gap / c->speed;
}

/* The force of normal component f_n against the slip, and its acceleration, a_n = 0. */
static void append_slip(imp_force_set *set, imp_coulomb_kind kind, const double W[6],
                        const double v[3], const double b[3], double mu, const slide *c,
                        double f_n) {
    const double f[3] = {f_n, 0 - mu * f_n * (c->v[0] / c->speed),
                         0 - mu * f_n * (c->v[1] / c->speed)};
    const double a[3] = {0, W[1] * f[0] + W[3] * f[1] + W[4] * f[2] + b[1],
                         W[2] * f[0] + W[4] * f[1] + W[5] * f[2] + b[2]};
    append(set, kind, v, f, a);
}

static imp_status sliding(const double W[6], const double v[3], const double b[3], double mu,
                          imp_force_set *set) {
    const slide c = slide_of(W, v, mu);
    bool certain;
    const double A = stiffness(&c, &certain);
    const int unit = imp_exponent(b[0]);
    set->proven = certain;
    set->A = imp_ldexp(A, c.unit);
    if ((A > 0 && b[0] < 0) || (A < 0 && b[0] > 0))
        append_slip(set, IMP_SLIP, W, v, b, mu, &c,
                    imp_ldexp(-imp_ldexp(b[0], -unit) / A, unit - c.unit));
    if (A == 0 && b[0] == 0) append_slip(set, IMP_RAY, W, v, b, mu, &c, 1);
    if (b[0] >= 0) append_zero(set, v, b);
    return certain ? IMP_OK : IMP_NOT_CERTIFIED;
}

static bool representable(const imp_force_set *set) {
    for (int i = 0; i < set->count; i++) {
        const imp_force *x = &set->force[i];
        const bool pushes = x->kind != IMP_ZERO && x->kind != IMP_SEGMENT;
        /* a = W f + b is not finite where f is not */
        if (!imp_finite(x->a) || !isfinite(x->power)) return false;
        if (pushes && imp_largest(x->f, 3, 1) < DBL_MIN) return false;
    }
    return true;
}

imp_status imp_forces(const double W[6], const double v[3], const double b[3], double mu,
                      imp_force_set *set) {
    imp_coulomb_set rest = {0};
    const bool still = v[0] == 0 && v[1] == 0 && v[2] == 0;
    if (!imp_all_finite(v, 3)) return IMP_NOT_FINITE;
    /* whatever the velocity, the data must be those of a contact */
    imp_status status = imp_coulomb_enumerate(W, b, mu, &rest);
    if (status < 0 || (still && status == IMP_OVERFLOW)) return status;
    imp_force_set found = {.proven = 1, .A = NAN};
    status = IMP_OK;
    if (v[0] > 0)
        append_zero(&found, v, b);
    else if (still)
        status = at_rest(&rest, v, &found);
    else if (v[0] == 0)
        status = sliding(W, v, b, mu, &found);
    if (!representable(&found)) return IMP_OVERFLOW;
    found.motion = v[0] < 0           ? IMP_COLLIDES
                   : found.count == 0 ? IMP_IMPACT_WITHOUT_COLLISION
                   : found.count == 1 ? found.force[0].motion
                                      : IMP_UNDETERMINED;
    *set = found;
    return status;
}

imp_status imp_forces_certify(const double W[6], const double v[3], const double b[3], double mu,
                              const double f[3], imp_certificate *result) {
    if (!imp_all_finite(W, 6) || !imp_all_finite(v, 3) || !imp_all_finite(b, 3) ||
        !imp_all_finite(f, 3) || !isfinite(mu))
        return IMP_NOT_FINITE;
    if (mu < 0) return IMP_BAD_FRICTION;
    if (v[0] < 0) return IMP_NO_SOLUTION;
    const double full[9] = {W[0], W[1], W[2], W[1], W[3], W[4], W[2], W[4], W[5]};
    const imp_operator A = imp_operator_dense(1, full);
    const imp_problem problem = {.nc = 1, .W = &A, .q = b, .mu = &mu};
    const imp_local local = imp_local_problem(&problem, f, 0);
    if (!imp_all_finite(local.size, 3)) return IMP_NOT_FINITE; /* nothing is large beside it */
    imp_certificate made = {.energy_excess = INFINITY, .velocity_excess = INFINITY};
    if (v[0] > 0)
        imp_certificate_note(&made, "signorini", imp_largest(f, 3, 1) > 0, 0);
    else if (v[1] == 0 && v[2] == 0)
        imp_coulomb_note(&local, 0, &made);
    else
        imp_coulomb_note_sliding(&local, v + 1, 0, &made);
    *result = made;
    return IMP_OK;
}

void imp_velocity_after(const double W[6], const double q[3], const double p[3], double v[3]) {
    static const int at[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
    double u[3];
    for (int i = 0; i < 3; i++) {
        double size = fabs(q[i]);
        u[i] = q[i];
        for (int j = 0; j < 3; j++) {
            u[i] += W[at[i][j]] * p[j];
            size += fabs(W[at[i][j]] * p[j]);
        }
        if (fabs(u[i]) <= 1e-12 * size) u[i] = 0;
    }
    for (int i = 0; i < 3; i++)
        v[i] = u[i];
}
