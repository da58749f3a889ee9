// Packing an island of contacts: colours, arms, responses, sizes; and passes over all packs.
#include "impact/packs.h"

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/small.h"
#include "core/threads.h"

enum { MOST_COLOURS = 64 };

typedef struct pack_work {
  pc_packs *packs;
  bool warm;
  double *line, *to;
  double *r, *sums;
  const pc_sweep *sweep;
  const double *from_line, *from;
  pc_impact *answer;
  int first, last; // packs of the colour
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
  return &packs->problem->interaction[packs->islands->interaction[packs->island->interaction + k]];
}

// The line of one side of contact k: 0 for obstacles and bodies that nothing moves.
static int line_of(const pc_packs *packs, int k, int side)
{
  const pc_islands *islands = packs->islands;
  int body = islands->ends[islands->interaction[packs->island->interaction + k]].body[side];
  return body >= 0 ? islands->local_body[body] + 1 : 0;
}

static bool round_body(const pc_body_data *body)
{
  const double *x = body->inverse;
  double mean = (x[0] + x[3] + x[5]) / 3, most = 1e-13 * mean;
  if (body->dof != 6) // in the plane there is only one inertia
    return true;
  return fabs(x[0] - mean) <= most && fabs(x[3] - mean) <= most && fabs(x[5] - mean) <= most &&
         fabs(x[1]) <= most && fabs(x[2]) <= most && fabs(x[4]) <= most;
}

// The arm of one side is along the normal, and its body turns like a sphere. Round-off of the
// positions must not decide: a point this near to the line of centres moves the answer by less than
// the audit sees.
static inline bool is_central(const pc_body_data *body, const double *normal, const double *arm)
{
  if (body->dof != 6 && body->dof != 3)
    return true;
  double along = pc_dot3(arm, normal), off = 0;
  for (int i = 0; i < 3; i++) {
    double x = arm[i] - along * normal[i];
    off += x * x;
  }
  return off <= 1e-24 * along * along && round_body(body);
}

enum { SAMPLES = 16 };

// A few contacts tell what most are like; packing looks at all of them.
static bool seems_central(const pc_packs *packs)
{
  for (int i = 0; i < SAMPLES; i++) {
    const pc_interaction_data *data =
        contact_of(packs, (int)((long long)packs->contacts * i / SAMPLES));
    for (int t = 0; t < data->terms; t++) {
      const pc_body_data *body = &packs->problem->body[data->body[t]];
      double arm[3];
      for (int j = 0; j < 3; j++)
        arm[j] = data->point[j] - body->position[j];
      if (body->movable && !is_central(body, data->normal, arm))
        return false;
    }
  }
  return true;
}

// Greedy colours in the order of the contacts; what finds none of them goes one by one at the end.
static bool colour(pc_packs *packs, pc_arena *arena)
{
  int contacts = packs->contacts, count[MOST_COLOURS + 1] = {0};
  unsigned long long *used = pc_arena_take(arena, (size_t)packs->lines, sizeof(unsigned long long));
  unsigned char *of = pc_arena_take_raw(arena, (size_t)contacts + 1, 1);
  packs->colour = pc_arena_take(arena, MOST_COLOURS + 2, sizeof(int));
  packs->full = pc_arena_take(arena, MOST_COLOURS + 1, sizeof(int));
  if (arena->failed)
    return false;
  for (int k = 0; k < contacts; k++) {
    int a = line_of(packs, k, 0), b = line_of(packs, k, 1);
    unsigned long long taken = (a ? used[a] : 0) | (b ? used[b] : 0);
    int c = ~taken == 0 ? MOST_COLOURS : __builtin_ctzll(~taken);
    of[k] = (unsigned char)c;
    count[c]++;
    if (c < MOST_COLOURS) {
      used[a] |= 1ull << c;
      used[b] |= 1ull << c;
    }
  }
  int next[MOST_COLOURS + 1];
  for (int c = 0; c < MOST_COLOURS; c++) {
    next[c] = packs->colour[c] * PC_LANES;
    packs->colour[c + 1] = packs->colour[c] + (count[c] + PC_LANES - 1) / PC_LANES;
    packs->full[c] = next[c] + count[c];
    if (count[c] > 0)
      packs->colours = c + 1;
  }
  next[MOST_COLOURS] = packs->colour[MOST_COLOURS] * PC_LANES;
  packs->packs = packs->colour[MOST_COLOURS] + count[MOST_COLOURS];
  packs->place = pc_arena_take_raw(arena, (size_t)contacts + 1, sizeof(int));
  if (packs->place == NULL)
    return false;
  for (int k = 0; k < contacts; k++) {
    packs->place[k] = next[of[k]];
    next[of[k]] += of[k] == MOST_COLOURS ? PC_LANES : 1;
  }
  return true;
}

