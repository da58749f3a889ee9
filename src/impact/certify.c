// A bound of the error of an answer.
//
// For convex laws the exact motion U* minimises |U - U_free|_M^2 / 2 + sum Psi_k(D_k). Any
// admissible motion U and percussions P that the laws can give have a duality gap
//
//     G = |U - U_P|_M^2 / 2 + F,     U_P = U_free - M^-1 B^T P,     F = sum of Fenchel's gaps,
//
// and |U - U*|^2 + |U_P - U*|^2 <= 2 G, because the kinetic energy is strongly convex. So U* is in
// a ball about (U + U_P)/2, and |U - U*| <= |U - U_P|/2 + sqrt(F + |U - U_P|^2/4).
//
// F is of first order in the error of a pair, and its root is far above the error itself. So the
// problem is solved once more, to round-off, with bounds raised a little so that the motion is
// admissible beyond doubt; this pair has a small ball, and the error of the answer is its distance
// from there, more or less the radius. Nothing that the solver says is trusted: intervals are
// evaluated from the problem as it was stated.
//
// Where the motion cannot be made admissible (ties, bodies wedged between fixed ones) the bound
// holds for the problem whose bounds are changed by `shift`. With Coulomb's law it holds for the
// convex problem with the thresholds of friction that the second solution has.
#include <math.h>
#include <string.h>

#include "core/enclosure.h"
#include "core/error.h"
#include "impact/laws/fenchel.h"
#include "impact/problem.h"

// How precisely the problem is solved again, and by how much bounds are raised then, over the size
// of the velocities: at first, and how often four times more.
typedef struct precision {
  const char *solver;
  double tolerance, enough; // the residual asked for, and one that will do
  double raise;
} precision;
static const precision convex = {"ipm", 1e-14, 1e-11, 1e-15};
static const precision coulomb = {"auto", 1e-12, 1e-9, 2e-13};
enum { ATTEMPTS = 6 };

// The answer, to be restored, and the one it is compared with.
typedef struct saved_answer {
  double *after, *force, *bound;
  double reached, free_energy, speed;
} saved_answer;

typedef struct certifying {
  pc_impact *problem;
  pc_arena arena;
  saved_answer answer;
  pc_interval *defect; // M (U - U-) - P_ext + B^T P, per degree of freedom
  const precision *how;
  int max_iterations, threads;
} certifying;

// A ball about `after` of the problem that has the exact motion in it.
typedef struct ball {
  double radius, shift;
} ball;

static double bound_of(const pc_interaction_data *data)
{
  return data->unilateral ? data->bound : -INFINITY;
}

// D of the rows that act.
static void enclose_rows(const pc_impact *problem, const pc_interaction_data *data,
                         const pc_rows *rows, int count, const double *velocity, pc_interval *d)
{
  const double *given = pc_interaction_given(problem, data);
  for (int r = 0; r < count; r++) {
    d[r] = pc_exactly(0);
    for (int i = 0; i < pc_interaction_numbers(data); i++)
      d[r] = pc_enclose_sum(
          d[r], pc_enclose_multiple(pc_row_axis(data, rows, r, i), pc_exactly(given[i])));
  }
  for (int t = 0; t < data->terms; t++) {
    const pc_body_data *body = &problem->body.at[pc_term_body(problem, data, t)];
    const double *row = pc_term_rows(problem, data, rows, t), *u = velocity + body->start;
    for (int r = 0; r < count; r++, row += body->dof)
      for (int i = 0; i < body->dof; i++)
        d[r] = pc_enclose_sum(d[r], pc_enclose_multiple(row[i], pc_exactly(u[i])));
  }
}

// Rows of friction: percussions within the discs, and their gaps.
static void measure_friction(const pc_law *law, const pc_interaction_data *data, int first,
                             int count, const pc_interval *before, const pc_interval *after,
                             double *p, pc_gap *gap)
{
  const pc_tangential_law *of = &law->tangential;
  int rolls = pc_rolling_rows(law, data), slides = count - first - rolls;
  double push = fmax(0, -p[0]), share = pc_tangential_share(law);
  double mu[2] = {of->mu[0], of->anisotropic ? of->mu[1] : of->mu[0]};
  double roll[2] = {of->rolling, of->rolling};
  pc_interval v[PC_MAX_ROWS];
  for (int i = first; i < count; i++)
    v[i] = pc_enclose_sum(after[i], pc_enclose_multiple(share, before[i]));
  pc_disc_admit(slides, mu, push, p + first);
  pc_disc_gap(slides, mu, push, v + first, p + first, gap);
  if (rolls > 0) {
    pc_disc_admit(rolls, roll, push, p + first + slides);
    pc_disc_gap(rolls, roll, push, v + first + slides, p + first + slides, gap);
  }
}

