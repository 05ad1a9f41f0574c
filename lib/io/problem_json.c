/* problem_json.c - contact problems in JSON: one object, a list of them, or one a line. */
#include "io/answer_fields.h"
#include "io/format.h"
#include "io/json_load.h"
#include "io/settings.h"
#include "base/exact.h"
#include "linear/triplets.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const keys[] = {IMP_PROBLEM_KEYS};

/* The place of a problem; `list` receives the place it stands in. */
static imp_json place_of(const imp_problem_file *file, size_t position, imp_json *list,
                         imp_error *error) {
    *list = imp_json_root(file->root, file->input.name, error);
    return json_is_array(file->root) ? imp_json_item(list, position) : *list;
}

static imp_status open_json(imp_problem_file *file, imp_error *error) {
    return imp_json_load_lines(file->input.file, file->input.name, &file->root, error);
}

static void close_json(imp_problem_file *file) {
    json_decref(file->root);
}

/* One number per contact; a single number stands for all of them. */
static bool read_per_contact(const imp_json *at, int nc, double low, double high, double *x) {
    if (json_is_number(at->value)) {
        if (!imp_json_number_in(at, low, high, &x[0])) return false;
        for (int i = 1; i < nc; i++)
            x[i] = x[0];
        return true;
    }
    if (!json_is_array(at->value) || json_array_size(at->value) != (size_t)nc)
        return imp_json_expected(at, "one number or an array of %d", nc);
    for (int i = 0; i < nc; i++) {
        const imp_json item = imp_json_item(at, (size_t)i);
        if (!imp_json_number_in(&item, low, high, &x[i])) return false;
    }
    return true;
}

/* The coefficient `name`: of the whole problem, or of each contact where it has its own; `standard`
 * where neither is.
 */
static bool read_coefficient(const imp_json *at, const char *name, double high,
                             const double *standard, int nc, double *x) {
    const imp_json whole = imp_json_member(at, name), contacts = imp_json_member(at, "contacts");
    for (int i = 0; standard && i < nc; i++)
        x[i] = *standard;
    if ((whole.value || (!contacts.value && !standard)) &&
        !read_per_contact(&whole, nc, 0, high, x))
        return false;
    for (int i = 0; contacts.value && i < nc; i++) {
        const imp_json contact = imp_json_item(&contacts, (size_t)i),
                       own = imp_json_member(&contact, name);
        if (!own.value && (whole.value || standard)) continue;
        if (!imp_json_number_in(&own, 0, high, &x[i])) return false;
    }
    return true;
}

/* Directions of several contacts that rounding leaves below 0, which nothing moves, are 0: W (rows
 * x rows) is positive semidefinite to 1e-10 of its trace. */
static void hold_still(size_t rows, double *W) {
    double least = 0;
    for (size_t i = 0; i < rows; i++)
        least += 1e-10 * W[i * rows + i];
    for (size_t i = 0; i < rows; i++) {
        if (W[i * rows + i] >= 0 || imp_largest(W + i * rows, rows, 1) > least) continue;
        if (imp_largest(W + i, rows, rows) > least) continue;
        for (size_t j = 0; j < rows; j++)
            W[i * rows + j] = W[j * rows + i] = 0;
    }
}

static bool read_dense(const imp_json *W, int nc, imp_slot *slot) {
    const size_t rows = 3 * (size_t)nc;
    if (json_array_size(W->value) != rows)
        return imp_json_expected(W, "%zu rows of %zu numbers", rows, rows);
    for (size_t i = 0; i < rows; i++) {
        /* before room is made: it is then no more than stands in the file */
        const imp_json row = imp_json_item(W, i);
        if (!imp_json_array_of(&row, rows)) return false;
    }
    double *numbers = imp_slot_reserve(slot, nc, -1);
    if (!numbers) return imp_json_no_memory(W);
    if (!imp_json_matrix(W, rows, rows, numbers)) return false;
    if (nc > 1) hold_still(rows, numbers); /* of one: take_root */
    return true;
}

