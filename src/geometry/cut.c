// The part of a shape beyond a plane, in one pass and without memory of its own.
//
// A polyhedron is a sum of cones from its faces, clipped, to an apex in the section: the section
// itself is seen edge-on from there and gives nothing, and as the body is convex no cone is
// negative, so that small parts keep their digits. The section is a fan from the same apex over
// the segments that the plane cuts out of the faces. A vertex in the plane counts as below it: each
// edge then has one answer, both faces of an edge find the same point of it, and the segments close
// whatever vertices, edges or faces the plane goes through.
#include "geometry/cut.h"

#include <math.h>
#include <string.h>

#include "core/elementary.h"
#include "core/small.h"

static const double PI = 3.14159265358979323846;

// The plane in the axes of the shape.
typedef struct local_plane {
  double normal[3], offset;
} local_plane;

static inline double height(const local_plane *plane, const double x[3])
{
  return plane->normal[0] * x[0] + plane->normal[1] * x[1] + plane->normal[2] * x[2] -
         plane->offset;
}

// Where an edge goes through the plane, from `origin`. Always computed from the lower end, so that
// both of its faces get the same numbers.
static inline void crossing(const double a[3], double da, const double b[3], double db,
                            const double origin[3], double x[3])
{
  const double *low = da > 0 ? b : a, *high = da > 0 ? a : b;
  double t = da > 0 ? db / (db - da) : da / (da - db);
  for (int i = 0; i < 3; i++)
    x[i] = low[i] + t * (high[i] - low[i]) - origin[i];
}

static void add_outer(double s, const double v[3], double matrix[9])
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      matrix[3 * i + j] += s * v[i] * v[j];
}

// Sums over cones and triangles, from the apex, in the axes of the shape.
typedef struct cut_sums {
  local_plane plane;
  double apex[3];
  double volume, moment[3];
  double area, first[3], second[9]; // `second` about the apex
} cut_sums;

// The end of all sums: to the centroid and to world axes. What rounding leaves of an empty part is
// dropped.
static void finish(const cut_sums *sums, const pc_pose *pose, pc_cut *cut)
{
  double apex[3], turned[3], second[9], half[9];
  pc_to_world(pose, sums->apex, apex);
  if (sums->volume > 0) {
    cut->volume = sums->volume;
    cut->depth = fmax(pc_dot3(sums->plane.normal, sums->moment), 0);
    pc_rotate(pose->rotation, sums->moment, turned);
    for (int i = 0; i < 3; i++)
      cut->moment[i] = turned[i] + cut->volume * apex[i];
  }
  if (!(sums->area > 0))
    return;
  cut->area = sums->area;
  pc_rotate(pose->rotation, sums->first, turned);
  for (int i = 0; i < 3; i++)
    cut->area_moment[i] = turned[i] + cut->area * apex[i];
  memcpy(second, sums->second, sizeof second);
  add_outer(-1 / sums->area, sums->first, second);
  if (!(second[0] + second[4] + second[8] > 0))
    return;
  for (int i = 0; i < 3; i++) // S R^T, row by row, then R (S R^T)
    pc_rotate(pose->rotation, second + 3 * i, half + 3 * i);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      cut->area_second[3 * i + j] = pose->rotation[3 * i] * half[j] +
                                    pose->rotation[3 * i + 1] * half[3 + j] +
                                    pose->rotation[3 * i + 2] * half[6 + j];
}

static void whole(const pc_shape *shape, const pc_pose *pose, const local_plane *plane, pc_cut *cut)
{
  double centroid[3];
  pc_measures room;
  const pc_mass_properties *mass = &pc_shape_measures(shape, &room)->mass;
  pc_to_world(pose, mass->centroid, centroid);
  cut->volume = mass->volume;
  cut->depth = cut->volume * height(plane, mass->centroid);
  for (int i = 0; i < 3; i++)
    cut->moment[i] = cut->volume * centroid[i];
}

