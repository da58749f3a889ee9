// Polygons that are joined: what is inside stays inside, areas and corners by hand.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crowd/layout.h"
#include "percuss/random.h"
#include "scene/wkt.h"
#include "support.h"

static double area(const pc_polygons *wkt, const pc_ring *ring)
{
  const double(*p)[2] = (const double(*)[2])wkt->points.at + ring->first;
  double sum = 0;
  for (int i = 0; i < ring->count; i++)
    sum += p[i][0] * p[(i + 1) % ring->count][1] - p[(i + 1) % ring->count][0] * p[i][1];
  return 0.5 * fabs(sum);
}

static void read(pc_polygons *wkt, const char *text)
{
  pc_error error = {0};
  assert_ok(pc_wkt_read(wkt, text, &error), &error);
  assert_ok(pc_polygons_join(wkt, &error), &error);
}

static void by_hand(void **state)
{
  static const struct {
    const char *text;
    int outlines, holes, corners; // of all rings
    double area;                  // without holes
  } cases[] = {
      // One that stays as it is.
      {"POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0), (1 1, 2 1, 2 2, 1 1))", 1, 1, 7, 15.5},
      // Side by side, apart, over each other, one in the other, the same twice.
      {"MULTIPOLYGON (((0 0, 6 0, 6 4, 0 4, 0 0)), ((6 0, 8 0, 8 4, 6 4, 6 0)))", 1, 0, 4, 32},
      {"MULTIPOLYGON (((0 0, 1 0, 1 1, 0 1, 0 0)), ((2 0, 3 0, 3 1, 2 1, 2 0)))", 2, 0, 8, 2},
      {"MULTIPOLYGON (((0 0, 2 0, 2 2, 0 2, 0 0)), ((1 1, 3 1, 3 3, 1 3, 1 1)))", 1, 0, 8, 7},
      {"MULTIPOLYGON (((0 0, 4 0, 4 4, 0 4, 0 0)), ((1 1, 2 1, 2 2, 1 2, 1 1)))", 1, 0, 4, 16},
      {"MULTIPOLYGON (((0 0, 2 0, 2 2, 0 2, 0 0)), ((0 0, 0 2, 2 2, 2 0, 0 0)))", 1, 0, 4, 4},
      // A part of a side in common; a corner only.
      {"MULTIPOLYGON (((0 0, 2 0, 2 3, 0 3, 0 0)), ((2 1, 4 1, 4 2, 2 2, 2 1)))", 1, 0, 8, 8},
      {"MULTIPOLYGON (((0 0, 1 0, 1 1, 0 1, 0 0)), ((1 1, 2 1, 2 2, 1 2, 1 1)))", 2, 0, 8, 2},
      // A cross, and four that leave a hole.
      {"GEOMETRYCOLLECTION (POLYGON ((1 0, 2 0, 2 3, 1 3, 1 0)), POLYGON ((0 1, 3 1, 3 2, 0 2, 0 "
       "1)))",
       1, 0, 12, 5},
      {"MULTIPOLYGON (((0 0, 3 0, 3 1, 0 1, 0 0)), ((2 0, 3 0, 3 3, 2 3, 2 0)), ((0 2, 3 2, 3 3, 0 "
       "3, 0 2)), ((0 0, 1 0, 1 3, 0 3, 0 0)))",
       1, 1, 8, 8},
      // The hole of one is half covered by the other.
      {"MULTIPOLYGON (((0 0, 6 0, 6 6, 0 6, 0 0), (2 2, 2 4, 4 4, 4 2, 2 2)), ((3 1, 5 1, 5 5, 3 "
       "5, 3 1)))",
       1, 1, 8, 34},
  };
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    pc_polygons wkt;
    read(&wkt, cases[c].text);
    int outlines = 0, holes = 0, corners = 0;
    double sum = 0;
    for (int i = 0; i < wkt.rings.count; i++) {
      const pc_ring *ring = &wkt.rings.at[i];
      outlines += !ring->hole;
      holes += ring->hole;
      corners += ring->count;
      sum += (ring->hole ? -1 : 1) * area(&wkt, ring);
    }
    if (outlines != cases[c].outlines || holes != cases[c].holes || corners != cases[c].corners ||
        fabs(sum - cases[c].area) > 1e-9)
      fail_msg("%s: %d outlines, %d holes, %d corners, area %g", cases[c].text, outlines, holes,
               corners, sum);
    pc_polygons_free(&wkt);
  }
}

