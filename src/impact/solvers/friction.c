// Islands with Coulomb friction: which direct method, from which start, in which order.
#include "impact/solvers/friction.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"

enum {
  BY_ROWS_UP_TO = 300, // interactions
  SMALL_ISLAND = 2000, // worth many attempts
  MAX_STEPS = 60,
  NEAR_STEPS = 12,
  SHORT_FINISH = 4,
  FINISH_STEPS = 25,
  WALK_STEPS = 60,
  GRADIENT_STEPS = 20000,
  COST_STEPS = 12, // of an interior point that goes well
  LEAST_STEPS = 40 // even where sweeps are few
};
static const double near = 1e-4;         // a residual from which Newton may get there
static const double in_steps = 10;       // costs of sweeps, where these are limited
static const double no_friction = 1e-10; // below it a contact has none
static const double least_merged = 1e-3; // mu of contacts with one cone for both laws
static const double much_friction = 0.5, little_friction = 0.05; // mu where bodies get wedged
static const double path_steps = 20; // for every interaction, a third of that in small islands
// All attempts together, in the units of factor_cost; less where there need not be a solution.
static const double much_work = 300, some_work = 30;
static const double last_sweeps = 20000, last_work = 2e7; // rows times sweeps
static const double cheap_rows = 5e4;                     // operations per interaction

static bool plain_friction(const pc_block_law *law)
{
  return law->tangential == PC_TANGENTIAL_COULOMB && law->normal && law->rows > 1 &&
         law->mu >= least_merged &&
         (law->row.ops == &pc_law_inelastic || law->row.ops == &pc_law_restitution);
}

static void add_interaction(pc_friction *f, int k)
{
  const pc_block_law *law = &f->s->law[k];
  int first = f->s->row[k];
  bool friction = law->tangential == PC_TANGENTIAL_COULOMB && law->normal && law->rows > 1;
  for (int i = 0; i < law->rows; i++) {
    int row = first + i;
    if (i == 0 && law->normal) {
      pc_row_form form = pc_row_pieces(&law->row);
      f->equality[row] = law->row.equality;
      f->a[row] = form.a;
      f->d0[row] = law->row.equality ? law->row.bound : form.d0;
      for (int p = 0; p < form.pieces; p++)
        f->piece[f->pieces++] = (pc_piece_state){.piece = form.piece[p], .row = row};
    } else {
      f->equality[row] = law->tangential == PC_TANGENTIAL_BILATERAL;
      f->a[row] = law->tangential == PC_TANGENTIAL_VISCOUS ? 0.5 * law->k : 0;
      f->d0[row] = -law->shift[i - law->normal];
    }
  }
  pc_disc disc[2];
  int discs = friction ? pc_block_discs(law, disc) : 0;
  for (int i = 0; i < discs; i++) {
    const pc_row_ops *ops = law->row.ops;
    bool pushes =
        ops == &pc_law_inelastic || ops == &pc_law_restitution || ops == &pc_law_threshold;
    if (disc[i].mu > no_friction)
      f->cone[f->cones++] = (pc_cone){.interaction = k,
                                      .row = first,
                                      .base = first + disc[i].row - 1,
                                      .size = 1 + disc[i].size,
                                      .mu = disc[i].mu,
                                      .pulls = !pushes,
                                      .plain = i == 0 && plain_friction(law)};
  }
}

