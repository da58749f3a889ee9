// The lines of the energy balance: what the list says holds in a world, and the docs have every
// line.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "percuss/world_heat.h"
#include "worlds.h"

// Balls on strings fall onto a moving floor, pushed by a force: no line but those of sleep and of
// events is always 0.
static pc_world *make_world(bool heat)
{
  pc_world_def def = pc_world_def_default();
  def.treatment = PC_VELOCITY_LEVEL;
  pc_world *world = pc_world_create(&def);
  pc_law law = {.normal = {.kind = PC_NORMAL_RESTITUTION, .e = 0.5},
                .tangential = {.kind = PC_TANGENTIAL_COULOMB, .mu = {0.3, 0.3}, .on = PC_ON_AFTER}};
  assert_int_equal(pc_world_set_default_law(world, &law), PC_OK);
  pc_body_def floor = pc_body_def_default();
  floor.kind = PC_DRIVEN;
  floor.motion.translation[2] =
      (pc_signal){.kind = PC_SIGNAL_SINE, .amplitude = 0.02, .frequency = 5};
  add(world, &floor, pc_shape_box((double[]){5, 5, 0.1}, NULL));
  pc_body ball[4];
  for (int i = 0; i < 4; i++) {
    pc_body_def body = pc_body_def_default();
    body.position[0] = 0.3 * i;
    body.position[2] = 0.3 + 0.1 * i;
    body.velocity[1] = 0.1 * i;
    ball[i] = add(world, &body, pc_shape_sphere(0.1, NULL));
    assert_int_equal(pc_world_add_load(world, ball[i], (double[]){1, 0, 0, 0, 0, 0}, NULL), PC_OK);
  }
  tie(world, ball[0], ball[1], 0.2, 100, 0.5);
  tie(world, ball[2], ball[3], 0.2, 200, 0);
  if (heat) {
    pc_heat_def warm = pc_heat_def_default();
    warm.exchange = 10;
    assert_int_equal(pc_world_set_heat(world, &warm), PC_OK);
  }
  return world;
}

static void the_signs_of_the_list_close_the_balance(void **state)
{
  for (int heat = 0; heat < 2; heat++) {
    pc_world *world = make_world(heat);
    double kinetic = NAN, turned = 0;
    for (int k = 0; k < 300; k++) {
      if (pc_world_step(world, 2e-3) != PC_OK)
        fail_msg("%s", pc_world_error(world));
      const pc_step_info *info = pc_world_info(world);
      double now = info->kinetic_translation + info->kinetic_rotation, change = 0, since = 0;
      if (k == 0)
        kinetic = info->kinetic_start;
      turned += now;
      for (int i = 0; i < PC_BALANCE_COUNT; i++) {
        change += pc_balance[i].step_sign * pc_step_line(info, i);
        if (pc_balance[i].run_sign > 0 || !heat)
          since += pc_balance[i].run_sign * pc_step_total(info, i);
      }
      if (heat)
        since -= info->thermal + info->total_heat_outside + info->total_heat_obstacles;
      double start = info->kinetic_start + info->potential_start + info->stored_start;
      assert_near(now - kinetic, change, 1e-12 * turned);
      assert_near(now + info->potential + info->stored - start, since, 1e-10 * turned);
      kinetic = now;
    }
    pc_world_destroy(world);
  }
}

static void every_sum_is_that_of_its_line(void **state)
{
  pc_world *world = make_world(false);
  double sum[PC_BALANCE_COUNT] = {0};
  for (int k = 0; k < 300; k++) {
    assert_int_equal(pc_world_step(world, 2e-3), PC_OK);
    for (int i = 0; i < PC_BALANCE_COUNT; i++)
      sum[i] += pc_step_line(pc_world_info(world), i);
  }
  for (int i = 0; i < PC_BALANCE_COUNT; i++)
    if (pc_balance[i].total != NULL)
      assert_true(pc_step_total(pc_world_info(world), i) == sum[i]);
  pc_world_destroy(world);
}

// The row of a dataset in docs/run-format.md.
static void check_row(const char *docs, const char *name, const char *unit, const char *text)
{
  char row[400];
  snprintf(row, sizeof row, "\n| `steps/%s` | float64 | %s | %s |\n", name, unit, text);
  if (strstr(docs, row) == NULL)
    fail_msg("docs/run-format.md has no row%s", row);
}

static void the_docs_describe_every_line(void **state)
{
  FILE *file = fopen("docs/run-format.md", "r");
  assert_non_null(file);
  static char docs[100000];
  size_t length = fread(docs, 1, sizeof docs - 1, file);
  fclose(file);
  assert_true(length > 0 && length < sizeof docs - 1);
#define ENERGY(field, text) check_row(docs, #field, "J", text);
#define HEAT(field, unit, text) check_row(docs, #field, unit, text);
  PC_BALANCE_ENERGIES(ENERGY)
  PC_BALANCE_HEAT(HEAT)
  for (int i = 0; i < PC_BALANCE_COUNT; i++) {
    const pc_balance_line *line = &pc_balance[i];
    char since[80];
    snprintf(since, sizeof since, "`%s` since the start", line->name);
    check_row(docs, line->name, "J", line->description);
    if (line->total != NULL && i != PC_LINE_frozen) // its sum is not recorded
      check_row(docs, line->total, "J", since);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_signs_of_the_list_close_the_balance),
      cmocka_unit_test(every_sum_is_that_of_its_line),
      cmocka_unit_test(the_docs_describe_every_line),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
