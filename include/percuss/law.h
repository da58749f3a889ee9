// Constitutive laws of an interaction: the percussion P as a function of the deformation velocity
// D.
//
// Every coefficient follows P = k D(mean velocity), pseudo-potential Phi = k D^2 / 2. k -> infinity
// is elastic, k = 0 inelastic. Chapter 2 of Fremond's book has half this k and the same k0.
#ifndef PERCUSS_LAW_H
#define PERCUSS_LAW_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

// X = D_N(mean velocity), np(x) = max(-x, 0). On a contact all kinds but `penetrable`,
// `restitution` and `bilateral` add non-penetration, D_N+ >= b.
typedef enum pc_normal_kind {
  PC_NORMAL_NONE,        // no normal law (spin and explicit rows)
  PC_NORMAL_INELASTIC,   // 0
  PC_NORMAL_QUADRATIC,   // k X^2 / 2
  PC_NORMAL_POWER,       // (k/p) |X|^p, p > 1
  PC_NORMAL_THRESHOLD,   // k0 np(X + u_lim) + k np(X + u_lim)^2 / 2   (book 2.8.2)
  PC_NORMAL_PENETRABLE,  // k0 np(X - D_N^-/2) + k X^2 / 2             (book 2.8.3)
  PC_NORMAL_RESTITUTION, // D_N+ >= b - e D_N^-, P_N <= 0, complementary (Moreau)
  PC_NORMAL_BILATERAL,   // D+ = b
  PC_NORMAL_KINDS
} pc_normal_kind;

typedef struct pc_normal_law {
  pc_normal_kind kind;
  double k;     // kg (contact), kg/m^2 (distance), kg m^2 (spin); for `power` kg (m/s)^(2-p)
  double p;     // exponent of `power`
  double k0;    // N s
  double u_lim; // m/s, >= 0
  double e;     // 0 to 1
} pc_normal_law;

typedef enum pc_tangential_kind {
  PC_TANGENTIAL_NONE,      // P_T = 0
  PC_TANGENTIAL_VISCOUS,   // P_T = k D_T(mean)
  PC_TANGENTIAL_COULOMB,   // |P_T| <= mu |P_N|, opposed to the sliding velocity
  PC_TANGENTIAL_BILATERAL, // D_T+ = 0
  PC_TANGENTIAL_KINDS
} pc_tangential_kind;

// The sliding velocity in Coulomb's law.
typedef enum pc_coulomb_on {
  PC_ON_MEAN,   // (U_T+ + U_T-)/2, Fremond
  PC_ON_AFTER,  // U_T+, classical contact dynamics
  PC_ON_MOREAU, // U_T+ + e U_T-, with the e of the normal law (0 when it has none)
} pc_coulomb_on;

typedef struct pc_tangential_law {
  pc_tangential_kind kind;
  double k;         // viscous, kg
  double mu[2];     // coulomb; mu[1] is used only if `anisotropic`
  bool anisotropic; // elliptic cone: mu[0] along `axis` (projected on the tangent plane), mu[1]
                    // across it
  double axis[3];
  pc_coulomb_on on;
  bool rolls; // coulomb: also rolling friction, a moment |M| <= rolling |P_N| across the normal,
              // opposed to the relative spin across the normal
  double rolling; // m
} pc_tangential_law;

typedef struct pc_law {
  pc_normal_law normal;
  pc_tangential_law tangential;
} pc_law;

// Inelastic, with Coulomb friction mu = 0.5 on the velocity after: the default law of a world. A
// zeroed law has no friction and, on a contact, no normal law either.
pc_law pc_law_default(void);

const char *pc_normal_kind_name(pc_normal_kind kind);
const char *pc_tangential_kind_name(pc_tangential_kind kind);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
