// The kernels of pairs.h; included by pack_kernels.h, with its names. `size` is a constant wherever
// these are called.

enum { KERNEL(INNER) = 4 }; // rounds over the contacts of a block, the last one not relaxed

// D_N of the contact whose rows are at `field`.
INLINE KERNEL_VEC KERNEL(pair_velocity)(const double *field, const KERNEL(vec3) * y)
{
  const int step = 3 * PC_LANES;
  KERNEL_VEC a = KERNEL(row_times)(field, y[0]) + KERNEL(row_times)(field + step, y[1]);
  KERNEL_VEC b =
      KERNEL(row_times)(field + 2 * step, y[2]) + KERNEL(row_times)(field + 3 * step, y[3]);
  return a - b;
}

INLINE void KERNEL(pair_gather)(const int *pair, const double *line, KERNEL(vec3) * y)
{
  const double *a[KERNEL_LANES], *b[KERNEL_LANES];
  for (int l = 0; l < KERNEL_LANES; l++) {
    a[l] = line + PC_LINE * (long)pair[l];
    b[l] = line + PC_LINE * (long)pair[PC_LANES + l];
  }
  y[0] = KERNEL(gather)(a, 0);
  y[1] = KERNEL(gather)(a, 4);
  y[2] = KERNEL(gather)(b, 0);
  y[3] = KERNEL(gather)(b, 4);
}

// One part of a pack while it is swept: velocities and percussions of its contacts, where they were
// and where the momentum took them.
typedef struct KERNEL(pair_part) {
  KERNEL_VEC u[PC_PAIR_MOST], r[PC_PAIR_MOST], now[PC_PAIR_MOST], start[PC_PAIR_MOST];
} KERNEL(pair_part);

enum { KERNEL(PARTS) = 4 }; // swept side by side: a block alone is one long chain of operations

// Contact i of a block: the exact solution of its law, the others being given; then beyond it, by
// `relax`, but not beyond what the law allows.
INLINE void KERNEL(pair_step)(int size, int i, double relax, const double *field,
                              const double *between, KERNEL_VEC *u, KERNEL_VEC *r)
{
  static const int at[PC_PAIR_MOST][PC_PAIR_MOST] = {
      {0, 0, 1, 3}, {0, 0, 2, 4}, {1, 2, 0, 5}, {3, 4, 5, 0}};
  const double *own = field + i * PC_PAIR_FIELDS * PC_LANES;
  KERNEL_VEC x = r[i] - u[i] * KERNEL(load)(own + PC_PAIR_INVERSE * PC_LANES);
  KERNEL_VEC least =
      KERNEL(load)(own + PC_PAIR_H * PC_LANES) * x - KERNEL(load)(own + PC_PAIR_K * PC_LANES);
  KERNEL_VEC next = KERNEL(larger)(x + KERNEL(load)(own + PC_PAIR_BOUND * PC_LANES), least);
  if (relax != 1)
    next = KERNEL(larger)(r[i] + relax * (next - r[i]), least);
  KERNEL_VEC change = next - r[i];
  r[i] = next;
  for (int k = 0; k < size; k++)
    u[k] += change *
            KERNEL(load)(k == i ? own + PC_PAIR_OWN * PC_LANES : between + at[i][k] * PC_LANES);
}

// All contacts of the blocks of `count` parts.
INLINE void KERNEL(pair_round)(int size, int count, double relax, const double *const *field,
                               const double *const *between, KERNEL(pair_part) * part)
{
  for (int i = 0; i < size; i++)
    for (int n = 0; n < count; n++)
      KERNEL(pair_step)(size, i, relax, field[n], between[n], part[n].u, part[n].r);
}

INLINE void KERNEL(pair_rounds)(int size, int count, const double *const *field,
                                const double *const *between, KERNEL(pair_part) * part)
{
  for (int round = 1; round < (size > 1 ? KERNEL(INNER) : 1); round++)
    KERNEL(pair_round)(size, count, 1.3, field, between, part);
  KERNEL(pair_round)(size, count, 1, field, between, part);
}

