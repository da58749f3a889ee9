// Polygons that touch or overlap become one: the outline of all of them together.
//
// Edges are cut where they meet. A piece of an edge is part of the outline if one side of it is in
// a polygon and the other in none; pieces are then followed from end to end, with the inside to the
// left.
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/elementary.h"
#include "core/error.h"
#include "crowd/layout.h"
#include "geometry/tree.h"
#include "scene/knots.h"
#include "scene/polygons.h"

// Limit on edges that are met by edges or by lines of sight: a few seconds. No building needs more.
static const double MOST_WORK = 1e8;
// What is that close to each other meets: drawings are rounded to a millimetre or finer, and corner
// and edge may both be half of that, times the root of 2, away from where they were drawn.
static const double NEAR = 2e-3;      // m
static const double NEAR_PART = 1e-3; // at most that part of the whole plan
static const double EXACT = 1e-9;     // of the whole plan, or of a metre if that is more
// Limit on coordinates, so that products stay finite.
static const double LARGEST = 1e100;

typedef struct edge {
  int from, to; // points of `joint`
} edge;

typedef struct piece {
  edge edge;
  int next;     // of those from the same point, -1: none
  bool outline; // has the inside to its left, and nothing to its right
} piece;

// A point on an edge, while that is cut.
typedef struct cut {
  double along;
  int order, point;
} cut;

typedef struct joint {
  const pc_polygons *given;
  pc_knots points;        // each has the last piece that starts there, -1: none
  PC_ARRAY(edge) edges;   // of all rings, with the inside to the left
  PC_ARRAY(piece) pieces; // of edges
  PC_ARRAY(cut) cuts;
  pc_arena arena;
  const pc_tree *edge_tree, *side_tree; // of `edges`; of the sides of all rings as they were read
  int *side, *ring;                     // the first side of a ring; the ring of a side
  int *found, finds;                    // what a tree was asked for; see `search`
  int *sees;                            // sides of a ring that a point sees; 0 between two points
  bool *in_hole;                        // of a polygon; false between two points
  double work;
} joint;

static double area_of(int count, const double (*p)[2])
{
  double sum = 0;
  for (int i = 0; i < count; i++) {
    const double *a = p[i], *b = p[(i + 1) % count];
    sum += (a[0] - p[0][0]) * (b[1] - p[0][1]) - (b[0] - p[0][0]) * (a[1] - p[0][1]);
  }
  return 0.5 * sum;
}

static bool add_found(void *context, int i)
{
  joint *j = context;
  j->found[j->finds++] = i;
  return true;
}

// Finds what of a tree is in a box.
static void search(joint *j, const pc_tree *tree, const double low[2], const double high[2])
{
  const double box[6] = {low[0], low[1], 0, high[0], high[1], 0};
  j->finds = 0;
  pc_tree_query(tree, box, add_found, j);
  j->work += 1 + j->finds;
}

// In a polygon, and in none of its holes: what is inside of a ring sees it an odd number of times.
static bool is_covered(joint *j, const double p[2])
{
  const pc_polygons *polygons = j->given;
  int seen = 0;
  search(j, j->side_tree, p, (const double[2]){2 * LARGEST, p[1]});
  for (int i = 0; i < j->finds; i++) {
    int r = j->ring[j->found[i]], k = j->found[i] - j->side[r];
    const pc_ring *ring = &polygons->rings.at[r];
    const double *a = polygons->points.at[ring->first + k];
    const double *b = polygons->points.at[ring->first + (k + 1) % ring->count];
    if ((a[1] > p[1]) == (b[1] > p[1]) ||
        p[0] >= a[0] + (p[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0]))
      continue;
    if (j->sees[r]++ == 0)
      j->found[seen++] = r; // at most i of them are there
  }
  bool covered = false;
  for (int i = 0; i < seen; i++) {
    const pc_ring *ring = &polygons->rings.at[j->found[i]];
    if (ring->hole && j->sees[j->found[i]] % 2 == 1)
      j->in_hole[ring->polygon] = true;
  }
  for (int i = 0; i < seen; i++) {
    const pc_ring *ring = &polygons->rings.at[j->found[i]];
    covered |= !ring->hole && j->sees[j->found[i]] % 2 == 1 && !j->in_hole[ring->polygon];
  }
  for (int i = 0; i < seen; i++) {
    j->sees[j->found[i]] = 0;
    j->in_hole[polygons->rings.at[j->found[i]].polygon] = false;
  }
  return covered;
}

