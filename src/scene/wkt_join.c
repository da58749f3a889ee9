// Polygons that touch or overlap become one: the outline of all of them together.
//
// Edges are cut where they meet. A piece of an edge is part of the outline if one side of it is in
// a polygon and the other in none; pieces are then followed from end to end, with the inside to the
// left.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "crowd/layout.h"
#include "scene/crowd_file.h"

typedef struct edge {
  int from, to; // points of `joint`
} edge;

typedef struct joint {
  const pc_wkt *wkt;
  double reach; // points nearer than that are one
  double (*point)[2];
  int points, point_capacity;
  edge *edge; // of all rings, with the inside to the left; then pieces of them
  int edges, edge_capacity;
  edge *piece;
  int pieces, piece_capacity;
  int *cut; // points on one edge, while it is cut
  int cuts, cut_capacity;
} joint;

static int add_point(joint *j, double x, double y)
{
  for (int i = 0; i < j->points; i++)
    if (fabs(j->point[i][0] - x) <= j->reach && fabs(j->point[i][1] - y) <= j->reach)
      return i;
  if (!pc_grow(&j->point, &j->point_capacity, j->points + 1, sizeof *j->point))
    return -1;
  j->point[j->points][0] = x;
  j->point[j->points][1] = y;
  return j->points++;
}

static double area_of(int count, const double (*p)[2])
{
  double sum = 0;
  for (int i = 0; i < count; i++) {
    const double *a = p[i], *b = p[(i + 1) % count];
    sum += (a[0] - p[0][0]) * (b[1] - p[0][1]) - (b[0] - p[0][0]) * (a[1] - p[0][1]);
  }
  return 0.5 * sum;
}

// In a polygon, and in none of its holes.
static bool is_covered(const pc_wkt *wkt, const double p[2])
{
  bool inside = false;
  for (int i = 0; i < wkt->rings; i++) {
    const pc_wkt_ring *ring = &wkt->ring[i];
    bool within = pc_is_inside(ring->count, (const double(*)[2])wkt->point + ring->first, p);
    if (!ring->hole) {
      if (inside)
        return true;
      inside = within;
    } else if (within) {
      inside = false;
    }
  }
  return inside;
}

static bool list_edges(joint *j)
{
  const pc_wkt *wkt = j->wkt;
  for (int r = 0; r < wkt->rings; r++) {
    const pc_wkt_ring *ring = &wkt->ring[r];
    const double(*p)[2] = (const double(*)[2])wkt->point + ring->first;
    bool turned = (area_of(ring->count, p) < 0) != ring->hole;
    for (int i = 0; i < ring->count; i++) {
      const double *a = p[i], *b = p[(i + 1) % ring->count];
      edge e = {add_point(j, a[0], a[1]), add_point(j, b[0], b[1])};
      if (e.from < 0 || e.to < 0 ||
          !pc_grow(&j->edge, &j->edge_capacity, j->edges + 1, sizeof *j->edge))
        return false;
      if (e.from != e.to)
        j->edge[j->edges++] = turned ? (edge){e.to, e.from} : e;
    }
  }
  return true;
}

// --- cutting ------------------------------------------------------------------------------------

static bool add_cut(joint *j, int point)
{
  if (point < 0 || !pc_grow(&j->cut, &j->cut_capacity, j->cuts + 1, sizeof *j->cut))
    return false;
  j->cut[j->cuts++] = point;
  return true;
}

// Cuts one edge where another meets it: at the other's ends if these are on it, else where they
// cross.
static bool cut_by(joint *j, edge one, edge two)
{
  double a[2], d[2], c[2], e[2];
  for (int k = 0; k < 2; k++) {
    a[k] = j->point[one.from][k];
    d[k] = j->point[one.to][k] - a[k];
    c[k] = j->point[two.from][k];
    e[k] = j->point[two.to][k] - c[k];
    double low = fmin(a[k], a[k] + d[k]), high = fmax(a[k], a[k] + d[k]);
    if (fmax(c[k], c[k] + e[k]) < low - j->reach || fmin(c[k], c[k] + e[k]) > high + j->reach)
      return true;
  }
  bool met = false;
  for (int end = 0; end < 2; end++) {
    int own = end == 0 ? two.from : two.to;
    if (pc_distance_to_line(j->point[own], j->point[one.from], j->point[one.to]) > j->reach)
      continue;
    met = true;
    if (!add_cut(j, own))
      return false;
  }
  double across = d[0] * e[1] - d[1] * e[0];
  if (met || across == 0)
    return true;
  double s = ((c[0] - a[0]) * e[1] - (c[1] - a[1]) * e[0]) / across;
  double t = ((c[0] - a[0]) * d[1] - (c[1] - a[1]) * d[0]) / across;
  if (!(s >= 0 && s <= 1 && t >= 0 && t <= 1))
    return true;
  return add_cut(j, add_point(j, a[0] + s * d[0], a[1] + s * d[1]));
}

// Whether a piece has the inside to its left, and nothing to its right.
static bool bounds(const joint *j, edge e)
{
  const double *a = j->point[e.from], *b = j->point[e.to];
  double d[2] = {b[0] - a[0], b[1] - a[1]}, size = hypot(d[0], d[1]);
  double off = fmin(10 * j->reach, 0.01 * size);
  double m[2] = {0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])};
  double left[2] = {m[0] - off * d[1] / size, m[1] + off * d[0] / size};
  double right[2] = {m[0] + off * d[1] / size, m[1] - off * d[0] / size};
  return is_covered(j->wkt, left) && !is_covered(j->wkt, right);
}

