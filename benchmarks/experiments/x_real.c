/* x_real.c - recorded impacts of an ellipse, a cube and a square against every model: how near they
 * come, what no impulse at the contact could explain, and which models the data tell apart. */
#include "benchmarks/harness/report.h"
#include "replay/replay.h"

#include <stdlib.h>
#include <string.h>

/* Mean errors on the ellipse, computed for this project before, in another program, with e and mu
 * the same for all models. */
static const double known_mu = 0.2, known_e = 0.6;
static const struct {
    const char *model, *mean;
} known[] = {{"planar-stronge", "0.0936"}, {"planar-poisson", "0.0936"},
             {"planar-newton", "0.0949"},  {"plus", "0.0937"},
             {"auto", "0.0967"},           {"maxdiss", "0.116"},
             {"drumwright", "0.329"}};

static void judge_known(report *r, const replay_data *data, double *error) {
    const char *const with =
        report_text(r, "with e = %g, mu = %g for all, to the digits known", known_e, known_mu);
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        double mean = 0;
        int unsolved;
        if (replay_errors(data, imp_model_find(known[k].model), known_mu, known_e, error,
                          &unsolved) != IMP_OK)
            mean = NAN;
        for (int i = 0; i < data->count; i++)
            mean += error[i] / data->count;
        report_printed(r, INDEPENDENT, report_text(r, "ellipse, %s: mean error", known[k].model),
                       known[k].mean, &mean, 1, with);
    }
    report_printed(r, INDEPENDENT, "ellipse: mean floor", "0.0262", &data->floor, 1,
                   "what the best impulse at the contact point leaves");
}

/* Were mu and e another in every impact: the least errors of a model over a grid of both. */
static void judge_own(report *r, const replay_data *data, double *error, double *least) {
    static const char *const models[] = {"planar-poisson", "auto", "maxdiss"};
    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        double mean = 0;
        for (int i = 0; i < data->count; i++)
            least[i] = INFINITY;
        for (int k = 0; k < 21 * 21; k++) {
            const int i = k / 21, j = k % 21;
            int unsolved;
            if (replay_errors(data, imp_model_find(models[m]), 0.05 * i, 0.05 * j, error,
                              &unsolved) != IMP_OK)
                return;
            for (int n = 0; n < data->count; n++)
                least[n] = fmin(least[n], error[n]);
        }
        for (int i = 0; i < data->count; i++)
            mean += least[i] / data->count;
        report_shown(
            r, NO_REFERENCE,
            report_text(r, "ellipse, %s: mean error, mu and e its own in every impact", models[m]),
            "", report_text(r, "%.4f", mean),
            report_text(r, "%.1f times the floor; both to 0.05", mean / data->floor));
    }
}

/* The sorted errors of some models and of the floor: a row a share of the impacts. */
static const char *const drawn[] = {"planar-poisson", "auto", "newton", "maxdiss", "drumwright"};
enum { DRAWN = sizeof drawn / sizeof *drawn, SHARES = 100 };

static void write_shares(report *r, const replay_data *data, const replay_result *result) {
    const size_t n = (size_t)data->count;
    double *x = malloc(n * sizeof *x);
    report_rows *t = report_table(r, "x_real_shares", "model\tshare:4\terror:6");
    for (int m = -1; x && m < DRAWN; m++) {
        for (size_t i = 0; i < n; i++)
            x[i] = data->impact[i].floor;
        for (int a = 0; m >= 0 && a < result->answers; a++)
            if (strcmp(result->answer[a].model->name, drawn[m]) == 0)
                memcpy(x, result->answer[a].error, n * sizeof *x);
        for (int k = 0; k <= SHARES; k++)
            report_row(t, m < 0 ? "floor" : drawn[m], 1.0 * k / SHARES,
                       replay_quantile(x, n, 1.0 * k / SHARES));
        report_gap(t);
    }
    free(x);
}