static pc_status create(pc_friction *f, pc_system *s, pc_error *error)
{
  *f = (pc_friction){.s = s, .smooth = 1, .best = {.residual = INFINITY}};
  pc_arena *arena = s->arena; // of the island, given back with it: solvers come again at every step
  size_t rows = (size_t)s->rows;
  double **vectors[] = {&f->a,    &f->d0,     &f->r,    &f->d,      &f->g,
                        &f->dr,   &f->dd,     &f->map,  &f->trial,  &f->trial_d,
                        &f->kept, &f->breaks, &f->from, &f->from_d, &f->anchor};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
    *vectors[i] = pc_arena_take(arena, rows, sizeof(double));
  f->y = pc_arena_take(arena, (size_t)s->dofs, sizeof(double));
  f->equality = pc_arena_take(arena, rows, sizeof(bool));
  f->piece = pc_arena_take(arena, (size_t)s->interactions * PC_MAX_PIECES, sizeof(pc_piece_state));
  f->turned = pc_arena_take(arena, (size_t)s->interactions, sizeof(pc_turned_law));
  f->cone = pc_arena_take(arena, (size_t)s->interactions * (s->rolls ? 2 : 1), sizeof(pc_cone));
  if (arena->failed)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (int pass = 0; pass < 2; pass++) {
    for (int k = 0; k < s->interactions; k++)
      if (plain_friction(&s->law[k]) == (pass == 1))
        add_interaction(f, k);
    if (pass == 0)
      f->unmerged = f->pieces;
  }
  return PC_OK;
}

void pc_friction_free(pc_friction *f)
{
  for (int i = 0; i < 2; i++)
    if (f->ready[i])
      pc_steps_free(&f->steps[i]);
}

int pc_friction_factorisations(const pc_friction *f)
{
  return f->steps[0].factorisations + f->steps[1].factorisations;
}

pc_status pc_friction_use(pc_friction *f, pc_steps_form form, pc_error *error)
{
  if (f->s->bodies == 0)
    form = PC_BY_ROWS;
  if (f->s->coupled)
    form = PC_BY_BODIES;
  f->now = &f->steps[form];
  if (f->ready[form])
    return PC_OK;
  f->ready[form] = true;
  return pc_steps_create(f->now, f->s, form, f->s->arena, error);
}

void pc_friction_soften(const pc_friction *f, const double *r, double *d)
{
  for (int i = 0; i < f->s->rows && f->soft > 0; i++)
    d[i] += f->soft * (r[i] - f->anchor[i]);
}

void pc_friction_set(pc_friction *f, int k, const pc_turned_law *law)
{
  pc_turned_law softer = *law;
  for (int i = 0; i < 3; i++)
    softer.b[i] += f->soft * law->k[i];
  softer.turn_b += f->soft * law->turn_k;
  for (int i = 0; i < 2; i++)
    softer.roll.b[i] += f->soft * law->roll.k[i];
  softer.roll.turn_b += f->soft * law->roll.turn_k;
  pc_step_law_set(&f->now->law[k], f->s->law[k].rows, f->s->law[k].rolls, &softer);
}

// Costs are in seconds of some processor, counted, never timed; only their ratios matter.
static double sweep_cost(const pc_friction *f)
{
  return 30e-9 * f->s->rows;
}

static double factor_cost(const pc_friction *f, const pc_steps *steps)
{
  return pc_lu_flops(steps->lu) / 4e9 + 6e-7 * f->s->rows;
}

double pc_friction_cost(const pc_friction *f)
{
  return COST_STEPS * factor_cost(f, f->now) / sweep_cost(f);
}

static double spent(const pc_friction *f)
{
  double sum = (f->sweeps + f->gradient_steps) * sweep_cost(f);
  for (int i = 0; i < 2; i++)
    if (f->ready[i])
      sum += f->steps[i].factorisations * factor_cost(f, &f->steps[i]);
  return sum;
}

static int iterations(const pc_friction *f)
{
  return pc_friction_factorisations(f) + f->gradient_steps;
}

// How many of `most` iterations are left that cost so much each.
static int affordable(const pc_friction *f, int most, double each)
{
  double left = fmin((f->budget - spent(f)) / each, f->most_iterations - iterations(f));
  return (int)fmax(0, fmin(most, left));
}

int pc_friction_afford(const pc_friction *f, int most)
{
  return affordable(f, most, factor_cost(f, f->now));
}

