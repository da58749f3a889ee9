// A chain as its laws see it: what is given is checked, and walls become bodies that cannot move.
#include <math.h>

#include "chain/chain.h"
#include "chain/measures.h"
#include "core/error.h"

const char *pc_chain_law_name(pc_chain_law_kind kind)
{
  static const char *const names[] = {"newton",  "sequential", "moreau", "poisson",
                                      "fremond", "matrix",     "lzb",    "hertz"};
  return (unsigned)kind < PC_CHAIN_LAWS ? names[kind] : "unknown";
}

pc_chain_law pc_chain_law_default(pc_chain_law_kind kind)
{
  return (pc_chain_law){.kind = kind};
}

pc_chain_options pc_chain_options_default(void)
{
  return (pc_chain_options){.tolerance = 1e-10};
}

// Beyond these, powers of compressions and velocities leave the range of numbers: other units help.
static const double LEAST = 1e-100, MOST = 1e100;

static pc_status check_contacts(const pc_chain *chain, pc_error *error)
{
  for (int i = 0; i < pc_chain_contacts(chain); i++) {
    const pc_chain_contact *c = &chain->contact[i];
    if (!(c->stiffness >= LEAST && c->stiffness <= MOST))
      return pc_fail(error, PC_ERROR_ARGUMENT,
                     "contact %d: the stiffness is %g, but must be between %g and %g", i + 1,
                     c->stiffness, LEAST, MOST);
    if (!(c->restitution >= 0 && c->restitution <= 1))
      return pc_fail(error, PC_ERROR_ARGUMENT,
                     "contact %d: the restitution must be from 0 to 1 (got %g)", i + 1,
                     c->restitution);
    if (!(c->gap >= 0) || !isfinite(c->gap))
      return pc_fail(error, PC_ERROR_ARGUMENT, "contact %d: the gap must be 0 or more (got %g)",
                     i + 1, c->gap);
  }
  return PC_OK;
}

static pc_status check_law(const pc_chain *chain, const pc_chain_law *law, pc_error *error)
{
  int contacts = pc_chain_contacts(chain);
  const char *name = pc_chain_law_name(law->kind);
  if ((unsigned)law->kind >= PC_CHAIN_LAWS)
    return pc_fail(error, PC_ERROR_ARGUMENT, "unknown law of a chain, number %d", (int)law->kind);
  if ((unsigned)law->compliance > PC_CHAIN_MONO_STIFFNESS ||
      (unsigned)law->order > PC_CHAIN_ORDER_FASTEST)
    return pc_fail(error, PC_ERROR_ARGUMENT, "unknown compliance or order of a chain");
  if (law->distances < 0 || (law->distances > 0 && law->distance == NULL))
    return pc_fail(error, PC_ERROR_ARGUMENT,
                   "the list of the %d interactions at a distance is missing", law->distances);
  // With both walls the contacts outnumber the balls: not every set of relative velocities exists,
  // and percussions are not unique.
  bool needs_independence =
      law->kind == PC_CHAIN_NEWTON || law->kind == PC_CHAIN_MATRIX || law->kind == PC_CHAIN_POISSON;
  if (needs_independence && chain->wall_left && chain->wall_right)
    return pc_fail(error, PC_ERROR_ARGUMENT,
                   "the law '%s' is not defined between two walls, where the contacts are not "
                   "independent; remove a wall or use another law",
                   name);
  if (law->kind == PC_CHAIN_MATRIX) {
    if (law->matrix == NULL)
      return pc_fail(error, PC_ERROR_ARGUMENT, "the law 'matrix' needs a restitution matrix");
    for (size_t i = 0; i < (size_t)contacts * (size_t)contacts; i++)
      if (!isfinite(law->matrix[i]))
        return pc_fail(error, PC_ERROR_ARGUMENT, "the restitution matrix must be finite");
    for (int i = 0; i < contacts; i++)
      if (chain->contact[i].gap > 0)
        return pc_fail(error, PC_ERROR_ARGUMENT,
                       "contact %d has a gap, but the law 'matrix' needs touching balls", i + 1);
  }
  for (int i = 0; i < contacts && law->kind == PC_CHAIN_FREMOND && law->k != NULL; i++)
    if (!(law->k[i] >= 0) || !isfinite(law->k[i]))
      return pc_fail(error, PC_ERROR_ARGUMENT, "contact %d: k must be 0 or more (got %g)", i + 1,
                     law->k[i]);
  for (int i = 0; i < law->distances && law->kind == PC_CHAIN_FREMOND; i++) {
    const pc_chain_distance *d = &law->distance[i];
    int a = d->balls[0], b = d->balls[1];
    if (a < 0 || b < 0 || a >= chain->balls || b >= chain->balls || a == b)
      return pc_fail(error, PC_ERROR_ARGUMENT,
                     "interaction %d at a distance needs two different balls of the chain", i + 1);
    if (!(d->k >= 0) || !isfinite(d->k))
      return pc_fail(error, PC_ERROR_ARGUMENT,
                     "interaction %d at a distance: k must be 0 or more (got %g)", i + 1, d->k);
  }
  return PC_OK;
}

