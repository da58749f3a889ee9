// Materials, and the contact laws of pairs of them.
#ifndef PERCUSS_RIGID_MATERIALS_H
#define PERCUSS_RIGID_MATERIALS_H

#include "core/array.h"
#include "percuss/law.h"

typedef struct pc_material_pair {
  int a, b; // a <= b
  pc_law law;
} pc_material_pair;

typedef struct pc_materials {
  PC_ARRAY(double) density;
  PC_ARRAY(pc_material_pair) pair;
  pc_law default_law; // of pairs without a law of their own
} pc_materials;

#endif
