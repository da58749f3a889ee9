// Sensors between groups of bodies: forces, impulses and hits against closed forms and balances.
#include "support.h"

#include <string.h>

#include "folder.h"
#include "percuss/run.h"
#include "record/record.h"
#include "same.h"

typedef struct hit {
  int32_t sensor, body[2];
  double time[2], point[3], impulse[3], normal, largest, dissipated, speed, mass[2], kinetic[2];
  uint8_t open;
} hit;

static const struct {
  const char *name;
  size_t at;
  pc_record_type type;
} fields[] = {{"hits/sensor", offsetof(hit, sensor), PC_RECORD_INT},
              {"hits/bodies", offsetof(hit, body), PC_RECORD_INT},
              {"hits/time", offsetof(hit, time), PC_RECORD_DOUBLE},
              {"hits/point", offsetof(hit, point), PC_RECORD_DOUBLE},
              {"hits/impulse", offsetof(hit, impulse), PC_RECORD_DOUBLE},
              {"hits/normal_impulse", offsetof(hit, normal), PC_RECORD_DOUBLE},
              {"hits/largest_force", offsetof(hit, largest), PC_RECORD_DOUBLE},
              {"hits/dissipated", offsetof(hit, dissipated), PC_RECORD_DOUBLE},
              {"hits/speed", offsetof(hit, speed), PC_RECORD_DOUBLE},
              {"hits/mass", offsetof(hit, mass), PC_RECORD_DOUBLE},
              {"hits/kinetic", offsetof(hit, kinetic), PC_RECORD_DOUBLE},
              {"hits/open", offsetof(hit, open), PC_RECORD_BYTE}};

// The hits of a run, in their order; freed by the caller.
static hit *read_hits(const char *run, long *count)
{
  pc_error error = {.text = ""};
  pc_reading *reading = pc_reading_open(in_folder(run), &error);
  if (reading == NULL)
    fail_msg("%s", error.text);
  long size[4] = {0};
  assert_int_equal(pc_reading_size(reading, "hits/sensor", size), 1);
  *count = size[0];
  hit *hits = calloc((size_t)*count + 1, sizeof *hits);
  assert_non_null(hits);
  for (size_t f = 0; f < sizeof fields / sizeof *fields; f++)
    for (long i = 0; i < *count; i++)
      assert_int_equal(pc_reading_rows(reading, fields[f].name, i, 1, fields[f].type,
                                       (char *)&hits[i] + fields[f].at, &error),
                       PC_OK);
  pc_reading_close(reading);
  return hits;
}

// A series of one number a step, or of three.
static double *read_series(const char *run, const char *name, long *steps)
{
  pc_error error = {.text = ""};
  pc_reading *reading = pc_reading_open(in_folder(run), &error);
  long size[4] = {0};
  int rank = pc_reading_size(reading, name, size);
  *steps = size[0];
  double *all = calloc((size_t)(size[0] * (rank > 1 ? size[1] : 1)) + 1, sizeof *all);
  assert_non_null(all);
  assert_int_equal(pc_reading_rows(reading, name, 0, size[0], PC_RECORD_DOUBLE, all, &error),
                   PC_OK);
  pc_reading_close(reading);
  return all;
}

static bool stop_at(void *context, const pc_run_progress *progress)
{
  return progress->step < *(const long *)context;
}

static void run_part(const char *scene_text, const char *run, int threads, bool resume, long stop)
{
  pc_scene scene;
  pc_run_summary summary;
  pc_error error = {.text = ""};
  write_file("scene.yaml", scene_text);
  assert_ok(pc_scene_read(in_folder("scene.yaml"), &scene, &error), &error);
  pc_run_options options = {.output = in_folder(run),
                            .threads = threads,
                            .resume = resume,
                            .listener = stop_at,
                            .context = &stop};
  assert_ok(pc_run_scene(&scene, &options, &summary, &error), &error);
  assert_int_equal(summary.steps_inaccurate, 0);
  pc_scene_free(&scene);
}

static void run(const char *scene_text, const char *name)
{
  run_part(scene_text, name, 1, false, 1000000);
}

static void compare(const char *one, const char *two)
{
  char a[200], b[200], why[SAME_WHY];
  snprintf(a, sizeof a, "%s", in_folder(one));
  snprintf(b, sizeof b, "%s", in_folder(two));
  bool runs = strstr(one, ".h5") != NULL;
  if (runs ? same_runs(a, b, why) < 0 : !same_bytes(a, b, why))
    fail_msg("%s", why);
}

