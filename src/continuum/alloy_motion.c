#include "continuum/alloy_motion.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "continuum/dilation.h"
#include "continuum/thermal_state.h"
#include "core/error.h"

enum { ITERATIONS = 200, SLOW = 12 };
static const double TOLERANCE = 1e-10;
static const double IDENTITY = 1e-8;
static const double ROUND = 0.01; // of T_c

// What changes and is a number; saved as it is.
typedef struct tally {
  long steps;
  double moved; // sizes of the energies that changed hands
  pc_fe_alloy_account account;
} tally;

struct pc_fe_alloy {
  pc_fe_alloy_def def; // with its own lists
  int size, numbers;   // components; numbers of a vector
  double slope, critical;
  pc_fe_elastic elastic;
  pc_fe_dilation dilation;
  pc_fe_collision *step; // the midpoint rule
  pc_fe_thermal *thermal;
  double *volume, whole; // of alloys, of each node and together

  double *u, *v, *u1, *v1, *load;        // displacement, velocity; after a step; h (f - K u)
  double *temperature, (*fraction)[3];   // now
  double *dilated;                       // G u, of each node
  double *warm, (*turned)[3], *dilated1; // after the step, in its iteration
  double *heat, *stress, (*drive)[3];
  tally now;
};

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

// --- making -------------------------------------------------------------------------------------

static pc_status check(const pc_fe_alloy_def *def, pc_error *error)
{
  if (def->mesh == NULL || def->media < 1)
    return pc_fail(error, PC_ERROR_ARGUMENT, "an alloy in time needs a mesh and a medium");
  if (!(def->step > 0) || !isfinite(def->step))
    return pc_fail(error, PC_ERROR_ARGUMENT, "an alloy in time needs a step > 0, not %g",
                   def->step);
  if (!(def->tolerance >= 0 && def->tolerance < 1))
    return pc_fail(error, PC_ERROR_ARGUMENT, "the tolerance is %g, not between 0 and 1",
                   def->tolerance);
  const pc_fe_alloy_medium *sloped = NULL;
  for (int i = 0; i < def->media; i++) {
    const pc_fe_alloy_medium *m = &def->medium[i];
    if (m->solid.group != m->heat.group)
      return pc_fail(error, PC_ERROR_ARGUMENT, "medium %d is of two groups, %d and %d", i,
                     m->solid.group, m->heat.group);
    if (!(m->slope <= 0) || !isfinite(m->slope))
      return pc_fail(error, PC_ERROR_ARGUMENT, "the slope of tau of medium %d is %g, not <= 0", i,
                     m->slope);
    if (m->slope == 0)
      continue;
    if (m->heat.phases != PC_FE_ALLOY)
      return pc_fail(error, PC_ERROR_ARGUMENT, "medium %d has a slope of tau but is no alloy", i);
    if (!(m->critical > m->heat.change) || !isfinite(m->critical))
      return pc_fail(error, PC_ERROR_ARGUMENT,
                     "the critical temperature of medium %d is %g K, not above that of its change, "
                     "%g K",
                     i, m->critical, m->heat.change);
    if (sloped != NULL && (sloped->slope != m->slope || sloped->critical != m->critical))
      return pc_fail(error, PC_ERROR_ARGUMENT,
                     "alloys of one motion have one tau: medium %d has another", i);
    sloped = m;
  }
  for (int i = 0; i < def->holds; i++)
    if (def->hold[i].kept)
      return pc_fail(error, PC_ERROR_ARGUMENT, "in a motion what is held does not move");
  return PC_OK;
}

static void *copy(const void *from, int count, size_t size)
{
  void *to = calloc((size_t)count + 1, size);
  if (to != NULL && count > 0)
    memcpy(to, from, (size_t)count * size);
  return to;
}