/* *G <- the matrix of `rows` rows of 3nc numbers. */
static bool read_columns(const imp_json *at, size_t rows, int nc, imp_sparse *G) {
    const size_t columns = 3 * (size_t)nc;
    imp_triplets entries = {0};
    double *numbers = malloc(columns * sizeof *numbers);
    if (!numbers) return imp_json_no_memory(at);
    bool good = true;
    for (size_t i = 0; good && i < rows; i++) {
        const imp_json row = imp_json_item(at, i);
        good = imp_json_vector(&row, columns, numbers);
        for (size_t j = 0; good && j < columns; j++)
            if (numbers[j] != 0) imp_triplets_add(&entries, (int)i, (int)j, numbers[j]);
    }
    free(numbers);
    const imp_status status = imp_triplets_end(&entries, (int)rows, (int)columns, G);
    if (!good) imp_sparse_clear(G);
    return good && (status == IMP_OK || imp_json_no_memory(at));
}

/* W = G'G, rows of G the coordinates. */
static bool read_product(const imp_json *at, int nc, imp_slot *slot) {
    imp_sparse G;
    imp_factored *factored;
    size_t rows;
    if (!imp_json_array(at, &rows)) return false;
    for (size_t i = 0; i < rows; i++) {
        /* before room is made: it is then no more than stands in the file */
        const imp_json row = imp_json_item(at, i);
        if (!imp_json_array_of(&row, 3 * (size_t)nc)) return false;
    }
    if (rows * 3 * (size_t)nc > INT_MAX) return imp_json_expected(at, "fewer rows");
    if (!imp_slot_reserve(slot, nc, 0)) return imp_json_no_memory(at);
    if (!read_columns(at, rows, nc, &G)) return false;
    const bool made = imp_factored_of(&G, &factored) == IMP_OK;
    imp_sparse_clear(&G);
    if (made) imp_slot_take_factor(slot, factored, true);
    return made || imp_json_no_memory(at);
}

/* W and q of whichever of the forms stands there. */
static bool read_form(const imp_json *at, imp_slot *slot) {
    static const char *const forms[] = {"W", "blocks", "G", "bodies"};
    const imp_json q = imp_json_member(at, "q");
    imp_json form = {0}, other;
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
        other = imp_json_member(at, forms[k]);
        if (other.value && form.value)
            return imp_json_refuse(
                &other, "stands beside \"%s\", expected one of W, blocks, G and bodies", form.key);
        if (other.value) form = other;
    }
    if (!form.value) return imp_json_expected(at, "W, blocks, G or bodies in it");
    if (strcmp(form.key, "bodies") == 0) {
        if (q.value)
            return imp_json_refuse(&q,
                                   "stands beside \"bodies\", which give it, expected one of them");
        return imp_read_bodies(at, slot);
    }
    other = imp_json_member(at, "contacts");
    if (!other.value) other = imp_json_member(at, "constraints");
    if (other.value) return imp_json_refuse(&other, "stands without \"bodies\", expected both");
    size_t rows;
    if (!imp_json_array(&q, &rows)) return false;
    if (rows == 0 || rows % 3 != 0 || rows > INT_MAX)
        return imp_json_expected(&q, "3 numbers for each contact");
    const int nc = (int)(rows / 3);
    bool (*const read)(const imp_json *, int, imp_slot *) = strcmp(form.key, "W") == 0 ? read_dense
                                                            : strcmp(form.key, "G") == 0
                                                                ? read_product
                                                                : imp_read_blocks;
    return read(&form, nc, slot) && imp_json_vector(&q, rows, slot->q);
}

