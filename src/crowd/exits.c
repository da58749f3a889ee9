// Exits of the building: their gaps in walls, and whether they can be reached.
#include <math.h>

#include "core/elementary.h"
#include "core/error.h"
#include "crowd/crowd.h"

// Exits and doors on walls are gaps in them.
pc_status pc_exits_cut(pc_crowd *crowd)
{
  pc_status status = PC_OK;
  for (int i = 0; i < crowd->targets.count && status == PC_OK; i++) {
    pc_target *target = &crowd->targets.at[i];
    if (target->kind != PC_TARGET_EXIT)
      continue;
    status = pc_layout_cut(&crowd->floors.at[target->floor].plan, target->point, &crowd->error);
    for (int k = 0; k < 2; k++)
      target->middle[k] = 0.5 * (target->point[0][k] + target->point[1][k]);
  }
  for (int i = 0; i < crowd->doors.count && status == PC_OK; i++)
    for (int k = 0; k + 1 < crowd->doors.at[i].count && status == PC_OK; k++)
      status = pc_layout_cut(&crowd->floors.at[crowd->doors.at[i].floor].plan,
                             crowd->doors.at[i].point + k, &crowd->error);
  return status;
}

// Whether people can stand beside it somewhere, on either side.
static bool has_a_side(const pc_layout *plan, const pc_target *target)
{
  enum { PLACES = 5 };
  const double *a = target->point[0], *b = target->point[1], little = 1e-3; // m
  double length = pc_hypot(b[0] - a[0], b[1] - a[1]);
  for (int i = 0; i < 2 * PLACES; i++) {
    double s = (i / 2 + 0.5) / PLACES, off = (i % 2 == 0 ? little : -little) / length;
    double p[2] = {a[0] + s * (b[0] - a[0]) - off * (b[1] - a[1]),
                   a[1] + s * (b[1] - a[1]) + off * (b[0] - a[0])};
    if (pc_layout_allows(plan, p))
      return true;
  }
  return false;
}

static pc_status note_fault(pc_crowd *crowd, int goal, const char *what)
{
  pc_exit_fault *fault = pc_array_add(&crowd->exit_faults);
  if (fault == NULL)
    return pc_crowd_out_of_memory(crowd);
  *fault = (pc_exit_fault){goal, what};
  return PC_OK;
}

// An exit must not lie in or across a wall.
static pc_status check_exit(pc_crowd *crowd, int number)
{
  const pc_target *target = &crowd->targets.at[number];
  const pc_layout *plan = &crowd->floors.at[target->floor].plan;
  const double *a = target->point[0], *b = target->point[1];
  double p[2], q[2];
  for (int k = 0; k < 2; k++) { // its ends may touch walls
    p[k] = a[k] + 1e-6 * (b[k] - a[k]);
    q[k] = b[k] + 1e-6 * (a[k] - b[k]);
  }
  const char *wrong =
      a[0] == b[0] && a[1] == b[1] ? "has no gap in the wall that it is on; that is too short, or "
                                     "the unit of length is wrong"
      : !has_a_side(plan, target)
          ? "is inside an obstacle or outside the walkable area, so nobody can reach it"
      : pc_layout_bars(plan, p, q) ? "crosses a wall; place it along a wall, in a gap between "
                                     "walls or across a narrow part of the floor"
                                   : NULL;
  if (wrong == NULL)
    return PC_OK;
  if (crowd->inspected)
    return note_fault(crowd, number, wrong);
  return pc_crowd_fail_about(crowd, target->floor, number, -1,
                             PC_THE_GOAL ": the exit from (%g, %g) to (%g, %g)" PC_ON_FLOOR " %s",
                             a[0], a[1], b[0], b[1], wrong);
}

// Length that two lines have in common, m.
static double shared_length(const double (*line)[2], const double (*other)[2])
{
  const double *a = line[0];
  double along[2] = {line[1][0] - a[0], line[1][1] - a[1]};
  double length = pc_hypot(along[0], along[1]), at[2];
  for (int k = 0; k < 2; k++) {
    double to[2] = {other[k][0] - a[0], other[k][1] - a[1]};
    if (fabs(along[0] * to[1] - along[1] * to[0]) > 1e-6 * length) // m off the line
      return 0;
    at[k] = (along[0] * to[0] + along[1] * to[1]) / length;
  }
  return fmin(length, fmax(at[0], at[1])) - fmax(0, fmin(at[0], at[1]));
}

// People who cross both lines would count for one exit only.
static pc_status check_apart(pc_crowd *crowd, int number)
{
  const pc_target *target = &crowd->targets.at[number];
  const double(*p)[2] = (const double(*)[2])target->point;
  for (int i = 0; i < number; i++) {
    const pc_target *other = &crowd->targets.at[i];
    const double(*q)[2] = (const double(*)[2])other->point;
    if (other->kind == PC_TARGET_EXIT && other->floor == target->floor &&
        shared_length(p, q) > 1e-6 && crowd->inspected)
      return note_fault(crowd, number, "shares a part of its line with another exit");
    if (other->kind == PC_TARGET_EXIT && other->floor == target->floor &&
        shared_length(p, q) > 1e-6)
      return pc_crowd_fail_about(crowd, target->floor, number, -1,
                                 PC_THE_GOAL ": the exit from (%g, %g) to (%g, %g)" PC_ON_FLOOR
                                             " shares %g m with another exit, from (%g, %g) to "
                                             "(%g, %g)",
                                 p[0][0], p[0][1], p[1][0], p[1][1], shared_length(p, q), q[0][0],
                                 q[0][1], q[1][0], q[1][1]);
  }
  return PC_OK;
}

pc_status pc_exits_check(pc_crowd *crowd)
{
  pc_status status = PC_OK;
  for (int i = 0; i < crowd->targets.count && status == PC_OK; i++)
    if (crowd->targets.at[i].kind == PC_TARGET_EXIT) {
      status = check_apart(crowd, i);
      if (status == PC_OK)
        status = check_exit(crowd, i);
    }
  return status;
}
