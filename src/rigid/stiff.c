// Stiff elements and overlap springs in the impact problem, and the work they do.
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/small.h"
#include "rigid/world.h"

// Treatment by a spring: the overlap pushes, nothing else.
pc_status pc_stiff_overlap(pc_world *world, const pc_touch *touch)
{
  if (touch->gap >= 0)
    return PC_OK;
  pc_stiff *stiff = pc_stiff_add(world);
  if (stiff == NULL)
    return PC_ERROR_MEMORY;
  stiff->depth = -touch->gap;
  stiff->force = world->def.penalty * stiff->depth;
  stiff->stiffness = world->def.penalty;
  int n = 0;
  for (int b = 0; b < 2; b++) {
    int i = touch->body[b];
    const pc_solid *body = &world->bodies.solid.at[i];
    double in[3], sign = b == 0 ? -1 : 1;
    if (body->mass == 0)
      continue;
    for (int k = 0; k < 3; k++)
      in[k] = sign * touch->normal[k];
    stiff->body[n] = i;
    pc_body_row(body, &world->bodies.state.at[i], touch->point, in, stiff->row[n]);
    memcpy(stiff->force_row[n], stiff->row[n], sizeof stiff->force_row[n]);
    n++;
  }
  return PC_OK;
}

double pc_stiff_rate(const pc_world *world, const pc_stiff *stiff, int row, double (*velocity)[6])
{
  double sum = 0;
  for (int b = 0; b < 2 && stiff->body[b] >= 0; b++) {
    const pc_solid *body = &world->bodies.solid.at[stiff->body[b]];
    double u[6];
    pc_body_to_dof(body, velocity[b], u);
    for (int k = 0; k < body->dof; k++)
      sum += stiff->row[b][row * body->dof + k] * u[k];
  }
  return sum;
}

// The part of a stiff element that is known before the solve goes to P_ext.
void pc_stiff_push(pc_world *world, pc_stiff *stiff, double h)
{
  double velocity[2][6], weight = stiff->theta * h * h * stiff->stiffness;
  for (int b = 0; b < 2 && stiff->body[b] >= 0; b++)
    pc_state_velocity(&world->bodies.state.at[stiff->body[b]], velocity[b]);
  for (int r = 0; r < stiff->rows; r++)
    stiff->before[r] = pc_stiff_rate(world, stiff, r, velocity);
  for (int b = 0; b < 2 && stiff->body[b] >= 0; b++) {
    const pc_solid *body = &world->bodies.solid.at[stiff->body[b]];
    double numbers[6] = {0}, six[6];
    for (int k = 0; k < body->dof; k++) {
      numbers[k] = -h * stiff->force * stiff->force_row[b][k];
      for (int r = 0; r < stiff->rows; r++)
        numbers[k] += weight * stiff->before[r] * stiff->row[b][r * body->dof + k];
    }
    pc_body_from_dof(body, numbers, six);
    for (int k = 0; k < 6; k++)
      world->scratch.external.at[stiff->body[b]][k] += six[k];
  }
}

// Nets that move: what they push their boundary with is taken back from all their bodies, one step
// later. How much it is the solve tells, and to guess it (from the forces before, or from the last
// step) makes stiff nets unstable.
void pc_stiff_react(pc_world *world)
{
  for (int e = 0; e < world->elements.list.count; e++) {
    pc_force_element *net = &world->elements.list.at[e];
    for (int i = 0; i < net->count && net->moves; i++)
      for (int k = 0; k < 3; k++)
        world->scratch.external.at[net->bodies[i]][k] +=
            world->bodies.solid.at[net->bodies[i]].mass / net->mass * net->owed[k];
  }
}

// The work of those reactions on the mean velocities, and what is owed after the solve.
static double react_work(pc_world *world, double (*mean)[6], double h)
{
  double work = 0;
  for (int e = 0; e < world->elements.list.count; e++) {
    pc_force_element *net = &world->elements.list.at[e];
    for (int i = 0; i < net->count && net->moves; i++)
      work += world->bodies.solid.at[net->bodies[i]].mass / net->mass *
              pc_dot3(net->owed, mean[net->bodies[i]]);
    for (int k = 0; k < 3 && net->moves; k++)
      net->owed[k] = -h * net->force[k];
  }
  return work;
}

