// The audit: what an answer says about itself, recomputed from the problem as it was stated.
// Nothing here uses what a solver kept.
#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/small.h"
#include "core/threads.h"
#include "impact/audit_flat.h"
#include "impact/bulk.h"
#include "impact/contact_side.h"
#include "impact/interaction_state.h"
#include "impact/momentum.h"

// Interactions and bodies summed at a time, whatever the number of threads; and how many of these
// are worth a thread.
enum { CHUNK = 256, GRAIN = 2, JUDGE_GRAIN = 8, BODY_GRAIN = 1 };

// Work of the prescribed velocities of an interaction, those of obstacles and of infinite masses.
// The sizes of its parts are added to *terms.
static double prescribed_work(const pc_impact *problem, const pc_interaction_data *data,
                              const double *percussion, double *terms)
{
  double w[PC_MAX_ROWS], work = 0;
  int numbers = pc_interaction_numbers(data);
  memcpy(w, pc_interaction_given(problem, data), sizeof w);
  pc_rows rows;
  bool made = data->type != PC_CONTACT;
  for (int t = 0; t < data->terms; t++) {
    const pc_body_data *body = &problem->body.at[pc_term_body(problem, data, t)];
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
          x += row[i] * problem->before.at[body->start + i];
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

// What leads is no work, and no part of what friction takes.
static void take_lead(double lead, pc_audit *audit)
{
  audit->work_prescribed -= lead;
  audit->dissipated -= lead;
  audit->dissipated_friction -= lead;
}

// Whether prescribed velocities may act at an interaction.
static inline bool may_be_driven(const pc_impact *problem, const pc_interaction_data *data)
{
  bool driven = data->type != PC_CONTACT || data->spins != 0 || data->driven;
  for (int t = 0; t < data->terms && !driven; t++)
    driven = problem->body.at[data->body[t]].prescribed != 0;
  return driven;
}

// What one chunk of interactions adds to the audit.
typedef struct chunk_balance {
  pc_audit audit;
  double terms, worst_product, speed;
  double lead;   // of its contacts, see pc_interaction_lead
  double lowest; // the least dissipation that should not be negative, or 0
  int others;    // interactions that audit_kernels.h does not take
  int low, high; // its bodies are among these
} chunk_balance;

// Adds the dissipation of one interaction to the lines of the balance it belongs to; gives the part
// whose sign is guaranteed.
static inline double add_dissipation(const pc_law *law, const pc_interaction_data *data,
                                     const pc_interaction_state *state, chunk_balance *balance)
{
  pc_audit *audit = &balance->audit;
  bool normal = data->type != PC_SPIN && law->normal.kind != PC_NORMAL_NONE;
  const pc_tangential_law *tangential = &law->tangential;
  double all = 0, along = 0;
  for (int r = 0; r < pc_interaction_numbers(data); r++) {
    double x = state->percussion[r] * 0.5 * (state->before[r] + state->after[r]);
    all += x;
    balance->terms += data->terms > 0 ? fabs(x) : 0;
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
  chunk_balance *balance; // per chunk
  const pc_audit_kernels *kernels;
  pc_audit_numbers numbers; // per interaction
  double *lowest, *noise;   // in the places of some of these
  pc_flat_body *flat;       // bodies, where all is in the plane
  pc_momentum momentum;
  pc_momentum_sums *bodies; // per chunk
  double least, energy;     // signs below this part of the energy are wrong
  bool alone;               // one thread adds percussions while it has the contacts at hand
  bool pushes;              // in the plane, where some bodies turn: contact by contact
} audit_work;

static int chunk_end(int chunk, int count)
{
  return (chunk + 1) * CHUNK < count ? (chunk + 1) * CHUNK : count;
}

// Extends the range of bodies of a chunk.
static void widen(const pc_impact *problem, const pc_interaction_data *data, chunk_balance *balance)
{
  for (int t = 0; t < data->terms; t++) {
    int b = pc_term_body(problem, data, t);
    balance->low = b < balance->low ? b : balance->low;
    balance->high = b > balance->high ? b : balance->high;
  }
}

// Contacts that audit_kernels.h can hold.
static inline bool fits_batch(const pc_impact *problem, const pc_interaction_data *data)
{
  return problem->law.at[data->law].packable && problem->answered && problem->response.count == 0;
}

static inline void gather(const pc_impact *problem, const pc_interaction_data *data, double *at)
{
  const double *const velocity[2] = {problem->before.at, problem->after.at};
  double u[2][2][3];
  at[PC_IN_LIGHT * PC_BATCH_LANES] = data->rows * pc_batch_gather(problem, data, velocity, u, at);
  for (int i = PC_IN_E; i < PC_IN_LAW_END; i++)
    at[i * PC_BATCH_LANES] = problem->law.at[data->law].balance[i - PC_IN_E];
}

// Empties a lane that has no contact, or one that does not fit.
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
  return pc_larger(pc_larger(lanes[0], lanes[1]), pc_larger(lanes[2], lanes[3]));
}

// An interaction of another kind, for the second pass.
static void note_other(const pc_impact *problem, const pc_interaction_data *data,
                       chunk_balance *balance)
{
  balance->others++;
  balance->speed = pc_larger(pc_interaction_speed(problem, data), balance->speed);
}

// Contacts first .. stop go into the batch; the balance gets what the batch does not hold.
static inline void gather_batch(const pc_impact *problem, int first, int stop, int last,
                                pc_batch *batch, chunk_balance *balance)
{
  for (int k = first; k < stop; k++) {
    const pc_interaction_data *data = &problem->interaction.at[k];
    double *at = pc_batch_at(batch, k - first);
    if (k + PC_FAR < last && pc_spread(problem)) {
      pc_prefetch_contact(problem, k + PC_FARTHEST);
      pc_prefetch_bodies(problem, data + PC_FAR);
      pc_prefetch_velocities(problem, data + PC_NEAR, problem->before.at, problem->after.at);
    }
    widen(problem, data, balance);
    if (!fits_batch(problem, data)) {
      leave_out(at);
      note_other(problem, data, balance);
      continue;
    }
    gather(problem, data, at);
    if (may_be_driven(problem, data))
      balance->audit.work_prescribed +=
          prescribed_work(problem, data, problem->force.at + data->row, &balance->terms);
    balance->lead += pc_interaction_lead(problem, data, problem->force.at + data->row);
  }
  for (int k = stop; k < first + PC_BATCH; k++)
    leave_out(pc_batch_at(batch, k - first));
}

static inline void push_flat(const audit_work *work, const pc_interaction_data *data,
                             const pc_flat_body *a, const pc_flat_body *b)
{
  const double *p = work->problem->force.at + data->row, *at = data->point;
  double x = p[0], y = p[1];
  if (a->movable)
    pc_momentum_push_flat(&work->momentum, data->body[0], x, y, at[0] - a->x, at[1] - a->y);
  if (b->movable)
    pc_momentum_push_flat(&work->momentum, data->body[1], -x, -y, at[0] - b->x, at[1] - b->y);
}

// The same for problems of the plane, without a batch.
static void measure_flat(const audit_work *work, int first, int stop, int last,
                         chunk_balance *balance, pc_audit_first *sums)
{
  static const pc_flat_body nothing = {0};
  const pc_impact *problem = work->problem;
  const bool spread = pc_spread(problem);
  for (int k = first; k < stop; k++) {
    const pc_interaction_data *data = &problem->interaction.at[k];
    if (spread && k + PC_FAR < last) {
      pc_prefetch_contact(problem, k + PC_FARTHEST);
      for (int t = 0; t < data[PC_FAR].terms && data[PC_FAR].type == PC_CONTACT; t++)
        pc_prefetch(work->flat, data[PC_FAR].body[t], sizeof *work->flat);
    }
    if (!work->alone)
      widen(problem, data, balance);
    if (!fits_batch(problem, data)) {
      pc_audit_flat_leave_out(k, &work->numbers);
      note_other(problem, data, balance);
      if (work->pushes)
        pc_momentum_push(&work->momentum, k, k + 1, 0, problem->body.count);
      continue;
    }
    const pc_flat_body *a = &work->flat[data->body[0]];
    const pc_flat_body *b = data->terms > 1 ? &work->flat[data->body[1]] : &nothing;
    pc_audit_flat_measure(problem, data, a, b, k, &work->numbers, sums);
    if (work->pushes)
      push_flat(work, data, a, b);
    if (a->prescribed || b->prescribed || data->driven)
      balance->audit.work_prescribed +=
          prescribed_work(problem, data, problem->force.at + data->row, &balance->terms);
    balance->lead += pc_interaction_lead(problem, data, problem->force.at + data->row);
  }
  for (int k = stop; k % PC_BATCH_LANES != 0; k++)
    pc_audit_flat_leave_out(k, &work->numbers);
}

// The first pass over interactions: all of the balance that needs no size of velocities.
static void measure_chunks(void *context, int begin, int end, int worker)
{
  (void)worker;
  const audit_work *work = context;
  const pc_impact *problem = work->problem;
  pc_batch batch;
  for (int chunk = begin; chunk < end; chunk++) {
    chunk_balance balance = {.low = problem->body.count, .high = -1};
    pc_audit_first sums = {0};
    int last = chunk_end(chunk, problem->interaction.count);
    for (int first = chunk * CHUNK; first < last; first += PC_BATCH) {
      int stop = first + PC_BATCH < last ? first + PC_BATCH : last;
      if (work->flat != NULL) {
        measure_flat(work, first, stop, last, &balance, &sums);
      } else {
        gather_batch(problem, first, stop, last, &batch, &balance);
        work->kernels->measure(&batch, first, &work->numbers, &sums);
      }
      if (work->alone && !work->pushes)
        pc_momentum_push(&work->momentum, first, stop, 0, problem->body.count);
    }
    balance.terms += sum_of(sums.terms);
    balance.speed = pc_larger(most_of(sums.speed), balance.speed);
    balance.audit.dissipated = sum_of(sums.dissipated);
    balance.audit.dissipated_friction = sum_of(sums.friction);
    balance.audit.dissipated_restitution = sum_of(sums.restitution);
    balance.audit.penetration = most_of(sums.penetration);
    take_lead(balance.lead, &balance.audit);
    work->balance[chunk] = balance;
  }
}

// One interaction of another kind, in the second pass.
static void audit_other(const audit_work *work, int k, chunk_balance *balance)
{
  const pc_impact *problem = work->problem;
  const pc_interaction_data *data = &problem->interaction.at[k];
  pc_interaction_state state;
  pc_interaction_state_of(problem, data, &state);
  work->lowest[k] =
      -pc_larger(-add_dissipation(pc_law_of(problem, data), data, &state, balance), 0);
  balance->lowest = -pc_larger(-work->lowest[k], -balance->lowest);
  double square = pc_dot3(state.percussion, state.percussion);
  for (int i = 3; i < pc_interaction_numbers(data); i++)
    square += state.percussion[i] * state.percussion[i];
  work->noise[k] = state.size * sqrt(square);
  if (data->terms > 0 && may_be_driven(problem, data))
    balance->audit.work_prescribed +=
        prescribed_work(problem, data, state.percussion, &balance->terms);
  take_lead(pc_interaction_lead(problem, data, state.percussion), &balance->audit);
  if (data->unilateral && isfinite(state.bound)) {
    balance->worst_product = pc_larger(fabs(state.reaction * (state.normal_after - state.bound)),
                                       balance->worst_product);
    balance->audit.penetration =
        pc_larger(state.bound - state.normal_after, balance->audit.penetration);
  }
}

static void audit_chunks(void *context, int begin, int end, int worker)
{
  (void)worker;
  const audit_work *work = context;
  const pc_impact *problem = work->problem;
  for (int chunk = begin; chunk < end; chunk++) {
    chunk_balance *balance = &work->balance[chunk];
    pc_audit_second sums = {0};
    int last = chunk_end(chunk, problem->interaction.count);
    work->kernels->judge(problem, &work->numbers, chunk * CHUNK, last, work->lowest, work->noise,
                         &sums);
    balance->audit.dissipated_signed = sum_of(sums.with_sign);
    balance->audit.dissipated_separating = sum_of(sums.separating);
    balance->audit.dissipated_bounds = sum_of(sums.bounds);
    balance->worst_product = most_of(sums.product);
    for (int l = 0; l < PC_BATCH_LANES; l++)
      balance->lowest = sums.lowest[l] < balance->lowest ? sums.lowest[l] : balance->lowest;
    for (int k = chunk * CHUNK; k < last && balance->others > 0; k++)
      if (!fits_batch(problem, &problem->interaction.at[k]))
        audit_other(work, k, balance);
  }
}

static void begin_bodies(void *context, int begin, int end, int worker)
{
  (void)worker;
  const audit_work *work = context;
  for (int chunk = begin; chunk < end; chunk++) {
    work->bodies[chunk] = (pc_momentum_sums){0};
    int last = chunk_end(chunk, work->problem->body.count);
    pc_momentum_begin(&work->momentum, chunk * CHUNK, last, &work->bodies[chunk]);
    for (int b = chunk * CHUNK; b < last && work->flat != NULL; b++)
      pc_audit_flat_body(work->problem, b, &work->flat[b]);
  }
}

// Each worker adds to its own bodies, so no two write to one place and the order stays. Chunks of
// interactions that do not reach them are left out.
static void end_bodies(void *context, int begin, int end, int worker)
{
  (void)worker;
  const audit_work *work = context;
  const pc_impact *problem = work->problem;
  int first = begin * CHUNK, last = chunk_end(end - 1, problem->body.count);
  for (int chunk = 0; chunk * CHUNK < problem->interaction.count && !work->alone; chunk++) {
    if (work->balance[chunk].high < first || work->balance[chunk].low >= last)
      continue;
    pc_momentum_push(&work->momentum, chunk * CHUNK, chunk_end(chunk, problem->interaction.count),
                     first, last);
  }
  for (int chunk = begin; chunk < end; chunk++)
    pc_momentum_end(&work->momentum, chunk * CHUNK, chunk_end(chunk, problem->body.count),
                    &work->bodies[chunk]);
}

// Dissipations that should not be negative and are, of one chunk.
static int count_signs(const audit_work *work, int chunk)
{
  int wrong = 0;
  if (!(work->balance[chunk].lowest < work->least * work->energy))
    return 0;
  for (int k = chunk * CHUNK; k < chunk_end(chunk, work->problem->interaction.count); k++)
    wrong += work->lowest[k] < work->least * (work->energy + work->noise[k]);
  return wrong;
}

static void add_balance(pc_audit *sum, const pc_audit *part)
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

// In the memory of the solve, which is over.
static bool audit_memory(audit_work *work)
{
  pc_impact *problem = work->problem;
  pc_arena *arena = &problem->worker.at[0];
  pc_audit_numbers *n = &work->numbers;
  size_t count = (size_t)problem->interaction.count + 1, bodies = (size_t)problem->body.count + 1;
  double **arrays[] = {&n->before, &n->after,  &n->percussion, &n->bound,
                       &n->k,      &n->across, &n->trace,      &n->square};
  pc_arena_reset(arena);
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
    *arrays[i] = pc_arena_take_raw(arena, count + PC_BATCH, sizeof(double));
  work->lowest = n->across;
  work->noise = n->trace;
  work->bodies = pc_arena_take_raw(arena, bodies / CHUNK + 1, sizeof(pc_momentum_sums));
  work->balance = pc_arena_take_raw(arena, count / CHUNK + 1, sizeof(chunk_balance));
  if (pc_audit_is_flat(problem))
    work->flat = pc_arena_take_raw(arena, bodies, sizeof(pc_flat_body));
  return pc_momentum_create(&work->momentum, problem, arena);
}

pc_status pc_impact_audit(pc_impact *problem, int threads, pc_audit *audit)
{
  *audit = (pc_audit){0};
  int chunks = (problem->interaction.count + CHUNK - 1) / CHUNK;
  int body_chunks = (problem->body.count + CHUNK - 1) / CHUNK;
  audit_work work = {.problem = problem,
                     .kernels = pc_audit_kernels_of(false),
                     .alone = threads <= 1 || chunks < 2 * GRAIN};
  problem->free_energy = problem->speed = 0;
  if (!audit_memory(&work)) {
    audit->identity = audit->momentum = INFINITY;
    return pc_fail(&problem->error, PC_ERROR_MEMORY, "out of memory");
  }
  work.pushes = work.alone && work.flat != NULL && work.momentum.width > 2;
  pc_parallel(threads, body_chunks, BODY_GRAIN, begin_bodies, &work);
  double total_kick = 0;
  for (int i = 0; i < body_chunks; i++) {
    problem->free_energy += work.bodies[i].energy;
    audit->mass += work.bodies[i].mass;
    audit->kinetic_before += work.bodies[i].before;
    audit->kinetic_after += work.bodies[i].after;
    audit->work_external += work.bodies[i].work;
    total_kick += work.bodies[i].kick;
  }
  pc_parallel(threads, chunks, GRAIN, measure_chunks, &work);
  for (int i = 0; i < chunks; i++)
    problem->speed = fmax(problem->speed, work.balance[i].speed);
  pc_parallel(threads, chunks, JUDGE_GRAIN, audit_chunks, &work);

  double inertia = problem->quasi_static ? 0 : 1, motion = problem->free_energy;
  double terms = audit->kinetic_before + audit->kinetic_after + fabs(audit->work_external);
  double worst_product = 0;
  for (int i = 0; i < chunks; i++) {
    add_balance(audit, &work.balance[i].audit);
    terms += work.balance[i].terms;
    worst_product = fmax(worst_product, work.balance[i].worst_product);
  }
  int all = threads > 1 && body_chunks > threads ? body_chunks / threads : 1; // each looks at all
  pc_parallel(threads, body_chunks, all, end_bodies, &work);
  double defect = 0, total = 0;
  for (int i = 0; i < body_chunks; i++) {
    defect += work.bodies[i].defect;
    total += work.bodies[i].size;
  }
  double energy = terms + motion;
  double change = inertia * (audit->kinetic_after - audit->kinetic_before);
  if (problem->body.count > 0 && energy > 0)
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
