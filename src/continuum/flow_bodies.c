// What happens between the water and the faces of bodies, and at the start with the ground.
#include <math.h>
#include <string.h>

#include "continuum/flow_state.h"
#include "core/error.h"

static const double INSIDE = 1e-12;   // of the mesh: a node that is so deep in a body is in it
static const double NEAR_ZERO = 1e-8; // of a speed of approach: the velocity after it is none
static const double QUIET = 1e-5;     // of the speed of rest, the same

double pc_flow_time(const pc_fe_flow *f)
{
  return f->def.step * ((double)f->tally.steps + ldexp((double)f->tally.part, -f->def.halvings));
}

// How fast a node comes to a face.
static double approach_of(const pc_fe_flow *f, int contact, const pc_flow_face *to, int node)
{
  int b = f->def.contact[contact].body;
  const double *v = f->now.body[b], *g = f->now.place[b], *x = f->x0[node],
               *u = f->now.u + 2 * node;
  double w[2] = {u[0] - v[0] + v[2] * (x[1] - g[1]), u[1] - v[1] - v[2] * (x[0] - g[0])};
  return -(w[0] * to->normal[0] + w[1] * to->normal[1]);
}

// A node of the free surface beside the face of a body; all of them, one after the other.
typedef struct pair {
  int contact, spine, node;
  size_t at; // of its mark
  pc_flow_face now;
  double gap;
} pair;

static pair first_pair(void)
{
  return (pair){.contact = -1};
}

static bool next_pair(const pc_fe_flow *f, pair *p)
{
  bool same = p->contact >= 0 && ++p->spine < f->spines;
  while (!same && ++p->contact < f->def.contacts)
    if (f->def.contact[p->contact].body >= 0 && f->spines > 0) {
      p->spine = 0;
      p->now = pc_flow_face_of(f, p->contact, (const double(*)[3])f->now.place);
      same = true;
    }
  if (!same)
    return false;
  p->node = f->spine[p->spine].node;
  p->at = pc_flow_mark(f, p->contact, p->node);
  p->gap = pc_flow_face_gap(&p->now, f->x0[p->node]);
  return true;
}

// Whether water may come to the face now: it is before it, and not behind by more than contacts at
// rest drift.
static bool can_come(const pc_fe_flow *f, const pair *p)
{
  return !f->closed[p->at] && pc_flow_face_covers(&p->now, f->x0[p->node]) &&
         p->gap >= -pc_flow_drift(f);
}

// Nodes that touch a face and go on into it.
bool pc_flow_is_open(pc_fe_flow *f)
{
  bool open = true;
  for (pair p = first_pair(); next_pair(f, &p);) {
    f->hits[p.at] = can_come(f, &p) && p.gap <= INSIDE * f->size &&
                    approach_of(f, p.contact, &p.now, p.node) > 0;
    open = open && !f->hits[p.at];
  }
  return open;
}

// Nodes that were before a face, or behind it by what contacts at rest drift, and are deeper after
// the try. Water that comes from beside a face, above its plane, flows over the body.
bool pc_flow_is_clear(pc_fe_flow *f)
{
  bool clear = true;
  double inside = INSIDE * f->size;
  for (pair p = first_pair(); next_pair(f, &p);) {
    pc_flow_face after = pc_flow_face_of(f, p.contact, (const double(*)[3])f->next.place);
    const double *x = f->x1[p.node];
    f->hits[p.at] = !f->closed[p.at] && pc_flow_face_covers(&after, x) &&
                    p.gap >= -pc_flow_drift(f) &&
                    pc_flow_face_gap(&after, x) < fmin(p.gap, 0) - inside;
    clear = clear && !f->hits[p.at];
  }
  return clear;
}

// How fast a node goes through a wall, either way: fluids do not leave them.
static double speed_through(const pc_fe_flow *f, int wall, int node)
{
  const double *n = f->wall[wall].normal, *u = f->now.u + 2 * node;
  return fabs(u[0] * n[0] + u[1] * n[1]);
}

// How many nodes of a contact are struck, and how fast.
static void count_struck(const pc_fe_flow *f, int contact, pc_fe_event *event)
{
  bool wall = f->def.contact[contact].body < 0;
  pc_flow_face now = {.length = 0};
  if (!wall)
    now = pc_flow_face_of(f, contact, (const double(*)[3])f->now.place);
  for (int node = 0; node < f->mesh.nodes; node++)
    if (f->struck[pc_flow_mark(f, contact, node)]) {
      double speed = wall ? speed_through(f, contact, node) : approach_of(f, contact, &now, node);
      event->nodes++;
      event->speed = fmax(event->speed, speed);
    }
}

