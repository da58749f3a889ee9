// Reports: intervals of quantiles against published tables and enumeration, bands of curves against
// the definition, exits made wider against what the walls allow, pages that hold any text.
#include "xml.h"

#include <math.h>
#include <unistd.h>

#include "core/statistics.h"
#include "folder.h"
#include "percuss/random.h"
#include "percuss/report.h"
#include "percuss/run.h"
#include "record/page.h"
#include "run/crowd_doubts.h"
#include "run/report_compare.h"
#include "run/report_plan.h"
#include "run/report_times.h"
#include "run/widening.h"

// Conover, Practical Nonparametric Statistics (1999), 3.2; Hahn and Meeker, Statistical Intervals
// (1991), table A.15: order statistics that bound a median with 95 %. Counted from 1 there.
static void medians_are_bounded_as_tables_say(void **state)
{
  static const int table[][3] = {{6, 1, 6},   {7, 1, 7},   {8, 1, 8},   {9, 2, 8},    {10, 2, 9},
                                 {15, 4, 12}, {20, 6, 15}, {25, 8, 18}, {30, 10, 21}, {50, 18, 33}};
  for (int k = 0; k < PC_COUNT(table); k++) {
    int low, high;
    pc_quantile_interval(table[k][0], 0.5, &low, &high);
    assert_int_equal(low, table[k][1] - 1);
    assert_int_equal(high, table[k][2] - 1);
  }
  for (int n = 0; n < 6; n++) {
    int low, high;
    pc_quantile_interval(n, 0.5, &low, &high);
    assert_int_equal(low, -1);
    assert_int_equal(high, n);
  }
}

// 1 - 0.95^n reaches 97.5 % at n = 72.
static void a_95th_percentile_takes_72_numbers(void **state)
{
  int low, high;
  pc_quantile_interval(71, 0.95, &low, &high);
  assert_int_equal(high, 71);
  assert_true(1 - pow(0.95, 71) < 0.975 && 1 - pow(0.95, 72) > 0.975);
  pc_quantile_interval(72, 0.95, &low, &high);
  assert_int_equal(high, 71);
  assert_true(low >= 0 && low < high);
}

// How often the interval of a sample misses the quantile of the uniform distribution.
static void intervals_hold_the_quantile(void **state)
{
  enum { N = 40 };
  pc_random random = test_random("quantile");
  for (int q = 0; q < 3; q++) {
    double p = q == 0 ? 0.1 : q == 1 ? 0.5 : 0.8;
    int low, high, below = 0, above = 0, times = 4 * test_count(1000);
    pc_quantile_interval(N, p, &low, &high);
    for (int t = 0; t < times; t++) {
      int smaller = 0; // numbers of the sample below the quantile
      for (int k = 0; k < N; k++)
        smaller += pc_random_uniform(&random, 0, 1) < p;
      below += high < N && smaller > high; // sorted[high] is below it
      above += low >= 0 && smaller <= low; // sorted[low] is above it
    }
    double most = 0.025 + 4 * sqrt(0.025 / times);
    assert_true(below <= most * times && above <= most * times);
    assert_true(low < 0 || high >= N || below + above > 0.01 * times); // and are not too wide
  }
}

static void quantiles_are_between_neighbours(void **state)
{
  const double list[] = {1, 2, 4, 8, INFINITY};
  assert_float_equal(pc_quantile(4, list, 0.5), 3, 1e-15);
  assert_float_equal(pc_quantile(4, list, 0.95), 4 + 0.85 * 4, 1e-12);
  assert_float_equal(pc_quantile(1, list, 0.95), 1, 0);
  assert_float_equal(pc_quantile(5, list, 0.75), 8, 0);
  assert_true(isinf(pc_quantile(5, list, 0.8)));
  assert_true(isnan(pc_quantile(0, list, 0.5)));
}

// A variant of runs with random exit times.
enum { RUNS = 23, PEOPLE = 12 };
typedef struct sample {
  pc_variant variant;
  pc_variant_run run[RUNS];
  double time[RUNS][PEOPLE];
} sample;

static int ascending(const void *a, const void *b)
{
  double one = *(const double *)a, two = *(const double *)b;
  return (one > two) - (one < two);
}

