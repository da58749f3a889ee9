// Crowds in buildings where more happens: stairs, people who come in, doors and plans.
#include "crowd_support.h"

static pc_crowd *create(pc_treatment treatment, bool first_order)
{
  pc_crowd_def def = treated(treatment, first_order);
  if (treatment == PC_POSITION_LEVEL) {
    def.tolerance = 1e-10;
    def.max_iterations = 100000;
  }
  return create_crowd(def);
}

static void step(pc_crowd *crowd, double h)
{
  ok(crowd, pc_crowd_step(crowd, h));
  const pc_step_info *info = pc_world_info(pc_crowd_world(crowd));
  assert_true(info->closed);
  assert_true(info->drift < 1e-12);
}

// A corridor 10 m long and 2 m wide along x that is open at its right end.
static void add_corridor(pc_crowd *crowd, int floor)
{
  point wall[] = {{10, 2}, {0, 2}, {0, 0}, {10, 0}};
  ok(crowd, pc_crowd_add_wall(crowd, floor, PC_WALL_LINE, 4, POINTS(wall)));
}

// How the walls of a house are given: with gaps for stairs and exits, or closed, as lines or as the
// edge of the walkable area.
typedef enum given_walls { GAPS, LINES, OUTLINES } given_walls;

// Two corridors on two floors. The upper one ends in stairs to the lower one, which they meet in
// the side: there one comes out in the direction of y at x from 1 to 3, and the exit is at the end.
static int add_house(pc_crowd *crowd, given_walls walls, double length, bool both_ways)
{
  point lower[] = {{10, 2}, {0, 2}, {0, 0}, {1, 0}}, rest[] = {{3, 0}, {10, 0}};
  point ring[] = {{0, 0}, {10, 0}, {10, 2}, {0, 2}, {0, 0}};
  assert_int_equal(pc_crowd_add_floor(crowd), 1);
  for (int i = 0; i < 2 && walls != GAPS; i++)
    ok(crowd, walls == LINES ? pc_crowd_add_wall(crowd, i, PC_WALL_LINE, 5, POINTS(ring))
                             : pc_crowd_add_wall(crowd, i, PC_WALL_OUTLINE, 4, POINTS(ring)));
  if (walls == GAPS) {
    add_corridor(crowd, 0);
    ok(crowd, pc_crowd_add_wall(crowd, 1, PC_WALL_LINE, 4, POINTS(lower)));
    ok(crowd, pc_crowd_add_wall(crowd, 1, PC_WALL_LINE, 2, POINTS(rest)));
  }
  pc_exit_def exit = {.floor = 1, .line = {{10, 0}, {10, 2}}};
  int door = pc_crowd_add_exit(crowd, &exit);
  pc_stairs_def stairs = {.floor = {0, 1},
                          .line = {{{10, 2}, {10, 0}}, {{1, 0}, {3, 0}}},
                          .length = length,
                          .speed = 0.7,
                          .both_ways = both_ways};
  assert_int_equal(pc_crowd_add_stairs(crowd, &stairs), length > 0 ? 2 : 0);
  return door;
}

// One person without inertia: the way by hand, floor by floor.
static void test_stairs_alone(void **state)
{
  for (int round = 0; round < 6; round++) {
    double length = round % 2 == 0 ? 0 : 6, h = 1e-3;
    pc_crowd *crowd = create(PC_POSITION_LEVEL, true);
    int door = add_house(crowd, (given_walls)(round / 2), length, false);
    ok(crowd, pc_crowd_finish(crowd));
    pc_person_def person = pc_person_def_default();
    person.goal = door;
    person.position[0] = 2, person.position[1] = 1;
    assert_int_equal(pc_crowd_add_person(crowd, &person), 0);
    while (pc_crowd_inside(crowd) > 0 && pc_world_time(pc_crowd_world(crowd)) < 40)
      step(crowd, h);
    // Not a straight way on the lower floor: from (x, 0) at the line with x from 1 to 3 to (10, y).
    // Routes keep 0.25 m off the ends of lines, and the shortest is from (2.75, 0), so that the
    // upper way is to (10, 0.25). The slow strip counts with its own speed.
    double speed = person.speed;
    double up = hypot(8, 0.75), down = hypot(7.25, 0.25);
    double expected = up / speed + length / 0.7 + down / speed;
    pc_person_state s = person_of(crowd, 0);
    assert_int_equal(s.exit, door);
    assert_int_equal(s.floor, 1);
    if (!(s.exit_time > expected - 0.02 && s.exit_time < expected + 0.25))
      fail_msg("length %g: %g s, by hand %g", length, s.exit_time, expected);
    pc_crowd_destroy(crowd);
  }
}

