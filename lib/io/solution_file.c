/* solution_file.c - impulses from a file, kept by id (tables) or by position (JSON). */
#include "io/solution_file.h"
#include "io/answer_fields.h"
#include "io/fclib.h"
#include "io/format.h"
#include "io/json_load.h"
#include "io/path_json.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* What stands beside p: impulses of constraints, six velocities for each body, impulses of joints
 * that rub. */
enum { LAMBDA, VELOCITIES, RUBBED, LISTS };

typedef struct series {
    double *x; /* (count), NULL: none */
    size_t count;
} series;

/* One solution; `id` and `p` are places in the two pools. */
typedef struct row {
    size_t id, p;
    size_t numbers; /* 0: no answer */
    size_t u;       /* numbers of the velocity beside them; as many where there is none */
    long line;      /* in a table */
    int column;     /* of the id */
    bool taken;
    imp_path path; /* empty: none */
    series list[LISTS];
} row;

struct imp_solutions {
    imp_input input;
    bool by_id;
    bool list; /* of JSON answers */
    row *rows; /* by_id: sorted by id */
    char *ids;
    double *p;
    size_t count, ids_length, p_length;
    size_t rows_room, ids_room, p_room;
};

/* Room for `want` things of `size` bytes, growing by halves; false without memory. */
static bool grow(void **things, size_t *room, size_t want, size_t size) {
    if (want <= *room) return true;
    const size_t more = want + want / 2 + 64;
    void *larger = realloc(*things, more * size);
    if (!larger) return false;
    *things = larger;
    *room = more;
    return true;
}

/* Appends a row with room for its numbers, which are returned; NULL without memory. */
static double *append(imp_solutions *s, const char *id, size_t numbers) {
    const size_t length = strlen(id) + 1;
    void *rows = s->rows, *ids = s->ids, *p = s->p;
    const bool good = grow(&rows, &s->rows_room, s->count + 1, sizeof *s->rows) &&
                      grow(&ids, &s->ids_room, s->ids_length + length, 1) &&
                      grow(&p, &s->p_room, s->p_length + numbers + 1, sizeof *s->p);
    s->rows = rows;
    s->ids = ids;
    s->p = p;
    if (!good) return NULL;
    memcpy(s->ids + s->ids_length, id, length);
    s->rows[s->count++] =
        (row){.id = s->ids_length, .p = s->p_length, .numbers = numbers, .u = numbers};
    s->ids_length += length;
    s->p_length += numbers;
    return s->p + s->p_length - numbers;
}

static imp_status no_memory(const imp_solutions *s, imp_error *error) {
    return imp_error_set(error, IMP_NO_MEMORY, "%s: no memory", s->input.name);
}

static int by_id(const void *a, const void *b, void *ids) {
    const row *x = a, *y = b;
    const int order = strcmp((const char *)ids + x->id, (const char *)ids + y->id);
    return order != 0 ? order : (x->line > y->line) - (x->line < y->line);
}

static imp_status sort_by_id(imp_solutions *s, imp_error *error) {
    if (s->count > 1) qsort_r(s->rows, s->count, sizeof *s->rows, by_id, s->ids);
    for (size_t k = 1; k < s->count; k++)
        if (strcmp(s->ids + s->rows[k - 1].id, s->ids + s->rows[k].id) == 0)
            return imp_error_set(error, IMP_BAD_ARGUMENT,
                                 "%s:%ld:%d: id \"%.60s\" stands here again, expected it once",
                                 s->input.name, s->rows[k].line, s->rows[k].column,
                                 s->ids + s->rows[k].id);
    return IMP_OK;
}

