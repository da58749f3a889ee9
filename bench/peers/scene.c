#include "scene.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static double uniform(uint64_t *seed) // 0 to 1, the same on every machine
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) / 9007199254740992.0;
}

static void add(scene *s, bool sphere, const double edge[3], double mass, const double position[3])
{
  scene_body *b = &s->body[s->bodies++];
  *b = (scene_body){.sphere = sphere, .mass = mass, .orientation = {1, 0, 0, 0}};
  for (int i = 0; i < 3; i++) {
    double p = edge[(i + 1) % 3], q = edge[(i + 2) % 3];
    b->half[i] = edge[i] / 2;
    b->position[i] = position[i];
    b->inertia[i] = sphere ? 0.1 * mass * p * p : mass * (p * p + q * q) / 12;
  }
}

static bool room(scene *s, int count)
{
  s->body = calloc((size_t)count + 1, sizeof *s->body); // and one that falls
  return s->body != NULL;
}

static const double CUBE[3] = {1, 1, 1};

static bool pyramid(scene *s, int base, int steps)
{
  s->dimension = 2;
  s->steps = steps;
  s->reach = 2 * base;
  if (!room(s, base * (base + 1) / 2))
    return false;
  for (int row = 0; row < base; row++) {
    for (int i = 0; i < base - row; i++)
      add(s, false, CUBE, 1, (double[3]){i - 0.5 * (base - row - 1), row + 0.5, 0});
  }
  return true;
}

static bool stack(scene *s, int count, double top_mass)
{
  s->steps = 400;
  s->reach = 20;
  if (!room(s, count))
    return false;
  for (int i = 0; i < count; i++)
    add(s, false, CUBE, i == count - 1 ? top_mass : 1, (double[3]){0, 0, i + 0.5});
  return true;
}

static void turn(scene_body *b, uint64_t *seed)
{
  double length = 0;
  do { // a point in the ball of radius 1: every orientation is as likely
    length = 0;
    for (int i = 0; i < 4; i++) {
      b->orientation[i] = 2 * uniform(seed) - 1;
      length += b->orientation[i] * b->orientation[i];
    }
  } while (length > 1 || length < 0.01);
  for (int i = 0; i < 4; i++)
    b->orientation[i] /= sqrt(length);
}

// Ten layers of side x side bodies that fall into a box of planes.
static bool pile(scene *s, bool spheres, int side)
{
  double gap = spheres ? 1.05 : 1.83;
  static const double brick[3] = {1.2, 1, 0.9};
  uint64_t seed = 1;
  s->steps = 300;
  s->at_rest = false;
  s->reach = 2 * gap * side + 20;
  s->planes = 5;
  for (int i = 0; i < 4; i++) {
    s->plane[i + 1].normal[i / 2] = i % 2 ? -1 : 1;
    s->plane[i + 1].point[i / 2] = i % 2 ? gap * side : 0;
  }
  if (!room(s, 10 * side * side))
    return false;
  for (int i = 0; i < 10 * side * side; i++) {
    double at[3] = {i % side, i / side % side, i / (side * side)};
    for (int k = 0; k < 3; k++)
      at[k] = (at[k] + 0.5) * gap + (spheres ? 0.02 * (2 * uniform(&seed) - 1) : 0);
    add(s, spheres, spheres ? CUBE : brick, 1, at);
    if (!spheres)
      turn(&s->body[i], &seed);
  }
  return true;
}

bool scene_create(scene *s, const char *name)
{
  *s = (scene){.name = name, .dimension = 3, .step = 0.01, .gravity = 9.81, .friction = 0.5};
  s->at_rest = true;
  s->planes = 1;
  bool made = false;
  if (strcmp(name, "pyramid-20") == 0)
    made = pyramid(s, 20, 200);
  else if (strcmp(name, "pyramid-100") == 0)
    made = pyramid(s, 100, 60);
  else if (strcmp(name, "stack-10") == 0)
    made = stack(s, 10, 1);
  else if (strcmp(name, "heavy-on-light") == 0)
    made = stack(s, 2, 100);
  else if (strcmp(name, "spheres-1000") == 0)
    made = pile(s, true, 10);
  else if (strcmp(name, "boxes-1000") == 0)
    made = pile(s, false, 10);
  else if (strcmp(name, "spheres-10000") == 0)
    made = pile(s, true, 32);
  else if (strcmp(name, "boxes-10000") == 0)
    made = pile(s, false, 32);
  s->plane[0].normal[s->dimension - 1] = 1;
  s->measured = s->bodies;
  if (made && s->at_rest) {
    double at[3] = {0};
    at[s->dimension - 1] = s->reach + 200;
    add(s, false, CUBE, 1, at);
  }
  return made;
}

void scene_free(scene *s)
{
  free(s->body);
  s->body = NULL;
}
