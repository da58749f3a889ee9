// Height fields from ESRI ASCII grids and from XYZ triples.
//
// An ASCII grid has a header of keys and values, then one line per row, from north to south:
//     ncols 200        xllcorner (of the first cell) or xllcenter     cellsize 0.5
//     nrows 100        yllcorner                     or yllcenter     NODATA_value -9999 (optional)
// After the rows there may be a projection, as well-known text; it may also be in the file .prj
// beside the grid. XYZ has one point per line, in any order; missing points are holes.
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "core/error.h"
#include "core/input_file.h"
#include "core/plain.h"
#include "core/sort.h"
#include "geometry/geotiff.h"
#include "geometry/mesh.h"

static const int MAX_SIDE = 1 << 24;

typedef struct grid {
  int columns, rows;
  double spacing, origin[2];
  PC_ARRAY(double) height; // row by row
  double unit;             // of coordinates, m; 0: unknown
  bool degrees;
} grid;

enum { COLUMNS, ROWS, X_CORNER, X_CENTRE, Y_CORNER, Y_CENTRE, CELL, NO_DATA, KEYS };

static int find_key(const char *word)
{
  static const char *const keys[KEYS] = {"ncols",     "nrows",     "xllcorner", "xllcenter",
                                         "yllcorner", "yllcenter", "cellsize",  "nodata_value"};
  for (int i = 0; i < KEYS; i++)
    if (word != NULL && pc_is_same_word(word, keys[i]))
      return i;
  return -1;
}

static bool starts_with_key(const char *line)
{
  while (pc_is_space(*line))
    line++;
  return pc_is_letter(*line) && !pc_begins_with_word(line, "nan");
}

// Reads lines while they begin with a key; then the first line of heights is the current one.
static pc_status read_header(pc_input_file *source, double value[KEYS], bool has[KEYS], bool *more)
{
  while ((*more = pc_input_line(source)) && starts_with_key(source->cursor)) {
    pc_input_separate(source, 2);
    const char *word = pc_input_word(source);
    int key = find_key(word);
    if (word != NULL && (pc_is_same_word(word, "dx") || pc_is_same_word(word, "dy")))
      return pc_geotiff_fail_cells(source);
    if (key < 0)
      return pc_input_fail(source, "unknown key of an ASCII grid (known: ncols, nrows, xllcorner, "
                                   "yllcorner, cellsize, NODATA_value)");
    if (has[key])
      return pc_input_fail(source, "the key is given twice");
    has[key] = true;
    pc_input_word(source);
    if (!pc_input_cell(source, key == NO_DATA, &value[key]) || pc_input_word(source) != NULL)
      return pc_input_fail(source, "expected one number after the key");
  }
  return PC_OK;
}

static pc_status check_header(pc_input_file *source, const double value[KEYS], const bool has[KEYS],
                              grid *g)
{
  if (!has[COLUMNS] || !has[ROWS] || !has[CELL])
    return pc_input_fail_whole(source, "an ASCII grid needs ncols, nrows and cellsize");
  if (has[X_CORNER] == has[X_CENTRE] || has[Y_CORNER] == has[Y_CENTRE])
    return pc_input_fail_whole(source, "an ASCII grid needs xllcorner or xllcenter, and yllcorner "
                                       "or yllcenter");
  for (int i = COLUMNS; i <= ROWS; i++)
    if (value[i] != floor(value[i]) || value[i] < 2 || value[i] > MAX_SIDE)
      return pc_input_fail_whole(source, "ncols and nrows must be whole numbers from 2 to %d",
                                 MAX_SIDE);
  if (value[CELL] <= 0)
    return pc_input_fail_whole(source, "cellsize must be positive");
  g->columns = (int)value[COLUMNS];
  g->rows = (int)value[ROWS];
  g->spacing = value[CELL];
  g->origin[0] = has[X_CENTRE] ? value[X_CENTRE] : value[X_CORNER] + 0.5 * g->spacing;
  g->origin[1] = has[Y_CENTRE] ? value[Y_CENTRE] : value[Y_CORNER] + 0.5 * g->spacing;
  return PC_OK;
}