static void set_lines(void *context, int begin, int end, int worker)
{
  (void)worker;
  const pack_work *work = context;
  const pc_packs *packs = work->packs;
  for (int b = begin; b < end; b++) {
    const pc_body_data *body = &packs->problem->body[packs->islands->body[packs->island->body + b]];
    double *line = work->line + PC_LINE * (b + 1L);
    const double *x = body->inverse;
    pc_body_motion(body, packs->islands->free_velocity, line, line + 4);
    line[3] = body->light;
    line[7] = x[5];
    if (!packs->central && work->to != NULL) {
      double columns[12] = {x[0], x[1], x[2], 0, x[1], x[3], x[4], 0, x[2], x[4], x[5], 0};
      memcpy(work->to + 12 * (b + 1L), columns, sizeof columns);
    }
  }
}

// One side of a contact, as its response needs it.
typedef struct side_data {
  const pc_body_data *body;
  double sign, arm[3];
  double v[3], w[3]; // before
} side_data;

static inline double larger(double a, double b)
{
  return a > b ? a : b;
}

static inline void times_inertia(const double *x, const double *v, double *out)
{
  out[0] = x[0] * v[0] + x[1] * v[1] + x[2] * v[2];
  out[1] = x[1] * v[0] + x[3] * v[1] + x[4] * v[2];
  out[2] = x[2] * v[0] + x[4] * v[1] + x[5] * v[2];
}

static inline void side_velocity(const side_data *side, const double *v, const double *w, double *u)
{
  double turn[3];
  pc_cross(w, side->arm, turn);
  for (int i = 0; i < 3; i++)
    u[i] += side->sign * (v[i] + turn[i]);
}

// The response of a contact, W_NN, W_TN and W_TT.
typedef struct response {
  double nn, tn[3], t11, t12, t22;
} response;

static inline void add_response(const side_data *side, const double *frame, int rows, response *to)
{
  double turn[9], moved[9], back[3], light = side->body->light;
  for (int i = 0; i < 3; i++) {
    pc_cross(side->arm, frame + 3 * i, turn + 3 * i);
    times_inertia(side->body->inverse, turn + 3 * i, moved + 3 * i);
  }
  to->nn += light + pc_dot3(turn, moved);
  to->t11 += light + pc_dot3(turn + 3, moved + 3);
  to->t12 += pc_dot3(turn + 3, moved + 6);
  to->t22 += (rows == 3 ? light : 0) + pc_dot3(turn + 6, moved + 6);
  pc_cross(moved, side->arm, back);
  double into = pc_dot3(back, frame);
  for (int i = 0; i < 3; i++)
    to->tn[i] += back[i] - into * frame[i];
}

static inline void add_central_response(const side_data *side, const double *frame, int rows,
                                        response *to)
{
  double light = side->body->light, along = pc_dot3(side->arm, frame);
  double turning = along * along * side->body->inverse[5];
  to->nn += light;
  to->t11 += light + turning;
  to->t22 += rows == 3 ? light + turning : 0;
}

// The first percussions of a contact, within its law.
static inline void set_guess(const pc_packs *packs, const pc_interaction_data *data,
                             const pc_law *law, int rows, double *r)
{
  const double *n = data->normal, *force = packs->problem->force + data->row;
  double p[3] = {-force[0], data->rows > 1 ? -force[1] : 0, data->rows > 2 ? -force[2] : 0};
  double square = 0;
  double along = pc_dot3(p, n);
  r[0] = law->normal.kind == PC_NORMAL_QUADRATIC ? along : larger(along, 0);
  if (!packs->friction)
    return;
  double reach = rows > 1 ? law->tangential.mu[0] * larger(r[0], 0) : 0;
  for (int i = 0; i < 3; i++) {
    p[i] -= along * n[i];
    square += p[i] * p[i];
  }
  double part = square > reach * reach ? reach / sqrt(square) : 1;
  for (int i = 0; i < 3; i++)
    r[(1 + i) * PC_LANES] = part * p[i];
}

static inline double size1(const double *v)
{
  return fabs(v[0]) + fabs(v[1]) + fabs(v[2]);
}

// Velocities that a relative one is the difference of, along e.
static double noise_along(int terms, const side_data *side, const double *e)
{
  double noise = 0, turn[3];
  for (int t = 0; t < terms; t++) {
    pc_cross(side[t].arm, e, turn);
    for (int i = 0; i < 3; i++)
      noise += fabs(e[i] * side[t].v[i]) + fabs(turn[i] * side[t].w[i]);
  }
  return noise;
}

