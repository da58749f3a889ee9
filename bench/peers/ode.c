// Open Dynamics Engine: dWorldQuickStep with its default number of iterations and with 100.
#include <math.h>
#include <ode/ode.h>
#include <stdlib.h>

#include "scene.h"

enum { POINTS = 8 }; // of one pair

typedef struct engine {
  dWorldID world;
  dSpaceID space;
  dJointGroupID joints;
  dBodyID *body;
  double friction;
  int contacts;
} engine;

const char *peer_name(void)
{
  return "ODE";
}
const char *peer_precision(void)
{
  return sizeof(dReal) == 8 ? "double" : "single";
}
const char *peer_setting(bool accurate)
{
  return accurate ? "quick step, 100 iterations" : "quick step, 20 iterations";
}
bool peer_can(const scene *s)
{
  return s->dimension == 3;
}

void *peer_create(const scene *s, bool accurate)
{
  engine *e = calloc(1, sizeof *e);
  if (e == NULL)
    return NULL;
  dInitODE2(0);
  e->world = dWorldCreate();
  e->space = dSweepAndPruneSpaceCreate(NULL, dSAP_AXES_XYZ);
  e->joints = dJointGroupCreate(0);
  e->body = calloc((size_t)s->bodies, sizeof *e->body);
  e->friction = s->friction;
  if (e->body == NULL)
    return NULL;
  dWorldSetGravity(e->world, 0, 0, -s->gravity);
  if (accurate)
    dWorldSetQuickStepNumIterations(e->world, 100);
  for (int i = 0; i < s->planes; i++) {
    const double *n = s->plane[i].normal, *p = s->plane[i].point;
    dCreatePlane(e->space, n[0], n[1], n[2], n[0] * p[0] + n[1] * p[1] + n[2] * p[2]);
  }
  for (int i = 0; i < s->bodies; i++) {
    const scene_body *b = &s->body[i];
    dGeomID shape = b->sphere
                        ? dCreateSphere(e->space, b->half[0])
                        : dCreateBox(e->space, 2 * b->half[0], 2 * b->half[1], 2 * b->half[2]);
    dMass mass;
    dMassSetParameters(&mass, b->mass, 0, 0, 0, b->inertia[0], b->inertia[1], b->inertia[2], 0, 0,
                       0);
    dBodyID body = dBodyCreate(e->world);
    dBodySetMass(body, &mass);
    dGeomSetBody(shape, body);
    dBodySetPosition(body, b->position[0], b->position[1], b->position[2]);
    dQuaternion q = {b->orientation[0], b->orientation[1], b->orientation[2], b->orientation[3]};
    dBodySetQuaternion(body, q);
    e->body[i] = body;
  }
  return e;
}

static void near(void *data, dGeomID a, dGeomID b)
{
  engine *e = data;
  dContact contact[POINTS];
  if (dGeomGetBody(a) == NULL && dGeomGetBody(b) == NULL)
    return;
  int count = dCollide(a, b, POINTS, &contact[0].geom, sizeof contact[0]);
  for (int i = 0; i < count; i++) {
    contact[i].surface = (dSurfaceParameters){.mode = dContactApprox1, .mu = e->friction};
    dJointID joint = dJointCreateContact(e->world, e->joints, &contact[i]);
    dJointAttach(joint, dGeomGetBody(a), dGeomGetBody(b));
  }
  e->contacts += count;
}

void peer_step(void *peer, double h)
{
  engine *e = peer;
  e->contacts = 0;
  dSpaceCollide(e->space, e, near);
  dWorldQuickStep(e->world, h);
  dJointGroupEmpty(e->joints);
}

int peer_contacts(void *peer)
{
  return ((engine *)peer)->contacts;
}

void peer_get(void *peer, int body, body_state *state)
{
  dBodyID b = ((engine *)peer)->body[body];
  for (int k = 0; k < 3; k++) {
    state->position[k] = dBodyGetPosition(b)[k];
    state->velocity[k] = dBodyGetLinearVel(b)[k];
    state->spin[k] = dBodyGetAngularVel(b)[k];
  }
  for (int k = 0; k < 4; k++)
    state->orientation[k] = dBodyGetQuaternion(b)[k];
}

peer_error peer_errors(void *peer)
{
  (void)peer;
  return (peer_error){NAN, NAN, -1};
}