// An event for every contact that is struck.
static pc_status add_events(pc_fe_flow *f, bool collision, pc_error *error)
{
  for (int i = 0; i < f->def.contacts; i++) {
    pc_fe_event event;
    memset(&event, 0, sizeof event); // padding too: the bytes are compared
    event.time = pc_flow_time(f);
    event.contact = i;
    event.collision = collision;
    count_struck(f, i, &event);
    if (event.nodes == 0)
      continue;
    event.fresh = f->touch[i].closed == 0;
    f->touch[i].collisions += collision;
    f->touch[i].fresh += collision && event.fresh;
    pc_fe_event *to = pc_array_add(&f->events);
    if (to == NULL)
      return pc_fail(error, PC_ERROR_MEMORY, "not enough memory for %d collisions",
                     f->events.count + 1);
    memcpy(to, &event, sizeof event);
  }
  return PC_OK;
}

// w_N of a touch after a solve, where contact lasts in the mean.
static double part_speed(const pc_fe_contact *contact, const pc_fe_touch *t)
{
  bool lasts = contact->lasting != NULL && contact->lasting[t->node];
  return lasts ? (t->before[0] + t->after[0]) / 2 : t->after[0];
}

// Sums percussions by contacts, and finds the nodes that stay: those that leave more slowly than
// `quiet`. Events from `first` on are those of the solve.
static void read_touches(pc_fe_flow *f, double quiet, int first)
{
  memset(f->hits, 0, (size_t)f->def.contacts * (size_t)f->mesh.nodes); // 1 stays, 2 leaves
  for (int k = 0; k < f->answer.touches; k++) {
    const pc_fe_touch *t = &f->answer.touch[k];
    const pc_fe_contact *from = &f->contact[t->contact];
    int i = f->contact_of[t->contact];
    if (i < 0 || (from->touching != NULL && !from->touching[t->node]))
      continue;
    size_t at = pc_flow_mark(f, i, t->node);
    for (int c = 0; c < 2; c++)
      f->touch[i].percussion[c] += t->percussion[c];
    for (int e = first; e < f->events.count; e++)
      for (int c = 0; f->events.at[e].contact == i && c < 2; c++)
        f->events.at[e].percussion[c] += t->percussion[c];
    if (from->body >= 0 && f->hits[at] != 2)
      f->hits[at] = part_speed(from, t) > -quiet ? 1 : 2;
  }
  for (int i = 0; i < f->def.contacts; i++) {
    if (f->def.contact[i].body < 0)
      continue;
    int before = f->touch[i].closed, *closed = &f->touch[i].closed;
    for (int k = 0; k < f->spines; k++) {
      size_t at = pc_flow_mark(f, i, f->spine[k].node);
      if (f->hits[at] == 0)
        continue;
      bool stays = f->hits[at] == 1;
      *closed += (int)stays - (int)f->closed[at];
      f->closed[at] = stays;
    }
    if (*closed == 0 && (before > 0 || first < f->events.count))
      f->touch[i].left = before > 0 || f->touch[i].collisions > 0 ? pc_flow_time(f) : -1;
  }
}

void pc_flow_keep_contacts(pc_fe_flow *f)
{
  if (f->def.contacts > 0)
    memcpy(f->lasts, f->closed, (size_t)f->def.contacts * (size_t)f->mesh.nodes);
}

static pc_status collide(pc_fe_flow *f, pc_flow_kind kind, double speed, pc_error *error)
{
  int first = f->events.count;
  pc_status status = add_events(f, true, error);
  if (status == PC_OK)
    status = pc_flow_collision(f, kind, 0, (const double(*)[3])f->x0,
                               (const double(*)[3])f->now.place, error);
  if (status == PC_OK)
    status = pc_fe_collision_solve(f->collision, f->now.u, (const double(*)[PC_FE_BODY])f->now.body,
                                   &f->answer, error);
  if (status != PC_OK)
    return status;
  const pc_fe_account *a = &f->answer.account;
  pc_fe_flow_account *sum = &f->tally.account;
  sum->volume += a->volume;
  sum->surface += a->surface;
  double reactions = a->reactions + a->pressures - a->work_stops; // walls along an axis are holds
  sum->reactions += reactions;
  sum->holds += a->work_holds - a->work_stops;
  sum->unsolved += !f->answer.solved;
  for (int i = first; i < f->events.count; i++)
    f->events.at[i].lost = a->volume + a->surface + reactions;
  memcpy(f->now.u, f->answer.velocity, (size_t)f->numbers * sizeof *f->now.u);
  for (int b = 0; b < f->def.bodies; b++)
    memcpy(f->now.body[b], f->answer.body[b], sizeof f->now.body[b]);
  memset(f->rate, 0, (size_t)f->numbers * sizeof *f->rate);
  memset(f->climb, 0, (size_t)f->spines * sizeof *f->climb);
  read_touches(f, fmax(NEAR_ZERO * speed, QUIET * f->tally.rest), first);
  pc_flow_keep_contacts(f);
  return PC_OK;
}

// Marks the nodes that bodies strike together with those that they hit; the speed of the fastest.
static double mark_struck(pc_fe_flow *f)
{
  double speed = 0;
  memset(f->struck, 0, (size_t)f->def.contacts * (size_t)f->mesh.nodes);
  for (pair p = first_pair(); next_pair(f, &p);) {
    double approach = approach_of(f, p.contact, &p.now, p.node);
    bool near = f->hits[p.at] || (can_come(f, &p) && p.gap <= f->def.reach);
    f->struck[p.at] = near && approach > 0;
    if (f->struck[p.at])
      speed = fmax(speed, approach);
  }
  return speed;
}

