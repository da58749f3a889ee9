// Sweeps over stacks of packs (packs.h): the contacts of pairs of bodies, whose velocities are read
// once and written once. Part of pack_kernels.h, once per instruction set.
//
// With friction and arms the storeys are solved from the lowest up. As a block, without friction,
// they are solved together, by a few rounds with the responses between them. The storeys of a stack
// depend on each other, so several stacks go through each of them side by side.

// Both bodies of the pairs in a vector: velocities and spins, what is behind them in their lines,
// and the inverse inertias.
typedef struct KERNEL(ends) {
  KERNEL(vec3) v[2], w[2];
  KERNEL_VEC light[2], behind[2];
  KERNEL_VEC xx[2], xy[2], xz[2], yy[2], yz[2], zz[2];
} KERNEL(ends);

INLINE void KERNEL(read_ends)(const pc_packs *packs, const int *pair, const KERNEL_NUMBER *line,
                              KERNEL(ends) * e)
{
  for (int side = 0; side < 2; side++) {
    const KERNEL_NUMBER *a[KERNEL_LANES], *inertia[KERNEL_LANES];
    KERNEL(find_lines)(PC_LINE, pair + side * PC_LANES, line, a);
    KERNEL(find_lines)(PC_INERTIA, pair + side * PC_LANES, packs->inertia, inertia);
    e->v[side] = KERNEL(gather_all)(a, 0, &e->light[side]);
    e->w[side] = KERNEL(gather_all)(a, 4, &e->behind[side]);
    KERNEL(vec3) x = KERNEL(gather)(inertia, 0), y = KERNEL(gather)(inertia, 4);
    e->xx[side] = x.x, e->xy[side] = x.y, e->xz[side] = x.z;
    e->yy[side] = y.y, e->yz[side] = y.z;
    e->zz[side] = KERNEL(gather)(inertia, 8).z;
  }
}

INLINE KERNEL(vec3) KERNEL(ends_relative)(const KERNEL(ends) * e, const KERNEL_NUMBER *arms)
{
  KERNEL(vec3) ta = KERNEL(cross)(e->w[0], KERNEL(load3)(arms));
  KERNEL(vec3) tb = KERNEL(cross)(e->w[1], KERNEL(load3)(arms + 3 * PC_LANES));
  return KERNEL(sum)(KERNEL(difference)(e->v[0], e->v[1]), KERNEL(difference)(ta, tb));
}

INLINE void KERNEL(push_ends)(KERNEL(ends) * e, const KERNEL_NUMBER *arms, KERNEL(vec3) p)
{
  for (int side = 0; side < 2; side++) {
    KERNEL_VEC light = side == 0 ? e->light[0] : -e->light[1];
    KERNEL(vec3) t = KERNEL(cross)(KERNEL(load3)(arms + 3 * PC_LANES * side), p);
    KERNEL(vec3)
    w = {e->xx[side] * t.x + e->xy[side] * t.y + e->xz[side] * t.z,
         e->xy[side] * t.x + e->yy[side] * t.y + e->yz[side] * t.z,
         e->xz[side] * t.x + e->yz[side] * t.y + e->zz[side] * t.z};
    e->v[side] = KERNEL(plus)(e->v[side], light, p);
    e->w[side] = side == 0 ? KERNEL(sum)(e->w[0], w) : KERNEL(difference)(e->w[1], w);
  }
}

// Line 0 is never written.
INLINE void KERNEL(write_ends)(const int *pair, KERNEL_NUMBER *line, const KERNEL(ends) * e)
{
  for (int side = 0; side < 2; side++) {
    KERNEL(row) v[KERNEL_LANES], w[KERNEL_LANES];
    KERNEL(transpose_all)(e->v[side], e->light[side], v);
    KERNEL(transpose_all)(e->w[side], e->behind[side], w);
    for (int l = 0; l < KERNEL_LANES; l++) {
      long at = pair[side * PC_LANES + l];
      if (at == 0)
        continue;
      for (int i = 0; i < 4 / KERNEL_LANES; i++) {
        KERNEL(store)(line + PC_LINE * at + i * KERNEL_LANES, v[l].part[i]);
        KERNEL(store)(line + PC_LINE * at + 4 + i * KERNEL_LANES, w[l].part[i]);
      }
    }
  }
}

