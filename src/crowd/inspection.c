#include "crowd/inspection.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/elementary.h"
#include "core/error.h"
#include "crowd/crowd.h"
#include "crowd/maps.h"

static const double NEARLY = 0.1;    // m: walls that nearly touch
static const double TOUCHING = 1e-6; // m
static const double PERSON = 0.2;    // m: radius of the smallest place that counts
static const double APART = 1;       // m: narrow places nearer than that are one
enum { MOST = 500 };                 // narrow places and gaps of a floor

void pc_inspection_free(pc_inspection *inspection)
{
  pc_array_free(&inspection->findings);
  pc_array_free(&inspection->lines);
  pc_array_free(&inspection->area);
}

pc_status pc_inspection_finish(pc_crowd *crowd)
{
  int count = crowd->targets.count, goals = 0;
  int *goal = calloc((size_t)count + 1, sizeof *goal);
  if (goal == NULL)
    return pc_crowd_out_of_memory(crowd);
  crowd->inspected = true;
  crowd->anywhere = -1;
  for (int i = 0; i < count; i++)
    if (crowd->targets.at[i].kind != PC_TARGET_CHOICE)
      goal[goals++] = i;
  if (goals > 0)
    crowd->anywhere = pc_crowd_add_choice(crowd, goals, goal);
  free(goal);
  return goals > 0 && crowd->anywhere < 0 ? crowd->error.status : pc_crowd_finish(crowd);
}

typedef struct inspector {
  pc_crowd *crowd;
  pc_inspection *to;
  int number; // of the floor
  pc_floor *floor;
  const pc_field *field; // of all goals; NULL: there are none
  unsigned char *seen;   // nodes of islands that were looked at
  int *queue;
} inspector;

static bool add(inspector *s, pc_finding finding)
{
  pc_finding *added = pc_array_add(&s->to->findings);
  finding.floor = s->number;
  if (added != NULL)
    *added = finding;
  return added != NULL;
}

static bool is_reached(const inspector *s, int node)
{
  return node >= 0 && s->field != NULL && s->field->time != NULL && isfinite(s->field->time[node]);
}

// --- exits ---------------------------------------------------------------------------------------

static bool inspect_exit(inspector *s, const pc_target *target, int goal)
{
  const double *a = target->point[0], *b = target->point[1];
  double length = pc_hypot(b[0] - a[0], b[1] - a[1]), at[2], gap[2];
  bool outside = true;
  for (int i = 0; i < s->crowd->exit_faults.count; i++)
    if (s->crowd->exit_faults.at[i].goal == goal)
      return add(s, (pc_finding){.kind = PC_FOUND_EXIT,
                                 .goal = goal,
                                 .place = {target->middle[0], target->middle[1]},
                                 .what = s->crowd->exit_faults.at[i].what});
  pc_inspected_line *line = pc_array_add(&s->to->lines);
  if (line == NULL)
    return false;
  *line = (pc_inspected_line){.floor = s->number, .goal = goal};
  memcpy(line->line, target->point, sizeof line->line);
  line->width = pc_gap_of_line(&s->floor->plan, a, b, at);
  for (int side = -1; side <= 1; side += 2) {
    double off = 2.5 * s->floor->grid.spacing * side / length;
    double p[2] = {target->middle[0] - off * (b[1] - a[1]),
                   target->middle[1] + off * (b[0] - a[0])};
    bool out = pc_is_outside(s->floor, p);
    int node = pc_grid_node(&s->floor->grid, p);
    outside = outside && out;
    if (out && node >= 0 && !s->floor->leaks && pc_find_missing_wall(s->floor, node, gap)) {
      s->floor->leaks = true;
      if (!add(s, (pc_finding){.kind = PC_FOUND_OPEN, .place = {gap[0], gap[1]}}))
        return false;
    }
  }
  return !outside || s->floor->leaks ||
         add(s,
             (pc_finding){.kind = PC_FOUND_EXIT,
                          .goal = goal,
                          .place = {target->middle[0], target->middle[1]},
                          .what = "is not on the edge of the floor: both its sides are outside"});
}

static bool inspect_exits(inspector *s)
{
  bool room = true;
  for (int i = 0; i < s->crowd->targets.count && room; i++)
    if (s->crowd->targets.at[i].kind == PC_TARGET_EXIT &&
        s->crowd->targets.at[i].floor == s->number)
      room = inspect_exit(s, &s->crowd->targets.at[i], i);
  for (int i = 0; i < 2 * s->crowd->passages.count && room; i++) {
    const pc_passage *passage = &s->crowd->passages.at[i / 2];
    pc_inspected_line *line =
        passage->floor[i % 2] == s->number ? pc_array_add(&s->to->lines) : NULL;
    if (passage->floor[i % 2] != s->number)
      continue;
    if (line == NULL)
      return false;
    *line = (pc_inspected_line){.floor = s->number, .goal = -1, .width = passage->width};
    memcpy(line->line, passage->line[i % 2], sizeof line->line);
  }
  return room;
}

