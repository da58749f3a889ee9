// Identification: coefficients that made the measurements are found again, intervals cover them as
// often as they say, and what the measurements do not determine is reported so.
#include "support.h"

#include <string.h>
#include <unistd.h>

#include "percuss/identify.h"
#include "percuss/scene.h"

// Balls of mass 1 in a row, the first one arrives: two give k, three give nu too.
static const double speeds[] = {1, 1.5, 2};

// What cannot be solved (coefficients of 1e15) is told.
static pc_status collide(int balls, double speed, double mass, double k, double nu, double *after)
{
  pc_impact *problem = pc_impact_create();
  for (int i = 0; i < balls; i++) {
    pc_impact_body ball = pc_impact_body_default();
    ball.dof = 1;
    ball.mass = mass;
    ball.velocity[0] = i == 0 ? speed : 0;
    pc_impact_add_body(problem, &ball);
  }
  for (int i = 0; i + 1 < balls; i++) {
    pc_interaction contact = pc_interaction_default(PC_CONTACT);
    contact.bodies[0] = i;
    contact.bodies[1] = i + 1;
    contact.normal[0] = -1;
    contact.law.normal = (pc_normal_law){.kind = PC_NORMAL_QUADRATIC, .k = k};
    pc_impact_add_interaction(problem, &contact);
  }
  if (balls == 3) {
    pc_interaction distance = pc_interaction_default(PC_DISTANCE);
    distance.bodies[1] = 2;
    distance.points[0][0] = 1;
    distance.points[1][0] = 3;
    distance.law.normal = (pc_normal_law){.kind = PC_NORMAL_QUADRATIC, .k = nu};
    pc_impact_add_interaction(problem, &distance);
  }
  pc_solve_options options = pc_solve_options_default();
  options.tolerance = 1e-12;
  pc_solve_info info;
  pc_status status = pc_impact_solve(problem, &options, &info);
  for (int i = 0; i < balls; i++)
    pc_impact_velocity(problem, i, after + i);
  pc_impact_destroy(problem);
  return status;
}

static pc_status two_balls(void *context, const double *k, double *predicted, pc_error *error)
{
  pc_status status = PC_OK;
  for (int i = 0; i < 3 && status == PC_OK; i++)
    status = collide(2, speeds[i], 1, k[0], 0, predicted + 2 * i);
  return status;
}

static pc_status two_and_three_balls(void *context, const double *k, double *predicted,
                                     pc_error *error)
{
  pc_status status = two_balls(context, k, predicted, error);
  for (int i = 0; i < 3 && status == PC_OK; i++)
    status = collide(3, speeds[i], 1, k[0], k[1], predicted + 6 + 3 * i);
  return status;
}

// k = 2 is known, the balls are heavy: for nu below 1/24 all three stay together.
static pc_status three_heavy_balls(void *context, const double *nu, double *predicted,
                                   pc_error *error)
{
  pc_status status = PC_OK;
  for (int i = 0; i < 3 && status == PC_OK; i++)
    status = collide(3, speeds[i], 2, 2, nu[0], predicted + 3 * i);
  return status;
}

// The second coefficient does nothing.
static pc_status two_balls_and_nothing(void *context, const double *k, double *predicted,
                                       pc_error *error)
{
  return two_balls(context, k, predicted, error);
}

static const pc_unknown from_zero[] = {{"k", 1, 0, INFINITY}, {"nu", 1, 0, INFINITY}};

static void exact_measurements_give_the_coefficients(void **state)
{
  static const double truths[][2] = {{2, 0.2}, {1.5, 0.05}, {10, 1}, {3, 20}};
  for (size_t t = 0; t < sizeof truths / sizeof truths[0]; t++) {
    double measured[15];
    two_and_three_balls(NULL, truths[t], measured, NULL);
    pc_identification problem = {2, from_zero, 15, measured, 0.01, two_and_three_balls, NULL};
    pc_estimate estimates[2];
    pc_identify_info info;
    pc_error error;
    assert_int_equal(pc_identify(&problem, estimates, &info, &error), PC_OK);
    assert_true(info.converged);
    assert_near(info.misfit, 0, 1e-7);
    for (int i = 0; i < 2; i++) {
      assert_near(estimates[i].value / truths[t][i], 1, 1e-5);
      assert_false(estimates[i].low_open);
      assert_true(estimates[i].low < truths[t][i]);
      assert_true(estimates[i].high > truths[t][i]);
      assert_true(estimates[i].standard_error > 0);
    }
  }
}

