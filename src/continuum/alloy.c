#include "continuum/alloy.h"

#include <math.h>
#include <string.h>

#include "continuum/thermal_state.h"
#include "core/error.h"

enum { ITERATIONS = 200, SLOW = 12 };
static const double TOLERANCE = 1e-10;
static const double ROUND = 0.01; // of T_c

// tau, its slope, T dtau/dT - tau. The corner at T_c is rounded off; energy and entropy would jump
// there otherwise.
typedef struct orientation {
  double tau, slope, stored;
} orientation;

static orientation orientation_at(const pc_fe_alloy *a, double t)
{
  double width = ROUND * a->critical, over = a->critical + width - t;
  if (over <= 0)
    return (orientation){0};
  orientation o = {(t - a->critical) * a->slope, a->slope, a->critical * a->slope};
  if (over < 2 * width) {
    o.tau = -over * over / (4 * width) * a->slope;
    o.slope = over / (2 * width) * a->slope;
    o.stored = t * o.slope - o.tau;
  }
  return o;
}

// d = b_1 - b_2.
static double turn_of(const double fraction[PC_FE_FRACTIONS])
{
  return fraction[0] - fraction[1];
}

static pc_status check(const pc_fe_alloy_def *def, pc_error *error)
{
  const pc_fe_alloy_medium *sloped = NULL;
  for (int i = 0; i < def->media; i++) {
    const pc_fe_alloy_medium *m = &def->medium[i];
    if (m->slope == 0)
      continue;
    if (sloped != NULL && (sloped->slope != m->slope || sloped->critical != m->critical))
      return pc_fail(error, PC_ERROR_ARGUMENT,
                     "all alloys of a motion must have the same tau, but that of medium %d differs",
                     i);
    sloped = m;
  }
  return PC_OK;
}

// The thermal problem of a step of h: rates times h; and the dilations of groups with a slope.
static pc_status make_thermal(pc_fe_alloy *a, const pc_fe_alloy_def *def, const pc_fe_mesh *mesh,
                              double h, pc_error *error)
{
  pc_fe_thermal_medium *medium = pc_arena_take(&a->arena, (size_t)def->media, sizeof *medium);
  pc_fe_thermal_side *side = pc_arena_take(&a->arena, (size_t)def->surfaces, sizeof *side);
  bool *group = pc_arena_take(&a->arena, (size_t)mesh->groups, sizeof *group);
  if (a->arena.failed)
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory for an alloy");
  for (int i = 0; i < def->media; i++) {
    const pc_fe_alloy_medium *m = &def->medium[i];
    medium[i] = m->heat;
    medium[i].conduct *= h;
    medium[i].resist /= h;
    medium[i].spread_change /= h;
    medium[i].exchange *= h;
    medium[i].diffuse = 0; // in collisions alone
    if (m->slope < 0) {
      a->slope = m->slope;
      a->critical = m->critical;
    }
  }
  for (int i = 0; i < def->surfaces; i++) {
    side[i] = def->side[i];
    side[i].exchange *= h;
  }
  a->thermal_def = (pc_fe_thermal_def){.mesh = mesh,
                                       .media = def->media,
                                       .medium = medium,
                                       .surfaces = def->surfaces,
                                       .side = side,
                                       .weight = 1};
  a->thermal = pc_fe_thermal_create(&a->thermal_def, error);
  if (a->thermal == NULL)
    return error != NULL ? error->status : PC_ERROR_ARGUMENT;
  for (int i = 0; i < def->media; i++) // its groups are checked now
    group[def->medium[i].heat.group] = def->medium[i].slope < 0;
  return pc_fe_dilation_create(&a->dilation, mesh, group, error);
}

static void make_vectors(pc_fe_alloy *a)
{
  size_t nodes = (size_t)a->nodes;
  double **vector[] = {&a->temperature, &a->dilated, &a->temperature1, &a->dilated1,
                       &a->heat,        &a->stress,  &a->volume,       &a->blow};
  double(**triple[])[PC_FE_FRACTIONS] = {&a->fraction, &a->fraction1, &a->drive};
  for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
    *vector[i] = pc_arena_take(&a->arena, nodes, sizeof **vector[i]);
  for (size_t i = 0; i < sizeof triple / sizeof *triple; i++)
    *triple[i] = pc_arena_take(&a->arena, nodes, sizeof **triple[i]);
}

