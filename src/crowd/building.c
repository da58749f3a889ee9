// Floors, walls and goals: what stands before anybody walks.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "crowd/crowd.h"
#include "geometry/shape.h"

static const double BETWEEN = 10;     // floors, m
static const double REFERENCE = 1.34; // m/s, that slow zones are compared with

pc_crowd_def pc_crowd_def_default(void)
{
  pc_law law = {.normal = {.kind = PC_NORMAL_QUADRATIC, .k = 1e5}};
  return (pc_crowd_def){.treatment = PC_VELOCITY_LEVEL,
                        .stiffness = 1.2e5,
                        .law = law,
                        .wall_law = law,
                        .social = {.range = 0.08},
                        .turning = {.damping = 1},
                        .inset = 0.1,
                        .reluctance = 20,
                        .clearance = 0.25,
                        .tolerance = 1e-5};
}

// Materials: people, walls.
static pc_status set_laws(pc_crowd *crowd)
{
  pc_world *world = crowd->world;
  int wall = pc_world_add_material(world, 1000);
  pc_status status = wall < 0 ? PC_ERROR_MEMORY : PC_OK;
  if (status == PC_OK)
    status = pc_world_set_law(world, 0, 0, &crowd->def.law);
  return status == PC_OK ? pc_world_set_law(world, 0, wall, &crowd->def.wall_law) : status;
}

pc_crowd *pc_crowd_create(const pc_crowd_def *def)
{
  pc_crowd *crowd = calloc(1, sizeof *crowd);
  if (crowd == NULL)
    return NULL;
  pc_world_def world = pc_world_def_default();
  crowd->def = *def;
  pc_random_seed(&crowd->random, def->seed);
  world.dimension = 2;
  world.gravity[0] = world.gravity[1] = world.gravity[2] = 0;
  world.treatment = def->treatment;
  // Nobody overlaps at position level. At velocity level those who are pressed rattle when contacts
  // are looked for again: more of them are closed while they open, which gives energy.
  world.looks = def->treatment == PC_POSITION_LEVEL ? PC_LOOK_UNTIL_NONE_IS_MISSING
                : def->looks_again                  ? PC_LOOK_AGAIN
                                                    : PC_LOOK_ONCE;
  world.dissipative = def->dissipative;
  world.penalty = def->stiffness;
  world.tolerance = def->tolerance;
  world.max_iterations = def->max_iterations;
  world.threads = def->threads;
  crowd->world = pc_world_create(&world);
  crowd->spots = pc_spots_create();
  if (crowd->world == NULL || crowd->spots == NULL || set_laws(crowd) == PC_ERROR_MEMORY) {
    pc_crowd_destroy(crowd);
    return NULL;
  }
  return crowd;
}

static void free_floor(pc_floor *floor)
{
  for (int i = 0; i < floor->zones; i++)
    free(floor->zone[i].point);
  free(floor->zone);
  free(floor->slow);
  free(floor->outside);
  free(floor->by_line);
  pc_congestion_free(floor);
  pc_grid_free(&floor->grid);
  pc_layout_free(&floor->plan);
  pc_layout_free(&floor->closed);
  free(floor->gap);
}

void pc_crowd_destroy(pc_crowd *crowd)
{
  if (crowd == NULL)
    return;
  for (int i = 0; i < crowd->targets; i++) {
    pc_target *target = &crowd->target[i];
    pc_routes_forget(crowd, target);
    free(target->point);
    free(target->member);
  }
  for (int i = 0; i < crowd->floors; i++)
    free_floor(&crowd->floor[i]);
  if (crowd->world != NULL)
    pc_world_destroy(crowd->world);
  pc_spots_destroy(crowd->spots);
  pc_events_free(crowd);
  pc_groups_free(crowd);
  pc_cells_free(&crowd->cells);
  free(crowd->floor);
  free(crowd->target);
  free(crowd->person);
  free(crowd->place);
  free(crowd->velocity);
  free(crowd->before);
  free(crowd->wish);
  free(crowd->push);
  free(crowd->pushed);
  free(crowd->press);
  free(crowd->there);
  free(crowd->walker);
  free(crowd->near);
  free(crowd->line);
  free(crowd->angle);
  free(crowd->spin);
  free(crowd->ground);
  free(crowd->moved);
  free(crowd->passage);
  free(crowd);
}

