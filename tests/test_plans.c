// Plans of buildings in files of other programs: one plan in every format gives one run, wherever
// on earth it is; and what is wrong with a file is said with its line.
#include <string.h>

#include "folder.h"
#include "percuss/scene.h"

#define HEAD "kind: crowd\nduration: 30\nstep: 0.01\n"
#define DOOR "exits: [{name: door, line: [[6, 1], [6, 2]]}]\n"
#define WALKERS "people: [{count: 12, to: door, radius: {uniform: [0.2, 0.25]}}]\n"

enum { PEOPLE = 12, STEPS = 150 };

// Where people are after STEPS steps in a building; `rest` is the scene without its people.
static void walk(const char *rest, double end[PEOPLE][2])
{
  char text[4000], path[200];
  pc_scene scene;
  pc_error error = {.text = ""};
  snprintf(text, sizeof text, "%s%s%s", HEAD, rest, WALKERS);
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
    walk(text, end[k]);
    assert_memory_equal(end[k], end[0], sizeof end[0]);
  }
}

// In national coordinates numbers have 0.5 nm; the run is the same but for what that makes of it.
static void a_plan_may_be_far_away(void **state)
{
  double near[PEOPLE][2], away[PEOPLE][2];
  write_file("far.geojson", FAR);
  walk("floors: [{geojson: '" SHAPE "'}]\n" DOOR, near);
  walk("floors: [{geojson: far.geojson}]\n"
       "exits: [{name: door, line: [[2600006, 1200001], [2600006, 1200002]]}]\n",
       away);
  double most = 0;
  for (int i = 0; i < PEOPLE; i++)
    for (int k = 0; k < 2; k++)
      most = fmax(most, fabs(away[i][k] - near[i][k] - (k == 0 ? 2600000.0 : 1200000.0)));
  print_message("difference after %d steps: %g m\n", STEPS, most);
  assert_true(most < 1e-6);
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
  snprintf(text, sizeof text, "%sfloors: [{%s}]\n%s%s", HEAD, floor, DOOR, WALKERS);
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
      cmocka_unit_test(a_plan_may_be_far_away),
      cmocka_unit_test(wrong_geojson_is_explained),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
