// A step of a crowd: desired velocities, the step of the world, and exits.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/error.h"
#include "core/threads.h"
#include "crowd/crowd.h"

enum { GRAIN = 1024, AT_A_TIME = 64 };

// The impulse of a contact: on its bodies, and its size.
static double read_push(const pc_crowd *crowd, int contact, pc_body bodies[2], double p[3])
{
  pc_world_contact_push(crowd->world, contact, bodies, p);
  return sqrt(p[0] * p[0] + p[1] * p[1]);
}

double pc_contact_size(const pc_crowd *crowd, int contact, pc_body bodies[2])
{
  double p[3];
  return read_push(crowd, contact, bodies, p);
}

static void measure_contacts(void *context, int begin, int end, int worker)
{
  pc_crowd *crowd = context;
  for (int c = begin; c < end; c++) {
    double p[3];
    pc_body bodies[2];
    pc_press *press = &crowd->press.at[c];
    press->size = read_push(crowd, c, bodies, p);
    memcpy(press->push, p, sizeof press->push);
    for (int k = 0; k < 2; k++)
      press->person[k] = bodies[k].id > crowd->walls ? bodies[k].id - 1 - crowd->walls : -1;
  }
}

// Each worker adds to its own people, in the order of contacts.
static void add_pushes(void *context, int begin, int end, int worker)
{
  pc_crowd *crowd = context;
  int contacts = pc_world_contacts(crowd->world);
  memset(crowd->push + begin, 0, (size_t)(end - begin) * sizeof *crowd->push);
  for (int c = 0; c < contacts; c++) {
    const pc_press *press = &crowd->press.at[c];
    for (int k = 0; k < 2 && press->size > 0; k++)
      if (press->person[k] >= begin && press->person[k] < end) {
        double sign = k == 0 ? 1 : -1;
        crowd->push[press->person[k]] += press->size;
        pc_pressing_add(&crowd->pressing[press->person[k]], sign * press->push[0],
                        sign * press->push[1]);
      }
  }
}

// How much a person was pushed by others and by walls.
static pc_status sum_pushes(pc_crowd *crowd, int threads)
{
  int contacts = pc_world_contacts(crowd->world);
  if (!pc_array_reserve(&crowd->press, contacts))
    return pc_crowd_out_of_memory(crowd);
  pc_parallel(threads, contacts, GRAIN, measure_contacts, crowd);
  int each = crowd->people / threads +
             (crowd->people % threads > 0); // all contacts are looked at for each part
  pc_parallel(threads, crowd->people, each > GRAIN ? each : GRAIN, add_pushes, crowd);
  return PC_OK;
}

// Where, as a part of the way p q, the line a b is crossed; above 1: it is not.
static double crossing(const double p[2], const double q[2], const double a[2], const double b[2])
{
  double d[2] = {b[0] - a[0], b[1] - a[1]}, e[2] = {q[0] - p[0], q[1] - p[1]};
  double across = d[0] * e[1] - d[1] * e[0];
  if (across == 0)
    return 2;
  double s = (d[1] * (p[0] - a[0]) - d[0] * (p[1] - a[1])) / across; // along p q
  double t = (e[1] * (p[0] - a[0]) - e[0] * (p[1] - a[1])) / across; // along a b
  return s >= 0 && s <= 1 && t >= 0 && t <= 1 ? s : 2;
}

// Distance of a place from the line a b where it faces it between its ends; else infinite.
static double distance_from(const double p[2], const double a[2], const double b[2])
{
  double d[2] = {b[0] - a[0], b[1] - a[1]}, square = d[0] * d[0] + d[1] * d[1];
  double t = ((p[0] - a[0]) * d[0] + (p[1] - a[1]) * d[1]) / square;
  return t > 0 && t < 1 ? fabs((p[0] - a[0]) * d[1] - (p[1] - a[1]) * d[0]) / sqrt(square)
                        : INFINITY;
}

static void count_out(pc_crowd *crowd, pc_person *person, int exit, double time)
{
  if (person->exit >= 0)
    return;
  person->exit = exit;
  person->exit_time = time;
  crowd->inside--;
}

