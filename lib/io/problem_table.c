/* problem_table.c - the table of one-contact problems. */
#include "io/format.h"

#include <string.h>

enum {
    ID,
    MU,
    W_FIRST,
    Q_FIRST = W_FIRST + 6,
    E = Q_FIRST + 3,
    B_FIRST,
    MIRROR_FIRST = B_FIRST + 3
};

static const imp_column columns[] = {
    IMP_WORDS("id"),        IMP_WORDS("mu"),        IMP_WORDS("W11"),      IMP_WORDS("W12"),
    IMP_WORDS("W13"),       IMP_WORDS("W22"),       IMP_WORDS("W23"),      IMP_WORDS("W33"),
    IMP_WORDS("q1"),        IMP_WORDS("q2"),        IMP_WORDS("q3"),       {"e", NULL, 0, true},
    {"b1", NULL, 0, true},  {"b2", NULL, 0, true},  {"b3", NULL, 0, true}, {"W21", NULL, 0, true},
    {"W31", NULL, 0, true}, {"W32", NULL, 0, true}, IMP_COLUMNS_END};
/* They would change the problem, and are not read. */
static const char *const json_only[] = {"mu_v", "gap", "kappa", NULL};

/* Anything that begins like text; what is wrong with it is the table reader's to say. */
static bool claims(const unsigned char *head, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (head[i] < 0x20 && !strchr("\t\r\n", head[i])) return false;
    return n > 0 && head[0] != '{' && head[0] != '[' && head[0] < 0x80;
}

/* With all of the columns b1, b2 and b3, or none. */
static imp_status open_table(imp_problem_file *file, imp_error *error) {
    const imp_table *table = &file->table;
    const imp_status status =
        imp_table_open(&file->table, &file->input, columns, json_only, '\t', error);
    int given = 0, at = 0;
    for (int k = 0; status == IMP_OK && k < 3; k++) {
        if (!table->at[B_FIRST + k]) continue;
        given++;
        at = table->at[B_FIRST + k];
    }
    if (status != IMP_OK || given == 0 || given == 3) return status;
    return imp_error_set(error, IMP_BAD_ARGUMENT,
                         "%s:%ld:%d: %d of the columns b1, b2 and b3, expected all or none",
                         table->input->name, table->line, at, given);
}

static imp_status rewind_table(imp_problem_file *file, imp_error *error) {
    imp_table_close(&file->table);
    const imp_status status = imp_input_rewind(&file->input, error);
    return status == IMP_OK ? open_table(file, error) : status;
}

static void close_table(imp_problem_file *file) {
    imp_table_close(&file->table);
}

/* What a status of imp_problem_check means for a row, whose numbers are finite. */
static imp_status refuse(const imp_table *table, imp_status status, imp_error *error) {
    if (status == IMP_BAD_FRICTION) return imp_table_expected(table, MU, "a number >= 0", error);
    if (status == IMP_BAD_RESTITUTION)
        return imp_table_expected(table, E, "a number from 0 to 1", error);
    return imp_error_set(error, IMP_BAD_ARGUMENT, "%s:%ld:%d: W is not %s, expected it to be",
                         table->input->name, table->line, table->at[W_FIRST],
                         status == IMP_NOT_SYMMETRIC ? "symmetric" : "positive definite");
}

/* b, where the table has its columns. */
static imp_status read_acceleration(const imp_table *table, imp_slot *slot, imp_error *error) {
    imp_status status = IMP_OK;
    if (!table->field[B_FIRST]) return IMP_OK;
    for (int k = 0; k < 3 && status == IMP_OK; k++)
        status = imp_table_number(table, B_FIRST + k, &slot->b[k], error);
    slot->now.b = slot->b;
    return status;
}

/* The triangle below the diagonal, where the table has columns of it. */
static imp_status read_mirror(const imp_table *table, double W[9], imp_error *error) {
    static const int place[3] = {3, 6, 7};
    imp_status status = IMP_OK;
    for (int k = 0; k < 3 && status == IMP_OK; k++)
        if (table->field[MIRROR_FIRST + k])
            status = imp_table_number(table, MIRROR_FIRST + k, &W[place[k]], error);
    return status;
}

static imp_status next_row(imp_problem_file *file, bool *more, imp_error *error) {
    static const int row_of[6] = {0, 0, 0, 1, 1, 2}, column_of[6] = {0, 1, 2, 1, 2, 2};
    imp_table *table = &file->table;
    imp_slot *slot = &file->slot;
    imp_status status = imp_table_next(table, more, error);
    if (status != IMP_OK || !*more) return status;
    double *W = imp_slot_reserve(slot, 1, -1);
    if (!W) return imp_error_set(error, IMP_NO_MEMORY, "%s: no memory", table->input->name);
    slot->e[0] = 0;
    slot->now.id = table->field[ID];
    if (*slot->now.id == 0)
        return imp_table_expected(table, ID, "a text that names the problem", error);
    if (*slot->now.id == '#') /* where it is the first field, as of answers, it makes a comment */
        return imp_table_expected(table, ID, "one without a # at its start", error);
    status = imp_table_number(table, MU, slot->mu, error);
    for (int k = 0; k < 6 && status == IMP_OK; k++) {
        double x;
        status = imp_table_number(table, W_FIRST + k, &x, error);
        if (status == IMP_OK) W[3 * row_of[k] + column_of[k]] = W[3 * column_of[k] + row_of[k]] = x;
    }
    if (status == IMP_OK) status = read_mirror(table, W, error);
    for (int k = 0; k < 3 && status == IMP_OK; k++)
        status = imp_table_number(table, Q_FIRST + k, &slot->q[k], error);
    if (status == IMP_OK && table->field[E]) status = imp_table_number(table, E, slot->e, error);
    if (status == IMP_OK) status = read_acceleration(table, slot, error);
    if (status != IMP_OK) return status;
    status = imp_problem_check(&slot->now.problem, NULL);
    return status == IMP_OK ? IMP_OK : refuse(table, status, error);
}

const imp_format imp_format_table = {.name = "table",
                                     .claims = claims,
                                     .open = open_table,
                                     .next = next_row,
                                     .rewind = rewind_table,
                                     .close = close_table};
