#include "geometry/delaunay.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "geometry/qhull.h"

typedef struct edge_list {
  int (*at)[2];
  int count, capacity;
  bool failed;
} edge_list;

static void add_edge(edge_list *list, int a, int b)
{
  if (!pc_grow(&list->at, &list->capacity, list->count + 1, sizeof *list->at)) {
    list->failed = true;
    return;
  }
  list->at[list->count][0] = a < b ? a : b;
  list->at[list->count++][1] = a < b ? b : a;
}

// Edges of the triangles of the lower hull. It may leave by longjmp.
static void copy_triangles(qhT *qh, void *context)
{
  edge_list *list = context;
  facetT *facet;
  vertexT *vertex, **vertexp;
  FORALLfacets
  {
    if (facet->upperdelaunay)
      continue;
    int corner[3], corners = 0;
    FOREACHvertex_(facet->vertices)
    {
      if (corners < 3)
        corner[corners++] = qh_pointid(qh, vertex->point);
    }
    for (int i = 0; i < corners; i++)
      add_edge(list, corner[i], corner[(i + 1) % corners]);
  }
}

static int compare_edges(const void *a, const void *b)
{
  const int *one = a, *two = b;
  return one[0] != two[0] ? (one[0] > two[0]) - (one[0] < two[0])
                          : (one[1] > two[1]) - (one[1] < two[1]);
}

// A point with its place along x, then y.
typedef struct place {
  double x, y;
  int number;
} place;

static int compare_places(const void *a, const void *b)
{
  const place *one = a, *two = b;
  return one->x != two->x ? (one->x > two->x) - (one->x < two->x)
                          : (one->y > two->y) - (one->y < two->y);
}

static void chain_edges(int count, const double (*point)[2], edge_list *list)
{
  place *places = calloc((size_t)count + 1, sizeof *places);
  list->failed = list->failed || places == NULL;
  for (int i = 0; i < count && places != NULL; i++)
    places[i] = (place){point[i][0], point[i][1], i};
  if (places != NULL)
    qsort(places, (size_t)count, sizeof *places, compare_places);
  for (int i = 1; i < count && places != NULL; i++)
    add_edge(list, places[i - 1].number, places[i].number);
  free(places);
}

pc_status pc_delaunay_edges(int count, const double (*point)[2], int (**edges)[2], int *edge_count,
                            pc_error *error)
{
  edge_list list = {0};
  bool no_memory = false;
  bool done = count > 3 && pc_qhull_run(2, count, point[0], "qhull d Qt Qbb Qc", copy_triangles,
                                        &list, &no_memory);
  list.failed = list.failed || no_memory;
  if (!done && !list.failed) {
    list.count = 0;
    chain_edges(count, point, &list);
    if (count == 3) // a triangle, or a line with one edge too many
      add_edge(&list, 0, 1), add_edge(&list, 1, 2), add_edge(&list, 0, 2);
  }
  if (list.failed) {
    free(list.at);
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  }
  int kept = 0;
  if (list.count > 0)
    qsort(list.at, (size_t)list.count, sizeof *list.at, compare_edges);
  for (int i = 0; i < list.count; i++)
    if (kept == 0 || compare_edges(list.at[kept - 1], list.at[i]) != 0)
      memmove(list.at[kept++], list.at[i], sizeof *list.at);
  *edges = list.at;
  *edge_count = kept;
  return PC_OK;
}
