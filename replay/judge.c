/* judge.c - how sure the means of the models' errors are, and the differences between them.
 *
 * The impacts are drawn anew, with repetition, and all models are judged by the same draw (the
 * bootstrap, Efron 1979): what one impact does to two models' errors alike leaves their difference
 * alone. Intervals of all pairs at once are as wide, in standard deviations of each, as the largest
 * deviation of any of them in 95 % of the draws (Romano, Wolf 2005). */
#include "replay/replay.h"

#include "generators/gen.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <stdlib.h>

enum { DRAWS = 1000 };
/* What differs by less is one answer, differently rounded. */
static const double rounding = 1e-9;

double replay_quantile(double *x, size_t n, double share) {
    gsl_sort(x, 1, n);
    return gsl_stats_quantile_from_sorted_data(x, 1, n, share);
}

/* means (DRAWS) for each answer, zero before <- the mean errors over the impacts of each draw. */
static void resample(const replay_data *data, const replay_result *result, double *means) {
    gen_stream draw = gen_seed(2, (uint64_t)data->count);
    for (int b = 0; b < DRAWS; b++)
        for (int i = 0; i < data->count; i++) {
            const int k = (int)gen_uniform(&draw, 0, data->count);
            for (int m = 0; m < result->answers; m++)
                if (result->answer[m].status == IMP_OK)
                    means[m * DRAWS + b] += result->answer[m].error[k] / data->count;
        }
}

static void judge_answer(const replay_data *data, replay_answer *answer, const double *means,
                         double *room) {
    const size_t n = (size_t)data->count;
    answer->mean = gsl_stats_mean(answer->error, 1, n);
    for (size_t i = 0; i < n; i++)
        room[i] = answer->error[i];
    answer->median = replay_quantile(room, n, 0.5);
    for (int b = 0; b < DRAWS; b++)
        room[b] = means[b];
    answer->low = replay_quantile(room, DRAWS, 0.025);
    answer->high = replay_quantile(room, DRAWS, 0.975);
}

/* Widens worst (DRAWS) to the deviations of this pair; returns its standard deviation. A pair whose
 * answers are one, or differ by the same on every impact, has nothing to say of how far draws
 * deviate. */
static double deviate(const replay_pair *pair, const double *means, double *room, double *worst) {
    const double *a = means + pair->a * DRAWS, *b = means + pair->b * DRAWS;
    for (int k = 0; k < DRAWS; k++)
        room[k] = a[k] - b[k];
    const double deviation = gsl_stats_sd(room, 1, DRAWS);
    const bool counts = fabs(pair->difference) > rounding && deviation > rounding;
    for (int k = 0; k < DRAWS && counts; k++)
        worst[k] = fmax(worst[k], fabs(room[k] - pair->difference) / deviation);
    return deviation;
}

static void judge_pairs(replay_result *result, const double *means, double *room, double *worst) {
    for (int k = 0; k < DRAWS; k++)
        worst[k] = 0;
    for (int a = 0; a < result->answers; a++)
        for (int b = a + 1; b < result->answers; b++) {
            const replay_answer *x = &result->answer[a], *y = &result->answer[b];
            if (x->status != IMP_OK || y->status != IMP_OK) continue;
            replay_pair *pair = &result->pair[result->pairs++];
            *pair = (replay_pair){.a = a, .b = b, .difference = x->mean - y->mean};
            pair->high = deviate(pair, means, room, worst);
        }
    const double factor = replay_quantile(worst, DRAWS, 0.95);
    for (replay_pair *p = result->pair; p < result->pair + result->pairs; p++) {
        const double half = factor * p->high;
        p->low = p->difference - half;
        p->high = p->difference + half;
        p->apart = fabs(p->difference) > fmax(half, rounding);
    }
}

static imp_status judge(const replay_data *data, replay_result *result) {
    const size_t answers = (size_t)result->answers, n = (size_t)data->count;
    double *means = calloc(answers * DRAWS, sizeof *means),
           *room = malloc((n > DRAWS ? n : DRAWS) * sizeof *room),
           *worst = malloc(DRAWS * sizeof *worst);
    const bool good = means && room && worst;
    if (good) {
        resample(data, result, means);
        for (int m = 0; m < result->answers; m++)
            if (result->answer[m].status == IMP_OK)
                judge_answer(data, &result->answer[m], means + m * DRAWS, room);
        judge_pairs(result, means, room, worst);
        for (size_t i = 0; i < n; i++)
            room[i] = data->impact[i].floor;
        result->floor_median = replay_quantile(room, n, 0.5);
    }
    free(means);
    free(room);
    free(worst);
    return good ? IMP_OK : IMP_NO_MEMORY;
}

/* Is it that of an answer, be it an empty one? */
static bool is_of_answer(imp_status status) {
    return status == IMP_OK || status == IMP_UNSUPPORTED || status == IMP_CRASHED ||
           status == IMP_TIMED_OUT || status == IMP_BAD_ANSWER;
}

imp_status replay_run(const replay_data *data, const imp_model *const *models,
                      const replay_terms *terms, replay_result *result) {
    size_t count = 0;
    imp_status status = IMP_OK;
    while (models[count])
        count++;
    *result = (replay_result){0};
    if (count == 0) return IMP_BAD_ARGUMENT;
    *result = (replay_result){.answer = calloc(count, sizeof *result->answer),
                              .pair = calloc(count * count, sizeof *result->pair)};
    if (!result->answer || !result->pair) return IMP_NO_MEMORY;
    for (size_t m = 0; m < count && is_of_answer(status); m++) {
        if (terms->progress) terms->progress(terms->context, models[m]);
        status = replay_fit(data, models[m], terms, &result->answer[result->answers++]);
    }
    return is_of_answer(status) ? judge(data, result) : status;
}

/* Both floors of an impact are drawn together, as the errors of two models are. */
bool replay_mirror_doubtful(const replay_data *data) {
    gen_stream draw = gen_seed(2, (uint64_t)data->count);
    double mean[DRAWS] = {0};
    for (int b = 0; b < DRAWS; b++)
        for (int i = 0; i < data->count; i++) {
            const replay_impact *one = &data->impact[(int)gen_uniform(&draw, 0, data->count)];
            mean[b] += (one->floor_mirrored - one->floor) / data->count;
        }
    return replay_quantile(mean, DRAWS, 0.975) < -rounding;
}

void replay_result_clear(replay_result *result) {
    for (int m = 0; m < result->answers; m++)
        replay_answer_clear(&result->answer[m]);
    free(result->answer);
    free(result->pair);
    *result = (replay_result){0};
}
