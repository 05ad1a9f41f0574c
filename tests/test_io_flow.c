/* test_io_flow.c - the parameters of a granular flow: what is wrong in a file is refused at its
 * key, in one line; what stands there is what starts. */
#include "impact.h"
#include "scratch.h"
#include "tap.h"

static const char *path;
static const char good[] =
    "{\"kind\": \"flow\", \"title\": \"t\", \"source\": \"s\", \"until\": 1, \"step\": 1e-3, "
    "\"box\": {\"low\": [0,0,0], \"high\": [1,1,1]}, \"shapes\": [{\"plane\": {\"point\": "
    "[0.01,0,0], \"normal\": [2,0,0], \"velocity\": [1,0,0]}, \"friction\": 0.25}, {\"obstacle\": "
    "{\"centre\": [0.5,0.5], \"radius\": 0.1, \"length\": 1}}, {\"plane\": {\"point\": [0,0,1], "
    "\"normal\": [0,0,-1]}}], \"spheres\": {\"radius\": 0.01, \"density\": 1000, \"spacing\": "
    "0.025, \"offset\": 0.001}, \"fill\": {\"low\": [0.01,0,0], \"high\": [0.07,0.1,0.1]}, "
    "\"inflow\": {\"plane\": 0, \"advance\": 0.1, \"low\": [0,0], \"high\": [0.1,0.1]}, "
    "\"output\": "
    "{\"folder\": \"f\", \"rows_every\": 10, \"vtk_every\": 0, \"cell\": 0.1, "
    "\"checkpoint_every\": 5}}";

/* The file with one assignment is refused with this, behind its name and a colon. */
typedef struct spoilt {
    const char *assignment, *says;
} spoilt;

static const spoilt of_numbers[] = {
    {"kind=problem", "$.kind: \"problem\", expected flow"},
    {"sweep=3", "$.sweep: unknown key (did you mean \"sweeps\"?), expected kind, title, "},
    {"title=3", "$.title: 3, expected a text"},
    {"source=[]", "$.source: an array of 0, expected a text"},
    {"law=contact", "$.law: \"contact\", expected maxdiss, coulomb, maxdiss-general or "},
    {"step=0", "$.step: 0, expected a number > 0"},
    {"skin=-1", "$.skin: -1, expected a number > 0"},
    {"until=-1", "$.until: -1, expected a number >= 0"},
    {"until=2e12", "$.until: 2e+15 steps of 0.001 s, expected at most 1e+15"},
    {"gravity=[1, 2]", "$.gravity: an array of 2, expected an array of 3 numbers"},
    {"friction=-0.5", "$.friction: -0.5, expected a number >= 0"},
    {"erp=1.5", "$.erp: 1.5, expected a number from 0 to 1"},
    {"margin=x", "$.margin: \"x\", expected a number >= 0"},
    {"warm=-1", "$.warm: -1, expected a number from 0 to 1"},
    {"tolerance=-1", "$.tolerance: -1, expected a number >= 0"},
    {"sweeps=1.5", "$.sweeps: 1.5, expected a whole number from 0 to 1000000000"},
    {"symmetric=1", "$.symmetric: 1, expected true or false"},
    {"split=-1", "$.split: -1, expected a whole number from 0"},
    {"most_sweeps=x", "$.most_sweeps: \"x\", expected a whole number from 0"},
    {"threads=0", "$.threads: 0, expected a whole number from 1 to 1024"},
    {"look_ahead=3", "$.look_ahead: 3, expected true or false"},
    {"simd=no", "$.simd: \"no\", expected true or false"},
    {"single_precision=1", "$.single_precision: 1, expected true or false"},
    {"single_precision=true",
     "$.single_precision: true with an offset of spheres, expected false there"},
    {"bricks=[1, 2]", "$.bricks: an array of 2, expected an array of 3 numbers"},
    {"bricks=[-1, 2, 2]",
     "$.bricks: an array of 3, expected three whole numbers from 0 to 1000000"},
    {"ranks=[1, 2e6, 2]", "$.ranks: an array of 3, expected three whole numbers from 0"},
    {"ranks=[1, 1, 0.5]", "$.ranks: an array of 3, expected three whole numbers from 0"},
    {"ranks=[1, 2, 1]",
     "$.ranks: 2 along y, but 1 brick, expected bricks at least as fine, as [2,4,2]"},
    {"blend=2", "$.blend: 2, expected a number from 0 to 1"},
    {"blend=0.0625", "$.blend: 0.0625, expected 0, or 0.1 to 1"},
    {"outlet=x", "$.outlet: \"x\", expected a number"},
};

