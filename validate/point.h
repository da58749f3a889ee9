// A point that falls on a plane, for the cases of the book's chapter 2.
#ifndef PERCUSS_VALIDATE_POINT_H
#define PERCUSS_VALIDATE_POINT_H

#include "setup.h"

typedef struct pc_point {
  double mass;
  pc_law law;
  double before[3]; // U-, the plane is z = 0
  double kick[3];   // P_ext
  bool quasi_static;
} pc_point;

typedef struct pc_bounce {
  bool ok;
  double after[3];
  double percussion[3];
  double reaction, dissipated;
  double mean; // (U_N+ + U_N-)/2
} pc_bounce;

// NAN everywhere when the solve fails.
pc_bounce pc_point_collide(pc_report *report, const pc_point *p);
// Without friction, straight down.
pc_bounce pc_point_fall(pc_report *report, double mass, pc_normal_law law, double speed);
// The linear law of the chapter, P = k (U+ + U-): its k is half of ours.
pc_normal_law pc_point_quadratic(double k);

#endif
