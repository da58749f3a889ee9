// Crowds: rooms that empty, walls that hold, people who come and go, and bad buildings.
#include "crowd_support.h"

// A square room with a door in the middle of its right wall.
static int add_room(pc_crowd *crowd, double side, double door)
{
  double low = 0.5 * (side - door), high = 0.5 * (side + door);
  point wall[] = {{side, high}, {side, side}, {0, side}, {0, 0}, {side, 0}, {side, low}};
  ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_LINE, 6, POINTS(wall)));
  pc_exit_def exit = {.line = {{side, low}, {side, high}}, .at_front = true};
  int goal = pc_crowd_add_exit(crowd, &exit);
  assert_true(goal >= 0);
  return goal;
}

// People anywhere in a square, as many as find room in some tries.
static int add_people(pc_crowd *crowd, pc_random *random, int count, double side, int goal)
{
  int placed = 0;
  for (int tries = 0; tries < 200 * count && placed < count; tries++) {
    pc_person_def person = pc_person_def_default();
    person.goal = goal;
    person.radius = pc_random_uniform(random, 0.2, 0.25);
    person.mass = pc_random_uniform(random, 60, 100);
    person.speed = pc_random_uniform(random, 1.2, 2);
    person.relaxation = pc_random_uniform(random, 0.1, 0.5);
    for (int k = 0; k < 2; k++)
      person.position[k] = pc_random_uniform(random, 0, side);
    placed += pc_crowd_add_person(crowd, &person) >= 0;
  }
  return placed;
}

// All treatments empty a room with a wide door; exits are counted once each, in the run's time.
static void test_empties(void **state)
{
  static const struct {
    pc_treatment treatment;
    bool first;
  } ways[] = {{PC_VELOCITY_LEVEL, false},
              {PC_POSITION_LEVEL, false},
              {PC_POSITION_LEVEL, true},
              {PC_PENALTY, false}};
  pc_random random = test_random("empties");
  for (int w = 0; w < 4; w++) {
    pc_crowd *crowd = create_crowd(treated(ways[w].treatment, ways[w].first));
    int door = add_room(crowd, 6, 1.5);
    ok(crowd, pc_crowd_finish(crowd));
    int people = add_people(crowd, &random, 30, 6, door), before = people;
    assert_int_equal(people, 30);
    for (int step = 0; step < 6000 && pc_crowd_inside(crowd) > 0; step++) {
      ok(crowd, pc_crowd_step(crowd, 0.01));
      const pc_step_info *info = pc_world_info(pc_crowd_world(crowd));
      assert_true(info->closed);
      assert_true(info->drift < 1e-12);
      assert_true(pc_crowd_inside(crowd) <= before);
      before = pc_crowd_inside(crowd);
    }
    assert_int_equal(pc_crowd_inside(crowd), 0);
    for (int i = 0; i < people; i++) {
      pc_person_state person;
      pc_crowd_person(crowd, i, &person);
      assert_int_equal(person.exit, door);
      assert_true(person.exit_time >= 0 && person.exit_time <= pc_world_time(crowd->world));
    }
    pc_crowd_destroy(crowd);
  }
}

// One person walks straight: speed up by the relaxation, and out when the body touches the line.
static void test_alone(void **state)
{
  pc_crowd *crowd = create_crowd(treated(PC_VELOCITY_LEVEL, false));
  int door = add_room(crowd, 10, 2);
  ok(crowd, pc_crowd_finish(crowd));
  pc_person_def person = pc_person_def_default();
  person.goal = door;
  person.straight = true;
  person.position[0] = 2, person.position[1] = 5;
  person.response = 1;
  assert_int_equal(pc_crowd_add_person(crowd, &person), 0);
  double h = 1e-3;
  while (pc_crowd_inside(crowd) > 0 && pc_world_time(crowd->world) < 20)
    ok(crowd, pc_crowd_step(crowd, h));
  pc_person_state s;
  pc_crowd_person(crowd, 0, &s);
  // x(t) = U (t - tau (1 - exp(-t / tau))) after the response; to the line less the radius.
  double way = 8 - person.radius, t = way / person.speed;
  for (int i = 0; i < 100; i++)
    t = way / person.speed + person.relaxation * (1 - exp(-t / person.relaxation));
  assert_near(s.exit_time, 1 + t, 2e-3);
  assert_near(s.position[1], 5, 1e-12);
  pc_crowd_destroy(crowd);
}