// Between two walls at x = -1 and 1 a ball of 2 kg goes to and fro, first with 5 m/s.
#define BETWEEN_WALLS                                                                              \
  "kind: rigid\n%s\nduration: 1.4\nstep: 1e-3\ngravity: %s\ncontact: {%s}\n"                       \
  "default_law: {normal: {kind: restitution, e: 0.8}}\n"                                           \
  "obstacles:\n"                                                                                   \
  "  - {name: left, shape: {type: box, size: %s}, position: %s}\n"                                 \
  "  - {name: right, shape: {type: box, size: %s}, position: %s}\n"                                \
  "bodies: [{name: ball, shape: {type: %s, radius: 0.1}, mass: 2, position: %s, velocity: %s}]\n"  \
  "sensors:\n"                                                                                     \
  "  - {name: hits, kind: hits, bodies: [left, right], by: ball, pause: %g}\n"                     \
  "  - {name: impulse, kind: impulse, bodies: [left, right], by: ball}\n"                          \
  "  - {name: force, kind: force, bodies: [left, right], by: ball}\n"                              \
  "  - {name: loss, kind: dissipated, bodies: ball, by: [left, right]}\n"                          \
  "  - {name: not, kind: hits, bodies: left, by: right}\n"

static void write_walls(char *text, size_t size, bool plane, const char *treatment, double pause)
{
  if (plane)
    snprintf(text, size, BETWEEN_WALLS, "dimension: 2", "[0, 0]", treatment, "[0.2, 2]",
             "[-1.1, 0]", "[0.2, 2]", "[1.1, 0]", "disc", "[0, 0.5]", "[5, 0]", pause);
  else
    snprintf(text, size, BETWEEN_WALLS, "title: in space", "[0, 0, 0]", treatment, "[0.2, 2, 2]",
             "[-1.1, 0, 0]", "[0.2, 2, 2]", "[1.1, 0, 0]", "sphere", "[0, 0.5, 0.3]", "[5, 0, 0]",
             pause);
}

// Impulse m (1 + e) v, dissipated 1/2 m (1 - e^2) v^2, and the next one with e v.
static void a_ball_hits_as_often_and_as_hard_as_it_must(void **state)
{
  static const char *const treatments[] = {"treatment: velocity", "treatment: position"};
  for (int c = 0; c < 4; c++) {
    char text[4096];
    long count, steps;
    write_walls(text, sizeof text, c % 2, treatments[c / 2], 0.01);
    run(text, "a.h5");
    hit *hits = read_hits("a.h5", &count);
    double *impulse = read_series("a.h5", "sensors/impulse", &steps), v = 5, t = 0, sum = 0;
    double *force = read_series("a.h5", "sensors/force", &steps), pushed = 0, lost = 0;
    double *taken = read_series("a.h5", "sensors/loss", &steps);
    double *number = read_series("a.h5", "sensors/hits", &steps);
    // 0.9 m, 1.8 m and 1.8 m at 5, 4 and 3.2 m/s; the fourth would be at 1.895 s.
    assert_int_equal(count, 3);
    for (long i = 0; i < count; i++, v *= 0.8) {
      const hit *h = &hits[i];
      double sign = i % 2 == 0 ? 1 : -1;
      t += (i == 0 ? 0.9 : 1.8) / v;
      sum += sign * 2 * 1.8 * v;
      lost += (1 - 0.64) * v * v;
      assert_int_equal(h->sensor, 0);
      assert_int_equal(h->body[0], i % 2 == 0 ? 1 : 0); // right, left
      assert_int_equal(h->body[1], 2);
      assert_near(h->time[1] - h->time[0], 1e-3, 1e-12);
      assert_near(h->time[1], t, 2e-3 * (double)(i + 1));
      assert_near(h->point[0], sign, 0.006);
      assert_near(h->point[1], 0.5, 1e-9);
      assert_near(h->point[2], c % 2 ? 0 : 0.3, 1e-9);
      assert_near(h->impulse[0], sign * 2 * 1.8 * v, 1e-9);
      assert_near(h->impulse[1], 0, 1e-9);
      assert_near(h->normal, 2 * 1.8 * v, 1e-9);
      assert_near(h->largest, 2 * 1.8 * v / 1e-3, 1e-6);
      assert_near(h->dissipated, (1 - 0.64) * v * v, 1e-9);
      assert_near(h->speed, v, 1e-9);
      assert_int_equal(h->open, 0);
    }
    for (long i = 0; i < steps; i++)
      pushed += force[3 * i] * 1e-3;
    assert_near(impulse[3 * steps - 3], sum, 1e-9);
    assert_near(pushed, sum, 1e-9);
    // The ball had 10 N s to the right and has 2 * 5 * 0.8^3 to the left.
    assert_near(sum, 10 + 10 * 0.512, 1e-9);
    assert_near(taken[steps - 1], lost, 1e-9);
    assert_near(number[steps - 1], 3, 0);
    assert_near(number[0], 0, 0);
    free(hits);
    free(impulse);
    free(force);
    free(taken);
    free(number);
  }
}

