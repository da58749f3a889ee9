// Checks the definition of a thermal problem.
#include <math.h>

#include "continuum/thermal_state.h"
#include "core/error.h"

static const char *name_of(const pc_fe_mesh *mesh, int group)
{
  return mesh->group[group].name;
}

static pc_status check_group(const pc_fe_mesh *mesh, int group, int dimension, const char *what,
                             int i, pc_error *error)
{
  if (group < 0 || group >= mesh->groups || mesh->group[group].dimension != dimension)
    return pc_fail(error, PC_ERROR_ARGUMENT, "%s %d has group %d, which has no %s", what, i, group,
                   dimension == mesh->dimension ? "elements" : "sides");
  return PC_OK;
}

// A number of "name", > 0 or >= 0.
static pc_status check_number(const char *name, const char *what, double x, bool positive,
                              pc_error *error)
{
  if (isfinite(x) && (positive ? x > 0 : x >= 0))
    return PC_OK;
  return pc_fail(error, PC_ERROR_ARGUMENT, "the %s of \"%s\" is %g, not %s 0", what, name, x,
                 positive ? ">" : ">=");
}

typedef struct number {
  const char *what;
  double x;
  bool positive;
} number;

static pc_status check_numbers(const char *name, int count, const number *list, pc_error *error)
{
  pc_status status = PC_OK;
  for (int i = 0; i < count && status == PC_OK; i++)
    status = check_number(name, list[i].what, list[i].x, list[i].positive, error);
  return status;
}

static pc_status check_medium(const pc_fe_thermal_def *def, int i, pc_error *error)
{
  const pc_fe_thermal_medium *m = &def->medium[i];
  const pc_fe_mesh *mesh = def->mesh;
  pc_status status = check_group(mesh, m->group, mesh->dimension, "medium", i, error);
  if (status != PC_OK)
    return status;
  const char *name = name_of(mesh, m->group);
  for (int k = 0; k < i; k++)
    if (def->medium[k].group == m->group)
      return pc_fail(error, PC_ERROR_ARGUMENT, "\"%s\" is two media, %d and %d", name, k, i);
  const number all[] = {{"capacity", m->capacity, true},
                        {"conductivity", m->conduct, false},
                        {"exchange", m->exchange, false}};
  status = check_numbers(name, 3, all, error);
  if (status == PC_OK && m->exchange > 0)
    status = check_number(name, "temperature outside", m->outside, true, error);
  if (status != PC_OK || m->phases == PC_FE_ONE_PHASE)
    return status;
  if (m->phases != PC_FE_LIQUID && m->phases != PC_FE_ALLOY)
    return pc_fail(error, PC_ERROR_ARGUMENT, "\"%s\" has phases of kind %d, which is none", name,
                   (int)m->phases);
  const number phases[] = {{"latent heat", m->latent, true},
                           {"temperature of phase change", m->change, true},
                           {"resistance to phase change", m->resist, false},
                           {"spread of phases", m->spread, false},
                           {"spread of changes of phase", m->spread_change, false}};
  return check_numbers(name, 5, phases, error);
}

static pc_status check_side(const pc_fe_thermal_def *def, int i, pc_error *error)
{
  const pc_fe_thermal_side *s = &def->side[i];
  const pc_fe_mesh *mesh = def->mesh;
  pc_status status = check_group(mesh, s->sides, mesh->dimension - 1, "surface", i, error);
  if (status != PC_OK)
    return status;
  const char *name = name_of(mesh, s->sides);
  const number all[] = {{"capacity", s->capacity, false}, {"exchange", s->exchange, false}};
  status = check_numbers(name, 2, all, error);
  if (status == PC_OK && (s->given || s->exchange > 0))
    status = check_number(name, "temperature outside", s->outside, true, error);
  return status;
}

static pc_status check_contact(const pc_fe_thermal_def *def, int i, pc_error *error)
{
  const pc_fe_thermal_contact *c = &def->contact[i];
  const pc_fe_mesh *mesh = def->mesh;
  pc_status status = check_group(mesh, c->sides, mesh->dimension - 1, "contact", i, error);
  if (status == PC_OK && c->other != -1)
    status = check_group(mesh, c->other, mesh->dimension - 1, "contact", i, error);
  if (status == PC_OK)
    status = check_number(name_of(mesh, c->sides), "exchange", c->exchange, false, error);
  if (status == PC_OK && c->other == c->sides)
    return pc_fail(error, PC_ERROR_ARGUMENT, "\"%s\" is in contact with itself",
                   name_of(mesh, c->sides));
  if (status == PC_OK && c->other == -1 && c->exchange > 0)
    return pc_fail(error, PC_ERROR_ARGUMENT,
                   "the contact of \"%s\" exchanges heat with what has no temperature: a surface's "
                   "exchange may stand for it",
                   name_of(mesh, c->sides));
  return status;
}

pc_status pc_thermal_check(const pc_fe_thermal_def *def, pc_error *error)
{
  if (def->mesh == NULL || def->media < 1)
    return pc_fail(error, PC_ERROR_ARGUMENT, "a thermal problem needs a mesh and a medium");
  if (def->weight != 0.5 && def->weight != 1)
    return pc_fail(error, PC_ERROR_ARGUMENT,
                   "the weight of temperatures after is %g, not 1/2 (a collision) or 1 (a step)",
                   def->weight);
  if (!(def->tolerance >= 0) || !(def->tolerance < 1))
    return pc_fail(error, PC_ERROR_ARGUMENT, "the tolerance is %g, not between 0 and 1",
                   def->tolerance);
  pc_status status = PC_OK;
  for (int i = 0; i < def->media && status == PC_OK; i++)
    status = check_medium(def, i, error);
  for (int i = 0; i < def->surfaces && status == PC_OK; i++)
    status = check_side(def, i, error);
  for (int i = 0; i < def->contacts && status == PC_OK; i++)
    status = check_contact(def, i, error);
  return status;
}
