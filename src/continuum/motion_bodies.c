// Rigid bodies of a motion: where they are, which nodes they meet, and what the step makes of them.
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

enum { LOOKS = 50 }; // for nodes that a body reaches, in one step

// The part of the arrays of meetings that is one meeting's.
static size_t first_of(const pc_fe_motion *m, int meet)
{
  return (size_t)meet * (size_t)m->mesh->nodes;
}

pc_status pc_motion_make_bodies(pc_fe_motion *m, const pc_fe_motion_def *def, pc_error *error)
{
  m->bodies = def->bodies;
  m->meets = def->meets;
  if (m->bodies == 0)
    return PC_OK;
  pc_arena *arena = &m->arena;
  size_t bodies = (size_t)m->bodies, marks = first_of(m, m->meets);
  m->mover = pc_arena_copy(arena, def->body, def->bodies, sizeof *def->body);
  m->meet = pc_arena_copy(arena, def->meet, def->meets, sizeof *def->meet);
  m->body = pc_arena_take(arena, bodies, sizeof *m->body);
  m->place = pc_arena_take(arena, bodies, sizeof *m->place);
  m->middle = pc_arena_take(arena, bodies, sizeof *m->middle);
  m->next = pc_arena_take(arena, bodies, sizeof *m->next);
  m->axes = pc_arena_take(arena, bodies, sizeof *m->axes);
  m->body_v = pc_arena_take(arena, bodies, sizeof *m->body_v);
  m->body_load = pc_arena_take(arena, bodies, sizeof *m->body_load);
  m->met = pc_arena_take(arena, marks, 1);
  m->gap = pc_arena_take(arena, marks, sizeof *m->gap);
  m->meeting = pc_arena_take(arena, marks, sizeof *m->meeting);
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

// Where a node is after `time` with its present velocity.
static void place_node(const pc_fe_motion *m, int node, double time, double x[3])
{
  memcpy(x, m->mesh->node[node], 3 * sizeof *x);
  for (int k = 0; k < m->size; k++)
    x[k] += m->u[node * m->size + k] + time * m->v[node * m->size + k];
}

// The gap of a node to a body, and how they meet; INFINITY if it is far away.
static pc_status find_gap(pc_fe_motion *m, int b, const pc_fe_body_state *s, const double x[3],
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

// Calls for every node of the sides of a meeting once.
typedef pc_status node_visitor(pc_fe_motion *m, int meet, int node, void *context, pc_error *error);
static pc_status each_node(pc_fe_motion *m, node_visitor *visit, void *context, pc_error *error)
{
  const pc_fe_cells *side = &m->mesh->side;
  pc_status status = PC_OK;
  for (int i = 0; i < m->meets; i++)
    for (int s = 0; s < side->count; s++)
      for (int k = 0; status == PC_OK && side->cell[s].group == m->meet[i].sides &&
                      k < pc_element_of(side->cell[s].type)->nodes;
           k++)
        status = visit(m, i, side->node[side->cell[s].first + k], context, error);
  return status;
}

static pc_status check_start(pc_fe_motion *m, int meet, int node, void *context, pc_error *error)
{
  double x[3], gap;
  pc_fe_meeting unused;
  int b = m->meet[meet].body;
  place_node(m, node, 0, x);
  pc_status status = find_gap(m, b, &m->place[b], x, &unused, &gap, error);
  if (status == PC_OK && gap < -1e-9 * pc_fe_mesh_size(m->mesh))
    status = pc_fail(error, PC_ERROR_ARGUMENT, "node %d starts %g m inside body %d", node, -gap, b);
  return status;
}

pc_status pc_motion_set_bodies(pc_fe_motion *m, pc_error *error)
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
  memset(m->met, 0, m->bodies > 0 ? first_of(m, m->meets) : 0);
  return each_node(m, check_start, NULL, error);
}

// D of a node and a body, as they meet, for given velocities.
static double opening(const pc_fe_motion *m, int meet, int node, const double *velocity,
                      const double (*body)[PC_FE_BODY])
{
  int b = m->meet[meet].body;
  const pc_fe_meeting *at = &m->meeting[first_of(m, meet) + (size_t)node];
  pc_fe_body_state s = {.place = {0}};
  double turned[3], sum = 0;
  from_numbers(m, body[b], m->axes[b], &s);
  pc_cross(s.spin, at->arm, turned);
  for (int k = 0; k < m->size; k++)
    sum += at->normal[k] * (s.velocity[k] + turned[k] - velocity[node * m->size + k]);
  return sum;
}

// Gaps and normals in the middle of a step. A body may touch the nodes that it touched in the last
// step, and those that it reaches with the present velocities. In a collision (h = 0) it touches
// what it touched.
static pc_status look_at_node(pc_fe_motion *m, int meet, int node, void *context, pc_error *error)
{
  double h = *(const double *)context, x[3];
  size_t at = first_of(m, meet) + (size_t)node;
  int b = m->meet[meet].body;
  place_node(m, node, h / 2, x);
  pc_status status = find_gap(m, b, &m->middle[b], x, &m->meeting[at], &m->gap[at], error);
  if (status != PC_OK)
    return status;
  m->meeting[at].least = h > 0 ? -m->gap[at] / h : 0;
  if (!isfinite(m->gap[at]))
    m->met[at] = 0;
  else if (h > 0 && !m->met[at])
    m->met[at] =
        m->gap[at] + h * opening(m, meet, node, m->v, (const double(*)[PC_FE_BODY])m->body_v) < 0;
  return PC_OK;
}

// Marks the nodes that the answer brought into a body; `context`: whether there were any.
static pc_status look_again(pc_fe_motion *m, int meet, int node, void *context, pc_error *error)
{
  size_t at = first_of(m, meet) + (size_t)node;
  if (m->met[at] || !isfinite(m->gap[at]))
    return PC_OK;
  double opens = opening(m, meet, node, m->answer.velocity, m->answer.body);
  if (opens < m->meeting[at].least - 1e-9 * fabs(opens)) {
    m->met[at] = 1;
    *(bool *)context = true;
  }
  return PC_OK;
}

pc_status pc_motion_solve(pc_fe_motion *m, pc_fe_collision *collision, double h, pc_error *error)
{
  for (int b = 0; b < m->bodies; b++) {
    m->middle[b] = m->place[b];
    move_body(m, b, h / 2, &m->middle[b]);
    pc_quaternion_matrix(m->middle[b].attitude, m->axes[b]);
    to_numbers(m, &m->middle[b], m->axes[b], m->body_v[b]);
    for (int k = 0; k < m->size; k++)
      m->body_load[b][k] = h * m->body[b].mass * m->gravity_vector[k];
  }
  pc_status status = each_node(m, look_at_node, &h, error);
  bool missed = true;
  for (int look = 0; status == PC_OK && missed && look < LOOKS; look++) {
    missed = false;
    status = pc_fe_collision_solve(collision, m->v, (const double(*)[PC_FE_BODY])m->body_v,
                                   &m->answer, error);
    if (status == PC_OK && h > 0)
      status = each_node(m, look_again, &missed, error);
  }
  if (status == PC_OK && missed)
    status = pc_fail(error, PC_ERROR_NUMERIC,
                     "a body reaches ever more nodes in one step: make "
                     "steps shorter");
  for (int b = 0; status == PC_OK && b < m->bodies; b++) {
    m->next[b] = m->middle[b];
    from_numbers(m, m->answer.body[b], m->axes[b], &m->next[b]);
    move_body(m, b, h / 2, &m->next[b]);
  }
  return status;
}

void pc_motion_take_bodies(pc_fe_motion *m)
{
  if (m->bodies > 0)
    memcpy(m->place, m->next, (size_t)m->bodies * sizeof *m->place);
}

// Adds an event for a contact that begins.
static pc_status begin_event(pc_fe_motion *m, int meet, int nodes, double speed, pc_error *error)
{
  pc_fe_event event;
  memset(&event, 0, sizeof event); // padding too: the bytes are compared
  event.time = pc_motion_time(m);
  event.wall = m->walls + meet;
  event.nodes = nodes;
  event.collision = event.fresh = true;
  event.speed = speed;
  pc_fe_event *to = pc_array_add(&m->events);
  if (to == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory for %d collisions",
                   m->events.count + 1);
  memcpy(to, &event, sizeof event);
  return PC_OK;
}

pc_status pc_motion_read_meetings(pc_fe_motion *m, pc_error *error)
{
  pc_status status = PC_OK;
  for (int i = 0; i < m->meets && status == PC_OK; i++) {
    pc_fe_wall_state *state = &m->state[m->walls + i];
    int closed = 0;
    double percussion = 0, speed = 0;
    for (int k = 0; k < m->answer.touches; k++) {
      const pc_fe_touch *t = &m->answer.touch[k];
      if (t->contact != i)
        continue;
      m->met[first_of(m, i) + (size_t)t->node] = t->reaction > 0;
      closed += t->reaction > 0;
      percussion += t->reaction;
      speed = t->reaction > 0 ? fmax(speed, t->before[0]) : speed;
    }
    if (closed > 0 && state->closed == 0) {
      state->collisions++;
      state->fresh++;
      status = begin_event(m, i, closed, speed, error);
    }
    if (closed == 0 && state->closed > 0)
      state->left = pc_motion_time(m);
    state->closed = closed;
    state->percussion[0] += percussion;
    for (int e = m->events.count - 1; closed > 0 && e >= 0; e--)
      if (m->events.at[e].wall == m->walls + i) {
        m->events.at[e].percussion[0] += percussion;
        m->events.at[e].nodes = closed > m->events.at[e].nodes ? closed : m->events.at[e].nodes;
        break;
      }
  }
  return status;
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
