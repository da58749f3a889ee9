// Puts bodies down: each is lowered until it touches the ground, that is an obstacle or a body that
// is there already.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/plain.h"
#include "geometry/narrow.h"
#include "geometry/shape.h"
#include "scene/rigid_file.h"

// Relative to the radius of the body: how far above the ground it may end, and how deep an overlap
// of two sides counts as none. The check of overlaps at the start allows as much.
static const double GAP = 1e-6, GRAZE = 0.5e-6;
// A surface whose normal rises less is a wall, and holds nothing.
static const double WALL = 1e-3;

// Bodies are kept in columns of the map by the middle of their boxes. A level has columns of one
// width, and bodies that are at most as wide: those below a body are in the columns around it.
typedef struct column {
  int level;
  int64_t x, y;
  int first; // body, -1: the column is not in use
} column;

// What the body that is lowered can meet.
typedef struct below {
  int body;
  double top;  // of it, over the body; -INFINITY for a wall
  double from; // counts when the body has come down so far: before that it passes by its side
} below;

enum { LEVELS = 128, MIDDLE_LEVEL = 64 }; // level l: columns of width 2^(l - MIDDLE_LEVEL)

struct pc_ground {
  const pc_rigid_builder *builder;
  int known; // bodies that are in the columns
  column *table;
  int slots, used;         // slots is a power of two, or 0
  PC_ARRAY(int) next;      // of each body: the next of its column
  PC_ARRAY(int) same;      // the next of its level
  PC_ARRAY(int) unbounded; // what has no width, or one that no level has: terrain, planes
  int level[LEVELS];       // the first body of each
  int count[LEVELS];
  PC_ARRAY(below) below;
  pc_contact_list contacts;
};

static double width_of(int level)
{
  return ldexp(1, level - MIDDLE_LEVEL);
}

static column *slot_of(const pc_ground *ground, int level, int64_t x, int64_t y)
{
  uint64_t hash = ((uint64_t)x * 0x9e3779b97f4a7c15u) ^ ((uint64_t)y * 0xc2b2ae3d27d4eb4fu) ^
                  (uint64_t)level * 0x165667b19e3779f9u;
  hash ^= hash >> 29;
  hash *= 0xbf58476d1ce4e5b9u;
  for (uint64_t i = hash >> 32;; i++) {
    column *slot = ground->table + (i & (uint64_t)(ground->slots - 1));
    if (slot->first < 0 || (slot->level == level && slot->x == x && slot->y == y))
      return slot;
  }
}

static bool widen_table(pc_ground *ground)
{
  if (2 * ground->used < ground->slots)
    return true;
  pc_ground wider = {.slots = ground->slots > 0 ? 2 * ground->slots : 64};
  wider.table = malloc((size_t)wider.slots * sizeof *wider.table);
  if (wider.table == NULL)
    return false;
  for (int i = 0; i < wider.slots; i++)
    wider.table[i].first = -1;
  for (int i = 0; i < ground->slots; i++) {
    const column *old = ground->table + i;
    if (old->first >= 0)
      *slot_of(&wider, old->level, old->x, old->y) = *old;
  }
  free(ground->table);
  ground->table = wider.table;
  ground->slots = wider.slots;
  return true;
}

static bool remember(pc_ground *ground, int body)
{
  const pc_placed *placed = ground->builder->placed.at + body;
  int up = ground->builder->dimension - 1, exponent = 0;
  double wide = 0, middle[2] = {0};
  for (int k = 0; k < up; k++) {
    wide = fmax(wide, placed->box[3 + k] - placed->box[k]);
    middle[k] = 0.5 * (placed->box[k] + placed->box[3 + k]);
  }
  frexp(wide, &exponent); // wide <= 2^exponent
  int level = exponent + MIDDLE_LEVEL;
  if (!pc_shape_has_volume(placed->shape) || !isfinite(wide) || level < 0 || level >= LEVELS ||
      !(fabs(middle[0]) + fabs(middle[1]) < 1e15 * width_of(level))) {
    int *place = pc_array_add(&ground->unbounded);
    if (place != NULL)
      *place = body;
    return place != NULL;
  }
  if (!widen_table(ground) || !pc_array_reserve(&ground->next, body + 1) ||
      !pc_array_reserve(&ground->same, body + 1))
    return false;
  column key = {level, (int64_t)floor(middle[0] / width_of(level)),
                (int64_t)floor(middle[1] / width_of(level)), body};
  column *slot = slot_of(ground, key.level, key.x, key.y);
  ground->next.at[body] = slot->first;
  ground->used += slot->first < 0;
  *slot = key;
  ground->same.at[body] = ground->count[level]++ > 0 ? ground->level[level] : -1;
  ground->level[level] = body;
  return true;
}

