#include "geometry/surface.h"

#include <math.h>
#include <stdlib.h>

#include "core/small.h"

void pc_loop_area(int count, const int *loop, const double (*point)[3], double area[3])
{
  area[0] = area[1] = area[2] = 0;
  for (int i = 1; i + 1 < count; i++) {
    double a[3], b[3], cross[3];
    pc_sub3(point[loop[i]], point[loop[0]], a);
    pc_sub3(point[loop[i + 1]], point[loop[0]], b);
    pc_cross(a, b, cross);
    for (int k = 0; k < 3; k++)
      area[k] += cross[k];
  }
}

typedef struct half_edge {
  int low, high, corner;
} half_edge;

static int compare_half_edges(const void *a, const void *b)
{
  const half_edge *p = a, *q = b;
  if (p->low != q->low)
    return p->low < q->low ? -1 : 1;
  if (p->high != q->high)
    return p->high < q->high ? -1 : 1;
  return (p->corner > q->corner) - (p->corner < q->corner);
}

bool pc_surface_link(pc_surface *s, pc_arena *arena)
{
  s->next = pc_arena_take(arena, (size_t)s->corners, sizeof(int));
  s->twin = pc_arena_take(arena, (size_t)s->corners, sizeof(int));
  s->face = pc_arena_take(arena, (size_t)s->corners, sizeof(int));
  half_edge *half = pc_arena_take(arena, (size_t)s->corners, sizeof *half);
  if (arena->failed)
    return false;
  for (int f = 0; f < s->faces; f++)
    for (int h = s->start[f]; h < s->start[f + 1]; h++) {
      s->next[h] = h + 1 < s->start[f + 1] ? h + 1 : s->start[f];
      s->face[h] = f;
      int a = s->vertex[h], b = s->vertex[s->next[h]];
      half[h] = a < b ? (half_edge){a, b, h} : (half_edge){b, a, h};
    }
  qsort(half, (size_t)s->corners, sizeof *half, compare_half_edges);
  if (s->corners % 2 != 0)
    return false;
  for (int i = 0; i < s->corners; i += 2) {
    int a = half[i].corner, b = half[i + 1].corner;
    if (half[i].low != half[i + 1].low || half[i].high != half[i + 1].high ||
        s->vertex[a] == s->vertex[b])
      return false;
    s->twin[a] = b;
    s->twin[b] = a;
  }
  // No edge twice.
  for (int i = 2; i < s->corners; i += 2)
    if (half[i].low == half[i - 2].low && half[i].high == half[i - 2].high)
      return false;
  return true;
}

// Once every vertex stands out from the hull of the others by much more than the tolerance of
// faces, merged facets are convex polygons whichever of them merge: points in convex position, cut
// along diagonals, are in convex position.

// The first half edge of each vertex, -1 if it has none.
static int *first_corners(const pc_surface *s, int points, pc_arena *arena)
{
  int *first = pc_arena_take(arena, (size_t)points, sizeof(int));
  if (first == NULL)
    return NULL;
  for (int i = 0; i < points; i++)
    first[i] = -1;
  for (int h = s->corners - 1; h >= 0; h--)
    first[s->vertex[h]] = h;
  return first;
}

// The vertex around `h`'s that reaches farthest along `direction`, and how far below h's it stays.
static double least_drop(const pc_surface *s, const double (*point)[3], int h,
                         const double direction[3], int *nearest)
{
  double least = INFINITY;
  int own = s->vertex[h], around = h;
  do {
    for (int g = s->next[around]; g != around; g = s->next[g]) {
      double d[3];
      pc_sub3(point[own], point[s->vertex[g]], d);
      double drop = pc_dot3(direction, d);
      if (drop < least) {
        least = drop;
        *nearest = s->vertex[g];
      }
    }
    around = s->next[s->twin[around]];
  } while (around != h);
  return least;
}

// Whether some direction leaves all other vertices below by more than the tolerance. The first one
// tried is the mean of the normals; then it leans away from the vertex in the way.
static bool stands_out(const pc_surface *s, const double (*point)[3], int h, double tolerance)
{
  double sum[3] = {0, 0, 0}, direction[3];
  int around = h;
  do {
    int face = s->face[around];
    double area[3];
    pc_loop_area(s->start[face + 1] - s->start[face], s->vertex + s->start[face], point, area);
    double size = pc_norm(3, area);
    for (int k = 0; k < 3 && size > 0; k++)
      sum[k] += area[k] / size;
    around = s->next[s->twin[around]];
  } while (around != h);
  for (int attempt = 0; attempt < 100; attempt++) {
    double size = pc_norm(3, sum), away[3];
    if (size == 0)
      return false;
    for (int k = 0; k < 3; k++)
      direction[k] = sum[k] / size;
    int nearest = s->vertex[h];
    if (least_drop(s, point, h, direction, &nearest) > tolerance)
      return true;
    pc_sub3(point[s->vertex[h]], point[nearest], away);
    double length = pc_norm(3, away);
    if (length <= tolerance)
      return false;
    for (int k = 0; k < 3; k++)
      sum[k] += away[k] / length;
  }
  return false;
}

