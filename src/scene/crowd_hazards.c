// Smoke and gases of a `kind: crowd` file: zones, and tables of fields.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/input_file.h"
#include "scene/crowd_file.h"
#include "scene/paths.h"

static const char *const words[PC_HAZARDS] = {"extinction", "co", "co2", "o2", "hcn", "dose"};
enum { AXES = 3, COLUMNS = AXES + PC_HAZARDS };

static const double MEASURED_SMOKE = 7.4; // 1/m: the densest in which speeds were measured
static const double SIGHT_IN_SMOKE = 3;   // optical depth through which signs are seen (Jin)

// A table of a field: rows in any order, each with its time, if the table has times, and its place.
typedef struct hazard_table {
  int count, of[COLUMNS]; // columns, and what they are: axes first
  bool has[COLUMNS];
  PC_ARRAY(double) cells; // COLUMNS for each row
  int rows;
  double *axis[AXES], *value[PC_HAZARDS];
  int nodes[AXES];
} hazard_table;

static bool read_heading(pc_input_file *source, hazard_table *table)
{
  static const char *const axes[AXES] = {"t", "x", "y"};
  bool right = pc_input_line(source);
  if (right)
    pc_input_separate(source, 0);
  for (char *word = right ? pc_input_word(source) : NULL; word != NULL && right;
       word = pc_input_word(source)) {
    int is = 0;
    while (is < COLUMNS && strcmp(word, is < AXES ? axes[is] : words[is - AXES]) != 0)
      is++;
    right = is < COLUMNS && !table->has[is];
    if (right) {
      table->has[is] = true;
      table->of[table->count++] = is;
    }
  }
  if (right && table->has[1] && table->has[2] && table->count > 2 + table->has[0])
    return true;
  pc_input_fail(source, "the first line must name the columns: x, y, t unless the field is "
                        "constant, and one or more of extinction, co, co2, o2, hcn and dose");
  return false;
}

static bool read_row(pc_input_file *source, hazard_table *table)
{
  int cells = pc_input_words(source);
  if (cells != table->count) {
    pc_input_fail_count(source, "cells", table->count, cells);
    return false;
  }
  if (table->rows >= 20000000 || !pc_array_reserve(&table->cells, (table->rows + 1) * COLUMNS)) {
    pc_input_out_of_memory(source);
    return false;
  }
  double *row = table->cells.at + (size_t)table->rows++ * COLUMNS;
  memset(row, 0, COLUMNS * sizeof *row);
  for (int c = 0; c < table->count; c++) {
    int is = table->of[c];
    const char *word = pc_input_word(source);
    if (!pc_input_cell(source, false, row + is) || (is >= AXES && row[is] < 0)) {
      pc_input_fail(source, "expected a number%s, found '%.40s'",
                    is >= AXES ? " that is not negative" : "", word != NULL ? word : "");
      return false;
    }
  }
  return true;
}

static int compare(const void *a, const void *b)
{
  double one = *(const double *)a, two = *(const double *)b;
  return (one > two) - (one < two);
}

// The values of a column, each once, in rising order.
static bool find_axis(hazard_table *table, int k)
{
  int count = 0;
  double *axis = table->axis[k] = calloc((size_t)table->rows, sizeof *axis);
  if (axis == NULL)
    return false;
  for (int i = 0; i < table->rows; i++)
    axis[i] = table->cells.at[(size_t)i * COLUMNS + (size_t)k];
  qsort(axis, (size_t)table->rows, sizeof *axis, compare);
  for (int i = 0; i < table->rows; i++)
    if (count == 0 || axis[i] != axis[count - 1])
      axis[count++] = axis[i];
  table->nodes[k] = count;
  return true;
}

static int place_of(const hazard_table *table, int k, double value)
{
  const double *at =
      bsearch(&value, table->axis[k], (size_t)table->nodes[k], sizeof value, compare);
  return (int)(at - table->axis[k]);
}

