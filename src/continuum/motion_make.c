// Makes a motion: its collisions, and the nodes that may meet its walls.
#include "continuum/motion_state.h"

#include <math.h>
#include <string.h>

#include "core/error.h"

static const double INSIDE = 1e-12; // of the mesh: a node that is so deep in a wall is in it

pc_fe_motion_def pc_fe_motion_def_default(void)
{
  return (pc_fe_motion_def){.halvings = 10};
}

static bool is_same_plane(const pc_fe_wall *a, const pc_fe_wall *b)
{
  return memcmp(a->direction, b->direction, sizeof a->direction) == 0 && a->offset == b->offset;
}

// Whether an earlier wall has the node and the same plane: two conditions would be one too many,
// and either of them could have the percussion. `seen`: of each wall and node.
static bool is_listed(const pc_fe_motion *m, const char *seen, int wall, int node)
{
  for (int w = 0; w < wall; w++)
    if (seen[(size_t)w * (size_t)m->mesh->nodes + (size_t)node] &&
        is_same_plane(&m->wall[w], &m->wall[wall]))
      return true;
  return false;
}

// Every node of a wall's sides once, in the order of the sides.
static void list_spots(pc_fe_motion *m)
{
  const pc_fe_cells *side = &m->mesh->side;
  size_t nodes = (size_t)m->mesh->nodes;
  for (int w = 0; w < m->walls; w++) {
    char *seen = m->struck + (size_t)w * nodes;
    for (int s = 0; s < side->count; s++)
      for (int k = 0;
           side->cell[s].group == m->wall[w].sides && k < pc_element_of(side->cell[s].type)->nodes;
           k++) {
        int node = side->node[side->cell[s].first + k];
        if (!seen[node] && !is_listed(m, m->struck, w, node))
          m->spot[m->spots++] = (pc_motion_spot){w, node, false};
        seen[node] = 1;
      }
  }
  if (m->walls > 0)
    memset(m->struck, 0, (size_t)m->walls * nodes);
}

// Contacts of a collision: first the meetings, then those at rest, wall by wall, then with
// `viscous` those that approach. `loaded`: it reads the motion's loads.
static pc_status make_collision(pc_fe_motion *m, bool viscous, bool loaded,
                                pc_fe_collision **collision, pc_error *error)
{
  for (int i = 0; i < m->meets; i++) {
    size_t first = m->first[i];
    int body = m->meet[i].body;
    m->contact[i] = (pc_fe_contact){.sides = m->meet[i].sides,
                                    .other = body < 0 ? m->meet[i].other : -1,
                                    .body = body,
                                    .condition = PC_FE_UNILATERAL,
                                    .lumped = true,
                                    .touching = m->may + first,
                                    .meeting = m->meeting + first,
                                    .axes = body < 0 ? NULL : m->axes[body],
                                    .points = pc_motion_has_points(m, i) ? m->conditions[i] : 0};
  }
  for (int w = 0; w < m->walls; w++) {
    const pc_fe_wall *wall = &m->wall[w];
    size_t first = (size_t)w * (size_t)m->mesh->nodes;
    pc_fe_contact c = {
        .sides = wall->sides,
        .other = -1,
        .body = -1,
        .condition = PC_FE_UNILATERAL,
        .lumped = true,
        .touching = m->closed + first,
        .least = m->least + first,
        .direction = {-wall->direction[0], -wall->direction[1], -wall->direction[2]}};
    m->contact[m->meets + w] = c;
    c.normal = wall->normal;
    c.tangential = wall->tangential;
    c.touching = m->struck + first;
    c.least = NULL;
    m->contact[m->meets + m->walls + w] = c;
  }
  pc_fe_collision_def def = {.mesh = m->mesh,
                             .media = m->solids,
                             .bodies = m->bodies,
                             .body = m->body,
                             .contacts = m->meets + (viscous ? 2 * m->walls : m->walls),
                             .holds = m->holds,
                             .medium = m->medium,
                             .contact = m->contact,
                             .hold = m->hold,
                             .load = !loaded                    ? NULL
                                     : m->has_large && !viscous ? m->total
                                                                : m->load,
                             .about = viscous || !m->has_large ? NULL : m->about,
                             .body_load = loaded ? (const double(*)[PC_FE_BODY])m->body_load : NULL,
                             .tolerance = m->tolerance};
  *collision = pc_fe_collision_create(&def, error);
  return *collision != NULL ? PC_OK : error != NULL ? error->status : PC_ERROR_ARGUMENT;
}

static void take_percussion_viscosities(pc_fe_motion *m)
{
  for (int i = 0; i < m->solids; i++) {
    const pc_fe_solid *s = &m->solid[i];
    m->medium[i] = (pc_fe_medium){
        .group = s->group, .density = s->density, .strain = s->strain, .volume = s->volume};
  }
}

pc_status pc_motion_make_strike(pc_fe_motion *m, pc_error *error)
{
  take_percussion_viscosities(m);
  return make_collision(m, true, false, &m->strike, error);
}

static pc_status make_blow(pc_fe_motion *m, pc_error *error)
{
  take_percussion_viscosities(m);
  return make_collision(m, true, true, &m->blow, error);
}

