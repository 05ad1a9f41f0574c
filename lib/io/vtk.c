/* vtk.c - VTK's XML format for unstructured grids: a head that names arrays, then the arrays as raw
 * bytes. */
#include "io/vtk.h"
#include "io/number.h"
#include "io/stream.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int ONE = 1;

/* A text as the value of an attribute. */
static void put_name(FILE *out, const char *name) {
    for (const char *c = name; *c; c++) {
        if (*c == '&')
            fputs("&amp;", out);
        else if (*c == '<')
            fputs("&lt;", out);
        else if (*c == '"')
            fputs("&quot;", out);
        else
            putc(*c, out);
    }
}

/* One array of the head; `at` is where its bytes begin behind the mark. */
static void name_array(FILE *out, const char *type, const char *name, int components, uint64_t *at,
                       uint64_t bytes) {
    fprintf(out, "<DataArray type=\"%s\" Name=\"", type);
    put_name(out, name);
    fprintf(out, "\" NumberOfComponents=\"%d\" format=\"appended\" offset=\"%llu\"/>\n", components,
            (unsigned long long)*at);
    *at += sizeof(uint64_t) + bytes;
}

static void put_bytes(FILE *out, const void *data, uint64_t bytes) {
    fwrite(&bytes, sizeof bytes, 1, out);
    fwrite(data, 1, (size_t)bytes, out);
}

/* What the points are joined to: cells of `corners` points each. */
typedef struct mesh {
    uint64_t points, cells;
    int corners;
    uint8_t type;        /* of a cell, as VTK counts them */
    int64_t *connection; /* (cells corners) points */
} mesh;

enum { VERTEX = 1, QUAD = 9 };

static uint64_t bytes_of(const mesh *m, const imp_vtk_field *f, bool is_point) {
    return (is_point ? m->points : m->cells) * (uint64_t)f->components * sizeof(double);
}

static void put_cells(FILE *out, const mesh *m) {
    const uint64_t each = sizeof(int64_t), wide = m->cells * each;
    put_bytes(out, m->connection, m->cells * (uint64_t)m->corners * each);
    fwrite(&wide, sizeof wide, 1, out);
    for (uint64_t i = 1; i <= m->cells; i++) {
        const int64_t end = (int64_t)i * m->corners;
        fwrite(&end, sizeof end, 1, out);
    }
    fwrite(&m->cells, sizeof m->cells, 1, out);
    for (uint64_t i = 0; i < m->cells; i++)
        fputc(m->type, out);
}

/* The first field is the points, the others are data of the cells. */
static void write_mesh(FILE *out, const mesh *m, const imp_vtk_field *fields, int count) {
    const char *order = *(const char *)&ONE ? "LittleEndian" : "BigEndian";
    uint64_t at = 0;
    fprintf(out,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
            "byte_order=\"%s\" "
            "header_type=\"UInt64\">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"%llu\" "
            "NumberOfCells=\"%llu\">\n"
            "<Points>\n",
            order, (unsigned long long)m->points, (unsigned long long)m->cells);
    /* Data of single points are those of the points, which programs draw as balls and arrows. */
    const char *data = m->type == VERTEX ? "PointData" : "CellData";
    for (int k = 0; k < count; k++) {
        name_array(out, "Float64", fields[k].name, fields[k].components, &at,
                   bytes_of(m, &fields[k], k == 0));
        if (k == 0) fprintf(out, "</Points>\n<%s>\n", data);
    }
    fprintf(out, "</%s>\n<Cells>\n", data);
    name_array(out, "Int64", "connectivity", 1, &at,
               m->cells * (uint64_t)m->corners * sizeof(int64_t));
    name_array(out, "Int64", "offsets", 1, &at, m->cells * sizeof(int64_t));
    name_array(out, "UInt8", "types", 1, &at, m->cells);
    fputs("</Cells>\n</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_", out);
    for (int k = 0; k < count; k++)
        put_bytes(out, fields[k].value, bytes_of(m, &fields[k], k == 0));
    put_cells(out, m);
    fputs("\n</AppendedData>\n</VTKFile>\n", out);
}

/* Writes where all is filled, and gives back the memory of the mesh. */
static imp_status write_whole(const char *path, mesh *m, const imp_vtk_field *fields, int count,
                              bool filled, imp_error *error) {
    imp_output output;
    imp_status status = IMP_NO_MEMORY;
    if (!filled) {
        imp_error_set(error, status, "%s: no memory", path);
    } else if ((status = imp_output_open(&output, path, error)) == IMP_OK) {
        write_mesh(output.file, m, fields, count);
        status = imp_output_commit(&output, error);
    }
    free(m->connection);
    return status;
}

