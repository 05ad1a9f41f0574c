/* sweep.c - the points of a sweep, and the rows of one. */
#include "scene/sweep.h"

#include "io/number.h"

#include <stdlib.h>
#include <string.h>

static const imp_column answers[] = {SCENE_ANSWER_COLUMNS, IMP_WORDS("why"), IMP_COLUMNS_END};
enum { ANSWERS = sizeof answers / sizeof *answers - 1 };

static void name_columns(scene_sweep *sweep) {
    for (int i = 0; i < sweep->axes; i++)
        sweep->column[i] = (imp_column)IMP_WORDS(sweep->axis[i].key);
    memcpy(sweep->column + sweep->axes, answers, sizeof answers);
}

void scene_sweep_init(scene_sweep *sweep, scene_file *file, const imp_model *const *models,
                      int first, int last) {
    *sweep = (scene_sweep){
        .file = file, .models = models, .first = first, .last = last, .points = last - first + 1};
    name_columns(sweep);
}

void scene_sweep_clear(scene_sweep *sweep) {
    for (int k = 0; k < sweep->axes; k++) {
        for (int i = 0; i < sweep->axis[k].count; i++)
            free(sweep->axis[k].value[i]);
        free(sweep->axis[k].value);
        free(sweep->axis[k].key);
    }
    *sweep = (scene_sweep){0};
}

/* Adds the value of `length` bytes to an axis that has room for it; blanks around it do not count,
 * which a table would refuse around a number. */
static imp_status add_value(scene_axis *axis, const char *text, size_t length, imp_error *error) {
    double ignored;
    for (; length > 0 && *text == ' '; length--)
        text++;
    while (length > 0 && text[length - 1] == ' ')
        length--;
    char *own = strndup(text, length);
    if (!own) return imp_error_set(error, IMP_NO_MEMORY, "no memory");
    axis->numbers = axis->numbers && !imp_number_parse(own, &ignored);
    axis->value[axis->count++] = own;
    if (length > 0 && own[strcspn(own, "\t\r\n")] == '\0') return IMP_OK;
    return imp_error_set(error, IMP_BAD_ARGUMENT,
                         "--over: %.60s has the value \"%.60s\", expected one", axis->key, own);
}

/* Bytes up to the next comma that stands in no brackets and no quotes. */
static size_t value_length(const char *text) {
    int depth = 0;
    bool quoted = false;
    size_t i = 0;
    for (; text[i] && (quoted || depth > 0 || text[i] != ','); i++) {
        if (text[i] == '"') quoted = !quoted;
        if (quoted && text[i] == '\\' && text[i + 1]) i++; /* what it escapes */
        if (quoted) continue;
        depth += text[i] == '[' || text[i] == '{';
        depth -= text[i] == ']' || text[i] == '}';
    }
    return i;
}

static imp_status read_list(scene_axis *axis, const char *text, imp_error *error) {
    size_t count = 1, length;
    for (const char *c = text; *c; c++)
        count += *c == ',';
    imp_status status = IMP_OK;
    axis->value = calloc(count, sizeof *axis->value);
    if (!axis->value) return imp_error_set(error, IMP_NO_MEMORY, "no memory");
    for (;; text += length + 1) {
        length = value_length(text);
        status = add_value(axis, text, length, error);
        if (status != IMP_OK || !text[length]) return status;
    }
}

/* "a:b:n"; false where it is none. */
static bool read_range(const char *text, double *a, double *b, int *n) {
    char part[3][64];
    double x[3];
    for (int k = 0; k < 3; k++) {
        const size_t length = strcspn(text, ":");
        if (length >= sizeof part[k] || (text[length] == '\0') != (k == 2)) return false;
        memcpy(part[k], text, length);
        part[k][length] = '\0';
        if (imp_number_parse(part[k], &x[k])) return false;
        text += length + 1;
    }
    *a = x[0];
    *b = x[1];
    *n = x[2] >= 1 && x[2] <= SCENE_POINTS && x[2] == floor(x[2]) ? (int)x[2] : 0;
    return *n > 0;
}

/* text <- value i of n from a to b: the ends as they are, in no more digits than they need; what
 * lies between in 12, which are short and the same whatever the last bits of pow. */
static void print_step(const scene_axis *axis, double a, double b, int i, int n,
                       char text[IMP_NUMBER_TEXT]) {
    const bool end = i == 0 || i == n - 1;
    const double share = n > 1 ? (double)i / (n - 1) : 0;
    /* neither b - a nor b / a, which need not be doubles */
    double x = axis->logarithmic ? pow(a, 1 - share) * pow(b, share) : (1 - share) * a + share * b;
    if (end) x = i == 0 ? a : b;
    if (!end && fabs(x) < 1e-12 * fmax(fabs(a), fabs(b)) && !axis->logarithmic) x = 0;
    double back = NAN;
    for (int digits = 12; digits <= (end ? 17 : 12) && back != x; digits++) {
        snprintf(text, IMP_NUMBER_TEXT, "%.*g", digits, x);
        imp_number_parse(text, &back);
    }
}

