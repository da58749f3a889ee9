// Discs in the plane that do not turn.
#include "rigid/discs.h"

#include <math.h>

#include "core/prefetch.h"
#include "impact/bulk.h"

enum { AHEAD = 24 };

static bool is_disc(const pc_solid *body)
{
  return body->dof == 2 && body->ball && body->kind == PC_FREE && body->mass > 0;
}

int pc_discs_first(const pc_step *step)
{
  pc_world *world = step->world;
  pc_body_store *bodies = &world->bodies;
  bool loads =
      !step->has_loads || (step->given_loads && world->forces.given_bodies == bodies->count);
  if (world->def.dimension != 2 || !step->acts || !loads || bodies->driven > 0 ||
      step->keeps_external || world->elements.row.count > 0 || world->elements.list.count > 0 ||
      bodies->sleepers > 0 || pc_world_can_sleep(world) || step->search.again ||
      step->search.member != NULL)
    return bodies->count;
  if (bodies->disc_bodies != bodies->count) {
    bodies->first_disc = bodies->disc_bodies = bodies->count;
    while (bodies->first_disc > 0 && is_disc(&bodies->solid.at[bodies->first_disc - 1]))
      bodies->first_disc--;
  }
  return bodies->first_disc;
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
  bool kept; // velocities without contacts, in `free`: looking again and pushing out read them
} discs;

static discs discs_of(const pc_step *step)
{
  const pc_world_def *def = &step->world->def;
  bool once = def->looks == PC_LOOK_ONCE && def->treatment == PC_VELOCITY_LEVEL;
  return (discs){step->world, step->h, step->has_loads, !once};
}

static inline void prefetch_force(const pc_world *world, int i)
{
  pc_prefetch(world->forces.given.at, i + AHEAD, 3 * sizeof *world->forces.given.at);
}

// h F of forces that were set, and P_ext of a disc: as pc_step_make_external has them.
typedef struct external {
  pc_two loaded, xy;
  double turning, z;
} external;

static inline external external_of(const discs *all, int i)
{
  const pc_world *world = all->world;
  const double *gravity = world->def.gravity, *force = world->forces.given.at + 3 * (size_t)i;
  const double weight = all->h * world->bodies.solid.at[i].mass;
  external p = {.xy = weight * load(gravity), .z = weight * gravity[2]};
  if (!all->forced)
    return p;
  p.loaded = 0 + all->h * load(force); // no -0
  p.turning = 0 + all->h * force[2];
  p.xy += p.loaded;
  return p;
}

static inline bool is_finite(const external *p)
{
  pc_two none = p->loaded - p->loaded; // or not a number; NOLINT(misc-redundant-expression)
  return none[0] + none[1] + (p->turning - p->turning) == 0;
}

static inline double size_of(pc_two xy, double z)
{
  pc_two squares = xy * xy;
  return sqrt(squares[0] + squares[1] + z * z);
}

// Where a disc is, and how far it may come: as outlines.c has it. `xy` and `z` are its velocity
// without contacts.
static inline void place(const pc_placing *to, int i, pc_two xy, double z)
{
  const pc_detection *search = to->search;
  pc_outlines *outlines = search->outlines;
  const pc_solid *body = &search->bodies->solid.at[i];
  const pc_body_state *state = &search->bodies->state.at[i];
  pc_place *at = &outlines->place.at[i];
  pc_two velocity = load(state->velocity), *both = outlines->velocity.at[i].velocity;
  double up = state->velocity[2], reach = 1e-9 * body->radius;
  if (to->part != 0) {
    double distance = search->h * size_of(velocity, up);
    distance += search->h * (size_of(xy, z) * 1e-3 + to->fall);
    reach += to->part * distance;
  }
  outlines->fixed.at[i] = body->absent ? PC_BOX_ABSENT : PC_BOX_MOVES;
  outlines->body.at[i] = (pc_outline){.ball = body->radius,
                                      .reach = reach,
                                      .group = body->group,
                                      .material = body->material,
                                      .kind = PC_FREE,
                                      .dof = 2,
                                      .heavy = true};
  store(at->position, load(state->position));
  store(at->position + 2, (pc_two){state->position[2], body->radius + reach});
  both[0] = (pc_two){velocity[0], xy[0]};
  both[1] = (pc_two){velocity[1], xy[1]};
  both[2] = (pc_two){up, z};
}