// Whether the unit of well-known text that begins here is a length, and how long it is in metres.
static bool is_length(const char *text, const char *unit, double *metres)
{
  static const char *const others[] = {"ANGLE", "SCALE", "TIME"};
  const char *factor = strchr(unit, ',');
  for (int i = 0; i < PC_COUNT(others); i++) {
    size_t length = strlen(others[i]);
    if ((size_t)(unit - text) >= length && strncmp(unit - length, others[i], length) == 0)
      return false;
  }
  for (const char *at = unit; factor != NULL && at < factor; at++) // its name, in older texts
    if (pc_begins_with_word(at, "degree") || pc_begins_with_word(at, "radian") ||
        pc_begins_with_word(at, "grad"))
      return false;
  *metres = factor != NULL ? pc_read_double(factor + 1, NULL) : 0;
  return *metres > 0;
}

// What a system of coordinates in well-known text says of its units, horizontal and vertical ones.
// False: this is none.
static bool read_unit(const char *text, grid *g)
{
  double metres;
  while (pc_is_space(*text))
    text++;
  size_t word = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
  if (word == 0 || text[word] != '[')
    return false;
  bool plane = strstr(text, "PROJC") != NULL;
  g->degrees = !plane && (strstr(text, "GEOGC") != NULL || strstr(text, "GEODCRS") != NULL);
  for (const char *at = text; (at = strstr(at, "UNIT[")) != NULL; at++)
    if (is_length(text, at, &metres) && (g->unit == 0 || metres != 1))
      g->unit = metres;
  return true;
}

// The projection that stands beside a grid: terrain.prj.
static pc_status read_projection(const char *path, grid *g, pc_error *error)
{
  pc_input_file file;
  pc_error reason = {.status = PC_OK};
  size_t length = strlen(path);
  char *name = strdup(path);
  if (name == NULL)
    return pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  memcpy(name + length - 3, "prj", 3);
  if (pc_input_open(&file, name, &reason) == PC_OK && pc_input_line(&file))
    read_unit(file.cursor, g);
  pc_input_close(&file);
  free(name);
  return reason.status == PC_ERROR_MEMORY ? pc_fail(error, PC_ERROR_MEMORY, "out of memory")
                                          : PC_OK;
}

static pc_status read_row(pc_input_file *source, const grid *g, double hole, double *row)
{
  for (int i = 0; i < g->columns; i++) {
    pc_input_word(source);
    if (!pc_input_cell(source, true, &row[i]))
      return pc_input_fail(source, "height %d of the row must be finite", i + 1);
    if (row[i] == hole)
      row[i] = NAN;
  }
  return PC_OK;
}

// Memory grows with the rows that are there, not with what the header promises.
static pc_status read_asc(pc_input_file *source, grid *g)
{
  double value[KEYS] = {[NO_DATA] = -9999};
  bool has[KEYS] = {false}, more;
  pc_status status = read_header(source, value, has, &more);
  if (status == PC_OK)
    status = check_header(source, value, has, g);
  if (status != PC_OK)
    return status;
  int rows = 0;
  for (; more; more = pc_input_line(source), rows++) {
    if (rows >= g->rows && read_unit(source->cursor, g))
      break;
    if (rows >= g->rows)
      return pc_input_fail(source, "expected %d rows, got more", g->rows);
    pc_input_separate(source, g->columns);
    int count = pc_input_words(source);
    if (count != g->columns)
      return pc_input_fail_count(source, "heights", g->columns, count);
    if (g->columns > INT_MAX - g->height.count ||
        !pc_array_reserve(&g->height, g->height.count + g->columns))
      return pc_input_out_of_memory(source);
    status = read_row(source, g, value[NO_DATA], g->height.at + g->height.count);
    g->height.count += g->columns;
    if (status != PC_OK)
      return status;
  }
  if (rows != g->rows)
    return pc_input_fail_whole(source, "expected %d rows, got %d", g->rows, rows);
  // From north to south in the file, upwards in the shape.
  for (int low = 0, high = rows - 1; low < high; low++, high--)
    for (int i = 0; i < g->columns; i++) {
      double *a = &g->height.at[(size_t)low * (size_t)g->columns + (size_t)i];
      double *b = &g->height.at[(size_t)high * (size_t)g->columns + (size_t)i];
      double other = *a;
      *a = *b;
      *b = other;
    }
  return PC_OK;
}

