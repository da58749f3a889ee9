// The order of bodies in memory: neighbours in space lie close together, whatever order they were
// made in. Callers know bodies by their numbers only.
//
// Bodies are put in rows along the shortest side of the box around them, rows in slices across its
// longest side, before the first step of a large world, and again when it has grown to twice its
// size. So neighbours are no farther than a slice has bodies, and lists are read from one end to
// the other; along Morton's curve steps took a quarter longer. The order is part of the saved
// state: sums and lists are made in it.
#include <math.h>
#include <stdlib.h>

#include "rigid/step.h"

enum { FROM = 256 }; // bodies; fewer stay as they were made

typedef struct place_in_row {
  int32_t slice, row;
  double along;
  int id; // from 0
} place_in_row;

static int compare(const void *a, const void *b)
{
  const place_in_row *p = a, *q = b;
  if (p->slice != q->slice)
    return p->slice < q->slice ? -1 : 1;
  if (p->row != q->row)
    return p->row < q->row ? -1 : 1;
  if (p->along != q->along)
    return p->along < q->along ? -1 : 1;
  return (p->id > q->id) - (p->id < q->id);
}

// The box around the bodies that move, and the mean of their radii.
static double measure(const pc_world *world, double low[3], double extent[3])
{
  double sum = 0;
  int count = 0;
  for (int k = 0; k < 3; k++)
    low[k] = INFINITY, extent[k] = -INFINITY;
  for (int i = 0; i < world->bodies.count; i++) {
    if (world->bodies.solid.at[i].kind != PC_FREE)
      continue;
    sum += world->bodies.solid.at[i].radius;
    count++;
    for (int k = 0; k < 3; k++) {
      low[k] = fmin(low[k], world->bodies.state.at[i].position[k]);
      extent[k] = fmax(extent[k], world->bodies.state.at[i].position[k]);
    }
  }
  for (int k = 0; k < 3; k++)
    extent[k] -= low[k];
  return count > 0 ? sum / count : 1;
}

static int32_t cell_of(double at, double size)
{
  double cell = floor(at / size);
  return cell > 0x3fffffff ? 0x3fffffff : cell < 0 ? 0 : (int32_t)cell;
}

// Obstacles come first, as they were made.
static void find_places(const pc_world *world, place_in_row *place)
{
  double low[3], extent[3], size = 2 * measure(world, low, extent);
  int axis[3] = {0, 1, 2};
  for (int a = 0; a < 2; a++)
    for (int b = 0; b < 2; b++)
      if (extent[axis[b]] < extent[axis[b + 1]]) {
        int swap = axis[b];
        axis[b] = axis[b + 1];
        axis[b + 1] = swap;
      }
  for (int i = 0; i < world->bodies.count; i++) {
    const double *at = world->bodies.state.at[i].position;
    place[i] = (place_in_row){-1, 0, 0, pc_bodies_number(&world->bodies, i).id - 1};
    if (world->bodies.solid.at[i].kind != PC_FREE)
      continue;
    place[i].slice = cell_of(at[axis[0]] - low[axis[0]], size);
    place[i].row = cell_of(at[axis[1]] - low[axis[1]], size);
    place[i].along = at[axis[2]];
  }
  qsort(place, (size_t)world->bodies.count, sizeof *place, compare);
}

pc_status pc_order_apply(pc_world *world, const int *id)
{
  pc_body_store *bodies = &world->bodies;
  int n = bodies->count;
  pc_arena arena = {0};
  int *from = pc_arena_take(&arena, (size_t)n, sizeof *from);
  int *to = pc_arena_take(&arena, (size_t)n, sizeof *to);
  void *room = pc_arena_take(&arena, (size_t)n, sizeof(pc_body_state)); // the largest that moves
  bool fits = !arena.failed && pc_forces_reserve_order(&world->forces, n) &&
              pc_bodies_reserve_order(bodies);
  if (fits) {
    for (int i = 0; i < n; i++)
      from[i] = pc_bodies_slot(bodies, (pc_body){id[i] + 1});
    for (int i = 0; i < n; i++)
      to[from[i]] = i;
    pc_bodies_reorder(bodies, id, from, room);
    if (world->heat != NULL)
      pc_reorder(world->heat->body.at, sizeof *world->heat->body.at, n, from, room);
    pc_forces_reorder(&world->forces, n, from, to, room);
    pc_sleep_reorder(&world->sleep, n, from, room);
    pc_elements_reorder(&world->elements, to);
    pc_pierced_reorder(&world->pierced, to);
    // Percussions are told by the order of a pair.
    pc_contacts_drop_memory(&world->contacts);
    world->contacts.list.count = world->contacts.moment.count = 0;
  }
  pc_arena_free(&arena);
  return fits ? PC_OK : pc_world_out_of_memory(world);
}

pc_status pc_order_bodies(pc_world *world)
{
  int n = world->bodies.count;
  if (n < FROM || n < 2 * world->bodies.ordered || world->bodies.sleepers > 0)
    return PC_OK;
  pc_arena arena = {0};
  place_in_row *place = pc_arena_take(&arena, (size_t)n, sizeof *place);
  int *id = pc_arena_take(&arena, (size_t)n, sizeof *id);
  pc_status status = PC_ERROR_MEMORY;
  if (!arena.failed) {
    find_places(world, place);
    for (int i = 0; i < n; i++)
      id[i] = place[i].id;
    status = pc_order_apply(world, id);
  }
  pc_arena_free(&arena);
  return status == PC_OK ? PC_OK : pc_world_out_of_memory(world);
}