static void enclose(const double a[2], const double b[2], double by, double box[6])
{
  for (int axis = 0; axis < 2; axis++) {
    box[axis] = fmin(a[axis], b[axis]) - by;
    box[3 + axis] = fmax(a[axis], b[axis]) + by;
  }
}

static bool plant_trees(joint *j)
{
  const pc_polygons *polygons = j->given;
  int sides = 0;
  j->side = pc_arena_take(&j->arena, (size_t)polygons->rings.count, sizeof *j->side);
  for (int r = 0; r < polygons->rings.count && j->side != NULL; r++) {
    j->side[r] = sides;
    sides += polygons->rings.at[r].count;
  }
  int most = sides > j->edges.count ? sides : j->edges.count;
  double(*box)[6] = pc_arena_take(&j->arena, (size_t)most + 1, sizeof *box);
  j->ring = pc_arena_take(&j->arena, (size_t)sides + 1, sizeof *j->ring);
  j->found = pc_arena_take(&j->arena, (size_t)most + 1, sizeof *j->found);
  j->sees = pc_arena_take(&j->arena, (size_t)polygons->rings.count + 1, sizeof *j->sees);
  j->in_hole = pc_arena_take(&j->arena, (size_t)polygons->count + 1, sizeof *j->in_hole);
  if (j->arena.failed)
    return false;
  for (int r = 0; r < polygons->rings.count; r++)
    for (int k = 0; k < polygons->rings.at[r].count; k++) {
      const pc_ring *ring = &polygons->rings.at[r];
      j->ring[j->side[r] + k] = r;
      enclose(polygons->points.at[ring->first + k],
              polygons->points.at[ring->first + (k + 1) % ring->count], 0, box[j->side[r] + k]);
    }
  j->side_tree = pc_tree_build(&j->arena, sides, (const double(*)[6])box);
  for (int i = 0; i < j->edges.count; i++)
    enclose(j->points.list.at[j->edges.at[i].from].at, j->points.list.at[j->edges.at[i].to].at,
            j->points.reach, box[i]);
  j->edge_tree = pc_tree_build(&j->arena, j->edges.count, (const double(*)[6])box);
  return j->side_tree != NULL && j->edge_tree != NULL;
}

static bool list_edges(joint *j)
{
  const pc_polygons *polygons = j->given;
  for (int r = 0; r < polygons->rings.count; r++) {
    const pc_ring *ring = &polygons->rings.at[r];
    const double(*p)[2] = (const double(*)[2])polygons->points.at + ring->first;
    bool turned = (area_of(ring->count, p) < 0) != ring->hole;
    for (int i = 0; i < ring->count; i++) {
      const double *a = p[i], *b = p[(i + 1) % ring->count];
      edge e = {pc_knots_add(&j->points, a[0], a[1]), pc_knots_add(&j->points, b[0], b[1])};
      if (e.from < 0 || e.to < 0)
        return false;
      edge *added = e.from != e.to ? pc_array_add(&j->edges) : NULL;
      if (added != NULL)
        *added = turned ? (edge){e.to, e.from} : e;
      else if (e.from != e.to)
        return false;
    }
  }
  return true;
}

static bool add_cut(joint *j, int point)
{
  cut *added = point >= 0 ? pc_array_add(&j->cuts) : NULL;
  if (added != NULL)
    *added = (cut){.order = j->cuts.count - 1, .point = point};
  return added != NULL;
}

