#include "run/surfaces.h"

#include <stdlib.h>

#include "core/elementary.h"
#include "geometry/pose.h"

#define PI 3.14159265358979323846

// A point of the profile of a body of revolution about z: its height, its distance from the axis (0
// at a pole), and the direction of its normal, an angle above the horizontal.
typedef struct profile_point {
  double z, radius, slope;
} profile_point;
enum { MOST_AROUND = 64 };

static void add_point(pc_surface *s, const double place[3], const double normal[3])
{
  pc_surface_point *one = pc_array_add(&s->points);
  s->failed = s->failed || one == NULL;
  for (int i = 0; i < 3 && one != NULL; i++) {
    one->place[i] = place[i];
    one->normal[i] = normal != NULL ? normal[i] : 0;
  }
}

static void put_index(pc_surface *s, pc_indices *list, int32_t index)
{
  int32_t *one = pc_array_add(list);
  s->failed = s->failed || one == NULL;
  if (one != NULL)
    *one = index;
}

static void add_face(pc_surface *s, int count, const int32_t *point)
{
  for (int i = 0; i < count; i++)
    put_index(s, &s->faces, point[i]);
  put_index(s, &s->face_ends, s->faces.count);
}

// One point at a pole, else as many as there are around; gives the number of the first.
static int32_t add_ring(pc_surface *s, const profile_point *p, int around)
{
  int32_t first = s->points.count;
  double flat = pc_cos(p->slope), high = pc_sin(p->slope);
  for (int k = 0; k < (p->radius > 0 ? around : 1); k++) {
    double angle = 2 * PI * k / around, x = pc_cos(angle), y = pc_sin(angle);
    double place[] = {p->radius * x, p->radius * y, p->z}, normal[] = {flat * x, flat * y, high};
    add_point(s, place, s->smooth ? normal : NULL);
  }
  return first;
}

// Between two rings; a pole gives triangles.
static void add_belt(pc_surface *s, int32_t low, bool pointed_below, int32_t high,
                     bool pointed_above, int around)
{
  for (int k = 0; k < around; k++) {
    int next = (k + 1) % around, count = 0;
    int32_t point[4];
    point[count++] = pointed_below ? low : low + k;
    if (!pointed_below)
      point[count++] = low + next;
    point[count++] = pointed_above ? high : high + next;
    if (!pointed_above)
      point[count++] = high + k;
    add_face(s, count, point);
  }
}

static void add_cap(pc_surface *s, int32_t ring, bool above, int around)
{
  int32_t point[MOST_AROUND];
  for (int k = 0; k < around; k++)
    point[k] = ring + (above ? k : around - 1 - k);
  add_face(s, around, point);
}

// Turns a profile, from low to high, about z and closes its ends.
static void revolve(pc_surface *s, int count, const profile_point *profile, int around)
{
  int32_t before = 0;
  for (int i = 0; i < count; i++) {
    const profile_point *p = &profile[i];
    int32_t ring = add_ring(s, p, around);
    if (i > 0)
      add_belt(s, before, profile[i - 1].radius == 0, ring, p->radius == 0, around);
    if (p->radius > 0 && (i == 0 || i == count - 1))
      add_cap(s, ring, i > 0, around);
    before = ring;
  }
}

// A ball, or a capsule: two half balls `length` apart.
static void add_ball(pc_surface *s, double radius, double length, int around)
{
  profile_point profile[MOST_AROUND + 2];
  int count = 0, quarter = around / 4;
  s->smooth = true;
  for (int i = -quarter; i <= quarter; i++) {
    double slope = PI / 2 * i / quarter;
    profile_point p = {radius * pc_sin(slope), abs(i) < quarter ? radius * pc_cos(slope) : 0,
                       slope};
    if (i <= 0 || length == 0)
      profile[count++] = (profile_point){p.z + (i > 0 ? length : -length) / 2, p.radius, slope};
    if (i >= 0 && length > 0)
      profile[count++] = (profile_point){p.z + length / 2, p.radius, slope};
  }
  revolve(s, count, profile, around);
}

static void add_cylinder(pc_surface *s, double radius, double length, int around)
{
  const profile_point profile[] = {{-length / 2, radius, 0}, {length / 2, radius, 0}};
  revolve(s, 2, profile, around);
}

static void add_disc(pc_surface *s, double radius, int around)
{
  int32_t first = add_ring(s, &(profile_point){0, radius, 0}, around);
  add_cap(s, first, true, around);
}

static void add_vertices(const pc_recorded_shapes *a, int shape, pc_surface *s)
{
  for (int64_t i = a->vertex_start[shape]; i < a->vertex_start[shape + 1]; i++)
    add_point(s, a->vertex[i], NULL);
}

