// The kernels of packs.h. No include guard: pack_kernels.c includes this once per instruction set,
// with these, which it undefines at its end:
//   KERNEL(name)   the name to give
//   KERNEL_TARGET  the function attributes
//   KERNEL_NUMBER  double or float
//   KERNEL_LANES   numbers per vector, 2 or 4
//   KERNEL_VEC     the vector type, KERNEL_MASK an integer one of its size
//   KERNEL_WIDE    defined for four doubles
//   KERNEL_SINGLE  defined for floats: only the variants that are worth it
// Every contact sees the same operations in the same order whatever the width. The arguments
// shape, friction and extra are constants wherever these are called.
//
// A batch of packs goes through three loops, relative velocities, local solutions, velocities:
// one contact is a long chain of dependent operations, and short loops over many keep the
// processor busy.

#define INLINE KERNEL_TARGET static inline __attribute__((always_inline))

#if KERNEL_LANES == 4
#define LOWER(a, b) __builtin_shufflevector(a, b, 0, 4, 2, 6)
#define UPPER(a, b) __builtin_shufflevector(a, b, 1, 5, 3, 7)
#define FRONT(a, b) __builtin_shufflevector(a, b, 0, 1, 4, 5)
#define BACK(a, b) __builtin_shufflevector(a, b, 2, 3, 6, 7)
#else
#define LOWER(a, b) __builtin_shufflevector(a, b, 0, 2)
#define UPPER(a, b) __builtin_shufflevector(a, b, 1, 3)
#endif

typedef struct KERNEL(vec3) {
  KERNEL_VEC x, y, z;
} KERNEL(vec3);

INLINE KERNEL_VEC KERNEL(load)(const KERNEL_NUMBER *p)
{
  return *(const KERNEL_VEC *)p;
}

INLINE void KERNEL(store)(KERNEL_NUMBER *p, KERNEL_VEC v)
{
  *(KERNEL_VEC *)p = v;
}

// a where `which` has ones, else b. The instructions for it, and for a > b ? a : b, say no more.
INLINE KERNEL_VEC KERNEL(choose)(KERNEL_MASK which, KERNEL_VEC a, KERNEL_VEC b)
{
#ifdef KERNEL_WIDE
  return (KERNEL_VEC)_mm256_blendv_pd((__m256d)b, (__m256d)a, (__m256d)which);
#else
  return (KERNEL_VEC)((which & (KERNEL_MASK)a) | (~which & (KERNEL_MASK)b));
#endif
}

INLINE KERNEL_VEC KERNEL(larger)(KERNEL_VEC a, KERNEL_VEC b)
{
#ifdef KERNEL_WIDE
  return (KERNEL_VEC)_mm256_max_pd((__m256d)a, (__m256d)b);
#else
  return KERNEL(choose)(a > b, a, b);
#endif
}

INLINE KERNEL_VEC KERNEL(root)(KERNEL_VEC a)
{
#ifdef KERNEL_SINGLE
  return (KERNEL_VEC){sqrtf(a[0]), sqrtf(a[1]), sqrtf(a[2]), sqrtf(a[3])};
#elif KERNEL_LANES == 4
  return (KERNEL_VEC){sqrt(a[0]), sqrt(a[1]), sqrt(a[2]), sqrt(a[3])};
#else
  return (KERNEL_VEC){sqrt(a[0]), sqrt(a[1])};
#endif
}

INLINE double KERNEL(sum_lanes)(const KERNEL_NUMBER *x)
{
  return (x[0] + x[1]) + (x[2] + x[3]);
}

INLINE KERNEL(vec3) KERNEL(load3)(const KERNEL_NUMBER *p)
{
  return (KERNEL(vec3)){KERNEL(load)(p), KERNEL(load)(p + PC_LANES),
                        KERNEL(load)(p + 2 * PC_LANES)};
}

INLINE void KERNEL(store3)(KERNEL_NUMBER *p, KERNEL(vec3) v)
{
  KERNEL(store)(p, v.x);
  KERNEL(store)(p + PC_LANES, v.y);
  KERNEL(store)(p + 2 * PC_LANES, v.z);
}

