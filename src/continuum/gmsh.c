#include "continuum/gmsh.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "core/error.h"
#include "core/input_file.h"

static const long LARGEST = LONG_MAX / 4; // of a number in a file, so that sums are safe
// A mesh made by a person has fewer groups; the time of reading grows with their square.
enum { MOST_GROUPS = 1000, MOST_OWNERS = 16 };

typedef struct raw_node {
  long tag;
  double x[3];
  int number; // in the mesh, -1: in no element
} raw_node;

typedef struct raw_cell {
  pc_element type;
  long physical; // 0: none
  long line;     // of the file
  long node[PC_ELEMENT_NODES_MAX];
} raw_cell;

typedef struct physical_name {
  int dimension;
  long tag;
  char name[128];
} physical_name;

// One physical group of an entity of the geometry; version 4.1 gives elements by entity.
typedef struct owner {
  int dimension, order; // order: of the file
  long entity, physical;
} owner;

typedef struct reader {
  pc_input_file *source;
  bool new_form; // 4.1
  PC_ARRAY(raw_node) node;
  PC_ARRAY(raw_cell) cell;
  PC_ARRAY(physical_name) name;
  PC_ARRAY(owner) owner;
} reader;

static bool whole(reader *r, long *value)
{
  const char *word = pc_input_word(r->source);
  char *end;
  if (word == NULL)
    return false;
  errno = 0;
  *value = strtol(word, &end, 10);
  return end != word && *end == 0 && errno == 0 && labs(*value) <= LARGEST;
}

// `count` whole numbers of the line.
static pc_status wholes(reader *r, int count, long *value, const char *what)
{
  for (int i = 0; i < count; i++)
    if (!whole(r, &value[i]))
      return pc_input_fail(r->source, "%s needs %d whole numbers", what, count);
  return PC_OK;
}

static pc_status next_line(reader *r, const char *what)
{
  if (!pc_input_line(r->source))
    return pc_input_fail_whole(r->source, "the file ends within %s", what);
  if (r->source->cursor[0] == '$')
    return pc_input_fail(r->source, "%s has fewer entries than announced", what);
  return PC_OK;
}

static pc_status header(reader *r, int count, long *value, const char *what)
{
  pc_status status = next_line(r, what);
  if (status == PC_OK)
    status = wholes(r, count, value, what);
  for (int i = 0; status == PC_OK && i < count; i++)
    if (value[i] < 0)
      status = pc_input_fail(r->source, "%s has a negative count", what);
  return status;
}

static pc_status read_format(reader *r)
{
  pc_status status = next_line(r, "$MeshFormat");
  if (status != PC_OK)
    return status;
  const char *version = pc_input_word(r->source);
  bool old = version != NULL && strcmp(version, "2.2") == 0;
  r->new_form = version != NULL && strcmp(version, "4.1") == 0;
  if (!old && !r->new_form)
    return pc_input_fail(r->source,
                         "version %.16s is not supported; save the mesh in format 4.1 or 2.2",
                         version != NULL ? version : "");
  long binary;
  if (!whole(r, &binary))
    return pc_input_fail(r->source, "the format needs a version and a kind of file");
  if (binary != 0)
    return pc_input_fail(
        r->source, "binary meshes are not supported; save the mesh as text (Mesh.Binary = 0)");
  return PC_OK;
}

static pc_status read_names(reader *r)
{
  long count, value[2];
  pc_status status = header(r, 1, &count, "$PhysicalNames");
  if (status == PC_OK && count > MOST_GROUPS - r->name.count)
    return pc_input_fail(r->source, "there are more than %d physical names", MOST_GROUPS);
  for (long i = 0; status == PC_OK && i < count; i++) {
    status = next_line(r, "$PhysicalNames");
    if (status == PC_OK)
      status = wholes(r, 2, value, "a physical name");
    if (status == PC_OK && (value[0] < 0 || value[0] > 3))
      status = pc_input_fail(r->source, "a physical name must have 0 to 3 dimensions (got %ld)",
                             value[0]);
    if (status != PC_OK)
      break;
    char *from = strchr(r->source->cursor, '"'), *to = from ? strrchr(from + 1, '"') : NULL;
    if (to == NULL)
      return pc_input_fail(r->source, "a physical name must be in quotes");
    if (to - from - 1 >= (long)sizeof r->name.at->name)
      return pc_input_fail(r->source, "a physical name can have at most %zu letters",
                           sizeof r->name.at->name - 1);
    physical_name *name = pc_array_add(&r->name);
    if (name == NULL)
      return pc_input_out_of_memory(r->source);
    *name = (physical_name){.dimension = (int)value[0], .tag = value[1]};
    memcpy(name->name, from + 1, (size_t)(to - from - 1));
  }
  return status;
}

