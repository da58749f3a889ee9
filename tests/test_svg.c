// Plots as SVG: well-formed whatever the texts, and everything where its axes say.
#include "xml.h"

#include <sys/stat.h>
#include <unistd.h>

#include "record/svg.h"

static const char path[] = "test_svg.svg";

static pc_svg plot(double x0, double x1, double y0, double y1)
{
  return (pc_svg){.title = "A plot",
                  .description = "",
                  .x = {"x [m]", x0, x1, false},
                  .y = {"y [s]", y0, y1, false},
                  .height = 384};
}

static xml *written(pc_svg *svg)
{
  pc_error error;
  assert_ok(pc_svg_write(svg, path, &error), &error);
  pc_svg_free(svg);
  xml *x = xml_read(path);
  unlink(path);
  return x;
}

static double tick_value(const char *text)
{
  bool minus = strncmp(text, "\u2212", 3) == 0;
  return (minus ? -1 : 1) * strtod(text + (minus ? 3 : 0), NULL);
}

// What the ticks of an axis say: value = from + (pixel - zero) * scale, by the first and the last.
typedef struct ruler {
  int ticks;
  double value[2], pixel[2];
} ruler;

static ruler read_ruler(const xml *x, const char *axis)
{
  ruler r = {0};
  bool is_x = *axis == 'x';
  for (int k = 1; k < x->count; k++) {
    const xml_element *e = &x->element[k];
    const char *class = strcmp(e->tag, "text") == 0 ? xml_attribute(e, "class") : NULL;
    if (class == NULL || strcmp(class, axis) != 0)
      continue;
    // The tick is the path before its number: M x y.
    const char *d = xml_attribute(e - 1, "d");
    double at[2];
    assert_int_equal(sscanf(d, "M%lf %lf", &at[0], &at[1]), 2);
    if (!is_x && at[0] > 100) // of the scale of a map
      continue;
    int slot = r.ticks > 0;
    r.value[slot] = tick_value(e->text);
    r.pixel[slot] = at[is_x ? 0 : 1];
    r.ticks++;
  }
  assert_true(r.ticks >= 2);
  return r;
}

static double pixel_of(const ruler *r, double value)
{
  return r->pixel[0] +
         (value - r->value[0]) * (r->pixel[1] - r->pixel[0]) / (r->value[1] - r->value[0]);
}

static void points_and_lines_are_where_the_ticks_say(void **state)
{
  pc_random random = test_random("svg");
  for (int t = test_count(100); t > 0; t--) {
    double size = exp(pc_random_uniform(&random, -9, 9)), x0 = pc_random_uniform(&random, -2, 2);
    double y0 = pc_random_uniform(&random, -2, 2), point[2], line[2][2];
    pc_svg svg = plot(x0 * size, (x0 + 1) * size, y0 * size, (y0 + 3) * size);
    for (int k = 0; k < 3; k++) {
      double *p = k == 0 ? point : line[k - 1];
      p[0] = size * (x0 + pc_random_uniform(&random, 0, 1));
      p[1] = size * (y0 + pc_random_uniform(&random, 0, 3));
    }
    pc_svg_add(&svg, (pc_svg_item){PC_SVG_POINT, PC_SVG_GREEN, .x = point[0], .y = point[1]});
    pc_svg_add(&svg, (pc_svg_item){PC_SVG_TEXT, .text = "here", .x = point[0], .y = point[1]});
    pc_svg_add(&svg, (pc_svg_item){PC_SVG_LINE, PC_SVG_BLUE, .count = 2, .point = line});
    xml *x = written(&svg);
    ruler rx = read_ruler(x, "x"), ry = read_ruler(x, "y");
    assert_true(rx.ticks <= 12 && ry.ticks <= 14);
    int points = 0, lines = 0, texts = 0;
    for (int k = 0; k < x->count; k++) {
      const xml_element *e = &x->element[k];
      const char *stroke = xml_attribute(e, "stroke"), *fill = xml_attribute(e, "fill");
      double p[4];
      if (fill != NULL && strcmp(fill, "#007a59") == 0) {
        assert_int_equal(sscanf(xml_attribute(e, "d"), "M%lf %lfm", p, p + 1), 2);
        assert_near(p[0], pixel_of(&rx, point[0]), 0.1);
        assert_near(p[1], pixel_of(&ry, point[1]), 0.1);
        points++;
      } else if (strcmp(e->text, "here") == 0) {
        assert_near(xml_number(e, "x"), pixel_of(&rx, point[0]), 0.1);
        assert_near(xml_number(e, "y"), pixel_of(&ry, point[1]), 6);
        texts++;
      } else if (stroke != NULL && strcmp(stroke, "#0072b2") == 0) {
        assert_int_equal(sscanf(xml_attribute(e, "d"), "M%lf %lfL%lf %lf", p, p + 1, p + 2, p + 3),
                         4);
        for (int c = 0; c < 4; c++)
          assert_near(p[c], pixel_of(c % 2 == 0 ? &rx : &ry, line[c / 2][c % 2]), 0.1);
        lines++;
      }
    }
    int titles = 0; // of the vertical axis: read from the right
    for (int k = 0; k < x->count; k++) {
      const char *turn = xml_attribute(&x->element[k], "transform");
      titles += turn != NULL && strncmp(turn, "rotate(-90 ", 11) == 0;
    }
    assert_int_equal(titles, 1);
    assert_int_equal(points, 1);
    assert_int_equal(lines, 1);
    assert_int_equal(texts, 1);
    xml_free(x);
  }
}

