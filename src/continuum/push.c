#include "continuum/push.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS = 30 };
static const double INSIDE = 1e-9; // of an element: a place so far outside is in it

// Whether a place may be in an element: in the box around its nodes, with some room for sides that
// are curved.
static bool is_near(int nodes, const double (*node)[3], const double place[3])
{
  double low[3], high[3], size = 0;
  for (int k = 0; k < 3; k++) {
    low[k] = high[k] = node[0][k];
    for (int i = 1; i < nodes; i++) {
      low[k] = fmin(low[k], node[i][k]);
      high[k] = fmax(high[k], node[i][k]);
    }
    size = fmax(size, high[k] - low[k]);
  }
  for (int k = 0; k < 3; k++)
    if (!(place[k] >= low[k] - size / 4 && place[k] <= high[k] + size / 4))
      return false;
  return true;
}

// The functions of the corners are not negative inside and only there.
static bool is_inside(pc_element type, const double xi[3])
{
  const pc_element_info *info = pc_element_of(type);
  double value[PC_ELEMENT_NODES_MAX];
  pc_element_shape(info->linear, xi, value, NULL);
  for (int i = 0; i < info->corners; i++)
    if (!(value[i] >= -INSIDE))
      return false;
  return true;
}

// Newton's method for x(xi) = place. xi is a field of the element with its own places at the nodes,
// so that its gradients are those of the map backwards.
static bool find_in(pc_element type, const double (*node)[3], const double place[3], double xi[3])
{
  const pc_element_info *info = pc_element_of(type);
  double own[PC_ELEMENT_NODES_MAX][3];
  for (int i = 0; i < info->nodes; i++)
    pc_element_place(type, i, own[i]);
  memcpy(xi, info->centre, 3 * sizeof *xi);
  for (int n = 0; n < ITERATIONS; n++) {
    pc_element_point at;
    double move = 0;
    pc_element_map(type, node, xi, &at);
    if (!(at.determinant > 0))
      return false;
    double step[3] = {0};
    for (int i = 0; i < info->nodes; i++) {
      double along = 0;
      for (int k = 0; k < 3; k++)
        along += at.gradient[i][k] * (place[k] - at.x[k]);
      for (int k = 0; k < 3; k++)
        step[k] += own[i][k] * along;
    }
    for (int k = 0; k < 3; k++) {
      xi[k] += step[k];
      move = fmax(move, fabs(step[k]));
    }
    if (move < 1e-14)
      break;
    if (!(move < 10))
      return false;
  }
  return is_inside(type, xi);
}

bool pc_fe_element_has(const pc_fe_mesh *mesh, const double (*place)[3], int element,
                       const double x[3])
{
  const pc_fe_cell *cell = &mesh->body.cell[element];
  double node[PC_ELEMENT_NODES_MAX][3], xi[3];
  int nodes = pc_element_of(cell->type)->nodes;
  for (int i = 0; i < nodes; i++)
    memcpy(node[i], place[mesh->body.node[cell->first + i]], sizeof node[i]);
  return is_near(nodes, (const double(*)[3])node, x) &&
         find_in(cell->type, (const double(*)[3])node, x, xi);
}

int pc_fe_mesh_locate(const pc_fe_mesh *mesh, int group, const double place[3], double xi[3])
{
  for (int e = 0; e < mesh->body.count; e++) {
    const pc_fe_cell *cell = &mesh->body.cell[e];
    if (group >= 0 && cell->group != group)
      continue;
    double node[PC_ELEMENT_NODES_MAX][3];
    int nodes = pc_fe_mesh_corners(mesh, &mesh->body, e, node);
    if (is_near(nodes, (const double(*)[3])node, place) &&
        find_in(cell->type, (const double(*)[3])node, place, xi))
      return e;
  }
  return -1;
}

// The element of a point, with its shape functions there; NULL if there is none.
static const pc_fe_cell *find_point(const pc_fe_mesh *mesh, const pc_fe_push *push,
                                    double value[PC_ELEMENT_NODES_MAX])
{
  double xi[3];
  int e = pc_fe_mesh_locate(mesh, push->group, push->point, xi);
  if (e < 0)
    return NULL;
  pc_element_shape(mesh->body.cell[e].type, xi, value, NULL);
  return &mesh->body.cell[e];
}

static const pc_fe_cells *cells_of(const pc_fe_mesh *mesh, const pc_fe_push *push)
{
  return push->place == PC_FE_ON_SIDES ? &mesh->side : &mesh->body;
}

void pc_fe_push_add(const pc_fe_space *space, const pc_fe_push *push, double *vector)
{
  const pc_fe_mesh *mesh = space->mesh;
  double percussion[3], value[PC_ELEMENT_NODES_MAX];
  memcpy(percussion, push->percussion, sizeof percussion);
  if (push->place != PC_FE_AT_POINT) {
    pc_fe_add_load(space, cells_of(mesh, push), push->group, pc_fe_uniform, percussion, vector);
    return;
  }
  const pc_fe_cell *cell = find_point(mesh, push, value);
  for (int a = 0; cell != NULL && a < pc_element_of(cell->type)->nodes; a++)
    for (int i = 0; i < space->components; i++)
      vector[space->start[mesh->body.node[cell->first + a]] + i] += value[a] * percussion[i];
}

void pc_fe_push_mean(const pc_fe_mesh *mesh, const pc_fe_push *push, const double *field,
                     double mean[3])
{
  int size = mesh->dimension, count = 0;
  double sum[3] = {0}, value[PC_ELEMENT_NODES_MAX];
  if (push->place == PC_FE_AT_POINT) {
    const pc_fe_cell *cell = find_point(mesh, push, value);
    for (int a = 0; cell != NULL && a < pc_element_of(cell->type)->nodes; a++)
      for (int k = 0; k < size; k++)
        sum[k] += value[a] * field[mesh->body.node[cell->first + a] * size + k];
    memcpy(mean, sum, sizeof sum);
    return;
  }
  const pc_fe_cells *cells = cells_of(mesh, push);
  for (int i = 0; i < cells->count; i++) {
    const pc_fe_cell *cell = &cells->cell[i];
    for (int n = 0; cell->group == push->group && n < pc_element_of(cell->type)->nodes;
         n++, count++)
      for (int k = 0; k < size; k++)
        sum[k] += field[cells->node[cell->first + n] * size + k];
  }
  for (int k = 0; k < 3; k++)
    mean[k] = count > 0 ? sum[k] / count : 0;
}
