#include "run/widening.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/elementary.h"
#include "core/error.h"
#include "core/plain.h"
#include "core/written.h"
#include "crowd/crowd.h"
#include "crowd/inspection.h"
#include "run/report.h"
#include "scene/scene_file.h"

#define TOUCH 0.005 // m: nearer points are one
#define REST 0.05   // m: what must remain of a wall that becomes shorter
#define ALONG 0.999 // cosine: in line, or against it
#define ACROSS 0.03 // cosine: at a right angle

// One end of a line, and the direction in which it moves.
typedef struct line_end {
  const pc_scene *scene;
  int floor;
  bool is_gap; // between walls, which have to end there
  double at[2], out[2], shift;
} line_end;

static double distance(const double a[2], const double b[2])
{
  return pc_hypot(a[0] - b[0], a[1] - b[1]);
}

// The cosine between the way from one point to another and the direction in which the end moves.
static double cosine(const line_end *e, const double from[2], const double to[2])
{
  double length = distance(from, to);
  return length > 0 ? ((to[0] - from[0]) * e->out[0] + (to[1] - from[1]) * e->out[1]) / length : 0;
}

static bool is_closed(const pc_scene_wall *wall)
{
  return wall->count > 2 && distance(wall->point[0], wall->point[wall->count - 1]) < 1e-9;
}

static void put_point(FILE *to, const pc_scene_wall *wall, int k, const line_end *e)
{
  char x[PC_EXACT_TEXT], y[PC_EXACT_TEXT];
  pc_print_exact(wall->point[k][0] + e->shift * e->out[0], x);
  pc_print_exact(wall->point[k][1] + e->shift * e->out[1], y);
  fprintf(to, "  - {key: floors.%d.walls.%d.points.%d, values: [[%s, %s]]}\n", wall->floor,
          wall->entry, k, x, y);
}

// Whether another wall of the file has a corner at a point.
static bool is_shared(const line_end *e, const pc_scene_wall *own, const double p[2])
{
  const pc_scene_people *people = &e->scene->people;
  for (int i = 0; i < people->walls; i++)
    for (int k = 0; k < people->wall[i].count && people->wall[i].floor == e->floor; k++)
      if (&people->wall[i] != own && distance(people->wall[i].point[k], p) < TOUCH)
        return true;
  return false;
}

// Moves a wall that ends here; NULL, or why it cannot.
static const char *move_wall(const line_end *e, const pc_scene_wall *wall, bool first, FILE *to)
{
  int end = first ? 0 : wall->count - 1, step = first ? 1 : -1, next = end + step;
  double along = cosine(e, wall->point[end], wall->point[next]);
  if (along > ALONG) {
    if (distance(wall->point[end], wall->point[next]) < e->shift + REST)
      return "the wall beside it is too short";
    put_point(to, wall, end, e);
    return NULL;
  }
  if (fabs(along) > ACROSS)
    return "a wall that ends there is neither along the line of the exit nor at a right angle to "
           "it";
  if (is_shared(e, wall, wall->point[next]))
    return "walls of its passage meet others";
  if (wall->count > 2) {
    int after = next + step;
    double way = cosine(e, wall->point[next], wall->point[after]);
    if (fabs(way) < ALONG)
      return "the walls of its passage do not lead to walls along its line";
    if (way > 0 && distance(wall->point[next], wall->point[after]) < e->shift + REST)
      return "the wall beside its passage is too short";
  }
  put_point(to, wall, end, e);
  put_point(to, wall, next, e);
  return NULL;
}

// Whether a wall of the plan, with the exits cut out, goes on from here in the direction of the
// end.
static bool goes_on(const line_end *e)
{
  const pc_layout *plan = &e->scene->crowd->floors.at[e->floor].plan;
  for (int i = 0; i < plan->walls; i++)
    for (int k = 0; k < 2; k++) {
      const double *from = plan->wall[i] + 2 * k, *to = plan->wall[i] + 2 - 2 * k;
      if (distance(from, e->at) < TOUCH && cosine(e, from, to) > ALONG &&
          distance(from, to) > e->shift + REST)
        return true;
    }
  return false;
}

