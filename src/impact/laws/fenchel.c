// A percussion may be split between the dissipative law and the reaction of the bound in any way
// that both admit, and the gap of any split is an upper bound. So rows take the least of a few.
#include "impact/laws/fenchel.h"

#include "core/elementary.h"

static pc_interval mean_of(const pc_normal_row *row)
{
  return pc_enclose_multiple(0.5, pc_enclose_sum(row->before, row->after));
}

static double middle(pc_interval a)
{
  return 0.5 * (a.low + a.high);
}

// (p - k X)^2 / k: twice the gap of k X^2 / 2.
static double quadratic_gap(double k, pc_interval x, pc_interval p)
{
  pc_interval off = pc_enclose_difference(p, pc_enclose_multiple(k, x));
  return pc_enclose_quotient(pc_enclose_square(off), pc_exactly(k)).high;
}

// What the reaction p - dissipative <= 0 adds, and by how much the bound is missed. Where it is
// missed the bound is moved to the velocity, and the gap is zero.
static double reaction_gap(const pc_normal_row *row, double p, pc_interval dissipative)
{
  if (!row->unilateral)
    return 0;
  double room = fmax(0, pc_round_up(row->after.high - row->bound.low));
  double push = fmax(0, pc_enclose_difference(dissipative, pc_exactly(p)).high);
  return pc_round_up(room * push);
}

// Phi = k0 np(X - D-/2) + k X^2/2, so that Psi = k0 np(d) + ...; k0 = 0 but for `penetrable`.
static double linear_gap(const pc_normal_row *row, double k, double k0, double p)
{
  pc_interval x = mean_of(row), none = {0, 0};
  double kinked = fmin(0, fmax(-k0, p - k * middle(x)));
  pc_interval straight = pc_enclose_difference(pc_exactly(p), pc_exactly(kinked));
  if (k == 0)
    straight = none;
  else if (row->unilateral && k * middle(x) > straight.high)
    straight = pc_exactly(k * middle(x));
  double gap = k > 0 ? quadratic_gap(k, x, straight) : 0;
  if (k0 > 0) {
    double np = fmax(0, -row->after.low), product = pc_enclose_multiple(kinked, row->after).low;
    gap = pc_round_up(gap + pc_round_up(pc_round_up(k0 * np) - product));
  }
  return pc_round_up(gap + reaction_gap(row, p, pc_enclose_sum(straight, pc_exactly(kinked))));
}

// With n = -(X + u_lim): h(n) + h*(q) - q n, h = k0 n + k n^2/2 for n > 0, q = -p.
static double threshold_part(const pc_normal_law *law, pc_interval n, double q)
{
  double most = fmax(0, n.high);
  double square = pc_round_up(0.5 * law->k * pc_round_up(most * most));
  double h = pc_round_up(pc_round_up(law->k0 * most) + square);
  double over = q > law->k0 ? pc_round_up(q - law->k0) : 0;
  double conjugate = over > 0 ? pc_round_up(pc_round_up(over * over) / (2 * law->k)) : 0;
  double product = pc_enclose_multiple(q, n).low;
  return pc_round_up(pc_round_up(h + conjugate) - product);
}

static double threshold_gap(const pc_normal_row *row, double p)
{
  const pc_normal_law *law = row->law;
  pc_interval n = pc_enclose_multiple(-1, pc_enclose_sum(mean_of(row), pc_exactly(law->u_lim)));
  double lowest = -(law->k0 + law->k * fmax(0, middle(n)));
  double split[2] = {fmin(0, p), middle(n) > 0 ? lowest : 0}, least = INFINITY;
  if (row->unilateral) {
    split[0] = fmax(p, lowest);
    split[1] = fmax(p, split[1]);
  }
  for (int i = 0; i < (row->unilateral ? 2 : 1); i++)
    least = fmin(least, 2 * threshold_part(law, n, -split[i]) +
                            reaction_gap(row, p, pc_exactly(split[i])));
  return pc_round_up(least);
}

// pow is right to less than four units of its last digit.
static pc_interval power_of(pc_interval size, double exponent)
{
  double low = pc_pow(size.low, exponent), high = pc_pow(size.high, exponent);
  return (pc_interval){low * (1 - 4 * DBL_EPSILON), pc_round_up(high * (1 + 4 * DBL_EPSILON))};
}