// The table has the same, with names.
static void the_table_names_sensors_and_bodies(void **state)
{
  char text[4096];
  write_walls(text, sizeof text, false, "treatment: velocity", 0.01);
  run(text, "a.h5");
  char *table = text_of(in_folder("a-hits.csv"));
  static const char head[] =
      "sensor,body,by,begin,end,x,y,z,impulse_x,impulse_y,impulse_z,normal_impulse,"
      "largest_force,dissipated,speed,open,body_mass,by_mass,body_kinetic,by_kinetic\n"
      "hits,right,ball,0.18,0.181,";
  assert_memory_equal(table, head, sizeof head - 1);
  assert_non_null(strstr(table, "\nhits,left,ball,"));
  int lines = 0;
  for (const char *c = table; *c != 0; c++)
    lines += *c == '\n';
  assert_int_equal(lines, 4);
  free(table);
}

// Hits that are 0.451 s and more apart are one if the pause may be as long; it is still open then.
static void a_pause_that_is_long_enough_joins_hits(void **state)
{
  char text[4096];
  long count;
  write_walls(text, sizeof text, false, "treatment: velocity", 2.0);
  // Two walls are two pairs: the right one is hit twice.
  run(text, "a.h5");
  hit *hits = read_hits("a.h5", &count);
  assert_int_equal(count, 2);
  assert_int_equal(hits[0].body[0], 0);
  assert_int_equal(hits[1].body[0], 1);
  assert_near(hits[1].impulse[0], 2 * 1.8 * (5 + 3.2), 1e-9);
  assert_near(hits[1].time[1] - hits[1].time[0], 1.8 / 4 + 1.8 / 3.2, 5e-3);
  assert_near(hits[1].speed, 5, 1e-9);
  assert_true(hits[0].open && hits[1].open);
  free(hits);
}

// A spring of 1e5 N/m holds a ball of 2 kg for pi sqrt(m/k) = 14 ms, many steps: one hit. Impulses
// are those of the forces in the middle of steps, with an error of (w h)^2 / 4 and a step.
static void a_penalty_contact_is_one_hit(void **state)
{
  char text[4096];
  long count, steps;
  write_walls(text, sizeof text, false, "treatment: penalty, stiffness: 1e5", 0);
  run(text, "a.h5");
  hit *hits = read_hits("a.h5", &count);
  double *impulse = read_series("a.h5", "sensors/impulse", &steps), sum = 0;
  double w = sqrt(1e5 / 2);
  assert_int_equal(count, 4); // 0.18 s, then every 0.374 s
  for (long i = 0; i < count; i++) {
    sum += hits[i].impulse[0];
    assert_near(hits[i].time[1] - hits[i].time[0], 3.14159 / w, 1.1e-3);
    assert_near(hits[i].normal, 2 * 2 * 5, 0.4);
    assert_near(hits[i].largest, 2 * 5 * w, 0.03 * 2 * 5 * w);
    assert_near(hits[i].speed, 5, 0.1);
    assert_near(hits[i].dissipated, 0, 0);
  }
  assert_near(sum, impulse[3 * steps - 3], 1e-9);
  free(hits);
  free(impulse);
}

// A ball, or a box about all its axes, turns as it strikes a wall and comes back, and nothing rubs:
// before every hit of one step it has 1/2 m v^2, with v smaller by e each time, and 1/2 I w^2. A
// hit of many steps has the energy before the first of them, not while the spring has taken it.
#define SPINS(dimension, treatment, wall, shape, position, velocity, spin)                         \
  "kind: rigid\nduration: 1.4\nstep: 1e-3\n" dimension "gravity: [0, 0, 0]\n"                      \
  "contact: {treatment: " treatment "}\n"                                                          \
  "default_law: {normal: {kind: restitution, e: 0.8}}\n"                                           \
  "obstacles:\n"                                                                                   \
  "  - {name: left, shape: {type: box, size: " wall "}, position: [-1.1, 0, 0]}\n"                 \
  "  - {name: right, shape: {type: box, size: " wall "}, position: [1.1, 0, 0]}\n"                 \
  "bodies: [{name: a, shape: " shape ", mass: 2, position: " position ", velocity: " velocity      \
  ", spin: " spin "}]\n"                                                                           \
  "sensors: [{name: hits, kind: hits, bodies: [left, right], by: a}]\n"

