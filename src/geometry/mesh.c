#include "geometry/mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/small.h"
#include "core/sort.h"
#include "geometry/tree.h"

enum { MAX_TRIANGLES = 1 << 28 };

static pc_status out_of_memory(pc_error *error)
{
  return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
}

// The first vertex at the place of each vertex; NULL when memory is out.
static int *find_same(int count, const double (*vertex)[3], pc_arena *scratch)
{
  pc_numbered_point *sorted = pc_arena_take(scratch, (size_t)count, sizeof *sorted);
  int *same = pc_arena_take(scratch, (size_t)count, sizeof *same);
  if (scratch->failed)
    return NULL;
  for (int i = 0; i < count; i++) {
    memcpy(sorted[i].at, vertex[i], sizeof sorted[i].at);
    sorted[i].index = i;
  }
  qsort(sorted, (size_t)count, sizeof *sorted, pc_compare_points);
  for (int i = 0, first = 0; i < count; i++) {
    const double *a = sorted[i].at, *b = sorted[first].at;
    if (a[0] != b[0] || a[1] != b[1] || a[2] != b[2])
      first = i;
    same[sorted[i].index] = sorted[first].index;
  }
  return same;
}

typedef struct side {
  int high; // the other vertex
  int triangle, number;
} side;

static bool comes_before(const side *a, const side *b)
{
  if (a->high != b->high)
    return a->high < b->high;
  if (a->triangle != b->triangle)
    return a->triangle < b->triangle;
  return a->number < b->number;
}

static int compare_sides(const void *a, const void *b)
{
  return comes_before(a, b) ? -1 : comes_before(b, a) ? 1 : 0;
}

// Sides from one low vertex, sorted: two triangles are neighbours where they alone share an edge
// and run along it in opposite ways.
static void match_sides(pc_mesh *mesh, const side *sides, size_t count)
{
  for (size_t i = 0, end; i < count; i = end) {
    for (end = i + 1; end < count && sides[end].high == sides[i].high;)
      end++;
    if (end - i != 2)
      continue;
    const side *a = &sides[i], *b = &sides[i + 1];
    pc_triangle *p = &mesh->triangle[a->triangle], *q = &mesh->triangle[b->triangle];
    if (p->vertex[a->number] == q->vertex[b->number])
      continue;
    p->neighbour[a->number] = b->triangle;
    q->neighbour[b->number] = a->triangle;
  }
}

static int low_vertex(const pc_triangle *t, int side_number)
{
  int a = t->vertex[side_number], b = t->vertex[(side_number + 1) % 3];
  return a < b ? a : b;
}

// Sides are grouped by their low vertex first; few share one, and sorting those is cheap.
static bool find_neighbours(pc_mesh *mesh, pc_arena *scratch)
{
  size_t count = 3 * (size_t)mesh->triangles, vertices = (size_t)mesh->vertices;
  side *sides = pc_arena_take(scratch, count, sizeof *sides);
  size_t *start =
      pc_arena_take(scratch, vertices + 2, sizeof *start); // of v at v + 1 while filling
  if (scratch->failed)
    return false;
  for (int t = 0; t < mesh->triangles; t++)
    for (int i = 0; i < 3; i++)
      start[low_vertex(&mesh->triangle[t], i) + 2]++;
  for (size_t v = 2; v < vertices + 2; v++)
    start[v] += start[v - 1];
  for (int t = 0; t < mesh->triangles; t++)
    for (int i = 0; i < 3; i++) {
      pc_triangle *triangle = &mesh->triangle[t];
      int low = low_vertex(triangle, i);
      int high = triangle->vertex[triangle->vertex[i] == low ? (i + 1) % 3 : i];
      sides[start[low + 1]++] = (side){high, t, i};
      triangle->neighbour[i] = -1;
    }
  for (size_t v = 0; v < vertices; v++) {
    size_t own = start[v + 1] - start[v];
    qsort(sides + start[v], own, sizeof *sides, compare_sides);
    match_sides(mesh, sides + start[v], own);
  }
  return true;
}

// The unit normal; false if the triangle has no area next to the length of its edges.
static bool set_normal(const pc_mesh *mesh, pc_triangle *t)
{
  double edge[3][3], length[3];
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++)
      edge[i][k] = mesh->vertex[t->vertex[(i + 1) % 3]][k] - mesh->vertex[t->vertex[i]][k];
    length[i] = pc_norm(3, edge[i]);
  }
  int last = length[2] >= fmax(length[0], length[1]) ? 2 : length[1] >= length[0] ? 1 : 0;
  double longest = length[last];
  if (!(longest > 0) || !isfinite(longest))
    return false;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      edge[i][k] /= longest;
  // The two shorter edges: the long edges of a needle are almost parallel.
  pc_cross(edge[(last + 1) % 3], edge[(last + 2) % 3], t->normal);
  double area = pc_norm(3, t->normal);
  for (int k = 0; k < 3; k++)
    t->normal[k] /= area;
  return area > 1e-14;
}