pc_world *pc_crowd_world(pc_crowd *crowd)
{
  return crowd->world;
}

// --- parts --------------------------------------------------------------------------------------

int pc_crowd_add_floor(pc_crowd *crowd)
{
  if (crowd->finished) {
    pc_crowd_fail(crowd, PC_ERROR_ARGUMENT, "the building is finished: nothing can be added");
    return -1;
  }
  if (!pc_grow(&crowd->floor, &crowd->floor_capacity, crowd->floors + 1, sizeof *crowd->floor)) {
    pc_crowd_fail(crowd, PC_ERROR_MEMORY, "out of memory");
    return -1;
  }
  crowd->floor[crowd->floors] = (pc_floor){0};
  return crowd->floors++;
}

pc_status pc_check_floor(pc_crowd *crowd, int floor)
{
  if (crowd->finished)
    return pc_crowd_fail(crowd, PC_ERROR_ARGUMENT,
                         "the building is finished: nothing can be added");
  if (floor < 0 || floor >= crowd->floors)
    return pc_crowd_fail(crowd, PC_ERROR_ARGUMENT, "there is no floor %d", floor);
  return PC_OK;
}

pc_status pc_crowd_add_wall(pc_crowd *crowd, int floor, pc_wall_kind kind, int count,
                            const double (*points)[2])
{
  static const pc_outline_kind outline[] = {PC_LINE_WALL, PC_AREA_SOLID, PC_AREA_WALKABLE};
  pc_status status = pc_check_floor(crowd, floor);
  return status != PC_OK ? status
                         : pc_layout_add(&crowd->floor[floor].plan, outline[kind], count, points,
                                         &crowd->error);
}

pc_status pc_crowd_add_pillar(pc_crowd *crowd, int floor, const double centre[2], double radius)
{
  pc_status status = pc_check_floor(crowd, floor);
  return status != PC_OK
             ? status
             : pc_layout_add_disc(&crowd->floor[floor].plan, centre, radius, &crowd->error);
}

double (*pc_copy_points(int count, const double (*points)[2]))[2]
{
  double(*copy)[2] = calloc((size_t)count + 1, sizeof *copy);
  if (copy != NULL && count > 0)
    memcpy(copy, points, (size_t)count * sizeof *copy);
  return copy;
}

// A target with these points (may be none) at the end of the list; NULL if it failed.
static pc_target *add_target(pc_crowd *crowd, pc_target_kind kind, int floor, int count,
                             const double (*points)[2])
{
  if (!pc_grow(&crowd->target, &crowd->target_capacity, crowd->targets + 1,
               sizeof *crowd->target)) {
    pc_crowd_fail(crowd, PC_ERROR_MEMORY, "out of memory");
    return NULL;
  }
  pc_target *target = &crowd->target[crowd->targets];
  *target = (pc_target){.kind = kind, .floor = floor, .count = count};
  target->point = pc_copy_points(count, points);
  if (target->point == NULL) {
    pc_crowd_fail(crowd, PC_ERROR_MEMORY, "out of memory");
    return NULL;
  }
  for (int i = 0; i < count; i++)
    for (int k = 0; k < 2; k++)
      target->middle[k] += points[i][k] / count;
  crowd->targets++;
  return target;
}

int pc_crowd_add_exit(pc_crowd *crowd, const pc_exit_def *def)
{
  if (pc_check_floor(crowd, def->floor) != PC_OK)
    return -1;
  const double *a = def->line[0], *b = def->line[1];
  double length = hypot(b[0] - a[0], b[1] - a[1]);
  if (def->reenters && (def->source < 0 || def->source >= crowd->sources)) {
    pc_crowd_fail(crowd, PC_ERROR_ARGUMENT, "there is no source %d", def->source);
    return -1;
  }
  if (!(length > 0) || !isfinite(length)) {
    pc_crowd_fail(crowd, PC_ERROR_ARGUMENT, "an exit is a line between two different points");
    return -1;
  }
  pc_target *target = add_target(crowd, PC_TARGET_EXIT, def->floor, 2, def->line);
  if (target == NULL)
    return -1;
  target->at_front = def->at_front;
  target->reenters = def->reenters;
  target->source = def->source;
  return crowd->targets - 1;
}

