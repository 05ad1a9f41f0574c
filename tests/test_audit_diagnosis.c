/* Mistakes by name: a solver that is right but for one is named by it, in every class where it
 * makes one; what is only rounding, or wrong otherwise, is named by none. */
#include "audit/frictions.h"
#include "audit_mistakes.h"

/* Is most of what is wrong named by this fault, and nothing by another? */
static void is_named(const char *what, audit_fault fault, const audit_row *row) {
    const long all = row->fault[AUDIT_FALSELY], named = row->fault[fault];
    char *words = words_of(row);
    ok(all >= 5 && 5 * named >= 4 * all && named + row->fault[AUDIT_OTHER] == all, "%s: %s", what,
       words);
    free(words);
}

static void test_answers(void) {
    static const struct {
        const char *what;
        void (*planted)(const answered *a);
        double number;
        audit_fault fault;
        bool several;
    } tries[] = {{"-p", reverse, 0, AUDIT_SIGN, true},
                 {"friction reversed", reverse_friction, 0, AUDIT_ALONG, true},
                 {"against the slip before", rub_before, 0, AUDIT_BEFORE, true},
                 {"a pyramid", rub_by_tangents, 0, AUDIT_PYRAMID, true},
                 {"p / 1000", scale, 1e-3, AUDIT_SCALE, true},
                 {"-1000 p", scale, -1e3, AUDIT_SCALE, true},
                 {"p over a step", scale, 1 / 0.0041, AUDIT_SCALE, true},
                 {"y up", put_y_up, 0, AUDIT_FRAME, true},
                 {"normal reversed", reverse_normal, 0, AUDIT_FRAME, true},
                 {"turned over", turn_over, 0, AUDIT_FRAME, true},
                 {"turned", turn, 1, AUDIT_FRAME, false},
                 {"mirrored and turned", turn, -1, AUDIT_FRAME, false},
                 {"W p", give_velocity, 0, AUDIT_VELOCITY, false}};
    reading = as_is;
    for (size_t k = 0; k < sizeof tries / sizeof *tries; k++) {
        planted = tries[k].planted;
        factor = mirror = tries[k].number;
        before = tries[k].number;
        audit_row row = run("speed-box", "free-box-5");
        is_named(tries[k].what, tries[k].fault, &row);
        if (tries[k].fault == AUDIT_SCALE)
            is_near(row.by[AUDIT_SCALE], factor, 1e-6, 0, "and by how much");
        if (!tries[k].several) continue;
        row = run("bodies", tries[k].number == 1 / 0.0041 ? "bodies" : "loose");
        is_named(tries[k].what, tries[k].fault, &row);
    }
    /* what sticks ends with nothing, which is no impulse */
    planted = give_velocity;
    before = 1;
    audit_row row = run("speed-box", "speed-box");
    is_named("W p + q", AUDIT_VELOCITY, &row);
    planted = put_normals_first;
    row = run("bodies", "loose");
    is_named("all normals first", AUDIT_LAYOUT, &row);
    planted = put_each_axis_first;
    row = run("bodies", "loose");
    is_named("each axis first", AUDIT_LAYOUT, &row);
    planted = put_last_contact_first;
    row = run("bodies", "loose");
    is_named("the last contact first", AUDIT_LAYOUT, &row);
}

/* What sticks, and what slides without turning, is right by other frictions, too, and says nothing
 * of them: a sphere with e = 0. */
static void test_other_frictions(void) {
    static const double block[9] = {1, 0, 0, 0, 3.5, 0, 0, 0, 3.5}, q[3] = {-1, 0.7, 0.35};
    const double t = 0.7 / hypot(0.7, 0.35), o = 0.35 / hypot(0.7, 0.35);
    const double mu = 0.15, much = 1;
    const imp_operator W = imp_operator_dense(1, block);
    const imp_problem problem = {.nc = 1, .W = &W, .q = q, .mu = &mu};
    imp_problem rough = problem;
    rough.mu = &much;
    const double middling = 0.3, gap = -0.1;
    imp_problem turning = problem, reached = problem;
    turning.mu = &middling;
    reached.gap = &gap;
    const struct {
        const char *what;
        const imp_problem *problem;
        double p[3];
        audit_frictions by;
    } tries[] = {
        {"a stick", &rough, {1, -0.2, -0.1}, {false, false}},
        {"a slide that does not turn", &problem, {1, 0.15 * -t, 0.15 * -o}, {false, false}},
        {"a pyramid's", &problem, {1, -0.15, -0.1}, {false, true}},
        {"one that does not stop", &problem, {0.9, -0.135, -0.1}, {false, false}},
        {"one that stops elsewhere", &reached, {1.1, -0.165, -0.1}, {false, true}},
        {"a slide that is reversed", &turning, {1, 0.3 * -t, 0.3 * -o}, {true, false}},
        {"one that does not stop", &turning, {0.9, 0.27 * -t, 0.27 * -o}, {false, false}},
        {"no impulse where it closes", &problem, {0}, {false, false}}};
    for (size_t k = 0; k < sizeof tries / sizeof *tries; k++) {
        const audit_frictions by = audit_other_frictions(tries[k].problem, tries[k].p, 1e-8);
        ok(by.before == tries[k].by.before && by.by_tangents == tries[k].by.by_tangents,
           "other friction, %s: before %d, by tangents %d", tries[k].what, by.before,
           by.by_tangents);
    }
}