// Nothing is felt at such starts: every k below 1 gives the same, and so does every large one.
static void far_starts_lead_to_the_coefficients_too(void **state)
{
  static const double starts[][2] = {{1e-8, 1}, {1, 1e-8}, {1e8, 1e8}, {1e-8, 1e-8}, {1e-5, 1e5}};
  double truth[2] = {2, 0.2}, measured[15];
  two_and_three_balls(NULL, truth, measured, NULL);
  for (size_t s = 0; s < sizeof starts / sizeof *starts; s++) {
    pc_unknown far[] = {{"k", starts[s][0], 0, INFINITY}, {"nu", starts[s][1], 0, INFINITY}};
    pc_identification problem = {2, far, 15, measured, 0.01, two_and_three_balls, NULL};
    pc_estimate estimates[2];
    pc_identify_info info;
    assert_int_equal(pc_identify(&problem, estimates, &info, NULL), PC_OK);
    assert_true(info.converged);
    for (int i = 0; i < 2; i++)
      assert_near(estimates[i].value / truth[i], 1, 1e-5);
  }
}

// A restitution, which the model knows up to 1 only: no limit is given for it.
static pc_status rebound(void *context, const double *e, double *predicted, pc_error *error)
{
  *predicted = 2 * *e;
  return *e <= 1 ? PC_OK : PC_ERROR_INPUT;
}

static void a_coefficient_may_stand_where_its_model_ends(void **state)
{
  static const struct {
    double measured, value;
  } cases[] = {{1.33, 0.665}, {1.995, 0.9975}, {2, 1}, {2.2, 1}};
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
    for (int start = 0; start < 2; start++) {
      pc_unknown e = {"e", start ? 1 : 0.5, 0, INFINITY};
      pc_identification problem = {1, &e, 1, &cases[c].measured, 0.01, rebound, NULL};
      pc_estimate estimate;
      pc_identify_info info;
      assert_int_equal(pc_identify(&problem, &estimate, &info, NULL), PC_OK);
      assert_true(info.converged);
      assert_near(estimate.value, cases[c].value, 1e-6);
      assert_near(estimate.standard_error, 0.005, 1e-5);
      assert_true(estimate.high <= 1);
    }
}

// Two of them: that one stands at its end is nothing to the other.
static pc_status two_rebounds(void *context, const double *e, double *predicted, pc_error *error)
{
  for (int i = 0; i < 4; i++)
    predicted[i] = (1 + i % 2) * e[i / 2];
  return e[0] <= 1 && e[1] <= 1 ? PC_OK : PC_ERROR_INPUT;
}

static void what_stands_at_its_end_holds_no_other_back(void **state)
{
  static const double starts[][2] = {{0.999, 1}, {0.9, 0.9}, {0.99, 0.01}, {1, 0.9}, {1e-6, 1e-6}};
  double measured[4] = {1.05, 2.10, 0.5, 1};
  for (int given = 0; given < 2; given++)
    for (size_t s = 0; s < sizeof starts / sizeof *starts; s++) {
      pc_unknown unknowns[] = {{"e", starts[s][0], 0, INFINITY}, {"f", starts[s][1], 0, INFINITY}};
      pc_identification problem = {2, unknowns, 4, measured, given ? 0.01 : 0, two_rebounds, NULL};
      pc_estimate estimates[2];
      pc_identify_info info;
      assert_int_equal(pc_identify(&problem, estimates, &info, NULL), PC_OK);
      assert_true(info.converged);
      assert_near(estimates[0].value, 1, 1e-9);
      assert_near(estimates[1].value, 0.5, 1e-9);
      assert_true(estimates[1].low < 0.5 && estimates[1].high > 0.5);
    }
}

