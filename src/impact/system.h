// An island of an impact problem as the solvers see it: whitened, scaled, without names.
//
// Velocities: U = U_free + L y, with L L^T = M^-1 body by body, so y is measured in kinetic energy
// and a body of infinite mass has L = 0. Rows: D' = S D, r = S r' with one scale per interaction,
// chosen so that the trace of its local operator is its number of rows. In these units
//
//     D+ = free + J y,     mass y = J^T r,     (D+_k, r_k) obeys law k,
//
// with mass = 1 unless bodies are coupled by mass. Some problems have no bodies at all: then
// D+ = free + response r. Nothing here knows geometry.
#ifndef PERCUSS_IMPACT_SYSTEM_H
#define PERCUSS_IMPACT_SYSTEM_H

#include "core/memory.h"
#include "impact/laws/law.h"
#include "sparse/block_matrix.h"
#include "sparse/cholesky.h"

// Rows of blocks, up to 3 x 3 or 5 x 5 with rolling friction, for the response operator.
typedef struct pc_response {
  int *row;    // first block of each interaction, interactions + 1
  int *column; // interaction of each block
  long *at;    // its numbers
  double *value;
} pc_response;

typedef struct pc_system {
  int bodies, interactions, dofs, rows;
  int *dof, *start; // per body
  int *row;         // per interaction, + 1
  int *term;        // per interaction, + 1
  int *term_body;
  long *term_at;    // into jacobian
  double *jacobian; // rows x dof per term, row by row
  pc_block_law *law;
  pc_block_local *local; // filled by pc_system_prepare
  bool prepared, convex;
  bool rolls;              // some interaction has rolling friction
  int same_rows, same_dof; // of all interactions, of all bodies; 0 if they differ
  double *free;            // D+ without percussions
  double scale;            // size of the free velocity, in scaled units
  double speed;            // the same in m/s, over the rows that are velocities
  double *to_speed;        // per interaction: 1 / row scale, or 0 where rows are not velocities
  double motion;           // size of the free motion of the bodies, |y| of U_free and U-
  bool coupled;            // mass is not the identity
  pc_block_matrix mass;
  pc_cholesky *mass_factor;
  pc_response *response; // given, or condensed from a coupled mass

  double *r, *y; // the unknowns, start and answer

  // Where things came from.
  int *body_of, *interaction_of;
  double *row_scale;
  pc_arena *arena;
} pc_system;

// Local operators for pc_block_solve; condenses a coupled mass into a response first.
pc_status pc_system_prepare(pc_system *system, pc_error *error);
// The response W = J mass^-1 J^T of a coupled mass (condense.c), and about what it costs, in
// operations and in numbers to be kept.
pc_status pc_system_condense(pc_system *system, pc_error *error);
pc_status pc_system_condense_cost(const pc_system *system, double *flops, double *numbers,
                                  pc_error *error);
// y = mass^-1 J^T r
void pc_system_motion(const pc_system *system, const double *r, double *y);
// out = mass y
void pc_system_momentum(const pc_system *system, const double *y, double *out);
// d = free + J y (or free + response r)
void pc_system_deformation(const pc_system *system, const double *r, const double *y, double *d);
// Both: y (if there are bodies) and d that go with r.
void pc_system_evaluate(const pc_system *system, const double *r, double *y, double *d);
// d = response r, of a system that is stated by its response.
void pc_system_respond(const pc_system *system, const double *r, double *d);
// J^T x added to g; d = J y.
void pc_system_transpose_add(const pc_system *system, const double *x, double *g);
void pc_system_multiply(const pc_system *system, const double *y, double *d);
// Size of the natural map, relative to the free velocity: the larger of its energy norm (over all
// rows) and its velocity norm (over contacts and explicit rows), because the first hardly sees
// light bodies and the second hardly sees heavy ones. `residual` (rows, may be NULL) gets the map.
double pc_system_residual(const pc_system *system, const double *r, const double *d,
                          double *residual);

// The products with one term of J, for kernels that are compiled once per size: m and n are
// constants where the sizes are the same everywhere. By pairs of degrees of freedom, the width that
// every processor has.
typedef double pc_pair __attribute__((vector_size(16), aligned(8), may_alias));

// d += J y
static inline void pc_term_multiply(int m, int n, const double *jacobian, const double *y,
                                    double *d)
{
  for (int i = 0; i < m; i++, jacobian += n) {
    pc_pair sum = {0, 0};
    for (int j = 0; j + 1 < n; j += 2)
      sum += *(const pc_pair *)(jacobian + j) * *(const pc_pair *)(y + j);
    d[i] += sum[0] + sum[1] + (n % 2 == 1 ? jacobian[n - 1] * y[n - 1] : 0);
  }
}