static imp_status read_steps(scene_axis *axis, const char *text, imp_error *error) {
    double a, b;
    int n;
    if (!read_range(text + 4, &a, &b, &n) || (axis->logarithmic && !(a > 0 && b > 0)))
        return imp_error_set(
            error, IMP_BAD_ARGUMENT,
            "--over: %.60s=%.60s, expected %.3s:FROM:TO:N, %s and a count from 1 to %d", axis->key,
            text, text, axis->logarithmic ? "numbers > 0" : "numbers", SCENE_POINTS);
    axis->value = calloc((size_t)n, sizeof *axis->value);
    if (!axis->value) return imp_error_set(error, IMP_NO_MEMORY, "no memory");
    imp_status status = IMP_OK;
    for (int i = 0; i < n && status == IMP_OK; i++) {
        char own[IMP_NUMBER_TEXT] = "";
        print_step(axis, a, b, i, n, own);
        status = add_value(axis, own, strlen(own), error);
    }
    return status;
}

/* Numbers by their value, before texts by theirs. */
static int by_value(const void *a, const void *b) {
    const char *const *s = a, *const *t = b;
    double x, y;
    const bool word = imp_number_parse(*s, &x), other = imp_number_parse(*t, &y);
    if (word != other) return word ? 1 : -1;
    return word ? strcmp(*s, *t) : (x > y) - (x < y);
}

/* A value that stands twice would count its point twice. */
static imp_status check_values(const scene_axis *axis, imp_error *error) {
    const size_t n = (size_t)axis->count;
    imp_status status = IMP_OK;
    const char **sorted = malloc(n * sizeof *sorted);
    if (!sorted) return imp_error_set(error, IMP_NO_MEMORY, "no memory");
    for (size_t i = 0; i < n; i++)
        sorted[i] = axis->value[i];
    qsort(sorted, n, sizeof *sorted, by_value);
    for (size_t i = 1; i < n && status == IMP_OK; i++)
        if (by_value(&sorted[i - 1], &sorted[i]) == 0)
            status = imp_error_set(error, IMP_BAD_ARGUMENT,
                                   "--over: %.60s has the value \"%.60s\" twice, expected it once",
                                   axis->key, sorted[i]);
    free(sorted);
    return status;
}

imp_status scene_sweep_add(scene_sweep *sweep, const char *over, imp_error *error) {
    const size_t length = strcspn(over, "=");
    if (length == 0 || length > 200 || !over[length])
        return imp_error_set(error, IMP_BAD_ARGUMENT,
                             "--over: \"%.60s\", expected KEY=VALUE,... or KEY=lin:FROM:TO:N or "
                             "KEY=log:FROM:TO:N",
                             over);
    if (sweep->axes == SCENE_AXES)
        return imp_error_set(error, IMP_BAD_ARGUMENT,
                             "--over: \"%.60s\" is one too many, expected %d", over, SCENE_AXES);
    for (int k = 0; k < sweep->axes; k++)
        if (strlen(sweep->axis[k].key) == length && memcmp(sweep->axis[k].key, over, length) == 0)
            return imp_error_set(error, IMP_BAD_ARGUMENT,
                                 "--over: %.60s stands twice, expected it once",
                                 sweep->axis[k].key);
    scene_axis *axis = &sweep->axis[sweep->axes++]; /* cleared with the sweep from here on */
    const char *values = over + length + 1 + strspn(over + length + 1, " ");
    axis->key = strndup(over, length);
    axis->numbers = true;
    axis->logarithmic = strncmp(values, "log:", 4) == 0;
    name_columns(sweep);
    if (!axis->key) return imp_error_set(error, IMP_NO_MEMORY, "no memory");
    const bool steps = axis->logarithmic || strncmp(values, "lin:", 4) == 0;
    imp_status status = steps ? read_steps(axis, values, error) : read_list(axis, values, error);
    if (status == IMP_OK) status = check_values(axis, error);
    if (status != IMP_OK) return status;
    sweep->points *= axis->count;
    if (sweep->points <= SCENE_POINTS) return IMP_OK;
    return imp_error_set(error, IMP_BAD_ARGUMENT,
                         "--over: %.60s makes %ld points, expected at most %d", axis->key,
                         sweep->points, SCENE_POINTS);
}

int scene_sweep_value(const scene_sweep *sweep, long point, int axis) {
    for (int k = sweep->axes - 1; k > axis; k--)
        point /= sweep->axis[k].count;
    return (int)(point % sweep->axis[axis].count);
}