INLINE void KERNEL(sweep_stacks)(const pc_packs *all_packs, const pc_sweep *all, int storeys,
                                 int begin, int end, double *sums)
{
  const pc_sweep own = *all, *s = &own;
  const pc_packs here = *all_packs, *packs = &here;
  enum { STACKS = 4, HALVES_OF = PC_LANES / KERNEL_LANES };
  const int size = packs->fields * PC_LANES, numbers = packs->numbers * PC_LANES;
  const KERNEL_NUMBER *fields = packs->field;
  KERNEL_NUMBER *line = s->line_next, back[PC_LANES] = {0}, step[PC_LANES] = {0};
  KERNEL(ends) e[STACKS * HALVES_OF] __attribute__((aligned(32)));
  KERNEL(vec3) u[STACKS * HALVES_OF] __attribute__((aligned(32)));
  for (int first = begin; first < end; first += STACKS * storeys) {
    int left = (end - first) / storeys, count = (left < STACKS ? left : STACKS) * HALVES_OF;
    for (int p = first; p < first + count / HALVES_OF * storeys; p++) {
      if ((p - first) % storeys == 0)
        KERNEL(prefetch_lines)(PC_ARMS, packs, p, line);
      KERNEL(prefetch_pack)(packs, p, s->g, s->last);
    }
    for (int i = 0; i < count; i++) {
      int p = first + i / HALVES_OF * storeys, h = i % HALVES_OF * KERNEL_LANES;
      KERNEL(read_ends)(packs, packs->pair + 2L * PC_LANES * p + h, line, &e[i]);
    }
    for (int storey = 0; storey < storeys; storey++) {
      for (int i = 0; i < count; i++) {
        long p = first + i / HALVES_OF * storeys + storey, h = i % HALVES_OF * KERNEL_LANES;
        u[i] = KERNEL(ends_relative)(&e[i], fields + size * p + h + PC_AT_ARMS * PC_LANES);
      }
      for (int i = 0; i < count; i++) {
        long p = first + i / HALVES_OF * storeys + storey, h = i % HALVES_OF * KERNEL_LANES;
        KERNEL(solve)
        (PC_ARMS, PC_RUBS, false, fields + size * p + h, s, numbers * p + h, &u[i], back + h,
         step + h);
      }
      for (int i = 0; i < count; i++) {
        long p = first + i / HALVES_OF * storeys + storey, h = i % HALVES_OF * KERNEL_LANES;
        KERNEL(push_ends)
        (&e[i], fields + size * p + h + PC_AT_ARMS * PC_LANES, u[i]);
      }
    }
    for (int i = 0; i < count; i++) {
      int p = first + i / HALVES_OF * storeys, h = i % HALVES_OF * KERNEL_LANES;
      KERNEL(write_ends)(packs->pair + 2L * PC_LANES * p + h, line, &e[i]);
    }
  }
  sums[0] = KERNEL(sum_lanes)(back);
  sums[1] = KERNEL(sum_lanes)(step);
}

enum { KERNEL(INNER) = 4 }; // rounds over the contacts of a block, the last one not relaxed

// One part of a stack while it is swept: velocities and percussions of its contacts, where they
// were and where the momentum took them.
typedef struct KERNEL(block) {
  KERNEL_VEC u[PC_STOREYS], r[PC_STOREYS], now[PC_STOREYS], start[PC_STOREYS];
} KERNEL(block);

enum { KERNEL(BLOCKS) = 4 }; // swept side by side: a block alone is one long chain of operations

