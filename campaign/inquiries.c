/* inquiries.c - what a campaign asks. */
#include "campaign/campaign.h"

extern const campaign_inquiry campaign_maxdiss, campaign_coulomb, campaign_darboux, campaign_plus,
    campaign_convex, campaign_blocks, campaign_stress, campaign_rewritten, campaign_laws,
    campaign_steps, campaign_oracle, campaign_counts, campaign_memory, campaign_files,
    campaign_kills;

const campaign_inquiry *const campaign_inquiries[] = {
    &campaign_maxdiss, &campaign_coulomb, &campaign_darboux, &campaign_plus,
    &campaign_convex,  &campaign_blocks,  &campaign_stress,  &campaign_rewritten,
    &campaign_laws,    &campaign_steps,   &campaign_oracle,
#ifdef HAVE_GMP
    &campaign_counts,
#endif
    &campaign_memory,  &campaign_files,   &campaign_kills,   NULL};