static void test_problems(void) {
    static const struct {
        const char *what;
        misread reading;
        audit_fault fault;
        const char *class;
    } tries[] = {{"mu 1 % too large", {1.01, 1, 1, 0, WHOLE}, AUDIT_WIDE, "speed-box"},
                 {"half of mu", {0.5, 1, 1, 0, WHOLE}, AUDIT_NARROW, "speed-box"},
                 {"mu squared", {1, 2, 1, 0, WHOLE}, AUDIT_NARROW, "speed-box"},
                 {"no friction", {0, 1, 1, 0, WHOLE}, AUDIT_NARROW, "free-box-5"},
                 {"no restitution", {1, 1, 0, 0, WHOLE}, AUDIT_RESTITUTION, "impact-body"},
                 {"restitution squared", {1, 1, 0, 1, WHOLE}, AUDIT_BOUNCE, "impact-body"},
                 {"restitution applied twice", {1, 1, 2, 1, WHOLE}, AUDIT_BOUNCE, "impact-body"},
                 {"all restitution", {1, 1, 1e9, 0, WHOLE}, AUDIT_BOUNCE, "impact-body"}};
    planted = NULL;
    for (size_t k = 0; k < sizeof tries / sizeof *tries; k++) {
        reading = tries[k].reading;
        if (tries[k].fault == AUDIT_BOUNCE) solving = &imp_model_maxdiss; /* ends with -e q_n */
        const audit_row row = run(tries[k].class, tries[k].class);
        is_named(tries[k].what, tries[k].fault, &row);
        if (tries[k].fault == AUDIT_BOUNCE)
            ok(row.fault[AUDIT_OTHER] == 0, "with none left unexplained");
    }
    solving = imp_model_find("auto");
    reading = tries[0].reading;
    const audit_row wide = run("bodies", "bodies");
    ok(wide.fault[AUDIT_WIDE] > 0, "mu 1 %% too large, of several contacts");
    is_near(wide.by[AUDIT_WIDE], 0.01, 1e-5, 0, "and by how much");
    reading = as_is;
    planted = push_friction;
    const audit_row pushed = run("speed-box", "speed-box");
    is_named("friction 10 % beyond the cone", AUDIT_WIDE, &pushed);
    is_near(pushed.by[AUDIT_WIDE], 0.1, 1e-6, 0, "and by how much");
}

/* Some push within the cone that another answer has. */
static void push_somehow(const answered *a) {
    static double angle = 0;
    const double size = hypot(a->p[1], a->p[2]);
    angle += 2.4;
    a->p[0] *= 1.5 + 0.5 * sin(7 * angle);
    a->p[1] = 0.9 * size * cos(angle);
    a->p[2] = 0.9 * size * sin(angle);
}

