// Who people are: speeds by age, aids, and groups whose members wait for each other.
#include "crowd_support.h"
#include "folder.h"
#include "percuss/scene.h"

static pc_scene parse(const char *text)
{
  pc_scene scene;
  pc_error error = {.text = ""};
  assert_ok(pc_scene_parse(in_folder("scene.yaml"), text, &scene, &error), &error);
  return scene;
}

// Figures that are published: Weidmann's curve has 1.6 m/s at 20 and falls to 1.41 at 50; IMO
// MSC.1/Circ.1533, table 3.4.
static void speeds_by_age_are_those_published(void **state)
{
  static const double weidmann[][2] = {{10, 1.17}, {20, 1.6}, {30, 1.53}, {50, 1.41}, {80, 0.7}};
  for (int i = 0; i < PC_COUNT(weidmann); i++)
    assert_near(pc_speed_of_age(PC_SPEEDS_WEIDMANN, weidmann[i][0]).mean, weidmann[i][1], 1e-9);
  assert_near(pc_speed_of_age(PC_SPEEDS_WEIDMANN, 45).mean, 0.5 * (1.48 + 1.41), 1e-9);
  assert_near(pc_speed_of_age(PC_SPEEDS_WEIDMANN, 1).mean, 0.56, 1e-9);
  assert_near(pc_speed_of_age(PC_SPEEDS_WEIDMANN, 99).mean, 0.55, 1e-9);
  for (double age = 5; age < 84;
       age++) { // about a sixth of the speed, as for all people (0.26 of 1.34)
    pc_speed_range range = pc_speed_of_age(PC_SPEEDS_WEIDMANN, age);
    assert_true(range.deviation > 0.07 * range.mean && range.deviation < 0.21 * range.mean);
    assert_near(range.high - range.mean, range.mean - range.low, 1e-12);
  }
  assert_near(pc_speed_of_age(PC_SPEEDS_IMO_WOMEN, 29.9).low, 0.93, 0);
  assert_near(pc_speed_of_age(PC_SPEEDS_IMO_WOMEN, 30).high, 1.19, 0);
  assert_near(pc_speed_of_age(PC_SPEEDS_IMO_MEN, 50.1).high, 1.4, 0);
  assert_near(pc_speed_of_age(PC_SPEEDS_IMO_MEN, 50).low, 0.97, 0);
}

// RiMEA's case 7: a population with ages from a normal distribution. Speeds of all lie in the band
// of their table, and their mean is that of the ages: an integral over the distribution.
static void populations_have_the_speeds_of_their_ages(void **state)
{
  pc_scene scene =
      parse("kind: crowd\nduration: 1\nstep: 0.01\nseed: 3\n"
            "floors: [{outline: [[0, 0], [60, 0], [60, 40], [0, 40]]}]\n"
            "exits: [{name: door, line: [[60, 10], [60, 30]]}]\n"
            "people:\n  - {count: 1500, to: door, age: {normal: [50, 20], between: [10, 85]}}\n"
            "  - {count: 300, to: door, age: 40, speeds: imo_men}\n"
            "  - {count: 100, to: door, age: {uniform: [20, 30]}, speeds: imo_women}\n");
  double sum = 0, mean = 0, all = 0, men = 0;
  for (int i = 0; i < 1900; i++) {
    double speed = pc_crowd_person_def(scene.crowd, i).speed;
    sum += i < 1500 ? speed / 1500 : 0;
    men += i >= 1500 && i < 1800 ? speed / 300 : 0;
    if (i < 1500)
      assert_true(speed >= 0.5 && speed <= 1.92);
    else if (i < 1800)
      assert_true(speed >= 0.97 && speed <= 1.62);
    else
      assert_true(speed >= 0.71 && speed <= 1.55);
  }
  for (double age = 10; age <= 85; age += 0.01) {
    double share = exp(-0.5 * (age - 50) * (age - 50) / 400);
    mean += share * pc_speed_of_age(PC_SPEEDS_WEIDMANN, age).mean;
    all += share;
  }
  assert_near(sum, mean / all, 4 * 0.33 / sqrt(1500));
  assert_near(men, 0.5 * (0.97 + 1.62), 4 * 0.65 / sqrt(12 * 300));
  pc_scene_free(&scene);
}

static void aids_give_what_is_not_given(void **state)
{
  pc_scene scene = parse(
      "kind: crowd\nduration: 1\nstep: 0.01\n"
      "floors: [{outline: [[0, 0], [30, 0], [30, 20], [0, 20]]}]\n"
      "exits: [{name: door, line: [[30, 5], [30, 15]]}]\n"
      "people:\n  - {count: 40, to: door, aid: wheelchair}\n"
      "  - {count: 1, to: door, aid: electric_wheelchair, radius: 0.4, speed: 1, stairs: true}\n"
      "  - {count: 20, to: door, aid: cane, age: 80}\n");
  double sum = 0;
  for (int i = 0; i < 40; i++) {
    pc_person_def p = pc_crowd_person_def(scene.crowd, i);
    assert_true(p.no_stairs && p.radius == 0.35 && p.mass == 100);
    assert_true(p.speed >= 0.34 - 1e-12 && p.speed <= 1.04 + 1e-12); // Boyce et al.: 0.69 (0.35)
    sum += p.speed / 40;
  }
  assert_near(sum, 0.69, 4 * 0.2 / sqrt(40));
  pc_person_def own = pc_crowd_person_def(scene.crowd, 40),
                old = pc_crowd_person_def(scene.crowd, 41);
  assert_true(!own.no_stairs && own.radius == 0.4 && own.speed == 1 && own.mass == 200);
  assert_true(!old.no_stairs && old.own_stairs && old.stairs_speed < 0.3);
  assert_true(old.speed <= 0.8 && old.speed >= 0.6);
  pc_scene_free(&scene);
}

