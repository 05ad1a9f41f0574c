/* x_drawn.c - impacts that nobody chose: how far each law is from the rigid limit of compliant
 * contact. */
#include "benchmarks/experiments/drawn.h"
#include "benchmarks/harness/matrix.h"
#include "benchmarks/harness/report.h"
#include "benchmarks/harness/stats.h"
#include "base/worse.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Claims were formed on the first sample of a kind, and what they leave out on another that is
 * drawn no more; they are judged on the second. */
enum { FORMED, JUDGED, SAMPLES };
enum { MODELS = 64 };

/* Relative: a limit that is not as certain as this is no measure of a law. */
static const double CERTAIN = 1e-4;

/* Scenes of one kind and sample, and what each law is off there: relative to the speed before, in
 * the mass norm; NAN: no answer. */
typedef struct sample {
    int count, left_out;  /* of drawn ones: compared; their limit is not certain */
    double *error;        /* (count x MODELS), the compliant run before the models */
    int unsolved[MODELS]; /* taken, and not solved */
    double second_way;    /* of one contact: the limit by runs, off the process */
    int pairs, further;   /* how many have both; are further apart than the doubt of the runs */
    double springs; /* that law, where it has an answer and the limit is at its end: the worst */
    int open, unanswered; /* limits that are not, by a touching contact that approaches; others */
} sample;

typedef struct view {
    report *r;
    const imp_model *const *models;
    int asked; /* scenes of each kind and sample */
    sample of[DRAWN_KINDS][SAMPLES];
} view;

static double *error_of(const sample *s, int place, int model) {
    return s->error + (size_t)place * MODELS + model;
}

static int find(const view *x, const char *name) {
    int k = 0;
    while (x->models[k] && strcmp(x->models[k]->name, name) != 0)
        k++;
    return k;
}

/* The limit of one contact once more, by ever stiffer runs. */
static void see_second_way(const scene *s, const scene_comparison *c, sample *to) {
    scene_outcome runs = {0};
    double doubt = INFINITY;
    if (c->moment.nc != 1 || c->doubt != 0) return;
    const double speed = scene_velocity_distance(&c->moment, c->moment.v, NULL);
    imp_status status = scene_outcome_init(&runs, &c->moment);
    if (status == IMP_OK) status = scene_limit_extrapolated(s, &c->moment, &runs, &doubt);
    const double off =
        status == IMP_OK || (status == IMP_NOT_CONVERGED && isfinite(doubt))
            ? scene_velocity_distance(&c->moment, runs.v, c->row[1].outcome.v) / speed
            : NAN;
    to->second_way = imp_worse(to->second_way, off);
    to->pairs++;
    to->further += !(off * speed <= doubt);
    scene_outcome_clear(&runs);
}

/* A run is over when nothing presses, also where a contact that gave way is about to close again,
 * which it does at once in the limit: such a limit judges nothing. */
static void see_springs(const view *x, const scene_comparison *c, sample *to) {
    const scene_moment *m = &c->moment;
    const double *p = c->row[1].outcome.p, off = *error_of(to, to->count, find(x, "springs") + 1);
    double slowest = 0, fastest = 0;
    for (int i = 0; i < m->nc; i++) {
        double u[3];
        m->problem.W->kind->row(m->problem.W, i, -1, p, u, NULL);
        slowest = fmin(slowest, m->u[3 * i] + u[0]);
        fastest = fmax(fastest, -m->u[3 * i]);
    }
    if (slowest < -1e-6 * fastest)
        to->open++;
    else if (isnan(off))
        to->unanswered++;
    else
        to->springs = imp_worse(to->springs, off);
}

/* The errors of a scene that counts. */
static void note(const view *x, const scene_comparison *c, sample *to) {
    *error_of(to, to->count, 0) = c->row[0].v_limit;
    for (int m = 0; x->models[m]; m++) {
        const scene_row *row = &c->row[m + 2];
        const bool solved = row->status == IMP_OK;
        *error_of(to, to->count, m + 1) = solved ? row->v_limit : NAN;
        to->unsolved[m + 1] += !solved && row->status != IMP_UNSUPPORTED;
    }
    see_springs(x, c, to);
    to->count++;
}

