// The mesh of a `kind: continuum` file: shapes, lines or a file of Gmsh, joined and named.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "continuum/gmsh.h"
#include "continuum/mesh_shapes.h"
#include "scene/continuum_file.h"
#include "scene/paths.h"
#include "scene/tables.h"

#ifdef PERCUSS_FUZZ
enum { MOST_CELLS = 100000 }; // numbers that are made up are large
#else
enum { MOST_CELLS = 4000000 };
#endif
static const double PI = 3.14159265358979323846;

// --- groups by their names ----------------------------------------------------------------------

static bool group_is_used(const pc_fe_mesh *mesh, int group)
{
  const pc_fe_cells *cells =
      mesh->group[group].dimension == mesh->dimension ? &mesh->body : &mesh->side;
  for (int i = 0; i < cells->count; i++)
    if (cells->cell[i].group == group)
      return true;
  return false;
}

bool pc_continuum_has_group(const pc_fe_mesh *mesh, int dimension, const char *name)
{
  int group = pc_fe_mesh_find_group(mesh, name, dimension);
  return group >= 0 && group_is_used(mesh, group);
}

int pc_continuum_find_group(const pc_fe_mesh *mesh, int dimension, pc_node name)
{
  const char *text = pc_read_name(name);
  if (pc_failed(name))
    return -1;
  int group = pc_fe_mesh_find_group(mesh, text, dimension);
  if (group >= 0 && group_is_used(mesh, group))
    return group;
  char known[200] = "";
  for (int i = 0; i < mesh->groups; i++) {
    if (mesh->group[i].dimension != dimension || !group_is_used(mesh, i))
      continue;
    size_t length = strlen(known);
    pc_text shown = pc_text_path(mesh->group[i].name);
    bool fits = length + strlen(shown.text) + sizeof ", , ..." <= sizeof known;
    snprintf(known + length, sizeof known - length, "%s%s", length > 0 ? ", " : "",
             fits ? shown.text : "...");
    if (!fits)
      break;
  }
  pc_complain(name, "no %s are called '%s' (there are: %s)",
              dimension == mesh->dimension ? "elements" : "sides", pc_node_text(name).text,
              *known ? known : "none with a name");
  return -1;
}

// A name for a group; NULL: there is none.
static const char *read_group_name(pc_node node)
{
  if (!pc_is_present(node))
    return NULL;
  const char *name = pc_read_name(node);
  if (!pc_failed(node) && strlen(name) >= sizeof((pc_fe_group *)NULL)->name)
    pc_complain(node, "the name is too long: '%s'", pc_node_text(node).text);
  return pc_failed(node) ? NULL : name;
}

// --- rectangles and lines -----------------------------------------------------------------------

static double *make_places(pc_node node, double from, double to, int cells, double ratio)
{
  double *place = malloc(((size_t)cells + 1) * sizeof *place);
  if (place == NULL)
    pc_complain(node, "out of memory");
  else if (!(from < to))
    pc_complain(node, "it goes from %g to %g m: the second must be larger", from, to);
  else
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
  double *place = pc_failed(list) ? NULL : malloc((size_t)count * sizeof *place);
  for (int i = 0; place != NULL && i < count && !pc_failed(list); i++) {
    place[i] = pc_read_number(pc_item(list, i));
    if (!pc_failed(list) && i > 0 && !(place[i] > place[i - 1]))
      pc_complain(pc_item(list, i), "places increase: %g m comes after %g m", place[i],
                  place[i - 1]);
  }
  *cells = count - 1;
  return place;
}