static int variant_of(const scene_sweep *sweep, long point) {
    return sweep->first + (int)(point / (sweep->points / (sweep->last - sweep->first + 1)));
}

static const char *value_at(const scene_sweep *sweep, long point, int axis) {
    return sweep->axis[axis].value[scene_sweep_value(sweep, point, axis)];
}

/* An axis takes nothing away that an earlier one has set, whose column would then say what is not
 * so, and varies nothing that is set for all points. first: the first assignment of the axes. */
static imp_status check_axes(const scene_file *file, int first, imp_error *error) {
    for (int i = 0; i < file->assigned; i++)
        for (int k = i < first ? first : i + 1; k < file->assigned; k++) {
            const char *early = file->assign[i], *late = file->assign[k];
            const size_t length = strcspn(late, "=");
            if (strncmp(early, late, length) != 0 || (early[length] != '=' && early[length] != '.'))
                continue;
            if (i < first)
                return imp_error_set(error, IMP_BAD_ARGUMENT,
                                     "--set: \"%.60s\" sets what --over %.*s varies, expected one "
                                     "of the two",
                                     early, (int)length, late);
            return imp_error_set(error, IMP_BAD_ARGUMENT,
                                 "--over: \"%.60s\" sets anew what \"%.60s\" has set, expected "
                                 "one of the two, or the other order",
                                 late, early);
        }
    return IMP_OK;
}

imp_status scene_sweep_build(const scene_sweep *sweep, long point, scene *s, imp_error *error) {
    const int before = sweep->file->assigned;
    imp_status status = IMP_OK;
    char place[IMP_ERROR_TEXT] = "";
    size_t used = 0;
    for (int k = 0; k < sweep->axes && status == IMP_OK; k++) {
        char *assignment;
        const char *key = sweep->axis[k].key, *value = value_at(sweep, point, k);
        if (asprintf(&assignment, "%s=%s", key, value) < 0) {
            imp_error_set(error, IMP_NO_MEMORY, "no memory");
            return IMP_NO_MEMORY;
        }
        status = scene_assign(sweep->file, sweep->models, assignment, error);
        if (used < sizeof place)
            used += (size_t)snprintf(place + used, sizeof place - used, "%s%.80s", k ? ", " : "",
                                     assignment);
        free(assignment);
    }
    if (status == IMP_OK) status = check_axes(sweep->file, before, error);
    if (status == IMP_OK) {
        status = scene_build(sweep->file, variant_of(sweep, point), s, error);
        if (status == IMP_BAD_ARGUMENT && error && sweep->axes > 0) {
            const imp_error fault = *error;
            imp_error_set(error, status, "%.300s (at %.180s)", fault.text, place);
        }
    }
    scene_unassign(sweep->file, before);
    return status;
}

/* A row: the axes' values, what is known of the answer, and why. */
static void write_row(const scene_sweep *sweep, long point, const imp_cell answer[SCENE_ANSWERS],
                      const char *why, FILE *out) {
    imp_cell cell[SCENE_AXES + ANSWERS];
    for (int k = 0; k < sweep->axes; k++)
        cell[k] = IMP_TEXT(value_at(sweep, point, k));
    memcpy(cell + sweep->axes, answer, SCENE_ANSWERS * sizeof *answer);
    cell[sweep->axes + SCENE_ANSWERS] = IMP_TEXT(why);
    imp_write_cells(sweep->column, out, sweep->axes + ANSWERS, cell);
}

/* A point without a compliant answer. */
static void write_failure(const scene_sweep *sweep, long point, const scene *s, imp_status status,
                          const char *why, FILE *out) {
    imp_cell answer[SCENE_ANSWERS];
    scene_failure_cells(s, status, answer);
    write_row(sweep, point, answer, why, out);
}

imp_status scene_sweep_point(const scene_sweep *sweep, long point,
                             bool (*proceed)(double t, void *context), void *context, FILE *out,
                             imp_error *error) {
    scene s = {0};
    scene_comparison c;
    imp_error why = {.text = ""};
    imp_status status = scene_sweep_build(sweep, point, &s, error);
    if (status != IMP_OK) return status;
    s.run.proceed = proceed;
    s.run.context = context;
    status = scene_compare_briefly(&s, sweep->models, &c, &why);
    for (int i = 0; i < c.count; i++) {
        imp_cell answer[SCENE_ANSWERS];
        scene_answer_cells(&s, &c, &c.row[i], answer);
        write_row(sweep, point, answer, c.row[i].why, out);
    }
    if (status > 0)
        write_failure(sweep, point, &s, status, why.text, out);
    else if (status < 0)
        imp_error_set(error, status, "%s: %.200s%s%s", sweep->file->name, s.title,
                      *s.title ? ": " : "", why.text);
    scene_comparison_clear(&c);
    scene_clear(&s);
    return status;
}