pc_status pc_motion_make_length(pc_fe_motion *m, int level, pc_error *error)
{
  double h = ldexp(m->step, -level);
  for (int i = 0; i < m->solids; i++) {
    double mu = 0, lambda = 0; // of large displacements every step has its own stiffness
    if (!m->has_large)
      pc_fe_solid_moduli(&m->solid[i], m->mesh->dimension, &mu, &lambda);
    m->medium[i] = (pc_fe_medium){.group = m->solid[i].group,
                                  .density = m->solid[i].density,
                                  .strain = h * h / 4 * mu + h / 2 * m->solid[i].viscosity,
                                  .volume = h * h / 4 * lambda,
                                  .averaged = m->solid[i].bulk > 0};
  }
  return make_collision(m, false, true, &m->length[level], error);
}

static pc_status fill(pc_fe_motion *m, const pc_fe_motion_def *def, pc_error *error)
{
  m->mesh = def->mesh;
  m->size = def->mesh->dimension;
  m->numbers = m->size * def->mesh->nodes;
  m->solids = def->solids;
  m->walls = def->walls;
  m->holds = def->holds;
  m->step = def->step;
  m->reach = def->reach;
  m->rest = def->rest;
  m->tolerance = def->tolerance;
  m->halvings = def->halvings;
  double gravity[3] = {0};
  memcpy(gravity, def->gravity, (size_t)m->size * sizeof *gravity);
  m->gravity = pc_fe_length(gravity);
  memcpy(m->gravity_vector, gravity, sizeof gravity);
  m->inside = INSIDE * pc_fe_mesh_size(def->mesh);
  pc_status status =
      pc_fe_elastic_create(&m->elastic, def->mesh, def->solids, def->solid, def->gravity, error);
  if (status != PC_OK)
    return status;

  pc_arena *arena = &m->arena;
  size_t walls = (size_t)m->walls, marks = walls * (size_t)def->mesh->nodes;
  m->solid = pc_arena_copy(arena, def->solid, def->solids, sizeof *def->solid);
  m->wall = pc_arena_copy(arena, def->wall, def->walls, sizeof *def->wall);
  m->hold = pc_arena_copy(arena, def->hold, def->holds, sizeof *def->hold);
  m->length = pc_arena_take(arena, (size_t)m->halvings + 1, sizeof *m->length);
  m->medium = pc_arena_take(arena, (size_t)m->solids, sizeof *m->medium);
  m->contact =
      pc_arena_take(arena, 2 * walls + PC_MOTION_MEETINGS * (size_t)def->meets, sizeof *m->contact);
  m->spot = pc_arena_take(arena, marks, sizeof *m->spot);
  m->closed = pc_arena_take(arena, marks, 1);
  m->least = pc_arena_take(arena, marks, sizeof *m->least);
  m->struck = pc_arena_take(arena, marks, 1);
  m->state = pc_arena_take(arena, walls + (size_t)def->meets, sizeof *m->state);
  double **vector[] = {&m->u, &m->v, &m->u1, &m->load};
  for (int i = 0; i < 4; i++)
    *vector[i] = pc_arena_take(arena, (size_t)m->numbers, sizeof(double));
  if (arena->failed)
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory for a motion");

  for (int w = 0; w < m->walls; w++) {
    double *d = m->wall[w].direction;
    for (int k = m->size; k < 3; k++)
      d[k] = 0;
    double length = pc_fe_length(d);
    for (int k = 0; k < 3; k++)
      d[k] /= length;
  }
  list_spots(m);
  status = pc_motion_make_large(m, def, error);
  if (status == PC_OK)
    status = pc_motion_make_bodies(m, def, error);
  if (status == PC_OK)
    status = pc_motion_make_meetings(m, def, error);
  if (status != PC_OK)
    return status;
  status = m->walls > 0 ? pc_motion_make_strike(m, error) : PC_OK;
  if (status == PC_OK)
    status = pc_motion_make_pushes(m, def, error);
  if (status == PC_OK && m->pushes > 0)
    status = make_blow(m, error);
  return status != PC_OK ? status : pc_motion_make_length(m, 0, error);
}

pc_status pc_motion_make(pc_fe_motion *m, const pc_fe_motion_def *def, pc_error *error)
{
  m->has_alloy = def->alloy != NULL;
  pc_status status = fill(m, def, error);
  if (status == PC_OK && m->has_alloy)
    status = pc_fe_alloy_create(&m->alloy, def->alloy, def->mesh, def->step, error);
  return status;
}

void pc_motion_free(pc_fe_motion *m)
{
  pc_fe_collision_destroy(m->strike);
  pc_fe_collision_destroy(m->blow);
  for (int i = 0; m->length != NULL && i <= m->halvings; i++)
    pc_fe_collision_destroy(m->length[i]);
  pc_motion_free_meetings(m);
  pc_motion_free_bodies(m);
  pc_motion_free_large(m);
  pc_fe_elastic_free(&m->elastic);
  pc_fe_alloy_free(&m->alloy);
  pc_array_free(&m->events);
  pc_arena_free(&m->arena);
}
