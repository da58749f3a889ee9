#include "run/crowd_doubts.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

#include "core/array.h"
#include "core/elementary.h"
#include "core/error.h"
#include "core/plain.h"

// What is measured on people.
static const double FLOW = 2.5;  // 1/(m s): bottlenecks have 1.2 to 2.5 (Seyfried et al. 2009)
static const double DENSITY = 7; // 1/m^2: the crowd moves as a fluid mass (Fruin 1993)
static const double LOAD = 623;  // N: tolerable against a flat bar (Evans and Hayden 1971)
static const double ENOUGH = 20; // people, for a flow

typedef struct doubts {
  PC_ARRAY(pc_crowd_doubt) list;
  bool failed;
} doubts;

static void add(doubts *all, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(doubts *all, const char *format, ...)
{
  all->failed = all->failed || !pc_array_reserve(&all->list, all->list.count + 1);
  if (all->failed)
    return;
  pc_crowd_doubt *doubt = &all->list.at[all->list.count++];
  va_list arguments;
  va_start(arguments, format);
  pc_print_list(doubt->text, sizeof doubt->text, format, arguments);
  va_end(arguments);
}

static double length_of(const pc_scene_goal *goal)
{
  double length = 0;
  for (int i = 1; i < goal->count; i++)
    length += pc_hypot(goal->point[i][0] - goal->point[i - 1][0],
                       goal->point[i][1] - goal->point[i - 1][1]);
  return length;
}

static pc_status doubt_exit(doubts *all, const pc_scene *scene, int goal, pc_error *error)
{
  const pc_scene_goal *exit = &scene->people.goal[goal];
  pc_exit_summary e = {0};
  if (exit->kind != PC_GOAL_EXIT)
    return PC_OK;
  pc_status status = pc_run_exit(scene, goal, &e, error);
  double flow = e.flow / (60 * length_of(exit));
  if (status == PC_OK && e.out >= ENOUGH && isfinite(flow) && flow > FLOW)
    add(all,
        "%.3g people/(m s) leave by '%.60s'; through doors and bottlenecks 1.2 to %g are measured "
        "(Seyfried et al. 2009)",
        flow, exit->name, FLOW);
  return status;
}

// " at (x, y) on floor"
static void write_place(const pc_scene *scene, const pc_crowd_peak *peak, char *text, size_t size)
{
  const pc_scene_people *people = &scene->people;
  pc_print(text, size, "at (%g, %g)%s%.60s", peak->place[0], peak->place[1],
           people->floors > 1 ? " on " : "",
           people->floors > 1 ? people->floor_names[peak->floor] : "");
}

static double mean_radius(const pc_crowd *crowd)
{
  int people = pc_crowd_people(crowd);
  double sum = 0;
  for (int i = 0; i < people; i++)
    sum += pc_crowd_person_def(crowd, i).radius;
  return people > 0 ? sum / people : 0;
}

static void doubt_crowding(doubts *all, const pc_scene *scene, const pc_crowd_summary *s)
{
  char place[120];
  if (!s->mapped)
    return;
  if (isfinite(s->densest.value) && s->densest.value > DENSITY) {
    write_place(scene, &s->densest, place, sizeof place);
    add(all,
        "%.3g people/m^2 %s; people who walk have at most 5.4 (Weidmann 1993), above %g a crowd is "
        "carried along (Fruin 1993)",
        s->densest.value, place, DENSITY);
  }
  // The line pressure of contacts that push with P per area at the distance 2 r is P r, and that
  // pressure acts on the breadth 2 r of a person.
  double radius = mean_radius(scene->crowd), load = 2 * radius * radius * s->pressed.value;
  if (isfinite(load) && load > LOAD) {
    write_place(scene, &s->pressed, place, sizeof place);
    add(all,
        "a pressure of %.3g N/m^2 %s, a load of %.3g N on a person; %g N are tolerable (Evans and "
        "Hayden 1971), 1112 N kill within minutes (Hopkins et al. 1993)",
        s->pressed.value, place, load, LOAD);
  }
}

pc_status pc_crowd_doubts(const pc_scene *scene, const pc_crowd_summary *summary,
                          pc_crowd_doubt **list, int *count, pc_error *error)
{
  doubts all = {0};
  pc_status status = PC_OK;
  *list = NULL;
  *count = 0;
  for (int i = 0; i < scene->people.goals && status == PC_OK; i++)
    status = doubt_exit(&all, scene, i, error);
  if (status == PC_OK)
    doubt_crowding(&all, scene, summary);
  if (status == PC_OK && all.failed)
    status = pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  if (status != PC_OK) {
    pc_array_free(&all.list);
    return status;
  }
  *list = all.list.at;
  *count = all.list.count;
  return PC_OK;
}