// --- gaps and narrow places ----------------------------------------------------------------------

// Whether a free end of a wall is at a place: the end of a line that touches no other.
static bool is_free_end(const pc_layout *plan, const double p[2])
{
  double box[4] = {p[0], p[1], p[0], p[1]}, reach = 1e-9;
  int low[2], high[2], ends = 0, walls = 0, last = -1;
  pc_layout_squares(plan, box, TOUCHING, low, high);
  for (int row = low[1]; row <= high[1]; row++)
    for (int column = low[0]; column <= high[0]; column++) {
      const int *start = plan->start + row * plan->columns + column;
      for (int k = start[0]; k < start[1]; k++) {
        const double *wall = plan->item[k] < plan->walls ? plan->wall[plan->item[k]] : NULL;
        if (wall == NULL || plan->item[k] == last ||
            pc_distance_to_line(p, wall, wall + 2) > TOUCHING)
          continue;
        last = plan->item[k];
        walls++;
        ends += pc_hypot(wall[0] - p[0], wall[1] - p[1]) <= reach ||
                pc_hypot(wall[2] - p[0], wall[3] - p[1]) <= reach;
      }
    }
  return walls == 1 && ends == 1;
}

// Exits and stairs are narrow places of their own.
static bool is_on_line(const inspector *s, const double line[4])
{
  static const double NEAR = 0.02; // m
  for (int i = 0; i < s->floor->grid.lines; i++) {
    const double *own = s->floor->grid.line[i];
    if (pc_distance_to_line(line, own, own + 2) < NEAR &&
        pc_distance_to_line(line + 2, own, own + 2) < NEAR)
      return true;
  }
  return false;
}

// Whether people walk on one side of a gap, and can stand on the other.
static bool is_walked(const inspector *s, const pc_gap *gap)
{
  const pc_grid *grid = &s->floor->grid;
  double off = 1.5 * grid->spacing / gap->width;
  bool reached = false;
  for (int side = -1; side <= 1; side += 2) {
    double p[2] = {0.5 * (gap->line[0] + gap->line[2]) - side * off * (gap->line[3] - gap->line[1]),
                   0.5 * (gap->line[1] + gap->line[3]) +
                       side * off * (gap->line[2] - gap->line[0])};
    int node = pc_layout_allows(&s->floor->plan, p) ? pc_grid_node(grid, p) : -1;
    if (node < 0 || s->floor->outside[node])
      return false;
    reached = reached || is_reached(s, node);
  }
  return reached;
}

static int by_width(const void *a, const void *b)
{
  const pc_gap *one = a, *two = b;
  int order = (one->width > two->width) - (one->width < two->width);
  return order != 0 ? order : memcmp(one->line, two->line, sizeof one->line);
}

static bool inspect_gaps(inspector *s, double narrow)
{
  const pc_layout *plan = &s->floor->plan;
  pc_gap_list gaps = {.count = 0};
  bool room = pc_gaps_find(plan, fmax(narrow, NEARLY), &gaps, &s->crowd->error) == PC_OK;
  int first = s->to->findings.count;
  if (room && gaps.count > 1)
    qsort(gaps.at, (size_t)gaps.count, sizeof *gaps.at, by_width);
  for (int i = 0; i < gaps.count && room && s->to->findings.count - first < MOST; i++) {
    const pc_gap *gap = &gaps.at[i];
    pc_finding found = {.kind = PC_FOUND_NARROW, .width = gap->width};
    bool known = false;
    for (int k = 0; k < 2; k++)
      found.place[k] = 0.5 * (gap->line[k] + gap->line[2 + k]);
    memcpy(found.line, gap->line, sizeof found.line);
    found.landing = pc_passages_border(s->crowd, s->number, gap->line) ||
                    pc_passages_border(s->crowd, s->number, gap->line + 2);
    if (gap->width < NEARLY && (is_free_end(plan, gap->line) || is_free_end(plan, gap->line + 2)))
      found.kind = PC_FOUND_GAP;
    for (int k = first; k < s->to->findings.count; k++) {
      const pc_finding *other = &s->to->findings.at[k];
      known = known || pc_hypot(other->place[0] - found.place[0],
                                other->place[1] - found.place[1]) < APART + TOUCHING;
    }
    if (known || is_on_line(s, gap->line) ||
        (found.kind == PC_FOUND_NARROW && (gap->width >= narrow - TOUCHING || !is_walked(s, gap))))
      continue;
    room = add(s, found);
  }
  pc_array_free(&gaps);
  return room;
}

