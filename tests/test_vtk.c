/* The VTK files of a flow, read back as a viewer reads them: every array where the head says, as
 * long as its type and the counts of the piece demand, nothing between and nothing behind; and what
 * is in them. */
#include "granular_box.h"
#include "scratch.h"
#include "tap.h"

#include <locale.h>

enum { ARRAYS = 12 };

typedef struct array {
    char type[16], name[32], section[32];
    int components;
    const char *data;
    uint64_t count; /* numbers */
} array;

typedef struct picture {
    char *bytes;
    uint64_t points, cells;
    int arrays;
    array array[ARRAYS];
} picture;

/* The text of an attribute at or after `at`, before `end`. */
static bool attribute(const char *at, const char *name, const char *end, char *text, size_t room) {
    char wanted[40];
    snprintf(wanted, sizeof wanted, " %s=\"", name);
    const char *from = strstr(at, wanted), *to = from ? strchr(from + strlen(wanted), '"') : NULL;
    if (!to || to > end) return false;
    snprintf(text, room, "%.*s", (int)(to - from - (long)strlen(wanted)), from + strlen(wanted));
    return true;
}

static uint64_t size_of(const char *type) {
    return strcmp(type, "UInt8") == 0                                   ? 1
           : strcmp(type, "Float64") == 0 || strcmp(type, "Int64") == 0 ? 8
                                                                        : 0;
}

static uint64_t expected(const picture *p, const array *a) {
    const bool of_points =
        strcmp(a->section, "Points") == 0 || strcmp(a->section, "PointData") == 0;
    return (of_points ? p->points : p->cells) * (uint64_t)a->components;
}

/* NULL, or what is wrong. p->bytes belongs to the caller. */
static const char *read_picture(const char *path, picture *p) {
    FILE *in = fopen(path, "rb");
    if (!in) return "no file";
    p->bytes = calloc(1, 1 << 23);
    const size_t size = p->bytes ? fread(p->bytes, 1, (1 << 23) - 1, in) : 0;
    fclose(in);
    static const char mark[] = "<AppendedData encoding=\"raw\">\n_",
                      tail[] = "\n</AppendedData>\n</VTKFile>\n";
    char *head = p->bytes, *data = head ? strstr(head, mark) : NULL;
    if (!data) return "no appended data";
    char section[32] = "", text[32];
    *data = 0;
    data += sizeof mark - 1;
    if (!strstr(head, "header_type=\"UInt64\"") || !strstr(head, "<UnstructuredGrid>"))
        return "another head";
    const char *piece = strstr(head, "<Piece");
    if (!piece || !attribute(piece, "NumberOfPoints", strchr(piece, '>'), text, sizeof text))
        return "no piece";
    p->points = strtoull(text, NULL, 10);
    if (!attribute(piece, "NumberOfCells", strchr(piece, '>'), text, sizeof text))
        return "no cells";
    p->cells = strtoull(text, NULL, 10);
    uint64_t end = 0;
    for (const char *tag = strchr(piece + 1, '<'); tag; tag = strchr(tag + 1, '<')) {
        const char *close = strchr(tag, '>');
        if (!close) return "a tag without end";
        if (strncmp(tag, "<DataArray", 10) != 0) {
            sscanf(tag, "<%31[A-Za-z]>", section);
            continue;
        }
        if (p->arrays == ARRAYS) return "too many arrays";
        array *a = &p->array[p->arrays++];
        memcpy(a->section, section, sizeof section);
        if (!attribute(tag, "type", close, a->type, sizeof a->type) ||
            !attribute(tag, "Name", close, a->name, sizeof a->name) ||
            !attribute(tag, "NumberOfComponents", close, text, sizeof text))
            return "an array without name or type";
        a->components = atoi(text);
        if (!attribute(tag, "offset", close, text, sizeof text)) return "no offset";
        if (strtoull(text, NULL, 10) != end)
            return "an offset that is not the end of the array before";
        uint64_t bytes;
        if ((size_t)(data - head) + end + sizeof bytes > size) return "cut off";
        memcpy(&bytes, data + end, sizeof bytes);
        a->data = data + end + sizeof bytes;
        a->count = expected(p, a);
        if (strcmp(a->name, "connectivity") == 0 && bytes % (p->cells * 8) == 0)
            a->count = bytes / 8;
        if (size_of(a->type) == 0 || bytes != a->count * size_of(a->type))
            return "an array of another length";
        end += sizeof bytes + bytes;
        if ((size_t)(data - head) + end > size) return "cut off";
    }
    return size - (size_t)(data - head) - end == sizeof tail - 1 &&
                   memcmp(data + end, tail, sizeof tail - 1) == 0
               ? NULL
               : "something behind the arrays";
}

