/* apart.h - islands of contacts that W couples, each solved by itself: what a contact does depends
 * on nothing that it is not coupled with, neither its impulse nor how long it was looked for nor
 * whether it was found. */
#ifndef IMP_APART_H
#define IMP_APART_H

#include "blocks/restitution.h"

/* A restitution around an inelastic solver. */
typedef imp_status (*imp_bouncing)(const imp_problem *problem, const imp_blocks_settings *settings,
                                   imp_inelastic inelastic, double *p, imp_info *info);

/* p (3nc, N s) <- the answers of the islands, `p` on entry being a guess where one is asked for.
 * info: the most iterations and the largest residual of an island; a path of three steps where the
 * problem bounces and the law has one. Statuses: IMP_OK where each island's is; IMP_NO_SOLUTION
 * where one has none; else the first that is not IMP_OK. IMP_NO_MEMORY, p is as it was then.
 * Thread-safe. */
imp_status imp_blocks_apart(const imp_problem *problem, const imp_blocks_settings *settings,
                            imp_bouncing bouncing, imp_inelastic inelastic, double *p,
                            imp_info *info);

#endif