// The largest overlap of two people who are there, and whether all are in the building.
static double look_at_people(const pc_crowd *crowd)
{
  double deepest = 0;
  for (int i = 0; i < pc_crowd_people(crowd); i++) {
    pc_person_state a = person_of(crowd, i);
    if (!a.present)
      continue;
    const pc_layout *plan = &crowd->floors.at[a.floor].plan;
    assert_true(a.position[0] > plan->low[0] && a.position[0] < plan->high[0] &&
                a.position[1] > plan->low[1] && a.position[1] < plan->high[1]);
    for (int j = 0; j < i; j++) {
      pc_person_state b = person_of(crowd, j);
      if (b.present && b.floor == a.floor)
        deepest =
            fmax(deepest, a.radius + b.radius -
                              hypot(a.position[0] - b.position[0], a.position[1] - b.position[1]));
    }
  }
  return deepest;
}

// A full corridor over stairs: nobody is lost, nobody in another.
static void test_stairs_crowd(void **state)
{
  static const pc_treatment treatment[] = {PC_VELOCITY_LEVEL, PC_POSITION_LEVEL};
  static const given_walls given[] = {GAPS, GAPS, GAPS, GAPS, LINES, OUTLINES};
  for (int round = 0; round < 6; round++) {
    pc_crowd *crowd = create(treatment[round % 2], false);
    bool flight = round / 2 == 1;
    int door = add_house(crowd, given[round], flight ? 3 : 0, !flight);
    ok(crowd, pc_crowd_finish(crowd));
    pc_random random = test_random("stairs");
    int people = 0;
    for (int tries = 0; tries < 4000 && people < 40; tries++) {
      pc_person_def person = pc_person_def_default();
      person.goal = door;
      person.radius = pc_random_uniform(&random, 0.2, 0.25);
      person.speed = pc_random_uniform(&random, 1.2, 2);
      person.floor = pc_random_below(&random, 2);
      person.position[0] = pc_random_uniform(&random, 0, 10);
      person.position[1] = pc_random_uniform(&random, 0, 2);
      people += pc_crowd_add_person(crowd, &person) >= 0;
    }
    assert_int_equal(people, 40);
    double deepest = 0;
    int gone = 0;
    for (int k = 0; k < 12000 && pc_crowd_inside(crowd) > 0; k++) {
      step(crowd, 0.01);
      if (k % 5 == 0)
        deepest = fmax(deepest, look_at_people(crowd));
    }
    for (int i = 0; i < people; i++)
      gone += person_of(crowd, i).exit == door;
    assert_int_equal(gone, people);
    // A percussion acts in the middle of the step: half a step's way at velocity level.
    double most = round % 2 == 0 ? 0.5 * 0.01 * 4 + 0.02 : 1e-6;
    if (!(deepest < most))
      fail_msg("round %d: people are %g m in each other", round, deepest);
    pc_crowd_destroy(crowd);
  }
}

