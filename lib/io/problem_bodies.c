/* problem_bodies.c - a contact problem given as bodies and contacts: W and q are assembled
 * (contact/delassus.h). */
#include "contact/delassus_internal.h"
#include "io/format.h"
#include "io/json_body.h"
#include "io/json_constraints.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const body_keys[] = {"name",        "mass",     "inertia", "fixed", "position",
                                        "orientation", "velocity", "spin",    NULL};
static const char *const contact_keys[] = {"a", "b", "point", "normal", "tangent", "mu", "e", NULL};

static bool read_body(const imp_json *at, imp_body *body) {
    return imp_json_object(at, body_keys) && imp_json_inertia(at, body) &&
           imp_json_motion(at, body);
}

static bool read_contact(const imp_json *at, const json_t *names, int nb, const imp_body *bodies,
                         imp_contact *c) {
    const imp_json a = imp_json_member(at, "a"), b = imp_json_member(at, "b"),
                   point = imp_json_member(at, "point");
    if (!imp_json_object(at, contact_keys) || !imp_json_body_named(&a, names, nb, &c->a) ||
        !imp_json_body_named(&b, names, nb, &c->b) || !imp_json_vector(&point, 3, c->point) ||
        !imp_json_frame(at, c->frame))
        return false;
    if (c->a == c->b) return imp_json_expected(&b, "another body than \"a\"");
    if (!imp_body_moves(c->a, bodies) && !imp_body_moves(c->b, bodies))
        return imp_json_refuse(at, "neither body can move, expected one that can");
    return true;
}

static bool assemble(const imp_json *at, int nb, const imp_body *bodies, int nc,
                     const imp_contact *contacts, imp_slot *slot) {
    double *q = malloc(3 * (size_t)nc * sizeof *q);
    int *start = calloc((size_t)nc + 1, sizeof *start), count = 0;
    imp_factored *factored = NULL;
    imp_status status =
        q && start ? imp_delassus_factored(nb, bodies, nc, contacts, &factored, q) : IMP_NO_MEMORY;
    const bool many = status == IMP_OK && imp_factored_many(factored);
    if (status == IMP_OK && !many) count = imp_delassus_count(nb, bodies, nc, contacts, start);
    double *block = status == IMP_OK && count >= 0 ? imp_slot_reserve(slot, nc, count) : NULL;
    if (block) {
        memcpy(slot->structure, start, ((size_t)nc + 1) * sizeof *start);
        if (!many)
            status = imp_delassus_blocks(nb, bodies, nc, contacts, start, slot->structure + nc + 1,
                                         block, q);
        memcpy(slot->q, q, 3 * (size_t)nc * sizeof *q);
        imp_slot_take_factor(slot, factored, many);
    } else {
        imp_factored_free(factored);
        if (status == IMP_OK) status = IMP_NO_MEMORY;
    }
    free(start);
    free(q);
    if (status == IMP_NO_MEMORY) return imp_json_no_memory(at);
    return status == IMP_OK || imp_json_refuse(at, "cannot be assembled");
}

/* W and q of what the constraints leave, into the slot, which owns *bilateral then: beside blocks
 * unless those would be too many. */
static bool keep(imp_bilateral *bilateral, const double *q, imp_slot *slot) {
    const imp_factored *factored = imp_bilateral_factored(bilateral);
    const imp_operator W = imp_operator_factored(factored);
    const bool many = imp_factored_many(factored);
    imp_blocks *blocks = many ? NULL : imp_blocks_of(&W);
    const int nc = factored->nc, count = blocks ? blocks->start[nc] : 0;
    double *block = many || blocks ? imp_slot_reserve(slot, nc, count) : NULL;
    if (block && blocks) {
        memcpy(slot->structure, blocks->start, ((size_t)nc + 1) * sizeof *slot->structure);
        memcpy(slot->structure + nc + 1, blocks->column, (size_t)count * sizeof *slot->structure);
        memcpy(block, blocks->block, 9 * (size_t)count * sizeof *block);
    }
    if (block) {
        memcpy(slot->q, q, 3 * (size_t)nc * sizeof *q);
        imp_slot_take_bilateral(slot, bilateral, many);
    }
    imp_blocks_free(blocks);
    return block;
}

