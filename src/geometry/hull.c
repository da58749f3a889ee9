// qhull finds the facets; surface.c makes them plane faces; here they get planes and edges.
//
// Points are first brought into a unit box, so that tolerances mean the same for all sizes.
#include "geometry/hull.h"

#include <libqhull_r/qhull_ra.h>
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/small.h"
#include "core/sort.h"
#include "core/written.h"
#include "geometry/surface.h"

// The plane of each face rests on the farthest vertex of the face and of those around it, so that
// no vertex is outside.
static void set_planes(pc_hull *hull, const pc_surface *s, const double (*normal)[3])
{
  for (int f = 0; f < hull->faces; f++) {
    double *plane = hull->plane[f];
    int start = s->start[f], count = s->start[f + 1] - start;
    memcpy(plane, normal[f], sizeof normal[f]);
    plane[3] = -INFINITY;
    for (int h = start; h < start + count; h++) {
      int around = s->face[s->twin[h]];
      for (int g = s->start[around]; g < s->start[around + 1]; g++)
        plane[3] = fmax(plane[3], pc_dot3(plane, hull->vertex[s->vertex[g]]));
    }
  }
}

// Everything else from vertices, loops and the faces' normals; false as pc_surface_link.
static bool hull_from_loops(pc_hull *hull, pc_arena *arena, pc_surface *s,
                            const double (*normal)[3])
{
  if (!pc_surface_link(s, arena))
    return false;
  hull->faces = s->faces;
  hull->edges = s->corners / 2;
  hull->face_start = s->start;
  hull->face_vertex = s->vertex;
  hull->plane = pc_arena_take(arena, (size_t)s->faces, sizeof *hull->plane);
  hull->face_edge = pc_arena_take(arena, (size_t)s->corners, sizeof(int));
  hull->edge = pc_arena_take(arena, (size_t)hull->edges, sizeof *hull->edge);
  hull->edge_face = pc_arena_take(arena, (size_t)hull->edges, sizeof *hull->edge_face);
  hull->direction = pc_arena_take(arena, (size_t)hull->edges, sizeof *hull->direction);
  if (arena->failed || hull->vertices - hull->edges + hull->faces != 2)
    return false;
  int edge = 0;
  for (int h = 0; h < s->corners; h++) {
    if (s->twin[h] < h) {
      hull->face_edge[h] = hull->face_edge[s->twin[h]];
      continue;
    }
    int a = s->vertex[h], b = s->vertex[s->next[h]];
    double along[3];
    pc_sub3(hull->vertex[b], hull->vertex[a], along);
    double length = pc_norm(3, along);
    for (int k = 0; k < 3; k++)
      hull->direction[edge][k] = along[k] / length;
    hull->edge[edge][0] = a;
    hull->edge[edge][1] = b;
    hull->edge_face[edge][0] = s->face[h];
    hull->edge_face[edge][1] = s->face[s->twin[h]];
    hull->face_edge[h] = edge++;
  }
  set_planes(hull, s, normal);
  return true;
}

pc_status pc_hull_box(pc_hull *hull, pc_arena *arena, const double half[3], pc_error *error)
{
  static const int loops[24] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4,
                                2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
  static const double normals[6][3] = {{-1, 0, 0}, {1, 0, 0},  {0, -1, 0},
                                       {0, 1, 0},  {0, 0, -1}, {0, 0, 1}};
  pc_surface s = {.faces = 6, .corners = 24};
  s.start = pc_arena_take(arena, 7, sizeof(int));
  s.vertex = pc_arena_take(arena, 24, sizeof(int));
  hull->vertices = 8;
  hull->vertex = pc_arena_take(arena, 8, sizeof *hull->vertex);
  if (arena->failed)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (int f = 0; f < 7; f++)
    s.start[f] = 4 * f;
  memcpy(s.vertex, loops, sizeof loops);
  for (int i = 0; i < 8; i++)
    for (int k = 0; k < 3; k++)
      hull->vertex[i][k] = i >> k & 1 ? half[k] : -half[k];
  if (!hull_from_loops(hull, arena, &s, normals))
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  return PC_OK;
}

// The points that matter, in units of their extent.
typedef struct cloud {
  int count;
  double (*point)[3];
  int *given;      // number of each point among those given
  double scale;    // 1 / extent
  double shift[3]; // unit = (given - shift) scale
  double tolerance;
} cloud;

static void unit_point(const cloud *c, const double *given, double *out)
{
  for (int k = 0; k < 3; k++)
    out[k] = (given[k] - c->shift[k]) * c->scale;
}