// Bodies that a table places later are nowhere yet.
static bool remember_all(pc_ground *ground)
{
  for (; ground->known < ground->builder->bodies.count; ground->known++)
    if (!ground->builder->placed.at[ground->known].from_table && !remember(ground, ground->known))
      return false;
  return true;
}

static bool is_over(const pc_ground *ground, const double *box, const double *other, double slack)
{
  for (int k = 0; k < ground->builder->dimension - 1; k++)
    if (!(box[k] < other[3 + k] - slack && other[k] < box[3 + k] - slack))
      return false;
  return true;
}

static bool add_below(pc_ground *ground, int body, const double *box, double slack, uint32_t group)
{
  const pc_placed *other = ground->builder->placed.at + body;
  if ((group != 0 && other->group == group) || !is_over(ground, box, other->box, slack))
    return true;
  below *place = pc_array_add(&ground->below);
  if (place == NULL)
    return false;
  double range[2] = {INFINITY, -INFINITY};
  pc_shape_widen_heights(other->shape, &other->pose, box, range);
  *place = (below){body, range[1], 0};
  return true;
}

// Finds what is over or under the box, up to `reach` beside it; sides that overlap by less than
// `slack` pass each other.
static bool find_below(pc_ground *ground, const double *own, double reach, double slack,
                       uint32_t group)
{
  int up = ground->builder->dimension - 1;
  double box[6];
  bool whole = true;
  for (int k = 0; k < 3; k++) {
    box[k] = own[k] - reach;
    box[3 + k] = own[3 + k] + reach;
  }
  ground->below.count = 0;
  for (int i = 0; i < ground->unbounded.count && whole; i++)
    whole = add_below(ground, ground->unbounded.at[i], box, slack, group);
  for (int l = 0; l < LEVELS && whole; l++) {
    if (ground->count[l] == 0)
      continue;
    double low[2] = {0}, high[2] = {0}, width = width_of(l);
    for (int k = 0; k < up; k++) {
      low[k] = floor((box[k] - 0.5 * width) / width);
      high[k] = floor((box[3 + k] + 0.5 * width) / width);
    }
    if (!((high[0] - low[0] + 1) * (high[1] - low[1] + 1) < ground->count[l])) {
      for (int i = ground->level[l]; i >= 0 && whole; i = ground->same.at[i])
        whole = add_below(ground, i, box, slack, group);
      continue;
    }
    for (double y = low[1]; y <= high[1]; y++)
      for (double x = low[0]; x <= high[0]; x++)
        for (int i = slot_of(ground, l, (int64_t)x, (int64_t)y)->first; i >= 0 && whole;
             i = ground->next.at[i])
          whole = add_below(ground, i, box, slack, group);
  }
  return whole;
}

// A body on its way down. `from` is the height at which it starts, `down` how far it has come.
typedef struct descent {
  pc_ground *ground;
  const pc_shape *shape;
  pc_pose pose;
  double box[6]; // at the start of the way
  double from, down, radius, tolerance;
  int up;
  bool failed; // memory is out
} descent;

static void move_to(descent *d, double down)
{
  d->down = down;
  d->pose.position[d->up] = d->from - down;
}

// Collides with one of those below; false if nothing of it is within `margin`.
static bool meet(descent *d, int body, double margin)
{
  const pc_placed *other = d->ground->builder->placed.at + body;
  if (d->box[d->up] - d->down > other->box[3 + d->up] + margin ||
      d->box[3 + d->up] - d->down < other->box[d->up] - margin)
    return false;
  d->ground->contacts.count = 0;
  d->failed |= pc_collide(d->shape, &d->pose, other->shape, &other->pose, margin,
                          &d->ground->contacts) != PC_OK;
  return d->ground->contacts.count > 0;
}

