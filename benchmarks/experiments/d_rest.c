/* d_rest.c - where QP1, Coulomb's law and maximum dissipation agree and differ, and two more scenes for the stepper:
 * Painleve's rod and a stack of ten boxes. */
#include "benchmarks/harness/report.h"
#include "impact.h"

#include <math.h>
#include <string.h>

static const double g = 9.81;

/* One contact in the plane: W = [[1.5, c, 0], [c, 2, 0], [0, 0, 2]], q = (-1, 2, 0), mu = 0.5. */
static void one_contact(report *r, FILE *t, const char *name, double c, const double published[][3]) {
    static const char *const models[] = {"drumwright", "coulomb", "maxdiss", "anitescu"};
    const double W[9] = {1.5, c, 0, c, 2, 0, 0, 0, 2}, q[3] = {-1, 2, 0}, mu = 0.5;
    const imp_operator dense = imp_operator_dense(1, W);
    const imp_problem problem = {1, &dense, q, &mu, NULL};
    for (int k = 0; k < 4; k++) {
        double p[3], u[3];
        const imp_status status = imp_solve(imp_model_find(models[k]), &problem, NULL, p, NULL);
        if (status != IMP_OK) p[0] = p[1] = p[2] = NAN;
        imp_operator_apply(&dense, p, q, u);
        const double energy = imp_problem_energy(&problem, p);
        fprintf(t, "%s\t%s\t%.6f\t%.6f\t%.6f\t%.6f\t%.6f\n", name, models[k], p[0], p[1], u[0], u[1], energy);
        if (k == 3 || !published) continue;
        const double ours[3] = {p[0], p[1], energy};
        report_vector(r, report_text(r, "%s, %s: p_n, p_t, energy", name, models[k]), published[k == 0 ? 0 : 1], ours,
                      3, 1e-4, NULL);
    }
}

static void compare(report *r) {
    static const double jam[2][3] = {{0.6667, 0, -0.3333}, {0.7692, -0.3846, -1.0651}};
    static const double off[2][3] = {{0.6667, -0.3333, -0.8000}, {0.5882, -0.2941, -0.7612}};
    static const double sphere[2][3] = {{0.6667, -0.3333, -0.8889}, {0.6667, -0.3333, -0.8889}};
    FILE *t = report_table(r, "d_rest", "case\tmodel\tp_n\tp_t\tu_n\tu_t\tenergy_J");
    one_contact(r, t, "jam", 0.4, jam);
    one_contact(r, t, "take-off", -0.4, off);
    one_contact(r, t, "sphere", 0, sphere);
    report_show_table(
        r, "d_rest",
        "One sliding contact, mu = 0.5, W_nn = 1.5, W_tt = 2, q = (-1, 2). Jam (W_nt = 0.4): friction would "
        "raise the normal impulse, which kappa forbids: QP1 has none at all. Take-off (-0.4): QP1 keeps "
        "the normal impulse to buy friction with and leaves u_n > 0. Sphere (0): all agree.");
}

/* The slender rod, tip on the plane, sliding at Painleve's angle: m = 1, l = 2, thin. */
static void rod(report *r) {
    static const char *const models[] = {"drumwright", "anitescu", "gauss-seidel-coulomb", "gauss-seidel-maxdiss"};
    const double angle = atan(2), h = 1e-3, mu = 2;
    FILE *t = report_table(r, "d_rest_rod", "model\tt_s\tkinetic_J\tu_t_m_per_s\tu_n_m_per_s");
    for (int k = 0; k < 4; k++) {
        const double thin = 1e-4; /* moment about its own axis, kg m^2 */
        imp_link bar = {.mass = 1, .inertia = {thin, 0, 0, 0, 1. / 3, 0, 0, 0, 1. / 3}};
        imp_world *world = imp_world_of_bodies(1, &bar, (const double[3]){0, 0, sin(angle)}, NULL);
        imp_stepper *stepper = imp_stepper_new(world);
        const imp_guard tip = {.centre = {-1, 0, 0}, .plane = IMP_GROUND, .normal = {0, 0, 1}, .mu = mu};
        imp_shapes shapes = {.guards = 1, .guard = &tip, .reach = 0.01, .ahead = 1};
        const imp_step_settings settings = {.h = h,
                                            .gravity = {0, 0, -g},
                                            .model = imp_model_find(models[k]),
                                            .detect = imp_shapes_nearby,
                                            .detect_data = &shapes};
        memcpy(imp_world_q(world, 0) + 3, (const double[4]){cos(angle / 2), 0, -sin(angle / 2), 0}, 4 * sizeof(double));
        imp_world_v(world, 0)[0] = -2; /* friction turns the tip into the plane */
        imp_world_place(world);
        double energy = imp_world_kinetic(world) + imp_world_potential(world, settings.gravity), rise = 0, lowest = 0;
        int failures = 0;
        for (int n = 1; n <= 300; n++) {
            double point[3], u[3];
            failures += imp_step(stepper, &settings) != IMP_OK;
            const double now = imp_world_kinetic(world) + imp_world_potential(world, settings.gravity);
            rise = fmax(rise, now - energy);
            energy = now;
            imp_world_point(world, 0, tip.centre, point);
            imp_world_point_velocity(world, 0, point, u);
            lowest = fmin(lowest, point[2]);
            fprintf(t, "%s\t%g\t%.8g\t%.8g\t%.8g\n", models[k], n * h, imp_world_kinetic(world), u[0], u[2]);
        }
        report_count(r, report_text(r, "Painleve's rod, %s: steps not solved", models[k]), 0, failures, NULL);
        report_at_most(r, report_text(r, "Painleve's rod, %s: rise of energy in a step, J", models[k]), 1e-9, rise,
                       NULL);
        report_at_most(r, report_text(r, "Painleve's rod, %s: the tip below the plane, m", models[k]), 1e-5,
                       fmax(0, -lowest), "the tip turns within a step: second order in h");
        imp_stepper_free(stepper);
        imp_world_free(world);
    }
    report_figure(r, "d_rest_rod",
                  "A rod slides on its tip at 2 m/s where friction presses it into the plane: kinetic energy and slip "
                  "speed of the tip. The others stop the tip at once, a jam without a collision; QP1 allows no more "
                  "normal impulse than without friction, which leaves none.");
}