// Entities: a tag, a place or a box, then the physical groups; what follows is not needed.
static pc_status read_entities(reader *r)
{
  long count[4];
  pc_status status = header(r, 4, count, "$Entities");
  for (int dimension = 0; status == PC_OK && dimension < 4; dimension++)
    for (long i = 0; i < count[dimension]; i++) {
      long tag, groups, physical;
      double place;
      if ((status = next_line(r, "$Entities")) != PC_OK)
        return status;
      bool good = whole(r, &tag);
      for (int k = 0; good && k < (dimension == 0 ? 3 : 6); k++)
        good = pc_input_number(pc_input_word(r->source), false, &place);
      if (!good || !whole(r, &groups) || groups < 0)
        return pc_input_fail(r->source, "an entity needs a tag, a position and its groups");
      if (groups > 1 && dimension == (count[3] > 0 ? 3 : 2))
        return pc_input_fail(r->source, "%s %ld is in %ld physical groups; put it in exactly one",
                             dimension == 3 ? "volume" : "surface", tag, groups);
      for (long k = 0; k < groups; k++) {
        if (!whole(r, &physical))
          return pc_input_fail(r->source, "entity %ld needs %ld physical groups", tag, groups);
        int order = r->owner.count;
        owner *of = pc_array_add(&r->owner);
        if (of == NULL)
          return pc_input_out_of_memory(r->source);
        // A negative tag is the same group, with the entity reversed.
        *of = (owner){dimension, order, tag, labs(physical)};
      }
    }
  return status;
}

static pc_status add_node(reader *r, long tag)
{
  raw_node *node = pc_array_add(&r->node);
  if (node == NULL)
    return pc_input_out_of_memory(r->source);
  *node = (raw_node){.tag = tag, .number = -1};
  return PC_OK;
}

static pc_status read_place(reader *r, raw_node *node)
{
  for (int k = 0; k < 3; k++)
    if (!pc_input_number(pc_input_word(r->source), false, &node->x[k]))
      return pc_input_fail(r->source, "node %ld needs three coordinates", node->tag);
  return PC_OK;
}

static pc_status read_nodes_new(reader *r)
{
  long head[4], block[4], tag = 0, total = 0;
  pc_status status = header(r, 4, head, "$Nodes");
  for (long b = 0; status == PC_OK && b < head[0]; b++) {
    if ((status = next_line(r, "$Nodes")) == PC_OK)
      status = wholes(r, 4, block, "a block of nodes");
    if (status == PC_OK && (block[3] < 0 || block[3] > head[1] - total))
      status =
          pc_input_fail(r->source, "a block has %ld nodes, but the file announces %ld in total",
                        block[3], head[1]);
    int first = r->node.count;
    for (long i = 0; status == PC_OK && i < block[3]; i++) {
      if ((status = next_line(r, "$Nodes")) == PC_OK)
        status = wholes(r, 1, &tag, "a node");
      if (status == PC_OK)
        status = add_node(r, tag);
    }
    for (int i = first; status == PC_OK && i < r->node.count; i++)
      if ((status = next_line(r, "$Nodes")) == PC_OK)
        status = read_place(r, &r->node.at[i]);
    total += status == PC_OK ? block[3] : 0;
  }
  if (status == PC_OK && total != head[1])
    status =
        pc_input_fail(r->source, "%ld nodes are announced, but the file has %ld", head[1], total);
  return status;
}

static pc_status read_nodes_old(reader *r)
{
  long count, tag = 0;
  pc_status status = header(r, 1, &count, "$Nodes");
  for (long i = 0; status == PC_OK && i < count; i++) {
    if ((status = next_line(r, "$Nodes")) == PC_OK)
      status = wholes(r, 1, &tag, "a node");
    if (status == PC_OK)
      status = add_node(r, tag);
    if (status == PC_OK)
      status = read_place(r, &r->node.at[r->node.count - 1]);
  }
  return status;
}

