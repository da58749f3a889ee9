// Temperatures in impact files: what they become, and what is said of wrong ones.
#include "support.h"

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "folder.h"
#include "percuss/scene.h"

static const char *path_of(const char *text)
{
  write_file("heat.yaml", text);
  return in_folder("heat.yaml");
}

// Reads, solves, and gives temperatures after; returns the status of the last.
static pc_status solve(const char *text, pc_heat_result *after, pc_heat_info *info, pc_error *error)
{
  pc_scene_impact scene;
  *error = (pc_error){.text = ""};
  assert_ok(pc_scene_read_impact(path_of(text), &scene, error), error);
  pc_solve_options options = pc_solve_options_default();
  pc_solve_info solved;
  assert_int_equal(pc_impact_solve(scene.problem, &options, &solved), PC_OK);
  pc_status status = pc_scene_impact_heat(&scene, after, info, error);
  pc_scene_impact_free(&scene);
  return status;
}

#define BALLS(heat, exchange)                                                                      \
  "kind: impact\nheat: " heat "\nbodies:\n"                                                        \
  "  - {id: a, dof: 1, mass: 1, velocity: [6.324555320336759], temperature: 300, capacity: 1}\n"   \
  "  - {id: b, dof: 1, mass: 1, temperature: 310, capacity: 1}\n"                                  \
  "interactions:\n"                                                                                \
  "  - {type: contact, bodies: [a, b], normal: [-1], law: {normal: {kind: inelastic}}, "           \
  "exchange: " exchange "}\n"

// The 10 J of an inelastic collision, and the table of pairs.
static void two_balls(void **state)
{
  static const struct {
    const char *text;
    double after[2];
  } cases[] = {{BALLS("{mode: adiabatic}", "1e-4"), {305.071888580, 314.928111420}},
               {BALLS("{mode: isentropic}", "1e-4"), {305.071769813, 314.928009249}},
               {BALLS("{mode: small}", "1e-4"), {305.070491803, 314.929508197}},
               {BALLS("{}", "0"), {304.918032787, 315.081967213}}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    pc_heat_result after[3];
    pc_heat_info info;
    pc_error error;
    assert_int_equal(solve(cases[i].text, after, &info, &error), PC_OK);
    for (int b = 0; b < 2; b++)
      assert_near(after[b].temperature, cases[i].after[b], 1e-9);
    assert_true(info.account.closed && info.account.produced > 0);
    assert_near(info.account.work, 10, 1e-12);
  }
}

#define OBSTACLE(heat, more)                                                                       \
  "kind: impact\nheat: " heat "\nbodies:\n"                                                        \
  "  - {id: a, dof: 1, mass: 2, velocity: [-3], temperature: 300, capacity: 4}\n"                  \
  "interactions:\n"                                                                                \
  "  - {type: contact, bodies: [a], normal: [1], law: {normal: {kind: inelastic}}" more "}\n"

// Against an obstacle all 9 J are the body's; an outside takes its share, and exchanges.
static void a_body_and_an_obstacle(void **state)
{
  pc_heat_result after[2];
  pc_heat_info info;
  pc_error error;
  assert_int_equal(solve(OBSTACLE("{}", ""), after, &info, &error), PC_OK);
  assert_near(after[0].jump, 9 / 4.0, 1e-13);
  assert_near(info.account.received, 0, 0);
  assert_int_equal(solve(OBSTACLE("{outside: 300}", ""), after, &info, &error), PC_OK);
  assert_near(after[0].heat, 4.5, 0.02); // its mean temperature is a little above
  assert_true(after[0].heat > 4.5);
  assert_near(after[0].heat + after[1].heat, 9, 1e-12);
  assert_near(info.account.received, -after[1].heat, 1e-12);
  assert_int_equal(solve(OBSTACLE("{outside: 250}", ", exchange: 0.01"), after, &info, &error),
                   PC_OK);
  assert_true(after[0].temperature < 300);
}

static void what_has_no_solution_is_said(void **state)
{
  pc_heat_result after[2];
  pc_heat_info info;
  pc_error error;
  const char *text = OBSTACLE("{mode: adiabatic, outside: 100}", ", exchange: 10");
  assert_int_equal(solve(text, after, &info, &error), PC_ERROR_NUMERIC);
  assert_non_null(strstr(error.text, "use a smaller exchange or the mode closed"));
}

static void wrong_files_are_explained(void **state)
{
  static const struct {
    const char *text, *says;
  } wrong[] = {
      {"kind: impact\nheat: {mode: warm}\nbodies: [{id: a, dof: 1, mass: 1}]\n",
       "heat.yaml:2: unknown mode of heat 'warm'"},
      {"kind: impact\nheat: {outside: 0}\nbodies: [{id: a, dof: 1, mass: 1}]\n", "heat.yaml:2: "},
      {"kind: impact\nheat: {}\nbodies:\n  - {id: a, dof: 1, mass: 1, temperature: 300}\n",
       "heat.yaml:4: body 'a' needs the key 'capacity', because the file has 'heat'"},
      {"kind: impact\nheat: {}\nbodies:\n  - {id: a, dof: 1, mass: 1, capacity: 1}\n",
       "heat.yaml:4: body 'a' needs the key 'temperature'"},
      {"kind: impact\nheat: {}\nbodies:\n  - {id: a, dof: 1, mass: 1, capacity: 1, temperature: "
       "-1}\n",
       "heat.yaml:4: "},
      {"kind: impact\nheat: {}\nbodies:\n  - {id: a, dof: 1, mass: 1, capacity: 0, temperature: "
       "1}\n",
       "heat.yaml:4: "},
      {"kind: impact\nbodies:\n  - {id: a, dof: 1, mass: 1, temperature: 300}\n",
       "heat.yaml:3: the temperature of a body requires 'heat' in the file"},
      {"kind: impact\nbodies:\n  - {id: a, dof: 1, mass: 1}\ninteractions:\n  - {type: contact, "
       "bodies: [a], normal: [1], law: {normal: {kind: inelastic}}, exchange: 1}\n",
       "heat.yaml:5: the 'exchange' of an interaction requires 'heat' in the file"},
      {OBSTACLE("{}", ", exchange: 1"),
       "heat.yaml:6: 'exchange' with an obstacle requires 'outside', the"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    pc_scene_impact scene;
    pc_error error = {.text = ""};
    assert_int_equal(pc_scene_read_impact(path_of(wrong[i].text), &scene, &error), PC_ERROR_INPUT);
    assert_says(error.text, wrong[i].says);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_balls),
      cmocka_unit_test(a_body_and_an_obstacle),
      cmocka_unit_test(what_has_no_solution_is_said),
      cmocka_unit_test(wrong_files_are_explained),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
