// A part of a step of a flow: one implicit midpoint rule, found by iteration. The collision of a
// try is renewed for every geometry; loads that depend on U1 are iterated with its factors.
//
// The weight of what a wave lifts in the step acts on the free surface like a viscosity of
// h^2/4 rho g, as elasticity does in a solid. It is part of the matrix, and what it does is taken
// off the load again, so that the iteration converges for short waves too and its answer is that of
// the load alone.
#include <math.h>
#include <string.h>

#include "continuum/flow_state.h"
#include "core/elementary.h"
#include "core/error.h"

enum { TURNS = 30, LOADS = 12 };
static const double SETTLED = 1e-12; // of the speeds: a change that is none
static const double ENOUGH = 1e-10;  // and one that is accepted when round-off allows no less
static const double PART = 1e-2;     // of the first change of a turn: the last one
static const double OVERHANG = 0.02; // cosine between a spine and its normal, at least

typedef struct force_work {
  const pc_fe_flow *f;
  double time;
} force_work;

static void force_at(void *context, const double x[3], double *value)
{
  const force_work *work = context;
  work->f->def.force(work->f->def.context, x, work->time, value);
}

static pc_status fail_folded(const pc_fe_flow *f, const double x[2], pc_error *error)
{
  return pc_fail(
      error, PC_ERROR_NUMERIC,
      "at %g s the surface of the fluid folds or overhangs at (%.4g, %.4g): breaking waves, jets "
      "and drops cannot be computed; use a weaker impact, larger elements or more viscosity",
      pc_flow_time(f), x[0], x[1]);
}

// The mesh and the bodies in the middle of the step, the mesh's velocity, and the weight, from the
// heights and places at the end.
static pc_status shape_mesh(pc_fe_flow *f, double h, pc_error *error)
{
  pc_status status = pc_flow_place(f, f->next.height, f->x1, error);
  if (status != PC_OK)
    return status;
  for (int i = 0; i < f->mesh.nodes; i++)
    for (int k = 0; k < 2; k++) {
      f->x[i][k] = (f->x0[i][k] + f->x1[i][k]) / 2;
      f->w[i][k] = (f->x1[i][k] - f->x0[i][k]) / h;
    }
  pc_flow_normals(f, (const double(*)[3])f->x, f->normal);
  for (int i = 0; i < f->spines; i++) {
    const double *n = f->normal[i], *d = f->spine[i].direction;
    if (!(n[0] * d[0] + n[1] * d[1] > OVERHANG * pc_hypot(n[0], n[1])))
      return fail_folded(f, f->x[f->spine[i].node], error);
  }
  for (int b = 0; b < f->def.bodies; b++)
    for (int k = 0; k < 3; k++)
      f->middle[b][k] = (f->now.place[b][k] + f->next.place[b][k]) / 2;
  pc_flow_find_carries(f);
  if (!isfinite(pc_flow_courant(f, h)))
    return fail_folded(f, f->x[f->spines > 0 ? f->spine[0].node : 0], error);
  // The mean over the step is exact for a cubic energy by Simpson's rule.
  memset(f->gradient, 0, (size_t)f->spines * sizeof *f->gradient);
  double(*const mesh[])[3] = {f->x0, f->x, f->x1};
  for (int k = 0; k < 3; k++) {
    pc_flow_potential_slope(f, (const double(*)[3])mesh[k], f->slope);
    for (int i = 0; i < f->spines; i++)
      f->gradient[i] += (k == 1 ? 4 : 1) / 6. * f->slope[i];
  }
  return PC_OK;
}

static void take_means(pc_fe_flow *f)
{
  for (int i = 0; i < f->numbers; i++) {
    f->mean[i] = (f->now.u[i] + f->next.u[i]) / 2;
    f->change[i] = f->next.u[i] - f->now.u[i];
  }
}

static void make_load(pc_fe_flow *f, double h)
{
  memset(f->load, 0, (size_t)f->numbers * sizeof *f->load);
  memset(f->forced, 0, (size_t)f->numbers * sizeof *f->forced);
  pc_flow_add_weight(f, h, f->load);
  pc_flow_press_walls(f, (const double(*)[3])f->x, h, f->load);
  pc_flow_transport(f, h, f->load);
  pc_flow_add_spring(f, (const double(*)[3])f->x, 2 * pc_flow_spring(f, h), f->mean, f->load);
  if (f->def.force != NULL) {
    force_work work = {f, pc_flow_time(f) + h / 2};
    pc_fe_add_load(&f->grid.space, &f->mesh.body, -1, force_at, &work, f->forced);
    for (int i = 0; i < f->numbers; i++)
      f->load[i] += f->forced[i] *= h;
  }
  for (int b = 0; b < f->def.bodies; b++)
    for (int k = 0; k < 2; k++)
      f->body_load[b][k] = h * f->def.body[b].mass * f->def.gravity[k];
}

