/* impact_dump.h - contact problems and what an engine answered, as JSON lines that impact judges.
 *
 * One header that any engine drops in: C99 or C++11, nothing to link but sqrt (-lm). Licence:
 * Apache-2.0, as all of Impact. Each time that the engine has solved its contacts,
 *
 *     fault = imp_dump_step(file, "step 17", bodies, body, contacts, contact, impulse);
 *
 * or, where it has W and q itself, imp_dump_dense; then
 *
 *     $ impact check --model moreau --tol 1e-4 dump.jsonl
 *
 * says of every step whether the impulses obey Coulomb's law with Newton's restitution, or which
 * residual they break most (impact-laws(7)), and `impact solve` what the library answers.
 *
 * SI units; u = W p + q, u = v_b - v_a at the contact; the normal n points from a to b, u_n > 0
 * separates, the impulse p acts on b; frames are (n, t, o), normal first; matrices are row-major.
 *
 * imp_dump_step, _dense and _assemble return 0 or the fault; after bad input nothing is written,
 * nor without contacts, where arrays may be NULL. None allocates or keeps anything. A line is
 * written by several calls of stdio: threads that share a FILE hold a lock around the call, with a
 * FILE each they need none. Numbers have 17 digits and a point, whatever the locale, and
 * -ffast-math changes no check. */
#ifndef IMPACT_DUMP_H
#define IMPACT_DUMP_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
    IMP_DUMP_OK = 0,
    IMP_DUMP_BAD_ARGUMENT,    /* a NULL, a body that is none, an id that is not plain text */
    IMP_DUMP_NOT_FINITE,      /* NaN or Inf given, or W or q overflow */
    IMP_DUMP_BAD_FRICTION,    /* mu < 0 */
    IMP_DUMP_BAD_RESTITUTION, /* e outside [0, 1] */
    IMP_DUMP_BAD_NORMAL,      /* not of length 1, or a tangent not at right angles, to 1 % */
    IMP_DUMP_NOT_SYMMETRIC, /* W beyond 1e-12 of sqrt(W_ii W_jj), an inverse inertia beyond 0.1 % */
    IMP_DUMP_NOT_POSITIVE,  /* a diagonal entry of W or inv_mass < 0; an inverse inertia by which a
                                 torque turns the other way, beyond the 1e-5 that single precision
                                 may leave; or no body of a contact can move */
    IMP_DUMP_NOT_WRITTEN    /* the FILE has an error */
};

enum { IMP_DUMP_GROUND = -1 }; /* the body index of what never moves */

/* A rigid body, in world axes. Velocities are those that it would have after the step without
 * contact impulses: at the start of the step, and what gravity and other forces add in it. */
typedef struct imp_dump_body {
    double inv_mass;       /* 1/kg; 0: no force moves it */
    double inv_inertia[9]; /* 1/(kg m^2), about the centre of mass; 0: nothing turns it */
    double position[3];    /* m, centre of mass */
    double velocity[3];    /* m/s, centre of mass */
    double spin[3];        /* rad/s */
} imp_dump_body;

/* A contact point between bodies a and b. */
typedef struct imp_dump_contact {
    int a, b;          /* bodies, or IMP_DUMP_GROUND */
    double point[3];   /* m */
    double normal[3];  /* from a to b, length 1 */
    double tangent[3]; /* first tangent, length 1, at right angles to the normal; 0: any */
    double target[3];  /* m/s, the v_b - v_a that counts as none: of a belt, or by which the engine
                          pushes an overlap apart; 0 where there is none */
    double mu;         /* friction coefficient */
    double e;          /* restitution in [0, 1], 0 where the engine leaves it out at low speed */
} imp_dump_contact;

/* Finite by its bits: compilers may take for granted that floating-point tests see finite ones. */
static inline int imp_dump_finite(const double *x, size_t n) {
    for (size_t i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, x + i, sizeof bits);
        if ((bits >> 52 & 0x7ff) == 0x7ff) return 0;
    }
    return 1;
}

