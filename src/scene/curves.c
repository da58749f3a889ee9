#include "scene/curves.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/bind.h"
#include "scene/names.h"

typedef struct curve_file {
  const char *name, *title, *y;
  pc_node quantities, against, words;
} curve_file;
static const pc_key curve_keys[] = {
    {PC_KEY(curve_file, name), PC_A_NAME, true,
     .meaning = "name of the picture: the file is RUN-NAME.svg"},
    {PC_KEY(curve_file, quantities), PC_A_NAME | PC_NAMES, true, .count = {1, 8},
     .meaning = "quantities to draw: columns of RUN-runs.csv, such as `ball/vx` or `dissipated`; a "
                "map shows one of them. For curves over time, columns of RUN.csv"},
    {PC_KEY(curve_file, against), PC_A_NAME | PC_NAMES, .count = {1, 2},
     .left_out = "the swept key with the most values; without a sweep, `time`",
     .meaning = "horizontal axis: label of an entry of `sweep`, or `time`. Other swept keys give a "
                "family of curves. Two labels give a map; the second label is its vertical axis"},
    {PC_KEY(curve_file, title), PC_A_TEXT, .left_out = "that of the scene",
     .meaning = "title of the picture"},
    {PC_KEY(curve_file, y), PC_A_TEXT, .left_out = "the quantity and its unit",
     .meaning = "title of the vertical axis, or of the scale of a map"},
    {PC_KEY(curve_file, words), PC_NAMES, .count = {1, 64}, .left_out = "the numbers themselves",
     .meaning = "for a map of whole numbers: the meaning of 0, 1, 2, …"},
    {0}};
const pc_mapping pc_table_curve = {
    "curves", "an entry of 'curves'",
    "A picture of quantities over the values of a sweep or over time, as curves or as a map.",
    .keys = {curve_keys}};

static char *copy(pc_node node, const char *text)
{
  char *own = text != NULL ? strdup(text) : NULL;
  if (text != NULL && own == NULL)
    pc_complain(node, "out of memory");
  return own;
}

// A name, or a list of them.
static char **read_names(pc_node node, const char *what, int *count)
{
  int size = pc_is_sequence(node) ? pc_read_list(node, what) : 1;
  char **names = pc_allocate(node, size, sizeof *names);
  for (*count = 0; *count < size && names != NULL && !pc_failed(node); (*count)++) {
    pc_node item = pc_is_sequence(node) ? pc_item(node, *count) : node;
    names[*count] = copy(node, pc_read_label(item));
  }
  return names;
}

// Numbers, at least two of which differ.
static bool has_numbers(const pc_scene_sweep *sweep)
{
  double first = pc_scene_sweep_number(sweep, 0);
  bool differ = false;
  for (int i = 0; i < sweep->count; i++) {
    double number = pc_scene_sweep_number(sweep, i);
    if (isnan(number))
      return false;
    differ = differ || number != first;
  }
  return differ;
}

// The sweep with this label, which has numbers; -1 for time, or after a complaint.
static int find_axis(const pc_scene_plan *plan, pc_node node, bool takes_time)
{
  const char *label = pc_read_name(node);
  for (int i = 0; i < plan->sweeps; i++)
    if (strcmp(plan->sweep[i].label, label) == 0) {
      if (has_numbers(&plan->sweep[i]))
        return i;
      pc_complain(node,
                  "'%s' cannot be an axis: it must have at least two different numbers as values",
                  pc_node_text(node).text);
      return -1;
    }
  if (strcmp(label, "time") != 0)
    pc_complain(node, "no entry of 'sweep' has the label or the key '%s'", pc_node_text(node).text);
  else if (!takes_time)
    pc_complain(node, "a single collision takes no time: 'against' must be an entry of 'sweep'");
  return -1;
}