/* The same with the memory of the fields. */
static imp_status write_file(const char *path, mesh *m, imp_vtk_field *fields, int count,
                             bool filled, imp_error *error) {
    const imp_status status = write_whole(path, m, fields, count, filled, error);
    for (int k = 0; k < count; k++)
        free(fields[k].value);
    return status;
}

/* n single points. */
static mesh vertices(int n) {
    mesh m = {.points = (uint64_t)n, .cells = (uint64_t)n, .corners = 1, .type = VERTEX};
    m.connection = malloc(((size_t)n + 1) * sizeof *m.connection);
    for (int i = 0; m.connection && i < n; i++)
        m.connection[i] = i;
    return m;
}

imp_status imp_vtk_points(const char *path, int n, const imp_vtk_field *fields, int count,
                          imp_error *error) {
    mesh m = vertices(n);
    return write_whole(path, &m, fields, count, m.connection != NULL, error);
}

static bool make_room(imp_vtk_field *fields, int count, int n) {
    bool good = true;
    for (int k = 0; k < count; k++) {
        fields[k].value = malloc(((size_t)n + 1) * (size_t)fields[k].components * sizeof(double));
        good = good && fields[k].value;
    }
    return good;
}

imp_status imp_vtk_spheres(const char *path, const imp_granular *flow, imp_error *error) {
    imp_vtk_field fields[] = {{"position", 3, NULL},   {"radius", 1, NULL}, {"id", 1, NULL},
                              {"velocity", 3, NULL},   {"spin", 3, NULL},   {"offset", 1, NULL},
                              {"orientation", 4, NULL}};
    const int n = imp_granular_count(flow);
    bool turned = false;
    for (int i = 0; i < n; i++)
        turned = turned || imp_granular_sphere(flow, i).offset > 0;
    const int count = turned ? 7 : 5;
    mesh m = vertices(n);
    const bool filled = make_room(fields, count, n) && m.connection;
    for (int i = 0; filled && i < n; i++) {
        const imp_sphere s = imp_granular_sphere(flow, i);
        memcpy(fields[0].value + 3 * (size_t)i, s.position, sizeof s.position);
        fields[1].value[i] = s.radius;
        fields[2].value[i] = (double)s.id;
        memcpy(fields[3].value + 3 * (size_t)i, s.velocity, sizeof s.velocity);
        memcpy(fields[4].value + 3 * (size_t)i, s.spin, sizeof s.spin);
        if (!turned) continue;
        fields[5].value[i] = s.offset;
        memcpy(fields[6].value + 4 * (size_t)i, s.orientation, sizeof s.orientation);
    }
    return write_file(path, &m, fields, count, filled, error);
}

imp_status imp_vtk_contacts(const char *path, const imp_granular *flow, imp_error *error) {
    imp_vtk_field fields[] = {
        {"position", 3, NULL}, {"normal", 3, NULL}, {"gap", 1, NULL}, {"impulse", 3, NULL}};
    enum { FIELDS = sizeof fields / sizeof *fields };
    const int n = imp_granular_contacts(flow, NULL, 0);
    imp_granular_contact *contacts = malloc(((size_t)n + 1) * sizeof *contacts);
    mesh m = vertices(n);
    const bool filled = make_room(fields, FIELDS, n) && contacts && m.connection;
    if (filled) imp_granular_contacts(flow, contacts, n);
    for (int i = 0; filled && i < n; i++) {
        const imp_granular_contact *c = &contacts[i];
        const imp_sphere b = imp_granular_sphere(flow, c->b);
        for (int x = 0; x < 3; x++)
            fields[0].value[3 * (size_t)i + x] =
                b.position[x] - (b.radius + 0.5 * c->gap) * c->normal[x];
        memcpy(fields[1].value + 3 * (size_t)i, c->normal, sizeof c->normal);
        fields[2].value[i] = c->gap;
        memcpy(fields[3].value + 3 * (size_t)i, c->impulse, sizeof c->impulse);
    }
    free(contacts);
    return write_file(path, &m, fields, FIELDS, filled, error);
}