pc_status pc_fe_alloy_create(pc_fe_alloy *a, const pc_fe_alloy_def *def, const pc_fe_mesh *mesh,
                             double step, pc_error *error)
{
  memset(a, 0, sizeof *a);
  pc_status status = check(def, error);
  if (status != PC_OK)
    return status;
  a->nodes = mesh->nodes;
  a->tolerance = def->tolerance > 0 ? def->tolerance : TOLERANCE;
  make_vectors(a);
  status = make_thermal(a, def, mesh, step, error);
  for (int i = 0; status == PC_OK && i < a->thermal->rows; i++)
    if (a->thermal->row[i].size == 3)
      a->whole += a->volume[a->thermal->row[i].node] = a->thermal->row[i].volume;
  return status;
}

void pc_fe_alloy_free(pc_fe_alloy *a)
{
  pc_fe_thermal_destroy(a->thermal);
  pc_fe_thermal_destroy(a->pushed);
  pc_fe_dilation_free(&a->dilation);
  pc_arena_free(&a->arena);
  memset(a, 0, sizeof *a);
}

void pc_fe_alloy_set(pc_fe_alloy *a, const double *displacement, const pc_fe_thermal_state *state)
{
  size_t nodes = (size_t)a->nodes;
  memset(a->temperature, 0, nodes * sizeof *a->temperature);
  memset(a->fraction, 0, nodes * sizeof *a->fraction);
  if (state != NULL)
    memcpy(a->temperature, state->temperature, nodes * sizeof *a->temperature);
  if (state != NULL && state->fraction != NULL)
    memcpy(a->fraction, state->fraction, nodes * sizeof *a->fraction);
  pc_fe_dilation_of(&a->dilation, displacement, a->dilated);
  memset(&a->account, 0, sizeof a->account);
}

// Of the step that is made.
static pc_fe_thermal *thermal_of(const pc_fe_alloy *a)
{
  return a->pushed != NULL ? a->pushed : a->thermal;
}

static void end_push(pc_fe_alloy *a)
{
  pc_fe_thermal_destroy(a->pushed);
  a->pushed = NULL;
  memset(a->blow, 0, (size_t)a->nodes * sizeof *a->blow);
}

pc_status pc_fe_alloy_push(pc_fe_alloy *a, int pushes, const pc_fe_push *push,
                           const double *dissipated, pc_error *error)
{
  end_push(a);
  pc_fe_thermal_def def = a->thermal_def;
  def.pushes = pushes;
  def.push = push;
  a->pushed = pc_fe_thermal_create(&def, error);
  memcpy(a->blow, dissipated, (size_t)a->nodes * sizeof *a->blow);
  return a->pushed != NULL ? PC_OK : error != NULL ? error->status : PC_ERROR_MEMORY;
}

void pc_fe_alloy_begin(pc_fe_alloy *a)
{
  memcpy(a->temperature1, a->temperature, (size_t)a->nodes * sizeof *a->temperature1);
  memcpy(a->fraction1, a->fraction, (size_t)a->nodes * sizeof *a->fraction1);
  a->turn = 0;
  a->change = INFINITY;
  a->part = 1;
}

// The stress is d tau(T1), with d before the step.
void pc_fe_alloy_add_force(pc_fe_alloy *a, double *force)
{
  for (int i = 0; i < a->nodes; i++)
    a->stress[i] = turn_of(a->fraction[i]) * orientation_at(a, a->temperature1[i]).tau;
  pc_fe_dilation_force(&a->dilation, a->stress, force);
}

// Drive, and the heat that closes the energy, for the iterate.
static void load_heat(pc_fe_alloy *a)
{
  for (int i = 0; i < a->nodes; i++) {
    orientation was = orientation_at(a, a->temperature[i]);
    orientation is = orientation_at(a, a->temperature1[i]);
    double tau = is.tau, e = a->dilated1[i], before = a->dilated[i];
    double d = turn_of(a->fraction1[i]), d_before = turn_of(a->fraction[i]);
    double pull = a->volume[i] > 0 ? tau * e / a->volume[i] : 0;
    a->drive[i][0] = pull;
    a->drive[i][1] = -pull;
    double stored = d * is.stored * e - d_before * was.stored * before;
    a->heat[i] = -d_before * tau * (e - before) - stored - tau * e * (d - d_before) + a->blow[i];
  }
}

// How much of a change of temperature to take: near T_c the heat of phases adds to the capacity.
static double damping_of(const pc_fe_alloy *a, int node, int row)
{
  double rounded = ROUND * a->critical, away = fabs(a->temperature1[node] - a->critical);
  if (row < 0 || !(away < 2 * rounded))
    return 1;
  double more = turn_of(a->fraction1[node]) * a->dilated1[node] * -a->slope * a->critical /
                (2 * rounded * a->thermal->point[row].capacity);
  return 1 / (1 + fmax(0, more));
}