// People who leave are gone for the others and take their energy along; a saved state has those who
// are there.
static void test_leaving(void **state)
{
  pc_world_def def = pc_world_def_default();
  def.dimension = 2;
  def.gravity[2] = 0;
  pc_world *world[2];
  size_t size = 0;
  void *saved = NULL;
  for (int w = 0; w < 2; w++) {
    world[w] = pc_world_create(&def);
    pc_body_def body = pc_body_def_default();
    body.shape = pc_shape_disc(0.5, NULL);
    body.mass = 2;
    for (int i = 0; i < 3; i++) {
      body.position[0] = 2 * i;
      body.velocity[0] = i == 0 ? 1 : 0;
      assert_int_equal(pc_body_create(world[w], &body).id, i + 1);
    }
    pc_shape_release(body.shape);
    for (int i = 0; i < 10; i++)
      assert_int_equal(pc_world_step(world[w], 0.01), PC_OK);
    assert_int_equal(pc_world_set_present(world[w], (pc_body){2}, false), PC_OK);
    assert_false(pc_body_is_present(world[w], (pc_body){2}));
    if (w == 0) { // the other goes on from here
      size = pc_world_save(world[0], NULL, 0);
      saved = malloc(size);
      pc_world_save(world[0], saved, size);
    } else {
      assert_int_equal(pc_world_set_present(world[1], (pc_body){2}, true), PC_OK);
      assert_int_equal(pc_world_load(world[1], saved, size), PC_OK);
      assert_false(pc_body_is_present(world[1], (pc_body){2}));
    }
    for (int i = 0; i < 250; i++) {
      assert_int_equal(pc_world_step(world[w], 0.01), PC_OK);
      assert_true(pc_world_info(world[w])->drift < 1e-13);
    }
    pc_body_state one, two;
    pc_body_get(world[w], (pc_body){1}, &one);
    pc_body_get(world[w], (pc_body){2}, &two);
    assert_near(one.position[0], 2.6, 1e-12); // through where the second was
    assert_near(two.position[0], 2, 0);
  }
  size_t end = pc_world_save(world[0], NULL, 0);
  assert_int_equal(end, pc_world_save(world[1], NULL, 0));
  char *bytes[2];
  for (int w = 0; w < 2; w++) {
    bytes[w] = malloc(end);
    pc_world_save(world[w], bytes[w], end);
  }
  pc_body_state a, b;
  pc_body_get(world[0], (pc_body){1}, &a);
  pc_body_get(world[1], (pc_body){1}, &b);
  assert_memory_equal(&a, &b, sizeof a);
  // The third leaves too, with energy that is booked.
  pc_body_state third;
  pc_body_get(world[0], (pc_body){3}, &third);
  third.velocity[0] = 3;
  assert_int_equal(pc_world_change(world[0], 1, (pc_body[]){{3}}, &third), PC_OK);
  assert_int_equal(pc_world_step(world[0], 0.01), PC_OK);
  assert_near(pc_world_info(world[0])->given, 9, 1e-12);
  assert_int_equal(pc_world_set_present(world[0], (pc_body){3}, false), PC_OK);
  assert_int_equal(pc_world_step(world[0], 0.01), PC_OK);
  assert_near(pc_world_info(world[0])->given, -9, 1e-12);
  assert_true(pc_world_info(world[0])->drift < 1e-13);
  assert_int_equal(pc_world_set_present(world[0], (pc_body){9}, false), PC_ERROR_ARGUMENT);
  free(saved);
  for (int w = 0; w < 2; w++) {
    free(bytes[w]);
    pc_world_destroy(world[w]);
  }
}

// A person who walks against a wall is pushed back with the force that drives them: m u / tau.
static void test_push(void **state)
{
  static const pc_treatment treatment[] = {PC_VELOCITY_LEVEL, PC_POSITION_LEVEL, PC_PENALTY};
  for (int t = 0; t < 3; t++) {
    pc_crowd *crowd = create_crowd(treated(treatment[t], false));
    int door = add_room(crowd, 10, 2);
    point box[] = {{6, 4}, {7, 4}, {7, 6}, {6, 6}};
    ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_OBSTACLE, 4, (const double(*)[2])box));
    ok(crowd, pc_crowd_finish(crowd));
    pc_person_def person = pc_person_def_default();
    person.goal = door;
    person.straight = true;
    person.position[0] = 5.5, person.position[1] = 5;
    assert_int_equal(pc_crowd_add_person(crowd, &person), 0);
    double sum = 0, h = 0.002;
    for (int step = 0; step < 15000; step++) {
      ok(crowd, pc_crowd_step(crowd, h));
      pc_person_state s;
      pc_crowd_person(crowd, 0, &s);
      sum += step >= 5000 ? s.push : 0;
    }
    double force = person.mass * person.speed / person.relaxation;
    assert_near(sum / (10000 * h), force, 0.01 * force);
    pc_crowd_destroy(crowd);
  }
}

