// Tables from spreadsheets and other languages: whatever separates cells and decimals, the numbers
// are the same; where it cannot be known, the message names the cell.
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/input_file.h"
#include "folder.h"
#include "geometry/pose.h"
#include "geometry/shape.h"
#include "percuss/scene.h"
#include "record/csv.h"

// Four points of the plane z = 1.5 + x / 2 - y / 4, 2 m apart.
static double read_height(const char *name, const char *text, double x, double y)
{
  static const double here[3], upright[4] = {1};
  pc_pose pose = pc_pose_of(here, upright);
  pc_error error = {.status = PC_OK};
  double low, high = NAN;
  write_file(name, text);
  pc_shape *shape = pc_shape_heights_file(in_folder(name), &error);
  if (shape == NULL)
    fail_msg("%s: %s", text, error.text);
  assert_true(pc_shape_column(shape, &pose, x, y, &low, &high));
  pc_shape_release(shape);
  return high;
}

static void decimal_commas_are_understood_where_commas_do_not_separate(void **state)
{
  (void)state;
  static const char *const points[] = {
      "0.5 0.5 1.625\n2.5 0.5 2.625\n0.5 2.5 1.125\n2.5 2.5 2.125\n",
      "0.5,0.5,1.625\n2.5,0.5,2.625\n0.5,2.5,1.125\n2.5,2.5,2.125\n",
      "0.5, 0.5, 1.625\n2.5, 0.5, 2.625\n0.5, 2.5, 1.125\n2.5, 2.5, 2.125\n",
      "0,5 0,5 1,625\n2,5 0,5 2,625\n0,5 2,5 1,125\n2,5 2,5 2,125\n",
      "0,5;0,5;1,625\n2,5;0,5;2,625\n0,5;2,5;1,125\n2,5;2,5;2,125\n",
      "0,5; 0,5; 1,625;\n2,5; 0,5; 2,625;\n0,5; 2,5; 1,125;\n2,5; 2,5; 2,125;\n",
      "0,5\t0,5\t1,625\n2,5\t0,5\t2,625\n0,5\t2,5\t1,125\n2,5\t2,5\t2,125\n",
      "x;y;z\r\n0,5;0,5;1,625\r\n2,5;0,5;2,625\r\n0,5;2,5;1,125\r\n2,5;2,5;2,125\r\n",
      ("x,y,z\n\"0,5\",\"0,5\",\"1,625\"\n\"2,5\",\"0,5\",\"2,625\"\n\"0,5\",\"2,5\",\"1,125\"\n"
       "\"2,5\",\"2,5\",\"2,125\"\n")};
  for (size_t i = 0; i < sizeof points / sizeof *points; i++)
    assert_true(fabs(read_height("p.xyz", points[i], 1, 2) - 1.5) < 1e-12);
  static const char *const grids[] = {
      "ncols 2\nnrows 2\nxllcenter 0.5\nyllcenter 0.5\ncellsize 2\n1.125 2.125\n1.625 2.625\n",
      "ncols 2\nnrows 2\nxllcenter 0,5\nyllcenter 0,5\ncellsize 2,0\n1,125 2,125\n1,625 2,625\n",
      "ncols;2\nnrows;2\nxllcenter;0,5\nyllcenter;0,5\ncellsize;2\n1,125;2,125\n1,625;2,625\n",
      "ncols 2\nnrows 2\nxllcenter 0.5\nyllcenter 0.5\ncellsize 2\n1.125,2.125\n1.625,2.625\n"};
  for (size_t i = 0; i < sizeof grids / sizeof *grids; i++)
    assert_true(fabs(read_height("g.asc", grids[i], 1, 2) - 1.5) < 1e-12);
}

