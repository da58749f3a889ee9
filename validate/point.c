// A point that falls on a plane: builds, solves and reads one collision.
#include "point.h"

#include <math.h>
#include <string.h>

pc_bounce pc_point_collide(pc_report *report, const pc_point *p)
{
  const double origin[3] = {0}, up[3] = {0, 0, 1}, bad = NAN;
  double velocity[6] = {p->before[0], p->before[1], p->before[2]};
  double percussion[6] = {p->kick[0], p->kick[1], p->kick[2]};
  pc_bounce b = {false, {bad, bad, bad}, {bad, bad, bad}, bad, bad, bad};
  pc_impact *problem = pc_report_problem(report);
  if (pc_setup_body(problem, 6, p->mass, 1, origin, velocity) == 0 &&
      pc_setup_contact(problem, 0, PC_OBSTACLE, origin, up, &p->law) == 0) {
    pc_solve_options options = pc_report_options();
    options.quasi_static = p->quasi_static;
    pc_solve_info info;
    pc_impact_set_percussion(problem, 0, percussion);
    b.ok = pc_report_solve_with(report, problem, &options, &info);
  }
  if (b.ok) {
    pc_interaction_answer answer;
    pc_impact_velocity(problem, 0, velocity);
    pc_impact_answer(problem, 0, &answer);
    memcpy(b.after, velocity, sizeof b.after);
    memcpy(b.percussion, answer.percussion, sizeof b.percussion);
    b.reaction = answer.reaction;
    b.dissipated = answer.dissipated;
    b.mean = answer.deformation[2];
  }
  pc_impact_destroy(problem);
  return b;
}

pc_bounce pc_point_fall(pc_report *report, double mass, pc_normal_law law, double speed)
{
  pc_point p = {.mass = mass, .law = {.normal = law}, .before = {0, 0, -speed}};
  return pc_point_collide(report, &p);
}

pc_normal_law pc_point_quadratic(double k)
{
  return (pc_normal_law){.kind = PC_NORMAL_QUADRATIC, .k = 2 * k};
}
