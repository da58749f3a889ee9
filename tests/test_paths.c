// Answers of all solvers on problems of many kinds, to the last bit, with the number of iterations:
// what slows a solver down or changes its path is noticed, also where the answer stays within its
// tolerance. tests/paths.txt has them. After a change on purpose:
//
//     PERCUSS_TEST_WRITE=tests/paths.txt build/test_paths
#include "support.h"

#include <inttypes.h>
#include <string.h>

#include "bench/hard_problems.h"
#include "percuss/impact.h"
#include "problems.h"

enum { MOST_LINES = 400, MOST_SHOWN = 10, LINE = 200 };
static char lines[MOST_LINES][LINE];
static int count;

static uint64_t add_bits(uint64_t hash, const void *bytes, size_t size)
{
  for (size_t i = 0; i < size; i++)
    hash = (hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3;
  return hash;
}

static uint64_t hash_of(const pc_impact *problem, const pc_solve_info *info)
{
  uint64_t hash = add_bits(0xcbf29ce484222325, &info->residual, sizeof info->residual);
  hash = add_bits(hash, &info->missed, sizeof info->missed);
  hash = add_bits(hash, &info->velocity_error, sizeof info->velocity_error);
  hash = add_bits(hash, &info->audit.dissipated, sizeof info->audit.dissipated);
  hash = add_bits(hash, &info->audit.kinetic_after, sizeof info->audit.kinetic_after);
  for (int b = 0; b < pc_impact_bodies(problem); b++) {
    double velocity[PC_MAX_DOF] = {0};
    pc_impact_velocity(problem, b, velocity);
    hash = add_bits(hash, velocity, sizeof velocity);
  }
  for (int k = 0; k < pc_impact_interactions(problem); k++) {
    pc_interaction_answer answer;
    pc_impact_answer(problem, k, &answer);
    size_t size = sizeof(double) * (size_t)answer.size;
    hash = add_bits(hash, answer.percussion, size);
    hash = add_bits(hash, answer.after, size);
    hash = add_bits(hash, &answer.reaction, sizeof answer.reaction);
  }
  return hash;
}

static void add_line(const char *name, const char *solver, const char *how,
                     const pc_impact *problem, const pc_solve_info *info)
{
  assert_true(count < MOST_LINES);
  snprintf(lines[count++], LINE, "%s %s%s: %s %d %016" PRIx64 "\n", name, solver, how,
           pc_solve_status_name(info->status), info->iterations, hash_of(problem, info));
}

// By every solver; then by the default one for an accuracy, from its own answer, loosely, and its
// certificate.
static void take(const char *name, pc_impact *problem)
{
  pc_solve_info info;
  for (const char *const *solver = pc_solver_names(); *solver != NULL; solver++) {
    const pc_solve_options options = {.solver = *solver, .tolerance = 1e-9, .max_iterations = 300};
    assert_int_equal(pc_impact_solve(problem, &options, &info), PC_OK);
    add_line(name, *solver, "", problem, &info);
  }
  const pc_solve_options accurate = {
      .solver = "auto", .tolerance = 1e-10, .accuracy = 1e-5, .gives_up = true};
  assert_int_equal(pc_impact_solve(problem, &accurate, &info), PC_OK);
  add_line(name, "auto", ", accuracy", problem, &info);
  const pc_solve_options warm = {.solver = "auto", .tolerance = 1e-8, .warm_start = true};
  assert_int_equal(pc_impact_solve(problem, &warm, &info), PC_OK);
  add_line(name, "auto", ", warm", problem, &info);
  const pc_solve_options loose = {.solver = "nsgs", .tolerance = 1e-4};
  assert_int_equal(pc_impact_solve(problem, &loose, &info), PC_OK);
  pc_certificate c;
  assert_int_equal(pc_impact_certify(problem, NULL, &c), PC_OK);
  const double numbers[] = {c.bound, c.least, c.estimate, c.rms, c.shift};
  snprintf(lines[count++], LINE, "%s certificate: %s %016" PRIx64 "\n", name,
           c.certified ? "certified" : "not certified",
           add_bits(0xcbf29ce484222325, numbers, sizeof numbers));
}

static void take_random(pc_random *random)
{
  static const struct {
    const char *name;
    problem_kind kind;
  } kinds[] = {
      {"convex", {.max_bodies = 30, .max_interactions = 60, .mass_decades = 2}},
      {"wide masses", {.max_bodies = 30, .max_interactions = 60, .mass_decades = 6}},
      {"linear pieces",
       {.max_bodies = 20, .max_interactions = 60, .mass_decades = 2, .piecewise = true}},
      {"friction", {.max_bodies = 20, .max_interactions = 50, .mass_decades = 2, .coulomb = true}},
      {"friction on the mean",
       {.max_bodies = 20,
        .max_interactions = 50,
        .mass_decades = 2,
        .coulomb = true,
        .friction_on_mean = true}},
  };
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    for (int i = 0; i < 4; i++) {
      char name[80];
      random_problem made;
      random_problem_create(&made, random, &kinds[k].kind);
      pc_impact *problem = random_problem_build(&made, NULL, NULL, 1);
      snprintf(name, sizeof name, "%s %d", kinds[k].name, i + 1);
      take(name, problem);
      pc_impact_destroy(problem);
      random_problem_free(&made);
    }
}

static void take_hard(const char *name, hard_problem hard, const pc_law *law)
{
  pc_impact *problem = hard_build(&hard, law);
  if (problem == NULL)
    fail_msg("%s cannot be built", name);
  take(name, problem);
  pc_impact_destroy(problem);
  hard_free(&hard);
}

static void take_packings(pc_random *random)
{
  const pc_law rolling = {.normal = {.kind = PC_NORMAL_RESTITUTION, .e = 0.2},
                          .tangential = {.kind = PC_TANGENTIAL_COULOMB,
                                         .mu = {0.4, 0.4},
                                         .on = PC_ON_AFTER,
                                         .rolls = true,
                                         .rolling = 0.01}};
  const pc_law elliptic = {.normal = {.kind = PC_NORMAL_INELASTIC},
                           .tangential = {.kind = PC_TANGENTIAL_COULOMB,
                                          .mu = {0.2, 0.6},
                                          .anisotropic = true,
                                          .axis = {1, 0.3, 0.2},
                                          .on = PC_ON_AFTER}};
  const pc_law viscous = {.normal = {.kind = PC_NORMAL_QUADRATIC, .k = 300},
                          .tangential = {.kind = PC_TANGENTIAL_VISCOUS, .k = 100}};
  take_hard("packing, mu 0.3", hard_packing(3, 4, 0.3, 1.03, random), NULL);
  take_hard("packing, mu 0.9", hard_packing(3, 3, 0.9, 1.05, random), NULL);
  take_hard("packing, rolling", hard_packing(3, 3, 0.4, 1.03, random), &rolling);
  take_hard("packing, elliptic", hard_packing(3, 3, 0.4, 1.03, random), &elliptic);
  take_hard("packing, viscous", hard_packing(3, 4, 0, 1.03, random), &viscous);
  take_hard("stack", hard_stack(12, 0.6, 0, 0.01), NULL);
  take_hard("stack on a moving floor", hard_stack(8, 0.3, 0.3, 0.01), NULL);
  hard_problem heavy = hard_stack(6, 0.4, 0.1, 0.01);
  hard_make_heavier(&heavy, 5, 100);
  take_hard("heavy on light", heavy, NULL);
}

static void write_lines(const char *path)
{
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs("# Answers of test_paths: problem, solver, status, iterations, hash.\n", file);
  for (int i = 0; i < count; i++)
    fputs(lines[i], file);
  assert_int_equal(fclose(file), 0);
}

static void solvers_keep_their_paths(void **state)
{
  pc_random random;
  pc_random_seed(&random, 77); // the table is for it
  take_random(&random);
  take_packings(&random);
  const char *target = getenv("PERCUSS_TEST_WRITE");
  if (target != NULL) {
    write_lines(target);
    return;
  }
  FILE *file = fopen(TEST_PATHS, "r");
  assert_non_null(file);
  char line[LINE];
  int at = 0, different = 0;
  while (fgets(line, sizeof line, file) != NULL) {
    if (line[0] == '#')
      continue;
    if (at >= count || strcmp(line, lines[at]) != 0) {
      different++;
      if (different <= MOST_SHOWN)
        fprintf(stderr, "is  %swas %s", at < count ? lines[at] : "missing\n", line);
    }
    at++;
  }
  fclose(file);
  assert_int_equal(at, count);
  if (different > 0)
    fail_msg("%d of %d answers differ from tests/paths.txt", different, count);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(solvers_keep_their_paths)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
