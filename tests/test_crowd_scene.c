// Scenes of kind crowd: what they say becomes a crowd, what is wrong is said with names and lines,
// and what a run writes down is what happened.
#include "support.h"

#include <string.h>
#include <unistd.h>

#include "crowd/crowd.h"
#include "folder.h"
#include "percuss/run.h"
#include "record/record.h"

static pc_scene parse(const char *text)
{
  pc_scene scene;
  pc_error error = {.text = ""};
  char path[100];
  strcpy(path, in_folder("scene.yaml"));
  assert_ok(pc_scene_parse(path, text, &scene, &error), &error);
  return scene;
}

#define HEAD "kind: crowd\nduration: 30\nstep: 0.01\n"
#define OUTLINE "outline: [[0, 0], [6, 0], [6, 4], [0, 4]]"
#define ROOM "floors: [{" OUTLINE "}]\n"
#define DOOR "exits: [{name: door, line: [[5, 0], [5, 4]]}]\n"
#define ALL "people: [{name: all, count: 3, to: door}]\n"

static const struct {
  const char *text, *complaint;
} bad[] = {
    {DOOR ALL "floors: [{wkt: 'POLYGON ((0 0, 6 0, 6 4, 0 4))'}]\n",
     "6: 'wkt': the ring that starts at (0, 0) is not closed: it ends at (0, 4)"},
    {DOOR ALL "floors: [{wkt: 'POLYGON ((0 0, 6 0, 6 4, 0 4, 0 0)'}]\n",
     "6: 'wkt': the text ends where ')' is expected"},
    {DOOR ALL "floors: [{wkt: 'POLYGON ((0 0, 6 x, 6 4, 0 4, 0 0))'}]\n",
     "6: 'wkt': a number is expected before 'x, 6 4, 0 4, 0 0))'"},
    {DOOR ALL "floors: [{wkt: 'POLYGON ((0 0, 6 0, 0 0))'}]\n",
     "6: 'wkt': the ring that starts at (0, 0) has fewer than three corners"},
    {DOOR ALL "floors: [{wkt: 'POLYGON ((0 0, 6 0, 6 4, 0 0)) and'}]\n",
     "6: 'wkt': the end is expected before 'and'"},
    {DOOR ALL "floors: [{wkt: 'LINESTRING (0 0, 6 0)'}]\n",
     "6: 'wkt': unknown shape LINESTRING: expected POLYGON, MULTIPOLYGON or a GEOMETRYCOLLECTION "
     "of these"},
    {ROOM DOOR "people: [{count: 4, to: door, together: {kind: singh, gaze: 2}}]\n",
     "6: 'gaze' requires 'moussaid'"},
    {ROOM DOOR "people: [{count: 4, to: door, speed: 12}]\n",
     "3: the step of 0.01 s is too long: a person of radius 0.225 m walks 0.12 m in it; use a step "
     "of at most 0.0094 s"},
    {DOOR ALL "floors: [{wkt: GEOMETRYCOLLECTION EMPTY}]\n", "6: 'wkt': it contains no polygon"},
    {ROOM ALL "exits: [{name: door, line: [[6, 1], [8, 2]]}]\n",
     "6: 'door': the exit from (6, 1) to (8, 2) is inside an obstacle or outside the walkable "
     "area, so nobody can reach it"},
    {"floors: [{outline: [[0, 0], [6, 4], [6, 0], [0, 4]]}]\n" DOOR ALL,
     "4: the outline crosses itself at (3, 2): its edge from (0, 0) to (6, 4) and that from (6, 0) "
     "to (0, 4)"},
    {"floors: [{walls: [{points: [[0, 0], [6, 0], [6, 4], [0, 4]]}]}]\n" DOOR
     "people: [{name: all, count: 3, to: door, inside: {box: [[1, 1], [4, 3]]}}]\n",
     "6: the walls around (3.10877, 2.04087) are not closed: one can walk out at about (0.00, "
     "2.00), "
     "where there is no exit"},
    {ROOM ALL
     "exits:\n  - {name: a, line: [[5, 1], [5, 2]]}\n  - {name: door, line: [[5, 1], [6.5, "
     "1]]}\n",
     "8: 'door': the exit from (5, 1) to (6.5, 1) crosses a wall; place it along a wall, in a gap "
     "between walls or across a narrow part of the floor"},
    {ROOM ALL
     "exits:\n  - {name: a, line: [[5, 1], [5, 2]]}\n  - {name: door, line: [[5, 3], [5, 1.5]]}\n",
     "8: 'door': the exit from (5, 3) to (5, 1.5) shares 0.5 m with another exit, from (5, 1) to "
     "(5, "
     "2)"},
    {DOOR "people: [{name: all, positions: [[1, 1]], to: door}]\n"
          "floors: [{walls: [{points: [[5, 4], [0, 4], [0, 0], [4, 0]]}]}]\n",
     "5: 'all-1': the walls around (1, 1) are not closed: one can walk out at about (4.50, 0.00), "
     "where there is no exit"},
    {ROOM DOOR "people: [{name: all, count: 3, inside: {box: [[10, 10], [10, 10]]}, to: door}]\n",
     "6: only 0 of 3 people of 'all' fit between (10, 10) and (10, 10): (10, 10) is outside the "
     "walkable area"},
    {"floors: [{" OUTLINE ", obstacles: [{points: [[1, 1], [2, 1], [2, 2], [1, 2]]}]}]\n" DOOR
     "people: [{name: all, positions: [[3, 3], [1.5, 1.5]], to: door}]\n",
     "6: 'all-2': (1.5, 1.5) is in an obstacle"},
    {"floors: [{" OUTLINE ", obstacles: [{centre: [1, 1], radius: 0.5}]}]\n" DOOR
     "people: [{name: all, positions: [[1.6, 1]], to: door}]\n",
     "6: 'all-1': at (1.6, 1) a wall is only 0.1 m away, too close for a person of radius 0.225 m"},
    {ROOM DOOR "people: [{positions: [[1, 1]], to: door}, {positions: [[1, 1.1]], to: door}]\n",
     "6: 'group-2-1': at (1, 1.1) stands 'group-1-1'"},
    {"floors: [{" OUTLINE ", walls: [{points: [[3, 0], [3, 4]]}]}]\n" DOOR
     "people: [{name: all, positions: [[1, 1]], to: door}]\n",
     "6: 'all-1': there is no way from (1, 1) to 'door'"},
    {"floors: [{outline: [[0, 0], [6, 0], [6, 4], [0, 4]], walls: [{points: [[4.5, 0], [4.5, "
     "4]]}]}]\n" DOOR ALL,
     "6: 'all' start at random positions, but part of the floor is cut off; use 'inside' to choose "
     "where they start: there is no way from (4.21753, 2.08175) to 'door'"},
    {"floors: [{name: low, " OUTLINE "}, {name: high, " OUTLINE "}]\n"
     "exits: [{name: door, floor: low, line: [[5, 0], [5, 4]]}]\n"
     "people: [{name: all, floor: high, positions: [[1, 1]], to: door}]\n",
     "6: 'all-1': there is no way from (1, 1) on floor 'high' to 'door'"},
    {"floors: [{name: low, " OUTLINE "}, {name: high, " OUTLINE "}]\n" DOOR ALL,
     "5: the building has several floors; add 'floor'"},
    {"floors: [{name: low, " OUTLINE "}, {name: low, " OUTLINE "}]\n" DOOR ALL,
     "4: two floors are named 'low'; names must be unique"},
    {ROOM "exits: [{name: door, floor: f, line: [[5, 0], [5, 4]]}]\n" ALL, "5: unknown floor 'f'"},
    {ROOM "exits: [{name: door, line: [[5, 0], [5, 4], [5, 2]]}]\n" ALL,
     "5: the line of an exit needs two points (got 3)"},
    {ROOM DOOR "areas: [{name: door, points: [[1, 1], [2, 1], [2, 2]]}]\n" ALL,
     "6: two exits or areas are named 'door'; names must be unique"},
    {ROOM "exits: [{name: all exits, line: [[5, 0], [5, 4]]}]\n" ALL,
     "5: the name 'all exits' is reserved for the sum of all exits"},
    {ROOM DOOR "people: [{name: all, count: 2, to: dor}]\n", "6: unknown exit or area 'dor'"},
    {ROOM DOOR "people: [{name: all, count: 2, to: [door, door]}]\n", "6: 'door' is listed twice"},
    {ROOM DOOR "people: [{name: all, to: door}]\n",
     "6: a group needs either 'count' or 'positions'"},
    {ROOM DOOR "people: []\n", "6: the crowd has no people; add 'people'"},
    {"floors: [{name: bare}]\n" DOOR ALL,
     "4: floor 'bare' has no walls: it needs 'outline', 'walls', 'wkt', 'geojson' or 'dxf'"},
    {ROOM DOOR "people: [{name: all, count: 2, to: door, radius: {uniform: [0, 1]}}]\n",
     "6: 'radius' cannot be 0"},
    {ROOM DOOR "people: [{name: all, count: 2, to: door, radius: {normal: [-5, 1]}}]\n",
     "6: the limits of 'between' exclude almost all values of the distribution"},
    {ROOM DOOR "people: [{name: all, count: 2, to: door, speed: {uniform: [1, 2], between: [1, "
               "2]}}]\n",
     "6: 'between' limits 'normal' and 'lognormal'; 'uniform' has its limits"},
    {ROOM DOOR ALL "contact: {stiffness: 5}\n", "7: 'stiffness' requires 'treatment: dem'"},
    {ROOM DOOR ALL "contact: {order: first}\n", "7: 'order: first' requires 'treatment: nsm1'"},
    {"floors: [{" OUTLINE ", obstacles: [{centre: [1, 1]}]}]\n" DOOR ALL,
     "4: an obstacle needs either 'points', or 'centre' and 'radius'"},
    {ROOM "exits: [{name: a, line: [[5, 0], [5, 4]]}, {name: b, line: [[1, 0], [1, 4]]}]\n"
          "people: [{positions: [[3, 2]], to: [a, b], aim: middle}]\n",
     "6: 'aim: middle' requires a single goal"},
};