// Cuts one edge where another meets it: at the other's ends if these are on it, else where they
// cross.
static bool cut_by(joint *j, edge one, edge two)
{
  double a[2], d[2], c[2], e[2];
  for (int k = 0; k < 2; k++) {
    a[k] = j->points.list.at[one.from].at[k];
    d[k] = j->points.list.at[one.to].at[k] - a[k];
    c[k] = j->points.list.at[two.from].at[k];
    e[k] = j->points.list.at[two.to].at[k] - c[k];
    double low = fmin(a[k], a[k] + d[k]), high = fmax(a[k], a[k] + d[k]);
    if (fmax(c[k], c[k] + e[k]) < low - j->points.reach ||
        fmin(c[k], c[k] + e[k]) > high + j->points.reach)
      return true;
  }
  bool met = false;
  for (int end = 0; end < 2; end++) {
    int own = end == 0 ? two.from : two.to;
    if (pc_distance_to_line(j->points.list.at[own].at, j->points.list.at[one.from].at,
                            j->points.list.at[one.to].at) > j->points.reach)
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
  return add_cut(j, pc_knots_add(&j->points, a[0] + s * d[0], a[1] + s * d[1]));
}

// Whether a piece has the inside to its left, and nothing to its right.
static bool bounds(joint *j, edge e)
{
  const double *a = j->points.list.at[e.from].at, *b = j->points.list.at[e.to].at;
  double d[2] = {b[0] - a[0], b[1] - a[1]}, size = pc_hypot(d[0], d[1]);
  double off = fmin(10 * j->points.reach, 0.01 * size);
  double m[2] = {0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])};
  double left[2] = {m[0] - off * d[1] / size, m[1] + off * d[0] / size};
  double right[2] = {m[0] + off * d[1] / size, m[1] - off * d[0] / size};
  return is_covered(j, left) && !is_covered(j, right);
}

static bool add_piece(joint *j, edge e)
{
  if (e.from == e.to)
    return true;
  for (int i = j->points.list.at[e.from].first; i >= 0; i = j->pieces.at[i].next, j->work++)
    if (j->pieces.at[i].edge.to == e.to)
      return true;
  piece *added = pc_array_add(&j->pieces);
  if (added == NULL)
    return false;
  *added = (piece){e, j->points.list.at[e.from].first, bounds(j, e)};
  j->points.list.at[e.from].first = j->pieces.count - 1;
  return true;
}

static int compare_numbers(const void *a, const void *b)
{
  return *(const int *)a - *(const int *)b;
}

static int compare_cuts(const void *a, const void *b)
{
  const cut *p = a, *q = b;
  return p->along != q->along ? (p->along > q->along) - (p->along < q->along) : p->order - q->order;
}

static bool cut_edge(joint *j, edge e)
{
  j->cuts.count = 0;
  bool sound = add_cut(j, e.from) && add_cut(j, e.to);
  double box[6];
  enclose(j->points.list.at[e.from].at, j->points.list.at[e.to].at, 0, box);
  search(j, j->edge_tree, box, box + 3);
  qsort(j->found, (size_t)j->finds, sizeof *j->found, compare_numbers);
  for (int i = 0; i < j->finds && sound; i++)
    sound = cut_by(j, e, j->edges.at[j->found[i]]);
  if (!sound)
    return false;
  const double *a = j->points.list.at[e.from].at, *b = j->points.list.at[e.to].at;
  double d[2] = {b[0] - a[0], b[1] - a[1]};
  for (int i = 0; i < j->cuts.count; i++) {
    const double *p = j->points.list.at[j->cuts.at[i].point].at;
    j->cuts.at[i].along = p[0] * d[0] + p[1] * d[1];
  }
  qsort(j->cuts.at, (size_t)j->cuts.count, sizeof *j->cuts.at, compare_cuts);
  j->work += j->cuts.count;
  for (int i = 0; i + 1 < j->cuts.count && sound && j->work <= MOST_WORK; i++)
    sound = add_piece(j, (edge){j->cuts.at[i].point, j->cuts.at[i + 1].point});
  return sound;
}

// Of the pieces that go on from one, the first clockwise from where it came: then what only touches
// itself in a point stays apart.
static int next_piece(const joint *j, edge from)
{
  const double turn = 6.28318530717958647692;
  const double *p = j->points.list.at[from.to].at, *a = j->points.list.at[from.from].at;
  double back = pc_atan2(a[1] - p[1], a[0] - p[0]), least = INFINITY;
  int best = -1;
  for (int i = j->points.list.at[from.to].first; i >= 0; i = j->pieces.at[i].next) {
    if (!j->pieces.at[i].outline)
      continue;
    const double *b = j->points.list.at[j->pieces.at[i].edge.to].at;
    double angle = back - pc_atan2(b[1] - p[1], b[0] - p[0]);
    angle = angle <= 0 ? angle + turn : angle;
    if (angle < least || (angle == least && i < best)) {
      least = angle;
      best = i;
    }
  }
  return best;
}