int pc_crowd_add_area(pc_crowd *crowd, int floor, int count, const double (*points)[2])
{
  if (pc_check_floor(crowd, floor) != PC_OK)
    return -1;
  if (count < 3) {
    pc_crowd_fail(crowd, PC_ERROR_ARGUMENT, "an area needs at least 3 points");
    return -1;
  }
  return add_target(crowd, PC_TARGET_AREA, floor, count, points) != NULL ? crowd->targets - 1 : -1;
}

int pc_crowd_add_choice(pc_crowd *crowd, int count, const int *goals)
{
  for (int i = 0; i < count; i++)
    if (goals[i] < 0 || goals[i] >= crowd->targets ||
        crowd->target[goals[i]].kind == PC_TARGET_CHOICE) {
      pc_crowd_fail(crowd, PC_ERROR_ARGUMENT, "a choice is between exits and areas");
      return -1;
    }
  if (count < 1 || crowd->finished) {
    pc_crowd_fail(crowd, PC_ERROR_ARGUMENT, "a choice is made before the building is finished");
    return -1;
  }
  pc_target *target = add_target(crowd, PC_TARGET_CHOICE, -1, 0, NULL);
  int *member = target != NULL ? calloc((size_t)count, sizeof *member) : NULL;
  if (member == NULL) {
    pc_crowd_fail(crowd, PC_ERROR_MEMORY, "out of memory");
    return -1;
  }
  memcpy(member, goals, (size_t)count * sizeof *member);
  target->member = member;
  target->members = count;
  return crowd->targets - 1;
}

pc_status pc_crowd_add_slow_zone(pc_crowd *crowd, int floor, int count, const double (*points)[2],
                                 double speed)
{
  enum { MOST = 255 };
  pc_status status = pc_check_floor(crowd, floor);
  if (status != PC_OK)
    return status;
  pc_floor *own = &crowd->floor[floor];
  if (count < 3 || !(speed >= 0) || own->zones >= MOST)
    return pc_crowd_fail(crowd, PC_ERROR_ARGUMENT,
                         "a slow zone has at least 3 points and a speed; a floor has %d at most",
                         MOST);
  pc_zone zone = {.point = pc_copy_points(count, points), .count = count, .speed = speed};
  if (zone.point == NULL ||
      !pc_grow(&own->zone, &own->zone_capacity, own->zones + 1, sizeof *own->zone)) {
    free(zone.point);
    return pc_crowd_fail(crowd, PC_ERROR_MEMORY, "out of memory");
  }
  own->zone[own->zones++] = zone;
  return PC_OK;
}

// --- finishing ----------------------------------------------------------------------------------

static pc_status add_obstacle(pc_crowd *crowd, pc_shape *shape, double x, double y)
{
  pc_body_def def = pc_body_def_default();
  if (shape == NULL)
    return crowd->error.status; // which making it has set
  def.shape = shape;
  def.kind = PC_FIXED;
  def.material = 1;
  def.position[0] = x;
  def.position[1] = y;
  pc_body body = pc_body_create(crowd->world, &def);
  pc_shape_release(shape);
  if (body.id == 0)
    return pc_crowd_fail(crowd, PC_ERROR_ARGUMENT, "%s", pc_world_error(crowd->world));
  crowd->walls++;
  return PC_OK;
}

// A piece of a wall from a part to another of the segment a b, a body of its own.
static pc_status add_piece(pc_crowd *crowd, double offset, const double *before, const double *a,
                           const double *b, const double *after)
{
  double middle[2], piece[2][2], beyond[2][2];
  for (int k = 0; k < 2; k++) {
    middle[k] = 0.5 * (a[k] + b[k]);
    piece[0][k] = a[k] - middle[k];
    piece[1][k] = b[k] - middle[k];
    beyond[0][k] = before != NULL ? before[k] - middle[k] : 0;
    beyond[1][k] = after != NULL ? after[k] - middle[k] : 0;
  }
  pc_shape *shape =
      pc_shape_wall_piece(before != NULL ? beyond[0] : NULL, (const double(*)[2])piece,
                          after != NULL ? beyond[1] : NULL, &crowd->error);
  return add_obstacle(crowd, shape, offset + middle[0], middle[1]);
}

