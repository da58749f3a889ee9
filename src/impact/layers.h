// A first guess for bodies at rest that something pulls one way: percussions that hold every body
// on what is below it, body by body from the top down, so that all their weight arrives at the
// bottom in one pass. Where they can rest on each other so, this is a solution; sweeps alone need
// as many rounds as the square of the number of layers.
#ifndef PERCUSS_IMPACT_LAYERS_H
#define PERCUSS_IMPACT_LAYERS_H

#include "impact/packs.h"

typedef enum pc_layers_end { PC_LAYERS_HELD, PC_LAYERS_NONE, PC_LAYERS_MEMORY } pc_layers_end;

// Changes the percussions r, whose velocities are `line`; every body is held to within a velocity
// of some `close` m/s. None: bodies move, or nothing pulls them, and nothing is done.
pc_layers_end pc_layers_hold(const pc_packs *packs, const double *line, double close, double *r,
                             pc_arena *arena);

#endif
