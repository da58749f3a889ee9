// What the sides of a motion meet: rigid bodies, and sides of other solids. Which nodes touch, and
// the solve with them.
//
// Places, gaps and normals are those of the middle of the step.
#include <math.h>
#include <string.h>

#include "continuum/motion_state.h"
#include "continuum/overlap.h"
#include "core/error.h"
#include "core/small.h"

enum { LOOKS = 50 };               // for nodes that something reaches, in one step
static const double INSIDE = 1e-9; // of the mesh: a node so deep at the start is an error

// The part of the arrays of meetings that is one meeting's.
static size_t first_of(const pc_fe_motion *m, int meet)
{
  return m->first[meet];
}

// One that acts for a given one; its number.
static int add_meeting(pc_fe_motion *m, int given, pc_fe_meet meet)
{
  m->meet_of[m->meets] = given;
  m->meet[m->meets] = meet;
  m->conditions[m->meets] = m->mesh->nodes;
  return m->meets++;
}

static void add_pull(pc_fe_motion *m, int against)
{
  int pull = add_meeting(m, m->meet_of[against], m->meet[against]);
  m->pulls[pull] = true;
  m->pull_of[pull] = against;
  m->conditions[pull] = m->conditions[against];
}

// As meetings of their own: the corners of both sides of the meetings, and what pulls at nodes that
// do not part again. A meeting with a body has its points, which may be none that are small; not a
// tied one: its nodes and points would repeat each other's conditions, and what they hold drifts.
static pc_status add_meetings(pc_fe_motion *m, pc_error *error)
{
  pc_status status = PC_OK;
  m->given = m->meets;
  for (int i = 0; i < m->given && status == PC_OK; i++) {
    pc_fe_meet meet = m->meet[i];
    m->meet_of[i] = i;
    m->conditions[i] = m->mesh->nodes;
    if (meet.tied)
      add_pull(m, i);
    for (int turn = 0; turn < 2 && meet.body < 0 && !meet.tied && m->size == 2; turn++) {
      int at = add_meeting(
          m, i, turn == 0 ? meet : (pc_fe_meet){meet.other, -1, meet.sides, false, meet.where});
      m->corner[at] = pc_fe_corner_list(&m->arena, m->mesh, m->meet[at].sides, &m->corners[at]);
    }
    if (meet.body < 0 || meet.tied)
      continue;
    status = pc_motion_points_make(m, i, error);
    if (status != PC_OK || pc_motion_points_count(m->points[i]) == 0)
      continue;
    int at = add_meeting(m, i, meet);
    m->points[at] = m->points[i];
    m->conditions[at] = pc_motion_points_count(m->points[i]);
  }
  return status;
}

pc_status pc_motion_make_meetings(pc_fe_motion *m, const pc_fe_motion_def *def, pc_error *error)
{
  pc_arena *arena = &m->arena;
  size_t room = PC_MOTION_MEETINGS * (size_t)def->meets;
  m->meets = def->meets;
  m->meet = pc_arena_take(arena, room, sizeof *m->meet);
  m->meet_of = pc_arena_take(arena, room, sizeof *m->meet_of);
  m->pull_of = pc_arena_take(arena, room, sizeof *m->pull_of);
  m->pulls = pc_arena_take(arena, room, sizeof *m->pulls);
  m->corners = pc_arena_take(arena, room, sizeof *m->corners);
  m->corner = pc_arena_take(arena, room, sizeof *m->corner);
  m->points = pc_arena_take(arena, room, sizeof *m->points);
  m->conditions = pc_arena_take(arena, room, sizeof *m->conditions);
  m->first = pc_arena_take(arena, room + 1, sizeof *m->first);
  pc_status status = PC_OK;
  if (!arena->failed && m->meets > 0) {
    memcpy(m->meet, def->meet, (size_t)m->meets * sizeof *m->meet);
    status = add_meetings(m, error);
  }
  if (status != PC_OK)
    return status;
  for (int i = 0; !arena->failed && i < m->meets; i++)
    m->first[i + 1] = m->first[i] + (size_t)m->conditions[i];
  size_t marks = arena->failed ? 0 : first_of(m, m->meets);
  m->met = pc_arena_take(arena, marks, 1);
  m->may = pc_arena_take(arena, marks, 1);
  m->gap = pc_arena_take(arena, marks, sizeof *m->gap);
  m->meeting = pc_arena_take(arena, marks, sizeof *m->meeting);
  m->mortar = pc_arena_take(arena, (size_t)m->meets, sizeof *m->mortar);
  size_t nodes = m->meets > 0 ? (size_t)m->mesh->nodes : 0;
  m->node_place = pc_arena_take(arena, nodes, sizeof *m->node_place);
  if (arena->failed)
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory for the meetings of a motion");
  return PC_OK;
}

