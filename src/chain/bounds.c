// Global bounds of the dispersion of energy, (2.22): branch and bound.
//
// A node is a box of ordered velocities. Its lower bound is a Lagrangian dual (dual.c), whose
// subproblem, a separable sum over ordered unknowns, is solved exactly (pricing.c). Where the
// priced points disagree about a ball, its velocity is split at their mean: either it and all balls
// before it are below, or it and all balls behind it above. The node with the least bound comes
// first.
#include "chain/bounds.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chain/measures.h"
#include "core/array.h"
#include "core/elementary.h"
#include "core/error.h"

enum { HINTS = 3 };

typedef struct node {
  double bound, multiplier[2];
  int ball; // split next
  double cut;
  int hints;
  double data[]; // low, high, hints
} node;

typedef struct search {
  pc_spread problem;
  double level; // a^4 sum m^2: C_KE^2 = n (F + level) - 1
  double gap;
  long long work, most;
  pc_dual *dual;
  PC_ARRAY(node *) heap;
  double best;   // least sign F found
  double spared; // least bound of the nodes that were left alone
  double *y;     // has the best
  double *trial, *mean, *scratch;
} search;

static double dispersion(const search *s, double value)
{
  double square = s->problem.n * (s->problem.sign * value + s->level) - 1;
  return sqrt(fmin(fmax(square, 0), s->problem.n - 1));
}

// The bound that proves the best value to the wanted gap, with a margin for rounding, or as far as
// rounding permits. A node that reaches it is not split further.
static double target(const search *s)
{
  const pc_spread *p = &s->problem;
  double c = dispersion(s, s->best) - p->sign * 0.9 * s->gap;
  if (c <= 0 || c * c >= p->n - 1)
    return -INFINITY;
  return fmin(p->sign * ((c * c + 1) / p->n - s->level), s->best - 1e-13);
}

static bool push(search *s, node *x)
{
  int i = s->heap.count;
  if (pc_array_add(&s->heap) == NULL)
    return false;
  for (; i > 0 && x->bound < s->heap.at[(i - 1) / 2]->bound; i = (i - 1) / 2)
    s->heap.at[i] = s->heap.at[(i - 1) / 2];
  s->heap.at[i] = x;
  return true;
}

static node *pop(search *s)
{
  node *top = s->heap.at[0], *x = s->heap.at[--s->heap.count];
  int i = 0;
  for (int child; (child = 2 * i + 1) < s->heap.count; i = child) {
    if (child + 1 < s->heap.count && s->heap.at[child + 1]->bound < s->heap.at[child]->bound)
      child++;
    if (s->heap.at[child]->bound >= x->bound)
      break;
    s->heap.at[i] = s->heap.at[child];
  }
  s->heap.at[i] = x;
  return top;
}

// Starts a local search from an ordered y.
static void try_from(search *s, const double *y)
{
  size_t bytes = (size_t)s->problem.n * sizeof *y;
  memmove(s->trial, y, bytes);
  if (!pc_spread_restore(&s->problem, s->trial))
    return;
  double value = pc_spread_descend(&s->problem, s->trial, s->scratch);
  if (value < s->best) {
    s->best = value;
    memcpy(s->y, s->trial, bytes);
  }
}

// First candidates: one step between two neighbours, and equal energies with every number of
// rebounds.
static void first_tries(search *s)
{
  const pc_spread *p = &s->problem;
  for (int k = 0; k <= p->n; k++) {
    for (int i = 0; i < p->n; i++)
      s->mean[i] = i < k ? 0 : 1;
    try_from(s, s->mean);
    for (int i = 0; i < p->n; i++) {
      s->mean[i] = (i < k ? -1 : 1) / sqrt(p->n * p->mass[i]);
      if (i > 0)
        s->mean[i] = fmax(s->mean[i], s->mean[i - 1]);
    }
    try_from(s, s->mean);
  }
}

// Chooses where to split a node: the ball whose priced velocities differ most, weighted by energy,
// at their mean, but not too near an end of its range.
static void choose(const search *s, const pc_dual_answer *answer, node *x)
{
  int n = s->problem.n;
  const double *low = x->data, *high = low + n;
  double most = 0;
  x->ball = -1;
  for (int i = 0; i < n; i++) {
    double spread = 0;
    for (int k = 0; k < answer->count; k++) {
      double off = answer->y[k][i] - s->mean[i];
      spread += answer->weight[k] * off * off * s->problem.mass[i];
    }
    if (spread > most) {
      most = spread;
      x->ball = i;
    }
  }
  if (x->ball < 0 || most < 1e-20) {
    // They agree; the widest range is halved.
    for (int i = 0, widest = -1; i < n; i++)
      if (widest < 0 || s->problem.mass[i] * pc_pow(high[i] - low[i], 2) >
                            s->problem.mass[widest] * pc_pow(high[widest] - low[widest], 2))
        x->ball = widest = i;
    s->mean[x->ball] = (low[x->ball] + high[x->ball]) / 2;
  }
  double edge = 0.02 * (high[x->ball] - low[x->ball]);
  x->cut = fmin(fmax(s->mean[x->ball], low[x->ball] + edge), high[x->ball] - edge);
}

