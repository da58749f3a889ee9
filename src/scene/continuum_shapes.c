// Shapes of the mesh of a `kind: continuum` file: rectangles, bars, discs and lines.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "continuum/mesh_shapes.h"
#include "scene/continuum_file.h"

#ifdef PERCUSS_FUZZ
enum { MOST_CELLS = 100000 }; // numbers that are made up are large
#else
enum { MOST_CELLS = 4000000 };
#endif
static const double PI = 3.14159265358979323846;

void pc_continuum_check_names(pc_node node)
{
  const pc_key *key;
  for (int i = 0; !pc_failed(node) && (key = pc_mapping_key(node.mapping, i)) != NULL; i++) {
    if (key->forms != PC_A_NAME)
      continue;
    pc_node name = pc_get(node, key->name);
    if (pc_is_present(name) && strlen(pc_read_name(name)) >= sizeof((pc_fe_group *)NULL)->name)
      pc_complain(name, "the name is too long: '%s'", pc_node_text(name).text);
  }
}

static double *make_places(pc_node node, double from, double to, int cells, double ratio)
{
  double *place = pc_allocate(node, cells, sizeof *place);
  if (!(from < to))
    pc_complain(node, "it goes from %g to %g m: the second must be larger", from, to);
  else if (place != NULL)
    pc_fe_grade(from, to, cells, ratio, place);
  for (int i = 0; i < cells && !pc_failed(node); i++)
    if (!(place[i] < place[i + 1]))
      pc_complain(node, "%d elements from %g to %g m are too small", cells, from, to);
  return place;
}

static double *read_listed_places(pc_node list, int *cells)
{
  int count = pc_read_list(list, "'places'");
  if (!pc_failed(list) && count < 2)
    pc_complain(list, "elements end at two places or more, not %d", count);
  double *place = pc_failed(list) ? NULL : pc_allocate(list, count, sizeof *place);
  for (int i = 0; i < count && !pc_failed(list); i++) {
    place[i] = pc_read_number(pc_item(list, i));
    if (!pc_failed(list) && i > 0 && !(place[i] > place[i - 1]))
      pc_complain(pc_item(list, i), "places increase: %g m comes after %g m", place[i],
                  place[i - 1]);
  }
  *cells = count - 1;
  return place;
}

static int count_cells(pc_node node, int axis, double length)
{
  double size[2];
  if (pc_read_vector(node, 2, 2, size) != 2 || pc_failed(node))
    return 1;
  double cells = fmax(1, round(length / size[axis]));
  if (cells <= 1e5)
    return (int)cells;
  pc_complain(node, "%g m are too small for a length of %g m", size[axis], length);
  return 1;
}

static const pc_key sides_keys[] = {{PC_KEY(pc_fe_rectangle, bottom), PC_A_NAME,
                                     .left_out = "no name", .meaning = "group of the bottom side"},
                                    {PC_KEY(pc_fe_rectangle, right), PC_A_NAME,
                                     .left_out = "no name", .meaning = "group of the right side"},
                                    {PC_KEY(pc_fe_rectangle, top), PC_A_NAME, .left_out = "no name",
                                     .meaning = "group of the top side"},
                                    {PC_KEY(pc_fe_rectangle, left), PC_A_NAME,
                                     .left_out = "no name", .meaning = "group of the left side"},
                                    {0}};
static const pc_mapping sides_table = {
    "continuum_sides", "the sides of a rectangle",
    "Names of the sides of a rectangle; several may have the same. A side without a name is free, "
    "and cannot be spoken of.",
    .keys = {sides_keys}};
typedef struct places_file {
  pc_node along[2];
} places_file;
static const pc_key places_keys[] = {
    {"x", PC_INTO(places_file, along[0]), PC_NUMBERS, .unit = "m", .count = {2, PC_MANY},
     .left_out = "from `x` and `cells`", .meaning = "column boundaries, increasing"},
    {"y", PC_INTO(places_file, along[1]), PC_NUMBERS, .unit = "m", .count = {2, PC_MANY},
     .left_out = "from `y` and `cells`", .meaning = "row boundaries, increasing"},
    {0}};
static const pc_mapping places_table = {
    "continuum_places", "'places' of a rectangle",
    "Where the columns and rows of a rectangle end, one by one.", .keys = {places_keys}};
