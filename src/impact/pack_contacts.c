// Packing contacts: what a sweep and the residual need of each, in its place.
//
// pack_contact packs one contact of any shape in space, which is a constant; pack_flat.c those of
// the plane. Islands in space with nothing but bounds and Coulomb's friction, which most heaps are,
// are packed several contacts at a time (packing.h). It saves little: without it `bench rigid`
// takes 0.7 % more instructions, a solve of 20 sweeps 4.0 % for spheres and 2.6 % for boxes with
// two numbers in a vector. But the two add the sides of a contact in another order, and heaps
// amplify the last bit: with pack_contact alone one of 500 boxes of leon/layers-500 still rocks
// after 8 s, and the published row fails.
#include <math.h>
#include <string.h>

#include "core/small.h"
#include "impact/contact_side.h"
#include "impact/packing.h"

#define INLINE static inline __attribute__((always_inline))

// What all shapes have in common, in units of the contact: the local problem.
typedef struct local {
  double nn, tt;        // W_NN, and the largest eigenvalue of W_TT
  double trace;         // of the response without folded masses
  double before, still; // D_N-, and D_N while all lines and percussions are zero
} local;

static inline pc_pack_slot place_of(const pc_packs *packs, int k)
{
  const int lines[2] = {pc_pack_line(packs, k, 0), pc_pack_line(packs, k, 1)};
  return pc_pack_slot_of(packs, k, lines);
}

// The response of a contact, W_NN, W_TN and W_TT.
typedef struct response {
  double nn, tn[3], t11, t12, t22;
} response;

// What a body adds to W as a matrix in space, 1/m + [r]x I^-1 [r]x^T: xx, xy, xz, yy, yz, zz.
static inline void add_matrix(const pc_side *side, double *w)
{
  const double *i = side->body->turn->inverse, light = side->body->light;
  double x = side->arm[0], y = side->arm[1], z = side->arm[2];
  double a[3] = {y * i[2] - z * i[1], y * i[4] - z * i[3], y * i[5] - z * i[4]};
  double b[3] = {z * i[0] - x * i[2], z * i[1] - x * i[4], z * i[2] - x * i[5]};
  double c[3] = {x * i[1] - y * i[0], x * i[3] - y * i[1], x * i[4] - y * i[2]};
  w[0] += light + (y * a[2] - z * a[1]);
  w[1] += z * a[0] - x * a[2];
  w[2] += x * a[1] - y * a[0];
  w[3] += light + (z * b[0] - x * b[2]);
  w[4] += x * b[1] - y * b[0];
  w[5] += light + (x * c[1] - y * c[0]);
}

// Along and across the normal. t11 is the largest eigenvalue across, t22 the other.
static inline void split_matrix(const double *w, const double *n, response *to)
{
  double wn[3];
  pc_times_inertia(w, n, wn);
  to->nn = pc_dot3(n, wn);
  for (int i = 0; i < 3; i++)
    to->tn[i] = wn[i] - to->nn * n[i];
  double cofactor[6] = {w[3] * w[5] - w[4] * w[4], w[2] * w[4] - w[1] * w[5],
                        w[1] * w[4] - w[2] * w[3], w[0] * w[5] - w[2] * w[2],
                        w[1] * w[2] - w[0] * w[4], w[0] * w[3] - w[1] * w[1]};
  pc_times_inertia(cofactor, n, wn);
  double half = 0.5 * (w[0] + w[3] + w[5] - to->nn), square = half * half - pc_dot3(n, wn);
  double apart = square > 0 ? sqrt(square) : 0;
  to->t11 = half + apart;
  to->t22 = half - apart;
}