// Sizes of the free and former velocities, as in islands.c. The noise is seldom the largest, and is
// left out where it cannot be.
static inline void add_sizes(const pc_interaction_data *data, const side_data *side, int rows,
                             double mass, const double *before, const double *free, double *sums)
{
  const double *n = data->normal;
  double most = 0, normal_free = pc_dot3(n, free), normal_before = pc_dot3(n, before);
  double across_free = pc_dot3(free, free) - normal_free * normal_free;
  double across_before = pc_dot3(before, before) - normal_before * normal_before;
  double along = larger(fabs(normal_free), fabs(normal_before));
  double across = rows > 1 ? larger(larger(across_free, across_before), 0) : 0; // rounded
  for (int t = 0; t < data->terms; t++)
    most += size1(side[t].v) + size1(side[t].w) * size1(side[t].arm);
  if (!(1.01e-3 * most <= along) || (rows > 1 && !(1.1e-6 * most * most <= across))) {
    double frame[9], noise = 1e-3 * noise_along(data->terms, side, n), noise_across = 0;
    pc_contact_axes(n, data->rows < 3, frame);
    along = larger(along, noise);
    for (int i = 1; i < rows; i++) {
      noise = 1e-3 * noise_along(data->terms, side, frame + 3 * i);
      noise_across += noise * noise;
    }
    across = larger(across, noise_across);
  }
  if (data->bound > along)
    along = data->bound;
  sums[0] += mass * (along * along + across);
  sums[1] += along * along + across;
}

