// Nets: boxes that push back the volume of their bodies that is outside.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/elementary.h"
#include "core/small.h"
#include "geometry/cut.h"
#include "percuss/shape.h"
#include "rigid/elements.h"

// Whether a net can cut the shape of a body.
static bool can_hold(const pc_body_store *bodies, pc_body body)
{
  const pc_pose pose = {{0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  const double up[3] = {1, 0, 0};
  pc_cut cut;
  if (!pc_bodies_exist(bodies, body, 1))
    return false;
  const pc_solid *solid = &bodies->solid.at[pc_bodies_slot(bodies, body)];
  return solid->kind == PC_FREE && pc_shape_cut(solid->shape, &pose, up, 0, &cut);
}

const char *pc_net_make(const pc_body_store *bodies, int dimension, const double low[3],
                        const double high[3], double stiffness, bool moves, int count,
                        const pc_body *held, pc_force_element *net)
{
  bool sound = stiffness > 0 && isfinite(stiffness) && count > 0;
  for (int i = 0; i < dimension; i++)
    sound = sound && low[i] < high[i];
  if (!sound)
    return "a net needs bodies, a low corner below its high corner, and a positive stiffness";
  for (int i = 0; i < count; i++)
    if (!can_hold(bodies, held[i]))
      return "a net can hold only free bodies that are spheres, boxes, polyhedra, discs, polygons "
             "or compounds of these";
  *net = (pc_force_element){.kind = PC_ELEMENT_NET,
                            .stiffness = stiffness,
                            .moves = moves,
                            .count = count,
                            .bodies = malloc(sizeof(int) * (size_t)count),
                            .part = calloc((size_t)count, PC_NET_FACES * sizeof(double))};
  if (net->bodies == NULL || net->part == NULL) {
    free(net->bodies);
    free(net->part);
    return pc_out_of_memory;
  }
  memcpy(net->low, low, sizeof net->low);
  memcpy(net->high, high, sizeof net->high);
  for (int i = 0; i < count; i++) {
    net->bodies[i] = pc_bodies_slot(bodies, held[i]);
    net->mass += bodies->solid.at[net->bodies[i]].mass;
  }
  for (int k = 0; k < 3; k++)
    net->origin[k] = moves ? 0.5 * (low[k] + high[k]) : 0;
  return NULL;
}

void pc_net_move(const pc_body_store *bodies, pc_force_element *net)
{
  if (!net->moves)
    return;
  memset(net->shift, 0, sizeof net->shift);
  memset(net->drift, 0, sizeof net->drift);
  for (int i = 0; i < net->count; i++) {
    const pc_body_state *state = &bodies->state.at[net->bodies[i]];
    double share = bodies->solid.at[net->bodies[i]].mass / net->mass;
    for (int k = 0; k < 3; k++) {
      net->shift[k] += share * state->position[k];
      net->drift[k] += share * state->velocity[k];
    }
  }
  for (int k = 0; k < 3; k++)
    net->shift[k] -= net->origin[k];
}

// The section's principal axes across the normal and its second moments along them.
static void section_axes(const pc_cut *cut, const double normal[3], double axes[2][3],
                         double second[2])
{
  double t[2][3], a[2][2];
  pc_across(normal, t[0], t[1]);
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      double image[3];
      pc_rotate(cut->area_second, t[j], image);
      a[i][j] = pc_dot3(t[i], image);
    }
  double angle = 0.5 * pc_atan2(2 * a[0][1], a[0][0] - a[1][1]), c = pc_cos(angle),
         s = pc_sin(angle);
  for (int i = 0; i < 3; i++) {
    axes[0][i] = c * t[0][i] + s * t[1][i];
    axes[1][i] = -s * t[0][i] + c * t[1][i];
  }
  second[0] = fmax(0, c * c * a[0][0] + 2 * c * s * a[0][1] + s * s * a[1][1]);
  second[1] = fmax(0, s * s * a[0][0] - 2 * c * s * a[0][1] + c * c * a[1][1]);
}

// Face `side` of a net: 0, 1 low and high x, and so on; outward normal and its offset, `time` after
// now.
static double net_face(const pc_force_element *net, int side, double time, double normal[3])
{
  int axis = side / 2;
  double moved = net->moves ? net->shift[axis] + time * net->drift[axis] : 0;
  memset(normal, 0, 3 * sizeof(double));
  normal[axis] = side % 2 == 0 ? -1 : 1;
  return side % 2 == 0 ? -net->low[axis] - moved : net->high[axis] + moved;
}

static bool net_cut(const pc_force_element *net, const pc_solid *body, const pc_body_state *state,
                    int side, double time, double normal[3], pc_cut *cut)
{
  double offset = net_face(net, side, time, normal);
  if (!isfinite(offset) || pc_dot3(normal, state->position) + body->radius <= offset)
    return false;
  pc_pose pose = pc_body_pose(body, state);
  return pc_shape_cut(body->shape, &pose, normal, offset, cut) && cut->volume > 0;
}

// Where a body at the middle of the step would be at its end.
static pc_body_state ahead(const pc_body_state *state, double time)
{
  pc_body_state end = *state;
  double angle[3], q[4];
  for (int i = 0; i < 3; i++) {
    end.position[i] += time * state->velocity[i];
    angle[i] = time * state->spin[i];
  }
  pc_quaternion_exp(angle, q);
  pc_quaternion_multiply(q, state->orientation, end.orientation);
  return end;
}

// The force k V along -normal at the centroid of the volume outside derives from k times the
// integral of the distance over it. Moving the body out by u(x) changes it by k times the integral
// of (normal . u)^2 over the section: the stiffness, in three rows. They act at the centre of the
// section, and the moment that the force has about it along the tilts.
static void cut_rows(const pc_solid *body, const pc_body_state *state, const double normal[3],
                     const pc_cut *cut, int dimension, pc_stiff *stiff)
{
  double arm[3], centre[3], moment[3], axes[2][3], second[2];
  for (int k = 0; k < 3; k++) {
    centre[k] = cut->area_moment[k] / cut->area;
    arm[k] = cut->moment[k] / cut->volume - centre[k];
  }
  pc_body_row(body, state, centre, normal, stiff->row[0]);
  if (!body->turns)
    return;
  pc_cross(arm, normal, moment);
  section_axes(cut, normal, axes, second);
  for (int r = 0; r < dimension - 1; r++) {
    double tilt[3] = {0, 0, 1}; // in the plane there is one
    double radius = sqrt((dimension == 2 ? second[0] + second[1] : second[r]) / cut->area);
    if (dimension == 3)
      pc_cross(axes[r], normal, tilt);
    if (!(radius > 0))
      continue;
    for (int k = 0; k < 3; k++)
      if (dimension == 3 || k == 2)
        stiff->row[0][stiff->rows * body->dof + body->dof - 3 + k] = radius * tilt[k];
    stiff->force[stiff->rows++] = stiff->force[0] * pc_dot3(moment, tilt) / radius;
  }
}

// A net that would throw a body back within one step must be felt in the step in which the body
// enters it, though it is not there yet in the middle.
static bool is_felt(const pc_force_element *net, const pc_solid *body, double area, double h)
{
  return net->stiffness * area * h * h >= body->mass;
}

static bool add_face_rows(const pc_force_element *net, int number, const pc_body_store *bodies,
                          int entry, int side, double h, int dimension, pc_stiff_list *list)
{
  int b = net->bodies[entry], part = PC_NET_FACES * entry + side;
  const pc_solid *body = &bodies->solid.at[b];
  const pc_body_state *middle = &bodies->state.at[b];
  double normal[3], stiffness = 0, force = 0;
  pc_body_state end = ahead(middle, 0.5 * h);
  pc_cut cut;
  if (net_cut(net, body, middle, side, 0, normal, &cut) && cut.area > 0) {
    stiffness = net->stiffness * cut.area;
    force = net->stiffness * cut.volume;
  } else if (net_cut(net, body, &end, side, 0.5 * h, normal, &cut) &&
             is_felt(net, body, cut.area, h))
    stiffness = 0.5 * net->stiffness * cut.area;
  else if (!(net->part[part] > 0))
    return true;
  pc_stiff *stiff = pc_stiff_list_add(list);
  if (stiff == NULL)
    return false;
  stiff->body[0] = b;
  stiff->element = number;
  stiff->part = part;
  stiff->drift = net->moves ? net->drift[side / 2] * normal[side / 2] : 0;
  stiff->force[0] = force;
  stiff->stiffness = stiffness;
  if (force > 0)
    cut_rows(body, middle, normal, &cut, dimension, stiff);
  else
    pc_body_row(body, middle, middle->position, normal, stiff->row[0]);
  return true;
}

bool pc_net_add_rows(const pc_elements *elements, const pc_body_store *bodies, int number, int body,
                     double h, int dimension, pc_stiff_list *list)
{
  const pc_force_element *net = &elements->list.at[number];
  for (int side = 0; side < 2 * dimension; side++)
    if (!add_face_rows(net, number, bodies, body, side, h, dimension, list))
      return false;
  return true;
}

double pc_net_energy(const pc_body_store *bodies, const pc_force_element *net, int body, int side)
{
  int i = net->bodies[body];
  double normal[3];
  pc_cut cut;
  if (!net_cut(net, &bodies->solid.at[i], &bodies->state.at[i], side, 0, normal, &cut))
    return 0;
  return net->stiffness * cut.depth;
}

// What a moving net pushes its boundary with is taken back from all its bodies, one step later. How
// much it is the solve tells; guessing it from the forces before or from the last step makes stiff
// nets unstable.
void pc_net_react(const pc_force_element *net, const pc_body_store *bodies, pc_six *external)
{
  for (int i = 0; i < net->count && net->moves; i++)
    for (int k = 0; k < 3; k++)
      external[net->bodies[i]][k] +=
          bodies->solid.at[net->bodies[i]].mass / net->mass * net->owed[k];
}

double pc_net_going(const pc_force_element *net, const pc_stiff *stiff)
{
  int side = stiff->part % PC_NET_FACES;
  return side % 2 == 0 ? -net->going[side / 2] : net->going[side / 2];
}

// What is owed was booked at the velocity that the net had a step ago. At its velocity now it does
// `more` work, which comes out of the reserves of all bodies and faces in proportion.
static void charge_reserves(pc_force_element *net, double more)
{
  int count = PC_NET_FACES * net->count;
  double sum = 0;
  for (int i = 0; i < count; i++)
    sum += fmax(0, net->part[i]);
  double factor = sum > 0 ? fmax(0, 1 - more / sum) : 1;
  for (int i = 0; i < count; i++)
    net->part[i] = net->part[i] > 0 ? factor * net->part[i] : net->part[i];
}

double pc_net_reaction_work(pc_force_element *net, const pc_body_store *bodies, const pc_six *mean)
{
  double velocity[3] = {0};
  if (!net->moves)
    return 0;
  for (int i = 0; i < net->count; i++)
    for (int k = 0; k < 3; k++)
      velocity[k] += bodies->solid.at[net->bodies[i]].mass / net->mass * mean[net->bodies[i]][k];
  charge_reserves(net, pc_dot3(net->owed, velocity) - pc_dot3(net->owed, net->going));
  memcpy(net->going, velocity, sizeof velocity);
  return pc_dot3(net->owed, velocity);
}

void pc_net_owe(pc_force_element *net, double h)
{
  for (int k = 0; k < 3 && net->moves; k++)
    net->owed[k] = -h * net->force[k];
}
