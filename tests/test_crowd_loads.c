// Loads on people: what presses them from one side, as a mean over a time.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "crowd_support.h"
#include "folder.h"
#include "percuss/random.h"
#include "percuss/scene.h"

static pc_crowd_def direct(pc_crowd_def def)
{
  def.walking.model = PC_WALK_DIRECT;
  return def;
}

static void turn(double angle, int count, double (*points)[2])
{
  double c = cos(angle), s = sin(angle);
  for (int i = 0; i < count; i++) {
    double x = points[i][0], y = points[i][1];
    points[i][0] = c * x - s * y;
    points[i][1] = s * x + c * y;
  }
}

// A room, turned by an angle, with a screen at x = 7 between people in a row and the exit that they
// go straight to. The gap between them, and between the first and the screen, is given.
static pc_crowd *make_row(pc_crowd_def def, double angle, int count, pc_person_def *person,
                          double gap)
{
  point corner[] = {{-1, -1}, {9, -1}, {9, 1}, {-1, 1}}, screen[] = {{7, -0.6}, {7, 0.6}};
  pc_exit_def exit = {.line = {{9, -1}, {9, 1}}};
  turn(angle, 4, corner);
  turn(angle, 2, screen);
  turn(angle, 2, exit.line);
  pc_crowd *crowd = create_crowd(def);
  ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_OUTLINE, 4, POINTS(corner)));
  ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_LINE, 2, POINTS(screen)));
  int goal = pc_crowd_add_exit(crowd, &exit);
  ok(crowd, pc_crowd_finish(crowd));
  double x = 7;
  for (int i = 0; i < count; i++) {
    x -= gap + person[i].radius;
    person[i].goal = goal;
    person[i].straight = true;
    person[i].position[0] = x, person[i].position[1] = 0;
    turn(angle, 1, &person[i].position);
    turn(angle, 1, &person[i].velocity);
    if (pc_crowd_add_person(crowd, &person[i]) != i)
      fail_msg("%s", pc_crowd_error(crowd));
    x -= person[i].radius;
  }
  return crowd;
}

static void walk(pc_crowd *crowd, double seconds, double step)
{
  for (int n = (int)round(seconds / step); n > 0; n--)
    ok(crowd, pc_crowd_step(crowd, step));
}

// Everybody in a row that leans on a wall bears the sum of the driving forces of all from there to
// the end of the row, whatever the step and the window. Directions are looked at
// every 22.5 degrees; between them at most 2 % are missing.
static void loads_are_sums_of_driving_forces(void **state)
{
  enum { ROW = 6 };
  static const double steps[] = {0.005, 0.01, 0.025, 0.05};
  const double apart = 0.39269908169872414;
  pc_random random = test_random("loads");
  for (int round = 0; round < 32; round++) {
    double h = steps[round % 4], force[ROW], sum = 0;
    bool along = round % 8 < 4; // one of the directions
    double angle = along ? apart * (round % 16) : pc_random_uniform(&random, 0, 6.28);
    pc_person_def person[ROW];
    for (int i = 0; i < ROW; i++) {
      person[i] = pc_person_def_default();
      person[i].radius = pc_random_uniform(&random, 0.2, 0.25);
      person[i].mass = pc_random_uniform(&random, 60, 100);
      person[i].speed = pc_random_uniform(&random, 0.5, 1.5);
      person[i].relaxation = pc_random_uniform(&random, 0.3, 0.6);
      force[i] = person[i].mass * person[i].speed / person[i].relaxation;
    }
    pc_crowd_def def = direct(pc_crowd_def_calibrated());
    def.load_window = round % 3 == 0 ? 0.5 : 1;
    pc_crowd *crowd = make_row(def, angle, ROW, person, 0.01);
    walk(crowd, 3, h); // a row buckles in the end
    for (int i = ROW - 1; i >= 0; i--) {
      pc_person_state p = person_of(crowd, i);
      sum += force[i];
      if (!(p.load <= sum * 1.002) || !(p.load >= sum * (along ? 0.998 : 0.979)))
        fail_msg("step %g, angle %g, person %d: a load of %.6g, not %.6g N", h, angle, i, p.load,
                 sum);
      assert_true(p.load_largest >= p.load);
    }
    pc_crowd_destroy(crowd);
  }
}