// line += rows times change, of side 0 or 1.
INLINE void KERNEL(pair_apply)(int size, const double *field, const int *pair,
                               const KERNEL_VEC *change, double *line)
{
  for (int side = 0; side < 2; side++) {
    KERNEL(vec3) v = {{0}, {0}, {0}}, w = v;
    for (int i = 0; i < size; i++) {
      const double *rows = field + (i * PC_PAIR_FIELDS + 6 * side) * PC_LANES;
      KERNEL(vec3) a = KERNEL(load3)(rows), b = KERNEL(load3)(rows + 3 * PC_LANES);
      v = (KERNEL(vec3)){v.x + a.x * change[i], v.y + a.y * change[i], v.z + a.z * change[i]};
      w = (KERNEL(vec3)){w.x + b.x * change[i], w.y + b.y * change[i], w.z + b.z * change[i]};
    }
    KERNEL(push_side)(line, pair, side, v, w);
  }
}

INLINE void KERNEL(pair_start)(int size, const double *field, const int *pair, const pc_sweep *s,
                               long at, KERNEL(pair_part) * part)
{
  KERNEL(vec3) y[4];
  KERNEL(pair_gather)(pair, s->line_next, y);
  for (int i = 0; i < size; i++) {
    KERNEL_VEC now = KERNEL(load)(s->g + at + i * PC_LANES);
    KERNEL_VEC last = KERNEL(load)(s->last + at + i * PC_LANES);
    part->u[i] = KERNEL(pair_velocity)(field + i * PC_PAIR_FIELDS * PC_LANES, y);
    part->now[i] = now;
    part->r[i] = part->start[i] = now + s->beta * (now - last);
  }
}

// Percussions, sums and velocities after a block is solved.
INLINE void KERNEL(pair_end)(int size, const double *field, const int *pair, const pc_sweep *s,
                             long at, const KERNEL(pair_part) * part, double *back, double *step)
{
  KERNEL_VEC b = {0}, q = {0}, change[PC_PAIR_MOST];
  for (int i = 0; i < size; i++) {
    KERNEL(store)(s->next + at + i * PC_LANES, part->r[i]);
    change[i] = part->r[i] - part->start[i];
    b -= change[i] * (part->r[i] - part->now[i]);
    q += change[i] * change[i];
  }
  KERNEL(store)(back, KERNEL(load)(back) + b);
  KERNEL(store)(step, KERNEL(load)(step) + q);
  KERNEL(pair_apply)(size, field, pair, change, s->line_next);
}

INLINE void KERNEL(pair_sweep)(int size, const pc_pairs *pairs, const pc_pair_run *run,
                               const pc_sweep *s, int begin, int end, double *sums)
{
  const int halves = PC_LANES / KERNEL_LANES, packs = KERNEL(PARTS) / halves;
  double back[PC_LANES] = {0}, step[PC_LANES] = {0};
  for (int first = begin; first < end; first += packs) {
    KERNEL(pair_part) part[KERNEL(PARTS)];
    const double *field[KERNEL(PARTS)], *between[KERNEL(PARTS)];
    const int *pair[KERNEL(PARTS)];
    long at[KERNEL(PARTS)];
    int count = (end - first < packs ? end - first : packs) * halves;
    for (int n = 0; n < count; n++) {
      int p = first + n / halves, h = n % halves * KERNEL_LANES;
      long slot = run->slot + (long)size * (p - run->first);
      field[n] = pairs->field + slot * PC_PAIR_FIELDS * PC_LANES + h;
      between[n] = pairs->between + (long)p * PC_PAIR_BETWEEN * PC_LANES + h;
      pair[n] = pairs->pair + 2L * PC_LANES * p + h;
      at[n] = slot * PC_LANES + h;
      if (h == 0 && p + KERNEL(AHEAD) < pairs->packs)
        KERNEL(prefetch)(PC_ARMS, pairs->pair + 2L * PC_LANES * (p + KERNEL(AHEAD)), s->line_next);
      KERNEL(pair_start)(size, field[n], pair[n], s, at[n], &part[n]);
    }
    if (count == KERNEL(PARTS))
      KERNEL(pair_rounds)(size, KERNEL(PARTS), field, between, part);
    else
      KERNEL(pair_rounds)(size, count, field, between, part);
    for (int n = 0; n < count; n++) {
      int h = n % halves * KERNEL_LANES;
      KERNEL(pair_end)(size, field[n], pair[n], s, at[n], &part[n], back + h, step + h);
    }
  }
  sums[0] = (back[0] + back[1]) + (back[2] + back[3]);
  sums[1] = (step[0] + step[1]) + (step[2] + step[3]);
}