typedef struct xyz {
  double at[3];
  long line;
} xyz;

typedef PC_ARRAY(xyz) points;

static pc_status read_points(pc_input_file *source, points *all)
{
  while (pc_input_line(source)) {
    pc_input_separate(source, 3);
    int count = pc_input_words(source);
    const char *word = pc_input_word(source);
    double value = 0;
    if (word == NULL || word[0] == '#')
      continue;
    // A first line of names is common.
    if (all->count == 0 && source->line == 1 && !pc_input_cell(source, false, &value))
      continue;
    if (count > 3)
      return pc_input_fail_count(source, "numbers, x, y and height", 3, count);
    xyz *p = pc_array_add(all);
    if (p == NULL)
      return pc_input_out_of_memory(source);
    p->line = source->line;
    for (int k = 0; k < 3; k++) {
      if (k > 0)
        pc_input_word(source);
      if (!pc_input_cell(source, k == 2, &p->at[k]))
        return pc_input_fail(source, "a point needs three numbers: x, y and height");
    }
  }
  return PC_OK;
}

// Numbers that differ by less than `gap` become their mean; gives how many are left.
static int join_near(double *sorted, int count, double gap)
{
  int left = 0;
  for (int i = 0, end; i < count; i = end) {
    double sum = sorted[i];
    for (end = i + 1; end < count && sorted[end] - sorted[end - 1] <= gap; end++)
      sum += sorted[end];
    sorted[left++] = sum / (end - i);
  }
  return left;
}

// First value, spacing and number of the lines of a grid along one axis. The spacing is the mean of
// the gaps that are about as small as the smallest: coordinates are rounded, and holes leave larger
// gaps. False if there is no such grid.
static bool find_lines(double *sorted, int count, double *first, double *spacing, int *lines)
{
  qsort(sorted, (size_t)count, sizeof *sorted, pc_compare_doubles);
  double largest = 0, least = INFINITY, sum = 0, gaps = 0;
  for (int i = 1; i < count; i++)
    largest = fmax(largest, sorted[i] - sorted[i - 1]);
  count = join_near(sorted, count, 0.02 * largest);
  for (int i = 1; i < count; i++)
    least = fmin(least, sorted[i] - sorted[i - 1]);
  for (int i = 1; i < count; i++)
    if (sorted[i] - sorted[i - 1] < 1.5 * least)
      sum += sorted[i] - sorted[i - 1], gaps++;
  double range = sorted[count - 1] - sorted[0], cells = range / (sum / gaps);
  if (!(cells < MAX_SIDE - 1))
    return false;
  *first = sorted[0];
  *lines = 1 + (int)floor(cells + 0.5);
  *spacing = range / (*lines - 1);
  return *lines >= 2;
}

