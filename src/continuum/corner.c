#include "continuum/corner.h"

#include <math.h>
#include <string.h>

#include "continuum/facet.h"
#include "core/small.h"

static const double SHARP = 0.70710678118654752; // cosine of 45 degrees
static const double FLAT = 0.99985;              // cosine of 1 degree
static const double BESIDE = 1e-9;               // of a side: a corner so far beside is over it

pc_fe_corner *pc_fe_corner_list(pc_arena *arena, const pc_fe_mesh *mesh, int sides, int *corners)
{
  const pc_fe_cells *side = &mesh->side;
  size_t room = 1;
  for (int s = 0; s < side->count; s++)
    room += side->cell[s].group == sides ? 2 : 0;
  pc_fe_corner *list = pc_arena_take(arena, room, sizeof *list);
  *corners = 0;
  for (int s = 0; list != NULL && mesh->dimension == 2 && s < side->count; s++)
    for (int end = 0; side->cell[s].group == sides && end < 2; end++) {
      int node = side->node[side->cell[s].first + 1 - end], next = -1;
      for (int t = 0; t < side->count; t++)
        if (side->cell[t].group == sides && side->node[side->cell[t].first + end] == node)
          next = t;
      if (next >= 0 && end == 1) // the side that ends there has listed it
        continue;
      pc_facet f, g;
      pc_facet_make(mesh, s, (const double(*)[3])mesh->node, &f);
      if (next >= 0) {
        pc_facet_make(mesh, next, (const double(*)[3])mesh->node, &g);
        const double *a = f.tangent[0], *b = g.tangent[0];
        if (!(pc_dot3(a, b) < SHARP && a[0] * b[1] - a[1] * b[0] > 0))
          continue;
      }
      list[(*corners)++] =
          (pc_fe_corner){.node = node, .side = {end == 0 ? s : next, end == 0 ? next : s}};
    }
  return list;
}

// Whether the sides of a corner let it come to a surface with the normal n as a corner: they face
// it, and none is flat on it.
static bool is_pointing(const pc_fe_corner *c, const pc_fe_mesh *mesh, const double (*place)[3],
                        const double n[3])
{
  double facing = 0;
  for (int k = 0; k < 2; k++) {
    if (c->side[k] < 0)
      continue;
    pc_facet f;
    pc_facet_make(mesh, c->side[k], place, &f);
    double along = pc_dot3(f.normal, n);
    if (along < -FLAT)
      return false;
    facing += along;
  }
  return facing < 0;
}

// The condition of a corner over a side, if it is nearer than `gap`.
static void meet_side(pc_fe_corner *c, const pc_fe_mesh *mesh, const pc_facet *g,
                      const double (*place)[3], double travel, pc_fe_meeting *meeting, double *gap)
{
  const double *x = place[c->node];
  double p[2], apart[3], out[3];
  pc_facet_point at;
  pc_facet_project(g, x, p);
  double beside = BESIDE * g->radius;
  if (p[0] < g->corner[0][0] - beside || p[0] > g->corner[1][0] + beside ||
      !pc_facet_find(2, g, g, p, &at))
    return;
  double length = pc_fe_length(at.normal);
  for (int k = 0; k < 3; k++)
    out[k] = at.normal[k] / length;
  pc_sub3(x, at.x, apart);
  double now = pc_dot3(out, apart);
  if (fabs(now) > 2 * g->radius + travel || !(fabs(now) < fabs(*gap)) ||
      !is_pointing(c, mesh, place, out))
    return;
  *gap = now;
  meeting->shares = 1 + g->nodes;
  meeting->share = c->share;
  c->share[0].node = c->node;
  for (int b = 0; b < g->nodes; b++)
    c->share[1 + b].node = g->node[b];
  for (int k = 0; k < 3; k++) {
    meeting->normal[k] = c->share[0].factor[k] = -out[k];
    for (int b = 0; b < g->nodes; b++)
      c->share[1 + b].factor[k] = at.value[b] * out[k];
  }
}

void pc_fe_corner_make(int corners, pc_fe_corner *corner, const pc_fe_mesh *mesh, int other,
                       const double (*place)[3], double travel, pc_fe_meeting *meeting, double *gap)
{
  memset(meeting, 0, (size_t)mesh->nodes * sizeof *meeting);
  for (int i = 0; i < mesh->nodes; i++)
    gap[i] = INFINITY;
  for (int t = 0; t < mesh->side.count && corners > 0; t++) {
    if (mesh->side.cell[t].group != other)
      continue;
    pc_facet g;
    pc_facet_make(mesh, t, place, &g);
    for (int i = 0; i < corners; i++)
      meet_side(&corner[i], mesh, &g, place, travel, &meeting[corner[i].node],
                &gap[corner[i].node]);
  }
}
