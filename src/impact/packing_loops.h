// The kernels of packing.h; see pack_kernels.h, which includes this.

INLINE KERNEL_VEC KERNEL(size1)(KERNEL(vec3) v)
{
  return KERNEL(size_of)(v.x) + KERNEL(size_of)(v.y) + KERNEL(size_of)(v.z);
}

INLINE KERNEL_VEC KERNEL(products)(KERNEL(vec3) a, KERNEL(vec3) b)
{
  return KERNEL(size_of)(a.x * b.x) + KERNEL(size_of)(a.y * b.y) + KERNEL(size_of)(a.z * b.z);
}

// One side of a contact at the first moment.
typedef struct KERNEL(side) {
  KERNEL(vec3) arm, v, w;
} KERNEL(side);

INLINE KERNEL(side) KERNEL(load_side)(const double *at, int t)
{
  return (KERNEL(side)){KERNEL(load3)(at + (PC_IN_ARM + 3 * t) * PC_LANES),
                        KERNEL(load3)(at + (PC_PACKING_SIDES + 3 * t) * PC_LANES),
                        KERNEL(load3)(at + (PC_IN_SPIN + 3 * t) * PC_LANES)};
}

// Velocities that a relative one is the difference of, along e: pc_noise_along.
INLINE KERNEL_VEC KERNEL(noise_along)(KERNEL(side) a, KERNEL(side) b, KERNEL(vec3) e)
{
  return (KERNEL(products)(e, a.v) + KERNEL(products)(KERNEL(cross)(a.arm, e), a.w)) +
         (KERNEL(products)(e, b.v) + KERNEL(products)(KERNEL(cross)(b.arm, e), b.w));
}

// pc_across
INLINE void KERNEL(axes)(KERNEL(vec3) n, KERNEL(vec3) * first, KERNEL(vec3) * second)
{
  const KERNEL_VEC none = {0}, one = none + 1;
  KERNEL_VEC x = KERNEL(size_of)(n.x), y = KERNEL(size_of)(n.y), z = KERNEL(size_of)(n.z);
  KERNEL_MASK by_x = (x <= y) & (x <= z), by_y = ~(x <= y) & (y <= z), by_z = ~(by_x | by_y);
  KERNEL_VEC far = KERNEL(choose)(by_x, n.x, KERNEL(choose)(by_y, n.y, n.z));
  KERNEL(vec3)
  t = {KERNEL(choose)(by_x, one, none) - far * n.x, KERNEL(choose)(by_y, one, none) - far * n.y,
       KERNEL(choose)(by_z, one, none) - far * n.z};
  KERNEL_VEC part = 1 / KERNEL(root)(KERNEL(dot)(t, t));
  *first = (KERNEL(vec3)){part * t.x, part * t.y, part * t.z};
  *second = KERNEL(cross)(n, *first);
}

INLINE bool KERNEL(any)(KERNEL_MASK which)
{
#if KERNEL_LANES == 4
  return _mm256_movemask_pd((__m256d)which) != 0;
#else
  return (which[0] | which[1]) != 0;
#endif
}

