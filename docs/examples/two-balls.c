// Solve one problem
//
// Two balls on a line, 1 kg at 2 m/s and 3 kg at -1 m/s, with the law P = k D on the mean velocity.
// With m = 3/4 kg, the mass of their relative motion, D+ = D- (m - k/2) / (m + k/2) = -D-/2 for
// k = 4.5 kg, and so they leave at -1.375 and 0.125 m/s.
//
// Prints: -1.375 0.125
#include <percuss/percuss.h>
#include <stdio.h>

int main(void)
{
  pc_impact *problem = pc_impact_create();
  pc_impact_body first = {.dof = 1, .mass = 1, .velocity = {2}};
  pc_impact_body second = {.dof = 1, .mass = 3, .velocity = {-1}};
  pc_impact_add_body(problem, &first);
  pc_impact_add_body(problem, &second);

  pc_interaction contact = pc_interaction_default(PC_CONTACT);
  contact.bodies[0] = 0;
  contact.bodies[1] = 1;
  contact.normal[0] = -1; // from the second to the first
  contact.law.normal = (pc_normal_law){.kind = PC_NORMAL_QUADRATIC, .k = 4.5};
  pc_impact_add_interaction(problem, &contact);

  pc_solve_options options = pc_solve_options_default();
  pc_solve_info info;
  if (pc_impact_solve(problem, &options, &info) != PC_OK || info.status != PC_SOLVED) {
    fprintf(stderr, "%s\n", pc_impact_error(problem));
    return 1;
  }
  double a, b;
  pc_impact_velocity(problem, 0, &a);
  pc_impact_velocity(problem, 1, &b);
  printf("%.12g %.12g\n", a, b);
  pc_impact_destroy(problem);
  return 0;
}
