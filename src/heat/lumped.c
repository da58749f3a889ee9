// Temperatures of bodies after a collision: checks, sweeps and the balance. Each sweep takes a
// Newton step on the equation of every body in turn. Where exchange or work are small beside
// capacities, as in nearly every collision, a few sweeps reach round-off.
#include "heat/lumped.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "core/elementary.h"
#include "core/error.h"

enum { MOST_SWEEPS = 40 };
static const double enough = 8 * DBL_EPSILON; // of a residual
static const double acceptable = 1e-11;

const char *pc_heat_mode_name(pc_heat_mode mode)
{
  static const char *const names[] = {"closed", "adiabatic", "isentropic", "linear", "small"};
  return (unsigned)mode <= PC_HEAT_SMALL ? names[mode] : "unknown";
}

pc_heat *pc_heat_create(void)
{
  return calloc(1, sizeof(pc_heat));
}

void pc_heat_destroy(pc_heat *heat)
{
  if (heat == NULL)
    return;
  pc_arena_free(&heat->arena);
  free(heat);
}

static pc_status check(const pc_heat *heat, pc_error *error)
{
  if ((int)heat->mode < PC_HEAT_CLOSED || heat->mode > PC_HEAT_SMALL)
    return pc_fail(error, PC_ERROR_ARGUMENT, "heat: unknown mode %d", (int)heat->mode);
  if (heat->bodies < 0 || heat->interactions < 0)
    return pc_fail(error, PC_ERROR_ARGUMENT, "heat: %d bodies, %d interactions", heat->bodies,
                   heat->interactions);
  for (int i = 0; i < heat->bodies; i++) {
    const pc_heat_body *b = &heat->body[i];
    if (!(b->temperature > 0 && isfinite(b->temperature)))
      return pc_fail(error, PC_ERROR_ARGUMENT,
                     "body %d: the temperature must be positive (got %g K)", i, b->temperature);
    if (!(b->capacity > 0))
      return pc_fail(error, PC_ERROR_ARGUMENT,
                     "body %d: the heat capacity must be positive (got %g J/K)", i, b->capacity);
    if (!(b->exchange >= 0 && isfinite(b->exchange)))
      return pc_fail(error, PC_ERROR_ARGUMENT,
                     "body %d: the exchange must be 0 or more (got %g J/K)", i, b->exchange);
    if (b->exchange > 0 && !(b->outside > 0 && isfinite(b->outside)))
      return pc_fail(error, PC_ERROR_ARGUMENT,
                     "body %d: the outside temperature must be positive (got %g K)", i, b->outside);
  }
  for (int k = 0; k < heat->interactions; k++) {
    const pc_heat_interaction *in = &heat->interaction[k];
    int i = in->bodies[0], j = in->bodies[1];
    if (i < 0 || i >= heat->bodies || j < PC_HEAT_NOBODY || j >= heat->bodies || i == j)
      return pc_fail(error, PC_ERROR_ARGUMENT, "interaction %d: invalid bodies %d and %d of %d", k,
                     i, j, heat->bodies);
    if (!isfinite(in->work))
      return pc_fail(error, PC_ERROR_ARGUMENT, "interaction %d: invalid work %g J", k, in->work);
    if (!(in->exchange >= 0 && isfinite(in->exchange)))
      return pc_fail(error, PC_ERROR_ARGUMENT,
                     "interaction %d: the exchange must be 0 or more (got %g J/K^2)", k,
                     in->exchange);
  }
  return PC_OK;
}

static bool make_room(pc_heat *heat)
{
  pc_arena *arena = &heat->arena;
  size_t n = (size_t)heat->bodies, links = (size_t)heat->interactions;
  pc_arena_reset(arena);
  heat->u = pc_arena_take_raw(arena, n, sizeof(double));
  heat->mean = pc_arena_take_raw(arena, n, sizeof(double));
  heat->slope = pc_arena_take_raw(arena, n, sizeof(double));
  heat->residual = pc_arena_take_raw(arena, n, sizeof(double));
  heat->step = pc_arena_take_raw(arena, n, sizeof(double));
  heat->kept = pc_arena_take_raw(arena, n, sizeof(double));
  heat->first = pc_arena_take(arena, n + 2, sizeof(int));
  heat->row = pc_arena_take_raw(arena, n, sizeof(int));
  heat->end = pc_arena_take_raw(arena, 2 * links, sizeof(pc_heat_end));
  heat->flux = pc_arena_take_raw(arena, links, sizeof(double));
  return !arena->failed;
}

// Sorts ends by body, in the order of the interactions. `first` is shifted by one while it is
// filled.
static void sort_ends(pc_heat *heat)
{
  int *first = heat->first;
  for (int k = 0; k < heat->interactions; k++)
    for (int side = 0; side < 2; side++)
      if (heat->interaction[k].bodies[side] >= 0)
        first[heat->interaction[k].bodies[side] + 2]++;
  for (int i = 0; i < heat->bodies; i++)
    first[i + 2] += first[i + 1];
  for (int k = 0; k < heat->interactions; k++)
    for (int side = 0; side < 2; side++) {
      const int *pair = heat->interaction[k].bodies;
      if (pair[side] >= 0)
        heat->end[first[pair[side] + 1]++] = (pc_heat_end){k, pair[1 - side]};
    }
}

