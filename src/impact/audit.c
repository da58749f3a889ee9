// The audit: what an answer says about itself, recomputed from the problem as it was stated.
// Nothing here uses what a solver kept.
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/small.h"
#include "core/threads.h"
#include "impact/audit_kernels.h"
#include "impact/audit_points.h"
#include "impact/bulk.h"
#include "impact/islands.h"

static inline double larger(double a, double b)
{
  return a > b ? a : b;
}

// Interactions and bodies summed at a time, whatever the number of threads; and how many of these
// are worth a thread.
enum { CHUNK = 256, GRAIN = 2, JUDGE_GRAIN = 8, BODY_GRAIN = 1 };

static double whitened_size2(const pc_impact *problem, const pc_body_data *body, const double *f)
{
  double y[PC_MAX_DOF], sum = 0;
  pc_body_whiten(problem, body, f, y);
  for (int i = 0; i < body->dof; i++)
    sum += y[i] * y[i];
  return sum;
}

// Trace of the response of a body at a point: of 1/m + (I^-1 (r x .)) x r over the axes in space.
static double contact_trace(const pc_body_data *body, const pc_interaction_data *data)
{
  double r[3];
  for (int i = 0; i < 3; i++)
    r[i] = data->point[i] - body->position[i];
  const double *x = body->turn->inverse;
  double square = pc_dot3(r, r), whole = x[0] + x[3] + x[5];
  double along = r[0] * (x[0] * r[0] + 2 * (x[1] * r[1] + x[2] * r[2])) +
                 r[1] * (x[3] * r[1] + 2 * x[4] * r[2]) + x[5] * r[2] * r[2];
  double spins = data->spins == 3 ? whole : data->spins == 1 ? x[5] : 0;
  return data->rows * body->light + square * whole - along + spins;
}

// Size of the rows of an interaction, whitened: |D| <= size |y|.
static double row_size(const pc_impact *problem, const pc_interaction_data *data)
{
  double sum = 0;
  for (int t = 0; t < data->terms; t++) {
    const pc_body_data *body = &problem->body[pc_term_body(problem, data, t)];
    if (data->type == PC_CONTACT) {
      sum += contact_trace(body, data);
      continue;
    }
    const double *row = pc_term_rows(problem, data, NULL, t);
    for (int r = 0; r < data->rows; r++, row += body->dof)
      sum += whitened_size2(problem, body, row);
  }
  return sqrt(sum);
}

// D in the axes of answers: of the world for a contact, rows otherwise.
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

static double first_row(const pc_interaction_data *data, const double *d)
{
  return data->type == PC_CONTACT ? pc_dot3(data->normal, d) : d[0];
}

// D- and D+ of a contact in one go; gives the trace of its response.
static inline double contact_motion(const pc_impact *problem, const pc_interaction_data *data,
                                    double *before, double *after)
{
  double trace = 0;
  for (int i = 0; i < 3; i++)
    before[i] = after[i] = data->given[i];
  for (int t = 0; t < data->terms; t++) {
    const pc_body_data *body = &problem->body[data->body[t]];
    const double *u = problem->before + body->start, *v = problem->after + body->start;
    double sign = t == 0 ? 1 : -1;
    if (body->dof == 3) { // in the plane
      double x = data->point[0] - body->position[0], y = data->point[1] - body->position[1];
      before[0] += sign * (u[0] - u[2] * y);
      before[1] += sign * (u[1] + u[2] * x);
      after[0] += sign * (v[0] - v[2] * y);
      after[1] += sign * (v[1] + v[2] * x);
      trace += data->rows * body->light + (x * x + y * y) * body->turn->inverse[5];
      continue;
    }
    if (body->dof == 2) { // and does not turn
      for (int i = 0; i < 2; i++) {
        before[i] += sign * u[i];
        after[i] += sign * v[i];
      }
      trace += data->rows * body->light;
      continue;
    }
    double r[3], uv[3], uw[3], vv[3], vw[3];
    pc_body_motion(body, problem->before, uv, uw);
    pc_body_motion(body, problem->after, vv, vw);
    for (int i = 0; i < 3; i++)
      r[i] = data->point[i] - body->position[i];
    before[0] += sign * (uv[0] + (uw[1] * r[2] - uw[2] * r[1]));
    before[1] += sign * (uv[1] + (uw[2] * r[0] - uw[0] * r[2]));
    before[2] += sign * (uv[2] + (uw[0] * r[1] - uw[1] * r[0]));
    after[0] += sign * (vv[0] + (vw[1] * r[2] - vw[2] * r[1]));
    after[1] += sign * (vv[1] + (vw[2] * r[0] - vw[0] * r[2]));
    after[2] += sign * (vv[2] + (vw[0] * r[1] - vw[1] * r[0]));
    trace += contact_trace(body, data);
  }
  return trace;
}

// D-, D+ and P in the axes of answers, and what the law says about them.
typedef struct contact_state {
  double before[PC_MAX_ROWS], after[PC_MAX_ROWS], percussion[PC_MAX_ROWS];
  double normal_before, normal_after, normal_percussion; // of row 0
  double bound;                                          // with restitution
  double reaction;
  double size;      // of velocities that count
  bool admits_rest; // Phi(0) = 0: the sign of the normal dissipation is guaranteed
} contact_state;