static double allowed_depth(const descent *d, int body)
{
  return GRAZE * fmin(d->radius, pc_shape_radius(d->ground->builder->placed.at[body].shape));
}

static bool overlaps(descent *d, int body)
{
  if (!meet(d, body, 0))
    return false;
  for (int i = 0; i < d->ground->contacts.count; i++) {
    const pc_contact_point *at = d->ground->contacts.at + i;
    if (at->gap < (at->normal[d->up] < WALL ? -allowed_depth(d, body) : 0))
      return true;
  }
  return false;
}

static bool overlaps_any(descent *d)
{
  bool any = false;
  for (int i = 0; i < d->ground->below.count && !any; i++) {
    const below *it = d->ground->below.at + i;
    any = d->down >= it->from && overlaps(d, it->body);
  }
  return any;
}

// How far it can go down before it may touch this one: a plane that separates two convex bodies
// does so until the gap along its normal is closed. INFINITY if this one is not below it.
static double way_to(descent *d, const below *it, double margin)
{
  const pc_placed *other = d->ground->builder->placed.at + it->body;
  double above = d->box[d->up] - d->down - it->top, way = margin;
  if (above > margin)
    return above;
  if (d->box[3 + d->up] - d->down < other->box[d->up])
    return INFINITY;
  if (!meet(d, it->body, margin))
    return way;
  for (int i = 0; i < d->ground->contacts.count; i++) {
    const pc_contact_point *at = d->ground->contacts.at + i;
    if (at->normal[d->up] >= WALL)
      way = fmin(way, fmax(at->gap, 0) / at->normal[d->up]);
  }
  return way;
}

// Whether the body only passes by this one, which its side touches: a little farther down it still
// overlaps it by no more than round-off.
static bool passes(descent *d, int body)
{
  double here = d->down;
  move_to(d, here + WALL * d->radius);
  bool overlap = false;
  if (meet(d, body, 0))
    for (int i = 0; i < d->ground->contacts.count; i++)
      overlap |= d->ground->contacts.at[i].gap < -allowed_depth(d, body);
  move_to(d, here);
  return !overlap;
}

// From a place that is free down to the ground; false where there is none.
static bool go_down(descent *d)
{
  double margin = d->radius, good = 0;
  for (;;) {
    double way = INFINITY;
    below *nearest = NULL;
    for (int i = 0; i < d->ground->below.count; i++) {
      below *it = d->ground->below.at + i;
      double one = d->down < it->from ? it->from - d->down : way_to(d, it, margin);
      if (one < way) {
        way = one;
        nearest = it;
      }
    }
    if (d->failed || way == INFINITY)
      return false;
    if (way <= d->tolerance && d->down >= nearest->from) {
      if (!passes(d, nearest->body))
        return true;
      nearest->from = d->down + WALL * d->radius;
      continue;
    }
    good = d->down;
    move_to(d, good + fmax(way - 0.5 * d->tolerance, 0.5 * d->tolerance));
    if (overlaps_any(d))
      break;
  }
  // Surfaces that are not convex may come nearer all at once: back to where nothing overlaps.
  double bad = d->down;
  while (bad - good > d->tolerance && !d->failed) {
    move_to(d, 0.5 * (good + bad));
    if (overlaps_any(d))
      bad = d->down;
    else
      good = d->down;
  }
  move_to(d, good);
  return !d->failed;
}

// Whether nothing is where the body stands. Terrain is solid below.
static bool is_free(descent *d)
{
  double x = 0.5 * (d->box[0] + d->box[3]), y = 0.5 * (d->box[1] + d->box[4]);
  double middle = 0.5 * (d->box[d->up] + d->box[3 + d->up]), low, high;
  for (int i = 0; i < d->ground->below.count && d->up == 2; i++) {
    const pc_placed *other = d->ground->builder->placed.at + d->ground->below.at[i].body;
    if (!pc_shape_has_volume(other->shape) &&
        pc_shape_column(other->shape, &other->pose, x, y, &low, &high) && middle < high)
      return false;
  }
  return !overlaps_any(d);
}