static int read_cells(pc_node count, int axis)
{
  if (pc_read_list(count, "'cells'") != 2)
    pc_complain(count, "'cells' are two numbers: columns and rows");
  return pc_read_integer(pc_item(count, axis));
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

// Where columns (axis 0) or rows end; NULL after a complaint. The caller frees them.
static double *read_places(pc_node node, pc_node places, int axis, int *cells)
{
  static const char *const names[] = {"x", "y"};
  pc_node range = pc_get(node, names[axis]), count = pc_get(node, "cells");
  pc_node size = pc_get(node, "size");
  pc_node list = pc_is_present(places) ? pc_get(places, names[axis]) : places;
  double ends[2], ratio[2] = {1, 1};
  if (pc_is_present(list)) {
    if (pc_is_present(range))
      pc_complain(range, "'%s' and '%s' of 'places' are the same thing: give one", names[axis],
                  names[axis]);
    return read_listed_places(list, cells);
  }
  if (!pc_is_present(range))
    pc_complain(node, "a rectangle needs the key '%s', or '%s' in 'places'", names[axis],
                names[axis]);
  if (pc_is_present(count) == pc_is_present(size))
    pc_complain(node, "a rectangle needs the key 'cells', or 'size', or 'places'");
  if (pc_is_present(pc_get(node, "grade")))
    pc_read_vector(pc_get(node, "grade"), 2, 2, ratio);
  pc_read_vector(range, 2, 2, ends);
  if (pc_failed(node))
    return NULL;
  *cells =
      pc_is_present(size) ? count_cells(size, axis, ends[1] - ends[0]) : read_cells(count, axis);
  return pc_failed(node) ? NULL : make_places(range, ends[0], ends[1], *cells, ratio[axis]);
}

static void read_rectangle(pc_node node, pc_fe_mesh *mesh)
{
  if (!pc_read_keys(&node, &pc_table_continuum_rectangle))
    return;
  pc_node places = pc_get(node, "places"), sides = pc_get(node, "sides");
  if (pc_is_present(places))
    pc_read_keys(&places, &pc_table_continuum_places);
  pc_fe_rectangle r = {.name = read_group_name(pc_get(node, "name"))};
  r.type = pc_read_boolean_or(pc_get(node, "triangles"), false) ? PC_TRIANGLE3 : PC_QUAD4;
  double *x = read_places(node, places, 0, &r.columns);
  double *y = pc_failed(node) ? NULL : read_places(node, places, 1, &r.rows);
  if (pc_is_present(sides) && pc_read_keys(&sides, &pc_table_continuum_sides)) {
    r.bottom = read_group_name(pc_get(sides, "bottom"));
    r.right = read_group_name(pc_get(sides, "right"));
    r.top = read_group_name(pc_get(sides, "top"));
    r.left = read_group_name(pc_get(sides, "left"));
  }
  if (!pc_failed(node) && (double)r.columns * r.rows + mesh->body.count > MOST_CELLS)
    pc_complain(node, "%d x %d elements are too many: a mesh has at most %d", r.columns, r.rows,
                MOST_CELLS);
  if (!pc_failed(node) && x != NULL && y != NULL) {
    r.x = x;
    r.y = y;
    pc_fe_mesh_add_rectangle(mesh, &r);
  }
  free(x);
  free(y);
}

static void read_line(pc_node node, pc_fe_mesh *mesh)
{
  if (!pc_read_keys(&node, &pc_table_continuum_line))
    return;
  pc_node to = pc_get(node, "to");
  const char *name = read_group_name(pc_get(node, "name"));
  const char *left = read_group_name(pc_get(node, "left"));
  const char *right = read_group_name(pc_get(node, "right"));
  double start = pc_read_number(pc_get(node, "from")), end = pc_read_number(to);
  double ratio = pc_read_number_or(pc_get(node, "grade"), 1);
  int cells = pc_read_integer(pc_get(node, "cells"));
  if (pc_failed(node))
    return;
  double *place = make_places(to, start, end, cells, ratio);
  if (!pc_failed(node))
    pc_fe_mesh_add_line(mesh, cells, place, name, left, right);
  free(place);
}

// Sides of these were made on chords: what makes them round when the elements are quadratic.
typedef struct circle {
  double centre[2], radius;
} circle;

static void read_bar(pc_node node, pc_fe_mesh *mesh, circle *round)
{
  if (!pc_read_keys(&node, &pc_table_continuum_bar))
    return;
  pc_node sides = pc_get(node, "sides"), lowest = pc_get(node, "lowest");
  pc_node width = pc_get(node, "width"), cells = pc_get(node, "cells");
  pc_fe_bar bar = {.name = read_group_name(pc_get(node, "name")),
                   .length = pc_read_number(pc_get(node, "length")),
                   .width = pc_read_number(width),
                   .angle = pc_read_number_or(pc_get(node, "angle"), 90) * PI / 180,
                   .along = read_cells(cells, 0),
                   .across = read_cells(cells, 1)};
  if (pc_is_present(lowest))
    pc_read_vector(lowest, 2, 2, bar.lowest);
  if (pc_is_present(sides) && pc_read_keys(&sides, &pc_table_continuum_bar_sides)) {
    bar.foot = read_group_name(pc_get(sides, "foot"));
    bar.head = read_group_name(pc_get(sides, "head"));
    bar.left = read_group_name(pc_get(sides, "left"));
    bar.right = read_group_name(pc_get(sides, "right"));
  }
  if (!pc_failed(node) && !(bar.width < bar.length))
    pc_complain(width, "a bar of %g m is not as wide as %g m", bar.length, bar.width);
  if (!pc_failed(node) && bar.across % 4 != 0)
    pc_complain(cells, "%d elements across a bar are no multiple of 4", bar.across);
  if (!pc_failed(node) && (double)bar.along * bar.across + mesh->body.count > MOST_CELLS)
    pc_complain(cells, "%d x %d elements are too many: a mesh has at most %d", bar.along,
                bar.across, MOST_CELLS);
  if (pc_failed(node))
    return;
  pc_fe_mesh_add_bar(mesh, &bar);
  pc_fe_bar_ends(&bar, round[0].centre, round[1].centre);
  round[0].radius = round[1].radius = bar.width / 2;
}

static void read_disc(pc_node node, pc_fe_mesh *mesh, circle *round)
{
  if (!pc_read_keys(&node, &pc_table_continuum_disc))
    return;
  pc_node centre = pc_get(node, "centre"), cells = pc_get(node, "cells");
  pc_fe_disc disc = {.name = read_group_name(pc_get(node, "name")),
                     .rim = read_group_name(pc_get(node, "rim")),
                     .radius = pc_read_number(pc_get(node, "radius")),
                     .core = read_cells(cells, 0),
                     .rings = read_cells(cells, 1)};
  if (pc_is_present(centre))
    pc_read_vector(centre, 2, 2, disc.centre);
  double count = (double)disc.core * (disc.core + 4. * disc.rings);
  if (!pc_failed(node) && count + mesh->body.count > MOST_CELLS)
    pc_complain(cells, "%g elements are too many: a mesh has at most %d", count, MOST_CELLS);
  if (pc_failed(node))
    return;
  pc_fe_mesh_add_disc(mesh, &disc);
  memcpy(round->centre, disc.centre, sizeof round->centre);
  round->radius = disc.radius;
}

// --- names of sides -----------------------------------------------------------------------------

typedef struct box {
  double low[2], high[2];
} box;

static box read_box(pc_node node)
{
  static const char *const names[] = {"x", "y"};
  box b = {{-INFINITY, -INFINITY}, {INFINITY, INFINITY}};
  for (int k = 0; k < 2; k++) {
    pc_node range = pc_get(node, names[k]);
    double ends[2];
    if (!pc_is_present(range) || pc_read_vector(range, 2, 2, ends) != 2)
      continue;
    if (ends[0] > ends[1])
      pc_complain(range, "it goes from %g to %g m: the second must not be smaller", ends[0],
                  ends[1]);
    b.low[k] = ends[0];
    b.high[k] = ends[1];
  }
  return b;
}

// How far a place is outside a box; negative inside.
static double outside(const box *b, const double place[2])
{
  double most = -INFINITY;
  for (int k = 0; k < 2; k++)
    most = fmax(most, fmax(b->low[k] - place[k], place[k] - b->high[k]));
  return most;
}

static void read_part(pc_node node, pc_fe_mesh *mesh)
{
  if (!pc_read_keys(&node, &pc_table_continuum_part))
    return;
  pc_node of = pc_get(node, "of"), new_name = pc_get(node, "name");
  const char *name = read_group_name(new_name);
  int group = pc_continuum_find_group(mesh, mesh->dimension - 1, of), found = 0;
  box b = read_box(node), around = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
  if (pc_failed(node))
    return;
  int part = pc_fe_mesh_add_group(mesh, name, mesh->dimension - 1);
  double tolerance = 1e-9 * pc_fe_mesh_size(mesh);
  for (int i = 0; i < mesh->side.count && !pc_failed(node); i++) {
    pc_fe_cell *side = &mesh->side.cell[i];
    if (side->group != group)
      continue;
    double corner[PC_ELEMENT_NODES_MAX][2], least = INFINITY, most = -INFINITY;
    int nodes = pc_fe_mesh_corners(mesh, &mesh->side, i, corner);
    for (int n = 0; n < nodes; n++) {
      least = fmin(least, outside(&b, corner[n]));
      most = fmax(most, outside(&b, corner[n]));
      for (int k = 0; k < 2; k++) {
        around.low[k] = fmin(around.low[k], corner[n][k]);
        around.high[k] = fmax(around.high[k], corner[n][k]);
      }
    }
    if (least < -tolerance && most > tolerance)
      pc_complain(node,
                  "'%s' ends within a side of '%s', from (%g, %g) to (%g, %g): a node must be "
                  "where it ends",
                  pc_node_text(new_name).text, pc_node_text(of).text, corner[0][0], corner[0][1],
                  corner[nodes > 1][0], corner[nodes > 1][1]);
    if (most <= tolerance) {
      side->group = part;
      found++;
    }
  }
  if (!pc_failed(node) && found == 0)
    pc_complain(
        node, "no side of '%s' lies there: they go from %g to %g m in x and from %g to %g m in y",
        pc_node_text(of).text, around.low[0], around.high[0], around.low[1], around.high[1]);
  for (int k = 0; k < 2 && !pc_failed(node); k++) {
    bool below = isfinite(b.low[k]) && b.low[k] < around.low[k] - tolerance;
    bool above = isfinite(b.high[k]) && b.high[k] > around.high[k] + tolerance;
    if (around.high[k] > around.low[k] + tolerance && (below || above))
      pc_complain(node, "'%s' reaches from %g to %g m in %c, '%s' only from %g to %g m",
                  pc_node_text(new_name).text, b.low[k], b.high[k], "xy"[k], pc_node_text(of).text,
                  around.low[k], around.high[k]);
  }
}

static void read_join(pc_node node, pc_fe_mesh *mesh)
{
  if (!pc_read_keys(&node, &pc_table_continuum_join))
    return;
  pc_node sides = pc_get(node, "sides"), with = pc_get(node, "with");
  pc_error reason = {.status = PC_OK};
  int first = pc_continuum_find_group(mesh, mesh->dimension - 1, sides);
  int second = pc_continuum_find_group(mesh, mesh->dimension - 1, with);
  if (!pc_failed(node) && first == second)
    pc_complain(with, "'%s' cannot be joined with itself", pc_node_text(with).text);
  if (!pc_failed(node) &&
      pc_fe_mesh_join(mesh, pc_read_string(sides), pc_read_string(with), &reason) != PC_OK)
    pc_complain(node, "%s", reason.text);
}

// --- the section --------------------------------------------------------------------------------

// Lists of shapes of the plane; what is round of them.
typedef struct rounds {
  int count;
  circle *circle;
} rounds;

static void read_list(pc_node node, const char *key, pc_fe_mesh *mesh, rounds *round)
{
  pc_node list = pc_get(node, key);
  int count = pc_is_present(list) ? pc_read_list(list, key) : 0;
  pc_error reason = {.status = PC_OK};
  if (!pc_failed(node) && pc_is_present(list) && count == 0)
    pc_complain(list, "the mesh is empty");
  circle *more = realloc(round->circle, (size_t)(round->count + 2 * count + 1) * sizeof *more);
  if (more == NULL)
    pc_complain(node, "out of memory");
  else
    round->circle = more;
  for (int i = 0; i < count && !pc_failed(node); i++) {
    pc_node item = pc_item(list, i);
    if (*key == 'l') {
      read_line(item, mesh);
    } else if (*key == 'r') {
      read_rectangle(item, mesh);
    } else if (*key == 'b') {
      read_bar(item, mesh, round->circle + round->count);
      round->count += 2;
    } else {
      read_disc(item, mesh, round->circle + round->count);
      round->count += 1;
    }
    if (!pc_failed(node) && pc_fe_mesh_done(mesh, &reason) != PC_OK)
      pc_complain(item, "%s", reason.text);
  }
}

static void read_elements(pc_node node, pc_fe_mesh *mesh, rounds *round)
{
  static const char *const plane[] = {"rectangles", "bars", "discs"};
  pc_node lines = pc_get(node, "lines"), file = pc_get(node, "file");
  bool shapes = false;
  for (int i = 0; i < 3; i++)
    shapes = shapes || pc_is_present(pc_get(node, plane[i]));
  if (shapes + pc_is_present(lines) + pc_is_present(file) != 1) {
    pc_complain(node, "a mesh is given by 'rectangles', 'bars' and 'discs', or by 'lines', or by a "
                      "'file'");
    return;
  }
  pc_error reason = {.status = PC_OK};
  char path[1024];
  if (pc_is_present(file)) {
    if (pc_scene_find_file(file, path, sizeof path) &&
        pc_fe_mesh_read_gmsh(mesh, path, &reason) != PC_OK)
      pc_complain(file, "%s", reason.text);
    return;
  }
  *mesh = pc_fe_mesh_empty(shapes ? 2 : 1);
  if (!shapes)
    read_list(node, "lines", mesh, round);
  for (int i = 0; i < 3 && shapes && !pc_failed(node); i++)
    read_list(node, plane[i], mesh, round);
}

static void raise_order(pc_node node, pc_fe_mesh *mesh, const rounds *round)
{
  pc_node order = pc_get(node, "order");
  int wanted = pc_is_present(order) ? pc_read_integer(order) : 2;
  bool linear = false;
  pc_error reason = {.status = PC_OK};
  for (int i = 0; i < mesh->body.count && !pc_failed(node); i++)
    linear = linear || pc_element_of(mesh->body.cell[i].type)->order == 1;
  if (!pc_failed(node) && wanted == 2 && linear &&
      pc_fe_mesh_quadratic(mesh, true, &reason) != PC_OK)
    pc_complain(node, "%s", reason.text);
  for (int i = 0; i < round->count && !pc_failed(node); i++)
    pc_fe_mesh_round(mesh, round->circle[i].centre, round->circle[i].radius);
}

void pc_continuum_read_mesh(pc_node node, pc_fe_mesh *mesh)
{
  if (!pc_read_keys(&node, &pc_table_continuum_mesh))
    return;
  rounds round = {0};
  read_elements(node, mesh, &round);
  pc_node join = pc_get(node, "join"), parts = pc_get(node, "parts");
  int joins = pc_is_present(join) ? pc_read_list(join, "'join'") : 0;
  int part_count = pc_is_present(parts) ? pc_read_list(parts, "'parts'") : 0;
  for (int i = 0; i < joins && !pc_failed(node); i++)
    read_join(pc_item(join, i), mesh);
  for (int i = 0; i < part_count && !pc_failed(node); i++)
    read_part(pc_item(parts, i), mesh);
  raise_order(node, mesh, &round);
  free(round.circle);
  pc_error reason = {.status = PC_OK};
  if (!pc_failed(node) &&
      (pc_fe_mesh_done(mesh, &reason) != PC_OK || pc_fe_mesh_check(mesh, &reason) != PC_OK ||
       pc_fe_mesh_check_conforming(mesh, &reason) != PC_OK))
    pc_complain(node, "%s", reason.text);
}