// Two groups must pass a gap of 0.45 m; who is wider is counted, by group, with the place.
static void who_does_not_fit_is_counted(void **state)
{
  pc_scene scene;
  pc_error error = {.text = ""};
  assert_int_equal(
      pc_scene_parse("scene.yaml",
                     HEAD "floors: [{" OUTLINE ", walls: [{points: [[3, 0], [3, 3.55]]}]}]\n" DOOR
                          "people:\n"
                          "  - {name: some, count: 20, to: door, radius: {uniform: [0.2, 0.25]},\n"
                          "     inside: {box: [[0, 0], [3, 4]]}}\n"
                          "  - {name: thin, count: 2, to: door, radius: 0.2}\n"
                          "  - {name: beyond, positions: [[4, 1]], to: door, radius: 0.25}\n",
                     &scene, &error),
      PC_OK);
  int wide = 0;
  for (int i = 0; i < 20; i++)
    wide += pc_crowd_person_def(scene.crowd, i).radius > 0.225;
  assert_true(wide > 0 && wide < 20);
  assert_int_equal(scene.people.tights, 1);
  assert_int_equal(scene.people.tight[0].group, 0);
  assert_int_equal(scene.people.tight[0].people, wide);
  assert_near(scene.people.tight[0].at.width, 0.45, 1e-9);
  assert_near(scene.people.tight[0].at.place[1], 3.775, 1e-9);
  pc_scene_free(&scene);
}