static void fill(sample *s, pc_random *random, double shift)
{
  *s = (sample){.variant = {.name = "v", .seeded = true, .planned = RUNS, .runs = RUNS}};
  s->variant.run = s->run;
  for (int i = 0; i < RUNS; i++) {
    int left = PEOPLE - (i % 5 == 4); // in some runs one stays
    for (int k = 0; k < PEOPLE; k++)
      s->time[i][k] = shift + pc_random_uniform(random, 0, 60);
    qsort(s->time[i], (size_t)left, sizeof(double), ascending);
    s->run[i] = (pc_variant_run){.number = i + 1,
                                 .seed = (uint64_t)i + 7,
                                 .people = PEOPLE,
                                 .inside = PEOPLE - left,
                                 .all = {left, s->time[i]},
                                 .evacuation = left < PEOPLE ? INFINITY : s->time[i][left - 1]};
  }
}

static void bands_are_those_of_the_definition(void **state)
{
  enum { POINTS = 31 };
  pc_random random = test_random("bands");
  static sample s;
  pc_left_by curve[POINTS];
  fill(&s, &random, 0);
  assert_int_equal(pc_variant_curve(&s.variant, 60, POINTS, curve, NULL), PC_OK);
  for (int k = 0; k < POINTS; k++) {
    double time = 60. * k / (POINTS - 1), people[RUNS], sum = 0, squares = 0;
    for (int i = 0; i < RUNS; i++) {
      people[i] = 0;
      for (int n = 0; n < s.run[i].all.count; n++)
        people[i] += s.time[i][n] <= time;
      sum += people[i];
    }
    for (int i = 0; i < RUNS; i++)
      squares += (people[i] - sum / RUNS) * (people[i] - sum / RUNS);
    qsort(people, RUNS, sizeof *people, ascending);
    double half = 2.074 * sqrt(squares / (RUNS - 1) / RUNS); // t of 22 degrees of freedom
    assert_float_equal(curve[k].time, time, 1e-12);
    assert_float_equal(curve[k].people.mean, sum / RUNS, 1e-12);
    assert_float_equal(curve[k].people.interval, half, 1e-9);
    // 0.05 and 0.95 of the way from the first of 23 to the last: the 2.1th and the 20.9th after it
    assert_float_equal(curve[k].low, people[1] + 0.1 * (people[2] - people[1]), 1e-9);
    assert_float_equal(curve[k].high, people[20] + 0.9 * (people[21] - people[20]), 1e-9);
  }
  assert_float_equal(pc_run_time_of_share(&s.run[0], 0.5), s.time[0][5], 0);
  assert_float_equal(pc_run_time_of_share(&s.run[0], 1), s.time[0][PEOPLE - 1], 0);
  assert_true(isinf(pc_run_time_of_share(&s.run[4], 1)));
}

static double evacuation_of(const pc_variant_run *run, int which)
{
  return run->evacuation;
}

static void variants_differ_by_pairs_where_seeds_are_the_same(void **state)
{
  pc_random random = test_random("pairs");
  static sample a, b;
  pc_difference d;
  fill(&a, &random, 0);
  fill(&b, &random, 5);
  double change[RUNS], sum = 0, squares = 0;
  int pairs = 0;
  for (int i = 0; i < RUNS; i++)
    if (i % 5 != 4)
      sum += change[pairs++] = b.run[i].evacuation - a.run[i].evacuation;
  for (int i = 0; i < pairs; i++)
    squares += (change[i] - sum / pairs) * (change[i] - sum / pairs);
  assert_int_equal(pairs, 19);
  double half = 2.101 * sqrt(squares / 18 / 19); // t of 18 degrees of freedom
  assert_int_equal(pc_variants_differ(&a.variant, &b.variant, evacuation_of, 0, &d, NULL), PC_OK);
  assert_true(d.paired);
  assert_int_equal(d.pairs, pairs);
  assert_float_equal(d.mean, sum / pairs, 1e-9);
  assert_float_equal(d.high, sum / pairs + half, 1e-9);
  // With one other seed they are independent samples: here of the same size and the same spread.
  b.run[3].seed = 1000;
  for (int i = 0; i < RUNS; i++)
    b.run[i].evacuation = a.run[i].evacuation + 5;
  assert_int_equal(pc_variants_differ(&a.variant, &b.variant, evacuation_of, 0, &d, NULL), PC_OK);
  double mean = 0, spread = 0;
  for (int i = 0; i < RUNS; i++)
    mean += i % 5 != 4 ? a.run[i].evacuation / 19 : 0;
  for (int i = 0; i < RUNS; i++)
    spread += i % 5 != 4 ? pow(a.run[i].evacuation - mean, 2) / 18 : 0;
  assert_false(d.paired);
  assert_float_equal(d.mean, 5, 1e-9);
  assert_float_equal(d.high - d.mean, 2.028 * sqrt(2 * spread / 19), 2e-3); // t of 36 degrees
}

