// States of checkpoints with right checksums and numbers that cannot be. The scenes are those of
// fuzz/states.h, which has all that a state may hold.
#include <limits.h>
#include <math.h>
#include <stdbool.h>

#include "support.h"

#include "fuzz/states.h"
#include "percuss/world.h"
#include "rigid/world.h"
#include "run/simulation.h"

enum { STEPS = 3 };

typedef struct runner {
  pc_scene scene;
  pc_run_options options;
  pc_run_summary summary;
  pc_simulation simulation;
} runner;

static void begin(runner *r, const char *text)
{
  pc_error error = {.text = ""};
  *r = (runner){.options = {0}};
  assert_ok(pc_scene_parse("state.yaml", text, &r->scene, &error), &error);
  r->simulation = (pc_simulation){.kind = pc_simulation_kind_of(&r->scene),
                                  .scene = &r->scene,
                                  .options = &r->options,
                                  .summary = &r->summary,
                                  .frame_steps = 1};
  const pc_simulation_kind *kind = r->simulation.kind;
  assert_ok(kind->begin(&r->simulation, &error), &error);
  for (int i = 0; i < STEPS && !(kind->over != NULL && kind->over(&r->simulation)); i++) {
    assert_ok(kind->step(&r->simulation, &error), &error);
    r->summary.steps++;
  }
}

static void end(runner *r)
{
  r->simulation.kind->free(&r->simulation);
  pc_scene_free(&r->scene);
}

// What moves: the first part of a checkpoint; the caller frees it.
static unsigned char *save(const runner *r, size_t *size)
{
  *size = r->simulation.kind->save(&r->simulation, 0, NULL);
  unsigned char *data = calloc(*size + 1, 1);
  assert_non_null(data);
  r->simulation.kind->save(&r->simulation, 0, data);
  return data;
}

// With the checksum of the world, which is at the end.
static pc_status load(runner *r, unsigned char *data, size_t size, pc_error *error)
{
  if (r->scene.world != NULL) {
    size_t own = r->scene.crowd != NULL ? pc_world_save(r->scene.world, NULL, 0) : size;
    pc_world_seal(data + size - own, own);
  }
  return r->simulation.kind->load(&r->simulation, 0, data, size, error);
}

// Puts what no state has into each place in turn. Refused or taken: a refused state says so and
// changes nothing, and a taken one is what is saved again. Gives how many were refused.
static int try_all(const char *scene, const void *wild, size_t bytes, int every, int from)
{
  runner r;
  size_t size, again;
  int refused = 0;
  begin(&r, scene);
  unsigned char *sound = save(&r, &size), *data = malloc(size);
  assert_non_null(data);
  if (size < 64) // of one collision: a hash
    every = 1, from = 0;
  for (size_t at = (size_t)from * bytes; at + bytes <= size; at += bytes * (size_t)every) {
    pc_error error = {.text = ""};
    memcpy(data, sound, size);
    memcpy(data + at, wild, bytes);
    pc_status status = load(&r, data, size, &error);
    if (status == PC_OK) {
      assert_ok(load(&r, sound, size, &error), &error);
      continue;
    }
    assert_int_equal(status, PC_ERROR_INPUT);
    assert_true(error.text[0] != 0);
    unsigned char *now = save(&r, &again);
    if (again != size || memcmp(now, sound, size) != 0)
      fail_msg("refused at %zu of %zu, and changed", at, size);
    free(now);
    refused++;
  }
  free(sound);
  free(data);
  end(&r);
  return refused;
}

static void a_refused_state_changes_nothing(void **state)
{
  const double nan = NAN;
  const int large = INT_MAX;
  pc_random random = test_random(__func__);
  for (int s = 0; s < SCENES; s++) {
    int every = 12 / test_count(1) > 0 ? 12 / test_count(1) : 1,
        from = (int)(pc_random_bits(&random) % (unsigned)every);
    int refused = try_all(scenes[s], &nan, sizeof nan, every, from) +
                  try_all(scenes[s], &large, sizeof large, every, from);
    if (refused == 0)
      fail_msg("scene %d: no number of its state is looked at", s);
  }
}

// The runs of contacts that are integrated are the last of a chain's state, and what they name is
// written to.
static void a_chain_stays_within_its_contacts(void **state)
{
  static const int ends[][2] = {{-1, 3}, {0, 1000}, {3, 3}, {4, 2}, {INT_MIN, INT_MAX}};
  const char *chain = NULL;
  for (int s = 0; s < SCENES; s++)
    if (strstr(scenes[s], "kind: hertz") != NULL)
      chain = scenes[s];
  assert_non_null(chain);
  runner r;
  size_t size;
  begin(&r, chain);
  unsigned char *data = save(&r, &size);
  int contacts = pc_chain_contacts(&r.scene.chain->chain), last[2];
  unsigned char *run = data + size - (size_t)(contacts + 1) * sizeof last; // the first
  memcpy(last, run, sizeof last);
  assert_in_range(last[1], 1, contacts);
  for (int i = 0; i < PC_COUNT(ends); i++) {
    pc_error error = {.text = ""};
    memcpy(run, ends[i], sizeof last);
    assert_int_equal(load(&r, data, size, &error), PC_ERROR_INPUT);
    assert_says(error.text, "damaged");
  }
  free(data);
  end(&r);
}

static pc_world *make_world(int dimension)
{
  pc_world_def def = pc_world_def_default();
  def.dimension = dimension;
  pc_world *world = pc_world_create(&def);
  assert_non_null(world);
  pc_body_def ball = pc_body_def_default();
  ball.shape = dimension == 2 ? pc_shape_disc(0.1, NULL) : pc_shape_sphere(0.1, NULL);
  ball.mass = 1;
  assert_true(pc_body_create(world, &ball).id > 0);
  pc_shape_release(ball.shape);
  return world;
}

static void a_world_is_loaded_into_one_of_its_dimension(void **state)
{
  for (int dimension = 2; dimension <= 3; dimension++) {
    pc_world *one = make_world(dimension), *other = make_world(5 - dimension);
    size_t size = pc_world_save(one, NULL, 0);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    pc_world_save(one, bytes, size);
    assert_int_equal(pc_world_load(one, bytes, size), PC_OK);
    assert_int_equal(pc_world_load(other, bytes, size), PC_ERROR_INPUT);
    assert_says(pc_world_error(other),
                dimension == 2 ? "this world is in space" : "this world is in the plane");
    free(bytes);
    pc_world_destroy(one);
    pc_world_destroy(other);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_refused_state_changes_nothing),
      cmocka_unit_test(a_chain_stays_within_its_contacts),
      cmocka_unit_test(a_world_is_loaded_into_one_of_its_dimension),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
