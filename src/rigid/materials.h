// Materials, and the contact laws of pairs of them.
#ifndef PERCUSS_RIGID_MATERIALS_H
#define PERCUSS_RIGID_MATERIALS_H

#include "core/array.h"
#include "percuss/impact.h"
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

void pc_materials_init(pc_materials *materials); // no material, and the default law
void pc_materials_free(pc_materials *materials);

int pc_materials_add(pc_materials *materials, double density, pc_error *error); // number, or -1
double pc_materials_density(const pc_materials *materials, int material);       // 0: there is none

// Sets the law of a pair, or the default law, after a check in a world of this dimension.
pc_status pc_materials_set_law(pc_materials *materials, int material_a, int material_b,
                               const pc_law *law, int dimension, pc_error *error);
pc_status pc_materials_set_default_law(pc_materials *materials, const pc_law *law, int dimension,
                                       pc_error *error);
// Laws have numbers: those of pairs in order, and after them the default law.
int pc_materials_find_law(const pc_materials *materials, int material_a, int material_b);
static inline const pc_law *pc_materials_law(const pc_materials *materials, int number)
{
  return number < materials->pair.count ? &materials->pair.at[number].law : &materials->default_law;
}

bool pc_law_rolls(const pc_law *law);                  // has rolling friction
bool pc_materials_roll(const pc_materials *materials); // some law has it

#endif
