// Shapes of the mesh of a `kind: continuum` file: rectangles, boxes, bars, discs and lines.
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
    pc_complain(node, "the range from %g to %g m is empty: the second number must be larger", from,
                to);
  else if (place != NULL)
    pc_fe_grade(from, to, cells, ratio, place);
  for (int i = 0; i < cells && !pc_failed(node); i++)
    if (!(place[i] < place[i + 1]))
      pc_complain(node, "%d elements from %g to %g m would be too small", cells, from, to);
  return place;
}

static double *read_listed_places(pc_node list, int *cells)
{
  int count = pc_read_list(list, "'places'");
  if (!pc_failed(list) && count < 2)
    pc_complain(list, "at least two boundaries are required (got %d)", count);
  double *place = pc_failed(list) ? NULL : pc_allocate(list, count, sizeof *place);
  for (int i = 0; i < count && !pc_failed(list); i++) {
    place[i] = pc_read_number(pc_item(list, i));
    if (!pc_failed(list) && i > 0 && !(place[i] > place[i - 1]))
      pc_complain(pc_item(list, i), "boundaries must increase: %g m comes after %g m", place[i],
                  place[i - 1]);
  }
  *cells = count - 1;
  return place;
}

// Elements of about a size along an axis.
static int count_cells(pc_node node, double size, double length)
{
  double cells = fmax(1, round(length / size));
  if (cells <= 1e5)
    return (int)cells;
  pc_complain(node, "an element size of %g m is too small for a length of %g m", size, length);
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
    "Names of the sides of a rectangle; several sides may share a name. A side without a name is "
    "free and cannot be referred to.",
    .keys = {sides_keys}};
// What a file says of the elements of a rectangle or a box along its axes.
typedef struct grid_file {
  const char *what; // "a rectangle"
  int axes;
  pc_node range[3], places;
  int cells[3]; // 0: not given
  double size[3], grade[3];
} grid_file;

typedef struct places_file {
  pc_node along[3];
} places_file;
static const pc_key places_keys[] = {
    {"x", PC_INTO(places_file, along[0]), PC_NUMBERS, .unit = "m", .count = {2, PC_MANY},
     .left_out = "from `x` and `cells`", .meaning = "column boundaries, increasing"},
    {"y", PC_INTO(places_file, along[1]), PC_NUMBERS, .unit = "m", .count = {2, PC_MANY},
     .left_out = "from `y` and `cells`", .meaning = "row boundaries, increasing"},
    {0}};
static const pc_key places_in_space_keys[] = {
    {"z", PC_INTO(places_file, along[2]), PC_NUMBERS, .unit = "m", .count = {2, PC_MANY},
     .left_out = "from `z` and `cells`", .meaning = "layer boundaries, increasing"},
    {0}};
static const pc_mapping places_table = {"continuum_places", "'places' of a rectangle",
                                        "Boundaries of the columns and rows of a rectangle.",
                                        .keys = {places_keys}};
static const pc_mapping box_places_table = {"continuum_box_places", "'places' of a box",
                                            "Boundaries of the columns, rows and layers of a box.",
                                            .keys = {places_keys, places_in_space_keys}};
#define GRADE_RANGE                                                                                \
  {                                                                                                \
    .kind = PC_BETWEEN, .low = 1e-4, .high = 1e4                                                   \
  }

