#include "overlap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct placed {
  const scene_body *body;
  const double *position;
  double axis[3][3]; // of the body, in the world
  double low[3], high[3];
} placed;

static double dot(const double *a, const double *b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void place(placed *p, const scene_body *body, const body_state *state)
{
  double w = state->orientation[0], x = state->orientation[1];
  double y = state->orientation[2], z = state->orientation[3];
  double axis[3][3] = {
      {1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
      {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
      {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)},
  };
  memcpy(p->axis, axis, sizeof axis);
  p->body = body;
  p->position = state->position;
  for (int i = 0; i < 3; i++) {
    double reach = 0;
    for (int k = 0; k < 3; k++)
      reach += fabs(axis[k][i]) * body->half[k];
    if (body->sphere)
      reach = body->half[0];
    p->low[i] = p->position[i] - reach;
    p->high[i] = p->position[i] + reach;
  }
}

static double reach_along(const placed *p, const double n[3])
{
  if (p->body->sphere)
    return p->body->half[0];
  double reach = 0;
  for (int k = 0; k < 3; k++)
    reach += fabs(dot(p->axis[k], n)) * p->body->half[k];
  return reach;
}

// The shortest way to part two boxes is along a face normal or the normal of two edges.
static double depth_of_boxes(const placed *a, const placed *b)
{
  double between[3], depth = INFINITY;
  for (int i = 0; i < 3; i++)
    between[i] = b->position[i] - a->position[i];
  for (int i = 0; i < 15; i++) {
    double n[3];
    if (i < 6) {
      memcpy(n, i < 3 ? a->axis[i] : b->axis[i - 3], sizeof n);
    } else {
      const double *u = a->axis[(i - 6) / 3], *v = b->axis[(i - 6) % 3];
      for (int k = 0; k < 3; k++)
        n[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
      double length = sqrt(dot(n, n));
      if (length < 1e-6) // parallel edges: a face says the same
        continue;
      for (int k = 0; k < 3; k++)
        n[k] /= length;
    }
    depth = fmin(depth, reach_along(a, n) + reach_along(b, n) - fabs(dot(between, n)));
    if (depth <= 0)
      return 0;
  }
  return depth;
}

static double depth_of_spheres(const placed *a, const placed *b)
{
  double between[3];
  for (int i = 0; i < 3; i++)
    between[i] = b->position[i] - a->position[i];
  return a->body->half[0] + b->body->half[0] - sqrt(dot(between, between));
}

static void count(overlap *out, double depth)
{
  if (depth <= 0)
    return;
  out->largest = fmax(out->largest, depth);
  out->sum += depth;
  out->pairs++;
}

static int by_low(const void *a, const void *b)
{
  double x = ((const placed *)a)->low[0], y = ((const placed *)b)->low[0];
  return (x > y) - (x < y);
}

bool overlap_measure(const scene *s, const body_state *state, overlap *out)
{
  placed *all = malloc(sizeof *all * (size_t)s->bodies);
  *out = (overlap){0};
  if (all == NULL)
    return false;
  for (int i = 0; i < s->bodies; i++) {
    place(&all[i], &s->body[i], &state[i]);
    for (int p = 0; p < s->planes; p++) {
      const scene_plane *plane = &s->plane[p];
      double height = dot(all[i].position, plane->normal) - dot(plane->point, plane->normal);
      count(out, reach_along(&all[i], plane->normal) - height);
    }
  }
  qsort(all, (size_t)s->bodies, sizeof *all, by_low);
  for (int i = 0; i < s->bodies; i++) {
    const placed *a = &all[i];
    for (int j = i + 1; j < s->bodies && all[j].low[0] < a->high[0]; j++) {
      const placed *b = &all[j];
      if (b->low[1] < a->high[1] && a->low[1] < b->high[1] && b->low[2] < a->high[2] &&
          a->low[2] < b->high[2]) // a scene has one kind of bodies
        count(out, a->body->sphere ? depth_of_spheres(a, b) : depth_of_boxes(a, b));
    }
  }
  free(all);
  return true;
}
