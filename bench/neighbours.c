#include "neighbours.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "delaunay.h"
#include "pair_list.h"

// Verlet's lists reach farther than asked, by this part of the largest radius.
static const double SKIN = 0.5;

typedef struct interval {
  double low;
  int disc;
} interval;

struct search {
  search_kind kind;
  pair_list found;
  pair_list wide; // Delaunay's edges, or Verlet's list
  double (*listed_at)[2];
  int listed; // the number of discs when the list was made, and their positions above
  double listed_within;
};

// What is searched.
typedef struct discs {
  int count;
  const double (*centre)[2];
  const double *radius;
  double within, largest;
} discs;

const char *search_name(search_kind kind)
{
  static const char *const names[SEARCHES] = {"all pairs", "Delaunay", "linked cells", "Verlet",
                                              "sweep and prune"};
  return names[kind];
}

search *search_create(search_kind kind)
{
  search *s = calloc(1, sizeof *s);
  if (s != NULL)
    s->kind = kind;
  return s;
}

void search_destroy(search *s)
{
  if (s == NULL)
    return;
  pair_list_free(&s->found);
  pair_list_free(&s->wide);
  free(s->listed_at);
  free(s);
}

static bool is_near(const discs *d, int i, int j)
{
  return hypot(d->centre[j][0] - d->centre[i][0], d->centre[j][1] - d->centre[i][1]) <
         d->radius[i] + d->radius[j] + d->within;
}

static bool add_if_near(const discs *d, int i, int j, pair_list *found)
{
  return !is_near(d, i, j) || pair_list_add(found, i, j);
}

static bool add_near_of(const discs *d, const pair_list *candidates, pair_list *found)
{
  for (int k = 0; k < candidates->count; k++)
    if (!add_if_near(d, candidates->at[k][0], candidates->at[k][1], found))
      return false;
  return true;
}

static bool search_all(const discs *d, pair_list *found)
{
  for (int i = 0; i < d->count; i++)
    for (int j = i + 1; j < d->count; j++)
      if (!add_if_near(d, i, j, found))
        return false;
  return true;
}

static bool search_delaunay(search *s, const discs *d)
{
  return delaunay_edges(d->count, d->centre, &s->wide) && add_near_of(d, &s->wide, &s->found);
}

// Square cells as wide as the largest distance at which two discs are neighbours. A cell is a
// linked list of discs: `first` by cell, `next` by disc, -1 ends it.
typedef struct cells {
  double low[2], size;
  int columns, rows;
  int *first, *next;
} cells;

static int cell_along(const cells *c, const double *centre, int axis)
{
  return (int)((centre[axis] - c->low[axis]) / c->size);
}

static bool sort_into_cells(cells *c, const discs *d)
{
  double high[2] = {-INFINITY, -INFINITY};
  *c = (cells){.low = {INFINITY, INFINITY}, .size = 2 * d->largest + d->within};
  for (int i = 0; i < d->count; i++)
    for (int k = 0; k < 2; k++) {
      c->low[k] = fmin(c->low[k], d->centre[i][k]);
      high[k] = fmax(high[k], d->centre[i][k]);
    }
  if (d->count == 0)
    return true;
  // Not far more cells than discs, however far apart they are.
  double area = (high[0] - c->low[0]) * (high[1] - c->low[1]);
  double longest = fmax(high[0] - c->low[0], high[1] - c->low[1]);
  c->size = fmax(c->size, fmax(sqrt(area / (8.0 * d->count)), longest / (8.0 * d->count)));
  c->columns = cell_along(c, high, 0) + 1;
  c->rows = cell_along(c, high, 1) + 1;
  size_t all = (size_t)c->columns * (size_t)c->rows;
  c->first = malloc(all * sizeof *c->first);
  c->next = malloc((size_t)d->count * sizeof *c->next);
  if (c->first == NULL || c->next == NULL)
    return false;
  for (size_t k = 0; k < all; k++)
    c->first[k] = -1;
  for (int i = 0; i < d->count; i++) {
    int *first =
        &c->first[cell_along(c, d->centre[i], 1) * c->columns + cell_along(c, d->centre[i], 0)];
    c->next[i] = *first;
    *first = i;
  }
  return true;
}

