// Percuss: an engine for bodies, crowds, chains and continua that collide. Includes all headers.
#ifndef PERCUSS_H
#define PERCUSS_H

#include "percuss/balance.h"
#include "percuss/browser.h"
#include "percuss/chain.h"
#include "percuss/chain_bounds.h"
#include "percuss/chain_pictures.h"
#include "percuss/check.h"
#include "percuss/continuum.h"
#include "percuss/convex.h"
#include "percuss/crowd.h"
#include "percuss/crowd_measures.h"
#include "percuss/export.h"
#include "percuss/heat.h"
#include "percuss/identify.h"
#include "percuss/impact.h"
#include "percuss/law.h"
#include "percuss/random.h"
#include "percuss/report.h"
#include "percuss/rotation.h"
#include "percuss/run.h"
#include "percuss/runs.h"
#include "percuss/scene.h"
#include "percuss/shape.h"
#include "percuss/status.h"
#include "percuss/validate.h"
#include "percuss/view.h"
#include "percuss/world.h"
#include "percuss/world_heat.h"

#endif
