// Scenes in stages: based on another file, started from a table, changed by events; bodies chosen
// by their places; signals filtered.
#include "support.h"

#include <string.h>
#include <unistd.h>

#include "folder.h"
#include "geometry/shape.h"
#include "percuss/run.h"
#include "run/filter.h"

static pc_scene read_good(const char *name)
{
  char path[120];
  pc_scene scene;
  pc_error error = {.text = ""};
  strcpy(path, in_folder(name));
  assert_ok(pc_scene_read(path, &scene, &error), &error);
  return scene;
}

// The message has both words.
static void assert_bad(const char *name, const char *where, const char *word)
{
  char path[120];
  pc_scene scene;
  pc_error error = {.text = ""};
  strcpy(path, in_folder(name));
  assert_int_not_equal(pc_scene_read(path, &scene, &error), PC_OK);
  if (strstr(error.text, where) == NULL || strstr(error.text, word) == NULL)
    fail_msg("'%s' does not say '%s' and '%s'", error.text, where, word);
}

static int body_of(const pc_scene *scene, const char *name)
{
  for (int i = 0; i < scene->bodies; i++)
    if (strcmp(scene->names[i], name) == 0)
      return i + 1;
  fail_msg("no body '%s'", name);
  return 0;
}

static pc_body_state state_of(const pc_scene *scene, const char *name)
{
  pc_body_state state;
  pc_body_get(scene->world, (pc_body){body_of(scene, name)}, &state);
  return state;
}

#define HEAD "kind: rigid\nduration: 1\nstep: 1e-3\n"
#define BALL "shape: {type: sphere, radius: 0.1}"
#define BODY "bodies: [{name: a, " BALL ", position: [0, 0, 5]}]\n"

static void a_scene_takes_what_it_does_not_say_from_its_base(void **state)
{
  write_file("a.yaml", "kind: rigid\nbase: b.yaml\nstep: 2e-3\ntitle: own\n");
  write_file("b.yaml", "kind: rigid\nbase: c.yaml\nstep: 5e-3\ngravity: [0, 0, -1]\n");
  write_file("c.yaml", HEAD BODY "title: far\ngravity: [1, 2, 3]\n");
  pc_scene scene = read_good("a.yaml");
  assert_near(scene.step, 2e-3, 0);
  assert_near(scene.duration, 1, 0);
  assert_string_equal(scene.title, "own");
  assert_near(pc_world_definition(scene.world)->gravity[2], -1, 0);
  assert_near(state_of(&scene, "a").position[2], 5, 0);
  assert_non_null(strstr(scene.base_text, "title: far"));
  pc_scene_free(&scene);
}

static void messages_name_the_file_that_is_wrong(void **state)
{
  write_file("a.yaml", "kind: rigid\nbase: b.yaml\n");
  write_file("b.yaml", HEAD "\ngravity: [0, one, 0]\n" BODY);
  assert_bad("a.yaml", "b.yaml:5:", "'gravity'");
  write_file("b.yaml", HEAD "colour: red\n" BODY);
  assert_bad("a.yaml", "b.yaml:4:", "unknown key");
  write_file("b.yaml", "kind: impact\n");
  assert_bad("a.yaml", "b.yaml:1:", "percuss solve");
  write_file("b.yaml", "kind: rigid\nstep: 1\n" BODY);
  assert_bad("a.yaml", "a.yaml:1:", "'duration'");
  write_file("a.yaml", "kind: rigid\nbase: nowhere.yaml\n");
  assert_bad("a.yaml", "a.yaml:2:", "nowhere.yaml");
  write_file("a.yaml", "kind: rigid\nbase: a.yaml\n");
  assert_bad("a.yaml", "a.yaml:2:", "the chain of 'base' files is longer than");
}

#define TABLE "x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz,name\n"