static inline void set_state(const pc_impact *problem, const pc_interaction_data *data,
                             contact_state *state)
{
  const pc_law_data *law = &problem->law[data->law];
  memset(state, 0, sizeof *state);
  state->admits_rest = true;
  double energy = 2 * problem->free_energy;
  bool quick =
      problem->answered && data->type == PC_CONTACT && data->spins == 0 && problem->responses == 0;
  if (quick) {
    double trace = contact_motion(problem, data, state->before, state->after);
    state->size = problem->speed + sqrt(trace * energy);
  } else {
    velocity_of(problem, data, problem->before, state->before);
  }
  state->normal_before = first_row(data, state->before);
  if (!problem->answered)
    return;
  if (!quick) {
    if (data->terms == 0 && problem->responses > 0)
      memcpy(state->after, problem->shaped + data->row, sizeof(double) * (size_t)data->rows);
    else
      velocity_of(problem, data, problem->after, state->after);
    state->size = problem->speed + row_size(problem, data) * sqrt(energy);
  }
  for (int r = 0; r < pc_interaction_numbers(data); r++)
    state->percussion[r] = problem->force[data->row + r];
  state->normal_after = first_row(data, state->after);
  state->normal_percussion = first_row(data, state->percussion);
  state->bound = data->bound;
  pc_row_law row = law->row;
  if (data->type == PC_SPIN || row.ops == NULL) {
    state->admits_rest =
        data->type == PC_SPIN ? !row.equality : law->law.tangential.kind != PC_TANGENTIAL_BILATERAL;
    return;
  }
  // Rest after, D+ = -D-, must be allowed for the law to be a pseudo-potential (book,
  // remark 2.8).
  row.before = state->normal_before;
  if (law->law.normal.kind == PC_NORMAL_RESTITUTION)
    state->bound -= law->law.normal.e * row.before;
  row.bound = row.equality || data->unilateral ? state->bound : -INFINITY;
  double slack = 1e-12 * state->size, near = larger(1e-9, 100 * problem->reached) * state->size,
         x = 0.5 * (state->normal_before + state->normal_after);
  bool penetrable = law->law.normal.kind == PC_NORMAL_PENETRABLE;
  state->admits_rest =
      !row.equality && -row.before >= row.bound - slack && (!penetrable || row.before <= slack);
  if (row.equality)
    state->reaction = state->normal_percussion;
  else if (isfinite(row.bound) && state->normal_after <= row.bound + near)
    state->reaction = -larger(0, row.ops->nearest(&row, x, state->normal_percussion, near) -
                                     state->normal_percussion);
}

void pc_impact_answer(const pc_impact *problem, int interaction, pc_interaction_answer *answer)
{
  const pc_interaction_data *data = &problem->interaction[interaction];
  const pc_tangential_law *tangential = &pc_law_of(problem, data)->tangential;
  contact_state state;
  set_state(problem, data, &state);
  *answer =
      (pc_interaction_answer){.size = pc_interaction_numbers(data), .reaction = state.reaction};
  for (int r = 0; r < answer->size; r++) {
    answer->percussion[r] = state.percussion[r];
    answer->deformation[r] = 0.5 * (state.before[r] + state.after[r]);
    answer->after[r] = state.after[r];
    answer->dissipated += state.percussion[r] * answer->deformation[r];
  }
  bool rubs = tangential->kind == PC_TANGENTIAL_COULOMB && tangential->on != PC_ON_MEAN;
  answer->signed_law = state.admits_rest && !rubs && tangential->kind != PC_TANGENTIAL_BILATERAL;
}

double pc_impact_dissipated(const pc_impact *problem, int interaction)
{
  const pc_interaction_data *data = &problem->interaction[interaction];
  const double *percussion = problem->force + data->row;
  double before[PC_MAX_ROWS] = {0}, after[PC_MAX_ROWS] = {0}, sum = 0;
  int count = pc_interaction_numbers(data);
  bool acts = false;
  for (int r = 0; r < count && problem->answered; r++)
    acts = acts || percussion[r] != 0;
  if (!acts)
    return 0;
  velocity_of(problem, data, problem->before, before);
  if (data->terms == 0 && problem->responses > 0)
    memcpy(after, problem->shaped + data->row, sizeof(double) * (size_t)data->rows);
  else
    velocity_of(problem, data, problem->after, after);
  for (int r = 0; r < count; r++)
    sum += percussion[r] * 0.5 * (before[r] + after[r]);
  return sum;
}

// g += M u over the velocities that are not prescribed; with `sizes`, |M| |u|.
static void body_momentum(const pc_impact *problem, const pc_body_data *body, const double *u,
                          bool sizes, double *g)
{
  double mass[PC_MAX_DOF * PC_MAX_DOF];
  int n = body->dof, linear = body->general ? 0 : n == 6 ? 3 : n == 3 ? 2 : n;
  for (int i = 0; i < linear && !pc_body_prescribes(body, i); i++)
    g[i] += body->mass * (sizes ? fabs(u[i]) : u[i]);
  if (n == linear)
    return;
  if (n == 3 && linear > 0) {
    if (!pc_body_prescribes(body, 2))
      g[2] += body->turn->inertia[5] * (sizes ? fabs(u[2]) : u[2]);
    return;
  }
  const double *turn = body->turn->inertia;
  bool straight = turn[1] == 0 && turn[2] == 0 && turn[4] == 0;
  if (linear > 0 && n == 6 && body->prescribed == 0 && straight) {
    g[3] += turn[0] * (sizes ? fabs(u[3]) : u[3]);
    g[4] += turn[3] * (sizes ? fabs(u[4]) : u[4]);
    g[5] += turn[5] * (sizes ? fabs(u[5]) : u[5]);
    return;
  }
  pc_body_mass(problem, body, mass);
  for (int i = linear; i < n; i++)
    for (int j = linear; j < n; j++)
      if (!pc_body_prescribes(body, i) && !pc_body_prescribes(body, j)) {
        double x = mass[i * n + j] * u[j];
        g[i] += sizes ? fabs(x) : x;
      }
}

