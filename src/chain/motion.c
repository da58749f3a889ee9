// A chain in time: compressed contacts, or flights and instantaneous impacts.
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "chain/integrate.h"
#include "core/array.h"
#include "core/error.h"
#include "core/saved.h"

// Limits: impacts without a flight between them, and steps of one of them.
enum { MOST_AT_ONCE = 1000, MOST_STEPS = 500000 };
// An impact may miss its tolerance by this factor and is then counted as inaccurate; beyond it the
// run fails.
static const double UNSOLVED = 100;

// Scalars of a checkpoint.
typedef struct clockwork {
  double time, next_step, dissipated, start, residual;
  long impacts, inaccurate, steps, runs;
} clockwork;

struct pc_chain_motion {
  pc_chain chain; // with copies of what it points to
  pc_chain_law law;
  pc_chain_options options;
  pc_arena arena;
  pc_chain_system s;
  bool timed;
  clockwork now;
  pc_chain_state contacts;   // of a law with time
  pc_chain_contact *contact; // of a law without: with the gaps of now
  double *answer;            // of an impact: velocities, percussions, dissipated
  double *shown;             // compressions, forces, for a sample
};

static bool copy_all(pc_chain_motion *m, const pc_chain *chain, const pc_chain_law *law)
{
  int contacts = pc_chain_contacts(chain);
  size_t balls = (size_t)chain->balls, count = (size_t)contacts;
  m->chain = *chain;
  m->law = *law;
  m->chain.mass = pc_arena_copy(&m->arena, chain->mass, chain->balls, sizeof(double));
  m->chain.velocity = pc_arena_copy(&m->arena, chain->velocity, chain->balls, sizeof(double));
  m->chain.contact = pc_arena_copy(&m->arena, chain->contact, contacts, sizeof *chain->contact);
  m->law.matrix = pc_arena_copy(&m->arena, law->matrix, count * count, sizeof(double));
  m->law.k = pc_arena_copy(&m->arena, law->k, contacts, sizeof(double));
  m->law.distance = pc_arena_copy(&m->arena, law->distance, law->distances, sizeof *law->distance);
  m->contact = pc_arena_copy(&m->arena, chain->contact, contacts, sizeof *chain->contact);
  m->answer = pc_arena_take(&m->arena, balls + 2 * count, sizeof(double));
  m->shown = pc_arena_take(&m->arena, 2 * count, sizeof(double));
  return !m->arena.failed;
}

pc_chain_motion *pc_chain_motion_create(const pc_chain *chain, const pc_chain_law *law,
                                        const pc_chain_options *options, pc_error *error)
{
  if (chain == NULL || law == NULL) {
    pc_fail_null(error, "the chain and its law");
    return NULL;
  }
  pc_chain_motion *m = calloc(1, sizeof *m);
  if (m == NULL) {
    pc_fail(error, PC_ERROR_MEMORY, "out of memory");
    return NULL;
  }
  m->options = options != NULL ? *options : pc_chain_options_default();
  m->options.watch = NULL;
  if (m->options.max_steps <= 0 && law->kind != PC_CHAIN_HERTZ)
    m->options.max_steps = MOST_STEPS;
  // A flight is followed by another impact; `hertz` gets its end time with every advance.
  m->options.duration = law->kind == PC_CHAIN_SEQUENTIAL ? DBL_MIN : law->kind == PC_CHAIN_HERTZ;
  pc_status status = pc_chain_system_open(&m->s, chain, law, &m->options, error);
  if (status == PC_OK && !copy_all(m, chain, law))
    status = pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  if (status == PC_OK) {
    m->s.chain = &m->chain;
    m->s.law = &m->law;
    m->timed = law->kind == PC_CHAIN_HERTZ;
    m->contacts.s = &m->s;
    if (m->timed && !pc_chain_state_begin(&m->contacts))
      status = pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  }
  if (status != PC_OK) {
    pc_chain_motion_destroy(m);
    return NULL;
  }
  pc_chain_account account = pc_chain_motion_account(m);
  m->now.start = account.kinetic + account.stored;
  return m;
}