// Up and down: somebody of either floor to an area of the other, over the same stairs.
static void test_stairs_both_ways(void **state)
{
  pc_crowd *crowd = create(PC_VELOCITY_LEVEL, false);
  add_house(crowd, GAPS, 4, true);
  point up[] = {{0, 0}, {1, 0}, {1, 2}, {0, 2}}, down[] = {{8, 0}, {9, 0}, {9, 2}, {8, 2}};
  int goal[] = {pc_crowd_add_area(crowd, 1, 4, POINTS(down)),
                pc_crowd_add_area(crowd, 0, 4, POINTS(up))};
  ok(crowd, pc_crowd_finish(crowd));
  for (int i = 0; i < 2; i++) {
    pc_person_def person = pc_person_def_default();
    person.floor = i;
    person.goal = goal[i];
    person.response = 30 * i; // one after the other
    person.position[0] = 5, person.position[1] = 1;
    assert_int_equal(pc_crowd_add_person(crowd, &person), i);
  }
  // At 1 m/s: the stairs count 1.34 / 0.7 times. The shortest way takes them 0.25 m from their end,
  // and straight along the lower corridor.
  double from[] = {5, 1}, by_hand = hypot(5, 0.75) + 4 * 1.34 / 0.7 + 5.25;
  by_hand += 2 * 0.2; // each line counts that
  double time = pc_crowd_route(crowd, goal[0], 0, from);
  if (!(time > by_hand - 0.01 && time < 1.02 * by_hand))
    fail_msg("the way takes %g, by hand about %g", time, by_hand);
  for (int k = 0; k < 7000; k++)
    step(crowd, 0.01);
  for (int i = 0; i < 2; i++) {
    pc_person_state s = person_of(crowd, i);
    assert_int_equal(s.floor, 1 - i);
    assert_true(pc_is_inside(4, i == 0 ? POINTS(down) : POINTS(up), s.position));
  }
  pc_crowd_destroy(crowd);
}

// Stairs, sources and doors with one thread and with two: the same bytes. So many people that two
// threads share them; one in STRIDE comes in. And what is saved of sources goes on as it would
// have.
static void test_threads(void **state)
{
  enum { PEOPLE = 640, STRIDE = 16 };
  point end[2][PEOPLE];
  for (int threads = 1; threads <= 2; threads++) {
    pc_crowd_def def = pc_crowd_def_default();
    def.threads = threads;
    pc_crowd *crowd = pc_crowd_create(&def);
    assert_int_equal(pc_crowd_add_floor(crowd), 0);
    int door = add_house(crowd, GAPS, 2, true);
    point area[] = {{0, 0}, {4, 0}, {4, 2}, {0, 2}}, leaf[] = {{6, 0}, {6, 2}};
    pc_source_def source = {.count = 4, .points = POINTS(area), .rate = 5};
    assert_int_equal(pc_crowd_add_source(crowd, &source), 0);
    pc_door_def gate = {.count = 2, .points = POINTS(leaf), .opens = 3, .closes = 5};
    assert_int_equal(pc_crowd_add_door(crowd, &gate), 0);
    ok(crowd, pc_crowd_finish(crowd));
    for (int i = 0; i < PEOPLE; i++) {
      pc_person_def person = pc_person_def_default();
      person.goal = door;
      person.source = 0;
      person.radius = 0.2 + 0.001 * (i / STRIDE);
      person.arrival = i % STRIDE == 0 ? 0 : INFINITY;
      assert_int_equal(pc_crowd_add_person(crowd, &person), i);
    }
    for (int s = 0; s < 1500; s++) {
      step(crowd, 0.01);
      if (s == 500) { // where nothing else has happened since, loading changes nothing
        char saved[256];
        assert_true(pc_events_save(crowd, NULL) <= sizeof saved);
        pc_events_save(crowd, saved);
        if (threads == 2) {
          pc_random_bits(&crowd->random);
          crowd->sources.at[0].last = crowd->waiting = 7;
          ok(crowd, pc_events_load(crowd, saved));
        }
      }
    }
    assert_int_equal(pc_crowd_waiting(crowd), PEOPLE - PEOPLE / STRIDE);
    for (int i = 0; i < PEOPLE; i++)
      memcpy(end[threads - 1][i], person_of(crowd, i).position, sizeof(point));
    pc_crowd_destroy(crowd);
  }
  assert_memory_equal(end[0], end[1], sizeof end[0]);
}