// --- islands -------------------------------------------------------------------------------------

static bool is_island(const inspector *s, int node)
{
  const pc_grid *grid = &s->floor->grid;
  double p[2], before[2];
  if (s->seen[node] || s->floor->outside[node] || is_reached(s, node))
    return false;
  pc_grid_place(grid, node % grid->columns, node / grid->columns, p);
  return pc_layout_allows(&s->floor->plan, p) &&
         !pc_passages_out(s->crowd, s->number, p, before); // behind the line of stairs
}

// All nodes that are connected with one; its widest place.
static pc_finding fill_island(inspector *s, int from)
{
  const pc_grid *grid = &s->floor->grid;
  pc_finding found = {.kind = PC_FOUND_ISLAND};
  int count = 0;
  s->queue[count++] = from;
  s->seen[from] = 1;
  for (int i = 0; i < count; i++) {
    int column = s->queue[i] % grid->columns, row = s->queue[i] / grid->columns;
    double p[2];
    pc_grid_place(grid, column, row, p);
    double clear = pc_layout_distance(&s->floor->plan, p, 2);
    if (clear > found.width) {
      found.width = clear;
      memcpy(found.place, p, sizeof p);
    }
    for (int k = 0; k < 8; k++) {
      int x = column + PC_GRID_STEP[k][0], y = row + PC_GRID_STEP[k][1];
      int next = y * grid->columns + x;
      if ((grid->barred[s->queue[i]] & 1 << k) != 0 || !pc_grid_has(grid, x, y) ||
          !is_island(s, next))
        continue;
      s->seen[next] = 1;
      s->queue[count++] = next;
    }
  }
  found.area = count * grid->spacing * grid->spacing;
  return found;
}

static bool inspect_islands(inspector *s)
{
  size_t nodes = (size_t)s->floor->grid.columns * s->floor->grid.rows;
  s->seen = calloc(nodes + 1, 1);
  s->queue = calloc(nodes + 1, sizeof *s->queue);
  bool room = s->seen != NULL && s->queue != NULL;
  for (size_t i = 0; i < nodes && room; i++)
    if (is_island(s, (int)i)) {
      pc_finding found = fill_island(s, (int)i);
      if (found.width >= PERSON)
        room = add(s, found);
    }
  free(s->seen);
  free(s->queue);
  return room;
}

// -------------------------------------------------------------------------------------------------

static int by_floor(const void *a, const void *b)
{
  const pc_finding *one = a, *two = b;
  if (one->floor != two->floor)
    return one->floor < two->floor ? -1 : 1;
  if (one->kind != two->kind)
    return one->kind < two->kind ? -1 : 1;
  double first = one->kind == PC_FOUND_ISLAND ? -one->area : one->width;
  double second = two->kind == PC_FOUND_ISLAND ? -two->area : two->width;
  if (first != second)
    return first < second ? -1 : 1;
  return memcmp(one->place, two->place, sizeof one->place);
}

static pc_status measure_areas(pc_crowd *crowd, pc_inspection *to)
{
  static const double SQUARE = 0.5; // m
  pc_maps maps;
  pc_status status = pc_maps_make(&maps, crowd, SQUARE, &crowd->error);
  if (status != PC_OK)
    return status;
  for (int f = 0; f < crowd->floors.count && status == PC_OK; f++)
    if (pc_array_add(&to->area) == NULL)
      status = pc_crowd_out_of_memory(crowd);
  for (int i = 0; i < maps.cells && status == PC_OK; i++)
    to->area.at[maps.at[i]] += maps.area[i];
  pc_maps_free(&maps);
  return status;
}

pc_status pc_inspect(pc_crowd *crowd, double narrow, pc_inspection *inspection)
{
  *inspection = (pc_inspection){.findings = {0}};
  const pc_target *all = crowd->anywhere >= 0 ? &crowd->targets.at[crowd->anywhere] : NULL;
  pc_status status = all != NULL ? pc_routes_find(crowd, crowd->anywhere) : PC_OK;
  for (int f = 0; f < crowd->floors.count && status == PC_OK; f++) {
    inspector s = {.crowd = crowd, .to = inspection, .number = f, .floor = &crowd->floors.at[f]};
    s.field = all != NULL ? &all->field[f] : NULL;
    if (!inspect_exits(&s) || !inspect_gaps(&s, narrow) || !inspect_islands(&s))
      status = pc_crowd_out_of_memory(crowd);
  }
  if (inspection->findings.count > 1)
    qsort(inspection->findings.at, (size_t)inspection->findings.count,
          sizeof *inspection->findings.at, by_floor);
  return status == PC_OK ? measure_areas(crowd, inspection) : status;
}
