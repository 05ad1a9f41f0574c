/* flow_file.c - the parameters of a granular flow, read and turned into one. */
#include "io/flow_file.h"
#include "base/hash.h"
#include "granular/bodies.h"
#include "io/json_load.h"
#include "io/json_path.h"
#include "io/stream.h"
#include "io/table.h"
#include "io/vtk.h"

#include <math.h>
#include <string.h>

static const double most_steps = 1e15; /* beyond, a step is lost in the rounding of the time */

/* Readers that leave *x alone where the member is absent. */
static bool number(const imp_json *at, const char *key, double low, double high, double *x) {
    const imp_json member = imp_json_member(at, key);
    return !member.value || imp_json_number_in(&member, low, high, x);
}

static bool whole(const imp_json *at, const char *key, int *x) {
    const imp_json member = imp_json_member(at, key);
    return !member.value || imp_json_whole(&member, 0, 1000000000, x);
}

static bool vector(const imp_json *at, const char *key, double x[3]) {
    const imp_json member = imp_json_member(at, key);
    return !member.value || imp_json_vector(&member, 3, x);
}

/* Three whole numbers >= 0. */
static bool counts(const imp_json *at, const char *key, int x[3]) {
    const imp_json member = imp_json_member(at, key);
    double wanted[3];
    if (!member.value) return true;
    if (!imp_json_vector(&member, 3, wanted)) return false;
    for (int c = 0; c < 3; c++) {
        if (!(wanted[c] >= 0 && wanted[c] <= 1000000 && wanted[c] == floor(wanted[c])))
            return imp_json_expected(&member, "three whole numbers from 0 to 1000000");
        x[c] = (int)wanted[c];
    }
    return true;
}

static bool flag(const imp_json *at, const char *key, bool *x) {
    const imp_json member = imp_json_member(at, key);
    return !member.value || imp_json_boolean(&member, x);
}

static bool text(const imp_json *at, const char *key, char out[IMP_FLOW_TEXT]) {
    const imp_json member = imp_json_member(at, key);
    const char *words;
    if (!member.value) return true;
    if (!imp_json_text(&member, &words)) return false;
    if (strlen(words) >= IMP_FLOW_TEXT)
        return imp_json_refuse(&member, "too long, expected at most %d bytes", IMP_FLOW_TEXT - 1);
    memcpy(out, words, strlen(words) + 1);
    return true;
}

/* As of a scene: it may stand in a table. */
static bool is_title(const imp_json *at, const char *title) {
    const imp_json member = imp_json_member(at, "title");
    return imp_table_holds(title) ||
           imp_json_refuse(&member, "a title with a tab, the end of a line or another control "
                                    "character, expected one that fits in a row of a table");
}

static bool positive(const imp_json *at, const char *key, double *x) {
    const imp_json member = imp_json_member(at, key);
    return imp_json_positive(&member, x);
}

static bool range(const imp_json *at, size_t n, double *low, double *high) {
    const imp_json from = imp_json_member(at, "low"), to = imp_json_member(at, "high");
    if (!imp_json_vector(&from, n, low) || !imp_json_vector(&to, n, high)) return false;
    for (size_t i = 0; i < n; i++)
        if (!(low[i] < high[i])) return imp_json_refuse(&to, "not above low, expected low < high");
    return true;
}

/* Has each rank of the grid a brick? Left to itself the room has several along x alone. */
static bool ranks_have_bricks(const imp_json *at, const imp_flow *f) {
    const imp_json ranks = imp_json_member(at, "ranks");
    const int *grid = f->ranks, *bricks = f->settings.bricks;
    for (int c = 0; c < 3; c++) {
        const int most = bricks[c] > 0 ? bricks[c] : c == 0 ? grid[c] : 1;
        if (grid[c] > most)
            return imp_json_refuse(&ranks,
                                   "%d along %c, but %d brick%s, expected bricks at least as "
                                   "fine, as [%d,%d,%d]",
                                   grid[c], "xyz"[c], most, most > 1 ? "s" : "", 2 * grid[0],
                                   2 * grid[1], 2 * grid[2]);
    }
    return true;
}

