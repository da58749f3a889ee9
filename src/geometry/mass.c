#include "geometry/mass.h"

#include <math.h>

#include "core/small.h"

static const double PI = 3.14159265358979323846;

static pc_mass_properties diagonal(double volume, double x, double y, double z)
{
  return (pc_mass_properties){volume, {0, 0, 0}, {x, 0, 0, 0, y, 0, 0, 0, z}};
}

pc_mass_properties pc_mass_sphere(double r)
{
  double volume = 4 * PI / 3 * r * r * r, inertia = 0.4 * volume * r * r;
  return diagonal(volume, inertia, inertia, inertia);
}

pc_mass_properties pc_mass_box(const double half[3])
{
  double volume = 8 * half[0] * half[1] * half[2];
  double x = half[0] * half[0] / 3, y = half[1] * half[1] / 3, z = half[2] * half[2] / 3;
  return diagonal(volume, volume * (y + z), volume * (x + z), volume * (x + y));
}

pc_mass_properties pc_mass_cylinder(double r, double half)
{
  double volume = 2 * PI * r * r * half;
  double across = volume * (r * r / 4 + half * half / 3);
  return diagonal(volume, across, across, volume * r * r / 2);
}

// A half ball has its centroid 3/8 r from its plane, so a cap at the end of the rod has the second
// moment 2/5 r^2 + 2 (3/8) r half + half^2 per mass about an axis across the middle.
pc_mass_properties pc_mass_capsule(double r, double half)
{
  pc_mass_properties rod = pc_mass_cylinder(r, half), caps = pc_mass_sphere(r);
  double across = rod.inertia[0] + caps.volume * (0.4 * r * r + 0.75 * r * half + half * half);
  return diagonal(rod.volume + caps.volume, across, across, rod.inertia[8] + caps.inertia[8]);
}

pc_mass_properties pc_mass_disc(double r)
{
  double area = PI * r * r;
  return diagonal(area, 0, 0, area * r * r / 2);
}

// The divergence theorem, as a sum of tetrahedra from a point inside to the triangles of the
// surface: a tetrahedron 0, a, b, c of volume v has the moments v s / 4 and
// v (a a^T + b b^T + c c^T + s s^T) / 20, s = a + b + c.
pc_mass_properties pc_mass_hull(const pc_hull *hull)
{
  double inside[3] = {0}, volume = 0, first[3] = {0}, second[9] = {0};
  for (int i = 0; i < hull->vertices; i++)
    for (int k = 0; k < 3; k++)
      inside[k] += hull->vertex[i][k] / hull->vertices;
  for (int f = 0; f < hull->faces; f++) {
    const int *loop = hull->face_vertex + hull->face_start[f];
    int count = hull->face_start[f + 1] - hull->face_start[f];
    for (int i = 1; i + 1 < count; i++) {
      double corner[3][3], s[3], cross[3];
      for (int k = 0; k < 3; k++) {
        corner[0][k] = hull->vertex[loop[0]][k] - inside[k];
        corner[1][k] = hull->vertex[loop[i]][k] - inside[k];
        corner[2][k] = hull->vertex[loop[i + 1]][k] - inside[k];
        s[k] = corner[0][k] + corner[1][k] + corner[2][k];
      }
      pc_cross(corner[0], corner[1], cross);
      double v = pc_dot3(cross, corner[2]) / 6;
      volume += v;
      for (int k = 0; k < 3; k++) {
        first[k] += v * s[k] / 4;
        for (int l = 0; l < 3; l++)
          second[3 * k + l] += v / 20 *
                               (corner[0][k] * corner[0][l] + corner[1][k] * corner[1][l] +
                                corner[2][k] * corner[2][l] + s[k] * s[l]);
      }
    }
  }
  pc_mass_properties mass = {.volume = volume};
  for (int k = 0; k < 3; k++)
    for (int l = 0; l < 3; l++)
      second[3 * k + l] -= first[k] / volume * first[l];
  double trace = second[0] + second[4] + second[8];
  for (int k = 0; k < 3; k++) {
    mass.centroid[k] = inside[k] + first[k] / volume;
    for (int l = 0; l < 3; l++)
      mass.inertia[3 * k + l] = (k == l ? trace : 0) - second[3 * k + l];
  }
  return mass;
}

// The same in the plane: a triangle 0, a, b of area t has the moments t (a + b) / 3 and
// t (a.a + a.b + b.b) / 6.
pc_mass_properties pc_mass_polygon(int count, const double (*vertex)[2])
{
  const double *origin = vertex[0];
  double area = 0, first[2] = {0}, second = 0;
  for (int i = 1; i + 1 < count; i++) {
    double a[2] = {vertex[i][0] - origin[0], vertex[i][1] - origin[1]};
    double b[2] = {vertex[i + 1][0] - origin[0], vertex[i + 1][1] - origin[1]};
    double t = (a[0] * b[1] - a[1] * b[0]) / 2;
    area += t;
    second += t / 6 * (a[0] * (a[0] + b[0]) + a[1] * (a[1] + b[1]) + b[0] * b[0] + b[1] * b[1]);
    for (int k = 0; k < 2; k++)
      first[k] += t * (a[k] + b[k]) / 3;
  }
  pc_mass_properties mass = {.volume = area};
  mass.centroid[0] = origin[0] + first[0] / area;
  mass.centroid[1] = origin[1] + first[1] / area;
  mass.inertia[8] = second - (first[0] * first[0] + first[1] * first[1]) / area;
  return mass;
}

// Turned into the axes of the whole, then moved to its centroid (parallel axes).
pc_mass_properties pc_mass_sum(int count, const pc_child *child)
{
  pc_mass_properties sum = {0};
  for (int i = 0; i < count; i++)
    sum.volume += child[i].shape->mass.volume;
  for (int i = 0; i < count; i++) {
    double centroid[3], part = child[i].shape->mass.volume / sum.volume;
    pc_to_world(&child[i].pose, child[i].shape->mass.centroid, centroid);
    for (int k = 0; k < 3; k++)
      sum.centroid[k] += part * centroid[k];
  }
  for (int i = 0; i < count; i++) {
    const pc_mass_properties *own = &child[i].shape->mass;
    const double *r = child[i].pose.rotation;
    double arm[3];
    pc_to_world(&child[i].pose, own->centroid, arm);
    for (int k = 0; k < 3; k++)
      arm[k] -= sum.centroid[k];
    double square = pc_dot3(arm, arm);
    for (int k = 0; k < 3; k++)
      for (int l = 0; l < 3; l++) {
        double turned = 0;
        for (int m = 0; m < 3; m++)
          for (int n = 0; n < 3; n++)
            turned += r[3 * k + m] * own->inertia[3 * m + n] * r[3 * l + n];
        double moved = own->volume * ((k == l ? square : 0) - arm[k] * arm[l]);
        sum.inertia[3 * k + l] += turned + moved;
      }
  }
  if (child[0].shape->dimension == 2)
    for (int k = 0; k < 8; k++)
      sum.inertia[k] = 0;
  return sum;
}