KERNEL_TARGET static void KERNEL(sweep_pairs)(const pc_pairs *pairs, const pc_pair_run *run,
                                              const pc_sweep *s, int begin, int end, double *sums)
{
  switch (run->size) {
  case 1:
    KERNEL(pair_sweep)(1, pairs, run, s, begin, end, sums);
    break;
  case 2:
    KERNEL(pair_sweep)(2, pairs, run, s, begin, end, sums);
    break;
  case 3:
    KERNEL(pair_sweep)(3, pairs, run, s, begin, end, sums);
    break;
  default:
    KERNEL(pair_sweep)(4, pairs, run, s, begin, end, sums);
  }
}

// As the residual of packs.
KERNEL_TARGET static void KERNEL(residual_pairs)(const pc_pairs *pairs, const pc_pair_run *run,
                                                 const double *line, const double *g, int begin,
                                                 int end, double *sums)
{
  double energy[PC_LANES] = {0}, speed[PC_LANES] = {0};
  for (int p = begin; p < end; p++)
    for (int h = 0; h < PC_LANES; h += KERNEL_LANES) {
      KERNEL(vec3) y[4];
      KERNEL(pair_gather)(pairs->pair + 2L * PC_LANES * p + h, line, y);
      for (int i = 0; i < run->size; i++) {
        long slot = run->slot + (long)run->size * (p - run->first) + i;
        const double *test = pairs->test + slot * PC_TEST_EXTRA * PC_LANES + h;
        KERNEL_VEC mass = KERNEL(load)(test), bound = KERNEL(load)(test + PC_LANES);
        KERNEL_VEC k = KERNEL(load)(test + 2 * PC_LANES);
        KERNEL_VEC un =
            KERNEL(pair_velocity)(pairs->field + slot * PC_PAIR_FIELDS * PC_LANES + h, y);
        KERNEL_VEC rn = KERNEL(load)(g + slot * PC_LANES + h) * (1 / mass);
        KERNEL_VEC map = (rn + k * (un + KERNEL(load)(test + 3 * PC_LANES))) / (1 + k);
        map = KERNEL(choose)(un - map < bound, un - bound, map);
        KERNEL(store)(energy + h, KERNEL(load)(energy + h) + mass * (map * map));
        KERNEL(store)(speed + h, KERNEL(load)(speed + h) + map * map);
      }
    }
  sums[0] = (energy[0] + energy[1]) + (energy[2] + energy[3]);
  sums[1] = (speed[0] + speed[1]) + (speed[2] + speed[3]);
}

INLINE void KERNEL(pair_move)(int size, const pc_pairs *pairs, const pc_pair_run *run, double *line,
                              const double *g, int begin, int end)
{
  for (int p = begin; p < end; p++)
    for (int h = 0; h < PC_LANES; h += KERNEL_LANES) {
      long slot = run->slot + (long)size * (p - run->first);
      KERNEL_VEC change[PC_PAIR_MOST];
      for (int i = 0; i < size; i++)
        change[i] = KERNEL(load)(g + (slot + i) * PC_LANES + h);
      KERNEL(pair_apply)
      (size, pairs->field + slot * PC_PAIR_FIELDS * PC_LANES + h,
       pairs->pair + 2L * PC_LANES * p + h, change, line);
    }
}

KERNEL_TARGET static void KERNEL(move_pairs)(const pc_pairs *pairs, const pc_pair_run *run,
                                             double *line, const double *g, int begin, int end)
{
  if (run->size == 1)
    KERNEL(pair_move)(1, pairs, run, line, g, begin, end);
  else
    KERNEL(pair_move)(run->size, pairs, run, line, g, begin, end);
}

static const pc_pair_kernels KERNEL(pair_table) = {KERNEL(sweep_pairs), KERNEL(move_pairs),
                                                   KERNEL(residual_pairs)};
