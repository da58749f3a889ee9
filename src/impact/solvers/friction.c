// What the direct methods for friction share: the equations of an island, the steps, the budget and
// the best point of all attempts.
#include "impact/solvers/friction.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "impact/solvers/tuning.h"

static const double no_friction = 1e-10; // below it a contact has none

static void add_interaction(pc_friction *f, int k)
{
  const pc_block_law *law = &f->s->law[k];
  int first = f->s->row[k];
  bool friction = law->tangential == PC_TANGENTIAL_COULOMB && law->normal && law->rows > 1;
  f->pieces += pc_block_pieces(law, first, f->a, f->d0, f->equality, f->piece + f->pieces);
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
                                      .pulls = !pushes};
  }
}

static pc_status create(pc_friction *f, pc_system *s, pc_error *error)
{
  *f = (pc_friction){.s = s, .smooth = 1, .best = {.residual = INFINITY}};
  pc_arena *arena = s->arena; // of the island, given back with it: solvers come again at every step
  double **vectors[] = {&f->a,    &f->d0,     &f->r,      &f->d,       &f->g,    &f->dr,
                        &f->dd,   &f->map,    &f->trial,  &f->trial_d, &f->kept, &f->breaks,
                        &f->from, &f->from_d, &f->anchor, NULL};
  pc_arena_take_vectors(arena, s->rows, vectors);
  pc_arena_take_vectors(arena, s->dofs, (double **[]){&f->y, NULL});
  f->equality = pc_arena_take(arena, (size_t)s->rows, sizeof(bool));
  f->piece = pc_arena_take(arena, (size_t)s->interactions * PC_MAX_PIECES, sizeof(pc_piece_state));
  f->cone = pc_arena_take(arena, (size_t)s->interactions * (s->rolls ? 2 : 1), sizeof(pc_cone));
  if (arena->failed)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (int k = 0; k < s->interactions; k++)
    add_interaction(f, k);
  return PC_OK;
}

void pc_friction_free(pc_friction *f)
{
  pc_steps_free(&f->steps);
}

void pc_friction_soften(const pc_friction *f, const double *r, double *d)
{
  for (int i = 0; i < f->s->rows && f->soft > 0; i++)
    d[i] += f->soft * (r[i] - f->anchor[i]);
}

static void soften_part(double soft, pc_turned_part *part)
{
  for (int i = 0; i < 2; i++)
    part->b[i] += soft * part->k[i];
  part->turn_b += soft * part->turn_k;
}

void pc_friction_set(pc_friction *f, int k, const pc_turned_law *law)
{
  pc_turned_law softer = *law;
  softer.b += f->soft * law->k;
  soften_part(f->soft, &softer.slide);
  soften_part(f->soft, &softer.roll);
  pc_step_law_set(&f->steps.law[k], f->s->law[k].rows, f->s->law[k].rolls, &softer);
}

// Costs are in seconds of some processor, counted, never timed; only their ratios matter.
static double sweep_cost(const pc_friction *f)
{
  return pc_sweep_seconds * f->s->rows;
}

static double factor_cost(const pc_friction *f)
{
  return pc_lu_flops(f->steps.lu) / pc_flops_per_second + pc_step_seconds * f->s->rows;
}

double pc_friction_cost(const pc_friction *f)
{
  return PC_INTERIOR_STEPS * factor_cost(f) / sweep_cost(f);
}

static double spent(const pc_friction *f)
{
  return f->sweeps * sweep_cost(f) + f->steps.factorisations * factor_cost(f);
}

int pc_friction_afford(const pc_friction *f, int most)
{
  double left =
      fmin((f->budget - spent(f)) / factor_cost(f), f->most_steps - f->steps.factorisations);
  return (int)fmax(0, fmin(most, left));
}

void pc_friction_allow(pc_friction *f, int most)
{
  f->most_steps = most > 0 ? (double)f->steps.factorisations + most : INFINITY;
  double least = PC_LIMITED_STEPS * factor_cost(f);
  double limited = fmax(pc_limited_work * most * sweep_cost(f), least);
  f->budget = spent(f) + (most > 0 ? limited : pc_all_work);
}

void pc_friction_doubt(pc_friction *f)
{
  f->budget = fmin(f->budget, spent(f) + pc_doubtful_work);
}

double pc_friction_mean(const pc_friction *f)
{
  double sum = 0;
  for (int j = 0; j < f->cones; j++)
    sum += f->cone[j].mu;
  return f->cones > 0 ? sum / f->cones : 0;
}

pc_status pc_friction_sweep(pc_friction *f, double tolerance, int most, pc_error *error)
{
  pc_solver_limits some = {.target.residual = tolerance, .max_iterations = most};
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
  int *degree = pc_arena_take(s->arena, (size_t)s->bodies, sizeof *degree);
  if (degree == NULL)
    return INFINITY;
  for (int t = 0; t < s->term[s->interactions]; t++)
    pairs += 2.0 * degree[s->term_body[t]]++ + 1;
  return pairs / s->interactions;
}

void pc_friction_keep(pc_friction *f)
{
  if (f->best.residual < f->reached) {
    f->reached = f->best.residual;
    memcpy(f->kept, f->s->r, sizeof(double) * (size_t)f->s->rows);
  }
}

// By rows keeps more digits; by bodies is cheaper where many contacts meet, and in packings.
pc_status pc_friction_open(pc_friction *f, pc_system *s, pc_error *error)
{
  pc_status status = create(f, s, error);
  if (status != PC_OK)
    return status;
  bool small = s->interactions <= PC_SMALL_DIRECT, given = s->bodies == 0;
  bool rows = given || (!s->coupled &&
                        neighbours(s) < (small ? pc_row_neighbours : pc_row_neighbours_large));
  status = pc_steps_create(&f->steps, s, rows ? PC_BY_ROWS : PC_BY_BODIES, error);
  if (status == PC_OK && rows && !given && !small &&
      pc_lu_flops(f->steps.lu) > pc_row_flops * s->interactions) {
    pc_steps_free(&f->steps);
    status = pc_steps_create(&f->steps, s, PC_BY_BODIES, error);
  }
  return status;
}