// Why an end cannot move; NULL: it can, and the changes are written.
static const char *move_end(const line_end *e, FILE *to)
{
  const pc_scene_people *people = &e->scene->people;
  bool any = false;
  for (int i = 0; i < people->walls; i++) {
    const pc_scene_wall *wall = &people->wall[i];
    if (wall->floor != e->floor || wall->count < 2)
      continue;
    for (int k = 0; k < wall->count; k++) {
      bool is_end = (k == 0 || k == wall->count - 1) && !is_closed(wall);
      if (distance(wall->point[k], e->at) >= TOUCH)
        continue;
      const char *why = is_end ? move_wall(e, wall, k == 0, to) : "a corner of a wall is there";
      if (why != NULL)
        return why;
      any = true;
    }
  }
  return any || (!e->is_gap && goes_on(e)) ? NULL : "no wall goes on there along its line";
}

static void put_line(FILE *to, const char *key, const line_end end[2])
{
  fprintf(to, "  - {key: %s, values: [[", key);
  for (int k = 0; k < 2; k++) {
    char x[PC_EXACT_TEXT], y[PC_EXACT_TEXT];
    pc_print_exact(end[k].at[0] + end[k].shift * end[k].out[0], x);
    pc_print_exact(end[k].at[1] + end[k].shift * end[k].out[1], y);
    fprintf(to, "%s[%s, %s]", k > 0 ? ", " : "", x, y);
  }
  fprintf(to, "]]}\n");
}

