#include "delaunay.h"

#include <libqhull_r/qhull_ra.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The edges of the triangles of the lower hull.
static bool copy_triangles(qhT *qh, pair_list *edges)
{
  facetT *facet;
  vertexT *vertex, **vertexp;
  bool done = true;
  FORALLfacets
  {
    int corner[3], corners = 0;
    if (facet->upperdelaunay)
      continue;
    FOREACHvertex_(facet->vertices)
    {
      if (corners < 3)
        corner[corners++] = qh_pointid(qh, vertex->point);
    }
    for (int i = 0; i < corners && done; i++)
      done = pair_list_add(edges, corner[i], corner[(i + 1) % corners]);
  }
  return done;
}

// False when qhull gives up: the points lie on a line, or memory is out.
static bool run_qhull(int count, const double (*point)[2], pair_list *edges, bool *no_memory)
{
  char command[] = "qhull d Qt Qbb Qc";
  FILE *unread = fopen("/dev/null", "w"); // qhull's messages
  qhT *qh = calloc(1, sizeof *qh);
  int code = qh_ERRmem;
  if (unread != NULL && qh != NULL) {
    qh_zero(qh, unread);
    code = qh_new_qhull(qh, 2, count, (coordT *)point, False, command, NULL, unread);
    if (code == qh_ERRnone && !copy_triangles(qh, edges))
      code = qh_ERRmem;
    int blocks, bytes;
    qh_freeqhull(qh, !qh_ALL);
    qh_memfreeshort(qh, &blocks, &bytes);
  }
  if (unread != NULL)
    fclose(unread);
  free(qh);
  *no_memory = code == qh_ERRmem;
  return code == qh_ERRnone;
}

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

static bool add_line(int count, const double (*point)[2], pair_list *edges)
{
  place *places = calloc((size_t)count + 1, sizeof *places);
  bool done = places != NULL;
  for (int i = 0; i < count && done; i++)
    places[i] = (place){point[i][0], point[i][1], i};
  if (done)
    qsort(places, (size_t)count, sizeof *places, compare_places);
  for (int i = 1; i < count && done; i++)
    done = pair_list_add(edges, places[i - 1].number, places[i].number);
  free(places);
  return done;
}

bool delaunay_edges(int count, const double (*point)[2], pair_list *edges)
{
  bool no_memory = false;
  edges->count = 0;
  if (count <= 3 || !run_qhull(count, point, edges, &no_memory)) {
    edges->count = 0;
    no_memory = no_memory || !add_line(count, point, edges);
    if (count == 3) // a triangle, or a line with one edge too many
      no_memory = no_memory || !pair_list_add(edges, 0, 1) || !pair_list_add(edges, 1, 2) ||
                  !pair_list_add(edges, 0, 2);
  }
  pair_list_sort(edges);
  int kept = 0;
  for (int i = 0; i < edges->count; i++)
    if (kept == 0 || memcmp(edges->at[kept - 1], edges->at[i], sizeof *edges->at) != 0)
      memmove(edges->at[kept++], edges->at[i], sizeof *edges->at);
  edges->count = kept;
  return !no_memory;
}