// pc_contact_sizes: the noise is looked at only where it may count.
INLINE void KERNEL(pack_sizes)(const double *at, KERNEL(vec3) n, KERNEL(vec3) before,
                               KERNEL(vec3) free, KERNEL_MASK wide, KERNEL_VEC mass, KERNEL_MASK ok,
                               pc_packing_sums *sums, int h)
{
  const KERNEL_VEC none = {0}, endless = none + INFINITY;
  KERNEL_VEC nf = KERNEL(dot)(n, free), nb = KERNEL(dot)(n, before);
  KERNEL_VEC along = KERNEL(larger)(KERNEL(size_of)(nf), KERNEL(size_of)(nb));
  KERNEL_VEC across =
      KERNEL(larger)(KERNEL(dot)(free, free) - nf * nf, KERNEL(dot)(before, before) - nb * nb);
  across = KERNEL(choose)(wide, KERNEL(larger)(across, none), none);
  KERNEL(side) a = KERNEL(load_side)(at, 0), b = KERNEL(load_side)(at, 1);
  KERNEL_VEC most = (KERNEL(size1)(a.v) + KERNEL(size1)(a.w) * KERNEL(size1)(a.arm)) +
                    (KERNEL(size1)(b.v) + KERNEL(size1)(b.w) * KERNEL(size1)(b.arm));
  KERNEL_MASK counts = ~(1.01e-3 * most <= along) | (wide & ~(1.1e-6 * most * most <= across));
  if (KERNEL(any)(counts)) {
    KERNEL(vec3) first, second;
    KERNEL(axes)(n, &first, &second);
    KERNEL_VEC noise = 1e-3 * KERNEL(noise_along)(a, b, n);
    KERNEL_VEC one = 1e-3 * KERNEL(noise_along)(a, b, first);
    KERNEL_VEC two = 1e-3 * KERNEL(noise_along)(a, b, second);
    along = KERNEL(choose)(counts, KERNEL(larger)(along, noise), along);
    across = KERNEL(choose)(counts & wide, KERNEL(larger)(across, one * one + two * two), across);
  }
  along = KERNEL(larger)(KERNEL(load)(at + PC_IN_BOUND * PC_LANES), along);
  KERNEL_VEC square = along * along + across;
  KERNEL(add_to)(sums->size + h, KERNEL(choose)(ok, mass * square, endless));
  KERNEL(add_to)(sums->speed + h, square);
}

// pc_side_central, as 0 or 1; gives the length of the arm along the normal.
INLINE KERNEL_VEC KERNEL(check_central)(const double *at, int t, KERNEL(vec3) n, double *off)
{
  const KERNEL_VEC none = {0}, one = none + 1;
  const double *inverse = at + (PC_IN_INVERSE + 6 * t) * PC_LANES;
  KERNEL(vec3) arm = KERNEL(load3)(at + (PC_IN_ARM + 3 * t) * PC_LANES);
  KERNEL(vec3) a = KERNEL(load3)(inverse), b = KERNEL(load3)(inverse + 3 * PC_LANES);
  KERNEL_VEC along = KERNEL(dot)(arm, n), mean = (a.x + b.x + b.z) / 3, most = 1e-13 * mean;
  KERNEL(vec3) rest = KERNEL(minus)(arm, along, n);
  KERNEL_MASK is = (KERNEL(dot)(rest, rest) <= 1e-24 * along * along) &
                   (KERNEL(size_of)(a.x - mean) <= most) & (KERNEL(size_of)(b.x - mean) <= most) &
                   (KERNEL(size_of)(b.z - mean) <= most) & (KERNEL(size_of)(a.y) <= most) &
                   (KERNEL(size_of)(a.z) <= most) & (KERNEL(size_of)(b.y) <= most);
  KERNEL(add_to)(off, KERNEL(choose)(is, none, one));
  return along;
}

// The response of a contact, W_NN, W_TN, the largest eigenvalue of W_TT and its trace.
typedef struct KERNEL(response) {
  KERNEL_VEC nn, tt, across;
  KERNEL(vec3) tn;
} KERNEL(response);

// What a side adds by turning to W as a matrix in space: xx, xy, xz and yy, yz, zz.
INLINE void KERNEL(add_side)(const double *at, int t, KERNEL(vec3) * one, KERNEL(vec3) * two)
{
  KERNEL(vec3) r = KERNEL(load3)(at + (PC_IN_ARM + 3 * t) * PC_LANES);
  const double *inverse = at + (PC_IN_INVERSE + 6 * t) * PC_LANES;
  KERNEL(vec3) i = KERNEL(load3)(inverse), j = KERNEL(load3)(inverse + 3 * PC_LANES);
  KERNEL(vec3) x = {i.x, i.y, i.z}, y = {i.y, j.x, j.y}, z = {i.z, j.y, j.z};
  KERNEL(vec3) a = {r.y * z.x - r.z * y.x, r.y * z.y - r.z * y.y, r.y * z.z - r.z * y.z};
  KERNEL(vec3) b = {r.z * x.x - r.x * z.x, r.z * x.y - r.x * z.y, r.z * x.z - r.x * z.z};
  KERNEL(vec3) c = {r.x * y.x - r.y * x.x, r.x * y.y - r.y * x.y, r.x * y.z - r.y * x.z};
  one->x += r.y * a.z - r.z * a.y;
  one->y += r.z * a.x - r.x * a.z;
  one->z += r.x * a.y - r.y * a.x;
  two->x += r.z * b.x - r.x * b.z;
  two->y += r.x * b.y - r.y * b.x;
  two->z += r.x * c.y - r.y * c.x;
}

