// Stairs: lines that lead to other floors.
#include <math.h>
#include <string.h>

#include "core/elementary.h"
#include "core/error.h"
#include "crowd/crowd.h"

static const double BEFORE = 0.05; // m: just before a line
// Lines of stairs that are read from drawings differ a little. What is that much alike is equal.
static const double DIFFER = 0.01; // m: at most
static const double ALIKE = 1e-9;  // of the width
static const double STEEPEST = 2;  // slope of stairs: ladders have more

double pc_stairs_ratio(double slope)
{
  static const double normal = 17.0 / 29.0, level = 1.34, up = 0.61, down = 0.69; // m/s
  double s = fabs(slope);
  if (!(s > 0))
    return 1;
  double steeper = sqrt(normal * (1 + normal * normal) / (s * (1 + s * s)));
  return fmin(1, (slope > 0 ? up : down) / level * steeper);
}

static pc_status add_passage(pc_crowd *crowd, const pc_passage *passage)
{
  if (!pc_array_reserve(&crowd->passages, crowd->passages.count + 1))
    return pc_crowd_out_of_memory(crowd);
  pc_passage *own = &crowd->passages.at[crowd->passages.count++];
  *own = *passage;
  double width[2];
  for (int end = 0; end < 2; end++) {
    const double *a = own->line[end][0], *b = own->line[end][1];
    width[end] = pc_hypot(b[0] - a[0], b[1] - a[1]);
    for (int k = 0; k < 2; k++)
      own->along[end][k] = (b[k] - a[k]) / width[end];
    own->forward[end][0] = -own->along[end][1];
    own->forward[end][1] = own->along[end][0];
  }
  bool alike = fabs(width[1] - width[0]) <= ALIKE * width[0];
  own->width = alike ? width[1] : fmin(width[0], width[1]);
  own->scale = alike ? 1 : width[1] / width[0];
  return PC_OK;
}

static double width_of(const pc_passage *passage, int end)
{
  if (passage->scale == 1)
    return passage->width;
  bool narrower = (passage->scale > 1) == (end == 0);
  return narrower ? passage->width : passage->width * fmax(passage->scale, 1 / passage->scale);
}

static pc_status check_stairs(pc_crowd *crowd, const pc_stairs_def *def)
{
  double width[2];
  for (int end = 0; end < 2; end++) {
    pc_status status = pc_check_floor(crowd, def->floor[end]);
    if (status != PC_OK)
      return status;
    const double *a = def->line[end][0], *b = def->line[end][1];
    width[end] = pc_hypot(b[0] - a[0], b[1] - a[1]);
  }
  if (!(width[0] > 0) || !(width[1] > 0) || !(fabs(width[0] - width[1]) <= DIFFER))
    return pc_crowd_fail(
        crowd, PC_ERROR_ARGUMENT,
        "the two lines of stairs must have the same width (got %g m and %g m); they "
        "may differ by %g mm",
        width[0], width[1], 1e3 * DIFFER);
  if (!(def->length >= 0) || !isfinite(def->length) || !(def->speed >= 0))
    return pc_crowd_fail(crowd, PC_ERROR_ARGUMENT,
                         "length and speed of stairs must not be negative");
  if (!isfinite(def->opens) || !isfinite(def->closes))
    return pc_crowd_fail(crowd, PC_ERROR_ARGUMENT, "the times of stairs must be finite");
  if (!(fabs(def->rise) <= STEEPEST * def->length))
    return pc_crowd_fail(crowd, PC_ERROR_ARGUMENT,
                         "stairs that rise by %g m need a horizontal length of at least %g m "
                         "(got %g m)",
                         def->rise, fabs(def->rise) / STEEPEST, def->length);
  return PC_OK;
}

