// What is odd in a scene is said, once and with its place, and stops nothing; what is not odd is
// not said. GeoTIFF files are read by the program that is found in the PATH.
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folder.h"
#include "geometry/pose.h"
#include "geometry/shape.h"
#include "percuss/scene.h"

#define HEAD "kind: rigid\nduration: 1\nstep: 1e-3\n"
#define BALL "bodies: [{name: a, shape: {type: sphere, radius: 0.1}, position: [1, 1, 5]}]\n"

// Reads a scene; gives its only warning, "" without one, and fails with several.
static const char *warning_of(const char *text)
{
  static char kept[600];
  pc_scene scene;
  pc_error error = {.status = PC_OK};
  if (pc_scene_parse(in_folder("s.yaml"), text, &scene, &error) != PC_OK)
    fail_msg("%s\n%s", text, error.text);
  if (scene.warning_count > 1)
    fail_msg("%s\n%s\n%s", text, scene.warnings[0], scene.warnings[1]);
  snprintf(kept, sizeof kept, "%s", scene.warning_count == 1 ? scene.warnings[0] : "");
  pc_scene_free(&scene);
  const char *name = strstr(kept, "s.yaml:");
  return name != NULL ? name : kept;
}

static void assert_warns(const char *text, const char *warning)
{
  const char *got = warning_of(text);
  if (*warning == 0 ? *got != 0 : strstr(got, warning) != got)
    fail_msg("%s\n'%s', not '%s'", text, got, warning);
}

static void units_that_look_wrong_are_named(void **state)
{
  (void)state;
  assert_warns(HEAD BALL, "");
  assert_warns(
      HEAD BALL "materials: [{name: m, density: 2.6}]\n",
      "s.yaml:5: 'density': 2.6 kg/m^3 is lower than that of any solid; if the value is in "
      "g/cm^3, write 2600");
  assert_warns(HEAD BALL "materials:\n  - name: m\n    density: 2.6e6\n",
               "s.yaml:7: 'density': 2.6e+06 kg/m^3 is higher than that of any solid; if the value "
               "is in g/m^3, write 2600");
  assert_warns(HEAD BALL "materials: [{name: a, density: 20}, {name: b, density: 22600}]\n", "");
  assert_warns("kind: rigid\nduration: 1\nstep: 1e-3\ndimension: 2\nmaterials: [{name: m, density: "
               "2.6}]\nbodies: [{shape: {type: disc, radius: 0.1}, position: [1, 1]}]\n",
               ""); // kg/m2
  assert_warns(
      "kind: rigid\nduration: 1\nstep: 1e-6\ngravity: [0, 0, -9810]\n" BALL,
      "s.yaml:4: 'gravity': 9810 m/s^2 is very large; if the value is in mm/s^2, write 9.81");
  assert_warns(
      HEAD "bodies:\n  - {shape: {type: sphere, radius: 9}, position: [0, 0, 9]}\n  - "
           "{name: b, shape: {type: box, size: [1000, 2, 2]}, position: [0, 50, 9]}\n",
      "s.yaml:6: 1 body is larger than 100 m ('b': 1000 m); check the unit: lengths are in m");
  assert_warns(HEAD "gravity: [0, 0, 0]\nbodies: [{shape: {type: sphere, radius: 1e6}, position: "
                    "[0, 0, 0]}]\n",
               ""); // a moon
  assert_warns(HEAD BALL "obstacles: [{shape: {type: box, size: [9e3, 9e3, 1]}}]\n", "");
}

// A ball of 0.2 m: at 199 m/s it moves just less than that in 1 ms, at 201 m/s more.
static void long_steps_are_named(void **state)
{
  (void)state;
  assert_warns("kind: rigid\nduration: 1\nstep: 1e-3\nbodies:\n  - {name: a, shape: {type: sphere, "
               "radius: 0.1}, position: [0, 0, 0], velocity: [199, 0, 0]}\n",
               "");
  assert_warns(
      "kind: rigid\nduration: 1\nstep: 1e-3\nbodies:\n  - {name: a, shape: {type: sphere, "
      "radius: 0.1}, position: [0, 0, 0], velocity: [201, 0, 0]}\n",
      "s.yaml:3: the step of 0.001 s is long: 1 body moves more than its size in one step, 'a'");
  assert_warns(
      "kind: rigid\nduration: 9\nstep: 1\n" BALL,
      "s.yaml:3: the step of 1 s is long: 1 body moves more than its size in one step, 'a' 49");
}