// The same for walls, which no node may go through faster than `least`, and for what is held.
static double mark_walls(pc_fe_flow *f, double least)
{
  double most = 0;
  for (int s = 0; s < f->mesh.side.count; s++) {
    const pc_fe_cell *side = &f->mesh.side.cell[s];
    for (int k = 0; k < pc_element_of(side->type)->nodes; k++) {
      int node = f->mesh.side.node[side->first + k];
      for (int i = 0; i < f->def.contacts; i++) {
        const pc_fe_flow_contact *c = &f->def.contact[i];
        if (c->body >= 0 || c->sides != side->group || !(speed_through(f, i, node) > least))
          continue;
        f->struck[pc_flow_mark(f, i, node)] = 1;
        most = fmax(most, speed_through(f, i, node));
      }
      for (int i = 0; i < f->def.holds; i++) {
        const pc_fe_hold *hold = &f->def.hold[i];
        const double *u = f->now.u + 2 * node;
        double speed = fmax(hold->x ? fabs(u[0]) : 0, hold->y ? fabs(u[1]) : 0);
        if (hold->sides == side->group && speed > least)
          most = fmax(most, speed);
      }
    }
  }
  return most;
}

// Faces that the water could not meet.
static pc_status check_faces(const pc_fe_flow *f, pc_error *error)
{
  double depth, at[2], width, spacing;
  if (pc_fe_flow_find_averted(f) >= 0)
    return pc_fail(error, PC_ERROR_ARGUMENT, "a face is not above a free surface");
  if (pc_fe_flow_find_sunk(f, &depth, at) >= 0)
    return pc_fail(error, PC_ERROR_ARGUMENT,
                   "a face starts %g m below the surface of the fluid at (%g, %g)", depth, at[0],
                   at[1]);
  if (pc_fe_flow_find_narrow(f, &width, &spacing) >= 0)
    return pc_fail(error, PC_ERROR_ARGUMENT,
                   "a face of %g m can pass between nodes of the surface, which are %g m apart; "
                   "refine the surface",
                   width, spacing);
  return PC_OK;
}

pc_status pc_flow_begin(pc_fe_flow *f, pc_error *error)
{
  double fastest = 0;
  pc_status checked = check_faces(f, error);
  if (checked != PC_OK)
    return checked;
  for (int i = 0; i < f->numbers; i++)
    fastest = fmax(fastest, fabs(f->now.u[i]));
  if (!(fastest > 0))
    return PC_OK;
  size_t marks = (size_t)f->def.contacts * (size_t)f->mesh.nodes;
  pc_flow_is_open(f);
  double by_bodies = mark_struck(f), by_walls = mark_walls(f, NEAR_ZERO * fastest);
  bool strikes = by_walls > 0; // else bodies strike when the step finds them
  if (!strikes && marks > 0)
    memset(f->struck, 0, marks);
  pc_status status =
      collide(f, strikes ? PC_FLOW_STRIKE : PC_FLOW_PROJECT, fmax(by_bodies, by_walls), error);
  if (marks > 0)
    memset(f->struck, 0, marks);
  return status;
}

pc_status pc_flow_meet(pc_fe_flow *f, bool settle, pc_error *error)
{
  size_t marks = (size_t)f->def.contacts * (size_t)f->mesh.nodes;
  double speed = mark_struck(f);
  bool rests = settle || speed <= f->tally.rest;
  if (!rests) {
    pc_status status = collide(f, PC_FLOW_STRIKE, speed, error);
    memset(f->struck, 0, marks);
    return status;
  }
  memcpy(f->struck, f->hits, marks);
  pc_status status = add_events(f, false, error);
  for (int i = 0; i < f->def.contacts; i++)
    for (int k = 0; k < f->spines; k++) {
      size_t at = pc_flow_mark(f, i, f->spine[k].node);
      f->closed[at] |= f->struck[at];
      f->touch[i].closed += f->struck[at];
    }
  memset(f->struck, 0, marks);
  return status;
}

void pc_flow_read_contacts(pc_fe_flow *f)
{
  read_touches(f, QUIET * f->tally.rest, f->events.count);
  // Nodes that the face has passed.
  for (int i = 0; i < f->def.contacts; i++) {
    if (f->def.contact[i].body < 0 || f->touch[i].closed == 0)
      continue;
    pc_flow_face now = pc_flow_face_of(f, i, (const double(*)[3])f->now.place);
    for (int k = 0; k < f->spines; k++) {
      size_t at = pc_flow_mark(f, i, f->spine[k].node);
      if (f->closed[at] && !pc_flow_face_covers(&now, f->x0[f->spine[k].node])) {
        f->closed[at] = 0;
        f->touch[i].closed--;
        if (f->touch[i].closed == 0)
          f->touch[i].left = pc_flow_time(f);
      }
    }
  }
  pc_flow_keep_contacts(f);
}
