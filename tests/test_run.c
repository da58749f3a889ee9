// Runs of scenes: what is recorded is what happened, a run that was stopped or killed goes on as if
// nothing had been, and sensors say what closed forms say.
#include "support.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "percuss/run.h"
#include "record/checksum.h"
#include "record/record.h"
#include "run/files.h"
#include "run/program.h"
#include "run_files.h"
#include "same.h"
#include "scene/continuum_solve.h"

// Stops after so many steps, and knows the first that it has heard of.
typedef struct hearing {
  long stop, first;
} hearing;
static long first_heard; // in the last run

static bool stop_at(void *context, const pc_run_progress *progress)
{
  hearing *own = context;
  own->first = own->first < 0 ? progress->step : own->first;
  return progress->step < own->stop;
}

static pc_status run_to(const char *output, bool resume, long stop, pc_run_summary *summary,
                        pc_error *error)
{
  pc_scene scene = read_scene();
  hearing own = {stop, -1};
  pc_run_options options = {
      .output = output, .resume = resume, .listener = stop_at, .context = &own};
  pc_status status = pc_run_scene(&scene, &options, summary, error);
  pc_scene_free(&scene);
  first_heard = own.first;
  return status;
}

static void run_good(const char *output, bool resume, long stop, pc_run_summary *summary)
{
  pc_error error = {.text = ""};
  assert_ok(run_to(output, resume, stop, summary, &error), &error);
}

// A few bodies of all kinds of things: contacts, springs, driven obstacles, sensors.
#define BARE                                                                                       \
  "kind: rigid\nduration: 0.3\nstep: 2e-3\n"                                                       \
  "materials: [{name: rock, density: 2000}]\n"                                                     \
  "default_law: {normal: {kind: restitution, e: 0.3}, tangential: {kind: coulomb, mu: 0.4}}\n"     \
  "obstacles:\n"                                                                                   \
  "  - {name: floor, shape: {type: plane}, motion: {translation: {x: {sine: {amplitude: 0.01, "    \
  "frequency: 5}}}}}\n"                                                                            \
  "bodies:\n"                                                                                      \
  "  - {name: slab, shape: {type: box, size: [0.3, 0.3, 0.1]}, position: [2, 0, 0.5]}\n"           \
  "generators:\n"                                                                                  \
  "  - {type: random, name: g, count: 25, inside: {box: [[0, 0, 0.05], [0.6, 0.6, 1]]}, "          \
  "shapes: [{shape: {type: sphere, radius: 0.06}}, {shape: {type: box, size: [0.1, 0.1, "          \
  "0.15]}}], "                                                                                     \
  "orientations: random}\n"                                                                        \
  "springs: [{name: s, bodies: slab, normal: [0, 0, 1], stiffness: 5000}]\n"                       \
  "sensors:\n"                                                                                     \
  "  - {name: floor, kind: force, bodies: floor, cutoff: 60}\n"                                    \
  "  - {name: a, kind: acceleration, bodies: g, axis: [0, 0, 1]}\n"                                \
  "  - {name: d, kind: displacement, bodies: [g, slab], axis: [0, 0, 1]}\n"                        \
  "  - {name: h, kind: hits, bodies: floor, by: g}\n"                                              \
  "  - {name: i, kind: impulse, bodies: floor, by: g}\n"                                           \
  "output: {every: 0.02, checkpoint: 0, end: true}\n"
// And what an event does, twice.
#define SCENE                                                                                      \
  BARE "events:\n"                                                                                 \
       "  - {time: 0.1, bodies: slab, position: [2, 0, 0.5], velocity: [0, 0, -1]}\n"              \
       "  - {time: 0.15, bodies: g, velocity: [0, 0, 0.5], spin: [0, 0, 0]}\n"

// The same with temperatures and a string.
#define WARM                                                                                       \
  SCENE "  - {time: 0.2, bodies: slab, temperature: 400}\n"                                        \
        "heat: {specific_heat: 2, conductance: 1, exchange: 10, outside: 280, obstacles: 300, "    \
        "bodies: [{bodies: slab, temperature: 350}]}\n"                                            \
        "strings: [{bodies: [slab, g-1], length: 1, stiffness: 1000, damping: 5}]\n"

static int compare_files(const char *one, const char *two)
{
  char why[SAME_WHY];
  int compared = same_runs(one, two, why);
  if (compared < 0)
    fail_msg("%s", why);
  return compared;
}

static void compare_texts(const char *one, const char *two)
{
  char a[80], b[80], why[SAME_WHY];
  strcpy(a, in_folder(one));
  strcpy(b, in_folder(two));
  if (!same_bytes(a, b, why))
    fail_msg("%s", why);
}

// The second run goes on: from the step where it was stopped, in the record that it had. To start
// anew would give the same files.
static void go_on(long from, long stop, pc_run_summary *parts)
{
  int64_t before = 0, after = 0;
  assert_true(identity_of(path_b, &before));
  run_good(path_b, true, stop, parts);
  assert_false(parts->anew);
  assert_int_equal(first_heard, from);
  assert_true(identity_of(path_b, &after) && after == before);
}