#define MESH                                                                                       \
  "obstacles: [{name: g, shape: {type: mesh, vertices: [[0, 0, 0], [9, 0, 0], [9, 9, 0], [0, 9, "  \
  "0]], triangles: "

static void grounds_that_look_down_are_named(void **state)
{
  (void)state;
  assert_warns(HEAD BALL MESH "[[0, 1, 2], [0, 2, 3]]}}]\n", "");
  assert_warns(HEAD BALL MESH "[[0, 2, 1], [0, 3, 2]]}}]\n",
               "s.yaml:5: the triangles of 'g' face down");
  assert_warns(HEAD BALL MESH "[[0, 1, 2], [0, 2, 3]]}, orientation: {axis: [1, 0, 0], degrees: "
                              "180}}]\n",
               "s.yaml:5: the triangles of 'g' face down");
  // A ceiling is above all bodies.
  assert_warns(HEAD BALL MESH "[[0, 2, 1], [0, 3, 2]]}, position: [0, 0, 8]}]\n", "");
  // The faces of a closed one look everywhere.
  assert_warns(HEAD BALL "obstacles: [{shape: {type: mesh, vertices: [[0, 0, 0], [1, 0, 0], [0, 1, "
                         "0], [0, 0, 1]], triangles: [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, "
                         "2]]}}]\n",
               "");
}

#define TERRAIN HEAD BALL "obstacles: [{name: t, shape: {type: heights, file: t.asc}}]\n"
#define GRID "ncols 4\nnrows 3\nxllcenter 10\nyllcenter 20\ncellsize 2\n"

static void terrains_say_what_is_missing(void **state)
{
  (void)state;
  write_file("t.asc", GRID "0 0 0 0\n0 0 0 0\n0 0 0 0\n");
  assert_warns(TERRAIN, "");
  write_file("t.asc", GRID "0 0 0 0\n0 -9999 0 0\n0 0 -9999 0\n");
  assert_warns(TERRAIN, "s.yaml:5: 2 of 12 heights of 't' are missing, between (12, 20) and (14, "
                        "22); bodies fall through these holes");
  write_file("t.asc", GRID "0 0 0 0\n0 0 0 0\n0 0 0 0\n");
  write_file("t.prj",
             "PROJCS[\"p\",GEOGCS[\"g\",UNIT[\"Degree\",0.0174532925199433]],UNIT[\"Foot_US\","
             "0.3048006096]]");
  assert_warns(TERRAIN, "s.yaml:5: the coordinates of 't' are in units of 0.304801 m");
  write_file("t.prj", "PROJCS[\"p\",GEOGCS[\"g\",UNIT[\"Degree\",0.01745]],UNIT[\"Meter\",1.0]]");
  assert_warns(TERRAIN, "");
  write_file("t.prj", "COMPD_CS[\"c\",PROJCS[\"p\",GEOGCS[\"g\",UNIT[\"degree\",0.01745]],UNIT["
                      "\"metre\",1]],VERT_CS[\"v\",UNIT[\"foot\",0.3048]]]");
  assert_warns(TERRAIN, "s.yaml:5: the coordinates of 't' are in units of 0.3048 m");
  write_file("t.prj", "PROJCRS[\"p\",BASEGEOGCRS[\"g\",ANGLEUNIT[\"d\",0.01745]],PARAMETER[\"k\",1,"
                      "SCALEUNIT[\"unity\",2]],LENGTHUNIT[\"metre\",1]]");
  assert_warns(TERRAIN, "");
  write_file("t.prj", "LOCAL_CS[\"unnamed\",UNIT[\"unknown\",1.0]]");
  assert_warns(TERRAIN, "");
  write_file("t.prj", "GEOGCS[\"g\",UNIT[\"Degree\",0.0174532925199433]]");
  assert_warns(TERRAIN, "s.yaml:5: the coordinates of 't' are in degrees but are read as m");
  assert_int_equal(unlink(in_folder("t.prj")), 0);
}