// Brings the points to the unit box; of points in one cell of the tolerance the first is kept.
static pc_status make_cloud(cloud *c, pc_arena *arena, int count, const double (*point)[3],
                            pc_error *error)
{
  double low[3], high[3], extent = 0;
  for (int k = 0; k < 3; k++)
    low[k] = INFINITY, high[k] = -INFINITY;
  for (int i = 0; i < count; i++)
    for (int k = 0; k < 3; k++) {
      if (!isfinite(point[i][k]))
        return pc_fail(error, PC_ERROR_ARGUMENT, "vertex %d is not finite", i);
      low[k] = fmin(low[k], point[i][k]);
      high[k] = fmax(high[k], point[i][k]);
    }
  for (int k = 0; k < 3; k++) {
    extent = fmax(extent, high[k] - low[k]);
    c->shift[k] = low[k] + 0.5 * (high[k] - low[k]);
  }
  c->scale = 1 / extent;
  if (!isfinite(extent) || !isfinite(c->scale) || c->scale == 0)
    return pc_fail(error, PC_ERROR_ARGUMENT,
                   extent > 1 ? "the vertices are too far apart" : "all vertices are at one point");
  pc_numbered_point *cells = pc_arena_take(arena, (size_t)count, sizeof *cells);
  c->given = pc_arena_take(arena, (size_t)count, sizeof(int));
  c->point = pc_arena_take(arena, (size_t)count, sizeof *c->point);
  if (arena->failed)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  for (int i = 0; i < count; i++) {
    // The offset keeps round numbers away from the borders of cells.
    unit_point(c, point[i], cells[i].at);
    for (int k = 0; k < 3; k++)
      cells[i].at[k] = floor(cells[i].at[k] / c->tolerance + 0.37);
    cells[i].index = i;
  }
  qsort(cells, (size_t)count, sizeof *cells, pc_compare_points);
  c->count = 0;
  for (int i = 0; i < count; i++)
    if (i == 0 || memcmp(cells[i].at, cells[i - 1].at, sizeof cells[i].at) != 0)
      c->given[c->count++] = cells[i].index;
  qsort(c->given, (size_t)c->count, sizeof(int), pc_compare_ints);
  for (int i = 0; i < c->count; i++)
    unit_point(c, point[c->given[i]], c->point[i]);
  return PC_OK;
}

// Points in a line or in a plane have no hull with a volume.
static pc_status check_solid(const cloud *c, pc_error *error)
{
  double far = 0, along[3] = {0}, wide = 0, normal[3] = {0}, thick = 0;
  for (int i = 1; i < c->count; i++) {
    double d[3];
    pc_sub3(c->point[i], c->point[0], d);
    if (pc_norm(3, d) > far) {
      far = pc_norm(3, d);
      memcpy(along, d, sizeof d);
    }
  }
  for (int i = 1; i < c->count; i++) {
    double d[3], cross[3];
    pc_sub3(c->point[i], c->point[0], d);
    pc_cross(along, d, cross);
    if (pc_norm(3, cross) > wide) {
      wide = pc_norm(3, cross);
      memcpy(normal, cross, sizeof cross);
    }
  }
  if (wide <= 4 * c->tolerance * far)
    return pc_fail(error, PC_ERROR_ARGUMENT, "the vertices lie on one line: no volume");
  for (int i = 1; i < c->count; i++) {
    double d[3];
    pc_sub3(c->point[i], c->point[0], d);
    thick = fmax(thick, fabs(pc_dot3(normal, d)));
  }
  if (thick <= 4 * c->tolerance * wide)
    return pc_fail(error, PC_ERROR_ARGUMENT, "the vertices lie in one plane: no volume");
  return PC_OK;
}

typedef struct copying {
  pc_surface *surface;
  pc_arena *arena;
} copying;

// Copies qhull's facets. It may leave by longjmp.
static void copy_facets(qhT *qh, const copying *job)
{
  pc_surface *s = job->surface;
  pc_arena *arena = job->arena;
  facetT *facet;
  vertexT *vertex, **vertexp;
  for (int pass = 0; pass < 2; pass++) {
    int faces = 0, corners = 0;
    FORALLfacets
    {
      setT *loop = qh_facet3vertex(qh, facet);
      FOREACHvertex_(loop)
      {
        if (pass == 1)
          s->vertex[corners] = qh_pointid(qh, vertex->point);
        corners++;
      }
      qh_settempfree(qh, &loop);
      faces++;
      if (pass == 1)
        s->start[faces] = corners;
    }
    if (pass == 0) {
      s->faces = faces;
      s->corners = corners;
      s->start = pc_arena_take(arena, (size_t)faces + 1, sizeof(int));
      s->vertex = pc_arena_take(arena, (size_t)corners, sizeof(int));
      if (arena->failed)
        return;
    }
  }
}