// Where the elements along an axis end; NULL after a complaint. The caller frees them.
static double *read_places(pc_node node, const grid_file *file, pc_node list, int axis, int *cells)
{
  static const char *const names[] = {"x", "y", "z"};
  pc_node range = file->range[axis];
  double ends[2];
  if (pc_is_present(list)) {
    if (pc_is_present(range))
      pc_complain(range, "'%s' and '%s' of 'places' cannot be combined", names[axis], names[axis]);
    return read_listed_places(list, cells);
  }
  if (!pc_is_present(range))
    pc_complain(node, "%s needs the key '%s', or '%s' in 'places'", file->what, names[axis],
                names[axis]);
  if ((file->cells[0] > 0) == (file->size[0] > 0))
    pc_complain(node, "%s needs 'cells', 'size' or 'places'", file->what);
  pc_read_vector(range, 2, 2, ends);
  if (pc_failed(node))
    return NULL;
  *cells = file->size[0] > 0 ? count_cells(node, file->size[axis], ends[1] - ends[0])
                             : file->cells[axis];
  return pc_failed(node) ? NULL : make_places(range, ends[0], ends[1], *cells, file->grade[axis]);
}

// The places along all axes; false after a complaint. The caller frees them.
static bool read_grid(pc_node node, grid_file *file, const pc_mapping *table,
                      const pc_fe_mesh *mesh, double *place[3], int cells[3])
{
  places_file places = {0};
  pc_bind(&file->places, table, &places);
  double count = 1;
  for (int k = 0; k < file->axes; k++) {
    place[k] = pc_failed(node) ? NULL : read_places(node, file, places.along[k], k, &cells[k]);
    count *= cells[k];
  }
  if (!pc_failed(node) && count + mesh->body.count > MOST_CELLS)
    pc_complain(node, "%g elements are too many: a mesh can have at most %d", count, MOST_CELLS);
  return !pc_failed(node);
}

typedef struct rectangle_file {
  pc_fe_rectangle r;
  grid_file grid;
  pc_node sides;
  bool triangles;
} rectangle_file;
static const pc_key rectangle_keys[] = {
    {"name", PC_INTO(rectangle_file, r.name), PC_A_NAME, true,
     .meaning = "group of its elements; a medium of this name describes them"},
    {"x", PC_INTO(rectangle_file, grid.range[0]), PC_NUMBERS, .unit = "m", .count = {2, 2},
     .left_out = "required without `places.x`", .meaning = "extent: from, to"},
    {"y", PC_INTO(rectangle_file, grid.range[1]), PC_NUMBERS, .unit = "m", .count = {2, 2},
     .left_out = "required without `places.y`", .meaning = "extent: from, to"},
    {"cells", PC_INTO(rectangle_file, grid.cells), PC_INTEGERS, .count = {2, 2}, PC_FROM(1, 1e5),
     .left_out = "required without `size` or `places`", .meaning = "columns and rows of elements"},
    {"size", PC_INTO(rectangle_file, grid.size), PC_NUMBERS, .unit = "m", .count = {2, 2},
     PC_POSITIVE, .left_out = "from `cells`",
     .meaning = "approximate width and height of elements, instead of `cells`"},
    {"grade", PC_INTO(rectangle_file, grid.grade), PC_NUMBERS, .count = {2, 2},
     .range = GRADE_RANGE, .otherwise = "[1, 1]",
     .meaning = "size of the last element divided by that of the first, along x and y"},
    {"places", PC_INTO(rectangle_file, grid.places), PC_A_MAPPING, .mapping = &places_table,
     .otherwise = "{}",
     .meaning = "boundaries of columns and rows, instead of `x`, `y`, `cells`, `size` and `grade`"},
    {PC_KEY(rectangle_file, triangles), PC_A_BOOLEAN, .otherwise = "false",
     .meaning = "true: split each element into two triangles"},
    {PC_KEY(rectangle_file, sides), PC_A_MAPPING, .mapping = &sides_table, .otherwise = "{}",
     .meaning = "names of its sides"},
    {0}};
const pc_mapping pc_table_continuum_rectangle = {
    "continuum_rectangle", "a rectangle",
    "A rectangle of elements. Rectangles that touch are separate solids that can collide, unless "
    "they are joined.",
    .keys = {rectangle_keys}};

