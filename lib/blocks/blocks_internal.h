/* blocks_internal.h - what the block solvers' files share. Private to lib/blocks. */
#ifndef IMP_BLOCKS_INTERNAL_H
#define IMP_BLOCKS_INTERNAL_H

#include "blocks/blocks.h"
#include "blocks/blockwise.h"

/* Does `stop` ask for the field's error as well as for the scale-free one? */
bool imp_blocks_field_too(const imp_problem *problem, const imp_blocks_settings *settings);

/* Of an iterate whose natural error is within the tolerance: the error that goes on deciding. It is
 * that error where the law's certificate holds too, within imp_blocks_bound; else the certificate's
 * largest residual in tolerances per bound, which is above the tolerance. Impulses that are dust
 * beside |q|, which sweeps halve for ever where nothing holds them and which may be all that a
 * contact is judged by, are cleared from b where it holds without them. p (3nc, N s) <- the
 * iterate. */
double imp_blocks_certified_error(blockwise *b, const imp_problem *problem, const imp_law *law,
                                  const imp_blocks_settings *settings, double *p, double error);

/* The largest residual that the certificate of an answer within the tolerance may have: solvers go
 * on until it holds. The tolerance is relative to |q| of all contacts, a certificate to each
 * contact's own velocities: a hundredfold lets these be a hundredth of |q| before more than the
 * tolerance is asked for. Below 1e-9, every model's bound, rounding would decide. */
double imp_blocks_bound(const void *settings);

/* `error`, or the tolerance where that is too much to ask: `rounding` is what it leaves of u over
 * |q|, much where light bodies hold up a heavy one by impulses far beyond their own. It may hide
 * that bound; with mu >> 1, where the natural map holds mu |u_t|, anything. */
double imp_blocks_told(double error, const imp_blocks_settings *settings, double mu,
                       double rounding);

/* imp_blockwise_judged of the present iterate in that light. */
double imp_blocks_judged(const blockwise *b, natural_error errors,
                         const imp_blocks_settings *settings);

/* The only contact, by enumeration (without it gate: models/auto/work, /solve): p (3), and what is
 * reported, <- of its solutions the most dissipative of those whose velocities a double can show,
 * as a body that is wedged may have a stick of 1e16 N s beside others. False where that leaves
 * anything open: W may be singular, or a recorded one not symmetric. */
bool imp_blocks_lone(const imp_problem *problem, const imp_blocks_settings *settings, double *p,
                     imp_blocks_report *report, imp_info *info);

/* Gauss-Seidel with a local law, and its blend with Jacobi, for e = 0. */
imp_status imp_gauss_seidel(const imp_problem *problem, const imp_blocks_settings *settings,
                            local_law law, double *p, imp_info *info);

#endif