static void couple_momentum(const pc_impact *problem, const double *u, double *g)
{
  for (int c = 0; c < problem->masses; c++) {
    const pc_coupling *coupling = &problem->mass[c];
    const pc_body_data *a = &problem->body[coupling->i], *b = &problem->body[coupling->j];
    for (int i = 0; i < a->dof; i++)
      for (int j = 0; j < b->dof; j++) {
        if (pc_body_prescribes(a, i) || pc_body_prescribes(b, j))
          continue;
        double m = problem->block[coupling->at + i * b->dof + j];
        g[a->start + i] += m * u[b->start + j];
        g[b->start + j] += m * u[a->start + i];
      }
  }
}

// Work of what is prescribed on an interaction, obstacles and infinite masses: its parts go to
// *terms with their sizes.
static double prescribed_work(const pc_impact *problem, const pc_interaction_data *data,
                              const double *percussion, double *terms)
{
  double w[PC_MAX_ROWS], work = 0;
  int numbers = pc_interaction_numbers(data);
  for (int i = 0; i < numbers; i++)
    w[i] = pc_interaction_given(problem, data, i);
  pc_rows rows;
  bool made = data->type != PC_CONTACT;
  for (int t = 0; t < data->terms; t++) {
    const pc_body_data *body = &problem->body[pc_term_body(problem, data, t)];
    if (body->prescribed == 0)
      continue;
    if (!made)
      pc_impact_rows(problem, data, &rows);
    made = true;
    const double *row = pc_term_rows(problem, data, &rows, t);
    for (int r = 0; r < pc_interaction_rows(data); r++, row += body->dof) {
      double x = 0;
      for (int i = 0; i < body->dof; i++)
        if (pc_body_prescribes(body, i))
          x += row[i] * problem->before[body->start + i];
      for (int i = 0; i < numbers; i++)
        w[i] += pc_row_axis(data, &rows, r, i) * x;
    }
  }
  for (int r = 0; r < numbers; r++) {
    work += percussion[r] * w[r];
    *terms += fabs(percussion[r] * w[r]);
  }
  return work;
}

// Nothing prescribed acts at this contact.
static inline bool still(const pc_impact *problem, const pc_interaction_data *data)
{
  bool none = data->type == PC_CONTACT && data->spins == 0 && data->given[0] == 0 &&
              data->given[1] == 0 && data->given[2] == 0;
  for (int t = 0; t < data->terms && none; t++)
    none = problem->body[data->body[t]].prescribed == 0;
  return none;
}

// What one chunk of interactions adds to the audit.
typedef struct chunk_account {
  pc_audit audit;
  double terms, worst_product, speed;
  double lowest; // the least dissipation that should not be negative, or 0
  int others;    // interactions that audit_kernels.h does not take
  int low, high; // its bodies are among these
} chunk_account;

// What one chunk of bodies adds.
typedef struct body_account {
  double energy, before, after, kick, work; // of the free motion, kinetic, external percussions
  double defect, size;                      // of the balance of momentum
} body_account;

// Books one interaction on the line where it belongs; gives the part whose sign is guaranteed.
static inline double book(const pc_law *law, const pc_interaction_data *data,
                          const contact_state *state, chunk_account *account)
{
  pc_audit *audit = &account->audit;
  bool normal = data->type != PC_SPIN && law->normal.kind != PC_NORMAL_NONE;
  const pc_tangential_law *tangential = &law->tangential;
  double all = 0, along = 0;
  for (int r = 0; r < pc_interaction_numbers(data); r++) {
    double x = state->percussion[r] * 0.5 * (state->before[r] + state->after[r]);
    all += x;
    account->terms += data->terms > 0 ? fabs(x) : 0;
  }
  if (normal)
    along = state->normal_percussion * 0.5 * (state->normal_before + state->normal_after);
  bool only = normal && pc_interaction_active(law, data) == 1; // no tangential part, not even noise
  if (only)
    all = along;
  double across = all - along;
  audit->dissipated += all;
  bool tied = law->normal.kind == PC_NORMAL_BILATERAL;
  double signed_part = 0;
  if (normal && state->admits_rest)
    signed_part += along;
  else if (normal && !tied && state->normal_before > 0)
    audit->dissipated_separating += along;
  else
    audit->dissipated_bounds += along;
  if (tangential->kind == PC_TANGENTIAL_COULOMB && tangential->on == PC_ON_MOREAU &&
      law->normal.kind == PC_NORMAL_RESTITUTION)
    audit->dissipated_restitution += across;
  else if (tangential->kind == PC_TANGENTIAL_COULOMB && tangential->on != PC_ON_MEAN)
    audit->dissipated_friction += across;
  else if (tangential->kind == PC_TANGENTIAL_BILATERAL || (!normal && tied))
    audit->dissipated_bounds += across;
  else
    signed_part += across;
  audit->dissipated_signed += signed_part;
  return signed_part;
}