pc_status pc_stiff_state(pc_world *world, pc_stiff *stiff, double h)
{
  pc_interaction entry = pc_interaction_default(PC_ROWS);
  pc_row_term term[2];
  if (!(stiff->stiffness > 0) && !(stiff->damping > 0))
    return PC_OK;
  entry.rows = stiff->rows;
  entry.term = term;
  for (int b = 0; b < 2 && stiff->body[b] >= 0; b++)
    term[entry.terms++] = (pc_row_term){world->problem.index.at[stiff->body[b]], stiff->row[b]};
  entry.law.normal.kind = PC_NORMAL_QUADRATIC;
  entry.law.normal.k = stiff->theta * h * h * stiff->stiffness;
  entry.law.normal.p = 2;
  if (stiff->rows > 1) {
    entry.law.tangential.kind = PC_TANGENTIAL_VISCOUS;
    entry.law.tangential.k = entry.law.normal.k;
  }
  entry.law.normal.k += h * stiff->damping;
  stiff->interaction = pc_impact_add_interaction(world->problem.impact, &entry);
  return stiff->interaction >= 0 ? PC_OK
                                 : pc_fail(&world->error, PC_ERROR_NUMERIC, "element %d: %s",
                                           stiff->element, pc_impact_error(world->problem.impact));
}

// What the percussion of an element gave that its law does not: the solver's tolerance, which for
// stiff ones may be more than they store.
static double given_beyond(const pc_world *world, const pc_stiff *stiff, double damped,
                           double (*velocity)[6])
{
  if (stiff->interaction < 0)
    return 0;
  double taken = stiff->counted;
  if (damped != 0)
    taken += damped * pc_stiff_rate(world, stiff, 0, velocity);
  return fmax(0, taken - pc_impact_dissipated(world->problem.impact, stiff->interaction));
}

// Work of the stiff elements on the mean velocities, and the part of it that the impact problem
// counts as dissipated.
double pc_stiff_work(pc_world *world, double (*mean)[6], double h, double *counted)
{
  double work = 0;
  *counted = 0;
  for (int e = 0; e < world->elements.list.count; e++) {
    memset(world->elements.list.at[e].force, 0, sizeof world->elements.list.at[e].force);
    world->elements.list.at[e].work = 0;
  }
  for (int s = 0; s < world->elements.row.count; s++) {
    pc_stiff *stiff = &world->elements.row.at[s];
    double velocity[2][6], weight = stiff->theta * h * h * stiff->stiffness, along = 0, own,
                           push[6] = {0};
    stiff->counted = 0;
    for (int b = 0; b < 2 && stiff->body[b] >= 0; b++) {
      const pc_solid *body = &world->bodies.solid.at[stiff->body[b]];
      double u[6];
      memcpy(velocity[b], mean[stiff->body[b]], sizeof velocity[b]);
      pc_body_to_dof(body, velocity[b], u);
      for (int k = 0; k < body->dof; k++)
        along += stiff->force_row[b][k] * u[k];
    }
    const pc_solid *first = &world->bodies.solid.at[stiff->body[0]];
    for (int k = 0; k < first->dof; k++)
      push[k] = -stiff->force * stiff->force_row[0][k];
    work -= h * stiff->force * along;
    own = -h * stiff->force * along;
    for (int r = 0; r < stiff->rows; r++) {
      double rate = pc_stiff_rate(world, stiff, r, velocity);
      work += weight * rate * (stiff->before[r] - rate);
      own += weight * rate * (stiff->before[r] - rate);
      stiff->counted += weight * rate * rate;
      for (int k = 0; k < first->dof; k++)
        push[k] += weight / h * (stiff->before[r] - rate) * stiff->row[0][r * first->dof + k];
    }
    double pull =
        stiff->damping > 0 ? stiff->damping * pc_stiff_rate(world, stiff, 0, velocity) : 0;
    for (int k = 0; k < first->dof; k++)
      push[k] -= pull * stiff->row[0][k];
    *counted += stiff->counted;
    if (stiff->element >= 0) {
      double six[6];
      pc_body_from_dof(first, push, six);
      for (int k = 0; k < 3; k++)
        world->elements.list.at[stiff->element].force[k] += six[k];
      world->elements.list.at[stiff->element].work +=
          own + given_beyond(world, stiff, h * pull, velocity);
    }
  }
  return work + react_work(world, mean, h);
}

// Energy of the overlap springs at the end of the step, from what their contacts do.
double pc_stiff_overlap_energy(const pc_world *world, double (*after)[6], double h)
{
  double sum = 0;
  for (int s = 0; s < world->elements.row.count; s++) {
    const pc_stiff *stiff = &world->elements.row.at[s];
    if (stiff->element >= 0)
      continue;
    double velocity[2][6];
    for (int b = 0; b < 2 && stiff->body[b] >= 0; b++)
      memcpy(velocity[b], after[stiff->body[b]], sizeof velocity[b]);
    double depth = fmax(0, stiff->depth + 0.5 * h * pc_stiff_rate(world, stiff, 0, velocity));
    sum += 0.5 * stiff->stiffness * depth * depth;
  }
  return sum;
}
