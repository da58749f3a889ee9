// The body store: poses, degrees of freedom, free motion and energies of bodies.
#include "rigid/bodies.h"

#include <stdlib.h>

#include "core/small.h"
#include "core/threads.h"
#include "percuss/shape.h"
#include "rigid/pieces.h"
#include "rigid/rotation.h"

void pc_bodies_free(pc_body_store *bodies)
{
  for (int i = 0; i < bodies->count; i++) {
    pc_shape_release(bodies->solid.at[i].shape);
    pc_course_free(bodies->solid.at[i].form->course);
  }
  pc_arena_free(&bodies->forms);
  pc_array_free(&bodies->solid);
  pc_array_free(&bodies->state);
  pc_array_free(&bodies->slot);
  pc_array_free(&bodies->number);
  pc_array_free(&bodies->asleep);
}

pc_pose pc_body_pose(const pc_solid *body, const pc_body_state *state)
{
  pc_pose pose = pc_pose_of(state->position, state->orientation);
  double away[3];
  pc_rotate(pose.rotation, body->form->offset, away);
  for (int i = 0; i < 3; i++)
    pose.position[i] += away[i];
  return pose;
}

void pc_body_inertia(const pc_solid *body, const pc_body_state *state, double world[9])
{
  if (body->round) {
    for (int i = 0; i < 9; i++)
      world[i] = i % 4 == 0 ? body->moment : 0;
    return;
  }
  double m[9], half[9];
  pc_quaternion_matrix(state->orientation, m);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      half[3 * i + j] = m[3 * i] * body->form->inertia[j] +
                        m[3 * i + 1] * body->form->inertia[3 + j] +
                        m[3 * i + 2] * body->form->inertia[6 + j];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j <= i; j++)
      world[3 * i + j] = world[3 * j + i] =
          half[3 * i] * m[3 * j] + half[3 * i + 1] * m[3 * j + 1] + half[3 * i + 2] * m[3 * j + 2];
}

// Bodies that turn freely are gathered and turned by fours.
typedef struct tops {
  int count, body[4];
  double moments[4][3], attitude[4][4], spin[4][3];
} tops;

// A spin that stays as it is. False: it does not.
static bool turn_evenly(const pc_solid *body, const pc_body_state *state, double time,
                        bool constant_spin, double orientation[4])
{
  if (!body->round && !constant_spin)
    return false;
  double angle[3] = {time * state->spin[0], time * state->spin[1], time * state->spin[2]}, q[4];
  pc_quaternion_exp(angle, q);
  pc_quaternion_multiply(q, state->orientation, orientation);
  pc_quaternion_normalise(orientation);
  return true;
}

// The attitude of its principal axes.
static void attitude_of(const pc_solid *body, const pc_body_state *state, double attitude[4])
{
  memcpy(attitude, state->orientation, sizeof state->orientation);
  if (body->aligned)
    return;
  pc_quaternion_multiply(state->orientation, body->form->principal, attitude);
  // The length of the principal axes' quaternion is the same in every step, and so would be the
  // error of the spin.
  pc_quaternion_refine(attitude);
}

static void orientation_of(const pc_solid *body, const double attitude[4], double orientation[4])
{
  if (body->aligned) {
    memcpy(orientation, attitude, 4 * sizeof(double));
    return;
  }
  const double *p = body->form->principal, back[4] = {p[0], -p[1], -p[2], -p[3]};
  pc_quaternion_multiply(attitude, back, orientation);
  pc_quaternion_normalise(orientation);
}

static void spin_tops(const pc_body_store *bodies, double time, tops *all)
{
  for (int l = all->count; l < 4 && l > 0; l++) { // the last ones may be fewer
    memcpy(all->moments[l], all->moments[0], sizeof all->moments[l]);
    memcpy(all->attitude[l], all->attitude[0], sizeof all->attitude[l]);
    memcpy(all->spin[l], all->spin[0], sizeof all->spin[l]);
  }
  if (all->count > 0)
    pc_rotation_advance_four((const double(*)[3])all->moments, all->attitude, all->spin, time);
  for (int l = 0; l < all->count; l++) {
    const pc_solid *body = &bodies->solid.at[all->body[l]];
    pc_body_state *state = &bodies->state.at[all->body[l]];
    memcpy(state->spin, all->spin[l], sizeof state->spin);
    orientation_of(body, all->attitude[l], state->orientation);
  }
  all->count = 0;
}