static pc_status find_grid(pc_input_file *source, const xyz *point, int count, grid *g)
{
  double *sorted = malloc(((size_t)count + 1) * sizeof *sorted);
  if (sorted == NULL)
    return pc_input_out_of_memory(source);
  int lines[2] = {0, 0};
  double spacing[2] = {0, 0};
  bool found = count >= 4;
  for (int k = 0; k < 2 && found; k++) {
    for (int i = 0; i < count; i++)
      sorted[i] = point[i].at[k];
    found = find_lines(sorted, count, &g->origin[k], &spacing[k], &lines[k]);
  }
  free(sorted);
  if (!found)
    return pc_input_fail_whole(source, "the points must form a regular grid in x and y");
  // The longer side gives the spacing more accurately.
  int longer = lines[0] >= lines[1] ? 0 : 1;
  if (fabs(spacing[0] - spacing[1]) * (lines[1 - longer] - 1) > 0.02 * spacing[longer])
    return pc_input_fail_whole(source,
                               "the points must form a grid of squares, but are %g apart in x and "
                               "%g in y",
                               spacing[0], spacing[1]);
  g->columns = lines[0];
  g->rows = lines[1];
  g->spacing = spacing[longer];
  if ((double)g->columns * g->rows > 1000 + 100.0 * count)
    return pc_input_fail_whole(source,
                               "%d points are too few for a regular grid of %d columns and %d "
                               "rows: mark missing heights as no-data or add them",
                               count, g->columns, g->rows);
  return PC_OK;
}

static pc_status place_points(pc_input_file *source, const xyz *point, int count, grid *g)
{
  size_t places = (size_t)g->columns * (size_t)g->rows;
  char *taken = calloc(places + 1, 1);
  bool fits = places < INT_MAX && pc_array_reserve(&g->height, (int)places) && taken != NULL;
  pc_status status = fits ? PC_OK : pc_input_out_of_memory(source);
  for (size_t p = 0; p < places && fits; p++)
    g->height.at[p] = NAN;
  for (int i = 0; i < count && status == PC_OK; i++) {
    double x = (point[i].at[0] - g->origin[0]) / g->spacing;
    double y = (point[i].at[1] - g->origin[1]) / g->spacing;
    double column = floor(x + 0.5), row = floor(y + 0.5);
    source->line = point[i].line;
    if (fabs(x - column) > 0.05 || fabs(y - row) > 0.05 || column < 0 || row < 0 ||
        column >= g->columns || row >= g->rows) {
      status = pc_input_fail(source, "the point is not on the regular grid of the other points");
      break;
    }
    size_t place = (size_t)row * (size_t)g->columns + (size_t)column;
    if (taken[place])
      status = pc_input_fail(source, "the point has the same position as an earlier one");
    taken[place] = 1;
    g->height.at[place] = point[i].at[2];
  }
  free(taken);
  return status;
}

static pc_status read_xyz(pc_input_file *source, grid *g)
{
  points all = {0};
  pc_status status = read_points(source, &all);
  if (status == PC_OK)
    status = find_grid(source, all.at, all.count, g);
  if (status == PC_OK)
    status = place_points(source, all.at, all.count, g);
  pc_array_free(&all);
  return status;
}

pc_shape *pc_shape_heights_file(const char *path, pc_error *error)
{
  if (path == NULL) {
    pc_fail_null(error, "the path");
    return NULL;
  }
  bool tif = pc_geotiff_is_name(path), asc = pc_input_has_ending(path, ".asc");
  if (!asc && !tif && !pc_input_has_ending(path, ".xyz") && !pc_input_has_ending(path, ".csv")) {
    pc_fail(
        error, PC_ERROR_ARGUMENT,
        "%.200s: unknown file type; heights can be read from .asc, .xyz, .csv (x, y, height) and "
        ".tif files",
        path);
    return NULL;
  }
  pc_input_file source;
  grid g = {0};
  pc_status status =
      tif ? pc_geotiff_open(&source, path, error) : pc_input_open(&source, path, error);
  if (status == PC_OK)
    status = asc || tif ? read_asc(&source, &g) : read_xyz(&source, &g);
  pc_shape *shape = NULL;
  if (status == PC_OK && asc)
    status = read_projection(path, &g, error);
  if (status == PC_OK) {
    shape = pc_shape_heights(g.columns, g.rows, g.spacing, g.origin, g.height.at, error);
    if (shape == NULL)
      pc_input_blame(&source);
    else
      pc_shape_set_unit(shape, g.unit, g.degrees);
  }
  pc_array_free(&g.height);
  pc_input_close(&source);
  return shape;
}
