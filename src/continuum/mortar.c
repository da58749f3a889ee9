#include "continuum/mortar.h"

#include <math.h>
#include <string.h>

#include "continuum/facet.h"
#include "core/error.h"
#include "core/small.h"

enum {
  DEGREE = 5, // of psi times a quadratic shape function; on rectangles 4
  CORNERS_MAX = 2 * PC_SIDE_CORNERS_MAX
};
static const double THIN = 1e-9;   // an overlap this small beside the largest is none
static const double FACING = -0.5; // cosine of normals

// A convex part of a plane; in the plane of a mesh an interval, with its ends as corners.
typedef struct region {
  int corners;
  double at[CORNERS_MAX][2];
} region;

static void scale(double factor, double v[3])
{
  for (int i = 0; i < 3; i++)
    v[i] *= factor;
}

// The part of a region on the left of the line from a to b.
static void clip(region *r, const double a[2], const double b[2])
{
  region from = *r;
  r->corners = 0;
  for (int i = 0; i < from.corners; i++) {
    const double *p = from.at[i], *q = from.at[(i + 1) % from.corners];
    double edge[2] = {b[0] - a[0], b[1] - a[1]};
    double left = edge[0] * (p[1] - a[1]) - edge[1] * (p[0] - a[0]);
    double next = edge[0] * (q[1] - a[1]) - edge[1] * (q[0] - a[0]);
    if (left >= 0)
      memcpy(r->at[r->corners++], p, sizeof r->at[0]);
    if ((left > 0 && next < 0) || (left < 0 && next > 0))
      for (int k = 0; k < 2; k++) {
        r->at[r->corners][k] = p[k] + left / (left - next) * (q[k] - p[k]);
        r->corners += k;
      }
  }
}

// What both sides share, in the plane of the first.
static void overlap(int dimension, const pc_facet *f, const pc_facet *g, region *r)
{
  r->corners = g->corners;
  for (int i = 0; i < g->corners; i++)
    pc_facet_project(f, g->x[i], r->at[i]);
  if (dimension == 3) {
    for (int i = 0; i < f->corners && r->corners > 0; i++)
      clip(r, f->corner[i], f->corner[(i + 1) % f->corners]);
    return;
  }
  double low = fmax(f->corner[0][0], fmin(r->at[0][0], r->at[1][0]));
  double high = fmin(f->corner[1][0], fmax(r->at[0][0], r->at[1][0]));
  r->corners = low < high ? 2 : 0;
  r->at[0][0] = low;
  r->at[1][0] = high;
}

// Integrals over the overlap of two sides: of psi_a alone, times the gap, times nu, and this times
// the shape functions of both sides.
typedef struct integrals {
  double weight[PC_SIDE_CORNERS_MAX], gap[PC_SIDE_CORNERS_MAX], normal[PC_SIDE_CORNERS_MAX][3];
  double own[PC_SIDE_CORNERS_MAX][PC_SIDE_NODES_MAX][3];
  double other[PC_SIDE_CORNERS_MAX][PC_SIDE_NODES_MAX][3];
} integrals;

static void add_point(int dimension, const pc_facet *f, const pc_facet *g, const double p[2],
                      double weight, integrals *to)
{
  pc_facet_point own, other;
  double psi[PC_ELEMENT_NODES_MAX], apart[3];
  if (!pc_facet_find(dimension, f, g, p, &other) || !pc_facet_find(dimension, f, f, p, &own))
    return;
  double faces = pc_dot3(f->normal, other.normal);
  if (!(faces <= FACING * pc_fe_length(other.normal)))
    return;
  scale(1 / faces, other.normal); // nu
  pc_sub3(other.x, own.x, apart);
  pc_element_shape(pc_element_of(f->type)->linear, own.xi, psi, NULL);
  for (int a = 0; a < f->corners; a++) {
    double part = weight * psi[a];
    to->weight[a] += part;
    to->gap[a] += part * pc_dot3(f->normal, apart);
    for (int k = 0; k < 3; k++) {
      double along = part * other.normal[k];
      to->normal[a][k] += along;
      for (int b = 0; b < f->nodes; b++)
        to->own[a][b][k] += along * own.value[b];
      for (int b = 0; b < g->nodes; b++)
        to->other[a][b][k] -= along * other.value[b];
    }
  }
}

