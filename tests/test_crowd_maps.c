// What is measured of crowds: densities of people who stand, free areas of squares, the pressure of
// a known force, levels of service, lanes, and flows with stragglers.
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "crowd/crowd.h"
#include "crowd/maps.h"
#include "folder.h"
#include "percuss/crowd_measures.h"
#include "percuss/run.h"
#include "record/record.h"
#include "rigid/world.h"

#include "crowd_support.h"

#define H 0.01

// A floor within a rectangle, with an area to go to in a corner.
static pc_crowd *create(double width, double height, pc_normal_kind kind)
{
  pc_crowd_def def = pc_crowd_def_default();
  if (kind == PC_NORMAL_INELASTIC)
    def.law.normal = def.wall_law.normal = (pc_normal_law){.kind = kind};
  pc_crowd *crowd = create_crowd(def);
  point outline[] = {{0, 0}, {width, 0}, {width, height}, {0, height}};
  point area[] = {{width - 0.8, 0.2}, {width - 0.2, 0.2}, {width - 0.2, 0.8}, {width - 0.8, 0.8}};
  ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_OUTLINE, 4, (const double(*)[2])outline));
  assert_int_equal(pc_crowd_add_area(crowd, 0, 4, (const double(*)[2])area), 0);
  return crowd;
}

// Somebody who stands, unless they are told to walk.
static int add_person(pc_crowd *crowd, double x, double y, double speed)
{
  pc_person_def person = pc_person_def_default();
  person.position[0] = x;
  person.position[1] = y;
  person.speed = speed;
  int added = pc_crowd_add_person(crowd, &person);
  if (added < 0)
    fail_msg("%s", pc_crowd_error(crowd));
  return added;
}

static pc_maps make(const pc_crowd *crowd, double spacing)
{
  pc_maps maps;
  pc_error error = {.text = ""};
  assert_ok(pc_maps_make(&maps, crowd, spacing, &error), &error);
  return maps;
}

static void walk(pc_crowd *crowd, pc_maps *maps, int steps)
{
  for (int i = 0; i < steps; i++) {
    ok(crowd, pc_crowd_step(crowd, H));
    pc_maps_step(maps, crowd, H);
  }
}

static int cell_at(const pc_maps *maps, double x, double y)
{
  return pc_maps_find(maps, 0, (point){x, y});
}

static double total_area(const pc_maps *maps)
{
  double sum = 0;
  for (int c = 0; c < maps->cells; c++)
    sum += maps->area[c];
  return sum;
}

static void people_who_stand_have_their_density(void **state)
{
  pc_crowd *crowd = create(6, 4, PC_NORMAL_QUADRATIC);
  ok(crowd, pc_crowd_finish(crowd));
  // 0.5 m apart: nine in the square from (1, 1) to (2.5, 2.5), one alone far away.
  for (int i = 0; i < 9; i++)
    add_person(crowd, 1.25 + 0.5 * (i % 3), 1.25 + 0.5 * (i / 3), 0);
  add_person(crowd, 5.25, 3.25, 0);
  pc_maps maps = make(crowd, 0.5), coarse = make(crowd, 1.5);
  assert_int_equal(maps.cells, 12 * 8);
  double density[96], speed[96], pressure[96], inside = 0;
  for (int i = 0; i < 20; i++) {
    ok(crowd, pc_crowd_step(crowd, H));
    pc_maps_step(&maps, crowd, H);
    pc_maps_step(&coarse, crowd, H);
  }
  pc_maps_end(&maps, 0.2, 0.2, density, speed, pressure);
  for (int c = 0; c < maps.cells; c++) {
    const double *p = maps.centre[c];
    bool taken =
        (p[0] > 1 && p[0] < 2.5 && p[1] > 1 && p[1] < 2.5) || (p[0] == 5.25 && p[1] == 3.25);
    assert_near(maps.area[c], 0.25, 0);
    assert_near(density[c], taken ? 4 : 0, 1e-12);
    assert_near(speed[c], taken ? 0 : -1, 0);
    assert_near(pressure[c], 0, 0);
    inside += density[c] * maps.area[c];
  }
  assert_near(inside, 10, 1e-11);
  // Around the middle of the nine, and around the lone one at the edge, in 2.5 m x 2.5 m less what
  // is beyond the walls.
  pc_map_cell cell;
  pc_maps_cell(&maps, cell_at(&maps, 1.75, 1.75), &cell);
  assert_near(cell.around, 9 / 6.25, 1e-12);
  assert_near(cell.around_largest, 9 / 6.25, 1e-12);
  assert_near(cell.density, 4, 1e-12);
  assert_near(cell.density_largest, 4, 1e-12);
  pc_maps_cell(&maps, cell_at(&maps, 5.25, 3.25), &cell);
  assert_near(cell.around, 1 / (2.0 * 2.0), 1e-12);
  // In the densest place nine are around; all see E but the lone one, who has A.
  pc_map_peak densest = pc_maps_densest(&maps);
  assert_near(densest.value, 9 / 6.25, 1e-12);
  assert_near(densest.time, 0.2, 0);
  assert_int_equal(pc_maps_most_pressed(&maps).cell, -1);
  assert_near(maps.level[0], 0.2, 1e-12);
  assert_near(maps.level[4], 9 * 0.2, 1e-12);
  double density_of_four[12];
  pc_maps_end(&coarse, 0.2, 0.2, density_of_four, NULL, NULL);
  // Squares of 1.5 m have their sides at 1.5 m: one, two, two and four of the nine.
  assert_near(density_of_four[pc_maps_find(&coarse, 0, (point){0.7, 0.7})], 1 / 2.25, 1e-12);
  assert_near(density_of_four[pc_maps_find(&coarse, 0, (point){2, 2})], 4 / 2.25, 1e-12);
  pc_maps_free(&maps);
  pc_maps_free(&coarse);
  pc_crowd_destroy(crowd);
}

