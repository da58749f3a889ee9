// The energy balance of a collision, from the mass and viscosity matrices and the answer alone.
//
//     M (U+ - U-) + K (U+ + U-) - P = P_ext + reactions + holds
//
// times (U+ + U-)/2 is the balance of energy. The residual in free rows is the error of the answer;
// in the other rows it is the percussion of the holds.
#include <math.h>
#include <string.h>

#include "continuum/collision_state.h"

static const double ROUND_OFF = 1e-9;

enum { NODES, PRESSURES, BODIES, SPINS, KINDS }; // numbers of one unit

static int kind_of(const pc_fe_collision *c, int i)
{
  if (c->space.sign[i] < 0)
    return PRESSURES;
  int size = c->space.body_size, bodies = c->numbers - size * c->def.bodies;
  return i < bodies ? NODES : (i - bodies) % size >= size - (size == 6 ? 3 : 1) ? SPINS : BODIES;
}

static double product(const pc_fe_collision *c, const double *a, const double *b)
{
  double sum = 0;
  for (int i = 0; i < c->numbers; i++)
    if (c->space.sign[i] > 0)
      sum += a[i] * b[i];
  return sum;
}

// Adds a term to the residual of the equation of motion; returns half its work.
static double add_term(const pc_fe_collision *c, double *rest, const double *term, double sign)
{
  for (int i = 0; i < c->numbers; i++)
    if (c->space.sign[i] > 0)
      rest[i] += sign * term[i];
  return product(c, term, c->sum) / 2;
}

// Sums of absolute values of the terms of each row. Round-off is about 1e-16 of them, however much
// cancels.
typedef struct sizes {
  const pc_fe_collision *c;
  const double *value;
  double *sum;
} sizes;

static void add_size(void *context, int r, int column, long at)
{
  sizes *s = context;
  const pc_fe_collision *c = s->c;
  const signed char *sign = c->space.sign;
  double a = fabs(s->value[at]);
  s->sum[r] += a * (fabs(c->after[column]) + (sign[r] < 0 ? c->speed : fabs(c->before[column])));
  if (r != column)
    s->sum[column] += a * (fabs(c->after[r]) + (sign[column] < 0 ? c->speed : fabs(c->before[r])));
}

static void find_sizes(const pc_fe_collision *c, double *size)
{
  for (int i = 0; i < c->numbers; i++)
    size[i] = fabs(c->pushed[i]);
  pc_block_matrix_each(&c->matrix, add_size, &(sizes){c, c->matrix.value, size});
  for (int k = 0; k < c->touches; k++) {
    const pc_fe_bond *b = &c->bond[k];
    double r = fabs(c->touch[k].reaction);
    for (int s = 0; s < b->shares; s++)
      for (int i = 0; i < c->components; i++)
        size[c->space.start[b->share[s].node] + i] += r * fabs(b->share[s].factor[i]);
    for (int i = 0; i < c->components; i++) {
      if (b->shares == 0 && b->at >= 0)
        size[b->at + i] += r;
      if (b->other_at >= 0)
        size[b->other_at + i] += r;
    }
    for (int i = 0; b->rigid && i < c->spins; i++)
      size[b->other_at + c->components + i] +=
          r * pc_fe_length((double[]){b->turn[0][i], b->turn[1][i], b->turn[2][i]});
  }
}

// Touches: relative velocities, percussions, and what surfaces dissipate.
static void account_for_touches(pc_fe_collision *c, pc_fe_account *account)
{
  for (int k = 0; k < c->touches; k++) {
    pc_fe_touch *t = &c->touch[k];
    double w[3], force[3];
    pc_fe_surface_relative(c, k, c->before, w);
    pc_fe_surface_split(c, k, w, t->before);
    pc_fe_surface_relative(c, k, c->after, w);
    pc_fe_surface_split(c, k, w, t->after);
    pc_fe_surface_split(c, k, c->force[k], force);
    for (int i = 0; i < 3; i++) {
      t->percussion[i] = force[i] + (i == 0 ? t->reaction : 0);
      account->surface += force[i] * (t->before[i] + t->after[i]) / 2;
    }
    account->reactions += t->reaction * (t->before[0] + t->after[0]) / 2;
    pc_fe_condition condition = c->def.contact[t->contact].condition;
    if (condition == PC_FE_LOOSE || !c->on[k])
      continue;
    double beyond = t->after[0] + c->bond[k].least;
    double through = condition == PC_FE_BILATERAL ? fabs(beyond) : beyond;
    account->penetration = fmax(account->penetration, through);
    account->complementarity = fmax(account->complementarity, fabs(t->reaction * beyond));
  }
}

// At a node that is held along the normal of its contact, for example at the end of a wall on a
// bed, the holding force counts as a percussion of the surface. `rest` is the force of the holds.
static void count_holds(const pc_fe_collision *c, const double *rest)
{
  for (int k = 0; k < c->touches; k++) {
    pc_fe_touch *t = &c->touch[k];
    const pc_fe_bond *b = &c->bond[k];
    double held = 0;
    bool all = b->at >= 0;
    for (int i = 0; i < c->components && b->at >= 0; i++)
      if (fabs(t->normal[i]) > 1e-9) {
        all = all && c->fixed[b->at + i];
        held -= rest[b->at + i] * t->normal[i];
      }
    if (all)
      t->percussion[0] += held;
  }
}