static bool read_numbers(const imp_json *at, imp_flow *f) {
    static const char *const laws[] = {"maxdiss", "coulomb", "maxdiss-general", "coulomb-general",
                                       NULL};
    imp_granular_settings *s = &f->settings;
    const imp_json law = imp_json_member(at, "law"), step = imp_json_member(at, "step"),
                   skin = imp_json_member(at, "skin"), until = imp_json_member(at, "until"),
                   threads = imp_json_member(at, "threads"),
                   most = imp_json_member(at, "most_sweeps"), blend = imp_json_member(at, "blend");
    int chosen = s->law;
    if (law.value && !imp_json_choice(&law, laws, &chosen)) return false;
    s->law = (imp_granular_law)chosen;
    const bool good =
        (!step.value || imp_json_positive(&step, &s->step)) &&
        (!skin.value || imp_json_positive(&skin, &s->skin)) &&
        imp_json_number_in(&until, 0, INFINITY, &f->until) && vector(at, "gravity", s->gravity) &&
        number(at, "friction", 0, INFINITY, &s->friction) && number(at, "erp", 0, 1, &s->erp) &&
        number(at, "margin", 0, INFINITY, &s->margin) && number(at, "warm", 0, 1, &s->warm) &&
        number(at, "tolerance", 0, INFINITY, &s->tolerance) && whole(at, "sweeps", &s->sweeps) &&
        flag(at, "symmetric", &s->symmetric) && whole(at, "split", &s->split) &&
        whole(at, "most_sweeps", &s->most_sweeps) &&
        (!threads.value || imp_json_whole(&threads, 1, IMP_THREADS_MOST, &s->threads)) &&
        flag(at, "look_ahead", &s->look_ahead) && flag(at, "simd", &s->simd) &&
        flag(at, "single_precision", &s->single_precision) && counts(at, "bricks", s->bricks) &&
        counts(at, "ranks", f->ranks) && number(at, "blend", 0, 1, &s->blend) &&
        number(at, "outlet", -INFINITY, INFINITY, &s->outlet);
    if (!good) return false;
    if (!ranks_have_bricks(at, f)) return false;
    if (s->blend > 0 && s->blend < IMP_BLEND_LEAST)
        return imp_json_expected(&blend, "0, or %g to 1", IMP_BLEND_LEAST);
    if (s->most_sweeps < s->sweeps && most.value)
        return imp_json_refuse(&most, "below sweeps, expected at least that");
    if (s->most_sweeps < s->sweeps) s->most_sweeps = s->sweeps;
    if (f->until / s->step > most_steps)
        return imp_json_refuse(&until, "%g steps of %g s, expected at most %g", f->until / s->step,
                               s->step, most_steps);
    return true;
}

static bool read_shape(const imp_json *at, double friction, imp_shape *shape) {
    static const char *const keys[] = {"plane", "obstacle", "friction", NULL};
    static const char *const of_plane[] = {"point", "normal", "velocity", NULL};
    static const char *const of_obstacle[] = {"centre", "radius", "length", NULL};
    const imp_json plane = imp_json_member(at, "plane"), obstacle = imp_json_member(at, "obstacle");
    *shape = (imp_shape){.friction = friction};
    if (!imp_json_object(at, keys) || !number(at, "friction", 0, INFINITY, &shape->friction))
        return false;
    if (!plane.value == !obstacle.value)
        return imp_json_refuse(at, "expected either plane or obstacle");
    if (obstacle.value) {
        const imp_json centre = imp_json_member(&obstacle, "centre");
        shape->kind = IMP_SHAPE_OBSTACLE;
        return imp_json_object(&obstacle, of_obstacle) &&
               imp_json_vector(&centre, 2, shape->point) &&
               positive(&obstacle, "radius", &shape->radius) &&
               positive(&obstacle, "length", &shape->length);
    }
    const imp_json point = imp_json_member(&plane, "point"),
                   normal = imp_json_member(&plane, "normal");
    shape->kind = IMP_SHAPE_PLANE;
    return imp_json_object(&plane, of_plane) && imp_json_vector(&point, 3, shape->point) &&
           imp_json_direction(&normal, shape->normal) &&
           vector(&plane, "velocity", shape->velocity);
}

static bool read_shapes(const imp_json *at, imp_flow *f) {
    size_t n;
    if (!at->value) return true;
    if (!imp_json_array(at, &n)) return false;
    if (n > IMP_SHAPES) return imp_json_expected(at, "at most %d shapes", IMP_SHAPES);
    for (size_t i = 0; i < n; i++) {
        const imp_json item = imp_json_item(at, i);
        if (!read_shape(&item, f->settings.friction, &f->shape[f->shapes++])) return false;
    }
    return true;
}

/* As imp_granular_add has it. */
static bool sphere_fits(const imp_json *at, const imp_inflow *in) {
    const imp_json radius = imp_json_member(at, "radius"), density = imp_json_member(at, "density");
    const double least = IMP_SPHERE_LEAST, most = IMP_SPHERE_MOST,
                 mass =
                     imp_sphere_mass(&(imp_sphere){.radius = in->radius, .density = in->density});
    if (!(in->radius >= least && in->radius <= most))
        return imp_json_expected(&radius, "%g to %g m", least, most);
    return (mass >= least && mass <= most) ||
           imp_json_refuse(&density, "makes spheres of %.3g kg, expected %g to %g kg", mass, least,
                           most);
}