// A person who walks steadily has that speed, and each square gets the time it takes to cross it.
static void who_walks_has_a_speed(void **state)
{
  pc_crowd_def def = pc_crowd_def_default();
  def.treatment = PC_POSITION_LEVEL;
  def.first_order = true;
  def.inset = 0;
  def.law.normal = def.wall_law.normal = (pc_normal_law){.kind = PC_NORMAL_INELASTIC};
  pc_crowd *crowd = pc_crowd_create(&def);
  assert_int_equal(pc_crowd_add_floor(crowd), 0);
  point outline[] = {{0, 0}, {8, 0}, {8, 1}, {0, 1}};
  ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_OUTLINE, 4, (const double(*)[2])outline));
  int exit = pc_crowd_add_exit(crowd, &(pc_exit_def){.line = {{7, 0}, {7, 1}}});
  ok(crowd, pc_crowd_finish(crowd));
  pc_person_def person = pc_person_def_default();
  person.goal = exit;
  person.position[0] = person.position[1] = 0.5;
  person.velocity[0] = person.speed = 1.25;
  person.straight = true;
  assert_int_equal(pc_crowd_add_person(crowd, &person), 0);
  pc_maps maps = make(crowd, 0.5);
  walk(crowd, &maps, 400);
  double density[32], speed[32];
  assert_true(maps.cells <= 32);
  pc_maps_end(&maps, 4, 4, density, speed, NULL);
  for (double x = 1.25; x < 5; x += 0.5) {
    int c = cell_at(&maps, x, 0.75);
    assert_near(speed[c], 1.25, 1e-6);
    assert_near(density[c] * 0.25 * 4, 0.5 / 1.25, 1.01 * H);
    assert_near(speed[cell_at(&maps, x, 0.25)], -1, 0);
  }
  pc_maps_free(&maps);
  pc_crowd_destroy(crowd);
}

// Beyond an exit, and in a room that is shut, nobody can be: they are no part of the area, and the
// density just before the exit is that of its own half of a square.
static void what_is_beyond_exits_is_not_free(void **state)
{
  pc_crowd *crowd = create(8, 4, PC_NORMAL_QUADRATIC);
  point shut[] = {{0, 2}, {2, 2}, {2, 4}};
  pc_exit_def exit = {.line = {{5.25, 0}, {5.25, 4}}};
  ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_LINE, 3, (const double(*)[2])shut));
  int door = pc_crowd_add_exit(crowd, &exit);
  ok(crowd, pc_crowd_finish(crowd));
  pc_person_def person = pc_person_def_default();
  person.goal = door;
  person.speed = 0;
  person.position[0] = 5.1, person.position[1] = 1.25;
  assert_int_equal(pc_crowd_add_person(crowd, &person), 0);
  pc_maps maps = make(crowd, 0.5);
  assert_near(total_area(&maps), 5.25 * 4 - 2 * 2, 1e-9);
  assert_int_equal(cell_at(&maps, 6, 1), -1);
  assert_int_equal(cell_at(&maps, 1, 3), -1);
  walk(crowd, &maps, 10);
  double *density = calloc((size_t)maps.cells, sizeof *density);
  pc_maps_end(&maps, 10 * H, 10 * H, density, NULL, NULL);
  assert_near(density[cell_at(&maps, 5.1, 1.25)], 1 / (0.25 * 0.5), 1e-9);
  free(density);
  pc_maps_free(&maps);
  pc_crowd_destroy(crowd);
}

// A room of lines with a door: what is beyond walls and exit is no cell.
static void what_is_outside_is_no_cell(void **state)
{
  pc_crowd_def def = pc_crowd_def_default();
  pc_crowd *crowd = pc_crowd_create(&def);
  assert_int_equal(pc_crowd_add_floor(crowd), 0);
  point wall[] = {{5.25, 3}, {5.25, 4}, {0.125, 4}, {0.125, 0}, {5.25, 0}, {5.25, 2}};
  point stand[] = {{-2, -2}, {-1, -2}, {-1, -1}, {-2, -1}}; // somewhere outside
  ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_LINE, 6, (const double(*)[2])wall));
  ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_OBSTACLE, 4, (const double(*)[2])stand));
  assert_int_equal(pc_crowd_add_exit(crowd, &(pc_exit_def){.line = {{5.25, 2}, {5.25, 3}}}), 0);
  ok(crowd, pc_crowd_finish(crowd));
  pc_maps maps = make(crowd, 0.5);
  assert_int_equal(maps.cells, 11 * 8);
  assert_near(total_area(&maps), 5.125 * 4, 1e-12);
  for (int c = 0; c < maps.cells; c++) {
    double x = maps.centre[c][0];
    assert_near(maps.area[c], x < 0.5 ? 0.1875 : x > 5 ? 0.125 : 0.25, 1e-12);
  }
  assert_int_equal(cell_at(&maps, 6, 2.5), -1);
  assert_int_equal(cell_at(&maps, -0.25, 2.5), -1);
  assert_int_equal(pc_maps_find(&maps, 0, (point){1e300, -1e300}), -1);
  pc_maps_free(&maps);
  pc_crowd_destroy(crowd);
}