// Exits: keys that change, in a scene with these floors and exits.
#define HEAD "kind: crowd\nduration: 1\nstep: 0.02\n"
#define PEOPLE_TO(names)                                                                           \
  "people: [{name: p, positions: [[1.5, 1.5]], to: [" names "], radius: 0.2, speed: 1}]\n"

static pc_widening widen(const char *text, int number, double by)
{
  pc_scene scene;
  pc_error error = {.text = ""};
  pc_widening widening;
  write_file("scene.yaml", text);
  assert_ok(pc_scene_read(in_folder("scene.yaml"), &scene, &error), &error);
  pc_passage_line *line;
  int lines;
  assert_ok(pc_list_passages(&scene, &line, &lines, &error), &error);
  assert_true(lines > number);
  assert_ok(pc_widen_line(&scene, &line[number], by, &widening, &error), &error);
  if (widening.changes != NULL) { // and the scene can be read with it
    pc_scene changed;
    char *derived = malloc(strlen(widening.changes) + 200);
    sprintf(derived, "kind: crowd\nbase: scene.yaml\nsweep:\n%s", widening.changes);
    assert_ok(pc_scene_parse(in_folder("scene.yaml"), derived, &changed, &error), &error);
    pc_passage_line *wider;
    int found;
    assert_ok(pc_list_passages(&changed, &wider, &found, &error), &error);
    if (line[number].key[0] != 0)
      assert_float_equal(pc_crowd_line_length(2, (const double(*)[2])wider[number].point),
                         pc_crowd_line_length(2, (const double(*)[2])line[number].point) + by,
                         1e-9);
    free(wider);
    pc_scene_free(&changed);
    free(derived);
  }
  free(line);
  pc_scene_free(&scene);
  return widening;
}

static void assert_line_changes(const char *floors, int number, double by, const char *changes)
{
  char text[1500];
  snprintf(text, sizeof text, HEAD "%s" PEOPLE_TO("e"), floors);
  pc_widening w = widen(text, number, by);
  if (w.changes == NULL)
    fail_msg("cannot be wider: %s", w.why);
  if (strcmp(w.changes, changes) != 0)
    fail_msg("changes are\n%snot\n%s", w.changes, changes);
  free(w.changes);
}

static void assert_changes(const char *floors, double by, const char *changes)
{
  assert_line_changes(floors, 0, by, changes);
}

static void assert_refused(const char *floors, double by, const char *why)
{
  char text[1500];
  snprintf(text, sizeof text, HEAD "%s" PEOPLE_TO("e"), floors);
  pc_widening w = widen(text, 0, by);
  assert_null(w.changes);
  if (strstr(w.why, why) == NULL)
    fail_msg("refused because: %s", w.why);
}

