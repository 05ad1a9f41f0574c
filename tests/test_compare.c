/* test_compare.c - the numbers of a comparison, recomputed from their definitions: errors against
 * the compliant run, the limit and the end of compression, and each law's own restitution. */
#include "lib/impact.h"
#include "scene/compare.h"
#include "committed_scene.h"
#include "tap.h"

#include <stdio.h>

/* sqrt((a - b)' H (a - b)); b NULL: 0. */
static double mass_norm(const scene_moment *m, const double *a, const double *b) {
    double square = 0;
    for (int i = 0; i < m->nv; i++)
        for (int j = 0; j < m->nv; j++)
            square += (a[i] - (b ? b[i] : 0)) * m->H[i * m->nv + j] * (a[j] - (b ? b[j] : 0));
    return sqrt(square);
}

static double relative(const double *a, const double *b, int n) {
    double off = 0, size = 0;
    for (int i = 0; i < n; i++)
        off += pow(a[i] - b[i], 2), size += pow(b[i], 2);
    return sqrt(off / size);
}

/* The references of a scene, made again. */
typedef struct references {
    scene s;
    scene_moment m;
    scene_outcome compliant, limit, model;
    double speed; /* sqrt(J) */
    double doubt; /* sqrt(J), of the limit */
    double time;  /* s, the end of the compliant run */
    long evaluations;
} references;

/* lift: m that the body, a free one, starts above the place in the file. */
static void make(references *r, const char *name, const char *variant, double lift) {
    compliant_settings run;
    compliant_result result = {0};
    r->s = committed_scene(name, variant);
    if (lift > 0) r->s.q[2] += lift;
    run = r->s.run;
    run.history = false;
    const bool good = scene_touch(&r->s, &r->m) == IMP_OK &&
                      scene_outcome_init(&r->compliant, &r->m) == IMP_OK &&
                      scene_outcome_init(&r->limit, &r->m) == IMP_OK &&
                      scene_outcome_init(&r->model, &r->m) == IMP_OK &&
                      scene_compliant(&r->s, &r->m, &run, &r->compliant, &result) == IMP_OK &&
                      scene_limit(&r->s, &r->m, &r->limit, &r->doubt) == IMP_OK;
    ok(good, "%s: references", r->s.title);
    r->speed = mass_norm(&r->m, r->m.v, NULL);
    r->time = r->m.time + result.time;
    r->evaluations = result.evaluations;
    compliant_result_clear(&result);
}

static void unmake(references *r) {
    scene_outcome_clear(&r->compliant);
    scene_outcome_clear(&r->limit);
    scene_outcome_clear(&r->model);
    scene_moment_clear(&r->m);
    scene_clear(&r->s);
}

/* model <- the model's answer with this restitution at every contact. */
static bool answer(references *r, const imp_model *model, double e) {
    double all[16];
    imp_problem problem = r->m.problem;
    imp_settings settings;
    for (int i = 0; i < r->m.nc; i++)
        all[i] = e;
    problem.e = e > 0 ? all : NULL;
    scene_model_settings(&r->s, model, &settings);
    return imp_solve(model, &problem, &settings, r->model.p, NULL) == IMP_OK &&
           scene_outcome_from_impulse(&r->s, &r->m, &r->model) == IMP_OK;
}

static double velocity_error(const references *r, const scene_outcome *want) {
    return mass_norm(&r->m, r->model.v, want->v) / r->speed;
}

