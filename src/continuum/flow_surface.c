// Integrals over the boundary of a fluid. Sides are curves of second order, and all integrands are
// polynomials, so they are exact: the potential energy is a cubic function of the nodes.
#include <math.h>
#include <string.h>

#include "continuum/flow_state.h"
#include "core/elementary.h"

// A point of a side: where it is, shape functions, and the outward normal times the weight.
typedef struct side_point {
  double x[2], value[3], normal[2];
} side_point;

enum { POINTS = 3 }; // of Gauss, exact for degree 5

static void map_side(const pc_flow_side *side, const double (*x)[3], side_point point[POINTS])
{
  pc_quadrature rule;
  pc_quadrature_make(&rule, PC_LINE3, 2 * POINTS - 1);
  for (int q = 0; q < POINTS; q++) {
    double gradient[PC_ELEMENT_NODES_MAX][3], tangent[2] = {0};
    side_point *p = &point[q];
    memset(p, 0, sizeof *p);
    pc_element_shape(PC_LINE3, rule.at[q], p->value, gradient);
    for (int k = 0; k < 3; k++)
      for (int c = 0; c < 2; c++) {
        p->x[c] += p->value[k] * x[side->node[k]][c];
        tangent[c] += gradient[k][0] * x[side->node[k]][c];
      }
    p->normal[0] = rule.weight[q] * tangent[1];
    p->normal[1] = -rule.weight[q] * tangent[0];
  }
}

void pc_flow_side_normals(const pc_flow_side *side, const double (*x)[3], double normal[3][2])
{
  side_point point[POINTS];
  map_side(side, x, point);
  memset(normal, 0, 3 * sizeof *normal);
  for (int q = 0; q < POINTS; q++)
    for (int k = 0; k < 3; k++)
      for (int c = 0; c < 2; c++)
        normal[k][c] += point[q].value[k] * point[q].normal[c];
}

void pc_flow_normals(const pc_fe_flow *f, const double (*x)[3], double (*normal)[2])
{
  memset(normal, 0, (size_t)f->spines * sizeof *normal);
  for (int s = 0; s < f->sides; s++) {
    if (!f->side[s].free)
      continue;
    side_point point[POINTS];
    map_side(&f->side[s], x, point);
    for (int q = 0; q < POINTS; q++)
      for (int k = 0; k < 3; k++)
        for (int c = 0; c < 2; c++)
          normal[f->spine_of[f->side[s].node[k]]][c] += point[q].value[k] * point[q].normal[c];
  }
}

double pc_flow_volume(const pc_fe_flow *f, const double (*x)[3])
{
  double sum = 0;
  for (int s = 0; s < f->sides; s++) {
    side_point point[POINTS];
    map_side(&f->side[s], x, point);
    for (int q = 0; q < POINTS; q++)
      sum += (point[q].x[0] * point[q].normal[0] + point[q].x[1] * point[q].normal[1]) / 2;
  }
  return sum;
}

double pc_flow_potential(const pc_fe_flow *f, const double (*x)[3])
{
  double sum = 0;
  for (int s = 0; s < f->sides && f->weight > 0; s++) {
    side_point point[POINTS];
    map_side(&f->side[s], x, point);
    for (int q = 0; q < POINTS; q++) {
      double high = pc_flow_altitude(f, point[q].x);
      sum += high * high / 2 * (f->up[0] * point[q].normal[0] + f->up[1] * point[q].normal[1]);
    }
  }
  return f->weight * sum;
}

void pc_flow_potential_slope(const pc_fe_flow *f, const double (*x)[3], double *slope)
{
  memset(slope, 0, (size_t)f->spines * sizeof *slope);
  for (int s = 0; s < f->sides && f->weight > 0; s++) {
    if (!f->side[s].free)
      continue;
    side_point point[POINTS];
    map_side(&f->side[s], x, point);
    for (int q = 0; q < POINTS; q++)
      for (int k = 0; k < 3; k++) {
        int i = f->spine_of[f->side[s].node[k]];
        const double *d = f->spine[i].direction, *n = point[q].normal;
        slope[i] += f->weight * pc_flow_altitude(f, point[q].x) * point[q].value[k] *
                    (n[0] * d[0] + n[1] * d[1]);
      }
  }
}

void pc_flow_add_spring(const pc_fe_flow *f, const double (*x)[3], double normal, const double *u,
                        double *load)
{
  for (int s = 0; s < f->sides; s++) {
    if (!f->side[s].free)
      continue;
    side_point point[POINTS];
    map_side(&f->side[s], x, point);
    for (int q = 0; q < POINTS; q++) {
      const double *n = point[q].normal;
      double through = 0, length = pc_hypot(n[0], n[1]);
      for (int k = 0; k < 3; k++) {
        const double *v = u + 2 * f->side[s].node[k];
        through += point[q].value[k] * (v[0] * n[0] + v[1] * n[1]);
      }
      for (int k = 0; k < 3; k++)
        for (int c = 0; c < 2; c++)
          load[2 * f->side[s].node[k] + c] += normal * point[q].value[k] * through / length * n[c];
    }
  }
}

void pc_flow_press_walls(const pc_fe_flow *f, const double (*x)[3], double h, double *load)
{
  for (int s = 0; s < f->sides && f->weight > 0; s++) {
    if (f->side[s].free)
      continue;
    side_point point[POINTS];
    map_side(&f->side[s], x, point);
    for (int q = 0; q < POINTS; q++)
      for (int k = 0; k < 3; k++)
        for (int c = 0; c < 2; c++)
          load[2 * f->side[s].node[k] + c] -= h * f->weight * pc_flow_altitude(f, point[q].x) *
                                              point[q].value[k] * point[q].normal[c];
  }
}