// A side of a contact with a full mass: its rows, [1, -arm x] L, 3 x 6, and their free velocity.
static inline void full_side(const double *base, const double *root, const pc_side *side,
                             double *rows, double *still)
{
  double u[3];
  pc_cross(base + 3, side->arm, u);
  for (int i = 0; i < 3; i++)
    still[i] += side->sign * (base[i] + u[i]);
  for (int j = 0; j < 6; j++) {
    double v[3] = {root[j], root[6 + j], root[12 + j]};
    double w[3] = {root[18 + j], root[24 + j], root[30 + j]};
    pc_cross(w, side->arm, u);
    for (int i = 0; i < 3; i++)
      rows[6 * i + j] = v[i] + u[i];
  }
}

static inline void add_full_response(const double *rows, const double *frame, response *to)
{
  double along[3][6], tn[3] = {0};
  for (int e = 0; e < 3; e++)
    for (int j = 0; j < 6; j++)
      along[e][j] =
          frame[3 * e] * rows[j] + frame[3 * e + 1] * rows[6 + j] + frame[3 * e + 2] * rows[12 + j];
  for (int j = 0; j < 6; j++) {
    to->nn += along[0][j] * along[0][j];
    to->t11 += along[1][j] * along[1][j];
    to->t12 += along[1][j] * along[2][j];
    to->t22 += along[2][j] * along[2][j];
    tn[1] += along[1][j] * along[0][j];
    tn[2] += along[2][j] * along[0][j];
  }
  for (int i = 0; i < 3; i++)
    to->tn[i] += tn[1] * frame[3 + i] + tn[2] * frame[6 + i];
}

// A side of a contact of a block: its normal row, L^T (n, arm x n), and the free velocity there.
static inline void block_side(const double *base, const double *root, const pc_side *side,
                              const double *n, double *row, double *still)
{
  double axis[3];
  pc_cross(side->arm, n, axis);
  pc_side_velocity(side, base, base + 3, still);
  for (int j = 0; j < 6; j++)
    row[j] = n[0] * root[j] + n[1] * root[6 + j] + n[2] * root[12 + j] + axis[0] * root[18 + j] +
             axis[1] * root[24 + j] + axis[2] * root[30 + j];
}

static inline void add_central_response(const pc_side *side, const double *n, response *to)
{
  double light = side->body->light, along = pc_dot3(side->arm, n);
  double turning = along * along * side->body->turn->inverse[5];
  to->nn += light;
  to->t11 += light + turning;
  to->t22 += light + turning;
}

// The first percussions of a contact, within its law.
static inline void set_guess(const pc_packs *packs, const pc_interaction_data *data,
                             const pc_law *law, int rows, double *r)
{
  const double *n = data->normal, *force = packs->problem->force.at + data->row;
  double p[3] = {-force[0], data->rows > 1 ? -force[1] : 0, data->rows > 2 ? -force[2] : 0};
  double square = 0;
  double along = pc_dot3(p, n);
  r[0] = law->normal.kind == PC_NORMAL_QUADRATIC ? along : pc_larger(along, 0);
  if (!packs->friction)
    return;
  double reach = rows > 1 ? law->tangential.mu[0] * pc_larger(r[0], 0) : 0;
  if (packs->friction == PC_DRAGS)
    reach = rows > 1 ? INFINITY : 0;
  for (int i = 0; i < 3; i++) {
    p[i] -= along * n[i];
    square += p[i] * p[i];
  }
  double part = square > reach * reach ? reach / sqrt(square) : 1;
  for (int i = 0; i < 3; i++)
    r[(1 + i) * PC_LANES] = part * p[i];
}

// Arms of a contact in space, or what stands for them, and W_TN.
INLINE void put_arms(int shape, int rows, double arms[2][3], double full[2][18], const response *w,
                     const double *n, double *more)
{
  if (shape == PC_CENTRAL) {
    more[0] = -pc_dot3(arms[0], n);
    more[PC_LANES] = pc_dot3(arms[1], n);
    return;
  }
  const int numbers = shape == PC_FULL ? 18 : 3;
  for (int i = 0; i < numbers; i++) {
    more[i * PC_LANES] = shape == PC_FULL ? full[0][i] : arms[0][i];
    more[(numbers + i) * PC_LANES] = shape == PC_FULL ? full[1][i] : arms[1][i];
  }
  for (int i = 0; i < 3; i++)
    more[(2 * numbers + i) * PC_LANES] = rows > 1 ? w->tn[i] : 0;
}

