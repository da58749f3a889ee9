// Plans of buildings in files of other programs: one plan in every format gives one run, wherever
// on earth it is; and what is wrong with a file is said with its line.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "percuss/scene.h"

#define HEAD "kind: crowd\nduration: 30\nstep: 0.01\n"
#define DOOR "exits: [{name: door, line: [[6, 1], [6, 2]]}]\n"
#define WALKERS "people: [{count: 12, radius: {uniform: [0.2, 0.25]}, to: %s}]\n"

enum { PEOPLE = 12, STEPS = 150 };

// Where people are after STEPS steps in a building; `rest` is the scene without its people.
static void walk(const char *rest, const char *to, double end[PEOPLE][2])
{
  char text[4000], path[200];
  pc_scene scene;
  pc_error error = {.text = ""};
  snprintf(text, sizeof text, HEAD "%s" WALKERS, rest, to);
  strcpy(path, in_folder("scene.yaml"));
  assert_ok(pc_scene_parse(path, text, &scene, &error), &error);
  assert_int_equal(pc_crowd_people(scene.crowd), PEOPLE);
  for (int i = 0; i < STEPS; i++)
    assert_int_equal(pc_crowd_step(scene.crowd, 0.02), PC_OK);
  for (int i = 0; i < PEOPLE; i++) {
    pc_person_state p;
    pc_crowd_person(scene.crowd, i, &p);
    memcpy(end[i], p.position, sizeof p.position);
  }
  pc_scene_free(&scene);
}

#define RINGS "[[[0, 0], [6, 0], [6, 4], [0, 4], [0, 0]], [[1, 1], [2, 1], [2, 2], [1, 1]]]"
#define SHAPE "{\"type\": \"Polygon\", \"coordinates\": " RINGS "}"
#define FAR                                                                                        \
  "{\"type\": \"MultiPolygon\", \"coordinates\": [[[[2600000.0, 1200000.0], [2600006.0, "          \
  "1200000.0], [2600006.0, 1200004.0], [2600000.0, 1200004.0], [2600000.0, 1200000.0]], "          \
  "[[2600001.0, 1200001.0], [2600002.0, 1200001.0], [2600002.0, 1200002.0], [2600001.0, "          \
  "1200001.0]]]]}"

// With and without heights, as a geometry, a feature, one of several or a part of a collection.
static void geojson_is_the_same_plan(void **state)
{
  static const char *const plans[] = {
      "{wkt: 'POLYGON ((0 0, 6 0, 6 4, 0 4, 0 0), (1 1, 2 1, 2 2, 1 1))'}",
      "{geojson: '" SHAPE "'}",
      "{geojson: plan.geojson}",
      "{geojson: {file: plan.geojson}}",
      "{geojson: {file: storeys.geojson, property: level, value: 1}}",
      "{geojson: {file: storeys.geojson, property: name, value: \"ground, west\"}}",
      "{geojson: far.geojson, origin: [2600000, 1200000]}",
      "{wkt: 'POLYGON ((100 0, 106 0, 106 4, 100 4, 100 0), (101 1, 102 1, 102 2, 101 1))', "
      "origin: [100, 0]}"};
  write_file("plan.geojson",
             "{\"type\":\"FeatureCollection\",\n\"features\":[{\"type\":\"Feature\",\n"
             "\"properties\":null,\"geometry\":{\"type\":\"GeometryCollection\",\"geometries\":[\n"
             "{\"type\":\"Polygon\",\"coordinates\":[[[0,0,3],[6.0,0,3],[6e0,4,3],[0,4,3],[0,0,3]],"
             "[[1,1,3],[2,1,3],[2,2,3],[1,1,3]]]}]}}]}\n");
  write_file("storeys.geojson",
             "{\"type\": \"FeatureCollection\", \"features\": [{\"type\": \"Feature\", "
             "\"properties\": {\"level\": 0}, \"geometry\": {\"type\": \"Polygon\", "
             "\"coordinates\": [[[0, 0], [1, 0], [1, 1], [0, 0]]]}},\n{\"type\": \"Feature\", "
             "\"properties\": {\"level\": \"1\", \"name\": \"ground, west\"}, \"geometry\": " SHAPE
             "}, {\"type\": \"Feature\", \"properties\": {}, \"geometry\": null}]}");
  write_file("far.geojson", FAR);
  double end[8][PEOPLE][2];
  for (int k = 0; k < 8; k++) {
    char text[1000];
    snprintf(text, sizeof text, "floors: [%s]\n%s", plans[k], DOOR);
    walk(text, "door", end[k]);
    assert_memory_equal(end[k], end[0], sizeof end[0]);
  }
}

