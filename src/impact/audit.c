// The audit: what an answer says about itself, recomputed from the problem as it was stated.
// Nothing here uses what a solver kept.
#include <math.h>
#include <string.h>

#include "core/small.h"
#include "core/threads.h"
#include "impact/bulk.h"
#include "impact/islands.h"

static inline double larger(double a, double b)
{
  return a > b ? a : b;
}

enum { CHUNK = 2048 }; // interactions summed at a time, whatever the number of threads

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
  const double *x = body->inverse;
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
      trace += data->rows * body->light + (x * x + y * y) * body->inverse[5];
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
      g[2] += body->inertia[5] * (sizes ? fabs(u[2]) : u[2]);
    return;
  }
  const double *turn = body->inertia;
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
        double m = coupling->block[i * b->dof + j];
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
  double *lowest, *noise; // per interaction
  double *before, *after; // momenta
  double *jump, *size;    // per degree of freedom
  double least, energy;   // signs below this part of the energy are wrong
} audit_work;

// D- of a contact along its normal.
static inline double normal_before(const pc_impact *problem, const pc_interaction_data *data)
{
  const double *n = data->normal;
  double sum = pc_dot3(n, data->given);
  for (int t = 0; t < data->terms; t++) {
    const pc_body_data *body = &problem->body[data->body[t]];
    const double *u = problem->before + body->start;
    double sign = t == 0 ? 1 : -1, v[3], w[3], r[3], turn[3];
    if (body->dof == 3) {
      double x = data->point[0] - body->position[0], y = data->point[1] - body->position[1];
      sum += sign * (n[0] * (u[0] - u[2] * y) + n[1] * (u[1] + u[2] * x));
      continue;
    }
    pc_body_motion(body, problem->before, v, w);
    for (int i = 0; i < 3; i++)
      r[i] = data->point[i] - body->position[i];
    pc_cross(w, r, turn);
    sum += sign * (pc_dot3(n, v) + pc_dot3(n, turn));
  }
  return sum;
}

// The largest normal velocity before, or bound, of contacts and explicit rows.
static void measure_chunks(void *context, int begin, int end, int worker)
{
  (void)worker;
  const audit_work *work = context;
  const pc_impact *problem = work->problem;
  for (int chunk = begin; chunk < end; chunk++) {
    int last =
        (chunk + 1) * CHUNK < problem->interactions ? (chunk + 1) * CHUNK : problem->interactions;
    double speed = 0;
    int low = problem->bodies, high = -1;
    for (int k = chunk * CHUNK; k < last; k++) {
      const pc_interaction_data *data = &problem->interaction[k];
      double before[PC_MAX_ROWS];
      for (int t = 0; t < data->terms; t++) {
        int b = pc_term_body(problem, data, t);
        low = b < low ? b : low;
        high = b > high ? b : high;
      }
      if (k + PC_FAR < last && pc_spread(problem)) {
        pc_prefetch_bodies(problem, data + PC_FAR);
        pc_prefetch_velocities(problem, data + PC_NEAR, problem->before, problem->before);
      }
      if (data->type == PC_CONTACT) {
        before[0] = normal_before(problem, data);
      } else if (data->type == PC_ROWS) {
        velocity_of(problem, data, problem->before, before);
      } else {
        continue;
      }
      speed = larger(fabs(before[0]), speed);
      if (isfinite(data->bound))
        speed = larger(fabs(data->bound), speed);
    }
    work->account[chunk] = (chunk_account){.speed = speed, .low = low, .high = high};
  }
}

static void audit_chunks(void *context, int begin, int end, int worker)
{
  (void)worker;
  const audit_work *work = context;
  const pc_impact *problem = work->problem;
  for (int chunk = begin; chunk < end; chunk++) {
    chunk_account account = {.low = work->account[chunk].low, .high = work->account[chunk].high};
    int last =
        (chunk + 1) * CHUNK < problem->interactions ? (chunk + 1) * CHUNK : problem->interactions;
    for (int k = chunk * CHUNK; k < last; k++) {
      const pc_interaction_data *data = &problem->interaction[k];
      contact_state state;
      if (k + PC_FAR < last && pc_spread(problem)) {
        pc_prefetch_bodies(problem, data + PC_FAR);
        pc_prefetch_velocities(problem, data + PC_NEAR, problem->before, problem->after);
      }
      set_state(problem, data, &state);
      work->lowest[k] = -larger(-book(pc_law_of(problem, data), data, &state, &account), 0);
      double square = pc_dot3(state.percussion, state.percussion);
      for (int i = 3; i < pc_interaction_numbers(data); i++)
        square += state.percussion[i] * state.percussion[i];
      work->noise[k] = state.size * sqrt(square);
      if (data->terms > 0 && !still(problem, data))
        account.audit.work_prescribed +=
            prescribed_work(problem, data, state.percussion, &account.terms);
      if (data->unilateral && isfinite(state.bound)) {
        account.worst_product = larger(fabs(state.reaction * (state.normal_after - state.bound)),
                                       account.worst_product);
        account.audit.penetration =
            larger(state.bound - state.normal_after, account.audit.penetration);
      }
    }
    work->account[chunk] = account;
  }
}

