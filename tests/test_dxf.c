// Drawings in DXF: arcs against closed forms, transformations of blocks against a calculation of
// their own, and files that are cut or changed anywhere.
#include <stdio.h>
#include <string.h>

#include "percuss/random.h"
#include "scene/dxf_chains.h"
#include "support.h"

static const double PI = 3.14159265358979323846;
static char text[1 << 20];
static size_t length;

static void begin(const char *before)
{
  length = (size_t)snprintf(text, sizeof text,
                            "0\nSECTION\n2\nHEADER\n9\n$INSUNITS\n70\n6\n0\nENDSEC\n%s0\nSECTION\n"
                            "2\nENTITIES\n",
                            before);
}

static void put_text(int code, const char *value)
{
  length += (size_t)snprintf(text + length, sizeof text - length, "%3d\r\n%s\r\n", code, value);
}

static void put(int code, double value)
{
  length += (size_t)snprintf(text + length, sizeof text - length, "%3d\r\n%.17g\r\n", code, value);
}

static void put_entity(const char *type, double x, double y)
{
  put_text(0, type);
  put_text(8, "L");
  put(10, x);
  put(20, y);
}

static pc_dxf read_with(double curves)
{
  pc_dxf dxf;
  pc_error error = {.text = ""};
  put_text(0, "ENDSEC");
  put_text(0, "EOF");
  assert_ok(pc_dxf_read(&dxf, &(pc_dxf_def){.curves = curves}, "a.dxf", text, length, &error),
            &error);
  return dxf;
}

static double area_of(int count, const double (*p)[2])
{
  double sum = 0;
  for (int i = 0; i < count; i++) {
    const double *a = p[i], *b = p[(i + 1) % count];
    sum += a[0] * b[1] - b[0] * a[1];
  }
  return 0.5 * sum;
}

// Chords of an arc: all corners are on the circle, no chord is farther from it than allowed, and
// one chord less would be.
static void check_chords(const double (*p)[2], int chords, const double centre[2], double radius,
                         double sweep, double curves)
{
  double sagitta = radius * (1 - cos(0.5 * fabs(sweep) / chords));
  for (int i = 0; i <= chords; i++)
    assert_near(hypot(p[i][0] - centre[0], p[i][1] - centre[1]), radius, 1e-12 * (radius + 9));
  for (int i = 0; i < chords; i++)
    assert_near(hypot(p[i + 1][0] - p[i][0], p[i + 1][1] - p[i][1]),
                2 * radius * sin(0.5 * fabs(sweep) / chords), 1e-12 * (radius + 9));
  assert_true(sagitta <= curves * (1 + 1e-9));
  if (chords > 1 + fabs(sweep) * 12 / (2 * PI)) // a circle has at least twelve
    assert_true(radius * (1 - cos(0.5 * fabs(sweep) / (chords - 1))) > curves * (1 - 1e-9));
}

static void arcs(void **state)
{
  pc_random random = test_random("arcs");
  for (int n = 0; n < 200; n++) {
    double c[2] = {pc_random_uniform(&random, -9, 9), pc_random_uniform(&random, -9, 9)};
    double r = pc_random_uniform(&random, 0.1, 20), curves = pc_random_uniform(&random, 1e-3, 0.1);
    double from = pc_random_uniform(&random, 0, 360), to = pc_random_uniform(&random, 0, 360);
    begin("");
    put_entity("ARC", c[0], c[1]);
    put(40, r), put(50, from), put(51, to);
    put_entity("CIRCLE", c[0], c[1]);
    put(40, r);
    pc_dxf dxf = read_with(curves);
    assert_int_equal(dxf.paths.count, 2);
    const pc_dxf_path *arc = &dxf.paths.at[0], *circle = &dxf.paths.at[1];
    const double(*p)[2] = (const double(*)[2])dxf.points.at;
    double sweep = to > from ? to - from : to - from + 360;
    assert_near(p[0][0], c[0] + r * cos(from * PI / 180), 1e-12 * (r + 9));
    assert_near(p[arc->count - 1][1], c[1] + r * sin(to * PI / 180), 1e-12 * (r + 9));
    check_chords(p, arc->count - 1, c, r, sweep * PI / 180, curves);
    assert_true(circle->closed && !arc->closed && arc->curved);
    assert_near(circle->radius, r, 1e-14 * r);
    assert_near(circle->centre[0], c[0], 1e-14 * r);
    double all = area_of(circle->count, p + circle->first), step = 2 * PI / circle->count;
    assert_near(all, 0.5 * r * r * circle->count * sin(step), 1e-11 * r * r);
    pc_dxf_free(&dxf);
  }
}