static void exits_become_wider_where_walls_allow_it(void **state)
{
  // On an outline: the line alone changes, also where one side has no room.
#define BOX "floors: [{outline: [[0, 0], [4, 0], [4, 3], [0, 3]]}]\n"
  assert_changes(BOX "exits: [{name: e, line: [[4, 1], [4, 2]]}]\n", 0.5,
                 "  - {key: exits.0.line, values: [[[4, 0.75], [4, 2.25]]]}\n");
  assert_changes(BOX "exits: [{name: e, line: [[4, 0], [4, 1]]}]\n", 0.5,
                 "  - {key: exits.0.line, values: [[[4, 0], [4, 1.5]]]}\n");
  assert_refused(BOX "exits: [{name: e, line: [[4, 0], [4, 3]]}]\n", 0.2, "no wall goes on");
  assert_refused(BOX "exits: [{name: e, line: [[4, 0.5], [4, 2.5]]}]\n", 2, "no wall goes on");
  // Walls that end there become shorter.
#define OPEN(low, high)                                                                            \
  "floors: [{walls: [{points: [[4, " high "], [4, 3], [0, 3], [0, 0], [4, 0], [4, " low "]]}]}]\n"
  assert_changes(OPEN("1", "2") "exits: [{name: e, line: [[4, 1], [4, 2]]}]\n", 0.5,
                 "  - {key: floors.0.walls.0.points.5, values: [[4, 0.75]]}\n"
                 "  - {key: floors.0.walls.0.points.0, values: [[4, 2.25]]}\n"
                 "  - {key: exits.0.line, values: [[[4, 0.75], [4, 2.25]]]}\n");
  assert_refused(OPEN("0.5", "2.5") "exits: [{name: e, line: [[4, 0.5], [4, 2.5]]}]\n", 1.8,
                 "too short");
  // A passage: its walls move, and those behind them become shorter.
#define PASSAGE(wall)                                                                              \
  "floors: [{walls: [{points: [[6, 1], [4, 1], " wall "[0, 0], [0, 3], [4, 3], [4, 2], [6, "       \
  "2]]}]}]\nexits: [{name: e, line: [[6, 1], [6, 2]]}]\n"
  assert_changes(PASSAGE("[4, 0], "), 0.5,
                 "  - {key: floors.0.walls.0.points.0, values: [[6, 0.75]]}\n"
                 "  - {key: floors.0.walls.0.points.1, values: [[4, 0.75]]}\n"
                 "  - {key: floors.0.walls.0.points.7, values: [[6, 2.25]]}\n"
                 "  - {key: floors.0.walls.0.points.6, values: [[4, 2.25]]}\n"
                 "  - {key: exits.0.line, values: [[[6, 0.75], [6, 2.25]]]}\n");
  assert_changes(PASSAGE("[3, 0], "), 0.5, // one of them leads into a slanted wall
                 "  - {key: floors.0.walls.0.points.7, values: [[6, 2.5]]}\n"
                 "  - {key: floors.0.walls.0.points.6, values: [[4, 2.5]]}\n"
                 "  - {key: exits.0.line, values: [[[6, 1], [6, 2.5]]]}\n");
}

// Inside: a door in a wall, and a gap between walls that is narrow.
static void doors_and_gaps_become_wider(void **state)
{
#define ROOMS(walls)                                                                               \
  "floors: [{outline: [[0, 0], [8, 0], [8, 3], [0, 3]], walls: [" walls "]}]\n"                    \
  "exits: [{name: e, line: [[8, 1], [8, 2]]}]\n"
  assert_line_changes(
      ROOMS("{points: [[4, 0], [4, 3]]}") "doors: [{points: [[4, 1], [4, 2]], opens: 1}]\n", 1, 0.5,
      "  - {key: doors.0.points, values: [[[4, 0.75], [4, 2.25]]]}\n");
  assert_line_changes(ROOMS("{points: [[4, 0], [4, 1]]}, {points: [[4, 2], [4, 3]]}"), 1, 0.5,
                      "  - {key: floors.0.walls.1.points.0, values: [[4, 2.25]]}\n"
                      "  - {key: floors.0.walls.0.points.1, values: [[4, 0.75]]}\n");
}

// Any text may be in a page, and any number.
static void pages_hold_any_text(void **state)
{
  static const char *const heads[] = {"<head>", PC_PAGE_WORDS "a \"word\" & more"};
  const char *path = in_folder("page.html");
  pc_error error = {.text = ""};
  pc_page *page = pc_page_begin(path, "A & B <i>", "\x01\xff\xc3\xa9", &error);
  assert_non_null(page);
  pc_page_section(page, "]]> & </section>");
  pc_page_text(page, "%s %g", "<script>alert(1)</script>", 0.5);
  pc_page_lines(page, "a: <1>\n  b: \"2\" & 'c'\n");
  pc_page_begin_table(page, PC_COUNT(heads), heads);
  pc_page_row(page, "row %d", 1);
  pc_page_number(page, 2, NAN);
  pc_page_row(page, "row %d", 2);
  pc_page_number(page, 2, 1. / 3);
  pc_page_end_table(page);
  assert_ok(pc_page_end(page, &error), &error);
  char *text = text_of(path);
  assert_null(strstr(text, "<script"));
  assert_null(strstr(text, "nan"));
  assert_non_null(strstr(text, "<td class=\"words\">\u2013</td>"));
  assert_non_null(strstr(text, "<td class=\"words\">0.33</td>"));
  assert_non_null(strstr(text, "a: &lt;1&gt;\n  b: &quot;2&quot; &amp; 'c'\n"));
  // Well-formed but for its first line, which is HTML's.
  char *body = strstr(text, "<body>"), *end = strstr(text, "</body>");
  end[strlen("</body>")] = 0;
  write_file("body.xml", body);
  xml *x = xml_read(in_folder("body.xml"));
  assert_true(x->count > 12);
  xml_free(x);
  free(text);
}

