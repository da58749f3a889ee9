#include "continuum/facet.h"

#include <math.h>
#include <string.h>

#include "core/small.h"

enum { STEPS = 30 }; // of Newton's method

void pc_facet_project(const pc_facet *f, const double x[3], double p[2])
{
  double arm[3];
  pc_sub3(x, f->middle, arm);
  p[0] = pc_dot3(f->tangent[0], arm);
  p[1] = pc_dot3(f->tangent[1], arm);
}

static void scale(double factor, double v[3])
{
  for (int i = 0; i < 3; i++)
    v[i] *= factor;
}

// Normal and tangents from the corners.
static void find_plane(int dimension, pc_facet *f)
{
  double sum[3] = {0}, cross[3], a[3], b[3];
  pc_sub3(f->x[1], f->x[0], f->tangent[0]);
  if (dimension == 2) {
    sum[0] = f->tangent[0][1], sum[1] = -f->tangent[0][0];
  } else {
    for (int i = 0; i < f->corners; i++) {
      pc_sub3(f->x[i], f->middle, a);
      pc_sub3(f->x[(i + 1) % f->corners], f->middle, b);
      pc_cross(a, b, cross);
      for (int k = 0; k < 3; k++)
        sum[k] += cross[k];
    }
  }
  memcpy(f->normal, sum, sizeof sum);
  scale(1 / pc_fe_length(sum), f->normal);
  double along = pc_dot3(f->tangent[0], f->normal);
  for (int k = 0; k < 3; k++)
    f->tangent[0][k] -= along * f->normal[k];
  scale(1 / pc_fe_length(f->tangent[0]), f->tangent[0]);
  memset(f->tangent[1], 0, sizeof f->tangent[1]);
  if (dimension == 3)
    pc_cross(f->normal, f->tangent[0], f->tangent[1]);
}

void pc_facet_make(const pc_fe_mesh *mesh, int side, const double (*place)[3], pc_facet *f)
{
  const pc_fe_cell *cell = &mesh->side.cell[side];
  const pc_element_info *info = pc_element_of(cell->type);
  f->type = cell->type;
  f->nodes = info->nodes;
  f->corners = info->corners;
  f->node = mesh->side.node + cell->first;
  memset(f->middle, 0, sizeof f->middle);
  for (int i = 0; i < f->nodes; i++)
    memcpy(f->x[i], place[f->node[i]], sizeof f->x[i]);
  for (int i = 0; i < f->corners; i++)
    for (int k = 0; k < 3; k++)
      f->middle[k] += f->x[i][k] / f->corners;
  find_plane(mesh->dimension, f);
  f->radius = 0;
  for (int i = 0; i < f->corners; i++) {
    double arm[3];
    pc_sub3(f->x[i], f->middle, arm);
    f->radius = fmax(f->radius, pc_fe_length(arm));
    pc_facet_project(f, f->x[i], f->corner[i]);
  }
}

static void find_normal(int dimension, const pc_facet *g, const double (*gradient)[3],
                        double normal[3])
{
  double along[2][3] = {{0}, {0, 0, 1}}; // in the plane the second is across it
  for (int i = 0; i < g->nodes; i++)
    for (int k = 0; k < 3; k++)
      for (int l = 0; l < dimension - 1; l++)
        along[l][k] += gradient[i][l] * g->x[i][k];
  if (dimension == 3)
    along[1][2] -= 1;
  pc_cross(along[0], along[1], normal);
}

// Newton's method; it takes one step where the map is affine.
bool pc_facet_find(int dimension, const pc_facet *f, const pc_facet *g, const double p[2],
                   pc_facet_point *to)
{
  double *xi = to->xi, *value = to->value, *x = to->x;
  double gradient[PC_ELEMENT_NODES_MAX][3];
  memcpy(xi, pc_element_of(g->type)->centre, 3 * sizeof *xi);
  double change = 1;
  for (int step = 0; step <= STEPS; step++) {
    double at[2], jacobian[2][2] = {{0}};
    pc_element_shape(g->type, xi, value, gradient);
    x[0] = x[1] = x[2] = 0;
    for (int i = 0; i < g->nodes; i++)
      for (int k = 0; k < 3; k++)
        x[k] += value[i] * g->x[i][k];
    find_normal(dimension, g, (const double(*)[3])gradient, to->normal);
    if (change < 1e-14)
      return true;
    pc_facet_project(f, x, at);
    for (int i = 0; i < g->nodes; i++)
      for (int k = 0; k < dimension - 1; k++)
        for (int l = 0; l < dimension - 1; l++)
          jacobian[k][l] += pc_dot3(f->tangent[k], g->x[i]) * gradient[i][l];
    double miss[2] = {p[0] - at[0], p[1] - at[1]}, d[2] = {0};
    if (dimension == 2) {
      d[0] = miss[0] / jacobian[0][0];
    } else {
      double det = jacobian[0][0] * jacobian[1][1] - jacobian[0][1] * jacobian[1][0];
      d[0] = (jacobian[1][1] * miss[0] - jacobian[0][1] * miss[1]) / det;
      d[1] = (jacobian[0][0] * miss[1] - jacobian[1][0] * miss[0]) / det;
    }
    change = fmax(fabs(d[0]), fabs(d[1]));
    if (!(change < 1e3))
      return false;
    xi[0] += d[0];
    xi[1] += d[1];
  }
  return change < 1e-10; // round-off of places far from the origin
}
