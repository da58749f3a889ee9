// Strings: two points, on two bodies or on a body and a fixed obstacle, that cannot go apart
// freely.
//
// Fremond, Collisions Engineering (2017), 3.6.4: with l the distance and D its rate, the pull is
// stiffness (l - length) + damping D where l > length, and nothing where it is not ((3.53), (3.55)
// to (3.57)). The first part is stored, the second dissipated. In a step the pull is taken like
// that of other stiff elements, along the string as it is in the middle of the step, so that linear
// and angular momentum are kept exactly.
#include <math.h>
#include <stdlib.h>

#include "core/small.h"
#include "rigid/elements.h"

// What is wrong with a string, or NULL.
static const char *wrong_string(const pc_body_store *bodies, const pc_body held[2],
                                const double points[2][3], double length, double stiffness,
                                double damping)
{
  int heavy = 0;
  for (int b = 0; b < 2; b++) {
    if (!pc_bodies_exist(bodies, held[b], 1) || held[0].id == held[1].id)
      return "a string needs two different bodies";
    const pc_solid *body = &bodies->solid.at[pc_bodies_slot(bodies, held[b])];
    if (body->kind == PC_DRIVEN || body->absent)
      return "a string can hold existing bodies and fixed obstacles only";
    heavy += body->mass > 0;
    for (int k = 0; k < 3; k++)
      if (!isfinite(points[b][k]))
        return "the points of a string must be finite";
  }
  if (heavy == 0)
    return "at least one end of a string must be a body that can move";
  if (!(length >= 0) || !isfinite(length) || !(stiffness > 0) || !isfinite(stiffness) ||
      !(damping >= 0) || !isfinite(damping))
    return "a string needs a length and a damping of 0 or more, and a positive stiffness";
  return NULL;
}

const char *pc_string_make(const pc_body_store *bodies, const pc_body held[2],
                           const double points[2][3], double length, double stiffness,
                           double damping, pc_force_element *string)
{
  const char *wrong = wrong_string(bodies, held, points, length, stiffness, damping);
  if (wrong != NULL)
    return wrong;
  *string = (pc_force_element){.kind = PC_ELEMENT_STRING,
                               .stiffness = stiffness,
                               .length = length,
                               .damping = damping,
                               .count = 2,
                               .bodies = malloc(2 * sizeof(int))};
  if (string->bodies == NULL)
    return pc_out_of_memory;
  for (int b = 0; b < 2; b++) {
    string->bodies[b] = pc_bodies_slot(bodies, held[b]);
    const pc_pose pose = pc_bodies_axes(bodies, string->bodies[b]);
    pc_to_local(&pose, points[b], b == 0 ? string->point : string->place);
  }
  return NULL;
}

// The ends of a string, the unit vector from the second to the first, and their distance.
static double find_ends(const pc_body_store *bodies, const pc_force_element *string,
                        double end[2][3], double along[3])
{
  for (int b = 0; b < 2; b++) {
    const pc_pose pose = pc_bodies_axes(bodies, string->bodies[b]);
    double arm[3];
    pc_rotate(pose.rotation, b == 0 ? string->point : string->place, arm);
    for (int k = 0; k < 3; k++)
      end[b][k] = pose.position[k] + arm[k];
  }
  pc_sub3(end[0], end[1], along);
  double distance = pc_norm(3, along);
  for (int k = 0; k < 3 && distance > 0; k++)
    along[k] /= distance;
  return distance;
}

void pc_string_ends(const pc_body_store *bodies, const pc_force_element *string, double ends[2][3])
{
  double along[3];
  find_ends(bodies, string, ends, along);
}

double pc_string_energy(const pc_body_store *bodies, const pc_force_element *string)
{
  double end[2][3], along[3], longer = find_ends(bodies, string, end, along) - string->length;
  return longer > 0 ? 0.5 * string->stiffness * longer * longer : 0;
}

// The rate of the distance with the velocities before.
static double rate_before(const pc_body_store *bodies, const pc_force_element *string,
                          double end[2][3], const double along[3])
{
  double rate = 0;
  for (int b = 0; b < 2; b++) {
    const pc_body_state *state = &bodies->state.at[string->bodies[b]];
    double arm[3], turned[3];
    pc_sub3(end[b], state->position, arm);
    pc_cross(state->spin, arm, turned);
    rate += (b == 0 ? 1 : -1) * (pc_dot3(state->velocity, along) + pc_dot3(turned, along));
  }
  return rate;
}

// The damping jumps where the string gets taut or slack, so it acts for the part of the step in
// which it is taut: otherwise each such step would be wrong by h.
static double taut_part(double longer, double rate, double h)
{
  double part = rate != 0 ? 0.5 + longer / (h * fabs(rate)) : longer > 0;
  return fmin(1, fmax(0, part));
}

bool pc_string_add_rows(const pc_elements *elements, const pc_body_store *bodies, int number,
                        double h, pc_stiff_list *list)
{
  const pc_force_element *string = &elements->list.at[number];
  double end[2][3], along[3];
  double distance = find_ends(bodies, string, end, along), longer = distance - string->length;
  double part = distance > 0 ? taut_part(longer, rate_before(bodies, string, end, along), h) : 0;
  bool taut = distance > 0 && (longer > 0 || pc_reserve_is_left(string));
  if (!taut && part * string->damping == 0)
    return true;
  pc_stiff *stiff = pc_stiff_list_add(list);
  if (stiff == NULL)
    return false;
  stiff->element = number;
  stiff->damping = part * string->damping;
  stiff->stiffness = taut ? string->stiffness : 0;
  stiff->force[0] = taut ? string->stiffness * longer : 0;
  for (int b = 0, n = 0; b < 2; b++) {
    int i = string->bodies[b];
    const pc_solid *body = &bodies->solid.at[i];
    double direction[3];
    if (body->mass == 0)
      continue;
    for (int k = 0; k < 3; k++)
      direction[k] = b == 0 ? along[k] : -along[k];
    pc_body_row(body, &bodies->state.at[i], end[b], direction, stiff->row[n]);
    stiff->body[n++] = i;
  }
  return true;
}