/* The row's errors with the scene's restitution. */
static void check_common(references *r, const scene_row *row, const imp_model *model, bool unique) {
    const int n = 3 * r->m.nc;
    const char *title = r->s.title;
    if (!ok(answer(r, model, row->e), "%s, %s: answers", title, row->name)) return;
    const double after = mass_norm(&r->m, r->model.v, NULL);
    is_near(row->v_limit, velocity_error(r, &r->limit), 1e-14, 1e-9,
            "%s, %s: velocity against the limit", title, row->name);
    is_near(row->v_compliant, velocity_error(r, &r->compliant), 1e-14, 1e-9,
            "%s, %s: against the compliant run", title, row->name);
    is_near(row->energy, 0.5 * (after * after - r->speed * r->speed), 1e-14 * r->speed * r->speed,
            1e-12, "%s, %s: energy", title, row->name);
    if (unique) {
        is_near(row->p_limit, relative(r->model.p, r->limit.p, n), 1e-14, 1e-9,
                "%s, %s: impulse, limit", title, row->name);
        is_near(row->p_compliant, relative(r->model.p, r->compliant.p, n), 1e-14, 1e-9,
                "%s, %s: impulse, compliant", title, row->name);
    } else {
        ok(isnan(row->p_limit) && isnan(row->p_compliant), "%s, %s: no impulses", title, row->name);
    }
    if (r->m.nc > 1) return;
    /* one contact, the second way: the norm of W (p - p') is that of the velocities */
    double d[3], square = 0;
    for (int i = 0; i < 3; i++)
        d[i] = r->model.p[i] - r->limit.p[i];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            square += d[i] * r->m.W[3 * i + j] * d[j];
    is_near(row->v_limit, sqrt(square) / r->speed, 1e-13, 1e-9, "%s, %s: by W from the impulse",
            title, row->name);
}

/* Its own restitution, the best one, and none. */
static void check_others(references *r, const scene_row *row, const imp_model *model) {
    const char *title = r->s.title;
    if (model->takes & IMP_TAKES_RESTITUTION) {
        answer(r, model, row->e_own);
        is_near(row->v_own, velocity_error(r, &r->limit), 1e-14, 1e-9, "%s, %s: own e", title,
                row->name);
        answer(r, model, row->e_best);
        is_near(row->v_best, velocity_error(r, &r->limit), 1e-13, 1e-9, "%s, %s: best e", title,
                row->name);
        bool least = row->v_best <= row->v_own && row->v_best <= row->v_limit;
        for (int k = -1; k <= 1; k += 2) {
            const double e = row->e_best + 1e-3 * k;
            if (e < 0 || e > 1) continue;
            least = least && answer(r, model, e) && velocity_error(r, &r->limit) >= row->v_best;
        }
        ok(least, "%s, %s: no e nearby is better than the best", title, row->name);
    } else {
        ok(isnan(row->v_own) && isnan(row->e_best), "%s, %s: no restitution", title, row->name);
    }
    if (r->m.nc > 1) {
        ok(isnan(row->v_plastic), "%s, %s: no end of compression", title, row->name);
        return;
    }
    scene_outcome plastic;
    scene_outcome_init(&plastic, &r->m);
    const double *B = r->m.W, W[6] = {B[0], B[1], B[2], B[4], B[5], B[8]};
    imp_darboux(W, r->m.u, r->m.mu[0], 0, IMP_STRONGE, plastic.p, NULL, NULL);
    scene_outcome_from_impulse(&r->s, &r->m, &plastic);
    answer(r, model, 0);
    is_near(row->v_plastic, velocity_error(r, &plastic), 1e-14, 1e-9, "%s, %s: e = 0", title,
            row->name);
    scene_outcome_clear(&plastic);
}

static void test_errors(const char *name, const char *variant, double lift) {
    references r;
    scene_comparison c;
    imp_error error;
    int models = 0;
    make(&r, name, variant, lift);
    ok(scene_compare(&r.s, imp_models, &c, &error) == IMP_OK && c.count > 2, "%s: compared",
       r.s.title);
    ok(c.time == r.time && (r.m.time > 0) == (lift > 0) && c.row[0].evaluations == r.evaluations,
       "%s: the run ends at %g s", r.s.title, c.time);
    is_near(c.doubt, r.doubt / r.speed, 0, 1e-12, "%s: the limit's doubt over the speed before",
            r.s.title);
    is_near(c.row[0].v_limit, mass_norm(&r.m, r.compliant.v, r.limit.v) / r.speed, 1e-14, 1e-9,
            "%s: the compliant run against its limit", r.s.title);
    for (int i = 2; i < c.count; i++) {
        const imp_model *model = imp_model_find(c.row[i].name);
        if (c.row[i].status == IMP_UNSUPPORTED) {
            ok(c.row[i].why && *c.row[i].why, "%s, %s: says why not: %s", r.s.title, c.row[i].name,
               c.row[i].why);
            continue;
        }
        models++;
        check_common(&r, &c.row[i], model, c.unique);
        check_others(&r, &c.row[i], model);
    }
    ok(models > 5, "%s: %d models were checked", r.s.title, models);
    scene_comparison_clear(&c);
    unmake(&r);
}

