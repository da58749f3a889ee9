// Islands with Coulomb friction: which direct method, from which start, in which order.
#include "impact/solvers/friction.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"

enum { BY_ROWS_UP_TO = 300, MAX_STEPS = 60, FINISH_STEPS = 25, SHORT_FINISH = 4 };
static const double no_friction = 1e-10;

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
    f->cone[f->cones++] = (pc_cone){
        .interaction = k, .row = first, .size = law->rows, .mu = law->mu, .pulls = !pushes};
  }
}

pc_status pc_friction_create(pc_friction *f, pc_system *s, pc_error *error)
{
  *f = (pc_friction){.s = s, .best = {.residual = INFINITY}};
  pc_arena *arena = &f->arena;
  size_t rows = (size_t)s->rows;
  double **vectors[] = {&f->a,  &f->d0,  &f->r,     &f->d,       &f->g,    &f->dr,
                        &f->dd, &f->map, &f->trial, &f->trial_d, &f->kept, &f->breaks};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
    *vectors[i] = pc_arena_take(arena, rows, sizeof(double));
  f->y = pc_arena_take(arena, (size_t)s->dofs, sizeof(double));
  f->equality = pc_arena_take(arena, rows, sizeof(bool));
  f->piece = pc_arena_take(arena, (size_t)s->interactions * PC_MAX_PIECES, sizeof(pc_piece_state));
  f->cone = pc_arena_take(arena, (size_t)s->interactions, sizeof(pc_cone));
  if (arena->failed)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (int k = 0; k < s->interactions; k++)
    add_interaction(f, k);
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

pc_status pc_solve_friction(pc_system *s, const pc_solver_limits *limits, pc_solver_result *result,
                            pc_error *error)
{
  static const pc_friction_start starts[] = {{0.9, 1}, {0.99, 0.1}, {0.95, 10}, {0.9, 100}};
  enum { STARTS = sizeof starts / sizeof *starts };
  bool trace = getenv("TRACE") != NULL;
  pc_friction f;
  pc_status status = pc_friction_create(&f, s, error);
  double reached = INFINITY;
  if (status == PC_OK)
    reached = pc_best_offer(&f.best, s, s->r, f.y, f.d);
  memcpy(f.kept, s->r, sizeof(double) * (size_t)s->rows);
  if (status == PC_OK && reached < 1e-4 && reached > limits->tolerance) {
    status =
        pc_friction_use(&f, s->interactions <= BY_ROWS_UP_TO ? PC_BY_ROWS : PC_BY_BODIES, error);
    if (status == PC_OK)
      status = pc_friction_newton(&f, limits->tolerance, 12, error);
    reached = f.best.residual;
    memcpy(f.kept, s->r, sizeof(double) * (size_t)s->rows);
    if (trace)
      printf("newton first: %d factorisations, %.2g\n", pc_friction_factorisations(&f), reached);
  }
  for (int i = 0; i < 2 * STARTS && status == PC_OK && reached > limits->tolerance; i++) {
    bool rows = s->interactions <= BY_ROWS_UP_TO;
    if (i >= STARTS)
      rows = !rows;
    status = pc_friction_use(&f, rows ? PC_BY_ROWS : PC_BY_BODIES, error);
    if (status != PC_OK)
      break;
    f.best = (pc_best){.residual = INFINITY};
    status = pc_friction_interior(&f, &starts[i % STARTS], limits->tolerance, MAX_STEPS);
    if (trace)
      printf("start %d: %d factorisations, %.2g ->", i, pc_friction_factorisations(&f),
             f.best.residual);
    if (status == PC_OK && f.best.residual > limits->tolerance && f.best.residual < 1e-2)
      status = pc_friction_newton(&f, limits->tolerance, FINISH_STEPS, error);
    if (trace)
      printf("newton %d, %.2g\n", pc_friction_factorisations(&f), f.best.residual);
    if (f.best.residual < reached) {
      reached = f.best.residual;
      memcpy(f.kept, s->r, sizeof(double) * (size_t)s->rows);
    }
  }
  memcpy(s->r, f.kept, sizeof(double) * (size_t)s->rows);
  f.best = (pc_best){.residual = reached};
  result->name = "ipm";
  result->iterations = pc_friction_factorisations(&f);
  result->residual = pc_best_finish(&f.best, s);
  result->converged = result->residual <= limits->tolerance;
  pc_friction_free(&f);
  return status;
}