static const spoilt of_shapes[] = {
    {"box=1", "$.box: 1, expected an object"},
    {"box.middle=1", "$.box.middle: unknown key, expected low or high"},
    {"box.low=1", "$.box.low: 1, expected an array of 3 numbers"},
    {"box.high=[1, 1]", "$.box.high: an array of 2, expected an array of 3 numbers"},
    {"box.high=[1, 0, 1]", "$.box.high: not above low, expected low < high"},
    {"shapes=1", "$.shapes: 1, expected an array"},
    {"shapes.0=1", "$.shapes[0]: 1, expected an object"},
    {"shapes.0.colour=1", "$.shapes[0].colour: unknown key, expected plane, obstacle or friction"},
    {"shapes.0.friction=-1", "$.shapes[0].friction: -1, expected a number >= 0"},
    {"shapes.1={}", "$.shapes[1]: expected either plane or obstacle"},
    {"shapes.1.plane={}", "$.shapes[1]: expected either plane or obstacle"},
    {"shapes.0.plane=3", "$.shapes[0].plane: 3, expected an object"},
    {"shapes.0.plane.point=3", "$.shapes[0].plane.point: 3, expected an array of 3 numbers"},
    {"shapes.0.plane.normal=3", "$.shapes[0].plane.normal: 3, expected an array of 3 numbers"},
    {"shapes.0.plane.velocity=3", "$.shapes[0].plane.velocity: 3, expected an array of 3 numbers"},
    {"shapes.0.plane.normal=[0,0,0]", "$.shapes[0].plane.normal: [0, 0, 0], expected a direction"},
    {"shapes.0.plane.normal=[1.7e308,1.7e308,0]",
     "$.shapes[0].plane.normal: [1.7e+308, 1.7e+308, 0], expec"},
    {"shapes.1.obstacle=[]", "$.shapes[1].obstacle: an array of 0, expected an object"},
    {"shapes.1.obstacle.centre=[0]", "$.shapes[1].obstacle.centre: an array of 1, expected an a"},
    {"shapes.1.obstacle.radius=0", "$.shapes[1].obstacle.radius: 0, expected a number > 0"},
    {"shapes.1.obstacle.length=-1", "$.shapes[1].obstacle.length: -1, expected a number > 0"},
};