// The midpoint rule as a collision: viscosities h^2/4 of the moduli.
static pc_status make_step(pc_fe_alloy *a, const pc_fe_solid *solid, pc_error *error)
{
  double h = a->def.step;
  pc_fe_medium *medium = calloc((size_t)a->def.media + 1, sizeof *medium);
  if (medium == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory for an alloy");
  for (int i = 0; i < a->def.media; i++) {
    double mu, lambda;
    pc_fe_solid_moduli(&solid[i], a->size, &mu, &lambda);
    medium[i] = (pc_fe_medium){.group = solid[i].group,
                               .density = solid[i].density,
                               .strain = h * h / 4 * mu,
                               .volume = h * h / 4 * lambda};
  }
  pc_fe_collision_def def = {.mesh = a->def.mesh,
                             .media = a->def.media,
                             .medium = medium,
                             .holds = a->def.holds,
                             .hold = a->def.hold,
                             .load = a->load};
  a->step = pc_fe_collision_create(&def, error);
  free(medium);
  return a->step != NULL ? PC_OK : error != NULL ? error->status : PC_ERROR_ARGUMENT;
}

// All rates times the step.
static pc_status make_thermal(pc_fe_alloy *a, pc_error *error)
{
  double h = a->def.step;
  pc_fe_thermal_medium *medium = calloc((size_t)a->def.media + 1, sizeof *medium);
  pc_fe_thermal_side *side = copy(a->def.side, a->def.surfaces, sizeof *side);
  if (medium != NULL && side != NULL) {
    for (int i = 0; i < a->def.media; i++) {
      medium[i] = a->def.medium[i].heat;
      medium[i].conduct *= h;
      medium[i].resist /= h;
      medium[i].spread_change /= h;
      medium[i].exchange *= h;
    }
    for (int i = 0; i < a->def.surfaces; i++)
      side[i].exchange *= h;
    pc_fe_thermal_def def = {.mesh = a->def.mesh,
                             .media = a->def.media,
                             .medium = medium,
                             .surfaces = a->def.surfaces,
                             .side = side,
                             .weight = 1};
    a->thermal = pc_fe_thermal_create(&def, error);
  } else
    pc_fail(error, PC_ERROR_MEMORY, "not enough memory for an alloy");
  free(medium);
  free(side);
  return a->thermal != NULL ? PC_OK : error != NULL ? error->status : PC_ERROR_ARGUMENT;
}

static bool make_vectors(pc_fe_alloy *a)
{
  size_t n = (size_t)a->numbers + 1, nodes = (size_t)a->def.mesh->nodes + 1;
  double **vector[] = {&a->u, &a->v, &a->u1, &a->v1, &a->load};
  double **node[] = {&a->temperature, &a->dilated, &a->warm,  &a->dilated1,
                     &a->heat,        &a->stress,  &a->volume};
  bool good = true;
  for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
    good = (*vector[i] = calloc(n, sizeof(double))) != NULL && good;
  for (size_t i = 0; i < sizeof node / sizeof *node; i++)
    good = (*node[i] = calloc(nodes, sizeof(double))) != NULL && good;
  a->fraction = calloc(nodes, sizeof *a->fraction);
  a->turned = calloc(nodes, sizeof *a->turned);
  a->drive = calloc(nodes, sizeof *a->drive);
  return good && a->fraction && a->turned && a->drive;
}

static pc_status fill(pc_fe_alloy *a, const pc_fe_alloy_def *def, pc_error *error)
{
  a->def = *def;
  a->def.medium = copy(def->medium, def->media, sizeof *def->medium);
  a->def.side = copy(def->side, def->surfaces, sizeof *def->side);
  a->def.hold = copy(def->hold, def->holds, sizeof *def->hold);
  a->size = def->mesh->dimension;
  a->numbers = a->size * def->mesh->nodes;
  pc_fe_solid *solid = calloc((size_t)def->media + 1, sizeof *solid);
  bool *group = calloc((size_t)def->mesh->groups + 1, sizeof *group);
  pc_status status = PC_OK;
  if (!a->def.medium || !a->def.side || !a->def.hold || !solid || !group || !make_vectors(a)) {
    status = pc_fail(error, PC_ERROR_MEMORY, "not enough memory for an alloy");
    goto done;
  }
  for (int i = 0; i < def->media; i++) {
    const pc_fe_alloy_medium *m = &def->medium[i];
    solid[i] = m->solid;
    if (m->slope < 0) {
      a->slope = m->slope;
      a->critical = m->critical;
    }
  }
  static const double none[2] = {0, 0};
  status = pc_fe_elastic_create(&a->elastic, def->mesh, def->media, solid, none, error);
  for (int i = 0; i < def->media && status == PC_OK; i++)
    group[def->medium[i].solid.group] = def->medium[i].slope < 0;
  if (status == PC_OK)
    status = pc_fe_dilation_create(&a->dilation, def->mesh, group, error);
  if (status == PC_OK)
    status = make_step(a, solid, error);
  if (status == PC_OK)
    status = make_thermal(a, error);
  for (int i = 0; status == PC_OK && i < a->thermal->rows; i++)
    if (a->thermal->row[i].size == 3)
      a->whole += a->volume[a->thermal->row[i].node] = a->thermal->row[i].volume;

done:
  free(solid);
  free(group);
  return status;
}

pc_fe_alloy *pc_fe_alloy_create(const pc_fe_alloy_def *def, pc_error *error)
{
  if (check(def, error) != PC_OK)
    return NULL;
  pc_fe_alloy *a = calloc(1, sizeof *a);
  if (a == NULL) {
    pc_fail(error, PC_ERROR_MEMORY, "not enough memory for an alloy");
    return NULL;
  }
  if (fill(a, def, error) == PC_OK)
    return a;
  pc_fe_alloy_destroy(a);
  return NULL;
}

void pc_fe_alloy_destroy(pc_fe_alloy *a)
{
  if (a == NULL)
    return;
  pc_fe_collision_destroy(a->step);
  pc_fe_thermal_destroy(a->thermal);
  pc_fe_dilation_free(&a->dilation);
  pc_fe_elastic_free(&a->elastic);
  void *list[] = {(void *)a->def.medium,
                  (void *)a->def.side,
                  (void *)a->def.hold,
                  a->volume,
                  a->u,
                  a->v,
                  a->u1,
                  a->v1,
                  a->load,
                  a->temperature,
                  a->fraction,
                  a->dilated,
                  a->warm,
                  a->turned,
                  a->dilated1,
                  a->heat,
                  a->stress,
                  a->drive};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++)
    free(list[i]);
  free(a);
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

// --- bytes --------------------------------------------------------------------------------------

typedef struct header {
  uint64_t magic;
  int numbers, nodes;
  tally now;
} header;
static const uint64_t MAGIC = 0x3130594f4c4c4150ull;

typedef struct piece {
  void *at;
  size_t bytes;
} piece;

static size_t list_pieces(const pc_fe_alloy *a, piece part[5])
{
  size_t vector = (size_t)a->numbers * sizeof(double), nodes = (size_t)a->def.mesh->nodes;
  part[0] = (piece){a->u, vector};
  part[1] = (piece){a->v, vector};
  part[2] = (piece){a->temperature, nodes * sizeof(double)};
  part[3] = (piece){a->fraction, nodes * sizeof *a->fraction};
  part[4] = (piece){a->dilated, nodes * sizeof(double)};
  size_t need = sizeof(header);
  for (int i = 0; i < 5; i++)
    need += part[i].bytes;
  return need;
}

size_t pc_fe_alloy_save(const pc_fe_alloy *a, void *buffer, size_t size)
{
  piece part[5];
  size_t need = list_pieces(a, part);
  if (buffer == NULL || size < need)
    return need;
  header h;
  memset(&h, 0, sizeof h); // padding too: the bytes are compared
  h.magic = MAGIC;
  h.numbers = a->numbers;
  h.nodes = a->def.mesh->nodes;
  memcpy(&h.now, &a->now, sizeof h.now);
  char *to = buffer;
  memcpy(to, &h, sizeof h);
  to += sizeof h;
  for (int i = 0; i < 5; to += part[i++].bytes)
    memcpy(to, part[i].at, part[i].bytes);
  return need;
}

pc_status pc_fe_alloy_load(pc_fe_alloy *a, const void *buffer, size_t size, pc_error *error)
{
  piece part[5];
  header h;
  size_t need = list_pieces(a, part);
  if (size != need)
    return pc_fail(error, PC_ERROR_ARGUMENT, "an alloy in time has %zu bytes, not %zu", need, size);
  memcpy(&h, buffer, sizeof h);
  if (h.magic != MAGIC || h.numbers != a->numbers || h.nodes != a->def.mesh->nodes)
    return pc_fail(error, PC_ERROR_ARGUMENT, "these bytes are of another alloy");
  memcpy(&a->now, &h.now, sizeof a->now);
  const char *from = (const char *)buffer + sizeof h;
  for (int i = 0; i < 5; from += part[i++].bytes)
    memcpy(part[i].at, from, part[i].bytes);
  return PC_OK;
}