// Lines of stairs may differ by a few millimetres, either way: people who come along a wall go
// over, and nobody waits for room that the other line does not have.
static void lines_of_stairs_may_differ(void **state)
{
  for (int round = 0; round < 4; round++) {
    double more = round % 2 == 0 ? -0.0009 : 0.008, length = round / 2 == 0 ? 0 : 2;
    pc_crowd *crowd = create(PC_VELOCITY_LEVEL, false);
    point upper[] = {{10, 2}, {0, 2}, {0, 0}, {10, 0}};
    point lower[] = {{1, 0}, {1, 10}, {3 + more, 10}, {3 + more, 0}};
    assert_int_equal(pc_crowd_add_floor(crowd), 1);
    ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_LINE, 4, POINTS(upper)));
    ok(crowd, pc_crowd_add_wall(crowd, 1, PC_WALL_LINE, 2, POINTS(lower)));
    ok(crowd, pc_crowd_add_wall(crowd, 1, PC_WALL_LINE, 2, POINTS(lower + 2)));
    pc_exit_def exit = {.floor = 1, .line = {{1, 10}, {3 + more, 10}}};
    pc_stairs_def stairs = {.floor = {0, 1},
                            .line = {{{10, 2}, {10, 0}}, {{1, 0}, {3 + more, 0}}},
                            .length = length,
                            .speed = 0.7};
    int door = pc_crowd_add_exit(crowd, &exit);
    assert_true(pc_crowd_add_stairs(crowd, &stairs) >= 0);
    ok(crowd, pc_crowd_finish(crowd));
    enum { ROWS = 4, SIDES = 2 };
    for (int i = 0; i < ROWS * SIDES; i++) {
      pc_person_def person = pc_person_def_default();
      person.goal = door;
      person.position[0] = 9.2 - 0.6 * (i / SIDES);
      person.position[1] = i % SIDES == 0 ? person.radius : 2 - person.radius;
      person.velocity[0] = person.speed;
      person.relaxation = 20; // they keep to the wall
      assert_int_equal(pc_crowd_add_person(crowd, &person), i);
    }
    double first = INFINITY;
    for (int k = 0; k < 3000 && pc_crowd_inside(crowd) > 0; k++) {
      step(crowd, 0.01);
      for (int i = 0; i < SIDES; i++)
        if (person_of(crowd, i).floor != 0)
          first = fmin(first, pc_world_time(pc_crowd_world(crowd)));
    }
    assert_int_equal(pc_crowd_inside(crowd), 0);
    // At 1.34 m/s over the 0.8 m to the line; nobody waits.
    assert_true(first < 0.8 / 1.34 + 0.05);
    pc_crowd_destroy(crowd);
  }
}

static void test_bad_stairs(void **state)
{
  pc_crowd *crowd = create(PC_VELOCITY_LEVEL, false);
  add_corridor(crowd, 0);
  point wall[] = {{10.3, 0}, {10.3, 2}};
  ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_LINE, 2, POINTS(wall)));
  pc_stairs_def stairs = {.floor = {0, 0}, .line = {{{10, 2}, {10, 0}}, {{0, 5}, {3, 5}}}};
  assert_int_equal(pc_crowd_add_stairs(crowd, &stairs), -1);
  assert_says(pc_crowd_error(crowd), "the two lines of stairs must have the same width (got");
  stairs.line[1][1][0] = 2;
  assert_int_equal(pc_crowd_add_stairs(crowd, &stairs), 0);
  assert_int_equal(pc_crowd_finish(crowd), PC_ERROR_ARGUMENT);
  assert_says(pc_crowd_error(crowd), "less than 0.5 m behind it");
  pc_crowd_destroy(crowd);
}