static const array *find(const picture *p, const char *name) {
    static const array none;
    for (int i = 0; i < p->arrays; i++)
        if (strcmp(p->array[i].name, name) == 0) return &p->array[i];
    return &none;
}

static double number(const array *a, uint64_t i) {
    double x = NAN;
    if (i < a->count) memcpy(&x, a->data + 8 * i, sizeof x);
    return x;
}

static int64_t whole(const array *a, uint64_t i) {
    int64_t x = -1;
    if (i < a->count) memcpy(&x, a->data + 8 * i, sizeof x);
    return x;
}

/* Each cell's points exist, and offsets count the corners. */
static bool cells_hold(const picture *p, int corners, int type) {
    const array *join = find(p, "connectivity"), *ends = find(p, "offsets"),
                *types = find(p, "types");
    bool good = join->count == p->cells * (uint64_t)corners && ends->count == p->cells &&
                types->count == p->cells;
    for (uint64_t i = 0; good && i < join->count; i++)
        good = whole(join, i) >= 0 && (uint64_t)whole(join, i) < p->points;
    for (uint64_t i = 0; good && i < p->cells; i++)
        good = whole(ends, i) == (int64_t)(i + 1) * corners && types->data[i] == type;
    return good;
}

static imp_granular *flow_with(double offset, imp_granular_settings *set) {
    imp_granular *g = box_flow(set, 6, 5, 4, 0.2, 961);
    for (int i = 0; offset > 0 && i < 3; i++) {
        imp_sphere s = {
            .position = {(1.5 + i) * 1e-3, 2.5e-3, 8e-3}, .radius = 4e-4, .density = 2650};
        s.offset = offset;
        s.orientation[i] = 1;
        imp_granular_add(g, 1, &s);
    }
    imp_status status;
    box_run(g, 400, &status);
    return g;
}

static void test_particles(double offset) {
    imp_granular_settings set = imp_granular_settings_default();
    imp_granular *g = flow_with(offset, &set);
    picture p = {0};
    const char *path = scratch_path("particles.vtu"), *wrong = "not written";
    if (imp_vtk_spheres(path, g, NULL) == IMP_OK) wrong = read_picture(path, &p);
    const int n = imp_granular_count(g);
    ok(!wrong && p.points == (uint64_t)n && cells_hold(&p, 1, 1), "%s particles: a whole file (%s)",
       offset > 0 ? "off-centre" : "plain", wrong ? wrong : "");
    double worst = 0;
    for (int i = 0; !wrong && i < n; i++) {
        const imp_sphere s = imp_granular_sphere(g, i);
        worst = tap_worst(worst, fabs(number(find(&p, "radius"), (uint64_t)i) - s.radius));
        worst = tap_worst(worst, fabs(number(find(&p, "id"), (uint64_t)i) - (double)s.id));
        for (uint64_t c = 0; c < 3; c++) {
            worst = tap_worst(
                worst, fabs(number(find(&p, "position"), 3 * (uint64_t)i + c) - s.position[c]));
            worst = tap_worst(
                worst, fabs(number(find(&p, "velocity"), 3 * (uint64_t)i + c) - s.velocity[c]));
            worst =
                tap_worst(worst, fabs(number(find(&p, "spin"), 3 * (uint64_t)i + c) - s.spin[c]));
        }
        for (uint64_t c = 0; offset > 0 && c < 4; c++)
            worst = tap_worst(worst, fabs(number(find(&p, "orientation"), 4 * (uint64_t)i + c) -
                                          s.orientation[c]));
        if (offset > 0)
            worst = tap_worst(worst, fabs(number(find(&p, "offset"), (uint64_t)i) - s.offset));
    }
    ok(n > 0 && worst == 0, "  every number of every particle");
    ok(offset > 0 || !find(&p, "orientation")->data, "  no more than there is to say");
    free(p.bytes);
    imp_granular_free(g);
}