/* Names the pair of entries of a dense W that differ. */
static bool refuse_asymmetric(const imp_json *at, const imp_problem *problem, int contact) {
    const imp_json W = imp_json_member(at, "W");
    const size_t rows = 3 * (size_t)problem->nc;
    const double *x = problem->W->data;
    for (size_t i = 0; W.value && i < rows; i++)
        for (size_t j = 0; j < i; j++) {
            const double size = sqrt(fabs(x[i * rows + i])) * sqrt(fabs(x[j * rows + j]));
            if (fabs(x[i * rows + j] - x[j * rows + i]) <= 1e-12 * size) continue;
            const imp_json row = imp_json_item(&W, i), number = imp_json_item(&row, j);
            return imp_json_expected(&number, "%.17g as in W[%zu][%zu]", x[j * rows + i], j, i);
        }
    return imp_json_refuse(at, "W is not symmetric at contact %d, expected it to be", contact);
}

static bool check_problem(const imp_json *at, const imp_problem *problem) {
    int contact;
    const imp_status status = imp_problem_check(problem, &contact);
    switch (status) {
    case IMP_OK: return true;
    case IMP_NOT_SYMMETRIC: return refuse_asymmetric(at, problem, contact);
    case IMP_NOT_POSITIVE:
        if (contact < 0 || problem->nc == 1)
            return imp_json_refuse(at, "W is not positive semidefinite, expected it to be");
        return imp_json_refuse(
            at, "W is not positive semidefinite at contact %d, expected it to be", contact);
    case IMP_NO_MEMORY: return imp_json_no_memory(at);
    case IMP_NOT_FINITE:
        return imp_json_refuse(at, "W or q is beyond 1.8e308, expected numbers below");
    default: return imp_json_refuse(at, "%s, expected a contact problem", imp_status_text(status));
    }
}

/* One contact's singular W stands there as the G'G that it is, by which models tell what rounding
 * hides in W. */
static bool take_root(const imp_json *at, imp_slot *slot) {
    const imp_problem *problem = &slot->now.problem;
    imp_factored *root;
    double block[9];
    if (problem->nc > 1 || imp_problem_check(problem, NULL) != IMP_NOT_POSITIVE) return true;
    problem->W->kind->block(problem->W, 0, 0, block);
    const imp_status status = imp_factored_root(block, &root);
    if (status == IMP_NO_MEMORY) return imp_json_no_memory(at);
    if (status == IMP_OK) imp_slot_take_factor(slot, root, true);
    return true; /* an indefinite one is left to check_problem */
}

/* The first guess of the impulses, where there is one. */
static bool read_guess(const imp_json *at, int nc, imp_slot *slot) {
    const imp_json guess = imp_json_member(at, "guess");
    if (!guess.value) return true;
    slot->now.guess = slot->guess;
    return imp_json_vector(&guess, 3 * (size_t)nc, slot->guess);
}

/* An answer that stands beside the problem, for solution_file.h to read; null: there is none. */
static bool check_given(const imp_json *at, int nc) {
    static const char *const beside[] = {"lambda", "velocities", "joint_friction", NULL};
    const imp_json p = imp_json_member(at, "p");
    double ignored;
    for (size_t k = 0; !p.value && beside[k]; k++) {
        const imp_json alone = imp_json_member(at, beside[k]);
        if (imp_json_stands(&alone))
            return imp_json_refuse(&alone, "stands without \"p\", expected both");
    }
    if (!imp_answer_lists(at)) return false;
    if (!p.value || json_is_null(p.value)) return true;
    if (!imp_json_array_of(&p, 3 * (size_t)nc)) return false;
    for (size_t i = 0; i < 3 * (size_t)nc; i++) {
        const imp_json number = imp_json_item(&p, i);
        if (!imp_json_number(&number, &ignored)) return false;
    }
    return true;
}

/* The acceleration without contact forces, where it stands there. */
static bool read_acceleration(const imp_json *at, int nc, imp_slot *slot) {
    const imp_json b = imp_json_member(at, "b");
    if (!b.value) return true;
    slot->now.b = slot->b;
    return imp_json_vector(&b, 3 * (size_t)nc, slot->b);
}