// Fills one lane of a pack and adds to the sizes of the island.
static void pack_contact(const pc_packs *packs, const pc_interaction_data *data, bool warm,
                         double *field, double *test, double *r, double *sums)
{
  const pc_impact *problem = packs->problem;
  const pc_law *law = &problem->law[data->law].law;
  int rows = pc_interaction_active(law, data);
  double frame[9], arms[2][3] = {{0}};
  double before[3], free[3], still[3]; // D-, D of the free motion, the part that nothing changes
  side_data side[2];
  response w = {0};
  if (packs->central)
    memcpy(frame, data->normal, sizeof data->normal);
  else
    pc_contact_axes(data->normal, data->rows < 3, frame);
  for (int i = 0; i < 3; i++)
    before[i] = free[i] = still[i] = data->given[i];
  for (int t = 0; t < data->terms; t++) {
    const pc_body_data *body = &problem->body[data->body[t]];
    side_data *s = &side[t];
    double v[3], spin[3];
    s->body = body;
    s->sign = t == 0 ? 1 : -1;
    for (int i = 0; i < 3; i++)
      s->arm[i] = data->point[i] - body->position[i];
    pc_body_motion(body, problem->before, s->v, s->w);
    pc_body_motion(body, packs->islands->free_velocity, v, spin);
    side_velocity(s, s->v, s->w, before);
    side_velocity(s, v, spin, free);
    if (!body->movable) {
      side_velocity(s, s->v, s->w, still);
      continue;
    }
    memcpy(arms[t], s->arm, sizeof arms[t]);
    if (packs->central && !is_central(body, frame, s->arm))
      sums[2] = 1;
    if (packs->central)
      add_central_response(s, frame, data->rows, &w);
    else
      add_response(s, frame, data->rows, &w);
  }
  double trace = rows == 1 ? w.nn : w.nn + w.t11 + w.t22;
  double mass = trace > 0 ? rows / trace : 1, inverse = w.nn > 0 ? 1 / w.nn : 0;
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
  double *more = field + PC_AT_ARMS * PC_LANES;
  if (packs->central) {
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
    double h = half / (1 + half * w.nn), share = 0;
    if (law->tangential.on == PC_ON_MEAN)
      share = 1;
    else if (law->tangential.on == PC_ON_MOREAU && law->normal.kind == PC_NORMAL_RESTITUTION)
      share = law->normal.e;
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
  if (!isfinite(trace) || !(mass > 0))
    sums[0] = INFINITY;
  add_sizes(data, side, rows, mass, before, free, sums);
}

// Contacts in their own order, where neighbours share bodies, each into its place.
static void pack_chunks(void *context, int begin, int end, int worker)
{
  (void)worker;
  const pack_work *work = context;
  const pc_packs *packs = work->packs;
  for (int chunk = begin; chunk < end; chunk++) {
    double *sums = packs->partial + 3 * chunk;
    int last = (chunk + 1) * PC_CONTACT_CHUNK < packs->contacts ? (chunk + 1) * PC_CONTACT_CHUNK
                                                                : packs->contacts;
    sums[0] = sums[1] = sums[2] = 0;
    for (int k = chunk * PC_CONTACT_CHUNK; k < last; k++) {
      const pc_interaction_data *data = contact_of(packs, k);
      if (k + PC_FAR < last) {
        pc_prefetch_bodies(packs->problem, contact_of(packs, k + PC_FAR));
        pc_prefetch_velocities(packs->problem, contact_of(packs, k + PC_NEAR),
                               packs->problem->before, packs->islands->free_velocity);
      }
      long p = packs->place[k] / PC_LANES;
      int l = packs->place[k] % PC_LANES, *pair = packs->pair + 2 * PC_LANES * p + l;
      pair[0] = line_of(packs, k, 0);
      pair[PC_LANES] = line_of(packs, k, 1);
      pack_contact(packs, data, work->warm, packs->field + packs->fields * PC_LANES * p + l,
                   packs->test + packs->tests * PC_LANES * p + l,
                   packs->r + packs->numbers * PC_LANES * p + l, sums);
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

static int contact_chunks(const pc_packs *packs)
{
  return (packs->contacts + PC_CONTACT_CHUNK - 1) / PC_CONTACT_CHUNK;
}

// Places, numbers and sizes, for contacts that are all central or not. *central becomes false if
// one is not.
static pc_status pack(pc_packs *packs, bool warm, bool *central, pc_arena *arena, pc_error *error)
{
  pack_work work = {.packs = packs, .warm = warm};
  packs->central = *central;
  packs->kernels = pc_pack_kernels_of(packs->central, packs->friction, packs->extra, false);
  packs->fields = PC_AT_ARMS + (packs->central ? 2 : 9) + (packs->extra ? PC_EXTRA : 0);
  packs->tests = packs->extra ? PC_TEST_EXTRA : PC_TEST;
  packs->numbers = packs->friction ? 4 : 1;
  size_t lanes = (size_t)packs->packs * PC_LANES, lines = (size_t)packs->lines;
  packs->field = pc_arena_take_raw(arena, lanes * (size_t)packs->fields, sizeof(double));
  packs->inertia = pc_arena_take_raw(arena, packs->central ? 1 : lines * 12, sizeof(double));
  if (arena->failed)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  work.line = packs->line;
  work.to = packs->inertia;
  memset(packs->line, 0, sizeof(double) * PC_LINE);
  if (!packs->central)
    memset(packs->inertia, 0, sizeof(double) * 12);
  if (!packs->central || !warm) // else pc_packs_move sets them
    pc_parallel(packs->threads, packs->island->bodies, 1000, set_lines, &work);
  for (int c = 0; c < packs->colours; c++)
    for (int i = packs->full[c]; i < packs->colour[c + 1] * PC_LANES; i++)
      pack_nothing(packs, i);
  for (int i = packs->colour[MOST_COLOURS] * PC_LANES; i < packs->packs * PC_LANES; i++)
    if (i % PC_LANES != 0)
      pack_nothing(packs, i);
  pc_parallel(packs->threads, contact_chunks(packs), 4, pack_chunks, &work);
  double size = 0, speed = 0;
  for (int i = 0; i < contact_chunks(packs); i++) {
    size += packs->partial[3 * i];
    speed += packs->partial[3 * i + 1];
    *central = *central && packs->partial[3 * i + 2] == 0;
  }
  if (!isfinite(size) || (speed > 0 && !(size > 1e-280)))
    return pc_fail(error, PC_ERROR_NUMERIC,
                   "masses or velocities are too small or too large: choose other units");
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
                      .contacts = from->interactions,
                      .friction = from->friction,
                      .extra = from->extra,
                      .convex = from->convex,
                      .threads = threads};
  if (!colour(packs, arena))
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  size_t lanes = (size_t)packs->packs * PC_LANES, lines = (size_t)packs->lines;
  packs->pair = pc_arena_take_raw(arena, 2 * lanes, sizeof(int));
  packs->test = pc_arena_take_raw(arena, lanes * PC_TEST_EXTRA, sizeof(double));
  packs->r = pc_arena_take_raw(arena, lanes * 4, sizeof(double));
  packs->line = pc_arena_take_raw(arena, lines * PC_LINE, sizeof(double));
  packs->partial = pc_arena_take_raw(
      arena, 3 * (size_t)(chunks_of(packs) + contact_chunks(packs)) + 2 * PC_PACK_CHUNK,
      sizeof(double));
  if (arena->failed)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  bool central = seems_central(packs), tried = central;
  pc_status status = pack(packs, warm, &central, arena, error);
  if (status == PC_OK && tried && !central)
    status = pack(packs, warm, &central, arena, error);
  return status;
}

static void move_part(void *context, int begin, int end, int worker)
{
  (void)worker;
  const pack_work *work = context;
  work->packs->kernels->move(work->packs, work->line, work->from, work->first + begin,
                             work->first + end);
}

// Chunks of one colour, so that sums are the same whoever makes them.
static void sweep_part(void *context, int begin, int end, int worker)
{
  (void)worker;
  const pack_work *work = context;
  for (int chunk = begin; chunk < end; chunk++) {
    int from = work->first + chunk * PC_SWEEP_CHUNK, to = from + PC_SWEEP_CHUNK;
    work->packs->kernels->sweep(work->packs, work->sweep, from, to < work->last ? to : work->last,
                                work->sums + 2 * chunk);
  }
}

void pc_packs_move(const pc_packs *packs, double *line, const double *r)
{
  pack_work work = {.packs = (pc_packs *)packs, .line = line, .from = r};
  memset(line, 0, sizeof(double) * PC_LINE);
  pc_parallel(packs->threads, packs->island->bodies, 1000, set_lines, &work);
  for (int c = 0; c < packs->colours; c++) {
    work.first = packs->colour[c];
    pc_parallel(packs->threads, packs->colour[c + 1] - packs->colour[c], 64, move_part, &work);
  }
  int rest = packs->colour[MOST_COLOURS];
  packs->kernels->move(packs, line, r, rest, packs->packs);
}

// Colour after colour, then those without one.
void pc_packs_sweep(const pc_packs *packs, const pc_sweep *sweep, double sums[2])
{
  pack_work work = {.packs = (pc_packs *)packs, .sweep = sweep};
  sums[0] = sums[1] = 0;
  for (int c = 0; c < packs->colours; c++) {
    work.first = packs->colour[c];
    work.last = packs->colour[c + 1];
    work.sums = packs->partial;
    int chunks = (work.last - work.first + PC_SWEEP_CHUNK - 1) / PC_SWEEP_CHUNK;
    pc_parallel(packs->threads, chunks, 1, sweep_part, &work);
    for (int i = 0; i < 2 * chunks; i++)
      sums[i % 2] += packs->partial[i];
  }
  for (int p = packs->colour[MOST_COLOURS]; p < packs->packs; p++) {
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
  pc_parallel(packs->threads, chunks_of(packs), 2, residual_part, &work);
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
  for (int p = begin; p < end; p++)
    for (int l = 0; l < PC_LANES; l++) {
      double *r = work->r + (long)packs->numbers * PC_LANES * p + l;
      const double *field = packs->field + (long)packs->fields * PC_LANES * p + l;
      if (!packs->extra && r[0] < 0)
        r[0] = 0;
      double square = 0, reach = field[PC_AT_MU * PC_LANES] * (r[0] > 0 ? r[0] : 0);
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
    const double *line = work->from_line + PC_LINE * (b + 1L);
    double *u = work->answer->after + body->start;
    int n = body->dof, space = n == 6 ? 3 : n == 3 ? 2 : n;
    for (int i = 0; i < space; i++)
      u[i] = line[i];
    if (n == 3)
      u[2] = line[6];
    for (int i = 3; i < n; i++)
      u[i] = line[1 + i];
  }
}

static void scatter_contacts(void *context, int begin, int end, int worker)
{
  (void)worker;
  const pack_work *work = context;
  const pc_packs *packs = work->packs;
  for (int k = begin; k < end; k++) {
    const pc_interaction_data *data = contact_of(packs, k);
    long p = packs->place[k] / PC_LANES;
    const double *r = work->from + packs->numbers * PC_LANES * p + packs->place[k] % PC_LANES;
    double *force = work->answer->force + data->row;
    for (int i = 0; i < data->rows; i++)
      force[i] = -(data->normal[i] * r[0] + (packs->friction ? r[(1 + i) * PC_LANES] : 0));
  }
}

void pc_packs_scatter(const pc_packs *packs, pc_impact *problem, const double *line,
                      const double *r)
{
  pack_work work = {.packs = (pc_packs *)packs, .answer = problem, .from_line = line, .from = r};
  pc_parallel(packs->threads, packs->island->bodies, 1000, scatter_bodies, &work);
  pc_parallel(packs->threads, packs->contacts, 1000, scatter_contacts, &work);
}