// Bounds a node, searches near it, and keeps it if it may contain a better outcome.
static pc_status settle(search *s, node *x)
{
  int n = s->problem.n;
  double *low = x->data, *high = low + n, *hints = high + n;
  pc_dual_answer answer;
  pc_status status = pc_dual_solve(s->dual, &s->problem, low, high, target(s), x->multiplier, hints,
                                   x->hints, &answer);
  s->work++;
  if (status == PC_OK) {
    x->bound = fmax(x->bound, answer.bound);
    memcpy(x->multiplier, answer.multiplier, sizeof x->multiplier);
    x->hints = answer.count;
    memset(s->mean, 0, (size_t)n * sizeof *s->mean);
    for (int k = 0; k < answer.count; k++) {
      memcpy(hints + k * n, answer.y[k], (size_t)n * sizeof *hints);
      for (int i = 0; i < n; i++)
        s->mean[i] += answer.weight[k] * answer.y[k][i];
    }
    if (x->bound < target(s))
      try_from(s, s->mean);
    if (x->bound < target(s)) {
      choose(s, &answer, x);
      if (push(s, x))
        return PC_OK;
      status = PC_ERROR_MEMORY;
    } else {
      s->spared = fmin(s->spared, x->bound);
    }
  }
  free(x);
  return status;
}

static node *copy_of(const search *s, const node *x)
{
  size_t size = sizeof *x + (size_t)(2 + HINTS) * (size_t)s->problem.n * sizeof(double);
  node *copy = malloc(size);
  if (copy != NULL)
    memcpy(copy, x, size);
  return copy;
}

static pc_status split(search *s, node *x)
{
  int n = s->problem.n;
  node *above = copy_of(s, x);
  if (above == NULL) {
    free(x);
    return PC_ERROR_MEMORY;
  }
  for (int i = 0; i <= x->ball; i++)
    x->data[n + i] = fmin(x->data[n + i], x->cut);
  for (int i = above->ball; i < n; i++)
    above->data[i] = fmax(above->data[i], above->cut);
  pc_status status = settle(s, x);
  if (status != PC_OK) {
    free(above);
    return status;
  }
  return settle(s, above);
}

// Two blocks make the extremes: y_i is largest where balls i .. n are level and so are the others.
static node *root(const search *s)
{
  const pc_spread *p = &s->problem;
  node *x = calloc(1, sizeof *x + (size_t)(2 + HINTS) * (size_t)p->n * sizeof(double));
  if (x == NULL)
    return NULL;
  double below = 0, slack = 1 + 1e-12;
  for (int i = 0; i < p->n; i++) {
    double above = 0;
    for (int k = p->n - 1; k > i; k--)
      above += p->mass[k];
    x->data[i] = -slack * sqrt(above / (below + p->mass[i]));
    x->data[p->n + i] = slack * sqrt(below / (above + p->mass[i]));
    below += p->mass[i];
  }
  x->bound = -INFINITY;
  return x;
}

static pc_status run(search *s)
{
  s->best = s->spared = INFINITY;
  s->work = 0;
  first_tries(s);
  node *first = root(s);
  pc_status status = first != NULL ? settle(s, first) : PC_ERROR_MEMORY;
  while (status == PC_OK && s->heap.count > 0 && s->work < s->most &&
         s->heap.at[0]->bound < target(s))
    status = split(s, pop(s));
  if (s->heap.count > 0)
    s->spared = fmin(s->spared, s->heap.at[0]->bound);
  while (s->heap.count > 0)
    free(s->heap.at[--s->heap.count]);
  return status;
}

static pc_status extreme(search *s, double sign, double speed, double *v, pc_chain_extreme *out)
{
  pc_spread *p = &s->problem;
  p->sign = sign;
  pc_status status = run(s);
  if (status != PC_OK)
    return status;
  // The best outcome lies in some node, so the least bound cannot be larger.
  if (s->spared > s->best + 1e-12)
    return PC_ERROR_NUMERIC;
  for (int i = 0; i < p->n; i++)
    v[i] = speed * (p->a + p->s * s->y[i]);
  out->found = pc_chain_dispersion((size_t)p->n, p->mass, v);
  double proven = dispersion(s, fmin(s->spared, s->best) - 64 * DBL_EPSILON);
  out->proven = sign > 0 ? fmin(proven, out->found) : fmax(proven, out->found);
  out->gap = fabs(out->found - out->proven);
  out->closed = out->gap <= s->gap;
  out->work = s->work;
  return PC_OK;
}