static void what_is_wrong_is_said_with_its_place(void **state)
{
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char text[2000], wanted[400];
    pc_scene scene;
    pc_error error = {.text = ""};
    snprintf(text, sizeof text, "%s%s", HEAD, bad[i].text);
    snprintf(wanted, sizeof wanted, "scene.yaml:%s", bad[i].complaint);
    assert_int_not_equal(pc_scene_parse("scene.yaml", text, &scene, &error), PC_OK);
    assert_string_equal(error.text, wanted);
  }
}

// More people than fit: how many did, and where.
static void too_many_people_are_told(void **state)
{
  pc_scene scene;
  pc_error error = {.text = ""};
  int placed;
  char rest[200];
  assert_int_not_equal(
      pc_scene_parse(
          "scene.yaml",
          HEAD ROOM DOOR
          "people: [{name: all, count: 300, inside: {box: [[1, 1], [4, 3]]}, to: door}]\n",
          &scene, &error),
      PC_OK);
  assert_int_equal(sscanf(error.text, "scene.yaml:6: only %d of 300 %199[^\n]", &placed, rest), 2);
  assert_string_equal(
      rest, "people of 'all' fit between (1, 1) and (4, 3); use a larger area or fewer people");
  // All of them are in a place larger by a radius than that of their centres; and as nobody else
  // fits, nearly all of it is within two radii of somebody.
  double pi = acos(-1), r = 0.225;
  assert_true(placed * pi * r * r < (3 + 2 * r) * (2 + 2 * r));
  assert_true(placed * pi * 4 * r * r > 0.95 * 3 * 2);
}

// A passage of 1 m sticks out of the room: the box around all has places beyond the walls. Nobody
// is put there, and that is no fault of the scene.
static void places_beyond_the_walls_are_passed_over(void **state)
{
  pc_scene scene;
  pc_error error = {.text = ""};
  assert_int_equal(
      pc_scene_parse("s.yaml",
                     HEAD "floors: [{walls: [{points: [[7, 2.5], [6, 2.5], [6, 4], [0, 4], [0, 0], "
                          "[6, 0], [6, 1.5], [7, 1.5]]}]}]\n"
                          "exits: [{name: door, line: [[7, 1.5], [7, 2.5]]}]\n"
                          "people: [{name: all, count: 40, to: door}]\n",
                     &scene, &error),
      PC_OK);
  for (int i = 0; i < pc_crowd_people(scene.crowd); i++) {
    pc_person_state person;
    pc_crowd_person(scene.crowd, i, &person);
    assert_true(person.position[0] < 6 || (person.position[1] > 1.5 && person.position[1] < 2.5));
  }
  pc_scene_free(&scene);
}

static void kinds_are_told_apart(void **state)
{
  pc_scene scene;
  pc_error error = {.text = ""};
  assert_int_not_equal(pc_scene_parse("s.yaml", "kind: identification\n", &scene, &error), PC_OK);
  assert_string_equal(error.text,
                      "s.yaml:1: expected a file of kind 'rigid'; for kind 'identification' use "
                      "'percuss identify FILE'");
  assert_int_equal(pc_scene_parse("s.yaml", HEAD ROOM DOOR ALL, &scene, &error), PC_OK);
  assert_non_null(scene.crowd);
  assert_ptr_equal(scene.world, pc_crowd_world(scene.crowd));
  pc_scene_free(&scene);
}