// Adds a ring to the answer, without corners on straight lines.
static pc_status add_ring(const joint *j, pc_polygons *to, int count, const int *of,
                          pc_error *error)
{
  if (!pc_array_reserve(&to->points, to->points.count + count + 1) ||
      !pc_array_reserve(&to->rings, to->rings.count + 1))
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  pc_ring ring = {.first = to->points.count, .polygon = to->rings.count};
  pc_ring_point *p = to->points.at + to->points.count;
  for (int i = 0; i < count; i++) {
    const double *a = ring.count > 0 ? p[ring.count - 1] : j->points.list.at[of[count - 1]].at;
    const double *b = j->points.list.at[of[i]].at, *c = j->points.list.at[of[(i + 1) % count]].at;
    if (pc_distance_to_line(b, a, c) > j->points.reach)
      memcpy(p[ring.count++], b, 2 * sizeof *b);
  }
  if (ring.count < 3)
    return PC_OK;
  memcpy(p[ring.count], p[0], sizeof *p);
  ring.hole = area_of(ring.count, (const double(*)[2])p) < 0;
  to->points.count += ring.count + 1;
  to->rings.at[to->rings.count++] = ring;
  return PC_OK;
}

static pc_status follow(joint *j, pc_polygons *to, pc_error *error)
{
  unsigned char *done = calloc((size_t)j->pieces.count + 1, 1);
  int *corners = calloc((size_t)j->pieces.count + 1, sizeof *corners);
  pc_status status = PC_OK;
  if (done == NULL || corners == NULL)
    status = pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (int i = 0; i < j->pieces.count && status == PC_OK; i++) {
    int count = 0, k = j->pieces.at[i].outline ? i : -1;
    while (k >= 0 && !done[k]) {
      done[k] = 1;
      corners[count++] = j->pieces.at[k].edge.from;
      k = next_piece(j, j->pieces.at[k].edge);
    }
    if (count > 0 && k != i) {
      const double *p = j->points.list.at[j->pieces.at[i].edge.from].at;
      status = pc_fail(error, PC_ERROR_INPUT,
                       "the polygons cannot be merged near (%g, %g); merge them in the file", p[0],
                       p[1]);
    } else if (count > 0) {
      status = add_ring(j, to, count, corners, error);
    }
  }
  free(done);
  free(corners);
  return status;
}

static pc_status join(joint *j, pc_polygons *to, pc_error *error)
{
  bool room = list_edges(j) && plant_trees(j);
  for (int i = 0; i < j->edges.count && room && j->work <= MOST_WORK; i++)
    room = cut_edge(j, j->edges.at[i]);
  if (!room)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  if (j->work > MOST_WORK)
    return pc_fail(error, PC_ERROR_INPUT,
                   "the polygons have too many intersecting edges; merge them in the file");
  pc_status status = follow(j, to, error);
  if (status == PC_OK && to->rings.count == 0)
    status = pc_fail(error, PC_ERROR_INPUT, "the polygons have no area");
  return status;
}

pc_status pc_polygons_join(pc_polygons *polygons, pc_error *error)
{
  if (polygons->rings.count == 0)
    return pc_fail(error, PC_ERROR_INPUT, "it contains no polygon");
  return polygons->count == 1 ? PC_OK : pc_polygons_cut(polygons, error);
}

pc_status pc_polygons_cut(pc_polygons *polygons, pc_error *error)
{
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  for (int i = 0; i < polygons->points.count; i++)
    for (int k = 0; k < 2; k++) {
      low[k] = fmin(low[k], polygons->points.at[i][k]);
      high[k] = fmax(high[k], polygons->points.at[i][k]);
      if (fabs(polygons->points.at[i][k]) > LARGEST)
        return pc_fail(error, PC_ERROR_INPUT, "the coordinate %g is too large",
                       polygons->points.at[i][k]);
    }
  double size = fmax(high[0] - low[0], high[1] - low[1]), exact = EXACT * fmax(1, size);
  double near = fmin(NEAR, NEAR_PART * size);
  pc_status status = near > exact ? pc_polygons_snap(polygons, near, exact, low, error) : PC_OK;
  if (status != PC_OK)
    return status;
  joint j = {.given = polygons, .points = {.reach = exact, .low = {low[0], low[1]}}};
  pc_polygons joined = {.count = polygons->count};
  status = join(&j, &joined, error);
  pc_knots_free(&j.points);
  pc_array_free(&j.edges);
  pc_array_free(&j.pieces);
  pc_arena_free(&j.arena);
  pc_array_free(&j.cuts);
  if (status != PC_OK) {
    pc_polygons_free(&joined);
    return status;
  }
  pc_polygons_free(polygons);
  *polygons = joined;
  return PC_OK;
}