// Stairs as a floor: a strip along x from 0 to `length`.
static int add_flight(pc_crowd *crowd, const pc_stairs_def *def)
{
  const double *a = def->line[0][0], *b = def->line[0][1], d = PC_POCKET_DEPTH;
  double width = pc_hypot(b[0] - a[0], b[1] - a[1]), x = def->length;
  double side[2][2][2] = {{{0, 0}, {x, 0}}, {{x, width}, {0, width}}};
  double all[4][2] = {{-d, 0}, {x + d, 0}, {x + d, width}, {-d, width}};
  int floor = pc_crowd_add_floor(crowd);
  if (floor < 0)
    return -1;
  for (int k = 0; k < 2; k++)
    if (pc_crowd_add_wall(crowd, floor, PC_WALL_LINE, 2, (const double(*)[2])side[k]) != PC_OK)
      return -1;
  crowd->floors.at[floor].slope = def->rise / def->length;
  if (pc_crowd_add_slow_zone(crowd, floor, 4, (const double(*)[2])all, def->speed) != PC_OK)
    return -1;
  return floor;
}

// Stairs that open or close: the lines by which people come in are doors.
static int add_doors(pc_crowd *crowd, const pc_stairs_def *def)
{
  int added = 0;
  for (int end = 0; end < 1 + def->both_ways && (def->opens > 0 || def->closes > 0) && added >= 0;
       end++)
    added = pc_crowd_add_door(crowd, &(pc_door_def){.floor = def->floor[end],
                                                    .count = 2,
                                                    .points = (const double(*)[2])def->line[end],
                                                    .opens = def->opens,
                                                    .closes = def->closes});
  return added;
}

int pc_crowd_add_stairs(pc_crowd *crowd, const pc_stairs_def *def)
{
  if (pc_crowd_admit(crowd) != PC_OK)
    return -1;
  if (def == NULL)
    return pc_crowd_reject(crowd, "the definition of stairs must not be NULL");
  pc_passage whole = {
      .floor = {def->floor[0], def->floor[1]}, .both_ways = def->both_ways, .ramp = def->ramp};
  if (check_stairs(crowd, def) != PC_OK)
    return -1;
  memcpy(whole.line, def->line, sizeof whole.line);
  if (add_doors(crowd, def) < 0)
    return -1;
  if (def->length == 0)
    return add_passage(crowd, &whole) == PC_OK ? def->floor[0] : -1;
  int flight = add_flight(crowd, def);
  if (flight < 0)
    return -1;
  const double *a = def->line[0][0], *b = def->line[0][1];
  double width = pc_hypot(b[0] - a[0], b[1] - a[1]);
  pc_passage first = whole, second = whole;
  first.floor[1] = second.floor[0] = flight;
  double start[2][2] = {{0, width}, {0, 0}}, end[2][2] = {{def->length, width}, {def->length, 0}};
  memcpy(first.line[1], start, sizeof start);
  memcpy(second.line[0], end, sizeof end);
  return add_passage(crowd, &first) == PC_OK && add_passage(crowd, &second) == PC_OK ? flight : -1;
}

// Stairs that begin or end on a wall are a gap in it, as exits are.
pc_status pc_passages_cut(pc_crowd *crowd)
{
  pc_status status = PC_OK;
  for (int i = 0; i < 2 * crowd->passages.count && status == PC_OK; i++) {
    pc_passage *passage = &crowd->passages.at[i / 2];
    memcpy(passage->gap[i % 2], passage->line[i % 2], sizeof passage->gap[0]);
    status = pc_layout_cut(&crowd->floors.at[passage->floor[i % 2]].plan, passage->gap[i % 2],
                           &crowd->error);
  }
  return status;
}

// A point of a line, a little ahead (in the direction of going, 1 or -1) of it.
static void at_line(const pc_passage *passage, int end, double along, double ahead, double p[2])
{
  for (int k = 0; k < 2; k++)
    p[k] = passage->line[end][0][k] + along * passage->along[end][k] +
           ahead * passage->forward[end][k];
}

