#include "scene/dxf_chains.h"

#include <math.h>
#include <string.h>

#include "core/elementary.h"
#include "core/error.h"
#include "scene/knots.h"
#include "scene/text.h"

static const double REACH = 1e-3; // m

void pc_dxf_chains_free(pc_dxf_chains *chains)
{
  pc_array_free(&chains->list);
  pc_array_free(&chains->points);
}

// An end of an open path.
typedef struct chain_end {
  int knot;
  int next; // at the same knot, -1: none
} chain_end;

typedef struct joiner {
  const pc_dxf *dxf;
  const char *name;
  pc_dxf_chains *to;
  pc_knots knots;
  pc_arena arena;
  chain_end *end; // 2 per path; the knot is -1 where the path does not count
  int *degree;    // per knot: open paths that end there
  bool *done;     // per path
} joiner;

static const double (*points_of(const joiner *j, int path))[2]
{
  return (const double(*)[2])j->dxf->points.at + j->dxf->paths.at[path].first;
}

static bool add_points(joiner *j, int path, bool back, int skip, int leave)
{
  const double(*p)[2] = points_of(j, path);
  int count = j->dxf->paths.at[path].count;
  for (int i = skip; i < count - leave; i++) {
    double *added = pc_array_add(&j->to->points);
    if (added == NULL)
      return false;
    memcpy(added, p[back ? count - 1 - i : i], sizeof p[0]);
  }
  return true;
}

static bool add_chain(joiner *j, int first, bool closed, int path)
{
  int count = j->to->points.count - first;
  pc_dxf_chain *added = pc_array_add(&j->to->list);
  if (added != NULL)
    *added = (pc_dxf_chain){.first = first, .count = count, .closed = closed, .path = path};
  return added != NULL;
}

// Whether another straight line between the same knots came before. Of stars of lines not all are
// compared.
static bool is_repeated(const joiner *j, int path, int knot, int other)
{
  if (j->dxf->paths.at[path].count != 2)
    return false;
  int looks = 0;
  for (int e = j->knots.list.at[knot].first; e >= 0 && looks < 64; e = j->end[e].next, looks++)
    if (j->end[e ^ 1].knot == other && j->dxf->paths.at[e / 2].count == 2)
      return true;
  return false;
}

// Enters an open path; or takes it for a chain of its own, if its ends are one.
static bool enter(joiner *j, int path)
{
  const pc_dxf_path *own = &j->dxf->paths.at[path];
  const double(*p)[2] = points_of(j, path);
  int knot[2], first = j->to->points.count;
  for (int k = 0; k < 2; k++) {
    const double *at = p[k == 0 ? 0 : own->count - 1];
    knot[k] = pc_knots_add(&j->knots, at[0], at[1]);
    if (knot[k] < 0)
      return false;
  }
  j->done[path] = knot[0] == knot[1] || is_repeated(j, path, knot[0], knot[1]);
  if (knot[0] == knot[1] && own->count > 3)
    return add_points(j, path, false, 0, 1) && add_chain(j, first, true, path);
  for (int k = 0; k < 2 && !j->done[path]; k++) {
    pc_knot *at = &j->knots.list.at[knot[k]];
    j->end[2 * path + k] = (chain_end){knot[k], at->first};
    at->first = 2 * path + k;
  }
  return true;
}

static void count_degrees(joiner *j)
{
  for (int i = 0; i < j->knots.list.count; i++)
    for (int e = j->knots.list.at[i].first; e >= 0; e = j->end[e].next)
      j->degree[i]++;
}

// From an end along all paths that follow, to a knot where not exactly two meet, or around.
static bool follow(joiner *j, int from)
{
  int first = j->to->points.count, start = j->end[from].knot, e = from, knot;
  bool closed = false;
  do {
    j->done[e / 2] = true;
    knot = j->end[e ^ 1].knot;
    closed = knot == start && j->degree[start] == 2;
    if (!add_points(j, e / 2, e % 2 == 1, e != from, closed))
      return false;
    int next = -1;
    bool goes_on = !closed && j->degree[knot] == 2;
    for (int k = j->knots.list.at[knot].first; k >= 0 && goes_on; k = j->end[k].next)
      if (!j->done[k / 2])
        next = k;
    e = next;
  } while (e >= 0);
  return add_chain(j, first, closed, from / 2);
}

