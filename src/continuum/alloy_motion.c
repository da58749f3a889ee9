#include "continuum/alloy_motion.h"

#include <math.h>
#include <string.h>

#include "continuum/alloy_state.h"
#include "core/error.h"

enum { ITERATIONS = 200, SLOW = 12 };
static const double TOLERANCE = 1e-10;
static const double IDENTITY = 1e-8;
static const double ROUND = 0.01; // of T_c

// tau, its slope, T dtau/dT - tau. The corner at T_c is rounded off, for energy and entropy jump
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

// --- stepping -----------------------------------------------------------------------------------

static double turn_of(const double fraction[3])
{
  return fraction[0] - fraction[1];
}

// U1 and u1 with the stress d tau(T1) of the iteration.
static pc_status move(pc_fe_alloy *a, pc_error *error)
{
  double h = a->def.step;
  for (int i = 0; i < a->def.mesh->nodes; i++)
    a->stress[i] = turn_of(a->fraction[i]) * orientation_at(a, a->warm[i]).tau;
  pc_fe_elastic_force(&a->elastic, a->u, a->load);
  pc_fe_dilation_force(&a->dilation, 1, a->stress, a->load);
  for (int i = 0; i < a->numbers; i++)
    a->load[i] *= h;
  pc_fe_answer answer;
  pc_status status = pc_fe_collision_solve(a->step, a->v, NULL, &answer, error);
  if (status != PC_OK)
    return status;
  memcpy(a->v1, answer.velocity, (size_t)a->numbers * sizeof *a->v1);
  for (int i = 0; i < a->numbers; i++)
    a->u1[i] = a->u[i] + h / 2 * (a->v[i] + a->v1[i]);
  pc_fe_dilation_of(&a->dilation, a->u1, a->dilated1);
  return PC_OK;
}

// Drive, and the heat that closes the energy, with the numbers of the iteration.
static void load_heat(pc_fe_alloy *a)
{
  for (int i = 0; i < a->def.mesh->nodes; i++) {
    orientation was = orientation_at(a, a->temperature[i]), is = orientation_at(a, a->warm[i]);
    double tau = is.tau, e = a->dilated1[i], before = a->dilated[i];
    double d = turn_of(a->turned[i]), d_before = turn_of(a->fraction[i]);
    double pull = a->volume[i] > 0 ? tau * e / a->volume[i] : 0;
    a->drive[i][0] = pull;
    a->drive[i][1] = -pull;
    double stored = d * is.stored * e - d_before * was.stored * before;
    a->heat[i] = -d_before * tau * (e - before) - stored - tau * e * (d - d_before);
  }
}

static void accept(pc_fe_alloy *a, const pc_fe_thermal_account *t)
{
  pc_fe_alloy_account *account = &a->now.account;
  double entropy = t->entropy_after - t->entropy_before, moved = 0;
  for (int i = 0; i < a->def.mesh->nodes; i++) {
    double after = turn_of(a->turned[i]) * a->dilated1[i];
    double before = turn_of(a->fraction[i]) * a->dilated[i];
    entropy += orientation_at(a, a->warm[i]).slope * after -
               orientation_at(a, a->temperature[i]).slope * before;
    moved += fabs(a->heat[i]);
  }
  account->now.heat += t->energy_after - t->energy_before;
  account->received += t->received;
  account->entropy += entropy;
  account->entropy_received += t->entropy_received;
  account->least = fmin(account->least, entropy - t->entropy_received);
  a->now.moved += moved + fabs(t->received);
  a->now.steps++;
  size_t nodes = (size_t)a->def.mesh->nodes;
  memcpy(a->u, a->u1, (size_t)a->numbers * sizeof *a->u);
  memcpy(a->v, a->v1, (size_t)a->numbers * sizeof *a->v);
  memcpy(a->temperature, a->warm, nodes * sizeof *a->warm);
  memcpy(a->fraction, a->turned, nodes * sizeof *a->turned);
  memcpy(a->dilated, a->dilated1, nodes * sizeof *a->dilated);
}

// How far a temperature may go in an iteration: near T_c its heat is that of a larger capacity.
static double reach_of(const pc_fe_alloy *a, int node, int row)
{
  double rounded = ROUND * a->critical, away = fabs(a->warm[node] - a->critical);
  if (row < 0 || !(away < 2 * rounded))
    return 1;
  double more = turn_of(a->turned[node]) * a->dilated1[node] * -a->slope * a->critical /
                (2 * rounded * a->thermal->point[row].capacity);
  return 1 / (1 + fmax(0, more));
}

// A part of the way to what the last solve says. Gives the largest distance to it.
static double iterate(pc_fe_alloy *a, const pc_fe_thermal_state *after, double part)
{
  double change = 0;
  for (int i = 0; i < a->def.mesh->nodes; i++) {
    double t = after->temperature[i], reach = reach_of(a, i, a->thermal->row_of[i]);
    change = fmax(change, fabs(t - a->warm[i]) / t);
    a->warm[i] += part * reach * (t - a->warm[i]);
    for (int k = 0; k < 3; k++) {
      double move = after->fraction[i][k] - a->turned[i][k];
      change = fmax(change, fabs(move));
      a->turned[i][k] += part * move;
    }
  }
  return change;
}

