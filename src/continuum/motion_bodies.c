// Rigid bodies of a motion: where they are, and what the step makes of them.
//
// Places and normals of contacts are those of the middle of the step. The unknown spins of a body
// are about its own axes in the middle, so that its inertia, and with it the matrix, never changes.
#include <math.h>
#include <string.h>

#include "continuum/motion_state.h"
#include "core/error.h"
#include "core/small.h"
#include "geometry/pose.h"
#include "percuss/rotation.h"

pc_status pc_motion_make_bodies(pc_fe_motion *m, const pc_fe_motion_def *def, pc_error *error)
{
  m->bodies = def->bodies;
  if (m->bodies == 0)
    return PC_OK;
  pc_arena *arena = &m->arena;
  size_t bodies = (size_t)m->bodies;
  m->mover = pc_arena_copy(arena, def->body, def->bodies, sizeof *def->body);
  m->body = pc_arena_take(arena, bodies, sizeof *m->body);
  m->place = pc_arena_take(arena, bodies, sizeof *m->place);
  m->middle = pc_arena_take(arena, bodies, sizeof *m->middle);
  m->next = pc_arena_take(arena, bodies, sizeof *m->next);
  m->axes = pc_arena_take(arena, bodies, sizeof *m->axes);
  m->body_v = pc_arena_take(arena, bodies, sizeof *m->body_v);
  m->body_load = pc_arena_take(arena, bodies, sizeof *m->body_load);
  if (arena->failed) {
    m->bodies = 0; // none of their shapes is retained
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory for rigid bodies");
  }
  for (int b = 0; b < m->bodies; b++) {
    pc_shape_retain(m->mover[b].shape);
    m->body[b] = m->mover[b].body;
  }
  double radius = 1e-9 * pc_fe_mesh_size(m->mesh);
  m->probe = m->size == 3 ? pc_shape_sphere(radius, error) : pc_shape_disc(radius, error);
  return m->probe != NULL ? PC_OK : error != NULL ? error->status : PC_ERROR_MEMORY;
}

void pc_motion_free_bodies(pc_fe_motion *m)
{
  for (int b = 0; b < m->bodies; b++)
    pc_shape_release(m->mover[b].shape);
  pc_shape_release(m->probe);
  pc_array_free(&m->found);
}

// Moves a body freely; a negative time is allowed.
static void move_body(const pc_fe_motion *m, int b, double time, pc_fe_body_state *s)
{
  for (int k = 0; k < m->size; k++)
    s->place[k] += time * s->velocity[k];
  double turn[4];
  if (m->size == 3 && pc_dot3(s->spin, s->spin) > 0) {
    pc_rotation_advance(m->body[b].moments, s->attitude, s->spin, time);
  } else if (m->size == 2) {
    pc_quaternion_exp((double[]){0, 0, time * s->spin[2]}, turn);
    pc_quaternion_multiply(turn, s->attitude, s->attitude);
    pc_quaternion_normalise(s->attitude);
  }
}

// Velocities as a collision has them, from a state and back. The spins are about its own axes.
static void to_numbers(const pc_fe_motion *m, const pc_fe_body_state *s, const double axes[9],
                       double v[PC_FE_BODY])
{
  memset(v, 0, PC_FE_BODY * sizeof *v);
  memcpy(v, s->velocity, (size_t)m->size * sizeof *v);
  if (m->size == 3)
    pc_rotate_back(axes, s->spin, v + 3);
  else if (m->size == 2)
    v[2] = s->spin[2];
}

static void from_numbers(const pc_fe_motion *m, const double v[PC_FE_BODY], const double axes[9],
                         pc_fe_body_state *s)
{
  memcpy(s->velocity, v, (size_t)m->size * sizeof *v);
  if (m->size == 3)
    pc_rotate(axes, v + 3, s->spin);
  else if (m->size == 2)
    s->spin[2] = v[2];
}

pc_status pc_motion_find_gap(pc_fe_motion *m, int b, const pc_fe_body_state *s, const double x[3],
                             pc_fe_meeting *to, double *gap, pc_error *error)
{
  static const double upright[4] = {1, 0, 0, 0};
  pc_pose node = pc_pose_of(x, upright), body = pc_pose_of(s->place, s->attitude);
  m->found.count = 0;
  *gap = INFINITY;
  if (pc_collide(m->probe, &node, m->mover[b].shape, &body, pc_fe_mesh_size(m->mesh), &m->found) !=
      PC_OK)
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory for the contacts of a body");
  double radius = pc_shape_radius(m->probe);
  for (int i = 0; i < m->found.count; i++) {
    const pc_contact_point *p = &m->found.at[i];
    if (p->gap + radius >= *gap)
      continue;
    *gap = p->gap + radius;
    for (int k = 0; k < 3; k++) {
      to->normal[k] = -p->normal[k];
      to->arm[k] = x[k] - s->place[k];
    }
  }
  return PC_OK;
}