// Moves the iterate by a part of the distance to the last solution. Gives the largest distance.
static double approach(pc_fe_alloy *a, const pc_fe_thermal_state *after, double part)
{
  double change = 0;
  for (int i = 0; i < a->nodes; i++) {
    double t = after->temperature[i], damping = damping_of(a, i, a->thermal->row_of[i]);
    change = fmax(change, fabs(t - a->temperature1[i]) / t);
    a->temperature1[i] += part * damping * (t - a->temperature1[i]);
    for (int k = 0; k < PC_FE_FRACTIONS; k++) {
      double move = after->fraction[i][k] - a->fraction1[i][k];
      change = fmax(change, fabs(move));
      a->fraction1[i][k] += part * move;
    }
  }
  return change;
}

pc_status pc_fe_alloy_update(pc_fe_alloy *a, const double *displacement, bool *settled,
                             pc_error *error)
{
  const pc_fe_thermal_state before = {a->temperature, a->fraction};
  const pc_fe_thermal_data data = {.heat = a->heat,
                                   .drive = (const double(*)[PC_FE_FRACTIONS])a->drive};
  pc_fe_dilation_of(&a->dilation, displacement, a->dilated1);
  load_heat(a);
  if (a->turn > 0)
    pc_thermal_again(thermal_of(a));
  pc_status status = pc_fe_thermal_solve(thermal_of(a), &before, &data, &a->answer, error);
  if (status != PC_OK)
    return status;
  double last = a->change;
  a->change = approach(a, &a->answer.after, a->part);
  if (a->turn >= SLOW) // it may oscillate
    a->part = a->change > last ? fmax(a->part / 2, 1.0 / 32) : fmin(1.2 * a->part, 1);
  a->turn++;
  *settled = a->turn >= ITERATIONS || !(a->change > a->tolerance);
  return PC_OK;
}

bool pc_fe_alloy_is_solved(const pc_fe_alloy *a)
{
  return a->change <= a->tolerance && a->answer.solved;
}

// Work of pushes on the phases: that of `drive` less what strains give.
static double work_of_pushes(const pc_fe_alloy *a)
{
  double work = a->answer.account.drive;
  for (int i = 0; i < a->nodes; i++)
    for (int k = 0; k < PC_FE_FRACTIONS; k++)
      work -= a->volume[i] * a->drive[i][k] * (a->answer.after.fraction[i][k] - a->fraction[i][k]);
  return work;
}

// The last thermal solution is the state after the step.
void pc_fe_alloy_accept(pc_fe_alloy *a)
{
  const pc_fe_thermal_account *t = &a->answer.account;
  const pc_fe_thermal_state *after = &a->answer.after;
  pc_fe_alloy_account *account = &a->account;
  double entropy = t->entropy_after - t->entropy_before, moved = 0;
  for (int i = 0; i < a->nodes; i++) {
    double d_e = turn_of(after->fraction[i]) * a->dilated1[i];
    double d_e_before = turn_of(a->fraction[i]) * a->dilated[i];
    entropy += orientation_at(a, after->temperature[i]).slope * d_e -
               orientation_at(a, a->temperature[i]).slope * d_e_before;
    moved += fabs(a->heat[i]);
  }
  account->heat += t->energy_after - t->energy_before;
  double work = a->pushed != NULL ? work_of_pushes(a) : 0;
  account->received += t->received + work;
  account->moved += moved + fabs(t->received) + fabs(work);
  account->entropy += entropy;
  account->entropy_received += t->entropy_received;
  account->produced = account->entropy - account->entropy_received;
  account->least = fmin(account->least, entropy - t->entropy_received);
  account->iterations = a->turn;
  size_t nodes = (size_t)a->nodes;
  memcpy(a->temperature, after->temperature, nodes * sizeof *a->temperature);
  memcpy(a->fraction, after->fraction, nodes * sizeof *a->fraction);
  memcpy(a->dilated, a->dilated1, nodes * sizeof *a->dilated);
  if (a->pushed != NULL)
    end_push(a);
}

double pc_fe_alloy_coupled_energy(const pc_fe_alloy *a)
{
  double sum = 0;
  for (int i = 0; i < a->nodes; i++)
    sum += turn_of(a->fraction[i]) * orientation_at(a, a->temperature[i]).stored * a->dilated[i];
  return sum;
}