// A comb: a back of thickness 1 and teeth of half a metre, a half apart.
static size_t write_comb(char *text, size_t room, int teeth, bool turned)
{
  size_t n = 0;
  double length = teeth + 1;
  for (int i = -1; i <= 4 * teeth + 2; i++) {
    int tooth = teeth - 1 - (i - 1) / 4, corner = (i - 1) % 4;
    double x = i == 0 ? teeth - 0.5 : -1, y = i <= 0 || i == 4 * teeth + 2 ? -2 : -1;
    if (i > 0 && i <= 4 * teeth) {
      x = tooth + (corner < 2 ? 0.5 : 0);
      y = corner == 1 || corner == 2 ? length : -1;
    }
    n += (size_t)snprintf(text + n, room - n, "%s%g %g", i < 0 ? "((" : ",", turned ? y : x,
                          turned ? x : y);
  }
  return n + (size_t)snprintf(text + n, room - n, "))");
}

// Two of them across each other.
static void write_combs(char *text, size_t room, int teeth)
{
  size_t n = (size_t)snprintf(text, room, "MULTIPOLYGON (");
  n += write_comb(text + n, room - n, teeth, false);
  text[n++] = ',';
  n += write_comb(text + n, room - n, teeth, true);
  snprintf(text + n, room - n, ")");
}

// Teeth cross teeth in squares of a quarter, backs cross nothing.
static void combs_across(void **state)
{
  enum { TEETH = 40, ROOM = 1 << 16, MANY = 600 };
  static char text[ROOM];
  for (int teeth = 1; teeth <= TEETH; teeth += 13) {
    write_combs(text, ROOM, teeth);
    pc_polygons wkt;
    read(&wkt, text);
    double sum = 0, comb = teeth + 0.5 + 0.5 * teeth * (teeth + 2);
    for (int i = 0; i < wkt.rings.count; i++)
      sum += (wkt.rings.at[i].hole ? -1 : 1) * area(&wkt, &wkt.rings.at[i]);
    assert_float_equal(sum, 2 * comb - 0.25 * teeth * teeth, 1e-9 * comb);
    pc_polygons_free(&wkt);
  }
  // So many that nobody would wait.
  write_combs(text, ROOM, MANY);
  pc_polygons wkt;
  pc_error error = {0};
  assert_ok(pc_wkt_read(&wkt, text, &error), &error);
  assert_int_equal(pc_polygons_join(&wkt, &error), PC_ERROR_INPUT);
  assert_non_null(strstr(error.text, "the polygons have too many intersecting edges; merge"));
  pc_polygons_free(&wkt);
}

// 57,600 sides, of which few meet: what compares each with each would refuse them.
static void tiles_are_one_floor(void **state)
{
  enum { SIDE = 120, ROOM = SIDE * SIDE * 80 };
  char *text = malloc(ROOM);
  assert_non_null(text);
  size_t n = (size_t)snprintf(text, ROOM, "MULTIPOLYGON (");
  int tiles = 0;
  for (int i = 0; i < SIDE * SIDE; i++) {
    int x = i % SIDE, y = i / SIDE;
    if (x % 7 == 3 && y % 5 == 2)
      continue; // a hole of one tile
    n += (size_t)snprintf(text + n, ROOM - n, "%s((%d %d, %d %d, %d %d, %d %d, %d %d))",
                          tiles > 0 ? "," : "", x, y, x + 1, y, x + 1, y + 1, x, y + 1, x, y);
    tiles++;
  }
  snprintf(text + n, ROOM - n, ")");
  pc_polygons wkt;
  read(&wkt, text);
  assert_int_equal(wkt.rings.count, 1 + SIDE * SIDE - tiles);
  double sum = 0;
  for (int i = 0; i < wkt.rings.count; i++) {
    assert_int_equal(wkt.rings.at[i].count, 4);
    sum += (wkt.rings.at[i].hole ? -1 : 1) * area(&wkt, &wkt.rings.at[i]);
  }
  assert_float_equal(sum, tiles, 1e-6);
  pc_polygons_free(&wkt);
  free(text);
}

