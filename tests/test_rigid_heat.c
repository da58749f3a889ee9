// Heat and strings in rigid scenes: the world is what the file says, the record has what happened,
// and a run that was stopped goes on bit for bit.
#include "support.h"

#include <string.h>

#include "folder.h"
#include "percuss/run.h"
#include "percuss/world_heat.h"
#include "record/record.h"

static const char text[] =
    "kind: rigid\nduration: 0.4\nstep: 2e-3\n"
    "materials: [{name: rock, density: 2000, specific_heat: 3}, {name: ice, density: 900}]\n"
    "default_law: {normal: {kind: restitution, e: 0.5}, tangential: {kind: coulomb, mu: 0.4}}\n"
    "heat:\n"
    "  specific_heat: 5\n  temperature: 310\n  conductance: 2\n  exchange: 10\n  outside: 290\n"
    "  obstacles: 280\n"
    "  bodies:\n"
    "    - {bodies: b, temperature: 350, capacity: 40, exchange: 0.5}\n"
    "    - {bodies: [c, floor], temperature: 320}\n"
    "obstacles:\n"
    "  - {name: floor, shape: {type: plane}}\n"
    "  - {name: hook, shape: {type: sphere, radius: 0.01}, position: [0, 0.5, 0.9]}\n"
    "  - {name: wall, shape: {type: plane, normal: [1, 0, 0]}, position: [-1, 0, 0],\n"
    "     motion: {translation: {x: {sine: {amplitude: 0.02, frequency: 5}}}}}\n"
    "bodies:\n"
    "  - {name: a, material: rock, shape: {type: sphere, radius: 0.1}, position: [-0.5, 0, 0.1],\n"
    "     velocity: [-4, 0, 0]}\n"
    "  - {name: b, material: rock, shape: {type: sphere, radius: 0.1}, position: [0, 0, 0.3]}\n"
    "  - {name: c, material: ice, shape: {type: box, size: [0.2, 0.2, 0.2]}, position: [0.3, 0, "
    "0.1]}\n"
    "strings:\n"
    "  - {name: rope, bodies: [hook, b], points: [[0, 0, 0], [0, 0, 0.1]], length: 0.5,\n"
    "     stiffness: 1000, damping: 3}\n"
    "  - {bodies: [a, b], stiffness: 500, damping: 2}\n"
    "events:\n"
    "  - {time: 0.1, bodies: c, temperature: 400}\n"
    "sensors:\n"
    "  - {name: warm, kind: temperature, bodies: [a, b]}\n"
    "  - {name: pull, kind: force, from: springs, bodies: hook}\n"
    "output: {every: 0.02, end: true}\n";

static char scene_path[200], output[2][200];

static void write_scene(const char *more)
{
  snprintf(scene_path, sizeof scene_path, "%s/scene.yaml", folder);
  for (int i = 0; i < 2; i++)
    snprintf(output[i], sizeof output[i], "%s/%c.h5", folder, "ab"[i]);
  FILE *file = fopen(scene_path, "wb");
  assert_non_null(file);
  fprintf(file, "%s%s", text, more);
  assert_int_equal(fclose(file), 0);
}

static pc_scene read_scene(void)
{
  pc_scene scene;
  pc_error error = {.text = ""};
  assert_ok(pc_scene_read(scene_path, &scene, &error), &error);
  return scene;
}

static pc_body find(const pc_scene *scene, const char *name)
{
  for (int i = 0; i < scene->bodies; i++)
    if (strcmp(scene->names[i], name) == 0)
      return (pc_body){i + 1};
  fail_msg("no body '%s'", name);
  return (pc_body){0};
}

static void the_world_has_what_the_file_says(void **state)
{
  write_scene("");
  pc_scene scene = read_scene();
  const pc_heat_def *heat = pc_world_heat(scene.world);
  assert_non_null(heat);
  assert_true(heat->obstacles && heat->conductance == 2 && heat->exchange == 10);
  assert_near(heat->outside, 290, 0);
  pc_body a = find(&scene, "a"), b = find(&scene, "b"), c = find(&scene, "c");
  assert_near(pc_body_get_temperature(scene.world, a), 310, 0);
  assert_near(pc_body_get_temperature(scene.world, b), 350, 0);
  assert_near(pc_body_get_temperature(scene.world, c), 320, 0);
  assert_near(pc_body_get_temperature(scene.world, find(&scene, "floor")), 320, 0);
  assert_near(pc_body_get_temperature(scene.world, find(&scene, "wall")), 280, 0);
  assert_near(pc_body_get_capacity(scene.world, a), 3 * pc_body_get_mass(scene.world, a), 1e-12);
  assert_near(pc_body_get_capacity(scene.world, b), 40, 1e-12);
  assert_near(pc_body_get_capacity(scene.world, c), 5 * 900 * 0.008, 1e-9);
  assert_int_equal(scene.elements, 2);
  assert_string_equal(scene.element[0].name, "rope");
  assert_string_equal(scene.element[1].name, "string-2");
  double ends[2][3];
  pc_world_string(scene.world, 0, ends);
  assert_near(ends[0][2], 0.9, 1e-15);
  assert_near(ends[1][2], 0.4, 1e-15);
  assert_int_equal(scene.element[0].body.id, b.id); // the body that is pulled, not the hook
  assert_int_equal(scene.element[0].other.id, find(&scene, "hook").id);
  pc_scene_free(&scene);
}