// Stairs on the edge of the walkable area lead out of it: not into it, and not into an obstacle.
static void test_stairs_on_an_outline_lead_out_of_it(void **state)
{
  for (int round = 0; round < 4; round++) {
    pc_crowd *crowd = create(PC_VELOCITY_LEVEL, false);
    point ring[] = {{0, 0}, {10, 0}, {10, 2}, {0, 2}};
    bool solid = round / 2 == 1, inwards = round % 2 == 1;
    ok(crowd,
       pc_crowd_add_wall(crowd, 0, solid ? PC_WALL_OBSTACLE : PC_WALL_OUTLINE, 4, POINTS(ring)));
    assert_int_equal(pc_crowd_add_floor(crowd), 1);
    pc_stairs_def stairs = {.floor = {0, 1}, .line = {{{10, 2}, {10, 0}}, {{1, 0}, {3, 0}}}};
    if (inwards)
      stairs.line[0][0][1] = 0, stairs.line[0][1][1] = 2;
    assert_int_equal(pc_crowd_add_stairs(crowd, &stairs), 0);
    pc_status status = pc_crowd_finish(crowd);
    assert_int_equal(status, solid || inwards ? PC_ERROR_ARGUMENT : PC_OK);
    if (status != PC_OK)
      assert_says(pc_crowd_error(crowd), "is not walkable on both sides: it leads into an");
    pc_crowd_destroy(crowd);
  }
}

// People come in at a rate, and all at once as far as there is room.
static void test_sources(void **state)
{
  pc_crowd *crowd = create(PC_POSITION_LEVEL, false);
  add_corridor(crowd, 0);
  pc_exit_def exit = {.line = {{10, 0}, {10, 2}}};
  int door = pc_crowd_add_exit(crowd, &exit);
  point line[] = {{0.5, 0.3}, {0.5, 1.7}}, area[] = {{2, 0}, {4, 0}, {4, 2}, {2, 2}};
  pc_source_def slow = {.count = 2, .points = POINTS(line), .rate = 2};
  pc_source_def fast = {.count = 4, .points = POINTS(area)};
  assert_int_equal(pc_crowd_add_source(crowd, &slow), 0);
  assert_int_equal(pc_crowd_add_source(crowd, &fast), 1);
  ok(crowd, pc_crowd_finish(crowd));
  for (int i = 0; i < 60; i++) {
    pc_person_def person = pc_person_def_default();
    person.goal = door;
    person.source = i < 10 ? 0 : 1;
    person.arrival = i < 10 ? 1 : 0;
    person.velocity[0] = 1;
    assert_int_equal(pc_crowd_add_person(crowd, &person), i);
  }
  assert_int_equal(pc_crowd_waiting(crowd), 60);
  int before = 60, out = 0;
  bool been[60] = {false};
  double been_at[60];
  for (int k = 0; k < 4000 && pc_crowd_inside(crowd) > 0; k++) {
    step(crowd, 0.01);
    if (!(look_at_people(crowd) < 1e-6))
      fail_msg("step %d: people are %g m in each other", k, look_at_people(crowd));
    int in = 0, slowly = 0;
    out = 0;
    for (int i = 0; i < 60; i++) {
      pc_person_state s = person_of(crowd, i);
      in += s.present;
      out += s.exit >= 0;
      slowly += i < 10 && (s.present || s.exit >= 0);
      bool came = s.present || s.exit >= 0;
      if (!came)
        assert_true(isinf(s.entry_time));
      else if (!been[i]) // at the begin of this step
        assert_near(s.entry_time, pc_world_time(pc_crowd_world(crowd)) - 0.01, 1e-9);
      else
        assert_true(s.entry_time == been_at[i]);
      been[i] = came;
      been_at[i] = s.entry_time;
    }
    assert_int_equal(in + out + pc_crowd_waiting(crowd), 60);
    assert_true(pc_crowd_waiting(crowd) <= before);
    before = pc_crowd_waiting(crowd);
    double time = pc_world_time(pc_crowd_world(crowd)) - 0.01; // when they were let in
    assert_true(slowly <= (time < 1 - 1e-9 ? 0 : 1 + (int)((time - 1) * 2 + 1e-9)));
    if (k == 0)
      assert_true(in >= 4 && in <= 20); // 4 m^2 hold some of 50
  }
  assert_int_equal(out, 60);
  pc_crowd_destroy(crowd);
}