// Largest residual over the largest sum of sizes, in rows of one unit.
static void check_rows(const pc_fe_collision *c, const double *rest, const double *divergence,
                       const double *size, pc_fe_account *account)
{
  double left[KINDS] = {0}, whole[KINDS] = {0}, ratio[KINDS] = {0};
  for (int i = 0; i < c->numbers; i++) {
    int kind = kind_of(c, i);
    double x = kind == PRESSURES ? divergence[i] : c->fixed[i] ? 0 : rest[i];
    left[kind] = fmax(left[kind], fabs(x));
    whole[kind] = fmax(whole[kind], size[i]);
  }
  for (int k = 0; k < KINDS; k++)
    ratio[k] = left[k] > 0 ? left[k] / whole[k] : 0;
  account->momentum = fmax(ratio[NODES], fmax(ratio[BODIES], ratio[SPINS]));
  account->divergence = ratio[PRESSURES];
}

// The balance of energy. `size`: the magnitudes that cancel in its sums.
static void check_energy(const pc_fe_collision *c, const double *size, pc_fe_account *account)
{
  const double lines[] = {account->kinetic_after, -account->kinetic_before, -account->work_pushes,
                          -account->work_holds,   account->volume,          account->surface,
                          account->reactions,     account->pressures};
  double sum = 0, whole = 0, cancels = 0, speed = 0;
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    sum += lines[i];
    whole += fabs(lines[i]);
  }
  for (int i = 0; i < c->numbers; i++) {
    int kind = kind_of(c, i);
    if (kind != PRESSURES)
      cancels += size[i] * (fabs(c->before[i]) + fabs(c->after[i]));
    if (kind == NODES || kind == BODIES)
      speed = fmax(speed, fmax(fabs(c->before[i]), fabs(c->after[i])));
  }
  account->identity = whole > 0 ? fabs(sum) / whole : 0;
  account->complementarity = whole > 0 ? account->complementarity / whole : 0;
  double tolerance = c->def.tolerance > 0 ? c->def.tolerance : 1e-10;
  double loose = fmax(ROUND_OFF, 10 * tolerance);
  account->closed = fabs(sum) <= fmin(ROUND_OFF * whole + 1e-14 * cancels, 1e-6 * whole) &&
                    account->momentum <= ROUND_OFF && account->divergence <= ROUND_OFF &&
                    account->complementarity <= loose && account->penetration <= loose * speed;
}

void pc_fe_account_make(pc_fe_collision *c, pc_fe_account *account)
{
  *account = (pc_fe_account){0};
  size_t bytes = (size_t)c->numbers * sizeof(double);
  double *rest = c->right, *term = c->scratch;
  memset(rest, 0, bytes);

  // Kinetic energies, and M (U+ - U-).
  pc_block_matrix_multiply(&c->mass, c->before, term);
  account->kinetic_before = product(c, term, c->before) / 2;
  add_term(c, rest, term, -1);
  pc_block_matrix_multiply(&c->mass, c->after, term);
  account->kinetic_after = product(c, term, c->after) / 2;
  add_term(c, rest, term, 1);

  // Viscosities of volumes, pressures, viscosities of surfaces.
  for (int i = 0; i < c->numbers; i++)
    c->sum[i] = c->space.sign[i] > 0 ? c->after[i] + c->before[i] : 0;
  pc_fe_volume_bend_sum(c, c->sum, c->other);
  pc_block_matrix_multiply(&c->volume, c->other, term);
  account->volume = add_term(c, rest, term, 1);
  for (int i = 0; i < c->numbers; i++)
    c->other[i] = c->space.sign[i] > 0 ? 0 : c->after[i];
  pc_block_matrix_multiply(&c->volume, c->other, term);
  account->pressures = add_term(c, rest, term, 1);
  memset(term, 0, bytes);
  pc_fe_surface_multiply(c, c->sum, term, c->force);
  add_term(c, rest, term, 1);
  account_for_touches(c, account);

  // External percussions and reactions: -r N on the node.
  account->work_pushes = add_term(c, rest, c->pushed, -1);
  memset(term, 0, bytes);
  for (int k = 0; k < c->touches; k++) {
    const pc_fe_touch *t = &c->touch[k];
    double force[3];
    for (int i = 0; i < 3; i++)
      force[i] = -t->reaction * t->normal[i];
    pc_fe_surface_spread(c, k, force, term);
  }
  add_term(c, rest, term, -1);
  for (int i = 0; i < c->numbers; i++)
    if (c->fixed[i]) {
      account->work_holds += rest[i] * c->sum[i] / 2;
      account->work_stops += c->fixed[i] == 1 ? rest[i] * c->sum[i] / 2 : 0;
    }
  count_holds(c, rest);

  for (int i = 0; i < c->numbers; i++)
    c->sum[i] = c->space.sign[i] < 0 ? 0 : c->after[i] + (c->def.mean ? c->before[i] : 0);
  pc_block_matrix_multiply(&c->volume, c->sum, term);
  find_sizes(c, c->other);
  check_rows(c, rest, term, c->other, account);
  check_energy(c, c->other, account);
}
