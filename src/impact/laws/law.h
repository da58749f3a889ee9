// The laws as the solvers see them.
//
// A *row law* is a scalar relation between d = D+ of one row and r = -P, maximal monotone:
//     P in dPhi(X) + (non-penetration: d >= bound),    X = (d + before)/2.
// Its dissipative part Phi is one file per family behind pc_row_ops; the half-line d >= bound and
// the equality d = bound are common to all and live here. A *block law* is what one interaction
// obeys: perhaps a row law on row 0, and a tangential law on the remaining rows. With rolling
// friction the last of these are spins, and have a law of their own that is like Coulomb's.
//
// Solvers work in scaled units (system.h), so laws are scaled when a system is built. Everything
// below is in those units.
#ifndef PERCUSS_IMPACT_LAW_H
#define PERCUSS_IMPACT_LAW_H

#include <math.h>

#include "percuss/law.h"
#include "percuss/status.h"

typedef struct pc_row_ops pc_row_ops;

typedef struct pc_row_law {
  const pc_row_ops *ops;
  double k, p, k0, u_lim;
  double before; // D- of the row
  double bound;  // -INFINITY: none
  bool equality; // d = bound
} pc_row_law;

// For the interior point, a row law is written with variables that only have to be >= 0:
//     Psi(d) = a (d - d0)^2 / 2 + sum over pieces of cost(plus) + cost(minus),
//     d = alpha + beta (plus - minus),
// cost(z) = linear z + (power/exponent) z^exponent. A one-sided piece has no `minus`.
typedef struct pc_piece_cost {
  double linear, power, exponent;
} pc_piece_cost;

typedef struct pc_piece {
  double alpha, beta;
  bool two_sided;
  pc_piece_cost plus, minus;
} pc_piece;

enum { PC_MAX_PIECES = 2 };

typedef struct pc_row_form {
  double a, d0;
  int pieces;
  pc_piece piece[PC_MAX_PIECES];
} pc_row_form;

struct pc_row_ops {
  const char *name;
  // NULL if the parameters are fine, else what is wrong with them.
  const char *(*check)(const pc_normal_law *law);
  // Coefficients for rows multiplied by s: d' = s d, r' = r / s. `stiffness` is 1, and the inverse
  // of the small inertia in the quasi-static mode (quasi_static.h).
  void (*scale)(pc_row_law *law, const pc_normal_law *from, double stiffness, double s);
  double (*value)(const pc_row_law *law, double x); // Phi(X)
  // r and the slope dP/dd of the dissipative part where d = c + a r, a > 0. An infinite slope is a
  // kink.
  double (*solve)(const pc_row_law *law, double a, double c, double *slope);
  // r - r*(d - r), r* the solution above with a = 1, without losing d beside a large r; NULL where
  // r itself is bounded by the law and the difference will do.
  double (*map)(const pc_row_law *law, double d, double r);
  // The element of dPhi(X) nearest to p; X is known to within `noise`.
  double (*nearest)(const pc_row_law *law, double x, double p, double noise);
  void (*form)(const pc_row_law *law, pc_row_form *form); // adds to a zeroed form
};

const pc_row_ops *pc_row_ops_of(pc_normal_kind kind);
extern const pc_row_ops pc_law_inelastic, pc_law_quadratic, pc_law_power, pc_law_threshold,
    pc_law_penetrable, pc_law_restitution, pc_law_bilateral;

// Local solution with the bound: r, and the slope of the whole law. A half-line in one dimension:
// the minimiser without it, moved to the bound if it lies beyond.
static inline double pc_row_solve(const pc_row_law *law, double a, double c, double *slope)
{
  double r = 0;
  if (!law->equality) {
    r = law->ops->solve(law, a, c, slope);
    if (c + a * r >= law->bound)
      return r;
  }
  *slope = INFINITY;
  return (law->bound - c) / a;
}

// Its natural map, r - r*(d - r) = d - d*, written so that d is not lost beside a large r:
// percussions may be many orders greater than the momentum they change.
static inline double pc_row_map(const pc_row_law *law, double d, double r)
{
  if (law->equality)
    return d - law->bound;
  double slope;
  double map =
      law->ops->map != NULL ? law->ops->map(law, d, r) : r - law->ops->solve(law, 1, d - r, &slope);
  return d - map < law->bound ? d - law->bound : map;
}

pc_row_form pc_row_pieces(const pc_row_law *law);

// The part of D_T- that the tangential law adds to D_T+.
static inline double pc_tangential_share(const pc_law *law)
{
  if (law->tangential.kind == PC_TANGENTIAL_VISCOUS || law->tangential.on == PC_ON_MEAN)
    return 1;
  bool bounces = law->normal.kind == PC_NORMAL_RESTITUTION;
  return law->tangential.on == PC_ON_MOREAU && bounces ? law->normal.e : 0;
}

typedef struct pc_block_law {
  int rows;
  int normal; // 1 if row 0 has `row`, else 0
  pc_row_law row;
  pc_tangential_kind tangential; // of rows normal .. rows-1
  double k;                      // viscous
  double mu;                     // coulomb
  int rolls;                     // of these rows, how many roll; they are the last ones
  double mu_r;                   // rolling friction
  double shift[4];               // tangential velocity looked at = D_T+ + shift
} pc_block_law;

// Rows on a disc |r_i| <= mu max(r_N, 0), opposed to their velocities.
typedef struct pc_disc {
  int row, size;
  double mu;
} pc_disc;
// The discs of a law with Coulomb's friction; gives how many there are, 0 to 2.
static inline int pc_block_discs(const pc_block_law *law, pc_disc disc[2])
{
  int slides = law->rows - law->normal - law->rolls, count = 0;
  if (slides > 0)
    disc[count++] = (pc_disc){law->normal, slides, law->mu};
  if (law->rolls > 0)
    disc[count++] = (pc_disc){law->rows - law->rolls, law->rolls, law->mu_r};
  return count;
}

// What the local solution needs of A = W_kk, prepared once: the tangential rows respond to their
// free velocity c by r_T = -G (c_T + shift + A_TN r_N) when viscous, tied or sticking.
typedef struct pc_rolling_local pc_rolling_local;
typedef struct pc_block_local {
  double a[9];            // A, rows x rows
  double g[9];            // G, tangential rows square
  double ng[3];           // A_NT G
  double schur;           // A_NN - A_NT G A_TN
  pc_rolling_local *wide; // of more than three rows: these instead
} pc_block_local;
struct pc_rolling_local {
  double a[25], g[16], ng[4], schur;
};

// `wide` is memory for more than three rows, else NULL.
void pc_block_prepare(const pc_block_law *law, const double *a, pc_block_local *local,
                      pc_rolling_local *wide);
// Finds r with D+ = c + A r obeying the law. `r` holds the previous value, used to choose among
// several solutions of Coulomb's law. False if Coulomb's law has no local solution (r is kept).
bool pc_block_solve(const pc_block_law *law, const pc_block_local *local, const double *c,
                    double *r);
// The same with A = a times the identity: the proximal map of the law.
void pc_block_prox(const pc_block_law *law, double a, const double *c, double *r);
// Natural map in scaled units: zero exactly where (d, r) obeys the law.
void pc_block_residual(const pc_block_law *law, const double *d, const double *r, double *residual);
bool pc_block_convex(const pc_block_law *law);
// Puts r back where Coulomb's law allows it (used after an extrapolation); coulomb.c.
void pc_block_project(const pc_block_law *law, double *r);

#endif