static void cut_sphere(double radius, const pc_pose *pose, const double normal[3],
                       const local_plane *plane, pc_cut *cut)
{
  double s = plane->offset, h = radius - s;
  double square = h * (2 * radius - h); // of the radius of the section
  cut->volume = PI * h * h * (3 * radius - h) / 3;
  cut->depth = PI * h * h * h * (4 * radius - h) / 12;
  cut->area = PI * square;
  double fourth = PI * square * square / 4; // the same for the moment and for the section
  for (int i = 0; i < 3; i++) {
    cut->moment[i] = cut->volume * pose->position[i] + fourth * normal[i];
    cut->area_moment[i] = cut->area * (pose->position[i] + s * normal[i]);
    cut->area_second[4 * i] = fourth;
  }
  add_outer(-fourth, normal, cut->area_second);
}

// Area and integral of the height of a segment of the unit disc with half-angle t: t - sin t cos t
// and sin t - sin^3 t / 3 - t cos t. Both are differences of nearly equal numbers when t is small;
// their series come from sin^3 t = (3 sin t - sin 3t) / 4 and sin t cos t = sin 2t / 2.
static void disc_segment(double t, double *area, double *depth)
{
  if (t > 0.5) {
    double s = pc_sin(t), c = pc_cos(t);
    *area = t - s * c;
    *depth = s - s * s * s / 3 - t * c;
    return;
  }
  double power = t, four = 1, nine = 1; // t^(2k+1) / (2k+1)! with its sign, 4^k, 9^k
  *area = *depth = 0;
  for (int k = 1; k <= 12; k++) {
    power *= -t * t / (2 * k * (2 * k + 1));
    four *= 4;
    nine *= 9;
    *area -= power * four;
    *depth += power * ((3 + nine) / 4 - (2 * k + 1));
  }
}

static void cut_disc(double radius, const pc_pose *pose, const double normal[3],
                     const local_plane *plane, pc_cut *cut)
{
  double s = plane->offset, h = radius - s, area, depth;
  double half = sqrt(h * (2 * radius - h)); // of the chord
  disc_segment(2 * pc_asin(sqrt(h / (2 * radius))), &area, &depth);
  cut->volume = radius * radius * area;
  cut->depth = radius * radius * radius * depth;
  cut->area = 2 * half;
  for (int i = 0; i < 3; i++) {
    cut->moment[i] = cut->volume * pose->position[i] + 2 * half * half * half / 3 * normal[i];
    cut->area_moment[i] = cut->area * (pose->position[i] + s * normal[i]);
  }
  add_outer(2 * half * half * half / 3, (double[3]){-normal[1], normal[0], 0}, cut->area_second);
}

// The cone from the apex to the triangle a, b, c.
static inline void add_cone(cut_sums *sums, const double a[3], const double b[3], const double c[3])
{
  double volume = (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                   a[2] * (b[0] * c[1] - b[1] * c[0])) /
                  6;
  sums->volume += volume;
  for (int i = 0; i < 3; i++)
    sums->moment[i] += volume / 4 * (a[i] + b[i] + c[i]);
}