static void a_table_says_where_bodies_start(void **state)
{
  // The centre of mass of this polyhedron is not its origin.
  write_file("a.yaml",
             HEAD "start: table.csv\nbodies:\n"
                  "  - {name: 'a, b', " BALL ", position: [0, 0, 5]}\n"
                  "  - {name: t, shape: {type: polyhedron, vertices: [[0, 0, 0], [1, 0, 0], [0, 1, "
                  "0], [0, 0, 1]]}, position: [4, 0, 0]}\n");
  write_file("table.csv", "\xef\xbb\xbf" TABLE "1,2,3,0.6,0,0,0.8,4,5,6,7,8,9,a, b\n"
                          "\n7,0,0,0,0,0,1,0,0,0,0,0,0,t\r\n");
  pc_scene scene = read_good("a.yaml");
  pc_body_state a = state_of(&scene, "a, b"), t = state_of(&scene, "t");
  for (int i = 0; i < 3; i++) {
    assert_near(a.position[i], 1 + i, 1e-15);
    assert_near(a.velocity[i], 4 + i, 0);
    assert_near(a.spin[i], 7 + i, 0);
  }
  assert_near(a.orientation[3], 0.8, 1e-15);
  // Half a turn about z: the centre at (1/4, 1/4, 1/4) comes to (-1/4, -1/4, 1/4).
  assert_near(t.position[0], 6.75, 1e-15);
  assert_near(t.position[1], -0.25, 1e-15);
  assert_near(t.position[2], 0.25, 1e-15);
  pc_scene_free(&scene);
}

static void a_wrong_table_is_told_with_its_line(void **state)
{
  write_file("a.yaml",
             HEAD BODY "obstacles: [{name: o, shape: {type: plane}}]\nstart: table.csv\n");
  write_file("table.csv", "x,y,z,name\n");
  assert_bad("a.yaml", "table.csv:1:", "must be the header");
  write_file("table.csv", TABLE "0,0,0,1,0,0,0,0,0,0,0,0,0,b\n");
  assert_bad("a.yaml", "table.csv:2:", "unknown body 'b'");
  write_file("table.csv", TABLE "0,0,5,1,0,0,0,0,0,0,0,0,0,a\n0,0,5,1,0,0,0,0,0,0,0,0,0,a\n");
  assert_bad("a.yaml", "table.csv:3:", "twice");
  write_file("table.csv", TABLE "0,0,0,1,0,0,0,0,0,0,0,0,0,o\n");
  assert_bad("a.yaml", "table.csv:2:", "obstacle");
  write_file("table.csv", TABLE "0,0,0,2,0,0,0,0,0,0,0,0,0,a\n");
  assert_bad("a.yaml", "table.csv:2:", "length 1");
  write_file("table.csv", TABLE "0,0,x,1,0,0,0,0,0,0,0,0,0,a\n");
  assert_bad("a.yaml", "table.csv:2:", "column 'z'");
  write_file("b.yaml", HEAD "generators: [{type: random, name: g, count: 2, " BALL
                            ", from_table: true}]\nstart: table.csv\n");
  write_file("table.csv", TABLE "0,0,0,1,0,0,0,0,0,0,0,0,0,g-1\n");
  assert_bad("b.yaml", "b.yaml:4:", "'g-2'");
  write_file("table.csv", TABLE "0,0,-3,1,0,0,0,0,0,0,0,0,0,a\n");
  assert_bad("a.yaml", "a.yaml:", "overlap");
}

static void run_good(const char *name, const char *output, pc_run_summary *summary)
{
  char path[120];
  pc_error error = {.text = ""};
  pc_scene scene = read_good(name);
  strcpy(path, in_folder(output));
  pc_run_options options = {.output = path};
  assert_ok(pc_run_scene(&scene, &options, summary, &error), &error);
  pc_scene_free(&scene);
}

// What was written at the end is what the next scene starts with, digit by digit.
static void the_end_of_one_run_is_the_start_of_another(void **state)
{
  write_file("a.yaml", "kind: rigid\nduration: 0.1\nstep: 1e-3\noutput: {end: true}\n"
                       "bodies: [{name: a, shape: {type: box, size: [1, 2, 3]}, position: [0, 0, "
                       "5], velocity: [1, 2, 3], spin: [3, 2, 1]}]\n");
  pc_run_summary summary;
  run_good("a.yaml", "a.h5", &summary);
  write_file("b.yaml", "kind: rigid\nbase: a.yaml\nstart: a-end.csv\n");
  pc_scene first = read_good("a.yaml"), second = read_good("b.yaml");
  for (int i = 0; i < 100; i++)
    assert_int_equal(pc_world_step(first.world, 1e-3), PC_OK);
  pc_body_state a = state_of(&first, "a"), b = state_of(&second, "a");
  assert_memory_equal(&a, &b, sizeof a);
  pc_scene_free(&first);
  pc_scene_free(&second);
}

