/* io.h - files: contact problems, answers, solutions, dumps. */
#ifndef IMP_IO_H
#define IMP_IO_H

#include "io/answer.h"
#include "io/columns.h"
#include "io/dump.h"
#include "io/error.h"
#include "io/flow_file.h"
#include "io/inertia.h"
#include "io/number.h"
#include "io/problem_file.h"
#include "io/settings.h"
#include "io/solution_file.h"
#include "io/stream.h"
#include "io/vtk.h"

#endif
