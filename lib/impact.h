/* impact.h - libimpact: impact models for frictional rigid-body contact, and the certificates that judge them. */
#ifndef IMPACT_H
#define IMPACT_H

#define IMP_VERSION "0.1.0"

#include "contact/delassus.h"
#include "contact/factored.h"
#include "contact/frame.h"
#include "contact/law.h"
#include "contact/model.h"
#include "contact/operator.h"
#include "contact/path.h"
#include "contact/problem.h"
#include "contact/rank.h"
#include "contact/sparse.h"
#include "contact/status.h"
#include "granular/granular.h"
#include "granular/ranks.h"
#include "io/io.h"
#include "multi/anitescu.h"
#include "multi/blocks.h"
#include "multi/convex.h"
#include "multi/lemke.h"
#include "multi/plus.h"
#include "multibody/joint_friction.h"
#include "multibody/nearby.h"
#include "multibody/step.h"
#include "multibody/tree.h"
#include "single/batch.h"
#include "multibody/world.h"
#include "single/darboux.h"
#include "single/single.h"

#endif