// The area of a polygon within a square, and the length of its outline there, by cutting.
static double cut_area(int count, const point *polygon, const double low[2], double side,
                       double *length)
{
  point a[32], b[32];
  memcpy(a, polygon, (size_t)count * sizeof *polygon);
  for (int edge = 0; edge < 4; edge++) {
    int k = edge % 2, n = 0;
    double sign = edge < 2 ? 1 : -1, limit = low[k] + (edge < 2 ? 0 : side);
    for (int i = 0; i < count; i++) {
      const double *p = a[i], *q = a[(i + 1) % count];
      double d = sign * (p[k] - limit), e = sign * (q[k] - limit);
      if (d >= 0)
        memcpy(b[n++], p, sizeof(point));
      if ((d >= 0) != (e >= 0)) {
        b[n][k] = limit;
        b[n][1 - k] = p[1 - k] + d / (d - e) * (q[1 - k] - p[1 - k]);
        n++;
      }
    }
    memcpy(a, b, sizeof a);
    count = n;
  }
  double area = 0;
  *length = 0;
  for (int i = 0; i < count; i++) {
    const double *p = a[i], *q = a[(i + 1) % count];
    area += 0.5 * (p[0] * q[1] - p[1] * q[0]);
    *length += hypot(p[0] - q[0], p[1] - q[1]);
  }
  return fabs(area);
}

static void obstacles_take_their_area(void **state)
{
  pc_random random = test_random("areas");
  for (int round = 0; round < test_count(10); round++) {
    // Triangles, far enough apart; one on a line of points, which is exact.
    double side = pc_random_uniform(&random, 0.3, 0.8), step = side / 16;
    pc_crowd *crowd = create(9, 6, PC_NORMAL_QUADRATIC);
    point shape[4][3], square[] = {{1, 4}, {1.5, 4}, {1.5, 4.5}, {1, 4.5}};
    for (int i = 0; i < 4; i++) {
      double turn = pc_random_uniform(&random, 0, 6);
      for (int k = 0; k < 3; k++) {
        shape[i][k][0] = 1.5 + 2 * i + 0.8 * cos(turn + 2.1 * k);
        shape[i][k][1] = 2 + 0.8 * sin(turn + 2.1 * k);
      }
      ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_OBSTACLE, 3, (const double(*)[2])shape[i]));
    }
    ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_OBSTACLE, 4, (const double(*)[2])square));
    double centre[2] = {5, 4.5}, radius = 0.7, pillar = 0, doubt = 0;
    ok(crowd, pc_crowd_add_pillar(crowd, 0, centre, radius));
    ok(crowd, pc_crowd_finish(crowd));
    pc_maps maps = make(crowd, side);
    point room[] = {{0, 0}, {9, 0}, {9, 6}, {0, 6}};
    for (double x = 0.5 * side; x < 9; x += side)
      for (double y = 0.5 * side; y < 6; y += side) {
        double low[2] = {x - 0.5 * side, y - 0.5 * side}, length, cuts = 0;
        double free = cut_area(4, room, low, side, &length);
        cuts += length > 0 && free < side * side * (1 - 1e-9) ? 2 * side : 0;
        bool touches_pillar = hypot(x - centre[0], y - centre[1]) < radius + side;
        for (int i = 0; i < 4; i++) {
          free -= cut_area(3, shape[i], low, side, &length);
          cuts += length;
        }
        free -= cut_area(4, square, low, side, &length);
        cuts += length;
        int c = cell_at(&maps, x, y);
        double found = c >= 0 ? maps.area[c] : 0;
        if (touches_pillar) {
          pillar += free - found;
          doubt += 0.5 * step * cuts;
        } else
          assert_near(found, free, 0.5 * step * cuts + 4 * step * step);
      }
    double circle = 2 * acos(-1) * radius;
    assert_near(pillar, 0.5 * radius * circle, doubt + 0.5 * step * circle);
    pc_maps_free(&maps);
    pc_crowd_destroy(crowd);
  }
}