// A square of 12 m is cut into rooms at random, some rooms are left out, and all of it is turned
// and written with so many decimals: corners are then up to 1.4 mm beside the edges that they lie
// on.
typedef struct rooms {
  pc_random random;
  char text[20000];
  size_t length;
  double angle, area;
  int decimals, kept;
} rooms;

static void write_room(rooms *r, const double low[2], const double high[2], bool first)
{
  const double corner[5][2] = {
      {low[0], low[1]}, {high[0], low[1]}, {high[0], high[1]}, {low[0], high[1]}, {low[0], low[1]}};
  r->length +=
      (size_t)snprintf(r->text + r->length, sizeof r->text - r->length, "%s((", first ? "" : ", ");
  for (int i = 0; i < 5; i++) {
    double x = corner[i][0] - 6, y = corner[i][1] - 6, c = cos(r->angle), s = sin(r->angle);
    r->length += (size_t)snprintf(r->text + r->length, sizeof r->text - r->length, "%s%.*f %.*f",
                                  i > 0 ? ", " : "", r->decimals, 500 + c * x - s * y, r->decimals,
                                  200 + s * x + c * y);
  }
  r->length += (size_t)snprintf(r->text + r->length, sizeof r->text - r->length, "))");
}

static void cut_room(rooms *r, const double low[2], const double high[2], int deep)
{
  int axis = high[0] - low[0] > high[1] - low[1] ? 0 : 1;
  double size = high[axis] - low[axis];
  if (deep == 0 || size < 0.5) {
    write_room(r, low, high, r->kept++ == 0);
    r->area += (high[0] - low[0]) * (high[1] - low[1]);
    return;
  }
  double cut = low[axis] + size * pc_random_uniform(&r->random, 0.3, 0.7), end[2], start[2];
  for (int k = 0; k < 2; k++) {
    end[k] = k == axis ? cut : high[k];
    start[k] = k == axis ? cut : low[k];
  }
  cut_room(r, low, end, deep - 1);
  cut_room(r, start, high, deep - 1);
}

static void turned_rooms_are_one_floor(void **state)
{
  rooms *r = calloc(1, sizeof *r);
  assert_non_null(r);
  r->random = test_random("rooms");
  for (int round = test_count(300); round > 0; round--) {
    pc_polygons wkt;
    pc_error error = {0};
    r->decimals = round % 3 == 0 ? 3 : round % 3 == 1 ? 6 : 9;
    r->angle = round % 10 == 0 ? 0.5235987755982988 : pc_random_uniform(&r->random, 0, 6.3);
    r->area = 0;
    r->kept = 0;
    r->length = (size_t)snprintf(r->text, sizeof r->text, "MULTIPOLYGON (");
    cut_room(r, (const double[]){0, 0}, (const double[]){12, 12}, 1 + round % 6);
    snprintf(r->text + r->length, sizeof r->text - r->length, ")");
    if (pc_wkt_read(&wkt, r->text, &error) != PC_OK || pc_polygons_join(&wkt, &error) != PC_OK)
      fail_msg("%d rooms, %d decimals, %g: %s", r->kept, r->decimals, r->angle, error.text);
    // One outline, without slits between the rooms.
    double off = r->decimals == 3 ? 48 * 1.5e-3 : 1e-4;
    if (wkt.rings.count != 1)
      fail_msg("%d rooms, %d decimals, %g: %d rings", r->kept, r->decimals, r->angle,
               wkt.rings.count);
    assert_near(area(&wkt, &wkt.rings.at[0]), 144, off);
    pc_polygons_free(&wkt);
  }
  free(r);
}

