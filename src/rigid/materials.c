// Materials, and the contact laws of pairs of them.
#include "rigid/materials.h"

#include <math.h>
#include <string.h>

#include "core/error.h"

void pc_materials_init(pc_materials *materials)
{
  *materials = (pc_materials){.default_law = pc_law_default()};
}

void pc_materials_free(pc_materials *materials)
{
  pc_array_free(&materials->density);
  pc_array_free(&materials->pair);
}

int pc_materials_add(pc_materials *materials, double density, pc_error *error)
{
  if (!(density > 0) || !isfinite(density)) {
    pc_fail(error, PC_ERROR_ARGUMENT, "a density must be positive and finite");
    return -1;
  }
  double *own = pc_array_add(&materials->density);
  if (own == NULL) {
    pc_fail(error, PC_ERROR_MEMORY, "out of memory");
    return -1;
  }
  *own = density;
  return materials->density.count - 1;
}

double pc_materials_density(const pc_materials *materials, int material)
{
  bool known = material >= 0 && material < materials->density.count;
  return known ? materials->density.at[material] : 0;
}

// A law is tried on a small problem of its own, so that the impact problem's checks say what is
// wrong with it before the first step.
static pc_status check_law(const pc_law *law, int dimension, pc_error *error)
{
  pc_status status = PC_OK;
  pc_impact *probe = pc_impact_create();
  pc_impact_body body = pc_impact_body_default();
  pc_interaction contact = pc_interaction_default(PC_CONTACT);
  body.dof = dimension == 3 ? 6 : 3;
  contact.law = *law;
  contact.law.tangential.anisotropic = false; // its axis may suit other normals
  if (probe == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  if (pc_impact_add_body(probe, &body) < 0 || pc_impact_add_interaction(probe, &contact) < 0) {
    const char *why = pc_impact_error(probe);
    bool memory = strcmp(why, "out of memory") == 0;
    status = pc_fail(error, memory ? PC_ERROR_MEMORY : PC_ERROR_ARGUMENT, "%s", why);
  }
  pc_impact_destroy(probe);
  return status;
}

int pc_materials_find_law(const pc_materials *materials, int material_a, int material_b)
{
  int a = material_a < material_b ? material_a : material_b;
  int b = material_a < material_b ? material_b : material_a;
  for (int i = 0; i < materials->pair.count; i++)
    if (materials->pair.at[i].a == a && materials->pair.at[i].b == b)
      return i;
  return materials->pair.count;
}

pc_status pc_materials_set_law(pc_materials *materials, int material_a, int material_b,
                               const pc_law *law, int dimension, pc_error *error)
{
  int a = material_a < material_b ? material_a : material_b;
  int b = material_a < material_b ? material_b : material_a;
  if (a < 0 || b >= materials->density.count)
    return pc_fail(error, PC_ERROR_ARGUMENT, "unknown material");
  pc_status status = check_law(law, dimension, error);
  if (status != PC_OK)
    return status;
  int number = pc_materials_find_law(materials, a, b);
  if (number == materials->pair.count && pc_array_add(&materials->pair) == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  materials->pair.at[number] = (pc_material_pair){a, b, *law};
  return PC_OK;
}

pc_status pc_materials_set_default_law(pc_materials *materials, const pc_law *law, int dimension,
                                       pc_error *error)
{
  pc_status status = check_law(law, dimension, error);
  if (status == PC_OK)
    materials->default_law = *law;
  return status;
}

bool pc_law_rolls(const pc_law *law)
{
  return law->tangential.kind == PC_TANGENTIAL_COULOMB && law->tangential.rolls;
}

bool pc_materials_roll(const pc_materials *materials)
{
  bool any = pc_law_rolls(&materials->default_law);
  for (int i = 0; i < materials->pair.count; i++)
    any = any || pc_law_rolls(&materials->pair.at[i].law);
  return any;
}