// One step for every body; returns the residual before the steps. Steps of linear equations are not
// limited.
static double sweep(pc_heat *heat)
{
  double worst = 0, longest = heat->mode >= PC_HEAT_LINEAR ? INFINITY : 0.7;
  for (int i = 0; i < heat->bodies; i++) {
    if (heat->row[i] < 0)
      continue;
    double size, slope, f = pc_heat_balance(heat, i, &size, &slope);
    if (f == 0)
      continue;
    worst = fmax(worst, fabs(f) / size);
    double step = -f / slope;
    if (!(fabs(step) <= longest))
      step = f > 0 ? -longest : longest;
    pc_heat_set(heat, i, heat->u[i] + step);
  }
  return worst;
}

// Whether the differences of mean temperatures keep enough digits for the fluxes.
static bool has_digits(const pc_heat *heat)
{
  for (int k = 0; k < heat->interactions; k++) {
    const pc_heat_interaction *in = &heat->interaction[k];
    if (in->bodies[1] < 0)
      continue;
    const pc_heat_body *a = &heat->body[in->bodies[0]], *b = &heat->body[in->bodies[1]];
    if (in->exchange * (a->temperature + b->temperature) > 4 * fmin(a->capacity, b->capacity))
      return false;
  }
  return true;
}

// What interactions and the outside give to bodies, from the mean temperatures. Shares of work and
// the two sides of an exchange add up exactly, so energy is conserved whatever the residual.
static void flows(const pc_heat *heat, double *given, double *entropy, pc_heat_account *account)
{
  for (int i = 0; i < heat->bodies; i++)
    given[i] = entropy[i] = 0;
  for (int k = 0; k < heat->interactions; k++) {
    const pc_heat_interaction *in = &heat->interaction[k];
    int i = in->bodies[0], j = in->bodies[1];
    account->work += in->work;
    double a = pc_heat_weight(heat, i);
    if (j < 0) {
      given[i] += in->work;
      entropy[i] += in->work / a;
      account->produced += in->work / a;
      if (heat->row[i] < 0) {
        account->received -= in->work;
        account->entropy_received -= in->work / a;
      }
      continue;
    }
    double b = pc_heat_weight(heat, j);
    double flux = heat->mixed ? heat->flux[k] : pc_heat_difference(heat, k, i, j);
    double share = in->work * (a / (a + b)), moved = a * b / (a + b) * flux;
    double to_i = share + moved, to_j = in->work - to_i;
    given[i] += to_i;
    given[j] += to_j;
    entropy[i] += to_i / a;
    entropy[j] += to_j / b;
    account->produced += (2 * in->work + flux * (b - a)) / (a + b);
    if (heat->row[i] < 0) {
      account->received -= to_i;
      account->entropy_received -= to_i / a;
    }
    if (heat->row[j] < 0) {
      account->received -= to_j;
      account->entropy_received -= to_j / b;
    }
  }
  for (int i = 0; i < heat->bodies; i++) {
    const pc_heat_body *b = &heat->body[i];
    if (heat->row[i] < 0 || b->exchange == 0)
      continue;
    // With a large exchange the difference of temperatures has no digits left; the heat that the
    // body needs is known better.
    double t = pc_heat_weight(heat, i), q = b->exchange * (b->outside - heat->mean[i]);
    if (b->exchange > b->capacity && heat->mode != PC_HEAT_SMALL &&
        heat->mode != PC_HEAT_ISENTROPIC)
      q = b->capacity * b->temperature *
              (heat->mode == PC_HEAT_LINEAR ? heat->u[i] : pc_expm1(heat->u[i])) -
          given[i];
    given[i] += q;
    entropy[i] += q / t;
    account->received += q;
    account->entropy_received += q / b->outside;
    account->produced += q * (b->outside - t) / (b->outside * t);
  }
}

