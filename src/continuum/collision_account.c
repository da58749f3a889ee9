// The account of a collision, from the matrices of masses and viscosities and the answer alone.
//
//     M (U+ - U-) + K (U+ + U-) - P = P_ext + reactions + holds
//
// times (U+ + U-)/2 is the balance of energy; what is left of it in the rows that are free is the
// error of the answer, in the others it is the percussion of the holds.
#include <math.h>
#include <string.h>

#include "continuum/collision_state.h"

static const double ROUND_OFF = 1e-9;

enum { NODES, BODIES, SPINS, KINDS }; // numbers of one unit

static int kind_of(const pc_fe_collision *c, int i)
{
  int bodies = c->numbers - 3 * c->def.bodies;
  return i < bodies ? NODES : (i - bodies) % 3 == 2 ? SPINS : BODIES;
}

static double product(const pc_fe_collision *c, const double *a, const double *b)
{
  double sum = 0;
  for (int i = 0; i < c->numbers; i++)
    if (c->space.sign[i] > 0)
      sum += a[i] * b[i];
  return sum;
}

typedef struct balance {
  double *rest;           // of the equation of motion
  double rows[KINDS];     // largest size of its terms
  double left[KINDS];     // largest rest of a row that is free
  const double *velocity; // U+ + U-
} balance;

// Adds a term to the rest; gives half its work.
static double add_term(const pc_fe_collision *c, balance *b, const double *term, double sign)
{
  for (int i = 0; i < c->numbers; i++)
    if (c->space.sign[i] > 0) {
      int kind = kind_of(c, i);
      b->rest[i] += sign * term[i];
      b->rows[kind] = fmax(b->rows[kind], fabs(term[i]));
    }
  return product(c, term, b->velocity) / 2;
}

// Sizes of the terms of the integrals of q div U.
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
  if (sign[r] == sign[column])
    return;
  int q = sign[r] < 0 ? r : column, u = r + column - q;
  s->sum[q] += fabs(s->value[at]) * (fabs(c->after[u]) + fabs(c->before[u]));
}

// `after` and `sum` have no pressures here.
static double find_divergence(pc_fe_collision *c, const double *velocity)
{
  double *size = c->other, *div = c->scratch, worst = 0, whole = 0;
  memset(size, 0, (size_t)c->numbers * sizeof *size);
  pc_block_matrix_each(&c->volume, add_size, &(sizes){c, c->volume.value, size});
  pc_block_matrix_multiply(&c->volume, velocity, div);
  for (int i = 0; i < c->numbers; i++)
    if (c->space.sign[i] < 0) {
      worst = fmax(worst, fabs(div[i]));
      whole = fmax(whole, size[i]);
    }
  return whole > 0 ? worst / whole : 0;
}

// Touches: relative velocities, percussions, and what surfaces dissipate.
static void account_for_touches(pc_fe_collision *c, pc_fe_account *account)
{
  for (int k = 0; k < c->touches; k++) {
    pc_fe_touch *t = &c->touch[k];
    double w[2], force[2];
    pc_fe_surface_relative(c, k, c->before, w);
    pc_fe_surface_split(t, w, t->before);
    pc_fe_surface_relative(c, k, c->after, w);
    pc_fe_surface_split(t, w, t->after);
    pc_fe_surface_split(t, c->force[k], force);
    for (int i = 0; i < 2; i++) {
      t->percussion[i] = force[i] + (i == 0 ? t->reaction : 0);
      account->surface += force[i] * (t->before[i] + t->after[i]) / 2;
    }
    account->reactions += t->reaction * (t->before[0] + t->after[0]) / 2;
    pc_fe_condition condition = c->def.contact[t->contact].condition;
    if (condition == PC_FE_LOOSE || !c->on[k])
      continue;
    double through = condition == PC_FE_BILATERAL ? fabs(t->after[0]) : t->after[0];
    account->penetration = fmax(account->penetration, through);
    account->complementarity = fmax(account->complementarity, fabs(t->reaction * t->after[0]));
  }
}