static void a_run_does_not_replace_what_it_reads(void **state)
{
  static const struct {
    const char *scene, *table;
  } cases[] = {{HEAD BODY "start: a.csv\n", "a.csv"},
               {HEAD BODY "start: a-end.csv\noutput: {end: true}\n", "a-end.csv"}};
  for (int i = 0; i < 2; i++) {
    char path[120], output[120];
    pc_run_summary summary;
    pc_error error = {.text = ""};
    write_file(cases[i].table, TABLE "0,0,5,1,0,0,0,0,0,0,0,0,0,a\n");
    write_file("b.yaml", cases[i].scene);
    pc_scene scene = read_good("b.yaml");
    strcpy(path, in_folder(cases[i].table));
    strcpy(output, in_folder("a.h5"));
    pc_run_options options = {.output = output};
    assert_int_equal(pc_run_scene(&scene, &options, &summary, &error), PC_ERROR_INPUT);
    assert_non_null(strstr(error.text, cases[i].table));
    pc_scene_free(&scene);
    scene = read_good("b.yaml"); // the table is as it was
    pc_scene_free(&scene);
    assert_int_equal(unlink(path), 0);
  }
}

// A body of 2 kg falls freely for 0.5 s, is put back, thrown up at 3 m/s, and falls for 0.5 s.
static void an_event_throws_a_body_and_the_account_knows(void **state)
{
  const double g = 9.81, h = 1e-3;
  write_file("a.yaml", HEAD "bodies: [{name: a, " BALL ", mass: 2, position: [0, 0, 5]}]\n"
                            "events: [{time: 0.5, bodies: a, position: [1, 0, 7], velocity: [0, 0, "
                            "3]}]\noutput: {xdmf: false, csv: false}\n");
  pc_scene scene = read_good("a.yaml");
  pc_run_options options = {0};
  pc_run_summary summary;
  pc_error error;
  assert_int_equal(pc_run_scene(&scene, &options, &summary, &error), PC_OK);
  pc_body_state a = state_of(&scene, "a");
  assert_near(a.position[0], 1, 0);
  assert_near(a.position[2], 7 + 3 * 0.5 - g * 0.125, 1e-12);
  assert_near(a.velocity[2], 3 - g * 0.5, 1e-12);
  const pc_step_info *info = pc_world_info(scene.world);
  double fallen = 5 - g * 0.125, fast = g * 0.5;
  assert_near(info->total_given, 2 * (0.5 * 9 - 0.5 * fast * fast) + 2 * g * (7 - fallen), 1e-10);
  assert_near(info->given, 0, 0);
  assert_int_equal(summary.steps_open, 0);
  assert_true(info->drift < 1e-13);
  assert_near(pc_world_time(scene.world), 1000 * h, 1e-15);
  pc_scene_free(&scene);
}

// A spring keeps its energy in the energy balance when its body is lifted off.
static void an_event_takes_what_a_spring_has_stored(void **state)
{
  write_file("a.yaml", HEAD "gravity: [0, 0, 0]\n"
                            "bodies: [{name: a, " BALL ", mass: 1, position: [0, 0, 0], velocity: "
                            "[0, 0, -1]}]\n"
                            "springs: [{bodies: a, normal: [0, 0, 1], stiffness: 100}]\n"
                            "events: [{time: 0.1, bodies: a, position: [0, 0, 1]}]\n");
  pc_scene scene = read_good("a.yaml");
  pc_run_options options = {0};
  pc_run_summary summary;
  pc_error error;
  assert_int_equal(pc_run_scene(&scene, &options, &summary, &error), PC_OK);
  const pc_step_info *info = pc_world_info(scene.world);
  double depth = sin(10 * 0.1) / 10;
  assert_near(info->total_given, -50 * depth * depth, 1e-5);
  assert_near(info->stored, 0, 0);
  assert_true(info->drift < 1e-13);
  assert_true(fabs(info->total_stored_error) < 1e-12);
  pc_scene_free(&scene);
}

// What cannot turn does not, whoever tells it to.
static void an_event_does_not_spin_what_cannot_turn(void **state)
{
  write_file("a.yaml", HEAD "default_law: {normal: {kind: inelastic}, tangential: {kind: coulomb, "
                            "mu: 0.5}}\nobstacles: [{shape: {type: plane}}]\n"
                            "bodies: [{name: a, " BALL ", position: [0, 0, 0.1], no_rotation: "
                            "true}]\nevents: [{time: 0.1, bodies: a, spin: [0, 30, 0]}]\n");
  pc_scene scene = read_good("a.yaml");
  pc_run_options options = {0};
  pc_run_summary summary;
  pc_error error;
  assert_int_equal(pc_run_scene(&scene, &options, &summary, &error), PC_OK);
  assert_near(state_of(&scene, "a").position[0], 0, 1e-12);
  assert_near(state_of(&scene, "a").spin[1], 0, 0);
  pc_scene_free(&scene);
}

