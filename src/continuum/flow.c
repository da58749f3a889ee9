// Time steps of a flow, and its observable state.
#include "continuum/flow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "continuum/flow_state.h"
#include "core/elementary.h"
#include "core/error.h"

enum {
  MEETINGS = 1000,    // at one time; then nodes come to rest
  MOST_EVENTS = 10000 // in a step
};
static const double IDENTITY = 1e-9;
// Potential energies are differences of large numbers: this part of weight times size has round-off
// of the same size as an identity of 1e-9.
static const double CANCELS = 1e-6;

static pc_fe_flow_energy energy_of(const pc_fe_flow *f)
{
  pc_fe_flow_energy e = {.fluid = pc_flow_kinetic(f, (const double(*)[3])f->x0, f->now.u),
                         .gravity = pc_flow_potential(f, (const double(*)[3])f->x0)};
  for (int b = 0; b < f->def.bodies; b++) {
    const pc_fe_body *body = &f->def.body[b];
    const double *v = f->now.body[b], *x = f->now.place[b], *g = f->def.gravity;
    e.bodies += (body->mass * (v[0] * v[0] + v[1] * v[1]) + body->inertia * v[2] * v[2]) / 2;
    e.gravity -= body->mass * (g[0] * x[0] + g[1] * x[1]);
  }
  return e;
}

// What the drag of contacts took in a step. The surface that gravity lets sink takes nothing.
static double drag_of(const pc_fe_flow *f)
{
  double sum = 0;
  for (int k = 0; k < f->answer.touches; k++) {
    const pc_fe_touch *t = &f->answer.touch[k];
    for (int c = 0; f->contact_of[t->contact] >= 0 && c < 2; c++)
      sum += (t->percussion[c] - (c == 0 ? t->reaction : 0)) * (t->before[c] + t->after[c]) / 2;
  }
  return sum;
}

static void accept_step(pc_fe_flow *f, int level)
{
  double h = ldexp(f->def.step, -level);
  const pc_fe_account *a = &f->answer.account;
  pc_fe_flow_account *sum = &f->tally.account;
  sum->viscous += a->volume;
  sum->drag += drag_of(f);
  sum->rest += a->reactions + a->pressures;
  sum->holds += a->work_holds;
  sum->mesh += pc_flow_mesh_energy(f, h);
  for (int i = 0; i < f->numbers; i++)
    sum->force += f->forced[i] * f->mean[i];
  sum->unsolved += !f->answer.solved;
  f->tally.courant = fmax(f->tally.courant, pc_flow_courant(f, h));
  for (int i = 0; i < f->numbers; i++) {
    f->rate[i] = f->change[i] / h;
    f->now.u[i] = f->next.u[i];
  }
  for (int i = 0; i < f->spines; i++) {
    f->climb[i] = (f->next.height[i] - f->now.height[i]) / h;
    f->now.height[i] = f->next.height[i];
  }
  for (int b = 0; b < f->def.bodies; b++) {
    memcpy(f->now.place[b], f->next.place[b], sizeof f->now.place[b]);
    memcpy(f->now.body[b], f->next.body[b], sizeof f->now.body[b]);
  }
  // What the fluid's weight adds to the pressure is not among the unknowns.
  for (int i = 0; i < f->mesh.nodes; i++)
    f->pressure[i] = f->answer.pressure[i] / h - f->weight * pc_flow_altitude(f, f->x[i]);
  f->tally.part += 1L << (f->def.halvings - level);
}

// The mesh of the accepted heights; it must be one to one.
static pc_status settle_mesh(pc_fe_flow *f, pc_error *error)
{
  pc_status status = pc_flow_place(f, f->now.height, f->x0, error);
  if (status != PC_OK)
    return status;
  memcpy(f->mesh.node, f->x0, (size_t)f->mesh.nodes * sizeof *f->x0);
  pc_error folded = {0};
  status = pc_fe_mesh_check(&f->mesh, &folded);
  if (status == PC_ERROR_MEMORY)
    return pc_fail(error, status, "%s", folded.text);
  if (status != PC_OK)
    return pc_fail(error, PC_ERROR_NUMERIC,
                   "at %g s the mesh folds (%s): breaking waves, jets and drops cannot be "
                   "computed; use a weaker impact, larger elements or more viscosity",
                   pc_flow_time(f), folded.text);
  return PC_OK;
}

// A step of step / 2^level: as one if it converges and no body hits the water, else as two halves;
// the shortest one with the collisions that are in its way.
static pc_status go(pc_fe_flow *f, int level, pc_error *error)
{
  for (int meetings = 0;; meetings++) {
    bool settled = true, open = pc_flow_is_open(f);
    pc_status status = PC_OK;
    if (open) {
      status = pc_flow_try(f, ldexp(f->def.step, -level), &settled, error);
      if (status != PC_OK)
        return status;
      if (settled && pc_flow_is_clear(f)) {
        accept_step(f, level);
        status = settle_mesh(f, error);
        if (status == PC_OK)
          pc_flow_read_contacts(f);
        return status;
      }
      if (level < f->def.halvings) {
        status = go(f, level + 1, error);
        return status == PC_OK ? go(f, level + 1, error) : status;
      }
      if (!settled)
        return pc_fail(
            error, PC_ERROR_NUMERIC,
            "at %g s a step of %g s does not converge; use a shorter 'step' or larger elements",
            pc_flow_time(f), ldexp(f->def.step, -level));
    }
    status = pc_flow_meet(f, meetings >= MEETINGS, error);
    if (status == PC_OK && f->events.count - f->events_before > MOST_EVENTS)
      status = pc_fail(error, PC_ERROR_NUMERIC,
                       "more than %d collisions in a step; increase 'rest' or use a shorter 'step'",
                       MOST_EVENTS);
    if (status != PC_OK)
      return status;
  }
}