static int widest_sweep(const pc_scene_plan *plan, pc_node entry)
{
  int best = -1;
  for (int i = 0; i < plan->sweeps; i++)
    if (has_numbers(&plan->sweep[i]) &&
        (best < 0 || plan->sweep[i].count > plan->sweep[best].count))
      best = i;
  if (best < 0)
    pc_complain(entry, "curves need an entry of 'sweep' with at least two different numbers");
  return best;
}

// Curves of a family that are told apart.
enum { MOST_CURVES = 16 };

// The axis of curves that name none.
static int usual_axis(const pc_scene_plan *plan, pc_node entry, bool takes_time)
{
  return plan->sweeps == 0 && takes_time ? -1 : widest_sweep(plan, entry);
}

static void check_size(const pc_scene_plan *plan, const pc_scene_curves *c, pc_node entry)
{
  bool map = c->against[1] >= 0;
  double family = c->quantities;
  for (int i = 0; i < plan->sweeps; i++)
    if (i != c->against[0] && i != c->against[1])
      family *= plan->sweep[i].count;
  if (map && c->against[0] == c->against[1])
    pc_complain(entry, "a map needs two different axes");
  else if (map && family != 1)
    pc_complain(
        entry,
        "a map shows one quantity over two swept keys; remove the other quantities or swept keys");
  else if (!map && family > MOST_CURVES)
    pc_complain(entry, "%.0f curves are too many: a picture can have at most %d", family,
                MOST_CURVES);
  else if (!map && c->words > 0)
    pc_complain(entry, "'words' requires a map, that is two labels in 'against'");
}

static void read_curve(pc_scene_plan *plan, pc_node entry, bool takes_time)
{
  curve_file file = {.name = NULL};
  if (!pc_bind(&entry, &pc_table_curve, &file))
    return;
  pc_node name = PC_NODE(entry, curve_file, name);
  pc_read_label(name);
  if (!pc_failed(entry) && strpbrk(file.name, "/\\") != NULL)
    pc_complain(name, "'%s' cannot be used in a file name", pc_node_text(name).text);
  for (int i = 0; i < plan->pictures && !pc_failed(entry); i++)
    if (strcmp(plan->picture[i].name, file.name) == 0)
      pc_complain(name, "two entries of 'curves' are named '%s'; names must be unique",
                  pc_node_text(name).text);
  if (pc_failed(entry))
    return;
  pc_scene_curves *c = &plan->picture[plan->pictures++];
  c->name = copy(entry, file.name);
  c->title = copy(entry, file.title);
  c->y = copy(entry, file.y);
  c->line = pc_node_line(file.quantities);
  c->quantity = read_names(file.quantities, "'quantities'", &c->quantities);
  if (pc_is_present(file.words))
    c->word = read_names(file.words, "'words'", &c->words);
  c->against[1] = -1;
  bool list = pc_is_sequence(file.against);
  int axes = !pc_is_present(file.against) ? 0 : list ? pc_read_list(file.against, "'against'") : 1;
  if (!pc_failed(entry) && (axes > 2 || (axes == 0 && list)))
    pc_complain(file.against, "'against' must have one label, or two for a map");
  for (int i = 0; i < axes && !pc_failed(entry); i++) {
    c->against[i] = find_axis(plan, list ? pc_item(file.against, i) : file.against, takes_time);
    if (!pc_failed(entry) && axes == 2 && c->against[i] < 0)
      pc_complain(file.against, "both axes of a map must be entries of 'sweep', not time");
  }
  if (axes == 0 && !pc_failed(entry))
    c->against[0] = usual_axis(plan, entry, takes_time);
  if (!pc_failed(entry))
    check_size(plan, c, entry);
}

void pc_read_curves(pc_scene_plan *plan, pc_node list, bool takes_time)
{
  if (!pc_is_present(list) || pc_failed(list))
    return;
  int count = pc_read_list(list, "'curves'");
  plan->picture = pc_allocate(list, count, sizeof *plan->picture);
  for (int i = 0; i < count && !pc_failed(list); i++)
    read_curve(plan, pc_item(list, i), takes_time);
}