// A file with a few wrong letters is read or refused with a line, whatever they are.
static void garbled_files_are_refused_or_read(void **state)
{
  static const char text[] =
      HEAD "floors: [{name: f, wkt: 'POLYGON ((0 0, 6 0, 6 4, 0 4, 0 0), (1 1, 2 1, 2 2, 1 1))',\n"
           "  walls: [{points: [[3, 0], [3, 1]]}], obstacles: [{centre: [4, 3], radius: 0.2}]}]\n"
           "sources: [{name: s, points: [[1, 3], [2, 3]], rate: 3}]\n"
           "doors: [{points: [[4, 0], [4, 1]], opens: 2}]\n"
           "exits: [{name: a, line: [[5, 0], [5, 2]]}, {name: b, line: [[5, 2], [5, 4]]}]\n"
           "people:\n"
           "  - {name: p, count: 4, to: [a, b], speed: {normal: [1.3, 0.2], between: [1, 2]}}\n"
           "  - {name: q, count: 2, source: s, stages: [{until: 1}, {to: b}]}\n";
  static const char letters[] = "012345678901234567890123456789.-,:[]{}()' \nabeXZ";
  pc_random random = test_random("garbled crowds");
  int read = 0, count = test_count(300);
  for (int k = 0; k < count; k++) {
    char garbled[sizeof text];
    memcpy(garbled, text, sizeof text);
    for (int i = 0; i < 1 + k % 3; i++)
      garbled[pc_random_below(&random, sizeof text - 1)] =
          letters[pc_random_below(&random, sizeof letters - 1)];
    pc_scene scene;
    pc_error error = {.text = ""};
    if (pc_scene_parse("scene.yaml", garbled, &scene, &error) == PC_OK) {
      pc_crowd_step(scene.crowd, scene.step);
      pc_scene_free(&scene);
      read++;
    } else {
      assert_int_equal(strncmp(error.text, "scene.yaml", 10), 0);
    }
  }
  if (count >= 100) // of few all may be good or bad
    assert_true(read > 0 && read < count);
}

#define WALKERS                                                                                    \
  "people: [{count: 12, inside: {polygon: [[0, 0], [4, 0], [4, 4]]}, to: door, radius: {uniform: " \
  "[0.2, 0.25]}}]\n"

#define HOLE "(1 1 1,2 1 1,2 2 1,1 1 1)"

// Well-known text says the same as outline and obstacles, in a file or not, in a collection or not.
static void wkt_is_the_same_plan(void **state)
{
  static const char *const plans[] = {
      "{" OUTLINE ", obstacles: [{points: [[1, 1], [2, 1], [2, 2]]}]}",
      "{wkt: 'POLYGON ((0 0, 6 0, 6 4, 0 4, 0 0), (1 1, 2 1, 2 2, 1 1))'}",
      "{wkt: 'geometrycollection(polygon z ((0 0 1,6 0 1,6 4 1,0 4 1,0 0 1)," HOLE "))'}",
      "{wkt: plan.wkt}"};
  double end[4][12][2];
  write_file("plan.wkt", "MULTIPOLYGON (((0 0, 6 0, 6 4, 0 4, 0 0),\n (1 1, 2 1, 2 2, 1 1)))\n");
  for (int k = 0; k < 4; k++) {
    char text[2000];
    snprintf(text, sizeof text, "%sfloors: [%s]\n%s%s", HEAD, plans[k], DOOR, WALKERS);
    pc_scene scene = parse(text);
    assert_int_equal(pc_crowd_people(scene.crowd), 12);
    assert_int_equal(scene.input_count, k == 3);
    for (int i = 0; i < 100; i++)
      assert_int_equal(pc_crowd_step(scene.crowd, 0.02), PC_OK);
    for (int i = 0; i < 12; i++) {
      pc_person_state p;
      pc_crowd_person(scene.crowd, i, &p);
      memcpy(end[k][i], p.position, sizeof p.position);
      assert_false(pc_is_inside(3, (const double[3][2]){{1, 1}, {2, 1}, {2, 2}}, p.position));
    }
    assert_memory_equal(end[k], end[0], sizeof end[0]);
    pc_scene_free(&scene);
  }
}

static void everybody_starts_inside(void **state)
{
  pc_scene scene = parse(HEAD ROOM DOOR WALKERS);
  for (int i = 0; i < 12; i++) {
    pc_person_state p, q;
    pc_crowd_person(scene.crowd, i, &p);
    assert_true(p.position[0] > p.position[1] && p.position[0] < 4); // the triangle
    assert_true(p.position[1] >= p.radius);                          // off the wall
    assert_true(p.radius >= 0.2 && p.radius <= 0.25);
    for (int k = 0; k < i; k++) {
      pc_crowd_person(scene.crowd, k, &q);
      assert_true(hypot(p.position[0] - q.position[0], p.position[1] - q.position[1]) >=
                  p.radius + q.radius);
    }
  }
  assert_string_equal(scene.names[0], "wall-1");
  assert_string_equal(scene.names[pc_crowd_body(scene.crowd, 0).id - 1], "group-1-1");
  assert_string_equal(scene.names[scene.bodies - 1], "group-1-12");
  pc_scene_free(&scene);
}

