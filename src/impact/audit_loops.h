// The kernels of audit_kernels.h; see pack_kernels.h, which includes this.

// D before (moment 0) or after (1).
INLINE KERNEL(vec3) KERNEL(batch_velocity)(const double *at, int moment)
{
  const double *spin = at + (PC_IN_SPIN + 6 * moment) * PC_LANES, *arm = at + PC_IN_ARM * PC_LANES;
  KERNEL(vec3) rate = KERNEL(load3)(at + (PC_IN_RATE + 3 * moment) * PC_LANES);
  KERNEL(vec3) a = KERNEL(cross)(KERNEL(load3)(spin), KERNEL(load3)(arm));
  KERNEL(vec3)
  b = KERNEL(cross)(KERNEL(load3)(spin + 3 * PC_LANES), KERNEL(load3)(arm + 3 * PC_LANES));
  return KERNEL(sum)(rate, KERNEL(difference)(a, b));
}

// Trace of what one side adds to the response by turning: of (I^-1 (r x .)) x r over the axes.
INLINE KERNEL_VEC KERNEL(turning_trace)(const double *at, int side)
{
  KERNEL(vec3) r = KERNEL(load3)(at + (PC_IN_ARM + 3 * side) * PC_LANES);
  const double *inverse = at + (PC_IN_INVERSE + 6 * side) * PC_LANES;
  KERNEL(vec3) a = KERNEL(load3)(inverse), b = KERNEL(load3)(inverse + 3 * PC_LANES);
  KERNEL_VEC xx = r.x * r.x, yy = r.y * r.y, zz = r.z * r.z, half = r.x * (a.y * r.y + a.z * r.z);
  half += b.y * r.y * r.z;
  return (yy + zz) * a.x + (xx + zz) * b.x + (xx + yy) * b.z - (half + half);
}

INLINE KERNEL_VEC KERNEL(size_of)(KERNEL_VEC a)
{
  return KERNEL(choose)(a < 0, -a, a);
}

INLINE void KERNEL(add_to)(double *sum, KERNEL_VEC a)
{
  KERNEL(store)(sum, KERNEL(load)(sum) + a);
}

INLINE void KERNEL(raise_to)(double *most, KERNEL_VEC a)
{
  KERNEL(store)(most, KERNEL(larger)(a, KERNEL(load)(most)));
}

KERNEL_TARGET static void KERNEL(audit_measure)(const pc_batch *batch, int k,
                                                const pc_audit_numbers *to, pc_audit_first *sums)
{
  for (int l = 0; l < PC_BATCH; l += KERNEL_LANES) {
    int h = l % PC_LANES;
    const double *at = &batch->group[l / PC_LANES][0][h];
    KERNEL(vec3) n = KERNEL(load3)(at), p = KERNEL(load3)(at + PC_IN_FORCE * PC_LANES);
    KERNEL(vec3) u = KERNEL(batch_velocity)(at, 0), v = KERNEL(batch_velocity)(at, 1);
    KERNEL_VEC x = p.x * (0.5 * (u.x + v.x)), y = p.y * (0.5 * (u.y + v.y));
    KERNEL_VEC z = p.z * (0.5 * (u.z + v.z));
    KERNEL_VEC before = KERNEL(dot)(n, u), after = KERNEL(dot)(n, v), np = KERNEL(dot)(n, p);
    KERNEL_VEC along = np * (0.5 * (before + after));
    KERNEL_VEC across = KERNEL(load)(at + PC_IN_TANGENTIAL * PC_LANES) * (x + y + z - along);
    KERNEL_VEC given = KERNEL(load)(at + PC_IN_BOUND * PC_LANES);
    KERNEL_VEC bound = given - KERNEL(load)(at + PC_IN_E * PC_LANES) * before;
    KERNEL_VEC none = {0}, size = KERNEL(size_of)(given);
    KERNEL(store)(to->before + k + l, before);
    KERNEL(store)(to->after + k + l, after);
    KERNEL(store)(to->percussion + k + l, np);
    KERNEL(store)(to->bound + k + l, bound);
    KERNEL(store)(to->k + k + l, KERNEL(load)(at + PC_IN_K * PC_LANES));
    KERNEL(store)(to->across + k + l, KERNEL(load)(at + PC_IN_SIGNED * PC_LANES) * across);
    KERNEL(store)(to->square + k + l, KERNEL(dot)(p, p));
    KERNEL(store)
    (to->trace + k + l, KERNEL(load)(at + PC_IN_LIGHT * PC_LANES) + KERNEL(turning_trace)(at, 0) +
                            KERNEL(turning_trace)(at, 1));
    KERNEL(add_to)(sums->dissipated + h, along + across);
    KERNEL(add_to)
    (sums->friction + h, KERNEL(load)(at + PC_IN_FRICTION * PC_LANES) * across);
    KERNEL(add_to)
    (sums->restitution + h, KERNEL(load)(at + PC_IN_RESTITUTION * PC_LANES) * across);
    KERNEL(add_to)
    (sums->terms + h, KERNEL(size_of)(x) + KERNEL(size_of)(y) + KERNEL(size_of)(z));
    KERNEL(raise_to)(sums->penetration + h, bound - after);
    KERNEL(raise_to)(sums->speed + h, KERNEL(size_of)(before));
    KERNEL(raise_to)(sums->speed + h, KERNEL(choose)(size < INFINITY, size, none));
  }
}