static inline double imp_dump_dot(const double x[3], const double y[3]) {
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

static inline void imp_dump_cross(const double x[3], const double y[3], double z[3]) {
    z[0] = x[1] * y[2] - x[2] * y[1];
    z[1] = x[2] * y[0] - x[0] * y[2];
    z[2] = x[0] * y[1] - x[1] * y[0];
}

/* x of length 1 to 1 % becomes one to rounding; 0: it is none. */
static inline int imp_dump_unit(double x[3]) {
    const double length = sqrt(imp_dump_dot(x, x));
    if (!(length > 0.99 && length < 1.01)) return 0;
    for (int k = 0; k < 3; k++)
        x[k] /= length;
    return 1;
}

/* frame (rows n, t, o, right-handed, orthonormal) <- the contact's; 0 where it has none. Without a
 * tangent it is that of Duff, Burgess, Christensen, Hery, Kensler, Liani, Villemin 2017. */
static inline int imp_dump_frame(const imp_dump_contact *c, double frame[9]) {
    double n[3], t[3];
    memset(frame, 0, 9 * sizeof *frame);
    if (!imp_dump_finite(c->normal, 3) || !imp_dump_finite(c->tangent, 3))
        return IMP_DUMP_NOT_FINITE;
    memcpy(n, c->normal, sizeof n);
    memcpy(t, c->tangent, sizeof t);
    if (!imp_dump_unit(n)) return IMP_DUMP_BAD_NORMAL;
    if (t[0] == 0 && t[1] == 0 && t[2] == 0) {
        const double sign = n[2] < 0 ? -1 : 1, a = -1 / (sign + n[2]);
        t[0] = 1 + sign * n[0] * n[0] * a;
        t[1] = sign * n[0] * n[1] * a;
        t[2] = -sign * n[0];
    }
    const double along = imp_dump_dot(n, t);
    if (!(along > -0.01 && along < 0.01)) return IMP_DUMP_BAD_NORMAL;
    for (int k = 0; k < 3; k++)
        t[k] -= along * n[k];
    if (!imp_dump_unit(t)) return IMP_DUMP_BAD_NORMAL;
    memcpy(frame, n, sizeof n);
    memcpy(frame + 3, t, sizeof t);
    imp_dump_cross(n, t, frame + 6);
    return IMP_DUMP_OK;
}

/* local (n, t, o) <- the components of a world vector. */
static inline void imp_dump_to_frame(const double frame[9], const double world[3],
                                     double local[3]) {
    for (int k = 0; k < 3; k++)
        local[k] = imp_dump_dot(frame + 3 * k, world);
}

/* p (n, t, o) <- an impulse in world axes. */
static inline void imp_dump_local_impulse(const imp_dump_contact *c, const double world[3],
                                          double p[3]) {
    double frame[9];
    (void)imp_dump_frame(c, frame);
    imp_dump_to_frame(frame, world, p);
}

static inline int imp_dump_moves(const imp_dump_body *body, int index) {
    if (index == IMP_DUMP_GROUND) return 0;
    for (int k = 0; k < 9; k++)
        if (body[index].inv_inertia[k] != 0) return 1;
    return body[index].inv_mass > 0;
}

/* part <- the mean of B and its transpose (of an engine in single precision they differ) without
 * what rounding turns against torques, as about a locked axis: the sum of pivot l l', the largest
 * diagonal entry left being the pivot and |l_k| <= 1, until none is positive. Returns the largest
 * entry left out. */
static inline double imp_dump_positive(const double B[9], double part[9]) {
    double left[9], l[3], largest = 0;
    for (int k = 0; k < 9; k++) {
        left[k] = B[k] / 2 + B[k % 3 * 3 + k / 3] / 2;
        part[k] = 0;
    }
    for (int step = 0; step < 3; step++) {
        const int first = left[4] > left[0] ? 1 : 0, row = left[8] > left[4 * first] ? 2 : first;
        const double pivot = left[4 * row];
        if (pivot <= 0) break;
        for (int k = 0; k < 3; k++) {
            const double x = left[3 * row + k];
            l[k] = x >= pivot ? 1 : x <= -pivot ? -1 : x / pivot;
        }
        for (int k = 0; k < 9; k++) {
            part[k] += pivot * l[k / 3] * l[k % 3];
            left[k] -= pivot * l[k / 3] * l[k % 3];
        }
    }
    for (int k = 0; k < 9; k++)
        if (fabs(left[k]) > largest) largest = fabs(left[k]);
    return largest;
}

static inline int imp_dump_check_body(const imp_dump_body *b) {
    double large = 0, part[9];
    if (!imp_dump_finite(&b->inv_mass, 1) || !imp_dump_finite(b->inv_inertia, 9) ||
        !imp_dump_finite(b->position, 3) || !imp_dump_finite(b->velocity, 3) ||
        !imp_dump_finite(b->spin, 3))
        return IMP_DUMP_NOT_FINITE;
    if (b->inv_mass < 0) return IMP_DUMP_NOT_POSITIVE;
    for (int k = 0; k < 3; k++)
        if (b->inv_inertia[4 * k] > large) large = b->inv_inertia[4 * k];
    for (int r = 1; r < 3; r++)
        for (int c = 0; c < r; c++) {
            const double off = b->inv_inertia[3 * r + c] - b->inv_inertia[3 * c + r];
            if (off > 1e-3 * large || off < -1e-3 * large) return IMP_DUMP_NOT_SYMMETRIC;
        }
    return imp_dump_positive(b->inv_inertia, part) > 1e-5 * large ? IMP_DUMP_NOT_POSITIVE
                                                                  : IMP_DUMP_OK;
}

static inline int imp_dump_check_contact(int bodies, const imp_dump_body *body,
                                         const imp_dump_contact *c) {
    double frame[9];
    if (c->a < IMP_DUMP_GROUND || c->a >= bodies || c->b < IMP_DUMP_GROUND || c->b >= bodies ||
        c->a == c->b)
        return IMP_DUMP_BAD_ARGUMENT;
    if (!imp_dump_finite(c->point, 3) || !imp_dump_finite(c->target, 3) ||
        !imp_dump_finite(&c->mu, 1) || !imp_dump_finite(&c->e, 1))
        return IMP_DUMP_NOT_FINITE;
    if (c->mu < 0) return IMP_DUMP_BAD_FRICTION;
    if (c->e < 0 || c->e > 1) return IMP_DUMP_BAD_RESTITUTION;
    if (!imp_dump_moves(body, c->a) && !imp_dump_moves(body, c->b)) return IMP_DUMP_NOT_POSITIVE;
    return imp_dump_frame(c, frame);
}

/* v <- the velocity at the point of contact i that the impulse d (N s) at that of contact j gives
 * to the body. */
static inline void imp_dump_response(const imp_dump_body *body, const double at_i[3],
                                     const double at_j[3], const double d[3], double v[3]) {
    double arm[3], torque[3], spin[3], inertia[9];
    (void)imp_dump_positive(body->inv_inertia, inertia);
    for (int k = 0; k < 3; k++)
        arm[k] = at_j[k] - body->position[k];
    imp_dump_cross(arm, d, torque);
    for (int r = 0; r < 3; r++)
        spin[r] = imp_dump_dot(inertia + 3 * r, torque);
    for (int k = 0; k < 3; k++)
        arm[k] = at_i[k] - body->position[k];
    imp_dump_cross(spin, arm, v);
    for (int k = 0; k < 3; k++)
        v[k] += body->inv_mass * d[k];
}

/* block (9) <- that of W between two contacts that pass imp_dump_check. Returns 0 where there is
 * none. */
static inline int imp_dump_block(const imp_dump_body *body, const imp_dump_contact *i,
                                 const imp_dump_contact *j, double block[9]) {
    const int of_i[2] = {i->a, i->b}, of_j[2] = {j->a, j->b};
    double frame_i[9], frame_j[9], v[3], local[3];
    int couples = 0;
    (void)imp_dump_frame(i, frame_i);
    (void)imp_dump_frame(j, frame_j);
    memset(block, 0, 9 * sizeof *block);
    for (int s = 0; s < 4; s++) {
        const int shared = of_i[s / 2];
        if (shared != of_j[s % 2] || !imp_dump_moves(body, shared)) continue;
        couples = 1;
        for (int c = 0; c < 3; c++) {
            imp_dump_response(&body[shared], i->point, j->point, frame_j + 3 * c, v);
            imp_dump_to_frame(frame_i, v, local);
            for (int r = 0; r < 3; r++)
                block[3 * r + c] += (s / 2 == s % 2 ? 1 : -1) * local[r];
        }
    }
    for (int r = 0; i == j && r < 3; r++)
        for (int c = 0; c < r; c++)
            block[3 * r + c] = block[3 * c + r];
    return couples;
}

static inline double imp_dump_size(const double x[3]) {
    return fabs(x[0]) + fabs(x[1]) + fabs(x[2]);
}

/* q (3) of a contact, m/s; 0 where that is rounding, 1e-13, of how fast its bodies are. */
static inline void imp_dump_free_velocity(const imp_dump_body *body, const imp_dump_contact *c,
                                          double q[3]) {
    const int of[2] = {c->a, c->b};
    double frame[9], u[3], arm[3], turn[3], speed = imp_dump_size(c->target);
    for (int k = 0; k < 3; k++)
        u[k] = -c->target[k];
    for (int s = 0; s < 2; s++) {
        if (of[s] == IMP_DUMP_GROUND) continue;
        const imp_dump_body *b = &body[of[s]];
        for (int k = 0; k < 3; k++)
            arm[k] = c->point[k] - b->position[k];
        imp_dump_cross(b->spin, arm, turn);
        speed += imp_dump_size(b->velocity) + imp_dump_size(b->spin) * imp_dump_size(arm);
        for (int k = 0; k < 3; k++)
            u[k] += (s == 1 ? 1 : -1) * (b->velocity[k] + turn[k]);
    }
    (void)imp_dump_frame(c, frame);
    imp_dump_to_frame(frame, u, q);
    for (int k = 0; k < 3; k++)
        if (imp_dump_finite(&speed, 1) && fabs(q[k]) <= 1e-13 * speed) q[k] = 0;
}

/* Bodies and contacts, and that W and q of them are finite. */
static inline int imp_dump_check(int bodies, const imp_dump_body *body, int contacts,
                                 const imp_dump_contact *contact) {
    double block[9], q[3];
    if (bodies < 0 || contacts < 0 || (contacts > 0 && ((bodies > 0 && !body) || !contact)))
        return IMP_DUMP_BAD_ARGUMENT;
    for (int k = 0; body && k < bodies; k++) {
        const int fault = imp_dump_check_body(&body[k]);
        if (fault) return fault;
    }
    for (int k = 0; k < contacts; k++) {
        const int fault = imp_dump_check_contact(bodies, body, &contact[k]);
        if (fault) return fault;
        imp_dump_free_velocity(body, &contact[k], q);
        if (!imp_dump_finite(q, 3)) return IMP_DUMP_NOT_FINITE;
    }
    for (int i = 0; i < contacts; i++)
        for (int j = i; j < contacts; j++)
            if (imp_dump_block(body, &contact[i], &contact[j], block) && !imp_dump_finite(block, 9))
                return IMP_DUMP_NOT_FINITE;
    return IMP_DUMP_OK;
}

/* W (3nc x 3nc, 1/kg) and q (3nc, m/s) of nc contacts, for a solver of one's own. */
static inline int imp_dump_assemble(int bodies, const imp_dump_body *body, int contacts,
                                    const imp_dump_contact *contact, double *W, double *q) {
    const size_t rows = 3 * (size_t)contacts;
    const int fault = contacts == 0 || (W && q) ? imp_dump_check(bodies, body, contacts, contact)
                                                : IMP_DUMP_BAD_ARGUMENT;
    for (int i = 0; !fault && i < contacts; i++) {
        imp_dump_free_velocity(body, &contact[i], q + 3 * i);
        for (int j = i; j < contacts; j++) {
            double block[9];
            (void)imp_dump_block(body, &contact[i], &contact[j], block);
            for (size_t k = 0; k < 9; k++) {
                const size_t r = 3 * (size_t)i + k / 3, c = 3 * (size_t)j + k % 3;
                W[r * rows + c] = W[c * rows + r] = block[k];
            }
        }
    }
    return fault;
}

/* With all digits, and a point where the locale has a comma. */
static inline void imp_dump_number(FILE *file, double x) {
    char text[48];
    int point = 0;
    snprintf(text, sizeof text, "%.17g", x);
    for (const char *c = text; *c; c++) {
        if (strchr("0123456789+-e", *c))
            putc(*c, file);
        else if (!point++)
            putc('.', file);
    }
}

/* "before" and x, x, ...: n numbers. */
static inline void imp_dump_numbers(FILE *file, const char *before, const double *x, size_t n) {
    for (size_t i = 0; i < n; i++) {
        fputs(i > 0 ? ", " : before, file);
        imp_dump_number(file, x[i]);
    }
}

/* Plain text that needs no escapes in JSON. */
static inline int imp_dump_plain(const char *id) {
    for (const char *c = id; c && *c; c++)
        if (*c < ' ' || *c > '~' || *c == '"' || *c == '\\') return 0;
    return 1;
}

static inline void imp_dump_begin(FILE *file, const char *id, int contacts) {
    fputs("{\"kind\": \"problem\"", file);
    if (id) fprintf(file, ", \"id\": \"%s\"", id);
    fprintf(file, ", \"n\": %d", contacts);
}

static inline int imp_dump_end(FILE *file) {
    fputs("}\n", file);
    return ferror(file) ? IMP_DUMP_NOT_WRITTEN : IMP_DUMP_OK;
}

static inline int imp_dump_check_dense(size_t nc, const double *W, const double *q,
                                       const double *mu, const double *e, const double *p) {
    const size_t rows = 3 * nc;
    if (!imp_dump_finite(W, rows * rows) || !imp_dump_finite(q, rows) || !imp_dump_finite(mu, nc) ||
        (e && !imp_dump_finite(e, nc)) || (p && !imp_dump_finite(p, rows)))
        return IMP_DUMP_NOT_FINITE;
    for (size_t i = 0; i < nc; i++) {
        if (mu[i] < 0) return IMP_DUMP_BAD_FRICTION;
        if (e && (e[i] < 0 || e[i] > 1)) return IMP_DUMP_BAD_RESTITUTION;
    }
    for (size_t i = 0; i < rows; i++) {
        if (W[i * rows + i] < 0) return IMP_DUMP_NOT_POSITIVE;
        for (size_t j = 0; j < i; j++) {
            const double size = sqrt(W[i * rows + i]) * sqrt(W[j * rows + j]);
            if (fabs(W[i * rows + j] - W[j * rows + i]) > 1e-12 * size)
                return IMP_DUMP_NOT_SYMMETRIC;
        }
    }
    return IMP_DUMP_OK;
}

/* Writes a problem as one line: nc contacts, W (3nc x 3nc, 1/kg, symmetric, positive semidefinite),
 * q (3nc, m/s), mu and e (nc; e NULL: 0), p (3nc, N s, the answer; NULL: none), everything in the
 * frames (n, t, o). id NULL: none; without contacts nothing is written. Whether W is positive
 * semidefinite is seen by who reads it. */
static inline int imp_dump_dense(FILE *file, const char *id, int contacts, const double *W,
                                 const double *q, const double *mu, const double *e,
                                 const double *p) {
    const size_t nc = (size_t)contacts;
    const int whole = file && contacts >= 0 && imp_dump_plain(id);
    if (whole && contacts == 0) return IMP_DUMP_OK;
    const int fault =
        whole && W && q && mu ? imp_dump_check_dense(nc, W, q, mu, e, p) : IMP_DUMP_BAD_ARGUMENT;
    if (fault) return fault;
    imp_dump_begin(file, id, contacts);
    for (size_t i = 0; i < 3 * nc; i++)
        imp_dump_numbers(file, i > 0 ? "], [" : ", \"W\": [[", W + i * 3 * nc, 3 * nc);
    imp_dump_numbers(file, "]], \"q\": [", q, 3 * nc);
    imp_dump_numbers(file, "], \"mu\": [", mu, nc);
    if (e) imp_dump_numbers(file, "], \"e\": [", e, nc);
    if (p) imp_dump_numbers(file, "], \"p\": [", p, 3 * nc);
    putc(']', file);
    return imp_dump_end(file);
}

static inline void imp_dump_blocks(FILE *file, const imp_dump_body *body, int contacts,
                                   const imp_dump_contact *contact) {
    double block[9];
    int count = 0;
    for (int i = 0; i < contacts; i++)
        for (int j = i; j < contacts; j++) {
            if (!imp_dump_block(body, &contact[i], &contact[j], block)) continue;
            fprintf(file, "%s%d, %d", count++ ? ", [" : ", \"blocks\": [[", i, j);
            imp_dump_numbers(file, ", [", block, 9);
            fputs("]]", file);
        }
    putc(']', file);
}

static inline void imp_dump_vectors(FILE *file, const imp_dump_body *body, int contacts,
                                    const imp_dump_contact *contact, const double *impulse) {
    static const char *const key[4] = {"q", "p", "mu", "e"};
    for (int part = 0; part < 4; part++) {
        if (part == 1 && !impulse) continue;
        fprintf(file, ", \"%s\": [", key[part]);
        for (int i = 0; i < contacts; i++) {
            double x[3] = {part == 2 ? contact[i].mu : contact[i].e, 0, 0};
            if (part == 0) imp_dump_free_velocity(body, &contact[i], x);
            if (part == 1) imp_dump_local_impulse(&contact[i], impulse + 3 * i, x);
            imp_dump_numbers(file, i > 0 ? ", " : "", x, part < 2 ? 3 : 1);
        }
        putc(']', file);
    }
}

/* The same from bodies and contacts, with the blocks of W that are not zero; impulse (3nc, N s) is
 * the answer in world axes, on b of each contact; NULL: none. */
static inline int imp_dump_step(FILE *file, const char *id, int bodies, const imp_dump_body *body,
                                int contacts, const imp_dump_contact *contact,
                                const double *impulse) {
    int fault = imp_dump_check(bodies, body, contacts, contact);
    if (!fault && (!file || !imp_dump_plain(id))) fault = IMP_DUMP_BAD_ARGUMENT;
    for (int i = 0; !fault && impulse && i < contacts; i++) {
        double p[3];
        imp_dump_local_impulse(&contact[i], impulse + 3 * i, p);
        if (!imp_dump_finite(p, 3)) fault = IMP_DUMP_NOT_FINITE;
    }
    if (fault || contacts == 0) return fault;
    imp_dump_begin(file, id, contacts);
    imp_dump_blocks(file, body, contacts, contact);
    imp_dump_vectors(file, body, contacts, contact, impulse);
    return imp_dump_end(file);
}

#endif
