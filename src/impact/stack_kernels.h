// Sweeps over stacks of packs (packs.h), for contacts with arms and friction. Part of
// pack_kernels.h, once per instruction set.
//
// The velocities of four pairs of bodies are read once, kept beside each other while the storeys
// are solved from the lowest up, and written once. The storeys of a stack depend on each other, so
// a batch of stacks goes through each of them side by side.

// Both bodies of the pairs in a vector: velocities and spins, what is behind them in their lines,
// and the inverse inertias.
typedef struct KERNEL(ends) {
  KERNEL(vec3) v[2], w[2];
  KERNEL_VEC light[2], behind[2];
  KERNEL_VEC xx[2], xy[2], xz[2], yy[2], yz[2], zz[2];
} KERNEL(ends);

// Four numbers of each line, from place i.
INLINE KERNEL(vec3) KERNEL(gather_all)(const double *const *p, int i, KERNEL_VEC *fourth)
{
  KERNEL_VEC a = GATHER(p, i), b = GATHER_ODD(p, i), c = GATHER(p, i + 2), d = GATHER_ODD(p, i + 2);
  *fourth = UPPER(c, d);
  return (KERNEL(vec3)){LOWER(a, b), UPPER(a, b), LOWER(c, d)};
}

INLINE void KERNEL(read_ends)(const pc_packs *packs, const int *pair, const double *line,
                              KERNEL(ends) * e)
{
  for (int side = 0; side < 2; side++) {
    const double *a[KERNEL_LANES], *inertia[KERNEL_LANES];
    for (int l = 0; l < KERNEL_LANES; l++) {
      long at = pair[side * PC_LANES + l];
      a[l] = line + PC_LINE * at;
      inertia[l] = packs->inertia + PC_INERTIA * at;
    }
    e->v[side] = KERNEL(gather_all)(a, 0, &e->light[side]);
    e->w[side] = KERNEL(gather_all)(a, 4, &e->behind[side]);
    KERNEL(vec3) x = KERNEL(gather)(inertia, 0), y = KERNEL(gather)(inertia, 4);
    e->xx[side] = x.x, e->xy[side] = x.y, e->xz[side] = x.z;
    e->yy[side] = y.y, e->yz[side] = y.z;
    e->zz[side] = KERNEL(gather)(inertia, 8).z;
  }
}

INLINE KERNEL(vec3) KERNEL(ends_relative)(const KERNEL(ends) * e, const double *arms)
{
  KERNEL(vec3) ta = KERNEL(cross)(e->w[0], KERNEL(load3)(arms));
  KERNEL(vec3) tb = KERNEL(cross)(e->w[1], KERNEL(load3)(arms + 3 * PC_LANES));
  return (KERNEL(vec3)){(e->v[0].x - e->v[1].x) + (ta.x - tb.x),
                        (e->v[0].y - e->v[1].y) + (ta.y - tb.y),
                        (e->v[0].z - e->v[1].z) + (ta.z - tb.z)};
}

INLINE void KERNEL(push_ends)(KERNEL(ends) * e, const double *arms, KERNEL(vec3) p)
{
  for (int side = 0; side < 2; side++) {
    KERNEL_VEC light = side == 0 ? e->light[0] : -e->light[1];
    KERNEL(vec3) t = KERNEL(cross)(KERNEL(load3)(arms + 3 * PC_LANES * side), p);
    KERNEL(vec3)
    w = {e->xx[side] * t.x + e->xy[side] * t.y + e->xz[side] * t.z,
         e->xy[side] * t.x + e->yy[side] * t.y + e->yz[side] * t.z,
         e->xz[side] * t.x + e->yz[side] * t.y + e->zz[side] * t.z};
    KERNEL(vec3) *v = &e->v[side], *spin = &e->w[side];
    *v = (KERNEL(vec3)){v->x + light * p.x, v->y + light * p.y, v->z + light * p.z};
    if (side == 0)
      *spin = (KERNEL(vec3)){spin->x + w.x, spin->y + w.y, spin->z + w.z};
    else
      *spin = (KERNEL(vec3)){spin->x - w.x, spin->y - w.y, spin->z - w.z};
  }
}

// Line 0 is never written.
INLINE void KERNEL(write_ends)(const int *pair, double *line, const KERNEL(ends) * e)
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

KERNEL_TARGET static void KERNEL(sweep_stacks)(const pc_packs *packs, const pc_sweep *s,
                                               int storeys, int begin, int end, double *sums)
{
  enum { STACKS = 4, HALVES_OF = PC_LANES / KERNEL_LANES };
  const int size = packs->fields * PC_LANES, numbers = packs->numbers * PC_LANES;
  double *line = s->line_next, back[PC_LANES] = {0}, step[PC_LANES] = {0};
  KERNEL(ends) e[STACKS * HALVES_OF] __attribute__((aligned(32)));
  KERNEL(vec3) u[STACKS * HALVES_OF] __attribute__((aligned(32)));
  for (int first = begin; first < end; first += STACKS * storeys) {
    int left = (end - first) / storeys, count = (left < STACKS ? left : STACKS) * HALVES_OF;
    for (int p = first; p < first + count / HALVES_OF * storeys; p++) {
      if (packs->spread && p + KERNEL(AHEAD) < packs->packs && (p - first) % storeys == 0)
        KERNEL(prefetch)(PC_ARMS, packs->pair + 2L * PC_LANES * (p + KERNEL(AHEAD)), line);
      if (packs->far)
        KERNEL(prefetch_pack)(packs, p + KERNEL(FAR), s->g, s->last);
    }
    for (int i = 0; i < count; i++) {
      int p = first + i / HALVES_OF * storeys, h = i % HALVES_OF * KERNEL_LANES;
      KERNEL(read_ends)(packs, packs->pair + 2L * PC_LANES * p + h, line, &e[i]);
    }
    for (int storey = 0; storey < storeys; storey++) {
      for (int i = 0; i < count; i++) {
        long p = first + i / HALVES_OF * storeys + storey, h = i % HALVES_OF * KERNEL_LANES;
        u[i] = KERNEL(ends_relative)(&e[i], packs->field + size * p + h + PC_AT_ARMS * PC_LANES);
      }
      for (int i = 0; i < count; i++) {
        long p = first + i / HALVES_OF * storeys + storey, h = i % HALVES_OF * KERNEL_LANES;
        KERNEL(solve)
        (PC_ARMS, PC_RUBS, false, packs->field + size * p + h, s, numbers * p + h, &u[i], back + h,
         step + h);
      }
      for (int i = 0; i < count; i++) {
        long p = first + i / HALVES_OF * storeys + storey, h = i % HALVES_OF * KERNEL_LANES;
        KERNEL(push_ends)
        (&e[i], packs->field + size * p + h + PC_AT_ARMS * PC_LANES, u[i]);
      }
    }
    for (int i = 0; i < count; i++) {
      int p = first + i / HALVES_OF * storeys, h = i % HALVES_OF * KERNEL_LANES;
      KERNEL(write_ends)(packs->pair + 2L * PC_LANES * p + h, line, &e[i]);
    }
  }
  sums[0] = (back[0] + back[1]) + (back[2] + back[3]);
  sums[1] = (step[0] + step[1]) + (step[2] + step[3]);
}