typedef struct rectangle_file {
  pc_fe_rectangle r;
  pc_node range[2], size, places, sides;
  int cells[2]; // 0: not given
  double grade[2];
  bool triangles;
} rectangle_file;
#define GRADE_RANGE                                                                                \
  {                                                                                                \
    .kind = PC_BETWEEN, .low = 1e-4, .high = 1e4                                                   \
  }

static const pc_key rectangle_keys[] = {
    {"name", PC_INTO(rectangle_file, r.name), PC_A_NAME, true,
     .meaning = "group of its elements; a medium of this name describes them"},
    {"x", PC_INTO(rectangle_file, range[0]), PC_NUMBERS, .unit = "m", .count = {2, 2},
     .left_out = "needed without `places.x`", .meaning = "from and to"},
    {"y", PC_INTO(rectangle_file, range[1]), PC_NUMBERS, .unit = "m", .count = {2, 2},
     .left_out = "needed without `places.y`", .meaning = "from and to"},
    {PC_KEY(rectangle_file, cells), PC_INTEGERS, .count = {2, 2}, PC_FROM(1, 1e5),
     .left_out = "needed without `size` or `places`", .meaning = "columns and rows of elements"},
    {PC_KEY(rectangle_file, size), PC_NUMBERS, .unit = "m", .count = {2, 2}, PC_POSITIVE,
     .left_out = "from `cells`",
     .meaning = "approximate width and height of elements, instead of `cells`"},
    {PC_KEY(rectangle_file, grade), PC_NUMBERS, .count = {2, 2}, .range = GRADE_RANGE,
     .otherwise = "[1, 1]",
     .meaning = "size of the last element divided by that of the first, along x and y"},
    {PC_KEY(rectangle_file, places), PC_A_MAPPING, .mapping = &places_table, .otherwise = "{}",
     .meaning = "boundaries of columns and rows, instead of `x`, `y`, `cells`, `size` and `grade`"},
    {PC_KEY(rectangle_file, triangles), PC_A_BOOLEAN, .otherwise = "false",
     .meaning = "true: split each element into two triangles"},
    {PC_KEY(rectangle_file, sides), PC_A_MAPPING, .mapping = &sides_table, .otherwise = "{}",
     .meaning = "names of its sides"},
    {0}};
const pc_mapping pc_table_continuum_rectangle = {
    "continuum_rectangle", "a rectangle",
    "A rectangle of elements. Rectangles that touch are apart, as solids are before they collide, "
    "unless they are joined.",
    .keys = {rectangle_keys}};

// Where columns (axis 0) or rows end; NULL after a complaint. The caller frees them.
static double *read_places(pc_node node, const rectangle_file *file, pc_node list, int axis,
                           int *cells)
{
  static const char *const names[] = {"x", "y"};
  pc_node range = file->range[axis];
  double ends[2];
  if (pc_is_present(list)) {
    if (pc_is_present(range))
      pc_complain(range, "'%s' and '%s' of 'places' are the same thing: give one", names[axis],
                  names[axis]);
    return read_listed_places(list, cells);
  }
  if (!pc_is_present(range))
    pc_complain(node, "a rectangle needs the key '%s', or '%s' in 'places'", names[axis],
                names[axis]);
  if ((file->cells[0] > 0) == pc_is_present(file->size))
    pc_complain(node, "a rectangle needs the key 'cells', or 'size', or 'places'");
  pc_read_vector(range, 2, 2, ends);
  if (pc_failed(node))
    return NULL;
  *cells = pc_is_present(file->size) ? count_cells(file->size, axis, ends[1] - ends[0])
                                     : file->cells[axis];
  return pc_failed(node) ? NULL : make_places(range, ends[0], ends[1], *cells, file->grade[axis]);
}