// The tangential velocity that is added to D_T+.
INLINE void put_shift(int rows, const pc_law *law, const double *n, const double *before,
                      const double *still, const local *w, double *more)
{
  double share = pc_tangential_share(law);
  for (int i = 0; i < 3; i++)
    more[i * PC_LANES] =
        rows > 1 ? still[i] - w->still * n[i] + share * (before[i] - w->before * n[i]) : 0;
}

// What the laws of a contact need, and the residual.
INLINE void put_laws(int shape, const pc_packs *packs, const pc_interaction_data *data,
                     const pc_law *law, int rows, const local *w, double *field, double *test)
{
  double mass = w->trace > 0 ? rows / w->trace : 1, inverse = w->nn > 0 ? 1 / w->nn : 0;
  double bound = data->bound - w->still;
  if (law->normal.kind == PC_NORMAL_RESTITUTION)
    bound -= law->normal.e * w->before;
  field[PC_INVERSE_AT(shape) * PC_LANES] = inverse;
  field[(PC_INVERSE_AT(shape) + 1) * PC_LANES] = inverse > 0 ? bound * inverse : 0;
  test[0] = mass;
  test[PC_LANES] = bound;
  if (shape != PC_BLOCKS) {
    double *step = field + PC_STEP_AT(shape) * PC_LANES;
    step[0] = rows > 1 && w->tt > 0 ? 1 / w->tt : 0;
    step[PC_LANES] = rows > 1 ? law->tangential.mu[0] : 0;
    if (packs->friction == PC_DRAGS) {
      double half = rows > 1 ? 0.5 * law->tangential.k : 0, part = half / (1 + w->tt * half);
      step[0] = part;
      step[PC_LANES] = w->tt * part;
      test[PC_TEST_EXTRA * PC_LANES] = half / mass;
    }
  }
  if (packs->extra) {
    double *more = field + PC_EXTRA_AT(shape, packs->friction) * PC_LANES;
    double half = law->normal.kind == PC_NORMAL_QUADRATIC ? 0.5 * law->normal.k : 0;
    double h = half / (1 + half * w->nn), pulled = w->still + w->before;
    more[0] = h * w->nn;
    more[PC_LANES] = h * pulled;
    test[2 * PC_LANES] = half / mass;
    test[3 * PC_LANES] = pulled;
  }
}