void pc_continuum_read_rectangle(pc_node node, pc_fe_mesh *mesh, pc_mesh_circle *round)
{
  rectangle_file file = {.grid = {.what = "a rectangle", .axes = 2}};
  pc_fe_rectangle *r = &file.r;
  if (!pc_bind(&node, &pc_table_continuum_rectangle, &file))
    return;
  pc_continuum_check_names(node);
  if (pc_bind(&file.sides, &sides_table, r))
    pc_continuum_check_names(file.sides);
  r->type = file.triangles ? PC_TRIANGLE3 : PC_QUAD4;
  double *place[3] = {0};
  int cells[3] = {1, 1, 1};
  if (read_grid(node, &file.grid, &places_table, mesh, place, cells)) {
    r->columns = cells[0], r->rows = cells[1];
    r->x = place[0], r->y = place[1];
    pc_fe_mesh_add_rectangle(mesh, r);
  }
  free(place[0]);
  free(place[1]);
}

typedef struct box_file {
  pc_fe_box box;
  grid_file grid;
  pc_node sides;
  bool tetrahedra;
} box_file;
static const pc_key box_sides_keys[] = {
    {"left", PC_INTO(pc_fe_box, low[0]), PC_A_NAME, .left_out = "no name",
     .meaning = "group of the side at the low end of x"},
    {"right", PC_INTO(pc_fe_box, high[0]), PC_A_NAME, .left_out = "no name",
     .meaning = "group of the side at the high end of x"},
    {"front", PC_INTO(pc_fe_box, low[1]), PC_A_NAME, .left_out = "no name",
     .meaning = "group of the side at the low end of y"},
    {"back", PC_INTO(pc_fe_box, high[1]), PC_A_NAME, .left_out = "no name",
     .meaning = "group of the side at the high end of y"},
    {"bottom", PC_INTO(pc_fe_box, low[2]), PC_A_NAME, .left_out = "no name",
     .meaning = "group of the side at the low end of z"},
    {"top", PC_INTO(pc_fe_box, high[2]), PC_A_NAME, .left_out = "no name",
     .meaning = "group of the side at the high end of z"},
    {0}};
static const pc_mapping box_sides_table = {
    "continuum_box_sides", "the sides of a box",
    "Names of the sides of a box; several sides may share a name. A side without a name is free "
    "and cannot be referred to.",
    .keys = {box_sides_keys}};
static const pc_key box_keys[] = {
    {"name", PC_INTO(box_file, box.name), PC_A_NAME, true,
     .meaning = "group of its elements; a medium of this name describes them"},
    {"x", PC_INTO(box_file, grid.range[0]), PC_NUMBERS, .unit = "m", .count = {2, 2},
     .left_out = "required without `places.x`", .meaning = "extent: from, to"},
    {"y", PC_INTO(box_file, grid.range[1]), PC_NUMBERS, .unit = "m", .count = {2, 2},
     .left_out = "required without `places.y`", .meaning = "extent: from, to"},
    {"z", PC_INTO(box_file, grid.range[2]), PC_NUMBERS, .unit = "m", .count = {2, 2},
     .left_out = "required without `places.z`", .meaning = "extent: from, to"},
    {"cells", PC_INTO(box_file, grid.cells), PC_INTEGERS, .count = {3, 3}, PC_FROM(1, 1e5),
     .left_out = "required without `size` or `places`", .meaning = "elements along x, y and z"},
    {"size", PC_INTO(box_file, grid.size), PC_NUMBERS, .unit = "m", .count = {3, 3}, PC_POSITIVE,
     .left_out = "from `cells`",
     .meaning = "approximate size of elements along x, y and z, instead of `cells`"},
    {"grade", PC_INTO(box_file, grid.grade), PC_NUMBERS, .count = {3, 3}, .range = GRADE_RANGE,
     .otherwise = "[1, 1, 1]",
     .meaning = "size of the last element divided by that of the first, along x, y and z"},
    {"places", PC_INTO(box_file, grid.places), PC_A_MAPPING, .mapping = &box_places_table,
     .otherwise = "{}", .meaning = "boundaries of the elements along the axes"},
    {PC_KEY(box_file, tetrahedra), PC_A_BOOLEAN, .otherwise = "false",
     .meaning = "true: split each element into six tetrahedra"},
    {PC_KEY(box_file, sides), PC_A_MAPPING, .mapping = &box_sides_table, .otherwise = "{}",
     .meaning = "names of its sides"},
    {0}};
