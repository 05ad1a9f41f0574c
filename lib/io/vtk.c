/* vtk.c - VTK's XML format for unstructured grids: a head that names arrays, then the arrays as raw bytes. */
#include "io/vtk.h"
#include "io/stream.h"

#include <stdlib.h>
#include <string.h>

typedef struct field {
    const char *name;
    int components;
    double *value; /* (n components) */
} field;

static const int ONE = 1;

/* One array of the head; `at` is where its bytes begin behind the mark. */
static void name_array(FILE *out, const char *type, const char *name, int components, uint64_t *at, uint64_t bytes) {
    fprintf(out, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" offset=\"%llu\"/>\n",
            type, name, components, (unsigned long long)*at);
    *at += sizeof(uint64_t) + bytes;
}

static void put_bytes(FILE *out, const void *data, uint64_t bytes) {
    fwrite(&bytes, sizeof bytes, 1, out);
    fwrite(data, 1, bytes, out);
}

/* The first field is the points, the others are their data. cells: (n) 0, 1, ... and (n) 1, 2, ... */
static void write_points(FILE *out, uint64_t n, const field *fields, int count, const int64_t *index,
                         const uint8_t *types) {
    const char *order = *(const char *)&ONE ? "LittleEndian" : "BigEndian";
    uint64_t at = 0;
    fprintf(out,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"%s\" "
            "header_type=\"UInt64\">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"%llu\" NumberOfCells=\"%llu\">\n"
            "<Points>\n",
            order, (unsigned long long)n, (unsigned long long)n);
    for (int k = 0; k < count; k++) {
        name_array(out, "Float64", fields[k].name, fields[k].components, &at,
                   n * (uint64_t)fields[k].components * sizeof(double));
        if (k == 0) fputs("</Points>\n<PointData>\n", out);
    }
    fputs("</PointData>\n<Cells>\n", out);
    name_array(out, "Int64", "connectivity", 1, &at, n * sizeof *index);
    name_array(out, "Int64", "offsets", 1, &at, n * sizeof *index);
    name_array(out, "UInt8", "types", 1, &at, n);
    fputs("</Cells>\n</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_", out);
    for (int k = 0; k < count; k++)
        put_bytes(out, fields[k].value, n * (uint64_t)fields[k].components * sizeof(double));
    put_bytes(out, index, n * sizeof *index);
    put_bytes(out, index + 1, n * sizeof *index);
    put_bytes(out, types, n);
    fputs("\n</AppendedData>\n</VTKFile>\n", out);
}

/* Writes and gives back the fields' memory. */
static imp_status write_file(const char *path, int n, field *fields, int count, bool filled, imp_error *error) {
    imp_output output;
    imp_status status = IMP_NO_MEMORY;
    int64_t *index = malloc(((size_t)n + 1) * sizeof *index);
    uint8_t *types = malloc((size_t)n + 1);
    if (!index || !types || !filled) {
        imp_error_set(error, status, "%s: no memory", path);
    } else if ((status = imp_output_open(&output, path, error)) == IMP_OK) {
        for (int i = 0; i <= n; i++)
            index[i] = i;
        memset(types, 1, (size_t)n); /* a vertex */
        write_points(output.file, (uint64_t)n, fields, count, index, types);
        status = imp_output_commit(&output, error);
    }
    free(index);
    free(types);
    for (int k = 0; k < count; k++)
        free(fields[k].value);
    return status;
}

static bool make_room(field *fields, int count, int n) {
    bool good = true;
    for (int k = 0; k < count; k++) {
        fields[k].value = malloc(((size_t)n + 1) * (size_t)fields[k].components * sizeof(double));
        good = good && fields[k].value;
    }
    return good;
}

imp_status imp_vtk_spheres(const char *path, const imp_granular *flow, imp_error *error) {
    field fields[] = {
        {"position", 3, NULL}, {"radius", 1, NULL}, {"id", 1, NULL}, {"velocity", 3, NULL}, {"spin", 3, NULL}};
    enum { FIELDS = sizeof fields / sizeof *fields };
    const int n = imp_granular_count(flow);
    const bool filled = make_room(fields, FIELDS, n);
    for (int i = 0; filled && i < n; i++) {
        const imp_sphere s = imp_granular_sphere(flow, i);
        memcpy(fields[0].value + 3 * (size_t)i, s.position, sizeof s.position);
        fields[1].value[i] = s.radius;
        fields[2].value[i] = (double)s.id;
        memcpy(fields[3].value + 3 * (size_t)i, s.velocity, sizeof s.velocity);
        memcpy(fields[4].value + 3 * (size_t)i, s.spin, sizeof s.spin);
    }
    return write_file(path, n, fields, FIELDS, filled, error);
}

imp_status imp_vtk_contacts(const char *path, const imp_granular *flow, imp_error *error) {
    field fields[] = {{"position", 3, NULL}, {"normal", 3, NULL}, {"gap", 1, NULL}, {"impulse", 3, NULL}};
    enum { FIELDS = sizeof fields / sizeof *fields };
    const int n = imp_granular_contacts(flow, NULL, 0);
    imp_granular_contact *contacts = malloc(((size_t)n + 1) * sizeof *contacts);
    const bool filled = make_room(fields, FIELDS, n) && contacts;
    if (filled) imp_granular_contacts(flow, contacts, n);
    for (int i = 0; filled && i < n; i++) {
        const imp_granular_contact *c = &contacts[i];
        const imp_sphere b = imp_granular_sphere(flow, c->b);
        for (int x = 0; x < 3; x++)
            fields[0].value[3 * (size_t)i + x] = b.position[x] - (b.radius + 0.5 * c->gap) * c->normal[x];
        memcpy(fields[1].value + 3 * (size_t)i, c->normal, sizeof c->normal);
        fields[2].value[i] = c->gap;
        memcpy(fields[3].value + 3 * (size_t)i, c->impulse, sizeof c->impulse);
    }
    free(contacts);
    return write_file(path, n, fields, FIELDS, filled, error);
}

imp_status imp_vtk_index(const char *path, int n, const double *times, char *const *names, imp_error *error) {
    imp_output output;
    const imp_status status = imp_output_open(&output, path, error);
    if (status != IMP_OK) return status;
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n", output.file);
    for (int i = 0; i < n; i++)
        fprintf(output.file, "<DataSet timestep=\"%.17g\" file=\"%s\"/>\n", times[i], names[i]);
    fputs("</Collection>\n</VTKFile>\n", output.file);
    return imp_output_commit(&output, error);
}
