/* test_sweep.c - the points of a sweep: which values a point has, and that its rows are those of a
 * comparison made with them, in this process. */
#include "lib/impact.h"
#include "scene/sweep.h"
#include "tap.h"

#include <stdio.h>

static const imp_model *models[3];

/* A sweep of the brick's first two variants; the file is the caller's to close. */
static void open_sweep(scene_file *file, scene_sweep *sweep) {
    imp_error error;
    if (scene_open("benchmarks/scenes/brick-point.json", file, &error) != IMP_OK) {
        ok(false, "%s", error.text);
        exit(tap_done());
    }
    models[0] = imp_model_find("plus");
    models[1] = imp_model_find("auto");
    scene_sweep_init(sweep, file, models, 0, 1);
}

static bool never(double t, void *context) {
    (void)t;
    (void)context;
    return true;
}

static void test_points(void) {
    scene_file file;
    scene_sweep sweep;
    imp_error error;
    int wrong = 0;
    open_sweep(&file, &sweep);
    ok(sweep.points == 2 && strcmp(sweep.column[0].name, "scene") == 0, "no axis: the variants");
    ok(scene_sweep_add(&sweep, "material.friction=0.1,0.2,0.3", &error) == IMP_OK &&
           scene_sweep_add(&sweep, "theta_max=log:0.01:1:5", &error) == IMP_OK &&
           scene_sweep_add(&sweep, "run.stepper=rk8pd,merson", &error) == IMP_OK,
       "three axes");
    ok(sweep.points == 60 && sweep.axes == 3, "make 2 x 3 x 5 x 2 points");
    for (int i = 0; i < 5; i++)
        wrong += !tap_near(strtod(sweep.axis[1].value[i], NULL), pow(10, 0.5 * i - 2), 0, 1e-11);
    ok(wrong == 0, "of the same ratio");
    ok(sweep.axis[0].numbers && sweep.axis[1].numbers && !sweep.axis[2].numbers &&
           sweep.axis[1].logarithmic && !sweep.axis[0].logarithmic,
       "numbers and words are told apart");
    long point = 0;
    for (int variant = 0; variant < 2; variant++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 5; j++)
                for (int k = 0; k < 2; k++, point++) {
                    scene s;
                    wrong += scene_sweep_value(&sweep, point, 0) != i ||
                             scene_sweep_value(&sweep, point, 1) != j ||
                             scene_sweep_value(&sweep, point, 2) != k;
                    if (scene_sweep_build(&sweep, point, &s, &error) != IMP_OK) {
                        wrong++;
                        continue;
                    }
                    imp_settings settings;
                    const double mu = s.system.pairs[0].law.mu_dynamic,
                                 theta = strtod(sweep.axis[1].value[j], NULL);
                    scene_model_settings(&s, models[0], &settings);
                    double own;
                    memcpy(&own, settings.bytes + models[0]->keys[0].offset, sizeof own);
                    /* two surfaces of the same coefficient have it together */
                    wrong += !tap_near(mu, 0.1 * (i + 1), 0, 1e-12) || own != theta ||
                             (strstr(s.title, "0.125") != NULL) != (variant == 0);
                    scene_clear(&s);
                }
    ok(wrong == 0 && file.assigned == 0, "every point has its values, and leaves none behind");
    scene_sweep_clear(&sweep);
    scene_close(&file);
}

static void test_rows(void) {
    scene_file file;
    scene_sweep sweep;
    imp_error error;
    open_sweep(&file, &sweep);
    scene_sweep_add(&sweep, "material.friction=lin:0.1:0.3:3", &error);
    for (long point = 0; point < sweep.points; point += 2) {
        scene s;
        scene_comparison c;
        char *text = NULL, title[64], name[64], status[64];
        size_t size;
        FILE *out = open_memstream(&text, &size);
        if (!out || scene_sweep_point(&sweep, point, never, NULL, out, &error) != IMP_OK) abort();
        fclose(out);
        if (scene_sweep_build(&sweep, point, &s, &error) != IMP_OK ||
            scene_compare(&s, models, &c, &error) != IMP_OK)
            abort();
        int wrong = 0, rows = 0;
        for (const char *line = text; *line; line = strchr(line, '\n') + 1, rows++) {
            double mu, contacts, e;
            const scene_row *r = &c.row[rows];
            if (rows == c.count) break;
            const int read = sscanf(line, "%lf\t%63[^\t]\t%63[^\t]\t%63[^\t]\t%lf\t%lf", &mu, title,
                                    name, status, &contacts, &e);
            wrong += read < 5 || strcmp(title, s.title) != 0 || strcmp(name, r->name) != 0 ||
                     contacts != c.moment.nc ||
                     !tap_near(mu, s.system.pairs[0].law.mu_dynamic, 0, 1e-12) ||
                     (rows > 1 && (read < 6 || !tap_near(e, r->e, 0, 1e-5)));
            char want[64];
            snprintf(want, sizeof want, "\t%.4g\t%.4g\t", r->p_limit, r->v_limit);
            wrong += strstr(line, want) == NULL;
        }
        ok(wrong == 0 && rows == c.count && rows == 4, "point %ld: the rows of the comparison",
           point);
        free(text);
        scene_comparison_clear(&c);
        scene_clear(&s);
    }
    scene_sweep_clear(&sweep);
    scene_close(&file);
}

/* Told to stop, a point is not converged, and says so in its row. */
static bool at_once(double t, void *context) {
    (void)t;
    ++*(int *)context;
    return false;
}

static void test_stop(void) {
    scene_file file;
    scene_sweep sweep;
    imp_error error;
    char *text = NULL;
    size_t size;
    int asked = 0;
    open_sweep(&file, &sweep);
    FILE *out = open_memstream(&text, &size);
    if (!out) abort();
    ok(scene_sweep_point(&sweep, 0, at_once, &asked, out, &error) == IMP_NOT_CONVERGED && asked > 0,
       "a run that is told to stop has no answer");
    fclose(out);
    ok(strstr(text, "\tcompliant\tnot-converged\t") && strchr(text, '\n')[1] == '\0',
       "and one row that says so");
    free(text);
    scene_sweep_clear(&sweep);
    scene_close(&file);
}

int main(void) {
    test_points();
    test_rows();
    test_stop();
    return tap_done();
}
