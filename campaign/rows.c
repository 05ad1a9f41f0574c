/* rows.c - the rows of inquiries that ask every model. */
#include "campaign/campaign.h"

const char *campaign_model_row(int row) {
    return imp_models[row] ? imp_models[row]->name : NULL;
}

uint64_t campaign_models(void) {
    uint64_t models = 0;
    while (imp_models[models])
        models++;
    return models;
}