static void check_stops(const char *scene)
{
  pc_run_summary whole, parts;
  write_file("scene.yaml", scene);
  run_good(path_a, false, 1000000, &whole);
  assert_true(whole.finished);
  assert_int_equal(whole.steps, 150);
  static const long stops[] = {0, 1, 10, 77, 149};
  for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
    run_good(path_b, false, stops[i], &parts);
    assert_false(parts.finished);
    assert_true(parts.state != whole.state && parts.state != 0);
    assert_int_equal(parts.steps, stops[i]);
    if (i == 3) { // stopped twice
      go_on(stops[i], 100, &parts);
      assert_int_equal(parts.steps, 100);
    }
    go_on(parts.steps, 1000000, &parts);
    assert_true(parts.finished);
    assert_true(compare_files(path_a, path_b) > 50);
    compare_texts("a.csv", "b.csv");
    compare_texts("a-hits.csv", "b-hits.csv");
    assert_true(parts.state == whole.state);
    assert_int_equal(parts.contacts_total, whole.contacts_total);
    assert_true(parts.residual_largest == whole.residual_largest);
    assert_true(parts.dissipated == whole.dissipated && parts.kinetic == whole.kinetic);
    assert_true(parts.turnover == whole.turnover && parts.given_by_laws == whole.given_by_laws);
    assert_true(parts.stored_error == whole.stored_error);
    assert_true(parts.kinetic_start == whole.kinetic_start && whole.potential_start != 0 &&
                parts.potential_start == whole.potential_start &&
                parts.stored_start == whole.stored_start &&
                parts.work_prescribed == whole.work_prescribed &&
                parts.work_forces == whole.work_forces);
    assert_memory_equal(&parts.heat, &whole.heat, sizeof whole.heat);
    assert_true(parts.overlap_end == whole.overlap_end &&
                parts.overlap_relative == whole.overlap_relative);
    assert_memory_equal(parts.overlap_bodies, whole.overlap_bodies, sizeof whole.overlap_bodies);
  }
  // What is finished stays as it is.
  go_on(150, 1000000, &parts);
  assert_true(parts.finished && parts.state == whole.state);
  compare_files(path_a, path_b);
}

// One digit in the sixteenth place of one number is another state.
static void the_state_tells_the_last_bit(void **state)
{
  pc_run_summary one, other;
  write_file("scene.yaml", BARE);
  run_good(NULL, false, 20, &one);
  run_good(NULL, false, 20, &other);
  assert_true(one.state == other.state);
  char text[sizeof BARE + 40] = BARE;
  char *place = strstr(text, "[2, 0, 0.5]");
  assert_non_null(place);
  memmove(place + 19, place + 2, strlen(place + 2) + 1);
  memcpy(place, "[2.0000000000000004", 19);
  write_file("scene.yaml", text);
  run_good(NULL, false, 20, &other);
  assert_true(one.state != other.state);
}

static void a_stopped_run_goes_on_bit_for_bit(void **state)
{
  check_stops(SCENE);
  check_stops(WARM);
}

// People of two groups, some of whom are out when it is stopped; walls, a pillar, two exits.
#define PEOPLE                                                                                     \
  "kind: crowd\nduration: 20\nstep: 0.02\nsocial: {strength: 200, range: 0.1}\n"                   \
  "floors: [{name: hall, outline: [[-1, 0], [9, 0], [9, 4], [-1, 4]], obstacles: [{centre: [2, "   \
  "2], radius: 0.3}], slow: [{points: [[5, 0], [6, 0], [6, 4], [5, 4]]}]}]\n"                      \
  "exits: [{name: left, line: [[0, 0], [0, 4]], counts: front}, {name: right, line: [[8, 0], "     \
  "[8, 4]]}]\n"                                                                                    \
  "people: [{name: a, count: 15, inside: {box: [[0.5, 0], [7.5, 4]]}, to: [left, right], speed: "  \
  "{normal: [1.34, 0.26], between: [0.8, 2]}}, {name: b, count: 10, inside: {box: [[0.5, 0], "     \
  "[4, 4]]}, to: right, response: 0.3}]\n"                                                         \
  "output: {every: 0.1, checkpoint: 0, trajectories: true}\n"

// And all that time brings: stairs, a door, a source, stages, a detour, turning, hands.
#define BUILDING                                                                                   \
  "kind: crowd\nduration: 40\nstep: 0.02\nturning: {stiffness: 20, damping: 0.7}\n"                \
  "floors: [{name: low, outline: [[0, 0], [8, 0], [8, 4], [0, 4]]}, {name: high, outline: [[0, "   \
  "0], [8, 0], [8, 4], [0, 4]]}]\n"                                                                \
  "stairs: [{from: {floor: high, line: [[6, 1], [6, 2.2]]}, to: {floor: low, line: [[3, 1], [3, "  \
  "2.2]]}, length: 2}]\n"                                                                          \
  "doors: [{floor: low, points: [[5, 0], [5, 4]], opens: 3}]\n"                                    \
  "sources: [{name: lift, floor: high, points: [[1, 1], [1, 3]], rate: 2}]\n"                      \
  "exits: [{name: a, floor: low, line: [[7, 0], [7, 2]]}, {name: b, floor: low, line: [[7, 2.5], " \
  "[7, 4]]}]\n"                                                                                    \
  "areas: [{name: hall, floor: low, points: [[3.5, 0], [4.8, 0], [4.8, 4], [3.5, 4]]}]\n"          \
  "detours: [{floor: low, zone: [[5, 0], [7, 0], [7, 4], [5, 4]], least: 2, from: a, to: b}]\n"    \
  "people:\n"                                                                                      \
  "  - {name: u, count: 6, source: lift, to: a, arrival: {uniform: [0, 4]}}\n"                     \
  "  - {name: v, floor: low, positions: [[1, 1], [1.6, 1], [1, 3], [1.6, 3]], stages: [{until: "   \
  "0.5, pause: 0.2}, {to: hall, arrived: true}, {to: a}], hands: {stiffness: 100}}\n"              \
  "output: {every: 0.1, checkpoint: 0, trajectories: true}\n"