static bool read_spheres(const imp_json *at, imp_flow *f) {
    static const char *const keys[] = {"radius",      "density", "spacing", "speed",
                                       "disturbance", "seed",    "offset",  NULL};
    int seed = 0;
    imp_inflow *in = &f->inflow;
    if (!imp_json_object(at, keys) || !positive(at, "radius", &in->radius) ||
        !positive(at, "density", &in->density) || !positive(at, "spacing", &in->spacing) ||
        !number(at, "speed", -INFINITY, INFINITY, &in->speed) ||
        !number(at, "disturbance", 0, INFINITY, &in->disturbance) || !whole(at, "seed", &seed))
        return false;
    if (!sphere_fits(at, in)) return false;
    const imp_json spacing = imp_json_member(at, "spacing");
    if (in->spacing < 2 * in->radius) return imp_json_expected(&spacing, "at least two radii");
    const imp_json offset = imp_json_member(at, "offset");
    if (!number(at, "offset", 0, INFINITY, &in->offset)) return false;
    if (!(in->offset < in->radius)) return imp_json_expected(&offset, "less than the radius");
    in->seed = (uint64_t)seed;
    return true;
}

/* How many fit between low and high, at most 1e100, so that products are finite; and where the
 * first is. */
static double fit(double low, double high, double spacing, double *first) {
    *first = low + 0.5 * spacing;
    return fmin(1e100, floor((high - low) / spacing + 1e-9));
}

/* Are so many spheres at once, one at least, what memory and their numbers are made for? */
static bool count_fits(const imp_json *at, double count) {
    if (count < 1) return imp_json_refuse(at, "no sphere fits, expected room for one");
    return count <= IMP_FLOW_SPHERES ||
           imp_json_refuse(at, "room for %.3g spheres, expected at most %d", count,
                           IMP_FLOW_SPHERES);
}

double imp_flow_fit(const imp_flow *f, double n[3], double first[3]) {
    double total = 1;
    for (int x = 0; x < 3; x++) {
        n[x] = fit(f->fill_low[x], f->fill_high[x], f->inflow.spacing, &first[x]);
        total *= n[x];
    }
    return total;
}

static bool read_inflow(const imp_json *at, imp_flow *f) {
    static const char *const keys[] = {"plane", "advance", "low", "high", NULL};
    double low[2], high[2];
    imp_inflow *in = &f->inflow;
    const imp_json plane = imp_json_member(at, "plane");
    in->plane = -1;
    if (!at->value) return true;
    if (!imp_json_object(at, keys) || !range(at, 2, low, high) ||
        !positive(at, "advance", &in->advance))
        return false;
    int number_of_plane = 0;
    if (f->shapes && !imp_json_whole(&plane, 0, f->shapes - 1, &number_of_plane)) return false;
    const imp_shape *shape = &f->shape[number_of_plane];
    const double *n = shape->normal, *v = shape->velocity;
    if (!f->shapes || shape->kind != IMP_SHAPE_PLANE || !(v[0] > 0))
        return imp_json_expected(&plane, "the number of a plane that moves along x");
    if (!(n[0] > 0) || n[1] != 0 || n[2] != 0 || v[1] != 0 || v[2] != 0)
        return imp_json_expected(&plane, "a plane whose normal and velocity are along x alone");
    /* as imp_granular_new has it */
    const imp_json advance = imp_json_member(at, "advance");
    if (in->advance < 2 * in->radius * (1 - 1e-9))
        return imp_json_expected(&advance, "at least the diameter of a sphere");
    in->plane = number_of_plane;
    const double ny = fit(low[0], high[0], in->spacing, &in->first[0]),
                 nz = fit(low[1], high[1], in->spacing, &in->first[1]);
    if (!count_fits(at, ny * nz)) return false;
    in->ny = (int)ny;
    in->nz = (int)nz;
    return true;
}

static bool read_fill(const imp_json *at, imp_flow *f) {
    static const char *const keys[] = {"low", "high", NULL};
    double n[3], first[3];
    f->fill = at->value != NULL;
    return !f->fill || (imp_json_object(at, keys) && range(at, 3, f->fill_low, f->fill_high) &&
                        count_fits(at, imp_flow_fit(f, n, first)));
}

static bool read_output(const imp_json *at, imp_flow *f) {
    static const char *const keys[] = {"folder", "rows_every",       "vtk_every",
                                       "cell",   "checkpoint_every", NULL};
    const imp_json cell = imp_json_member(at, "cell");
    strcpy(f->folder, ".");
    f->rows_every = 100;
    f->cell = 1e-3;
    return !at->value ||
           (imp_json_object(at, keys) && text(at, "folder", f->folder) &&
            whole(at, "rows_every", &f->rows_every) && whole(at, "vtk_every", &f->vtk_every) &&
            (!cell.value || imp_json_positive(&cell, &f->cell)) &&
            whole(at, "checkpoint_every", &f->checkpoint_every));
}

