// The plane of relative velocities after an impact of three balls.
//
// With the Delassus matrix G = W^T M^-1 W the energy of relative motion is gamma^T G^-1 gamma / 2,
// so the outcomes with one KER lie on an ellipse, and the admissible ones in the quarter of it
// where both contacts separate. In the coordinates
//
//     gamma = r R d(theta),   0 <= r <= 1,   0 <= theta <= pi/2,   d^T G^-1 d = 1
//
// with R^2 = gamma-^T G^-1 gamma-, that quarter is a rectangle and KER = KER_min + (1 - KER_min)
// r^2.
#ifndef PERCUSS_CHAIN_PICTURE_PLANE_H
#define PERCUSS_CHAIN_PICTURE_PLANE_H

#include "percuss/chain.h"

#define PC_HALF_PI 1.57079632679489661923

typedef struct pc_plane {
  const double *mass;
  double total;            // mass
  double speed;            // V_s
  double momentum;         // over V_s
  double inverse[3];       // G^-1: 11, 12, 22
  double reach;            // R
  double ker_min, kinetic; // 2 T- over V_s^2
  bool equal;              // balls alike and the first strikes: the experiments apply
} pc_plane;

// Three balls without walls that approach.
pc_status pc_plane_make(const pc_chain *chain, pc_plane *plane, pc_error *error);
// gamma / V_s of the coordinates.
void pc_plane_at(const pc_plane *plane, double r, double theta, double gamma[2]);
// Velocities of the balls, over V_s.
void pc_plane_velocities(const pc_plane *plane, const double gamma[2], double velocity[3]);
double pc_plane_ker(const pc_plane *plane, const double velocity[3]);
double pc_plane_cke(const pc_plane *plane, double r, double theta);

#endif
