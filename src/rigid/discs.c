// Discs in the plane that do not turn.
#include "rigid/discs.h"

#include <math.h>
#include <string.h>

#include "core/prefetch.h"
#include "core/small.h"
#include "impact/bulk.h"
#include "rigid/contacts.h"
#include "rigid/forces.h"

enum { AHEAD = 24 };

bool pc_discs_suit(const pc_world *world)
{
  return world->def.dimension == 2 && (!pc_forces_any(world) || pc_forces_given(world)) &&
         world->driven == 0 && !world->pushed && world->stiffs == 0 && world->elements == 0 &&
         world->sleepers == 0 && !pc_sleep_is_on(world) && !world->again;
}

bool pc_are_discs(const pc_world *world, int begin, int end)
{
  bool all = world->given_forces == 0 || end <= world->given_forces;
  for (int i = begin; i < end && all; i++) {
    const pc_solid *body = &world->body[i];
    all = body->dof == 2 && body->ball && body->kind == PC_FREE && body->mass > 0;
  }
  return all;
}

// h F of those that were set, as pc_forces_set has it.
static inline void get_loaded(const pc_world *world, int i, double h, double loaded[6])
{
  for (int k = 0; k < 6; k++)
    loaded[k] = 0 + h * world->given_force[i][k]; // no -0
}

// Gives zero, or not a number where the force is not finite.
static inline double set_free(pc_world *world, int i, double h, bool forced)
{
  const pc_solid *body = &world->body[i];
  const pc_body_state *state = &world->state[i];
  double weight = h * body->mass, push[6] = {0}, none = 0, *free = world->free[i];
  for (int k = 0; k < 3; k++)
    push[k] = weight * world->def.gravity[k];
  if (forced) {
    double loaded[6];
    get_loaded(world, i, h, loaded);
    for (int k = 0; k < 6; k++)
      push[k] += loaded[k];
  }
  for (int k = 0; k < 3; k++) {
    free[k] = state->velocity[k] + push[k] * body->inverse_mass;
    free[3 + k] = state->spin[k];
  }
  for (int k = 0; k < 6; k++)
    none += push[k] - push[k];
  return none;
}

static inline double reach_of(const pc_placing *to, const pc_solid *body, const double velocity[3],
                              const double free[3])
{
  double small = 1e-9 * body->radius;
  if (to->part == 0)
    return small;
  double way = to->h * sqrt(pc_dot3(velocity, velocity));
  way += to->h * (sqrt(pc_dot3(free, free)) * 1e-3 + to->fall);
  return to->part * way + small;
}

static inline void place(const pc_placing *to, int i)
{
  pc_world *world = to->world;
  const pc_solid *body = &world->body[i];
  const pc_body_state *state = &world->state[i];
  const double *free = world->free[i];
  double reach = reach_of(to, body, state->velocity, free);
  world->fixed[i] = body->absent ? PC_BOX_ABSENT : PC_BOX_MOVES;
  world->outline[i] = (pc_outline){.ball = body->radius,
                                   .reach = reach,
                                   .group = body->group,
                                   .material = body->material,
                                   .kind = PC_FREE,
                                   .dof = 2,
                                   .heavy = true};
  world->at[i].within = body->radius + reach;
  for (int k = 0; k < 3; k++) {
    world->at[i].position[k] = state->position[k];
    world->moving[i].velocity[k] = (pc_two){state->velocity[k], free[k]};
  }
}

int pc_discs_begin(pc_world *world, double h, int begin, int end, int worker)
{
  const pc_placing to = pc_placing_for(world, h);
  const bool forced = pc_forces_any(world);
  int lost = -1;
  for (int i = begin; i < end; i++) {
    pc_body_state *state = &world->state[i];
    pc_prefetch(world->state, i + AHEAD, sizeof *state);
    pc_prefetch(world->given_force, i + AHEAD, sizeof *world->given_force);
    pc_prefetch(world->wide, i + AHEAD, sizeof *world->wide);
    if (!world->body[i].absent) {
      for (int k = 0; k < 3; k++)
        state->position[k] += 0.5 * h * state->velocity[k];
      double none = set_free(world, i, h, forced);
      if (!(none == 0) && lost < 0)
        lost = i;
    }
    place(&to, i);
    if (!(i < world->wide_bodies && pc_box_holds_ball(world->wide[i], &world->at[i])))
      pc_finding_left(&world->finding[worker], i);
  }
  return lost;
}

int pc_discs_end(pc_world *world, double h, int begin, int end, pc_end_sums *sums)
{
  const double *answer = pc_impact_velocities(world->impact), *gravity = world->def.gravity;
  const bool forced = pc_forces_any(world);
  int lost = -1;
  for (int i = begin; i < end; i++) {
    const pc_solid *body = &world->body[i];
    pc_body_state *state = &world->state[i];
    pc_prefetch(world->state, i + AHEAD, sizeof *state);
    pc_prefetch(world->free, i + AHEAD, sizeof *world->free);
    pc_prefetch(world->given_force, i + AHEAD, sizeof *world->given_force);
    if (body->absent)
      continue;
    double after[6] = {0}, mean[6];
    if (world->place[i] >= 0)
      memcpy(after, answer + world->start[i], 2 * sizeof *after);
    else
      memcpy(after, world->free[i], sizeof after);
    for (int k = 0; k < 3; k++) {
      mean[k] = 0.5 * (state->velocity[k] + after[k]);
      mean[3 + k] = 0.5 * (state->spin[k] + after[3 + k]);
      state->velocity[k] = after[k];
      state->spin[k] = after[3 + k];
      state->position[k] += 0.5 * h * after[k];
    }
    sums->gravity += h * body->mass * pc_dot3(gravity, mean);
    if (forced) {
      double loaded[6];
      get_loaded(world, i, h, loaded);
      sums->forces += pc_dot3(loaded, mean) + pc_dot3(loaded + 3, mean + 3);
    }
    double square = pc_dot3(after, after);
    sums->energies.potential -= body->mass * pc_dot3(gravity, state->position);
    sums->energies.translation += 0.5 * body->mass * square;
    if (!isfinite(square + pc_dot3(after + 3, after + 3) +
                  pc_dot3(state->position, state->position)) &&
        lost < 0)
      lost = i;
  }
  return lost;
}