/* What few models take: viscous friction and gaps of the contacts, a bound on the sum of their
 * impulses. */
static bool read_more(const imp_json *at, int nc, imp_slot *slot) {
    const imp_json viscous = imp_json_member(at, "mu_v"), gap = imp_json_member(at, "gap"),
                   kappa = imp_json_member(at, "kappa");
    imp_problem *problem = &slot->now.problem;
    if (viscous.value) problem->mu_v = slot->more;
    if (gap.value) problem->gap = slot->more + nc;
    return (!viscous.value || read_per_contact(&viscous, nc, 0, 1e300, slot->more)) &&
           (!gap.value || read_per_contact(&gap, nc, -1e300, 1e300, slot->more + nc)) &&
           (!kappa.value || imp_json_number_in(&kappa, 0, 1e300, &slot->now.kappa));
}

/* Restitution multiplies a velocity that friction of joints changes on the way: which part of it is
 * the model's, no law says. */
static bool check_rubs(const imp_json *at, int nc, const imp_slot *slot) {
    const imp_bilateral *b = slot->now.bilateral;
    const imp_json constraints = imp_json_member(at, "constraints");
    for (int i = 0; i < nc && b && imp_bilateral_rubs(b) > 0; i++)
        if (slot->e[i] > 0)
            return imp_json_refuse(&constraints, "friction of joints beside restitution, expected "
                                                 "e = 0");
    return true;
}

static bool read_problem(const imp_json *at, imp_slot *slot, bool check) {
    static const char *const kinds[] = {"problem", NULL};
    static const double no_restitution = 0;
    const imp_json kind = imp_json_member(at, "kind"), id = imp_json_member(at, "id"),
                   n = imp_json_member(at, "n");
    int ignored;
    if ((kind.value && !imp_json_choice(&kind, kinds, &ignored)) || !imp_json_object(at, keys) ||
        (id.value && !imp_json_text(&id, &slot->now.id)) || !read_form(at, slot))
        return false;
    const int nc = slot->now.problem.nc;
    if (n.value && !imp_json_whole(&n, nc, nc, &ignored))
        return imp_json_expected(&n, "%d, the number of contacts", nc);
    return check_given(at, nc) && read_guess(at, nc, slot) && read_acceleration(at, nc, slot) &&
           read_coefficient(at, "mu", INFINITY, NULL, nc, slot->mu) &&
           read_coefficient(at, "e", 1, &no_restitution, nc, slot->e) && read_more(at, nc, slot) &&
           check_rubs(at, nc, slot) && take_root(at, slot) &&
           (!check || check_problem(at, &slot->now.problem));
}

static imp_status next_json(imp_problem_file *file, bool *more, imp_error *error) {
    imp_error ignored;
    if (!error) error = &ignored;
    *more = file->position < (json_is_array(file->root) ? json_array_size(file->root) : 1);
    if (!*more) {
        file->checked = true;
        return IMP_OK;
    }
    imp_json list;
    const imp_json place = place_of(file, file->position, &list, error);
    return read_problem(&place, &file->slot, !file->checked) ? IMP_OK : error->status;
}

static imp_status settings_json(const imp_problem_file *file, const imp_model *model,
                                imp_settings *settings, imp_error *error) {
    imp_error ignored;
    if (!error) error = &ignored;
    imp_json list;
    const imp_json place = place_of(file, file->slot.now.position, &list, error),
                   member = imp_json_member(&place, "settings");
    const double kappa = file->slot.now.kappa;
    if (kappa >= 0) (void)imp_model_set(model, settings, "kappa", kappa);
    return !member.value || imp_json_settings(&member, model, settings) ? IMP_OK : error->status;
}

const imp_format imp_format_json = {.name = "JSON",
                                    .claims = imp_json_recognise,
                                    .open = open_json,
                                    .next = next_json,
                                    .settings = settings_json,
                                    .close = close_json};