static pc_status check(const pc_chain *chain, const pc_chain_law *law,
                       const pc_chain_options *options, pc_error *error)
{
  if (chain->mass == NULL || chain->velocity == NULL || chain->contact == NULL)
    return pc_fail_null(error, "masses, velocities and contacts of a chain");
  if (chain->balls < 2)
    return pc_fail(error, PC_ERROR_ARGUMENT, "a chain needs at least two balls (got %d)",
                   chain->balls);
  if (!(chain->exponent >= 1) || !(chain->exponent <= 10))
    return pc_fail(error, PC_ERROR_ARGUMENT, "the exponent must be from 1 to 10 (got %g)",
                   chain->exponent);
  if (!(chain->press >= 0) || !isfinite(chain->press))
    return pc_fail(error, PC_ERROR_ARGUMENT, "'press' must be 0 or more (got %g)", chain->press);
  if (!(options->tolerance > 0) || !(options->tolerance < 1))
    return pc_fail(error, PC_ERROR_ARGUMENT, "the tolerance must be from 0 to 1 (got %g)",
                   options->tolerance);
  if (!(options->duration >= 0) || !(options->sample_every >= 0))
    return pc_fail(error, PC_ERROR_ARGUMENT, "durations must not be negative");
  pc_status status = check_contacts(chain, error);
  if (status == PC_OK)
    status = check_law(chain, law, error);
  if (status != PC_OK || chain->press == 0)
    return status;
  if (law->kind != PC_CHAIN_HERTZ || options->duration == 0)
    return pc_fail(error, PC_ERROR_ARGUMENT,
                   "an impact of a chain under a static force does not end; use the law 'hertz' "
                   "with a duration");
  for (int i = 0; i < pc_chain_contacts(chain); i++)
    if (chain->contact[i].gap > 0)
      return pc_fail(error, PC_ERROR_ARGUMENT,
                     "contact %d has a gap, so the static force cannot compress it", i + 1);
  return PC_OK;
}

static bool build(pc_chain_system *s)
{
  const pc_chain *chain = s->chain;
  s->first = chain->wall_left;
  s->bodies = chain->balls + chain->wall_left + chain->wall_right;
  s->contacts = s->bodies - 1;
  size_t count = (size_t)s->bodies;
  double **arrays[] = {&s->inverse_mass, &s->before,     &s->velocity,
                       &s->percussion,   &s->dissipated, &s->position};
  for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
    *arrays[k] = pc_arena_take(&s->arena, count, sizeof(double));
  if (s->arena.failed)
    return false;
  for (int i = 0; i < chain->balls; i++) {
    s->inverse_mass[s->first + i] = 1 / chain->mass[i];
    s->before[s->first + i] = s->velocity[s->first + i] = chain->velocity[i];
  }
  // Speeds are differences of velocities, so that the result does not depend on the frame.
  double least = INFINITY, most = -INFINITY;
  for (int i = 0; i < s->bodies; i++) {
    least = fmin(least, s->before[i]);
    most = fmax(most, s->before[i]);
  }
  s->speed = most - least;
  double noise = 1e-14 * fmax(fabs(least), fabs(most));
  s->quiet = fmax(10 * s->options.tolerance * s->speed, noise);
  return true;
}

double pc_chain_next_touch(const pc_chain_system *s, const pc_chain_contact *contact, int *which)
{
  double soonest = INFINITY;
  for (int i = 0; i < s->contacts; i++) {
    double approach = pc_chain_approach(s, i);
    if (contact[i].gap > 0 && approach > s->quiet && contact[i].gap / approach < soonest) {
      soonest = contact[i].gap / approach;
      *which = i;
    }
  }
  return soonest;
}

void pc_chain_fly(pc_chain_system *s, pc_chain_contact *contact, double time)
{
  for (int i = 0; i < s->bodies; i++)
    s->position[i] += time * s->velocity[i];
  // Touching contacts that separate open; the others stay closed.
  for (int i = 0; i < s->contacts; i++) {
    double approach = pc_chain_approach(s, i);
    if (contact[i].gap > 0 || approach < -s->quiet)
      contact[i].gap = fmax(contact[i].gap - time * approach, 0);
  }
}

double pc_chain_kinetic(const pc_chain_system *s)
{
  double sum = 0;
  for (int i = 0; i < s->chain->balls; i++) {
    double v = s->velocity[s->first + i];
    sum += s->chain->mass[i] * v * v / 2;
  }
  return sum;
}

void pc_chain_book_work(pc_chain_system *s)
{
  for (int i = 0; i < s->contacts; i++) {
    double before = s->before[i] - s->before[i + 1];
    s->dissipated[i] = s->percussion[i] * (before + pc_chain_approach(s, i)) / 2;
  }
}

pc_status pc_chain_system_open(pc_chain_system *s, const pc_chain *chain, const pc_chain_law *law,
                               const pc_chain_options *options, pc_error *error)
{
  *s = (pc_chain_system){.chain = chain,
                         .law = law,
                         .options = options != NULL ? *options : pc_chain_options_default()};
  if (chain == NULL || law == NULL)
    return pc_fail_null(error, "the chain and its law");
  if (s->options.max_steps <= 0)
    s->options.max_steps = 10000000;
  pc_status status = check(chain, law, &s->options, error);
  if (status == PC_OK)
    status = pc_chain_check((size_t)chain->balls, chain->mass, chain->velocity, error);
  if (status == PC_OK && !build(s))
    status = pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  if (status == PC_OK && s->speed != 0 && !(s->speed >= LEAST && s->speed <= MOST))
    status = pc_fail(
        error, PC_ERROR_ARGUMENT,
        "the velocities differ by %g m/s; the difference must be 0 or between %g m/s and %g m/s",
        s->speed, LEAST, MOST);
  return status;
}