static const spoilt of_spheres[] = {
    {"spheres=1", "$.spheres: 1, expected an object"},
    {"spheres.size=1", "$.spheres.size: unknown key, expected radius, density, "},
    {"spheres.radius=0", "$.spheres.radius: 0, expected a number > 0"},
    {"spheres.density=0", "$.spheres.density: 0, expected a number > 0"},
    {"spheres.radius=1e101",
     "$.spheres.radius: 9.9999999999999998e+100, expected 1e-80 to 1e+80 m"},
    {"spheres.radius=1e-101",
     "$.spheres.radius: 1.0000000000000001e-101, expected 1e-80 to 1e+80 m"},
    {"spheres.density=1e-153",
     "$.spheres.density: makes spheres of 4.19e-159 kg, expected 1e-80 to 1e+80 kg"},
    {"spheres.density=1e300",
     "$.spheres.density: makes spheres of 4.19e+294 kg, expected 1e-80 to 1e+80 kg"},
    {"spheres.spacing=0", "$.spheres.spacing: 0, expected a number > 0"},
    {"spheres.spacing=0.019", "$.spheres.spacing: 0.019, expected at least two radii"},
    {"spheres.speed=x", "$.spheres.speed: \"x\", expected a number"},
    {"spheres.disturbance=-1", "$.spheres.disturbance: -1, expected a number >= 0"},
    {"spheres.seed=0.5", "$.spheres.seed: 0.5, expected a whole number from 0"},
    {"spheres.offset=-1", "$.spheres.offset: -1, expected a number >= 0"},
    {"spheres.offset=0.01", "$.spheres.offset: 0.01, expected less than the radius"},
    {"fill=1", "$.fill: 1, expected an object"},
    {"fill.low=[0]", "$.fill.low: an array of 1, expected an array of 3 numbers"},
    {"fill.high=[100.01,100,100]", "$.fill: room for 6.4e+10 spheres, expected at most 268435455"},
    {"fill.high=[1e9,1e9,1e9]", "$.fill: room for 6.4e+31 spheres, expected at most 268435455"},
    {"fill.high=[1e10,0.03,0.04]", "$.fill: room for 4e+11 spheres, expected at most 268435455"},
    {"fill.high=[1e300,1e300,1e300]", "$.fill: room for 1e+300 spheres, expected at most"},
    {"inflow=1", "$.inflow: 1, expected an object"},
    {"inflow.low=1", "$.inflow.low: 1, expected an array of 2 numbers"},
    {"inflow.high=[-1,1]", "$.inflow.high: not above low, expected low < high"},
    {"inflow.advance=0", "$.inflow.advance: 0, expected a number > 0"},
    {"inflow.plane=3", "$.inflow.plane: 3, expected a whole number from 0 to 2"},
    {"inflow.plane=1", "$.inflow.plane: 1, expected the number of a plane that moves along x"},
    {"shapes=[]", "$.inflow.plane: 0, expected the number of a plane that moves along x"},
    {"inflow.plane=2", "$.inflow.plane: 2, expected the number of a plane that moves along x"},
    {"shapes.0.plane.velocity=[1,0,1e-3]", "$.inflow.plane: 0, expected a plane whose normal and "},
    {"shapes.0.plane.velocity=[1,-1e-3,0]", "$.inflow.plane: 0, expected a plane whose normal and"},
    {"shapes.0.plane.normal=[-1,0,0]", "$.inflow.plane: 0, expected a plane whose normal and vel"},
    {"shapes.0.plane.normal=[1,0,0.1]", "$.inflow.plane: 0, expected a plane whose normal and ve"},
    {"shapes.0.plane.normal=[1,0.1,0]", "$.inflow.plane: 0, expected a plane whose normal and ve"},
    {"inflow.advance=0.015625",
     "$.inflow.advance: 0.015625, expected at least the diameter of a sphere"},
    {"inflow.high=[0.01,0.1]", "$.inflow: no sphere fits, expected room for one"},
    {"inflow.high=[0.1,0.01]", "$.inflow: no sphere fits, expected room for one"},
    {"inflow.high=[1e6,1e6]", "$.inflow: room for 1.6e+15 spheres, expected at most 268435455"},
    {"inflow.high=[1e10,0.03]", "$.inflow: room for 4e+11 spheres, expected at most 268435455"},
    {"output=1", "$.output: 1, expected an object"},
    {"output.folder=1", "$.output.folder: 1, expected a text"},
    {"output.rows_every=-1", "$.output.rows_every: -1, expected a whole number from 0"},
    {"output.vtk_every=-1", "$.output.vtk_every: -1, expected a whole number from 0"},
    {"output.cell=0", "$.output.cell: 0, expected a number > 0"},
    {"output={\"vtk_every\":1,\"cell\":1e-9}",
     "$.output.cell: 1e-09 m makes 1e+18 squares of a box of 1 by 1 m, expected at most 16777216"},
    {"output={\"vtk_every\":1,\"cell\":2.4e-4}", "$.output.cell: 0.00024 m makes 1.74e+07 squares"},
    {"output.checkpoint_every=-1", "$.output.checkpoint_every: -1, expected a whole number"},
};

static void refuses(const spoilt *list, size_t count) {
    for (size_t k = 0; k < count; k++) {
        char assignment[80];
        char *const assign[] = {assignment, NULL};
        imp_flow flow = {.shapes = -1};
        imp_error error = {0};
        snprintf(assignment, sizeof assignment, "%s", list[k].assignment);
        const imp_status status = imp_flow_read(path, assign, &flow, &error);
        const size_t name = strlen(path) + 2;
        ok(status == IMP_BAD_ARGUMENT && error.status == status && flow.shapes == -1 &&
               strlen(error.text) > name &&
               strncmp(error.text + name, list[k].says, strlen(list[k].says)) == 0,
           "refused: %s", error.text + name);
        ok(imp_flow_read(path, assign, &flow, NULL) == status, "and without words");
    }
}