static void wrong_events_are_told(void **state)
{
  write_file("a.yaml", HEAD BODY "events:\n  - {time: 1, bodies: a}\n");
  assert_bad("a.yaml", "a.yaml:6:", "'velocity'");
  write_file("a.yaml", HEAD BODY "events:\n  - {time: 1, bodies: b, velocity: [0, 0, 0]}\n");
  assert_bad("a.yaml", "a.yaml:6:", "'b'");
  write_file("a.yaml", HEAD BODY "events:\n  - {time: 0, bodies: a, velocity: [0, 0, 0]}\n");
  assert_bad("a.yaml", "a.yaml:6:", "'time' must be");
  write_file("a.yaml", HEAD BODY "events:\n  - {time: 2, bodies: a, spin: [0, 0, 0]}\n"
                                 "  - {time: 1, bodies: a, spin: [0, 0, 0]}\n");
  assert_bad("a.yaml", "a.yaml:7:", "order");
  write_file("a.yaml",
             HEAD "generators: [{type: grid, name: g, " BALL ", counts: [2, 1, 1], spacing: 1}]\n"
                  "events:\n  - {time: 1, bodies: g, position: [0, 0, 0]}\n");
  assert_bad("a.yaml", "a.yaml:6:", "'position' is for a single body, but the event has");
}

static void bodies_are_chosen_by_their_places(void **state)
{
  write_file("a.yaml",
             HEAD "generators: [{type: grid, name: g, " BALL ", counts: [4, 1, 1], spacing: 1}]\n"
                  "bodies: [{name: a, " BALL ", position: [2.2, 0, 0.5]}]\n"
                  "sensors:\n"
                  "  - {name: s1, kind: velocity, bodies: {inside: {box: [[0.5, -1, -1], [2.5, 1, "
                  "1]]}}}\n"
                  "  - {name: s2, kind: velocity, bodies: {name: g, inside: {sphere: {centre: [2, "
                  "0, 0], radius: 1.5}}}}\n"
                  "  - {name: s3, kind: velocity, bodies: {name: 'g*', nearest: [2.2, 0, 0.4]}}\n"
                  "  - {name: s4, kind: velocity, bodies: [{nearest: [2.2, 0, 0.4]}, g-1]}\n");
  pc_scene scene = read_good("a.yaml");
  assert_int_equal(scene.sensor[0].count, 3); // g-2, g-3, a
  assert_int_equal(scene.sensor[1].count, 3); // g-2, g-3, g-4
  assert_int_equal(scene.sensor[2].count, 1);
  assert_int_equal(scene.sensor[2].bodies[0].id, body_of(&scene, "g-3"));
  assert_int_equal(scene.sensor[3].count, 2);
  assert_int_equal(scene.sensor[3].bodies[0].id, body_of(&scene, "a"));
  pc_scene_free(&scene);
  write_file("a.yaml", HEAD BODY "sensors:\n  - {name: s, kind: velocity, bodies: {inside: {box: "
                                 "[[8, 8, 8], [9, 9, 9]]}}}\n");
  assert_bad("a.yaml", "a.yaml:6:", "no body is initially in this region");
}

static void a_pointed_box_has_twelve_faces(void **state)
{
  write_file("a.yaml", HEAD "bodies: [{name: a, shape: {type: pointed_box, size: [0.078, 0.053, "
                            "0.065], tip: 0.038}, position: [0, 0, 0]}]\n");
  pc_scene scene = read_good("a.yaml");
  const pc_shape *shape = pc_body_get_shape(scene.world, (pc_body){1});
  assert_near(pc_shape_mass(shape).volume, 0.053 * 0.065 * (0.078 + 2 * 0.038 / 3), 1e-17);
  assert_near(pc_shape_radius(shape), 0.5 * 0.078 + 0.038, 1e-16);
  pc_scene_free(&scene);
}

// The bilinear transform maps the frequency f to tan(pi f h): the gain is known in closed form.
static void the_filter_has_butterworths_gain(void **state)
{
  const double h = 1e-3, pi = acos(-1);
  static const double cutoffs[] = {5, 60, 300, 480}, ratios[] = {0.1, 0.5, 1, 1.02, 1.04};
  for (int c = 0; c < 4; c++)
    for (int r = 0; r < 5; r++) {
      double f = cutoffs[c] * ratios[r], memory[2] = {0}, re = 0, im = 0;
      pc_butterworth filter = pc_butterworth_design(cutoffs[c], h);
      long settle = 2000 + lround(20 / (cutoffs[c] * h)), periods = 50,
           steps = lround((double)periods * 1000 / f * 1e-3 / h);
      double turn = 2 * pi * (double)periods / (double)steps; // whole periods
      f = turn / (2 * pi * h);
      for (long i = -settle; i < steps; i++) {
        double out = pc_butterworth_next(&filter, memory, sin(turn * (double)i));
        if (i >= 0) {
          re += out * sin(turn * (double)i) * 2 / (double)steps;
          im += out * cos(turn * (double)i) * 2 / (double)steps;
        }
      }
      double x = tan(pi * f * h) / tan(pi * cutoffs[c] * h);
      assert_near(sqrt(re * re + im * im), 1 / sqrt(1 + x * x * x * x), 1e-6);
    }
}

