// Checks the definition of a collision.
#include <math.h>
#include <stdlib.h>

#include "continuum/collision_state.h"
#include "core/error.h"

static bool at_least_zero(double x)
{
  return isfinite(x) && x >= 0;
}

// A group of sides that has some.
static pc_status check_sides(const pc_fe_mesh *mesh, const char *what, int i, int group,
                             pc_error *error)
{
  if (group < 0 || group >= mesh->groups || mesh->group[group].dimension != mesh->dimension - 1)
    return pc_fail(error, PC_ERROR_ARGUMENT, "%s %d has no group of sides %d", what, i, group);
  for (int s = 0; s < mesh->side.count; s++)
    if (mesh->side.cell[s].group == group)
      return PC_OK;
  return pc_fail(error, PC_ERROR_ARGUMENT, "%s %d: the group \"%s\" has no sides", what, i,
                 mesh->group[group].name);
}

static pc_status check_media(const pc_fe_collision_def *def, pc_error *error)
{
  const pc_fe_mesh *mesh = def->mesh;
  int *medium_of = malloc(((size_t)mesh->groups + 1) * sizeof *medium_of);
  if (medium_of == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory for %d groups", mesh->groups);
  for (int g = 0; g < mesh->groups; g++)
    medium_of[g] = -1;
  pc_status status = PC_OK;
  for (int i = 0; i < def->media && status == PC_OK; i++) {
    const pc_fe_medium *m = &def->medium[i];
    if (m->group < 0 || m->group >= mesh->groups ||
        mesh->group[m->group].dimension != mesh->dimension) {
      status =
          pc_fail(error, PC_ERROR_ARGUMENT, "medium %d has no group of elements %d", i, m->group);
      break;
    }
    const char *name = mesh->group[m->group].name;
    if (medium_of[m->group] >= 0)
      status = pc_fail(error, PC_ERROR_ARGUMENT, "\"%s\" has two media", name);
    else if (!(isfinite(m->density) && m->density > 0))
      status = pc_fail(error, PC_ERROR_ARGUMENT, "the density of \"%s\" is %g, not above 0", name,
                       m->density);
    else if (!at_least_zero(m->strain) || !isfinite(m->volume) ||
             m->volume < -2 * m->strain / mesh->dimension)
      status = pc_fail(error, PC_ERROR_ARGUMENT,
                       "the viscosities of \"%s\" are %g and %g, and would give energy", name,
                       m->strain, m->volume);
    else if (m->fluid && m->volume != 0)
      status = pc_fail(error, PC_ERROR_ARGUMENT,
                       "the fluid \"%s\" keeps its volume and has no volume viscosity", name);
    medium_of[m->group] = i;
  }
  for (int e = 0; e < mesh->body.count && status == PC_OK; e++)
    if (medium_of[mesh->body.cell[e].group] < 0)
      status = pc_fail(error, PC_ERROR_ARGUMENT, "the elements of \"%s\" have no medium",
                       mesh->group[mesh->body.cell[e].group].name);
  free(medium_of);
  return status;
}

static pc_status check_bodies(const pc_fe_collision_def *def, pc_error *error)
{
  for (int i = 0; i < def->bodies; i++) {
    const pc_fe_body *b = &def->body[i];
    if (!(isfinite(b->mass) && b->mass > 0))
      return pc_fail(error, PC_ERROR_ARGUMENT, "the mass of body %d is %g, not above 0", i,
                     b->mass);
    if (def->mesh->dimension == 2 && !(isfinite(b->inertia) && b->inertia > 0))
      return pc_fail(error, PC_ERROR_ARGUMENT, "the inertia of body %d is %g, not above 0", i,
                     b->inertia);
    if (!isfinite(b->centre[0]) || !isfinite(b->centre[1]))
      return pc_fail(error, PC_ERROR_ARGUMENT, "the centre of body %d is not finite", i);
  }
  return PC_OK;
}

static pc_status check_contacts(const pc_fe_collision_def *def, pc_error *error)
{
  const pc_fe_mesh *mesh = def->mesh;
  for (int i = 0; i < def->contacts; i++) {
    const pc_fe_contact *c = &def->contact[i];
    pc_status status = check_sides(mesh, "contact", i, c->sides, error);
    if (status == PC_OK && c->other >= 0)
      status = check_sides(mesh, "contact", i, c->other, error);
    if (status != PC_OK)
      return status;
    const char *name = mesh->group[c->sides].name;
    if (c->other == c->sides)
      return pc_fail(error, PC_ERROR_ARGUMENT, "\"%s\" touches itself", name);
    if (c->body >= def->bodies)
      return pc_fail(error, PC_ERROR_ARGUMENT, "\"%s\" touches body %d, of %d", name, c->body,
                     def->bodies);
    if (c->body >= 0 && c->other >= 0)
      return pc_fail(error, PC_ERROR_ARGUMENT, "\"%s\" touches sides and a body in one contact",
                     name);
    if (!at_least_zero(c->normal) || !at_least_zero(c->tangential))
      return pc_fail(error, PC_ERROR_ARGUMENT,
                     "the viscosities of the contact of \"%s\" are %g and %g, not 0 or more", name,
                     c->normal, c->tangential);
    if ((int)c->condition < PC_FE_LOOSE || c->condition > PC_FE_BILATERAL)
      return pc_fail(error, PC_ERROR_ARGUMENT, "the contact of \"%s\" has no condition %d", name,
                     (int)c->condition);
    if (c->touching != NULL && !c->lumped)
      return pc_fail(error, PC_ERROR_ARGUMENT,
                     "\"%s\" touches in part, so its viscosities must be lumped", name);
  }
  return PC_OK;
}

static bool is_touching(const pc_fe_collision_def *def, int group)
{
  for (int i = 0; i < def->contacts; i++)
    if (def->contact[i].sides == group || def->contact[i].other == group)
      return true;
  return false;
}

// Sides of contacts have one element, on the left: their normals point outwards.
static pc_status check_normals(const pc_fe_collision_def *def, pc_error *error)
{
  const pc_fe_mesh *mesh = def->mesh;
  if (mesh->dimension != 2 || def->contacts == 0)
    return PC_OK;
  int count;
  pc_fe_edge *edge = pc_fe_mesh_edges(mesh, &count);
  if (edge == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory for the edges of a mesh");
  pc_status status = PC_OK;
  for (int s = 0; s < mesh->side.count && status == PC_OK; s++) {
    const pc_fe_cell *side = &mesh->side.cell[s];
    if (!is_touching(def, side->group))
      continue;
    const int *node = mesh->side.node + side->first;
    const char *name = mesh->group[side->group].name;
    const double *x = mesh->node[node[0]];
    int at = pc_fe_edge_find(edge, count, node[0], node[1]), end[3];
    if (at < 0) {
      status = pc_fail(error, PC_ERROR_ARGUMENT, "a side of \"%s\", at (%g, %g), has no element",
                       name, x[0], x[1]);
      break;
    }
    const pc_fe_cell *cell = &mesh->body.cell[edge[at].cell];
    pc_element_side(cell->type, edge[at].side, end);
    if (at + 1 < count && edge[at + 1].low == edge[at].low && edge[at + 1].high == edge[at].high)
      status = pc_fail(error, PC_ERROR_ARGUMENT,
                       "\"%s\" has elements on both sides at (%g, %g): nothing can touch there",
                       name, x[0], x[1]);
    else if (mesh->body.node[cell->first + end[0]] != node[0])
      status = pc_fail(error, PC_ERROR_ARGUMENT,
                       "\"%s\" has its element on the right at (%g, %g): its normal points inwards",
                       name, x[0], x[1]);
  }
  free(edge);
  return status;
}

pc_status pc_fe_collision_check(const pc_fe_collision_def *def, pc_error *error)
{
  const pc_fe_mesh *mesh = def->mesh;
  if (mesh == NULL || mesh->dimension < 1 || mesh->dimension > 2 || mesh->body.count == 0)
    return pc_fail(error, PC_ERROR_ARGUMENT, "a collision needs a mesh with elements");
  if (def->media < 0 || def->bodies < 0 || def->contacts < 0 || def->holds < 0 || def->pushes < 0)
    return pc_fail(error, PC_ERROR_ARGUMENT, "a collision has a list of less than 0");
  if (!(def->tolerance >= 0 && def->tolerance < 1))
    return pc_fail(error, PC_ERROR_ARGUMENT, "a tolerance of %g is not 0 or more and below 1",
                   def->tolerance);
  pc_status status = pc_fe_mesh_done(mesh, error);
  if (status == PC_OK)
    status = check_media(def, error);
  if (status == PC_OK)
    status = check_bodies(def, error);
  if (status == PC_OK)
    status = check_contacts(def, error);
  if (status == PC_OK)
    status = check_normals(def, error);
  for (int i = 0; i < def->holds && status == PC_OK; i++)
    status = check_sides(mesh, "hold", i, def->hold[i].sides, error);
  for (int i = 0; i < def->pushes && status == PC_OK; i++) {
    const double *p = def->push[i].percussion;
    status = check_sides(mesh, "push", i, def->push[i].sides, error);
    if (status == PC_OK && !(isfinite(p[0]) && isfinite(p[1])))
      status = pc_fail(error, PC_ERROR_ARGUMENT, "the percussion on \"%s\" is not finite",
                       mesh->group[def->push[i].sides].name);
  }
  return status;
}