// Makes the percussions p of one interaction such as its law can give, and adds their gap.
static void measure_law(const pc_impact *problem, const pc_interaction_data *data, int count,
                        const pc_interval *before, const pc_interval *after, double *p, pc_gap *gap)
{
  const pc_law *law = pc_law_of(problem, data);
  bool spin = data->type == PC_SPIN;
  int first = !spin && law->normal.kind != PC_NORMAL_NONE;
  if (first == 1) {
    pc_normal_row row = {&law->normal, isfinite(bound_of(data)), before[0], after[0],
                         pc_exactly(data->bound)};
    if (law->normal.kind == PC_NORMAL_RESTITUTION)
      row.bound = pc_enclose_sum(row.bound, pc_enclose_multiple(-law->normal.e, before[0]));
    p[0] = pc_normal_admit(&law->normal, row.unilateral, p[0]);
    pc_normal_gap(&row, p[0], gap);
  }
  bool tied = spin ? law->normal.kind == PC_NORMAL_BILATERAL
                   : law->tangential.kind == PC_TANGENTIAL_BILATERAL;
  double k = spin ? law->normal.k : law->tangential.k;
  if (!spin && law->tangential.kind == PC_TANGENTIAL_COULOMB) {
    measure_friction(law, data, first, count, before, after, p, gap);
    return;
  }
  for (int r = first; r < count; r++) {
    if (tied) {
      pc_tied_gap(after[r], spin && r == 0 ? data->bound : 0, gap);
      continue;
    }
    p[r] = k > 0 ? p[r] : 0;
    pc_viscous_gap(k, before[r], after[r], p[r], gap);
  }
}

// B^T p of one interaction, to the defect.
static void add_percussion(certifying *c, const pc_interaction_data *data, const pc_rows *rows,
                           int count, const double *p)
{
  for (int t = 0; t < data->terms; t++) {
    const pc_body_data *body = &c->problem->body.at[pc_term_body(c->problem, data, t)];
    const double *row = pc_term_rows(c->problem, data, rows, t);
    pc_interval *to = c->defect + body->start;
    for (int r = 0; r < count; r++, row += body->dof)
      for (int i = 0; i < body->dof; i++)
        to[i] = pc_enclose_sum(to[i], pc_enclose_multiple(row[i], pc_exactly(p[r])));
  }
}

// The velocities of a body that are not prescribed, and their block of the mass.
typedef struct free_part {
  int count, dof[PC_MAX_DOF];
  double mass[PC_MAX_DOF][PC_MAX_DOF];
} free_part;

static free_part free_part_of(const pc_impact *problem, const pc_body_data *body)
{
  free_part part = {0};
  double mass[PC_MAX_DOF * PC_MAX_DOF];
  pc_body_mass(problem, body, mass);
  for (int i = 0; i < body->dof; i++)
    if (!pc_body_prescribes(body, i))
      part.dof[part.count++] = i;
  for (int i = 0; i < part.count; i++)
    for (int j = 0; j < part.count; j++)
      part.mass[i][j] = mass[part.dof[i] * body->dof + part.dof[j]];
  return part;
}

// x^T M x of one body; x by its free velocities.
static pc_interval enclose_energy(const free_part *part, const pc_interval *x)
{
  pc_interval sum = {0, 0};
  for (int i = 0; i < part->count; i++) {
    pc_interval row = {0, 0};
    for (int j = 0; j < part->count; j++)
      row = pc_enclose_sum(row, pc_enclose_multiple(part->mass[i][j], x[j]));
    sum = pc_enclose_sum(sum, pc_enclose_product(row, x[i]));
  }
  return sum;
}