void pc_motion_free_meetings(pc_fe_motion *m)
{
  for (int i = 0; m->mortar != NULL && i < m->meets; i++)
    pc_fe_mortar_free(&m->mortar[i]);
}

// Where the nodes are after `time` with their present velocities; returns the largest of these.
static double place_nodes(pc_fe_motion *m, double time)
{
  double fastest = 0;
  for (int i = 0; i < m->mesh->nodes && m->meets > 0; i++) {
    double *x = m->node_place[i];
    memcpy(x, m->mesh->node[i], sizeof m->node_place[i]);
    for (int k = 0; k < m->size; k++) {
      x[k] += m->u[i * m->size + k] + time * m->v[i * m->size + k];
      fastest = fmax(fastest, fabs(m->v[i * m->size + k]));
    }
  }
  return fastest;
}

// What pulls is what pushes, the other way round.
static void measure_pull(pc_fe_motion *m, int meet)
{
  size_t to = first_of(m, meet), from = first_of(m, m->pull_of[meet]);
  for (int i = 0; i < m->conditions[meet]; i++) {
    pc_fe_meeting *pull = &m->meeting[to + (size_t)i];
    *pull = m->meeting[from + (size_t)i];
    pull->pulls = true;
    for (int k = 0; k < 3; k++)
      pull->normal[k] = -pull->normal[k];
    double gap = m->gap[from + (size_t)i];
    m->gap[to + (size_t)i] = isfinite(gap) ? -gap : INFINITY;
  }
}

// Gaps of the conditions of a meeting and how they meet; INFINITY where there is nothing near.
// `body`: where the bodies are; in a step of h, or 0 at one time.
static pc_status measure(pc_fe_motion *m, int meet, const pc_fe_body_state *body, double h,
                         double travel, pc_error *error)
{
  const pc_fe_meet *of = &m->meet[meet];
  const pc_fe_cells *side = &m->mesh->side;
  double *gap = m->gap + first_of(m, meet);
  pc_fe_meeting *meeting = m->meeting + first_of(m, meet);
  if (m->pulls[meet]) {
    measure_pull(m, meet);
    return PC_OK;
  }
  if (pc_motion_has_points(m, meet)) {
    pc_motion_points_measure(m, meet, body, h, travel, meeting, gap);
    return PC_OK;
  }
  if (meet >= m->given) {
    pc_fe_corner_make(m->corners[meet], m->corner[meet], m->mesh, of->other,
                      (const double(*)[3])m->node_place, travel, meeting, gap);
    return PC_OK;
  }
  if (of->body < 0)
    return pc_fe_mortar_make(&m->mortar[meet], m->mesh, of->sides, of->other,
                             (const double(*)[3])m->node_place, travel, meeting, gap, error);
  for (int i = 0; i < m->mesh->nodes; i++)
    gap[i] = INFINITY;
  pc_status status = PC_OK;
  for (int s = 0; s < side->count; s++)
    for (int k = 0; status == PC_OK && side->cell[s].group == of->sides &&
                    k < pc_element_of(side->cell[s].type)->nodes;
         k++) {
      int node = side->node[side->cell[s].first + k];
      status = pc_motion_find_gap(m, of->body, &body[of->body], m->node_place[node], &meeting[node],
                                  &gap[node], error);
    }
  return status;
}

static const char *name_of_body(const pc_fe_motion *m, const pc_fe_meet *meet)
{
  const char *name = m->mover[meet->body].name;
  return name != NULL ? name : "a body";
}