// 10 x 10 cells of 1 m in a plane of this slope.
static void write_slope(double slope)
{
  FILE *file = fopen(in_folder("t.asc"), "w");
  assert_non_null(file);
  fprintf(file, "ncols 11\nnrows 11\nxllcenter 0\nyllcenter 0\ncellsize 1\n");
  for (int j = 0; j < 11; j++)
    for (int i = 0; i < 11; i++)
      fprintf(file, "%g%c", -slope * i, i < 10 ? ' ' : '\n');
  assert_int_equal(fclose(file), 0);
}

// tan 70 degrees = 2.747
static void terrains_that_are_too_steep_are_named(void **state)
{
  (void)state;
  write_slope(2.7);
  assert_warns(TERRAIN, "");
  write_slope(2.8);
  assert_warns(TERRAIN, "s.yaml:5: most of 't' is steeper than 70 degrees with cells 1 m wide");
}

// A ball of 0.2 m falls 20 m on a terrain and then moves at 19.8 m/s: 0.396 m in 0.02 s, 0.41 m in
// 0.021 s.
static void long_falls_are_named(void **state)
{
  (void)state;
  static const char scene[] =
      "kind: rigid\nduration: 1\nstep: %s\nobstacles: [{shape: {type: heights, "
      "spacing: 10, heights: [[0, 0], [0, 0]]}}]\nbodies: [{name: a, shape: "
      "{type: sphere, radius: 0.1}, position: [5, 5, 20.1]}]\n";
  char text[400];
  snprintf(text, sizeof text, scene, "0.02");
  assert_warns(text, "");
  snprintf(text, sizeof text, scene, "0.021");
  assert_warns(text,
               "s.yaml:3: the step of 0.021 s is long: bodies that fall 20 m reach 19.8 m/s and "
               "move 2.1 times the size of 'a' in a step; try a step of 0.002 s");
}

static void places_that_look_wrong_are_named(void **state)
{
  (void)state;
  assert_warns(HEAD BALL "output: {bounds: [[0, 0, 0], [2, 2, 6]]}\n", "");
  assert_warns(HEAD BALL "output: {bounds: [[0, 0, 0], [2, 2, 4]]}\n",
               "s.yaml:5: 1 of 1 bodies start outside 'bounds', 'a' at (1, 1, 5)");
  assert_warns(HEAD BALL
               "obstacles: [{name: w, shape: {type: box, size: [1, 1, 1]}, position: [99, 0, "
               "0]}]\n",
               "");
  assert_warns(HEAD BALL
               "obstacles: [{name: w, shape: {type: box, size: [1, 1, 1]}, position: [2.6e6, "
               "0, 0]}]\n",
               "s.yaml:5: 'w' is 2.6e+06 m away from all bodies");
}

// A mark of missing values that the header does not declare is a pit.
static void marks_of_missing_heights_are_named(void **state)
{
  (void)state;
  write_file("t.asc", "ncols 2\nnrows 2\nxllcenter 0\nyllcenter 0\ncellsize 1\nNODATA_value -99\n"
                      "0 -9999\n-9999 0\n");
  assert_warns(TERRAIN, "s.yaml:5: 2 heights of 't' are -9999 m or nearly so, which usually marks "
                        "missing values; if so, declare it in the file (NODATA_value -9999)");
  write_file("t.asc", "ncols 2\nnrows 2\nxllcenter 0\nyllcenter 0\ncellsize 1\n0 0\n0 -430\n");
  assert_warns(TERRAIN, ""); // the shore of the Dead Sea
}