pc_chain_bounds_options pc_chain_bounds_options_default(void)
{
  return (pc_chain_bounds_options){.gap = 1e-6, .max_work = 10000};
}

// All balls have one velocity: there is one outcome.
static void together(size_t n, const double *mass, double velocity, pc_chain_bounds *bounds,
                     double *v_min, double *v_max)
{
  for (size_t i = 0; i < n; i++)
    v_min[i] = v_max[i] = velocity;
  double c = pc_chain_dispersion(n, mass, v_min);
  bounds->min = bounds->max = (pc_chain_extreme){.found = c, .proven = c, .closed = true};
}

pc_status pc_chain_bound(size_t n, const double *mass, const double *before, double ker,
                         const pc_chain_bounds_options *options, pc_chain_bounds *bounds,
                         double *v_min, double *v_max, pc_error *error)
{
  if (bounds == NULL)
    return pc_fail_null(error, "the bounds");
  pc_chain_bounds_options standard = pc_chain_bounds_options_default();
  options = options != NULL ? options : &standard;
  pc_status status = pc_chain_check(n, mass, before, error);
  if (status != PC_OK)
    return status;
  if (n > 1000)
    return pc_fail(error, PC_ERROR_ARGUMENT,
                   "bounds can be computed for up to 1000 balls (got %zu)", n);
  if (!(options->gap >= 0) || options->max_work < 1)
    return pc_fail(error, PC_ERROR_ARGUMENT, "'gap' must be 0 or more and 'work' must be positive");
  double total = 0, momentum = 0, energy = 0;
  for (size_t i = 0; i < n; i++) {
    total += mass[i];
    momentum += mass[i] * before[i];
    energy += mass[i] * before[i] * before[i];
  }
  if (!(energy > 0))
    return pc_fail(error, PC_ERROR_ARGUMENT, "the balls do not move before the impact");
  *bounds = (pc_chain_bounds){.ker_min = momentum * momentum / (total * energy)};
  if (!(ker >= bounds->ker_min * (1 - 8 * DBL_EPSILON)) || !isfinite(ker))
    return pc_fail(error, PC_ERROR_ARGUMENT, "KER must be at least %g (got %g)", bounds->ker_min,
                   ker);
  if (!(ker > 0))
    return pc_fail(error, PC_ERROR_ARGUMENT,
                   "no kinetic energy is left, so its dispersion is undefined");

  pc_arena arena = {0};
  int count = (int)n;
  double speed = sqrt(ker * energy / total);
  double *scaled = pc_arena_take(&arena, n, sizeof *scaled);
  double *v[2] = {pc_arena_take(&arena, n, sizeof *scaled),
                  pc_arena_take(&arena, n, sizeof *scaled)};
  search s = {.gap = options->gap, .most = options->max_work, .dual = pc_dual_create(count)};
  s.y = pc_arena_take(&arena, n, sizeof *s.y);
  s.trial = pc_arena_take(&arena, n, sizeof *s.trial);
  s.mean = pc_arena_take(&arena, n, sizeof *s.mean);
  s.scratch = pc_arena_take(&arena, 5 * n, sizeof *s.scratch);
  status = arena.failed || s.dual == NULL ? PC_ERROR_MEMORY : PC_OK;
  if (status == PC_OK) {
    double a = momentum / total / speed, squares = 0;
    for (size_t i = 0; i < n; i++) {
      scaled[i] = mass[i] / total;
      squares += scaled[i] * scaled[i];
    }
    s.problem = (pc_spread){.n = count, .mass = scaled, .a = a};
    s.problem.s = sqrt(fmax((ker - bounds->ker_min) / ker, 0));
    s.level = a * a * a * a * squares;
    if (s.problem.s == 0)
      together(n, mass, momentum / total, bounds, v[0], v[1]);
    else
      status = extreme(&s, 1, speed, v[0], &bounds->min);
    if (status == PC_OK && s.problem.s > 0)
      status = extreme(&s, -1, speed, v[1], &bounds->max);
  }
  if (status == PC_OK && v_min != NULL)
    memcpy(v_min, v[0], n * sizeof *v_min);
  if (status == PC_OK && v_max != NULL)
    memcpy(v_max, v[1], n * sizeof *v_max);
  pc_array_free(&s.heap);
  pc_dual_destroy(s.dual);
  pc_arena_free(&arena);
  if (status == PC_ERROR_NUMERIC)
    return pc_fail(error, status,
                   "internal error: the bounds contradict an outcome that was found");
  return status == PC_OK ? PC_OK : pc_fail(error, status, "not enough memory for the bounds");
}
