// Chipmunk: double precision, in the plane. Bodies at rest overlap by its slop: shapes are larger
// by half of it all around, so that the scene is a state of rest.
#include <chipmunk/chipmunk.h>
#include <math.h>
#include <stdlib.h>

#include "scene.h"

static const double SLOP = 0.005;

typedef struct engine {
  cpSpace *space;
  cpBody **body;
} engine;

const char *peer_name(void)
{
  return "Chipmunk";
}
const char *peer_precision(void)
{
  return "double";
}
const char *peer_setting(bool accurate)
{
  return accurate ? "100 iterations" : "10 iterations";
}
bool peer_can(const scene *s)
{
  return s->dimension == 2;
}

static void add_shape(engine *e, cpShape *shape, const scene *s)
{
  cpShapeSetFriction(shape, sqrt(s->friction)); // it multiplies those of the two shapes
  cpShapeSetElasticity(shape, 0);
  cpSpaceAddShape(e->space, shape);
}

void *peer_create(const scene *s, bool accurate)
{
  engine *e = calloc(1, sizeof *e);
  if (e == NULL)
    return NULL;
  e->space = cpSpaceNew();
  e->body = calloc((size_t)s->bodies, sizeof *e->body);
  if (e->space == NULL || e->body == NULL)
    return NULL;
  cpSpaceSetGravity(e->space, cpv(0, -s->gravity));
  // Its default slop, 0.1, is meant for pixels: a tenth of a box here. This is Box2D's.
  cpSpaceSetCollisionSlop(e->space, SLOP);
  if (accurate)
    cpSpaceSetIterations(e->space, 100);
  cpBB ground = cpBBNew(-s->reach, -10, s->reach, SLOP / 2);
  add_shape(e, cpBoxShapeNew2(cpSpaceGetStaticBody(e->space), ground, 0), s);
  for (int i = 0; i < s->bodies; i++) {
    const scene_body *b = &s->body[i];
    e->body[i] = cpSpaceAddBody(e->space, cpBodyNew(b->mass, b->inertia[2]));
    cpBodySetPosition(e->body[i], cpv(b->position[0], b->position[1]));
    add_shape(e, cpBoxShapeNew(e->body[i], 2 * b->half[0] + SLOP, 2 * b->half[1] + SLOP, 0), s);
  }
  return e;
}

void peer_step(void *peer, double h)
{
  cpSpaceStep(((engine *)peer)->space, h);
}

static void count_points(cpBody *body, cpArbiter *arbiter, void *data)
{
  (void)body;
  *(int *)data += cpArbiterGetCount(arbiter);
}

static void count_body(cpBody *body, void *data)
{
  cpBodyEachArbiter(body, count_points, data);
}

int peer_contacts(void *peer)
{
  int count = 0;
  engine *e = peer;
  cpSpaceEachBody(e->space, count_body, &count);
  count_body(cpSpaceGetStaticBody(e->space), &count);
  return count / 2; // each pair is seen from both sides
}

void peer_get(void *peer, int body, body_state *state)
{
  const cpBody *b = ((engine *)peer)->body[body];
  double half = 0.5 * cpBodyGetAngle(b);
  cpVect p = cpBodyGetPosition(b), v = cpBodyGetVelocity(b);
  *state = (body_state){{p.x, p.y, 0},
                        {cos(half), 0, 0, sin(half)},
                        {v.x, v.y, 0},
                        {0, 0, cpBodyGetAngularVelocity(b)}};
}

peer_error peer_errors(void *peer)
{
  (void)peer;
  return (peer_error){NAN, NAN, -1};
}
