/* impact.h - libimpact: impact models for frictional rigid-body contact, and the certificates that
 * judge them. */
#ifndef IMPACT_H
#define IMPACT_H

/* The version of these headers. */
#define IMP_VERSION "0.1.0"

#include "contact/bilateral.h"
#include "contact/delassus.h"
#include "linear/factored.h"
#include "contact/frame.h"
#include "contact/law.h"
#include "contact/model.h"
#include "contact/plugin.h"
#include "linear/operator.h"
#include "contact/path.h"
#include "contact/problem.h"
#include "linear/rank.h"
#include "linear/sparse.h"
#include "base/status.h"
#include "base/threads.h"
#include "granular/granular.h"
#include "granular/ranks/ranks.h"
#include "io/io.h"
#include "cone/anitescu.h"
#include "blocks/blocks.h"
#include "cone/contradiction.h"
#include "cone/convex.h"
#include "linear/lemke.h"
#include "plus/plus.h"
#include "multibody/joint_friction.h"
#include "multibody/loop.h"
#include "multibody/nearby.h"
#include "multibody/step.h"
#include "multibody/tree.h"
#include "single/batch.h"
#include "multibody/world.h"
#include "single/darboux.h"
#include "single/forces.h"
#include "single/single.h"

IMP_PUBLIC_BEGIN

/* IMP_VERSION of the library that runs, for whoever binds it without its headers: layouts of its
 * structs are those of that version. Thread-safe. */
const char *imp_version(void);

IMP_PUBLIC_END

#endif