static void integrate(int dimension, const pc_facet *f, const pc_facet *g, const region *r,
                      integrals *to)
{
  pc_quadrature rule;
  memset(to, 0, sizeof *to);
  pc_quadrature_make(&rule, dimension == 2 ? PC_LINE2 : PC_TRIANGLE3, DEGREE);
  if (dimension == 2) {
    double half = (r->at[1][0] - r->at[0][0]) / 2, middle = (r->at[1][0] + r->at[0][0]) / 2;
    for (int k = 0; k < rule.points; k++)
      add_point(2, f, g, (double[]){middle + half * rule.at[k][0], 0}, half * rule.weight[k], to);
    return;
  }
  for (int i = 1; i + 1 < r->corners; i++) {
    const double *a = r->at[0], *b = r->at[i], *c = r->at[i + 1];
    double det = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    for (int k = 0; k < rule.points; k++) {
      double s = rule.at[k][0], t = rule.at[k][1];
      double p[2] = {a[0] + s * (b[0] - a[0]) + t * (c[0] - a[0]),
                     a[1] + s * (b[1] - a[1]) + t * (c[1] - a[1])};
      add_point(3, f, g, p, fabs(det) * rule.weight[k], to);
    }
  }
}

static bool add_entry(pc_fe_mortar *m, int at, int node, const double factor[3])
{
  pc_mortar_entry *to = pc_array_add(&m->entry);
  if (to != NULL)
    *to = (pc_mortar_entry){at, {node, {factor[0], factor[1], factor[2]}}};
  return to != NULL;
}

// What a pair of sides contributes. Until the sums are complete, they are not divided.
static bool add_pair(pc_fe_mortar *m, int dimension, const pc_facet *f, const pc_facet *g,
                     double travel, pc_fe_meeting *meeting, double *gap)
{
  double arm[3], reach = 2 * f->radius + travel;
  pc_sub3(g->middle, f->middle, arm);
  region r;
  integrals sum;
  if (pc_fe_length(arm) > f->radius + g->radius + reach || pc_dot3(f->normal, g->normal) > 0)
    return true;
  overlap(dimension, f, g, &r);
  if (r.corners < dimension)
    return true;
  integrate(dimension, f, g, &r, &sum);
  double weight = 0, apart = 0;
  for (int a = 0; a < f->corners; a++) {
    weight += sum.weight[a];
    apart += sum.gap[a];
  }
  bool fits = true;
  for (int a = 0; a < f->corners && weight > 0 && fabs(apart) <= reach * weight; a++) {
    int node = f->node[a];
    gap[node] += sum.gap[a];
    for (int k = 0; k < 3; k++)
      meeting[node].normal[k] += sum.normal[a][k];
    for (int b = 0; b < f->nodes; b++)
      fits = add_entry(m, node, f->node[b], sum.own[a][b]) && fits;
    for (int b = 0; b < g->nodes; b++)
      fits = add_entry(m, node, g->node[b], sum.other[a][b]) && fits;
  }
  return fits;
}

// On a line: the end of the other sides that is nearest and faces the other way.
static bool add_end(pc_fe_mortar *m, const pc_fe_mesh *mesh, int node, int other,
                    const double (*place)[3], pc_fe_meeting *meeting, double *gap)
{
  const pc_fe_cells *side = &mesh->side;
  double normal = pc_fe_mesh_end_normal(mesh, node);
  int found = -1;
  for (int s = 0; s < side->count; s++) {
    int end = side->node[side->cell[s].first];
    if (side->cell[s].group == other && pc_fe_mesh_end_normal(mesh, end) * normal < 0 &&
        (found < 0 ||
         fabs(place[end][0] - place[node][0]) < fabs(place[found][0] - place[node][0])))
      found = end;
  }
  if (found < 0)
    return true;
  gap[node] = (place[found][0] - place[node][0]) * normal;
  meeting[node].normal[0] = normal;
  return add_entry(m, node, node, (double[]){normal, 0, 0}) &&
         add_entry(m, node, found, (double[]){-normal, 0, 0});
}