static void without_a_height_units_are_as_long_on_both_axes(void **state)
{
  pc_svg svg = plot(-1, 3, 10, 12);
  svg.height = 0;
  xml *x = written(&svg);
  ruler rx = read_ruler(x, "x"), ry = read_ruler(x, "y");
  assert_near(pixel_of(&rx, 1) - pixel_of(&rx, 0), pixel_of(&ry, 0) - pixel_of(&ry, 1), 0.1);
  xml_free(x);
}

// Numbers end at the axis; the longest ones push it to the right, away from the title.
static void long_numbers_do_not_meet_the_title(void **state)
{
  static const double ends[] = {1, 1000, 123456, 1e9};
  for (int t = 0; t < 4; t++) {
    pc_svg svg = plot(0, 1, -ends[t], ends[t]);
    xml *x = written(&svg);
    double title = NAN, first = INFINITY;
    for (int k = 0; k < x->count; k++) {
      const xml_element *e = &x->element[k];
      const char *turn = xml_attribute(e, "transform"), *class = xml_attribute(e, "class");
      if (turn != NULL)
        sscanf(turn, "rotate(-90 %lf", &title);
      if (class == NULL || strcmp(class, "y") != 0)
        continue;
      size_t letters = strlen(e->text) - (strncmp(e->text, "\u2212", 3) == 0 ? 2 : 0);
      first = fmin(first, xml_number(e, "x") - 0.55 * xml_number(e, "font-size") * (double)letters);
    }
    assert_true(first >= title + 3);
    xml_free(x);
  }
}

static void ticks_are_round_numbers(void **state)
{
  pc_random random = test_random("ticks");
  for (int t = test_count(200); t > 0; t--) {
    double size = exp(pc_random_uniform(&random, -6, 12)),
           from = size * pc_random_uniform(&random, -1, 1);
    pc_svg svg = plot(from, from + size, 0, 1);
    xml *x = written(&svg);
    ruler r = read_ruler(x, "x");
    double step = (r.value[1] - r.value[0]) / (r.ticks - 1);
    double digit = step / pow(10, floor(log10(step) + 1e-6));
    assert_true(fabs(digit - 1) < 1e-3 || fabs(digit - 2) < 1e-3 || fabs(digit - 5) < 1e-3);
    assert_near(r.value[0] / step, round(r.value[0] / step), 1e-3);
    assert_true(r.value[0] >= from - 1e-3 * step && r.value[0] < from + (1 + 1e-3) * step);
    xml_free(x);
  }
}

