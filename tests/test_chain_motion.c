// A chain in time: what the laws of impacts make of balls that fly between them.
#include "support.h"

#include "percuss/percuss.h"

enum { MOST = 40 };

typedef struct example {
  double mass[MOST], velocity[MOST];
  pc_chain_contact contact[MOST];
  pc_chain chain;
  pc_chain_law law;
} example;

static void make(example *e, pc_chain_law_kind law, int balls, double restitution)
{
  memset(e, 0, sizeof *e);
  e->chain = (pc_chain){.balls = balls,
                        .mass = e->mass,
                        .velocity = e->velocity,
                        .contact = e->contact,
                        .exponent = 1.5};
  for (int i = 0; i < balls; i++)
    e->mass[i] = 1;
  for (int i = 0; i < MOST; i++) {
    e->contact[i] = pc_chain_contact_default();
    e->contact[i].stiffness = 1e6;
    e->contact[i].restitution = restitution;
  }
  e->velocity[0] = 1;
  e->law = pc_chain_law_default(law);
}

static pc_chain_motion *start_with(example *e, const pc_chain_options *options)
{
  pc_error error = {.text = ""};
  pc_chain_motion *motion = pc_chain_motion_create(&e->chain, &e->law, options, &error);
  if (motion == NULL)
    fail_msg("%s", error.text);
  return motion;
}

static pc_chain_motion *start(example *e)
{
  return start_with(e, NULL);
}

static void go(pc_chain_motion *motion, double time)
{
  pc_error error = {.text = ""};
  assert_ok(pc_chain_motion_advance(motion, time, &error), &error);
}

static void compressed_contacts_in_pieces_are_the_impact_in_one(void **state)
{
  example e;
  for (int r = 0; r < 2; r++) {
    make(&e, PC_CHAIN_HERTZ, 10, r == 0 ? 1 : 0.7);
    double after[MOST];
    pc_chain_answer answer = {.velocity = after};
    assert_int_equal(pc_chain_solve(&e.chain, &e.law, NULL, &answer, NULL), PC_OK);
    pc_chain_motion *motion = start(&e);
    for (int i = 1; i <= 100; i++) {
      go(motion, answer.duration * i / 50);
      pc_chain_account account = pc_chain_motion_account(motion);
      assert_true(fabs(account.error) < 1e-8);
      assert_true(account.dissipated > -1e-9);
    }
    pc_chain_sample sample = pc_chain_motion_sample(motion);
    for (int i = 0; i < 10; i++)
      assert_true(fabs(sample.velocity[i] - after[i]) < 1e-7);
    pc_chain_account account = pc_chain_motion_account(motion);
    assert_int_equal(account.compressed, 0);
    assert_true(r == 0 ? account.dissipated < 1e-8 : account.dissipated > 0.01);
    pc_chain_motion_destroy(motion);
  }
}

static void a_saved_motion_goes_on_bit_for_bit(void **state)
{
  static const pc_chain_law_kind laws[] = {PC_CHAIN_HERTZ, PC_CHAIN_SEQUENTIAL};
  for (int k = 0; k < 2; k++) {
    example e;
    make(&e, laws[k], 8, 0.9);
    for (int i = 0; i < 7; i++)
      e.contact[i].gap = 1e-4 * (1 + i);
    pc_chain_motion *one = start(&e), *two = start(&e);
    go(one, 2e-3);
    size_t size = pc_chain_motion_save(one, NULL);
    void *bytes = malloc(size);
    pc_chain_motion_save(one, bytes);
    assert_int_equal(pc_chain_motion_load(two, bytes, size, NULL), PC_OK);
    assert_int_not_equal(pc_chain_motion_load(two, bytes, size - 1, NULL), PC_OK);
    for (int i = 1; i <= 20; i++) {
      go(one, 2e-3 + 1e-4 * i);
      go(two, 2e-3 + 1e-4 * i);
      pc_chain_sample a = pc_chain_motion_sample(one), b = pc_chain_motion_sample(two);
      assert_memory_equal(a.velocity, b.velocity, 8 * sizeof(double));
      assert_memory_equal(a.position, b.position, 8 * sizeof(double));
      assert_memory_equal(a.percussion, b.percussion, 7 * sizeof(double));
    }
    free(bytes);
    pc_chain_motion_destroy(one);
    pc_chain_motion_destroy(two);
  }
}

