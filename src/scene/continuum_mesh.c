// The mesh of a `kind: continuum` file: shapes or a file of Gmsh, joined and named.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "continuum/gmsh.h"
#include "continuum/mesh_shapes.h"
#include "scene/continuum_file.h"
#include "scene/paths.h"

void *pc_continuum_take(pc_continuum *to, pc_node node, int count, size_t size)
{
  void *room = pc_arena_take(&to->memory, (size_t)count + 1, size);
  if (room == NULL)
    pc_complain(node, "out of memory");
  return room;
}

const char *pc_continuum_copy_name(pc_continuum *to, pc_node node)
{
  const char *name = pc_read_name(node);
  char *copy = pc_failed(node) ? NULL : pc_continuum_take(to, node, (int)strlen(name) + 1, 1);
  return copy != NULL ? strcpy(copy, name) : NULL;
}

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
  pc_complain(name, "no %s are named '%s' (known: %s)",
              dimension == mesh->dimension ? "elements" : "sides", pc_node_text(name).text,
              *known ? known : "none");
  return -1;
}

void pc_continuum_check_components(const pc_fe_mesh *mesh, pc_node node)
{
  int count = pc_is_sequence(node) ? pc_read_list(node, "a vector") : 0,
      dimension = mesh->dimension;
  if (!pc_failed(node) && pc_is_sequence(node) && count != dimension)
    pc_complain(node, "got %d number%s, but the mesh has %d dimension%s", count,
                count == 1 ? "" : "s", dimension, dimension == 1 ? "" : "s");
}

typedef struct box {
  double low[3], high[3];
} box;

static void check_range(pc_node node, const double ends[2])
{
  if (!pc_failed(node) && ends[0] > ends[1])
    pc_complain(node, "the range from %g to %g m is empty: the second number must not be smaller",
                ends[0], ends[1]);
}

// How far a place is outside a box; negative inside.
static double outside(const box *b, const double place[3])
{
  double most = -INFINITY;
  for (int k = 0; k < 3; k++)
    most = fmax(most, fmax(b->low[k] - place[k], place[k] - b->high[k]));
  return most;
}

typedef struct part_file {
  pc_node of;
  const char *name;
  double range[3][2];
} part_file;
static const pc_key part_keys[] = {
    {PC_KEY(part_file, of), PC_A_NAME, true, .meaning = "a group of sides"},
    {PC_KEY(part_file, name), PC_A_NAME, true, .meaning = "new group of these sides"},
    {"x", PC_INTO(part_file, range[0]), PC_NUMBERS, .unit = "m", .count = {2, 2},
     .left_out = "anywhere", .meaning = "range of x; nodes must lie at both ends"},
    {"y", PC_INTO(part_file, range[1]), PC_NUMBERS, .unit = "m", .count = {2, 2},
     .left_out = "anywhere", .meaning = "range of y; nodes must lie at both ends"},
    {"z", PC_INTO(part_file, range[2]), PC_NUMBERS, .unit = "m", .count = {2, 2},
     .left_out = "anywhere", .meaning = "range of z, in space; nodes must lie at both ends"},
    {0}};
static const pc_mapping part_table = {
    "continuum_part", "an entry of 'parts'",
    "Moves the sides of a group that lie in a box to a new group.", .keys = {part_keys}};

