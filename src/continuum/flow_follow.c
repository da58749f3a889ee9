// How the free surface follows the water. Node i rises along its spine d so that
//
//     rise_i d . n_i = sum over nodes j of Um_j . c_ij,     with sum over i of c_ij = n_j
//
// which keeps the volume. In general c_ii = n_i is all: no water goes through the surface. A node
// that a face rests on goes with the face, along the face's normal m: its c_ii is parallel to m. At
// the edge of a face the surface beside it has another slope; the water that flows past the node
// there lifts the next node of that side. So one normal, the face's, has the condition, the
// percussion and the way of the node, and a body is pushed along it alone.
#include <math.h>
#include <string.h>

#include "continuum/flow_state.h"

static const double STEEP = 0.02; // cosine between a spine and the normal of a face, at least

// The normal of the face that rests on a node; false if there is none that it can follow.
static bool find_face(const pc_fe_flow *f, int node, double normal[2])
{
  const double *d = f->spine[f->spine_of[node]].direction;
  for (int i = 0; i < f->def.contacts; i++) {
    if (f->def.contact[i].body < 0 || !f->closed[pc_flow_mark(f, i, node)])
      continue;
    pc_flow_face face = pc_flow_face_of(f, i, (const double(*)[3])f->middle);
    memcpy(normal, face.normal, sizeof face.normal);
    return fabs(d[0] * normal[0] + d[1] * normal[1]) > STEEP;
  }
  return false;
}

// Gives what flows past node k of a side to nodes of it that no face rests on: the middle, or ends.
static void hand_over(pc_fe_flow *f, const pc_flow_side *side, const bool faced[3], int k,
                      const double past[2])
{
  int takers = !faced[2] ? 1 : (int)!faced[0] + (int)!faced[1];
  for (int to = 0; to < 3; to++) {
    if (faced[to] || (to < 2 && !faced[2]))
      continue;
    f->carry[f->carries++] = (pc_flow_carry){
        f->spine_of[side->node[to]], side->node[k], {past[0] / takers, past[1] / takers}};
  }
}

void pc_flow_find_carries(pc_fe_flow *f)
{
  f->carries = f->spines;
  bool rests = false;
  for (int i = 0; i < f->spines; i++)
    f->carry[i] = (pc_flow_carry){i, f->spine[i].node, {f->normal[i][0], f->normal[i][1]}};
  for (int i = 0; i < f->def.contacts; i++)
    rests = rests || (f->def.contact[i].body >= 0 && f->touch[i].closed > 0);
  for (int s = 0; s < f->sides && rests; s++) {
    const pc_flow_side *side = &f->side[s];
    double face[3][2], normal[3][2];
    bool faced[3], all = true;
    for (int k = 0; side->free && k < 3; k++) {
      faced[k] = find_face(f, side->node[k], face[k]);
      all = all && faced[k];
    }
    if (!side->free || all) // a side that lies on faces has their slope
      continue;
    pc_flow_side_normals(side, (const double(*)[3])f->x, normal);
    for (int k = 0; k < 3; k++) {
      if (!faced[k])
        continue;
      int own = f->spine_of[side->node[k]];
      const double *d = f->spine[own].direction, *n = normal[k], *m = face[k];
      double part = (d[0] * n[0] + d[1] * n[1]) / (d[0] * m[0] + d[1] * m[1]), past[2];
      for (int c = 0; c < 2; c++) {
        past[c] = n[c] - part * m[c];
        f->carry[own].part[c] -= past[c];
      }
      hand_over(f, side, faced, k, past);
    }
  }
}

// d . n of a spine.
static double lift_of(const pc_fe_flow *f, int spine)
{
  const double *n = f->normal[spine], *d = f->spine[spine].direction;
  return n[0] * d[0] + n[1] * d[1];
}

void pc_flow_rise(const pc_fe_flow *f, double h, double *height)
{
  for (int i = 0; i < f->carries; i++) {
    const pc_flow_carry *c = &f->carry[i];
    const double *u = f->mean + 2 * c->node;
    double rise = (u[0] * c->part[0] + u[1] * c->part[1]) / lift_of(f, c->spine);
    height[c->spine] += h * rise;
  }
}

void pc_flow_add_weight(const pc_fe_flow *f, double h, double *load)
{
  for (int i = 0; i < f->carries; i++) {
    const pc_flow_carry *c = &f->carry[i];
    for (int k = 0; k < 2; k++)
      load[2 * c->node + k] -= h * f->gradient[c->spine] / lift_of(f, c->spine) * c->part[k];
  }
}
