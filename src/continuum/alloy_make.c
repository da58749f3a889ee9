// Making an alloy in time: the collision that a step of its waves is, and its thermal problem.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "continuum/alloy_state.h"
#include "core/error.h"

static pc_status check(const pc_fe_alloy_def *def, pc_error *error)
{
  if (def->mesh == NULL || def->media < 1)
    return pc_fail(error, PC_ERROR_ARGUMENT, "an alloy in time needs a mesh and a medium");
  if (!(def->step > 0) || !isfinite(def->step))
    return pc_fail(error, PC_ERROR_ARGUMENT, "an alloy in time needs a step > 0, not %g",
                   def->step);
  if (!(def->tolerance >= 0 && def->tolerance < 1))
    return pc_fail(error, PC_ERROR_ARGUMENT, "the tolerance is %g, not between 0 and 1",
                   def->tolerance);
  const pc_fe_alloy_medium *sloped = NULL;
  for (int i = 0; i < def->media; i++) {
    const pc_fe_alloy_medium *m = &def->medium[i];
    if (m->solid.group != m->heat.group)
      return pc_fail(error, PC_ERROR_ARGUMENT, "medium %d is of two groups, %d and %d", i,
                     m->solid.group, m->heat.group);
    if (!(m->slope <= 0) || !isfinite(m->slope))
      return pc_fail(error, PC_ERROR_ARGUMENT, "the slope of tau of medium %d is %g, not <= 0", i,
                     m->slope);
    if (m->slope == 0)
      continue;
    if (m->heat.phases != PC_FE_ALLOY)
      return pc_fail(error, PC_ERROR_ARGUMENT, "medium %d has a slope of tau but is no alloy", i);
    if (!(m->critical > m->heat.change) || !isfinite(m->critical))
      return pc_fail(error, PC_ERROR_ARGUMENT,
                     "the critical temperature of medium %d is %g K, not above that of its change, "
                     "%g K",
                     i, m->critical, m->heat.change);
    if (sloped != NULL && (sloped->slope != m->slope || sloped->critical != m->critical))
      return pc_fail(error, PC_ERROR_ARGUMENT,
                     "alloys of one motion have one tau: medium %d has another", i);
    sloped = m;
  }
  for (int i = 0; i < def->holds; i++)
    if (def->hold[i].kept)
      return pc_fail(error, PC_ERROR_ARGUMENT, "in a motion what is held does not move");
  return PC_OK;
}

static void *copy(const void *from, int count, size_t size)
{
  void *to = calloc((size_t)count + 1, size);
  if (to != NULL && count > 0)
    memcpy(to, from, (size_t)count * size);
  return to;
}