static pc_crowd *make_corridor(int *exit)
{
  pc_crowd *crowd = create_crowd(pc_crowd_def_default());
  point room[] = {{0, 0}, {40, 0}, {40, 6}, {0, 6}};
  ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_OUTLINE, 4, POINTS(room)));
  *exit = pc_crowd_add_exit(crowd, &(pc_exit_def){.line = {{40, 1}, {40, 5}}});
  ok(crowd, pc_crowd_finish(crowd));
  return crowd;
}

static void add(pc_crowd *crowd, double x, double y, double speed, double response)
{
  pc_person_def person = pc_person_def_default();
  person.position[0] = x;
  person.position[1] = y;
  person.speed = speed;
  person.response = response;
  if (pc_crowd_add_person(crowd, &person) < 0)
    fail_msg("%s", pc_crowd_error(crowd));
}

static const int three[] = {0, 1, 2};

static void join(pc_crowd *crowd, double distance)
{
  pc_group_def def = pc_group_def_default(PC_GROUP_WAIT);
  def.count = 3;
  def.people = three;
  def.distance = distance;
  assert_int_equal(pc_crowd_add_group(crowd, &def), 0);
}

// Three people of 0.8, 1.2 and 1.5 m/s, the fast ones ahead. The slow one has 39 m to walk: all
// leave within the distance of each other, at the time of the slow one. Alone, the others are out
// after 30 and 22 s.
static void groups_walk_at_the_pace_of_the_slowest(void **state)
{
  int exit;
  pc_crowd *crowd = make_corridor(&exit);
  add(crowd, 1, 3, 0.8, 0);
  add(crowd, 4, 2, 1.2, 0);
  add(crowd, 7, 4, 1.5, 0);
  join(crowd, 2);
  while (pc_crowd_inside(crowd) > 0 && pc_world_time(pc_crowd_world(crowd)) < 120) {
    ok(crowd, pc_crowd_step(crowd, 0.02));
    double time = pc_world_time(pc_crowd_world(crowd));
    if (time > 15 && time < 40)
      for (int i = 1; i < 3; i++) {
        double ahead = person_of(crowd, i).position[0] - person_of(crowd, 0).position[0];
        assert_true(ahead > -0.5 && ahead < 4);
        assert_near(person_of(crowd, i).velocity[0], 0.8, 0.35);
      }
  }
  double slow = 39 / 0.8 + 0.5;
  assert_near(person_of(crowd, 0).exit_time, slow, 1);
  for (int i = 1; i < 3; i++)
    assert_true(person_of(crowd, i).exit_time > slow - 4 / 0.8 - 1);
  pc_crowd_destroy(crowd);
}

// The last is ready after 8 s. Nobody leaves before, and one who is 10 m behind catches up while
// the others wait.
static void groups_gather(void **state)
{
  int exit;
  pc_crowd *crowd = make_corridor(&exit);
  add(crowd, 2, 3, 1.34, 8);
  add(crowd, 12, 2, 1.34, 0);
  add(crowd, 12, 4, 1.34, 3);
  join(crowd, 2);
  while (pc_world_time(pc_crowd_world(crowd)) < 8)
    ok(crowd, pc_crowd_step(crowd, 0.02));
  for (int i = 0; i < 3; i++)
    assert_near(person_of(crowd, i).position[0], i == 0 ? 2 : 12, 1e-6);
  while (pc_crowd_inside(crowd) > 0 && pc_world_time(pc_crowd_world(crowd)) < 120)
    ok(crowd, pc_crowd_step(crowd, 0.02));
  assert_near(person_of(crowd, 0).exit_time, 8 + 38 / 1.34, 1.5);
  for (int i = 1; i < 3; i++) // 2 to 4 m ahead
    assert_near(person_of(crowd, i).exit_time, person_of(crowd, 0).exit_time - 3 / 1.34, 1.7);
  pc_crowd_destroy(crowd);
}

// Who cannot walk any more is not waited for; saved states go on the same.
static void groups_go_on_after_loading(void **state)
{
  int exit;
  pc_crowd *one = make_corridor(&exit), *two = make_corridor(&exit), *all[] = {one, two};
  for (int k = 0; k < 2; k++) {
    add(all[k], 1, 3, 0.8, 0);
    add(all[k], 4, 2, 1.2, 0);
    add(all[k], 7, 4, 1.5, 0);
    join(all[k], 1.5);
  }
  for (int k = 0; k < 430; k++)
    ok(one, pc_crowd_step(one, 0.02));
  size_t size = pc_crowd_save(one, NULL, 0);
  char *bytes = malloc(size);
  assert_non_null(bytes);
  pc_crowd_save(one, bytes, size);
  ok(two, pc_crowd_load(two, bytes, size));
  for (int k = 0; k < 600; k++) {
    ok(one, pc_crowd_step(one, 0.02));
    ok(two, pc_crowd_step(two, 0.02));
  }
  for (int i = 0; i < 3; i++) {
    pc_person_state a = person_of(one, i), b = person_of(two, i);
    assert_memory_equal(a.position, b.position, sizeof a.position);
  }
  free(bytes);
  pc_crowd_destroy(one);
  pc_crowd_destroy(two);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(speeds_by_age_are_those_published),
      cmocka_unit_test(populations_have_the_speeds_of_their_ages),
      cmocka_unit_test(aids_give_what_is_not_given),
      cmocka_unit_test(groups_walk_at_the_pace_of_the_slowest),
      cmocka_unit_test(groups_gather),
      cmocka_unit_test(groups_go_on_after_loading),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