pc_status pc_friction_sweep(pc_friction *f, double tolerance, int most, pc_error *error)
{
  pc_solver_limits some = {.tolerance = tolerance, .max_iterations = most};
  pc_solver_result swept = {.residual = INFINITY};
  pc_status status = pc_solve_nsgs(f->s, &some, &swept, error);
  f->sweeps += swept.iterations;
  f->best = (pc_best){.residual = swept.residual};
  return status;
}

// Neighbours of an interaction, itself included, as a mean.
static double neighbours(const pc_system *s)
{
  double pairs = 0;
  int *degree = calloc((size_t)s->bodies, sizeof *degree);
  if (degree == NULL)
    return INFINITY;
  for (int t = 0; t < s->term[s->interactions]; t++)
    pairs += 2.0 * degree[s->term_body[t]]++ + 1;
  free(degree);
  return pairs / s->interactions;
}

void pc_friction_keep(pc_friction *f)
{
  if (f->best.residual < f->reached) {
    f->reached = f->best.residual;
    memcpy(f->kept, f->s->r, sizeof(double) * (size_t)f->s->rows);
  }
}

// One start of the interior point. Newton takes over as soon as it can.
static pc_status one_start(pc_friction *f, const pc_friction_start *start, double tolerance,
                           int steps, pc_error *error)
{
  f->best = (pc_best){.residual = INFINITY};
  double aim = fmax(tolerance, 1e-5);
  pc_status status = pc_friction_begin(f, start);
  int end = pc_friction_factorisations(f) + steps;
  while (status == PC_OK) {
    status = pc_friction_interior(f, aim, end - pc_friction_factorisations(f));
    bool last = f->stuck || pc_friction_factorisations(f) >= end;
    if (status == PC_OK && f->best.residual < 1e-2)
      status = pc_friction_newton(f, tolerance, last ? FINISH_STEPS : SHORT_FINISH, error);
    if (f->best.residual <= tolerance || last)
      break;
    aim *= 1e-2;
  }
  pc_friction_keep(f);
  return status;
}

// Newton from the best point of all, and on through the valley where that ends.
static pc_status finish_best(pc_friction *f, double tolerance, pc_error *error)
{
  memcpy(f->s->r, f->kept, sizeof(double) * (size_t)f->s->rows);
  f->best = (pc_best){.residual = f->reached};
  pc_status status = pc_friction_newton(f, tolerance, NEAR_STEPS, error);
  if (status == PC_OK && f->best.residual > tolerance)
    status = pc_friction_walk(f, tolerance, WALK_STEPS);
  pc_friction_keep(f);
  return status;
}

// Projected gradients, from the best point and from zero: on small islands they cost little, and
// fail in other places.
static pc_status gradients(pc_friction *f, double tolerance, pc_error *error)
{
  pc_solver *const by[] = {pc_solve_uzawa, pc_solve_apgd, pc_solve_uzawa};
  size_t size = sizeof(double) * (size_t)f->s->rows;
  pc_status status = PC_OK;
  for (int i = 0; i < 3 && status == PC_OK && f->reached > tolerance; i++) {
    int most = affordable(f, GRADIENT_STEPS, sweep_cost(f));
    if (most == 0)
      break;
    pc_solver_limits some = {.tolerance = tolerance, .max_iterations = most};
    pc_solver_result found = {.residual = INFINITY};
    if (i == 0)
      memcpy(f->s->r, f->kept, size);
    else
      memset(f->s->r, 0, size);
    status = by[i](f->s, &some, &found, error);
    f->gradient_steps += found.iterations;
    double before = f->reached;
    f->best = (pc_best){.residual = found.residual};
    pc_friction_keep(f);
    if (status == PC_OK && f->reached > tolerance && f->reached < fmin(near, 0.5 * before))
      status = finish_best(f, tolerance, error);
  }
  return status;
}