// In national coordinates numbers have 0.5 nm; the run is the same but for what that makes of it.
// People rebound here: those who are stopped by others have a speed of 0 but for round-off, and
// whether they count as coming or going depends on its sign.
#define REBOUND "contact: {law: {normal: {kind: quadratic, k: 1e5}}}\n"
static void a_plan_may_be_far_away(void **state)
{
  double near[PEOPLE][2], away[PEOPLE][2];
  write_file("far.geojson", FAR);
  walk(REBOUND "floors: [{geojson: '" SHAPE "'}]\n" DOOR, "door", near);
  walk(REBOUND "floors: [{geojson: far.geojson}]\n"
               "exits: [{name: door, line: [[2600006, 1200001], [2600006, 1200002]]}]\n",
       "door", away);
  double most = 0;
  for (int i = 0; i < PEOPLE; i++)
    for (int k = 0; k < 2; k++)
      most = fmax(most, fabs(away[i][k] - near[i][k] - (k == 0 ? 2600000.0 : 1200000.0)));
  print_message("difference after %d steps: %g m\n", STEPS, most);
  assert_true(most < 1e-6);
}

// Two rooms and a stair hall on two floors, turned and rounded: lines of stairs differ in length by
// up to a millimetre, corners are beside the edges of their neighbours.
static void write_turned(char *text, size_t size, double angle, int decimals)
{
  static const double rooms[3][2][2] = {
      {{0, 0}, {6, 5}}, {{6, 1.3}, {8, 3.1}}, {{8, 0.4}, {14, 5}}};
  static const double lines[3][2][2] = {
      {{14, 3.4}, {14, 2}}, {{0, 2.5}, {0, 1.1}}, {{14, 2.3}, {14, 3.6}}}; // from, to, exit
  double c = cos(angle), s = sin(angle);
  char plan[2000] = "MULTIPOLYGON (";
#define TURN(x, y) decimals, 500 + c *((x)-7) - s *((y)-3), decimals, 200 + s *((x)-7) + c *((y)-3)
  for (int r = 0; r < 3; r++) {
    const double *a = rooms[r][0], *b = rooms[r][1];
    const double corner[5][2] = {
        {a[0], a[1]}, {b[0], a[1]}, {b[0], b[1]}, {a[0], b[1]}, {a[0], a[1]}};
    strcat(plan, r == 0 ? "((" : ", ((");
    for (int i = 0; i < 5; i++)
      snprintf(plan + strlen(plan), sizeof plan - strlen(plan), "%s%.*f %.*f", i > 0 ? ", " : "",
               TURN(corner[i][0], corner[i][1]));
    strcat(plan, "))");
  }
  strcat(plan, ")");
  char line[3][200];
  for (int i = 0; i < 3; i++)
    snprintf(line[i], sizeof line[i], "[[%.*f, %.*f], [%.*f, %.*f]]",
             TURN(lines[i][0][0], lines[i][0][1]), TURN(lines[i][1][0], lines[i][1][1]));
#undef TURN
  snprintf(text, size,
           "kind: crowd\nduration: 300\nstep: 0.025\nfloors: [{name: high, wkt: '%s'}, {name: low, "
           "wkt: '%s'}]\nstairs: [{from: {floor: high, line: %s}, to: {floor: low, line: %s}, "
           "length: 4, rise: -2.5}]\nexits: [{name: door, floor: low, line: %s}]\n"
           "people: [{count: 30, floor: high, to: door, radius: {uniform: [0.2, 0.25]}}]\n",
           plan, plan, line[0], line[1], line[2]);
}