pc_status pc_fe_flow_advance(pc_fe_flow *f, pc_error *error)
{
  f->events_before = f->events.count;
  pc_status status = f->tally.steps == 0 ? pc_flow_begin(f, error) : PC_OK;
  if (status == PC_OK)
    status = go(f, 0, error);
  if (status != PC_OK)
    return status;
  f->tally.steps++;
  f->tally.part = 0;
  return PC_OK;
}

pc_status pc_fe_flow_set(pc_fe_flow *f, const double *velocity, const double *height,
                         const double (*body)[PC_FE_BODY], pc_error *error)
{
  size_t bytes = (size_t)f->numbers * sizeof *f->now.u, nodes = (size_t)f->mesh.nodes;
  memset(f->now.u, 0, bytes);
  memset(f->rate, 0, bytes);
  memset(f->climb, 0, (size_t)f->spines * sizeof *f->climb);
  memset(f->pressure, 0, nodes * sizeof *f->pressure);
  memset(f->closed, 0, (size_t)f->def.contacts * nodes);
  pc_flow_keep_contacts(f);
  memset(f->touch, 0, (size_t)f->def.contacts * sizeof *f->touch);
  if (velocity != NULL)
    memcpy(f->now.u, velocity, bytes);
  for (int i = 0; i < f->spines; i++)
    f->now.height[i] = height != NULL ? height[f->spine[i].node] : 0;
  double fastest = 0;
  for (int i = 0; i < f->numbers; i++) {
    if (!isfinite(f->now.u[i]))
      return pc_fail(error, PC_ERROR_ARGUMENT, "the velocity of node %d is not finite", i / 2);
    fastest = fmax(fastest, fabs(f->now.u[i]));
  }
  for (int b = 0; b < f->def.bodies; b++)
    for (int k = 0; k < 3; k++) {
      f->now.place[b][k] = k < 2 ? f->def.body[b].centre[k] : 0;
      f->now.body[b][k] = body != NULL ? body[b][k] : 0;
      fastest = k < 2 ? fmax(fastest, fabs(f->now.body[b][k])) : fastest;
    }
  for (int i = 0; i < f->def.contacts; i++)
    f->touch[i].left = -1;
  memset(&f->tally, 0, sizeof f->tally);
  f->events.count = 0;
  double gravity = pc_hypot(f->def.gravity[0], f->def.gravity[1]);
  f->tally.rest = f->def.rest > 0 ? f->def.rest : fmax(1e-3 * fastest, gravity * f->def.step);
  pc_status status = settle_mesh(f, error);
  if (status == PC_OK)
    f->tally.account.start = energy_of(f);
  return status;
}

pc_fe_flow *pc_fe_flow_create(const pc_fe_flow_def *def, pc_error *error)
{
  pc_fe_flow *f = calloc(1, sizeof *f);
  if (f == NULL) {
    pc_fail(error, PC_ERROR_MEMORY, "not enough memory for a flow");
    return NULL;
  }
  if (pc_flow_make(f, def, error) == PC_OK && pc_fe_flow_set(f, NULL, NULL, NULL, error) == PC_OK)
    return f;
  pc_fe_flow_destroy(f);
  return NULL;
}

void pc_fe_flow_destroy(pc_fe_flow *f)
{
  if (f != NULL)
    pc_flow_free(f);
  free(f);
}

pc_fe_flow_state pc_fe_flow_look(const pc_fe_flow *f)
{
  pc_fe_flow_state s = {.time = pc_flow_time(f),
                        .steps = f->tally.steps,
                        .displacement = f->displacement,
                        .velocity = f->now.u,
                        .pressure = f->pressure,
                        .place = (const double(*)[3])f->now.place,
                        .body = (const double(*)[PC_FE_BODY])f->now.body,
                        .touch = f->touch,
                        .events = f->events.count,
                        .event = f->events.at,
                        .volume = pc_flow_volume(f, (const double(*)[3])f->x0),
                        .low = INFINITY,
                        .high = -INFINITY,
                        .courant = f->tally.courant,
                        .iterations = f->tally.iterations,
                        .surface = f->spines > 0};
  for (int i = 0; i < f->mesh.nodes; i++)
    for (int k = 0; k < 2; k++)
      f->displacement[2 * i + k] = f->x0[i][k] - f->start[i][k];
  for (int i = 0; i < f->spines; i++) {
    const double *x = f->x0[f->spine[i].node];
    double high = f->up[0] * x[0] + f->up[1] * x[1];
    s.low = fmin(s.low, high);
    s.high = fmax(s.high, high);
  }
  return s;
}

pc_fe_flow_account pc_fe_flow_balance(const pc_fe_flow *f)
{
  pc_fe_flow_account a = f->tally.account;
  a.now = energy_of(f);
  double lost = a.viscous + a.drag + a.volume + a.surface + a.reactions + a.rest;
  double fall = a.now.gravity - a.start.gravity;
  double left = a.now.fluid + a.now.bodies - a.start.fluid - a.start.bodies + fall + lost - a.mesh -
                a.force - a.holds;
  a.size = a.now.fluid + a.now.bodies + a.start.fluid + a.start.bodies + fabs(fall) + fabs(lost) +
           fabs(a.force) + fabs(a.holds) +
           CANCELS * f->weight * f->size * fabs(pc_flow_volume(f, (const double(*)[3])f->x0));
  a.identity = a.size > 0 ? fabs(left) / a.size : 0;
  a.closed = a.identity <= IDENTITY && a.unsolved == 0;
  return a;
}