// Every node has one row.
static bool sort_rows(pc_input_file *source, hazard_table *table)
{
  double all = 1;
  bool room = true;
  for (int k = 0; k < AXES && room; k++) {
    room = find_axis(table, k);
    all *= table->nodes[k];
  }
  if (room && all != table->rows) {
    pc_input_fail_whole(source,
                        "the table has %d rows, but %d times, %d x and %d y: every place needs a "
                        "row for every time, and only one",
                        table->rows, table->nodes[0], table->nodes[1], table->nodes[2]);
    return false;
  }
  unsigned char *seen = room ? calloc((size_t)table->rows, 1) : NULL;
  room = seen != NULL;
  for (int q = 0; q < PC_HAZARDS && room; q++) {
    table->value[q] = table->has[AXES + q] ? calloc((size_t)table->rows, sizeof(double)) : NULL;
    room = !table->has[AXES + q] || table->value[q] != NULL;
  }
  bool twice = false;
  for (int i = 0; i < table->rows && room && !twice; i++) {
    const double *row = table->cells.at + (size_t)i * COLUMNS;
    int at = (place_of(table, 0, row[0]) * table->nodes[2] + place_of(table, 2, row[2])) *
                 table->nodes[1] +
             place_of(table, 1, row[1]);
    twice = seen[at] != 0;
    seen[at] = 1;
    for (int q = 0; q < PC_HAZARDS; q++)
      if (table->value[q] != NULL)
        table->value[q][at] = row[AXES + q];
    if (twice)
      pc_input_fail_whole(source, "the place (%g, %g) at %g s has two rows", row[1], row[2],
                          row[0]);
  }
  free(seen);
  if (!room)
    pc_input_out_of_memory(source);
  return room && !twice;
}

static void free_table(hazard_table *table)
{
  pc_array_free(&table->cells);
  for (int k = 0; k < AXES; k++)
    free(table->axis[k]);
  for (int q = 0; q < PC_HAZARDS; q++)
    free(table->value[q]);
}

static void read_table(pc_node node, hazard_table *table)
{
  char path[1024];
  pc_error reason = {.status = PC_OK};
  pc_input_file source;
  if (!pc_scene_find_file(node, path, sizeof path))
    return;
  if (pc_input_open(&source, path, &reason) == PC_OK && read_heading(&source, table)) {
    while (reason.status == PC_OK && pc_input_line(&source) && read_row(&source, table))
      ;
    if (reason.status == PC_OK && table->rows == 0)
      pc_input_fail_whole(&source, "the table has no rows");
    if (reason.status == PC_OK)
      sort_rows(&source, table);
  }
  pc_input_close(&source);
  if (reason.status != PC_OK)
    pc_complain(node, "%s", reason.text);
}

typedef struct hazard_file {
  pc_node floor, file, zone;
  pc_hazard_def def;
} hazard_file;
#define VALUE(name_, what_, unit_, range_, meaning_)                                               \
  {                                                                                                \
    name_, PC_INTO(hazard_file, def.value[what_]), PC_A_NUMBER,                                    \
        .unit = unit_, range_, .left_out = "none", .meaning = meaning_                             \
  }
