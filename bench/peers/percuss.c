// Percuss through its C interface.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "percuss/percuss.h"
#include "scene.h"

typedef struct engine {
  pc_world *world;
  pc_body *body;
  peer_error error; // of all steps so far
} engine;

#ifdef PERCUSS_FAST // as few sweeps and looks for contacts as others make, whatever the residual is
static const bool FAST = true;
#else
static const bool FAST = false;
#endif

const char *peer_name(void)
{
  return FAST ? "Percuss (few sweeps)" : "Percuss";
}
const char *peer_precision(void)
{
  return "double";
}
const char *peer_setting(bool accurate)
{
  if (FAST)
    return accurate ? "at most 100 sweeps" : "at most 10 sweeps";
  return accurate ? "tolerance 1e-6" : "accuracy 2e-4 of a body";
}
bool peer_can(const scene *s)
{
  return s != NULL;
}

static pc_shape *shape_of(const scene *s, const scene_body *b)
{
  const double *h = b->half;
  if (b->sphere)
    return pc_shape_sphere(h[0], NULL);
  if (s->dimension == 2) {
    double corner[4][2] = {{-h[0], -h[1]}, {h[0], -h[1]}, {h[0], h[1]}, {-h[0], h[1]}};
    return pc_shape_polygon(4, (const double(*)[2])corner, true, NULL);
  }
  return pc_shape_box((double[3]){2 * h[0], 2 * h[1], 2 * h[2]}, NULL);
}

static pc_body place(pc_world *world, pc_body_def *def)
{
  pc_body body = {0};
  if (def->shape == NULL)
    return body;
  body = pc_body_create(world, def);
  pc_shape_release(def->shape);
  return body;
}

void *peer_create(const scene *s, bool accurate)
{
  pc_world_def def = pc_world_def_default(); // inelastic, friction 0.5
  engine *e = calloc(1, sizeof *e);
  def.dimension = s->dimension;
  def.gravity[2] = 0;
  def.gravity[s->dimension - 1] = -s->gravity;
  if (FAST) {
    def.max_iterations = accurate ? 100 : 10;
    def.looks = accurate ? PC_LOOK_AGAIN : PC_LOOK_ONCE;
    def.push_out = accurate ? def.push_out : 20;
  }
  if (!FAST && accurate)
    def.tolerance = 1e-6;
  if (e == NULL)
    return NULL;
  e->world = pc_world_create(&def);
  e->body = calloc((size_t)s->bodies, sizeof *e->body);
  if (e->world == NULL || e->body == NULL)
    return NULL;
  for (int i = 0; i < s->planes; i++) {
    pc_body_def plane = pc_body_def_default();
    plane.kind = PC_FIXED;
    plane.shape = pc_shape_plane(s->dimension, s->plane[i].normal, NULL);
    for (int k = 0; k < 3; k++)
      plane.position[k] = s->plane[i].point[k];
    if (place(e->world, &plane).id == 0)
      return NULL;
  }
  for (int i = 0; i < s->bodies; i++) {
    const scene_body *b = &s->body[i];
    pc_body_def body = pc_body_def_default();
    body.shape = shape_of(s, b);
    body.mass = b->mass; // the inertia follows from the shape
    for (int k = 0; k < 3; k++)
      body.position[k] = b->position[k];
    for (int k = 0; k < 4; k++)
      body.orientation[k] = b->orientation[k];
    e->body[i] = place(e->world, &body);
    if (e->body[i].id == 0)
      return NULL;
  }
  return e;
}

void peer_step(void *peer, double h)
{
  engine *e = peer;
  if (pc_world_step(e->world, h) != PC_OK) {
    fprintf(stderr, "Percuss: %s\n", pc_world_error(e->world));
    exit(1);
  }
  const pc_step_info *info = pc_world_info(e->world);
  e->error.residual = fmax(e->error.residual, info->residual);
  e->error.length = fmax(e->error.length, info->contact_error);
  e->error.missed += info->status != PC_SOLVED;
}

int peer_contacts(void *peer)
{
  return pc_world_contacts(((engine *)peer)->world);
}

void peer_get(void *peer, int body, body_state *state)
{
  const engine *e = peer;
  pc_body_state q;
  pc_body_get(e->world, e->body[body], &q);
  for (int k = 0; k < 3; k++) {
    state->position[k] = q.position[k];
    state->velocity[k] = q.velocity[k];
    state->spin[k] = q.spin[k];
  }
  for (int k = 0; k < 4; k++)
    state->orientation[k] = q.orientation[k];
}

peer_error peer_errors(void *peer)
{
  return ((engine *)peer)->error;
}
