#include "crowd/neighbours.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "crowd/cells.h"
#include "geometry/broad.h"
#include "geometry/delaunay.h"

// Verlet's lists reach so much farther than what is asked for, as a part of the largest radius.
static const double SKIN = 0.5;

typedef struct pair_list {
  int (*at)[2];
  int count, capacity;
} pair_list;

typedef struct ends {
  double low;
  int number;
} ends;

struct pc_search {
  pc_search_kind kind;
  pair_list found, wide; // wide: Verlet's list
  pc_cells cells;
  pc_broad *broad;
  double (*box)[6];
  unsigned char *fixed;
  ends *end;
  double (*then)[2]; // where everybody was when the lists were made
  int listed, box_capacity, fixed_capacity, end_capacity, then_capacity;
  double listed_within;
};

const char *pc_search_name(pc_search_kind kind)
{
  static const char *const names[PC_SEARCHES] = {"all pairs", "Delaunay",        "linked cells",
                                                 "Verlet",    "sweep and prune", "the engine's"};
  return names[kind];
}

pc_search *pc_search_create(pc_search_kind kind)
{
  pc_search *search = calloc(1, sizeof *search);
  if (search == NULL)
    return NULL;
  search->kind = kind;
  search->broad = kind == PC_SEARCH_ENGINE ? pc_broad_create() : NULL;
  if (kind == PC_SEARCH_ENGINE && search->broad == NULL) {
    free(search);
    return NULL;
  }
  return search;
}

void pc_search_destroy(pc_search *search)
{
  if (search == NULL)
    return;
  if (search->broad != NULL)
    pc_broad_destroy(search->broad);
  pc_cells_free(&search->cells);
  free(search->found.at);
  free(search->wide.at);
  free(search->box);
  free(search->fixed);
  free(search->end);
  free(search->then);
  free(search);
}

// What is searched.
typedef struct discs {
  int count;
  const double (*centre)[2];
  const double *radius;
  double within, largest;
} discs;

static bool is_near(const discs *d, int i, int j)
{
  return hypot(d->centre[j][0] - d->centre[i][0], d->centre[j][1] - d->centre[i][1]) <
         d->radius[i] + d->radius[j] + d->within;
}

static bool add_pair(pair_list *list, int i, int j)
{
  if (!pc_grow(&list->at, &list->capacity, list->count + 1, sizeof *list->at))
    return false;
  list->at[list->count][0] = i < j ? i : j;
  list->at[list->count++][1] = i < j ? j : i;
  return true;
}

static bool search_all(const discs *d, pair_list *list)
{
  for (int i = 0; i < d->count; i++)
    for (int j = i + 1; j < d->count; j++)
      if (is_near(d, i, j) && !add_pair(list, i, j))
        return false;
  return true;
}

static bool search_delaunay(const discs *d, pair_list *list)
{
  int(*edge)[2], edges;
  bool done = pc_delaunay_edges(d->count, d->centre, &edge, &edges, NULL) == PC_OK;
  if (!done)
    return false;
  for (int e = 0; e < edges && done; e++)
    if (is_near(d, edge[e][0], edge[e][1]))
      done = add_pair(list, edge[e][0], edge[e][1]);
  free(edge);
  return done;
}

static bool search_cells(pc_search *search, const discs *d, pair_list *list)
{
  pc_cells *cells = &search->cells;
  if (!pc_cells_sort(cells, d->count, d->centre, NULL, 2 * d->largest + d->within))
    return false;
  for (int i = 0; i < d->count; i++) {
    int column = pc_cells_along(cells, d->centre[i][0], 0);
    int row = pc_cells_along(cells, d->centre[i][1], 1);
    for (int r = row > 0 ? row - 1 : 0; r <= row + 1 && r < cells->rows; r++)
      for (int c = column > 0 ? column - 1 : 0; c <= column + 1 && c < cells->columns; c++) {
        const int *start = cells->start + r * cells->columns + c;
        for (int k = start[0]; k < start[1]; k++)
          if (cells->point[k] > i && is_near(d, i, cells->point[k]) &&
              !add_pair(list, i, cells->point[k]))
            return false;
      }
  }
  return true;
}

// Whether nobody has moved more than half of the skin since the lists were made.
static bool lists_hold(const pc_search *search, const discs *d, double skin)
{
  if (search->listed != d->count || search->listed_within != d->within)
    return false;
  for (int i = 0; i < d->count; i++)
    if (hypot(d->centre[i][0] - search->then[i][0], d->centre[i][1] - search->then[i][1]) >
        0.5 * skin)
      return false;
  return true;
}