static void turned_plans_are_the_same_building(void **state)
{
  static const double angles[] = {0, 0.5235987755982988, 1.1, 2.4, 3.4906585039886591};
  char *text = malloc(10000);
  assert_non_null(text);
  double upright = 0;
  for (int k = 0; k < 9; k++) {
    pc_scene scene;
    pc_error error = {.text = ""};
    int decimals = k % 2 == 0 ? 6 : 3;
    write_turned(text, 10000, angles[(k + 1) / 2], decimals);
    if (pc_scene_parse(in_folder("scene.yaml"), text, &scene, &error) != PC_OK)
      fail_msg("%g, %d decimals: %s", angles[(k + 1) / 2], decimals, error.text);
    double last = 0;
    for (int n = 0; n < 8000 && pc_crowd_inside(scene.crowd) > 0; n++) {
      assert_int_equal(pc_crowd_step(scene.crowd, 0.025), PC_OK);
      last = pc_world_time(scene.world);
    }
    assert_int_equal(pc_crowd_inside(scene.crowd), 0);
    pc_scene_free(&scene);
    upright = k == 0 ? last : upright;
    print_message("turned by %g, %d decimals: %.1f s\n", angles[(k + 1) / 2], decimals, last);
    assert_true(fabs(last - upright) < 0.15 * upright); // people start elsewhere
  }
  free(text);
}

#define UNITS(unit) "0\nSECTION\n2\nHEADER\n9\n$INSUNITS\n70\n" unit "\n0\nENDSEC\n"
#define ENTITIES(text) "0\nSECTION\n2\nENTITIES\n" text "0\nENDSEC\n0\nEOF\n"
#define POINT(x, y) "10\n" x "\n20\n" y "\n"
#define LINE(layer, x, y, z, w) "0\nLINE\n8\n" layer "\n" POINT(x, y) "11\n" z "\n21\n" w "\n"
#define EXIT(unit) LINE("Exit", "6" unit, "1" unit, "6" unit, "2" unit)
#define VERTEX(x, y) "0\nVERTEX\n8\n0\n" POINT(x, y)
#define HEAVY(layer) "0\nPOLYLINE\n8\n" layer "\n66\n1\n" POINT("0", "0") "70\n1\n"
#define LIGHT(layer, count) "0\nLWPOLYLINE\n100\nAcDbEntity\n8\n" layer "\n90\n" count "\n70\n1\n"

// In millimetres, centimetres and metres; as a polyline of either kind, as lines in any order and
// direction, some of them twice, and as a block that is turned, scaled and moved.
static void dxf_is_the_same_plan(void **state)
{
  static const char mm[] = UNITS("4")
      ENTITIES(LIGHT("FLOOR", "4") POINT("0", "0") POINT("6000.0", "0") POINT("6000", "4000")
                   POINT("0", "4e3") LIGHT("hole", "3") POINT("1000", "1000") POINT("2000", "1000")
                       POINT("2000", "2000") EXIT("000"));
  static const char cm[] = "999\na comment\n" UNITS("6")
      ENTITIES(HEAVY("FLOOR") VERTEX("0", "0") VERTEX("600", "0") VERTEX("600", "400")
                   VERTEX("0", "400") "0\nSEQEND\n" HEAVY("hole") VERTEX("100", "100")
                       VERTEX("200", "100") VERTEX("200", "200") "0\nSEQEND\n8\n0\n" EXIT("00"));
  static const char lines[] = UNITS("6") ENTITIES(
      LINE("FLOOR", "0", "0", "6", "0") LINE("FLOOR", "0", "4", "0", "0")
          LINE("FLOOR", "6", "4", "6", "0") LINE("FLOOR", "6", "4", "0", "4")
              LINE("FLOOR", "6", "0", "0", "0") LINE("hole", "1", "1", "2", "1")
                  LINE("hole", "2", "1", "2", "2") LINE("hole", "1", "1", "2", "2") EXIT(""));
  // A quarter turn to the left, twice as large, from (1, 7): (x, y) -> (6 - 2 (y - 7), 2 (x - 1))
  static const char block[] = UNITS("6") "0\nSECTION\n2\nBLOCKS\n0\nBLOCK\n8\n0\n2\nroom\n" POINT(
      "1", "7") LIGHT("0", "4") POINT("1", "10") POINT("1", "7") POINT("3", "7") POINT("3", "10")
      LIGHT("hole", "3") POINT("1.5", "9.5") POINT("1.5", "9")
          POINT("2", "9") "0\nENDBLK\n8\n0\n0\nENDSEC\n" ENTITIES(
              "0\nINSERT\n8\nFLOOR\n2\nROOM\n" POINT("6", "0") "41\n2\n42\n2\n50\n90\n" EXIT(""));
  static const struct {
    const char *text, *more;
  } files[] = {{mm, ""}, {cm, ", unit: cm"}, {lines, ""}, {block, ""}};
  double end[5][PEOPLE][2];
  walk("floors: [{wkt: 'POLYGON ((0 0, 6 0, 6 4, 0 4, 0 0), (1 1, 2 1, 2 2, 1 1))'}]\n"
       "exits: [{name: exit-1, line: [[6, 1], [6, 2]]}]\n",
       "exit-1", end[0]);
  for (int k = 0; k < 4; k++) {
    char text[400];
    write_file("plan.dxf", files[k].text);
    snprintf(text, sizeof text,
             "floors: [{dxf: {file: plan.dxf, outline: floor, obstacles: [Hole], exits: "
             "EXIT%s}}]\n",
             files[k].more);
    walk(text, "Exit-1", end[k + 1]);
    if (memcmp(end[k + 1], end[0], sizeof end[0]) != 0)
      fail_msg("file %d: another run", k);
  }
}