static void a_hit_has_the_energy_of_the_body_before_it(void **state)
{
  static const struct {
    const char *scene;
    double moment, spin, e;
  } cases[] = {
      {SPINS("", "velocity", "[0.2, 2, 2]", "{type: sphere, radius: 0.1}", "[0, 0, 0]", "[5, 0, 0]",
             "[3, 4, -12]"),
       0.4 * 2 * 0.01, 13, 0.8},
      {SPINS("", "penalty, stiffness: 1e5", "[0.2, 2, 2]", "{type: sphere, radius: 0.1}",
             "[0, 0, 0]", "[5, 0, 0]", "[3, 4, -12]"),
       0.4 * 2 * 0.01, 13, 1},
      // A box strikes with a face about whose normal it spins.
      {SPINS("", "velocity", "[0.2, 2, 2]", "{type: box, size: [0.1, 0.2, 0.3]}", "[0, 0, 0]",
             "[5, 0, 0]", "[6, 0, 0]"),
       2 * (0.04 + 0.09) / 12, 6, 0.8},
  };
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    long count;
    double v = 5;
    run(cases[c].scene, "a.h5");
    hit *hits = read_hits("a.h5", &count);
    assert_true(count >= 3);
    for (long i = 0; i < count; i++, v *= cases[c].e) {
      double turning = 0.5 * cases[c].moment * cases[c].spin * cases[c].spin;
      assert_near(hits[i].mass[0], 0, 0); // the wall
      assert_near(hits[i].kinetic[0], 0, 0);
      assert_near(hits[i].mass[1], 2, 1e-12);
      // A spring gives back what it took but for (w h)^2 / 4.
      assert_near(hits[i].kinetic[1], v * v + turning,
                  (cases[c].e == 1 && i > 0 ? 0.05 : 1e-9) * v * v);
    }
    free(hits);
  }
}

// Two balls that fall on each other: both have their energies, the one of the sensor first.
static void both_bodies_of_a_hit_have_their_energies(void **state)
{
  long count;
  run("kind: rigid\nduration: 0.3\nstep: 1e-3\ngravity: [0, 0, -10]\n"
      "default_law: {normal: {kind: inelastic}}\n"
      "bodies:\n"
      "  - {name: upper, shape: {type: sphere, radius: 0.1}, mass: 3, position: [0, 0, 1]}\n"
      "  - {name: lower, shape: {type: sphere, radius: 0.2}, mass: 5, position: [0, 0, 0], "
      "velocity: [0, 0, 4], spin: [0, 0, 2]}\n"
      "sensors:\n"
      "  - {name: up, kind: hits, bodies: upper, by: lower}\n"
      "  - {name: down, kind: hits, bodies: lower}\n",
      "a.h5");
  hit *hits = read_hits("a.h5", &count);
  assert_true(count >= 2);
  for (long i = 0; i < count; i++) {
    double t = hits[i].time[0], upper = 10 * t, lower = 4 - 10 * t;
    int u = hits[i].sensor; // the first body of the first sensor
    if (t > 0.18)           // they meet after 0.7 m at 4 m/s and stay together
      continue;
    assert_near(t, 0.175, 1e-3);
    assert_near(hits[i].mass[u], 3, 1e-12);
    assert_near(hits[i].mass[1 - u], 5, 1e-12);
    assert_near(hits[i].kinetic[u], 0.5 * 3 * upper * upper, 1e-9);
    assert_near(hits[i].kinetic[1 - u], 0.5 * 5 * lower * lower + 0.5 * (0.4 * 5 * 0.04) * 4, 1e-9);
  }
  free(hits);
}