static pc_status element_type(reader *r, long number, pc_element *type)
{
  static const struct {
    long number;
    pc_element type;
  } known[] = {{15, PC_POINT1},        {1, PC_LINE2},       {8, PC_LINE3},
               {2, PC_TRIANGLE3},      {9, PC_TRIANGLE6},   {3, PC_QUAD4},
               {16, PC_QUAD8},         {10, PC_QUAD9},      {4, PC_TETRAHEDRON4},
               {11, PC_TETRAHEDRON10}, {5, PC_HEXAHEDRON8}, {17, PC_HEXAHEDRON20},
               {12, PC_HEXAHEDRON27}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i].number == number) {
      *type = known[i].type;
      return PC_OK;
    }
  return pc_input_fail(r->source,
                       "Gmsh's element type %ld is not supported; use points, lines, triangles, "
                       "quadrangles, tetrahedra and hexahedra of first or second order",
                       number);
}

static pc_status add_cell(reader *r, pc_element type, long physical, const long *node)
{
  raw_cell *cell = pc_array_add(&r->cell);
  if (cell == NULL)
    return pc_input_out_of_memory(r->source);
  *cell = (raw_cell){.type = type, .physical = physical, .line = r->source->line};
  memcpy(cell->node, node, (size_t)pc_element_of(type)->nodes * sizeof *node);
  return PC_OK;
}

static int compare_entities(const owner *p, const owner *q)
{
  return p->dimension != q->dimension ? p->dimension - q->dimension
                                      : (p->entity > q->entity) - (p->entity < q->entity);
}

static int compare_owners(const void *a, const void *b)
{
  const owner *p = a, *q = b;
  int entities = compare_entities(p, q);
  return entities != 0 ? entities : p->order - q->order;
}

