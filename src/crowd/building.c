// Creates, finishes and destroys a crowd with its building.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/elementary.h"
#include "core/error.h"
#include "crowd/crowd.h"

static const double BETWEEN = 10;     // floors, m
static const double REFERENCE = 1.34; // m/s, that slow zones are compared with

pc_crowd_def pc_crowd_def_default(void)
{
  pc_law law = {.normal = {.kind = PC_NORMAL_QUADRATIC, .k = 1e5}};
  pc_walking walking = pc_walking_default();
  walking.model = PC_WALK_DIRECT;
  return (pc_crowd_def){.treatment = PC_VELOCITY_LEVEL,
                        .stiffness = 1.2e5,
                        .law = law,
                        .wall_law = law,
                        .walking = walking,
                        .social = {.range = 0.08},
                        .turning = {.damping = 1},
                        .inset = 0.1,
                        .reluctance = 20,
                        .clearance = 0.25,
                        .sight = 30,
                        .avoidance = 3,
                        .contrast = 3,
                        .dose = 1,
                        .load_window = 1,
                        .tolerance = 1e-5};
}

pc_crowd_def pc_crowd_def_calibrated(void)
{
  pc_crowd_def def = pc_crowd_def_default();
  // At the speeds of walking bodies are soft and muscles hold against a push: nobody rebounds.
  def.law.normal = (pc_normal_law){.kind = PC_NORMAL_INELASTIC};
  def.wall_law = def.law;
  def.walking = pc_walking_default();
  return def;
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
  if (def == NULL)
    return NULL;
  pc_crowd *crowd = calloc(1, sizeof *crowd);
  if (crowd == NULL)
    return NULL;
  pc_world_def world = pc_world_def_default();
  crowd->def = *def;
  crowd->def.dose = def->dose > 0 ? def->dose : 1;
  crowd->def.load_window = def->load_window > 0 ? def->load_window : 1;
  pc_random_seed(&crowd->random, def->seed);
  world.dimension = 2;
  world.gravity[0] = world.gravity[1] = world.gravity[2] = 0;
  world.treatment = def->treatment;
  // At position level people never overlap. At velocity level a dense crowd rattles when contacts
  // are searched again: more separating contacts are closed, which gives energy.
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
  pc_array_free(&floor->zones);
  pc_grid_free(&floor->grid);
  pc_layout_free(&floor->plan);
  pc_layout_free(&floor->closed);
  pc_array_free(&floor->gaps);
}

void pc_crowd_destroy(pc_crowd *crowd)
{
  if (crowd == NULL || (crowd->world != NULL && pc_crowd_admit(crowd) != PC_OK))
    return;
  for (int i = 0; i < crowd->targets.count; i++)
    pc_routes_forget(crowd, &crowd->targets.at[i]);
  for (int i = 0; i < crowd->floors.count; i++)
    free_floor(&crowd->floors.at[i]);
  if (crowd->world != NULL)
    pc_world_destroy(crowd->world);
  pc_spots_destroy(crowd->spots);
  pc_cells_free(&crowd->cells);
  pc_outlook_free(&crowd->outlook);
  pc_people_free(crowd);
  pc_choice_free(crowd);
  pc_array_free(&crowd->sources);
  pc_array_free(&crowd->plans);
  pc_array_free(&crowd->doors);
  pc_array_free(&crowd->detours);
  pc_array_free(&crowd->groups);
  pc_array_free(&crowd->signs);
  pc_array_free(&crowd->lifts);
  pc_array_free(&crowd->hazards);
  pc_array_free(&crowd->floors);
  pc_array_free(&crowd->targets);
  pc_array_free(&crowd->exit_faults);
  pc_array_free(&crowd->press);
  pc_array_free(&crowd->passages);
  free(crowd->line);
  pc_arena_free(&crowd->arena);
  free(crowd);
}

pc_world *pc_crowd_world(pc_crowd *crowd)
{
  if (crowd == NULL)
    return NULL;
  return crowd->world;
}

static pc_status build_walls(pc_crowd *crowd, const pc_floor *floor)
{
  const pc_layout *plan = &floor->plan;
  pc_status status = PC_OK;
  for (int i = 0; i < plan->outlines.count && status == PC_OK; i++) {
    const pc_layout_outline *o = &plan->outlines.at[i];
    if (o->edgeless)
      continue;
    status = pc_build_wall(crowd, floor->offset, o->count,
                           (const double(*)[2])plan->points.at + o->first, o->kind != PC_LINE_WALL);
  }
  for (int i = 0; i < plan->discs.count && status == PC_OK; i++)
    status = pc_build_pillar(crowd, floor->offset, plan->discs.at[i]);
  return status;
}

static double choose_spacing(const pc_crowd *crowd)
{
  double spacing = 0.1;
  if (crowd->def.spacing > 0)
    return crowd->def.spacing;
  for (int i = 0; i < crowd->targets.count; i++) {
    const pc_target *t = &crowd->targets.at[i];
    if (t->kind == PC_TARGET_EXIT)
      spacing = fmin(
          spacing, pc_hypot(t->point[1][0] - t->point[0][0], t->point[1][1] - t->point[0][1]) / 8);
  }
  return spacing;
}