// Pairs of a group of five, and one who is alone; without forces they walk as those who are
// strangers.
static void people_stay_together(void **state)
{
  static const char *const together[] = {
      "", ", together: {kind: moussaid, gaze: 0, attraction: 0, repulsion: 0}",
      ", together: {kind: singh, rate: 0}", ", together: {kind: singh, rate: 2, distance: 0.5}"};
  double end[4][5][2];
  for (int k = 0; k < 4; k++) {
    char text[2000];
    snprintf(text, sizeof text, "%speople: [{count: 5, to: door%s}]\n", HEAD ROOM DOOR,
             together[k]);
    pc_scene scene = parse(text);
    for (int i = 0; i < 100; i++)
      assert_int_equal(pc_crowd_step(scene.crowd, 0.01), PC_OK);
    for (int i = 0; i < 5; i++) {
      pc_person_state p;
      pc_crowd_person(scene.crowd, i, &p);
      memcpy(end[k][i], p.position, sizeof p.position);
    }
    pc_scene_free(&scene);
  }
  assert_memory_equal(end[1], end[0], sizeof *end);
  assert_memory_equal(end[2], end[0], sizeof *end);
  assert_memory_not_equal(end[3][1], end[0][1], sizeof end[0][1]); // those who follow
  assert_memory_not_equal(end[3][3], end[0][3], sizeof end[0][3]);
}

// Draws have the distribution that is asked for: mean and deviation within four standard errors. A
// log-normal value has them in its logarithm: s^2 = ln(1 + (deviation/mean)^2), ln mean - s^2/2.
static void draws_are_distributed_as_asked(void **state)
{
  enum { PEOPLE = 900 };
  for (int seed = 1; seed <= 2; seed++) {
    char text[2000];
    snprintf(text, sizeof text,
             HEAD "seed: %d\nroutes: {spacing: 1}\n"
                  "floors: [{outline: [[0, 0], [40, 0], [40, 40], [0, 40]]}]\n"
                  "exits: [{name: door, line: [[39, 0], [39, 40]]}]\n"
                  "people: [{count: %d, to: door, mass: {uniform: [60, 100]}, speed: {normal: "
                  "[1.34, 0.26]}, response: {normal: [2, 1], between: [1.5, 2.5]}, relaxation: "
                  "{lognormal: [30, 20]}}]\n",
             seed, PEOPLE);
    pc_scene scene = parse(text);
    double sum[3] = {0}, squares[3] = {0};
    for (int i = 0; i < PEOPLE; i++) {
      pc_person_def p = pc_crowd_person_def(scene.crowd, i);
      assert_true(p.mass >= 60 && p.mass <= 100 && p.speed >= 0);
      assert_true(p.response >= 1.5 && p.response <= 2.5);
      const double value[] = {p.mass, p.speed, log(p.relaxation)};
      for (int k = 0; k < 3; k++) {
        sum[k] += value[k];
        squares[k] += value[k] * value[k];
      }
    }
    const double s = sqrt(log(1 + 4. / 9));
    const double mean[] = {80, 1.34, log(30) - 0.5 * s * s};
    const double deviation[] = {40 / sqrt(12), 0.26, s};
    for (int k = 0; k < 3; k++) {
      double found = sum[k] / PEOPLE, spread = sqrt(squares[k] / PEOPLE - found * found);
      assert_near(found, mean[k], 4 * deviation[k] / sqrt(PEOPLE));
      assert_near(spread, deviation[k], 4 * deviation[k] / sqrt(2 * PEOPLE));
    }
    pc_scene_free(&scene);
  }
}

static void the_seed_decides(void **state)
{
  double place[3];
  for (int k = 0; k < 3; k++) {
    char text[2000];
    snprintf(text, sizeof text, HEAD "seed: %d\n" ROOM DOOR ALL, k < 2 ? 7 : 8);
    pc_scene scene = parse(text);
    pc_person_state p;
    pc_crowd_person(scene.crowd, 2, &p);
    place[k] = p.position[0];
    pc_scene_free(&scene);
  }
  assert_true(place[0] == place[1] && place[0] != place[2]);
}

static pc_run_summary run(pc_scene *scene, int threads)
{
  pc_error error = {.text = ""};
  pc_run_summary summary;
  char path[100];
  strcpy(path, in_folder("run.h5"));
  pc_run_options options = {.output = path, .threads = threads};
  assert_ok(pc_run_scene(scene, &options, &summary, &error), &error);
  return summary;
}

static pc_reading *open_run(void)
{
  pc_error error = {.text = ""};
  char path[100];
  strcpy(path, in_folder("run.h5"));
  pc_reading *reading = pc_reading_open(path, &error);
  if (reading == NULL)
    fail_msg("%s", error.text);
  return reading;
}

// Least squares for k = J t, people per minute.
static double through_origin(int count, const double *time)
{
  double up = 0, down = 0;
  for (int k = 0; k < count; k++) {
    up += (k + 1) * time[k];
    down += time[k] * time[k];
  }
  return 60 * up / down;
}

