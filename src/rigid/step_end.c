// The end of a step: bodies take their new velocities over and move freely to the end.
#include <math.h>
#include <string.h>

#include "core/prefetch.h"
#include "core/small.h"
#include "core/threads.h"
#include "rigid/discs.h"

typedef struct end_job {
  const pc_step *step;
  bool corrected; // bodies are moved out of each other
  int disc;       // from there on all are: discs.h
  double quiet_speed;
  pc_end_sums sums[PC_PIECES];
  int lost[PC_PIECES]; // a body whose motion is not finite, or -1
} end_job;

// Takes the velocity of a body over, and adds the works of gravity and forces on the mean velocity.
static void take_over(const pc_step *step, int i, pc_end_sums *sums)
{
  pc_world *world = step->world;
  const pc_solid *body = &world->bodies.solid.at[i];
  pc_body_state *state = &world->bodies.state.at[i];
  double before[6], mean[6], after[6];
  pc_state_velocity(state, before);
  if (world->problem.index.at[i] >= 0)
    pc_problem_velocity(&world->problem, &world->bodies, i, after);
  else
    memcpy(after, step->search.free[i], sizeof after);
  if (body->mass > 0) {
    memcpy(state->velocity, after, sizeof state->velocity);
    memcpy(state->spin, after + 3, sizeof state->spin);
  }
  for (int k = 0; k < 6; k++)
    mean[k] = 0.5 * (before[k] + after[k]);
  if (world->elements.row.count > 0 || world->elements.list.count > 0)
    memcpy(world->scratch.mean.at[i], mean, sizeof mean);
  if (body->mass == 0)
    return;
  sums->gravity += step->h * body->mass * pc_dot3(world->def.gravity, mean);
  if (!step->has_loads)
    return;
  double room[6];
  const double *loads = pc_step_loads(step, i, room);
  sums->forces += pc_dot3(loads, mean) + pc_dot3(loads + 3, mean + 3);
}

static bool has_finite_state(const pc_body_state *state)
{
  double sum = pc_dot3(state->velocity, state->velocity) + pc_dot3(state->spin, state->spin) +
               pc_dot3(state->position, state->position);
  return isfinite(sum);
}

static void correct_position(const pc_step *step, int i, pc_end_sums *sums)
{
  const pc_world *world = step->world;
  const double *correction = world->push_out.correction[i];
  for (int k = 0; k < 3; k++)
    world->bodies.state.at[i].position[k] += correction[k];
  sums->correction -= world->bodies.solid.at[i].mass * pc_dot3(world->def.gravity, correction);
}

// Gives a body whose motion is not finite, or -1.
static int end_range(const end_job *job, int begin, int end, pc_end_sums *sums)
{
  const pc_step *step = job->step;
  pc_world *world = step->world;
  const pc_body_store *bodies = &world->bodies;
  int lost = -1;
  if (begin >= job->disc)
    return pc_discs_end(step, begin, end, sums);
  for (int i = begin; i < end; i++) {
    pc_prefetch(bodies->state.at, i + PC_RANGE, sizeof *bodies->state.at);
    pc_prefetch(bodies->solid.at, i + PC_RANGE, sizeof *bodies->solid.at);
    pc_prefetch(step->search.free, i + PC_RANGE, sizeof *step->search.free);
    if (pc_bodies_is_idle(bodies, i))
      continue;
    take_over(step, i, sums);
    if (job->corrected && world->push_out.moved[i])
      correct_position(step, i, sums);
  }
  pc_bodies_advance(bodies, begin, end, 0.5 * step->h, world->def.constant_spin);
  for (int i = begin; i < end; i++) {
    if (pc_bodies_is_idle(bodies, i))
      continue;
    pc_bodies_add_energies(bodies, i, world->def.gravity, &sums->energies);
    if (!has_finite_state(&bodies->state.at[i]) && lost < 0)
      lost = i;
    if (pc_world_can_sleep(world))
      pc_sleep_watch(&world->sleep, bodies, i, step->h, job->quiet_speed);
  }
  return lost;
}

// Sums are kept apart until a piece is done: no two workers write to one cache line.
static void end_pieces(void *context, int begin, int end, int worker)
{
  end_job *job = context;
  const pc_world *world = job->step->world;
  for (int piece = begin; piece < end; piece++) {
    pc_end_sums sums = {0};
    int lost = -1, last = pc_piece_begin(world->bodies.count, piece + 1);
    for (int i = pc_piece_begin(world->bodies.count, piece), to; i < last; i = to) {
      to = pc_discs_range_end(i, last, job->disc);
      int first = end_range(job, i, to, &sums);
      lost = lost < 0 ? first : lost;
    }
    sums.energies.potential += world->sleep.potential[piece];
    job->sums[piece] = sums;
    job->lost[piece] = lost;
  }
}

int pc_step_end_bodies(const pc_step *step, bool corrected, pc_end_sums *sums)
{
  const pc_world *world = step->world;
  int pieces = pc_pieces(world->bodies.count);
  end_job job = {.step = step, .corrected = corrected};
  job.disc = corrected ? world->bodies.count : pc_discs_first(step);
  job.quiet_speed =
      world->def.sleep_speed >= 0 ? world->def.sleep_speed : 0.1 * step->search.gravity * step->h;
  pc_parallel(step->threads, pieces, 2, end_pieces, &job);
  *sums = job.sums[0];
  int lost = job.lost[0];
  for (int i = 1; i < pieces; i++) {
    const pc_end_sums *more = &job.sums[i];
    sums->gravity += more->gravity;
    sums->forces += more->forces;
    sums->correction += more->correction;
    pc_energies_add(&sums->energies, &more->energies);
    if (lost < 0)
      lost = job.lost[i];
  }
  return lost;
}