static void an_axis_of_whole_numbers_has_no_others(void **state)
{
  pc_svg svg = plot(0.5, 3.5, 0, 1);
  svg.x.whole = true;
  xml *x = written(&svg);
  ruler r = read_ruler(x, "x");
  assert_int_equal(r.ticks, 3);
  assert_near(r.value[0], 1, 0);
  assert_near(r.value[1], 3, 0);
  xml_free(x);
}

// Bytes of every kind in every text: the reader above fails on anything that is not XML.
static void any_text_gives_well_formed_xml(void **state)
{
  pc_random random = test_random("texts");
  for (int t = test_count(300); t > 0; t--) {
    char text[40];
    static const char often[] = "&<>\"'_^{}\xc3\xa9\xe2\x88\x92 \n]";
    int length = (int)pc_random_uniform(&random, 1, 39);
    for (int k = 0; k < length; k++) {
      double kind = pc_random_uniform(&random, 0, 1);
      text[k] = kind < 0.5 ? often[(int)pc_random_uniform(&random, 0, sizeof often - 1)]
                           : (char)(int)pc_random_uniform(&random, 1, 256);
    }
    text[length] = 0;
    double line[][2] = {{0, 0}, {1, 1}};
    const double edges[] = {0, 1}, value[] = {0.7};
    pc_svg svg = {.title = text,
                  .note = text,
                  .description = text,
                  .x = {text, 0, 1, false},
                  .y = {text, 0, 1, false},
                  .map = {1, 1, edges, edges, value, text}};
    pc_svg_add(&svg, (pc_svg_item){PC_SVG_LINE, .text = text, .count = 2, .point = line});
    pc_svg_add(&svg, (pc_svg_item){PC_SVG_POINT, .text = text, .x = 0.5, .y = 0.5});
    pc_svg_add(&svg, (pc_svg_item){PC_SVG_TEXT, .text = text, .x = 0.2, .y = 0.5});
    xml_free(written(&svg));
  }
}

// An outside decoder for UTF-8 would say the same: these are no characters.
static void bytes_that_are_no_characters_become_question_marks(void **state)
{
  static const char *const bad[] = {"\xff",         "\xc0\x80",         "\xe0\x80\x80",
                                    "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xc3",
                                    "\x01",         "\xef\xbf\xbf"};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    pc_svg svg = plot(0, 1, 0, 1);
    svg.title = bad[k];
    xml *x = written(&svg);
    assert_string_equal(x->element[1].tag, "title");
    assert_int_equal(strspn(x->element[1].text, "?"), strlen(bad[k]));
    xml_free(x);
  }
}

static void subscripts_are_drawn_low_and_small(void **state)
{
  pc_svg svg = plot(0, 1, 0, 1);
  svg.title = "C_{KE} a_b";
  xml *x = written(&svg);
  int spans = 0;
  assert_string_equal(x->element[1].text, "CKE a_b"); // read aloud
  for (int k = 0; k < x->count; k++)
    if (strcmp(x->element[k].tag, "tspan") == 0) {
      assert_string_equal(x->element[k].text, spans == 0 ? "KE" : " a_b");
      double dy = xml_number(&x->element[k], "dy");
      assert_true(spans == 0 ? dy > 0 : dy < 0);
      spans++;
    }
  assert_int_equal(spans, 2);
  xml_free(x);
}

