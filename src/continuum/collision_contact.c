// The conditions at contacts. The linear part is condensed to them, and `impact` solves the rest.
//
//     D = D_free + W r >= 0,  r >= 0,  r D = 0 (or D = 0)        D = -w_N,  W = B A^-1 B'
//
// W comes from the last front of the factorisation and contains the regularisation of the saddle
// point, about 1e-8. So the velocities are computed from the percussions r with refinement, and
// D_free is set such that the equation holds at r; one or two further rounds bring r to round-off.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "continuum/collision_state.h"
#include "core/clock.h"
#include "core/error.h"

enum { ROUNDS = 8, POLISHED = 40 };
// Rounds of polishing end when a velocity changes by no more than this part of the largest; the
// change is then treated as noise.
static const double STANDS = 1e-13, NOISE = 1e-12;

pc_status pc_fe_contact_create(pc_fe_collision *c, pc_error *error)
{
  pc_arena *arena = &c->arena;
  size_t room = (size_t)c->touches + 1;
  double **list[] = {&c->opening, &c->free, &c->trial, &c->best};
  for (int i = 0; i < 4; i++)
    *list[i] = pc_arena_take(arena, room, sizeof(double));
  c->condition = pc_arena_take(arena, room, sizeof *c->condition);
  c->first = pc_arena_take(arena, room + 1, sizeof *c->first);
  if (c->impact == NULL)
    c->impact = pc_impact_create();
  if (arena->failed || c->impact == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory for %d touching nodes", c->touches);
  return PC_OK;
}

static pc_fe_condition condition_of(const pc_fe_collision *c, int touch)
{
  return c->def.contact[c->touch[touch].contact].condition;
}

// D of a touch, above the least that it may have.
static double opening_of(const pc_fe_collision *c, int touch, const double *u)
{
  double w[3], part[3];
  pc_fe_surface_relative(c, touch, u, w);
  pc_fe_surface_split(c, touch, w, part);
  return -part[0] - c->bond[touch].least;
}

// Parts of the row of D of a touch: shares or the node, then the other side.
static int first_parts_of(const pc_fe_bond *b)
{
  return b->shares > 0 ? b->shares : 1;
}

static int parts_of(const pc_fe_bond *b)
{
  return first_parts_of(b) + (b->other_at < 0 ? 0 : 1);
}

// One of them, without prescribed velocities; false if nothing is left of it.
static bool make_part(const pc_fe_collision *c, int touch, int p, pc_fe_row_part *to)
{
  const pc_fe_bond *b = &c->bond[touch];
  const double *n = c->touch[touch].normal;
  bool other = p == first_parts_of(b);
  *to = (pc_fe_row_part){.row = other ? b->other_row : b->row,
                         .at = other ? b->other_at : b->at,
                         .size = c->components};
  const pc_fe_share *share = p < b->shares ? &b->share[p] : NULL;
  for (int i = 0; i < c->components; i++)
    to->value[i] = share != NULL ? -b->sense * share->factor[i] : other ? n[i] : -n[i];
  if (share != NULL) {
    to->row = c->space.row[share->node];
    to->at = c->space.start[share->node];
  } else if (other && b->rigid) {
    to->size = c->space.body_size;
    for (int k = 0; k < c->spins; k++)
      for (int i = 0; i < c->components; i++)
        to->value[c->components + k] += n[i] * b->turn[i][k];
  }
  bool left = false;
  for (int i = 0; i < to->size; i++) {
    if (to->value[i] != 0 && c->fixed[to->at + i])
      to->value[i] = 0;
    left = left || fabs(to->value[i]) > 1e-12;
  }
  return left;
}

// States the conditions of the active touches and computes their response.
static pc_status state_conditions(pc_fe_collision *c, pc_error *error)
{
  int room = 0;
  for (int k = 0; k < c->touches; k++)
    room += parts_of(&c->bond[k]);
  if (!pc_array_reserve(&c->part, room) || !pc_array_reserve(&c->block, room))
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory for the conditions of a collision");
  c->conditions = c->part.count = 0;
  c->first[0] = 0;
  for (int k = 0; k < c->touches; k++) {
    if (condition_of(c, k) == PC_FE_LOOSE || !c->on[k])
      continue;
    bool left = false;
    int parts = parts_of(&c->bond[k]);
    for (int p = 0; p < parts; p++)
      left = make_part(c, k, p, &c->part.at[c->part.count + p]) || left;
    if (!left)
      continue;
    c->part.count += parts;
    c->condition[c->conditions++] = k;
    c->first[c->conditions] = c->part.count;
  }
  for (int i = 0; i < c->part.count; i++)
    c->block.at[i] = (pc_block_part){c->part.at[i].row, c->part.at[i].value};
  long numbers = (long)c->conditions * c->conditions;
  if (numbers > c->response_room) {
    free(c->response);
    c->response = malloc((size_t)numbers * sizeof *c->response);
    c->response_room = c->response != NULL ? numbers : 0;
    if (c->response == NULL)
      return pc_fail(error, PC_ERROR_MEMORY, "not enough memory for the response of %d nodes",
                     c->conditions);
  }
  return pc_direct_response(c->direct, c->conditions, c->first, c->block.at, c->response, error);
}

// Scale of velocities: those before, and those that the conditions must stop.
static void find_speed(pc_fe_collision *c)
{
  c->speed = 0;
  for (int i = 0; i < c->def.mesh->nodes + c->def.bodies; i++)
    for (int k = 0; k < c->components; k++)
      c->speed = fmax(c->speed, fabs(c->before[c->space.start[i] + k]));
  for (int i = 0; i < c->conditions; i++)
    c->speed = fmax(c->speed, fabs(c->free[i]));
}

// Scale of energies: the kinetic energy before, and what pushes would give without contacts.
static void find_energy(pc_fe_collision *c)
{
  double sum = 0;
  pc_block_matrix_multiply(&c->mass, c->before, c->scratch);
  for (int i = 0; i < c->numbers; i++)
    sum += 0.5 * c->scratch[i] * c->before[i] +
           0.5 * fabs(c->pushed[i] * (c->before[i] + c->after[i]));
  c->energy = sum;
}

// Misfit of D and r to the conditions: as a velocity over the largest velocity, and as a work over
// ten times the energy. Only the second controls a slow heavy part beside a light one. Where
// percussions squeeze something stiff and cancel, their work on the noise of velocities is
// meaningless and is ignored.
static double misfit(const pc_fe_collision *c, const double *d, const double *r)
{
  double worst = 0, work = 0;
  for (int i = 0; i < c->conditions; i++) {
    double own = c->response[(size_t)i * (size_t)(c->conditions + 1)];
    bool both = condition_of(c, c->condition[i]) == PC_FE_BILATERAL;
    worst = fmax(worst, fabs(both ? d[i] : fmin(d[i], own * r[i])));
    work = fmax(work, fmax(0, fabs(d[i]) - NOISE * c->speed) * fabs(r[i]));
  }
  return fmax(c->speed > 0 ? worst / c->speed : 0, c->energy > 0 ? 0.1 * work / c->energy : 0);
}

// Adds -r N on the nodes and its opposite on the other side.
static void add_percussions(const pc_fe_collision *c, const double *r, double *vector)
{
  for (int i = 0; i < c->conditions; i++)
    for (int p = c->first[i]; p < c->first[i + 1]; p++) {
      const pc_fe_row_part *part = &c->part.at[p];
      for (int k = 0; k < part->size; k++)
        vector[part->at + k] += part->value[k] * r[i];
    }
}

// Where viscosities are large beside masses, round-off of K times the rigid part of the solution
// limits the accuracy. One more round of refinement uses the residual of the equation of motion
// without that part:
//
//     M (U- - U+) - K (U+ + U-) - pressures + P_ext + reactions,    -div U+ or -div (U+ + U-)
//
// `change`: the largest change of a velocity over the largest velocity. If it exceeds that of the
// round before, nothing is changed.
static pc_status polish(pc_fe_collision *c, const double *r, double *change, pc_error *error)
{
  double *rest = c->scratch, *sum = c->sum, *bent = c->other;
  for (int i = 0; i < c->numbers; i++)
    sum[i] = c->after[i] - c->before[i];
  pc_block_matrix_multiply(&c->mass, sum, rest);
  const signed char *sign = c->space.sign;
  for (int i = 0; i < c->numbers; i++)
    sum[i] = c->after[i] + (sign[i] > 0 ? c->before[i] : 0);
  pc_fe_surface_multiply(c, sum, rest, NULL);
  pc_fe_volume_bend_sum(c, sum, bent);
  pc_block_matrix_multiply(&c->volume, bent, sum);
  for (int i = 0; i < c->numbers; i++)
    rest[i] = sign[i] > 0 ? c->pushed[i] - rest[i] - sum[i] : -sum[i];
  if (c->saddle && !c->def.mean) {
    pc_fe_volume_bend(c, c->after, bent);
    pc_block_matrix_multiply(&c->volume, bent, sum);
    for (int i = 0; i < c->numbers; i++)
      rest[i] = sign[i] > 0 ? rest[i] : -sum[i];
  }
  add_percussions(c, r, rest);
  for (int i = 0; i < c->numbers; i++)
    rest[i] = c->fixed[i] ? 0 : rest[i];
  pc_status status = pc_direct_solve(c->direct, rest, NULL, error);
  if (status == PC_ERROR_NUMERIC) // not to its residual: the next round goes on from there
    status = PC_OK;
  if (status != PC_OK)
    return status;
  double most = 0, speed = 0, last = *change;
  for (int i = 0; i < c->numbers; i++)
    if (sign[i] > 0) {
      most = fmax(most, fabs(rest[i]));
      speed = fmax(speed, fmax(fabs(c->before[i]), fabs(c->after[i])));
    }
  *change = speed > 0 ? most / speed : 0;
  for (int i = 0; i < c->numbers && *change <= last; i++)
    c->after[i] += rest[i];
  return PC_OK;
}

// `after` from the percussions r by a solve with the whole right hand side.
static pc_status solve_whole(pc_fe_collision *c, const double *r, pc_error *error)
{
  memcpy(c->after, c->right, (size_t)c->numbers * sizeof *c->after);
  add_percussions(c, r, c->after);
  pc_status status = pc_direct_solve(c->direct, c->after, NULL, error);
  // A fluid that comes to rest has no velocities to compare its divergence with: the balance will
  // tell whether the answer is valid.
  c->rough = status == PC_ERROR_NUMERIC;
  return c->rough ? PC_OK : status;
}

// Velocities near those after, where viscosities act about a sum of velocities: the polish that
// follows then solves for the difference alone, whose round-off vanishes with it.
static void begin_about(pc_fe_collision *c)
{
  for (int i = 0; i < c->numbers; i++)
    c->after[i] = c->about[i] - c->before[i];
  for (int b = 0; b < c->def.bodies; b++) {
    int at = c->space.start[c->def.mesh->nodes + b];
    memcpy(c->after + at, c->before + at, (size_t)c->space.body_size * sizeof *c->after);
  }
}

// `after` from the percussions r, and D.
static pc_status move(pc_fe_collision *c, const double *r, double *d, pc_error *error)
{
  pc_status status = PC_OK;
  if (c->about != NULL)
    begin_about(c);
  else
    status = solve_whole(c, r, error);
  if (status != PC_OK)
    return status;
  for (int i = 0; i < c->numbers; i++) // to the last bit
    if (c->fixed[i])
      c->after[i] = c->fixed[i] == 2 ? c->before[i] : 0;
  double change = c->stiff || c->rough || c->about != NULL ? INFINITY : 0, last = INFINITY;
  int turns = c->about != NULL ? 1 : POLISHED;
  for (int turn = 0; turn < turns && change > STANDS && status == PC_OK; turn++) {
    status = polish(c, r, &change, error);
    if (change > last)
      break;
    last = change;
  }
  if (status != PC_OK)
    return status;
  for (int i = 0; i < c->conditions; i++)
    d[i] = opening_of(c, c->condition[i], c->after);
  return PC_OK;
}

// Solves for r from D_free, starting from the present values.
static pc_status find_percussions(pc_fe_collision *c, double tolerance, double *r, int *iterations,
                                  pc_error *error)
{
  pc_impact *impact = c->impact;
  pc_impact_clear(impact);
  pc_status status = pc_impact_reserve(impact, 0, c->conditions);
  for (int i = 0; i < c->conditions && status == PC_OK; i++) {
    bool both = condition_of(c, c->condition[i]) == PC_FE_BILATERAL;
    pc_interaction row = pc_interaction_default(PC_ROWS);
    row.rows = 1;
    row.unilateral = !both;
    row.law.normal.kind = both ? PC_NORMAL_BILATERAL : PC_NORMAL_INELASTIC;
    row.given[0] = c->free[i];
    row.guess[0] = -r[i];
    if (pc_impact_add_interaction(impact, &row) < 0) // the row is valid if its numbers are
      status =
          isfinite(row.given[0]) && isfinite(row.guess[0]) ? PC_ERROR_MEMORY : PC_ERROR_ARGUMENT;
  }
  for (int i = 0; i < c->conditions && status == PC_OK; i++)
    for (int j = 0; j < c->conditions && status == PC_OK; j++) {
      double w = c->response[(size_t)i * (size_t)c->conditions + (size_t)j];
      if (w != 0)
        status = pc_impact_couple_response(impact, i, j, &w);
    }
  pc_solve_options options = pc_solve_options_default();
  options.tolerance = tolerance;
  options.warm_start = true;
  options.unaudited = true;
  pc_solve_info info = {0};
  if (status == PC_OK)
    status = pc_impact_solve(impact, &options, &info);
  if (status != PC_OK)
    return pc_fail(error, status, "the contacts could not be solved: %s", pc_impact_error(impact));
  *iterations += info.iterations;
  for (int i = 0; i < c->conditions; i++) {
    double percussion[3];
    pc_impact_percussion(impact, i, percussion);
    bool both = condition_of(c, c->condition[i]) == PC_FE_BILATERAL;
    r[i] = both ? -percussion[0] : fmax(0, -percussion[0]);
  }
  return PC_OK;
}

// Checks the conditions that were dropped because all their velocities are prescribed.
static pc_status check_given(const pc_fe_collision *c, pc_error *error)
{
  for (int k = 0; k < c->touches; k++) {
    pc_fe_condition condition = condition_of(c, k);
    bool left = false;
    pc_fe_row_part unused;
    for (int p = 0; p < parts_of(&c->bond[k]); p++)
      left = left || make_part(c, k, p, &unused);
    if (condition == PC_FE_LOOSE || !c->on[k] || left)
      continue;
    const pc_fe_touch *t = &c->touch[k];
    double d = opening_of(c, k, c->after);
    int node = c->bond[k].at < 0 ? c->bond[k].share[0].node : t->node;
    if (d < -1e-9 * c->speed || (condition == PC_FE_BILATERAL && d > 1e-9 * c->speed))
      return pc_fail(
          error, PC_ERROR_ARGUMENT,
          "node %d of \"%s\", at %s, has a prescribed velocity that violates its contact by %g m/s",
          node, c->def.mesh->group[c->def.contact[t->contact].sides].name,
          pc_fe_place_text(c->def.mesh, c->def.mesh->node[node]).text, -d);
  }
  return PC_OK;
}

pc_status pc_fe_contact_solve(pc_fe_collision *c, pc_fe_answer *answer, pc_error *error)
{
  pc_status status = PC_OK;
  // How nodes meet what moves is new in every solve.
  if (!c->stated || c->meets || memcmp(c->on, c->stated_on, (size_t)c->touches) != 0) {
    double start = pc_clock_seconds();
    c->stated = false;
    status = state_conditions(c, error);
    answer->response_s = pc_clock_seconds() - start;
    if (status != PC_OK)
      return status;
    memcpy(c->stated_on, c->on, (size_t)c->touches);
    c->stated = true;
  }
  size_t n = (size_t)c->conditions, size = n * sizeof *c->free;
  double tolerance = c->def.tolerance > 0 ? c->def.tolerance : 1e-10;
  memset(c->trial, 0, size);
  status = move(c, c->trial, c->opening, error);
  if (status != PC_OK)
    return status;
  memcpy(c->free, c->opening, size);
  find_speed(c);
  find_energy(c);
  double least = INFINITY, want = 0;
  int iterations = 0;
  for (int round = 0; round <= ROUNDS; round++) {
    double now = misfit(c, c->opening, c->trial);
    if (now < least) {
      least = now;
      memcpy(c->best, c->trial, size);
    } else if (round > 1) {
      break;
    }
    if (least <= tolerance || round == ROUNDS)
      break;
    for (size_t i = 0; i < n; i++) {
      c->free[i] = c->opening[i];
      for (size_t j = 0; j < n; j++)
        c->free[i] -= c->response[i * n + j] * c->trial[j];
    }
    // The first response of a saddle point justifies no more digits; later rounds ask for those
    // that are missing.
    if (round == 0)
      want = c->saddle ? fmax(1e-8, tolerance) : tolerance / 100;
    else
      want = fmin(tolerance / 100, 0.1 * want * tolerance / least);
    want = fmax(1e-14, want);
    double start = pc_clock_seconds();
    status = find_percussions(c, want, c->trial, &iterations, error);
    answer->contact_s += pc_clock_seconds() - start;
    if (status == PC_OK)
      status = move(c, c->trial, c->opening, error);
    if (status != PC_OK)
      return status;
  }
  if (n > 0 && memcmp(c->best, c->trial, size) != 0)
    status = move(c, c->best, c->opening, error);
  if (status == PC_OK)
    status = check_given(c, error);
  if (status != PC_OK)
    return status;
  for (int k = 0; k < c->touches; k++)
    c->touch[k].reaction = 0;
  for (int i = 0; i < c->conditions; i++)
    c->touch[c->condition[i]].reaction = c->best[i];
  answer->iterations = iterations;
  answer->residual = least;
  answer->solved = least <= tolerance;
  return PC_OK;
}