/* One scene; it counts where what is to touch does, and its limit is certain. */
static void see(view *x, drawn_kind kind, int which, uint64_t index) {
    sample *to = &x->of[kind][which];
    scene s;
    scene_comparison c;
    imp_error error;
    imp_status status = drawn_make(kind, (uint64_t)which, index, &s, &error);
    if (status == IMP_OK) {
        status = scene_compare_briefly(&s, x->models, &c, &error);
        const bool own =
            status == IMP_OK && (!drawn_contacts[kind] || c.moment.nc == drawn_contacts[kind]);
        to->left_out += status == IMP_NOT_CONVERGED || (own && !(c.doubt <= CERTAIN));
        if (own && c.doubt <= CERTAIN) {
            note(x, &c, to);
            see_second_way(&s, &c, to);
        }
        scene_comparison_clear(&c);
        scene_clear(&s);
    }
    if (status != IMP_OK && status != IMP_NO_SOLUTION && status != IMP_NOT_CONVERGED)
        report_judge(x->r, OWN_BOUND,
                     report_text(x->r, "%s %llu", drawn_names[kind], (unsigned long long)index),
                     "a comparison", error.text, "", false, NULL);
}

static void draw(view *x) {
    const int count = x->asked;
    for (int kind = 0; kind < DRAWN_KINDS; kind++)
        for (int which = 0; which < SAMPLES; which++) {
            sample *to = &x->of[kind][which];
            *to = (sample){.error = calloc((size_t)MODELS * (size_t)count, sizeof *to->error)};
            for (uint64_t index = 0; to->error && to->count < count && index < 20 * (uint64_t)count;
                 index++) {
                see(x, (drawn_kind)kind, which, index);
                report_progress(x->r, (SAMPLES * kind + which + (double)to->count / count) /
                                          (SAMPLES * DRAWN_KINDS));
            }
        }
}

/* Of a law's errors, NAN left out: at a share of them; *n (may be NULL) <- how many there are. */
static double quantile(const sample *s, int model, double share, int *n) {
    double *sorted = malloc(((size_t)s->count + 1) * sizeof *sorted);
    int answers = 0;
    for (int i = 0; sorted && i < s->count; i++)
        if (!isnan(*error_of(s, i, model))) sorted[answers++] = *error_of(s, i, model);
    gsl_sort(sorted, 1, (size_t)answers);
    const double value = answers > 0 ? sorted[(int)(share * (answers - 1) + 0.5)] : NAN;
    free(sorted);
    if (n) *n = answers;
    return value;
}

static const char *model_name(const view *x, int model) {
    return model == 0 ? "compliant" : x->models[model - 1]->name;
}

/* Does it answer any kind? A law without restitution is not asked. */
static bool is_shown(const view *x, int model) {
    int answers = 0, n;
    if (model > 0 && !(x->models[model - 1]->takes & IMP_TAKES_RESTITUTION)) return false;
    for (int kind = 0; kind < DRAWN_KINDS; kind++) {
        (void)quantile(&x->of[kind][JUDGED], model, 0.5, &n);
        answers += n;
    }
    return answers > 0;
}

/* What is drawn: the judged sample, and the middle of the other. On the page a row a law, a column
 * a kind. */
static void tables(view *x) {
    char columns[512] = "model";
    for (int kind = 0; kind < DRAWN_KINDS; kind++)
        snprintf(columns + strlen(columns), sizeof columns - strlen(columns), "\t%s:2",
                 drawn_words[kind]);
    report_rows *all = report_table(x->r, "x_drawn",
                                    "kind\tmodel\tpanel:17\trow:17\tanswers:17\tunsolved:17\t"
                                    "low:4\tmiddle:4\thigh:4\tformed:4"),
                *middles = report_table(x->r, "x_drawn_models", columns);
    for (int m = 0, row = 0; m == 0 || x->models[m - 1]; m++) {
        double middle[DRAWN_KINDS];
        if (!is_shown(x, m)) continue;
        for (int kind = 0; kind < DRAWN_KINDS; kind++) {
            const sample *s = &x->of[kind][JUDGED];
            int answers;
            middle[kind] = quantile(s, m, 0.5, &answers);
            if (answers == 0 && s->unsolved[m] == 0) continue;
            report_cells(all, IMP_TEXT(drawn_words[kind]), IMP_TEXT(model_name(x, m)),
                         IMP_NUMBER(kind), IMP_NUMBER(row), IMP_NUMBER(answers),
                         IMP_NUMBER(s->unsolved[m]), IMP_NUMBER(quantile(s, m, 0.1, NULL)),
                         IMP_NUMBER(middle[kind]), IMP_NUMBER(quantile(s, m, 0.9, NULL)),
                         IMP_NUMBER(quantile(&x->of[kind][FORMED], m, 0.5, NULL)));
        }
        report_numbers(middles, model_name(x, m), DRAWN_KINDS, middle);
        row++;
    }
}

