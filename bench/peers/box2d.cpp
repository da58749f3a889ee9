// Box2D: single precision, in the plane. Its polygons have a skin of b2_polygonRadius around them,
// and at rest they overlap by b2_linearSlop: boxes are made smaller by the one and larger by the
// other, so that the scene is a state of rest.
#include <box2d/box2d.h>

#include <cmath>
#include <vector>

#include "scene.h"

namespace {

struct engine {
  b2World world;
  std::vector<b2Body *> body;
  int velocity_iterations, position_iterations;
  engine(float gravity) : world(b2Vec2(0, -gravity)) {}
};

void add_box(b2Body *body, double half_x, double half_y, const scene *s)
{
  b2PolygonShape shape;
  b2FixtureDef fixture;
  shape.SetAsBox(static_cast<float>(half_x) - b2_polygonRadius + 0.5f * b2_linearSlop,
                 static_cast<float>(half_y) - b2_polygonRadius + 0.5f * b2_linearSlop);
  fixture.shape = &shape;
  fixture.friction = static_cast<float>(s->friction);
  fixture.restitution = 0;
  fixture.density = 1;
  body->CreateFixture(&fixture);
}

} // namespace

const char *peer_name(void)
{
  return "Box2D";
}
const char *peer_precision(void)
{
  return "single";
}
const char *peer_setting(bool accurate)
{
  return accurate ? "100 velocity + 100 position iterations" : "8 velocity + 3 position iterations";
}
bool peer_can(const scene *s)
{
  return s->dimension == 2;
}

void *peer_create(const scene *s, bool accurate)
{
  engine *e = new engine(static_cast<float>(s->gravity));
  e->world.SetAllowSleeping(false);
  e->velocity_iterations = accurate ? 100 : 8; // 8 and 3: what its manual suggests
  e->position_iterations = accurate ? 100 : 3;
  b2BodyDef ground;
  ground.position.Set(0, -5);
  add_box(e->world.CreateBody(&ground), s->reach, 5, s);
  for (int i = 0; i < s->bodies; i++) {
    const scene_body *b = &s->body[i];
    b2BodyDef def;
    def.type = b2_dynamicBody;
    def.position.Set(static_cast<float>(b->position[0]), static_cast<float>(b->position[1]));
    b2Body *body = e->world.CreateBody(&def);
    add_box(body, b->half[0], b->half[1], s);
    b2MassData mass;
    mass.mass = static_cast<float>(b->mass);
    mass.center.SetZero();
    mass.I = static_cast<float>(b->inertia[2]);
    body->SetMassData(&mass);
    e->body.push_back(body);
  }
  return e;
}

void peer_step(void *peer, double h)
{
  engine *e = static_cast<engine *>(peer);
  e->world.Step(static_cast<float>(h), e->velocity_iterations, e->position_iterations);
}

int peer_contacts(void *peer)
{
  int count = 0;
  for (b2Contact *c = static_cast<engine *>(peer)->world.GetContactList(); c != nullptr;
       c = c->GetNext()) {
    if (c->IsTouching())
      count += c->GetManifold()->pointCount;
  }
  return count;
}

void peer_get(void *peer, int body, body_state *state)
{
  const b2Body *b = static_cast<engine *>(peer)->body[static_cast<size_t>(body)];
  double half = 0.5 * b->GetAngle();
  *state = body_state{{b->GetPosition().x, b->GetPosition().y, 0},
                      {std::cos(half), 0, 0, std::sin(half)},
                      {b->GetLinearVelocity().x, b->GetLinearVelocity().y, 0},
                      {0, 0, b->GetAngularVelocity()}};
}

peer_error peer_errors(void *)
{
  return {NAN, NAN, -1};
}