// Neighbours and the tree of a mesh that has its vertices and triangles.
static bool finish(pc_mesh *mesh, pc_arena *arena, pc_arena *scratch)
{
  double(*box)[6] = pc_arena_take(scratch, (size_t)mesh->triangles, sizeof *box);
  if (box == NULL || !find_neighbours(mesh, scratch))
    return false;
  for (int t = 0; t < mesh->triangles; t++)
    for (int k = 0; k < 3; k++) {
      const int *v = mesh->triangle[t].vertex;
      double a = mesh->vertex[v[0]][k], b = mesh->vertex[v[1]][k], c = mesh->vertex[v[2]][k];
      box[t][k] = fmin(a, fmin(b, c));
      box[t][3 + k] = fmax(a, fmax(b, c));
    }
  mesh->tree = pc_tree_build(arena, mesh->triangles, (const double(*)[6])box);
  return mesh->tree != NULL;
}

static pc_status check_mesh(int vertices, const double (*vertex)[3], int triangles,
                            const int (*triangle)[3], pc_error *error)
{
  if (vertices < 3 || triangles < 1)
    return pc_fail(error, PC_ERROR_ARGUMENT, "a mesh needs at least 3 vertices and 1 triangle");
  if (triangles > MAX_TRIANGLES)
    return pc_fail(error, PC_ERROR_ARGUMENT, "a mesh may have at most %d triangles", MAX_TRIANGLES);
  for (int i = 0; i < vertices; i++)
    for (int k = 0; k < 3; k++)
      if (!isfinite(vertex[i][k]))
        return pc_fail(error, PC_ERROR_ARGUMENT, "vertex %d is not finite", i);
  for (int t = 0; t < triangles; t++)
    for (int i = 0; i < 3; i++)
      if (triangle[t][i] < 0 || triangle[t][i] >= vertices)
        return pc_fail(error, PC_ERROR_ARGUMENT,
                       "triangle %d refers to vertex %d, but the mesh has %d vertices", t,
                       triangle[t][i], vertices);
  return PC_OK;
}

// Vertices that are the first at their place are kept; same[i] becomes the new number of vertex i.
static void keep_first(pc_mesh *mesh, int vertices, const double (*vertex)[3], int *same)
{
  mesh->vertices = 0;
  for (int i = 0; i < vertices; i++)
    if (same[i] == i) {
      memcpy(mesh->vertex[mesh->vertices], vertex[i], sizeof mesh->vertex[0]);
      same[i] = mesh->vertices++;
    } else {
      same[i] = same[same[i]];
    }
}

pc_status pc_mesh_build(pc_mesh *mesh, pc_arena *arena, int vertices, const double (*vertex)[3],
                        int triangles, const int (*triangle)[3], bool drop, pc_error *error)
{
  pc_status status = check_mesh(vertices, vertex, triangles, triangle, error);
  if (status != PC_OK)
    return status;
  mesh->vertex = pc_arena_take(arena, (size_t)vertices, sizeof *mesh->vertex);
  mesh->triangle = pc_arena_take(arena, (size_t)triangles, sizeof *mesh->triangle);
  pc_arena scratch = {0};
  int *same = arena->failed ? NULL : find_same(vertices, vertex, &scratch);
  if (same != NULL)
    keep_first(mesh, vertices, vertex, same);
  mesh->triangles = 0;
  for (int t = 0; t < triangles && same != NULL && status == PC_OK; t++) {
    pc_triangle *to = &mesh->triangle[mesh->triangles];
    for (int i = 0; i < 3; i++)
      to->vertex[i] = same[triangle[t][i]];
    if (set_normal(mesh, to))
      mesh->triangles++;
    else if (!drop)
      status = pc_fail(error, PC_ERROR_ARGUMENT, "triangle %d has zero area", t);
  }
  if (status == PC_OK && same != NULL && mesh->triangles == 0)
    status = pc_fail(error, PC_ERROR_ARGUMENT, "all triangles of the mesh have zero area");
  if (status == PC_OK && (same == NULL || !finish(mesh, arena, &scratch)))
    status = out_of_memory(error);
  pc_arena_free(&scratch);
  return status;
}

