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
static const double path_steps = 20;   // for every interaction, a third of that in small islands,
static const double path_work = 1.6e7; // but no more than this, times interactions
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
  pc_arena *arena = &f->arena;
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
  pc_arena_free(&f->arena);
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
  return pc_steps_create(f->now, f->s, form, &f->arena, error);
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
    pc_solver_limits some = {.tolerance = tolerance, .max_iterations = GRADIENT_STEPS};
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

// In seconds of some processor; only the ratio matters.
double pc_friction_cost(const pc_friction *f)
{
  double sweep = 30e-9 * f->s->rows, factor = pc_lu_flops(f->now->lu) / 4e9 + 6e-7 * f->s->rows;
  return COST_STEPS * factor / sweep;
}

static double mean_friction(const pc_friction *f)
{
  double sum = 0;
  for (int j = 0; j < f->cones; j++)
    sum += f->cone[j].mu;
  return f->cones > 0 ? sum / f->cones : 0;
}

// Who limits the sweeps wants an answer soon: factorisations that cost ten times as much as those.
static int steps_worth(const pc_friction *f, int sweeps)
{
  double steps = in_steps * sweeps * COST_STEPS / pc_friction_cost(f);
  return (int)fmin(sweeps, fmax(LEAST_STEPS, steps));
}

static pc_status direct(pc_friction *f, const pc_solver_limits *limits, pc_error *error)
{
  static const pc_friction_start starts[] = {{0.9, 1, false, false},
                                             {0.9, 1, true, false},
                                             {0.99, 0.1, false, false},
                                             {0.95, 1, true, true}};
  enum { STARTS = sizeof starts / sizeof *starts };
  pc_system *s = f->s;
  double tolerance = limits->tolerance;
  pc_steps_form form = f->now->form;
  int cap = limits->max_iterations > 0 ? steps_worth(f, limits->max_iterations) : 0;
  pc_status status = PC_OK;
  f->reached = INFINITY;
  f->best = (pc_best){.residual = INFINITY};
  pc_best_offer(&f->best, s, s->r, f->y, f->d);
  pc_friction_keep(f);
  if (f->reached < near && f->reached > 0) {
    status =
        pc_friction_newton(f, tolerance, cap > 0 && cap < NEAR_STEPS ? cap : NEAR_STEPS, error);
    if (status == PC_OK && f->best.residual > tolerance && cap == 0)
      status = pc_friction_walk(f, tolerance, WALK_STEPS);
    pc_friction_keep(f);
  }
  bool large = s->interactions > SMALL_ISLAND;
  double mu = mean_friction(f);
  int stress_after = mu > much_friction ? 0 : mu > little_friction ? 1 : STARTS; // of the starts
  for (int i = 0; i < (large ? 2 : STARTS) && status == PC_OK && f->reached > tolerance; i++) {
    int left = cap > 0 ? cap - pc_friction_factorisations(f) : MAX_STEPS;
    if (left <= 0)
      return PC_OK;
    left = left < MAX_STEPS ? left : MAX_STEPS;
    if (i == 2 && s->interactions <= 2 * BY_ROWS_UP_TO)
      status = pc_friction_use(f, form == PC_BY_ROWS ? PC_BY_BODIES : PC_BY_ROWS, error);
    if (status == PC_OK)
      status = one_start(f, &starts[i], tolerance, left, error);
    if (i == stress_after && status == PC_OK && f->reached > tolerance && cap == 0 && !s->coupled &&
        !s->rolls) {
      status = pc_friction_stressed(f, tolerance, error);
      if (status == PC_OK && f->reached > tolerance && f->reached < near)
        status = finish_best(f, tolerance, error);
    }
  }
  if (status == PC_OK && f->reached > tolerance && cap == 0 && !large) {
    double steps = path_steps * s->interactions / (s->interactions > BY_ROWS_UP_TO ? 1 : 3);
    int most = (int)fmin(steps, path_work / (s->interactions + 1));
    status = pc_friction_use(f, form, error);
    if (status == PC_OK && f->reached < near)
      status = finish_best(f, tolerance, error);
    if (status == PC_OK && s->interactions <= BY_ROWS_UP_TO && !s->coupled)
      status = gradients(f, tolerance, error);
    if (status == PC_OK && f->reached > tolerance)
      status = pc_friction_path(f, tolerance, most, error);
  }
  return status;
}

pc_status pc_friction_direct(pc_friction *f, const pc_solver_limits *limits,
                             pc_solver_result *result, pc_error *error)
{
  pc_system *s = f->s;
  pc_status status = direct(f, limits, error);
  memcpy(s->r, f->kept, sizeof(double) * (size_t)s->rows);
  f->best = (pc_best){.residual = f->reached};
  result->name = "ipm";
  result->iterations = pc_friction_factorisations(f) + f->gradient_steps;
  result->residual = pc_best_finish(&f->best, s);
  result->converged = result->residual <= limits->tolerance;
  return status;
}

pc_status pc_friction_last(pc_friction *f, const pc_solver_limits *limits, pc_solver_result *result,
                           pc_error *error)
{
  pc_system *s = f->s;
  int left = (int)fmin(last_sweeps, last_work / s->rows), slice = left / 16 + 1;
  pc_status status = PC_OK;
  f->best = (pc_best){.residual = result->residual};
  for (; left > 0 && status == PC_OK && f->best.residual > limits->tolerance; slice *= 2) {
    pc_solver_limits more = {.tolerance = limits->tolerance,
                             .max_iterations = slice < left ? slice : left};
    pc_solver_result swept = {0};
    status = pc_solve_nsgs(s, &more, &swept, error);
    if (status != PC_OK)
      break;
    left -= more.max_iterations;
    result->iterations += swept.iterations;
    f->best.residual = swept.residual;
    if (!swept.converged)
      status = pc_friction_newton(f, limits->tolerance, FINISH_STEPS, error);
    if (status == PC_OK && f->best.residual > limits->tolerance && f->best.residual < near)
      status = pc_friction_walk(f, limits->tolerance, WALK_STEPS);
  }
  result->residual = pc_best_finish(&f->best, s);
  result->converged = result->residual <= limits->tolerance;
  return status;
}

pc_status pc_solve_friction(pc_system *s, const pc_solver_limits *limits, pc_solver_result *result,
                            pc_error *error)
{
  pc_friction f;
  pc_status status = pc_friction_open(&f, s, error);
  if (status == PC_OK)
    status = pc_friction_direct(&f, limits, result, error);
  if (status == PC_OK && !result->converged && limits->max_iterations == 0 && !s->coupled)
    status = pc_friction_last(&f, limits, result, error);
  pc_friction_free(&f);
  return status;
}
