/* bilateral.c - constraints projected out of W and q, and what they do found again. */
#include "contact/bilateral_internal.h"

#include "base/finite.h"
#include "base/length.h"
#include "base/vec3.h"
#include "contact/frame.h"
#include "linear/triplets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The row axis . (v_b - v_a) at `point`, or of spins where it is NULL. */
static int add_row(const imp_pair *pair, const imp_body *bodies, const double axis[3],
                   const double *point, int row, imp_term *term) {
    int count = 0;
    for (int side = 0; side < 2; side++) {
        const int body = side ? pair->b : pair->a;
        if (body == IMP_GROUND) continue;
        imp_term *t = &term[count++];
        *t = (imp_term){.row = row, .body = body};
        for (int k = 0; k < 3; k++) {
            const int i = (k + 1) % 3, j = (k + 2) % 3;
            const double *centre = bodies[body].position, sign = side ? 1 : -1;
            t->axis[k] = point ? sign * axis[k] : 0;
            t->axis[3 + k] =
                sign * (point ? (point[i] - centre[i]) * axis[j] - (point[j] - centre[j]) * axis[i]
                              : axis[k]);
        }
    }
    return count;
}

int imp_pair_terms(const imp_pair *pair, const imp_body *bodies, int row, imp_term *term,
                   int *rows) {
    static const double world[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const bool revolute = pair->kind == IMP_PAIR_REVOLUTE, slider = pair->kind == IMP_PAIR_SLIDER;
    double frame[9];
    int terms = 0, count = 0;
    *rows = 0;
    if ((revolute || slider) && imp_frame_from_normal(pair->axis, frame) != IMP_OK) return 0;
    for (int k = slider ? 1 : 0; k < 3; k++)
        terms += add_row(pair, bodies, (slider ? frame : world) + 3 * k, pair->point, row + count++,
                         term + terms);
    for (int k = revolute ? 1 : 0; k < 3 && pair->kind != IMP_PAIR_BALL; k++)
        terms += add_row(pair, bodies, (revolute ? frame : world) + 3 * k, NULL, row + count++,
                         term + terms);
    *rows = count;
    return terms;
}

int imp_pair_rate(const imp_pair *pair, const imp_body *bodies, int number, imp_term *term) {
    const bool turns = pair->kind == IMP_PAIR_REVOLUTE;
    double frame[9];
    if ((!turns && pair->kind != IMP_PAIR_SLIDER) ||
        imp_frame_from_normal(pair->axis, frame) != IMP_OK)
        return 0;
    return add_row(pair, bodies, frame, turns ? NULL : pair->point, number, term);
}

void imp_bilateral_free(imp_bilateral *b) {
    if (!b) return;
    free(b->body);
    free(b->contact);
    free(b->term);
    free(b->rate);
    free(b->rub);
    free(b->bound);
    free(b->root);
    free(b->caught);
    imp_roots_clear(&b->roots);
    imp_sparse_clear(&b->H);
    imp_null_space_free(b->space);
    imp_factored_free(b->factored);
    free(b);
}

const imp_factored *imp_bilateral_factored(const imp_bilateral *b) {
    return b->factored;
}

int imp_bilateral_bodies(const imp_bilateral *b) {
    return b->nb;
}

int imp_bilateral_rows(const imp_bilateral *b) {
    return b->rows;
}

int imp_bilateral_rank(const imp_bilateral *b) {
    return imp_null_space_rank(b->space);
}

static imp_status check_terms(int nb, int rows, int terms, const imp_term *term) {
    if (rows < 0 || terms < 0 || (terms > 0 && !term)) return IMP_BAD_ARGUMENT;
    for (const imp_term *t = term; t < term + terms; t++) {
        if (t->row < 0 || t->row >= rows || t->body < 0 || t->body >= nb) return IMP_BAD_ARGUMENT;
        if (!imp_finite(t->axis)) return IMP_NOT_FINITE;
    }
    return IMP_OK;
}

static imp_status check(int nb, const imp_constraints *given) {
    imp_status status = check_terms(nb, given->rows, given->terms, given->term);
    if (status == IMP_OK) status = check_terms(nb, given->rubs, given->rub_terms, given->rub);
    if (status != IMP_OK) return status;
    if (given->rubs > 0 && !given->bound) return IMP_BAD_ARGUMENT;
    if (!imp_all_finite(given->bound, (size_t)given->rubs)) return IMP_NOT_FINITE;
    for (int i = 0; i < given->rubs; i++)
        if (given->bound[i] < 0) return IMP_BAD_FRICTION;
    if (given->rate && !imp_all_finite(given->rate, (size_t)given->rows)) return IMP_NOT_FINITE;
    return IMP_OK;
}

static void *copied(const void *from, size_t count, size_t size) {
    void *copy = calloc(count + 1, size);
    if (copy && count > 0 && from) memcpy(copy, from, count * size);
    return copy;
}

static imp_status copy(imp_bilateral *b, int nb, const imp_body *bodies, int nc,
                       const imp_contact *contacts, const imp_constraints *given) {
    b->nb = nb;
    b->nc = nc;
    b->rows = given->rows;
    b->terms = given->terms;
    b->body = copied(bodies, (size_t)nb, sizeof *bodies);
    b->contact = copied(contacts, (size_t)nc, sizeof *contacts);
    b->term = copied(given->term, (size_t)given->terms, sizeof *given->term);
    b->rate = copied(given->rate, (size_t)given->rows, sizeof *given->rate);
    b->rubs = given->rubs;
    b->rub_terms = given->rub_terms;
    b->rub = copied(given->rub, (size_t)given->rub_terms, sizeof *given->rub);
    b->bound = copied(given->bound, (size_t)given->rubs, sizeof *given->bound);
    return b->body && b->contact && b->term && b->rate && b->rub && b->bound ? IMP_OK
                                                                             : IMP_NO_MEMORY;
}

/* *Ct <- (G B)'. */
static imp_status rooted_rows(const imp_bilateral *b, imp_sparse *Ct) {
    imp_triplets entries = {0};
    for (const imp_term *t = b->term; t < b->term + b->terms; t++) {
        const int first = b->roots.first[t->body];
        double x[6];
        if (first < 0) continue;
        imp_roots_row(&b->roots, b->body, t->body, t->axis, x);
        for (int k = 0; k < 6; k++)
            imp_triplets_add(&entries, first + k, t->row, x[k]);
    }
    return imp_triplets_end(&entries, b->roots.rows, b->rows, Ct);
}

/* c (rows) <- g - G v, what the rows still ask for, and size (rows) of the numbers in it. */
static void misses(const imp_bilateral *b, double *c, double *size) {
    for (int r = 0; r < b->rows; r++) {
        c[r] = b->rate[r];
        size[r] = fabs(b->rate[r]);
    }
    for (int t = 0; t < b->terms; t++) {
        const imp_term *term = &b->term[t];
        const imp_body *body = &b->body[term->body];
        for (int k = 0; k < 6; k++) {
            const double part = term->axis[k] * (k < 3 ? body->velocity[k] : body->spin[k - 3]);
            c[term->row] -= part;
            size[term->row] += fabs(part);
        }
    }
}

/* moved <- by how much the rows change velocities. velocity and spin (roots.rows) are scratch. */
static void find_moved(imp_bilateral *b, double *velocity, double *spin) {
    const size_t n = (size_t)b->roots.rows;
    for (int i = 0; i < b->nb; i++) {
        const int first = b->roots.first[i];
        const double *B = b->roots.B + 9 * (size_t)i;
        double turn[3];
        if (first < 0) continue;
        apply3(B, b->caught + first + 3, turn);
        for (int k = first; k < first + 6; k++) {
            velocity[k] = sqrt(b->body[i].inv_mass) * imp_length3(b->caught + first);
            spin[k] = imp_length3(turn);
        }
    }
    imp_null_space_largest(b->space, velocity, b->moved);
    imp_null_space_largest(b->space, spin, b->moved + n);
}

/* caught <- the shortest x with G (v + B x) = g. */
static imp_status catch_rows(imp_bilateral *b, int *row) {
    const size_t n = (size_t)b->roots.rows, m = (size_t)b->rows;
    double *work = malloc((4 * n + 6 * m + 1) * sizeof *work), *size = work + m, *room = size + m;
    b->caught = malloc((3 * n + 1) * sizeof *b->caught);
    imp_status status = IMP_NO_MEMORY;
    if (work && b->caught) {
        misses(b, work, size);
        status = imp_null_space_particular(b->space, work, size, b->caught, row, room);
    }
    if (status == IMP_OK) {
        b->moved = b->caught + n;
        find_moved(b, work, work + n);
    }
    free(work);
    return status;
}

static imp_status eliminate(imp_bilateral *b, int *row) {
    imp_sparse Ct = {0}, left = {0};
    imp_status status = imp_roots_new(b->nb, b->body, &b->roots);
    if (status == IMP_OK) status = imp_roots_contacts(&b->roots, b->body, b->nc, b->contact, &b->H);
    if (status == IMP_OK) status = rooted_rows(b, &Ct);
    if (status == IMP_OK) status = imp_null_space_new(&Ct, &b->space, row);
    if (status == IMP_OK) status = catch_rows(b, row);
    if (status == IMP_OK) status = imp_null_space_project(b->space, &b->H, &left);
    if (status == IMP_OK) status = imp_factored_of(&left, &b->factored);
    if (status == IMP_OK) status = imp_bilateral_root_rubs(b);
    imp_sparse_clear(&Ct);
    imp_sparse_clear(&left);
    return status;
}

double imp_bilateral_speed(const imp_bilateral *b, int i) {
    const imp_contact *c = &b->contact[i];
    const size_t n = (size_t)b->roots.rows;
    double speed = 0;
    for (int side = 0; side < 2; side++) {
        const int number = side ? c->b : c->a;
        if (number == IMP_GROUND) continue;
        const imp_body *body = &b->body[number];
        const int first = b->roots.first[number];
        double arm[3], velocity = imp_length3(body->velocity), spin = imp_length3(body->spin);
        sub3(c->point, body->position, arm);
        for (int k = first; first >= 0 && k < first + 6; k++) {
            velocity = fmax(velocity, b->moved[k]);
            spin = fmax(spin, b->moved[n + (size_t)k]);
        }
        speed += velocity + imp_length3(arm) * spin;
    }
    return speed;
}

/* q (3nc) <- what the rows leave of the velocities at the contacts: what is rounding of what is
 * there is no approach, which contacts that hold each other could not stop. One that no impulse
 * changes is what the rows say it is: 0 within what these may contradict each other by. */
static void free_velocity(const imp_bilateral *b, double *q) {
    const double none = fmax(IMP_DEPENDENT, imp_null_space_rounding(b->space));
    for (int i = 0; i < b->nc; i++)
        imp_contact_velocity(&b->contact[i], b->body, q + 3 * (size_t)i);
    imp_sparse_multiply_transposed(&b->H, b->caught, q);
    for (int i = 0; i < b->nc; i++) {
        const double speed = imp_bilateral_speed(b, i);
        for (int r = 0; r < 3; r++) {
            double *own = &q[3 * (size_t)i + (size_t)r];
            const double share = imp_bilateral_can_change(b, i, r) ? IMP_CANCELLED : none;
            if (isfinite(speed) && fabs(*own) <= share * speed) *own = 0;
        }
    }
}

imp_status imp_bilateral_new(int nb, const imp_body *bodies, int nc, const imp_contact *contacts,
                             const imp_constraints *constraints, imp_bilateral **made, double *q,
                             int *row) {
    int ignored;
    if (!row) row = &ignored;
    *row = -1;
    *made = NULL;
    imp_status status = imp_delassus_check(nb, bodies, nc, contacts);
    if (status == IMP_OK) status = check(nb, constraints);
    if (status != IMP_OK) return status;
    imp_bilateral *b = calloc(1, sizeof *b);
    status = b ? copy(b, nb, bodies, nc, contacts, constraints) : IMP_NO_MEMORY;
    if (status == IMP_OK) status = eliminate(b, row);
    if (status != IMP_OK) {
        imp_bilateral_free(b);
        return status;
    }
    free_velocity(b, q);
    *made = b;
    return IMP_OK;
}

/* velocity (6nb) <- v + B x. */
static void move(const imp_bilateral *b, const double *x, double *velocity) {
    for (int i = 0; i < b->nb; i++, velocity += 6) {
        const imp_body *body = &b->body[i];
        memcpy(velocity, body->velocity, sizeof body->velocity);
        memcpy(velocity + 3, body->spin, sizeof body->spin);
        if (b->roots.first[i] < 0) continue;
        const double *own = x + b->roots.first[i], *B = b->roots.B + 9 * (size_t)i,
                     light = sqrt(body->inv_mass);
        for (int k = 0; k < 3; k++) {
            velocity[k] += light * own[k];
            velocity[3 + k] += B[3 * k] * own[3] + B[3 * k + 1] * own[4] + B[3 * k + 2] * own[5];
        }
    }
}

imp_status imp_bilateral_recover(const imp_bilateral *b, const double *p, const double *rubbed,
                                 double *velocity, double *lambda, imp_bilateral_errors *errors) {
    const size_t n = (size_t)b->roots.rows, m = (size_t)b->rows;
    double *x = calloc(5 * n + 6 * m + 1, sizeof *x), *c = x + n, *work = c + 2 * m;
    if (!x) return IMP_NO_MEMORY;
    imp_sparse_multiply(&b->H, p, x);
    for (int i = 0; rubbed && i < b->rubs; i++)
        for (size_t k = 0; k < n; k++)
            x[k] += rubbed[i] * b->root[(size_t)i * n + k];
    misses(b, c, c + m);
    imp_null_space_solve(b->space, x, c, x, lambda, work);
    move(b, x, velocity);
    free(x);
    return errors ? imp_bilateral_judge_by(b, p, rubbed, velocity, lambda, lambda, errors) : IMP_OK;
}

imp_status imp_bilateral_judge(const imp_bilateral *b, const double *p, const double *x,
                               const double *velocity, const double *lambda,
                               imp_bilateral_errors *errors) {
    const size_t bodies = 6 * (size_t)b->nb;
    double *own = malloc((bodies + (size_t)b->rows + 1) * sizeof *own), *follows = own + bodies;
    imp_status status = own ? imp_bilateral_recover(b, p, x, own, follows, NULL) : IMP_NO_MEMORY;
    if (status == IMP_OK)
        status = imp_bilateral_judge_by(b, p, x, velocity, lambda, follows, errors);
    free(own);
    return status;
}
