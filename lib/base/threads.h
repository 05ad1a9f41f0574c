/* threads.h - how many threads a caller may ask for. */
#ifndef IMP_THREADS_H
#define IMP_THREADS_H

#include "base/public.h"

IMP_PUBLIC_BEGIN

enum { IMP_THREADS_MOST = 1024 };

IMP_PUBLIC_END

#endif