static bool stop_at(void *context, const pc_run_progress *progress)
{
  return progress->step < *(long *)context;
}

static pc_run_summary run_to(const char *file, bool resume, long stop)
{
  pc_scene scene = read_scene();
  pc_run_summary summary;
  pc_error error = {.text = ""};
  pc_run_options options = {
      .output = file, .resume = resume, .listener = stop_at, .context = &stop};
  assert_ok(pc_run_scene(&scene, &options, &summary, &error), &error);
  pc_scene_free(&scene);
  return summary;
}

static double *read_array(const char *file, const char *name, long *count)
{
  pc_error error = {.text = ""};
  pc_reading *reading = pc_reading_open(file, &error);
  if (reading == NULL)
    fail_msg("%s", error.text);
  long size[4] = {0};
  int rank = pc_reading_size(reading, name, size);
  assert_true(rank > 0);
  *count = 1;
  for (int i = 0; i < rank; i++)
    *count *= size[i];
  double *values = malloc(sizeof(double) * (size_t)*count);
  assert_int_equal(pc_reading_rows(reading, name, 0, size[0], PC_RECORD_DOUBLE, values, &error),
                   PC_OK);
  pc_reading_close(reading);
  return values;
}

static double last(const char *name)
{
  long count;
  double *values = read_array(output[0], name, &count), value = values[count - 1];
  free(values);
  return value;
}

// Frames, the energy balance, sensors, the summary and the table at the end agree, and energy is
// kept.
static void the_record_has_the_heat(void **state)
{
  write_scene("");
  pc_run_summary s = run_to(output[0], false, 1000000);
  assert_true(s.finished && s.heat.on && s.steps_open == 0 && s.drift < 1e-13);
  long count, sensed;
  double *kelvin = read_array(output[0], "frames/temperature", &count);
  double *warm = read_array(output[0], "sensors/warm", &sensed);
  enum { BODIES = 6, FRAMES = 21, EACH = 10 };
  assert_int_equal(count, BODIES * FRAMES);
  assert_int_equal(sensed, 200);
  for (int f = 1; f < FRAMES; f++)
    assert_near(0.5 * (kelvin[BODIES * f + 3] + kelvin[BODIES * f + 4]), warm[EACH * f - 1], 1e-12);
  const double *end = kelvin + BODIES * (FRAMES - 1);
  assert_near(kelvin[4], 350, 0);
  assert_near(end[0], 320, 0); // floor
  double hottest = fmax(end[3], fmax(end[4], end[5]));
  assert_near(last("steps/hottest"), hottest, 0);
  assert_near(s.heat.hottest_end, hottest, 0);
  assert_true(s.heat.hottest > 399 && s.heat.hottest_body.id == 6); // by the event
  assert_near(s.heat.hottest_time, 0.102, 1e-12);
  assert_near(last("steps/thermal"), s.heat.thermal, 0);
  assert_near(last("steps/total_heat_outside"), s.heat.outside, 0);
  assert_near(last("steps/total_heat_obstacles"), s.heat.obstacles, 0);
  assert_true(s.heat.entropy_produced > 0 && s.heat.outside > 0);
  double rope = sqrt(0.5) - 0.5; // how much longer it is at the start
  double start = 0.5 * 1000 * rope * rope +
                 9.81 * (0.1 * 2000 + 0.3 * 2000) * 4 / 3 * 3.14159265358979323846 * 1e-3 +
                 9.81 * 0.1 * 900 * 0.008 + 0.5 * 16 * 2000 * 4 / 3 * 3.14159265358979323846 * 1e-3;
  double now = s.kinetic + s.potential + s.stored + s.heat.thermal + s.heat.outside +
               s.heat.obstacles - s.correction - s.stored_error - s.given_by_events -
               last("steps/total_prescribed");
  assert_near(now, start, 1e-10 * start);
  free(kelvin);
  free(warm);
}

// What RUN-end.csv says a scene can start from, with its temperatures.
static void a_run_starts_from_the_end_of_another(void **state)
{
  write_scene("");
  run_to(output[0], false, 1000000);
  long count;
  double *kelvin = read_array(output[0], "frames/temperature", &count);
  write_scene("start: a-end.csv\noverlaps: allowed\n");
  pc_scene scene = read_scene();
  for (int i = 3; i < 6; i++)
    assert_near(pc_body_get_temperature(scene.world, (pc_body){i + 1}), kelvin[count - 6 + i], 0);
  pc_scene_free(&scene);
  free(kelvin);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_world_has_what_the_file_says),
      cmocka_unit_test(the_record_has_the_heat),
      cmocka_unit_test(a_run_starts_from_the_end_of_another),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