// A room with random walls, pillars and boxes in it.
static bool random_room(pc_crowd *crowd, pc_random *random, double side, int *door)
{
  *door = add_room(crowd, side, pc_random_uniform(random, 0.8, 1.5));
  int things = pc_random_below(random, 6);
  for (int i = 0; i < things; i++) {
    point at = {pc_random_uniform(random, 0.5, side - 0.5),
                pc_random_uniform(random, 0.5, side - 0.5)};
    double a = pc_random_uniform(random, 0.1, 1.5), b = pc_random_uniform(random, 0.1, 1.5);
    point box[] = {{at[0], at[1]}, {at[0] + a, at[1]}, {at[0] + a, at[1] + b}, {at[0], at[1] + b}};
    point line[] = {{at[0], at[1]}, {at[0] + a - 0.8, at[1] + b - 0.8}};
    pc_status status;
    switch (pc_random_below(random, 3)) {
    case 0:
      status = pc_crowd_add_wall(crowd, 0, PC_WALL_OBSTACLE, 4, (const double(*)[2])box);
      break;
    case 1:
      status = pc_crowd_add_wall(crowd, 0, PC_WALL_LINE, 2, (const double(*)[2])line);
      break;
    default:
      status = pc_crowd_add_pillar(crowd, 0, at, 0.5 * a);
    }
    if (status != PC_OK)
      return false;
  }
  return pc_crowd_finish(crowd) == PC_OK;
}

// Nobody ever walks through a wall: the way of every step crosses none.
static void test_walls_hold(void **state)
{
  pc_random random = test_random("walls");
  long steps = 0, most = test_count_long(1000000, 100000000);
  for (int round = 0; steps < most; round++) {
    static const pc_treatment treatment[] = {PC_VELOCITY_LEVEL, PC_POSITION_LEVEL, PC_PENALTY};
    double side = pc_random_uniform(&random, 4, 10);
    pc_crowd_def def = treated(treatment[round % 3], round % 2 == 0 && round % 3 == 1);
    def.social.strength = round % 4 == 0 ? 2000 : 0;
    def.inset = round % 5 == 0 ? 0 : 0.1;
    pc_crowd *crowd = create_crowd(def);
    int door;
    if (random_room(crowd, &random, side, &door)) {
      int people = add_people(crowd, &random, (int)(side * side), side, door);
      for (int step = 0; step < 500 && people > 0 && pc_crowd_inside(crowd) > 0; step++) {
        ok(crowd, pc_crowd_step(crowd, 0.01));
        for (int i = 0; i < people; i++) {
          const pc_person *person = &crowd->person[i];
          if (!person->present)
            continue;
          point to = {crowd->place[i][0], crowd->place[i][1]};
          if (pc_layout_bars(&crowd->floors.at[0].plan, crowd->before[i], to))
            fail_msg("round %d step %d: person %d walks from (%g, %g) to (%g, %g)", round, step, i,
                     crowd->before[i][0], crowd->before[i][1], to[0], to[1]);
          steps++;
        }
      }
    }
    pc_crowd_destroy(crowd);
  }
  printf("%ld steps of people\n", steps);
}

// People thrown through a wall or into an obstacle are reported.
static void test_lost(void **state)
{
  pc_crowd *crowd = create_crowd(treated(PC_VELOCITY_LEVEL, false));
  int door = add_room(crowd, 6, 1);
  point box[] = {{2, 2}, {4, 2}, {4, 4}, {2, 4}};
  ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_OBSTACLE, 4, POINTS(box)));
  ok(crowd, pc_crowd_finish(crowd));
  for (int i = 0; i < 3; i++) {
    pc_person_def person = pc_person_def_default();
    person.goal = door;
    person.position[0] = 1, person.position[1] = 1 + i;
    assert_int_equal(pc_crowd_add_person(crowd, &person), i);
  }
  ok(crowd, pc_crowd_step(crowd, 0.01));
  assert_int_equal(pc_crowd_lost(crowd), 0);
  const double thrown[2][2] = {{-1, 3}, {3, 3}};
  for (int i = 0; i < 2; i++) {
    pc_body body = pc_crowd_body(crowd, i);
    pc_body_state at;
    pc_body_get(crowd->world, body, &at);
    memcpy(at.position, thrown[i], sizeof thrown[i]);
    assert_int_equal(pc_world_change(crowd->world, 1, &body, &at), PC_OK);
  }
  ok(crowd, pc_crowd_step(crowd, 0.01));
  assert_int_equal(pc_crowd_lost(crowd), 2);
  pc_crowd_destroy(crowd);
}