// Where the pocket of a line is: ahead of people who cross the first line, behind people who arrive
// at the second.
static double side_of(int end)
{
  return end == 0 ? 1 : -1;
}

static void pocket_of(const pc_passage *passage, int end, double wall[4][2])
{
  double depth = side_of(end) * PC_POCKET_DEPTH;
  memcpy(wall[0], passage->gap[end][0], sizeof wall[0]);
  memcpy(wall[3], passage->gap[end][1], sizeof wall[3]);
  for (int k = 0; k < 2; k++) {
    wall[1][k] = passage->line[end][0][k] + depth * passage->forward[end][k];
    wall[2][k] = passage->line[end][1][k] + depth * passage->forward[end][k];
  }
}

// Nothing stands on the line, in the pocket or across its back; walls may run along its sides.
static pc_status check_pocket(pc_crowd *crowd, int floor, const double wall[4][2])
{
  static const int across[4][2] = {{0, 3}, {1, 2}, {0, 2}, {1, 3}};
  for (int i = 0; i < 4; i++) {
    double p[2], q[2];
    for (int k = 0; k < 2; k++) {
      double a = wall[across[i][0]][k], b = wall[across[i][1]][k];
      p[k] = a + 1e-6 * (b - a);
      q[k] = b + 1e-6 * (a - b);
    }
    if (pc_layout_bars(&crowd->floors.at[floor].plan, p, q))
      return pc_crowd_fail(crowd, PC_ERROR_ARGUMENT,
                           "the line of the stairs from (%g, %g) to (%g, %g) on floor %d is "
                           "crossed by a wall, or a wall is less than %g m behind it",
                           wall[0][0], wall[0][1], wall[3][0], wall[3][1], floor, PC_POCKET_DEPTH);
  }
  return PC_OK;
}

// The pocket belongs to the floor, also where the line lies on the edge of its walkable area. What
// is added to that begins a little before the line, so that no slit is between the two.
static pc_status add_pocket(pc_crowd *crowd, const pc_passage *passage, int end)
{
  pc_layout *plan = &crowd->floors.at[passage->floor[end]].plan;
  double wall[4][2], area[4][2], middle[2];
  pocket_of(passage, end, wall);
  at_line(passage, end, 0.5 * width_of(passage, end), side_of(end) * 0.5 * PC_POCKET_DEPTH, middle);
  memcpy(area, wall, sizeof area);
  at_line(passage, end, 0, -side_of(end) * BEFORE, area[0]);
  at_line(passage, end, width_of(passage, end), -side_of(end) * BEFORE, area[3]);
  pc_status status = PC_OK;
  if (!pc_layout_bounds(plan, middle)) {
    status = pc_layout_add(plan, PC_AREA_WALKABLE, 4, (const double(*)[2])area, &crowd->error);
    if (status == PC_OK)
      plan->outlines.at[plan->outlines.count - 1].edgeless = true;
  }
  return status == PC_OK
             ? pc_layout_add(plan, PC_LINE_WALL, 4, (const double(*)[2])wall, &crowd->error)
             : status;
}

// Whether people can be somewhere along a line, this far ahead of it.
static bool has_places(const pc_layout *plan, const pc_passage *passage, int end, double ahead)
{
  enum { PLACES = 5 };
  double p[2];
  for (int i = 0; i < PLACES; i++) {
    at_line(passage, end, width_of(passage, end) * (i + 0.5) / PLACES, ahead, p);
    if (pc_layout_allows(plan, p))
      return true;
  }
  return false;
}

// People are before the line and go on behind it.
static pc_status check_sides(pc_crowd *crowd, const pc_passage *passage, int end)
{
  int floor = passage->floor[end];
  const pc_layout *plan = &crowd->floors.at[floor].plan;
  const double *a = passage->line[end][0], *b = passage->line[end][1], side = side_of(end);
  if (has_places(plan, passage, end, -side * (BEFORE + 1e-3)) &&
      has_places(plan, passage, end, side * 0.5 * PC_POCKET_DEPTH))
    return PC_OK;
  return pc_crowd_fail(
      crowd, PC_ERROR_ARGUMENT,
      "the line of the stairs from (%g, %g) to (%g, %g) on floor %d is not walkable on both sides: "
      "it leads into an obstacle or out of the walkable area; list its points from left to right, "
      "as seen when walking from the first line to the second",
      a[0], a[1], b[0], b[1], floor);
}