// Lines that follow each other are one wall, whatever their order; a door is a gap in it.
static void dxf_walls_are_walls(void **state)
{
  write_file("walls.dxf",
             UNITS("6") ENTITIES(LINE("W", "6", "4", "0", "4") LINE("W", "6", "1", "6", "0")
                                     LINE("W", "0", "0", "6", "0") LINE("W", "6", "2", "6", "4")
                                         LINE("W", "0", "0", "0", "4")
                                             LINE("E", "6", "1", "6", "2") "0\nTEXT\n8\nE\n" POINT(
                                                 "7", "1.5") "40\n0.2\n1\nt\\U+00fcr\n"));
  write_file("doors.dxf",
             UNITS("6") ENTITIES(LINE("W", "6", "4", "0", "4") LINE("W", "6", "4", "6", "0")
                                     LINE("W", "0", "0", "6", "0") LINE("W", "0", "0", "0", "4")
                                         LINE("D", "6", "1", "6", "2") "0\nARC\n8\nD\n" POINT(
                                             "6", "1") "40\n1\n50\n0\n51\n90\n"));
  double end[3][PEOPLE][2];
  walk("floors: [{walls: [{points: [[6, 1], [6, 0], [0, 0], [0, 4], [6, 4], [6, 2]]}]}]\n"
       "exits: [{name: door, line: [[6, 1], [6, 2]]}]\n",
       "door", end[0]);
  walk("floors: [{dxf: {file: walls.dxf, walls: W, exits: E}}]\n", "t\xc3\xbcr", end[1]);
  walk("floors: [{dxf: {file: doors.dxf, walls: W, doors: D}}]\n"
       "exits: [{name: door, line: [[6, 1], [6, 2]]}]\n",
       "door", end[2]);
  for (int k = 1; k < 3; k++)
    for (int i = 0; i < PEOPLE; i++)
      for (int c = 0; c < 2; c++)
        assert_near(end[k][i][c], end[0][i][c], 1e-9);
}

