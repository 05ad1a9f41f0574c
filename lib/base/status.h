/* status.h - what a call ended with, and its one-line text. */
#ifndef IMP_STATUS_H
#define IMP_STATUS_H

#include "base/public.h"

IMP_PUBLIC_BEGIN

/* What a call ended with: name, value, text. 0 is success, > 0 an outcome to look at, < 0 an
 * error of the caller or the system. The text is what tables and JSON answers carry in their
 * `status`. */
#define IMP_STATUS_LIST(X)                                                                         \
    X(IMP_OK, 0, "ok")                                                                             \
    X(IMP_NOT_CONVERGED, 1,                                                                        \
      "not-converged") /* best answer found, above the requested tolerance     */                  \
    X(IMP_NOT_CERTIFIED, 2,                                                                        \
      "not-certified") /* data too close to a discontinuity for double         */                  \
    X(IMP_NO_SOLUTION, 3,                                                                          \
      "no-solution")               /* the model has none for these data                    */      \
    X(IMP_OVERFLOW, 4, "overflow") /* the answer is not representable in double            */      \
    X(IMP_BAD_ARGUMENT, -1, "bad-argument")                                                        \
    X(IMP_NOT_FINITE, -2, "not-finite")                                                            \
    X(IMP_NOT_SYMMETRIC, -3, "not-symmetric")                                                      \
    X(IMP_NOT_POSITIVE, -4, "not-positive-definite")                                               \
    X(IMP_BAD_FRICTION, -5, "bad-friction")                                                        \
    X(IMP_BAD_RESTITUTION, -6, "bad-restitution")                                                  \
    X(IMP_UNSUPPORTED, -7,                                                                         \
      "unsupported") /* the model does not take such a problem               */                    \
    X(IMP_NO_MEMORY, -8, "no-memory")                                                              \
    X(IMP_IO, -9, "input-output")                                                                  \
    X(IMP_CRASHED, -10, "crashed") /* a solver outside the library ended by itself            */   \
    X(IMP_TIMED_OUT, -11, "timed-out")   /* it took longer than it was allowed             */      \
    X(IMP_BAD_ANSWER, -12, "bad-answer") /* it said what is no answer                     */

/* One of them as a constant. */
#define IMP_STATUS_ENUM(name, value, text) name = value,
/* What a call ended with: 0 success, > 0 an outcome to look at, < 0 an error of the caller or the
 * system; IMP_STATUS_LIST has each. */
typedef enum imp_status { IMP_STATUS_LIST(IMP_STATUS_ENUM) IMP_STATUS_END = 1000 } imp_status;
#undef IMP_STATUS_ENUM

/* The text of a status ("ok", "not-converged", ...), "unknown" for a number that is none.
 * Thread-safe. */
const char *imp_status_text(imp_status status);

IMP_PUBLIC_END

#endif
