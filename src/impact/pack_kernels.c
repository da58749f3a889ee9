// The kernels of packs, for each instruction set from one source. Without fused operations and with
// every contact in its own lane, they all give the same numbers, bit for bit.
#include <math.h>

#include "core/prefetch.h"
#include "impact/audit_kernels.h"
#include "impact/packing.h"

typedef double vec2 __attribute__((vector_size(16), aligned(8), may_alias));
typedef long long mask2 __attribute__((vector_size(16)));
typedef float single4 __attribute__((vector_size(16), aligned(4), may_alias));
typedef int single_mask4 __attribute__((vector_size(16)));

// Name, shape, friction and extras of the kernels there are.
#define PACK_VARIANTS(X)                                                                           \
  X(arms, PC_ARMS, PC_SLIPS, false)                                                                \
  X(arms_extra, PC_ARMS, PC_SLIPS, true)                                                           \
  X(arms_friction, PC_ARMS, PC_RUBS, false)                                                        \
  X(arms_friction_extra, PC_ARMS, PC_RUBS, true)                                                   \
  X(arms_viscous, PC_ARMS, PC_DRAGS, true)                                                         \
  X(central, PC_CENTRAL, PC_SLIPS, false)                                                          \
  X(central_extra, PC_CENTRAL, PC_SLIPS, true)                                                     \
  X(central_friction, PC_CENTRAL, PC_RUBS, false)                                                  \
  X(central_friction_extra, PC_CENTRAL, PC_RUBS, true)                                             \
  X(central_viscous, PC_CENTRAL, PC_DRAGS, true)                                                   \
  X(plane, PC_PLANE, PC_SLIPS, false)                                                              \
  X(plane_extra, PC_PLANE, PC_SLIPS, true)                                                         \
  X(plane_friction, PC_PLANE, PC_RUBS, false)                                                      \
  X(plane_friction_extra, PC_PLANE, PC_RUBS, true)                                                 \
  X(plane_viscous, PC_PLANE, PC_DRAGS, true)                                                       \
  X(full_extra, PC_FULL, PC_SLIPS, true)                                                           \
  X(full_friction_extra, PC_FULL, PC_RUBS, true)                                                   \
  X(full_viscous, PC_FULL, PC_DRAGS, true)                                                         \
  X(blocks_extra, PC_BLOCKS, PC_SLIPS, true)

#define KERNEL(name) name##_plain
#define KERNEL_TARGET
#define KERNEL_NUMBER double
#define KERNEL_LANES 2
#define KERNEL_VEC vec2
#define KERNEL_MASK mask2
#include "impact/pack_kernels.h"

#ifdef __x86_64__
#include <immintrin.h>

typedef double vec4 __attribute__((vector_size(32), aligned(8), may_alias));
typedef long long mask4 __attribute__((vector_size(32)));

#define KERNEL(name) name##_avx2
#define KERNEL_TARGET __attribute__((target("avx2")))
#define KERNEL_NUMBER double
#define KERNEL_WIDE
#define KERNEL_LANES 4
#define KERNEL_VEC vec4
#define KERNEL_MASK mask4
#include "impact/pack_kernels.h"
#endif

// Four floats fill the vectors that every processor has.
#undef PACK_VARIANTS
#define PACK_VARIANTS(X)                                                                           \
  X(arms_friction, PC_ARMS, PC_RUBS, false)                                                        \
  X(arms_friction_extra, PC_ARMS, PC_RUBS, true)                                                   \
  X(central_friction, PC_CENTRAL, PC_RUBS, false)                                                  \
  X(central_friction_extra, PC_CENTRAL, PC_RUBS, true)
#define KERNEL(name) name##_single
#define KERNEL_TARGET
#define KERNEL_NUMBER float
#define KERNEL_SINGLE
#define KERNEL_LANES 4
#define KERNEL_VEC single4
#define KERNEL_MASK single_mask4
#include "impact/pack_kernels.h"

const pc_pack_kernels *pc_pack_kernels_single(int shape, int friction, bool extra)
{
  const pc_pack_kernels *found = &table_single[shape][friction][extra];
  return found->sweep != NULL ? found : NULL;
}

const pc_pack_kernels *pc_pack_kernels_of(int shape, int friction, bool extra, bool plain)
{
#ifdef __x86_64__
  if (!plain && __builtin_cpu_supports("avx2"))
    return &table_avx2[shape][friction][extra];
#endif
  (void)plain;
  return &table_plain[shape][friction][extra];
}

const pc_audit_kernels *pc_audit_kernels_of(bool plain)
{
#ifdef __x86_64__
  if (!plain && __builtin_cpu_supports("avx2"))
    return &audit_table_avx2;
#endif
  (void)plain;
  return &audit_table_plain;
}

pc_packing *pc_packing_of(int shape, bool plain)
{
#ifdef __x86_64__
  if (!plain && __builtin_cpu_supports("avx2"))
    return shape == PC_CENTRAL ? packing_central_avx2 : packing_arms_avx2;
#endif
  (void)plain;
  return shape == PC_CENTRAL ? packing_central_plain : packing_arms_plain;
}
