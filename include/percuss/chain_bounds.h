// Measures of an impact of a chain of balls, and bounds on what any impact law could give.
//
// After Nguyen and Brogliato, "Multiple impacts in dissipative granular chains", chapter 2. The
// balls are numbered along the line; contact i is between balls i and i + 1. The measures do
// not depend on the law: they need masses, velocities before and after, and contact impulses.
#ifndef PERCUSS_CHAIN_BOUNDS_H
#define PERCUSS_CHAIN_BOUNDS_H

#include <stdbool.h>
#include <stddef.h>

#include "percuss/status.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

// The motion pattern after the impact, by the number of balls that move against the total momentum
// before it. For three balls and a striker these are the patterns of section 2.2.2.
typedef enum pc_chain_pattern {
  PC_CHAIN_PATTERN_NONE = 0, // no total momentum, so no forward direction
  PC_CHAIN_PATTERN_I,        // one ball rebounds
  PC_CHAIN_PATTERN_II,       // all move forward or stop
  PC_CHAIN_PATTERN_III,      // two balls or more rebound
} pc_chain_pattern;

typedef struct pc_chain_measures {
  double kinetic_before, kinetic_after;   // T-, T+
  double momentum_before, momentum_after; // of the balls
  double ker;                             // T+ / T-; NAN for a chain at rest before
  double ker_min;                         // all balls together, (2.18); NAN likewise
  double cke;                             // dispersion (2.19), 0 to sqrt(n - 1); NAN if T+ = 0
  double angle_min, angle_max;            // kinetic angles (2.26), radians; NAN for two balls
  double percussion_ratio;                // of the last contact to the first; NAN if that is 0
  int rebounds;                           // balls that move against the momentum before
  pc_chain_pattern pattern;
  bool momentum_kept; // true without walls, to the tolerance
  bool kinematic;     // the balls separate, (2.9)
  bool kinetic;       // the contacts push, (2.10)
  bool energetic;     // no energy is gained, (2.11)
} pc_chain_measures;

// n >= 2 balls of positive, finite masses. `percussion` has the n - 1 contacts between balls, >= 0
// where they push; if it is NULL it follows from the velocities, (2.8). `tolerance` is relative to
// the largest velocity, momentum and energy; below it balls do not move and contacts do not pull.
//
// With walls at the ends the measures are those of the balls alone. Momentum is not kept, energy
// may fall below KER_min, and percussions do not follow from velocities: give them, else `kinetic`
// is false. The caller must check that balls and walls separate.
pc_status pc_chain_measure(size_t n, const double *mass, const double *before, const double *after,
                           const double *percussion, double tolerance, pc_chain_measures *measures,
                           pc_error *error);

// The n - 1 contact impulses that change the velocities of a chain without walls as given, (2.8).
void pc_chain_percussions(size_t n, const double *mass, const double *before, const double *after,
                          double *percussion);

// The n - 2 kinetic angles between neighbouring contacts, (2.26), radians.
void pc_chain_kinetic_angles(size_t n, const double *mass, double *angle);

typedef struct pc_chain_bounds_options {
  double gap;         // wanted gap between the extreme found and the bound proven, in units of C_KE
  long long max_work; // maximum number of search nodes; the search then returns the current gap
} pc_chain_bounds_options;

// A gap of 1e-6, which takes about five search nodes, and at most 10,000 nodes. 1e-9 takes twice as
// many and cannot be reached in floating point where C_KE is below about 1e-3.
pc_chain_bounds_options pc_chain_bounds_options_default(void);

// One extreme of C_KE. It lies between `found`, which the velocities attain, and `proven`, a bound
// for every admissible outcome; both account for rounding errors.
typedef struct pc_chain_extreme {
  double found;
  double proven;
  double gap;     // |found - proven|
  bool closed;    // the gap is not larger than wanted
  long long work; // search nodes
} pc_chain_extreme;

typedef struct pc_chain_bounds {
  double ker_min;
  pc_chain_extreme min, max;
} pc_chain_bounds;

// The least and the largest C_KE over all outcomes that keep the momentum of `before`, have `ker`
// times its energy and separate (problem 2.22), as proven
// global extremes. After a strike at one end all of them need pushes only; if several balls move
// before, some may need a pull. `ker` is at
// least KER_min; above 1 the outcomes gain energy. `options` may be NULL, and so may `v_min` and
// `v_max`, which get velocities that reach the extremes. There are no walls. Up to 1000 balls.
pc_status pc_chain_bound(size_t n, const double *mass, const double *before, double ker,
                         const pc_chain_bounds_options *options, pc_chain_bounds *bounds,
                         double *v_min, double *v_max, pc_error *error);

// Families of masses, the first ball of mass 1: m_i = (1 - factor) m_{i-1}, (1 + factor) m_{i-1},
// and 1, factor, 1, factor, ...
typedef enum pc_chain_family {
  PC_CHAIN_TAPERED,
  PC_CHAIN_ANTI_TAPERED,
  PC_CHAIN_DECORATED,
} pc_chain_family;

void pc_chain_family_masses(pc_chain_family family, double factor, size_t n, double *mass);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