// A hole that is thinner than what is joined may be a wall: it is not closed in silence.
static void thin_holes_are_refused(void **state)
{
  pc_polygons wkt;
  pc_error error = {0};
  assert_ok(pc_wkt_read(&wkt,
                        "MULTIPOLYGON (((0 0, 6 0, 6 4, 0 4, 0 0), (1 1, 1.001 1, 1.001 3, 1 3, 1 "
                        "1)), ((6.0005 0, 8 0, 8 4, 6.0005 4, 6.0005 0)))",
                        &error),
            &error);
  assert_int_equal(pc_polygons_join(&wkt, &error), PC_ERROR_INPUT);
  assert_non_null(strstr(error.text, "the hole near (1, 1) is narrower than 2 mm"));
  pc_polygons_free(&wkt);
}

static void refused(void **state)
{
  static const char *const cases[][2] = {
      {"MULTIPOLYGON(((0 0,1 0,2 0,0 0)),((0 0,0 1,0 2,0 0)))", "no area"},
      {"MULTIPOLYGON(((-1e308 0,1e308 0,0 1e308,-1e308 0)),((0 0,1 0,1 1,0 0)))", "too large"},
  };
  for (int c = 0; c < 2; c++) {
    pc_polygons wkt;
    pc_error error = {0};
    assert_ok(pc_wkt_read(&wkt, cases[c][0], &error), &error);
    assert_int_equal(pc_polygons_join(&wkt, &error), PC_ERROR_INPUT);
    assert_non_null(strstr(error.text, cases[c][1]));
    pc_polygons_free(&wkt);
  }
}

enum { MOST = 6 };

static void turned_box(pc_random *random, bool coarse, double box[4][2])
{
  double centre[2], half[2], angle = coarse ? 0 : pc_random_uniform(random, 0, 6.28);
  for (int k = 0; k < 2; k++) {
    centre[k] = pc_random_uniform(random, 0, 10);
    half[k] = pc_random_uniform(random, 0.5, 3);
    if (coarse) { // many sides and corners in common
      centre[k] = round(centre[k]);
      half[k] = ceil(half[k]);
    }
  }
  for (int i = 0; i < 4; i++) {
    double x = (i == 0 || i == 3 ? -1 : 1) * half[0], y = (i < 2 ? -1 : 1) * half[1];
    box[i][0] = centre[0] + x * cos(angle) - y * sin(angle);
    box[i][1] = centre[1] + x * sin(angle) + y * cos(angle);
  }
}

// A place is in one of the boxes if and only if it is in an odd number of rings of the answer.
static void same_inside(void **state)
{
  pc_random random = test_random("wkt");
  for (int n = 0; n < test_count(300); n++) {
    double box[MOST][4][2];
    char text[4096] = "MULTIPOLYGON (";
    int count = 2 + pc_random_below(&random, MOST - 1);
    for (int b = 0; b < count; b++) {
      turned_box(&random, n % 2 == 0, box[b]);
      for (int i = 0; i <= 4; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%.17g %.17g%s",
                 i == 0 ? (b == 0 ? "((" : ", ((") : ", ", box[b][i % 4][0], box[b][i % 4][1],
                 i == 4 ? "))" : "");
    }
    strcat(text, ")");
    pc_polygons wkt;
    read(&wkt, text);
    for (int t = 0; t < 500; t++) {
      double p[2] = {pc_random_uniform(&random, -4, 14), pc_random_uniform(&random, -4, 14)};
      bool in = false, odd = false;
      for (int b = 0; b < count; b++)
        in = in || pc_is_inside(4, (const double(*)[2])box[b], p);
      for (int i = 0; i < wkt.rings.count; i++)
        odd ^= pc_is_inside(wkt.rings.at[i].count,
                            (const double(*)[2])wkt.points.at + wkt.rings.at[i].first, p);
      if (in != odd)
        fail_msg("(%g, %g) is %s: %s", p[0], p[1], in ? "left out" : "added", text);
    }
    pc_polygons_free(&wkt);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(by_hand),
                                     cmocka_unit_test(combs_across),
                                     cmocka_unit_test(tiles_are_one_floor),
                                     cmocka_unit_test(turned_rooms_are_one_floor),
                                     cmocka_unit_test(thin_holes_are_refused),
                                     cmocka_unit_test(refused),
                                     cmocka_unit_test(same_inside)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