static void check_crowd(const char *scene, int people)
{
  pc_run_summary whole, parts;
  write_file("scene.yaml", scene);
  run_good(path_a, false, 1000000, &whole);
  assert_true(whole.finished && whole.inside == 0 && whole.people == people);
  assert_true(whole.steps < 2000 && whole.steps > 200);
  const long stops[] = {0, 1, 40, 120, 220, whole.steps - 1};
  for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
    run_good(path_b, false, stops[i], &parts);
    assert_false(parts.finished);
    assert_int_equal(parts.steps, stops[i]);
    assert_true(parts.inside > 0);
    go_on(stops[i], 1000000, &parts);
    assert_true(parts.finished && parts.inside == 0 && parts.state == whole.state);
    assert_true(compare_files(path_a, path_b) > 80);
    compare_texts("a.csv", "b.csv");
    compare_texts("a-exits.csv", "b-exits.csv");
    compare_texts("a-maps.csv", "b-maps.csv"); // sums of intervals that the stop is in the midst of
    assert_memory_equal(parts.crowd.level_time, whole.crowd.level_time,
                        sizeof whole.crowd.level_time);
    assert_true(parts.crowd.densest.value == whole.crowd.densest.value &&
                parts.crowd.pressed.value == whole.crowd.pressed.value &&
                parts.crowd.densest.time == whole.crowd.densest.time &&
                parts.separating == whole.separating);
    compare_texts("a-trajectories.txt", "b-trajectories.txt");
    assert_true(parts.dissipated == whole.dissipated && parts.turnover == whole.turnover);
  }
  go_on(whole.steps, 1000000, &parts); // what is finished stays as it is
  assert_true(parts.finished && parts.steps == whole.steps);
  compare_files(path_a, path_b);
}

static void a_stopped_crowd_goes_on_bit_for_bit(void **state)
{
  check_crowd(PEOPLE, 25);
  check_crowd(BUILDING, 10);
}

static void a_longer_run_goes_on_from_a_shorter_one(void **state)
{
  pc_run_summary summary;
  pc_error error;
  write_file("scene.yaml", SCENE);
  run_good(path_a, false, 1000000, &summary);
  for (int part = 0; part < 2; part++) {
    pc_scene scene = read_scene();
    hearing own = {1000000, -1};
    pc_run_options options = {
        .output = path_b, .resume = part == 1, .listener = stop_at, .context = &own};
    scene.duration = part == 0 ? 0.1 : 0.3;
    assert_int_equal(pc_run_scene(&scene, &options, &summary, &error), PC_OK);
    assert_true(summary.finished && !summary.anew);
    assert_int_equal(own.first, part == 0 ? 0 : 50);
    pc_scene_free(&scene);
  }
  compare_files(path_a, path_b);
  // But not the other way round.
  pc_scene scene = read_scene();
  pc_run_options options = {.output = path_b, .resume = true};
  scene.duration = 0.1;
  assert_int_equal(pc_run_scene(&scene, &options, &summary, &error), PC_ERROR_INPUT);
  assert_non_null(strstr(error.text, "; request at least as many, or start without --resume"));
  pc_scene_free(&scene);
}

static void another_scene_or_a_damaged_checkpoint_is_refused(void **state)
{
  pc_run_summary summary;
  pc_error error;
  char checkpoint[100];
  snprintf(checkpoint, sizeof checkpoint, "%s.checkpoint", path_b);
  write_file("scene.yaml", SCENE);
  run_good(path_b, false, 20, &summary);
  write_file("scene.yaml", SCENE "gravity: [0, 0, -1]\n");
  assert_int_equal(run_to(path_b, true, 1000000, &summary, &error), PC_ERROR_INPUT);
  assert_non_null(strstr(error.text, "another scene"));
  write_file("scene.yaml", SCENE);
  FILE *file = fopen(checkpoint, "r+b");
  assert_non_null(file);
  fseek(file, -5, SEEK_END);
  fputc('x', file);
  fclose(file);
  assert_int_not_equal(run_to(path_b, true, 1000000, &summary, &error), PC_OK);
  assert_non_null(strstr(error.text, "checkpoint"));
  unlink(checkpoint);
  assert_int_not_equal(run_to(path_b, true, 1000000, &summary, &error), PC_OK);
  assert_non_null(strstr(error.text, "checkpoint"));
}

