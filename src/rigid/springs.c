// Springs of a body to a plane, which only push.
#include <math.h>

#include "core/small.h"
#include "rigid/elements.h"

const char *pc_spring_make(const pc_body_store *bodies, pc_body body, const double point[3],
                           const double normal[3], double stiffness, pc_force_element *spring)
{
  double length = pc_norm(3, normal);
  if (!pc_bodies_exist(bodies, body, 1) || !isfinite(point[0]) || !isfinite(point[1]) ||
      !isfinite(point[2]) || !(length > 0) || !isfinite(length) || !(stiffness > 0) ||
      !isfinite(stiffness))
    return "a spring needs a body, a finite point, a normal and a positive stiffness";
  *spring = (pc_force_element){
      .kind = PC_ELEMENT_SPRING, .stiffness = stiffness, .body = pc_bodies_slot(bodies, body)};
  for (int i = 0; i < 3; i++) {
    spring->normal[i] = normal[i] / length;
    spring->place[i] = point[i];
  }
  const pc_pose pose = pc_bodies_axes(bodies, spring->body);
  pc_to_local(&pose, point, spring->point);
  return NULL;
}

// How far a spring is pressed, and where its point is.
static double spring_depth(const pc_body_store *bodies, const pc_force_element *spring,
                           double point[3])
{
  const pc_pose pose = pc_bodies_axes(bodies, spring->body);
  double arm[3], depth = 0;
  pc_rotate(pose.rotation, spring->point, arm);
  for (int i = 0; i < 3; i++) {
    point[i] = pose.position[i] + arm[i];
    depth -= spring->normal[i] * (point[i] - spring->place[i]);
  }
  return depth;
}

bool pc_spring_add_rows(const pc_elements *elements, const pc_body_store *bodies, int number,
                        pc_stiff_list *list)
{
  const pc_force_element *spring = &elements->list.at[number];
  const pc_solid *body = &bodies->solid.at[spring->body];
  double point[3], depth = spring_depth(bodies, spring, point);
  if ((depth <= 0 && !pc_reserve_is_left(spring)) || body->mass == 0)
    return true;
  pc_stiff *stiff = pc_stiff_list_add(list);
  if (stiff == NULL)
    return false;
  double in[3] = {-spring->normal[0], -spring->normal[1], -spring->normal[2]};
  stiff->body[0] = spring->body;
  stiff->element = number;
  stiff->stiffness = spring->stiffness;
  stiff->force[0] = spring->stiffness * depth;
  pc_body_row(body, &bodies->state.at[spring->body], point, in, stiff->row[0]);
  return true;
}

double pc_spring_energy(const pc_body_store *bodies, const pc_force_element *spring)
{
  double point[3], depth = fmax(0, spring_depth(bodies, spring, point));
  return 0.5 * spring->stiffness * depth * depth;
}
