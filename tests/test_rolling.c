// Rolling friction: one contact against the law itself and against other ways to solve it, balls and
// discs against closed forms, many contacts against an independent residual.
#include <string.h>

#include "core/small.h"
#include "impact/laws/law.h"
#include "percuss/impact.h"
#include "support.h"

// How far (u, r) is from the law, written down from the law: u_N >= 0, r_N >= 0, u_N r_N = 0,
// |r_i| <= mu_i r_N and r_i . v_i = -mu_i r_N |v_i| for sliding and for rolling. All in one unit.
static double distance(int rows, int rolls, const double *u, const double *r, const double mu[2])
{
  double worst = fmax(fmax(-u[0], -r[0]), fabs(u[0] * r[0]));
  int slides = rows - 1 - rolls, first[2] = {1, 1 + slides}, size[2] = {slides, rolls};
  for (int k = 0; k < 2; k++) {
    double push = 0, slip = 0, power = 0;
    for (int i = first[k]; i < first[k] + size[k]; i++) {
      push += r[i] * r[i];
      slip += u[i] * u[i];
      power += r[i] * u[i];
    }
    worst = fmax(worst, sqrt(push) - mu[k] * r[0]);
    worst = fmax(worst, fabs(power + mu[k] * r[0] * sqrt(slip)));
  }
  return worst;
}

static void random_operator(pc_random *random, int n, double least, double *a)
{
  double root[36];
  for (int i = 0; i < n * n; i++)
    root[i] = pc_random_uniform(random, -1, 1);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      a[i * n + j] = i == j ? least : 0;
      for (int k = 0; k < n; k++)
        a[i * n + j] += root[i * n + k] * root[j * n + k];
    }
}

static void multiply(int n, const double *a, const double *c, const double *r, double *u)
{
  for (int i = 0; i < n; i++) {
    u[i] = c[i];
    for (int j = 0; j < n; j++)
      u[i] += a[i * n + j] * r[j];
  }
}

// What pc_block_solve finds obeys the law, in space and in the plane, near singular operators too.
static void blocks_obey_the_law(void **state)
{
  (void)state;
  pc_random random = test_random("blocks_obey_the_law");
  int none = 0, count = test_count(60000), stuck = 0, open = 0, slid = 0, rolled = 0;
  for (int i = 0; i < count; i++) {
    int rolls = 1 + pc_random_below(&random, 2), rows = 1 + 2 * rolls;
    pc_block_law law = {.rows = rows, .normal = 1, .rolls = rolls};
    law.row.ops = &pc_law_inelastic;
    law.tangential = PC_TANGENTIAL_COULOMB;
    law.mu = pc_random_below(&random, 8) == 0 ? 0 : pc_random_uniform(&random, 0, 1);
    law.mu_r = pc_random_below(&random, 8) == 0 ? 0 : pow(10, pc_random_uniform(&random, -4, 0.5));
    double a[25], c[5], r[5] = {0}, u[5], size = 1;
    random_operator(&random, rows, pow(10, pc_random_uniform(&random, -6, 0)), a);
    for (int k = 0; k < rows; k++) {
      c[k] = pc_random_uniform(&random, -2, 2);
      if (k > 0)
        law.shift[k - 1] = pc_random_uniform(&random, -1, 1);
      if (pc_random_below(&random, 2) == 0)
        r[k] = pc_random_uniform(&random, -1, 1);
    }
    pc_block_local local;
    pc_rolling_local wide = {0};
    pc_block_prepare(&law, a, &local, rows > 3 ? &wide : NULL);
    if (!pc_block_solve(&law, &local, c, r)) {
      none++;
      continue;
    }
    multiply(rows, a, c, r, u);
    for (int k = 0; k < rows; k++)
      size = fmax(size, fabs(r[k]));
    for (int k = 1; k < rows; k++)
      u[k] += law.shift[k - 1];
    double worst = distance(rows, rolls, u, r, (double[]){law.mu, law.mu_r});
    if (!(worst <= 1e-8 * size * size))
      fail_msg("case %d: %d rows, mu %g and %g: off by %g", i, rows, law.mu, law.mu_r, worst);
    bool slides = pc_norm(rolls, u + 1) > 1e-9, rolling = pc_norm(rolls, u + 1 + rolls) > 1e-9;
    open += r[0] == 0;
    stuck += r[0] > 0 && !slides && !rolling;
    slid += r[0] > 0 && slides;
    rolled += r[0] > 0 && rolling;
  }
  printf("%d of %d blocks without a solution; %d open, %d stuck, %d slide, %d roll\n", none, count,
         open, stuck, slid, rolled);
  assert_true(none < count / 20 && stuck > count / 200 && slid > count / 10 && rolled > count / 10);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(blocks_obey_the_law),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