const pc_mapping pc_table_continuum_box = {
    "continuum_box", "a box",
    "A box of elements in space. Boxes that touch are separate solids, unless they are joined.",
    .keys = {box_keys}};

void pc_continuum_read_box(pc_node node, pc_fe_mesh *mesh, pc_mesh_circle *round)
{
  box_file file = {.grid = {.what = "a box", .axes = 3}};
  pc_fe_box *box = &file.box;
  if (!pc_bind(&node, &pc_table_continuum_box, &file))
    return;
  pc_continuum_check_names(node);
  if (pc_bind(&file.sides, &box_sides_table, box))
    pc_continuum_check_names(file.sides);
  box->type = file.tetrahedra ? PC_TETRAHEDRON4 : PC_HEXAHEDRON8;
  double *place[3] = {0};
  for (int k = 0; k < 3; k++)
    box->cells[k] = 1;
  if (read_grid(node, &file.grid, &box_places_table, mesh, place, box->cells)) {
    for (int k = 0; k < 3; k++)
      box->place[k] = place[k];
    pc_fe_mesh_add_box(mesh, box);
  }
  for (int k = 0; k < 3; k++)
    free(place[k]);
}

typedef struct line_file {
  const char *name, *left, *right;
  double from, to, grade;
  int cells;
} line_file;
static const pc_key line_keys[] = {
    {PC_KEY(line_file, name), PC_A_NAME, true,
     .meaning = "group of its elements; a medium of this name describes them"},
    {PC_KEY(line_file, from), PC_A_NUMBER, true, .unit = "m",
     .meaning = "coordinate of the left end"},
    {PC_KEY(line_file, to), PC_A_NUMBER, true, .unit = "m",
     .meaning = "coordinate of the right end"},
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
    "A bar, or a column of fluid, in one dimension; all quantities are per square metre.",
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
     .meaning = "width, less than the length; the radius of the ends is half the width"},
    {"angle", PC_INTO(bar_file, bar.angle), PC_A_NUMBER, .unit = "degrees", .otherwise = "90",
     .meaning = "angle of its axis with x, from foot to head"},
    {"lowest", PC_INTO(bar_file, bar.lowest), PC_NUMBERS, .unit = "m", .count = {2, 2},
     .otherwise = "[0, 0]", .meaning = "lowest point of the circle of the foot"},
    {PC_KEY(bar_file, cells), PC_INTEGERS, true, .count = {2, 2}, PC_FROM(1, 1e5),
     .meaning = "number of elements along the straight part and across; the second must be a "
                "multiple of 4"},
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
    pc_complain(PC_NODE(node, bar_file, bar.width),
                "the width of %g m must be less than the length of %g m", bar->width, bar->length);
  if (!pc_failed(node) && bar->across % 4 != 0)
    pc_complain(cells, "the number of elements across a bar must be a multiple of 4 (got %d)",
                bar->across);
  if (!pc_failed(node) && (double)bar->along * bar->across + mesh->body.count > MOST_CELLS)
    pc_complain(cells, "%d x %d elements are too many: a mesh can have at most %d", bar->along,
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
    pc_complain(PC_NODE(node, disc_file, cells),
                "%g elements are too many: a mesh can have at most %d", count, MOST_CELLS);
  if (pc_failed(node))
    return;
  pc_fe_mesh_add_disc(mesh, disc);
  memcpy(round->centre, disc->centre, sizeof round->centre);
  round->radius = disc->radius;
}
