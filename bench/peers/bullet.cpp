// Bullet, its sequential impulse solver: single precision, or double with BT_USE_DOUBLE_PRECISION.
#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <vector>

#include "scene.h"

namespace {

struct engine {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher;
  btDbvtBroadphase broad;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world;
  std::vector<btRigidBody *> body;
  engine() : dispatcher(&configuration), world(&dispatcher, &broad, &solver, &configuration) {}
};

btScalar real(double x)
{
  return static_cast<btScalar>(x);
}
btVector3 vector(const double *x)
{
  return btVector3(real(x[0]), real(x[1]), real(x[2]));
}

void set_contact(btRigidBody *body, const scene *s)
{
  body->setFriction(real(std::sqrt(s->friction))); // it multiplies those of the two bodies
  body->setRestitution(0);
  body->setActivationState(DISABLE_DEACTIVATION);
}

} // namespace

const char *peer_name(void)
{
  return sizeof(btScalar) == 8 ? "Bullet (double)" : "Bullet";
}
const char *peer_precision(void)
{
  return sizeof(btScalar) == 8 ? "double" : "single";
}
const char *peer_setting(bool accurate)
{
  return accurate ? "100 iterations" : "10 iterations";
}
bool peer_can(const scene *s)
{
  return s->dimension == 3;
}

void *peer_create(const scene *s, bool accurate)
{
  engine *e = new engine;
  e->world.setGravity(btVector3(0, 0, real(-s->gravity)));
  if (accurate)
    e->world.getSolverInfo().m_numIterations = 100;
  for (int i = 0; i < s->planes; i++) {
    const scene_plane *p = &s->plane[i];
    btVector3 normal = vector(p->normal);
    auto *shape = new btStaticPlaneShape(normal, normal.dot(vector(p->point)));
    auto *body = new btRigidBody(0, nullptr, shape);
    set_contact(body, s);
    e->world.addRigidBody(body);
  }
  for (int i = 0; i < s->bodies; i++) {
    const scene_body *b = &s->body[i];
    btCollisionShape *shape;
    if (b->sphere)
      shape = new btSphereShape(real(b->half[0]));
    else
      shape = new btBoxShape(vector(b->half)); // its margin is inside
    const double *q = b->orientation;
    btTransform place(btQuaternion(real(q[1]), real(q[2]), real(q[3]), real(q[0])),
                      vector(b->position));
    auto *body = new btRigidBody(real(b->mass), nullptr, shape, vector(b->inertia));
    body->setWorldTransform(place);
    body->setInterpolationWorldTransform(place);
    set_contact(body, s);
    e->world.addRigidBody(body);
    e->body.push_back(body);
  }
  return e;
}

void peer_step(void *peer, double h)
{
  static_cast<engine *>(peer)->world.stepSimulation(real(h), 0);
}

int peer_contacts(void *peer)
{
  int count = 0;
  btCollisionDispatcher &d = static_cast<engine *>(peer)->dispatcher;
  for (int i = 0; i < d.getNumManifolds(); i++)
    count += d.getManifoldByIndexInternal(i)->getNumContacts();
  return count;
}

void peer_get(void *peer, int body, body_state *state)
{
  const btRigidBody *b = static_cast<engine *>(peer)->body[static_cast<size_t>(body)];
  const btVector3 &p = b->getCenterOfMassPosition(), &v = b->getLinearVelocity();
  const btVector3 &w = b->getAngularVelocity();
  btQuaternion q = b->getOrientation();
  *state = body_state{{p.x(), p.y(), p.z()},
                      {q.w(), q.x(), q.y(), q.z()},
                      {v.x(), v.y(), v.z()},
                      {w.x(), w.y(), w.z()}};
}

peer_error peer_errors(void *)
{
  return {NAN, NAN, -1};
}