static void read_part(pc_node node, pc_fe_mesh *mesh)
{
  part_file file = {.range = {{-INFINITY, INFINITY}, {-INFINITY, INFINITY}, {-INFINITY, INFINITY}}};
  if (!pc_bind(&node, &part_table, &file))
    return;
  pc_continuum_check_names(node);
  pc_node of = file.of, new_name = PC_NODE(node, part_file, name);
  int group = pc_continuum_find_group(mesh, mesh->dimension - 1, of), found = 0;
  box b, around = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  for (int k = 0; k < 3; k++) {
    check_range(PC_NODE(node, part_file, range[k]), file.range[k]);
    b.low[k] = file.range[k][0];
    b.high[k] = file.range[k][1];
  }
  if (pc_failed(node))
    return;
  int part = pc_fe_mesh_add_group(mesh, file.name, mesh->dimension - 1);
  double tolerance = 1e-9 * pc_fe_mesh_size(mesh);
  for (int i = 0; i < mesh->side.count && !pc_failed(node); i++) {
    pc_fe_cell *side = &mesh->side.cell[i];
    if (side->group != group)
      continue;
    double corner[PC_ELEMENT_NODES_MAX][3], least = INFINITY, most = -INFINITY;
    int nodes = pc_fe_mesh_corners(mesh, &mesh->side, i, corner);
    for (int n = 0; n < nodes; n++) {
      least = fmin(least, outside(&b, corner[n]));
      most = fmax(most, outside(&b, corner[n]));
      for (int k = 0; k < 3; k++) {
        around.low[k] = fmin(around.low[k], corner[n][k]);
        around.high[k] = fmax(around.high[k], corner[n][k]);
      }
    }
    if (least < -tolerance && most > tolerance)
      pc_complain(node, "'%s' ends inside a side of '%s', from %s to %s; its ends must be at nodes",
                  pc_node_text(new_name).text, pc_node_text(of).text,
                  pc_fe_place_text(mesh, corner[0]).text,
                  pc_fe_place_text(mesh, corner[nodes > 3 ? 2 : nodes > 1]).text);
    if (most <= tolerance) {
      side->group = part;
      found++;
    }
  }
  if (!pc_failed(node) && found == 0)
    pc_complain(node, "no side of '%s' lies in this range; they extend from %s to %s m",
                pc_node_text(of).text, pc_fe_place_text(mesh, around.low).text,
                pc_fe_place_text(mesh, around.high).text);
  for (int k = 0; k < 3 && !pc_failed(node); k++) {
    bool below = isfinite(b.low[k]) && b.low[k] < around.low[k] - tolerance;
    bool above = isfinite(b.high[k]) && b.high[k] > around.high[k] + tolerance;
    if (around.high[k] > around.low[k] + tolerance && (below || above))
      pc_complain(node, "'%s' reaches from %g to %g m in %c, '%s' only from %g to %g m",
                  pc_node_text(new_name).text, b.low[k], b.high[k], "xyz"[k], pc_node_text(of).text,
                  around.low[k], around.high[k]);
  }
}

typedef struct join_file {
  pc_node sides, with;
} join_file;
static const pc_key join_keys[] = {
    {PC_KEY(join_file, sides), PC_A_NAME, true, .meaning = "a group of sides"},
    {PC_KEY(join_file, with), PC_A_NAME, true,
     .meaning = "another group with nodes at the same positions"},
    {0}};
static const pc_mapping join_table = {
    "continuum_join", "an entry of 'join'",
    "Joins two groups of sides: nothing slides or opens there. Both names disappear.",
    .keys = {join_keys}};

static void read_join(pc_node node, pc_fe_mesh *mesh)
{
  join_file file;
  if (!pc_bind(&node, &join_table, &file))
    return;
  pc_node sides = file.sides, with = file.with;
  pc_error reason = {.status = PC_OK};
  int first = pc_continuum_find_group(mesh, mesh->dimension - 1, sides);
  int second = pc_continuum_find_group(mesh, mesh->dimension - 1, with);
  if (!pc_failed(node) && first == second)
    pc_complain(with, "'%s' cannot be joined with itself", pc_node_text(with).text);
  if (!pc_failed(node) &&
      pc_fe_mesh_join(mesh, pc_read_string(sides), pc_read_string(with), &reason) != PC_OK)
    pc_complain(node, "%s", reason.text);
}

// What is round of the shapes.
typedef struct rounds {
  int count;
  pc_mesh_circle *circle;
} rounds;

// How each kind of shape is read, and how many circles it has.
typedef struct shape_kind {
  void (*read)(pc_node node, pc_fe_mesh *mesh, pc_mesh_circle *round);
  int circles;
} shape_kind;
static const shape_kind plane_shapes[] = {
    {pc_continuum_read_rectangle, 0}, {pc_continuum_read_bar, 2}, {pc_continuum_read_disc, 1}};
static const shape_kind lines = {pc_continuum_read_line, 0}, boxes = {pc_continuum_read_box, 0};

static void read_shapes(pc_node list, const shape_kind *kind, pc_fe_mesh *mesh, rounds *round)
{
  pc_error reason = {.status = PC_OK};
  pc_entries e = pc_entries_of(list);
  if (!pc_is_present(list))
    return;
  if (!pc_failed(list) && e.count == 0)
    pc_complain(list, "the mesh is empty");
  pc_mesh_circle *more =
      realloc(round->circle, (size_t)(round->count + 2 * e.count + 1) * sizeof *more);
  if (more == NULL)
    pc_complain(list, "out of memory");
  else
    round->circle = more;
  while (pc_next(&e)) {
    kind->read(e.node, mesh, round->circle + round->count);
    round->count += kind->circles;
    if (!pc_failed(list) && pc_fe_mesh_done(mesh, &reason) != PC_OK)
      pc_complain(e.node, "%s", reason.text);
  }
}