// A picture that cannot be drawn is reported at the end, and the old page stays.
static void a_page_that_fails_leaves_the_old_one(void **state)
{
  const char *path = in_folder("kept.html");
  pc_error error = {.text = ""};
  pc_page *page = pc_page_begin(path, "old", "", &error);
  assert_ok(pc_page_end(page, &error), &error);
  char *old = text_of(path);
  page = pc_page_begin(path, "new", "", &error);
  pc_svg svg = {.title = "", .description = ""}; // axes without a length
  pc_page_picture(page, &svg, "%s", "");
  assert_int_equal(pc_page_end(page, &error), PC_ERROR_ARGUMENT);
  char *now = text_of(path);
  assert_string_equal(old, now);
  free(old);
  free(now);
}

static void bands_of_colour_are_round_and_cover_the_largest(void **state)
{
  pc_random random = test_random("colours");
  for (int t = test_count(1000); t > 0; t--) {
    double most = exp(pc_random_uniform(&random, -5, 12)), limit[PC_SVG_BANDS];
    char text[PC_SVG_BANDS][40];
    const char *name[PC_SVG_BANDS];
    int bands = pc_report_bands(most, "s", limit, text, name);
    assert_true(bands >= 1 && bands <= PC_SVG_BANDS);
    assert_true(limit[bands - 1] >= most * (1 - 1e-12));
    assert_true(bands == 1 || limit[bands - 2] <= most * (1 + 1e-12));
  }
}

static bool stop_at_once(void *context, const pc_report_progress *progress)
{
  ++*(int *)context;
  assert_true(progress->part >= 0 && progress->part <= 1);
  return false;
}

// The interface of C: a report of a scene, of its files, and one that is stopped.
static void reports_are_made_from_c(void **state)
{
  write_file("room.yaml", HEAD "until: duration\n"
                               "floors: [{outline: [[0, 0], [4, 0], [4, 3], [0, 3]]}]\n"
                               "exits: [{name: e, line: [[4, 1], [4, 2]]}]\n" PEOPLE_TO("e"));
  const char *scene = in_folder("room.yaml"), *output = in_folder("room.html");
  pc_report_options options = {.output = output, .threads = 1};
  pc_reported reported;
  pc_error error = {.text = ""};
  int told = 0;
  options.listener = stop_at_once;
  options.context = &told;
  assert_ok(pc_run_report(1, &scene, &options, &reported, &error), &error);
  assert_false(reported.finished);
  assert_true(told > 0 && access(output, F_OK) != 0);
  pc_reported_free(&reported);
  options.listener = NULL;
  assert_ok(pc_run_report(1, &scene, &options, &reported, &error), &error);
  assert_true(reported.finished);
  assert_int_equal(reported.variants, 1);
  assert_int_equal(reported.variant[0].people, 1);
  assert_int_equal(reported.variant[0].inside, 1);
  assert_true(isinf(reported.variant[0].median.value));
  assert_int_equal(access(output, F_OK), 0);
  pc_reported_free(&reported);
  assert_int_equal(pc_run_report(0, &scene, &options, NULL, &error), PC_ERROR_ARGUMENT);
  options.widen = NAN;
  assert_int_equal(pc_run_report(1, &scene, &options, NULL, &error), PC_ERROR_ARGUMENT);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(medians_are_bounded_as_tables_say),
      cmocka_unit_test(a_95th_percentile_takes_72_numbers),
      cmocka_unit_test(intervals_hold_the_quantile),
      cmocka_unit_test(quantiles_are_between_neighbours),
      cmocka_unit_test(bands_are_those_of_the_definition),
      cmocka_unit_test(variants_differ_by_pairs_where_seeds_are_the_same),
      cmocka_unit_test(exits_become_wider_where_walls_allow_it),
      cmocka_unit_test(doors_and_gaps_become_wider),
      cmocka_unit_test(pages_hold_any_text),
      cmocka_unit_test(a_page_that_fails_leaves_the_old_one),
      cmocka_unit_test(bands_of_colour_are_round_and_cover_the_largest),
      cmocka_unit_test(reports_are_made_from_c),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