static void turn(const pc_body_store *bodies, int i, double time, bool constant_spin, tops *all)
{
  const pc_solid *body = &bodies->solid.at[i];
  pc_body_state *state = &bodies->state.at[i];
  if (state->spin[0] == 0 && state->spin[1] == 0 && state->spin[2] == 0)
    return;
  if (turn_evenly(body, state, time, constant_spin, state->orientation))
    return;
  int l = all->count++;
  all->body[l] = i;
  memcpy(all->moments[l], body->form->moments, sizeof all->moments[l]);
  memcpy(all->spin[l], state->spin, sizeof all->spin[l]);
  attitude_of(body, state, all->attitude[l]);
  if (all->count == 4)
    spin_tops(bodies, time, all);
}

void pc_body_turned(const pc_solid *body, const pc_body_state *state, double time,
                    bool constant_spin, double orientation[4], double spin[3])
{
  memcpy(spin, state->spin, sizeof state->spin);
  if (turn_evenly(body, state, time, constant_spin, orientation))
    return;
  double attitude[4];
  attitude_of(body, state, attitude);
  pc_rotation_advance(body->form->moments, attitude, spin, time);
  orientation_of(body, attitude, orientation);
}

void pc_bodies_advance(const pc_body_store *bodies, int begin, int end, double time,
                       bool constant_spin)
{
  tops all = {.count = 0};
  for (int i = begin; i < end; i++) {
    const pc_solid *body = &bodies->solid.at[i];
    pc_body_state *state = &bodies->state.at[i];
    if (pc_bodies_is_idle(bodies, i) || body->kind == PC_FIXED || body->kind == PC_DRIVEN)
      continue;
    for (int k = 0; k < 3; k++)
      state->position[k] += time * state->velocity[k];
    if (body->turns)
      turn(bodies, i, time, constant_spin, &all);
  }
  spin_tops(bodies, time, &all);
}

void pc_bodies_add_energies(const pc_body_store *bodies, int i, const double gravity[3],
                            pc_energies *sum)
{
  const pc_solid *body = &bodies->solid.at[i];
  const pc_body_state *state = &bodies->state.at[i];
  if (body->mass == 0 || body->absent)
    return;
  sum->potential -= body->mass * pc_dot3(gravity, state->position);
  sum->translation += 0.5 * body->mass * pc_dot3(state->velocity, state->velocity);
  if (!body->turns)
    return;
  if (body->round) {
    sum->rotation += 0.5 * body->moment * pc_dot3(state->spin, state->spin);
  } else {
    double inertia[9], momentum[3];
    pc_body_inertia(body, state, inertia);
    pc_rotate(inertia, state->spin, momentum);
    sum->rotation += 0.5 * pc_dot3(momentum, state->spin);
  }
}

typedef struct energy_job {
  const pc_body_store *bodies;
  const double *gravity;
  pc_energies sum[PC_PIECES];
} energy_job;

// In each piece the energies of sleeping bodies are summed apart, as a step does, which knows the
// sum of those. (One that was just given a velocity has kinetic energy until it wakes.)
static void energy_pieces(void *context, int begin, int end, int worker)
{
  energy_job *job = context;
  const pc_body_store *bodies = job->bodies;
  for (int piece = begin; piece < end; piece++) {
    pc_energies sum = {0}, rest = {0};
    int last = pc_piece_begin(bodies->count, piece + 1);
    for (int i = pc_piece_begin(bodies->count, piece); i < last; i++)
      pc_bodies_add_energies(bodies, i, job->gravity,
                             pc_bodies_is_asleep(bodies, i) ? &rest : &sum);
    pc_energies_add(&sum, &rest);
    job->sum[piece] = sum;
  }
}