// A wall of 50 kg stands on rough ground, and a stone of 1 kg strikes it from the left.
#define WALL(treatment)                                                                            \
  "kind: rigid\nduration: 0.5\nstep: 1e-3\ncontact: {treatment: " treatment "}\n"                  \
  "default_law: {normal: {kind: inelastic}, tangential: {kind: coulomb, mu: 0.5}}\n"               \
  "obstacles: [{name: ground, shape: {type: plane}}]\n"                                            \
  "bodies:\n"                                                                                      \
  "  - {name: wall, shape: {type: box, size: [0.4, 1, 1]}, mass: 50, position: [0, 0, 0.5]}\n"     \
  "  - {name: stone, shape: {type: sphere, radius: 0.1}, mass: 1, position: [-0.8, 0, 0.9], "      \
  "velocity: [6, 0, 1]}\n"                                                                         \
  "sensors:\n"                                                                                     \
  "  - {name: stone, kind: force, bodies: wall, by: stone}\n"                                      \
  "  - {name: all, kind: force, bodies: wall}\n"                                                   \
  "  - {name: ground, kind: force, bodies: wall, by: ground}\n"                                    \
  "  - {name: a, kind: acceleration, bodies: stone}\n"                                             \
  "  - {name: h, kind: hits, bodies: wall, by: stone}\n"                                           \
  "  - {name: stands, kind: hits, bodies: wall, by: ground}\n"                                     \
  "output: {every: 0.1}\n"

// The wall feels m (g - a) of the stone, which falls on the ground later.
static void a_wall_feels_the_stone_alone(void **state)
{
  static const char *const scenes[] = {WALL("velocity"), WALL("position")};
  for (int c = 0; c < 2; c++) {
    long steps, count, struck = 0;
    run(scenes[c], "a.h5");
    double *stone = read_series("a.h5", "sensors/stone", &steps), sum[3] = {0};
    double *all = read_series("a.h5", "sensors/all", &steps);
    double *ground = read_series("a.h5", "sensors/ground", &steps);
    double *a = read_series("a.h5", "sensors/a", &steps);
    for (long i = 0; i < 3 * steps; i++) {
      double g = i % 3 == 2 ? -9.81 : 0;
      if (i < 3 * 200) // the stone is in the air but for the wall
        assert_near(stone[i], g - a[i], 1e-6);
      assert_near(all[i], stone[i] + ground[i], 1e-9 * (1 + fabs(all[i])));
      sum[i % 3] += stone[i] * 1e-3;
      struck += stone[i] != 0;
    }
    hit *hits = read_hits("a.h5", &count);
    double impulse[3] = {0}, weight = 0;
    for (long i = 0; i < count; i++)
      for (int k = 0; k < 3; k++)
        if (hits[i].sensor == 0)
          impulse[k] += hits[i].impulse[k];
    assert_true(struck > 0 && count >= 2);
    assert_int_equal(hits[count - 1].sensor, 1); // it stands all the time: one long hit
    assert_true(hits[count - 1].open);
    assert_near(hits[count - 1].time[0], 0, 0);
    assert_near(hits[count - 1].time[1], 0.5, 1e-12);
    for (long i = 0; i < steps; i++)
      weight += ground[3 * i + 2] * 1e-3;
    assert_near(hits[count - 1].normal, weight, 1e-9);
    assert_near(weight, 50 * 9.81 * 0.5, 5);
    for (int k = 0; k < 3; k++)
      assert_near(impulse[k], sum[k], 1e-9);
    assert_true(impulse[0] > 5.5); // of 6 N s: the wall gives way a little
    free(stone);
    free(all);
    free(ground);
    free(a);
    free(hits);
  }
}

// Rocks that fall on each other and come to rest.
#define ROCKS(more)                                                                                \
  "kind: rigid\nduration: 0.6\nstep: 2e-3\n"                                                       \
  "default_law: {normal: {kind: restitution, e: 0.3}, tangential: {kind: coulomb, mu: 0.5}}\n"     \
  "obstacles: [{name: floor, shape: {type: plane}}]\n"                                             \
  "generators: [{type: random, name: rock, count: 20, inside: {box: [[-0.3, -0.3, 0.1], [0.3, "    \
  "0.3, 1.4]]}, shape: {type: polyhedron, random: 12, radius: 0.1}, orientations: random}]\n"      \
  "sensors:\n"                                                                                     \
  "  - {name: floor, kind: hits, bodies: floor, by: rock, pause: 0.02}\n"                          \
  "  - {name: rocks, kind: hits, bodies: rock, by: rock}\n"                                        \
  "  - {name: any, kind: hits, bodies: rock}\n"                                                    \
  "  - {name: i, kind: impulse, bodies: floor, by: rock}\n"                                        \
  "  - {name: d, kind: dissipated, bodies: rock}\n"                                                \
  "  - {name: none, kind: impulse, bodies: rock, by: rock}\n"                                      \
  "output: {every: 0.1, checkpoint: 0}\n" more