static void test_contacts(void) {
    imp_granular_settings set = imp_granular_settings_default();
    imp_granular *g = flow_with(0, &set);
    static imp_granular_contact c[2000];
    picture p = {0};
    const char *path = scratch_path("contacts.vtu"), *wrong = "not written";
    if (imp_vtk_contacts(path, g, NULL) == IMP_OK) wrong = read_picture(path, &p);
    const int n = imp_granular_contacts(g, c, 2000);
    ok(!wrong && n > 20 && p.points == (uint64_t)n && cells_hold(&p, 1, 1),
       "contacts: a whole file (%s)", wrong ? wrong : "");
    double worst = 0, between = 0;
    for (int i = 0; !wrong && i < n; i++) {
        const imp_sphere b = imp_granular_sphere(g, c[i].b);
        double far = 0;
        worst = tap_worst(worst, fabs(number(find(&p, "gap"), (uint64_t)i) - c[i].gap));
        for (uint64_t x = 0; x < 3; x++) {
            worst = tap_worst(
                worst, fabs(number(find(&p, "normal"), 3 * (uint64_t)i + x) - c[i].normal[x]));
            worst = tap_worst(
                worst, fabs(number(find(&p, "impulse"), 3 * (uint64_t)i + x) - c[i].impulse[x]));
            far += pow(number(find(&p, "position"), 3 * (uint64_t)i + x) - b.position[x], 2);
        }
        between = tap_worst(between, fabs(sqrt(far) - b.radius - 0.5 * c[i].gap));
    }
    ok(worst == 0 && between < 1e-15,
       "  every number of every contact, in the middle of its gap (%.2g)", between);
    free(p.bytes);
    imp_granular_free(g);
}

