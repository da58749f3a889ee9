// The audit: what an answer says about itself, recomputed from the problem as it was stated.
// Nothing here uses what a solver kept.
#include <math.h>
#include <string.h>

#include "core/small.h"
#include "impact/islands.h"

// L^T f of one body, its size in kinetic energy; prescribed velocities drop out.
static double whitened_size2(const pc_body_data *body, const double *f)
{
  double sum = 0;
  for (int i = 0; i < body->dof; i++) {
    double x = 0;
    for (int j = 0; j < body->dof; j++)
      if (!body->prescribed[j])
        x += body->root[j * body->dof + i] * f[j];
    sum += x * x;
  }
  return sum;
}

// Size of the rows of an interaction, whitened: |D| <= size |y|.
static double row_size(const pc_impact *problem, const pc_interaction_data *data)
{
  double sum = 0;
  for (int t = data->term; t < data->term + data->terms; t++) {
    const pc_body_data *body = &problem->body[problem->term[t].body];
    const double *row = problem->coefficient + problem->term[t].at;
    for (int r = 0; r < data->rows; r++, row += body->dof)
      sum += whitened_size2(body, row);
  }
  return sqrt(sum);
}

void pc_impact_measure(pc_impact *problem)
{
  problem->free_energy = problem->speed = 0;
  for (int b = 0; b < problem->bodies; b++) {
    const pc_body_data *body = &problem->body[b];
    double f[PC_MAX_DOF] = {0};
    for (int i = 0; i < body->dof; i++) {
      f[i] = fabs(problem->percussion[body->start + i]);
      for (int j = 0; j < body->dof; j++)
        if (!body->prescribed[i] && !body->prescribed[j])
          f[i] += fabs(body->mass[i * body->dof + j] * problem->before[body->start + j]);
    }
    problem->free_energy += 0.5 * whitened_size2(body, f);
  }
  for (int k = 0; k < problem->interactions; k++) {
    const pc_interaction_data *data = &problem->interaction[k];
    double before[3];
    if (data->type != PC_CONTACT && data->type != PC_ROWS)
      continue;
    pc_impact_deformation(problem, k, problem->before, before);
    problem->speed = fmax(problem->speed, fabs(before[0]));
    if (isfinite(data->bound))
      problem->speed = fmax(problem->speed, fabs(data->bound));
  }
}

void pc_impact_state(const pc_impact *problem, int interaction, pc_interaction_state *state)
{
  const pc_interaction_data *data = &problem->interaction[interaction];
  *state = (pc_interaction_state){.admits_rest = true};
  pc_impact_deformation(problem, interaction, problem->before, state->before);
  if (!problem->answered)
    return;
  if (data->terms == 0 && problem->responses > 0)
    memcpy(state->after, problem->shaped + data->row, sizeof(double) * (size_t)data->rows);
  else
    pc_impact_deformation(problem, interaction, problem->after, state->after);
  memcpy(state->percussion, problem->force + data->row, sizeof(double) * (size_t)data->rows);

  double unit[3] = {1, 1, 1}, size = problem->speed;
  size += row_size(problem, data) * sqrt(2 * problem->free_energy);
  pc_block_law law;
  pc_block_law_scaled(data, unit, state->before, 1, &law);
  if (law.normal) {
    // Rest after, D+ = -D-, must be allowed for the law to be a pseudo-potential (book,
    // remark 2.8).
    const pc_row_law *row = &law.row;
    double slack = 1e-12 * size, near = fmax(1e-9, 100 * problem->reached) * size,
           x = 0.5 * (state->before[0] + state->after[0]);
    bool penetrable = data->law.normal.kind == PC_NORMAL_PENETRABLE;
    state->admits_rest = !row->equality && -row->before >= row->bound - slack &&
                         (!penetrable || row->before <= slack);
    if (row->equality)
      state->reaction = state->percussion[0];
    else if (isfinite(row->bound) && state->after[0] <= row->bound + near)
      state->reaction =
          fmin(0, state->percussion[0] - row->ops->nearest(row, x, state->percussion[0], near));
  } else {
    state->admits_rest = law.tangential != PC_TANGENTIAL_BILATERAL;
  }
}

