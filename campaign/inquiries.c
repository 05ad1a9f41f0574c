/* inquiries.c - what a campaign asks. */
#include "campaign/campaign.h"
#include "impact.h"

extern const campaign_inquiry campaign_maxdiss, campaign_coulomb, campaign_darboux, campaign_plus,
    campaign_convex, campaign_blocks, campaign_stress, campaign_rewritten, campaign_laws,
    campaign_oracle, campaign_counts, campaign_memory, campaign_files, campaign_kills;

const campaign_inquiry *const campaign_inquiries[] = {
    &campaign_maxdiss, &campaign_coulomb, &campaign_darboux, &campaign_plus,
    &campaign_convex,  &campaign_blocks,  &campaign_stress,  &campaign_rewritten,
    &campaign_laws,    &campaign_oracle,
#ifdef HAVE_GMP
    &campaign_counts,
#endif
    &campaign_memory,  &campaign_files,   &campaign_kills,   NULL};

const char *campaign_model_row(int row) {
    return imp_models[row] ? imp_models[row]->name : NULL;
}

uint64_t campaign_models(void) {
    uint64_t models = 0;
    while (imp_models[models])
        models++;
    return models;
}
