// The registry of published results: its rows pass, its ids are sound, its filter filters, and its
// comparison can fail.
#include "support.h"

#include <string.h>

#include "setup.h"

enum { MAX_ROWS = 4096, MAX_ID = 128 };

typedef struct rows {
  int count, failed, kinds[PC_ROW_KINDS];
  char (*id)[MAX_ID];
} rows;

static void collect(const pc_validation *row, void *context)
{
  rows *all = context;
  assert_true(all->count < MAX_ROWS);
  assert_true(strlen(row->id) < MAX_ID);
  strcpy(all->id[all->count++], row->id);
  assert_true(strlen(row->source) > 0 && strlen(row->quantity) > 0 && strlen(row->unit) > 0);
  assert_non_null(row->note);
  assert_true(row->tolerance >= 0);
  assert_in_range(row->kind, 0, PC_ROW_KINDS - 1);
  if (row->kind == PC_ROW_FITTED || row->kind == PC_ROW_MISSED || row->kind == PC_ROW_UNTESTABLE)
    assert_true(strlen(row->note) > 20); // why it is no pass
  assert_int_equal(row->kind == PC_ROW_VARIED, strlen(row->changed) > 0);
  if (row->kind == PC_ROW_UNTESTABLE || row->kind == PC_ROW_VARIED) {
    assert_true(isnan(row->expected));
  } else {
    assert_true(isfinite(row->expected));
    assert_true(isnan(row->published) || row->published == row->expected);
  }
  if (row->kind == PC_ROW_PUBLISHED || row->kind == PC_ROW_INPUT)
    assert_true(isfinite(row->published));
  if (row->verdict == PC_PASS)
    assert_true(row->kind <= PC_ROW_PROPERTY);
  all->kinds[row->kind]++;
  if (row->verdict == PC_FAIL) {
    all->failed++;
    print_error("%s: expected %.15g, computed %.15g, tolerance %g %s (%s)\n", row->id,
                row->expected, row->computed, row->tolerance, row->unit, row->quantity);
  }
}

static int set_up(void **state)
{
  rows *all = test_calloc(1, sizeof *all);
  all->id = test_calloc(MAX_ROWS, sizeof *all->id);
  *state = all;
  return 0;
}

static int tear_down(void **state)
{
  rows *all = *state;
  test_free(all->id);
  test_free(all);
  return 0;
}

static pc_status run(rows *all, int count, const char *const *ids, pc_error *error)
{
  all->count = all->failed = 0;
  memset(all->kinds, 0, sizeof all->kinds);
  return pc_validate(ids, count, true, collect, all, error);
}

// All quick rows take long: the first test that needs them runs them for all. Where counts
// are smaller (with sanitizers) every fourth case has to do.
static rows quick;

static bool some_only(void)
{
  return test_count(10) < 10;
}

static const rows *quick_rows(void)
{
  enum { MAX_CASES = 1024 };
  if (quick.id == NULL) {
    pc_error error = {0};
    const char *ids[MAX_CASES];
    int count = 0;
    for (int i = 0; some_only() && pc_validation_case(i) != NULL && count < MAX_CASES; i += 4)
      ids[count++] = pc_validation_case(i);
    quick.id = calloc(MAX_ROWS, sizeof *quick.id);
    assert_non_null(quick.id);
    assert_ok(run(&quick, count, ids, &error), &error);
  }
  return &quick;
}

static int forget_quick_rows(void **state)
{
  free(quick.id);
  return 0;
}

static int count_of(const rows *all, const char *id)
{
  int found = 0;
  for (int i = 0; i < all->count; i++)
    found += strcmp(all->id[i], id) == 0;
  return found;
}

static bool below(const char *id, const char *prefix)
{
  size_t length = strlen(prefix);
  return strncmp(id, prefix, length) == 0 && (id[length] == '.' || id[length] == '\0');
}

static void every_quick_row_passes(void **state)
{
  const rows *all = quick_rows();
  printf("%d rows\n", all->count);
  assert_true(all->count > (some_only() ? 75 : 300));
  assert_int_equal(all->failed, 0);
}

