#include "run/crowd_doubts.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

#include "core/array.h"
#include "core/elementary.h"
#include "core/error.h"
#include "core/plain.h"

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

double pc_crowd_line_length(int count, const double (*point)[2])
{
  double length = 0;
  for (int i = 1; i < count; i++)
    length += pc_hypot(point[i][0] - point[i - 1][0], point[i][1] - point[i - 1][1]);
  return length;
}

double pc_pressure_load(double pressure, double radius)
{
  return 2 * radius * radius * pressure;
}

static void doubt_exit(doubts *all, const pc_crowd_fact_of_exit *exit)
{
  double flow = exit->flow / (60 * exit->length);
  if (exit->out >= PC_PEOPLE_FOR_A_FLOW && isfinite(flow) && flow > PC_MEASURED_FLOW)
    add(all,
        "%.3g people/(m s) leave by '%.60s'; through doors and bottlenecks 1.2 to %g are measured "
        "(Seyfried et al. 2009)",
        flow, exit->name, PC_MEASURED_FLOW);
}

// " at (x, y) on floor"
static void write_place(const pc_crowd_facts *facts, const pc_crowd_peak *peak, char *text,
                        size_t size)
{
  pc_print(text, size, "at (%g, %g)%s%.60s", peak->place[0], peak->place[1],
           facts->floors > 1 ? " on " : "",
           facts->floors > 1 ? facts->floor_names[peak->floor] : "");
}

static void doubt_crowding(doubts *all, const pc_crowd_facts *f)
{
  char place[120];
  if (!f->mapped)
    return;
  if (isfinite(f->densest.value) && f->densest.value > PC_MEASURED_DENSITY) {
    write_place(f, &f->densest, place, sizeof place);
    add(all,
        "%.3g people/m^2 %s; people who walk have at most 5.4 (Weidmann 1993), above %d a crowd is "
        "carried along (Fruin 1993)",
        f->densest.value, place, PC_MEASURED_DENSITY);
  }
}

static void doubt_load(doubts *all, const pc_crowd_facts *f)
{
  char place[120], where[160] = "";
  if (!(isfinite(f->load) && f->load > PC_TOLERABLE_LOAD))
    return;
  if (f->mapped && isfinite(f->pressed.value)) {
    write_place(f, &f->pressed, place, sizeof place);
    pc_print(where, sizeof where, "; the pressure is largest %s", place);
  }
  add(all,
      "a load of %.3g N on a person for %g s; %d N are tolerable (Evans and Hayden 1971), %d N "
      "kill within minutes (Hopkins et al. 1993)%s",
      f->load, f->load_window, PC_TOLERABLE_LOAD, PC_DEADLY_LOAD, where);
}

pc_status pc_crowd_doubt_facts(const pc_crowd_facts *facts, pc_crowd_doubt **list, int *count,
                               pc_error *error)
{
  doubts all = {0};
  for (int i = 0; i < facts->exits; i++)
    doubt_exit(&all, &facts->exit[i]);
  doubt_crowding(&all, facts);
  doubt_load(&all, facts);
  *list = NULL;
  *count = 0;
  if (all.failed) {
    pc_array_free(&all.list);
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  }
  *list = all.list.at;
  *count = all.list.count;
  return PC_OK;
}

static pc_status list_exits(const pc_scene *scene, pc_crowd_fact_of_exit *exits, int *count,
                            pc_error *error)
{
  pc_status status = PC_OK;
  for (int i = 0; i < scene->people.goals && status == PC_OK; i++) {
    const pc_scene_goal *goal = &scene->people.goal[i];
    pc_exit_summary e = {0};
    if (goal->kind != PC_GOAL_EXIT)
      continue;
    status = pc_run_exit(scene, i, &e, error);
    exits[(*count)++] = (pc_crowd_fact_of_exit){
        goal->name, pc_crowd_line_length(goal->count, (const double(*)[2])goal->point), e.out,
        e.flow};
  }
  return status;
}

pc_status pc_crowd_doubts(const pc_scene *scene, const pc_crowd_summary *summary,
                          pc_crowd_doubt **list, int *count, pc_error *error)
{
  pc_crowd_fact_of_exit *exits = calloc((size_t)scene->people.goals + 1, sizeof *exits);
  pc_crowd_facts facts = {.exit = exits,
                          .mapped = summary->mapped,
                          .densest = summary->densest,
                          .pressed = summary->pressed,
                          .load = summary->load_largest,
                          .load_window = summary->load_window,
                          .floors = scene->people.floors,
                          .floor_names = scene->people.floor_names};
  *list = NULL;
  *count = 0;
  pc_status status = exits != NULL ? list_exits(scene, exits, &facts.exits, error)
                                   : pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  if (status == PC_OK)
    status = pc_crowd_doubt_facts(&facts, list, count, error);
  free(exits);
  return status;
}
