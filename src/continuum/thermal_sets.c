// The sets of admissible fractions at a node: an interval, or a triangle in the plane of fractions
// with one sum.
#include <math.h>

#include "continuum/thermal_state.h"
#include "percuss/convex.h"

static const double BASIS[3][2] = {
    // rows: fractions; columns: (-1, -1, 2)/sqrt(6), (1, -1, 0)/sqrt(2)
    {-0.40824829046386302, 0.70710678118654752},
    {-0.40824829046386302, -0.70710678118654752},
    {0.81649658092772603, 0},
};

void pc_thermal_to_plane(int size, const double fraction[3], double y[2])
{
  y[0] = y[1] = 0;
  if (size == 2)
    y[0] = fraction[0];
  for (int i = 0; size == 3 && i < 3; i++)
    for (int k = 0; k < 2; k++)
      y[k] += BASIS[i][k] * fraction[i];
}

void pc_thermal_from_plane(int size, const double y[2], double fraction[3])
{
  fraction[0] = fraction[1] = fraction[2] = 0;
  if (size == 2)
    fraction[0] = y[0];
  for (int i = 0; size == 3 && i < 3; i++)
    fraction[i] = BASIS[i][0] * y[0] + BASIS[i][1] * y[1];
}

int pc_thermal_project(int size, double sum, double fraction[3])
{
  if (size == 3) {
    double scratch[3];
    pc_project_simplex(3, sum, fraction, scratch);
    return (fraction[0] > 0) | (fraction[1] > 0) << 1 | (fraction[2] > 0) << 2;
  }
  bool between = size == 2 && fraction[0] > 0 && fraction[0] < 1;
  fraction[0] = size == 2 ? fmin(fmax(fraction[0], 0), 1) : 0;
  fraction[1] = fraction[2] = 0;
  return between;
}

void pc_thermal_face(int size, int face, double projector[3])
{
  projector[0] = projector[1] = projector[2] = 0;
  if (size == 2)
    projector[0] = face;
  if (size != 3)
    return;
  if (face == 7) {
    projector[0] = projector[2] = 1;
    return;
  }
  static const int ends[7][2] = {{0, 0}, {0, 0}, {0, 0}, {0, 1}, {0, 0}, {0, 2}, {1, 2}};
  const double *p = BASIS[ends[face][0]], *q = BASIS[ends[face][1]];
  double along[2] = {(p[0] - q[0]) / sqrt(2), (p[1] - q[1]) / sqrt(2)};
  projector[0] = along[0] * along[0];
  projector[1] = along[0] * along[1];
  projector[2] = along[1] * along[1];
}

double pc_thermal_outside(int size, double sum, const double fraction[3])
{
  double nearest[3] = {fraction[0], fraction[1], fraction[2]};
  if (size < 2)
    return 0;
  pc_thermal_project(size, sum, nearest);
  double square = 0;
  for (int i = 0; i < 3; i++)
    square += (nearest[i] - fraction[i]) * (nearest[i] - fraction[i]);
  return sqrt(square);
}

void pc_thermal_fractions(const pc_fe_thermal *t, int row, const double *jump, double fraction[3])
{
  const pc_thermal_point *p = &t->point[row];
  int size = t->row[row].size;
  double y[2] = {0};
  for (int k = 1; k < size; k++)
    y[k - 1] = jump[pc_thermal_at(t, row) + k];
  pc_thermal_from_plane(size, y, fraction);
  for (int i = 0; i < 3 && size > 1; i++)
    fraction[i] += p->fraction[i];
}
