// The random numbers of the public interface, under the name by which the engine includes them.
#ifndef PERCUSS_CORE_RANDOM_H
#define PERCUSS_CORE_RANDOM_H

#include "percuss/random.h"

#endif