void pc_impact_answer(const pc_impact *problem, int interaction, pc_interaction_answer *answer)
{
  const pc_interaction_data *data = &problem->interaction[interaction];
  pc_interaction_state state;
  pc_impact_state(problem, interaction, &state);
  *answer = (pc_interaction_answer){.size = data->rows, .reaction = state.reaction};
  for (int r = 0; r < data->rows; r++) {
    double mean = 0.5 * (state.before[r] + state.after[r]);
    answer->dissipated += state.percussion[r] * mean;
    for (int i = 0; i < data->rows; i++) {
      double axis = data->type == PC_CONTACT ? data->frame[3 * r + i] : i == r;
      answer->percussion[i] += axis * state.percussion[r];
      answer->deformation[i] += axis * mean;
      answer->after[i] += axis * state.after[r];
    }
  }
  const pc_tangential_law *tangential = &data->law.tangential;
  bool rubs = tangential->kind == PC_TANGENTIAL_COULOMB && tangential->on != PC_ON_MEAN;
  answer->signed_law = state.admits_rest && !rubs && tangential->kind != PC_TANGENTIAL_BILATERAL;
}

// g += M u over the velocities that are not prescribed.
static void add_momentum(const pc_impact *problem, const double *u, double sign, double *g)
{
  for (int b = 0; b < problem->bodies; b++) {
    const pc_body_data *body = &problem->body[b];
    for (int i = 0; i < body->dof; i++)
      for (int j = 0; j < body->dof; j++)
        if (!body->prescribed[i] && !body->prescribed[j])
          g[body->start + i] += sign * body->mass[i * body->dof + j] * u[body->start + j];
  }
  for (int c = 0; c < problem->masses; c++) {
    const pc_coupling *coupling = &problem->mass[c];
    const pc_body_data *a = &problem->body[coupling->i], *b = &problem->body[coupling->j];
    for (int i = 0; i < a->dof; i++)
      for (int j = 0; j < b->dof; j++) {
        if (a->prescribed[i] || b->prescribed[j])
          continue;
        double m = sign * coupling->block[i * b->dof + j];
        g[a->start + i] += m * u[b->start + j];
        g[b->start + j] += m * u[a->start + i];
      }
  }
}

static double half_dot(const pc_impact *problem, const double *a, const double *b)
{
  double sum = 0;
  for (int i = 0; i < problem->dofs; i++)
    sum += a[i] * b[i];
  return 0.5 * sum;
}

// Velocity of the rows due to what is prescribed: obstacles and infinite masses.
static void prescribed_rows(const pc_impact *problem, int k, double *w)
{
  const pc_interaction_data *data = &problem->interaction[k];
  memcpy(w, data->given, sizeof(double) * 3);
  for (int t = data->term; t < data->term + data->terms; t++) {
    const pc_body_data *body = &problem->body[problem->term[t].body];
    const double *row = problem->coefficient + problem->term[t].at;
    for (int r = 0; r < data->rows; r++, row += body->dof)
      for (int i = 0; i < body->dof; i++)
        if (body->prescribed[i])
          w[r] += row[i] * problem->before[body->start + i];
  }
}

// Books one interaction on the line where it belongs.
static void book(const pc_interaction_data *data, const pc_interaction_state *state, double *wrong,
                 pc_audit *audit)
{
  bool normal = data->type != PC_SPIN && data->law.normal.kind != PC_NORMAL_NONE;
  const pc_tangential_law *law = &data->law.tangential;
  double along = 0, across = 0;
  for (int r = 0; r < data->rows; r++) {
    double x = state->percussion[r] * 0.5 * (state->before[r] + state->after[r]);
    if (r == 0 && normal)
      along += x;
    else
      across += x;
  }
  audit->dissipated += along + across;
  bool tied = data->law.normal.kind == PC_NORMAL_BILATERAL;
  double signed_part = 0;
  if (normal && state->admits_rest)
    signed_part += along;
  else if (normal && !tied && state->before[0] > 0)
    audit->dissipated_separating += along;
  else
    audit->dissipated_bounds += along;
  if (law->kind == PC_TANGENTIAL_COULOMB && law->on == PC_ON_MOREAU &&
      data->law.normal.kind == PC_NORMAL_RESTITUTION)
    audit->dissipated_restitution += across;
  else if (law->kind == PC_TANGENTIAL_COULOMB && law->on != PC_ON_MEAN)
    audit->dissipated_friction += across;
  else if (law->kind == PC_TANGENTIAL_BILATERAL || (!normal && tied))
    audit->dissipated_bounds += across;
  else
    signed_part += across;
  audit->dissipated_signed += signed_part;
  *wrong = fmin(*wrong, signed_part);
}