static void a_line_is_interrupted_where_it_has_no_number(void **state)
{
  double line[][2] = {{0, 0}, {0.2, 0.5}, {0.3, NAN}, {0.6, 0.5}, {1, 1}};
  pc_svg svg = plot(0, 1, 0, 1);
  pc_svg_add(&svg, (pc_svg_item){PC_SVG_LINE, PC_SVG_GREEN, .count = 5, .point = line});
  xml *x = written(&svg);
  int lines = 0;
  for (int k = 0; k < x->count; k++) {
    const char *stroke = xml_attribute(&x->element[k], "stroke");
    if (stroke == NULL || strcmp(stroke, "#007a59") != 0)
      continue;
    lines++;
    const char *d = xml_attribute(&x->element[k], "d");
    assert_non_null(strchr(d + 1, 'M'));
    assert_null(strchr(strchr(d + 1, 'M') + 1, 'M'));
  }
  assert_int_equal(lines, 1);
  xml_free(x);
}

// A long text is cut at spaces: every word is there, and no line is wider than the picture.
static void long_texts_are_cut_into_lines(void **state)
{
  pc_svg svg = plot(0, 1, 0, 1);
  char all[1000] = "", note[1000] = "";
  for (int k = 0; k < 60; k++) {
    size_t used = strlen(note);
    snprintf(note + used, sizeof note - used, "%sword%d", k > 0 ? " " : "", k * k);
  }
  svg.note = note;
  xml *x = written(&svg);
  double last = 0, height = xml_number(&x->element[0], "height");
  int lines = 0;
  for (int k = 0; k < x->count; k++)
    if (strncmp(x->element[k].text, "word", 4) == 0) {
      double y = xml_number(&x->element[k], "y");
      size_t used = strlen(all);
      snprintf(all + used, sizeof all - used, "%s%s", lines > 0 ? " " : "", x->element[k].text);
      assert_true(strlen(x->element[k].text) < 100);
      assert_true(y > last + 12 && y < height);
      last = y;
      lines++;
    }
  assert_string_equal(all, note);
  assert_true(lines > 3);
  xml_free(x);
}

// The area of every colour is that of the cells that have its sign.
static void a_map_fills_its_cells(void **state)
{
  enum { NX = 7, NY = 5 };
  pc_random random = test_random("map");
  for (int t = test_count(50); t > 0; t--) {
    double x_edge[NX + 1], y_edge[NY + 1], value[NX * NY], cells[2] = {0, 0}, drawn[2] = {0, 0};
    for (int i = 0; i <= NX; i++)
      x_edge[i] = pow((double)i / NX, 1.5);
    for (int j = 0; j <= NY; j++)
      y_edge[j] = (double)j / NY;
    for (int k = 0; k < NX * NY; k++)
      value[k] =
          pc_random_uniform(&random, 0, 1) < 0.1 ? NAN : round(pc_random_uniform(&random, -2, 2));
    pc_svg svg = plot(0, 1, 0, 1);
    svg.map =
        (pc_svg_map){.nx = NX, .ny = NY, .x = x_edge, .y = y_edge, .value = value, .title = "v"};
    for (int k = 0; k < NX * NY; k++)
      if (value[k] != 0 && !isnan(value[k]))
        cells[value[k] > 0] += (x_edge[k % NX + 1] - x_edge[k % NX]) * (y_edge[1] - y_edge[0]);
    xml *x = written(&svg);
    ruler rx = read_ruler(x, "x"), ry = read_ruler(x, "y");
    double right = pixel_of(&rx, 1) + 1; // the scale lies behind it
    double whole =
        fabs((pixel_of(&rx, 1) - pixel_of(&rx, 0)) * (pixel_of(&ry, 1) - pixel_of(&ry, 0)));
    double scale[4] = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (int k = 0; k < x->count; k++) {
      const char *fill = xml_attribute(&x->element[k], "fill");
      unsigned color = 0;
      if (strcmp(x->element[k].tag, "path") != 0 || fill == NULL ||
          sscanf(fill, "#%x", &color) != 1)
        continue;
      const char *d = strstr(x->element[k].attributes, "d=\"") + 3;
      for (double p[5]; *d == 'M'; d = strchr(d, 'Z') + 1) {
        if (sscanf(d, "M%lf %lfH%lfV%lfH%lfZ", p, p + 1, p + 2, p + 3, p + 4) != 5)
          break;            // the paper
        if (p[0] > right) { // of the scale
          scale[0] = fmin(scale[0], p[0]);
          scale[1] = fmax(scale[1], p[2]);
          scale[2] = fmin(scale[2], fmin(p[1], p[3]));
          scale[3] = fmax(scale[3], fmax(p[1], p[3]));
          continue;
        }
        drawn[(color >> 16) > (color & 255)] += fabs((p[2] - p[0]) * (p[3] - p[1])) / whole;
      }
    }
    assert_near(drawn[0], cells[0], 2e-3);
    assert_near(drawn[1], cells[1], 2e-3);
    assert_near(scale[1] - scale[0], 14, 0.1); // as wide as its frame
    assert_near(scale[3] - scale[2], fabs(pixel_of(&ry, 1) - pixel_of(&ry, 0)), 2);
    xml_free(x);
  }
}