/* Of the two numbers of sweeps the larger is the most, unless it says otherwise. */
static void check_sweeps(void) {
    char sweeps[] = "sweeps=5000", most[] = "most_sweeps=10", both[] = "most_sweeps=6000";
    char *one[] = {sweeps, NULL}, *below[] = {sweeps, most, NULL}, *above[] = {sweeps, both, NULL};
    imp_flow flow;
    imp_error error;
    ok(imp_flow_read(path, one, &flow, &error) == IMP_OK && flow.settings.sweeps == 5000 &&
           flow.settings.most_sweeps == 5000,
       "at most the sweeps that are asked");
    ok(imp_flow_read(path, below, &flow, &error) == IMP_BAD_ARGUMENT &&
           strstr(error.text, "$.most_sweeps: below sweeps, expected at least that"),
       "fewer than those: %s", error.text);
    ok(imp_flow_read(path, above, &flow, &error) == IMP_OK && flow.settings.most_sweeps == 6000,
       "more than those");
}

/* For spheres whose centre of mass is their centre, in the order of the whole flow, by the closed
 * form. */
static void check_single(void) {
    char single[] = "single_precision=true", centred[] = "spheres.offset=0", blend[] = "blend=0.5",
         coulomb[] = "law=coulomb", general[] = "law=coulomb-general";
    char *good_ones[] = {single, centred, coulomb, NULL},
         *damped[] = {single, centred, blend, NULL}, *slow[] = {single, centred, general, NULL};
    imp_flow flow;
    imp_error error;
    ok(imp_flow_read(path, good_ones, &flow, &error) == IMP_OK && flow.settings.single_precision,
       "single precision");
    ok(imp_flow_read(path, damped, &flow, &error) == IMP_BAD_ARGUMENT &&
           strstr(error.text, "$.single_precision: true with a blend, expected false there"),
       "not for damped sweeps: %s", error.text);
    ok(imp_flow_read(path, slow, &flow, &error) == IMP_BAD_ARGUMENT &&
           strstr(error.text, "$.single_precision: true with a general law, expected false there"),
       "nor the long way: %s", error.text);
}

/* A text of keys in another order and with other blanks is the same; one with another value, of
 * whatever key, is not. */
static void check_sum(void) {
    char title[] = "title=u", until[] = "until=2", friction[] = "friction=0.9",
         every[] = "output.checkpoint_every=6", *const other[] = {title, until, friction, every};
    char text[sizeof good + 2];
    imp_flow flow, again;
    imp_error error;
    /* the first two keys change places */
    const char *const first = "\"kind\": \"flow\", ", *const second = "\"title\": \"t\", ";
    snprintf(text, sizeof text, "{ %s\n%s%s", second, first,
             good + 1 + strlen(first) + strlen(second));
    ok(imp_flow_read(path, NULL, &flow, &error) == IMP_OK &&
           imp_flow_read(scratch_text("turned.json", text), NULL, &again, &error) == IMP_OK &&
           again.sum == flow.sum,
       "keys in another order: the same sum");
    for (size_t k = 0; k < sizeof other / sizeof *other; k++) {
        char *const assign[] = {other[k], NULL};
        ok(imp_flow_read(path, assign, &again, &error) == IMP_OK && again.sum != flow.sum,
           "%s: another sum", other[k]);
    }
}

static void scale(double *x, int n, double unit) {
    for (int i = 0; i < n; i++)
        x[i] *= unit;
}

/* The flow in other units of length, a power of two. */
static void scale_lengths(imp_flow *f, double unit) {
    imp_granular_settings *s = &f->settings;
    imp_inflow *in = &f->inflow;
    double *const one[] = {&s->margin,   &s->skin,    &s->outlet,  &in->advance,
                           &in->spacing, &in->radius, &in->offset, &in->speed};
    for (size_t k = 0; k < sizeof one / sizeof *one; k++)
        scale(one[k], 1, unit);
    scale(s->low, 3, unit);
    scale(s->high, 3, unit);
    scale(in->first, 2, unit);
    scale(f->fill_low, 3, unit);
    scale(f->fill_high, 3, unit);
    for (int k = 0; k < f->shapes; k++) {
        scale(f->shape[k].point, 3, unit);
        scale(&f->shape[k].radius, 1, unit);
        scale(&f->shape[k].length, 1, unit);
    }
}