static void ids_are_unique_and_well_formed(void **state)
{
  const rows *all = quick_rows();
  for (int i = 0; i < all->count; i++) {
    const char *id = all->id[i];
    int parts = 1;
    assert_int_equal(strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789_."), strlen(id));
    for (const char *c = id; *c; c++)
      if (*c == '.') {
        parts++;
        assert_true(c > id && c[1] != '.' && c[1] != '\0');
      }
    if (parts < 3 && strcmp(id, "moreau.catastrophe") != 0)
      fail_msg("%s has fewer than three parts", id);
    if (count_of(all, id) != 1)
      fail_msg("%s is not unique", id);
  }
}

static void required_results_are_there(void **state)
{
  static const char *const ids[] = {
      "fremond.point.quadratic.bounce.velocity",
      "fremond.point.quadratic.bounce.dissipated",
      "fremond.point.quadratic.stop.reaction",
      "fremond.point.quadratic.stop.dissipated",
      "fremond.point.threshold.velocity.slow",
      "fremond.point.threshold.velocity.rising_1",
      "fremond.point.threshold.velocity.falling_1",
      "fremond.point.threshold.velocity.fast",
      "fremond.point.threshold.break.first",
      "fremond.point.threshold.break.second",
      "fremond.point.threshold.break.third",
      "fremond.point.penetrable.critical.speed",
      "fremond.point.penetrable.pierced.velocity",
      "fremond.point.power.p1_5.error",
      "fremond.point.power.p2.error",
      "fremond.point.power.p3.error",
      "fremond.point.power.crushing",
      "fremond.point.power.adhesion",
      "fremond.point.coulomb.sticking.mean",
      "fremond.point.coulomb.bouncing.slow",
      "fremond.point.quasi_static.linear.velocity",
      "fremond.disks.regions",
      "fremond.disks.regions.gamma1",
      "fremond.disks.regions.gamma2",
      "fremond.disks.regions.gamma3",
      "fremond.disks.regions.gamma4",
      "fremond.disks.velocity.a_opens.u1",
      "fremond.disks.velocity.b_opens.u3",
      "fremond.disks.velocity.both_open.u2",
      "fremond.disks.velocity.both_kept.u1",
      "fremond.disks.limits.cradle.u3",
      "fremond.disks.figure_4_3.claim.transverse",
      "fremond.balls.figure_5_2ab.ball1_jumps",
      "fremond.balls.figure_5_2cd.ball1_stays",
      "fremond.balls.figure_5_3ab.ball1_anticlockwise",
      "fremond.balls.figure_5_3cd.ball1_clockwise",
      "fremond.balls.figure_5_4ab.ball3_jumps",
      "fremond.balls.figure_5_4cd.ball2_turns",
      "fremond.balls.figure_5_5.ball2_pushed",
      "fremond.balls.figure_5_9_from_e1.ball3_jumps",
      "fremond.balls.figure_5_10.ball1_goes_back",
      "fremond.balls.inertia.homogeneous",
      "leon.qp.corner.energy",
      "leon.qp.resting.percussion",
      "leon.qp.rows.all",
      "leon.qp.energy.identity",
      "moreau.shock.inelastic.projection",
      "moreau.shock.restitution.delta_1_2",
      "moreau.shock.three_balls.u1",
      "moreau.shock.rocking.rocks",
      "moreau.shock.energy.formula",
      "moreau.catastrophe",
      "moreau.catastrophe.critical_mu.least",
      "chain.bounds.monodisperse.min",
      "chain.bounds.monodisperse.max",
      "chain.bounds.ratios.uniform.ker",
      "chain.bounds.dissipation.limit",
      "chain.bounds.seven.tapered.uniform.first",
      "chain.measures.angle.corner",
      "chain.laws.points.a.sequential.v3",
      "chain.laws.points.b.moreau.v1",
      "chain.laws.elastic.n10.v10",
      "chain.laws.grease.bi.v1",
      "chain.laws.wave.speed",
      "chain.laws.consistency.lzb.any",
      "chain.laws.matrix.caught",
  };
  if (some_only())
    skip();
  const rows *all = quick_rows();
  for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
    if (count_of(all, ids[i]) != 1)
      fail_msg("%s is missing", ids[i]);
}

static void an_id_selects_what_is_at_and_below_it(void **state)
{
  rows *all = *state;
  const char *area[] = {"fremond.disks"}, *exact[] = {"leon.qp.corner.ux"};
  const char *two[] = {"moreau.catastrophe", "fremond.point.power.p3"};
  const char *nested[] = {"moreau", "moreau.shock"};
  pc_error error = {0};

  assert_int_equal(run(all, 1, area, &error), PC_OK);
  assert_true(all->count > 50);
  for (int i = 0; i < all->count; i++)
    assert_true(below(all->id[i], "fremond.disks"));

  assert_int_equal(run(all, 1, exact, &error), PC_OK);
  assert_int_equal(all->count, 1);
  assert_string_equal(all->id[0], exact[0]);

  assert_int_equal(run(all, 2, two, &error), PC_OK);
  assert_int_equal(count_of(all, "moreau.catastrophe"), 1);
  assert_int_equal(count_of(all, "fremond.point.power.p3.error"), 1);
  for (int i = 0; i < all->count; i++)
    assert_true(below(all->id[i], two[0]) || below(all->id[i], two[1]));

  // A row that two ids select comes once.
  assert_int_equal(run(all, 2, nested, &error), PC_OK);
  assert_int_equal(count_of(all, "moreau.shock.rocking.rocks"), 1);
}

static void an_id_that_matches_nothing_is_refused(void **state)
{
  rows *all = *state;
  static const char *const wrong[] = {"nonsense",      "",
                                      "fremond.disk",  "fremond.disks.regions.gamma",
                                      "moreau.shock.", "fremond.point.quadratic.nonsense"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    pc_error error = {0};
    assert_int_equal(run(all, 1, &wrong[i], &error), PC_ERROR_INPUT);
    assert_int_equal(error.status, PC_ERROR_INPUT);
    assert_non_null(strstr(error.text, wrong[i]));
    assert_int_equal(all->count, 0);
    assert_int_equal(run(all, 1, &wrong[i], NULL), PC_ERROR_INPUT);
  }
  const char *mixed[] = {"leon.qp.corner", "nonsense"};
  pc_error error = {0};
  assert_int_equal(run(all, 2, mixed, &error), PC_ERROR_INPUT);
  assert_non_null(strstr(error.text, "nonsense"));
  assert_int_equal(all->count, 0);
}

static void a_value_off_by_two_tolerances_fails(void **state)
{
  const double values[] = {0, 1, -3.5, 1e6};
  for (pc_row_kind kind = PC_ROW_PUBLISHED; kind <= PC_ROW_PROPERTY; kind++) {
    for (int i = 0; i < 4; i++)
      for (double t = 1e-9; t < 1; t *= 1000) {
        assert_int_equal(pc_verdict_of(kind, values[i], values[i] + 0.5 * t, t), PC_PASS);
        assert_int_equal(pc_verdict_of(kind, values[i], values[i] + 2 * t, t), PC_FAIL);
        assert_int_equal(pc_verdict_of(kind, values[i], values[i] - 2 * t, t), PC_FAIL);
      }
    assert_int_equal(pc_verdict_of(kind, 0, 1, 0), PC_FAIL);
    assert_int_equal(pc_verdict_of(kind, 0, NAN, 1), PC_FAIL);
    assert_int_equal(pc_verdict_of(kind, NAN, 0, 1), PC_FAIL);
    assert_int_equal(pc_verdict_of(kind, INFINITY, INFINITY, 1), PC_FAIL);
  }
  assert_true(isnan(pc_worst(NAN, 1)) && isnan(pc_worst(1, NAN)));
}

// Rows that count as no pass still fail when they are not what they say.
static void rows_apart_fail_when_they_are_not_what_they_say(void **state)
{
  for (pc_row_kind kind = PC_ROW_FITTED; kind <= PC_ROW_SELF_CHECK; kind++) {
    assert_int_equal(pc_verdict_of(kind, 2, 2.05, 0.1), PC_NOT_COUNTED);
    assert_int_equal(pc_verdict_of(kind, 2, 2.2, 0.1), PC_FAIL);
    assert_int_equal(pc_verdict_of(kind, 2, NAN, 0.1), PC_FAIL);
  }
  assert_int_equal(pc_verdict_of(PC_ROW_MISSED, 2, 2.2, 0.1), PC_NOT_COUNTED);
  assert_int_equal(pc_verdict_of(PC_ROW_MISSED, 2, 2.05, 0.1), PC_FAIL);
  assert_int_equal(pc_verdict_of(PC_ROW_MISSED, 2, NAN, 0.1), PC_FAIL);
  assert_int_equal(pc_verdict_of(PC_ROW_MISSED, NAN, 2, 0.1), PC_FAIL);
  assert_int_equal(pc_verdict_of(PC_ROW_UNTESTABLE, NAN, 2, 0), PC_NOT_COUNTED);
  assert_int_equal(pc_verdict_of(PC_ROW_VARIED, NAN, 2, 0.1), PC_NOT_COUNTED);
  assert_int_equal(pc_verdict_of(PC_ROW_VARIED, NAN, NAN, 0.1), PC_FAIL);
}

static void every_kind_has_rows(void **state)
{
  if (some_only())
    skip();
  const rows *all = quick_rows();
  for (int k = 0; k < PC_ROW_KINDS; k++) {
    printf("%d %s\n", all->kinds[k], pc_row_kind_name((pc_row_kind)k));
    assert_int_equal(all->kinds[k] > 0, k != PC_ROW_VARIED); // studies are slow
  }
}

static void studies_stand_apart_and_say_what_they_found(void **state)
{
  int studies = 0;
  for (int i = 0; pc_validation_case(i) != NULL; i++) {
    const char *found = pc_validation_study(i);
    assert_int_equal(found != NULL, below(pc_validation_case(i), "study"));
    studies += found != NULL;
    if (found != NULL && (strlen(found) < 100 || strpbrk(found, "\n|") != NULL))
      fail_msg("%s: not one paragraph", pc_validation_case(i));
  }
  assert_true(studies > 0);
  assert_null(pc_validation_study(-1));
  assert_null(pc_validation_study(100000));

  rows *all = *state;
  pc_error error = {0};
  const char *id[] = {"study.hands"};
  assert_ok(pc_validate(id, 1, false, collect, all, &error), &error);
  assert_true(all->count > 10);
  assert_int_equal(all->kinds[PC_ROW_VARIED], all->count);
  assert_int_equal(all->failed, 0);
}

static double above_third(double x, void *context)
{
  return x - *(double *)context;
}

static void bisection_finds_a_root_or_says_that_there_is_none(void **state)
{
  double root = 1 / 3.;
  assert_near(pc_bisect(above_third, &root, 0, 1), root, 1e-16);
  assert_true(isnan(pc_bisect(above_third, &root, 0.5, 1)));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_quick_row_passes),
      cmocka_unit_test(ids_are_unique_and_well_formed),
      cmocka_unit_test(required_results_are_there),
      cmocka_unit_test_setup_teardown(an_id_selects_what_is_at_and_below_it, set_up, tear_down),
      cmocka_unit_test_setup_teardown(an_id_that_matches_nothing_is_refused, set_up, tear_down),
      cmocka_unit_test(every_kind_has_rows),
      cmocka_unit_test_setup_teardown(studies_stand_apart_and_say_what_they_found, set_up,
                                      tear_down),
      cmocka_unit_test(a_value_off_by_two_tolerances_fails),
      cmocka_unit_test(rows_apart_fail_when_they_are_not_what_they_say),
      cmocka_unit_test(bisection_finds_a_root_or_says_that_there_is_none),
  };
  return cmocka_run_group_tests(tests, NULL, forget_quick_rows);
}