static pc_status check_heights(int columns, int rows, double spacing, const double origin[2],
                               const double *height, pc_error *error)
{
  if (columns < 2 || rows < 2)
    return pc_fail(error, PC_ERROR_ARGUMENT, "a height field needs at least 2 columns and 2 rows");
  if (2.0 * columns * rows > MAX_TRIANGLES)
    return pc_fail(error, PC_ERROR_ARGUMENT, "a height field may have at most %d points",
                   MAX_TRIANGLES / 2);
  if (!(spacing > 0) || !isfinite(spacing))
    return pc_fail(error, PC_ERROR_ARGUMENT, "the spacing of heights must be positive");
  for (int k = 0; k < 2; k++)
    if (!isfinite(origin[k]) || !isfinite(origin[k] + spacing * fmax(columns, rows)) ||
        origin[k] + spacing == origin[k])
      return pc_fail(error, PC_ERROR_ARGUMENT,
                     "the origin of the heights is not finite, or too far away for the spacing");
  for (int j = 0; j < rows; j++)
    for (int i = 0; i < columns; i++)
      if (isinf(height[(size_t)j * (size_t)columns + (size_t)i]))
        return pc_fail(error, PC_ERROR_ARGUMENT, "the height in column %d, row %d is infinite", i,
                       j);
  return PC_OK;
}

// The diagonal of every cell runs from its low to its high corner.
static pc_status add_cell(pc_mesh *mesh, const int corner[4], pc_error *error)
{
  static const int split[2][3] = {{0, 1, 3}, {0, 3, 2}};
  for (int half = 0; half < 2; half++) {
    pc_triangle *to = &mesh->triangle[mesh->triangles];
    for (int i = 0; i < 3; i++)
      to->vertex[i] = corner[split[half][i]];
    if (to->vertex[0] < 0 || to->vertex[1] < 0 || to->vertex[2] < 0)
      continue;
    if (!set_normal(mesh, to))
      return pc_fail(error, PC_ERROR_ARGUMENT,
                     "the height differences are too large for the spacing");
    mesh->triangles++;
  }
  return PC_OK;
}

static const double MARK = -9999; // m, and lower: no place is, but files mark missing values so

static void add_hole(pc_survey *survey, double x, double y)
{
  double *box = survey->hole;
  bool first = survey->holes++ == 0;
  box[0] = first ? x : fmin(box[0], x);
  box[1] = first ? y : fmin(box[1], y);
  box[2] = first ? x : fmax(box[2], x);
  box[3] = first ? y : fmax(box[3], y);
}

pc_status pc_mesh_heights(pc_mesh *mesh, pc_arena *arena, int columns, int rows, double spacing,
                          const double origin[2], const double *height, pc_error *error)
{
  pc_status status = check_heights(columns, rows, spacing, origin, height, error);
  if (status != PC_OK)
    return status;
  size_t points = (size_t)columns * (size_t)rows;
  mesh->vertex = pc_arena_take(arena, points, sizeof *mesh->vertex);
  mesh->triangle = pc_arena_take(arena, 2 * points, sizeof *mesh->triangle);
  pc_arena scratch = {0};
  int *number = pc_arena_take(&scratch, points, sizeof *number); // of a point's vertex, -1: a hole
  if (arena->failed || number == NULL) {
    pc_arena_free(&scratch);
    return out_of_memory(error);
  }
  mesh->vertices = mesh->triangles = 0;
  mesh->survey = (pc_survey){.points = (int)points, .spacing = spacing};
  for (size_t p = 0; p < points; p++) {
    number[p] = isnan(height[p]) ? -1 : mesh->vertices++;
    double x = origin[0] + spacing * (double)(p % (size_t)columns);
    double y = origin[1] + spacing * (double)(p / (size_t)columns);
    if (number[p] < 0) {
      add_hole(&mesh->survey, x, y);
      continue;
    }
    double *v = mesh->vertex[number[p]];
    v[0] = x;
    v[1] = y;
    v[2] = height[p];
    if (height[p] <= MARK) {
      mesh->survey.marks++;
      mesh->survey.mark = fmin(mesh->survey.mark, height[p]);
    }
  }
  for (int j = 0; j + 1 < rows && status == PC_OK; j++)
    for (int i = 0; i + 1 < columns && status == PC_OK; i++) {
      const int *at = number + (size_t)j * (size_t)columns + (size_t)i;
      status = add_cell(mesh, (int[4]){at[0], at[1], at[columns], at[columns + 1]}, error);
    }
  if (status == PC_OK && mesh->triangles == 0)
    status = pc_fail(error, PC_ERROR_ARGUMENT, "all heights are missing");
  if (status == PC_OK && !finish(mesh, arena, &scratch))
    status = out_of_memory(error);
  pc_arena_free(&scratch);
  return status;
}
