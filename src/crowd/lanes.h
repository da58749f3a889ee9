// How much people walk in lanes.
#ifndef PERCUSS_CROWD_LANES_H
#define PERCUSS_CROWD_LANES_H

#include "percuss/crowd.h"

// The order of lanes of people who walk one way or the other: for each the share of its own
// direction less that of the other among all in a strip along the way, of this width and with the
// person in its middle; squared, and the mean of that. Full lanes have 1, who are mixed at random
// about one over the number in a strip. (Rex and Loewen, Phys. Rev. E 75, 051402, 2007, with strips
// of any width.) `across`: places across the way; `ahead`: walks the one way. Gives NAN for nobody
// and when memory is out.
double pc_lanes_order(int count, const double *across, const unsigned char *ahead, double width);

// The same of all who want to walk along the axis (0: x, 1: y) of their floor, one way or the
// other, floor by floor, in the mean over people.
double pc_crowd_lanes(const pc_crowd *crowd, int axis, double width);

#endif