void pc_chain_motion_destroy(pc_chain_motion *m)
{
  if (m == NULL)
    return;
  pc_arena_free(&m->s.arena);
  pc_arena_free(&m->arena);
  free(m);
}

static bool collides(const pc_chain_motion *m)
{
  for (int i = 0; i < m->s.contacts; i++)
    if (m->contact[i].gap == 0 && pc_chain_approach(&m->s, i) > m->s.quiet)
      return true;
  return false;
}

static bool never_parts(const pc_chain *chain)
{
  bool elastic = chain->wall_left && chain->wall_right;
  for (int i = 0; i < pc_chain_contacts(chain); i++)
    elastic = elastic && chain->contact[i].restitution == 1;
  return elastic;
}

static pc_status collide(pc_chain_motion *m, pc_error *error)
{
  pc_chain chain = m->chain;
  chain.velocity = m->s.velocity + m->s.first;
  chain.contact = m->contact;
  int balls = chain.balls, contacts = m->s.contacts;
  pc_chain_answer answer = {.velocity = m->answer,
                            .percussion = m->answer + balls,
                            .dissipated = m->answer + balls + contacts};
  pc_status status = pc_chain_solve(&chain, &m->law, &m->options, &answer, error);
  if (status != PC_OK)
    return status;
  if (answer.status != PC_SOLVED && answer.steps >= m->options.max_steps)
    return pc_fail(error, PC_ERROR_NUMERIC,
                   "an impact does not end: after %ld steps of the law '%s' balls still collide%s",
                   answer.steps, pc_chain_law_name(m->law.kind),
                   never_parts(&m->chain)
                       ? " (an elastic chain that touches both walls never separates)"
                       : "");
  if (answer.status != PC_SOLVED && answer.residual > UNSOLVED * m->options.tolerance)
    return pc_fail(error, PC_ERROR_NUMERIC,
                   "an impact was not solved: residual %.1e; the coefficients may differ by too "
                   "many orders of magnitude",
                   answer.residual);
  memcpy(m->s.velocity + m->s.first, answer.velocity, sizeof(double) * (size_t)balls);
  for (int i = 0; i < contacts; i++) {
    m->s.percussion[i] += answer.percussion[i];
    m->now.dissipated += answer.dissipated[i];
  }
  m->now.dissipated += answer.distant + answer.stored;
  m->now.inaccurate += answer.status != PC_SOLVED;
  m->now.residual = fmax(m->now.residual, answer.residual);
  m->now.steps += answer.steps;
  m->now.impacts++;
  return PC_OK;
}

static pc_status fly_and_collide(pc_chain_motion *m, double end, pc_error *error)
{
  int at_once = 0;
  for (;;) {
    if (collides(m)) {
      if (++at_once > MOST_AT_ONCE)
        return pc_fail(error, PC_ERROR_NUMERIC,
                       "balls still approach after %d impacts at one instant: the law '%s' does "
                       "not separate them",
                       MOST_AT_ONCE, pc_chain_law_name(m->law.kind));
      pc_status status = collide(m, error);
      if (status != PC_OK)
        return status;
      continue;
    }
    int which = -1;
    double touch = pc_chain_next_touch(&m->s, m->contact, &which), left = end - m->now.time;
    pc_chain_fly(&m->s, m->contact, fmin(touch, left));
    if (touch > left) {
      m->now.time = end;
      return PC_OK;
    }
    m->now.time += touch;
    m->contact[which].gap = 0;
    at_once = touch > 0 ? 0 : at_once;
  }
}

pc_status pc_chain_motion_advance(pc_chain_motion *m, double time, pc_error *error)
{
  if (m == NULL)
    return pc_fail_null(error, "the motion");
  if (!(time >= m->now.time) || !isfinite(time))
    return pc_fail(error, PC_ERROR_ARGUMENT, "a chain cannot go back in time to %g s", time);
  m->now.residual = 0;
  if (!m->timed)
    return fly_and_collide(m, time, error);
  long steps = 0;
  if (m->s.speed > 0 && !pc_chain_state_go(&m->contacts, time, &steps))
    return pc_fail(error, PC_ERROR_NUMERIC, "the limit of %ld steps was reached before %g s", steps,
                   time);
  m->now.steps += steps;
  m->now.time = m->contacts.time = time; // beyond the end of all collisions balls fly
  pc_chain_state_catch_up(&m->contacts);
  return PC_OK;
}