// y += J^T x
static inline void pc_term_transpose(int m, int n, const double *jacobian, const double *x,
                                     double *y)
{
  for (int j = 0; j + 1 < n; j += 2) {
    pc_pair sum = *(const pc_pair *)(jacobian + j) * x[0];
    for (int i = 1; i < m; i++)
      sum += *(const pc_pair *)(jacobian + i * n + j) * x[i];
    *(pc_pair *)(y + j) += sum;
  }
  for (int i = 0; i < m && n % 2 == 1; i++)
    y[n - 1] += jacobian[i * n + n - 1] * x[i];
}

// The sum of the blocks of row k times r, but for the one of column `skip`; where all blocks are
// single numbers.
static inline double pc_response_number(const pc_response *w, int k, int skip, const double *r)
{
  double sum[4] = {0};
  int b = w->row[k], end = w->row[k + 1];
  for (; b + 4 <= end; b += 4)
    for (int i = 0; i < 4; i++)
      sum[i] += w->column[b + i] == skip ? 0 : w->value[b + i] * r[w->column[b + i]];
  for (; b < end; b++)
    sum[0] += w->column[b] == skip ? 0 : w->value[b] * r[w->column[b]];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// out = the sum of the blocks of row k times r, but for the block of column `skip`; 3 x 3 blocks.
// The nine products of a block have a sum each, so that no sum waits for another.
static inline void pc_response_row(const pc_response *w, int k, int skip, const double *r,
                                   double *out)
{
  pc_pair s0 = {0, 0}, s1 = {0, 0}, s2 = {0, 0}, s3 = {0, 0};
  double s4 = 0;
  for (int b = w->row[k]; b < w->row[k + 1]; b++) {
    if (w->column[b] == skip)
      continue;
    const double *v = w->value + w->at[b], *x = r + 3 * w->column[b];
    pc_pair first = *(const pc_pair *)x, last = *(const pc_pair *)(x + 1);
    pc_pair around = {last[1], first[0]};
    s0 += *(const pc_pair *)v * first;
    s1 += *(const pc_pair *)(v + 2) * around;
    s2 += *(const pc_pair *)(v + 4) * last;
    s3 += *(const pc_pair *)(v + 6) * first;
    s4 += v[8] * x[2];
  }
  out[0] = s0[0] + s0[1] + s1[0];
  out[1] = s1[1] + s2[0] + s2[1];
  out[2] = s3[0] + s3[1] + s4;
}

// The same for blocks of any size.
static inline void pc_response_blocks(const pc_system *s, int k, int skip, const double *r,
                                      double *out)
{
  const pc_response *w = s->response;
  double sum[5] = {0};
  for (int b = w->row[k]; b < w->row[k + 1]; b++) {
    int l = w->column[b], ml = s->law[l].rows;
    const double *v = w->value + w->at[b], *x = r + s->row[l];
    for (int i = 0; i < s->law[k].rows && l != skip; i++)
      for (int j = 0; j < ml; j++)
        sum[i] += v[i * ml + j] * x[j];
  }
  for (int i = 0; i < s->law[k].rows; i++)
    out[i] = sum[i];
}

// Calls kernel(rows, dof, ...) with the sizes that are worth a copy of their own as constants, else
// with zeros: the kernel then looks them up one by one.
#define PC_BY_SIZE(system, kernel, ...)                                                            \
  do {                                                                                             \
    switch (10 * (system)->same_rows + (system)->same_dof) {                                       \
    case 36: /* bodies in space, with friction */                                                  \
      kernel(3, 6, __VA_ARGS__);                                                                   \
      break;                                                                                       \
    case 16:                                                                                       \
      kernel(1, 6, __VA_ARGS__);                                                                   \
      break;                                                                                       \
    case 23: /* in the plane */                                                                    \
      kernel(2, 3, __VA_ARGS__);                                                                   \
      break;                                                                                       \
    case 13:                                                                                       \
      kernel(1, 3, __VA_ARGS__);                                                                   \
      break;                                                                                       \
    case 12: /* points in the plane: crowds */                                                     \
      kernel(1, 2, __VA_ARGS__);                                                                   \
      break;                                                                                       \
    default:                                                                                       \
      kernel(0, 0, __VA_ARGS__);                                                                   \
    }                                                                                              \
  } while (0)

#endif