// The first owner of an entity in the sorted list, or where it would be.
static int first_owner(const reader *r, owner wanted)
{
  int low = 0, high = r->owner.count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (compare_entities(&r->owner.at[middle], &wanted) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// The physical groups of an entity, in the order of the file; one that is 0 if it has none.
static pc_status groups_of(reader *r, owner wanted, long physical[MOST_OWNERS], int *groups)
{
  *groups = 0;
  for (int k = first_owner(r, wanted);
       k < r->owner.count && compare_entities(&r->owner.at[k], &wanted) == 0; k++) {
    if (*groups == MOST_OWNERS)
      return pc_input_fail(r->source, "entity %ld is in more than %d physical groups",
                           wanted.entity, MOST_OWNERS);
    physical[(*groups)++] = r->owner.at[k].physical;
  }
  if (*groups == 0)
    physical[(*groups)++] = 0;
  return PC_OK;
}

static pc_status read_elements_new(reader *r)
{
  long head[4], block[4], value[1 + PC_ELEMENT_NODES_MAX], total = 0;
  pc_status status = header(r, 4, head, "$Elements");
  if (r->owner.count > 0)
    qsort(r->owner.at, (size_t)r->owner.count, sizeof *r->owner.at, compare_owners);
  for (long b = 0; status == PC_OK && b < head[0]; b++) {
    pc_element type = PC_POINT1;
    if ((status = next_line(r, "$Elements")) == PC_OK)
      status = wholes(r, 4, block, "a block of elements");
    if (status == PC_OK)
      status = element_type(r, block[2], &type);
    if (status == PC_OK && (block[3] < 0 || block[3] > head[1] - total))
      status =
          pc_input_fail(r->source, "a block has %ld elements, but the file announces %ld in total",
                        block[3], head[1]);
    long physical[MOST_OWNERS];
    int groups = 0;
    if (status == PC_OK && (block[0] < 0 || block[0] > 3))
      status =
          pc_input_fail(r->source, "an entity must have 0 to 3 dimensions (got %ld)", block[0]);
    if (status == PC_OK)
      status =
          groups_of(r, (owner){.dimension = (int)block[0], .entity = block[1]}, physical, &groups);
    for (long i = 0; status == PC_OK && i < block[3]; i++) {
      if ((status = next_line(r, "$Elements")) == PC_OK)
        status = wholes(r, 1 + pc_element_of(type)->nodes, value, "an element");
      for (int k = 0; status == PC_OK && k < groups; k++)
        status = add_cell(r, type, physical[k], value + 1);
    }
    total += status == PC_OK ? block[3] : 0;
  }
  if (status == PC_OK && total != head[1])
    status = pc_input_fail(r->source, "%ld elements are announced, but the file has %ld", head[1],
                           total);
  return status;
}

static pc_status read_elements_old(reader *r)
{
  long count, head[3], tag, node[PC_ELEMENT_NODES_MAX];
  pc_status status = header(r, 1, &count, "$Elements");
  for (long i = 0; status == PC_OK && i < count; i++) {
    pc_element type = PC_POINT1;
    long physical = 0;
    if ((status = next_line(r, "$Elements")) == PC_OK)
      status = wholes(r, 3, head, "an element");
    if (status == PC_OK)
      status = element_type(r, head[1], &type);
    for (long k = 0; status == PC_OK && k < head[2]; k++) {
      status = wholes(r, 1, &tag, "a list of tags");
      physical = k == 0 ? tag : physical;
    }
    if (status == PC_OK)
      status = wholes(r, pc_element_of(type)->nodes, node, "a list of nodes");
    if (status == PC_OK)
      status = add_cell(r, type, physical < 0 ? -physical : physical, node);
  }
  return status;
}

// Skips sections that are not needed, and the rest of one that is.
static pc_status to_the_end(reader *r, const char *section)
{
  char end[80];
  snprintf(end, sizeof end, "$End%.64s", section + 1);
  while (pc_input_line(r->source)) {
    const char *word = pc_input_word(r->source);
    if (word != NULL && strcmp(word, end) == 0)
      return PC_OK;
    if (word != NULL && word[0] == '$')
      return pc_input_fail(r->source, "expected %s, found %.64s", end, word);
  }
  return pc_input_fail_whole(r->source, "the file ends without %s", end);
}

static pc_status read_sections(reader *r)
{
  bool formatted = false;
  while (pc_input_line(r->source)) {
    char section[72];
    const char *word = pc_input_word(r->source);
    snprintf(section, sizeof section, "%.64s", word != NULL ? word : "");
    pc_status status = PC_OK;
    if (section[0] != '$')
      return pc_input_fail(r->source, "expected the start of a section such as $Nodes");
    if (strcmp(section, "$MeshFormat") == 0)
      status = read_format(r), formatted = true;
    else if (!formatted)
      return pc_input_fail(r->source, "a Gmsh mesh must begin with $MeshFormat");
    else if (strcmp(section, "$PhysicalNames") == 0)
      status = read_names(r);
    else if (strcmp(section, "$Entities") == 0)
      status = r->new_form ? read_entities(r) : PC_OK;
    else if (strcmp(section, "$Nodes") == 0)
      status = r->new_form ? read_nodes_new(r) : read_nodes_old(r);
    else if (strcmp(section, "$Elements") == 0)
      status = r->new_form ? read_elements_new(r) : read_elements_old(r);
    if (status == PC_OK)
      status = to_the_end(r, section);
    if (status != PC_OK)
      return status;
  }
  if (r->cell.count == 0)
    return pc_input_fail_whole(r->source, "the file has no elements");
  return PC_OK;
}

static int compare_tags(const void *a, const void *b)
{
  const raw_node *p = a, *q = b;
  return p->tag < q->tag ? -1 : p->tag > q->tag;
}

static pc_status sort_nodes(reader *r)
{
  if (r->node.count == 0)
    return pc_input_fail_whole(r->source, "the file has no nodes");
  qsort(r->node.at, (size_t)r->node.count, sizeof *r->node.at, compare_tags);
  for (int i = 0; i + 1 < r->node.count; i++)
    if (r->node.at[i].tag == r->node.at[i + 1].tag)
      return pc_input_fail_whole(r->source, "node %ld is listed twice", r->node.at[i].tag);
  return PC_OK;
}

static int group_of(const reader *r, pc_fe_mesh *mesh, int dimension, long physical)
{
  char number[32] = "";
  if (physical != 0)
    snprintf(number, sizeof number, "%ld", physical);
  for (int i = 0; i < r->name.count; i++)
    if (r->name.at[i].dimension == dimension && r->name.at[i].tag == physical)
      return pc_fe_mesh_add_group(mesh, r->name.at[i].name, dimension);
  return pc_fe_mesh_add_group(mesh, number, dimension);
}

// Adds the cells of one dimension. Elements add their nodes; sides use nodes of elements.
static pc_status add_cells(reader *r, pc_fe_mesh *mesh, int dimension)
{
  for (int i = 0; i < r->cell.count; i++) {
    const raw_cell *cell = &r->cell.at[i];
    const pc_element_info *info = pc_element_of(cell->type);
    bool side = dimension < mesh->dimension;
    if (info->dimension != dimension || (side && cell->physical == 0))
      continue;
    r->source->line = cell->line;
    int node[PC_ELEMENT_NODES_MAX];
    for (int k = 0; k < info->nodes; k++) {
      raw_node *found = bsearch(&(raw_node){.tag = cell->node[k]}, r->node.at,
                                (size_t)r->node.count, sizeof *r->node.at, compare_tags);
      if (found == NULL)
        return pc_input_fail(r->source, "the element refers to node %ld, which is not listed",
                             cell->node[k]);
      if (found->number < 0 && side)
        return pc_input_fail(r->source, "the side has node %ld, which belongs to no element",
                             cell->node[k]);
      if (found->number < 0)
        found->number = pc_fe_mesh_add_node(mesh, found->x[0], found->x[1], found->x[2]);
      node[k] = found->number;
    }
    if (mesh->groups > MOST_GROUPS)
      return pc_input_fail(r->source, "there are more than %d physical groups", MOST_GROUPS);
    pc_fe_mesh_add(mesh, cell->type, node, group_of(r, mesh, dimension, cell->physical));
  }
  return PC_OK;
}

static pc_status check_flat(reader *r, const pc_fe_mesh *mesh)
{
  double tolerance = 1e-9 * pc_fe_mesh_size(mesh);
  for (int i = 0; i < r->node.count; i++)
    for (int k = mesh->dimension; k < 3; k++)
      if (r->node.at[i].number >= 0 && fabs(r->node.at[i].x[k]) > tolerance)
        return pc_input_fail_whole(r->source, "node %ld has %c = %g; the mesh must lie %s",
                                   r->node.at[i].tag, "xyz"[k], r -> node.at[i].x[k],
                                   mesh->dimension == 2 ? "in the plane z = 0" : "on the x axis");
  return PC_OK;
}

static pc_status build(reader *r, pc_fe_mesh *mesh)
{
  int dimension = 0;
  for (int i = 0; i < r->cell.count; i++) {
    int of_cell = pc_element_of(r->cell.at[i].type)->dimension;
    dimension = of_cell > dimension ? of_cell : dimension;
  }
  if (dimension == 0)
    return pc_input_fail_whole(r->source, "the file has only points, neither lines nor surfaces");
  *mesh = pc_fe_mesh_empty(dimension);
  pc_status status = sort_nodes(r);
  if (status == PC_OK)
    status = add_cells(r, mesh, dimension);
  if (status == PC_OK)
    status = add_cells(r, mesh, dimension - 1);
  if (status == PC_OK)
    status = check_flat(r, mesh);
  if (status != PC_OK)
    return status;
  if ((status = pc_fe_mesh_done(mesh, r->source->error)) == PC_OK &&
      (status = pc_fe_mesh_orient(mesh, r->source->error)) == PC_OK)
    status = pc_fe_mesh_check(mesh, r->source->error);
  if (status != PC_OK) {
    pc_input_blame(r->source);
    status = status == PC_ERROR_ARGUMENT ? PC_ERROR_INPUT : status;
  }
  return status;
}

pc_status pc_fe_mesh_read_gmsh(pc_fe_mesh *mesh, const char *path, pc_error *error)
{
  pc_input_file source;
  *mesh = (pc_fe_mesh){0};
  pc_status status = pc_input_open(&source, path, error);
  reader r = {.source = &source};
  if (status == PC_OK)
    status = read_sections(&r);
  if (status == PC_OK)
    status = build(&r, mesh);
  pc_array_free(&r.node);
  pc_array_free(&r.cell);
  pc_array_free(&r.name);
  pc_array_free(&r.owner);
  pc_input_close(&source);
  if (status != PC_OK)
    pc_fe_mesh_free(mesh);
  return status;
}
