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

static bool is_disc(const pc_solid *body)
{
  return body->dof == 2 && body->ball && body->kind == PC_FREE && body->mass > 0;
}

int pc_discs_first(pc_world *world)
{
  bool forces =
      !pc_forces_any(world) || (pc_forces_given(world) && world->given_forces == world->bodies);
  if (world->def.dimension != 2 || !forces || world->driven > 0 || world->pushed ||
      world->stiffs > 0 || world->elements > 0 || world->sleepers > 0 || pc_sleep_is_on(world) ||
      world->again)
    return world->bodies;
  if (world->disc_bodies != world->bodies) {
    world->disc = world->disc_bodies = world->bodies;
    while (world->disc > 0 && is_disc(&world->body[world->disc - 1]))
      world->disc--;
  }
  return world->disc;
}

// Two numbers at a time, of those that stand anywhere.
typedef double anywhere __attribute__((vector_size(16), aligned(8)));
static inline pc_two load(const double *from)
{
  return *(const anywhere *)from;
}

static inline void store(double *to, pc_two two)
{
  *(anywhere *)to = two;
}

// What the step is for all discs.
typedef struct discs {
  pc_world *world;
  double h;
  bool forced;
} discs;

static discs discs_of(pc_world *world, double h)
{
  return (discs){world, h, pc_forces_any(world)};
}

// h F of forces that were set, and P_ext of a disc: as pc_forces_push has them.
typedef struct push {
  pc_two loaded[3];
  pc_two xy;
  double z;
} push;

static inline push push_of(const discs *all, int i)
{
  const pc_world *world = all->world;
  const double *gravity = world->def.gravity, *force = world->given_force[i];
  const double weight = all->h * world->body[i].mass;
  push p = {.xy = weight * load(gravity), .z = weight * gravity[2]};
  if (!all->forced)
    return p;
  for (int k = 0; k < 3; k++)
    p.loaded[k] = 0 + all->h * load(force + 2 * k); // no -0
  p.xy += p.loaded[0];
  p.z += p.loaded[1][0];
  return p;
}

static inline bool is_finite(const push *p)
{
  pc_two none = (p->loaded[0] - p->loaded[0]) + (p->loaded[1] - p->loaded[1]) +
                (p->loaded[2] - p->loaded[2]); // or not a number
  return none[0] + none[1] == 0;
}

static inline double size_of(pc_two xy, double z)
{
  pc_two squares = xy * xy;
  return sqrt(squares[0] + squares[1] + z * z);
}

// Where a disc is, and how far it may come: as outlines.c has it.
static inline void place(const pc_placing *to, int i)
{
  pc_world *world = to->world;
  const pc_solid *body = &world->body[i];
  const pc_body_state *state = &world->state[i];
  pc_place *at = &world->at[i];
  pc_two velocity = load(state->velocity), free = load(world->free[i]), *both;
  double up = state->velocity[2], reach = 1e-9 * body->radius;
  if (to->part != 0) {
    double way = to->h * size_of(velocity, up);
    way += to->h * (size_of(free, world->free[i][2]) * 1e-3 + to->fall);
    reach += to->part * way;
  }
  world->fixed[i] = body->absent ? PC_BOX_ABSENT : PC_BOX_MOVES;
  world->outline[i] = (pc_outline){.ball = body->radius,
                                   .reach = reach,
                                   .group = body->group,
                                   .material = body->material,
                                   .kind = PC_FREE,
                                   .dof = 2,
                                   .heavy = true};
  store(at->position, load(state->position));
  store(at->position + 2, (pc_two){state->position[2], body->radius + reach});
  both = world->moving[i].velocity;
  both[0] = (pc_two){velocity[0], free[0]};
  both[1] = (pc_two){velocity[1], free[1]};
  both[2] = (pc_two){up, world->free[i][2]};
}

static inline void advance(pc_body_state *state, double time)
{
  store(state->position, load(state->position) + time * load(state->velocity));
  state->position[2] += time * state->velocity[2];
}