static void add_triangles(const pc_recorded_shapes *a, int shape, pc_surface *s)
{
  add_vertices(a, shape, s);
  for (int64_t i = a->triangle_start[shape]; i < a->triangle_start[shape + 1]; i++)
    add_face(s, 3, a->triangle[i]);
}

static void add_polygon(const pc_recorded_shapes *a, int shape, pc_surface *s)
{
  int32_t count = (int32_t)(a->vertex_start[shape + 1] - a->vertex_start[shape]);
  add_vertices(a, shape, s);
  for (int32_t i = 0; i < count; i++)
    put_index(s, &s->faces, i);
  put_index(s, &s->face_ends, s->faces.count);
}

static void add_chain(const pc_recorded_shapes *a, int shape, pc_surface *s)
{
  int32_t count = (int32_t)(a->vertex_start[shape + 1] - a->vertex_start[shape]);
  add_vertices(a, shape, s);
  for (int32_t i = 0; i < count; i++)
    put_index(s, &s->lines, i);
  if (a->size[shape][0] != 0) // closed
    put_index(s, &s->lines, 0);
  put_index(s, &s->line_ends, s->lines.count);
}

static void add_shape(const pc_recorded_shapes *a, int shape, int around, pc_surface *s);

// Another surface at a pose.
static void add_at(const pc_surface *piece, const pc_pose *pose, pc_surface *s)
{
  int32_t first = s->points.count, listed = s->faces.count;
  for (int i = 0; i < piece->points.count; i++) {
    double place[3];
    pc_to_world(pose, piece->points.at[i].place, place);
    add_point(s, place, NULL);
  }
  for (int i = 0; i < piece->faces.count; i++)
    put_index(s, &s->faces, first + piece->faces.at[i]);
  for (int i = 0; i < piece->face_ends.count; i++)
    put_index(s, &s->face_ends, listed + piece->face_ends.at[i]);
}

static void add_compound(const pc_recorded_shapes *a, int shape, int around, pc_surface *s)
{
  for (int64_t i = a->piece_start[shape]; i < a->piece_start[shape + 1]; i++) {
    pc_surface piece = {.smooth = false};
    pc_pose pose = pc_pose_of(a->piece_position[i], a->piece_orientation[i]);
    add_shape(a, a->piece[i], around, &piece);
    s->failed = s->failed || piece.failed;
    add_at(&piece, &pose, s);
    pc_surface_free(&piece);
  }
}

// Types of later versions give nothing.
static void add_shape(const pc_recorded_shapes *a, int shape, int around, pc_surface *s)
{
  const double *size = a->size[shape];
  switch (a->type[shape]) {
  case PC_RECORDED_SPHERE:
    add_ball(s, size[0], 0, around);
    break;
  case PC_RECORDED_CAPSULE:
    add_ball(s, size[0], size[1], around);
    break;
  case PC_RECORDED_CYLINDER:
    add_cylinder(s, size[0], size[1], around);
    break;
  case PC_RECORDED_COMPOUND:
    add_compound(a, shape, around, s);
    break;
  case PC_RECORDED_BOX:
  case PC_RECORDED_POLYHEDRON:
  case PC_RECORDED_MESH:
  case PC_RECORDED_HEIGHTS:
    add_triangles(a, shape, s);
    break;
  case PC_RECORDED_DISC:
    add_disc(s, size[0], around);
    break;
  case PC_RECORDED_POLYGON:
    add_polygon(a, shape, s);
    break;
  case PC_RECORDED_CHAIN:
    add_chain(a, shape, s);
    break;
  default:
    break;
  }
}

int pc_surface_detail(const pc_recorded *r)
{
  int round = 0;
  for (int i = 0; i < r->bodies; i++)
    switch (r->shapes.type[r->shape[i]]) {
    case PC_RECORDED_SPHERE:
    case PC_RECORDED_CAPSULE:
    case PC_RECORDED_CYLINDER:
    case PC_RECORDED_COMPOUND:
      round++;
      break;
    default:
      break;
    }
  return round <= 200 ? 24 : round <= 2000 ? 16 : round <= 20000 ? 12 : 8;
}

bool pc_surface_make(const pc_recorded *r, int shape, int detail, pc_surface *s)
{
  *s = (pc_surface){.smooth = false};
  add_shape(&r->shapes, shape, detail, s);
  return !s->failed;
}

void pc_surface_free(pc_surface *s)
{
  pc_array_free(&s->points);
  pc_array_free(&s->faces);
  pc_array_free(&s->face_ends);
  pc_array_free(&s->lines);
  pc_array_free(&s->line_ends);
}