pc_chain_sample pc_chain_motion_sample(pc_chain_motion *m)
{
  if (m == NULL)
    return (pc_chain_sample){0};
  int contacts = m->s.contacts;
  double *compression = m->shown, *force = m->shown + contacts;
  pc_chain_sample sample = {.time = m->now.time,
                            .velocity = m->s.velocity + m->s.first,
                            .position = m->s.position + m->s.first,
                            .compression = compression,
                            .force = force,
                            .percussion = m->timed ? m->contacts.state[PC_P] : m->s.percussion};
  for (int i = 0; i < contacts; i++) {
    compression[i] = m->timed ? m->contacts.state[PC_X][i] : -m->contact[i].gap;
    force[i] = m->timed && m->s.speed > 0 ? pc_contact_force(&m->contacts, i, compression[i]) : 0;
  }
  if (m->timed)
    pc_chain_state_positions(&m->contacts, m->s.position);
  return sample;
}

pc_chain_account pc_chain_motion_account(pc_chain_motion *m)
{
  if (m == NULL)
    return (pc_chain_account){0};
  pc_chain_account a = {.dissipated = m->now.dissipated,
                        .residual = m->now.residual,
                        .impacts = m->now.impacts,
                        .inaccurate = m->now.inaccurate,
                        .steps = m->now.steps};
  pc_chain_sample sample = pc_chain_motion_sample(m);
  for (int i = 0; i < m->chain.balls; i++)
    a.kinetic += m->chain.mass[i] * sample.velocity[i] * sample.velocity[i] / 2;
  for (int i = 0; i < m->s.contacts && m->timed && m->s.speed > 0; i++) {
    double stored = pc_contact_stored(&m->contacts, i);
    a.stored += stored;
    a.dissipated += m->contacts.state[PC_W][i] - (stored - m->contacts.stored[i]);
    a.compressed += sample.force[i] > 0;
  }
  double press = m->chain.press;
  a.work = press * ((m->chain.wall_left ? 0 : sample.position[0]) -
                    (m->chain.wall_right ? 0 : sample.position[m->chain.balls - 1]));
  a.error = a.kinetic + a.stored + a.dissipated - a.work - m->now.start;
  return a;
}

enum { MOST_PIECES = 20 };

static const pc_saved_field clock_fields[] = {
    PC_SAVED_POSITIVE(clockwork, time),     PC_SAVED_POSITIVE(clockwork, next_step),
    PC_SAVED_FINITE(clockwork, dissipated), PC_SAVED_FINITE(clockwork, start),
    PC_SAVED_COUNTS(clockwork, impacts),    PC_SAVED_COUNTS(clockwork, inaccurate),
    PC_SAVED_COUNTS(clockwork, steps),
};
static const pc_saved_field gap_fields[] = {PC_SAVED_POSITIVE(pc_chain_contact, gap)};