// A wall hides the people behind it.
static void walls_part_what_is_around(void **state)
{
  pc_crowd *crowd = create(6, 4, PC_NORMAL_QUADRATIC);
  point wall[] = {{3, 0.5}, {3, 4}};
  ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_LINE, 2, (const double(*)[2])wall));
  ok(crowd, pc_crowd_finish(crowd));
  for (int i = 0; i < 4; i++)
    add_person(crowd, 2.75, 2.25 + 0.5 * (i % 2) + (i > 1), 0);
  pc_maps maps = make(crowd, 0.5);
  walk(crowd, &maps, 10);
  pc_maps_end(&maps, 0.1, 0.1, NULL, NULL, NULL);
  pc_map_cell here, there;
  pc_maps_cell(&maps, cell_at(&maps, 2.75, 2.75), &here);
  pc_maps_cell(&maps, cell_at(&maps, 3.25, 2.75), &there);
  assert_near(here.around, 4 / (1.5 * 2.5), 1e-12);
  assert_near(there.around, 0, 0);
  assert_near(there.around_largest, 0, 0);
  pc_maps_free(&maps);
  pc_crowd_destroy(crowd);
}

// A person who leans on a wall presses with m v / tau, and everybody who leans on them adds theirs.
static void a_known_force_gives_a_known_pressure(void **state)
{
  const double force = 80 * 1.34 / 0.5, r = 0.225;
  for (int leaning = 1; leaning <= 3; leaning++) {
    pc_crowd *crowd = create(8, 4, PC_NORMAL_INELASTIC);
    point wall[] = {{5, 0.5}, {5, 4}};
    point beyond[] = {{6.4, 1.65}, {7, 1.65}, {7, 2.05}, {6.4, 2.05}};
    ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_LINE, 2, (const double(*)[2])wall));
    int area = pc_crowd_add_area(crowd, 0, 4, (const double(*)[2])beyond);
    ok(crowd, pc_crowd_finish(crowd));
    pc_person_def person = pc_person_def_default();
    person.goal = area;
    person.straight = true;
    for (int i = 0; i < leaning; i++) {
      person.position[0] = 5 - r - 2 * r * i - 1e-12 * (i + 1);
      person.position[1] = 1.85;
      assert_int_equal(pc_crowd_add_person(crowd, &person), i);
    }
    pc_maps maps = make(crowd, 0.5), settled = make(crowd, 0.5);
    walk(crowd, &maps, 100);
    walk(crowd, &settled, 100);
    double pressure[200], sum = 0;
    assert_true(maps.cells <= 200);
    pc_maps_end(&maps, 1, 1, NULL, NULL, pressure);
    assert_near(pressure[cell_at(&maps, 4.75, 1.75)], (2 * leaning - 1) * force / 0.25,
                0.02 * force / 0.25);
    pc_maps_end(&settled, 1, 1, NULL, NULL, pressure);
    int at_wall = cell_at(&maps, 4.75, 1.75), behind = cell_at(&maps, 4.25, 1.75);
    // The first contact acts at the wall; the second 0.45 m before it, in the same square; the
    // third in the next.
    double first = leaning * force, second = (leaning - 1) * force, third = (leaning - 2) * force;
    assert_near(pressure[at_wall], (first + second) / 0.25, 1e-3 * force);
    assert_near(pressure[behind], leaning > 2 ? third / 0.25 : 0, 1e-3 * force);
    for (int c = 0; c < maps.cells; c++)
      sum += pressure[c] * maps.area[c];
    assert_near(sum, first + second + (leaning > 2 ? third : 0), 1e-3 * force);
    pc_map_peak peak = pc_maps_most_pressed(&settled);
    assert_int_equal(peak.cell, at_wall);
    assert_near(peak.value, pressure[at_wall], 0);
    pc_person_state p;
    pc_crowd_person(crowd, 0, &p);
    assert_near(p.push, (first + second) * H, 1e-3);
    // They start a hair's breadth away: the first step goes to the wall, the second stops there.
    if (leaning == 1)
      assert_near(p.push_largest, force * H * (2 - H / 0.5), 1e-6);
    else
      assert_true(p.push_largest > p.push);
    assert_near(p.push_sum, 2 * (first + second), 0.02 * force);
    pc_maps_free(&settled);
    pc_maps_free(&maps);
    pc_crowd_destroy(crowd);
  }
}