static bool add_piece(joint *j, edge e)
{
  if (e.from == e.to || !bounds(j, e))
    return true;
  for (int i = 0; i < j->pieces; i++)
    if (j->piece[i].from == e.from && j->piece[i].to == e.to)
      return true;
  if (!pc_grow(&j->piece, &j->piece_capacity, j->pieces + 1, sizeof *j->piece))
    return false;
  j->piece[j->pieces++] = e;
  return true;
}

static bool cut_edge(joint *j, edge e)
{
  j->cuts = 0;
  bool sound = add_cut(j, e.from) && add_cut(j, e.to);
  for (int i = 0; i < j->edges && sound; i++)
    sound = cut_by(j, e, j->edge[i]);
  if (!sound)
    return false;
  const double *a = j->point[e.from], *b = j->point[e.to];
  double d[2] = {b[0] - a[0], b[1] - a[1]};
  for (int i = 1; i < j->cuts; i++) // by their place along the edge
    for (int k = i; k > 0; k--) {
      const double *p = j->point[j->cut[k]], *q = j->point[j->cut[k - 1]];
      if (p[0] * d[0] + p[1] * d[1] >= q[0] * d[0] + q[1] * d[1])
        break;
      int swap = j->cut[k];
      j->cut[k] = j->cut[k - 1];
      j->cut[k - 1] = swap;
    }
  for (int i = 0; i + 1 < j->cuts && sound; i++)
    sound = add_piece(j, (edge){j->cut[i], j->cut[i + 1]});
  return sound;
}

// --- following ----------------------------------------------------------------------------------

// Of the pieces that go on from one, the first clockwise from where it came: then what only touches
// itself in a point stays apart.
static int next_piece(const joint *j, edge from)
{
  const double turn = 6.28318530717958647692;
  const double *p = j->point[from.to], *a = j->point[from.from];
  double back = atan2(a[1] - p[1], a[0] - p[0]), least = INFINITY;
  int best = -1;
  for (int i = 0; i < j->pieces; i++) {
    if (j->piece[i].from != from.to)
      continue;
    const double *b = j->point[j->piece[i].to];
    double angle = back - atan2(b[1] - p[1], b[0] - p[0]);
    angle = angle <= 0 ? angle + turn : angle;
    if (angle < least) {
      least = angle;
      best = i;
    }
  }
  return best;
}

static bool is_straight(const double a[2], const double b[2], const double c[2], double reach)
{
  return pc_distance_to_line(b, a, c) <= reach;
}

// A ring of the answer, without corners that are none.
static pc_status add_ring(const joint *j, pc_wkt *to, int count, const int *corner, pc_error *error)
{
  if (!pc_grow(&to->point, &to->point_capacity, to->points + count + 1, sizeof *to->point) ||
      !pc_grow(&to->ring, &to->ring_capacity, to->rings + 1, sizeof *to->ring))
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  pc_wkt_ring ring = {.first = to->points, .polygon = to->rings};
  double(*p)[2] = to->point + to->points;
  for (int i = 0; i < count; i++) {
    const double *a = ring.count > 0 ? p[ring.count - 1] : j->point[corner[count - 1]];
    const double *b = j->point[corner[i]], *c = j->point[corner[(i + 1) % count]];
    if (!is_straight(a, b, c, j->reach))
      memcpy(p[ring.count++], b, 2 * sizeof *b);
  }
  if (ring.count < 3)
    return PC_OK;
  memcpy(p[ring.count], p[0], sizeof *p);
  ring.hole = area_of(ring.count, (const double(*)[2])p) < 0;
  to->points += ring.count + 1;
  to->ring[to->rings++] = ring;
  return PC_OK;
}

static pc_status follow(joint *j, pc_wkt *to, pc_error *error)
{
  unsigned char *done = calloc((size_t)j->pieces + 1, 1);
  int *corner = calloc((size_t)j->pieces + 1, sizeof *corner);
  pc_status status = PC_OK;
  if (done == NULL || corner == NULL)
    status = pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (int i = 0; i < j->pieces && status == PC_OK; i++) {
    int count = 0, k = i;
    while (k >= 0 && !done[k]) {
      done[k] = 1;
      corner[count++] = j->piece[k].from;
      k = next_piece(j, j->piece[k]);
    }
    if (count > 0 && k != i) {
      const double *p = j->point[j->piece[i].from];
      status =
          pc_fail(error, PC_ERROR_INPUT,
                  "the polygons cannot be joined near (%g, %g): join them into one", p[0], p[1]);
    } else if (count > 0) {
      status = add_ring(j, to, count, corner, error);
    }
  }
  free(done);
  free(corner);
  return status;
}

pc_status pc_wkt_join(pc_wkt *wkt, pc_error *error)
{
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  for (int i = 0; i < wkt->points; i++)
    for (int k = 0; k < 2; k++) {
      low[k] = fmin(low[k], wkt->point[i][k]);
      high[k] = fmax(high[k], wkt->point[i][k]);
    }
  joint j = {.wkt = wkt, .reach = 1e-9 * fmax(1, fmax(high[0] - low[0], high[1] - low[1]))};
  pc_wkt joined = {.polygons = wkt->polygons};
  bool room = list_edges(&j);
  for (int i = 0; i < j.edges && room; i++)
    room = cut_edge(&j, j.edge[i]);
  pc_status status =
      room ? follow(&j, &joined, error) : pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  free(j.point);
  free(j.edge);
  free(j.piece);
  free(j.cut);
  if (status != PC_OK) {
    pc_wkt_free(&joined);
    return status;
  }
  pc_wkt_free(wkt);
  *wkt = joined;
  return PC_OK;
}