void pc_fe_account_make(pc_fe_collision *c, pc_fe_account *account)
{
  *account = (pc_fe_account){0};
  size_t bytes = (size_t)c->numbers * sizeof(double);
  double *term = c->scratch, speed = 0;
  balance b = {.rest = c->right, .velocity = c->sum};
  memset(b.rest, 0, bytes);

  // Kinetic energies, and M (U+ - U-).
  pc_block_matrix_multiply(&c->mass, c->before, term);
  account->kinetic_before = product(c, term, c->before) / 2;
  pc_block_matrix_multiply(&c->mass, c->after, term);
  account->kinetic_after = product(c, term, c->after) / 2;
  for (int i = 0; i < c->numbers; i++) {
    bool velocity = c->space.sign[i] > 0;
    c->sum[i] = velocity ? c->after[i] - c->before[i] : 0;
    if (velocity && kind_of(c, i) != SPINS)
      speed = fmax(speed, fmax(fabs(c->before[i]), fabs(c->after[i])));
  }
  pc_block_matrix_multiply(&c->mass, c->sum, term);
  for (int i = 0; i < c->numbers; i++)
    c->sum[i] = c->space.sign[i] > 0 ? c->after[i] + c->before[i] : 0;
  add_term(c, &b, term, 1);

  // Viscosities of volumes, pressures, viscosities of surfaces.
  pc_block_matrix_multiply(&c->volume, c->sum, term);
  account->volume = add_term(c, &b, term, 1);
  for (int i = 0; i < c->numbers; i++)
    c->other[i] = c->space.sign[i] < 0 ? c->after[i] : 0;
  pc_block_matrix_multiply(&c->volume, c->other, term);
  account->pressures = add_term(c, &b, term, 1);
  memset(term, 0, bytes);
  pc_fe_surface_multiply(c, c->sum, term, c->force);
  add_term(c, &b, term, 1);
  account_for_touches(c, account);

  // External percussions and reactions: -r N on the node.
  account->work_pushes = add_term(c, &b, c->push, -1);
  memset(term, 0, bytes);
  for (int k = 0; k < c->touches; k++) {
    const pc_fe_touch *t = &c->touch[k];
    double force[2] = {-t->reaction * t->normal[0], -t->reaction * t->normal[1]};
    pc_fe_surface_spread(c, k, force, term);
  }
  add_term(c, &b, term, -1);

  double none = 0;
  for (int i = 0; i < c->numbers; i++) {
    if (c->space.sign[i] < 0)
      continue;
    if (c->fixed[i])
      account->work_holds += b.rest[i] * c->sum[i] / 2;
    else
      b.left[kind_of(c, i)] = fmax(b.left[kind_of(c, i)], fabs(b.rest[i]));
  }
  for (int k = 0; k < KINDS; k++)
    if (b.left[k] > 0)
      account->momentum = fmax(account->momentum, b.left[k] / b.rows[k]);

  for (int i = 0; i < c->numbers; i++)
    c->sum[i] = c->space.sign[i] > 0 ? c->after[i] : 0;
  account->divergence = find_divergence(c, c->sum);

  const double lines[] = {account->kinetic_after, -account->kinetic_before, -account->work_pushes,
                          -account->work_holds,   account->volume,          account->surface,
                          account->reactions,     account->pressures};
  double sum = 0, size = 0;
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    sum += lines[i];
    size += fabs(lines[i]);
  }
  account->identity = size > 0 ? fabs(sum) / size : none;
  account->complementarity = size > 0 ? account->complementarity / size : none;
  double tolerance = c->def.tolerance > 0 ? c->def.tolerance : 1e-10;
  double loose = fmax(ROUND_OFF, 10 * tolerance);
  account->closed = account->identity <= ROUND_OFF && account->momentum <= ROUND_OFF &&
                    account->divergence <= ROUND_OFF && account->complementarity <= loose &&
                    account->penetration <= loose * speed;
}