void pc_motion_set_bodies(pc_fe_motion *m)
{
  for (int b = 0; b < m->bodies; b++) {
    const pc_fe_mover *from = &m->mover[b];
    pc_fe_body_state *s = &m->place[b];
    memset(s, 0, sizeof *s);
    memcpy(s->place, from->body.centre, sizeof s->place);
    memcpy(s->velocity, from->velocity, sizeof s->velocity);
    memcpy(s->spin, from->spin, sizeof s->spin);
    memcpy(s->attitude, from->attitude, sizeof s->attitude);
    if (from->attitude[0] == 0 && pc_fe_length(from->attitude + 1) == 0)
      s->attitude[0] = 1;
  }
}

void pc_motion_body_velocity(const pc_fe_motion *m, int b, const double v[PC_FE_BODY],
                             const double arm[3], double to[3])
{
  pc_fe_body_state s = {.place = {0}};
  double turned[3];
  from_numbers(m, v, m->axes[b], &s);
  pc_cross(s.spin, arm, turned);
  for (int k = 0; k < 3; k++)
    to[k] = s.velocity[k] + turned[k];
}

double pc_motion_opening(const pc_fe_motion *m, int meet, int node, const double *velocity,
                         const double (*body)[PC_FE_BODY])
{
  int b = m->meet[meet].body;
  const pc_fe_meeting *at = &m->meeting[m->first[meet] + (size_t)node];
  double other[3], sum = 0, sense = at->pulls ? -1 : 1;
  for (int s = 0; s < at->shares; s++)
    for (int k = 0; k < m->size; k++)
      sum -= sense * at->share[s].factor[k] * velocity[at->share[s].node * m->size + k];
  if (b < 0)
    return sum;
  pc_motion_body_velocity(m, b, body[b], at->arm, other);
  for (int k = 0; k < m->size; k++)
    sum += at->normal[k] * (other[k] - (at->shares > 0 ? 0 : velocity[node * m->size + k]));
  return sum;
}

void pc_motion_begin_bodies(pc_fe_motion *m, double h)
{
  for (int b = 0; b < m->bodies; b++) {
    m->middle[b] = m->place[b];
    move_body(m, b, h / 2, &m->middle[b]);
    pc_quaternion_matrix(m->middle[b].attitude, m->axes[b]);
    to_numbers(m, &m->middle[b], m->axes[b], m->body_v[b]);
    for (int k = 0; k < m->size; k++)
      m->body_load[b][k] = h * m->body[b].mass * m->gravity_vector[k];
  }
}

void pc_motion_end_bodies(pc_fe_motion *m, double h)
{
  for (int b = 0; b < m->bodies; b++) {
    m->next[b] = m->middle[b];
    from_numbers(m, m->answer.body[b], m->axes[b], &m->next[b]);
    move_body(m, b, h / 2, &m->next[b]);
  }
}

void pc_motion_take_bodies(pc_fe_motion *m)
{
  if (m->bodies > 0)
    memcpy(m->place, m->next, (size_t)m->bodies * sizeof *m->place);
}

void pc_motion_add_energy(const pc_fe_motion *m, pc_fe_motion_energy *energy)
{
  for (int b = 0; b < m->bodies; b++) {
    const pc_fe_body_state *s = &m->place[b];
    const pc_fe_body *body = &m->body[b];
    double axes[9], v[PC_FE_BODY], twice = 0;
    pc_quaternion_matrix(s->attitude, axes);
    to_numbers(m, s, axes, v);
    for (int k = 0; k < m->size; k++)
      twice += body->mass * v[k] * v[k];
    for (int k = 0; m->size == 3 && k < 3; k++)
      twice += body->moments[k] * v[3 + k] * v[3 + k];
    if (m->size == 2)
      twice += body->inertia * v[2] * v[2];
    energy->kinetic += twice / 2;
    energy->gravity -= body->mass * pc_dot3(m->gravity_vector, s->place);
  }
}