/* The answer with the least mean; -1: none. */
static int nearest(const replay_result *result) {
    int best = -1;
    for (int a = 0; a < result->answers; a++)
        if (result->answer[a].status == IMP_OK &&
            (best < 0 || result->answer[a].mean < result->answer[best].mean))
            best = a;
    return best;
}

/* What the page says of pairs: are they told apart, the first being nearer? */
static const struct {
    const char *set, *model, *other;
    bool apart;
} pairs[] = {{"ellipse", "planar-poisson", "auto", true},
             {"ellipse", "auto", "newton", true},
             {"ellipse", "newton", "maxdiss", true},
             {"ellipse", "maxdiss", "drumwright", true},
             {"ellipse", "planar-poisson", "planar-stronge", false},
             {"cube", "maxdiss", "darboux-poisson", true},
             {"cube", "maxdiss", "auto", true},
             {"cube", "auto", "anitescu", true},
             {"cube", "darboux-poisson", "auto", false},
             {"cube", "darboux-poisson", "darboux-stronge", false},
             {"square", "maxdiss", "darboux-poisson", true},
             {"square", "darboux-poisson", "auto", true},
             {"square", "darboux-poisson", "darboux-stronge", false}};

/* 1: the page says something of the pair. */
static int judge_pair(report *r, const replay_data *data, const replay_result *result,
                      const replay_pair *p) {
    const char *const a = result->answer[p->a].model->name, *const b =
                                                                result->answer[p->b].model->name;
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        const bool same = strcmp(a, pairs[k].model) == 0 && strcmp(b, pairs[k].other) == 0,
                   turned = strcmp(b, pairs[k].model) == 0 && strcmp(a, pairs[k].other) == 0;
        if (strcmp(data->set->name, pairs[k].set) != 0 || !(same || turned)) continue;
        const double sign = same ? 1 : -1, difference = sign * p->difference;
        report_judge(
            r, OWN_BOUND,
            report_text(r, "%s: errors of %s less those of %s", pairs[k].set, pairs[k].model,
                        pairs[k].other),
            pairs[k].apart ? "less" : "not told apart",
            report_text(r, "%.4f [%.4f, %.4f]", difference, sign * (same ? p->low : p->high),
                        sign * (same ? p->high : p->low)),
            "interval of 95 %", pairs[k].apart ? p->apart && difference < 0 : !p->apart, NULL);
        return 1;
    }
    return 0;
}

static void judge_set(report *r, const replay_data *data, const replay_result *result) {
    const char *const name = data->set->name, *rivals = "";
    const int best = nearest(result);
    const replay_answer *answer = &result->answer[best];
    int apart = 0, judged = 0, said = 0;
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        said += strcmp(name, pairs[k].set) == 0;
    report_at_most(
        r, OWN_BOUND, report_text(r, "%s: mean floor over that with x turned about", name), 0.5,
        data->floor / data->floor_mirrored,
        data->set->mirrored ? "x of the file is mirrored against its angles and normals: "
                              "it is read as -x"
                            : "x of the file agrees with its angles");
    for (const replay_pair *p = result->pair; p < result->pair + result->pairs; p++) {
        apart += p->apart;
        judged += judge_pair(r, data, result, p);
        if (!p->apart && (p->a == best || p->b == best))
            rivals = report_text(r, "%s%s%s", rivals, *rivals ? ", " : "",
                                 result->answer[p->a == best ? p->b : p->a].model->name);
    }
    report_count(r, OWN_BOUND, report_text(r, "%s: pairs of models judged", name), said, judged,
                 NULL);
    report_shown(r, NO_REFERENCE, report_text(r, "%s: the nearest model", name), "",
                 report_text(r, "%s, %.4f [%.4f, %.4f]", answer->model->name, answer->mean,
                             answer->low, answer->high),
                 report_text(r,
                             "%d impacts, %d recordings left out; mu %.2f, e %.2f; floor %.4f; not "
                             "told apart from it: %s",
                             data->count, data->left_out, answer->mu, answer->e, data->floor,
                             *rivals ? rivals : "none"));
    report_shown(r, NO_REFERENCE, report_text(r, "%s: pairs of models told apart", name), "",
                 report_text(r, "%d of %d", apart, result->pairs),
                 "by the same impacts; 95 % for all pairs at once");
}