// All that changes. The runs need a look of their own (are_runs_sound).
static int list_pieces(const pc_chain_motion *m, pc_saved_array pieces[MOST_PIECES])
{
  pc_chain_state *c = (pc_chain_state *)&m->contacts;
  size_t bodies = (size_t)m->s.bodies, contacts = (size_t)m->s.contacts, real = sizeof(double);
  int count = 0;
  pieces[count++] =
      (pc_saved_array){(void *)&m->now, 1, sizeof m->now, clock_fields, PC_COUNT(clock_fields)};
  if (!m->timed) {
    size_t balls = (size_t)m->chain.balls;
    double *velocity = m->s.velocity + m->s.first, *position = m->s.position + m->s.first;
    pieces[count++] = (pc_saved_array){velocity, balls, real, &pc_saved_finite, 1};
    pieces[count++] = (pc_saved_array){position, balls, real, &pc_saved_finite, 1};
    pieces[count++] = (pc_saved_array){m->s.percussion, contacts, real, &pc_saved_finite, 1};
    pieces[count++] = (pc_saved_array){m->contact, contacts, sizeof *m->contact, gap_fields, 1};
    return count;
  }
  pieces[count++] = (pc_saved_array){m->s.velocity, bodies, real, &pc_saved_finite, 1};
  for (int k = 0; k < PC_STATES; k++) // with the percussions beyond the ends
    pieces[count++] = (pc_saved_array){c->state[k] - 1, contacts + 2, real, &pc_saved_finite, 1};
  pieces[count++] = (pc_saved_array){c->peak, contacts, real, &pc_saved_finite, 1};
  pieces[count++] = (pc_saved_array){c->since, contacts, real, &pc_saved_finite, 1};
  pieces[count++] = (pc_saved_array){c->closed, contacts, sizeof(bool), &pc_saved_flag, 1};
  pieces[count++] = (pc_saved_array){c->loading, contacts, sizeof(bool), &pc_saved_flag, 1};
  pieces[count++] = (pc_saved_array){c->run, contacts + 1, sizeof *c->run, NULL, 0};
  return count;
}

size_t pc_chain_motion_save(const pc_chain_motion *motion, void *buffer)
{
  if (motion == NULL)
    return 0;
  pc_chain_motion *m = (pc_chain_motion *)motion;
  pc_saved_array pieces[MOST_PIECES] = {{0}};
  m->now.next_step = m->contacts.next_step;
  m->now.runs = m->contacts.runs;
  int count = list_pieces(m, pieces);
  if (buffer != NULL)
    pc_saved_write(buffer, NULL, 0, pieces, count);
  return pc_saved_size(0, pieces, count);
}

// Runs of contacts are in order and apart from each other. Those behind the last one are not used.
static bool are_runs_sound(const pc_chain_motion *m, const char *from, long runs)
{
  int before = -1; // the end of the run before
  if (runs < 0 || runs > m->s.contacts || (runs > 0 && !(m->s.speed > 0)))
    return false;
  for (long k = 0; k < runs; k++, from += sizeof(pc_run)) {
    pc_run run;
    memcpy(&run, from, sizeof run);
    if (run.from <= before || run.to <= run.from || run.to > m->s.contacts)
      return false;
    before = run.to;
  }
  return true;
}

// Of a law that acts in an instant: contacts have changed in nothing but their gaps.
static bool are_contacts_known(const pc_chain_motion *m, const char *from)
{
  for (int i = 0; i < m->s.contacts; i++, from += sizeof(pc_chain_contact)) {
    pc_chain_contact saved, own = m->chain.contact[i];
    memcpy(&saved, from, sizeof saved);
    if (saved.stiffness != own.stiffness || saved.restitution != own.restitution)
      return false;
  }
  return true;
}

pc_status pc_chain_motion_load(pc_chain_motion *m, const void *data, size_t size, pc_error *error)
{
  if (m == NULL || data == NULL)
    return pc_fail_null(error, "the motion and its state");
  pc_saved_array pieces[MOST_PIECES] = {{0}};
  int count = list_pieces(m, pieces);
  if (size != pc_saved_size(0, pieces, count))
    return pc_fail(error, PC_ERROR_INPUT, "the state belongs to another chain");
  clockwork now;
  memcpy(&now, data, sizeof now);
  const char *last = (const char *)data + pc_saved_size(0, pieces, count - 1);
  bool sound = pc_saved_can_read(data, pieces, count) &&
               (m->timed ? are_runs_sound(m, last, now.runs) : are_contacts_known(m, last));
  if (!sound || (m->timed && now.runs > 0 && !(now.next_step > 0)))
    return pc_fail(error, PC_ERROR_INPUT, "the saved state of the chain is damaged");
  pc_saved_read(data, pieces, count);
  m->contacts.time = m->now.time;
  m->contacts.next_step = m->now.next_step;
  m->contacts.runs = (int)m->now.runs;
  return PC_OK;
}
