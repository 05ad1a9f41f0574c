/* inquiries.c - what a campaign asks. */
#include "campaign/campaign.h"

extern const campaign_inquiry campaign_maxdiss, campaign_coulomb, campaign_darboux, campaign_convex,
    campaign_blocks, campaign_stress, campaign_rewritten, campaign_memory, campaign_files,
    campaign_kills, campaign_oracle, campaign_counts;

const campaign_inquiry *const campaign_inquiries[] = {&campaign_maxdiss,
                                                      &campaign_coulomb,
                                                      &campaign_darboux,
                                                      &campaign_convex,
                                                      &campaign_blocks,
                                                      &campaign_stress,
                                                      &campaign_rewritten,
                                                      &campaign_memory,
                                                      &campaign_files,
                                                      &campaign_kills,
                                                      &campaign_oracle,
#ifdef HAVE_GMP
                                                      &campaign_counts,
#endif
                                                      NULL};