/* Laws whose impacts end neither with -e q_n nor at the edge of the cone. */
static void test_processes(void) {
    static const struct {
        const char *what;
        misread reading;
        double scale;
        audit_fault fault;
        double by;
    } tries[] = {{"restitution squared", {1, 1, 0, 1, WHOLE}, 1, AUDIT_BOUNCE, 0},
                 {"all restitution", {1, 1, 1e9, 0, WHOLE}, 1, AUDIT_BOUNCE, 0},
                 {"half of mu", {0.5, 1, 1, 0, WHOLE}, 1, AUDIT_NARROW, 0.5},
                 {"twice mu", {2, 1, 1, 0, WHOLE}, 1, AUDIT_WIDE, 1},
                 {"2 p", {1, 1, 1, 0, WHOLE}, 2, AUDIT_SCALE, 2},
                 {"p / 2", {1, 1, 1, 0, WHOLE}, 0.5, AUDIT_SCALE, 0.5}};
    static const char *const laws[] = {"darboux-stronge", "darboux-poisson", "darboux-newton"};
    problems = 6;
    for (size_t l = 0; l < sizeof laws / sizeof *laws; l++) {
        solving = imp_model_find(laws[l]);
        for (size_t k = 0; k < sizeof tries / sizeof *tries; k++) {
            reading = tries[k].reading;
            factor = tries[k].scale;
            planted = factor != 1 ? scale : NULL;
            const audit_row row = run("impact-body", "impact-spd");
            is_named(tries[k].what, tries[k].fault, &row);
            ok(row.fault[AUDIT_OTHER] == 0, "by %s, with none left unexplained", laws[l]);
            is_near(row.by[tries[k].fault], tries[k].by, 1e-6, 0, "and by how much");
        }
        reading = as_is;
        planted = push_somehow;
        const audit_row row = run("impact-body", "impact-spd");
        ok(row.fault[AUDIT_FALSELY] > 10 && row.fault[AUDIT_OTHER] == row.fault[AUDIT_FALSELY],
           "any other push is explained by nothing");
    }
    problems = 20;
    solving = imp_model_find("auto");
}

static void test_others(void) {
    reading = as_is;
    planted = round_off;
    audit_row row = run("several", "speed-box");
    char *words = words_of(&row);
    ok(row.fault[AUDIT_FALSELY] > 20 && row.fault[AUDIT_ROUGH] == row.fault[AUDIT_FALSELY] &&
           row.by[AUDIT_ROUGH] < 1e-6,
       "single precision is inexact: %s", words);
    free(words);
    planted = scale_by_mass;
    row = run("free-box-1", "free-box-5");
    words = words_of(&row);
    ok(row.fault[AUDIT_FALSELY] > 20 && row.fault[AUDIT_OTHER] >= row.fault[AUDIT_FALSELY] - 1 &&
           row.fault[AUDIT_SCALE] == 0,
       "a factor of each problem's own is no scale: %s", words);
    free(words);
}

/* Two contacts with W = 1, apart from each other: the first is hit, the second leaves. */
static audit_fault diagnosed(const char *of, double slip_t, double slip_o, const double p[6],
                             double *by) {
    static const double mu[2] = {1, 1};
    const double q[6] = {-1, slip_t, slip_o, 1, 1, 0};
    double dense[36] = {0};
    for (int i = 0; i < 6; i++)
        dense[7 * i] = 1;
    const imp_operator W = imp_operator_dense(2, dense);
    const imp_problem problem = {.nc = 2, .W = &W, .q = q, .mu = mu};
    const audit_solver solver = solver_of(imp_model_find(of));
    const audit_answer answer = {.residual = audit_residual(&solver, &problem, p)};
    audit_wrong wrong;
    if (answer.residual <= solver.tolerance) return AUDIT_FAULTS;
    if (audit_mend(&solver, &problem, p, &answer, &wrong.mends) != IMP_OK ||
        audit_diagnose(&solver, &wrong, 1) != IMP_OK)
        exit(1);
    *by = wrong.mends.by[wrong.found];
    return wrong.found;
}