pc_status pc_fe_alloy_advance(pc_fe_alloy *a, pc_error *error)
{
  double tolerance = a->def.tolerance > 0 ? a->def.tolerance : TOLERANCE;
  int nodes = a->def.mesh->nodes;
  const pc_fe_thermal_state before = {a->temperature, a->fraction};
  const pc_fe_thermal_data data = {.heat = a->heat, .drive = (const double(*)[3])a->drive};
  memcpy(a->warm, a->temperature, (size_t)nodes * sizeof *a->warm);
  memcpy(a->turned, a->fraction, (size_t)nodes * sizeof *a->turned);
  pc_fe_thermal_answer answer;
  double change = INFINITY, part = 1;
  int turn = 0;
  for (; turn < ITERATIONS && change > tolerance; turn++) {
    pc_status status = move(a, error);
    if (status != PC_OK)
      return status;
    load_heat(a);
    if (turn > 0)
      pc_thermal_again(a->thermal);
    status = pc_fe_thermal_solve(a->thermal, &before, &data, &answer, error);
    if (status != PC_OK)
      return status;
    double last = change;
    change = iterate(a, &answer.after, part);
    if (turn >= SLOW) // it may go round and round
      part = change > last ? fmax(part / 2, 1.0 / 32) : fmin(1.2 * part, 1);
  }
  memcpy(a->warm, answer.after.temperature, (size_t)nodes * sizeof *a->warm);
  memcpy(a->turned, answer.after.fraction, (size_t)nodes * sizeof *a->turned);
  a->now.account.iterations = turn;
  a->now.account.unsolved += !(change <= tolerance && answer.solved);
  accept(a, &answer.account);
  return PC_OK;
}

pc_status pc_fe_alloy_set(pc_fe_alloy *a, const double *displacement, const double *velocity,
                          const pc_fe_thermal_state *state, pc_error *error)
{
  size_t bytes = (size_t)a->numbers * sizeof *a->u, nodes = (size_t)a->def.mesh->nodes;
  memset(a->u, 0, bytes);
  memset(a->v, 0, bytes);
  if (displacement != NULL)
    memcpy(a->u, displacement, bytes);
  if (velocity != NULL)
    memcpy(a->v, velocity, bytes);
  for (int i = 0; i < a->numbers; i++)
    if (!isfinite(a->u[i]) || !isfinite(a->v[i]))
      return pc_fail(error, PC_ERROR_ARGUMENT, "node %d starts nowhere", i / a->size);
  memcpy(a->temperature, state->temperature, nodes * sizeof *a->temperature);
  memset(a->fraction, 0, nodes * sizeof *a->fraction);
  if (state->fraction != NULL)
    memcpy(a->fraction, state->fraction, nodes * sizeof *a->fraction);
  pc_fe_dilation_of(&a->dilation, a->u, a->dilated);
  memset(&a->now, 0, sizeof a->now);
  a->now.account.start = pc_fe_alloy_balance(a).now;
  return PC_OK;
}

// --- looking ------------------------------------------------------------------------------------

pc_fe_alloy_state pc_fe_alloy_look(const pc_fe_alloy *a)
{
  pc_fe_alloy_state s = {.time = (double)a->now.steps * a->def.step,
                         .steps = a->now.steps,
                         .displacement = a->u,
                         .velocity = a->v,
                         .temperature = a->temperature,
                         .fraction = (const double(*)[3])a->fraction,
                         .lowest = INFINITY};
  for (int i = 0; i < a->thermal->rows; i++) {
    int node = a->thermal->row[i].node;
    s.lowest = fmin(s.lowest, a->temperature[node]);
    s.highest = fmax(s.highest, a->temperature[node]);
    for (int k = 0; k < 3 && a->whole > 0; k++)
      s.mean[k] += a->volume[node] / a->whole * a->fraction[node][k];
  }
  return s;
}

pc_fe_alloy_account pc_fe_alloy_balance(const pc_fe_alloy *a)
{
  pc_fe_alloy_account account = a->now.account;
  pc_fe_energy energy = pc_fe_elastic_energy(&a->elastic, a->u, a->v);
  account.now.kinetic = energy.kinetic;
  account.now.elastic = energy.elastic;
  account.now.coupled = 0;
  for (int i = 0; i < a->def.mesh->nodes; i++)
    account.now.coupled +=
        turn_of(a->fraction[i]) * orientation_at(a, a->temperature[i]).stored * a->dilated[i];
  const pc_fe_alloy_energy *s = &account.start, *n = &account.now;
  double left = n->kinetic + n->elastic + n->coupled + n->heat - s->kinetic - s->elastic -
                s->coupled - s->heat - account.received;
  double size = s->kinetic + s->elastic + n->kinetic + n->elastic + a->now.moved;
  account.identity = size > 0 ? fabs(left) / size : 0;
  account.produced = account.entropy - account.entropy_received;
  account.closed = account.identity <= IDENTITY && account.unsolved == 0;
  return account;
}