static imp_status read_table(imp_solutions *s, imp_error *error) {
    static const imp_column columns[] = {IMP_WORDS("id"), IMP_WORDS("p1"), IMP_WORDS("p2"),
                                         IMP_WORDS("p3"), IMP_COLUMNS_END};
    imp_table table;
    bool more = true;
    imp_status status = imp_table_open(&table, &s->input, columns, NULL, '\t', error);
    s->by_id = true;
    while (status == IMP_OK) {
        status = imp_table_next(&table, &more, error);
        if (status != IMP_OK || !more) break;
        const bool answered = *table.field[1] || *table.field[2] || *table.field[3];
        double *p = append(s, table.field[0], answered ? 3 : 0);
        if (!p) {
            status = no_memory(s, error);
            break;
        }
        s->rows[s->count - 1].line = table.line;
        s->rows[s->count - 1].column = table.at[0];
        for (int k = 0; k < 3 && status == IMP_OK && answered; k++)
            status = imp_table_number(&table, k + 1, &p[k], error);
    }
    imp_table_close(&table);
    return status == IMP_OK ? sort_by_id(s, error) : status;
}

/* A list of rows of so many numbers (0: of numbers), absent or not. */
static imp_status read_list(const imp_solutions *s, const imp_json *at, size_t columns,
                            series *list) {
    size_t rows;
    if (!imp_json_stands(at)) return IMP_OK;
    if (!imp_json_array(at, &rows)) return IMP_BAD_ARGUMENT;
    list->count = columns > 0 ? rows * columns : rows;
    list->x = malloc((list->count + 1) * sizeof *list->x);
    if (!list->x) return no_memory(s, at->error);
    const bool good = columns > 0 ? imp_json_matrix(at, rows, columns, list->x)
                                  : imp_json_vector(at, rows, list->x);
    return good ? IMP_OK : IMP_BAD_ARGUMENT;
}

static imp_status read_answer(imp_solutions *s, const imp_json *at) {
    const imp_json id = imp_json_member(at, "id"), p = imp_json_member(at, "p"),
                   u = imp_json_member(at, "u"), path = imp_json_member(at, "path"),
                   lambda = imp_json_member(at, "lambda"),
                   rubbed = imp_json_member(at, "joint_friction"),
                   velocities = imp_json_member(at, "velocities");
    const char *name = "";
    size_t n = 0;
    if (!json_is_object(at->value)) {
        imp_json_expected(at, "an answer with \"p\"");
        return IMP_BAD_ARGUMENT;
    }
    if (!imp_answer_fields(at) || (imp_json_stands(&id) && !imp_json_text(&id, &name)) ||
        (!json_is_null(p.value) && !imp_json_array(&p, &n)))
        return IMP_BAD_ARGUMENT;
    double *to = append(s, name, n);
    if (!to) return no_memory(s, at->error);
    if (json_is_null(p.value)) return IMP_OK;
    if (!imp_json_vector(&p, n, to)) return IMP_BAD_ARGUMENT;
    row *r = &s->rows[s->count - 1];
    if (imp_json_stands(&u)) r->u = json_array_size(u.value);
    imp_status read = read_list(s, &lambda, 0, &r->list[LAMBDA]);
    if (read == IMP_OK) read = read_list(s, &rubbed, 0, &r->list[RUBBED]);
    if (read == IMP_OK) read = read_list(s, &velocities, 6, &r->list[VELOCITIES]);
    if (read != IMP_OK || !imp_json_stands(&path)) return read;
    if (n == 0 || n % 3 != 0 || n / 3 > INT_MAX) {
        imp_json_expected(&p, "three numbers for each contact of the path");
        return IMP_BAD_ARGUMENT;
    }
    const imp_status status = imp_path_read(&path, (int)(n / 3), &r->path);
    return status == IMP_NO_MEMORY ? no_memory(s, at->error) : status;
}

static imp_status read_json(imp_solutions *s, imp_error *error) {
    json_t *root;
    imp_status status = imp_json_load_lines(s->input.file, s->input.name, &root, error);
    if (status != IMP_OK) return status;
    const imp_json top = imp_json_root(root, s->input.name, error);
    s->list = json_is_array(root);
    const size_t count = s->list ? json_array_size(root) : 1;
    for (size_t k = 0; k < count && status == IMP_OK; k++) {
        const imp_json item = imp_json_item(&top, k);
        status = read_answer(s, s->list ? &item : &top);
    }
    json_decref(root);
    return status;
}

