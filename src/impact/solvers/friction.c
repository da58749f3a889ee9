// Islands with Coulomb friction: which direct method, from which start, in which order.
#include "impact/solvers/friction.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"

enum { BY_ROWS_UP_TO = 300, MAX_STEPS = 60, NEAR_STEPS = 12, FINISH_STEPS = 25, SHORT_FINISH = 4 };
static const double no_friction = 1e-10, least_merged = 1e-3;

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
  if (friction && law->mu > no_friction) {
    const pc_row_ops *ops = law->row.ops;
    bool pushes =
        ops == &pc_law_inelastic || ops == &pc_law_restitution || ops == &pc_law_threshold;
    f->cone[f->cones++] = (pc_cone){.interaction = k,
                                    .row = first,
                                    .size = law->rows,
                                    .mu = law->mu,
                                    .pulls = !pushes,
                                    .plain = plain_friction(law)};
  }
}

pc_status pc_friction_create(pc_friction *f, pc_system *s, pc_error *error)
{
  *f = (pc_friction){.s = s, .best = {.residual = INFINITY}};
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
  f->cone = pc_arena_take(arena, (size_t)s->interactions, sizeof(pc_cone));
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
  pc_step_law_set(&f->now->law[k], f->s->law[k].rows, &softer);
}

// By rows keeps more digits; by bodies is cheaper where many contacts meet at a body.
static pc_steps_form best_form(const pc_system *s)
{
  double pairs = 0;
  if (s->bodies == 0)
    return PC_BY_ROWS;
  int *degree = calloc((size_t)s->bodies, sizeof *degree);
  if (degree == NULL)
    return PC_BY_BODIES;
  for (int t = 0; t < s->term[s->interactions]; t++)
    pairs += 2.0 * degree[s->term_body[t]]++ + 1;
  free(degree);
  return s->interactions <= BY_ROWS_UP_TO && pairs < 50.0 * s->interactions ? PC_BY_ROWS
                                                                            : PC_BY_BODIES;
}

static void keep(pc_friction *f, double *reached)
{
  if (f->best.residual < *reached) {
    *reached = f->best.residual;
    memcpy(f->kept, f->s->r, sizeof(double) * (size_t)f->s->rows);
  }
}

// One start of the interior point. Newton takes over as soon as it can.
static pc_status one_start(pc_friction *f, const pc_friction_start *start, double tolerance,
                           int steps, pc_error *error)
{
  f->best = (pc_best){.residual = INFINITY};
  double aim = 1e-5;
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
  return status;
}

// Proximal points: every interaction a little soft about the last point, which makes the interior
// point and Newton converge where they do not otherwise, again and again, softer and then harder.
static pc_status proximal(pc_friction *f, double *reached, double tolerance, int steps,
                          pc_error *error)
{
  static const pc_friction_start plain = {0.9, 1, false, false};
  size_t size = sizeof(double) * (size_t)f->s->rows;
  int end = pc_friction_factorisations(f) + steps;
  double soft = getenv("SOFT") ? atof(getenv("SOFT")) : 1e-2;
  pc_status status = PC_OK;
  memset(f->anchor, 0, size);
  double now = 1;
  if (getenv("ANCHOR")) { memcpy(f->anchor, f->kept, size); now = *reached; }
  while (status == PC_OK && *reached > tolerance && pc_friction_factorisations(f) < end &&
         soft < 1) {
    bool good = false;
    int before = pc_friction_factorisations(f), by = 0;
    f->soft = soft;
    f->best = (pc_best){.residual = INFINITY};
    double goal = fmin(1e-2 * now, 1e-4);
    if (now < (getenv("NW") ? atof(getenv("NW")) : 1e-3))
      status = pc_friction_newton_soft(f, goal, 12, &good);
    if (status == PC_OK && !good) {
      status = pc_friction_begin(f, &plain);
      if (status == PC_OK)
        status = pc_friction_interior(f, goal, 50);
      good = f->lowest <= goal;
      memcpy(f->from, f->r, size);
      by = 1;
    }
    f->soft = 0;
    if (status != PC_OK)
      return status;
    if (good) {
      memcpy(f->anchor, f->from, size);
      now = pc_best_offer(&f->best, f->s, f->from, f->y, f->from_d);
      keep(f, reached);
      if (getenv("TRACE"))
        printf("  soft %.2g by %s: %.2g, %d\n", soft, by ? "ipm" : "newton", now,
               pc_friction_factorisations(f) - before);
      soft *= 0.4;
      if (now < 1e-3) {
        f->best = (pc_best){.residual = now};
        memcpy(f->s->r, f->anchor, size);
        status = pc_friction_newton(f, tolerance, 5, error);
        keep(f, reached);
      }
    } else {
      if (getenv("TRACE"))
        printf("  soft %.2g failed: %d\n", soft, pc_friction_factorisations(f) - before);
      soft *= 3;
    }
  }
  return status;
}

static const pc_friction_start starts[] = {{0.9, 1, false, false},    {0.9, 1, true, false},
                                           {0.99, 0.1, false, false}, {0.95, 0.1, true, true},
                                           {0.9, 10, true, false},    {0.9, 30, false, false}};
enum { STARTS = sizeof starts / sizeof *starts };

pc_status pc_solve_friction(pc_system *s, const pc_solver_limits *limits, pc_solver_result *result,
                            pc_error *error)
{
  bool trace = getenv("TRACE") != NULL;
  pc_friction f;
  pc_status status = pc_friction_create(&f, s, error);
  double reached = INFINITY, tolerance = limits->tolerance;
  int most = limits->max_iterations > 0 ? limits->max_iterations : MAX_STEPS;
  pc_steps_form form = best_form(s);
  if (status == PC_OK) {
    pc_best_offer(&f.best, s, s->r, f.y, f.d);
    keep(&f, &reached);
    status = pc_friction_use(&f, form, error);
  }
  if (getenv("PRE")) {
    pc_solver_limits few = {tolerance, atoi(getenv("PRE"))};
    pc_solver_result swept = {0};
    pc_solve_nsgs(s, &few, &swept, error);
    f.best.residual = swept.residual;
    keep(&f, &reached);
  }
  if (status == PC_OK && reached < 1e-4) {
    status = pc_friction_newton(&f, tolerance, NEAR_STEPS, error);
    keep(&f, &reached);
    if (trace)
      printf("newton first: %d factorisations, %.2g\n", pc_friction_factorisations(&f), reached);
  }
  for (int i = 0; i < STARTS && status == PC_OK && reached > tolerance; i++) {
    if (getenv("ONLY") && i != atoi(getenv("ONLY")))
      continue;
    if (limits->max_iterations > 0 && pc_friction_factorisations(&f) >= most)
      break;
    status = one_start(&f, &starts[i], tolerance, most, error);
    keep(&f, &reached);
    if (trace)
      printf("start %d: %d factorisations, %.2g -> newton %.2g\n", i,
             pc_friction_factorisations(&f), f.lowest, f.best.residual);
  }
  if (status == PC_OK && reached > tolerance) {
    int before = pc_friction_factorisations(&f);
    status = proximal(&f, &reached, tolerance, 400, error);
    if (trace)
      printf("proximal: %.2g in %d\n", reached, pc_friction_factorisations(&f) - before);
  }
  memcpy(s->r, f.kept, sizeof(double) * (size_t)s->rows);
  f.best = (pc_best){.residual = reached};
  result->name = "ipm";
  result->iterations = pc_friction_factorisations(&f);
  result->residual = pc_best_finish(&f.best, s);
  result->converged = result->residual <= tolerance;
  pc_friction_free(&f);
  return status;
}
