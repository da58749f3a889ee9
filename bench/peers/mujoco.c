// MuJoCo: soft contacts by design, so its default setting lets bodies sink in; the accurate one is
// as stiff as the time step allows, with the round friction cone.
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "scene.h"

typedef struct engine {
  mjModel *model;
  mjData *data;
} engine;

const char *peer_name(void)
{
  return "MuJoCo";
}
const char *peer_precision(void)
{
  return "double";
}
const char *peer_setting(bool accurate)
{
  return accurate ? "Newton, elliptic cone, solimp 0.99" : "Newton, default softness";
}
// Version 2.2 wants room for a full matrix of constraints, more than it can count for 1,000 bodies.
bool peer_can(const scene *s)
{
  return s->dimension == 3 && s->bodies <= 100;
}

static void write_planes(FILE *file, const scene *s)
{
  for (int i = 0; i < s->planes; i++) {
    const scene_plane *p = &s->plane[i];
    fprintf(file, "<geom type='plane' size='0 0 1' pos='%.17g %.17g %.17g' ", p->point[0],
            p->point[1], p->point[2]);
    fprintf(file, "zaxis='%g %g %g'/>\n", p->normal[0], p->normal[1], p->normal[2]);
  }
}

static void write_body(FILE *file, const scene_body *b)
{
  const double *p = b->position, *q = b->orientation;
  fprintf(file, "<body pos='%.17g %.17g %.17g' quat='%.17g %.17g %.17g %.17g'>", p[0], p[1], p[2],
          q[0], q[1], q[2], q[3]);
  fprintf(file, "<freejoint/><inertial pos='0 0 0' mass='%.17g' diaginertia='%.17g %.17g %.17g'/>",
          b->mass, b->inertia[0], b->inertia[1], b->inertia[2]);
  fprintf(file, "<geom type='%s' size='%.17g %.17g %.17g'/></body>\n", b->sphere ? "sphere" : "box",
          b->half[0], b->half[1], b->half[2]);
}

static void write_model(FILE *file, const scene *s, bool accurate)
{
  int contacts = 100 + 24 * s->bodies;
  fprintf(file, "<mujoco><option timestep='%g' gravity='0 0 %g' %s/>\n", s->step, -s->gravity,
          accurate ? "cone='elliptic'" : "");
  fprintf(file, "<size nconmax='%d' njmax='%d'/>\n", contacts, 4 * contacts);
  fprintf(file, "<default><geom condim='3' friction='%g' %s/></default><worldbody>\n", s->friction,
          accurate ? "solimp='0.99 0.99 0.001'" : "");
  write_planes(file, s);
  for (int i = 0; i < s->bodies; i++)
    write_body(file, &s->body[i]);
  fprintf(file, "</worldbody></mujoco>\n");
}

void *peer_create(const scene *s, bool accurate)
{
  engine *e = calloc(1, sizeof *e);
  char path[] = "/tmp/percuss-peers-XXXXXX", error[500] = "";
  int handle = mkstemp(path);
  FILE *file = handle < 0 ? NULL : fdopen(handle, "w");
  if (e == NULL || file == NULL)
    return NULL;
  write_model(file, s, accurate);
  fclose(file);
  e->model = mj_loadXML(path, NULL, error, sizeof error);
  unlink(path);
  if (e->model == NULL) {
    fprintf(stderr, "MuJoCo: %s\n", error);
    return NULL;
  }
  e->data = mj_makeData(e->model);
  if (e->data == NULL)
    return NULL;
  mj_forward(e->model, e->data);
  return e;
}

void peer_step(void *peer, double h)
{
  engine *e = peer;
  e->model->opt.timestep = h;
  mj_step(e->model, e->data);
}

int peer_contacts(void *peer)
{
  return ((engine *)peer)->data->ncon;
}

void peer_get(void *peer, int body, body_state *state)
{
  const mjData *d = ((engine *)peer)->data;
  const mjtNum *q = &d->qpos[7 * body], *v = &d->qvel[6 * body];
  for (int k = 0; k < 3; k++) {
    state->position[k] = q[k];
    state->velocity[k] = v[k];
  }
  for (int k = 0; k < 4; k++)
    state->orientation[k] = q[3 + k];
  mju_rotVecQuat(state->spin, &v[3], &q[3]); // it keeps spins in the body's axes
}

peer_error peer_errors(void *peer)
{
  (void)peer;
  return (peer_error){NAN, NAN, -1};
}