/* Ten boxes on each other, corners of each on the face below. */
static void stack(report *r) {
    enum { BOXES = 10, CORNERS = 4 };
    static const char *const models[] = {"drumwright", "anitescu", "auto"};
    FILE *t = report_table(r, "d_rest_stack", "model\tfrom_top\tcarried_N\tweight_N");
    for (int k = 0; k < 3; k++) {
        imp_link box[BOXES];
        double position[3 * BOXES] = {0};
        imp_guard corner[BOXES * CORNERS];
        for (int i = 0; i < BOXES; i++) {
            box[i] = (imp_link){.mass = 1, .inertia = {1. / 6, 0, 0, 0, 1. / 6, 0, 0, 0, 1. / 6}};
            position[3 * i + 2] = i + 0.5;
            for (int c = 0; c < CORNERS; c++)
                corner[CORNERS * i + c] = (imp_guard){.link = i,
                                                      .centre = {c % 2 ? 0.5 : -0.5, c / 2 ? 0.5 : -0.5, -0.5},
                                                      .plane = i > 0 ? i - 1 : IMP_GROUND,
                                                      .point = {0, 0, i > 0 ? 0.5 : 0},
                                                      .normal = {0, 0, 1},
                                                      .mu = 0.5};
        }
        imp_world *world = imp_world_of_bodies(BOXES, box, position, NULL);
        imp_stepper *stepper = imp_stepper_new(world);
        imp_shapes shapes = {.guards = BOXES * CORNERS, .guard = corner, .reach = 0.01};
        imp_step_settings settings = {.h = 0.01,
                                      .gravity = {0, 0, -g},
                                      .model = imp_model_find(models[k]),
                                      .detect = imp_shapes_nearby,
                                      .detect_data = &shapes};
        imp_settings own;
        imp_model_presets(settings.model, &own);
        if (k == 1) { /* a solve that works takes some hundred pivots */
            imp_anitescu_settings few = {.edges = 4, .max_pivots = 2000};
            memcpy(&own, &few, sizeof few);
        }
        settings.own = &own;
        int failures = 0;
        for (int n = 0; n < 100; n++)
            failures += imp_step(stepper, &settings) != IMP_OK;
        double moved = 0, off = 0;
        for (int i = 0; i < BOXES; i++) {
            double carried = 0;
            for (int c = 0; c < CORNERS && stepper->problem.nc == BOXES * CORNERS; c++)
                carried += stepper->p[3 * (CORNERS * i + c)] / settings.h;
            const double weight = g * (BOXES - i);
            off = fmax(off, fabs(carried / weight - 1));
            for (int x = 0; x < 3; x++)
                moved = fmax(moved, fabs(imp_world_q(world, i)[x] - position[3 * i + x]));
            fprintf(t, "%s\t%d\t%.6g\t%.6g\n", models[k], BOXES - i, carried, weight);
        }
        if (k == 1) {
            report_shown(r, "stack of ten boxes, anitescu: steps Lemke does not solve in 2000 pivots; moved in 1 s, m",
                         "", report_text(r, "%d of 100; %.2g", failures, moved),
                         "40 contacts, 240 unknowns, highly degenerate; in a step without an answer the boxes fall");
        } else {
            report_count(r, report_text(r, "stack of ten boxes, %s: steps not solved of 100", models[k]), 0, failures,
                         NULL);
            report_at_most(r, report_text(r, "stack of ten boxes, %s: moved in 1 s, m", models[k]), 1e-6, moved, NULL);
            report_at_most(
                r,
                report_text(r, "stack of ten boxes, %s: force on each face over the weight it carries, - 1", models[k]),
                1e-6, off, NULL);
        }
        imp_stepper_free(stepper);
        imp_world_free(world);
    }
}

static void run(report *r) {
    compare(r);
    rod(r);
    stack(r);
}

const experiment experiment_d_rest = {
    "D-rest", "Where QP1, Coulomb and maximum dissipation part; Painleve's rod; ten boxes",
    "\"We can expect the emergent behavior of both to be similar\": for one contact QP1 is neither Coulomb's law nor "
    "maximum dissipation over the cone, unless friction and normal impulse are not coupled.",
    run};