// k = 6 gives the rebound (k - 2)/(k + 2) = 0.5, no k below 2 any; the other is 0 and wants to be
// small: nobody follows it there.
static pc_status rebound_and_none(void *context, const double *k, double *predicted,
                                  pc_error *error)
{
  for (int i = 0; i < 4; i++)
    predicted[i] = (1 + i % 2) * (i / 2 ? k[1] : fmax((k[0] - 2) / (k[0] + 2), 0));
  return k[1] <= 1 ? PC_OK : PC_ERROR_INPUT;
}

static void an_unknown_that_is_not_felt_is_not_lost_to_another(void **state)
{
  double measured[4] = {0.5, 1, 0, 0};
  for (double start = 1e-6; start < 1e7; start *= 10) {
    pc_unknown unknowns[] = {{"k", start, 0, INFINITY}, {"e", 0.5, 0, INFINITY}};
    pc_identification problem = {2, unknowns, 4, measured, 0.01, rebound_and_none, NULL};
    pc_estimate estimates[2];
    pc_identify_info info;
    assert_int_equal(pc_identify(&problem, estimates, &info, NULL), PC_OK);
    assert_near(estimates[0].value, 6, 1e-5);
    assert_true(estimates[1].low_open && !estimates[1].high_open && estimates[1].high < 0.01);
  }
}

// Where a law refuses only some pairs of coefficients, the way may be barred: that is told.
static pc_status refuses_pairs(void *context, const double *k, double *predicted, pc_error *error)
{
  predicted[0] = k[0];
  predicted[1] = k[1];
  return k[0] * k[1] <= 1 ? PC_OK : PC_ERROR_INPUT;
}

static void a_fit_that_is_barred_does_not_converge(void **state)
{
  double measured[2] = {2, 3};
  pc_unknown unknowns[] = {{"a", 0.5, 0, INFINITY}, {"b", 0.5, 0, INFINITY}};
  pc_identification problem = {2, unknowns, 2, measured, 0.01, refuses_pairs, NULL};
  pc_estimate estimates[2];
  pc_identify_info info;
  assert_int_equal(pc_identify(&problem, estimates, &info, NULL), PC_OK);
  assert_false(info.converged);
}

// e = (k - 1)/(k + 1) for equal balls, v2 - v1 = e v: the variance follows from de/dk = 2/(k +
// 1)^2.
static void standard_error_of_k_is_the_one_of_its_closed_form(void **state)
{
  double truth = 3, sigma = 0.01, measured[6], sum = 0;
  two_balls(NULL, &truth, measured, NULL);
  for (int i = 0; i < 3; i++) // v1 = (1 - e) v / 2, v2 = (1 + e) v / 2
    sum += 2 * pow(speeds[i] / 2 * 2 / pow(truth + 1, 2), 2);
  pc_identification problem = {1, from_zero, 6, measured, sigma, two_balls, NULL};
  pc_estimate estimate;
  pc_identify_info info;
  assert_int_equal(pc_identify(&problem, &estimate, &info, NULL), PC_OK);
  assert_near(estimate.standard_error / (sigma / sqrt(sum)), 1, 1e-5);
}

// The same in another unit of length.
static pc_status two_balls_in_unit(void *context, const double *k, double *predicted,
                                   pc_error *error)
{
  const double *unit = context;
  pc_status status = PC_OK;
  for (int i = 0; i < 3 && status == PC_OK; i++)
    status = collide(2, speeds[i] * *unit, 1, k[0], 0, predicted + 2 * i);
  return status;
}

// Without scatter, sigma is the error of the solver, a part of the largest measurement in any unit,
// and intervals are as wide as it says: Student's t for 5 degrees times the standard error above.
static void exact_data_have_the_error_of_the_solver(void **state)
{
  double truth = 3, sum = 0, units[] = {1e-6, 1, 1e6};
  for (int i = 0; i < 3; i++)
    sum += 2 * pow(speeds[i] / 2 * 2 / pow(truth + 1, 2), 2);
  for (int i = 0; i < 3; i++) {
    double measured[6], largest = speeds[2] * 0.75 * units[i]; // (1 + e) v / 2, e = 1/2
    assert_int_equal(two_balls_in_unit(&units[i], &truth, measured, NULL), PC_OK);
    assert_near(measured[5] / largest, 1, 1e-9);
    pc_identification problem = {1, from_zero, 6, measured, 0, two_balls_in_unit, &units[i]};
    pc_estimate estimate;
    pc_identify_info info;
    assert_int_equal(pc_identify(&problem, &estimate, &info, NULL), PC_OK);
    assert_near(info.sigma / largest, 1e-9, 1e-12);
    assert_near(estimate.value, truth, 1e-10);
    double half = 2.571 * info.sigma / (units[i] * sqrt(sum));
    assert_near((estimate.high - truth) / half, 1, 0.02);
    assert_near((truth - estimate.low) / half, 1, 0.02);
  }
}