// A polyline of one chord and one arc: the segment of a circle, whose area is known.
static void bulges(void **state)
{
  pc_random random = test_random("bulges");
  for (int n = 0; n < 200; n++) {
    double a[2] = {pc_random_uniform(&random, -5, 5), pc_random_uniform(&random, -5, 5)};
    double b[2] = {a[0] + pc_random_uniform(&random, 1, 5), pc_random_uniform(&random, -5, 5)};
    double angle = pc_random_uniform(&random, 0.2, 6) * (n % 2 == 0 ? 1 : -1), curves = 1e-3;
    begin("");
    put_entity("LWPOLYLINE", a[0], a[1]);
    put(42, tan(0.25 * angle));
    put(10, b[0]), put(20, b[1]);
    put_text(70, "1");
    pc_dxf dxf = read_with(curves);
    assert_int_equal(dxf.paths.count, 1);
    int corners = dxf.paths.at[0].count, chords = corners - 1;
    double chord = hypot(b[0] - a[0], b[1] - a[1]), r = 0.5 * chord / sin(0.5 * fabs(angle));
    double step = fabs(angle) / chords, sign = angle > 0 ? 1 : -1;
    // As many triangles at the centre as chords, less the one of the chord of all.
    double area = 0.5 * r * r * (chords * sin(step) - sin(fabs(angle)));
    assert_near(area_of(corners, (const double(*)[2])dxf.points.at), sign * area, 1e-9 * r * r);
    assert_true(r * (1 - cos(0.5 * step)) <= curves * (1 + 1e-9));
    assert_near(dxf.points.at[0][0], a[0], 0);
    assert_near(dxf.points.at[corners - 1][1], b[1], 0);
    pc_dxf_free(&dxf);
  }
}

static void ellipses(void **state)
{
  begin("");
  put_entity("ELLIPSE", 1, 2);
  put(11, 3), put(21, 4), put(40, 0.5), put(41, 0), put(42, 2 * PI);
  pc_dxf dxf = read_with(1e-4);
  assert_true(dxf.paths.at[0].closed);
  int count = dxf.paths.at[0].count;
  assert_near(area_of(count, (const double(*)[2])dxf.points.at),
              0.5 * count * sin(2 * PI / count) * 5 * 2.5, 1e-10);
  pc_dxf_free(&dxf);
}

// Insertions in insertions, in rows and columns, mirrored and seen from behind.
static void blocks(void **state)
{
  static const char inner[] =
      "0\nSECTION\n2\nBLOCKS\n0\nBLOCK\n2\nin\n10\n1\n20\n2\n0\nLINE\n8\n0\n"
      "10\n1\n20\n2\n11\n2\n21\n2\n0\nENDBLK\n0\nBLOCK\n2\nout\n10\n0\n20\n0"
      "\n0\nINSERT\n8\n0\n2\nin\n10\n3\n20\n0\n41\n2\n42\n-3\n50\n30\n"
      "0\nENDBLK\n0\nENDSEC\n";
  begin(inner);
  put_entity("INSERT", 10, 20);
  put_text(2, "OUT");
  put(50, -45), put_text(70, "3"), put_text(71, "2"), put(44, 5), put(45, 7);
  put_entity("INSERT", 1, 1);
  put_text(2, "in"), put(230, -1);
  pc_dxf dxf = read_with(0.01);
  assert_int_equal(dxf.paths.count, 7);
  assert_int_equal(dxf.layers.at[dxf.paths.at[0].layer].paths, 7);
  assert_string_equal(dxf.layers.at[dxf.paths.at[0].layer].name, "L");
  double turn = -PI / 4;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 2; j++)
      for (int end = 0; end < 2; end++) { // the inner line is from its base to 2 m at 30 degrees
        double x = 3 + end * 2 * cos(PI / 6) + 5 * i, y = end * 2 * sin(PI / 6) + 7 * j;
        const double *p = dxf.points.at[2 * (2 * i + j) + end];
        assert_near(p[0], 10 + x * cos(turn) - y * sin(turn), 1e-12);
        assert_near(p[1], 20 + x * sin(turn) + y * cos(turn), 1e-12);
      }
  assert_near(dxf.points.at[12][0], -1, 1e-12);
  assert_near(dxf.points.at[13][0], -2, 1e-12);
  assert_near(dxf.points.at[13][1], 1, 1e-12);
  pc_dxf_free(&dxf);
}

