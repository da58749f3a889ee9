#include "geometry/narrow_bound.h"

// The most that n . q is, from f = n . q > 0 at one end to g at the other.
static double crest(double f, double g, double cosine)
{
  double sine = sqrt(fmax(0, 1 - cosine * cosine)), slope = g - cosine * f;
  return slope <= 0 ? f : sine > 0 ? sqrt(f * f + slope * slope / (sine * sine)) : INFINITY;
}

double pc_arc_bound(const double f[2], const double g[2], double cosine, double *t)
{
  double up = g[0] - f[0], down = g[1] - f[1], most;
  if (up <= 0) {
    *t = 0, most = f[0];
  } else if (down <= 0) {
    *t = 1, most = f[1];
  } else {
    *t = (g[1] - f[0]) / (up + down);
    most = f[0] + *t * up;
  }
  if (most <= 0)
    return most;
  // The chord is shorter than the unit vectors of the arc.
  *t = 0.5;
  most /= sqrt(fmax(0.01, 0.5 * (1 + cosine)));
  if (f[0] > 0)
    most = fmin(most, crest(f[0], g[0], cosine));
  if (f[1] > 0)
    most = fmin(most, crest(f[1], g[1], cosine));
  return most;
}

int pc_over_init(pc_over *over, const pc_hull *hull, pc_vec middle)
{
  int best = 0;
  double most = -INFINITY;
  over->middle = middle;
  for (int f = 0; f < hull->faces; f++) {
    double height = pc_face_height(hull, f, middle);
    pc_over_set(over, f, middle, height);
    if (height > most)
      most = height, best = f;
  }
  return best;
}

double pc_edge_bound(const pc_over *over, const pc_hull *hull, int edge)
{
  int i = hull->edge_face[edge][0], j = hull->edge_face[edge][1];
  pc_vec p = i < PC_OVER_FACES ? over->point[i] : over->middle;
  pc_vec q = j < PC_OVER_FACES ? over->point[j] : over->middle;
  double f[2] = {pc_face_height(hull, i, p), pc_face_height(hull, j, q)}, t;
  double g[2] = {pc_face_height(hull, j, p), pc_face_height(hull, i, q)};
  return pc_arc_bound(f, g, pc_dot(pc_vec_of(hull->plane[i]), pc_vec_of(hull->plane[j])), &t);
}