static const pc_key hazard_keys[] = {
    {PC_KEY(hazard_file, file), PC_A_FILE, .left_out = "the values are those below",
     .meaning = "CSV table with the columns t (unless constant), x, y and one or more of "
                "extinction, co, co2, o2, hcn, dose; a row for every node and time"},
    {PC_KEY(hazard_file, zone), PC_POINTS, .unit = "m", .count = {2, 2},
     .left_out = "the whole floor", .meaning = "outline of the area"},
    {"from", PC_INTO(hazard_file, def.from), PC_A_NUMBER, .unit = "s", PC_NOT_NEGATIVE,
     .otherwise = "0", .meaning = "start; times of a table count from here"},
    {"until", PC_INTO(hazard_file, def.until), PC_A_NUMBER, .unit = "s", PC_POSITIVE,
     .left_out = "to the end", .meaning = "end"},
    VALUE("extinction", PC_EXTINCTION, "1/m", PC_NOT_NEGATIVE,
          "extinction coefficient of the smoke"),
    VALUE("co", PC_CO, "1", PC_FROM(0, 1), "carbon monoxide, volume fraction"),
    VALUE("co2", PC_CO2, "1", PC_FROM(0, 1), "carbon dioxide, volume fraction"),
    {"o2", PC_INTO(hazard_file, def.value[PC_O2]), PC_A_NUMBER, .unit = "1", PC_FROM(0, 1),
     .left_out = "0.209", .meaning = "oxygen, volume fraction"},
    VALUE("hcn", PC_HCN, "1", PC_FROM(0, 1), "hydrogen cyanide, volume fraction"),
    VALUE("dose", PC_DOSE, "1/s", PC_NOT_NEGATIVE,
          "fractional effective dose per second, of irritants or heat"),
    {0}};
const pc_mapping pc_table_hazard = {
    "hazard", "a hazard",
    "Smoke and gases on a floor. Several hazards add up; of oxygen the least counts.",
    .keys = {hazard_keys, pc_on_floor_keys}};

// Smoke slows people down and hides exits from them, but they know their way in any smoke.
static void warn_of_darkness(pc_node node, const pc_hazard_def *def)
{
  double most = def->value[PC_EXTINCTION];
  size_t nodes = 1;
  for (int k = 0; k < AXES; k++)
    nodes *= def->nodes[k] > 0 ? (size_t)def->nodes[k] : 1;
  for (size_t i = 0; i < nodes && def->table[PC_EXTINCTION] != NULL; i++)
    most = fmax(most, def->table[PC_EXTINCTION][i]);
  if (most > MEASURED_SMOKE)
    pc_warn(
        node,
        "an extinction of %.3g /m: signs that reflect light are seen from %.2g m, and walking "
        "speeds are measured up to %g /m (Frantzich and Nilsson 2003). In such smoke people lose "
        "their way; here they only walk slowly",
        most, SIGHT_IN_SMOKE / most, MEASURED_SMOKE);
}

void pc_crowd_read_hazard(pc_crowd_builder *builder, pc_node node, int number)
{
  hazard_file file = {.def = {.floor = 0}};
  hazard_table table = {.count = 0};
  pc_hazard_def *def = &file.def;
  if (!pc_bind(&node, &pc_table_hazard, &file))
    return;
  def->floor = pc_crowd_read_floor(builder, node, file.floor);
  if (def->until > 0 && !(def->until > def->from))
    pc_complain(PC_NODE(node, hazard_file, def.until), "the end must be later than the start, %g s",
                def->from);
  double(*zone)[2] =
      pc_is_present(file.zone) ? pc_crowd_read_points(file.zone, 3, &def->count) : NULL;
  def->points = (const double(*)[2])zone;
  bool any = pc_is_present(file.file);
  for (int q = 0; q < PC_HAZARDS; q++)
    any |= def->value[q] > 0;
  if (!pc_failed(node) && !any)
    pc_complain(node, "a hazard needs a 'file' or a value");
  if (!pc_failed(node) && pc_is_present(file.file))
    read_table(file.file, &table);
  for (int k = 0; k < AXES && table.rows > 0; k++) {
    def->nodes[k] = table.nodes[k];
    def->axis[k] = table.axis[k];
  }
  for (int q = 0; q < PC_HAZARDS; q++)
    def->table[q] = table.value[q];
  if (!pc_failed(node) && pc_crowd_add_hazard(builder->crowd, def) < 0)
    pc_crowd_complain(builder, node, "");
  if (!pc_failed(node))
    warn_of_darkness(node, def);
  free_table(&table);
  free(zone);
}