// By rows keeps more digits; by bodies is cheaper where many contacts meet, and in packings.
pc_status pc_friction_open(pc_friction *f, pc_system *s, pc_error *error)
{
  pc_status status = create(f, s, error);
  double each = status == PC_OK && s->bodies > 0 ? neighbours(s) : 0;
  bool rows = each < (s->interactions <= BY_ROWS_UP_TO ? 50 : 30);
  if (status == PC_OK)
    status = pc_friction_use(f, rows ? PC_BY_ROWS : PC_BY_BODIES, error);
  if (status == PC_OK && f->now->form == PC_BY_ROWS && s->interactions > BY_ROWS_UP_TO &&
      pc_lu_flops(f->now->lu) > cheap_rows * s->interactions)
    status = pc_friction_use(f, PC_BY_BODIES, error);
  return status;
}

static double mean_friction(const pc_friction *f)
{
  double sum = 0;
  for (int j = 0; j < f->cones; j++)
    sum += f->cone[j].mu;
  return f->cones > 0 ? sum / f->cones : 0;
}

// Who limits the sweeps wants an answer soon: no more factorisations than sweeps, and ten times
// their cost. What was spent before does not count.
static void set_budget(pc_friction *f, const pc_solver_limits *limits)
{
  int most = limits->max_iterations;
  f->most_iterations = most > 0 ? (double)iterations(f) + most : INFINITY;
  double least = LEAST_STEPS * factor_cost(f, f->now);
  f->budget = spent(f) + (most > 0 ? fmax(in_steps * most * sweep_cost(f), least) : much_work);
}

// From the best point: what takes longer than the interior point, and ends where that is stuck.
static pc_status persist(pc_friction *f, double wanted, bool limited, pc_error *error)
{
  int contacts = f->s->interactions;
  double each = path_steps / (contacts > BY_ROWS_UP_TO ? 1 : 3);
  pc_status status = PC_OK;
  if (f->reached < near)
    status = finish_best(f, wanted, error);
  if (status == PC_OK && contacts <= BY_ROWS_UP_TO && !f->s->coupled)
    status = gradients(f, wanted, error);
  bool rests = true;
  if (status == PC_OK && f->reached > wanted && !limited)
    status = pc_friction_rests(f, &rests, error);
  if (!rests)
    f->budget = fmin(f->budget, spent(f) + some_work);
  if (status == PC_OK && f->reached > wanted)
    status = pc_friction_path(f, wanted, (int)(each * contacts), error);
  return status;
}

// The other form of steps, which loses digits elsewhere, if some of it can be afforded.
static pc_status use_other(pc_friction *f, int *steps, pc_error *error)
{
  pc_steps_form form = f->now->form;
  pc_status status = pc_friction_use(f, form == PC_BY_ROWS ? PC_BY_BODIES : PC_BY_ROWS, error);
  int some = status == PC_OK ? pc_friction_afford(f, *steps) : 0;
  if (status == PC_OK && some == 0)
    return pc_friction_use(f, form, error);
  *steps = some;
  return status;
}

