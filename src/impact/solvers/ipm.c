// ipm: a primal-dual interior point for the convex laws, finished by semismooth Newton.
//
// Every law is a sum of pieces with variables that only have to be >= 0 (pieces.h). A Newton step
// eliminates the pieces, then the rows: what is left is (mass + J^T T J) dy = rhs.
// The costs are powers, compatible with the logarithmic barrier for every exponent > 1, and
// predictor, corrector and starting point are Mehrotra's.
//
// Near the solution T grows without bound and the last digits are lost, so the end is left to
// semismooth Newton (newton.h), which has the same matrix.
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "impact/solvers/newton.h"
#include "impact/solvers/pieces.h"
#include "impact/solvers/tuning.h"

enum { ATTEMPTS = 6 };
static const double tie = 1e-9; // compliance given to an equality; its multiplier is exact
// Attempts, each from a start of another size. Every constraint is a little soft, d = bound - soft
// r: contacts that lock each other can be in any state of self-stress, and without softness the
// interior point drives that to infinity. Newton removes it.
static const struct {
  double boost, soft;
} attempts[] = {{1, 1e-13}, {30, 1e-11}, {0.1, 1e-13}, {1000, 1e-12}, {1, 1e-9}, {1, 1e-7}};
static const double fraction = 0.995; // of the way to the boundary

typedef struct ipm {
  pc_system *s;
  pc_kkt kkt;
  int pieces;
  pc_piece_state *piece;
  double *a, *d0; // quadratic part of each row
  bool *equality; // rows d = d0, with a multiplier of their own
  double *tied;
  double *t, *g; // stiffness and offset of each row
  double *r, *y, *d, *dy, *dd, *trial, *trial_y, *trial_d, *kept;
  pc_best best;
  pc_newton newton;
  double soft;
} ipm;

static pc_status create(ipm *m, pc_system *s, pc_error *error)
{
  *m = (ipm){.s = s, .best = {.residual = INFINITY}};
  size_t rows = (size_t)s->rows;
  pc_status status = pc_kkt_create(&m->kkt, s, error);
  if (status != PC_OK)
    return status;
  double **vectors[] = {&m->a, &m->d0, &m->tied,  &m->t,       &m->g,    &m->r,
                        &m->d, &m->dd, &m->trial, &m->trial_d, &m->kept, NULL};
  pc_arena_take_vectors(s->arena, s->rows, vectors);
  pc_arena_take_vectors(s->arena, s->dofs, (double **[]){&m->y, &m->dy, &m->trial_y, NULL});
  m->equality = pc_arena_take(s->arena, rows, sizeof(bool));
  m->piece = pc_arena_take(s->arena, rows * PC_MAX_PIECES, sizeof(pc_piece_state));
  if (!pc_newton_create(&m->newton, s, &m->kkt))
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (int k = 0; k < s->interactions; k++)
    m->pieces +=
        pc_block_pieces(&s->law[k], s->row[k], m->a, m->d0, m->equality, m->piece + m->pieces);
  return PC_OK;
}

// r = -P of the present state.
static void state_percussion(ipm *m)
{
  for (int i = 0; i < m->s->rows; i++)
    m->r[i] = m->equality[i] ? -m->tied[i] : -m->a[i] * (m->d[i] - m->d0[i]);
  for (int j = 0; j < m->pieces; j++)
    m->r[m->piece[j].row] -= m->piece[j].nu;
}

// Sizes from one linear solve with springs in place of the constraints: heavy loads need large
// multipliers from the start.
static pc_status start(ipm *m, double boost)
{
  pc_system *s = m->s;
  const double spring = 1e3;
  for (int i = 0; i < s->rows; i++) {
    m->t[i] = m->equality[i] ? spring : m->a[i];
    m->g[i] = m->equality[i] || m->a[i] > 0 ? m->d0[i] : 0;
  }
  for (int j = 0; j < m->pieces; j++) {
    m->t[m->piece[j].row] = fmax(spring, m->t[m->piece[j].row]);
    m->g[m->piece[j].row] = m->piece[j].piece.alpha;
  }
  pc_status status = pc_kkt_factor(&m->kkt, m->t);
  if (status != PC_OK)
    return status;
  memset(m->y, 0, sizeof(double) * (size_t)s->dofs);
  for (int i = 0; i < s->rows; i++)
    m->trial[i] = -m->t[i] * (s->free[i] - m->g[i]);
  pc_system_transpose_add(s, m->trial, m->y);
  pc_cholesky_solve(m->kkt.factor, m->y);
  pc_system_deformation(s, m->r, m->y, m->d);
  double push = 0, speed = s->scale / sqrt((double)s->rows);
  for (int i = 0; i < s->rows; i++) {
    double r = fabs(m->t[i] * (m->d[i] - m->g[i]));
    push = fmax(push, r);
    m->tied[i] = m->equality[i] ? m->t[i] * (m->d[i] - m->g[i]) : 0;
  }
  push = fmax(push, speed) * boost;
  speed *= boost;
  for (int j = 0; j < m->pieces; j++)
    pc_piece_start(&m->piece[j], m->d[m->piece[j].row], speed, push);
  return PC_OK;
}

// Eliminates the pieces for a target of the products p lp and n ln.
static void eliminate(ipm *m, double target, bool correct)
{
  for (int i = 0; i < m->s->rows; i++) {
    m->t[i] = m->equality[i] ? 1 / tie : m->a[i];
    m->g[i] = m->equality[i] ? (m->d[i] - m->d0[i] - m->soft * m->tied[i]) / tie : 0;
  }
  for (int j = 0; j < m->pieces; j++) {
    pc_piece_state *q = &m->piece[j];
    pc_piece_eliminate(q, m->d[q->row], target, correct, m->soft);
    m->t[q->row] += 1 / q->compliance;
    m->g[q->row] += q->offset / q->compliance;
  }
}