void pc_continuum_read_rectangle(pc_node node, pc_fe_mesh *mesh, pc_mesh_circle *round)
{
  rectangle_file file = {.cells = {0}};
  pc_fe_rectangle *r = &file.r;
  places_file places = {0};
  if (!pc_bind(&node, &pc_table_continuum_rectangle, &file))
    return;
  pc_continuum_check_names(node);
  pc_bind(&file.places, &places_table, &places);
  if (pc_bind(&file.sides, &sides_table, r))
    pc_continuum_check_names(file.sides);
  r->type = file.triangles ? PC_TRIANGLE3 : PC_QUAD4;
  double *x = read_places(node, &file, places.along[0], 0, &r->columns);
  double *y = pc_failed(node) ? NULL : read_places(node, &file, places.along[1], 1, &r->rows);
  if (!pc_failed(node) && (double)r->columns * r->rows + mesh->body.count > MOST_CELLS)
    pc_complain(node, "%d x %d elements are too many: a mesh has at most %d", r->columns, r->rows,
                MOST_CELLS);
  if (!pc_failed(node) && x != NULL && y != NULL) {
    r->x = x;
    r->y = y;
    pc_fe_mesh_add_rectangle(mesh, r);
  }
  free(x);
  free(y);
}

typedef struct line_file {
  const char *name, *left, *right;
  double from, to, grade;
  int cells;
} line_file;
static const pc_key line_keys[] = {
    {PC_KEY(line_file, name), PC_A_NAME, true,
     .meaning = "group of its elements; a medium of this name describes them"},
    {PC_KEY(line_file, from), PC_A_NUMBER, true, .unit = "m", .meaning = "its left end"},
    {PC_KEY(line_file, to), PC_A_NUMBER, true, .unit = "m", .meaning = "its right end"},
    {PC_KEY(line_file, cells), PC_AN_INTEGER, true, PC_FROM(1, 1e6),
     .meaning = "number of elements"},
    {PC_KEY(line_file, grade), PC_A_NUMBER, .range = GRADE_RANGE, .otherwise = "1",
     .meaning = "size of the last element divided by that of the first"},
    {PC_KEY(line_file, left), PC_A_NAME, .left_out = "no name", .meaning = "group of the left end"},
    {PC_KEY(line_file, right), PC_A_NAME, .left_out = "no name",
     .meaning = "group of the right end"},
    {0}};
const pc_mapping pc_table_continuum_line = {
    "continuum_line", "a line",
    "A bar, or a column of fluid, in one dimension; all numbers are per square metre.",
    .keys = {line_keys}};

void pc_continuum_read_line(pc_node node, pc_fe_mesh *mesh, pc_mesh_circle *round)
{
  line_file file = {.left = NULL};
  if (!pc_bind(&node, &pc_table_continuum_line, &file))
    return;
  pc_continuum_check_names(node);
  double *place =
      make_places(PC_NODE(node, line_file, to), file.from, file.to, file.cells, file.grade);
  if (!pc_failed(node))
    pc_fe_mesh_add_line(mesh, file.cells, place, file.name, file.left, file.right);
  free(place);
}

typedef struct bar_file {
  pc_fe_bar bar;
  int cells[2];
  pc_node sides;
} bar_file;
static const pc_key bar_sides_keys[] = {
    {PC_KEY(pc_fe_bar, foot), PC_A_NAME, .left_out = "no name",
     .meaning = "group of the lower round end"},
    {PC_KEY(pc_fe_bar, head), PC_A_NAME, .left_out = "no name",
     .meaning = "group of the upper round end"},
    {PC_KEY(pc_fe_bar, left), PC_A_NAME, .left_out = "no name",
     .meaning = "group of the side to the left when going from foot to head"},
    {PC_KEY(pc_fe_bar, right), PC_A_NAME, .left_out = "no name",
     .meaning = "group of the side to the right"},
    {0}};
static const pc_mapping bar_sides_table = {"continuum_bar_sides", "the sides of a bar",
                                           "Names of the sides of a bar.",
                                           .keys = {bar_sides_keys}};
static const pc_key bar_keys[] = {
    {"name", PC_INTO(bar_file, bar.name), PC_A_NAME, true,
     .meaning = "group of its elements; a medium of this name describes them"},
    {"length", PC_INTO(bar_file, bar.length), PC_A_NUMBER, true, .unit = "m", PC_POSITIVE,
     .meaning = "overall length"},
    {"width", PC_INTO(bar_file, bar.width), PC_A_NUMBER, true, .unit = "m", PC_POSITIVE,
     .meaning = "width, less than the length; the ends have half of it as radius"},
    {"angle", PC_INTO(bar_file, bar.angle), PC_A_NUMBER, .unit = "degrees", .otherwise = "90",
     .meaning = "angle of its axis with x, from foot to head"},
    {"lowest", PC_INTO(bar_file, bar.lowest), PC_NUMBERS, .unit = "m", .count = {2, 2},
     .otherwise = "[0, 0]", .meaning = "lowest point of the circle of the foot"},
    {PC_KEY(bar_file, cells), PC_INTEGERS, true, .count = {2, 2}, PC_FROM(1, 1e5),
     .meaning =
         "number of elements along the straight part and across; the second is a multiple of 4"},
    {PC_KEY(bar_file, sides), PC_A_MAPPING, .mapping = &bar_sides_table, .otherwise = "{}",
     .meaning = "names of its sides"},
    {0}};