static imp_status read_fclib(imp_solutions *s, imp_error *error) {
    imp_fclib problem;
    imp_status status = imp_fclib_read(&s->input, &problem, error);
    if (status != IMP_OK) return status;
    const size_t n = problem.solution ? 3 * (size_t)problem.nc : 0;
    double *to = append(s, "", n);
    if (to && n > 0) memcpy(to, problem.solution, n * sizeof *to);
    if (to && problem.multipliers) {
        s->rows[s->count - 1].list[LAMBDA] =
            (series){problem.multipliers, (size_t)problem.bilateral};
        problem.multipliers = NULL;
    }
    imp_fclib_clear(&problem);
    return to ? IMP_OK : no_memory(s, error);
}

/* All of its input, which is at its start. */
static imp_status read_all(imp_solutions *s, imp_error *error) {
    unsigned char head[IMP_STREAM_HEAD];
    size_t n;
    const imp_status status = imp_input_peek(&s->input, head, &n, error);
    if (status != IMP_OK) return status;
    if (n == 0)
        return imp_error_set(error, IMP_BAD_ARGUMENT,
                             "%s:1:1: the file is empty, expected a table, JSON answers or an "
                             "FCLIB file",
                             s->input.name);
    return imp_fclib_recognise(head, n)  ? read_fclib(s, error)
           : imp_json_recognise(head, n) ? read_json(s, error)
                                         : read_table(s, error);
}

imp_status imp_solutions_read(const char *path, imp_solutions **solutions, imp_error *error) {
    imp_solutions *s = calloc(1, sizeof *s);
    *solutions = NULL;
    if (!s) return imp_error_set(error, IMP_NO_MEMORY, "%s: no memory", path);
    imp_status status = imp_input_open(&s->input, path, error);
    if (status == IMP_OK) status = read_all(s, error);
    imp_input_close(&s->input);
    if (status == IMP_OK)
        *solutions = s;
    else
        imp_solutions_free(s);
    return status;
}

imp_status imp_solutions_read_beside(imp_problem_file *file, imp_solutions **solutions,
                                     imp_error *error) {
    imp_solutions *s = calloc(1, sizeof *s);
    *solutions = NULL;
    if (!s) return imp_error_set(error, IMP_NO_MEMORY, "%s: no memory", file->input.name);
    s->input = file->input; /* which stays the file's */
    imp_status status = imp_input_rewind(&s->input, error);
    if (status == IMP_OK) status = read_all(s, error);
    s->input.file = NULL;
    const imp_status back = imp_problem_file_rewind(file, status == IMP_OK ? error : NULL);
    if (status == IMP_OK) status = back;
    if (status == IMP_OK)
        *solutions = s;
    else
        imp_solutions_free(s);
    return status;
}

/* The position as text stands for the id of a problem that has none, as it does in tables. */
static const char *id_or_number(const char *id, size_t position, char number[24]) {
    snprintf(number, 24, "%zu", position);
    return id ? id : number;
}

static row *find(const imp_solutions *s, const char *given, size_t position) {
    char number[24];
    if (!s->by_id) return position < s->count ? &s->rows[position] : NULL;
    const char *id = id_or_number(given, position, number);
    for (size_t low = 0, high = s->count; low < high;) {
        const size_t k = low + (high - low) / 2;
        const int order = strcmp(s->ids + s->rows[k].id, id);
        if (order == 0) return &s->rows[k];
        if (order < 0)
            low = k + 1;
        else
            high = k;
    }
    return NULL;
}