int pc_discs_begin(pc_world *world, double h, int begin, int end, int worker)
{
  const pc_placing to = pc_placing_for(world, h);
  const discs all = discs_of(world, h);
  int lost = -1;
  for (int i = begin; i < end; i++) {
    pc_body_state *state = &world->state[i];
    double inverse_mass = world->body[i].inverse_mass, *free = world->free[i];
    pc_prefetch(world->state, i + AHEAD, sizeof *state);
    pc_prefetch(world->given_force, i + AHEAD, sizeof *world->given_force);
    pc_prefetch(world->wide, i + AHEAD, sizeof *world->wide);
    if (!world->body[i].absent) {
      push p = push_of(&all, i);
      advance(state, 0.5 * h);
      store(free, load(state->velocity) + p.xy * inverse_mass);
      store(free + 2, (pc_two){state->velocity[2] + p.z * inverse_mass, state->spin[0]});
      store(free + 4, load(state->spin + 1));
      if (!is_finite(&p) && lost < 0)
        lost = i;
    }
    place(&to, i);
    if (!(i < world->wide_bodies && pc_box_holds_ball(world->wide[i], &world->at[i])))
      pc_finding_left(&world->finding[worker], i);
  }
  return lost;
}

const char *pc_disc_put(pc_world *world, double h, int i)
{
  const discs all = discs_of(world, h);
  const pc_body_state *state = &world->state[i];
  const double mass = world->body[i].mass;
  push p = push_of(&all, i);
  double velocity[2] = {state->velocity[0], state->velocity[1]}, own[2] = {p.xy[0], p.xy[1]};
  pc_problem_rest(2, mass, velocity, own);
  return pc_impact_put_point(world->impact, world->place[i], world->start[i], mass, state->position,
                             velocity, own);
}

int pc_discs_end(pc_world *world, double h, int begin, int end, pc_end_sums *sums)
{
  const double *answer = pc_impact_velocities(world->impact), *gravity = world->def.gravity;
  const discs all = discs_of(world, h);
  pc_end_sums own = *sums;
  int lost = -1;
  for (int i = begin; i < end; i++) {
    const pc_solid *body = &world->body[i];
    pc_body_state *state = &world->state[i];
    pc_prefetch(world->state, i + AHEAD, sizeof *state);
    pc_prefetch(world->free, i + AHEAD, sizeof *world->free);
    pc_prefetch(world->given_force, i + AHEAD, sizeof *world->given_force);
    if (body->absent)
      continue;
    pc_two xy = load(world->free[i]), z = load(world->free[i] + 2), turn = load(world->free[i] + 4);
    if (world->place[i] >= 0) {
      xy = load(answer + world->start[i]);
      z = turn = (pc_two){0, 0};
    }
    push p = push_of(&all, i);
    pc_two mean = 0.5 * (load(state->velocity) + xy);
    pc_two third = 0.5 * ((pc_two){state->velocity[2], state->spin[0]} + z);
    pc_two last = 0.5 * (load(state->spin + 1) + turn);
    store(state->velocity, xy);
    store(state->velocity + 2, z); // and the first spin
    store(state->spin + 1, turn);
    advance(state, 0.5 * h);
    pc_two part = load(gravity) * mean;
    own.gravity += h * body->mass * (part[0] + part[1] + gravity[2] * third[0]);
    if (all.forced) {
      pc_two a = p.loaded[0] * mean, b = p.loaded[1] * third, c = p.loaded[2] * last;
      own.forces += (a[0] + a[1] + b[0]) + (b[1] + c[0] + c[1]);
    }
    pc_two square = xy * xy, place = load(state->position);
    double squares = square[0] + square[1] + z[0] * z[0], high = state->position[2];
    part = load(gravity) * place;
    own.energies.potential -= body->mass * (part[0] + part[1] + gravity[2] * high);
    own.energies.translation += 0.5 * body->mass * squares;
    place *= place;
    turn *= turn;
    double sum = squares + (z[1] * z[1] + turn[0] + turn[1]) + (place[0] + place[1] + high * high);
    if (!isfinite(sum) && lost < 0)
      lost = i;
  }
  *sums = own;
  return lost;
}
