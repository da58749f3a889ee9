#include "impact/quasi_static.h"

#include <math.h>

#include "core/error.h"
#include "impact/islands.h"

static bool has_external_percussion(const pc_impact *problem)
{
  for (int i = 0; i < problem->dofs; i++)
    if (problem->percussion.at[i] != 0)
      return true;
  return false;
}

double pc_quasi_static_stiffness(pc_impact *problem)
{
  pc_islands islands;
  double least = INFINITY;
  pc_arena *arena = &problem->worker.at[0];
  pc_arena_reset(&problem->work);
  if (pc_islands_build(problem, 1, 0, false, 1, &islands) == PC_OK)
    for (int i = 0; i < islands.count; i++) {
      pc_system system;
      pc_arena_reset(arena);
      pc_status status =
          pc_island_system(problem, &islands, i, 1, false, arena, &system, &problem->error);
      for (int k = 0; k < system.interactions && status == PC_OK; k++) {
        const pc_block_law *law = &system.law[k];
        if (law->normal && law->row.k > 0)
          least = fmin(least, law->row.k);
        if (law->tangential == PC_TANGENTIAL_VISCOUS && law->k > 0)
          least = fmin(least, law->k);
      }
      pc_island_free(&system);
    }
  // An external percussion is divided by eps too, and then its digits must last for both.
  return isfinite(least) ? (has_external_percussion(problem) ? 1e8 : 1e10) / least : 1e8;
}

void pc_quasi_static_check(pc_impact *problem, double stiffness, pc_solve_info *info)
{
  if (!has_external_percussion(problem))
    return;
  double lightest = INFINITY, speed = 0, push = 0, inertia = 0;
  for (int b = 0; b < problem->body.count; b++) {
    const pc_body_data *body = &problem->body.at[b];
    double matrix[PC_MAX_DOF * PC_MAX_DOF];
    pc_body_mass(problem, body, matrix);
    for (int i = 0; i < body->dof; i++) {
      int at = body->start + i;
      if (pc_body_prescribes(body, i))
        continue;
      double mass = matrix[i * body->dof + i];
      push = fmax(push, fabs(problem->percussion.at[at]));
      lightest = fmin(lightest, mass);
      inertia =
          fmax(inertia, mass / stiffness * fabs(problem->after.at[at] - problem->before.at[at]));
      speed = fmax(speed, fmax(fabs(problem->before.at[at]), fabs(problem->after.at[at])));
    }
  }
  info->residual = fmax(info->residual, 2.3e-16 * push / lightest * stiffness / speed);
  if (inertia > 0.1 * push) {
    info->status = PC_FAILED;
    pc_fail(&problem->error, PC_ERROR_NUMERIC,
            "quasi-static: the interactions cannot balance the external impulses");
  } else if (inertia > 1e-6 * push || info->residual > 1e-6) {
    info->status = PC_INACCURATE;
    pc_fail(&problem->error, PC_ERROR_NUMERIC,
            "quasi-static: masses and coefficients differ by too many orders of magnitude for an "
            "accurate solution");
  }
}