static int copy_guarded(qhT *qh, const copying *job)
{
  int code = setjmp(qh->errexit);
  if (code == qh_ERRnone) {
    qh->NOerrexit = False;
    copy_facets(qh, job);
  }
  qh->NOerrexit = True;
  return code;
}

// Runs qhull, which reports errors by longjmp and prints to a file; its messages are discarded.
// Gives its error code.
static int run_qhull(const cloud *c, const char *options, const copying *job)
{
  char command[64];
  pc_written messages;
  bool open = pc_written_begin(&messages);
  qhT *qh = calloc(1, sizeof *qh);
  int code = qh_ERRmem;
  snprintf(command, sizeof command, "%s", options);
  if (open && qh != NULL) {
    qh_zero(qh, messages.to);
    code = qh_new_qhull(qh, 3, c->count, c->point[0], False, command, NULL, messages.to);
    if (code == qh_ERRnone)
      code = copy_guarded(qh, job);
    int blocks, bytes;
    qh_freeqhull(qh, !qh_ALL);
    qh_memfreeshort(qh, &blocks, &bytes);
  }
  free(pc_written_end(&messages));
  free(qh);
  return code;
}

typedef struct first_edge {
  int from, to, facet;
} first_edge;

static int compare_first_edges(const void *a, const void *b)
{
  const first_edge *x = a, *y = b;
  return x->from != y->from ? (x->from > y->from) - (x->from < y->from)
                            : (x->to > y->to) - (x->to < y->to);
}

// The order of facets, and the vertex that each begins with, are qhull's own and differ between
// machines. Afterwards loops begin with their first vertex and are sorted by their first edge,
// which no two share.
static bool sort_facets(pc_surface *s, pc_arena *arena)
{
  first_edge *edge = pc_arena_take(arena, (size_t)s->faces, sizeof *edge);
  int *start = pc_arena_take(arena, (size_t)s->faces + 1, sizeof *start);
  int *vertex = pc_arena_take(arena, (size_t)s->corners, sizeof *vertex);
  if (arena->failed)
    return false;
  for (int f = 0; f < s->faces; f++) {
    int from = s->start[f], count = s->start[f + 1] - from, least = 0;
    for (int i = 1; i < count; i++)
      if (s->vertex[from + i] < s->vertex[from + least])
        least = i;
    edge[f] = (first_edge){s->vertex[from + least], s->vertex[from + (least + 1) % count], f};
  }
  qsort(edge, (size_t)s->faces, sizeof *edge, compare_first_edges);
  start[0] = 0;
  for (int f = 0; f < s->faces; f++) {
    int from = s->start[edge[f].facet], count = s->start[edge[f].facet + 1] - from, first = 0;
    while (s->vertex[from + first] != edge[f].from)
      first++;
    for (int i = 0; i < count; i++)
      vertex[start[f] + i] = s->vertex[from + (first + i) % count];
    start[f + 1] = start[f] + count;
  }
  s->start = start;
  s->vertex = vertex;
  return true;
}

// The facets of the hull, turning counter-clockwise seen from outside; false if qhull gives up or
// memory is out.
static bool find_facets(const cloud *c, const char *options, pc_surface *s, pc_arena *arena)
{
  int code = run_qhull(c, options, &(copying){s, arena});
  arena->failed = arena->failed || code == qh_ERRmem;
  if (code != qh_ERRnone || arena->failed)
    return false;
  // All facets have the same orientation; the sign of the volume tells which.
  double volume = 0;
  for (int f = 0; f < s->faces; f++) {
    double area[3];
    int start = s->start[f];
    pc_loop_area(s->start[f + 1] - start, s->vertex + start, (const double(*)[3])c->point, area);
    volume += pc_dot3(area, c->point[s->vertex[start]]);
  }
  for (int f = 0; volume < 0 && f < s->faces; f++)
    for (int i = s->start[f], j = s->start[f + 1] - 1; i < j; i++, j--) {
      int other = s->vertex[i];
      s->vertex[i] = s->vertex[j];
      s->vertex[j] = other;
    }
  return volume != 0 && sort_facets(s, arena);
}

