// Faces of bodies on the water, where they are now.
#include <math.h>
#include <string.h>

#include "continuum/flow_state.h"
#include "core/elementary.h"

static const double BESIDE = 1e-6; // of a face: a point that is so far beside is still on it

pc_flow_face pc_flow_face_of(const pc_fe_flow *f, int contact, const double (*place)[3])
{
  const pc_fe_flow_contact *c = &f->def.contact[contact];
  const double *centre = f->def.body[c->body].centre, *at = place[c->body];
  double s = pc_sin(at[2]), o = pc_cos(at[2]), end[2][2];
  for (int e = 0; e < 2; e++) {
    double x = c->end[e][0] - centre[0], y = c->end[e][1] - centre[1];
    end[e][0] = at[0] + o * x - s * y;
    end[e][1] = at[1] + s * x + o * y;
  }
  pc_flow_face to = {.end = {end[0][0], end[0][1]},
                     .length = pc_hypot(end[1][0] - end[0][0], end[1][1] - end[0][1])};
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

int pc_fe_flow_find_averted(const pc_fe_flow *f)
{
  for (int i = 0; i < f->def.contacts; i++)
    if (f->def.contact[i].body >= 0 && f->facing[i] == 0)
      return i;
  return -1;
}

// Where a place is along the horizon.
static double across(const pc_fe_flow *f, const double x[2])
{
  return f->up[1] * x[0] - f->up[0] * x[1];
}

// The widest gap between neighbouring nodes of the surface that is between these places.
static double widest_gap(const pc_fe_flow *f, double low, double high)
{
  double widest = 0;
  for (int s = 0; s < f->sides; s++)
    for (int k = 0; f->side[s].free && k < 2; k++) {
      const int *node = f->side[s].node; // two ends and the middle
      double a = across(f, f->x0[node[k]]), b = across(f, f->x0[node[2]]);
      if (fmax(a, b) > low && fmin(a, b) < high)
        widest = fmax(widest, fabs(b - a));
    }
  return widest;
}

int pc_fe_flow_find_narrow(const pc_fe_flow *f, double *width, double *spacing)
{
  for (int i = 0; i < f->def.contacts; i++) {
    if (f->def.contact[i].body < 0)
      continue;
    pc_flow_face face = pc_flow_face_of(f, i, (const double(*)[3])f->now.place);
    double from = across(f, face.end), to = from + face.length * across(f, face.tangent);
    bool anywhere = across(f, f->now.body[f->def.contact[i].body]) != 0;
    *width = fabs(to - from);
    *spacing = anywhere ? widest_gap(f, -INFINITY, INFINITY)
                        : widest_gap(f, fmin(from, to), fmax(from, to));
    // A face from node to node has nodes at its ends.
    if (*width < (1 - 1e-9) * *spacing)
      return i;
  }
  return -1;
}

// Points of sides, because a face may be between two nodes.
int pc_fe_flow_find_sunk(const pc_fe_flow *f, double *depth, double at[2])
{
  enum { POINTS = 16 };
  int sunk = -1;
  *depth = pc_flow_drift(f);
  for (int i = 0; i < f->def.contacts; i++) {
    if (f->def.contact[i].body < 0)
      continue;
    pc_flow_face face = pc_flow_face_of(f, i, (const double(*)[3])f->now.place);
    for (int s = 0; s < f->sides; s++)
      for (int q = 0; f->side[s].free && q <= POINTS; q++) {
        double value[PC_ELEMENT_NODES_MAX], x[2] = {0}, xi[3] = {2. * q / POINTS - 1, 0, 0};
        pc_element_shape(PC_LINE3, xi, value, NULL);
        for (int k = 0; k < 3; k++)
          for (int c = 0; c < 2; c++)
            x[c] += value[k] * f->x0[f->side[s].node[k]][c];
        if (!pc_flow_face_covers(&face, x) || -pc_flow_face_gap(&face, x) <= *depth)
          continue;
        *depth = -pc_flow_face_gap(&face, x);
        memcpy(at, x, sizeof x);
        sunk = i;
      }
  }
  return sunk;
}
