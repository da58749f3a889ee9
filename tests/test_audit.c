// The audit of many contacts at a time against one answer after the other, and its kernels and
// those of packing against each other: wide vectors and narrow ones give the same bits.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "impact/audit_kernels.h"
#include "impact/packing.h"
#include "percuss/impact.h"
#include "support.h"

static double number(pc_random *random)
{
  return pc_random_uniform(random, -1, 1);
}

// Bodies of any inertia, some of infinite mass, and contacts with all laws that packs can hold and
// with two that they cannot. `made` gets the contacts, if it is not NULL.
static pc_impact *random_problem(pc_random *random, int bodies, int contacts, pc_interaction *made)
{
  pc_impact *problem = pc_impact_create();
  assert_non_null(problem);
  for (int b = 0; b < bodies; b++) {
    pc_impact_body body = pc_impact_body_default();
    bool fixed = b % 7 == 3;
    body.mass = fixed ? INFINITY : pc_random_uniform(random, 0.5, 2);
    for (int i = 0; i < 9; i++)
      body.inertia[i] = i % 4 != 0 ? 0 : fixed ? INFINITY : pc_random_uniform(random, 0.5, 2);
    if (!fixed && b % 2 == 0)
      body.inertia[1] = body.inertia[3] = 0.2 * number(random);
    for (int i = 0; i < 6; i++) {
      body.velocity[i] = number(random);
      body.percussion[i] = fixed ? 0 : 0.1 * number(random);
    }
    for (int i = 0; i < 3; i++)
      body.position[i] = 3 * number(random);
    assert_int_equal(pc_impact_add_body(problem, &body), b);
  }
  for (int k = 0; k < contacts; k++) {
    pc_interaction contact = pc_interaction_default(PC_CONTACT);
    pc_tangential_law *tangential = &contact.law.tangential;
    int a = (int)pc_random_uniform(random, 0, bodies), kind = k % 8;
    contact.bodies[0] = a;
    contact.bodies[1] = k % 5 == 0 ? PC_OBSTACLE : (a + 1 + k % (bodies - 1)) % bodies;
    for (int i = 0; i < 3; i++) {
      contact.normal[i] = number(random);
      contact.point[i] = 3 * number(random);
      contact.given[i] = k % 11 == 0 ? number(random) : 0;
    }
    contact.bound = k % 3 == 0 ? 0.1 * number(random) : 0;
    if (kind == 1 || kind == 2 || kind == 7) {
      contact.law.normal.kind = PC_NORMAL_RESTITUTION;
      contact.law.normal.e = 0.4;
    } else if (kind == 3 || kind == 4) {
      contact.law.normal.kind = PC_NORMAL_QUADRATIC;
      contact.law.normal.k = 2;
    } else if (kind == 6) {
      contact.law.normal.kind = PC_NORMAL_POWER;
      contact.law.normal.k = 1;
      contact.law.normal.p = 3;
    }
    tangential->kind = kind == 3 ? PC_TANGENTIAL_VISCOUS : PC_TANGENTIAL_COULOMB;
    tangential->k = 0.7;
    tangential->mu[0] = 0.3;
    tangential->on = kind == 2 || kind == 7 ? PC_ON_MOREAU : kind == 4 ? PC_ON_MEAN : PC_ON_AFTER;
    tangential->anisotropic = kind == 7;
    tangential->mu[1] = 0.5;
    tangential->axis[2] = 1;
    if (k % 13 == 0)
      tangential->kind = PC_TANGENTIAL_NONE;
    assert_int_equal(pc_impact_add_interaction(problem, &contact), k);
    if (made != NULL)
      made[k] = contact;
  }
  return problem;
}

enum { SIGNED, SEPARATING, RESTITUTION, FRICTION, BOUNDS, LINES };

// Books one answer: where its law allows rest, and D- says so, what acts along the normal has a
// sign.
static void book(const pc_interaction *contact, const pc_interaction_answer *answer,
                 double line[LINES])
{
  const pc_law *law = &contact->law;
  bool returns = law->normal.kind == PC_NORMAL_RESTITUTION;
  double size = 0, before = 0, mean = 0, percussion = 0;
  for (int i = 0; i < 3; i++)
    size = hypot(size, contact->normal[i]);
  for (int i = 0; i < 3; i++) {
    before += (2 * answer->deformation[i] - answer->after[i]) * contact->normal[i] / size;
    mean += answer->deformation[i] * contact->normal[i] / size;
    percussion += answer->percussion[i] * contact->normal[i] / size;
  }
  double along = percussion * mean, across = answer->dissipated - along;
  bool rests = -before >= contact->bound - (returns ? law->normal.e * before : 0);
  line[rests ? SIGNED : before > 0 ? SEPARATING : BOUNDS] += along;
  bool rubs = law->tangential.kind == PC_TANGENTIAL_COULOMB;
  bool moreau = law->tangential.on == PC_ON_MOREAU && returns;
  line[rubs && moreau                             ? RESTITUTION
       : rubs && law->tangential.on != PC_ON_MEAN ? FRICTION
                                                  : SIGNED] += across;
}