// Every exchange is in one hit, whatever begins and ends. Contacts inside a group count once.
static void hits_add_up_to_what_was_exchanged(void **state)
{
  static const char *const scenes[] = {ROCKS(""), ROCKS("contact: {treatment: velocity}\n"),
                                       ROCKS("contact: {treatment: penalty, stiffness: 1e5}\n"),
                                       ROCKS("sleep: {after: 0.05}\n")};
  for (int c = 0; c < 4; c++) {
    run(scenes[c], "a.h5");
    long count, steps;
    hit *hits = read_hits("a.h5", &count);
    double *floor = read_series("a.h5", "sensors/i", &steps), on_floor[3] = {0};
    double *inside = read_series("a.h5", "sensors/none", &steps);
    double *taken = read_series("a.h5", "sensors/d", &steps), took[3] = {0}, normal[3] = {0};
    double *number[] = {read_series("a.h5", "sensors/floor", &steps),
                        read_series("a.h5", "sensors/rocks", &steps),
                        read_series("a.h5", "sensors/any", &steps)};
    double *lines = read_series("a.h5", "steps/total_dissipated", &steps);
    long numbers[3] = {0};
    for (long i = 0; i < count; i++) {
      int s = hits[i].sensor;
      numbers[s]++;
      took[s] += hits[i].dissipated;
      normal[s] += hits[i].normal;
      for (int k = 0; k < 3 && s == 0; k++)
        on_floor[k] += hits[i].impulse[k];
      assert_true(hits[i].time[1] > hits[i].time[0]);
      if (s > 0)
        assert_true(hits[i].body[0] > 0); // the floor is no rock
      if (s == 1)
        assert_true(hits[i].body[0] < hits[i].body[1]);
    }
    double scale = fabs(floor[3 * steps - 1]);
    assert_true(scale > 10);
    for (int k = 0; k < 3; k++) {
      assert_near(on_floor[k], floor[3 * steps - 3 + k], 1e-11 * scale);
      assert_near(inside[3 * steps - 3 + k], 0, 1e-11 * scale);
      assert_near(number[k][steps - 1], (double)numbers[k], 0);
      assert_true(numbers[k] > 10);
    }
    assert_near(took[0] + took[1], took[2], 1e-9 * scale);
    assert_near(normal[0] + normal[1], normal[2], 1e-9 * scale);
    assert_near(taken[steps - 1], took[2], 1e-9 * scale);
    if (c < 2) // all that the laws took, they took there
      assert_near(taken[steps - 1], lines[steps - 1], 1e-9 * scale);
    free(hits);
    free(floor);
    free(inside);
    free(taken);
    free(lines);
    for (int k = 0; k < 3; k++)
      free(number[k]);
  }
}

static void threads_give_the_same_hits(void **state)
{
  run_part(ROCKS(""), "a.h5", 1, false, 1000000);
  run_part(ROCKS(""), "b.h5", 4, false, 1000000);
  compare("a-hits.csv", "b-hits.csv");
  compare("a.h5", "b.h5");
}

// Stopped after any step, with hits that are open then.
static void a_run_goes_on_with_its_open_hits(void **state)
{
  static const char *const scenes[] = {ROCKS(""),
                                       ROCKS("contact: {treatment: penalty, stiffness: 1e5}\n")};
  for (int c = 0; c < 2; c++) {
    run(scenes[c], "a.h5");
    for (long stop = 0; stop <= 300; stop += c == 0 ? 25 : 75) {
      run_part(scenes[c], "b.h5", 1, false, stop);
      run_part(scenes[c], "b.h5", 1, true, stop + 3);
      run_part(scenes[c], "b.h5", 1, true, 1000000);
      compare("a-hits.csv", "b-hits.csv");
      compare("a.csv", "b.csv");
      compare("a.h5", "b.h5");
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ball_hits_as_often_and_as_hard_as_it_must),
      cmocka_unit_test(the_table_names_sensors_and_bodies),
      cmocka_unit_test(a_pause_that_is_long_enough_joins_hits),
      cmocka_unit_test(a_penalty_contact_is_one_hit),
      cmocka_unit_test(a_hit_has_the_energy_of_the_body_before_it),
      cmocka_unit_test(both_bodies_of_a_hit_have_their_energies),
      cmocka_unit_test(a_wall_feels_the_stone_alone),
      cmocka_unit_test(hits_add_up_to_what_was_exchanged),
      cmocka_unit_test(threads_give_the_same_hits),
      cmocka_unit_test(a_run_goes_on_with_its_open_hits),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