// Whatever happens, people and percussions are all counted, once.
static void nothing_is_lost(void **state)
{
  pc_random random = test_random("nothing is lost");
  for (int round = 0; round < test_count(4); round++) {
    pc_crowd_def def = pc_crowd_def_default();
    def.treatment = round % 2 == 0 ? PC_VELOCITY_LEVEL : PC_PENALTY;
    pc_crowd *crowd = pc_crowd_create(&def);
    assert_int_equal(pc_crowd_add_floor(crowd), 0);
    point wall[] = {{5, 2.4}, {5, 4}, {0, 4}, {0, 0}, {5, 0}, {5, 1.6}};
    ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_LINE, 6, (const double(*)[2])wall));
    pc_exit_def exit = {.line = {{5, 1.6}, {5, 2.4}}};
    assert_int_equal(pc_crowd_add_exit(crowd, &exit), 0);
    ok(crowd, pc_crowd_finish(crowd));
    int people = 0;
    for (int tries = 0; tries < 10000 && people < 30; tries++) {
      pc_person_def person = pc_person_def_default();
      person.position[0] = pc_random_uniform(&random, 0, 5);
      person.position[1] = pc_random_uniform(&random, 0, 4);
      people += pc_crowd_add_person(crowd, &person) >= 0;
    }
    double spacing = pc_random_uniform(&random, 0.3, 1), stays = 0, pushes = 0, ways = 0;
    pc_maps maps = make(crowd, spacing);
    for (int i = 0; i < 500; i++) {
      walk(crowd, &maps, 1);
      for (int k = 0; k < pc_crowd_people(crowd); k++) {
        pc_person_state p;
        pc_crowd_person(crowd, k, &p);
        stays += p.present ? H : 0;
        ways += p.present ? H * hypot(p.velocity[0], p.velocity[1]) : 0;
      }
      for (int k = 0; k < pc_world_contacts(crowd->world); k++) {
        pc_contact contact;
        pc_world_contact(crowd->world, k, &contact);
        pushes += hypot(contact.percussion[0], contact.percussion[1]);
      }
      if (i % 100 == 99)
        pc_maps_end(&maps, 0.01 * (i + 1), 1, NULL, NULL, NULL);
    }
    double found[4] = {0};
    for (int c = 0; c < maps.cells; c++) {
      pc_map_cell cell;
      pc_maps_cell(&maps, c, &cell);
      found[0] += cell.density * maps.area[c] * 5;
      found[1] += cell.pressure * maps.area[c] * 5;
      found[2] += maps.all[c].way;
      assert_true(cell.density_largest >= cell.density && cell.around_largest >= cell.around &&
                  cell.pressure_largest >= cell.pressure * (1 - 1e-12));
    }
    for (int k = 0; k < PC_LEVELS; k++)
      found[3] += maps.level[k];
    assert_true(pushes > 100);
    assert_near(*maps.stray, 0, 0);
    assert_near(found[0], stays, 1e-9 * stays);
    assert_near(found[1], pushes, 1e-9 * pushes);
    assert_near(found[2], ways, 1e-9 * ways);
    assert_near(found[3], stays, 1e-9 * stays);
    pc_maps_free(&maps);
    pc_crowd_destroy(crowd);
  }
}

// The energy balance has on a line of its own what contacts gave that were opening before the step;
// all others take energy.
static void only_contacts_that_open_give_energy(void **state)
{
  enum { PEOPLE = 30 };
  pc_random random = test_random("energy");
  pc_crowd_def def = pc_crowd_def_default();
  def.tolerance = 1e-10;
  pc_crowd *crowd = pc_crowd_create(&def);
  crowd->world->def.looks = PC_LOOK_AGAIN; // with one look none is closed in this room
  assert_int_equal(pc_crowd_add_floor(crowd), 0);
  point wall[] = {{5, 2.4}, {5, 4}, {0, 4}, {0, 0}, {5, 0}, {5, 1.6}};
  ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_LINE, 6, (const double(*)[2])wall));
  assert_int_equal(pc_crowd_add_exit(crowd, &(pc_exit_def){.line = {{5, 1.6}, {5, 2.4}}}), 0);
  ok(crowd, pc_crowd_finish(crowd));
  for (int people = 0; people < PEOPLE;) {
    pc_person_def person = pc_person_def_default();
    person.position[0] = pc_random_uniform(&random, 0, 5);
    person.position[1] = pc_random_uniform(&random, 0, 4);
    people += pc_crowd_add_person(crowd, &person) >= 0;
  }
  double opening = 0, others = 0;
  for (int i = 0; i < 800; i++) {
    double before[PEOPLE + 1][2] = {{0}}, sum = 0, rest = 0;
    for (int k = 0; k < PEOPLE; k++) {
      pc_person_state p;
      pc_crowd_person(crowd, k, &p);
      memcpy(before[k + 1], p.velocity, sizeof p.velocity); // walls have none
    }
    ok(crowd, pc_crowd_step(crowd, H));
    for (int k = 0; k < pc_world_contacts(crowd->world); k++) {
      pc_contact c;
      double speed = 0;
      pc_world_contact(crowd->world, k, &c);
      for (int b = 0; b < 2; b++) {
        int who = c.bodies[b].id > crowd->walls ? c.bodies[b].id - crowd->walls : 0;
        for (int d = 0; d < 2; d++)
          speed += (b == 0 ? 1 : -1) * c.normal[d] * before[who][d];
      }
      *(speed > 0 ? &sum : &rest) += c.dissipated;
    }
    const pc_step_info *info = pc_world_info(crowd->world);
    assert_near(info->separating, sum, 1e-9);
    assert_near(info->dissipated, sum + rest, 1e-9);
    assert_true(sum <= 1e-9 && rest >= -1e-6);
    opening += sum;
    others += rest;
    assert_near(info->total_separating, opening, 1e-7);
  }
  assert_true(opening < -1 && others > 1);
  pc_crowd_destroy(crowd);
}