// Who leaves at the right end comes in at the left: nobody leaves, and laps are as many as speeds
// make.
static void test_reentry(void **state)
{
  double end[3] = {0};
  for (int round = 0; round < 3; round++) {
    pc_crowd_def def = pc_crowd_def_default();
    def.seed = round == 2;
    pc_crowd *crowd = pc_crowd_create(&def);
    assert_int_equal(pc_crowd_add_floor(crowd), 0);
    point wall[2][2] = {{{-1, 4}, {11, 4}}, {{-1, 0}, {11, 0}}};
    for (int k = 0; k < 2; k++)
      ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_LINE, 2, POINTS(wall[k])));
    point back[] = {{-1, 0}, {-1, 4}}, start[] = {{0, 0.3}, {0, 3.7}};
    ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_LINE, 2, POINTS(back)));
    pc_source_def source = {.count = 2, .points = POINTS(start)};
    assert_int_equal(pc_crowd_add_source(crowd, &source), 0);
    pc_exit_def exit = {.line = {{10, 0}, {10, 4}}, .reenters = true};
    int door = pc_crowd_add_exit(crowd, &exit);
    ok(crowd, pc_crowd_finish(crowd));
    for (int i = 0; i < 6; i++) {
      pc_person_def person = pc_person_def_default();
      person.goal = door;
      person.position[0] = 1 + i, person.position[1] = 2;
      person.speed = person.velocity[0] = 1;
      assert_int_equal(pc_crowd_add_person(crowd, &person), i);
    }
    for (int k = 0; k < 6000; k++)
      step(crowd, 0.01);
    assert_int_equal(pc_crowd_inside(crowd), 6);
    int laps = 0;
    for (int i = 0; i < 6; i++) {
      laps += person_of(crowd, i).laps;
      end[round] += person_of(crowd, i).position[1] * (i + 1);
    }
    // 60 s at 1 m/s, ways of 10 m and a little more where they slant.
    assert_true(laps >= 32 && laps <= 36);
    pc_crowd_destroy(crowd);
  }
  assert_true(end[0] == end[1]); // the same seed
  assert_true(end[0] != end[2]);
}

// A door in the middle of a corridor: people wait in an area, the door opens, they react and leave.
static void test_plan(void **state)
{
  pc_crowd *crowd = create(PC_VELOCITY_LEVEL, false);
  add_corridor(crowd, 0);
  pc_exit_def exit = {.line = {{10, 0}, {10, 2}}};
  int way_out = pc_crowd_add_exit(crowd, &exit);
  point area[] = {{2, 0}, {4, 0}, {4, 2}, {2, 2}}, leaf[] = {{6, 0}, {6, 2}};
  int hall = pc_crowd_add_area(crowd, 0, 4, POINTS(area));
  pc_door_def door = {.count = 2, .points = POINTS(leaf), .opens = 12, .closes = 20};
  assert_int_equal(pc_crowd_add_door(crowd, &door), 0);
  pc_stage stages[] = {{.goal = -1, .until = 1},
                       {.goal = hall, .arrived = true, .until = 5, .pause = 2},
                       {.goal = way_out}};
  int plan = pc_crowd_add_plan(crowd, 3, stages);
  assert_int_equal(plan, 0);
  ok(crowd, pc_crowd_finish(crowd));
  pc_person_def person = pc_person_def_default();
  person.plan = plan;
  person.position[0] = 1, person.position[1] = 1;
  assert_int_equal(pc_crowd_add_person(crowd, &person), 0);
  person.position[0] = 6.1;
  assert_int_equal(pc_crowd_add_person(crowd, &person), -1);
  assert_says(pc_crowd_error(crowd), "is a closed door");
  double moved = -1, left = -1;
  for (int k = 0; k < 2500; k++) {
    step(crowd, 0.01);
    double time = pc_world_time(pc_crowd_world(crowd));
    pc_person_state s = person_of(crowd, 0);
    if (moved < 0 && s.position[0] > 1)
      moved = time;
    if (left < 0 && s.stage == 2 && s.wish[0] > 0)
      left = time;
    assert_int_equal(s.stage, time < 1.005 ? 0 : time < 5.005 ? 1 : 2);
    if (time < 12 && s.present)
      assert_true(s.position[0] < 6 - s.radius + 1e-3);
    if (time > 4 && time < 5)
      assert_true(pc_is_inside(4, POINTS(area), s.position));
  }
  assert_near(moved, 1.02, 0.011);
  assert_near(left, 7.01, 0.011);
  pc_person_state s = person_of(crowd, 0);
  assert_int_equal(s.exit, way_out);
  // From rest before the door: 4 m at 1.34 m/s with 0.5 s to get going.
  assert_near(s.exit_time, 12 + (4 + 0.225) / 1.34 + 0.5, 0.05);
  assert_false(crowd->doors.at[0].is_open);
  pc_crowd_destroy(crowd);
}