// A wall as bodies: a long one has a box that everybody is in.
pc_status pc_build_wall(pc_crowd *crowd, double offset, int count, const double (*point)[2],
                        bool closed)
{
  const double longest = 2; // m
  int edges = closed ? count : count - 1;
  pc_status status = PC_OK;
  for (int e = 0; e < edges; e++) {
    const double *a = point[e], *b = point[(e + 1) % count];
    int parts = (int)ceil(hypot(b[0] - a[0], b[1] - a[1]) / longest);
    for (int i = 0; i < parts && status == PC_OK; i++) {
      double at[4][2]; // before the piece, its ends, after it
      for (int j = 0; j < 4; j++)
        for (int k = 0; k < 2; k++)
          at[j][k] = i + j - 1 == parts ? b[k] : a[k] + (b[k] - a[k]) / parts * (i + j - 1);
      const double *before = closed || e > 0 ? point[(e + count - 1) % count] : NULL;
      const double *after = closed || e + 1 < edges ? point[(e + 2) % count] : NULL;
      status = add_piece(crowd, offset, i > 0 ? at[0] : before, at[1], at[2],
                         i + 1 < parts ? at[3] : after);
    }
  }
  return status;
}

static pc_status build_walls(pc_crowd *crowd, const pc_floor *floor)
{
  const pc_layout *plan = &floor->plan;
  pc_status status = PC_OK;
  for (int i = 0; i < plan->outlines && status == PC_OK; i++) {
    const pc_layout_outline *o = &plan->outline[i];
    if (o->edgeless)
      continue;
    status = pc_build_wall(crowd, floor->offset, o->count,
                           (const double(*)[2])plan->point + o->first, o->kind != PC_LINE_WALL);
  }
  for (int i = 0; i < plan->discs && status == PC_OK; i++)
    status = add_obstacle(crowd, pc_shape_disc(plan->disc[i][2], &crowd->error),
                          floor->offset + plan->disc[i][0], plan->disc[i][1]);
  return status;
}

static double choose_spacing(const pc_crowd *crowd)
{
  double spacing = 0.1;
  if (crowd->def.spacing > 0)
    return crowd->def.spacing;
  for (int i = 0; i < crowd->targets; i++) {
    const pc_target *t = &crowd->target[i];
    if (t->kind == PC_TARGET_EXIT)
      spacing = fmin(spacing,
                     hypot(t->point[1][0] - t->point[0][0], t->point[1][1] - t->point[0][1]) / 8);
  }
  return spacing;
}

static void mark_zones(pc_floor *floor)
{
  pc_grid *grid = &floor->grid;
  for (int z = 0; z < floor->zones; z++) {
    const pc_zone *zone = &floor->zone[z];
    double speed = zone->speed > 0 ? zone->speed : 0.5;
    pc_grid_slow(grid, zone->count, (const double(*)[2])zone->point, fmax(1, REFERENCE / speed));
    for (int row = 0; row < grid->rows; row++)
      for (int column = 0; column < grid->columns; column++) {
        double p[2];
        pc_grid_place(grid, column, row, p);
        if (pc_is_inside(zone->count, (const double(*)[2])zone->point, p))
          floor->slow[(size_t)row * grid->columns + column] = (unsigned char)(z + 1);
      }
  }
}

// Nodes by which exits and stairs are: who is elsewhere need not be asked whether they are over a
// line.
static void mark_line(const pc_floor *own, const double (*line)[2])
{
  const pc_grid *grid = &own->grid;
  int low[2], high[2];
  for (int k = 0; k < 2; k++) {
    int last = (k == 0 ? grid->columns : grid->rows) - 1;
    double least = fmin(line[0][k], line[1][k]), most = fmax(line[0][k], line[1][k]);
    double from = floor((least - PC_LINE_REACH - grid->low[k]) / grid->spacing);
    double to = ceil((most + PC_LINE_REACH - grid->low[k]) / grid->spacing);
    low[k] = from > 0 ? (int)fmin(from, last) : 0;
    high[k] = to < last ? (int)fmax(to, 0) : last;
  }
  for (int row = low[1]; row <= high[1]; row++)
    memset(own->by_line + (size_t)row * grid->columns + low[0], 1,
           (size_t)high[0] + 1 - (size_t)low[0]);
}

