// Worlds and crowds of the contract suite, what they are before and after a call, and the end of
// all its objects.
#include "api/objects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct kept_bytes {
  size_t size;
  char bytes[1 << 15];
} kept_bytes;

fixture_objects fixture_own;
#define own fixture_own

static kept_bytes world_before, crowd_before, spare;

static void save_world(const pc_world *world, kept_bytes *kept)
{
  kept->size = world != NULL ? pc_world_save(world, kept->bytes, sizeof kept->bytes) : 0;
}

static void save_crowd(const pc_crowd *crowd, kept_bytes *kept)
{
  kept->size = crowd != NULL ? pc_crowd_save(crowd, kept->bytes, sizeof kept->bytes) : 0;
}

static bool is_same(const kept_bytes *a, const kept_bytes *b)
{
  return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

// --- rigid bodies
// ---------------------------------------------------------------------------------

static void add_body(pc_world *world, pc_shape *shape, pc_body_kind kind, double x, double z)
{
  pc_body_def def = pc_body_def_default();
  def.shape = shape;
  def.kind = kind;
  def.position[0] = x;
  def.position[2] = z;
  if (kind == PC_DRIVEN)
    def.motion.translation[0] = (pc_signal){.kind = PC_SIGNAL_RATE, .rate = 1};
  if (pc_body_create(world, &def).id == 0)
    contract_complain("the fixture has no body: %s", pc_world_error(world));
}

// Two bodies with a string, a spring and a bond, a driven one, two of a system, and the ground.
static pc_world *make_world(void)
{
  pc_world_def def = pc_world_def_default();
  pc_world *world = pc_world_create(&def);
  pc_shape *ball = pc_shape_sphere(0.5, NULL), *box = pc_shape_box((double[]){1, 1, 1}, NULL);
  pc_shape *plane = pc_shape_plane(3, (double[]){0, 0, 1}, NULL);
  pc_heat_def heat = pc_heat_def_default();
  pc_world_add_material(world, 500);
  add_body(world, ball, PC_FREE, 0, 0.49);
  add_body(world, ball, PC_FREE, 2, 0.5);
  add_body(world, box, PC_DRIVEN, -9, 2);
  add_body(world, ball, PC_FREE, 5, 0.5);
  add_body(world, plane, PC_FIXED, 0, 0);
  add_body(world, ball, PC_FREE, 5.99, 0.5);
  const double points[2][3] = {{0.5, 0, 0.5}, {1.5, 0, 0.5}}, up[3] = {0, 0, 1};
  const pc_body pair[2] = {{1}, {2}}, system[2] = {{4}, {6}};
  heat.conductance = 1;
  pc_world_set_heat(world, &heat);
  if (pc_world_add_spring(world, pair[0], points[0], up, 10) != 0 ||
      pc_world_add_string(world, pair, points, 0.9, 10, 1) != 1 ||
      pc_world_add_bond(world, pair, points, 1) != 0 ||
      pc_world_add_system(world, 2, system, &(pc_system_laws){1, 1, 1}) != 0)
    contract_complain("the fixture has no elements: %s", pc_world_error(world));
  pc_shape_release(ball);
  pc_shape_release(box);
  pc_shape_release(plane);
  return world;
}

pc_world *fixture_new_world(void)
{
  if (contract_now.inside) // of the one that steps
    return fixture_world();
  if (own.new_world == NULL)
    own.new_world = make_world();
  return own.new_world;
}

static pc_world *make_stepped_world(void)
{
  pc_world *world = make_world();
  for (int i = 0; i < 2; i++)
    if (pc_world_step(world, 1e-3) != PC_OK)
      contract_complain("the fixture does not step: %s", pc_world_error(world));
  return world;
}

pc_world *fixture_world(void)
{
  if (own.world == NULL)
    own.world = make_stepped_world();
  return own.world;
}

pc_body_def fixture_body(void)
{
  pc_body_def def = pc_body_def_default();
  def.shape = fixture_shape();
  def.position[2] = 9;
  return def;
}

pc_shape *fixture_shape(void)
{
  if (own.shape == NULL)
    own.shape = pc_shape_box((double[]){1, 2, 3}, NULL);
  return own.shape;
}

pc_shape *fixture_mesh(void)
{
  const double vertex[3][3] = {{0}, {1}, {0, 1}};
  const int triangle[1][3] = {{0, 1, 2}};
  if (own.mesh == NULL)
    own.mesh = pc_shape_mesh(3, vertex, 1, triangle, NULL);
  return own.mesh;
}

const void *fixture_state_bytes(void)
{
  save_world(fixture_world(), &spare);
  return spare.bytes;
}

size_t fixture_state_size(void)
{
  return pc_world_save(fixture_world(), NULL, 0);
}

// --- crowds
// ---------------------------------------------------------------------------------------

static pc_crowd *make_building(void)
{
  pc_crowd_def def = pc_crowd_def_default();
  def.spacing = 0.25;
  def.choosing = 1;
  pc_crowd *crowd = pc_crowd_create(&def);
  const double low[2][2] = {{0, 0}, {2, 0}}, high[4][2] = {{2, 1}, {2, 1.5}, {0, 1.5}, {0, 0}};
  const pc_exit_def door = {.line = {{2, 0}, {2, 1}}};
  if (pc_crowd_add_floor(crowd) != 0 ||
      pc_crowd_add_wall(crowd, 0, PC_WALL_LINE, 2, low) != PC_OK ||
      pc_crowd_add_wall(crowd, 0, PC_WALL_LINE, 4, high) != PC_OK ||
      pc_crowd_add_exit(crowd, &door) != 0 || pc_crowd_add_area(crowd, 0, 4, fixture_square()) != 1)
    contract_complain("the fixture has no building: %s", pc_crowd_error(crowd));
  return crowd;
}

pc_crowd *fixture_building(void)
{
  if (contract_now.inside)
    return fixture_crowd();
  if (own.building == NULL) {
    own.building = make_building();
    pc_crowd_add_floor(own.building);
  }
  return own.building;
}

pc_crowd *fixture_crowd(void)
{
  if (own.crowd != NULL)
    return own.crowd;
  own.crowd = make_building();
  pc_crowd_add_door(own.crowd, &(pc_door_def){.count = 2, .points = fixture_segment(), .opens = 1});
  bool good = pc_crowd_add_choice(own.crowd, 2, (const int[]){0, 1}) == 2 &&
              pc_crowd_finish(own.crowd) == PC_OK;
  for (int i = 0; i < 2; i++) {
    pc_person_def person = fixture_person();
    person.position[0] = 0.8 + 0.45 * i;
    person.position[1] = 0.5;
    person.goal = i == 0 ? 2 : person.goal;
    good = good && pc_crowd_add_person(own.crowd, &person) == i;
  }
  if (!good || pc_crowd_step(own.crowd, 0.01) != PC_OK)
    contract_complain("the fixture has no crowd: %s", pc_crowd_error(own.crowd));
  return own.crowd;
}

const void *fixture_crowd_bytes(void)
{
  save_crowd(fixture_crowd(), &spare);
  return spare.bytes;
}

size_t fixture_crowd_size(void)
{
  return pc_crowd_save(fixture_crowd(), NULL, 0);
}

// --- around a call
// --------------------------------------------------------------------------------

static void write_text(const char *path, const char *text)
{
  FILE *file = fopen(path, "w");
  if (file == NULL || fputs(text, file) < 0)
    contract_complain("cannot write %s", path);
  if (file != NULL)
    fclose(file);
}

void fixture_prepare(void)
{
  write_text("solid.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n"
                          "f 2 3 4\n");
  write_text("heights.asc", "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n0 0\n0 0\n");
  pc_error error = {.text = ""};
  pc_run_summary summary;
  const pc_run_options options = {.output = fixture_record()};
  if (pc_run_scene(fixture_scene(), &options, &summary, &error) != PC_OK)
    contract_complain("the fixture has no record: %s", error.text);
  fixture_end();
}

void fixture_before(void)
{
  save_world(own.world, &world_before);
  save_crowd(own.crowd, &crowd_before);
}

// What the world is after two more steps if nothing happens to it.
static const kept_bytes *undisturbed(void)
{
  static kept_bytes later;
  if (later.size > 0)
    return &later;
  pc_world *world = make_stepped_world();
  for (int i = 0; i < 2; i++)
    pc_world_step(world, 1e-3);
  save_world(world, &later);
  pc_world_destroy(world);
  return &later;
}

void fixture_after(bool unchanged)
{
  static kept_bytes now;
  save_world(own.world, &now);
  if (unchanged && !is_same(&now, &world_before))
    contract_complain("changed the state of the world");
  save_crowd(own.crowd, &now);
  if (unchanged && !is_same(&now, &crowd_before))
    contract_complain("changed the state of the crowd");
  if (contract_now.inside)
    return;
  for (int i = 0; i < 2; i++) { // what was let in must not break later
    if (own.world != NULL)
      pc_world_step(own.world, 1e-3);
    if (own.new_world != NULL)
      pc_world_step(own.new_world, 1e-3);
    if (own.crowd != NULL)
      pc_crowd_step(own.crowd, 0.01);
  }
  save_world(own.world, &now);
  if (unchanged && own.world != NULL && !is_same(&now, undisturbed()))
    contract_complain("changed what the world does next");
}

#define FREE(name, release)                                                                        \
  do {                                                                                             \
    if (own.name != NULL)                                                                          \
      release(own.name);                                                                           \
    own.name = NULL;                                                                               \
  } while (0)
#define FREE_FILLED(name, release)                                                                 \
  do {                                                                                             \
    if (own.name != NULL)                                                                          \
      release(own.name);                                                                           \
    free(own.name);                                                                                \
    own.name = NULL;                                                                               \
  } while (0)

void fixture_end(void)
{
  FREE(view, pc_view_close);
  FREE(runs, pc_runs_destroy);
  FREE(fresh_runs, pc_runs_destroy);
  FREE(continuum_motion, pc_continuum_motion_destroy);
  FREE_FILLED(answer, pc_continuum_answer_free);
  FREE_FILLED(own_answer, pc_continuum_answer_free);
  FREE_FILLED(scene_impact, pc_scene_impact_free);
  FREE_FILLED(identification, pc_scene_identification_free);
  FREE_FILLED(rigid, pc_scene_free);
  FREE_FILLED(crowd_scene, pc_scene_free);
  FREE_FILLED(many, pc_scene_free);
  FREE_FILLED(collision, pc_scene_free);
  FREE_FILLED(motion, pc_scene_free);
  FREE_FILLED(warm, pc_scene_free);
  FREE(chain_motion, pc_chain_motion_destroy);
  FREE(heat, pc_heat_destroy);
  FREE(impact, pc_impact_destroy);
  FREE(response, pc_impact_destroy);
  FREE(world, pc_world_destroy);
  FREE(new_world, pc_world_destroy);
  FREE(crowd, pc_crowd_destroy);
  FREE(building, pc_crowd_destroy);
  FREE(shape, pc_shape_release);
  FREE(mesh, pc_shape_release);
}

#define FORGET(name)                                                                               \
  do {                                                                                             \
    if (gone == own.name)                                                                          \
      own.name = NULL;                                                                             \
  } while (0)

void fixture_forget(const void *gone)
{
  if (contract_now.inside) // refused, or between the steps of a run that still needs it
    return;
  FORGET(world);
  FORGET(crowd);
  FORGET(impact);
  FORGET(heat);
  FORGET(shape);
  FORGET(chain_motion);
  FORGET(continuum_motion);
  FORGET(fresh_runs);
  FORGET(view);
}