const pc_mapping pc_table_continuum_bar = {"continuum_bar", "a bar", "A bar with half-round ends.",
                                           .keys = {bar_keys}};

void pc_continuum_read_bar(pc_node node, pc_fe_mesh *mesh, pc_mesh_circle *round)
{
  bar_file file = {.cells = {1, 1}};
  pc_fe_bar *bar = &file.bar;
  if (!pc_bind(&node, &pc_table_continuum_bar, &file))
    return;
  pc_node cells = PC_NODE(node, bar_file, cells);
  bar->angle = bar->angle * PI / 180;
  bar->along = file.cells[0];
  bar->across = file.cells[1];
  pc_continuum_check_names(node);
  if (pc_bind(&file.sides, &bar_sides_table, bar))
    pc_continuum_check_names(file.sides);
  if (!pc_failed(node) && !(bar->width < bar->length))
    pc_complain(PC_NODE(node, bar_file, bar.width), "a bar of %g m is not as wide as %g m",
                bar->length, bar->width);
  if (!pc_failed(node) && bar->across % 4 != 0)
    pc_complain(cells, "%d elements across a bar are no multiple of 4", bar->across);
  if (!pc_failed(node) && (double)bar->along * bar->across + mesh->body.count > MOST_CELLS)
    pc_complain(cells, "%d x %d elements are too many: a mesh has at most %d", bar->along,
                bar->across, MOST_CELLS);
  if (pc_failed(node))
    return;
  pc_fe_mesh_add_bar(mesh, bar);
  pc_fe_bar_ends(bar, round[0].centre, round[1].centre);
  round[0].radius = round[1].radius = bar->width / 2;
}

typedef struct disc_file {
  pc_fe_disc disc;
  int cells[2];
} disc_file;
static const pc_key disc_keys[] = {
    {"name", PC_INTO(disc_file, disc.name), PC_A_NAME, true,
     .meaning = "group of its elements; a medium of this name describes them"},
    {"centre", PC_INTO(disc_file, disc.centre), PC_NUMBERS, .unit = "m", .count = {2, 2},
     .otherwise = "[0, 0]", .meaning = "centre"},
    {"radius", PC_INTO(disc_file, disc.radius), PC_A_NUMBER, true, .unit = "m", PC_POSITIVE,
     .meaning = "radius"},
    {PC_KEY(disc_file, cells), PC_INTEGERS, true, .count = {2, 2}, PC_FROM(1, 1e5),
     .meaning = "elements along a side of the inner square, and rings around it"},
    {"rim", PC_INTO(disc_file, disc.rim), PC_A_NAME, .left_out = "no name",
     .meaning = "group of its rim"},
    {0}};
const pc_mapping pc_table_continuum_disc = {"continuum_disc", "a disc", "A disc.",
                                            .keys = {disc_keys}};

void pc_continuum_read_disc(pc_node node, pc_fe_mesh *mesh, pc_mesh_circle *round)
{
  disc_file file = {.cells = {1, 1}};
  pc_fe_disc *disc = &file.disc;
  if (!pc_bind(&node, &pc_table_continuum_disc, &file))
    return;
  pc_continuum_check_names(node);
  disc->core = file.cells[0];
  disc->rings = file.cells[1];
  double count = (double)disc->core * (disc->core + 4. * disc->rings);
  if (!pc_failed(node) && count + mesh->body.count > MOST_CELLS)
    pc_complain(PC_NODE(node, disc_file, cells), "%g elements are too many: a mesh has at most %d",
                count, MOST_CELLS);
  if (pc_failed(node))
    return;
  pc_fe_mesh_add_disc(mesh, disc);
  memcpy(round->centre, disc->centre, sizeof round->centre);
  round->radius = disc->radius;
}