// An upper bound of x^T M^-1 x, by Cholesky's factors; infinite if M is next to singular.
static double inverse_energy(const free_part *part, pc_interval *x)
{
  pc_interval factor[PC_MAX_DOF][PC_MAX_DOF], sum = {0, 0};
  for (int i = 0; i < part->count; i++) {
    for (int j = 0; j <= i; j++) {
      pc_interval left = pc_exactly(part->mass[i][j]);
      for (int k = 0; k < j; k++)
        left = pc_enclose_difference(left, pc_enclose_product(factor[i][k], factor[j][k]));
      if (i == j && !(left.low > 0))
        return INFINITY;
      factor[i][j] = i == j ? pc_enclose_root(left) : pc_enclose_quotient(left, factor[j][j]);
    }
    for (int k = 0; k < i; k++)
      x[i] = pc_enclose_difference(x[i], pc_enclose_product(factor[i][k], x[k]));
    x[i] = pc_enclose_quotient(x[i], factor[i][i]);
    sum = pc_enclose_sum(sum, pc_enclose_square(x[i]));
  }
  return sum.high;
}

// M (U - U-) - P_ext of all bodies.
static void begin_defect(certifying *c)
{
  const pc_impact *problem = c->problem;
  for (int b = 0; b < problem->body.count; b++) {
    const pc_body_data *body = &problem->body.at[b];
    free_part part = free_part_of(problem, body);
    for (int i = 0; i < part.count; i++) {
      int at = body->start + part.dof[i];
      pc_interval sum = pc_exactly(-problem->percussion.at[at]);
      for (int j = 0; j < part.count; j++) {
        int from = body->start + part.dof[j];
        pc_interval jump = pc_enclose_difference(pc_exactly(problem->after.at[from]),
                                                 pc_exactly(problem->before.at[from]));
        sum = pc_enclose_sum(sum, pc_enclose_multiple(part.mass[i][j], jump));
      }
      c->defect[at] = sum;
    }
  }
}

// |U - U_P|_M^2 or more.
static double end_defect(certifying *c)
{
  double sum = 0;
  for (int b = 0; b < c->problem->body.count; b++) {
    const pc_body_data *body = &c->problem->body.at[b];
    free_part part = free_part_of(c->problem, body);
    pc_interval x[PC_MAX_DOF];
    for (int i = 0; i < part.count; i++)
      x[i] = c->defect[body->start + part.dof[i]];
    sum = pc_round_up(sum + inverse_energy(&part, x));
  }
  return sum;
}

// Whether no velocity of an interaction can change. Then it dissipates what it does, and can only
// be contradicted by the others.
static bool is_given(const pc_impact *problem, const pc_interaction_data *data)
{
  for (int t = 0; t < data->terms; t++)
    if (problem->body.at[pc_term_body(problem, data, t)].movable)
      return false;
  return true;
}

// The ball about the answer that the problem has now.
static ball measure_ball(certifying *c)
{
  const pc_impact *problem = c->problem;
  pc_gap gap = {0};
  memset(c->defect, 0, sizeof *c->defect * (size_t)problem->dofs);
  begin_defect(c);
  for (int k = 0; k < problem->interaction.count; k++) {
    const pc_interaction_data *data = &problem->interaction.at[k];
    int count = pc_interaction_active(pc_law_of(problem, data), data);
    pc_rows rows;
    pc_interval before[PC_MAX_ROWS], after[PC_MAX_ROWS];
    double p[PC_MAX_ROWS] = {0};
    pc_impact_rows(problem, data, &rows);
    enclose_rows(problem, data, &rows, count, problem->before.at, before);
    enclose_rows(problem, data, &rows, count, problem->after.at, after);
    for (int r = 0; r < count; r++)
      for (int i = 0; i < pc_interaction_numbers(data); i++)
        p[r] += pc_row_axis(data, &rows, r, i) * problem->force.at[data->row + i];
    double energy = gap.energy;
    measure_law(problem, data, count, before, after, p, &gap);
    if (is_given(problem, data))
      gap.energy = energy;
    add_percussion(c, data, &rows, count, p);
  }
  double square = end_defect(c), half = pc_round_up(0.5 * pc_round_up(sqrt(square)));
  double root = pc_round_up(sqrt(pc_round_up(fmax(gap.energy, 0) + 0.25 * square)));
  return (ball){pc_round_up(half + root), gap.shift};
}

