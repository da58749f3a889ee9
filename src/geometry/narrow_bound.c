#include "geometry/narrow_bound.h"

static double smaller(double a, double b)
{
  return a < b ? a : b;
}

static double larger(double a, double b)
{
  return a > b ? a : b;
}

// n . q goes like a cosine along the arc. The most that it is where it is above 0 somewhere, from f
// at one end to g at the other.
static double crest(double f, double g, double cosine)
{
  double square = 1 - cosine * cosine, slope = g - cosine * f;
  if (slope <= 0)
    return f;
  return square > 0 ? sqrt(f * f + slope * slope / square) : INFINITY;
}

// From each end its own n . q holds up to where the two cross. Below 0 it is highest at an end of
// that, above 0 there or on the way if it falls again.
double pc_arc_bound(const double f[2], const double g[2], double cosine, double *t)
{
  double up = g[0] - f[0], down = g[1] - f[1];
  if (up <= 0 || down <= 0) {
    int k = up > 0;
    *t = f[k] > 0 ? 0.5 : k;
    return f[k] > 0 ? crest(f[k], g[k], cosine) : f[k];
  }
  double x = (g[1] - f[0]) / (up + down);
  *t = x = x < 0 ? 0 : x > 1 ? 1 : x;
  // The chord is shorter than the unit vectors of the arc.
  double square = 1 - 2 * x * (1 - x) * (1 - cosine), size = sqrt(square > 1e-4 ? square : 1e-4);
  double most = smaller(f[0] + x * up, f[1] + (1 - x) * down) / size;
  if (most <= 0)
    return larger(most, larger(smaller(f[0], g[1]), smaller(f[1], g[0])));
  // Whether they come down from there on the way back to their own end.
  bool left = f[0] * size <= (1 - x + x * cosine) * most;
  bool right = f[1] * size <= ((1 - x) * cosine + x) * most;
  most = left ? most : larger(most, crest(f[0], g[0], cosine));
  return right ? most : larger(most, crest(f[1], g[1], cosine));
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
