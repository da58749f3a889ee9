// The audit of contacts whose laws packs can hold, without rolling friction, many at a time: most
// of what a heap is made of. The same account as audit.c makes of one interaction.
#ifndef PERCUSS_IMPACT_AUDIT_KERNELS_H
#define PERCUSS_IMPACT_AUDIT_KERNELS_H

#include "impact/contact_batch.h"

// What a batch has besides: of the law (pc_law_data.account), and the trace of the response at the
// centre of the bodies in place of PC_IN_LIGHT.
enum {
  PC_AUDIT_E = PC_IN_OWN, // restitution
  PC_AUDIT_K,             // of a quadratic law
  PC_AUDIT_WIDE,          // 1 if it acts across the normal
  PC_AUDIT_SIGNED,        // 1 if the sign of what is dissipated across is guaranteed
  PC_AUDIT_FRICTION,      // 1 if that is friction's own
  PC_AUDIT_RESTITUTION    // 1 if it is of restitution
};

// What the second pass needs of each interaction; nothing acts at those of another kind. The arrays
// are longer by PC_BATCH than there are interactions.
typedef struct pc_audit_numbers {
  double *before, *after, *percussion; // along the normal
  double *bound;                       // with restitution
  double *k;                           // of a quadratic law
  double *across;                      // dissipated across the normal, if its sign is guaranteed
  double *trace, *square;              // of the response, of P
} pc_audit_numbers;

// Sums of the first pass and of the second, lane by lane.
typedef double pc_audit_lanes[PC_BATCH_LANES];
typedef struct pc_audit_first {
  pc_audit_lanes dissipated, friction, restitution, terms;
  pc_audit_lanes penetration, speed; // largest ones: normal velocity before, or bound
} pc_audit_first;
typedef struct pc_audit_second {
  pc_audit_lanes with_sign, separating, bounds;
  pc_audit_lanes product; // the largest of reaction and what is left of the bound
  pc_audit_lanes lowest;  // the least dissipation that should not be negative, or 0
} pc_audit_second;

typedef struct pc_audit_kernels {
  // A batch that begins with interaction k.
  void (*measure)(const pc_batch *batch, int k, const pc_audit_numbers *numbers,
                  pc_audit_first *sums);
  // Interactions from `begin`, where a batch does, to `end`. `noise` gets the size of a velocity
  // times that of P, `lowest` the dissipation where it should not be negative and is: they may be
  // `trace` and `across`.
  void (*judge)(const pc_impact *problem, const pc_audit_numbers *numbers, int begin, int end,
                double *lowest, double *noise, pc_audit_second *sums);
} pc_audit_kernels;
const pc_audit_kernels *pc_audit_kernels_of(bool plain);

#endif