pc_status pc_passages_build(pc_crowd *crowd)
{
  int lines = 2 * crowd->passages.count;
  const pc_passage *passages = crowd->passages.at;
  pc_status status = PC_OK;
  for (int i = 0; i < lines && status == PC_OK; i++) {
    double wall[4][2];
    pocket_of(&passages[i / 2], i % 2, wall);
    status = check_pocket(crowd, passages[i / 2].floor[i % 2], (const double(*)[2])wall);
  }
  for (int i = 0; i < lines && status == PC_OK; i++)
    status = add_pocket(crowd, &passages[i / 2], i % 2);
  for (int f = 0; f < crowd->floors.count && lines > 0 && status == PC_OK; f++)
    status = pc_layout_finish(&crowd->floors.at[f].plan, &crowd->error);
  for (int i = 0; i < lines && status == PC_OK; i++)
    status = check_sides(crowd, &passages[i / 2], i % 2);
  return status;
}

// Whether the route of a person leads over the line, judged just before it.
static bool wants_over(const pc_crowd *crowd, const pc_person *person, const pc_passage *passage,
                       int end, double along)
{
  const pc_target *target = &crowd->targets.at[pc_heading(person)];
  const double *forward = passage->forward[end];
  double sign = end == 0 ? 1 : -1, here[2], way[2];
  int ability = pc_ability(&person->def);
  const pc_field *fields = pc_fields_of(target, ability);
  if (person->stands || fields == NULL || fields[person->floor].time == NULL ||
      fields[passage->floor[1 - end]].time == NULL || (ability & PC_NO_STAIRS && !passage->ramp) ||
      (person->def.straight && target->kind != PC_TARGET_CHOICE && target->floor == person->floor))
    return false;
  at_line(passage, end, along, -sign * BEFORE, here);
  return pc_field_way(&fields[person->floor], here, way) &&
         sign * (way[0] * forward[0] + way[1] * forward[1]) > 0;
}

// Where a point is from an end of a passage: along its line, and how far ahead in the direction of
// going. Whether it is behind the line, in the pocket.
static bool is_behind(const pc_passage *passage, int end, const double p[2], double *along,
                      double *across)
{
  double d[2] = {p[0] - passage->line[end][0][0], p[1] - passage->line[end][0][1]};
  const double *u = passage->along[end], *f = passage->forward[end];
  *along = d[0] * u[0] + d[1] * u[1];
  *across = d[0] * f[0] + d[1] * f[1];
  double over = end == 0 ? *across : -*across;
  return *along > 0 && *along < width_of(passage, end) && over >= 0 && over <= PC_POCKET_DEPTH;
}

// A person behind a line who does not want to cross it, pushed there or just arrived, walks out.
bool pc_passages_way(const pc_crowd *crowd, const pc_person *person, const double p[2],
                     double way[2])
{
  for (int i = 0; i < 2 * crowd->passages.count; i++) {
    const pc_passage *passage = &crowd->passages.at[i / 2];
    int end = i % 2;
    double along, across;
    if (passage->floor[end] != person->floor || !is_behind(passage, end, p, &along, &across))
      continue;
    if ((end == 0 || passage->both_ways) && wants_over(crowd, person, passage, end, along))
      return false;
    for (int k = 0; k < 2; k++)
      way[k] = (end == 0 ? -1 : 1) * passage->forward[end][k];
    return true;
  }
  return false;
}