static void test_one(void) {
    double by;
    ok(diagnosed("moreau", 5, 0, (const double[]){1, -1.01, 0, 0, 0, 0}, &by) == AUDIT_WIDE,
       "friction beyond the cone");
    is_near(by, 0.01, 1e-7, 0, "by 1 %%");
    ok(diagnosed("moreau", 5, 0, (const double[]){1, -1.01, 0, 0, 1e-18, 0}, &by) == AUDIT_WIDE,
       "dust at another contact");
    is_near(by, 0.01, 1e-7, 0, "does not say by how much");
    ok(diagnosed("anitescu", 5.606, 5.404, (const double[]){1, -0.606, -0.404, 0, 0, 0}, &by) ==
           AUDIT_WIDE,
       "friction beyond the pyramid and within the cone");
    is_near(by, 0.01, 1e-7, 0, "by 1 %%");
    ok(diagnosed("moreau", 5, 0, (const double[]){0, -2, 0, 0, 0, 0}, &by) == AUDIT_OTHER,
       "friction without a push: no cone holds it");
    ok(diagnosed("moreau", 5, 0, (const double[]){1.5, -2, 0, 0, 0, 0}, &by) == AUDIT_OTHER,
       "friction beyond the cone, and a push that is wrong beside");
    ok(diagnosed("moreau", 5, 0, (const double[]){1, -1 - 1e-6, 0, 0, 0, 0}, &by) == AUDIT_ROUGH,
       "friction a millionth beyond the cone is inexact");
    is_near(by, 1e-6, 1e-6, 0, "to that");
    ok(diagnosed("moreau", 0.5, 0, (const double[]){1, 0.5, 0, 0, 0, 0}, &by) == AUDIT_ALONG,
       "friction reversed pushes along the slip");
    ok(diagnosed("moreau", 5, 0, (const double[]){1, -1.01, 0, 0, 1e-9, 0}, &by) == AUDIT_WIDE,
       "what passes at another contact");
    is_near(by, 0.01, 1e-7, 0, "does not say by how much");
    for (int side = -1; side <= 1; side += 2) {
        ok(diagnosed("moreau", 0.5, 0, (const double[]){1, -0.5 + 1e-6 * side, 0, 0, 1e-18, 0},
                     &by) == AUDIT_ROUGH,
           "a stick that creeps has nothing reversed");
    }
    ok(diagnosed("moreau", 0.5, 0, (const double[]){1, -0.51, 0, 0, 0, 0}, &by) == AUDIT_OTHER,
       "nor one that is driven");
    ok(diagnosed("moreau", 0.5, 0, (const double[]){1, -0.49, 0, 0, 0, 0}, &by) == AUDIT_NARROW,
       "one that slips is right for less friction");
    is_near(by, 0.51, 1e-7, 0, "by 51 %%");
}

/* Answers that one fault each may explain. */
static void test_together(void) {
    const audit_solver solver = solver_of(solving);
    audit_wrong wrong[12] = {0};
    for (int i = 0; i < 12; i++) {
        wrong[i].mends.fits[AUDIT_SCALE] = true;
        wrong[i].mends.by[AUDIT_SCALE] = i < 7 ? -2 : i;
    }
    ok(audit_diagnose(&solver, wrong, 12) == IMP_OK && wrong[0].found == AUDIT_SCALE &&
           wrong[6].found == AUDIT_SCALE && wrong[7].found == AUDIT_OTHER,
       "what most have is a scale, and what others have none");
    wrong[6].mends.by[AUDIT_SCALE] = 5.5;
    ok(audit_diagnose(&solver, wrong, 12) == IMP_OK && wrong[0].found == AUDIT_OTHER,
       "what half of them have is chance");
    ok(audit_diagnose(&solver, wrong, 1) == IMP_OK && wrong[0].found == AUDIT_OTHER,
       "and what one has");
    for (int i = 0; i < 12; i++) {
        wrong[i].mends.fits[AUDIT_SCALE] = false;
        wrong[i].mends.fits[AUDIT_ALONG] = i < 4;
        wrong[i].mends.fits[AUDIT_FRAME] = i == 0 || i == 11;
    }
    ok(audit_diagnose(&solver, wrong, 12) == IMP_OK && wrong[0].found == AUDIT_ALONG &&
           wrong[11].found == AUDIT_OTHER,
       "the one that explains most goes before, and a frame of few is chance");
    wrong[10].mends.fits[AUDIT_FRAME] = wrong[9].mends.fits[AUDIT_FRAME] = true;
    ok(audit_diagnose(&solver, wrong, 12) == IMP_OK && wrong[0].found == AUDIT_ALONG &&
           wrong[9].found == AUDIT_FRAME && wrong[11].found == AUDIT_FRAME,
       "a frame of a fifth is one");
    wrong[1].mends.fits[AUDIT_ROUGH] = wrong[2].mends.fits[AUDIT_ROUGH] = true;
    ok(audit_diagnose(&solver, wrong, 12) == IMP_OK && wrong[0].found == AUDIT_ALONG &&
           wrong[1].found == AUDIT_ALONG,
       "one that half of what it explains is clearly wrong with is it");
    wrong[3].mends.fits[AUDIT_ROUGH] = true;
    ok(audit_diagnose(&solver, wrong, 12) == IMP_OK && wrong[0].found == AUDIT_FRAME &&
           wrong[1].found == AUDIT_ROUGH && wrong[3].found == AUDIT_ROUGH,
       "and one of rounding is not");
    ok(audit_diagnose(&solver, wrong + 11, 1) == IMP_OK && wrong[11].found == AUDIT_FRAME,
       "of a single answer it is one");
}

int main(void) {
    solving = imp_model_find("auto");
    test_answers();
    test_other_frictions();
    test_problems();
    test_processes();
    test_others();
    test_one();
    test_together();
    return tap_done();
}