INLINE KERNEL(vec3) KERNEL(cross)(KERNEL(vec3) a, KERNEL(vec3) b)
{
  return (KERNEL(vec3)){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

INLINE KERNEL_VEC KERNEL(dot)(KERNEL(vec3) a, KERNEL(vec3) b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

// Tangential vectors have `count` numbers, a constant: three in space, x alone in the plane, where
// nothing reads y and z.
INLINE KERNEL(vec3) KERNEL(load_tangent)(int count, const KERNEL_NUMBER *p)
{
  return count == 3 ? KERNEL(load3)(p) : (KERNEL(vec3)){KERNEL(load)(p), {0}, {0}};
}

INLINE KERNEL_VEC KERNEL(tangent_dot)(int count, KERNEL(vec3) a, KERNEL(vec3) b)
{
  if (count == 3)
    return KERNEL(dot)(a, b);
  return a.x * b.x;
}

INLINE KERNEL(vec3) KERNEL(sum)(KERNEL(vec3) a, KERNEL(vec3) b)
{
  return (KERNEL(vec3)){a.x + b.x, a.y + b.y, a.z + b.z};
}

INLINE KERNEL(vec3) KERNEL(difference)(KERNEL(vec3) a, KERNEL(vec3) b)
{
  return (KERNEL(vec3)){a.x - b.x, a.y - b.y, a.z - b.z};
}

INLINE KERNEL(vec3) KERNEL(times)(KERNEL_VEC part, KERNEL(vec3) a)
{
  return (KERNEL(vec3)){part * a.x, part * a.y, part * a.z};
}

// a + part b
INLINE KERNEL(vec3) KERNEL(plus)(KERNEL(vec3) a, KERNEL_VEC part, KERNEL(vec3) b)
{
  return KERNEL(sum)(a, KERNEL(times)(part, b));
}

// a - part b
INLINE KERNEL(vec3) KERNEL(minus)(KERNEL(vec3) a, KERNEL_VEC part, KERNEL(vec3) b)
{
  return KERNEL(difference)(a, KERNEL(times)(part, b));
}

// q, cut back to the disc of radius `reach`, in the plane to the interval.
INLINE KERNEL(vec3) KERNEL(cut_back)(int count, KERNEL(vec3) q, KERNEL_VEC reach)
{
  const KERNEL_VEC zero = {0};
  if (count == 1)
    return (KERNEL(vec3)){-KERNEL(larger)(-KERNEL(larger)(q.x, -reach), -reach), zero, zero};
  KERNEL_VEC square = KERNEL(dot)(q, q);
  KERNEL_MASK slides = square > reach * reach;
  KERNEL_VEC part = KERNEL(choose)(slides, reach / KERNEL(root)(square), zero + 1);
  return KERNEL(times)(part, q);
}

// The lines of one side of a pack, `stride` numbers each.
INLINE void KERNEL(find_lines)(int stride, const int *pair, const KERNEL_NUMBER *line,
                               const KERNEL_NUMBER *at[KERNEL_LANES])
{
  for (int l = 0; l < KERNEL_LANES; l++)
    at[l] = line + stride * (long)pair[l];
}

// Four numbers of each line, from place i.
INLINE KERNEL(vec3) KERNEL(gather_all)(const KERNEL_NUMBER *const *p, int i, KERNEL_VEC *fourth)
{
#ifdef KERNEL_SINGLE
  KERNEL_VEC e = KERNEL(load)(p[0] + i), f = KERNEL(load)(p[1] + i);
  KERNEL_VEC g = KERNEL(load)(p[2] + i), h = KERNEL(load)(p[3] + i);
  KERNEL_VEC a = FRONT(e, g), b = FRONT(f, h), c = BACK(e, g), d = BACK(f, h);
#elif defined KERNEL_WIDE // written out, or compilers gather number by number
#define HALVES(a, b)                                                                               \
  ((KERNEL_VEC)_mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(a)), _mm_loadu_pd(b), 1))
  KERNEL_VEC a = HALVES(p[0] + i, p[2] + i), b = HALVES(p[1] + i, p[3] + i);
  KERNEL_VEC c = HALVES(p[0] + i + 2, p[2] + i + 2), d = HALVES(p[1] + i + 2, p[3] + i + 2);
#undef HALVES
#else
  KERNEL_VEC a = KERNEL(load)(p[0] + i), b = KERNEL(load)(p[1] + i);
  KERNEL_VEC c = KERNEL(load)(p[0] + i + 2), d = KERNEL(load)(p[1] + i + 2);
#endif
  *fourth = UPPER(c, d);
  return (KERNEL(vec3)){LOWER(a, b), UPPER(a, b), LOWER(c, d)};
}

// Three of them.
INLINE KERNEL(vec3) KERNEL(gather)(const KERNEL_NUMBER *const *p, int i)
{
  KERNEL_VEC fourth;
  return KERNEL(gather_all)(p, i, &fourth);
}

// a.x b.x + a.y b.y + a.z b.z of three numbers at p and a vector.
INLINE KERNEL_VEC KERNEL(row_times)(const KERNEL_NUMBER *p, KERNEL(vec3) b)
{
  return KERNEL(load)(p) * b.x + KERNEL(load)(p + PC_LANES) * b.y +
         KERNEL(load)(p + 2 * PC_LANES) * b.z;
}

// The 3 x 6 rows at `rows` times the six numbers v, w of the lines.
INLINE KERNEL(vec3) KERNEL(rows_times)(const KERNEL_NUMBER *rows, KERNEL(vec3) v, KERNEL(vec3) w)
{
  const int step = 3 * PC_LANES;
  return (KERNEL(vec3)){
      KERNEL(row_times)(rows, v) + KERNEL(row_times)(rows + step, w),
      KERNEL(row_times)(rows + 2 * step, v) + KERNEL(row_times)(rows + 3 * step, w),
      KERNEL(row_times)(rows + 4 * step, v) + KERNEL(row_times)(rows + 5 * step, w)};
}

// Half `half` of the columns of such rows, times p.
INLINE KERNEL(vec3) KERNEL(columns_times)(const KERNEL_NUMBER *rows, int half, KERNEL(vec3) p)
{
  const int step = 6 * PC_LANES;
  rows += 3 * PC_LANES * half;
  KERNEL(vec3)
  x = KERNEL(load3)(rows), y = KERNEL(load3)(rows + step), z = KERNEL(load3)(rows + 2 * step);
  return (KERNEL(vec3)){x.x * p.x + y.x * p.y + z.x * p.z, x.y * p.x + y.y * p.y + z.y * p.z,
                        x.z * p.x + y.z * p.y + z.z * p.z};
}

// In the plane: velocities along and across the normal, less those of the free motion.
INLINE KERNEL(vec3) KERNEL(flat_relative)(int friction, const KERNEL_NUMBER *field, const int *pair,
                                          const KERNEL_NUMBER *line)
{
  const KERNEL_NUMBER *a[KERNEL_LANES], *b[KERNEL_LANES];
  KERNEL(find_lines)(PC_FLAT_LINE, pair, line, a);
  KERNEL(find_lines)(PC_FLAT_LINE, pair + PC_LANES, line, b);
  KERNEL(vec3) va = KERNEL(gather)(a, 0), vb = KERNEL(gather)(b, 0), u = {{0}, {0}, {0}};
  const KERNEL_NUMBER *root = field + PC_FLAT_ROOT * PC_LANES,
                      *turn = field + PC_FLAT_TURN * PC_LANES;
  KERNEL_VEC nx = KERNEL(load)(field), ny = KERNEL(load)(field + PC_LANES);
  KERNEL_VEC ra = KERNEL(load)(root), rb = KERNEL(load)(root + PC_LANES);
  KERNEL_VEC x = ra * va.x + rb * vb.x, y = ra * va.y + rb * vb.y;
  u.x = (nx * x + ny * y) + (KERNEL(load)(turn) * va.z + KERNEL(load)(turn + PC_LANES) * vb.z);
  if (friction) {
    const KERNEL_NUMBER *spin = field + PC_FLAT_SPIN * PC_LANES;
    u.y = (nx * y - ny * x) + (KERNEL(load)(spin) * va.z + KERNEL(load)(spin + PC_LANES) * vb.z);
  }
  return u;
}

// The six numbers of the lines of both bodies.
INLINE void KERNEL(gather_rows)(const int *pair, const KERNEL_NUMBER *line, KERNEL(vec3) * y)
{
  const KERNEL_NUMBER *a[KERNEL_LANES], *b[KERNEL_LANES];
  KERNEL(find_lines)(PC_LINE, pair, line, a);
  KERNEL(find_lines)(PC_LINE, pair + PC_LANES, line, b);
  y[0] = KERNEL(gather)(a, 0);
  y[1] = KERNEL(gather)(a, 4);
  y[2] = KERNEL(gather)(b, 0);
  y[3] = KERNEL(gather)(b, 4);
}

// The normal velocity of a contact of a block.
INLINE KERNEL_VEC KERNEL(normal_rate)(const KERNEL_NUMBER *field, const KERNEL(vec3) * y)
{
  const int step = 3 * PC_LANES;
  KERNEL_VEC a = KERNEL(row_times)(field, y[0]) + KERNEL(row_times)(field + step, y[1]);
  KERNEL_VEC b =
      KERNEL(row_times)(field + 2 * step, y[2]) + KERNEL(row_times)(field + 3 * step, y[3]);
  return a - b;
}

// Relative velocity of the contacts in a vector of a pack: in space a vector, in the plane and in
// blocks its parts along and across the normal.
INLINE KERNEL(vec3) KERNEL(relative)(int shape, int friction, const KERNEL_NUMBER *field,
                                     const int *pair, const KERNEL_NUMBER *line)
{
  if (shape == PC_PLANE)
    return KERNEL(flat_relative)(friction, field, pair, line);
  if (shape == PC_BLOCKS) {
    KERNEL(vec3) y[4], u = {{0}, {0}, {0}};
    KERNEL(gather_rows)(pair, line, y);
    u.x = KERNEL(normal_rate)(field, y);
    return u;
  }
  const KERNEL_NUMBER *a[KERNEL_LANES], *b[KERNEL_LANES];
  KERNEL(find_lines)(PC_LINE, pair, line, a);
  KERNEL(find_lines)(PC_LINE, pair + PC_LANES, line, b);
  KERNEL(vec3) va = KERNEL(gather)(a, 0), vb = KERNEL(gather)(b, 0);
  const KERNEL_NUMBER *arms = field + PC_AT_ARMS * PC_LANES;
  if (shape == PC_FULL) {
    KERNEL(vec3) x = KERNEL(rows_times)(arms, va, KERNEL(gather)(a, 4));
    KERNEL(vec3) y = KERNEL(rows_times)(arms + 18 * PC_LANES, vb, KERNEL(gather)(b, 4));
    return KERNEL(difference)(x, y);
  }
  KERNEL(vec3) u = KERNEL(difference)(va, vb);
  if (shape == PC_CENTRAL && !friction)
    return u;
  KERNEL(vec3) wa = KERNEL(gather)(a, 4), wb = KERNEL(gather)(b, 4);
  if (shape == PC_CENTRAL) {
    KERNEL_VEC la = KERNEL(load)(arms), lb = KERNEL(load)(arms + PC_LANES);
    KERNEL(vec3) w = KERNEL(plus)(KERNEL(times)(la, wa), lb, wb);
    return KERNEL(sum)(u, KERNEL(cross)(KERNEL(load3)(field), w));
  }
  KERNEL(vec3) ta = KERNEL(cross)(wa, KERNEL(load3)(arms));
  KERNEL(vec3) tb = KERNEL(cross)(wb, KERNEL(load3)(arms + 3 * PC_LANES));
  return KERNEL(sum)(u, KERNEL(difference)(ta, tb));
}

// Tangential percussions of a contact.
#define TANGENTS(shape, friction) (!(friction) ? 0 : (shape) == PC_PLANE ? 1 : 3)

// Percussions of the contacts in a vector: normal, and the tangential vector; in the plane, its x
// is the one number there is.
typedef struct KERNEL(push) {
  KERNEL_VEC n;
  KERNEL(vec3) t;
} KERNEL(push);

INLINE KERNEL(push) KERNEL(load_push)(int tangents, const KERNEL_NUMBER *r)
{
  KERNEL(push) p = {KERNEL(load)(r), {{0}, {0}, {0}}};
  if (tangents > 0)
    p.t = KERNEL(load_tangent)(tangents, r + PC_LANES);
  return p;
}

INLINE void KERNEL(store_push)(int tangents, KERNEL_NUMBER *r, KERNEL(push) p)
{
  KERNEL(store)(r, p.n);
  if (tangents == 1)
    KERNEL(store)(r + PC_LANES, p.t.x);
  else if (tangents == 3)
    KERNEL(store3)(r + PC_LANES, p.t);
}

// Parts of a relative velocity: gives that along the normal, and in *v that across it.
INLINE KERNEL_VEC KERNEL(split)(int shape, int friction, const KERNEL_NUMBER *field, KERNEL(vec3) u,
                                KERNEL(vec3) * v)
{
  if (shape == PC_PLANE || shape == PC_BLOCKS) {
    v->x = u.y;
    return u.x;
  }
  KERNEL(vec3) n = KERNEL(load3)(field);
  KERNEL_VEC un = KERNEL(dot)(n, u);
  if (friction)
    *v = KERNEL(minus)(u, un, n);
  return un;
}

// Percussions as `apply` takes them: a vector in space, both parts in the plane.
INLINE KERNEL(vec3)
    KERNEL(join)(int shape, int friction, const KERNEL_NUMBER *field, KERNEL(push) r)
{
  const KERNEL_VEC zero = {0};
  if (shape == PC_PLANE)
    return (KERNEL(vec3)){r.n, r.t.x, zero};
  KERNEL(vec3) p = KERNEL(times)(r.n, KERNEL(load3)(field));
  return friction ? KERNEL(sum)(p, r.t) : p;
}

// Local solutions: the normal percussion exactly, then one projected step of the tangential one,
// exact too in the plane, or if it is viscous and the response across the normal is the same all
// around. Gives the change of the percussion.
INLINE KERNEL(vec3) KERNEL(local)(int shape, int friction, bool extra, const KERNEL_NUMBER *field,
                                  KERNEL(vec3) u, KERNEL(push) * r)
{
  const int tangents = TANGENTS(shape, friction);
  const KERNEL_NUMBER *more = field + PC_EXTRA_AT(shape, friction) * PC_LANES;
  const KERNEL_NUMBER *inverse = field + PC_INVERSE_AT(shape) * PC_LANES;
  KERNEL(vec3) v = {{0}, {0}, {0}};
  KERNEL_VEC zero = {0}, least = zero, un = KERNEL(split)(shape, friction, field, u, &v);
  KERNEL_VEC x = r->n - un * KERNEL(load)(inverse);
  if (extra)
    least = KERNEL(load)(more) * x - KERNEL(load)(more + PC_LANES);
  KERNEL_VEC rn = KERNEL(larger)(x + KERNEL(load)(inverse + PC_LANES), least);
  KERNEL(push) change = {rn - r->n, {{0}, {0}, {0}}};
  r->n = rn;
  if (friction) {
    const KERNEL_NUMBER *step_at = field + PC_STEP_AT(shape) * PC_LANES;
    KERNEL_VEC step = KERNEL(load)(step_at), mu = KERNEL(load)(step_at + PC_LANES);
    KERNEL(vec3) t = r->t;
    if (shape != PC_CENTRAL)
      v = KERNEL(plus)(
          v, change.n,
          KERNEL(load_tangent)(tangents, field + PC_CROSS_AT(shape, friction) * PC_LANES));
    if (extra || shape == PC_PLANE)
      v = KERNEL(sum)(
          v, KERNEL(load_tangent)(tangents, field + PC_SHIFT_AT(shape, friction) * PC_LANES));
    if (friction == PC_DRAGS) // mu is the part that is kept
      r->t = KERNEL(minus)(KERNEL(times)(mu, t), step, v);
    else
      r->t = KERNEL(cut_back)(tangents, KERNEL(minus)(t, step, v), mu * KERNEL(larger)(rn, zero));
    change.t = KERNEL(difference)(r->t, t);
  }
  return KERNEL(join)(shape, friction, field, change);
}

typedef struct KERNEL(row) {
  KERNEL_VEC part[4 / KERNEL_LANES];
} KERNEL(row);

// line[0..3] += factor * row
INLINE void KERNEL(add)(KERNEL_NUMBER *line, KERNEL_NUMBER factor, const KERNEL(row) * row)
{
  for (int i = 0; i < 4 / KERNEL_LANES; i++) {
    KERNEL_VEC *to = (KERNEL_VEC *)(line + i * KERNEL_LANES);
    *to += factor * row->part[i];
  }
}

// One row {x, y, z, fourth} per contact.
INLINE void KERNEL(transpose_all)(KERNEL(vec3) v, KERNEL_VEC fourth, KERNEL(row) * rows)
{
  KERNEL_VEC a = LOWER(v.x, v.y), b = UPPER(v.x, v.y), c = LOWER(v.z, fourth),
             d = UPPER(v.z, fourth);
#if KERNEL_LANES == 4
  rows[0].part[0] = FRONT(a, c);
  rows[1].part[0] = FRONT(b, d);
  rows[2].part[0] = BACK(a, c);
  rows[3].part[0] = BACK(b, d);
#else
  rows[0] = (KERNEL(row)){{a, c}};
  rows[1] = (KERNEL(row)){{b, d}};
#endif
}

// One row {x, y, z, 0} per contact.
INLINE void KERNEL(transpose)(KERNEL(vec3) v, KERNEL(row) * rows)
{
  KERNEL_VEC zero = {0};
  KERNEL(transpose_all)(v, zero, rows);
}

// Adds velocities v and spins w to the lines of one side. Line 0 is never written.
INLINE void KERNEL(push_side)(KERNEL_NUMBER *line, const int *pair, int side, KERNEL(vec3) v,
                              KERNEL(vec3) w)
{
  KERNEL(row) push[KERNEL_LANES], turn[KERNEL_LANES];
  KERNEL(transpose)(v, push);
  KERNEL(transpose)(w, turn);
  for (int l = 0; l < KERNEL_LANES; l++) {
    long at = pair[side * PC_LANES + l];
    if (at == 0)
      continue;
    KERNEL(add)(line + PC_LINE * at, side == 0 ? 1 : -1, &push[l]);
    KERNEL(add)(line + PC_LINE * at + 4, side == 0 ? 1 : -1, &turn[l]);
  }
}

// line[0..3] += row, of the lines of one side in the plane. Line 0 is never written.
INLINE void KERNEL(flat_push)(KERNEL_NUMBER *line, const int *pair, KERNEL(vec3) y)
{
  KERNEL(row) push[KERNEL_LANES];
  KERNEL(transpose)(y, push);
  for (int l = 0; l < KERNEL_LANES; l++)
    for (int i = 0; i < 4 / KERNEL_LANES && pair[l] != 0; i++) {
      KERNEL_VEC *to = (KERNEL_VEC *)(line + PC_FLAT_LINE * (long)pair[l] + i * KERNEL_LANES);
      *to += push[l].part[i];
    }
}

INLINE void KERNEL(flat_apply)(int friction, const KERNEL_NUMBER *field, const int *pair,
                               KERNEL(vec3) p, KERNEL_NUMBER *line)
{
  const KERNEL_NUMBER *root = field + PC_FLAT_ROOT * PC_LANES,
                      *turn = field + PC_FLAT_TURN * PC_LANES;
  const KERNEL_NUMBER *spin = field + PC_FLAT_SPIN * PC_LANES;
  KERNEL_VEC nx = KERNEL(load)(field), ny = KERNEL(load)(field + PC_LANES);
  KERNEL_VEC x = nx * p.x, y = ny * p.x;
  if (friction) {
    x = x - ny * p.y;
    y = y + nx * p.y;
  }
  for (int side = 0; side < 2; side++) {
    KERNEL_VEC r = KERNEL(load)(root + side * PC_LANES);
    KERNEL_VEC w = KERNEL(load)(turn + side * PC_LANES) * p.x;
    if (friction)
      w = w + KERNEL(load)(spin + side * PC_LANES) * p.y;
    KERNEL(flat_push)(line, pair + side * PC_LANES, (KERNEL(vec3)){r * x, r * y, w});
  }
}

// Velocities after a change p of the percussions.
INLINE void KERNEL(apply)(int shape, int friction, const pc_packs *packs,
                          const KERNEL_NUMBER *field, const int *pair, KERNEL(vec3) p,
                          KERNEL_NUMBER *line)
{
  if (shape == PC_PLANE) {
    KERNEL(flat_apply)(friction, field, pair, p, line);
    return;
  }
  KERNEL(row) push[KERNEL_LANES], turn[KERNEL_LANES];
  const KERNEL_NUMBER *arms = field + PC_AT_ARMS * PC_LANES;
  if (shape == PC_FULL) {
    for (int side = 0; side < 2; side++) {
      const KERNEL_NUMBER *rows = arms + side * 18 * PC_LANES;
      KERNEL(push_side)
      (line, pair, side, KERNEL(columns_times)(rows, 0, p), KERNEL(columns_times)(rows, 1, p));
    }
    return;
  }
  KERNEL(transpose)(p, push);
  if (shape == PC_CENTRAL) {
    if (friction)
      KERNEL(transpose)(KERNEL(cross)(p, KERNEL(load3)(field)), turn);
    for (int l = 0; l < KERNEL_LANES; l++)
      for (int side = 0; side < 2; side++) {
        KERNEL_NUMBER *to = line + PC_LINE * (long)pair[side * PC_LANES + l];
        if (to == line)
          continue;
        KERNEL(add)(to, side == 0 ? to[3] : -to[3], &push[l]);
        if (friction)
          KERNEL(add)(to + 4, to[7] * arms[side * PC_LANES + l], &turn[l]);
      }
    return;
  }
  KERNEL_NUMBER torque[2][3 * PC_LANES] __attribute__((aligned(32)));
  KERNEL(store3)(torque[0], KERNEL(cross)(KERNEL(load3)(arms), p));
  KERNEL(store3)(torque[1], KERNEL(cross)(KERNEL(load3)(arms + 3 * PC_LANES), p));
  for (int l = 0; l < KERNEL_LANES; l++)
    for (int side = 0; side < 2; side++) {
      long at = pair[side * PC_LANES + l];
      KERNEL_NUMBER *to = line + PC_LINE * at;
      const KERNEL_NUMBER *t = torque[side] + l;
      if (at == 0)
        continue;
      KERNEL(add)(to, side == 0 ? to[3] : -to[3], &push[l]);
      for (int i = 0; i < 4 / KERNEL_LANES; i++) {
        const KERNEL_NUMBER *c =
            (const KERNEL_NUMBER *)packs->inertia + PC_INERTIA * at + i * KERNEL_LANES;
        KERNEL_VEC w = KERNEL(load)(c) * t[0] + KERNEL(load)(c + 4) * t[PC_LANES] +
                       KERNEL(load)(c + 8) * t[2 * PC_LANES];
        KERNEL_VEC *spin = (KERNEL_VEC *)(to + 4 + i * KERNEL_LANES);
        *spin = side == 0 ? *spin + w : *spin - w;
      }
    }
}

enum { KERNEL(BATCH) = 8, KERNEL(AHEAD) = 12, KERNEL(FAR) = 64 };

INLINE void KERNEL(prefetch_lines)(int shape, const pc_packs *packs, int p,
                                   const KERNEL_NUMBER *line)
{
  if (!packs->spread || p + KERNEL(AHEAD) >= packs->packs)
    return;
  const int *pair = packs->pair + 2L * PC_LANES * (p + KERNEL(AHEAD));
  for (int l = 0; l < 2 * PC_LANES; l++)
    __builtin_prefetch(line + (shape == PC_PLANE ? PC_FLAT_LINE : PC_LINE) * (long)pair[l]);
}

// Numbers and percussions of a later pack, these at two points or, with `last` NULL, at one.
INLINE void KERNEL(prefetch_pack)(const pc_packs *packs, int p, const KERNEL_NUMBER *r,
                                  const KERNEL_NUMBER *last)
{
  if (!packs->far)
    return;
  size_t numbers = sizeof(KERNEL_NUMBER) * PC_LANES * (size_t)packs->numbers;
  pc_prefetch(packs->field, p + KERNEL(FAR),
              sizeof(KERNEL_NUMBER) * PC_LANES * (size_t)packs->fields);
  pc_prefetch(packs->pair, p + KERNEL(FAR), sizeof(int) * 2 * PC_LANES);
  pc_prefetch(r, p + KERNEL(FAR), numbers);
  if (last != NULL && last != r)
    pc_prefetch(last, p + KERNEL(FAR), numbers);
}

// The second loop of a batch: first the momentum, g + beta (g - last), where there is one, with the
// sums of step times change and of the step's square that it is steered by.
INLINE void KERNEL(solve)(int shape, int friction, bool extra, const KERNEL_NUMBER *field,
                          const pc_sweep *s, long at, KERNEL(vec3) * u, KERNEL_NUMBER *back,
                          KERNEL_NUMBER *step)
{
  const int tangents = TANGENTS(shape, friction);
  const KERNEL_VEC zero = {0}, beta = zero + (KERNEL_NUMBER)s->beta;
  const KERNEL_NUMBER *from = s->g, *before = s->last;
  KERNEL_NUMBER *to = s->next;
  KERNEL(push) now = KERNEL(load_push)(tangents, from + at), start = now;
  if (before != NULL) {
    KERNEL(push) last = KERNEL(load_push)(tangents, before + at);
    start.n = now.n + beta * (now.n - last.n);
    if (friction)
      start.t = KERNEL(plus)(now.t, beta, KERNEL(difference)(now.t, last.t));
  }
  KERNEL(push) next = start;
  *u = KERNEL(local)(shape, friction, extra, field, *u, &next);
  KERNEL(store_push)(tangents, to + at, next);
  if (before == NULL)
    return;
  KERNEL_VEC d = start.n - next.n, b = d * (next.n - now.n), q = d * d;
  if (friction) {
    KERNEL(vec3) e = KERNEL(difference)(start.t, next.t);
    b += KERNEL(tangent_dot)(tangents, e, KERNEL(difference)(next.t, now.t));
    q += KERNEL(tangent_dot)(tangents, e, e);
  }
  KERNEL(store)(back, KERNEL(load)(back) + b);
  KERNEL(store)(step, KERNEL(load)(step) + q);
}

INLINE void KERNEL(sweep)(int shape, int friction, bool extra, const pc_packs *all_packs,
                          const pc_sweep *all, int begin, int end, double *sums)
{
  const pc_sweep own = *all, *s = &own; // stays in registers: vectors may alias anything
  const pc_packs here = *all_packs, *packs = &here;
  int size = packs->fields * PC_LANES, numbers = packs->numbers * PC_LANES;
  const KERNEL_NUMBER *fields = packs->field;
  KERNEL_NUMBER *line = s->line_next, back[PC_LANES] = {0}, step[PC_LANES] = {0};
  KERNEL(vec3) u[KERNEL(BATCH) * (PC_LANES / KERNEL_LANES)];
  for (int first = begin; first < end; first += KERNEL(BATCH)) {
    int last = first + KERNEL(BATCH) < end ? first + KERNEL(BATCH) : end, at = 0;
    for (int p = first; p < last; p++) {
      KERNEL(prefetch_lines)(shape, packs, p, line);
      KERNEL(prefetch_pack)(packs, p, s->g, s->last);
      for (int h = 0; h < PC_LANES; h += KERNEL_LANES)
        u[at++] = KERNEL(relative)(shape, friction, fields + (long)size * p + h,
                                   packs->pair + 2L * PC_LANES * p + h, line);
    }
    at = 0;
    for (int p = first; p < last; p++)
      for (int h = 0; h < PC_LANES; h += KERNEL_LANES, at++)
        KERNEL(solve)
    (shape, friction, extra, fields + (long)size * p + h, s, (long)numbers * p + h, &u[at],
     back + h, step + h);
    at = 0;
    for (int p = first; p < last; p++)
      for (int h = 0; h < PC_LANES; h += KERNEL_LANES)
        KERNEL(apply)
    (shape, friction, packs, fields + (long)size * p + h, packs->pair + 2L * PC_LANES * p + h,
     u[at++], line);
  }
  sums[0] = KERNEL(sum_lanes)(back);
  sums[1] = KERNEL(sum_lanes)(step);
}

INLINE void KERNEL(move)(int shape, int friction, const pc_packs *packs, KERNEL_NUMBER *line,
                         const KERNEL_NUMBER *r, int begin, int end)
{
  int size = packs->fields * PC_LANES, numbers = packs->numbers * PC_LANES;
  const KERNEL_NUMBER *fields = packs->field;
  for (int p = begin; p < end; p++) {
    KERNEL(prefetch_lines)(shape, packs, p, line);
    KERNEL(prefetch_pack)(packs, p, r, NULL);
    for (int h = 0; h < PC_LANES; h += KERNEL_LANES) {
      const KERNEL_NUMBER *field = fields + (long)size * p + h;
      KERNEL(push) push = KERNEL(load_push)(TANGENTS(shape, friction), r + (long)numbers * p + h);
      KERNEL(apply)
      (shape, friction, packs, field, packs->pair + 2L * PC_LANES * p + h,
       KERNEL(join)(shape, friction, field, push), line);
    }
  }
}

// The square of the natural map of a contact, pc_block_residual, in m/s: percussions are divided by
// the unit mass, `one` is its inverse.
INLINE KERNEL_VEC KERNEL(map)(int shape, int friction, bool extra, const KERNEL_NUMBER *field,
                              const KERNEL_NUMBER *test, const KERNEL_NUMBER *r, KERNEL(vec3) u,
                              KERNEL_VEC one)
{
  const int tangents = TANGENTS(shape, friction);
  const KERNEL_VEC zero = {0}, bound = KERNEL(load)(test + PC_LANES);
  KERNEL(vec3) v = {{0}, {0}, {0}};
  KERNEL_VEC un = KERNEL(split)(shape, friction, field, u, &v), rn = KERNEL(load)(r) * one;
  KERNEL_VEC map = rn;
  if (extra) {
    KERNEL_VEC k = KERNEL(load)(test + 2 * PC_LANES);
    map = (rn + k * (un + KERNEL(load)(test + 3 * PC_LANES))) / (1 + k);
  }
  map = KERNEL(choose)(un - map < bound, un - bound, map);
  if (!friction)
    return map * map;
  if (extra || shape == PC_PLANE)
    v = KERNEL(sum)(
        v, KERNEL(load_tangent)(tangents, field + PC_SHIFT_AT(shape, friction) * PC_LANES));
  KERNEL(vec3) t = KERNEL(times)(one, KERNEL(load_tangent)(tangents, r + PC_LANES)), x;
  if (friction == PC_DRAGS) {
    KERNEL_VEC k = KERNEL(load)(test + PC_TEST_EXTRA * PC_LANES);
    x = KERNEL(times)(1 / (1 + k), KERNEL(plus)(t, k, v));
  } else {
    KERNEL_VEC mu = KERNEL(load)(field + (PC_STEP_AT(shape) + 1) * PC_LANES);
    KERNEL_VEC most = mu * KERNEL(larger)(rn - map, zero);
    KERNEL(vec3) to = KERNEL(difference)(t, v);
    KERNEL(vec3) slid = KERNEL(difference)(t, KERNEL(cut_back)(tangents, to, most));
    KERNEL_MASK slides = KERNEL(tangent_dot)(tangents, to, to) > most * most;
    x.x = KERNEL(choose)(slides, slid.x, v.x);
    x.y = KERNEL(choose)(slides, slid.y, v.y);
    x.z = KERNEL(choose)(slides, slid.z, v.z);
  }
  return map * map + KERNEL(tangent_dot)(tangents, x, x);
}

INLINE void KERNEL(residual)(int shape, int friction, bool extra, const pc_packs *all_packs,
                             const KERNEL_NUMBER *line, const KERNEL_NUMBER *r, int begin, int end,
                             pc_map_size *of)
{
  const pc_packs here = *all_packs, *packs = &here;
  int size = packs->fields * PC_LANES, numbers = packs->numbers * PC_LANES;
  const KERNEL_NUMBER *fields = packs->field, *tests = packs->test;
  KERNEL_NUMBER energy[PC_LANES] = {0}, speed[PC_LANES] = {0}, most[PC_LANES] = {0};
  for (int p = begin; p < end; p++) {
    KERNEL(prefetch_lines)(shape, packs, p, line);
    KERNEL(prefetch_pack)(packs, p, r, NULL);
    if (packs->far)
      pc_prefetch(packs->test, p + KERNEL(FAR),
                  sizeof(KERNEL_NUMBER) * PC_LANES * (size_t)packs->tests);
    for (int h = 0; h < PC_LANES; h += KERNEL_LANES) {
      const KERNEL_NUMBER *field = fields + (long)size * p + h;
      const KERNEL_NUMBER *test = tests + (long)packs->tests * PC_LANES * p + h;
      KERNEL_VEC mass = KERNEL(load)(test);
      KERNEL(vec3)
      u = KERNEL(relative)(shape, friction, field, packs->pair + 2L * PC_LANES * p + h, line);
      KERNEL_VEC square =
          KERNEL(map)(shape, friction, extra, field, test, r + (long)numbers * p + h, u, 1 / mass);
      KERNEL(store)(energy + h, KERNEL(load)(energy + h) + mass * square);
      KERNEL(store)(speed + h, KERNEL(load)(speed + h) + square);
      KERNEL(store)(most + h, KERNEL(larger)(square, KERNEL(load)(most + h)));
    }
  }
  double largest = most[0];
  for (int l = 1; l < PC_LANES; l++)
    largest = fmax(largest, (double)most[l]);
  *of = (pc_map_size){KERNEL(sum_lanes)(energy), KERNEL(sum_lanes)(speed), largest};
}

KERNEL_TARGET static void KERNEL(push_lines)(const pc_packs *packs, const pc_sweep *s, long begin,
                                             long end)
{
  const KERNEL_NUMBER *line = s->line, *before = s->before, beta = (KERNEL_NUMBER)s->beta;
  const bool far = packs->far;
  KERNEL_NUMBER *next = s->line_next;
  for (long i = begin; i < end; i += KERNEL_LANES) {
    if (far && i % 8 == 0) {
      pc_prefetch(line, i / 8 + KERNEL(FAR), 64);
      pc_prefetch(before, i / 8 + KERNEL(FAR), 64);
    }
    KERNEL_VEC x = KERNEL(load)(line + i);
    KERNEL(store)(next + i, x + beta * (x - KERNEL(load)(before + i)));
  }
}

#include "impact/stack_kernels.h"

INLINE void KERNEL(sweep_any)(int shape, int friction, bool extra, const pc_packs *packs,
                              const pc_sweep *s, int storeys, int begin, int end, double *sums)
{
  if (shape == PC_BLOCKS && storeys == 1)
    KERNEL(sweep_blocks)(1, packs, s, begin, end, sums);
  else if (shape == PC_BLOCKS && storeys == 2)
    KERNEL(sweep_blocks)(2, packs, s, begin, end, sums);
  else if (shape == PC_BLOCKS && storeys == 3)
    KERNEL(sweep_blocks)(3, packs, s, begin, end, sums);
  else if (shape == PC_BLOCKS)
    KERNEL(sweep_blocks)(4, packs, s, begin, end, sums);
  else if (shape == PC_ARMS && friction == PC_RUBS && !extra && storeys > 1)
    KERNEL(sweep_stacks)(packs, s, storeys, begin, end, sums);
  else
    KERNEL(sweep)(shape, friction, extra, packs, s, begin, end, sums);
}

INLINE void KERNEL(move_any)(int shape, int friction, const pc_packs *packs, KERNEL_NUMBER *line,
                             const KERNEL_NUMBER *r, int storeys, int begin, int end)
{
  if (shape == PC_BLOCKS)
    KERNEL(move_blocks)(packs, line, r, storeys, begin, end);
  else
    KERNEL(move)(shape, friction, packs, line, r, begin, end);
}

#define VARIANT(name, shape, friction, extra)                                                      \
  KERNEL_TARGET static void KERNEL(sweep_##name)(const pc_packs *packs, const pc_sweep *s,         \
                                                 int storeys, int begin, int end, double *sums)    \
  {                                                                                                \
    KERNEL(sweep_any)(shape, friction, extra, packs, s, storeys, begin, end, sums);                \
  }                                                                                                \
  KERNEL_TARGET static void KERNEL(move_##name)(const pc_packs *packs, void *line, const void *r,  \
                                                int storeys, int begin, int end)                   \
  {                                                                                                \
    KERNEL(move_any)(shape, friction, packs, line, r, storeys, begin, end);                        \
  }                                                                                                \
  KERNEL_TARGET static void KERNEL(residual_##name)(const pc_packs *packs, const void *line,       \
                                                    const void *r, int begin, int end,             \
                                                    pc_map_size *size)                             \
  {                                                                                                \
    KERNEL(residual)(shape, friction, extra, packs, line, r, begin, end, size);                    \
  }
#define ENTRY(name, shape, friction, extra)                                                        \
  [shape][friction][extra] = {KERNEL(sweep_##name), KERNEL(move_##name), KERNEL(residual_##name),  \
                              KERNEL(push_lines)},

PACK_VARIANTS(VARIANT)
static const pc_pack_kernels KERNEL(table)[PC_SHAPES][PC_FRICTIONS][2] = {PACK_VARIANTS(ENTRY)};

#ifndef KERNEL_SINGLE
#include "impact/audit_loops.h"

#include "impact/packing_loops.h"
#endif

#undef INLINE
#undef TANGENTS
#undef LOWER
#undef UPPER
#undef FRONT
#undef BACK
#undef VARIANT
#undef ENTRY
#undef KERNEL
#undef KERNEL_TARGET
#undef KERNEL_NUMBER
#undef KERNEL_LANES
#undef KERNEL_VEC
#undef KERNEL_MASK
#undef KERNEL_WIDE
#undef KERNEL_SINGLE