static void check_whole(void) {
    imp_flow flow;
    imp_error error;
    imp_status status;
    ok(imp_flow_read(path, NULL, &flow, &error) == IMP_OK && strcmp(flow.title, "t") == 0 &&
           strcmp(flow.folder, "f") == 0 && flow.rows_every == 10 && flow.checkpoint_every == 5 &&
           flow.shapes == 3 && flow.shape[0].normal[0] == 1 && flow.shape[0].friction == 0.25 &&
           flow.shape[2].friction == flow.settings.friction && flow.inflow.ny == 4 &&
           flow.until == 1 && flow.settings.step == 1e-3 && flow.shape[0].velocity[0] == 1 &&
           flow.shape[1].radius == 0.1 && flow.shape[1].length == 1 &&
           flow.inflow.density == 1000 && flow.inflow.advance == 0.1 &&
           flow.inflow.first[0] == 0.0125 && flow.inflow.offset == 0.001 && flow.vtk_every == 0 &&
           flow.cell == 0.1,
       "what stands there is read: %s", error.text);
    imp_granular *g = imp_flow_start(&flow, true, &status);
    ok(g && imp_granular_count(g) == 0, "empty, for a checkpoint");
    imp_granular_free(g);
    flow.fill_low[0] = -0.02; /* two layers more: one behind the plane, one that cuts it */
    g = imp_flow_start(&flow, false, &status);
    ok(g && imp_granular_count(g) == 16, "spheres where no shape is: %d",
       g ? imp_granular_count(g) : -1);
    imp_granular_free(g);
    imp_flow tiny = flow;
    scale_lengths(&tiny, 0x1p-60);
    g = imp_flow_start(&tiny, false, &status);
    ok(g && imp_granular_count(g) == 16, "so many at lengths of 1e-20 m, too: %d",
       g ? imp_granular_count(g) : -1);
    imp_granular_free(g);
    flow.fill_high[0] = flow.fill_high[1] = flow.fill_high[2] = 1e5;
    g = imp_flow_start(&flow, false, &status);
    ok(!g && status == IMP_BAD_ARGUMENT, "a fill of more than a flow may have");
    flow.settings.step = -1;
    g = imp_flow_start(&flow, true, &status); /* not for its fill */
    ok(!g && status == IMP_BAD_ARGUMENT, "settings that are none");
    const char *least =
        scratch_text("least.json", "{\"kind\": \"flow\", \"until\": 0, \"box\": {\"low\": [0,0,0], "
                                   "\"high\": [1,1,1]}, \"spheres\": {\"radius\": 0.01, "
                                   "\"density\": 1000, \"spacing\": 0.025}}");
    ok(imp_flow_read(least, NULL, &flow, &error) == IMP_OK && flow.shapes == 0 && !flow.fill &&
           flow.inflow.plane == -1 && strcmp(flow.folder, ".") == 0 && flow.rows_every == 100,
       "no more than is needed: %s", error.text);
    g = imp_flow_start(&flow, false, &status);
    ok(g && status == IMP_OK && imp_granular_count(g) == 0, "starts without spheres");
    imp_granular_free(g);
    ok(imp_flow_read(scratch_text("list.json", "[1]"), NULL, &flow, &error) == IMP_BAD_ARGUMENT &&
           strstr(error.text, "$: an array of 1, expected an object"),
       "a list: %s", error.text);
    ok(imp_flow_read(scratch_path("absent"), NULL, &flow, &error) == IMP_IO, "none: %s",
       error.text);
}

#define REFUSES(list) refuses(list, sizeof(list) / sizeof *(list))

int main(void) {
    static char kept[300];
    snprintf(kept, sizeof kept, "%s", scratch_text("flow.json", good));
    path = kept;
    check_whole();
    check_sum();
    check_sweeps();
    check_single();
    REFUSES(of_numbers);
    REFUSES(of_shapes);
    REFUSES(of_spheres);
    return tap_done();
}