static void laws_and_gravity_that_look_wrong_are_named(void **state)
{
  (void)state;
  assert_warns(
      HEAD BALL "default_law: {normal: {kind: inelastic}, tangential: {kind: coulomb, mu: "
                "30}}\n",
      "s.yaml:5: a coefficient of friction of 30 is larger than that of any material; for a "
      "friction angle of 30 degrees write its tangent, 0.577");
  assert_warns(HEAD BALL "default_law: {normal: {kind: inelastic}, tangential: {kind: coulomb, mu: "
                         "2}}\n",
               "");
  assert_warns(HEAD BALL "default_law: {normal: {kind: inelastic}, tangential: {kind: coulomb, mu: "
                         "1e6}}\n",
               ""); // on purpose
  assert_warns(HEAD BALL "gravity: [0, 0, 9.81]\n", "s.yaml:5: 'gravity' points up");
}

static void write_program(const char *text)
{
  write_file("gdal_translate", text);
  assert_int_equal(chmod(in_folder("gdal_translate"), 0755), 0);
}

static void geotiff_is_read_by_the_program_that_is_there(void **state)
{
  (void)state;
  char path[400], *old = strdup(getenv("PATH"));
  pc_error error = {.status = PC_OK};
  write_file("t.tif", "II*");
  assert_int_equal(setenv("PATH", "/nowhere", 1), 0);
  assert_null(pc_shape_heights_file(in_folder("t.tif"), &error));
  assert_int_equal(error.status, PC_ERROR_INPUT);
  assert_non_null(
      strstr(error.text, "convert the file elsewhere: gdal_translate -of AAIGrid t.tif t.asc"));
  snprintf(path, sizeof path, "%s:%s", folder, old);
  assert_int_equal(setenv("PATH", path, 1), 0);
  // As GDAL writes it: rows with a blank at their beginning, and the projection behind them.
  write_program(
      "#!/bin/sh\nprintf 'ncols 2\\nnrows 2\\nxllcorner 1\\nyllcorner 2\\ncellsize 2\\n 1 "
      "2\\n 3 4\\nLOCAL_CS[\"p\",UNIT[\"Meter\",1.0]]'\n");
  pc_shape *shape = pc_shape_heights_file(in_folder("t.tif"), &error);
  assert_non_null(shape);
  double low, high; // 3 at the south-west, 2 at the north-east: the diagonal has 2.5 in the middle
  pc_pose pose = pc_pose_of((double[3]){0}, (double[4]){1});
  assert_true(pc_shape_column(shape, &pose, 3, 4, &low, &high));
  assert_true(fabs(high - 2.5) < 1e-12);
  pc_shape_release(shape);
  write_program(
      "#!/bin/sh\nprintf 'ncols 2\\nnrows 2\\nxllcorner 1\\nyllcorner 2\\ndx 1\\ndy 2\\n'\n");
  assert_null(pc_shape_heights_file(in_folder("t.tif"), &error));
  assert_non_null(
      strstr(error.text, "t.tif: the cells must be square, but the file has dx and dy"));
  write_program("#!/bin/sh\nexit 1\n");
  assert_null(pc_shape_heights_file(in_folder("t.tif"), &error));
  assert_non_null(strstr(error.text, ": gdal_translate cannot read this file as GeoTIFF;"));
  assert_int_equal(setenv("PATH", old, 1), 0);
  free(old);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(units_that_look_wrong_are_named),
      cmocka_unit_test(long_steps_are_named),
      cmocka_unit_test(grounds_that_look_down_are_named),
      cmocka_unit_test(terrains_say_what_is_missing),
      cmocka_unit_test(terrains_that_are_too_steep_are_named),
      cmocka_unit_test(long_falls_are_named),
      cmocka_unit_test(places_that_look_wrong_are_named),
      cmocka_unit_test(marks_of_missing_heights_are_named),
      cmocka_unit_test(laws_and_gravity_that_look_wrong_are_named),
      cmocka_unit_test(geotiff_is_read_by_the_program_that_is_there),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
