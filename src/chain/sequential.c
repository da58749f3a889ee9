// Collisions of two balls, one after the other, to the end.
//
// Contacts that touch and approach collide at the same instant; the order of the law decides which
// is first, because the outcome depends on it. When none is left the balls fly to the next touch.
// With e < 1 one instant may have infinitely many collisions: they end when no contact approaches
// faster than `quiet`.
#include <math.h>

#include "chain/chain.h"
#include "core/error.h"

typedef struct flight {
  pc_chain_system *s;
  pc_chain_contact *contact;   // with the gaps of now
  double *force, *compression; // of contacts; the force is 0, for samples
  double time;
  long sampled; // samples given
} flight;

// The touching contact that collides next, or -1. `from` is the last one: contacts after it in the
// order of the search did not approach before, and only its neighbour can do so now.
static int next_contact(const flight *f, int last)
{
  const pc_chain_system *s = f->s;
  int best = -1, count = s->contacts;
  double most = s->quiet;
  pc_chain_order order = s->law->order;
  int skipped = last < 0 ? 0 : order == PC_CHAIN_ORDER_LEFT ? last - 1 : count - 2 - last;
  if (skipped < 0 || order == PC_CHAIN_ORDER_FASTEST)
    skipped = 0;
  for (int n = skipped; n < count; n++) {
    int i = order == PC_CHAIN_ORDER_RIGHT ? count - 1 - n : n;
    double approach = pc_chain_approach(s, i);
    if (f->contact[i].gap > 0 || approach <= most)
      continue;
    best = i;
    if (order != PC_CHAIN_ORDER_FASTEST)
      break;
    most = approach;
  }
  return best;
}

static void collide(pc_chain_system *s, int i)
{
  double approach = pc_chain_approach(s, i), e = s->chain->contact[i].restitution;
  double p = (1 + e) * approach * pc_chain_reduced_mass(s, i);
  pc_chain_push(s, i, p);
  s->dissipated[i] += p * (approach + pc_chain_approach(s, i)) / 2;
}

// Flies to the next touch; false if there is none.
static bool fly(flight *f)
{
  int next = -1;
  double soonest = pc_chain_next_touch(f->s, f->contact, &next), end = f->s->options.duration;
  if (next < 0 || (end > 0 && f->time + soonest > end))
    return false;
  pc_chain_fly(f->s, f->contact, soonest);
  f->contact[next].gap = 0;
  f->time += soonest;
  return true;
}

static bool show(flight *f)
{
  pc_chain_system *s = f->s;
  const pc_chain_options *o = &s->options;
  if (o->watch == NULL || f->time < (double)f->sampled * o->sample_every)
    return true;
  f->sampled++;
  for (int i = 0; i < s->contacts; i++)
    f->compression[i] = -f->contact[i].gap;
  pc_chain_sample sample = {.time = f->time,
                            .velocity = s->velocity + s->first,
                            .position = s->position + s->first,
                            .compression = f->compression,
                            .force = f->force,
                            .percussion = s->percussion};
  return o->watch(&sample, o->context);
}

pc_status pc_chain_solve_sequential(pc_chain_system *s, pc_chain_answer *answer, pc_error *error)
{
  size_t count = (size_t)s->contacts;
  flight f = {.s = s,
              .contact =
                  pc_arena_copy(&s->arena, s->chain->contact, s->contacts, sizeof *f.contact),
              .force = pc_arena_take(&s->arena, count, sizeof(double)),
              .compression = pc_arena_take(&s->arena, count, sizeof(double))};
  if (s->arena.failed)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  long collisions = 0;
  bool goes = show(&f);
  int last = -1;
  while (goes && collisions < s->options.max_steps) {
    int i = next_contact(&f, last);
    if (i < 0 && !fly(&f))
      break;
    last = i;
    if (i < 0)
      continue;
    collide(s, i);
    collisions++;
    goes = show(&f);
  }
  answer->status = collisions < s->options.max_steps ? PC_SOLVED : PC_INACCURATE;
  answer->steps = collisions;
  answer->duration = f.time;
  return PC_OK;
}