/* Says which constraint cannot be kept, and why. */
static bool refuse_constraint(const imp_json *constraints, const imp_json_rows *rows,
                              imp_status status, int row) {
    const imp_json item =
        imp_json_item(constraints, row >= 0 && rows->source ? (size_t)rows->source[row] : 0);
    if (status == IMP_NO_MEMORY) return imp_json_no_memory(constraints);
    if (status == IMP_NO_SOLUTION)
        return imp_json_refuse(&item, "contradicts the others, expected velocities that keep all");
    if (status == IMP_NOT_CERTIFIED)
        return imp_json_refuse(&item, "almost follows from the others: double does not tell "
                                      "whether it does, expected it to or to differ by 1e-9");
    return imp_json_refuse(constraints, "cannot be assembled");
}

static bool assemble_constrained(const imp_json *constraints, const json_t *names, int nb,
                                 const imp_body *bodies, int nc, const imp_contact *contacts,
                                 imp_slot *slot) {
    imp_json_rows rows;
    imp_bilateral *bilateral = NULL;
    int row = -1;
    double *q = malloc(3 * (size_t)nc * sizeof *q);
    if (!q) return imp_json_no_memory(constraints);
    bool good = imp_json_constraints(constraints, names, nb, bodies, &rows);
    if (good) {
        imp_status status =
            imp_bilateral_new(nb, bodies, nc, contacts, &rows.given, &bilateral, q, &row);
        if (status == IMP_OK && !keep(bilateral, q, slot)) {
            imp_bilateral_free(bilateral);
            status = IMP_NO_MEMORY;
        }
        good = status == IMP_OK || refuse_constraint(constraints, &rows, status, row);
    }
    imp_json_rows_clear(&rows);
    free(q);
    return good;
}

static bool read_all(const imp_json *bodies, const imp_json *contacts, const json_t *names,
                     imp_body *body, imp_contact *contact) {
    const size_t nb = json_array_size(bodies->value), nc = json_array_size(contacts->value);
    for (size_t i = 0; i < nb; i++) {
        const imp_json item = imp_json_item(bodies, i);
        if (!read_body(&item, &body[i])) return false;
    }
    for (size_t i = 0; i < nc; i++) {
        const imp_json item = imp_json_item(contacts, i);
        if (!read_contact(&item, names, (int)nb, body, &contact[i])) return false;
    }
    return true;
}

bool imp_read_bodies(const imp_json *at, imp_slot *slot) {
    const imp_json bodies = imp_json_member(at, "bodies"),
                   contacts = imp_json_member(at, "contacts"),
                   constraints = imp_json_member(at, "constraints");
    size_t nb, nc;
    if (!imp_json_array(&bodies, &nb) || !imp_json_array(&contacts, &nc)) return false;
    if (nc < 1 || nc > INT_MAX / 3) return imp_json_expected(&contacts, "at least one contact");
    if (nb > INT_MAX) return imp_json_expected(&bodies, "fewer bodies");
    json_t *names = imp_json_body_names(&bodies);
    if (!names) return false;
    imp_body *body = calloc(nb + 1, sizeof *body);
    imp_contact *contact = calloc(nc, sizeof *contact);
    const bool room = body && contact;
    bool good = room ? read_all(&bodies, &contacts, names, body, contact) : imp_json_no_memory(at);
    if (good)
        good = constraints.value ? assemble_constrained(&constraints, names, (int)nb, body, (int)nc,
                                                        contact, slot)
                                 : assemble(at, (int)nb, body, (int)nc, contact, slot);
    json_decref(names);
    free(body);
    free(contact);
    return good;
}