static int chunk_end(int chunk, int count)
{
  return (chunk + 1) * CHUNK < count ? (chunk + 1) * CHUNK : count;
}

// Adds P of one interaction to the balance of its bodies begin .. end.
static inline void add_percussion(const audit_work *work, const pc_interaction_data *data,
                                  int begin, int end)
{
  const pc_impact *problem = work->problem;
  const double *p = problem->force + data->row;
  for (int t = 0; t < data->terms; t++) {
    int b = pc_term_body(problem, data, t);
    if (b < begin || b >= end || !problem->body[b].movable)
      continue;
    const pc_body_data *body = &problem->body[b];
    double *jump = work->jump + body->start, *size = work->size + body->start;
    int n = body->dof;
    if (data->type != PC_CONTACT) {
      const double *row = pc_term_rows(problem, data, NULL, t);
      for (int r = 0; r < data->rows; r++, row += n)
        for (int i = 0; i < n; i++) {
          jump[i] += row[i] * p[r];
          size[i] += fabs(row[i] * p[r]);
        }
      continue;
    }
    double sign = t == 0 ? 1 : -1, f[3] = {0}, arm[3];
    for (int i = 0; i < data->spins && n >= 3; i++) { // the moment of rolling friction
      jump[n == 3 ? 2 : 3 + i] += sign * p[data->rows + i];
      size[n == 3 ? 2 : 3 + i] += fabs(p[data->rows + i]);
    }
    if (n == 3) {
      double x = sign * p[0], y = sign * p[1];
      double xy = (data->point[0] - body->position[0]) * y;
      double yx = (data->point[1] - body->position[1]) * x;
      jump[0] += x;
      jump[1] += y;
      jump[2] += xy - yx;
      size[0] += fabs(x);
      size[1] += fabs(y);
      size[2] += fabs(xy) + fabs(yx);
      continue;
    }
    for (int i = 0; i < data->rows; i++) {
      f[i] = sign * p[i];
      jump[i] += f[i];
      size[i] += fabs(f[i]);
    }
    if (n != 6)
      continue;
    for (int i = 0; i < 3; i++)
      arm[i] = data->point[i] - body->position[i];
    double xy = arm[0] * f[1], yx = arm[1] * f[0];
    double yz = arm[1] * f[2], zy = arm[2] * f[1], zx = arm[2] * f[0], xz = arm[0] * f[2];
    jump[3] += yz - zy;
    size[3] += fabs(yz) + fabs(zy);
    jump[4] += zx - xz;
    size[4] += fabs(zx) + fabs(xz);
    jump[5] += xy - yx;
    size[5] += fabs(xy) + fabs(yx);
  }
}

// Each worker adds to its own bodies, so no two write to one place and the order stays. Chunks of
// interactions that do not reach them are left out.
static void add_percussions(void *context, int begin, int end, int worker)
{
  (void)worker;
  const audit_work *work = context;
  const pc_impact *problem = work->problem;
  int first = begin * CHUNK, last = chunk_end(end - 1, problem->bodies);
  for (int chunk = 0; chunk * CHUNK < problem->interactions; chunk++) {
    if (work->account[chunk].high < first || work->account[chunk].low >= last)
      continue;
    int stop = chunk_end(chunk, problem->interactions);
    for (int k = chunk * CHUNK; k < stop; k++) {
      const pc_interaction_data *data = &problem->interaction[k];
      if (k + PC_FAR < stop && pc_spread(problem)) {
        pc_prefetch_bodies(problem, data + PC_FAR);
        pc_prefetch_velocities(problem, data + PC_NEAR, work->jump, work->size);
      }
      add_percussion(work, data, first, last);
    }
  }
  for (int chunk = begin; chunk < end; chunk++) {
    body_account *account = &work->bodies[chunk];
    for (int b = chunk * CHUNK; b < chunk_end(chunk, problem->bodies); b++) {
      const pc_body_data *body = &problem->body[b];
      account->defect += whitened_size2(problem, body, work->jump + body->start);
      account->size += whitened_size2(problem, body, work->size + body->start);
    }
  }
}

// Momenta of the bodies, and the kinetic energy of their free motion.
static void add_momenta(void *context, int begin, int end, int worker)
{
  (void)worker;
  const audit_work *work = context;
  const pc_impact *problem = work->problem;
  for (int chunk = begin; chunk < end; chunk++) {
    double energy = 0;
    for (int b = chunk * CHUNK; b < chunk_end(chunk, problem->bodies); b++) {
      const pc_body_data *body = &problem->body[b];
      int at = body->start;
      double f[PC_MAX_DOF];
      for (int i = 0; i < body->dof; i++) {
        f[i] = fabs(problem->percussion[at + i]);
        work->before[at + i] = work->after[at + i] = work->jump[at + i] = work->size[at + i] = 0;
      }
      body_momentum(problem, body, problem->before + at, false, work->before + at);
      body_momentum(problem, body, problem->after + at, false, work->after + at);
      body_momentum(problem, body, problem->before + at, true, f);
      energy += 0.5 * whitened_size2(problem, body, f);
    }
    work->bodies[chunk] = (body_account){.energy = energy};
  }
}

