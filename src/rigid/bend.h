// How the gaps of round bodies bend within a step (geometry/rim.h).
#ifndef PERCUSS_RIGID_BEND_H
#define PERCUSS_RIGID_BEND_H

#include "geometry/rim.h"
#include "rigid/detection.h"

// Whether the gaps between two bodies may bend: one of them has rims.
static inline bool pc_contact_may_bend(const pc_detection *search, int a, int b)
{
  const pc_outline *outline = search->outlines->body.at;
  return outline[a].has_rims || outline[b].has_rims;
}

// How a contact bends from the middle of this step to that of the next, if both bodies go on as
// they move now. False if it does not.
bool pc_contact_bend(const pc_detection *search, const pc_contact_data *contact, pc_bend *bend);

#endif