pc_energies pc_bodies_energies(const pc_body_store *bodies, const double gravity[3], int threads)
{
  energy_job job = {.bodies = bodies, .gravity = gravity};
  pc_energies sum = {0};
  int pieces = pc_pieces(bodies->count);
  pc_parallel(threads, pieces, 2, energy_pieces, &job);
  for (int i = 0; i < pieces; i++)
    pc_energies_add(&sum, &job.sum[i]);
  return sum;
}

void pc_body_to_dof(const pc_solid *body, const double *six, double *numbers)
{
  if (body->dof == 1) {
    numbers[0] = pc_dot3(six, body->form->guide);
  } else if (body->dof == 6) {
    memcpy(numbers, six, 6 * sizeof(double));
  } else {
    numbers[0] = six[0];
    numbers[1] = six[1];
    numbers[2] = six[5];
  }
}

void pc_body_from_dof(const pc_solid *body, const double *numbers, double *six)
{
  memset(six, 0, 6 * sizeof(double));
  if (body->dof == 1) {
    for (int k = 0; k < 3; k++)
      six[k] = numbers[0] * body->form->guide[k];
  } else if (body->dof == 6) {
    memcpy(six, numbers, 6 * sizeof(double));
  } else {
    six[0] = numbers[0];
    six[1] = numbers[1];
    six[5] = body->dof == 3 ? numbers[2] : 0;
  }
}

void pc_body_row(const pc_solid *body, const pc_body_state *state, const double point[3],
                 const double direction[3], double *row)
{
  if (body->dof == 1) {
    row[0] = pc_dot3(direction, body->form->guide);
    return;
  }
  double arm[3], turned[3];
  pc_sub3(point, state->position, arm);
  pc_cross(arm, direction, turned);
  row[0] = direction[0];
  row[1] = direction[1];
  if (body->dof == 3)
    row[2] = turned[2];
  if (body->dof == 6) {
    row[2] = direction[2];
    memcpy(row + 3, turned, sizeof turned);
  }
}

void pc_body_free_velocity(const pc_solid *body, const pc_body_state *state,
                           const double external[6], double six[6])
{
  pc_state_velocity(state, six);
  if (body->mass == 0)
    return;
  double linear[3] = {external[0], external[1], external[2]};
  if (body->kind == PC_GUIDED) {
    double along = pc_dot3(linear, body->form->guide);
    for (int k = 0; k < 3; k++)
      linear[k] = along * body->form->guide[k];
  }
  for (int k = 0; k < 3; k++)
    six[k] += linear[k] * body->inverse_mass;
  if (!body->turns || (external[3] == 0 && external[4] == 0 && external[5] == 0))
    return;
  double inertia[9], inverse[9], turned[3];
  pc_body_inertia(body, state, inertia);
  pc_small_inverse(3, inertia, inverse);
  pc_rotate(inverse, external + 3, turned);
  for (int k = 0; k < 3; k++)
    six[3 + k] += turned[k];
}

void pc_reorder(void *list, size_t size, int count, const int *from, char *room)
{
  if (list == NULL)
    return;
  memcpy(room, list, size * (size_t)count);
  for (int i = 0; i < count; i++)
    memcpy((char *)list + size * (size_t)i, room + size * (size_t)from[i], size);
}

bool pc_bodies_reserve_order(pc_body_store *bodies)
{
  return pc_array_reserve(&bodies->slot, bodies->count) &&
         pc_array_reserve(&bodies->number, bodies->count);
}

void pc_bodies_reorder(pc_body_store *bodies, const int *id, const int *from, void *room)
{
  pc_reorder(bodies->solid.at, sizeof *bodies->solid.at, bodies->count, from, room);
  pc_reorder(bodies->state.at, sizeof *bodies->state.at, bodies->count, from, room);
  for (int i = 0; i < bodies->count; i++) {
    bodies->number.at[i] = id[i];
    bodies->slot.at[id[i]] = i;
  }
  bodies->ordered = bodies->count;
  bodies->disc_bodies = 0; // where discs begin is looked for again
}