// Nothing begins inside what it meets.
static pc_status check_start(pc_fe_motion *m, int i, pc_error *error)
{
  const pc_fe_meet *meet = &m->meet[i];
  const char *where = meet->where != NULL ? meet->where : "";
  const char *sides = m->mesh->group[meet->sides].name;
  double at[3];
  for (int k = 0; k < m->conditions[i]; k++) {
    double gap = m->gap[first_of(m, i) + (size_t)k];
    if (gap >= -INSIDE * pc_fe_mesh_size(m->mesh))
      continue;
    const double *arm = m->meeting[first_of(m, i) + (size_t)k].arm;
    for (int c = 0; c < 3; c++)
      at[c] =
          pc_motion_has_points(m, i) ? m->place[meet->body].place[c] + arm[c] : m->node_place[k][c];
    return pc_fail(error, PC_ERROR_ARGUMENT, "%s\"%s\" starts inside \"%s\", by %g m at %s", where,
                   sides, meet->body < 0 ? m->mesh->group[meet->other].name : name_of_body(m, meet),
                   -gap, pc_fe_place_text(m->mesh, at).text);
  }
  if (m->points[i] != NULL && pc_motion_points_find_sunk(m, i, true, at))
    return pc_fail(error, PC_ERROR_ARGUMENT, "%s\"%s\" starts inside the solid of \"%s\", at %s",
                   where, name_of_body(m, meet), sides, pc_fe_place_text(m->mesh, at).text);
  if (meet->body >= 0 || i >= m->given)
    return PC_OK;
  int element;
  pc_status status = pc_fe_find_overlap(m->mesh, (const double(*)[3])m->node_place, meet->sides,
                                        meet->other, &element, at, error);
  if (status == PC_OK && element >= 0)
    return pc_fail(error, PC_ERROR_ARGUMENT, "%sthe solids of \"%s\" and \"%s\" overlap at %s",
                   where, sides, m->mesh->group[meet->other].name,
                   pc_fe_place_text(m->mesh, at).text);
  return status;
}

pc_status pc_motion_check_bodies(pc_fe_motion *m, pc_error *error)
{
  double at[3];
  place_nodes(m, 0);
  for (int i = 0; i < m->given; i++)
    if (m->points[i] != NULL && pc_motion_points_find_sunk(m, i, false, at))
      return pc_fail(
          error, PC_ERROR_NUMERIC,
          "%sat %g s \"%s\" is inside the solid of \"%s\", at %s: an edge has passed between nodes "
          "or the step is too long; use smaller elements or a shorter 'step'",
          m->meet[i].where != NULL ? m->meet[i].where : "", pc_motion_time(m),
          name_of_body(m, &m->meet[i]), m->mesh->group[m->meet[i].sides].name,
          pc_fe_place_text(m->mesh, at).text);
  return PC_OK;
}

pc_status pc_motion_set_meetings(pc_fe_motion *m, pc_error *error)
{
  if (m->meets > 0)
    memset(m->met, 0, first_of(m, m->meets));
  place_nodes(m, 0);
  pc_status status = PC_OK;
  for (int i = 0; i < m->meets && status == PC_OK; i++) {
    if (m->pulls[i])
      continue;
    status = measure(m, i, m->place, 0, 0, error);
    if (status == PC_OK)
      status = check_start(m, i, error);
  }
  return status;
}

// The least D after a step: the next gap is not negative, but nodes part at most as fast as they
// came. Where normals turn or something new comes near, gaps change by more than D says; nodes that
// are inside then are not ejected. A reaction r takes r (w + w+)/2 with w+ = -D+, and D+ is this
// where r > 0: so none gives energy. Nodes that do not part again have the same condition the other
// way round: D+ is between the two, and neither gives energy.
static double least_opening(double gap, double opens, double h)
{
  return fmin(h > 0 ? -gap / h : 0, -opens);
}

// Gaps and normals in the middle of a step. Nodes may touch that did so in the last step, and those
// that reach the other side with the present velocities. In a collision (h = 0) those touch that
// touched.
static pc_status look_at_nodes(pc_fe_motion *m, double h, pc_error *error)
{
  double fastest = place_nodes(m, h / 2);
  pc_status status = PC_OK;
  for (int i = 0; i < m->meets && status == PC_OK; i++) {
    status = measure(m, i, m->middle, h, 2 * h * fastest, error);
    for (int node = 0; status == PC_OK && node < m->conditions[i]; node++) {
      size_t at = first_of(m, i) + (size_t)node;
      m->may[at] = 0;
      if (!isfinite(m->gap[at]))
        continue;
      double opens = pc_motion_opening(m, i, node, m->v, (const double(*)[PC_FE_BODY])m->body_v);
      m->meeting[at].least = least_opening(m->gap[at], opens, h);
      m->may[at] = m->met[at] || (h > 0 && !m->pulls[i] && m->gap[at] + h * opens < 0);
    }
  }
  return status;
}

// Marks the nodes that the answer brought into the other side. Were there any?
static bool has_missed(pc_fe_motion *m)
{
  bool missed = false;
  for (int i = 0; i < m->meets; i++)
    for (int node = 0; !m->pulls[i] && node < m->conditions[i]; node++) {
      size_t at = first_of(m, i) + (size_t)node;
      if (m->may[at] || !isfinite(m->gap[at]))
        continue;
      double opens = pc_motion_opening(m, i, node, m->answer.velocity, m->answer.body);
      m->may[at] = opens < m->meeting[at].least - 1e-9 * fabs(opens);
      missed = missed || m->may[at];
    }
  return missed;
}

