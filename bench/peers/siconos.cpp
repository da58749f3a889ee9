// Siconos: Moreau-Jean time stepping, Bullet's collision detection, its Gauss-Seidel solver with a
// tolerance.
#include <BulletR.hpp>
#include <RigidBodyDS.hpp>
#include <SiconosBulletCollisionManager.hpp>
#include <SiconosContactor.hpp>
#include <SiconosKernel.hpp>
#include <SiconosShape.hpp>
#include <SolverOptions.h>
#include <cmath>
#include <memory>
#include <vector>

#include "scene.h"

namespace {

struct engine {
  SP::NonSmoothDynamicalSystem system;
  SP::TimeStepping simulation;
  SP::FrictionContact problem;
  std::vector<SP::RigidBodyDS> body;
  double worst = 0;
};

SP::SiconosVector place(const double *position, const double *orientation)
{
  auto q = std::make_shared<SiconosVector>(7);
  for (unsigned k = 0; k < 3; k++)
    q->setValue(k, position[k]);
  for (unsigned k = 0; k < 4; k++)
    q->setValue(3 + k, orientation[k]);
  return q;
}

SP::SiconosContactorSet contactor(SP::SiconosShape shape)
{
  auto set = std::make_shared<SiconosContactorSet>();
  shape->setInsideMargin(0.01);
  shape->setOutsideMargin(0.01); // how far away contacts are seen
  set->push_back(std::make_shared<SiconosContactor>(shape));
  return set;
}

SP::RigidBodyDS make_body(const scene_body *b, double gravity)
{
  auto inertia = std::make_shared<SimpleMatrix>(3, 3);
  for (unsigned k = 0; k < 3; k++)
    inertia->setValue(k, k, b->inertia[k]);
  auto body = std::make_shared<RigidBodyDS>(place(b->position, b->orientation),
                                            std::make_shared<SiconosVector>(6), b->mass, inertia);
  SP::SiconosShape shape;
  if (b->sphere)
    shape = std::make_shared<SiconosSphere>(static_cast<float>(b->half[0]));
  else
    shape = std::make_shared<SiconosBox>(2 * b->half[0], 2 * b->half[1], 2 * b->half[2]);
  body->setContactors(contactor(shape));
  body->setUseContactorInertia(false);
  auto weight = std::make_shared<SiconosVector>(3);
  weight->setValue(2, -b->mass * gravity);
  body->setFExtPtr(weight);
  return body;
}

// A plane of Siconos has the normal z: the shortest turn from there.
SP::SiconosVector place_plane(const scene_plane *p)
{
  const double *n = p->normal;
  double w = 1 + n[2], length = std::sqrt(w * w + n[0] * n[0] + n[1] * n[1]);
  double turn[4] = {w / length, -n[1] / length, n[0] / length, 0};
  return place(p->point, turn);
}

} // namespace

const char *peer_name(void)
{
  return "Siconos";
}
const char *peer_precision(void)
{
  return "double (contacts single)";
}
const char *peer_setting(bool accurate)
{
  return accurate ? "NSGS, tolerance 1e-8, 100000 iterations"
                  : "NSGS, tolerance 1e-4, 1000 iterations";
}
// 300 steps of 1,000 spheres take it minutes: piles are left out.
bool peer_can(const scene *s)
{
  return s->dimension == 3 && s->bodies <= 100;
}

void *peer_create(const scene *s, bool accurate)
{
  engine *e = new engine;
  e->system = std::make_shared<NonSmoothDynamicalSystem>(0, 1e6);
  auto integrator = std::make_shared<MoreauJeanOSI>(0.5);
  for (int i = 0; i < s->bodies; i++) {
    e->body.push_back(make_body(&s->body[i], s->gravity));
    e->system->insertDynamicalSystem(e->body.back());
  }
  SiconosBulletOptions options;
  options.contactBreakingThreshold = 0.04;
  options.perturbationIterations = 3; // all corners of a face in one step
  options.minimumPointsPerturbationThreshold = 3;
  auto collision = std::make_shared<SiconosBulletCollisionManager>(options);
  collision->insertNonSmoothLaw(std::make_shared<NewtonImpactFrictionNSL>(0., 0., s->friction, 3),
                                0, 0);
  for (int i = 0; i < s->planes; i++)
    collision->insertStaticContactorSet(contactor(std::make_shared<SiconosPlane>()),
                                        place_plane(&s->plane[i]));
  e->problem = std::make_shared<FrictionContact>(3, SICONOS_FRICTION_3D_NSGS);
  SP::SolverOptions solver = e->problem->numericsSolverOptions();
  solver->iparam[SICONOS_IPARAM_MAX_ITER] = accurate ? 100000 : 1000;
  solver->dparam[SICONOS_DPARAM_TOL] = accurate ? 1e-8 : 1e-4;
  e->problem->setMaxSize(16000);
  e->problem->setMStorageType(NM_SPARSE_BLOCK);
  e->problem->setNumericsVerboseMode(false);
  e->problem->setKeepLambdaAndYState(true);
  e->simulation = std::make_shared<TimeStepping>(
      e->system, std::make_shared<TimeDiscretisation>(0., s->step), integrator, e->problem);
  e->simulation->insertInteractionManager(collision);
  e->simulation->setNewtonOptions(SICONOS_TS_NONLINEAR);
  e->simulation->setNewtonMaxIteration(1);
  e->simulation->setDisplayNewtonConvergence(false);
  e->simulation->initialize();
  return e;
}

void peer_step(void *peer, double)
{
  engine *e = static_cast<engine *>(peer);
  e->simulation->computeOneStep();
  e->simulation->nextStep();
  e->worst =
      std::fmax(e->worst, e->problem->numericsSolverOptions()->dparam[SICONOS_DPARAM_RESIDU]);
}

int peer_contacts(void *peer)
{
  return static_cast<int>(static_cast<engine *>(peer)->system->getNumberOfInteractions());
}

void peer_get(void *peer, int body, body_state *state)
{
  RigidBodyDS &b = *static_cast<engine *>(peer)->body[static_cast<size_t>(body)];
  for (unsigned k = 0; k < 3; k++) {
    state->position[k] = b.q()->getValue(k);
    state->velocity[k] = b.twist()->getValue(k);
  }
  for (unsigned k = 0; k < 4; k++)
    state->orientation[k] = b.q()->getValue(3 + k);
  // It keeps spins in the body's axes: v + 2 w (u x v) + 2 u x (u x v).
  const double *u = &state->orientation[1], w = state->orientation[0];
  double v[3], a[3];
  for (unsigned k = 0; k < 3; k++)
    v[k] = b.twist()->getValue(3 + k);
  for (unsigned k = 0; k < 3; k++)
    a[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
  for (unsigned k = 0; k < 3; k++)
    state->spin[k] = v[k] + 2 * w * a[k] +
                     2 * (u[(k + 1) % 3] * a[(k + 2) % 3] - u[(k + 2) % 3] * a[(k + 1) % 3]);
}

peer_error peer_errors(void *peer)
{
  return {static_cast<engine *>(peer)->worst, NAN, -1};
}
