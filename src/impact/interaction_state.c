// Answers of single interactions.
#include "impact/interaction_state.h"

#include <math.h>
#include <string.h>

#include "core/small.h"
#include "impact/contact_side.h"
#include "impact/stating.h"

// Trace of the response of a body at a point: of 1/m + (I^-1 (r x .)) x r over the axes in space.
static double contact_trace(const pc_body_data *body, const pc_interaction_data *data)
{
  double r[3];
  pc_side_arm(body, data->point, r);
  const double *x = body->turn->inverse;
  double square = pc_dot3(r, r), whole = x[0] + x[3] + x[5];
  double along = r[0] * (x[0] * r[0] + 2 * (x[1] * r[1] + x[2] * r[2])) +
                 r[1] * (x[3] * r[1] + 2 * x[4] * r[2]) + x[5] * r[2] * r[2];
  double spins = data->spins == 3 ? whole : data->spins == 1 ? x[5] : 0;
  return data->rows * body->light + square * whole - along + spins;
}

// Trace of the response of an interaction, w: |D| <= sqrt(w) |y| for whitened velocities y.
static double response_trace(const pc_impact *problem, const pc_interaction_data *data)
{
  double sum = 0;
  for (int t = 0; t < data->terms; t++) {
    const pc_body_data *body = &problem->body.at[pc_term_body(problem, data, t)];
    if (data->type == PC_CONTACT) {
      sum += contact_trace(body, data);
      continue;
    }
    const double *row = pc_term_rows(problem, data, NULL, t);
    for (int r = 0; r < data->rows; r++, row += body->dof) {
      double y[PC_MAX_DOF];
      pc_body_whiten(problem, body, row, y);
      for (int i = 0; i < body->dof; i++)
        sum += y[i] * y[i];
    }
  }
  return sum;
}

// D in the axes of answers.
static void velocity_of(const pc_impact *problem, const pc_interaction_data *data,
                        const double *velocity, double *d)
{
  if (data->type != PC_CONTACT) {
    pc_impact_deformation(problem, data, NULL, velocity, d);
    return;
  }
  pc_contact_velocity(problem, data, velocity, d);
  if (data->spins > 0) {
    double spin[3];
    pc_contact_spin(problem, data, velocity, spin);
    for (int i = 0; i < data->spins; i++)
      d[data->rows + i] = spin[data->spins == 1 ? 2 : i];
  }
}

// D+; a problem that is stated by its response has no velocities of bodies to take it from.
static void velocity_after(const pc_impact *problem, const pc_interaction_data *data, double *d)
{
  if (data->terms == 0 && problem->response.count > 0)
    memcpy(d, problem->shaped.at + data->row, sizeof(double) * (size_t)data->rows);
  else
    velocity_of(problem, data, problem->after.at, d);
}

static double first_row(const pc_interaction_data *data, const double *d)
{
  return data->type == PC_CONTACT ? pc_dot3(data->normal, d) : d[0];
}

double pc_interaction_speed(const pc_impact *problem, const pc_interaction_data *data)
{
  double before[PC_MAX_ROWS];
  if (data->type != PC_CONTACT && data->type != PC_ROWS)
    return 0;
  velocity_of(problem, data, problem->before.at, before);
  return fmax(fabs(first_row(data, before)), isfinite(data->bound) ? fabs(data->bound) : 0);
}

// Rest after, D+ = -D-, must be allowed for the law to be a pseudo-potential (book, remark 2.8).
static void apply_law(const pc_impact *problem, const pc_interaction_data *data,
                      pc_interaction_state *state)
{
  const pc_law_data *law = &problem->law.at[data->law];
  pc_row_law row = law->row;
  if (data->type == PC_SPIN || row.ops == NULL) {
    state->admits_rest =
        data->type == PC_SPIN ? !row.equality : law->law.tangential.kind != PC_TANGENTIAL_BILATERAL;
    return;
  }
  row.before = state->normal_before;
  if (law->law.normal.kind == PC_NORMAL_RESTITUTION)
    state->bound -= law->law.normal.e * row.before;
  row.bound = row.equality || data->unilateral ? state->bound : -INFINITY;
  double slack = 1e-12 * state->size, near = fmax(1e-9, 100 * problem->reached) * state->size;
  double mean = 0.5 * (state->normal_before + state->normal_after);
  bool penetrable = law->law.normal.kind == PC_NORMAL_PENETRABLE;
  state->admits_rest =
      !row.equality && -row.before >= row.bound - slack && (!penetrable || row.before <= slack);
  if (row.equality)
    state->reaction = state->normal_percussion;
  else if (isfinite(row.bound) && state->normal_after <= row.bound + near)
    state->reaction = -fmax(0, row.ops->nearest(&row, mean, state->normal_percussion, near) -
                                   state->normal_percussion);
}

void pc_interaction_state_of(const pc_impact *problem, const pc_interaction_data *data,
                             pc_interaction_state *state)
{
  *state = (pc_interaction_state){.admits_rest = true};
  velocity_of(problem, data, problem->before.at, state->before);
  state->normal_before = first_row(data, state->before);
  if (!problem->answered)
    return;
  velocity_after(problem, data, state->after);
  state->size = problem->speed + sqrt(response_trace(problem, data) * (2 * problem->free_energy));
  for (int r = 0; r < pc_interaction_numbers(data); r++)
    state->percussion[r] = problem->force.at[data->row + r];
  state->normal_after = first_row(data, state->after);
  state->normal_percussion = first_row(data, state->percussion);
  state->bound = data->bound;
  apply_law(problem, data, state);
}

void pc_impact_answer(const pc_impact *problem, int interaction, pc_interaction_answer *answer)
{
  if (answer == NULL || !pc_impact_has(problem, interaction)) {
    if (answer != NULL)
      *answer = (pc_interaction_answer){0};
    return;
  }
  const pc_interaction_data *data = &problem->interaction.at[interaction];
  const pc_tangential_law *tangential = &pc_law_of(problem, data)->tangential;
  pc_interaction_state state;
  pc_interaction_state_of(problem, data, &state);
  *answer =
      (pc_interaction_answer){.size = pc_interaction_numbers(data), .reaction = state.reaction};
  for (int r = 0; r < answer->size; r++) {
    answer->percussion[r] = state.percussion[r];
    answer->deformation[r] = 0.5 * (state.before[r] + state.after[r]);
    answer->after[r] = state.after[r];
    answer->dissipated += state.percussion[r] * answer->deformation[r];
  }
  answer->dissipated -= pc_interaction_lead(problem, data, state.percussion);
  bool rubs = tangential->kind == PC_TANGENTIAL_COULOMB && tangential->on != PC_ON_MEAN;
  answer->signed_law = state.admits_rest && !rubs && tangential->kind != PC_TANGENTIAL_BILATERAL;
}

double pc_impact_dissipated(const pc_impact *problem, int interaction)
{
  if (!pc_impact_has(problem, interaction))
    return 0;
  const pc_interaction_data *data = &problem->interaction.at[interaction];
  const double *percussion = problem->force.at + data->row;
  double before[PC_MAX_ROWS] = {0}, after[PC_MAX_ROWS] = {0}, sum = 0;
  int count = pc_interaction_numbers(data);
  bool acts = false;
  for (int r = 0; r < count && problem->answered; r++)
    acts = acts || percussion[r] != 0;
  if (!acts)
    return 0;
  velocity_of(problem, data, problem->before.at, before);
  velocity_after(problem, data, after);
  for (int r = 0; r < count; r++)
    sum += percussion[r] * 0.5 * (before[r] + after[r]);
  return sum - pc_interaction_lead(problem, data, percussion);
}
