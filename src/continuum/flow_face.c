// Faces of bodies on the water, where they are now.
#include <math.h>

#include "continuum/flow_state.h"

static const double BESIDE = 1e-6; // of a face: a point that is so far beside is still on it

pc_flow_face pc_flow_face_of(const pc_fe_flow *f, int contact, const double (*place)[3])
{
  const pc_fe_flow_contact *c = &f->def.contact[contact];
  const double *centre = f->def.body[c->body].centre, *at = place[c->body];
  double s = sin(at[2]), o = cos(at[2]), end[2][2];
  for (int e = 0; e < 2; e++) {
    double x = c->end[e][0] - centre[0], y = c->end[e][1] - centre[1];
    end[e][0] = at[0] + o * x - s * y;
    end[e][1] = at[1] + s * x + o * y;
  }
  pc_flow_face to = {.end = {end[0][0], end[0][1]},
                     .length = hypot(end[1][0] - end[0][0], end[1][1] - end[0][1])};
  for (int k = 0; k < 2; k++)
    to.tangent[k] = (end[1][k] - end[0][k]) / to.length;
  to.normal[0] = -f->facing[contact] * to.tangent[1];
  to.normal[1] = f->facing[contact] * to.tangent[0];
  return to;
}

double pc_flow_face_gap(const pc_flow_face *to, const double x[2])
{
  return (x[0] - to->end[0]) * to->normal[0] + (x[1] - to->end[1]) * to->normal[1];
}

bool pc_flow_face_covers(const pc_flow_face *to, const double x[2])
{
  double at = (x[0] - to->end[0]) * to->tangent[0] + (x[1] - to->end[1]) * to->tangent[1];
  return at >= -BESIDE * to->length && at <= (1 + BESIDE) * to->length;
}