// Sorts the entries by multipliers, keeping their order, and adds up those of one node.
static bool gather(pc_fe_mortar *m, int nodes, pc_fe_meeting *meeting)
{
  if (!pc_array_reserve(&m->first, nodes + 1) || !pc_array_reserve(&m->share, m->entry.count))
    return false;
  int *first = m->first.at;
  memset(first, 0, ((size_t)nodes + 1) * sizeof *first);
  for (int i = 0; i < m->entry.count; i++)
    first[m->entry.at[i].at + 1]++;
  for (int i = 0; i < nodes; i++)
    first[i + 1] += first[i];
  for (int i = 0; i < nodes; i++)
    meeting[i].share = m->share.at + first[i];
  for (int i = 0; i < m->entry.count; i++) {
    const pc_mortar_entry *e = &m->entry.at[i];
    pc_fe_share *row = m->share.at + first[e->at];
    int k = 0;
    while (k < meeting[e->at].shares && row[k].node != e->share.node)
      k++;
    for (int c = 0; c < 3 && k < meeting[e->at].shares; c++)
      row[k].factor[c] += e->share.factor[c];
    if (k == meeting[e->at].shares)
      row[meeting[e->at].shares++] = e->share;
  }
  return true;
}

// From sums to means.
static void divide(int nodes, pc_fe_mortar *m, pc_fe_meeting *meeting, double *gap)
{
  double most = 0;
  for (int i = 0; i < nodes; i++)
    most = fmax(most, pc_fe_length(meeting[i].normal));
  for (int i = 0; i < nodes; i++) {
    pc_fe_meeting *to = &meeting[i];
    double length = pc_fe_length(to->normal);
    if (!(length > THIN * most)) {
      gap[i] = INFINITY;
      to->shares = 0;
      continue;
    }
    scale(1 / length, to->normal);
    gap[i] /= length;
    for (int k = 0; k < to->shares; k++)
      scale(1 / length, m->share.at[m->first.at[i] + k].factor);
  }
}

pc_status pc_fe_mortar_make(pc_fe_mortar *m, const pc_fe_mesh *mesh, int sides, int other,
                            const double (*place)[3], double travel, pc_fe_meeting *meeting,
                            double *gap, pc_error *error)
{
  const pc_fe_cells *side = &mesh->side;
  memset(meeting, 0, (size_t)mesh->nodes * sizeof *meeting);
  memset(gap, 0, (size_t)mesh->nodes * sizeof *gap);
  m->entry.count = 0;
  bool fits = true;
  for (int s = 0; s < side->count && fits; s++) {
    if (side->cell[s].group != sides)
      continue;
    if (mesh->dimension == 1) {
      fits = add_end(m, mesh, side->node[side->cell[s].first], other, place, meeting, gap);
      continue;
    }
    pc_facet f, g;
    pc_facet_make(mesh, s, place, &f);
    for (int t = 0; t < side->count && fits; t++)
      if (side->cell[t].group == other) {
        pc_facet_make(mesh, t, place, &g);
        fits = add_pair(m, mesh->dimension, &f, &g, travel, meeting, gap);
      }
  }
  if (!fits || !gather(m, mesh->nodes, meeting))
    return pc_fail(error, PC_ERROR_MEMORY, "not enough memory for sides that meet");
  divide(mesh->nodes, m, meeting, gap);
  return PC_OK;
}

void pc_fe_mortar_free(pc_fe_mortar *m)
{
  pc_array_free(&m->share);
  pc_array_free(&m->entry);
  pc_array_free(&m->first);
}