static void the_legend_names_what_is_drawn(void **state)
{
  double line[][2] = {{0, 0}, {1, 1}, {1, 0}};
  pc_svg svg = plot(0, 1, 0, 1);
  pc_svg_add(&svg, (pc_svg_item){PC_SVG_REGION, .text = "a region", .count = 3, .point = line});
  pc_svg_add(&svg, (pc_svg_item){PC_SVG_LINE, .text = "a line", .count = 3, .point = line});
  pc_svg_add(&svg, (pc_svg_item){PC_SVG_LINE, .count = 3, .point = line});
  pc_svg_add(&svg, (pc_svg_item){PC_SVG_POINT, .text = "a point", .x = 0.5, .y = 0.5});
  xml *x = written(&svg);
  int found = 0;
  for (int k = 0; k < x->count; k++)
    found += strncmp(x->element[k].text, "a ", 2) == 0;
  assert_int_equal(found, 3);
  xml_free(x);
}

static void what_cannot_be_drawn_or_written_says_so(void **state)
{
  pc_error error;
  pc_svg svg = plot(1, 1, 0, 1);
  assert_int_equal(pc_svg_write(&svg, path, &error), PC_ERROR_ARGUMENT);
  svg = plot(0.5, 0.5000000000000001, 0, 1); // ticks would not differ
  assert_int_equal(pc_svg_write(&svg, path, &error), PC_ERROR_ARGUMENT);
  svg = plot(0, NAN, 0, 1);
  assert_int_equal(pc_svg_write(&svg, path, &error), PC_ERROR_ARGUMENT);
  svg = plot(0, 1, 0, 1);
  assert_int_equal(pc_svg_write(&svg, "no-such-folder/a.svg", &error), PC_ERROR_IO);
  // A FIFO stands for every device: it is not replaced.
  struct stat there;
  assert_int_equal(mkfifo("pipe.svg", 0600), 0);
  assert_int_equal(pc_svg_write(&svg, "pipe.svg", &error), PC_ERROR_IO);
  assert_true(stat("pipe.svg", &there) == 0 && S_ISFIFO(there.st_mode));
  unlink("pipe.svg");
  assert_int_not_equal(access(path, F_OK), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(points_and_lines_are_where_the_ticks_say),
      cmocka_unit_test(without_a_height_units_are_as_long_on_both_axes),
      cmocka_unit_test(long_numbers_do_not_meet_the_title),
      cmocka_unit_test(ticks_are_round_numbers),
      cmocka_unit_test(an_axis_of_whole_numbers_has_no_others),
      cmocka_unit_test(any_text_gives_well_formed_xml),
      cmocka_unit_test(bytes_that_are_no_characters_become_question_marks),
      cmocka_unit_test(subscripts_are_drawn_low_and_small),
      cmocka_unit_test(a_line_is_interrupted_where_it_has_no_number),
      cmocka_unit_test(long_texts_are_cut_into_lines),
      cmocka_unit_test(a_map_fills_its_cells),
      cmocka_unit_test(the_legend_names_what_is_drawn),
      cmocka_unit_test(what_cannot_be_drawn_or_written_says_so),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
