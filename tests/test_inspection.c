// Inspections of buildings: of plans with known faults these are found and nothing else; areas by
// the shoelace formula, widths by construction.
#include <string.h>

#include "crowd/inspection.h"
#include "folder.h"
#include "percuss/random.h"
#include "scene/scene_file.h"

static void tell(void *context, pc_told what, const char *text)
{
  fail_msg("%s", text);
}

typedef struct inspected {
  pc_scene scene;
  pc_inspection found;
} inspected;

static inspected inspect(const char *text, double narrow)
{
  inspected own;
  pc_error error = {.text = ""};
  char path[200];
  write_file("scene.yaml", text);
  strcpy(path, in_folder("scene.yaml"));
  assert_ok(pc_scene_read_building(path, &own.scene, tell, NULL, &error), &error);
  assert_int_equal(pc_inspect(own.scene.crowd, narrow, &own.found), PC_OK);
  return own;
}

static void release(inspected *own)
{
  pc_inspection_free(&own->found);
  pc_scene_free(&own->scene);
}

#define HEAD "kind: crowd\nduration: 30\nstep: 0.02\n"
#define ONE "people: [{count: 1, to: west}]\n"

typedef struct expected {
  pc_finding_kind kind;
  double x, y, width; // the place to within `reach`; 0: any width
  double area, reach;
} expected;

static void expect(const char *text, int count, const expected *faults)
{
  inspected own = inspect(text, 1.2);
  for (int i = 0; i < own.found.findings.count && i < count; i++) {
    const pc_finding *f = &own.found.findings.at[i];
    const expected *e = &faults[i];
    if (f->kind != e->kind || !(fabs(f->place[0] - e->x) <= e->reach + 1e-9) ||
        !(fabs(f->place[1] - e->y) <= e->reach + 1e-9) ||
        (e->width > 0 && fabs(f->width - e->width) > 1e-9) ||
        fabs(f->area - e->area) > 0.05 * e->area)
      fail_msg("fault %d: kind %d at (%g, %g), %g m, %g m2", i + 1, f->kind, f->place[0],
               f->place[1], f->width, f->area);
  }
  assert_int_equal(own.found.findings.count, count);
  release(&own);
}

static void known_faults_are_found(void **state)
{
  static const expected faults[] = {
      {PC_FOUND_EXIT, 4, 6, 0, 0, 0},          {PC_FOUND_EXIT, 20, 3.5, 0, 0, 0},
      {PC_FOUND_GAP, 0, 0.03, 0.06, 0, 0},     {PC_FOUND_ISLAND, 10, 4, 0, 32, 2},
      {PC_FOUND_NARROW, 4, 3.875, 0.75, 0, 0}, {PC_FOUND_NARROW, 7.6, 2.5, 0.8, 0, 0.5}};
  expect(HEAD "floors:\n"
              "  - walls:\n"
              "      - {points: [[0, 0], [12, 0], [12, 8], [0, 8], [0, 0.06]]}\n"
              "      - {points: [[4, 0], [4, 3.5]]}\n"
              "      - {points: [[4, 4.25], [4, 8]]}\n"
              "      - {points: [[8, 0], [8, 8]]}\n"
              "    obstacles: [{points: [[6.9, 2], [7.2, 2], [7.2, 3], [6.9, 3]]}]\n"
              "exits:\n"
              "  - {name: west, line: [[0, 3], [0, 4]]}\n"
              "  - {name: none, line: [[20, 3], [20, 4]]}\n"
              "  - {name: across, line: [[3, 6], [5, 6]]}\n" ONE,
         6, faults);
}

// Walls of two lines, 0.1 m apart: what is between them is no island and no narrow place.
static void thick_walls_are_no_fault(void **state)
{
  expect(
      HEAD
      "floors: [{outline: [[0, 0], [10, 0], [10, 6], [0, 6]], walls: [{closed: true, points: "
      "[[5, 0], [5.1, 0], [5.1, 3], [5, 3]]}, {points: [[7, 6], [7, 4], [7.1, 4], [7.1, 6]]}]}]\n"
      "exits: [{name: west, line: [[0, 1], [0, 2]]}]\n" ONE,
      0, NULL);
}

// Stairs whose line is free in a room: what is between a wall and the half metre behind the line is
// a narrow place beside stairs; another one of the same width is not.
static void narrow_places_beside_stairs_are_named(void **state)
{
  inspected own = inspect(
      HEAD "floors:\n  - {name: low, outline: [[0, 0], [10, 0], [10, 6], [0, 6]], walls: [{points: "
           "[[2, 0], [2, 2.5]]}, {points: [[2, 6], [2, 3.4]]}]}\n"
           "  - {name: high, outline: [[0, 0], [10, 0], [10, 6], [0, 6]]}\n"
           "stairs: [{from: {floor: high, line: [[10, 4.2], [10, 2]]}, to: {floor: low, line: [[6, "
           "3.1], [6, 0.9]]}, length: 4}]\n"
           "exits: [{name: west, floor: low, line: [[0, 1], [0, 2]]}]\n"
           "people: [{count: 1, floor: low, to: west}]\n",
      1.2);
  int beside = 0, others = 0;
  for (int i = 0; i < own.found.findings.count; i++) {
    const pc_finding *f = &own.found.findings.at[i];
    assert_int_equal(f->kind, PC_FOUND_NARROW);
    assert_near(f->width, 0.9, 1e-9);
    beside += f->landing;
    others += !f->landing;
    assert_true(f->landing == (f->place[0] > 5));
  }
  assert_int_equal(beside, 1);
  assert_int_equal(others, 1);
  release(&own);
}