// Moves the ends by these shares; fills in why not, or the changes.
static pc_status try_shares(const pc_scene *scene, const pc_passage_line *line, double by,
                            const double share[2], pc_widening *w, pc_error *error)
{
  pc_written written;
  if (!pc_written_begin(&written))
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  line_end end[2];
  const char *why = NULL;
  double length = distance(line->point[0], line->point[1]);
  for (int k = 0; k < 2; k++) {
    const double *at = line->point[k], *other = line->point[1 - k];
    end[k] = (line_end){
        .scene = scene, .floor = line->floor, .is_gap = line->key[0] == 0, .shift = share[k] * by};
    for (int c = 0; c < 2; c++) {
      end[k].at[c] = at[c];
      end[k].out[c] = (at[c] - other[c]) / length;
    }
    w->shift[k] = end[k].shift;
    if (why == NULL && end[k].shift > 0)
      why = move_end(&end[k], written.to);
  }
  if (line->key[0] != 0)
    put_line(written.to, line->key, end);
  w->changes = pc_written_end(&written);
  if (w->changes == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  snprintf(w->why, sizeof w->why, "%s", why != NULL ? why : "");
  if (why != NULL) {
    free(w->changes);
    w->changes = NULL;
  }
  return PC_OK;
}

// The reader of scenes has the last word.
static pc_status check_scene(const pc_scene *scene, pc_widening *w, pc_error *error)
{
  pc_scene changed;
  pc_error reason = {.status = PC_OK};
  pc_status status = pc_report_change_scene(scene, 1, w->changes, &changed, &reason);
  if (status == PC_OK) {
    pc_scene_free(&changed);
    return PC_OK;
  }
  if (status == PC_ERROR_MEMORY)
    return pc_fail(error, status, "%s", reason.text);
  snprintf(w->why, sizeof w->why, "%.200s", reason.text);
  free(w->changes);
  w->changes = NULL;
  return PC_OK;
}

pc_status pc_widen_line(const pc_scene *scene, const pc_passage_line *line, double by,
                        pc_widening *w, pc_error *error)
{
  static const double shares[][2] = {{0.5, 0.5}, {1, 0}, {0, 1}};
  char first[PC_REPORT_WHY] = "";
  pc_status status = PC_OK;
  *w = (pc_widening){.changes = NULL};
  if (line->why != NULL) {
    snprintf(w->why, sizeof w->why, "%s", line->why);
    return PC_OK;
  }
  for (int k = 0; k < PC_COUNT(shares) && status == PC_OK && w->changes == NULL; k++) {
    status = try_shares(scene, line, by, shares[k], w, error);
    if (status == PC_OK && w->changes != NULL)
      status = check_scene(scene, w, error);
    if (k == 0)
      memcpy(first, w->why, sizeof first);
  }
  if (w->changes == NULL) // of both ends
    memcpy(w->why, first, sizeof first);
  return status;
}

static void add_exits(const pc_scene *scene, pc_passage_line *list, int *count)
{
  const pc_scene_people *people = &scene->people;
  for (int g = 0; g < people->goals; g++) {
    const pc_scene_goal *goal = &people->goal[g];
    pc_passage_line *line = &list[*count];
    if (goal->kind != PC_GOAL_EXIT)
      continue;
    *line = (pc_passage_line){.floor = goal->floor};
    snprintf(line->name, sizeof line->name, "%.*s", PC_REPORT_NAME - 1, goal->name);
    if (goal->entry < 0)
      line->why = "it is in the plan of another program: change it there";
    snprintf(line->key, sizeof line->key, "exits.%d.line", goal->entry);
    memcpy(line->point, goal->point, sizeof line->point);
    ++*count;
  }
}

// "door at (5, 2), ground"
static void name_place(const pc_scene *scene, const char *what, pc_passage_line *line)
{
  const pc_scene_people *people = &scene->people;
  pc_print(line->name, sizeof line->name, "%s at (%.4g, %.4g)%s%.60s", what,
           0.5 * (line->point[0][0] + line->point[1][0]),
           0.5 * (line->point[0][1] + line->point[1][1]), people->floors > 1 ? ", " : "",
           people->floors > 1 ? people->floor_names[line->floor] : "");
}

static void add_doors(const pc_scene *scene, pc_passage_line *list, int *count)
{
  for (int i = 0; i < scene->people.doors; i++) {
    const pc_scene_wall *door = &scene->people.door[i];
    pc_passage_line *line = &list[(*count)++];
    *line = (pc_passage_line){.floor = door->floor};
    snprintf(line->key, sizeof line->key, "doors.%d.points", door->entry);
    memcpy(line->point, door->point, sizeof line->point);
    if (door->count != 2)
      line->why = "it has more than two points";
    name_place(scene, "door", line);
  }
}

// Whether a wall of the file ends at a place.
static bool has_wall_end(const pc_scene *scene, int floor, const double p[2])
{
  for (int i = 0; i < scene->people.walls; i++) {
    const pc_scene_wall *wall = &scene->people.wall[i];
    if (wall->floor == floor && !is_closed(wall) &&
        (distance(wall->point[0], p) < TOUCH || distance(wall->point[wall->count - 1], p) < TOUCH))
      return true;
  }
  return false;
}

static int narrower(const void *a, const void *b)
{
  const pc_finding *one = a, *two = b;
  return (one->width > two->width) - (one->width < two->width);
}

// Gaps between the ends of two walls.
static void add_gaps(const pc_scene *scene, pc_inspection *found, pc_passage_line *list, int *count)
{
  int gaps = 0;
  if (found->findings.count > 0)
    qsort(found->findings.at, (size_t)found->findings.count, sizeof *found->findings.at, narrower);
  for (int i = 0; i < found->findings.count && gaps < PC_NARROW_LINES; i++) {
    const pc_finding *place = &found->findings.at[i];
    pc_passage_line line = {.floor = place->floor};
    memcpy(line.point, place->line, sizeof line.point);
    bool known = place->kind != PC_FOUND_NARROW ||
                 !has_wall_end(scene, line.floor, line.point[0]) ||
                 !has_wall_end(scene, line.floor, line.point[1]);
    for (int k = 0; k < *count; k++) // an exit or a door
      for (int end = 0; end < 2; end++)
        known = known || (list[k].floor == line.floor &&
                          distance(list[k].point[0], line.point[end]) < TOUCH &&
                          distance(list[k].point[1], line.point[1 - end]) < TOUCH);
    if (known)
      continue;
    name_place(scene, "passage", &line);
    list[(*count)++] = line;
    gaps++;
  }
}

static void ignore(void *context, pc_told what, const char *text) {}

pc_status pc_list_passages(const pc_scene *scene, pc_passage_line **list, int *count,
                           pc_error *error)
{
  const double narrow = 1.2; // m
  pc_scene building;
  pc_inspection found = {.findings = {0}};
  pc_error reason = {.status = PC_OK};
  size_t most = (size_t)scene->people.goals + (size_t)scene->people.doors + PC_NARROW_LINES;
  *count = 0;
  *list = calloc(most + 1, sizeof **list);
  if (*list == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  add_exits(scene, *list, count);
  add_doors(scene, *list, count);
  pc_status status = pc_scene_read_building(scene->path, &building, ignore, NULL, &reason);
  if (status == PC_OK) {
    status = pc_inspect(building.crowd, narrow, &found);
    if (status == PC_OK)
      add_gaps(scene, &found, *list, count);
    pc_inspection_free(&found);
    pc_scene_free(&building);
  }
  // Without an inspection there are exits and doors alone.
  return status == PC_ERROR_MEMORY ? pc_fail(error, status, "out of memory") : PC_OK;
}
