// Springs, nets, strings and bonds, and the linearised rows by which a step takes the stiff ones.
#ifndef PERCUSS_RIGID_ELEMENTS_H
#define PERCUSS_RIGID_ELEMENTS_H

#include "core/array.h"
#include "percuss/world.h"

// Rows of a stiff element, linearised where the body would be after a part `theta` of the step (1/2
// or 1). With D = B U the rate at which it is loaded, F its force there and k its stiffness,
//     P = -(h F along `force_row`) - B^T (theta h^2 k (B mean U - B U^-) + h damping B mean U).
typedef struct pc_stiff {
  int body[2]; // the second may be -1
  int element; // -1: the spring of an overlap
  int rows;
  double row[2][3 * 6];    // per body: rows x dof
  double force_row[2][6];  // where the force itself acts
  double force, stiffness; // N, N/m
  double damping;          // N s/m, of the first row
  double theta;
  double before[3]; // B U^-
  double depth;     // overlap springs: their depth
  bool hard;        // would throw its bodies back within a step or two
  double counted;   // of what the problem counts as dissipated in it: work of the element
  int interaction;
} pc_stiff;

typedef PC_ARRAY(pc_stiff) pc_stiff_list;

typedef enum pc_element_kind {
  PC_ELEMENT_SPRING,
  PC_ELEMENT_NET,
  PC_ELEMENT_STRING // between its two bodies, from `point` in the first to `place` in the second
} pc_element_kind;
typedef struct pc_force_element {
  pc_element_kind kind;
  double stiffness;
  int body;                             // spring
  double point[3], place[3], normal[3]; // spring: in the body from its centre of mass; its place
                                        // at no load, in the world; direction of the force
  double low[3], high[3];               // net
  double length, damping;               // string
  int count;
  int *bodies;
  bool moves;                // net: with the centre of mass of its bodies
  double mass, origin[3];    // of them; its middle as it was given
  double shift[3], drift[3]; // how far it has moved, and its velocity
  double owed[3];            // to all its bodies, for its forces in the last step, N s
  double force[3], energy;   // of the last step
  double work;               // done on the bodies in the last step, and no less than that
  double reserve;            // spring, string: what it may give back, J; reserve.c
  double peak, part;         // the most it had to do with; the part of it that may be wrong
} pc_force_element;

// Two bodies, told by their numbers, that hold on to each other; the points in their axes.
typedef struct pc_bond {
  pc_body body[2];
  double point[2][3];
  double stiffness;
  int interaction;
} pc_bond;

typedef struct pc_elements {
  PC_ARRAY(pc_force_element) list;
  PC_ARRAY(pc_bond) bond;
  pc_stiff_list row;       // of the step
  pc_stiff_list *found;    // per piece, while rows are looked for
  PC_ARRAY(double) energy; // per body of every element
  int reserved;            // elements that have their reserve
  int judged;              // elements whose stiffness was compared with the step
  double judged_h;         // of that step
} pc_elements;

void pc_elements_free(pc_elements *elements);

#endif