/* A sheet of nx x ny square cells at half the height of the box, y fastest. */
static mesh sheet(int nx, int ny, const double low[3], const double high[3], double *corner) {
    mesh m = {.points = (uint64_t)(nx + 1) * (uint64_t)(ny + 1),
              .cells = (uint64_t)nx * (uint64_t)ny,
              .corners = 4,
              .type = QUAD};
    m.connection = malloc(4 * (size_t)m.cells * sizeof *m.connection);
    for (int x = 0; corner && x <= nx; x++)
        for (int y = 0; y <= ny; y++) {
            double *at = corner + 3 * ((size_t)x * (size_t)(ny + 1) + (size_t)y);
            at[0] = low[0] + (high[0] - low[0]) * x / nx;
            at[1] = low[1] + (high[1] - low[1]) * y / ny;
            at[2] = 0.5 * (low[2] + high[2]);
        }
    for (int x = 0; m.connection && x < nx; x++)
        for (int y = 0; y < ny; y++) {
            int64_t *cell = m.connection + 4 * ((size_t)x * (size_t)ny + (size_t)y);
            const int64_t first = (int64_t)x * (ny + 1) + y;
            cell[0] = first;
            cell[1] = first + ny + 1;
            cell[2] = first + ny + 2;
            cell[3] = first + 1;
        }
    return m;
}

/* Sums, then means, of the particles over each cell; a cell without any has none (NaN). */
static void bin(const imp_granular *flow, int nx, int ny, const double low[3], const double high[3],
                imp_vtk_field *fields) {
    const size_t cells = (size_t)nx * (size_t)ny;
    double *count = fields[1].value, *velocity = fields[2].value, *spin = fields[3].value,
           *turning = fields[4].value;
    for (int k = 1; k < 5; k++)
        memset(fields[k].value, 0, cells * (size_t)fields[k].components * sizeof(double));
    for (int i = 0; i < imp_granular_count(flow); i++) {
        const imp_sphere s = imp_granular_sphere(flow, i);
        const double x = (s.position[0] - low[0]) / (high[0] - low[0]) * nx,
                     y = (s.position[1] - low[1]) / (high[1] - low[1]) * ny;
        if (!(x >= 0 && x < nx && y >= 0 && y < ny)) continue;
        const size_t c = (size_t)x * (size_t)ny + (size_t)y;
        count[c]++;
        turning[c] += sqrt(s.spin[0] * s.spin[0] + s.spin[1] * s.spin[1] + s.spin[2] * s.spin[2]);
        for (size_t k = 0; k < 3; k++) {
            velocity[3 * c + k] += s.velocity[k];
            spin[3 * c + k] += s.spin[k];
        }
    }
    for (size_t c = 0; c < cells; c++) {
        const double per = count[c] > 0 ? 1 / count[c] : NAN;
        turning[c] *= per;
        for (size_t k = 0; k < 3; k++) {
            velocity[3 * c + k] *= per;
            spin[3 * c + k] *= per;
        }
    }
}

bool imp_vtk_cells(const double low[3], const double high[3], double cell, double n[2]) {
    for (int k = 0; k < 2; k++)
        n[k] = fmax(1, round((high[k] - low[k]) / cell));
    return cell > 0 && n[0] * n[1] <= IMP_VTK_CELLS;
}

imp_status imp_vtk_fields(const char *path, const imp_granular *flow, const double low[3],
                          const double high[3], double cell, imp_error *error) {
    imp_vtk_field fields[] = {{"position", 3, NULL},
                              {"count", 1, NULL},
                              {"velocity", 3, NULL},
                              {"spin", 3, NULL},
                              {"spin_magnitude", 1, NULL}};
    enum { FIELDS = sizeof fields / sizeof *fields };
    double n[2];
    if (!imp_vtk_cells(low, high, cell, n))
        return imp_error_set(error, IMP_BAD_ARGUMENT,
                             "%s: cells of %g m, expected > 0 and at most %d of them", path, cell,
                             IMP_VTK_CELLS);
    const int nx = (int)n[0], ny = (int)n[1];
    bool filled = make_room(fields, FIELDS, (nx + 1) * (ny + 1));
    mesh m = sheet(nx, ny, low, high, fields[0].value);
    filled = filled && m.connection;
    if (filled) bin(flow, nx, ny, low, high, fields);
    return write_file(path, &m, fields, FIELDS, filled, error);
}

imp_status imp_vtk_index(const char *path, int n, const double *times, char *const *names,
                         imp_error *error) {
    imp_output output;
    const imp_status status = imp_output_open(&output, path, error);
    if (status != IMP_OK) return status;
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n",
          output.file);
    for (int i = 0; i < n; i++) {
        char time[IMP_NUMBER_TEXT];
        (void)imp_number_print(times[i], time);
        fprintf(output.file, "<DataSet timestep=\"%s\" file=\"", time);
        put_name(output.file, names[i]);
        fputs("\"/>\n", output.file);
    }
    fputs("</Collection>\n</VTKFile>\n", output.file);
    return imp_output_commit(&output, error);
}