// Fills one lane of a pack and adds to the sizes of the island. The shape is a constant.
INLINE void pack_contact(int shape, const pc_packs *packs, const pc_interaction_data *data,
                         int rows, bool warm, pc_pack_slot to, double *sums)
{
  const pc_impact *problem = packs->problem;
  const pc_law *law = pc_law_of(problem, data);
  double frame[9], arms[2][3] = {{0}}, full[2][18], matrix[6] = {0}, row[12] = {0}, trace = 0;
  double before[3], free[3], still[3]; // D-, D of the free motion, the part that nothing changes
  pc_side side[2];
  response w = {0}, folded = {0};
  if (shape == PC_FULL) {
    pc_contact_axes(data->normal, data->rows < 3, frame);
    memset(full, 0, sizeof full);
  } else {
    memcpy(frame, data->normal, sizeof data->normal);
  }
  const double *given = pc_interaction_given(problem, data);
  for (int i = 0; i < 3; i++)
    before[i] = free[i] = still[i] = given[i];
  for (int t = 0; t < data->terms; t++) {
    const pc_body_data *body = &problem->body.at[data->body[t]];
    pc_side *s = &side[t];
    double v[3], spin[3];
    s->body = body;
    s->sign = t == 0 ? 1 : -1;
    pc_side_arm(body, data->point, s->arm);
    pc_body_motion(body, problem->before.at, s->v, s->w);
    pc_body_motion(body, packs->islands->free_velocity, v, spin);
    pc_side_velocity(s, s->v, s->w, before);
    pc_side_velocity(s, v, spin, free);
    if (!body->movable) {
      pc_side_velocity(s, s->v, s->w, still);
      continue;
    }
    memcpy(arms[t], s->arm, sizeof arms[t]);
    long at = packs->islands->local_body[data->body[t]];
    const bool folds = shape == PC_BLOCKS || shape == PC_FULL; // else there are neither
    const double *base = folds ? packs->fold.base + 6 * at : NULL;
    const double *root = folds ? packs->fold.root + 36 * at : NULL;
    if (shape == PC_CENTRAL) {
      sums[2] += !pc_side_central(body, frame, s->arm);
      add_central_response(s, frame, &w);
    } else if (shape == PC_BLOCKS) {
      block_side(base, root, s, frame, row + 6 * t, still);
      trace += pc_side_trace(s, frame, data->rows, rows);
    } else {
      add_matrix(s, matrix);
    }
    if (shape == PC_FULL) {
      full_side(base, root, s, full[t], still);
      add_full_response(full[t], frame, &folded);
    }
  }
  if (shape == PC_BLOCKS) {
    for (int j = 0; j < 12; j++)
      w.nn += row[j] * row[j];
  } else if (shape != PC_CENTRAL) {
    if (data->rows < 3) // nothing leaves the plane
      matrix[2] = matrix[4] = matrix[5] = 0;
    split_matrix(matrix, frame, &w);
  }
  if (shape != PC_BLOCKS)
    trace = rows == 1 ? w.nn : w.nn + w.t11 + w.t22;
  if (shape == PC_FULL)
    w = folded;
  double apart = 0.5 * (w.t11 - w.t22);
  local own = {.nn = w.nn,
               .tt = 0.5 * (w.t11 + w.t22) + sqrt(apart * apart + w.t12 * w.t12),
               .trace = trace,
               .before = pc_dot3(frame, before),
               .still = pc_dot3(frame, still)};
  put_laws(shape, packs, data, law, rows, &own, to.field, to.test);
  if (shape == PC_BLOCKS) {
    for (int i = 0; i < 12; i++)
      to.field[i * PC_LANES] = row[i];
    to.field[PC_BLOCK_OWN * PC_LANES] = w.nn;
  } else {
    for (int i = 0; i < 3; i++)
      to.field[i * PC_LANES] = frame[i];
    put_arms(shape, rows, arms, full, &w, frame, to.field + PC_AT_ARMS * PC_LANES);
    if (packs->extra)
      put_shift(rows, law, frame, before, still, &own,
                to.field + (PC_EXTRA_AT(shape, packs->friction) + 2) * PC_LANES);
  }
  if (warm)
    set_guess(packs, data, law, rows, to.r);
  else
    for (int i = 0; i < packs->numbers; i++)
      to.r[i * PC_LANES] = 0;
  if (!isfinite(trace) || !isfinite(w.nn) || !(to.test[0] > 0))
    sums[0] = INFINITY;
  pc_contact_sizes(data, side, rows, to.test[0], before, free, sums);
}

static inline int rows_of(const pc_packs *packs, int k)
{
  return packs->islands->ends[packs->fold.contact[k]].rows;
}

// In space, with nothing that packing.h does not know: bounds and friction between bodies that move
// and obstacles at rest.
static bool is_simple(const pc_packs *packs)
{
  return (packs->shape == PC_CENTRAL || packs->shape == PC_ARMS) && !packs->extra &&
         packs->friction != PC_DRAGS;
}

