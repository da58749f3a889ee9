// Points of each element, its nodes drawn towards its middle, are looked for in the elements of the
// other solid by a tree of their boxes.
#include "continuum/overlap.h"

#include <math.h>
#include <string.h>

#include "continuum/push.h"
#include "core/error.h"
#include "core/memory.h"
#include "geometry/tree.h"

static const double DEEP = 0.1; // of the way from a node to the middle of its element

typedef struct solids {
  const pc_fe_mesh *mesh;
  const double (*place)[3];
  int *root;         // of each node: a node of its solid, or itself
  char *in;          // of each root: 1 and 2 for the solids of both groups of sides
  const int *number; // of each box in the tree: its element
  int asking;        // this element
  const double *at;
  bool found;
} solids;

static int root_of(int *root, int node)
{
  while (root[node] != node)
    node = root[node] = root[root[node]];
  return node;
}

static void join_elements(solids *s)
{
  const pc_fe_cells *body = &s->mesh->body;
  for (int i = 0; i < s->mesh->nodes; i++)
    s->root[i] = i;
  for (int e = 0; e < body->count; e++) {
    const int *node = body->node + body->cell[e].first;
    int first = root_of(s->root, node[0]);
    for (int k = 1; k < pc_element_of(body->cell[e].type)->nodes; k++)
      s->root[root_of(s->root, node[k])] = first;
  }
}

static void mark_solids(solids *s, int group, char mark)
{
  const pc_fe_cells *side = &s->mesh->side;
  for (int i = 0; i < side->count; i++)
    if (side->cell[i].group == group)
      s->in[root_of(s->root, side->node[side->cell[i].first])] |= mark;
}

static char solid_of(const solids *s, int element)
{
  const pc_fe_cells *body = &s->mesh->body;
  return s->in[root_of(s->root, body->node[body->cell[element].first])];
}

static void enclose(const solids *s, int element, double box[6])
{
  const pc_fe_cells *body = &s->mesh->body;
  const int *node = body->node + body->cell[element].first;
  for (int k = 0; k < 3; k++) {
    box[k] = INFINITY;
    box[3 + k] = -INFINITY;
  }
  for (int i = 0; i < pc_element_of(body->cell[element].type)->nodes; i++)
    for (int k = 0; k < 3; k++) {
      box[k] = fmin(box[k], s->place[node[i]][k]);
      box[3 + k] = fmax(box[3 + k], s->place[node[i]][k]);
    }
}

static bool look_inside(void *context, int box)
{
  solids *s = context;
  int element = s->number[box];
  if (element != s->asking)
    s->found = pc_fe_element_has(s->mesh, s->place, element, s->at);
  return !s->found;
}

// Whether a point of the element is inside another one of the tree.
static bool is_sunk(solids *s, const pc_tree *tree, int element, double at[3])
{
  const pc_fe_cells *body = &s->mesh->body;
  const int *node = body->node + body->cell[element].first;
  int nodes = pc_element_of(body->cell[element].type)->nodes;
  double middle[3] = {0};
  for (int i = 0; i < nodes; i++)
    for (int k = 0; k < 3; k++)
      middle[k] += s->place[node[i]][k] / nodes;
  s->asking = element;
  s->at = at;
  for (int i = 0; i <= nodes && !s->found; i++) {
    memcpy(at, middle, 3 * sizeof *at);
    for (int k = 0; i < nodes && k < 3; k++)
      at[k] = s->place[node[i]][k] + DEEP * (middle[k] - s->place[node[i]][k]);
    pc_tree_query(tree, (const double[6]){at[0], at[1], at[2], at[0], at[1], at[2]}, look_inside,
                  s);
  }
  return s->found;
}

pc_status pc_fe_find_overlap(const pc_fe_mesh *mesh, const double (*place)[3], int sides, int other,
                             int *element, double at[3], pc_error *error)
{
  pc_arena arena = {0};
  size_t nodes = (size_t)mesh->nodes + 1, cells = (size_t)mesh->body.count + 1;
  solids s = {.mesh = mesh, .place = place};
  s.root = pc_arena_take(&arena, nodes, sizeof *s.root);
  s.in = pc_arena_take(&arena, nodes, sizeof *s.in);
  int *number = pc_arena_take(&arena, cells, sizeof *number), count;
  double(*box)[6] = pc_arena_take(&arena, cells, sizeof *box);
  *element = -1;
  bool room = !arena.failed;
  if (room) {
    join_elements(&s);
    mark_solids(&s, sides, 1);
    mark_solids(&s, other, 2);
  }
  for (char mark = 1; mark <= 2 && room && *element < 0; mark++) { // in which the others may be
    count = 0;
    for (int e = 0; e < mesh->body.count; e++)
      if (solid_of(&s, e) & mark) {
        number[count] = e;
        enclose(&s, e, box[count++]);
      }
    s.number = number;
    const pc_tree *tree = pc_tree_build(&arena, count, (const double(*)[6])box);
    room = tree != NULL;
    for (int e = 0; e < mesh->body.count && room && *element < 0; e++)
      if ((solid_of(&s, e) & (3 - mark)) && is_sunk(&s, tree, e, at))
        *element = e;
  }
  pc_arena_free(&arena);
  return room ? PC_OK : pc_fail(error, PC_ERROR_MEMORY, "out of memory");
}