imp_status imp_solutions_take(imp_solutions *solutions, const char *id, size_t position, int nc,
                              const double **p, imp_error *error) {
    row *r = find(solutions, id, position);
    const char *name = solutions->input.name, *own = r ? solutions->ids + r->id : "";
    const bool list = solutions->list, told = id != NULL;
    char number[24];
    id = id_or_number(id, position, number);
    if (!r)
        return imp_error_set(error, IMP_BAD_ARGUMENT,
                             "%s: no solution of problem \"%.60s\", expected one", name, id);
    if (told && *own && strcmp(own, id) != 0)
        return imp_error_set(error, IMP_BAD_ARGUMENT,
                             "%s: $%s%s%s.id: \"%.60s\", expected \"%.60s\", the problem's", name,
                             list ? "[" : "", list ? number : "", list ? "]" : "", own, id);
    if (r->taken)
        return imp_error_set(
            error, IMP_BAD_ARGUMENT,
            "%s: the solution of problem \"%.60s\" is taken, expected one for each problem", name,
            id);
    if (r->numbers != 0 && r->numbers != 3 * (size_t)nc)
        return imp_error_set(error, IMP_BAD_ARGUMENT,
                             "%s: %zu impulses for problem \"%.60s\", expected %zu", name,
                             r->numbers, id, 3 * (size_t)nc);
    if (r->u != r->numbers)
        return imp_error_set(error, IMP_BAD_ARGUMENT,
                             "%s: $%s%s%s.u: an array of %zu, expected an array of %zu, as long as "
                             "\"p\"",
                             name, list ? "[" : "", list ? number : "", list ? "]" : "", r->u,
                             r->numbers);
    r->taken = true;
    *p = r->numbers ? solutions->p + r->p : NULL;
    return IMP_OK;
}

bool imp_solutions_taken(const imp_solutions *solutions, const char *id, size_t position) {
    const row *r = find(solutions, id, position);
    return r && r->taken;
}

const imp_path *imp_solutions_path(const imp_solutions *solutions, const char *id,
                                   size_t position) {
    const row *r = find(solutions, id, position);
    return r && r->path.nc > 0 ? &r->path : NULL;
}

static const double *list_of(const imp_solutions *s, const char *id, size_t position, int which,
                             size_t *count) {
    const row *r = find(s, id, position);
    *count = r ? r->list[which].count : 0;
    return r ? r->list[which].x : NULL;
}

const double *imp_solutions_lambda(const imp_solutions *solutions, const char *id, size_t position,
                                   size_t *count) {
    return list_of(solutions, id, position, LAMBDA, count);
}

const double *imp_solutions_joint_friction(const imp_solutions *solutions, const char *id,
                                           size_t position, size_t *count) {
    return list_of(solutions, id, position, RUBBED, count);
}

const double *imp_solutions_velocities(const imp_solutions *solutions, const char *id,
                                       size_t position, size_t *count) {
    return list_of(solutions, id, position, VELOCITIES, count);
}

imp_status imp_solutions_all_taken(const imp_solutions *solutions, imp_error *error) {
    const char *name = solutions->input.name;
    for (size_t k = 0; k < solutions->count; k++) {
        const row *r = &solutions->rows[k];
        if (r->taken) continue;
        if (!solutions->by_id)
            return imp_error_set(error, IMP_BAD_ARGUMENT,
                                 "%s: $[%zu]: belongs to no problem, expected %zu answers", name, k,
                                 k);
        return imp_error_set(error, IMP_BAD_ARGUMENT,
                             "%s:%ld:%d: no problem has the id \"%.60s\", expected one that does",
                             name, r->line, r->column, solutions->ids + r->id);
    }
    return IMP_OK;
}

void imp_solutions_rewind(imp_solutions *solutions) {
    for (size_t k = 0; k < solutions->count; k++)
        solutions->rows[k].taken = false;
}

void imp_solutions_free(imp_solutions *solutions) {
    if (!solutions) return;
    for (size_t k = 0; k < solutions->count; k++) {
        imp_path_clear(&solutions->rows[k].path);
        for (int l = 0; l < LISTS; l++)
            free(solutions->rows[k].list[l].x);
    }
    free(solutions->rows);
    free(solutions->ids);
    free(solutions->p);
    free(solutions);
}