// Equal balls hand their velocity on; a wall turns it round. Ball 1 flies 1 m, ball 2 flies 2 m to
// the wall and back, ball 1 returns.
static void equal_balls_and_a_wall_change_velocities(void **state)
{
  static const pc_chain_law_kind laws[] = {PC_CHAIN_NEWTON, PC_CHAIN_SEQUENTIAL, PC_CHAIN_MOREAU,
                                           PC_CHAIN_POISSON, PC_CHAIN_LZB};
  for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
    example e;
    make(&e, laws[k], 2, 1);
    e.chain.wall_right = true;
    e.contact[0].gap = 1;
    e.contact[1].gap = 2;
    pc_chain_motion *motion = start(&e);
    static const double at[][3] = {{0.5, 1, 0}, {2, 0, 1}, {4, 0, -1}, {6, -1, 0}};
    for (int i = 0; i < 4; i++) {
      go(motion, at[i][0]);
      pc_chain_sample sample = pc_chain_motion_sample(motion);
      assert_true(fabs(sample.velocity[0] - at[i][1]) < 1e-8);
      assert_true(fabs(sample.velocity[1] - at[i][2]) < 1e-8);
    }
    pc_chain_sample sample = pc_chain_motion_sample(motion);
    assert_true(fabs(sample.position[0] - 0) < 1e-7 && fabs(sample.position[1]) < 1e-7);
    assert_int_equal(pc_chain_motion_account(motion).impacts, 3);
    assert_true(fabs(pc_chain_motion_account(motion).error) < 1e-9);
    pc_chain_motion_destroy(motion);
  }
}

// Two balls between a third and a wall: collisions pile up towards an instant and end.
static void collisions_that_pile_up_end(void **state)
{
  static const pc_chain_law_kind laws[] = {PC_CHAIN_NEWTON, PC_CHAIN_SEQUENTIAL, PC_CHAIN_MOREAU};
  for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
    example e;
    make(&e, laws[k], 3, 0.1);
    e.contact[1].gap = 0.5;
    e.contact[0].gap = 1;
    pc_chain_motion *motion = start(&e);
    double kinetic = 0.5;
    for (int i = 1; i < 50; i++) {
      go(motion, 0.2 * i);
      pc_chain_account account = pc_chain_motion_account(motion);
      assert_true(account.kinetic <= kinetic + 1e-12 && fabs(account.error) < 1e-9);
      kinetic = account.kinetic;
    }
    pc_chain_sample sample = pc_chain_motion_sample(motion);
    double momentum = sample.velocity[0] + sample.velocity[1] + sample.velocity[2];
    assert_true(fabs(momentum - 1) < 1e-9);
    for (int i = 0; i < 2; i++) // no ball passed through
      assert_true(sample.compression[i] <= 1e-9);
    pc_chain_motion_destroy(motion);
  }
}

// A chain under a static force holds energy before it is struck; the energy balance starts with it.
static void a_pressed_chain_closes_its_account(void **state)
{
  example e;
  make(&e, PC_CHAIN_HERTZ, 5, 1);
  for (int i = 0; i < 4; i++)
    e.contact[i].stiffness = 1;
  e.chain.press = 1;
  pc_chain_motion *motion = start(&e);
  assert_true(fabs(pc_chain_motion_account(motion).stored - 4 * 0.4) < 1e-12);
  for (int i = 1; i <= 10; i++) {
    go(motion, 0.8 * i);
    pc_chain_account account = pc_chain_motion_account(motion);
    assert_true(fabs(account.dissipated) < 1e-8 && fabs(account.error) < 1e-8);
  }
  pc_chain_motion_destroy(motion);
}

static void an_impact_without_end_is_told(void **state)
{
  example e;
  pc_error error = {.text = ""};
  make(&e, PC_CHAIN_SEQUENTIAL, 3, 1);
  e.chain.wall_left = e.chain.wall_right = true;
  pc_chain_motion *motion = start(&e);
  assert_int_equal(pc_chain_motion_advance(motion, 1, &error), PC_ERROR_NUMERIC);
  assert_non_null(strstr(error.text, "an impact does not end: after"));
  assert_non_null(strstr(error.text, "touches both walls"));
  pc_chain_motion_destroy(motion);
}