static inline void gather(const pc_packs *packs, int k, double *at)
{
  const pc_interaction_data *data = pc_pack_contact(packs, k);
  const pc_law *law = pc_law_of(packs->problem, data);
  bool wide = rows_of(packs, k) > 1;
  const double *const velocity[2] = {packs->problem->before.at, packs->islands->free_velocity};
  double u[2][2][3];
  at[PC_IN_LIGHT * PC_LANES] = pc_batch_gather(packs->problem, data, velocity, u, at);
  pc_batch_put3(at, PC_PACKING_SIDES, u[0][0]);
  pc_batch_put3(at, PC_PACKING_SIDES + 3, u[1][0]);
  at[PC_PACKING_MU * PC_LANES] = wide ? law->tangential.mu[0] : 0;
  at[PC_PACKING_E * PC_LANES] = law->normal.kind == PC_NORMAL_RESTITUTION ? law->normal.e : 0;
  at[PC_PACKING_WIDE * PC_LANES] = wide;
}

static inline void copy_numbers(int count, double *to, const double *from)
{
  for (int i = 0; i < count; i++)
    to[i * PC_LANES] = from[i * PC_LANES];
}

static inline __attribute__((always_inline)) void
scatter(const pc_packs *packs, int shape, int first, int stop, const pc_packed_batch *out)
{
  for (int k = first; k < stop; k++) {
    int l = k - first;
    const double *from = &out->group[l / PC_LANES][0][l % PC_LANES];
    pc_pack_slot to = place_of(packs, k);
    copy_numbers(PC_FIELDS(shape, PC_RUBS), to.field, from);
    copy_numbers(PC_TEST, to.test, from + PC_OUT_TEST * PC_LANES);
    if (packs->friction)
      copy_numbers(4, to.r, from + PC_OUT_R * PC_LANES);
    else
      to.r[0] = from[PC_OUT_R * PC_LANES];
  }
}

static void pack_many(const pc_packs *packs, bool warm, int begin, int end, double *sums)
{
  pc_packing *packing = pc_packing_of(packs->shape, false);
  pc_packing_sums lanes = {{0}, {0}, {0}};
  pc_batch in;
  pc_packed_batch out;
  for (int first = begin; first < end; first += PC_BATCH) {
    int stop = first + PC_BATCH < end ? first + PC_BATCH : end, count = stop - first;
    for (int k = first; k < stop; k++) {
      pc_pack_prefetch(packs, k, end);
      gather(packs, k, pc_batch_at(&in, k - first));
    }
    for (int l = count; l % PC_LANES != 0; l++) // nothing
      for (int i = 0; i < PC_IN_ALL; i++)
        pc_batch_at(&in, l)[i * PC_LANES] = 0;
    packing(&in, count, warm, &out, &lanes);
    if (packs->shape == PC_CENTRAL)
      scatter(packs, PC_CENTRAL, first, stop, &out);
    else
      scatter(packs, PC_ARMS, first, stop, &out);
  }
  for (int l = 0; l < PC_LANES; l++) {
    sums[0] += lanes.size[l];
    sums[1] += lanes.speed[l];
    sums[2] += lanes.off[l];
  }
}

static void pack_one_by_one(const pc_packs *packs, bool warm, int begin, int end, double *sums)
{
  for (int k = begin; k < end; k++) {
    const pc_interaction_data *data = pc_pack_contact(packs, k);
    pc_pack_prefetch(packs, k, end);
    pc_pack_slot to = place_of(packs, k);
    int rows = rows_of(packs, k);
    switch (packs->shape) {
    case PC_CENTRAL:
      pack_contact(PC_CENTRAL, packs, data, rows, warm, to, sums);
      break;
    case PC_ARMS:
      pack_contact(PC_ARMS, packs, data, rows, warm, to, sums);
      break;
    case PC_BLOCKS:
      pack_contact(PC_BLOCKS, packs, data, rows, warm, to, sums);
      break;
    default:
      pack_contact(PC_FULL, packs, data, rows, warm, to, sums);
    }
  }
}

void pc_pack_contacts(const pc_packs *packs, bool warm, int begin, int end, double sums[3])
{
  sums[0] = sums[1] = sums[2] = 0;
  if (packs->shape == PC_PLANE)
    pc_pack_flat(packs, warm, begin, end, sums);
  else if (is_simple(packs))
    pack_many(packs, warm, begin, end, sums);
  else
    pack_one_by_one(packs, warm, begin, end, sums);
}