// Without inertia people who meet nobody walk at their speed from the moment they respond: all
// times are known.
static void times_of_exits_are_those_of_walking(void **state)
{
  pc_scene scene = parse(
      HEAD "contact: {treatment: nsm1}\nroutes: {inset: 0}\n"
           "floors: [{outline: [[0, 0], [12, 0], [12, 6], [0, 6]]}]\n"
           "exits: [{name: east, line: [[10, 0], [10, 6]]}, {name: west, line: [[2, 0], [2, 6]]}]\n"
           "people:\n"
           "  - {name: a, positions: [[8.99, 1], [7.99, 2], [6.99, 3]], to: [east, west], speed: "
           "2, velocity: [2, 0]}\n"
           "  - {name: b, positions: [[4, 4], [5, 5]], to: [east, west], speed: 1, response: "
           "0.5}\n");
  pc_run_summary s = run(&scene, 0);
  assert_true(s.finished && s.people == 5 && s.inside == 0);
  assert_int_equal(s.steps, 351); // b-2 is the last: 0.5 s, half a step to start, 3 m at 1 m/s
  static const double time[] = {0.505, 1.005, 1.505, 2.505, 3.505};
  static const int exit[] = {0, 0, 0, 1, 1};
  for (int i = 0; i < 5; i++) {
    pc_person_state p;
    pc_crowd_person(scene.crowd, i, &p);
    assert_int_equal(p.exit, exit[i]);
    assert_near(p.exit_time, time[i], 1e-6);
  }
  pc_exit_summary e;
  assert_int_equal(pc_run_exit(&scene, 0, &e, NULL), PC_OK);
  assert_int_equal(e.out, 3);
  assert_near(e.last, time[2], 1e-6);
  assert_near(e.mean, time[1], 1e-6);
  assert_near(e.slope, 120, 1e-3); // one each half second
  assert_near(e.flow, 120, 1e-3);
  assert_near(e.origin, through_origin(3, time), 1e-3);
  assert_near(e.between, 120, 1e-3);
  assert_true(isnan(e.trimmed));
  assert_int_equal(pc_run_exit(&scene, 1, &e, NULL), PC_OK);
  assert_int_equal(e.out, 2);
  assert_near(e.slope, 60, 1e-3);
  assert_near(e.origin, through_origin(2, time + 3), 1e-3);
  assert_int_equal(pc_run_exit(&scene, -1, &e, NULL), PC_OK);
  assert_int_equal(e.out, 5);
  assert_near(e.mean, (time[0] + time[1] + time[2] + time[3] + time[4]) / 5, 1e-6);
  pc_scene_free(&scene);
}

// Who starts where others step off the stairs walks out of there, placed or by chance.
static void people_start_on_landings(void **state)
{
  static const char *const who[] = {"positions: [[2.9, 1.6]]", "count: 30"};
  for (int i = 0; i < 2; i++) {
    char text[600];
    snprintf(text, sizeof text,
             HEAD "floors: [{name: high, outline: [[0, 0], [8, 0], [8, 6], [0, 6]]}, {name: low, "
                  "outline: [[0, 0], [10, 0], [10, 6], [0, 6]]}]\n"
                  "stairs: [{from: {floor: high, line: [[6, 2], [6, 3]]}, to: {floor: low, line: "
                  "[[3, 2], [3, 1]]}}]\n"
                  "exits: [{name: a, floor: low, line: [[10, 1], [10, 2.5]]}]\n"
                  "seed: 6\npeople: [{name: g, floor: low, %s, to: a, radius: 0.2}]\n",
             who[i]);
    pc_scene scene = parse(text);
    assert_int_equal(run(&scene, 0).inside, 0);
    pc_scene_free(&scene);
  }
}

static void a_run_may_go_on_when_all_are_out(void **state)
{
  pc_scene scene = parse("kind: crowd\nduration: 3\nstep: 0.01\nuntil: duration\n" ROOM DOOR
                         "people: [{positions: [[4, 2]], to: door}]\n");
  pc_run_summary s = run(&scene, 0);
  assert_true(s.finished && s.inside == 0);
  assert_int_equal(s.steps, 300);
  pc_scene_free(&scene);
}

#define EVACUATION                                                                                 \
  HEAD "floors: [{walls: [{points: [[5, 3], [5, 4], [0, 4], [0, 0], [5, 0], [5, 2]]}]}]\n"         \
       "exits: [{name: door, line: [[5, 2], [5, 3]], counts: front}]\n"                            \
       "people: [{name: all, count: 20, to: door}]\noutput: {every: 0.05, trajectories: true}\n"

// The largest push of a person in any frame of the record; what is said to be the largest so far is
// never less, and what is summed grows.
static double pushed_most(int person)
{
  pc_error error = {.text = ""};
  pc_reading *reading = open_run();
  double most = 0;
  float push[20], largest[20], sum[20], before = 0;
  for (long f = 0; f < pc_reading_frames(reading, "frames"); f++) {
    assert_int_equal(pc_reading_rows(reading, "frames/push", f, 1, PC_RECORD_FLOAT, push, &error),
                     PC_OK);
    assert_int_equal(
        pc_reading_rows(reading, "frames/push_largest", f, 1, PC_RECORD_FLOAT, largest, &error),
        PC_OK);
    assert_int_equal(
        pc_reading_rows(reading, "frames/push_sum", f, 1, PC_RECORD_FLOAT, sum, &error), PC_OK);
    most = fmax(most, push[person]);
    assert_true(largest[person] >= most && sum[person] >= before && sum[person] >= largest[person]);
    before = sum[person];
  }
  pc_reading_close(reading);
  return most;
}