static void mark_lines(const pc_crowd *crowd, int f)
{
  const pc_floor *own = &crowd->floor[f];
  for (int i = 0; i < crowd->targets; i++)
    if (crowd->target[i].kind == PC_TARGET_EXIT && crowd->target[i].floor == f)
      mark_line(own, (const double(*)[2])crowd->target[i].point);
  for (int i = 0; i < crowd->passages; i++)
    for (int k = 0; k < 2; k++)
      if (crowd->passage[i].floor[k] == f)
        mark_line(own, (const double(*)[2])crowd->passage[i].line[k]);
}

static pc_status make_grid(pc_crowd *crowd, int f, double spacing)
{
  pc_floor *floor = &crowd->floor[f];
  double(*line)[4] = calloc((size_t)crowd->targets + 2 * (size_t)crowd->passages + 1, sizeof *line);
  if (line == NULL)
    return pc_crowd_fail(crowd, PC_ERROR_MEMORY, "out of memory");
  pc_grid_def def = {.spacing = spacing,
                     .inset = crowd->def.inset,
                     .reluctance = crowd->def.reluctance,
                     .line = (const double(*)[4])line,
                     .margin = 4 * spacing};
  for (int i = 0; i < crowd->targets; i++)
    if (crowd->target[i].kind == PC_TARGET_EXIT && crowd->target[i].floor == f)
      memcpy(line[def.lines++], crowd->target[i].point, sizeof *line);
  for (int i = 0; i < crowd->passages; i++)
    for (int k = 0; k < 2; k++)
      if (crowd->passage[i].floor[k] == f)
        memcpy(line[def.lines++], crowd->passage[i].line[k], sizeof *line);
  pc_status status = pc_grid_make(
      &floor->grid, floor->closed.walls > 0 ? &floor->closed : &floor->plan, &def, &crowd->error);
  free(line);
  if (status != PC_OK)
    return status;
  floor->slow = calloc((size_t)floor->grid.columns * floor->grid.rows, 1);
  floor->by_line = calloc((size_t)floor->grid.columns * floor->grid.rows, 1);
  if (floor->slow == NULL || floor->by_line == NULL)
    return pc_crowd_fail(crowd, PC_ERROR_MEMORY, "out of memory");
  mark_zones(floor);
  mark_lines(crowd, f);
  return pc_find_outside(floor, &crowd->error);
}

pc_status pc_crowd_finish(pc_crowd *crowd)
{
  pc_status status = PC_OK;
  if (crowd->finished || crowd->floors == 0)
    return pc_crowd_fail(crowd, PC_ERROR_ARGUMENT,
                         crowd->finished ? "the building is finished already"
                                         : "a building has at least one floor");
  crowd->finished = true;
  double spacing = choose_spacing(crowd);
  status = pc_exits_cut(crowd);
  for (int f = 0; f < crowd->floors && status == PC_OK; f++)
    status = pc_layout_finish(&crowd->floor[f].plan, &crowd->error);
  if (status == PC_OK)
    status = pc_passages_build(crowd);
  for (int f = 0; f < crowd->floors && status == PC_OK; f++) {
    pc_floor *floor = &crowd->floor[f];
    if (f > 0) // the first stays where it is
      floor->offset = crowd->floor[f - 1].offset + crowd->floor[f - 1].plan.high[0] + BETWEEN -
                      floor->plan.low[0];
  }
  if (status == PC_OK)
    status = pc_exits_check(crowd);
  if (status == PC_OK)
    status = pc_widths_close(crowd);
  for (int f = 0; f < crowd->floors && status == PC_OK; f++) {
    status = make_grid(crowd, f, spacing);
    if (status == PC_OK)
      status = build_walls(crowd, &crowd->floor[f]);
  }
  if (status == PC_OK)
    status = pc_congestion_make(crowd);
  return status == PC_OK ? pc_doors_build(crowd) : status;
}
