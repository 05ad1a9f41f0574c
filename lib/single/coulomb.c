/* coulomb.c - placeholder. */
#include "single/single.h"
imp_status imp_coulomb_enumerate(const double W[6], const double q[3], double mu, imp_coulomb_set *set) { (void)W;(void)q;(void)mu;(void)set; return IMP_UNSUPPORTED; }
const imp_model imp_model_coulomb={.name="coulomb", .law=&imp_law_coulomb};
const char *imp_coulomb_kind_text(imp_coulomb_kind kind) { static const char *const t[]={"zero","stick","slip","segment"}; return t[kind]; }