// The curve, the events, the table and the frames tell one story.
static void what_is_written_agrees(void **state)
{
  enum { PEOPLE = 20 };
  pc_scene scene = parse(EVACUATION);
  pc_run_summary s = run(&scene, 0);
  assert_true(s.finished && s.inside == 0);
  pc_error error = {.text = ""};
  pc_reading *reading = open_run();
  long steps = s.steps, frames = pc_reading_frames(reading, "frames");
  int32_t *inside = calloc((size_t)steps, sizeof *inside), person[PEOPLE], exit[PEOPLE];
  int64_t *offset = calloc((size_t)steps + 1, sizeof *offset);
  double time[PEOPLE];
  uint8_t present[PEOPLE];
  assert_int_equal(
      pc_reading_rows(reading, "steps/inside", 0, steps, PC_RECORD_INT, inside, &error), PC_OK);
  assert_int_equal(
      pc_reading_rows(reading, "exits/offset", 0, steps + 1, PC_RECORD_LONG, offset, &error),
      PC_OK);
  assert_int_equal(
      pc_reading_rows(reading, "exits/time", 0, PEOPLE, PC_RECORD_DOUBLE, time, &error), PC_OK);
  assert_int_equal(
      pc_reading_rows(reading, "exits/person", 0, PEOPLE, PC_RECORD_INT, person, &error), PC_OK);
  assert_int_equal(pc_reading_rows(reading, "exits/exit", 0, PEOPLE, PC_RECORD_INT, exit, &error),
                   PC_OK);
  bool seen[PEOPLE] = {false};
  for (int i = 0; i < PEOPLE; i++) {
    assert_true(person[i] >= 0 && person[i] < PEOPLE && !seen[person[i]] && exit[i] == 0);
    seen[person[i]] = true;
  }
  for (long k = 0; k < steps; k++) {
    double end = (double)(k + 1) * 0.01;
    int out = 0;
    for (int i = 0; i < PEOPLE; i++)
      out += time[i] <= end + 1e-9;
    assert_int_equal(inside[k], PEOPLE - out);
    assert_int_equal(offset[k + 1], out);
  }
  long lines = 0;
  for (long f = 0; f < frames; f++) {
    assert_int_equal(
        pc_reading_rows(reading, "frames/present", f, 1, PC_RECORD_BYTE, present, &error), PC_OK);
    for (int i = 0; i < PEOPLE; i++)
      lines += present[i];
  }
  pc_reading_close(reading);
  char path[100], line[200], name[40];
  strcpy(path, in_folder("run-exits.csv"));
  FILE *table = fopen(path, "r");
  assert_non_null(table);
  assert_non_null(fgets(line, sizeof line, table));
  assert_string_equal(line, "person,group,exit,time,start_floor,start_x,start_y,"
                            "largest_push,entered,largest_load\n");
  double before = -1, now;
  for (int i = 0; i < PEOPLE; i++) {
    assert_non_null(fgets(line, sizeof line, table));
    double from[2], largest, most, entered;
    int number = 0;
    assert_int_equal(sscanf(line, "%39[^,],all,door,%lf,floor-1,%lf,%lf,%lf,%lf", name, &now, from,
                            from + 1, &largest, &entered),
                     6);
    assert_true(entered == 0);
    assert_int_equal(sscanf(name, "all-%d", &number), 1);
    pc_person_def start = pc_crowd_person_def(scene.crowd, number - 1);
    assert_true(from[0] == start.position[0] && from[1] == start.position[1]);
    most = pushed_most(number - 1); // frames have every fifth step
    assert_true(most <= largest * (1 + 1e-6) && largest < 1000);
    assert_true(now >= before);
    before = now;
  }
  assert_null(fgets(line, sizeof line, table));
  fclose(table);
  strcpy(path, in_folder("run-trajectories.txt"));
  FILE *ways = fopen(path, "r");
  assert_non_null(ways);
  assert_non_null(fgets(line, sizeof line, ways));
  assert_string_equal(line, "# framerate: 20\n");
  assert_non_null(fgets(line, sizeof line, ways));
  assert_string_equal(line, "# id frame x/m y/m z/m\n");
  long found = 0;
  int id, number;
  double p[3];
  while (fgets(line, sizeof line, ways) != NULL) {
    assert_int_equal(sscanf(line, "%d %d %lf %lf %lf", &id, &number, p, p + 1, p + 2), 5);
    assert_true(id >= 1 && id <= PEOPLE && number >= 0 && number < frames);
    assert_true(p[0] > 0 && p[0] < 5.1 && p[1] > 0 && p[1] < 4 && p[2] == 0);
    found++;
  }
  fclose(ways);
  assert_int_equal(found, lines);
  free(inside);
  free(offset);
  pc_scene_free(&scene);
}

// A line of trajectories, by the rules of PedPy's load_trajectory_from_txt (pedpy 1.x): columns are
// parted by white space, '#' starts a comment; the first four are whole numbers id and frame, then
// numbers x and y. False: nothing but a comment.
typedef struct step_of {
  long id, frame;
  double x, y;
} step_of;

static bool read_step(char *line, step_of *out)
{
  char *word[5], *end;
  int words = 0;
  line[strcspn(line, "#")] = 0;
  for (char *at = strtok(line, " \t\r\n"); at != NULL && words < 5; at = strtok(NULL, " \t\r\n"))
    word[words++] = at;
  if (words == 0)
    return false;
  assert_int_equal(words, 5); // it asks for id, frame, x, y, z
  out->id = strtol(word[0], &end, 10);
  assert_int_equal(*end, 0);
  out->frame = strtol(word[1], &end, 10);
  assert_int_equal(*end, 0);
  out->x = strtod(word[2], &end);
  assert_int_equal(*end, 0);
  out->y = strtod(word[3], &end);
  assert_int_equal(*end, 0);
  return true;
}