static bool mark_zones(pc_floor *floor)
{
  pc_grid *grid = &floor->grid;
  bool room = true;
  for (int z = 0; z < floor->zones.count && room; z++) {
    const pc_zone *zone = &floor->zones.at[z];
    double mean = 0.5 * (pc_stairs_ratio(floor->slope) + pc_stairs_ratio(-floor->slope));
    double speed = zone->speed > 0 ? zone->speed : floor->slope != 0 ? REFERENCE * mean : 0.5;
    room = pc_grid_slow(grid, zone->count, (const double(*)[2])zone->point,
                        fmax(1, REFERENCE / speed), floor->slow, z + 1);
  }
  return room;
}

// Marks nodes near exits and stairs. People elsewhere need not be tested for crossing a line.
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
  const pc_floor *own = &crowd->floors.at[f];
  for (int i = 0; i < crowd->targets.count; i++)
    if (crowd->targets.at[i].kind == PC_TARGET_EXIT && crowd->targets.at[i].floor == f)
      mark_line(own, (const double(*)[2])crowd->targets.at[i].point);
  for (int i = 0; i < crowd->passages.count; i++)
    for (int k = 0; k < 2; k++)
      if (crowd->passages.at[i].floor[k] == f)
        mark_line(own, (const double(*)[2])crowd->passages.at[i].line[k]);
}

static pc_status make_grid(pc_crowd *crowd, int f, double spacing)
{
  pc_floor *floor = &crowd->floors.at[f];
  double(*line)[4] =
      calloc((size_t)crowd->targets.count + 2 * (size_t)crowd->passages.count + 1, sizeof *line);
  if (line == NULL)
    return pc_crowd_out_of_memory(crowd);
  pc_grid_def def = {.spacing = spacing,
                     .inset = crowd->def.inset,
                     .reluctance = crowd->def.reluctance,
                     .line = (const double(*)[4])line,
                     .margin = 4 * spacing};
  for (int i = 0; i < crowd->targets.count; i++)
    if (crowd->targets.at[i].kind == PC_TARGET_EXIT && crowd->targets.at[i].floor == f)
      memcpy(line[def.lines++], crowd->targets.at[i].point, sizeof *line);
  for (int i = 0; i < crowd->passages.count; i++)
    for (int k = 0; k < 2; k++)
      if (crowd->passages.at[i].floor[k] == f)
        memcpy(line[def.lines++], crowd->passages.at[i].line[k], sizeof *line);
  pc_status status = pc_grid_make(
      &floor->grid, floor->closed.walls > 0 ? &floor->closed : &floor->plan, &def, &crowd->error);
  free(line);
  if (status != PC_OK)
    return status;
  size_t nodes = (size_t)floor->grid.columns * floor->grid.rows;
  floor->slow = pc_arena_take(&crowd->arena, nodes, 1);
  floor->by_line = pc_arena_take(&crowd->arena, nodes, 1);
  floor->outside = pc_arena_take(&crowd->arena, nodes, 1);
  if (crowd->arena.failed || !mark_zones(floor))
    return pc_crowd_out_of_memory(crowd);
  mark_lines(crowd, f);
  return pc_find_outside(floor, &crowd->error);
}

pc_status pc_crowd_finish(pc_crowd *crowd)
{
  if (pc_crowd_admit(crowd) != PC_OK)
    return PC_ERROR_ARGUMENT;
  pc_status status = PC_OK;
  if (crowd->finished || crowd->floors.count == 0)
    return pc_crowd_fail(crowd, PC_ERROR_ARGUMENT,
                         crowd->finished ? "the building is already finished"
                                         : "a building needs at least one floor");
  crowd->finished = true;
  double spacing = choose_spacing(crowd);
  status = pc_exits_cut(crowd);
  if (status == PC_OK)
    status = pc_passages_cut(crowd);
  for (int f = 0; f < crowd->floors.count && status == PC_OK; f++)
    status = pc_layout_finish(&crowd->floors.at[f].plan, &crowd->error);
  if (status == PC_OK)
    status = pc_passages_build(crowd);
  for (int f = 0; f < crowd->floors.count && status == PC_OK; f++) {
    pc_floor *floor = &crowd->floors.at[f];
    if (f > 0) // the first stays where it is
      floor->offset = crowd->floors.at[f - 1].offset + crowd->floors.at[f - 1].plan.high[0] +
                      BETWEEN - floor->plan.low[0];
  }
  if (status == PC_OK)
    status = pc_lifts_check(crowd);
  if (status == PC_OK)
    status = pc_exits_check(crowd);
  if (status == PC_OK)
    status = pc_widths_close(crowd);
  for (int f = 0; f < crowd->floors.count && status == PC_OK; f++) {
    status = make_grid(crowd, f, spacing);
    if (status == PC_OK)
      status = build_walls(crowd, &crowd->floors.at[f]);
  }
  if (status == PC_OK)
    status = pc_congestion_make(crowd);
  if (status == PC_OK)
    status = pc_choice_make(crowd);
  if (status == PC_OK)
    status = pc_doors_build(crowd);
  return status == PC_OK ? pc_delays_make(crowd) : status;
}
