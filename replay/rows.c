/* rows.c - impacts that are recorded as such, a row each: velocities before and after, and the rows
 * of the contact's Jacobian. */
#include "replay/replay.h"

#include "base/vec3.h"
#include "io/table.h"

enum {
    ID,
    BEFORE,
    AFTER = BEFORE + 3,
    NORMAL = AFTER + 3,
    TANGENT = NORMAL + 3,
    FIELDS = TANGENT + 3
};

static const imp_column columns[] = {
    IMP_WORDS("i"),   IMP_WORDS("vx0"), IMP_WORDS("vy0"),  IMP_WORDS("om0"), IMP_WORDS("vx1"),
    IMP_WORDS("vy1"), IMP_WORDS("om1"), IMP_WORDS("n_x"),  IMP_WORDS("n_y"), IMP_WORDS("n_th"),
    IMP_WORDS("d_x"), IMP_WORDS("d_y"), IMP_WORDS("d_th"), IMP_COLUMNS_END};

/* With n and d orthonormal, n_th = (r x n)_z and d_th = (r x d)_z give r. */
static bool place(const double x[FIELDS], imp_contact *contact) {
    const double n[3] = {x[NORMAL], x[NORMAL + 1], 0}, d[3] = {x[TANGENT], x[TANGENT + 1], 0};
    double o[3];
    cross3(n, d, o);
    for (int i = 0; i < 3; i++) {
        contact->frame[i] = n[i];
        contact->frame[3 + i] = d[i];
        contact->frame[6 + i] = o[i];
        contact->point[i] = (x[TANGENT + 2] * n[i] - x[NORMAL + 2] * d[i]) * o[2];
    }
    return fabs(dot3(n, n) - 1) < 1e-6 && fabs(dot3(d, d) - 1) < 1e-6 && fabs(dot3(n, d)) < 1e-6;
}

static imp_status read_row(const imp_table *table, replay_data *data, imp_error *error) {
    double x[FIELDS];
    for (int k = 0; k < FIELDS; k++) {
        const imp_status status = imp_table_number(table, k, &x[k], error);
        if (status != IMP_OK) return status;
    }
    replay_impact impact = {.id = x[ID],
                            .body = replay_body(data->set),
                            .contact = {.a = IMP_GROUND, .b = 0},
                            .after = {x[AFTER], x[AFTER + 1], 0, 0, 0, x[AFTER + 2]}};
    impact.body.velocity[0] = x[BEFORE];
    impact.body.velocity[1] = x[BEFORE + 1];
    impact.body.spin[2] = x[BEFORE + 2];
    if (!place(x, &impact.contact))
        return imp_table_expected(table, NORMAL, "n and d of unit length at a right angle", error);
    return replay_add(data, &impact, error);
}

imp_status replay_read_rows(const imp_input *input, replay_data *data, imp_error *error) {
    imp_table table;
    bool more = true;
    imp_status status = imp_table_open(&table, input, columns, NULL, ',', error);
    while (status == IMP_OK) {
        status = imp_table_next(&table, &more, error);
        if (status != IMP_OK || !more) break;
        status = read_row(&table, data, error);
    }
    imp_table_close(&table);
    return status;
}