// Puts other bytes for the same number of bytes in a checkpoint, and its checksum right.
static void forge(const char *path, const char *from, const char *to)
{
  struct stat there;
  FILE *file = fopen(path, "r+b");
  assert_true(file != NULL && fstat(fileno(file), &there) == 0);
  size_t size = (size_t)there.st_size, length = strlen(from), at = 0;
  char *bytes = malloc(size);
  assert_non_null(bytes);
  assert_int_equal(fread(bytes, 1, size, file), size);
  while (at + length < size && memcmp(bytes + at, from, length) != 0)
    at++;
  assert_true(at + length < size);
  memcpy(bytes + at, to, length);
  pc_checksum sum;
  pc_checksum_begin(&sum);
  pc_checksum_add(&sum, bytes, size - 8);
  for (int i = 0; i < 8; i++)
    bytes[size - 8 + (size_t)i] = (char)(~sum.value >> (8 * i));
  rewind(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
  free(bytes);
}

static bool is_finished(const char *output)
{
  pc_scene scene = read_scene();
  pc_run_options options = {.output = output};
  bool finished = pc_run_is_finished(&scene, &options);
  pc_scene_free(&scene);
  return finished;
}

static void a_checkpoint_of_another_program_is_refused(void **state)
{
  pc_run_summary summary;
  pc_error error;
  char checkpoint[100], program[PC_RUN_PROGRAM];
  snprintf(checkpoint, sizeof checkpoint, "%s.checkpoint", path_b);
  write_file("scene.yaml", SCENE);
  pc_run_program(program);
  const char *defaults = strstr(program, "defaults ");
  assert_non_null(defaults);
  const struct {
    const char *from, *to;
  } other[] = {{"percuss " PC_VERSION, "percuss 9.9.9"}, {defaults, "defaults 0123456789abcdef"}};
  for (size_t i = 0; i < sizeof other / sizeof *other; i++)
    for (int whole = 0; whole < 2; whole++) {
      run_good(path_b, false, whole ? 1000000 : 20, &summary);
      forge(checkpoint, other[i].from, other[i].from); // only what is changed is refused
      assert_int_equal(is_finished(path_b), whole);
      forge(checkpoint, other[i].from, other[i].to);
      assert_false(is_finished(path_b));
      assert_int_equal(run_to(path_b, true, 1000000, &summary, &error), PC_ERROR_INPUT);
      assert_says(error.text, other[i].to);
      assert_says(error.text, program);
      assert_says(error.text, ": the run cannot be resumed; start it without --resume");
      forge(checkpoint, other[i].to, other[i].from);
      run_good(path_b, true, 1000000, &summary);
      assert_true(summary.finished);
    }
}

// As --resume decides, by contents: nothing depends on times of files.
static void a_finished_run_is_known_by_contents(void **state)
{
  static const char table[] = "x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz,name\n";
  static const struct timespec old[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
  pc_run_summary summary;
  char path[100];
  write_file("scene.yaml", "kind: rigid\nduration: 0.01\nstep: 1e-3\nstart: start.csv\n"
                           "bodies: [{name: '\"a, b\" ', shape: {type: sphere, radius: 1}, "
                           "position: [0, 0, 0], mass: 1}]\n"
                           "output: {end: true}\n");
  for (int other = 0; other < 2; other++) {
    char text[300];
    snprintf(text, sizeof text, "%s%d,0,5,1,0,0,0,0,0,0,0,0,0,\"\"\"a, b\"\" \"\n", table, other);
    write_file("start.csv", text);
    assert_int_equal(utimensat(AT_FDCWD, in_folder("start.csv"), old, 0), 0);
    assert_false(is_finished(path_a)); // also when the table is older than the run
    run_good(path_a, false, 1000000, &summary);
    assert_true(is_finished(path_a));
    write_file("start.csv", text); // younger, and the same
    assert_true(is_finished(path_a));
  }
  // The table at the end is one to start from.
  char *end = text_of(in_folder("a-end.csv"));
  write_file("start.csv", end);
  free(end);
  assert_false(is_finished(path_a));
  run_good(path_a, false, 1000000, &summary);
  assert_true(is_finished(path_a));
  run_good(path_a, false, 5, &summary);
  assert_false(is_finished(path_a));
  run_good(path_a, true, 1000000, &summary);
  assert_true(is_finished(path_a));
  snprintf(path, sizeof path, "%s", in_folder("a.csv"));
  assert_int_equal(truncate(path, 100), 0);
  assert_false(is_finished(path_a));
}

static void threads_change_nothing(void **state)
{
  pc_run_summary summary;
  pc_error error;
  write_file("scene.yaml", SCENE);
  run_good(path_a, false, 1000000, &summary);
  pc_scene scene = read_scene();
  pc_run_options options = {.output = path_b, .threads = 3};
  assert_int_equal(pc_run_scene(&scene, &options, &summary, &error), PC_OK);
  pc_scene_free(&scene);
  compare_files(path_a, path_b);
}

static void recording_changes_nothing(void **state)
{
  pc_run_summary with, without;
  pc_error error;
  write_file("scene.yaml", SCENE);
  run_good(path_a, false, 1000000, &with);
  pc_scene scene = read_scene();
  pc_run_options options = {0};
  assert_int_equal(pc_run_scene(&scene, &options, &without, &error), PC_OK);
  pc_scene_free(&scene);
  assert_true(without.finished && without.state == with.state && without.kinetic == with.kinetic &&
              without.dissipated == with.dissipated);
}

static double *read_doubles(const char *path, const char *name, long *rows)
{
  pc_error error = {.text = ""};
  pc_reading *file = pc_reading_open(path, &error);
  if (file == NULL)
    fail_msg("%s", error.text);
  long size[4] = {0}, numbers = 1;
  int rank = pc_reading_size(file, name, size);
  if (rank == 0)
    fail_msg("no dataset %s", name);
  for (int i = 0; i < rank; i++)
    numbers *= size[i];
  double *values = malloc(((size_t)numbers + 1) * sizeof *values);
  assert_int_equal(pc_reading_rows(file, name, 0, size[0], PC_RECORD_DOUBLE, values, &error),
                   PC_OK);
  *rows = size[0];
  pc_reading_close(file);
  return values;
}

// Frames are at 0 and every tenth step; each is the state that stepping by hand gives.
static void frames_are_what_happened(void **state)
{
  pc_run_summary summary;
  long frames, count, contacts;
  write_file("scene.yaml", BARE);
  run_good(path_a, false, 1000000, &summary);
  double *time = read_doubles(path_a, "frames/time", &frames);
  assert_int_equal(frames, 16);
  double *position = read_doubles(path_a, "frames/position", &count);
  double *offset = read_doubles(path_a, "contacts/offset", &count);
  assert_int_equal(count, 17);
  double *bodies = read_doubles(path_a, "contacts/bodies", &contacts);
  double *percussion = read_doubles(path_a, "contacts/percussion", &contacts);
  assert_int_equal(contacts, (long)offset[16]);
  assert_true(contacts > 20);
  pc_scene scene = read_scene();
  for (int step = 0; step <= 150; step++) {
    if (step > 0)
      assert_int_equal(pc_world_step(scene.world, scene.step), PC_OK);
    if (step % 10 != 0)
      continue;
    int frame = step / 10;
    assert_near(time[frame], step * 2e-3, 1e-12);
    for (int i = 0; i < scene.bodies; i++) {
      pc_body_state body;
      pc_body_get(scene.world, (pc_body){i + 1}, &body);
      assert_memory_equal(body.position, position + 3 * (frame * scene.bodies + i),
                          sizeof body.position);
    }
    int there = pc_world_contacts(scene.world), first = (int)offset[frame];
    assert_int_equal(there, (int)offset[frame + 1] - first);
    for (int k = 0; k < there; k++) {
      pc_contact contact;
      pc_world_contact(scene.world, k, &contact);
      assert_int_equal(contact.bodies[0].id - 1, (int)bodies[2 * (first + k)]);
      assert_int_equal(contact.bodies[1].id - 1, (int)bodies[2 * (first + k) + 1]);
      for (int c = 0; c < 3; c++) // stored as 32 bits, of which the smallest is 1e-38
        assert_near(percussion[3 * (first + k) + c], contact.percussion[c],
                    1e-7 * fabs(contact.percussion[c]) + 1e-38);
    }
  }
  pc_scene_free(&scene);
  free(time);
  free(position);
  free(offset);
  free(bodies);
  free(percussion);
}

// In coordinates of a national grid a ball rests on the floor and one strikes its neighbour, while
// a third takes part at a distance: all these points are where the balls are. 32 bits know 0.25 m
// there.
static void places_are_kept_far_from_the_origin(void **state)
{
  pc_run_summary summary;
  long rows, count;
  write_file("scene.yaml",
             "kind: rigid\nduration: 0.02\nstep: 2e-3\n"
             "materials: [{name: rock, density: 2000}]\n"
             "obstacles: [{name: floor, shape: {type: plane}, position: [0, 0, 431.5]}]\n"
             "bodies:\n"
             "  - {name: low, shape: {type: sphere, radius: 0.1}, "
             "position: [2600000.12, 1200000.34, 431.6]}\n"
             "  - {name: a, shape: {type: sphere, radius: 0.1}, "
             "position: [2600000.12, 1200000.34, 432]}\n"
             "  - {name: b, shape: {type: sphere, radius: 0.1}, "
             "position: [2600000.32, 1200000.34, 432]}\n"
             "  - {name: c, shape: {type: sphere, radius: 0.1}, "
             "position: [2600000.525, 1200000.34, 432], velocity: [-1, 0, 0]}\n"
             "systems: [{bodies: [a, b, c], distance: 1}]\n"
             "output: {every: 0.02}\n");
  run_good(path_a, false, 1000000, &summary);
  double *position = read_doubles(path_a, "frames/position", &count);
  double *bodies = read_doubles(path_a, "contacts/bodies", &rows);
  double *point = read_doubles(path_a, "contacts/point", &rows);
  assert_true(rows > 0);
  for (int k = 0; k < rows; k++) { // of the ball that rests
    int body = (int)fmax(bodies[2 * k], bodies[2 * k + 1]);
    for (int c = 0; c < 2 && bodies[2 * k] * bodies[2 * k + 1] == 0; c++)
      assert_near(point[3 * k + c], position[3 * body + c], 2e-9);
  }
  double *pair = read_doubles(path_a, "systems/bodies", &rows);
  double *points = read_doubles(path_a, "systems/points", &rows);
  assert_true(rows > 0);
  for (long k = 0; k < 2 * rows; k++) {
    assert_near(points[3 * k], position[3 * (int)pair[k]], 0.12); // on or in the ball
    assert_near(points[3 * k + 1], position[3 * (int)pair[k] + 1], 2e-9);
  }
  free(position);
  free(bodies);
  free(point);
  free(pair);
  free(points);
}

// The energy balance, added up from what is in the file, closes over the whole run.
static void the_recorded_account_closes(void **state)
{
  pc_run_summary summary;
  long rows;
  write_file("scene.yaml", BARE);
  run_good(path_a, false, 1000000, &summary);
  static const struct {
    const char *name;
    int sign;
  } works[] = {{"steps/work_gravity", 1},
               {"steps/work_forces", 1},
               {"steps/work_elements", 1},
               {"steps/work_prescribed", 1},
               {"steps/dissipated", -1}};
  double sum = 0, turnover = 0; // at rest at the start
  for (size_t i = 0; i < sizeof works / sizeof *works; i++) {
    double *work = read_doubles(path_a, works[i].name, &rows);
    assert_int_equal(rows, 150);
    for (long k = 0; k < rows; k++) {
      sum += works[i].sign * work[k];
      turnover += fabs(work[k]);
    }
    free(work);
  }
  assert_true(turnover > 1);
  assert_near(sum, summary.kinetic, 1e-12 * turnover);
  assert_int_equal(summary.steps_open, 0);
}

static double add_up(const char *name, double (*part)(double))
{
  long rows;
  double sum = 0, *value = read_doubles(path_a, name, &rows);
  for (long k = 0; k < rows; k++)
    sum += part(value[k]);
  free(value);
  return sum;
}

static double same(double x)
{
  return x;
}

static double given(double x)
{
  return fmax(0, -x);
}

static void the_summary_adds_up_the_file(void **state)
{
  pc_run_summary summary;
  write_file("scene.yaml", SCENE
             "gravity: [0, 0, -9]\nforces: [{bodies: slab, force: [1, 0, 0]}]\n"
             "nets: [{name: n, bodies: g, low: [0, 0, 0], high: [0.6, 0.6, 2], stiffness: 1e6}]\n");
  run_good(path_a, false, 1000000, &summary);
  static const char *const works[] = {"steps/work_gravity",  "steps/work_forces",
                                      "steps/work_elements", "steps/work_prescribed",
                                      "steps/dissipated",    "steps/given"};
  double turnover = 0; // all are at rest at the start
  for (size_t i = 0; i < sizeof works / sizeof *works; i++)
    turnover += add_up(works[i], fabs);
  assert_near(summary.turnover, turnover, 1e-12 * turnover);
  assert_true(summary.stored_error != 0);
  assert_near(summary.given_by_laws, add_up("steps/dissipated", given), 1e-12 * turnover);
  assert_near(summary.stored_error, add_up("steps/stored_error", same), 1e-12 * turnover);
  // A disc strikes a wall and another one in one step, and one of the contacts was opening: laws
  // but `restitution` stop it, so energy is given, and told.
  write_file("scene.yaml",
             "kind: rigid\nduration: 0.006\nstep: 1e-3\ndimension: 2\ngravity: [0, 0]\n"
             "contact: {treatment: velocity}\n"
             "default_law: {normal: {kind: quadratic, k: 1e9}}\n"
             "obstacles: [{shape: {type: chain, vertices: [[1, 1], [-1, 1]]}}]\nbodies:\n"
             "  - {shape: {type: disc, radius: 0.05}, position: [-0.24199718, 0.93626518],\n"
             "     velocity: [-0.34581188, 3.65115767]}\n"
             "  - {shape: {type: disc, radius: 0.05}, position: [-0.29940669, 0.85259098],\n"
             "     velocity: [5.57096138, 0.57204606]}\n");
  run_good(path_a, false, 1000000, &summary);
  assert_true(summary.given_by_laws > 1);
  assert_near(summary.given_by_laws, add_up("steps/dissipated", given), 1e-9);
  // A ball that flies by itself: what it has is what it had, 1/2 3 kg (2 m/s)^2.
  write_file("scene.yaml",
             "kind: rigid\nduration: 0.1\nstep: 1e-2\ngravity: [0, 0, 0]\nbodies:\n"
             "  - {shape: {type: sphere, radius: 0.1}, position: [0, 0, 0], velocity: [2, 0, 0], "
             "mass: 3}\n");
  run_good(path_a, false, 1000000, &summary);
  assert_near(summary.turnover, 6, 1e-12);
  assert_true(summary.overlap_end == 0 && summary.overlap_bodies[0].id == 0);
}

// Balls of 0.2 and 0.5 m whose centres are 0.65 m apart, and nothing that would move them.
static void the_overlap_at_the_end_is_told(void **state)
{
  pc_run_summary summary;
  write_file("scene.yaml",
             "kind: rigid\nduration: 0.1\nstep: 1e-2\ngravity: [0, 0, 0]\noverlaps: allowed\n"
             "contact: {treatment: velocity}\nbodies:\n"
             "  - {name: far, shape: {type: sphere, radius: 0.1}, position: [9, 0, 0]}\n"
             "  - {name: large, shape: {type: sphere, radius: 0.5}, position: [0, 0, 0]}\n"
             "  - {name: small, shape: {type: sphere, radius: 0.2}, position: [0.65, 0, 0]}\n");
  run_good(path_a, false, 1000000, &summary);
  assert_near(summary.overlap_end, 0.05, 1e-12);
  assert_near(summary.overlap_relative, 0.25, 1e-12);
  assert_int_equal(summary.overlap_bodies[0].id + summary.overlap_bodies[1].id, 5);
  assert_int_equal(abs(summary.overlap_bodies[0].id - summary.overlap_bodies[1].id), 1);
}

// A ball that rests: the floor feels its weight. One that falls: minus g, and the way it has come.
static void sensors_say_what_is_known(void **state)
{
  pc_run_summary summary;
  long rows;
  write_file(
      "scene.yaml",
      "kind: rigid\nduration: 0.2\nstep: 1e-3\n"
      "obstacles: [{name: floor, shape: {type: plane}}]\n"
      "bodies:\n"
      "  - {name: rests, shape: {type: sphere, radius: 0.1}, position: [0, 0, 0.1], mass: 3}\n"
      "  - {name: falls, shape: {type: sphere, radius: 0.1}, position: [1, 0, 9], "
      "velocity: [1, 0, 0]}\n"
      "  - {name: hangs, shape: {type: sphere, radius: 0.1}, position: [2, 0, 5], mass: 2}\n"
      "springs: [{bodies: hangs, normal: [0, 0, 1], stiffness: 100}]\n"
      "sensors:\n"
      "  - {name: weight, kind: force, bodies: floor}\n"
      "  - {name: reaction, kind: force, bodies: rests, axis: [0, 0, 3]}\n"
      "  - {name: inside, kind: force, bodies: [rests, floor], axis: [0, 0, 1]}\n"
      "  - {name: spring, kind: force, bodies: hangs, axis: [0, 0, 1]}\n"
      "  - {name: depth, kind: displacement, bodies: hangs, axis: [0, 0, -1]}\n"
      "  - {name: fall, kind: acceleration, bodies: falls}\n"
      "  - {name: way, kind: displacement, bodies: falls}\n"
      "  - {name: speed, kind: velocity, bodies: [rests, falls]}\n");
  run_good(path_a, false, 1000000, &summary);
  double *weight = read_doubles(path_a, "sensors/weight", &rows);
  assert_int_equal(rows, 200);
  double *reaction = read_doubles(path_a, "sensors/reaction", &rows);
  double *inside = read_doubles(path_a, "sensors/inside", &rows);
  double *spring = read_doubles(path_a, "sensors/spring", &rows);
  double *depth = read_doubles(path_a, "sensors/depth", &rows);
  double *fall = read_doubles(path_a, "sensors/fall", &rows);
  double *way = read_doubles(path_a, "sensors/way", &rows);
  double *speed = read_doubles(path_a, "sensors/speed", &rows);
  double w = sqrt(100.0 / 2), g = 9.81;
  for (int i = 0; i < 200; i++) {
    double t = 1e-3 * (i + 1), middle = t - 0.5e-3;
    assert_near(weight[3 * i + 2], -3 * g, 1e-4);
    assert_near(weight[3 * i], 0, 1e-4);
    assert_near(reaction[i], 3 * g, 1e-4);
    assert_near(inside[i], 0, 0);
    // m x'' = m g - k x: x = (m g / k) (1 - cos w t). The scheme's phase lags by w t (w h)^2 / 12.
    double lag = w * t * w * w * 1e-6 / 12;
    assert_near(depth[i], 2 * g / 100 * (1 - cos(w * t)), 2 * g / 100 * lag + 1e-9);
    assert_near(spring[i], 2 * g * (1 - cos(w * middle)), 2 * g * (lag + w * w * 1e-6));
    assert_near(fall[3 * i + 2], -g, 1e-9);
    assert_near(way[3 * i], t, 1e-12);
    assert_near(way[3 * i + 2], -g * t * t / 2, 1e-12);
    assert_near(speed[3 * i], 0.5, 1e-6);
    assert_near(speed[3 * i + 2], -g * t / 2, 1e-6);
  }
  free(weight);
  free(reaction);
  free(inside);
  free(spring);
  free(depth);
  free(fall);
  free(way);
  free(speed);
}

static void what_cannot_be_written_is_an_error(void **state)
{
  pc_run_summary summary;
  pc_error error = {.text = ""};
  write_file("scene.yaml", SCENE);
  assert_int_equal(run_to("/nowhere/at/all.h5", false, 10, &summary, &error), PC_ERROR_IO);
  assert_non_null(strstr(error.text, "/nowhere/at/all.h5"));
}

// What happens to the files of a run in the midst of it.
typedef struct mishap {
  const char *gone[6], *moved; // removed, and moved away
  bool again;                  // the same run is started once more
  pc_status second;            // what became of that
  pc_error error;
} mishap;

static const char *const all_files[] = {"a.h5", "a.csv", "a.xdmf", "a.h5.checkpoint", "a-end.csv"};
enum { ALL_FILES = sizeof all_files / sizeof *all_files };

static void copy_all(const char *from, const char *to)
{
  char command[200];
  snprintf(command, sizeof command, "mkdir -p '%s' && cp '%s'/a* '%s'", to, from, to);
  assert_int_equal(system(command), 0);
}

static bool lose_files(void *context, const pc_run_progress *progress)
{
  mishap *m = context;
  if (progress->step != 50)
    return true;
  for (int i = 0; m->gone[i] != NULL; i++)
    unlink(in_folder(m->gone[i]));
  if (m->moved != NULL)
    assert_int_equal(rename(in_folder(m->moved), in_folder("moved")), 0);
  pc_run_summary summary;
  if (m->again)
    m->second = run_to(path_a, false, 1000000, &summary, &m->error);
  if (m->again && m->second == PC_OK)
    copy_all(folder, in_folder("kept"));
  return true;
}

static void expect_lost(mishap m, const char *lost)
{
  pc_scene scene = read_scene();
  pc_run_summary summary;
  pc_error error = {.text = ""};
  char words[160];
  pc_run_options options = {.output = path_a, .listener = lose_files, .context = &m};
  pc_status status = pc_run_scene(&scene, &options, &summary, &error);
  pc_scene_free(&scene);
  snprintf(words, sizeof words, "%s: removed or replaced", in_folder(lost));
  if (status != PC_ERROR_IO || strstr(error.text, words) == NULL)
    fail_msg("%s: status %d, '%s'", lost, status, error.text);
  assert_false(summary.finished);
  if (m.moved != NULL) { // the table says that somebody is still writing
    assert_int_equal(m.second, PC_ERROR_IO);
    assert_non_null(strstr(m.error.text, "a.csv: another run is writing this file"));
    assert_int_not_equal(access(path_a, F_OK), 0);
  } else if (m.again) { // nothing of the second has been touched
    assert_int_equal(m.second, PC_OK);
    char kept[ALL_FILES][40];
    for (int i = 0; i < ALL_FILES; i++) {
      snprintf(kept[i], sizeof kept[i], "kept/%s", all_files[i]);
      compare_texts(all_files[i], kept[i]);
    }
    assert_int_not_equal(access(in_folder("a.h5.journal"), F_OK), 0);
  }
}

static void a_run_that_has_lost_its_files_says_so_and_spares_those_of_others(void **state)
{
  // With checkpoints at the end only, and after every step.
  static const char *const often[] = {"checkpoint: 0,", "checkpoint: 1e-9,"};
  for (int i = 0; i < 2; i++) {
    char text[sizeof SCENE + 20] = SCENE;
    char *at = strstr(text, often[0]);
    snprintf(at, sizeof text - (size_t)(at - text), "%s%s", often[i],
             strstr(SCENE, often[0]) + strlen(often[0]));
    write_file("scene.yaml", text);
    expect_lost((mishap){.gone = {"a.h5"}}, "a.h5");
    expect_lost((mishap){.gone = {"a.csv"}}, "a.csv");
    expect_lost((mishap){.gone = {"a.h5", "a.csv", "a.xdmf", "a.h5.checkpoint", "a.h5.journal"},
                         .again = true},
                "a.h5");
    expect_lost((mishap){.gone = {"a.h5.checkpoint"}, .moved = "a.h5", .again = true}, "a.h5");
    if (i == 1)
      expect_lost((mishap){.gone = {"a.h5.journal"}}, "a.h5.journal");
  }
  pc_run_summary summary;
  run_good(path_a, false, 1000000, &summary);
  assert_true(summary.finished);
}

static void bodies_outside_the_bounds_are_lost(void **state)
{
  pc_run_summary summary;
  write_file("scene.yaml",
             "kind: rigid\nduration: 0.1\nstep: 1e-2\nbodies:\n"
             "  - {shape: {type: sphere, radius: 0.1}, position: [0, 0, 0], velocity: [99, 0, 0]}\n"
             "  - {shape: {type: sphere, radius: 0.1}, position: [0, 1, 0]}\n"
             "output: {bounds: [[-5, -5, -5], [5, 5, 5]], csv: false, xdmf: false, contacts: "
             "false}\n");
  run_good(path_b, false, 1000000, &summary);
  assert_int_equal(summary.lost, 1);
  assert_int_equal(summary.bodies, 2);
}

// Heads as version 1.0 and this one write them, and what only looks like one.
static void tables_of_earlier_versions_are_the_programs_own(void **state)
{
  const struct {
    const pc_own *own;
    const char *head[4];
  } tables[] = {
      {&pc_run_table,
       {"time [s],step,kinetic_translation [J],", "time,step,kinetic_translation,kinetic_rotation",
        "time,step\n0,1\n", "time,x,y\n"}},
      {pc_run_exits.own,
       {"person,group,exit,time [s],start_floor", "person,group,exit,time,start_floor,start_x",
        "person,group\na,b\n", "person,group,exit,when\n"}},
      {pc_run_maps.own,
       {"floor,x [m],y [m],area [m2],", "floor,x,y,area,density,largest_density,around",
        "floor,x,y\n0,1,2\n", "floor,x,y,area,price,,,,,,,,,,,,\n"}},
      {pc_run_outline.own,
       {"outline,x [m],y [m]\n1,0,0\n", "outline,x,y\n1,0,0\n", "outline,x,y,z\n1,0,0,0\n",
        "x,y\n"}},
      {pc_run_collisions.own,
       {"time [s],speed [m/s],percussion_N [N s/m],",
        "time,speed,percussion_N,percussion_T,lost,nodes,", "time,speed\n0,1\n",
        "time,speed,percussion\n"}},
      {&pc_profile_own,
       {"x [m],y [m],weight [m],w_N [m/s],", "x,y,z,weight,w_N,w_T1,w_T2,percussion_N",
        "x,y\n0,0\n", "x,y,weight\n1,2,3\n"}},
  };
  for (int i = 0; i < PC_COUNT(tables); i++)
    for (int k = 0; k < 4; k++) {
      write_file("head.csv", tables[i].head[k]);
      pc_status status = pc_own_check(in_folder("head.csv"), tables[i].own, PC_OWN_WHOLE, NULL);
      assert_int_equal(status, k < 2 ? PC_OK : PC_ERROR_INPUT);
    }
}

// Bodies in each other, between planes that are too close: percussions of 1e18 J that cancel leave
// velocities that look like an answer and a balance that is none.
static void wedged_bodies_keep_their_account(void **state)
{
  static const char text[] =
      "kind: rigid\noverlaps: allowed\nduration: 0.3\nstep: 0.001\n"
      "materials: [{name: m, density: 1000}, {name: h, density: 4207.17}]\n"
      "default_law: {normal: {kind: quadratic, k: 1e12}, tangential: {kind: coulomb, mu: 0}}\n"
      "obstacles:\n- {shape: {type: plane}, material: m, position: [0, 0, 0]}\n"
      "- {shape: {type: plane, normal: [0, 0, -1]}, material: m, position: [0, 0, 0.488049]}\n"
      "bodies:\n"
      "- {shape: {type: box, size: [0.133075, 0.180628, 0.125362]}, material: m, position: "
      "[0.0939939, 0.0889217, 0.235594], velocity: [-61.5273, -34.3573, -111.994]}\n"
      "- {shape: {type: box, size: [0.190402, 0.204504, 0.408291]}, material: h, position: "
      "[0.239891, 0.00606959, 0.167273]}\n"
      "- {shape: {type: box, size: [0.373476, 0.122102, 0.367073]}, material: m, position: "
      "[0.286186, 0.0784631, 0.556041], velocity: [2.47655, -116.065, 37.0316]}\n"
      "- {shape: {type: box, size: [0.353706, 0.411523, 0.346921]}, material: h, position: "
      "[-0.22459, -0.172721, 0.0379521]}\n";
  pc_scene scene;
  pc_error error = {.text = ""};
  pc_run_summary s;
  assert_int_equal(pc_scene_parse(in_folder("wedged.yaml"), text, &scene, &error), PC_OK);
  if (pc_run_scene(&scene, &(pc_run_options){0}, &s, &error) != PC_OK)
    fail_msg("%s", error.text);
  pc_scene_free(&scene);
  assert_int_equal(s.steps_open, 0);
  assert_true(s.drift < 1e-9);
  assert_true(s.steps_calmed > 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_state_tells_the_last_bit),
      cmocka_unit_test(a_stopped_run_goes_on_bit_for_bit),
      cmocka_unit_test(a_stopped_crowd_goes_on_bit_for_bit),
      cmocka_unit_test(a_longer_run_goes_on_from_a_shorter_one),
      cmocka_unit_test(another_scene_or_a_damaged_checkpoint_is_refused),
      cmocka_unit_test(a_checkpoint_of_another_program_is_refused),
      cmocka_unit_test(a_finished_run_is_known_by_contents),
      cmocka_unit_test(threads_change_nothing),
      cmocka_unit_test(recording_changes_nothing),
      cmocka_unit_test(places_are_kept_far_from_the_origin),
      cmocka_unit_test(frames_are_what_happened),
      cmocka_unit_test(the_recorded_account_closes),
      cmocka_unit_test(the_summary_adds_up_the_file),
      cmocka_unit_test(the_overlap_at_the_end_is_told),
      cmocka_unit_test(sensors_say_what_is_known),
      cmocka_unit_test(what_cannot_be_written_is_an_error),
      cmocka_unit_test(a_run_that_has_lost_its_files_says_so_and_spares_those_of_others),
      cmocka_unit_test(tables_of_earlier_versions_are_the_programs_own),
      cmocka_unit_test(wedged_bodies_keep_their_account),
      cmocka_unit_test(bodies_outside_the_bounds_are_lost),
  };
  return cmocka_run_group_tests(tests, name_files, remove_folder);
}