// What bodies have and get, without interactions.
static void balance_bodies(void *context, int begin, int end, int worker)
{
  (void)worker;
  const audit_work *work = context;
  const pc_impact *problem = work->problem;
  double inertia = problem->quasi_static ? 0 : 1;
  for (int chunk = begin; chunk < end; chunk++) {
    body_account *account = &work->bodies[chunk];
    for (int b = chunk * CHUNK; b < chunk_end(chunk, problem->bodies); b++) {
      const pc_body_data *body = &problem->body[b];
      for (int i = body->start; i < body->start + body->dof; i++) {
        double before = work->before[i], after = work->after[i], p = problem->percussion[i];
        account->before += 0.5 * before * problem->before[i];
        account->after += 0.5 * after * problem->after[i];
        if (pc_body_prescribes(body, i - body->start))
          continue;
        work->jump[i] = inertia * (after - before) - p;
        work->size[i] = inertia * fabs(after) + fabs(before) + fabs(p);
        account->kick += fabs(p);
        account->work += p * 0.5 * (problem->before[i] + problem->after[i]);
      }
    }
  }
}

// Dissipations that should not be negative and are.
static void count_signs(void *context, int begin, int end, int worker)
{
  (void)worker;
  const audit_work *work = context;
  for (int chunk = begin; chunk < end; chunk++) {
    int wrong = 0;
    for (int k = chunk * CHUNK; k < chunk_end(chunk, work->problem->interactions); k++)
      wrong += work->lowest[k] < work->least * (work->energy + work->noise[k]);
    work->account[chunk].audit.wrong_signs = wrong;
  }
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
  size_t dofs = (size_t)problem->dofs + 1, count = (size_t)problem->interactions + 1;
  double **vectors[] = {&work->before, &work->after, &work->jump, &work->size};
  pc_arena_reset(arena);
  for (int i = 0; i < 4; i++)
    *vectors[i] = pc_arena_take_raw(arena, dofs, sizeof(double));
  work->lowest = pc_arena_take_raw(arena, count, sizeof(double));
  work->noise = pc_arena_take_raw(arena, count, sizeof(double));
  work->bodies = pc_arena_take(arena, (size_t)problem->bodies / CHUNK + 1, sizeof(body_account));
  work->account = pc_arena_take_raw(arena, count / CHUNK + 1, sizeof(chunk_account));
  return !arena->failed;
}

void pc_impact_audit(pc_impact *problem, int threads, pc_audit *audit)
{
  *audit = (pc_audit){0};
  audit_work work = {.problem = problem};
  problem->free_energy = problem->speed = 0;
  if (!audit_memory(&work)) {
    audit->identity = audit->momentum = INFINITY;
    return;
  }
  int chunks = (problem->interactions + CHUNK - 1) / CHUNK;
  int body_chunks = (problem->bodies + CHUNK - 1) / CHUNK;
  pc_parallel(threads, body_chunks, 1, add_momenta, &work);
  for (int i = 0; i < body_chunks; i++)
    problem->free_energy += work.bodies[i].energy;
  couple_momentum(problem, problem->before, work.before);
  couple_momentum(problem, problem->after, work.after);
  pc_parallel(threads, chunks, 1, measure_chunks, &work);
  for (int i = 0; i < chunks; i++)
    problem->speed = fmax(problem->speed, work.account[i].speed);
  pc_parallel(threads, chunks, 1, audit_chunks, &work);

  double inertia = problem->quasi_static ? 0 : 1, motion = problem->free_energy;
  double total_kick = 0;
  pc_parallel(threads, body_chunks, 1, balance_bodies, &work);
  for (int i = 0; i < body_chunks; i++) {
    audit->kinetic_before += work.bodies[i].before;
    audit->kinetic_after += work.bodies[i].after;
    audit->work_external += work.bodies[i].work;
    total_kick += work.bodies[i].kick;
  }
  double terms = audit->kinetic_before + audit->kinetic_after + fabs(audit->work_external);
  double worst_product = 0;
  for (int i = 0; i < chunks; i++) {
    add_account(audit, &work.account[i].audit);
    terms += work.account[i].terms;
    worst_product = fmax(worst_product, work.account[i].worst_product);
  }
  pc_parallel(threads, body_chunks, 1, add_percussions, &work);
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
  pc_parallel(threads, chunks, 1, count_signs, &work);
  for (int i = 0; i < chunks; i++)
    audit->wrong_signs += work.account[i].audit.wrong_signs;
  // The quasi-static mode is a limit taken with small inertia, and closes as far as that goes;
  // without external percussions nothing is left to balance.
  double round_off = !problem->quasi_static ? 1e-10 : total_kick > 0 ? 1e-6 : INFINITY;
  audit->closed =
      audit->identity <= round_off && audit->momentum <= round_off && audit->wrong_signs == 0;
}