// Vertices that are in a loop, in the order they were given; loops are renumbered.
static bool take_vertices(pc_hull *hull, pc_surface *s, const cloud *c, const double (*given)[3],
                          pc_arena *arena, pc_arena *scratch)
{
  int *number = pc_arena_take(scratch, (size_t)c->count, sizeof(int));
  if (scratch->failed)
    return false;
  for (int h = 0; h < s->corners; h++)
    number[s->vertex[h]] = 1;
  hull->vertices = 0;
  for (int i = 0; i < c->count; i++)
    hull->vertices += number[i];
  hull->vertex = pc_arena_take(arena, (size_t)hull->vertices, sizeof *hull->vertex);
  if (arena->failed)
    return false;
  for (int i = 0, n = 0; i < c->count; i++)
    if (number[i] != 0) {
      memcpy(hull->vertex[n], given[c->given[i]], sizeof hull->vertex[n]);
      number[i] = n++;
    }
  for (int h = 0; h < s->corners; h++)
    s->vertex[h] = number[s->vertex[h]];
  return true;
}

// Keeps the vertices of the surface that stand out; true if some do not, so that the hull of the
// rest must be found.
static bool drop_flat(cloud *c, const pc_surface *s, pc_arena *arena)
{
  bool *keep = pc_arena_take(arena, (size_t)c->count, sizeof *keep);
  if (keep == NULL ||
      pc_surface_flat(s, c->count, (const double(*)[3])c->point, c->tolerance, keep, arena) == 0)
    return false;
  int kept = 0;
  for (int i = 0; i < c->count; i++)
    if (keep[i]) {
      memcpy(c->point[kept], c->point[i], sizeof c->point[i]);
      c->given[kept++] = c->given[i];
    }
  c->count = kept;
  return true;
}

static bool build_with(pc_hull *hull, pc_arena *arena, cloud *c, const double (*given)[3],
                       char *options, pc_arena *scratch)
{
  pc_surface facets, loops = {0};
  do {
    facets = (pc_surface){0};
    if (c->count < 4 || !find_facets(c, options, &facets, scratch) ||
        !pc_surface_link(&facets, scratch))
      return false;
  } while (drop_flat(c, &facets, scratch));
  double(*normal)[3] = pc_arena_take(scratch, (size_t)facets.faces, sizeof *normal);
  if (scratch->failed ||
      !pc_surface_merge(&facets, c->count, (const double(*)[3])c->point, 0.25 * c->tolerance,
                        &loops, normal, arena, scratch) ||
      !take_vertices(hull, &loops, c, given, arena, scratch))
    return false;
  return hull_from_loops(hull, arena, &loops, (const double(*)[3])normal);
}

// Every point is a vertex, or near some face.
static pc_status check_convex(const pc_hull *hull, const cloud *c, int count,
                              const double (*point)[3], pc_error *error)
{
  double near = 3 * c->tolerance / c->scale;
  for (int i = 0, next = 0; i < count; i++) {
    if (next < hull->vertices && memcmp(point[i], hull->vertex[next], sizeof point[i]) == 0) {
      next++;
      continue;
    }
    double best = -INFINITY;
    for (int f = 0; f < hull->faces && best < -near; f++)
      best = fmax(best, pc_dot3(hull->plane[f], point[i]) - hull->plane[f][3]);
    if (best < -near)
      return pc_fail(
          error, PC_ERROR_ARGUMENT,
          "vertex %d lies inside the convex hull of the other vertices: the shape is not convex",
          i);
  }
  return PC_OK;
}

pc_status pc_hull_build(pc_hull *hull, pc_arena *arena, int count, const double (*point)[3],
                        double tolerance, bool strict, pc_error *error)
{
  if (count < 4)
    return pc_fail(error, PC_ERROR_ARGUMENT, "a polyhedron needs at least 4 vertices (got %d)",
                   count);
  pc_arena scratch = {0};
  cloud c = {.tolerance = tolerance};
  pc_status status = make_cloud(&c, &scratch, count, point, error);
  if (status == PC_OK)
    status = check_solid(&c, error);
  // Where qhull's merging of nearly coplanar facets fails, moving the points by round-off helps.
  char plain[] = "qhull Pp", joggled[] = "qhull QJ Pp";
  if (status == PC_OK && !build_with(hull, arena, &c, point, plain, &scratch) &&
      !build_with(hull, arena, &c, point, joggled, &scratch))
    status = arena->failed || scratch.failed
                 ? pc_fail(error, PC_ERROR_MEMORY, "out of memory")
                 : pc_fail(error, PC_ERROR_NUMERIC,
                           "the convex hull of the vertices cannot be built: it is too thin, or "
                           "vertices nearly coincide");
  if (status == PC_OK && strict)
    status = check_convex(hull, &c, count, point, error);
  pc_arena_free(&scratch);
  return status;
}