/* The cell of a line under a title of the header; NULL: there is none. */
static const char *cell(const char *header, const char *line, const char *title, char text[64]) {
    for (size_t n = strlen(title);;) {
        const size_t width = strcspn(header, "\t\n"), used = strcspn(line, "\t\n");
        if (width == n && strncmp(header, title, n) == 0) {
            snprintf(text, 64, "%.*s", (int)used, line);
            return text;
        }
        if (header[width] != '\t' || line[used] != '\t') return NULL;
        header += width + 1;
        line += used + 1;
    }
}

/* Why a model is not asked: one contact is never too many. */
static void test_refusal(void) {
    const double mu[2] = {0.3, 0.3}, smooth[2] = {0, 0};
    double unit[36] = {0};
    int wrong = 0, planar = 0;
    for (int k = 0; k < 6; k++)
        unit[7 * k] = 1;
    const imp_operator one = imp_operator_dense(1, unit), two = imp_operator_dense(2, unit);
    for (int i = 0; imp_models[i]; i++) {
        const int takes = imp_models[i]->takes;
        for (int nc = 1; nc <= 2; nc++)
            for (int rubs = 0; rubs < 2; rubs++) {
                const imp_problem problem = {
                    .nc = nc, .W = nc == 1 ? &one : &two, .mu = rubs ? mu : smooth};
                const char *why = scene_refusal(imp_models[i], &problem);
                const char *want = nc == 2 && !(takes & IMP_TAKES_MANY)    ? "several contacts"
                                   : rubs && takes & IMP_ONLY_FRICTIONLESS ? "friction"
                                   : takes & IMP_ONLY_PLANAR               ? "not planar"
                                                                           : "";
                wrong += strcmp(why ? why : "", want) != 0;
            }
        planar += (takes & IMP_ONLY_PLANAR) != 0;
    }
    ok(wrong == 0 && planar > 0, "why models are not asked");
}

/* Every number stands under its title. */
static void test_table(void) {
    scene s = committed_scene("brick-point", "mu 0.125");
    scene_comparison c;
    imp_error error;
    char *text = NULL;
    size_t size;
    int wrong = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out || scene_compare(&s, imp_models, &c, &error) != IMP_OK) abort();
    imp_write_header(scene_comparison_columns, out);
    scene_comparison_write(out, &s, &c);
    fclose(out);
    const char *line = strchr(text, '\n');
    for (int i = 0; i < c.count; i++) {
        const scene_row *r = &c.row[i];
        const struct {
            const char *title;
            double want;
        } column[] = {{"contacts", 1},
                      {"e", r->e},
                      {"p_error", r->p_compliant},
                      {"v_error", r->v_compliant},
                      {"p_error_limit", r->p_limit},
                      {"v_error_limit", r->v_limit},
                      {"limit_doubt", c.doubt},
                      {"energy", r->energy},
                      {"evaluations", r->status >= 0 ? (double)r->evaluations : NAN},
                      {"iterations", r->status >= 0 ? (double)r->info.iterations : NAN},
                      {"intervals", r->status >= 0 ? (double)r->info.intervals : NAN},
                      {"rounds", r->status >= 0 ? (double)r->info.rounds : NAN},
                      {"microseconds", 1e6 * r->seconds},
                      {"e_own", r->e_own},
                      {"v_error_own", r->v_own},
                      {"e_best", r->e_best},
                      {"v_error_best", r->v_best},
                      {"v_error_plastic", r->v_plastic}};
        line++;
        for (size_t k = 0; k < sizeof column / sizeof *column; k++) {
            char own[64] = "";
            const char *found = cell(text, line, column[k].title, own);
            const double want = column[k].want, got = found && *found ? strtod(found, NULL) : NAN;
            if (found && (isfinite(want) ? fabs(got - want) <= 6e-2 * fabs(want) : !*found))
                continue;
            wrong++;
            diag("%s, %s: %s, not %g", r->name, column[k].title, found ? found : "no cell", want);
        }
        char own[64] = "";
        const char *found = cell(text, line, "why", own);
        wrong += !found || strcmp(found, r->why ? r->why : "") != 0;
        line = strchr(line, '\n');
    }
    ok(wrong == 0 && line && !line[1], "%d rows: every number under its title", c.count);
    free(text);
    scene_comparison_clear(&c);
    scene_clear(&s);
}