// Starts anew from above everything; false if there is nothing.
static bool rise(descent *d)
{
  double top = -INFINITY;
  for (int i = 0; i < d->ground->below.count; i++) {
    top = fmax(top, d->ground->below.at[i].top);
    d->ground->below.at[i].from = 0;
  }
  if (!isfinite(top))
    return false;
  double lift = top - d->box[d->up] + d->tolerance;
  d->from += lift;
  d->box[d->up] += lift;
  d->box[3 + d->up] += lift;
  move_to(d, 0);
  return true;
}

static bool keeps_away(descent *d, double clearance)
{
  for (int i = 0; i < d->ground->below.count; i++) {
    int body = d->ground->below.at[i].body;
    if (d->ground->builder->placed.at[body].kind == PC_FREE && meet(d, body, clearance))
      return false;
  }
  return true;
}

pc_lowered pc_rigid_lower(pc_rigid_builder *builder, pc_body_def *def, double clearance)
{
  if (builder->ground == NULL) {
    builder->ground = calloc(1, sizeof *builder->ground);
    if (builder->ground == NULL)
      return PC_LOWERED_NO_MEMORY;
    builder->ground->builder = builder;
  }
  pc_ground *ground = builder->ground;
  descent d = {.ground = ground,
               .shape = def->shape,
               .pose = pc_rigid_pose(def),
               .radius = pc_shape_radius(def->shape),
               .up = builder->dimension - 1};
  double size = 0;
  pc_shape_bounds(d.shape, &d.pose, d.box);
  d.from = d.pose.position[d.up];
  for (int k = 0; k < builder->dimension; k++)
    size = fmax(size, fabs(d.box[k]) + fabs(d.box[3 + k]));
  d.tolerance = GAP * d.radius + 1e-14 * size;
  if (!remember_all(ground) || !find_below(ground, d.box, 0, GRAZE * d.radius, def->group))
    return PC_LOWERED_NO_MEMORY;
  pc_lowered answer = PC_LOWERED;
  if (!is_free(&d) || !go_down(&d)) {
    if (!rise(&d))
      answer = PC_LOWERED_NO_GROUND;
    else if (!is_free(&d))
      answer = PC_LOWERED_NO_PLACE;
    else if (!go_down(&d))
      answer = PC_LOWERED_NO_GROUND;
  }
  if (clearance > 0 && answer == PC_LOWERED) {
    d.failed |= !find_below(ground, d.box, clearance, 0, def->group);
    if (!keeps_away(&d, clearance))
      answer = PC_LOWERED_NO_PLACE;
  }
  def->position[d.up] = d.pose.position[d.up];
  return d.failed ? PC_LOWERED_NO_MEMORY : answer;
}

bool pc_rigid_put_down(pc_rigid_builder *builder, pc_node node, pc_body_def *def)
{
  if (pc_failed(node))
    return false;
  char where[80]; // to the millimetre in a national grid
  int length = pc_print(where, sizeof where, "x = %.10g", def->position[0]);
  if (builder->dimension == 3)
    pc_print(where + length, sizeof where - (size_t)length, ", y = %.10g", def->position[1]);
  switch (pc_rigid_lower(builder, def, 0)) {
  case PC_LOWERED:
    return true;
  case PC_LOWERED_NO_GROUND:
    if (!pc_failed_before(node)) // otherwise the ground may be what cannot be read
      pc_complain(node,
                  "'on: ground' finds no ground below %s: a body is put down on an obstacle, or on "
                  "a body before it",
                  where);
    return false;
  case PC_LOWERED_NO_PLACE:
    pc_complain(node, "'on: ground' finds no room at %s: a wall is in the way", where);
    return false;
  case PC_LOWERED_NO_MEMORY:
    break;
  }
  pc_complain(node, "out of memory");
  return false;
}

void pc_rigid_free_ground(pc_rigid_builder *builder)
{
  pc_ground *ground = builder->ground;
  if (ground == NULL)
    return;
  free(ground->table);
  pc_array_free(&ground->next);
  pc_array_free(&ground->same);
  pc_array_free(&ground->unbounded);
  pc_array_free(&ground->below);
  pc_array_free(&ground->contacts);
  free(ground);
}