// With 1 % noise the interval has to hold the truth 95 times in 100: not more than four standard
// deviations of the binomial law away.
static void intervals_cover_the_truth(void **state)
{
  pc_random random = test_random("coverage");
  double truth[2] = {2, 0.2}, exact[15];
  two_and_three_balls(NULL, truth, exact, NULL);
  for (int given = 0; given < 2; given++) {
    int count = test_count(200), covered[2] = {0};
    for (int run = 0; run < count; run++) {
      double measured[15];
      for (int i = 0; i < 15; i++)
        measured[i] = exact[i] + 0.01 * pc_random_normal(&random);
      pc_identification problem = {
          2, from_zero, 15, measured, given ? 0.01 : 0, two_and_three_balls, NULL};
      pc_estimate estimates[2];
      pc_identify_info info;
      assert_int_equal(pc_identify(&problem, estimates, &info, NULL), PC_OK);
      for (int i = 0; i < 2; i++)
        covered[i] += estimates[i].low <= truth[i] && truth[i] <= estimates[i].high;
    }
    double spread = sqrt(0.95 * 0.05 * count);
    for (int i = 0; i < 2; i++) {
      printf("sigma %s: %s covered %d of %d\n", given ? "given" : "estimated", from_zero[i].name,
             covered[i], count);
      assert_near(covered[i], 0.95 * count, 4 * spread + 1);
    }
  }
}

static void inelastic_collisions_give_an_upper_limit_of_k(void **state)
{
  double truth = 0.2, measured[6]; // below 2 m* = 1 every k gives the same
  two_balls(NULL, &truth, measured, NULL);
  pc_identification problem = {1, from_zero, 6, measured, 0.001, two_balls, NULL};
  pc_estimate estimate;
  pc_identify_info info;
  for (double start = 0.01; start < 200; start *= 10) { // from either side of the limit
    pc_unknown unknown = {"k", start, 0, INFINITY};
    problem.unknown = &unknown;
    assert_int_equal(pc_identify(&problem, &estimate, &info, NULL), PC_OK);
    assert_true(estimate.low_open);
    assert_false(estimate.high_open);
    assert_near(estimate.low, 0, 0);
    assert_true(estimate.high > 1 && estimate.high < 1.02);
    assert_true(isnan(estimate.standard_error) || estimate.value >= 1 - 1e-3);
  }
}

static void balls_that_stay_together_give_an_upper_limit_of_nu(void **state)
{
  double truth = 0.02, measured[9];
  three_heavy_balls(NULL, &truth, measured, NULL);
  for (int i = 0; i < 9; i++)
    assert_near(measured[i], speeds[i / 3] / 3, 1e-9);
  pc_unknown unknown = {"nu", 1, 0, INFINITY};
  pc_identification problem = {1, &unknown, 9, measured, 0.001, three_heavy_balls, NULL};
  pc_estimate estimate;
  pc_identify_info info;
  assert_int_equal(pc_identify(&problem, &estimate, &info, NULL), PC_OK);
  assert_true(estimate.low_open);
  assert_false(estimate.high_open);
  assert_true(estimate.high > 1 / 24.0 && estimate.high < 0.045);
}

static void what_acts_nowhere_is_not_determined(void **state)
{
  double truth[2] = {2, 5}, measured[6];
  two_balls(NULL, truth, measured, NULL);
  pc_identification problem = {2, from_zero, 6, measured, 0.01, two_balls_and_nothing, NULL};
  pc_estimate estimates[2];
  pc_identify_info info;
  assert_int_equal(pc_identify(&problem, estimates, &info, NULL), PC_OK);
  assert_near(estimates[0].value, 2, 1e-5);
  assert_false(estimates[0].low_open || estimates[0].high_open);
  assert_true(estimates[1].low_open && estimates[1].high_open);
  assert_true(isnan(estimates[1].standard_error));
}

