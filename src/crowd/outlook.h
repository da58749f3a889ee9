// What a person who walks sees: the people ahead that no wall hides, and how they count.
#ifndef PERCUSS_CROWD_OUTLOOK_H
#define PERCUSS_CROWD_OUTLOOK_H

#include "core/array.h"
#include "crowd/cells.h"
#include "crowd/layout.h"
#include "percuss/crowd.h"

#define PC_OUTLOOK_REACH 2.5 // m: how far ahead people count,
#define PC_OUTLOOK_ASIDE 0.9 // and how far to either side

// What others see of people, in the order of the cells: places in the world, velocities, unit
// vectors of where they want to go (zero: nowhere), radii.
// PC_OUTLOOK_PAD more places can be read.
enum { PC_OUTLOOK_PAD = 4 };
typedef struct pc_outlook {
  PC_ARRAY(double) x, y, u, v, heads_x, heads_y, radius;
} pc_outlook;
bool pc_outlook_reserve(pc_outlook *outlook, int people);
void pc_outlook_free(pc_outlook *outlook);

// A person who looks ahead.
typedef struct pc_viewer {
  const pc_walking *walking;
  const pc_cells *cells;
  const pc_outlook *outlook;
  const pc_layout *plan;
  double offset; // of the floor
  int person;
  double from[2], radius;
  double way[2]; // of the route, unit vector
  double along;  // own velocity along that
} pc_viewer;

// What the person sees.
typedef struct pc_view {
  double density; // of those who do not come the other way
  double coming;  // sum of weights of those who do
  double speed;   // at which the person does not run into anybody
  double aside;   // how far to turn to the left, as a tangent
  bool yields;    // is blocked by somebody who is blocked by this person, and waits
} pc_view;
pc_view pc_look_ahead(const pc_viewer *viewer);

#endif