static void a_missing_wall_is_found(void **state)
{
  static const expected faults[] = {{PC_FOUND_OPEN, 10, 3, 0, 0, 0.2}};
  expect(HEAD
         "floors: [{walls: [{points: [[10, 2], [10, 0], [0, 0], [0, 6], [10, 6], [10, 4]]}]}]\n"
         "exits: [{name: west, line: [[0, 2], [0, 3]]}]\n" ONE,
         1, faults);
}

// A gap that nobody fits through parts the floor: an island behind it, and the gap.
static void too_narrow_for_anybody(void **state)
{
  static const expected faults[] = {{PC_FOUND_ISLAND, 7.5, 3, 0, 30, 2},
                                    {PC_FOUND_NARROW, 5, 3, 0.3, 0, 0}};
  expect(HEAD
         "floors: [{outline: [[0, 0], [10, 0], [10, 6], [0, 6]], walls: [{points: [[5, 0], [5, "
         "2.85]]}, {points: [[5, 3.15], [5, 6]]}]}]\n"
         "exits: [{name: west, line: [[0, 2], [0, 3.5]]}]\n"
         "people: [{count: 1, to: west, radius: 0.2}]\n",
         2, faults);
}

// Over stairs all floors are reached; without them one is an island.
static void floors_are_connected_by_stairs(void **state)
{
  static const char stairs[] =
      "stairs: [{from: {floor: high, line: [[10, 2], [10, 0.5]]}, to: {floor: "
      "low, line: [[0, 2], [0, 0.5]]}, length: 3}]\n";
  static const expected faults[] = {{PC_FOUND_ISLAND, 5, 3, 0, 60, 4}};
  for (int with = 0; with < 2; with++) {
    char text[1000];
    snprintf(text, sizeof text,
             HEAD "floors:\n  - {name: high, outline: [[0, 0], [10, 0], [10, 6], [0, 6]]}\n"
                  "  - {name: low, outline: [[0, 0], [10, 0], [10, 6], [0, 6]]}\n%s"
                  "exits: [{name: west, floor: low, line: [[0, 4], [0, 5.5]]}]\n"
                  "people: [{count: 1, to: west, floor: high}]\n",
             with ? stairs : "");
    expect(text, with ? 0 : 1, faults);
  }
}

static void areas_and_widths(void **state)
{
  enum { CORNERS = 9 };
  pc_random random = test_random("areas");
  for (int n = 0; n < test_count(20); n++) {
    double corner[CORNERS][2], area = 0, edge = 0;
    char text[2000];
    size_t used = (size_t)snprintf(text, sizeof text, HEAD "floors: [{outline: [");
    bool whole = n % 2 == 0; // on the lines of the measurement: exact
    double low = pc_random_uniform(&random, 5, 9);
    for (int i = 0; i < CORNERS; i++) { // steps of a staircase, or a star
      corner[i][0] = whole ? (i == 0 || i == 8 ? 0 : 2 * ((i + 1) / 2)) : low * cos(0.69813 * i);
      corner[i][1] = whole ? (i == 8 ? 8.5 : 0.25 * n + (i / 2) * 0.5) : low * sin(0.69813 * i);
      used += (size_t)snprintf(text + used, sizeof text - used, "%s[%.17g, %.17g]",
                               i > 0 ? ", " : "", corner[i][0], corner[i][1]);
    }
    for (int i = 0; i < CORNERS; i++) {
      const double *a = corner[i], *b = corner[(i + 1) % CORNERS];
      area += 0.5 * (a[0] * b[1] - b[0] * a[1]);
      edge += hypot(b[0] - a[0], b[1] - a[1]);
    }
    double width = pc_random_uniform(&random, 0.5, 0.9), s = 0.1, t;
    const double *a = corner[0], *b = corner[1];
    double length = hypot(b[0] - a[0], b[1] - a[1]);
    t = s + width / length;
    snprintf(text + used, sizeof text - used,
             "]}]\nexits: [{name: west, line: [[%.17g, %.17g], [%.17g, %.17g]]}]\n" ONE,
             a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1]), a[0] + t * (b[0] - a[0]),
             a[1] + t * (b[1] - a[1]));
    inspected own = inspect(text, 0.3);
    double reach = whole ? 1e-9 : 0.5 / 32 * edge;
    assert_near(own.found.area.at[0], fabs(area), reach);
    assert_int_equal(own.found.lines.count, 1);
    assert_near(own.found.lines.at[0].width, width, 1e-6);
    assert_int_equal(own.found.findings.count, 0);
    release(&own);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(known_faults_are_found),
                                     cmocka_unit_test(thick_walls_are_no_fault),
                                     cmocka_unit_test(narrow_places_beside_stairs_are_named),
                                     cmocka_unit_test(a_missing_wall_is_found),
                                     cmocka_unit_test(too_narrow_for_anybody),
                                     cmocka_unit_test(floors_are_connected_by_stairs),
                                     cmocka_unit_test(areas_and_widths)};
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