// One that misses its tolerance by little is counted, once, with its residual; by much it ends the
// motion. Coefficients twelve decades above the masses leave that few digits.
static void impacts_that_miss_their_tolerance_are_told(void **state)
{
  example e;
  pc_error error = {.text = ""};
  static const double stiff[2] = {1e9, 1e9}, stiffer[5] = {1e12, 1e12, 1e12, 1e12, 1e12};
  pc_chain_distance near = {.balls = {0, 2}, .k = 1e6}, far = {.balls = {0, 4}, .k = 1e9};
  make(&e, PC_CHAIN_FREMOND, 3, 1);
  memcpy(e.mass, (double[]){0.1, 5, 5}, 3 * sizeof(double));
  memcpy(e.velocity, (double[]){1, 0, 1}, 3 * sizeof(double));
  e.law.k = stiff;
  e.law.distance = &near;
  e.law.distances = 1;
  pc_chain_options options = pc_chain_options_default();
  options.tolerance = 2e-11; // more than there are digits for
  pc_chain_motion *motion = start_with(&e, &options);
  for (int i = 1; i <= 3; i++) {
    go(motion, 0.01 * i);
    pc_chain_account account = pc_chain_motion_account(motion);
    assert_int_equal(account.impacts, 1);
    assert_int_equal(account.inaccurate, 1);
    assert_true(i == 1 ? account.residual > options.tolerance : account.residual == 0);
  }
  pc_chain_motion_destroy(motion);

  make(&e, PC_CHAIN_FREMOND, 5, 1);
  memcpy(e.mass, (double[]){1.13, 0.218, 0.11, 1.955, 5.393}, 5 * sizeof(double));
  memcpy(e.velocity, (double[]){-4.4e-4, 1.5e-3, -1.7e-3, 8.6e-4, 1.2e-3}, 5 * sizeof(double));
  e.chain.wall_right = true;
  e.law.k = stiffer;
  e.law.distance = &far;
  e.law.distances = 1;
  motion = start(&e);
  assert_int_equal(pc_chain_motion_advance(motion, 1, &error), PC_ERROR_NUMERIC);
  assert_non_null(strstr(error.text, "; the coefficients may differ by too many orders of"));
  pc_chain_motion_destroy(motion);
}

// So many that the square of their number is no int: a sanitizer sees whether anything counts so.
static void long_chains_are_counted(void **state)
{
  enum { BALLS = 50000 };
  pc_chain chain = {.balls = BALLS, .exponent = 1.5};
  double *mass = calloc(BALLS, sizeof *mass), *velocity = calloc(BALLS, sizeof *velocity);
  pc_chain_contact *contact = calloc(BALLS, sizeof *contact);
  assert_true(mass != NULL && velocity != NULL && contact != NULL);
  for (int i = 0; i < BALLS; i++) {
    mass[i] = 1;
    contact[i] = pc_chain_contact_default();
    contact[i].stiffness = 1e6;
    contact[i].restitution = 0.5;
    contact[i].gap = 1; // none is reached
  }
  velocity[BALLS - 1] = 1;
  chain.mass = mass;
  chain.velocity = velocity;
  chain.contact = contact;
  for (pc_chain_law_kind kind = 0; kind <= PC_CHAIN_HERTZ; kind++) {
    pc_error error = {.text = ""};
    pc_chain_law law = pc_chain_law_default(kind);
    if (kind == PC_CHAIN_MATRIX) // 20 GB
      continue;
    pc_chain_motion *motion = pc_chain_motion_create(&chain, &law, NULL, &error);
    if (motion == NULL)
      assert_string_not_equal(error.text, "");
    else if (pc_chain_motion_advance(motion, 1e-3, &error) != PC_OK)
      fail_msg("%s", error.text);
    pc_chain_motion_destroy(motion);
  }
  free(mass);
  free(velocity);
  free(contact);
}

static void what_cannot_be_is_refused(void **state)
{
  example e;
  pc_error error = {.text = ""};
  make(&e, PC_CHAIN_NEWTON, 3, 1);
  e.mass[1] = -1;
  assert_null(pc_chain_motion_create(&e.chain, &e.law, NULL, &error));
  assert_non_null(strstr(error.text, "ball 2"));
  make(&e, PC_CHAIN_HERTZ, 3, 1);
  pc_chain_motion *motion = start(&e);
  go(motion, 1);
  assert_int_equal(pc_chain_motion_advance(motion, 0.5, &error), PC_ERROR_ARGUMENT);
  pc_chain_motion_destroy(motion);
  // A matrix that leaves balls approaching has no end.
  static const double swap[4] = {-1, 0, 0, -1};
  make(&e, PC_CHAIN_MATRIX, 3, 1);
  e.law.matrix = swap;
  motion = start(&e);
  assert_int_equal(pc_chain_motion_advance(motion, 1, &error), PC_ERROR_NUMERIC);
  assert_non_null(strstr(error.text, "impacts at one instant: the law '"));
  pc_chain_motion_destroy(motion);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(compressed_contacts_in_pieces_are_the_impact_in_one),
      cmocka_unit_test(a_saved_motion_goes_on_bit_for_bit),
      cmocka_unit_test(equal_balls_and_a_wall_change_velocities),
      cmocka_unit_test(collisions_that_pile_up_end),
      cmocka_unit_test(a_pressed_chain_closes_its_account),
      cmocka_unit_test(an_impact_without_end_is_told),
      cmocka_unit_test(impacts_that_miss_their_tolerance_are_told),
      cmocka_unit_test(long_chains_are_counted),
      cmocka_unit_test(what_cannot_be_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