// A short interval at the end makes no peak.
static void short_intervals_make_no_peak(void **state)
{
  pc_crowd *crowd = create(6, 4, PC_NORMAL_QUADRATIC);
  ok(crowd, pc_crowd_finish(crowd));
  add_person(crowd, 1.25, 1.25, 0);
  pc_maps maps = make(crowd, 0.5);
  walk(crowd, &maps, 10);
  maps.now[0].push = 1;
  pc_maps_end(&maps, 0.1, 0.1, NULL, NULL, NULL);
  walk(crowd, &maps, 4);
  maps.now[0].push = 1000;
  pc_maps_end(&maps, 0.14, 0.1, NULL, NULL, NULL);
  assert_near(pc_maps_most_pressed(&maps).value, 1 / (0.25 * 0.1), 1e-9);
  assert_near(pc_maps_most_pressed(&maps).time, 0.1, 0);
  assert_near(*maps.total, 0.14, 1e-12);
  assert_near(maps.all[0].push, 1001, 1e-9);
  pc_maps_free(&maps);
  pc_crowd_destroy(crowd);
}

static void levels_are_those_of_fruin(void **state)
{
  static const struct {
    double density;
    char level;
  } known[] = {{0, 'A'},   {0.299, 'A'}, {0.3, 'B'}, {0.399, 'B'}, {0.4, 'C'}, {0.699, 'C'},
               {0.7, 'D'}, {1.099, 'D'}, {1.1, 'E'}, {1.999, 'E'}, {2, 'F'},   {9, 'F'}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    assert_int_equal('A' + pc_service_level(known[i].density), known[i].level);
}

static double order_by_pairs(int count, const double *y, const unsigned char *ahead, double width)
{
  double order = 0;
  for (int i = 0; i < count; i++) {
    double same = 0, other = 0;
    for (int j = 0; j < count; j++)
      if (fabs(y[i] - y[j]) < 0.5 * width)
        *(ahead[i] == ahead[j] ? &same : &other) += 1;
    order += (same - other) * (same - other) / ((same + other) * (same + other)) / count;
  }
  return order;
}

static void lanes_have_an_order(void **state)
{
  enum { MOST = 300 };
  pc_random random = test_random("lanes");
  double y[MOST];
  unsigned char ahead[MOST];
  for (int round = 0; round < test_count(200); round++) {
    int count = 1 + pc_random_below(&random, MOST);
    for (int i = 0; i < count; i++) {
      y[i] = pc_random_below(&random, 3) == 0 ? pc_random_below(&random, 5)
                                              : pc_random_uniform(&random, 0, 5);
      ahead[i] = pc_random_below(&random, 2) == 0;
    }
    assert_near(pc_crowd_lane_order(count, y, ahead, 0.5), order_by_pairs(count, y, ahead, 0.5),
                1e-12);
    for (int i = 0; i < count; i++) // each lane its own way
      ahead[i] = (int)floor(y[i] = floor(y[i])) % 2 == 0;
    assert_near(pc_crowd_lane_order(count, y, ahead, 0.9), 1, 1e-12);
  }
  assert_true(isnan(pc_crowd_lane_order(0, y, ahead, 1)));
}

// In a crowd directions are those that people want to walk.
static void crowds_have_lanes(void **state)
{
  for (int mixed = 0; mixed < 2; mixed++) {
    pc_crowd_def def = pc_crowd_def_default();
    pc_crowd *crowd = pc_crowd_create(&def);
    assert_int_equal(pc_crowd_add_floor(crowd), 0);
    point outline[] = {{-1, 0}, {11, 0}, {11, 4}, {-1, 4}};
    ok(crowd, pc_crowd_add_wall(crowd, 0, PC_WALL_OUTLINE, 4, (const double(*)[2])outline));
    for (int i = 0; i < 2; i++)
      assert_int_equal(pc_crowd_add_exit(crowd, &(pc_exit_def){.line = {{10 * i, 0}, {10 * i, 4}}}),
                       i);
    ok(crowd, pc_crowd_finish(crowd));
    for (int i = 0; i < 12; i++) {
      pc_person_def person = pc_person_def_default();
      person.goal = mixed ? i % 2 : i < 6;
      person.position[0] = 2 + i % 6;
      person.position[1] = i < 6 ? 1 : 3;
      assert_int_equal(pc_crowd_add_person(crowd, &person), i);
    }
    assert_true(isnan(pc_crowd_lanes(crowd, 0, 0.5))); // nobody walks yet
    ok(crowd, pc_crowd_step(crowd, H));
    assert_near(pc_crowd_lanes(crowd, 0, 0.5), mixed ? 0 : 1, 1e-12);
    assert_near(pc_crowd_lanes(crowd, 0, 100), 0, 1e-12); // six each way in one strip
    pc_crowd_destroy(crowd);
  }
}

static int compare(const void *a, const void *b)
{
  double one = *(const double *)a, two = *(const double *)b;
  return (one > two) - (one < two);
}

static double flow_by_pairs(int count, const double *time)
{
  double *all = malloc((size_t)count * (size_t)count * sizeof *all);
  int n = 0;
  for (int i = 0; i < count; i++)
    for (int j = i + 1; j < count; j++)
      all[n++] = (time[j] - time[i]) / (j - i);
  qsort(all, (size_t)n, sizeof *all, compare);
  double middle = 0.5 * (all[(n - 1) / 2] + all[n / 2]);
  free(all);
  return 60 / middle;
}

static pc_crowd_flow flow_of(int count, const double *time)
{
  pc_crowd_flow flow;
  int start[2] = {0, count};
  assert_int_equal(pc_crowd_measure_flow(1, start, time, NULL, &flow, NULL), PC_OK);
  return flow;
}

static void stragglers_do_not_ruin_the_flow(void **state)
{
  enum { MOST = 200, PEOPLE = 20 };
  pc_random random = test_random("flow");
  double time[MOST], worst = 0, changed = 0;
  int rounds = test_count(100);
  for (int round = 0; round < rounds; round++) {
    int count = 2 + pc_random_below(&random, MOST - 2);
    time[0] = pc_random_uniform(&random, 0, 5);
    for (int i = 1; i < count; i++)
      time[i] =
          time[i - 1] + (pc_random_below(&random, 4) == 0 ? 0 : pc_random_uniform(&random, 0, 1));
    time[count - 1] += 0.01;
    double want = flow_by_pairs(count, time), got = flow_of(count, time).robust;
    if (isfinite(want))
      assert_near(got, want, 1e-9 * want);
    else
      assert_true(isnan(got));
    // Twenty people every 0.4 s or so, the last of whom comes ten times later.
    for (int i = 0; i < PEOPLE; i++)
      time[i] = 0.4 * (i + 1) + pc_random_uniform(&random, -0.2, 0.2);
    pc_crowd_flow before = flow_of(PEOPLE, time);
    time[PEOPLE - 1] *= 10;
    pc_crowd_flow after = flow_of(PEOPLE, time);
    worst = fmax(worst, fabs(after.robust / before.robust - 1));
    changed += after.per_run / before.per_run / rounds;
    assert_near(before.robust, 150, 15);
  }
  assert_true(worst < 0.03);
  assert_true(changed < 0.5); // which is why least squares are not looked at
}

static pc_run_summary run_scene(pc_scene *scene, const char *text)
{
  pc_error error = {.text = ""};
  pc_run_summary summary;
  char path[100];
  strcpy(path, in_folder("scene.yaml"));
  assert_ok(pc_scene_parse(path, text, scene, &error), &error);
  strcpy(path, in_folder("run.h5"));
  pc_run_options options = {.output = path};
  assert_ok(pc_run_scene(scene, &options, &summary, &error), &error);
  return summary;
}

#define TWO_FLOORS                                                                                 \
  "kind: crowd\nduration: 30\nstep: 0.01\n"                                                        \
  "floors: [{name: low, outline: [[0, 0], [8, 0], [8, 4], [0, 4]]}, {name: high, outline: [[0, "   \
  "0], [8, 0], [8, 4], [0, 4]]}]\n"                                                                \
  "stairs: [{from: {floor: high, line: [[6, 1], [6, 2.2]]}, to: {floor: low, line: [[3, 1], [3, "  \
  "2.2]]}, length: 2}]\n"                                                                          \
  "exits: [{name: a, floor: low, line: [[7, 0], [7, 4]]}]\n"                                       \
  "people: [{name: u, floor: high, count: 12, inside: {box: [[0.5, 0.5], [4, 3.5]]}, to: a}, "     \
  "{name: v, floor: low, count: 6, inside: {box: [[3.5, 0], [6, 4]]}, to: a}]\n"                   \
  "output: {maps: {spacing: 0.4, every: 0.7}, lanes: {axis: x, width: 0.6}}\n"

static void runs_have_maps(void **state)
{
  enum { PEOPLE = 18 };
  pc_scene scene;
  pc_run_summary s = run_scene(&scene, TWO_FLOORS);
  assert_true(s.finished && s.inside == 0 && s.crowd.mapped);
  pc_error error = {.text = ""};
  char path[100];
  strcpy(path, in_folder("run.h5"));
  pc_reading *reading = pc_reading_open(path, &error);
  assert_non_null(reading);
  long intervals = pc_reading_frames(reading, "maps"), size[4];
  assert_int_equal(intervals, (s.steps + 69) / 70);
  assert_int_equal(pc_reading_size(reading, "maps/density", size), 2);
  long cells = size[1];
  double *time = malloc((size_t)intervals * sizeof *time),
         *area = malloc((size_t)cells * sizeof *area);
  float *density = malloc((size_t)(intervals * cells) * sizeof *density);
  float *speed = malloc((size_t)(intervals * cells) * sizeof *speed);
  int32_t *inside = malloc((size_t)s.steps * sizeof *inside), start_floor[PEOPLE];
  double start[PEOPLE][2];
  assert_int_equal(
      pc_reading_rows(reading, "maps/time", 0, intervals, PC_RECORD_DOUBLE, time, &error), PC_OK);
  assert_int_equal(pc_reading_rows(reading, "maps/area", 0, cells, PC_RECORD_DOUBLE, area, &error),
                   PC_OK);
  assert_int_equal(
      pc_reading_rows(reading, "maps/density", 0, intervals, PC_RECORD_FLOAT, density, &error),
      PC_OK);
  assert_int_equal(
      pc_reading_rows(reading, "maps/speed", 0, intervals, PC_RECORD_FLOAT, speed, &error), PC_OK);
  assert_int_equal(
      pc_reading_rows(reading, "steps/inside", 0, s.steps, PC_RECORD_INT, inside, &error), PC_OK);
  assert_int_equal(
      pc_reading_rows(reading, "people/start", 0, PEOPLE, PC_RECORD_DOUBLE, start, &error), PC_OK);
  assert_int_equal(
      pc_reading_rows(reading, "people/start_floor", 0, PEOPLE, PC_RECORD_INT, start_floor, &error),
      PC_OK);
  // People inside are on the maps: exits are lines that one is over or not.
  double all = 0, levels = 0;
  for (long i = 0, step = 0; i < intervals; i++) {
    double people = 0, want = 0, span;
    long first = step;
    for (; step < s.steps && step < 70 * (i + 1); step++)
      want += inside[step] * H;
    span = (double)(step - first) * H;
    assert_near(time[i], (double)step * H, 1e-9);
    for (long c = 0; c < cells; c++) {
      people += density[i * cells + c] * area[c] * span;
      assert_true((density[i * cells + c] > 0) == (speed[i * cells + c] >= 0));
    }
    assert_near(people, want, 1e-5 * (want + 1));
    all += want;
  }
  for (int k = 0; k < 6; k++)
    levels += s.crowd.level_time[k];
  assert_near(levels, all, 1e-9 * all);
  assert_true(s.crowd.densest.value > 0.3 && s.crowd.densest.time <= s.time);
  for (int i = 0; i < PEOPLE; i++) {
    assert_int_equal(start_floor[i], i < 12 ? 1 : 0);
    assert_true(start[i][0] >= (i < 12 ? 0.5 : 3.5) && start[i][0] <= (i < 12 ? 4 : 6));
  }
  pc_reading_close(reading);
  // The table has everybody who started, and the mean of their times is that of all.
  strcpy(path, in_folder("run-maps.csv"));
  FILE *table = fopen(path, "r");
  assert_non_null(table);
  char line[1000];
  int rows = 0, started = 0;
  double times = 0, mean = 0;
  assert_non_null(fgets(line, sizeof line, table));
  assert_int_equal(strncmp(line, "floor,x,y,area,density,largest_density,", 39), 0);
  while (fgets(line, sizeof line, table) != NULL) {
    int here = 0, out = 0, comma = 0;
    double average = 0;
    const char *at = line;
    for (; *at != 0 && comma < 13; at++)
      comma += *at == ',';
    int fields = sscanf(at, "%d,%d,%lf", &here, &out, &average);
    assert_int_equal(fields, out > 0 ? 3 : 2);
    assert_int_equal(here, out);
    started += here;
    times += out * average;
    rows++;
  }
  fclose(table);
  assert_int_equal(rows, cells);
  assert_int_equal(started, PEOPLE);
  for (int i = 0; i < PEOPLE; i++) {
    pc_person_state p;
    pc_crowd_person(scene.crowd, i, &p);
    mean += p.exit_time / PEOPLE;
  }
  assert_near(times / PEOPLE, mean, 1e-9);
  free(time);
  free(area);
  free(density);
  free(speed);
  free(inside);
  pc_scene_free(&scene);
}

static void maps_can_be_left_out(void **state)
{
  pc_scene scene;
  pc_run_summary s = run_scene(
      &scene,
      "kind: crowd\nduration: 1\nstep: 0.01\nfloors: [{outline: [[0, 0], [6, 0], [6, 4], "
      "[0, 4]]}]\nexits: [{name: a, line: [[5, 0], [5, 4]]}]\n"
      "people: [{count: 3, inside: {box: [[0, 0], [4, 4]]}, to: a}]\noutput: {maps: false}\n");
  assert_false(s.crowd.mapped);
  char path[100];
  strcpy(path, in_folder("run.h5"));
  pc_reading *reading = pc_reading_open(path, NULL);
  long size[4];
  assert_int_equal(pc_reading_size(reading, "maps/density", size), 0);
  pc_reading_close(reading);
  pc_scene_free(&scene);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(people_who_stand_have_their_density),
      cmocka_unit_test(what_is_beyond_exits_is_not_free),
      cmocka_unit_test(who_walks_has_a_speed),
      cmocka_unit_test(what_is_outside_is_no_cell),
      cmocka_unit_test(obstacles_take_their_area),
      cmocka_unit_test(walls_part_what_is_around),
      cmocka_unit_test(a_known_force_gives_a_known_pressure),
      cmocka_unit_test(nothing_is_lost),
      cmocka_unit_test(only_contacts_that_open_give_energy),
      cmocka_unit_test(short_intervals_make_no_peak),
      cmocka_unit_test(levels_are_those_of_fruin),
      cmocka_unit_test(lanes_have_an_order),
      cmocka_unit_test(crowds_have_lanes),
      cmocka_unit_test(stragglers_do_not_ruin_the_flow),
      cmocka_unit_test(runs_have_maps),
      cmocka_unit_test(maps_can_be_left_out),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
