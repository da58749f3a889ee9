// Packing an island of contacts: arms, responses, sizes; and passes over all packs.
#include "impact/packs.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/prefetch.h"
#include "core/small.h"
#include "core/threads.h"
#include "impact/contact_side.h"
#include "impact/packing.h"

static const size_t far_numbers = 2048 * 1024; // sixteen

typedef struct pack_work {
  pc_packs *packs;
  bool warm;
  double *line, *to;
  double *r, *sums;
  const pc_sweep *sweep;
  const double *from_line, *from;
  pc_impact *answer;
  const pc_pack_run *run;
  int level;
} pack_work;

static int chunks_of(const pc_packs *packs)
{
  return (packs->packs + PC_PACK_CHUNK - 1) / PC_PACK_CHUNK;
}

static int chunk_end(const pc_packs *packs, int chunk)
{
  int end = (chunk + 1) * PC_PACK_CHUNK;
  return end < packs->packs ? end : packs->packs;
}

static const pc_interaction_data *contact_of(const pc_packs *packs, int k)
{
  return &packs->problem->interaction[packs->fold.contact[k]];
}

static void set_lines(void *context, int begin, int end, int worker)
{
  (void)worker;
  const pack_work *work = context;
  const pc_packs *packs = work->packs;
  if (packs->shape == PC_FULL || packs->shape == PC_PLANE) {
    memset(work->line + packs->stride * (begin + 1L), 0,
           sizeof(double) * (size_t)packs->stride * (size_t)(end - begin));
    return;
  }
  for (int b = begin; b < end; b++) {
    const pc_body_data *body = &packs->problem->body[packs->islands->body[packs->island->body + b]];
    double *line = work->line + PC_LINE * (b + 1L);
    const double *x = body->turn->inverse;
    pc_body_motion(body, packs->islands->free_velocity, line, line + 4);
    line[3] = body->light;
    line[7] = x[5];
    if (packs->shape == PC_ARMS && work->to != NULL) {
      double columns[12] = {x[0], x[1], x[2], 0, x[1], x[3], x[4], 0, x[2], x[4], x[5], 0};
      memcpy(work->to + PC_INERTIA * (b + 1L), columns, sizeof columns);
    }
  }
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
  const double *n = data->normal, *force = packs->problem->force + data->row;
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

// A contact in the plane while it is packed: along the normal and across it.
typedef struct flat {
  double before[2], free[2], noise[2]; // D-, D of the free motion, what it is a difference of
  double root[2], turn[2], spin[2];    // rows, whitened
} flat;

static inline void flat_side(const pc_packs *packs, const pc_interaction_data *data, int t, flat *f)
{
  const pc_body_data *body = &packs->problem->body[data->body[t]];
  const double *u = packs->problem->before + body->start;
  const double *v = packs->islands->free_velocity + body->start;
  bool two = body->dof > 1, turns = body->dof == 3;
  double nx = data->normal[0], ny = data->normal[1], sign = t == 0 ? 1 : -1;
  if (body->dof == 2) { // where it is touched makes no difference
    nx *= sign;
    ny *= sign;
    f->before[0] += nx * u[0] + ny * u[1];
    f->before[1] += nx * u[1] - ny * u[0];
    f->free[0] += nx * v[0] + ny * v[1];
    f->free[1] += nx * v[1] - ny * v[0];
    f->noise[0] += fabs(nx * u[0]) + fabs(ny * u[1]);
    f->noise[1] += fabs(nx * u[1]) + fabs(ny * u[0]);
    f->root[t] = body->movable ? sign * body->root : 0;
    return;
  }
  double x = data->point[0] - body->position[0], y = data->point[1] - body->position[1];
  double along = sign * (x * ny - y * nx), across = sign * (x * nx + y * ny);
  nx *= sign;
  ny *= sign;
  double uy = two ? u[1] : 0, vy = two ? v[1] : 0, w = turns ? u[2] : 0, z = turns ? v[2] : 0;
  f->before[0] += nx * u[0] + ny * uy + along * w;
  f->before[1] += nx * uy - ny * u[0] + across * w;
  f->free[0] += nx * v[0] + ny * vy + along * z;
  f->free[1] += nx * vy - ny * v[0] + across * z;
  f->noise[0] += fabs(nx * u[0]) + fabs(ny * uy) + fabs(along * w);
  f->noise[1] += fabs(nx * uy) + fabs(ny * u[0]) + fabs(across * w);
  if (!body->movable)
    return;
  f->root[t] = sign * body->root;
  if (!turns)
    return;
  f->turn[t] = body->turn->inverse_root[5] * along;
  f->spin[t] = body->turn->inverse_root[5] * across;
}

// Sizes of the data, as pc_contact_sizes has them.
static inline void flat_sizes(const pc_interaction_data *data, const flat *f, int rows, double mass,
                              double *sums)
{
  double along = pc_larger(pc_larger(fabs(f->free[0]), fabs(f->before[0])), 1e-3 * f->noise[0]);
  double across = pc_larger(pc_larger(fabs(f->free[1]), fabs(f->before[1])), 1e-3 * f->noise[1]);
  if (data->bound > along)
    along = data->bound;
  double square = along * along + (rows > 1 ? across * across : 0);
  sums[0] += mass * square;
  sums[1] += square;
}

static inline void flat_guess(const pc_packs *packs, const pc_interaction_data *data,
                              const pc_law *law, int rows, double *r)
{
  const double *force = packs->problem->force + data->row;
  double nx = data->normal[0], ny = data->normal[1], x = -force[0];
  double y = data->rows > 1 ? -force[1] : 0, along = nx * x + ny * y;
  r[0] = law->normal.kind == PC_NORMAL_QUADRATIC ? along : pc_larger(along, 0);
  if (!packs->friction)
    return;
  double across = rows > 1 ? nx * y - ny * x : 0;
  double reach =
      packs->friction == PC_DRAGS ? INFINITY : law->tangential.mu[0] * pc_larger(r[0], 0);
  r[PC_LANES] = across > reach ? reach : across < -reach ? -reach : across;
}

// The part of D- that the tangential law adds to D+.
static inline double tangential_share(const pc_law *law)
{
  if (law->tangential.kind == PC_TANGENTIAL_VISCOUS || law->tangential.on == PC_ON_MEAN)
    return 1;
  bool bounces = law->normal.kind == PC_NORMAL_RESTITUTION;
  return law->tangential.on == PC_ON_MOREAU && bounces ? law->normal.e : 0;
}

// As pack_contact, in the plane.
static void pack_flat(const pc_packs *packs, const pc_interaction_data *data, int rows, bool warm,
                      double *field, double *test, double *r, double *sums)
{
  const pc_law *law = &packs->problem->law[data->law].law;
  double nx = data->normal[0], ny = data->normal[1];
  flat f = {.free = {nx * data->given[0] + ny * data->given[1],
                     nx * data->given[1] - ny * data->given[0]}};
  f.before[0] = f.free[0];
  f.before[1] = f.free[1];
  for (int t = 0; t < data->terms; t++)
    flat_side(packs, data, t, &f);
  double light = f.root[0] * f.root[0] + f.root[1] * f.root[1];
  double nn = light + (f.turn[0] * f.turn[0] + f.turn[1] * f.turn[1]);
  double tt = light + (f.spin[0] * f.spin[0] + f.spin[1] * f.spin[1]);
  double trace = rows == 1 ? nn : nn + tt, mass = trace > 0 ? rows / trace : 1;
  double inverse = nn > 0 ? 1 / nn : 0, bound = data->bound - f.free[0];
  if (law->normal.kind == PC_NORMAL_RESTITUTION)
    bound -= law->normal.e * f.before[0];
  field[0] = nx;
  field[PC_LANES] = ny;
  field[PC_FLAT_INVERSE * PC_LANES] = inverse;
  field[PC_FLAT_BOUND * PC_LANES] = inverse > 0 ? bound * inverse : 0;
  for (int t = 0; t < 2; t++) {
    field[(PC_FLAT_ROOT + t) * PC_LANES] = f.root[t];
    field[(PC_FLAT_TURN + t) * PC_LANES] = f.turn[t];
  }
  test[0] = mass;
  test[PC_LANES] = bound;
  if (packs->friction) {
    bool rubs = rows > 1;
    field[PC_FLAT_STEP * PC_LANES] = rubs && tt > 0 ? 1 / tt : 0;
    field[PC_FLAT_MU * PC_LANES] = rubs ? law->tangential.mu[0] : 0;
    field[PC_FLAT_CROSS * PC_LANES] = f.turn[0] * f.spin[0] + f.turn[1] * f.spin[1];
    for (int t = 0; t < 2; t++)
      field[(PC_FLAT_SPIN + t) * PC_LANES] = f.spin[t];
    field[PC_FLAT_SHIFT * PC_LANES] = f.free[1] + tangential_share(law) * f.before[1];
    if (packs->friction == PC_DRAGS) {
      double half = rubs ? 0.5 * law->tangential.k : 0, step = half / (1 + tt * half);
      field[PC_FLAT_STEP * PC_LANES] = step;
      field[PC_FLAT_KEEP * PC_LANES] = tt * step;
      test[PC_TEST_EXTRA * PC_LANES] = half / mass;
    }
  }
  if (packs->extra) {
    double *more = field + PC_FIELDS(PC_PLANE, packs->friction) * PC_LANES;
    double half = law->normal.kind == PC_NORMAL_QUADRATIC ? 0.5 * law->normal.k : 0;
    double h = half / (1 + half * nn);
    more[0] = h * nn;
    more[PC_LANES] = h * (f.free[0] + f.before[0]);
    test[2 * PC_LANES] = half / mass;
    test[3 * PC_LANES] = f.free[0] + f.before[0];
  }
  r[0] = 0;
  if (packs->friction)
    r[PC_LANES] = 0;
  if (warm)
    flat_guess(packs, data, law, rows, r);
  if (!isfinite(trace) || !(mass > 0))
    sums[0] = INFINITY;
  flat_sizes(data, &f, rows, mass, sums);
}

// Fills one lane of a pack and adds to the sizes of the island. The shape is a constant.
static inline __attribute__((always_inline)) void
pack_contact(int shape, const pc_packs *packs, const pc_interaction_data *data, int rows, bool warm,
             double *field, double *test, double *r, double *sums)
{
  const pc_impact *problem = packs->problem;
  const pc_law *law = &problem->law[data->law].law;
  double frame[9], arms[2][3] = {{0}}, full[2][18], matrix[6] = {0};
  double before[3], free[3], still[3]; // D-, D of the free motion, the part that nothing changes
  pc_side side[2];
  response w = {0}, folded = {0};
  if (shape == PC_FULL) {
    pc_contact_axes(data->normal, data->rows < 3, frame);
    memset(full, 0, sizeof full);
  } else {
    memcpy(frame, data->normal, sizeof data->normal);
  }
  for (int i = 0; i < 3; i++)
    before[i] = free[i] = still[i] = data->given[i];
  for (int t = 0; t < data->terms; t++) {
    const pc_body_data *body = &problem->body[data->body[t]];
    pc_side *s = &side[t];
    double v[3], spin[3];
    s->body = body;
    s->sign = t == 0 ? 1 : -1;
    for (int i = 0; i < 3; i++)
      s->arm[i] = data->point[i] - body->position[i];
    pc_body_motion(body, problem->before, s->v, s->w);
    pc_body_motion(body, packs->islands->free_velocity, v, spin);
    pc_side_velocity(s, s->v, s->w, before);
    pc_side_velocity(s, v, spin, free);
    if (!body->movable) {
      pc_side_velocity(s, s->v, s->w, still);
      continue;
    }
    memcpy(arms[t], s->arm, sizeof arms[t]);
    if (shape == PC_CENTRAL && !pc_side_central(body, frame, s->arm))
      sums[2] = 1;
    if (shape == PC_CENTRAL)
      add_central_response(s, frame, &w);
    else
      add_matrix(s, matrix);
    if (shape == PC_FULL) {
      long at = packs->islands->local_body[data->body[t]];
      full_side(packs->fold.base + 6 * at, packs->fold.root + 36 * at, s, full[t], still);
      add_full_response(full[t], frame, &folded);
    }
  }
  if (shape != PC_CENTRAL) {
    if (data->rows < 3) // nothing leaves the plane
      matrix[2] = matrix[4] = matrix[5] = 0;
    split_matrix(matrix, frame, &w);
  }
  double trace = rows == 1 ? w.nn : w.nn + w.t11 + w.t22;
  double mass = trace > 0 ? rows / trace : 1;
  if (shape == PC_FULL)
    w = folded;
  double inverse = w.nn > 0 ? 1 / w.nn : 0;
  double apart = 0.5 * (w.t11 - w.t22);
  double most = 0.5 * (w.t11 + w.t22) + sqrt(apart * apart + w.t12 * w.t12);
  double normal_before = pc_dot3(frame, before), normal_still = pc_dot3(frame, still);
  double bound = data->bound - normal_still;
  if (law->normal.kind == PC_NORMAL_RESTITUTION)
    bound -= law->normal.e * normal_before;
  for (int i = 0; i < 3; i++)
    field[i * PC_LANES] = frame[i];
  field[PC_AT_INVERSE * PC_LANES] = inverse;
  field[PC_AT_BOUND * PC_LANES] = inverse > 0 ? bound * inverse : 0;
  field[PC_AT_STEP * PC_LANES] = rows > 1 && most > 0 ? 1 / most : 0;
  field[PC_AT_MU * PC_LANES] = rows > 1 ? law->tangential.mu[0] : 0;
  if (packs->friction == PC_DRAGS) {
    double half = rows > 1 ? 0.5 * law->tangential.k : 0, step = half / (1 + most * half);
    field[PC_AT_STEP * PC_LANES] = step;
    field[PC_AT_KEEP * PC_LANES] = most * step;
    test[PC_TEST_EXTRA * PC_LANES] = half / mass;
  }
  double *more = field + PC_AT_ARMS * PC_LANES;
  if (shape == PC_FULL) {
    for (int i = 0; i < 18; i++) {
      more[i * PC_LANES] = full[0][i];
      more[(18 + i) * PC_LANES] = full[1][i];
    }
    for (int i = 0; i < 3; i++)
      more[(36 + i) * PC_LANES] = rows > 1 ? w.tn[i] : 0;
    more += 39 * PC_LANES;
  } else if (shape == PC_CENTRAL) {
    more[0] = -pc_dot3(arms[0], frame);
    more[PC_LANES] = pc_dot3(arms[1], frame);
    more += 2 * PC_LANES;
  } else {
    for (int i = 0; i < 3; i++) {
      more[i * PC_LANES] = arms[0][i];
      more[(3 + i) * PC_LANES] = arms[1][i];
      more[(6 + i) * PC_LANES] = rows > 1 ? w.tn[i] : 0;
    }
    more += 9 * PC_LANES;
  }
  test[0] = mass;
  test[PC_LANES] = bound;
  if (packs->extra) {
    double half = law->normal.kind == PC_NORMAL_QUADRATIC ? 0.5 * law->normal.k : 0;
    double h = half / (1 + half * w.nn), share = tangential_share(law);
    more[0] = h * w.nn;
    more[PC_LANES] = h * (normal_still + normal_before);
    for (int i = 0; i < 3; i++)
      more[(2 + i) * PC_LANES] = rows > 1 ? still[i] - normal_still * frame[i] +
                                                share * (before[i] - normal_before * frame[i])
                                          : 0;
    test[2 * PC_LANES] = half / mass;
    test[3 * PC_LANES] = normal_still + normal_before;
  }
  if (warm)
    set_guess(packs, data, law, rows, r);
  else
    for (int i = 0; i < packs->numbers; i++)
      r[i * PC_LANES] = 0;
  if (!isfinite(trace) || !isfinite(w.nn) || !(mass > 0))
    sums[0] = INFINITY;
  pc_contact_sizes(data, side, rows, mass, before, free, sums);
}

// Where contact k goes.
typedef struct slot {
  double *field, *test, *r;
} slot;

static inline slot slot_of(const pc_packs *packs, int k)
{
  long p = packs->place[k] / PC_LANES;
  int l = packs->place[k] % PC_LANES, *pair = packs->pair + 2 * PC_LANES * p + l;
  pair[0] = pc_pack_line(packs, k, 0);
  pair[PC_LANES] = pc_pack_line(packs, k, 1);
  return (slot){packs->field + packs->fields * PC_LANES * p + l,
                packs->test + packs->tests * PC_LANES * p + l,
                packs->r + packs->numbers * PC_LANES * p + l};
}

static inline int rows_of(const pc_packs *packs, int k)
{
  return packs->islands->ends[packs->fold.contact[k]].rows;
}

static inline void prefetch_contact(const pc_packs *packs, int k, int last)
{
  if (k + PC_FAR >= last || !pc_spread(packs->problem))
    return;
  if (k + PC_FARTHEST < packs->contacts)
    pc_prefetch_contact(packs->problem, packs->fold.contact[k + PC_FARTHEST]);
  pc_prefetch_bodies(packs->problem, contact_of(packs, k + PC_FAR));
  pc_prefetch_velocities(packs->problem, contact_of(packs, k + PC_NEAR), packs->problem->before,
                         packs->islands->free_velocity);
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
  const pc_interaction_data *data = contact_of(packs, k);
  const pc_law *law = pc_law_of(packs->problem, data);
  bool wide = rows_of(packs, k) > 1;
  pc_batch_gather(false, packs->problem, data, packs->problem->before, packs->islands->free_velocity, true,
                  at);
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
    slot to = slot_of(packs, k);
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
      prefetch_contact(packs, k, end);
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

// Contacts in their own order, where neighbours share bodies, each into its place.
static void pack_chunks(void *context, int begin, int end, int worker)
{
  (void)worker;
  const pack_work *work = context;
  const pc_packs *packs = work->packs;
  for (int chunk = begin; chunk < end; chunk++) {
    double *sums = packs->partial + 3 * chunk;
    int first = chunk * PC_CONTACT_CHUNK, last = pc_contact_chunk_end(packs, chunk);
    sums[0] = sums[1] = sums[2] = 0;
    if (is_simple(packs)) {
      pack_many(packs, work->warm, first, last, sums);
      continue;
    }
    for (int k = first; k < last; k++) {
      const pc_interaction_data *data = contact_of(packs, k);
      prefetch_contact(packs, k, last);
      slot to = slot_of(packs, k);
      int rows = rows_of(packs, k);
      if (packs->shape == PC_PLANE)
        pack_flat(packs, data, rows, work->warm, to.field, to.test, to.r, sums);
      else if (packs->shape == PC_CENTRAL)
        pack_contact(PC_CENTRAL, packs, data, rows, work->warm, to.field, to.test, to.r, sums);
      else if (packs->shape == PC_ARMS)
        pack_contact(PC_ARMS, packs, data, rows, work->warm, to.field, to.test, to.r, sums);
      else
        pack_contact(PC_FULL, packs, data, rows, work->warm, to.field, to.test, to.r, sums);
    }
  }
}

// A place without a contact: nothing, between the line at rest and itself.
static void pack_nothing(const pc_packs *packs, int place)
{
  long p = place / PC_LANES;
  int l = place % PC_LANES, *pair = packs->pair + 2 * PC_LANES * p + l;
  pair[0] = pair[PC_LANES] = 0;
  for (int i = 0; i < packs->fields; i++)
    packs->field[(packs->fields * p + i) * PC_LANES + l] = 0;
  for (int i = 0; i < packs->tests; i++)
    packs->test[(packs->tests * p + i) * PC_LANES + l] = i == 0 ? 1 : 0;
  for (int i = 0; i < packs->numbers; i++)
    packs->r[(packs->numbers * p + i) * PC_LANES + l] = 0;
}

// Of all runs.
static int sweep_chunks(const pc_packs *packs)
{
  if (packs->runs == 0)
    return 0;
  const pc_pack_run *last = &packs->run[packs->runs - 1];
  return last->chunk + pc_run_chunks(last);
}

// Places, numbers and sizes, for contacts that are all central or not. *central becomes false if
// one is not.
static pc_status pack(pc_packs *packs, bool warm, bool *central, pc_arena *arena, pc_error *error)
{
  pack_work work = {.packs = packs, .warm = warm};
  if (packs->shape != PC_FULL && packs->shape != PC_PLANE)
    packs->shape = *central ? PC_CENTRAL : PC_ARMS;
  packs->kernels = pc_pack_kernels_of(packs->shape, packs->friction, packs->extra, false);
  packs->fields =
      PC_FIELDS(packs->shape, packs->friction) + (packs->extra ? PC_EXTRA(packs->shape) : 0);
  packs->tests = packs->friction == PC_DRAGS ? PC_TEST_VISCOUS
                 : packs->extra              ? PC_TEST_EXTRA
                                             : PC_TEST;
  packs->numbers = !packs->friction ? 1 : packs->shape == PC_PLANE ? 2 : 4;
  size_t lanes = (size_t)packs->packs * PC_LANES, lines = (size_t)packs->lines;
  packs->field = pc_arena_take_raw(arena, lanes * (size_t)packs->fields, sizeof(double));
  packs->inertia =
      pc_arena_take_raw(arena, packs->shape == PC_ARMS ? lines * PC_INERTIA : 1, sizeof(double));
  if (arena->failed)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  int numbers = packs->stride + (packs->shape == PC_ARMS ? PC_INERTIA : 0);
  packs->spread = lines * (size_t)numbers > pc_near_numbers;
  packs->far = lanes * (size_t)(packs->fields + packs->numbers) > far_numbers;
  work.line = packs->line;
  work.to = packs->inertia;
  memset(packs->line, 0, sizeof(double) * (size_t)packs->stride);
  if (packs->shape == PC_ARMS)
    memset(packs->inertia, 0, sizeof(double) * PC_INERTIA);
  if (packs->shape == PC_ARMS || !warm) // else pc_packs_move sets them
    pc_parallel(packs->threads, packs->island->bodies, 300, set_lines, &work);
  for (int r = 0; r < packs->runs; r++)
    for (int p = packs->run[r].last - packs->run[r].storeys; p < packs->run[r].last; p++)
      for (int l = PC_LANES - packs->run[r].idle; l < PC_LANES; l++)
        pack_nothing(packs, p * PC_LANES + l);
  for (int i = packs->rest * PC_LANES; i < packs->packs * PC_LANES; i++)
    if (i % PC_LANES != 0)
      pack_nothing(packs, i);
  pc_parallel(packs->threads, pc_contact_chunks(packs), 1, pack_chunks, &work);
  double size = packs->fold.sizes[0], speed = packs->fold.sizes[1];
  for (int i = 0; i < pc_contact_chunks(packs); i++) {
    size += packs->partial[3 * i];
    speed += packs->partial[3 * i + 1];
    *central = *central && packs->partial[3 * i + 2] == 0;
  }
  if (!isfinite(size) || (speed > 0 && !(size > 1e-280)))
    return pc_fail(error, PC_ERROR_NUMERIC, "%s", pc_out_of_range);
  packs->scale = sqrt(size);
  packs->speed = sqrt(speed);
  return PC_OK;
}

pc_status pc_packs_create(pc_packs *packs, const pc_impact *problem, const pc_islands *islands,
                          int island, bool warm, int threads, pc_arena *arena, pc_error *error)
{
  const pc_island *from = &islands->island[island];
  *packs = (pc_packs){.problem = problem,
                      .islands = islands,
                      .island = from,
                      .lines = from->bodies + 1,
                      .stride = PC_LINE,
                      .contacts = from->interactions - from->folded,
                      .friction = from->viscous    ? PC_DRAGS
                                  : from->friction ? PC_RUBS
                                                   : PC_SLIPS,
                      .extra = from->extra || from->folded > 0,
                      .convex = from->convex,
                      .threads = threads};
  if (!pc_fold_list(&packs->fold, problem, islands, island, arena))
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  bool plane = packs->fold.elements == 0 && from->plane;
  bool central = packs->fold.elements == 0 && !plane && pc_fold_central(&packs->fold);
  bool tried = central;
  if (plane) {
    packs->shape = PC_PLANE;
    packs->stride = PC_FLAT_LINE;
  }
  if (packs->fold.elements > 0) {
    packs->shape = PC_FULL;
    if (!pc_fold_bodies(&packs->fold, threads, arena))
      return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  }
  if (!pc_packs_arrange(packs, central, arena))
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  size_t lanes = (size_t)packs->packs * PC_LANES, lines = (size_t)packs->lines;
  packs->pair = pc_arena_take_raw(arena, 2 * lanes, sizeof(int));
  packs->test = pc_arena_take_raw(arena, lanes * PC_TEST_VISCOUS, sizeof(double));
  packs->r = pc_arena_take_raw(arena, lanes * 4, sizeof(double));
  packs->line = pc_arena_take_raw(arena, lines * (size_t)packs->stride, sizeof(double));
  packs->partial = pc_arena_take_raw(arena,
                                     3 * (size_t)(chunks_of(packs) + pc_contact_chunks(packs)) +
                                         2 * (size_t)sweep_chunks(packs),
                                     sizeof(double));
  if (arena->failed)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  pc_status status = pack(packs, warm, &central, arena, error);
  if (status == PC_OK && tried && !central)
    status = pack(packs, warm, &central, arena, error);
  return status;
}

// Chunks of one run, so that sums are the same whoever makes them: a sweep, or without one a move.
static void do_chunks(void *context, int begin, int end, int worker)
{
  (void)worker;
  const pack_work *work = context;
  const pc_packs *packs = work->packs;
  const pc_pack_run *run = work->run;
  for (int chunk = begin; chunk < end; chunk++) {
    int from = run->first + chunk * pc_run_chunk(run), to = from + pc_run_chunk(run);
    double *sums = packs->partial + 2 * (run->chunk + chunk);
    to = to < run->last ? to : run->last;
    if (work->sweep == NULL)
      packs->kernels->move(packs, work->line, work->from, from, to);
    else if (run->storeys > 1)
      packs->kernels->sweep_stacks(packs, work->sweep, run->storeys, from, to, sums);
    else
      packs->kernels->sweep(packs, work->sweep, from, to, sums);
  }
}

static void do_node(const pack_work *all, int node, int threads)
{
  pack_work work = *all;
  for (int r = work.packs->node[node]; r < work.packs->node[node + 1]; r++) {
    work.run = &work.packs->run[r];
    int chunks = pc_run_chunks(work.run);
    if (threads == 1 || chunks == 1)
      do_chunks(&work, 0, chunks, 0);
    else
      pc_parallel(threads, chunks, 1, do_chunks, &work);
  }
}

// The momentum of the lines of a tile.
static void push_tile(const pc_packs *packs, const pc_sweep *s, int tile)
{
  packs->kernels->push(packs, s, packs->stride * (long)pc_tile_begin(&packs->tiles, tile),
                       packs->stride * (long)pc_tile_begin(&packs->tiles, tile + 1));
}

// A branch: its halves, then what joins them.
static void do_branch(const pack_work *work, int level, int at)
{
  if (level == 0 && work->sweep != NULL && work->sweep->before != NULL)
    push_tile(work->packs, work->sweep, at);
  if (level > 0) {
    do_branch(work, level - 1, 2 * at);
    do_branch(work, level - 1, 2 * at + 1);
  }
  do_node(work, pc_tile_node(&work->packs->tiles, level, at), 1);
}

static void do_branches(void *context, int begin, int end, int worker)
{
  (void)worker;
  const pack_work *work = context;
  for (int at = begin; at < end; at++)
    do_branch(work, work->level, at);
}

// Branches by threads, then what is above them, colour by colour.
static void do_all(pack_work *work)
{
  const pc_packs *packs = work->packs;
  const pc_tiles *tiles = &packs->tiles;
  if (packs->threads == 1 || tiles->count == 1) {
    do_branch(work, tiles->levels - 1, 0);
    return;
  }
  work->level = pc_tile_branches(tiles, packs->threads);
  pc_parallel(packs->threads, tiles->count >> work->level, 1, do_branches, work);
  for (int node = pc_tile_node(tiles, work->level + 1, 0);
       node < pc_tile_node(tiles, tiles->levels, 0); node++)
    do_node(work, node, packs->threads);
}

void pc_packs_move(const pc_packs *packs, double *line, const double *r)
{
  pack_work work = {.packs = (pc_packs *)packs, .line = line, .from = r};
  memset(line, 0, sizeof(double) * (size_t)packs->stride);
  pc_parallel(packs->threads, packs->island->bodies, 300, set_lines, &work);
  do_all(&work);
  packs->kernels->move(packs, line, r, packs->rest, packs->packs);
}

// Node after node, then those without a colour.
void pc_packs_sweep(const pc_packs *packs, const pc_sweep *sweep, double sums[2])
{
  pack_work work = {.packs = (pc_packs *)packs, .sweep = sweep};
  do_all(&work);
  sums[0] = sums[1] = 0;
  for (int i = 0; i < sweep_chunks(packs); i++) {
    sums[0] += packs->partial[2 * i];
    sums[1] += packs->partial[2 * i + 1];
  }
  for (int p = packs->rest; p < packs->packs; p++) {
    double own[2];
    packs->kernels->sweep(packs, sweep, p, p + 1, own);
    sums[0] += own[0];
    sums[1] += own[1];
  }
}

static void residual_part(void *context, int begin, int end, int worker)
{
  (void)worker;
  const pack_work *work = context;
  const pc_packs *packs = work->packs;
  for (int chunk = begin; chunk < end; chunk++)
    packs->kernels->residual(packs, work->from_line, work->from, chunk * PC_PACK_CHUNK,
                             chunk_end(packs, chunk), packs->partial + 2 * chunk);
}

double pc_packs_residual(const pc_packs *packs, const double *line, const double *r)
{
  pack_work work = {.packs = (pc_packs *)packs, .from_line = line, .from = r};
  pc_parallel(packs->threads, chunks_of(packs), 1, residual_part, &work);
  double energy = 0, speed = 0;
  for (int i = 0; i < chunks_of(packs); i++) {
    energy += packs->partial[2 * i];
    speed += packs->partial[2 * i + 1];
  }
  double by_energy = packs->scale > 0 ? sqrt(energy) / packs->scale : 0;
  double by_speed = packs->speed > 0 ? sqrt(speed) / packs->speed : 0;
  return by_energy > by_speed ? by_energy : by_speed;
}

static void project_part(void *context, int begin, int end, int worker)
{
  (void)worker;
  const pack_work *work = context;
  const pc_packs *packs = work->packs;
  int mu = packs->shape == PC_PLANE ? PC_FLAT_MU : PC_AT_MU;
  for (int p = begin; p < end; p++)
    for (int l = 0; l < PC_LANES; l++) {
      double *r = work->r + (long)packs->numbers * PC_LANES * p + l;
      const double *field = packs->field + (long)packs->fields * PC_LANES * p + l;
      if (!packs->extra && r[0] < 0)
        r[0] = 0;
      if (packs->friction == PC_DRAGS)
        continue;
      double square = 0, reach = field[mu * PC_LANES] * (r[0] > 0 ? r[0] : 0);
      for (int i = 1; i < packs->numbers; i++)
        square += r[i * PC_LANES] * r[i * PC_LANES];
      if (square > reach * reach) {
        double part = reach / sqrt(square);
        for (int i = 1; i < packs->numbers; i++)
          r[i * PC_LANES] *= part;
      }
    }
}

void pc_packs_project(const pc_packs *packs, double *r)
{
  pack_work work = {.packs = (pc_packs *)packs, .r = r};
  pc_parallel(packs->threads, packs->packs, 64, project_part, &work);
}

static void scatter_bodies(void *context, int begin, int end, int worker)
{
  (void)worker;
  const pack_work *work = context;
  const pc_packs *packs = work->packs;
  for (int b = begin; b < end; b++) {
    const pc_body_data *body = &packs->problem->body[packs->islands->body[packs->island->body + b]];
    const double *line = work->from_line + packs->stride * (b + 1L);
    double six[PC_LINE];
    if (packs->shape == PC_PLANE) {
      const double *base = packs->islands->free_velocity + body->start;
      double *u = work->answer->after + body->start;
      for (int i = 0; i < body->dof; i++)
        u[i] = base[i] + (i < 2 ? body->root : body->turn->inverse_root[5]) * line[i];
      continue;
    }
    if (packs->shape == PC_FULL) {
      pc_fold_velocity(&packs->fold, b, line, six);
      line = six;
    }
    pc_line_to_body(body, line, work->answer->after + body->start);
  }
}

static inline const double *percussions_of(const pc_packs *packs, const double *r, int k)
{
  long p = packs->place[k] / PC_LANES;
  return r + packs->numbers * PC_LANES * p + packs->place[k] % PC_LANES;
}

static void scatter_contacts(void *context, int begin, int end, int worker)
{
  (void)worker;
  const pack_work *work = context;
  const pc_packs *packs = work->packs;
  size_t bytes = sizeof(double) * (size_t)(packs->numbers * PC_LANES - PC_LANES + 1);
  for (int k = begin; k < end; k++) {
    if (packs->far && k + PC_FAR < end) {
      pc_prefetch(percussions_of(packs, work->from, k + PC_FAR), 0, bytes);
      pc_prefetch(contact_of(packs, k + PC_FAR), 0, sizeof(pc_interaction_data));
    }
    const pc_interaction_data *data = contact_of(packs, k);
    const double *r = percussions_of(packs, work->from, k);
    double *force = work->answer->force + data->row;
    if (packs->shape == PC_PLANE) {
      double across = packs->friction ? r[PC_LANES] : 0;
      force[0] = -(data->normal[0] * r[0] - data->normal[1] * across);
      if (data->rows > 1)
        force[1] = -(data->normal[1] * r[0] + data->normal[0] * across);
      continue;
    }
    for (int i = 0; i < data->rows; i++)
      force[i] = -(data->normal[i] * r[0] + (packs->friction ? r[(1 + i) * PC_LANES] : 0));
  }
}

void pc_packs_scatter(const pc_packs *packs, pc_impact *problem, const double *line,
                      const double *r)
{
  pack_work work = {.packs = (pc_packs *)packs, .answer = problem, .from_line = line, .from = r};
  pc_parallel(packs->threads, packs->island->bodies, 300, scatter_bodies, &work);
  pc_parallel(packs->threads, packs->contacts, 300, scatter_contacts, &work);
  pc_fold_answer(&packs->fold, problem, packs->threads);
}
