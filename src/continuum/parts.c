#include "continuum/parts.h"

#include <math.h>
#include <string.h>

#include "core/elementary.h"

static const double EVEN = 1e-6; // both cuts of a quadrangle are as good

// The cuts of the quadrangle a b c d along both diagonals.
#define BOTH_WAYS(a, b, c, d)                                                                      \
  {a, b, c}, {a, c, d}, {a, b, d},                                                                 \
  {                                                                                                \
    b, c, d                                                                                        \
  }
#define HALVES 0.5, 0.5, 0.5, 0.5

static const pc_fe_cut CUT[PC_ELEMENTS] = {
    [PC_LINE2] = {1, 2, {{0, 1}}, {1}},
    [PC_LINE3] = {2, 2, {{0, 2}, {2, 1}}, {1, 1}},
    [PC_TRIANGLE3] = {1, 3, {{0, 1, 2}}, {1}},
    [PC_TRIANGLE6] = {4, 3, {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}}, {1, 1, 1, 1}},
    [PC_QUAD4] = {4, 3, {BOTH_WAYS(0, 1, 2, 3)}, {HALVES}},
    [PC_QUAD8] = {8,
                  3,
                  {{0, 4, 7}, {1, 5, 4}, {2, 6, 5}, {3, 7, 6}, BOTH_WAYS(4, 5, 6, 7)},
                  {1, 1, 1, 1, HALVES}},
    [PC_QUAD9] = {16,
                  3,
                  {BOTH_WAYS(0, 4, 8, 7), BOTH_WAYS(4, 1, 5, 8), BOTH_WAYS(8, 5, 2, 6),
                   BOTH_WAYS(7, 8, 6, 3)},
                  {HALVES, HALVES, HALVES, HALVES}},
};

const pc_fe_cut *pc_fe_cut_of(pc_element type)
{
  return &CUT[type];
}

// Of a triangle of a quadrangle a b c d, cut along a c (the first two of its four) or b d. The
// angles at b and d have more than half a turn together where b d is the better cut (Delaunay).
static double weight_of(const pc_fe_mesh *mesh, const int *node, const pc_fe_cut *cut, int part)
{
  const int(*four)[3] = cut->node + part / 4 * 4;
  const double *a = mesh->node[node[four[0][0]]], *b = mesh->node[node[four[0][1]]];
  const double *c = mesh->node[node[four[0][2]]], *d = mesh->node[node[four[1][2]]];
  double ba[2] = {a[0] - b[0], a[1] - b[1]}, bc[2] = {c[0] - b[0], c[1] - b[1]};
  double da[2] = {a[0] - d[0], a[1] - d[1]}, dc[2] = {c[0] - d[0], c[1] - d[1]};
  double sine_b = bc[0] * ba[1] - bc[1] * ba[0], cosine_b = ba[0] * bc[0] + ba[1] * bc[1];
  double sine_d = da[0] * dc[1] - da[1] * dc[0], cosine_d = da[0] * dc[0] + da[1] * dc[1];
  double sine = sine_b * cosine_d + cosine_b * sine_d; // of the sum
  double size = pc_hypot(sine_b, cosine_b) * pc_hypot(sine_d, cosine_d);
  if (fabs(sine) <= EVEN * size)
    return 0.5;
  return (sine > 0) == (part % 4 < 2);
}

double pc_fe_part_size(const pc_fe_mesh *mesh, int cell, int part, double slope[3][2])
{
  const pc_fe_cell *c = &mesh->body.cell[cell];
  const pc_fe_cut *cut = &CUT[c->type];
  const int *node = mesh->body.node + c->first;
  const double *x[3] = {0};
  for (int i = 0; i < cut->corners; i++)
    x[i] = mesh->node[node[cut->node[part][i]]];
  memset(slope, 0, 3 * sizeof *slope);
  if (cut->corners == 2) {
    double length = x[1][0] - x[0][0];
    slope[0][0] = -1 / length;
    slope[1][0] = 1 / length;
    return fabs(length);
  }
  double area =
      ((x[1][0] - x[0][0]) * (x[2][1] - x[0][1]) - (x[2][0] - x[0][0]) * (x[1][1] - x[0][1])) / 2;
  for (int i = 0; i < 3; i++) {
    const double *a = x[(i + 1) % 3], *b = x[(i + 2) % 3];
    slope[i][0] = (a[1] - b[1]) / (2 * area);
    slope[i][1] = (b[0] - a[0]) / (2 * area);
  }
  return fabs(area) * (cut->weight[part] < 1 ? weight_of(mesh, node, cut, part) : 1);
}

void pc_fe_part_place(pc_element type, int part, const double at[3], double linear[3], double xi[3])
{
  const pc_fe_cut *cut = &CUT[type];
  linear[1] = cut->corners == 2 ? (1 + at[0]) / 2 : at[0];
  linear[2] = cut->corners == 2 ? 0 : at[1];
  linear[0] = 1 - linear[1] - linear[2];
  xi[0] = xi[1] = xi[2] = 0;
  for (int a = 0; a < cut->corners; a++) {
    double place[3];
    pc_element_place(type, cut->node[part][a], place);
    for (int i = 0; i < 2; i++)
      xi[i] += linear[a] * place[i];
  }
}