/* Claims, formed on 400 scenes of the other sample and what they leave out (scenes where both are
 * alike; how near springs are said to come) on 400 more. */
typedef struct claim {
    drawn_kind kind;
    const char *law, *other;
    double above, below; /* without another law: its error, and 0 for either */
} claim;

static const claim claims[] = {
    {DRAWN_CORNER, "darboux-stronge", "plus", 0, 0},
    {DRAWN_CORNER, "plus", "auto", 0, 0},
    {DRAWN_CORNER, "auto", "maxdiss", 0, 0},
    {DRAWN_CORNER, "auto", "drumwright", 0, 0},
    {DRAWN_ARM, "darboux-stronge", "plus", 0, 0},
    {DRAWN_ARM, "plus", "auto", 0, 0},
    {DRAWN_ARM, "auto", "drumwright", 0, 0},
    {DRAWN_EDGE, "plus", "sequential", 0, 0},
    {DRAWN_EDGE, "auto", "drumwright", 0, 0},
    {DRAWN_FACE, "plus", "sequential", 0, 0},
    {DRAWN_FACE, "auto", "drumwright", 0, 0},
    {DRAWN_SMOOTH, "lzb", "plus", 0, 0},
    {DRAWN_SMOOTH, "plus", "sequential", 0, 0},
    {DRAWN_CORNER, "springs", NULL, 0, 1e-5},
    {DRAWN_ARM, "springs", NULL, 0, 1e-5},
    {DRAWN_EDGE, "springs", NULL, 0, 1e-5},
    {DRAWN_FACE, "springs", NULL, 0, 1e-5},
    {DRAWN_SMOOTH, "springs", NULL, 0, 1e-5},
    {DRAWN_ELASTIC, "springs", NULL, 0, 1e-5},
    {DRAWN_GROOVE, "springs", NULL, 0, 1e-5},
    {DRAWN_RACK, "springs", NULL, 0, 1e-5},
    {DRAWN_ROW, "springs", NULL, 0, 1e-5},
    {DRAWN_CHAIN, "springs", NULL, 0, 1e-5},
    {DRAWN_STRUCK, "springs", "plus", 0, 0},
    {DRAWN_ELASTIC, "lzb", NULL, 0, 1e-6},
    {DRAWN_ELASTIC, "lzb", "plus", 0, 0},
    {DRAWN_CHAIN, "lzb", NULL, 0, 1e-6},
    {DRAWN_CHAIN, "lzb", "plus", 0, 0},
    {DRAWN_GROOVE, "auto", "moreau tangential=1", 0, 0},
    {DRAWN_RACK, "plus", "sequential", 0, 0},
    {DRAWN_STRUCK, "plus", "single-phase", 0, 0},
    {DRAWN_ROW, "plus", "single-phase", 0, 0},
    {DRAWN_EDGE, "plus", NULL, 0.02, 0},
    {DRAWN_FACE, "plus", NULL, 0.05, 0},
    {DRAWN_STRUCK, "plus", NULL, 0.04, 0},
    {DRAWN_ROW, "plus", NULL, 0.15, 0},
};

/* Of the judged scenes: is the law nearer than the other in more than half of those where they
 * differ by a tenth, or further or less off than so much in more than half of all, beyond
 * chance? */