// Once three people are in a zone before one exit, those elsewhere go to the other: for good, or
// until the zone is empty, unless they have left the place where one chooses by then.
static void test_detour(void **state)
{
  enum { HOLDS, LOOKS_AGAIN, HAS_LEFT, WAYS };
  for (int way = 0; way < WAYS; way++) {
    pc_crowd *crowd = create(PC_VELOCITY_LEVEL, false);
    point wall[2][2] = {{{0, 4}, {10, 4}}, {{0, 0}, {10, 0}}};
    for (int k = 0; k < 2; k++)
      ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_LINE, 2, POINTS(wall[k])));
    int door[2];
    for (int k = 0; k < 2; k++) {
      pc_exit_def exit = {.line = {{10 * k, 0}, {10 * k, 4}}};
      door[k] = pc_crowd_add_exit(crowd, &exit);
    }
    point zone[] = {{7, 0}, {10, 0}, {10, 4}, {7, 4}}, where[] = {{4, 0}, {7, 0}, {7, 4}, {4, 4}};
    pc_detour_def detour = {.count = 4,
                            .points = POINTS(zone),
                            .least = 3,
                            .from = door[1],
                            .to = door[0],
                            .holds = way == HOLDS,
                            .where_count = way == HAS_LEFT ? 4 : 0,
                            .where = POINTS(where)};
    pc_detour_def wrong = detour;
    wrong.where_count = -5;
    assert_int_equal(pc_crowd_add_detour(crowd, &wrong), -1);
    assert_int_equal(pc_crowd_add_detour(crowd, &detour), 0);
    ok(crowd, pc_crowd_finish(crowd));
    for (int i = 0; i < 6; i++) {
      pc_person_def person = pc_person_def_default();
      person.goal = door[1];
      person.position[0] = i < 3 ? 6.5 : 4.5, person.position[1] = 1 + i % 3;
      assert_int_equal(pc_crowd_add_person(crowd, &person), i);
    }
    int turned = 0;
    while (pc_crowd_inside(crowd) > 0 && pc_world_time(pc_crowd_world(crowd)) < 30) {
      step(crowd, 0.01);
      for (int i = 3; i < 6; i++)
        turned |= (person_of(crowd, i).goal == door[0]) << i;
    }
    assert_int_equal(turned, 7 << 3);
    for (int i = 0; i < 6; i++)
      assert_int_equal(person_of(crowd, i).exit, door[i < 3 || way == LOOKS_AGAIN]);
    pc_crowd_destroy(crowd);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_stairs_alone),
      cmocka_unit_test(test_stairs_crowd),
      cmocka_unit_test(test_stairs_both_ways),
      cmocka_unit_test(lines_of_stairs_may_differ),
      cmocka_unit_test(test_bad_stairs),
      cmocka_unit_test(test_threads),
      cmocka_unit_test(test_sources),
      cmocka_unit_test(test_reentry),
      cmocka_unit_test(test_plan),
      cmocka_unit_test(test_detour),
      cmocka_unit_test(test_stairs_on_an_outline_lead_out_of_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