static bool search_around(const cells *c, const discs *d, int i, pair_list *found)
{
  int column = cell_along(c, d->centre[i], 0), row = cell_along(c, d->centre[i], 1);
  for (int y = row > 0 ? row - 1 : 0; y <= row + 1 && y < c->rows; y++)
    for (int x = column > 0 ? column - 1 : 0; x <= column + 1 && x < c->columns; x++)
      for (int j = c->first[y * c->columns + x]; j >= 0; j = c->next[j])
        if (j > i && !add_if_near(d, i, j, found))
          return false;
  return true;
}

static bool search_cells(const discs *d, pair_list *found)
{
  cells c;
  bool done = sort_into_cells(&c, d);
  for (int i = 0; i < d->count && done; i++)
    done = search_around(&c, d, i, found);
  free(c.first);
  free(c.next);
  pair_list_sort(found);
  return done;
}

// Whether no disc has moved more than half of the skin since the list was made.
static bool list_holds(const search *s, const discs *d, double skin)
{
  if (s->listed != d->count || s->listed_within != d->within)
    return false;
  for (int i = 0; i < d->count; i++)
    if (hypot(d->centre[i][0] - s->listed_at[i][0], d->centre[i][1] - s->listed_at[i][1]) >
        0.5 * skin)
      return false;
  return true;
}

static bool search_verlet(search *s, const discs *d)
{
  double skin = SKIN * d->largest;
  if (!list_holds(s, d, skin)) {
    discs wide = *d;
    wide.within += skin;
    s->wide.count = 0;
    size_t bytes = (size_t)d->count * sizeof *s->listed_at;
    void *places = realloc(s->listed_at, bytes + 1);
    s->listed = -1; // no list, should this fail
    if (places == NULL)
      return false;
    s->listed_at = places;
    if (!search_all(&wide, &s->wide))
      return false;
    memcpy(s->listed_at, d->centre, bytes);
    s->listed = d->count;
    s->listed_within = d->within;
  }
  return add_near_of(d, &s->wide, &s->found);
}

static int compare_intervals(const void *a, const void *b)
{
  const interval *one = a, *two = b;
  return one->low != two->low ? (one->low > two->low) - (one->low < two->low)
                              : one->disc - two->disc;
}

static bool search_sweep(const discs *d, pair_list *found)
{
  double half = 0.5 * d->within;
  interval *sorted = malloc((size_t)d->count * sizeof *sorted + 1);
  bool done = sorted != NULL;
  for (int i = 0; i < d->count && done; i++)
    sorted[i] = (interval){d->centre[i][0] - d->radius[i] - half, i};
  if (done)
    qsort(sorted, (size_t)d->count, sizeof *sorted, compare_intervals);
  for (int k = 0; k < d->count && done; k++) {
    int i = sorted[k].disc;
    double high = d->centre[i][0] + d->radius[i] + half;
    for (int m = k + 1; m < d->count && sorted[m].low <= high && done; m++)
      done = add_if_near(d, i, sorted[m].disc, found);
  }
  free(sorted);
  pair_list_sort(found);
  return done;
}

bool search_pairs(search *s, int count, const double (*centre)[2], const double *radius,
                  double within, const int (**pairs)[2], int *pair_count)
{
  discs d = {.count = count, .centre = centre, .radius = radius, .within = within};
  for (int i = 0; i < count; i++)
    d.largest = fmax(d.largest, radius[i]);
  s->found.count = 0;
  bool done = s->kind == SEARCH_ALL        ? search_all(&d, &s->found)
              : s->kind == SEARCH_DELAUNAY ? search_delaunay(s, &d)
              : s->kind == SEARCH_CELLS    ? search_cells(&d, &s->found)
              : s->kind == SEARCH_VERLET   ? search_verlet(s, &d)
                                           : search_sweep(&d, &s->found);
  *pairs = (const int(*)[2])s->found.at;
  *pair_count = s->found.count;
  return done;
}
