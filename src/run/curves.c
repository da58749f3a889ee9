#include "run/curves.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "record/csv.h"
#include "record/replace.h"
#include "run/files.h"
#include "run/inputs.h"
#include "scene/text.h"

enum { HIDDEN = 1 }; // no character of a name

// Spaces of a name itself are hidden while a list of names is cut into words.
static void swap_bytes(char *text, char from, char to)
{
  for (; *text != 0; text++)
    *text = *text == from ? to : *text;
}

// Names with spaces between them; the caller frees them. NULL when memory is out.
static char *join_names(int count, pc_curves_namer *name, const void *of)
{
  size_t size = 1;
  char room[PC_CURVES_NAME];
  for (int i = 0; i < count; i++)
    size += strlen(name(of, i, room)) + 1;
  char *all = malloc(size), *to = all;
  for (int i = 0; i < count && all != NULL; i++) {
    char *start = to + (i > 0);
    to += sprintf(to, "%s%s", i > 0 ? " " : "", name(of, i, room));
    swap_bytes(start, ' ', HIDDEN);
  }
  if (count == 0 && all != NULL)
    *all = 0;
  return all;
}

static pc_status refuse_quantity(const pc_scene *scene, const pc_scene_curves *c, const char *wrong,
                                 char *names, pc_error *error)
{
  char hint[120], all[300], hidden[PC_CURVES_NAME];
  if (names == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  snprintf(hidden, sizeof hidden, "%s", wrong);
  swap_bytes(hidden, ' ', HIDDEN);
  pc_word_describe(names, hidden, hint, sizeof hint, all, sizeof all);
  swap_bytes(hint, HIDDEN, ' ');
  swap_bytes(all, HIDDEN, ' ');
  free(names);
  return pc_fail(error, PC_ERROR_INPUT, "%s:%d: unknown quantity '%.60s'%s (known: %s)",
                 pc_text_path(scene->path).text, c->line, wrong, hint, all);
}

pc_status pc_curves_check(const pc_scene *scene, const pc_scene_curves *c, int count,
                          pc_curves_namer *name, const void *of, pc_error *error)
{
  char room[PC_CURVES_NAME];
  for (int q = 0; q < c->quantities; q++) {
    int i = 0;
    while (i < count && !pc_csv_is_name(name(of, i, room), c->quantity[q]))
      i++;
    if (i == count)
      return refuse_quantity(scene, c, c->quantity[q], join_names(count, name, of), error);
  }
  return PC_OK;
}

char *pc_curves_file(const pc_scene *scene, const char *output, const pc_scene_curves *c,
                     pc_error *error)
{
  char ending[80];
  snprintf(ending, sizeof ending, "-%s.svg", c->name);
  char *path = pc_run_beside(output, ending);
  pc_status status = path != NULL ? pc_run_spare_inputs(scene, path, error)
                                  : pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  if (status == PC_OK)
    status = pc_replace_check(path, &pc_svg_own, error);
  if (status == PC_OK)
    return path;
  free(path);
  return NULL;
}

// `k [kg]` with a value is k = 2 kg.
static const char *name_value(pc_svg *plot, const pc_scene_sweep *sweep, int value)
{
  const char *unit = strstr(sweep->label, " [");
  size_t length = strlen(sweep->label);
  if (unit == NULL || sweep->label[length - 1] != ']')
    return pc_svg_print(plot, "%s = %s", sweep->label, sweep->values[value]);
  return pc_svg_print(plot, "%.*s = %s %.*s", (int)(unit - sweep->label), sweep->label,
                      sweep->values[value], (int)(strlen(unit) - 3), unit + 2);
}

const char *pc_curves_legend(pc_svg *plot, const pc_scene_plan *plan, const pc_scene_curves *c,
                             int quantity, int combination)
{
  const char *text = c->quantities > 1 ? c->quantity[quantity] : "";
  for (int i = 0; i < plan->sweeps; i++)
    if (i != c->against[0])
      text = pc_svg_print(
          plot, "%s%s%s", text, *text ? ", " : "",
          name_value(plot, &plan->sweep[i], pc_scene_plan_value(plan, combination, i)));
  return *text ? text : NULL;
}

void pc_curves_extend(pc_svg_axis *y, double value)
{
  y->from = fmin(y->from, value); // of numbers alone
  y->to = fmax(y->to, value);
}

static const char *title_of(pc_svg *plot, const pc_scene_curves *c, const char *unit)
{
  if (c->y != NULL)
    return c->y;
  if (unit == NULL || c->quantities > 1)
    return unit != NULL ? unit : "";
  return pc_svg_print(plot, *unit ? "%s [%s]" : "%s", c->quantity[0], unit);
}

pc_status pc_curves_end(pc_svg *plot, const pc_scene_curves *c, const char *unit, pc_error *error)
{
  pc_svg_axis *y = &plot->y;
  if (!(y->from <= y->to))
    return pc_fail(error, PC_ERROR_NUMERIC, "'%s' has no finite values to draw", c->name);
  double length = y->to - y->from, size = fmax(fabs(y->from), fabs(y->to));
  double room = length > 1e-9 * size ? 0.06 * length : size > 0 ? 0.1 * size : 1;
  *y = (pc_svg_axis){title_of(plot, c, unit), y->from - room, y->to + room, false};
  plot->height = 340;
  return PC_OK;
}

pc_svg pc_curves_begin(const pc_scene *scene, const pc_scene_curves *c)
{
  const pc_scene_sweep *sweep = scene->plan.sweep;
  bool map = c->against[1] >= 0;
  pc_svg plot = {.title = c->title != NULL       ? c->title
                          : scene->title != NULL ? scene->title
                                                 : c->name,
                 .y = {NULL, INFINITY, -INFINITY, false}};
  plot.description =
      pc_svg_print(&plot, "%s of %s against %s%s%s.", map ? "A map" : "Curves", c->quantity[0],
                   c->against[0] >= 0 ? sweep[c->against[0]].label : "time", map ? " and " : "",
                   map ? sweep[c->against[1]].label : "");
  return plot;
}