static void test_bad_buildings(void **state)
{
  pc_person_def person = pc_person_def_default();
  person.position[0] = person.position[1] = 1;
  // A gap in the wall.
  pc_crowd *crowd = create_crowd(treated(PC_VELOCITY_LEVEL, false));
  point open[] = {{5, 3}, {5, 5}, {0, 5}, {0, 0}, {2, 0}}, rest[] = {{3, 0}, {5, 0}, {5, 2}};
  ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_LINE, 5, (const double(*)[2])open));
  ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_LINE, 3, (const double(*)[2])rest));
  pc_exit_def exit = {.line = {{5, 2}, {5, 3}}};
  person.goal = pc_crowd_add_exit(crowd, &exit);
  ok(crowd, pc_crowd_finish(crowd));
  assert_int_equal(pc_crowd_add_person(crowd, &person), PC_OPEN_WALLS);
  assert_says(pc_crowd_error(crowd), "not closed: one can walk out at about (2.50, 0.00)");
  pc_crowd_destroy(crowd);

  // An exit in a wall.
  crowd = create_crowd(treated(PC_VELOCITY_LEVEL, false));
  add_room(crowd, 5, 1);
  point box[] = {{1, 1}, {2, 1}, {2, 2}, {1, 2}};
  ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_OBSTACLE, 4, (const double(*)[2])box));
  exit = (pc_exit_def){.line = {{1.5, 0.5}, {1.5, 1.5}}};
  assert_int_equal(pc_crowd_add_exit(crowd, &exit), 1);
  assert_int_equal(pc_crowd_finish(crowd), PC_ERROR_ARGUMENT);
  assert_says(pc_crowd_error(crowd),
              "goal 1: the exit from (1.5, 0.5) to (1.5, 1.5) on floor 0 crosses a wall");
  pc_crowd_destroy(crowd);

  // People in obstacles, in walls, on each other, and where no way leads out.
  crowd = create_crowd(treated(PC_VELOCITY_LEVEL, false));
  person.goal = add_room(crowd, 8, 1);
  point cell[] = {{4, 4}, {6, 4}, {6, 6}, {4, 6}, {4, 4}};
  ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_OBSTACLE, 4, (const double(*)[2])box));
  ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_LINE, 5, (const double(*)[2])cell));
  assert_int_equal(pc_crowd_add_person(crowd, &person), -1);
  assert_says(pc_crowd_error(crowd), "finish the building before adding people");
  ok(crowd, pc_crowd_finish(crowd));
  person.position[0] = person.position[1] = 1.5;
  assert_int_equal(pc_crowd_add_person(crowd, &person), -1);
  assert_says(pc_crowd_error(crowd), "(1.5, 1.5) on floor 0 is in an obstacle");
  person.position[0] = 0.1, person.position[1] = 4;
  assert_int_equal(pc_crowd_add_person(crowd, &person), -1);
  assert_says(pc_crowd_error(crowd), "at (0.1, 4) on floor 0 a wall is only 0.1 m away");
  person.position[0] = person.position[1] = 5;
  assert_int_equal(pc_crowd_add_person(crowd, &person), PC_NO_WAY);
  assert_says(pc_crowd_error(crowd), "there is no way from (5, 5) on floor 0 to goal 0");
  person.position[0] = 3, person.position[1] = 3;
  assert_int_equal(pc_crowd_add_person(crowd, &person), 0);
  person.position[0] = 3.2;
  assert_int_equal(pc_crowd_add_person(crowd, &person), -1);
  assert_says(pc_crowd_error(crowd), "at (3.2, 3) on floor 0 stands person 0");
  person.floor = 3;
  assert_int_equal(pc_crowd_add_person(crowd, &person), -1);
  assert_says(pc_crowd_error(crowd), "unknown floor 3");
  assert_int_equal(pc_crowd_add_floor(crowd), -1);
  assert_says(pc_crowd_error(crowd), "finished");
  pc_crowd_destroy(crowd);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_empties),       cmocka_unit_test(test_alone),
      cmocka_unit_test(test_leaving),       cmocka_unit_test(test_push),
      cmocka_unit_test(test_walls_hold),    cmocka_unit_test(test_lost),
      cmocka_unit_test(test_bad_buildings),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