static void judge(view *x, const claim *c) {
    const sample *s = &x->of[c->kind][JUDGED];
    const int law = find(x, c->law) + 1, other = c->other ? find(x, c->other) + 1 : 0;
    long so = 0, of = 0;
    for (int i = 0; i < s->count; i++) {
        const double a = *error_of(s, i, law), b = *error_of(s, i, other);
        if (isnan(a) || (c->other && (isnan(b) || fabs(a - b) <= 0.1 * fmax(a, b)))) continue;
        of++;
        so += c->other ? a < b : c->below > 0 ? a < c->below : a > c->above;
    }
    const stats_interval share = stats_probability(so, of, 0.95);
    const double middle = quantile(s, law, 0.5, NULL);
    const char *what = drawn_words[c->kind];
    report_judge(
        x->r, OWN_BOUND,
        c->other
            ? report_text(x->r, "%s: %s is nearer than %s, where not alike", what, c->law, c->other)
            : report_text(x->r, "%s: %s is off by %s than %g of the speed", what, c->law,
                          c->below > 0 ? "less" : "more", c->above + c->below),
        "", report_text(x->r, "in %ld of %ld: %.2f to %.2f", so, of, share.low, share.high),
        "certain at 95 %: more than half", of > 0 && share.low > 0.5,
        c->other ? report_text(x->r, "middle errors %.2g and %.2g", middle,
                               quantile(s, other, 0.5, NULL))
                 : report_text(x->r, "middle error %.2g", middle));
}

/* What the scenes are worth. */
static void rest(view *x) {
    double second = 0, springs = 0;
    int left_out = 0, compared = 0, pairs = 0, further = 0, open = 0, unanswered = 0;
    for (int kind = 0; kind < DRAWN_KINDS; kind++)
        for (int which = 0; which < SAMPLES; which++) {
            sample *s = &x->of[kind][which];
            second = imp_worse(second, s->second_way);
            if (kind != DRAWN_STRUCK) {
                springs = imp_worse(springs, s->springs);
                open += s->open;
                unanswered += s->unanswered;
            }
            pairs += s->pairs;
            further += s->further;
            left_out += s->left_out;
            compared += s->count;
            free(s->error);
        }
    report_count(x->r, OWN_BOUND, "scenes compared", (long long)SAMPLES * DRAWN_KINDS * x->asked,
                 compared, NULL);
    report_at_most(
        x->r, OWN_BOUND, "scenes left out, share", 0.02, (double)left_out / (compared + left_out),
        "their limit is not certain to 1e-4 of the speed before, or the run has not ended");
    report_at_most(x->r, INDEPENDENT,
                   "limits of one contact by Darboux-Keller, from those of compliant runs", CERTAIN,
                   second,
                   "worst of both kinds with one contact, of the speed before; what limits are "
                   "certain to");
    report_at_most(
        x->r, INDEPENDENT, "springs, from the limit of compliant runs where contacts are alike",
        CERTAIN, springs,
        report_text(x->r,
                    "worst of all kinds but the struck one, of the speed before; %d have "
                    "no answer, of %d the runs end before the impact does",
                    unanswered, open));
    report_at_most(x->r, OWN_BOUND, "limits of runs further off than their doubt, share", 0.05,
                   (double)further / pairs,
                   report_text(x->r, "%d of %d: the doubt is an estimate", further, pairs));
}

static void run(report *r) {
    static view x; /* as every experiment, once */
    x = (view){.r = r, .models = matrix_models(), .asked = report_full(r) ? 400 : 40};
    draw(&x);
    tables(&x);
    report_figure(
        r, "x_drawn",
        "Springs that dissipate and rub are the limit, where contacts are equally stiff; all "
        "other laws of several contacts are off by per cents. One contact is met by the "
        "process of Darboux and Keller with Stronge's restitution, too, and lzb is the limit "
        "where there is neither friction nor dissipation. Velocity error "
        "against the rigid limit of compliant contact, in the mass norm, of the speed "
        "before the impact, on scenes that are drawn; all laws with one restitution, what "
        "the compliant law does to the fastest contact. compliant: the run itself at 10 "
        "GPa, which is how rigid the scenes are. Claims below were formed on the other "
        "draws.");
    report_show_table(r, "x_drawn_models",
                      "Middle errors. x_drawn.tsv has the tenths, answers and who did not solve.");
    for (size_t k = 0; k < sizeof claims / sizeof *claims; k++)
        judge(&x, &claims[k]);
    rest(&x);
}

const experiment experiment_x_drawn = {
    "X-drawn", "Which law comes nearest to compliant contact, on impacts that nobody chose?",
    "Scenes of papers are chosen to show something. Here cuboids, balls and arms are drawn, with "
    "their speeds, friction and dissipation.",
    run};