// One solve of a step, or of a collision at this time.
static pc_status solve_once(pc_fe_motion *m, int level, pc_error *error)
{
  if (m->has_large && level >= 0)
    return pc_motion_iterate(m, level, error);
  pc_fe_collision *collision = level == PC_MOTION_STRIKE ? m->strike
                               : level == PC_MOTION_BLOW ? m->blow
                                                         : m->length[level];
  return pc_fe_collision_solve(collision, m->v, (const double(*)[PC_FE_BODY])m->body_v, &m->answer,
                               error);
}

pc_status pc_motion_solve(pc_fe_motion *m, int level, pc_error *error)
{
  double h = level >= 0 ? ldexp(m->step, -level) : 0;
  pc_motion_begin_bodies(m, h);
  pc_motion_begin_large(m);
  pc_status status = look_at_nodes(m, h, error);
  bool missed = true;
  for (int look = 0; status == PC_OK && missed && look < LOOKS; look++) {
    status = solve_once(m, level, error);
    missed = status == PC_OK && h > 0 && has_missed(m);
  }
  if (status == PC_OK && missed)
    status = pc_fail(error, PC_ERROR_NUMERIC,
                     "a body reaches too many nodes in one step; use a shorter 'step'");
  if (status == PC_OK)
    pc_motion_end_bodies(m, h);
  return status;
}

// Adds an event for a contact that begins.
static pc_status begin_event(pc_fe_motion *m, int meet, int nodes, double speed, pc_error *error)
{
  pc_fe_event event;
  memset(&event, 0, sizeof event); // padding too: the bytes are compared
  event.time = pc_motion_time(m);
  event.contact = m->walls + meet;
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

// Whether a touch is of a meeting that is given.
static bool is_of(const pc_fe_motion *m, const pc_fe_touch *touch, int meet)
{
  return touch->contact < m->meets && m->meet_of[touch->contact] == meet;
}

static double push_of(const pc_fe_motion *m, const pc_fe_touch *touch)
{
  return m->pulls[touch->contact] ? -touch->reaction : touch->reaction;
}

// To the meeting, and to its contact that lasts.
static void add_percussion(pc_fe_motion *m, int meet, double percussion, int nodes)
{
  m->state[m->walls + meet].percussion[0] += percussion;
  for (int e = m->events.count - 1; nodes > 0 && e >= 0; e--)
    if (m->events.at[e].contact == m->walls + meet) {
      m->events.at[e].percussion[0] += percussion;
      m->events.at[e].nodes = nodes > m->events.at[e].nodes ? nodes : m->events.at[e].nodes;
      break;
    }
}

void pc_motion_add_meeting_percussions(pc_fe_motion *m)
{
  for (int i = 0; i < m->given; i++) {
    double percussion = 0;
    for (int k = 0; k < m->answer.touches; k++)
      if (is_of(m, &m->answer.touch[k], i))
        percussion += push_of(m, &m->answer.touch[k]);
    add_percussion(m, i, percussion, m->state[m->walls + i].closed);
  }
}

// A node touched where there was a reaction; what pulls at it does so from then on.
static void mark_touched(pc_fe_motion *m)
{
  for (int i = 0; i < m->meets; i++)
    if (!m->pulls[i])
      memset(m->met + first_of(m, i), 0, (size_t)m->conditions[i]);
  for (int k = 0; k < m->answer.touches; k++) {
    const pc_fe_touch *t = &m->answer.touch[k];
    if (t->contact < m->meets && t->reaction > 0)
      m->met[first_of(m, t->contact) + (size_t)t->node] = 1;
  }
  for (int i = 0; i < m->meets; i++)
    for (int node = 0; m->pulls[i] && node < m->conditions[i]; node++) {
      char *pulls = &m->met[first_of(m, i) + (size_t)node],
           *pushes = &m->met[first_of(m, m->pull_of[i]) + (size_t)node];
      *pulls = *pushes = *pulls || *pushes;
    }
}

pc_status pc_motion_read_meetings(pc_fe_motion *m, pc_error *error)
{
  pc_status status = PC_OK;
  mark_touched(m);
  for (int i = 0; i < m->given && status == PC_OK; i++) {
    pc_fe_wall_state *state = &m->state[m->walls + i];
    int closed = 0;
    double percussion = 0, speed = 0;
    for (int k = 0; k < m->answer.touches; k++) {
      const pc_fe_touch *t = &m->answer.touch[k];
      if (!is_of(m, t, i))
        continue;
      closed += !m->pulls[t->contact] && m->met[first_of(m, t->contact) + (size_t)t->node];
      percussion += push_of(m, t);
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
    add_percussion(m, i, percussion, closed);
  }
  return status;
}