// Whether a person is over the line of an exit, or touches it, at the end of a step.
static pc_status look_at_exit(pc_crowd *crowd, int i, int exit, double time, double h)
{
  pc_person *person = &crowd->person[i];
  const pc_target *target = &crowd->targets.at[exit];
  double offset = crowd->floors.at[person->floor].offset;
  double p[2] = {crowd->before[i][0] - offset, crowd->before[i][1]};
  double q[2] = {crowd->place[i][0] - offset, crowd->place[i][1]};
  const double *a = target->point[0], *b = target->point[1];
  double part = crossing(p, q, a, b);
  if (target->at_front && person->exit < 0 && !target->reenters) {
    double was = distance_from(p, a, b) - person->def.radius;
    double is = distance_from(q, a, b) - person->def.radius;
    if (is <= 0) {
      double s = isfinite(was) && was > is ? was / (was - is) : 1;
      count_out(crowd, person, exit, time - h + fmin(1, fmax(0, s)) * h);
    }
  }
  if (part > 1)
    return PC_OK;
  if (target->reenters) {
    person->laps++;
    return pc_source_queue(crowd, i, target->source, time);
  }
  count_out(crowd, person, exit, time - h + part * h);
  person->present = false;
  crowd->there[i] = 0;
  return pc_world_set_present(crowd->world, pc_crowd_body(crowd, i), false);
}

static int compare_lines(const void *a, const void *b)
{
  const pc_line_box *one = a, *two = b;
  return (one->low[0] > two->low[0]) - (one->low[0] < two->low[0]);
}

// `reach`: how far from the line a person who crosses it may be.
static void add_line(pc_crowd *crowd, int floor, int exit, const double (*point)[2], double reach)
{
  pc_line_box *box = &crowd->line[crowd->lines++];
  box->exit = exit;
  for (int k = 0; k < 2; k++) {
    double offset = k == 0 ? crowd->floors.at[floor].offset : 0;
    box->low[k] = fmin(point[0][k], point[1][k]) + offset - reach;
    box->high[k] = fmax(point[0][k], point[1][k]) + offset + reach;
  }
  crowd->longest_line = fmax(crowd->longest_line, box->high[0] - box->low[0]);
}

static pc_status find_lines(pc_crowd *crowd)
{
  if (crowd->line != NULL)
    return PC_OK;
  crowd->line = calloc((size_t)crowd->targets.count + 2 * (size_t)crowd->passages.count + 1,
                       sizeof *crowd->line);
  if (crowd->line == NULL)
    return pc_crowd_out_of_memory(crowd);
  for (int i = 0; i < crowd->targets.count; i++)
    if (crowd->targets.at[i].kind == PC_TARGET_EXIT)
      add_line(crowd, crowd->targets.at[i].floor, i, (const double(*)[2])crowd->targets.at[i].point,
               1e-6);
  for (int i = 0; i < crowd->passages.count; i++)
    for (int k = 0; k < 2; k++)
      add_line(crowd, crowd->passages.at[i].floor[k], -1,
               (const double(*)[2])crowd->passages.at[i].line[k],
               PC_LINE_REACH); // some wait behind it
  qsort(crowd->line, (size_t)crowd->lines, sizeof *crowd->line, compare_lines);
  return PC_OK;
}

// Whether a person may have crossed or may touch a line: the box of the person and the last move
// overlaps that of the line. Gives the first exit of such lines after `last_exit`, or that one
// again.
static bool is_at_line(const pc_crowd *crowd, int i, int *last_exit)
{
  bool any = false;
  int exit = *last_exit;
  const double *p = crowd->before[i], *q = crowd->place[i];
  double low[2], high[2];
  for (int k = 0; k < 2; k++) {
    low[k] = fmin(p[k], q[k]) - crowd->largest;
    high[k] = fmax(p[k], q[k]) + crowd->largest;
  }
  int first = 0, last = crowd->lines;
  while (first < last) {
    int middle = first + (last - first) / 2;
    if (crowd->line[middle].low[0] < low[0] - crowd->longest_line)
      first = middle + 1;
    else
      last = middle;
  }
  for (int k = first; k < crowd->lines && crowd->line[k].low[0] <= high[0]; k++) {
    const pc_line_box *box = &crowd->line[k];
    if (!(box->high[0] >= low[0] && box->low[1] <= high[1] && box->high[1] >= low[1]))
      continue;
    any = true;
    if (box->exit > *last_exit && (exit == *last_exit || box->exit < exit))
      exit = box->exit;
  }
  *last_exit = exit;
  return any;
}

// Whether a person may be at an exit or at stairs. For most people the node of the grid excludes
// it.
static bool is_near(const pc_crowd *crowd, int i)
{
  const pc_floor *own = &crowd->floors.at[crowd->floors.count > 1 ? crowd->person[i].floor : 0];
  const pc_grid *grid = &own->grid;
  const double *p = crowd->before[i], *q = crowd->place[i];
  double c = (q[0] - own->offset - grid->low[0]) / grid->spacing;
  double r = (q[1] - grid->low[1]) / grid->spacing;
  double away = fabs(q[0] - p[0]) + fabs(q[1] - p[1]) + crowd->largest;
  bool on_grid = c >= 0 && r >= 0 && c < grid->columns && r < grid->rows;
  bool may =
      away > PC_LINE_REACH || !on_grid || own->by_line[(size_t)(int)r * grid->columns + (int)c];
  int exit = -1;
  return may && is_at_line(crowd, i, &exit);
}