bool pc_passages_out(const pc_crowd *crowd, int floor, const double p[2], double out[2])
{
  for (int i = 0; i < 2 * crowd->passages.count; i++) {
    const pc_passage *passage = &crowd->passages.at[i / 2];
    double along, across;
    if (passage->floor[i % 2] != floor || !is_behind(passage, i % 2, p, &along, &across))
      continue;
    at_line(passage, i % 2, along, i % 2 == 0 ? -BEFORE : BEFORE, out);
    return true;
  }
  return false;
}

bool pc_passages_border(const pc_crowd *crowd, int floor, const double p[2])
{
  const double near = 1e-3;
  for (int i = 0; i < 2 * crowd->passages.count; i++) {
    const pc_passage *passage = &crowd->passages.at[i / 2];
    double along, across;
    if (passage->floor[i % 2] != floor)
      continue;
    is_behind(passage, i % 2, p, &along, &across);
    double over = i % 2 == 0 ? across : -across;
    double width = width_of(passage, i % 2), aside = fmin(fabs(along), fabs(along - width));
    if (along > -near && along < width + near && over < PC_POCKET_DEPTH + near &&
        (over > near || (over > -near && aside < near))) // or at an end of the line
      return true;
  }
  return false;
}

// Takes a person over a line if they are over it, want to and have room.
static pc_status go_over(pc_crowd *crowd, int i, const pc_passage *passage, int end, bool *sorted)
{
  const pc_person *person = &crowd->person[i];
  const pc_floor *own = &crowd->floors.at[person->floor];
  const double *u = passage->along[end], *f = passage->forward[end];
  const double here[2] = {crowd->place[i][0] - own->offset, crowd->place[i][1]};
  double along, across;
  if (!is_behind(passage, end, here, &along, &across) ||
      !wants_over(crowd, person, passage, end, along))
    return PC_OK;
  if (!*sorted) {
    pc_status status = pc_room_sort(crowd, 2 * crowd->largest);
    if (status != PC_OK)
      return status;
    *sorted = true;
  }
  int floor = passage->floor[1 - end];
  double to[2], velocity[2];
  double scale = end == 0 ? passage->scale : 1 / passage->scale;
  at_line(passage, 1 - end, scale * along, across, to);
  // A person who overlaps a wall here may not overlap more there, but for what the width differs.
  double room = fmin(person->def.radius,
                     pc_layout_distance(&own->plan, here, person->def.radius) * (1 - 1e-9));
  room *= fmin(1, scale);
  if (pc_layout_distance(&crowd->floors.at[floor].plan, to, person->def.radius) < room - 1e-9 ||
      !pc_room_has(crowd, floor, to, person->def.radius, i))
    return PC_OK;
  const double *v = crowd->velocity[i], *w = passage->along[1 - end],
               *g = passage->forward[1 - end];
  double one = v[0] * u[0] + v[1] * u[1], two = v[0] * f[0] + v[1] * f[1];
  for (int k = 0; k < 2; k++)
    velocity[k] = one * w[k] + two * g[k];
  double turn = pc_atan2(u[0] * w[1] - u[1] * w[0], u[0] * w[0] + u[1] * w[1]);
  return pc_room_move(crowd, i, floor, to, velocity, turn);
}

pc_status pc_passages_go(pc_crowd *crowd)
{
  bool sorted = false;
  if (crowd->passages.count == 0)
    return PC_OK;
  for (int i = 0; i < crowd->people; i++) {
    int floor = crowd->person[i].floor; // one line in a step
    for (int p = 0; p < crowd->passages.count && crowd->there[i] && crowd->near[i]; p++)
      for (int end = 0; end < 2 && crowd->person[i].floor == floor; end++) {
        const pc_passage *passage = &crowd->passages.at[p];
        if (passage->floor[end] != floor || (end == 1 && !passage->both_ways))
          continue;
        pc_status status = go_over(crowd, i, passage, end, &sorted);
        if (status != PC_OK)
          return status;
      }
  }
  return PC_OK;
}