INLINE KERNEL(response) KERNEL(respond)(const double *at, KERNEL(vec3) n)
{
  const KERNEL_VEC none = {0}, light = KERNEL(load)(at + PC_IN_LIGHT * PC_LANES);
  KERNEL(vec3) w = {light, none, none}, v = {light, none, light}; // xx, xy, xz and yy, yz, zz
  KERNEL(add_side)(at, 0, &w, &v);
  KERNEL(add_side)(at, 1, &w, &v);
  KERNEL(vec3) x = {w.x, w.y, w.z}, y = {w.y, v.x, v.y}, z = {w.z, v.y, v.z};
  KERNEL(vec3) wn = {KERNEL(dot)(x, n), KERNEL(dot)(y, n), KERNEL(dot)(z, n)};
  KERNEL(response) to = {.nn = KERNEL(dot)(n, wn)};
  to.tn = KERNEL(minus)(wn, to.nn, n);
  KERNEL(vec3) p = KERNEL(cross)(y, z), q = KERNEL(cross)(z, x), r = KERNEL(cross)(x, y);
  KERNEL(vec3) cofactor = {KERNEL(dot)(p, n), KERNEL(dot)(q, n), KERNEL(dot)(r, n)};
  KERNEL_VEC half = 0.5 * (w.x + v.x + v.z - to.nn);
  KERNEL_VEC square = half * half - KERNEL(dot)(n, cofactor);
  to.tt = half + KERNEL(root)(KERNEL(larger)(square, none));
  to.across = half + half;
  return to;
}

// The first percussions of a contact, within its law.
INLINE void KERNEL(pack_guess)(const double *at, KERNEL(vec3) n, KERNEL_VEC mu, double *r)
{
  const KERNEL_VEC none = {0}, one = none + 1;
  KERNEL(vec3) f = KERNEL(load3)(at + PC_IN_FORCE * PC_LANES), p = {-f.x, -f.y, -f.z};
  KERNEL_VEC along = KERNEL(dot)(p, n), normal = KERNEL(larger)(along, none), reach = mu * normal;
  KERNEL(vec3) t = KERNEL(minus)(p, along, n);
  KERNEL_VEC square = KERNEL(dot)(t, t);
  KERNEL_VEC part = KERNEL(choose)(square > reach * reach, reach / KERNEL(root)(square), one);
  KERNEL(store)(r, normal);
  KERNEL(store3)(r + PC_LANES, (KERNEL(vec3)){part * t.x, part * t.y, part * t.z});
}