// The triangle apex, a, b of the section.
static inline void add_section(cut_sums *sums, const double a[3], const double b[3])
{
  const double *n = sums->plane.normal;
  double area = (n[0] * (a[1] * b[2] - a[2] * b[1]) + n[1] * (a[2] * b[0] - a[0] * b[2]) +
                 n[2] * (a[0] * b[1] - a[1] * b[0])) /
                2;
  double sum[3] = {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
  sums->area += area;
  for (int i = 0; i < 3; i++) {
    sums->first[i] += area / 3 * sum[i];
    for (int j = 0; j < 3; j++)
      sums->second[3 * i + j] += area / 12 * (a[i] * a[j] + b[i] * b[j] + sum[i] * sum[j]);
  }
}

// One more point of the part of a face that is beyond, a fan from the first of them.
typedef struct face_fan {
  int points;
  double first[3], last[3];
} face_fan;

static inline void add_fan(face_fan *fan, const double x[3], cut_sums *sums)
{
  if (fan->points++ == 0)
    memcpy(fan->first, x, sizeof fan->first);
  else if (fan->points > 2)
    add_cone(sums, fan->first, fan->last, x);
  memcpy(fan->last, x, sizeof fan->last);
}

// Walks one face: its part beyond, and the segment in the plane from where the walk goes below to
// where it comes up again. Vertices within rounding of the plane may bring more than one.
static void cut_face(const pc_hull *hull, int face, cut_sums *sums)
{
  int start = hull->face_start[face], end = hull->face_start[face + 1];
  const double *a = hull->vertex[hull->face_vertex[end - 1]], *origin = sums->apex;
  double da = height(&sums->plane, a), down[3] = {0}, up[3] = {0};
  face_fan fan = {0};
  bool below = false; // since `down`
  for (int i = start; i < end; i++) {
    const double *b = hull->vertex[hull->face_vertex[i]];
    double db = height(&sums->plane, b), x[3];
    if ((da > 0) != (db > 0)) {
      crossing(a, da, b, db, origin, x);
      add_fan(&fan, x, sums);
      if (da > 0)
        memcpy(down, x, sizeof down);
      else if (below)
        add_section(sums, down, x);
      else
        memcpy(up, x, sizeof up);
      below = da > 0;
    }
    if (db > 0) {
      pc_sub3(b, origin, x);
      add_fan(&fan, x, sums);
    }
    a = b;
    da = db;
  }
  if (below)
    add_section(sums, down, up);
}

static void cut_hull(const pc_shape *shape, const pc_pose *pose, const local_plane *plane,
                     pc_cut *cut)
{
  const pc_hull *hull = shape->hull;
  cut_sums sums = {.plane = *plane};
  for (int i = 0; i < hull->edges; i++) {
    const double *a = hull->vertex[hull->edge[i][0]], *b = hull->vertex[hull->edge[i][1]];
    double da = height(plane, a), db = height(plane, b);
    if ((da > 0) == (db > 0))
      continue;
    crossing(a, da, b, db, (double[3]){0}, sums.apex);
    for (int face = 0; face < hull->faces; face++)
      cut_face(hull, face, &sums);
    finish(&sums, pose, cut);
    return;
  }
  if (height(plane, hull->vertex[0]) > 0)
    whole(shape, pose, plane, cut);
}

// One edge of a polygon: the triangle from the apex to its part beyond, and the end of the chord
// where it crosses the line. The chord is a sum over its ends of powers of the place along it.
static void cut_side(const double a[3], const double b[3], const double along[3], cut_sums *sums,
                     double chord[3])
{
  double da = height(&sums->plane, a), db = height(&sums->plane, b), u[3], v[3], x[3];
  for (int i = 0; i < 3; i++) {
    u[i] = a[i] - sums->apex[i];
    v[i] = b[i] - sums->apex[i];
  }
  if ((da > 0) != (db > 0)) {
    crossing(a, da, b, db, sums->apex, x);
    memcpy(da > 0 ? v : u, x, sizeof x);
    double place = pc_dot3(along, x), sign = da > 0 ? -1 : 1;
    chord[0] += sign * place;
    chord[1] += sign * place * place / 2;
    chord[2] += sign * place * place * place / 3;
  } else if (!(da > 0)) {
    return;
  }
  double area = (u[0] * v[1] - u[1] * v[0]) / 2;
  sums->volume += area;
  for (int i = 0; i < 2; i++)
    sums->moment[i] += area / 3 * (u[i] + v[i]);
}

static void side(const pc_shape *shape, int i, double a[3], double b[3])
{
  int next = i + 1 < shape->polygon.count ? i + 1 : 0;
  for (int k = 0; k < 2; k++) {
    a[k] = shape->polygon.vertex[i][k];
    b[k] = shape->polygon.vertex[next][k];
  }
}

static void cut_polygon(const pc_shape *shape, const pc_pose *pose, const local_plane *plane,
                        pc_cut *cut)
{
  int count = shape->polygon.count, first = 0;
  double a[3] = {0}, b[3] = {0}, chord[3] = {0}, da = 0, db = 0;
  for (; first < count; first++) {
    side(shape, first, a, b);
    da = height(plane, a);
    db = height(plane, b);
    if ((da > 0) != (db > 0))
      break;
  }
  if (first == count) {
    if (da > 0)
      whole(shape, pose, plane, cut);
    return;
  }
  cut_sums sums = {.plane = *plane};
  // Round the part beyond the walk goes below at one end of the chord and comes back at the other.
  const double along[3] = {plane->normal[1], -plane->normal[0], 0};
  crossing(a, da, b, db, (double[3]){0}, sums.apex);
  for (int i = 0; i < count; i++) {
    side(shape, i, a, b);
    cut_side(a, b, along, &sums, chord);
  }
  sums.area = chord[0];
  for (int i = 0; i < 2; i++)
    sums.first[i] = chord[1] * along[i];
  add_outer(chord[2], along, sums.second);
  finish(&sums, pose, cut);
}

// Adds a part to another; the sections meet at their common centroid.
static void add_part(const pc_cut *part, pc_cut *cut)
{
  if (part->area > 0 && cut->area > 0) {
    double apart[3];
    for (int i = 0; i < 3; i++)
      apart[i] = part->area_moment[i] / part->area - cut->area_moment[i] / cut->area;
    add_outer(part->area / (part->area + cut->area) * cut->area, apart, cut->area_second);
  }
  cut->volume += part->volume;
  cut->depth += part->depth;
  cut->area += part->area;
  for (int i = 0; i < 3; i++) {
    cut->moment[i] += part->moment[i];
    cut->area_moment[i] += part->area_moment[i];
  }
  for (int i = 0; i < 9; i++)
    cut->area_second[i] += part->area_second[i];
}

static bool can_cut(const pc_shape *shape)
{
  if (shape->type == PC_COMPOUND) {
    for (int i = 0; i < shape->compound.count; i++)
      if (!can_cut(shape->compound.child[i].shape))
        return false;
    return true;
  }
  return shape->type == PC_SPHERE || shape->type == PC_BOX || shape->type == PC_POLYHEDRON ||
         shape->type == PC_DISC || shape->type == PC_POLYGON;
}

// The lowest and highest points of the box around the shape, or of the sphere about its origin
// where that says more.
static void reach(const pc_shape *shape, const local_plane *plane, double *low, double *high)
{
  pc_measures room;
  const pc_measures *of = pc_shape_measures(shape, &room);
  *low = *high = -plane->offset;
  for (int i = 0; i < 3; i++) {
    double x = plane->normal[i] * of->low[i], y = plane->normal[i] * of->high[i];
    *low += x < y ? x : y;
    *high += x < y ? y : x;
  }
  double ball_low = -plane->offset - shape->radius, ball_high = -plane->offset + shape->radius;
  *low = *low > ball_low ? *low : ball_low;
  *high = *high < ball_high ? *high : ball_high;
}

static void cut_shape(const pc_shape *shape, const pc_pose *pose, const double normal[3],
                      double offset, pc_cut *cut)
{
  local_plane plane = {.offset = offset - pc_dot3(normal, pose->position)};
  double low, high;
  memset(cut, 0, sizeof *cut);
  pc_rotate_back(pose->rotation, normal, plane.normal);
  reach(shape, &plane, &low, &high);
  if (high <= 0)
    return;
  if (low > 0) {
    whole(shape, pose, &plane, cut);
    return;
  }
  switch (shape->type) {
  case PC_SPHERE:
    cut_sphere(shape->ball, pose, normal, &plane, cut);
    break;
  case PC_DISC:
    cut_disc(shape->ball, pose, normal, &plane, cut);
    break;
  case PC_POLYGON:
    cut_polygon(shape, pose, &plane, cut);
    break;
  case PC_COMPOUND:
    for (int i = 0; i < shape->compound.count; i++) {
      const pc_child *child = &shape->compound.child[i];
      pc_pose place = pc_pose_multiply(pose, &child->pose);
      pc_cut part;
      cut_shape(child->shape, &place, normal, offset, &part);
      add_part(&part, cut);
    }
    break;
  case PC_BOX:
  case PC_POLYHEDRON:
    cut_hull(shape, pose, &plane, cut);
    break;
  case PC_CAPSULE: // these cannot be cut
  case PC_CYLINDER:
  case PC_PLANE:
  case PC_MESH:
  case PC_HEIGHTS:
  case PC_CHAIN:
  case PC_SHAPE_TYPES:
    break;
  }
}

bool pc_shape_cut(const pc_shape *shape, const pc_pose *pose, const double normal[3], double offset,
                  pc_cut *cut)
{
  if (!can_cut(shape)) {
    memset(cut, 0, sizeof *cut);
    return false;
  }
  cut_shape(shape, pose, normal, offset, cut);
  return true;
}