void pc_impact_audit(const pc_impact *problem, pc_audit *audit)
{
  *audit = (pc_audit){0};
  size_t n = (size_t)problem->dofs + 1;
  pc_arena arena = {0};
  double *before = pc_arena_take(&arena, n, sizeof(double));
  double *after = pc_arena_take(&arena, n, sizeof(double));
  double *jump = pc_arena_take(&arena, n, sizeof(double));
  double *size = pc_arena_take(&arena, n, sizeof(double));
  double *lowest = pc_arena_take(&arena, (size_t)problem->interactions + 1, sizeof(double));
  double *noise = pc_arena_take(&arena, (size_t)problem->interactions + 1, sizeof(double));
  if (arena.failed) {
    pc_arena_free(&arena);
    audit->identity = audit->momentum = INFINITY;
    return;
  }
  double inertia = problem->quasi_static ? 0 : 1, total_kick = 0;
  add_momentum(problem, problem->before, 1, before);
  add_momentum(problem, problem->after, 1, after);
  audit->kinetic_before = half_dot(problem, before, problem->before);
  audit->kinetic_after = half_dot(problem, after, problem->after);
  for (int b = 0; b < problem->bodies; b++) {
    const pc_body_data *body = &problem->body[b];
    for (int i = body->start; i < body->start + body->dof; i++) {
      if (body->prescribed[i - body->start])
        continue;
      jump[i] = inertia * (after[i] - before[i]) - problem->percussion[i];
      size[i] = inertia * fabs(after[i]) + fabs(before[i]) + fabs(problem->percussion[i]);
      total_kick += fabs(problem->percussion[i]);
      audit->work_external +=
          problem->percussion[i] * 0.5 * (problem->before[i] + problem->after[i]);
    }
  }
  double motion = problem->free_energy;
  double terms = audit->kinetic_before + audit->kinetic_after + fabs(audit->work_external);
  double worst_product = 0;
  for (int k = 0; k < problem->interactions; k++) {
    const pc_interaction_data *data = &problem->interaction[k];
    pc_interaction_state state;
    double w[3];
    pc_impact_state(problem, k, &state);
    book(data, &state, &lowest[k], audit);
    noise[k] = (row_size(problem, data) * sqrt(2 * motion) + problem->speed) *
               pc_norm(data->rows, state.percussion);
    prescribed_rows(problem, k, w);
    for (int r = 0; r < data->rows && data->terms > 0; r++) {
      audit->work_prescribed += state.percussion[r] * w[r];
      terms += fabs(state.percussion[r] * w[r]);
      terms += fabs(state.percussion[r] * 0.5 * (state.before[r] + state.after[r]));
    }
    for (int t = data->term; t < data->term + data->terms; t++) {
      const pc_body_data *body = &problem->body[problem->term[t].body];
      const double *row = problem->coefficient + problem->term[t].at;
      for (int r = 0; r < data->rows; r++, row += body->dof)
        for (int i = 0; i < body->dof; i++)
          if (!body->prescribed[i]) {
            jump[body->start + i] += row[i] * state.percussion[r];
            size[body->start + i] += fabs(row[i] * state.percussion[r]);
          }
    }
    double bound = data->bound;
    if (data->law.normal.kind == PC_NORMAL_RESTITUTION)
      bound -= data->law.normal.e * state.before[0];
    if (data->unilateral && isfinite(bound)) {
      worst_product = fmax(worst_product, fabs(state.reaction * (state.after[0] - bound)));
      audit->penetration = fmax(audit->penetration, bound - state.after[0]);
    }
  }
  double defect = 0, total = 0;
  for (int b = 0; b < problem->bodies; b++) {
    defect += whitened_size2(&problem->body[b], jump + problem->body[b].start);
    total += whitened_size2(&problem->body[b], size + problem->body[b].start);
  }
  double energy = terms + motion;
  double change = inertia * (audit->kinetic_after - audit->kinetic_before);
  if (problem->bodies > 0 && energy > 0)
    audit->identity =
        fabs(change - audit->work_external - audit->work_prescribed + audit->dissipated) / energy;
  audit->momentum = total > 0 ? sqrt(defect / total) : 0;
  audit->complementarity = energy > 0 ? worst_product / energy : 0;
  for (int k = 0; k < problem->interactions; k++)
    audit->wrong_signs +=
        lowest[k] < -10 * fmin(1e-6, fmax(1e-13, problem->reached)) * (energy + noise[k]);
  // The quasi-static mode is a limit taken with small inertia, and closes as far as that goes;
  // without external percussions nothing is left to balance.
  double round_off = !problem->quasi_static ? 1e-10 : total_kick > 0 ? 1e-6 : INFINITY;
  audit->closed =
      audit->identity <= round_off && audit->momentum <= round_off && audit->wrong_signs == 0;
  pc_arena_free(&arena);
}