static bool search_verlet(pc_search *search, const discs *d, pair_list *list)
{
  double skin = SKIN * d->largest;
  if (!lists_hold(search, d, skin)) {
    discs wide = *d;
    wide.within += skin;
    search->wide.count = 0;
    if (!search_all(&wide, &search->wide) ||
        !pc_grow(&search->then, &search->then_capacity, d->count + 1, sizeof *search->then))
      return false;
    memcpy(search->then, d->centre, (size_t)d->count * sizeof *search->then);
    search->listed = d->count;
    search->listed_within = d->within;
  }
  for (int k = 0; k < search->wide.count; k++) {
    const int *pair = search->wide.at[k];
    if (is_near(d, pair[0], pair[1]) && !add_pair(list, pair[0], pair[1]))
      return false;
  }
  return true;
}

static int compare_ends(const void *a, const void *b)
{
  const ends *one = a, *two = b;
  return one->low != two->low ? (one->low > two->low) - (one->low < two->low)
                              : one->number - two->number;
}

static bool search_sweep(pc_search *search, const discs *d, pair_list *list)
{
  if (!pc_grow(&search->end, &search->end_capacity, d->count + 1, sizeof *search->end))
    return false;
  ends *end = search->end;
  double half = 0.5 * d->within;
  for (int i = 0; i < d->count; i++)
    end[i] = (ends){d->centre[i][0] - d->radius[i] - half, i};
  qsort(end, (size_t)d->count, sizeof *end, compare_ends);
  for (int k = 0; k < d->count; k++) {
    int i = end[k].number;
    double high = d->centre[i][0] + d->radius[i] + half;
    for (int m = k + 1; m < d->count && end[m].low <= high; m++)
      if (is_near(d, i, end[m].number) && !add_pair(list, i, end[m].number))
        return false;
  }
  return true;
}

static bool search_engine(pc_search *search, const discs *d, pair_list *list)
{
  if (!pc_grow(&search->box, &search->box_capacity, d->count + 1, sizeof *search->box) ||
      !pc_grow(&search->fixed, &search->fixed_capacity, d->count + 1, 1))
    return false;
  memset(search->fixed, 0, (size_t)d->count);
  for (int i = 0; i < d->count; i++)
    for (int k = 0; k < 3; k++) {
      double reach = d->radius[i] + 0.5 * d->within, at = k < 2 ? d->centre[i][k] : 0;
      search->box[i][k] = at - reach;
      search->box[i][3 + k] = at + reach;
    }
  const int(*pair)[2];
  int pairs;
  if (pc_broad_pairs(search->broad, 1, d->count, (const double(*)[6])search->box, search->fixed,
                     &pair, &pairs) != PC_OK)
    return false;
  for (int k = 0; k < pairs; k++)
    if (is_near(d, pair[k][0], pair[k][1]) && !add_pair(list, pair[k][0], pair[k][1]))
      return false;
  return true;
}

static int compare_pairs(const void *a, const void *b)
{
  const int *one = a, *two = b;
  return one[0] != two[0] ? one[0] - two[0] : one[1] - two[1];
}

pc_status pc_search_pairs(pc_search *search, int count, const double (*centre)[2],
                          const double *radius, double within, const int (**pairs)[2],
                          int *pair_count, pc_error *error)
{
  discs d = {.count = count, .centre = centre, .radius = radius, .within = within};
  pair_list *list = &search->found;
  bool done = false, sorted = false;
  for (int i = 0; i < count; i++)
    d.largest = fmax(d.largest, radius[i]);
  list->count = 0;
  switch (search->kind) {
  case PC_SEARCH_ALL:
    done = search_all(&d, list);
    sorted = true;
    break;
  case PC_SEARCH_DELAUNAY:
    done = search_delaunay(&d, list);
    sorted = true;
    break;
  case PC_SEARCH_CELLS:
    done = search_cells(search, &d, list);
    break;
  case PC_SEARCH_VERLET:
    done = search_verlet(search, &d, list);
    sorted = true;
    break;
  case PC_SEARCH_SWEEP:
    done = search_sweep(search, &d, list);
    break;
  default:
    done = search_engine(search, &d, list);
    sorted = true;
  }
  if (!done)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  if (!sorted && list->count > 0)
    qsort(list->at, (size_t)list->count, sizeof *list->at, compare_pairs);
  *pairs = (const int(*)[2])list->at;
  *pair_count = list->count;
  return PC_OK;
}