static pc_status direct(pc_friction *f, const pc_solver_limits *limits, pc_error *error)
{
  static const pc_friction_start starts[] = {{0.9, 1, false, false},
                                             {0.9, 1, true, false},
                                             {0.99, 0.1, false, false},
                                             {0.95, 1, true, true}};
  enum { STARTS = sizeof starts / sizeof *starts };
  pc_system *s = f->s;
  double tolerance = limits->tolerance, wanted = fmax(tolerance, limits->enough);
  pc_steps_form form = f->now->form;
  bool limited = limits->max_iterations > 0, large = s->interactions > SMALL_ISLAND;
  pc_status status = PC_OK;
  f->reached = INFINITY;
  f->best = (pc_best){.residual = INFINITY};
  pc_best_offer(&f->best, s, s->r, f->y, f->d);
  pc_friction_keep(f);
  set_budget(f, limits);
  if (f->reached < near && f->reached > 0) {
    status = pc_friction_newton(f, tolerance, pc_friction_afford(f, NEAR_STEPS), error);
    if (status == PC_OK && f->best.residual > tolerance && !limited)
      status = pc_friction_walk(f, tolerance, WALK_STEPS);
    pc_friction_keep(f);
    set_budget(f, limits);
  }
  double mu = mean_friction(f);
  int stress_after = mu > much_friction ? 0 : mu > little_friction ? 1 : STARTS; // of the starts
  for (int i = 0; i < (large ? 2 : STARTS) && status == PC_OK && f->reached > tolerance; i++) {
    int left = pc_friction_afford(f, MAX_STEPS);
    if (left == 0)
      return PC_OK;
    if (i == 2 && s->interactions <= 2 * BY_ROWS_UP_TO)
      status = use_other(f, &left, error);
    if (status == PC_OK)
      status = one_start(f, &starts[i], tolerance, left, error);
    if (status == PC_OK && f->reached > wanted && i == 0)
      status = pc_friction_conflict(f, wanted, error);
    if (f->least > wanted)
      return status;
    if (i == stress_after && status == PC_OK && f->reached > tolerance && !limited && !s->coupled &&
        !s->rolls) {
      status = pc_friction_stressed(f, tolerance, error);
      if (status == PC_OK && f->reached > tolerance && f->reached < near)
        status = finish_best(f, tolerance, error);
    }
  }
  if (status == PC_OK && f->reached > wanted && !large) {
    status = pc_friction_use(f, form, error);
    if (status == PC_OK)
      status = persist(f, wanted, limited, error);
  }
  return status;
}

pc_status pc_friction_direct(pc_friction *f, const pc_solver_limits *limits,
                             pc_solver_result *result, pc_error *error)
{
  pc_system *s = f->s;
  pc_steps_form form = f->now->form;
  pc_status status = direct(f, limits, error);
  if (status == PC_OK)
    status = pc_friction_use(f, form, error);
  memcpy(s->r, f->kept, sizeof(double) * (size_t)s->rows);
  f->best = (pc_best){.residual = f->reached};
  result->name = "ipm";
  result->iterations = iterations(f);
  result->least = f->least;
  result->residual = pc_best_finish(&f->best, s);
  result->converged = result->residual <= limits->tolerance;
  return status;
}

pc_status pc_friction_last(pc_friction *f, double wanted, int sweeps, pc_solver_result *result,
                           pc_error *error)
{
  pc_system *s = f->s;
  int left = sweeps > 0 ? sweeps : (int)fmin(last_sweeps, last_work / s->rows);
  int slice = left / 16 + 1, before = f->sweeps;
  pc_status status = PC_OK;
  set_budget(f, &(pc_solver_limits){.max_iterations = sweeps});
  f->best = (pc_best){.residual = result->residual};
  for (; left > 0 && status == PC_OK && f->best.residual > wanted; slice *= 2) {
    int some = slice < left ? slice : left, swept = f->sweeps;
    status = pc_friction_sweep(f, wanted, some, error);
    if (status == PC_OK && f->best.residual > wanted)
      status = pc_friction_newton(f, wanted, pc_friction_afford(f, FINISH_STEPS), error);
    if (status == PC_OK && f->best.residual > wanted && f->best.residual < near)
      status = pc_friction_walk(f, wanted, pc_friction_afford(f, WALK_STEPS));
    swept = f->sweeps - swept; // with those of Newton
    left -= swept > some ? swept : some;
  }
  result->iterations += f->sweeps - before;
  result->residual = pc_best_finish(&f->best, s);
  result->converged = result->residual <= wanted;
  return status;
}

pc_status pc_solve_friction(pc_system *s, const pc_solver_limits *limits, pc_solver_result *result,
                            pc_error *error)
{
  pc_friction f;
  double wanted = fmax(limits->tolerance, limits->enough);
  pc_status status = pc_friction_open(&f, s, error);
  if (status == PC_OK)
    status = pc_friction_direct(&f, limits, result, error);
  if (status == PC_OK && result->residual > wanted && result->least <= wanted &&
      limits->max_iterations == 0 && !s->coupled)
    status = pc_friction_last(&f, wanted, 0, result, error);
  pc_friction_free(&f);
  return status;
}
