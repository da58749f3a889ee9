// The geometry of a floor beside its trajectories: areas by hand, whatever the floor is made of.
#include <string.h>

#include "folder.h"
#include "percuss/run.h"
#include "run/geometry.h"
#include "scene/wkt.h"

#define HEAD "kind: crowd\nduration: 0.1\nstep: 0.02\noutput: {trajectories: true}\n"
#define DOOR "exits: [{name: door, line: [[0, 1], [0, 2]]}]\n"
#define ONE "people: [{positions: [[0.5, 3.5]], to: door}]\n"

static double area_of(const pc_polygons *polygons)
{
  double sum = 0;
  for (int r = 0; r < polygons->rings.count; r++) {
    const pc_ring *ring = &polygons->rings.at[r];
    const double(*p)[2] = (const double(*)[2])polygons->points.at + ring->first;
    double own = 0;
    for (int i = 0; i < ring->count; i++)
      own += 0.5 * (p[i][0] * p[(i + 1) % ring->count][1] - p[(i + 1) % ring->count][0] * p[i][1]);
    sum += ring->hole ? -fabs(own) : fabs(own);
  }
  return sum;
}

static const struct {
  const char *floor;
  double area;
  int outlines, holes;
} floors[] = {
    {"outline: [[0, 0], [6, 0], [6, 4], [0, 4]]", 24, 1, 0},
    // Walls, with inner walls that end on them, on each other, and nowhere.
    {"walls: [{points: [[0, 2], [0, 4], [6, 4], [6, 0], [0, 0], [0, 1]]}]", 24, 1, 0},
    {"walls: [{points: [[0, 0], [6, 0], [6, 4], [0, 4], [0, 0]]}, {points: [[3, 0], [3, 2], [6, "
     "2]]}, {points: [[1, 4], [1, 3], [2, 3]]}]",
     24, 1, 0},
    {"walls: [{points: [[0, 0], [6, 0]]}, {points: [[6, 4], [0, 4]]}, {points: [[6, 0], [6, 4]]}, "
     "{points: [[0, 4], [0, 0]]}]",
     24, 1, 0},
    // A wall that goes on beyond a corner, and a room apart that is not reached.
    {"walls: [{points: [[0, 0], [6, 0], [6, 4], [0, 4], [0, -1]]}, {closed: true, points: [[8, 0], "
     "[9, 0], [9, 2], [8, 2]]}]",
     26, 2, 0},
    // Obstacles inside, on the edge, over the edge, over each other, round.
    {"outline: [[0, 0], [6, 0], [6, 4], [0, 4]], obstacles: [{points: [[2, 2], [3, 2], [3, 3], [2, "
     "3]]}]",
     23, 1, 1},
    {"outline: [[0, 0], [6, 0], [6, 4], [0, 4]], obstacles: [{points: [[4, 0], [6, 0], [6, 1], [4, "
     "1]]}]",
     22, 1, 0},
    {"walls: [{closed: true, points: [[0, 0], [6, 0], [6, 4], [0, 4]]}], obstacles: [{points: [[2, "
     "1], [4, 1], [4, 2], [2, 2]]}, {points: [[3, 1], [5, 1], [5, 2], [3, 2]]}]",
     21, 1, 1},
    {"outline: [[0, 0], [6, 0], [6, 4], [0, 4]], obstacles: [{centre: [3, 2], radius: 1}]",
     24 - 3.1365484905459389, 1, 1}, // 32 sin(2 pi / 64)
};

static void areas_by_hand(void **state)
{
  for (size_t i = 0; i < sizeof floors / sizeof *floors; i++) {
    char text[1000], path[200];
    pc_scene scene;
    pc_polygons polygons;
    pc_error error = {.text = ""};
    snprintf(text, sizeof text, HEAD "floors: [{%s}]\n" DOOR ONE, floors[i].floor);
    strcpy(path, in_folder("scene.yaml"));
    assert_ok(pc_scene_parse(path, text, &scene, &error), &error);
    assert_ok(pc_geometry_of_floor(scene.crowd, 0, &polygons, &error), &error);
    int outlines = 0;
    for (int r = 0; r < polygons.rings.count; r++)
      outlines += !polygons.rings.at[r].hole;
    if (outlines != floors[i].outlines || polygons.rings.count - outlines != floors[i].holes ||
        fabs(area_of(&polygons) - floors[i].area) > 1e-9)
      fail_msg("floor %d: %d outlines, %d holes, area %.12g", (int)i, outlines,
               polygons.rings.count - outlines, area_of(&polygons));
    pc_polygons_free(&polygons);
    pc_scene_free(&scene);
  }
}

// The file of a run has a line for each floor, which reads back as that floor.
static void a_line_for_each_floor(void **state)
{
  pc_scene scene;
  pc_error error = {.text = ""};
  char path[200], output[200];
  write_file("two.yaml", HEAD "floors: [{name: a, outline: [[0, 0], [6, 0], [6, 4], [0, 4]]}, "
                              "{name: b, walls: [{closed: true, points: [[0, 0], [2, 0], [2, 1], "
                              "[0, 1]]}, {closed: true, points: [[4, 0], [5, 0], [5, 1]]}]}]\n"
                              "exits: [{name: door, floor: a, line: [[0, 1], [0, 2]]}]\n"
                              "people: [{positions: [[0.5, 3.5]], floor: a, to: door}]\n");
  strcpy(path, in_folder("two.yaml"));
  strcpy(output, in_folder("two.h5"));
  assert_ok(pc_scene_read(path, &scene, &error), &error);
  pc_run_options options = pc_run_options_default();
  options.output = output;
  pc_run_summary summary;
  assert_ok(pc_run_scene(&scene, &options, &summary, &error), &error);
  pc_scene_free(&scene);
  char *text = text_of(in_folder("two-geometry.wkt")), *line = text;
  static const double areas[] = {24, 2.5};
  for (int f = 0; f < 2; f++) {
    char *end = strchr(line, '\n');
    pc_polygons polygons;
    assert_non_null(end);
    *end = 0;
    assert_ok(pc_wkt_read(&polygons, line, &error), &error);
    assert_near(area_of(&polygons), areas[f], 1e-12);
    pc_polygons_free(&polygons);
    line = end + 1;
  }
  assert_int_equal(*line, 0);
  free(text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(areas_by_hand),
                                     cmocka_unit_test(a_line_for_each_floor)};
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