static pc_status open_ring(const joiner *j, int knot, pc_error *error)
{
  const double *p = j->knots.list.at[knot].at;
  int path = j->knots.list.at[knot].first / 2;
  const pc_dxf_path *own = &j->dxf->paths.at[path];
  const char *layer = j->dxf->layers.at[own->layer].name;
  pc_text name = pc_text_path(j->name);
  if (j->degree[knot] > 2)
    return pc_fail(error, PC_ERROR_INPUT,
                   "%s:%d: layer '%.60s': %d lines meet at (%.9g, %.9g) m; of an outline or an "
                   "obstacle two do",
                   name.text, own->line, layer, j->degree[knot], p[0], p[1]);
  double least = INFINITY;
  int nearest = -1;
  for (int i = 0; i < j->knots.list.count; i++) {
    const double *q = j->knots.list.at[i].at;
    double away = pc_hypot(p[0] - q[0], p[1] - q[1]);
    if (i != knot && j->degree[i] == 1 && away < least)
      nearest = i, least = away;
  }
  const double *q = j->knots.list.at[nearest >= 0 ? nearest : knot].at;
  return pc_fail(error, PC_ERROR_INPUT,
                 "%s:%d: layer '%.60s': the outline or obstacle is not closed: it ends at (%.9g, "
                 "%.9g) m, and the nearest other end is %.3g m away, at (%.9g, %.9g)",
                 name.text, own->line, layer, p[0], p[1], least, q[0], q[1]);
}

static bool enter_all(joiner *j, const bool *layers)
{
  bool room = true;
  for (int i = 0; i < j->dxf->paths.count && room; i++) {
    const pc_dxf_path *path = &j->dxf->paths.at[i];
    int first = j->to->points.count;
    j->done[i] = true;
    if (!layers[path->layer])
      continue;
    if (path->closed)
      room = add_points(j, i, false, 0, 0) && add_chain(j, first, true, i);
    else
      room = enter(j, i);
  }
  j->degree = pc_arena_take(&j->arena, (size_t)j->knots.list.count + 1, sizeof *j->degree);
  if (room && j->degree != NULL)
    count_degrees(j);
  return room && j->degree != NULL;
}

static bool follow_all(joiner *j)
{
  bool room = true;
  for (int around = 0; around < 2; around++)
    for (int e = 0; e < 2 * j->dxf->paths.count && room; e++)
      if (!j->done[e / 2] && (around == 1 || j->degree[j->end[e].knot] != 2))
        room = follow(j, e);
  return room;
}

pc_status pc_dxf_join(pc_dxf_chains *chains, const pc_dxf *dxf, const bool *layers, bool rings,
                      const char *name, pc_error *error)
{
  joiner j = {.dxf = dxf, .name = name, .to = chains, .knots = {.reach = REACH}};
  size_t paths = (size_t)dxf->paths.count + 1;
  *chains = (pc_dxf_chains){.list = {0}};
  j.end = pc_arena_take(&j.arena, 2 * paths, sizeof *j.end);
  j.done = pc_arena_take(&j.arena, paths, sizeof *j.done);
  bool room = j.end != NULL && j.done != NULL && enter_all(&j, layers);
  pc_status status = PC_OK;
  for (int i = 0; i < j.knots.list.count && rings && room && status == PC_OK; i++)
    if (j.degree[i] != 2 && j.degree[i] != 0)
      status = open_ring(&j, i, error);
  if (status == PC_OK && room)
    room = follow_all(&j);
  pc_knots_free(&j.knots);
  pc_arena_free(&j.arena);
  return room ? status : pc_fail(error, PC_ERROR_MEMORY, "out of memory");
}
