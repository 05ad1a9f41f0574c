/* maxdiss.c - placeholder. */
#include "single/single.h"
imp_status imp_maxdiss(const double W[6], const double q[3], double mu, double e, double p[3], imp_info *info) { (void)W;(void)q;(void)mu;(void)e;(void)p;(void)info; return IMP_UNSUPPORTED; }
const imp_model imp_model_maxdiss = {.name="maxdiss", .law=&imp_law_maxdiss};