// |U - U_saved|_M
static pc_interval measure_distance(const certifying *c)
{
  const pc_impact *problem = c->problem;
  pc_interval sum = {0, 0};
  for (int b = 0; b < problem->body.count; b++) {
    const pc_body_data *body = &problem->body.at[b];
    free_part part = free_part_of(problem, body);
    pc_interval x[PC_MAX_DOF];
    for (int i = 0; i < part.count; i++) {
      int at = body->start + part.dof[i];
      x[i] =
          pc_enclose_difference(pc_exactly(problem->after.at[at]), pc_exactly(c->answer.after[at]));
    }
    sum = pc_enclose_sum(sum, enclose_energy(&part, x));
  }
  return pc_enclose_root(sum);
}

// The largest sum of the velocities that a normal velocity is the difference of: before, after, and
// given by external percussions.
static double largest_row(const pc_impact *problem)
{
  double largest = 0;
  for (int k = 0; k < problem->interaction.count; k++) {
    const pc_interaction_data *data = &problem->interaction.at[k];
    if (!isfinite(bound_of(data)))
      continue;
    pc_rows rows;
    pc_impact_rows(problem, data, &rows);
    double size = fabs(data->bound);
    for (int t = 0; t < data->terms; t++) {
      const pc_body_data *body = &problem->body.at[pc_term_body(problem, data, t)];
      const double *row = pc_term_rows(problem, data, &rows, t);
      free_part part = free_part_of(problem, body);
      for (int i = 0; i < body->dof; i++)
        size += fabs(row[i] * problem->before.at[body->start + i]);
      for (int i = 0; i < part.count; i++) {
        int at = body->start + part.dof[i];
        double u = fabs(problem->after.at[at]) + fabs(problem->percussion.at[at]) / part.mass[i][i];
        size += fabs(row[part.dof[i]]) * u;
      }
    }
    largest = fmax(largest, size);
  }
  return largest;
}

static void set_bounds(certifying *c, double raise)
{
  for (int k = 0; k < c->problem->interaction.count; k++) {
    pc_interaction_data *data = &c->problem->interaction.at[k];
    data->bound = isfinite(bound_of(data)) ? c->answer.bound[k] + raise : c->answer.bound[k];
  }
}

static bool save_answer(certifying *c)
{
  pc_impact *problem = c->problem;
  saved_answer *to = &c->answer;
  *to = (saved_answer){
      .reached = problem->reached, .free_energy = problem->free_energy, .speed = problem->speed};
  to->after = pc_arena_copy(&c->arena, problem->after.at, problem->dofs, sizeof(double));
  to->force = pc_arena_copy(&c->arena, problem->force.at, problem->rows, sizeof(double));
  to->bound = pc_arena_take(&c->arena, (size_t)problem->interaction.count + 1, sizeof(double));
  c->defect = pc_arena_take(&c->arena, (size_t)problem->dofs + 1, sizeof(pc_interval));
  for (int k = 0; k < problem->interaction.count && to->bound != NULL; k++)
    to->bound[k] = problem->interaction.at[k].bound;
  return !c->arena.failed;
}

static void restore_answer(certifying *c)
{
  pc_impact *problem = c->problem;
  const saved_answer *from = &c->answer;
  set_bounds(c, 0);
  memcpy(problem->after.at, from->after, sizeof(double) * (size_t)problem->dofs);
  memcpy(problem->force.at, from->force, sizeof(double) * (size_t)problem->rows);
  problem->reached = from->reached;
  problem->free_energy = from->free_energy;
  problem->speed = from->speed;
  problem->paired = 0; // what it kept belongs to other bounds
}

// Solves again with bounds raised; leaves that answer in the problem.
static pc_status refine(certifying *c, double raise, bool *solved)
{
  pc_solve_options options = pc_solve_options_default();
  options.solver = c->how->solver;
  options.tolerance = c->how->tolerance;
  options.max_iterations = c->max_iterations;
  options.warm_start = true; // with friction, a solution near the answer
  options.unaudited = true;
  options.threads = c->threads;
  pc_solve_info info;
  set_bounds(c, raise);
  pc_status status = pc_impact_solve(c->problem, &options, &info);
  set_bounds(c, 0);
  *solved = status == PC_OK && info.residual <= c->how->enough;
  return status;
}

