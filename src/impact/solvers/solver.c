// The names of the solvers, and what the methods share.
#include "impact/solvers/solver.h"

#include <math.h>
#include <string.h>

#include "impact/solvers/tuning.h"

const char *const *pc_solver_names(void)
{
#define NAME(identifier, name, description) name,
  static const char *const names[] = {PC_SOLVERS(NAME) NULL};
#undef NAME
  return names;
}

pc_solver_id pc_solver_find(const char *name)
{
  const char *const *names = pc_solver_names();
  int i = 0;
  while (i < PC_SOLVER_COUNT && strcmp(name, names[i]) != 0)
    i++;
  return (pc_solver_id)i;
}

double pc_best_offer(pc_best *best, pc_system *s, const double *r, double *y, double *d)
{
  pc_system_evaluate(s, r, y, d);
  double residual = pc_system_residual(s, r, d, NULL);
  if (residual < best->residual) {
    best->residual = residual;
    best->settled = false;
    if (r != s->r)
      memcpy(s->r, r, sizeof(double) * (size_t)s->rows);
  }
  return residual;
}

double pc_best_finish(const pc_best *best, pc_system *s)
{
  if (s->bodies > 0 && !best->settled)
    pc_system_motion(s, s->r, s->y);
  return best->residual;
}

double pc_solver_aim(int rows, double tolerance)
{
  bool polish = tolerance <= pc_polished_tolerance && rows <= PC_POLISHED_ROWS;
  return polish ? fmin(tolerance, pc_polished_residual) : tolerance;
}

int pc_solver_iterations(const pc_system *s, const pc_solver_limits *limits)
{
  if (limits->max_iterations > 0)
    return limits->max_iterations;
  return (int)fmax(PC_LEAST_ITERATIONS, fmin(PC_MOST_ITERATIONS, pc_iterative_work / s->rows));
}

// What is missed over an accuracy; infinite without one.
static double accuracy_part(const pc_solver_result *result, double accuracy)
{
  if (!(accuracy > 0) || isnan(result->residual))
    return INFINITY;
  double missed = fmax(result->missed, pc_mean_missed * result->missed_mean);
  return fmax(missed / accuracy, result->residual / pc_accurate_residual);
}

bool pc_is_accurate(const pc_solver_result *result, double accuracy)
{
  return accuracy_part(result, accuracy) <= 1;
}

double pc_target_distance(const pc_solver_target *target, const pc_solver_result *result)
{
  double by_residual = result->residual / target->residual;
  double by_accuracy = accuracy_part(result, target->accuracy);
  return isnan(by_residual) || by_residual < by_accuracy ? by_residual : by_accuracy;
}

bool pc_guess_stands(const pc_solver_limits *limits, double residual)
{
  return limits->settling > 0 && residual <= limits->target.residual &&
         residual > pc_exact_residual;
}