/* The experiment's rebound is the closed form's; each law reproduces it; laws differ only where e
 * depends on speed. */
static void test_calibration(void) {
    static const char *const scenes[][2] = {
        {"brick-point", "mu 0.225"}, {"wedge", NULL}, {"academic", "mu 3.7"}};
    for (int k = 0; k < 3; k++) {
        scene s = committed_scene(scenes[k][0], scenes[k][1]);
        scene_moment m;
        scene_experiment x;
        scene_touch(&s, &m);
        int fastest = 0; /* the others are of another material */
        for (int i = 1; i < m.nc; i++)
            if (m.u[3 * i] < m.u[3 * fastest]) fastest = i;
        for (int i = 0; i < s.system.npairs; i++)
            if (i != m.pair[fastest]) s.system.pairs[i].law.dissipation *= 3;
        ok(scene_experiment_run(&s, &m, &x) == IMP_OK, "%s: the experiment ends", s.title);
        const double c = s.system.pairs[m.pair[fastest]].law.dissipation,
                     want = compliant_restitution(c, x.speed);
        is_near(x.speed, -m.u[3 * fastest], 0, 1e-15, "%s: at the fastest approach", s.title);
        is_near(x.rebound, want, 2e-9, 0, "%s: rebounds as the closed form", s.title);
        for (int i = 0; imp_models[i]; i++) {
            const imp_model *model = imp_models[i];
            imp_settings settings;
            double e, off;
            scene_model_settings(&s, model, &settings);
            const imp_status status = scene_calibrate(&x, model, &settings, &e, &off);
            if (!(model->takes & IMP_TAKES_RESTITUTION)) {
                ok(status == IMP_UNSUPPORTED, "%s: %s knows no restitution", s.title, model->name);
                continue;
            }
            double law = e; /* the e the law applies at this speed */
            if (model == &imp_model_plus || model == &imp_model_single_phase)
                law = 1 - (1 - e) * fmin(1, x.speed / imp_plus_settings_default().v_plastic);
            ok(status == IMP_OK && fabs(law - want) < 4e-9 && off < 1e-10,
               "%s: %s with e = %.9f, rebound %.9f", s.title, model->name, e, law);
        }
        scene_moment_clear(&m);
        scene_clear(&s);
    }
}

/* Without friction, dissipation and gravity a brick that turns while it presses keeps its energy,
 * however soft: its mass matrix is that of where it leaves. */
static void test_energy(void) {
    static const imp_model *const none[] = {NULL};
    scene s = committed_scene("brick-point", "mu 0.125");
    scene_comparison c;
    imp_error error;
    memset(s.system.gravity, 0, sizeof s.system.gravity);
    for (int i = 0; i < s.system.npairs; i++) {
        compliant_law *law = &s.system.pairs[i].law;
        law->mu_static = law->mu_dynamic = law->dissipation = 0;
        law->stiffness *= 1e-4;
    }
    s.run.until = 1;
    const imp_status status = scene_compare(&s, none, &c, &error);
    ok(status == IMP_OK && c.row[0].v_limit > 0.01, "%s: soft, far from the limit", s.title);
    const double speed = scene_velocity_distance(&c.moment, c.moment.v, NULL);
    is_near(c.row[0].energy, 0, 1e-8 * speed * speed, 0, "and it keeps its energy");
    is_near(c.row[1].energy, 0, 1e-12 * speed * speed, 0, "as does its limit");
    scene_comparison_clear(&c);
    scene_clear(&s);
}

int main(void) {
    test_errors("brick-point", "mu 0.125", 0);
    test_errors("brick-point", "mu 0.125", 1e-3);
    test_errors("rod", "0.9 rad, mu 2", 0);
    test_errors("wedge", NULL, 0);
    test_errors("corners", "four, turning", 0);
    test_energy();
    test_table();
    test_refusal();
    test_calibration();
    return tap_done();
}