// Raises bounds until the motion is admissible; where it cannot be, bounds stay as they are.
static pc_status find_motion(certifying *c, ball *found)
{
  double raise = c->how->raise * largest_row(c->problem);
  pc_status status = PC_OK;
  bool solved;
  for (int i = 0, failures = 0; i < ATTEMPTS && failures < 2 && status == PC_OK; i++, raise *= 4) {
    status = refine(c, raise, &solved);
    if (status != PC_OK || !solved) {
      failures++;
      continue;
    }
    *found = measure_ball(c);
    if (found->shift == 0 && isfinite(found->radius))
      return PC_OK;
  }
  if (status == PC_OK)
    status = refine(c, 0, &solved);
  if (status == PC_OK)
    *found = measure_ball(c);
  return status;
}

static pc_status find_bound(certifying *c, pc_certificate *certificate)
{
  ball found;
  pc_status status = find_motion(c, &found);
  if (status == PC_OK && isfinite(found.radius)) {
    pc_interval distance = measure_distance(c);
    certificate->shift = found.shift;
    certificate->estimate = distance.high;
    certificate->bound = pc_round_up(distance.high + found.radius);
    certificate->least = fmax(0, pc_round_down(distance.low - found.radius));
  }
  return status == PC_ERROR_NUMERIC ? PC_OK : status;
}

static bool has_friction(const pc_impact *problem)
{
  for (int k = 0; k < problem->interaction.count; k++) {
    const pc_interaction_data *data = &problem->interaction.at[k];
    const pc_law *law = pc_law_of(problem, data);
    if (data->type != PC_SPIN && law->tangential.kind == PC_TANGENTIAL_COULOMB &&
        pc_interaction_active(law, data) > 1)
      return true;
  }
  return false;
}

// The mass of all that can move; of a body with a matrix, the mean of its diagonal.
static double moving_mass(const pc_impact *problem)
{
  double sum = 0;
  for (int b = 0; b < problem->body.count; b++) {
    const pc_body_data *body = &problem->body.at[b];
    if (!body->general && isfinite(body->mass))
      sum += body->mass;
    if (body->general) {
      free_part part = free_part_of(problem, body);
      for (int i = 0; i < part.count; i++)
        sum += part.mass[i][i] / part.count;
    }
  }
  return sum;
}

pc_status pc_impact_certify(pc_impact *problem, const pc_solve_options *options,
                            pc_certificate *certificate)
{
  if (problem == NULL || certificate == NULL)
    return pc_fail_null(problem != NULL ? &problem->error : NULL, "the certificate");
  *certificate = (pc_certificate){.estimate = INFINITY, .bound = INFINITY, .rms = INFINITY};
  const char *why = !problem->answered            ? "the problem has not been solved"
                    : problem->quasi_static       ? "inertia is neglected"
                    : problem->mass.count > 0     ? "the masses of bodies are coupled"
                    : problem->response.count > 0 ? "the problem has no bodies"
                                                  : NULL;
  certificate->reason = why;
  if (why != NULL)
    return PC_OK;
  certifying c = {.problem = problem,
                  .how = has_friction(problem) ? &coulomb : &convex,
                  .max_iterations = options != NULL ? options->max_iterations : 0,
                  .threads = options != NULL ? options->threads : 0};
  pc_error error = problem->error;
  pc_status status = PC_ERROR_MEMORY;
  if (save_answer(&c)) {
    status = find_bound(&c, certificate);
    restore_answer(&c);
    problem->error = error;
  }
  pc_arena_free(&c.arena);
  if (status != PC_OK)
    return pc_fail(&problem->error, status, "out of memory");
  certificate->frozen = c.how == &coulomb;
  double mass = moving_mass(problem);
  certificate->rms = mass > 0 ? certificate->bound / sqrt(mass) : 0;
  certificate->certified = isfinite(certificate->bound);
  if (!certificate->certified)
    certificate->reason = "no motion was found that satisfies all contacts";
  return PC_OK;
}