// Who runs into a wall gives it the momentum in one step, however short, and leans on it from then
// on: over the first window the load is (m v + F t) / window, with the time t after the impact.
static void loads_do_not_depend_on_the_step(void **state)
{
  for (double h = 0.04; h > 0.002; h *= 0.5) {
    pc_person_def person = pc_person_def_default();
    person.velocity[0] = person.speed;
    pc_crowd *crowd = make_row(direct(pc_crowd_def_calibrated()), 0, 1, &person, 0.3);
    double momentum = person.mass * person.speed, force = momentum / person.relaxation;
    double leans = 1 - 0.3 / person.speed;
    walk(crowd, 1, h);
    pc_person_state p = person_of(crowd, 0);
    assert_near(p.load, momentum + force * leans, 2 * force * h);
    assert_near(p.push_largest, momentum, 1e-9 * momentum);
    assert_near(p.load_largest, p.load, 0);
    walk(crowd, 2, h);
    p = person_of(crowd, 0);
    assert_near(p.load, force, 1e-3 * force);
    assert_near(p.load_largest, momentum + force * leans, 2 * force * h);
    pc_crowd_destroy(crowd);
  }
}

// Somebody who stands between two who push from both sides bears the force of one of them; contacts
// that press at right angles do not add up.
static void forces_from_both_sides_are_one_load(void **state)
{
  pc_pressing pressing = {.last = 0};
  pc_pressing_add(&pressing, 300, 0);
  pc_pressing_add(&pressing, -300, 0);
  pc_pressing_end(&pressing, 0.5);
  assert_near(pressing.last, 600, 1e-9);
  pc_pressing_add(&pressing, 0, 100);
  pc_pressing_add(&pressing, 0, -100);
  pc_pressing_add(&pressing, 100, 0);
  pc_pressing_end(&pressing, 1);
  assert_near(pressing.last, 100 * sqrt(2), 1e-9);
  assert_near(pressing.largest, 600, 1e-9);
  pc_pressing_end(&pressing, 1);
  assert_near(pressing.last, 0, 0);
}

static void read_text(pc_scene *scene, const char *text)
{
  pc_error error = {0};
  write_file("scene.yaml", text);
  assert_ok(pc_scene_read(in_folder("scene.yaml"), scene, &error), &error);
}

#define STRIKE(more)                                                                               \
  "kind: crowd\nduration: 1\nstep: 0.01\nfloors: [{outline: [[0, 0], [4, 0], [4, 4], [0, 4]]}]\n"  \
  "exits: [{name: door, line: [[1, 4], [2, 4]]}]\n" more                                           \
  "people: [{name: p, positions: [[3.6, 1]], velocity: [1.3, 0], to: door}]\n"

// In scenes people do not rebound, from walls and from each other, unless they walk as in the book.
static void people_do_not_rebound(void **state)
{
  static const struct {
    const char *text;
    bool rebounds;
  } cases[] = {{STRIKE(""), false},
               {STRIKE("walking: {densest: 5}\n"), false},
               {STRIKE("walking: {model: direct}\n"), true},
               {STRIKE("social: {strength: 2000}\n"), true},
               {STRIKE("contact: {law: {normal: {kind: quadratic, k: 1e5}}}\n"), true}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    pc_scene scene;
    read_text(&scene, cases[i].text);
    double back = 0;
    for (int n = 0; n < 30; n++) {
      ok(scene.crowd, pc_crowd_step(scene.crowd, 0.01));
      back = fmin(back, person_of(scene.crowd, 0).velocity[0]);
    }
    if (cases[i].rebounds ? !(back < -0.6) : !(back > -0.3))
      fail_msg("case %zu: %g m/s", i, back);
    pc_scene_free(&scene);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loads_are_sums_of_driving_forces),
      cmocka_unit_test(loads_do_not_depend_on_the_step),
      cmocka_unit_test(forces_from_both_sides_are_one_load),
      cmocka_unit_test(people_do_not_rebound),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