static inline void advance(pc_body_state *state, double time)
{
  store(state->position, load(state->position) + time * load(state->velocity));
  state->position[2] += time * state->velocity[2];
}

int pc_discs_begin(const pc_step *step, int begin, int end, int worker)
{
  pc_world *world = step->world;
  const double h = step->h;
  const pc_placing to = pc_placing_for(&step->search);
  const discs all = discs_of(step);
  int lost = -1;
  for (int i = begin; i < end; i++) {
    pc_body_state *state = &world->bodies.state.at[i];
    pc_two xy = load(state->velocity);
    double inverse_mass = world->bodies.solid.at[i].inverse_mass, z = state->velocity[2];
    pc_prefetch(world->bodies.state.at, i + AHEAD, sizeof *state);
    prefetch_force(world, i);
    pc_prefetch(world->pairs.box.at, i + AHEAD, sizeof *world->pairs.box.at);
    if (!world->bodies.solid.at[i].absent) {
      external p = external_of(&all, i);
      advance(state, 0.5 * h);
      xy += p.xy * inverse_mass;
      z += p.z * inverse_mass;
      if (all.kept) {
        store(world->scratch.free.at[i], xy);
        store(world->scratch.free.at[i] + 2, (pc_two){z, state->spin[0]});
        store(world->scratch.free.at[i] + 4, load(state->spin + 1));
      }
      if (!is_finite(&p) && lost < 0)
        lost = i;
    }
    place(&to, i, xy, z);
    if (!(i < world->pairs.bodies &&
          pc_box_holds_ball(world->pairs.box.at[i], &world->outlines.place.at[i])))
      pc_body_pairs_note_left(&world->pairs, i, worker);
  }
  return lost;
}

int pc_discs_end(const pc_step *step, int begin, int end, pc_end_sums *sums)
{
  pc_world *world = step->world;
  const double h = step->h;
  const double *answer = pc_impact_velocities(world->problem.impact), *gravity = world->def.gravity;
  const discs all = discs_of(step);
  pc_end_sums own = *sums;
  int lost = -1;
  for (int i = begin; i < end; i++) {
    const pc_solid *body = &world->bodies.solid.at[i];
    pc_body_state *state = &world->bodies.state.at[i];
    pc_prefetch(world->bodies.state.at, i + AHEAD, sizeof *state);
    pc_prefetch(world->outlines.velocity.at, i + AHEAD, sizeof *world->outlines.velocity.at);
    prefetch_force(world, i);
    if (body->absent)
      continue;
    const pc_two *both = world->outlines.velocity.at[i].velocity;
    pc_two xy = {both[0][1], both[1][1]}, last = load(state->spin + 1), turn = last;
    pc_two before = {state->velocity[2], state->spin[0]}, z = {both[2][1], before[1]};
    if (world->problem.index.at[i] >= 0) {
      xy = load(answer + world->problem.dof_start.at[i]);
      z = turn = (pc_two){0, 0};
    }
    external p = external_of(&all, i);
    pc_two mean = 0.5 * (load(state->velocity) + xy), third = 0.5 * (before + z);
    store(state->velocity, xy);
    store(state->velocity + 2, z); // and the first spin
    store(state->spin + 1, turn);
    advance(state, 0.5 * h);
    pc_two part = load(gravity) * mean;
    own.gravity += h * body->mass * (part[0] + part[1] + gravity[2] * third[0]);
    if (all.forced) {
      pc_two work = p.loaded * mean;
      own.forces += work[0] + work[1] + p.turning * (0.5 * (last[1] + turn[1]));
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