static double largest_speed(const pc_fe_flow *f, double h)
{
  double most = h * pc_hypot(f->def.gravity[0], f->def.gravity[1]);
  for (int i = 0; i < f->numbers; i++)
    most = fmax(most, fmax(fabs(f->now.u[i]), fabs(f->next.u[i])));
  for (int b = 0; b < f->def.bodies; b++)
    for (int k = 0; k < 2; k++)
      most = fmax(most, fabs(f->now.body[b][k]));
  return most > 0 ? most : 1;
}

// Heights and bodies at the end.
static void move_surface(pc_fe_flow *f, double h)
{
  if (f->spines > 0)
    memcpy(f->next.height, f->now.height, (size_t)f->spines * sizeof *f->next.height);
  pc_flow_rise(f, h, f->next.height);
  for (int b = 0; b < f->def.bodies; b++)
    for (int k = 0; k < 3; k++)
      f->next.place[b][k] = f->now.place[b][k] + h / 2 * (f->now.body[b][k] + f->next.body[b][k]);
}

// U1 from the loads of the last one; returns through `change` how much it changes.
static pc_status solve_once(pc_fe_flow *f, double h, double *change, pc_error *error)
{
  make_load(f, h);
  pc_status status = pc_fe_collision_solve(
      f->collision, f->now.u, (const double(*)[PC_FE_BODY])f->now.body, &f->answer, error);
  if (status != PC_OK)
    return status;
  *change = 0;
  for (int i = 0; i < f->numbers; i++) {
    *change = fmax(*change, fabs(f->answer.velocity[i] - f->next.u[i]));
    f->next.u[i] = f->answer.velocity[i];
  }
  for (int b = 0; b < f->def.bodies; b++)
    for (int k = 0; k < 3; k++) {
      if (k < 2)
        *change = fmax(*change, fabs(f->answer.body[b][k] - f->next.body[b][k]));
      f->next.body[b][k] = f->answer.body[b][k];
    }
  take_means(f);
  move_surface(f, h);
  return PC_OK;
}

// With the matrices of the mesh as it is now: loads, U1 and heights until they stay, to a part of
// what the new matrices changed. `change` gets that.
static pc_status solve_turn(pc_fe_flow *f, double h, double speed, double *change, pc_error *error)
{
  pc_status status = pc_flow_collision(f, PC_FLOW_STEP, h, (const double(*)[3])f->x,
                                       (const double(*)[3])f->middle, error);
  if (status == PC_OK)
    status = solve_once(f, h, change, error);
  double now = *change;
  for (int i = 1; i < LOADS && status == PC_OK; i++) {
    if (now <= fmax(SETTLED * speed, PART * *change))
      break;
    status = shape_mesh(f, h, error);
    if (status == PC_OK)
      status = solve_once(f, h, &now, error);
  }
  return status;
}

static void guess_next(pc_fe_flow *f, double h)
{
  for (int i = 0; i < f->numbers; i++)
    f->next.u[i] = f->now.u[i] + h * f->rate[i];
  for (int i = 0; i < f->spines; i++)
    f->next.height[i] = f->now.height[i] + h * f->climb[i];
  for (int b = 0; b < f->def.bodies; b++)
    for (int k = 0; k < 3; k++) {
      f->next.body[b][k] = f->now.body[b][k];
      f->next.place[b][k] = f->now.place[b][k] + h * f->now.body[b][k];
    }
}

pc_status pc_flow_try(pc_fe_flow *f, double h, bool *settled, pc_error *error)
{
  double last = INFINITY;
  guess_next(f, h);
  take_means(f);
  *settled = false;
  for (int turn = 0; turn < TURNS && !*settled; turn++) {
    double change = 0, speed = largest_speed(f, h);
    pc_status status = shape_mesh(f, h, error);
    if (status == PC_OK)
      status = solve_turn(f, h, speed, &change, error);
    if (status != PC_OK)
      return status;
    // The next turn would change as much less again.
    double next = turn > 0 && change < last ? change * (change / last) : change;
    *settled = next <= SETTLED * speed || (change <= ENOUGH * speed && change > last / 2);
    f->tally.iterations = turn + 1;
    if (turn > 3 && !(change < last))
      break;
    last = change;
  }
  return PC_OK;
}