static void is_the_sum_of_all_answers(void **state)
{
  enum { MOST = 1400 };
  static pc_interaction made[MOST];
  pc_random random = test_random("answers");
  int used[LINES] = {0};
  for (int i = 0; i < 10 + test_count(30); i++) {
    int contacts = (int)pc_random_uniform(&random, 1, MOST);
    pc_impact *problem = random_problem(&random, 40, contacts, made);
    pc_solve_options options = pc_solve_options_default();
    pc_solve_info info[2];
    options.max_iterations = 5; // any answer will do
    options.solver = "nsgs";
    for (int t = 0; t < 2; t++) {
      options.threads = 1 + 2 * t;
      assert_int_equal(pc_impact_solve(problem, &options, &info[t]), PC_OK);
    }
    double dissipated = 0, size = 0, line[LINES] = {0};
    for (int k = 0; k < contacts; k++) {
      pc_interaction_answer answer;
      pc_impact_answer(problem, k, &answer);
      assert_near(pc_impact_dissipated(problem, k), answer.dissipated,
                  1e-14 * (1 + fabs(answer.dissipated)));
      dissipated += answer.dissipated;
      size += fabs(answer.dissipated);
      book(&made[k], &answer, line);
    }
    const pc_audit *audit = &info[0].audit;
    assert_near(audit->dissipated, dissipated, 1e-11 * (size + 1));
    const double got[LINES] = {audit->dissipated_signed, audit->dissipated_separating,
                               audit->dissipated_restitution, audit->dissipated_friction,
                               audit->dissipated_bounds};
    for (int n = 0; n < LINES; n++) {
      assert_near(got[n], line[n], 1e-11 * (size + 1));
      used[n] += line[n] != 0;
    }
    assert_true(audit->identity < 1e-12 && audit->momentum < 1e-12);
    assert_memory_equal(&info[0].audit, &info[1].audit, sizeof info[0].audit);
    pc_impact_destroy(problem);
  }
  for (int n = 0; n < LINES; n++) // there is something on each
    assert_true(used[n] > 0);
}

static void fill(pc_random *random, int count, double *x)
{
  for (int i = 0; i < count; i++)
    x[i] = number(random);
}

static void kernels_of_the_audit_agree(void **state)
{
  enum { COUNT = 2 * PC_BATCH };
  pc_random random = test_random("kernels");
  pc_impact *problem = random_problem(&random, 30, COUNT, NULL);
  pc_solve_options options = pc_solve_options_default();
  pc_solve_info info;
  options.max_iterations = 5;
  assert_int_equal(pc_impact_solve(problem, &options, &info), PC_OK);
  double array[2][8][COUNT], lowest[2][COUNT], noise[2][COUNT];
  pc_audit_first first[2] = {0};
  pc_audit_second second[2] = {0};
  static pc_batch batch;
  memset(array, 0, sizeof array);
  for (int n = 0; n < 2; n++) {
    const pc_audit_kernels *kernels = pc_audit_kernels_of(n == 0);
    pc_audit_numbers numbers = {array[n][0], array[n][1], array[n][2], array[n][3],
                                array[n][4], array[n][5], array[n][6], array[n][7]};
    pc_random again;
    pc_random_seed(&again, 7);
    for (int k = 0; k < COUNT; k += PC_BATCH) {
      fill(&again, (int)(sizeof batch / sizeof(double)), &batch.group[0][0][0]);
      kernels->measure(&batch, k, &numbers, &first[n]);
    }
    kernels->judge(problem, &numbers, 0, COUNT, lowest[n], noise[n], &second[n]);
  }
  assert_memory_equal(array[0], array[1], sizeof array[0]);
  assert_memory_equal(&first[0], &first[1], sizeof first[0]);
  assert_memory_equal(&second[0], &second[1], sizeof second[0]);
  assert_memory_equal(lowest[0], lowest[1], sizeof lowest[0]);
  assert_memory_equal(noise[0], noise[1], sizeof noise[0]);
  pc_impact_destroy(problem);
}

static void kernels_of_packing_agree(void **state)
{
  static pc_batch in;
  static pc_packed_batch out[2];
  pc_random random = test_random("packing");
  for (int i = 0; i < test_count(200); i++)
    for (int shape = 0; shape < 2; shape++) {
      int of = shape == 0 ? PC_ARMS : PC_CENTRAL;
      pc_packing_sums sums[2] = {0};
      fill(&random, (int)(sizeof in / sizeof(double)), &in.group[0][0][0]);
      for (int g = 0; g < PC_BATCH_GROUPS; g++)
        for (int l = 0; l < PC_BATCH_LANES; l++) { // positive masses, some without friction
          for (int n = PC_IN_INVERSE; n <= PC_IN_LIGHT; n++)
            in.group[g][n][l] = fabs(in.group[g][n][l]);
          in.group[g][PC_PACKING_WIDE][l] = in.group[g][PC_PACKING_WIDE][l] > 0;
        }
      memset(out, 0, sizeof out);
      for (int n = 0; n < 2; n++)
        pc_packing_of(of, n == 0)(&in, PC_BATCH, i % 2 == 0, &out[n], &sums[n]);
      assert_memory_equal(&out[0], &out[1], sizeof out[0]);
      assert_memory_equal(&sums[0], &sums[1], sizeof sums[0]);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(is_the_sum_of_all_answers),
      cmocka_unit_test(kernels_of_the_audit_agree),
      cmocka_unit_test(kernels_of_packing_agree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