// The next person from i on who is near a line, or the number of people.
static int next_near(const pc_crowd *crowd, int i)
{
  const unsigned char *at = memchr(crowd->near + i, 1, (size_t)(crowd->people - i));
  return at != NULL ? (int)(at - crowd->near) : crowd->people;
}

static pc_status look_at_exits(pc_crowd *crowd, double h)
{
  double time = pc_world_time(crowd->world);
  for (int i = next_near(crowd, 0); i < crowd->people; i = next_near(crowd, i + 1)) {
    int last = -1, exit = -1;
    while (crowd->there[i] && is_at_line(crowd, i, &exit) && exit > last) {
      last = exit;
      if (crowd->person[i].floor != crowd->targets.at[exit].floor)
        continue;
      pc_status status = look_at_exit(crowd, i, exit, time, h);
      if (status != PC_OK)
        return pc_crowd_check(crowd, status);
    }
  }
  return PC_OK;
}

static void read_range(void *context, int begin, int end, int worker)
{
  pc_crowd *crowd = context;
  pc_world_read(crowd->world, pc_crowd_body(crowd, begin), end - begin, crowd->place + begin,
                crowd->velocity + begin);
  if (crowd->def.turns)
    pc_world_read_turns(crowd->world, pc_crowd_body(crowd, begin), end - begin,
                        crowd->angle + begin, crowd->spin + begin);
}

static void end_range(void *context, int begin, int end, int worker)
{
  pc_crowd *crowd = context;
  read_range(context, begin, end, worker);
  for (int i = begin; i < end; i++) {
    crowd->near[i] = crowd->there[i] && is_near(crowd, i);
    if (crowd->push[i] == 0)
      continue;
    pc_pushed *pushed = &crowd->pushed[i];
    pushed->sum += crowd->push[i];
    pushed->largest = fmax(pushed->largest, crowd->push[i]);
  }
}

static void end_loads(void *context, int begin, int end, int worker)
{
  pc_crowd *crowd = context;
  for (int i = begin; i < end; i++)
    pc_pressing_end(&crowd->pressing[i], crowd->load_span);
}

// Windows are whole steps.
static void go_on_with_loads(pc_crowd *crowd, int threads, double h)
{
  crowd->load_span += h;
  if (crowd->load_span + 0.5 * h <= crowd->def.load_window)
    return;
  pc_parallel(threads, crowd->people, GRAIN, end_loads, crowd);
  crowd->load_span = 0;
}

static void end_all(void *context, int begin, int end, int worker)
{
  for (int i = begin; i < end; i += AT_A_TIME)
    end_range(context, i, i + AT_A_TIME < end ? i + AT_A_TIME : end, worker);
}

pc_status pc_crowd_step(pc_crowd *crowd, double h)
{
  if (pc_crowd_admit(crowd) != PC_OK)
    return PC_ERROR_ARGUMENT;
  if (!(h > 0) || !isfinite(h))
    return pc_crowd_fail(crowd, PC_ERROR_ARGUMENT, "the step must be positive and finite");
  int threads = crowd->def.threads > 1 ? crowd->def.threads : 1;
  if (crowd->people == 0)
    return pc_crowd_fail(crowd, PC_ERROR_ARGUMENT, "the crowd has no people");
  if (!crowd->is_read || pc_world_is_changed(crowd->world))
    pc_parallel(threads, crowd->people, GRAIN, read_range, crowd);
  crowd->is_read = false;
  pc_status status = find_lines(crowd);
  if (status == PC_OK)
    status = pc_events(crowd);
  if (status != PC_OK)
    return status;
  double begun = pc_clock_seconds();
  status = pc_wishes_set(crowd, h);
  crowd->wishes_s = pc_clock_seconds() - begun;
  if (status != PC_OK)
    return status;
  status = pc_world_step(crowd->world, h);
  if (status != PC_OK)
    return pc_crowd_check(crowd, status);
  status = sum_pushes(crowd, threads);
  if (status != PC_OK)
    return status;
  double(*place)[3] = crowd->place; // where people are becomes where they were
  crowd->place = crowd->before;
  crowd->before = place;
  pc_parallel(threads, crowd->people, GRAIN, end_all, crowd);
  crowd->is_read = true;
  go_on_with_loads(crowd, threads, h);
  status = look_at_exits(crowd, h);
  return status == PC_OK ? pc_passages_go(crowd) : status;
}

double pc_crowd_wishes_seconds(const pc_crowd *crowd)
{
  if (crowd == NULL)
    return 0;
  return crowd->wishes_s;
}