/* Where there are pictures, their fields are found too many before the first step, not behind the
 * steps up to them. */
static bool fields_fit(const imp_json *output, const imp_flow *f) {
    const imp_json cell = imp_json_member(output, "cell");
    const double *low = f->settings.low, *high = f->settings.high;
    double n[2];
    return !f->vtk_every || imp_vtk_cells(low, high, f->cell, n) ||
           imp_json_refuse(&cell,
                           "%g m makes %.3g squares of a box of %g by %g m, expected at most %d",
                           f->cell, n[0] * n[1], high[0] - low[0], high[1] - low[1], IMP_VTK_CELLS);
}

/* Where single precision is not for this flow. */
static bool refuses_single(const imp_json *at, const imp_flow *f) {
    const imp_json single = imp_json_member(at, "single_precision");
    const bool general =
        f->settings.law != IMP_GRANULAR_MAXDISS && f->settings.law != IMP_GRANULAR_COULOMB;
    if (!f->settings.single_precision ||
        !(general || f->settings.blend > 0 || f->inflow.offset > 0))
        return false;
    return !imp_json_refuse(&single, "true with %s, expected false there",
                            general                 ? "a general law"
                            : f->settings.blend > 0 ? "a blend"
                                                    : "an offset of spheres");
}

static bool read_flow(const imp_json *at, imp_flow *f) {
    static const char *const keys[] = {"kind",
                                       "title",
                                       "source",
                                       "step",
                                       "until",
                                       "gravity",
                                       "friction",
                                       "law",
                                       "sweeps",
                                       "symmetric",
                                       "split",
                                       "tolerance",
                                       "most_sweeps",
                                       "erp",
                                       "margin",
                                       "look_ahead",
                                       "warm",
                                       "skin",
                                       "threads",
                                       "simd",
                                       "box",
                                       "outlet",
                                       "shapes",
                                       "spheres",
                                       "fill",
                                       "inflow",
                                       "output",
                                       "bricks",
                                       "blend",
                                       "ranks",
                                       "single_precision",
                                       NULL};
    static const char *const kinds[] = {"flow", NULL}, *const of_box[] = {"low", "high", NULL};
    const imp_json kind = imp_json_member(at, "kind"), box = imp_json_member(at, "box"),
                   shapes = imp_json_member(at, "shapes"), spheres = imp_json_member(at, "spheres"),
                   fill = imp_json_member(at, "fill"), inflow = imp_json_member(at, "inflow"),
                   output = imp_json_member(at, "output");
    char source[IMP_FLOW_TEXT];
    int ignored;
    *f = (imp_flow){.settings = imp_granular_settings_default()};
    if (!json_is_object(at->value)) return imp_json_expected(at, "an object");
    return imp_json_choice(&kind, kinds, &ignored) && imp_json_object(at, keys) &&
           text(at, "title", f->title) && is_title(at, f->title) && text(at, "source", source) &&
           read_numbers(at, f) && imp_json_object(&box, of_box) &&
           range(&box, 3, f->settings.low, f->settings.high) && read_shapes(&shapes, f) &&
           read_spheres(&spheres, f) && read_fill(&fill, f) && read_inflow(&inflow, f) &&
           read_output(&output, f) && fields_fit(&output, f) && !refuses_single(at, f);
}

static int mix(const char *text, size_t n, void *sum) {
    *(uint64_t *)sum = imp_hash(*(uint64_t *)sum, text, n);
    return 0;
}

/* Of values, whatever the order of the keys and the blanks between them. false: no memory. */
static bool sum_up(const json_t *root, uint64_t *sum) {
    *sum = IMP_HASH_SEED;
    return json_dump_callback(root, mix, sum, JSON_COMPACT | JSON_SORT_KEYS) == 0;
}

imp_status imp_flow_read(const char *path, char *const *assign, imp_flow *flow, imp_error *error) {
    imp_input input;
    json_t *root = NULL;
    imp_error ignored;
    imp_flow read;
    if (!error) error = &ignored;
    imp_status status = imp_input_open(&input, path, error);
    if (status != IMP_OK) return status;
    status = imp_json_load(input.file, input.name, &root, error);
    for (; status == IMP_OK && assign && *assign; assign++)
        status = imp_json_assign(root, *assign, error);
    const imp_json at = imp_json_root(root, input.name, error);
    if (status == IMP_OK && !read_flow(&at, &read)) status = error->status;
    if (status == IMP_OK && !sum_up(root, &read.sum))
        status = imp_error_set(error, IMP_NO_MEMORY, "no memory");
    if (status == IMP_OK) *flow = read;
    json_decref(root);
    imp_input_close(&input);
    return status;
}