typedef struct audit_work {
  pc_impact *problem;
  chunk_account *account; // per chunk
  body_account *bodies;   // per chunk
  const pc_audit_kernels *kernels;
  pc_audit_numbers numbers; // per interaction
  double *lowest, *noise;   // in the places of some of these
  double *before, *after;   // momenta, where masses couple bodies
  double *balance;          // per body: what is missing in its balance of momentum, then its size
  double least, energy;     // signs below this part of the energy are wrong
  bool alone;               // one thread: it pushes bodies while it has their contacts at hand
  bool points;              // all bodies are in the plane and do not turn
} audit_work;

static int chunk_end(int chunk, int count)
{
  return (chunk + 1) * CHUNK < count ? (chunk + 1) * CHUNK : count;
}

static void widen(const pc_impact *problem, const pc_interaction_data *data, chunk_account *account)
{
  for (int t = 0; t < data->terms; t++) {
    int b = pc_term_body(problem, data, t);
    account->low = b < account->low ? b : account->low;
    account->high = b > account->high ? b : account->high;
  }
}

// The largest normal velocity before, or bound, of contacts and explicit rows.
static double speed_of(const pc_impact *problem, const pc_interaction_data *data)
{
  double before[PC_MAX_ROWS];
  if (data->type != PC_CONTACT && data->type != PC_ROWS)
    return 0;
  velocity_of(problem, data, problem->before, before);
  return larger(fabs(first_row(data, before)), isfinite(data->bound) ? fabs(data->bound) : 0);
}

static inline bool is_quick(const pc_impact *problem, const pc_interaction_data *data)
{
  return problem->law[data->law].packable && problem->answered && problem->responses == 0;
}

static inline void gather(const pc_impact *problem, const pc_interaction_data *data, bool points,
                          double *at)
{
  const double *account = problem->law[data->law].account;
  if (points)
    pc_batch_gather_points(problem, data, problem->before, problem->after, at);
  else
    pc_batch_gather(problem, data, problem->before, problem->after, false, at);
  at[PC_IN_LIGHT * PC_BATCH_LANES] *= data->rows;
  for (int i = 0; i < 6; i++)
    at[(PC_AUDIT_E + i) * PC_BATCH_LANES] = account[i];
}

// Nothing, in the place of one that is of another kind, or of none.
static void leave_out(double *at)
{
  for (int i = 0; i < PC_IN_ALL; i++)
    at[i * PC_BATCH_LANES] = i == PC_IN_BOUND ? -INFINITY : 0;
}

