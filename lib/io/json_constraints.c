/* json_constraints.c - joints and rows of one's own. */
#include "io/json_constraints.h"
#include "io/json_body.h"

#include <limits.h>
#include <stdlib.h>

static const char *const joint_keys[] = {"joint", "a", "b", "point", "axis", "friction", NULL};
static const char *const row_keys[] = {"terms", "rate", NULL};
static const char *const term_keys[] = {"body", "velocity", "spin", NULL};

void imp_json_rows_clear(imp_json_rows *rows) {
    free(rows->term);
    free(rows->rate);
    free(rows->source);
    free(rows->rub);
    free(rows->bound);
    *rows = (imp_json_rows){0};
}

/* Room for so many more terms and rows. */
static bool grow(const imp_json *at, imp_json_rows *r, size_t terms, size_t rows) {
    const size_t most_terms = (size_t)r->given.terms + terms,
                 most_rows = (size_t)r->given.rows + rows;
    if (most_terms > INT_MAX / 16 || most_rows > INT_MAX / 16) return imp_json_no_memory(at);
    if (most_terms > (size_t)r->terms_room) {
        imp_term *more = realloc(r->term, 2 * most_terms * sizeof *more);
        if (!more) return imp_json_no_memory(at);
        r->term = more;
        r->terms_room = (int)(2 * most_terms);
    }
    if (most_rows > (size_t)r->rows_room) {
        double *rate = realloc(r->rate, 2 * most_rows * sizeof *rate);
        if (rate) r->rate = rate;
        int *source = realloc(r->source, 2 * most_rows * sizeof *source);
        if (source) r->source = source;
        if (!rate || !source) return imp_json_no_memory(at);
        r->rows_room = (int)(2 * most_rows);
    }
    return true;
}

/* The friction of a joint that has one way to move; without any it does not rub. */
static bool read_friction(const imp_json *at, const imp_pair *pair, const imp_body *bodies,
                          imp_json_rows *r) {
    const imp_json friction = imp_json_member(at, "friction");
    const bool moves = pair->kind == IMP_PAIR_REVOLUTE || pair->kind == IMP_PAIR_SLIDER;
    double bound;
    if (!friction.value) return true;
    if (!moves)
        return imp_json_refuse(&friction,
                               "beside a joint that has not one way to move, expected it with "
                               "revolute and slider alone");
    if (!imp_json_number_in(&friction, 0, 1e300, &bound)) return false;
    if (bound == 0) return true;
    if (r->given.rubs == r->rubs_room) {
        const size_t room = 2 * (size_t)r->rubs_room + 16;
        imp_term *rub = realloc(r->rub, 2 * room * sizeof *rub);
        if (rub) r->rub = rub;
        double *more = realloc(r->bound, room * sizeof *more);
        if (more) r->bound = more;
        if (!rub || !more) return imp_json_no_memory(at);
        r->rubs_room = (int)room;
    }
    r->bound[r->given.rubs] = bound;
    r->given.rub_terms += imp_pair_rate(pair, bodies, r->given.rubs, r->rub + r->given.rub_terms);
    r->given.rubs++;
    return true;
}

static bool read_joint(const imp_json *at, const json_t *names, int nb, const imp_body *bodies,
                       imp_json_rows *r) {
    static const char *const kinds[] = {"ball", "revolute", "slider", "weld", NULL};
    const imp_json joint = imp_json_member(at, "joint"), a = imp_json_member(at, "a"),
                   b = imp_json_member(at, "b"), point = imp_json_member(at, "point"),
                   axis = imp_json_member(at, "axis");
    imp_pair pair = {0};
    int kind, rows;
    if (!imp_json_choice(&joint, kinds, &kind) || !imp_json_object(at, joint_keys) ||
        !imp_json_body_named(&a, names, nb, &pair.a) ||
        !imp_json_body_named(&b, names, nb, &pair.b) || !imp_json_vector(&point, 3, pair.point))
        return false;
    pair.kind = (imp_pair_kind)kind;
    const bool turns = pair.kind == IMP_PAIR_REVOLUTE || pair.kind == IMP_PAIR_SLIDER;
    if (pair.a == pair.b) return imp_json_expected(&b, "another body than \"a\"");
    if (!turns && axis.value)
        return imp_json_refuse(&axis, "a %s has none, expected it with revolute and slider alone",
                               kinds[kind]);
    if (turns && !imp_json_vector(&axis, 3, pair.axis)) return false;
    if (!grow(at, r, IMP_PAIR_TERMS, IMP_PAIR_TERMS / 2)) return false;
    r->given.terms += imp_pair_terms(&pair, bodies, r->given.rows, r->term + r->given.terms, &rows);
    if (rows == 0) return imp_json_no_direction(&axis);
    for (int k = 0; k < rows; k++)
        r->rate[r->given.rows++] = 0;
    return read_friction(at, &pair, bodies, r);
}

static bool read_row(const imp_json *at, const json_t *names, int nb, imp_json_rows *r) {
    const imp_json terms = imp_json_member(at, "terms"), rate = imp_json_member(at, "rate");
    size_t count;
    if (!imp_json_object(at, row_keys) || !imp_json_array(&terms, &count)) return false;
    if (count < 1) return imp_json_expected(&terms, "at least one term");
    if (!grow(at, r, count, 1)) return false;
    for (size_t k = 0; k < count; k++) {
        const imp_json item = imp_json_item(&terms, k), body = imp_json_member(&item, "body"),
                       velocity = imp_json_member(&item, "velocity"),
                       spin = imp_json_member(&item, "spin");
        imp_term term = {.row = r->given.rows};
        if (!imp_json_object(&item, term_keys) ||
            !imp_json_body_named(&body, names, nb, &term.body) ||
            (velocity.value && !imp_json_vector(&velocity, 3, term.axis)) ||
            (spin.value && !imp_json_vector(&spin, 3, term.axis + 3)))
            return false;
        if (!velocity.value && !spin.value)
            return imp_json_expected(&item, "\"velocity\" or \"spin\" in it");
        if (term.body == IMP_GROUND) return imp_json_expected(&body, "a body, not the ground");
        r->term[r->given.terms++] = term;
    }
    r->rate[r->given.rows] = 0;
    return !rate.value || imp_json_number(&rate, &r->rate[r->given.rows]);
}

bool imp_json_constraints(const imp_json *at, const json_t *names, int nb, const imp_body *bodies,
                          imp_json_rows *r) {
    size_t count;
    *r = (imp_json_rows){0};
    if (!imp_json_array(at, &count)) return false;
    for (size_t i = 0; i < count; i++) {
        const imp_json item = imp_json_item(at, i), joint = imp_json_member(&item, "joint"),
                       terms = imp_json_member(&item, "terms");
        const int before = r->given.rows;
        if (!joint.value == !terms.value)
            return imp_json_expected(&item, "either \"joint\" or \"terms\" in it");
        if (joint.value ? !read_joint(&item, names, nb, bodies, r) : !read_row(&item, names, nb, r))
            return false;
        r->given.rows += joint.value ? 0 : 1;
        for (int k = before; k < r->given.rows; k++)
            r->source[k] = (int)i;
    }
    r->given.term = r->term;
    r->given.rate = r->rate;
    r->given.rub = r->rub;
    r->given.bound = r->bound;
    return true;
}