typedef struct course {
    report *r;
    int done;
} course;

static void progress(void *context, const imp_model *model) {
    course *c = context;
    (void)model;
    report_progress(c->r, 1 - 1 / (1 + 0.05 * c->done++));
}

/* One set: its rows, and those of the table of all. */
static void replay_set_rows(report *r, const replay_set *set, report_rows *table, course *c) {
    const replay_terms terms = {.mu = NAN, .e = NAN, .progress = progress, .context = c};
    replay_data data;
    replay_result result = {0};
    imp_error error;
    imp_status status = replay_read(set, &data, &error);
    if (status != IMP_OK) {
        report_judge(r, OWN_BOUND, report_text(r, "%s: the data", set->name), "read", error.text,
                     "", false, NULL);
    } else if ((status = replay_run(&data, imp_models, &terms, &result)) != IMP_OK) {
        report_judge(r, OWN_BOUND, report_text(r, "%s: the fits", set->name), "done",
                     imp_status_text(status), "", false, NULL);
    } else {
        double *room = malloc(2 * (size_t)data.count * sizeof *room);
        if (room && strcmp(set->name, "ellipse") == 0) {
            judge_known(r, &data, room);
            judge_own(r, &data, room, room + data.count);
            write_shares(r, &data, &result);
        }
        free(room);
        replay_write(report_stream(table), &data, &result);
        judge_set(r, &data, &result);
    }
    replay_result_clear(&result);
    replay_clear(&data);
}

static void run(report *r) {
    course c = {r, 0};
    for (const replay_set *set = replay_sets; set->name; set++)
        if (!replay_there(set)) {
            report_skip(r, report_text(r,
                                       "no recorded impacts here: %s is not in real/ of the folder "
                                       "that IMPACT_DATA names, nor of ../shared/data",
                                       set->file));
            return;
        }
    report_rows *table = report_table_of(r, "x_real", replay_columns);
    for (const replay_set *set = replay_sets; set->name; set++)
        replay_set_rows(r, set, table, &c);
    report_figure(r, "x_real",
                  "No law comes near the floor; those without friction or restitution, "
                  "and drumwright, are farthest from it. Errors in the mass norm over the "
                  "speed before. Left: the ellipse's 1718 impacts, sorted for each model "
                  "by itself. Right: mean and its 95 % interval, each impact with mu and "
                  "e fitted to others; dashed: the mean floor.");
    report_say(
        r, "What the data decide: for the ellipse, models that resolve the impact as a process "
           "(Darboux-Keller, planar, PLUS) are nearer than those that solve for its end, Poisson's "
           "restitution of impulses is nearer than Newton's of velocities, and maximum dissipation "
           "is farther than all of these. For the cube and the square it is the nearest: no law is "
           "the best for all three bodies. The friction pyramid loses to the cone. A bound on the "
           "sum of normal impulses is no friction law (drumwright). What they do not decide: "
           "Stronge's hypothesis against Poisson's; on the cube, the process against Coulomb's law "
           "at its end. What keeps the better models from the floor is that one mu and one e stand "
           "for all impacts: on the ellipse, with mu and e of their own, they come near it, and "
           "maximum dissipation does not.");
}

const experiment experiment_x_real = {
    "X-real", "Recorded impacts",
    "Planar impacts of an ellipse (MIT MCube, planar-impact-dataset), tosses of a cube (DAIR Lab, "
    "contact-nets) and drops of a square (MIT MCube, by DAIR Lab's ImpactModeling). "
    "Each is a contact problem of one point; mu and e are fitted by tenfold cross-validation. "
    "The floor is what the best impulse at that point would leave, whatever the law: the ellipse's "
    "is a tenth of that when x is read as it is recorded, because x is mirrored there.",
    run};