// In comments before the first step: the first word that is a number after "framerate", and the
// unit, which is a metre with "x/m".
static double read_rate(FILE *file, bool *metres)
{
  char line[200];
  double rate = 0;
  *metres = false;
  long here = ftell(file);
  while (fgets(line, sizeof line, file) != NULL && line[0] == '#') {
    here = ftell(file);
    assert_null(strstr(line, "x/cm"));
    assert_null(strstr(line, "in cm"));
    *metres = *metres || strstr(line, "x/m") != NULL;
    bool has_rate = strstr(line, "framerate") != NULL;
    for (char *at = strtok(line, " \t\r\n"); at != NULL && has_rate; at = strtok(NULL, " \t\r\n")) {
      char *end;
      double value = strtod(at, &end);
      if (rate == 0 && *end == 0)
        rate = value;
    }
  }
  fseek(file, here, SEEK_SET);
  return rate;
}

// Two who walk alone at constant speed, in frames that are no whole parts of a second: places are
// those of the time that frames and rate give.
static void trajectories_are_read_as_pedpy_reads_them(void **state)
{
  pc_scene scene =
      parse("kind: crowd\nduration: 3\nstep: 0.03\nuntil: duration\nwalking: {model: direct}\n"
            "floors: [{outline: [[0, 0], [12, 0], [12, 4], [0, 4]]}]\n"
            "exits: [{name: door, line: [[12, 1], [12, 3]]}]\n"
            "people: [{positions: [[1, 2], [3, 2]], velocity: [1.5, 0], speed: 1.5, to: door,\n"
            "          aim: middle}]\n"
            "output: {every: 0.1, trajectories: true}\n");
  run(&scene, 0);
  pc_scene_free(&scene);
  char path[100], line[200];
  strcpy(path, in_folder("run-trajectories.txt"));
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  bool metres;
  double rate = read_rate(file, &metres);
  assert_true(metres);
  assert_near(rate, 1 / 0.09, 1e-9);
  long rows = 0, last[2] = {-1, -1};
  step_of s;
  while (fgets(line, sizeof line, file) != NULL)
    if (read_step(line, &s)) {
      assert_true(s.id == 1 || s.id == 2);
      assert_int_equal(s.frame, last[s.id - 1] + 1); // once each, one after the other
      last[s.id - 1] = s.frame;
      assert_near(s.x, 2 * s.id - 1 + 1.5 * (double)s.frame / rate, 1e-9);
      assert_near(s.y, 2, 1e-9);
      rows++;
    }
  fclose(file);
  assert_int_equal(rows, 2 * 34); // 0 to 2.97 s
}

// A run with one thread and with two, of people enough that they share them.
static void threads_change_nothing(void **state)
{
  enum { PEOPLE = 600 };
  static double end[2][PEOPLE][6];
  int out[2];
  for (int k = 0; k < 2; k++) {
    pc_scene scene = parse("kind: crowd\nduration: 1\nstep: 0.01\nuntil: duration\n"
                           "floors: [{outline: [[0, 0], [30, 0], [30, 10], [0, 10]]}]\n"
                           "exits: [{name: door, line: [[0, 0], [30, 0]]}]\n"
                           "people: [{name: all, count: 600, to: door}]\noutput: {every: 0.05}\n");
    pc_run_summary summary = run(&scene, k + 1);
    out[k] = PEOPLE - summary.inside;
    for (int i = 0; i < PEOPLE; i++) {
      pc_person_state p;
      pc_crowd_person(scene.crowd, i, &p);
      const double own[] = {p.position[0], p.position[1], p.velocity[0],
                            p.velocity[1], p.push_sum,    p.exit_time};
      memcpy(end[k][i], own, sizeof own);
    }
    pc_scene_free(&scene);
  }
  assert_true(out[0] > 10);
  assert_int_equal(out[0], out[1]);
  assert_memory_equal(end[0], end[1], sizeof end[0]);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(who_does_not_fit_is_counted),
      cmocka_unit_test(what_is_wrong_is_said_with_its_place),
      cmocka_unit_test(places_beyond_the_walls_are_passed_over),
      cmocka_unit_test(too_many_people_are_told),
      cmocka_unit_test(kinds_are_told_apart),
      cmocka_unit_test(garbled_files_are_refused_or_read),
      cmocka_unit_test(wkt_is_the_same_plan),
      cmocka_unit_test(everybody_starts_inside),
      cmocka_unit_test(people_stay_together),
      cmocka_unit_test(draws_are_distributed_as_asked),
      cmocka_unit_test(the_seed_decides),
      cmocka_unit_test(times_of_exits_are_those_of_walking),
      cmocka_unit_test(people_start_on_landings),
      cmocka_unit_test(a_run_may_go_on_when_all_are_out),
      cmocka_unit_test(what_is_written_agrees),
      cmocka_unit_test(trajectories_are_read_as_pedpy_reads_them),
      cmocka_unit_test(threads_change_nothing),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