typedef struct mesh_file {
  pc_node shapes[3], lines, boxes, file, join, parts;
  int order;
} mesh_file;
static const pc_key mesh_keys[] = {
    {"rectangles", PC_INTO(mesh_file, shapes[0]), PC_A_LIST,
     .mapping = &pc_table_continuum_rectangle, .left_out = "required if no other shapes are given",
     .meaning = "rectangles of elements"},
    {"bars", PC_INTO(mesh_file, shapes[1]), PC_A_LIST, .mapping = &pc_table_continuum_bar,
     .left_out = "required if no other shapes are given", .meaning = "bars with half-round ends"},
    {"discs", PC_INTO(mesh_file, shapes[2]), PC_A_LIST, .mapping = &pc_table_continuum_disc,
     .left_out = "required if no other shapes are given", .meaning = "discs"},
    {PC_KEY(mesh_file, lines), PC_A_LIST, .mapping = &pc_table_continuum_line,
     .left_out = "required if no other shapes are given", .meaning = "lines, in one dimension"},
    {PC_KEY(mesh_file, boxes), PC_A_LIST, .mapping = &pc_table_continuum_box,
     .left_out = "required if no other shapes are given", .meaning = "boxes, in space"},
    {PC_KEY(mesh_file, file), PC_A_FILE, .left_out = "required if no other shapes are given",
     .meaning = "Gmsh file, version 4.1 or 2.2, ASCII; its physical names become groups"},
    {PC_KEY(mesh_file, join), PC_A_LIST, .mapping = &join_table, .otherwise = "[]",
     .meaning = "pairs of sides to merge"},
    {PC_KEY(mesh_file, parts), PC_A_LIST, .mapping = &part_table, .otherwise = "[]",
     .meaning = "sides to rename, after joining"},
    {PC_KEY(mesh_file, order), PC_AN_INTEGER, PC_FROM(1, 2), .otherwise = "2",
     .meaning = "order of the elements: 1 linear, for solids only; 2 quadratic. Quadratic files "
                "stay quadratic"},
    {0}};
const pc_mapping pc_table_continuum_mesh = {
    "continuum_mesh", "the mesh",
    "The mesh: either `rectangles`, `bars` and `discs`; or `lines`; or `boxes`; or a `file`.",
    .keys = {mesh_keys}};

static void read_elements(pc_node node, const mesh_file *from, pc_fe_mesh *mesh, rounds *round)
{
  bool plane = false;
  for (int i = 0; i < 3; i++)
    plane = plane || pc_is_present(from->shapes[i]);
  bool space = pc_is_present(from->boxes);
  if (plane + space + pc_is_present(from->lines) + pc_is_present(from->file) != 1) {
    pc_complain(node, "a mesh must be given by one of: 'rectangles', 'bars' and 'discs'; 'lines'; "
                      "'boxes'; a 'file'");
    return;
  }
  pc_error reason = {.status = PC_OK};
  char path[1024];
  if (pc_is_present(from->file)) {
    if (pc_scene_find_file(from->file, path, sizeof path) &&
        pc_fe_mesh_read_gmsh(mesh, path, &reason) != PC_OK)
      pc_complain(from->file, "%s", reason.text);
    return;
  }
  *mesh = pc_fe_mesh_empty(space ? 3 : plane ? 2 : 1);
  read_shapes(from->lines, &lines, mesh, round);
  read_shapes(from->boxes, &boxes, mesh, round);
  for (int i = 0; i < 3 && !pc_failed(node); i++)
    read_shapes(from->shapes[i], &plane_shapes[i], mesh, round);
}

static void raise_order(pc_node node, int wanted, pc_fe_mesh *mesh, const rounds *round)
{
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
  mesh_file file;
  if (!pc_bind(&node, &pc_table_continuum_mesh, &file))
    return;
  rounds round = {0};
  read_elements(node, &file, mesh, &round);
  for (pc_entries e = pc_entries_of(file.join); pc_next(&e);)
    read_join(e.node, mesh);
  for (pc_entries e = pc_entries_of(file.parts); pc_next(&e);)
    read_part(e.node, mesh);
  raise_order(node, file.order, mesh, &round);
  free(round.circle);
  pc_error reason = {.status = PC_OK};
  if (!pc_failed(node) &&
      (pc_fe_mesh_done(mesh, &reason) != PC_OK || pc_fe_mesh_check(mesh, &reason) != PC_OK))
    pc_complain(node, "%s", reason.text);
}