/* Squares of that size, m; the small ones leave some without a particle. */
static void test_fields(double size) {
    const uint64_t nx = (uint64_t)lround(6e-3 / size), ny = (uint64_t)lround(5e-3 / size);
    imp_granular_settings set = imp_granular_settings_default();
    imp_granular *g = flow_with(0, &set);
    picture p = {0};
    const char *path = scratch_path("fields.vtu"), *wrong = "not written";
    imp_error error;
    if (imp_vtk_fields(path, g, set.low, set.high, size, &error) == IMP_OK)
        wrong = read_picture(path, &p);
    ok(!wrong && p.cells == nx * ny && p.points == (nx + 1) * (ny + 1) && cells_hold(&p, 4, 9),
       "fields: a whole file of %d x %d squares (%s)", (int)nx, (int)ny, wrong ? wrong : "");
    const array *count = find(&p, "count"), *at = find(&p, "position"),
                *join = find(&p, "connectivity");
    double worst = 0, area = 0;
    int inside = 0, empty = 0;
    for (uint64_t c = 0; !wrong && c < p.cells; c++) {
        double low[2] = {INFINITY, INFINITY}, high[2] = {0, 0}, sum[8] = {0}, twice = 0;
        for (uint64_t k = 0; k < 4; k++) {
            const uint64_t here = 3 * (uint64_t)whole(join, 4 * c + k),
                           next = 3 * (uint64_t)whole(join, 4 * c + (k + 1) % 4);
            twice +=
                number(at, here) * number(at, next + 1) - number(at, next) * number(at, here + 1);
            for (uint64_t x = 0; x < 2; x++) {
                low[x] = fmin(low[x], number(at, here + x));
                high[x] = fmax(high[x], number(at, here + x));
            }
        }
        area += 0.5 * twice; /* > 0: the corners go round counter-clockwise */
        for (int i = 0; i < imp_granular_count(g); i++) {
            const imp_sphere s = imp_granular_sphere(g, i);
            if (!(s.position[0] >= low[0] && s.position[0] < high[0] && s.position[1] >= low[1] &&
                  s.position[1] < high[1]))
                continue;
            sum[0]++;
            for (int x = 0; x < 3; x++) {
                sum[1 + x] += s.velocity[x];
                sum[4 + x] += s.spin[x];
            }
            sum[7] += sqrt(s.spin[0] * s.spin[0] + s.spin[1] * s.spin[1] + s.spin[2] * s.spin[2]);
        }
        inside += (int)sum[0];
        worst = tap_worst(worst, fabs(number(count, c) - sum[0]));
        if (sum[0] == 0) {
            empty++;
            worst = tap_worst(worst, isnan(number(find(&p, "velocity"), 3 * c)) ? 0 : 1);
            continue;
        }
        for (uint64_t x = 0; x < 3; x++) {
            worst = tap_worst(worst,
                              fabs(number(find(&p, "velocity"), 3 * c + x) - sum[1 + x] / sum[0]));
            worst = tap_worst(
                worst, 1e-3 * fabs(number(find(&p, "spin"), 3 * c + x) - sum[4 + x] / sum[0]));
        }
        worst =
            tap_worst(worst, 1e-3 * fabs(number(find(&p, "spin_magnitude"), c) - sum[7] / sum[0]));
    }
    ok(inside == imp_granular_count(g) && worst < 1e-14,
       "  the means of the %d particles, cell by cell (%.2g)", inside, worst);
    ok((empty > 0) == (size < 1e-3), "  %d squares without a particle have no means", empty);
    is_near(area, 30e-6, 0, 1e-12, "  the squares cover the floor");
    ok(imp_vtk_fields(path, g, set.low, set.high, 1e-9, &error) == IMP_BAD_ARGUMENT,
       "more cells than fit are refused (%s)", error.text);
    ok(imp_vtk_fields(path, g, set.low, set.high, NAN, &error) == IMP_BAD_ARGUMENT &&
           imp_vtk_fields(path, g, set.low, set.high, -1e-3, &error) == IMP_BAD_ARGUMENT,
       "cells that are none too (%s)", error.text);
    ok(imp_vtk_fields("nowhere/fields.vtu", g, set.low, set.high, 1e-3, &error) == IMP_IO,
       "a missing folder too");
    free(p.bytes);
    imp_granular_free(g);
}

/* An index is XML whatever the names are, its times numbers in any locale. */
static void test_index(void) {
    const char *path = scratch_path("flow.pvd");
    char name[] = "a&b<\"c\">.vtu", *const names[] = {name};
    const double time = 0.5;
    char text[512] = "";
    const char *locale = setlocale(LC_NUMERIC, "de_DE.UTF-8");
    const imp_status status = imp_vtk_index(path, 1, &time, names, NULL);
    setlocale(LC_NUMERIC, "C");
    FILE *file = fopen(path, "r");
    if (file) text[fread(text, 1, sizeof text - 1, file)] = '\0';
    if (file) fclose(file);
    ok(status == IMP_OK && strstr(text, "file=\"a&amp;b&lt;&quot;c&quot;>.vtu\""),
       "an index escapes the names of its files");
    if (locale)
        ok(strstr(text, "timestep=\"0.5\""), "and has a point in its times");
    else
        skip("no locale with a decimal comma");
}

int main(void) {
    test_particles(0);
    test_particles(1e-4);
    test_contacts();
    test_index();
    test_fields(1e-3);
    test_fields(2.5e-4);
    return tap_done();
}