// The midpoint rule as a collision: viscosities h^2/4 of the moduli.
static pc_status make_step(pc_fe_alloy *a, const pc_fe_solid *solid, pc_error *error)
{
  double h = a->def.step;
  pc_fe_medium *medium = calloc((size_t)a->def.media + 1, sizeof *medium);
  if (medium == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory for an alloy");
  for (int i = 0; i < a->def.media; i++) {
    double mu, lambda;
    pc_fe_solid_moduli(&solid[i], a->size, &mu, &lambda);
    medium[i] = (pc_fe_medium){.group = solid[i].group,
                               .density = solid[i].density,
                               .strain = h * h / 4 * mu,
                               .volume = h * h / 4 * lambda};
  }
  pc_fe_collision_def def = {.mesh = a->def.mesh,
                             .media = a->def.media,
                             .medium = medium,
                             .holds = a->def.holds,
                             .hold = a->def.hold,
                             .load = a->load};
  a->step = pc_fe_collision_create(&def, error);
  free(medium);
  return a->step != NULL ? PC_OK : error != NULL ? error->status : PC_ERROR_ARGUMENT;
}

// All rates times the step.
static pc_status make_thermal(pc_fe_alloy *a, pc_error *error)
{
  double h = a->def.step;
  pc_fe_thermal_medium *medium = calloc((size_t)a->def.media + 1, sizeof *medium);
  pc_fe_thermal_side *side = copy(a->def.side, a->def.surfaces, sizeof *side);
  if (medium != NULL && side != NULL) {
    for (int i = 0; i < a->def.media; i++) {
      medium[i] = a->def.medium[i].heat;
      medium[i].conduct *= h;
      medium[i].resist /= h;
      medium[i].spread_change /= h;
      medium[i].exchange *= h;
    }
    for (int i = 0; i < a->def.surfaces; i++)
      side[i].exchange *= h;
    pc_fe_thermal_def def = {.mesh = a->def.mesh,
                             .media = a->def.media,
                             .medium = medium,
                             .surfaces = a->def.surfaces,
                             .side = side,
                             .weight = 1};
    a->thermal = pc_fe_thermal_create(&def, error);
  } else
    pc_fail(error, PC_ERROR_MEMORY, "not enough memory for an alloy");
  free(medium);
  free(side);
  return a->thermal != NULL ? PC_OK : error != NULL ? error->status : PC_ERROR_ARGUMENT;
}

static bool make_vectors(pc_fe_alloy *a)
{
  size_t n = (size_t)a->numbers + 1, nodes = (size_t)a->def.mesh->nodes + 1;
  double **vector[] = {&a->u, &a->v, &a->u1, &a->v1, &a->load};
  double **node[] = {&a->temperature, &a->dilated, &a->warm,  &a->dilated1,
                     &a->heat,        &a->stress,  &a->volume};
  bool good = true;
  for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
    good = (*vector[i] = calloc(n, sizeof(double))) != NULL && good;
  for (size_t i = 0; i < sizeof node / sizeof *node; i++)
    good = (*node[i] = calloc(nodes, sizeof(double))) != NULL && good;
  a->fraction = calloc(nodes, sizeof *a->fraction);
  a->turned = calloc(nodes, sizeof *a->turned);
  a->drive = calloc(nodes, sizeof *a->drive);
  return good && a->fraction && a->turned && a->drive;
}

static pc_status fill(pc_fe_alloy *a, const pc_fe_alloy_def *def, pc_error *error)
{
  a->def = *def;
  a->def.medium = copy(def->medium, def->media, sizeof *def->medium);
  a->def.side = copy(def->side, def->surfaces, sizeof *def->side);
  a->def.hold = copy(def->hold, def->holds, sizeof *def->hold);
  a->size = def->mesh->dimension;
  a->numbers = a->size * def->mesh->nodes;
  pc_fe_solid *solid = calloc((size_t)def->media + 1, sizeof *solid);
  bool *group = calloc((size_t)def->mesh->groups + 1, sizeof *group);
  pc_status status = PC_OK;
  if (!a->def.medium || !a->def.side || !a->def.hold || !solid || !group || !make_vectors(a)) {
    status = pc_fail(error, PC_ERROR_MEMORY, "not enough memory for an alloy");
    goto done;
  }
  for (int i = 0; i < def->media; i++) {
    const pc_fe_alloy_medium *m = &def->medium[i];
    solid[i] = m->solid;
    if (m->slope < 0) {
      a->slope = m->slope;
      a->critical = m->critical;
    }
  }
  static const double none[2] = {0, 0};
  status = pc_fe_elastic_create(&a->elastic, def->mesh, def->media, solid, none, error);
  for (int i = 0; i < def->media && status == PC_OK; i++)
    group[def->medium[i].solid.group] = def->medium[i].slope < 0;
  if (status == PC_OK)
    status = pc_fe_dilation_create(&a->dilation, def->mesh, group, error);
  if (status == PC_OK)
    status = make_step(a, solid, error);
  if (status == PC_OK)
    status = make_thermal(a, error);
  for (int i = 0; status == PC_OK && i < a->thermal->rows; i++)
    if (a->thermal->row[i].size == 3)
      a->whole += a->volume[a->thermal->row[i].node] = a->thermal->row[i].volume;

done:
  free(solid);
  free(group);
  return status;
}

pc_fe_alloy *pc_fe_alloy_create(const pc_fe_alloy_def *def, pc_error *error)
{
  if (check(def, error) != PC_OK)
    return NULL;
  pc_fe_alloy *a = calloc(1, sizeof *a);
  if (a == NULL) {
    pc_fail(error, PC_ERROR_MEMORY, "not enough memory for an alloy");
    return NULL;
  }
  if (fill(a, def, error) == PC_OK)
    return a;
  pc_fe_alloy_destroy(a);
  return NULL;
}

void pc_fe_alloy_destroy(pc_fe_alloy *a)
{
  if (a == NULL)
    return;
  pc_fe_collision_destroy(a->step);
  pc_fe_thermal_destroy(a->thermal);
  pc_fe_dilation_free(&a->dilation);
  pc_fe_elastic_free(&a->elastic);
  void *list[] = {(void *)a->def.medium,
                  (void *)a->def.side,
                  (void *)a->def.hold,
                  a->volume,
                  a->u,
                  a->v,
                  a->u1,
                  a->v1,
                  a->load,
                  a->temperature,
                  a->fraction,
                  a->dilated,
                  a->warm,
                  a->turned,
                  a->dilated1,
                  a->heat,
                  a->stress,
                  a->drive};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++)
    free(list[i]);
  free(a);
}