// The response between contacts i and k of a block, which stands with the upper one.
INLINE KERNEL_VEC KERNEL(block_response)(const KERNEL_NUMBER *field, int i, int k)
{
  int upper = i > k ? i : k, lower = i > k ? k : i;
  int at = i == k ? PC_BLOCK_OWN : PC_BLOCK_BELOW + lower;
  return KERNEL(load)(field + (upper * PC_BLOCK_FIELDS + at) * PC_LANES);
}

// Contact i of a block: the exact solution of its law, the others being given; then beyond it, by
// `relax`, but not beyond what the law allows.
INLINE void KERNEL(block_step)(int size, int i, KERNEL_NUMBER relax, const KERNEL_NUMBER *field,
                               KERNEL(block) * block)
{
  const KERNEL_NUMBER *own = field + i * PC_BLOCK_FIELDS * PC_LANES;
  KERNEL_VEC *u = block->u, *r = block->r;
  KERNEL_VEC x = r[i] - u[i] * KERNEL(load)(own + PC_BLOCK_INVERSE * PC_LANES);
  KERNEL_VEC least =
      KERNEL(load)(own + PC_BLOCK_H * PC_LANES) * x - KERNEL(load)(own + PC_BLOCK_K * PC_LANES);
  KERNEL_VEC next = KERNEL(larger)(x + KERNEL(load)(own + PC_BLOCK_BOUND * PC_LANES), least);
  if (relax != 1)
    next = KERNEL(larger)(r[i] + relax * (next - r[i]), least);
  KERNEL_VEC change = next - r[i];
  r[i] = next;
  for (int k = 0; k < size; k++)
    u[k] += change * KERNEL(block_response)(field, i, k);
}

// All contacts of `count` blocks.
INLINE void KERNEL(block_rounds)(int size, int count, const KERNEL_NUMBER *const *field,
                                 KERNEL(block) * block)
{
  for (int round = size > 1 ? 1 : KERNEL(INNER); round <= KERNEL(INNER); round++)
    for (int i = 0; i < size; i++)
      for (int n = 0; n < count; n++)
        if (round < KERNEL(INNER))
          KERNEL(block_step)(size, i, (KERNEL_NUMBER)1.3, field[n], &block[n]);
        else
          KERNEL(block_step)(size, i, 1, field[n], &block[n]);
}

// line += rows times change.
INLINE void KERNEL(block_apply)(int size, const KERNEL_NUMBER *field, const int *pair,
                                const KERNEL_VEC *change, KERNEL_NUMBER *line)
{
  for (int side = 0; side < 2; side++) {
    KERNEL(vec3) v = {{0}, {0}, {0}}, w = v;
    for (int i = 0; i < size; i++) {
      const KERNEL_NUMBER *rows = field + (i * PC_BLOCK_FIELDS + 6 * side) * PC_LANES;
      KERNEL(vec3) a = KERNEL(load3)(rows), b = KERNEL(load3)(rows + 3 * PC_LANES);
      v = KERNEL(plus)(v, change[i], a);
      w = KERNEL(plus)(w, change[i], b);
    }
    KERNEL(push_side)(line, pair, side, v, w);
  }
}

INLINE void KERNEL(block_start)(int size, const KERNEL_NUMBER *field, const int *pair,
                                const pc_sweep *s, long at, KERNEL(block) * block)
{
  const KERNEL_NUMBER *g = s->g, *before = s->last, beta = (KERNEL_NUMBER)s->beta;
  KERNEL(vec3) y[4];
  KERNEL(gather_rows)(pair, s->line_next, y);
  for (int i = 0; i < size; i++) {
    KERNEL_VEC now = KERNEL(load)(g + at + i * PC_LANES);
    KERNEL_VEC last = KERNEL(load)(before + at + i * PC_LANES);
    block->u[i] = KERNEL(normal_rate)(field + i * PC_BLOCK_FIELDS * PC_LANES, y);
    block->now[i] = now;
    block->r[i] = block->start[i] = now + beta * (now - last);
  }
}