static const struct {
  const char *floor, *complaint;
} geojson_wrong[] = {
    {"geojson: none.geojson", "none.geojson: cannot be opened"},
    {"geojson: '{\"type\": \"Polygon\"}'", "'geojson':1: the Polygon has no \"coordinates\""},
    {"geojson: '{\"coordinates\": []}'", "the GeoJSON object has no \"type\""},
    {"geojson: '{\"type\": \"Circle\"}'", "unknown type 'Circle': expected Polygon, MultiPolygon"},
    {"geojson: '{\"type\": \"Polygon\", \"coordinates\": [[[0, 0], [6, 0], [6, 4], [0, 4]]]}'",
     "the ring that starts at (0, 0) is not closed: it ends at (0, 4)"},
    {"geojson: '{\"type\": \"Polygon\", \"coordinates\": [[[0, 0], [6, 0], [0, 0]]]}'",
     "fewer than three corners"},
    {"geojson: '{\"type\": \"Polygon\", \"coordinates\": [[[0, 0], [6, x], [0, 0]]]}'",
     "expected a number, found 'x'"},
    {"geojson: '{\"type\": \"Polygon\", \"coordinates\": [[[0, 0], [6], [0, 0]]]}'",
     "expected a list of 2 to 4 numbers, found 1"},
    {"geojson: '{\"type\": \"Polygon\", \"coordinates\": [[]]}'", "a ring has no points"},
    {"geojson: '{\"type\": \"Polygon\", \"coordinates\": [[[7.44, 46.94], [7.441, 46.94], [7.441, "
     "46.941], [7.44, 46.94]]]}'",
     "the whole plan measures 0.001 x 0.001; coordinates must be in metres"},
    {"geojson: '{\"type\": \"Polygon\", \"crs\": {\"type\": \"name\", \"properties\": {\"name\": "
     "\"urn:ogc:def:crs:OGC:1.3:CRS84\"}}, \"coordinates\": " RINGS "}'",
     "the coordinates are in degrees ('urn:ogc:def:crs:OGC:1.3:CRS84'), but a plan needs metres"},
    {"geojson: '{\"type\": \"LineString\", \"coordinates\": [[0, 0], [1, 1]]}'",
     "it contains no polygon"},
    {"geojson: {file: plan.geojson, property: level, value: 7}",
     "no feature with this property has a polygon"},
    {"geojson: {file: plan.geojson, property: level}", "'property' requires 'value'"},
    {"geojson: '{\"type\": \"Feature\"}'", "the Feature has no \"geometry\""},
    {"geojson: '{\"type\": \"FeatureCollection\", \"features\": [{\"type\": \"Polygon\"}]}'",
     "feature 1: its type is 'Polygon', not Feature"},
    {"geojson: '{\"type\": \"Polygon\", \"coordinates\": [[[0, 0]]'", "'geojson':1:"},
    {"geojson: '{\"a\": &a [[0, 0], [6, 0], [6, 4], [0, 0]], \"b\": &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,"
     "*a,*a,*a,*a], \"type\": \"MultiPolygon\", \"coordinates\": [*b,*b,*b,*b,*b,*b,*b,*b,*b]}'",
     "aliases repeat the parts of the file too often"},
    {"geojson: [1]", "expected a text, found a list"},
};

static void expect_complaint(const char *floor, const char *complaint)
{
  char text[4000], path[200];
  pc_scene scene;
  pc_error error = {.text = ""};
  snprintf(text, sizeof text, HEAD "floors: [{%s}]\n" DOOR WALKERS, floor, "door");
  strcpy(path, in_folder("scene.yaml"));
  assert_int_equal(pc_scene_parse(path, text, &scene, &error), PC_ERROR_INPUT);
  if (strstr(error.text, complaint) == NULL)
    fail_msg("%s\n  says: %s\n  not:  %s", floor, error.text, complaint);
}

static void wrong_geojson_is_explained(void **state)
{
  write_file("plan.geojson", "{\"type\": \"Feature\", \"properties\": {\"level\": 1}, "
                             "\"geometry\": " SHAPE "}");
  for (size_t i = 0; i < sizeof geojson_wrong / sizeof *geojson_wrong; i++)
    expect_complaint(geojson_wrong[i].floor, geojson_wrong[i].complaint);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(geojson_is_the_same_plan),
      cmocka_unit_test(turned_plans_are_the_same_building),
      cmocka_unit_test(a_plan_may_be_far_away),
      cmocka_unit_test(dxf_is_the_same_plan),
      cmocka_unit_test(dxf_walls_are_walls),
      cmocka_unit_test(wrong_geojson_is_explained),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