static void a_cutoff_above_half_the_frequency_of_steps_is_an_error(void **state)
{
  write_file("a.yaml",
             HEAD BODY "sensors:\n  - {name: s, kind: velocity, bodies: a, cutoff: 600}\n");
  assert_bad("a.yaml", "a.yaml:6:", "500 Hz");
  write_file("a.yaml",
             HEAD BODY "sensors:\n  - {name: s, kind: velocity, bodies: a, cutoff: 499}\n");
  pc_scene scene = read_good("a.yaml");
  assert_int_equal(scene.sensors, 2);
  assert_string_equal(scene.sensor[1].name, "s_filtered");
  assert_near(scene.sensor[0].cutoff, 0, 0);
  pc_scene_free(&scene);
}

// A slab at rest on a floor and a spring: both hold it up, and each sensor sees its part.
static void a_force_is_summed_from_what_is_asked(void **state)
{
  write_file("a.yaml",
             HEAD "solver: {tolerance: 1e-10}\nbodies: [{name: a, shape: {type: box, size: [1, 1, "
                  "1]}, mass: 10, position: [0, "
                  "0, 0.5]}]\nobstacles: [{name: floor, shape: {type: plane}}]\n"
                  "springs: [{bodies: a, normal: [0, 0, 1], stiffness: 1e4}]\n"
                  "forces: [{bodies: a, force: [0, 0, -50]}]\n"
                  "sensors:\n"
                  "  - {name: all, kind: force, bodies: a, axis: [0, 0, 1]}\n"
                  "  - {name: c, kind: force, from: contacts, bodies: a, axis: [0, 0, 1]}\n"
                  "  - {name: s, kind: force, from: springs, bodies: a, axis: [0, 0, 1]}\n");
  pc_scene scene = read_good("a.yaml");
  assert_int_equal(scene.sensor[0].source, PC_FORCE_ALL);
  assert_int_equal(scene.sensor[1].source, PC_FORCE_CONTACTS);
  assert_int_equal(scene.sensor[2].source, PC_FORCE_SPRINGS);
  pc_scene_free(&scene);
  pc_run_summary summary;
  run_good("a.yaml", "a.h5", &summary);
  char path[120], line[4096], last[4096] = "";
  strcpy(path, in_folder("a.csv"));
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  while (fgets(line, sizeof line, file) != NULL)
    strcpy(last, line);
  fclose(file);
  double value[3];
  for (int i = 2; i >= 0; i--) {
    char *comma = strrchr(last, ',');
    value[i] = atof(comma + 1);
    *comma = 0;
  }
  assert_near(value[0], 10 * 9.81 + 50, 1e-6);
  assert_near(value[0], value[1] + value[2], 1e-9);
  assert_true(value[1] > 100 && value[2] >= 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_scene_takes_what_it_does_not_say_from_its_base),
      cmocka_unit_test(messages_name_the_file_that_is_wrong),
      cmocka_unit_test(a_table_says_where_bodies_start),
      cmocka_unit_test(a_wrong_table_is_told_with_its_line),
      cmocka_unit_test(the_end_of_one_run_is_the_start_of_another),
      cmocka_unit_test(an_event_throws_a_body_and_the_account_knows),
      cmocka_unit_test(an_event_takes_what_a_spring_has_stored),
      cmocka_unit_test(an_event_does_not_spin_what_cannot_turn),
      cmocka_unit_test(wrong_events_are_told),
      cmocka_unit_test(a_run_does_not_replace_what_it_reads),
      cmocka_unit_test(bodies_are_chosen_by_their_places),
      cmocka_unit_test(a_pointed_box_has_twelve_faces),
      cmocka_unit_test(the_filter_has_butterworths_gain),
      cmocka_unit_test(a_cutoff_above_half_the_frequency_of_steps_is_an_error),
      cmocka_unit_test(a_force_is_summed_from_what_is_asked),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