static void answer(pc_heat *heat, pc_heat_result *after, pc_heat_info *info)
{
  pc_heat_account *account = &info->account;
  double *given = heat->residual, *entropy = heat->step, energies = 0, entropies = 0;
  flows(heat, given, entropy, account);
  for (int i = 0; i < heat->bodies; i++) {
    const pc_heat_body *b = &heat->body[i];
    if (heat->row[i] < 0) {
      after[i] = (pc_heat_result){b->temperature, 0, given[i]};
      continue;
    }
    bool isentropic = heat->mode == PC_HEAT_ISENTROPIC;
    // Heats are exact sums, but in a light body the heat that passes through hides the heat that
    // stays.
    double jump = given[i] / b->capacity, gained = given[i];
    if (isentropic || heat->mixed) {
      jump = b->temperature * (heat->mode == PC_HEAT_LINEAR ? heat->u[i] : pc_expm1(heat->u[i]));
      gained = b->capacity * jump;
    }
    double relative = jump / b->temperature, rise = relative > -1 ? pc_log1p(relative) : 0;
    after[i] = (pc_heat_result){b->temperature + jump, jump, gained};
    if (heat->u[i] < -1 && heat->mode < PC_HEAT_LINEAR) { // little is left: ln T knows it better
      rise = heat->u[i];
      after[i].temperature = b->temperature * pc_exp(rise);
    }
    if (heat->mode >= PC_HEAT_LINEAR)
      info->valid = info->valid && relative > -1 && fabs(relative) < 0.1;
    double of_entropy = b->capacity * rise;
    account->energy += gained;
    account->entropy += of_entropy;
    if (isentropic)
      account->supplied += gained - given[i];
    else if (heat->mode != PC_HEAT_CLOSED)
      account->entropy_supplied += of_entropy - entropy[i];
    energies += fabs(gained) + fabs(given[i]);
    entropies += fabs(of_entropy) + fabs(entropy[i]);
  }
  if (heat->mode == PC_HEAT_SMALL)
    for (int k = 0; k < heat->interactions; k++)
      for (int side = 0; side < 2; side++) {
        int i = heat->interaction[k].bodies[side];
        if (i >= 0 && heat->interaction[k].bodies[1] >= 0)
          info->valid = info->valid && heat->interaction[k].exchange * heat->body[i].temperature <
                                           0.1 * heat->body[i].capacity;
      }
  energies += fabs(account->work) + fabs(account->received);
  entropies += fabs(account->produced) + fabs(account->entropy_received);
  double energy = account->energy - account->work - account->received - account->supplied;
  double entropy_left =
      account->entropy - account->produced - account->entropy_received - account->entropy_supplied;
  account->energy_error = energies > 0 ? fabs(energy) / energies : 0;
  account->entropy_error = entropies > 0 ? fabs(entropy_left) / entropies : 0;
  account->closed = account->energy_error < 1e-11 && account->entropy_error < 1e-10;
}

pc_status pc_heat_solve(pc_heat *heat, pc_heat_mode mode, int bodies, const pc_heat_body *body,
                        int interactions, const pc_heat_interaction *interaction,
                        pc_heat_result *after, pc_heat_info *info, pc_error *error)
{
  if (heat == NULL || (bodies > 0 && (body == NULL || after == NULL)) ||
      (interactions > 0 && interaction == NULL))
    return pc_fail_null(error, "heat, bodies, interactions and the result");
  pc_heat_info none;
  info = info == NULL ? &none : info;
  *info = (pc_heat_info){.valid = true};
  heat->mode = mode;
  heat->mixed = false;
  heat->part = 1;
  heat->bodies = bodies;
  heat->interactions = interactions;
  heat->body = body;
  heat->interaction = interaction;
  pc_status status = check(heat, error);
  if (status != PC_OK)
    return status;
  if (!make_room(heat))
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  sort_ends(heat);
  int rows = 0;
  for (int i = 0; i < bodies; i++) {
    heat->row[i] = isinf(body[i].capacity) ? -1 : rows++;
    pc_heat_set(heat, i, 0);
  }

  info->solved = true;
  if (mode != PC_HEAT_SMALL) {
    double last = INFINITY;
    bool sweeps = has_digits(heat);
    info->residual = INFINITY;
    while (sweeps && info->residual > enough && info->sweeps < MOST_SWEEPS) {
      info->residual = sweep(heat);
      info->sweeps++;
      if (info->sweeps > 2 && !(info->residual < 0.2 * last))
        break;
      last = info->residual;
    }
    if (info->residual > enough) {
      double left = pc_heat_newton(heat, &info->factorisations);
      if (left < 0)
        return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
      info->residual = left;
    }
    info->solved = info->residual <= acceptable;
    for (int i = 0; i < bodies && mode != PC_HEAT_LINEAR; i++)
      info->solved = info->solved && body[i].temperature * pc_exp(heat->u[i]) > 0;
  }
  if (info->solved) {
    answer(heat, after, info);
    return PC_OK;
  }
  int coldest = 0;
  for (int i = 0; i < bodies; i++) {
    after[i] = (pc_heat_result){.temperature = body[i].temperature};
    coldest = heat->u[i] < heat->u[coldest] ? i : coldest;
  }
  const char *remedy = mode == PC_HEAT_CLOSED ? "the energy returned by contacts may be too large"
                                              : "the energy returned by contacts may be too large; "
                                                "use a smaller exchange or the mode closed";
  return pc_fail(error, PC_ERROR_NUMERIC,
                 "heat: the %s equations have no solution with positive temperatures: body %d "
                 "would lose more heat than it has; %s",
                 pc_heat_mode_name(mode), coldest, remedy);
}
