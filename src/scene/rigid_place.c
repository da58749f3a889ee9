// Where there is room: free places for generators, and the check that nothing overlaps.
#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "geometry/narrow.h"
#include "geometry/shape.h"
#include "scene/rigid_file.h"

enum { MAX_CELLS = 1 << 21 };

// Small bodies are kept in cells by their origins: what can touch a body is in its cell or the ones
// around. Large ones (walls, the ground) are tried always.
struct pc_places {
  const pc_rigid_builder *builder;
  double radius, cell, low[3];
  int cells[3];
  int *head;          // the first body of each cell, -1: none
  PC_ARRAY(int) next; // the next body of the same cell, by its number in `placed`
  PC_ARRAY(int) large;
  pc_contact_list contacts;
};

static int cell_of(const pc_places *places, const double *position, int axis)
{
  double i = floor((position[axis] - places->low[axis]) / places->cell);
  return i < 0 ? 0 : i >= places->cells[axis] ? places->cells[axis] - 1 : (int)i;
}

pc_places *pc_places_create(const pc_rigid_builder *builder, double radius, const double low[3],
                            const double high[3])
{
  pc_places *places = calloc(1, sizeof *places);
  if (places == NULL)
    return NULL;
  places->builder = builder;
  places->radius = radius;
  places->cell = 2.001 * radius;
  double count = INFINITY;
  for (; count > MAX_CELLS; places->cell *= 1.25) {
    count = 1;
    for (int i = 0; i < 3; i++)
      count *= fmax(ceil((high[i] - low[i]) / places->cell), 1);
    if (count <= MAX_CELLS)
      break;
  }
  for (int i = 0; i < 3; i++) {
    places->low[i] = low[i];
    places->cells[i] = (int)fmax(ceil((high[i] - low[i]) / places->cell), 1);
  }
  places->head = malloc((size_t)count * sizeof *places->head);
  bool whole = places->head != NULL;
  for (int i = 0; whole && i < (int)count; i++)
    places->head[i] = -1;
  for (int i = 0; whole && i < builder->bodies.count; i++)
    whole = pc_places_take(places, i);
  if (whole)
    return places;
  pc_places_destroy(places);
  return NULL;
}

void pc_places_destroy(pc_places *places)
{
  if (places == NULL)
    return;
  free(places->head);
  pc_array_free(&places->next);
  pc_array_free(&places->large);
  pc_array_free(&places->contacts);
  free(places);
}

bool pc_places_take(pc_places *places, int placed)
{
  const pc_placed *body = places->builder->placed.at + placed;
  if (!(pc_shape_radius(body->shape) <= places->radius)) {
    int *large = pc_array_add(&places->large);
    if (large != NULL)
      *large = placed;
    return large != NULL;
  }
  if (!pc_array_reserve(&places->next, placed + 1))
    return false;
  const double *at = body->pose.position;
  int cell =
      (cell_of(places, at, 2) * places->cells[1] + cell_of(places, at, 1)) * places->cells[0] +
      cell_of(places, at, 0);
  places->next.at[placed] = places->head[cell];
  places->head[cell] = placed;
  return true;
}

// 1 apart, 0 near, -1 no memory.
static int apart(pc_places *places, int placed, const pc_shape *shape, const pc_pose *pose,
                 const double *box, double clearance)
{
  const pc_placed *other = places->builder->placed.at + placed;
  for (int i = 0; i < places->builder->dimension; i++)
    if (box[i] > other->box[3 + i] + clearance || box[3 + i] < other->box[i] - clearance)
      return 1;
  places->contacts.count = 0;
  double margin = fmax(clearance, 0);
  if (pc_collide(shape, pose, other->shape, &other->pose, margin, &places->contacts) != PC_OK)
    return -1;
  for (int i = 0; i < places->contacts.count; i++)
    if (places->contacts.at[i].gap <= clearance)
      return 0;
  return 1;
}

int pc_places_free(pc_places *places, const pc_shape *shape, const pc_pose *pose, double clearance)
{
  double box[6];
  pc_shape_bounds(shape, pose, box);
  int from[3], to[3], free_place = 1;
  for (int i = 0; i < 3; i++) {
    int cell = cell_of(places, pose->position, i);
    from[i] = cell > 0 ? cell - 1 : 0;
    to[i] = cell + 1 < places->cells[i] ? cell + 1 : cell;
  }
  for (int z = from[2]; z <= to[2]; z++)
    for (int y = from[1]; y <= to[1]; y++)
      for (int x = from[0]; x <= to[0]; x++)
        for (int i = places->head[(z * places->cells[1] + y) * places->cells[0] + x];
             i >= 0 && free_place == 1; i = places->next.at[i])
          free_place = apart(places, i, shape, pose, box, clearance);
  for (int k = 0; k < places->large.count && free_place == 1; k++)
    free_place = apart(places, places->large.at[k], shape, pose, box, clearance);
  return free_place;
}

// Depths below a millionth of the smaller body are round-off.
// How deep the whole of a body is below the surface of a terrain; 0: it is not.
static double depth_below(const pc_placed *body, const pc_placed *terrain)
{
  double low, high, x = 0.5 * (body->box[0] + body->box[3]),
                    y = 0.5 * (body->box[1] + body->box[4]);
  bool under = pc_shape_column(terrain->shape, &terrain->pose, x, y, &low, &high);
  return under ? fmax(0, high - body->box[5]) : 0;
}

// A body inside the solid below a height field touches nothing, and would fall for ever. (Meshes
// may be roofs.)
static void check_buried(pc_rigid_builder *builder)
{
  for (int t = 0; t < builder->placed.count; t++) {
    const pc_placed *terrain = &builder->placed.at[t];
    if (terrain->kind == PC_FREE || terrain->shape->type != PC_HEIGHTS)
      continue;
    for (int i = 0; i < builder->placed.count; i++) {
      const pc_placed *body = &builder->placed.at[i];
      double depth = body->kind == PC_FREE ? depth_below(body, terrain) : 0;
      if (depth > 0) {
        pc_complain(
            body->node,
            "body '%.40s' is below the surface of '%.40s', its top by %.3g m; raise it, write "
            "'on: ground', or 'overlaps: allowed'",
            builder->bodies.names[i], builder->bodies.names[t], depth);
        return;
      }
    }
  }
}

void pc_rigid_check_overlaps(pc_rigid_builder *builder)
{
  pc_body pair[2];
  int count;
  double depth = pc_world_overlap(builder->world, pair, &count);
  if (isnan(depth))
    pc_complain(builder->placed.at[0].node, "%s", pc_world_error(builder->world));
  if (!(depth > 0)) {
    check_buried(builder);
    return;
  }
  int a = pair[0].id < pair[1].id ? pair[0].id - 1 : pair[1].id - 1;
  int b = pair[0].id + pair[1].id - 2 - a;
  const pc_placed *first = builder->placed.at + a, *second = builder->placed.at + b;
  if (depth <= 1e-6 * fmin(pc_shape_radius(first->shape), pc_shape_radius(second->shape)))
    return;
  pc_complain(second->node,
              "bodies '%.40s' and '%.40s' overlap by %.3g m initially; move them apart, or write "
              "'overlaps: allowed'",
              builder->bodies.names[a], builder->bodies.names[b], depth);
}