static double sum_of(const double *lanes)
{
  return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

static double most_of(const double *lanes)
{
  return larger(larger(lanes[0], lanes[1]), larger(lanes[2], lanes[3]));
}

// Where number i of a body has its place in the balance.
static inline int balance_place(const pc_body_data *body, int i)
{
  return body->dof == 6 && i >= 3 ? PC_BALANCE_SPIN + i - 3 : i;
}

static inline void add_balance(const pc_body_data *body, int i, double part, double size,
                               double *balance)
{
  int place = balance_place(body, i);
  balance[place] += part;
  balance[PC_BALANCE_SIZE + place] += size;
}

// Adds P of one interaction to the balance of its bodies begin .. end.
static void add_percussion(const audit_work *work, const pc_interaction_data *data, int begin,
                           int end)
{
  const pc_impact *problem = work->problem;
  const double *p = problem->force + data->row;
  for (int t = 0; t < data->terms; t++) {
    int b = pc_term_body(problem, data, t);
    if (b < begin || b >= end || !problem->body[b].movable)
      continue;
    const pc_body_data *body = &problem->body[b];
    int n = body->dof;
    double *balance = work->balance + (long)PC_BALANCE * b, sign = t == 0 ? 1 : -1, arm[3];
    if (data->type != PC_CONTACT) {
      const double *row = pc_term_rows(problem, data, NULL, t);
      for (int r = 0; r < data->rows; r++, row += n)
        for (int i = 0; i < n; i++)
          add_balance(body, i, row[i] * p[r], fabs(row[i] * p[r]), balance);
      continue;
    }
    for (int i = 0; i < data->spins && n >= 3; i++) { // the moment of rolling friction
      double moment = sign * p[data->rows + i];
      add_balance(body, n == 3 ? 2 : 3 + i, moment, fabs(moment), balance);
    }
    for (int i = 0; i < data->rows; i++)
      add_balance(body, i, sign * p[i], fabs(p[i]), balance);
    for (int i = 0; i < 3; i++)
      arm[i] = data->point[i] - body->position[i];
    for (int i = n == 3 ? 2 : 0; i < 3 && n >= 3; i++) {
      int j = (i + 1) % 3, k = (i + 2) % 3;
      double plus = arm[j] * (sign * p[k]), minus = arm[k] * (sign * p[j]);
      add_balance(body, n == 3 ? 2 : 3 + i, plus - minus, fabs(plus) + fabs(minus), balance);
    }
  }
}

// A contact in the plane without rolling friction, of bodies of which no velocity is prescribed.
static inline bool is_flat(const pc_body_data *body)
{
  return (body->dof == 2 || body->dof == 3) && body->prescribed == 0 && body->general == 0;
}

static inline void add_flat(const audit_work *work, const pc_interaction_data *data, int begin,
                            int end)
{
  const double *p = work->problem->force + data->row;
  for (int t = 0; t < data->terms; t++) {
    int b = data->body[t];
    const pc_body_data *body = &work->problem->body[b];
    if (b < begin || b >= end)
      continue;
    if (!is_flat(body)) {
      add_percussion(work, data, b, b + 1);
      continue;
    }
    double *balance = work->balance + (long)PC_BALANCE * b, *sizes = balance + PC_BALANCE_SIZE;
    double x = t == 0 ? p[0] : -p[0], y = t == 0 ? p[1] : -p[1];
    balance[0] += x;
    balance[1] += y;
    sizes[0] += fabs(x);
    sizes[1] += fabs(y);
    if (body->dof == 2)
      continue;
    double plus = (data->point[0] - body->position[0]) * y;
    double minus = (data->point[1] - body->position[1]) * x;
    balance[2] += plus - minus;
    sizes[2] += fabs(plus) + fabs(minus);
  }
}

// Those of interactions begin .. end, to bodies first .. last; by batches of contacts, so that the
// order is the same for any number of threads.
static void add_some(const audit_work *work, int begin, int end, int first, int last)
{
  const pc_impact *problem = work->problem;
  if (work->points) {
    pc_point_push(problem, begin, end, first, last, work->balance);
    return;
  }
  for (int from = begin; from < end; from += PC_BATCH) {
    int stop = from + PC_BATCH < end ? from + PC_BATCH : end;
    int others = work->kernels->push(problem, from, stop, first, last, work->balance);
    for (int k = from; k < stop && others > 0; k++) {
      const pc_interaction_data *data = &problem->interaction[k];
      bool contact = data->type == PC_CONTACT && data->spins == 0;
      if (contact && data->rows == 2)
        add_flat(work, data, first, last);
      else if (!pc_audit_pushes(data))
        add_percussion(work, data, first, last);
    }
  }
}

// The first pass over interactions: all of the account that needs no size of velocities.
static void measure_chunks(void *context, int begin, int end, int worker)
{
  (void)worker;
  const audit_work *work = context;
  const pc_impact *problem = work->problem;
  pc_batch batch;
  if (work->points)
    memset(&batch, 0, sizeof batch);
  for (int chunk = begin; chunk < end; chunk++) {
    chunk_account account = {.low = problem->bodies, .high = -1};
    pc_audit_first sums = {0};
    int last = chunk_end(chunk, problem->interactions);
    for (int first = chunk * CHUNK; first < last; first += PC_BATCH) {
      int stop = first + PC_BATCH < last ? first + PC_BATCH : last;
      for (int k = first; k < stop; k++) {
        const pc_interaction_data *data = &problem->interaction[k];
        double *at = pc_batch_at(&batch, k - first);
        if (k + PC_FAR < last && pc_spread(problem)) {
          pc_prefetch_contact(problem, k + PC_FARTHEST);
          pc_prefetch_bodies(problem, data + PC_FAR);
          pc_prefetch_velocities(problem, data + PC_NEAR, problem->before, problem->after);
        }
        widen(problem, data, &account);
        if (!is_quick(problem, data)) {
          leave_out(at);
          account.others++;
          account.speed = larger(speed_of(problem, data), account.speed);
          continue;
        }
        gather(problem, data, work->points, at);
        if (!still(problem, data))
          account.audit.work_prescribed +=
              prescribed_work(problem, data, problem->force + data->row, &account.terms);
      }
      for (int k = stop; k < first + PC_BATCH; k++)
        leave_out(pc_batch_at(&batch, k - first));
      work->kernels->measure(&batch, first, &work->numbers, &sums);
      if (work->alone)
        add_some(work, first, stop, 0, problem->bodies);
    }
    account.terms += sum_of(sums.terms);
    account.speed = larger(most_of(sums.speed), account.speed);
    account.audit.dissipated = sum_of(sums.dissipated);
    account.audit.dissipated_friction = sum_of(sums.friction);
    account.audit.dissipated_restitution = sum_of(sums.restitution);
    account.audit.penetration = most_of(sums.penetration);
    work->account[chunk] = account;
  }
}

// One interaction of another kind, in the second pass.
static void audit_other(const audit_work *work, int k, chunk_account *account)
{
  const pc_impact *problem = work->problem;
  const pc_interaction_data *data = &problem->interaction[k];
  contact_state state;
  set_state(problem, data, &state);
  work->lowest[k] = -larger(-book(pc_law_of(problem, data), data, &state, account), 0);
  account->lowest = -larger(-work->lowest[k], -account->lowest);
  double square = pc_dot3(state.percussion, state.percussion);
  for (int i = 3; i < pc_interaction_numbers(data); i++)
    square += state.percussion[i] * state.percussion[i];
  work->noise[k] = state.size * sqrt(square);
  if (data->terms > 0 && !still(problem, data))
    account->audit.work_prescribed +=
        prescribed_work(problem, data, state.percussion, &account->terms);
  if (data->unilateral && isfinite(state.bound)) {
    account->worst_product =
        larger(fabs(state.reaction * (state.normal_after - state.bound)), account->worst_product);
    account->audit.penetration =
        larger(state.bound - state.normal_after, account->audit.penetration);
  }
}

static void audit_chunks(void *context, int begin, int end, int worker)
{
  (void)worker;
  const audit_work *work = context;
  const pc_impact *problem = work->problem;
  for (int chunk = begin; chunk < end; chunk++) {
    chunk_account *account = &work->account[chunk];
    pc_audit_second sums = {0};
    int last = chunk_end(chunk, problem->interactions);
    work->kernels->judge(problem, &work->numbers, chunk * CHUNK, last, work->lowest, work->noise,
                         &sums);
    account->audit.dissipated_signed = sum_of(sums.with_sign);
    account->audit.dissipated_separating = sum_of(sums.separating);
    account->audit.dissipated_bounds = sum_of(sums.bounds);
    account->worst_product = most_of(sums.product);
    for (int l = 0; l < PC_BATCH_LANES; l++)
      account->lowest = sums.lowest[l] < account->lowest ? sums.lowest[l] : account->lowest;
    for (int k = chunk * CHUNK; k < last && account->others > 0; k++)
      if (!is_quick(problem, &problem->interaction[k]))
        audit_other(work, k, account);
  }
}

// A body whose six velocities are all free, with a mass and an inertia: most are.
static inline bool is_free(const pc_body_data *body)
{
  return body->dof == 6 && body->prescribed == 0 && body->general == 0;
}

// The square of L^T f of such a body.
static inline double free_size2(const pc_body_data *body, const double *f, const double *turning)
{
  const double *l = body->turn->inverse_root;
  double x = l[0] * turning[0], y = l[1] * turning[0] + l[3] * turning[1];
  double z = l[2] * turning[0] + l[4] * turning[1] + l[5] * turning[2];
  return body->root * body->root * pc_dot3(f, f) + (x * x + y * y + z * z);
}

// The same of a flat one.
static inline double flat_size2(const pc_body_data *body, const double *f)
{
  double x = body->root * f[0], y = body->root * f[1], sum = x * x + y * y;
  double turning = body->dof == 3 ? body->turn->inverse_root[5] * f[2] : 0;
  return sum + turning * turning;
}

// Of numbers in the balance.
static inline double balance_size2(const pc_impact *problem, const pc_body_data *body,
                                   const double *balance)
{
  if (is_free(body))
    return free_size2(body, balance, balance + PC_BALANCE_SPIN);
  if (is_flat(body))
    return flat_size2(body, balance);
  double f[PC_MAX_DOF];
  for (int i = 0; i < body->dof; i++)
    f[i] = balance[balance_place(body, i)];
  return whitened_size2(problem, body, f);
}

// Each worker adds to its own bodies, so no two write to one place and the order stays. Chunks of
// interactions that do not reach them are left out.
static void add_percussions(void *context, int begin, int end, int worker)
{
  (void)worker;
  const audit_work *work = context;
  const pc_impact *problem = work->problem;
  int first = begin * CHUNK, last = chunk_end(end - 1, problem->bodies);
  for (int chunk = 0; chunk * CHUNK < problem->interactions && !work->alone; chunk++) {
    if (work->account[chunk].high < first || work->account[chunk].low >= last)
      continue;
    add_some(work, chunk * CHUNK, chunk_end(chunk, problem->interactions), first, last);
  }
  for (int chunk = begin; chunk < end; chunk++) {
    body_account *account = &work->bodies[chunk];
    for (int b = chunk * CHUNK; b < chunk_end(chunk, problem->bodies) && work->points; b++) {
      const double *balance = work->balance + (long)PC_POINT_BALANCE * b;
      account->defect += pc_point_size2(&problem->body[b], balance);
      account->size += pc_point_size2(&problem->body[b], balance + PC_POINT_SIZE);
    }
    if (work->points)
      continue;
    for (int b = chunk * CHUNK; b < chunk_end(chunk, problem->bodies); b++) {
      const pc_body_data *body = &problem->body[b];
      const double *balance = work->balance + (long)PC_BALANCE * b;
      __builtin_prefetch(body + PC_FAR);
      account->defect += balance_size2(problem, body, balance);
      account->size += balance_size2(problem, body, balance + PC_BALANCE_SIZE);
    }
  }
}

// The kinetic energy of the free motion of a body; its momenta are added to what is there.
static double body_momenta(const pc_impact *problem, const pc_body_data *body, double *before,
                           double *after)
{
  int at = body->start;
  double size[PC_MAX_DOF];
  for (int i = 0; i < body->dof; i++)
    size[i] = fabs(problem->percussion[at + i]);
  body_momentum(problem, body, problem->before + at, false, before);
  body_momentum(problem, body, problem->after + at, false, after);
  body_momentum(problem, body, problem->before + at, true, size);
  return 0.5 * whitened_size2(problem, body, size);
}

// What a body has and gets, without interactions.
static void balance_body(const audit_work *work, int b, const double *before, const double *after,
                         body_account *account)
{
  const pc_impact *problem = work->problem;
  const pc_body_data *body = &problem->body[b];
  double inertia = problem->quasi_static ? 0 : 1;
  double *balance = work->balance + (long)PC_BALANCE * b, *sizes = balance + PC_BALANCE_SIZE;
  for (int i = 0; i < body->dof; i++) {
    int place = balance_place(body, i), at = body->start + i;
    double p = problem->percussion[at];
    account->before += 0.5 * before[i] * problem->before[at];
    account->after += 0.5 * after[i] * problem->after[at];
    balance[place] = sizes[place] = 0;
    if (pc_body_prescribes(body, i))
      continue;
    balance[place] = inertia * (after[i] - before[i]) - p;
    sizes[place] = inertia * fabs(after[i]) + fabs(before[i]) + fabs(p);
    account->kick += fabs(p);
    account->work += p * 0.5 * (problem->before[at] + problem->after[at]);
  }
}

// Three numbers of a free body: momenta before and after, P, velocities.
static inline __attribute__((always_inline)) void
balance_three(double inertia, const double *before, const double *after, const double *p,
              const double *u, const double *v, double *balance, body_account *account)
{
  double *sizes = balance + PC_BALANCE_SIZE;
  for (int i = 0; i < 3; i++) {
    balance[i] = inertia * (after[i] - before[i]) - p[i];
    sizes[i] = inertia * fabs(after[i]) + fabs(before[i]) + fabs(p[i]);
  }
  account->before += 0.5 * pc_dot3(before, u);
  account->after += 0.5 * pc_dot3(after, v);
  account->kick += fabs(p[0]) + fabs(p[1]) + fabs(p[2]);
  account->work += 0.5 * (pc_dot3(p, u) + pc_dot3(p, v));
}

// All this of a free body that nothing couples.
static inline void balance_free(const audit_work *work, int b, body_account *account)
{
  const pc_impact *problem = work->problem;
  const pc_body_data *body = &problem->body[b];
  const double *u = problem->before + body->start, *v = problem->after + body->start;
  const double *p = problem->percussion + body->start, *i = body->turn->inertia, m = body->mass;
  double inertia = problem->quasi_static ? 0 : 1;
  double *balance = work->balance + (long)PC_BALANCE * b;
  double xx = i[0] * u[3], xy = i[1] * u[4], xz = i[2] * u[5];
  double yx = i[1] * u[3], yy = i[3] * u[4], yz = i[4] * u[5];
  double zx = i[2] * u[3], zy = i[4] * u[4], zz = i[5] * u[5];
  double before[6] = {m * u[0], m * u[1], m * u[2], xx + xy + xz, yx + yy + yz, zx + zy + zz};
  double after[6] = {m * v[0],
                     m * v[1],
                     m * v[2],
                     i[0] * v[3] + i[1] * v[4] + i[2] * v[5],
                     i[1] * v[3] + i[3] * v[4] + i[4] * v[5],
                     i[2] * v[3] + i[4] * v[4] + i[5] * v[5]};
  double size[6] = {fabs(p[0]) + fabs(before[0]),
                    fabs(p[1]) + fabs(before[1]),
                    fabs(p[2]) + fabs(before[2]),
                    fabs(p[3]) + (fabs(xx) + fabs(xy) + fabs(xz)),
                    fabs(p[4]) + (fabs(yx) + fabs(yy) + fabs(yz)),
                    fabs(p[5]) + (fabs(zx) + fabs(zy) + fabs(zz))};
  account->energy += 0.5 * free_size2(body, size, size + 3);
  balance_three(inertia, before, after, p, u, v, balance, account);
  balance_three(inertia, before + 3, after + 3, p + 3, u + 3, v + 3, balance + PC_BALANCE_SPIN,
                account);
}

// And of one in the plane.
static inline void balance_flat(const audit_work *work, int b, body_account *account)
{
  const pc_impact *problem = work->problem;
  const pc_body_data *body = &problem->body[b];
  const double *u = problem->before + body->start, *v = problem->after + body->start;
  const double *p = problem->percussion + body->start;
  double inertia = problem->quasi_static ? 0 : 1, size[3] = {0};
  double *balance = work->balance + (long)PC_BALANCE * b, *sizes = balance + PC_BALANCE_SIZE;
  for (int i = 0; i < body->dof; i++) {
    double mass = i < 2 ? body->mass : body->turn->inertia[5];
    double before = mass * u[i], after = mass * v[i];
    size[i] = fabs(p[i]) + fabs(before);
    balance[i] = inertia * (after - before) - p[i];
    sizes[i] = inertia * fabs(after) + fabs(before) + fabs(p[i]);
    account->before += 0.5 * before * u[i];
    account->after += 0.5 * after * v[i];
    account->kick += fabs(p[i]);
    account->work += p[i] * 0.5 * (u[i] + v[i]);
  }
  account->energy += 0.5 * flat_size2(body, size);
}

static inline void prefetch_body(const audit_work *work, int b)
{
  const pc_impact *problem = work->problem;
  pc_prefetch(problem->body, b, sizeof *problem->body);
  if (problem->dofs > 2 * problem->bodies) // some turn
    pc_prefetch(problem->turn, b, sizeof *problem->turn);
}

static void balance_bodies(void *context, int begin, int end, int worker)
{
  (void)worker;
  const audit_work *work = context;
  const pc_impact *problem = work->problem;
  bool coupled = problem->masses > 0; // and what couples a body is there already
  for (int chunk = begin; chunk < end; chunk++) {
    body_account account = {0};
    if (work->points) {
      pc_point_sums sums = {0};
      for (int b = chunk * CHUNK; b < chunk_end(chunk, problem->bodies); b++)
        pc_point_begin(problem, b, work->balance, &sums);
      work->bodies[chunk] = (body_account){.energy = sums.energy,
                                           .before = sums.before,
                                           .after = sums.after,
                                           .kick = sums.kick,
                                           .work = sums.work};
      continue;
    }
    for (int b = chunk * CHUNK; b < chunk_end(chunk, problem->bodies); b++) {
      const pc_body_data *body = &problem->body[b];
      prefetch_body(work, b + PC_FAR);
      if (is_free(body) && !coupled) {
        balance_free(work, b, &account);
        continue;
      }
      if (is_flat(body) && !coupled) {
        balance_flat(work, b, &account);
        continue;
      }
      double momenta[2][PC_MAX_DOF] = {{0}};
      double *before = coupled ? work->before + body->start : momenta[0];
      double *after = coupled ? work->after + body->start : momenta[1];
      account.energy += body_momenta(problem, body, before, after);
      balance_body(work, b, before, after, &account);
    }
    work->bodies[chunk] = account;
  }
}

// Dissipations that should not be negative and are, of one chunk.
static int count_signs(const audit_work *work, int chunk)
{
  int wrong = 0;
  if (!(work->account[chunk].lowest < work->least * work->energy))
    return 0;
  for (int k = chunk * CHUNK; k < chunk_end(chunk, work->problem->interactions); k++)
    wrong += work->lowest[k] < work->least * (work->energy + work->noise[k]);
  return wrong;
}

static void add_account(pc_audit *sum, const pc_audit *part)
{
  sum->work_prescribed += part->work_prescribed;
  sum->dissipated += part->dissipated;
  sum->dissipated_signed += part->dissipated_signed;
  sum->dissipated_separating += part->dissipated_separating;
  sum->dissipated_restitution += part->dissipated_restitution;
  sum->dissipated_friction += part->dissipated_friction;
  sum->dissipated_bounds += part->dissipated_bounds;
  sum->penetration = fmax(sum->penetration, part->penetration);
}

static bool audit_memory(audit_work *work)
{
  pc_impact *problem = work->problem;
  pc_arena *arena = &problem->work;
  pc_audit_numbers *n = &work->numbers;
  size_t dofs = (size_t)problem->dofs + 1, count = (size_t)problem->interactions + 1;
  size_t bodies = (size_t)problem->bodies + 1;
  size_t coupled = problem->masses > 0 ? dofs : 1;
  double **arrays[] = {&n->before, &n->after,  &n->percussion, &n->bound,
                       &n->k,      &n->across, &n->trace,      &n->square};
  pc_arena_reset(arena);
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
    *arrays[i] = pc_arena_take_raw(arena, count + PC_BATCH, sizeof(double));
  work->lowest = n->across;
  work->noise = n->trace;
  work->balance = pc_arena_take_raw(arena, PC_BALANCE * bodies, sizeof(double));
  work->before = pc_arena_take(arena, coupled, sizeof(double));
  work->after = pc_arena_take(arena, coupled, sizeof(double));
  work->bodies = pc_arena_take(arena, bodies / CHUNK + 1, sizeof(body_account));
  work->account = pc_arena_take_raw(arena, count / CHUNK + 1, sizeof(chunk_account));
  return !arena->failed;
}

pc_status pc_impact_audit(pc_impact *problem, int threads, pc_audit *audit)
{
  *audit = (pc_audit){0};
  int chunks = (problem->interactions + CHUNK - 1) / CHUNK;
  int body_chunks = (problem->bodies + CHUNK - 1) / CHUNK;
  audit_work work = {.problem = problem,
                     .kernels = pc_audit_kernels_of(false),
                     .points = pc_audit_is_of_points(problem),
                     .alone = threads <= 1 || chunks < 2 * GRAIN};
  problem->free_energy = problem->speed = 0;
  if (!audit_memory(&work)) {
    audit->identity = audit->momentum = INFINITY;
    return pc_fail(&problem->error, PC_ERROR_MEMORY, "out of memory");
  }
  couple_momentum(problem, problem->before, work.before);
  couple_momentum(problem, problem->after, work.after);
  pc_parallel(threads, body_chunks, BODY_GRAIN, balance_bodies, &work);
  double total_kick = 0;
  for (int i = 0; i < body_chunks; i++) {
    problem->free_energy += work.bodies[i].energy;
    audit->kinetic_before += work.bodies[i].before;
    audit->kinetic_after += work.bodies[i].after;
    audit->work_external += work.bodies[i].work;
    total_kick += work.bodies[i].kick;
  }
  pc_parallel(threads, chunks, GRAIN, measure_chunks, &work);
  for (int i = 0; i < chunks; i++)
    problem->speed = fmax(problem->speed, work.account[i].speed);
  pc_parallel(threads, chunks, JUDGE_GRAIN, audit_chunks, &work);

  double inertia = problem->quasi_static ? 0 : 1, motion = problem->free_energy;
  double terms = audit->kinetic_before + audit->kinetic_after + fabs(audit->work_external);
  double worst_product = 0;
  for (int i = 0; i < chunks; i++) {
    add_account(audit, &work.account[i].audit);
    terms += work.account[i].terms;
    worst_product = fmax(worst_product, work.account[i].worst_product);
  }
  int all = threads > 1 && body_chunks > threads ? body_chunks / threads : 1; // each looks at all
  pc_parallel(threads, body_chunks, all, add_percussions, &work);
  double defect = 0, total = 0;
  for (int i = 0; i < body_chunks; i++) {
    defect += work.bodies[i].defect;
    total += work.bodies[i].size;
  }
  double energy = terms + motion;
  double change = inertia * (audit->kinetic_after - audit->kinetic_before);
  if (problem->bodies > 0 && energy > 0)
    audit->identity =
        fabs(change - audit->work_external - audit->work_prescribed + audit->dissipated) / energy;
  audit->momentum = total > 0 ? sqrt(defect / total) : 0;
  audit->complementarity = energy > 0 ? worst_product / energy : 0;
  // An answer that is right to `reached` may be wrong by that in the sign of what is next to
  // nothing.
  work.least = -10 * fmin(1e-3, fmax(1e-13, problem->reached));
  work.energy = energy;
  for (int i = 0; i < chunks; i++)
    audit->wrong_signs += count_signs(&work, i);
  // The quasi-static mode is a limit taken with small inertia, and closes as far as that goes;
  // without external percussions nothing is left to balance.
  double round_off = !problem->quasi_static ? 1e-10 : total_kick > 0 ? 1e-6 : INFINITY;
  audit->closed =
      audit->identity <= round_off && audit->momentum <= round_off && audit->wrong_signs == 0;
  return PC_OK;
}