// A polygon that is cut into lines and arcs in any order and direction is found again.
static void chains(void **state)
{
  enum { CORNERS = 40 };
  pc_random random = test_random("chains");
  for (int n = 0; n < 50; n++) {
    double corner[CORNERS][2], noise = 2e-4;
    int order[CORNERS];
    for (int i = 0; i < CORNERS; i++) {
      double r = pc_random_uniform(&random, 3, 9);
      corner[i][0] = r * cos(2 * PI * i / CORNERS);
      corner[i][1] = r * sin(2 * PI * i / CORNERS);
      order[i] = i;
    }
    begin("");
    for (int i = 0; i < CORNERS; i++) {
      int k = i + (int)pc_random_below(&random, (unsigned)(CORNERS - i)), edge = order[k];
      order[k] = order[i];
      const double *a = corner[edge], *b = corner[(edge + 1) % CORNERS];
      bool back = pc_random_below(&random, 2) == 1;
      put_entity("LINE", (back ? b : a)[0] + noise * pc_random_uniform(&random, -1, 1),
                 (back ? b : a)[1]);
      put(11, (back ? a : b)[0]), put(21, (back ? a : b)[1]);
    }
    pc_dxf dxf = read_with(0.01);
    pc_dxf_chains found;
    pc_error error = {.text = ""};
    bool all[] = {true};
    assert_ok(pc_dxf_join(&found, &dxf, all, true, "a.dxf", &error), &error);
    assert_int_equal(found.list.count, 1);
    assert_int_equal(found.list.at[0].count, CORNERS);
    assert_true(found.list.at[0].closed);
    assert_near(fabs(area_of(CORNERS, (const double(*)[2])found.points.at)),
                fabs(area_of(CORNERS, (const double(*)[2])corner)), 20 * noise * CORNERS);
    pc_dxf_chains_free(&found);
    pc_dxf_free(&dxf);
  }
}

// Cut anywhere or with another byte anywhere, a file is read or rejected with its line.
static void damaged(void **state)
{
  begin(
      "0\nSECTION\n2\nBLOCKS\n0\nBLOCK\n2\nB\n10\n0\n20\n0\n0\nLINE\n8\n0\n10\n1\n20\n2\n11\n3\n21"
      "\n4\n0\nENDBLK\n0\nENDSEC\n");
  put_entity("INSERT", 1, 2);
  put_text(2, "B");
  put_entity("ARC", 1, 2);
  put(40, 3), put(50, 0), put(51, 90);
  put_text(0, "POLYLINE"), put_text(8, "M");
  put_text(0, "VERTEX"), put(10, 1), put(20, 1), put_text(0, "VERTEX"), put(10, 2), put(20, 2);
  put_text(0, "SEQEND"), put_text(0, "ENDSEC"), put_text(0, "EOF");
  pc_dxf_def def = {.curves = 0.01};
  pc_random random = test_random("damaged");
  int good = 0, wrong = 0;
  size_t whole = length;
  char *copy = malloc(whole + 1);
  assert_non_null(copy);
  for (size_t n = 0; n < 2 * whole + 20000; n++) {
    size_t size = n < whole ? n : whole;
    memcpy(copy, text, whole + 1);
    copy[size] = 0;
    if (n >= whole)
      copy[pc_random_below(&random, (unsigned)whole)] = (char)pc_random_below(&random, 256);
    pc_dxf dxf;
    pc_error error = {.text = ""};
    pc_status status = pc_dxf_read(&dxf, &def, "a.dxf", copy, size, &error);
    int line = 0;
    if (status == PC_OK)
      good++;
    else if (sscanf(error.text, "a.dxf:%d: ", &line) == 1 && line >= 1)
      wrong++;
    else
      fail_msg("no line: %s", error.text);
    pc_dxf_free(&dxf);
  }
  free(copy);
  print_message("%d read, %d rejected\n", good, wrong);
  assert_true(good > 100 && wrong > 1000);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(arcs),     cmocka_unit_test(bulges),
                                     cmocka_unit_test(ellipses), cmocka_unit_test(blocks),
                                     cmocka_unit_test(chains),   cmocka_unit_test(damaged)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