// Rest after, D+ = -D-, must be allowed for the law to be a pseudo-potential (book, remark 2.8).
KERNEL_TARGET static void KERNEL(audit_judge)(const pc_impact *problem, const pc_audit_numbers *of,
                                              int begin, int end, double *lowest, double *noise,
                                              pc_audit_second *sums)
{
  const double energy = 2 * problem->free_energy, reached = 100 * problem->reached;
  const double close = reached > 1e-9 ? reached : 1e-9;
  const KERNEL_VEC none = {0};
  for (int k = begin; k < end; k += KERNEL_LANES) {
    int h = (k - begin) % PC_LANES;
    KERNEL_VEC before = KERNEL(load)(of->before + k), after = KERNEL(load)(of->after + k);
    KERNEL_VEC p = KERNEL(load)(of->percussion + k), bound = KERNEL(load)(of->bound + k);
    KERNEL_VEC trace = KERNEL(larger)(KERNEL(load)(of->trace + k), none);
    KERNEL_VEC size = problem->speed + KERNEL(root)(trace * energy);
    KERNEL_VEC x = 0.5 * (before + after), along = p * x;
    KERNEL_MASK admits = -before >= bound - 1e-12 * size, leaves = before > 0;
    KERNEL_VEC push = KERNEL(larger)(KERNEL(load)(of->k + k) * x - p, none);
    KERNEL_VEC reaction = KERNEL(choose)(after <= bound + close * size, push, none);
    KERNEL_VEC with_sign = KERNEL(choose)(admits, along, none) + KERNEL(load)(of->across + k);
    KERNEL_VEC least = KERNEL(choose)(with_sign < 0, with_sign, none);
    KERNEL(add_to)(sums->with_sign + h, with_sign);
    KERNEL(add_to)(sums->separating + h, KERNEL(choose)(~admits & leaves, along, none));
    KERNEL(add_to)(sums->bounds + h, KERNEL(choose)(~admits & ~leaves, along, none));
    KERNEL(raise_to)(sums->product + h, KERNEL(size_of)(reaction * (after - bound)));
    KERNEL(store)(sums->lowest + h, -KERNEL(larger)(-least, -KERNEL(load)(sums->lowest + h)));
    KERNEL(store)(noise + k, size * KERNEL(root)(KERNEL(load)(of->square + k)));
    KERNEL(store)(lowest + k, least);
  }
}

static const pc_audit_kernels KERNEL(audit_table) = {KERNEL(audit_measure), KERNEL(audit_judge)};
