// Identifies coefficients of laws from measured collisions: nonlinear least squares with confidence
// intervals.
//
// The book's remarks 4.2, 5.1 and 5.2: k from collisions of two bodies, nu from those of three, k4
// from drops. Measurements may fail to determine a coefficient (every collision is inelastic for k
// below twice the effective mass): then its interval is marked open on one or both sides.
#ifndef PERCUSS_IDENTIFY_H
#define PERCUSS_IDENTIFY_H

#include <stdbool.h>

#include "percuss/status.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum { PC_MAX_UNKNOWNS = 8 };

// A positive coefficient. `low` may be 0 and `high` INFINITY.
typedef struct pc_unknown {
  const char *name;
  double start, low, high;
} pc_unknown;

// Predicts the measurements for these coefficients. A status other than PC_OK rejects them.
typedef pc_status pc_prediction(void *context, const double *coefficients, double *predicted,
                                pc_error *error);

typedef struct pc_identification {
  int unknowns;
  const pc_unknown *unknown;
  int measurements;
  const double *measured;
  double sigma; // standard deviation of a measurement; 0: estimated from the misfit
  pc_prediction *predict;
  void *context;
} pc_identification;

typedef struct pc_estimate {
  double value;
  double standard_error;    // NAN where the measurements do not determine the coefficient
  double low, high;         // 95 % interval, by profile likelihood
  bool low_open, high_open; // the measurements do not bound the coefficient at this end
} pc_estimate;

typedef struct pc_identify_info {
  bool converged;
  double misfit; // root of the mean squared difference, in the unit of the measurements
  double sigma;  // given or estimated
  int evaluations;
} pc_identify_info;

// `estimates` gets one for every unknown.
pc_status pc_identify(const pc_identification *problem, pc_estimate *estimates,
                      pc_identify_info *info, pc_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