// Percussions, sums and velocities after a block is solved.
INLINE void KERNEL(block_end)(int size, const KERNEL_NUMBER *field, const int *pair,
                              const pc_sweep *s, long at, const KERNEL(block) * block,
                              KERNEL_NUMBER *back, KERNEL_NUMBER *step)
{
  KERNEL_NUMBER *next = s->next;
  KERNEL_VEC b = {0}, q = {0}, change[PC_STOREYS];
  for (int i = 0; i < size; i++) {
    KERNEL(store)(next + at + i * PC_LANES, block->r[i]);
    change[i] = block->r[i] - block->start[i];
    b -= change[i] * (block->r[i] - block->now[i]);
    q += change[i] * change[i];
  }
  KERNEL(store)(back, KERNEL(load)(back) + b);
  KERNEL(store)(step, KERNEL(load)(step) + q);
  KERNEL(block_apply)(size, field, pair, change, s->line_next);
}

// `size` is a constant: the storeys.
INLINE void KERNEL(sweep_blocks)(int size, const pc_packs *all_packs, const pc_sweep *all,
                                 int begin, int end, double *sums)
{
  const pc_sweep own = *all, *s = &own;
  const pc_packs here = *all_packs, *packs = &here;
  const int halves = PC_LANES / KERNEL_LANES, stacks = KERNEL(BLOCKS) / halves;
  const KERNEL_NUMBER *fields = packs->field;
  KERNEL_NUMBER back[PC_LANES] = {0}, step[PC_LANES] = {0};
  for (int first = begin; first < end; first += stacks * size) {
    KERNEL(block) block[KERNEL(BLOCKS)];
    const KERNEL_NUMBER *field[KERNEL(BLOCKS)];
    int left = (end - first) / size, count = (left < stacks ? left : stacks) * halves;
    for (int n = 0; n < count; n++) {
      int p = first + n / halves * size, h = n % halves * KERNEL_LANES;
      const int *pair = packs->pair + 2L * PC_LANES * p + h;
      field[n] = fields + (long)p * PC_BLOCK_FIELDS * PC_LANES + h;
      if (h == 0)
        KERNEL(prefetch_lines)(PC_BLOCKS, packs, p, s->line_next);
      KERNEL(block_start)(size, field[n], pair, s, (long)p * PC_LANES + h, &block[n]);
    }
    if (count == KERNEL(BLOCKS))
      KERNEL(block_rounds)(size, KERNEL(BLOCKS), field, block);
    else
      KERNEL(block_rounds)(size, count, field, block);
    for (int n = 0; n < count; n++) {
      int p = first + n / halves * size, h = n % halves * KERNEL_LANES;
      KERNEL(block_end)
      (size, field[n], packs->pair + 2L * PC_LANES * p + h, s, (long)p * PC_LANES + h, &block[n],
       back + h, step + h);
    }
  }
  sums[0] = KERNEL(sum_lanes)(back);
  sums[1] = KERNEL(sum_lanes)(step);
}

INLINE void KERNEL(move_blocks)(const pc_packs *packs, KERNEL_NUMBER *line, const KERNEL_NUMBER *r,
                                int size, int begin, int end)
{
  const KERNEL_NUMBER *fields = packs->field;
  for (int p = begin; p < end; p += size)
    for (int h = 0; h < PC_LANES; h += KERNEL_LANES) {
      KERNEL_VEC change[PC_STOREYS];
      for (int i = 0; i < size; i++)
        change[i] = KERNEL(load)(r + (p + (long)i) * PC_LANES + h);
      KERNEL(block_apply)
      (size, fields + (long)p * PC_BLOCK_FIELDS * PC_LANES + h, packs->pair + 2L * PC_LANES * p + h,
       change, line);
    }
}