static void limits_are_kept(void **state)
{
  double truth = 3, measured[6];
  two_balls(NULL, &truth, measured, NULL);
  pc_unknown unknown = {"k", 1.2, 1.1, 2};
  pc_identification problem = {1, &unknown, 6, measured, 0.5, two_balls, NULL};
  pc_estimate estimate;
  pc_identify_info info;
  assert_int_equal(pc_identify(&problem, &estimate, &info, NULL), PC_OK);
  assert_near(estimate.value, 2, 1e-9);
  assert_true(estimate.high_open);
  assert_near(estimate.high, 2, 0);
}

static void senseless_questions_are_refused(void **state)
{
  double measured[6] = {0, 1, 0, 1, 0, 1};
  pc_estimate estimate;
  pc_identify_info info;
  pc_error error;
  pc_unknown bad[] = {
      {"k", 0, 0, 1}, {"k", 1, 2, 3}, {"k", 4, 2, 3}, {"k", 1, -1, 3}, {"k", 1, 1, 1}};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    pc_identification problem = {1, &bad[i], 6, measured, 0.1, two_balls, NULL};
    assert_int_equal(pc_identify(&problem, &estimate, &info, &error), PC_ERROR_ARGUMENT);
  }
  pc_identification few = {1, from_zero, 1, measured, 0, two_balls, NULL};
  assert_int_equal(pc_identify(&few, &estimate, &info, &error), PC_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "sigma"));
  measured[2] = NAN;
  pc_identification nan = {1, from_zero, 6, measured, 0.1, two_balls, NULL};
  assert_int_equal(pc_identify(&nan, &estimate, &info, NULL), PC_ERROR_ARGUMENT);
}

// Files.

static char path[64];

static int make_path(void **state)
{
  strcpy(path, "/tmp/percuss-identify-XXXXXX");
  int file = mkstemp(path);
  return file < 0 ? -1 : close(file);
}

static int remove_path(void **state)
{
  return unlink(path);
}