INLINE void KERNEL(pack_some)(int shape, const double *at, bool warm, double *to, int h,
                              pc_packing_sums *sums)
{
  const KERNEL_VEC none = {0}, one = none + 1, three = none + 3;
  KERNEL(vec3) n = KERNEL(load3)(at);
  KERNEL(vec3) before = KERNEL(batch_velocity)(at, 0), free = KERNEL(batch_velocity)(at, 1);
  KERNEL_MASK wide = KERNEL(load)(at + PC_PACKING_WIDE * PC_LANES) > 0;
  KERNEL_VEC mu = KERNEL(load)(at + PC_PACKING_MU * PC_LANES);
  KERNEL(response) w;
  double *more = to + PC_AT_ARMS * PC_LANES;
  if (shape == PC_CENTRAL) {
    KERNEL_VEC a = KERNEL(check_central)(at, 0, n, sums->off + h);
    KERNEL_VEC b = KERNEL(check_central)(at, 1, n, sums->off + h);
    KERNEL_VEC turn_a = a * a * KERNEL(load)(at + (PC_IN_INVERSE + 5) * PC_LANES);
    KERNEL_VEC turn_b = b * b * KERNEL(load)(at + (PC_IN_INVERSE + 11) * PC_LANES);
    w.nn = KERNEL(load)(at + PC_IN_LIGHT * PC_LANES);
    w.tt = w.nn + (turn_a + turn_b);
    w.across = w.tt + w.tt;
    KERNEL(store)(more, -a);
    KERNEL(store)(more + PC_LANES, b);
  } else {
    const double *arms = at + PC_IN_ARM * PC_LANES;
    w = KERNEL(respond)(at, n);
    KERNEL(store3)(more, KERNEL(load3)(arms));
    KERNEL(store3)(more + 3 * PC_LANES, KERNEL(load3)(arms + 3 * PC_LANES));
    KERNEL(store3)
    (more + 6 * PC_LANES,
     (KERNEL(vec3)){KERNEL(choose)(wide, w.tn.x, none), KERNEL(choose)(wide, w.tn.y, none),
                    KERNEL(choose)(wide, w.tn.z, none)});
  }
  KERNEL_VEC trace = KERNEL(choose)(wide, w.nn + w.across, w.nn);
  KERNEL_VEC mass = KERNEL(choose)(trace > 0, KERNEL(choose)(wide, three, one) / trace, one);
  KERNEL_VEC inverse = KERNEL(choose)(w.nn > 0, 1 / w.nn, none);
  KERNEL_VEC bound = KERNEL(load)(at + PC_IN_BOUND * PC_LANES) -
                     KERNEL(load)(at + PC_PACKING_E * PC_LANES) * KERNEL(dot)(n, before);
  KERNEL(store3)(to, n);
  KERNEL(store)(to + PC_AT_INVERSE * PC_LANES, inverse);
  KERNEL(store)
  (to + PC_AT_BOUND * PC_LANES, KERNEL(choose)(inverse > 0, bound * inverse, none));
  KERNEL(store)
  (to + PC_AT_STEP * PC_LANES, KERNEL(choose)(wide & (w.tt > 0), 1 / w.tt, none));
  KERNEL(store)(to + PC_AT_MU * PC_LANES, mu);
  KERNEL(store)(to + PC_OUT_TEST * PC_LANES, mass);
  KERNEL(store)(to + (PC_OUT_TEST + 1) * PC_LANES, bound);
  if (warm)
    KERNEL(pack_guess)(at, n, mu, to + PC_OUT_R * PC_LANES);
  else
    for (int i = 0; i < 4; i++)
      KERNEL(store)(to + (PC_OUT_R + i) * PC_LANES, none);
  KERNEL(pack_sizes)
  (at, n, before, free, wide, mass, (trace < INFINITY) & (w.nn < INFINITY) & (mass > 0), sums, h);
}

INLINE void KERNEL(packing)(int shape, const pc_batch *in, int count, bool warm,
                            pc_packed_batch *out, pc_packing_sums *sums)
{
  for (int l = 0; l < count; l += KERNEL_LANES) {
    int group = l / PC_LANES, h = l % PC_LANES;
    KERNEL(pack_some)
    (shape, &in->group[group][0][h], warm, &out->group[group][0][h], h, sums);
  }
}

KERNEL_TARGET static void KERNEL(packing_central)(const pc_batch *in, int count, bool warm,
                                                  pc_packed_batch *out, pc_packing_sums *sums)
{
  KERNEL(packing)(PC_CENTRAL, in, count, warm, out, sums);
}

KERNEL_TARGET static void KERNEL(packing_arms)(const pc_batch *in, int count, bool warm,
                                               pc_packed_batch *out, pc_packing_sums *sums)
{
  KERNEL(packing)(PC_ARMS, in, count, warm, out, sums);
}