int pc_surface_flat(const pc_surface *s, int points, const double (*point)[3], double tolerance,
                    bool *keep, pc_arena *arena)
{
  int *first = first_corners(s, points, arena);
  bool *needed = pc_arena_take(arena, (size_t)points, sizeof *needed);
  if (arena->failed)
    return 0;
  int dropped = 0;
  for (int i = 0; i < points; i++) {
    keep[i] = first[i] >= 0;
    if (!keep[i] || needed[i] || stands_out(s, point, first[i], tolerance))
      continue;
    int around = first[i];
    do {
      for (int g = s->next[around]; g != around; g = s->next[g])
        needed[s->vertex[g]] = true;
      around = s->next[s->twin[around]];
    } while (around != first[i]);
    keep[i] = false;
    dropped++;
  }
  return dropped;
}

typedef struct by_area {
  double area;
  int face;
} by_area;

static int compare_areas(const void *a, const void *b)
{
  const by_area *p = a, *q = b;
  if (p->area != q->area)
    return p->area > q->area ? -1 : 1;
  return (p->face > q->face) - (p->face < q->face);
}

static bool lies_in_plane(const pc_surface *s, int face, const double (*point)[3],
                          const double normal[3], double distance, double tolerance)
{
  for (int h = s->start[face]; h < s->start[face + 1]; h++)
    if (fabs(pc_dot3(normal, point[s->vertex[h]]) - distance) > tolerance)
      return false;
  return true;
}

// Facets in the plane of a larger one join it, from the largest on. group[f] is the face that
// facet f becomes a part of, normal[group] the unit normal of the largest; gives the number of
// groups, or -1 when memory is out or a facet without area is left.
static int group_facets(const pc_surface *s, const double (*point)[3], double tolerance, int *group,
                        double (*normal)[3], pc_arena *arena)
{
  by_area *order = pc_arena_take(arena, (size_t)s->faces, sizeof *order);
  int *queue = pc_arena_take(arena, (size_t)s->faces, sizeof(int));
  if (arena->failed)
    return -1;
  for (int f = 0; f < s->faces; f++) {
    double area[3];
    pc_loop_area(s->start[f + 1] - s->start[f], s->vertex + s->start[f], point, area);
    order[f] = (by_area){pc_norm(3, area), f};
    group[f] = -1;
  }
  qsort(order, (size_t)s->faces, sizeof *order, compare_areas);
  int groups = 0;
  for (int i = 0; i < s->faces; i++) {
    int seed = order[i].face, head = 0, tail = 0;
    if (group[seed] >= 0)
      continue;
    if (order[i].area == 0)
      return -1;
    double *n = normal[groups];
    pc_loop_area(s->start[seed + 1] - s->start[seed], s->vertex + s->start[seed], point, n);
    for (int k = 0; k < 3; k++)
      n[k] /= order[i].area;
    double distance = pc_dot3(n, point[s->vertex[s->start[seed]]]);
    group[seed] = groups;
    queue[tail++] = seed;
    while (head < tail) {
      int f = queue[head++];
      for (int h = s->start[f]; h < s->start[f + 1]; h++) {
        int g = s->face[s->twin[h]];
        if (group[g] < 0 && lies_in_plane(s, g, point, n, distance, tolerance)) {
          group[g] = groups;
          queue[tail++] = g;
        }
      }
    }
    groups++;
  }
  return groups;
}

// The half edge after h on the border of its group.
static int next_on_border(const pc_surface *s, const int *group, int h)
{
  int g = group[s->face[h]], n = s->next[h];
  while (group[s->face[s->twin[n]]] == g)
    n = s->next[s->twin[n]];
  return n;
}

// Loops of the groups, without vertices where fewer than three of them meet. False if a group is no
// disc or too thin.
static bool border_loops(const pc_surface *s, int groups, const int *group, int points,
                         pc_surface *out, pc_arena *arena, pc_arena *scratch)
{
  int *meet = pc_arena_take(scratch, (size_t)points, sizeof(int));
  int *first = pc_arena_take(scratch, (size_t)groups, sizeof(int)); // 1 + a border half edge
  int *length = pc_arena_take(scratch, (size_t)groups, sizeof(int));
  out->start = pc_arena_take(arena, (size_t)groups + 1, sizeof(int));
  out->vertex = pc_arena_take(arena, (size_t)s->corners, sizeof(int));
  if (arena->failed || scratch->failed)
    return false;
  for (int h = 0; h < s->corners; h++) {
    int g = group[s->face[h]];
    if (group[s->face[s->twin[h]]] == g)
      continue;
    meet[s->vertex[h]]++;
    length[g]++;
    if (first[g] == 0)
      first[g] = h + 1;
  }
  out->faces = groups;
  out->corners = 0;
  for (int g = 0; g < groups; g++) {
    if (first[g] == 0)
      return false;
    int h = first[g] - 1, walked = 0;
    do {
      if (meet[s->vertex[h]] >= 3)
        out->vertex[out->corners++] = s->vertex[h];
      h = next_on_border(s, group, h);
      walked++;
    } while (h != first[g] - 1 && walked <= length[g]);
    out->start[g + 1] = out->corners;
    if (walked != length[g] || out->corners - out->start[g] < 3)
      return false;
  }
  return true;
}

bool pc_surface_merge(const pc_surface *s, int points, const double (*point)[3], double tolerance,
                      pc_surface *out, double (*normal)[3], pc_arena *arena, pc_arena *scratch)
{
  int *group = pc_arena_take(scratch, (size_t)s->faces, sizeof(int));
  if (scratch->failed)
    return false;
  int groups = group_facets(s, point, tolerance, group, normal, scratch);
  return groups >= 0 && border_loops(s, groups, group, points, out, arena, scratch);
}
