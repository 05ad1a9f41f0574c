/* tables.c - what is written of a replay: a row a model, an impact and model, a pair of models. */
#include "replay/replay.h"

enum { DIGITS = 6 };

const imp_column replay_columns[] = {IMP_WORDS("data"),
                                     IMP_WORDS("model"),
                                     IMP_WORDS("status"),
                                     IMP_COUNTS("impacts"),
                                     IMP_COUNTS("left_out"),
                                     IMP_COUNTS("unsolved"),
                                     IMP_NUMBERS("mu", NULL, DIGITS),
                                     IMP_NUMBERS("mu_low", NULL, DIGITS),
                                     IMP_NUMBERS("mu_high", NULL, DIGITS),
                                     IMP_NUMBERS("e", NULL, DIGITS),
                                     IMP_NUMBERS("e_low", NULL, DIGITS),
                                     IMP_NUMBERS("e_high", NULL, DIGITS),
                                     IMP_NUMBERS("mean", NULL, DIGITS),
                                     IMP_NUMBERS("mean_low", NULL, DIGITS),
                                     IMP_NUMBERS("mean_high", NULL, DIGITS),
                                     IMP_NUMBERS("median", NULL, DIGITS),
                                     IMP_NUMBERS("floor", NULL, DIGITS),
                                     IMP_NUMBERS("floor_median", NULL, DIGITS),
                                     IMP_NUMBERS("floor_mirrored", NULL, DIGITS),
                                     IMP_COLUMNS_END};

void replay_write(FILE *out, const replay_data *data, const replay_result *result) {
    for (int m = 0; m < result->answers; m++) {
        const replay_answer *a = &result->answer[m];
        const imp_cell empty = IMP_TEXT(NULL);
#define FITTED(x) (a->status == IMP_OK ? IMP_NUMBER(x) : empty)
        imp_write_row(replay_columns, out, IMP_TEXT(data->set->name), IMP_TEXT(a->model->name),
                      IMP_TEXT(imp_status_text(a->status)), IMP_NUMBER(data->count),
                      IMP_NUMBER(data->left_out), FITTED(a->unsolved), FITTED(a->mu),
                      FITTED(a->mu_fold[0]), FITTED(a->mu_fold[1]), FITTED(a->e),
                      FITTED(a->e_fold[0]), FITTED(a->e_fold[1]), FITTED(a->mean), FITTED(a->low),
                      FITTED(a->high), FITTED(a->median), IMP_NUMBER(data->floor),
                      IMP_NUMBER(result->floor_median), IMP_NUMBER(data->floor_mirrored));
#undef FITTED
    }
}

const imp_column replay_each_columns[] = {IMP_WORDS("data"),
                                          IMP_COUNTS("impact"),
                                          IMP_WORDS("model"),
                                          IMP_NUMBERS("mu", NULL, DIGITS),
                                          IMP_NUMBERS("e", NULL, DIGITS),
                                          IMP_NUMBERS("error", NULL, DIGITS),
                                          IMP_NUMBERS("floor", NULL, DIGITS),
                                          IMP_COLUMNS_END};

void replay_each_write(FILE *out, const replay_data *data, const replay_result *result) {
    for (int i = 0; i < data->count; i++)
        for (int m = 0; m < result->answers; m++) {
            const replay_answer *a = &result->answer[m];
            if (a->status != IMP_OK) continue;
            imp_write_row(replay_each_columns, out, IMP_TEXT(data->set->name),
                          IMP_NUMBER(data->impact[i].id), IMP_TEXT(a->model->name),
                          IMP_NUMBER(a->fold_mu[data->fold[i]]),
                          IMP_NUMBER(a->fold_e[data->fold[i]]), IMP_NUMBER(a->error[i]),
                          IMP_NUMBER(data->impact[i].floor));
        }
}

const imp_column replay_pair_columns[] = {IMP_WORDS("data"),
                                          IMP_WORDS("model"),
                                          IMP_WORDS("other"),
                                          IMP_NUMBERS("difference", NULL, DIGITS),
                                          IMP_NUMBERS("low", NULL, DIGITS),
                                          IMP_NUMBERS("high", NULL, DIGITS),
                                          IMP_WORDS("apart"),
                                          IMP_COLUMNS_END};

void replay_pairs_write(FILE *out, const replay_data *data, const replay_result *result) {
    for (const replay_pair *p = result->pair; p < result->pair + result->pairs; p++)
        imp_write_row(replay_pair_columns, out, IMP_TEXT(data->set->name),
                      IMP_TEXT(result->answer[p->a].model->name),
                      IMP_TEXT(result->answer[p->b].model->name), IMP_NUMBER(p->difference),
                      IMP_NUMBER(p->low), IMP_NUMBER(p->high), IMP_TEXT(p->apart ? "yes" : "no"));
}