static void what_cannot_be_known_is_named(void **state)
{
  (void)state;
  static const struct {
    const char *name, *text, *message;
  } wrong[] = {
      {"p.xyz", "x,y,z\n0,5,0,5,1,5\n",
       "p.xyz:2: expected 3 numbers, x, y and height, got 6: '0,5' "},
      {"p.xyz", "0 0 1\n0 1 2\n1 0 1,5\n1 1 1.5\n", "p.xyz:4: "},
      {"p.xyz", "0;0;1\n0;1;\n", "p.xyz:2: a point needs three numbers"},
      {"p.xyz", "0;0;1\n0;;1\n", "p.xyz:2: a point needs three numbers"},
      {"p.xyz", "0 0 1\n0 1,5,2\n", "p.xyz:2: "},
      {"g.asc", "ncols 2\nnrows 2\nxllcenter 0\nyllcenter 0\ncellsize 1\n1,5,2,5\n0,5,1,5\n",
       "g.asc:6: expected 2 heights, got 4: '1,5' counts as two in a table separated by commas"},
      {"g.asc", "ncols 2\nnrows 2\nxllcenter 0.5\nyllcenter 0\ncellsize 1\n1,5 2\n0 1\n",
       "g.asc:6: "}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    pc_error error = {.status = PC_OK};
    write_file(wrong[i].name, wrong[i].text);
    assert_null(pc_shape_heights_file(in_folder(wrong[i].name), &error));
    if (strstr(error.text, wrong[i].message) == NULL)
      fail_msg("%s: %s", wrong[i].text, error.text);
  }
}

// The same state of a body, whatever separates the cells of its table.
static void tables_of_states_have_any_separator(void **state)
{
  (void)state;
  static const char head[] = "x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz,name\n",
                    row[] = "1.5,2,3,1,0,0,0,-0.25,0,0,0,0,0,the ball\n";
  write_file("s.yaml", "kind: rigid\nduration: 1\nstep: 1\nstart: t.csv\nbodies: [{name: the ball, "
                       "shape: {type: sphere, radius: 1}, position: [0, 0, 0]}]\n");
  for (int i = 0; i < 6; i++) {
    char text[400];
    bool decimal = i > 2; // commas
    char separator = ",;\t;\t "[i];
    snprintf(text, sizeof text, "%s%s", head, row);
    for (char *c = text; *c != 0; c++)
      *c = *c == ',' ? separator : *c == '.' && decimal ? ',' : *c;
    write_file("t.csv", text);
    pc_scene scene;
    pc_body_state at;
    pc_error error = {.status = PC_OK};
    if (pc_scene_read(in_folder("s.yaml"), &scene, &error) != PC_OK)
      fail_msg("%s: %s", text, error.text);
    pc_body_get(scene.world, (pc_body){1}, &at);
    assert_true(at.position[0] == 1.5 && at.position[1] == 2 && at.velocity[0] == -0.25);
    pc_scene_free(&scene);
  }
  pc_scene scene;
  pc_error error = {.status = PC_OK};
  write_file("t.csv", "x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz,name\n"
                      "1,5,2,3,1,0,0,0,-0,25,0,0,0,0,0,the ball\n");
  assert_int_equal(pc_scene_read(in_folder("s.yaml"), &scene, &error), PC_ERROR_INPUT);
  if (strstr(error.text, "t.csv:2: expected 14 cells, got 16: '1,5' counts as two in a table") ==
      NULL)
    fail_msg("%s", error.text);
}

static void columns_are_read_by_their_names(void **state)
{
  (void)state;
  static const char *const texts[] = {"time [s],a,b [m]\n0,1.5,nan\n0.5,2,-3e4\n",
                                      "time [s];a;b [m]\n0;1,5;nan\n0,5;2;-3e4\n",
                                      "time [s]\ta\tb [m]\n0\t1.5\tnan\n0.5\t2\t-3e4\n"};
  for (int i = 0; i < 3; i++) {
    pc_csv_column column[2] = {{.name = "b"}, {.name = "time"}};
    pc_error error = {.status = PC_OK};
    double *values;
    long rows;
    write_file("c.csv", texts[i]);
    if (pc_csv_read(in_folder("c.csv"), 2, column, &values, &rows, &error) != PC_OK)
      fail_msg("%s", error.text);
    assert_int_equal(rows, 2);
    assert_true(isnan(values[0]) && values[1] == 0 && values[2] == -3e4 && values[3] == 0.5);
    free(values);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(decimal_commas_are_understood_where_commas_do_not_separate),
      cmocka_unit_test(what_cannot_be_known_is_named),
      cmocka_unit_test(tables_of_states_have_any_separator),
      cmocka_unit_test(columns_are_read_by_their_names),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