// (k/p) |X|^p + |P|^q / (q k^(q-1)) - P X, 1/p + 1/q = 1.
static double power_part(const pc_normal_law *law, pc_interval x, double p)
{
  double q = law->p / (law->p - 1);
  double phi =
      pc_round_up(pc_round_up(law->k / law->p) * power_of(pc_enclose_size(x), law->p).high);
  double scaled = fabs(p) / law->k;
  double conjugate =
      law->k / q * power_of(pc_exactly(scaled), q).high * (1 + (8 + 4 * q) * DBL_EPSILON);
  return pc_round_up(pc_round_up(phi + pc_round_up(conjugate)) - pc_enclose_multiple(p, x).low);
}

static double power_gap(const pc_normal_row *row, double p)
{
  const pc_normal_law *law = row->law;
  if (law->k == 0)
    return reaction_gap(row, p, pc_exactly(0));
  pc_interval x = mean_of(row);
  double least = 2 * power_part(law, x, p), at = middle(x);
  double own = copysign(law->k * pc_pow(fabs(at), law->p - 1), at);
  if (row->unilateral && own > p)
    least = fmin(least, 2 * power_part(law, x, own) + reaction_gap(row, p, pc_exactly(own)));
  return pc_round_up(least);
}

double pc_normal_admit(const pc_normal_law *law, bool unilateral, double p)
{
  bool pulls = law->k > 0; // the linear laws and `power` can
  switch (law->kind) {
  case PC_NORMAL_QUADRATIC:
  case PC_NORMAL_POWER:
    return pulls ? p : unilateral ? fmin(p, 0) : 0;
  case PC_NORMAL_PENETRABLE:
    return pulls ? p : fmin(0, unilateral ? p : fmax(p, -law->k0));
  case PC_NORMAL_THRESHOLD:
    return fmin(0, unilateral || pulls ? p : fmax(p, -law->k0));
  case PC_NORMAL_BILATERAL:
    return p;
  default:
    return fmin(p, 0);
  }
}

void pc_normal_gap(const pc_normal_row *row, double p, pc_gap *gap)
{
  double own;
  switch (row->law->kind) {
  case PC_NORMAL_BILATERAL:
    pc_tied_gap(row->after, row->bound.low, gap);
    return;
  case PC_NORMAL_POWER:
    own = power_gap(row, p);
    break;
  case PC_NORMAL_THRESHOLD:
    own = threshold_gap(row, p);
    break;
  case PC_NORMAL_QUADRATIC:
    own = linear_gap(row, row->law->k, 0, p);
    break;
  case PC_NORMAL_PENETRABLE:
    own = linear_gap(row, row->law->k, row->law->k0, p);
    break;
  default:
    own = linear_gap(row, 0, 0, p);
  }
  gap->energy = pc_round_up(gap->energy + own);
  if (row->unilateral && row->bound.high > row->after.low)
    gap->shift = fmax(gap->shift, pc_round_up(row->bound.high - row->after.low));
}

void pc_viscous_gap(double k, pc_interval before, pc_interval after, double p, pc_gap *gap)
{
  if (k > 0)
    gap->energy = pc_round_up(
        gap->energy +
        quadratic_gap(k, pc_enclose_multiple(0.5, pc_enclose_sum(before, after)), pc_exactly(p)));
}

void pc_tied_gap(pc_interval after, double bound, pc_gap *gap)
{
  gap->shift =
      fmax(gap->shift, pc_enclose_size(pc_enclose_difference(after, pc_exactly(bound))).high);
}

void pc_disc_admit(int rows, const double *mu, double push, double *p)
{
  double square = 0;
  for (int i = 0; i < rows; i++) {
    if (!(mu[i] > 0))
      p[i] = 0;
    double x = mu[i] > 0 ? p[i] / mu[i] : 0;
    square += x * x;
  }
  double size = sqrt(square) * (1 + 16 * DBL_EPSILON);
  for (int i = 0; i < rows && size > push; i++)
    p[i] *= push / size * (1 - 4 * DBL_EPSILON);
}

void pc_disc_gap(int rows, const double *mu, double push, const pc_interval *v, const double *p,
                 pc_gap *gap)
{
  pc_interval square = {0, 0}, product = {0, 0};
  for (int i = 0; i < rows; i++) {
    square = pc_enclose_sum(square, pc_enclose_square(pc_enclose_multiple(mu[i], v[i])));
    product = pc_enclose_sum(product, pc_enclose_multiple(p[i], v[i]));
  }
  double most = pc_round_up(push * pc_enclose_root(square).high);
  gap->energy = pc_round_up(gap->energy + fmax(0, pc_round_up(most - product.low)));
}
