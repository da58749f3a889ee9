// How deep bodies are in each other, from their states alone: the same code for every engine.
#ifndef PEERS_OVERLAP_H
#define PEERS_OVERLAP_H

#include "scene.h"

typedef struct overlap {
  double largest, sum; // m, over pairs that overlap
  long pairs;
} overlap;

// The overlap of a pair is the shortest way to part it: exact for spheres, boxes and planes.
bool overlap_measure(const scene *s, const body_state *state, overlap *out); // false: no memory

#endif