// Direction for the target that `eliminate` was given; the matrix is factored already.
static void direction(ipm *m)
{
  pc_system *s = m->s;
  memset(m->dy, 0, sizeof(double) * (size_t)s->dofs);
  for (int i = 0; i < s->rows; i++)
    m->trial[i] = m->r[i] - m->g[i];
  pc_system_transpose_add(s, m->trial, m->dy);
  pc_system_momentum(s, m->y, m->trial_y);
  for (int i = 0; i < s->dofs; i++)
    m->dy[i] -= m->trial_y[i];
  pc_cholesky_solve(m->kkt.factor, m->dy);
  pc_system_multiply(s, m->dy, m->dd);
  pc_pieces_direction(m->piece, m->pieces, m->dd);
}

static double longest_step(const ipm *m)
{
  return pc_pieces_room(m->piece, m->pieces, 1 / fraction);
}

static double mean_product(const ipm *m, double step)
{
  double sum = 0;
  int count = 0;
  pc_pieces_products(m->piece, m->pieces, step, &sum, &count);
  return count > 0 ? sum / count : 0;
}

static void move(ipm *m, double step)
{
  for (int i = 0; i < m->s->dofs; i++)
    m->y[i] += step * m->dy[i];
  for (int i = 0; i < m->s->rows; i++)
    if (m->equality[i])
      m->tied[i] += step * (m->dd[i] + m->d[i] - m->d0[i] - m->soft * m->tied[i]) / tie;
  pc_pieces_move(m->piece, m->pieces, step);
  pc_system_deformation(m->s, m->r, m->y, m->d);
  state_percussion(m);
}

static pc_status interior(ipm *m, const pc_solver_limits *limits, int max_steps, double boost)
{
  pc_status status = start(m, boost);
  if (status != PC_OK)
    return status;
  state_percussion(m);
  // On small islands a failed attempt of Newton costs nothing.
  double try_newton = m->s->rows > PC_POLISHED_ROWS ? pc_newton_large : pc_newton_small;
  double last = INFINITY;
  int idle = 0;
  for (int step = 0; step < max_steps; step++) {
    double residual = pc_best_offer(&m->best, m->s, m->r, m->trial_y, m->trial_d);
    if (m->best.residual <= try_newton || m->best.residual <= limits->target.residual) {
      status = pc_newton_finish(&m->newton, &m->best);
      if (status != PC_OK || m->best.residual <= limits->target.residual)
        break;
      try_newton = fmin(1e-3 * try_newton, 1e-2 * m->best.residual);
    }
    idle = residual < 0.9 * last ? 0 : idle + 1;
    last = fmin(last, residual);
    if (idle > PC_CONVEX_IDLE)
      break;
    double mu = mean_product(m, 0);
    eliminate(m, 0, false);
    status = pc_kkt_factor(&m->kkt, m->t);
    if (status != PC_OK)
      return status == PC_ERROR_NUMERIC ? PC_OK : status;
    direction(m);
    double affine = fmin(1, longest_step(m)), left = fmax(mean_product(m, affine), 0) / mu;
    double centring = affine < 0.1 ? 0.8 : left * left * left;
    eliminate(m, centring * mu, true);
    direction(m);
    double length = fmin(1, fraction * longest_step(m));
    if (length < 0.05) { // the corrector went wrong: centre
      eliminate(m, 0.5 * mu, false);
      direction(m);
      length = fmin(1, fraction * longest_step(m));
    }
    if (!(length > 1e-10) || !isfinite(length))
      break;
    move(m, length);
  }
  return status;
}

pc_status pc_solve_ipm(pc_system *s, const pc_solver_limits *limits, pc_solver_result *result,
                       pc_error *error)
{
  ipm m;
  pc_status status = create(&m, s, error);
  if (status != PC_OK) {
    pc_kkt_free(&m.kkt);
    return status;
  }
  result->solver = PC_SOLVER_IPM;
  int most = limits->max_iterations > 0 ? limits->max_iterations : PC_CONVEX_STEPS;
  pc_best_offer(&m.best, s, s->r, m.trial_y, m.trial_d);
  if (m.pieces == 0) // linear
    status = pc_newton_finish(&m.newton, &m.best);
  double reached = m.best.residual;
  memcpy(m.kept, s->r, sizeof(double) * (size_t)s->rows);
  // Small islands aim at round-off, see solver.h; the later attempts cost little there.
  double aim = pc_solver_aim(s->rows, limits->target.residual);
  for (int i = 0; i < ATTEMPTS && status == PC_OK && reached > aim; i++) {
    // Each attempt has a best point of its own, so that Newton does not start from the last one's.
    m.best = (pc_best){.residual = INFINITY};
    m.soft = attempts[i].soft;
    status = interior(&m, limits, most, attempts[i].boost);
    if (status == PC_OK && m.best.residual > limits->target.residual)
      status = pc_newton_finish(&m.newton, &m.best);
    if (m.best.residual < reached) {
      reached = m.best.residual;
      memcpy(m.kept, s->r, sizeof(double) * (size_t)s->rows);
    }
    if (limits->max_iterations > 0 && m.kkt.factorisations >= limits->max_iterations)
      break;
  }
  memcpy(s->r, m.kept, sizeof(double) * (size_t)s->rows);
  m.best = (pc_best){.residual = reached};
  if (status == PC_OK && reached > aim)
    status = pc_newton_settle(&m.newton, &m.best);
  if (status != PC_OK)
    pc_fail(error, status, "the interior-point solver failed");
  result->iterations = m.kkt.factorisations;
  result->residual = pc_best_finish(&m.best, s);
  pc_kkt_free(&m.kkt);
  return status;
}