static void write_text(const char *text)
{
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

#define DROP(after)                                                                                \
  "  - problem:\n"                                                                                 \
  "      bodies: [{id: ball, dof: 1, mass: 0.1, velocity: [-2]}]\n"                                \
  "      interactions: [{type: contact, bodies: [ball], normal: [1], law: {normal: {kind: "        \
  "quadratic, k: $k4}}}]\n"                                                                        \
  "    after: " after "\n"

static void a_file_gives_the_coefficient_of_its_drops(void **state)
{
  // e = (k - 2 m)/(k + 2 m) = 2/3 for k = 1, m = 0.1.
  write_text("kind: identification\nunknowns: {k4: {start: 0.3}}\nsigma: 0.01\nexperiments:\n" DROP(
      "{ball: [1.3333333333333333]}") DROP("{ball: [null]}"));
  pc_scene_identification scene;
  pc_error error = {.status = PC_OK};
  assert_ok(pc_scene_read_identification(path, &scene, &error), &error);
  assert_int_equal(scene.experiments, 2);
  assert_int_equal(scene.problem.measurements, 1);
  pc_estimate estimate;
  pc_identify_info info;
  assert_int_equal(pc_identify(&scene.problem, &estimate, &info, &error), PC_OK);
  assert_near(estimate.value, 1, 1e-6);
  pc_scene_identification_free(&scene);
}

static void bad_identification_files_are_named_with_their_line(void **state)
{
#define START "kind: identification\nunknowns:\n  k4: {start: 1}\nsigma: 0.1\nexperiments:\n"
  static const struct {
    const char *text;
    int line;
    const char *word;
  } bad[] = {
      {"kind: impact\nbodies: []\n", 1, "'percuss solve FILE'"},
      {"kind: necklace\n", 1, "known: impact, identification"},
      {"unknowns: {}\n", 1, "kind"},
      {"kind: identification\nunknowns: {}\nexperiments: []\n", 2, "1 to 8 unknowns"},
      {"kind: identification\nunknowns: 3\nexperiments: []\n", 2, "mapping"},
      {"kind: identification\nunknowns: {k: 1}\nexperiments: []\n", 2, "mapping"},
      {"kind: identification\nunknowns: {k: {begin: 1}}\nexperiments: []\n", 2, "'begin'"},
      {"kind: identification\nunknowns: {k: {start: 0}}\nexperiments: []\n", 2, "must be positive"},
      {"kind: identification\nunknowns: {k: {start: 1, low: 2}}\nexperiments: []\n", 2, "start"},
      {"kind: identification\nunknowns: {k: {start: 1, low: 2, high: 1}}\nexperiments: []\n", 2,
       "greater than 2"},
      {"kind: identification\nunknowns: {k: {start: 1}, k: {start: 2}}\nexperiments: []\n", 2,
       "'k'"},
      {"kind: identification\nunknowns: {k: {start: 1}}\nexperiments: []\n", 3,
       "'experiments' is empty"},
      {START "  - {after: {}}\n", 6, "problem"},
      {START DROP("{ball: [1, 2]}"), 9, "found 2"},
      {START DROP("{ball: 1}"), 9, "list"},
      {START DROP("{bell: [1]}"), 9, "'bell'"},
      {START DROP("{ball: [1], ball: [1]}"), 9, "twice"},
      {START DROP("{ball: [.nan]}"), 9, ".nan"},
      {START DROP("{ball: [null]}"), 6, "no velocity is measured: add velocities to 'after'"},
      {START "  - problem: {kind: impact, bodies: []}\n    after: {}\n", 6, "'kind'"},
      {"kind: identification\nunknowns: {k4: {start: 1}, nu: {start: 1}}\nsigma: "
       "1\nexperiments:\n" DROP("{ball: [1]}"),
       2, "'$nu'"},
      {"kind: identification\nunknowns: {k5: {start: 1}}\nsigma: 1\nexperiments:\n" DROP("{ball: "
                                                                                         "[1]}"),
       7, "'$k4'"},
      {"kind: identification\nunknowns: {k4: {start: 1}}\nexperiments:\n" DROP("{ball: [1]}"), 1,
       "1 measurement for 1 unknown cannot determine the standard deviation; add 'sigma'"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    write_text(bad[i].text);
    pc_scene_identification scene;
    pc_error error = {.status = PC_OK};
    if (pc_scene_read_identification(path, &scene, &error) == PC_OK)
      fail_msg("accepted: %s", bad[i].text);
    assert_int_equal(error.status, PC_ERROR_INPUT);
    assert_null(scene.file);
    char start[100];
    snprintf(start, sizeof start, "%s:%d: ", path, bad[i].line);
    if (strncmp(error.text, start, strlen(start)) != 0 || strstr(error.text, bad[i].word) == NULL)
      fail_msg("'%s' should start with '%s' and have '%s'", error.text, start, bad[i].word);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exact_measurements_give_the_coefficients),
      cmocka_unit_test(far_starts_lead_to_the_coefficients_too),
      cmocka_unit_test(a_coefficient_may_stand_where_its_model_ends),
      cmocka_unit_test(what_stands_at_its_end_holds_no_other_back),
      cmocka_unit_test(an_unknown_that_is_not_felt_is_not_lost_to_another),
      cmocka_unit_test(a_fit_that_is_barred_does_not_converge),
      cmocka_unit_test(standard_error_of_k_is_the_one_of_its_closed_form),
      cmocka_unit_test(exact_data_have_the_error_of_the_solver),
      cmocka_unit_test(intervals_cover_the_truth),
      cmocka_unit_test(inelastic_collisions_give_an_upper_limit_of_k),
      cmocka_unit_test(balls_that_stay_together_give_an_upper_limit_of_nu),
      cmocka_unit_test(what_acts_nowhere_is_not_determined),
      cmocka_unit_test(limits_are_kept),
      cmocka_unit_test(senseless_questions_are_refused),
      cmocka_unit_test(a_file_gives_the_coefficient_of_its_drops),
      cmocka_unit_test(bad_identification_files_are_named_with_their_line),
  };
  return cmocka_run_group_tests(tests, make_path, remove_path);
}
